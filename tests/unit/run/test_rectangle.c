/* Rectangles of pixels: what sch_dispatch_rectangle draws is what sch_dispatch makes of the same invocations, whose
 * inputs the test computes by the documented formula, whose outputs it rounds and places itself; for random shaders,
 * planes, sizes, places, render targets, widths and threads. Then the operations of the frame alone, and wrong
 * calls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "ops/ops.h"

enum { INPUTS = 3, VALUES = 2, OUTPUTS = 3, CASES = 300, TEXT = 8192, RENDER_TARGETS = 3 };

static uint32_t seed = 1;
static uint32_t pick(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(seed ^ seed >> 15) % below);
}
static float number(void) { return (float)((int)pick(2001) - 1000) / (float)(1 + pick(300)); }

/* ---- random shaders ---- */

static const char *source(void)
{
    static char text[8][32];
    static unsigned next;
    static const char *const registers[] = {"TEMP[0]", "TEMP[1]", "TEMP[2]", "IN[0]", "IN[1]",
                                            "IN[2]",   "IMM[0]",  "SV[0]",   "SV[1]", "TEMP[3]"};
    char *to = text[next++ % 8];
    snprintf(to, sizeof text[0], "%s%s.%c%c%c%c", pick(4) ? "" : "-", registers[pick(10)], "xyzw"[pick(4)],
             "xyzw"[pick(4)], "xyzw"[pick(4)], "xyzw"[pick(4)]);
    return to;
}

static const char *destination(void)
{
    static const char *const registers[] = {"TEMP[0]",    "TEMP[1].xy", "TEMP[2].yzw", "TEMP[3].x", "OUT[0]",
                                            "OUT[0].xyz", "OUT[1]",     "TEMP[0].xz",  "OUT[2].yw", "TEMP[1]"};
    return registers[pick(10)];
}

static size_t write_instruction(char *to, size_t room)
{
    static const char *const two[] = {"ADD", "MUL", "MAX", "SLT", "DIV", "DP3"};
    static const char *const one[] = {"MOV", "FRC", "DDX", "DDY", "DDX_FINE", "DDY_FINE", "FLR", "RCP"};
    const char *d = destination();
    switch (pick(14)) {
    case 12: /* one to six turns */
        return (size_t)snprintf(to, room,
                                "MOV TEMP[4].x, IMM[0].wwww\nBGNLOOP\nADD TEMP[4].x, TEMP[4].xxxx, IMM[0].xxxx\n"
                                "SGE TEMP[4].y, TEMP[4].xxxx, IMM[0].zzzz\nIF TEMP[4].yyyy\nBRK\nENDIF\n"
                                "ADD %s, %s, %s\nSLT TEMP[4].y, %s, IMM[0].yyyy\nIF TEMP[4].yyyy\nBRK\nENDIF\n"
                                "ENDLOOP\n",
                                d, source(), source(), source());
    case 13: /* a lookup of nothing; but programs with lookups run tile by tile */
        if (pick(2)) return (size_t)snprintf(to, room, "INTERP_CENTROID %s, IN[%u]\n", d, pick(3));
        return pick(3) ? 0 : (size_t)snprintf(to, room, "TEX %s, %s, SAMP[0], 2D\n", d, source());
    case 0:
        return (size_t)snprintf(to, room, "MAD %s, %s, %s, %s\n", d, source(), source(), source());
    case 1:
        return (size_t)snprintf(to, room, "KILL_IF %s\n", source());
    case 2:
        return (size_t)snprintf(to, room, "IF %s\nMOV %s, %s\nELSE\nADD %s, %s, %s\nENDIF\n", source(), d, source(),
                                destination(), source(), source());
    case 3:
        return (size_t)snprintf(to, room, "BALLOT TEMP[2], %s\n", source());
    case 4:
    case 5:
    case 6:
        return (size_t)snprintf(to, room, "%s %s, %s\n", one[pick(8)], d, source());
    default:
        return (size_t)snprintf(to, room, "%s %s, %s, %s\n", two[pick(6)], d, source(), source());
    }
}

static void write_shader(char text[TEXT])
{
    size_t at = (size_t)snprintf(
        text, TEXT,
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], POSITION, LINEAR\nDCL IN[2], GENERIC[1], CONSTANT\n"
        "DCL SV[0], HELPER_INVOCATION\nDCL SV[1], POSITION\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\n"
        "DCL OUT[2], COLOR[2]\nDCL TEMP[0..4]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] FLT32 {0.5, -0.25, 3.0, "
        "0.0}\n");
    for (unsigned n = 3 + pick(14); n-- > 0;) at += write_instruction(text + at, TEXT - at);
    at += (size_t)snprintf(text + at, TEXT - at, "MAD OUT[0].xy, IN[0], IMM[0].xxxx, IMM[0].xxxx\n");
    snprintf(text + at, TEXT - at, "END\n");
}

/* ---- one rectangle, twice ---- */

struct render_target {
    uint8_t *drawn, *expected;
    struct sch_render_target given;
};

struct test {
    char text[TEXT];
    struct sch_rectangle rectangle;
    struct sch_rectangle_register registers[INPUTS + VALUES];
    struct sch_render_target render_targets[RENDER_TARGETS];
    struct render_target render_target[RENDER_TARGETS];
    struct sch_invocations work;
    uint32_t *inputs, *values, *outputs, *pixels;
    uint8_t *helpers, *killed;
};

static float sum(const float steps[3], float x, float y) { return fmaf(y, steps[2], fmaf(x, steps[1], steps[0])); }

/* The formula of struct sch_plane. */
static uint32_t plane_word(const struct sch_plane *plane, float x, float y)
{
    float quotient = sum(plane->value, x, y) / sum(plane->divisor, x, y);
    return quotient != quotient ? 0x7fc00000u : api_bits(quotient);
}

static void fill(const struct sch_rectangle_register *given, uint32_t x, uint32_t y, uint32_t words[4])
{
    for (unsigned c = 0; c < 4; c++)
        words[c] = given->planar >> c & 1 ? plane_word(&given->planes[c], (float)x, (float)y) : given->words[c];
}

/* Divisors are none, powers of two, constants or planes. */
static void random_plane(struct sch_plane *plane)
{
    static const float constants[] = {1, 1024, 0.25f, -8, 3, 0, 100, -0.0f};
    for (unsigned k = 0; k < 3; k++) plane->value[k] = number();
    plane->divisor[0] = constants[pick(8)];
    plane->divisor[1] = pick(4) ? 0 : number();
    plane->divisor[2] = pick(4) ? 0 : number();
}

static void random_registers(struct test *t)
{
    for (unsigned r = 0; r < INPUTS + VALUES; r++) {
        struct sch_rectangle_register *given = &t->registers[r];
        *given = (struct sch_rectangle_register){
            .system_value = r >= INPUTS, .index = r < INPUTS ? r : r - INPUTS, .planar = pick(16)};
        for (unsigned c = 0; c < 4; c++) {
            given->words[c] = pick(3) ? api_bits(number()) : pick(UINT32_MAX);
            random_plane(&given->planes[c]);
        }
    }
    t->rectangle.registers = t->registers;
    t->rectangle.register_stride = sizeof *t->registers;
    t->rectangle.register_count = INPUTS + VALUES;
    /* HELPER_INVOCATION is what execution knows: it comes last so that it can be left out. */
    struct sch_rectangle_register helper = t->registers[INPUTS];
    t->registers[INPUTS] = t->registers[INPUTS + 1];
    t->registers[INPUTS + 1] = helper;
    t->rectangle.register_count--;
}

static void random_render_target(struct test *t, unsigned n, bool bytes)
{
    const struct sch_rectangle *r = &t->rectangle;
    struct sch_render_target *given = &t->render_targets[n];
    *given = (struct sch_render_target){
        .output = n, .format = bytes || pick(2) ? SCH_RENDER_TARGET_UNORM8 : SCH_RENDER_TARGET_WORDS};
    if (!pick(10)) given->output = OUTPUTS; /* that is never written */
    size_t pixel = given->format == SCH_RENDER_TARGET_UNORM8 ? 4 : 16;
    given->row_bytes = (r->x + r->width) * pixel + pick(40);
    given->first_row = pick(r->y + 1);
    given->bytes = (r->y - given->first_row + r->height - 1) * given->row_bytes + (r->x + r->width) * pixel;
    t->render_target[n].drawn = malloc(given->bytes);
    t->render_target[n].expected = malloc(given->bytes);
    assert_non_null(t->render_target[n].drawn);
    assert_non_null(t->render_target[n].expected);
    for (size_t i = 0; i < given->bytes; i++)
        t->render_target[n].drawn[i] = t->render_target[n].expected[i] = (uint8_t)pick(256);
    given->pixels = t->render_target[n].drawn;
}

/* The same invocations as arrays. */
static void fill_arrays(struct test *t)
{
    const struct sch_rectangle *r = &t->rectangle;
    uint32_t across = (r->width + 1) / 2, down = (r->height + 1) / 2, count = across * down * 4;
    t->inputs = calloc(count, INPUTS * 16);
    t->values = calloc(count, VALUES * 16);
    t->outputs = calloc(count, OUTPUTS * 16);
    t->pixels = calloc(count, 16);
    t->helpers = calloc(count, 1);
    t->killed = calloc(count, 1);
    assert_true(t->inputs && t->values && t->outputs && t->pixels && t->helpers && t->killed);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = i / 4 % across * 2 + (i & 1), y = i / 4 / across * 2 + (i >> 1 & 1);
        t->helpers[i] = x >= r->width || y >= r->height;
        t->pixels[4 * i] = x += r->x;
        t->pixels[4 * i + 1] = y += r->y;
        for (unsigned n = 0; n < INPUTS; n++) fill(&t->registers[n], x, y, t->inputs + ((size_t)i * INPUTS + n) * 4);
        fill(&t->registers[INPUTS], x, y, t->values + ((size_t)i * VALUES + 1) * 4);
        t->values[(size_t)i * VALUES * 4] = t->helpers[i] ? UINT32_MAX : 0;
    }
    t->work = (struct sch_invocations){.size = sizeof t->work,
                                       .count = count,
                                       .quads = true,
                                       .inputs = t->inputs,
                                       .input_bytes = (size_t)count * INPUTS * 16,
                                       .input_registers = INPUTS,
                                       .system_values = t->values,
                                       .system_value_bytes = (size_t)count * VALUES * 16,
                                       .system_value_registers = VALUES,
                                       .helpers = t->helpers,
                                       .helper_bytes = count,
                                       .outputs = t->outputs,
                                       .output_bytes = (size_t)count * OUTPUTS * 16,
                                       .output_registers = OUTPUTS,
                                       .killed = t->killed,
                                       .killed_bytes = count,
                                       .pixels = t->pixels,
                                       .pixel_bytes = (size_t)count * 16};
}

static uint8_t unorm8(uint32_t word)
{
    double value = (double)api_float(word);
    return value > 0 ? value < 1 ? (uint8_t)nearbyint(value * 255) : 255 : 0;
}

/* Puts what the invocations gave where the render target has their pixels. */
static void place(const struct test *t, unsigned n)
{
    const struct sch_render_target *given = &t->render_targets[n];
    static const uint32_t nothing[4];
    for (uint32_t i = 0; i < t->work.count; i++) {
        if (t->helpers[i] || t->killed[i]) continue;
        const uint32_t *words =
            given->output < OUTPUTS ? t->outputs + ((size_t)i * OUTPUTS + given->output) * 4 : nothing;
        uint8_t *to = t->render_target[n].expected + (t->pixels[4 * i + 1] - given->first_row) * given->row_bytes;
        if (given->format == SCH_RENDER_TARGET_WORDS)
            memcpy(to + (size_t)t->pixels[4 * i] * 16, words, 16);
        else
            for (unsigned c = 0; c < 4; c++) to[(size_t)t->pixels[4 * i] * 4 + c] = unorm8(words[c]);
    }
}

static void release(struct test *t)
{
    for (unsigned n = 0; n < RENDER_TARGETS; n++) {
        free(t->render_target[n].drawn);
        free(t->render_target[n].expected);
    }
    free(t->inputs);
    free(t->values);
    free(t->outputs);
    free(t->pixels);
    free(t->helpers);
    free(t->killed);
}

/* Half of the cases are such that an engine may run several groups at once: all colours are bytes, and many rows
 * consist of whole groups. */
static void random_size(struct test *t, bool spans)
{
    uint32_t most = pick(5) ? 40 : 200;
    t->rectangle.x = pick(20) * 2;
    t->rectangle.y = pick(20) * 2;
    t->rectangle.width = spans ? 16 * (1 + pick(12)) + (pick(3) ? 0 : pick(16)) : 1 + pick(most);
    t->rectangle.height = 1 + pick(40);
}

static void check_case(struct sch_context *context, unsigned width, bool spans)
{
    static struct test test;
    struct test *t = &test;
    memset(t, 0, sizeof *t);
    write_shader(t->text);
    t->rectangle = (struct sch_rectangle){.size = sizeof t->rectangle,
                                          .render_targets = t->render_targets,
                                          .render_target_stride = sizeof(struct sch_render_target),
                                          .render_target_count = RENDER_TARGETS};
    random_size(t, spans);
    random_registers(t);
    for (unsigned n = 0; n < RENDER_TARGETS; n++) random_render_target(t, n, spans);
    fill_arrays(t);
    struct sch_program *program = api_program(context, t->text, width);
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = 1 + pick(3)};
    struct sch_dispatch_report arrays = {.size = sizeof arrays}, rectangle = {.size = sizeof rectangle};
    assert_int_equal(sch_dispatch(program, NULL, &t->work, NULL, &arrays), SCH_OK);
    assert_int_equal(sch_dispatch_rectangle(program, NULL, &t->rectangle, &options, &rectangle), SCH_OK);
    assert_int_equal(arrays.instructions, rectangle.instructions);
    for (unsigned n = 0; n < RENDER_TARGETS; n++) {
        place(t, n);
        if (memcmp(t->render_target[n].drawn, t->render_target[n].expected, t->render_targets[n].bytes) != 0)
            fail_msg("render target %u of %ux%u at %u,%u differs, width %u:\n%s", n, t->rectangle.width,
                     t->rectangle.height, t->rectangle.x, t->rectangle.y, width, t->text);
    }
    sch_program_destroy(program);
    release(t);
}

static void test_random(void **state)
{
    (void)state;
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    const unsigned cases = by_code_share(CASES, 2);
    for (unsigned n = 0; n < cases; n++) check_case(context, 4u << n % 3, n % 2);
    sch_context_destroy(context);
}

/* ---- the operations alone ---- */

static void each_level(void (*check)(const struct sch_ops *ops))
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++) check(levels[i]);
    for (unsigned lanes = 4; lanes <= 16; lanes *= 2) check(sch_ops_for_width(lanes));
}

/* Around every border between two bytes, and what is no number between 0 and 1. */
static void check_bytes(const struct sch_ops *ops)
{
    static const uint32_t special[] = {0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000, 0x80000000,
                                       0x00000001, 0x3f800001, 0x3f7fffff, 0xbf800000, 0x7f7fffff};
    for (unsigned round = 0; round < 64; round++) {
        struct sch_lanes rgba[4], rows;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
                uint32_t border = api_bits((float)(round * 4 + c) / 255.0f + 0.5f / 255.0f);
                rgba[c].u[i] = i < 10 ? special[(i + round) % 10] : border + i - 20;
            }
        ops->pack_unorm8(rows.u, rows.u + 16, rgba);
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            unsigned row = i >> 1 & 1, column = i / 4 * 2 + (i & 1);
            for (unsigned c = 0; c < 4; c++)
                assert_int_equal(rows.u[row * 16 + column] >> 8 * c & 255, unorm8(rgba[c].u[i]));
        }
    }
}

static void check_places(const struct sch_ops *ops)
{
    static const uint32_t blocks[][3] = {{256, 1, 1}, {1, 1, 1},  {9, 1, 1},     {7, 5, 3},    {32, 8, 4},
                                         {1, 1, 64},  {1, 64, 1}, {1000, 64, 1}, {3, 21845, 1}};
    struct sch_lanes id[3], x, y;
    for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (uint32_t first = 0; first < blocks[b][0] * blocks[b][1] * blocks[b][2]; first += 32 * (1 + first / 512)) {
            const bool one_row = blocks[b][1] * blocks[b][2] == 1; /* only x is written */
            memset(id, one_row ? 0xab : 0, sizeof id);
            ops->thread_ids(id, first, blocks[b]);
            for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
                uint32_t thread = first + i, line = thread / blocks[b][0];
                if (thread >= blocks[b][0] * blocks[b][1] * blocks[b][2]) break;
                assert_int_equal(id[0].u[i], thread % blocks[b][0]);
                assert_int_equal(id[1].u[i], one_row ? 0xabababab : line % blocks[b][1]);
                assert_int_equal(id[2].u[i], one_row ? 0xabababab : line / blocks[b][1]);
            }
        }
    ops->quad_pixels(&x, &y, 32766, 12);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        assert_int_equal(x.u[i], api_bits((float)(32766 + i / 4 * 2 + (i & 1))));
        assert_int_equal(y.u[i], api_bits((float)(12 + (i >> 1 & 1))));
    }
}

static void test_operations(void **state)
{
    (void)state;
    each_level(check_bytes);
    each_level(check_places);
}

/* ---- wrong calls, failures ---- */

static const char plain[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";

static void test_arguments(void **state)
{
    (void)state;
    static uint8_t bytes[64 * 64 * 16];
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_program *program = api_program(context, plain, 0);
    struct sch_program *vertex = api_program(context, "VERT\nDCL OUT[0], POSITION\nMOV OUT[0].x, OUT[0]\nEND\n", 0);
    const struct sch_render_target render_target = {.pixels = bytes, .bytes = 64 * 64 * 4, .row_bytes = 64 * 4};
    const struct sch_rectangle right = {.size = sizeof right,
                                        .x = 2,
                                        .y = 4,
                                        .width = 62,
                                        .height = 60,
                                        .render_targets = &render_target,
                                        .render_target_stride = sizeof(struct sch_render_target),
                                        .render_target_count = 1};
#define REFUSED(...)                                                                                                   \
    do {                                                                                                               \
        struct sch_rectangle wrong = right;                                                                            \
        struct sch_render_target on = render_target;                                                                   \
        wrong.render_targets = &on;                                                                                    \
        __VA_ARGS__;                                                                                                   \
        assert_int_equal(sch_dispatch_rectangle(program, NULL, &wrong, NULL, NULL), SCH_ERROR_ARGUMENT);               \
    } while (0)
    assert_int_equal(sch_dispatch_rectangle(program, NULL, &right, NULL, NULL), SCH_OK);
    assert_int_equal(sch_dispatch_rectangle(NULL, NULL, &right, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_rectangle(program, NULL, NULL, NULL, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_rectangle(vertex, NULL, &right, NULL, NULL), SCH_ERROR_ARGUMENT);
    REFUSED(wrong.size = 8);
    REFUSED(wrong.x = 1);
    REFUSED(wrong.y = 3);
    REFUSED(wrong.x = 4);
    REFUSED(wrong.height = 61);
    REFUSED(wrong.width = 32769);
    REFUSED(wrong.height = UINT32_MAX);
    REFUSED(wrong.x = UINT32_MAX - 1);
    REFUSED(wrong.register_count = 1);
    REFUSED(wrong.render_targets = NULL);
    REFUSED(on.pixels = NULL);
    REFUSED(on.bytes--);
    REFUSED(on.row_bytes = 64 * 4 - 1);
    REFUSED(on.row_bytes = SIZE_MAX / 2);
    REFUSED(on.format = SCH_RENDER_TARGET_WORDS);
    REFUSED(on.format = (enum sch_render_target_format)2);
    struct sch_rectangle empty = right;
    empty.width = 0;
    assert_int_equal(sch_dispatch_rectangle(program, NULL, &empty, NULL, NULL), SCH_OK);
    sch_program_destroy(vertex);
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* Programs with lookups run tile by tile: every size up to some tiles has every pixel once, with its own place. */
static void test_tiles(void **state)
{
    (void)state;
    static const char lookup[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                                 "DCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\n"
                                 "ADD OUT[0], IN[0], TEMP[0]\nEND\n";
    static const uint32_t sizes[][2] = {{16, 1}, {16, 200}, {64, 64}, {80, 65}, {128, 63}, {144, 130}, {400, 66}};
    static float drawn[200][400][4];
    const struct sch_rectangle_register at = {.planar = 3, .planes = {{{0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 0}}}};
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_program *program = api_program(context, lookup, 0);
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (uint32_t threads = 1; threads < 4; threads++) {
            const struct sch_render_target render_target = {.pixels = drawn,
                                                            .bytes = sizeof drawn,
                                                            .row_bytes = sizeof drawn[0],
                                                            .format = SCH_RENDER_TARGET_WORDS};
            const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                                    .width = sizes[s][0],
                                                    .height = sizes[s][1],
                                                    .registers = &at,
                                                    .register_stride = sizeof(struct sch_rectangle_register),
                                                    .register_count = 1,
                                                    .render_targets = &render_target,
                                                    .render_target_stride = sizeof(struct sch_render_target),
                                                    .render_target_count = 1};
            const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads};
            memset(drawn, 0xff, sizeof drawn);
            assert_int_equal(sch_dispatch_rectangle(program, NULL, &rectangle, &options, NULL), SCH_OK);
            for (uint32_t y = 0; y < 200; y++)
                for (uint32_t x = 0; x < 400; x++) {
                    bool inside = x < sizes[s][0] && y < sizes[s][1];
                    const uint32_t none = UINT32_MAX, column = inside ? api_bits((float)x) : none,
                                   row = inside ? api_bits((float)y) : none;
                    assert_int_equal(api_bits(drawn[y][x][0]), column);
                    assert_int_equal(api_bits(drawn[y][x][1]), row);
                }
        }
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* Programs that write memory do not, since the order shows: a ticket for each pixel, in the order of invocations. */
static void test_order(void **state)
{
    (void)state;
    static const char tickets[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
                                  "DCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0]\nDCL TEMP[0..1]\n"
                                  "IMM[0] UINT32 {0, 1, 0, 0}\nTEX TEMP[0], IN[0], SAMP[0], 2D\n"
                                  "ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
                                  "UADD OUT[0], TEMP[1].xxxx, TEMP[0]\nEND\n";
    enum { WIDTH = 144, HEIGHT = 18 };
    static uint32_t drawn[HEIGHT][WIDTH][4];
    const struct sch_render_target render_target = {
        .pixels = drawn, .bytes = sizeof drawn, .row_bytes = sizeof drawn[0], .format = SCH_RENDER_TARGET_WORDS};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = WIDTH,
                                            .height = HEIGHT,
                                            .render_targets = &render_target,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 1};
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_program *program = api_program(context, tickets, 0);
    for (uint32_t threads = 1; threads < 4; threads++) {
        uint32_t counter = 0;
        const struct sch_storage_buffer buffer = {&counter, sizeof counter};
        const struct sch_bindings bindings = {.size = sizeof bindings, .buffers = &buffer, .buffer_count = 1};
        const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads};
        assert_int_equal(sch_dispatch_rectangle(program, &bindings, &rectangle, &options, NULL), SCH_OK);
        assert_int_equal(counter, WIDTH * HEIGHT);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                assert_int_equal(drawn[y][x][0], 4 * (y / 2 * (WIDTH / 2) + x / 2) + y % 2 * 2 + x % 2);
    }
    sch_program_destroy(program);
    sch_context_destroy(context);
}

/* Every pixel takes 600 steps of 1,000; pixel (7, 5) never ends. */
static void check_budget(struct sch_context *context, uint32_t width, uint32_t height)
{
    static const char endless[] =
        "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
        "IMM[0] FLT32 {7.0, 5.0, 600.0, 1.0}\nBGNLOOP\nADD TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww\n"
        "SGE TEMP[1].y, TEMP[1].xxxx, IMM[0].zzzz\nIF TEMP[1].yyyy\nBRK\nENDIF\nENDLOOP\nSEQ TEMP[0].xy, IN[0], "
        "IMM[0]\nMUL TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy\nIF TEMP[0].xxxx\nBGNLOOP\nENDLOOP\nENDIF\nEND\n";
    const struct sch_rectangle_register at = {.planar = 3, .planes = {{{0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 0}}}};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = width,
                                            .height = height,
                                            .registers = &at,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = 1};
    struct sch_program *program = api_program(context, endless, 0);
    for (uint32_t threads = 1; threads < 4; threads++) {
        const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .budget = 1000};
        struct sch_dispatch_report report = {.size = sizeof report};
        assert_int_equal(sch_dispatch_rectangle(program, NULL, &rectangle, &options, &report), SCH_ERROR_BUDGET);
        assert_int_equal(report.invocation, 4 * (5 / 2 * ((width + 1) / 2) + 7 / 2) + 3);
    }
    sch_program_destroy(program);
}

static void test_budget(void **state)
{
    (void)state;
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    check_budget(context, 9, 7);
    check_budget(context, 64, 16);
    check_budget(context, 16, 8);
    check_budget(context, 37, 6);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_tiles),  cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_budget), cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
