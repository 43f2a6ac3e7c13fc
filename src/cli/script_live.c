/* The resources of a script while it runs, and what shaders see of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "script_run.h"

/* Of all resources of a script at once; each may have another copy as texels. */
static const uint64_t most_bytes = UINT64_C(1) << 30;

static bool is_counter(const struct sch_script_resource *shape) { return shape->shape == SCH_SCRIPT_COUNTER_BUFFER; }

/* Bytes or structures, which are no texels. */
static bool is_memory(const struct sch_script_resource *shape)
{
    return sch_script_is_buffer(shape) &&
           (shape->shape != SCH_SCRIPT_BUFFER || shape->stride || shape->typeless || shape->unknown);
}

static int texel_format(const struct sch_script_resource *shape)
{
    if (shape->format) return shape->format;
    static const char *const names[3][3] = {{"R32_FLOAT", "R32_SINT", "R32_UINT"},
                                            {"R32G32_FLOAT", "R32G32_SINT", "R32G32_UINT"},
                                            {"R32G32B32A32_FLOAT", "R32G32B32A32_SINT", "R32G32B32A32_UINT"}};
    return sch_format_by_name(names[shape->channels / 2][shape->number]); /* 1, 2 or 4 */
}

static enum sch_texture_target target_of(const struct sch_script_resource *shape)
{
    switch (shape->shape) {
    case SCH_SCRIPT_1D:
        return SCH_TEXTURE_1D;
    case SCH_SCRIPT_1D_ARRAY:
        return SCH_TEXTURE_1D_ARRAY;
    case SCH_SCRIPT_CUBE_ARRAY:
        return SCH_TEXTURE_CUBE_ARRAY;
    case SCH_SCRIPT_2D_MS:
        return SCH_TEXTURE_2D_MSAA;
    case SCH_SCRIPT_2D_ARRAY:
        return SCH_TEXTURE_2D_ARRAY;
    case SCH_SCRIPT_3D:
        return SCH_TEXTURE_3D;
    case SCH_SCRIPT_CUBE:
        return SCH_TEXTURE_CUBE;
    case SCH_SCRIPT_2D:
        return SCH_TEXTURE_2D;
    default:
        return SCH_TEXTURE_BUFFER;
    }
}

void sch_script_live_release(struct sch_script_live *live)
{
    sch_view_destroy(live->one_sample_view);
    sch_resource_destroy(live->one_sample);
    sch_image_destroy(live->image);
    sch_view_destroy(live->view);
    sch_resource_destroy(live->resource);
    free(live->bytes);
    *live = (struct sch_script_live){0};
}

struct sch_resource_options sch_script_shape(const struct sch_script_resource *shape)
{
    return (struct sch_resource_options){.size = sizeof(struct sch_resource_options),
                                         .target = target_of(shape),
                                         .format = texel_format(shape),
                                         .width = shape->width - shape->offset,
                                         .height = shape->height,
                                         .depth = shape->depth,
                                         .layers = shape->layers,
                                         .levels = shape->levels,
                                         .samples = shape->samples};
}

/* Of what has depth the least level may be too large: it has one layer, whose levels stand in its numbers as they do
 * in the resource. */
static size_t level_bytes(const struct sch_script_resource *shape, uint32_t level)
{
    size_t width = shape->width >> level, height = shape->height >> level;
    return (width ? width : 1) * (height ? height : 1) * shape->depth * shape->channels * 4 * shape->samples;
}

void sch_script_place_numbers(const struct sch_script_resource *shape, const size_t level_sizes[15], uint8_t *bytes)
{
    size_t left = shape->count * 4, from = 0;
    for (uint32_t layer = 0; layer < shape->layers; layer++) {
        size_t begin = 0;
        for (uint32_t level = 0; level < shape->levels; level++) {
            size_t all = level_sizes[level], now = all < left ? all : left;
            if (now) memcpy(bytes + begin + layer * all, (const uint8_t *)shape->words + from, now);
            from += now;
            left -= now;
            begin += all * shape->layers;
        }
    }
}

static void place_numbers(const struct sch_script_resource *shape, uint8_t *bytes)
{
    size_t sizes[15] = {0};
    for (uint32_t level = 0; level < shape->levels; level++) sizes[level] = level_bytes(shape, level);
    sch_script_place_numbers(shape, sizes, bytes);
}

enum sch_result sch_script_make_views(struct sch_script_live *live)
{
    const struct sch_script_resource *shape = live->shape;
    enum sch_result result = SCH_OK;
    if (shape->kind == SCH_SCRIPT_SRV || shape->format) result = sch_view_create(live->resource, NULL, &live->view);
    if (result == SCH_OK && (shape->kind == SCH_SCRIPT_UAV || (shape->format && shape->kind == SCH_SCRIPT_RTV)))
        result = sch_image_create(live->resource, NULL, &live->image);
    return result;
}

/* The texels behind the offset of a buffer's view. */
static enum sch_result write_texels(struct sch_script_live *live)
{
    return sch_resource_write_all(live->resource, live->bytes + live->skipped, live->size - live->skipped);
}

static enum sch_result make_resource(struct sch_script_run *run, struct sch_script_live *live)
{
    const struct sch_resource_options options = sch_script_shape(live->shape);
    enum sch_result result = sch_resource_create(run->context, &options, NULL, &live->resource);
    if (result != SCH_OK) return result;
    if (sch_resource_bytes(live->resource) != live->size - live->skipped) return SCH_ERROR_INTERNAL;
    result = write_texels(live);
    return result == SCH_OK ? sch_script_make_views(live) : result;
}

void sch_script_live_make(struct sch_script_run *run, const struct sch_script_item *item,
                          const struct sch_script_resource *shape)
{
    struct sch_script_live *live = &run->live[shape->kind][shape->slot];
    if (shape != &live->made) sch_script_live_release(live);
    if (shape->kind == SCH_SCRIPT_VB) return; /* belongs to draws that need the pipeline */
    live->shape = shape;
    if (shape->format) {
        sch_script_packed_make(run, item, live);
        return;
    }
    live->size = (size_t)sch_script_resource_bytes(shape);
    live->skipped = (size_t)sch_script_offset_bytes(shape);
    uint64_t all = 0;
    for (unsigned k = 0; k < SCH_SCRIPT_KINDS; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) all += run->live[k][i].size;
    live->bytes = all <= most_bytes ? calloc(1, live->size) : NULL;
    if (!live->bytes) {
        sch_script_memory(run);
        return;
    }
    if (sch_script_is_buffer(shape)) {
        if (shape->count) memcpy(live->bytes, shape->words, shape->count * 4);
    } else {
        place_numbers(shape, live->bytes);
    }
    if ((shape->kind != SCH_SCRIPT_SRV && shape->kind != SCH_SCRIPT_UAV) || is_memory(shape)) return;
    enum sch_result result = make_resource(run, live);
    if (result == SCH_OK) return;
    if (result == SCH_ERROR_MEMORY || result == SCH_ERROR_LIMIT) {
        sch_script_memory(run);
        return;
    }
    snprintf(live->stale, sizeof live->stale, "the resource cannot be made: %s", sch_result_text(result));
    if (item) sch_script_fail(run, item, "%s", live->stale);
}

void sch_script_targets(struct sch_script_run *run)
{
    struct sch_script_live *live = run->live[SCH_SCRIPT_RTV];
    for (unsigned i = 0; i < SCH_SCRIPT_TARGETS; i++)
        if (live[i].shape) return;
    if (run->live[SCH_SCRIPT_DSV][0].shape) return;
    live->made = (struct sch_script_resource){.kind = SCH_SCRIPT_RTV,
                                              .channels = 4,
                                              .width = 640,
                                              .height = 480,
                                              .depth = 1,
                                              .layers = 1,
                                              .samples = 1,
                                              .levels = 1};
    sch_script_live_make(run, NULL, &live->made);
}

struct sch_script_live *sch_script_find(struct sch_script_run *run, struct sch_script_place place)
{
    if (place.kind == SCH_SCRIPT_RTV) sch_script_targets(run);
    struct sch_script_live *live = &run->live[place.kind][place.slot];
    return live->shape ? live : NULL;
}

uint32_t sch_script_channel_bits(enum sch_script_number number, float value)
{
    uint32_t bits;
    if (number == SCH_SCRIPT_FLOAT) {
        memcpy(&bits, &value, sizeof bits);
        return bits;
    }
    if (!(value > -2147483648.0f) || value != value)
        return number == SCH_SCRIPT_SINT && value == value ? 0x80000000u : 0;
    if (number == SCH_SCRIPT_SINT) return value >= 2147483648.0f ? 0x7fffffffu : (uint32_t)(int32_t)value;
    if (value <= 0) return 0;
    return value >= 4294967296.0f ? UINT32_MAX : (uint32_t)value;
}

void sch_script_clear(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_live *live = sch_script_find(run, item->clear.place);
    if (!live) {
        sch_script_fail(run, item, "there is no such resource to clear");
        return;
    }
    if (live->shape->format) {
        sch_script_packed_clear(run, live, item->clear.values);
        live->stale[0] = 0;
        return;
    }
    uint32_t words[4];
    for (unsigned i = 0; i < 4; i++) words[i] = sch_script_channel_bits(live->shape->number, item->clear.values[i]);
    size_t texel = (size_t)live->shape->channels * 4;
    for (size_t at = 0; at + texel <= live->size; at += texel) memcpy(live->bytes + at, words, texel);
    live->stale[0] = 0;
}

void sch_script_copy(struct sch_script_run *run, const struct sch_script_item *item)
{
    struct sch_script_live *from = sch_script_find(run, item->copy.from), *to = sch_script_find(run, item->copy.to);
    if (!from || !to) {
        sch_script_fail(run, item, "there is no such resource to copy");
        return;
    }
    const struct sch_script_resource *a = from->shape, *b = to->shape;
    bool same = from->size == to->size && a->width == b->width && a->height == b->height && a->depth == b->depth &&
                a->layers == b->layers && a->levels == b->levels && a->samples == b->samples &&
                a->channels == b->channels && a->format == b->format &&
                sch_script_is_buffer(a) == sch_script_is_buffer(b);
    if (!same) {
        sch_script_fail(run, item, "resources of different shapes cannot be copied");
        return;
    }
    memcpy(to->bytes, from->bytes, to->size);
    memcpy(to->stale, from->stale, sizeof to->stale);
    if (to->one_sample && sch_resource_write_all(to->one_sample, to->bytes, to->size) != SCH_OK) sch_script_memory(run);
    if (to->resource && write_texels(to) != SCH_OK) sch_script_memory(run);
}

void sch_script_make_sampler(struct sch_script_run *run, const struct sch_script_sampler *sampler)
{
    sch_sampler_destroy(run->samplers[sampler->slot]);
    run->samplers[sampler->slot] = NULL;
    if (sch_sampler_create(run->context, &sampler->options, NULL, &run->samplers[sampler->slot]) != SCH_OK)
        sch_script_memory(run);
}

void sch_script_pull(struct sch_script_run *run)
{
    static const enum sch_script_kind written[] = {SCH_SCRIPT_UAV, SCH_SCRIPT_RTV};
    for (size_t k = 0; k < sizeof written / sizeof *written; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) {
            struct sch_script_live *live = &run->live[written[k]][i];
            uint8_t *begin = live->bytes + live->skipped;
            if (live->resource && sch_resource_read_all(live->resource, begin, live->size - live->skipped) != SCH_OK)
                sch_script_memory(run);
        }
}

const char *sch_script_stale(const struct sch_script_run *run)
{
    static const enum sch_script_kind read[] = {SCH_SCRIPT_SRV, SCH_SCRIPT_UAV};
    for (size_t k = 0; k < sizeof read / sizeof *read; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++)
            if (run->live[read[k]][i].stale[0]) return run->live[read[k]][i].stale;
    return NULL;
}

void sch_script_spoil(struct sch_script_run *run, const char *reason)
{
    static const enum sch_script_kind written[] = {SCH_SCRIPT_RTV, SCH_SCRIPT_UAV, SCH_SCRIPT_DSV};
    char copy[SCH_SCRIPT_REASON]; /* the reason may stand in what is spoilt */
    snprintf(copy, sizeof copy, "%s", reason);
    for (size_t k = 0; k < sizeof written / sizeof *written; k++)
        for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) {
            struct sch_script_live *live = &run->live[written[k]][i];
            if (live->shape) memcpy(live->stale, copy, sizeof copy);
        }
}

/* A picture without samples serves a shader that declares it multisampled as one of one sample. */
static struct sch_view *one_sample_view(struct sch_script_run *run, struct sch_script_live *live)
{
    const struct sch_script_resource *shape = live->shape;
    if (!shape || shape->shape != SCH_SCRIPT_2D || shape->levels > 1) return live->view;
    if (live->one_sample_view) return live->one_sample_view;
    struct sch_resource_options options = sch_script_shape(shape);
    options.target = SCH_TEXTURE_2D_MSAA;
    if (sch_resource_create(run->context, &options, NULL, &live->one_sample) != SCH_OK ||
        sch_resource_write_all(live->one_sample, live->bytes, live->size) != SCH_OK ||
        sch_view_create(live->one_sample, NULL, &live->one_sample_view) != SCH_OK)
        sch_script_memory(run);
    return live->one_sample_view;
}

static struct sch_storage_buffer memory_of(const struct sch_script_live *live)
{
    return (struct sch_storage_buffer){live->bytes + live->skipped, live->size - live->skipped};
}

void sch_script_bind(struct sch_script_run *run, const struct sch_script_loaded *shader,
                     struct sch_script_bindings *bound)
{
    *bound = (struct sch_script_bindings){0};
    for (unsigned i = 0; i < SCH_SCRIPT_CONSTANTS; i++)
        bound->constants[i] =
            (struct sch_constant_buffer){run->uniforms[i], (size_t)((run->uniform_count[i] + 3) / 4) * 16};
    for (unsigned i = 0; i < SCH_SCRIPT_SLOTS; i++) {
        struct sch_script_live *view = &run->live[SCH_SCRIPT_SRV][i], *store = &run->live[SCH_SCRIPT_UAV][i];
        bool samples = shader->multisampled[i / 32] >> i % 32 & 1;
        bound->views[i] = samples ? one_sample_view(run, view) : view->view;
        bound->images[i] = store->image;
        if (view->shape && is_memory(view->shape)) bound->buffers[64 + i] = memory_of(view);
        if (!store->shape || !is_memory(store->shape)) continue;
        if (is_counter(store->shape))
            bound->counters[i] = (struct sch_storage_buffer){store->bytes, store->size};
        else
            bound->buffers[i] = memory_of(store);
        if (store->shape->stride && !is_counter(store->shape))
            bound->counters[i] = (struct sch_storage_buffer){&store->counter, sizeof store->counter};
    }
    bound->bindings = (struct sch_bindings){.size = sizeof bound->bindings,
                                            .constants = bound->constants,
                                            .constant_count = SCH_SCRIPT_CONSTANTS,
                                            .views = bound->views,
                                            .view_count = SCH_SCRIPT_SLOTS,
                                            .samplers = run->samplers,
                                            .sampler_count = SCH_SCRIPT_SAMPLERS,
                                            .buffers = bound->buffers,
                                            .buffer_count = SCH_SCRIPT_BUFFERS,
                                            .hw_atomics = bound->counters,
                                            .hw_atomic_count = SCH_SCRIPT_SLOTS,
                                            .images = bound->images,
                                            .image_count = SCH_SCRIPT_SLOTS};
}
