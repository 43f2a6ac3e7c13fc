/* Values at places, whatever the quads of a group are of. Holds no arithmetic of values: ops/raster/attribute.h. */
#ifndef SCH_FOLD
#define SCH_FOLD /* loops over vectors are unrolled */
#endif
#include "ops/raster/attribute.h"

/* See raster.def. */
void OPS_LOCAL(places)(struct sch_lane_places *places, const struct sch_quads *quads, int32_t x, int32_t y);
void OPS_LOCAL(places)(struct sch_lane_places *places, const struct sch_quads *quads OPS_UNUSED, int32_t x, int32_t y)
{
    places->uniform = true;
    places->offset[0] = x;
    places->offset[1] = y;
}

/* See raster.def. */
void OPS_LOCAL(places_sample)(struct sch_lane_places *places, const struct sch_quads *quads, const uint8_t *sample,
                              const struct sch_sample_pattern *pattern);
void OPS_LOCAL(places_sample)(struct sch_lane_places *places, const struct sch_quads *quads, const uint8_t *sample,
                              const struct sch_sample_pattern *pattern)
{
    int32_t x[SCH_GROUP_QUADS], y[SCH_GROUP_QUADS];
    bool same = true;
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        same &= sample[q] == sample[0];
        x[q] = pattern->x[sample[q]];
        y[q] = pattern->y[sample[q]];
    }
    places->uniform = same;
    places->offset[0] = *x; /* of all, if all are the same */
    places->offset[1] = *y;
    for (unsigned v = 0; v < OPS_VECTORS && !same; v++) {
        ops_put_I(&places->x, v, attribute_center_x(quads, v) + attribute_of_quads_i32(x, v));
        ops_put_I(&places->y, v, attribute_center_y(quads, v) + attribute_of_quads_i32(y, v));
    }
}

/* See raster.def. D3D 3.5.5: the centre where all samples are covered; else the first one that is covered and in the
 * sample mask; where there is none, the first one of the sample mask, or the centre if the mask has all. */
void OPS_LOCAL(places_centroid)(struct sch_lane_places *places, const struct sch_quads *quads, const uint32_t *masks,
                                uint32_t sample_mask, const struct sch_sample_pattern *pattern);
void OPS_LOCAL(places_centroid)(struct sch_lane_places *places, const struct sch_quads *quads, const uint32_t *masks,
                                uint32_t sample_mask, const struct sch_sample_pattern *pattern)
{
    const uint32_t samples = (UINT32_C(2) << (pattern->samples - 1)) - 1;
    uint32_t all = UINT32_MAX, first = 0;
    for (uint32_t s = 0; s < pattern->samples; s++) all &= masks[s];
    sample_mask &= samples;
    while (sample_mask != samples && sample_mask >> first && !(sample_mask >> first & 1)) first++;
    places->uniform = false;
    const bool centered = sample_mask == samples || !sample_mask;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 x = v_splat_i32(centered ? 0 : pattern->x[first]), y = v_splat_i32(centered ? 0 : pattern->y[first]);
        for (uint32_t s = pattern->samples; s-- > 0;) {
            if (!(sample_mask >> s & 1)) continue;
            const vi32 covered = v_mask_from_bits(masks[s] >> (v * SCH_LANES));
            x = v_select_i32(covered, v_splat_i32(pattern->x[s]), x);
            y = v_select_i32(covered, v_splat_i32(pattern->y[s]), y);
        }
        const vi32 partial = ~v_mask_from_bits(all >> (v * SCH_LANES));
        ops_put_I(&places->x, v, attribute_center_x(quads, v) + (x & partial));
        ops_put_I(&places->y, v, attribute_center_y(quads, v) + (y & partial));
    }
}

/* See raster.def. */
void OPS_LOCAL(places_offset)(struct sch_lane_places *places, const struct sch_quads *quads, const struct sch_lanes *x,
                              const struct sch_lanes *y);
void OPS_LOCAL(places_offset)(struct sch_lane_places *places, const struct sch_quads *quads, const struct sch_lanes *x,
                              const struct sch_lanes *y)
{
    places->uniform = false;
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        ops_put_I(&places->x, v, attribute_center_x(quads, v) + attribute_offset(ops_load_F(x, v)));
        ops_put_I(&places->y, v, attribute_center_y(quads, v) + attribute_offset(ops_load_F(y, v)));
    }
}

/* See raster.def. Exact: sub-pixels in a pixel have few digits. */
void OPS_LOCAL(offsets)(struct sch_lanes offset[2], float centre, const struct sch_quads *quads,
                        const struct sch_lane_places *places);
void OPS_LOCAL(offsets)(struct sch_lanes offset[2], float centre, const struct sch_quads *quads,
                        const struct sch_lane_places *places)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vi32 x = attribute_place_x(quads, places, v) - attribute_center_x(quads, v);
        const vi32 y = attribute_place_y(quads, places, v) - attribute_center_y(quads, v);
        ops_put_F(&offset[0], v, v_f32_from_i32(x) * (1.0f / SCH_SUBPIXELS) + centre);
        ops_put_F(&offset[1], v, v_f32_from_i32(y) * (1.0f / SCH_SUBPIXELS) + centre);
    }
}

/* See raster.def. */
void OPS_LOCAL(weights)(struct sch_weights *perspective, struct sch_weights *linear, const struct sch_quads *quads,
                        const struct sch_lane_places *places);
void OPS_LOCAL(weights)(struct sch_weights *perspective, struct sch_weights *linear, const struct sch_quads *quads,
                        const struct sch_lane_places *places)
{
    struct attribute_edges edges;
    if (quads->same) {
        attribute_edges(&edges, quads, places, true);
        attribute_same_weights(perspective, linear, quads, &edges, NULL);
    } else {
        attribute_edges(&edges, quads, places, false);
        attribute_weights(perspective, linear, quads, &edges, false, NULL);
    }
}

/* See raster.def. */
void OPS_LOCAL(attributes)(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                           const struct sch_quads *quads, unsigned word);
void OPS_LOCAL(attributes)(struct sch_lanes dst[4], unsigned mask, const struct sch_weights *weights,
                           const struct sch_quads *quads, unsigned word)
{
    if (quads->same)
        attribute_channels(dst, mask, weights, quads, word, true);
    else
        attribute_channels(dst, mask, weights, quads, word, false);
}

/* See raster.def. */
void OPS_LOCAL(constants)(struct sch_lanes dst[4], unsigned mask, const struct sch_quads *quads, unsigned word);
void OPS_LOCAL(constants)(struct sch_lanes dst[4], unsigned mask, const struct sch_quads *quads, unsigned word)
{
    if (quads->same)
        attribute_constants(dst, mask, quads, word, true);
    else
        attribute_constants(dst, mask, quads, word, false);
}

/* See raster.def. */
void OPS_LOCAL(depth)(struct sch_double_lanes *z, const struct sch_quads *quads, const struct sch_lane_places *places);
void OPS_LOCAL(depth)(struct sch_double_lanes *z, const struct sch_quads *quads, const struct sch_lane_places *places)
{
    if (quads->same)
        attribute_depths(z, quads, places, true);
    else
        attribute_depths(z, quads, places, false);
}

/* See raster.def. */
void OPS_LOCAL(depth_range)(struct sch_lanes *min, struct sch_lanes *max, const struct sch_quads *quads);
void OPS_LOCAL(depth_range)(struct sch_lanes *min, struct sch_lanes *max, const struct sch_quads *quads)
{
    const bool same = quads->same;
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        ops_put_F(min, v, ATTRIBUTE_F32(depth_min));
        ops_put_F(max, v, ATTRIBUTE_F32(depth_max));
    }
}

/* See raster.def. */
void OPS_LOCAL(position)(struct sch_lanes dst[4], unsigned mask, const struct sch_position_key *key,
                         const struct sch_quads *quads, const struct sch_lane_places *places);
void OPS_LOCAL(position)(struct sch_lanes dst[4], unsigned mask, const struct sch_position_key *key,
                         const struct sch_quads *quads, const struct sch_lane_places *places)
{
    struct attribute_edges edges;
    if (quads->same) {
        if (mask & 12) attribute_edges(&edges, quads, places, true);
        attribute_position(dst, mask, key, quads, places, &edges, true);
    } else {
        if (mask & 12) attribute_edges(&edges, quads, places, false);
        attribute_position(dst, mask, key, quads, places, &edges, false);
    }
}
