/* Depth and stencil of fragments: depth as it is stored, and the tests of depth bounds, stencil and depth with what
 * they write. docs/pipeline.md, "Depth and stencil". Holds no loads or stores of the buffer. */
#include "ops/raster/compare.h"
#include "ops/texture/decode.h"

/* The code of a depth between 0 and 1 in `bits` bits: z * (2^bits - 1) to the nearest, ties to even. z * 2^bits is
 * exact, and the difference rounded to odd keeps what the second rounding must see; the sum with 1.5 * 2^52 has the
 * integer in its low bits. */
OPS_INLINE vu32 depth_unorm_code(vf64 z, unsigned bits)
{
    z = v_select_f64((vi64)(z > 0.0), z, v_splat_f64(0.0));
    z = v_select_f64((vi64)(z < 1.0), z, v_splat_f64(1.0));
    vf64 high = z * (double)((uint64_t)1 << bits), product = high - z;
    vf64 scaled = v_round_odd(product, v_two_sum_error(high, v_neg_f64(z), product));
    return v_lo_u64((vu64)(scaled + 0x1.8p52));
}

/* min(max, max(min, z)), where a NaN is `min` (Direct3D 11.3 17.10, 3.1.3.3), rounded to the channel; -0 is stored as
 * 0. */
OPS_INLINE vu32 depth_code(const struct tex_channel *channel, vf64 z, vf32 min, vf32 max)
{
    vf64 low = v_f64_from_f32(min), high = v_f64_from_f32(max);
    z = v_select_f64((vi64)(z > low), z, low);
    z = v_select_f64((vi64)(z < high), z, high);
    if (channel->type == TEX_FLOAT) return v_as_u32(v_f32_from_f64(z) + 0.0f);
    return depth_unorm_code(z, channel->bits);
}

void OPS_LOCAL(encode_depth)(uint32_t format, const struct sch_double_lanes *depth, const struct sch_lanes *min,
                             const struct sch_lanes *max, struct sch_lanes *code);
void OPS_LOCAL(encode_depth)(uint32_t format, const struct sch_double_lanes *depth, const struct sch_lanes *min,
                             const struct sch_lanes *max, struct sch_lanes *code)
{
    const struct tex_format *row = &tex_formats[format];
    if (!(row->flags & TEX_DEPTH)) {
        for (unsigned v = 0; v < OPS_VECTORS; v++) ops_store_U(code, v, 0, v_splat_u32(0));
        return;
    }
    const struct tex_channel *channel = &row->channel[row->component[0]];
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vf64 z = *(const v_mem_f64 *)(const void *)(depth->d + v * SCH_LANES);
        ops_store_U(code, v, 0, depth_code(channel, z, ops_load_F(min, v), ops_load_F(max, v)));
    }
}

/* Codes compare as integers, floats as floats. */
OPS_INLINE vi32 depth_compare(const struct tex_channel *channel, unsigned function, vu32 fragment, vu32 stored)
{
    if (channel->type == TEX_FLOAT) return raster_compare_f32(function, (vf32)fragment, (vf32)stored);
    return raster_compare_u32(function, fragment, stored);
}

/* Bounds are compared as they would be stored (EXT_depth_bounds_test, "At what precision"). */
OPS_INLINE vi32 depth_in_bounds(const struct tex_channel *channel, float min, float max, vu32 stored)
{
    const vf32 zero = v_splat_f32(0.0f), one = v_splat_f32(1.0f);
    vu32 low = depth_code(channel, v_splat_f64(min), zero, one);
    vu32 high = depth_code(channel, v_splat_f64(max), zero, one);
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

OPS_INLINE vi32 stencil_passes(const struct sch_stencil_face *face, vu32 reference, vu32 stored)
{
    if (!face->enabled) return v_splat_i32(-1);
    return raster_compare_u32(face->function, reference & face->value_mask, stored & face->value_mask);
}

/* What a face writes, given which lanes passed the stencil test and which the depth test, too. */
OPS_INLINE vu32 stencil_written(const struct sch_stencil_face *face, vu32 reference, vu32 stored, vi32 stencil,
                                vi32 depth)
{
    if (!face->enabled) return stored;
    vu32 after = v_select_u32(depth, stencil_after(face->pass, stored, reference),
                              stencil_after(face->depth_fail, stored, reference));
    after = v_select_u32(stencil, after, stencil_after(face->fail, stored, reference));
    return (after & face->write_mask) | (stored & ~(uint32_t)face->write_mask);
}

/* What a vector of lanes goes through. */
struct output_vector {
    vi32 mask, back;
    vu32 code, reference;                /* of the fragments */
    vi32 passed, bounds, stencil, depth; /* lanes that passed all, and that failed by these */
};

/* Puts codes where a channel of 32 bits or less is. */
OPS_INLINE void output_put(const struct tex_channel *channel, vu32 code, vi32 lanes, struct tex_raw *raw)
{
    vu32 *word = &raw->word[channel->offset / 32 & 1];
    uint32_t bits = UINT32_MAX >> (32u - channel->bits) << channel->offset % 32;
    *word = v_select_u32(lanes, (*word & ~bits) | code << channel->offset % 32, *word);
}

OPS_INLINE void output_test(const struct sch_depth_stencil_key *key, const struct tex_format *format,
                            struct output_vector *o, struct tex_raw *raw)
{
    /* Formats with neither have no such channel; nothing is read of it then. */
    const struct tex_channel *z = &format->channel[format->component[0] & 3];
    const struct tex_channel *s = &format->channel[format->component[1] & 3];
    const struct sch_stencil_face *front = &key->stencil[0], *back = &key->stencil[key->two_sided];
    const bool has_depth = key->depth_test || key->depth_bounds, has_stencil = front->enabled || back->enabled;
    const vi32 none = v_splat_i32(0);
    vu32 stored_z = v_splat_u32(0), stored_s = v_splat_u32(0);
    if (has_depth) stored_z = tex_channel_bits(format, raw, format->component[0] & 3, none);
    if (has_stencil) stored_s = tex_channel_bits(format, raw, format->component[1] & 3, none);

    vi32 live = o->mask;
    if (key->depth_bounds) live &= depth_in_bounds(z, key->bounds_min, key->bounds_max, stored_z);
    o->bounds = o->mask & ~live;

    vi32 stencil = v_select_i32(o->back, stencil_passes(back, o->reference, stored_s),
                                stencil_passes(front, o->reference, stored_s));
    vi32 depth = v_splat_i32(-1);
    if (key->depth_test) depth = depth_compare(z, key->depth_function, o->code, stored_z);
    o->stencil = live & ~stencil;
    o->depth = live & stencil & ~depth;
    o->passed = live & stencil & depth;

    if (has_stencil) {
        vu32 after = v_select_u32(o->back, stencil_written(back, o->reference, stored_s, stencil, depth),
                                  stencil_written(front, o->reference, stored_s, stencil, depth));
        output_put(s, after, live, raw);
    }
    if (key->depth_test && key->depth_writes) output_put(z, o->code, o->passed, raw);
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
    const struct tex_format *format = &tex_formats[key->format];
    const unsigned words = format->bytes > 4 ? 2 : 1;
    struct sch_output_tests tests = {0, 0, 0, 0};
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct output_vector o = {.mask = v_mask_from_bits(mask >> (v * SCH_LANES)),
                                  .back = v_mask_from_bits(back >> (v * SCH_LANES))};
        if (!key->two_sided) o.back = v_splat_i32(0);
        o.code = ops_load_U(code, v);
        o.reference = reference
                          ? ops_load_U(reference, v) & 255u
                          : v_select_u32(o.back, v_splat_u32(values->reference[1]), v_splat_u32(values->reference[0]));
        struct tex_raw raw;
        for (unsigned w = 0; w < words; w++) raw.word[w] = ops_load_U(&word[w], v);
        output_test(key, format, &o, &raw);
        for (unsigned w = 0; w < words; w++) ops_store_U(&word[w], v, 0, raw.word[w]);
        tests.passed |= v_mask_bits(o.passed) << (v * SCH_LANES);
        tests.failed_bounds |= v_mask_bits(o.bounds) << (v * SCH_LANES);
        tests.failed_stencil |= v_mask_bits(o.stencil) << (v * SCH_LANES);
        tests.failed_depth |= v_mask_bits(o.depth) << (v * SCH_LANES);
    }
    return tests;
}
