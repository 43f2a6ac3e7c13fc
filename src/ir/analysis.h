/* What is found out about a prepared program by following its lanes from instruction to instruction: whose values are
 * alive, what is the same in all lanes of a group. For whoever makes code of it; the interpreter needs none of this.
 * Sets are bits over the channels of SCH_SPACE_STATE. Holds no code and no decision about code. */
#ifndef SCH_IR_ANALYSIS_H
#define SCH_IR_ANALYSIS_H

#include "ir/prepared.h"

/* The channels of the state, the inputs' too; and the words of a set of them. */
uint32_t sch_ir_channel_count(const struct sch_prepared *program);
static inline size_t sch_ir_set_words(uint32_t channels) { return channels / 64 + (size_t)1; }

static inline bool sch_ir_set_has(const uint64_t *set, uint32_t channel)
{
    return set[channel / 64] >> channel % 64 & 1;
}
static inline void sch_ir_set_add(uint64_t *set, uint32_t channel) { set[channel / 64] |= UINT64_C(1) << channel % 64; }
static inline void sch_ir_set_drop(uint64_t *set, uint32_t channel)
{
    set[channel / 64] &= ~(UINT64_C(1) << channel % 64);
}

/* The channels that an instruction reads of its sources, as bits, after the swizzle. */
unsigned sch_ir_channels_read(const struct sch_prepared_instruction *instruction);

/* ---- ir/liveness.c ---- */

/* Which writes need no mask. A write under a mask keeps the old value in the lanes that do not execute; where no such
 * lane can read that value any more, the difference cannot be seen. For outputs, registers that registers choose, and
 * those that other lanes see, every write needs its mask. */
struct sch_ir_liveness {
    uint8_t *unmasked; /* by instruction: bits 4 * d + c, channels of destinations that need none */
    bool *unread;      /* by instruction: an atomic whose result is in registers of TEMP that are not read after it */
    uint64_t *across;  /* live after some BARRIER, beside outputs; NULL: there is none, or it is not known */
};

/* Nothing needs no mask, and nothing is unread, in programs with subroutines, in those whose sets would be too large,
 * and where it is not found in a few passes. MEMORY. */
enum sch_result sch_ir_find_liveness(const struct sch_prepared *program, struct sch_arena *arena,
                                     struct sch_ir_liveness *liveness);

/* ---- ir/uniformity.c ---- */

/* What is the same in all lanes, where groups have all their lanes from the first instruction on (`full`) or not. */
struct sch_ir_uniformity {
    uint64_t *channels; /* one value at each instruction, in all lanes; NULL: none */
    bool *same_way;     /* by construct: an IF whose condition is */
    bool *whole;        /* by construct: all lanes execute directly in it wherever some do */
    bool all;           /* all lanes execute outside of constructs wherever some do */
};

/* `given`: channels that no instruction writes and in which groups have one value (NULL: none is known). Nothing is
 * uniform where it is not found in a few passes. MEMORY. */
enum sch_result sch_ir_find_uniformity(const struct sch_prepared *program, const struct sch_ir_liveness *liveness,
                                       bool full, const uint64_t *given, struct sch_arena *arena,
                                       struct sch_ir_uniformity *uniformity);

/* Whether all lanes execute directly in a construct wherever some do; SCH_FLOW_NONE: outside of all. */
static inline bool sch_ir_is_whole(const struct sch_ir_uniformity *uniformity, uint32_t construct)
{
    return uniformity->all && (construct == SCH_FLOW_NONE || uniformity->whole[construct]);
}

static inline bool sch_ir_is_uniform(const struct sch_ir_uniformity *uniformity, uint32_t channel)
{
    return uniformity->channels && sch_ir_set_has(uniformity->channels, channel);
}

/* ---- ir/steps.c ---- */

/* What lanes add to what the lane before has, at each instruction that reads the channel. */
struct sch_ir_steps {
    uint64_t *known; /* channels with such a step */
    uint32_t *step;  /* by channel; 0: one value in all lanes */
};

/* `numbers`: channels that no instruction writes, with a step of 1 (NULL: none). None is known where steps are not
 * found in a few passes, and of programs with subroutines. MEMORY. */
enum sch_result sch_ir_find_steps(const struct sch_prepared *program, const struct sch_ir_liveness *liveness,
                                  const struct sch_ir_uniformity *uniformity, const uint64_t *numbers,
                                  struct sch_arena *arena, struct sch_ir_steps *steps);

/* ---- ir/dependence.c ---- */

/* Whether the coordinates of lookup `n` may be computed from what a lookup of the loop around it has read: then they
 * are anywhere. False where that is not found out, as in long loops. */
bool sch_ir_follows_lookup(const struct sch_prepared *program, uint32_t n, uint32_t loop);

#endif
