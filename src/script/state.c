/* The pipeline's state around the shaders: what lines of a script set, and the library's objects of it. */
#include <string.h>
#include <strings.h>

#include "run.h"

void sch_script_state_reset(struct sch_script_state *state)
{
    *state = (struct sch_script_state){.sample_mask = UINT32_MAX};
}

static void set_viewport(struct sch_script_state *state, const struct sch_script_setting *setting)
{
    const float *given = setting->values;
    const struct sch_player_rectangle rectangle = {given[0], given[1], given[2], given[3], 0, 1};
    state->viewports[setting->number] = sch_player_viewport(&rectangle, true);
    if (state->viewport_count <= setting->number) state->viewport_count = setting->number + 1;
}

/* The size, from the least to the greatest one. */
static float limited(const float values[3])
{
    if (values[0] < values[1]) return values[1];
    return values[0] > values[2] ? values[2] : values[0];
}

void sch_script_state_set(struct sch_script_state *state, const struct sch_script_setting *setting)
{
    switch (setting->kind) {
    case SCH_SCRIPT_SET_VIEWPORT:
        set_viewport(state, setting);
        break;
    case SCH_SCRIPT_SET_DEPTH_BOUNDS:
        state->depth_bounds = true;
        state->depth_bounds_min = setting->values[0];
        state->depth_bounds_max = setting->values[1];
        break;
    case SCH_SCRIPT_SET_ALPHA_TEST:
        state->alpha = setting->compare;
        state->alpha_reference = setting->values[0];
        break;
    case SCH_SCRIPT_SET_CLIP_PLANE:
        state->clip_planes |= 1u << setting->number;
        memcpy(state->planes[setting->number], setting->values, sizeof setting->values);
        break;
    case SCH_SCRIPT_SET_POINT_SIZE:
        state->point_size = limited(setting->values);
        break;
    case SCH_SCRIPT_SET_POINT_SPRITE:
        state->sprites = setting->on;
        break;
    case SCH_SCRIPT_SET_SHADE_MODE:
        state->flat = setting->on;
    }
}

/* The inputs that sprites have coordinates for: of Direct3D shaders those with the name texcoord, which are GENERIC
 * with their register's number; else all TEXCOORD. */
static void choose_sprites(const struct sch_script_loaded *pixel, struct sch_rasterizer_options *options)
{
    struct sch_signature_info input = {.size = sizeof input};
    options->point_quad_rasterization = true;
    options->sprite_coord_enable = UINT32_MAX;
    if (sch_shader_language(pixel->made.shader) != SCH_LANGUAGE_D3D) return;
    options->sprite_coord_enable = 0;
    options->sprite_coord_generic = true;
    for (uint32_t i = 0; sch_shader_signature(pixel->made.shader, SCH_SIGNATURE_INPUT, i, &input); i++)
        if (input.register_number < 32 && strcasecmp(input.name, "texcoord") == 0)
            options->sprite_coord_enable |= 1u << input.register_number;
}

/* The last program's clip distances count, all of them; else the planes that were set. */
static uint32_t choose_planes(const struct sch_script_run *run)
{
    static const enum sch_script_stage before[] = {SCH_SCRIPT_DOMAIN, SCH_SCRIPT_GEOMETRY};
    const struct sch_script_loaded *last = &run->shader[SCH_SCRIPT_VERTEX];
    struct sch_register_info at = {.size = sizeof at};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        if (run->shader[before[i]].there) last = &run->shader[before[i]];
    for (uint32_t i = 0; last->there && sch_shader_register(last->registers, SCH_FILE_OUTPUT, i, &at); i++)
        if (strcmp(at.semantic_name, "CLIPDIST") == 0) return (1u << SCH_CLIP_PLANES) - 1;
    return run->state.clip_planes;
}

/* Direct3D's rules, without culling. */
enum sch_result sch_script_rasterizer_make(const struct sch_script_run *run, struct sch_diagnostics_list *list,
                                           struct sch_rasterizer **made)
{
    struct sch_rasterizer_options options = {.size = sizeof options};
    sch_rasterizer_options_default(&options);
    options.clip_halfz = options.flatshade_first = options.scissor = true;
    options.front_ccw = false;
    options.flatshade = run->state.flat;
    options.clip_plane_enable = choose_planes(run);
    if (run->state.point_size > 0) options.point_size = run->state.point_size;
    if (run->state.sprites) choose_sprites(&run->shader[SCH_SCRIPT_PIXEL], &options);
    return sch_rasterizer_create(run->context, &options, list, made);
}

enum sch_result sch_script_tests_make(const struct sch_script_run *run, bool depth, struct sch_diagnostics_list *list,
                                      struct sch_depth_stencil_alpha **made)
{
    const struct sch_script_state *state = &run->state;
    struct sch_depth_stencil_alpha_options options = {.size = sizeof options};
    sch_depth_stencil_alpha_options_default(&options);
    options.depth_enabled = options.depth_writes = depth;
    options.depth_function = state->depth ? state->depth : SCH_COMPARE_LESS;
    options.depth_bounds = state->depth_bounds;
    options.depth_bounds_min = state->depth_bounds_min;
    options.depth_bounds_max = state->depth_bounds_max;
    options.alpha_enabled = state->alpha != SCH_COMPARE_NONE;
    options.alpha_function = state->alpha;
    options.alpha_reference = state->alpha_reference;
    return sch_depth_stencil_alpha_create(run->context, &options, list, made);
}

void sch_script_dynamic_make(const struct sch_script_run *run, const struct sch_player_framebuffer *target,
                             struct sch_scissor box, struct sch_dynamic_state *made)
{
    const struct sch_script_state *state = &run->state;
    const struct sch_player_rectangle whole = {0, 0, (float)target->width, (float)target->height, 0, 1};
    made->size = sizeof *made;
    sch_dynamic_state_default(made);
    made->viewports[0] = sch_player_viewport(&whole, true);
    if (state->viewport_count) {
        made->viewport_count = state->viewport_count;
        memcpy(made->viewports, state->viewports, sizeof state->viewports);
    }
    for (unsigned i = 0; i < SCH_VIEWPORTS; i++) made->scissors[i] = box;
    memcpy(made->clip_planes, state->planes, sizeof state->planes);
    made->sample_mask = state->sample_mask;
}
