/* Code of a Maxwell program: a block of instructions is code twice, for all lanes and for some; before both, code looks
 * at the group's lanes to choose one. What parts lanes, and whatever else has no code of its own, is left to the
 * handlers, which work on the same group; the number of the instruction where they continue leads back into code. So
 * the stack of control flow, the budget and barriers are what they are for the interpreter. */
#include "jit/maxwell.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char passes[] =
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,early-cse,"
    "simplifycfg,adce)";
static const char later_passes[] = "function(instcombine<no-verify-fixpoint>,adce)";

/* ---- bounds ---- */

/* About how many of LLVM's instructions a step becomes. */
enum { WEIGHT_STEP = 6, WEIGHT_ACCESS = 60, WEIGHT_ENTRY = 40, WEIGHT_USUAL = 40000, WEIGHT_SMALL = 160000 };
enum { WEIGHT_CALL = 4, WEIGHT_BLOCK = 24, COMPACT_LIMIT = 220000 };

static size_t weigh(const struct sch_prepared *program, unsigned lanes)
{
    const size_t vectors = SCH_GROUP_LANES / lanes;
    size_t weight = 0;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const struct sch_maxwell_step *step = &program->maxwell.steps[n];
        weight += step->kind == SCH_MAXWELL_KIND_arithmetic ? WEIGHT_STEP * vectors
                  : sch_prepared_has_spot(step)             ? WEIGHT_ACCESS * vectors
                                                            : WEIGHT_STEP;
        weight += program->maxwell.starts[n] ? WEIGHT_ENTRY : 0;
    }
    return weight;
}

/* The same of compact code, whatever the width is: of blocks alone where handlers do all that is between branches. */
static size_t weigh_blocks(const struct sch_prepared *program)
{
    size_t weight = 0;
    for (uint32_t n = 0; n < program->instruction_count; n++) weight += program->maxwell.starts[n] ? WEIGHT_BLOCK : 0;
    return weight;
}

static size_t weigh_compact(const struct sch_prepared *program)
{
    return weigh_blocks(program) + WEIGHT_CALL * (size_t)program->instruction_count;
}

bool jit_maxwell_fits(const struct sch_prepared *program) { return weigh_blocks(program) <= COMPACT_LIMIT; }

/* ---- handlers ---- */

static void set_executed(struct warp *w, uint64_t count)
{
    jit_set_field(&w->e, offsetof(struct sch_group, executed),
                  LLVMBuildAdd(w->e.build, w->executed, jit_long(&w->e, count), ""));
}

/* Code continues where the handlers have succeeded. */
static void continue_if(struct warp *w, LLVMValueRef good)
{
    LLVMBasicBlockRef next = jit_new_block(&w->e);
    jit_expect(&w->e, LLVMBuildCondBr(w->e.build, good, next, w->end));
    LLVMPositionBuilderAtEnd(w->e.build, next);
}

static LLVMValueRef call_runtime(struct warp *w, size_t member, LLVMTypeRef result, uint32_t number)
{
    LLVMValueRef arguments[2] = {w->e.group, jit_word(&w->e, number)};
    return jit_call_runtime(&w->e, member, result, 2, arguments);
}

void warp_call_handler(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    set_executed(w, w->number - w->first + 1);
    continue_if(w, call_runtime(w, offsetof(struct sch_group_runtime, single), e->i1, w->number));
}

/* The handlers of the instructions that are pending. */
static void call_pending(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    const uint32_t first = w->number - w->pending;
    if (!w->pending) return;
    set_executed(w, first - w->first);
    LLVMValueRef arguments[3] = {e->group, jit_word(e, first), jit_word(e, w->pending)};
    w->pending = 0;
    continue_if(w, jit_call_runtime(e, offsetof(struct sch_group_runtime, several), e->i1, 3, arguments));
}

/* Registers that a handler writes, where it is known. */
unsigned warp_result_words(const struct sch_maxwell_step *step)
{
    enum { WORD_BYTES = 4 };
    const unsigned bytes = sch_maxwell_size_bytes(step->how.size), facts = sch_maxwell_facts_of(step);
    if (!(facts & SCH_MAXWELL_NAMED)) return 0;
    if (facts & SCH_MAXWELL_LOADS) return bytes < WORD_BYTES ? 1 : bytes / WORD_BYTES;
    if (facts & SCH_MAXWELL_UPDATES) return step->result_words < 2 ? step->result_words : 2;
    return facts & SCH_MAXWELL_WORD ? 1 : 0;
}

/* Whether a handler reads and writes nothing but what the step names. */
static bool is_plain(const struct sch_maxwell_step *step) { return sch_maxwell_facts_of(step) & SCH_MAXWELL_NAMED; }

static void store_registers(struct warp *w, unsigned first, unsigned words)
{
    for (unsigned r = first; r < first + words && r < WARP_REGISTERS; r++) warp_store(w, r);
}

void warp_store_operands(struct warp *w, const struct sch_maxwell_step *step)
{
    enum { MOST_WORDS = 4 };
    if (!is_plain(step)) {
        for (uint32_t i = 0; i < w->touched_count; i++) warp_store(w, w->touched[i]);
        return;
    }
    store_registers(w, step->base, 2);
    store_registers(w, step->result, MOST_WORDS);
    for (unsigned s = 0; s < step->source_count; s++) {
        const struct sch_maxwell_source *source = &step->source[s];
        if (source->kind == SCH_MAXWELL_FROM_REGISTER) store_registers(w, source->number, MOST_WORDS);
        if (source->kind == SCH_MAXWELL_FROM_PREDICATE && source->number < WARP_PREDICATES)
            warp_store(w, WARP_REGISTERS + source->number);
    }
    for (unsigned p = 0; p < 2; p++)
        if (step->predicate[p] < WARP_PREDICATES) warp_store(w, WARP_REGISTERS + step->predicate[p]);
    if (step->guard < WARP_PREDICATES) warp_store(w, WARP_REGISTERS + step->guard);
    if (step->test != SCH_MAXWELL_ALWAYS) warp_store(w, WARP_CC);
}

void warp_forget_results(struct warp *w, const struct sch_maxwell_step *step)
{
    if (!is_plain(step)) {
        warp_forget_all(w);
        return;
    }
    for (unsigned r = 0; r < warp_result_words(step); r++)
        if (step->result + r < WARP_REGISTERS) warp_forget(w, step->result + r);
    for (unsigned p = 0; p < 2; p++)
        if (step->predicate[p] < WARP_PREDICATES) warp_forget(w, WARP_REGISTERS + step->predicate[p]);
}

static void leave_to_handler(struct warp *w, const struct sch_maxwell_step *step)
{
    warp_store_operands(w, step);
    warp_call_handler(w);
    warp_forget_results(w, step);
}

/* ---- between blocks ---- */

static LLVMBasicBlockRef block_after(struct warp *w, uint32_t number)
{
    return w->is_whole ? w->whole[number] : w->part[number];
}

/* Handlers from an instruction on; then wherever they say. */
static void proceed(struct warp *w, uint32_t number)
{
    struct jit_emitter *e = &w->e;
    LLVMValueRef next = call_runtime(w, offsetof(struct sch_group_runtime, proceed), e->i32, number);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(e->build);
    LLVMBuildBr(e->build, w->dispatch);
    LLVMAddIncoming(w->next, &next, &here, 1);
}

/* What was written goes to memory, on one of several ways out. */
static void store_all(struct warp *w)
{
    for (uint32_t i = 0; i < w->touched_count; i++) warp_store(w, w->touched[i]);
}

/* The last instruction of the block, by its handler. */
static void end_by_handler(struct warp *w)
{
    store_all(w);
    set_executed(w, w->number - w->first);
    proceed(w, w->number);
}

static void continue_at(struct warp *w, LLVMBasicBlockRef next)
{
    store_all(w);
    set_executed(w, w->number - w->first + 1);
    LLVMBuildBr(w->e.build, next);
}

/* ---- blocks that branch to themselves ---- */

static void carry(struct warp *w, bool written[WARP_CHANNELS], unsigned channel, bool writes)
{
    if (channel >= WARP_CHANNELS) return;
    uint32_t n = 0;
    while (n < w->carried_count && w->carried[n] != channel) n++;
    if (n == w->carried_count) w->carried[w->carried_count++] = (uint16_t)channel;
    written[channel] = written[channel] || writes;
}

static void carry_registers(struct warp *w, bool written[WARP_CHANNELS], unsigned first, unsigned count, bool writes)
{
    for (unsigned r = first; r < first + count && r < WARP_REGISTERS; r++) carry(w, written, r, writes);
}

static void carry_predicate(struct warp *w, bool written[WARP_CHANNELS], unsigned number, bool writes)
{
    if (number < WARP_PREDICATES) carry(w, written, WARP_REGISTERS + number, writes);
}

static void carry_step(struct warp *w, bool written[WARP_CHANNELS], const struct sch_maxwell_step *step)
{
    const unsigned words = step->kind == SCH_MAXWELL_KIND_arithmetic ? step->result_words : warp_result_words(step);
    carry_registers(w, written, step->base, step->how.wide ? 2 : 1, false);
    for (unsigned s = 0; s < step->source_count; s++) {
        const struct sch_maxwell_source *source = &step->source[s];
        if (source->kind == SCH_MAXWELL_FROM_REGISTER)
            carry_registers(w, written, source->number, source->words, false);
        if (source->kind == SCH_MAXWELL_FROM_PREDICATE) carry_predicate(w, written, source->number, false);
    }
    carry_registers(w, written, step->result, words, true);
    carry_predicate(w, written, step->guard, false);
    if (step->test != SCH_MAXWELL_ALWAYS || step->how.extend) carry(w, written, WARP_CC, false);
    if (step->how.flags) carry(w, written, WARP_CC, true);
    for (unsigned p = 0; p < 2; p++) carry_predicate(w, written, step->predicate[p], true);
}

/* Handlers that forget everything would have all of it go through memory. */
static bool branches_to_itself(const struct warp *w, uint32_t first, uint32_t end)
{
    const struct sch_maxwell_step *last = &w->maxwell->steps[end - 1];
    if (last->kind != SCH_MAXWELL_KIND_branch || !last->known_target || last->target != first) return false;
    for (uint32_t n = first; n + 1 < end; n++) {
        const struct sch_maxwell_step *step = &w->maxwell->steps[n];
        const bool known = step->kind == SCH_MAXWELL_KIND_arithmetic || step->kind == SCH_MAXWELL_KIND_nothing ||
                           step->kind == SCH_MAXWELL_KIND_shuffle || step->kind == SCH_MAXWELL_KIND_vote ||
                           sch_prepared_has_spot(step);
        if (!known) return false;
    }
    return true;
}

/* The first turn has been let in. */
static void open_turns(struct warp *w, uint32_t first, uint32_t end)
{
    struct jit_emitter *e = &w->e;
    bool written[WARP_CHANNELS] = {false};
    struct jit_value value;
    w->carried_count = 0;
    memset(w->carriers, 0, sizeof w->carriers);
    for (uint32_t n = first; n < end; n++) carry_step(w, written, &w->maxwell->steps[n]);
    for (uint32_t i = 0; i < w->carried_count; i++) warp_read(w, w->carried[i], &value);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(e->build);
    w->turn = jit_new_block(e);
    LLVMBuildBr(e->build, w->turn);
    LLVMPositionBuilderAtEnd(e->build, w->turn);
    for (uint32_t i = 0; i < w->carried_count; i++) {
        const unsigned channel = w->carried[i];
        for (unsigned v = 0; v < e->vectors && written[channel]; v++) {
            LLVMValueRef phi = LLVMBuildPhi(e->build, e->vector, "");
            LLVMAddIncoming(phi, &w->known[channel].part[v], &before, 1);
            w->known[channel].part[v] = w->carriers[channel].part[v] = phi;
        }
        w->dirty[channel] = written[channel];
    }
    LLVMValueRef phi = LLVMBuildPhi(e->build, e->i64, "");
    LLVMAddIncoming(phi, &w->executed, &before, 1);
    w->executed = phi;
}

/* The next iteration, unless something is to be looked at before. */
static void turn_again(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    LLVMBuilderRef b = e->build;
    const uint64_t count = w->number - w->first + 1;
    LLVMBasicBlockRef again = jit_new_block(e), look = jit_new_block(e);
    LLVMValueRef executed = LLVMBuildAdd(b, w->executed, jit_long(e, count), "");
    LLVMValueRef after = LLVMBuildAdd(b, executed, jit_long(e, count), "");
    LLVMValueRef stop = jit_field(e, e->i64, offsetof(struct sch_group, stop_at));
    jit_expect(e, LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULE, after, stop, ""), again, look));
    LLVMPositionBuilderAtEnd(b, look);
    continue_at(w, w->whole[w->first]);
    LLVMPositionBuilderAtEnd(b, again);
    for (uint32_t i = 0; i < w->carried_count; i++) {
        const unsigned channel = w->carried[i];
        for (unsigned v = 0; v < e->vectors && w->carriers[channel].part[v]; v++)
            LLVMAddIncoming(w->carriers[channel].part[v], &w->known[channel].part[v], &again, 1);
    }
    LLVMAddIncoming(w->executed, &executed, &again, 1);
    LLVMBuildBr(b, w->turn);
}

/* All lanes branch: a way back costs a step of the budget. */
static void go(struct warp *w, uint32_t target)
{
    struct jit_emitter *e = &w->e;
    LLVMBuilderRef b = e->build;
    if (target <= w->number) {
        LLVMBasicBlockRef good = jit_new_block(e), slow = jit_new_block(e);
        LLVMValueRef pending = jit_field(e, e->i64, offsetof(struct sch_group, pending));
        LLVMValueRef room = jit_field(e, e->i64, offsetof(struct sch_group, room));
        LLVMValueRef payers = jit_field(e, e->i32, offsetof(struct sch_group, payers));
        LLVMValueRef same = LLVMBuildICmp(b, LLVMIntEQ, payers, w->exec, "");
        LLVMValueRef enough = LLVMBuildICmp(b, LLVMIntULT, pending, room, "");
        jit_expect(e, LLVMBuildCondBr(b, LLVMBuildAnd(b, same, enough, ""), good, slow));
        LLVMPositionBuilderAtEnd(b, slow);
        end_by_handler(w);
        LLVMPositionBuilderAtEnd(b, good);
        jit_set_field(e, offsetof(struct sch_group, pending), LLVMBuildAdd(b, pending, jit_long(e, 1), ""));
    }
    if (w->turn)
        turn_again(w);
    else
        continue_at(w, block_after(w, target));
}

/* Compact code has no function of tests of the flags. */
static bool is_left_to_handler(const struct warp *w, const struct sch_maxwell_step *step)
{
    return w->compact && step->test != SCH_MAXWELL_ALWAYS;
}

static LLVMValueRef executing_bits(struct warp *w, const struct sch_maxwell_step *step)
{
    if (w->compact) return warp_compact_lanes(w, step);
    const struct warp_lanes lanes = warp_lanes_of(w, step);
    return warp_bits(w, &lanes);
}

static void branch(struct warp *w, const struct sch_maxwell_step *step)
{
    struct jit_emitter *e = &w->e;
    LLVMBuilderRef b = e->build;
    const bool always = step->guard >= WARP_PREDICATES && !step->guard_not && step->test == SCH_MAXWELL_ALWAYS;
    if (!step->known_target || is_left_to_handler(w, step)) {
        end_by_handler(w);
        return;
    }
    if (always) {
        go(w, step->target);
        return;
    }
    LLVMValueRef bits = executing_bits(w, step);
    LLVMBasicBlockRef none = jit_new_block(e), some = jit_new_block(e), all = jit_new_block(e), both = jit_new_block(e);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, bits, jit_word(e, 0), ""), none, some);
    LLVMPositionBuilderAtEnd(b, none);
    continue_at(w, block_after(w, w->number + 1));
    LLVMPositionBuilderAtEnd(b, some);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, bits, w->exec, ""), all, both);
    LLVMPositionBuilderAtEnd(b, both);
    end_by_handler(w);
    LLVMPositionBuilderAtEnd(b, all);
    go(w, step->target);
}

/* Where some lanes' guard or test may hold: where none does, code continues. */
static void end_guarded(struct warp *w, const struct sch_maxwell_step *step)
{
    struct jit_emitter *e = &w->e;
    LLVMBuilderRef b = e->build;
    const bool always = step->guard >= WARP_PREDICATES && !step->guard_not && step->test == SCH_MAXWELL_ALWAYS;
    if (!always && !is_left_to_handler(w, step)) {
        LLVMBasicBlockRef none = jit_new_block(e), some = jit_new_block(e);
        LLVMValueRef bits = executing_bits(w, step);
        LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, bits, jit_word(e, 0), ""), none, some);
        LLVMPositionBuilderAtEnd(b, none);
        continue_at(w, block_after(w, w->number + 1));
        LLVMPositionBuilderAtEnd(b, some);
    }
    end_by_handler(w);
}

/* ---- special registers ---- */

/* The channel of a system value of three components that the source of work fills in; false: there is none. */
static bool find_system_value(const struct warp *w, unsigned semantic, uint32_t *channel)
{
    const struct sch_prepared *program = w->e.program;
    const struct sch_prepared_file *file = &program->files[SCH_FILE_SYSTEM_VALUE];
    for (uint32_t r = 0; r < file->count; r++) {
        *channel = file->base + 4 * r;
        if (program->system_values[r].declared && program->system_values[r].semantic == semantic) return true;
    }
    return false;
}

/* Numbers of table SR that are read where they are. */
static bool special(struct warp *w, const struct sch_maxwell_step *step)
{
    enum { LANE = 0, THREAD_X = 0x21, THREAD_Z = 0x23, BLOCK_X = 0x25, BLOCK_Z = 0x27 };
    struct jit_emitter *e = &w->e;
    const unsigned number = step->how.mode;
    const bool thread = number >= THREAD_X && number <= THREAD_Z, block = number >= BLOCK_X && number <= BLOCK_Z;
    struct jit_value value;
    uint32_t channel = 0;
    if (!thread && !block && number != LANE) return false;
    if ((thread || block) && !find_system_value(w, thread ? SCH_SEMANTIC_THREAD_ID : SCH_SEMANTIC_BLOCK_ID, &channel))
        return false;
    channel += thread ? number - THREAD_X : block ? number - BLOCK_X : 0;
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef lanes[SCH_GROUP_LANES];
        for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, v * e->lanes + i);
        value.part[v] =
            thread || block
                ? jit_load_vector(e, jit_at(e, e->state, (uint64_t)channel * sizeof(struct sch_lanes)), v, false)
                : LLVMConstVector(lanes, e->lanes);
    }
    const struct warp_lanes lanes = warp_lanes_of(w, step);
    if (step->result < WARP_REGISTERS) warp_write(w, step->result, &value, &lanes);
    return true;
}

/* ---- instructions ---- */

/* Code for what would be a call of the handler; false: it stays one. */
static bool in_line(struct warp *w, const struct sch_maxwell_step *step)
{
    if (step->kind == SCH_MAXWELL_KIND_shuffle) return warp_shuffle(w, step);
    if (step->kind == SCH_MAXWELL_KIND_vote) return warp_vote(w, step);
    if (!sch_prepared_has_spot(step)) return false;
    return sch_maxwell_facts_of(step) & SCH_MAXWELL_UPDATES ? warp_update(w, step) : warp_access(w, step);
}

/* False: the block has ended with it. */
static bool emit_instruction(struct warp *w, const struct sch_maxwell_step *step)
{
    switch (step->kind) {
    case SCH_MAXWELL_KIND_nothing:
        return true;
    case SCH_MAXWELL_KIND_arithmetic:
        warp_arithmetic(w, step);
        return true;
    case SCH_MAXWELL_KIND_registers_to_predicates:
        warp_registers_to_predicates(w, step);
        return true;
    case SCH_MAXWELL_KIND_special:
        if (!special(w, step)) leave_to_handler(w, step);
        return true;
    case SCH_MAXWELL_KIND_branch:
        branch(w, step);
        return false;
    case SCH_MAXWELL_KIND_leave:
    case SCH_MAXWELL_KIND_end_lanes:
        end_guarded(w, step);
        return false;
    default:
        if (!w->is_small && in_line(w, step)) return true;
        if (!sch_prepared_flows(step)) {
            leave_to_handler(w, step);
            return true;
        }
        end_by_handler(w);
        return false;
    }
}

/* Likewise of compact code. */
static bool emit_compact(struct warp *w, const struct sch_maxwell_step *step)
{
    if (!sch_prepared_flows(step)) {
        const bool has = warp_compact_has(w);
        if (has) call_pending(w);
        if (has) warp_compact_step(w, step);
        w->pending += !has && (w->pending || step->kind != SCH_MAXWELL_KIND_nothing);
        return true;
    }
    call_pending(w);
    return emit_instruction(w, step);
}

/* ---- blocks ---- */

static uint32_t end_of(const struct warp *w, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < w->count && !w->maxwell->starts[end]) end++;
    return end;
}

/* Before a block: whether it may be executed as a whole, or something is to be looked at within it. */
static void open_block(struct warp *w, uint32_t first)
{
    struct jit_emitter *e = &w->e;
    LLVMBuilderRef b = e->build;
    w->first = w->number = first;
    w->executed = jit_field(e, e->i64, offsetof(struct sch_group, executed));
    LLVMValueRef after = LLVMBuildAdd(b, w->executed, jit_long(e, end_of(w, first) - first), "");
    LLVMValueRef stop = jit_field(e, e->i64, offsetof(struct sch_group, stop_at));
    LLVMBasicBlockRef body = jit_new_block(e), look = jit_new_block(e);
    jit_expect(e, LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULE, after, stop, ""), body, look));
    LLVMPositionBuilderAtEnd(b, look);
    proceed(w, first);
    LLVMPositionBuilderAtEnd(b, body);
}

static void emit_block(struct warp *w, uint32_t first, bool whole)
{
    struct jit_emitter *e = &w->e;
    const uint32_t end = end_of(w, first);
    w->is_whole = whole;
    LLVMPositionBuilderAtEnd(e->build, whole ? w->whole[first] : w->part[first]);
    warp_forget_all(w);
    open_block(w, first);
    w->exec = whole ? jit_word(e, UINT32_MAX) : jit_field(e, e->i32, offsetof(struct sch_group, exec));
    if (!w->compact) w->executing = whole ? warp_all() : warp_lanes_of_bits(w, w->exec);
    w->turn = NULL;
    if (whole && branches_to_itself(w, first, end)) open_turns(w, first, end);
    for (w->number = first; w->number < end; w->number++)
        if (!(w->compact ? emit_compact : emit_instruction)(w, &w->maxwell->steps[w->number])) return;
    call_pending(w);
    w->number = end - 1;
    continue_at(w, block_after(w, end));
}

/* Which of both a group's lanes need. */
static void emit_gate(struct warp *w, uint32_t first)
{
    struct jit_emitter *e = &w->e;
    LLVMPositionBuilderAtEnd(e->build, w->gates[first]);
    LLVMValueRef exec = jit_field(e, e->i32, offsetof(struct sch_group, exec));
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntEQ, exec, jit_word(e, UINT32_MAX), ""), w->whole[first],
                    w->part[first]);
}

/* After the last instruction all lanes end. */
static void emit_end(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    LLVMBasicBlockRef blocks[] = {w->gates[w->count], w->whole[w->count], w->part[w->count]};
    LLVMPositionBuilderAtEnd(e->build, blocks[0]);
    proceed(w, w->count);
    for (unsigned i = 1; i < 3 && !w->is_small; i++) {
        LLVMPositionBuilderAtEnd(e->build, blocks[i]);
        LLVMBuildBr(e->build, blocks[0]);
    }
}

/* ---- the function ---- */

static bool make_function(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    LLVMContextRef context = e->module->context;
    LLVMValueRef pattern = jit_module_link(e->module, JIT_VALUE_PREFIX "MOV", JIT_VALUE_PREFIX "MOV");
    if (!pattern) return false;
    e->function =
        LLVMAddFunction(e->module->module, "sch_native_group", LLVMFunctionType(e->nothing, &e->pointer, 1, false));
    e->group = LLVMGetParam(e->function, 0);
    jit_add_attribute(e->module, e->function, "nounwind");
    jit_add_attribute_at(e->module, e->function, 1, "noalias");
    jit_copy_features(pattern, e->function);
    LLVMSetLinkage(pattern, LLVMInternalLinkage);
    e->entry = e->build = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(e->build, jit_new_block(e));
    return true;
}

/* What is the same as long as code runs, and where it begins. */
static void open_function(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    const size_t state = offsetof(struct sch_group, space) + SCH_SPACE_STATE * sizeof(struct sch_lanes *);
    e->state = jit_field(e, e->pointer, state);
    e->runtime = jit_field(e, e->pointer, offsetof(struct sch_group, runtime));
    w->spots = jit_field(e, e->pointer, offsetof(struct sch_group, spots));
    w->constant_words = jit_field(e, e->pointer, offsetof(struct sch_group, constant_words));
    LLVMValueRef at = jit_field(e, e->i32, offsetof(struct sch_group, at));
    jit_set_field(e, offsetof(struct sch_group, at), jit_word(e, SCH_GROUP_ENDED));
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->build);
    w->dispatch = jit_new_block(e);
    w->end = jit_new_block(e);
    for (uint32_t n = 0; n <= w->count; n++) {
        if (!w->maxwell->starts[n]) continue;
        w->part[n] = jit_new_block(e);
        w->gates[n] = w->is_small ? w->part[n] : jit_new_block(e);
        w->whole[n] = w->is_small ? w->part[n] : jit_new_block(e);
    }
    LLVMBuildBr(e->build, w->dispatch);
    LLVMPositionBuilderAtEnd(e->build, w->dispatch);
    w->next = LLVMBuildPhi(e->build, e->i32, "");
    LLVMAddIncoming(w->next, &at, &entry, 1);
    LLVMValueRef choice = LLVMBuildSwitch(e->build, w->next, w->end, w->count + 1);
    for (uint32_t n = 0; n <= w->count; n++)
        if (w->maxwell->starts[n]) LLVMAddCase(choice, jit_word(e, n), w->gates[n]);
    LLVMPositionBuilderAtEnd(e->build, w->end);
    LLVMBuildRetVoid(e->build);
}

static enum sch_result emit(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    const size_t count = (size_t)w->count + 1;
    w->gates = SCH_ARENA_ARRAY(&e->arena, LLVMBasicBlockRef, count);
    w->whole = SCH_ARENA_ARRAY(&e->arena, LLVMBasicBlockRef, count);
    w->part = SCH_ARENA_ARRAY(&e->arena, LLVMBasicBlockRef, count);
    if (e->arena.failed) return SCH_ERROR_MEMORY;
    jit_make_types(e);
    if (w->is_compact && !warp_compact_open(w)) return SCH_ERROR_MEMORY;
    if (!warp_make_bodies(w)) return e->arena.failed ? SCH_ERROR_MEMORY : SCH_ERROR_INTERNAL;
    if (!make_function(w)) return SCH_ERROR_INTERNAL;
    open_function(w);
    if (w->compact) warp_compact_functions(w);
    for (uint32_t n = 0; n < w->count; n++) {
        if (!w->maxwell->starts[n]) continue;
        if (!w->is_small) emit_gate(w, n);
        if (!w->is_small) emit_block(w, n, true);
        emit_block(w, n, false);
    }
    emit_end(w);
    LLVMDisposeBuilder(e->build);
    return e->status;
}

static enum sch_result compile(const struct sch_native_program_request *request, struct jit_module *module,
                               enum sch_native_form form, struct warp *w, struct sch_native_object *object,
                               struct sch_native_cost *cost, char **text)
{
    const bool is_compact = form == SCH_NATIVE_COMPACT, is_small = form == SCH_NATIVE_SMALL || is_compact;
    *w = (struct warp){.e = {.module = module,
                             .program = request->program,
                             .request = request,
                             .lanes = (unsigned)module->archive->lanes,
                             .vectors = SCH_GROUP_LANES / (unsigned)module->archive->lanes},
                       .maxwell = &request->program->maxwell,
                       .count = request->program->instruction_count,
                       .is_small = is_small,
                       .is_compact = is_compact,
                       .calls_handlers = weigh_compact(request->program) > COMPACT_LIMIT};
    sch_arena_init(&w->e.arena, &sch_allocator_libc, 0);
    const enum sch_result status = emit(w);
    sch_arena_release(&w->e.arena);
    if (is_compact && status == SCH_OK) { /* selects instructions in linear time */
        jit_add_attribute(module, w->e.function, "optnone");
        jit_add_attribute(module, w->e.function, "noinline");
    }
    const struct jit_wish wish = {.passes = passes,
                                  .later = is_compact ? NULL : later_passes,
                                  .want_ir = request->want_ir,
                                  .want_assembly = request->want_assembly,
                                  .has_constructs = true,
                                  .quick = is_small || form == SCH_NATIVE_FAST,
                                  .small_stack = is_small,
                                  .compact = is_compact};
    return status == SCH_OK ? jit_module_finish(module, &wish, object, cost, text) : status;
}

static enum sch_result compile_alone(const struct sch_native_program_request *request, enum sch_native_form form,
                                     struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    struct jit_module module;
    struct warp *w = malloc(sizeof *w);
    if (!w) return SCH_ERROR_MEMORY;
    enum sch_result status = jit_module_open(&module, request->level);
    if (status == SCH_OK) {
        status = compile(request, &module, form, w, object, cost, text);
        jit_module_close(&module);
    }
    free(w);
    return status;
}

/* The form that is asked for, or the usual one, or what makes less code where that would be too much. */
enum sch_result jit_compile_maxwell(const struct sch_native_program_request *request, struct sch_native_object *object,
                                    struct sch_native_cost *cost, char **text)
{
    const struct jit_archive_header *archive = jit_archive_find(request->level);
    enum sch_native_form form = request->form ? request->form : SCH_NATIVE_USUAL;
    if (!archive) return SCH_ERROR_UNSUPPORTED;
    const size_t weight = weigh(request->program, (unsigned)archive->lanes);
    if (form < SCH_NATIVE_SMALL && weight > WEIGHT_USUAL) form = SCH_NATIVE_SMALL;
    if (form < SCH_NATIVE_COMPACT && weight > WEIGHT_SMALL) form = SCH_NATIVE_COMPACT;
    enum sch_result status = compile_alone(request, form, object, cost, text);
    if (status == SCH_ERROR_LIMIT && form < SCH_NATIVE_SMALL)
        status = compile_alone(request, SCH_NATIVE_SMALL, object, cost, text);
    if (status == SCH_ERROR_LIMIT && form < SCH_NATIVE_COMPACT)
        status = compile_alone(request, SCH_NATIVE_COMPACT, object, cost, text);
    cost->too_large = status == SCH_ERROR_LIMIT;
    return status;
}
