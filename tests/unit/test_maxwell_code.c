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

#include "counting.h"

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

/* Each allocation of making a program and its text fails once: the call says so, and nothing is left. */
static void memory_that_is_out_is_said(void **state)
{
    (void)state;
    char text[1024];
    write_text(text, "2D", 1, rows[1].lookup);
    struct counting counting = {0};
    const struct sch_memory_callbacks memory = counting_callbacks(&counting);
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
        struct sch_maxwell_program *program = NULL;
        counting.fail_at = counting.calls + n;
        result = sch_maxwell_program_read(context, program_text, strlen(program_text), NULL, NULL, &program);
        counting.fail_at = 0;
        assert_int_equal(result, program ? SCH_OK : SCH_ERROR_MEMORY);
        for (long k = 1; program && k < 1000; k++) {
            char *printed = NULL;
            counting.fail_at = counting.calls + k;
            const enum sch_result print = sch_maxwell_program_print(program, NULL, &printed, NULL);
            counting.fail_at = 0;
            assert_int_equal(print, printed ? SCH_OK : SCH_ERROR_MEMORY);
            if (printed) k = 1000;
            if (printed) sch_free(context, printed);
        }
        sch_maxwell_program_destroy(program);
        assert_int_equal(counting.live, before);
        assert_true(n < 1000);
    }
    sch_context_destroy(context);
    assert_int_equal(counting.live, 0);
}

/* A lookup whose texture or sampler is not bound answers 0, by any engine. */
static void what_is_not_bound_answers_zero(void **state)
{
    (void)state;
    static const char *const lookups[] = {"TEX OUT[0], IN[0], SAMP[0], SHADOW2D",
                                          "TXD OUT[0], IN[0], IN[1], IN[1], SAMP[0], SHADOW2D",
                                          "LODQ OUT[0], IN[0], SAMP[0], 2D"};
    static const enum sch_engine engines[] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_MAXWELL};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TEXTURE_2D,
                                               .format = sch_format_by_name("R32_FLOAT"),
                                               .width = 4,
                                               .height = 4};
    const struct sch_sampler_options plain = {.size = sizeof plain, .rules = SCH_LOOKUP_MAXWELL};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups_become_their_instructions),
        cmocka_unit_test(memory_that_is_out_is_said),
        cmocka_unit_test(what_is_not_bound_answers_zero),
    };
    return cmocka_run_group_tests_name("maxwell_code", tests, NULL, NULL);
}
