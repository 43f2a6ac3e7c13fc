/* scheelite compare: whether two shaders do the same on boundary values, random ones and those that are given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "compare.h"
#include "inputs/maxwell.h"

/* ---- arguments ---- */

/* An option that says what is bound: of both. */
static enum sch_cli_exit take_compare_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct sch_cli_compare *compare = user;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (unsigned which = 0; which < 2 && exit_code == SCH_CLI_YES; which++)
        exit_code = sch_cli_setup_option(&compare->side[which].setup, verb, option, value);
    if (exit_code != SCH_CLI_YES || sch_cli_words_add(&compare->said, (enum sch_cli_option_id)option, value))
        return exit_code;
    return sch_cli_no_memory();
}

/* Whether `eval` takes an option likewise, so that the commands that are shown have it. */
static bool is_of_eval(const struct sch_cli_option *option)
{
    static const enum sch_cli_group groups[] = {SCH_GROUP_width,    SCH_GROUP_threads, SCH_GROUP_work,
                                                SCH_GROUP_deadline, SCH_GROUP_cache,   SCH_GROUP_compiler,
                                                SCH_GROUP_inside};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (option->group == groups[i]) return true;
    return option == &sch_cli_options[SCH_OPTION_COMPARE_ENGINE] ||
           option == &sch_cli_options[SCH_OPTION_COMPARE_BUDGET];
}

static enum sch_cli_exit keep_words(const struct sch_cli_arguments *arguments, struct sch_cli_words *said)
{
    for (int id = 0; id < SCH_OPTION_COUNT; id++)
        if (arguments->given[id] && is_of_eval(&sch_cli_options[id]) &&
            !sch_cli_words_add(said, (enum sch_cli_option_id)id, arguments->given[id]))
            return sch_cli_no_memory();
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_compare_arguments(struct sch_cli_arguments *arguments, struct sch_cli_compare *compare)
{
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, take_compare_option, compare);
    if (exit_code == SCH_CLI_YES) exit_code = keep_words(arguments, &compare->said);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const struct sch_cli_values *values = &arguments->values;
    compare->arguments = arguments;
    compare->asked = values->of_compare;
    compare->comparing = values->of_comparing;
    compare->samples = values->samples.has_samples ? values->samples.samples : 0;
    for (unsigned which = 0; which < 2 && exit_code == SCH_CLI_YES; which++) {
        struct sch_cli_setup *setup = &compare->side[which].setup;
        compare->side[which].file = arguments->files[which];
        exit_code = sch_cli_setup_take(setup, arguments);
        setup->dispatch.budget = values->of_comparing.budget;
        if (which && values->of_comparing.engine_b)
            setup->program.engine = sch_cli_engine_of(values->of_comparing.engine_b);
        if (strcmp(arguments->files[which], "-") == 0)
            return sch_cli_usage_error(&sch_cli_compare, "standard input is not compared");
    }
    if (exit_code == SCH_CLI_YES && !compare->asked.vectors && !compare->asked.count)
        return sch_cli_usage_error(&sch_cli_compare, "--count 0 leaves no inputs without --vectors");
    return exit_code;
}

/* ---- shaders ---- */

/* Raw code shows itself by nothing: then the option says so. */
static enum sch_cli_exit find_code(const struct sch_cli_compare *compare, const char *file, bool *is_code)
{
    struct sch_cli_input input;
    const enum sch_cli_exit exit_code = sch_cli_read(file, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const bool container = input.bytes >= 4 && memcmp(input.data, "DXBC", 4) == 0;
    *is_code = sch_cli_looks_like_maxwell(&input) ||
               (compare->asked.kind && !container && !sch_maxwell_pool_is_text(input.data, input.bytes));
    sch_cli_input_release(&input);
    return SCH_CLI_YES;
}

/* Maxwell code beside a shader is compared as its lookups. */
static enum sch_cli_exit settle_files(struct sch_cli_compare *compare)
{
    bool is_code[2] = {false, false};
    enum sch_cli_exit exit_code = find_code(compare, compare->side[0].file, &is_code[0]);
    if (exit_code == SCH_CLI_YES) exit_code = find_code(compare, compare->side[1].file, &is_code[1]);
    compare->code = is_code[0] && is_code[1];
    for (unsigned which = 0; which < 2; which++) {
        struct sch_cli_compared_side *side = &compare->side[which];
        side->setup.reading.maxwell.chosen = compare->code; /* raw code, too */
        if (!is_code[which] || compare->code) continue;
        side->code = side->setup.lookup_code = side->file;
        side->file = compare->side[!which].file;
        side->setup.program.engine = SCH_ENGINE_MAXWELL;
        side->setup.both = false;
    }
    return exit_code == SCH_CLI_YES && compare->code ? sch_cli_code_check(compare) : exit_code;
}

static enum sch_cli_exit load_party(struct sch_cli_compare *compare, unsigned which)
{
    const struct sch_cli_compared_side *side = &compare->side[which];
    return sch_cli_party_load(&side->setup.reading, side->file, &compare->party[which]);
}

/* When all that is bound is known. */
static enum sch_cli_exit make_program(struct sch_cli_compare *compare, unsigned which)
{
    struct sch_cli_compared_side *side = &compare->side[which];
    struct sch_cli_party *party = &compare->party[which];
    const enum sch_cli_exit exit_code = sch_cli_setup_program(&side->setup, &party->shader, &side->program);
    for (uint32_t b = 0; b < SCH_CLI_CONSTANT_BUFFERS && exit_code == SCH_CLI_YES; b++)
        side->buffers[b] = sch_cli_unit(&side->setup, SCH_CLI_CONSTANT_SLOTS, b);
    party->buffers = side->buffers;
    party->buffer_count = SCH_CLI_CONSTANT_BUFFERS;
    return exit_code;
}

static bool has_spaces(const struct sch_cli_compare *compare, unsigned which)
{
    struct sch_range_info range = {.size = sizeof range};
    return sch_shader_range(compare->party[which].shader.shader, 0, &range) && range.spaces;
}

/* Whose rules hold for lookups in textures that are made: one shader's must be the other's. */
static const char *rules_of(const struct sch_cli_compare *compare)
{
    for (unsigned which = 0; which < 2; which++)
        if (compare->code || compare->side[which].setup.program.engine == SCH_ENGINE_MAXWELL) return "maxwell";
    return compare->party[0].d3d_rules || compare->party[1].d3d_rules ? "d3d" : "tgsi";
}

static enum sch_cli_exit make_bindings(struct sch_cli_compare *compare)
{
    struct sch_cli_named *named = calloc(1, sizeof *named);
    struct sch_cli_words made = {0};
    enum sch_cli_exit exit_code = named && compare->code ? sch_cli_code_name(compare, named) : SCH_CLI_YES;
    bool good = named && sch_cli_named_add(named, &compare->party[0].shader, has_spaces(compare, 0)) &&
                sch_cli_named_add(named, &compare->party[1].shader, has_spaces(compare, 1)) &&
                sch_cli_make_bindings(named, &compare->side[0].setup, rules_of(compare), &made);
    if (exit_code == SCH_CLI_YES && !good) exit_code = sch_cli_no_memory();
    for (uint32_t i = 0; i < made.count && exit_code == SCH_CLI_YES; i++) {
        const uint32_t said = compare->said.count;
        good = sch_cli_words_add(&compare->said, made.list[i].option, made.list[i].value);
        /* The setups keep the text. */
        for (unsigned which = 0; which < 2 && good && exit_code == SCH_CLI_YES; which++)
            exit_code = sch_cli_setup_option(&compare->side[which].setup, &sch_cli_compare, (int)made.list[i].option,
                                             compare->said.list[said].value);
        if (!good) exit_code = sch_cli_no_memory();
    }
    sch_cli_words_release(&made);
    free(named);
    return exit_code;
}

/* Constants of the command line stay as they are. */
static void leave_constants(struct sch_cli_compare *compare)
{
    const struct sch_cli_setup *setup = &compare->side[0].setup;
    struct sch_cli_pairs *pairs = &compare->inputs;
    for (uint32_t i = 0; i < setup->constant_text_count; i++) {
        char name[48];
        const struct sch_cli_constant_text *text = &setup->constant_texts[i];
        snprintf(name, sizeof name, "CONST[%u][%u]", text->buffer, text->index);
        for (uint32_t k = 0; k < pairs->count; k++) {
            if (strcmp(pairs->list[k].name, name) != 0) continue;
            memmove(&pairs->list[k], &pairs->list[k + 1], (pairs->count - k - 1) * sizeof *pairs->list);
            pairs->count--;
            break;
        }
    }
}

static enum sch_cli_exit load(struct sch_cli_compare *compare)
{
    enum sch_cli_exit exit_code = load_party(compare, 0);
    if (exit_code == SCH_CLI_YES) exit_code = load_party(compare, 1);
    if (exit_code != SCH_CLI_YES || compare->party[0].info.stage != compare->party[1].info.stage) return exit_code;
    if (has_spaces(compare, 0) != has_spaces(compare, 1))
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "only %s has register spaces (shader model 5.1): its registers have no partners by number",
                            compare->side[has_spaces(compare, 1)].file);
    const enum sch_stage stage = compare->party[0].info.stage;
    compare->quads = compare->code || stage == SCH_STAGE_FRAGMENT;
    compare->unit = compare->quads ? 4 : sch_cli_belonging(compare->party[0].shader.shader, stage);
    exit_code = make_bindings(compare);
    for (unsigned which = 0; which < 2 && exit_code == SCH_CLI_YES; which++) exit_code = make_program(compare, which);
    if (exit_code == SCH_CLI_YES && compare->code) exit_code = sch_cli_code_pair(compare);
    if (exit_code == SCH_CLI_YES && !compare->code) exit_code = sch_cli_pair_inputs(compare->party, &compare->inputs);
    if (exit_code == SCH_CLI_YES && !compare->code) exit_code = sch_cli_pair_outputs(compare->party, &compare->outputs);
    if (exit_code == SCH_CLI_YES) leave_constants(compare);
    return exit_code == SCH_CLI_YES ? sch_cli_compare_prepare(compare) : exit_code;
}

/* ---- comparing ---- */

/* What is different before anything runs; NULL: nothing. `text` says it. */
static const char *find_reason(const struct sch_cli_compare *compare, char text[160])
{
    const struct sch_cli_party *a = &compare->party[0], *b = &compare->party[1];
    if (a->info.stage != b->info.stage) {
        snprintf(text, 160, "A is a %s shader, B a %s shader", sch_cli_stage_word(a->info.stage),
                 sch_cli_stage_word(b->info.stage));
        return "stage";
    }
    if (sch_cli_belonging(a->shader.shader, a->info.stage) != sch_cli_belonging(b->shader.shader, b->info.stage)) {
        snprintf(text, 160, "their patches or primitives have different numbers of invocations");
        return "invocations";
    }
    for (uint32_t i = 0; i < compare->outputs.count; i++) {
        const struct sch_cli_pair *pair = &compare->outputs.list[i];
        if (pair->seat[0].there && pair->seat[1].there) continue;
        if (compare->code)
            sch_cli_code_reason(compare, pair, text);
        else
            snprintf(text, 160, "only %s has the output %s", pair->seat[0].there ? "A" : "B", pair->name);
        return "outputs";
    }
    return NULL;
}

/* Rounds of made inputs, until one shows a difference. */
static enum sch_cli_exit run_rounds(struct sch_cli_compare *compare, struct sch_cli_inputs *inputs,
                                    struct sch_cli_difference *difference)
{
    const uint32_t whole = inputs->count;
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    for (uint64_t done = 0, round = 0; done < compare->asked.count; done += whole, round++) {
        inputs->count = whole;
        sch_cli_compare_fill(compare, round, inputs);
        exit_code = sch_cli_compare_round(compare, inputs, difference);
        if (exit_code != SCH_CLI_YES) return exit_code;
        compare->done += difference->kind == SCH_CLI_SAME ? whole : difference->invocation + 1;
        sch_cli_progress_at(compare->done, compare->all, "inputs");
        if (difference->kind != SCH_CLI_SAME) return SCH_CLI_YES;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_inputs(struct sch_cli_compare *compare, struct sch_cli_inputs *inputs)
{
    struct sch_cli_difference difference = {0};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (compare->asked.vectors) exit_code = sch_cli_compare_given(compare, inputs, &difference);
    if (exit_code == SCH_CLI_YES && difference.kind == SCH_CLI_SAME)
        exit_code = run_rounds(compare, inputs, &difference);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (difference.kind == SCH_CLI_SAME) return sch_cli_compare_equal(compare);
    exit_code = sch_cli_compare_reduce(compare, inputs, &difference);
    return exit_code == SCH_CLI_YES ? sch_cli_compare_show(compare, inputs, &difference) : exit_code;
}

static enum sch_cli_exit run_all(struct sch_cli_compare *compare)
{
    char text[160];
    enum sch_cli_exit exit_code = settle_files(compare);
    if (exit_code == SCH_CLI_YES) exit_code = load(compare);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const char *reason = find_reason(compare, text);
    if (reason) return sch_cli_compare_apart(compare, reason, text);
    const uint32_t unit = compare->unit, units = unit < SCH_CLI_ROUND ? SCH_CLI_ROUND / unit : 1;
    struct sch_cli_inputs inputs = {.count = units * unit, .quads = compare->quads};
    inputs.words = calloc(inputs.count * compare->inputs.words + 1, sizeof *inputs.words);
    if (!inputs.words) return sch_cli_no_memory();
    exit_code = run_inputs(compare, &inputs);
    free(inputs.words);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_compare(struct sch_cli_arguments *arguments)
{
    struct sch_cli_compare *compare = calloc(1, sizeof *compare);
    if (!compare) return sch_cli_no_memory();
    for (unsigned which = 0; which < 2; which++) sch_cli_setup_init(&compare->side[which].setup);
    enum sch_cli_exit exit_code = read_compare_arguments(arguments, compare);
    compare->all = compare->asked.count;
    if (exit_code == SCH_CLI_YES) {
        sch_cli_progress_begin(&sch_cli_compare, false);
        exit_code = run_all(compare);
    }
    sch_cli_compare_release(compare);
    free(compare);
    return exit_code;
}
