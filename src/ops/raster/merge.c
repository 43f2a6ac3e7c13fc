/* Merging of colours with any key, and with those that have code of their own (abi/merges.def). Holds no arithmetic:
 * ops/raster/merge.h. */
#include "ops/raster/merge.h"

void OPS_LOCAL(merge_constant)(const struct sch_color_key *key, const struct sch_color_values *values,
                               const struct sch_lanes source[4], uint32_t mask, struct sch_lanes *word);

void OPS_LOCAL(merge_color)(const struct sch_color_key *key, const struct sch_color_values *values,
                            const struct sch_lanes source[4], const struct sch_lanes *second, uint32_t mask,
                            struct sch_lanes word[SCH_TEXEL_WORDS]);
void OPS_LOCAL(merge_color)(const struct sch_color_key *key, const struct sch_color_values *values,
                            const struct sch_lanes source[4], const struct sch_lanes *second, uint32_t mask,
                            struct sch_lanes word[SCH_TEXEL_WORDS])
{
    if (!key->color_mask) return;
    if (key->constant)
        OPS_LOCAL(merge_constant)(key, values, source, mask, word);
    else
        merge_group(key, &tex_formats[key->format], values, source, second, mask, word);
}
