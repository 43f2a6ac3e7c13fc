/* Arithmetic of Maxwell code: the bodies of src/ops/maxwell as bitcode, once for each combination of modifiers that the
 * program has, so that these fold. Operands are read as sch_maxwell_source of src/maxwell/run reads them. */
#include "jit/maxwell.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Bodies of more instructions are called; those in line have so many together. */
enum { INLINE_LIMIT = 64, SMALL_INLINE_LIMIT = 6, MOST_INLINE = 20000 };

/* The test of the flags has the number after those of bodies. */
enum { BODY_TEST = SCH_MAXWELL_BODY_COUNT };

static const char body_passes[] =
    "always-inline,globaldce,function(sroa,early-cse<memssa>,sccp,simplifycfg,instcombine<no-verify-fixpoint>,gvn,"
    "simplifycfg,adce)";

static const char *name_of(unsigned body)
{
    static const char *const names[] = {
#define MAXWELL_BODY(name) #name,
#include "abi/maxwell_bodies.def"
#undef MAXWELL_BODY
        "test"};
    return names[body];
}

/* ---- the functions ---- */

static bool same_how(const struct sch_maxwell_how *a, const struct sch_maxwell_how *b)
{
    return memcmp(a, b, SCH_MAXWELL_HOW_BYTES) == 0 && a->flags == b->flags && a->number == b->number;
}

/* What a body can see. */
struct sch_maxwell_how warp_how_of(const struct sch_maxwell_step *step)
{
    struct sch_maxwell_how how;
    memset(&how, 0, sizeof how); /* what is between its members, too */
    memcpy(&how, &step->how, SCH_MAXWELL_HOW_BYTES);
    how.flags = step->how.flags;
    how.number = step->how.number;
    return how;
}

/* Results that an instruction has. */
unsigned warp_results_of(const struct sch_maxwell_step *step)
{
    unsigned results = step->how.flags ? 1u << SCH_MAXWELL_TO_FLAGS : 0;
    for (unsigned r = 0; r < 2; r++) {
        if (r < step->result_words && step->result + r < WARP_REGISTERS) results |= 1u << (SCH_MAXWELL_TO_LOW + r);
        if (step->predicate[r] < WARP_PREDICATES) results |= 1u << (SCH_MAXWELL_TO_PREDICATE + r);
    }
    return results;
}

static struct warp_body *find_body(struct warp *w, unsigned body, const struct sch_maxwell_how *how, unsigned results)
{
    for (size_t i = 0; i < w->body_count; i++)
        if (w->bodies[i].body == body && w->bodies[i].results == results && same_how(&w->bodies[i].how, how))
            return &w->bodies[i];
    return NULL;
}

static LLVMValueRef constant_bytes(struct warp *w, const void *bytes, size_t size)
{
    LLVMValueRef value = LLVMConstStringInContext(w->e.module->context, bytes, (unsigned)size, true);
    LLVMValueRef global = LLVMAddGlobal(w->e.module->module, LLVMTypeOf(value), "");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, alignof(struct sch_maxwell_how));
    return global;
}

/* A function of the operands alone. */
static bool make_body(struct warp *w, struct warp_body *made)
{
    enum { OPERANDS = SCH_MAXWELL_FROM_COUNT };
    struct jit_emitter *e = &w->e;
    char symbol[64];
    snprintf(symbol, sizeof symbol, JIT_VALUE_PREFIX "mw_%s", name_of(made->body));
    LLVMValueRef body = jit_module_link(e->module, symbol, symbol);
    if (!body) return false;
    LLVMSetLinkage(body, LLVMInternalLinkage);
    jit_add_attribute(e->module, body, "alwaysinline");
    LLVMTypeRef type = LLVMGlobalGetValueType(body), parameters[OPERANDS], parts[SCH_MAXWELL_TO_COUNT];
    for (unsigned i = 0; i < OPERANDS; i++) parameters[i] = e->vector;
    for (unsigned i = 0; i < SCH_MAXWELL_TO_COUNT; i++) parts[i] = e->vector;
    const unsigned results = (unsigned)__builtin_popcount(made->results);
    LLVMTypeRef result = results == 1 ? e->vector : LLVMStructTypeInContext(e->module->context, parts, results, false);
    snprintf(symbol, sizeof symbol, "%s_%zu", name_of(made->body), (size_t)(made - w->bodies));
    made->function = LLVMAddFunction(e->module->module, symbol, LLVMFunctionType(result, parameters, OPERANDS, false));
    jit_copy_features(body, made->function);
    jit_add_attribute(e->module, made->function, "nounwind");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(e->module->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(e->module->context, made->function, ""));
    LLVMValueRef arguments[1 + OPERANDS] = {constant_bytes(w, &made->how, sizeof made->how)};
    for (unsigned i = 0; i < OPERANDS; i++) arguments[1 + i] = LLVMGetParam(made->function, i);
    LLVMValueRef all = LLVMBuildCall2(b, type, body, arguments, 1 + OPERANDS, ""), given = LLVMGetPoison(result);
    for (unsigned r = 0, n = 0; r < SCH_MAXWELL_TO_COUNT; r++) {
        if (!(made->results >> r & 1)) continue;
        LLVMValueRef part = LLVMBuildExtractValue(b, all, r, "");
        given = results == 1 ? part : LLVMBuildInsertValue(b, given, part, n++, "");
    }
    LLVMBuildRet(b, given);
    LLVMDisposeBuilder(b);
    return true;
}

bool warp_want_body(struct warp *w, unsigned body, const struct sch_maxwell_how *how, unsigned results)
{
    if (!results || find_body(w, body, how, results)) return true;
    struct warp_body *made = &w->bodies[w->body_count++];
    *made = (struct warp_body){.body = (uint8_t)body, .results = (uint8_t)results, .how = *how};
    return make_body(w, made);
}

enum { RESULT_OF_TEST = 1 << SCH_MAXWELL_TO_PREDICATE };

static struct sch_maxwell_how how_of_test(unsigned test)
{
    struct sch_maxwell_how how;
    memset(&how, 0, sizeof how);
    how.comparison = (uint8_t)test;
    return how;
}

static size_t size_of(LLVMValueRef function)
{
    size_t count = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) count++;
    return count;
}

static bool is_single_block(LLVMValueRef function) { return !LLVMGetNextBasicBlock(LLVMGetFirstBasicBlock(function)); }

/* Whether it goes in line. */
static void decide(struct warp *w, struct warp_body *body, size_t uses)
{
    const size_t size = size_of(body->function) - (size_t)__builtin_popcount(body->results);
    const uint64_t all = (uint64_t)size * uses * w->e.vectors;
    const bool in_line = size <= (w->is_small ? SMALL_INLINE_LIMIT : INLINE_LIMIT) && is_single_block(body->function) &&
                         (size <= 8 || w->weight + all <= MOST_INLINE);
    if (in_line) w->weight += all;
    for (unsigned i = 0; i < SCH_MAXWELL_FROM_COUNT; i++)
        if (LLVMGetFirstUse(LLVMGetParam(body->function, i))) body->operands |= (uint8_t)(1u << i);
    LLVMSetLinkage(body->function, LLVMInternalLinkage);
    jit_add_attribute(w->e.module, body->function, in_line ? "alwaysinline" : "noinline");
}

static bool want_all(struct warp *w, size_t *uses)
{
    for (uint32_t n = 0; n < w->count; n++) {
        const struct sch_maxwell_step *step = &w->maxwell->steps[n];
        const struct sch_maxwell_how how = warp_how_of(step), of_test = how_of_test(step->test);
        const unsigned results = warp_results_of(step);
        if (step->test != SCH_MAXWELL_ALWAYS && !warp_want_body(w, BODY_TEST, &of_test, RESULT_OF_TEST)) return false;
        if (step->kind != SCH_MAXWELL_KIND_arithmetic || !results) continue;
        if (!warp_want_body(w, step->body, &how, results)) return false;
        uses[find_body(w, step->body, &how, results) - w->bodies]++;
    }
    return true;
}

bool warp_make_bodies(struct warp *w)
{
    const size_t most = w->compact ? WARP_MOST_KINDS : 2 * (size_t)w->count + 1;
    w->bodies = SCH_ARENA_ARRAY(&w->e.arena, struct warp_body, most);
    size_t *uses = SCH_ARENA_ARRAY(&w->e.arena, size_t, most);
    if (!w->bodies || !uses) return false;
    if (!(w->compact ? warp_compact_bodies(w) : want_all(w, uses))) return false;
    if (!jit_module_run(w->e.module, body_passes)) return false;
    for (size_t i = 0; i < w->body_count; i++) decide(w, &w->bodies[i], uses[i]);
    return true;
}

/* ---- operands ---- */

static LLVMValueRef and_word(struct warp *w, LLVMValueRef value, uint32_t word)
{
    return LLVMBuildAnd(w->e.build, value, jit_splat_word(&w->e, word), "");
}

/* Halves, bars, signs and complements. */
void warp_change_word(struct warp *w, const struct sch_maxwell_source *source, unsigned word, struct jit_value *value)
{
    enum { HALF_BITS = 16, LOW_HALF = 0xffff };
    LLVMBuilderRef b = w->e.build;
    const uint32_t sign = source->half ? UINT32_C(1) << 15 : UINT32_C(1) << 31;
    const bool last = word + 1u == source->words;
    const uint32_t keep = source->bars && last ? ~sign : UINT32_MAX;
    const uint32_t flip = source->invert ? UINT32_MAX : source->minus && last ? sign : 0;
    for (unsigned v = 0; v < w->e.vectors; v++) {
        LLVMValueRef x = value->part[v];
        if (source->half == 2) x = LLVMBuildLShr(b, x, jit_splat_word(&w->e, HALF_BITS), "");
        if (source->half == 1) x = and_word(w, x, LOW_HALF);
        if (keep != UINT32_MAX) x = and_word(w, x, keep);
        if (flip) x = LLVMBuildXor(b, x, jit_splat_word(&w->e, flip), "");
        value->part[v] = x;
    }
}

static void splat_value(struct warp *w, LLVMValueRef word, struct jit_value *value)
{
    LLVMValueRef splat = jit_splat(&w->e, word);
    for (unsigned v = 0; v < w->e.vectors; v++) value->part[v] = splat;
}

/* The run has the word, after those of the sources before it. */
static LLVMValueRef constant_word(struct warp *w, const struct sch_maxwell_step *step, unsigned source, unsigned word)
{
    uint64_t number = w->maxwell->constant[step - w->maxwell->steps] + (uint64_t)word;
    for (unsigned s = 0; s < source; s++)
        if (step->source[s].kind == SCH_MAXWELL_FROM_CONSTANT) number += step->source[s].words;
    LLVMValueRef load = LLVMBuildLoad2(w->e.build, w->e.i32, jit_at(&w->e, w->constant_words, 4 * number), "");
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(w->e.module->context, "invariant.load", 14),
                    LLVMMetadataAsValue(w->e.module->context, LLVMMDNodeInContext2(w->e.module->context, NULL, 0)));
    return load;
}

LLVMValueRef warp_uniform_word(struct warp *w, const struct sch_maxwell_step *step, unsigned source, unsigned word)
{
    enum { BITS = 32 };
    const struct sch_maxwell_source *from = &step->source[source];
    if (from->kind == SCH_MAXWELL_FROM_CONSTANT) return constant_word(w, step, source, word);
    return jit_word(&w->e, from->kind == SCH_MAXWELL_FROM_REGISTER ? 0 : (uint32_t)(from->word >> BITS * word));
}

/* P0 to P6 as bits. */
static void read_bank(struct warp *w, struct jit_value *value)
{
    for (unsigned v = 0; v < w->e.vectors; v++) value->part[v] = LLVMConstNull(w->e.vector);
    for (unsigned p = 0; p < WARP_PREDICATES; p++) {
        const struct warp_lanes truth = warp_truth(w, p, false);
        for (unsigned v = 0; v < w->e.vectors; v++)
            value->part[v] =
                LLVMBuildOr(w->e.build, value->part[v], and_word(w, warp_mask(w, truth.bits[v]), UINT32_C(1) << p), "");
    }
}

static void read_truth(struct warp *w, const struct sch_maxwell_source *source, struct jit_value *value)
{
    if (source->number < WARP_PREDICATES && !source->is_not) {
        warp_read(w, WARP_REGISTERS + source->number, value);
        return;
    }
    const struct warp_lanes truth = warp_truth(w, source->number, source->is_not);
    for (unsigned v = 0; v < w->e.vectors; v++)
        value->part[v] = truth.all ? LLVMConstAllOnes(w->e.vector) : warp_mask(w, truth.bits[v]);
}

void warp_source(struct warp *w, const struct sch_maxwell_step *step, unsigned number, unsigned word,
                 struct jit_value *value)
{
    const struct sch_maxwell_source *source = &step->source[number];
    switch ((enum sch_maxwell_source_kind)source->kind) {
    case SCH_MAXWELL_FROM_REGISTER:
        warp_read_register(w, source->number < WARP_REGISTERS ? source->number + word : source->number, value);
        warp_change_word(w, source, word, value);
        break;
    case SCH_MAXWELL_FROM_PREDICATE:
        read_truth(w, source, value);
        break;
    case SCH_MAXWELL_FROM_BANK:
        if (step->how.bank)
            warp_read(w, WARP_CC, value);
        else
            read_bank(w, value);
        break;
    default:
        splat_value(w, warp_uniform_word(w, step, number, word), value);
        warp_change_word(w, source, word, value);
        break;
    }
}

/* ---- calls ---- */

static void call_body(struct warp *w, const struct warp_body *body, struct jit_value from[SCH_MAXWELL_FROM_COUNT],
                      struct jit_value to[SCH_MAXWELL_TO_COUNT])
{
    LLVMTypeRef type = LLVMGlobalGetValueType(body->function);
    const bool single = __builtin_popcount(body->results) == 1;
    for (unsigned v = 0; v < w->e.vectors; v++) {
        LLVMValueRef arguments[SCH_MAXWELL_FROM_COUNT];
        for (unsigned i = 0; i < SCH_MAXWELL_FROM_COUNT; i++)
            arguments[i] = body->operands >> i & 1 ? from[i].part[v] : LLVMGetPoison(w->e.vector);
        LLVMValueRef all = LLVMBuildCall2(w->e.build, type, body->function, arguments, SCH_MAXWELL_FROM_COUNT, "");
        for (unsigned r = 0, n = 0; r < SCH_MAXWELL_TO_COUNT; r++)
            if (body->results >> r & 1) to[r].part[v] = single ? all : LLVMBuildExtractValue(w->e.build, all, n++, "");
    }
}

static void nothing(struct warp *w, struct jit_value *value)
{
    for (unsigned v = 0; v < w->e.vectors; v++) value->part[v] = LLVMConstNull(w->e.vector);
}

void warp_call_body(struct warp *w, unsigned body, const struct sch_maxwell_how *how, unsigned results,
                    struct jit_value from[SCH_MAXWELL_FROM_COUNT], struct jit_value to[SCH_MAXWELL_TO_COUNT])
{
    call_body(w, find_body(w, body, how, results), from, to);
}

struct warp_lanes warp_test(struct warp *w, unsigned test)
{
    const struct sch_maxwell_how how = how_of_test(test);
    const struct warp_body *body = find_body(w, BODY_TEST, &how, RESULT_OF_TEST);
    struct jit_value from[SCH_MAXWELL_FROM_COUNT], to[SCH_MAXWELL_TO_COUNT];
    struct warp_lanes lanes = {.all = false};
    for (unsigned i = 0; i < SCH_MAXWELL_FROM_COUNT; i++) nothing(w, &from[i]);
    warp_read(w, WARP_CC, &from[SCH_MAXWELL_FROM_FLAGS]);
    call_body(w, body, from, to);
    for (unsigned v = 0; v < w->e.vectors; v++)
        lanes.bits[v] =
            LLVMBuildICmp(w->e.build, LLVMIntNE, to[SCH_MAXWELL_TO_PREDICATE].part[v], LLVMConstNull(w->e.vector), "");
    return lanes;
}

void warp_arithmetic(struct warp *w, const struct sch_maxwell_step *step)
{
    const struct sch_maxwell_how how = warp_how_of(step);
    const unsigned results = warp_results_of(step);
    const struct warp_body *body = find_body(w, step->body, &how, results);
    struct jit_value from[SCH_MAXWELL_FROM_COUNT], to[SCH_MAXWELL_TO_COUNT];
    if (!results) return;
    const struct warp_lanes lanes = warp_lanes_of(w, step);
    for (unsigned i = 0; i < SCH_MAXWELL_FROM_COUNT; i++) nothing(w, &from[i]);
    for (unsigned s = 0; s < step->source_count && s < SCH_MAXWELL_FROM_HIGH; s++) {
        const unsigned high = s + SCH_MAXWELL_FROM_HIGH;
        if (body->operands >> s & 1) warp_source(w, step, s, 0, &from[s]);
        if (step->source[s].words > 1 && body->operands >> high & 1) warp_source(w, step, s, 1, &from[high]);
    }
    if (body->operands >> SCH_MAXWELL_FROM_FLAGS & 1) warp_read(w, WARP_CC, &from[SCH_MAXWELL_FROM_FLAGS]);
    call_body(w, body, from, to);
    for (unsigned r = 0; r < 2; r++)
        if (results >> (SCH_MAXWELL_TO_LOW + r) & 1)
            warp_write(w, step->result + r, &to[SCH_MAXWELL_TO_LOW + r], &lanes);
    for (unsigned p = 0; p < 2; p++)
        if (results >> (SCH_MAXWELL_TO_PREDICATE + p) & 1)
            warp_write(w, WARP_REGISTERS + step->predicate[p], &to[SCH_MAXWELL_TO_PREDICATE + p], &lanes);
    if (step->how.flags) warp_write(w, WARP_CC, &to[SCH_MAXWELL_TO_FLAGS], &lanes);
}
