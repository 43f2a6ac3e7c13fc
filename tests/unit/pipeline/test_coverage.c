/* A source of work that is none of the library's (coverage_source.c): triangles with masks of what they cover, several
 * render targets, planes of their own. Its pictures are what the shader's formulas give pixel by pixel, at every width,
 * on any number of threads, with spans and without. The formulas are those of struct sch_plane and of the opcodes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "../support/by_code.h"
#include "../support/exec_program.h"
#include "../support/pool_of_tests.h"
#include "coverage_source.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { WIDTH = 150, HEIGHT = 42, TRIANGLES = 12, DRAWS = 4, TARGETS = 2, PIXEL = 16, ROW = WIDTH * PIXEL };

static const unsigned widths[] = {4, 8, 16};
static const uint32_t threads[] = {1, 2, 3, 8};

static struct coverage_triangle triangles[TRIANGLES];
static uint8_t drawn[TARGETS][HEIGHT * ROW], expected[TARGETS][HEIGHT * ROW];
static uint8_t behind[HEIGHT * WIDTH * 4]; /* what FBFETCH reads */

static uint64_t seed = 1;
static uint32_t pick(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((seed >> 33) % below);
}
static float number(void) { return (float)((int)pick(2001) - 1000) / 1024; }

/* ---- programs ---- */

#define HEAD                                                                                                           \
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL IN[1], GENERIC[1], LINEAR\nDCL OUT[0], COLOR\n"                     \
    "DCL OUT[1], COLOR[1]\nDCL TEMP[0..2]\nIMM[0] FLT32 {0.5, 0.25, -0.375, 0.0}\n"

/* Quads' differences, and pixels that are killed; code has spans of it. */
static const char plain[] = HEAD "DDX_FINE TEMP[0], IN[0]\n"
                                 "DDY_FINE TEMP[1], IN[1]\n"
                                 "MAD OUT[0], IN[0], IMM[0].xxxx, IMM[0].yyyy\n"
                                 "ADD TEMP[0], TEMP[0], TEMP[1]\n"
                                 "MAD OUT[1], TEMP[0], IMM[0].yyyy, IN[1]\n"
                                 "KILL_IF IN[1].wwww\n"
                                 "END\n";

/* All that a source is asked while a group runs. */
static const char asking[] = HEAD "INTERP_CENTROID TEMP[0], IN[0]\n"
                                  "INTERP_OFFSET TEMP[1], IN[1], IMM[0].yzzz\n"
                                  "FBFETCH TEMP[2], OUT[0]\n"
                                  "MAD OUT[0], TEMP[0], IMM[0].xxxx, TEMP[2]\n"
                                  "ADD OUT[1], TEMP[1], IN[0]\n"
                                  "END\n";

/* Does not end where IN[1].w is negative. */
static const char endless[] = HEAD "BGNLOOP\n"
                                   "SGE TEMP[0].x, IN[1].wwww, IMM[0].wwww\n"
                                   "IF TEMP[0].xxxx\nBRK\nENDIF\n"
                                   "ENDLOOP\n"
                                   "MOV OUT[0], IN[0]\n"
                                   "END\n";

static struct sch_exec_program *program_of(const char *text, unsigned lanes)
{
    const struct sch_exec_options options = {.lanes = lanes};
    return exec_program(text, &options);
}

/* ---- draws ---- */

static void random_edges(struct coverage_triangle *triangle, bool everywhere)
{
    int64_t corner[3][2];
    for (unsigned i = 0; i < 3; i++) {
        corner[i][0] = pick(WIDTH + 40) - INT64_C(20);
        corner[i][1] = pick(HEIGHT + 20) - INT64_C(10);
    }
    for (unsigned i = 0; i < 3; i++) {
        const int64_t *from = corner[i], *to = corner[(i + 1) % 3], *third = corner[(i + 2) % 3];
        int64_t *edge = triangle->edge[i];
        edge[0] = from[1] - to[1];
        edge[1] = to[0] - from[0];
        edge[2] = -(edge[0] * from[0] + edge[1] * from[1]);
        if (edge[0] * third[0] + edge[1] * third[1] + edge[2] < 0)
            for (unsigned k = 0; k < 3; k++) edge[k] = -edge[k];
        if (everywhere) edge[0] = edge[1] = edge[2] = 0;
    }
}

static void random_triangle(struct coverage_triangle *triangle, bool everywhere)
{
    *triangle = (struct coverage_triangle){.centroid = {(float)pick(5) / 8 - 0.25f, (float)pick(5) / 8 - 0.25f}};
    random_edges(triangle, everywhere);
    for (unsigned p = 0; p < 4 * COVERAGE_INPUTS; p++) {
        struct sch_plane *plane = &triangle->planes[p / 4][p % 4];
        const bool perspective = p < 4;
        plane->value[0] = number();
        for (unsigned k = 1; k < 3; k++) plane->value[k] = number() / 64;
        plane->divisor[0] = perspective ? 8 + number() : 2;
        for (unsigned k = 1; k < 3 && perspective; k++) plane->divisor[k] = number() / 128;
    }
}

static void random_draw(bool words, struct sch_render_target targets[TARGETS], struct coverage_draw *draw)
{
    for (unsigned t = 0; t < TRIANGLES; t++) random_triangle(&triangles[t], t == 0 || pick(6) == 0);
    for (unsigned t = 0; t < TARGETS; t++)
        targets[t] =
            (struct sch_render_target){.pixels = drawn[t],
                                       .bytes = sizeof drawn[t],
                                       .row_bytes = ROW,
                                       .output = TARGETS - 1 - t,
                                       .format = words && t ? SCH_RENDER_TARGET_WORDS : SCH_RENDER_TARGET_UNORM8};
    *draw = (struct coverage_draw){.width = WIDTH,
                                   .height = HEIGHT,
                                   .triangles = triangles,
                                   .triangle_count = TRIANGLES,
                                   .targets = targets,
                                   .target_count = TARGETS};
}

/* ---- what pixels become ---- */

static float sum(const float steps[3], float x, float y) { return fmaf(y, steps[2], fmaf(x, steps[1], steps[0])); }

/* An input `dx`, `dy` from the centre of a pixel. */
static float input_at(const struct sch_plane *plane, uint32_t x, uint32_t y, float dx, float dy)
{
    const float value[3] = {sum(plane->value, (float)x, (float)y), plane->value[1], plane->value[2]};
    const float divisor[3] = {sum(plane->divisor, (float)x, (float)y), plane->divisor[1], plane->divisor[2]};
    return sum(value, dx, dy) / sum(divisor, dx, dy);
}

static bool covers_block(const struct coverage_triangle *triangle, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < 2 * COVERAGE_BLOCK_WIDTH; i++) {
        const uint32_t px = x / COVERAGE_BLOCK_WIDTH * COVERAGE_BLOCK_WIDTH + i / 2, py = y / 2 * 2 + i % 2;
        if (px >= WIDTH || py >= HEIGHT || !coverage_covers(triangle, px, py)) return false;
    }
    return true;
}

static void plain_pixel(const struct coverage_triangle *triangle, uint32_t x, uint32_t y, float out[2][4])
{
    for (unsigned c = 0; c < 4; c++) {
        const struct sch_plane *in[2] = {&triangle->planes[0][c], &triangle->planes[1][c]};
        const float dx = input_at(in[0], x | 1, y, 0, 0) - input_at(in[0], x & ~1u, y, 0, 0);
        const float dy = input_at(in[1], x, y | 1, 0, 0) - input_at(in[1], x, y & ~1u, 0, 0);
        out[0][c] = fmaf(input_at(in[0], x, y, 0, 0), 0.5f, 0.25f);
        out[1][c] = fmaf(dx + dy, 0.25f, input_at(in[1], x, y, 0, 0));
    }
}

static void pixel_with_inputs(const struct coverage_triangle *triangle, uint32_t x, uint32_t y, float out[2][4])
{
    static const float centre[2];
    const float *at = covers_block(triangle, x, y) ? centre : triangle->centroid;
    for (unsigned c = 0; c < 4; c++) {
        const struct sch_plane *in[2] = {&triangle->planes[0][c], &triangle->planes[1][c]};
        out[0][c] = fmaf(input_at(in[0], x, y, at[0], at[1]), 0.5f, (float)behind[(y * WIDTH + x) * 4 + c] / 255);
        out[1][c] = input_at(in[1], x, y, 0.25f, -0.375f) + input_at(in[0], x, y, 0, 0);
    }
}

static void put(const struct sch_render_target *target, uint8_t *to, const float color[4])
{
    for (unsigned c = 0; c < 4; c++) {
        const double clamped = color[c] > 0 ? color[c] < 1 ? color[c] : 1 : 0;
        if (target->format == SCH_RENDER_TARGET_WORDS)
            memcpy(to + 4 * (size_t)c, &color[c], sizeof color[c]);
        else
            to[c] = (uint8_t)rint(clamped * 255);
    }
}

static void expect(const struct coverage_draw *draw, bool asks)
{
    memset(expected, 0xee, sizeof expected);
    for (uint32_t n = 0; n < TRIANGLES * WIDTH * HEIGHT; n++) {
        const struct coverage_triangle *triangle = &triangles[n / (WIDTH * HEIGHT)];
        const uint32_t x = n % WIDTH, y = n / WIDTH % HEIGHT;
        float out[2][4];
        if (!coverage_covers(triangle, x, y)) continue;
        if (!asks && input_at(&triangle->planes[1][3], x, y, 0, 0) < 0) continue; /* killed */
        asks ? pixel_with_inputs(triangle, x, y, out) : plain_pixel(triangle, x, y, out);
        for (unsigned t = 0; t < TARGETS; t++) {
            const struct sch_render_target *target = &draw->targets[t];
            const size_t bytes = target->format == SCH_RENDER_TARGET_WORDS ? 16 : 4;
            put(target, expected[t] + (size_t)y * ROW + x * bytes, out[target->output]);
        }
    }
}

/* ---- cases ---- */

static struct sch_exec_bindings bound(void)
{
    static struct sch_texture texture;
    static struct sch_exec_image image;
    texture = (struct sch_texture){.levels = 1,
                                   .layers = 1,
                                   .samples = 1,
                                   .level = {{.texels = behind,
                                              .width = WIDTH,
                                              .height = HEIGHT,
                                              .depth = 1,
                                              .row_bytes = WIDTH * 4,
                                              .slice_bytes = sizeof behind}}};
    image = (struct sch_exec_image){.texture = &texture, .format = SCH_FORMAT_R8G8B8A8_UNORM, .target = SCH_TARGET_2D};
    for (size_t i = 0; i < sizeof behind; i++) behind[i] = (uint8_t)pick(256);
    return (struct sch_exec_bindings){.color_buffers = &image, .color_buffer_count = 1};
}

/* The picture, and the same count of instructions by all ways: `instructions` 0 is not known yet. */
static void check_draw(const struct sch_exec_program *program, const struct coverage_draw *draw, uint32_t count,
                       const struct sch_exec_bindings *bindings, uint64_t *instructions)
{
    const struct sch_run_options options = {.pool = pool_of_tests(), .threads = count};
    struct sch_run_report report;
    uint64_t loaded, all;
    memset(drawn, 0xee, sizeof drawn);
    assert_int_equal(coverage_run(program, bindings, draw, &options, &report, &loaded, &all), SCH_OK);
    for (unsigned t = 0; t < TARGETS; t++)
        for (size_t at = 0; at < sizeof drawn[t]; at++)
            if (drawn[t][at] != expected[t][at])
                fail_msg("%u threads, spans %d, target %u, %zu, %zu: %02x, not %02x", count, draw->spans, t,
                         at % ROW / (draw->targets[t].format == SCH_RENDER_TARGET_WORDS ? 16 : 4), at / ROW,
                         drawn[t][at], expected[t][at]);
    if (*instructions) assert_int_equal(report.instructions, *instructions);
    *instructions = report.instructions;
    assert_true(all > TRIANGLES);
    if (draw->spans && by_code())
        assert_true(loaded < all);
    else
        assert_true(loaded == all);
}

static void check_program(const char *text, bool asks)
{
    struct sch_exec_program *programs[COUNT(widths)];
    const struct sch_exec_bindings bindings = bound();
    for (unsigned w = 0; w < COUNT(widths); w++) programs[w] = program_of(text, widths[w]);
    for (unsigned d = 0; d < DRAWS; d++) {
        struct sch_render_target targets[TARGETS];
        struct coverage_draw draw;
        uint64_t instructions = 0;
        random_draw(asks || d % 2, targets, &draw);
        expect(&draw, asks);
        for (unsigned w = 0; w < COUNT(widths); w++)
            for (unsigned n = 0; n < COUNT(threads); n++)
                for (unsigned spans = 0; spans <= (!asks && d % 2 == 0); spans++) {
                    draw.spans = spans;
                    check_draw(programs[w], &draw, threads[n], &bindings, &instructions);
                }
    }
    for (unsigned w = 0; w < COUNT(widths); w++) sch_exec_destroy(programs[w]);
}

static void pictures_are_the_formulas(void **state)
{
    (void)state;
    check_program(plain, false);
}

static void instructions_get_inputs(void **state)
{
    (void)state;
    check_program(asking, true);
}

/* The first invocation, in the order of bins, triangles and blocks, that does not end: lanes of quads that the triangle
 * touches run, also those that it does not cover. */
static uint32_t first_endless(void)
{
    enum { IN_ROW = COVERAGE_BIN_WIDTH / COVERAGE_BLOCK_WIDTH, IN_BIN = IN_ROW * COVERAGE_BIN_HEIGHT / 2 };
    const uint32_t across = (WIDTH + COVERAGE_BIN_WIDTH - 1) / COVERAGE_BIN_WIDTH;
    uint32_t first = 0;
    for (uint32_t n = 0;; n++) {
        const uint32_t bin = n / (TRIANGLES * IN_BIN), block = n % IN_BIN;
        const struct coverage_triangle *triangle = &triangles[n / IN_BIN % TRIANGLES];
        const uint32_t left = bin % across * COVERAGE_BIN_WIDTH + block % IN_ROW * COVERAGE_BLOCK_WIDTH;
        const uint32_t top = bin / across * COVERAGE_BIN_HEIGHT + block / IN_ROW * 2;
        bool has_lanes = false;
        assert_true(top < HEIGHT);
        for (uint32_t lane = 0; lane < 32; lane++) {
            bool touched = false;
            for (uint32_t i = 0; i < 4; i++) {
                const uint32_t x = left + lane / 4 * 2 + i % 2, y = top + i / 2;
                touched |= x < WIDTH && y < HEIGHT && coverage_covers(triangle, x, y);
            }
            const uint32_t x = left + lane / 4 * 2 + lane % 2, y = top + lane / 2 % 2;
            has_lanes |= touched;
            if (touched && input_at(&triangle->planes[1][3], x, y, 0, 0) < 0) return first + lane;
        }
        if (has_lanes) first += 32;
    }
}

static void failures_are_placed(void **state)
{
    (void)state;
    for (unsigned w = 0; w < COUNT(widths); w++) {
        struct sch_exec_program *program = program_of(endless, widths[w]);
        for (unsigned d = 0; d < DRAWS; d++) {
            struct sch_render_target targets[TARGETS];
            struct coverage_draw draw;
            uint64_t instructions = 0, loaded, all;
            random_draw(false, targets, &draw);
            const uint32_t wanted = first_endless();
            for (unsigned n = 0; n < 2 * COUNT(threads); n++) {
                const struct sch_run_options options = {
                    .pool = pool_of_tests(), .threads = threads[n / 2], .budget = 100};
                struct sch_run_report report;
                draw.spans = n % 2;
                assert_int_equal(coverage_run(program, NULL, &draw, &options, &report, &loaded, &all),
                                 SCH_ERROR_BUDGET);
                assert_int_equal(report.invocation, wanted);
                if (n) assert_int_equal(report.instructions, instructions);
                instructions = report.instructions;
            }
        }
        sch_exec_destroy(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_the_formulas),
        cmocka_unit_test(instructions_get_inputs),
        cmocka_unit_test(failures_are_placed),
    };
    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
