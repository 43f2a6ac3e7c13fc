/* See compare_rows.h. */
#include "compare_rows.h"

#include "../support/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 48,  /* instructions that may differ before both meet again */
    TOGETHER = 2 /* that are the same where they do */
};

/* ---- traces ---- */

struct sch_cli_traced_step *sch_cli_traced_add(struct sch_cli_traced *trace)
{
    struct sch_cli_traced_step *larger = sch_text_grow(trace->list, trace->count, &trace->room, sizeof *larger);
    if (!larger) return NULL;
    trace->list = larger;
    struct sch_cli_traced_step *traced = &trace->list[trace->count++];
    *traced = (struct sch_cli_traced_step){0};
    return traced;
}

bool sch_cli_traced_write(struct sch_cli_traced_step *traced, const struct sch_cli_traced_write *write)
{
    struct sch_cli_traced_write *larger = realloc(traced->writes, (traced->write_count + 1) * sizeof *larger);
    if (!larger) return false;
    traced->writes = larger;
    larger[traced->write_count++] = *write;
    return true;
}

/* Registers may have other names: what counts is the values. Where none are made, it is what was done, with what. */
void sch_cli_traced_settle(struct sch_cli_traced_step *traced, bool alike)
{
    uint64_t key = SCH_HASH_OF_NOTHING;
    const char *text = traced->text + strspn(traced->text, " ");
    traced->opcode = alike ? sch_bytes_hash(key, text, strcspn(text, " ")) : 0;
    for (uint32_t n = 0; n < traced->write_count; n++)
        for (unsigned c = 0; c < 4; c++)
            if (strchr(traced->writes[n].channels, "xyzw"[c]))
                key = sch_bytes_hash(key, &traced->writes[n].words[c], 4);
    if (!traced->write_count && alike) key = sch_bytes_hash(key, text, strcspn(text, " "));
    if (!traced->write_count) key = sch_bytes_hash(key, traced->values, strlen(traced->values));
    traced->key = key;
}

void sch_cli_traced_release(struct sch_cli_traced *trace)
{
    for (uint32_t i = 0; i < trace->count; i++) {
        free(trace->list[i].text);
        free(trace->list[i].values);
        free(trace->list[i].writes);
    }
    free(trace->list);
    *trace = (struct sch_cli_traced){0};
}

/* ---- rows ---- */

static bool same_at(const struct sch_cli_rows *rows, uint32_t a, uint32_t b)
{
    const struct sch_cli_traced *trace = rows->trace;
    return a < trace[0].count && b < trace[1].count && trace[0].list[a].key == trace[1].list[b].key;
}

/* Whether both do the same next, with whatever values. */
static bool has_same_opcode(const struct sch_cli_rows *rows, uint32_t a, uint32_t b)
{
    const struct sch_cli_traced *trace = rows->trace;
    if (a >= trace[0].count || b >= trace[1].count) return false;
    const uint64_t opcode = trace[0].list[a].opcode;
    return opcode && opcode == trace[1].list[b].opcode;
}

/* Whether both continue alike from here: for some instructions, or to both ends. */
static bool meets(const struct sch_cli_rows *rows, uint32_t a, uint32_t b)
{
    for (uint32_t n = 0; n < TOGETHER; n++) {
        if (n && a + n >= rows->trace[0].count && b + n >= rows->trace[1].count) return true;
        if (!same_at(rows, a + n, b + n) && !has_same_opcode(rows, a + n, b + n)) return false;
    }
    return true;
}

static void add_row(struct sch_cli_rows *rows, uint32_t a, uint32_t b, bool same)
{
    if (!same && rows->different == UINT32_MAX) rows->different = rows->count;
    rows->list[rows->count++] = (struct sch_cli_row){{a, b}, same};
}

/* Instructions of both that are not the same, until they meet again; as few as can be. They share rows as long as
 * both have some. */
static void add_apart(struct sch_cli_rows *rows, uint32_t at[2], uint32_t a, uint32_t b)
{
    for (uint32_t n = 0; n < a || n < b; n++)
        add_row(rows, n < a ? at[0] + n : UINT32_MAX, n < b ? at[1] + n : UINT32_MAX, false);
    at[0] += a;
    at[1] += b;
}

/* Another instruction in the place of one is likelier than one more here and one less there. */
static void resume(struct sch_cli_rows *rows, uint32_t at[2])
{
    if (has_same_opcode(rows, at[0], at[1]) || meets(rows, at[0] + 1, at[1] + 1)) {
        add_apart(rows, at, at[0] < rows->trace[0].count, at[1] < rows->trace[1].count);
        return;
    }
    for (uint32_t sum = 1; sum <= AHEAD; sum++)
        for (uint32_t a = 0; a <= sum; a++) {
            if (!meets(rows, at[0] + a, at[1] + sum - a)) continue;
            add_apart(rows, at, a, sum - a);
            return;
        }
    add_apart(rows, at, at[0] < rows->trace[0].count, at[1] < rows->trace[1].count);
}

/* The rows around the first difference; the last ones where there is none. */
static void choose(struct sch_cli_rows *rows)
{
    const uint32_t centre = rows->different == UINT32_MAX ? rows->count : rows->different;
    rows->first = centre > SCH_CLI_ROWS_BEFORE ? centre - SCH_CLI_ROWS_BEFORE : 0;
    rows->end = rows->count - centre > SCH_CLI_ROWS_FROM ? centre + SCH_CLI_ROWS_FROM : rows->count;
}

bool sch_cli_rows_align(const struct sch_cli_traced trace[2], struct sch_cli_rows *rows)
{
    uint32_t at[2] = {0, 0};
    *rows = (struct sch_cli_rows){.trace = trace, .different = UINT32_MAX};
    rows->list = calloc((size_t)trace[0].count + trace[1].count + 1, sizeof *rows->list);
    if (!rows->list) return false;
    while (at[0] < trace[0].count || at[1] < trace[1].count) {
        if (!same_at(rows, at[0], at[1])) {
            resume(rows, at);
            continue;
        }
        add_row(rows, at[0], at[1], true);
        at[0]++;
        at[1]++;
    }
    choose(rows);
    return true;
}

void sch_cli_rows_release(struct sch_cli_rows *rows)
{
    free(rows->list);
    rows->list = NULL;
}

/* ---- as text ---- */

enum { MOMENT = 6, INDENT = 10, MARK = 2, BETWEEN = 3, NARROW = 100 };

/* The lines of a cell: the instruction, then its values, each continued on the next line where the column ends. */
struct cell {
    const char *at;
    bool begun, values;
    const struct sch_cli_traced_step *traced; /* NULL: empty */
};

static struct cell cell_of(const struct sch_cli_rows *rows, uint32_t row, unsigned which)
{
    const uint32_t at = rows->list[row].at[which];
    if (at == UINT32_MAX) return (struct cell){.at = ""};
    const struct sch_cli_traced_step *traced = &rows->trace[which].list[at];
    return (struct cell){.at = traced->text + strspn(traced->text, " "), .traced = traced};
}

/* As much as fits, to the end of a register's values, or else of a word. */
static int fitting(const char *text, int room)
{
    const int length = (int)strlen(text);
    if (length <= room) return length;
    for (int n = room; n > room / 2; n--)
        if (text[n] == ' ' && text[n + 1] == ' ') return n;
    for (int n = room; n > room / 2; n--)
        if (text[n] == ' ' && text[n - 1] != '=' && text[n - 1] != ' ') return n;
    return room;
}

/* The next line of a cell; what is printed has `width` columns where it is `padded`. */
static void put_line(struct cell *cell, int width, bool padded)
{
    if (!*cell->at && cell->traced && !cell->values) {
        cell->values = true;
        cell->at = cell->traced->values + strspn(cell->traced->values, " ");
    }
    int used = 0;
    if (*cell->at) {
        const int indent = cell->begun ? INDENT : MOMENT + 2;
        const int length = fitting(cell->at, width - indent);
        if (cell->begun)
            printf("%*s%.*s", indent, "", length, cell->at);
        else
            printf("%*" PRIu64 "  %.*s", MOMENT, cell->traced->time, length, cell->at);
        used = indent + length;
        cell->at += length;
        cell->at += strspn(cell->at, " ");
    }
    cell->begun = true;
    if (padded && used < width) printf("%*s", width - used, "");
}

/* Whether the rest of a cell is without lines. */
static bool is_done(const struct cell *cell)
{
    if (*cell->at) return false;
    return !cell->traced || cell->values || !cell->traced->values[strspn(cell->traced->values, " ")];
}

static void print_beside(const struct sch_cli_rows *rows, uint32_t row, unsigned columns)
{
    struct cell cells[2] = {cell_of(rows, row, 0), cell_of(rows, row, 1)};
    const int width = (int)(columns - MARK - BETWEEN) / 2;
    const char *mark = rows->list[row].same ? "  " : "> ";
    do {
        fputs(mark, stdout);
        put_line(&cells[0], width, true);
        fputs(is_done(&cells[1]) && cells[1].begun ? " |" : " | ", stdout);
        put_line(&cells[1], width, false);
        putchar('\n');
        mark = "  ";
    } while (!is_done(&cells[0]) || !is_done(&cells[1]));
}

static void print_below(const struct sch_cli_rows *rows, uint32_t row, unsigned columns)
{
    const int width = columns > MARK + INDENT + 20 ? (int)columns - MARK - 2 : 60;
    for (unsigned which = 0; which < 2; which++) {
        struct cell cell = cell_of(rows, row, which);
        const char *mark = rows->list[row].same ? "  " : "> ";
        if (!cell.traced) continue;
        do {
            printf("%s%c ", mark, cell.begun ? ' ' : "AB"[which]);
            put_line(&cell, width, false);
            putchar('\n');
            mark = "  ";
        } while (!is_done(&cell));
    }
}

void sch_cli_rows_print(const struct sch_cli_rows *rows, unsigned columns)
{
    if (rows->first) printf("  (%u rows before)\n", rows->first);
    for (uint32_t row = rows->first; row < rows->end; row++)
        if (columns < NARROW)
            print_below(rows, row, columns);
        else
            print_beside(rows, row, columns);
    if (rows->end < rows->count) printf("  (%u rows after)\n", rows->count - rows->end);
    for (unsigned which = 0; which < 2; which++)
        if (rows->trace[which].cut)
            printf("  (%c continues: these are its first %u)\n", "AB"[which], SCH_CLI_TRACED_MOST);
}

/* ---- as JSON ---- */

static void traced_json(const struct sch_cli_traced_step *traced, const char *key, struct sch_json *json)
{
    if (!traced) {
        sch_json_text(json, key, NULL);
        return;
    }
    sch_json_object(json, key, false);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("time", traced->time), SCH_JSON_NUMBER("line", traced->line),
                    SCH_JSON_TEXT("text", traced->text + strspn(traced->text, " ")));
    sch_json_list(json, "writes", false);
    for (uint32_t n = 0; n < traced->write_count; n++) {
        const struct sch_cli_traced_write *write = &traced->writes[n];
        sch_json_object(json, NULL, true);
        SCH_JSON_FIELDS(json, SCH_JSON_TEXT("register", write->name), SCH_JSON_TEXT("channels", write->channels));
        sch_json_values(json, write->words, write->types);
        sch_json_close(json);
    }
    sch_json_close(json);
    sch_json_close(json);
}

void sch_cli_rows_json(const struct sch_cli_rows *rows, struct sch_json *json)
{
    sch_json_object(json, "traces", false);
    sch_json_list(json, "rows", false);
    for (uint32_t row = rows->first; row < rows->end; row++) {
        sch_json_object(json, NULL, false);
        sch_json_bool(json, "same", rows->list[row].same);
        for (unsigned which = 0; which < 2; which++) {
            const uint32_t at = rows->list[row].at[which];
            traced_json(at == UINT32_MAX ? NULL : &rows->trace[which].list[at], which ? "b" : "a", json);
        }
        sch_json_close(json);
    }
    sch_json_close(json);
    SCH_JSON_FIELDS(json, SCH_JSON_NUMBER("before", rows->first), SCH_JSON_NUMBER("behind", rows->count - rows->end));
    for (unsigned which = 0; which < 2; which++) sch_json_bool(json, which ? "b_cut" : "a_cut", rows->trace[which].cut);
    sch_json_close(json);
}
