/* An explanation of a lookup, whole: its info and texels in one struct. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include <scheelite/scheelite.h>

enum { EXPLAINED_TEXELS = 512 };

struct explained {
    struct sch_explanation_info info;
    struct sch_footprint_texel texels[EXPLAINED_TEXELS];
};

static inline enum sch_result explain(struct sch_context *context, const struct sch_view *view,
                                      const struct sch_sampler *sampler, const struct sch_lookup *lookup,
                                      struct explained *why)
{
    struct sch_explanation *explanation;
    enum sch_result result = sch_lookup_explain(context, view, sampler, lookup, &explanation);
    if (result != SCH_OK) return explanation ? SCH_ERROR_INTERNAL : result;
    why->info.size = sizeof why->info;
    result = sch_explanation_get_info(explanation, &why->info);
    for (uint32_t i = 0; i < why->info.texel_count && i < EXPLAINED_TEXELS; i++) {
        why->texels[i].size = sizeof why->texels[i];
        if (!sch_explanation_texel(explanation, i, &why->texels[i])) result = SCH_ERROR_INTERNAL;
    }
    sch_explanation_destroy(explanation);
    return result;
}

#endif
