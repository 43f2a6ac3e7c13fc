/* Draws, clears and compute grids. */
#include <string.h>

#include "client.h"

static struct sch_dispatch_options run_options(struct sch_virgl *virgl)
{
    return (struct sch_dispatch_options){.size = sizeof(struct sch_dispatch_options),
                                         .threads = virgl->options.threads,
                                         .deadline_ms = virgl->options.deadline_ms,
                                         .cancel = virgl->options.cancel,
                                         .work = virgl->options.work,
                                         .diagnostics = sch_virgl_list(virgl)};
}

/* Programs that end early: the client continues, and whoever submitted hears of it. */
static bool end_run(struct sch_virgl *virgl, enum sch_result result, const char *what)
{
    if (result != SCH_OK) virgl->worst = result;
    return sch_virgl_check(virgl, result, what);
}

/* ---- vertices ---- */

static bool has_strides(const struct elements *elements, const struct sub_context *sub)
{
    for (uint32_t n = 0; n < elements->count; n++)
        if (elements->items[n].stride != sub->vertex_buffers[elements->items[n].buffer].stride) return false;
    return true;
}

/* The library's elements have the strides that came with the buffers. */
static bool make_elements(struct sch_virgl *virgl, struct sub_context *sub, const struct sch_vertex_elements **made)
{
    *made = NULL;
    if (!sub->elements) return true;
    struct elements *elements = &sub->elements->elements;
    if (!elements->made || !has_strides(elements, sub)) {
        sch_vertex_elements_destroy(elements->made);
        elements->made = NULL;
        for (uint32_t n = 0; n < elements->count; n++)
            elements->items[n].stride = sub->vertex_buffers[elements->items[n].buffer].stride;
        if (!sch_virgl_check(virgl,
                             sch_vertex_elements_create(virgl->options.context, elements->items, elements->count,
                                                        sizeof *elements->items, sch_virgl_list(virgl),
                                                        &elements->made),
                             "vertex elements"))
            return false;
    }
    *made = elements->made;
    return true;
}

static struct sch_vertex_buffer buffer_of(const struct sch_virgl_resource *resource, uint32_t offset)
{
    return (struct sch_vertex_buffer){.resource = resource ? resource->resource : NULL, .offset = offset};
}

/* ---- draws ---- */

/* The words of a draw by their names. */
enum {
    START,
    COUNT,
    MODE,
    INDEXED,
    INSTANCES,
    INDEX_BIAS,
    START_INSTANCE,
    RESTART,
    RESTART_INDEX,
    MIN_INDEX,
    MAX_INDEX,
    COUNT_FROM_TARGET,
    PLAIN_WORDS,
    PATCH_VERTICES = PLAIN_WORDS,
    DRAW_ID,
    PATCH_WORDS,
    INDIRECT = PATCH_WORDS,
    INDIRECT_OFFSET,
    INDIRECT_STRIDE,
    INDIRECT_COUNT,
    COUNT_OFFSET,
    COUNT_RESOURCE,
    INDIRECT_WORDS
};

static bool is_filled_now(const struct sub_context *sub, const struct object *target)
{
    for (unsigned n = 0; n < SCH_STREAM_BUFFERS; n++)
        if (sub->stream_targets[n] == target) return true;
    return false;
}

/* Whether a vertex buffer begins in the target's range. */
static bool is_read(const struct sub_context *sub, const struct stream_target *target)
{
    for (uint32_t n = 0; n < sub->vertex_buffer_count; n++) {
        const struct vertex_buffer *buffer = &sub->vertex_buffers[n];
        if (buffer->resource == target->resource && buffer->offset >= target->offset &&
            buffer->offset - target->offset < target->bytes)
            return true;
    }
    return false;
}

/* The wire names the size of the target whose vertices are drawn, not the target. Among those with that size it is one
 * that is not filled now: the count is that of the last EndTransformFeedback (OpenGL 4.6 13.3.3), and a client that
 * begins again makes a new target. It is then one whose bytes are read as vertices, if there is any, and of these the
 * one that was bound last. */
static const struct object *find_target(const struct sub_context *sub, uint32_t bytes)
{
    const struct object *found = NULL;
    unsigned best = 0;
    uint32_t at = 0;
    for (const struct object *object; (object = sch_virgl_map_next(&sub->objects, &at));) {
        if (object->kind != OBJECT_STREAMOUT_TARGET || object->target.bytes != bytes) continue;
        const unsigned fits = (is_filled_now(sub, object) ? 0u : 2u) + is_read(sub, &object->target);
        if (found && (fits < best || (fits == best && object->target.bound_at <= found->target.bound_at))) continue;
        found = object;
        best = fits;
    }
    return found;
}

static bool set_indirect(struct sch_virgl *virgl, const uint32_t *words, struct sch_draw *draw)
{
    struct sch_virgl_resource *resource, *counts;
    if (!words[INDIRECT]) return true;
    if (!(resource = sch_virgl_resource_find(virgl, words[INDIRECT]))) return false;
    draw->indirect = resource->resource;
    draw->indirect_offset = words[INDIRECT_OFFSET];
    draw->indirect_stride = words[INDIRECT_STRIDE];
    draw->indirect_count = words[INDIRECT_COUNT] ? words[INDIRECT_COUNT] : 1;
    if (!words[COUNT_RESOURCE]) return true;
    if (!(counts = sch_virgl_resource_find(virgl, words[COUNT_RESOURCE]))) return false;
    draw->count_buffer = counts->resource;
    draw->count_offset = words[COUNT_OFFSET];
    return true;
}

static bool read_draw(struct sch_virgl *virgl, struct sub_context *sub, const struct command *command,
                      struct sch_draw *draw)
{
    const uint32_t *words = command->words;
    if (words[MODE] > SCH_PRIMITIVE_PATCHES) return sch_virgl_refuse(virgl, "there is no primitive %u", words[MODE]);
    *draw = (struct sch_draw){.size = sizeof *draw,
                              .primitive = (enum sch_primitive)words[MODE],
                              .start = words[START],
                              .count = words[COUNT],
                              .instance_count = words[INSTANCES],
                              .start_instance = words[START_INSTANCE],
                              .no_base = true}; /* of clients' programs BASEVERTEX is gl_BaseVertex */
    if (words[INDEXED]) {
        if (!sub->indices) return sch_virgl_refuse(virgl, "there is no index buffer");
        draw->start = 0; /* the offset of the index buffer has it already */
        draw->indices = buffer_of(sub->indices, sub->index_offset);
        draw->index_bytes = sub->index_bytes;
        draw->index_bias = (int32_t)words[INDEX_BIAS];
        draw->restart = words[RESTART] != 0;
        draw->restart_index = words[RESTART_INDEX];
    }
    if (words[COUNT_FROM_TARGET]) {
        const struct object *target = find_target(sub, words[COUNT_FROM_TARGET]);
        if (!target) return sch_virgl_refuse(virgl, "no stream-output target has %u bytes", words[COUNT_FROM_TARGET]);
        draw->count_target = target->target.target;
    }
    if (command->count >= PATCH_WORDS) {
        sub->dynamic.patch_vertices = words[PATCH_VERTICES] ? words[PATCH_VERTICES] : sub->dynamic.patch_vertices;
        draw->draw_id = words[DRAW_ID];
    }
    return command->count < INDIRECT_WORDS || set_indirect(virgl, words, draw);
}

static void call_back(const struct sch_virgl *virgl, const enum stage stages[SCH_STAGE_COMPUTE],
                      struct sch_dispatch_options *options)
{
    const struct sch_virgl_draw_callbacks *draw_callbacks = &virgl->draw_callbacks;
    const struct sub_context *sub = virgl->sub;
    if (!draw_callbacks->draw && !draw_callbacks->count) return;
    struct sch_virgl_drawing drawing = {.number = virgl->counts.draws, .renderer = sub->renderer};
    for (unsigned n = 0; n < SCH_STAGE_COMPUTE; n++)
        if (sub->shaders[stages[n]]) drawing.shaders[n] = sub->shaders[stages[n]]->shader.shader;
    for (unsigned n = 0; n <= SCH_COLOR_BUFFERS; n++)
        if (sub->surfaces[n]) drawing.buffers[n] = sub->surfaces[n]->surface.of;
    if (draw_callbacks->draw) options->debug = draw_callbacks->draw(draw_callbacks->user, &drawing);
    if (draw_callbacks->count) options->heat = draw_callbacks->count(draw_callbacks->user, &drawing);
}

bool sch_virgl_draw_vbo(struct sch_virgl *virgl, const struct command *command)
{
    /* By the library's numbers of stages. */
    static const enum stage stages[SCH_STAGE_COMPUTE] = {[SCH_STAGE_VERTEX] = STAGE_VERTEX,
                                                         [SCH_STAGE_FRAGMENT] = STAGE_FRAGMENT,
                                                         [SCH_STAGE_GEOMETRY] = STAGE_GEOMETRY,
                                                         [SCH_STAGE_TESS_CTRL] = STAGE_TESS_CTRL,
                                                         [SCH_STAGE_TESS_EVAL] = STAGE_TESS_EVAL};
    struct sub_context *sub = virgl->sub;
    struct sch_vertex_buffer buffers[SCH_VERTEX_BUFFERS];
    struct sch_bindings bindings[SCH_STAGE_COMPUTE];
    struct sch_draw_state state = {.size = sizeof state,
                                   .framebuffer = sub->framebuffer,
                                   .vertex_buffers = buffers,
                                   .vertex_buffer_count = sub->vertex_buffer_count,
                                   .vertex_buffer_stride = sizeof *buffers,
                                   .dynamic = &sub->dynamic};
    struct sch_draw draw;
    if (!read_draw(virgl, sub, command, &draw)) return false;
    if (!(state.pipeline = sch_virgl_pipeline(virgl, sub)) || !make_elements(virgl, sub, &state.vertex_elements))
        return false;
    for (uint32_t n = 0; n < sub->vertex_buffer_count; n++)
        buffers[n] = buffer_of(sub->vertex_buffers[n].resource, sub->vertex_buffers[n].offset);
    for (unsigned n = 0; n < SCH_STAGE_COMPUTE; n++) {
        if (!sub->shaders[stages[n]]) continue;
        sch_virgl_get_bindings(sub, stages[n], &bindings[n]);
        state.bindings[n] = &bindings[n];
    }
    for (unsigned n = 0; n < SCH_STREAM_BUFFERS; n++)
        if (sub->stream_targets[n]) state.stream_targets[n] = sub->stream_targets[n]->target.target;
    state.rasterizer = sub->rasterizer ? sub->rasterizer->rasterizer : NULL;
    state.depth_stencil_alpha = sub->dsa ? sub->dsa->dsa : NULL;
    state.blend = sub->blend ? sub->blend->blend : NULL;
    if (!sub->framebuffer) return sch_virgl_refuse(virgl, "there is no framebuffer");
    struct sch_dispatch_options options = run_options(virgl);
    /* Callbacks may look at what the draws before have left. */
    virgl->waits = draw.may_wait = !virgl->draw_callbacks.draw && !virgl->draw_callbacks.count;
    virgl->counts.draws++;
    for (unsigned n = 0; n < SCH_STAGE_COMPUTE; n++)
        sch_virgl_use_shader(virgl, sub->shaders[stages[n]], virgl->counts.draws);
    call_back(virgl, stages, &options);
    return end_run(virgl, sch_renderer_draw(sub->renderer, &state, &draw, &options, NULL), "draw");
}

/* ---- clears ---- */

bool sch_virgl_clear(struct sch_virgl *virgl, const struct command *command)
{
    enum { DEPTH = 1, STENCIL = 2, COLOR = 2 /* first bit */ };
    const uint32_t *words = command->words, colors = sch_virgl_bits(words[0], COLOR, SCH_COLOR_BUFFERS);
    struct sub_context *sub = virgl->sub;
    struct sch_framebuffer_clear clear = {.size = sizeof clear, .colors = colors, .stencil = words[7]};
    if (!sub->framebuffer) return sch_virgl_refuse(virgl, "there is no framebuffer");
    if (colors) clear.parts |= SCH_PART_COLOR;
    if (words[0] & DEPTH) clear.parts |= SCH_PART_DEPTH;
    if (words[0] & STENCIL) clear.parts |= SCH_PART_STENCIL;
    memcpy(clear.color.u, words + 1, sizeof clear.color.u);
    memcpy(&clear.depth, words + 5, sizeof clear.depth);
    if (!clear.parts) return true;
    const struct sch_moving_options moving = sch_virgl_moving(virgl);
    clear.moving = &moving;
    virgl->counts.clears++;
    return sch_virgl_end_move(virgl, sch_renderer_clear(sub->renderer, sub->framebuffer, &clear, sch_virgl_list(virgl)),
                              "clear");
}

/* ---- grids ---- */

/* The grid's sides, from a buffer if one is named. */
static bool find_grid(struct sch_virgl *virgl, const uint32_t *words, uint32_t grid[3])
{
    memcpy(grid, words + 3, 3 * sizeof *grid);
    if (!words[6]) return true;
    struct sch_virgl_resource *resource = sch_virgl_resource_find(virgl, words[6]);
    if (!resource) return false;
    const struct sch_transfer transfer = {.size = sizeof transfer,
                                          .box = {(int32_t)words[7], 0, 0, 3 * sizeof *grid, 1, 1}};
    if (words[7] > INT32_MAX || resource->as_asked.target)
        return sch_virgl_refuse(virgl, "resource %u has no sizes of a grid at byte %u", words[6], words[7]);
    return sch_virgl_check(
        virgl, sch_resource_read(resource->resource, &transfer, grid, 3 * sizeof *grid, sch_virgl_list(virgl)),
        "indirect grid");
}

static uint64_t volume(const uint32_t sides[3]) { return (uint64_t)sides[0] * sides[1] * sides[2]; }

bool sch_virgl_launch_grid(struct sch_virgl *virgl, const struct command *command)
{
    struct sub_context *sub = virgl->sub;
    const struct object *shader = sub->shaders[STAGE_COMPUTE];
    struct sch_bindings bindings;
    uint32_t grid[3];
    if (!shader || !shader->shader.program) return sch_virgl_refuse(virgl, "there is no compute shader");
    if (!find_grid(virgl, command->words, grid)) return false;
    if (!grid[0] || !grid[1] || !grid[2]) return true;
    sch_virgl_get_bindings(sub, STAGE_COMPUTE, &bindings);
    struct sch_dispatch_options options = run_options(virgl);
    options.shared_bytes = shader->shader.shared_bytes;
    virgl->counts.grids++;
    sch_virgl_use_shader(virgl, shader, virgl->counts.grids);
    const enum sch_result result =
        sch_dispatch_grid(shader->shader.program, &bindings, grid, command->words, &options, NULL);
    if (result == SCH_OK) sch_renderer_count_invocations(sub->renderer, volume(grid) * volume(command->words));
    return end_run(virgl, result, "grid");
}
