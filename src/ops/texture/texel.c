/* Single texels by whole-number addresses: fetches, image stores, and the texel numbers that image atomics work on. No
 * sampler state has a part in it. docs/texture.md, "Fetch" and "Images". */
#include "ops/texture/encode.h"
#include "ops/texture/result.h"
#include "ops/texture/rows.h"
#include "ops/texture/trace.h"

/* Where a vector's addresses lie: along the axes, and the slice of memory that the layer (and sample) makes. */
struct tex_address_vector {
    vu32 at[3];
    vu32 layer, sample;
};

OPS_INLINE struct tex_address_vector tex_addresses(const struct sch_sampler_key *key,
                                                   const struct sch_lanes *const coordinate[4],
                                                   const struct sch_lanes *sample, unsigned vector)
{
    struct tex_address_vector address = {.layer = v_splat_u32(0), .sample = v_splat_u32(0)};
    unsigned axes = tex_axes(key->target);
    OPS_UNROLL
    for (unsigned a = 0; a < 3; a++) address.at[a] = a < axes ? ops_load_U(coordinate[a], vector) : v_splat_u32(0);
    bool layered = tex_has_layers(key->target) || key->target == SCH_TARGET_CUBE;
    if (layered) address.layer = ops_load_U(coordinate[axes], vector);
    if (sample && tex_is_multisampled(key->target)) address.sample = ops_load_U(sample, vector);
    return address;
}

/* Unsigned comparisons: anything negative is far outside. */
OPS_INLINE vi32 tex_inside(const struct sch_texture *texture, const struct sch_texture_level *level,
                           const struct tex_address_vector *address)
{
    return (vi32)(address->at[0] < level->width) & (vi32)(address->at[1] < level->height) &
           (vi32)(address->at[2] < level->depth) & (vi32)(address->layer < texture->layers) &
           (vi32)(address->sample < texture->samples);
}

OPS_INLINE vi32 tex_slice(const struct sch_sampler_key *key, const struct sch_texture *texture,
                          const struct tex_address_vector *address)
{
    if (key->target == SCH_TARGET_3D) return (vi32)address->at[2];
    return (vi32)(address->layer * texture->samples + address->sample);
}

OPS_INLINE void tex_trace_fetch(struct sch_texture_trace *trace, unsigned vector, uint32_t level,
                                const struct tex_address_vector *address, vi32 slice, vi32 inside,
                                const struct tex_texel *texel)
{
    const struct tex_used used = {.mask = inside,
                                  .border = v_splat_i32(0),
                                  .x = (vi32)address->at[0],
                                  .y = (vi32)address->at[1],
                                  .z = slice,
                                  .weight = v_splat_f32(1.0f),
                                  .level = level};
    tex_trace_texel(trace, vector, &used, texel);
}

/* Levels below the view's min_lod are not there. */
OPS_INLINE uint32_t tex_first_level(const struct sch_sampler_key *key, const struct sch_texture *texture)
{
    if (tex_view_is_empty(key, texture)) return SCH_MAX_LEVELS;
    if (!(texture->min_lod >= 1.0f)) return 0;
    return texture->min_lod < (float)SCH_MAX_LEVELS ? (uint32_t)texture->min_lod : SCH_MAX_LEVELS;
}

/* The texels of the lanes inside. Where other threads store texels they are read unit by unit, as those are stored.
 * Where code is compiled nothing needs that: gathers and rows, which have other texels, too, are loads of a machine,
 * and those never split an aligned unit. */
OPS_INLINE struct tex_raw tex_fetched(const struct sch_sampler_key *key, const struct sch_texture *texture,
                                      const struct sch_texture_level *level, const struct tex_address_vector *address,
                                      vi32 inside, struct sch_texel_tiles *tiles, bool concurrent)
{
    const struct tex_format *format = tex_format_of(key);
    vi32 x = (vi32)address->at[0], y = (vi32)address->at[1], slice = tex_slice(key, texture, address);
    if (tex_is_block(format)) return tex_tile_load(key->format, level, tiles, x, y, slice, inside);
#ifdef SCH_FOLD
    bool sliced = key->target != SCH_TARGET_2D && key->target != SCH_TARGET_RECT;
    struct tex_raw raw;
    if (tex_axes(key->target) >= 2 && tex_texel_load_rows(format, level, sliced, x, y, slice, inside, &raw)) return raw;
    (void)concurrent;
#else
    if (concurrent) return tex_texel_load_shared(format, level, x, y, slice, inside);
#endif
    return tex_texel_load(format, level, tex_is_near(level, tex_slices(key->target, texture, level)), x, y, slice,
                          inside);
}

sch_fetch_fn OPS_LOCAL(fetch);
void OPS_LOCAL(fetch)(const struct sch_sampler_key *key, const struct sch_texture *texture,
                      const struct sch_fetch_request *request, struct sch_lanes *const result[4])
{
    const struct tex_format *format = tex_format_of(key);
    bool by_level = TEX_GIVES_LEVEL(key, request) && !tex_is_multisampled(key->target) &&
                    key->target != SCH_TARGET_BUFFER && key->target != SCH_TARGET_RECT;
    const struct sch_lanes *levels = TEX_GIVES_LEVEL(key, request) ? request->level : 0;
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 mask = ops_load_I(request->mask, v);
        struct tex_texel texel = tex_outside(key);
        if (texture->levels == 0 || !v_any(mask)) {
            tex_store_zero(v, result);
            continue;
        }
        struct tex_address_vector address = tex_addresses(key, request->coordinate, levels, v);
        OPS_UNROLL
        for (unsigned a = 0; a < tex_axes(key->target); a++)
            if (TEX_GIVES_OFFSET(key, request, a)) address.at[a] += ops_load_U(request->offset[a], v);
        vu32 level = by_level ? ops_load_U(levels, v) : v_splat_u32(0);
        vi32 slice = tex_slice(key, texture, &address);
        for (uint32_t i = tex_first_level(key, texture); i < texture->levels; i++) {
            const struct sch_texture_level *here = &texture->level[i];
            vi32 inside = mask & (vi32)(level == i) & tex_inside(texture, here, &address);
            if (!v_any(inside)) continue;
            vi32 x = (vi32)address.at[0];
            struct tex_raw raw = tex_fetched(key, texture, here, &address, inside, request->tiles, request->concurrent);
            struct tex_texel some = tex_texel_decode(format, key->rules, &raw, x);
            OPS_UNROLL
            for (unsigned c = 0; c < 4; c++) texel.c[c] = v_select_f32(inside, some.c[c], texel.c[c]);
            tex_trace_fetch(request->trace, v, i, &address, slice, inside, &some);
        }
        tex_store_texel(key, &texel, v, mask, result);
    }
}

#ifdef SCH_FOLD
/* The whole group where the texels of every vector lie in two rows of one level: of two axes, without layers. Texels in
 * rows are inside. False: some do not, and the results are not meant. */
static bool tex_fetched_rows(const struct sch_sampler_key *key, const struct sch_texture *texture,
                             const struct sch_fetch_request *request, struct sch_lanes *const result[4])
{
    const struct sch_lanes *levels = TEX_GIVES_LEVEL(key, request) ? request->level : 0;
    const bool by_level = levels && key->target != SCH_TARGET_RECT;
    const uint32_t first = tex_first_level(key, texture);
    OPS_UNROLL_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vi32 mask = ops_load_I(request->mask, v);
        struct tex_address_vector address = tex_addresses(key, request->coordinate, NULL, v);
        OPS_UNROLL
        for (unsigned a = 0; a < 2; a++)
            if (TEX_GIVES_OFFSET(key, request, a)) address.at[a] += ops_load_U(request->offset[a], v);
        const vu32 level = by_level ? ops_load_U(levels, v) : v_splat_u32(0);
        const uint32_t number = level[0];
        if (number < first || number >= texture->levels) return false;
        if (by_level && v_any_bit(mask & (vi32)(level ^ number))) return false;
        const vi32 x = (vi32)address.at[0], y = (vi32)address.at[1];
        struct tex_raw raw;
        if (!tex_texel_load_rows(tex_format_of(key), &texture->level[number], false, x, y, v_splat_i32(0), mask, &raw))
            return false;
        const struct tex_texel texel = tex_texel_decode(tex_format_of(key), key->rules, &raw, x);
        tex_store_texel(key, &texel, v, mask, result);
    }
    return true;
}
#endif

sch_image_store_fn OPS_LOCAL(image_store);
void OPS_LOCAL(image_store)(const struct sch_sampler_key *key, const struct sch_texture *texture,
                            const struct sch_image_request *request, const struct sch_lanes *const value[4])
{
    const struct tex_format *format = tex_format_of(key);
    if (texture->levels == 0) return;
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_address_vector address = tex_addresses(key, request->coordinate, request->sample, v);
        vi32 inside = ops_load_I(request->mask, v) & tex_inside(texture, &texture->level[0], &address);
        if (!v_any(inside)) continue;
        vu32 words[4];
        OPS_UNROLL
        for (unsigned c = 0; c < 4; c++) words[c] = ops_load_U(value[c], v);
        struct tex_raw raw = tex_texel_encode(format, key->rules, words);
        tex_texel_store(format, &texture->level[0], (vi32)address.at[0], (vi32)address.at[1],
                        tex_slice(key, texture, &address), inside, request->concurrent, &raw);
    }
}

sch_image_texel_fn OPS_LOCAL(image_texel);
void OPS_LOCAL(image_texel)(const struct sch_sampler_key *key, const struct sch_texture *texture,
                            const struct sch_image_request *request, struct sch_lanes *texel)
{
    const struct sch_texture_level *level = &texture->level[0];
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        struct tex_address_vector address = tex_addresses(key, request->coordinate, request->sample, v);
        vi32 inside = ops_load_I(request->mask, v) & tex_inside(texture, level, &address);
        if (texture->levels == 0) inside = v_splat_i32(0);
        vu32 slice = (vu32)tex_slice(key, texture, &address);
        vu32 number = (slice * level->height + address.at[1]) * level->width + address.at[0];
        ops_put_U(texel, v, number | ~(vu32)inside);
    }
}
