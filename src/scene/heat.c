/* What happens at the pixels of a texture while a scene draws to it: which texture it is, and which draws are counted.
 * What is counted the library says (struct sch_heat). */
#include "pass.h"

bool sch_scene_begin_heat(struct sch_scene_player *player)
{
    struct sch_scene_heat *heat = player->options->heat;
    struct sch_resource_info is;
    if (!sch_scene_open_output(player, heat->target, &player->heated, &is, heat->problem)) return false;
    heat->name = player->heated.texture->name;
    player->heat = heat->begin(heat->user, is.width, is.height);
    if (!player->heat) player->stop = SCH_ERROR_MEMORY;
    return player->heat;
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
