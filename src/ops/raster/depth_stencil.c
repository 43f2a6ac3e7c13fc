/* Depth and stencil of fragments, step by step: depth as it is stored, and the tests. Holds no arithmetic
 * (ops/raster/depth_stencil.h). */
#include "ops/raster/depth_stencil.h"

void OPS_LOCAL(encode_depth)(const struct sch_depth_stencil_key *key, const struct sch_double_lanes *depth,
                             const struct sch_lanes *min, const struct sch_lanes *max, struct sch_lanes *code);
void OPS_LOCAL(encode_depth)(const struct sch_depth_stencil_key *key, const struct sch_double_lanes *depth,
                             const struct sch_lanes *min, const struct sch_lanes *max, struct sch_lanes *code)
{
    const struct tex_format *row = &tex_formats[key->format];
    if (!(row->flags & TEX_DEPTH)) {
        for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_U(code, v, v_splat_u32(0));
        return;
    }
    const struct tex_channel *channel = &row->channel[row->component[0]];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf64 z = *(const v_mem_f64 *)(const void *)(depth->d + v * SCH_LANES);
        ops_put_U(code, v, depth_code(channel, key->single, z, ops_load_F(min, v), ops_load_F(max, v)));
    }
}

/* See raster.def. */
void OPS_LOCAL(write_depth)(struct sch_double_lanes *depth, const struct sch_lanes *written, uint32_t layout);
void OPS_LOCAL(write_depth)(struct sch_double_lanes *depth, const struct sch_lanes *written, uint32_t layout)
{
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        v_mem_f64 *to = (v_mem_f64 *)(void *)(depth->d + v * SCH_LANES);
        *to = depth_written(layout, *to, v_f64_from_f32(ops_load_F(written, v)));
    }
}

struct sch_output_tests OPS_LOCAL(test_depth_stencil)(const struct sch_depth_stencil_key *key,
                                                      const struct sch_depth_stencil_values *values, uint32_t mask,
                                                      uint32_t back, const struct sch_lanes *code,
                                                      const struct sch_lanes *reference,
                                                      struct sch_lanes word[SCH_DEPTH_WORDS]);
struct sch_output_tests OPS_LOCAL(test_depth_stencil)(const struct sch_depth_stencil_key *key,
                                                      const struct sch_depth_stencil_values *values, uint32_t mask,
                                                      uint32_t back, const struct sch_lanes *code,
                                                      const struct sch_lanes *reference,
                                                      struct sch_lanes word[SCH_DEPTH_WORDS])
{
    if (key->depth_bounds || key->stencil[0].enabled || key->two_sided)
        return output_test_group(key, true, values, mask, back, code, reference, word);
    return output_test_group(key, false, values, mask, back, code, reference, word);
}
