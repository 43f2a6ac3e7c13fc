/* A draw of a pass: its state, what it reads, and why it ended. */
#include <time.h>

#include "pass.h"

/* ---- viewports --------------------------------------------------------------------------------------------------- */

static void make_dynamic(const struct sch_scene_pass_run *run, struct sch_dynamic_state *state)
{
    static const struct sch_scene_dynamic none;
    const struct sch_scene_dynamic *given = run->dynamic ? &run->dynamic->dynamic : &none;
    const struct sch_player_rectangle whole = {0, 0, (float)run->state.target.width, (float)run->state.target.height,
                                               0, 1};
    const bool halfz = run->rasterizer && run->rasterizer->rasterizer.clip_halfz;
    *state = given->state;
    if (!run->dynamic) {
        state->size = sizeof *state;
        sch_dynamic_state_default(state);
    }
    for (uint32_t i = 0; i < state->viewport_count; i++) {
        if (!(given->given >> i & 1)) state->viewports[i] = sch_player_viewport(&whole, halfz);
        if (given->rectangles >> i & 1) state->viewports[i] = sch_player_viewport(&given->viewports[i], halfz);
    }
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* What is left of the limits that hold for the whole scene. */
static bool limit(struct sch_scene_player *player, struct sch_dispatch_options *options)
{
    *options = player->options->dispatch;
    options->diagnostics = player->list;
    if (player->label != player->options->debug_label) options->debug = NULL;
    if (options->work) options->work = player->work_left;
    if (options->deadline_ms) {
        const uint64_t time = now();
        if (!player->deadline) player->deadline = time + (uint64_t)options->deadline_ms * 1000000u;
        if (time >= player->deadline) return false;
        options->deadline_ms = (uint32_t)((player->deadline - time + 999999u) / 1000000u);
    }
    return !player->options->dispatch.work || player->work_left;
}

/* Why a draw ended early, in words. */
static bool ended(struct sch_scene_pass_run *run, const struct sch_scene_command *command, enum sch_result result,
                  const struct sch_dispatch_report *report)
{
    struct sch_scene_player *player = run->player;
    if (player->options->dispatch.work)
        player->work_left -= report->instructions < player->work_left ? report->instructions : player->work_left;
    if (!sch_player_ended_early(result)) return sch_scene_told(player, &command->place, result, "the draw");
    const struct sch_scene_object *shader = run->shaders[report->stage];
    sch_scene_told(player, &command->place, SCH_OK, NULL);
    sch_scene_wrong(player, &command->place, "%s, in shader %s, line %u", sch_result_text(result),
                    shader ? shader->name : "", report->line);
    player->stop = result;
    return false;
}

/* ---- the draw ---------------------------------------------------------------------------------------------------- */

static void take_mesh(const struct sch_scene_draw *wanted, struct sch_vertex_buffer *buffer, struct sch_draw *draw)
{
    const struct sch_scene_mesh *mesh = &wanted->mesh->mesh;
    *buffer = (struct sch_vertex_buffer){.memory = mesh->vertices.data, .memory_bytes = mesh->vertices.bytes};
    const bool indexed = mesh->indices && !wanted->indices;
    const uint32_t all = indexed ? mesh->index_count : mesh->vertex_count;
    if (indexed) {
        draw->index_bytes = 4;
        draw->indices = (struct sch_vertex_buffer){.memory = mesh->indices, .memory_bytes = (size_t)all * 4};
    }
    if (!wanted->has_count) draw->count = all > draw->start ? all - draw->start : 0;
}

static void fill_draw(struct sch_scene_player *player, const struct sch_scene_draw *wanted, struct sch_draw *draw)
{
    *draw = wanted->draw;
    if (wanted->indices) draw->indices.resource = sch_scene_resource(player, wanted->indices);
    if (wanted->indirect) draw->indirect = sch_scene_resource(player, wanted->indirect);
    if (wanted->target) draw->count_target = sch_scene_stream_target(player, wanted->target);
    if (wanted->count_buffer) draw->count_buffer = sch_scene_resource(player, wanted->count_buffer);
}

static void link_shaders(struct sch_scene_pass_run *run, const struct sch_scene_place *place,
                         const struct sch_pipeline **pipeline)
{
    struct sch_scene_player *player = run->player;
    const struct sch_stream_output *stream =
        run->stream_output ? sch_scene_live(player, run->stream_output)->stream_output : NULL;
    const struct sch_program *programs[SCH_PLAYER_STAGES] = {0};
    for (unsigned stage = 0; stage < SCH_PLAYER_STAGES; stage++)
        if (run->shaders[stage] && player->stop == SCH_OK)
            programs[stage] = sch_scene_program(player, run->shaders[stage]);
    if (player->stop == SCH_OK)
        sch_scene_told(player, place, sch_player_link(&player->base, programs, stream, player->list, pipeline),
                       "linking");
}

void sch_scene_do_draw(struct sch_scene_pass_run *run, const struct sch_scene_command *command)
{
    struct sch_scene_player *player = run->player;
    const struct sch_scene_draw *wanted = command->draw;
    struct sch_player_state state = run->state; /* this draw's */
    struct sch_dispatch_options options;
    struct sch_dispatch_report report = {.size = sizeof report};
    struct sch_draw draw;
    const struct sch_scene_object *elements = run->elements ? run->elements : wanted->mesh;
    if (!run->shaders[SCH_STAGE_VERTEX]) {
        sch_scene_wrong(player, &command->place, "no vertex shader is used");
        return;
    }
    link_shaders(run, &command->place, &state.draw.pipeline);
    fill_draw(player, wanted, &draw);
    if (wanted->mesh) take_mesh(wanted, state.vertex_buffers, &draw);
    if (elements) state.draw.vertex_elements = sch_scene_elements(player, elements);
    make_dynamic(run, &state.dynamic);
    if (player->stop != SCH_OK) return;
    run->draws++;
    const bool more = limit(player, &options);
    options.heat = sch_scene_heat_of(run);
    if (more) {
        ended(run, command, sch_player_draw(&player->base, &state, &draw, &options, &report), &report);
    } else {
        player->stop = options.work == 0 && player->options->dispatch.work ? SCH_ERROR_WORK : SCH_ERROR_DEADLINE;
        const enum sch_result why = player->stop;
        sch_scene_wrong(player, &command->place, "%s", sch_result_text(why));
        player->stop = why;
    }
}
