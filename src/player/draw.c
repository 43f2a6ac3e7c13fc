/* Draws: their bindings, framebuffers and viewports, the pipelines that are linked. */
#include <stdlib.h>
#include <string.h>

#include "player.h"

struct sch_player_bindings *sch_player_bindings_create(void)
{
    struct sch_player_bindings *bound = malloc(sizeof *bound);
    if (bound)
        *bound = (struct sch_player_bindings){.bindings = {.size = sizeof bound->bindings,
                                                           .constants = bound->constants,
                                                           .views = bound->views,
                                                           .samplers = bound->samplers,
                                                           .images = bound->images,
                                                           .buffers = bound->buffers,
                                                           .hw_atomics = bound->counters}};
    return bound;
}

static void add_target(const struct sch_player_target *target, enum sch_format *format,
                       struct sch_player_framebuffer *made)
{
    struct sch_resource_info is = {.size = sizeof is};
    sch_resource_get_info(target->resource, target->options.level, &is);
    *format = target->options.format ? target->options.format : is.format;
    if (!made->width || is.width < made->width) made->width = is.width;
    if (!made->height || is.height < made->height) made->height = is.height;
    made->samples = is.samples;
}

enum sch_result sch_player_framebuffer_make(struct sch_context *context,
                                            const struct sch_player_target targets[SCH_PLAYER_TARGETS],
                                            const struct sch_framebuffer_options *options,
                                            struct sch_diagnostics_list *list, struct sch_player_framebuffer *made,
                                            unsigned *wrong)
{
    struct sch_framebuffer_options all = *options;
    enum sch_result result = SCH_OK;
    unsigned i = 0;
    for (; i < SCH_PLAYER_TARGETS && result == SCH_OK; i++) {
        struct sch_surface **surface = i < SCH_COLOR_BUFFERS ? &all.colors[i] : &all.depth_stencil;
        if (!targets[i].given) continue;
        result = sch_surface_create(targets[i].resource, &targets[i].options, list, surface);
        if (result == SCH_OK) add_target(&targets[i], &made->formats[i], made);
    }
    *wrong = result == SCH_OK ? SCH_PLAYER_TARGETS : i - 1;
    if (!made->width) made->width = options->width;
    if (!made->height) made->height = options->height;
    if (result == SCH_OK) result = sch_framebuffer_create(context, &all, list, &made->framebuffer);
    for (i = 0; i < SCH_COLOR_BUFFERS; i++) sch_surface_destroy(all.colors[i]);
    sch_surface_destroy(all.depth_stencil);
    return result;
}

/* Clip space has y upwards, pictures have it downwards. */
struct sch_viewport sch_player_viewport(const struct sch_player_rectangle *from, bool halfz)
{
    const float depth = from->far - from->near;
    return (struct sch_viewport){
        {from->width / 2, -from->height / 2, halfz ? depth : depth / 2},
        {from->x + from->width / 2, from->y + from->height / 2, halfz ? from->near : (from->near + from->far) / 2}};
}

bool sch_player_ended_early(enum sch_result result)
{
    return result == SCH_ERROR_BUDGET || result == SCH_ERROR_ABORTED || result == SCH_ERROR_WORK ||
           result == SCH_ERROR_DEADLINE || result == SCH_ERROR_CANCELLED;
}

/* ---- pipelines -------------------------------------------------------------------------------------------------- */

struct sch_player_linked {
    const struct sch_program *programs[SCH_PLAYER_STAGES];
    const struct sch_stream_output *stream_output;
    struct sch_pipeline *pipeline;
    struct sch_player_linked *next;
};

enum sch_result sch_player_link(struct sch_player *player, const struct sch_program *const programs[SCH_PLAYER_STAGES],
                                const struct sch_stream_output *stream_output, struct sch_diagnostics_list *list,
                                const struct sch_pipeline **pipeline)
{
    struct sch_player_linked *linked = player->linked;
    while (linked &&
           (memcmp(linked->programs, programs, sizeof linked->programs) != 0 || linked->stream_output != stream_output))
        linked = linked->next;
    if (!linked) {
        const struct sch_pipeline_options options = {.size = sizeof options,
                                                     .vertex = programs[SCH_STAGE_VERTEX],
                                                     .tess_ctrl = programs[SCH_STAGE_TESS_CTRL],
                                                     .tess_eval = programs[SCH_STAGE_TESS_EVAL],
                                                     .geometry = programs[SCH_STAGE_GEOMETRY],
                                                     .fragment = programs[SCH_STAGE_FRAGMENT],
                                                     .stream_output = stream_output};
        linked = calloc(1, sizeof *linked);
        if (!linked) return SCH_ERROR_MEMORY;
        const enum sch_result result = sch_pipeline_create(player->context, &options, list, &linked->pipeline);
        if (result != SCH_OK) {
            free(linked);
            return result;
        }
        memcpy(linked->programs, programs, sizeof linked->programs);
        linked->stream_output = stream_output;
        linked->next = player->linked;
        player->linked = linked;
    }
    *pipeline = linked->pipeline;
    return SCH_OK;
}

void sch_player_unlink(struct sch_player *player)
{
    while (player->linked) {
        struct sch_player_linked *next = player->linked->next;
        sch_pipeline_destroy(player->linked->pipeline);
        free(player->linked);
        player->linked = next;
    }
}

enum sch_result sch_player_begin(struct sch_player *player, struct sch_context *context)
{
    player->context = context;
    return sch_renderer_create(context, &player->renderer);
}

void sch_player_end(struct sch_player *player)
{
    sch_renderer_destroy(player->renderer);
    sch_player_unlink(player);
    *player = (struct sch_player){0};
}

/* ---- the draw --------------------------------------------------------------------------------------------------- */

enum sch_result sch_player_draw(const struct sch_player *player, struct sch_player_state *state,
                                const struct sch_draw *draw, const struct sch_dispatch_options *options,
                                struct sch_dispatch_report *report)
{
    state->draw.size = sizeof state->draw;
    state->draw.framebuffer = state->target.framebuffer;
    state->draw.vertex_buffers = state->vertex_buffers;
    state->draw.vertex_buffer_count = SCH_VERTEX_BUFFERS;
    state->draw.vertex_buffer_stride = sizeof state->vertex_buffers[0];
    state->draw.dynamic = &state->dynamic;
    for (unsigned stage = 0; stage < SCH_PLAYER_STAGES; stage++)
        state->draw.bindings[stage] = state->bound[stage] ? &state->bound[stage]->bindings : NULL;
    return sch_renderer_draw(player->renderer, &state->draw, draw, options, report);
}

void sch_player_state_release(struct sch_player_state *state)
{
    for (unsigned stage = 0; stage < SCH_PLAYER_STAGES; stage++) free(state->bound[stage]);
    sch_framebuffer_destroy(state->target.framebuffer);
}
