/* Running both shaders of `scheelite compare` on the same inputs. Inputs go through the lines that eval reads, so that
 * what is shown of a difference is what was run. */
#include "../support/decimal.h"
#include "common/progress.h"
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

/* What a value is in the register of one of the two: Direct3D's window positions have w where TGSI's have 1/w, and its
 * face is a system value. */
static void spell(const struct sch_cli_compare *compare, unsigned which, const struct sch_cli_pair *pair,
                  const uint32_t *words, uint32_t spelled[4])
{
    memcpy(spelled, words, 4 * sizeof *words);
    const bool fragment = compare->party[0].info.stage == SCH_STAGE_FRAGMENT;
    const bool mixed = compare->party[0].d3d_rules != compare->party[1].d3d_rules;
    const uint32_t exponent = words[3] >> 23;
    if (pair->semantic == SCH_SEMANTIC_POSITION && fragment && mixed && compare->party[which].d3d_rules && exponent)
        spelled[3] = (254 - (exponent & 0xff)) << 23;
    if (pair->semantic != SCH_SEMANTIC_FACE) return;
    const bool input = pair->seat[which].file == SCH_FILE_INPUT;
    spelled[0] = input ? (words[0] ? 0x3f800000 : 0xbf800000) : words[0] ? UINT32_MAX : 0;
    spelled[3] = input ? 0x3f800000 : 1;
}

static void put_pair(const struct sch_cli_compare *compare, unsigned which, const struct sch_cli_pair *pair,
                     const uint32_t *words, bool *first, FILE *file)
{
    const struct sch_cli_seat *seat = &pair->seat[which];
    if (!seat->there || sch_cli_compare_is_made(compare, pair)) return;
    for (uint32_t v = 0; v < (seat->per_vertex ? pair->vertices : 1); v++) {
        char name[40];
        uint32_t spelled[4];
        spell(compare, which, pair, words + (size_t)v * 4, spelled);
        const bool zero = !(spelled[0] | spelled[1] | spelled[2] | spelled[3]), scalar = sch_cli_seat_is_scalar(seat);
        if (zero && (scalar || seat->file == SCH_FILE_INPUT)) continue; /* as what is not named */
        sch_cli_seat_name(seat, v, name);
        if (!*first) putc('\t', file);
        if (seat->file == SCH_FILE_NULL)
            fputs(spelled[0] == SCH_INVOCATION_OFF ? "OFF" : "KILL", file);
        else if (scalar)
            fprintf(file, seat->file == SCH_FILE_ADDRESS ? "%s=%u" : "%s=0x%08x", name, spelled[0]);
        else
            fprintf(file, "%s=0x%08x,0x%08x,0x%08x,0x%08x", name, spelled[0], spelled[1], spelled[2], spelled[3]);
        *first = false;
    }
}

static void put_invocation(const struct sch_cli_compare *compare, unsigned which, const struct sch_cli_inputs *inputs,
                           uint32_t invocation, FILE *file)
{
    bool first = true;
    for (uint32_t i = 0; i < compare->inputs.count; i++) {
        const struct sch_cli_pair *pair = &compare->inputs.list[i];
        const bool constant = pair->seat[0].file == SCH_FILE_CONSTANT || pair->seat[1].file == SCH_FILE_CONSTANT;
        const uint32_t *words = inputs->words + (constant ? 0 : invocation * compare->inputs.words) + pair->at;
        put_pair(compare, which, pair, words, &first, file);
    }
    putc('\n', file);
}

char *sch_cli_compare_lines(const struct sch_cli_compare *compare, unsigned which, const struct sch_cli_inputs *inputs)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    for (uint32_t n = 0; file && n < inputs->count; n++) put_invocation(compare, which, inputs, n, file);
    if (file && fclose(file) == 0) return text;
    free(text);
    return NULL;
}

/* ---- getting ready ---- */

static enum sch_cli_exit prepare_side(struct sch_cli_compare *compare, unsigned which)
{
    struct sch_cli_compared_side *side = &compare->side[which];
    const struct sch_cli_party *party = &compare->party[which];
    const struct sch_shader *shader = party->shader.shader;
    side->setup.dispatch.cancel = sch_cli_interruptible();
    enum sch_cli_exit exit_code = sch_cli_setup_load(&side->setup, &party->shader);
    if (exit_code != SCH_CLI_YES) return exit_code;
    side->vectors = (struct sch_cli_vectors){
        .input = &side->lines, .shader = shader, .setup = &side->setup, .registers = party->registers};
    if (!sch_cli_vectors_init(&side->vectors, &side->batch, compare->quads) ||
        !sch_cli_results_init(&side->results, shader, party->registers, &side->batch) ||
        (compare->code && !sch_cli_code_prepare(side)))
        return sch_cli_no_memory();
    const bool writes = sch_program_writes_memory(side->program);
    return !writes || sch_cli_snapshot_take(&side->setup, &side->before) ? SCH_CLI_YES : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_compare_prepare(struct sch_cli_compare *compare)
{
    enum sch_cli_exit exit_code = prepare_side(compare, 0);
    if (exit_code == SCH_CLI_YES) exit_code = prepare_side(compare, 1);
    struct sch_cli_batch *a = &compare->side[0].batch, *b = &compare->side[1].batch;
    a->capacity = b->capacity = a->capacity < b->capacity ? a->capacity : b->capacity;
    return exit_code;
}

void sch_cli_compare_release(struct sch_cli_compare *compare)
{
    for (unsigned which = 0; which < 2; which++) {
        struct sch_cli_compared_side *side = &compare->side[which];
        sch_cli_results_release(&side->results);
        sch_cli_vectors_release(&side->vectors);
        sch_cli_batch_release(&side->batch);
        sch_cli_snapshot_release(&side->before);
        sch_program_destroy(side->program);
        sch_cli_setup_release(&side->setup);
        sch_cli_party_release(&compare->party[which]);
        free(side->lines.data);
        free(side->writes);
    }
    sch_cli_pairs_release(&compare->inputs);
    sch_cli_pairs_release(&compare->outputs);
    sch_cli_words_release(&compare->said);
}

/* ---- results ---- */

static bool is_nan(uint32_t word) { return (word & 0x7fffffff) > 0x7f800000; }

bool sch_cli_compare_is_same(const struct sch_cli_compare *compare, enum sch_value_type type, uint32_t a, uint32_t b)
{
    if (a == b) return true;
    if (type == SCH_VALUE_INT || type == SCH_VALUE_UINT) return false;
    if (is_nan(a) || is_nan(b)) return is_nan(a) && is_nan(b) && !compare->comparing.nan;
    if (compare->comparing.tolerance == 0) return false;
    const double x = sch_float_of(a), y = sch_float_of(b);
    if (isinf(x) || isinf(y)) return false;
    return fabs(x - y) <= compare->comparing.tolerance * fmax(1, fmax(fabs(x), fabs(y)));
}

/* Where the registers of an invocation, or of an event, begin. */
static const uint32_t *registers_of(const struct sch_cli_results *results, uint32_t invocation, uint32_t event)
{
    const size_t words = (size_t)results->registers * 4;
    if (event == UINT32_MAX) return results->outputs + invocation * words;
    return results->event_outputs + ((size_t)invocation * results->event_capacity + event) * words;
}

const uint32_t *sch_cli_compare_output(const struct sch_cli_compare *compare, unsigned which,
                                       const struct sch_cli_difference *difference, const struct sch_cli_pair *pair)
{
    const struct sch_cli_results *results = &compare->side[which].results;
    const size_t word = (size_t)pair->seat[which].index * (sch_cli_seat_is_scalar(&pair->seat[which]) ? 1 : 4);
    return registers_of(results, difference->invocation, difference->event) + word;
}

/* Whether an emitted vertex has the component in both shaders. */
static bool is_of_stream(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, unsigned component,
                         const struct sch_cli_difference *difference)
{
    const struct sch_cli_results *results = &compare->side[0].results;
    if (difference->event == UINT32_MAX) return true;
    const size_t at = (size_t)difference->invocation * results->event_capacity + difference->event;
    const uint32_t stream = results->events[at] & 3;
    return pair->seat[0].stream[component] == stream && pair->seat[1].stream[component] == stream;
}

static bool registers_differ(const struct sch_cli_compare *compare, uint32_t invocation, uint32_t event,
                             struct sch_cli_difference *difference)
{
    difference->invocation = invocation;
    difference->event = event;
    for (uint32_t i = 0; i < compare->outputs.count; i++) {
        const struct sch_cli_pair *pair = &compare->outputs.list[i];
        if (!pair->seat[0].there || !pair->seat[1].there) continue;
        const uint32_t *a = sch_cli_compare_output(compare, 0, difference, pair);
        const uint32_t *b = sch_cli_compare_output(compare, 1, difference, pair);
        const bool scalar = sch_cli_seat_is_scalar(&pair->seat[0]);
        for (unsigned c = 0; c < (scalar ? 1 : 4); c++) {
            if (sch_cli_compare_is_same(compare, pair->types[c], a[c], b[c]) ||
                !is_of_stream(compare, pair, c, difference))
                continue;
            difference->kind = scalar ? SCH_CLI_REGISTER_DIFFERS : SCH_CLI_OUTPUT_DIFFERS;
            if (scalar) snprintf(difference->what, sizeof difference->what, "%s", pair->name);
            difference->pair = pair;
            difference->component = c;
            difference->words[0] = a[c];
            difference->words[1] = b[c];
            return true;
        }
    }
    return false;
}

static bool set(struct sch_cli_difference *difference, enum sch_cli_difference_kind kind, uint32_t a, uint32_t b)
{
    if (a == b) return false;
    difference->kind = kind;
    difference->words[0] = a;
    difference->words[1] = b;
    return true;
}

static bool events_differ(const struct sch_cli_compare *compare, uint32_t invocation,
                          struct sch_cli_difference *difference)
{
    const struct sch_cli_results *a = &compare->side[0].results, *b = &compare->side[1].results;
    const uint32_t counts[2] = {a->event_counts[invocation], b->event_counts[invocation]};
    const uint32_t most = a->event_capacity < b->event_capacity ? a->event_capacity : b->event_capacity;
    for (uint32_t n = 0; n < counts[0] && n < counts[1] && n < most; n++) {
        const uint32_t events[2] = {a->events[(size_t)invocation * a->event_capacity + n],
                                    b->events[(size_t)invocation * b->event_capacity + n]};
        difference->event = n;
        snprintf(difference->what, sizeof difference->what, "event %u", n);
        if (set(difference, SCH_CLI_EVENTS_DIFFER, events[0], events[1])) return true;
        if (!(events[0] & SCH_EVENT_PRIMITIVE_END) && registers_differ(compare, invocation, n, difference)) return true;
    }
    difference->event = UINT32_MAX;
    snprintf(difference->what, sizeof difference->what, "the number of events");
    return set(difference, SCH_CLI_EVENTS_DIFFER, counts[0], counts[1]);
}

static void compare_results(const struct sch_cli_compare *compare, struct sch_cli_difference *difference)
{
    const struct sch_cli_results *a = &compare->side[0].results, *b = &compare->side[1].results;
    for (uint32_t i = 0; i < compare->side[0].batch.count; i++) {
        difference->invocation = i;
        difference->event = UINT32_MAX;
        if (a->events && b->events && events_differ(compare, i, difference)) return;
        if (set(difference, SCH_CLI_KILL_DIFFERS, a->killed[i], b->killed[i])) return;
        if (!a->killed[i] && !a->events && registers_differ(compare, i, UINT32_MAX, difference)) return;
    }
    difference->event = UINT32_MAX;
}

/* ---- a round ---- */

static enum sch_cli_exit compare_memory(struct sch_cli_compare *compare, struct sch_cli_difference *difference)
{
    struct sch_cli_snapshot after = {0};
    struct sch_cli_memory_difference found = {0};
    if (!compare->side[0].before.data && !compare->side[1].before.data) return SCH_CLI_YES;
    const bool good = sch_cli_snapshot_take(&compare->side[0].setup, &after) &&
                      sch_cli_snapshot_compare(&compare->side[1].setup, &after, &found);
    sch_cli_snapshot_release(&after);
    if (!good) return sch_cli_no_memory();
    if (!found.differs) return SCH_CLI_YES;
    difference->invocation = 0;
    set(difference, SCH_CLI_MEMORY_DIFFERS, found.before, found.now);
    memcpy(difference->what, found.what, sizeof difference->what);
    return SCH_CLI_YES;
}

/* The next invocations of one of the two, and what became of them. */
static enum sch_cli_exit run_side(struct sch_cli_compare *compare, unsigned which, bool quads, enum sch_result *result)
{
    struct sch_cli_compared_side *side = &compare->side[which];
    const struct sch_cli_invocations how = {&side->setup, quads, compare->samples};
    if (side->before.data && !sch_cli_snapshot_restore(&side->setup, &side->before)) return sch_cli_no_memory();
    if (side->results.events) memset(side->results.event_outputs, 0, side->results.event_output_bytes);
    *result = compare->code ? sch_cli_code_run(side, compare->party[which].shader.context, quads)
                            : sch_cli_invoke(&how, &side->batch, side->program, &side->results, NULL);
    switch (*result) {
    case SCH_OK:
    case SCH_ERROR_BUDGET:
    case SCH_ERROR_BARRIER:
    case SCH_ERROR_ABORTED:
    case SCH_ERROR_WORK:
        return SCH_CLI_YES;
    default:
        /* Two parts of a session may have said that it is cancelled. */
        if (!compare->code || *result == SCH_ERROR_CANCELLED || !sch_diagnostics_errors(side->setup.refused))
            return sch_cli_fail(sch_cli_exit_of(*result), "%s: %s", side->file, sch_result_text(*result));
        sch_cli_print_diagnostics(side->setup.refused, &compare->party[which].shader.input);
        return sch_cli_exit_of(*result);
    }
}

static enum sch_cli_exit run_both(struct sch_cli_compare *compare, bool quads, bool *undecided,
                                  struct sch_cli_difference *difference)
{
    enum sch_result results[2] = {SCH_OK, SCH_OK};
    for (unsigned which = 0; which < 2; which++) {
        const enum sch_cli_exit exit_code = run_side(compare, which, quads, &results[which]);
        if (exit_code != SCH_CLI_YES) return exit_code;
    }
    *undecided = results[0] != SCH_OK && results[0] == results[1];
    if (set(difference, SCH_CLI_END_DIFFERS, results[0], results[1]) || *undecided) return SCH_CLI_YES;
    compare_results(compare, difference);
    return difference->kind == SCH_CLI_SAME ? compare_memory(compare, difference) : SCH_CLI_YES;
}

/* Gives the lines of a round to the reader of vectors. */
static bool give_lines(struct sch_cli_compared_side *side, char *lines)
{
    free(side->lines.data);
    side->lines = (struct sch_cli_input){.name = side->file, .data = lines, .bytes = lines ? strlen(lines) : 0};
    side->vectors.at = 0;
    side->vectors.has_row = false;
    return lines != NULL;
}

/* All invocations of a round, or a part of it, at once. */
static enum sch_cli_exit run_inputs(struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                    bool *undecided, struct sch_cli_difference *difference)
{
    *difference = (struct sch_cli_difference){.event = UINT32_MAX};
    for (unsigned which = 0; which < 2; which++)
        if (!give_lines(&compare->side[which], sch_cli_compare_lines(compare, which, inputs)))
            return sch_cli_no_memory();
    for (uint32_t begin = 0; begin < inputs->count; begin += compare->side[0].batch.count) {
        for (unsigned which = 0; which < 2; which++) {
            const enum sch_cli_exit exit_code =
                sch_cli_vectors_next(&compare->side[which].vectors, &compare->side[which].batch);
            if (exit_code != SCH_CLI_YES) return exit_code;
        }
        const enum sch_cli_exit exit_code = run_both(compare, inputs->quads, undecided, difference);
        if (exit_code != SCH_CLI_YES) return exit_code;
        if (difference->kind == SCH_CLI_SAME && !*undecided) continue;
        difference->invocation += begin;
        return SCH_CLI_YES;
    }
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_compare_round(struct sch_cli_compare *compare, const struct sch_cli_inputs *inputs,
                                        struct sch_cli_difference *difference)
{
    bool undecided = false;
    const uint32_t unit = compare->unit;
    enum sch_cli_exit exit_code = run_inputs(compare, inputs, &undecided, difference);
    if (exit_code != SCH_CLI_YES || !undecided) return exit_code;
    if (inputs->count <= unit || compare->fruitless == SCH_CLI_FRUITLESS) {
        compare->undecided += inputs->count;
        return SCH_CLI_YES;
    }
    const uint64_t before = compare->undecided;
    /* One invocation ended all: each unit by itself. */
    for (uint32_t n = 0; n < inputs->count && exit_code == SCH_CLI_YES && difference->kind == SCH_CLI_SAME; n += unit) {
        struct sch_cli_inputs part = {malloc(unit * compare->inputs.words * sizeof *part.words + 1), unit,
                                      inputs->quads, 0};
        if (!part.words) return sch_cli_no_memory();
        const size_t words = compare->inputs.words;
        memcpy(part.words, inputs->words + n * words, unit * words * sizeof *part.words);
        for (uint32_t i = 0; i < compare->inputs.count; i++) { /* constants are those of the first */
            const struct sch_cli_pair *pair = &compare->inputs.list[i];
            if (pair->seat[0].file == SCH_FILE_CONSTANT || pair->seat[1].file == SCH_FILE_CONSTANT)
                memcpy(part.words + pair->at, inputs->words + pair->at, 4 * sizeof *part.words);
        }
        exit_code = sch_cli_compare_round(compare, &part, difference);
        difference->invocation += n;
        free(part.words);
    }
    if (compare->undecided - before == inputs->count) compare->fruitless++;
    return exit_code;
}

/* ---- invocations that are given ---- */

/* A register of a lane of Maxwell code, or its state. */
static uint32_t lane_word(const struct sch_cli_batch *batch, uint32_t n, const struct sch_cli_seat *seat)
{
    if (seat->file == SCH_FILE_NULL) return batch->helpers[n];
    const uint32_t first = seat->file == SCH_FILE_ADDRESS ? SCH_MAXWELL_PREDICATE_WORD : 0;
    return batch->inputs[(size_t)n * batch->input_registers * 4 + first + seat->index];
}

/* The words of the values that A has in an invocation of its batch. */
static void take_invocation(const struct sch_cli_compare *compare, uint32_t n, uint32_t *words)
{
    const struct sch_cli_batch *batch = &compare->side[0].batch;
    const size_t vertices = batch->input_vertices ? batch->input_vertices : 1;
    memset(words, 0, compare->inputs.words * sizeof *words);
    for (uint32_t i = 0; i < compare->inputs.count; i++) {
        const struct sch_cli_pair *pair = &compare->inputs.list[i];
        const struct sch_cli_seat *seat = &pair->seat[0];
        if (!seat->there) continue;
        for (uint32_t v = 0; v < pair->vertices; v++) {
            const uint32_t *from = NULL;
            if (sch_cli_seat_is_scalar(seat))
                words[pair->at] = lane_word(batch, n, seat);
            else if (seat->file == SCH_FILE_INPUT)
                from = batch->inputs + ((n * vertices + v) * batch->input_registers + seat->index) * 4;
            else if (seat->file == SCH_FILE_SYSTEM_VALUE)
                from = batch->system_values + ((size_t)n * batch->system_value_registers + seat->index) * 4;
            else if (seat->index < batch->constants.buffer[seat->buffer].registers)
                from = batch->constants.buffer[seat->buffer].words + (size_t)seat->index * 4;
            if (from) memcpy(words + pair->at + (size_t)v * 4, from, 4 * sizeof *words);
        }
        if (pair->semantic == SCH_SEMANTIC_FACE)
            words[pair->at] = !(words[pair->at] >> 31) != (seat->file == SCH_FILE_SYSTEM_VALUE);
    }
}

/* The invocations of the file, a unit after the other, as inputs of both. */
static enum sch_cli_exit run_given(struct sch_cli_compare *compare, struct sch_cli_inputs *all,
                                   struct sch_cli_inputs *witness, struct sch_cli_difference *difference)
{
    const size_t words = compare->inputs.words;
    compare->all += all->count;
    for (uint32_t n = 0; n + compare->unit <= all->count; n += compare->unit) {
        const struct sch_cli_inputs part = {all->words + n * words, compare->unit, all->quads, 0};
        const enum sch_cli_exit exit_code = sch_cli_compare_round(compare, &part, difference);
        compare->done = n + compare->unit < all->given ? n + compare->unit : all->given;
        sch_cli_progress_at(compare->done, compare->all, "inputs");
        if (exit_code != SCH_CLI_YES) return exit_code;
        if (difference->kind == SCH_CLI_SAME) continue;
        memcpy(witness->words, part.words, compare->unit * words * sizeof *part.words);
        witness->count = compare->unit;
        return SCH_CLI_YES;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_given(struct sch_cli_compare *compare, struct sch_cli_inputs *all)
{
    struct sch_cli_compared_side *a = &compare->side[0];
    const size_t words = compare->inputs.words;
    for (;;) {
        const enum sch_cli_exit exit_code = sch_cli_vectors_next(&a->vectors, &a->batch);
        if (exit_code != SCH_CLI_YES || !a->batch.count) return exit_code;
        if (a->batch.has_planes)
            return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: planes of inputs are not compared", compare->asked.vectors);
        const uint32_t count = (a->batch.count + compare->unit - 1) / compare->unit * compare->unit;
        uint32_t *larger = realloc(all->words, (all->count + count) * words * sizeof *larger + 1);
        if (!larger) return sch_cli_no_memory();
        all->words = larger;
        for (uint32_t n = 0; n < count; n++) { /* what is missing of the last unit is as the last line, or off */
            uint32_t *to = all->words + (all->count + n) * words;
            take_invocation(compare, n < a->batch.count ? n : a->batch.count - 1, to);
            if (compare->code && n >= a->batch.count)
                to[compare->inputs.list[compare->inputs.count - 1].at] = SCH_INVOCATION_OFF;
        }
        all->given = all->count + a->batch.count;
        all->count += count;
    }
}

enum sch_cli_exit sch_cli_compare_given(struct sch_cli_compare *compare, struct sch_cli_inputs *witness,
                                        struct sch_cli_difference *difference)
{
    struct sch_cli_compared_side *a = &compare->side[0];
    struct sch_cli_inputs all = {.quads = witness->quads};
    struct sch_cli_input input;
    enum sch_cli_exit exit_code = sch_cli_read(compare->asked.vectors, &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    a->vectors.input = &input;
    a->vectors.at = a->vectors.line = 0;
    exit_code = read_given(compare, &all);
    a->vectors.input = &a->lines;
    if (exit_code == SCH_CLI_YES) exit_code = run_given(compare, &all, witness, difference);
    sch_cli_input_release(&input);
    free(all.words);
    return exit_code;
}
