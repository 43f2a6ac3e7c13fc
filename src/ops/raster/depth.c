/* The test of depth alone in texels of one word: in one step what ops/raster/attribute.c, target.c and depth_stencil.h
 * do one after the other, since most draws test nothing else. Holds no arithmetic of its own. */
#ifndef SCH_FOLD
#define SCH_FOLD /* loops over vectors are unrolled */
#endif
#include "ops/raster/depth.h"
#include "ops/raster/attribute.h"
#include "ops/raster/target.h"

OPS_INLINE uint32_t depth_test_vectors(const struct sch_depth_stencil_key *key, const struct tex_channel *channel,
                                       const struct sch_quads *quads, const struct attribute_edges *edges, bool same,
                                       uint32_t mask, struct sch_lanes *word)
{
    const unsigned shift = channel->offset & 31;
    const uint32_t bits = UINT32_MAX >> (32u - channel->bits);
    uint32_t passed = 0;
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vhalf64 low = attribute_depth(edges, quads, 2 * v, same);
        const vhalf64 high = attribute_depth(edges, quads, 2 * v + 1, same);
        const vf64 z = __builtin_shufflevector(low, high, V_COUNT);
        const vu32 code = depth_code(channel, key->single, z, ATTRIBUTE_F32(depth_min), ATTRIBUTE_F32(depth_max));
        const vu32 before = ops_load_U(word, v);
        const vi32 passes = v_mask_from_bits(mask >> (v * SCH_LANES)) &
                            depth_compare(channel, key->depth_function, code, before >> shift & bits);
        if (key->depth_writes)
            ops_put_U(word, v, v_select_u32(passes, (before & ~(bits << shift)) | code << shift, before));
        passed |= v_mask_bits(passes) << (v * SCH_LANES);
    }
    return passed;
}

OPS_INLINE uint32_t depth_test_group(const struct sch_depth_stencil_key *key, const struct sch_quads *quads,
                                     const struct sch_lane_places *places, bool same, uint32_t mask,
                                     struct sch_lanes *word)
{
    const struct tex_format *format = &tex_formats[key->format];
    const struct tex_channel *channel = &format->channel[format->component[0]];
    struct attribute_edges edges;
    attribute_edges(&edges, quads, places, same);
    return depth_test_vectors(key, channel, quads, &edges, same, mask, word);
}

/* See raster.def. */
uint32_t OPS_LOCAL(test_depth)(const struct sch_depth_stencil_key *key, const struct sch_draw_target *target,
                               const struct sch_quads *quads, const struct sch_lane_places *places, uint32_t sample,
                               uint32_t mask);
uint32_t OPS_LOCAL(test_depth)(const struct sch_depth_stencil_key *key, const struct sch_draw_target *target,
                               const struct sch_quads *quads, const struct sch_lane_places *places, uint32_t sample,
                               uint32_t mask)
{
    struct sch_lanes word;
    uint32_t passed;
    target_load(target, sizeof(uint32_t), quads, sample, mask, &word);
    if (quads->same)
        passed = depth_test_group(key, quads, places, true, mask, &word);
    else
        passed = depth_test_group(key, quads, places, false, mask, &word);
    if (key->depth_writes && passed) target_store(target, sizeof(uint32_t), quads, sample, passed, true, &word);
    return passed;
}
