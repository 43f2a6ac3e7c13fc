/* Texels of 8 quads between a colour or depth buffer and the lanes of a group, as words. Holds no meaning of texels
 * (src/ops/raster). */
#ifndef SCH_PIPELINE_TARGET_H
#define SCH_PIPELINE_TARGET_H

#include "pipeline/draw.h"

/* Where the pixels of a quad are: its upper left one in sample 0, and which lanes are pixels of the target. */
struct sch_target_quad {
    uint8_t *texels;
    uint8_t inside; /* bits */
};
struct sch_target_quad sch_target_quad(const struct sch_draw_target *target, uint32_t x, uint32_t y, uint32_t layer);

/* word[w]: word w of each lane's texel; texels of one or two bytes are in the low bits of word 0. Reads nothing of
 * quads without a lane in `lanes`, nor outside of the target; such lanes are undefined. */
void sch_target_load(const struct sch_draw_target *target, const struct sch_target_quad quads[SCH_GROUP_QUADS],
                     uint32_t sample, uint32_t lanes, struct sch_lanes *word);
/* Writes the texels of the lanes. */
void sch_target_store(const struct sch_draw_target *target, const struct sch_target_quad quads[SCH_GROUP_QUADS],
                      uint32_t sample, uint32_t lanes, const struct sch_lanes *word);

#endif
