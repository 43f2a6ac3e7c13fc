/* Attributes of vertices from the bytes of a buffer (docs/pipeline.md, "Vertex fetch"). What a format's bits mean is
 * ops/texture/decode.h's to say. Holds no state of a draw: src/pipeline/fetch.c. */
#include "ops/op.h"
#include "ops/texture/decode.h"

/* A word of each lane's element, so many bytes from its beginning; 0 in lanes that are not inside. Some element is. */
OPS_INLINE vu32 fetch_word(const struct sch_vertex_source *source, unsigned byte, vu32 number, vi32 inside)
{
    const uint8_t *from = source->data + byte;
    if (!source->near) return v_gather_far_u32(from, number, source->stride, v_splat_u32(0), inside);
    return v_gather_near_u32(from, (vi32)(number * source->stride) & inside) & (vu32)inside;
}

OPS_INLINE vu32 fetch_missing(const struct sch_vertex_source *source, unsigned component)
{
    return v_splat_u32(component == 3 ? source->one : 0);
}

OPS_INLINE void fetch_words(const struct sch_vertex_source *source, vu32 number, vi32 inside, vu32 value[4])
{
    for (unsigned c = 0; c < 4; c++)
        value[c] = c < source->components ? fetch_word(source, 4 * c, number, inside) : fetch_missing(source, c);
}

OPS_INLINE void fetch_texel(const struct sch_vertex_source *source, vu32 number, vi32 inside, vu32 value[4])
{
    const struct tex_format *format = &tex_formats[source->format];
    const struct sch_texture_level elements = {.texels = (uint8_t *)(uintptr_t)source->data, /* it is only read */
                                               .slice_bytes = source->stride};
    const vi32 zero = v_splat_i32(0);
    struct tex_raw raw = tex_texel_load(format, &elements, source->near, zero, zero, (vi32)number, inside);
    struct tex_texel texel = tex_texel_decode(format, SCH_RULES_TGSI, &raw, zero);
    for (unsigned c = 0; c < 4; c++) value[c] = v_as_u32(texel.c[c]);
}

OPS_INLINE void fetch_doubles(const struct sch_vertex_source *source, vu32 number, vi32 inside, vu32 value[4])
{
    for (unsigned c = 0; c < 4; c++) {
        value[c] = fetch_missing(source, c);
        if (c >= source->components) continue;
        vf64 wide =
            v_join_f64(fetch_word(source, 8 * c, number, inside), fetch_word(source, 8 * c + 4, number, inside));
        value[c] = v_as_u32(v_canon_f32(v_f32_from_f64(wide)));
    }
}

/* Two components; those that the format does not have are the integers 0, 0, 0, 1. */
OPS_INLINE void fetch_longs(const struct sch_vertex_source *source, vu32 number, vi32 inside, vu32 value[4])
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned c = source->second ? 2 + i : i;
        bool has = c < source->components;
        value[2 * i] = has ? fetch_word(source, 8 * c, number, inside) : fetch_missing(source, c);
        value[2 * i + 1] = has ? fetch_word(source, 8 * c + 4, number, inside) : v_splat_u32(0);
    }
}

/* Words of elements that 16 bytes can be read of: the usual case. Without indices they follow each other. */
OPS_INLINE void fetch_quick(const struct sch_vertex_source *source, vu32 element, struct sch_lanes *attribute,
                            unsigned vector)
{
    vu32 value[4];
    const uint32_t first = element[0];
    if (v_all((vi32)(element == first + (vu32)v_lane_i32())))
        v_load_rows_u32x4(source->data + (size_t)first * source->stride, source->stride, value);
    else
        v_gather_near_u32x4(source->data, (vi32)(element * source->stride), value);
    for (unsigned c = 0; c < 4; c++)
        ops_put_U(&attribute[c], vector, c < source->components ? value[c] : fetch_missing(source, c));
}

OPS_INLINE vi32 fetch_below(vu32 number, uint64_t count)
{
    return count > UINT32_MAX ? v_splat_i32(-1) : (vi32)(number < (uint32_t)count);
}

OPS_INLINE void fetch_vector(const struct sch_vertex_source *source, vu32 number, vi32 mask,
                             struct sch_lanes attribute[4], unsigned vector)
{
    const vu32 element = number & (vu32)mask;
    if (source->kind == SCH_FETCH_WORDS && v_all(fetch_below(element, source->quick))) {
        fetch_quick(source, element, attribute, vector);
        return;
    }
    const vi32 inside = mask & fetch_below(element, source->count);
    vu32 value[4];
    if (source->kind == SCH_FETCH_WORDS)
        fetch_words(source, element, inside, value);
    else if (source->kind == SCH_FETCH_TEXEL)
        fetch_texel(source, element, inside, value);
    else if (source->kind == SCH_FETCH_DOUBLES)
        fetch_doubles(source, element, inside, value);
    else
        fetch_longs(source, element, inside, value);
    for (unsigned c = 0; c < 4; c++) ops_put_U(&attribute[c], vector, value[c]);
}

/* See ops/raster/raster.def. */
void OPS_LOCAL(fetch_vertices)(const struct sch_vertex_source *source, const struct sch_lanes *number, uint32_t lanes,
                               struct sch_lanes attribute[4]);
void OPS_LOCAL(fetch_vertices)(const struct sch_vertex_source *source, const struct sch_lanes *number, uint32_t lanes,
                               struct sch_lanes attribute[4])
{
    for (unsigned v = 0; v < OPS_VECTORS && lanes >> v * SCH_LANES; v++)
        fetch_vector(source, ops_load_U(number, v), v_mask_from_bits(lanes >> v * SCH_LANES), attribute, v);
}

/* See ops/raster/raster.def. */
void OPS_LOCAL(store_vertices)(uint32_t *words, uint32_t stride, const struct sch_lanes *const channel[4],
                               uint32_t count);
void OPS_LOCAL(store_vertices)(uint32_t *words, uint32_t stride, const struct sch_lanes *const channel[4],
                               uint32_t count)
{
    for (unsigned v = 0; v < OPS_VECTORS && v * SCH_LANES < count; v++) {
        const vu32 word[4] = {ops_load_U(channel[0], v), ops_load_U(channel[1], v), ops_load_U(channel[2], v),
                              ops_load_U(channel[3], v)};
        uint32_t *to = words + (size_t)v * SCH_LANES * stride;
        if (count - v * SCH_LANES >= SCH_LANES) {
            v_store_rows_u32x4(to, stride * sizeof *words, word);
            continue;
        }
        for (uint32_t i = 0; i < count - v * SCH_LANES; i++)
            for (unsigned c = 0; c < 4; c++) to[(size_t)i * stride + c] = word[c][i];
    }
}
