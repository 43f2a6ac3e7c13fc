/* What happens at the pixels of a texture while a scene draws to it: which texture it is, and which draws are counted.
 * What is counted the library says (struct sch_heat). */
#include <stdio.h>

#include "pass.h"

static bool no_heat(struct sch_scene_world *world, enum sch_result result)
{
    if (world->stop == SCH_OK) world->stop = result;
    return false;
}

/* Whether the texture has the level and layer; otherwise the problem says so. */
static bool has_level(const struct sch_resource *resource, const struct sch_scene_output *output,
                      struct sch_resource_info *is, struct sch_scene_heat *heat)
{
    if (sch_resource_get_info(resource, output->level, is) == SCH_OK &&
        output->layer < (is->target == SCH_TARGET_3D ? is->depth : is->layers))
        return true;
    snprintf(heat->problem, sizeof heat->problem, "%.60s has no such level or layer", output->texture->name);
    return false;
}

bool sch_scene_begin_heat(struct sch_scene_world *world)
{
    struct sch_scene_heat *heat = world->options->heat;
    struct sch_resource_info is = {.size = sizeof is};
    world->heated = sch_scene_find_output(world->scene, heat->target);
    if (!world->heated.texture) {
        snprintf(heat->problem, sizeof heat->problem,
                 heat->target ? "there is no texture %.100s" : "no colour is drawn; --target names a texture",
                 heat->target);
        return no_heat(world, SCH_ERROR_ARGUMENT);
    }
    struct sch_resource *resource = sch_scene_resource(world, world->heated.texture);
    if (!resource) return false;
    if (!has_level(resource, &world->heated, &is, heat)) return no_heat(world, SCH_ERROR_ARGUMENT);
    heat->name = world->heated.texture->name;
    world->heat = heat->begin(heat->user, is.width, is.height);
    return world->heat || no_heat(world, SCH_ERROR_MEMORY);
}

static bool writes_texture(const struct sch_scene_attachment *attachment, const struct sch_scene_output *output)
{
    const struct sch_surface_options *surface = &attachment->options;
    if (attachment->texture != output->texture || surface->level != output->level) return false;
    return output->layer >= surface->first_layer &&
           (!surface->layer_count || output->layer - surface->first_layer < surface->layer_count);
}

const struct sch_heat *sch_scene_heat_of(const struct sch_scene_pass_run *run)
{
    const struct sch_scene_world *world = run->world;
    bool writes = world->heat && writes_texture(&run->pass->depth_stencil, &world->heated);
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS && world->heat; i++)
        writes = writes || writes_texture(&run->pass->colors[i], &world->heated);
    if (writes) world->options->heat->draws++;
    return writes ? world->heat : NULL;
}
