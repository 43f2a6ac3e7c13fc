/* Making a witness small: fewer invocations, then values that are 0 or 1. */
#include <stdlib.h>
#include <string.h>

#include "common/progress.h"
#include "compare.h"

struct reducing {
    struct sch_cli_compare *compare;
    struct sch_cli_inputs *inputs; /* on which they differ */
    struct sch_cli_difference *difference;
    uint32_t *before; /* room for their words */
    enum sch_cli_exit exit_code;
    uint64_t runs;
};

static size_t bytes_of(const struct reducing *r)
{
    return r->inputs->count * r->compare->inputs.words * sizeof *r->inputs->words;
}

static void save(struct reducing *r) { memcpy(r->before, r->inputs->words, bytes_of(r)); }

/* Whether they differ on the inputs as they are now. Not: the inputs are as they were saved. */
static bool keep_if_differs(struct reducing *r)
{
    struct sch_cli_difference difference;
    if (r->exit_code != SCH_CLI_YES) return false;
    sch_cli_progress_at(++r->runs, 0, "runs of a smaller witness");
    r->exit_code = sch_cli_compare_round(r->compare, r->inputs, &difference);
    const bool differs = r->exit_code == SCH_CLI_YES && difference.kind != SCH_CLI_SAME;
    if (!differs) memcpy(r->inputs->words, r->before, bytes_of(r));
    return differs;
}

/* Some of the invocations alone; they are to begin with. */
static bool keep_part(struct reducing *r, uint32_t first, uint32_t count, bool quads)
{
    const size_t words = r->compare->inputs.words;
    const struct sch_cli_inputs all = *r->inputs;
    if (r->exit_code != SCH_CLI_YES) return false;
    if (first + count > all.count || (count == all.count && quads == all.quads)) return false;
    save(r);
    for (uint32_t i = 0; i < r->compare->inputs.count; i++) { /* constants are those of the first */
        const struct sch_cli_pair *pair = &r->compare->inputs.list[i];
        if (pair->seat[0].file != SCH_FILE_CONSTANT && pair->seat[1].file != SCH_FILE_CONSTANT) continue;
        memcpy(r->inputs->words + first * words + pair->at, r->before + pair->at, 4 * sizeof *r->before);
    }
    memmove(r->inputs->words, r->inputs->words + first * words, count * words * sizeof *r->before);
    r->inputs->count = count;
    r->inputs->quads = quads;
    struct sch_cli_difference difference;
    r->exit_code = sch_cli_compare_round(r->compare, r->inputs, &difference);
    if (r->exit_code == SCH_CLI_YES && difference.kind != SCH_CLI_SAME) return true;
    *r->inputs = all;
    memcpy(r->inputs->words, r->before, bytes_of(r));
    return false;
}

/* One value of the pair in all invocations, or in one. */
static void set_value(const struct reducing *r, size_t word, uint32_t count, uint32_t invocation, uint32_t value)
{
    const size_t words = r->compare->inputs.words;
    for (uint32_t n = 0; n < r->inputs->count; n++)
        for (uint32_t i = 0; i < count && (invocation == UINT32_MAX || invocation == n); i++)
            r->inputs->words[n * words + word + i] = value;
}

static bool all_are(const struct reducing *r, size_t word, uint32_t count, uint32_t invocation, uint32_t value)
{
    const size_t words = r->compare->inputs.words;
    for (uint32_t n = 0; n < r->inputs->count; n++)
        for (uint32_t i = 0; i < count && (invocation == UINT32_MAX || invocation == n); i++)
            if (r->inputs->words[n * words + word + i] != value) return false;
    return true;
}

static bool try_value(struct reducing *r, size_t word, uint32_t count, uint32_t invocation, uint32_t value)
{
    if (all_are(r, word, count, invocation, value)) return true;
    save(r);
    set_value(r, word, count, invocation, value);
    return keep_if_differs(r);
}

/* 0, or else 1: all at once, then each invocation's. */
static void simplify_word(struct reducing *r, const struct sch_cli_pair *pair, uint32_t word)
{
    const size_t at = pair->at + word;
    const enum sch_value_type type = pair->types[word % 4];
    const bool whole = pair->semantic == SCH_SEMANTIC_FACE || type == SCH_VALUE_INT || type == SCH_VALUE_UINT;
    const uint32_t one = whole ? 1 : 0x3f800000;
    if (try_value(r, at, 1, UINT32_MAX, 0) || try_value(r, at, 1, UINT32_MAX, one)) return;
    if (r->inputs->count == 1) return;
    for (uint32_t n = 0; n < r->inputs->count; n++)
        if (!try_value(r, at, 1, n, 0)) try_value(r, at, 1, n, one);
}

static bool is_ordinary(uint32_t word)
{
    const uint32_t exponent = word >> 23 & 0xff;
    return word == 0 || (exponent && exponent < 0xff);
}

/* Infinities, NaN and denormals become 0.5 where that shows the difference, too: before zeros, whose product with them
 * would be one more of their kind. */
static void make_ordinary(struct reducing *r)
{
    const struct sch_cli_pairs *pairs = &r->compare->inputs;
    for (uint32_t i = 0; i < pairs->count; i++)
        for (uint32_t word = 0; word < pairs->list[i].vertices * 4; word++)
            for (uint32_t n = 0; n < r->inputs->count; n++) {
                const size_t at = pairs->list[i].at + word;
                const enum sch_value_type type = pairs->list[i].types[word % 4];
                const bool whole = type == SCH_VALUE_INT || type == SCH_VALUE_UINT;
                if (whole || r->compare->code || is_ordinary(r->inputs->words[n * r->compare->inputs.words + at]))
                    continue;
                try_value(r, at, 1, n, 0x3f000000);
            }
}

static void simplify(struct reducing *r)
{
    const struct sch_cli_pairs *pairs = &r->compare->inputs;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const struct sch_cli_pair *pair = &pairs->list[i];
        if (try_value(r, pair->at, pair->vertices * 4, UINT32_MAX, 0)) continue;
        for (uint32_t v = 0; v < pair->vertices; v++) {
            if (pair->vertices > 1 && try_value(r, pair->at + (size_t)v * 4, 4, UINT32_MAX, 0)) continue;
            for (uint32_t c = 0; c < 4; c++) simplify_word(r, pair, v * 4 + c);
        }
    }
}

enum sch_cli_exit sch_cli_compare_reduce(struct sch_cli_compare *compare, struct sch_cli_inputs *inputs,
                                         struct sch_cli_difference *difference)
{
    struct reducing r = {compare, inputs, difference, NULL, SCH_CLI_YES, 0};
    const uint64_t undecided = compare->undecided;
    r.before = malloc(bytes_of(&r) + 1);
    if (!r.before) return sch_cli_no_memory();
    const uint32_t unit = compare->unit, at = difference->invocation;
    if (!inputs->quads || !keep_part(&r, at, 1, false)) keep_part(&r, at / unit * unit, unit, inputs->quads);
    make_ordinary(&r);
    simplify(&r);
    if (r.exit_code == SCH_CLI_YES) r.exit_code = sch_cli_compare_round(compare, inputs, difference);
    compare->undecided = undecided;
    free(r.before);
    return r.exit_code;
}
