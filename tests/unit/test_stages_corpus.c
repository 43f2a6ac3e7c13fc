/* Captured geometry and tessellation shaders, and the fragment shaders that interpolate, with random inputs: the same
 * bits at every width and with every number of threads. Skips where the shared folder is missing. */
#include "tgsi_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api_program.h"

enum { COUNT = 64, VERTICES = 8, REGISTERS = 64, VALUES = 16, EVENTS = 24, OUTPUTS = 24, CONSTANTS = 512 };

struct data {
    uint32_t inputs[COUNT][VERTICES][REGISTERS][4], values[COUNT][VALUES][4], planes[COUNT][8][4][4];
    uint32_t centroids[COUNT][2], constants[4][CONSTANTS][4];
    struct sch_constant_buffer buffers[4];
};

struct results {
    enum sch_result result;
    struct sch_dispatch_report report;
    uint32_t outputs[COUNT][OUTPUTS][4], events[COUNT][EVENTS], event_counts[COUNT];
    uint32_t event_outputs[COUNT][EVENTS][OUTPUTS][4];
    uint8_t killed[COUNT];
};

struct tally {
    unsigned programs, refused, executed, budgets;
    unsigned long vertices, ends;
};

static uint64_t seed;

/* splitmix64; small integers, floats near one and any bits. */
static uint32_t random_word(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    z ^= z >> 31;
    if (z % 4 == 0) return (uint32_t)(z >> 40) % 8;
    if (z % 4 == 1) return (uint32_t)(z >> 32);
    return api_bits((float)(int32_t)(z >> 32 & 0xffff) / 4096.0f - 4.0f);
}

static void fill(void *data, size_t words)
{
    for (size_t i = 0; i < words; i++) ((uint32_t *)data)[i] = random_word();
}

static void fill_data(struct data *data)
{
    fill(data->inputs, sizeof data->inputs / 4);
    fill(data->values, sizeof data->values / 4);
    fill(data->planes, sizeof data->planes / 4);
    fill(data->centroids, sizeof data->centroids / 4);
    fill(data->constants, sizeof data->constants / 4);
    for (unsigned b = 0; b < 4; b++)
        data->buffers[b] = (struct sch_constant_buffer){data->constants[b], sizeof data->constants[b]};
}

static void run(const struct sch_program *program, const struct data *data, unsigned threads, struct results *results)
{
    static const uint8_t given[VALUES] = {0, 1, 1, 1}; /* SV[0] is mostly INVOCATIONID */
    const struct sch_bindings bindings = {.size = sizeof bindings, .constants = data->buffers, .constant_count = 4};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = COUNT,
                                         .inputs = data->inputs[0][0][0],
                                         .input_registers = REGISTERS,
                                         .input_vertices = VERTICES,
                                         .system_values = data->values[0][0],
                                         .system_value_registers = VALUES,
                                         .system_value_given = given,
                                         .planes = data->planes[0][0][0],
                                         .plane_registers = 8,
                                         .centroids = data->centroids[0],
                                         .samples = 4,
                                         .outputs = results->outputs[0][0],
                                         .output_registers = OUTPUTS,
                                         .killed = results->killed,
                                         .event_capacity = EVENTS,
                                         .event_registers = OUTPUTS,
                                         .events = results->events[0],
                                         .event_counts = results->event_counts,
                                         .event_outputs = results->event_outputs[0][0][0]};
    const struct sch_dispatch_options options = {.size = sizeof options, .threads = threads, .budget = 5000};
    memset(results, 0, sizeof *results);
    results->report.size = sizeof results->report;
    results->result = sch_dispatch(program, &bindings, &work, &options, &results->report);
}

/* What a run that fails leaves behind is not promised, only that it fails, and where. */
static bool same(const struct results *a, const struct results *b)
{
    if (a->result != b->result) return false;
    if (a->result != SCH_OK)
        return a->report.invocation == b->report.invocation && a->report.instruction == b->report.instruction;
    return memcmp(a, b, sizeof *a) == 0;
}

static void check_program(struct sch_context *context, const char *path, const char *text, size_t bytes,
                          const struct data *data, struct results results[2], struct tally *tally)
{
    bool first = true;
    tally->programs++;
    for (unsigned width = 4; width <= 16; width *= 2) {
        enum sch_result why;
        struct sch_program *program = api_program_try(context, text, bytes, width, &why);
        if (!program) {
            if (why != SCH_ERROR_UNSUPPORTED) fail_msg("%s: %s", path, sch_result_text(why));
            tally->refused++;
            return;
        }
        for (unsigned threads = 1; threads <= 3; threads++, first = false) {
            run(program, data, threads, &results[!first]);
            if (!first && !same(&results[0], &results[1])) fail_msg("%s: width %u, %u threads", path, width, threads);
        }
        sch_program_destroy(program);
    }
    tally->executed++;
    tally->budgets += results[0].result == SCH_ERROR_BUDGET;
    if (results[0].result != SCH_OK) return;
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned n = 0; n < results[0].event_counts[i] && n < EVENTS; n++)
            *(results[0].events[i][n] & SCH_EMITTED_PRIMITIVE_END ? &tally->ends : &tally->vertices) += 1;
}

/* Which part of the corpus a file belongs to, or NULL. */
static const char *part(const char *path, const char *text)
{
    if (strstr(path, "/gs/")) return "gs";
    if (strstr(path, "/tcs/")) return "tcs";
    if (strstr(path, "/tes/")) return "tes";
    return strstr(text, "INTERP_") ? "fs with INTERP_*" : NULL;
}

static void run_part(const char *wanted)
{
    size_t count;
    char **paths = captured_texts(&count);
    if (!count) {
        free_texts(paths, count);
        skip();
    }
    struct sch_context *context = NULL;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct data *data = malloc(sizeof *data);
    struct results *results = malloc(2 * sizeof *results);
    assert_true(data && results);
    struct tally tally = {0};
    seed = 1;
    fill_data(data);
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        char *text = load_file(paths[i], &bytes);
        assert_non_null(text);
        const char *name = part(paths[i], text);
        if (name && !strcmp(name, wanted)) check_program(context, paths[i], text, bytes, data, results, &tally);
        free(text);
    }
    print_message("# %s: %u programs, %u refused, %u executed (%u out of budget), %lu vertices, %lu ends\n", wanted,
                  tally.programs, tally.refused, tally.executed, tally.budgets, tally.vertices, tally.ends);
    assert_true(tally.executed > 0);
    free(results);
    free(data);
    sch_context_destroy(context);
    free_texts(paths, count);
}

static void geometry(void **state) { (void)state, run_part("gs"); }
static void tessellation_control(void **state) { (void)state, run_part("tcs"); }
static void tessellation_evaluation(void **state) { (void)state, run_part("tes"); }
static void interpolating_fragments(void **state) { (void)state, run_part("fs with INTERP_*"); }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geometry),
        cmocka_unit_test(tessellation_control),
        cmocka_unit_test(tessellation_evaluation),
        cmocka_unit_test(interpolating_fragments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
