/* scheelite eval: runs a shader on a table of inputs, one invocation per line. */
#include <stdlib.h>
#include <string.h>

#include "both_engines.h"
#include "common/progress.h"
#include "invoke.h"
#include "picture/texels.h"
#include "results.h"
#include "vectors.h"

struct wanted {
    struct sch_cli_setup setup;
    const struct sch_cli_values *values;
    const char *file;
};

static enum sch_cli_exit read_eval_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    const enum sch_cli_exit exit_code = sch_cli_setup_parse(&wanted->setup, arguments, NULL, NULL);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted->values = &arguments->values;
    wanted->file = arguments->files[0];
    const char *vectors = wanted->values->of_eval.vectors;
    if (!vectors) return sch_cli_usage_error(&sch_cli_eval, "which invocations? (--vectors)");
    if (strcmp(wanted->file, "-") == 0 && strcmp(vectors, "-") == 0)
        return sch_cli_usage_error(&sch_cli_eval, "shader and vectors cannot both be standard input");
    return SCH_CLI_YES;
}

/* Everything that one run needs. */
struct run {
    const struct wanted *wanted;
    const struct sch_cli_shader *shader;
    const struct sch_program *program;
    struct sch_cli_results results;
    struct sch_cli_both_engines both;
    struct sch_cli_results again; /* as machine code */
    struct sch_cli_registers_of *registers;
    struct sch_json *json; /* NULL: lines */
};

static enum sch_cli_exit differ(const struct run *run, const char *who, uint32_t vertex, uint32_t index, unsigned c,
                                uint32_t interpreter, uint32_t jit)
{
    char what[64];
    if (vertex == UINT32_MAX)
        snprintf(what, sizeof what, "OUT[%u].%c", index, "xyzw"[c]);
    else
        snprintf(what, sizeof what, "OUT[%u].%c of event %u", index, "xyzw"[c], vertex);
    return sch_cli_both_engines_differ(&run->both, who, what, interpreter, jit);
}

/* The registers of an invocation, or of a vertex that it emitted. */
static enum sch_cli_exit compare_registers(const struct run *run, const char *who, uint32_t event,
                                           const uint32_t *expected, const uint32_t *got)
{
    for (uint32_t r = 0; r < run->results.printed_count; r++) {
        const struct sch_cli_result *result = &run->results.printed[r];
        const uint32_t *a = expected + result->at, *b = got + result->at;
        for (unsigned c = 0; c < result->count; c++)
            if (a[c] != b[c]) return differ(run, who, event, result->is.index, c, a[c], b[c]);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit compare_events(const struct run *run, const char *who, uint32_t invocation)
{
    const struct sch_cli_results *expected = &run->results, *got = &run->again;
    uint32_t count = expected->event_counts[invocation];
    if (count != got->event_counts[invocation])
        return sch_cli_both_engines_differ(&run->both, who, "the number of events", count,
                                           got->event_counts[invocation]);
    for (uint32_t n = 0; n < count && n < expected->event_capacity; n++) {
        size_t at = (size_t)invocation * expected->event_capacity + n;
        if (expected->events[at] != got->events[at])
            return sch_cli_both_engines_differ(&run->both, who, "an event", expected->events[at], got->events[at]);
        enum sch_cli_exit exit_code =
            compare_registers(run, who, n, expected->event_outputs + at * expected->registers * 4,
                              got->event_outputs + at * expected->registers * 4);
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit compare_results(const struct run *run, const struct sch_cli_batch *batch)
{
    const struct sch_cli_results *expected = &run->results, *got = &run->again;
    for (uint32_t i = 0; i < batch->count; i++) {
        char who[64];
        enum sch_cli_exit exit_code = SCH_CLI_YES;
        size_t at = (size_t)i * expected->registers * 4;
        snprintf(who, sizeof who, "the invocation of line %u", batch->lines[i]);
        if (expected->events) exit_code = compare_events(run, who, i);
        if (exit_code == SCH_CLI_YES && expected->killed[i] != got->killed[i])
            exit_code = sch_cli_both_engines_differ(&run->both, who, "whether it is killed", expected->killed[i],
                                                    got->killed[i]);
        if (exit_code == SCH_CLI_YES && !expected->killed[i])
            exit_code = compare_registers(run, who, UINT32_MAX, expected->outputs + at, got->outputs + at);
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    return SCH_CLI_YES;
}

static enum sch_result invoke(const struct run *run, const struct sch_cli_batch *batch,
                              const struct sch_program *program, struct sch_cli_results *results,
                              struct sch_dispatch_report *report)
{
    const struct sch_cli_invocations how = {&run->wanted->setup, run->wanted->values->of_eval.quads,
                                            run->wanted->values->samples.samples};
    return sch_cli_invoke(&how, batch, program, results, report);
}

static enum sch_cli_exit dispatch_reported(const struct run *run, const struct sch_cli_batch *batch,
                                           const struct sch_program *program, struct sch_cli_results *results)
{
    struct sch_dispatch_report report = {.size = sizeof report};
    enum sch_result result = invoke(run, batch, program, results, &report);
    char who[64];
    uint32_t line = report.invocation < batch->count ? batch->lines[report.invocation] : 0;
    snprintf(who, sizeof who, "the invocation of line %u", line);
    return sch_cli_dispatched(&run->wanted->setup, result, &report, run->shader, who);
}

/* ---- the instruction at which the engines part ---- */

struct parting {
    struct run *run;
    const struct sch_cli_batch *batch;
};

static bool same_results(const struct run *run, uint32_t count)
{
    const struct sch_cli_results *a = &run->results, *b = &run->again;
    if (memcmp(a->outputs, b->outputs, a->output_bytes) != 0 || memcmp(a->killed, b->killed, count) != 0) return false;
    return !a->events || (memcmp(a->event_counts, b->event_counts, count * sizeof *a->event_counts) == 0 &&
                          memcmp(a->event_outputs, b->event_outputs, a->event_output_bytes) == 0);
}

/* Results that are not OK show nothing: a shader that is cut may end otherwise than the whole one. */
static bool cut_differ(void *user, const struct sch_shader *shader)
{
    const struct parting *parting = user;
    struct run *run = parting->run;
    struct sch_program *programs[2] = {NULL, NULL};
    struct sch_program_options options = run->wanted->setup.program;
    bool good = sch_program_create(run->shader->context, shader, &options, NULL, &programs[0]) == SCH_OK;
    options.engine = SCH_ENGINE_JIT;
    good = good && sch_program_create(run->shader->context, shader, &options, NULL, &programs[1]) == SCH_OK;
    for (unsigned engine = 0; engine < 2 && good; engine++) {
        struct sch_cli_results *results = engine ? &run->again : &run->results;
        /* A shader that is cut writes less than the one before it, whose results must not remain. */
        if (results->events) memset(results->event_outputs, 0, results->event_output_bytes);
        good = sch_cli_both_engines_restore(&run->both) == SCH_CLI_YES &&
               invoke(run, parting->batch, programs[engine], results, NULL) == SCH_OK;
    }
    for (unsigned engine = 0; engine < 2; engine++) sch_program_destroy(programs[engine]);
    return good && !same_results(run, parting->batch->count);
}

static void name_instruction(struct run *run, const struct sch_cli_batch *batch)
{
    struct parting parting = {run, batch};
    char *line = sch_cli_cut(run->shader->shader, run->shader->context, cut_differ, &parting);
    if (line) sch_cli_fail(SCH_CLI_NO, "%s: the engines part at instruction %s", run->shader->input.name, line);
    free(line);
}

static enum sch_cli_exit run_batch(struct run *run, const struct sch_cli_batch *batch)
{
    enum sch_cli_exit exit_code = sch_cli_both_engines_begin(&run->both);
    if (exit_code == SCH_CLI_YES) exit_code = dispatch_reported(run, batch, run->program, &run->results);
    if (exit_code == SCH_CLI_YES && run->both.jit) {
        exit_code = sch_cli_both_engines_again(&run->both);
        if (exit_code == SCH_CLI_YES) exit_code = dispatch_reported(run, batch, run->both.jit, &run->again);
        if (exit_code == SCH_CLI_YES) exit_code = compare_results(run, batch);
        if (exit_code == SCH_CLI_YES) exit_code = sch_cli_both_engines_end(&run->both);
        if (exit_code == SCH_CLI_NO) name_instruction(run, batch);
    }
    if (exit_code == SCH_CLI_YES && run->json)
        sch_cli_results_json(&run->results, batch, run->json);
    else if (exit_code == SCH_CLI_YES)
        sch_cli_results_print(&run->results, batch, (enum sch_cli_floats)run->wanted->values->values.floats);
    return exit_code;
}

static enum sch_cli_exit run_vectors(struct run *run, struct sch_cli_input *input)
{
    const struct sch_shader *shader = run->shader->shader;
    struct sch_cli_vectors vectors = {
        .input = input, .shader = shader, .setup = &run->wanted->setup, .registers = run->registers};
    struct sch_cli_batch batch = {0};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (!sch_cli_vectors_init(&vectors, &batch, run->wanted->values->of_eval.quads) ||
        !sch_cli_results_init(&run->results, shader, run->registers, &batch))
        exit_code = sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES && run->both.jit && !sch_cli_results_init(&run->again, shader, run->registers, &batch))
        exit_code = sch_cli_no_memory();
    while (exit_code == SCH_CLI_YES) {
        exit_code = sch_cli_vectors_next(&vectors, &batch);
        if (exit_code != SCH_CLI_YES || !batch.count) break;
        exit_code = run_batch(run, &batch);
    }
    sch_cli_results_release(&run->results);
    sch_cli_results_release(&run->again);
    sch_cli_vectors_release(&vectors);
    sch_cli_batch_release(&batch);
    return exit_code;
}

/* One document, which is whole whatever happens: "complete" says whether all invocations are in it. */
static enum sch_cli_exit run_json(struct run *run, struct sch_cli_input *input)
{
    struct sch_json json;
    sch_json_begin(&json, stdout, "scheelite-eval/1");
    sch_json_text(&json, "file", run->shader->input.name);
    sch_json_list(&json, "invocations", false);
    run->json = &json;
    const enum sch_cli_exit exit_code = run_vectors(run, input);
    sch_json_close(&json);
    sch_json_bool(&json, "complete", exit_code == SCH_CLI_YES);
    sch_json_end(&json);
    return exit_code;
}

static enum sch_cli_exit evaluate(struct wanted *wanted)
{
    struct sch_cli_shader shader;
    struct sch_cli_input input = {0};
    struct sch_program *program = NULL;
    sch_cli_progress_begin(&sch_cli_eval, true);
    enum sch_cli_exit exit_code = sch_cli_reading_load(&wanted->setup.reading, wanted->file, &shader);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_setup_program(&wanted->setup, &shader, &program);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_read(wanted->values->of_eval.vectors, &input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_setup_load(&wanted->setup, &shader);
    if (exit_code == SCH_CLI_YES) {
        struct run run = {.wanted = wanted, .shader = &shader, .program = program};
        wanted->setup.dispatch.cancel = sch_cli_interruptible();
        exit_code = sch_cli_both_engines_create(&run.both, &wanted->setup, &shader);
        if (exit_code == SCH_CLI_YES) exit_code = sch_cli_registers_create(&shader, &run.registers);
        if (exit_code == SCH_CLI_YES)
            exit_code = wanted->values->json.json ? run_json(&run, &input) : run_vectors(&run, &input);
        sch_cli_registers_destroy(run.registers);
        sch_cli_both_engines_release(&run.both);
        sch_cli_setup_warn(&wanted->setup, &shader);
        if (exit_code == SCH_CLI_YES) exit_code = sch_cli_memory_write(&wanted->setup, shader.context);
    }
    sch_program_destroy(program);
    sch_cli_input_release(&input);
    sch_cli_setup_release(&wanted->setup);
    sch_cli_shader_release(&shader);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_eval(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {0};
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit_code = read_eval_arguments(arguments, &wanted);
    if (exit_code == SCH_CLI_YES) return evaluate(&wanted);
    sch_cli_setup_release(&wanted.setup);
    return exit_code;
}
