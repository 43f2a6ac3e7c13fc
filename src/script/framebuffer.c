/* The framebuffer of a script's draws: its render targets and depth buffer, level 0 with all layers. */
#include "run.h"

static void add(struct sch_script_framebuffer *made, const struct sch_script_resource *shape)
{
    if (!made->width || shape->width < made->width) made->width = shape->width;
    if (!made->height || shape->height < made->height) made->height = shape->height;
    made->samples = shape->samples;
}

enum sch_result sch_script_framebuffer_make(struct sch_script_run *run, struct sch_diagnostics_list *list,
                                            struct sch_script_framebuffer *made)
{
    struct sch_framebuffer_options options = {.size = sizeof options};
    enum sch_result result = SCH_OK;
    for (unsigned i = 0; i < SCH_SCRIPT_TARGETS && result == SCH_OK; i++) {
        struct sch_script_instance *instance = &run->instance[SCH_SCRIPT_RTV][i];
        if (!instance->shape) continue;
        add(made, instance->shape);
        result = sch_surface_create(instance->resource, NULL, list, &options.colors[i]);
    }
    struct sch_script_instance *depth = &run->instance[SCH_SCRIPT_DSV][0];
    made->depth = depth->shape != NULL;
    if (depth->shape) add(made, depth->shape);
    if (depth->shape && result == SCH_OK)
        result = sch_surface_create(depth->resource, NULL, list, &options.depth_stencil);
    if (result == SCH_OK) result = sch_framebuffer_create(run->context, &options, list, &made->framebuffer);
    for (unsigned i = 0; i < SCH_SCRIPT_TARGETS; i++) sch_surface_destroy(options.colors[i]);
    sch_surface_destroy(options.depth_stencil);
    return result;
}
