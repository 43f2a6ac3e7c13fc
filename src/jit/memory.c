/* LOAD, STORE and ATOM* of memory that is known before the program runs (abi/group.h: struct sch_group_view). What an
 * access means is src/ops/memory/memory.c. Two kinds have code here: all lanes access the same words (one load), or
 * lane after lane the words that follow (vectors); code finds out which by comparing the addresses of the lanes that
 * execute. All others, and what is not inside of the resource as a whole, go the slow way, to src/ops. Other threads
 * may access the same words: vectors are volatile, so that each access of the program is one, and words stay whole, as
 * no aligned word is ever split. */
#include "jit/memory.h"
#include "jit/emit.h"

#include <stddef.h>

typedef const struct sch_prepared_instruction instruction;

enum { WORD = 4, CACHE_LINE = 64, TURNS_AHEAD = 16, LIKELY = 2000 };

/* One instruction's access. */
struct access {
    struct jit_emitter *e;
    instruction *in;
    LLVMValueRef view;        /* its struct sch_group_view */
    LLVMValueRef lanes;       /* bits: lanes that access */
    unsigned components;      /* words of a lane, as bits */
    unsigned words;           /* up to the highest of them */
    unsigned shift;           /* log2 of the bytes of an address unit */
    struct jit_value address; /* of all lanes */
    bool has_step;            /* each is `step` after the one of the lane before */
    uint32_t step;
    LLVMValueRef first; /* the address of lane 0 */
    LLVMValueRef place; /* of its word 0, in 64 bits */
    LLVMBasicBlockRef after;
};

/* ---- small things ---- */

static LLVMBasicBlockRef new_block(struct jit_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->module->context, e->function, "");
}

/* What a run decides before code runs never changes under it. */
static LLVMValueRef fixed(struct jit_emitter *e, LLVMTypeRef type, LLVMValueRef from)
{
    LLVMValueRef load = LLVMBuildLoad2(e->build, type, from, "");
    LLVMSetMetadata(load, LLVMGetMDKindIDInContext(e->module->context, "invariant.load", 14),
                    LLVMMetadataAsValue(e->module->context, LLVMMDNodeInContext2(e->module->context, NULL, 0)));
    return load;
}

/* A branch of which the first way is the usual one. */
static void branch_likely(struct jit_emitter *e, LLVMValueRef condition, LLVMBasicBlockRef usual,
                          LLVMBasicBlockRef other)
{
    LLVMContextRef context = e->module->context;
    LLVMValueRef branch = LLVMBuildCondBr(e->build, condition, usual, other);
    LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(context, "branch_weights", 14),
                                  LLVMValueAsMetadata(jit_word(e, LIKELY)), LLVMValueAsMetadata(jit_word(e, 1))};
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "prof", 4),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, weights, 3)));
}

LLVMValueRef jit_view(struct jit_emitter *e)
{
    /* All groups of a work group have the same ones. */
    LLVMValueRef group = LLVMGetParam(e->function, 0);
    LLVMValueRef views = fixed(e, e->pointer, jit_at(e, group, offsetof(struct sch_group, views)));
    return jit_at(e, views, e->views * sizeof(struct sch_group_view));
}

LLVMValueRef jit_without_helpers(struct jit_emitter *e, LLVMValueRef lanes)
{
    if (e->request->full && !e->flow->ends_invocations) return lanes;
    LLVMValueRef helpers = jit_get(e, e->helpers_variable, e->i32);
    return LLVMBuildAnd(e->build, lanes, LLVMBuildNot(e->build, helpers, ""), "");
}

/* ---- what is known about the addresses ---- */

/* Whether all lanes have the same value by the way it is computed. */
static bool is_splat(const struct jit_emitter *e, const struct jit_value *value)
{
    for (unsigned v = 1; v < e->vectors; v++)
        if (value->part[v] != value->part[0]) return false;
    return true;
}

/* Whether the lanes may have the addresses first, first + units, ... */
static bool may_step_by(const struct access *a, unsigned units) { return !a->has_step || a->step == units; }

/* Whether those that access do. */
static LLVMValueRef steps_by(struct access *a, unsigned units)
{
    struct jit_emitter *e = a->e;
    if (a->has_step) return jit_number(e->i1, a->step == units);
    struct jit_value first, lane, strays;
    LLVMValueRef base = jit_splat(e, a->first);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef lanes[SCH_GROUP_LANES];
        for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, v * e->lanes + i);
        lane.part[v] = LLVMConstVector(lanes, e->lanes);
        first.part[v] = base;
    }
    jit_operate(e, "access_strays", units, 3, (const struct jit_value *const[]){&a->address, &first, &lane}, 1,
                (struct jit_value *const[]){&strays});
    LLVMValueRef bits = LLVMBuildAnd(e->build, jit_bits_of(e, &strays), a->lanes, "");
    return LLVMBuildICmp(e->build, LLVMIntEQ, bits, jit_word(e, 0), "");
}

static uint32_t distance_of(const struct access *a) { return sch_memory_distance(a->words, a->shift); }

/* A function of jit/bodies.c on numbers. */
static LLVMValueRef compute(struct jit_emitter *e, const char *name, unsigned count, LLVMValueRef arguments[const])
{
    LLVMValueRef function = jit_operation(e, name);
    return LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* Whether `words` from the place on are inside; as the limit is at most 2^32, no address in between has wrapped. */
static LLVMValueRef inside(struct access *a, unsigned words, size_t limit)
{
    struct jit_emitter *e = a->e;
    LLVMValueRef arguments[3] = {a->place, jit_word(e, words), fixed(e, e->i64, jit_at(e, a->view, limit))};
    return compute(e, "access_inside", 3, arguments);
}

static LLVMValueRef pointer_of(struct access *a)
{
    struct jit_emitter *e = a->e;
    const size_t at = offsetof(struct sch_group_view, view) + offsetof(struct sch_memory_view, data);
    LLVMValueRef data = fixed(e, e->pointer, jit_at(e, a->view, at));
    return LLVMBuildInBoundsGEP2(e->build, e->i8, data, &a->place, 1, "");
}

/* A counter is named by its brackets alone. */
static void read_address(struct access *a, const struct sch_prepared_src *src)
{
    struct jit_emitter *e = a->e;
    const struct sch_prepared_resource *place = a->in->resource;
    if (place->file != SCH_FILE_HW_ATOMIC) {
        jit_read_source(e, src, 0, &a->address);
        return;
    }
    LLVMValueRef lanes = jit_splat_word(e, sch_prepared_counter_address(place->index.base));
    for (unsigned v = 0; v < e->vectors; v++) a->address.part[v] = lanes;
}

/* What is known of an address beforehand. */
static void take_step(struct access *a, const struct sch_prepared_src *src)
{
    const struct sch_ir_steps *steps = &a->e->plan.steps;
    if (!steps->known || a->in->resource->file == SCH_FILE_HW_ATOMIC) return;
    if (src->access != SCH_ACCESS_PLAIN || src->space != SCH_SPACE_STATE || src->modify) return;
    const uint32_t channel = src->channel[0];
    const bool uniform = sch_ir_is_uniform(&a->e->plan.uniformity, channel);
    a->has_step = uniform || sch_ir_set_has(steps->known, channel);
    a->step = uniform ? 0 : steps->step[channel];
}

/* Where lanes are handled one by one, addresses of a known step are made of lane 0's, so that no other way needs those
 * that the program computes. */
static void spread_address(struct access *a)
{
    struct jit_emitter *e = a->e;
    if (!a->has_step) return;
    LLVMValueRef first = jit_splat(e, a->first);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef lanes[SCH_GROUP_LANES];
        for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, (v * e->lanes + i) * a->step);
        a->address.part[v] = LLVMBuildAdd(e->build, first, LLVMConstVector(lanes, e->lanes), "");
    }
}

/* Whether each lane has memory of its own. */
static bool is_private(const struct access *a)
{
    const struct sch_prepared_resource *place = a->in->resource;
    if (place->file != SCH_FILE_MEMORY) return false;
    return sch_prepared_memory_kind(a->e->program, place->index.base) == SCH_MEMORY_PRIVATE;
}

/* Whether one of the ways for all lanes serves wherever the place is inside. Others are rare, at the end of a resource:
 * a call is less code for them. */
static bool is_rarely_anywhere(const struct access *a)
{
    return a->has_step && !is_private(a) && (a->step == 0 || a->step == distance_of(a));
}

static struct access begin(struct jit_emitter *e, instruction *in, const struct sch_prepared_src *address,
                           unsigned components)
{
    struct access a = {.e = e, .in = in, .components = components, .view = jit_view(e), .lanes = jit_exec(e)};
    a.words = components ? 32 - (unsigned)__builtin_clz(components) : 0;
    a.shift = sch_prepared_address_shift(e->program, in->resource, in->resource->index.base);
    read_address(&a, address);
    a.first = LLVMBuildExtractElement(e->build, a.address.part[0], jit_long(e, 0), "");
    take_step(&a, address);
    LLVMValueRef arguments[2] = {a.first, jit_word(e, a.shift)};
    a.place = compute(e, "access_place", 2, arguments);
    a.after = new_block(e);
    return a;
}

/* ---- the slow way ---- */

static void call_runtime(struct access *a, size_t function, LLVMValueRef last)
{
    struct jit_emitter *e = a->e;
    jit_put(e, &a->address, jit_scratch(e, 0, 0));
    LLVMValueRef arguments[4] = {e->group, a->view, a->lanes, last};
    jit_call_runtime(e, function, e->nothing, 4, arguments);
}

/* Beyond this many accesses by a vector each is only a call: inlined, each is some hundred instructions for LLVM. */
enum { MOST_IN_LINE = 512 };
static bool calls_all(const struct jit_emitter *e) { return (size_t)e->plan.accesses * e->vectors > MOST_IN_LINE; }

/* ---- lanes anywhere ---- */

/* Loads of lanes at places of their own are instructions from the one level on, stores from the other. */
static bool is_level(const struct jit_emitter *e, const char *name) { return strcmp(e->request->level, name) == 0; }
static bool gathers(const struct jit_emitter *e) { return is_level(e, "w8v3") || is_level(e, "w16v4"); }
static bool scatters(const struct jit_emitter *e) { return is_level(e, "w16v4"); }

static LLVMValueRef of_view(struct access *a, LLVMTypeRef type, size_t member)
{
    return fixed(a->e, type, jit_at(a->e, a->view, offsetof(struct sch_group_view, view) + member));
}

/* A number of 64 bits in all lanes, as its low and its high words. */
static void splat_words(struct jit_emitter *e, LLVMValueRef number, LLVMValueRef words[2])
{
    LLVMBuilderRef b = e->build;
    LLVMValueRef high = LLVMBuildTrunc(b, LLVMBuildLShr(b, number, jit_long(e, 32), ""), e->i32, "");
    words[0] = jit_splat(e, LLVMBuildTrunc(b, number, e->i32, ""));
    words[1] = jit_splat(e, high);
}

/* Lanes of 64 bits from their low and their high words. */
static LLVMValueRef join_words(struct jit_emitter *e, LLVMValueRef low, LLVMValueRef high)
{
    LLVMBuilderRef b = e->build;
    LLVMTypeRef wide = LLVMVectorType(e->i64, e->lanes);
    LLVMValueRef half[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) half[i] = jit_long(e, 32);
    high = LLVMBuildShl(b, LLVMBuildZExt(b, high, wide, ""), LLVMConstVector(half, e->lanes), "");
    return LLVMBuildOr(b, LLVMBuildZExt(b, low, wide, ""), high, "");
}

/* Pointers to word c of the lanes of vector v, and the lanes whose word is inside; `limit`: member of the view that
 * has the bytes. */
static LLVMValueRef pointers_of(struct access *a, size_t limit, unsigned c, unsigned v, LLVMValueRef *there)
{
    struct jit_emitter *e = a->e;
    LLVMBuilderRef b = e->build;
    LLVMValueRef none = LLVMConstNull(e->vector), lanes[SCH_GROUP_LANES];
    for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, v * e->lanes + i);
    LLVMValueRef arguments[7] = {jit_word(e, a->shift | c << JIT_COMPONENT_SHIFT),
                                 a->address.part[v],
                                 NULL,
                                 NULL,
                                 LLVMConstVector(lanes, e->lanes),
                                 none,
                                 none};
    splat_words(e, fixed(e, e->i64, jit_at(e, a->view, limit)), &arguments[2]);
    if (is_private(a)) splat_words(e, of_view(a, e->i64, offsetof(struct sch_memory_view, lane_bytes)), &arguments[5]);
    LLVMValueRef made = compute(e, "access_places", 7, arguments);
    *there = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildExtractValue(b, made, 2, ""), none, "");
    *there = LLVMBuildAnd(b, *there, jit_vector_bits(e, a->lanes, v), "");
    LLVMValueRef data = of_view(a, e->pointer, offsetof(struct sch_memory_view, data));
    LLVMValueRef place = join_words(e, LLVMBuildExtractValue(b, made, 0, ""), LLVMBuildExtractValue(b, made, 1, ""));
    return LLVMBuildGEP2(b, e->i8, data, &place, 1, "");
}

static void access_words(struct access *a, const char *name, unsigned count, LLVMValueRef arguments[const],
                         LLVMValueRef *result)
{
    struct jit_emitter *e = a->e;
    LLVMTypeRef types[2] = {e->vector, LLVMVectorType(e->pointer, e->lanes)};
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, types, 2);
    *result = LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, count, "");
}

/* ---- LOAD ---- */

/* The values of the ways that meet after a load. */
struct meeting {
    unsigned count;
    LLVMBasicBlockRef from[3];
    struct jit_value value[3][4];
};

static void meet(struct access *a, struct meeting *m, const struct jit_value value[4])
{
    m->from[m->count] = LLVMGetInsertBlock(a->e->build);
    memcpy(m->value[m->count++], value, sizeof m->value[0]);
    LLVMBuildBr(a->e->build, a->after);
}

static void prefetch(struct access *a, LLVMValueRef from, LLVMValueRef offset)
{
    struct jit_emitter *e = a->e;
    unsigned id = LLVMLookupIntrinsicID("llvm.prefetch", 13);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, &e->pointer, 1);
    LLVMValueRef first = LLVMBuildGEP2(e->build, e->i8, from, &offset, 1, "");
    for (unsigned line = 0; line < WORD * a->words * SCH_GROUP_LANES; line += CACHE_LINE) {
        LLVMValueRef index = jit_long(e, line), place = LLVMBuildGEP2(e->build, e->i8, first, &index, 1, "");
        LLVMValueRef arguments[4] = {place, jit_word(e, 0), jit_word(e, 3), jit_word(e, 1)}; /* to read, and kept */
        LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, 4, "");
    }
}

/* For a buffer: what this group will read some iterations of its loop later; without a loop, or before the stride of
 * the loop is known, what the next group will read at the same place, as groups walk buffers side by side. The
 * processor sees only the strides of loops, which are often whole rows of groups, too far for it. Memory takes longer
 * than a few short iterations. A prefetch outside of the buffer does nothing but look for its page. */
static void prefetch_next(struct access *a, LLVMValueRef from)
{
    struct jit_emitter *e = a->e;
    if (a->in->resource->file != SCH_FILE_BUFFER) return;
    LLVMValueRef next = jit_long(e, (uint64_t)WORD * a->words * SCH_GROUP_LANES), none = jit_long(e, UINT64_MAX);
    if (sch_ir_flow_innermost(e->flow, jit_around(e), SCH_CONSTRUCT_LOOP) == SCH_FLOW_NONE) {
        prefetch(a, from, next);
        return;
    }
    LLVMValueRef variable = jit_variable(e, e->i64, "");
    LLVMBuildStore(e->start, none, variable);
    LLVMValueRef last = jit_get(e, variable, e->i64), stride = LLVMBuildSub(e->build, a->place, last, "");
    LLVMValueRef ahead = LLVMBuildMul(e->build, stride, jit_long(e, TURNS_AHEAD), "");
    LLVMBuildStore(e->build, a->place, variable);
    LLVMValueRef first = LLVMBuildICmp(e->build, LLVMIntEQ, last, none, "");
    prefetch(a, from, LLVMBuildSelect(e->build, first, next, ahead, ""));
}

/* Words 0 to n-1 of each lane follow each other. */
static void load_vectors(struct access *a, struct jit_value value[4])
{
    struct jit_emitter *e = a->e;
    LLVMValueRef from = pointer_of(a);
    LLVMTypeRef wide = LLVMVectorType(e->i32, e->lanes * a->words);
    prefetch_next(a, from);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef all =
            LLVMBuildLoad2(e->build, wide, jit_at(e, from, (uint64_t)v * e->lanes * a->words * WORD), "");
        LLVMSetAlignment(all, 1);
        LLVMSetVolatile(all, true);
        for (unsigned c = 0; c < a->words; c++) {
            LLVMValueRef lanes[SCH_GROUP_LANES];
            for (unsigned i = 0; i < e->lanes; i++) lanes[i] = jit_word(e, i * a->words + c);
            value[c].part[v] = a->words == 1 ? all
                                             : LLVMBuildShuffleVector(e->build, all, LLVMGetPoison(wide),
                                                                      LLVMConstVector(lanes, e->lanes), "");
        }
    }
}

static void load_same(struct access *a, struct jit_value value[4])
{
    struct jit_emitter *e = a->e;
    LLVMValueRef from = pointer_of(a);
    for (unsigned c = 0; c < a->words; c++) {
        if (!(a->components >> c & 1)) continue;
        LLVMValueRef word = LLVMBuildLoad2(e->build, e->i32, jit_at(e, from, (uint64_t)c * WORD), "");
        LLVMSetAlignment(word, 1);
        LLVMSetVolatile(word, true);
        LLVMValueRef splat = jit_splat(e, word);
        for (unsigned v = 0; v < e->vectors; v++) value[c].part[v] = splat;
    }
}

static void load_slowly(struct access *a, struct jit_value value[4])
{
    call_runtime(a, offsetof(struct sch_group_runtime, load), jit_word(a->e, a->components));
    for (unsigned c = 0; c < a->words; c++)
        if (a->components >> c & 1) jit_take_result(a->e, c, &value[c]);
}

static void load_anywhere(struct access *a, struct jit_value value[4])
{
    const size_t limit = offsetof(struct sch_group_view, view) + offsetof(struct sch_memory_view, bytes);
    struct jit_emitter *e = a->e;
    for (unsigned c = 0; c < a->words; c++)
        for (unsigned v = 0; v < e->vectors && a->components >> c & 1; v++) {
            LLVMValueRef there, from = pointers_of(a, limit, c, v, &there);
            LLVMValueRef arguments[4] = {from, jit_word(e, 1), there, LLVMConstNull(e->vector)};
            access_words(a, "llvm.masked.gather", 4, arguments, &value[c].part[v]);
        }
}

/* One way: where `condition` holds `made` makes the values; else code continues with the next way. */
static void way(struct access *a, struct meeting *m, LLVMValueRef condition,
                void (*make)(struct access *, struct jit_value[4]))
{
    LLVMBasicBlockRef here = new_block(a->e), next = new_block(a->e);
    struct jit_value value[4] = {0};
    branch_likely(a->e, condition, here, next);
    LLVMPositionBuilderAtEnd(a->e->build, here);
    make(a, value);
    meet(a, m, value);
    LLVMPositionBuilderAtEnd(a->e->build, next);
}

static void join_ways(struct access *a, struct meeting *m, struct jit_value value[4])
{
    struct jit_emitter *e = a->e;
    LLVMPositionBuilderAtEnd(e->build, a->after);
    for (unsigned c = 0; c < a->words; c++)
        for (unsigned v = 0; v < e->vectors && a->components >> c & 1; v++) {
            LLVMValueRef values[3], phi = LLVMBuildPhi(e->build, e->vector, "");
            for (unsigned i = 0; i < m->count; i++) values[i] = m->value[i][c].part[v];
            LLVMAddIncoming(phi, values, m->from, m->count);
            value[c].part[v] = phi;
        }
}

static void load(struct jit_emitter *e, instruction *in)
{
    struct access a = begin(e, in, &in->src[1], sch_prepared_components(in->resource, true));
    struct meeting m = {0};
    struct jit_value value[4] = {0}, slow[4] = {0};
    const size_t limit = offsetof(struct sch_group_view, readable);
    LLVMBuilderRef b = e->build;
    const bool own = is_private(&a);
    if (distance_of(&a) && !own && may_step_by(&a, distance_of(&a)) && !is_splat(e, &a.address)) {
        LLVMValueRef steps = steps_by(&a, distance_of(&a)), there = inside(&a, a.words * SCH_GROUP_LANES, limit);
        way(&a, &m, LLVMBuildAnd(b, steps, there, ""), load_vectors);
    }
    if (!own && may_step_by(&a, 0)) {
        LLVMValueRef same = steps_by(&a, 0), there = inside(&a, a.words, limit);
        way(&a, &m, LLVMBuildAnd(b, same, there, ""), load_same);
    }
    spread_address(&a);
    if (gathers(e) && !is_rarely_anywhere(&a))
        load_anywhere(&a, slow);
    else
        load_slowly(&a, slow);
    meet(&a, &m, slow);
    join_ways(&a, &m, value);
    jit_write_results(e, in, in->resource->swizzle, value);
}

/* Counters, and the loads of a program that has too many for code of their own. Words that are not loaded are 0. */
static void load_by_call(struct jit_emitter *e, instruction *in)
{
    struct jit_value value[4];
    struct access a = begin(e, in, &in->src[1], sch_prepared_components(in->resource, true));
    for (unsigned c = 0; c < 4; c++)
        for (unsigned v = 0; v < e->vectors; v++) value[c].part[v] = LLVMConstNull(e->vector);
    if (a.components) load_slowly(&a, value);
    LLVMBuildBr(e->build, a.after);
    LLVMPositionBuilderAtEnd(e->build, a.after);
    jit_write_results(e, in, in->resource->swizzle, value);
}

/* ---- STORE ---- */

/* A store of some lanes is an instruction only from these levels on. */
static bool stores_some(const struct jit_emitter *e)
{
    return strcmp(e->request->level, "w8v3") == 0 || strcmp(e->request->level, "w16v4") == 0;
}

static void store_masked(struct access *a, LLVMValueRef value, LLVMValueRef to, unsigned v)
{
    struct jit_emitter *e = a->e;
    LLVMTypeRef types[2] = {e->vector, e->pointer};
    unsigned id = LLVMLookupIntrinsicID("llvm.masked.store", 17);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->module->module, id, types, 2);
    LLVMValueRef arguments[4] = {value, to, jit_word(e, 1), jit_vector_bits(e, a->lanes, v)};
    LLVMBuildCall2(e->build, LLVMGlobalGetValueType(function), function, arguments, 4, "");
}

static void store_words(struct access *a, LLVMValueRef value, LLVMValueRef to)
{
    LLVMValueRef store = LLVMBuildStore(a->e->build, value, to);
    LLVMSetAlignment(store, 1);
    LLVMSetVolatile(store, true);
}

/* The words of a vector's lanes, lane after lane. */
static LLVMValueRef interleaved(struct access *a, const struct jit_value value[4], unsigned v)
{
    struct jit_emitter *e = a->e;
    LLVMValueRef made = value[0].part[v], order[4 * SCH_GROUP_LANES];
    unsigned held = e->lanes;
    for (unsigned c = 1; c < a->words; c++, held += e->lanes) { /* all of them, component after component */
        LLVMValueRef other = value[c].part[v], wide[4 * SCH_GROUP_LANES];
        for (unsigned i = 0; i < held; i++) wide[i] = i < e->lanes ? jit_word(e, i) : LLVMGetPoison(e->i32);
        if (held > e->lanes)
            other = LLVMBuildShuffleVector(e->build, other, LLVMGetPoison(e->vector), LLVMConstVector(wide, held), "");
        for (unsigned i = 0; i < held + e->lanes; i++) order[i] = jit_word(e, i);
        made = LLVMBuildShuffleVector(e->build, made, other, LLVMConstVector(order, held + e->lanes), "");
    }
    if (a->words == 1) return made;
    for (unsigned i = 0; i < held; i++) order[i] = jit_word(e, i % a->words * e->lanes + i / a->words);
    LLVMTypeRef type = LLVMTypeOf(made);
    return LLVMBuildShuffleVector(e->build, made, LLVMGetPoison(type), LLVMConstVector(order, held), "");
}

static void store_vectors(struct access *a, const struct jit_value value[4], bool masked)
{
    struct jit_emitter *e = a->e;
    LLVMValueRef to = pointer_of(a);
    for (unsigned v = 0; v < e->vectors; v++) {
        LLVMValueRef place = jit_at(e, to, (uint64_t)v * e->lanes * a->words * WORD);
        if (masked)
            store_masked(a, value[0].part[v], place, v);
        else
            store_words(a, interleaved(a, value, v), place);
    }
}

/* Lanes ascending, so that of two lanes that write a word the higher one counts. */
static void store_anywhere(struct access *a, const struct jit_value value[4])
{
    struct jit_emitter *e = a->e;
    for (unsigned c = 0; c < a->words; c++)
        for (unsigned v = 0; v < e->vectors && a->components >> c & 1; v++) {
            LLVMValueRef none, there, to = pointers_of(a, offsetof(struct sch_group_view, writable), c, v, &there);
            LLVMValueRef arguments[4] = {value[c].part[v], to, jit_word(e, 1), there};
            access_words(a, "llvm.masked.scatter", 4, arguments, &none);
        }
}

/* The words of one lane and then those of the next may be the same: word after word only where each lane has one, or
 * memory of its own. */
static bool stores_anywhere(const struct access *a)
{
    return scatters(a->e) && ((a->components & (a->components - 1)) == 0 || is_private(a));
}

static void store_slowly(struct access *a, const struct jit_value value[4])
{
    struct jit_emitter *e = a->e;
    for (unsigned c = 0; c < 4; c++)
        if (a->components >> c & 1) jit_put(e, &value[c], jit_scratch(e, 1, c));
    call_runtime(a, offsetof(struct sch_group_runtime, store), jit_word(e, a->components));
}

static void store(struct jit_emitter *e, instruction *in)
{
    struct access a = begin(e, in, &in->src[0], in->resource->components);
    struct jit_value value[4];
    LLVMBuilderRef b = e->build;
    a.lanes = jit_without_helpers(e, a.lanes);
    for (unsigned c = 0; c < 4; c++)
        if (a.components >> c & 1) jit_read_source(e, &in->src[1], c, &value[c]);
    bool dense = a.words && a.components == (1u << a.words) - 1, all = LLVMIsAConstantInt(a.lanes) && jit_is_all(e);
    bool masked = a.words == 1 && !all && stores_some(e);
    const bool follows = distance_of(&a) && may_step_by(&a, distance_of(&a)) && !is_splat(e, &a.address);
    if (dense && !calls_all(e) && follows && !is_private(&a)) {
        LLVMBasicBlockRef fast = new_block(e), slow = new_block(e);
        LLVMValueRef simple =
            LLVMBuildAnd(b, steps_by(&a, distance_of(&a)),
                         inside(&a, a.words * SCH_GROUP_LANES, offsetof(struct sch_group_view, storable)), "");
        if (!masked && !all)
            simple = LLVMBuildAnd(b, simple, LLVMBuildICmp(b, LLVMIntEQ, a.lanes, jit_word(e, UINT32_MAX), ""), "");
        branch_likely(e, simple, fast, slow);
        LLVMPositionBuilderAtEnd(b, fast);
        store_vectors(&a, value, masked);
        LLVMBuildBr(b, a.after);
        LLVMPositionBuilderAtEnd(b, slow);
    }
    spread_address(&a);
    if (stores_anywhere(&a) && !calls_all(e))
        store_anywhere(&a, value);
    else
        store_slowly(&a, value);
    LLVMBuildBr(b, a.after);
    LLVMPositionBuilderAtEnd(b, a.after);
}

/* ---- ATOM* ---- */

static void update(struct jit_emitter *e, instruction *in)
{
    struct access a = begin(e, in, &in->src[1], 1);
    a.lanes = jit_without_helpers(e, a.lanes);
    for (unsigned s = 2; s < in->src_count; s++) {
        struct jit_value operand;
        jit_read_source(e, &in->src[s], 0, &operand);
        jit_put(e, &operand, jit_scratch(e, s, 0));
    }
    call_runtime(&a, offsetof(struct sch_group_runtime, update), jit_word(e, in->number));
    LLVMBuildBr(e->build, a.after);
    LLVMPositionBuilderAtEnd(e->build, a.after);
    struct jit_value result;
    jit_take_result(e, 0, &result);
    if (in->modify && in->dst[0].mask) jit_modify(e, in->modify, (struct jit_value *const[]){&result});
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1)
        jit_write(e, &in->dst[0], (unsigned)__builtin_ctz(mask), &result);
}

bool jit_memory(struct jit_emitter *e, instruction *in)
{
    if (in->resource->texture || in->opcode == SCH_OP_RESQ) return jit_image(e, in);
    if (sch_prepared_is_atomic(in))
        update(e, in);
    else if (in->opcode == SCH_OP_LOAD && !in->dst[0].mask)
        return true;
    else if (in->opcode == SCH_OP_LOAD && (in->resource->file == SCH_FILE_HW_ATOMIC || calls_all(e)))
        load_by_call(e, in);
    else if (in->opcode == SCH_OP_LOAD)
        load(e, in);
    else if (in->opcode == SCH_OP_STORE)
        store(e, in);
    else
        return false;
    return true;
}
