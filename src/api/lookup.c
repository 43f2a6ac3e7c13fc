/* Questions to the texture unit on src/texture. */
#include "api/api.h"

#include <string.h>

#include "ops/ops.h"

/* A question as the inner functions take it; false: the struct is none of this library's. */
static bool take_lookup(const struct sch_lookup *given, struct sch_texture_lookup_kind *kind,
                        struct sch_texture_lookup *lookup)
{
    struct sch_lookup wanted;
    if (!sch_sized_read(&wanted, sizeof wanted, sizeof wanted, given)) return false;
    bool gathers = wanted.operation == SCH_LOOKUP_GATHER;
    *kind =
        (struct sch_texture_lookup_kind){.lookup = (unsigned)wanted.operation,
                                         .component = gathers ? wanted.component : 0,
                                         .compare = wanted.compare && (unsigned)wanted.operation <= SCH_LOOKUP_GATHER,
                                         .offsets = wanted.offset[0] || wanted.offset[1] || wanted.offset[2]};
    *lookup = (struct sch_texture_lookup){.reference = wanted.reference,
                                          .lod = wanted.lod,
                                          .bias = wanted.bias,
                                          .level = wanted.level,
                                          .sample = wanted.sample};
    memcpy(lookup->at, wanted.at, sizeof lookup->at);
    memcpy(lookup->ddx, wanted.ddx, sizeof lookup->ddx);
    memcpy(lookup->ddy, wanted.ddy, sizeof lookup->ddy);
    memcpy(lookup->offset, wanted.offset, sizeof lookup->offset);
    memcpy(lookup->texel, wanted.texel, sizeof lookup->texel);
    return true;
}

static bool same_kind(const struct sch_texture_lookup_kind *a, const struct sch_texture_lookup_kind *b)
{
    return a->lookup == b->lookup && a->component == b->component && a->compare == b->compare &&
           a->offsets == b->offsets;
}

/* The state that all questions share; the questions themselves come group by group. */
static struct sch_texture_lookups shared_state(const struct sch_view *view, const struct sch_sampler *sampler)
{
    struct sch_texture_lookups asked = {.key = {.target = SCH_TARGET_2D}};
    if (sampler) {
        asked.key = sampler->exec.key;
        asked.values = &sampler->exec.values;
    }
    if (view) {
        asked.texture = &view->descriptor;
        asked.key.format = view->exec.format;
        asked.key.target = view->exec.target;
        memcpy(asked.key.swizzle, view->exec.swizzle, sizeof asked.key.swizzle);
    }
    return asked;
}

static enum sch_result check(const struct sch_view *view, const struct sch_sampler *sampler,
                             const struct sch_texture_lookup_kind *kind)
{
    /* Without a view every lookup there is may be asked: 2D has all of them. */
    unsigned target = view ? view->exec.target : (unsigned)SCH_TARGET_2D;
    return sch_texture_check_lookup(sampler && view ? &sampler->exec.key : NULL, target, kind);
}

/* Question i of an array whose elements are as long as the first one says: a newer program's may be longer. */
static const struct sch_lookup *lookup_at(const struct sch_lookup *lookups, uint32_t i)
{
    return (const struct sch_lookup *)((const char *)lookups + (size_t)i * lookups->size);
}

static enum sch_result check_all(const struct sch_view *view, const struct sch_sampler *sampler,
                                 const struct sch_lookup *lookups, uint32_t count)
{
    if (lookups->size % _Alignof(struct sch_lookup)) return SCH_ERROR_ARGUMENT;
    for (uint32_t i = 0; i < count; i++) {
        struct sch_texture_lookup_kind kind;
        struct sch_texture_lookup lookup;
        const struct sch_lookup *given = lookup_at(lookups, i);
        if (given->size != lookups->size || !take_lookup(given, &kind, &lookup)) return SCH_ERROR_ARGUMENT;
        enum sch_result status = check(view, sampler, &kind);
        if (status != SCH_OK) return status;
    }
    return SCH_OK;
}

/* Takes questions of one kind, which were checked, at most a group and `count`; the number of those taken. */
static uint32_t take_group(const struct sch_lookup *lookups, uint32_t first, uint32_t count,
                           struct sch_texture_lookup_kind *kind, struct sch_texture_lookup *group)
{
    uint32_t taken = 0;
    for (; taken < count && taken < SCH_GROUP_LANES; taken++) {
        struct sch_texture_lookup_kind its;
        take_lookup(lookup_at(lookups, first + taken), &its, &group[taken]);
        if (taken == 0) *kind = its;
        if (!same_kind(kind, &its)) break;
    }
    return taken;
}

enum sch_result sch_lookup_run(const struct sch_view *view, const struct sch_sampler *sampler,
                               const struct sch_lookup *lookups, uint32_t count, uint32_t width, uint32_t (*answers)[4])
{
    const struct sch_ops *ops = sch_ops_for_width(width);
    if (!ops) return SCH_ERROR_ARGUMENT;
    if (count == 0) return SCH_OK;
    if (!lookups || !answers) return SCH_ERROR_ARGUMENT;
    enum sch_result status = check_all(view, sampler, lookups, count);
    if (status != SCH_OK) return status;

    struct sch_texture_lookups asked = shared_state(view, sampler);
    struct sch_texture_lookup group[SCH_GROUP_LANES];
    asked.lookups = group;
    for (uint32_t first = 0; first < count; first += asked.count) {
        asked.count = take_group(lookups, first, count - first, &asked.kind, group);
        sch_texture_run_lookups(ops, &asked, answers + first);
    }
    return SCH_OK;
}

/* What the trace of lane 0 says, in the public struct; of slices the view has `samples` to a layer. */
static void explain(const struct sch_texture_trace *trace, uint32_t samples, struct sch_explanation *explanation)
{
    const struct sch_trace_lane *lane = &trace->lane[0];
    explanation->face = lane->face;
    explanation->layer = lane->layer;
    memcpy(explanation->ddx, lane->ddx, sizeof explanation->ddx);
    memcpy(explanation->ddy, lane->ddy, sizeof explanation->ddy);
    explanation->lod_computed = lane->lod_computed;
    explanation->lod_biased = lane->lod_biased;
    explanation->lod = lane->lod;
    explanation->magnified = lane->magnified;
    explanation->taps = lane->taps;
    memcpy(explanation->level, lane->level, sizeof explanation->level);
    explanation->level_weight = lane->level_weight;

    uint32_t most = sizeof explanation->texels / sizeof *explanation->texels;
    for (uint32_t i = 0; i < trace->texel_count && i < trace->texel_capacity; i++) {
        const struct sch_trace_texel *from = &trace->texels[i];
        if (from->lane != 0 || explanation->texel_count == most) continue;
        struct sch_footprint_texel *to = &explanation->texels[explanation->texel_count++];
        *to = (struct sch_footprint_texel){.level = from->level,
                                           .tap = from->tap,
                                           .x = from->x,
                                           .y = from->y,
                                           .z = from->z / samples,
                                           .sample = from->z % samples,
                                           .border = from->border,
                                           .weight = from->weight};
        memcpy(to->value, from->value, sizeof to->value);
    }
}

struct traced {
    struct sch_explanation made;
    struct sch_texture_trace trace;
    struct sch_trace_texel texels[SCH_TRACE_TEXELS];
};

/* What is known of a question before it is asked. */
static const struct sch_explanation nothing = {.face = -1, .layer = -1};

enum sch_result sch_lookup_explain(const struct sch_view *view, const struct sch_sampler *sampler,
                                   const struct sch_lookup *lookup, struct sch_explanation *explanation)
{
    if (!lookup || !explanation || !sch_sized_fits(explanation->size, sizeof nothing)) return SCH_ERROR_ARGUMENT;
    struct sch_texture_lookups asked = shared_state(view, sampler);
    struct sch_texture_lookup only;
    if (!take_lookup(lookup, &asked.kind, &only)) return SCH_ERROR_ARGUMENT;
    enum sch_result status = check(view, sampler, &asked.kind);
    if (status != SCH_OK) return status;
    if (!view) {
        sch_sized_write(explanation, &nothing, sizeof nothing);
        return SCH_OK;
    }

    struct traced *traced = sch_api_alloc(view->context, sizeof *traced);
    if (!traced) return sch_api_no_memory(view->context, NULL);
    traced->made = nothing;
    traced->trace.texel_capacity = SCH_TRACE_TEXELS;
    traced->trace.texels = traced->texels;
    traced->trace.lane[0] = (struct sch_trace_lane){.face = -1, .layer = -1};
    asked.lookups = &only;
    asked.count = 1;
    asked.trace = &traced->trace;
    sch_texture_run_lookups(sch_ops_traced(), &asked, &traced->made.answer);
    explain(&traced->trace, view->descriptor.samples, &traced->made);
    sch_sized_write(explanation, &traced->made, sizeof traced->made);
    sch_api_free(view->context, traced);
    return SCH_OK;
}
