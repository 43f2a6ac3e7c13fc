/* Executes the items of a script in their order and reports those that did not pass. */
#include "script_run.h"
#include "code.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_40 = 40, MODEL_41 = 41, MODEL_50 = 50 };

/* Text from outside must not move the cursor of a terminal. */
static void print_clean(const char *text)
{
    for (; *text; text++) putchar((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text);
}

static void print_item(struct sch_script_run *run, uint32_t line, const char *what, uint64_t items, const char *reason)
{
    if (run->trace && !run->trace->comparing) return;
    if (run->options->json) {
        printf("%s\n    {\"line\": %" PRIu32 ", \"items\": %" PRIu64 ", \"result\": \"%s\", \"reason\": ",
               run->failed_before ? "," : "", line, items, what);
        sch_cli_json_string(stdout, reason);
        putchar('}');
        run->failed_before = true;
        return;
    }
    print_clean(run->script->input.name);
    printf(":%" PRIu32 ": %s: ", line, what);
    print_clean(reason);
    if (items != 1) printf(" (%" PRIu64 " items)", items);
    putchar('\n');
}

/* Whether a dispatch found no machine code: then nothing fails, but the script ends, as where a program is refused. */
static bool lacks_code(struct sch_script_run *run)
{
    if (!sch_diagnostics_errors(run->refused)) return false;
    const struct sch_diagnostic_info view = sch_script_first_error(run->refused, SCH_ERROR_UNSUPPORTED);
    if (run->exit == SCH_CLI_YES)
        run->exit =
            sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: error %u: %s", run->script->input.name, view.code, view.message);
    return true;
}

void sch_script_fail(struct sch_script_run *run, const struct sch_script_item *item, const char *format, ...)
{
    char message[1024], marked[1100];
    if (lacks_code(run)) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    unsigned marks = 1u << SCH_SCRIPT_TODO | 1u << SCH_SCRIPT_BUG | 1u << SCH_SCRIPT_NOTIMPL;
    const char *mark = sch_script_holds(item, marks, run->model) ? " (the script marks it todo or bug)" : "";
    snprintf(marked, sizeof marked, "%s%s", message, mark);
    /* The marks tell what a compiler of HLSL gets wrong: then the program was not the one that the script means. */
    if (*mark && run->from_hlsl) {
        sch_script_skip(run, item->line, 1, marked);
        return;
    }
    run->failed++;
    print_item(run, item->line, "failed", 1, marked);
}

void sch_script_skip(struct sch_script_run *run, uint32_t line, uint64_t items, const char *reason)
{
    run->skipped += items;
    print_item(run, line, "skipped", items, reason);
}

void sch_script_memory(struct sch_script_run *run)
{
    if (run->exit == SCH_CLI_YES) run->exit = sch_cli_fail(SCH_CLI_LIMIT, "%s: out of memory", run->script->input.name);
}

/* The highest model that a [require] admits; 0: none that there is. */
static unsigned choose_model(const struct sch_script_run *run, const struct sch_script_require *require)
{
    static const unsigned models[] = {MODEL_50, MODEL_41, MODEL_40};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (run->options->model && models[i] != run->options->model) continue;
        if (models[i] >= require->at_least && (!require->below || models[i] < require->below)) return models[i];
    }
    return 0;
}

/* Items that a [require] skips: probes, effects, and shaders that must fail. */
static uint64_t count_items(const struct sch_script_run *run, size_t from)
{
    uint64_t count = 0;
    for (size_t i = from; i < run->script->count; i++) {
        const struct sch_script_item *item = &run->script->items[i];
        if (item->kind == SCH_SCRIPT_ITEM_REQUIRE) break;
        count += item->kind == SCH_SCRIPT_ITEM_PROBE;
        if (item->kind != SCH_SCRIPT_ITEM_SHADER) continue;
        bool must_fail = false;
        for (unsigned p = 0; p < item->prefixes; p++) must_fail |= item->prefix[p].word == SCH_SCRIPT_FAIL;
        count += must_fail || item->shader.stage == SCH_SCRIPT_EFFECT;
    }
    return count;
}

static void require(struct sch_script_run *run, size_t index)
{
    const struct sch_script_item *item = &run->script->items[index];
    const struct sch_script_require *wanted = &item->require;
    run->model = choose_model(run, wanted);
    run->row_major = wanted->row_major;
    run->required[0] = run->state[0] = 0;
    if (!run->model && wanted->below && wanted->below <= MODEL_40)
        snprintf(run->required, sizeof run->required, "requires a shader model below %u.%u", wanted->below / 10,
                 wanted->below % 10);
    else if (!run->model)
        snprintf(run->required, sizeof run->required, "requires shader model %u.%u", wanted->at_least / 10,
                 wanted->at_least % 10);
    else if (wanted->missing.bytes)
        snprintf(run->required, sizeof run->required, "requires %.*s", (int)wanted->missing.bytes,
                 wanted->missing.text);
    uint64_t items = run->required[0] ? count_items(run, index + 1) : 0;
    if (items) sch_script_skip(run, item->line, items, run->required);
}

static void set_uniform(struct sch_script_run *run, const struct sch_script_item *item)
{
    uint32_t end = item->uniform.offset + item->uniform.count, *count = &run->uniform_count[item->uniform.buffer];
    uint32_t **words = &run->uniforms[item->uniform.buffer];
    if (!*words) {
        *words = malloc((size_t)SCH_SCRIPT_UNIFORMS * 4);
        if (!*words) {
            sch_script_memory(run);
            return;
        }
        memset(*words, 0x7f, (size_t)SCH_SCRIPT_UNIFORMS * 4); /* what was never set */
    }
    memcpy(*words + item->uniform.offset, item->uniform.words, (size_t)item->uniform.count * 4);
    if (end > *count) *count = end;
}

/* A draw that is not executed: what it would have written is not known. */
static void spoil(struct sch_script_run *run, const struct sch_script_item *item)
{
    char reason[SCH_SCRIPT_REASON];
    snprintf(reason, sizeof reason, "needs the pipeline: draw %.*s", (int)item->text.bytes, item->text.text);
    sch_script_spoil(run, reason);
}

static void execute_item(struct sch_script_run *run, size_t index)
{
    const struct sch_script_item *item = &run->script->items[index];
    switch (item->kind) {
    case SCH_SCRIPT_ITEM_SHADER:
        sch_script_shader_load(run, item);
        break;
    case SCH_SCRIPT_ITEM_RESOURCE:
        sch_script_live_make(run, item, item->resource);
        break;
    case SCH_SCRIPT_ITEM_SAMPLER:
        sch_script_make_sampler(run, item->sampler);
        break;
    case SCH_SCRIPT_ITEM_UNIFORM:
        set_uniform(run, item);
        break;
    case SCH_SCRIPT_ITEM_DRAW_QUAD:
        sch_script_draw_quad(run, item);
        sch_script_trace(run, item);
        break;
    case SCH_SCRIPT_ITEM_DRAW:
        sch_script_targets(run);
        spoil(run, item);
        break;
    case SCH_SCRIPT_ITEM_DISPATCH:
        sch_script_dispatch(run, item);
        sch_script_trace(run, item);
        break;
    case SCH_SCRIPT_ITEM_CLEAR:
        sch_script_clear(run, item);
        break;
    case SCH_SCRIPT_ITEM_COPY:
        sch_script_copy(run, item);
        break;
    case SCH_SCRIPT_ITEM_STATE:
        snprintf(run->state, sizeof run->state, "needs the pipeline: %.*s", (int)item->text.bytes, item->text.text);
        break;
    case SCH_SCRIPT_ITEM_PROBE:
        sch_script_probe(run, item);
        break;
    case SCH_SCRIPT_ITEM_SAMPLE_MASK:
        run->sample_mask = item->sample_mask;
        break;
    case SCH_SCRIPT_ITEM_TEST:
        run->sample_mask = UINT32_MAX;
        run->depth = SCH_COMPARE_DEFAULT;
        break;
    case SCH_SCRIPT_ITEM_DEPTH:
        run->depth = item->depth;
        break;
    case SCH_SCRIPT_ITEM_REQUIRE:
    case SCH_SCRIPT_ITEM_INPUT_LAYOUT:
        break;
    }
}

static void execute(struct sch_script_run *run)
{
    for (size_t i = 0; i < run->script->count && run->exit == SCH_CLI_YES; i++) {
        const struct sch_script_item *item = &run->script->items[i];
        if (item->kind == SCH_SCRIPT_ITEM_REQUIRE)
            require(run, i);
        else if (!run->required[0] && sch_script_applies(item, run->model))
            execute_item(run, i);
    }
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *end = strstr(name, ".shader_test");
    return strndup(name, end ? (size_t)(end - name) : strlen(name));
}

static void print_summary(const struct sch_script_run *run)
{
    if (run->options->json)
        printf("%s],\n  \"passed\": %" PRIu64 ",\n  \"failed\": %" PRIu64 ",\n  \"skipped\": %" PRIu64 "\n}\n",
               run->failed_before ? "\n  " : "", run->passed, run->failed, run->skipped);
    else
        printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", run->passed, run->failed, run->skipped);
}

static void run_release(struct sch_script_run *run)
{
    for (unsigned k = 0; k < SCH_SCRIPT_KINDS; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) sch_script_live_release(&run->live[k][i]);
    for (unsigned i = 0; i < SCH_SCRIPT_SAMPLERS; i++) sch_sampler_destroy(run->samplers[i]);
    for (unsigned i = 0; i < SCH_SCRIPT_STAGES; i++) sch_script_shader_release(&run->shader[i]);
    sch_program_destroy(run->put);
    sch_diagnostics_destroy(run->refused);
    sch_context_destroy(run->context);
    sch_cli_input_release(&run->map);
    for (unsigned i = 0; i < SCH_SCRIPT_CONSTANTS; i++) free(run->uniforms[i]);
    free(run->wanted);
    free(run);
}

/* `trace`: NULL with one engine. */
static enum sch_cli_exit execute_script(struct sch_script *script, const struct sch_script_options *options,
                                        struct sch_script_trace *trace)
{
    bool silent = trace && !trace->comparing;
    struct sch_script_run *run = calloc(1, sizeof *run);
    char *base = base_name(script->input.name);
    enum sch_cli_exit exit = SCH_CLI_LIMIT;
    struct sch_script_options own = *options;
    if (run && base && sch_cli_context_create(&run->context) == SCH_OK &&
        sch_diagnostics_create(run->context, &run->refused) == SCH_OK) {
        own.dispatch.diagnostics = run->refused;
        run->options = &own;
        run->trace = trace;
        run->script = script;
        run->base = base;
        run->model = options->model ? options->model : MODEL_50;
        if (options->map) run->exit = sch_cli_read(options->map, &run->map);
        if (options->json && run->exit == SCH_CLI_YES && !silent) fputs("{\n  \"items\": [", stdout);
        execute(run);
        exit = run->exit;
        if (exit == SCH_CLI_YES && !silent) {
            print_summary(run);
            exit = run->failed ? SCH_CLI_NO : SCH_CLI_YES;
        }
    } else {
        sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    }
    if (run) run_release(run);
    free(base);
    return exit;
}

static enum sch_cli_exit execute_on_both(struct sch_script *script, const struct sch_script_options *options)
{
    struct sch_script_trace trace = {0};
    struct sch_script_options wanted = *options;
    wanted.program.engine = SCH_ENGINE_INTERPRETER;
    enum sch_cli_exit exit = execute_script(script, &wanted, &trace);
    trace.comparing = true;
    wanted.program.engine = SCH_ENGINE_JIT;
    if (exit == SCH_CLI_YES) exit = execute_script(script, &wanted, &trace);
    free(trace.sums);
    return exit;
}

enum sch_cli_exit sch_script_execute(struct sch_cli_input *input, const struct sch_script_options *options)
{
    struct sch_script script;
    enum sch_cli_exit exit = sch_script_read(input, &script);
    if (exit == SCH_CLI_YES)
        exit = options->both ? execute_on_both(&script, options) : execute_script(&script, options, NULL);
    sch_script_release(&script);
    return exit;
}
