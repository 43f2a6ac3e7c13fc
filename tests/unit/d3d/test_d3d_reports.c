/* What is said of Direct3D assembly, in full: every report of a text, or its listing in each style
 * (d3d_text_cases.def), reports of words (d3d_token_cases.def); and that the beginning of a text means the same
 * whatever lies behind it. */
#include "d3d_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "d3d/text/text.h"

enum { ROOM = 8192 };

/* A listing, from malloc; without the two lines that it begins with unless `whole`. */
/* fxc's listings have a blank after mnemonics without operands; test_d3d_text.c has those. Comments stay. */
static void trim_lines(char *text)
{
    char *to = text, *line = text;
    for (const char *at = text; *at; at++) {
        if (*at == '\n' && *line != '/')
            while (to > line && to[-1] == ' ') to--;
        *to++ = *at;
        if (*at == '\n') line = to;
    }
    *to = 0;
}

static char *listing(const struct sch_d3d_shader *shader, enum sch_listing_style style, bool whole)
{
    char *text;
    size_t bytes;
    assert_int_equal(sch_d3d_print(shader, style, &sch_allocator_libc, &text, &bytes), SCH_OK);
    assert_int_equal(bytes, strlen(text));
    if (style == SCH_LISTING_FXC_DUMP) trim_lines(text);
    if (whole) return text;
    char *second = strchr(text, '\n');
    assert_non_null(second);
    char *third = strchr(second + 1, '\n');
    assert_non_null(third);
    memmove(text, third + 1, strlen(third));
    return text;
}

static void assembled(const char *text, size_t bytes, bool whole, char said[ROOM])
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_diagnostics list;
    struct sch_d3d_shader *shader;
    size_t at = 0;
    sch_diagnostics_init(&list, &sch_allocator_libc, 100);
    enum sch_result status = sch_d3d_assemble(&sch_allocator_libc, &limits, text, bytes, &list, &shader);
    assert_true((status == SCH_OK) == (shader != NULL));
    said[0] = '\0';
    for (size_t i = 0; i < list.count; i++)
        at += (size_t)snprintf(said + at, ROOM - at, "%u:%u: %s\n", list.items[i].position.line,
                               list.items[i].position.column, list.items[i].message);
    if (shader) {
        static const struct {
            enum sch_listing_style style;
            const char *name;
        } others[] = {{SCH_LISTING_FXC_DUMP, "dump:\n"}, {SCH_LISTING_VKD3D, "vkd3d:\n"}};
        char *first = listing(shader, SCH_LISTING_FXC, whole);
        at += (size_t)snprintf(said + at, ROOM - at, "%s", first);
        for (size_t i = 0; i < 2; i++) {
            char *other = listing(shader, others[i].style, whole);
            if (strcmp(other, first) != 0) at += (size_t)snprintf(said + at, ROOM - at, "%s%s", others[i].name, other);
            free(other);
        }
        free(first);
    }
    assert_true(at < ROOM);
    sch_d3d_shader_destroy(shader);
    sch_diagnostics_release(&list);
}

static const struct {
    const char *text;
    size_t bytes;
    const char *outcome;
} cases[] = {
#define CASE(text, outcome) {text, sizeof text - 1, outcome},
#include "d3d_text_cases.def"
#undef CASE
};

/* Signatures, resources and chunks, with the whole listings. */
static const struct {
    const char *text, *outcome;
} containers[] = {
#define CASE(text, outcome) {text, outcome},
#include "d3d_container_cases.def"
#undef CASE
};

static void compare(const char *text, size_t bytes, bool whole, const char *outcome)
{
    char said[ROOM];
    assembled(text, bytes, whole, said);
    if (strcmp(said, outcome) != 0) fail_msg("%s\nis\n%s\nand should be\n%s", text, said, outcome);
}

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        compare(cases[i].text, cases[i].bytes, false, cases[i].outcome);
}

static void test_texts_of_containers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof containers / sizeof *containers; i++)
        compare(containers[i].text, strlen(containers[i].text), true, containers[i].outcome);
}

/* What is taken for Direct3D assembly: a profile or the word "container" behind blanks and comments. */
static void test_what_is_recognised(void **state)
{
    (void)state;
    static const char *const yes[] = {"ps_5_0",  "// c\n\n\t ps_5_0\nret\n", "container", "\r\nCONTAINER x", "cs_9_9 ",
                                      "HS_5_0\n"};
    static const char *const no[] = {"",       "// ps_5_0", "ps_5_",      "ps_5_00", "px_5_0",
                                     "ps_500", "ps5__0",    "containers", "VERT\n"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!sch_d3d_text_recognise(yes[i], strlen(yes[i]))) fail_msg("%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (sch_d3d_text_recognise(no[i], strlen(no[i]))) fail_msg("%s", no[i]);
}

/* Texts with what the rows above have not: chunks, signatures, comments that are tables, resources, names. */
static const char *const others[] = {
    "ps_5_0\n.chunk \"ABCD\" { 01 2f A9 }\n.chunk 77 {\n00\n}\nret\n",
    "ps_5_0\n.input\n.output\nret\n",
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"
    "// -------------------- ----- ------ -------- -------- ------- ------\n"
    "// TEXCOORD                 0   xyzw        0     NONE   float   xy\n"
    "// m1:COLOR                 3    yz         1      POS    uint  \nps_5_0\nret\n",
    ("ps_5_0\n// Input signature:\n// Name Index Mask Register SysValue Format Used\n// - - - - - - -\n"
     "// m1:A 3 yz 1 POS uint y\n// B 0 x 0 NONE float YES"),
    "ps_5_0\n.resources 256, \"m\\x41e\"\n.cbuffer \"c\", 64, 0, 0\nret\n",
    "1: ps_5_0\n2: ret // c\n3:ret\n",
};

static void assert_same(const char *text, size_t length, size_t bytes, char fill)
{
    char alone[ROOM], before[ROOM], *copy = malloc(length + 16);
    assert_non_null(copy);
    memset(copy, fill, length + 16);
    memcpy(copy, text, bytes);
    assembled(copy, bytes, false, alone);
    memcpy(copy, text, length);
    assembled(copy, bytes, false, before);
    if (strcmp(alone, before) != 0) fail_msg("%zu bytes of %s: %s; %s", bytes, text, alone, before);
    free(copy);
}

static void test_what_lies_behind(void **state)
{
    (void)state;
    static const char fills[] = {'0', 'x', '.', ' ', ':', '[', '\n', 'r', ',', '/', '(', 'l', '_', '\0'};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t bytes = cases[i].bytes < 7 ? 0 : 7; bytes <= cases[i].bytes; bytes++)
            assert_same(cases[i].text, cases[i].bytes, bytes, fills[(i + bytes) % sizeof fills]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (size_t length = strlen(others[i]), bytes = 0; bytes <= length; bytes++)
            for (size_t f = 0; f < sizeof fills; f++) assert_same(others[i], length, bytes, fills[f]);
}

/* The length of an instruction stands in seven bits of its first word, or, above 127, in a word of its own: tables of
 * so many bodies, whose words are the first one, the table, the count and the bodies. */
static void test_lengths(void **state)
{
    (void)state;
    for (size_t bodies = 120; bodies < 130; bodies++) {
        char text[2048] = "ps_5_0\ndcl_function_table ft0 = {fb0";
        for (size_t i = 1; i < bodies; i++) snprintf(text + strlen(text), sizeof text - strlen(text), ", fb%zu", i);
        snprintf(text + strlen(text), sizeof text - strlen(text), "}\n");
        const struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_d3d_shader *shader;
        assert_int_equal(sch_d3d_assemble(&sch_allocator_libc, &limits, text, strlen(text), NULL, &shader), SCH_OK);
        uint32_t *words;
        size_t count;
        assert_int_equal(sch_d3d_encode(shader->program, &sch_allocator_libc, NULL, &words, &count), SCH_OK);
        const size_t length = bodies + 3, own = length > 127;
        assert_int_equal(count, 2 + length + own);
        assert_int_equal(words[1], count);
        assert_int_equal(words[2] >> 24 & 0x7f, own ? 0 : length);
        if (own) assert_int_equal(words[3], length + 1);
        const uint32_t *at = words + 3 + own;
        assert_int_equal(at[0], 0);
        assert_int_equal(at[1], bodies);
        for (size_t i = 0; i < bodies; i++) assert_int_equal(at[2 + i], i);
        free(words);
        sch_d3d_shader_destroy(shader);
    }
}

/* What is read is written as the same words. */
static void test_tokens(void **state)
{
    (void)state;
    static const struct {
        const char *report;
        size_t count;
        uint32_t words[24];
    } rows[] = {
#define PS_5_0(count)     0x50, (count) + 2
#define CASE(report, ...) {report, sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), {__VA_ARGS__}},
#include "d3d_token_cases.def"
#undef CASE
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_diagnostics list;
        struct sch_d3d_program *program;
        char said[512] = "";
        sch_diagnostics_init(&list, &sch_allocator_libc, 100);
        enum sch_result status =
            sch_d3d_decode(&sch_allocator_libc, &limits, rows[i].words, rows[i].count, 40, "SHEX", &list, &program);
        assert_int_equal(status, *rows[i].report ? SCH_ERROR_INVALID : SCH_OK);
        assert_int_equal(list.count, *rows[i].report != 0);
        if (list.count)
            snprintf(said, sizeof said, "%u: %s\n", (unsigned)(list.items[0].position.offset - 40) / 4,
                     list.items[0].message);
        if (strcmp(said, rows[i].report) != 0) fail_msg("row %zu is %s, not %s", i, said, rows[i].report);
        assert_int_equal(program != NULL, status == SCH_OK);
        if (program) {
            uint32_t *words;
            size_t count;
            assert_int_equal(sch_d3d_encode(program, &sch_allocator_libc, NULL, &words, &count), SCH_OK);
            assert_int_equal(count, rows[i].count);
            assert_memory_equal(words, rows[i].words, count * sizeof *words);
            free(words);
        }
        sch_d3d_program_destroy(program);
        sch_diagnostics_release(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_texts_of_containers),
        cmocka_unit_test(test_what_is_recognised),
        cmocka_unit_test(test_what_lies_behind),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_tokens),
    };
    return cmocka_run_group_tests_name("d3d_reports", tests, NULL, NULL);
}
