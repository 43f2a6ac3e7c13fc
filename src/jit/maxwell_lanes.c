/* What looks at the lane itself or at others, in line: votes, shuffles, predicates made of registers
 * (src/maxwell/run/lanes.c and arithmetic.c have it for the interpreter). */
#include "jit/maxwell.h"

#include <stddef.h>

typedef const struct sch_maxwell_step step_of_code;

static LLVMValueRef word(struct warp *w, uint32_t value) { return jit_splat_word(&w->e, value); }

/* ---- predicates of registers ---- */

/* Bit `bit` of each lane: all ones or 0. */
static LLVMValueRef spread_bit(struct warp *w, LLVMValueRef value, unsigned bit)
{
    LLVMValueRef one = LLVMBuildAnd(w->e.build, value, word(w, UINT32_C(1) << bit), "");
    return warp_mask(w, LLVMBuildICmp(w->e.build, LLVMIntNE, one, LLVMConstNull(w->e.vector), ""));
}

static struct warp_lanes where_bit(struct warp *w, const struct warp_lanes *lanes, const struct jit_value *mask,
                                   unsigned bit)
{
    struct warp_lanes some = {.all = false};
    for (unsigned v = 0; v < w->e.vectors; v++) {
        LLVMValueRef one = LLVMBuildAnd(w->e.build, mask->part[v], word(w, UINT32_C(1) << bit), "");
        some.bits[v] = LLVMBuildICmp(w->e.build, LLVMIntNE, one, LLVMConstNull(w->e.vector), "");
        if (!lanes->all) some.bits[v] = LLVMBuildAnd(w->e.build, some.bits[v], lanes->bits[v], "");
    }
    return some;
}

static void to_flags(struct warp *w, const struct warp_lanes *lanes, const struct jit_value *bits,
                     const struct jit_value *mask)
{
    enum { FLAGS = 15 };
    LLVMBuilderRef b = w->e.build;
    struct jit_value made;
    warp_read(w, WARP_CC, &made);
    for (unsigned v = 0; v < w->e.vectors; v++) {
        LLVMValueRef taken = LLVMBuildAnd(b, mask->part[v], word(w, FLAGS), "");
        LLVMValueRef kept = LLVMBuildAnd(b, made.part[v], LLVMBuildNot(b, taken, ""), "");
        made.part[v] = LLVMBuildOr(b, kept, LLVMBuildAnd(b, bits->part[v], taken, ""), "");
    }
    warp_write(w, WARP_CC, &made, lanes);
}

void warp_registers_to_predicates(struct warp *w, step_of_code *step)
{
    enum { BYTE_BITS = 8 };
    const bool known = step->source[1].kind == SCH_MAXWELL_FROM_WORD;
    const struct warp_lanes lanes = warp_lanes_of(w, step);
    struct jit_value bits, mask;
    warp_source(w, step, 0, 0, &bits);
    warp_source(w, step, 1, 0, &mask);
    for (unsigned v = 0; v < w->e.vectors && step->how.part[0]; v++)
        bits.part[v] = LLVMBuildLShr(w->e.build, bits.part[v], word(w, BYTE_BITS * step->how.part[0]), "");
    if (step->how.bank) {
        to_flags(w, &lanes, &bits, &mask);
        return;
    }
    for (unsigned p = 0; p < WARP_PREDICATES; p++) {
        struct jit_value truth;
        if (known && !(step->source[1].word >> p & 1)) continue;
        for (unsigned v = 0; v < w->e.vectors; v++) truth.part[v] = spread_bit(w, bits.part[v], p);
        const struct warp_lanes some = known ? lanes : where_bit(w, &lanes, &mask, p);
        warp_write(w, WARP_REGISTERS + p, &truth, &some);
    }
}

/* ---- votes ---- */

static void write_word(struct warp *w, unsigned channel, LLVMValueRef value, const struct warp_lanes *lanes)
{
    LLVMValueRef all = jit_splat(&w->e, value);
    struct jit_value made;
    for (unsigned v = 0; v < w->e.vectors; v++) made.part[v] = all;
    warp_write(w, channel, &made, lanes);
}

bool warp_vote(struct warp *w, step_of_code *step)
{
    enum { ALL, ANY };
    LLVMBuilderRef b = w->e.build;
    const struct warp_lanes lanes = warp_lanes_of(w, step);
    struct warp_lanes truth = warp_truth(w, step->source[0].number, step->source[0].is_not);
    LLVMValueRef asked = warp_bits(w, &lanes), ballot = LLVMBuildAnd(b, warp_bits(w, &truth), asked, "");
    LLVMValueRef all = LLVMBuildICmp(b, LLVMIntEQ, ballot, asked, "");
    LLVMValueRef any = LLVMBuildICmp(b, LLVMIntNE, ballot, jit_word(&w->e, 0), "");
    LLVMValueRef answer = step->how.mode == ALL   ? all
                          : step->how.mode == ANY ? any
                                                  : LLVMBuildOr(b, all, LLVMBuildNot(b, any, ""), "");
    if (step->result < WARP_REGISTERS) write_word(w, step->result, ballot, &lanes);
    if (step->predicate[0] < WARP_PREDICATES)
        write_word(w, WARP_REGISTERS + step->predicate[0], LLVMBuildSExt(b, answer, w->e.i32, ""), &lanes);
    return true;
}

/* ---- shuffles ---- */

enum { LANE_MASK = 31, SEGMENT_LOW = 8 };

/* The lane that is read and whether it may be, as the interpreter has it. */
struct shuffle {
    LLVMValueRef from, valid;
};

static struct shuffle shuffle_lanes(struct warp *w, unsigned mode, LLVMValueRef lane, LLVMValueRef given,
                                    LLVMValueRef c)
{
    enum { INDEX, UP, DOWN };
    LLVMBuilderRef b = w->e.build;
    LLVMValueRef mask = word(w, LANE_MASK);
    LLVMValueRef segment = LLVMBuildAnd(b, LLVMBuildLShr(b, c, word(w, SEGMENT_LOW), ""), mask, "");
    LLVMValueRef clamp = LLVMBuildAnd(b, c, mask, ""), beyond = LLVMBuildNot(b, segment, "");
    LLVMValueRef least = LLVMBuildAnd(b, lane, segment, ""), by = LLVMBuildAnd(b, given, mask, "");
    LLVMValueRef most = LLVMBuildOr(b, least, LLVMBuildAnd(b, clamp, beyond, ""), "");
    LLVMValueRef from = mode == INDEX  ? LLVMBuildOr(b, least, LLVMBuildAnd(b, by, beyond, ""), "")
                        : mode == UP   ? LLVMBuildSub(b, lane, by, "")
                        : mode == DOWN ? LLVMBuildAdd(b, lane, by, "")
                                       : LLVMBuildXor(b, lane, by, "");
    struct shuffle made;
    made.valid = LLVMBuildICmp(b, mode == UP ? LLVMIntSGE : LLVMIntSLE, from, most, "");
    made.from = LLVMBuildSelect(b, made.valid, LLVMBuildAnd(b, from, mask, ""), lane, "");
    return made;
}

/* Lane numbers that are constants choose among the lanes of all vectors. */
static LLVMValueRef choose(struct warp *w, const struct jit_value *value, LLVMValueRef from)
{
    struct jit_emitter *e = &w->e;
    LLVMValueRef all[JIT_MAX_VECTORS], order[SCH_GROUP_LANES];
    for (unsigned v = 0; v < e->vectors; v++) all[v] = value->part[v];
    for (unsigned count = e->vectors, lanes = e->lanes; count > 1; count /= 2, lanes *= 2) {
        for (unsigned i = 0; i < 2 * lanes; i++) order[i] = jit_word(e, i);
        for (unsigned i = 0; i < count / 2; i++)
            all[i] =
                LLVMBuildShuffleVector(e->build, all[2 * i], all[2 * i + 1], LLVMConstVector(order, 2 * lanes), "");
    }
    return LLVMBuildShuffleVector(e->build, all[0], LLVMGetPoison(LLVMTypeOf(all[0])), from, "");
}

/* Others are where registers are. */
static LLVMValueRef gather(struct warp *w, LLVMValueRef memory, LLVMValueRef from)
{
    struct jit_emitter *e = &w->e;
    enum { WORD_BYTES = 4 };
    LLVMTypeRef types[2] = {e->vector, LLVMVectorType(e->pointer, e->lanes)};
    LLVMValueRef index = LLVMBuildZExt(e->build, from, LLVMVectorType(e->i64, e->lanes), "");
    LLVMValueRef arguments[4] = {LLVMBuildGEP2(e->build, e->i32, memory, &index, 1, ""), jit_word(e, WORD_BYTES),
                                 LLVMConstAllOnes(e->bits), LLVMConstNull(e->vector)};
    return warp_call_intrinsic(w, "llvm.masked.gather", types, arguments);
}

static bool is_constant(step_of_code *step, unsigned source)
{
    return step->source[source].kind == SCH_MAXWELL_FROM_WORD;
}

bool warp_shuffle(struct warp *w, step_of_code *step)
{
    struct jit_emitter *e = &w->e;
    const bool known = is_constant(step, 1) && is_constant(step, 2);
    struct jit_value value, given, c, made, valid;
    LLVMValueRef memory = NULL;
    if (!known && !warp_gathers(w)) return false;
    const struct warp_lanes lanes = warp_lanes_of(w, step);
    for (unsigned s = 0; s < 3; s++) warp_source(w, step, s, 0, s == 0 ? &value : s == 1 ? &given : &c);
    if (!known) {
        memory = jit_at(e, e->group, offsetof(struct sch_group, scratch));
        for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, value.part[v], memory, v);
    }
    for (unsigned v = 0; v < e->vectors; v++) {
        const struct shuffle of =
            shuffle_lanes(w, step->how.mode, warp_lane_numbers(w, v, 1), given.part[v], c.part[v]);
        made.part[v] = known ? choose(w, &value, of.from) : gather(w, memory, of.from);
        valid.part[v] = warp_mask(w, of.valid);
    }
    if (step->result < WARP_REGISTERS) warp_write(w, step->result, &made, &lanes);
    if (step->predicate[0] < WARP_PREDICATES) warp_write(w, WARP_REGISTERS + step->predicate[0], &valid, &lanes);
    return true;
}
