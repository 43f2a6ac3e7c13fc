/* Control flow: the steps of exec/control.c on masks that are variables of the code. A frame is static, as no construct
 * is open twice at once: its masks are variables that belong to the construct. Where the interpreter takes lanes that
 * end out of every frame, code takes them out of `alive`, and every mask that is read from a frame is cut to that: the
 * frames' masks only ever lose lanes, so both are the same. */
#include "jit/emit.h"

#include <stddef.h>

typedef const struct sch_exec_instruction instruction;

/* ---- frames ---- */

/* Written when the construct opens, read until it closes: with one store, each is cheap to make a register of. */
void jit_make_frames(struct jit_emitter *e)
{
    for (uint32_t i = 0; i < e->plan.construct_count; i++) {
        struct jit_construct *construct = &e->plan.constructs[i];
        LLVMValueRef *masks[] = {&construct->resume, &construct->waiting, &construct->fallback, &construct->site};
        for (unsigned m = 0; m < sizeof masks / sizeof *masks; m++) *masks[m] = jit_variable(e, e->i32, "");
        for (unsigned v = 0; v < e->vectors && construct->kind == SCH_FRAME_SWITCH; v++)
            construct->value[v] = jit_variable(e, e->vector, "");
    }
}

static LLVMValueRef get(struct jit_emitter *e, LLVMValueRef variable) { return jit_get(e, variable, e->i32); }

static void set(struct jit_emitter *e, LLVMValueRef variable, LLVMValueRef value)
{
    LLVMBuildStore(e->build, value, variable);
}

static LLVMValueRef both(struct jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAnd(e->build, a, b, "");
}

static LLVMValueRef without(struct jit_emitter *e, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildAnd(e->build, a, LLVMBuildNot(e->build, b, ""), "");
}

static void remove_lanes(struct jit_emitter *e, LLVMValueRef variable, LLVMValueRef lanes)
{
    set(e, variable, without(e, get(e, variable), lanes));
}

/* A mask of a frame, without lanes that have ended. */
static LLVMValueRef frame_mask(struct jit_emitter *e, LLVMValueRef variable)
{
    LLVMValueRef mask = get(e, variable);
    return e->plan.ends_lanes || !e->request->full ? both(e, mask, get(e, e->alive_variable)) : mask;
}

static void leave(struct jit_emitter *e, const struct jit_construct *construct, LLVMValueRef lanes)
{
    remove_lanes(e, construct->resume, lanes);
    remove_lanes(e, construct->waiting, lanes);
    if (construct->kind == SCH_FRAME_SWITCH) remove_lanes(e, construct->fallback, lanes);
}

static struct jit_construct *opened_by(struct jit_emitter *e, uint32_t opener)
{
    /* Constructs are listed in the order of their openers. */
    uint32_t low = 0, high = e->plan.construct_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (e->plan.constructs[middle].opener <= opener)
            low = middle;
        else
            high = middle;
    }
    return &e->plan.constructs[low];
}

static struct jit_construct *innermost(struct jit_emitter *e) { return &e->plan.constructs[e->plan.around[e->number]]; }

/* ---- blocks ---- */

static LLVMBasicBlockRef block_of(struct jit_emitter *e, instruction *in)
{
    return e->blocks[in - e->program->instructions];
}

static LLVMBasicBlockRef new_block(struct jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->module->context, e->function, "");
}

void jit_end_block(struct jit_emitter *e, LLVMBasicBlockRef next)
{
    jit_flush(e);
    LLVMBuildBr(e->build, next);
}

/* Sets the mask; goes on at `next`, or where lanes can go on when none runs. */
static void go(struct jit_emitter *e, LLVMValueRef exec, LLVMBasicBlockRef next, instruction *wake)
{
    set(e, e->exec_variable, exec);
    jit_flush(e);
    if (next == block_of(e, wake)) {
        LLVMBuildBr(e->build, next);
        return;
    }
    LLVMValueRef any = LLVMBuildICmp(e->build, LLVMIntNE, exec, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, any, next, block_of(e, wake));
}

static void go_next(struct jit_emitter *e, instruction *in, LLVMValueRef exec)
{
    go(e, exec, block_of(e, in + 1), in->wake);
}

/* No lane runs. */
static void go_wake(struct jit_emitter *e, instruction *in)
{
    set(e, e->exec_variable, jit_word(e, 0));
    jit_end_block(e, block_of(e, in->wake));
}

static void join(struct jit_emitter *e, instruction *in) { go_next(e, in, frame_mask(e, innermost(e)->resume)); }

/* The first way of a branch is the usual one: what the other needs is not kept in registers for it. */
static void expect(struct jit_emitter *e, LLVMValueRef branch)
{
    LLVMContextRef context = e->module->context;
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, "branch_weights", 14),
                               LLVMValueAsMetadata(jit_word(e, 1 << 20)), LLVMValueAsMetadata(jit_word(e, 1))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "prof", 4), LLVMMetadataAsValue(context, node));
}

/* ---- the budget ---- */

/* Each lane may make machine->budget steps, and the one that has none left fails at its place. `owed` counts the steps
 * of each lane, `steps` all steps; while those are fewer than what the poorest lane had left when they were last
 * settled
 * (`limit`), no lane can be without. */
enum { MOST_STEPS = 1 << 30 };

void jit_open_budget(struct jit_emitter *e)
{
    LLVMBuilderRef b = e->entry;
    LLVMValueRef index = jit_long(e, offsetof(struct sch_exec_machine, budget)), most = jit_long(e, MOST_STEPS);
    LLVMValueRef budget =
        LLVMBuildLoad2(b, e->i64, LLVMBuildInBoundsGEP2(b, e->i8, e->machine, &index, 1, ""), "budget");
    LLVMValueRef less = LLVMBuildICmp(b, LLVMIntULT, budget, most, "");
    e->steps_variable = jit_variable(e, e->i64, "steps");
    e->limit_variable = jit_variable(e, e->i64, "limit");
    LLVMBuildStore(b, jit_long(e, 0), e->steps_variable);
    LLVMBuildStore(b, LLVMBuildSelect(b, less, budget, most, ""), e->limit_variable);
    for (unsigned v = 0; v < e->vectors; v++) {
        e->owed[v] = jit_variable(e, e->vector, "owed");
        LLVMBuildStore(b, LLVMConstNull(e->vector), e->owed[v]);
    }
}

/* Calls the runtime; goes to `fail`, or on here with the mask of the lanes that are left. */
static LLVMValueRef settle(struct jit_emitter *e, instruction *in, LLVMValueRef exec)
{
    LLVMBuilderRef b = e->build;
    if (!e->settled) e->settled = jit_variable(e, LLVMArrayType2(e->i32, SCH_GROUP_LANES), "settled");
    LLVMSetAlignment(e->settled, 64);
    jit_set_field(e, offsetof(struct sch_exec_machine, exec), exec);
    jit_set_field(e, offsetof(struct sch_exec_machine, helpers), get(e, e->helpers_variable));
    for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, jit_get(e, e->owed[v], e->vector), e->settled, v);
    LLVMTypeRef parameters[4] = {e->pointer, e->pointer, e->i32, e->pointer};
    LLVMTypeRef type = LLVMFunctionType(e->i1, parameters, 4, false);
    LLVMValueRef function =
        LLVMBuildLoad2(b, e->pointer, jit_at(e, e->runtime, offsetof(struct sch_native_runtime, spend)), "spend");
    LLVMValueRef alive = get(e, e->alive_variable);
    LLVMValueRef arguments[4] = {e->machine, jit_instruction(e, in), alive, e->settled};
    LLVMValueRef call = LLVMBuildCall2(b, type, function, arguments, 4, "");
    unsigned zeroext = LLVMGetEnumAttributeKindForName("zeroext", 7);
    LLVMAddCallSiteAttribute(call, LLVMAttributeReturnIndex, LLVMCreateEnumAttribute(e->module->context, zeroext, 0));
    LLVMBasicBlockRef good = new_block(e);
    LLVMBuildCondBr(b, call, good, e->fail);

    LLVMPositionBuilderAtEnd(b, good);
    for (unsigned v = 0; v < e->vectors; v++) LLVMBuildStore(b, jit_load_vector(e, e->settled, v, false), e->owed[v]);
    set(e, e->limit_variable, jit_field(e, e->i64, offsetof(struct sch_exec_machine, room)));
    set(e, e->steps_variable, jit_long(e, 1));
    LLVMValueRef left = jit_field(e, e->i32, offsetof(struct sch_exec_machine, exec));
    remove_lanes(e, e->alive_variable, without(e, exec, left));
    return left;
}

/* Charges the lanes `exec` for `in`; the mask of those that go on. */
static LLVMValueRef spend(struct jit_emitter *e, instruction *in, LLVMValueRef exec)
{
    LLVMBuilderRef b = e->build;
    LLVMBasicBlockRef fast = new_block(e), slow = new_block(e), go_on = new_block(e);
    LLVMValueRef steps = jit_get(e, e->steps_variable, e->i64), limit = jit_get(e, e->limit_variable, e->i64);
    expect(e, LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, steps, limit, ""), fast, slow));

    LLVMPositionBuilderAtEnd(b, fast);
    set(e, e->steps_variable, LLVMBuildAdd(b, steps, jit_long(e, 1), ""));
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef owed = jit_get(e, e->owed[v], e->vector);
        LLVMValueRef more = LLVMBuildAdd(b, owed, jit_splat_word(e, 1), "");
        set(e, e->owed[v], LLVMBuildSelect(b, jit_vector_bits(e, exec, v), more, owed, ""));
    }
    LLVMBuildBr(b, go_on);

    LLVMPositionBuilderAtEnd(b, slow);
    LLVMValueRef left = settle(e, in, exec);
    LLVMBasicBlockRef settled = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, go_on);

    LLVMPositionBuilderAtEnd(b, go_on);
    LLVMValueRef merged = LLVMBuildPhi(b, e->i32, "");
    LLVMValueRef values[2] = {exec, left};
    LLVMBasicBlockRef from[2] = {fast, settled};
    LLVMAddIncoming(merged, values, from, 2);
    return merged;
}

/* ---- conditions ---- */

static LLVMValueRef condition(struct jit_emitter *e, const char *name, const struct sch_exec_src *src, unsigned c)
{
    struct jit_value value;
    jit_read_source(e, src, c, &value);
    jit_operate(e, name, 0, 1, (const struct jit_value *const[]){&value}, 1, (struct jit_value *const[]){&value});
    return jit_bits_of(e, &value);
}

static void begin_if(struct jit_emitter *e, instruction *in, const char *name)
{
    LLVMValueRef chosen = condition(e, name, &in->src[0], 0), exec = jit_exec(e);
    struct jit_construct *construct = opened_by(e, e->number);
    set(e, construct->resume, exec);
    set(e, construct->waiting, without(e, exec, chosen));
    go_next(e, in, both(e, exec, chosen));
}

/* ---- loops ---- */

static void begin_loop(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = opened_by(e, e->number);
    LLVMValueRef exec = jit_exec(e);
    set(e, construct->resume, exec);
    set(e, construct->waiting, exec);
    set(e, e->exec_variable, exec);
    jit_end_block(e, block_of(e, in + 1));
}

static void end_loop(struct jit_emitter *e, instruction *in)
{
    LLVMBasicBlockRef some = new_block(e), none = new_block(e);
    LLVMValueRef exec = frame_mask(e, innermost(e)->waiting);
    jit_flush(e);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntNE, exec, jit_word(e, 0), ""), some, none);
    LLVMPositionBuilderAtEnd(e->build, some);
    exec = spend(e, in, exec);
    set(e, e->exec_variable, exec);
    LLVMValueRef any = LLVMBuildICmp(e->build, LLVMIntNE, exec, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, any, block_of(e, in->target), none);
    LLVMPositionBuilderAtEnd(e->build, none);
    join(e, in);
}

static void leave_loop(struct jit_emitter *e, instruction *in, bool switches)
{
    LLVMValueRef lanes = jit_exec(e);
    for (int32_t at = e->plan.around[e->number]; at != JIT_NONE; at = e->plan.constructs[at].outer) {
        struct jit_construct *construct = &e->plan.constructs[at];
        bool stays = construct->kind == SCH_FRAME_LOOP || (switches && construct->kind == SCH_FRAME_SWITCH);
        if (stays && switches) remove_lanes(e, construct->waiting, lanes);
        if (stays) break;
        leave(e, construct, lanes);
    }
    go_wake(e, in);
}

/* ---- switches ---- */

static LLVMValueRef equal(struct jit_emitter *e, const struct jit_value *value, uint32_t word)
{
    struct jit_value other, result;
    for (unsigned v = 0; v < e->vectors; v++) other.part[v] = jit_splat_word(e, word);
    jit_operate(e, "USEQ", 0, 2, (const struct jit_value *const[]){value, &other}, 1,
                (struct jit_value *const[]){&result});
    return jit_bits_of(e, &result);
}

static void begin_switch(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = opened_by(e, e->number);
    struct jit_value value;
    jit_read_source(e, &in->src[0], 0, &value);
    LLVMValueRef exec = jit_exec(e), unmatched = exec;
    for (instruction *label = in->wake; label->opcode != SCH_OP_ENDSWITCH; label = label->wake)
        if (label->opcode == SCH_OP_CASE) unmatched = without(e, unmatched, equal(e, &value, label->word));
    for (unsigned v = 0; v < e->vectors; v++) set(e, construct->value[v], value.part[v]);
    set(e, construct->resume, exec);
    set(e, construct->waiting, exec);
    set(e, construct->fallback, unmatched);
    go_wake(e, in); /* what stands before the first label never runs */
}

static void enter_label(struct jit_emitter *e, instruction *in, LLVMValueRef lanes)
{
    struct jit_construct *construct = innermost(e);
    LLVMValueRef entering = both(e, lanes, frame_mask(e, construct->waiting));
    remove_lanes(e, construct->waiting, entering);
    go_next(e, in, LLVMBuildOr(e->build, jit_exec(e), entering, ""));
}

static void begin_case(struct jit_emitter *e, instruction *in)
{
    struct jit_value value;
    for (unsigned v = 0; v < e->vectors; v++) value.part[v] = jit_get(e, innermost(e)->value[v], e->vector);
    enter_label(e, in, equal(e, &value, in->word));
}

/* ---- subroutines, the end ---- */

static void call(struct jit_emitter *e, instruction *in)
{
    struct jit_construct *construct = opened_by(e, (uint32_t)(in->target - e->program->instructions) - 1);
    LLVMValueRef before = jit_exec(e);
    jit_flush(e);
    LLVMValueRef exec = spend(e, in, before), number = jit_word(e, construct->sites++);
    LLVMBasicBlockRef enter = new_block(e), back = new_block(e);
    set(e, e->exec_variable, exec);
    LLVMValueRef any = LLVMBuildICmp(e->build, LLVMIntNE, exec, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, any, enter, block_of(e, in->wake));
    LLVMPositionBuilderAtEnd(e->build, enter);
    set(e, construct->resume, exec);
    set(e, construct->site, number);
    LLVMBuildBr(e->build, block_of(e, in->target));

    /* Back behind the CAL, or, when no lane returns, where the caller's other lanes go on. */
    LLVMPositionBuilderAtEnd(e->build, back);
    LLVMValueRef returned = get(e, e->exec_variable);
    any = LLVMBuildICmp(e->build, LLVMIntNE, returned, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, any, block_of(e, in + 1), block_of(e, in->wake));
    LLVMAddCase(construct->back, number, back);
}

static void end_subroutine(struct jit_emitter *e)
{
    struct jit_construct *construct = innermost(e);
    set(e, e->exec_variable, frame_mask(e, construct->resume));
    jit_end_block(e, LLVMGetInstructionParent(construct->back));
}

/* The switches that return stand in blocks of their own, as calls may precede or follow the subroutine. */
void jit_make_returns(struct jit_emitter *e)
{
    for (uint32_t i = 0; i < e->plan.construct_count; i++) {
        struct jit_construct *construct = &e->plan.constructs[i];
        if (construct->kind != SCH_FRAME_CALL) continue;
        LLVMPositionBuilderAtEnd(e->build, new_block(e));
        construct->back = LLVMBuildSwitch(e->build, get(e, construct->site), e->fail, 0);
    }
}

static void return_lanes(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef lanes = jit_exec(e);
    for (int32_t at = e->plan.around[e->number]; at != JIT_NONE; at = e->plan.constructs[at].outer) {
        if (e->plan.constructs[at].kind == SCH_FRAME_CALL) break;
        leave(e, &e->plan.constructs[at], lanes);
    }
    go_wake(e, in);
}

static void end_lanes(struct jit_emitter *e, instruction *in)
{
    if (e->plan.around[e->number] == JIT_NONE) {
        jit_end_block(e, e->finish);
        return;
    }
    remove_lanes(e, e->alive_variable, jit_exec(e));
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
static LLVMValueRef kill_lanes(struct jit_emitter *e, LLVMValueRef lanes)
{
    LLVMBuilderRef b = e->build;
    LLVMValueRef helpers = LLVMBuildOr(b, get(e, e->helpers_variable), lanes, ""), over = lanes;
    set(e, e->helpers_variable, helpers);
    if (e->request->quads) {
        LLVMValueRef needed = whole_quads(e, without(e, e->present, helpers));
        over = whole_quads(e, without(e, lanes, needed));
    }
    remove_lanes(e, e->alive_variable, over);
    return without(e, jit_exec(e), over);
}

static void kill_some(struct jit_emitter *e, instruction *in)
{
    LLVMValueRef lanes = NULL;
    for (unsigned c = 0; c < 4; c++) {
        unsigned earlier = 0;
        while (in->src[0].swizzle[earlier] != in->src[0].swizzle[c]) earlier++;
        if (earlier < c) continue;
        LLVMValueRef some = condition(e, "negative_f32", &in->src[0], c);
        lanes = lanes ? LLVMBuildOr(e->build, lanes, some, "") : some;
    }
    LLVMValueRef exec = jit_exec(e);
    lanes = both(e, lanes, exec);
    LLVMBasicBlockRef some = new_block(e);
    set(e, e->exec_variable, exec);
    jit_flush(e);
    LLVMValueRef any = LLVMBuildICmp(e->build, LLVMIntNE, lanes, jit_word(e, 0), "");
    LLVMBuildCondBr(e->build, any, some, block_of(e, in + 1));
    LLVMPositionBuilderAtEnd(e->build, some);
    go_next(e, in, kill_lanes(e, lanes));
}

static void demote(struct jit_emitter *e)
{
    set(e, e->helpers_variable, LLVMBuildOr(e->build, get(e, e->helpers_variable), jit_exec(e), ""));
}

/* ---- barriers ---- */

static void barrier(struct jit_emitter *e, instruction *in)
{
    LLVMBasicBlockRef wait = new_block(e), missing = new_block(e);
    LLVMValueRef exec = jit_exec(e), helpers = get(e, e->helpers_variable);
    set(e, e->exec_variable, exec);
    jit_flush(e);
    LLVMValueRef absent = without(e, without(e, e->present, helpers), exec);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntEQ, absent, jit_word(e, 0), ""), wait, missing);

    /* As sch_exec_BARRIER. */
    LLVMPositionBuilderAtEnd(e->build, missing);
    jit_set_field(e, offsetof(struct sch_exec_machine, exec), exec);
    jit_set_field(e, offsetof(struct sch_exec_machine, helpers), helpers);
    LLVMTypeRef parameters[2] = {e->pointer, e->pointer};
    LLVMValueRef arguments[2] = {e->machine, jit_instruction(e, in)};
    LLVMValueRef handler = LLVMBuildLoad2(
        e->build, e->pointer, jit_at(e, arguments[1], offsetof(struct sch_exec_instruction, run)), "handler");
    LLVMBuildCall2(e->build, LLVMFunctionType(e->pointer, parameters, 2, false), handler, arguments, 2, "");
    LLVMBuildBr(e->build, e->fail);

    LLVMPositionBuilderAtEnd(e->build, wait);
    uint64_t at = (uint64_t)((const char *)(in + 1) - (const char *)e->program->instructions);
    set(e, e->resume_variable, jit_long(e, at));
    LLVMAddCase(e->resume_switch, jit_long(e, at), block_of(e, in + 1));
    LLVMBuildBr(e->build, e->save);
}

/* ---- failing ---- */

/* The handler says where the run failed; where only helpers come here, they end. */
static void abort_run(struct jit_emitter *e, instruction *in)
{
    jit_call_handler(e, in);
    LLVMBasicBlockRef go_on = new_block(e);
    LLVMTypeRef type = LLVMIntTypeInContext(e->module->context, 8 * sizeof((struct sch_exec_machine){0}.failure));
    LLVMValueRef failure = jit_field(e, type, offsetof(struct sch_exec_machine, failure));
    LLVMValueRef good = LLVMBuildICmp(e->build, LLVMIntEQ, failure, LLVMConstNull(type), "");
    LLVMBuildCondBr(e->build, good, go_on, e->fail);
    LLVMPositionBuilderAtEnd(e->build, go_on);
    remove_lanes(e, e->alive_variable, jit_exec(e));
    go_wake(e, in);
}

/* ---- the instructions ---- */

bool jit_flow(struct jit_emitter *e, instruction *in)
{
    switch (in->opcode) {
    case SCH_OP_IF:
        begin_if(e, in, "nonzero_f32");
        return true;
    case SCH_OP_UIF:
        begin_if(e, in, "nonzero_u32");
        return true;
    case SCH_OP_ELSE:
        go_next(e, in, frame_mask(e, innermost(e)->waiting));
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
        leave_loop(e, in, in->opcode == SCH_OP_BRK);
        return true;
    case SCH_OP_SWITCH:
        begin_switch(e, in);
        return true;
    case SCH_OP_CASE:
        begin_case(e, in);
        return true;
    case SCH_OP_DEFAULT:
        enter_label(e, in, get(e, innermost(e)->fallback));
        return true;
    case SCH_OP_CAL:
        call(e, in);
        return true;
    case SCH_OP_BGNSUB:
        set(e, e->exec_variable, jit_exec(e));
        jit_end_block(e, block_of(e, in->wake + 1));
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
        go_next(e, in, kill_lanes(e, jit_exec(e)));
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
