/* ./dev bench threads: what a dispatch takes on one thread and on several, for pictures from small to large, one
 * right after the other: what threads cost, and what they bring. */
#include <stdlib.h>

#include "../../src/support/words.h"
#include "timings.h"

enum { SIDES = 3, LEAST_SIDE = 16, MOST_SIDE = 256, THREADS = 3, LEAST_TURNS = 15, MOST_TURNS = 20000 };

static const char text[] = "FRAG\n"
                           "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                           "DCL OUT[0], COLOR\n"
                           "DCL TEMP[0..1]\n"
                           "IMM[0] FLT32 {2.0, -1.0, 0.5, 0.25}\n"
                           /* a disc with a soft edge */
                           "MAD TEMP[0].xy, IN[0].xyyy, IMM[0].xxxx, IMM[0].yyyy\n"
                           "DP2 TEMP[0].z, TEMP[0], TEMP[0]\n"
                           "SQRT TEMP[0].z, TEMP[0].zzzz\n"
                           "ADD TEMP[0].w, IMM[0].zzzz, -TEMP[0].zzzz\n"
                           "MAD_SAT TEMP[0].w, TEMP[0].wwww, IMM[0].xxxx, IMM[0].zzzz\n"
                           "SIN TEMP[1].x, IN[0].xxxx\n"
                           "COS TEMP[1].y, IN[0].yyyy\n"
                           "EX2 TEMP[1].z, -TEMP[0].zzzz\n"
                           "MUL TEMP[1].xyz, TEMP[1], TEMP[0].wwww\n"
                           "MOV OUT[0].xyz, TEMP[1]\n"
                           "MOV OUT[0].w, TEMP[0].wwww\n"
                           "END\n";

/* The median of a picture's times, in microseconds. */
static enum sch_result measure(const struct bench_setup *setup, const struct sch_program *program,
                               const struct sch_dispatch_options *options, uint32_t side, double *microseconds)
{
    static uint32_t pixels[MOST_SIDE * MOST_SIDE];
    static double times[MOST_TURNS];
    const float step = 1 / (float)side;
    const struct sch_rectangle_register place = {
        .planar = 3, .planes = {{{step / 2, step, 0}, {1, 0, 0}}, {{step / 2, 0, step}, {1, 0, 0}}}};
    const struct sch_render_target render_target = {
        .pixels = pixels, .bytes = sizeof pixels, .row_bytes = side * sizeof *pixels};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = side,
                                            .height = side,
                                            .registers = &place,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = 1,
                                            .render_targets = &render_target,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 1};
    size_t turns = 0;
    double begin = 0;
    for (size_t turn = 0; turns < MOST_TURNS; turn++) {
        double before = bench_now();
        enum sch_result result = sch_dispatch_rectangle(program, NULL, &rectangle, options, NULL);
        if (result != SCH_OK) return result;
        if (turn < 2) { /* they warm up */
            begin = before;
            continue;
        }
        times[turns++] = bench_now() - before;
        if (turns >= LEAST_TURNS && bench_now() - begin >= setup->seconds) break;
    }
    qsort(times, turns, sizeof *times, bench_by_value);
    *microseconds = times[turns / 2] * 1e6;
    return SCH_OK;
}

static enum sch_result bench_side(const struct sch_program *program, const struct bench_setup *setup, uint32_t side)
{
    double one = 0;
    for (uint32_t i = 0, threads = 1; i < THREADS; i++, threads *= 2) {
        struct sch_dispatch_options options = setup->dispatch;
        double took;
        options.threads = threads;
        enum sch_result result = measure(setup, program, &options, side, &took);
        if (result != SCH_OK) return result;
        if (threads == 1) one = took;
        printf("%ux%u\t%s\t%u\t%.1f\t%.2f\n", side, side, sch_engine_words[setup->program.engine], threads, took,
               one / took);
    }
    return SCH_OK;
}

bool bench_threads(const struct bench_setup *setup)
{
    struct sch_program *program = NULL;
    enum sch_result result = bench_program(setup->context, "disc", text, &setup->program, &program);
    puts("picture\tengine\tthreads\tus\ttimes");
    for (uint32_t i = 0, side = LEAST_SIDE; i < SIDES && result == SCH_OK; i++, side *= 4)
        result = bench_side(program, setup, side);
    sch_program_destroy(program);
    return bench_good("threads", result);
}
