/* Lookups without a shader, and explanations of them, on src/texture. */
#include "api/api.h"

#include <stdio.h>
#include <string.h>

#include "ops/ops.h"

struct sch_explanation {
    struct sch_context *context;
    struct sch_explanation_info info;
    struct sch_footprint_texel texels[]; /* info.texel_count */
};

static bool same_kind(const struct sch_texture_lookup_kind *a, const struct sch_texture_lookup_kind *b)
{
    return a->operation == b->operation && a->component == b->component && a->compare == b->compare &&
           a->offsets == b->offsets;
}

/* The state that all lookups share; the lookups themselves come group by group. */
static struct sch_texture_lookups shared_state(const struct sch_view *view, const struct sch_sampler *sampler)
{
    struct sch_texture_lookups group = {.key = {.target = SCH_TARGET_2D}};
    if (sampler) {
        group.key = sampler->exec.key;
        group.values = &sampler->exec.values;
    }
    if (view) {
        group.texture = &view->descriptor;
        group.key.format = view->exec.format;
        group.key.target = view->exec.target;
        memcpy(group.key.swizzle, view->exec.swizzle, sizeof group.key.swizzle);
    }
    return group;
}

static bool lookup_holds(const struct sch_view *view, const struct sch_sampler *sampler,
                         const struct sch_lookup *lookup, struct sch_diagnostics *list)
{
    /* Without a view every lookup there is may be run: 2D has all of them. */
    unsigned target = view ? view->exec.target : (unsigned)SCH_TARGET_2D;
    const struct sch_texture_lookup_kind kind = sch_texture_kind_of_lookup(lookup);
    return sch_texture_check_lookup(sampler && view ? &sampler->exec.key : NULL, target, &kind, list);
}

/* Lookup i of an array whose elements are as long as the first one says: a newer program's may be longer. */
static const struct sch_lookup *lookup_at(const struct sch_lookup *lookups, uint32_t i)
{
    return (const struct sch_lookup *)((const char *)lookups + (size_t)i * lookups->size);
}

/* Whether lookup i is right; `list` NULL: without a word. */
static bool one_holds(const struct sch_view *view, const struct sch_sampler *sampler, const struct sch_lookup *lookups,
                      uint32_t i, struct sch_diagnostics *list)
{
    struct sch_lookup lookup;
    const struct sch_lookup *given = lookup_at(lookups, i);
    if (given->size != lookups->size)
        return sch_refuse_argument(list, ".size", "a size of %zu bytes, where the first lookup has %zu", given->size,
                                   lookups->size);
    return sch_api_read_inner(list, "", &lookup, sizeof lookup, sizeof lookup, given) &&
           lookup_holds(view, sampler, &lookup, list);
}

/* There may be many lookups: words are for the one that is wrong. */
static enum sch_result check_all(struct sch_api_call *call, const struct sch_view *view,
                                 const struct sch_sampler *sampler, const struct sch_lookup *lookups, uint32_t count)
{
    if (lookups->size % _Alignof(struct sch_lookup))
        return sch_api_wrong(call, "lookups[0].size", "a size of %zu bytes, which the struct cannot have",
                             lookups->size);
    for (uint32_t i = 0; i < count; i++) {
        char whose[32];
        if (one_holds(view, sampler, lookups, i, NULL)) continue;
        snprintf(whose, sizeof whose, "lookups[%u]", i);
        call->refusal.whose = whose;
        one_holds(view, sampler, lookups, i, call->list);
        return sch_api_refused(call);
    }
    return SCH_OK;
}

/* Takes lookups of one kind, which were checked, at most a group and `count`; the number of those taken. */
static uint32_t take_group(const struct sch_lookup *lookups, uint32_t first, uint32_t count,
                           struct sch_texture_lookup_kind *kind, struct sch_lookup *group)
{
    uint32_t taken = 0;
    for (; taken < count && taken < SCH_GROUP_LANES; taken++) {
        sch_sized_read(&group[taken], sizeof *group, sizeof *group, lookup_at(lookups, first + taken));
        const struct sch_texture_lookup_kind its = sch_texture_kind_of_lookup(&group[taken]);
        if (taken == 0) *kind = its;
        if (!same_kind(kind, &its)) break;
    }
    return taken;
}

enum sch_result sch_lookup_run(const struct sch_view *view, const struct sch_sampler *sampler,
                               const struct sch_lookup *lookups, uint32_t count, uint32_t width, uint32_t (*results)[4])
{
    struct sch_api_call call;
    const struct sch_ops *ops = sch_ops_for_width(width);
    struct sch_context *context = view ? view->context : SCH_API_CONTEXT_OF(sampler);
    sch_api_begin(&call, context, NULL, __func__, NULL);
    if (!ops) return sch_api_wrong(&call, "width", "width %u, of 4, 8 or 16", width);
    if (count == 0) return SCH_OK;
    if (!sch_api_given(&call, lookups, "lookups") || !sch_api_given(&call, results, "results"))
        return sch_api_refused(&call);
    enum sch_result status = check_all(&call, view, sampler, lookups, count);
    if (status != SCH_OK) return status;

    struct sch_texture_lookups group = shared_state(view, sampler);
    struct sch_lookup taken[SCH_GROUP_LANES];
    group.lookups = taken;
    for (uint32_t first = 0; first < count; first += group.count) {
        group.count = take_group(lookups, first, count - first, &group.kind, taken);
        sch_texture_run_lookups(ops, &group, results + first);
    }
    return SCH_OK;
}

/* ---- explanations ---- */

struct traced {
    struct sch_texture_trace trace;
    struct sch_trace_texel texels[SCH_TRACE_TEXELS];
    uint32_t result[4];
};

static void write_info(const struct sch_trace_lane *lane, const uint32_t result[4], struct sch_explanation_info *info)
{
    memcpy(info->result, result, sizeof info->result);
    info->face = lane->face;
    info->layer = lane->layer;
    memcpy(info->ddx, lane->ddx, sizeof info->ddx);
    memcpy(info->ddy, lane->ddy, sizeof info->ddy);
    info->lod_computed = lane->lod_computed;
    info->lod_biased = lane->lod_biased;
    info->lod = lane->lod;
    info->magnified = lane->magnified;
    info->taps = lane->taps;
    memcpy(info->level, lane->level, sizeof info->level);
    info->level_weight = lane->level_weight;
}

/* A layer of the view has `samples` slices. */
static void write_texel(const struct sch_trace_texel *from, uint32_t samples, struct sch_footprint_texel *to)
{
    to->level = from->level;
    to->tap = from->tap;
    to->x = from->x;
    to->y = from->y;
    to->z = from->z / samples;
    to->sample = from->z % samples;
    to->border = from->border;
    to->weight = from->weight;
    memcpy(to->value, from->value, sizeof to->value);
}

struct sch_explanation *sch_api_explain_lane(struct sch_context *context, const struct sch_texture_trace *trace,
                                             uint32_t lane, const uint32_t result[4], uint32_t samples)
{
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < trace->texel_count; i++) count += trace->texels[i].lane == lane;
    struct sch_explanation *made = sch_api_alloc(context, sizeof *made + count * sizeof *made->texels);
    if (!made) return NULL;
    made->context = context;
    write_info(&trace->lane[lane], result, &made->info);
    made->info.texel_count = count;
    for (uint32_t i = 0; i < trace->texel_count; i++)
        if (trace->texels[i].lane == lane) write_texel(&trace->texels[i], samples, &made->texels[next++]);
    return made;
}

enum sch_result sch_lookup_explain(struct sch_context *context, const struct sch_view *view,
                                   const struct sch_sampler *sampler, const struct sch_lookup *lookup,
                                   struct sch_explanation **explanation)
{
    struct sch_api_call call;
    struct sch_lookup only;
    sch_api_begin(&call, context, NULL, __func__, "lookup");
    if (explanation) *explanation = NULL;
    if (!sch_api_given(&call, explanation, "explanation") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, lookup, "lookup") ||
        !sch_api_read(&call, "lookup", &only, sizeof only, sizeof only, lookup) ||
        !lookup_holds(view, sampler, &only, call.list))
        return sch_api_refused(&call);

    struct traced *traced = sch_api_alloc(context, sizeof *traced);
    if (!traced) return sch_api_no_memory(context);
    traced->trace.texel_capacity = SCH_TRACE_TEXELS;
    traced->trace.texels = traced->texels;
    traced->trace.lane[0] = (struct sch_trace_lane){.face = -1, .layer = -1};
    struct sch_texture_lookups group = shared_state(view, sampler);
    group.kind = sch_texture_kind_of_lookup(&only);
    group.lookups = &only;
    group.count = 1;
    group.trace = &traced->trace;
    sch_texture_run_lookups(sch_ops_traced(), &group, &traced->result);
    *explanation =
        sch_api_explain_lane(context, &traced->trace, 0, traced->result, view ? view->descriptor.samples : 1);
    sch_api_free(context, traced);
    return *explanation ? SCH_OK : sch_api_no_memory(context);
}

void sch_explanation_destroy(struct sch_explanation *explanation)
{
    if (explanation) sch_api_free(explanation->context, explanation);
}

enum sch_result sch_explanation_get_info(const struct sch_explanation *explanation, struct sch_explanation_info *info)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(explanation), NULL, __func__, NULL);
    if (!sch_api_given(&call, explanation, "explanation") || !SCH_API_FILLS(&call, info, sizeof *info))
        return sch_api_refused(&call);
    sch_sized_write(info, &explanation->info, sizeof explanation->info);
    return SCH_OK;
}

bool sch_explanation_texel(const struct sch_explanation *explanation, uint32_t position,
                           struct sch_footprint_texel *texel)
{
    if (!explanation || !texel || !sch_sized_fits(texel->size, sizeof *texel)) return false;
    if (position >= explanation->info.texel_count) return false;
    sch_sized_write(texel, &explanation->texels[position], sizeof *texel);
    return true;
}
