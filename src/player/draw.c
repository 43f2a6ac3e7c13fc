/* What draws are given: bindings, framebuffers, viewports. */
#include "player.h"

void sch_player_bindings_begin(struct sch_player_bindings *bound)
{
    *bound = (struct sch_player_bindings){.bindings = {.size = sizeof bound->bindings,
                                                       .constants = bound->constants,
                                                       .views = bound->views,
                                                       .samplers = bound->samplers,
                                                       .images = bound->images,
                                                       .buffers = bound->buffers,
                                                       .hw_atomics = bound->counters}};
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
