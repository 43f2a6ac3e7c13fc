/* Moving texels of any size: ops/raster/target.h with the sizes that formats have as constants. */
#include "ops/raster/target.h"

#define TARGET_SIZE(move, bytes)                                                                                       \
    case bytes:                                                                                                        \
        move(target, bytes, quads, sample, lanes, word);                                                               \
        break;
#define TARGET_EACH_SIZE(move)                                                                                         \
    switch (target->texel_bytes) {                                                                                     \
        TARGET_SIZE(move, 1)                                                                                           \
        TARGET_SIZE(move, 2)                                                                                           \
        TARGET_SIZE(move, 3)                                                                                           \
        TARGET_SIZE(move, 4)                                                                                           \
        TARGET_SIZE(move, 6)                                                                                           \
        TARGET_SIZE(move, 8)                                                                                           \
        TARGET_SIZE(move, 12)                                                                                          \
        TARGET_SIZE(move, 16)                                                                                          \
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
#define STORE(target, bytes, quads, sample, lanes, word) target_store(target, bytes, quads, sample, lanes, false, word)
    TARGET_EACH_SIZE(STORE)
#undef STORE
}
