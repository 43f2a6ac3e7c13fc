/* See trace_memory.h. Memory has rows of 32 bytes. The page gets a row, as it is before the first step that accesses
 * one of its words, and from each step the words that it changed; so that it grows with what happens, not with what is
 * bound. Nothing but the group's own steps changes memory meanwhile, except at a BARRIER: around that memory is copied,
 * within a limit, and the page gets the rows that other groups have changed, too. What is beyond the limits is
 * named. */
#include "trace_memory.h"

#include "../support/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 32, ROW_BYTES = 32, ROW_WORDS = ROW_BYTES / 4, ROW_TEXT = 8 * ROW_WORDS + 1 };
enum { MOST_PIECES = 256, MOST_ROWS = 16384, MOST_COPIED = 64 << 20 };
#define LEFT_OUT UINT32_MAX

/* On the page. */
struct row {
    uint64_t byte;
    char text[ROW_TEXT]; /* at first */
    uint8_t now[ROW_BYTES];
};

struct piece {
    struct sch_debug_piece is;
    uint32_t shown;   /* its number on the page, from 1; 0: it is not there */
    uint32_t *number; /* of each row, from 1, in `rows`; 0: not on the page, LEFT_OUT: never; NULL: none is */
    struct row *rows;
    uint32_t row_count, capacity, left_out;
    uint8_t *copy;  /* at a BARRIER; NULL: none */
    bool too_large; /* for that */
};

/* What the lanes of a step access. */
struct accesses {
    uint32_t lanes;
    struct piece *piece[LANES];
    struct sch_debug_access of[LANES];
};

struct sch_cli_trace_memory {
    const struct sch_debug *debug;
    struct piece pieces[MOST_PIECES];
    uint32_t count, shown, rows;
    struct piece *order[MOST_PIECES]; /* those that are shown */
    struct accesses accesses;         /* of the step that comes */
    bool waits;                       /* it is a BARRIER */
    bool failed;                      /* no memory */
};

/* ---- pieces ---- */

void sch_cli_trace_memory_end(struct sch_cli_trace_memory *memory)
{
    for (uint32_t n = 0; memory && n < memory->count; n++) {
        free(memory->pieces[n].number);
        free(memory->pieces[n].rows);
        free(memory->pieces[n].copy);
    }
    free(memory);
}

struct sch_cli_trace_memory *sch_cli_trace_memory_begin(const struct sch_debug *debug)
{
    struct sch_cli_trace_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    memory->debug = debug;
    for (; memory->count < MOST_PIECES; memory->count++) {
        struct sch_debug_piece *is = &memory->pieces[memory->count].is;
        is->size = sizeof *is;
        if (!sch_debug_piece_at(debug, memory->count, is)) break;
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

static void show_piece(struct sch_cli_trace_memory *memory, struct piece *piece)
{
    if (piece->shown) return;
    memory->order[memory->shown++] = piece;
    piece->shown = memory->shown;
}

/* ---- rows ---- */

/* How many bytes the piece has of a row that begins at `byte`. */
static size_t row_bytes(const struct piece *piece, uint64_t byte)
{
    const uint64_t left = piece->is.bytes - byte;
    return left < ROW_BYTES ? (size_t)left : ROW_BYTES;
}

static uint32_t row_word(const uint8_t data[ROW_BYTES], uint32_t w)
{
    uint32_t word;
    memcpy(&word, data + 4 * w, sizeof word);
    return word;
}

static void spell_row(const uint8_t data[ROW_BYTES], uint32_t first, uint32_t end, char text[ROW_TEXT])
{
    *text = 0;
    for (uint32_t w = first; w < end; w++) snprintf(text + 8 * (w - first), 9, "%08" PRIx32, row_word(data, w));
}

static uint32_t words_of(const struct piece *piece, uint64_t byte)
{
    return (uint32_t)(row_bytes(piece, byte) + 3) / 4;
}

/* Bytes of the last word that are after the piece's end are 0. */
static bool add_row(struct piece *piece, uint64_t byte, const uint8_t *data)
{
    struct row *grown = sch_text_grow(piece->rows, piece->row_count, &piece->capacity, sizeof *grown);
    if (!grown) return false;
    piece->rows = grown;
    struct row *row = &piece->rows[piece->row_count++];
    *row = (struct row){.byte = byte};
    memcpy(row->now, data + byte, row_bytes(piece, byte));
    spell_row(row->now, 0, words_of(piece, byte), row->text);
    return true;
}

/* The row that begins at `byte`; if it is new, it was as `data` has it. NULL: the page does not have it. */
static struct row *take_row(struct sch_cli_trace_memory *memory, struct piece *piece, uint64_t byte, const void *data)
{
    show_piece(memory, piece);
    if (byte >= piece->is.bytes || memory->failed) return NULL;
    if (!piece->number) piece->number = calloc((size_t)(piece->is.bytes / ROW_BYTES + 1), sizeof *piece->number);
    memory->failed = !piece->number;
    if (memory->failed) return NULL;
    uint32_t *number = &piece->number[byte / ROW_BYTES];
    if (!*number && memory->rows == MOST_ROWS) {
        *number = LEFT_OUT;
        piece->left_out++;
    }
    if (!*number) {
        memory->failed = !add_row(piece, byte, data);
        memory->rows++;
        *number = piece->row_count;
    }
    return *number == LEFT_OUT || memory->failed ? NULL : &piece->rows[*number - 1];
}

/* From the first word of a row that is another one now to the last. */
static void put_row_changes(const struct piece *piece, struct row *row, struct sch_json *json)
{
    uint8_t data[ROW_BYTES] = {0};
    uint32_t first = ROW_WORDS, end = 0;
    char text[ROW_TEXT];
    memcpy(data, (const uint8_t *)piece->is.data + row->byte, row_bytes(piece, row->byte));
    for (uint32_t w = 0; w < ROW_WORDS; w++) {
        if (row_word(data, w) == row_word(row->now, w)) continue;
        if (first == ROW_WORDS) first = w;
        end = w + 1;
    }
    if (!end) return;
    memcpy(row->now, data, sizeof data);
    spell_row(data, first, end, text);
    sch_json_list(json, NULL, true);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER(NULL, piece->shown - 1),
                    SCH_JSON_NUMBER(NULL, row->byte + (uint64_t)4 * first), SCH_JSON_TEXT(NULL, text));
    sch_json_close(json);
}

/* ---- BARRIERs ---- */

/* Pieces that are too large are looked at row by row, in those that the page has. */
static void copy_pieces(struct sch_cli_trace_memory *memory)
{
    uint64_t copied = 0;
    for (uint32_t n = 0; n < memory->count && !memory->failed; n++) {
        struct piece *piece = &memory->pieces[n];
        piece->too_large = piece->is.bytes > MOST_COPIED - copied;
        if (piece->too_large) continue;
        copied += piece->is.bytes;
        if (!piece->copy) piece->copy = malloc((size_t)piece->is.bytes);
        memory->failed = !piece->copy;
        if (piece->copy) memcpy(piece->copy, piece->is.data, (size_t)piece->is.bytes);
    }
}

/* Takes the rows that others have changed, as they were. */
static void take_changed(struct sch_cli_trace_memory *memory, struct piece *piece)
{
    const uint8_t *now = piece->is.data;
    if (!piece->copy || memcmp(piece->copy, now, (size_t)piece->is.bytes) == 0) return;
    for (uint64_t byte = 0; byte < piece->is.bytes; byte += ROW_BYTES)
        if (memcmp(piece->copy + byte, now + byte, row_bytes(piece, byte)) != 0)
            take_row(memory, piece, byte, piece->copy);
}

static void put_others(struct sch_cli_trace_memory *memory, struct sch_json *json)
{
    for (uint32_t n = 0; n < memory->count; n++) {
        struct piece *piece = &memory->pieces[n];
        take_changed(memory, piece);
        for (uint32_t r = 0; r < piece->row_count; r++) put_row_changes(piece, &piece->rows[r], json);
    }
}

/* ---- accesses ---- */

static struct piece *find_piece(struct sch_cli_trace_memory *memory, const struct sch_debug_access *access)
{
    for (uint32_t n = 0; n < memory->count; n++) {
        const struct sch_debug_piece *is = &memory->pieces[n].is;
        if (is->kind == access->kind && is->number == access->number) return &memory->pieces[n];
    }
    return NULL;
}

static void find_accesses(struct sch_cli_trace_memory *memory)
{
    struct accesses *found = &memory->accesses;
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

bool sch_cli_trace_memory_look(struct sch_cli_trace_memory *memory, bool waits)
{
    const struct accesses *found = &memory->accesses;
    memory->waits = waits;
    memory->accesses.lanes = 0;
    if (!find_pieces(memory)) return true;
    if (waits) copy_pieces(memory);
    if (!waits) find_accesses(memory);
    for (uint32_t left = found->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t last = last_row(&found->of[lane]);
        for (uint64_t row = first_row(&found->of[lane]); row <= last; row += ROW_BYTES)
            take_row(memory, found->piece[lane], row, found->piece[lane]->is.data);
    }
    return !memory->failed;
}

/* Those of one piece: where each lane's begins, as eight digits; a byte beyond 32 bits is outside anyway. */
static void put_accesses_of(const struct accesses *found, uint32_t lanes, struct sch_json *json)
{
    const unsigned first = (unsigned)__builtin_ctz(lanes);
    char text[8 * LANES + 1], *at = text;
    sch_json_object(json, NULL, true);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("piece", found->piece[first]->shown - 1), SCH_JSON_WORD("lanes", lanes),
                    SCH_JSON_NUMBER("bytes", found->of[first].bytes));
    if (found->of[first].writes) sch_json_bool(json, "writes", true);
    for (uint32_t left = lanes; left; left &= left - 1) {
        const uint64_t byte = found->of[__builtin_ctz(left)].byte;
        at += snprintf(at, 9, "%08" PRIx64, byte < UINT32_MAX ? byte : UINT32_MAX);
    }
    sch_json_text(json, "at", text);
    sch_json_close(json);
}

static void put_accesses(const struct accesses *found, struct sch_json *json)
{
    sch_json_list(json, "access", true);
    for (uint32_t left = found->lanes, lanes; left; left &= ~lanes) {
        const struct piece *piece = found->piece[__builtin_ctz(left)];
        lanes = 0;
        for (unsigned lane = 0; lane < LANES; lane++)
            if (left >> lane & 1 && found->piece[lane] == piece) lanes |= UINT32_C(1) << lane;
        put_accesses_of(found, lanes, json);
    }
    sch_json_close(json);
}

static void put_stores(struct sch_cli_trace_memory *memory, struct sch_json *json)
{
    const struct accesses *found = &memory->accesses;
    for (uint32_t left = found->lanes; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        struct piece *piece = found->piece[lane];
        const uint64_t last = last_row(&found->of[lane]);
        for (uint64_t byte = first_row(&found->of[lane]); found->of[lane].writes && byte <= last; byte += ROW_BYTES) {
            struct row *row = take_row(memory, piece, byte, piece->is.data);
            if (row) put_row_changes(piece, row, json);
        }
    }
}

bool sch_cli_trace_memory_step(struct sch_cli_trace_memory *memory, struct sch_json *json)
{
    const struct accesses *found = &memory->accesses;
    if ((!found->lanes && !memory->waits) || !find_pieces(memory)) return true;
    if (found->lanes) put_accesses(found, json);
    sch_json_list(json, "stores", true);
    put_stores(memory, json);
    if (memory->waits) put_others(memory, json);
    sch_json_close(json);
    return !memory->failed;
}

/* ---- the end ---- */

static void put_name(const struct sch_debug_piece *is, struct sch_json *json)
{
    static const char *const names[] = {
        [SCH_DEBUG_PIECE_BUFFER] = "BUFFER",      [SCH_DEBUG_PIECE_COUNTERS] = "HWATOMIC",
        [SCH_DEBUG_PIECE_CONSTANTS] = "CONSTBUF", [SCH_DEBUG_PIECE_IMAGE] = "IMAGE",
        [SCH_DEBUG_PIECE_GLOBAL] = "GLOBAL",      [SCH_DEBUG_PIECE_INPUT] = "INPUT",
        [SCH_DEBUG_PIECE_SHARED] = "SHARED",      [SCH_DEBUG_PIECE_PRIVATE] = "PRIVATE",
        [SCH_DEBUG_PIECE_RANGE] = "RANGE"};
    char text[32];
    const bool numbered = is->kind <= SCH_DEBUG_PIECE_IMAGE || is->kind == SCH_DEBUG_PIECE_RANGE;
    snprintf(text, sizeof text, numbered ? "%s[%" PRIu32 "]" : "%s", names[is->kind], is->number);
    sch_json_text(json, "name", text);
    if (is->kind == SCH_DEBUG_PIECE_PRIVATE) sch_json_number(json, "lane", is->number);
}

static void put_image(const struct sch_debug_piece *is, struct sch_json *json)
{
    struct sch_format_info format = {.size = sizeof format};
    if (sch_format_get_info(is->format, &format) != SCH_OK) return;
    SCH_JSON_FIELDS(json, SCH_JSON_TEXT("format", format.name), SCH_JSON_NUMBER("texel_bytes", format.block_bytes),
                    SCH_JSON_NUMBER("width", is->width), SCH_JSON_NUMBER("row_bytes", is->row_bytes),
                    SCH_JSON_NUMBER("slice_bytes", is->slice_bytes));
}

static void put_piece(const struct piece *piece, struct sch_json *json)
{
    sch_json_object(json, NULL, true);
    put_name(&piece->is, json);
    sch_json_number(json, "bytes", piece->is.bytes);
    if (piece->is.kind == SCH_DEBUG_PIECE_IMAGE) put_image(&piece->is, json);
    if (piece->too_large) sch_json_bool(json, "too_large", true);
    if (piece->left_out) sch_json_number(json, "left_out", piece->left_out);
    sch_json_list(json, "rows", true);
    for (uint32_t n = 0; n < piece->row_count; n++) {
        sch_json_list(json, NULL, true);
        SCH_JSON_FIELDS(json, SCH_JSON_NUMBER(NULL, piece->rows[n].byte), SCH_JSON_TEXT(NULL, piece->rows[n].text));
        sch_json_close(json);
    }
    sch_json_close(json);
    sch_json_close(json);
}

void sch_cli_trace_memory_put(const struct sch_cli_trace_memory *memory, struct sch_json *json)
{
    sch_json_list(json, "memory", false);
    for (uint32_t n = 0; n < memory->shown; n++) put_piece(memory->order[n], json);
    sch_json_close(json);
}
