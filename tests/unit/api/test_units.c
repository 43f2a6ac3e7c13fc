/* Warnings of a dispatch about what a program reads and the bindings do not have: which, in which words, and how often.
 * What such reads give is tested elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"

#define FRAGMENT   "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nIMM[0] UINT32 {0, 0, 0, 0}\n"
#define ADDRESS    "DCL ADDR[0]\nUARL ADDR[0].x, IMM[0].xxxx\n"
#define TEXTURE    "DCL SAMP[2]\nTEX OUT[0], IN[0], SAMP[2], 2D\nEND\n"
#define LONG_ARRAY "DCL CONST[0..5]\n" ADDRESS "MOV OUT[0], CONST[ADDR[0].x+1]\nEND\n"

/* Runs one group with these bindings; the messages that `list` has then. */
static size_t run_told(const struct sch_program *program, const struct sch_bindings *bindings,
                       struct sch_diagnostics_list *list)
{
    uint32_t outputs[4];
    const struct sch_invocations work = {
        .size = sizeof work, .count = 1, .outputs = outputs, .output_bytes = sizeof outputs, .output_registers = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list};
    assert_int_equal(sch_dispatch(program, bindings, &work, &options, NULL), SCH_OK);
    assert_int_equal(outputs[0], 0);
    assert_int_equal(sch_diagnostics_errors(list), 0);
    return sch_diagnostics_warnings(list);
}

static struct sch_diagnostics_list *make_list(struct sch_context *context)
{
    struct sch_diagnostics_list *list = NULL;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    return list;
}

struct told {
    unsigned code;
    const char *message;
};

static void expect_told(const struct sch_diagnostics_list *list, const struct told *wanted)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    size_t count = 0;
    while (count < 3 && wanted[count].code) count++;
    assert_int_equal(sch_diagnostics_count(list), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(sch_diagnostics_get(list, i, &view));
        assert_string_equal(view.message, wanted[i].message);
        assert_int_equal(view.code, wanted[i].code);
        assert_int_equal(view.severity, SCH_SEVERITY_WARNING);
        assert_true(view.line > 0);
    }
}

/* Each kind of unit, with no bindings: told by its name, once; without a list nobody is told, and nothing is spent. */
static void test_units_that_are_not_bound(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct told told[3];
    } rows[] = {
        {FRAGMENT TEXTURE, {{6510, "SAMP[2] reads 0: no texture is bound"}}},
        {FRAGMENT "DCL SAMP[3]\nDCL SVIEW[0..1], 2D, FLOAT\nSAMPLE OUT[0], IN[0], SVIEW[1], SAMP[3]\nEND\n",
         {{6510, "SVIEW[1] reads 0: no texture is bound"}, {6511, "SAMP[3] reads 0: no sampler is bound"}}},
        {FRAGMENT "DCL SAMP[0..3]\n" ADDRESS "TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D\nEND\n",
         {{6510, "SAMP[0] to SAMP[3]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL CONST[0..5]\nDCL CONST[1][0..9]\nDCL TEMP[0]\nADD TEMP[0], CONST[5], CONST[3]\n"
                  "ADD OUT[0], TEMP[0], CONST[1][7]\nEND\n",
         {{6514, "CONST[3] and 1 more read 0: no constants are bound"},
          {6514, "CONST[1][7] reads 0: no constants are bound"}}},
        {FRAGMENT LONG_ARRAY, {{6514, "CONST[0] and 5 more read 0: no constants are bound"}}},
        {FRAGMENT "DCL CONSTBUF[1]\nLOAD OUT[0], CONSTBUF[1], IMM[0].xxxx\nEND\n",
         {{6514, "CONSTBUF[1] reads 0: no constants are bound to it"}}},
        {FRAGMENT "DCL BUFFER[4]\nDCL TEMP[0]\nLOAD OUT[0], BUFFER[4], IMM[0].xxxx\nSTORE BUFFER[4].x, IMM[0].xxxx, "
                  "TEMP[0].xxxx\nEND\n",
         {{6513, "BUFFER[4] reads 0 and writes nothing: no buffer is bound"}}},
        {FRAGMENT "DCL IMAGE[1], 2D, PIPE_FORMAT_R32_FLOAT, WR\nSTORE IMAGE[1], IMM[0], IMM[0], 2D, "
                  "PIPE_FORMAT_R32_FLOAT\nEND\n",
         {{6512, "IMAGE[1] writes nothing: no image is bound"}}},
        {FRAGMENT "DCL RES[0], BUFFER\nDCL RES[1], 2D\nDCL TEMP[0]\nLOAD TEMP[0], RES[0], IMM[0].xxxx\n"
                  "LOAD OUT[0], RES[1], IMM[0]\nEND\n",
         {{6513, "RES[0] reads 0: no buffer is bound"}, {6510, "RES[1] reads 0: no texture is bound"}}},
        {FRAGMENT "DCL HWATOMIC[3][0]\nATOMUADD OUT[0].x, HWATOMIC[3][0], IMM[0].xxxx, IMM[0].xxxx\nEND\n",
         {{6513, "HWATOMIC[3] reads 0 and writes nothing: no buffer of counters is bound"}}},
        {FRAGMENT "FBFETCH OUT[0], OUT[0]\nEND\n", {{6512, "COLOR[0] reads 0: no color buffer is bound"}}},
        {"COMP\nDCL MEMORY[0], GLOBAL\nIMM[0] UINT32 {0, 0, 0, 0}\nDCL TEMP[0]\nLOAD TEMP[0], MEMORY[0], IMM[0].xxxx\n"
         "END\n",
         {{6513, "MEMORY[0] reads 0: no GLOBAL memory is bound"}}},
        /* Of several registers the declaration in which the operand begins, else all that are declared. */
        {FRAGMENT "DCL SAMP[0..1]\nDCL SAMP[2..4]\nDCL SAMP[7]\n" ADDRESS
                  "TEX OUT[0], IN[0], SAMP[ADDR[0].x+2], 2D\nEND\n",
         {{6510, "SAMP[2] to SAMP[4]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL SAMP[0..1]\nDCL SAMP[2..4]\nDCL SAMP[7]\n" ADDRESS
                  "TEX OUT[0], IN[0], SAMP[ADDR[0].x+4], 2D\nEND\n",
         {{6510, "SAMP[2] to SAMP[4]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL SAMP[0..1]\nDCL SAMP[2..4]\nDCL SAMP[7]\n" ADDRESS
                  "TEX OUT[0], IN[0], SAMP[ADDR[0].x+1], 2D\nEND\n",
         {{6510, "SAMP[0] to SAMP[1]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL SAMP[0..1]\nDCL SAMP[2..4]\nDCL SAMP[7]\n" ADDRESS
                  "TEX OUT[0], IN[0], SAMP[ADDR[0].x+7], 2D\nEND\n",
         {{6510, "SAMP[0] to SAMP[7]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL SAMP[0..1]\nDCL SAMP[2..4]\nDCL SAMP[7]\n" ADDRESS
                  "TEX OUT[0], IN[0], SAMP[ADDR[0].x+9], 2D\nEND\n",
         {{6510, "SAMP[0] to SAMP[7]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL SAMP[0..1]\nDCL SAMP[2..4]\nDCL SAMP[7]\n" ADDRESS
                  "TEX OUT[0], IN[0], SAMP[ADDR[0].x-1], 2D\nEND\n",
         {{6510, "SAMP[0] to SAMP[7]: what registers choose of them reads 0: no texture is bound to any"}}},
        {FRAGMENT "DCL CONST[2][0..3]\nDCL CONST[5][0..3]\nDCL TEMP[9]\nDCL SAMP[11]\n" ADDRESS
                  "MOV OUT[0], CONST[ADDR[0].x+2][1]\nEND\n",
         {{6514, "CONST[2] to CONST[5]: what registers choose of them reads 0: no constants are bound to any"}}},
        {FRAGMENT "DCL CONST[0..3]\nDCL CONST[3][0..3]\n" ADDRESS "MOV OUT[0], CONST[ADDR[0].x+2][1]\nEND\n",
         {{6514, "CONST[0] to CONST[3]: what registers choose of them reads 0: no constants are bound to any"}}},
        {FRAGMENT "DCL CONST[4][0..3]\nDCL CONST[1][0..3]\n" ADDRESS "MOV OUT[0], CONST[ADDR[0].x+2][1]\nEND\n",
         {{6514, "CONST[1] to CONST[4]: what registers choose of them reads 0: no constants are bound to any"}}},
        /* Declared and not read. */
        {FRAGMENT "DCL SAMP[0..7]\nDCL CONST[0..9]\nDCL BUFFER[0]\nMOV OUT[0], IMM[0]\nEND\n", {{0}}}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_program *program = api_default_program(context, rows[i].text);
        run_told(program, NULL, NULL);
        for (unsigned again = 0; again < 2; again++) {
            struct sch_diagnostics_list *list = make_list(context);
            run_told(program, NULL, list);
            expect_told(list, again ? &(const struct told){0} : rows[i].told);
            sch_diagnostics_destroy(list);
        }
        sch_program_destroy(program);
    }
    sch_context_destroy(context);
}

struct made {
    struct sch_resource *resource;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_image *image;
};

/* A 2D texture of one texel, (0, 1, 0, 1). */
static struct made make_textures(struct sch_context *context)
{
    struct made made = {0};
    static const uint8_t texel[4] = {0, 255, 0, 255};
    const struct sch_resource_options shape = {
        .size = sizeof shape, .target = SCH_TARGET_2D, .format = sch_format_by_name("R8G8B8A8_UNORM")};
    assert_int_equal(sch_resource_create(context, &shape, NULL, &made.resource), SCH_OK);
    assert_int_equal(sch_resource_write_all(made.resource, texel, sizeof texel), SCH_OK);
    assert_int_equal(sch_view_create(made.resource, NULL, &made.view), SCH_OK);
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &made.sampler), SCH_OK);
    assert_int_equal(sch_image_create(made.resource, NULL, &made.image), SCH_OK);
    return made;
}

/* What is bound but not as it is read; what is bound right is told about when it is taken away. */
static void test_units_that_do_not_fit(void **state)
{
    (void)state;
    static const float four[4][4] = {{0}};
    struct sch_constant_buffer constants = {four, 20}; /* the second vector in part */
    struct sch_context *context = api_context();
    struct made made = make_textures(context);
    struct sch_view *views[3] = {NULL, NULL, made.view};
    struct sch_sampler *samplers[3] = {NULL, NULL, made.sampler};
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .constants = &constants,
                                    .constant_count = 1,
                                    .views = views,
                                    .view_count = 3,
                                    .samplers = samplers,
                                    .sampler_count = 3,
                                    .images = &made.image,
                                    .image_count = 1};
    static const struct {
        const char *text;
        struct told told[2];
    } rows[] = {{FRAGMENT "DCL SAMP[2]\nTXF OUT[0], IMM[0], SAMP[2], 1D_ARRAY\nEND\n",
                 {{6515, "SAMP[2] reads 0: it is accessed as 1D_ARRAY, what is bound is 2D"}}},
                {FRAGMENT "DCL SAMP[2]\nTXF OUT[0].yw, IMM[0], SAMP[2], RECT\nEND\n", {{0}}}, /* stand for each other */
                {FRAGMENT
                 "DCL IMAGE[0], 3D, PIPE_FORMAT_R32_FLOAT\nLOAD OUT[0], IMAGE[0], IMM[0], 3D, PIPE_FORMAT_R32_FLOAT\n"
                 "END\n",
                 {{6515, "IMAGE[0] reads 0: it is accessed as 3D, what is bound is 2D"}}},
                {FRAGMENT "DCL CONST[0..3]\nADD OUT[0], CONST[1], CONST[3]\nEND\n",
                 {{6514, "CONST[3] reads 0: 20 bytes of constants are bound, which end before"}}},
                {FRAGMENT "DCL CONST[0..1]\nADD OUT[0], CONST[1], CONST[0]\nEND\n", {{0}}},
                {FRAGMENT LONG_ARRAY,
                 {{6514, "CONST[2] and 3 more read 0: 20 bytes of constants are bound, which end before"}}},
                /* The greatest size that there is says nothing of what is read. */
                {FRAGMENT "DCL CONST[0][0..4095]\n" ADDRESS "MOV OUT[0], CONST[0][ADDR[0].x]\nEND\n", {{0}}},
                {FRAGMENT "DCL SAMP[0..3]\n" ADDRESS "TEX OUT[0].yw, IN[0], SAMP[ADDR[0].x], 2D\nEND\n", {{0}}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_program *program = api_default_program(context, rows[i].text);
        for (unsigned again = 0; again < 2; again++) {
            struct sch_diagnostics_list *list = make_list(context);
            run_told(program, &bindings, list);
            expect_told(list, again ? &(const struct told){0} : rows[i].told);
            sch_diagnostics_destroy(list);
        }
        struct sch_diagnostics_list *list = make_list(context);
        assert_int_equal(run_told(program, NULL, list), rows[i].told[0].code ? 0 : 1);
        sch_diagnostics_destroy(list);
        sch_program_destroy(program);
    }

    /* A sampler is missed where its texture is there. */
    struct sch_program *program = api_default_program(context, FRAGMENT TEXTURE);
    struct sch_diagnostics_list *list = make_list(context);
    samplers[2] = NULL;
    run_told(program, &bindings, list);
    expect_told(list, (const struct told[3]){{6511, "SAMP[2] reads 0: no sampler is bound"}});
    views[2] = NULL;
    assert_int_equal(run_told(program, &bindings, list), 2);
    sch_diagnostics_destroy(list);
    sch_program_destroy(program);
    sch_sampler_destroy(made.sampler);
    sch_image_destroy(made.image);
    sch_view_destroy(made.view);
    sch_resource_destroy(made.resource);
    sch_context_destroy(context);
}

/* -Wno-6510; a list that is full counts. */
static void test_units_and_filters(void **state)
{
    (void)state;
    static const unsigned ignored[] = {6510};
    const struct sch_warning_options warnings = {.size = sizeof warnings, .ignored = ignored, .ignored_count = 1};
    const struct sch_limit_options limits = {.size = sizeof limits, .diagnostics = 1};
    const struct sch_context_options options = {.size = sizeof options, .warnings = &warnings, .limits = &limits};
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(&options, &context), SCH_OK);
    struct sch_program *program = api_default_program(context, FRAGMENT TEXTURE);
    struct sch_diagnostics_list *list = make_list(context);
    assert_int_equal(run_told(program, NULL, list), 0);
    sch_program_destroy(program);
    program = api_default_program(context,
                                  FRAGMENT "DCL CONST[0][0..1]\nDCL CONST[1][0..1]\nDCL CONST[2][0..1]\nDCL TEMP[0]\n"
                                           "ADD TEMP[0], CONST[1][0], CONST[2][0]\nADD OUT[0], TEMP[0], CONST[0][0]\n"
                                           "END\n");
    assert_int_equal(run_told(program, NULL, list), 3);
    assert_int_equal(sch_diagnostics_count(list), 1);
    sch_program_destroy(program);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
}

/* Of units that registers choose between one that is bound is enough, whichever it is and whichever it was before. What
 * is missed later is told then: a sampler when its texture is there. */
static void test_units_that_are_chosen(void **state)
{
    (void)state;
    static const uint8_t bound[] = {2, 4, 1, 5, 2, 6, 4, 7, 1, 0, 3}; /* a bit for each; of none the warning comes */
    struct sch_context *context = api_context();
    struct made made = make_textures(context);
    struct sch_program *program = api_default_program(
        context, FRAGMENT "DCL SAMP[4..6]\n" ADDRESS "TEX OUT[0].yw, IN[0], SAMP[ADDR[0].x+4], 2D\nEND\n");
    struct sch_diagnostics_list *list = make_list(context);
    struct sch_sampler *samplers[7] = {NULL, NULL, NULL, NULL, made.sampler, made.sampler, made.sampler};
    for (size_t i = 0; i < sizeof bound; i++) {
        struct sch_view *views[8] = {made.view, made.view, made.view, made.view, NULL, NULL, NULL, made.view};
        for (unsigned n = 0; n < 3; n++)
            if (bound[i] >> n & 1) views[4 + n] = made.view;
        const struct sch_bindings bindings = {
            .size = sizeof bindings, .views = views, .view_count = 8, .samplers = samplers, .sampler_count = 7};
        assert_int_equal(run_told(program, &bindings, list), i < 9 ? 0 : 1);
    }
    expect_told(list,
                (const struct told[3]){
                    {6510, "SAMP[4] to SAMP[6]: what registers choose of them reads 0: no texture is bound to any"}});
    sch_diagnostics_destroy(list);
    sch_program_destroy(program);

    program = api_default_program(context, FRAGMENT "DCL SAMP[0..1]\n" ADDRESS
                                                    "TEX OUT[0].yw, IN[0], SAMP[ADDR[0].x], 2D\nEND\n");
    list = make_list(context);
    struct sch_view *views[2] = {made.view, NULL};
    const struct sch_bindings bindings = {.size = sizeof bindings, .views = views, .view_count = 2};
    assert_int_equal(run_told(program, NULL, list), 1);
    assert_int_equal(run_told(program, &bindings, list), 2);
    expect_told(list,
                (const struct told[3]){
                    {6510, "SAMP[0] to SAMP[1]: what registers choose of them reads 0: no texture is bound to any"},
                    {6511, "SAMP[0] to SAMP[1]: what registers choose of them reads 0: no sampler is bound to any"}});
    sch_diagnostics_destroy(list);
    sch_program_destroy(program);
    sch_sampler_destroy(made.sampler);
    sch_image_destroy(made.image);
    sch_view_destroy(made.view);
    sch_resource_destroy(made.resource);
    sch_context_destroy(context);
}

/* What is told of a full list is counted, each under its own number: that of a unit which does not fit, too. */
static void test_units_of_a_full_list(void **state)
{
    (void)state;
    static const char *const texts[] = {FRAGMENT "DCL SAMP[2]\nTXF OUT[0], IMM[0], SAMP[2], 1D_ARRAY\nEND\n",
                                        FRAGMENT TEXTURE, FRAGMENT "DCL CONST[0]\nMOV OUT[0], CONST[0]\nEND\n"};
    static const unsigned codes[] = {6515, 6511, 6514};
    for (unsigned text = 0; text < 3; text++)
        for (unsigned code = 0; code < 3; code++) {
            const struct sch_warning_options warnings = {
                .size = sizeof warnings, .ignored = &codes[code], .ignored_count = 1};
            const struct sch_limit_options limits = {.size = sizeof limits, .diagnostics = 1};
            const struct sch_context_options options = {
                .size = sizeof options, .warnings = &warnings, .limits = &limits};
            struct sch_context *context = NULL;
            assert_int_equal(sch_context_create(&options, &context), SCH_OK);
            struct made made = make_textures(context);
            struct sch_view *views[3] = {NULL, NULL, made.view};
            const struct sch_bindings bindings = {.size = sizeof bindings, .views = views, .view_count = 3};
            struct sch_program *filler = api_default_program(context, FRAGMENT "DCL BUFFER[0]\nLOAD OUT[0], BUFFER[0], "
                                                                               "IMM[0].xxxx\nEND\n"),
                               *program = api_default_program(context, texts[text]);
            struct sch_diagnostics_list *list = make_list(context);
            assert_int_equal(run_told(filler, NULL, list), 1);
            assert_int_equal(run_told(program, &bindings, list), text == code ? 1 : 2);
            assert_int_equal(sch_diagnostics_count(list), 1);
            sch_diagnostics_destroy(list);
            sch_program_destroy(program);
            sch_program_destroy(filler);
            sch_sampler_destroy(made.sampler);
            sch_image_destroy(made.image);
            sch_view_destroy(made.view);
            sch_resource_destroy(made.resource);
            sch_context_destroy(context);
        }
}

/* Units of Direct3D shaders have their registers' names, from model 5.1 on with the space; what interfaces choose by
 * default, zeros, is not missed. Rectangles and grids are told, too. */
static void test_units_of_direct3d(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told[9];
    } rows[] = {
        {"ps_5_1\ndcl_constantbuffer CB0[3:4][1], dynamicIndexed, space=7\n"
         "dcl_constantbuffer CB1[8:8][2], immediateIndexed, space=1\ndcl_sampler S0[2:9], mode_default, space=0\n"
         "dcl_resource_texture2d (float,float,float,float) T0[5:6], space=1\n"
         "dcl_resource_texture2d (float,float,float,float) T1[0:0], space=3\ndcl_uav_raw U0[1:1], space=0\n"
         "dcl_uav_typed_texture1d (uint,uint,uint,uint) U1[0:1], space=9\ndcl_input_ps constant v0.x\n"
         "dcl_output o0.xyzw\ndcl_temps 2\nsample r0.xyzw, v0.xxxx, T0[6].xyzw, S0[2]\n"
         "sample r0.xyzw, v0.xxxx, T1[0].xyzw, S0[9]\nmov o0.xyzw, CB0[4][0].xyzw\nmov r1.xyzw, CB1[8][1].xyzw\n"
         "store_raw U0[1].x, l(0), l(1)\nstore_uav_typed U1[1].xyzw, l(0, 0, 0, 0), l(1, 1, 1, 1)\n"
         "ret\n",
         {"t6,space1 reads 0: no texture is bound", "s2,space0 reads 0: no sampler is bound",
          "t0,space3 reads 0: no texture is bound", "s9,space0 reads 0: no sampler is bound",
          "cb4,space7[0] reads 0: no constants are bound", "cb8,space1[1] reads 0: no constants are bound",
          "u1,space0 writes nothing: no buffer is bound", "u1,space9 writes nothing: no image is bound"}},
        {"ps_5_1\ndcl_resource_texture2d (float,float,float,float) T0[5:9], space=7\ndcl_input_ps constant v0.x\n"
         "dcl_output o0.xyzw\nld o0.xyzw, l(0, 0, 0, 0), T0[v0.x + 5].xyzw\nret\n",
         {"t5,space7 to t9,space7: what registers choose of them reads 0: no texture is bound to any"}},
        {"ps_5_0\ndcl_constantbuffer CB2[4], immediateIndexed\ndcl_sampler s3, mode_default\n"
         "dcl_resource_texture2d (float,float,float,float) t4\ndcl_resource_raw t6\ndcl_uav_raw u5\n"
         "dcl_input_ps linear v0.xy\ndcl_output o0.xyzw\ndcl_temps 2\nsample r0.xyzw, v0.xyxx, t4.xyzw, s3\n"
         "ld_raw r1.x, l(0), t6.x\nstore_raw u5.x, l(0), r1.x\nadd o0.xyzw, r0.xyzw, cb2[1].xyzw\n"
         "add o0.xyzw, r1.xxxx, cb2[3].xyzw\nret\n",
         {"t4 reads 0: no texture is bound", "s3 reads 0: no sampler is bound", "t6 reads 0: no buffer is bound",
          "u5 writes nothing: no buffer is bound", "cb2[1] and 1 more read 0: no constants are bound"}},
        {"ps_5_0\ndcl_constantbuffer CB0[1], immediateIndexed\ndcl_output o0.xyzw\ndcl_temps 1\n"
         "dcl_function_body fb0\ndcl_function_table ft3 = {fb0}\ndcl_interface fp1[1][1] = {ft3}\n"
         "mov r0.xyzw, cb0[0].xyzw\nfcall fp1[0][0]\nmov o0.xyzw, r0.xyzw\nret\nlabel fb0\n"
         "mov r0.xyzw, this[1].xyzw\nret\n",
         {"cb0[0] reads 0: no constants are bound"}},
        /* 16 and 17 are of interfaces only where there are some */
        {FRAGMENT "DCL CONST[16][0..1]\nDCL CONST[17][0..1]\nDCL TEMP[0]\nMOV TEMP[0], CONST[16][0]\n"
                  "ADD OUT[0], TEMP[0], CONST[17][1]\nEND\n",
         {"CONST[16][0] reads 0: no constants are bound", "CONST[17][1] reads 0: no constants are bound"}}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned way = 0; way < 2; way++) {
            struct sch_program *program = api_default_program(context, rows[i].text);
            struct sch_diagnostics_list *list = make_list(context);
            struct sch_diagnostic_info view = {.size = sizeof view};
            const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list};
            const struct sch_invocations work = {.size = sizeof work, .count = 1};
            const struct sch_rectangle square = {.size = sizeof square, .width = 2, .height = 2};
            if (way)
                assert_int_equal(sch_dispatch_rectangle(program, NULL, &square, &options, NULL), SCH_OK);
            else
                assert_int_equal(sch_dispatch(program, NULL, &work, &options, NULL), SCH_OK);
            size_t count = 0;
            for (; count < 9 && rows[i].told[count]; count++) {
                assert_true(sch_diagnostics_get(list, count, &view));
                assert_string_equal(view.message, rows[i].told[count]);
            }
            assert_int_equal(sch_diagnostics_count(list), count);
            sch_diagnostics_destroy(list);
            sch_program_destroy(program);
        }
    struct sch_program *program = api_default_program(
        context, "COMP\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\nSTORE BUFFER[0].x, IMM[0], IMM[0]\n"
                 "END\n");
    struct sch_diagnostics_list *list = make_list(context);
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list};
    assert_int_equal(sch_dispatch_grid(program, NULL, NULL, NULL, &options, NULL), SCH_OK);
    expect_told(list, (const struct told[3]){{6513, "BUFFER[0] writes nothing: no buffer is bound"}});
    sch_diagnostics_destroy(list);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

struct telling {
    const struct sch_program *program;
    struct sch_diagnostics_list *list;
};

static void *dispatch_told(void *argument)
{
    const struct telling *telling = argument;
    for (int i = 0; i < 20; i++) run_told(telling->program, NULL, telling->list);
    return argument;
}

/* Of threads that run one program at once one is told of a unit. */
static void test_units_and_threads(void **state)
{
    (void)state;
    enum { THREADS = 4, UNITS = 24 };
    char text[4096];
    int bytes = snprintf(text, sizeof text, FRAGMENT "DCL SAMP[0..%d]\nDCL TEMP[0]\n", UNITS - 1);
    for (int u = 0; u < UNITS; u++)
        bytes += snprintf(text + bytes, sizeof text - (size_t)bytes, "TEX TEMP[0], IN[0], SAMP[%d], 2D\n", u);
    snprintf(text + bytes, sizeof text - (size_t)bytes, "MOV OUT[0], TEMP[0]\nEND\n");
    struct sch_context *context = api_context();
    for (int round = 0; round < 20; round++) {
        struct sch_program *program = api_default_program(context, text);
        struct telling tellings[THREADS];
        pthread_t threads[THREADS];
        size_t told = 0;
        for (int t = 0; t < THREADS; t++) {
            tellings[t] = (struct telling){program, make_list(context)};
            assert_int_equal(pthread_create(&threads[t], NULL, dispatch_told, &tellings[t]), 0);
        }
        for (int t = 0; t < THREADS; t++) {
            assert_int_equal(pthread_join(threads[t], NULL), 0);
            told += sch_diagnostics_count(tellings[t].list);
            sch_diagnostics_destroy(tellings[t].list);
        }
        assert_int_equal(told, UNITS);
        sch_program_destroy(program);
    }
    sch_context_destroy(context);
}

/* The register as data: what the words name, and nothing in reports about something else. */
static void reports_name_their_register(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct sch_register_name about[3];
    } rows[] = {
        {FRAGMENT "DCL SAMP[3]\nDCL SVIEW[1], 2D, FLOAT\nSAMPLE OUT[0], IN[0], SVIEW[1], SAMP[3]\nEND\n",
         {{.file = SCH_FILE_SAMPLER_VIEW, .number = 1}, {.file = SCH_FILE_SAMPLER, .number = 3}}},
        {FRAGMENT "DCL SAMP[2..3]\n" ADDRESS "TEX OUT[0], IN[0], SAMP[ADDR[0].x+2], 2D\nEND\n",
         {{.file = SCH_FILE_SAMPLER, .number = 2}}},
        {FRAGMENT "DCL CONST[0..5]\nDCL CONST[1][0..9]\nDCL TEMP[0]\nADD TEMP[0], CONST[5], CONST[3]\n"
                  "ADD OUT[0], TEMP[0], CONST[1][7]\nEND\n",
         {{.file = SCH_FILE_CONSTANT, .vector = 3}, {.file = SCH_FILE_CONSTANT, .number = 1, .vector = 7}}},
        {FRAGMENT "DCL CONSTBUF[1]\nLOAD OUT[0], CONSTBUF[1], IMM[0].xxxx\nEND\n",
         {{.file = SCH_FILE_CONSTBUF, .number = 1}}},
        {FRAGMENT "DCL IMAGE[1], 2D, PIPE_FORMAT_R32_FLOAT, WR\nSTORE IMAGE[1], IMM[0], IMM[0], 2D, "
                  "PIPE_FORMAT_R32_FLOAT\nEND\n",
         {{.file = SCH_FILE_IMAGE, .number = 1}}},
        {FRAGMENT "DCL HWATOMIC[3][0]\nATOMUADD OUT[0].x, HWATOMIC[3][0], IMM[0].xxxx, IMM[0].xxxx\nEND\n",
         {{.file = SCH_FILE_HW_ATOMIC, .number = 3}}},
        {FRAGMENT "FBFETCH OUT[0], OUT[0]\nEND\n", {{.file = SCH_FILE_OUTPUT}}},
        {"COMP\nDCL MEMORY[1], INPUT\nIMM[0] UINT32 {0, 0, 0, 0}\nDCL TEMP[0]\nLOAD TEMP[0], MEMORY[1], IMM[0].xxxx\n"
         "END\n",
         {{.file = SCH_FILE_MEMORY, .number = 1}}},
        {"ps_5_0\ndcl_constantbuffer cb2[4], immediateIndexed\ndcl_resource_raw t5\ndcl_output o0.xyzw\n"
         "dcl_temps 1\nld_raw r0.x, l(0), t5.xxxx\nadd o0.xyzw, r0.xxxx, cb2[3].xyzw\nret\n",
         {{.file = SCH_FILE_BUFFER, .number = 5, .is_d3d = true, .kind = SCH_RANGE_TEXTURES},
          {.file = SCH_FILE_CONSTANT, .number = 2, .vector = 3, .is_d3d = true, .kind = SCH_RANGE_CONSTANTS}}},
        {"ps_5_1\ndcl_uav_raw U0[7:7], space=2\ndcl_output o0.xyzw\ndcl_temps 1\nld_raw r0.x, l(0), U0[7].xxxx\n"
         "mov o0.xyzw, r0.xxxx\nret\n",
         {{.file = SCH_FILE_BUFFER,
           .number = 7,
           .is_d3d = true,
           .has_space = true,
           .kind = SCH_RANGE_VIEWS,
           .space = 2}}}};
    struct sch_context *context = api_context();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sch_program *program = api_default_program(context, rows[i].text);
        struct sch_diagnostics_list *list = make_list(context);
        run_told(program, NULL, list);
        for (size_t n = 0; n < 3; n++) {
            const struct sch_register_name *wanted = &rows[i].about[n];
            struct sch_diagnostic_info found = {.size = sizeof found};
            if (sch_diagnostics_get(list, n, &found) != (wanted->file != SCH_FILE_NULL)) fail_msg("row %zu", i);
            const struct sch_register_name *about = &found.about;
            if (about->file != wanted->file || about->number != wanted->number || about->vector != wanted->vector ||
                about->is_d3d != wanted->is_d3d || about->has_space != wanted->has_space ||
                about->kind != wanted->kind || about->space != wanted->space)
                fail_msg("row %zu, %s: file %d, %u, %u, %d, %u", i, found.message, (int)about->file, about->number,
                         about->vector, (int)about->kind, about->space);
        }
        sch_diagnostics_destroy(list);
        sch_program_destroy(program);
    }
    /* A list that had such a report, and another one then. */
    struct sch_program *program = api_default_program(context, rows[0].text);
    struct sch_diagnostics_list *list = make_list(context);
    struct sch_shader *broken;
    struct sch_diagnostic_info found = {.size = sizeof found};
    run_told(program, NULL, list);
    assert_int_equal(sch_shader_read(context, "FRAG\nNO\n", 8, NULL, list, &broken), SCH_ERROR_INVALID);
    assert_true(sch_diagnostics_get(list, 2, &found));
    assert_int_equal(found.about.file, SCH_FILE_NULL);
    sch_diagnostics_destroy(list);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_that_are_not_bound), cmocka_unit_test(reports_name_their_register),
        cmocka_unit_test(test_units_that_do_not_fit),    cmocka_unit_test(test_units_and_filters),
        cmocka_unit_test(test_units_that_are_chosen),    cmocka_unit_test(test_units_of_a_full_list),
        cmocka_unit_test(test_units_of_direct3d),        cmocka_unit_test(test_units_and_threads),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
