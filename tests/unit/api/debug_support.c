/* See debug_support.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "debug_support.h"

/* ---- stops ---- */

struct sch_debug_stop stop_of(const struct sch_debug *debug)
{
    struct sch_debug_stop stop = {.size = sizeof stop};
    assert_int_equal(sch_debug_get_stop(debug, &stop), SCH_OK);
    return stop;
}

struct sch_debug_stop go(struct sch_debug *debug, enum sch_debug_step step, bool back, uint32_t events)
{
    const struct sch_debug_go wanted = {.size = sizeof wanted, .step = step, .back = back, .events = events};
    assert_int_equal(sch_debug_go(debug, &wanted), SCH_OK);
    return stop_of(debug);
}

struct sch_debug_stop step(struct sch_debug *debug) { return go(debug, SCH_DEBUG_STEP_INSTRUCTION, false, 0); }
struct sch_debug_stop step_back(struct sch_debug *debug) { return go(debug, SCH_DEBUG_STEP_INSTRUCTION, true, 0); }

uint32_t word(const struct sch_debug *debug, enum sch_file file, uint32_t index, unsigned channel, unsigned lane)
{
    const struct sch_debug_register which = {file, 0, index};
    uint32_t words[4][32];
    assert_int_equal(sch_debug_read(debug, &which, words), SCH_OK);
    return words[channel][lane];
}

/* ---- moments ---- */

static uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * UINT64_C(0x100000001b3); }

/* Of all registers in all lanes, masks and constructs. */
struct moment moment_of(const struct sch_debug *debug)
{
    struct moment moment = {.stop = stop_of(debug), .sum = UINT64_C(0xcbf29ce484222325)};
    struct sch_debug_register which;
    if (moment.stop.ended) return moment;
    for (uint32_t position = 0; sch_debug_register_at(debug, position, &which); position++) {
        uint32_t words[4][32];
        assert_int_equal(sch_debug_read(debug, &which, words), SCH_OK);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < 32; i++) moment.sum = mix(moment.sum, words[c][i]);
    }
    for (uint32_t f = 0; f < moment.stop.depth; f++) {
        struct sch_debug_frame frame = {.size = sizeof frame};
        assert_int_equal(sch_debug_get_frame(debug, f, &frame), SCH_OK);
        moment.sum = mix(mix(mix(moment.sum, frame.kind), frame.resume), frame.waiting);
    }
    struct sch_debug_change change = {.size = sizeof change};
    for (uint32_t n = 0; sch_debug_change_at(debug, n, &change); n++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < 32; i++) moment.sum = mix(moment.sum, change.before[c][i]);
    size_t bytes;
    const uint8_t *shared = sch_debug_shared_memory(debug, &bytes);
    for (size_t b = 0; b < bytes && b < 256; b++) moment.sum = mix(moment.sum, shared[b]);
    return moment;
}

void assert_same(const struct moment *is, const struct moment *was)
{
    assert_int_equal(is->stop.ended, was->stop.ended);
    assert_int_equal(is->stop.time, was->stop.time);
    if (was->stop.ended) return;
    assert_int_equal(is->stop.instruction, was->stop.instruction);
    assert_int_equal(is->stop.previous, was->stop.previous);
    assert_int_equal(is->stop.active, was->stop.active);
    assert_int_equal(is->stop.helpers, was->stop.helpers);
    assert_int_equal(is->stop.is_target, was->stop.is_target);
    assert_true(is->sum == was->sum);
}

/* All moments of the invocation's group, in their order; how many. */
uint32_t record(struct sch_debug *debug, struct moment *moments)
{
    uint32_t count = 0;
    for (; count < MOST_MOMENTS; count++) {
        moments[count] = moment_of(debug);
        if (moments[count].stop.ended) return count;
        step(debug);
    }
    fail();
    return 0;
}

/* `walks` times some steps forward or back, or to a moment. */
void walk(struct sch_debug *debug, const struct moment *moments, uint32_t count, unsigned walks, uint64_t seed)
{
    uint32_t at = count;
    for (unsigned n = 0; n < walks; n++) {
        const uint32_t any = api_random_word(&seed), far = api_random_word(&seed) % 9;
        if (any % 3 == 0) {
            at = api_random_word(&seed) % count;
            assert_int_equal(sch_debug_seek(debug, moments[at].stop.time), SCH_OK);
        } else {
            const struct sch_debug_go wanted = {
                .size = sizeof wanted, .step = SCH_DEBUG_STEP_INSTRUCTION, .back = any % 3 == 1, .count = far + 1};
            assert_int_equal(sch_debug_go(debug, &wanted), SCH_OK);
            if (wanted.back)
                at = at < far + 1 ? 0 : at - (far + 1);
            else
                at = at + far + 1 < count ? at + far + 1 : at == count - 1 || at == count ? count : count - 1;
        }
        const struct moment is = moment_of(debug);
        assert_same(&is, &moments[at]);
    }
}
