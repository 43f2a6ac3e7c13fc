/* Moving texels of any size: ops/raster/target.h with the sizes that most formats have as constants. */
#include "ops/raster/target.h"

#define TARGET_EACH_SIZE(move)                                                                                         \
    switch (target->texel_bytes) {                                                                                     \
    case 1:                                                                                                            \
        move(target, 1, quads, sample, lanes, word);                                                                   \
        break;                                                                                                         \
    case 2:                                                                                                            \
        move(target, 2, quads, sample, lanes, word);                                                                   \
        break;                                                                                                         \
    case 4:                                                                                                            \
        move(target, 4, quads, sample, lanes, word);                                                                   \
        break;                                                                                                         \
    case 8:                                                                                                            \
        move(target, 8, quads, sample, lanes, word);                                                                   \
        break;                                                                                                         \
    case 16:                                                                                                           \
        move(target, 16, quads, sample, lanes, word);                                                                  \
        break;                                                                                                         \
    default:                                                                                                           \
        move(target, target->texel_bytes, quads, sample, lanes, word);                                                 \
    }

/* See raster.def. */
void OPS_LOCAL(load_texels)(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                            uint32_t lanes, struct sch_lanes *word);
void OPS_LOCAL(load_texels)(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                            uint32_t lanes, struct sch_lanes *word)
{
    TARGET_EACH_SIZE(target_load)
}

/* See raster.def. */
void OPS_LOCAL(store_texels)(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                             uint32_t lanes, const struct sch_lanes *word);
void OPS_LOCAL(store_texels)(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                             uint32_t lanes, const struct sch_lanes *word)
{
    TARGET_EACH_SIZE(target_store)
}
