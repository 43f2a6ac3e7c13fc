/* scheelite compare: whether two shaders do the same on boundary values, random ones and those that are given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "maxwell.h"
#include "progress.h"

/* ---- arguments ---- */

/* An option of the groups that say what is bound and how it is run: of both, and of the commands that are shown. */
static enum sch_cli_exit take_setup(struct sch_cli_compare *compare, int option, const char *value)
{
    compare->has_budget |= option == SCH_OPTION_COMPARE_BUDGET;
    if (option == SCH_OPTION_COMPARE_ENGINE && strcmp(value, "both") == 0)
        return sch_cli_usage_error(&sch_cli_compare, "--engine both compares by itself; here it is auto, interp, jit "
                                                     "or maxwell");
    for (unsigned which = 0; which < 2; which++) {
        const enum sch_cli_exit exit =
            sch_cli_setup_option(&sch_cli_compare, &compare->side[which].setup, option, value);
        if (exit != SCH_CLI_YES) return exit;
    }
    return sch_cli_words_add(&compare->said, (enum sch_cli_option_id)option, value)
               ? SCH_CLI_YES
               : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
}

static enum sch_cli_exit take_number(const char *name, const char *value, uint64_t *number)
{
    if (sch_cli_number(value, 0, UINT32_MAX, number)) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_compare, "%s is a number from 0, not %s", name, value);
}

static enum sch_cli_exit take_tolerance(struct sch_cli_compare *compare, const char *value)
{
    char *end;
    compare->tolerance = strtod(value, &end);
    if (end != value && !*end && compare->tolerance >= 0 && isfinite(compare->tolerance)) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_compare, "--tolerance is a number from 0, not %s", value);
}

/* One of two words. */
static enum sch_cli_exit take_word(const char *name, const char *value, const char *no, const char *yes, bool *which)
{
    *which = strcmp(value, yes) == 0;
    if (*which || strcmp(value, no) == 0) return SCH_CLI_YES;
    return sch_cli_usage_error(&sch_cli_compare, "%s is %s or %s, not %s", name, no, yes, value);
}

static enum sch_cli_exit take_engine_b(struct sch_cli_compare *compare, const char *value)
{
    struct sch_cli_setup *setup = &compare->side[1].setup;
    const enum sch_engine before = setup->program.engine;
    const enum sch_cli_exit exit = sch_cli_setup_option(&sch_cli_compare, setup, SCH_OPTION_COMPARE_ENGINE, value);
    compare->engine_b = setup->program.engine;
    compare->has_engine_b = true;
    setup->program.engine = before;
    if (exit == SCH_CLI_YES && setup->both)
        return sch_cli_usage_error(&sch_cli_compare, "--engine-b is auto, interp, jit or maxwell");
    return exit;
}

static enum sch_cli_exit take_file(struct sch_cli_compare *compare, const char *value)
{
    const unsigned which = compare->side[0].file != NULL;
    if (strcmp(value, "-") == 0) return sch_cli_usage_error(&sch_cli_compare, "standard input is not compared");
    if (compare->side[which].file) return sch_cli_usage_error(&sch_cli_compare, "two shaders only: %s", value);
    compare->side[which].file = value;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_samples(struct sch_cli_compare *compare, const char *value)
{
    uint64_t samples;
    if (!sch_cli_number(value, 1, 16, &samples) || (samples & (samples - 1)))
        return sch_cli_usage_error(&sch_cli_compare, "--samples is 1, 2, 4, 8 or 16");
    compare->samples = (unsigned)samples;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_option(struct sch_cli_compare *compare, int option, const char *value)
{
    switch (option) {
    case SCH_CLI_FILE:
        return take_file(compare, value);
    case SCH_OPTION_COMPARE_COUNT:
        return take_number("--count", value, &compare->count);
    case SCH_OPTION_COMPARE_SEED:
        return take_number("--seed", value, &compare->seed);
    case SCH_OPTION_COMPARE_VALUES:
        return take_word("--values", value, "all", "normal", &compare->normal);
    case SCH_OPTION_COMPARE_NAN:
        return take_word("--nan", value, "any", "bits", &compare->nan_bits);
    case SCH_OPTION_COMPARE_TOLERANCE:
        return take_tolerance(compare, value);
    case SCH_OPTION_ENGINE_B:
        return take_engine_b(compare, value);
    case SCH_OPTION_COMPARE_KIND:
        compare->code_kind = strcmp(value, "maxwell") == 0 || strcmp(value, "cubin") == 0;
        if (compare->code_kind) return SCH_CLI_YES;
        return sch_cli_usage_error(&sch_cli_compare, "-x is maxwell or cubin here, not %s", value);
    case SCH_OPTION_COMPARE_VECTORS:
        compare->vectors = value;
        return SCH_CLI_YES;
    case SCH_OPTION_COMPARE_OUTPUT:
        compare->folder = value;
        return SCH_CLI_YES;
    case SCH_OPTION_SAMPLES:
        return take_samples(compare, value);
    case SCH_OPTION_JSON:
        compare->json = true;
        return SCH_CLI_YES;
    default:
        return take_setup(compare, option, value);
    }
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct sch_cli_compare *compare)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        const enum sch_cli_exit exit = take_option(compare, option, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    if (!compare->side[1].file) return sch_cli_usage_error(&sch_cli_compare, "which two shaders?");
    if (!compare->vectors && !compare->count)
        return sch_cli_usage_error(&sch_cli_compare, "--count 0 leaves no inputs without --vectors");
    for (unsigned which = 0; which < 2 && !compare->has_budget; which++)
        compare->side[which].setup.dispatch.budget = SCH_CLI_COMPARE_BUDGET;
    if (compare->has_engine_b) compare->side[1].setup.program.engine = compare->engine_b;
    return SCH_CLI_YES;
}

/* ---- shaders ---- */

/* Raw code shows itself by nothing: then the option says so. */
static enum sch_cli_exit find_code(const struct sch_cli_compare *compare, const char *file, bool *is_code)
{
    struct sch_cli_input input;
    const enum sch_cli_exit exit = sch_cli_read(file, &input);
    if (exit != SCH_CLI_YES) return exit;
    const bool container = input.bytes >= 4 && memcmp(input.data, "DXBC", 4) == 0;
    *is_code = sch_cli_looks_like_maxwell(&input) ||
               (compare->code_kind && !container && !sch_maxwell_pool_is_text(input.data, input.bytes));
    sch_cli_input_release(&input);
    return SCH_CLI_YES;
}

/* Maxwell code is compared as the lookups of the shader beside it. */
static enum sch_cli_exit settle_files(struct sch_cli_compare *compare, bool *both)
{
    bool is_code[2] = {false, false};
    enum sch_cli_exit exit = find_code(compare, compare->side[0].file, &is_code[0]);
    if (exit == SCH_CLI_YES) exit = find_code(compare, compare->side[1].file, &is_code[1]);
    *both = is_code[0] && is_code[1];
    for (unsigned which = 0; which < 2 && !*both; which++) {
        struct sch_cli_compared_side *side = &compare->side[which];
        if (!is_code[which]) continue;
        side->code = side->setup.lookup_code = side->file;
        side->file = compare->side[!which].file;
        side->setup.program.engine = SCH_ENGINE_MAXWELL;
        side->setup.both = false;
    }
    return exit;
}

static enum sch_cli_exit load_party(struct sch_cli_compare *compare, unsigned which)
{
    return sch_cli_party_load(compare->side[which].file, &compare->party[which]);
}

/* When all that is bound is known. */
static enum sch_cli_exit make_program(struct sch_cli_compare *compare, unsigned which)
{
    struct sch_cli_compared_side *side = &compare->side[which];
    struct sch_cli_party *party = &compare->party[which];
    const enum sch_cli_exit exit = sch_cli_setup_program(&side->setup, &party->shader, &side->program);
    for (uint32_t b = 0; b < SCH_CLI_CONSTANT_BUFFERS && exit == SCH_CLI_YES; b++)
        side->buffers[b] = sch_cli_unit(&side->setup, SCH_CLI_CONSTANT_SLOTS, b);
    party->buffers = side->buffers;
    party->buffer_count = SCH_CLI_CONSTANT_BUFFERS;
    return exit;
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
        if (compare->side[which].setup.program.engine == SCH_ENGINE_MAXWELL) return "maxwell";
    return compare->party[0].d3d_rules || compare->party[1].d3d_rules ? "d3d" : "tgsi";
}

static enum sch_cli_exit make_bindings(struct sch_cli_compare *compare)
{
    struct sch_cli_named *named = calloc(1, sizeof *named);
    struct sch_cli_words made = {0};
    bool good = named && sch_cli_named_add(named, &compare->party[0].shader, has_spaces(compare, 0)) &&
                sch_cli_named_add(named, &compare->party[1].shader, has_spaces(compare, 1)) &&
                sch_cli_make_bindings(named, &compare->side[0].setup, rules_of(compare), &made);
    enum sch_cli_exit exit = good ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    for (uint32_t i = 0; i < made.count && exit == SCH_CLI_YES; i++) {
        const uint32_t said = compare->said.count;
        good = sch_cli_words_add(&compare->said, made.list[i].option, made.list[i].value);
        /* The setups keep the text. */
        for (unsigned which = 0; which < 2 && good && exit == SCH_CLI_YES; which++)
            exit = sch_cli_setup_option(&sch_cli_compare, &compare->side[which].setup, (int)made.list[i].option,
                                        compare->said.list[said].value);
        if (!good) exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    }
    sch_cli_words_release(&made);
    free(named);
    return exit;
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
    enum sch_cli_exit exit = load_party(compare, 0);
    if (exit == SCH_CLI_YES) exit = load_party(compare, 1);
    if (exit != SCH_CLI_YES || compare->party[0].info.stage != compare->party[1].info.stage) return exit;
    if (has_spaces(compare, 0) != has_spaces(compare, 1))
        return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                            "only %s has register spaces (shader model 5.1): its registers have no partners by number",
                            compare->side[has_spaces(compare, 1)].file);
    const enum sch_stage stage = compare->party[0].info.stage;
    compare->unit = stage == SCH_STAGE_FRAGMENT ? 4 : sch_cli_belonging(compare->party[0].shader.shader, stage);
    exit = make_bindings(compare);
    for (unsigned which = 0; which < 2 && exit == SCH_CLI_YES; which++) exit = make_program(compare, which);
    if (exit == SCH_CLI_YES) exit = sch_cli_pair_inputs(compare->party, &compare->inputs);
    if (exit == SCH_CLI_YES) exit = sch_cli_pair_outputs(compare->party, &compare->outputs);
    if (exit == SCH_CLI_YES) leave_constants(compare);
    return exit == SCH_CLI_YES ? sch_cli_compare_prepare(compare) : exit;
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
    enum sch_cli_exit exit = SCH_CLI_YES;
    for (uint64_t done = 0, round = 0; done < compare->count; done += whole, round++) {
        inputs->count = whole;
        sch_cli_compare_fill(compare, round, inputs);
        exit = sch_cli_compare_round(compare, inputs, difference);
        if (exit != SCH_CLI_YES) return exit;
        compare->done += difference->kind == SCH_CLI_SAME ? whole : difference->invocation + 1;
        sch_cli_progress_at(compare->done, compare->all, "inputs");
        if (difference->kind != SCH_CLI_SAME) return SCH_CLI_YES;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit run_inputs(struct sch_cli_compare *compare, struct sch_cli_inputs *inputs)
{
    struct sch_cli_difference difference = {0};
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (compare->vectors) exit = sch_cli_compare_given(compare, inputs, &difference);
    if (exit == SCH_CLI_YES && difference.kind == SCH_CLI_SAME) exit = run_rounds(compare, inputs, &difference);
    if (exit != SCH_CLI_YES) return exit;
    if (difference.kind == SCH_CLI_SAME) return sch_cli_compare_equal(compare);
    exit = sch_cli_compare_reduce(compare, inputs, &difference);
    return exit == SCH_CLI_YES ? sch_cli_compare_show(compare, inputs, &difference) : exit;
}

static enum sch_cli_exit run_all(struct sch_cli_compare *compare)
{
    char text[160];
    bool both = false;
    enum sch_cli_exit exit = settle_files(compare, &both);
    if (exit == SCH_CLI_YES && both) return sch_cli_compare_maxwell(compare);
    if (exit == SCH_CLI_YES) exit = load(compare);
    if (exit != SCH_CLI_YES) return exit;
    const char *reason = find_reason(compare, text);
    if (reason) return sch_cli_compare_apart(compare, reason, text);
    const uint32_t unit = compare->unit, units = unit < SCH_CLI_ROUND ? SCH_CLI_ROUND / unit : 1;
    struct sch_cli_inputs inputs = {.count = units * unit, .quads = compare->party[0].info.stage == SCH_STAGE_FRAGMENT};
    inputs.words = calloc(inputs.count * compare->inputs.words + 1, sizeof *inputs.words);
    if (!inputs.words) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    exit = run_inputs(compare, &inputs);
    free(inputs.words);
    return exit;
}

enum sch_cli_exit sch_cli_main_compare(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_compare, .argc = argc, .argv = argv};
    struct sch_cli_compare *compare = calloc(1, sizeof *compare);
    if (!compare) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    compare->count = 1024;
    compare->seed = 1;
    for (unsigned which = 0; which < 2; which++) sch_cli_setup_init(&compare->side[which].setup);
    enum sch_cli_exit exit = read_arguments(&arguments, compare);
    compare->all = compare->count;
    if (exit == SCH_CLI_YES) {
        sch_cli_progress_begin(&sch_cli_compare, false);
        exit = run_all(compare);
    }
    sch_cli_compare_release(compare);
    free(compare);
    return exit;
}
