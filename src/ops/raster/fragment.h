/* Inputs and colours of a group of fragments at once, for code that is made for one form (abi/fragment.h): what
 * src/pipeline/fragments.c and src/pipeline/output.c do step by step. All that the form says folds. Holds no
 * arithmetic: ops/raster/attribute.h, ops/raster/merge.h. */
#ifndef SCH_OPS_RASTER_FRAGMENT_H
#define SCH_OPS_RASTER_FRAGMENT_H

#include "abi/fragment.h"
#include "ops/raster/attribute.h"
#include "ops/raster/merge.h"
#include "ops/raster/target.h"

/* ---- inputs ---- */

OPS_INLINE bool fragment_has(const struct sch_fragment_form *form, unsigned kind)
{
    bool has = false;
    OPS_UNROLL
    for (unsigned n = 0; n < form->input_count; n++) has |= form->input[n].kind == kind;
    return has;
}

OPS_INLINE void fragment_face(struct sch_lanes to[4], const struct sch_tile_group *group)
{
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vi32 back = v_mask_from_bits(group->back >> (v * SCH_LANES));
        ops_put_F(&to[0], v, v_select_f32(back, v_splat_f32(-1.0f), v_splat_f32(1.0f)));
    }
}

/* The channels that an input has whatever the primitive is. */
OPS_INLINE void fragment_fixed(struct sch_lanes to[4])
{
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        for (unsigned c = 0; c < 3; c++) ops_put_U(&to[c], v, v_splat_u32(0));
        ops_put_F(&to[3], v, v_splat_f32(1.0f));
    }
}

OPS_INLINE void fragment_input(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                               const struct sch_tile_group *group, const struct sch_fragment_input *input,
                               const struct sch_weights *perspective, const struct sch_weights *linear,
                               const struct sch_lane_places *places, bool same, struct sch_lanes to[4])
{
    const struct sch_position_key key = {.lower_left = form->lower_left,
                                         .integer_center = form->integer_center,
                                         .d3d = form->d3d,
                                         .height = values->height};
    switch (input->kind) {
    case SCH_FRAGMENT_CONSTANT:
        attribute_constants(to, input->mask, &group->quads, input->word, same);
        break;
    case SCH_FRAGMENT_LINEAR:
        attribute_channels(to, input->mask, linear, &group->quads, input->word, same);
        break;
    case SCH_FRAGMENT_PERSPECTIVE:
        attribute_channels(to, input->mask, perspective, &group->quads, input->word, same);
        break;
    case SCH_FRAGMENT_POSITION:
        attribute_position(to, input->mask, &key, &group->quads, places, same);
        break;
    case SCH_FRAGMENT_FACE:
        fragment_fixed(to);
        fragment_face(to, group);
        break;
    default:
        fragment_fixed(to);
    }
}

OPS_INLINE void fragment_inputs_of(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                   const struct sch_tile_group *group, bool same, struct sch_lanes *to)
{
    struct sch_lane_places places;
    struct sch_weights perspective, linear;
    places.uniform = true;
    places.offset[0] = places.offset[1] = 0;
    if (fragment_has(form, SCH_FRAGMENT_LINEAR) || fragment_has(form, SCH_FRAGMENT_PERSPECTIVE)) {
        if (same)
            attribute_same_weights(&perspective, &linear, &group->quads, &places);
        else
            attribute_weights(&perspective, &linear, &group->quads, &places, false);
    }
    OPS_UNROLL
    for (unsigned n = 0; n < form->input_count; n++)
        fragment_input(form, values, group, &form->input[n], &perspective, &linear, &places, same, to + 4 * n);
}

/* Four channels for each input, in the form's order; those that are not in its mask are undefined. */
OPS_INLINE void fragment_inputs(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                const struct sch_tile_group *group, struct sch_lanes *to)
{
    if (group->quads.same)
        fragment_inputs_of(form, values, group, true, to);
    else
        fragment_inputs_of(form, values, group, false, to);
}

/* ---- colours ---- */

/* A vector of texels of one word behind the fragments. */
OPS_INLINE vu32 fragment_merge(const struct sch_fragment_color *color, const struct sch_color_values *values,
                               const struct sch_lanes source[4], const struct sch_lanes *second, unsigned v,
                               vu32 before)
{
    const struct tex_format *format = &tex_formats[color->key.format];
    struct merge_bits bits;
    struct merge_colors in;
    struct tex_raw raw = {.word = {before, v_splat_u32(0), v_splat_u32(0), v_splat_u32(0)}};
    merge_bits_of(format, color->key.color_mask, &bits);
    merge_load(&in, values, source, second, v);
    merge_vector(&color->key, format, &bits, &in, &raw);
    return raw.word[0];
}

/* What does not depend on the texels before is the same in all samples. */
OPS_INLINE void fragment_color_block(const struct sch_fragment_form *form, const struct sch_fragment_color *color,
                                     const struct sch_color_values *values, const struct sch_draw_target *target,
                                     const struct sch_tile_group *group, uint32_t lanes,
                                     const struct sch_lanes source[4], const struct sch_lanes *second)
{
    vu32 made[OPS_VECTORS];
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS && !color->key.reads; v++)
        made[v] = fragment_merge(color, values, source, second, v, v_splat_u32(0));
    for (uint32_t s = 0; s < form->samples; s++) {
        const uint32_t mask = group->masks[s] & lanes;
        uint8_t *first = target_texels(target, sizeof(uint32_t), &group->quads, 0, s);
        if (!mask) continue;
        OPS_UNROLL
        for (unsigned v = 0; v < OPS_VECTORS; v++) {
            uint8_t *upper = first + target_vector(target, v);
            if (!color->key.reads && mask == UINT32_MAX) {
                target_store_vector(target, upper, made[v]);
                continue;
            }
            const vi32 written = v_mask_from_bits(mask >> (v * SCH_LANES));
            const vu32 before = target_load_vector(target, upper);
            if (color->key.reads) made[v] = fragment_merge(color, values, source, second, v, before);
            target_store_vector(target, upper, v_select_u32(written, made[v], before));
        }
    }
}

OPS_INLINE void fragment_color_quads(const struct sch_fragment_form *form, const struct sch_fragment_color *color,
                                     const struct sch_color_values *values, const struct sch_draw_target *target,
                                     const struct sch_tile_group *group, uint32_t lanes,
                                     const struct sch_lanes source[4], const struct sch_lanes *second)
{
    const struct tex_format *format = &tex_formats[color->key.format];
    struct sch_lanes word[SCH_TEXEL_WORDS];
    if (!color->key.reads) merge_group(&color->key, format, values, source, second, UINT32_MAX, word);
    for (uint32_t s = 0; s < form->samples; s++) {
        const uint32_t mask = group->masks[s] & lanes;
        if (!mask) continue;
        if (color->key.reads) {
            target_load_scattered(target, format->bytes, &group->quads, s, mask, word);
            merge_group(&color->key, format, values, source, second, mask, word);
        }
        target_store_scattered(target, format->bytes, &group->quads, s, mask, word);
    }
}

/* The colours of the lanes, four channels for each of the form's in its order, and behind them the second one. */
OPS_INLINE void fragment_colors(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                const struct sch_tile_group *group, uint32_t lanes, const struct sch_lanes *colors)
{
    OPS_UNROLL
    for (unsigned n = 0; n < form->color_count; n++) {
        const struct sch_fragment_color *color = &form->color[n];
        const struct sch_lanes *second =
            color->second == SCH_FRAGMENT_NO_REGISTER ? NULL : colors + 4 * form->color_count;
        const struct sch_draw_target *target = &values->targets[n];
        const bool one_word = tex_formats[color->key.format].bytes == sizeof(uint32_t) && target_is_little_endian();
        if (one_word && target_has_block(target, &group->quads))
            fragment_color_block(form, color, &values->colors, target, group, lanes, colors + 4 * n, second);
        else
            fragment_color_quads(form, color, &values->colors, target, group, lanes, colors + 4 * n, second);
    }
}

#endif
