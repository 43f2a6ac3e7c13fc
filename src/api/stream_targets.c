/* Targets of stream output: ranges of buffers, and how far each is filled. What is written to them is
 * src/pipeline/stream.c's to say. */
#include "api/draw.h"

enum { WORD_BYTES = 4 };

static bool range_holds(const struct sch_stream_target_options *wanted, struct sch_diagnostics *list)
{
    const struct sch_texture_resource *texture = wanted->resource->texture;
    if (sch_texture_resource_shape(texture)->target != SCH_TARGET_BUFFER)
        return sch_refuse_argument(list, ".resource", "stream target: the resource is not a BUFFER");
    if (wanted->offset % WORD_BYTES)
        return sch_refuse_argument(list, ".offset", "stream target: an offset of %llu bytes, no multiple of 4",
                                   (unsigned long long)wanted->offset);
    const uint64_t all = sch_texture_resource_bytes(texture);
    if (wanted->offset <= all && wanted->bytes <= all - wanted->offset) return true;
    return sch_refuse_argument(list, wanted->offset > all ? ".offset" : ".bytes",
                               "stream target: %llu bytes from %llu on, of %llu", (unsigned long long)wanted->bytes,
                               (unsigned long long)wanted->offset, (unsigned long long)all);
}

enum sch_result sch_stream_target_create(struct sch_context *context, const struct sch_stream_target_options *options,
                                         struct sch_diagnostics_list *diagnostics, struct sch_stream_target **made)
{
    struct sch_api_call call;
    struct sch_stream_target_options wanted;
    sch_api_begin(&call, context, diagnostics, __func__, "options");
    if (made) *made = NULL;
    if (!sch_api_given(&call, made, "made") || !sch_api_given(&call, context, "context") ||
        !sch_api_given(&call, options, "options") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    if (!wanted.resource) return sch_api_wrong(&call, ".resource", "stream target: there is no resource");
    if (wanted.resource->context != context)
        return sch_api_wrong(&call, ".resource", "stream target: the resource is of another context");
    if (!range_holds(&wanted, call.list)) return sch_api_refused(&call);
    struct sch_stream_target *object = sch_api_alloc(context, sizeof *object);
    if (!object) return sch_api_end(&call, SCH_ERROR_MEMORY);
    object->context = context;
    object->texture = wanted.resource->texture;
    object->offset = wanted.offset;
    object->bytes = wanted.bytes ? wanted.bytes : sch_texture_resource_bytes(object->texture) - wanted.offset;
    sch_texture_resource_retain(object->texture);
    *made = object;
    return sch_api_end(&call, SCH_OK);
}

void sch_stream_target_destroy(struct sch_stream_target *target)
{
    if (!target) return;
    sch_texture_resource_release(target->texture);
    sch_api_free(target->context, target);
}

enum sch_result sch_stream_target_set_filled(struct sch_stream_target *target, uint64_t bytes)
{
    struct sch_api_call call;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(target), NULL, __func__, NULL);
    if (!sch_api_given(&call, target, "target")) return sch_api_refused(&call);
    if (bytes > target->bytes || bytes % WORD_BYTES)
        return sch_api_wrong(&call, "bytes", "%llu bytes, of %llu, or no multiple of 4", (unsigned long long)bytes,
                             (unsigned long long)target->bytes);
    target->filled = bytes;
    return SCH_OK;
}

uint64_t sch_stream_target_get_filled(const struct sch_stream_target *target) { return target ? target->filled : 0; }

uint32_t sch_api_stream_vertices(const struct sch_stream_target *target, uint32_t stride)
{
    const uint64_t bytes = stride ? stride : target->stride, count = bytes ? target->filled / bytes : 0;
    return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* Targets may share bytes, which OpenGL allows (4.6 13.3.2: values are undefined then, counts are not). Such a draw
 * continues primitive by primitive (sch_api_reads_streams). The same target cannot be filled twice. */
static bool target_holds(const struct sch_renderer *renderer, struct sch_stream_target *const *targets, unsigned slot,
                         struct sch_diagnostics *list)
{
    if (targets[slot]->context != renderer->context)
        return sch_refuse_element(list, "state.stream_targets[#]", slot,
                                  "draw: stream_targets[%u] is of another context", slot);
    for (unsigned other = 0; other < slot; other++) {
        if (!targets[other]) continue;
        if (targets[other] == targets[slot])
            return sch_refuse_element(list, "state.stream_targets[#]", slot,
                                      "draw: stream_targets[%u] is stream_targets[%u], too", slot, other);
    }
    return true;
}

bool sch_api_take_stream_targets(const struct sch_renderer *renderer, const struct sch_pipeline *pipeline,
                                 struct sch_stream_target *const *targets, struct sch_diagnostics *list,
                                 struct sch_draw_pipeline *draw)
{
    draw->streams_out = false;
    for (unsigned slot = 0; slot < SCH_STREAM_BUFFERS; slot++) {
        struct sch_stream_target *target = targets[slot];
        draw->stream_targets[slot] = (struct sch_draw_stream_target){.data = NULL};
        if (!target) continue;
        if (!target_holds(renderer, targets, slot, list)) return false;
        draw->stream_targets[slot] =
            (struct sch_draw_stream_target){.data = sch_texture_of(target->texture)->level[0].texels + target->offset,
                                            .bytes = target->bytes,
                                            .filled = &target->filled,
                                            .stride = &target->stride};
        draw->streams_out |= pipeline->streams_out;
    }
    return true;
}
