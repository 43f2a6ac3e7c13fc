/* Control flow: the steps of exec/control.c on masks that are variables of the code. A frame is static, as no construct
 * is open twice at once: its masks are variables that belong to the construct. Where the interpreter takes lanes that
 * end out of every frame, code takes them out of `alive`, and every mask that is read from a frame is cut to that: the
 * frames' masks only ever lose lanes, so both are the same. */
#include "jit/emit.h"

#include <stddef.h>

typedef const struct sch_prepared_instruction instruction;

/* ---- frames ---- */

static LLVMValueRef outside(struct jit_emitter *e, LLVMValueRef bits, LLVMValueRef others)
{
    return LLVMBuildAnd(e->build, bits, LLVMBuildNot(e->build, others, ""), "");
}

/* Lanes, as bits, that end. */
static void end_these(struct jit_emitter *e, LLVMValueRef lanes)
{
    LLVMValueRef alive = jit_get(e, e->alive_variable, e->i32);
    LLVMBuildStore(e->build, outside(e, alive, lanes), e->alive_variable);
}

/* Variables of a construct. To make a register of one that is written more than once takes time in proportion to the
 * code after it; where there are many, they stay in memory: parts of one variable, which nothing takes apart then. */
static LLVMValueRef frame_variable(struct jit_emitter *e, LLVMTypeRef type, unsigned bytes)
{
    if (!e->quick) return jit_variable(e, type, "");
    LLVMValueRef at = jit_long(e, e->frame_bytes);
    e->frame_bytes += bytes;
    return LLVMBuildInBoundsGEP2(e->entry, e->i8, e->frames, &at, 1, "");
}

static struct jit_mask frame_masks(struct jit_emitter *e)
{
    struct jit_mask variable = {{NULL}};
    for (unsigned p = 0; p < e->mask_parts; p++) variable.part[p] = frame_variable(e, e->mask_type, 4);
    return variable;
}

static size_t frames_size(const struct jit_emitter *e)
{
    size_t size = 0;
    for (uint32_t i = 0; i < e->flow->construct_count; i++)
        size += (e->flow->constructs[i].kind == SCH_CONSTRUCT_SWITCH ? 4 * SCH_GROUP_LANES : 0) +
                ((size_t)3 * e->mask_parts + 1) * 4;
    return size;
}

void jit_make_frames(struct jit_emitter *e)
{
    if (e->quick) e->frames = jit_variable(e, LLVMArrayType2(e->i8, frames_size(e) + 1), "frames");
    if (e->quick) LLVMSetAlignment(e->frames, 64);
    /* Vectors first: they are aligned. */
    for (uint32_t i = 0; i < e->flow->construct_count; i++)
        for (unsigned v = 0; v < e->vectors && e->flow->constructs[i].kind == SCH_CONSTRUCT_SWITCH; v++)
            e->plan.constructs[i].value[v] = frame_variable(e, e->vector, 4 * e->lanes);
    for (uint32_t i = 0; i < e->flow->construct_count; i++) {
        struct jit_construct *construct = &e->plan.constructs[i];
        construct->resume = frame_masks(e);
        construct->waiting = frame_masks(e);
        construct->fallback = frame_masks(e);
        construct->site = frame_variable(e, e->i32, 4);
    }
}

static void remove_lanes(struct jit_emitter *e, const struct jit_mask *variable, struct jit_mask lanes)
{
    jit_mask_set(e, variable, jit_mask_without(e, jit_mask_get(e, variable), lanes));
}

/* A mask of a frame, without lanes that have ended. */
static struct jit_mask frame_mask(struct jit_emitter *e, const struct jit_mask *variable)
{
    struct jit_mask mask = jit_mask_get(e, variable);
    if (!e->flow->ends_invocations && e->request->full) return mask;
    return jit_mask_and(e, mask, jit_mask_of_bits(e, jit_get(e, e->alive_variable, e->i32)));
}

/* Where no CONT makes lanes wait for the next iteration, the lanes that run at a loop's end are all that stay in it. */
static bool is_simple(const struct jit_construct *construct)
{
    return construct->is->kind == SCH_CONSTRUCT_LOOP && !construct->is->continues;
}

static void leave(struct jit_emitter *e, const struct jit_construct *construct, struct jit_mask lanes)
{
    remove_lanes(e, &construct->resume, lanes);
    if (!is_simple(construct)) remove_lanes(e, &construct->waiting, lanes);
    if (construct->is->kind == SCH_CONSTRUCT_SWITCH) remove_lanes(e, &construct->fallback, lanes);
}

/* The construct that an instruction opens or calls. */
static struct jit_construct *construct_of(struct jit_emitter *e, uint32_t number)
{
    return &e->plan.constructs[e->flow->links[number].construct];
}

static struct jit_construct *innermost(struct jit_emitter *e) { return &e->plan.constructs[jit_around(e)]; }

static uint32_t number_of(const struct jit_emitter *e, instruction *in)
{
    return (uint32_t)(in - e->program->instructions);
}

/* ---- blocks ---- */

static LLVMBasicBlockRef block_of(struct jit_emitter *e, instruction *in)
{
    return e->blocks[in - e->program->instructions];
}

void jit_end_block(struct jit_emitter *e, LLVMBasicBlockRef next)
{
    jit_flush(e);
    LLVMBuildBr(e->build, next);
}

static void count_executed(struct jit_emitter *e, uint64_t instructions)
{
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64);
    LLVMBuildStore(e->build, LLVMBuildAdd(e->build, executed, jit_long(e, instructions), ""), e->executed_variable);
}

/* One instruction that no lane executes, and that code does not come to. */
static void count_passed(struct jit_emitter *e, instruction *in)
{
    count_executed(e, 1);
    if (e->request->metered) jit_watch(e, in, 1, NULL);
}

static bool ends_simply(const struct jit_emitter *e, instruction *in)
{
    if (in->opcode != SCH_OP_ENDLOOP) return false;
    return is_simple(&e->plan.constructs[e->flow->links[number_of(e, in)].around]);
}

/* The block in which the lanes of a loop meet after it. */
static LLVMBasicBlockRef behind(struct jit_emitter *e, struct jit_construct *loop)
{
    if (!loop->behind) loop->behind = jit_new_block(e);
    return loop->behind;
}

/* Where code goes when no lane runs until `reconvergence`. The end of a simple loop then joins at once, so that whoever
 * comes to it otherwise has lanes. */
static LLVMBasicBlockRef empty_block(struct jit_emitter *e, instruction *reconvergence)
{
    if (!ends_simply(e, reconvergence)) return block_of(e, reconvergence);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->build), block = jit_new_block(e);
    LLVMPositionBuilderAtEnd(e->build, block);
    count_passed(e, reconvergence);
    LLVMBuildBr(e->build, behind(e, &e->plan.constructs[e->flow->links[number_of(e, reconvergence)].around]));
    LLVMPositionBuilderAtEnd(e->build, here);
    return block;
}

/* Continues at `next` if a lane runs, else at `other`. */
static void go_either(struct jit_emitter *e, struct jit_mask exec, LLVMBasicBlockRef next, LLVMBasicBlockRef other)
{
    if (next == other || jit_mask_is_all(e, &exec))
        LLVMBuildBr(e->build, next);
    else
        LLVMBuildCondBr(e->build, jit_mask_any(e, exec), next, other);
}

/* Sets the mask; continues at `next`, or where lanes can continue when none runs. */
static void go(struct jit_emitter *e, struct jit_mask exec, instruction *next, instruction *reconvergence)
{
    jit_mask_set(e, &e->exec_variable, exec);
    jit_flush(e);
    LLVMBasicBlockRef other = next == reconvergence && !ends_simply(e, reconvergence) ? block_of(e, reconvergence)
                                                                                      : empty_block(e, reconvergence);
    go_either(e, exec, block_of(e, next), other);
}

static void go_next(struct jit_emitter *e, instruction *in, struct jit_mask exec)
{
    go(e, exec, in + 1, in->reconvergence);
}

/* No lane runs. */
static void go_wake(struct jit_emitter *e, instruction *in)
{
    jit_mask_set(e, &e->exec_variable, jit_mask_none(e));
    jit_end_block(e, empty_block(e, in->reconvergence));
}

/* The lanes that went around or through a construct run again; where all do that came in, at least one. */
static void join(struct jit_emitter *e, instruction *in)
{
    const struct jit_construct *construct = innermost(e);
    struct jit_mask exec = frame_mask(e, &construct->resume);
    if (jit_is_whole(e, construct->is->outer)) exec = jit_mask_all(e);
    jit_mask_set(e, &e->exec_variable, exec);
    jit_flush(e);
    if (construct->left)
        go_next(e, in, exec);
    else
        LLVMBuildBr(e->build, block_of(e, in + 1));
}

/* ---- the budget ---- */

static LLVMValueRef lesser(struct jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(e->build, LLVMBuildICmp(e->build, LLVMIntULT, a, b, ""), a, b, "");
}

/* The count of executed instructions up to which nothing has run out: neither what machine->stop_at is about, nor the
 * budget of a lane. */
static void open_limit(struct jit_emitter *e)
{
    LLVMBuilderRef build = e->build;
    e->build = e->start;
    LLVMValueRef limit = jit_field(e, e->i64, offsetof(struct sch_group, stop_at));
    if (e->plan.spends && e->request->span) {
        LLVMValueRef room = jit_field(e, e->i64, offsetof(struct sch_group, first_room));
        LLVMValueRef end = LLVMBuildAdd(e->build, jit_get(e, e->executed_variable, e->i64), room, "");
        jit_set_field(e, offsetof(struct sch_group, budget_end), end);
        limit = lesser(e, limit, end);
    } else if (e->plan.spends) {
        limit = lesser(e, limit, jit_field(e, e->i64, offsetof(struct sch_group, budget_end)));
    }
    e->limit_variable = jit_variable(e, e->i64, "limit");
    LLVMBuildStore(e->start, limit, e->limit_variable);
    e->build = build;
}

void jit_take_limit(struct jit_emitter *e)
{
    if (!e->plan.watches) return;
    LLVMValueRef limit = jit_field(e, e->i64, offsetof(struct sch_group, stop_at));
    if (e->plan.spends) limit = lesser(e, limit, jit_field(e, e->i64, offsetof(struct sch_group, budget_end)));
    LLVMBuildStore(e->build, limit, e->limit_variable);
}

/* Each lane may make machine->budget steps, and the one that has none left fails at its place. `owed` counts the steps
 * of each lane but for those of all lanes, which `common` counts, in floats, as an addition under a mask is one
 * instruction then. Where all lanes that make a step have made as many before, `common` is enough: lanes that make none
 * any more are charged with the others, which nothing sees. As every step is an executed instruction, while fewer have
 * been executed than the poorest lane had steps left when they were last settled, no lane can be without. */
void jit_open_budget(struct jit_emitter *e)
{
    if (e->plan.watches) open_limit(e);
    if (!e->plan.spends) return;
    e->common_variable = jit_variable(e, e->i32, "common");
    LLVMBuildStore(e->start, jit_word(e, 0), e->common_variable);
    for (unsigned v = 0; v < e->vectors && e->plan.owes; v++) {
        e->owed[v] = jit_variable(e, e->vector, "owed");
        LLVMBuildStore(e->start, LLVMConstNull(e->vector), e->owed[v]);
    }
}

/* The runtime's result, one bit. Its function is loaded where it is called, which is seldom. */
static LLVMValueRef call_for_bit(struct jit_emitter *e, size_t member, LLVMValueRef arguments[4])
{
    LLVMTypeRef parameters[4];
    for (unsigned i = 0; i < 4; i++) parameters[i] = LLVMTypeOf(arguments[i]);
    LLVMValueRef function = LLVMBuildLoad2(e->build, e->pointer, jit_at(e, e->runtime, member), "");
    return LLVMBuildCall2(e->build, LLVMFunctionType(e->i1, parameters, 4, false), function, arguments, 4, "");
}

/* The steps that are not booked, for the runtime. */
static void put_owed(struct jit_emitter *e)
{
    LLVMBuilderRef b = e->build;
    if (!e->settled) e->settled = jit_variable(e, LLVMArrayType2(e->i32, SCH_GROUP_LANES), "settled");
    LLVMSetAlignment(e->settled, e->lanes * 4);
    LLVMValueRef common = jit_splat(e, jit_get(e, e->common_variable, e->i32));
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef owed = common;
        if (e->plan.owes)
            owed = LLVMBuildAdd(b, LLVMBuildFPToSI(b, jit_get(e, e->owed[v], e->floats), e->vector, ""), common, "");
        jit_store_vector(e, owed, e->settled, v);
    }
}

/* What the runtime leaves: of lanes that execute all the same, of the others nothing. */
static void take_owed(struct jit_emitter *e)
{
    LLVMBuilderRef b = e->build;
    LLVMBuildStore(b, jit_word(e, e->plan.owes ? 0 : SCH_GROUP_UNBOOKED), e->common_variable);
    for (unsigned v = 0; v < e->vectors && e->plan.owes; v++) {
        LLVMValueRef owed = jit_load_vector(e, e->settled, v, false);
        LLVMBuildStore(b, LLVMBuildSIToFP(b, owed, e->floats, ""), e->owed[v]);
    }
}

/* Calls the runtime; goes to `fail`, or on here with the mask of the lanes that are left. `in`: the number of the
 * instruction that is charged for. */
static struct jit_mask settle(struct jit_emitter *e, LLVMValueRef in, struct jit_mask exec)
{
    LLVMBuilderRef b = e->build;
    put_owed(e);
    jit_set_field(e, offsetof(struct sch_group, exec), jit_mask_bits(e, exec));
    LLVMValueRef helpers = jit_get(e, e->helpers_variable, e->i32);
    jit_set_field(e, offsetof(struct sch_group, helpers), helpers);
    jit_set_field(e, offsetof(struct sch_group, executed), jit_get(e, e->executed_variable, e->i64));
    LLVMValueRef alive = jit_get(e, e->alive_variable, e->i32);
    LLVMValueRef arguments[4] = {e->group, in, alive, e->settled};
    LLVMValueRef call = call_for_bit(e, offsetof(struct sch_group_runtime, spend), arguments);
    LLVMBasicBlockRef good = jit_new_block(e);
    LLVMBuildCondBr(b, call, good, e->fail);

    LLVMPositionBuilderAtEnd(b, good);
    take_owed(e);
    LLVMBuildStore(b, jit_field(e, e->i64, offsetof(struct sch_group, limit)), e->limit_variable);
    if (e->request->full && !e->flow->ends_invocations) return exec; /* only helpers may end, and there are none */
    LLVMValueRef left = jit_field(e, e->i32, offsetof(struct sch_group, exec));
    end_these(e, outside(e, jit_mask_bits(e, exec), left));
    return jit_mask_of_bits(e, left);
}

static struct jit_mask choose(struct jit_emitter *e, struct jit_mask a, LLVMBasicBlockRef from_a, struct jit_mask b,
                              LLVMBasicBlockRef from_b)
{
    LLVMBasicBlockRef from[2] = {from_a, from_b};
    for (unsigned p = 0; p < e->mask_parts; p++) {
        LLVMValueRef merged = LLVMBuildPhi(e->build, e->mask_type, ""), values[2] = {a.part[p], b.part[p]};
        LLVMAddIncoming(merged, values, from, 2);
        a.part[p] = merged;
    }
    return a;
}

/* One step of each of the lanes `exec`. */
static void count_steps(struct jit_emitter *e, struct jit_mask exec)
{
    LLVMBuilderRef b = e->build;
    if (!e->plan.owes || jit_mask_is_all(e, &exec)) {
        LLVMValueRef common = jit_get(e, e->common_variable, e->i32);
        LLVMBuildStore(b, LLVMBuildAdd(b, common, jit_word(e, 1), ""), e->common_variable);
        return;
    }
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef owed = jit_get(e, e->owed[v], e->floats);
        LLVMValueRef one = LLVMConstBitCast(jit_splat_word(e, 0x3f800000u), e->floats);
        LLVMValueRef more = LLVMBuildFAdd(b, owed, one, "");
        LLVMBuildStore(b, LLVMBuildSelect(b, jit_mask_vector(e, &exec, v), more, owed, ""), e->owed[v]);
    }
}

/* Charges the lanes `exec`, which are some, for `in`; the mask of those that continue. When none is left: to `none`,
 * with that as the mask. Registers are flushed. */
static struct jit_mask spend(struct jit_emitter *e, LLVMValueRef in, struct jit_mask exec, LLVMBasicBlockRef none)
{
    LLVMBuilderRef b = e->build;
    LLVMBasicBlockRef fast = jit_new_block(e), slow = jit_new_block(e), go_on = jit_new_block(e);
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64), limit = jit_get(e, e->limit_variable, e->i64);
    jit_expect(e, LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, executed, limit, ""), fast, slow));

    LLVMPositionBuilderAtEnd(b, fast);
    count_steps(e, exec);
    LLVMBuildBr(b, go_on);

    LLVMPositionBuilderAtEnd(b, slow);
    struct jit_mask left = settle(e, in, exec);
    LLVMBasicBlockRef settled = LLVMGetInsertBlock(b);
    jit_mask_set(e, &e->exec_variable, left);
    go_either(e, left, go_on, none);

    LLVMPositionBuilderAtEnd(b, go_on);
    return left.part[0] == exec.part[0] ? exec : choose(e, exec, fast, left, settled);
}

/* ---- the limit ---- */

/* In a block of its own: calls the runtime, of `executed` instructions the last `count`; goes to `go_on`, or fails. */
static void look(struct jit_emitter *e, instruction *first, uint32_t count, LLVMValueRef executed, LLVMValueRef lanes,
                 LLVMBasicBlockRef go_on)
{
    LLVMBuilderRef b = e->build;
    const size_t at = offsetof(struct sch_group, executed);
    LLVMBasicBlockRef good = jit_new_block(e), bad = jit_new_block(e);
    jit_set_field(e, at, executed);
    LLVMValueRef arguments[4] = {e->group, jit_word(e, first->number), jit_word(e, count), lanes};
    LLVMValueRef call = call_for_bit(e, offsetof(struct sch_group_runtime, look), arguments);
    LLVMBuildCondBr(b, call, good, bad);
    LLVMPositionBuilderAtEnd(b, bad);
    LLVMBuildStore(b, jit_field(e, e->i64, at), e->executed_variable);
    LLVMBuildBr(b, e->fail);
    LLVMPositionBuilderAtEnd(b, good);
    LLVMBuildStore(b, jit_field(e, e->i64, offsetof(struct sch_group, limit)), e->limit_variable);
    LLVMBuildBr(b, go_on);
}

/* Continues at a new block unless the limit is passed, then at `slow`, where code is to be made. */
static LLVMBasicBlockRef part_at_limit(struct jit_emitter *e, LLVMBasicBlockRef slow)
{
    LLVMBasicBlockRef go_on = jit_new_block(e);
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64), limit = jit_get(e, e->limit_variable, e->i64);
    jit_expect(e, LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntULE, executed, limit, ""), go_on, slow));
    LLVMPositionBuilderAtEnd(e->build, slow);
    return go_on;
}

void jit_watch(struct jit_emitter *e, instruction *first, uint32_t count, const struct jit_mask *lanes)
{
    LLVMBasicBlockRef go_on = part_at_limit(e, jit_new_block(e));
    LLVMValueRef bits = lanes ? jit_mask_bits(e, *lanes) : jit_word(e, 0);
    look(e, first, count, jit_get(e, e->executed_variable, e->i64), bits, go_on);
    LLVMPositionBuilderAtEnd(e->build, go_on);
}

/* Likewise for a BRK or CONT that the lanes `leaving` execute, if they are some, and the ENDIF after it. */
static void watch_leaving(struct jit_emitter *e, instruction *leave, LLVMValueRef some, struct jit_mask leaving)
{
    LLVMBuilderRef b = e->build;
    LLVMBasicBlockRef first = jit_new_block(e), second = jit_new_block(e);
    LLVMBasicBlockRef go_on = part_at_limit(e, jit_new_block(e));
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64), bits = jit_mask_bits(e, leaving);
    LLVMBuildCondBr(b, some, first, second);
    LLVMPositionBuilderAtEnd(b, first);
    look(e, leave, 1, LLVMBuildSub(b, executed, jit_long(e, 1), ""), bits, second);
    LLVMPositionBuilderAtEnd(b, second);
    look(e, leave + 1, 1, executed, jit_word(e, 0), go_on);
    LLVMPositionBuilderAtEnd(b, go_on);
}

static LLVMValueRef lower(struct jit_emitter *e, LLVMValueRef count, uint64_t by)
{
    LLVMValueRef less = jit_long(e, by), left = LLVMBuildSub(e->build, count, less, "");
    LLVMValueRef more = LLVMBuildICmp(e->build, LLVMIntUGT, count, less, "");
    return LLVMBuildSelect(e->build, more, left, jit_long(e, 0), "");
}

/* Instructions that take long bring the next look nearer, also for the groups after this one. */
static void lower_limit(struct jit_emitter *e, uint64_t by)
{
    const size_t stop_at = offsetof(struct sch_group, stop_at);
    LLVMBuildStore(e->build, lower(e, jit_get(e, e->limit_variable, e->i64), by), e->limit_variable);
    jit_set_field(e, stop_at, lower(e, jit_field(e, e->i64, stop_at), by));
}

/* Whether the instruction is the IF of one that is one block (leave_some). */
static bool exits_at(struct jit_emitter *e, instruction *in)
{
    return (in->opcode == SCH_OP_IF || in->opcode == SCH_OP_UIF) && construct_of(e, number_of(e, in))->exits;
}

void jit_count_block(struct jit_emitter *e)
{
    instruction *first = &e->program->instructions[e->number];
    const uint32_t all = e->block_end - e->number;
    /* Which lanes execute what is after such an IF is not known yet. */
    const bool later = e->request->metered && all > 2 && exits_at(e, first + all - 3);
    const uint32_t count = later ? all - 2 : all;
    e->counted_end = e->number + count;
    count_executed(e, count);
    if (e->request->metered || e->plan.looks[e->number]) {
        struct jit_mask lanes = jit_is_whole(e, jit_around(e)) ? jit_mask_all(e) : jit_mask_get(e, &e->exec_variable);
        jit_watch(e, first, count, &lanes);
    }
    uint64_t cost = 0;
    for (uint32_t i = 0; i < all; i++) cost += sch_prepared_cost(first + i) - 1;
    if (cost && e->plan.watches) lower_limit(e, cost);
}

/* ---- conditions ---- */

static void find_chosen(struct jit_emitter *e, const char *name, const struct sch_prepared_src *src, unsigned c,
                        struct jit_value *lanes)
{
    struct jit_value value;
    jit_read_source(e, src, c, &value);
    jit_operate(e, name, 0, 1, (const struct jit_value *const[]){&value}, 1, (struct jit_value *const[]){lanes});
}

static struct jit_mask condition(struct jit_emitter *e, const char *name, const struct sch_prepared_src *src,
                                 unsigned c)
{
    struct jit_value lanes;
    find_chosen(e, name, src, c, &lanes);
    return jit_mask_of_lanes(e, &lanes);
}

static void begin_if(struct jit_emitter *e, instruction *in, const char *name)
{
    struct jit_mask chosen = condition(e, name, &in->src[0], 0), exec = jit_lanes(e);
    struct jit_construct *construct = construct_of(e, e->number);
    jit_mask_set(e, &construct->resume, exec);
    jit_mask_set(e, &construct->waiting, jit_mask_without(e, exec, chosen));
    go_next(e, in, jit_mask_and(e, exec, chosen));
}

/* Takes lanes that execute the BRK or CONT `in` out of the frames that they leave, from `at` outwards. */
static void leave_frames(struct jit_emitter *e, struct jit_mask lanes, uint32_t at, instruction *in)
{
    const uint32_t stays = e->flow->links[number_of(e, in)].construct;
    for (; at != stays; at = e->flow->constructs[at].outer) leave(e, &e->plan.constructs[at], lanes);
    struct jit_construct *construct = &e->plan.constructs[stays];
    if (in->opcode == SCH_OP_BRK && !is_simple(construct)) remove_lanes(e, &construct->waiting, lanes);
}

/* Which of `exec` stay: not those that are chosen. Where the lanes of a loop are followed as vectors, both that and the
 * word are made of what is left of these, so that what was compared is needed no longer: AVX2 has few registers. */
static struct jit_mask find_staying(struct jit_emitter *e, struct jit_mask exec, const struct jit_value *chosen)
{
    LLVMBuilderRef b = e->build;
    const uint32_t around = jit_around(e);
    const LLVMValueRef *followed = around == SCH_FLOW_NONE ? NULL : e->plan.constructs[around].followed;
    if (!followed || !followed[0]) return jit_mask_without(e, exec, jit_mask_of_lanes(e, chosen));
    struct jit_value left;
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef stays = LLVMBuildICmp(b, LLVMIntEQ, chosen->part[v], LLVMConstNull(e->vector), "");
        stays = LLVMBuildSExt(b, stays, e->vector, "");
        left.part[v] = LLVMBuildAnd(b, jit_get(e, followed[v], e->vector), stays, "");
        LLVMBuildStore(b, left.part[v], followed[v]);
    }
    /* The AND keeps LLVM from testing for lanes by another word, made of the vectors again. */
    return jit_mask_and(e, exec, jit_mask_of_followed(e, &left));
}

/* Whether the lanes `leave` are some, one bit; `*any`: whether `stay` are. */
static LLVMValueRef find_leaving(struct jit_emitter *e, struct jit_mask leave, struct jit_mask stay, LLVMValueRef *any)
{
    LLVMBuilderRef b = e->build;
    const uint32_t around = jit_around(e);
    if (around == SCH_FLOW_NONE || !e->plan.constructs[around].tracked) {
        *any = jit_mask_any(e, stay);
        return jit_mask_any(e, leave);
    }
    const struct jit_construct *loop = &e->plan.constructs[around];
    LLVMValueRef bits = jit_mask_bits(e, stay), before = jit_get(e, loop->bits, e->i32);
    LLVMBuildStore(b, bits, loop->bits);
    *any = LLVMBuildICmp(b, LLVMIntNE, bits, jit_word(e, 0), "");
    return LLVMBuildICmp(b, LLVMIntNE, bits, before, "");
}

/* IF BRK ENDIF without branches: the lanes that leave are taken out, and the others continue. What is counted as
 * executed without condition is one too many where no lane leaves; where the work is bounded, only the IF is
 * counted. */
static void leave_some(struct jit_emitter *e, instruction *in, const char *name)
{
    LLVMBuilderRef b = e->build;
    struct jit_value value;
    find_chosen(e, name, &in->src[0], 0, &value);
    struct jit_mask exec = jit_lanes(e), stay = find_staying(e, exec, &value);
    struct jit_mask leave = jit_mask_without(e, exec, stay);
    LLVMValueRef any, leaving = find_leaving(e, leave, stay, &any), some = LLVMBuildZExt(b, leaving, e->i64, "");
    LLVMValueRef executed = jit_get(e, e->executed_variable, e->i64);
    executed = LLVMBuildAdd(b, executed, LLVMBuildAdd(b, some, jit_long(e, e->request->metered ? 1 : -1ull), ""), "");
    LLVMBuildStore(b, executed, e->executed_variable);
    if (e->request->metered) watch_leaving(e, in + 1, leaving, leave);
    leave_frames(e, leave, jit_around(e), in + 1);
    jit_mask_set(e, &e->exec_variable, stay);
    jit_flush(e);
    LLVMBuildCondBr(b, any, block_of(e, in + 3), empty_block(e, in[2].reconvergence));
    e->number += 2;
}

/* All lanes that execute go the same way. Where that is not the first, they do not pass the ELSE or ENDIF that they go
 * after, which counts as executed: whoever comes there comes from the first part. */
static void begin_uniform_if(struct jit_emitter *e, instruction *in, const char *name)
{
    struct jit_construct *construct = construct_of(e, e->number);
    struct jit_value value;
    jit_read_source(e, &in->src[0], 0, &value);
    jit_operate(e, name, 0, 1, (const struct jit_value *const[]){&value}, 1, (struct jit_value *const[]){&value});
    LLVMValueRef lane = LLVMBuildExtractElement(e->build, value.part[0], jit_long(e, 0), "");
    LLVMValueRef chosen = LLVMBuildICmp(e->build, LLVMIntNE, lane, jit_word(e, 0), "");
    struct jit_mask exec = jit_lanes(e);
    jit_mask_set(e, &construct->resume, exec);
    jit_mask_set(e, &construct->waiting, jit_mask_none(e));
    jit_mask_set(e, &e->exec_variable, exec);
    jit_flush(e);
    LLVMBasicBlockRef other = jit_new_block(e);
    LLVMBuildCondBr(e->build, chosen, block_of(e, in + 1), other);
    LLVMPositionBuilderAtEnd(e->build, other);
    count_passed(e, in->reconvergence);
    LLVMBuildBr(e->build, block_of(e, in->reconvergence + 1));
}

static void begin_condition(struct jit_emitter *e, instruction *in, const char *name)
{
    const struct jit_construct *construct = construct_of(e, e->number);
    if (e->plan.uniformity.same_way[e->flow->links[e->number].construct])
        begin_uniform_if(e, in, name);
    else if (construct->exits)
        leave_some(e, in, name);
    else
        begin_if(e, in, name);
}

/* ---- loops ---- */

static void begin_loop(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = construct_of(e, e->number);
    struct jit_mask exec = jit_lanes(e);
    jit_mask_set(e, &construct->resume, exec);
    jit_mask_set(e, &construct->waiting, exec);
    jit_mask_set(e, &e->exec_variable, exec);
    if (construct->tracked) {
        construct->bits = jit_variable(e, e->i32, "bits");
        LLVMBuildStore(e->build, jit_mask_bits(e, exec), construct->bits);
    }
    const bool follows =
        construct->tracked && e->has_avx2_masks && !jit_is_whole(e, e->flow->links[e->number].construct);
    for (unsigned v = 0; v < e->vectors && follows; v++) {
        construct->followed[v] = jit_variable(e, e->vector, "followed");
        LLVMValueRef lanes = LLVMBuildSExt(e->build, jit_mask_vector(e, &exec, v), e->vector, "");
        LLVMBuildStore(e->build, lanes, construct->followed[v]);
    }
    jit_end_block(e, block_of(e, in + 1));
}

static void end_loop(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = innermost(e);
    LLVMBasicBlockRef none = behind(e, construct);
    struct jit_mask exec = is_simple(construct) ? jit_lanes(e) : frame_mask(e, &construct->waiting);
    if (jit_is_whole(e, jit_around(e))) exec = jit_mask_all(e);
    jit_flush(e);
    if (!is_simple(construct)) {
        LLVMBasicBlockRef some = jit_new_block(e);
        go_either(e, exec, some, none);
        LLVMPositionBuilderAtEnd(e->build, some);
    }
    exec = spend(e, jit_word(e, in->number), exec, none);
    jit_mask_set(e, &e->exec_variable, exec);
    LLVMBuildBr(e->build, block_of(e, in->target));
    LLVMPositionBuilderAtEnd(e->build, none);
    join(e, in);
}

/* All lanes leave: after the loop, or for its next iteration. The ends and ELSE in between count as executed. */
static void leave_whole(struct jit_emitter *e, instruction *in)
{
    instruction *end = &e->program->instructions[construct_of(e, e->number)->is->end], *passed = in->reconvergence;
    for (; passed != end; passed = passed->reconvergence) count_passed(e, passed);
    bool behind = in->opcode == SCH_OP_BRK;
    if (behind) count_passed(e, end);
    jit_mask_set(e, &e->exec_variable, jit_mask_all(e));
    jit_end_block(e, block_of(e, end + behind));
}

static void leave_loop(struct jit_emitter *e, instruction *in)
{
    if (jit_is_whole(e, jit_around(e))) {
        leave_whole(e, in);
        return;
    }
    leave_frames(e, jit_lanes(e), jit_around(e), in);
    go_wake(e, in);
}

/* ---- switches ---- */

/* The lanes whose value is that of a CASE, an immediate. */
static struct jit_mask equal(struct jit_emitter *e, const struct jit_value *value, instruction *label)
{
    struct jit_value other, result;
    jit_read_source(e, &label->src[0], 0, &other);
    jit_operate(e, "USEQ", 0, 2, (const struct jit_value *const[]){value, &other}, 1,
                (struct jit_value *const[]){&result});
    return jit_mask_of_lanes(e, &result);
}

static void begin_switch(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = construct_of(e, e->number);
    struct jit_value value;
    jit_read_source(e, &in->src[0], 0, &value);
    struct jit_mask exec = jit_lanes(e), unmatched = exec;
    for (instruction *label = in->reconvergence; label->opcode != SCH_OP_ENDSWITCH; label = label->reconvergence)
        if (label->opcode == SCH_OP_CASE) unmatched = jit_mask_without(e, unmatched, equal(e, &value, label));
    for (unsigned v = 0; v < e->vectors; v++) LLVMBuildStore(e->build, value.part[v], construct->value[v]);
    jit_mask_set(e, &construct->resume, exec);
    jit_mask_set(e, &construct->waiting, exec);
    jit_mask_set(e, &construct->fallback, unmatched);
    go_wake(e, in); /* what comes before the first label never runs */
}

static void enter_label(struct jit_emitter *e, instruction *in, struct jit_mask lanes)
{
    struct jit_construct *construct = innermost(e);
    struct jit_mask entering = jit_mask_and(e, lanes, frame_mask(e, &construct->waiting));
    remove_lanes(e, &construct->waiting, entering);
    go_next(e, in, jit_mask_or(e, jit_lanes(e), entering));
}

static void begin_case(struct jit_emitter *e, instruction *in)
{
    struct jit_value value;
    for (unsigned v = 0; v < e->vectors; v++) value.part[v] = jit_get(e, innermost(e)->value[v], e->vector);
    enter_label(e, in, equal(e, &value, in));
}

/* ---- subroutines, the end ---- */

/* What each call does before its subroutine: the lanes are charged, and `exec` has those that go in. */
static void enter(struct jit_emitter *e, struct jit_construct *construct, struct jit_mask exec)
{
    jit_mask_set(e, &e->exec_variable, exec);
    jit_mask_set(e, &construct->resume, exec);
    LLVMBuildBr(e->build, e->blocks[construct->is->opener + 1]);
}

/* In large programs that code exists once for each subroutine: a place that calls it says who it is. Where no lane has
 * budget left it returns at once. */
static LLVMBasicBlockRef entrance(struct jit_emitter *e, struct jit_construct *construct)
{
    if (construct->entrance) return construct->entrance;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->build);
    construct->entrance = jit_new_block(e);
    LLVMPositionBuilderAtEnd(e->build, construct->entrance);
    LLVMValueRef in = jit_get(e, e->caller_variable, e->i32);
    struct jit_mask exec = jit_mask_get(e, &e->exec_variable);
    enter(e, construct, spend(e, in, exec, LLVMGetInstructionParent(construct->back)));
    LLVMPositionBuilderAtEnd(e->build, here);
    return construct->entrance;
}

static void call(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = construct_of(e, e->number);
    struct jit_mask before = jit_lanes(e);
    LLVMValueRef number = jit_word(e, construct->sites++);
    LLVMBasicBlockRef back = jit_new_block(e);
    jit_flush(e);
    if (e->quick) {
        jit_mask_set(e, &e->exec_variable, before);
        LLVMBuildStore(e->build, number, construct->site);
        LLVMBuildStore(e->build, jit_word(e, in->number), e->caller_variable);
        LLVMBuildBr(e->build, entrance(e, construct));
    } else {
        struct jit_mask exec = spend(e, jit_word(e, in->number), before, empty_block(e, in->reconvergence));
        LLVMBuildStore(e->build, number, construct->site);
        enter(e, construct, exec);
    }

    /* Back after the CAL, or, when no lane returns, where the caller's other lanes continue. */
    LLVMPositionBuilderAtEnd(e->build, back);
    struct jit_mask returned = jit_mask_get(e, &e->exec_variable);
    go_either(e, returned, block_of(e, in + 1), empty_block(e, in->reconvergence));
    LLVMAddCase(construct->back, number, back);
}

static void end_subroutine(struct jit_emitter *e)
{
    struct jit_construct *construct = innermost(e);
    jit_mask_set(e, &e->exec_variable, frame_mask(e, &construct->resume));
    jit_end_block(e, LLVMGetInstructionParent(construct->back));
}

/* The switches that return are in blocks of their own, as calls may precede or follow the subroutine. */
void jit_make_returns(struct jit_emitter *e)
{
    if (e->quick) e->caller_variable = jit_variable(e, e->i32, "caller");
    for (uint32_t i = 0; i < e->flow->construct_count; i++) {
        struct jit_construct *construct = &e->plan.constructs[i];
        if (construct->is->kind != SCH_CONSTRUCT_SUB) continue;
        LLVMPositionBuilderAtEnd(e->build, jit_new_block(e));
        construct->back = LLVMBuildSwitch(e->build, jit_get(e, construct->site, e->i32), e->fail, 0);
    }
}

static void return_lanes(struct jit_emitter *e, instruction *in)
{
    struct jit_mask lanes = jit_lanes(e);
    const uint32_t stays = e->flow->links[e->number].construct; /* a subroutine, or none */
    for (uint32_t at = jit_around(e); at != stays; at = e->flow->constructs[at].outer)
        leave(e, &e->plan.constructs[at], lanes);
    go_wake(e, in);
}

static void end_lanes(struct jit_emitter *e, instruction *in)
{
    if (jit_around(e) == SCH_FLOW_NONE) {
        jit_end_block(e, e->finish);
        return;
    }
    end_these(e, jit_exec(e));
    go_wake(e, in);
}

/* ---- fragments that are discarded ---- */

/* The quads, as their four bits, in which `lanes` has a bit. */
static LLVMValueRef whole_quads(struct jit_emitter *e, LLVMValueRef lanes)
{
    LLVMBuilderRef b = e->build;
    LLVMValueRef pairs = LLVMBuildOr(b, lanes, LLVMBuildLShr(b, lanes, jit_word(e, 1), ""), "");
    LLVMValueRef quads = LLVMBuildOr(b, pairs, LLVMBuildLShr(b, pairs, jit_word(e, 2), ""), "");
    return LLVMBuildMul(b, LLVMBuildAnd(b, quads, jit_word(e, 0x11111111u), ""), jit_word(e, 15), "");
}

/* As kill_lanes of exec/control.c. */
static struct jit_mask kill_lanes(struct jit_emitter *e, struct jit_mask killed)
{
    LLVMBuilderRef b = e->build;
    LLVMValueRef lanes = jit_mask_bits(e, killed);
    LLVMValueRef helpers = LLVMBuildOr(b, jit_get(e, e->helpers_variable, e->i32), lanes, "");
    LLVMBuildStore(b, helpers, e->helpers_variable);
    LLVMValueRef over = lanes;
    if (e->request->quads) {
        LLVMValueRef needed = whole_quads(e, outside(e, e->present, helpers));
        over = whole_quads(e, outside(e, lanes, needed));
    }
    end_these(e, over);
    return jit_mask_without(e, jit_lanes(e), jit_mask_of_bits(e, over));
}

static void kill_some(struct jit_emitter *e, instruction *in)
{
    struct jit_mask lanes = jit_mask_none(e), exec = jit_lanes(e);
    for (unsigned c = 0; c < 4; c++) {
        unsigned earlier = 0;
        while (in->src[0].swizzle[earlier] != in->src[0].swizzle[c]) earlier++;
        if (earlier < c) continue;
        lanes = jit_mask_or(e, lanes, condition(e, "negative_f32", &in->src[0], c));
    }
    lanes = jit_mask_and(e, lanes, exec);
    LLVMBasicBlockRef some = jit_new_block(e);
    jit_mask_set(e, &e->exec_variable, exec);
    jit_flush(e);
    go_either(e, lanes, some, block_of(e, in + 1));
    LLVMPositionBuilderAtEnd(e->build, some);
    go_next(e, in, kill_lanes(e, lanes));
}

static void demote(struct jit_emitter *e)
{
    LLVMValueRef helpers = jit_get(e, e->helpers_variable, e->i32);
    LLVMBuildStore(e->build, LLVMBuildOr(e->build, helpers, jit_exec(e), ""), e->helpers_variable);
}

/* ---- barriers ---- */

static void barrier(struct jit_emitter *e, instruction *in)
{
    LLVMBasicBlockRef wait = jit_new_block(e), missing = jit_new_block(e);
    LLVMValueRef exec = jit_exec(e), helpers = jit_get(e, e->helpers_variable, e->i32);
    jit_mask_set(e, &e->exec_variable, jit_lanes(e));
    jit_flush(e);
    LLVMValueRef absent = outside(e, outside(e, e->present, helpers), exec);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntEQ, absent, jit_word(e, 0), ""), wait, missing);

    /* As sch_exec_BARRIER. */
    LLVMPositionBuilderAtEnd(e->build, missing);
    jit_set_field(e, offsetof(struct sch_group, exec), exec);
    jit_set_field(e, offsetof(struct sch_group, helpers), helpers);
    jit_interpret(e, in);
    LLVMBuildBr(e->build, e->fail);

    LLVMPositionBuilderAtEnd(e->build, wait);
    LLVMValueRef at = jit_word(e, in->number + 1);
    LLVMBuildStore(e->build, at, e->resume_variable);
    LLVMAddCase(e->resume_switch, at, block_of(e, in + 1));
    LLVMBuildBr(e->build, e->save);
}

/* ---- failing ---- */

/* The handler says where the run failed; where only helpers come here, they end. */
static void abort_run(struct jit_emitter *e, instruction *in)
{
    jit_show_masks(e);
    jit_interpret(e, in);
    LLVMBasicBlockRef go_on = jit_new_block(e);
    _Static_assert(sizeof((struct sch_group){0}.failure) == sizeof(uint32_t), "an enumeration");
    LLVMValueRef failure = jit_field(e, e->i32, offsetof(struct sch_group, failure));
    LLVMValueRef good = LLVMBuildICmp(e->build, LLVMIntEQ, failure, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, good, go_on, e->fail);
    LLVMPositionBuilderAtEnd(e->build, go_on);
    end_these(e, jit_exec(e));
    go_wake(e, in);
}

/* ---- the instructions ---- */

bool jit_flow(struct jit_emitter *e, instruction *in)
{
    switch (in->opcode) {
    case SCH_OP_IF:
    case SCH_OP_UIF:
        begin_condition(e, in, in->opcode == SCH_OP_IF ? "nonzero_f32" : "nonzero_u32");
        return true;
    case SCH_OP_ELSE:
        if (e->plan.uniformity.same_way[jit_around(e)])
            go_wake(e, in);
        else
            go_next(e, in, frame_mask(e, &innermost(e)->waiting));
        return true;
    case SCH_OP_ENDIF:
    case SCH_OP_ENDSWITCH:
        join(e, in);
        return true;
    case SCH_OP_BGNLOOP:
        begin_loop(e, in);
        return true;
    case SCH_OP_ENDLOOP:
        end_loop(e, in);
        return true;
    case SCH_OP_BRK:
    case SCH_OP_CONT:
        leave_loop(e, in);
        return true;
    case SCH_OP_SWITCH:
        begin_switch(e, in);
        return true;
    case SCH_OP_CASE:
        begin_case(e, in);
        return true;
    case SCH_OP_DEFAULT:
        enter_label(e, in, jit_mask_get(e, &innermost(e)->fallback));
        return true;
    case SCH_OP_CAL:
        call(e, in);
        return true;
    case SCH_OP_BGNSUB:
        jit_mask_set(e, &e->exec_variable, jit_lanes(e));
        jit_end_block(e, block_of(e, in->reconvergence + 1));
        return true;
    case SCH_OP_ENDSUB:
        end_subroutine(e);
        return true;
    case SCH_OP_RET:
        return_lanes(e, in);
        return true;
    case SCH_OP_END:
        end_lanes(e, in);
        return true;
    case SCH_OP_KILL:
        go_next(e, in, kill_lanes(e, jit_lanes(e)));
        return true;
    case SCH_OP_KILL_IF:
        kill_some(e, in);
        return true;
    case SCH_OP_DEMOTE:
        demote(e);
        return true;
    case SCH_OP_BARRIER:
        barrier(e, in);
        return true;
    case SCH_OP_ABORT:
        abort_run(e, in);
        return true;
    case SCH_OP_NOP:
    case SCH_OP_MEMBAR:
        return true;
    default:
        return false;
    }
}
