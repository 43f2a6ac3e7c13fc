/* See panes.h. Each pane is drawn into a part of the screen, line by line; what does not fit is left out. */
#include "panes.h"

#include <curses.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "value.h"

enum { LEAST_COLUMNS = 40, LEAST_ROWS = 12, MASK_COLUMNS = 27, VALUE_COLUMNS = 11, NAME_COLUMNS = 8, LINE_BYTES = 512 };

struct pane {
    int row, column, rows, columns;
};

/* A line of a pane, filled up with blanks; characters that a terminal would take for commands become question marks. */
static void put(const struct pane *pane, int row, int look, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void put(const struct pane *pane, int row, int look, const char *format, ...)
{
    char text[LINE_BYTES];
    va_list arguments;
    if (row < 0 || row >= pane->rows) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20 || (unsigned char)*at >= 0x7f) *at = '?';
    attrset(look);
    mvprintw(pane->row + row, pane->column, "%-*.*s", pane->columns, pane->columns, text);
    attrset(A_NORMAL);
}

static int look_of(const struct sch_debugger_screen *screen, enum sch_debugger_focus focus)
{
    return screen->focus == focus ? A_REVERSE | A_BOLD : A_REVERSE;
}

/* ---- the text ---- */

static const struct sch_debugger_text_lines *text_of(const struct sch_debugger_screen *screen)
{
    return screen->shows_program ? &screen->program : &screen->source;
}

static const uint32_t *lines_of(const struct sch_debugger_screen *screen)
{
    return screen->shows_program ? screen->lines.program : screen->lines.source;
}

uint32_t sch_debugger_current_line(const struct sch_debugger_screen *screen)
{
    const uint32_t at = screen->stop.instruction;
    const uint32_t line = at < screen->lines.count ? lines_of(screen)[at] : 0;
    return line ? line - 1 : 0;
}

uint32_t sch_debugger_mark_at(const struct sch_debugger_screen *screen, uint32_t line)
{
    for (uint32_t i = 0; i < screen->mark_count; i++) {
        const struct sch_debug_breakpoint *mark = &screen->marks[i];
        const bool of_line = mark->kind == SCH_DEBUG_BREAK_LINE;
        if (of_line && !screen->shows_program && mark->number == line + 1) return i;
        if (!of_line && screen->shows_program && screen->lines.program[mark->number] == line + 1) return i;
    }
    return UINT32_MAX;
}

/* Tabs become blanks. */
static void copy_line(const struct sch_debugger_text_lines *text, uint32_t line, char copy[LINE_BYTES])
{
    size_t at = 0;
    for (const char *from = text->begin[line]; from < text->begin[line + 1] && at + 9 < LINE_BYTES; from++) {
        if (*from == '\n' || *from == '\r') break;
        if (*from != '\t') copy[at++] = *from;
        for (bool more = *from == '\t'; more; more = at % 8 != 0) copy[at++] = ' ';
    }
    copy[at] = 0;
}

static void draw_text(const struct sch_debugger_screen *screen, const struct pane *pane)
{
    const struct sch_debugger_text_lines *text = text_of(screen);
    const uint32_t rows = pane->rows > 1 ? (uint32_t)pane->rows - 1 : 0, current = sch_debugger_current_line(screen);
    const uint32_t most = text->count > rows ? text->count - rows : 0;
    uint32_t first = screen->cursor > rows / 2 ? screen->cursor - rows / 2 : 0;
    if (first > most) first = most;
    put(pane, 0, look_of(screen, SCH_DEBUGGER_ON_TEXT), " %s: %s", screen->shows_program ? "Program" : "Source",
        screen->subject->name);
    for (uint32_t row = 0; row < rows && first + row < text->count; row++) {
        const uint32_t line = first + row;
        char copy[LINE_BYTES];
        copy_line(text, line, copy);
        put(pane, (int)row + 1, line == screen->cursor ? A_BOLD : A_NORMAL, "%c%c%4" PRIu32 " %s",
            sch_debugger_mark_at(screen, line) == UINT32_MAX ? ' ' : '*', line == current ? '>' : ' ', line + 1, copy);
    }
}

/* ---- registers ---- */

/* Beside the source only its own registers are shown. */
static bool is_shown(const struct sch_debugger_screen *screen, const struct sch_debug_register *which)
{
    char name[SCH_DEBUGGER_NAME_BYTES];
    return screen->shows_program || sch_debugger_shown_name(screen->subject, which, name);
}

uint32_t sch_debugger_register_count(const struct sch_debugger_screen *screen)
{
    struct sch_debug_register at;
    uint32_t count = 0;
    for (uint32_t n = 0; sch_debugger_target_register_at(screen->subject->target, n, &at); n++)
        count += is_shown(screen, &at);
    return count;
}

/* Bits of the register's channels that the last instruction wrote in the lane. */
static uint32_t changed(const struct sch_debugger_screen *screen, const struct sch_debug_register *which)
{
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debugger_target_change_at(screen->subject->target, n, &change); n++)
        if (change.which.file == which->file && change.which.dimension == which->dimension &&
            change.which.index == which->index && change.lanes >> screen->lane & 1)
            return change.channels;
    return 0;
}

/* Narrow: floats of five digits; all digits are after the format's key, as bits. */
static void print_narrow(const struct sch_debugger_screen *screen, uint32_t bits, enum sch_debugger_type type,
                         char text[SCH_DEBUGGER_VALUE_BYTES])
{
    float number;
    sch_debugger_value(screen->subject, bits, screen->format ? screen->format : type, text);
    if (strlen(text) < VALUE_COLUMNS) return;
    memcpy(&number, &bits, sizeof number);
    snprintf(text, SCH_DEBUGGER_VALUE_BYTES, "%.3e", (double)number);
}

static void draw_register(const struct sch_debugger_screen *screen, const struct pane *pane, int row,
                          const struct sch_debug_register *which)
{
    uint32_t words[4][SCH_DEBUGGER_LANES];
    enum sch_debugger_type types[4];
    char name[SCH_DEBUGGER_NAME_BYTES];
    const uint32_t written = changed(screen, which);
    if (screen->shows_program)
        sch_debugger_register_name(which, screen->subject->several_vertices, name);
    else
        sch_debugger_shown_name(screen->subject, which, name);
    put(pane, row, written ? A_BOLD : A_NORMAL, "%s", name);
    if (sch_debugger_target_read(screen->subject->target, which, words) != SCH_OK) return;
    screen->subject->types(screen->subject->user, which, types);
    const int names = strlen(name) < NAME_COLUMNS ? NAME_COLUMNS : (int)strlen(name) + 1;
    for (int c = 0; c < (int)screen->subject->target->components; c++) {
        const struct pane cell = {pane->row, pane->column + names + c * VALUE_COLUMNS, pane->rows, VALUE_COLUMNS - 1};
        char value[SCH_DEBUGGER_VALUE_BYTES];
        if (cell.column + cell.columns > pane->column + pane->columns) return;
        print_narrow(screen, words[c][screen->lane], types[c], value);
        put(&cell, row, written >> c & 1 ? A_BOLD : A_NORMAL, "%10s", value);
    }
}

static void draw_registers(const struct sch_debugger_screen *screen, const struct pane *pane)
{
    static const char *const formats[] = {"as used", "float", "int", "uint", "hex"};
    struct sch_debug_register which;
    put(pane, 0, look_of(screen, SCH_DEBUGGER_ON_REGISTERS), " Registers of lane %" PRIu32 " (%s)", screen->lane,
        formats[screen->format]);
    uint32_t skipped = 0;
    int row = 1;
    for (uint32_t n = 0; row < pane->rows && sch_debugger_target_register_at(screen->subject->target, n, &which); n++) {
        if (!is_shown(screen, &which)) continue;
        if (skipped++ >= screen->first_register) draw_register(screen, pane, row++, &which);
    }
}

/* ---- masks and memory ---- */

static void draw_masks(const struct sch_debugger_screen *screen, const struct pane *pane)
{
    static const char *const kinds[] = {"IF", "LOOP", "SWITCH", "CAL"};
    const struct sch_debug_stop *stop = &screen->stop;
    put(pane, 0, A_REVERSE, " Masks");
    put(pane, 1, A_NORMAL, "active  %08" PRIx32 "%s", stop->active, stop->active >> screen->lane & 1 ? "" : " waits");
    put(pane, 2, A_NORMAL, "present %08" PRIx32, stop->present);
    put(pane, 3, A_NORMAL, "helpers %08" PRIx32, stop->helpers);
    for (uint32_t depth = stop->depth; depth > 0; depth--) {
        struct sch_debug_frame frame = {.size = sizeof frame};
        if (sch_debugger_target_get_frame(screen->subject->target, depth - 1, &frame) != SCH_OK) return;
        const int row = 4 + (int)(stop->depth - depth);
        if (frame.entry)
            put(pane, row, A_NORMAL, "%-6s %08" PRIx32 " to %" PRIu32, sch_debugger_entry_name(frame.entry),
                frame.resume, frame.target);
        else
            put(pane, row, A_NORMAL, "%-6s %08" PRIx32 " %08" PRIx32, kinds[frame.kind], frame.resume, frame.waiting);
    }
}

static const uint8_t *memory_of(const struct sch_debugger_screen *screen, const char **name, size_t *bytes)
{
    const uint8_t *memory = sch_debugger_target_shared_memory(screen->subject->target, bytes);
    *name = "shared";
    if (memory) return memory;
    *name = "private";
    return sch_debugger_target_private_memory(screen->subject->target, screen->lane, bytes);
}

uint32_t sch_debugger_word_count(const struct sch_debugger_screen *screen)
{
    const char *name;
    size_t bytes;
    return memory_of(screen, &name, &bytes) ? (uint32_t)(bytes / 4) : 0;
}

/* What the last instruction has looked up in the lane, if it was a lookup: a texel a line. */
static bool draw_lookup(const struct sch_debugger_screen *screen, const struct pane *pane)
{
    struct sch_explanation *explanation;
    struct sch_explanation_info info = {.size = sizeof info};
    struct sch_footprint_texel texel = {.size = sizeof texel};
    if (sch_debugger_target_explain(screen->subject->target, screen->lane, &explanation) != SCH_OK) return false;
    sch_explanation_get_info(explanation, &info);
    put(pane, 0, A_REVERSE, " Lookup: lod %.4g, %" PRIu32 " texels", (double)info.lod, info.texel_count);
    for (uint32_t n = 0; (int)n + 1 < pane->rows && sch_explanation_texel(explanation, n, &texel); n++)
        put(pane, (int)n + 1, A_NORMAL, "%" PRIu32 ": %" PRIu32 ",%" PRIu32 ",%" PRIu32 " %s%.4g", texel.level, texel.x,
            texel.y, texel.z, texel.border ? "border " : "", (double)texel.weight);
    sch_explanation_destroy(explanation);
    return true;
}

static void draw_memory(const struct sch_debugger_screen *screen, const struct pane *pane)
{
    const char *name;
    size_t bytes;
    if (draw_lookup(screen, pane)) return;
    const uint8_t *memory = memory_of(screen, &name, &bytes);
    put(pane, 0, look_of(screen, SCH_DEBUGGER_ON_MEMORY), " Memory: %s", memory ? name : "none");
    for (int row = 1; memory && row < pane->rows; row++) {
        const size_t at = 4 * ((size_t)screen->first_word + 2 * ((size_t)row - 1));
        uint32_t words[2] = {0, 0};
        if (at + 4 > bytes) return;
        memcpy(words, memory + at, bytes - at < 8 ? 4 : 8);
        if (bytes - at < 8)
            put(pane, row, A_NORMAL, "%6zx %08" PRIx32, at, words[0]);
        else
            put(pane, row, A_NORMAL, "%6zx %08" PRIx32 " %08" PRIx32, at, words[0], words[1]);
    }
}

/* ---- all of it ---- */

static void draw_ends(const struct sch_debugger_screen *screen, const struct pane *whole)
{
    static const char *const keys[] = {"s step  n over  o out  b back  r run  R run back  p breakpoint  q quit",
                                       "<- -> lane  f format  t text  e events  Tab pane  up down scroll"};
    char lane[120];
    sch_debugger_lane_name(screen->subject, screen->lane, lane);
    if (screen->stop.ended)
        put(whole, 0, A_BOLD, "The run has ended: %s.", sch_result_text(screen->stop.result));
    else
        put(whole, 0, A_BOLD, "%s  moment %" PRIu64 "%s%s", lane, screen->stop.time,
            screen->event ? "  stops at: " : "", screen->event ? screen->event->title : "");
    put(whole, whole->rows - 2, A_REVERSE, "%s", keys[0]);
    put(whole, whole->rows - 1, A_REVERSE, "%s", keys[1]);
}

void sch_debugger_draw_message(const struct sch_debugger_screen *screen)
{
    const struct pane whole = {0, 0, LINES, COLS};
    put(&whole, LINES - 3, A_NORMAL, "%s", screen->message);
    refresh();
}

void sch_debugger_draw(const struct sch_debugger_screen *screen)
{
    const struct pane whole = {0, 0, LINES, COLS};
    erase();
    if (LINES < LEAST_ROWS || COLS < LEAST_COLUMNS) {
        put(&whole, 0, A_BOLD, "40 x 12 at least; q quits");
        refresh();
        return;
    }
    const int rows = LINES - 4, above = rows * 9 / 20 + 1, below = rows - above, masks = 4 + (int)screen->stop.depth;
    const bool narrow = COLS < 2 * MASK_COLUMNS;
    const int left = narrow ? COLS : COLS - MASK_COLUMNS, half = masks < below / 2 ? masks : below / 2 + 1;
    draw_text(screen, &(struct pane){1, 0, above, COLS});
    if (!screen->stop.ended) {
        draw_registers(screen, &(struct pane){1 + above, 0, below, left - !narrow});
        if (!narrow) draw_masks(screen, &(struct pane){1 + above, left, half, MASK_COLUMNS});
        if (!narrow) draw_memory(screen, &(struct pane){1 + above + half, left, below - half, MASK_COLUMNS});
    }
    draw_ends(screen, &whole);
    sch_debugger_draw_message(screen);
}
