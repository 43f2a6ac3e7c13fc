/* scheelite eval: runs a shader for the invocations of a table, one in each line. */
#include <stdlib.h>
#include <string.h>

#include "both.h"
#include "maxwell.h"
#include "reduce.h"
#include "texels.h"
#include "vectors.h"

struct wanted {
    struct sch_cli_setup setup;
    const char *file, *vectors;
    bool quads;
    unsigned samples;
};

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        if (option == SCH_OPTION_VECTORS)
            wanted->vectors = arguments->value;
        else if (option == SCH_OPTION_EVAL_QUADS)
            wanted->quads = true;
        else if (option == SCH_OPTION_SAMPLES) {
            uint64_t samples;
            if (!sch_cli_number(arguments->value, 1, 16, &samples) || (samples & (samples - 1)))
                return sch_cli_usage_error(&sch_cli_eval, "--samples is 1, 2, 4, 8 or 16");
            wanted->samples = (unsigned)samples;
        } else if (option == SCH_CLI_FILE) {
            if (wanted->file) return sch_cli_usage_error(&sch_cli_eval, "one shader only");
            wanted->file = arguments->value;
        } else {
            enum sch_cli_exit exit = sch_cli_setup_option(&sch_cli_eval, &wanted->setup, option, arguments->value);
            if (exit != SCH_CLI_YES) return exit;
        }
    }
    if (!wanted->file) return sch_cli_usage_error(&sch_cli_eval, "which shader?");
    if (!wanted->vectors) return sch_cli_usage_error(&sch_cli_eval, "which invocations? (--vectors)");
    if (strcmp(wanted->file, "-") == 0 && strcmp(wanted->vectors, "-") == 0)
        return sch_cli_usage_error(&sch_cli_eval, "shader and vectors cannot both be standard input");
    return SCH_CLI_YES;
}

/* Lines that must stay together so that INVOCATIONID counts on: a patch, or the invocations of a primitive. */
static uint32_t belonging(const struct sch_shader *shader, enum sch_stage stage)
{
    enum { MOST = 256 }; /* where a primitive has more, each batch begins with invocation 0 */
    uint32_t count = stage == SCH_STAGE_TESS_CTRL  ? sch_shader_property(shader, "TCS_VERTICES_OUT", 32)
                     : stage == SCH_STAGE_GEOMETRY ? sch_shader_property(shader, "GS_INVOCATIONS", 1)
                                                   : 1;
    return count < 1 || count > MOST ? 1 : count;
}

static bool any_per_vertex(const struct sch_shader *shader)
{
    struct sch_register_info at = {.size = sizeof at};
    for (uint32_t i = 0; sch_shader_register(shader, SCH_REGISTERS_INPUT, i, &at); i++)
        if (at.per_vertex) return true;
    return false;
}

/* Where the results of a batch go. */
struct results {
    uint32_t registers;
    uint32_t *outputs;
    size_t output_bytes;
    uint8_t *killed, *helpers;
    struct sch_register_info *printed; /* the declared output registers, in order */
    uint32_t printed_count;
    uint32_t vertices; /* of an output patch; else 0 */
    uint32_t event_capacity;
    uint32_t *events, *event_counts, *event_outputs; /* geometry shaders */
    size_t event_output_bytes;
};

static void results_release(struct results *results)
{
    free(results->outputs);
    free(results->killed);
    free(results->helpers);
    free(results->printed);
    free(results->events);
    free(results->event_counts);
    free(results->event_outputs);
}

enum { EVENTS_MOST = 1 << 16, EVENT_WORDS = 1 << 26 };

/* Room for what each of `*capacity` invocations can emit; fewer invocations when that is much. */
static bool events_init(struct results *results, const struct sch_shader *shader, uint32_t unit, uint32_t *capacity)
{
    uint32_t vertices = sch_shader_property(shader, "GS_MAX_OUTPUT_VERTICES", 1024);
    results->event_capacity = vertices > EVENTS_MOST / 2 ? EVENTS_MOST : 2 * vertices;
    size_t words = (size_t)results->event_capacity * (results->registers * 4 + 1) + 1;
    while (*capacity > unit && *capacity * words > EVENT_WORDS) *capacity = *capacity / 2 / unit * unit;
    if (*capacity * words > EVENT_WORDS) return false;
    results->events = calloc((size_t)*capacity * results->event_capacity + 1, sizeof(uint32_t));
    results->event_counts = calloc(*capacity, sizeof(uint32_t));
    bool room = sch_cli_registers((size_t)*capacity * results->event_capacity, results->registers,
                                  &results->event_outputs, &results->event_output_bytes);
    return results->events && results->event_counts && room;
}

/* Room for `capacity` invocations and the three helpers that may close the last quad. */
static bool results_init(struct results *results, const struct sch_shader *shader, const struct sch_shader_info *info,
                         struct sch_cli_batch *batch)
{
    struct sch_register_info at = {.size = sizeof at};
    uint32_t declared = 0;
    while (sch_shader_register(shader, SCH_REGISTERS_OUTPUT, declared, &at)) declared++;
    *results = (struct results){.registers = info->outputs, .printed_count = declared};
    if (info->stage == SCH_STAGE_TESS_CTRL) results->vertices = batch->unit;
    if (info->stage == SCH_STAGE_GEOMETRY && !events_init(results, shader, batch->unit, &batch->capacity)) return false;
    bool room = sch_cli_registers(batch->capacity, info->outputs, &results->outputs, &results->output_bytes);
    results->killed = calloc(batch->capacity, 1);
    results->helpers = calloc(batch->capacity, 1);
    results->printed = calloc((size_t)declared + 1, sizeof *results->printed);
    if (!room || !results->killed || !results->helpers || !results->printed) return false;
    for (uint32_t i = 0; i < declared; i++) {
        results->printed[i].size = sizeof results->printed[i];
        sch_shader_register(shader, SCH_REGISTERS_OUTPUT, i, &results->printed[i]);
    }
    return true;
}

/* The output registers at `words`, of the invocation's vertex where they have one. */
static void print_registers(const struct results *results, const uint32_t *words, uint32_t vertex)
{
    for (uint32_t r = 0; r < results->printed_count; r++) {
        const struct sch_register_info *at = &results->printed[r];
        const uint32_t *word = words + (size_t)at->index * 4;
        printf("%sOUT", r ? "\t" : "");
        if (results->vertices && at->per_vertex) printf("[%u]", vertex);
        printf("[%u]=0x%08x,0x%08x,0x%08x,0x%08x", at->index, word[0], word[1], word[2], word[3]);
    }
    putchar('\n');
}

static void print_events(const struct results *results, uint32_t invocation)
{
    uint32_t count = results->event_counts[invocation];
    for (uint32_t n = 0; n < count && n < results->event_capacity; n++) {
        size_t at = (size_t)invocation * results->event_capacity + n;
        uint32_t event = results->events[at], stream = event & 3;
        if (event & SCH_EVENT_PRIMITIVE_END) {
            printf("ENDPRIM %u\n", stream);
            continue;
        }
        printf("EMIT %u%s", stream, results->printed_count ? " " : "");
        print_registers(results, results->event_outputs + at * results->registers * 4, 0);
    }
}

static void print_results(const struct results *results, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (results->events) print_events(results, i);
        if (results->killed[i])
            puts("KILL");
        else
            print_registers(results, results->outputs + (size_t)i * results->registers * 4,
                            results->vertices ? i % results->vertices : 0);
    }
}

/* Everything that one run needs. */
struct run {
    const struct wanted *wanted;
    const struct sch_cli_shader *shader;
    const struct sch_program *program;
    struct results results;
    struct sch_cli_both both;
    struct results again; /* as machine code */
};

static enum sch_cli_exit differ(const struct run *run, const char *who, uint32_t vertex, uint32_t index, unsigned c,
                                uint32_t interpreter, uint32_t jit)
{
    char what[64];
    if (vertex == UINT32_MAX)
        snprintf(what, sizeof what, "OUT[%u].%c", index, "xyzw"[c]);
    else
        snprintf(what, sizeof what, "OUT[%u].%c of event %u", index, "xyzw"[c], vertex);
    return sch_cli_both_differ(&run->both, who, what, interpreter, jit);
}

/* The registers of an invocation, or of a vertex that it emitted. */
static enum sch_cli_exit compare_registers(const struct run *run, const char *who, uint32_t event,
                                           const uint32_t *expected, const uint32_t *got)
{
    for (uint32_t r = 0; r < run->results.printed_count; r++) {
        uint32_t index = run->results.printed[r].index;
        for (unsigned c = 0; c < 4; c++)
            if (expected[index * 4 + c] != got[index * 4 + c])
                return differ(run, who, event, index, c, expected[index * 4 + c], got[index * 4 + c]);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit compare_events(const struct run *run, const char *who, uint32_t invocation)
{
    const struct results *expected = &run->results, *got = &run->again;
    uint32_t count = expected->event_counts[invocation];
    if (count != got->event_counts[invocation])
        return sch_cli_both_differ(&run->both, who, "the number of events", count, got->event_counts[invocation]);
    for (uint32_t n = 0; n < count && n < expected->event_capacity; n++) {
        size_t at = (size_t)invocation * expected->event_capacity + n;
        if (expected->events[at] != got->events[at])
            return sch_cli_both_differ(&run->both, who, "an event", expected->events[at], got->events[at]);
        enum sch_cli_exit exit = compare_registers(run, who, n, expected->event_outputs + at * expected->registers * 4,
                                                   got->event_outputs + at * expected->registers * 4);
        if (exit != SCH_CLI_YES) return exit;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit compare_results(const struct run *run, const struct sch_cli_batch *batch)
{
    const struct results *expected = &run->results, *got = &run->again;
    for (uint32_t i = 0; i < batch->count; i++) {
        char who[64];
        enum sch_cli_exit exit = SCH_CLI_YES;
        size_t at = (size_t)i * expected->registers * 4;
        snprintf(who, sizeof who, "the invocation of line %u", batch->lines[i]);
        if (expected->events) exit = compare_events(run, who, i);
        if (exit == SCH_CLI_YES && expected->killed[i] != got->killed[i])
            exit = sch_cli_both_differ(&run->both, who, "whether it is killed", expected->killed[i], got->killed[i]);
        if (exit == SCH_CLI_YES && !expected->killed[i])
            exit = compare_registers(run, who, UINT32_MAX, expected->outputs + at, got->outputs + at);
        if (exit != SCH_CLI_YES) return exit;
    }
    return SCH_CLI_YES;
}

static enum sch_result dispatch(const struct run *run, const struct sch_cli_batch *batch,
                                const struct sch_program *program, struct results *results,
                                struct sch_dispatch_report *report)
{
    struct sch_cli_bindings bound;
    sch_cli_bind(&run->wanted->setup, &batch->constants, &bound);
    memset(results->helpers, 0, batch->capacity);
    uint32_t count = batch->count;
    if (run->wanted->quads)
        while (count % 4) results->helpers[count++] = 1; /* the capacity is a multiple of 4 */
    size_t capacity = batch->capacity, events = capacity * results->event_capacity;
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = count,
                                         .quads = run->wanted->quads,
                                         .inputs = batch->inputs,
                                         .input_bytes = batch->input_bytes,
                                         .input_registers = batch->input_registers,
                                         .input_vertices = batch->input_vertices,
                                         .system_values = batch->system_values,
                                         .system_value_bytes = batch->system_value_bytes,
                                         .system_value_registers = batch->system_value_registers,
                                         .helpers = results->helpers,
                                         .helper_bytes = capacity,
                                         .outputs = results->outputs,
                                         .output_bytes = results->output_bytes,
                                         .output_registers = results->registers,
                                         .killed = results->killed,
                                         .killed_bytes = capacity,
                                         .system_value_given = batch->given,
                                         .system_value_given_bytes = batch->system_value_registers,
                                         .planes = batch->has_planes ? batch->planes : NULL,
                                         .plane_bytes = batch->has_planes ? capacity * batch->input_registers * 64 : 0,
                                         .plane_registers = batch->has_planes ? batch->input_registers : 0,
                                         .samples = run->wanted->samples,
                                         .centroids = batch->centroids,
                                         .centroid_bytes = capacity * 8,
                                         .pixels = batch->pixels,
                                         .pixel_bytes = capacity * 16,
                                         .event_capacity = results->event_capacity,
                                         .event_registers = results->events ? results->registers : 0,
                                         .events = results->events,
                                         .event_bytes = results->events ? events * 4 : 0,
                                         .event_counts = results->event_counts,
                                         .event_count_bytes = results->event_counts ? capacity * 4 : 0,
                                         .event_outputs = results->event_outputs,
                                         .event_output_bytes = results->event_output_bytes};
    return sch_dispatch(program, &bound.bindings, &work, &run->wanted->setup.dispatch, report);
}

static enum sch_cli_exit dispatch_reported(const struct run *run, const struct sch_cli_batch *batch,
                                           const struct sch_program *program, struct results *results)
{
    struct sch_dispatch_report report = {.size = sizeof report};
    enum sch_result result = dispatch(run, batch, program, results, &report);
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

/* A reduced shader writes less than the one before it, whose results must not stand there. */
static void clear_results(struct results *results)
{
    if (results->events) memset(results->event_outputs, 0, results->event_output_bytes);
}

static bool same_results(const struct run *run, uint32_t count)
{
    const struct results *a = &run->results, *b = &run->again;
    if (memcmp(a->outputs, b->outputs, a->output_bytes) != 0 || memcmp(a->killed, b->killed, count) != 0) return false;
    return !a->events || (memcmp(a->event_counts, b->event_counts, count * sizeof *a->event_counts) == 0 &&
                          memcmp(a->event_outputs, b->event_outputs, a->event_output_bytes) == 0);
}

/* Results that are not OK tell nothing: a reduced shader may end otherwise than the whole one. */
static bool reduced_differ(void *user, const struct sch_shader *shader)
{
    const struct parting *parting = user;
    struct run *run = parting->run;
    struct sch_program *programs[2] = {NULL, NULL};
    struct sch_program_options options = run->wanted->setup.program;
    bool good = sch_program_create(run->shader->context, shader, &options, NULL, &programs[0]) == SCH_OK;
    options.engine = SCH_ENGINE_JIT;
    good = good && sch_program_create(run->shader->context, shader, &options, NULL, &programs[1]) == SCH_OK;
    for (unsigned engine = 0; engine < 2 && good; engine++) {
        struct results *results = engine ? &run->again : &run->results;
        clear_results(results);
        good = sch_cli_both_restore(&run->both) == SCH_CLI_YES &&
               dispatch(run, parting->batch, programs[engine], results, NULL) == SCH_OK;
    }
    for (unsigned engine = 0; engine < 2; engine++) sch_program_destroy(programs[engine]);
    return good && !same_results(run, parting->batch->count);
}

static void name_instruction(struct run *run, const struct sch_cli_batch *batch)
{
    struct parting parting = {run, batch};
    char *line = sch_cli_reduce(run->shader->shader, run->shader->context, reduced_differ, &parting);
    if (line) sch_cli_fail(SCH_CLI_NO, "%s: the engines part at instruction %s", run->shader->input.name, line);
    free(line);
}

static enum sch_cli_exit run_batch(struct run *run, const struct sch_cli_batch *batch)
{
    enum sch_cli_exit exit = sch_cli_both_begin(&run->both);
    if (exit == SCH_CLI_YES) exit = dispatch_reported(run, batch, run->program, &run->results);
    if (exit == SCH_CLI_YES && run->both.jit) {
        exit = sch_cli_both_again(&run->both);
        if (exit == SCH_CLI_YES) exit = dispatch_reported(run, batch, run->both.jit, &run->again);
        if (exit == SCH_CLI_YES) exit = compare_results(run, batch);
        if (exit == SCH_CLI_YES) exit = sch_cli_both_end(&run->both);
        if (exit == SCH_CLI_NO) name_instruction(run, batch);
    }
    if (exit == SCH_CLI_YES) print_results(&run->results, batch->count);
    return exit;
}

static enum sch_cli_exit run_vectors(struct run *run, struct sch_cli_input *input)
{
    struct sch_shader_info info = {.size = sizeof info};
    enum sch_result result = sch_shader_get_info(run->shader->shader, &info);
    if (result != SCH_OK) return sch_cli_result(result, NULL, run->shader->input.name);

    const bool shared = info.stage == SCH_STAGE_TESS_CTRL || info.stage == SCH_STAGE_GEOMETRY;
    struct sch_cli_vectors vectors = {
        .input = input, .defaults = &run->wanted->setup.constants, .repeats = shared && !run->wanted->quads};
    struct sch_cli_batch batch;
    enum sch_cli_exit exit = SCH_CLI_YES;
    uint32_t unit = run->wanted->quads ? 4 : belonging(run->shader->shader, info.stage);
    bool room = sch_cli_vectors_init(&vectors, &batch, &info, any_per_vertex(run->shader->shader), unit);
    if (!room || !results_init(&run->results, run->shader->shader, &info, &batch))
        exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (exit == SCH_CLI_YES && run->both.jit && !results_init(&run->again, run->shader->shader, &info, &batch))
        exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    while (exit == SCH_CLI_YES) {
        exit = sch_cli_vectors_next(&vectors, &batch);
        if (exit != SCH_CLI_YES || !batch.count) break;
        exit = run_batch(run, &batch);
    }
    results_release(&run->results);
    results_release(&run->again);
    sch_cli_batch_release(&vectors.row);
    sch_cli_batch_release(&batch);
    return exit;
}

static enum sch_cli_exit evaluate(struct wanted *wanted)
{
    struct sch_cli_shader shader;
    struct sch_cli_input input = {0};
    struct sch_program *program = NULL;
    enum sch_cli_exit exit = sch_cli_shader_load(wanted->file, wanted->setup.kind, wanted->setup.nth, &shader);
    if (exit == SCH_CLI_YES) exit = sch_cli_setup_program(&wanted->setup, &shader, &program);
    if (exit == SCH_CLI_YES) exit = sch_cli_read(wanted->vectors, &input);
    if (exit == SCH_CLI_YES) exit = sch_cli_setup_load(&wanted->setup, shader.context);
    if (exit == SCH_CLI_YES) {
        struct run run = {.wanted = wanted, .shader = &shader, .program = program};
        wanted->setup.dispatch.cancel = sch_cli_interruptible();
        exit = sch_cli_both_create(&run.both, &wanted->setup, &shader);
        if (exit == SCH_CLI_YES) exit = run_vectors(&run, &input);
        sch_cli_both_release(&run.both);
        sch_cli_setup_warn(&wanted->setup, &shader);
        if (exit == SCH_CLI_YES) exit = sch_cli_setup_write(&wanted->setup, shader.context);
    }
    sch_program_destroy(program);
    sch_cli_input_release(&input);
    sch_cli_setup_release(&wanted->setup);
    sch_cli_shader_release(&shader);
    return exit;
}

enum sch_cli_exit sch_cli_main_eval(int argc, char **argv)
{
    if (sch_cli_maxwell_is_eval(argc, argv)) return sch_cli_maxwell_eval(argc, argv);
    struct sch_cli_arguments arguments = {.verb = &sch_cli_eval, .argc = argc, .argv = argv};
    struct wanted wanted = {0};
    sch_cli_setup_init(&wanted.setup);
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) return evaluate(&wanted);
    sch_cli_setup_release(&wanted.setup);
    return exit;
}
