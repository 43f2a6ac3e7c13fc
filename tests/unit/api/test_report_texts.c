/* Reports as text: heads, source lines and carets, of UTF-8, tabs, long lines and hostile bytes; the rules of a buffer
 * that is too small; whole lists. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"

/* The text of a report, which is the same whatever room it has. */
static void expect(const struct sch_diagnostic_info *info, const struct sch_report_options *options, const char *want)
{
    char whole[2048];
    const size_t length = sch_report_format(info, options, NULL, 0);
    assert_int_equal(sch_report_format(info, options, whole, sizeof whole), length);
    assert_string_equal(whole, want);
    assert_int_equal(length, strlen(want));
    for (size_t bytes = 1; bytes <= length + 1; bytes++) {
        char *part = malloc(bytes); /* the sanitizer sees a byte too many */
        assert_non_null(part);
        assert_int_equal(sch_report_format(info, options, part, bytes), length);
        assert_int_equal(strlen(part), bytes - 1);
        assert_memory_equal(part, want, bytes - 1);
        free(part);
    }
}

static const struct sch_diagnostic_info plain = {.size = sizeof plain,
                                                 .severity = SCH_SEVERITY_ERROR,
                                                 .code = 2040,
                                                 .line = 4,
                                                 .column = 5,
                                                 .offset = 30,
                                                 .source = "a.tgsi",
                                                 .message = "IN[1] is not declared",
                                                 .line_text = "MUL OUT[0], IN[0], IN[1]",
                                                 .caret = 4};

static void heads(void **state)
{
    (void)state;
    struct sch_diagnostic_info info = plain;
    expect(&info, NULL, "a.tgsi:4:5: error 2040: IN[1] is not declared\n    MUL OUT[0], IN[0], IN[1]\n        ^\n");
    info.line_text = NULL;
    expect(&info, NULL, "a.tgsi:4:5: error 2040: IN[1] is not declared\n");
    info.column = 0;
    info.severity = SCH_SEVERITY_WARNING;
    expect(&info, NULL, "a.tgsi:4: warning 2040: IN[1] is not declared\n");
    info.severity = SCH_SEVERITY_PEDANTIC;
    info.line = 0;
    expect(&info, NULL, "a.tgsi: byte 30: warning 2040: IN[1] is not declared\n");
    info.source = NULL;
    info.code = 0;
    expect(&info, NULL, "scheelite: warning: IN[1] is not declared\n");
    info.source = "";
    info.message = NULL;
    expect(&info, NULL, "scheelite: warning: \n");
}

static void colors(void **state)
{
    (void)state;
    const struct sch_report_options options = {.size = sizeof options, .color = true};
    struct sch_diagnostic_info info = plain;
    info.line_text = "x";
    info.caret = 0;
    expect(&info, &options,
           "\033[1ma.tgsi:4:5:\033[0m \033[1;31merror 2040:\033[0m IN[1] is not declared\n    x\n    "
           "\033[1;32m^\033[0m\n");
    info.severity = SCH_SEVERITY_WARNING;
    info.line = 0;
    info.offset = 0;
    info.line_text = NULL;
    expect(&info, &options, "\033[1ma.tgsi:\033[0m \033[1;35mwarning 2040:\033[0m IN[1] is not declared\n");
}

/* The line is shown so, and the caret stands in this column of it. */
static void expect_line(const char *line, size_t caret, uint32_t columns, const char *shown, int column)
{
    char want[1024];
    struct sch_diagnostic_info info = plain;
    const struct sch_report_options options = {.size = sizeof options, .columns = columns};
    info.line_text = line;
    info.caret = (uint32_t)caret;
    snprintf(want, sizeof want, "a.tgsi:4:5: error 2040: IN[1] is not declared\n    %s\n    %*s^\n", shown, column, "");
    expect(&info, &options, want);
    info.line_text = NULL; /* the same out of a text, between other lines */
    char text[1024];
    snprintf(text, sizeof text, "before\n%s\nbehind\n", line);
    const struct sch_report_options with_text = {
        .size = sizeof with_text, .columns = columns, .text = text, .text_bytes = strlen(text)};
    info.offset = strlen("before\n") + caret;
    if (caret <= strlen(line)) expect(&info, &with_text, want);
}

static void characters(void **state)
{
    (void)state;
    expect_line("MUL x", 4, 0, "MUL x", 4);
    expect_line("\tMUL\tx", 5, 0, " MUL x", 5);
    expect_line("// \xc3\xa9t\xc3\xa9 x", 9, 0, "// \xc3\xa9t\xc3\xa9 x", 7); /* two of two bytes */
    expect_line("\xe6\xb0\xb4 x", 4, 0, "\xe6\xb0\xb4 x", 3);                 /* a wide one */
    expect_line("e\xcc\x81 x", 4, 0, "e\xcc\x81 x", 2);                       /* a mark on the e */
    expect_line("\xf0\x9f\x98\x80 x", 5, 0, "\xf0\x9f\x98\x80 x", 3);         /* four bytes, wide */
    expect_line("\xe6\xb0\xb4 x", 2, 0, "\xe6\xb0\xb4 x", 0);                 /* inside of one */
    expect_line("\xff\xc0\x80\xed\xa0\x80 x", 7, 0, "?????? x", 7);           /* no UTF-8 */
    expect_line("a\xe2\x80\xae\xc2\x9b b", 7, 0, "a?  b", 4);                 /* turned; a C1 control */
    expect_line("a\033[2Jb", 5, 0, "a [2Jb", 5);                              /* no escape sequences */
    expect_line("end", 3, 0, "end", 3);
    expect_line("end", 99, 0, "end", 3);
    expect_line("\xe6\xb0", 0, 0, "??", 0); /* cut off */
}

/* Nothing behind the caller's text is read: it has no end of its own, and a character is cut off there. */
static void texts_end_where_they_end(void **state)
{
    (void)state;
    struct sch_diagnostic_info info = plain;
    info.line_text = NULL;
    info.offset = 1;
    info.caret = 1;
    char *text = malloc(2); /* the sanitizer sees a byte too many */
    assert_non_null(text);
    memcpy(text, "a\xf0", 2);
    const struct sch_report_options options = {.size = sizeof options, .text = text, .text_bytes = 2};
    expect(&info, &options, "a.tgsi:4:5: error 2040: IN[1] is not declared\n    a?\n     ^\n");
    free(text);
}

static void long_lines(void **state)
{
    (void)state;
    expect_line("0123456789", 0, 10, "0123456789", 0);
    expect_line("0123456789a", 0, 10, "0123456789", 0);
    expect_line("0123456789abcdef", 8, 10, "3456789abc", 5);
    expect_line("0123456789abcdef", 15, 10, "6789abcdef", 9);
    expect_line("0123456789abcdef", 16, 10, "6789abcdef", 10);
    expect_line("\xe6\xb0\xb4\xe6\xb0\xb4\xe6\xb0\xb4x", 9, 3, "\xe6\xb0\xb4x", 2);
    char line[400];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = 0;
    struct sch_diagnostic_info info = plain;
    info.line_text = line;
    info.caret = 200;
    char text[1024];
    sch_report_format(&info, NULL, text, sizeof text);
    assert_int_equal(strcspn(strchr(text, '\n') + 1, "\n"), 4 + 160);
}

static void wrong_calls(void **state)
{
    (void)state;
    char text[8] = "as was";
    struct sch_diagnostic_info info = plain;
    const struct sch_report_options small = {.size = 1};
    assert_int_equal(sch_report_format(NULL, NULL, text, sizeof text), 0);
    assert_string_equal(text, "");
    assert_int_equal(sch_report_format(&info, &small, text, sizeof text), 0);
    info.size = 0;
    assert_int_equal(sch_report_format(&info, NULL, text, sizeof text), 0);
    info.size = sizeof info - 1;
    assert_int_equal(sch_report_format(&info, NULL, text, sizeof text), 0);
}

static void lists(void **state)
{
    (void)state;
    const char source[] = "VERT\nFOO\nBAR\nBAZ\n";
    const struct sch_limit_options limits = {.size = sizeof limits, .diagnostics = 1};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    const struct sch_read_options named = {.size = sizeof named, .kind = SCH_KIND_TGSI, .name = "b.tgsi"};
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_shader *shader;
    char *text;
    size_t bytes;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_diagnostics_print(list, NULL, &text, &bytes), SCH_OK);
    assert_string_equal(text, "");
    assert_int_equal(bytes, 0);
    sch_free(context, text);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sch_shader_read(context, source, sizeof source - 1, &named, list, &shader), SCH_ERROR_INVALID);
    const size_t errors = sch_diagnostics_errors(list);
    assert_true(errors >= 3);
    assert_int_equal(sch_diagnostics_print(list, NULL, &text, &bytes), SCH_OK);
    assert_int_equal(bytes, strlen(text));
    assert_non_null(strstr(text, "b.tgsi:2:1: error "));
    assert_non_null(strstr(text, "\n    FOO\n    ^\nscheelite: "));
    char more[64];
    snprintf(more, sizeof more, "scheelite: %zu more reports are not shown\n", errors - 1);
    assert_string_equal(strstr(text, "scheelite: "), more);
    sch_free(context, text);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

/* ---- names of semantics ---- */

static void semantics_have_names(void **state)
{
    (void)state;
    struct sch_name_info row = {.size = sizeof row};
    size_t count = 0;
    for (; sch_table_name(SCH_NAMES_SEMANTICS, count, &row); count++) {
        assert_string_equal(sch_semantic_name((enum sch_semantic)row.number), row.word);
        assert_int_equal(sch_semantic_by_name(row.word), row.number);
    }
    assert_true(count > 40);
    assert_string_equal(sch_semantic_name(SCH_SEMANTIC_PRIMID), "PRIM_ID");
    assert_null(sch_semantic_name(SCH_SEMANTIC_NONE));
    assert_null(sch_semantic_name((enum sch_semantic)63));
    assert_int_equal(sch_semantic_by_name("position"), SCH_SEMANTIC_POSITION);
    assert_int_equal(sch_semantic_by_name("POSITIONS"), SCH_SEMANTIC_NONE);
    assert_int_equal(sch_semantic_by_name(NULL), SCH_SEMANTIC_NONE);
    assert_string_equal(sch_system_value_name(SCH_SYSTEM_VALUE_DEPTHGE), "DEPTHGE");
    assert_string_equal(sch_system_value_name(SCH_SYSTEM_VALUE_NONE), "NONE");
    assert_null(sch_system_value_name((enum sch_system_value)17));
}

static void registers_have_semantics(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    struct sch_shader *shader = api_shader(context, "FRAG\nDCL IN[0], GENERIC[3], LINEAR\nDCL SV[0], SAMPLEID\n"
                                                    "DCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n");
    struct sch_register_info info = {.size = sizeof info};
    assert_true(sch_shader_register(shader, SCH_FILE_INPUT, 0, &info));
    assert_int_equal(info.semantic, SCH_SEMANTIC_GENERIC);
    assert_int_equal(info.semantic_index, 3);
    assert_string_equal(info.semantic_name, sch_semantic_name(info.semantic));
    assert_int_equal(info.system_value, SCH_SYSTEM_VALUE_NONE);
    assert_true(sch_shader_register(shader, SCH_FILE_SYSTEM_VALUE, 0, &info));
    assert_int_equal(info.semantic, SCH_SEMANTIC_SAMPLEID);
    assert_true(sch_shader_register(shader, SCH_FILE_OUTPUT, 0, &info));
    assert_int_equal(info.semantic, SCH_SEMANTIC_COLOR);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(heads),
                                       cmocka_unit_test(colors),
                                       cmocka_unit_test(characters),
                                       cmocka_unit_test(texts_end_where_they_end),
                                       cmocka_unit_test(long_lines),
                                       cmocka_unit_test(wrong_calls),
                                       cmocka_unit_test(lists),
                                       cmocka_unit_test(semantics_have_names),
                                       cmocka_unit_test(registers_have_semantics)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
