/* Merging of colours with the keys of abi/merges.def, each compiled by itself: what the key decides folds. Holds no
 * arithmetic: ops/raster/merge.h. */
#ifndef SCH_FOLD
#define SCH_FOLD
#endif
#include "ops/raster/merge.h"

#define MERGE(kind, name, way, written, s, d, alpha_s, alpha_d)                                                        \
    static const struct sch_color_key merge_key_##kind##_##name = {.format = SCH_FORMAT_##kind,                        \
                                                                   .mode = SCH_MERGE_##way,                            \
                                                                   .color_mask = written,                              \
                                                                   .color_source = s,                                  \
                                                                   .color_destination = d,                             \
                                                                   .alpha_source = alpha_s,                            \
                                                                   .alpha_destination = alpha_d,                       \
                                                                   .reads = SCH_MERGE_##way == SCH_MERGE_BLEND};
#define MERGE_ANY(kind, written)
#include "abi/merges.def"
#undef MERGE
#undef MERGE_ANY

/* What is constant of a key of MERGE_ANY. What a destination that need not be read is multiplied by is 0. */
OPS_INLINE void merge_any(enum sch_format format, unsigned color_mask, const struct sch_color_key *key,
                          const struct sch_color_values *values, const struct sch_lanes source[4], uint32_t mask,
                          struct sch_lanes *word)
{
    const struct sch_color_key known = {.format = (uint16_t)format,
                                        .mode = SCH_MERGE_BLEND,
                                        .color_mask = (uint8_t)color_mask,
                                        .color_equation = key->color_equation,
                                        .alpha_equation = key->alpha_equation,
                                        .color_source = key->color_source,
                                        .color_destination = key->color_destination,
                                        .alpha_source = key->alpha_source,
                                        .alpha_destination = key->alpha_destination,
                                        .reads = true};
    merge_group(&known, &tex_formats[format], values, source, NULL, mask, word);
}

void OPS_LOCAL(merge_constant)(const struct sch_color_key *key, const struct sch_color_values *values,
                               const struct sch_lanes source[4], uint32_t mask, struct sch_lanes *word);
void OPS_LOCAL(merge_constant)(const struct sch_color_key *key, const struct sch_color_values *values,
                               const struct sch_lanes source[4], uint32_t mask, struct sch_lanes *word)
{
    switch (key->constant) {
#define MERGE(kind, name, ...)                                                                                         \
    case SCH_MERGE_CONSTANT_##kind##_##name:                                                                           \
        merge_group(&merge_key_##kind##_##name, &tex_formats[SCH_FORMAT_##kind], values, source, NULL, mask, word);    \
        break;
#define MERGE_ANY(kind, written)                                                                                       \
    case SCH_MERGE_CONSTANT_##kind##_ANY:                                                                              \
        merge_any(SCH_FORMAT_##kind, written, key, values, source, mask, word);                                        \
        break;
#include "abi/merges.def"
#undef MERGE
#undef MERGE_ANY
    default:
        break;
    }
}
