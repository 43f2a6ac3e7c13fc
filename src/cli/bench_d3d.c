/* scheelite bench d3d: how many programs a second one thread reads from a container and prints as text, and reads and
 * lowers (which checks them, too). The containers are assembled from the texts of d3d_workloads.def. */
#include "bench.h"

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
enum { BATCH = 16 }; /* programs between two looks at the clock */

static enum sch_result work_once(struct sch_context *context, const void *data, size_t bytes, enum work work)
{
    struct sch_shader *shader = NULL, *lowered = NULL;
    char *text = NULL;
    enum sch_result result = sch_shader_read(context, data, bytes, NULL, NULL, &shader);
    if (result == SCH_OK && work == PRINT) result = sch_shader_print(shader, NULL, &text, NULL);
    if (result == SCH_OK && work == LOWER) result = sch_shader_lower(shader, NULL, &lowered);
    if (text) sch_free(context, text);
    sch_shader_destroy(lowered);
    sch_shader_destroy(shader);
    return result;
}

static enum sch_result measure(struct sch_context *context, const char *name, const void *data, size_t bytes,
                               unsigned instructions, enum work work)
{
    double begin = 0, seconds = 0;
    uint64_t batches = 0;
    for (; seconds < sch_cli_bench_seconds; batches++) {
        if (batches == 1) begin = sch_cli_bench_now(); /* the first batch warms up */
        for (unsigned i = 0; i < BATCH; i++) {
            enum sch_result result = work_once(context, data, bytes, work);
            if (result != SCH_OK) return result;
        }
        if (batches) seconds = sch_cli_bench_now() - begin;
    }
    double programs = (double)(batches - 1) * BATCH;
    printf("%s\t%s\t%u\t%zu\t%.0f\t%.2f\n", name, work_names[work], instructions, bytes, programs / seconds,
           seconds / programs * 1e6);
    fflush(stdout);
    return SCH_OK;
}

static enum sch_result bench_one(struct sch_context *context, const char *name, const char *text)
{
    struct sch_shader *shader = NULL;
    struct sch_shader_info info = {.size = sizeof info};
    void *data = NULL;
    size_t bytes = 0;
    enum sch_result result = sch_shader_read(context, text, strlen(text), NULL, NULL, &shader);
    if (result == SCH_OK) result = sch_shader_get_info(shader, &info);
    if (result == SCH_OK) result = sch_shader_serialize(shader, NULL, &data, &bytes);
    for (unsigned work = 0; work < WORKS && result == SCH_OK; work++)
        result = measure(context, name, data, bytes, info.instructions, (enum work)work);
    if (data) sch_free(context, data);
    sch_shader_destroy(shader);
    return result;
}

enum sch_cli_exit sch_cli_bench_d3d(struct sch_context *context)
{
    puts("program\twork\tinstructions\tbytes\tprograms/s/thread\tus");
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        enum sch_result result = bench_one(context, workloads[i].name, workloads[i].text);
        if (result != SCH_OK)
            return sch_cli_fail(sch_cli_exit_of(result), "bench d3d: %s: %s", workloads[i].name,
                                sch_result_text(result));
    }
    return SCH_CLI_YES;
}
