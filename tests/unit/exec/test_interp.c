/* INTERP_CENTROID, INTERP_SAMPLE and INTERP_OFFSET, sample system values and bindless handles, through the public API
 * at every width. Expectations are written by hand, with numbers that are exact in binary. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

enum { COUNT = 37, PLANES = 4, OUTPUTS = 3 };

struct setup {
    const char *text;
    struct sch_invocations work;
    uint32_t inputs[COUNT][PLANES][4], values[COUNT][2][4];
    float planes[COUNT][PLANES][4][4], centroids[COUNT][2];
    uint32_t outputs[COUNT][OUTPUTS][4];
};

/* Input r of invocation i: component c is 10 i + r + c / 4, its steps (c + 1) in x and -(r + 1) in y, over the divisor
 * 2 + x / 2 - y / 4. */
static struct setup *new_setup(const char *text)
{
    struct setup *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->text = text;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned r = 0; r < PLANES; r++)
            for (unsigned c = 0; c < 4; c++) {
                static const float divisor[4] = {2.0f, 0.5f, -0.25f, 0.0f};
                s->planes[i][r][0][c] = 10.0f * (float)i + (float)r + (float)c / 4.0f;
                s->planes[i][r][1][c] = (float)(c + 1);
                s->planes[i][r][2][c] = -(float)(r + 1);
                s->planes[i][r][3][c] = divisor[c];
                s->inputs[i][r][c] = api_bits(100.0f + (float)i);
            }
    s->work = (struct sch_invocations){.size = sizeof s->work,
                                       .count = COUNT,
                                       .inputs = s->inputs[0][0],
                                       .input_bytes = sizeof s->inputs,
                                       .input_registers = PLANES,
                                       .outputs = s->outputs[0][0],
                                       .output_bytes = sizeof s->outputs,
                                       .output_registers = OUTPUTS,
                                       .planes = (const uint32_t *)(const void *)s->planes,
                                       .plane_bytes = sizeof s->planes,
                                       .plane_registers = PLANES};
    return s;
}

/* The value that new_setup's planes have at an offset; every step is exact with the offsets of these tests. */
static float at(unsigned i, unsigned r, unsigned c, float x, float y)
{
    return 10.0f * (float)i + (float)r + (float)c / 4.0f + (float)(c + 1) * x - (float)(r + 1) * y;
}
static float divisor_at(float x, float y) { return 2.0f + x / 2.0f - y / 4.0f; }

static void run_width(struct setup *s, unsigned width)
{
    memset(s->outputs, 0xee, sizeof s->outputs);
    api_run(s->text, width, &s->work, NULL);
}

#define EACH_WIDTH(setup) API_EACH_WIDTH(run_width, setup)

static const char declarations[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], LINEAR\n"
                                   "DCL IN[2], GENERIC[2], PERSPECTIVE\nDCL IN[3], COLOR, COLOR\n";

static struct setup *with_declarations(const char *rest)
{
    static char text[2048];
    strcpy(text, declarations);
    strncat(text, rest, sizeof text - strlen(text) - 1);
    return new_setup(text);
}

static const char offset_program[] = "DCL OUT[0..2], COLOR\nDCL SV[0], SAMPLEMASK\n"
                                     "INTERP_OFFSET OUT[0], IN[0], SV[0]\nINTERP_OFFSET OUT[1], IN[1], SV[0]\n"
                                     "INTERP_OFFSET OUT[2], IN[2], SV[0]\nEND\n";

/* Each lane has its own offset. */
static void offsets(void **state)
{
    (void)state;
    struct setup *s = with_declarations(offset_program);
    for (unsigned i = 0; i < COUNT; i++) {
        s->values[i][0][0] = api_bits((float)(i % 4) / 4.0f);
        s->values[i][0][1] = api_bits(-(float)(i % 3) / 2.0f);
    }
    s->work.system_values = s->values[0][0];
    s->work.system_value_bytes = sizeof s->values;
    s->work.system_value_registers = 2;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned c = 0; c < 4; c++) {
            float x = (float)(i % 4) / 4.0f, y = -(float)(i % 3) / 2.0f;
            assert_int_equal(s->outputs[i][0][c], api_bits(s->planes[i][0][0][c]));
            assert_int_equal(s->outputs[i][1][c], api_bits(at(i, 1, c, x, y)));
            assert_int_equal(s->outputs[i][2][c], api_bits(at(i, 2, c, x, y) / divisor_at(x, y)));
        }
    /* Divisors of zeros: linear. */
    for (unsigned i = 0; i < COUNT; i++) memset(s->planes[i][2][3], 0, sizeof s->planes[i][2][3]);
    EACH_WIDTH(s)
    assert_int_equal(s->outputs[3][2][1], api_bits(at(3, 2, 1, 0.75f, 0.0f)));
    /* An offset that is no number: a constant stays, the others are the canonical NaN. */
    for (unsigned i = 0; i < COUNT; i++) s->values[i][0][0] = 0xffc12345;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(s->outputs[i][0][0], api_bits(s->planes[i][0][0][0]));
        assert_int_equal(s->outputs[i][1][0], 0x7fc00000);
        assert_int_equal(s->outputs[i][2][0], 0x7fc00000);
    }
    /* No planes: what IN holds. */
    s->work.planes = NULL;
    s->work.plane_bytes = 0;
    s->work.plane_registers = 0;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned r = 0; r < 3; r++) assert_int_equal(s->outputs[i][r][2], api_bits(100.0f + (float)i));
    /* Planes for the first two inputs only. */
    uint32_t few[COUNT][2][4][4];
    memset(few, 0, sizeof few);
    for (unsigned i = 0; i < COUNT; i++) few[i][1][0][2] = api_bits((float)i);
    s->work.planes = few[0][0][0];
    s->work.plane_bytes = sizeof few;
    s->work.plane_registers = 2;
    for (unsigned i = 0; i < COUNT; i++) s->values[i][0][0] = 0;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(s->outputs[i][0][2], 0);
        assert_int_equal(s->outputs[i][1][2], api_bits((float)i));
        assert_int_equal(s->outputs[i][2][2], api_bits(100.0f + (float)i));
    }
    free(s);
}

static void centroids(void **state)
{
    (void)state;
    struct setup *s = with_declarations("DCL OUT[0..2], COLOR\nINTERP_CENTROID OUT[0].yz, IN[1].wxyz\n"
                                        "INTERP_CENTROID OUT[1], -|IN[2]|\nINTERP_CENTROID_SAT OUT[2], IN[3]\nEND\n");
    for (unsigned i = 0; i < COUNT; i++) {
        s->centroids[i][0] = (float)(i % 5) / 16.0f;
        s->centroids[i][1] = (float)(i % 7) / 16.0f;
    }
    EACH_WIDTH(s) /* none given: the centre */
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(s->outputs[i][0][0], 0);
        assert_int_equal(s->outputs[i][0][1], api_bits(at(i, 1, 0, 0, 0)));
        assert_int_equal(s->outputs[i][0][2], api_bits(at(i, 1, 1, 0, 0)));
        assert_int_equal(s->outputs[i][0][3], 0);
    }
    s->work.centroids = (const uint32_t *)(const void *)s->centroids;
    s->work.centroid_bytes = sizeof s->centroids;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        float x = (float)(i % 5) / 16.0f, y = (float)(i % 7) / 16.0f;
        float wide = at(i, 3, 2, x, y) / divisor_at(x, y);
        assert_int_equal(s->outputs[i][0][2], api_bits(at(i, 1, 1, x, y)));
        assert_int_equal(s->outputs[i][1][3], api_bits(-fabsf(at(i, 2, 3, x, y) / divisor_at(x, y))));
        assert_int_equal(s->outputs[i][2][2], api_bits(wide > 1.0f ? 1.0f : wide < 0.0f ? 0.0f : wide));
    }
    free(s);
}

/* Direct3D's patterns, in sixteenths. */
static void samples(void **state)
{
    (void)state;
    static const struct {
        unsigned samples, number;
        float x, y;
    } cases[] = {{0, 0, 0, 0},   {1, 0, 0, 0},   {1, 1, 0, 0},    {2, 0, 4, 4},     {2, 1, -4, -4}, {2, 2, 0, 0},
                 {4, 0, -2, -6}, {4, 1, 6, -2},  {4, 2, -6, 2},   {4, 3, 2, 6},     {8, 0, 1, -3},  {8, 1, -1, 3},
                 {8, 2, 5, 1},   {8, 3, -3, -5}, {8, 4, -5, 5},   {8, 5, -7, -1},   {8, 6, 3, 7},   {8, 7, 7, -7},
                 {16, 0, 1, 1},  {16, 7, 3, -5}, {16, 12, -8, 0}, {16, 15, -7, -8}, {16, 16, 0, 0}, {16, ~0u, 0, 0}};
    struct setup *s = with_declarations("DCL OUT[0..2], COLOR\nDCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\n"
                                        "DCL SV[2], SAMPLEMASK\nINTERP_SAMPLE OUT[0], IN[1], SV[0].xxxx\n"
                                        "MOV OUT[1].xy, SV[1]\nMOV OUT[2].x, SV[2].xxxx\nEND\n");
    s->work.system_values = s->values[0][0];
    s->work.system_value_bytes = sizeof s->values;
    s->work.system_value_registers = 1;
    uint32_t ids[COUNT][4] = {{0}};
    s->work.system_values = ids[0];
    s->work.system_value_bytes = sizeof ids;
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        float x = cases[n].x / 16.0f, y = cases[n].y / 16.0f;
        s->work.samples = cases[n].samples;
        for (unsigned i = 0; i < COUNT; i++) ids[i][0] = cases[n].number;
        EACH_WIDTH(s)
        for (unsigned i = 0; i < COUNT; i++) {
            for (unsigned c = 0; c < 4; c++) assert_int_equal(s->outputs[i][0][c], api_bits(at(i, 1, c, x, y)));
            assert_int_equal(s->outputs[i][1][0], api_bits(x + 0.5f));
            assert_int_equal(s->outputs[i][1][1], api_bits(y + 0.5f));
            assert_int_equal(s->outputs[i][2][0], (1u << (cases[n].samples ? cases[n].samples : 1)) - 1);
        }
    }
    free(s);
}

/* SAMPLEID counts also where no instruction reads it and its register is behind all that are read. */
static void sample_id_that_nothing_reads(void **state)
{
    (void)state;
    struct setup *s = with_declarations("DCL OUT[0..1], COLOR\nDCL SV[0], SAMPLEPOS\nDCL SV[5], SAMPLEID\n"
                                        "MOV OUT[1].xy, SV[0]\nEND\n");
    enum { REGISTERS = 6, SAMPLES = 4 };
    static const int8_t x[SAMPLES] = {-2, 6, -6, 2}, y[SAMPLES] = {-6, -2, 2, 6}; /* sixteenths */
    uint32_t values[COUNT][REGISTERS][4] = {{{0}}};
    uint8_t given[REGISTERS] = {0, 0, 0, 0, 0, 1};
    for (unsigned i = 0; i < COUNT; i++) values[i][5][0] = i % SAMPLES;
    s->work.samples = SAMPLES;
    s->work.system_values = values[0][0];
    s->work.system_value_bytes = sizeof values;
    s->work.system_value_registers = REGISTERS;
    s->work.system_value_given = given;
    s->work.system_value_given_bytes = sizeof given;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        assert_int_equal(s->outputs[i][1][0], api_bits(0.5f + (float)x[i % SAMPLES] / 16.0f));
        assert_int_equal(s->outputs[i][1][1], api_bits(0.5f + (float)y[i % SAMPLES] / 16.0f));
    }
    free(s);
}

/* Each lane names its own input, and only some lanes execute. */
static void indirect_inputs(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL IN[0..3], ARRAY(1), GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                "DCL SV[0], PRIM_ID\nDCL ADDR[0]\nIMM[0] FLT32 {0.5, 1.0, 0.0, 0.0}\n"
                                "UARL ADDR[0].x, SV[0].xxxx\nUIF SV[0].yyyy\n"
                                "INTERP_OFFSET OUT[0], IN[ADDR[0].x](1), IMM[0].xyyy\nENDIF\nEND\n");
    for (unsigned i = 0; i < COUNT; i++) {
        s->values[i][0][0] = i % 6 - 1;
        s->values[i][0][1] = i % 3;
    }
    s->work.system_values = s->values[0][0];
    s->work.system_value_bytes = sizeof s->values;
    s->work.system_value_registers = 2;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        uint32_t r = i % 6 - 1;
        float expected = at(i, r, 1, 0.5f, 1.0f) / divisor_at(0.5f, 1.0f);
        assert_int_equal(s->outputs[i][0][1], i % 3 && r < PLANES ? api_bits(expected) : 0);
    }
    free(s);
}

static void handles(void **state)
{
    (void)state;
    struct setup *s =
        new_setup("FRAG\nDCL OUT[0..2], COLOR\nDCL SAMP[0..4]\nDCL IMAGE[0..3], 2D, PIPE_FORMAT_R8_UNORM\n"
                  "DCL SV[0], PRIM_ID\nDCL ADDR[0]\n"
                  "SAMP2HND OUT[0], SAMP[0], 2D\nIMG2HND OUT[1].xy, IMAGE[3]\n"
                  "UARL ADDR[0].x, SV[0].xxxx\nSAMP2HND OUT[2].xyz, SAMP[ADDR[0].x+1], 2D\nEND\n");
    for (unsigned i = 0; i < COUNT; i++) s->values[i][0][0] = i % 5 - 2;
    s->work.system_values = s->values[0][0];
    s->work.system_value_bytes = sizeof s->values;
    s->work.system_value_registers = 2;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++) {
        static const uint32_t first[4] = {1, 1, 1, 1}, image[4] = {4, 2, 0, 0};
        assert_memory_equal(s->outputs[i][0], first, sizeof first);
        assert_memory_equal(s->outputs[i][1], image, sizeof image);
        assert_int_equal(s->outputs[i][2][0], i % 5); /* register i % 5 - 1; -1 is none */
        assert_int_equal(s->outputs[i][2][1], i % 5 ? 1 : 0);
        assert_int_equal(s->outputs[i][2][3], 0);
    }
    free(s);
}

/* Sums of numbers at the ends of their ranges do not come round to registers. */
static void handles_far_away(void **state)
{
    (void)state;
    struct setup *s = new_setup("FRAG\nDCL OUT[0..1], COLOR\nDCL SAMP[0..4]\nDCL SV[0], PRIM_ID\nDCL ADDR[0]\n"
                                "UARL ADDR[0].x, SV[0].xxxx\n"
                                "SAMP2HND OUT[0].xy, SAMP[ADDR[0].x-32767], 2D\n"
                                "SAMP2HND OUT[1].xy, SAMP[ADDR[0].x+32767], 2D\nEND\n");
    static const uint32_t added[4] = {0x7fffffff, 0x80000000, 32767, (uint32_t)-32767};
    for (unsigned i = 0; i < COUNT; i++) s->values[i][0][0] = added[i % 4];
    s->work.system_values = s->values[0][0];
    s->work.system_value_bytes = sizeof s->values;
    s->work.system_value_registers = 2;
    EACH_WIDTH(s)
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned d = 0; d < 2; d++) {
            const int64_t number = (int64_t)(int32_t)added[i % 4] + (d ? 32767 : -32767);
            assert_int_equal(s->outputs[i][d][0], number == 0 ? 1 : 0);
            assert_int_equal(s->outputs[i][d][1], number == 0 ? 1 : 0);
        }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets),         cmocka_unit_test(centroids),
        cmocka_unit_test(samples),         cmocka_unit_test(sample_id_that_nothing_reads),
        cmocka_unit_test(handles),         cmocka_unit_test(handles_far_away),
        cmocka_unit_test(indirect_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
