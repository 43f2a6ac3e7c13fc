/* Operations of the archive, called by name on values of the group: in line, or as functions where they are long. Holds
 * no instruction (jit/arithmetic.c). */
#include "jit/emit.h"

#include <stdio.h>

/* Operations of more instructions are functions that are called; of more than a few, in large programs and in those
 * which would become so many of LLVM's instructions: at four lanes without fused steps 500 became 130,000. */
enum { INLINE_LIMIT = 64, SPARING_LIMIT = 12, MOST_INLINED = 40000 };

static const struct jit_archive_entry *entry_of(const struct jit_emitter *e, const char *name)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, JIT_VALUE_PREFIX "%s", name);
    return jit_archive_entry(e->module->archive, symbol);
}

void jit_choose_inlining(struct jit_emitter *e)
{
    uint64_t inlined = 0;
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        const struct sch_prepared_instruction *in = &e->program->instructions[n];
        const struct sch_op_info *info = sch_op_info(in->opcode);
        if (!SCH_SHAPE_IS_ARITHMETIC(info->shape)) continue;
        const struct jit_archive_entry *entry = entry_of(e, info->name);
        if (!entry || entry->instructions > INLINE_LIMIT) continue;
        const bool each = info->shape == SCH_SHAPE_COMP && in->dst_count;
        unsigned times = each ? (unsigned)__builtin_popcount(in->dst[0].mask) : 1;
        inlined += entry->folded * times * e->vectors;
    }
    e->sparing = e->quick || inlined > MOST_INLINED;
}

/* They are made where they are wanted in line. */
static bool stands_in_line(const char *name)
{
#define QUICK(quick, results, operands) || strcmp(name, #quick) == 0
    return false JIT_QUICK(QUICK);
#undef QUICK
}

LLVMValueRef jit_operation(struct jit_emitter *e, const char *name)
{
    char symbol[64];
    snprintf(symbol, sizeof symbol, JIT_VALUE_PREFIX "%s", name);
    LLVMValueRef function = LLVMGetNamedFunction(e->module->module, symbol);
    if (function) return function;
    function = jit_module_link(e->module, symbol, symbol);
    const struct jit_archive_entry *entry = jit_archive_entry(e->module->archive, symbol);
    if (!function || !entry) return NULL;
    LLVMSetLinkage(function, LLVMInternalLinkage);
    const bool inlines = entry->instructions <= (e->sparing ? SPARING_LIMIT : INLINE_LIMIT) || stands_in_line(name);
    jit_add_attribute(e->module, function, inlines ? "alwaysinline" : "noinline");
    return function;
}

void jit_settle_rules(const struct jit_module *module)
{
    const size_t prefix = sizeof JIT_VALUE_PREFIX - 1;
    for (LLVMValueRef f = LLVMGetFirstFunction(module->module); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        LLVMValueRef rules = NULL;
        bool same = strncmp(LLVMGetValueName2(f, &length), JIT_VALUE_PREFIX, prefix) == 0 && !LLVMIsDeclaration(f);
        for (LLVMUseRef use = LLVMGetFirstUse(f); use && same; use = LLVMGetNextUse(use)) {
            LLVMValueRef call = LLVMGetUser(use), given = LLVMIsACallInst(call) ? LLVMGetOperand(call, 0) : NULL;
            same = given && LLVMGetCalledValue(call) == f && LLVMIsAConstantInt(given) && (!rules || given == rules);
            rules = given;
        }
        if (same && rules) LLVMReplaceAllUsesWith(LLVMGetParam(f, 0), rules);
    }
}

/* Whether a vector has the same operands as the first: then it has the same results. */
static bool is_first(unsigned operands, const struct jit_value *const operand[], unsigned v)
{
    for (unsigned i = 0; i < operands; i++)
        if (operand[i]->part[v] != operand[i]->part[0]) return false;
    return true;
}

static void call_operation(struct jit_emitter *e, LLVMValueRef function, LLVMValueRef arguments[], unsigned operands,
                           unsigned results, LLVMValueRef made[])
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef all = LLVMBuildCall2(e->build, type, function, arguments, 1 + operands, "");
    if (results == 1) made[0] = all;
    for (unsigned r = 0; r < results && results > 1; r++) made[r] = LLVMBuildExtractValue(e->build, all, r, "");
}

void jit_operate(struct jit_emitter *e, const char *name, uint32_t rules, unsigned operands,
                 const struct jit_value *const operand[], unsigned results, struct jit_value *const result[])
{
    LLVMValueRef function = jit_operation(e, name);
    if (!function) {
        e->status = SCH_ERROR_INTERNAL;
        for (unsigned r = 0; r < results; r++)
            for (unsigned v = 0; v < e->vectors; v++) result[r]->part[v] = LLVMConstNull(e->vector);
        return;
    }
    /* Results may take the place of operands. */
    LLVMValueRef made[JIT_MAX_VECTORS][JIT_MAX_RESULTS];
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef arguments[1 + JIT_MAX_OPERANDS] = {jit_word(e, rules)};
        for (unsigned i = 0; i < operands; i++) arguments[1 + i] = operand[i]->part[v];
        if (v && is_first(operands, operand, v))
            memcpy(made[v], made[0], sizeof made[v]);
        else
            call_operation(e, function, arguments, operands, results, made[v]);
    }
    for (unsigned v = 0; v < e->vectors; v++)
        for (unsigned r = 0; r < results; r++) result[r]->part[v] = made[v][r];
}

void jit_modify(struct jit_emitter *e, unsigned modifier, struct jit_value *const value[])
{
    static const char *const operations[SCH_MODIFIER_COUNT] = {
#define MODIFIER(enumerator, operation, words) [SCH_MODIFY_##enumerator] = #operation,
#include "abi/modifiers.def"
#undef MODIFIER
    };
    const unsigned words = sch_modifier_words(modifier);
    jit_operate(e, operations[modifier], 0, words, (const struct jit_value *const *)value, words, value);
}
