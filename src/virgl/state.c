/* State that commands set directly: viewports, scissors, framebuffers, vertex and index buffers, targets. */
#include <string.h>

#include "client.h"

static void copy_floats(float *to, const uint32_t *words, uint32_t count) { memcpy(to, words, count * sizeof *to); }

bool sch_virgl_set_viewports(struct sch_virgl *virgl, const struct command *command)
{
    enum { WORDS = 6 };
    const uint32_t first = command->words[0], count = (command->count - 1) / WORDS;
    if ((command->count - 1) % WORDS || first > SCH_VIEWPORTS || count > SCH_VIEWPORTS - first)
        return sch_virgl_refuse(virgl, "viewports %u to %u", first, first + count);
    for (uint32_t n = 0; n < count; n++) {
        struct sch_viewport *viewport = &virgl->sub->dynamic.viewports[first + n];
        copy_floats(viewport->scale, command->words + 1 + n * WORDS, 3);
        copy_floats(viewport->translate, command->words + 4 + n * WORDS, 3);
    }
    return true;
}

bool sch_virgl_set_scissors(struct sch_virgl *virgl, const struct command *command)
{
    const uint32_t first = command->words[0], count = (command->count - 1) / 2;
    if ((command->count - 1) % 2 || first > SCH_VIEWPORTS || count > SCH_VIEWPORTS - first)
        return sch_virgl_refuse(virgl, "scissors %u to %u", first, first + count);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *words = command->words + 1 + 2 * n;
        virgl->sub->dynamic.scissors[first + n] = (struct sch_scissor){.left = sch_virgl_bits(words[0], 0, 16),
                                                                       .top = sch_virgl_bits(words[0], 16, 16),
                                                                       .right = sch_virgl_bits(words[1], 0, 16),
                                                                       .bottom = sch_virgl_bits(words[1], 16, 16)};
    }
    return true;
}

bool sch_virgl_set_stencil_reference(struct sch_virgl *virgl, const struct command *command)
{
    virgl->sub->dynamic.stencil_reference[0] = (uint8_t)sch_virgl_bits(command->words[0], 0, 8);
    virgl->sub->dynamic.stencil_reference[1] = (uint8_t)sch_virgl_bits(command->words[0], 8, 8);
    return true;
}

bool sch_virgl_set_blend_color(struct sch_virgl *virgl, const struct command *command)
{
    copy_floats(virgl->sub->dynamic.blend_color, command->words, 4);
    return true;
}

bool sch_virgl_set_polygon_stipple(struct sch_virgl *virgl, const struct command *command)
{
    memcpy(virgl->sub->dynamic.polygon_stipple, command->words, sizeof virgl->sub->dynamic.polygon_stipple);
    return true;
}

bool sch_virgl_set_clip_planes(struct sch_virgl *virgl, const struct command *command)
{
    copy_floats(virgl->sub->dynamic.clip_planes[0], command->words, 4 * SCH_CLIP_PLANES);
    return true;
}

bool sch_virgl_set_sample_mask(struct sch_virgl *virgl, const struct command *command)
{
    virgl->sub->dynamic.sample_mask = command->words[0];
    return true;
}

bool sch_virgl_set_min_samples(struct sch_virgl *virgl, const struct command *command)
{
    virgl->sub->dynamic.min_samples = command->words[0];
    return true;
}

bool sch_virgl_set_tess_levels(struct sch_virgl *virgl, const struct command *command)
{
    copy_floats(virgl->sub->dynamic.default_outer_levels, command->words, 4);
    copy_floats(virgl->sub->dynamic.default_inner_levels, command->words + 4, 2);
    return true;
}

/* ---- framebuffers ---- */

static bool make_framebuffer(struct sch_virgl *virgl, struct sub_context *sub)
{
    struct sch_framebuffer_options options = {.size = sizeof options,
                                              .width = sub->width,
                                              .height = sub->height,
                                              .layers = sub->layers,
                                              .samples = sub->samples};
    struct sch_framebuffer *made = NULL;
    bool any = false;
    for (uint32_t n = 0; n < SCH_COLOR_BUFFERS; n++) {
        if (sub->surfaces[n]) options.colors[n] = sub->surfaces[n]->surface.made;
        any |= sub->surfaces[n] != NULL;
    }
    if (sub->surfaces[SCH_COLOR_BUFFERS]) options.depth_stencil = sub->surfaces[SCH_COLOR_BUFFERS]->surface.made;
    any |= options.depth_stencil != NULL;
    sch_framebuffer_destroy(sub->framebuffer);
    sub->framebuffer = NULL;
    if (!any && (!sub->width || !sub->height)) return true; /* its size comes with the next command, or never */
    if (!sch_virgl_check(virgl, sch_framebuffer_create(virgl->options.context, &options, sch_virgl_list(virgl), &made),
                         "framebuffer"))
        return false;
    sub->framebuffer = made;
    return true;
}

bool sch_virgl_set_framebuffer(struct sch_virgl *virgl, const struct command *command)
{
    struct sub_context *sub = virgl->sub;
    const uint32_t count = command->words[0];
    struct object *surfaces[SCH_COLOR_BUFFERS + 1] = {NULL};
    if (count > SCH_COLOR_BUFFERS || command->count != count + 2)
        return sch_virgl_refuse(virgl, "%u words for %u colour buffers", command->count, count);
    for (uint32_t n = 0; n <= count; n++) {
        const uint32_t handle = command->words[1 + n];
        if (handle && !(surfaces[n ? n - 1 : SCH_COLOR_BUFFERS] = sch_virgl_object_find(virgl, handle, OBJECT_SURFACE)))
            return false;
    }
    for (uint32_t n = 0; n <= SCH_COLOR_BUFFERS; n++) sch_virgl_object_bind(virgl, &sub->surfaces[n], surfaces[n]);
    return make_framebuffer(virgl, sub);
}

/* The size of a framebuffer without surfaces. */
bool sch_virgl_set_framebuffer_size(struct sch_virgl *virgl, const struct command *command)
{
    struct sub_context *sub = virgl->sub;
    sub->width = sch_virgl_bits(command->words[0], 0, 16);
    sub->height = sch_virgl_bits(command->words[0], 16, 16);
    sub->layers = sch_virgl_bits(command->words[1], 0, 16);
    sub->samples = sch_virgl_bits(command->words[1], 16, 8);
    for (uint32_t n = 0; n <= SCH_COLOR_BUFFERS; n++)
        if (sub->surfaces[n]) return true;
    return make_framebuffer(virgl, sub);
}

/* ---- vertices and targets ---- */

bool sch_virgl_set_vertex_buffers(struct sch_virgl *virgl, const struct command *command)
{
    enum { WORDS = 3 };
    struct sub_context *sub = virgl->sub;
    const uint32_t count = command->count / WORDS;
    struct vertex_buffer made[SCH_VERTEX_BUFFERS] = {{0}};
    if (command->count % WORDS) return sch_virgl_refuse(virgl, "%u words are not vertex buffers", command->count);
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *words = command->words + n * WORDS;
        made[n] = (struct vertex_buffer){.stride = words[0], .offset = words[1]};
        if (words[2] && !(made[n].resource = sch_virgl_resource_find(virgl, words[2]))) return false;
        if (made[n].resource && made[n].resource->as_asked.target) /* 0: BUFFER */
            return sch_virgl_refuse(virgl, "resource %u is not a buffer", words[2]);
    }
    for (uint32_t n = 0; n < SCH_VERTEX_BUFFERS; n++) {
        sch_virgl_resource_hold(made[n].resource);
        sch_virgl_resource_drop(virgl, sub->vertex_buffers[n].resource);
        sub->vertex_buffers[n] = made[n];
    }
    sub->vertex_buffer_count = count;
    return true;
}

bool sch_virgl_set_index_buffer(struct sch_virgl *virgl, const struct command *command)
{
    struct sub_context *sub = virgl->sub;
    const uint32_t *words = command->words;
    struct sch_virgl_resource *resource = NULL;
    if (words[0]) {
        if (command->count != 3) return sch_virgl_refuse(virgl, "an index buffer of %u words", command->count);
        if (!(resource = sch_virgl_resource_find(virgl, words[0]))) return false;
        if (words[1] != 1 && words[1] != 2 && words[1] != 4)
            return sch_virgl_refuse(virgl, "indices of %u bytes", words[1]);
    }
    sch_virgl_resource_hold(resource);
    sch_virgl_resource_drop(virgl, sub->indices);
    sub->indices = resource;
    sub->index_bytes = resource ? words[1] : 0;
    sub->index_offset = resource ? words[2] : 0;
    return true;
}

/* A bit of the first word says that a target continues where it stopped, but the clients that we know send 0 even then.
 * One that continues binds the targets that it had. One that begins again (OpenGL 4.6 13.3.2, BeginTransformFeedback)
 * makes a new target only in the place of the first one of each vertex stream, whose count may still be drawn, and
 * binds the others as they are (st_begin_transform_feedback of Mesa). So where one of them is new, all begin again. */
bool sch_virgl_set_stream_targets(struct sch_virgl *virgl, const struct command *command)
{
    struct sub_context *sub = virgl->sub;
    struct object *targets[SCH_STREAM_BUFFERS] = {NULL};
    const uint32_t goes_on = command->words[0];
    bool any_new = false;
    for (uint32_t n = 1; n < command->count; n++) {
        const uint32_t handle = command->words[n];
        if (handle && !(targets[n - 1] = sch_virgl_object_find(virgl, handle, OBJECT_STREAMOUT_TARGET))) return false;
        any_new |= handle && !targets[n - 1]->target.bound_at;
    }
    for (uint32_t n = 0; n < SCH_STREAM_BUFFERS; n++) {
        sch_virgl_object_bind(virgl, &sub->stream_targets[n], targets[n]);
        if (!targets[n]) continue;
        const bool anew = goes_on ? !(goes_on >> n & 1) : any_new;
        if (anew && !sch_virgl_check(virgl, sch_stream_target_set_filled(targets[n]->target.target, 0), "target"))
            return false;
        targets[n]->target.bound_at = virgl->counts.commands + 1;
    }
    return true;
}
