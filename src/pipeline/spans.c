/* Which draws have their fragments shaded in spans, and the form of those. Inputs are at the centres of pixels; depth
 * of primitives, stencil and colours are all that is tested and written; and it cannot be seen which fragments share a
 * group or when the ones of a group are written. */
#include "pipeline/spans.h"

#include <string.h>

#include "exec/program.h"
#include "pipeline/rules.h"

static bool program_fits(const struct sch_prepared *program)
{
    const struct sch_prepared_facts *facts = &program->interface.facts;
    if (facts->effects != SCH_EFFECTS_NONE || facts->writes_memory || facts->shows_group) return false;
    if (facts->writes_stencil || facts->writes_sample_mask) return false;
    for (uint32_t n = 0; n < program->instruction_count; n++)
        if (sch_op_info(program->instructions[n].opcode)->shape == SCH_SHAPE_INTERPOLATE) return false;
    return !facts->per_sample && !facts->fetches_framebuffer &&
           !(program->memory.declared_kinds >> SCH_MEMORY_PRIVATE & 1);
}

/* Nothing but tests between the program and the colours. */
static bool output_fits(const struct sch_fragments *fragments)
{
    const struct sch_output *output = &fragments->output;
    const struct sch_rasterizer_options *rasterizer = fragments->draw->rasterizer;
    if (rasterizer->poly_smooth || rasterizer->line_smooth || rasterizer->point_smooth) return false;
    return !output->alpha_to_coverage && !output->alpha_to_one;
}

static bool is_at_centers(const struct sch_fragments *fragments, const struct sch_link_input *input)
{
    return fragments->rules.pattern.samples == 1 || input->location == SCH_LOCATION_CENTER;
}

/* False if code makes no such thing. */
static bool make_input(const struct sch_fragments *fragments, const struct sch_link_input *from,
                       struct sch_fragment_input *to)
{
    static const uint8_t kinds[] = {[SCH_INTERPOLATION_CONSTANT] = SCH_FRAGMENT_CONSTANT,
                                    [SCH_INTERPOLATION_LINEAR] = SCH_FRAGMENT_LINEAR,
                                    [SCH_INTERPOLATION_PERSPECTIVE] = SCH_FRAGMENT_PERSPECTIVE};
    const struct sch_rasterizer_options *rasterizer = fragments->draw->rasterizer;
    to->mask = from->mask;
    if (sch_link_is_sprite(from, rasterizer)) return false;
    switch ((enum sch_link_source)from->source) {
    case SCH_LINK_ATTRIBUTE:
        if (rasterizer->light_twoside && from->back_word != from->word) return false;
        to->kind = kinds[sch_link_interpolation(from, rasterizer)];
        to->word = from->word;
        return to->kind == SCH_FRAGMENT_CONSTANT || is_at_centers(fragments, from);
    case SCH_LINK_POSITION:
        to->kind = SCH_FRAGMENT_POSITION;
        return is_at_centers(fragments, from);
    case SCH_LINK_FACE:
        to->kind = SCH_FRAGMENT_FACE;
        return true;
    case SCH_LINK_MISSING:
        to->kind = SCH_FRAGMENT_FIXED;
        return true;
    default:
        return false;
    }
}

static bool make_inputs(struct sch_fragments *fragments)
{
    struct sch_fragment_spans *spans = &fragments->spans;
    struct sch_fragment_form *form = &spans->form;
    const struct sch_link *link = fragments->draw->link;
    const uint32_t base = fragments->draw->programs[SCH_STAGE_FRAGMENT]->prepared.files[SCH_FILE_INPUT].base;
    if (link->fragment_value_count || link->input_count > SCH_FRAGMENT_INPUTS) return false;
    for (uint32_t n = 0; n < link->input_count; n++) {
        if (!make_input(fragments, &link->inputs[n], &form->input[n])) return false;
        for (unsigned c = 0; c < 4; c++)
            if (form->input[n].mask >> c & 1)
                spans->channels[spans->channel_count++] = base + 4 * link->inputs[n].number + c;
    }
    form->input_count = (uint8_t)link->input_count;
    form->lower_left = fragments->position.lower_left;
    form->integer_center = fragments->position.integer_center;
    form->d3d = fragments->position.d3d;
    spans->values.height = fragments->position.height;
    return true;
}

static void put_face(const struct sch_stencil_face *from, struct sch_stencil_face *to)
{
    if (!from->enabled) return;
    to->enabled = true;
    to->function = from->function;
    to->fail = from->fail;
    to->depth_fail = from->depth_fail;
    to->pass = from->pass;
    to->value_mask = from->value_mask;
    to->write_mask = from->write_mask;
}

static void make_alpha_test(const struct sch_output *output, struct sch_fragment_form *form,
                            struct sch_fragment_values *values)
{
    form->alpha = SCH_FRAGMENT_NO_REGISTER;
    if (!output->alpha_test || output->from->color[0] == SCH_LINK_NO_REGISTER) return;
    form->alpha = output->from->color[0];
    form->alpha_function = output->alpha_function;
    form->clamp = output->clamp;
    values->alpha_reference = output->alpha_reference;
}

/* Members that nothing reads stay 0: draws that differ in them alone have one form. */
static void make_tests(const struct sch_output *output, const struct sch_rasterizer_options *areas,
                       struct sch_fragment_form *form, struct sch_fragment_values *values)
{
    const struct sch_depth_stencil_key *from = &output->depth_stencil;
    struct sch_depth_stencil_key *key = &form->depth_stencil;
    form->depth = SCH_FRAGMENT_NO_REGISTER;
    if (!output->tests) return;
    form->tests = output->early ? SCH_FRAGMENT_EARLY : SCH_FRAGMENT_LATE;
    if (!output->early && output->from->depth != SCH_LINK_NO_REGISTER) {
        form->depth = output->from->depth;
        form->depth_layout = output->depth_layout;
    }
    key->format = from->format;
    key->depth_test = from->depth_test;
    key->depth_writes = from->depth_writes;
    form->depth_ranges = key->depth_test && areas->depth_clamp;
    if (key->depth_test) key->depth_function = from->depth_function;
    key->single = from->single;
    key->depth_bounds = from->depth_bounds;
    if (key->depth_bounds) {
        key->bounds_min = from->bounds_min;
        key->bounds_max = from->bounds_max;
    }
    key->two_sided = from->two_sided;
    for (unsigned face = 0; face < 2; face++) put_face(&from->stencil[face], &key->stencil[face]);
    values->pattern = output->pattern;
    values->depth_stencil = output->framebuffer->depth_stencil;
    values->stencil = output->stencil_values;
}

static void make_colors(const struct sch_output *output, struct sch_fragment_form *form,
                        struct sch_fragment_values *values)
{
    for (uint32_t bits = output->color_buffers; bits; bits &= bits - 1) {
        const uint32_t buffer = (uint32_t)__builtin_ctz(bits);
        struct sch_fragment_color *color = &form->color[form->color_count];
        color->key = output->colors[buffer];
        color->output = output->from->color[output->from->broadcast ? 0 : buffer];
        color->second = color->key.second_source ? output->from->color[1] : SCH_LINK_NO_REGISTER;
        values->targets[form->color_count++] = output->framebuffer->colors[buffer];
    }
    values->colors = output->color_values;
}

void sch_fragments_find_spans(struct sch_fragments *fragments)
{
    const struct sch_rasterizer_options areas = sch_rules_of_areas(fragments->draw);
    const struct sch_tile_rules *rules = &fragments->rules;
    struct sch_fragment_spans *spans = &fragments->spans;
    memset(spans, 0, sizeof *spans); /* forms are compared as bytes */
    if (fragments->history || rules->per_sample || rules->whole_blocks) return;
    if (!program_fits(&fragments->draw->programs[SCH_STAGE_FRAGMENT]->prepared)) return;
    if (!output_fits(fragments) || !make_inputs(fragments)) return;
    spans->form.samples = (uint8_t)rules->pattern.samples;
    spans->values.sample_mask = rules->sample_mask;
    make_alpha_test(&fragments->output, &spans->form, &spans->values);
    make_tests(&fragments->output, &areas, &spans->form, &spans->values);
    make_colors(&fragments->output, &spans->form, &spans->values);
    spans->any = true;
}
