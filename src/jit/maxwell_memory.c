/* Loads and stores of Maxwell code. What an instruction has accessed before (struct sch_group_spot) is tried first:
 * when all lanes are within it, code accesses it, else the handler does all of the instruction and says what it has
 * found. */
#include "jit/maxwell.h"

#include <stddef.h>
#include <string.h>

enum { PLACES_OF_BANK = 0xffff };
enum { WORD_BYTES = 4, WORDS = 4, SIZE_S8 = 1, SIZE_U16 = 2, SIZE_S16 = 3 }; /* table SZ */

struct access {
    struct warp *w;
    const struct sch_maxwell_step *step;
    unsigned facts;
    bool stores, updates;
    bool own; /* of the block or of the lane, or a bank: addresses of 32 bits from 0 on */
    unsigned bytes, words;
    struct warp_lanes lanes;
    LLVMValueRef spot, data;
    LLVMValueRef place[JIT_MAX_VECTORS]; /* from the spot's first byte, without the lane's own part */
    LLVMValueRef first;                  /* that of lane 0 */
    struct jit_value value[WORDS];       /* loaded, or to be stored */
    LLVMBasicBlockRef join, from[WORDS]; /* where ways meet, and their ends */
    struct jit_value made[WORDS][WORDS]; /* by way and word */
    unsigned ways;
};

/* Addresses have 32 bits and count from 0 on, but in the caller's ranges. */
static bool is_own(unsigned facts) { return !(facts & SCH_MAXWELL_OUTSIDE); }

static LLVMValueRef spot_field(struct access *a, LLVMTypeRef type, size_t offset)
{
    return LLVMBuildLoad2(a->w->e.build, type, jit_at(&a->w->e, a->spot, offset), "");
}

static LLVMValueRef splat(struct access *a, LLVMValueRef word) { return jit_splat(&a->w->e, word); }
static LLVMValueRef lanes_of_word(struct access *a, uint32_t word) { return jit_splat_word(&a->w->e, word); }

static LLVMValueRef any(struct access *a, LLVMValueRef vector)
{
    LLVMBuilderRef b = a->w->e.build;
    LLVMValueRef bits = LLVMBuildICmp(b, LLVMIntNE, vector, LLVMConstNull(LLVMTypeOf(vector)), "");
    LLVMValueRef word = LLVMBuildBitCast(b, bits, LLVMIntTypeInContext(a->w->e.module->context, a->w->e.lanes), "");
    return LLVMBuildICmp(b, LLVMIntNE, word, LLVMConstNull(LLVMTypeOf(word)), "");
}

/* ---- places ---- */

/* Where the bytes of a lane end that may be accessed: places below it are good. Small loads read the word that they are
 * in. */
static LLVMValueRef limit_of(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    const bool writes = a->stores || a->updates;
    LLVMValueRef bytes = spot_field(
        a, e->i32, writes ? offsetof(struct sch_group_spot, storable) : offsetof(struct sch_group_spot, readable));
    if (!writes && a->bytes < WORD_BYTES) return LLVMBuildAnd(e->build, bytes, jit_word(e, ~(WORD_BYTES - 1u)), "");
    LLVMValueRef less = jit_word(e, a->bytes - 1);
    LLVMValueRef limit = LLVMBuildSub(e->build, bytes, less, "");
    return LLVMBuildSelect(e->build, LLVMBuildICmp(e->build, LLVMIntULT, bytes, less, ""), jit_word(e, 0), limit, "");
}

/* Fills in the places; where lanes of `wrong` have bits, one cannot be accessed so. */
static void find_places(struct access *a, LLVMValueRef wrong[JIT_MAX_VECTORS])
{
    enum { HIGH = 32 };
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    const struct sch_maxwell_step *step = a->step;
    const bool wide = step->how.wide && step->base < WARP_REGISTERS;
    struct jit_value low, high;
    warp_read_register(a->w, step->base, &low);
    warp_read_register(a->w, wide ? step->base + 1u : SCH_MAXWELL_NO_REGISTER, &high);
    LLVMValueRef offset = lanes_of_word(a, (uint32_t)step->offset), limit = splat(a, limit_of(a));
    LLVMValueRef away = NULL, below = NULL;
    if (!a->own) {
        /* The offset is added within 32 bits where addresses have so many; else it is part of what is added. */
        const int64_t given = step->how.wide ? step->offset : 0;
        LLVMValueRef all = LLVMBuildSub(b, jit_long(e, (uint64_t)given),
                                        spot_field(a, e->i64, offsetof(struct sch_group_spot, address)), "");
        away = splat(a, LLVMBuildTrunc(b, all, e->i32, ""));
        below = splat(a, LLVMBuildTrunc(b, LLVMBuildLShr(b, all, jit_long(e, HIGH), ""), e->i32, ""));
    }
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef address = LLVMBuildAdd(b, low.part[v], offset, ""), bad = NULL;
        if (a->facts & SCH_MAXWELL_IN_BANK) address = LLVMBuildAnd(b, address, lanes_of_word(a, PLACES_OF_BANK), "");
        if (a->own) {
            a->place[v] = address;
        } else {
            LLVMValueRef base = step->how.wide ? low.part[v] : address;
            a->place[v] = LLVMBuildAdd(b, base, away, "");
            LLVMValueRef carry = warp_mask(a->w, LLVMBuildICmp(b, LLVMIntULT, a->place[v], base, ""));
            bad = LLVMBuildSub(b, LLVMBuildAdd(b, high.part[v], below, ""), carry, "");
        }
        LLVMValueRef beyond = warp_mask(a->w, LLVMBuildICmp(b, LLVMIntUGE, a->place[v], limit, ""));
        bad = bad ? LLVMBuildOr(b, bad, beyond, "") : beyond;
        if (a->bytes > 1) bad = LLVMBuildOr(b, bad, LLVMBuildAnd(b, address, lanes_of_word(a, a->bytes - 1), ""), "");
        if (!a->lanes.all) bad = LLVMBuildAnd(b, bad, warp_mask(a->w, a->lanes.bits[v]), "");
        wrong[v] = bad;
    }
}

static LLVMValueRef together(struct access *a, LLVMValueRef vectors[JIT_MAX_VECTORS])
{
    LLVMValueRef all = vectors[0];
    for (unsigned v = 1; v < a->w->e.vectors; v++) all = LLVMBuildOr(a->w->e.build, all, vectors[v], "");
    return all;
}

/* Whether any place is elsewhere than so many bytes a lane after the first. */
static LLVMValueRef strays(struct access *a, unsigned bytes)
{
    LLVMValueRef apart[JIT_MAX_VECTORS] = {NULL}, first = splat(a, a->first);
    for (unsigned v = 0; v < a->w->e.vectors; v++) {
        LLVMValueRef there = bytes ? LLVMBuildAdd(a->w->e.build, first, warp_lane_numbers(a->w, v, bytes), "") : first;
        apart[v] = LLVMBuildXor(a->w->e.build, a->place[v], there, "");
    }
    return any(a, together(a, apart));
}

/* ---- ways ---- */

static void end_way(struct access *a)
{
    for (unsigned c = 0; c < a->words && !a->stores; c++) a->made[a->ways][c] = a->value[c];
    a->from[a->ways++] = LLVMGetInsertBlock(a->w->e.build);
    LLVMBuildBr(a->w->e.build, a->join);
}

static LLVMValueRef address_of_first(struct access *a)
{
    LLVMBuilderRef b = a->w->e.build;
    LLVMValueRef index = LLVMBuildZExt(b, a->first, a->w->e.i64, "");
    return LLVMBuildGEP2(b, a->w->e.i8, a->data, &index, 1, "");
}

/* Lanes side by side: `words` vectors of memory are one vector of each word. */
static LLVMTypeRef wide_type(struct access *a) { return LLVMVectorType(a->w->e.i32, a->w->e.lanes * a->words); }

static void load_row(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    LLVMValueRef from = address_of_first(a), chosen[SCH_GROUP_LANES];
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef all =
            LLVMBuildLoad2(e->build, wide_type(a), jit_at(e, from, (uint64_t)v * e->lanes * a->bytes), "");
        LLVMSetAlignment(all, 1);
        LLVMSetVolatile(all, true);
        for (unsigned c = 0; c < a->words; c++) {
            for (unsigned i = 0; i < e->lanes; i++) chosen[i] = jit_word(e, i * a->words + c);
            a->value[c].part[v] = a->words == 1 ? all
                                                : LLVMBuildShuffleVector(e->build, all, LLVMGetPoison(LLVMTypeOf(all)),
                                                                         LLVMConstVector(chosen, e->lanes), "");
        }
    }
}

static void load_same(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    LLVMValueRef from = address_of_first(a);
    for (unsigned c = 0; c < a->words; c++) {
        LLVMValueRef word = LLVMBuildLoad2(e->build, e->i32, jit_at(e, from, (uint64_t)c * WORD_BYTES), "");
        LLVMSetAlignment(word, 1);
        LLVMSetVolatile(word, true);
        LLVMValueRef all = splat(a, word);
        for (unsigned v = 0; v < e->vectors; v++) a->value[c].part[v] = all;
    }
}

/* Pointers of one word of lanes. */
static LLVMValueRef pointers_of(struct access *a, unsigned v, unsigned word)
{
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    LLVMValueRef place = a->place[v];
    if (!a->stores && a->bytes < WORD_BYTES) place = LLVMBuildAnd(b, place, lanes_of_word(a, ~(WORD_BYTES - 1u)), "");
    if (a->facts & SCH_MAXWELL_OF_LANE) {
        LLVMValueRef each = splat(a, spot_field(a, e->i32, offsetof(struct sch_group_spot, lane_bytes)));
        place = LLVMBuildAdd(b, place, LLVMBuildMul(b, each, warp_lane_numbers(a->w, v, 1), ""), "");
    }
    return LLVMBuildGEP2(b, e->i8, jit_at(e, a->data, (uint64_t)word * WORD_BYTES), &place, 1, "");
}

static LLVMValueRef bits_of(struct access *a, unsigned v)
{
    return a->lanes.all ? LLVMConstAllOnes(a->w->e.bits) : a->lanes.bits[v];
}

/* A word that holds a small number becomes that. */
static LLVMValueRef narrow(struct access *a, LLVMValueRef word, unsigned v)
{
    enum { WORD_BITS = 32, BYTE_BITS = 8 };
    LLVMBuilderRef b = a->w->e.build;
    const unsigned size = a->step->how.size & 7, bits = BYTE_BITS * a->bytes;
    if (a->bytes >= WORD_BYTES) return word;
    LLVMValueRef byte = LLVMBuildAnd(b, a->place[v], lanes_of_word(a, WORD_BYTES - 1), "");
    word = LLVMBuildLShr(b, word, LLVMBuildMul(b, byte, lanes_of_word(a, BYTE_BITS), ""), "");
    LLVMValueRef shift = lanes_of_word(a, WORD_BITS - bits);
    word = LLVMBuildShl(b, word, shift, "");
    return size == SIZE_S8 || size == SIZE_S16 ? LLVMBuildAShr(b, word, shift, "") : LLVMBuildLShr(b, word, shift, "");
}

static void load_anywhere(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    LLVMTypeRef types[2] = {e->vector, LLVMVectorType(e->pointer, e->lanes)};
    for (unsigned c = 0; c < a->words; c++)
        for (unsigned v = 0; v < e->vectors; v++) {
            LLVMValueRef arguments[4] = {pointers_of(a, v, c), jit_word(e, 1), bits_of(a, v), LLVMConstNull(e->vector)};
            LLVMValueRef word = warp_call_intrinsic(a->w, "llvm.masked.gather", types, arguments);
            a->value[c].part[v] = narrow(a, word, v);
        }
}

static void store_row(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    LLVMValueRef to = address_of_first(a), chosen[SCH_GROUP_LANES * WORDS];
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef all = a->value[0].part[v];
        if (a->words > 1) {
            /* One after the other, then by lanes. */
            LLVMValueRef low = all, high = a->value[1].part[v];
            for (unsigned i = 0; i < 2 * e->lanes; i++) chosen[i] = jit_word(e, i);
            all = LLVMBuildShuffleVector(e->build, low, high, LLVMConstVector(chosen, 2 * e->lanes), "");
            if (a->words > 2) {
                LLVMValueRef rest = LLVMBuildShuffleVector(e->build, a->value[2].part[v], a->value[3].part[v],
                                                           LLVMConstVector(chosen, 2 * e->lanes), "");
                for (unsigned i = 0; i < 4 * e->lanes; i++) chosen[i] = jit_word(e, i);
                all = LLVMBuildShuffleVector(e->build, all, rest, LLVMConstVector(chosen, 4 * e->lanes), "");
            }
            for (unsigned i = 0; i < a->words * e->lanes; i++)
                chosen[i] = jit_word(e, i / a->words + i % a->words * e->lanes);
            all = LLVMBuildShuffleVector(e->build, all, LLVMGetPoison(LLVMTypeOf(all)),
                                         LLVMConstVector(chosen, a->words * e->lanes), "");
        }
        LLVMValueRef store = LLVMBuildStore(e->build, all, jit_at(e, to, (uint64_t)v * e->lanes * a->bytes));
        LLVMSetAlignment(store, 1);
        LLVMSetVolatile(store, true);
    }
}

/* Lanes ascend. */
static void store_anywhere(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    LLVMTypeRef part = a->bytes < WORD_BYTES ? LLVMIntTypeInContext(e->module->context, 8 * a->bytes) : e->i32;
    LLVMTypeRef types[2] = {LLVMVectorType(part, e->lanes), LLVMVectorType(e->pointer, e->lanes)};
    for (unsigned v = 0; v < e->vectors; v++)
        for (unsigned c = 0; c < a->words; c++) {
            LLVMValueRef word = a->value[c].part[v];
            if (part != e->i32) word = LLVMBuildTrunc(e->build, word, types[0], "");
            LLVMValueRef arguments[4] = {word, pointers_of(a, v, c), jit_word(e, 1), bits_of(a, v)};
            warp_call_intrinsic(a->w, "llvm.masked.scatter", types, arguments);
        }
}

/* ---- the instruction ---- */

/* Whether lanes at any places are reached in one step: what the level has an instruction for. Elsewhere code would be
 * many times as long, and hardly faster than the handler. */
static bool scatters(const struct warp *w) { return strcmp(w->e.request->level, "w16v4") == 0; }

bool warp_gathers(const struct warp *w) { return scatters(w) || strcmp(w->e.request->level, "w8v3") == 0; }

static bool reaches_anywhere(const struct access *a)
{
    return a->stores ? scatters(a->w) && a->bytes >= WORD_BYTES : warp_gathers(a->w);
}

static void go_slowly(struct access *a)
{
    warp_store_operands(a->w, a->step);
    warp_call_handler(a->w);
    for (unsigned c = 0; c < a->words && !a->stores; c++)
        for (unsigned v = 0; v < a->w->e.vectors; v++)
            a->value[c].part[v] = a->step->result + c < WARP_REGISTERS
                                      ? jit_load_vector(&a->w->e, warp_place(a->w, a->step->result + c), v, false)
                                      : LLVMConstNull(a->w->e.vector);
    end_way(a);
}

/* Continues where `condition` does not hold; `way` is where it does. */
static void try_way(struct access *a, LLVMValueRef fails, void (*way)(struct access *))
{
    struct jit_emitter *e = &a->w->e;
    LLVMBasicBlockRef here = jit_new_block(e), next = jit_new_block(e);
    LLVMBuildCondBr(e->build, fails, next, here);
    LLVMPositionBuilderAtEnd(e->build, here);
    way(a);
    end_way(a);
    LLVMPositionBuilderAtEnd(e->build, next);
}

static void meet(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    LLVMPositionBuilderAtEnd(e->build, a->join);
    for (unsigned c = 0; c < a->words && !a->stores; c++)
        for (unsigned v = 0; v < e->vectors; v++) {
            LLVMValueRef phi = LLVMBuildPhi(e->build, e->vector, "");
            for (unsigned n = 0; n < a->ways; n++) LLVMAddIncoming(phi, &a->made[n][c].part[v], &a->from[n], 1);
            a->value[c].part[v] = phi;
        }
}

/* Registers that are written are read before code parts: where ways meet, some lanes keep them. */
static void read_results(struct access *a)
{
    struct jit_value old;
    for (unsigned c = 0; c < a->words && !a->stores && !a->lanes.all; c++)
        if (a->step->result + c < WARP_REGISTERS) warp_read(a->w, a->step->result + c, &old);
}

static void write_results(struct access *a)
{
    for (unsigned c = 0; c < a->words && !a->stores; c++)
        if (a->step->result + c < WARP_REGISTERS) warp_write(a->w, a->step->result + c, &a->value[c], &a->lanes);
}

static void open_access(struct access *a)
{
    struct jit_emitter *e = &a->w->e;
    a->spot = jit_at(e, a->w->spots, a->w->maxwell->spot[a->w->number] * sizeof(struct sch_group_spot));
    a->data = spot_field(a, e->pointer, offsetof(struct sch_group_spot, data));
    a->join = jit_new_block(e);
    read_results(a);
}

/* Code continues where all lanes are good; `slow` is for the others. */
static void choose_way(struct access *a, LLVMValueRef good, LLVMBasicBlockRef slow)
{
    struct jit_emitter *e = &a->w->e;
    LLVMBasicBlockRef inside = jit_new_block(e);
    jit_expect(e, LLVMBuildCondBr(e->build, good, inside, slow));
    LLVMPositionBuilderAtEnd(e->build, inside);
}

bool warp_access(struct warp *w, const struct sch_maxwell_step *step)
{
    struct jit_emitter *e = &w->e;
    const unsigned bytes = sch_maxwell_size_bytes(step->how.size), facts = sch_maxwell_facts_of(step);
    struct access a = {.w = w,
                       .step = step,
                       .facts = facts,
                       .stores = facts & SCH_MAXWELL_STORES,
                       .own = is_own(facts),
                       .bytes = bytes,
                       .words = bytes < WORD_BYTES ? 1 : bytes / WORD_BYTES};
    LLVMValueRef wrong[JIT_MAX_VECTORS];
    if (a.own && step->how.wide) return false;
    a.lanes = warp_lanes_of(w, step);
    const bool in_row = a.lanes.all && bytes >= WORD_BYTES && !(facts & SCH_MAXWELL_OF_LANE);
    if (!in_row && !reaches_anywhere(&a)) return false;
    for (unsigned c = 0; c < a.words && a.stores; c++) warp_source(w, step, 0, c, &a.value[c]);
    open_access(&a);
    find_places(&a, wrong);
    LLVMBasicBlockRef slow = jit_new_block(e);
    choose_way(&a, LLVMBuildNot(e->build, any(&a, together(&a, wrong)), ""), slow);
    a.first = LLVMBuildExtractElement(e->build, a.place[0], jit_word(e, 0), "");
    if (in_row) {
        if (!(facts & SCH_MAXWELL_IN_BANK)) try_way(&a, strays(&a, bytes), a.stores ? store_row : load_row);
        if (!a.stores) try_way(&a, strays(&a, 0), load_same);
    }
    if (reaches_anywhere(&a)) {
        (a.stores ? store_anywhere : load_anywhere)(&a);
        end_way(&a);
    } else {
        LLVMBuildBr(e->build, slow);
    }
    LLVMPositionBuilderAtEnd(e->build, slow);
    go_slowly(&a);
    meet(&a);
    write_results(&a);
    return true;
}

/* ---- atomic operations ---- */

/* Where a loop over lanes finds vectors: places, values of two words, of a compare and swap two of them, results. */
enum { PLACES, VALUES, NEW_VALUES = VALUES + 2, RESULTS = NEW_VALUES + 2 };

static LLVMValueRef memory_of(struct access *a, unsigned number)
{
    return jit_at(&a->w->e, a->w->e.group,
                  offsetof(struct sch_group, scratch) + (uint64_t)number * sizeof(struct sch_lanes));
}

static void put_vectors(struct access *a, unsigned number, LLVMValueRef vectors[])
{
    LLVMValueRef memory = memory_of(a, number);
    for (unsigned v = 0; v < a->w->e.vectors; v++) jit_store_vector(&a->w->e, vectors[v], memory, v);
}

static LLVMValueRef word_of_lane(struct access *a, unsigned number, LLVMValueRef lane)
{
    LLVMBuilderRef b = a->w->e.build;
    return LLVMBuildGEP2(b, a->w->e.i32, memory_of(a, number), &lane, 1, "");
}

static LLVMValueRef number_of_lane(struct access *a, unsigned number, LLVMValueRef lane)
{
    enum { HIGH = 32 };
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    LLVMValueRef low = LLVMBuildLoad2(b, e->i32, word_of_lane(a, number, lane), "");
    if (a->bytes == WORD_BYTES) return low;
    LLVMValueRef high = LLVMBuildZExt(b, LLVMBuildLoad2(b, e->i32, word_of_lane(a, number + 1, lane), ""), e->i64, "");
    return LLVMBuildOr(b, LLVMBuildZExt(b, low, e->i64, ""), LLVMBuildShl(b, high, jit_long(e, HIGH), ""), "");
}

/* A subnormal number becomes a zero of its sign. */
static LLVMValueRef flushed(struct access *a, LLVMValueRef bits)
{
    enum { EXPONENT = 0x7f800000 };
    struct jit_emitter *e = &a->w->e;
    LLVMValueRef exponent = LLVMBuildAnd(e->build, bits, jit_word(e, EXPONENT), "");
    LLVMValueRef tiny = LLVMBuildICmp(e->build, LLVMIntEQ, exponent, jit_word(e, 0), "");
    LLVMValueRef sign = LLVMBuildAnd(e->build, bits, jit_word(e, UINT32_C(1) << 31), "");
    return LLVMBuildSelect(e->build, tiny, sign, bits, "");
}

/* A sum of floats, as bits. */
static LLVMValueRef float_sum(struct access *a, LLVMValueRef old, LLVMValueRef value)
{
    enum { ONE_NAN = 0x7fffffff };
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    LLVMTypeRef type = LLVMFloatTypeInContext(e->module->context);
    LLVMValueRef sum = LLVMBuildFAdd(b, LLVMBuildBitCast(b, flushed(a, old), type, ""),
                                     LLVMBuildBitCast(b, flushed(a, value), type, ""), "");
    LLVMValueRef is_nan = LLVMBuildFCmp(b, LLVMRealUNO, sum, sum, "");
    return LLVMBuildSelect(b, is_nan, jit_word(e, ONE_NAN), flushed(a, LLVMBuildBitCast(b, sum, e->i32, "")), "");
}

/* What OPS_LOCAL(maxwell_update) (src/ops/maxwell/atomic.c) makes of a number. */
static LLVMValueRef updated(struct access *a, unsigned number, LLVMValueRef old, LLVMValueRef value)
{
    LLVMBuilderRef b = a->w->e.build;
    const bool is_signed = number == SCH_MAXWELL_S32 || number == SCH_MAXWELL_S64;
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(old)), one = LLVMConstInt(LLVMTypeOf(old), 1, false), test;
    switch (a->step->how.mode) {
    case SCH_MAXWELL_UPDATE_ADD:
        return number == SCH_MAXWELL_F32 ? float_sum(a, old, value) : LLVMBuildAdd(b, old, value, "");
    case SCH_MAXWELL_UPDATE_MIN:
        test = LLVMBuildICmp(b, is_signed ? LLVMIntSLT : LLVMIntULT, value, old, "");
        return LLVMBuildSelect(b, test, value, old, "");
    case SCH_MAXWELL_UPDATE_MAX:
        test = LLVMBuildICmp(b, is_signed ? LLVMIntSLT : LLVMIntULT, old, value, "");
        return LLVMBuildSelect(b, test, value, old, "");
    case SCH_MAXWELL_UPDATE_INC:
        test = LLVMBuildICmp(b, LLVMIntULT, old, value, "");
        return LLVMBuildSelect(b, test, LLVMBuildAdd(b, old, one, ""), none, "");
    case SCH_MAXWELL_UPDATE_DEC:
        test = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntEQ, old, none, ""), LLVMBuildICmp(b, LLVMIntULT, value, old, ""),
                           "");
        return LLVMBuildSelect(b, test, value, LLVMBuildSub(b, old, one, ""), "");
    case SCH_MAXWELL_UPDATE_AND:
        return LLVMBuildAnd(b, old, value, "");
    case SCH_MAXWELL_UPDATE_OR:
        return LLVMBuildOr(b, old, value, "");
    case SCH_MAXWELL_UPDATE_XOR:
        return LLVMBuildXor(b, old, value, "");
    default:
        return value;
    }
}

static LLVMValueRef update_alone(struct access *a, LLVMValueRef at, LLVMValueRef lane)
{
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    LLVMValueRef old = LLVMBuildLoad2(b, a->bytes == WORD_BYTES ? e->i32 : e->i64, at, "");
    LLVMValueRef value = number_of_lane(a, VALUES, lane), made;
    LLVMSetAlignment(old, 1);
    LLVMSetVolatile(old, true);
    if (a->step->swaps) {
        LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, old, value, "");
        made = LLVMBuildSelect(b, same, number_of_lane(a, NEW_VALUES, lane), old, "");
    } else {
        made = updated(a, sch_maxwell_update_number(a->step), old, value);
    }
    LLVMValueRef store = LLVMBuildStore(b, made, at);
    LLVMSetAlignment(store, 1);
    LLVMSetVolatile(store, true);
    return old;
}

/* The same of whole numbers, beside other threads. */
static LLVMValueRef update_among_threads(struct access *a, LLVMValueRef at, LLVMValueRef lane)
{
    static const LLVMAtomicRMWBinOp operations[] = {
        [SCH_MAXWELL_UPDATE_ADD] = LLVMAtomicRMWBinOpAdd,      [SCH_MAXWELL_UPDATE_MIN] = LLVMAtomicRMWBinOpUMin,
        [SCH_MAXWELL_UPDATE_MAX] = LLVMAtomicRMWBinOpUMax,     [SCH_MAXWELL_UPDATE_INC] = LLVMAtomicRMWBinOpUIncWrap,
        [SCH_MAXWELL_UPDATE_DEC] = LLVMAtomicRMWBinOpUDecWrap, [SCH_MAXWELL_UPDATE_AND] = LLVMAtomicRMWBinOpAnd,
        [SCH_MAXWELL_UPDATE_OR] = LLVMAtomicRMWBinOpOr,        [SCH_MAXWELL_UPDATE_XOR] = LLVMAtomicRMWBinOpXor,
        [SCH_MAXWELL_UPDATE_EXCH] = LLVMAtomicRMWBinOpXchg};
    const LLVMAtomicOrdering ordering = LLVMAtomicOrderingSequentiallyConsistent;
    const unsigned number = sch_maxwell_update_number(a->step), mode = a->step->how.mode;
    LLVMBuilderRef b = a->w->e.build;
    LLVMValueRef value = number_of_lane(a, VALUES, lane);
    if (a->step->swaps) {
        LLVMValueRef pair = LLVMBuildAtomicCmpXchg(b, at, value, number_of_lane(a, NEW_VALUES, lane), ordering,
                                                   LLVMAtomicOrderingMonotonic, false);
        return LLVMBuildExtractValue(b, pair, 0, "");
    }
    LLVMAtomicRMWBinOp operation = operations[mode];
    if (number == SCH_MAXWELL_S32 || number == SCH_MAXWELL_S64) {
        if (mode == SCH_MAXWELL_UPDATE_MIN) operation = LLVMAtomicRMWBinOpMin;
        if (mode == SCH_MAXWELL_UPDATE_MAX) operation = LLVMAtomicRMWBinOpMax;
    }
    return LLVMBuildAtomicRMW(b, operation, at, value, ordering, false);
}

static void update_lane(struct access *a, LLVMValueRef lane, bool alone)
{
    enum { HIGH = 32 };
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    LLVMValueRef place = LLVMBuildZExt(b, LLVMBuildLoad2(b, e->i32, word_of_lane(a, PLACES, lane), ""), e->i64, "");
    LLVMValueRef at = LLVMBuildGEP2(b, e->i8, a->data, &place, 1, "");
    LLVMValueRef old = (alone ? update_alone : update_among_threads)(a, at, lane);
    for (unsigned c = 0; c < a->words; c++) {
        LLVMValueRef part = c ? LLVMBuildLShr(b, old, jit_long(e, HIGH), "") : old;
        if (a->bytes > WORD_BYTES) part = LLVMBuildTrunc(b, part, e->i32, "");
        LLVMBuildStore(b, part, word_of_lane(a, RESULTS + c, lane));
    }
}

/* Lanes ascend, as the interpreter's do. */
static void update_lanes(struct access *a, bool alone)
{
    struct jit_emitter *e = &a->w->e;
    LLVMBuilderRef b = e->build;
    LLVMValueRef bits = warp_bits(a->w, &a->lanes), left;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), head = jit_new_block(e), body = jit_new_block(e),
                      end = jit_new_block(e);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, head);
    left = LLVMBuildPhi(b, e->i32, "");
    LLVMAddIncoming(left, &bits, &before, 1);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, left, jit_word(e, 0), ""), body, end);
    LLVMPositionBuilderAtEnd(b, body);
    LLVMValueRef arguments[2] = {left, LLVMConstAllOnes(e->i1)};
    LLVMValueRef count =
        LLVMGetIntrinsicDeclaration(e->module->module, LLVMLookupIntrinsicID("llvm.cttz", 9), &e->i32, 1);
    LLVMValueRef lane = LLVMBuildCall2(b, LLVMGlobalGetValueType(count), count, arguments, 2, "");
    update_lane(a, LLVMBuildZExt(b, lane, e->i64, ""), alone);
    LLVMValueRef rest = LLVMBuildAnd(b, left, LLVMBuildSub(b, left, jit_word(e, 1), ""), "");
    LLVMAddIncoming(left, &rest, &body, 1);
    LLVMBuildBr(b, head);
    LLVMPositionBuilderAtEnd(b, end);
    for (unsigned c = 0; c < a->words; c++)
        for (unsigned v = 0; v < e->vectors; v++)
            a->value[c].part[v] = jit_load_vector(e, memory_of(a, RESULTS + c), v, false);
}

/* Other threads may update the same memory: sums of floats are left to the handler then. */
bool warp_update(struct warp *w, const struct sch_maxwell_step *step)
{
    struct jit_emitter *e = &w->e;
    const unsigned number = sch_maxwell_update_number(step), bytes = sch_maxwell_number_bytes(number);
    const bool known = number == SCH_MAXWELL_U32 || number == SCH_MAXWELL_S32 || number == SCH_MAXWELL_U64 ||
                       number == SCH_MAXWELL_S64 || number == SCH_MAXWELL_F32;
    const unsigned facts = sch_maxwell_facts_of(step);
    struct access a = {.w = w, .step = step, .facts = facts, .updates = true, .own = is_own(facts), .bytes = bytes};
    LLVMValueRef wrong[JIT_MAX_VECTORS];
    if (!known || (a.own && step->how.wide)) return false;
    a.words = warp_result_words(step);
    if (step->result >= WARP_REGISTERS) a.words = 0;
    if (a.words > bytes / WORD_BYTES) return false;
    a.lanes = warp_lanes_of(w, step);
    struct jit_value value[2][2];
    for (unsigned s = 0; s < (step->swaps ? 2 : 1); s++)
        for (unsigned c = 0; c < bytes / WORD_BYTES; c++) warp_source(w, step, s, c, &value[s][c]);
    open_access(&a);
    find_places(&a, wrong);
    LLVMBasicBlockRef slow = jit_new_block(e);
    LLVMValueRef good = LLVMBuildNot(e->build, any(&a, together(&a, wrong)), "");
    LLVMValueRef shared = LLVMBuildICmp(
        e->build, LLVMIntNE, jit_field(e, e->i8, offsetof(struct sch_group, concurrent)), LLVMConstNull(e->i8), "");
    const bool left = !a.own && number == SCH_MAXWELL_F32;
    if (left) good = LLVMBuildAnd(e->build, good, LLVMBuildNot(e->build, shared, ""), "");
    choose_way(&a, good, slow);
    put_vectors(&a, PLACES, a.place);
    for (unsigned s = 0; s < (step->swaps ? 2 : 1); s++)
        for (unsigned c = 0; c < bytes / WORD_BYTES; c++)
            put_vectors(&a, (s ? NEW_VALUES : VALUES) + c, value[s][c].part);
    if (!a.own && !left) {
        LLVMBasicBlockRef among = jit_new_block(e), alone = jit_new_block(e);
        LLVMBuildCondBr(e->build, shared, among, alone);
        LLVMPositionBuilderAtEnd(e->build, among);
        update_lanes(&a, false);
        end_way(&a);
        LLVMPositionBuilderAtEnd(e->build, alone);
    }
    update_lanes(&a, true);
    end_way(&a);
    LLVMPositionBuilderAtEnd(e->build, slow);
    go_slowly(&a);
    meet(&a);
    write_results(&a);
    return true;
}
