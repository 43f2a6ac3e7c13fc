/* Executes the items of a script in their order. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODEL_40 = 40, MODEL_41 = 41, MODEL_50 = 50 };

/* The highest model that a [require] admits; 0: none that there is. */
static unsigned choose_model(const struct sch_script_run *run, const struct sch_script_require *require)
{
    static const unsigned models[] = {MODEL_50, MODEL_41, MODEL_40};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        if (run->options.model && models[i] != run->options.model) continue;
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
    const struct sch_script_require *require = &item->require;
    run->model = choose_model(run, require);
    run->row_major = require->row_major;
    run->required[0] = run->lacking[0] = 0;
    if (!run->model && require->below && require->below <= MODEL_40)
        snprintf(run->required, sizeof run->required, "requires a shader model below %u.%u", require->below / 10,
                 require->below % 10);
    else if (!run->model)
        snprintf(run->required, sizeof run->required, "requires shader model %u.%u", require->at_least / 10,
                 require->at_least % 10);
    else if (require->missing.bytes)
        snprintf(run->required, sizeof run->required, "requires %.*s", (int)require->missing.bytes,
                 require->missing.text);
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

static void make_sampler(struct sch_script_run *run, const struct sch_script_sampler *sampler)
{
    sch_sampler_destroy(run->samplers[sampler->slot]);
    run->samplers[sampler->slot] = NULL;
    if (sch_sampler_create(run->context, &sampler->options, NULL, &run->samplers[sampler->slot]) != SCH_OK)
        sch_script_memory(run);
}

static void execute_item(struct sch_script_run *run, size_t index)
{
    const struct sch_script_item *item = &run->script->items[index];
    switch (item->kind) {
    case SCH_SCRIPT_ITEM_SHADER:
        sch_script_shader_load(run, item);
        break;
    case SCH_SCRIPT_ITEM_RESOURCE:
        sch_script_instance_make(run, item, item->resource);
        break;
    case SCH_SCRIPT_ITEM_SAMPLER:
        make_sampler(run, item->sampler);
        break;
    case SCH_SCRIPT_ITEM_UNIFORM:
        set_uniform(run, item);
        break;
    case SCH_SCRIPT_ITEM_DRAW:
        sch_script_draw(run, item);
        sch_script_trace_item(run, item);
        break;
    case SCH_SCRIPT_ITEM_DISPATCH:
        sch_script_dispatch(run, item);
        sch_script_trace_item(run, item);
        break;
    case SCH_SCRIPT_ITEM_CLEAR:
        sch_script_clear(run, item);
        break;
    case SCH_SCRIPT_ITEM_COPY:
        sch_script_copy(run, item);
        break;
    case SCH_SCRIPT_ITEM_STATE:
        snprintf(run->lacking, sizeof run->lacking, "state that is not executed: %.*s", (int)item->text.bytes,
                 item->text.text);
        break;
    case SCH_SCRIPT_ITEM_PROBE:
        sch_script_probe(run, item);
        break;
    case SCH_SCRIPT_ITEM_SAMPLE_MASK:
        run->state.sample_mask = item->sample_mask;
        break;
    case SCH_SCRIPT_ITEM_TEST:
        sch_script_state_reset(&run->state);
        break;
    case SCH_SCRIPT_ITEM_DEPTH:
        run->state.depth = item->depth;
        break;
    case SCH_SCRIPT_ITEM_SETTING:
        sch_script_state_set(&run->state, &item->setting);
        break;
    case SCH_SCRIPT_ITEM_INPUT_LAYOUT:
        run->layout = item->layout;
        break;
    case SCH_SCRIPT_ITEM_REQUIRE:
        break;
    }
}

static void execute(struct sch_script_run *run)
{
    for (size_t i = 0; i < run->script->count && run->stop == SCH_OK; i++) {
        const struct sch_script_item *item = &run->script->items[i];
        if (item->kind == SCH_SCRIPT_ITEM_REQUIRE)
            require(run, i);
        else if (!run->required[0] && sch_script_applies(item, run->model))
            execute_item(run, i);
    }
}

static void run_release(struct sch_script_run *run)
{
    for (unsigned k = 0; k < SCH_SCRIPT_KINDS; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) sch_script_instance_release(&run->instance[k][i]);
    for (unsigned i = 0; i < SCH_SCRIPT_SAMPLERS; i++) sch_sampler_destroy(run->samplers[i]);
    sch_player_end(&run->player);
    for (unsigned i = 0; i < SCH_SCRIPT_STAGES; i++) sch_script_shader_release(&run->shader[i]);
    sch_diagnostics_destroy(run->refused);
    for (unsigned i = 0; i < SCH_SCRIPT_CONSTANTS; i++) free(run->uniforms[i]);
    sch_program_destroy(run->plain_vertex);
    free(run);
}

enum sch_result sch_script_run(const struct sch_script *script, struct sch_context *context,
                               const struct sch_script_options *options, const struct sch_script_host *host,
                               struct sch_script_report *report)
{
    struct sch_script_run *run = calloc(1, sizeof *run);
    *report = (struct sch_script_report){0};
    if (!run) return SCH_ERROR_MEMORY;
    run->script = script;
    run->context = context;
    run->options = *options;
    run->host = host;
    run->report = report;
    run->silent = options->trace && sch_script_trace_records(options->trace);
    run->model = options->model ? options->model : MODEL_50;
    if (sch_diagnostics_create(context, &run->refused) != SCH_OK) sch_script_memory(run);
    run->options.dispatch.diagnostics = run->refused;
    execute(run);
    const enum sch_result stop = run->stop;
    if (options->trace) sch_script_trace_end(options->trace);
    run_release(run);
    return stop;
}
