/* The rules of the language (src/ir/check.h): every rule is broken once and kept once (check_cases.def), every rule has
 * a case, real programs are accepted, and hostile shaders cost bounded time and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "../support/random_number.h"
#include "../tgsi/tgsi_support.h"
#include "ir/check.h"
#include "isa/errors.h"
#include "tgsi/tgsi.h"

#define IMMEDIATE_ZERO_TO_THREE "IMM[0] UINT32 {0, 1, 2, 3}\n"
#define FRAGMENT                                                                                                       \
    "FRAG DCL IN[0], GENERIC[0], PERSPECTIVE DCL OUT[0], COLOR DCL CONST[0..7] DCL TEMP[0..7] DCL ADDR[0] DCL "        \
    "SAMP[0] "

enum preamble { F, V, C, E, G, K, NO_VIEWS, NESTING_3, REGISTERS_64, BARE_GEOM, BARE_TCS, BARE_TES };

static const struct {
    const char *text;
    uint32_t nesting, registers; /* 0: the default */
} preambles[] = {
    [F] = {FRAGMENT "DCL SVIEW[0], 2D, FLOAT " IMMEDIATE_ZERO_TO_THREE, 0, 0},
    [NO_VIEWS] = {FRAGMENT IMMEDIATE_ZERO_TO_THREE, 0, 0},
    [NESTING_3] = {FRAGMENT IMMEDIATE_ZERO_TO_THREE, 3, 0},
    [REGISTERS_64] = {FRAGMENT IMMEDIATE_ZERO_TO_THREE, 0, 64},
    [V] = {"VERT DCL IN[0] DCL OUT[0], POSITION DCL CONST[0..7] DCL TEMP[0..7] DCL ADDR[0] " IMMEDIATE_ZERO_TO_THREE, 0,
           0},
    [C] = {"TESS_CTRL PROPERTY TCS_VERTICES_OUT 3 DCL IN[][0], GENERIC[0] DCL OUT[][0], GENERIC[0] DCL OUT[1], PATCH "
           "DCL SV[0], VERTICESIN DCL TEMP[0..7] DCL ADDR[0] " IMMEDIATE_ZERO_TO_THREE,
           0, 0},
    [E] = {"TESS_EVAL PROPERTY TES_PRIM_MODE 4 DCL IN[][0], GENERIC[0] DCL IN[1], PATCH DCL OUT[0], POSITION "
           "DCL TEMP[0..7] " IMMEDIATE_ZERO_TO_THREE,
           0, 0},
    [G] = {"GEOM PROPERTY GS_INPUT_PRIMITIVE TRIANGLES PROPERTY GS_OUTPUT_PRIMITIVE POINTS "
           "PROPERTY GS_MAX_OUTPUT_VERTICES 4 DCL IN[][0], POSITION DCL OUT[0], POSITION DCL TEMP[0..7] DCL "
           "ADDR[0] " IMMEDIATE_ZERO_TO_THREE,
           0, 0},
    [K] = {"COMP DCL TEMP[0..7] " IMMEDIATE_ZERO_TO_THREE, 0, 0},
    [BARE_GEOM] = {"GEOM\n", 0, 0},
    [BARE_TCS] = {"TESS_CTRL\n", 0, 0},
    [BARE_TES] = {"TESS_EVAL\n", 0, 0},
};

struct run {
    enum sch_result parsed, checked;
    struct sch_diagnostics list;
    struct sch_ir_shader *shader;
};

static void parse(struct run *run, const char *text, size_t bytes, const struct sch_limits *limits)
{
    static const struct sch_warning_options all = {.pedantic = true};
    *run = (struct run){.checked = SCH_ERROR_INTERNAL};
    sch_diagnostics_init(&run->list, &sch_allocator_libc, 1000);
    run->list.filter = &all;
    sch_diagnostics_source(&run->list, "case", text, bytes);
    run->parsed = sch_tgsi_parse(&sch_allocator_libc, limits, text, bytes, &run->list, &run->shader);
}

static void finish(struct run *run)
{
    if (run->parsed == SCH_OK) sch_ir_destroy(run->shader);
    sch_diagnostics_release(&run->list);
}

static const char *first_message(const struct run *run) { return run->list.count ? run->list.items[0].message : "-"; }

static void parse_case(struct run *run, enum preamble preamble, const char *body)
{
    char text[2048];
    int bytes = snprintf(text, sizeof text, "%s%s", preambles[preamble].text, body);
    assert_true(bytes > 0 && (size_t)bytes < sizeof text);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    parse(run, text, (size_t)bytes, &limits);
    sch_diagnostics_source(&run->list, "case", NULL, 0); /* the text goes with this function */
    if (run->parsed != SCH_OK) fail_msg("not parsed: %s\n%s", first_message(run), body);
    if (preambles[preamble].nesting) run->shader->limits.nesting = preambles[preamble].nesting;
    if (preambles[preamble].registers) run->shader->limits.registers = preambles[preamble].registers;
}

static void expect_broken(struct run *run, unsigned code, uint32_t line, const char *what)
{
    bool is_limit = code == SCH_D_NESTING_LIMIT || code == SCH_D_REGISTER_LIMIT;
    enum sch_result expected = code >= 2500 ? SCH_OK : is_limit ? SCH_ERROR_LIMIT : SCH_ERROR_INVALID;
    run->checked = sch_ir_check(run->shader, &run->list);
    if (count_reports(&run->list, code) != 1 || line_of_report(&run->list, code) != line ||
        count_other_errors(&run->list, code) || run->checked != expected)
        fail_msg("%u: %zu reports, line %u, %zu other errors, status %d, first: %s\n%s", code,
                 count_reports(&run->list, code), line_of_report(&run->list, code),
                 count_other_errors(&run->list, code), (int)run->checked, first_message(run), what);
}

/* --- what text cannot say --- */

/* The operand that is missing is not looked at. */
static void drop_source(struct sch_ir_shader *shader)
{
    shader->instructions[0].src_count--;
    shader->instructions[0].src[1].file = SCH_FILE_NULL;
}

static void clear_mask(struct sch_ir_shader *shader) { shader->instructions[0].dst[0].write_mask = 0; }
static void spoil_opcode(struct sch_ir_shader *shader) { shader->instructions[0].opcode = 255; }
static void drop_target(struct sch_ir_shader *shader) { shader->instructions[0].has_texture = false; }
static void empty_property(struct sch_ir_shader *shader) { shader->properties[0].count = 0; }

static void declare_no_file(struct sch_ir_shader *shader)
{
    for (size_t i = 0; i < shader->declaration_count; i++) /* of constants, which the shader does not read */
        if (shader->declarations[i].file == SCH_FILE_CONSTANT) shader->declarations[i].file = SCH_FILE_COUNT;
}

static void reverse_range(struct sch_ir_shader *shader)
{
    struct sch_ir_declaration *last = &shader->declarations[shader->declaration_count - 1];
    assert_int_equal(last->file, SCH_FILE_SAMPLER_VIEW);
    last->first = 9;
}

/* --- the table --- */

static const struct {
    unsigned code;
    enum preamble preamble;
    uint32_t line;
    const char *broken, *legal;
} cases[] = {
#define CASE(code, preamble, line, broken, legal) {code, preamble, line, broken, legal},
#define EDIT(code, function, line)
#include "check_cases.def"
#undef CASE
#undef EDIT
};

static const struct {
    unsigned code;
    void (*edit)(struct sch_ir_shader *shader);
    uint32_t line;
} edits[] = {
#define CASE(code, preamble, line, broken, legal)
#define EDIT(code, function, line) {code, function, line},
#include "check_cases.def"
#undef CASE
#undef EDIT
};

enum { CASE_COUNT = sizeof cases / sizeof *cases, EDIT_COUNT = sizeof edits / sizeof *edits };

static void rules_are_broken(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct run run;
        parse_case(&run, cases[i].preamble, cases[i].broken);
        expect_broken(&run, cases[i].code, cases[i].line, cases[i].broken);
        finish(&run);
    }
}

static void neighbours_are_legal(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        struct run run;
        parse_case(&run, cases[i].preamble, cases[i].legal);
        run.checked = sch_ir_check(run.shader, &run.list);
        if (run.checked != SCH_OK || count_reports(&run.list, cases[i].code))
            fail_msg("%u: status %d, first: %s\n%s", cases[i].code, (int)run.checked, first_message(&run),
                     cases[i].legal);
        finish(&run);
    }
}

static void edited_shaders(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDIT_COUNT; i++) {
        struct run run;
        parse_case(&run, F, "TEX TEMP[0], IN[0], SAMP[0], 2D\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\nEND");
        assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_OK);
        edits[i].edit(run.shader);
        expect_broken(&run, edits[i].code, edits[i].line, "edited");
        finish(&run);
    }
}

static bool has_case(unsigned code)
{
    for (size_t i = 0; i < CASE_COUNT; i++)
        if (cases[i].code == code) return true;
    for (size_t i = 0; i < EDIT_COUNT; i++)
        if (edits[i].code == code) return true;
    return false;
}

static void every_rule_has_a_case(void **state)
{
    (void)state;
    size_t count, rules = 0;
    const struct sch_error_info *infos = sch_diagnostic_rows(&count);
    for (size_t i = 0; i < count; i++) {
        if (infos[i].number < 2000 || infos[i].number > 2999) continue;
        if (infos[i].number >= 2300 && infos[i].number < 2500) continue; /* of other languages than TGSI */
        if (infos[i].number >= 2600 && infos[i].number < 2700) continue; /* and their warnings */
        rules++;
        if (!has_case(infos[i].number)) fail_msg("no case breaks rule %u", infos[i].number);
        bool warning = sch_diagnostic_severity(infos[i].number) != SCH_SEVERITY_ERROR;
        if (warning != (infos[i].number >= 2500)) fail_msg("%u is %s", infos[i].number, infos[i].severity);
    }
    assert_true(rules > 100);
}

/* Each pedantic rule is reported as such where it is asked for, and not at all where it is not. */
static void pedantic_rules_are_asked_for(void **state)
{
    (void)state;
    size_t pedantic = 0;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        if (sch_diagnostic_severity(cases[i].code) != SCH_SEVERITY_PEDANTIC) continue;
        struct run run;
        for (int asked = 0; asked < 2; asked++) {
            parse_case(&run, cases[i].preamble, cases[i].broken);
            const struct sch_warning_options filter = {.pedantic = asked};
            run.list.filter = asked ? &filter : NULL;
            size_t before = run.list.warnings;
            assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_OK);
            if (count_reports(&run.list, cases[i].code) != (size_t)asked || (asked && run.list.warnings == before))
                fail_msg("%u, asked %d: %zu reports\n%s", cases[i].code, asked, count_reports(&run.list, cases[i].code),
                         cases[i].broken);
            for (size_t j = 0; j < run.list.count; j++)
                assert_int_equal(run.list.items[j].severity, sch_diagnostic_severity(run.list.items[j].code));
            finish(&run);
        }
        pedantic++;
    }
    assert_true(pedantic >= 13);
}

/* One mistake is one report, however often it is used. */
static void reports_do_not_repeat(void **state)
{
    (void)state;
    struct run run;
    parse_case(&run, F,
               "ADD TEMP[8], TEMP[8], TEMP[8]\nMUL TEMP[8], TEMP[8], TEMP[9]\nMOV OUT[0], TEMP[9]\n"
               "MOV OUT[0], CONST[2][ADDR[1].x]\nMOV OUT[0], CONST[2][ADDR[1].x]\nEND");
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(count_reports(&run.list, SCH_D_UNDECLARED), 3);
    assert_int_equal(run.list.errors, 3);
    finish(&run);
}

/* So many that what was reported is looked up in a table that grew several times. */
static void many_reports_do_not_repeat(void **state)
{
    (void)state;
    enum { MOST = 400, LINE = 32 };
    char *text = malloc(64 + 2 * MOST * LINE);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "FRAG\nDCL OUT[0], COLOR\n");
    for (unsigned i = 0; i < 2 * MOST; i++) at += (size_t)sprintf(text + at, "MOV OUT[0], TEMP[%u]\n", i % MOST);
    at += (size_t)sprintf(text + at, "END\n");
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct run run;
    parse(&run, text, at, &limits);
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(run.list.errors, MOST);
    finish(&run);
    free(text);
}

/* Which components of a source an opcode reads: those of its mask, the first, the first two, three or four, by its row
 * in the specification, through the swizzle. Of a declaration that leaves one out, this one is told where it is
 * read. */
static void components_that_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        unsigned reads;
    } rows[] = {{"ADD OUT[0], IN[1], IN[1]", 15},
                {"ADD OUT[0].x, IN[1], IN[1]", 1},
                {"ADD OUT[0].yw, IN[1], IN[1]", 10},
                {"ADD OUT[0].y, IN[1].wzyx, IN[1].wzyx", 4},
                {"RCP OUT[0], IN[1]", 1},
                {"RCP OUT[0], IN[1].wwww", 8},
                {"EX2 OUT[0].w, IN[1].zxyw", 4},
                {"DP2 OUT[0], IN[1], IN[1]", 3},
                {"DP2 OUT[0].x, IN[1].zwxy, IN[1]", 15},
                {"DP3 OUT[0], IN[1], IN[1]", 7},
                {"DP3 OUT[0].w, IN[1].yzwx, IN[1].wwww", 14},
                {"DP4 OUT[0], IN[1], IN[1]", 15},
                {"DP4 OUT[0].x, IN[1].xxxx, IN[1].yyyy", 3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned c = 0; c < 4; c++) {
            char text[256], mask[5] = "";
            for (unsigned k = 0; k < 4; k++)
                if (k != c) strncat(mask, &"xyzw"[k], 1);
            struct sch_limits limits = SCH_LIMITS_DEFAULT;
            struct run run;
            int bytes = snprintf(text, sizeof text, "FRAG\nDCL IN[1].%s, GENERIC[0]\nDCL OUT[0], COLOR\n%s\nEND\n",
                                 mask, rows[i].line);
            parse(&run, text, (size_t)bytes, &limits);
            assert_non_null(run.shader);
            sch_ir_check(run.shader, &run.list);
            if (count_reports(&run.list, SCH_D_COMPONENT_LEFT_OUT) != (rows[i].reads >> c & 1))
                fail_msg("%s of .%s: %s", rows[i].line, mask, first_message(&run));
            finish(&run);
        }
}

/* Streams are known where an immediate says them, and only there. */
static void streams_of_immediates(void **state)
{
    (void)state;
    static const struct {
        const char *stream;
        size_t reports;
    } rows[] = {{"IMM[1].xxxx", 0},           {"IMM[1].yyyy", 1},  {"TEMP[1].xxxx", 0},
                {"IMM[ADDR[0].x+1].yyyy", 0}, {"TEMP[1].yyyy", 0}, {"IMM[0].wwww", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[512];
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct run run;
        int bytes = snprintf(text, sizeof text,
                             "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                             "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL OUT[0], POSITION\nDCL TEMP[0..3]\nDCL ADDR[0]\n"
                             "IMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] UINT32 {3, 4, 5, 6}\nMOV TEMP[1], IMM[0]\n"
                             "UARL ADDR[0].x, TEMP[1].xxxx\nEMIT %s\nEND\n",
                             rows[i].stream);
        parse(&run, text, (size_t)bytes, &limits);
        assert_non_null(run.shader);
        sch_ir_check(run.shader, &run.list);
        if (count_reports(&run.list, SCH_D_STREAM_RANGE) != rows[i].reports)
            fail_msg("%s: %s", rows[i].stream, first_message(&run));
        finish(&run);
    }
}

/* A limit that is hit beside another mistake does not hide it. */
static void limit_and_mistake(void **state)
{
    (void)state;
    struct run run;
    parse_case(&run, NESTING_3,
               "UIF IN[0].xxxx\nUIF IN[0].xxxx\nUIF IN[0].xxxx\nUIF IN[0].xxxx\nMOV TEMP[8], IN[0]\nEND");
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(run.list.errors, 2);
    finish(&run);
}

/* Numbers below zero, which tokens can hold, do not wrap to registers that exist. */
static void negative_numbers(void **state)
{
    (void)state;
    struct run run;
    parse_case(&run, F, "DCL TEMP[65535]\nDCL CONST[65535][0]\nDCL CONST[0][65535]\nMOV TEMP[0], CONST[0][0]\nEND");
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_OK);
    struct sch_ir_instruction *move = &run.shader->instructions[0];
    move->dst[0].index.index = -1;
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(run.list.errors, 1);
    move->dst[0].index.index = 0;
    move->src[0].dimension.index = -1;
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(run.list.errors, 2);
    move->src[0].dimension.index = 0;
    move->src[0].index.index = -1;
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(run.list.errors, 3);
    move->src[0].file = SCH_FILE_IMMEDIATE;
    move->src[0].has_dimension = false;
    assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
    assert_int_equal(run.list.errors, 4);
    assert_int_equal(count_reports(&run.list, SCH_D_UNDECLARED), 4);
    finish(&run);
}

/* What a shader lacks is reported at its first item, or at the first byte of a text that has none. */
static void what_lacks_is_reported_at_the_beginning(void **state)
{
    (void)state;
    static const struct {
        bool declaration, instruction;
        uint32_t line, column;
    } rows[] = {{false, false, 1, 1}, {true, false, 5, 6}, {false, true, 7, 8}, {true, true, 5, 6}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_TESS_CTRL, &limits);
        const struct sch_ir_declaration declaration = {
            .file = SCH_FILE_TEMPORARY, .usage_mask = 15, .position = {5, 6, 0}};
        const struct sch_ir_instruction instruction = {.opcode = SCH_OP_END, .position = {7, 8, 0}};
        if (rows[i].declaration) sch_ir_add_declaration(shader, &declaration);
        if (rows[i].instruction) sch_ir_add_instruction(shader, &instruction);
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        sch_ir_check(shader, &list);
        size_t at = 0;
        while (at < list.count && list.items[at].code != SCH_D_PROPERTY_MISSING) at++;
        assert_true(at < list.count);
        assert_int_equal(list.items[at].position.line, rows[i].line);
        assert_int_equal(list.items[at].position.column, rows[i].column);
        sch_diagnostics_release(&list);
        sch_ir_destroy(shader);
    }
}

/* Rules of style are TGSI's: of Direct3D's programs, lowered ones, only errors are reported. */
static void lowered_shaders_have_errors_only(void **state)
{
    (void)state;
    for (unsigned d3d = 0; d3d < 2; d3d++) {
        struct run run;
        char text[256];
        snprintf(text, sizeof text, "%sD2F TEMP[0].y, IN[0].xyyy\nMOV TEMP[8], IN[0]\nEND",
                 d3d ? "PROPERTY D3D_RULES 1\n" : "");
        parse_case(&run, F, text);
        assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
        assert_int_equal(count_reports(&run.list, SCH_D_VALUE_TORN), !d3d);
        assert_int_equal(count_reports(&run.list, SCH_D_UNDECLARED), 1);
        finish(&run);
    }
}

/* Tokens may leave the mask of components out: then all four are there. */
static void declarations_without_a_mask_have_all_components(void **state)
{
    (void)state;
    for (unsigned mask = 0; mask < 16; mask++) {
        struct run run;
        parse_case(&run, F, "MOV TEMP[0], IN[0]\nEND");
        for (size_t i = 0; i < run.shader->declaration_count; i++)
            if (run.shader->declarations[i].file == SCH_FILE_INPUT)
                run.shader->declarations[i].usage_mask = (uint8_t)mask;
        assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_OK);
        assert_int_equal(count_reports(&run.list, SCH_D_COMPONENT_LEFT_OUT), mask && mask != 15);
        finish(&run);
    }
}

/* Reports say what an operand should have been. */
static void reports_say_what_is_wanted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {{"FBFETCH TEMP[0], IN[0]\nEND", "an output"},
                {"IMG2HND TEMP[0].xy, SAMP[0]\nEND", "an image"},
                {"SAMPLE_POS TEMP[0], SAMP[0], IN[0]\nEND", "a sampler view or temporary"},
                {"LOAD TEMP[0], SVIEW[0], IN[0]\nEND", "a resource"},
                {"ATOMUADD TEMP[0].x, SAMP[0], IN[0], IN[0]\nEND", "a resource"},
                {"SAMPLE TEMP[0], IN[0], SAMP[0], SAMP[0]\nEND", " a sampler view"},
                {"TEX TEMP[0], IN[0], SVIEW[0], 2D\nEND", " a sampler"},
                {"MOV TEMP[0], CONST[3][5]\nEND", "CONST[3][5] is not declared"},
                {"MOV TEMP[0], TEMP[99]\nEND", "TEMP[99] is not declared"},
                {"MOV TEMP[0], IMM[99]\nEND", "IMM[99] is not declared"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run run;
        parse_case(&run, F, rows[i].text);
        assert_int_equal(sch_ir_check(run.shader, &run.list), SCH_ERROR_INVALID);
        if (!strstr(first_message(&run), rows[i].wanted)) fail_msg("%s\n%s", first_message(&run), rows[i].text);
        finish(&run);
    }
}

static void without_a_list(void **state)
{
    (void)state;
    struct run run;
    parse_case(&run, F, "MOV TEMP[8], IN[0]\nEND");
    assert_int_equal(sch_ir_check(run.shader, NULL), SCH_ERROR_INVALID);
    finish(&run);
    parse_case(&run, F, "MOV TEMP[7], IN[0]\nEND");
    assert_int_equal(sch_ir_check(run.shader, NULL), SCH_OK);
    finish(&run);
}

/* --- hostile shaders --- */

/* Declarations that all overlap and operands that are all undeclared: time and memory stay linear. */
static void many_declarations(void **state)
{
    (void)state;
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct sch_ir_shader *shader = sch_ir_create(&sch_allocator_libc, SCH_STAGE_FRAGMENT, &limits);
    for (unsigned i = 0; i < 60000; i++) {
        struct sch_ir_declaration declaration = {.file = SCH_FILE_CONSTANT,
                                                 .usage_mask = 15,
                                                 .has_dimension = true,
                                                 .dimension = (uint16_t)(i % 7),
                                                 .first = (uint16_t)(60000 - i),
                                                 .last = 65535,
                                                 .array_id = (uint16_t)i};
        assert_int_equal(sch_ir_add_declaration(shader, &declaration), SCH_OK);
    }
    for (unsigned i = 0; i < 200000; i++) {
        struct sch_ir_instruction instruction = {.opcode = SCH_OP_MOV, .dst_count = 1, .src_count = 1};
        instruction.dst[0] = sch_ir_dst(SCH_FILE_TEMPORARY, (int)(i % 32768));
        instruction.src[0] = sch_ir_src(SCH_FILE_CONSTANT, (int)(i % 32768));
        instruction.src[0].has_dimension = true;
        instruction.src[0].dimension.index = (int16_t)(i % 30000);
        assert_int_equal(sch_ir_add_instruction(shader, &instruction), SCH_OK);
    }
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 100);
    assert_int_equal(sch_ir_check(shader, &list), SCH_ERROR_INVALID);
    assert_int_equal(list.count, 100);
    assert_true(list.errors > 100000);
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
}

static uint32_t random_next(uint64_t *seed) { return (uint32_t)(random_number(seed) >> 32); }

static struct sch_ir_bracket random_bracket(uint64_t *seed)
{
    return (struct sch_ir_bracket){.index =
                                       (int16_t)(random_next(seed) % 4 ? random_next(seed) % 4 : random_next(seed)),
                                   .is_indirect = random_next(seed) % 4 == 0,
                                   .indirect = {.file = (uint8_t)(random_next(seed) % 18),
                                                .component = (uint8_t)(random_next(seed) % 4),
                                                .array_id = (uint16_t)(random_next(seed) % 3),
                                                .index = (int16_t)(random_next(seed) % 4)}};
}

static void random_instruction(struct sch_ir_shader *shader, uint64_t *seed)
{
    struct sch_ir_instruction instruction = {.opcode = (uint16_t)(random_next(seed) % 257)};
    const struct sch_op_info *info = sch_op_info(instruction.opcode);
    instruction.dst_count = info ? info->dsts : 1;
    instruction.src_count = info ? info->srcs : 1;
    instruction.has_texture = random_next(seed) % 4;
    instruction.target = (uint8_t)random_next(seed);
    if (random_next(seed) % 4) instruction.target %= SCH_TARGET_COUNT;
    instruction.has_label = true;
    instruction.label = random_next(seed) % 64;
    instruction.has_memory = random_next(seed) % 2;
    instruction.memory_format = (uint16_t)random_next(seed);
    instruction.offset_count = (uint8_t)(random_next(seed) % 5);
    instruction.saturate = random_next(seed) % 8 == 0;
    for (unsigned i = 0; i < instruction.dst_count; i++)
        instruction.dst[i] = (struct sch_ir_dst){.file = (uint8_t)(random_next(seed) % 18),
                                                 .write_mask = random_next(seed) % 16,
                                                 .has_dimension = random_next(seed) % 4 == 0,
                                                 .index = random_bracket(seed),
                                                 .dimension = random_bracket(seed)};
    for (unsigned i = 0; i < instruction.src_count; i++) {
        instruction.src[i] = (struct sch_ir_src){.file = (uint8_t)(random_next(seed) % 18),
                                                 .negate = random_next(seed) % 4 == 0,
                                                 .absolute = random_next(seed) % 4 == 0,
                                                 .has_dimension = random_next(seed) % 4 == 0,
                                                 .index = random_bracket(seed),
                                                 .dimension = random_bracket(seed)};
        for (unsigned c = 0; c < 4; c++) instruction.src[i].swizzle[c] = random_next(seed) % 4;
    }
    for (unsigned i = 0; i < instruction.offset_count && i < SCH_MAX_OFFSETS; i++)
        instruction.offset[i].file = (uint8_t)(random_next(seed) % 18);
    assert_int_equal(sch_ir_add_instruction(shader, &instruction), SCH_OK);
}

static void random_declaration(struct sch_ir_shader *shader, uint64_t *seed)
{
    uint16_t first = (uint16_t)(random_next(seed) % 4);
    struct sch_ir_declaration declaration = {.file = (uint8_t)(random_next(seed) % 17),
                                             .usage_mask = random_next(seed) % 16,
                                             .has_dimension = random_next(seed) % 3 == 0,
                                             .dimension = (uint16_t)(random_next(seed) % 3),
                                             .has_semantic = random_next(seed) % 2,
                                             .semantic = (uint8_t)(random_next(seed) % 52),
                                             .semantic_index = (uint16_t)random_next(seed),
                                             .has_interpolation = random_next(seed) % 4 == 0,
                                             .first = first,
                                             .last = (uint16_t)(first + random_next(seed) % 3),
                                             .array_id = (uint16_t)(random_next(seed) % 3),
                                             .target = (uint8_t)random_next(seed),
                                             .format = (uint16_t)random_next(seed)};
    assert_int_equal(sch_ir_add_declaration(shader, &declaration), SCH_OK);
}

/* Shaders of random fields, as damaged tokens may give them: the check ends with an answer. */
static void random_shaders(void **state)
{
    (void)state;
    uint64_t seed = 7;
    size_t invalid = 0;
    const int rounds = 3000;
    for (int round = 0; round < rounds; round++) {
        struct sch_limits limits = SCH_LIMITS_DEFAULT;
        struct sch_ir_shader *shader =
            sch_ir_create(&sch_allocator_libc, (enum sch_stage)(random_next(&seed) % SCH_STAGE_COUNT), &limits);
        for (unsigned i = random_next(&seed) % 20; i > 0; i--) random_declaration(shader, &seed);
        for (unsigned i = random_next(&seed) % 40; i > 0; i--) random_instruction(shader, &seed);
        struct sch_ir_property property = {.name = (uint8_t)random_next(&seed), .count = random_next(&seed) % 2};
        property.value[0] = random_next(&seed) % 40;
        assert_int_equal(sch_ir_add_property(shader, &property), SCH_OK);
        enum sch_result status = sch_ir_check(shader, NULL);
        assert_true(status == SCH_OK || status == SCH_ERROR_INVALID);
        invalid += status == SCH_ERROR_INVALID;
        sch_ir_destroy(shader);
    }
    assert_true(invalid > (size_t)rounds / 2);
}

/* With an allocator that refuses its requests from one on. */
static enum sch_result check_within(struct sch_ir_shader *shader, int from)
{
    struct counting counting = {.fail_from = from};
    const struct sch_allocator real = shader->arena.allocator;
    shader->arena.allocator = counting_callbacks(&counting);
    enum sch_result status = sch_ir_check(shader, NULL);
    shader->arena.allocator = real;
    assert_int_equal(counting.live, 0);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    struct run run;
    bool refused = false, done = false;
    parse_case(&run, F, "DCL TEMP[8..9], ARRAY(1)\nCAL :2\nEND\nBGNSUB\nENDSUB");
    for (int from = 1; from <= 32 && !done; from++) {
        enum sch_result status = check_within(run.shader, from);
        assert_true(status == SCH_OK || status == SCH_ERROR_MEMORY);
        refused |= status == SCH_ERROR_MEMORY;
        done = status == SCH_OK;
    }
    assert_true(refused);
    assert_true(done);
    finish(&run);
}

/* The same of shaders with so many registers that each set grows once where there is no room. */
static void memory_that_ends_anywhere(void **state)
{
    (void)state;
    static char text[1 << 14];
    for (unsigned registers = 0; registers < 140; registers += 3) {
        struct run run;
        const struct sch_limits limits = SCH_LIMITS_DEFAULT;
        size_t bytes = (size_t)snprintf(text, sizeof text, "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[1000], ARRAY(1)\n");
        for (unsigned n = 0; n < registers; n++)
            bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "DCL TEMP[%u]\nMOV OUT[0], TEMP[%u]\n", 2 * n,
                                      2 * n + 1);
        bytes += (size_t)snprintf(text + bytes, sizeof text - bytes, "END\n");
        parse(&run, text, bytes, &limits);
        assert_int_equal(run.parsed, SCH_OK);
        enum sch_result status = SCH_ERROR_MEMORY;
        for (int from = 1; from <= 32 && status == SCH_ERROR_MEMORY; from++) status = check_within(run.shader, from);
        assert_int_equal(status, registers ? SCH_ERROR_INVALID : SCH_OK);
        finish(&run);
    }
}

/* --- real programs --- */

/* Parses and checks a file; a file that the parser refuses is a failure of the parser's tests, and of this one. */
static void check_file(const char *path, size_t *histogram)
{
    size_t bytes;
    char *text = load_file(path, &bytes);
    assert_non_null(text);
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct run run;
    parse(&run, text, bytes, &limits);
    if (run.parsed == SCH_OK) run.checked = sch_ir_check(run.shader, &run.list);
    if (run.parsed != SCH_OK || run.checked != SCH_OK || run.list.errors)
        fail_msg("%s: parsed %d, checked %d: %s", path, (int)run.parsed, (int)run.checked, first_message(&run));
    for (size_t i = 0; i < run.list.count; i++)
        if (run.list.items[i].code < 3000) histogram[run.list.items[i].code]++;
    finish(&run);
    free(text);
}

/* The warnings of the captured shaders that lie beside the repository: by default, and the pedantic ones. */
enum { CAPTURED = 3383 };
static const struct {
    unsigned code;
    size_t by_default, pedantic;
} captured_warnings[] = {
    {2510, 0, 70},  {2514, 0, 241}, {2515, 0, 476}, {2517, 0, 80}, {2518, 0, 14},
    {2520, 0, 171}, {2522, 2, 0},   {2523, 3, 0},   {2524, 0, 7},  {2548, 0, 36},
    {2549, 0, 12},  {2560, 0, 16},  {2561, 0, 1},   {2570, 0, 15}, {2571, 0, 11},
};

static void expect_captured(const size_t *histogram)
{
    size_t sum = 0, expected = 0;
    for (unsigned code = 0; code < 3000; code++) sum += histogram[code];
    for (size_t i = 0; i < sizeof captured_warnings / sizeof *captured_warnings; i++) {
        unsigned code = captured_warnings[i].code;
        bool pedantic = sch_diagnostic_severity(code) == SCH_SEVERITY_PEDANTIC;
        assert_int_equal(pedantic ? captured_warnings[i].by_default : captured_warnings[i].pedantic, 0);
        size_t count = captured_warnings[i].by_default + captured_warnings[i].pedantic;
        if (histogram[code] != count) fail_msg("%u is reported %zu times, not %zu", code, histogram[code], count);
        expected += count;
    }
    assert_int_equal(sum, expected); /* no other warning */
}

static void check_texts(char **paths, size_t count, size_t *histogram)
{
    for (size_t i = 0; i < count; i++) check_file(paths[i], histogram);
    printf("# %zu shaders accepted\n", count);
    for (unsigned code = 0; code < 3000; code++)
        if (histogram[code]) printf("# %5zu x warning %u\n", histogram[code], code);
}

/* Our own shaders (tests/corpus/tgsi) are written to be right: only pedantic rules have something to say. */
static void shaders_of_the_corpora(void **state)
{
    (void)state;
    size_t own = 0, count, *histogram = calloc(3000, sizeof *histogram);
    assert_non_null(histogram);
    char **paths = corpus_texts(&count);
    while (own < count && is_own_text(paths[own])) own++;
    check_texts(paths, own, histogram);
    free_texts(paths, count);
    for (unsigned code = 0; code < 3000; code++)
        if (histogram[code] && sch_diagnostic_severity(code) != SCH_SEVERITY_PEDANTIC)
            fail_msg("warning %u of a shader of our own", code);
    memset(histogram, 0, 3000 * sizeof *histogram);
    paths = captured_texts(&count);
    check_texts(paths, count, histogram);
    free_texts(paths, count);
    if (count == CAPTURED) expect_captured(histogram);
    free(histogram);
}

/* Probes that another parser accepts, and that cannot be executed: decisions.def says why. */
static const char *const refused_probes[] = {"unbalanced ENDIF", "CAL"};

static bool is_refused_probe(const char *name)
{
    for (size_t i = 0; i < sizeof refused_probes / sizeof *refused_probes; i++)
        if (!strcmp(name, refused_probes[i])) return true;
    return false;
}

/* "\n", "\r" and "\t" of the table's text column, in place. */
static size_t unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (from[0] != '\\' || !from[1] || !strchr("nrt", from[1])) {
            *to++ = *from;
            continue;
        }
        from++;
        *to++ = *from == 'n' ? '\n' : *from == 'r' ? '\r' : '\t';
    }
    *to = 0;
    return (size_t)(to - text);
}

static void check_probe(const char *name, char *text)
{
    struct sch_limits limits = SCH_LIMITS_DEFAULT;
    struct run run;
    parse(&run, text, unescape(text), &limits);
    if (run.parsed == SCH_OK) run.checked = sch_ir_check(run.shader, &run.list);
    enum sch_result expected = is_refused_probe(name) ? SCH_ERROR_INVALID : SCH_OK;
    if (run.parsed != SCH_OK || run.checked != expected)
        fail_msg("%s: parsed %d, checked %d: %s", name, (int)run.parsed, (int)run.checked, first_message(&run));
    finish(&run);
}

/* Checks what a table's verdict accepts; its text stands behind so many fields. */
static size_t check_probes(const char *path, unsigned behind)
{
    size_t bytes, accepted = 0;
    char *table = load_file(path, &bytes), *rest = table;
    assert_non_null(table);
    for (char *line; (line = strsep(&rest, "\n"));) {
        char *name = strsep(&line, "\t"), *parser = strsep(&line, "\t");
        if (!parser || strcmp(parser, "accept") != 0) continue;
        for (unsigned field = 2; field < behind; field++) strsep(&line, "\t");
        assert_non_null(line);
        check_probe(name, line);
        accepted++;
    }
    free(table);
    return accepted;
}

static void grammar_probes(void **state)
{
    (void)state;
    assert_true(check_probes(own_path("tgsi/probes.tsv"), 2) >= 19);
    const char *shared = shared_path("corpus/tgsi/grammar_cases.tsv");
    if (shared) assert_true(check_probes(shared, 4) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_broken),
        cmocka_unit_test(neighbours_are_legal),
        cmocka_unit_test(edited_shaders),
        cmocka_unit_test(every_rule_has_a_case),
        cmocka_unit_test(pedantic_rules_are_asked_for),
        cmocka_unit_test(reports_do_not_repeat),
        cmocka_unit_test(many_reports_do_not_repeat),
        cmocka_unit_test(components_that_are_read),
        cmocka_unit_test(streams_of_immediates),
        cmocka_unit_test(limit_and_mistake),
        cmocka_unit_test(negative_numbers),
        cmocka_unit_test(what_lacks_is_reported_at_the_beginning),
        cmocka_unit_test(lowered_shaders_have_errors_only),
        cmocka_unit_test(declarations_without_a_mask_have_all_components),
        cmocka_unit_test(reports_say_what_is_wanted),
        cmocka_unit_test(without_a_list),
        cmocka_unit_test(many_declarations),
        cmocka_unit_test(random_shaders),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(memory_that_ends_anywhere),
        cmocka_unit_test(shaders_of_the_corpora),
        cmocka_unit_test(grammar_probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
