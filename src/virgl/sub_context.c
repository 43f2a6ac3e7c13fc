/* Sub-contexts: one for each OpenGL context of the client, with objects and state of its own. */
#include <string.h>

#include "client.h"

struct sub_context *sch_virgl_sub_create(struct sch_virgl *virgl, uint32_t id)
{
    struct sub_context *sub = sch_virgl_alloc(virgl, sizeof *sub);
    if (!sub) return NULL;
    sub->id = id;
    sch_virgl_map_init(&sub->objects);
    sub->dynamic.size = sizeof sub->dynamic;
    sch_dynamic_state_default(&sub->dynamic);
    sub->dynamic.viewport_count = SCH_VIEWPORTS;
    memset(sub->dynamic.scissors, 0, sizeof sub->dynamic.scissors); /* clients send only those that differ from that */
    if (!sch_virgl_check(virgl, sch_renderer_create(virgl->options.context, &sub->renderer), "renderer")) {
        sch_virgl_free(virgl, sub);
        return NULL;
    }
    /* Keys are not 0, and sub-contexts are numbered from there. */
    if (!sch_virgl_map_put(&virgl->subs, &virgl->memory, id + 1, sub)) {
        sch_virgl_refuse_for(virgl, SCH_VIRGL_WHY_MEMORY, "no memory");
        sch_renderer_destroy(sub->renderer);
        sch_virgl_free(virgl, sub);
        return NULL;
    }
    return sub;
}

static void unbind(struct sch_virgl *virgl, struct sub_context *sub)
{
    sch_renderer_set_condition(sub->renderer, NULL, false);
    sch_virgl_object_bind(virgl, &sub->condition, NULL);
    sch_virgl_object_bind(virgl, &sub->blend, NULL);
    sch_virgl_object_bind(virgl, &sub->rasterizer, NULL);
    sch_virgl_object_bind(virgl, &sub->dsa, NULL);
    sch_virgl_object_bind(virgl, &sub->elements, NULL);
    for (unsigned n = 0; n < STAGES; n++) sch_virgl_object_bind(virgl, &sub->shaders[n], NULL);
    for (unsigned n = 0; n <= SCH_COLOR_BUFFERS; n++) sch_virgl_object_bind(virgl, &sub->surfaces[n], NULL);
    for (unsigned n = 0; n < SCH_STREAM_BUFFERS; n++) sch_virgl_object_bind(virgl, &sub->stream_targets[n], NULL);
    for (unsigned n = 0; n < SCH_VERTEX_BUFFERS; n++) sch_virgl_resource_drop(virgl, sub->vertex_buffers[n].resource);
    sch_virgl_resource_drop(virgl, sub->indices);
    sch_virgl_end_bindings(virgl, sub);
    sch_framebuffer_destroy(sub->framebuffer);
}

void sch_virgl_sub_destroy(struct sch_virgl *virgl, struct sub_context *sub)
{
    struct sub_context *before = virgl->sub;
    uint32_t at = 0;
    virgl->sub = sub; /* where objects that end look for what depends on them */
    unbind(virgl, sub);
    for (void *object; (object = sch_virgl_map_next(&sub->objects, &at));) sch_virgl_object_drop(virgl, object);
    sch_virgl_map_release(&sub->objects, &virgl->memory);
    sch_renderer_destroy(sub->renderer);
    virgl->sub = before == sub ? NULL : before;
    sch_virgl_free(virgl, sub);
}

/* ---- commands ---- */

bool sch_virgl_create_sub_context(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t id = command->words[0];
    if (id == UINT32_MAX || sch_virgl_map_get(&virgl->subs, id + 1))
        return sch_virgl_refuse(virgl, "there is a sub-context %u", id);
    if (virgl->subs.count >= SUB_CONTEXTS) return sch_virgl_refuse(virgl, "more than %d sub-contexts", SUB_CONTEXTS);
    return sch_virgl_sub_create(virgl, id);
}

bool sch_virgl_set_sub_context(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t id = command->words[0];
    struct sub_context *sub = id == UINT32_MAX ? NULL : sch_virgl_map_get(&virgl->subs, id + 1);
    if (!sub) return sch_virgl_refuse(virgl, "there is no sub-context %u", id);
    virgl->sub = sub;
    return true;
}

/* Sub-context 0 stays: commands go there when theirs has ended. */
bool sch_virgl_destroy_sub_context(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t id = command->words[0];
    if (!id || id == UINT32_MAX) return sch_virgl_refuse(virgl, "sub-context %u is not destroyed", id);
    struct sub_context *sub = sch_virgl_map_remove(&virgl->subs, id + 1);
    if (!sub) return sch_virgl_refuse(virgl, "there is no sub-context %u", id);
    sch_virgl_sub_destroy(virgl, sub);
    if (!virgl->sub) virgl->sub = sch_virgl_map_get(&virgl->subs, 1);
    return true;
}
