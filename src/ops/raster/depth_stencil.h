/* The tests of depth bounds, stencil and depth of a group, with what they write. docs/pipeline.md, "Depth and stencil".
 * Holds no loads or stores of the buffer. */
#ifndef SCH_OPS_RASTER_DEPTH_STENCIL_H
#define SCH_OPS_RASTER_DEPTH_STENCIL_H

#include "ops/raster/depth.h"

/* Bounds are compared as they would be stored (EXT_depth_bounds_test, "At what precision"). */
OPS_INLINE vi32 depth_in_bounds(const struct tex_channel *channel, float min, float max, vu32 stored)
{
    const vf32 zero = v_splat_f32(0.0f), one = v_splat_f32(1.0f);
    vu32 low = depth_code(channel, false, v_splat_f64(min), zero, one);
    vu32 high = depth_code(channel, false, v_splat_f64(max), zero, one);
    return depth_compare(channel, SCH_COMPARE_GEQUAL, stored, low) &
           depth_compare(channel, SCH_COMPARE_LEQUAL, stored, high);
}

/* The stencil value that an operation makes of one between 0 and 255 (OpenGL 17.3.3). */
OPS_INLINE vu32 stencil_after(unsigned operation, vu32 stored, vu32 reference)
{
    switch (operation) {
    case SCH_STENCIL_ZERO:
        return v_splat_u32(0);
    case SCH_STENCIL_REPLACE:
        return reference;
    case SCH_STENCIL_INCREMENT:
        return v_min_u32(stored + 1u, v_splat_u32(255));
    case SCH_STENCIL_DECREMENT:
        return stored - ((vu32)(stored != 0u) & 1u);
    case SCH_STENCIL_INCREMENT_WRAP:
        return (stored + 1u) & 255u;
    case SCH_STENCIL_DECREMENT_WRAP:
        return (stored - 1u) & 255u;
    case SCH_STENCIL_INVERT:
        return stored ^ 255u;
    default: /* KEEP */
        return stored;
    }
}

/* What a face decides: which lanes pass the stencil test; and what it writes, given which of them pass depth. */
OPS_INLINE vi32 stencil_passes(const struct sch_stencil_face *face, vu32 reference, vu32 stored)
{
    if (!face->enabled) return v_splat_i32(-1);
    return raster_compare_u32(face->function, reference & face->value_mask, stored & face->value_mask);
}

OPS_INLINE vu32 stencil_written(const struct sch_stencil_face *face, vu32 reference, vu32 stored, vi32 passes,
                                vi32 depth)
{
    if (!face->enabled) return stored;
    vu32 after = v_select_u32(depth, stencil_after(face->pass, stored, reference),
                              stencil_after(face->depth_fail, stored, reference));
    after = v_select_u32(passes, after, stencil_after(face->fail, stored, reference));
    return (after & face->write_mask) | (stored & ~(uint32_t)face->write_mask);
}

/* ---- groups ---- */

/* A vector of fragments: lanes on the mask, of back faces; their depth, and their references by face. */
struct output_vector {
    vi32 mask, back;
    vu32 code, reference[2];
};

/* Lanes that passed all, and that failed by these. */
struct output_lanes {
    vi32 passed, bounds, stencil, depth;
};

/* The lanes of both faces together. */
OPS_INLINE vi32 output_stencil_passes(const struct sch_depth_stencil_key *key, const struct output_vector *o,
                                      vu32 stored)
{
    vi32 front = stencil_passes(&key->stencil[0], o->reference[0], stored);
    if (!key->two_sided) return front;
    return v_select_i32(o->back, stencil_passes(&key->stencil[1], o->reference[1], stored), front);
}

OPS_INLINE vu32 output_stencil_written(const struct sch_depth_stencil_key *key, const struct output_vector *o,
                                       vu32 stored, vi32 passes, vi32 depth)
{
    vu32 front = stencil_written(&key->stencil[0], o->reference[0], stored, passes, depth);
    if (!key->two_sided) return front;
    return v_select_u32(o->back, stencil_written(&key->stencil[1], o->reference[1], stored, passes, depth), front);
}

/* Puts codes where a channel is. */
OPS_INLINE void output_put(const struct tex_channel *channel, vu32 code, vi32 lanes, struct tex_raw *raw)
{
    vu32 *word = &raw->word[channel->offset / 32 & 1];
    const unsigned shift = channel->offset & 31;
    const uint32_t bits = UINT32_MAX >> (32u - channel->bits) << shift;
    *word = v_select_u32(lanes, (*word & ~bits) | code << shift, *word);
}

/* That channel is not read if the format has no depth or no stencil. `more`: the key has stencil or bounds. */
OPS_INLINE struct output_lanes output_test(const struct sch_depth_stencil_key *key, const struct tex_format *format,
                                           bool more, const struct output_vector *o, struct tex_raw *raw)
{
    const unsigned z = format->component[0] & 3, s = format->component[1] & 3;
    const bool stencils = more && (key->stencil[0].enabled || key->two_sided);
    const vi32 none = v_splat_i32(0), all = v_splat_i32(-1);
    struct output_lanes lanes = {none, none, none, none};
    vu32 stored_z = v_splat_u32(0), stored_s = stored_z;
    if (key->depth_test || key->depth_bounds) stored_z = tex_channel_bits(format, raw, z, none);
    if (stencils) stored_s = tex_channel_bits(format, raw, s, none);

    vi32 live = o->mask, passes = all, depth = all;
    if (more && key->depth_bounds)
        live &= depth_in_bounds(&format->channel[z], key->bounds_min, key->bounds_max, stored_z);
    if (stencils) passes = output_stencil_passes(key, o, stored_s);
    if (key->depth_test) depth = depth_compare(&format->channel[z], key->depth_function, o->code, stored_z);
    lanes.bounds = o->mask & ~live;
    lanes.stencil = live & ~passes;
    lanes.depth = live & passes & ~depth;
    lanes.passed = live & passes & depth;

    if (stencils) output_put(&format->channel[s], output_stencil_written(key, o, stored_s, passes, depth), live, raw);
    if (key->depth_test && key->depth_writes) output_put(&format->channel[z], o->code, lanes.passed, raw);
    return lanes;
}

OPS_INLINE struct sch_output_tests output_test_group(const struct sch_depth_stencil_key *key, bool more,
                                                     const struct sch_depth_stencil_values *values, uint32_t mask,
                                                     uint32_t back, const struct sch_lanes *code,
                                                     const struct sch_lanes *reference, struct sch_lanes *word)
{
    const struct tex_format *format = &tex_formats[key->format];
    const unsigned words = format->bytes > 4 ? SCH_DEPTH_WORDS : 1;
    struct sch_output_tests tests = {0, 0, 0, 0};
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct output_vector o = {.mask = v_mask_from_bits(mask >> (v * SCH_LANES)),
                                  .back = v_mask_from_bits(back >> (v * SCH_LANES)),
                                  .code = ops_load_U(code, v)};
        OPS_UNROLL
        for (unsigned f = 0; f < 2; f++)
            o.reference[f] = reference ? ops_load_U(reference, v) & 255u : v_splat_u32(values->reference[f]);
        struct tex_raw raw;
        OPS_UNROLL
        for (unsigned w = 0; w < SCH_DEPTH_WORDS; w++)
            if (w < words) raw.word[w] = ops_load_U(&word[w], v);
        struct output_lanes lanes = output_test(key, format, more, &o, &raw);
        OPS_UNROLL
        for (unsigned w = 0; w < SCH_DEPTH_WORDS; w++)
            if (w < words) ops_put_U(&word[w], v, raw.word[w]);
        tests.passed |= v_mask_bits(lanes.passed) << (v * SCH_LANES);
        tests.failed_depth |= v_mask_bits(lanes.depth) << (v * SCH_LANES);
        if (!more) continue;
        tests.failed_bounds |= v_mask_bits(lanes.bounds) << (v * SCH_LANES);
        tests.failed_stencil |= v_mask_bits(lanes.stencil) << (v * SCH_LANES);
    }
    return tests;
}

#endif
