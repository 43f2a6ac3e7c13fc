/* Maxwell programs of thousands of instructions: all registers stay in the state. Arithmetic that the program has more
 * than once, with the same modifiers, is a function of places, and each of its instructions calls it; everything else
 * is left to handlers, many in one call. So an instruction becomes a few of LLVM's, whatever it does and however many
 * lanes vectors have. */
#include "jit/maxwell.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each function counts against the stack that an object may take (protocol/compiler.h). */
enum { LEAST_USES = 2, MOST_PARAMETERS = 5 + 2 * SCH_MAXWELL_SOURCES, VECTOR_SIZE = sizeof(struct sch_lanes) };

/* Arithmetic that one function does. What it reads and writes is a place, or a word that is given; of that and of
 * registers, the bytes of `source` say what is done with it first. Without gaps, so that bytes are compared. */
struct warp_kind {
    uint8_t body, results, sources;
    struct {
        uint8_t kind, words, half, minus, bars, invert, is_not;
    } source[SCH_MAXWELL_SOURCES];
    struct sch_maxwell_how how;
};

struct warp_function {
    const struct warp_kind *kind;
    LLVMValueRef function;
};

struct warp_compact {
    struct warp_kind *kinds; /* of all arithmetic, in the order of instructions... */
    const struct warp_kind **sorted;
    uint32_t *uses, *first; /* of the kinds that differ, in `sorted` */
    int32_t *of_step;       /* by instruction: the function; -1: handlers do it */
    struct warp_function functions[WARP_MOST_KINDS];
    LLVMValueRef truths; /* the function that makes bits of a predicate */
};

/* ---- kinds ---- */

static bool is_register_there(const struct warp *w, unsigned number)
{
    return number < w->e.program->files[SCH_FILE_TEMPORARY].count;
}

/* Places are known where all registers are there; RZ is a word. */
static bool kind_of_source(const struct warp *w, const struct sch_maxwell_source *from, struct warp_kind *kind,
                           unsigned s)
{
    kind->source[s].kind = from->kind;
    kind->source[s].words = from->words;
    kind->source[s].half = from->half;
    kind->source[s].minus = from->minus;
    kind->source[s].bars = from->bars;
    kind->source[s].invert = from->invert;
    switch ((enum sch_maxwell_source_kind)from->kind) {
    case SCH_MAXWELL_FROM_REGISTER:
        if (from->number == SCH_MAXWELL_NO_REGISTER)
            kind->source[s].kind = SCH_MAXWELL_FROM_WORD;
        else if (!is_register_there(w, from->number + (from->words > 1)))
            return false;
        return from->words <= 2;
    case SCH_MAXWELL_FROM_CONSTANT:
        kind->source[s].kind = SCH_MAXWELL_FROM_WORD;
        return from->words <= 2;
    case SCH_MAXWELL_FROM_PREDICATE:
        kind->source[s].is_not = from->is_not;
        if (from->number < WARP_PREDICATES) return true;
        kind->source[s].kind = SCH_MAXWELL_FROM_NOTHING; /* known to be true, or not */
        return true;
    case SCH_MAXWELL_FROM_BANK:
        return false;
    default:
        return from->words <= 2;
    }
}

static bool kind_of(const struct warp *w, const struct sch_maxwell_step *step, struct warp_kind *kind)
{
    enum { WHOLE_QUAD = 15 };
    memset(kind, 0, sizeof *kind);
    const bool plain = step->kind == SCH_MAXWELL_KIND_arithmetic && step->test == SCH_MAXWELL_ALWAYS &&
                       (step->quad_lanes & WHOLE_QUAD) == WHOLE_QUAD;
    if (!plain || (step->guard_not && step->guard >= WARP_PREDICATES)) return false;
    kind->body = step->body;
    kind->results = (uint8_t)warp_results_of(step);
    kind->sources = step->source_count;
    kind->how = warp_how_of(step);
    for (unsigned r = 0; r < 2; r++)
        if (kind->results >> (SCH_MAXWELL_TO_LOW + r) & 1 && !is_register_there(w, step->result + r)) return false;
    for (unsigned s = 0; s < step->source_count; s++)
        if (s >= SCH_MAXWELL_FROM_HIGH || !kind_of_source(w, &step->source[s], kind, s)) return false;
    return kind->results != 0;
}

static int compare_kinds(const void *a, const void *b)
{
    const struct warp_kind *const *x = a, *const *y = b;
    const int order = memcmp(*x, *y, sizeof **x);
    return order ? order : (*x > *y) - (*x < *y);
}

/* Those used most have functions. */
static uint32_t least_uses(const struct warp_compact *c, uint32_t different)
{
    uint32_t least = LEAST_USES, count;
    do {
        count = 0;
        for (uint32_t k = 0; k < different; k++) count += c->uses[k] >= least;
    } while (count > WARP_MOST_KINDS && ++least);
    return least;
}

static bool choose_kinds(struct warp *w, struct warp_compact *c)
{
    struct sch_arena *arena = &w->e.arena;
    uint32_t count = 0, different = 0, made = 0;
    c->kinds = SCH_ARENA_ARRAY(arena, struct warp_kind, (size_t)w->count + 1);
    c->sorted = SCH_ARENA_ARRAY(arena, const struct warp_kind *, (size_t)w->count + 1);
    c->of_step = SCH_ARENA_ARRAY(arena, int32_t, (size_t)w->count + 1);
    c->uses = SCH_ARENA_ARRAY(arena, uint32_t, (size_t)w->count + 1);
    c->first = SCH_ARENA_ARRAY(arena, uint32_t, (size_t)w->count + 1);
    int32_t *number = SCH_ARENA_ARRAY(arena, int32_t, (size_t)w->count + 1);
    if (arena->failed) return false;
    for (uint32_t n = 0; n < w->count; n++) {
        c->of_step[n] = -1;
        if (w->calls_handlers || !kind_of(w, &w->maxwell->steps[n], &c->kinds[count])) continue;
        c->of_step[n] = (int32_t)count;
        c->sorted[count] = &c->kinds[count];
        count++;
    }
    qsort(c->sorted, count, sizeof *c->sorted, compare_kinds);
    for (uint32_t i = 0; i < count; i++) {
        if (!i || memcmp(c->sorted[i], c->sorted[i - 1], sizeof **c->sorted) != 0) c->first[different++] = i;
        c->uses[different - 1]++;
    }
    const uint32_t least = least_uses(c, different);
    for (uint32_t k = 0; k < different; k++) {
        const bool has = c->uses[k] >= least;
        for (uint32_t i = c->first[k]; i < c->first[k] + c->uses[k]; i++)
            number[c->sorted[i] - c->kinds] = has ? (int32_t)made : -1;
        if (has) c->functions[made++].kind = c->sorted[c->first[k]];
    }
    for (uint32_t n = 0; n < w->count; n++)
        if (c->of_step[n] >= 0) c->of_step[n] = number[c->of_step[n]];
    return true;
}

/* ---- the functions ---- */

/* What one is called with: the state, the bits of the lanes, places of results, then sources. Words are of 32 bits,
 * places of 64. */
struct arguments {
    LLVMValueRef value[MOST_PARAMETERS];
    LLVMTypeRef type[MOST_PARAMETERS];
    unsigned count;
};

static void add(struct arguments *to, LLVMTypeRef type, LLVMValueRef value)
{
    to->type[to->count] = type;
    to->value[to->count++] = value;
}

static LLVMValueRef place_of(struct warp *w, unsigned channel)
{
    return jit_long(&w->e, (uint64_t)warp_channel_of(w, channel) * VECTOR_SIZE);
}

/* Without a step only the types are known. */
static void add_arguments(struct warp *w, const struct warp_kind *kind, const struct sch_maxwell_step *step,
                          struct arguments *to)
{
    struct jit_emitter *e = &w->e;
    if (kind->results & (1u << SCH_MAXWELL_TO_LOW | 1u << SCH_MAXWELL_TO_HIGH))
        add(to, e->i64, step ? place_of(w, step->result) : NULL);
    for (unsigned p = 0; p < 2; p++)
        if (kind->results >> (SCH_MAXWELL_TO_PREDICATE + p) & 1)
            add(to, e->i64, step ? place_of(w, WARP_REGISTERS + step->predicate[p]) : NULL);
    for (unsigned s = 0; s < kind->sources; s++) {
        const struct sch_maxwell_source *from = step ? &step->source[s] : NULL;
        switch (kind->source[s].kind) {
        case SCH_MAXWELL_FROM_REGISTER:
            add(to, e->i64, from ? place_of(w, from->number) : NULL);
            break;
        case SCH_MAXWELL_FROM_PREDICATE:
            add(to, e->i64, from ? place_of(w, WARP_REGISTERS + from->number) : NULL);
            break;
        case SCH_MAXWELL_FROM_WORD:
            for (unsigned c = 0; c < kind->source[s].words; c++)
                add(to, e->i32, from ? warp_uniform_word(w, step, s, c) : NULL);
            break;
        default:
            break;
        }
    }
}

/* A vector of the state: `at` has the place of the present one. */
static LLVMValueRef vector_at(struct warp *w, LLVMValueRef state, LLVMValueRef place, LLVMValueRef at)
{
    LLVMBuilderRef b = w->e.build;
    LLVMValueRef sum = LLVMBuildAdd(b, place, at, "");
    return LLVMBuildGEP2(b, w->e.i8, state, &sum, 1, "");
}

struct body_call {
    LLVMValueRef state, at, function;
    unsigned parameter; /* the next */
    struct jit_value from[SCH_MAXWELL_FROM_COUNT], to[SCH_MAXWELL_TO_COUNT];
};

static void read_source(struct warp *w, const struct warp_kind *kind, unsigned s, struct body_call *call)
{
    const struct sch_maxwell_source source = {.words = kind->source[s].words,
                                              .half = kind->source[s].half,
                                              .minus = kind->source[s].minus,
                                              .bars = kind->source[s].bars,
                                              .invert = kind->source[s].invert};
    struct jit_value *low = &call->from[s], *high = &call->from[s + SCH_MAXWELL_FROM_HIGH];
    LLVMBuilderRef b = w->e.build;
    switch (kind->source[s].kind) {
    case SCH_MAXWELL_FROM_REGISTER: {
        LLVMValueRef from = vector_at(w, call->state, LLVMGetParam(call->function, call->parameter++), call->at);
        low->part[0] = jit_load_vector(&w->e, from, 0, false);
        if (source.words > 1) high->part[0] = jit_load_vector(&w->e, jit_at(&w->e, from, VECTOR_SIZE), 0, false);
        break;
    }
    case SCH_MAXWELL_FROM_PREDICATE: {
        LLVMValueRef from = vector_at(w, call->state, LLVMGetParam(call->function, call->parameter++), call->at);
        LLVMValueRef truth = LLVMBuildICmp(b, kind->source[s].is_not ? LLVMIntEQ : LLVMIntNE,
                                           jit_load_vector(&w->e, from, 0, false), LLVMConstNull(w->e.vector), "");
        low->part[0] = warp_mask(w, truth);
        return;
    }
    case SCH_MAXWELL_FROM_WORD:
        low->part[0] = jit_splat(&w->e, LLVMGetParam(call->function, call->parameter++));
        if (source.words > 1) high->part[0] = jit_splat(&w->e, LLVMGetParam(call->function, call->parameter++));
        break;
    default:
        low->part[0] = kind->source[s].is_not ? LLVMConstNull(w->e.vector) : LLVMConstAllOnes(w->e.vector);
        return;
    }
    warp_change_word(w, &source, 0, low);
    if (source.words > 1) warp_change_word(w, &source, 1, high);
}

/* All lanes' operands of a vector are read before a result is written. */
static void make_vector(struct warp *w, const struct warp_kind *kind, struct body_call *call, LLVMValueRef bits)
{
    enum { STATE, BITS, PLACES };
    struct jit_emitter *e = &w->e;
    LLVMValueRef place[SCH_MAXWELL_TO_COUNT] = {NULL};
    call->parameter = PLACES;
    for (unsigned i = 0; i < SCH_MAXWELL_FROM_COUNT; i++) call->from[i].part[0] = LLVMConstNull(e->vector);
    if (kind->results & (1u << SCH_MAXWELL_TO_LOW | 1u << SCH_MAXWELL_TO_HIGH)) {
        place[SCH_MAXWELL_TO_LOW] =
            vector_at(w, call->state, LLVMGetParam(call->function, call->parameter++), call->at);
        place[SCH_MAXWELL_TO_HIGH] = jit_at(e, place[SCH_MAXWELL_TO_LOW], VECTOR_SIZE);
    }
    for (unsigned r = SCH_MAXWELL_TO_PREDICATE; r <= SCH_MAXWELL_TO_OTHER_PREDICATE; r++)
        if (kind->results >> r & 1)
            place[r] = vector_at(w, call->state, LLVMGetParam(call->function, call->parameter++), call->at);
    place[SCH_MAXWELL_TO_FLAGS] = vector_at(w, call->state, place_of(w, WARP_CC), call->at);
    for (unsigned s = 0; s < kind->sources; s++) read_source(w, kind, s, call);
    call->from[SCH_MAXWELL_FROM_FLAGS].part[0] = jit_load_vector(e, place[SCH_MAXWELL_TO_FLAGS], 0, false);
    warp_call_body(w, kind->body, &kind->how, kind->results, call->from, call->to);
    LLVMValueRef lanes = jit_vector_bits(e, bits, 0);
    for (unsigned r = 0; r < SCH_MAXWELL_TO_COUNT; r++) {
        if (!(kind->results >> r & 1)) continue;
        LLVMValueRef old = jit_load_vector(e, place[r], 0, false);
        jit_store_vector(e, LLVMBuildSelect(e->build, lanes, call->to[r].part[0], old, ""), place[r], 0);
    }
}

static LLVMValueRef open_function(struct warp *w, const char *name, LLVMTypeRef type)
{
    struct jit_emitter *e = &w->e;
    LLVMValueRef made = LLVMAddFunction(e->module->module, name, type);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    jit_copy_features(e->function, made);
    jit_add_attribute(e->module, made, "nounwind");
    jit_add_attribute(e->module, made, "noinline");
    e->build = LLVMCreateBuilderInContext(e->module->context);
    LLVMPositionBuilderAtEnd(e->build, LLVMAppendBasicBlockInContext(e->module->context, made, ""));
    return made;
}

/* A loop over the vectors: `w` is as for a group of one. */
static LLVMValueRef make_function(struct warp *w, const struct warp_kind *kind, unsigned number)
{
    struct jit_emitter *e = &w->e;
    char name[32];
    struct arguments types = {.count = 0};
    add(&types, e->pointer, NULL);
    add(&types, e->i32, NULL);
    add_arguments(w, kind, NULL, &types);
    snprintf(name, sizeof name, "kind_%u", number);
    LLVMBuilderRef outer = e->build;
    LLVMValueRef made = open_function(w, name, LLVMFunctionType(e->nothing, types.type, types.count, false));
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(e->build);
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(e->module->context, made, ""),
                      end = LLVMAppendBasicBlockInContext(e->module->context, made, "");
    LLVMBuilderRef b = e->build;
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    LLVMValueRef at = LLVMBuildPhi(b, e->i64, ""), bits = LLVMBuildPhi(b, e->i32, "");
    LLVMValueRef none = jit_long(e, 0), given = LLVMGetParam(made, 1);
    struct body_call call = {.state = LLVMGetParam(made, 0), .at = at, .function = made};
    make_vector(w, kind, &call, bits);
    const uint64_t step = (uint64_t)e->lanes * sizeof(uint32_t);
    LLVMValueRef next = LLVMBuildAdd(b, at, jit_long(e, step), "");
    LLVMValueRef rest = LLVMBuildLShr(b, bits, jit_word(e, e->lanes), "");
    LLVMAddIncoming(at, (LLVMValueRef[]){none, next}, (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMAddIncoming(bits, (LLVMValueRef[]){given, rest}, (LLVMBasicBlockRef[]){entry, loop}, 2);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntULT, next, jit_long(e, VECTOR_SIZE), ""), loop, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    e->build = outer;
    return made;
}

/* The bits of a predicate in the state. */
static LLVMValueRef make_truths(struct warp *w)
{
    struct jit_emitter *e = &w->e;
    LLVMBuilderRef outer = e->build;
    LLVMValueRef made = open_function(w, "truths", LLVMFunctionType(e->i32, &e->pointer, 1, false));
    struct warp_lanes lanes = {.all = false};
    for (unsigned v = 0; v < e->vectors; v++)
        lanes.bits[v] = LLVMBuildICmp(e->build, LLVMIntNE, jit_load_vector(e, LLVMGetParam(made, 0), v, false),
                                      LLVMConstNull(e->vector), "");
    LLVMBuildRet(e->build, warp_bits(w, &lanes));
    LLVMDisposeBuilder(e->build);
    e->build = outer;
    return made;
}

bool warp_compact_open(struct warp *w)
{
    w->compact = SCH_ARENA_NEW(&w->e.arena, struct warp_compact);
    return w->compact && choose_kinds(w, w->compact);
}

bool warp_compact_bodies(struct warp *w)
{
    for (unsigned k = 0; k < WARP_MOST_KINDS && w->compact->functions[k].kind; k++) {
        const struct warp_kind *kind = w->compact->functions[k].kind;
        if (!warp_want_body(w, kind->body, &kind->how, kind->results)) return false;
    }
    return true;
}

/* The main function is there, and the bodies. */
void warp_compact_functions(struct warp *w)
{
    struct warp_compact *c = w->compact;
    const unsigned vectors = w->e.vectors;
    c->truths = make_truths(w);
    w->e.vectors = 1;
    for (unsigned k = 0; k < WARP_MOST_KINDS && c->functions[k].kind; k++)
        c->functions[k].function = make_function(w, c->functions[k].kind, k);
    w->e.vectors = vectors;
}

/* ---- the code ---- */

LLVMValueRef warp_compact_lanes(struct warp *w, const struct sch_maxwell_step *step)
{
    struct jit_emitter *e = &w->e;
    if (step->guard >= WARP_PREDICATES) return step->guard_not ? jit_word(e, 0) : w->exec;
    LLVMValueRef from = warp_place(w, WARP_REGISTERS + step->guard), function = w->compact->truths;
    LLVMValueRef truths = LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, &from, 1, "");
    if (step->guard_not) truths = LLVMBuildNot(e->build, truths, "");
    return LLVMBuildAnd(e->build, truths, w->exec, "");
}

bool warp_compact_has(const struct warp *w) { return w->compact->of_step[w->number] >= 0; }

void warp_compact_step(struct warp *w, const struct sch_maxwell_step *step)
{
    struct jit_emitter *e = &w->e;
    const struct warp_function *of = &w->compact->functions[w->compact->of_step[w->number]];
    struct arguments all = {.count = 0};
    add(&all, e->pointer, e->state);
    add(&all, e->i32, warp_compact_lanes(w, step));
    add_arguments(w, of->kind, step, &all);
    LLVMBuildCall2(e->build, LLVMGlobalGetValueType(of->function), of->function, all.value, all.count, "");
}
