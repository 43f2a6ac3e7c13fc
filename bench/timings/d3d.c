/* ./dev bench d3d: how many programs a second one thread reads from a container and prints as text, and reads and
 * lowers (which checks them, too). The containers are assembled from the texts of d3d.def, or they are those
 * of the caller's files, measured together. */
#include <stdlib.h>
#include <string.h>

#include "timings.h"

static const struct {
    const char *name, *text;
} workloads[] = {
#define D3D_WORKLOAD(name, doc, text) {#name, text},
#include "d3d.def"
#undef D3D_WORKLOAD
};

enum work { READ, PRINT, LOWER, WORKS };
static const char *const work_names[WORKS] = {"decode", "decode+text", "decode+lower"};
enum { BATCH = 16 }; /* programs between two looks at the clock, at least */

struct program {
    void *container; /* of the library */
    size_t bytes;
    uint32_t instructions;
};

static enum sch_result work_once(struct sch_context *context, const struct program *program, enum work work)
{
    struct sch_shader *shader = NULL, *lowered = NULL;
    char *text = NULL;
    enum sch_result result = sch_shader_read(context, program->container, program->bytes, NULL, NULL, &shader);
    if (result == SCH_OK && work == PRINT) result = sch_shader_print(shader, NULL, &text, NULL);
    if (result == SCH_OK && work == LOWER) result = sch_shader_lower(shader, NULL, &lowered);
    if (text) sch_free(context, text);
    sch_shader_destroy(lowered);
    sch_shader_destroy(shader);
    return result;
}

/* Prints the line of one kind of work; instructions and bytes are the mean of the programs. */
static enum sch_result measure(const struct bench_setup *setup, const char *name, const struct program *programs,
                               size_t count, enum work work)
{
    double begin = 0, seconds = 0;
    uint64_t rounds = 0, instructions = 0, bytes = 0;
    unsigned repeat = count < BATCH ? BATCH : 1;
    for (size_t i = 0; i < count; i++) {
        instructions += programs[i].instructions;
        bytes += programs[i].bytes;
    }
    for (; seconds < setup->seconds; rounds++) {
        if (rounds == 1) begin = bench_now(); /* the first round warms up */
        for (size_t i = 0; i < repeat * count; i++) {
            enum sch_result result = work_once(setup->context, &programs[i % count], work);
            if (result != SCH_OK) return result;
        }
        if (rounds) seconds = bench_now() - begin;
    }
    double done = (double)(rounds - 1) * repeat * (double)count;
    printf("%s\t%s\t%llu\t%llu\t%.0f\t%.2f\n", name, work_names[work], (unsigned long long)(instructions / count),
           (unsigned long long)(bytes / count), done / seconds, seconds / done * 1e6);
    return SCH_OK;
}

static bool measure_all(const struct bench_setup *setup, const char *name, const struct program *programs, size_t count)
{
    enum sch_result result = SCH_OK;
    for (unsigned work = 0; work < WORKS && result == SCH_OK; work++)
        result = measure(setup, name, programs, count, (enum work)work);
    return bench_good(name, result);
}

/* The container of a listing or of another container; what cannot be lowered is refused here. */
static enum sch_result prepare(struct sch_context *context, const void *data, size_t bytes, struct program *program)
{
    struct sch_shader *shader = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    *program = (struct program){0};
    enum sch_result result = sch_shader_read(context, data, bytes, NULL, NULL, &shader);
    if (result == SCH_OK && sch_shader_language(shader) != SCH_LANGUAGE_D3D) result = SCH_ERROR_UNSUPPORTED;
    if (result == SCH_OK) result = sch_shader_get_info(shader, &info);
    if (result == SCH_OK) result = sch_shader_serialize(shader, NULL, &program->container, &program->bytes);
    if (result == SCH_OK) result = work_once(context, program, LOWER);
    sch_shader_destroy(shader);
    program->instructions = info.instructions;
    return result;
}

static void release(struct sch_context *context, struct program *program)
{
    if (program->container) sch_free(context, program->container);
    *program = (struct program){0};
}

/* A file that is no program or cannot be lowered is named, and left out. */
static bool take_file(struct sch_context *context, const char *path, struct program *program)
{
    size_t bytes;
    void *data = bench_read_file(path, &bytes);
    if (!data) return false;
    enum sch_result result = prepare(context, data, bytes, program);
    free(data);
    if (result == SCH_OK) return true;
    release(context, program);
    fprintf(stderr, "timings: %s is left out: %s\n", path, sch_result_text(result));
    return false;
}

static bool bench_files(const struct bench_setup *setup)
{
    struct program *programs = calloc(setup->path_count, sizeof *programs);
    size_t taken = 0;
    char name[32];
    if (!programs) return bench_good("d3d", SCH_ERROR_MEMORY);
    for (size_t i = 0; i < setup->path_count; i++)
        taken += take_file(setup->context, setup->paths[i], &programs[taken]);
    snprintf(name, sizeof name, "%zu files", taken);
    const bool good = !taken || measure_all(setup, name, programs, taken);
    for (size_t i = 0; i < taken; i++) release(setup->context, &programs[i]);
    free(programs);
    return good && taken == setup->path_count;
}

bool bench_d3d(const struct bench_setup *setup)
{
    bool good = true;
    puts("program\twork\tinstructions\tbytes\tprograms/s/thread\tus");
    if (setup->path_count) return bench_files(setup);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads && good; i++) {
        struct program program;
        good = bench_good(workloads[i].name,
                          prepare(setup->context, workloads[i].text, strlen(workloads[i].text), &program)) &&
               measure_all(setup, workloads[i].name, &program, 1);
        release(setup->context, &program);
    }
    return good;
}
