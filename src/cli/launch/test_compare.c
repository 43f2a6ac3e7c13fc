/* See test.h. */
#include "test.h"

#include <math.h>
#include <string.h>

/* Whether a number is near enough. NaNs are equal to each other, infinities to themselves. */
static bool is_near(double got, double want, const struct sch_cli_test_rule *rule)
{
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want);
    if (isinf(got) || isinf(want)) return got == want;
    return fabs(got - want) <= rule->absolute + rule->relative * fabs(want);
}

static bool floats_near(const uint32_t *got, const uint32_t *want, const struct sch_cli_test_rule *rule)
{
    float values[2];
    memcpy(&values[0], got, sizeof values[0]);
    memcpy(&values[1], want, sizeof values[1]);
    return is_near((double)values[0], (double)values[1], rule);
}

static bool doubles_near(const uint32_t *got, const uint32_t *want, const struct sch_cli_test_rule *rule)
{
    const uint64_t bits[2] = {got[1] * (UINT64_C(1) << 32) + got[0], want[1] * (UINT64_C(1) << 32) + want[0]};
    double values[2];
    memcpy(values, bits, sizeof values);
    return is_near(values[0], values[1], rule);
}

static double distance(uint32_t a, uint32_t b) { return a > b ? (double)(a - b) : (double)(b - a); }

static bool integers_near(const uint32_t *got, const uint32_t *want, const struct sch_cli_test_rule *rule)
{
    return distance(*got, *want) <= rule->absolute;
}

static bool bytes_near(const uint32_t *got, const uint32_t *want, const struct sch_cli_test_rule *rule)
{
    for (unsigned shift = 0; shift < 32; shift += 8)
        if (distance(*got >> shift & 255, *want >> shift & 255) > rule->absolute) return false;
    return true;
}

static bool same(const uint32_t *got, const uint32_t *want, const struct sch_cli_test_rule *rule)
{
    (void)rule;
    return *got == *want;
}

void sch_cli_test_compare(const struct sch_cli_test_memory *memory, const uint32_t *got,
                          struct sch_cli_test_difference *differences, size_t room,
                          struct sch_cli_test_verdict *verdict)
{
    static const struct {
        bool (*near)(const uint32_t *got, const uint32_t *want, const struct sch_cli_test_rule *rule);
        unsigned words;
    } rows[SCH_CLI_TEST_HOWS] = {[SCH_CLI_TEST_EXACT] = {same, 1},
                                 [SCH_CLI_TEST_F32] = {floats_near, 1},
                                 [SCH_CLI_TEST_F64] = {doubles_near, 2},
                                 [SCH_CLI_TEST_U32] = {integers_near, 1},
                                 [SCH_CLI_TEST_U8X4] = {bytes_near, 1}};
    const unsigned words = rows[memory->rule.how].words;
    *verdict = (struct sch_cli_test_verdict){.what = words == 2 ? "doubles" : "words", .count = memory->count / words};
    verdict->allowed = (size_t)((double)verdict->count * memory->rule.outliers);
    for (size_t at = 0; at + words <= memory->count; at += words) {
        if (rows[memory->rule.how].near(got + at, memory->words + at, &memory->rule)) continue;
        verdict->differing++;
        for (unsigned i = 0; i < words && verdict->shown < room; i++)
            if (got[at + i] != memory->words[at + i])
                differences[verdict->shown++] =
                    (struct sch_cli_test_difference){at + i, got[at + i], memory->words[at + i]};
    }
    verdict->passed = verdict->differing <= verdict->allowed;
}
