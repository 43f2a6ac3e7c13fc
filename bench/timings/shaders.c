/* How many invocations a second one thread of an engine runs, for the kinds of shader in shaders.def. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/support/words.h"
#include "timings.h"

static const struct {
    const char *name, *text;
} shaders[] = {
#define WORKLOAD(name, doc, text) {#name, text},
#include "shaders.def"
#undef WORKLOAD
};

bool bench_own_shader(size_t index, struct bench_source *source)
{
    if (index >= sizeof shaders / sizeof *shaders) return false;
    *source = (struct bench_source){shaders[index].name, shaders[index].text, strlen(shaders[index].text)};
    return true;
}

/* CONST[0..3]: two lights and two colours. */
static float constants[4][4] = {
    {0.57f, 0.57f, 0.57f, 0}, {-0.8f, 0.2f, 0.56f, 0}, {0.9f, 0.7f, 0.4f, 1}, {0.1f, 0.2f, 0.5f, 20}};

struct bench_pixels *bench_pixels(float right, float down, float third)
{
    enum { SIDE = BENCH_SIDE };
    struct bench_pixels *pixels = malloc(sizeof *pixels);
    for (uint32_t i = 0; pixels && i < BENCH_PIXELS; i++) {
        uint32_t quad = i / 4, x = quad % (SIDE / 2) * 2 + (i & 1), y = quad / (SIDE / 2) * 2 + (i >> 1 & 1);
        const float values[4] = {((float)x + right) / SIDE, ((float)y + down) / SIDE, third, 1};
        memcpy(pixels->inputs + 4 * (size_t)i, values, sizeof values);
    }
    return pixels;
}

enum sch_result bench_run(const struct bench_setup *setup, const struct sch_bindings *bindings,
                          const struct sch_program *program, struct bench_pixels *pixels, struct bench_time *time)
{
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = BENCH_PIXELS,
                                         .quads = true,
                                         .inputs = pixels->inputs,
                                         .input_bytes = sizeof pixels->inputs,
                                         .input_registers = 1,
                                         .outputs = pixels->outputs,
                                         .output_bytes = sizeof pixels->outputs,
                                         .output_registers = 1};
    *time = (struct bench_time){.report = {.size = sizeof time->report}};
    enum sch_result result = sch_dispatch(program, bindings, &work, &setup->dispatch, NULL); /* warms up */
    double begin = bench_now(), seconds = 0, rounds = 0;
    for (; result == SCH_OK && seconds < setup->seconds; rounds++) {
        result = sch_dispatch(program, bindings, &work, &setup->dispatch, &time->report);
        seconds = bench_now() - begin;
    }
    uint32_t threads = setup->dispatch.threads ? setup->dispatch.threads : 1;
    time->seconds = seconds * threads / (rounds * BENCH_PIXELS);
    return result;
}

static bool measure(const struct bench_setup *setup, const struct bench_bindings *bound,
                    const struct bench_source *source, uint32_t width, struct bench_pixels *pixels)
{
    struct bench_time time;
    struct sch_program *program = NULL;
    struct sch_program_options options = setup->program;
    options.width = width;
    enum sch_result result = bench_program(setup->context, source->name, source->data, &options, &program);
    if (result == SCH_OK) result = bench_run(setup, &bound->bindings, program, pixels, &time);
    sch_program_destroy(program);
    if (!bench_good(source->name, result)) return false;
    printf("%s\t%s\t%u\t%.0f\t%.2f\t%llu\n", source->name, sch_engine_words[options.engine], width, 1 / time.seconds,
           time.seconds * 1e9, (unsigned long long)time.report.instructions);
    return true;
}

/* Of one shader, for a tenth of a second; zero: it failed. */
static double interpret(const struct bench_setup *setup, const struct bench_source *source, struct bench_pixels *pixels)
{
    struct bench_bindings bound = {.constants = {.data = constants, .bytes = sizeof constants}};
    struct bench_setup once = *setup;
    struct bench_time time;
    struct sch_program *program = NULL;
    double begin = 0, seconds = 0, instructions = 0;
    once.program.engine = SCH_ENGINE_INTERPRETER;
    once.seconds = 1e-9; /* one round, after one that is not counted */
    bound.bindings =
        (struct sch_bindings){.size = sizeof bound.bindings, .constants = &bound.constants, .constant_count = 1};
    enum sch_result result = bench_program(setup->context, source->name, source->data, &once.program, &program);
    for (begin = bench_processor(); result == SCH_OK && seconds < 0.1; seconds = bench_processor() - begin) {
        result = bench_run(&once, &bound.bindings, program, pixels, &time);
        instructions += 2 * (double)time.report.instructions;
    }
    sch_program_destroy(program);
    return bench_good(source->name, result) ? seconds / instructions : 0;
}

double bench_interpreted(const struct bench_setup *setup)
{
    struct bench_pixels *pixels = bench_pixels(0.5f, 0.5f, 0);
    struct bench_source source;
    double logarithms = 0, took = bench_good("unit", pixels ? SCH_OK : SCH_ERROR_MEMORY);
    unsigned count = 0;
    for (size_t i = 0; took > 0 && bench_own_shader(i, &source); i++) {
        if (strstr(source.data, "SVIEW")) continue;
        took = interpret(setup, &source, pixels);
        logarithms += log(took);
        count++;
    }
    free(pixels);
    return took > 0 ? exp(logarithms / count) : 0;
}

bool bench_shaders(const struct bench_setup *setup)
{
    static const struct bench_texels texels = {.format = "R8G8B8A8_UNORM", .side = 64, .filter = SCH_FILTER_LINEAR};
    struct bench_pixels *pixels = bench_pixels(0.5f, 0.5f, 0);
    struct bench_bindings bound = {0};
    struct bench_source source;
    bool good = bench_good("texture", pixels ? bench_bind(setup->context, &texels, &bound) : SCH_ERROR_MEMORY);
    bound.constants = (struct sch_constant_buffer){.data = constants, .bytes = sizeof constants};
    bound.bindings.constant_count = 1;
    puts("workload\tengine\twidth\tinvocations/s/thread\tns\tinstructions");
    for (size_t i = 0; bench_own_shader(i, &source); i++)
        for (uint32_t width = 4; width <= 16 && good; width *= 2)
            if (!setup->program.width || setup->program.width == width)
                good = measure(setup, &bound, &source, width, pixels);
    bench_release(&bound);
    free(pixels);
    return good;
}
