/* From a program to an object: bounds, the frame of the function, one instruction after the other, passes. */
#include "jit/emit.h"
#include "jit/indexed.h"
#include "jit/lookup.h"
#include "jit/maxwell.h"
#include "jit/memory.h"

#include <stddef.h>

typedef const struct sch_prepared_instruction instruction;

/* Above this weight (jit/plan.c) a program stays with the interpreter, unless it is light as compact code. LLVM cannot
 * be interrupted, so time and memory are bounded before it begins; docs/performance.md has what the limit costs. */
enum { WEIGHT_LIMIT = 16 << 20, COMPACT_LIMIT = 4 << 20 };

/* Words of group.kept before those of the constructs. */
enum { KEPT_EXEC, KEPT_ALIVE, KEPT_COMMON, KEPT_OWED = 8 };

static const char passes[] =
    "always-inline,globaldce,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-"
    "fixpoint>,loop-mssa(licm),gvn,simplifycfg,dse,adce)";

/* With the functions of lookups in it. What their variables point at is known only after the first passes. GVN would
 * take a third of the time of all, and hardly finds what is left. */
static const char lookup_passes[] =
    "always-inline,globaldce,function(sroa,early-cse,simplifycfg,sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>"
    ","
    "jump-threading,loop-simplify,lcssa,loop-mssa(loop-rotate,licm),early-cse<memssa>,simplifycfg,dse,adce)";

/* After the dropped NaN steps: moves between types go away, and what is the same now. */
static const char later_passes[] = "function(instcombine<no-verify-fixpoint>,adce)";

/* Where lookups look for one texel a pixel: their functions are made small before they are inlined, as several
 * instructions may have one. Their coordinates were in memory (JIT_ANY_NAN) until NaN steps had been dropped; what
 * becomes of those that they share is computed once, and before a loop if they do not change in it. */
static const char straight_first_passes[] = "function(sroa,early-cse)";
static const char straight_later_passes[] =
    "function(sroa,early-cse,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop-mssa(licm),adce)";

/* For programs with more constructs, loops, calls or indexed channels, or of more weight, only what takes time in
 * proportion is done: several of LLVM's passes, and its usual register allocation, take more than that. A call is an
 * edge into its subroutine and one back, for all that lives. */
enum { QUICK_CONSTRUCTS = 150, QUICK_LOOPS = 24, QUICK_INDEXED = 256, QUICK_WEIGHT = 1 << 20 };
enum { SMALL_WEIGHT = 1 << 18 };   /* of programs with registers in memory that have their operations in line */
enum { LOOKUPS_WEIGHT = 1 << 15 }; /* of programs that lookups are compiled with */
static const char quick_passes[] = "always-inline,globaldce,function(mem2reg,early-cse,simplifycfg,adce)";

/* Where the frame came out too large: nothing that makes values live longer, as registers are in memory then. */
enum { MOST_STRAIGHT = 16, MOST_COMPACT = 64 }; /* instructions */
static const char stack_passes[] = "always-inline,globaldce,function(simplifycfg,adce)";

bool jit_fits(const struct sch_native_program_request *request)
{
    const struct jit_archive_header *archive = jit_archive_find(request->level);
    if (archive && request->program->maxwell.steps) return jit_maxwell_fits(request->program);
    return !archive || jit_plan_weight(request->program, (unsigned)archive->lanes) <= WEIGHT_LIMIT ||
           jit_plan_compact_weight(request->program, (unsigned)archive->lanes) <= COMPACT_LIMIT;
}

/* ---- opening ---- */

static enum sch_result make_tables(struct jit_emitter *e)
{
    const struct sch_prepared *program = e->program;
    e->channel_count = sch_ir_channel_count(program);
    const size_t channels = e->channel_count, constants = program->channels[SCH_SPACE_RUN];
    e->file_of = SCH_ARENA_ARRAY(&e->arena, uint8_t, channels);
    e->variables = SCH_ARENA_ARRAY(&e->arena, LLVMValueRef, channels * e->vectors);
    e->known = SCH_ARENA_ARRAY(&e->arena, LLVMValueRef, channels * e->vectors);
    e->dirty = SCH_ARENA_ARRAY(&e->arena, bool, channels);
    e->touched = SCH_ARENA_ARRAY(&e->arena, uint32_t, channels);
    e->constant_known = SCH_ARENA_ARRAY(&e->arena, LLVMValueRef, constants);
    e->constant_touched = SCH_ARENA_ARRAY(&e->arena, uint32_t, constants);
    e->blocks = SCH_ARENA_ARRAY(&e->arena, LLVMBasicBlockRef, e->plan.count);
    if (e->arena.failed) return SCH_ERROR_MEMORY;
    for (unsigned f = 0; f < SCH_FILE_COUNT; f++) {
        const struct sch_prepared_file *file = &program->files[f];
        bool here = file->stored && file->space == SCH_SPACE_STATE;
        for (uint32_t c = 0; c < file->width * file->count && here; c++) e->file_of[file->base + c] = (uint8_t)f;
    }
    return SCH_OK;
}

static void make_function(struct jit_emitter *e)
{
    LLVMContextRef context = e->module->context;
    LLVMTypeRef parameters[2] = {e->pointer, e->pointer};
    LLVMTypeRef type = LLVMFunctionType(e->nothing, parameters, e->request->span ? 2 : 1, false);
    e->function = LLVMAddFunction(e->module->module, "sch_native_group", type);
    e->group = LLVMGetParam(e->function, 0); /* jit/span.c may have others */
    jit_add_attribute(e->module, e->function, "nounwind");
    for (unsigned p = 0; p < (e->request->span ? 2 : 1); p++)
        jit_add_attribute_at(e->module, e->function, 1 + p, "noalias");
    LLVMValueRef pattern = jit_module_link(e->module, JIT_VALUE_PREFIX "MOV", JIT_VALUE_PREFIX "MOV");
    if (pattern) {
        jit_copy_features(pattern, e->function);
        LLVMSetLinkage(pattern, LLVMInternalLinkage);
        jit_add_attribute(e->module, pattern, "alwaysinline");
    }
    e->entry = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(e->entry, LLVMAppendBasicBlockInContext(context, e->function, "entry"));
    e->start = e->entry;
    if (e->request->span) jit_begin_span(e);
    e->zeros = e->start;
    if (e->sparing_stack && e->flow->barriers) {
        e->zeros = LLVMCreateBuilderInContext(context);
        LLVMPositionBuilderAtEnd(e->zeros, LLVMAppendBasicBlockInContext(context, e->function, "zeros"));
    }
    e->build = LLVMCreateBuilderInContext(context);
    for (uint32_t n = 0; n <= e->program->instruction_count; n++)
        if (e->plan.starts[n]) e->blocks[n] = LLVMAppendBasicBlockInContext(context, e->function, "");
    e->finish = LLVMAppendBasicBlockInContext(context, e->function, "finish");
    e->fail = LLVMAppendBasicBlockInContext(context, e->function, "fail");
}

/* ---- the entry ---- */

static LLVMValueRef entry_field(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef base, size_t offset)
{
    LLVMValueRef index = jit_long(e, offset);
    return LLVMBuildLoad2(e->entry, type, LLVMBuildInBoundsGEP2(e->entry, e->i8, base, &index, 1, ""), "");
}

/* A variable that has a value from `where` on: the entry, or the start of a group. */
static LLVMValueRef new_variable(struct jit_emitter *e, LLVMBuilderRef where, LLVMTypeRef type, LLVMValueRef value,
                                 const char *name)
{
    LLVMValueRef variable = jit_variable(e, type, name);
    LLVMBuildStore(where, value, variable);
    return variable;
}

/* The masks that a group begins with; in spans all lanes are there. */
static void make_masks(struct jit_emitter *e)
{
    const bool all = e->request->full && (!e->flow->barriers || e->request->span), span = e->request->span != NULL;
    LLVMValueRef m = LLVMGetParam(e->function, 0), every = jit_word(e, UINT32_MAX);
    e->present = span ? every : entry_field(e, e->i32, m, offsetof(struct sch_group, present));
    LLVMValueRef exec = all ? every : entry_field(e, e->i32, m, offsetof(struct sch_group, exec));
    LLVMValueRef helpers = span ? jit_span_helpers(e) : entry_field(e, e->i32, m, offsetof(struct sch_group, helpers));
    LLVMBuilderRef build = e->build;
    e->exec_variable = jit_mask_variable(e, "exec");
    e->build = e->start;
    jit_mask_set(e, &e->exec_variable, all ? jit_mask_all(e) : jit_mask_of_bits(e, exec));
    e->build = build;
    e->helpers_variable = new_variable(e, e->start, e->i32, helpers, "helpers");
    e->alive_variable = new_variable(e, e->start, e->i32, every, "alive");
}

/* What the code takes from its surroundings, before the first instruction. */
static void make_entry(struct jit_emitter *e)
{
    LLVMValueRef m = LLVMGetParam(e->function, 0);
    const size_t spaces = offsetof(struct sch_group, space);
    if (!jit_has_rounds(e))
        e->state = entry_field(e, e->pointer, m, spaces + SCH_SPACE_STATE * sizeof(struct sch_lanes *));
    e->constants = entry_field(e, e->pointer, m, spaces + SCH_SPACE_RUN * sizeof(struct sch_lanes *));
    e->runtime = entry_field(e, e->pointer, m, offsetof(struct sch_group, runtime));
    if (e->compact)
        e->immediates = entry_field(e, e->pointer, m, spaces + SCH_SPACE_PROGRAM * sizeof(struct sch_lanes *));
    LLVMValueRef executed = entry_field(e, e->i64, m, offsetof(struct sch_group, executed));
    make_masks(e);
    e->executed_variable = new_variable(e, e->entry, e->i64, executed, "executed");
    jit_open_budget(e);
}

/* Ends the entry: at the first instruction, or after a BARRIER. */
static void close_entry(struct jit_emitter *e)
{
    if (e->request->span) {
        jit_end_span(e);
        return;
    }
    LLVMValueRef index = jit_long(e, offsetof(struct sch_group, at));
    LLVMValueRef address = LLVMBuildInBoundsGEP2(e->entry, e->i8, e->group, &index, 1, "");
    LLVMValueRef at = LLVMBuildLoad2(e->entry, e->i32, address, "");
    LLVMBuildStore(e->entry, jit_word(e, SCH_GROUP_ENDED), address);
    if (!e->flow->barriers) {
        LLVMBuildBr(e->entry, e->blocks[0]);
        return;
    }
    LLVMBuilderRef b = e->entry;
    LLVMBuildStore(b, at, e->resume_variable);
    LLVMBasicBlockRef first = e->blocks[0];
    if (e->zeros != e->entry) {
        first = LLVMGetInsertBlock(e->zeros);
        LLVMBuildBr(e->zeros, e->blocks[0]);
        LLVMDisposeBuilder(e->zeros);
    }
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, at, jit_word(e, 0), ""), first, e->resume);
}

/* ---- across a BARRIER ---- */

static void open_barriers(struct jit_emitter *e)
{
    if (!e->flow->barriers) return;
    e->resume_variable = jit_variable(e, e->i32, "place");
    e->save = LLVMAppendBasicBlockInContext(e->module->context, e->function, "save");
    e->resume = LLVMAppendBasicBlockInContext(e->module->context, e->function, "resume");
    LLVMPositionBuilderAtEnd(e->build, e->resume);
    LLVMValueRef resume = jit_get(e, e->resume_variable, e->i32);
    e->resume_switch = LLVMBuildSwitch(e->build, resume, e->fail, e->flow->barriers);
}

/* A variable to memory, or back. */
static void move(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef variable, LLVMValueRef memory, bool save)
{
    LLVMValueRef value = LLVMBuildLoad2(e->build, type, save ? variable : memory, "");
    if (!save) LLVMSetAlignment(value, 4);
    LLVMValueRef store = LLVMBuildStore(e->build, value, save ? memory : variable);
    if (save) LLVMSetAlignment(store, 4);
}

static bool lives_across(const struct jit_emitter *e, uint32_t channel)
{
    const uint64_t *across = e->plan.liveness.across;
    return !across || e->file_of[channel] == SCH_FILE_OUTPUT || sch_ir_set_has(across, channel);
}

/* A channel of which all lanes follow from lane 0's is one word. */
static void move_channel(struct jit_emitter *e, uint32_t channel, bool save)
{
    const bool uniform = sch_ir_is_uniform(&e->plan.uniformity, channel);
    const bool steps = !uniform && e->plan.steps.known && sch_ir_set_has(e->plan.steps.known, channel);
    LLVMValueRef memory = jit_at(e, e->state, channel * sizeof(struct sch_lanes)), word = NULL;
    for (unsigned v = 0; v < (uniform ? 1 : e->vectors); v++) {
        LLVMValueRef variable = jit_variable_of(e, channel, v);
        if (!variable || (steps && save && v)) continue;
        if (!uniform && !steps) {
            move(e, e->vector, variable, jit_at(e, memory, (uint64_t)v * e->lanes * 4), save);
            continue;
        }
        if (save) {
            LLVMValueRef value = jit_get(e, variable, e->vector);
            LLVMBuildStore(e->build, LLVMBuildExtractElement(e->build, value, jit_long(e, 0), ""), memory);
            continue;
        }
        if (!v) word = jit_splat(e, LLVMBuildLoad2(e->build, e->i32, memory, ""));
        LLVMValueRef lanes[SCH_GROUP_LANES];
        for (unsigned i = 0; i < e->lanes; i++)
            lanes[i] = jit_word(e, steps ? (v * e->lanes + i) * e->plan.steps.step[channel] : 0);
        LLVMBuildStore(e->build, LLVMBuildAdd(e->build, word, LLVMConstVector(lanes, e->lanes), ""), variable);
    }
}

/* The same for a mask, of which memory has the bits. */
static void move_mask(struct jit_emitter *e, const struct jit_mask *variable, LLVMValueRef memory, bool save)
{
    if (save) {
        LLVMSetAlignment(LLVMBuildStore(e->build, jit_mask_bits(e, jit_mask_get(e, variable)), memory), 4);
        return;
    }
    LLVMValueRef bits = LLVMBuildLoad2(e->build, e->i32, memory, "");
    LLVMSetAlignment(bits, 4);
    jit_mask_set(e, variable, jit_mask_of_bits(e, bits));
}

static void move_frame(struct jit_emitter *e, const struct jit_construct *construct, LLVMValueRef kept, size_t at,
                       bool save)
{
    const struct jit_mask *masks[] = {&construct->resume, &construct->waiting, &construct->fallback};
    const bool whole = jit_is_whole(e, (uint32_t)(construct - e->plan.constructs));
    const bool loop = construct->is->kind == SCH_CONSTRUCT_LOOP;
    for (unsigned m = 0; m < (whole ? 0 : 3); m++) move_mask(e, masks[m], jit_at(e, kept, 4 * (at + m)), save);
    if (whole && !save) {
        jit_mask_set(e, &construct->resume, jit_mask_all(e));
        jit_mask_set(e, &construct->waiting, loop ? jit_mask_all(e) : jit_mask_none(e));
    }
    if (construct->is->kind == SCH_CONSTRUCT_SUB) move(e, e->i32, construct->site, jit_at(e, kept, 4 * (at + 3)), save);
    for (unsigned v = 0; v < e->vectors && construct->is->kind == SCH_CONSTRUCT_SWITCH; v++)
        move(e, e->vector, construct->value[v], jit_at(e, kept, 4 * (at + 4 + (size_t)v * e->lanes)), save);
}

/* At a BARRIER all lanes must be: of a full group whose lanes do not end before. */
static bool meet_whole(const struct jit_emitter *e) { return e->request->full && !e->flow->ends_invocations; }

static void set_whole(struct jit_emitter *e)
{
    jit_mask_set(e, &e->exec_variable, jit_mask_all(e));
    LLVMBuildStore(e->build, jit_word(e, UINT32_MAX), e->alive_variable);
    LLVMBuildStore(e->build, jit_word(e, 0), e->helpers_variable);
}

/* Variables that are the group's memory stay where they are. */
static void move_group(struct jit_emitter *e, bool save)
{
    for (uint32_t c = 0; c < e->channel_count && !e->sparing_stack; c++)
        if (lives_across(e, c)) move_channel(e, c, save);
    LLVMValueRef kept = LLVMBuildLoad2(e->build, e->pointer, jit_at(e, e->group, offsetof(struct sch_group, kept)), "");
    if (meet_whole(e)) {
        if (!save) set_whole(e);
    } else {
        move_mask(e, &e->exec_variable, jit_at(e, kept, 4 * KEPT_EXEC), save);
        move(e, e->i32, e->alive_variable, jit_at(e, kept, 4 * KEPT_ALIVE), save);
    }
    if (e->plan.spends) {
        move(e, e->i32, e->common_variable, jit_at(e, kept, 4 * KEPT_COMMON), save);
        for (unsigned v = 0; v < e->vectors && e->plan.owes; v++)
            move(e, e->floats, e->owed[v], jit_at(e, kept, 4 * (KEPT_OWED + (uint64_t)v * e->lanes)), save);
    }
    size_t at = SCH_NATIVE_KEPT_GROUP;
    for (uint32_t i = 0; i < e->flow->construct_count; i++) {
        const struct jit_construct *construct = &e->plan.constructs[i];
        if (construct->is->waits) move_frame(e, construct, kept, at, save);
        at += sch_native_kept_of(construct->is);
    }
}

/* What a group leaves behind whenever code ends. */
static void leave(struct jit_emitter *e)
{
    LLVMValueRef group = e->group;
    if (jit_has_rounds(e)) e->group = jit_span_group(e);
    jit_set_field(e, offsetof(struct sch_group, helpers), jit_get(e, e->helpers_variable, e->i32));
    jit_set_field(e, offsetof(struct sch_group, executed), jit_get(e, e->executed_variable, e->i64));
    LLVMBuildRetVoid(e->build);
    e->group = group;
}

static void close_barriers(struct jit_emitter *e)
{
    if (!e->flow->barriers) return;
    LLVMPositionBuilderBefore(e->build, e->resume_switch);
    move_group(e, false);
    LLVMPositionBuilderAtEnd(e->build, e->save);
    move_group(e, true);
    if (jit_has_rounds(e)) {
        jit_meet_in_span(e);
        return;
    }
    jit_set_field(e, offsetof(struct sch_group, at), jit_get(e, e->resume_variable, e->i32));
    leave(e);
}

/* ---- the end ---- */

static void store_outputs(struct jit_emitter *e)
{
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_OUTPUT];
    for (uint32_t c = 0; c < 4 * file->count && file->stored && !e->compact; c++)
        for (unsigned v = 0; v < e->vectors; v++) {
            LLVMValueRef variable = jit_variable_of(e, file->base + c, v);
            if (!variable) continue;
            LLVMValueRef address = jit_at(e, e->state, (uint64_t)(file->base + c) * sizeof(struct sch_lanes));
            jit_store_vector(e, jit_get(e, variable, e->vector), address, v);
        }
}

static void close_exits(struct jit_emitter *e)
{
    LLVMPositionBuilderAtEnd(e->build, e->finish);
    if (e->request->span)
        jit_close_span(e);
    else
        store_outputs(e);
    leave(e);
    LLVMPositionBuilderAtEnd(e->build, e->fail);
    if (e->request->span) jit_fail_span(e);
    leave(e);
}

/* ---- instructions ---- */

static void find_block_end(struct jit_emitter *e)
{
    e->block_end = e->number + 1;
    while (e->block_end <= e->program->instruction_count && !e->plan.starts[e->block_end]) e->block_end++;
}

static void begin_block(struct jit_emitter *e)
{
    LLVMBasicBlockRef block = e->blocks[e->number];
    jit_compact_close(e);
    if (e->number && !LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->build))) {
        jit_mask_set(e, &e->exec_variable, jit_lanes(e));
        jit_end_block(e, block);
    }
    LLVMPositionBuilderAtEnd(e->build, block);
    jit_begin_block(e);
    e->first_block = e->number == 0;
    find_block_end(e);
    jit_count_block(e);
}

/* Whether lanes see each other's sources, which must be exact in those that do not execute, too. */
static bool must_be_exact(instruction *in)
{
    return (sch_op_info(in->opcode)->flags & SCH_OPF_DERIVATIVE) || in->opcode == SCH_OP_READ_INVOC;
}

/* What is not arithmetic. False: there is no code for the opcode. */
static bool emit_other(struct jit_emitter *e, instruction *in, unsigned shape)
{
    switch (shape) {
    case SCH_SHAPE_MEMORY:
    case SCH_SHAPE_ATOMIC:
        if (!sch_native_has_view(in) || !jit_memory(e, in)) jit_access_any(e, in);
        return true;
    case SCH_SHAPE_TEX:
        jit_lookup(e, in);
        return true;
    case SCH_SHAPE_LANE:
        return jit_lane(e, in);
    case SCH_SHAPE_STREAM:
        jit_stream(e, in);
        return true;
    case SCH_SHAPE_INTERPOLATE:
        jit_interpolate(e, in);
        return true;
    case SCH_SHAPE_FETCH:
        jit_fetch_pixels(e, in);
        return true;
    case SCH_SHAPE_HANDLE:
        jit_handle(e, in);
        return true;
    default: /* flow, barriers */
        return jit_flow(e, in);
    }
}

static void emit_instruction(struct jit_emitter *e, instruction *in)
{
    const struct sch_op_info *info = sch_op_info(in->opcode);
    e->exact = must_be_exact(in);
    const bool is_arithmetic = SCH_SHAPE_IS_ARITHMETIC(info->shape);
    if (!is_arithmetic) jit_compact_close(e);
    if (is_arithmetic)
        jit_arithmetic(e, in, info);
    else if (!emit_other(e, in, info->shape))
        e->status = SCH_ERROR_UNSUPPORTED;
    e->exact = false;
    e->lookup_number += sch_native_slots_of(e->program, in);
    e->views += sch_native_has_view(in);
}

static void emit_all(struct jit_emitter *e)
{
    for (e->number = 0; e->number <= e->program->instruction_count; e->number++) {
        if (e->plan.starts[e->number]) begin_block(e);
        emit_instruction(e, &e->program->instructions[e->number]);
    }
}

static bool must_be_quick(const struct jit_emitter *e)
{
    const struct jit_plan *plan = &e->plan;
    return e->flow->construct_count > QUICK_CONSTRUCTS || e->flow->loops > QUICK_LOOPS ||
           e->flow->calls > JIT_FEW_CALLS || plan->indexed > QUICK_INDEXED ||
           jit_plan_weight(e->program, e->lanes) > QUICK_WEIGHT;
}

/* Begins a block often enough that few values are alive at once. */
static void cut_straight_code(struct jit_emitter *e)
{
    uint32_t length = 0;
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        length = e->plan.starts[n] ? 1 : length + 1;
        if (length <= (e->compact ? MOST_COMPACT : MOST_STRAIGHT)) continue;
        e->plan.starts[n] = true;
        length = 1;
    }
}

/* Channels of system values that are one value in all lanes, and those that count them. */
struct given {
    uint64_t *same, *numbers;
};

/* A grid's spans: work groups are rows of threads in whole groups. The form says which channels change in a span. */
static void list_given(const struct jit_emitter *e, struct given *given)
{
    const struct sch_prepared_file *file = &e->program->files[SCH_FILE_SYSTEM_VALUE];
    const struct sch_native_span_form *form = e->request->span;
    for (uint32_t r = 0; r < file->count; r++) {
        const struct sch_prepared_semantic *value = &e->program->system_values[r];
        const bool of_grid = value->semantic == SCH_SEMANTIC_GRID_SIZE || value->semantic == SCH_SEMANTIC_BLOCK_SIZE ||
                             value->semantic == SCH_SEMANTIC_BLOCK_ID || value->semantic == SCH_SEMANTIC_THREAD_ID;
        for (unsigned c = 0; c < 4 && of_grid && value->declared; c++)
            sch_ir_set_add(given->same, file->base + 4 * r + c);
    }
    for (uint32_t p = 0; p < form->plane_count; p++) {
        if (form->division[p] != SCH_PLANE_THREAD) continue;
        sch_ir_set_drop(given->same, form->channel[p]);
        sch_ir_set_add(given->numbers, form->channel[p]);
    }
}

static enum sch_result analyse(struct jit_emitter *e)
{
    struct jit_plan *plan = &e->plan;
    const size_t words = sch_ir_set_words(sch_ir_channel_count(e->program));
    struct given given = {SCH_ARENA_ARRAY(&e->arena, uint64_t, words), SCH_ARENA_ARRAY(&e->arena, uint64_t, words)};
    if (!given.same || !given.numbers) return SCH_ERROR_MEMORY;
    if (e->request->span && e->program->stage == SCH_STAGE_COMPUTE) list_given(e, &given);
    enum sch_result status = sch_ir_find_liveness(e->program, &e->arena, &plan->liveness);
    if (status == SCH_OK)
        status = sch_ir_find_uniformity(e->program, &plan->liveness, e->request->full, given.same, &e->arena,
                                        &plan->uniformity);
    if (status != SCH_OK || e->sparing_stack) return status;
    return sch_ir_find_steps(e->program, &plan->liveness, &plan->uniformity, given.numbers, &e->arena, &plan->steps);
}

static enum sch_result emit(struct jit_emitter *e)
{
    enum sch_result status = jit_plan_make(e);
    if (status == SCH_OK && e->sparing_stack) cut_straight_code(e);
    e->quick = e->sparing_stack || must_be_quick(e);
    jit_choose_inlining(e);
    if (status == SCH_OK) status = make_tables(e);
    if (status == SCH_OK) status = analyse(e);
    if (status != SCH_OK) return status;
    jit_make_types(e);
    jit_choose_masks(e);
    jit_plan_exits(e);
    make_function(e);
    if (e->request->span && !e->span) return SCH_ERROR_MEMORY;
    make_entry(e);
    jit_make_frames(e);
    jit_make_returns(e);
    open_barriers(e);
    if (e->compact) jit_compact_begin(e);
    if (e->request->span) jit_open_span(e);
    emit_all(e);
    if (e->compact) jit_compact_end(e);
    close_exits(e);
    close_barriers(e);
    close_entry(e);
    jit_settle_rules(e->module);
    LLVMDisposeBuilder(e->build);
    LLVMDisposeBuilder(e->entry);
    return e->status;
}

/* Whether the program's lookups are compiled with it: where that does not make it one of the large. */
static bool knows_lookups(const struct sch_native_program_request *request, const struct jit_archive_header *archive)
{
    return request->span && (request->span->known.count || request->span->has_fragments) &&
           jit_plan_weight(request->program, (unsigned)archive->lanes) <= LOOKUPS_WEIGHT;
}

/* Whether code looks for one texel a pixel, with places that lookups share. */
static bool has_straight(const struct sch_native_program_request *request)
{
    bool found = false;
    for (uint32_t f = 0; request->span && f < request->span->known.count; f++)
        found |= request->span->known.form[f].straight;
    return found;
}

/* How a program is compiled. SMALL: registers in the group's memory. COMPACT: instructions are calls, too
 * (jit/compact.c). COMPACT_FRAME: its frame is smaller, which takes twice as long. */
enum way { WAY_USUAL, WAY_SMALL, WAY_COMPACT, WAY_COMPACT_FRAME };

static enum sch_result compile(const struct sch_native_program_request *request, enum way way,
                               struct jit_module *module, struct jit_bitcode *bitcode, struct sch_native_object *object,
                               struct sch_native_cost *cost, char **text)
{
    struct jit_emitter e = {.module = module,
                            .program = request->program,
                            .flow = &request->program->flow,
                            .request = request,
                            .bitcode = bitcode,
                            .sparing_stack = way != WAY_USUAL,
                            .lanes = (unsigned)module->archive->lanes,
                            .vectors = SCH_GROUP_LANES / (unsigned)module->archive->lanes};
    sch_arena_init(&e.arena, &sch_allocator_libc, 0);
    if (way >= WAY_COMPACT) e.compact = jit_compact_new(&e);
    enum sch_result status = way < WAY_COMPACT || e.compact ? emit(&e) : SCH_ERROR_MEMORY;
    if (way == WAY_COMPACT && status == SCH_OK) { /* selects instructions in linear time */
        jit_add_attribute(module, e.function, "optnone");
        jit_add_attribute(module, e.function, "noinline");
    }
    sch_arena_release(&e.arena);
    const bool straight = bitcode && has_straight(request);
    const struct jit_wish wish = {.passes = e.sparing_stack ? stack_passes
                                            : e.quick       ? quick_passes
                                            : bitcode       ? lookup_passes
                                                            : passes,
                                  .later = e.quick    ? NULL
                                           : straight ? straight_later_passes
                                                      : later_passes,
                                  .always = straight,
                                  .want_ir = request->want_ir,
                                  .want_assembly = request->want_assembly,
                                  .quick = e.quick,
                                  .small_stack = e.sparing_stack,
                                  .compact = e.compact != NULL,
                                  .careful = way == WAY_COMPACT_FRAME,
                                  .has_constructs = e.flow->construct_count > 0,
                                  .sparing = e.sparing,
                                  .complete = bitcode ? jit_complete_lookups : NULL,
                                  .user = bitcode};
    if (status == SCH_OK && bitcode && e.quick) return SCH_ERROR_UNSUPPORTED;
    if (status == SCH_OK && straight && !jit_module_run(module, straight_first_passes)) return SCH_ERROR_INTERNAL;
    return status == SCH_OK ? jit_module_finish(module, &wish, object, cost, text) : status;
}

/* Where a lookup cannot be compiled with the program, all are called. */
static bool compile_with_lookups(const struct sch_native_program_request *request, struct sch_native_object *object,
                                 struct sch_native_cost *cost, char **text)
{
    const struct jit_archive_header *archive = jit_archive_find(request->level);
    struct jit_bitcode *bitcode = archive && knows_lookups(request, archive) ? jit_bitcode_take(archive) : NULL;
    struct jit_module module;
    if (!bitcode) return false;
    jit_module_open_in(&module, bitcode->context, bitcode->machine);
    module.archive = archive;
    enum sch_result status = compile(request, WAY_USUAL, &module, bitcode, object, cost, text);
    jit_module_close(&module);
    jit_bitcode_give_back(bitcode);
    return status == SCH_OK;
}

static enum sch_result compile_alone(const struct sch_native_program_request *request, enum way way,
                                     struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    struct jit_module module;
    enum sch_result status = jit_module_open(&module, request->level);
    if (status != SCH_OK) return status;
    status = compile(request, way, &module, NULL, object, cost, text);
    jit_module_close(&module);
    return status;
}

/* Whether a program is so large that the usual way would hardly end with a frame of the allowed size: by its weight, or
 * the registers alone are larger. */
static bool is_known_too_large(const struct sch_native_program_request *request, size_t weight)
{
    return weight > WEIGHT_LIMIT ||
           (weight > QUICK_WEIGHT &&
            sch_ir_channel_count(request->program) * sizeof(struct sch_lanes) > (size_t)SCH_NATIVE_STACK);
}

/* Ways, each where the one before it does not do, unless it is known that it will not. Code of the usual one is best. A
 * place that a subroutine is called from is an edge into it and one back, for all that lives: only where nothing does,
 * as registers are in memory, that takes time in proportion. */
enum sch_result jit_compile_program(const struct sch_native_program_request *request, struct sch_native_object *object,
                                    struct sch_native_cost *cost, char **text)
{
    *cost = (struct sch_native_cost){.too_large = !jit_fits(request)};
    if (cost->too_large) return SCH_ERROR_LIMIT;
    if (request->program->maxwell.steps) return jit_compile_maxwell(request, object, cost, text);
    if (compile_with_lookups(request, object, cost, text)) return SCH_OK;
    if (request->span && request->span->has_fragments) return SCH_ERROR_UNSUPPORTED;
    const bool usual = request->span && request->program->flow.barriers; /* or not at all */
    const struct jit_archive_header *archive = jit_archive_find(request->level);
    const size_t weight = archive ? jit_plan_weight(request->program, (unsigned)archive->lanes) : 0;
    const bool calls = request->program->flow.calls > JIT_FEW_CALLS;
    enum sch_result status = SCH_ERROR_LIMIT;
    if (!calls && !is_known_too_large(request, weight)) status = compile_alone(request, WAY_USUAL, object, cost, text);
    if (usual) return status == SCH_ERROR_LIMIT ? SCH_ERROR_UNSUPPORTED : status;
    if (status == SCH_ERROR_LIMIT && (calls || weight <= SMALL_WEIGHT))
        status = compile_alone(request, WAY_SMALL, object, cost, text);
    if (status == SCH_ERROR_LIMIT) status = compile_alone(request, WAY_COMPACT, object, cost, text);
    if (status == SCH_ERROR_LIMIT) status = compile_alone(request, WAY_COMPACT_FRAME, object, cost, text);
    cost->too_large = status == SCH_ERROR_LIMIT;
    return status;
}
