/* Mesa 22.3's interpreter beside ours, row by row: every result of its table is equal to ours, or differs in a way that
 * mesa_exceptions.c lists with its reason. Independently of the peer, every result of ours must be the oracle's.
 *
 * The table is not part of the repository: SCH_SHARED names the folder that has it; an argument names another such
 * table. Without one the test is skipped. */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesa_exceptions.h"
#include "opcode_runner.h"

enum { MAX_ROWS = 16384 };

/* ---- the table ---- */

static struct row *rows;
static unsigned row_count;
static bool other_table; /* named by an argument */

static bool parse_words(const char *field, uint32_t word[4], unsigned *written)
{
    *written = 0;
    for (unsigned c = 0; c < 4; c++) {
        const char *end = strchr(field, ',');
        if (!end == (c < 3)) return false;
        if (strncmp(field, "unwritten", 9) != 0) {
            char *stop;
            word[c] = (uint32_t)strtoul(field, &stop, 16);
            if (stop != field + 8) return false;
            *written |= 1u << c;
        }
        field = end ? end + 1 : field;
    }
    return true;
}

static bool parse_row(char *line, struct row *row)
{
    char *field[8];
    line[strcspn(line, "\n")] = 0;
    for (unsigned i = 0; i < 8; i++) {
        field[i] = line;
        line = strchr(line, '\t');
        if (!line != (i == 7)) return false;
        if (line) *line++ = 0;
    }
    if (strlen(field[0]) >= sizeof row->opcode || strlen(field[1]) >= sizeof row->instruction) return false;
    strcpy(row->opcode, field[0]);
    strcpy(row->instruction, field[1]);
    unsigned all;
    for (unsigned i = 0; i < RUN_SOURCES; i++)
        if (strcmp(field[2 + i], "-") != 0 && !parse_words(field[2 + i], row->source[i], &all)) return false;
    row->signal = strcmp(field[6], "SIGFPE") == 0;
    if (row->signal) return true;
    if (!parse_words(field[6], row->peer[0], &row->written[0])) return false;
    return strcmp(field[7], "-") == 0 || parse_words(field[7], row->peer[1], &row->written[1]);
}

static bool load_table(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) return false;
    rows = calloc(MAX_ROWS, sizeof *rows);
    char line[1024];
    for (unsigned number = 1; rows && fgets(line, sizeof line, file); number++) {
        if (line[0] == '#' || strncmp(line, "opcode\t", 7) == 0) continue;
        if (row_count == MAX_ROWS || !parse_row(line, &rows[row_count])) {
            printf("# %s:%u: not a row\n", path, number);
            row_count = 0;
            break;
        }
        rows[row_count++].line = number;
    }
    fclose(file);
    return row_count > 0;
}

/* ---- what we expect of a row: modifiers and swizzles, the oracle, saturate and the write mask ---- */

struct operand {
    bool negate, absolute;
    unsigned swizzle[4];
};

static unsigned channel_of(char c) { return c == 'w' ? 3 : (unsigned)(c - 'x'); }

/* One source: -|IN[n].wzyx|, with or without any of its parts. */
static const char *parse_operand(const char *text, unsigned *number, struct operand *operand)
{
    *operand = (struct operand){false, false, {0, 1, 2, 3}};
    while (*text == ' ' || *text == ',') text++;
    if (*text == '-') operand->negate = true, text++;
    if (*text == '|') operand->absolute = true, text++;
    if (strncmp(text, "IN[", 3) != 0) return NULL;
    *number = (unsigned)(text[3] - '0');
    text += 5;
    if (*text == '.') {
        for (unsigned c = 0; c < 4; c++) operand->swizzle[c] = channel_of(text[1 + c]);
        text += 5;
    }
    return *text == '|' ? text + 1 : text;
}

static void modify(char type, const struct operand *operand, uint32_t word[4])
{
    bool wide = value_is_wide(type), is_float = type == 'F' || type == 'X' || type == 'D';
    if (!operand->negate && !operand->absolute) return;
    for (unsigned c = 0; c < 4; c += wide ? 2 : 1) {
        union value v = {.q = word[c] | (wide ? (uint64_t)word[c + 1] << 32 : 0)};
        uint64_t sign = wide ? (uint64_t)1 << 63 : 0x80000000;
        if (operand->absolute) v.q &= ~sign;
        if (operand->negate) v.q = is_float ? v.q ^ sign : 0 - v.q;
        v = value_canonical(type == 'X' ? 'F' : type, v);
        word[c] = v.u;
        if (wide) word[c + 1] = (uint32_t)(v.q >> 32);
    }
}

static void saturate(char type, struct expectation *expected)
{
    bool wide = value_is_wide(type);
    for (unsigned c = 0; c < 4; c += wide ? 2 : 1) {
        uint32_t *word = &expected->word[0][c];
        union value v = {.q = word[0] | (wide ? (uint64_t)word[1] << 32 : 0)};
        if (wide)
            v.d = v.d != v.d ? 0.0 : v.d < 0 ? 0.0 : v.d > 1 ? 1.0 : v.d;
        else
            v.f = v.f != v.f ? 0.0f : v.f < 0 ? 0.0f : v.f > 1 ? 1.0f : v.f;
        word[0] = v.u;
        if (wide) word[1] = (uint32_t)(v.q >> 32);
    }
}

static bool analyse(const struct row *row, struct analysis *a)
{
    a->oracle = oracle_find(row->opcode);
    if (!a->oracle) return false;
    char first[MAX_INSTRUCTION];
    strcpy(first, row->instruction);
    const char *rest = row->instruction + strcspn(first, " ");
    first[strcspn(first, " ")] = 0;
    a->saturates = strstr(first, "_SAT") != NULL;
    unsigned rules = strstr(first, "_PRECISE") ? RULE_PRECISE : 0;
    const char *text = strstr(rest, "IN[");
    while (text > rest && (text[-1] == '-' || text[-1] == '|')) text--;
    memset(a->source, 0, sizeof a->source);
    for (unsigned i = 0; i < oracle_sources(a->oracle); i++) {
        struct operand operand;
        unsigned number;
        text = text ? parse_operand(text, &number, &operand) : NULL;
        if (!text) return false;
        for (unsigned c = 0; c < 4; c++) a->source[i][c] = row->source[number][operand.swizzle[c]];
        modify(oracle_source_type(a->oracle, i), &operand, a->source[i]);
    }
    oracle_evaluate(a->oracle, rules, (const uint32_t(*)[4])a->source, &a->ours);
    if (a->saturates) saturate(a->oracle->signature[0] == 'D' ? 'D' : 'F', &a->ours);
    const char *mask = strstr(rest, "TEMP[0].");
    if (!mask) return true;
    unsigned bits = 0;
    for (mask += 8; *mask && strchr("xyzw", *mask); mask++) bits |= 1u << channel_of(*mask);
    a->ours.written[0] &= bits;
    return true;
}

/* ---- comparing ---- */

static union value view(char type, const uint32_t word[4], unsigned c)
{
    return (union value){.q = word[c] | (value_is_wide(type) ? (uint64_t)word[c + 1] << 32 : 0)};
}

/* The source's value for channel (or pair) c of the result. */
static union value source_value(const struct oracle *oracle, const uint32_t source[RUN_SOURCES][4], unsigned i,
                                unsigned c)
{
    char type = oracle_source_type(oracle, i);
    switch (oracle->shape) {
    case SHAPE_REPL:
    case SHAPE_UNPACK:
        return view(type, source[i], 0);
    case SHAPE_WIDEN64:
        return view(type, source[i], c / 2);
    case SHAPE_NARROW64:
        return view(type, source[i], 2 * c);
    case SHAPE_FRACEXP:
        return view(type, source[i], 0);
    default:
        return view(type, source[i], c);
    }
}

static unsigned equal_rows, excepted_rows, different_rows;

static bool excepted(struct difference *d)
{
    for (unsigned i = 0; i < exception_count; i++) {
        struct exception *e = &exceptions[i];
        char name[20];
        snprintf(name, sizeof name, " %s ", d->row->opcode);
        if (e->opcodes && !strstr(e->opcodes, name)) continue;
        if (!e->covers(d)) continue;
        e->uses++;
        return true;
    }
    return false;
}

static void print_words(const char *what, const uint32_t word[4])
{
    printf(" %s %08x,%08x,%08x,%08x", what, word[0], word[1], word[2], word[3]);
}

static void report(const struct row *row, const char *what, const uint32_t ours[2][4], const uint32_t want[4])
{
    printf("# line %u: %s: %s:", row->line, row->instruction, what);
    for (unsigned i = 0; i < RUN_SOURCES; i++) print_words("IN", row->source[i]);
    print_words("; ours", ours[0]);
    print_words("; expected", want);
    printf("\n");
}

/* Our own result, whatever the peer has. */
static bool ours_is_right(const struct row *row, const struct analysis *a, const uint32_t ours[2][4])
{
    bool right = expectation_holds(&a->ours, ours[0]);
    for (unsigned d = 0; d < 2; d++) {
        for (unsigned c = 0; c < 4; c++) {
            bool written = a->ours.written[d] & 1u << c;
            if (!written)
                right = right && ours[d][c] == RUN_SENTINEL;
            else if (d == 1)
                right = right && ours[d][c] == a->ours.word[d][c];
        }
    }
    if (!right) report(row, "not what the oracle says", ours, a->ours.word[0]);
    return right;
}

/* False when a difference from the peer is in no exception. */
static bool check_row(const struct row *row, const struct analysis *a, const uint32_t ours[2][4])
{
    if (!ours_is_right(row, a, ours)) return false;
    struct difference d = {.row = row, .analysis = a, .type = a->oracle->signature[0]};
    bool equal = !row->signal, covered = true;
    if (row->signal) {
        covered = excepted(&d);
    } else if (row->written[0] != a->ours.written[0] || row->written[1] != a->ours.written[1] ||
               (row->written[1] && memcmp(row->peer[1], ours[1], sizeof ours[1]) != 0)) {
        equal = covered = false;
    }
    for (unsigned c = 0; c < 4 && !row->signal; c += value_is_wide(d.type) ? 2 : 1) {
        if (!(row->written[0] & 1u << c)) continue;
        d.channel = c;
        d.peer = view(d.type, row->peer[0], c);
        d.ours = view(d.type, ours[0], c);
        if (d.peer.q == d.ours.q) continue;
        for (unsigned i = 0; i < oracle_sources(a->oracle); i++) d.s[i] = source_value(a->oracle, a->source, i, c);
        equal = false;
        covered = excepted(&d) && covered;
    }
    if (!covered) report(row, "differs from the peer", ours, row->peer[0]);
    equal_rows += equal;
    excepted_rows += !equal && covered;
    return covered;
}

/* Rows with the same instruction run together. */
static void run_rows(const struct row *first, unsigned count, unsigned width)
{
    uint32_t(*source)[RUN_SOURCES][4] = malloc(count * sizeof *source);
    uint32_t(*result)[2][4] = malloc(count * sizeof *result);
    assert_non_null(source);
    assert_non_null(result);
    for (unsigned i = 0; i < count; i++) memcpy(source[i], first[i].source, sizeof source[i]);
    char why[256];
    struct run run = {.instruction = first->instruction,
                      .width = width,
                      .count = count,
                      .source = (const uint32_t(*)[RUN_SOURCES][4])source};
    if (!run_instruction(&run, result, why)) fail_msg("%s: %s", first->instruction, why);
    for (unsigned i = 0; i < count; i++) {
        struct analysis a;
        if (!analyse(&first[i], &a))
            fail_msg("line %u: cannot tell what '%s' means", first[i].line, first[i].instruction);
        different_rows += !check_row(&first[i], &a, (const uint32_t(*)[4])result[i]);
    }
    free(source);
    free(result);
}

static void test_rows(void **state)
{
    (void)state;
    if (!row_count) {
        print_message("# no table of the peer's results\n");
        skip();
    }
    static const unsigned widths[] = {4, 8, 16};
    for (unsigned w = 0; w < 3; w++) {
        equal_rows = excepted_rows = different_rows = 0;
        for (unsigned i = 0; i < exception_count; i++) exceptions[i].uses = 0;
        for (unsigned at = 0, end; at < row_count; at = end) {
            for (end = at; end < row_count && strcmp(rows[at].instruction, rows[end].instruction) == 0;) end++;
            run_rows(&rows[at], end - at, widths[w]);
        }
        printf("# width %u: %u rows: %u equal, %u covered by an exception, %u different\n", widths[w], row_count,
               equal_rows, excepted_rows, different_rows);
        assert_int_equal(different_rows, 0);
    }
    for (unsigned i = 0; i < exception_count; i++) printf("# %5u values: %s\n", exceptions[i].uses, exceptions[i].name);
}

/* An exception that nothing needs is a wrong belief. Another table than the shared one need not have every class. */
static void test_exceptions_are_used(void **state)
{
    (void)state;
    if (!row_count || other_table) skip();
    for (unsigned i = 0; i < exception_count; i++)
        if (!exceptions[i].uses) fail_msg("no row needs the exception '%s'", exceptions[i].name);
}

int main(int argc, char **argv)
{
    char path[4096] = "";
    const char *shared = getenv("SCH_SHARED");
    other_table = argc > 1;
    if (other_table)
        snprintf(path, sizeof path, "%s", argv[1]);
    else if (shared)
        snprintf(path, sizeof path, "%s/corpus/opcodes/mesa_exec_results.tsv", shared);
    if (path[0] && !load_table(path)) {
        printf("# %s: no table, or not one\n", path);
        if (other_table) return 1;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_exceptions_are_used)};
    int failed = cmocka_run_group_tests_name("mesa_rows", tests, NULL, NULL);
    free(rows);
    return failed;
}
