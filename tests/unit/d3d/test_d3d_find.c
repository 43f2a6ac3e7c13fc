/* Listings in other texts (src/d3d/text/find.h): which are found, where they begin and end, and that places stay those
 * of the text. Texts of our own, in the shapes of logs, of comments in HLSL, and of what engines export. */
#include "d3d_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/counting.h"
#include "d3d/text/find.h"
#include "d3d/text/text.h"
#include "isa/errors.h"

enum { MOST = 3 };

#define BODY "dcl_output o0.xyzw\nmov o0.xyzw, l(0,0,0,0)\nret \n"
#define TABLE                                                                                                          \
    "// Input signature:\n//\n// Name                 Index   Mask Register SysValue  Format   Used\n"                 \
    "// -------------------- ----- ------ -------- -------- ------- ------\n"                                          \
    "// TEXCOORD                 0   xyzw        0     NONE   float   xyzw\n//\n"

/* A text, and of each listing in it the line where it begins, how many instructions and declarations it has, and how
 * many elements of input; `count` 0: none is found. */
static const struct text {
    const char *text;
    struct {
        uint32_t line;
        size_t instructions, inputs;
    } listing[MOST];
} texts[] = {
    {"ps_5_0\n" BODY, {{1, 3, 0}}},
    {TABLE "ps_5_0\n" BODY "// Approximately 2 instruction slots used\n", {{1, 3, 1}}},
    {"info: compiling\nps_5_0\n" BODY "info: done\n", {{2, 3, 0}}},
    {"float4 main() : SV_Target { return 0; }\n/*~~~~\n" TABLE "ps_5_0\n" BODY "~~~~*/\n", {{3, 3, 1}}},
    {"SubProgram \"d3d11 \" {\n\"!!DX11PixelSM40\nps_4_0\n" BODY "// Approximately 2 instruction slots used\"\n}\n"
     "SubProgram \"d3d11 \" {\n\"vs_4_0\n" BODY "\"\n}\n",
     {{3, 3, 0}, {10, 3, 0}}},
    {"ps_5_0\n" BODY "\nps_4_0\n" TABLE BODY, {{1, 3, 0}, {6, 3, 1}}},
    {"ps_5_0\n" BODY "\n" TABLE "ps_4_0\n" BODY, {{1, 3, 0}, {6, 3, 1}}},
    {"[1.5] a\n[1.5] // Input signature:\n[1.6] //\n[1.6] // Name Index Mask Register SysValue Format Used\n"
     "[1.6] // ---- ----- ------ -------- -------- ------- ------\n[1.6] // A 0 xyzw 0 NONE float xyzw\n[1.6] //\n"
     "[1.7] ps_5_0\n[12.8] dcl_output o0.xyzw\n[12.9]\n[13.0] ret \n[13.1] add to cache\n",
     {{2, 2, 1}}},
    {"x ps_5_0\n0x00000008: dcl_output o0.xyzw\n   0  0x00000014: ret\nlog of it\n", {{1, 2, 0}}},
    /* what stands after a RET is told by its form; within constructs it is no end */
    {"a\nps_5_0\nif_nz r0.x\n  ret\nendif\nret\nnot it\n", {{2, 4, 0}}},
    {"a\nps_5_0\ncall l0\nret\nlabel l0\nmov r0.x, r1.x\nret\nmov on\n", {{2, 5, 0}}},
    {"a\nps_5_0\ndcl_immediateConstantBuffer { { 0, 0, 0, 0},\n  { 1, 1, 1, 1} }\nret\n} end\n", {{2, 2, 0}}},
    {"a\nps_5_0\nret\n.chunk ABCD {\n 00 01\n}\nret to\n", {{2, 1, 0}}},
    {"a\nps_5_0\nsample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0\nret\nsample of\n",
     {{2, 2, 0}}},
    /* string literals: of C, of Rust with line ends escaped, whole ones in JSON, with comments before the profile */
    {"const char a[] =\n  \"ps_5_0\\n\"\n  \"dcl_output o0.xyzw\\n\" /* it */\n  \"mov o0.xyzw, \" "
     "\"l(0,0,0,0)\\r\\n\"\n  \"ret\\n\";\nint x;\n",
     {{2, 3, 0}}},
    {"let b = \"vs_4_0\\n\\\n  dcl_output o0.xyzw\\n\\\n  ret\\n\";\nx = \"ps_5_0\\nret\\n\";\n",
     {{1, 2, 0}, {4, 1, 0}}},
    {"{\"a\": \"// it\\nps_5_0\\nmov r0.x, r1.x\\nret\", \"b\": \"vs_5_0\\n\\tnop\\nret \\n\"}\n",
     {{1, 2, 0}, {1, 2, 0}}},
    {"s = \"//\\n\"\n\"// Input signature:\\n\"\n\"//\\n\"\n\"// Name Index Mask Register SysValue Format Used\\n\"\n"
     "\"// ---- ----- ------ -------- -------- ------- ------\\n\"\n\"// A 0 xyzw 0 NONE float xyzw\\n\"\n\"//\\n\"\n"
     "\"ps_5_0\\n\"\n\"dcl_input v0.xyzw\\n\"\n\"ret\\n\";\n",
     {{1, 2, 1}}},
    /* no listing */
    {"puts(\"ps_5_0\\n\"); puts(\"add it\\n\");\n", {{0, 0, 0}}},
    {"puts(\"using ps_5_0\\n\" \"ret\\n\");\n", {{0, 0, 0}}},
    {"compiling ps_5_0\nadd this to it\n", {{0, 0, 0}}},
    {"ps_3_0\nmov r0.x, r1.x\n", {{0, 0, 0}}},
    {"a\n// ps_5_0\nret\n", {{0, 0, 0}}},
    {"a\nps_5_0", {{0, 0, 0}}},
};

static enum sch_result assemble(const char *text, size_t bytes, uint32_t line, struct sch_diagnostics *list,
                                struct sch_d3d_shader **shader)
{
    const struct sch_limits limits = SCH_LIMITS_DEFAULT;
    sch_diagnostics_init(list, &sch_allocator_libc, 20);
    return sch_d3d_assemble_part(&sch_allocator_libc, &limits, text, bytes, line, list, shader);
}

static void check_text(const struct text *row)
{
    struct sch_d3d_found found;
    const size_t bytes = strlen(row->text);
    size_t count = 0;
    while (count < MOST && row->listing[count].line) count++;
    assert_int_equal(sch_d3d_find(&sch_allocator_libc, row->text, bytes, &found), SCH_OK);
    assert_true(sch_d3d_text_recognise(row->text, bytes) || sch_d3d_text_holds(row->text, bytes) == (count > 0));
    const bool other = !count && sch_d3d_text_recognise(row->text, bytes); /* of a model that is not read */
    if (found.count != (other ? 1 : count)) fail_msg("%s: %zu listings", row->text, found.count);
    for (size_t i = 0; i < count; i++) {
        const struct sch_d3d_span *span = &found.spans[i];
        struct sch_diagnostics list;
        struct sch_d3d_shader *shader;
        if (span->line != row->listing[i].line) fail_msg("%s: listing %zu on line %u", row->text, i, span->line);
        enum sch_result status = assemble(row->text + span->begin, span->end - span->begin, span->line, &list, &shader);
        if (status != SCH_OK) fail_msg("%s: listing %zu: %s", row->text, i, list.items[0].message);
        if (list.count) fail_msg("%s: listing %zu: %s", row->text, i, list.items[0].message);
        assert_int_equal(shader->program->count, row->listing[i].instructions);
        assert_int_equal(shader->signatures[SCH_SIGNATURE_INPUT].count, row->listing[i].inputs);
        sch_d3d_shader_destroy(shader);
        sch_diagnostics_release(&list);
    }
    sch_d3d_found_release(&found);
    if (!count) return;
    /* All of the text: the only listing, or an error at the second. */
    struct sch_diagnostics list;
    struct sch_d3d_shader *shader;
    enum sch_result status = assemble(row->text, bytes, 1, &list, &shader);
    assert_int_equal(status, count > 1 ? SCH_ERROR_INVALID : SCH_OK);
    if (count > 1) {
        assert_int_equal(list.items[0].code, SCH_D_TEXT_WHICH);
        assert_int_equal(list.items[0].position.line, row->listing[1].line);
    } else {
        sch_d3d_shader_destroy(shader);
    }
    sch_diagnostics_release(&list);
}

static void listings_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check_text(&texts[i]);
}

/* A wrong line does not end a listing; reports stand where the line does, the prefix counted. */
static void places_are_those_of_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        unsigned code;
    } rows[] = {{"a\nps_5_0\nmov r0.x, r1.x\nfrob r0.x\nret\nb\n", 4, 1, SCH_D_ASM_MNEMONIC},
                {"x =\n\"ps_5_0\\n\"\n\"nop\\nfrob r0.x\\nret\\n\";\n", 3, 7, SCH_D_ASM_MNEMONIC},
                {"{\"a\": \"ps_5_0\\nnop\\nfrob r0.x\\nret\\n\"}\n", 1, 21, SCH_D_ASM_MNEMONIC},
                {"[1] ps_5_0\n[2] mov r0.x, r1.x\n[3] mov r0.x\n[4] ret\n", 3, 13, SCH_D_ASM_PUNCTUATION},
                {"a\nps_5_0\nmov r0.x, r1.x\nend of it\n", 4, 1, SCH_D_ASM_MNEMONIC}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_diagnostics list;
        struct sch_d3d_shader *shader;
        assert_int_equal(assemble(rows[i].text, strlen(rows[i].text), 1, &list, &shader), SCH_ERROR_INVALID);
        if (list.items[0].code != rows[i].code || list.items[0].position.line != rows[i].line ||
            list.items[0].position.column != rows[i].column)
            fail_msg("%s: %u at %u:%u: %s", rows[i].text, list.items[0].code, list.items[0].position.line,
                     list.items[0].position.column, list.items[0].message);
        sch_diagnostics_release(&list);
    }
}

static void memory_may_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        enum sch_result status = SCH_ERROR_MEMORY;
        for (long tries = 1; status == SCH_ERROR_MEMORY; tries++) {
            assert_true(tries < 100);
            struct counting counting = {.fail_from = tries};
            const struct sch_allocator allocator = counting_callbacks(&counting);
            struct sch_d3d_found found;
            status = sch_d3d_find(&allocator, texts[i].text, strlen(texts[i].text), &found);
            sch_d3d_found_release(&found);
            assert_int_equal(counting.live, 0);
        }
        assert_int_equal(status, SCH_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(listings_are_found),
                                       cmocka_unit_test(places_are_those_of_the_text),
                                       cmocka_unit_test(memory_may_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
