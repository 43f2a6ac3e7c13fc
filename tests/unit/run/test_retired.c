/* Opcodes of old texts (src/tgsi/retired.def) run as what their documentation said, and the forms that the
 * specification shows and Mesa refuses as what they mean; through the public API at every width. Expectations are
 * written here from the formulas of the old documentation, in float arithmetic. */
#include "../support/compute_support.h"

#include <math.h>
#include <stdio.h>

enum { LANES = 40, INPUTS = 3 };

struct field {
    uint32_t in[LANES][INPUTS][4], out[LANES][INPUTS][4];
};

#define EACH_WIDTH for (uint32_t width = 4; width <= 16; width *= 2)

static void run_field(struct field *field, const char *body, uint32_t width)
{
    char text[2048];
    struct compute compute;
    snprintf(text, sizeof text,
             "FRAG\nDCL IN[0..2], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nDCL SAMP[0..1]\n"
             "DCL SVIEW[0], 2D, FLOAT\n%s\n%s",
             body, strstr(body, "BGNSUB") ? "" : "END\n");
    compute_open(&compute, text, width);
    assert_int_equal(compute_invoke(&compute, LANES, INPUTS, &field->in[0][0][0], NULL, &field->out[0][0][0]), SCH_OK);
    compute_close(&compute);
}

static float number(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Multiples of 1/8 from -4 to 4 but 0: what sums and products make of them is exact, so the order of sums is no
 * matter. */
static void fill(struct field *field, uint64_t *seed)
{
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned r = 0; r < INPUTS; r++)
            for (unsigned c = 0; c < 4; c++) {
                int n = (int)(random_number(seed) % 64) - 32;
                field->in[i][r][c] = bits_of((float)(n >= 0 ? n + 1 : n) / 8.0f);
            }
}

/* ---- opcodes that compute ---- */

typedef void formula(const float a[4], const float b[4], const float c[4], float d[4]);

static void f_abs(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)b, (void)c;
    for (unsigned i = 0; i < 4; i++) d[i] = a[i] < 0 ? -a[i] : a[i];
}
static void f_sub(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)c;
    for (unsigned i = 0; i < 4; i++) d[i] = a[i] - b[i];
}
static void f_xpd(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)c;
    d[0] = a[1] * b[2] - b[1] * a[2];
    d[1] = a[2] * b[0] - b[2] * a[0];
    d[2] = a[0] * b[1] - b[0] * a[1];
    d[3] = 1;
}
static void f_dph(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)c;
    d[0] = d[1] = d[2] = d[3] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + b[3];
}
static void f_dp2a(const float a[4], const float b[4], const float c[4], float d[4])
{
    d[0] = d[1] = d[2] = d[3] = a[0] * b[0] + a[1] * b[1] + c[0];
}
static void f_clamp(const float a[4], const float b[4], const float c[4], float d[4])
{
    for (unsigned i = 0; i < 4; i++) {
        float most = a[i] > b[i] ? a[i] : b[i];
        d[i] = most < c[i] ? most : c[i];
    }
}
static void f_cnd(const float a[4], const float b[4], const float c[4], float d[4])
{
    for (unsigned i = 0; i < 4; i++) d[i] = c[i] > 0.5f ? a[i] : b[i];
}
static void f_rcc(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)b, (void)c;
    d[0] = d[1] = d[2] = d[3] = 1.0f / a[0];
}
static void f_rfl(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)c;
    float twice = 2.0f * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]), square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    for (unsigned i = 0; i < 3; i++) {
        volatile float scaled = twice / square * a[i];
        d[i] = scaled - b[i];
    }
    d[3] = 1;
}
static void f_x2d(const float a[4], const float b[4], const float c[4], float d[4])
{
    d[0] = d[2] = a[0] + b[0] * c[0] + b[1] * c[1];
    d[1] = d[3] = a[1] + b[0] * c[2] + b[1] * c[3];
}
static void f_sfl(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)a, (void)b, (void)c;
    d[0] = d[1] = d[2] = d[3] = 0;
}
static void f_str(const float a[4], const float b[4], const float c[4], float d[4])
{
    (void)a, (void)b, (void)c;
    d[0] = d[1] = d[2] = d[3] = 1;
}

static const struct {
    const char *name;
    unsigned sources;
    formula *is;
} computing[] = {{"ABS", 1, f_abs},   {"SUB", 2, f_sub},     {"XPD", 2, f_xpd}, {"DPH", 2, f_dph},
                 {"DP2A", 3, f_dp2a}, {"CLAMP", 3, f_clamp}, {"CND", 3, f_cnd}, {"RCC", 1, f_rcc},
                 {"RFL", 2, f_rfl},   {"X2D", 3, f_x2d},     {"SFL", 2, f_sfl}, {"STR", 2, f_str}};
enum { COMPUTING = sizeof computing / sizeof *computing };

/* How a statement is written: the operands, the destination that is one of them, its mask, saturate. */
static const struct {
    const char *suffix, *mask, *from[3];
    uint8_t swizzle[3][4];
    bool negate[3];
    unsigned mask_bits;
} forms[] = {
    {"", "", {"TEMP[0]", "TEMP[1]", "TEMP[2]"}, {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}}, {0}, 15},
    {"_SAT",
     ".yw",
     {"-TEMP[1].wzyx", "TEMP[0].yxwz", "-TEMP[2].zwxy"},
     {{3, 2, 1, 0}, {1, 0, 3, 2}, {2, 3, 0, 1}},
     {true, false, true},
     10},
    {"_PRECISE",
     ".x",
     {"TEMP[2].xy", "-TEMP[1].w", "TEMP[0].rgba"},
     {{0, 1, 1, 1}, {3, 3, 3, 3}, {0, 1, 2, 3}},
     {false, true, false},
     1},
};
enum { FORMS = sizeof forms / sizeof *forms };

/* TEMP[n] holds IN[n]; the operand k of form f. */
static void operand(const struct field *field, unsigned lane, unsigned f, unsigned k, float value[4])
{
    unsigned r = (unsigned)(strchr(forms[f].from[k], '[')[1] - '0');
    for (unsigned c = 0; c < 4; c++) {
        value[c] = number(field->in[lane][r][forms[f].swizzle[k][c]]);
        if (forms[f].negate[k]) value[c] = -value[c];
    }
}

static void old_opcodes_compute(void **state)
{
    (void)state;
    static struct field field;
    uint64_t seed = 5;
    EACH_WIDTH
    for (size_t n = 0; n < COMPUTING; n++)
        for (unsigned f = 0; f < FORMS; f++) {
            char body[512];
            int at = snprintf(body, sizeof body,
                              "MOV TEMP[0], IN[0]\nMOV TEMP[1], IN[1]\nMOV TEMP[2], IN[2]\n%s%s TEMP[0]%s",
                              computing[n].name, forms[f].suffix, forms[f].mask);
            for (unsigned k = 0; k < computing[n].sources; k++)
                at += snprintf(body + at, sizeof body - (size_t)at, ", %s", forms[f].from[k]);
            snprintf(body + at, sizeof body - (size_t)at, "\nMOV OUT[0], TEMP[0]");
            fill(&field, &seed);
            run_field(&field, body, width);
            for (unsigned i = 0; i < LANES; i++) {
                float a[4], b[4], c[4], d[4];
                operand(&field, i, f, 0, a);
                operand(&field, i, f, 1, b);
                operand(&field, i, f, 2, c);
                computing[n].is(a, b, c, d);
                for (unsigned k = 0; k < 4; k++) {
                    if (strcmp(forms[f].suffix, "_SAT") == 0) d[k] = d[k] < 0 ? 0 : d[k] > 1 ? 1 : d[k];
                    if (!(forms[f].mask_bits >> k & 1)) d[k] = number(field.in[i][0][k]);
                    if (number(field.out[i][0][k]) != d[k])
                        fail_msg("%s, lane %u, %c: %g, not %g", body, i, "xyzw"[k], number(field.out[i][0][k]), d[k]);
                }
            }
        }
}

/* SCS is COS and SIN, which have their own tests: the same bits. RCC stops at its limits. */
static void scs_and_the_limits_of_rcc(void **state)
{
    (void)state;
    static struct field field, again;
    uint64_t seed = 6;
    EACH_WIDTH
    {
        fill(&field, &seed);
        memcpy(&again, &field, sizeof field);
        run_field(&field, "MOV TEMP[0], IN[0]\nSCS TEMP[0], TEMP[0].yxzw\nMOV OUT[0], TEMP[0]", width);
        run_field(&again,
                  "COS OUT[0].x, IN[0].y\nSIN OUT[0].y, IN[0].y\nIMM[0] FLT32 {0, 0, 0, 1}\nMOV OUT[0].zw, IMM[0]",
                  width);
        assert_memory_equal(field.out, again.out, sizeof field.out);
        static const float values[6] = {0.0f, -0.0f, INFINITY, -INFINITY, 1e30f, -1e-30f};
        /* 1/x > 0 is false of both zeros */
        static const float clamped[6] = {1.884467e+19f, -1.884467e+19f, -5.42101e-20f,
                                         -5.42101e-20f, 5.42101e-20f,   -1.884467e+19f};
        for (unsigned i = 0; i < 6; i++) field.in[i][0][0] = bits_of(values[i]);
        run_field(&field, "RCC OUT[0], IN[0]", width);
        for (unsigned i = 0; i < 6; i++) assert_int_equal(field.out[i][0][2], bits_of(clamped[i]));
    }
}

/* ---- opcodes that leave, labels ---- */

/* BREAKC tests an integer; CAL's labels count the text's instructions, which are fewer than those that run. */
static void breaks_and_labels(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH
    {
        memset(&field, 0, sizeof field);
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = i % 7;
        run_field(&field,
                  "IMM[0] UINT32 {1, 0, 100, 0}\n"
                  "  0: MOV TEMP[0], IMM[0].yyyy\n"
                  "  1: XPD TEMP[2], IN[1], IN[2]\n"
                  "  2: BGNLOOP :0\n"
                  "  3: USGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\n"
                  "  4: BREAKC TEMP[1].x\n"
                  "  5: CAL :9\n"
                  "  6: ENDLOOP :0\n"
                  "  7: MOV OUT[0], TEMP[0]\n"
                  "  8: END\n"
                  "  9: BGNSUB\n"
                  " 10: UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                  " 11: SCS TEMP[2], IN[1]\n"
                  " 12: CAL :14\n"
                  " 13: ENDSUB\n"
                  " 14: BGNSUB\n"
                  " 15: UADD TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz\n"
                  " 16: ENDSUB\n",
                  width);
        for (unsigned i = 0; i < LANES; i++) {
            assert_int_equal(field.out[i][0][0], i % 7);
            assert_int_equal(field.out[i][0][1], i % 7 * 100);
        }
    }
}

static void kil_and_kilp(void **state)
{
    (void)state;
    static const char *const bodies[] = {"STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\nKIL IN[0]\n",
                                         "UIF IN[0].yyyy\nKILP\nENDIF\n"};
    EACH_WIDTH
    for (unsigned n = 0; n < 2; n++) {
        char text[512];
        struct compute compute;
        uint32_t inputs[LANES][1][4] = {{{0}}}, words[LANES] = {0};
        struct sch_storage_buffer buffer = {words, sizeof words};
        snprintf(text, sizeof text,
                 "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\n"
                 "IMM[0] UINT32 {0, 9, 4, 0}\n%sSTORE BUFFER[0].x, IN[0].zzzz, IMM[0].yyyy\nMOV OUT[0], IN[0]\nEND\n",
                 bodies[n]);
        compute_open(&compute, text, width);
        compute.bindings.buffers = &buffer;
        compute.bindings.buffer_count = 1;
        for (unsigned i = 0; i < LANES; i++) {
            bool dies = i % 3 == 0;
            if (n == 0) inputs[i][0][i % 4] = dies ? bits_of(-1.0f) : 0;
            if (n == 1) inputs[i][0][1] = dies;
            if (n == 1 || i % 4 != 2) inputs[i][0][2] = 4 * i;
        }
        uint32_t outputs[LANES][1][4];
        assert_int_equal(compute_invoke(&compute, LANES, 1, inputs[0][0], NULL, outputs[0][0]), SCH_OK);
        for (unsigned i = 1; i < LANES; i++)
            if (n == 1 || i % 4 != 2) assert_int_equal(words[i], i % 3 == 0 ? 0 : 9);
        compute_close(&compute);
    }
}

/* ---- queries, views that are missing ---- */

static void level_0_and_views_that_are_not_declared(void **state)
{
    (void)state;
    EACH_WIDTH
    {
        struct compute compute;
        struct sch_resource *resource;
        struct sch_view *views[2];
        struct sch_sampler *samplers[2];
        const struct sch_resource_options shape = {.size = sizeof shape,
                                                   .target = SCH_TARGET_2D,
                                                   .format = sch_format_by_name("R32_FLOAT"),
                                                   .width = 3,
                                                   .height = 2};
        const struct sch_sampler_options nearest = {.size = sizeof nearest};
        static const float texels[6] = {1, 2, 3, 4, 5, 6};
        uint32_t inputs[LANES][1][4] = {{{0}}}, outputs[LANES][2][4];
        compute_open(&compute,
                     "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR[0]\nDCL OUT[1], COLOR[1]\nDCL SAMP[0]\n"
                     "DCL SAMP[1]\nDCL SVIEW[0], 2D, FLOAT\nTXQ_LZ OUT[0].xyz, SAMP[0], 2D\n"
                     "TEX OUT[1], IN[0], SAMP[1], 2D\nEND\n",
                     width);
        assert_int_equal(sch_resource_create(compute.context, &shape, NULL, &resource), SCH_OK);
        assert_int_equal(sch_resource_write_all(resource, texels, sizeof texels), SCH_OK);
        for (unsigned n = 0; n < 2; n++) {
            assert_int_equal(sch_view_create(resource, NULL, &views[n]), SCH_OK);
            assert_int_equal(sch_sampler_create(compute.context, &nearest, NULL, &samplers[n]), SCH_OK);
        }
        compute.bindings.views = views;
        compute.bindings.view_count = 2;
        compute.bindings.samplers = samplers;
        compute.bindings.sampler_count = 2;
        for (unsigned i = 0; i < LANES; i++) {
            inputs[i][0][0] = bits_of(((float)(i % 3) + 0.5f) / 3.0f);
            inputs[i][0][1] = bits_of(i % 2 ? 0.75f : 0.25f);
        }
        struct sch_invocations work = {.size = sizeof work,
                                       .count = LANES,
                                       .inputs = inputs[0][0],
                                       .input_bytes = sizeof inputs,
                                       .input_registers = 1,
                                       .outputs = outputs[0][0],
                                       .output_bytes = sizeof outputs,
                                       .output_registers = 2};
        assert_int_equal(sch_dispatch(compute.program, &compute.bindings, &work, NULL, NULL), SCH_OK);
        for (unsigned i = 0; i < LANES; i++) {
            const uint32_t size[3] = {3, 2, 0};
            assert_memory_equal(outputs[i][0], size, sizeof size);
            assert_int_equal(outputs[i][1][0], bits_of(texels[i % 3 + i % 2 * 3]));
        }
        for (unsigned n = 0; n < 2; n++) {
            sch_view_destroy(views[n]);
            sch_sampler_destroy(samplers[n]);
        }
        sch_resource_destroy(resource);
        compute_close(&compute);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_opcodes_compute),
        cmocka_unit_test(scs_and_the_limits_of_rcc),
        cmocka_unit_test(breaks_and_labels),
        cmocka_unit_test(kil_and_kilp),
        cmocka_unit_test(level_0_and_views_that_are_not_declared),
    };
    return cmocka_run_group_tests_name("retired", tests, NULL, NULL);
}
