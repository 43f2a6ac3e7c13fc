/* The rows of values that Direct3D programs must compute: constants in, the first render target out, at every width.
 * Floats within 2 units in the last place (any NaN for a NaN), integers exact. Rows and programs are our own
 * (tests/corpus/vectors), and those beside the repository where they are (SCH_SHARED). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/engine.h"
#include "d3d_support.h"

enum { CONSTANTS = 3, FIELDS = 7, OWN_ROWS = 168, SHARED_ROWS = 436, MOST_ULPS = 2 };

enum { WIDTHS = 3 };
static const uint32_t widths[WIDTHS] = {4, 8, 16};

/* set, case, program, cb0[0], cb0[1], cb0[2], o0 */
struct row {
    char *field[FIELDS];
    uint32_t constants[CONSTANTS][4], expected[4];
};

static bool split(char *line, struct row *row)
{
    for (unsigned i = 0; i < FIELDS; i++) {
        row->field[i] = line;
        line += strcspn(line, "\t\n");
        if (i + 1 < FIELDS && *line != '\t') return false;
        if (*line) *line++ = 0;
    }
    return true;
}

static void words_of(const char *text, uint32_t words[4])
{
    int length;
    if (sscanf(text, "%8x,%8x,%8x,%8x%n", &words[0], &words[1], &words[2], &words[3], &length) != 4 || text[length])
        fail_msg("no four words: %s", text);
}

/* On a line where neighbouring floats are neighbouring integers, both zeros at 0. */
static int64_t place(uint32_t bits) { return bits >> 31 ? -(int64_t)(bits & 0x7fffffff) : (int64_t)bits; }

static bool is_nan(uint32_t bits) { return (bits & 0x7fffffff) > 0x7f800000; }

static bool holds(const struct row *row, const uint32_t word[4])
{
    bool is_float = strcmp(row->field[0], "float") == 0;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t want = row->expected[c];
        if (word[c] == want) continue;
        if (!is_float || is_nan(want) != is_nan(word[c])) return false;
        if (!is_nan(want) && llabs(place(want) - place(word[c])) > MOST_ULPS) return false;
    }
    return true;
}

/* A container, or assembly. */
static struct sch_shader *read_program(struct sch_context *context, const char *folder, const char *name)
{
    char path[4096];
    size_t bytes;
    snprintf(path, sizeof path, "%s/%s.dxbc", folder, name);
    char *data = load_file(path, &bytes);
    if (!data) {
        snprintf(path, sizeof path, "%s/%s.asm", folder, name);
        data = load_file(path, &bytes);
    }
    if (!data) fail_msg("%s is not there", path);
    struct sch_shader *shader;
    if (sch_shader_read(context, data, bytes, NULL, NULL, &shader) != SCH_OK) fail_msg("%s is not read", path);
    free(data);
    return shader;
}

static void destroy_programs(struct sch_program *programs[WIDTHS])
{
    for (unsigned w = 0; w < WIDTHS; w++) sch_program_destroy(programs[w]);
}

/* Those of a shader, in the place of the last one's. */
static void make_programs(struct sch_context *context, const char *folder, const char *name,
                          struct sch_program *programs[WIDTHS])
{
    struct sch_shader *shader = read_program(context, folder, name);
    destroy_programs(programs);
    for (unsigned w = 0; w < WIDTHS; w++) {
        struct sch_program_options options = {
            .size = sizeof options, .engine = engine_wanted(SCH_ENGINE_AUTO), .width = widths[w]};
        if (sch_program_create(context, shader, &options, NULL, &programs[w]) != SCH_OK)
            fail_msg("%s is not prepared", name);
    }
    sch_shader_destroy(shader);
}

static void check_row(struct sch_program *const programs[WIDTHS], const struct row *row)
{
    struct sch_constant_buffer buffer = {.data = row->constants, .bytes = sizeof row->constants};
    struct sch_bindings bindings = {.size = sizeof bindings, .constants = &buffer, .constant_count = 1};
    for (unsigned w = 0; w < WIDTHS; w++) {
        uint32_t result[4][4];
        memset(result, 0x5a, sizeof result);
        struct sch_invocations invocations = {.size = sizeof invocations,
                                              .count = 4,
                                              .quads = true,
                                              .outputs = &result[0][0],
                                              .output_bytes = sizeof result,
                                              .output_registers = 1};
        assert_int_equal(sch_dispatch(programs[w], &bindings, &invocations, NULL, NULL), SCH_OK);
        for (unsigned lane = 0; lane < 4; lane++)
            if (!holds(row, result[lane]))
                fail_msg("%s of %s (%s; %s; %s), width %u: %08x,%08x,%08x,%08x, not %s", row->field[1], row->field[2],
                         row->field[3], row->field[4], row->field[5], widths[w], result[lane][0], result[lane][1],
                         result[lane][2], result[lane][3], row->field[6]);
    }
}

/* Of a table, whose rows stand in the order of their programs. */
static void check_table(const char *folder, char *table, unsigned expected)
{
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_program *programs[WIDTHS] = {NULL};
    char last[256] = "";
    unsigned rows = 0;
    for (char *line = strchr(table, '\n'), *next; line && line[1]; line = next) {
        next = strchr(++line, '\n');
        if (next) *next = 0;
        struct row row;
        if (!split(line, &row)) fail_msg("row %u has too few fields", rows + 2);
        for (unsigned i = 0; i < CONSTANTS; i++) words_of(row.field[3 + i], row.constants[i]);
        words_of(row.field[6], row.expected);
        if (strcmp(last, row.field[2]) != 0) {
            make_programs(context, folder, row.field[2], programs);
            snprintf(last, sizeof last, "%s", row.field[2]);
        }
        check_row(programs, &row);
        rows++;
    }
    assert_int_equal(rows, expected);
    destroy_programs(programs);
    sch_context_destroy(context);
}

static void every_row_holds(void **state)
{
    (void)state;
    size_t bytes;
    char folder[2048];
    char *table = load_file(own_path("vectors/rows.tsv"), &bytes);
    assert_non_null(table);
    check_table(own_path("vectors"), table, OWN_ROWS);
    free(table);
    const char *shared = getenv("SCH_SHARED");
    const char *path = shared_path("corpus/dxbc/fxc/shader_instructions.tsv");
    if (!path) return;
    table = load_file(path, &bytes);
    snprintf(folder, sizeof folder, "%s/corpus/dxbc/fxc", shared);
    check_table(folder, table, SHARED_ROWS);
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row_holds)};
    return cmocka_run_group_tests_name("d3d vectors", tests, NULL, NULL);
}
