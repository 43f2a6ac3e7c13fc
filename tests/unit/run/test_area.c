/* Rectangles as engines see them (run/rectangle.c, run/targets.c): which pixels the groups and spans are, in which
 * order, what planes give there, and where colours go; with an engine that computes nothing but what a case says. The
 * numbers come from the documentation of struct sch_rectangle: quads row by row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "../support/exec_program.h"
#include "exec/engine.h"
#include "exec/job.h"
#include "run/run.h"
#include "tgsi/tgsi.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { MOST_GROUPS = 4096, SIDE = 160, INPUTS = 2 };

static struct {
    unsigned count;
    uint64_t first[MOST_GROUPS];
    uint32_t groups[MOST_GROUPS], rows[MOST_GROUPS]; /* of spans; 0: a group */
} seen;

static struct sch_rectangle rectangle;
static struct sch_rectangle_register registers[3];
static struct sch_render_target render_targets[2];
static bool spans_run;
static uint32_t killed; /* bits, of each group */

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics)
{
    (void)program;
    (void)shader;
    (void)diagnostics;
    return SCH_OK;
}

static uint32_t bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static float sum(const float steps[3], float x, float y) { return fmaf(y, steps[2], fmaf(x, steps[1], steps[0])); }

/* What a register's channel holds at a pixel. */
static uint32_t word_at(const struct sch_rectangle_register *given, unsigned c, float x, float y)
{
    if (!(given->planar >> c & 1)) return given->words[c];
    float quotient = sum(given->planes[c].value, x, y) / sum(given->planes[c].divisor, x, y);
    return quotient != quotient ? 0x7fc00000u : bits(quotient);
}

/* The colour that the engine gives a pixel, as it stands in a render target of words, and of bytes. */
static void color_at(uint32_t x, uint32_t y, uint32_t words[4])
{
    const uint32_t bytes[4] = {x & 255, y & 255, (x ^ y) & 255, (x + 3 * y) & 255};
    for (unsigned c = 0; c < 4; c++) words[c] = bits((float)bytes[c] / 255.0f);
}

static uint32_t across(void) { return (rectangle.width + 1) / 2; }

/* The pixel of an invocation. */
static void pixel_of(uint64_t invocation, uint32_t *x, uint32_t *y)
{
    *x = rectangle.x + (uint32_t)(invocation / 4 % across()) * 2 + (invocation & 1);
    *y = rectangle.y + (uint32_t)(invocation / 4 / across()) * 2 + (invocation >> 1 & 1);
}

static void check_lane(const struct sch_exec_machine *machine, unsigned lane)
{
    const struct sch_exec_program *program = machine->program;
    const struct sch_lanes *state = machine->group.space[SCH_SPACE_STATE];
    uint32_t x, y;
    pixel_of(machine->group.first + lane, &x, &y);
    const bool outside = x >= rectangle.x + rectangle.width || y >= rectangle.y + rectangle.height;
    if ((machine->started_helpers >> lane & 1) != outside)
        fail_msg("%u x %u: helper at %u, %u", rectangle.width, rectangle.height, x, y);
    struct sch_lanes pixel[4] = {0};
    machine->source->kind->locate(machine->source, machine, pixel);
    if (pixel[0].u[lane] != x || pixel[1].u[lane] != y || pixel[2].u[lane] || pixel[3].u[lane])
        fail_msg("%u x %u: invocation %llu is at another pixel", rectangle.width, rectangle.height,
                 (unsigned long long)machine->group.first + lane);
    for (unsigned r = 0; r < COUNT(registers); r++) {
        const unsigned file = registers[r].system_value ? SCH_FILE_SYSTEM_VALUE : SCH_FILE_INPUT;
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t got = state[program->prepared.files[file].base + 4 * registers[r].index + c].u[lane];
            const uint32_t wanted = word_at(&registers[r], c, (float)x, (float)y);
            if (got != wanted) fail_msg("register %u.%u at %u, %u: %08x, not %08x", r, c, x, y, got, wanted);
        }
    }
}

static void run_group(struct sch_exec_machine *machine)
{
    const struct sch_prepared_file *out = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    assert_true(seen.count < MOST_GROUPS);
    seen.groups[seen.count] = seen.rows[seen.count] = 0;
    seen.first[seen.count++] = machine->group.first;
    machine->group.at = SCH_GROUP_ENDED;
    for (unsigned lane = 0; lane < 32 && machine->group.present >> lane & 1; lane++) {
        uint32_t x, y, words[4];
        check_lane(machine, lane);
        pixel_of(machine->group.first + lane, &x, &y);
        color_at(x, y, words);
        for (unsigned c = 0; c < 4; c++) machine->group.space[SCH_SPACE_STATE][out->base + c].u[lane] = words[c];
    }
    machine->group.helpers |= killed;
}

/* The planes of a span are the registers', in the order of their channels; its targets are the render targets. */
static void check_span(const struct sch_exec_machine *machine)
{
    const struct sch_exec_spans *spans = machine->source->spans;
    uint32_t count = 0;
    for (uint32_t p = 1; p < spans->plane_count; p++) assert_true(spans->channels[p - 1] < spans->channels[p]);
    for (unsigned r = 0; r < COUNT(registers); r++)
        for (unsigned c = 0; c < 4; c++) {
            const struct sch_plane *given = &registers[r].planes[c];
            const unsigned file = registers[r].system_value ? SCH_FILE_SYSTEM_VALUE : SCH_FILE_INPUT;
            const uint32_t channel = machine->program->prepared.files[file].base + 4 * registers[r].index + c;
            for (uint32_t p = 0; p < spans->plane_count && registers[r].planar >> c & 1; p++) {
                const struct sch_group_plane *plane = &machine->group.planes[p];
                if (spans->channels[p] != channel) continue;
                assert_memory_equal(plane->value, given->value, sizeof given->value);
                assert_memory_equal(plane->divisor, given->divisor, sizeof given->divisor);
                assert_int_equal(plane->division, spans->divisions[p]);
                count++;
            }
        }
    assert_int_equal(count, spans->plane_count);
    assert_int_equal(spans->target_count, rectangle.render_target_count);
    for (uint32_t t = 0; t < spans->target_count; t++) {
        assert_ptr_equal(machine->group.targets[t].pixels, rectangle.render_targets[t].pixels);
        assert_int_equal(machine->group.targets[t].row_bytes, rectangle.render_targets[t].row_bytes);
        assert_int_equal(spans->outputs[t], rectangle.render_targets[t].output);
    }
}

static bool run_span(struct sch_exec_machine *machine, struct sch_group_span *span)
{
    uint32_t x, y;
    pixel_of(machine->group.first, &x, &y);
    assert_int_equal(span->x, x);
    assert_int_equal(span->y, y);
    assert_true(span->row_step == (uint64_t)across() * 4);
    assert_true(span->done == 0);
    check_span(machine);
    if (!spans_run) return false;
    assert_true(seen.count < MOST_GROUPS);
    seen.groups[seen.count] = span->groups;
    seen.rows[seen.count] = span->rows;
    seen.first[seen.count++] = machine->group.first;
    return true;
}

static const struct sch_exec_engine engine = {
    .name = "area", .prepare = prepare, .run_group = run_group, .run_span = run_span};

#define SHADER                                                                                                         \
    "FRAG\nDCL IN[0..1], GENERIC[0], LINEAR\nDCL SV[0], POSITION\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"                 \
    "ADD TEMP[0], IN[0], IN[1]\nADD OUT[0], SV[0], TEMP[0]\n"

static struct sch_exec_program *make(const char *text)
{
    const struct sch_exec_options options = {.engine = &engine};
    return exec_program(text, &options);
}

static const char plain[] = SHADER "END\n";
static const char looks_up[] = SHADER "DCL SAMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nEND\n";

static uint32_t seed = 7;
static float number(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (float)((int)(seed >> 16 & 2047) - 1024) / 64.0f;
}

/* Planes of all kinds: that change along x, y, both or not at all, with divisors of all kinds. */
static void make_registers(void)
{
    static const float divisors[] = {1, 4, -0.5f, 3, 0, -0.0f, 0x1p127f, 0x1p-126f, 0x1p-149f, INFINITY, -1, 0x1p126f};
    static unsigned turn;
    for (unsigned r = 0; r < COUNT(registers); r++) {
        registers[r] = (struct sch_rectangle_register){
            .system_value = r == 2, .index = r % 2, .planar = turn % 5 ? (r * 5 + turn) % 16 : 15};
        for (unsigned c = 0; c < 4; c++, turn++) {
            struct sch_plane *plane = &registers[r].planes[c];
            registers[r].words[c] = turn * 77;
            plane->value[0] = number();
            plane->value[1] = turn % 3 ? number() : 0;
            plane->value[2] = turn % 4 ? number() : 0;
            plane->divisor[0] = divisors[turn % COUNT(divisors)];
            plane->divisor[1] = turn % 7 ? 0 : number();
            plane->divisor[2] = turn % 6 ? 0 : number();
        }
    }
}

static enum sch_result draw(const struct sch_exec_program *program, uint32_t width, uint32_t height)
{
    rectangle.width = width;
    rectangle.height = height;
    seen.count = 0;
    return sch_run_rectangle(program, NULL, &rectangle, NULL, NULL);
}

/* ---- render targets ---- */

static uint8_t *drawn[2], *wanted[2];

static void check_render_targets(void)
{
    static const size_t pixel[2] = {4, 16};
    for (unsigned n = 0; n < 2; n++) {
        const size_t bytes = render_targets[n].row_bytes * (rectangle.y + rectangle.height) + 64;
        for (uint32_t y = rectangle.y; y < rectangle.y + rectangle.height; y++)
            for (uint32_t x = rectangle.x; x < rectangle.x + rectangle.width; x++) {
                const uint32_t quad = (y - rectangle.y) / 2 * across() + (x - rectangle.x) / 2;
                const uint32_t lane = quad % 8 * 4 + (y & 1) * 2 + (x & 1);
                uint8_t *to = wanted[n] + y * render_targets[n].row_bytes + x * pixel[n];
                uint32_t words[4];
                if (killed >> lane & 1) continue;
                color_at(x, y, words);
                for (unsigned c = 0; c < 4; c++) {
                    if (n) memcpy(to + 4 * c, &words[c], 4);
                    const uint32_t byte[4] = {x, y, x ^ y, x + 3 * y};
                    if (!n) to[c] = (uint8_t)byte[c];
                }
            }
        for (size_t i = 0; i < bytes; i++)
            if (drawn[n][i] != wanted[n][i])
                fail_msg("%u x %u, killed %08x: render target %u differs at row %zu, byte %zu", rectangle.width,
                         rectangle.height, killed, n, i / render_targets[n].row_bytes, i % render_targets[n].row_bytes);
    }
}

static void make_render_targets(uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    static const size_t pixel[2] = {4, 16};
    rectangle = (struct sch_rectangle){.x = x,
                                       .y = y,
                                       .registers = registers,
                                       .register_count = 3,
                                       .render_targets = render_targets,
                                       .render_target_count = 2};
    for (unsigned n = 0; n < 2; n++) {
        render_targets[n].format = n ? SCH_RENDER_TARGET_WORDS : SCH_RENDER_TARGET_UNORM8;
        render_targets[n].row_bytes = (x + width) * pixel[n] + 20;
        const size_t bytes = render_targets[n].row_bytes * (y + height) + 64;
        drawn[n] = realloc(drawn[n], bytes);
        wanted[n] = realloc(wanted[n], bytes);
        assert_true(drawn[n] && wanted[n]);
        for (size_t i = 0; i < bytes; i++) drawn[n][i] = wanted[n][i] = (uint8_t)(i * 7 + 1);
        render_targets[n].pixels = drawn[n];
    }
}

/* Every size up to where groups go on in several rows: each pixel once, in its place, with its inputs. */
static void pixels_have_their_places(void **state)
{
    (void)state;
    static const uint32_t kills[] = {0,          0x00010001, 0xcccccccc, 0x0000ffff,
                                     0xfffffff0, UINT32_MAX, 0x0f0f0f0f, 0x33333333};
    struct sch_exec_program *programs[2] = {make(plain), make(looks_up)};
    spans_run = false;
    for (uint32_t n = 0; n < 300; n++) {
        const uint32_t width = n < 48 ? n + 1 : 1 + n * 37 % 90, height = 1 + n * 11 % 13;
        killed = n % 2 ? 0 : kills[n / 2 % COUNT(kills)];
        make_registers();
        make_render_targets(n % 3 * 2, n % 5 * 2, width, height);
        assert_int_equal(draw(programs[n % 4 == 3], width, height), SCH_OK);
        assert_int_equal(seen.count, ((width + 1) / 2 * ((height + 1) / 2) + 7) / 8);
        check_render_targets();
    }
    killed = 0;
    for (unsigned p = 0; p < 2; p++) sch_exec_destroy(programs[p]);
    for (unsigned n = 0; n < 2; n++) {
        free(drawn[n]);
        free(wanted[n]);
        drawn[n] = wanted[n] = NULL;
    }
}

/* ---- order ---- */

/* With lookups groups run in tiles of 4 groups and 4 rows of quads: bands from above, tiles from the left. */
static void tiles_are_run_one_by_one(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{64, 8}, {128, 32}, {144, 20}, {160, 18}, {16, 40}, {80, 2}, {63, 17}, {96, 7}};
    struct sch_exec_program *program = make(looks_up);
    make_registers();
    rectangle = (struct sch_rectangle){.registers = registers, .register_count = 3};
    for (size_t s = 0; s < COUNT(sizes); s++) {
        const uint32_t width = sizes[s][0], height = sizes[s][1], groups = (width + 15) / 16, rows = (height + 1) / 2;
        unsigned at = 0;
        spans_run = false;
        assert_int_equal(draw(program, width, height), SCH_OK);
        for (uint32_t band = 0; band < rows; band += 4)
            for (uint32_t tile = 0; tile < groups; tile += 4)
                for (uint32_t row = band; row < band + 4 && row < rows; row++)
                    for (uint32_t group = tile; group < tile + 4 && group < groups; group++, at++)
                        if (seen.first[at] != ((uint64_t)row * groups + group) * 32)
                            fail_msg("%u x %u: group %u", width, height, at);
        assert_int_equal(seen.count, at);
    }
    sch_exec_destroy(program);
    /* Without lookups, or in rows of other lengths, or where it can be seen, in the order of their numbers. */
    static const struct {
        const char *text;
        uint32_t width;
    } rows[] = {{plain, 64},
                {looks_up, 68},
                {SHADER "DCL SAMP[0]\nDCL BUFFER[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\n"
                        "STORE BUFFER[0].x, TEMP[0], TEMP[0]\nEND\n",
                 64}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        program = make(rows[r].text);
        assert_int_equal(draw(program, rows[r].width, 16), SCH_OK);
        for (unsigned i = 0; i < seen.count; i++) assert_true(seen.first[i] == 32 * (uint64_t)i);
        sch_exec_destroy(program);
    }
}

struct piece {
    uint64_t group; /* of its first, row by row */
    uint32_t groups, rows;
};

/* Which groups run as spans: those that have all their pixels and stand in one row. */
static void spans_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t width, height;
        struct piece pieces[12];
    } rows[] = {
        /* Rows of whole groups, 16 at most; the last row of quads is half outside. */
        {plain, 32, 64, {{0, 2, 16}, {32, 2, 16}}},
        {plain, 32, 40, {{0, 2, 16}, {32, 2, 4}}},
        {plain, 32, 7, {{0, 2, 3}, {6, 0, 0}, {7, 0, 0}}},
        {plain, 31, 4, {{0, 1, 1}, {1, 0, 0}, {2, 1, 1}, {3, 0, 0}}},
        {plain, 16, 2, {{0, 1, 1}}},
        {plain, 15, 2, {{0, 0, 0}}},
        /* 20 quads a row: two groups and a half, then from the half on. */
        {plain, 40, 8, {{0, 2, 1}, {2, 0, 0}, {3, 2, 1}, {5, 2, 1}, {7, 0, 0}, {8, 2, 1}}},
        /* Tiles. */
        {looks_up, 64, 8, {{0, 4, 4}}},
        {looks_up, 128, 16, {{0, 4, 4}, {4, 4, 4}, {32, 4, 4}, {36, 4, 4}}},
        {looks_up, 96, 12, {{0, 4, 4}, {4, 2, 4}, {24, 4, 2}, {28, 2, 2}}},
        {looks_up, 64, 7, {{0, 4, 3}, {12, 0, 0}, {13, 0, 0}, {14, 0, 0}, {15, 0, 0}}},
        {looks_up, 63, 4, {{0, 3, 1}, {3, 0, 0}, {4, 3, 1}, {7, 0, 0}}},
    };
    make_registers();
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct sch_exec_program *program = make(rows[r].text);
        rectangle = (struct sch_rectangle){.x = 4,
                                           .y = 6,
                                           .registers = registers,
                                           .register_count = 3,
                                           .render_targets = render_targets,
                                           .render_target_count = 0};
        spans_run = true;
        assert_int_equal(draw(program, rows[r].width, rows[r].height), SCH_OK);
        for (unsigned i = 0; i < seen.count; i++) {
            const struct piece *piece = &rows[r].pieces[i];
            if (seen.first[i] != piece->group * 32 || seen.groups[i] != piece->groups || seen.rows[i] != piece->rows)
                fail_msg("row %zu, piece %u: from %llu, %u groups, %u rows", r, i,
                         (unsigned long long)seen.first[i] / 32, seen.groups[i], seen.rows[i]);
        }
        assert_true(seen.count < 12 && (seen.count == 12 || !rows[r].pieces[seen.count].group));
        sch_exec_destroy(program);
    }
}

/* What keeps an engine from spans: words as colours, memory of the invocations' own, what asks where a pixel is. */
static void some_have_no_spans(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool words, spans;
    } rows[] = {{plain, false, true},
                {plain, true, false},
                {looks_up, false, true},
                {SHADER "DCL MEMORY[0], PRIVATE\nEND\n", false, false},
                {SHADER "DCL MEMORY[0], SHARED\nEND\n", false, true},
                {SHADER "FBFETCH TEMP[0], OUT[0]\nEND\n", false, false},
                {SHADER "SAMPLE_POS TEMP[0], TEMP[1], TEMP[0].xxxx\nEND\n", false, false},
                {SHADER "DCL SVIEW[0], 2D, FLOAT\nSAMPLE_POS TEMP[0], SVIEW[0], TEMP[0].xxxx\nEND\n", false, true}};
    static uint8_t pixels[2][16 * 16 * 16];
    make_registers();
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct sch_exec_program *program = make(rows[r].text);
        for (unsigned n = 0; n < 2; n++)
            render_targets[n] = (struct sch_render_target){.pixels = pixels[n],
                                                           .row_bytes = 16 * 16,
                                                           .format = n && rows[r].words ? SCH_RENDER_TARGET_WORDS
                                                                                        : SCH_RENDER_TARGET_UNORM8};
        rectangle = (struct sch_rectangle){
            .registers = registers, .register_count = 3, .render_targets = render_targets, .render_target_count = 2};
        spans_run = true;
        assert_int_equal(draw(program, 16, 16), SCH_OK);
        if ((seen.groups[0] != 0) != rows[r].spans) fail_msg("row %zu", r);
        sch_exec_destroy(program);
    }
}

/* Registers that the program does not read are not looked at; of two with one number the last counts; an output that
 * is not there is black. */
static void registers_are_taken(void **state)
{
    (void)state;
    struct sch_exec_program *program = make(plain);
    struct sch_rectangle_register given[6];
    uint8_t pixels[2][16];
    make_registers();
    memcpy(given + 3, registers, sizeof registers);
    for (unsigned r = 0; r < 3; r++) {
        given[r] = registers[2 - r];
        for (unsigned c = 0; c < 4; c++) given[r].words[c] = given[r].planar = 0;
    }
    given[0].index = 1; /* SV[1], IN[2]: none */
    given[1].index = 2;
    memset(pixels, 0xee, sizeof pixels);
    struct sch_render_target render_target = {.pixels = pixels[0], .row_bytes = 16, .output = 1};
    rectangle = (struct sch_rectangle){
        .registers = given, .register_count = 6, .render_targets = &render_target, .render_target_count = 1};
    spans_run = false;
    assert_int_equal(draw(program, 3, 2), SCH_OK); /* checks what lanes hold */
    for (unsigned y = 0; y < 2; y++)
        for (unsigned i = 0; i < 16; i++) assert_int_equal(pixels[y][i], i < 12 ? 0 : 0xee);
    sch_exec_destroy(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_have_their_places), cmocka_unit_test(tiles_are_run_one_by_one),
        cmocka_unit_test(spans_are_found),          cmocka_unit_test(some_have_no_spans),
        cmocka_unit_test(registers_are_taken),
    };
    return cmocka_run_group_tests_name("area", tests, NULL, NULL);
}
