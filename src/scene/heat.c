/* What happens at the pixels of a texture while a scene draws to it: which texture it is, and which draws are counted.
 * What is counted the library says (struct sch_heat). */
#include <stdio.h>

#include "pass.h"

static bool no_heat(struct sch_scene_player *player, enum sch_result result)
{
    if (player->stop == SCH_OK) player->stop = result;
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

bool sch_scene_begin_heat(struct sch_scene_player *player)
{
    struct sch_scene_heat *heat = player->options->heat;
    struct sch_resource_info is = {.size = sizeof is};
    player->heated = sch_scene_find_output(player->scene, heat->target);
    if (!player->heated.texture) {
        snprintf(heat->problem, sizeof heat->problem,
                 heat->target ? "there is no texture %.100s" : "no colour is drawn; --target names a texture",
                 heat->target);
        return no_heat(player, SCH_ERROR_ARGUMENT);
    }
    struct sch_resource *resource = sch_scene_resource(player, player->heated.texture);
    if (!resource) return false;
    if (!has_level(resource, &player->heated, &is, heat)) return no_heat(player, SCH_ERROR_ARGUMENT);
    heat->name = player->heated.texture->name;
    player->heat = heat->begin(heat->user, is.width, is.height);
    return player->heat || no_heat(player, SCH_ERROR_MEMORY);
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
    const struct sch_scene_player *player = run->player;
    bool writes = player->heat && writes_texture(&run->pass->depth_stencil, &player->heated);
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS && player->heat; i++)
        writes = writes || writes_texture(&run->pass->colors[i], &player->heated);
    if (writes) player->options->heat->draws++;
    return writes ? player->heat : NULL;
}
