/* The library's objects for those of a scene. */
#include <stdlib.h>

#include "player.h"

/* ---- shaders ----------------------------------------------------------------------------------------------------- */

struct sch_program *sch_scene_program(struct sch_scene_player *player, const struct sch_scene_object *object)
{
    const struct sch_scene_shader *shader = &object->shader;
    struct sch_player_program *made = &sch_scene_live(player, object)->program;
    struct sch_program_options options = player->options->program;
    if (made->program) return made->program;
    if (shader->maxwell) options.engine = SCH_ENGINE_MAXWELL;
    const enum sch_result result =
        sch_player_program_make(player->base.context, &shader->from, &options, player->list, made);
    sch_scene_told(player, &object->place, result, object->name);
    if (made->other_stage) sch_scene_wrong(player, &object->place, "%s is a shader of another stage", object->name);
    return made->program;
}

/* ---- resources --------------------------------------------------------------------------------------------------- */

static enum sch_result make_buffer(struct sch_scene_player *player, const struct sch_scene_bytes *bytes,
                                   struct sch_resource **made)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = SCH_TARGET_BUFFER,
                                                 .format = SCH_FORMAT_R8_UINT,
                                                 .width = (uint32_t)bytes->bytes};
    enum sch_result result = sch_resource_create(player->base.context, &options, player->list, made);
    if (result == SCH_OK) result = sch_resource_write_all(*made, bytes->data, bytes->bytes);
    return result;
}

struct sch_resource *sch_scene_resource(struct sch_scene_player *player, const struct sch_scene_object *object)
{
    struct sch_player_object *live = sch_scene_live(player, object);
    if (live->resource) return live->resource;
    if (object->kind == SCH_SCENE_BUFFER) {
        sch_scene_told(player, &object->place, make_buffer(player, &object->buffer, &live->resource), object->name);
        return player->stop == SCH_OK ? live->resource : NULL;
    }
    const enum sch_result result =
        sch_resource_create(player->base.context, &object->texture.options, player->list, &live->resource);
    if (!sch_scene_told(player, &object->place, result, object->name)) return NULL;
    return sch_scene_fill(player, object, live->resource) ? live->resource : NULL;
}

struct sch_sampler *sch_scene_sampler(struct sch_scene_player *player, const struct sch_scene_object *object)
{
    struct sch_player_object *live = sch_scene_live(player, object);
    if (!live->sampler)
        sch_scene_told(player, &object->place,
                       sch_sampler_create(player->base.context, &object->sampler, player->list, &live->sampler),
                       object->name);
    return live->sampler;
}

struct sch_stream_target *sch_scene_stream_target(struct sch_scene_player *player,
                                                  const struct sch_scene_object *object)
{
    struct sch_player_object *live = sch_scene_live(player, object);
    if (live->stream_target) return live->stream_target;
    const struct sch_stream_target_options options = {.size = sizeof options,
                                                      .resource =
                                                          sch_scene_resource(player, object->stream_target.buffer),
                                                      .offset = object->stream_target.offset,
                                                      .bytes = object->stream_target.bytes};
    if (options.resource)
        sch_scene_told(player, &object->place,
                       sch_stream_target_create(player->base.context, &options, player->list, &live->stream_target),
                       object->name);
    return live->stream_target;
}

/* ---- state ------------------------------------------------------------------------------------------------------- */

struct sch_vertex_elements *sch_scene_elements(struct sch_scene_player *player, const struct sch_scene_object *object)
{
    struct sch_player_object *live = sch_scene_live(player, object);
    const bool mesh = object->kind == SCH_SCENE_MESH;
    if (!live->elements)
        sch_scene_told(player, &object->place,
                       sch_vertex_elements_create(player->base.context,
                                                  mesh ? object->mesh.attributes : object->elements.elements,
                                                  mesh ? object->mesh.attribute_count : object->elements.count,
                                                  sizeof(struct sch_vertex_element), player->list, &live->elements),
                       "vertex elements");
    return live->elements;
}

bool sch_scene_state(struct sch_scene_player *player, const struct sch_scene_object *object)
{
    struct sch_player_object *live = sch_scene_live(player, object);
    enum sch_result result = SCH_OK;
    if (object->kind == SCH_SCENE_RASTERIZER && !live->rasterizer)
        result = sch_rasterizer_create(player->base.context, &object->rasterizer, player->list, &live->rasterizer);
    else if (object->kind == SCH_SCENE_DEPTH_STENCIL_ALPHA && !live->depth_stencil_alpha)
        result = sch_depth_stencil_alpha_create(player->base.context, &object->depth_stencil_alpha, player->list,
                                                &live->depth_stencil_alpha);
    else if (object->kind == SCH_SCENE_BLEND && !live->blend)
        result = sch_blend_create(player->base.context, &object->blend, player->list, &live->blend);
    else if (object->kind == SCH_SCENE_STREAM_OUTPUT && !live->stream_output)
        result =
            sch_stream_output_create(player->base.context, &object->stream_output, player->list, &live->stream_output);
    return sch_scene_told(player, &object->place, result, sch_scene_kind_words[object->kind]);
}

struct sch_query *sch_scene_query(struct sch_scene_player *player, const struct sch_scene_object *object)
{
    struct sch_player_object *live = sch_scene_live(player, object);
    if (!live->query)
        sch_scene_told(player, &object->place,
                       sch_query_create(player->base.context, object->query.kind, object->query.index, &live->query),
                       object->name);
    return live->query;
}

/* ---- the end ----------------------------------------------------------------------------------------------------- */

void sch_scene_live_release(struct sch_scene_player *player)
{
    for (uint32_t i = 0; i < player->scene->object_count && player->live; i++)
        sch_player_object_release(&player->live[i]);
    free(player->live);
    player->live = NULL;
}
