/* What rectangles and draws count at pixels (struct sch_heat): pictures of 8 by 8 that are worked out by hand from
 * docs/heat.md, at every width, on several threads and, what it counts, by machine code; then what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../support/draw_support.h"

enum { SIDE = 8, PIXELS = SIDE * SIDE, GUARD = 77 };

/* All counts, of which a test compares some. */
struct counted {
    uint64_t covered[PIXELS], shaded[PIXELS], helpers[PIXELS], discarded[PIXELS], not_finite[PIXELS];
    uint64_t instructions[PIXELS], group_slots[PIXELS], idle_slots[PIXELS], texels[PIXELS];
    float lods[PIXELS];
};

/* What every engine counts, and the rest. */
static struct sch_heat heat_of(struct counted *counted, bool interpreted)
{
    struct sch_heat heat = {.size = sizeof heat,
                            .width = SIDE,
                            .height = SIDE,
                            .covered = counted->covered,
                            .shaded = counted->shaded,
                            .helpers = counted->helpers,
                            .discarded = counted->discarded,
                            .not_finite = counted->not_finite};
    memset(counted, 0, sizeof *counted);
    for (unsigned p = 0; p < PIXELS; p++) counted->lods[p] = -128;
    if (!interpreted) return heat;
    heat.instructions = counted->instructions;
    heat.group_slots = counted->group_slots;
    heat.idle_slots = counted->idle_slots;
    heat.texels = counted->texels;
    heat.greatest_lods = counted->lods;
    return heat;
}

typedef uint64_t expected_fn(unsigned x, unsigned y);

static void expect(const uint64_t counts[PIXELS], expected_fn *expected)
{
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) assert_int_equal(counts[y * SIDE + x], expected(x, y));
}

static uint64_t none(unsigned x, unsigned y) { return 0 * (x + y); }
static uint64_t one(unsigned x, unsigned y) { return 1 + none(x, y); }

/* ---- rectangles ---- */

#define HEAD "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"

static enum sch_result run(struct sch_context *context, const char *text, enum sch_engine engine, unsigned width,
                           unsigned threads, const struct sch_heat *heat, uint32_t columns, uint32_t rows,
                           struct sch_dispatch_report *report)
{
    const struct sch_rectangle_register position = {
        .planar = 3, .words = {0, 0, 0, 0x3f800000}, .planes = {{{0.5f, 1, 0}, {1, 0, 0}}, {{0.5f, 0, 1}, {1, 0, 0}}}};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = columns,
                                            .height = rows,
                                            .registers = &position,
                                            .register_stride = sizeof position,
                                            .register_count = 1};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .heat = heat};
    enum sch_result why = SCH_OK;
    struct sch_program *program = api_program_on(context, text, strlen(text), engine, width, &why);
    assert_int_equal(why, SCH_OK);
    *report = (struct sch_dispatch_report){.size = sizeof *report};
    const enum sch_result result = sch_dispatch_rectangle(program, NULL, &rectangle, &options, report);
    sch_program_destroy(program);
    return result;
}

/* In column x the loop turns x times, and ends in its next turn. */
static const char loop_text[] = HEAD "IMM[0] FLT32 {0.5, 1.0, 0.0, 0.0}\n"
                                     "MOV TEMP[0].x, IMM[0].xxxx\n"
                                     "BGNLOOP\n"
                                     "SGE TEMP[1].x, TEMP[0].xxxx, IN[0].xxxx\n"
                                     "IF TEMP[1].xxxx\n"
                                     "BRK\n"
                                     "ENDIF\n"
                                     "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
                                     "ENDLOOP\n"
                                     "MOV OUT[0], IN[0]\n"
                                     "END\n";

/* MOV and BGNLOOP; SGE, IF, ADD and ENDLOOP in each turn, no ENDIF of an IF that is not taken; SGE, IF and BRK; MOV and
 * END. */
static uint64_t loop_cost(unsigned x, unsigned y) { return 2 + 4 * (uint64_t)x + 3 + 2 + none(x, y); }

/* A group has all columns of four rows. Turns but the last one have a SGE, IF, BRK, ENDIF, ADD and ENDLOOP of some
 * lane; behind the last ENDIF there is none for the ADD. */
enum { LOOP_GROUP = 2 + 7 * 6 + 5 + 2, LOOP_LANES = 4 * (8 * 7 + 4 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7)) };
static uint64_t loop_slots(unsigned x, unsigned y) { return LOOP_GROUP * 32 + none(x, y); }
static uint64_t loop_idle(unsigned x, unsigned y) { return LOOP_GROUP * 32 - LOOP_LANES + none(x, y); }

static void loops_cost_their_turns(void **state)
{
    (void)state;
    if (by_code()) skip();
    struct sch_context *context = api_context();
    static struct counted counted;
    for (unsigned width = 4; width <= 16; width *= 2)
        for (unsigned n = 0; n < 4; n++) {
            static const enum sch_engine engines[] = {SCH_ENGINE_INTERPRETER, SCH_ENGINE_AUTO, SCH_ENGINE_AUTO};
            struct sch_heat heat = heat_of(&counted, true);
            struct sch_dispatch_report report;
            if (n == 3) heat.texels = NULL; /* which Maxwell's lookups do not count, nor levels */
            if (n == 3) heat.greatest_lods = NULL;
            assert_int_equal(
                run(context, loop_text, n == 3 ? SCH_ENGINE_MAXWELL : engines[n], width, n, &heat, SIDE, SIDE, &report),
                SCH_OK);
            assert_int_equal(report.instructions, 2 * LOOP_GROUP);
            expect(counted.instructions, loop_cost);
            expect(counted.group_slots, loop_slots);
            expect(counted.idle_slots, loop_idle);
            expect(counted.covered, one);
            expect(counted.shaded, one);
            expect(counted.discarded, none);
            expect(counted.helpers, none);
            expect(counted.texels, none);
        }
    sch_context_destroy(context);
}

/* What a lane executes is its own way, whoever its neighbours are: of 3 by 5 pixels, too, lanes outside of which are
 * not counted. Pixels that the arrays do not have are left out. */
static void parts_of_pictures_are_counted(void **state)
{
    (void)state;
    if (by_code()) skip();
    struct sch_context *context = api_context();
    static const uint32_t sizes[][4] = {{3, 5, 3, 5}, {3, 5, 8, 8}, {8, 8, 5, 3}};
    for (unsigned n = 0; n < 3; n++) {
        uint64_t costs[PIXELS];
        const uint32_t *size = sizes[n];
        struct sch_heat heat = {.size = sizeof heat, .width = size[2], .height = size[3], .instructions = costs};
        struct sch_dispatch_report report;
        for (unsigned p = 0; p < PIXELS; p++) costs[p] = GUARD;
        assert_int_equal(run(context, loop_text, SCH_ENGINE_INTERPRETER, 8, 1, &heat, size[0], size[1], &report),
                         SCH_OK);
        for (unsigned p = 0; p < PIXELS; p++) {
            const uint32_t x = p % size[2], y = p / size[2];
            const bool counted = x < size[0] && y < size[1] && y < size[3];
            assert_int_equal(costs[p], GUARD + (counted ? loop_cost(x, y) : 0));
        }
    }
    sch_context_destroy(context);
}

/* Columns 0 to 3 are killed; what they write does not count. From column 4 on x is infinite and z NaN in odd rows. */
static const char kill_text[] = HEAD "IMM[0] FLT32 {4.0, 0.0, 1.0, 0.5}\n"
                                     "MUL TEMP[0].x, IN[0].yyyy, IMM[0].wwww\n"
                                     "FRC TEMP[0].x, TEMP[0].xxxx\n"
                                     "SGE TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww\n" /* 1 in odd rows */
                                     "ADD TEMP[1].x, IMM[0].zzzz, -TEMP[0].xxxx\n"
                                     "RCP TEMP[0].x, TEMP[1].xxxx\n"
                                     "MUL TEMP[0].z, TEMP[0].xxxx, IMM[0].yyyy\n"
                                     "MOV TEMP[0].yw, IMM[0].zzzz\n"
                                     "MOV OUT[0], TEMP[0]\n"
                                     "ADD TEMP[1].x, IN[0].xxxx, -IMM[0].xxxx\n"
                                     "KILL_IF TEMP[1].xxxx\n"
                                     "END\n";
static uint64_t killed(unsigned x, unsigned y) { return (x < 4) + none(x, y); }
static uint64_t not_finite(unsigned x, unsigned y) { return x >= 4 && y % 2 ? 2 : 0; }

static void killed_pixels_and_colors_are_counted(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    static struct counted counted;
    for (unsigned width = 4; width <= 16; width *= 2)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct sch_heat heat = heat_of(&counted, false);
            struct sch_dispatch_report report;
            assert_int_equal(run(context, kill_text, SCH_ENGINE_AUTO, width, threads, &heat, SIDE, SIDE, &report),
                             SCH_OK);
            expect(counted.covered, one);
            expect(counted.shaded, one);
            expect(counted.discarded, killed);
            expect(counted.not_finite, not_finite);
            expect(counted.helpers, none);
        }
    sch_context_destroy(context);
}

/* ---- draws ---- */

/* A strip over the whole picture, of two triangles whose common edge goes from the upper right to the lower left
 * corner; a farther one over columns 4 to 7. */
static float strips[8][8];

static void put_strips(struct draw_scene *scene)
{
    for (unsigned v = 0; v < 8; v++) {
        const float vertex[8] = {draw_at(v % 2 ? SIDE : v < 4 ? 0 : 4, SIDE),
                                 draw_at(v % 4 < 2 ? 0 : SIDE, SIDE),
                                 v < 4 ? 0.25f : 0.75f,
                                 1,
                                 1,
                                 1,
                                 1,
                                 1};
        memcpy(strips[v], vertex, sizeof vertex);
    }
    draw_vertices(scene, strips[0], 8, 2);
}

static void draw_strips(struct draw_scene *scene)
{
    for (unsigned n = 0; n < 2; n++) {
        const struct sch_draw strip = {.size = sizeof strip,
                                       .primitive = SCH_PRIMITIVE_TRIANGLE_STRIP,
                                       .start = 4 * n,
                                       .count = 4,
                                       .instance_count = 1};
        assert_int_equal(draw_try(scene, &strip), SCH_OK);
    }
}

static void begin_strips(struct draw_scene *scene, uint32_t samples)
{
    static const float black[4];
    draw_begin(scene, SIDE, SIDE, samples, SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_Z32_FLOAT);
    draw_clear(scene, black, 1, 0);
    scene->tests.depth_enabled = scene->tests.depth_writes = true;
    scene->tests.depth_function = SCH_COMPARE_LESS;
    put_strips(scene);
}

static uint64_t twice_right(unsigned x, unsigned y) { return (x < 4 ? 1 : 2) + none(x, y); }
/* Quads on the edge run for both triangles: each of their pixels is a fragment of one, and the other's helper. */
static uint64_t on_edge(unsigned x, unsigned y) { return x / 2 + y / 2 == 3; }
/* Of the farther strip, whose edge goes from the upper right of columns 4 to 7 to their lower left, with two rows for a
 * column: quads that it crosses are helped, too, where its fragments are shaded. Pixels (x, y) whose centre is beside
 * the edge 2 (x - 4) + y = 8. */
static bool is_upper(unsigned x, unsigned y) { return 2 * (2 * x + 1 - 8) + 2 * y + 1 < 16; }
static uint64_t on_edges(unsigned x, unsigned y)
{
    uint64_t upper = 0;
    for (unsigned lane = 0; lane < 4; lane++) upper += is_upper(x / 2 * 2 + lane % 2, y / 2 * 2 + lane / 2);
    return on_edge(x, y) + (x >= 4 && upper % 4 != 0);
}

/* MOV and END, of fragments and of helpers. */
static uint64_t two_each(unsigned x, unsigned y) { return 2 * (1 + on_edge(x, y)); }

static void triangles_overlap(void **state)
{
    (void)state;
    static struct counted counted;
    for (unsigned width = 4; width <= 16; width *= 2)
        for (unsigned threads = 1; threads <= 3; threads += 2) {
            struct draw_scene scene;
            const struct sch_heat heat = heat_of(&counted, !by_code());
            begin_strips(&scene, 1);
            scene.width = width;
            scene.dispatch.threads = threads;
            scene.dispatch.heat = &heat;
            draw_strips(&scene);
            expect(counted.covered, twice_right);
            expect(counted.shaded, one); /* the tests come first */
            expect(counted.helpers, on_edge);
            expect(counted.discarded, none);
            expect(counted.not_finite, none);
            if (!by_code()) expect(counted.instructions, two_each);
            if (!by_code()) expect(counted.idle_slots, none);
            draw_end(&scene);
        }
}

/* Where the program may kill, the tests come behind it. */
static const char discarding[] = "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
                                 "IMM[0] FLT32 {4.0, 0.0, 0.0, 0.0}\nADD TEMP[0].x, IMM[0].xxxx, -IN[0].yyyy\n"
                                 "KILL_IF TEMP[0].xxxx\nRCP OUT[0], IMM[0].yyyy\nEND\n";
static uint64_t lower_twice_right(unsigned x, unsigned y) { return y < 4 ? 0 : twice_right(x, y); }
static uint64_t upper_infinite(unsigned x, unsigned y) { return y < 4 ? 4 * twice_right(x, y) : 0; }

static void late_tests_do_not_save(void **state)
{
    (void)state;
    static struct counted counted;
    struct draw_scene scene;
    const struct sch_heat heat = heat_of(&counted, false);
    begin_strips(&scene, 1);
    scene.fragment = discarding;
    scene.dispatch.heat = &heat;
    draw_strips(&scene);
    expect(counted.covered, twice_right);
    expect(counted.shaded, twice_right);
    expect(counted.helpers, on_edges);
    expect(counted.discarded, lower_twice_right);
    expect(counted.not_finite, upper_infinite);
    draw_end(&scene);
}

/* Without a fragment program nothing is shaded, and depth alone is written; draws that write nothing count, too. */
static void unshaded_fragments_are_covered(void **state)
{
    (void)state;
    static struct counted counted;
    for (unsigned n = 0; n < 2; n++) {
        struct draw_scene scene;
        const struct sch_heat heat = heat_of(&counted, false);
        begin_strips(&scene, 1);
        scene.fragment = NULL;
        scene.tests.depth_enabled = scene.tests.depth_writes = n;
        scene.dispatch.heat = &heat;
        draw_strips(&scene);
        expect(counted.covered, twice_right);
        expect(counted.shaded, none);
        expect(counted.helpers, none);
        draw_end(&scene);
    }
}

/* A program that runs for each sample has a fragment for each, in which quads of the edge are shared. */
static uint64_t four(unsigned x, unsigned y) { return 4 + none(x, y); }

static void samples_are_fragments(void **state)
{
    (void)state;
    static struct counted counted;
    struct draw_scene scene;
    const struct sch_heat heat = heat_of(&counted, false);
    const struct sch_draw strip = {
        .size = sizeof strip, .primitive = SCH_PRIMITIVE_TRIANGLE_STRIP, .count = 4, .instance_count = 1};
    begin_strips(&scene, 4);
    scene.fragment = "FRAG\nDCL SV[0], SAMPLEID\nDCL OUT[0], COLOR\nU2F OUT[0], SV[0].xxxx\nEND\n";
    scene.dispatch.heat = &heat;
    assert_int_equal(draw_try(&scene, &strip), SCH_OK);
    expect(counted.covered, four);
    expect(counted.shaded, four);
    scene.fragment = draw_plain_fragment;
    const struct sch_heat again = heat_of(&counted, false);
    scene.dispatch.heat = &again;
    scene.tests.depth_enabled = false;
    assert_int_equal(draw_try(&scene, &strip), SCH_OK);
    for (unsigned p = 0; p < PIXELS; p++) /* both triangles have samples of the pixels of the edge */
        assert_int_equal(counted.shaded[p], p % SIDE + p / SIDE == SIDE - 1 ? 2 : 1);
    draw_end(&scene);
}

/* ---- what is refused ---- */

static enum sch_result shade(const char *text, enum sch_engine engine, const struct sch_heat *heat, int32_t *code)
{
    struct sch_context *context = api_context();
    struct sch_diagnostics_list *list = NULL;
    struct sch_diagnostic_info info = {.size = sizeof info};
    enum sch_result why;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_program *program = api_program_on(context, text, strlen(text), engine, 0, &why);
    assert_non_null(program);
    const struct sch_rectangle rectangle = {.size = sizeof rectangle, .width = 2, .height = 2};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list, .heat = heat};
    const enum sch_result result = sch_dispatch_rectangle(program, NULL, &rectangle, &options, NULL);
    *code = sch_diagnostics_get(list, 0, &info) ? (int32_t)info.code : 0;
    sch_program_destroy(program);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return result;
}

static void engines_count_what_they_can(void **state)
{
    (void)state;
    static struct counted counted;
    int32_t code;
    struct sch_heat heat = heat_of(&counted, true);
    if (by_code()) {
        heat.texels = NULL;
        heat.greatest_lods = NULL;
        assert_int_equal(shade(kill_text, SCH_ENGINE_AUTO, &heat, &code), SCH_ERROR_UNSUPPORTED);
        assert_int_equal(code, 4383);
        return;
    }
    assert_int_equal(shade(kill_text, SCH_ENGINE_MAXWELL, &heat, &code), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(code, 4383);
    heat.texels = NULL;
    assert_int_equal(shade(kill_text, SCH_ENGINE_MAXWELL, &heat, &code), SCH_ERROR_UNSUPPORTED);
    heat.greatest_lods = NULL;
    assert_int_equal(shade(kill_text, SCH_ENGINE_MAXWELL, &heat, &code), SCH_OK);
    assert_int_equal(code, 0);
}

static void wrong_heat_is_named(void **state)
{
    (void)state;
    struct sch_context *context = api_context();
    const struct sch_heat heat = {.size = sizeof heat}, small = {.size = 8};
    struct sch_program *fragment = api_default_program(context, kill_text);
    struct sch_program *compute = api_default_program(context, "COMP\nEND\n");
    const struct sch_invocations work = {.size = sizeof work};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle};
    struct sch_dispatch_options options = {.size = sizeof options, .heat = &heat};
    struct sch_wrong_call wrong = {.size = sizeof wrong};
    assert_int_equal(sch_dispatch(fragment, NULL, &work, &options, NULL), SCH_ERROR_ARGUMENT);
    assert_true(sch_context_get_wrong_call(context, &wrong));
    assert_string_equal(wrong.argument, "options.heat");
    assert_int_equal(sch_dispatch_grid(compute, NULL, NULL, NULL, &options, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dispatch_rectangle(fragment, NULL, &rectangle, &options, NULL), SCH_OK);
    options.debug = (struct sch_debug *)context; /* is not looked at */
    assert_int_equal(sch_dispatch_rectangle(fragment, NULL, &rectangle, &options, NULL), SCH_ERROR_ARGUMENT);
    options.debug = NULL;
    options.heat = &small;
    assert_int_equal(sch_dispatch_rectangle(fragment, NULL, &rectangle, &options, NULL), SCH_ERROR_ARGUMENT);
    assert_true(sch_context_get_wrong_call(context, &wrong));
    assert_string_equal(wrong.argument, "options.heat.size");
    sch_program_destroy(fragment);
    sch_program_destroy(compute);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_cost_their_turns),
        cmocka_unit_test(parts_of_pictures_are_counted),
        cmocka_unit_test(killed_pixels_and_colors_are_counted),
        cmocka_unit_test(triangles_overlap),
        cmocka_unit_test(late_tests_do_not_save),
        cmocka_unit_test(unshaded_fragments_are_covered),
        cmocka_unit_test(samples_are_fragments),
        cmocka_unit_test(engines_count_what_they_can),
        cmocka_unit_test(wrong_heat_is_named),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
