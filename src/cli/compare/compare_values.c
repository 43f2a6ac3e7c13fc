/* The inputs that `scheelite compare` makes: boundary values, and random ones, from one seed. */
#include <string.h>

#include "../support/decimal.h"
#include "compare.h"
#include "picture/texels.h"

/* Those after the first `NORMAL` are not normal values: least and largest numbers of each kind, -0, infinities, NaN. */
enum { NORMAL = 8 };
static const uint32_t floats[] = {0x00000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40000000, 0xc0400000, 0x3e800000,
                                  0x3fc00000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                  0x7f800000, 0xff800000, 0x7fc00000, 0x4b800000, 0xcf000000, 0x4f800000};
static const uint32_t integers[] = {0,  1,  2,    3,      7,          31,         0xffffffff, 0xfffffffe,
                                    32, 33, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0x55555555};
enum { FLOATS = sizeof floats / sizeof *floats, INTEGERS = sizeof integers / sizeof *integers };

static uint32_t boundary(const struct sch_cli_compare *compare, enum sch_value_type type, uint64_t choice)
{
    const bool whole = type == SCH_VALUE_INT || type == SCH_VALUE_UINT ||
                       (type == SCH_VALUE_UNKNOWN && !compare->asked.values && choice >> 32 & 1);
    choice &= UINT32_MAX;
    if (whole) return integers[choice % (compare->asked.values ? NORMAL : INTEGERS)];
    return floats[choice % (compare->asked.values ? NORMAL : FLOATS)];
}

static uint32_t random_float(const struct sch_cli_compare *compare, uint64_t *state)
{
    const uint64_t z = sch_cli_random(state);
    const unsigned kind = z >> 56;
    if (compare->asked.values || kind < 96)
        return (uint32_t)(z & 0x807fffff) | (123 + (uint32_t)(z >> 40) % 8) << 23; /* a magnitude of 1/16 to 16 */
    if (kind < 176)
        return sch_float_bits((float)(z & 0xffffff) / (float)(1 << 24)); /* as coordinates of textures are */
    if (kind < 216) return sch_float_bits((float)((int)(z & 15) - 8));   /* whole numbers */
    if (kind < 248) return (uint32_t)z;                                  /* any bits */
    return boundary(compare, SCH_VALUE_FLOAT, z & UINT32_MAX);
}

static uint32_t random_integer(uint64_t *state)
{
    const uint64_t z = sch_cli_random(state);
    const unsigned kind = z >> 56;
    return kind < 128 ? (uint32_t)(z & 15) : kind < 160 ? (uint32_t) - (int32_t)(z & 15) : (uint32_t)z;
}

uint32_t sch_cli_compare_word(const struct sch_cli_compare *compare, enum sch_cli_compare_style style,
                              enum sch_value_type type, uint32_t invocation, uint64_t *state)
{
    if (style == SCH_CLI_EACH_THE_SAME) return boundary(compare, type, invocation);
    if (style == SCH_CLI_BOUNDARIES) return boundary(compare, type, sch_cli_random(state) >> 8);
    const bool whole = type == SCH_VALUE_INT || type == SCH_VALUE_UINT;
    if (whole || (type == SCH_VALUE_UNKNOWN && !compare->asked.values && sch_cli_random(state) & 1))
        return random_integer(state);
    return random_float(compare, state);
}

enum sch_cli_compare_style sch_cli_compare_style(uint64_t round)
{
    return round == 0 ? SCH_CLI_EACH_THE_SAME : round % 3 == 1 ? SCH_CLI_BOUNDARIES : SCH_CLI_RANDOM;
}

/* ---- pairs ---- */

/* What the library counts itself. */
bool sch_cli_compare_is_made(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair)
{
    const bool value = pair->seat[0].file == SCH_FILE_SYSTEM_VALUE || pair->seat[1].file == SCH_FILE_SYSTEM_VALUE;
    const bool patches = compare->party[0].info.stage != SCH_STAGE_GEOMETRY;
    if (!value) return false;
    return pair->semantic == SCH_SEMANTIC_INVOCATIONID || (pair->semantic == SCH_SEMANTIC_VERTICESIN && !patches) ||
           pair->semantic == SCH_SEMANTIC_HELPER_INVOCATION ||
           (pair->semantic >= SCH_SEMANTIC_SUBGROUP_SIZE && pair->semantic <= SCH_SEMANTIC_SUBGROUP_LT_MASK);
}

static bool is_float_value(enum sch_semantic semantic)
{
    return semantic == SCH_SEMANTIC_POSITION || semantic == SCH_SEMANTIC_SAMPLEPOS ||
           semantic == SCH_SEMANTIC_TESSCOORD || semantic == SCH_SEMANTIC_TESSOUTER ||
           semantic == SCH_SEMANTIC_TESSINNER;
}

/* A system value: what a draw could give. True if it is one that is so. */
static bool fill_value(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, uint64_t *state,
                       uint32_t words[4])
{
    const bool value = pair->seat[0].file == SCH_FILE_SYSTEM_VALUE || pair->seat[1].file == SCH_FILE_SYSTEM_VALUE;
    const bool fragment = compare->party[0].info.stage == SCH_STAGE_FRAGMENT;
    const uint64_t z = sch_cli_random(state);
    memset(words, 0, 4 * sizeof *words);
    if (pair->semantic == SCH_SEMANTIC_FACE) {
        words[0] = z >> 32 & 1;
        return true;
    }
    if (pair->semantic == SCH_SEMANTIC_POSITION && fragment) { /* the reciprocal of w is exact */
        words[0] = sch_float_bits((float)(z & 1023) + 0.5f);
        words[1] = sch_float_bits((float)(z >> 10 & 1023) + 0.5f);
        words[2] = sch_float_bits((float)(z >> 20 & 1023) / 1024);
        words[3] = (uint32_t)(124 + (z >> 40) % 7) << 23;
        return true;
    }
    if (pair->semantic == SCH_SEMANTIC_VERTICESIN) {
        words[0] = 1 + (uint32_t)(z % SCH_CLI_VERTICES);
        return true;
    }
    if (pair->semantic == SCH_SEMANTIC_BLOCK_SIZE) {
        for (unsigned c = 0; c < 3; c++)
            words[c] = compare->party[0].info.block[c] ? compare->party[0].info.block[c] : 1 + (uint32_t)(z >> c & 3);
        return true;
    }
    if (value && is_float_value(pair->semantic))
        for (unsigned c = 0; c < 4; c++) words[c] = sch_float_bits((float)(sch_cli_random(state) % 65) / 64);
    else if (value || pair->semantic == SCH_SEMANTIC_PRIMID)
        for (unsigned c = 0; c < 4; c++) words[c] = (uint32_t)(sch_cli_random(state) & 3);
    return value || pair->semantic == SCH_SEMANTIC_PRIMID;
}

static void fill_pair(const struct sch_cli_compare *compare, const struct sch_cli_pair *pair, uint64_t round,
                      uint32_t invocation, uint64_t *state, uint32_t *words)
{
    const enum sch_cli_compare_style style = sch_cli_compare_style(round);
    if (compare->code) {
        memset(words, 0, 4 * sizeof *words);
        words[0] = sch_cli_code_word(compare, pair, round, invocation, state);
        return;
    }
    if (fill_value(compare, pair, state, words)) return;
    for (uint32_t v = 0; v < pair->vertices; v++)
        for (unsigned c = 0; c < 4; c++) {
            words[v * 4 + c] = sch_cli_compare_word(compare, style, pair->types[c], invocation, state);
        }
}

/* The pixels of a quad lie side by side: floats differ by some steps of 1/64. */
static void move_pixel(const struct sch_cli_compare *compare, uint64_t round, uint32_t invocation, uint32_t *words)
{
    const uint32_t pixel = invocation % compare->unit;
    for (uint32_t i = 0; i < compare->inputs.count; i++) {
        const struct sch_cli_pair *pair = &compare->inputs.list[i];
        const bool code = compare->code && sch_cli_code_is_float(compare, pair, round, invocation);
        for (unsigned c = 0; c < (code ? 1 : 4) && (code || pair->seat[0].file == SCH_FILE_INPUT); c++) {
            float value;
            memcpy(&value, &words[pair->at + c], sizeof value);
            const bool is_float = code || (pair->types[c] == SCH_VALUE_FLOAT && value != 0);
            const bool steps = is_float && value > -64 && value < 64;
            if (steps && pair->semantic != SCH_SEMANTIC_FACE && pair->semantic != SCH_SEMANTIC_POSITION)
                words[pair->at + c] =
                    sch_float_bits(value + (float)(pixel & 1) / 64 * (float)(c + 1) + (float)(pixel >> 1) / 32);
        }
    }
}

void sch_cli_compare_fill(const struct sch_cli_compare *compare, uint64_t round, struct sch_cli_inputs *inputs)
{
    uint64_t state = compare->asked.seed * 0x2545f4914f6cdd1d + round;
    const size_t words = compare->inputs.words;
    const bool alike = round % 6 == 4 && !compare->code; /* all invocations: what asks other lanes */
    for (uint32_t n = 0; n < inputs->count; n++) {
        uint32_t *own = inputs->words + n * words;
        const uint32_t within = n % compare->unit;
        if ((within && !inputs->quads) || (n && alike)) { /* a patch, a primitive */
            memcpy(own, own - words, words * sizeof *own);
        } else if (within && round % 3 == 2) {
            memcpy(own, own - within * words, words * sizeof *own);
            move_pixel(compare, round, n, own);
        } else {
            for (uint32_t i = 0; i < compare->inputs.count; i++) {
                const struct sch_cli_pair *pair = &compare->inputs.list[i];
                fill_pair(compare, pair, round, n, &state, own + pair->at);
            }
        }
    }
}
