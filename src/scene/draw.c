/* A draw of a pass: its state, what it reads, and why it ended. */
#include <string.h>
#include <time.h>

#include "pass.h"

/* ---- viewports --------------------------------------------------------------------------------------------------- */

static void make_dynamic(const struct sch_scene_pass_run *run, struct sch_dynamic_state *state)
{
    static const struct sch_scene_dynamic none;
    const struct sch_scene_dynamic *given = run->dynamic ? &run->dynamic->dynamic : &none;
    const struct sch_player_rectangle whole = {0, 0, (float)run->target.width, (float)run->target.height, 0, 1};
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

static void take_mesh(const struct sch_scene_draw *wanted, struct sch_vertex_buffer *buffers, struct sch_draw *draw)
{
    const struct sch_scene_mesh *mesh = &wanted->mesh->mesh;
    buffers[0] = (struct sch_vertex_buffer){.memory = mesh->vertices.data, .memory_bytes = mesh->vertices.bytes};
    const bool indexed = mesh->indices && !wanted->indices;
    const uint32_t all = indexed ? mesh->index_count : mesh->vertex_count;
    if (indexed) {
        draw->index_bytes = 4;
        draw->indices = (struct sch_vertex_buffer){.memory = mesh->indices, .memory_bytes = (size_t)all * 4};
    }
    if (!wanted->has_count) draw->count = all > wanted->start ? all - wanted->start : 0;
}

static void fill_draw(struct sch_scene_pass_run *run, const struct sch_scene_draw *wanted, struct sch_draw *draw)
{
    *draw = (struct sch_draw){.size = sizeof *draw,
                              .primitive = wanted->primitive,
                              .start = wanted->start,
                              .count = wanted->count,
                              .instance_count = wanted->instances,
                              .start_instance = wanted->start_instance,
                              .index_bytes = wanted->index_bytes,
                              .index_bias = wanted->index_bias,
                              .restart = wanted->restart,
                              .restart_index = wanted->restart_index,
                              .draw_id = wanted->draw_id,
                              .ranges = wanted->ranges,
                              .range_count = wanted->range_count,
                              .range_stride = sizeof *wanted->ranges,
                              .indirect_offset = wanted->indirect_offset,
                              .indirect_count = wanted->indirect_count,
                              .indirect_stride = wanted->indirect_stride,
                              .count_offset = wanted->count_offset};
    if (wanted->indices) {
        draw->indices.resource = sch_scene_resource(run->player, wanted->indices);
        draw->indices.offset = wanted->index_offset;
    }
    if (wanted->indirect) draw->indirect = sch_scene_resource(run->player, wanted->indirect);
    if (wanted->target) draw->count_target = sch_scene_stream_target(run->player, wanted->target);
    draw->count_stride = wanted->target_stride;
    if (wanted->count_buffer) draw->count_buffer = sch_scene_resource(run->player, wanted->count_buffer);
}

static void fill_state(struct sch_scene_pass_run *run, const struct sch_scene_draw *wanted,
                       struct sch_draw_state *state)
{
    struct sch_scene_player *player = run->player;
    const struct sch_scene_object *elements = run->elements ? run->elements : wanted->mesh;
    if (elements) state->vertex_elements = sch_scene_elements(player, elements);
    if (run->rasterizer) state->rasterizer = sch_scene_live(player, run->rasterizer)->rasterizer;
    if (run->depth_stencil_alpha)
        state->depth_stencil_alpha = sch_scene_live(player, run->depth_stencil_alpha)->depth_stencil_alpha;
    if (run->blend) state->blend = sch_scene_live(player, run->blend)->blend;
    memcpy(state->stream_targets, run->stream_targets, sizeof state->stream_targets);
    for (unsigned stage = 0; stage < SCH_SCENE_STAGES; stage++)
        if (run->bound[stage]) state->bindings[stage] = &run->bound[stage]->bindings;
}

void sch_scene_do_draw(struct sch_scene_pass_run *run, const struct sch_scene_command *command)
{
    struct sch_scene_player *player = run->player;
    const struct sch_scene_draw *wanted = command->draw;
    struct sch_vertex_buffer buffers[SCH_VERTEX_BUFFERS];
    struct sch_dynamic_state dynamic;
    struct sch_dispatch_options options;
    struct sch_dispatch_report report = {.size = sizeof report};
    struct sch_draw draw;
    struct sch_draw_state state = {.size = sizeof state,
                                   .framebuffer = run->target.framebuffer,
                                   .vertex_buffers = buffers,
                                   .vertex_buffer_count = SCH_VERTEX_BUFFERS,
                                   .vertex_buffer_stride = sizeof *buffers,
                                   .dynamic = &dynamic};
    if (!run->shaders[SCH_STAGE_VERTEX]) {
        sch_scene_wrong(player, &command->place, "no vertex shader is used");
        return;
    }
    state.pipeline = sch_scene_pipeline(player, &command->place, run->shaders, run->stream_output);
    for (unsigned i = 0; i < SCH_VERTEX_BUFFERS; i++) buffers[i] = run->vertex_buffers[i];
    fill_draw(run, wanted, &draw);
    if (wanted->mesh) take_mesh(wanted, buffers, &draw);
    fill_state(run, wanted, &state);
    make_dynamic(run, &dynamic);
    if (player->stop != SCH_OK) return;
    run->draws++;
    const bool more = limit(player, &options);
    options.heat = sch_scene_heat_of(run);
    if (more) {
        ended(run, command, sch_renderer_draw(player->renderer, &state, &draw, &options, &report), &report);
    } else {
        player->stop = options.work == 0 && player->options->dispatch.work ? SCH_ERROR_WORK : SCH_ERROR_DEADLINE;
        const enum sch_result why = player->stop;
        sch_scene_wrong(player, &command->place, "%s", sch_result_text(why));
        player->stop = why;
    }
}
