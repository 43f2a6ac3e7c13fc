/* The order of the output: sample mask (in the masks already), alpha to coverage, alpha to one, alpha test, depth
 * bounds, stencil, depth, blending or logic operation, colour mask. */
#include "pipeline/output.h"

#include <string.h>

#include "exec/program.h"
#include "pipeline/output_key.h"
#include "pipeline/rules.h"
#include "pipeline/samples.h"

/* ---- what is the same for a draw ---- */

static uint32_t property(const struct sch_draw_pipeline *draw, enum sch_property name)
{
    return draw->programs[SCH_STAGE_FRAGMENT]->prepared.interface.properties[name].value;
}

/* Whether tests may run before the program, because nothing that it does can be seen if they fail, and nothing of it
 * changes what they compare. Then its colours are all that can be seen of it. */
static bool can_be_early(const struct sch_draw_pipeline *draw)
{
    const struct sch_prepared_facts *facts = &draw->programs[SCH_STAGE_FRAGMENT]->prepared.interface.facts;
    if (facts->discards || facts->writes_depth || facts->writes_stencil || facts->writes_sample_mask) return false;
    if (facts->effects != SCH_EFFECTS_NONE || facts->writes_memory) return false;
    if (draw->depth_stencil_alpha->alpha_enabled || draw->blend->alpha_to_coverage) return false;
    return true;
}

static bool has_attachments(const struct sch_draw_framebuffer *framebuffer)
{
    bool has = framebuffer->depth_stencil.texels != NULL;
    for (uint32_t n = 0; n < SCH_COLOR_BUFFERS; n++) has = has || framebuffer->colors[n].texels;
    return has;
}

/* Whether a budget may run out, which is reported to the caller. Without attachments the caller can miss nothing. */
static bool may_fail(const struct sch_draw_pipeline *draw)
{
    const struct sch_ir_flow *flow = &draw->programs[SCH_STAGE_FRAGMENT]->prepared.flow;
    return (flow->loops || flow->calls) && has_attachments(draw->framebuffer);
}

/* Whether tests may write: with a depth that passes, or any stencil. */
static bool writes_depth_stencil(const struct sch_depth_stencil_key *key)
{
    return key->depth_writes || key->stencil[0].enabled || key->stencil[1].enabled;
}

static void init_colors(struct sch_output *output, const struct sch_draw_pipeline *draw)
{
    memcpy(output->color_values.constant, draw->dynamic->blend_color, sizeof output->color_values.constant);
    for (uint32_t n = 0; n < SCH_COLOR_BUFFERS; n++) {
        const struct sch_draw_target *target = &draw->framebuffer->colors[n];
        if (!target->texels || draw->link->outputs.color[draw->link->outputs.broadcast ? 0 : n] == SCH_LINK_NO_REGISTER)
            continue;
        output->colors[n] =
            sch_color_key_of(draw->blend, n, (enum sch_format)target->format, draw->rasterizer->clamp_fragment_color);
        if (draw->link->d3d) sch_color_key_follow_d3d(&output->colors[n]);
        if (!output->colors[n].color_mask) continue;
        output->color_buffers |= UINT32_C(1) << n;
        output->dual_source |= output->colors[n].second_source;
    }
}

/* Alpha decides nothing where colour buffer 0 has integers (OpenGL 17.3.1, 17.3.2); to Direct3D's coverage the format
 * does not matter (17.18). */
static bool has_alpha(const struct sch_draw_framebuffer *framebuffer)
{
    const struct sch_draw_target *first = &framebuffer->colors[0];
    return !first->texels || !sch_format_is_integer((enum sch_format)first->format);
}

static bool is_depth_alone(const struct sch_depth_stencil_key *key, const struct sch_draw_target *target)
{
    if (!key->depth_test || key->depth_bounds || key->stencil[0].enabled || key->two_sided) return false;
    return target->texel_bytes == sizeof(uint32_t);
}

void sch_output_init(struct sch_output *output, const struct sch_draw_pipeline *draw, const struct sch_ops *ops)
{
    const struct sch_depth_stencil_alpha_options *tests = draw->depth_stencil_alpha;
    const struct sch_draw_target *depth = &draw->framebuffer->depth_stencil;
    const bool alpha = has_alpha(draw->framebuffer);
    const bool d3d = draw->link->d3d, coverage = sch_rules_have_samples(draw);
    *output = (struct sch_output){.ops = ops,
                                  .framebuffer = draw->framebuffer,
                                  .from = &draw->link->outputs,
                                  .alpha_test = alpha && tests->alpha_enabled,
                                  .alpha_function = (uint8_t)tests->alpha_function,
                                  .alpha_reference = tests->alpha_reference,
                                  .clamp = draw->rasterizer->clamp_fragment_color,
                                  .alpha_to_coverage = (alpha || d3d) && draw->blend->alpha_to_coverage && coverage,
                                  .alpha_to_one = alpha && draw->blend->alpha_to_one && coverage,
                                  .masks_samples = coverage,
                                  .replaces_coverage = d3d,
                                  .depth_layout = (uint8_t)property(draw, SCH_PROPERTY_FS_DEPTH_LAYOUT)};
    sch_sample_pattern(draw->framebuffer->samples, &output->pattern);
    memcpy(output->stencil_values.reference, draw->dynamic->stencil_reference, sizeof output->stencil_values.reference);
    init_colors(output, draw);
    output->depth_stencil =
        sch_depth_stencil_key_of(tests, depth->texels ? (enum sch_format)depth->format : SCH_FORMAT_NONE);
    output->depth_stencil.single = d3d;
    output->tests = sch_depth_stencil_touches(&output->depth_stencil);
    output->tests_depth = is_depth_alone(&output->depth_stencil, depth) && output->from->depth == SCH_LINK_NO_REGISTER;
    output->early = output->tests && (property(draw, SCH_PROPERTY_FS_EARLY_DEPTH_STENCIL) || can_be_early(draw));
    output->unshaded = !output->color_buffers && !draw->history && can_be_early(draw) && !may_fail(draw);
    output->unwritten = output->unshaded && (!output->tests || !writes_depth_stencil(&output->depth_stencil));
}

/* ---- depth and stencil ---- */

/* Where primitives have their depth of a sample. Those that are covered at the centre or nowhere have it there. */
static void place_of_sample(const struct sch_output *output, const struct sch_tile_group *group, uint32_t sample,
                            struct sch_lane_places *places)
{
    const bool centre = sch_tile_primitive(group, 0)->all_samples;
    output->ops->places(places, &group->quads, centre ? 0 : output->pattern.x[sample],
                        centre ? 0 : output->pattern.y[sample]);
}

struct sch_output_tested sch_output_tested_with(const struct sch_output *output, const struct sch_lanes *registers)
{
    const struct sch_link_outputs *from = output->from;
    struct sch_output_tested tested = {.depth = NULL};
    if (!registers) return tested;
    if (from->depth != SCH_LINK_NO_REGISTER) tested.depth = registers + 4 * (size_t)from->depth + 2;
    if (from->stencil != SCH_LINK_NO_REGISTER) tested.stencil = registers + 4 * (size_t)from->stencil + 1;
    return tested;
}

struct sch_output_tests sch_output_try(const struct sch_output *output, const struct sch_tile_group *group,
                                       uint32_t sample, uint32_t mask, const struct sch_output_tested *tested,
                                       struct sch_lanes *code, struct sch_lanes word[SCH_DEPTH_WORDS])
{
    const struct sch_draw_target *target = &output->framebuffer->depth_stencil;
    struct sch_lane_places places;
    struct sch_double_lanes depth;
    struct sch_lanes least, most;
    place_of_sample(output, group, sample, &places);
    output->ops->depth(&depth, &group->quads, &places);
    if (tested->depth) output->ops->write_depth(&depth, tested->depth, output->depth_layout);
    output->ops->depth_range(&least, &most, &group->quads);
    output->ops->encode_depth(&output->depth_stencil, &depth, &least, &most, code);
    output->ops->load_texels(target, &group->quads, sample, mask, word);
    return output->ops->test_depth_stencil(&output->depth_stencil, &output->stencil_values, mask, group->back, code,
                                           tested->stencil, word);
}

static uint32_t test_sample(const struct sch_output *output, const struct sch_tile_group *group, uint32_t sample,
                            const struct sch_output_tested *tested)
{
    const struct sch_draw_target *target = &output->framebuffer->depth_stencil;
    const uint32_t mask = group->masks[sample];
    struct sch_lanes code, word[SCH_DEPTH_WORDS];
    if (output->tests_depth) {
        struct sch_lane_places places;
        place_of_sample(output, group, sample, &places);
        return output->ops->test_depth(&output->depth_stencil, target, &group->quads, &places, sample, mask);
    }
    const struct sch_output_tests tests = sch_output_try(output, group, sample, mask, tested, &code, word);
    output->ops->store_texels(target, &group->quads, sample, mask, word);
    return tests.passed;
}

static uint32_t test_samples(const struct sch_output *output, struct sch_tile_group *group,
                             const struct sch_output_tested *tested)
{
    uint32_t passed = 0;
    for (uint32_t s = 0; s < output->pattern.samples; s++) {
        if (!group->masks[s]) continue;
        if (output->tests) group->masks[s] = test_sample(output, group, s, tested);
        passed += sch_count_lanes(group->masks[s]);
    }
    return passed;
}

uint32_t sch_output_test_early(const struct sch_output *output, struct sch_tile_group *group)
{
    const struct sch_output_tested tested = {.depth = NULL};
    return test_samples(output, group, &tested);
}

/* ---- colours ---- */

static void write_color(const struct sch_output *output, const struct sch_tile_group *group, uint32_t buffer,
                        const struct sch_lanes source[4], const struct sch_lanes *second)
{
    const struct sch_draw_target *target = &output->framebuffer->colors[buffer];
    const struct sch_color_key *key = &output->colors[buffer];
    struct sch_lanes word[SCH_TEXEL_WORDS];
    /* Lanes without a texel take part in the arithmetic, but nothing of them is stored; and on the mask nothing depends
     * on words that are not loaded (tests/unit/ops/test_merge_color.c puts other ones there). They are zeros for
     * memcheck: compilers make b ^ ((a ^ b) & mask) of a selection, and it takes that for undefined where b is. */
    memset(word, 0, (target->texel_bytes + 3) / 4 * sizeof *word);
    /* What does not depend on the texels before is the same for all samples. */
    if (!key->reads)
        output->ops->merge_color(key, &output->color_values, source, second,
                                 sch_tile_covered(group, output->pattern.samples), word);
    for (uint32_t s = 0; s < output->pattern.samples; s++) {
        if (!group->masks[s]) continue;
        if (key->reads) {
            output->ops->load_texels(target, &group->quads, s, group->masks[s], word);
            output->ops->merge_color(key, &output->color_values, source, second, group->masks[s], word);
        }
        output->ops->store_texels(target, &group->quads, s, group->masks[s], word);
    }
}

/* The second source with the alpha that alpha to one gives to each colour (OpenGL 17.3.1); coverage is of the first. */
static const struct sch_lanes *change_second(const struct sch_output *output, const struct sch_lanes *second,
                                             struct sch_lanes changed[4])
{
    if (!output->alpha_to_one) return second;
    memcpy(changed, second, 4 * sizeof *changed);
    output->ops->change_alpha(&changed[3], false, true, NULL);
    return changed;
}

/* The colour's alpha as the steps before the tests leave it. */
static void change_alpha(const struct sch_output *output, const struct sch_tile_group *group, struct sch_lanes color[4])
{
    output->ops->change_alpha(&color[3], output->clamp, output->alpha_to_one, group->smooth ? &group->part : NULL);
}

static bool is_float(const struct sch_output *output, uint32_t buffer)
{
    return !sch_format_is_integer((enum sch_format)output->framebuffer->colors[buffer].format);
}

static void write_colors(const struct sch_output *output, const struct sch_tile_group *group,
                         const struct sch_lanes *registers)
{
    struct sch_lanes changed[4], changed_second[4];
    for (uint32_t bits = output->color_buffers; bits; bits &= bits - 1) {
        const uint32_t n = (uint32_t)__builtin_ctz(bits);
        const uint16_t number = output->from->color[output->from->broadcast ? 0 : n];
        const struct sch_lanes *source = registers + 4 * (size_t)number, *second = NULL;
        if ((output->alpha_to_one || group->smooth) && is_float(output, n)) {
            memcpy(changed, source, sizeof changed);
            change_alpha(output, group, changed);
            source = changed;
        }
        if (output->colors[n].second_source && output->from->color[1] != SCH_LINK_NO_REGISTER)
            second = change_second(output, registers + 4 * (size_t)output->from->color[1], changed_second);
        write_color(output, group, n, source, second);
    }
}

/* ---- after the program ---- */

static void cover_by_alpha(const struct sch_output *output, struct sch_tile_group *group, const struct sch_lanes *alpha)
{
    uint32_t lanes[SCH_MAX_SAMPLES];
    output->ops->alpha_to_coverage(alpha, output->pattern.samples, lanes);
    for (uint32_t s = 0; s < output->pattern.samples; s++) group->masks[s] &= lanes[s];
}

static void cover_by_mask(const struct sch_output *output, struct sch_tile_group *group, const struct sch_lanes *mask)
{
    uint32_t lanes[SCH_MAX_SAMPLES];
    output->ops->lanes_of_masks(mask, output->pattern.samples, lanes);
    for (uint32_t s = 0; s < output->pattern.samples; s++) group->masks[s] &= lanes[s];
}

void sch_output_restrict(const struct sch_output *output, struct sch_tile_group *group, uint32_t lanes,
                         const struct sch_lanes *registers)
{
    const struct sch_link_outputs *from = output->from;
    const bool masked = from->sample_mask != SCH_LINK_NO_REGISTER;
    struct sch_lanes color[4];
    if (masked && output->masks_samples) cover_by_mask(output, group, registers + 4 * (size_t)from->sample_mask);
    if (from->color[0] != SCH_LINK_NO_REGISTER && (output->alpha_to_coverage || output->alpha_test)) {
        memcpy(color, registers + 4 * (size_t)from->color[0], sizeof color);
        if (output->alpha_to_coverage && !(masked && output->replaces_coverage))
            cover_by_alpha(output, group, &color[3]);
        if (output->alpha_to_one || group->smooth) change_alpha(output, group, color);
        if (output->alpha_test)
            lanes &= output->ops->alpha_test(output->alpha_function, output->alpha_reference, output->clamp, &color[3]);
    }
    for (uint32_t s = 0; s < output->pattern.samples; s++) group->masks[s] &= lanes;
}

uint32_t sch_output_write(const struct sch_output *output, struct sch_tile_group *group, uint32_t lanes,
                          const struct sch_lanes *registers)
{
    const struct sch_output_tested tested = sch_output_tested_with(output, registers);
    uint32_t passed = 0;
    sch_output_restrict(output, group, lanes, registers);
    if (!output->early) passed = test_samples(output, group, &tested);
    if (sch_tile_covered(group, output->pattern.samples)) write_colors(output, group, registers);
    return passed;
}
