/* Tests, inputs and colours of a group of fragments at once, for code that is made for one form (abi/fragment.h): what
 * src/pipeline/fragments.c and src/pipeline/output.c do step by step. All that the form says folds. Holds no
 * arithmetic: ops/raster/attribute.h, ops/raster/depth_stencil.h, ops/raster/merge.h. */
#ifndef SCH_OPS_RASTER_FRAGMENT_H
#define SCH_OPS_RASTER_FRAGMENT_H

#include "abi/fragment.h"
#include "ops/raster/alpha.h"
#include "ops/raster/attribute.h"
#include "ops/raster/depth_stencil.h"
#include "ops/raster/merge.h"
#include "ops/raster/target.h"

/* ---- tests ---- */

OPS_INLINE bool fragment_tests_depth_alone(const struct sch_depth_stencil_key *key)
{
    return !key->depth_bounds && !key->stencil[0].enabled && !key->two_sided;
}

/* The fragments' depth as it is stored. `written`: what the program wrote, or NULL. */
OPS_INLINE void fragment_depth(const struct sch_fragment_form *form, const struct sch_quads *quads,
                               const struct attribute_edges *edges, bool same, const struct sch_lanes *written,
                               struct sch_lanes *code)
{
    const struct sch_depth_stencil_key *key = &form->depth_stencil;
    const struct tex_format *format = &tex_formats[key->format];
    const struct tex_channel *channel = &format->channel[format->component[0] & 3];
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vhalf64 low = attribute_depth(edges, quads, 2 * v, same);
        const vhalf64 high = attribute_depth(edges, quads, 2 * v + 1, same);
        vf64 z = __builtin_shufflevector(low, high, V_COUNT);
        if (written) z = depth_written(form->depth_layout, z, v_f64_from_f32(ops_load_F(written, v)));
        const vf32 min = form->depth_ranges ? ATTRIBUTE_F32(depth_min) : v_splat_f32(0.0f);
        const vf32 max = form->depth_ranges ? ATTRIBUTE_F32(depth_max) : v_splat_f32(1.0f);
        ops_put_U(code, v, depth_code(channel, key->single, z, min, max));
    }
}

/* The lanes of `mask` that pass. */
OPS_INLINE uint32_t fragment_test_sample(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                         const struct sch_tile_group *group, const struct attribute_edges *edges,
                                         bool same, const struct sch_lanes *written, uint32_t sample, uint32_t mask)
{
    const struct sch_depth_stencil_key *key = &form->depth_stencil;
    const struct sch_draw_target *target = &values->depth_stencil;
    const uint32_t bytes = tex_formats[key->format].bytes;
    const bool alone = fragment_tests_depth_alone(key);
    struct sch_lanes code, word[SCH_DEPTH_WORDS];
    if (key->depth_test) fragment_depth(form, &group->quads, edges, same, written, &code);
    target_load(target, bytes, &group->quads, sample, mask, word);
    const uint32_t passed =
        output_test_group(key, !alone, &values->stencil, mask, group->back, &code, NULL, word).passed;
    if (!alone || (key->depth_writes && passed))
        target_store(target, bytes, &group->quads, sample, alone ? passed : mask, true, word);
    return passed;
}

/* Depth and stencil of the samples in `lanes`: `masks` becomes those that pass, `covered` the lanes that have one.
 * `edges`: at the centres of pixels. */
OPS_INLINE uint32_t fragment_test(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                  struct sch_tile_group *group, const struct attribute_edges *edges, bool same,
                                  const struct sch_lanes *written, uint32_t lanes)
{
    const bool centre = form->samples == 1 || sch_tile_primitive(group, 0)->all_samples;
    uint32_t left = 0;
    for (uint32_t s = 0; s < form->samples; s++) {
        uint32_t mask = group->masks[s] & lanes;
        if (mask) {
            struct attribute_edges moved;
            if (form->samples > 1 && form->depth_stencil.depth_test)
                attribute_edges_move(&moved, edges, &group->quads, same, centre ? 0 : values->pattern.x[s],
                                     centre ? 0 : values->pattern.y[s]);
            mask =
                fragment_test_sample(form, values, group, form->samples > 1 ? &moved : edges, same, written, s, mask);
        }
        group->masks[s] = mask;
        left |= mask;
    }
    return left;
}

/* After the program: the lanes of `lanes` that are left. */
OPS_INLINE uint32_t fragment_test_late(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                       struct sch_tile_group *group, const struct sch_lanes *written, uint32_t lanes)
{
    const struct sch_lane_places places = {.uniform = true};
    struct attribute_edges edges;
    if (group->quads.same) {
        if (form->depth_stencil.depth_test) attribute_edges(&edges, &group->quads, &places, true);
        return fragment_test(form, values, group, &edges, true, written, lanes);
    }
    if (form->depth_stencil.depth_test) attribute_edges(&edges, &group->quads, &places, false);
    return fragment_test(form, values, group, &edges, false, written, lanes);
}

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

OPS_INLINE bool fragment_is_interpolated(const struct sch_fragment_input *input)
{
    return input->mask && (input->kind == SCH_FRAGMENT_LINEAR || input->kind == SCH_FRAGMENT_PERSPECTIVE);
}

/* What a group of one primitive has of it, for all blocks that it stands for. */
struct fragment_kept {
    struct attribute_kept of;
    struct attribute_corners corners[SCH_FRAGMENT_INPUTS][4]; /* of interpolated inputs */
};

OPS_INLINE void fragment_keep(const struct sch_fragment_form *form, const struct sch_tile_group *group,
                              struct fragment_kept *kept)
{
    attribute_keep(&kept->of, &group->quads);
    if (!group->quads.same) return;
    OPS_UNROLL
    for (unsigned n = 0; n < form->input_count; n++)
        if (fragment_is_interpolated(&form->input[n]))
            attribute_keep_channels(kept->corners[n], form->input[n].mask, &group->quads, form->input[n].word);
}

OPS_INLINE void fragment_interpolate(const struct sch_tile_group *group, const struct sch_fragment_input *input,
                                     const struct sch_weights *weights, bool same,
                                     const struct attribute_corners corners[4], struct sch_lanes to[4])
{
    if (same)
        attribute_kept_channels(to, input->mask, weights, corners);
    else
        attribute_channels(to, input->mask, weights, &group->quads, input->word, false);
}

OPS_INLINE void fragment_input(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                               const struct sch_tile_group *group, const struct sch_fragment_input *input,
                               const struct sch_weights *perspective, const struct sch_weights *linear,
                               const struct attribute_edges *edges, bool same,
                               const struct attribute_corners corners[4], struct sch_lanes to[4])
{
    const struct sch_lane_places places = {.uniform = true};
    const struct sch_position_key key = {.lower_left = form->lower_left,
                                         .integer_center = form->integer_center,
                                         .d3d = form->d3d,
                                         .height = values->height};
    switch (input->kind) {
    case SCH_FRAGMENT_CONSTANT:
        attribute_constants(to, input->mask, &group->quads, input->word, same);
        break;
    case SCH_FRAGMENT_LINEAR:
        fragment_interpolate(group, input, linear, same, corners, to);
        break;
    case SCH_FRAGMENT_PERSPECTIVE:
        fragment_interpolate(group, input, perspective, same, corners, to);
        break;
    case SCH_FRAGMENT_POSITION:
        attribute_position(to, input->mask, &key, &group->quads, &places, edges, same);
        break;
    case SCH_FRAGMENT_FACE:
        fragment_fixed(to);
        fragment_face(to, group);
        break;
    default:
        fragment_fixed(to);
    }
}

OPS_INLINE void fragment_inputs(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                const struct sch_tile_group *group, const struct fragment_kept *kept,
                                const struct attribute_edges *edges, bool same, bool flat, struct sch_lanes *to)
{
    struct sch_weights perspective, linear;
    if (fragment_has(form, SCH_FRAGMENT_LINEAR) || fragment_has(form, SCH_FRAGMENT_PERSPECTIVE)) {
        if (flat)
            attribute_flat_weights(&perspective, &linear, &group->quads, edges, &kept->of);
        else if (same)
            attribute_same_weights(&perspective, &linear, &group->quads, edges, &kept->of);
        else
            attribute_weights(&perspective, &linear, &group->quads, edges, false, NULL);
    }
    OPS_UNROLL
    for (unsigned n = 0; n < form->input_count; n++)
        fragment_input(form, values, group, &form->input[n], &perspective, &linear, edges, same, kept->corners[n],
                       to + 4 * n);
}

/* ---- before the program ---- */

OPS_INLINE uint32_t fragment_count(uint32_t lanes) { return (uint32_t)__builtin_popcount(lanes); }
OPS_INLINE uint32_t fragment_count_samples(const struct sch_fragment_form *form, const struct sch_tile_group *group,
                                           uint32_t lanes)
{
    uint32_t count = 0;
    OPS_UNROLL
    for (uint32_t s = 0; s < form->samples; s++) count += fragment_count(group->masks[s] & lanes);
    return count;
}

OPS_INLINE void fragment_begin_of(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                  struct sch_tile_group *group, const struct fragment_kept *kept, bool same,
                                  struct sch_lanes *to)
{
    const struct sch_lane_places places = {.uniform = true};
    struct attribute_edges edges;
    if (same && kept->of.block)
        attribute_edges_of_kept(&edges, &kept->of);
    else
        attribute_edges_of_quads(&edges, &group->quads, &places, same);
    if (form->tests == SCH_FRAGMENT_EARLY) {
        group->covered = fragment_test(form, values, group, &edges, same, NULL, UINT32_MAX);
        group->passed += fragment_count_samples(form, group, UINT32_MAX);
        if (!group->covered) return;
    }
    group->shaded += fragment_count(group->covered);
    fragment_inputs(form, values, group, kept, &edges, same, false, to);
}

/* A block of a primitive without perspective, without early tests: its places go from step to step in registers. */
OPS_INLINE void fragment_begin_flat(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                    struct sch_tile_group *group, const struct fragment_kept *kept,
                                    struct sch_lanes *to)
{
    struct attribute_edges edges;
    attribute_edges_of_kept(&edges, &kept->of);
    group->shaded += fragment_count(group->covered);
    fragment_inputs(form, values, group, kept, &edges, true, true, to);
}

/* Early tests, and four channels for each input, in the form's order; those that are not in its mask are undefined,
 * and all where no lane is left. */
OPS_INLINE void fragment_begin(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                               struct sch_tile_group *group, const struct fragment_kept *kept, struct sch_lanes *to)
{
    if (!kept->of.same)
        fragment_begin_of(form, values, group, kept, false, to);
    else if (form->tests != SCH_FRAGMENT_EARLY && kept->of.block && !kept->of.perspective)
        fragment_begin_flat(form, values, group, kept, to);
    else
        fragment_begin_of(form, values, group, kept, true, to);
}

/* ---- colours ---- */

/* A vector of texels of one word after the fragments. */
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
    const size_t row_bytes = target->row_bytes, slice_bytes = target->slice_bytes;
    uint8_t *first = target_texels(target, sizeof(uint32_t), &group->quads, 0, 0);
    vu32 made[OPS_VECTORS];
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS && !color->key.reads; v++)
        made[v] = fragment_merge(color, values, source, second, v, v_splat_u32(0));
    for (uint32_t s = 0; s < form->samples; s++, first += slice_bytes) {
        const uint32_t mask = group->masks[s] & lanes;
        if (!mask) continue;
        if (mask == UINT32_MAX && (form->samples > 1 || color->key.reads)) target_expect_below(first, row_bytes);
        OPS_UNROLL
        for (unsigned v = 0; v < OPS_VECTORS; v += TARGET_PART) {
            vu32 before[TARGET_PART], after[TARGET_PART];
            if (color->key.reads) target_load_part(first, row_bytes, v, before);
            OPS_UNROLL
            for (unsigned i = 0; i < TARGET_PART; i++)
                after[i] =
                    color->key.reads ? fragment_merge(color, values, source, second, v + i, before[i]) : made[v + i];
            if (mask != UINT32_MAX) target_keep_part(first, row_bytes, v, mask, after);
            target_store_part(first, row_bytes, v, after);
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
        target_store_scattered(target, format->bytes, &group->quads, s, mask, color->key.reads, word);
    }
}

/* The alpha test, late tests, and the colours of the lanes: four channels for each of the form's in its order, and
 * after them those of the second one, of the register whose alpha is tested, and of the one that depth is in. */
OPS_INLINE void fragment_end(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                             struct sch_tile_group *group, uint32_t lanes, const struct sch_lanes *colors)
{
    const struct sch_lanes *alpha = colors + 4 * form->color_count + 4, *depth = alpha + 4;
    if (form->alpha_function)
        lanes &= alpha_passes(form->alpha_function, values->alpha_reference, form->clamp, &alpha[3]);
    if (form->tests == SCH_FRAGMENT_LATE)
        lanes =
            fragment_test_late(form, values, group, form->depth == SCH_FRAGMENT_NO_REGISTER ? NULL : &depth[2], lanes);
    if (!lanes) return;
    if (form->tests != SCH_FRAGMENT_EARLY) group->passed += fragment_count_samples(form, group, lanes);
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

/* On to the next block of a group that stands for several. */
OPS_INLINE void fragment_advance(const struct sch_fragment_form *form, const struct sch_fragment_values *values,
                                 struct sch_tile_group *group, struct fragment_kept *kept)
{
    attribute_kept_advance(&kept->of);
    sch_tile_group_advance(group, form->tests == SCH_FRAGMENT_UNTESTED ? 0 : form->samples, values->sample_mask);
}

#endif
