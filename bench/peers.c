/* Times the workloads of peers.def, which other software renderers are timed with, too: a picture of 1024 x 1024 pixels
 * or a grid of compute, from TGSI text, through the public library. tools/bench-peers runs both sides and compares;
 * this program knows only ours. Rates count the processor's seconds of the whole process, all threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "peers.h"

enum { SIDE = BENCH_SIDE, FIRST = 16, GRID_THREADS = 256, MOST_REPETITIONS = 99, SUMMED = 1024 };
#define WARM_SECONDS 1.0

#define PICTURE(name_, target_, format_, filter_, side_, levels_, x, y, z, w)                                          \
    {.name = #name_,                                                                                                   \
     .target = TARGET_##target_,                                                                                       \
     .format = FORMAT_##format_,                                                                                       \
     .filter = FILTER_##filter_,                                                                                       \
     .side = (side_),                                                                                                  \
     .levels = (levels_),                                                                                              \
     .constants = {x, y, z, w},                                                                                        \
     .unit = "pix",                                                                                                    \
     .units = (double)SIDE * SIDE},
#define GRID(name_, elements_, groups_, x, y, z, w)                                                                    \
    {.name = #name_,                                                                                                   \
     .constants = {x, y, z, w},                                                                                        \
     .elements = (elements_),                                                                                          \
     .groups = (groups_),                                                                                              \
     .unit = "elem",                                                                                                   \
     .units = (elements_)},
#define DRAWS(name_, samples_, blend_, triangles_, draws_, unit_, units_)                                              \
    {.name = #name_,                                                                                                   \
     .samples = (samples_),                                                                                            \
     .blend = (blend_),                                                                                                \
     .triangles = (triangles_),                                                                                        \
     .draws = (draws_),                                                                                                \
     .unit = (unit_),                                                                                                  \
     .units = (units_)},
#define STAGES(name_, shape_, draws_, triangles_)                                                                      \
    {.name = #name_, .samples = 1, .shape = SHAPE_##shape_, .draws = (draws_), .unit = "tri", .units = (triangles_)},
static const struct workload workloads[] = {
#include "peers.def"
};
#undef PICTURE
#undef GRID
#undef DRAWS
#undef STAGES
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

/* How the command line says that it is done. */
struct wanted {
    const char *folder, *stages, *picture, *only;
    struct sch_program_options program;
    struct sch_dispatch_options dispatch;
    double seconds;
    unsigned repetitions;
};

struct bench {
    const struct workload *work;
    const struct wanted *wanted;
    struct sch_context *context;
    struct sch_program *program;
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct bench_draws *draws;
    uint8_t *pixels;
    float *buffer[2]; /* of a grid: BUFFER[0] is written */
};

struct clocks {
    double wall, cpu;
};

static struct clocks now(void)
{
    struct timespec time;
    struct rusage used;
    clock_gettime(CLOCK_MONOTONIC, &time);
    getrusage(RUSAGE_SELF, &used);
    return (struct clocks){.wall = (double)time.tv_sec + (double)time.tv_nsec * 1e-9,
                           .cpu = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                  (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6};
}

static int fail(const struct bench *bench, const char *what, enum sch_result result)
{
    fprintf(stderr, "peers: %s: %s: %s\n", bench->work->name, what, sch_result_text(result));
    return 1;
}

/* ---- one workload ---- */

/* Where the shaders of a workload are. Many small draws have the programs of one large one. */
static void name_texts(const struct bench *bench, char *prefix, size_t room)
{
    const struct workload *work = bench->work;
    const bool stages = work->shape != SHAPE_TRIANGLES;
    snprintf(prefix, room, "%s/%s", stages ? bench->wanted->stages : bench->wanted->folder,
             !stages && work->draws > 1 ? "tri200k" : work->name);
}

static char *read_text(const struct bench *bench, size_t *bytes)
{
    char prefix[4000], path[4096];
    name_texts(bench, prefix, sizeof prefix);
    snprintf(path, sizeof path, "%s.%s.tgsi", prefix, bench->work->groups ? "comp" : "frag");
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(1 << 20) : NULL;
    *bytes = text ? fread(text, 1, 1 << 20, file) : 0;
    if (file) fclose(file);
    if (!text) fprintf(stderr, "peers: cannot read %s\n", path);
    return text;
}

static enum sch_result compile(struct bench *bench)
{
    size_t bytes;
    char *text = read_text(bench, &bytes);
    struct sch_shader *shader = NULL;
    enum sch_result result = text ? SCH_OK : SCH_ERROR_ARGUMENT;
    if (result == SCH_OK) result = sch_shader_read(bench->context, text, bytes, NULL, NULL, &shader);
    if (result == SCH_OK)
        result = sch_program_create(bench->context, shader, &bench->wanted->program, NULL, &bench->program);
    sch_shader_destroy(shader);
    free(text);
    return result;
}

static enum sch_result make_draws(struct bench *bench)
{
    enum sch_result result;
    char prefix[4000];
    name_texts(bench, prefix, sizeof prefix);
    bench->draws =
        bench_draws_create(bench->context, bench->work, prefix, bench->program, &bench->wanted->program, &result);
    return result;
}

static enum sch_result draw(const struct bench *bench, const struct sch_bindings *bindings, uint32_t side)
{
    /* The attribute (0, 0) to (1, 1) over the whole picture, at pixel centres. */
    static const float step = 1.0f / SIDE, half = 0.5f / SIDE;
    const struct sch_rectangle_register attribute = {
        .planar = 3,
        .words = {0, 0, 0, 0x3f800000},
        .planes = {{{half, step, 0}, {1, 0, 0}}, {{half, 0, step}, {1, 0, 0}}}};
    const struct sch_render_target render_target = {
        .pixels = bench->pixels, .bytes = (size_t)SIDE * SIDE * 4, .row_bytes = SIDE * 4};
    const struct sch_rectangle rectangle = {.size = sizeof rectangle,
                                            .width = side,
                                            .height = side,
                                            .registers = &attribute,
                                            .register_stride = sizeof(struct sch_rectangle_register),
                                            .register_count = 1,
                                            .render_targets = &render_target,
                                            .render_target_stride = sizeof(struct sch_render_target),
                                            .render_target_count = 1};
    return sch_dispatch_rectangle(bench->program, bindings, &rectangle, &bench->wanted->dispatch, NULL);
}

/* A frame, or its first 16 x 16 pixels or work group. */
static enum sch_result run(const struct bench *bench, bool first)
{
    const struct workload *w = bench->work;
    const struct sch_constant_buffer constants = {.data = w->constants, .bytes = sizeof w->constants};
    const size_t bytes = (size_t)w->elements * sizeof(float);
    const struct sch_storage_buffer buffers[2] = {{bench->buffer[0], bytes}, {bench->buffer[1], bytes}};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = &constants,
                                          .constant_count = 1,
                                          .views = &bench->view,
                                          .view_count = 1,
                                          .samplers = &bench->sampler,
                                          .sampler_count = 1,
                                          .buffers = buffers,
                                          .buffer_count = w->groups ? 2 : 0};
    if (w->samples) return bench_draws_run(bench->draws, first, &bench->wanted->dispatch);
    if (!w->groups) return draw(bench, &bindings, first ? FIRST : SIDE);
    const uint32_t grid[3] = {first ? 1 : w->groups, 1, 1};
    struct sch_dispatch_options dispatch = bench->wanted->dispatch;
    dispatch.shared_bytes = GRID_THREADS * sizeof(float); /* what the source declares: shared float[256] */
    return sch_dispatch_grid(bench->program, &bindings, grid, NULL, &dispatch, NULL);
}

static bool allocate(struct bench *bench)
{
    const struct workload *w = bench->work;
    if (!w->groups) return (bench->pixels = calloc((size_t)SIDE * SIDE, 4)) != NULL;
    for (unsigned b = 0; b < 2; b++) {
        bench->buffer[b] = malloc((size_t)w->elements * sizeof(float));
        if (!bench->buffer[b]) return false;
        for (uint32_t i = 0; i < w->elements; i++) bench->buffer[b][i] = (float)(i % 1000) * 0.001f;
    }
    return true;
}

static void release(struct bench *bench)
{
    bench_draws_destroy(bench->draws);
    sch_program_destroy(bench->program);
    sch_view_destroy(bench->view);
    sch_sampler_destroy(bench->sampler);
    sch_context_destroy(bench->context);
    free(bench->pixels);
    free(bench->buffer[0]);
    free(bench->buffer[1]);
}

/* What both sides must agree about: the picture's mean colour, or the sum of what the grid wrote first. */
static void describe(const struct bench *bench, char *text, size_t room)
{
    double sum[4] = {0};
    if (bench->work->groups) {
        for (unsigned i = 0; i < SUMMED; i++) sum[0] += (double)bench->buffer[0][i];
        snprintf(text, room, "sum=%.6g", sum[0]);
        return;
    }
    for (size_t i = 0; i < (size_t)SIDE * SIDE * 4; i++) sum[i & 3] += bench->pixels[i];
    for (unsigned c = 0; c < 4; c++) sum[c] /= (double)SIDE * SIDE;
    snprintf(text, room, "mean=%.2f,%.2f,%.2f,%.2f", sum[0], sum[1], sum[2], sum[3]);
}

static void write_picture(const struct bench *bench)
{
    FILE *file = bench->pixels ? fopen(bench->wanted->picture, "wb") : NULL;
    if (!file) return;
    fprintf(file, "P6 %d %d 255\n", SIDE, SIDE);
    for (size_t i = 0; i < (size_t)SIDE * SIDE; i++) fwrite(bench->pixels + 4 * i, 1, 3, file);
    fclose(file);
}

/* ---- timing ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct timing {
    struct clocks first, frame; /* seconds; medians */
    unsigned frames, repetitions;
};

/* Frames before the first that is timed: machine code is made meanwhile, in the background. */
static enum sch_result warm(const struct bench *bench)
{
    const double begin = now().wall;
    enum sch_result result = SCH_OK;
    while (result == SCH_OK && now().wall - begin < WARM_SECONDS) result = run(bench, false);
    return result;
}

/* Repetitions of as many frames as fill the wanted seconds. */
static enum sch_result repeat(const struct bench *bench, struct timing *timing)
{
    double wall[MOST_REPETITIONS], cpu[MOST_REPETITIONS];
    enum sch_result result = bench->wanted->repetitions ? warm(bench) : SCH_OK;
    struct clocks begin = now();
    if (result == SCH_OK) result = run(bench, false);
    double one = now().wall - begin.wall;
    timing->frames = one > 0 && bench->wanted->seconds > one ? (unsigned)(bench->wanted->seconds / one) : 1;
    timing->repetitions = bench->wanted->repetitions;
    for (unsigned r = 0; r < timing->repetitions && result == SCH_OK; r++) {
        begin = now();
        for (unsigned f = 0; f < timing->frames && result == SCH_OK; f++) result = run(bench, false);
        struct clocks end = now();
        wall[r] = (end.wall - begin.wall) / timing->frames;
        cpu[r] = (end.cpu - begin.cpu) / timing->frames;
    }
    if (result != SCH_OK || !timing->repetitions) return result;
    qsort(wall, timing->repetitions, sizeof *wall, ascending);
    qsort(cpu, timing->repetitions, sizeof *cpu, ascending);
    timing->frame = (struct clocks){wall[timing->repetitions / 2], cpu[timing->repetitions / 2]};
    return SCH_OK;
}

static void report(const struct bench *bench, const struct timing *timing, const char *check)
{
    const struct workload *w = bench->work;
    const double units = w->units * 1e-6;
    printf("%s\t%s\t%.2f\t%.2f\t%.3f\t%.2f\t%.2f\t%u\t%u\t%s\n", w->name, w->unit, timing->first.wall * 1e3,
           timing->first.cpu * 1e3, timing->frame.wall * 1e3, timing->frame.wall > 0 ? units / timing->frame.wall : 0,
           timing->frame.cpu > 0 ? units / timing->frame.cpu : 0, timing->frames, timing->repetitions, check);
    fflush(stdout);
}

static int measure(const struct workload *work, const struct wanted *wanted)
{
    struct bench bench = {.work = work, .wanted = wanted};
    struct timing timing = {0};
    char check[96];
    enum sch_result result = sch_context_create(NULL, &bench.context);
    if (result == SCH_OK && !allocate(&bench)) result = SCH_ERROR_MEMORY;
    if (result == SCH_OK && work->target) result = bench_texture(bench.context, work, &bench.view, &bench.sampler);
    struct clocks begin = now();
    if (result == SCH_OK) result = compile(&bench);
    if (result == SCH_OK && work->samples) result = make_draws(&bench);
    if (result == SCH_OK) result = run(&bench, true);
    struct clocks end = now();
    timing.first = (struct clocks){end.wall - begin.wall, end.cpu - begin.cpu};
    /* The first and two whole frames, as the other side has run when it describes what it wrote. */
    if (result == SCH_OK) result = run(&bench, false);
    if (result == SCH_OK) result = run(&bench, false);
    if (result == SCH_OK && work->samples) result = bench_draws_read(bench.draws, bench.pixels);
    if (result == SCH_OK) describe(&bench, check, sizeof check);
    if (result == SCH_OK && wanted->picture) write_picture(&bench);
    if (result == SCH_OK && wanted->repetitions) result = repeat(&bench, &timing);
    if (result == SCH_OK) report(&bench, &timing, check);
    int failed = result == SCH_OK ? 0 : fail(&bench, "failed", result);
    release(&bench);
    return failed;
}

/* ---- the command line ---- */

static bool is_wanted(const char *name, const char *only)
{
    size_t length = strlen(name);
    for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || !at[length])) return true;
    return !only;
}

static bool take_engine(const char *name, struct wanted *wanted)
{
    static const struct {
        const char *name;
        enum sch_engine engine;
    } engines[] = {{"auto", SCH_ENGINE_AUTO}, {"interp", SCH_ENGINE_INTERPRETER}, {"jit", SCH_ENGINE_JIT}};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        if (strcmp(engines[i].name, name) != 0) continue;
        wanted->program.engine = engines[i].engine;
        return true;
    }
    return false;
}

static bool take_option(const char *name, const char *value, struct wanted *wanted)
{
    if (strcmp(name, "--tgsi") == 0)
        wanted->folder = value;
    else if (strcmp(name, "--stages") == 0)
        wanted->stages = value;
    else if (strcmp(name, "--only") == 0)
        wanted->only = value;
    else if (strcmp(name, "--picture") == 0)
        wanted->picture = value;
    else if (strcmp(name, "--engine") == 0)
        return take_engine(value, wanted);
    else if (strcmp(name, "--width") == 0)
        wanted->program.width = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(name, "--threads") == 0)
        wanted->dispatch.threads = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        wanted->seconds = strtod(value, NULL);
    else if (strcmp(name, "--repetitions") == 0)
        wanted->repetitions = (unsigned)strtoul(value, NULL, 10);
    else
        return false;
    return wanted->repetitions <= MOST_REPETITIONS;
}

int main(int argc, char **argv)
{
    struct wanted wanted = {.program = {.size = sizeof wanted.program},
                            .dispatch = {.size = sizeof wanted.dispatch, .unordered = true},
                            .stages = "bench/stages",
                            .seconds = 0.15,
                            .repetitions = 7};
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--list") == 0) {
            for (unsigned w = 0; w < WORKLOADS; w++) puts(workloads[w].name);
            return 0;
        }
        if (i + 1 < argc && take_option(argv[i], argv[i + 1], &wanted)) continue;
        fprintf(stderr, "peers: bad argument %s\n", argv[i]);
        return 2;
    }
    if (!wanted.folder) {
        fprintf(stderr,
                "usage: peers --tgsi FOLDER [--only a,b] [--engine auto|interp] [--width N] [--threads N]\n"
                "             [--seconds S] [--repetitions N] [--picture FILE.ppm] [--stages FOLDER] | --list\n");
        return 2;
    }
    int failed = 0;
    for (unsigned w = 0; w < WORKLOADS; w++)
        if (is_wanted(workloads[w].name, wanted.only)) failed |= measure(&workloads[w], &wanted);
    return failed;
}
