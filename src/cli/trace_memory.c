/* See trace_memory.h. Memory has rows of 32 bytes. The page gets a row, as it was at the first moment, when a lane
 * accesses one of its words, and from each step the words that it changed; so that it grows with what happens, not with
 * what is bound. To know what changed there is a copy of the memory, within a limit. Of what is beyond the limits the
 * page says that it was left out. */
#include "trace_memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, ROW_BYTES = 32, ROW_WORDS = ROW_BYTES / 4, ROW_TEXT = 8 * ROW_WORDS + 1 };
enum { MOST_PIECES = 256, MOST_ROWS = 16384, MOST_COPIED = 64 << 20 };
enum row_state { ROW_UNKNOWN, ROW_KNOWN, ROW_LEFT_OUT };

/* On the page. */
struct row {
    uint64_t byte;
    char text[ROW_TEXT]; /* at the first moment */
};

struct piece {
    struct sch_debug_piece is;
    uint32_t shown; /* its number on the page, from 1; 0: it is not there */
    uint8_t *copy;  /* of what the page knows; NULL: too large */
    uint8_t *state; /* enum row_state of each row */
    struct row *rows;
    uint32_t row_count, capacity, left_out;
};

struct sch_cli_trace_memory {
    const struct sch_debug *debug;
    struct piece pieces[MOST_PIECES];
    uint32_t count, shown, rows;
    struct piece *order[MOST_PIECES]; /* those that are shown */
    bool failed;                      /* no memory */
};

/* ---- the beginning ---- */

static uint64_t rows_of(const struct piece *piece) { return (piece->is.bytes + ROW_BYTES - 1) / ROW_BYTES; }

static bool copy_piece(struct piece *piece, uint64_t *copied)
{
    const uint64_t bytes = piece->is.bytes;
    if (bytes > MOST_COPIED - *copied) return true;
    *copied += bytes;
    piece->copy = malloc((size_t)bytes);
    piece->state = calloc((size_t)rows_of(piece), 1);
    if (!piece->copy || !piece->state) return false;
    memcpy(piece->copy, piece->is.data, (size_t)bytes);
    return true;
}

void sch_cli_trace_memory_end(struct sch_cli_trace_memory *memory)
{
    for (uint32_t n = 0; memory && n < memory->count; n++) {
        free(memory->pieces[n].copy);
        free(memory->pieces[n].state);
        free(memory->pieces[n].rows);
    }
    free(memory);
}

struct sch_cli_trace_memory *sch_cli_trace_memory_begin(const struct sch_debug *debug)
{
    struct sch_cli_trace_memory *memory = calloc(1, sizeof *memory);
    uint64_t copied = 0;
    if (!memory) return NULL;
    memory->debug = debug;
    for (; memory->count < MOST_PIECES; memory->count++) {
        struct piece *piece = &memory->pieces[memory->count];
        piece->is.size = sizeof piece->is;
        if (!sch_debug_piece_at(debug, memory->count, &piece->is)) return memory;
        if (copy_piece(piece, &copied)) continue;
        memory->count++;
        sch_cli_trace_memory_end(memory);
        return NULL;
    }
    return memory;
}

/* Where pieces are now. False: the run has ended. */
static bool find_pieces(struct sch_cli_trace_memory *memory)
{
    for (uint32_t n = 0; n < memory->count; n++)
        if (!sch_debug_piece_at(memory->debug, n, &memory->pieces[n].is)) return false;
    return true;
}

/* ---- rows ---- */

static void show_piece(struct sch_cli_trace_memory *memory, struct piece *piece)
{
    if (piece->shown) return;
    memory->order[memory->shown++] = piece;
    piece->shown = memory->shown;
}

/* The words of a row from `first` to before `end`; what a word has behind the end is 0. */
static void spell(const struct piece *piece, const uint8_t *data, uint64_t byte, uint32_t first, uint32_t end,
                  char text[ROW_TEXT])
{
    *text = 0;
    for (uint32_t w = first; w < end && byte + 4 * w < piece->is.bytes; w++) {
        const uint64_t at = byte + 4 * w, left = piece->is.bytes - at;
        uint32_t word = 0;
        memcpy(&word, data + at, left < 4 ? (size_t)left : 4);
        snprintf(text + 8 * (w - first), 9, "%08" PRIx32, word);
    }
}

static bool add_row(struct piece *piece, uint64_t byte)
{
    if (piece->row_count == piece->capacity) {
        const uint32_t capacity = piece->capacity ? 2 * piece->capacity : 16;
        struct row *grown = realloc(piece->rows, capacity * sizeof *grown);
        if (!grown) return false;
        piece->rows = grown;
        piece->capacity = capacity;
    }
    struct row *row = &piece->rows[piece->row_count++];
    row->byte = byte;
    spell(piece, piece->copy, byte, 0, ROW_WORDS, row->text);
    return true;
}

/* Whether the page has the row that begins at `byte`, from now on. */
static bool touch(struct sch_cli_trace_memory *memory, struct piece *piece, uint64_t byte)
{
    show_piece(memory, piece);
    if (!piece->copy || byte >= piece->is.bytes) return false;
    uint8_t *state = &piece->state[byte / ROW_BYTES];
    if (*state != ROW_UNKNOWN) return *state == ROW_KNOWN;
    *state = memory->rows < MOST_ROWS ? ROW_KNOWN : ROW_LEFT_OUT;
    piece->left_out += *state == ROW_LEFT_OUT;
    if (*state == ROW_LEFT_OUT) return false;
    memory->rows++;
    if (!add_row(piece, byte)) memory->failed = true;
    return !memory->failed;
}

static bool word_differs(const struct piece *piece, uint64_t byte)
{
    const uint64_t left = piece->is.bytes > byte ? piece->is.bytes - byte : 0;
    return memcmp(piece->copy + byte, (const uint8_t *)piece->is.data + byte, left < 4 ? (size_t)left : 4) != 0;
}

/* From the first word of a row that is another one now to the last. */
static void put_row_changes(struct sch_cli_trace_memory *memory, struct piece *piece, uint64_t byte,
                            struct sch_cli_json *json)
{
    uint32_t first = ROW_WORDS, end = 0;
    char text[ROW_TEXT];
    if (!touch(memory, piece, byte)) return;
    for (uint32_t w = 0; w < ROW_WORDS && byte + 4 * w < piece->is.bytes; w++) {
        if (!word_differs(piece, byte + 4 * w)) continue;
        if (first == ROW_WORDS) first = w;
        end = w + 1;
    }
    if (!end) return;
    const uint64_t left = piece->is.bytes - byte;
    memcpy(piece->copy + byte, (const uint8_t *)piece->is.data + byte, left < ROW_BYTES ? (size_t)left : ROW_BYTES);
    spell(piece, piece->copy, byte, first, end, text);
    sch_cli_json_list(json, NULL, true);
    sch_cli_json_number(json, NULL, piece->shown - 1);
    sch_cli_json_number(json, NULL, byte + 4 * first);
    sch_cli_json_text(json, NULL, text);
    sch_cli_json_close(json);
}

static void put_all_changes(struct sch_cli_trace_memory *memory, struct piece *piece, struct sch_cli_json *json)
{
    if (!piece->copy || memcmp(piece->copy, piece->is.data, (size_t)piece->is.bytes) == 0) return;
    for (uint64_t byte = 0; byte < piece->is.bytes; byte += ROW_BYTES) {
        const uint64_t left = piece->is.bytes - byte;
        if (memcmp(piece->copy + byte, (const uint8_t *)piece->is.data + byte,
                   left < ROW_BYTES ? (size_t)left : ROW_BYTES) != 0)
            put_row_changes(memory, piece, byte, json);
    }
}

/* ---- accesses ---- */

/* What the lanes of the last instruction accessed. */
struct accesses {
    uint32_t lanes;
    struct piece *piece[LANES];
    struct sch_debug_access of[LANES];
};

static struct piece *find_piece(struct sch_cli_trace_memory *memory, const struct sch_debug_access *access)
{
    for (uint32_t n = 0; n < memory->count; n++) {
        const struct sch_debug_piece *is = &memory->pieces[n].is;
        if (is->kind == access->kind && is->number == access->number) return &memory->pieces[n];
    }
    return NULL;
}

static void find_accesses(struct sch_cli_trace_memory *memory, struct accesses *found)
{
    found->lanes = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        found->of[lane] = (struct sch_debug_access){.size = sizeof found->of[lane]};
        if (!sch_debug_access_of(memory->debug, lane, &found->of[lane])) continue;
        found->piece[lane] = find_piece(memory, &found->of[lane]);
        if (found->piece[lane]) found->lanes |= UINT32_C(1) << lane;
    }
}

/* The first and the last row of an access. */
static uint64_t first_row(const struct sch_debug_access *access) { return access->byte / ROW_BYTES * ROW_BYTES; }
static uint64_t last_row(const struct sch_debug_access *access)
{
    return (access->byte + access->bytes - 1) / ROW_BYTES * ROW_BYTES;
}

static void touch_rows(struct sch_cli_trace_memory *memory, const struct accesses *found)
{
    for (uint32_t left = found->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t last = last_row(&found->of[lane]);
        for (uint64_t row = first_row(&found->of[lane]); row <= last; row += ROW_BYTES)
            touch(memory, found->piece[lane], row);
    }
}

/* Those of one piece: where each lane's begins, as eight digits; a byte beyond 32 bits is outside anyway. */
static void put_accesses_of(const struct accesses *found, uint32_t lanes, struct sch_cli_json *json)
{
    const unsigned first = (unsigned)__builtin_ctz(lanes);
    char text[8 * LANES + 1], *at = text;
    sch_cli_json_object(json, NULL, true);
    sch_cli_json_number(json, "piece", found->piece[first]->shown - 1);
    sch_cli_json_hex(json, "lanes", lanes, 8);
    sch_cli_json_number(json, "bytes", found->of[first].bytes);
    if (found->of[first].writes) sch_cli_json_bool(json, "writes", true);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint64_t byte = found->of[__builtin_ctz(left)].byte;
        at += snprintf(at, 9, "%08" PRIx64, byte < UINT32_MAX ? byte : UINT32_MAX);
    }
    sch_cli_json_text(json, "at", text);
    sch_cli_json_close(json);
}

static void put_accesses(const struct accesses *found, struct sch_cli_json *json)
{
    sch_cli_json_list(json, "access", true);
    for (uint32_t left = found->lanes, lanes; left; left &= ~lanes) {
        const struct piece *piece = found->piece[__builtin_ctz(left)];
        lanes = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            if (left >> lane & 1 && found->piece[lane] == piece) lanes |= UINT32_C(1) << lane;
        put_accesses_of(found, lanes, json);
    }
    sch_cli_json_close(json);
}

bool sch_cli_trace_memory_step(struct sch_cli_trace_memory *memory, bool others, struct sch_cli_json *json)
{
    struct accesses found;
    if (!find_pieces(memory)) return true;
    find_accesses(memory, &found);
    touch_rows(memory, &found);
    if (found.lanes) put_accesses(&found, json);
    if (!others && !found.lanes) return !memory->failed;
    sch_cli_json_list(json, "stores", true);
    for (uint32_t left = found.lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t last = last_row(&found.of[lane]);
        for (uint64_t row = first_row(&found.of[lane]); found.of[lane].writes && row <= last; row += ROW_BYTES)
            put_row_changes(memory, found.piece[lane], row, json);
    }
    for (uint32_t n = 0; n < memory->count && others; n++) put_all_changes(memory, &memory->pieces[n], json);
    sch_cli_json_close(json);
    return !memory->failed;
}

/* ---- the end ---- */

static void put_name(const struct sch_debug_piece *is, struct sch_cli_json *json)
{
    static const char *const names[] = {
        [SCH_DEBUG_PIECE_BUFFER] = "BUFFER",      [SCH_DEBUG_PIECE_COUNTERS] = "HWATOMIC",
        [SCH_DEBUG_PIECE_CONSTANTS] = "CONSTBUF", [SCH_DEBUG_PIECE_IMAGE] = "IMAGE",
        [SCH_DEBUG_PIECE_GLOBAL] = "GLOBAL",      [SCH_DEBUG_PIECE_INPUT] = "INPUT",
        [SCH_DEBUG_PIECE_SHARED] = "SHARED",      [SCH_DEBUG_PIECE_PRIVATE] = "PRIVATE"};
    char text[32];
    const bool numbered = is->kind <= SCH_DEBUG_PIECE_IMAGE;
    snprintf(text, sizeof text, numbered ? "%s[%" PRIu32 "]" : "%s", names[is->kind], is->number);
    sch_cli_json_text(json, "name", text);
    if (is->kind == SCH_DEBUG_PIECE_PRIVATE) sch_cli_json_number(json, "lane", is->number);
}

static void put_image(const struct sch_debug_piece *is, struct sch_cli_json *json)
{
    struct sch_format_info format = {.size = sizeof format};
    if (sch_format_get_info(is->format, &format) != SCH_OK) return;
    sch_cli_json_text(json, "format", format.name);
    sch_cli_json_number(json, "texel_bytes", format.block_bytes);
    sch_cli_json_number(json, "width", is->width);
    sch_cli_json_number(json, "row_bytes", is->row_bytes);
    sch_cli_json_number(json, "slice_bytes", is->slice_bytes);
}

static void put_piece(const struct piece *piece, struct sch_cli_json *json)
{
    sch_cli_json_object(json, NULL, true);
    put_name(&piece->is, json);
    sch_cli_json_number(json, "bytes", piece->is.bytes);
    if (piece->is.kind == SCH_DEBUG_PIECE_IMAGE) put_image(&piece->is, json);
    if (!piece->copy) sch_cli_json_bool(json, "too_large", true);
    if (piece->left_out) sch_cli_json_number(json, "left_out", piece->left_out);
    sch_cli_json_list(json, "rows", true);
    for (uint32_t n = 0; n < piece->row_count; n++) {
        sch_cli_json_list(json, NULL, true);
        sch_cli_json_number(json, NULL, piece->rows[n].byte);
        sch_cli_json_text(json, NULL, piece->rows[n].text);
        sch_cli_json_close(json);
    }
    sch_cli_json_close(json);
    sch_cli_json_close(json);
}

void sch_cli_trace_memory_put(const struct sch_cli_trace_memory *memory, struct sch_cli_json *json)
{
    sch_cli_json_list(json, "memory", false);
    for (uint32_t n = 0; n < memory->shown; n++) put_piece(memory->order[n], json);
    sch_cli_json_close(json);
}
