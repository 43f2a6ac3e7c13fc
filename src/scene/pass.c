/* A pass: its framebuffer, and its commands in their order. */
#include <stdlib.h>
#include <string.h>

#include "pass.h"

/* ---- the framebuffer --------------------------------------------------------------------------------------------- */

static bool make_framebuffer(struct sch_scene_pass_run *run, const struct sch_scene_place *place)
{
    struct sch_scene_player *player = run->player;
    const struct sch_scene_pass *pass = run->pass;
    const struct sch_framebuffer_options options = {.size = sizeof options,
                                                    .width = pass->width,
                                                    .height = pass->height,
                                                    .layers = pass->layers,
                                                    .samples = pass->samples};
    struct sch_player_target targets[SCH_PLAYER_TARGETS] = {{0}};
    unsigned wrong;
    for (unsigned i = 0; i < SCH_PLAYER_TARGETS; i++) {
        const struct sch_scene_attachment *from = i < SCH_COLOR_BUFFERS ? &pass->colors[i] : &pass->depth_stencil;
        if (!from->texture) continue;
        targets[i] = (struct sch_player_target){true, sch_scene_resource(player, from->texture), from->options};
    }
    if (player->stop != SCH_OK) return false;
    const enum sch_result result =
        sch_player_framebuffer_make(player->base.context, targets, &options, player->list, &run->state.target, &wrong);
    if (wrong == SCH_PLAYER_TARGETS) return sch_scene_told(player, place, result, "the framebuffer");
    const struct sch_scene_attachment *at = wrong < SCH_COLOR_BUFFERS ? &pass->colors[wrong] : &pass->depth_stencil;
    return sch_scene_told(player, &at->place, result, at->texture->name);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

static void do_use(struct sch_scene_pass_run *run, const struct sch_scene_object *object)
{
    const struct sch_player_object *live = sch_scene_live(run->player, object);
    sch_scene_state(run->player, object);
    switch (object->kind) {
    case SCH_SCENE_SHADER:
        run->shaders[object->shader.from.stage] = object;
        break;
    case SCH_SCENE_ELEMENTS:
        run->elements = object;
        break;
    case SCH_SCENE_RASTERIZER:
        run->rasterizer = object;
        run->state.draw.rasterizer = live->rasterizer;
        break;
    case SCH_SCENE_DEPTH_STENCIL_ALPHA:
        run->state.draw.depth_stencil_alpha = live->depth_stencil_alpha;
        break;
    case SCH_SCENE_BLEND:
        run->state.draw.blend = live->blend;
        break;
    case SCH_SCENE_STREAM_OUTPUT:
        run->stream_output = object;
        break;
    default: /* SCH_SCENE_DYNAMIC */
        run->dynamic = object;
    }
}

/* Each colour buffer by itself: what the numbers mean depends on its format. */
static void do_clear(struct sch_scene_pass_run *run, const struct sch_scene_command *command)
{
    const struct sch_scene_clear *wanted = command->clear;
    struct sch_scene_player *player = run->player;
    struct sch_framebuffer_clear clear = {.size = sizeof clear,
                                          .depth = wanted->depth,
                                          .stencil = wanted->stencil,
                                          .scissored = wanted->scissored,
                                          .scissor = wanted->scissor};
    enum sch_result result = SCH_OK;
    for (uint32_t i = 0; i < SCH_COLOR_BUFFERS && result == SCH_OK; i++) {
        if (!(wanted->parts & SCH_PART_COLOR) || !run->state.target.formats[i]) continue;
        if (wanted->colors && !(wanted->colors >> i & 1)) continue;
        clear.parts = SCH_PART_COLOR;
        clear.colors = 1u << i;
        sch_scene_color_of(wanted->color, run->state.target.formats[i], &clear.color);
        result = sch_renderer_clear(player->base.renderer, run->state.target.framebuffer, &clear, player->list);
    }
    clear.parts = wanted->parts & (SCH_PART_DEPTH | SCH_PART_STENCIL);
    if (result == SCH_OK && clear.parts)
        result = sch_renderer_clear(player->base.renderer, run->state.target.framebuffer, &clear, player->list);
    sch_scene_told(player, &command->place, result, "clear");
}

static void do_query(struct sch_scene_pass_run *run, const struct sch_scene_command *command)
{
    struct sch_scene_player *player = run->player;
    struct sch_query *query = command->object ? sch_scene_query(player, command->object) : NULL;
    if (command->kind == SCH_SCENE_DO_CONDITION) {
        sch_renderer_set_condition(player->base.renderer, query, command->inverted);
        return;
    }
    if (!query) return;
    const bool begins = command->kind == SCH_SCENE_DO_BEGIN;
    bool *begun = &player->begun[command->object->number];
    if (*begun == begins) {
        sch_scene_wrong(player, &command->place, "the query has %sbegun", begins ? "" : "not ");
        return;
    }
    *begun = begins;
    sch_scene_told(player, &command->place,
                   begins ? sch_renderer_begin_query(player->base.renderer, query)
                          : sch_renderer_end_query(player->base.renderer, query),
                   command->object->name);
}

static void do_filled(struct sch_scene_player *player, const struct sch_scene_command *command)
{
    struct sch_stream_target *target = sch_scene_stream_target(player, command->object);
    if (target && sch_stream_target_set_filled(target, command->offset) != SCH_OK)
        sch_scene_wrong(player, &command->place, "%s cannot be filled with %llu bytes", command->object->name,
                        (unsigned long long)command->offset);
}

static void do_command(struct sch_scene_pass_run *run, const struct sch_scene_command *command)
{
    sch_scene_label(run->player, &command->place);
    sch_scene_reached(run->player);
    switch (command->kind) {
    case SCH_SCENE_DO_CLEAR:
        do_clear(run, command);
        break;
    case SCH_SCENE_DO_USE:
        do_use(run, command->object);
        break;
    case SCH_SCENE_DO_WITHOUT:
        run->shaders[command->slot] = NULL;
        break;
    case SCH_SCENE_DO_BIND:
        sch_scene_do_bind(run, command);
        break;
    case SCH_SCENE_DO_VERTEX_BUFFER:
        run->state.vertex_buffers[command->slot] = (struct sch_vertex_buffer){
            .resource = sch_scene_resource(run->player, command->object), .offset = command->offset};
        break;
    case SCH_SCENE_DO_STREAM:
        run->state.draw.stream_targets[command->slot] =
            command->object ? sch_scene_stream_target(run->player, command->object) : NULL;
        break;
    case SCH_SCENE_DO_FILLED:
        do_filled(run->player, command);
        break;
    case SCH_SCENE_DO_DRAW:
        sch_scene_do_draw(run, command);
        break;
    case SCH_SCENE_DO_BEGIN:
    case SCH_SCENE_DO_END:
    case SCH_SCENE_DO_CONDITION:
        do_query(run, command);
        break;
    }
}

/* ---- measuring --------------------------------------------------------------------------------------------------- */

enum { MEASURES = 3 };
static const enum sch_query_kind measured[MEASURES] = {SCH_QUERY_PIPELINE_STATISTICS, SCH_QUERY_OCCLUSION_COUNTER,
                                                       SCH_QUERY_TIME_ELAPSED};

static bool begin_stats(struct sch_scene_player *player, const struct sch_scene_place *place,
                        struct sch_query *queries[MEASURES])
{
    enum sch_result result = SCH_OK;
    for (unsigned i = 0; i < MEASURES && result == SCH_OK; i++) {
        result = sch_query_create(player->base.context, measured[i], 0, &queries[i]);
        if (result == SCH_OK) result = sch_renderer_begin_query(player->base.renderer, queries[i]);
    }
    return sch_scene_told(player, place, result, "statistics");
}

static void end_stats(struct sch_scene_pass_run *run, const struct sch_scene_place *place,
                      struct sch_query *queries[MEASURES])
{
    struct sch_scene_player *player = run->player;
    struct sch_query_result results[MEASURES] = {{0}};
    enum sch_result result = SCH_OK;
    for (unsigned i = 0; i < MEASURES && result == SCH_OK; i++)
        result = sch_renderer_end_query(player->base.renderer, queries[i]);
    if (result == SCH_OK) result = sch_renderer_flush(player->base.renderer, NULL);
    for (unsigned i = 0; i < MEASURES && result == SCH_OK; i++) result = sch_query_get_result(queries[i], &results[i]);
    if (!sch_scene_told(player, place, result, "statistics") || !player->watch->passed) return;
    struct sch_scene_stats stats = {.name = run->pass->name,
                                    .number = player->passes,
                                    .draws = run->draws,
                                    .samples = results[1].values[0],
                                    .nanoseconds = results[2].values[0]};
    memcpy(stats.statistics, results[0].values, sizeof stats.statistics);
    player->watch->passed(player->watch->user, &stats);
}

/* ---- the pass ---------------------------------------------------------------------------------------------------- */

static void release(struct sch_scene_pass_run *run)
{
    sch_renderer_set_condition(run->player->base.renderer, NULL, false);
    sch_renderer_flush(run->player->base.renderer, NULL);
    sch_scene_unbind(run);
    sch_player_state_release(&run->state);
}

void sch_scene_pass(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    struct sch_scene_pass_run run = {.player = player, .pass = step->pass};
    struct sch_query *queries[MEASURES] = {0};
    const bool stats = player->options->stats;
    bool good = make_framebuffer(&run, &step->place);
    if (good && stats) good = begin_stats(player, &step->place, queries);
    for (const struct sch_scene_command *command = step->pass->commands; command && player->stop == SCH_OK;
         command = command->next)
        do_command(&run, command);
    if (good && stats && player->stop == SCH_OK) end_stats(&run, &step->place, queries);
    release(&run);
    sch_scene_label(player, &step->place);
    for (unsigned i = 0; i < MEASURES; i++) sch_query_destroy(queries[i]);
    player->passes++;
}
