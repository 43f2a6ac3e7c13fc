/* Arithmetic: the shapes of exec/alu.c, with operations of the archive (jit/operations.c). All sources are
 * read before anything is written. */
#include "jit/emit.h"

#include <stdio.h>

typedef const struct sch_prepared_instruction instruction;

struct operation {
    struct jit_emitter *e;
    instruction *in;
    const char *name;
    struct jit_value operand[JIT_MAX_OPERANDS], result[JIT_MAX_RESULTS];
};

static void source(struct operation *s, unsigned source, unsigned c, unsigned operand)
{
    jit_read_source(s->e, &s->in->src[source], c, &s->operand[operand]);
}

static void operate(struct operation *s, unsigned operands, unsigned results)
{
    const struct jit_value *operand[JIT_MAX_OPERANDS];
    struct jit_value *result[JIT_MAX_RESULTS];
    for (unsigned i = 0; i < operands; i++) operand[i] = &s->operand[i];
    for (unsigned i = 0; i < results; i++) result[i] = &s->result[i];
    jit_operate(s->e, s->name, s->in->rules, operands, operand, results, result);
}

static void modify(struct operation *s, struct jit_value *value)
{
    if (s->in->modify) jit_modify(s->e, s->in->modify, (struct jit_value *const[]){value});
}

static void modify_pair(struct operation *s)
{
    struct jit_value *const words[2] = {&s->result[0], &s->result[1]};
    if (s->in->modify) jit_modify(s->e, s->in->modify, words);
}

static void write_results(struct operation *s, const struct jit_value results[4], unsigned channels)
{
    for (unsigned mask = s->in->dst[0].mask & channels; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        jit_write(s->e, &s->in->dst[0], c, &results[c]);
    }
}

static void comp(struct operation *s)
{
    struct jit_value results[4];
    for (unsigned mask = s->in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        for (unsigned i = 0; i < s->in->src_count; i++) source(s, i, c, i);
        operate(s, s->in->src_count, 1);
        modify(s, &s->result[0]);
        results[c] = s->result[0];
    }
    write_results(s, results, 15);
}

/* Where lanes are not quads, derivatives are 0. */
static void no_derivative(struct operation *s)
{
    struct jit_value zero;
    for (unsigned v = 0; v < s->e->vectors; v++) zero.part[v] = LLVMConstNull(s->e->vector);
    const struct jit_value results[4] = {zero, zero, zero, zero};
    write_results(s, results, 15);
}

static bool is_constant(const struct jit_emitter *e, const struct jit_value *value)
{
    bool constant = true;
    for (unsigned v = 0; v < e->vectors; v++) constant = constant && LLVMIsConstant(value->part[v]);
    return constant;
}

/* With 4 lanes, quick bodies of all vectors would be three times as much code as the calls. */
enum { MOST_QUICK_VECTORS = 4 };

/* The same values, as ones of which jit/nans.c sees that any NaN will do, whatever bits a body takes. */
static void take_any_nan(struct jit_emitter *e, struct jit_value *value)
{
    static const char name[] = "llvm.arithmetic.fence";
    LLVMTypeRef floats = LLVMVectorType(LLVMFloatTypeInContext(e->module->context), e->lanes);
    LLVMValueRef fence =
        LLVMGetIntrinsicDeclaration(e->module->module, LLVMLookupIntrinsicID(name, sizeof name - 1), &floats, 1);
    const LLVMValueRef first = value->part[0]; /* perhaps that of all */
    for (unsigned v = 0; v < e->vectors; v++) {
        if (LLVMIsConstant(value->part[v])) continue;
        if (v && value->part[v] == first) {
            value->part[v] = value->part[0];
            continue;
        }
        LLVMValueRef same = LLVMBuildBitCast(e->build, value->part[v], floats, "");
        same = LLVMBuildCall2(e->build, LLVMGlobalGetValueType(fence), fence, &same, 1, "");
        value->part[v] = LLVMBuildBitCast(e->build, same, e->vector, "");
    }
}

/* A quick body serves most lanes, for all vectors side by side; the whole operation is called where that does not
 * decide the result of some lane, which is rare: what lives meanwhile is saved only there. */
static void operate_quickly(struct operation *s)
{
    struct jit_emitter *e = s->e;
    char name[32];
    snprintf(name, sizeof name, "quick_%s", s->name);
    LLVMBuilderRef b = e->build;
    struct jit_value undecided = {{NULL}};
    const struct jit_value *operand[SCH_MAX_SRCS];
    const unsigned operands = s->in->src_count;
    for (unsigned i = 0; i < operands; i++) {
        take_any_nan(e, &s->operand[i]);
        operand[i] = &s->operand[i];
    }
    jit_operate(e, name, s->in->rules, operands, operand, 2, (struct jit_value *const[]){&s->result[0], &undecided});
    LLVMValueRef some = undecided.part[0];
    for (unsigned v = 1; v < e->vectors; v++) some = LLVMBuildOr(b, some, undecided.part[v], "");
    some = LLVMBuildICmp(b, LLVMIntNE, some, LLVMConstNull(e->vector), "");
    some = LLVMBuildBitCast(b, some, LLVMIntTypeInContext(e->module->context, e->lanes), "");
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b), rare = jit_new_block(e), go_on = jit_new_block(e);
    jit_expect(e,
               LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, some, LLVMConstNull(LLVMTypeOf(some)), ""), go_on, rare));
    LLVMPositionBuilderAtEnd(b, rare);
    struct jit_value whole = {{NULL}};
    jit_operate(e, s->name, s->in->rules, operands, operand, 1, (struct jit_value *const[]){&whole});
    LLVMBasicBlockRef rare_end = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, go_on);
    LLVMPositionBuilderAtEnd(b, go_on);
    const LLVMValueRef first = s->result[0].part[0]; /* perhaps that of all */
    for (unsigned v = 0; v < e->vectors; v++) {
        if (v && s->result[0].part[v] == first) {
            s->result[0].part[v] = s->result[0].part[0];
            continue;
        }
        LLVMValueRef phi = LLVMBuildPhi(b, e->vector, "");
        LLVMAddIncoming(phi, (LLVMValueRef[]){s->result[0].part[v], whole.part[v]},
                        (LLVMBasicBlockRef[]){from, rare_end}, 2);
        s->result[0].part[v] = phi;
    }
}

static bool has_quick_body(const struct operation *s)
{
    if (!(sch_op_info(s->in->opcode)->flags & SCH_OPF_QUICK) || s->e->sparing) return false;
    const unsigned operands = s->in->src_count;
    return operands > 1 ? is_constant(s->e, &s->operand[operands - 1]) : s->e->vectors <= MOST_QUICK_VECTORS;
}

static void replicate(struct operation *s, unsigned channels)
{
    if (!s->in->dst[0].mask) return;
    for (unsigned i = 0; i < s->in->src_count; i++)
        for (unsigned c = 0; c < channels; c++) source(s, i, c, channels * i + c);
    if (has_quick_body(s))
        operate_quickly(s);
    else
        operate(s, channels * s->in->src_count, 1);
    modify(s, &s->result[0]);
    const struct jit_value results[4] = {s->result[0], s->result[0], s->result[0], s->result[0]};
    write_results(s, results, 15);
}

static void four_results(struct operation *s, unsigned operands)
{
    operate(s, operands, 4);
    for (unsigned c = 0; c < 4; c++) modify(s, &s->result[c]);
    write_results(s, s->result, 15);
}

static void channels(struct operation *s)
{
    for (unsigned i = 0; i < s->in->src_count; i++)
        for (unsigned c = 0; c < 4; c++) source(s, i, c, 4 * i + c);
    four_results(s, 4 * s->in->src_count);
}

static void unpack(struct operation *s)
{
    source(s, 0, 0, 0);
    four_results(s, 1);
}

/* Both words of every source for one half. */
static void source_halves(struct operation *s, unsigned half)
{
    for (unsigned i = 0; i < s->in->src_count; i++)
        for (unsigned w = 0; w < 2; w++) source(s, i, 2 * half + w, 2 * i + w);
}

/* Two words per half: COMP64 from both words of each source, WIDEN64 from one. */
static void pairs(struct operation *s, bool widen)
{
    struct jit_value results[4];
    for (unsigned half = 0; half < 2; half++) {
        if (!(s->in->dst[0].mask >> (2 * half) & 3)) continue;
        if (!widen) source_halves(s, half);
        for (unsigned i = 0; i < s->in->src_count && widen; i++) source(s, i, half, i);
        operate(s, widen ? s->in->src_count : 2u * s->in->src_count, 2);
        modify_pair(s);
        results[2 * half] = s->result[0];
        results[2 * half + 1] = s->result[1];
    }
    write_results(s, results, 15);
}

static void one_per_half(struct operation *s, unsigned second)
{
    struct jit_value results[4];
    for (unsigned half = 0; half < 2; half++) {
        unsigned c = half ? second : 0;
        if (!(s->in->dst[0].mask >> c & 1)) continue;
        source_halves(s, half);
        operate(s, 2u * s->in->src_count, 1);
        modify(s, &s->result[0]);
        results[c] = s->result[0];
    }
    write_results(s, results, 1u | 1u << second);
}

static void fracexp(struct operation *s)
{
    source(s, 0, 0, 0);
    source(s, 0, 1, 1);
    operate(s, 2, 3);
    modify_pair(s);
    const struct jit_value results[4] = {s->result[0], s->result[1], s->result[0], s->result[1]};
    if (s->in->dst_count > 0) write_results(s, results, 15);
    if (s->in->dst_count < 2) return;
    for (unsigned mask = s->in->dst[1].mask; mask; mask &= mask - 1)
        jit_write(s->e, &s->in->dst[1], (unsigned)__builtin_ctz(mask), &s->result[2]);
}

void jit_arithmetic(struct jit_emitter *e, instruction *in, const struct sch_op_info *info)
{
    struct operation s = {.e = e, .in = in, .name = info->name};
    if (e->compact && jit_compact(e, in, info)) return;
    jit_compact_close(e);
    switch (info->shape) {
    case SCH_SHAPE_COMP:
        if (info->flags & SCH_OPF_DERIVATIVE && !e->request->quads)
            no_derivative(&s);
        else
            comp(&s);
        break;
    case SCH_SHAPE_REPL:
        replicate(&s, 1);
        break;
    case SCH_SHAPE_VREPL2:
        replicate(&s, 2);
        break;
    case SCH_SHAPE_VREPL3:
        replicate(&s, 3);
        break;
    case SCH_SHAPE_VREPL4:
        replicate(&s, 4);
        break;
    case SCH_SHAPE_CHAN:
        channels(&s);
        break;
    case SCH_SHAPE_UNPACK:
        unpack(&s);
        break;
    case SCH_SHAPE_COMP64:
    case SCH_SHAPE_WIDEN64:
        pairs(&s, info->shape == SCH_SHAPE_WIDEN64);
        break;
    case SCH_SHAPE_COMPARE64:
        one_per_half(&s, 2);
        break;
    case SCH_SHAPE_NARROW64:
        one_per_half(&s, 1);
        break;
    case SCH_SHAPE_FRACEXP:
        fracexp(&s);
        break;
    }
}
