/* scheelite bench d3d: how many programs a second one thread reads from a container and prints as text, and reads and
 * lowers (which checks them, too). The containers are assembled from the texts of d3d_workloads.def, or they are those
 * of the caller's files, measured together. */
#include "bench.h"
#include "bench_table.h"
#include "common/hlsl_file.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
} workloads[] = {
#define D3D_WORKLOAD(name, doc, text) {#name, text},
#include "d3d_workloads.def"
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
static enum sch_result measure(struct sch_context *context, const char *name, const struct program *programs,
                               size_t count, enum work work)
{
    double begin = 0, seconds = 0;
    uint64_t rounds = 0, instructions = 0, bytes = 0;
    unsigned repeat = count < BATCH ? BATCH : 1;
    for (size_t i = 0; i < count; i++) {
        instructions += programs[i].instructions;
        bytes += programs[i].bytes;
    }
    for (; seconds < sch_cli_bench_seconds; rounds++) {
        if (rounds == 1) begin = sch_cli_bench_now(); /* the first round warms up */
        for (size_t i = 0; i < repeat * count; i++) {
            enum sch_result result = work_once(context, &programs[i % count], work);
            if (result != SCH_OK) return result;
        }
        if (rounds) seconds = sch_cli_bench_now() - begin;
    }
    double done = (double)(rounds - 1) * repeat * (double)count;
    sch_cli_bench_row("%s\t%s\t%llu\t%llu\t%.0f\t%.2f", name, work_names[work],
                      (unsigned long long)(instructions / count), (unsigned long long)(bytes / count), done / seconds,
                      seconds / done * 1e6);
    fflush(stdout);
    return SCH_OK;
}

static enum sch_result measure_all(struct sch_context *context, const char *name, const struct program *programs,
                                   size_t count)
{
    enum sch_result result = SCH_OK;
    for (unsigned work = 0; work < WORKS && result == SCH_OK; work++)
        result = measure(context, name, programs, count, (enum work)work);
    return result;
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
static enum sch_cli_exit take_file(struct sch_context *context, const char *path, struct program *program)
{
    struct sch_cli_input input;
    enum sch_cli_exit exit = sch_cli_read_source(path, &input);
    if (exit != SCH_CLI_YES) return exit;
    enum sch_result result = prepare(context, input.data, input.bytes, program);
    sch_cli_input_release(&input);
    if (result == SCH_OK) return SCH_CLI_YES;
    release(context, program);
    return sch_cli_fail(sch_cli_exit_of(result), "bench d3d: %s is left out: %s", path, sch_result_text(result));
}

static enum sch_cli_exit bench_files(struct sch_context *context, const char *const *paths, size_t count)
{
    struct program *programs = calloc(count, sizeof *programs);
    size_t taken = 0;
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (!programs) return sch_cli_fail(SCH_CLI_LIMIT, "bench d3d: out of memory");
    for (size_t i = 0; i < count; i++) {
        enum sch_cli_exit one = take_file(context, paths[i], &programs[taken]);
        if (one == SCH_CLI_YES) taken++;
        exit = sch_cli_worse(exit, one);
    }
    char name[32];
    snprintf(name, sizeof name, "%zu files", taken);
    enum sch_result result = taken ? measure_all(context, name, programs, taken) : SCH_OK;
    if (result != SCH_OK)
        exit = sch_cli_worse(exit,
                             sch_cli_fail(sch_cli_exit_of(result), "bench d3d: %s: %s", name, sch_result_text(result)));
    for (size_t i = 0; i < taken; i++) release(context, &programs[i]);
    free(programs);
    return exit;
}

enum sch_cli_exit sch_cli_bench_d3d(struct sch_context *context, const char *const *paths, size_t count)
{
    sch_cli_bench_head("program\twork\tinstructions\tbytes\tprograms/s/thread\tus",
                       WORKS * (count ? 1 : sizeof workloads / sizeof *workloads));
    if (count) return bench_files(context, paths, count);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        struct program program;
        enum sch_result result = prepare(context, workloads[i].text, strlen(workloads[i].text), &program);
        if (result == SCH_OK) result = measure_all(context, workloads[i].name, &program, 1);
        release(context, &program);
        if (result != SCH_OK)
            return sch_cli_fail(sch_cli_exit_of(result), "bench d3d: %s: %s", workloads[i].name,
                                sch_result_text(result));
    }
    return SCH_CLI_YES;
}
