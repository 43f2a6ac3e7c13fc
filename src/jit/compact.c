/* Instructions of the largest programs: all registers stay in the group's memory, and an instruction is a call of a
 * function for each channel that it writes, from memory to memory. The functions are made of the archive's operations,
 * one for each kind of instruction. So a program becomes a few of LLVM's instructions for each of its own, whatever the
 * width is, and nothing is alive between them that LLVM had to find a place for. Holds no meaning of an instruction. */
#include "jit/emit.h"

#include <stdio.h>

typedef const struct sch_prepared_instruction instruction;

/* Each function counts against the stack that an object may take (protocol/compiler.h): SCH_NATIVE_STACK_EACH. */
enum { MOST_FUNCTIONS = 192, MOST_TARGETS = 4, MOST_PARAMETERS = MOST_TARGETS + JIT_MAX_OPERANDS + 1 };

/* One of these functions. */
struct kind {
    const char *name; /* of the operation; NULL: the operand is the result */
    uint32_t rules;
    unsigned modify;                      /* of the result */
    uint8_t of_operand[JIT_MAX_OPERANDS]; /* modifiers of them */
    unsigned operands, targets;           /* one result goes to all targets */
    bool masked;                          /* lanes that do not execute keep what the targets had */
};

/* ---- the functions ---- */

static void name_of(const struct kind *kind, char name[128])
{
    int at = snprintf(name, 128, "lanes_%s_%x_%u_%u_%u_", kind->name ? kind->name : "", kind->rules, kind->modify,
                      kind->targets, kind->masked);
    for (unsigned i = 0; i < kind->operands; i++)
        at += snprintf(name + at, 128 - (size_t)at, "%u.", kind->of_operand[i]);
}

/* Vector v, in a function whose parameters are targets, operands, and the lanes that execute. All operands are read
 * before a target is written, which may be the same channel. */
static void make_vector(struct jit_emitter *e, const struct kind *kind, LLVMValueRef function, unsigned v)
{
    struct jit_value operand[JIT_MAX_OPERANDS], made;
    const struct jit_value *operands[JIT_MAX_OPERANDS];
    for (unsigned i = 0; i < kind->operands; i++) {
        operand[i].part[0] = jit_load_vector(e, LLVMGetParam(function, kind->targets + i), v, false);
        if (kind->of_operand[i]) jit_modify(e, kind->of_operand[i], (struct jit_value *const[]){&operand[i]});
        operands[i] = &operand[i];
    }
    made = operand[0];
    if (kind->name)
        jit_operate(e, kind->name, kind->rules, kind->operands, operands, 1, (struct jit_value *const[]){&made});
    if (kind->modify) jit_modify(e, kind->modify, (struct jit_value *const[]){&made});
    LLVMValueRef mask = NULL;
    if (kind->masked) mask = jit_vector_bits(e, LLVMGetParam(function, kind->targets + kind->operands), v);
    for (unsigned t = 0; t < kind->targets; t++) {
        LLVMValueRef to = LLVMGetParam(function, t), value = made.part[0];
        if (mask) value = LLVMBuildSelect(e->build, mask, value, jit_load_vector(e, to, v, false), "");
        jit_store_vector(e, value, to, v);
    }
}

static LLVMValueRef open_function(struct jit_emitter *e, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMAddFunction(e->module->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    jit_copy_features(e->function, function);
    jit_add_attribute(e->module, function, "nounwind");
    e->build = LLVMCreateBuilderInContext(e->module->context);
    LLVMPositionBuilderAtEnd(e->build, LLVMAppendBasicBlockInContext(e->module->context, function, ""));
    return function;
}

static LLVMValueRef make_function(struct jit_emitter *e, const struct kind *kind, const char *name, LLVMTypeRef type)
{
    LLVMBuilderRef outer = e->build;
    const unsigned vectors = e->vectors;
    LLVMValueRef function = open_function(e, name, type);
    e->vectors = 1; /* one after the other: few registers are needed at once */
    for (unsigned v = 0; v < vectors; v++) make_vector(e, kind, function, v);
    e->vectors = vectors;
    LLVMBuildRetVoid(e->build);
    LLVMDisposeBuilder(e->build);
    e->build = outer;
    e->compact_functions++;
    return function;
}

static LLVMTypeRef type_of(const struct jit_emitter *e, const struct kind *kind)
{
    LLVMTypeRef types[MOST_PARAMETERS];
    const unsigned pointers = kind->targets + kind->operands;
    for (unsigned i = 0; i < pointers; i++) types[i] = e->pointer;
    types[pointers] = e->i32;
    return LLVMFunctionType(e->nothing, types, pointers + kind->masked, false);
}

/* NULL: there are too many. */
static LLVMValueRef function_of(struct jit_emitter *e, const struct kind *kind)
{
    char name[128];
    name_of(kind, name);
    LLVMValueRef function = LLVMGetNamedFunction(e->module->module, name);
    if (function || e->compact_functions >= MOST_FUNCTIONS) return function;
    return make_function(e, kind, name, type_of(e, kind));
}

static void call(struct jit_emitter *e, const struct kind *kind, LLVMValueRef function, LLVMValueRef parameters[])
{
    const unsigned pointers = kind->targets + kind->operands;
    if (kind->masked) parameters[pointers] = jit_exec(e);
    LLVMBuildCall2(e->build, type_of(e, kind), function, parameters, pointers + kind->masked, "");
}

/* ---- instructions ---- */

static LLVMValueRef address_of(struct jit_emitter *e, unsigned space, uint32_t channel)
{
    LLVMValueRef base = space == SCH_SPACE_STATE ? e->state : space == SCH_SPACE_RUN ? e->constants : e->immediates;
    return jit_at(e, base, (uint64_t)channel * sizeof(struct sch_lanes));
}

/* How many channels of each source the operation takes: those of all shapes that give one word for each channel that is
 * written or for all of them. 0: of another shape. */
static unsigned channels_taken(const struct sch_op_info *info)
{
    switch (info->shape) {
    case SCH_SHAPE_COMP:
    case SCH_SHAPE_REPL:
        return 1;
    case SCH_SHAPE_VREPL2:
        return 2;
    case SCH_SHAPE_VREPL3:
        return 3;
    case SCH_SHAPE_VREPL4:
        return 4;
    default:
        return 0;
    }
}

static bool is_one_word(unsigned modify) { return !modify || sch_modifier_words(modify) == 1; }

static bool is_plain(const struct jit_emitter *e, instruction *in, const struct sch_op_info *info)
{
    bool plain = in->dst_count == 1 && in->dst[0].access == SCH_ACCESS_PLAIN && in->dst[0].mask && in->src_count > 0 &&
                 is_one_word(in->modify);
    for (unsigned s = 0; s < in->src_count; s++)
        plain = plain && in->src[s].access == SCH_ACCESS_PLAIN && is_one_word(in->src[s].modify);
    return plain && (e->request->quads || !(info->flags & SCH_OPF_DERIVATIVE));
}

/* Whether a channel that is written is read for one that is written later. */
static bool meets_itself(instruction *in)
{
    const struct sch_prepared_dst *dst = &in->dst[0];
    for (unsigned c = 1; c < 4; c++)
        for (unsigned s = 0; s < in->src_count && dst->mask >> c & 1; s++)
            for (unsigned before = 0; before < c; before++)
                if (dst->mask >> before & 1 && in->src[s].space == SCH_SPACE_STATE &&
                    in->src[s].channel[c] == dst->channel + before)
                    return true;
    return false;
}

static bool each_channel(struct jit_emitter *e, instruction *in, struct kind *kind)
{
    const bool aside = meets_itself(in);
    const struct kind copy = {.operands = 1, .targets = 1, .masked = kind->masked};
    if (aside) kind->masked = false;
    LLVMValueRef function = function_of(e, kind), copies = aside ? function_of(e, &copy) : NULL;
    if (!function || (aside && !copies)) return false;
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        const unsigned c = (unsigned)__builtin_ctz(mask);
        LLVMValueRef parameters[MOST_PARAMETERS];
        parameters[0] = aside ? jit_scratch(e, 0, c) : address_of(e, SCH_SPACE_STATE, in->dst[0].channel + c);
        for (unsigned s = 0; s < in->src_count; s++)
            parameters[1 + s] = address_of(e, in->src[s].space, in->src[s].channel[c]);
        call(e, kind, function, parameters);
    }
    for (unsigned mask = aside ? in->dst[0].mask : 0; mask; mask &= mask - 1) {
        const unsigned c = (unsigned)__builtin_ctz(mask);
        LLVMValueRef parameters[MOST_PARAMETERS] = {address_of(e, SCH_SPACE_STATE, in->dst[0].channel + c),
                                                    jit_scratch(e, 0, c)};
        call(e, &copy, copies, parameters);
    }
    return true;
}

static bool all_channels(struct jit_emitter *e, instruction *in, struct kind *kind, unsigned taken)
{
    LLVMValueRef function = function_of(e, kind), parameters[MOST_PARAMETERS];
    if (!function) return false;
    unsigned count = 0;
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1)
        parameters[count++] = address_of(e, SCH_SPACE_STATE, in->dst[0].channel + (unsigned)__builtin_ctz(mask));
    for (unsigned s = 0; s < in->src_count; s++)
        for (unsigned c = 0; c < taken; c++)
            parameters[count++] = address_of(e, in->src[s].space, in->src[s].channel[c]);
    call(e, kind, function, parameters);
    return true;
}

bool jit_compact(struct jit_emitter *e, instruction *in, const struct sch_op_info *info)
{
    const unsigned taken = channels_taken(info);
    if (!taken || taken * in->src_count > JIT_MAX_OPERANDS || !is_plain(e, in, info)) return false;
    const bool each = info->shape == SCH_SHAPE_COMP;
    struct kind kind = {.name = info->name,
                        .rules = in->rules,
                        .modify = in->modify,
                        .operands = taken * in->src_count,
                        .targets = each ? 1 : (unsigned)__builtin_popcount(in->dst[0].mask)};
    for (unsigned i = 0; i < kind.operands; i++) kind.of_operand[i] = in->src[i / taken].modify;
    jit_exec(e);
    for (unsigned c = 0; c < 4 && !jit_is_all(e); c++)
        kind.masked = kind.masked || (in->dst[0].mask >> c & 1 && jit_is_masked(e, &in->dst[0], c));
    return each ? each_channel(e, in, &kind) : all_channels(e, in, &kind, taken);
}

/* ---- what a group begins with ---- */

/* (first vector, their number): writes zeros. */
static LLVMValueRef make_clear(struct jit_emitter *e)
{
    LLVMTypeRef types[] = {e->pointer, e->i64};
    LLVMBuilderRef outer = e->build;
    LLVMValueRef function = open_function(e, "clear", LLVMFunctionType(e->nothing, types, 2, false));
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->build),
                      loop = LLVMAppendBasicBlockInContext(e->module->context, function, ""),
                      done = LLVMAppendBasicBlockInContext(e->module->context, function, "");
    LLVMBuildBr(e->build, loop);
    LLVMPositionBuilderAtEnd(e->build, loop);
    LLVMValueRef at = LLVMBuildPhi(e->build, e->i64, ""), zero = jit_long(e, 0);
    LLVMValueRef to = LLVMBuildInBoundsGEP2(e->build, e->vector, LLVMGetParam(function, 0), &at, 1, "");
    LLVMSetAlignment(LLVMBuildStore(e->build, LLVMConstNull(e->vector), to), e->lanes * 4);
    LLVMValueRef next = LLVMBuildAdd(e->build, at, jit_long(e, 1), "");
    LLVMAddIncoming(at, (LLVMValueRef[]){zero, next}, (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMBuildCondBr(e->build, LLVMBuildICmp(e->build, LLVMIntULT, next, LLVMGetParam(function, 1), ""), loop, done);
    LLVMPositionBuilderAtEnd(e->build, done);
    LLVMBuildRetVoid(e->build);
    LLVMDisposeBuilder(e->build);
    e->build = outer;
    return function;
}

static void note_reads(const uint64_t *written, instruction *in, uint64_t *wanted)
{
    for (unsigned s = 0; s < in->src_count; s++)
        for (unsigned c = 0; c < 4 && in->src[s].space == SCH_SPACE_STATE; c++)
            if (!sch_ir_set_has(written, in->src[s].channel[c])) sch_ir_set_add(wanted, in->src[s].channel[c]);
}

/* Channels that are written in all lanes, by what each group executes first, before they are read: these need not be
 * zero. */
static bool find_written(struct jit_emitter *e, uint64_t *written)
{
    const size_t words = sch_ir_set_words(e->channel_count);
    uint64_t *read = SCH_ARENA_ARRAY(&e->arena, uint64_t, words);
    if (!read) return false;
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        instruction *in = &e->program->instructions[n];
        const struct sch_op_info *info = sch_op_info(in->opcode);
        if (!channels_taken(info) || !is_plain(e, in, info)) break;
        note_reads(written, in, read);
        for (unsigned c = 0; c < 4; c++) {
            const uint32_t channel = in->dst[0].channel + c;
            if (in->dst[0].mask >> c & 1 && (e->plan.liveness.unmasked[n] >> c & 1) && !sch_ir_set_has(read, channel))
                sch_ir_set_add(written, channel);
        }
    }
    return true;
}

void jit_compact_begin(struct jit_emitter *e)
{
    static const uint8_t files[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    uint64_t *written = SCH_ARENA_ARRAY(&e->arena, uint64_t, sch_ir_set_words(e->channel_count));
    if (!written || !find_written(e, written)) {
        e->status = SCH_ERROR_MEMORY;
        return;
    }
    LLVMValueRef function = NULL;
    LLVMBuilderRef outer = e->build;
    for (unsigned f = 0; f < sizeof files; f++) {
        const struct sch_prepared_file *file = &e->program->files[files[f]];
        if (!file->stored || file->space != SCH_SPACE_STATE || e->program->indexed >> files[f] & 1) continue;
        uint32_t first = file->base, end = file->base + 4 * file->count;
        while (first < end && sch_ir_set_has(written, first)) first++;
        while (end > first && sch_ir_set_has(written, end - 1)) end--;
        if (first == end) continue;
        if (!function) function = make_clear(e);
        e->build = e->zeros;
        LLVMValueRef parameters[] = {address_of(e, SCH_SPACE_STATE, first),
                                     jit_long(e, (uint64_t)(end - first) * e->vectors)};
        LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, parameters, 2, "");
        e->build = outer;
    }
}
