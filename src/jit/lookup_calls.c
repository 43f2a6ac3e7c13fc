/* Texture lookups with constant units: a call of the function in the lookup's slot (abi/group.h), with the request in
 * memory of the function's own. Operands are in the same places for all lookups, so that requests of the same layout
 * are made once, before the first instruction. LOADs of images are fetches, too, and STOREs go the same way. Queries of
 * a texture itself are calls of the runtime. Where registers name units, there is a slot for each number, for lanes
 * that name the same; else the runtime looks up each. */
#include "jit/emit.h"
#include "jit/indexed.h"
#include "jit/memory.h"

#include <stddef.h>

#include "isa/targets.h"

#include "jit/lookup.h"

typedef const struct sch_prepared_instruction instruction;

/* The operands of a request, each with lanes of its own. */
enum argument {
    ARGUMENT_COORDINATE,
    ARGUMENT_REFERENCE = ARGUMENT_COORDINATE + 4,
    ARGUMENT_LOD,
    ARGUMENT_MIN_LOD,
    ARGUMENT_DDX,
    ARGUMENT_DDY = ARGUMENT_DDX + 3,
    ARGUMENT_OFFSET = ARGUMENT_DDY + 3,
    ARGUMENT_MASK = ARGUMENT_OFFSET + 4 * 3,
    ARGUMENT_RESULT,
    ARGUMENT_COUNT = ARGUMENT_RESULT + 4
};

/* A request that is in the function's memory. */
enum request { REQUEST_SAMPLE, REQUEST_FETCH, REQUEST_STORE };
struct layout {
    const struct layout *next;
    uint32_t arguments; /* bits: operands that are there */
    uint8_t lod_mode, component, offsets;
    uint8_t kind; /* enum request: which structure it is */
    bool all;     /* the mask is that of all lanes */
    LLVMValueRef request;
};

struct jit_lookups {
    LLVMValueRef bodies[SCH_NATIVE_KNOWN_FORMS]; /* by number of the state; NULL: not made yet */
    const struct layout *layouts;
    const struct unit *units;
    LLVMValueRef arguments[ARGUMENT_COUNT]; /* lanes; NULL: not used yet */
    LLVMValueRef sampled[ARGUMENT_OFFSET];  /* those that samples take: floats */
    bool samples;                           /* whether the present request is one */
    LLVMValueRef memory;                    /* of compact code: all of them; NULL */
    LLVMValueRef results;                   /* the four pointers */
    LLVMValueRef all;                       /* lanes of all ones */
    struct jit_lookups *apart;              /* memory of lookups that are left to slots' functions; NULL: none is */
};

/* ---- memory ---- */

static LLVMTypeRef lanes_type(const struct jit_emitter *e) { return LLVMArrayType2(e->i32, SCH_GROUP_LANES); }

static LLVMValueRef argument_of(struct jit_emitter *e, unsigned number)
{
    const bool sampled = e->lookups->samples && number < ARGUMENT_OFFSET;
    LLVMValueRef *argument = sampled ? &e->lookups->sampled[number] : &e->lookups->arguments[number];
    if (*argument) return *argument;
    if (e->lookups->memory) {
        LLVMValueRef index = jit_long(e, number * sizeof(struct sch_lanes));
        *argument = LLVMBuildInBoundsGEP2(e->entry, e->i8, e->lookups->memory, &index, 1, "");
        return *argument;
    }
    *argument = jit_variable(e, lanes_type(e), sampled ? JIT_ANY_NAN : "");
    LLVMSetAlignment(*argument, 64);
    return *argument;
}

static LLVMValueRef all_ones(struct jit_emitter *e)
{
    if (e->lookups->all) return e->lookups->all;
    LLVMValueRef ones[JIT_MAX_VECTORS]; /* vectors, so that reads of them fold */
    for (unsigned v = 0; v < e->vectors; v++) ones[v] = LLVMConstAllOnes(e->vector);
    LLVMValueRef global = LLVMAddGlobal(e->module->module, LLVMArrayType2(e->vector, e->vectors), "all");
    LLVMSetInitializer(global, LLVMConstArray2(e->vector, ones, e->vectors));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, 64);
    return e->lookups->all = global;
}

static void entry_store(struct jit_emitter *e, LLVMValueRef to, size_t offset, LLVMValueRef value)
{
    LLVMValueRef index = jit_long(e, offset);
    LLVMBuildStore(e->entry, value, LLVMBuildInBoundsGEP2(e->entry, e->i8, to, &index, 1, ""));
}

static LLVMValueRef results(struct jit_emitter *e)
{
    if (e->lookups->results) return e->lookups->results;
    LLVMValueRef array = jit_variable(e, LLVMArrayType2(e->pointer, 4), "results");
    for (unsigned c = 0; c < 4; c++) entry_store(e, array, c * sizeof(void *), argument_of(e, ARGUMENT_RESULT + c));
    return e->lookups->results = array;
}

static void put(struct jit_emitter *e, unsigned argument, const struct jit_value *value, uint32_t *arguments)
{
    LLVMValueRef to = argument_of(e, argument);
    for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, value->part[v], to, v);
    *arguments |= 1u << argument;
}

static void put_source(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, unsigned argument,
                       uint32_t *arguments)
{
    struct jit_value value;
    *arguments |= 1u << argument;
    if (jit_compact_operand(e, src, c, argument)) return;
    jit_read_source(e, src, c, &value);
    put(e, argument, &value, arguments);
}

/* ---- requests ---- */

/* Where the first of a structure's pointers is; those that it does not have are never set. */
static size_t member_of(unsigned kind, unsigned argument)
{
#define MEMBER(sample, fetch, store)                                                                                   \
    (kind == REQUEST_SAMPLE  ? offsetof(struct sch_sample_request, sample)                                             \
     : kind == REQUEST_FETCH ? offsetof(struct sch_fetch_request, fetch)                                               \
                             : offsetof(struct sch_image_request, store))
    if (argument < ARGUMENT_REFERENCE) return MEMBER(coordinate, coordinate, coordinate);
    if (argument == ARGUMENT_LOD) return MEMBER(lod, level, sample);
    if (argument >= ARGUMENT_OFFSET && argument < ARGUMENT_MASK) return MEMBER(offset, offset, coordinate);
    return MEMBER(mask, mask, mask);
#undef MEMBER
}

/* Where the pointer to an operand's lanes is in a request. */
static size_t pointer_offset(unsigned kind, unsigned argument)
{
    const size_t each = sizeof(void *);
    if (argument < ARGUMENT_REFERENCE) return member_of(kind, argument) + argument * each;
    if (argument == ARGUMENT_REFERENCE) return offsetof(struct sch_sample_request, reference);
    if (argument == ARGUMENT_MIN_LOD) return offsetof(struct sch_sample_request, min_lod);
    if (argument >= ARGUMENT_DDX && argument < ARGUMENT_DDY)
        return offsetof(struct sch_sample_request, ddx) + (argument - ARGUMENT_DDX) * each;
    if (argument >= ARGUMENT_DDY && argument < ARGUMENT_OFFSET)
        return offsetof(struct sch_sample_request, ddy) + (argument - ARGUMENT_DDY) * each;
    if (argument >= ARGUMENT_OFFSET && argument < ARGUMENT_MASK)
        return member_of(kind, argument) + (argument - ARGUMENT_OFFSET) * each;
    return member_of(kind, argument);
}

static void entry_byte(struct jit_emitter *e, LLVMValueRef request, size_t offset, uint8_t value)
{
    entry_store(e, request, offset, jit_number(e->i8, value));
}

/* A member of the group, as it is in all of a run. */
static void copy_member(struct jit_emitter *e, LLVMValueRef request, size_t offset, LLVMTypeRef type, size_t member)
{
    LLVMValueRef index = jit_long(e, member);
    LLVMValueRef from = LLVMBuildInBoundsGEP2(e->entry, e->i8, e->group, &index, 1, "");
    entry_store(e, request, offset, LLVMBuildLoad2(e->entry, type, from, ""));
}

/* Whether other threads access the texels: of the machine. */
static void copy_concurrent(struct jit_emitter *e, LLVMValueRef request, size_t offset)
{
    copy_member(e, request, offset, e->i8, offsetof(struct sch_group, concurrent));
}

static void copy_tiles(struct jit_emitter *e, LLVMValueRef request, size_t offset)
{
    copy_member(e, request, offset, e->pointer, offsetof(struct sch_group, tiles));
}

static LLVMValueRef make_request(struct jit_emitter *e, const struct layout *layout)
{
    static const size_t sizes[] = {[REQUEST_SAMPLE] = sizeof(struct sch_sample_request),
                                   [REQUEST_FETCH] = sizeof(struct sch_fetch_request),
                                   [REQUEST_STORE] = sizeof(struct sch_image_request)};
    const size_t size = sizes[layout->kind];
    LLVMValueRef request = jit_variable(e, LLVMArrayType2(e->i64, (size + 7) / 8), "request");
    LLVMSetAlignment(request, 16);
    for (size_t at = 0; at < size; at += 8) entry_store(e, request, at, jit_long(e, 0));
    if (layout->kind == REQUEST_SAMPLE) {
        entry_byte(e, request, offsetof(struct sch_sample_request, lod_mode), layout->lod_mode);
        entry_byte(e, request, offsetof(struct sch_sample_request, quads), e->request->quads);
        entry_byte(e, request, offsetof(struct sch_sample_request, component), layout->component);
        entry_byte(e, request, offsetof(struct sch_sample_request, offsets), layout->offsets);
        copy_tiles(e, request, offsetof(struct sch_sample_request, tiles));
    }
    if (layout->kind == REQUEST_FETCH) {
        copy_concurrent(e, request, offsetof(struct sch_fetch_request, concurrent));
        copy_tiles(e, request, offsetof(struct sch_fetch_request, tiles));
    }
    if (layout->kind == REQUEST_STORE) copy_concurrent(e, request, offsetof(struct sch_image_request, concurrent));
    for (unsigned p = 0; p < ARGUMENT_MASK; p++)
        if (layout->arguments >> p & 1) entry_store(e, request, pointer_offset(layout->kind, p), argument_of(e, p));
    entry_store(e, request, pointer_offset(layout->kind, ARGUMENT_MASK),
                layout->all ? all_ones(e) : argument_of(e, ARGUMENT_MASK));
    return request;
}

static LLVMValueRef request_of(struct jit_emitter *e, const struct layout *like)
{
    for (const struct layout *layout = e->lookups->layouts; layout; layout = layout->next)
        if (layout->arguments == like->arguments && layout->lod_mode == like->lod_mode &&
            layout->component == like->component && layout->offsets == like->offsets && layout->kind == like->kind &&
            layout->all == like->all)
            return layout->request;
    struct layout *made = SCH_ARENA_NEW(&e->arena, struct layout);
    if (!made) {
        e->status = SCH_ERROR_MEMORY;
        return LLVMConstNull(e->pointer);
    }
    *made = *like;
    made->next = e->lookups->layouts;
    made->request = make_request(e, like);
    e->lookups->layouts = made;
    return made->request;
}

/* ---- operands: as exec/run_lookup.c ---- */

static void operand(struct jit_emitter *e, instruction *in, struct sch_prepared_operand which, unsigned argument,
                    uint32_t *arguments)
{
    if (which.source < 0) return;
    put_source(e, &in->src[which.source], which.component, argument, arguments);
}

static void divide(struct jit_emitter *e, struct jit_value *value, const struct jit_value *by)
{
    jit_operate(e, "DIV", 0, 2, (const struct jit_value *const[]){value, by}, 1, (struct jit_value *const[]){value});
}

/* By w of the coordinates, which is in memory, or is read for the first that needs it. */
static void put_quotient(struct jit_emitter *e, instruction *in, struct sch_prepared_operand which, unsigned argument,
                         struct jit_value *w, uint32_t *arguments)
{
    const struct sch_prepared_src *src = &in->src[which.source];
    struct jit_value value;
    *arguments |= 1u << argument;
    if (jit_compact_quotient(e, src, which.component, &in->src[0], argument)) return;
    if (!w->part[0]) jit_read_source(e, &in->src[0], 3, w);
    jit_read_source(e, src, which.component, &value);
    divide(e, &value, w);
    put(e, argument, &value, arguments);
}

static void put_coordinates(struct jit_emitter *e, instruction *in, uint32_t *arguments)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    bool projects = lookup->kind == SCH_PREPARED_PROJECT;
    struct jit_value w = {{NULL}};
    for (unsigned c = 0; c < (unsigned)lookup->axes + lookup->layer; c++) {
        const struct sch_prepared_operand which = {.source = 0, .component = (uint8_t)c};
        if (projects && c < 3)
            put_quotient(e, in, which, ARGUMENT_COORDINATE + c, &w, arguments);
        else
            operand(e, in, which, ARGUMENT_COORDINATE + c, arguments);
    }
    if (lookup->compares && lookup->reference.source >= 0) {
        if (projects)
            put_quotient(e, in, lookup->reference, ARGUMENT_REFERENCE, &w, arguments);
        else
            operand(e, in, lookup->reference, ARGUMENT_REFERENCE, arguments);
    }
    for (unsigned c = 0; c < lookup->axes && lookup->ddx >= 0; c++) {
        put_source(e, &in->src[lookup->ddx], c, ARGUMENT_DDX + c, arguments);
        put_source(e, &in->src[lookup->ddx + 1], c, ARGUMENT_DDY + c, arguments);
    }
}

static void put_offsets(struct jit_emitter *e, const struct sch_prepared_lookup *lookup, uint32_t *arguments)
{
    const struct sch_target_facts *is = sch_target_facts(lookup->target);
    for (unsigned n = 0; n < lookup->offsets && !is->cube; n++)
        for (unsigned c = 0; c < is->axes; c++)
            put_source(e, &lookup->offset[n], c, ARGUMENT_OFFSET + 3 * n + c, arguments);
}

static bool put_mask(struct jit_emitter *e)
{
    jit_exec(e);
    if (jit_is_all(e)) return true;
    LLVMValueRef to = argument_of(e, ARGUMENT_MASK);
    if (jit_compact_lanes(e, ARGUMENT_MASK)) return false;
    for (unsigned v = 0; v < e->vectors; v++)
        jit_store_vector(e, LLVMBuildSExt(e->build, jit_mask(e, v), e->vector, ""), to, v);
    return false;
}

/* ---- the call ---- */

/* The first slot of the present instruction. */
static LLVMValueRef own_slot(struct jit_emitter *e)
{
    LLVMValueRef slots =
        LLVMBuildLoad2(e->build, e->pointer, jit_at(e, e->group, offsetof(struct sch_group, slots)), "");
    return jit_at(e, slots, (uint64_t)e->lookup_number * sizeof(struct sch_group_slot));
}

#define SLOT(member) LLVMBuildLoad2(b, e->pointer, jit_at(e, slot, offsetof(struct sch_group_slot, member)), #member)

static void call(struct jit_emitter *e, const struct layout *layout, LLVMValueRef slot)
{
    LLVMBuilderRef b = e->build;
    LLVMValueRef request = request_of(e, layout), to = results(e);
    LLVMTypeRef parameters[5] = {e->pointer, e->pointer, e->pointer, e->pointer, e->pointer};
    LLVMValueRef key = SLOT(key), texture = SLOT(texture);
    if (layout->kind == REQUEST_SAMPLE) {
        LLVMValueRef arguments[5] = {key, SLOT(values), texture, request, to};
        LLVMBuildCall2(b, LLVMFunctionType(e->nothing, parameters, 5, false), SLOT(sample), arguments, 5, "");
    } else {
        LLVMValueRef arguments[4] = {key, texture, request, to};
        LLVMValueRef function = layout->kind == REQUEST_FETCH ? SLOT(fetch) : SLOT(store);
        LLVMBuildCall2(b, LLVMFunctionType(e->nothing, parameters, 4, false), function, arguments, 4, "");
    }
}

/* ---- functions of the module's own, for states that are known ---- */

/* What a body takes: the state is in it. What it returns. */
static LLVMValueRef call_body(struct jit_emitter *e, const struct layout *layout, LLVMValueRef body,
                              LLVMValueRef values, LLVMValueRef texture)
{
    LLVMValueRef null = LLVMConstNull(e->pointer), request = request_of(e, layout), to = results(e);
    LLVMTypeRef type = LLVMGlobalGetValueType(body);
    if (layout->kind == REQUEST_SAMPLE)
        return LLVMBuildCall2(e->build, type, body, (LLVMValueRef[]){null, values, texture, request, to}, 5, "");
    return LLVMBuildCall2(e->build, type, body, (LLVMValueRef[]){null, texture, request, to}, 4, "");
}

/* The state's number + 1 of the instruction with this first slot; 0: it is not known. */
static uint32_t known_state(const struct jit_emitter *e, uint32_t slot)
{
    if (!e->bitcode || slot >= SCH_NATIVE_KNOWN_SLOTS) return 0;
    return e->request->span->known.of_slot[slot];
}

static LLVMValueRef body_of(struct jit_emitter *e, uint32_t number)
{
    LLVMValueRef *body = &e->lookups->bodies[number];
    if (*body) return *body;
    *body = jit_make_lookup(e->bitcode, e->module->module, &e->request->span->known.form[number], "lookup");
    if (!*body) {
        e->status = SCH_ERROR_UNSUPPORTED;
        return NULL;
    }
    LLVMSetLinkage(*body, LLVMInternalLinkage);
    jit_add_attribute(e->module, *body, "alwaysinline");
    jit_add_attribute(e->module, *body, "nounwind");
    return *body;
}

/* What the units that lookups of a state name have: in variables of the function. */
struct unit {
    const struct unit *next;
    LLVMValueRef body; /* of the state */
    int32_t view, sampler;
    LLVMValueRef values, texture;
};

/* A structure's words in variables of the function, so that what they decide is decided before the first group. */
static LLVMValueRef copy_words(struct jit_emitter *e, LLVMValueRef from, size_t bytes)
{
    LLVMValueRef to = jit_variable(e, LLVMArrayType2(e->i32, bytes / 4), "");
    LLVMSetAlignment(to, 16);
    for (size_t at = 0; at < bytes; at += 4) {
        LLVMValueRef index = jit_long(e, at);
        LLVMValueRef address = LLVMBuildInBoundsGEP2(e->entry, e->i8, from, &index, 1, "");
        entry_store(e, to, at, LLVMBuildLoad2(e->entry, e->i32, address, ""));
    }
    return to;
}

/* Each instruction has a slot of its own; those that name the same units share the copies, and what follows from
 * them. */
static const struct unit *unit_of(struct jit_emitter *e, instruction *in, uint8_t kind, LLVMValueRef body)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    const int32_t view = in->src[lookup->view].index.base;
    const int32_t sampler = lookup->sampler >= 0 ? in->src[lookup->sampler].index.base : 0;
    for (const struct unit *unit = e->lookups->units; unit; unit = unit->next)
        if (unit->body == body && unit->view == view && unit->sampler == sampler) return unit;
    struct unit *made = SCH_ARENA_NEW(&e->arena, struct unit);
    if (!made) {
        e->status = SCH_ERROR_MEMORY;
        return NULL;
    }
    *made = (struct unit){.next = e->lookups->units, .body = body, .view = view, .sampler = sampler};
    LLVMBuilderRef build = e->build, b = e->entry;
    e->build = e->entry;
    LLVMValueRef slot = own_slot(e), texture = SLOT(texture);
    if (kind == REQUEST_SAMPLE) made->values = copy_words(e, SLOT(values), sizeof(struct sch_sampler_values));
    made->texture = copy_words(e, texture, sizeof(struct sch_texture));
    e->build = build;
    return e->lookups->units = made;
}

static LLVMValueRef call_inline(struct jit_emitter *e, instruction *in, const struct layout *layout, LLVMValueRef body)
{
    const struct unit *unit = unit_of(e, in, layout->kind, body);
    return unit ? call_body(e, layout, body, unit->values, unit->texture) : NULL;
}

static void copy_argument(struct jit_emitter *e, struct jit_lookups *from, struct jit_lookups *to, unsigned number)
{
    e->lookups = from;
    LLVMValueRef source = argument_of(e, number);
    e->lookups = to;
    LLVMValueRef target = argument_of(e, number);
    for (unsigned v = 0; v < e->vectors; v++) jit_store_vector(e, jit_load_vector(e, source, v, false), target, v);
}

/* The function of the slot takes operands and returns results in memory of its own, as no one else has the addresses of
 * what the body takes: that becomes values. */
static void call_apart(struct jit_emitter *e, const struct layout *layout)
{
    struct jit_lookups *own = e->lookups;
    if (!own->apart) own->apart = SCH_ARENA_NEW(&e->arena, struct jit_lookups);
    if (!own->apart) {
        e->status = SCH_ERROR_MEMORY;
        return;
    }
    own->apart->all = own->all;
    own->apart->samples = own->samples;
    for (unsigned p = 0; p <= ARGUMENT_MASK; p++)
        if (p == ARGUMENT_MASK ? !layout->all : layout->arguments >> p & 1) copy_argument(e, own, own->apart, p);
    e->lookups = own->apart;
    call(e, layout, own_slot(e));
    for (unsigned c = 0; c < 4; c++) copy_argument(e, own->apart, own, ARGUMENT_RESULT + c);
    e->lookups = own;
}

/* Where the body has not looked up the group. */
static void call_if_left(struct jit_emitter *e, const struct layout *layout, LLVMValueRef done)
{
    LLVMContextRef context = e->module->context;
    LLVMBasicBlockRef left = LLVMAppendBasicBlockInContext(context, e->function, "left");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(context, e->function, "");
    jit_expect(e, LLVMBuildCondBr(e->build, done, after, left));
    LLVMPositionBuilderAtEnd(e->build, left);
    LLVMValueRef count = jit_field(e, e->i64, offsetof(struct sch_group, left_lookups));
    jit_set_field(e, offsetof(struct sch_group, left_lookups), LLVMBuildAdd(e->build, count, jit_long(e, 1), ""));
    call_apart(e, layout);
    LLVMBuildBr(e->build, after);
    LLVMPositionBuilderAtEnd(e->build, after);
}

static bool call_known(struct jit_emitter *e, instruction *in, const struct layout *layout)
{
    uint32_t state = known_state(e, e->lookup_number);
    if (!state) return false;
    LLVMValueRef body = body_of(e, state - 1);
    if (!body) return true;
    LLVMValueRef done = call_inline(e, in, layout, body);
    if (done && e->request->span->known.form[state - 1].in_rows) call_if_left(e, layout, done);
    return true;
}

static void write_result(struct jit_emitter *e, instruction *in, const uint8_t swizzle[4])
{
    for (unsigned mask = in->dst[0].mask; mask; mask &= mask - 1) {
        unsigned c = (unsigned)__builtin_ctz(mask);
        LLVMValueRef from = argument_of(e, ARGUMENT_RESULT + swizzle[c]);
        if (jit_compact_result(e, in, c, ARGUMENT_RESULT + swizzle[c])) continue;
        struct jit_value value;
        for (unsigned v = 0; v < e->vectors; v++) value.part[v] = jit_load_vector(e, from, v, false);
        if (in->modify) jit_modify(e, in->modify, (struct jit_value *const[]){&value});
        jit_write(e, &in->dst[0], c, &value);
    }
}

static bool open_lookups(struct jit_emitter *e)
{
    if (e->lookups) return true;
    e->lookups = SCH_ARENA_NEW(&e->arena, struct jit_lookups);
    if (!e->lookups) e->status = SCH_ERROR_MEMORY;
    if (e->lookups && e->compact) e->lookups->memory = jit_compact_memory(e, ARGUMENT_COUNT);
    return e->lookups;
}

/* SIZE, SAMPLES and POSITION: the runtime looks at the slot's texture. */
static void query(struct jit_emitter *e, instruction *in)
{
    const struct sch_prepared_operand which = in->lookup->value;
    struct jit_value value[4];
    if (which.source >= 0) {
        jit_read_source(e, &in->src[which.source], which.component, &value[0]);
        jit_put(e, &value[0], jit_scratch(e, 0, 0));
    }
    LLVMValueRef arguments[3] = {e->group, own_slot(e), jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, query), e->nothing, 3, arguments);
    for (unsigned c = 0; c < 4; c++) jit_take_result(e, c, &value[c]);
    jit_write_results(e, in, in->lookup->swizzle, value);
}

/* ---- units that registers or handles name ---- */

static void stage(struct jit_emitter *e, instruction *in, int source, unsigned c)
{
    struct jit_value value;
    jit_read_source(e, &in->src[source], c, &value);
    jit_put(e, &value, jit_scratch(e, (unsigned)source, c));
}

/* What sch_exec_run_lookup reads: the operands of put_coordinates and operand. */
static void stage_operands(struct jit_emitter *e, instruction *in)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    bool is_lookup = lookup->kind < SCH_PREPARED_SIZE;
    for (unsigned c = 0; c < (unsigned)lookup->axes + lookup->layer && is_lookup; c++) stage(e, in, 0, c);
    if (lookup->kind == SCH_PREPARED_PROJECT) stage(e, in, 0, 3);
    if (lookup->compares && lookup->reference.source >= 0 && is_lookup)
        stage(e, in, lookup->reference.source, lookup->reference.component);
    for (unsigned c = 0; c < lookup->axes && lookup->ddx >= 0 && is_lookup; c++) {
        stage(e, in, lookup->ddx, c);
        stage(e, in, lookup->ddx + 1, c);
    }
    if (lookup->value.source >= 0) stage(e, in, lookup->value.source, lookup->value.component);
    if (lookup->clamp.source >= 0) stage(e, in, lookup->clamp.source, lookup->clamp.component);
}

static void call_lookup(struct jit_emitter *e, instruction *in)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    stage_operands(e, in);
    if (lookup->handle) jit_spill_source(e, &in->src[lookup->view]);
    jit_spill_index(e, &in->src[lookup->view].index);
    if (lookup->sampler >= 0) jit_spill_index(e, &in->src[lookup->sampler].index);
    for (unsigned n = 0; n < lookup->offsets; n++) jit_spill_source(e, &lookup->offset[n]);
    jit_show_masks(e);
    LLVMValueRef arguments[2] = {e->group, jit_word(e, in->number)};
    jit_call_runtime(e, offsetof(struct sch_group_runtime, lookup), e->nothing, 2, arguments);
}

static void look_up(struct jit_emitter *e, instruction *in)
{
    struct jit_value value[4];
    call_lookup(e, in);
    for (unsigned c = 0; c < 4; c++) jit_take_result(e, c, &value[c]);
    jit_write_results(e, in, in->lookup->swizzle, value);
}

/* The slot of the number that all lanes name, or the runtime. The result is where slots' functions put it. */
static void call_named(struct jit_emitter *e, instruction *in, const struct layout *layout, LLVMValueRef number,
                       LLVMValueRef same)
{
    LLVMBuilderRef b = e->build;
    LLVMContextRef context = e->module->context;
    LLVMBasicBlockRef here = LLVMAppendBasicBlockInContext(context, e->function, "");
    LLVMBasicBlockRef other = LLVMAppendBasicBlockInContext(context, e->function, "");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(context, e->function, "");
    LLVMBuildCondBr(b, same, here, other);
    LLVMPositionBuilderAtEnd(b, here);
    LLVMValueRef offset = LLVMBuildZExt(b, number, e->i64, "");
    offset = LLVMBuildMul(b, offset, jit_long(e, sizeof(struct sch_group_slot)), "");
    call(e, layout, LLVMBuildInBoundsGEP2(b, e->i8, own_slot(e), &offset, 1, ""));
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, other);
    call_lookup(e, in);
    for (unsigned c = 0; c < 4; c++) {
        struct jit_value value;
        jit_take_result(e, c, &value);
        jit_put(e, &value, argument_of(e, ARGUMENT_RESULT + c));
    }
    LLVMBuildBr(b, after);
    LLVMPositionBuilderAtEnd(b, after);
}

/* ---- the opcodes ---- */

void jit_lookup(struct jit_emitter *e, instruction *in)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    struct layout layout = {.lod_mode = lookup->mode, .offsets = lookup->offsets};
    LLVMValueRef number = NULL, same = NULL;
    if (sch_native_has_query(in)) {
        query(e, in);
        return;
    }
    uint32_t slots = sch_native_slot_count(e->program, in, &layout.component);
    if (slots > 1 && !jit_read_number(e, &in->src[lookup->view].index, slots, &number, &same)) slots = 0;
    if (!slots) {
        look_up(e, in);
        return;
    }
    if (!open_lookups(e)) return;
    layout.kind =
        lookup->kind == SCH_PREPARED_FETCH || lookup->kind == SCH_PREPARED_FETCH_MS ? REQUEST_FETCH : REQUEST_SAMPLE;
    e->lookups->samples = layout.kind == REQUEST_SAMPLE;
    put_coordinates(e, in, &layout.arguments);
    if (lookup->kind != SCH_PREPARED_GATHER) operand(e, in, lookup->value, ARGUMENT_LOD, &layout.arguments);
    operand(e, in, lookup->clamp, ARGUMENT_MIN_LOD, &layout.arguments);
    put_offsets(e, lookup, &layout.arguments);
    layout.all = put_mask(e);
    jit_compact_close(e);
    if (slots > 1)
        call_named(e, in, &layout, number, same);
    else if (!call_known(e, in, &layout))
        call(e, &layout, own_slot(e));
    write_result(e, in, lookup->swizzle);
}

/* The coordinates that a target has, and the sample where lookups have a level; false: the target is known only when
 * code runs. */
static bool put_address(struct jit_emitter *e, instruction *in, uint32_t *arguments)
{
    const struct sch_prepared_src *address = &in->src[in->resource->address];
    unsigned target = sch_prepared_shown_target(e->program, in->resource, in->resource->index.base);
    if (target >= SCH_TARGET_UNKNOWN || !open_lookups(e)) return false;
    e->lookups->samples = false;
    for (unsigned c = 0; c < sch_target_coordinates(target); c++)
        put_source(e, address, c, ARGUMENT_COORDINATE + c, arguments);
    if (sch_target_facts(target)->multisampled) put_source(e, address, 3, ARGUMENT_LOD, arguments);
    return true;
}

bool jit_image_load(struct jit_emitter *e, instruction *in)
{
    struct layout layout = {.kind = REQUEST_FETCH};
    if (!put_address(e, in, &layout.arguments)) return false;
    layout.all = put_mask(e);
    jit_compact_close(e);
    call(e, &layout, own_slot(e));
    write_result(e, in, in->resource->swizzle);
    return true;
}

/* What is stored is where results do. */
bool jit_image_store(struct jit_emitter *e, instruction *in)
{
    struct layout layout = {.kind = REQUEST_STORE};
    if (!put_address(e, in, &layout.arguments)) return false;
    for (unsigned c = 0; c < 4; c++) {
        struct jit_value value;
        if (jit_compact_operand(e, &in->src[1], c, ARGUMENT_RESULT + c)) continue;
        jit_read_source(e, &in->src[1], c, &value);
        jit_put(e, &value, argument_of(e, ARGUMENT_RESULT + c));
    }
    jit_compact_close(e);
    LLVMValueRef lanes = jit_without_helpers(e, jit_exec(e));
    layout.all = LLVMIsAConstantInt(lanes) && jit_is_all(e);
    for (unsigned v = 0; v < e->vectors && !layout.all; v++)
        jit_store_vector(e, LLVMBuildSExt(e->build, jit_vector_bits(e, lanes, v), e->vector, ""),
                         argument_of(e, ARGUMENT_MASK), v);
    call(e, &layout, own_slot(e));
    return true;
}

/* ---- what results are known to be ---- */

static bool writes(const struct sch_prepared_dst *dst, uint32_t first)
{
    if (dst->access != SCH_ACCESS_PLAIN) return dst->access != SCH_ACCESS_NONE;
    return dst->mask && dst->channel == first;
}

static bool gives_from_0_to_1(const struct jit_emitter *e, instruction *in, uint32_t slot)
{
    const uint32_t state = in->lookup ? known_state(e, slot) : 0;
    return state && e->request->span->known.form[state - 1].from_0_to_1;
}

bool jit_is_from_0_to_1(const struct jit_emitter *e, uint32_t first)
{
    uint32_t slot = 0;
    for (uint32_t n = 0; n < e->program->instruction_count; n++) {
        instruction *in = &e->program->instructions[n];
        for (unsigned d = 0; d < in->dst_count; d++)
            if (writes(&in->dst[d], first) && (d || !gives_from_0_to_1(e, in, slot))) return false;
        slot += sch_native_slots_of(e->program, in);
    }
    return true;
}
