/* Times the workloads of peers.def by one side (peers.h): a picture of 1024 x 1024 pixels or a grid of compute. Which
 * side is chosen when the program is linked, so that one code times them all. tools/bench runs them, and compares.
 * Rates count the processor's seconds of the whole process, all threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "peers.h"
#include "peers_code.h"

enum { SIDE = BENCH_SIDE, MOST_REPETITIONS = 99 };

#define PICTURE(name_, vertex_, fragment_, target_, format_, filter_, side_, levels_, x, y, z, w)                      \
    {.name = #name_,                                                                                                   \
     .vertex = #vertex_,                                                                                               \
     .fragment = #fragment_,                                                                                           \
     .target = TARGET_##target_,                                                                                       \
     .format = FORMAT_##format_,                                                                                       \
     .filter = FILTER_##filter_,                                                                                       \
     .side = (side_),                                                                                                  \
     .levels = (levels_),                                                                                              \
     .constants = {x, y, z, w},                                                                                        \
     .unit = "pix",                                                                                                    \
     .units = (double)SIDE * SIDE},
#define GRID(name_, compute_, elements_, groups_, x, y, z, w)                                                          \
    {.name = #name_,                                                                                                   \
     .fragment = #compute_,                                                                                            \
     .constants = {x, y, z, w},                                                                                        \
     .elements = (elements_),                                                                                          \
     .groups = (groups_),                                                                                              \
     .unit = "elem",                                                                                                   \
     .units = (elements_)},
#define DRAWS(name_, vertex_, fragment_, samples_, blend_, triangles_, draws_, unit_, units_)                          \
    {.name = #name_,                                                                                                   \
     .vertex = #vertex_,                                                                                               \
     .fragment = #fragment_,                                                                                           \
     .samples = (samples_),                                                                                            \
     .blend = (blend_),                                                                                                \
     .triangles = (triangles_),                                                                                        \
     .draws = (draws_),                                                                                                \
     .unit = (unit_),                                                                                                  \
     .units = (units_)},
#define STAGES(name_, shape_, draws_, triangles_)                                                                      \
    {.name = #name_,                                                                                                   \
     .vertex = #name_,                                                                                                 \
     .fragment = #name_,                                                                                               \
     .samples = 1,                                                                                                     \
     .shape = SHAPE_##shape_,                                                                                          \
     .draws = (draws_),                                                                                                \
     .unit = "tri",                                                                                                    \
     .units = (triangles_)},
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
    const char *folder, *picture, *only, *way, *code;
    double seconds, warm;
    unsigned repetitions;
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

static struct clocks since(struct clocks begin, unsigned parts)
{
    const struct clocks end = now();
    return (struct clocks){(end.wall - begin.wall) / parts, (end.cpu - begin.cpu) / parts};
}

/* ---- what was drawn ---- */

/* What both sides must agree about: the picture's mean colour, or the sum of what the grid wrote first. */
static void describe(const struct workload *work, const void *result, char *text, size_t room)
{
    const uint8_t *pixels = result;
    const float *numbers = result;
    double sum[4] = {0};
    if (work->groups) {
        for (unsigned i = 0; i < BENCH_RESULTS; i++) sum[0] += (double)numbers[i];
        snprintf(text, room, "sum=%.6g", sum[0]);
        return;
    }
    for (size_t i = 0; i < (size_t)SIDE * SIDE * 4; i++) sum[i & 3] += pixels[i];
    for (unsigned c = 0; c < 4; c++) sum[c] /= (double)SIDE * SIDE;
    snprintf(text, room, "mean=%.2f,%.2f,%.2f,%.2f", sum[0], sum[1], sum[2], sum[3]);
}

/* A portable arbitrary map with alpha, or a grid's numbers as they are in memory. */
static const char *write_result(const struct workload *work, const void *result, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file) return "cannot write the picture";
    const size_t bytes = work->groups ? BENCH_RESULTS * sizeof(float) : (size_t)SIDE * SIDE * 4;
    if (!work->groups)
        fprintf(file, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", SIDE, SIDE);
    const bool whole = fwrite(result, 1, bytes, file) == bytes;
    return fclose(file) == 0 && whole ? NULL : "cannot write the picture";
}

/* ---- timing ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct timing {
    struct clocks first, frame; /* seconds; medians */
    unsigned frames;
};

static const char *run(unsigned frames)
{
    const char *wrong = NULL;
    for (unsigned f = 0; f < frames && !wrong; f++) wrong = bench_side.frame();
    return wrong || !bench_side.finish ? wrong : bench_side.finish();
}

/* Frames before the first that is timed: machine code is made meanwhile, in the background. */
static const char *warm(double seconds)
{
    const double begin = now().wall;
    const char *wrong = NULL;
    while (!wrong && now().wall - begin < seconds) wrong = run(1);
    return wrong;
}

/* How many frames take the wanted seconds, if one waits for the last of them. Fewer are not asked: llvmpipe takes
 * several frames' time to begin again after it has been waited for. */
static const char *count_frames(double seconds, unsigned *frames)
{
    enum { MOST_TRIES = 8 };
    const char *wrong = NULL;
    *frames = 1;
    for (unsigned t = 0; t < MOST_TRIES && !wrong; t++) {
        const struct clocks begin = now();
        wrong = run(*frames);
        const double taken = since(begin, 1).wall;
        if (taken >= seconds * 0.9) break;
        const double more = taken > 0 ? *frames * seconds / taken : 1e9;
        *frames = more < 100.0 * *frames ? (unsigned)more + 1 : 100 * *frames;
    }
    return wrong;
}

/* Repetitions of as many frames as fill the wanted seconds. */
static const char *repeat(const struct wanted *wanted, struct timing *timing)
{
    double wall[MOST_REPETITIONS], cpu[MOST_REPETITIONS];
    const char *wrong = warm(wanted->warm);
    if (!wrong) wrong = count_frames(wanted->seconds, &timing->frames);
    for (unsigned r = 0; r < wanted->repetitions && !wrong; r++) {
        const struct clocks start = now();
        wrong = run(timing->frames);
        const struct clocks each = since(start, timing->frames);
        wall[r] = each.wall;
        cpu[r] = each.cpu;
    }
    if (wrong) return wrong;
    qsort(wall, wanted->repetitions, sizeof *wall, ascending);
    qsort(cpu, wanted->repetitions, sizeof *cpu, ascending);
    timing->frame = (struct clocks){wall[wanted->repetitions / 2], cpu[wanted->repetitions / 2]};
    return NULL;
}

static void report(const struct workload *w, const char *way, const struct wanted *wanted, const struct timing *timing,
                   const char *check)
{
    const double units = w->units * 1e-6;
    printf("%s\t%s\t%.2f\t%.2f\t%.3f\t%.2f\t%.2f\t%u\t%u\t%s\t%s\n", w->name, w->unit, timing->first.wall * 1e3,
           timing->first.cpu * 1e3, timing->frame.wall * 1e3, timing->frame.wall > 0 ? units / timing->frame.wall : 0,
           timing->frame.cpu > 0 ? units / timing->frame.cpu : 0, timing->frames, wanted->repetitions, check, way);
    fflush(stdout);
}

/* Between create and destroy. The result is that of the first frame and two whole ones. */
static const char *measure_made(const struct workload *work, const char *way, const struct wanted *wanted, void *result)
{
    struct timing timing = {0};
    char check[96];
    const struct clocks begin = now();
    const char *wrong = bench_side.first();
    timing.first = since(begin, 1);
    if (!wrong) wrong = run(2);
    if (!wrong) wrong = bench_side.read(result);
    if (wrong) return wrong;
    describe(work, result, check, sizeof check);
    if (wanted->picture) wrong = write_result(work, result, wanted->picture);
    if (!wrong && wanted->repetitions) wrong = repeat(wanted, &timing);
    if (!wrong && wanted->code && !bench_write_code(wanted->code)) wrong = "cannot write the machine code";
    if (!wrong) report(work, way, wanted, &timing, check);
    return wrong;
}

static int measure(const struct workload *work, unsigned n, const char *way, const struct wanted *wanted)
{
    void *result = calloc((size_t)SIDE * SIDE, 4);
    const char *wrong = result ? bench_side.create(work, n) : "no memory";
    if (!wrong) wrong = measure_made(work, way, wanted, result);
    if (result) bench_side.destroy();
    free(result);
    if (wrong) fprintf(stderr, "peers: %s: %s\n", work->name, wrong);
    return wrong != NULL;
}

static int measure_ways(const struct workload *work, const struct wanted *wanted)
{
    if (!bench_side.way) return measure(work, 0, "", wanted);
    int failed = 0;
    const char *way;
    for (unsigned n = 0; (way = bench_side.way(work, n)); n++)
        if (!wanted->way || strcmp(way, wanted->way) == 0) failed |= measure(work, n, way, wanted);
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

static bool take_option(const char *name, const char *value, struct wanted *wanted)
{
    if (strcmp(name, "--shaders") == 0)
        wanted->folder = value;
    else if (strcmp(name, "--only") == 0)
        wanted->only = value;
    else if (strcmp(name, "--way") == 0)
        wanted->way = value;
    else if (strcmp(name, "--picture") == 0)
        wanted->picture = value;
    else if (strcmp(name, "--code") == 0)
        wanted->code = value;
    else if (strcmp(name, "--seconds") == 0)
        wanted->seconds = strtod(value, NULL);
    else if (strcmp(name, "--warm") == 0)
        wanted->warm = strtod(value, NULL);
    else if (strcmp(name, "--repetitions") == 0)
        wanted->repetitions = (unsigned)strtoul(value, NULL, 10);
    else
        return bench_side.take_option && bench_side.take_option(name, value);
    return wanted->repetitions <= MOST_REPETITIONS;
}

/* Each workload that this side does, its ways, and the files of its shaders. */
static void list(void)
{
    for (const struct workload *work = workloads; work < workloads + WORKLOADS; work++) {
        if (bench_side.way && !bench_side.way(work, 0)) continue;
        printf("%s\t%s\t", work->name, work->unit);
        for (unsigned stage = 0; stage < BENCH_STAGES; stage++) {
            char name[100];
            if (bench_shader_name(work, stage, name, sizeof name)) printf("%s ", name);
        }
        putchar('\t');
        for (unsigned n = 0; bench_side.way && bench_side.way(work, n); n++) printf("%s ", bench_side.way(work, n));
        putchar('\n');
    }
}

static int usage(void)
{
    fprintf(stderr,
            "usage: peers --shaders FOLDER [--only a,b] [--way NAME] [--warm S] [--seconds S]\n"
            "             [--repetitions N] [--picture FILE] [--code FILE] %s | --list\n",
            bench_side.options);
    return 2;
}

int main(int argc, char **argv)
{
    struct wanted wanted = {.warm = 1, .seconds = 0.4, .repetitions = 5};
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--list") == 0) {
            list();
            return 0;
        }
        if (i + 1 < argc && take_option(argv[i], argv[i + 1], &wanted)) continue;
        fprintf(stderr, "peers: bad argument %s\n", argv[i]);
        return 2;
    }
    if (!wanted.folder) return usage();
    const char *wrong = bench_side.open(wanted.folder);
    if (wrong) {
        fprintf(stderr, "peers: %s\n", wrong);
        return 1;
    }
    int failed = 0;
    for (unsigned w = 0; w < WORKLOADS; w++)
        if (is_wanted(workloads[w].name, wanted.only)) failed |= measure_ways(&workloads[w], &wanted);
    return failed;
}
