/* The Maxwell code that a lookup becomes, through the public API: the instruction and its operand words, written down
 * by hand from the instruction's page; what has no code; memory that is out; textures and samplers that are not bound.
 * That the code computes what the lookup means is test_maxwell_lower's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/counting.h"
#include "maxwell_group.h"

static void write_text(char text[1024], const char *target, int x, const char *lookup)
{
    snprintf(text, 1024,
             "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], PERSPECTIVE\nDCL OUT[0], COLOR\n"
             "DCL SAMP[0]\nDCL SVIEW[0], %s, FLOAT\nIMM[0] INT32 {%d, 2, 3, 0}\n%s\nEND\n",
             target, x, lookup);
}

/* What is found in the code; NULL: the lookup has no code. */
static const struct {
    const char *target;
    int x; /* IMM[0].x */
    const char *lookup, *code, *word;
} rows[] = {
    {"2D", 0, "TEX OUT[0], IN[0], SAMP[0], 2D", "TEXS ", NULL},
    {"2D", 7, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", "TEX.AOFFI ", "R2 = 0x27\n"},
    {"2D", -8, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", "TEX.AOFFI ", "R2 = 0x28\n"},
    {"2D", -1, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", "TEX.AOFFI ", "R2 = 0x2f\n"},
    {"2D", 8, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", NULL, NULL},
    {"2D", -9, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", NULL, NULL},
    {"2D", INT32_MAX, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", NULL, NULL},
    {"2D", INT32_MIN, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz", NULL, NULL},
    {"3D", 1, "TEX OUT[0], IN[0], SAMP[0], 3D, IMM[0].xyz", "TEX.AOFFI ", " = 0x321\n"},
    {"1D", 1, "TEX OUT[0], IN[0], SAMP[0], 1D, IMM[0].xyz", "TEX.AOFFI ", " = 0x1\n"},
    {"2D", 31, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyz", "TLD4S.R.AOFFI ", "R2 = 0x21f\n"},
    {"2D", -32, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyz", "TLD4S.R.AOFFI ", "R2 = 0x220\n"},
    {"2D", 32, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyz", NULL, NULL},
    {"2D", -33, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyz", NULL, NULL},
    /* Offsets do not apply to cubes. */
    {"CUBE", 1, "TEX OUT[0], IN[0], SAMP[0], CUBE, IMM[0].xyz", "TEXS ", NULL},
    {"CUBE", 99, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], CUBE, IMM[0].xyz", "TLD4.R R", NULL},
    {"CUBE", 1, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], CUBE, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz",
     "TLD4.R R", NULL},
    {"2D", 1, "TG4 OUT[0], IN[0], IMM[0].wwww, SAMP[0], 2D, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz, IMM[0].xyz",
     "TLD4.R.PTP ", " = 0x2010201\n"},
    {"2D", 0, "TXD OUT[0], IN[0], IN[1], IN[1], SAMP[0], 2D", "TXD ", NULL},
    {"2D", 0, "TXL OUT[0], IN[0], SAMP[0], 2D", "TEXS.LL ", NULL},
    {"2D", 0, "TXB OUT[0], IN[0], SAMP[0], 2D", "TEX.LB ", NULL},
    {"2D", 0, "LODQ OUT[0], IN[0], SAMP[0], 2D", "TMML", NULL},
    {"2D", 0, "TXQ OUT[0], IN[0], SAMP[0], 2D", "TXQ R", "TEX_HEADER_DIMENSION"},
};

static void lookups_become_their_instructions(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1024], *code = NULL;
        struct sch_shader *shader = NULL;
        const struct sch_translate_options options = {.size = sizeof options, .to = SCH_TRANSLATE_MAXWELL};
        write_text(text, rows[i].target, rows[i].x, rows[i].lookup);
        if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("%s", text);
        const enum sch_result result = sch_shader_translate(shader, &options, NULL, &code, NULL);
        assert_int_equal(result, rows[i].code ? SCH_OK : SCH_ERROR_UNSUPPORTED);
        assert_non_null(
            strstr(code, rows[i].code ? "1 lookups: 1 lowered, 0 refused" : "1 lookups: 0 lowered, 1 refused"));
        if (!rows[i].code) assert_non_null(strstr(code, "a texel offset is larger than its packed field"));
        if (rows[i].code && !strstr(code, rows[i].code)) fail_msg("%s not in\n%s", rows[i].code, code);
        if (rows[i].word && !strstr(code, rows[i].word)) fail_msg("%s not in\n%s", rows[i].word, code);
        sch_free(context, code);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* The code of a lookup, line by line: what comes into which register (pages' packing: Ra and Rb hold layer,
 * coordinates, handle, level, offsets, reference, sample in this order, aligned to their number), the instruction, and
 * what becomes of its results. */
static const struct {
    const char *target, *lookup, *code;
} whole[] = {
    {"2D", "TEX OUT[0].x, IN[0], SAMP[0], 2D",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "TEXS RZ, R2, R0, R1, 0x0, 2D, R;\n"
      "//     dst.x = R2\n")},
    {"2D", "TEX OUT[0].yz, IN[0], SAMP[0], 2D",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "TEX R2, R0, 0x0, 2D, 0x6;\n"
      "//     dst.y = R2\n"
      "//     dst.z = R3\n")},
    {"2D", "TEX OUT[0], IN[0], SAMP[0], 2D",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "TEXS R4, R2, R0, R1, 0x0, 2D, RGBA;\n"
      "//     dst.x = R2\n"
      "//     dst.y = R3\n"
      "//     dst.z = R4\n"
      "//     dst.w = R5\n")},
    {"3D", "TXB OUT[0].xyz, IN[0], SAMP[0], 3D",
     ("// c[0x0]: view 0 as 3D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "//     R2 = src0.z\n"
      "//     R3 = src0.w\n"
      "TEX.LB R4, R0, R3, 0x0, 3D, 0x7;\n"
      "//     dst.x = R4\n"
      "//     dst.y = R5\n"
      "//     dst.z = R6\n")},
    {"SHADOW2D_ARRAY", "TEX OUT[0].x, IN[0], SAMP[0], SHADOW2D_ARRAY",
     ("// c[0x0]: view 0 as 2D_ARRAY, sampler 0\n"
      "//     R0 = src0.z\n"
      "//     R0 = ROUND(R0)\n"
      "//     R0 = F2U(R0)\n"
      "//     R5 = 0xffff\n"
      "//     R0 = UMIN(R0, R5)\n"
      "//     R1 = src0.x\n"
      "//     R2 = src0.y\n"
      "//     R3 = src0.w\n"
      "TEX.DC R4, R0, R3, 0x0, ARRAY_2D, 0x1;\n"
      "//     dst.x = R4\n")},
    {"SHADOWCUBE", "TXD OUT[0].x, IN[0], IN[1], IN[1], SAMP[0], SHADOWCUBE",
     ("// c[0x0]: view 0 as CUBE, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "//     R2 = src0.z\n"
      "//     R7 = src0.x\n"
      "//     R8 = src0.y\n"
      "//     R9 = src0.z\n"
      "//     R10 = src1.x\n"
      "//     R11 = src2.x\n"
      "//     R12 = src1.y\n"
      "//     R13 = src2.y\n"
      "//     R14 = src1.z\n"
      "//     R15 = src2.z\n"
      "//     R4 = level of detail of the derivatives R10... at R7..., S8.8\n"
      "//     R17 = 0x10\n"
      "//     R18 = 0x0\n"
      "//     R16 = IBFE(R4, R18, R17)\n"
      "//     R16 = I2F(R16)\n"
      "//     R19 = 0x3b800000\n"
      "//     R16 = MUL(R16, R19)\n"
      "//     R4 = MOV(R16)\n"
      "//     R5 = src0.w\n"
      "TEX.LL.DC R6, R0, R4, 0x0, CUBE, 0x1;\n"
      "//     dst.x = R6\n")},
    {"2D", "TXP OUT[0], IN[0], SAMP[0], 2D",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R6 = src0.w\n"
      "//     R0 = DIV(R0, R6)\n"
      "//     R1 = src0.y\n"
      "//     R7 = src0.w\n"
      "//     R1 = DIV(R1, R7)\n"
      "TEXS R4, R2, R0, R1, 0x0, 2D, RGBA;\n"
      "//     dst.x = R2\n"
      "//     dst.y = R3\n"
      "//     dst.z = R4\n"
      "//     dst.w = R5\n")},
    {"2D", "TXD OUT[0], IN[0], IN[1], IN[1], SAMP[0], 2D, IN[1].xyz",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "//     R2 = 0x0\n"
      "//     R12 = offset0.x\n"
      "//     R13 = 0x10\n"
      "//     R14 = 0x4\n"
      "//     R2 = BFI(R2, R12, R13, R14)\n"
      "//     R15 = offset0.y\n"
      "//     R16 = 0x14\n"
      "//     R17 = 0x4\n"
      "//     R2 = BFI(R2, R15, R16, R17)\n"
      "//     R4 = src1.x\n"
      "//     R5 = src2.x\n"
      "//     R6 = src1.y\n"
      "//     R7 = src2.y\n"
      "TXD.AOFFI R8, R0, R4, 0x0, 2D, 0xf;\n"
      "//     dst.x = R8\n"
      "//     dst.y = R9\n"
      "//     dst.z = R10\n"
      "//     dst.w = R11\n")},
    {"2D_ARRAY", "TXF OUT[0].w, IN[0], SAMP[0], 2D_ARRAY",
     ("// c[0x0]: view 0 as 2D_ARRAY\n"
      "//     R0 = src0.z\n"
      "//     R5 = 0xffff\n"
      "//     R0 = UMIN(R0, R5)\n"
      "//     R1 = src0.x\n"
      "//     R2 = src0.y\n"
      "//     R3 = src0.w\n"
      "TLD.LL R4, R0, R3, 0x0, ARRAY_2D, 0x8;\n"
      "//     dst.w = R4\n")},
    {"2D", "LODQ OUT[0].xy, IN[0], SAMP[0], 2D",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "TMML.LOD R2, R0, 0x0, 2D, 0x3;\n"
      "//     R5 = 0x10\n"
      "//     R6 = 0x0\n"
      "//     R4 = UBFE(R3, R6, R5)\n"
      "//     R4 = U2F(R4)\n"
      "//     R7 = 0x3b800000\n"
      "//     R4 = MUL(R4, R7)\n"
      "//     R9 = 0x10\n"
      "//     R10 = 0x0\n"
      "//     R8 = IBFE(R2, R10, R9)\n"
      "//     R8 = I2F(R8)\n"
      "//     R11 = 0x3b800000\n"
      "//     R8 = MUL(R8, R11)\n"
      "//     dst.x = R4\n"
      "//     dst.y = R8\n")},
    {"2D", "TXQ OUT[0], IN[0], SAMP[0], 2D",
     ("// c[0x0]: view 0 as 2D\n"
      "//     R0 = src0.x\n"
      "TXQ R4, R0, TEX_HEADER_DIMENSION, 0x0, 0xb;\n"
      "//     R7 = 0x0\n"
      "//     dst.x = R4\n"
      "//     dst.y = R5\n"
      "//     dst.z = R7\n"
      "//     dst.w = R6\n")},
    {"2D_MSAA", "TXF OUT[0].xy, IN[0], SAMP[0], 2D_MSAA",
     ("// c[0x0]: view 0 as 2D_MSAA\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "//     R2 = src0.w\n"
      "TLDS.LZ.MS RZ, R4, R0, R2, 0x0, 2D, RG;\n"
      "//     dst.x = R4\n"
      "//     dst.y = R5\n")},
    {"2D", "TG4 OUT[0], IN[0], IMM[0].yyyy, SAMP[0], 2D, IMM[0].xyz, IN[1].xyz, IMM[0].xyz, IMM[0].xyz",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "//     R2 = 0x201\n"
      "//     R8 = offset1.x\n"
      "//     R9 = 0x10\n"
      "//     R10 = 0x8\n"
      "//     R2 = BFI(R2, R8, R9, R10)\n"
      "//     R11 = offset1.y\n"
      "//     R12 = 0x18\n"
      "//     R13 = 0x8\n"
      "//     R2 = BFI(R2, R11, R12, R13)\n"
      "//     R3 = 0x2010201\n"
      "TLD4.B.PTP R4, R0, R2, 0x0, 2D, 0xf;\n"
      "//     dst.x = R4\n"
      "//     dst.y = R5\n"
      "//     dst.z = R6\n"
      "//     dst.w = R7\n")},
    {"2D", "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].zzz",
     ("// c[0x0]: view 0 as 2D, sampler 0\n"
      "//     R0 = src0.x\n"
      "//     R1 = src0.y\n"
      "//     R2 = 0x33\n"
      "TEX.AOFFI R4, R0, R2, 0x0, 2D, 0xf;\n"
      "//     dst.x = R4\n"
      "//     dst.y = R5\n"
      "//     dst.z = R6\n"
      "//     dst.w = R7\n")},
};

static void code_is_written_line_by_line(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        char text[1024], wanted[2048], *code = NULL;
        struct sch_shader *shader = NULL;
        const struct sch_translate_options options = {.size = sizeof options, .to = SCH_TRANSLATE_MAXWELL};
        write_text(text, whole[i].target, 1, whole[i].lookup);
        const char *behind = strchr(whole[i].code, '\n') + 1;
        snprintf(
            wanted, sizeof wanted,
            "// Texture lookups as Maxwell code. Comments show the moves of operands and results.\n%.*s\n// 0: %s\n%s\n"
            "// 1 lookups: 1 lowered, 0 refused\n",
            (int)(behind - whole[i].code), whole[i].code, whole[i].lookup, behind);
        assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
        assert_int_equal(sch_shader_translate(shader, &options, NULL, &code, NULL), SCH_OK);
        assert_string_equal(code, wanted);
        sch_free(context, code);
        sch_shader_destroy(shader);
    }
    sch_context_destroy(context);
}

/* What has no code is said with its place, the opcode and the reason. */
static void refusals_are_reported(void **state)
{
    (void)state;
    struct sch_context *context = NULL;
    char text[1024];
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info view = {.size = sizeof view};
    const struct sch_program_options options = {.size = sizeof options, .engine = SCH_ENGINE_MAXWELL};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    write_text(text, "2D", 8, "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz");
    assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
    assert_int_equal(sch_program_create(context, shader, &options, list, &program), SCH_ERROR_UNSUPPORTED);
    assert_null(program);
    assert_true(sch_diagnostics_get(list, 0, &view));
    assert_string_equal(view.message, "TEX has no Maxwell code: a texel offset is larger than its packed field");
    assert_int_equal(view.line, 8);
    assert_false(sch_diagnostics_get(list, 1, &view));
    sch_diagnostics_destroy(list);
    sch_shader_destroy(shader);
    sch_context_destroy(context);
}

/* Each allocation of making a program and its text fails once: the call says so, and nothing is left. */
static void memory_that_is_out_is_said(void **state)
{
    (void)state;
    char text[1024];
    write_text(text, "2D", 1, rows[1].lookup);
    struct counting counting = {0};
    const struct sch_allocator memory = counting_callbacks(&counting);
    const struct sch_context_options options = {.size = sizeof options, .memory = &memory};
    struct sch_context *context = NULL;
    struct sch_shader *shader = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
    const long live = counting.live;
    enum sch_result result = SCH_ERROR_MEMORY;
    for (long n = 1; result != SCH_OK; n++) {
        struct sch_program *program = NULL;
        const struct sch_program_options maxwell = {.size = sizeof maxwell, .engine = SCH_ENGINE_MAXWELL};
        counting.fail_at = counting.calls + n;
        result = sch_program_create(context, shader, &maxwell, NULL, &program);
        counting.fail_at = 0;
        assert_int_equal(result, program ? SCH_OK : SCH_ERROR_MEMORY);
        sch_program_destroy(program);
        assert_int_equal(counting.live, live);
        assert_true(n < 1000);
    }
    result = SCH_ERROR_MEMORY;
    for (long n = 1; result != SCH_OK; n++) {
        char *code = NULL;
        size_t bytes = 1;
        const struct sch_translate_options to = {.size = sizeof to, .to = SCH_TRANSLATE_MAXWELL};
        counting.fail_at = counting.calls + n;
        result = sch_shader_translate(shader, &to, NULL, &code, &bytes);
        counting.fail_at = 0;
        assert_int_equal(result, code ? SCH_OK : SCH_ERROR_MEMORY);
        assert_int_equal(bytes, code ? strlen(code) : 0);
        if (code) sch_free(context, code);
        assert_int_equal(counting.live, live);
        assert_true(n < 1000);
    }
    sch_shader_destroy(shader);

    static const char program_text[] = "TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf;\n.section .text.more\n.word 5\n";
    result = SCH_ERROR_MEMORY;
    const long before = counting.live;
    for (long n = 1; result != SCH_OK; n++) {
        struct sch_shader *program = NULL;
        counting.fail_at = counting.calls + n;
        result = maxwell_read(context, program_text, strlen(program_text), NULL, NULL, &program);
        counting.fail_at = 0;
        assert_int_equal(result, program ? SCH_OK : SCH_ERROR_MEMORY);
        for (long k = 1; program && k < 1000; k++) {
            char *printed = NULL;
            counting.fail_at = counting.calls + k;
            const enum sch_result print = sch_shader_print(program, NULL, &printed, NULL);
            counting.fail_at = 0;
            assert_int_equal(print, printed ? SCH_OK : SCH_ERROR_MEMORY);
            if (printed) k = 1000;
            if (printed) sch_free(context, printed);
        }
        sch_shader_destroy(program);
        assert_int_equal(counting.live, before);
        assert_true(n < 1000);
    }
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

/* A lookup whose texture or sampler is not bound answers 0, by any engine. */
static void what_is_not_bound_reads_zero(void **state)
{
    (void)state;
    static const char *const lookups[] = {"TEX OUT[0], IN[0], SAMP[0], SHADOW2D",
                                          "TXD OUT[0], IN[0], IN[1], IN[1], SAMP[0], SHADOW2D",
                                          "LODQ OUT[0], IN[0], SAMP[0], 2D"};
    static const enum sch_engine engines[] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_MAXWELL};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D,
                                               .format = sch_format_by_name("R32_FLOAT"),
                                               .width = 4,
                                               .height = 4};
    const struct sch_sampler_options plain = {.size = sizeof plain, .rules = SCH_RULES_MAXWELL};
    struct sch_resource *resource = NULL;
    struct sch_view *view = NULL;
    struct sch_sampler *sampler = NULL;
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &plain, NULL, &sampler), SCH_OK);
    for (size_t l = 0; l < sizeof lookups / sizeof *lookups; l++)
        for (unsigned e = 0; e < 2; e++)
            for (unsigned bound = 0; bound < 4; bound++) {
                char text[1024];
                struct sch_shader *shader = NULL;
                struct sch_program *program = NULL;
                const struct sch_program_options options = {.size = sizeof options, .engine = engines[e]};
                write_text(text, "2D", 0, lookups[l]);
                assert_int_equal(sch_shader_read(context, text, strlen(text), NULL, NULL, &shader), SCH_OK);
                assert_int_equal(sch_program_create(context, shader, &options, NULL, &program), SCH_OK);
                const struct sch_bindings bindings = {.size = sizeof bindings,
                                                      .views = &view,
                                                      .view_count = bound & 1,
                                                      .samplers = &sampler,
                                                      .sampler_count = bound >> 1};
                const float inputs[4][2][4] = {{{0.5f, 0.5f, -1, 0.5f}, {1, 1, 1, 1}}};
                uint32_t outputs[4][4];
                memset(outputs, 0xa5, sizeof outputs);
                const struct sch_invocations work = {.size = sizeof work,
                                                     .count = 4,
                                                     .quads = true,
                                                     .inputs = (const uint32_t *)inputs,
                                                     .input_bytes = sizeof inputs,
                                                     .input_registers = 2,
                                                     .outputs = outputs[0],
                                                     .output_bytes = sizeof outputs,
                                                     .output_registers = 1};
                assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
                for (unsigned i = 0; i < 4 && bound < 3; i++)
                    for (unsigned c = 0; c < 4; c++) assert_int_equal(outputs[i][c], 0);
                sch_program_destroy(program);
                sch_shader_destroy(shader);
            }
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* One program looks up views of many targets with samplers of its own each: every lookup finds its own, as the
 * interpreter does. Handles tell views, targets and samplers apart. */
static void lookups_find_their_own_units(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        enum sch_target target;
        uint32_t height, depth, layers;
    } units[] = {{"BUFFER", SCH_TARGET_BUFFER, 1, 1, 1},
                 {"1D", SCH_TARGET_1D, 1, 1, 1},
                 {"2D", SCH_TARGET_2D, 4, 1, 1},
                 {"3D", SCH_TARGET_3D, 4, 4, 1},
                 {"CUBE", SCH_TARGET_CUBE, 4, 1, 6},
                 {"RECT", SCH_TARGET_RECT, 4, 1, 1},
                 {"1D_ARRAY", SCH_TARGET_1D_ARRAY, 1, 1, 3},
                 {"2D_ARRAY", SCH_TARGET_2D_ARRAY, 4, 1, 3},
                 {"2D", SCH_TARGET_2D, 4, 1, 1},
                 {"CUBEARRAY", SCH_TARGET_CUBE_ARRAY, 4, 1, 6}};
    enum { UNITS = sizeof units / sizeof *units, LANES = 8 };
    struct sch_context *context = NULL;
    struct sch_resource *resources[UNITS];
    struct sch_view *views[UNITS];
    struct sch_sampler *samplers[UNITS];
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (unsigned n = 0; n < UNITS; n++) {
        const struct sch_resource_options shape = {.size = sizeof shape,
                                                   .target = units[n].target,
                                                   .format = sch_format_by_name("R32_FLOAT"),
                                                   .width = 4,
                                                   .height = units[n].height,
                                                   .depth = units[n].depth,
                                                   .layers = units[n].layers};
        const struct sch_sampler_options options = {.size = sizeof options,
                                                    .rules = SCH_RULES_MAXWELL,
                                                    .unnormalized = units[n].target == SCH_TARGET_RECT,
                                                    .min_filter = n & 1 ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST,
                                                    .mag_filter = n & 1 ? SCH_FILTER_LINEAR : SCH_FILTER_NEAREST};
        float texels[256];
        assert_int_equal(sch_resource_create(context, &shape, NULL, &resources[n]), SCH_OK);
        for (unsigned i = 0; i < 256; i++) texels[i] = (float)(1 + n * 256 + i);
        assert_int_equal(sch_resource_write_all(resources[n], texels, sch_resource_bytes(resources[n])), SCH_OK);
        assert_int_equal(sch_view_create(resources[n], NULL, &views[n]), SCH_OK);
        assert_int_equal(sch_sampler_create(context, &options, NULL, &samplers[n]), SCH_OK);
    }
    for (unsigned order = 0; order < 2; order++) {
        char text[4096];
        size_t at = (size_t)snprintf(text, sizeof text, "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL SAMP[0..%d]\n",
                                     UNITS - 1);
        for (unsigned n = 0; n < UNITS; n++)
            at += (size_t)snprintf(text + at, sizeof text - at, "DCL SVIEW[%u], %s, FLOAT\nDCL OUT[%u], GENERIC[%u]\n",
                                   n, units[n].word, n, n);
        at += (size_t)snprintf(text + at, sizeof text - at, "DCL TEMP[0]\nF2I TEMP[0], IN[0]\n");
        for (unsigned i = 0; i < UNITS; i++) {
            const unsigned n = order ? UNITS - 1 - i : i;
            const bool fetches = units[n].target == SCH_TARGET_BUFFER;
            at += (size_t)snprintf(text + at, sizeof text - at, "%s OUT[%u], %s, SAMP[%u], %s\n",
                                   fetches ? "TXF" : "TEX", n, fetches ? "TEMP[0]" : "IN[0]", n, units[n].word);
        }
        snprintf(text + at, sizeof text - at, "END\n");
        struct sch_shader *shader = NULL;
        uint32_t outputs[2][LANES][UNITS][4];
        if (sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) != SCH_OK) fail_msg("%s", text);
        for (unsigned e = 0; e < 2; e++) {
            struct sch_program *program = NULL;
            const struct sch_program_options options = {.size = sizeof options,
                                                        .engine = e ? SCH_ENGINE_MAXWELL : SCH_ENGINE_INTERPRETER};
            assert_int_equal(sch_program_create(context, shader, &options, NULL, &program), SCH_OK);
            const struct sch_bindings bindings = {.size = sizeof bindings,
                                                  .views = views,
                                                  .view_count = UNITS,
                                                  .samplers = samplers,
                                                  .sampler_count = UNITS};
            float inputs[LANES][1][4];
            for (unsigned i = 0; i < LANES; i++)
                for (unsigned c = 0; c < 4; c++) inputs[i][0][c] = (float)((i * 3 + c * 5) % 7) * 0.375f;
            const struct sch_invocations work = {.size = sizeof work,
                                                 .count = LANES,
                                                 .quads = true,
                                                 .inputs = (const uint32_t *)inputs,
                                                 .input_bytes = sizeof inputs,
                                                 .input_registers = 1,
                                                 .outputs = outputs[e][0][0],
                                                 .output_bytes = sizeof outputs[e],
                                                 .output_registers = UNITS};
            assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
            sch_program_destroy(program);
        }
        for (unsigned i = 0; i < LANES; i++)
            for (unsigned n = 0; n < UNITS; n++)
                if (memcmp(outputs[0][i][n], outputs[1][i][n], 16)) fail_msg("order %u, lane %u, unit %u", order, i, n);
        for (unsigned n = 0; n < UNITS; n++)
            if (!outputs[1][0][n][0]) fail_msg("unit %u answers 0", n);
        sch_shader_destroy(shader);
    }
    for (unsigned n = 0; n < UNITS; n++) {
        sch_sampler_destroy(samplers[n]);
        sch_view_destroy(views[n]);
        sch_resource_destroy(resources[n]);
    }
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups_become_their_instructions),
        cmocka_unit_test(code_is_written_line_by_line),
        cmocka_unit_test(refusals_are_reported),
        cmocka_unit_test(memory_that_is_out_is_said),
        cmocka_unit_test(what_is_not_bound_reads_zero),
        cmocka_unit_test(lookups_find_their_own_units),
    };
    return cmocka_run_group_tests_name("maxwell_code", tests, NULL, NULL);
}
