/* Direct3D instructions in small programs, against results worked out by hand (d3d_cases.def), at every width. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

enum { CONSTANTS = 8, RESULTS = 2, LANES = 4, MOST_CASES = 256 };

struct row {
    const char *name, *body, *constants, *results;
};
static const struct row rows[] = {
#define D3D_CASE(name, body, constants, results) {#name, body, constants, results},
#include "d3d_cases.def"
#undef D3D_CASE
};

static void read_words(const char *text, uint32_t *words, size_t count)
{
    memset(words, 0, count * sizeof *words);
    char *end;
    for (size_t i = 0; i < count && *text; i++) {
        words[i] = (uint32_t)strtoul(text, &end, 16);
        text = end + strspn(end, " ");
    }
    if (*text) fail_msg("more words than there are: %s", text);
}

static void write_program(const struct row *row, char *text, size_t bytes)
{
    snprintf(
        text, bytes,
        "ps_5_0\ndcl_globalFlags refactoringAllowed | enableDoublePrecisionFloatOps | enable11_1DoubleExtensions | "
        "enable11_1ShaderExtensions\n"
        "dcl_constantbuffer CB0[8], dynamicIndexed\ndcl_output o0.xyzw\ndcl_output o1.xyzw\ndcl_temps 4\n"
        "dcl_indexableTemp x0[2], 4\ndcl_indexableTemp x1[2], 4\n%sret\n",
        row->body);
}

static void explain(const struct row *row, const struct sch_diagnostics_list *list)
{
    struct sch_diagnostic_info view = {.size = sizeof view, .message = "?"};
    for (size_t i = 0; i < sch_diagnostics_count(list); i++)
        if (sch_diagnostics_get(list, i, &view) && view.severity == SCH_SEVERITY_ERROR) break;
    fail_msg("%s: line %u: %u %s", row->name, view.line, view.code, view.message);
}

static void run(const struct row *row, const struct sch_program *program, unsigned width)
{
    uint32_t constants[CONSTANTS * 4], expected[RESULTS * 4], result[LANES][RESULTS * 4];
    read_words(row->constants, constants, CONSTANTS * 4);
    read_words(row->results, expected, RESULTS * 4);
    struct sch_constant_buffer buffer = {.data = constants, .bytes = sizeof constants};
    struct sch_bindings bindings = {.size = sizeof bindings, .constants = &buffer, .constant_count = 1};
    struct sch_invocations work = {.size = sizeof work,
                                   .count = LANES,
                                   .quads = true,
                                   .outputs = result[0],
                                   .output_bytes = sizeof result,
                                   .output_registers = RESULTS};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < RESULTS * 4; i++)
            if (result[lane][i] != expected[i])
                fail_msg("%s, width %u: o%u.%c is %08x, not %08x", row->name, width, i / 4, "xyzw"[i % 4],
                         result[lane][i], expected[i]);
}

static void test_row(void **state)
{
    const struct row *row = *state;
    char text[4096];
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    write_program(row, text, sizeof text);
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    if (sch_shader_read(context, text, strlen(text), NULL, list, &shader) != SCH_OK) explain(row, list);
    for (unsigned width = 4; width <= 16; width *= 2) {
        struct sch_program_options options = {.size = sizeof options, .width = width};
        struct sch_program *program;
        if (sch_program_create(context, shader, &options, list, &program) != SCH_OK) explain(row, list);
        run(row, program, width);
        sch_program_destroy(program);
    }
    sch_shader_destroy(shader);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

int main(void)
{
    static struct CMUnitTest tests[MOST_CASES];
    size_t count = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL, (void *)(uintptr_t)&rows[i]};
    return _cmocka_run_group_tests("d3d lower", tests, count, NULL, NULL);
}
