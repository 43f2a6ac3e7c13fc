/* The functions that texture lookups of machine code call: one for each form and level, shared by all programs of the
 * context and kept as long as it. Until one is compiled, and where the compiler does not take a form, the general
 * functions of src/ops are in its place; the results are the same. */
#include "native/internal.h"

#include <string.h>

#include "ir/analysis.h"
#include "isa/targets.h"
#include "texture/convert.h"
#include "texture/texture.h"

typedef const struct sch_prepared_instruction instruction;

/* ---- the table ---- */

bool sch_native_same_form(const struct sch_native_lookup_form *a, const struct sch_native_lookup_form *b)
{
    const struct sch_sampler_key *x = &a->key, *y = &b->key;
    return x->format == y->format && x->target == y->target && x->rules == y->rules &&
           memcmp(x->wrap, y->wrap, sizeof x->wrap) == 0 && x->min_linear == y->min_linear &&
           x->mag_linear == y->mag_linear && x->mip == y->mip && x->max_anisotropy == y->max_anisotropy &&
           x->unnormalized == y->unnormalized && memcmp(x->swizzle, y->swizzle, sizeof x->swizzle) == 0 &&
           x->compare == y->compare && x->reduction == y->reduction && x->seamless == y->seamless &&
           a->kind == b->kind && a->lod_mode == b->lod_mode && a->offsets == b->offsets &&
           a->component == b->component && a->quads == b->quads && a->biased == b->biased &&
           a->has_min_lod == b->has_min_lod && a->has_lod == b->has_lod && a->in_rows == b->in_rows &&
           a->straight == b->straight && a->from_0_to_1 == b->from_0_to_1;
}

static unsigned chain_of(const struct sch_native_lookup_form *form)
{
    const uint8_t parts[] = {
        (uint8_t)form->key.format, form->key.target, form->key.wrap[0], form->key.wrap[1], form->key.min_linear,
        form->key.mag_linear,      form->key.mip,    form->key.compare, form->kind,        form->lod_mode};
    uint32_t hash = 0;
    for (unsigned i = 0; i < sizeof parts; i++) hash = hash * 31 + parts[i];
    return hash % SCH_NATIVE_LOOKUP_CHAINS;
}

static struct sch_native_lookup *lookup_of(struct sch_native_job *job)
{
    return (struct sch_native_lookup *)((char *)job - offsetof(struct sch_native_lookup, job));
}

static void publish(struct sch_native_lookup *lookup)
{
    if (lookup->result.status == SCH_OK)
        atomic_store_explicit(&lookup->function, lookup->result.code.function, memory_order_release);
    atomic_store_explicit(&lookup->done, true, memory_order_release);
}

static void compile(struct sch_native_job *job)
{
    struct sch_native_lookup *lookup = lookup_of(job);
    sch_native_make_lookup(lookup->native, &lookup->form, lookup->ops, &job->call, &lookup->result);
    publish(lookup);
}

static bool take_from_cache(struct sch_native_job *job)
{
    struct sch_native_lookup *lookup = lookup_of(job);
    if (!sch_native_take_lookup(lookup->native, &lookup->form, lookup->ops, &lookup->result)) return false;
    publish(lookup);
    return true;
}

static struct sch_native_lookup *find(struct sch_native *native, unsigned chain,
                                      const struct sch_native_lookup_form *form, const struct sch_ops *ops)
{
    struct sch_native_lookup *entry = native->lookups[chain];
    while (entry && !(entry->ops == ops && sch_native_same_form(&entry->form, form))) entry = entry->next;
    return entry;
}

static struct sch_native_lookup *add(struct sch_native *native, unsigned chain,
                                     const struct sch_native_lookup_form *form, const struct sch_ops *ops)
{
    if (native->lookup_count >= SCH_NATIVE_LOOKUP_FUNCTIONS) return NULL;
    struct sch_native_lookup *entry = native->allocator.alloc(native->allocator.user, sizeof *entry);
    if (!entry) return NULL;
    memset(entry, 0, sizeof *entry);
    entry->next = native->lookups[chain];
    entry->native = native;
    entry->form = *form;
    entry->ops = ops;
    entry->job.run = compile;
    native->lookups[chain] = entry;
    native->lookup_count++;
    return entry;
}

/* The entry of a form; NULL: there are too many, or no memory. */
static struct sch_native_lookup *entry_of(struct sch_native *native, const struct sch_native_lookup_form *form,
                                          const struct sch_ops *ops)
{
    unsigned chain = chain_of(form);
    pthread_mutex_lock(&native->lookup_lock);
    struct sch_native_lookup *entry = find(native, chain, form, ops);
    if (!entry) entry = add(native, chain, form, ops);
    pthread_mutex_unlock(&native->lookup_lock);
    return entry;
}

void sch_native_release_lookups(struct sch_native *native)
{
    for (unsigned chain = 0; chain < SCH_NATIVE_LOOKUP_CHAINS; chain++)
        while (native->lookups[chain]) {
            struct sch_native_lookup *entry = native->lookups[chain];
            native->lookups[chain] = entry->next;
            sch_native_unload(&entry->result.code);
            native->allocator.free(native->allocator.user, entry);
        }
}

/* ---- slots ---- */

/* What unbound units return. */
static void sample_nothing(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                           const struct sch_texture *texture, const struct sch_sample_request *request,
                           struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request;
    for (unsigned c = 0; c < 4; c++) memset(result[c], 0, sizeof *result[c]);
}

static void fetch_nothing(const struct sch_sampler_key *key, const struct sch_texture *texture,
                          const struct sch_fetch_request *request, struct sch_lanes *const result[4])
{
    sample_nothing(key, NULL, texture, NULL, result);
    (void)request;
}

static bool fetches(const struct sch_prepared_lookup *lookup)
{
    return lookup->kind == SCH_PREPARED_FETCH || lookup->kind == SCH_PREPARED_FETCH_MS;
}

static struct sch_native_lookup_form form_of(const struct sch_prepared_lookup *lookup,
                                             const struct sch_sampler_key *key, uint8_t component, bool quads)
{
    static const uint8_t kinds[] = {
        [SCH_PREPARED_SAMPLE] = SCH_NATIVE_SAMPLE, [SCH_PREPARED_PROJECT] = SCH_NATIVE_SAMPLE,
        [SCH_PREPARED_GATHER] = SCH_NATIVE_GATHER, [SCH_PREPARED_LOD] = SCH_NATIVE_LOD,
        [SCH_PREPARED_FETCH] = SCH_NATIVE_FETCH,   [SCH_PREPARED_FETCH_MS] = SCH_NATIVE_FETCH};
    bool gathers = lookup->kind == SCH_PREPARED_GATHER;
    return (struct sch_native_lookup_form){.key = *key,
                                           .kind = kinds[lookup->kind],
                                           .lod_mode = lookup->mode,
                                           .offsets = lookup->offsets,
                                           .component = gathers ? component : 0,
                                           .quads = quads,
                                           .has_min_lod = lookup->clamp.source >= 0,
                                           .has_lod = !gathers && lookup->value.source >= 0};
}

/* What the slots of a run are filled from. */
struct filling {
    const struct sch_exec_program *program;
    const struct sch_exec_bindings *bindings;
    bool quads;
};

/* Whether a unit that a register names is likely to be meant: of all that are bound, those that the program
 * declares. */
static bool is_expected(const struct sch_exec_program *program, instruction *in, uint32_t number)
{
    if (!in->src[in->lookup->view].index.is_indirect || !program->prepared.view_target_count) return true;
    return number < program->prepared.view_target_count && program->prepared.view_targets[number] < SCH_TARGET_UNKNOWN;
}

static void fill_slot(const struct filling *from, instruction *in, uint32_t number, uint8_t component,
                      struct sch_native_wish *wish, struct sch_group_slot *slot)
{
    const struct sch_prepared_lookup *lookup = in->lookup;
    struct sch_exec_bound_lookup bound;
    if (!sch_exec_bind_lookup(from->bindings, in, number, &bound)) {
        atomic_init(&slot->sample, fetches(lookup) ? NULL : sample_nothing);
        atomic_init(&slot->fetch, fetches(lookup) ? fetch_nothing : NULL);
        return;
    }
    const struct sch_ops *ops = from->program->ops;
    wish->there = is_expected(from->program, in, number);
    wish->form = form_of(lookup, &bound.key, component, from->quads);
    slot->key = &wish->form.key;
    slot->values = bound.values;
    slot->texture = bound.texture;
    sch_sample_fn *sample = lookup->kind == SCH_PREPARED_GATHER ? ops->texture_gather
                            : lookup->kind == SCH_PREPARED_LOD  ? ops->lod_query
                                                                : ops->sample;
    atomic_init(&slot->sample, fetches(lookup) ? NULL : sample);
    atomic_init(&slot->fetch, fetches(lookup) ? ops->fetch : NULL);
}

/* The texture that a query is about. */
static void fill_query(const struct filling *from, instruction *in, struct sch_group_slot *slot)
{
    struct sch_exec_bound_lookup bound;
    if (sch_exec_bind_lookup(from->bindings, in, 0, &bound)) slot->texture = bound.texture;
}

static void store_nothing(const struct sch_sampler_key *key, const struct sch_texture *texture,
                          const struct sch_image_request *request, const struct sch_lanes *const value[4])
{
    (void)key, (void)texture, (void)request, (void)value;
}

/* A LOAD of an image is a fetch without levels. */
static void fill_image(const struct filling *from, instruction *in, struct sch_native_wish *wish,
                       struct sch_group_slot *slot)
{
    const bool stores = in->opcode == SCH_OP_STORE;
    struct sch_exec_shown shown;
    sch_exec_show(from->program, from->bindings, in->resource, in->resource->index.base, &shown);
    atomic_init(&slot->fetch, stores ? NULL : fetch_nothing);
    atomic_init(&slot->store, stores ? store_nothing : NULL);
    if (!shown.texture || (stores && !shown.writable)) return;
    bool sampled = sch_target_facts(shown.key.target)->multisampled && !stores;
    wish->there = true;
    wish->form = (struct sch_native_lookup_form){.key = shown.key,
                                                 .kind = stores ? SCH_NATIVE_STORE : SCH_NATIVE_FETCH,
                                                 .lod_mode = sampled ? SCH_LOD_EXPLICIT : SCH_LOD_ZERO,
                                                 .has_lod = sampled};
    slot->key = &wish->form.key;
    slot->texture = shown.texture;
    atomic_store(&slot->fetch, stores ? NULL : from->program->ops->fetch);
    atomic_store(&slot->store, stores ? from->program->ops->image_store : NULL);
}

enum sch_result sch_native_fill_slots(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                      bool quads, struct sch_arena *arena, struct sch_native_slots *slots)
{
    const struct filling from = {.program = program, .bindings = bindings, .quads = quads};
    uint32_t at = 0;
    slots->count = 0;
    for (uint32_t n = 0; n <= program->prepared.instruction_count; n++)
        slots->count += sch_native_slots_of(&program->prepared, &program->prepared.instructions[n]);
    slots->ops = program->ops;
    slots->slots = SCH_ARENA_ARRAY(arena, struct sch_group_slot, slots->count);
    slots->wishes = SCH_ARENA_ARRAY(arena, struct sch_native_wish, slots->count);
    if (!slots->slots || !slots->wishes) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n <= program->prepared.instruction_count; n++) {
        instruction *in = &program->prepared.instructions[n];
        uint8_t component = 0;
        const uint32_t count = sch_native_slots_of(&program->prepared, in);
        if (sch_native_has_query(in)) {
            fill_query(&from, in, &slots->slots[at]);
        } else if (count && !in->lookup) {
            fill_image(&from, in, &slots->wishes[at], &slots->slots[at]);
        } else {
            sch_native_slot_count(&program->prepared, in, &component);
            for (uint32_t i = 0; i < count; i++)
                fill_slot(&from, in, i, component, &slots->wishes[at + i], &slots->slots[at + i]);
        }
        at += count;
    }
    return SCH_OK;
}

/* ---- what is known before a program is compiled ---- */

static bool is_linear(const struct sch_sampler_key *key) { return key->min_linear || key->mag_linear; }

/* Whether one level is read, and the level of detail decides nothing. */
static bool has_one_level(const struct sch_sampler_key *key)
{
    return !key->mip && !key->min_linear == !key->mag_linear && key->max_anisotropy <= 1;
}

/* Whether texel indices follow each other along an axis (ops/texture/pair.h). */
static bool is_straight(const struct sch_native_lookup_form *form, unsigned axis)
{
    const unsigned wrap = form->key.wrap[axis];
    if (wrap == SCH_WRAP_REPEAT) return !form->offsets && !form->key.unnormalized;
    return wrap == SCH_WRAP_CLAMP || wrap == SCH_WRAP_CLAMP_TO_EDGE || wrap == SCH_WRAP_CLAMP_TO_BORDER;
}

/* The same of fetches: of a plain picture. */
static bool fetches_rows(const struct sch_sampler_key *key, unsigned lanes)
{
    if (lanes < 8 || (key->target != SCH_TARGET_2D && key->target != SCH_TARGET_RECT)) return false;
    return !sch_texture_is_block(key->format) && sch_texture_block_bytes(key->format) == 4;
}

/* Whether texels that lie in rows are looked up by little code, which is all that the program has then. */
static bool has_rows(const struct sch_native_lookup_form *form, unsigned lanes)
{
    const struct sch_sampler_key *key = &form->key;
    const struct sch_target_facts *target = sch_target_facts(key->target);
    if (form->kind == SCH_NATIVE_FETCH) return fetches_rows(key, lanes);
    if (form->kind != SCH_NATIVE_SAMPLE || !has_one_level(key) || target->cube || target->axes != 2) return false;
    if (lanes < 8 || (!is_linear(key) && lanes != 8)) return false; /* as ops/texture/texture.c has it */
    if (sch_texture_is_block(key->format) || sch_texture_block_bytes(key->format) != 4) return false;
    if (is_linear(key) && sch_texels_are_srgb(key->format)) return false;
    return is_straight(form, 0) && is_straight(form, 1);
}

/* The innermost loop around an instruction; SCH_FLOW_NONE: none. */
static uint32_t loop_around(const struct sch_exec_program *program, uint32_t n)
{
    const struct sch_ir_flow *flow = &program->prepared.flow;
    return sch_ir_flow_innermost(flow, flow->links[n].around, SCH_CONSTRUCT_LOOP);
}

/* Whether there may be one texel a pixel (ops/texture/straight.h), which is less code still. */
static bool may_be_straight(const struct sch_native_lookup_form *form, unsigned lanes)
{
    if (lanes != 8 || !form->in_rows || form->kind != SCH_NATIVE_SAMPLE || form->offsets) return false;
    return !is_linear(&form->key) || (sch_texels_are_bytes(form->key.format) && !form->key.compare &&
                                      form->key.reduction == SCH_REDUCTION_AVERAGE);
}

/* Means of texels are between them, borders are clamped to what the format has, and what is not there is 0. */
static bool is_from_0_to_1(const struct sch_native_lookup_form *form)
{
    return form->kind != SCH_NATIVE_LOD && form->kind != SCH_NATIVE_STORE && sch_texels_are_bytes(form->key.format);
}

/* How a lookup's texels may lie. They are not in rows if lookups in the same loop decide where they are. In loops
 * passes read pictures of their own size: blurs, for example. */
static void choose_ways(const struct sch_exec_program *program, uint32_t n, unsigned lanes,
                        struct sch_native_lookup_form *form)
{
    const uint32_t loop = loop_around(program, n);
    form->in_rows =
        has_rows(form, lanes) && (loop == SCH_FLOW_NONE || !sch_ir_follows_lookup(&program->prepared, n, loop));
    form->straight = loop != SCH_FLOW_NONE && may_be_straight(form, lanes);
    form->from_0_to_1 = is_from_0_to_1(form);
}

/* Whether a program has a lookup's code in it. What becomes much code is made once, and called: it takes several times
 * as long to compile as the rest of the program. */
static bool goes_into_programs(const struct sch_native_lookup_form *form)
{
    if (form->in_rows) return true;
    return form->kind == SCH_NATIVE_SAMPLE && has_one_level(&form->key) && !is_linear(&form->key) &&
           !sch_texture_is_block(form->key.format);
}

/* The number of a form; UINT32_MAX: there are too many. */
static uint32_t number_of(struct sch_native_known *known, const struct sch_native_lookup_form *form)
{
    for (uint32_t f = 0; f < known->count; f++)
        if (sch_native_same_form(&known->form[f], form)) return f;
    if (known->count == SCH_NATIVE_KNOWN_FORMS) return UINT32_MAX;
    known->form[known->count] = *form;
    return known->count++;
}

/* Keeps states that several instructions have, as the taps of a filter do, only where there may be one texel a pixel:
 * that is little code for each. One function serves all instructions that have another state. How many of `found` are
 * left. */
static uint32_t keep_shared(struct sch_native_known *known, unsigned lanes, uint32_t found)
{
    enum { MOST_SITES = 16 };
    uint32_t sites[SCH_NATIVE_KNOWN_FORMS + 1] = {0};
    for (uint32_t s = 0; s < SCH_NATIVE_KNOWN_SLOTS; s++) sites[known->of_slot[s]]++;
    for (uint32_t s = 0; s < SCH_NATIVE_KNOWN_SLOTS; s++) {
        const uint8_t number = known->of_slot[s];
        if (!number || sites[number] == 1) continue;
        if (sites[number] <= MOST_SITES && may_be_straight(&known->form[number - 1], lanes)) {
            known->form[number - 1].straight = true;
            continue;
        }
        known->of_slot[s] = 0;
        found--;
    }
    if (!found) *known = (struct sch_native_known){0};
    return found;
}

bool sch_native_know_lookups(const struct sch_exec_program *program, const struct sch_native_slots *slots,
                             struct sch_native_known *known)
{
    uint32_t at = 0, wanted = 0, found = 0;
    if (!slots->count) return true;
    for (uint32_t n = 0; n <= program->prepared.instruction_count; n++) {
        instruction *in = &program->prepared.instructions[n];
        const uint32_t count = sch_native_slots_of(&program->prepared, in), slot = at;
        at += count;
        wanted += count != 0 && !sch_native_has_query(in);
        if (count != 1 || slot >= SCH_NATIVE_KNOWN_SLOTS || !in->lookup || !slots->wishes[slot].there) continue;
        if (!fetches(in->lookup) && !slots->slots[slot].values) continue;
        struct sch_native_lookup_form asked = slots->wishes[slot].form;
        choose_ways(program, n, slots->ops->lanes, &asked);
        uint32_t form = goes_into_programs(&asked) ? number_of(known, &asked) : UINT32_MAX;
        if (form == UINT32_MAX) continue;
        known->of_slot[slot] = (uint8_t)(form + 1);
        found++;
    }
    return keep_shared(known, slots->ops->lanes, found) == wanted;
}

bool sch_native_same_known(const struct sch_native_known *a, const struct sch_native_known *b)
{
    bool same = a->count == b->count && memcmp(a->of_slot, b->of_slot, sizeof a->of_slot) == 0;
    for (uint32_t f = 0; f < a->count && same; f++) same = sch_native_same_form(&a->form[f], &b->form[f]);
    return same;
}

/* ---- functions of slots ---- */

static void get_function(struct sch_native_worker *worker, struct sch_native_lookup *entry,
                         enum sch_native_effort effort, const struct sch_native_patience *patience)
{
    struct sch_native_job *job = &entry->job;
    if (atomic_load_explicit(&entry->done, memory_order_acquire)) return;
    switch (effort) {
    case SCH_EFFORT_CACHED:
        if (!atomic_exchange_explicit(&entry->tried_cache, true, memory_order_relaxed))
            sch_native_try(worker, job, take_from_cache);
        break;
    case SCH_EFFORT_LATER:
        sch_native_later(worker, job, SCH_RANK_LOOKUP);
        break;
    case SCH_EFFORT_NOW:
        if (patience) sch_native_try(worker, job, take_from_cache);
        sch_native_now(worker, job, patience);
        break;
    }
}

void sch_native_compile_slots(struct sch_native *native, struct sch_native_slots *slots, enum sch_native_effort effort,
                              const struct sch_native_patience *patience)
{
    unsigned before = atomic_load(&slots->effort);
    if (!slots->count) return;
    do
        if (before >= effort) return;
    while (!atomic_compare_exchange_weak(&slots->effort, &before, effort));
    for (uint32_t n = 0; n < slots->count; n++) {
        struct sch_native_wish *wish = &slots->wishes[n];
        struct sch_native_lookup *entry = wish->there ? entry_of(native, &wish->form, slots->ops) : NULL;
        if (!entry) continue;
        get_function(&native->worker, entry, effort, patience);
        atomic_store_explicit(&wish->entry, entry, memory_order_release);
    }
    sch_native_refresh_slots(slots);
}

/* ---- before the first run ---- */

static void add_cost(struct sch_native_cost *sum, const struct sch_native_cost *cost)
{
    sum->build_ms += cost->build_ms;
    sum->passes_ms += cost->passes_ms;
    sum->code_ms += cost->code_ms;
    sum->built += cost->built;
    sum->optimised += cost->optimised;
}

static bool is_among_first(const struct sch_native_slots *slots, uint32_t count, const struct sch_native_lookup *entry)
{
    for (uint32_t n = 0; n < count; n++)
        if (atomic_load(&slots->wishes[n].entry) == entry) return true;
    return false;
}

static void compile_called(const struct sch_exec_program *program, struct sch_native *native,
                           struct sch_native_slots *slots, struct sch_native_cost *cost)
{
    struct sch_native_known known = {0};
    sch_native_know_lookups(program, slots, &known);
    for (uint32_t n = 0; n < slots->count; n++) {
        struct sch_native_wish *wish = &slots->wishes[n];
        const bool called = wish->there && (n >= SCH_NATIVE_KNOWN_SLOTS || !known.of_slot[n]);
        struct sch_native_lookup *entry = called ? entry_of(native, &wish->form, slots->ops) : NULL;
        if (!entry || is_among_first(slots, n, entry)) continue;
        atomic_store(&wish->entry, entry);
        sch_native_now(&native->worker, &entry->job, NULL);
        add_cost(cost, &entry->result.made.cost);
    }
}

enum sch_result sch_native_prepare_lookups(const struct sch_exec_program *program, struct sch_native *native,
                                           const struct sch_exec_bindings *bindings, struct sch_native_made *made)
{
    struct sch_native_slots slots = {0};
    struct sch_arena arena;
    sch_arena_init(&arena, &program->prepared.arena.allocator, program->prepared.limits.memory);
    enum sch_result status = sch_native_fill_slots(program, bindings, true, &arena, &slots);
    if (status == SCH_OK) compile_called(program, native, &slots, &made->cost);
    if (status == SCH_OK) made->expected += sch_native_weigh_lookups(&slots);
    sch_arena_release(&arena);
    return status;
}

/* ---- functions as they come ---- */

static void take_function(const struct sch_native_lookup *entry, struct sch_group_slot *slot)
{
    void *function = atomic_load_explicit(&entry->function, memory_order_acquire);
    sch_fetch_fn *fetch;
    sch_sample_fn *sample;
    sch_image_store_fn *store;
    if (!function) return;
    memcpy(&fetch, &function, sizeof fetch);
    memcpy(&sample, &function, sizeof sample);
    memcpy(&store, &function, sizeof store);
    if (entry->form.kind == SCH_NATIVE_STORE)
        atomic_store_explicit(&slot->store, store, memory_order_release);
    else if (entry->form.kind == SCH_NATIVE_FETCH)
        atomic_store_explicit(&slot->fetch, fetch, memory_order_release);
    else
        atomic_store_explicit(&slot->sample, sample, memory_order_release);
}

/* Several threads may do this at once: they store the same. */
void sch_native_refresh_slots(struct sch_native_slots *slots)
{
    if (atomic_load_explicit(&slots->complete, memory_order_relaxed) || !atomic_load(&slots->effort)) return;
    bool complete = true;
    for (uint32_t n = 0; n < slots->count; n++) {
        struct sch_native_wish *wish = &slots->wishes[n];
        const struct sch_native_lookup *entry = atomic_load_explicit(&wish->entry, memory_order_acquire);
        bool done = entry && atomic_load_explicit(&entry->done, memory_order_acquire);
        if (done) take_function(entry, &slots->slots[n]);
        if (wish->there && !done) complete = false;
    }
    if (complete) atomic_store_explicit(&slots->complete, true, memory_order_relaxed);
}
