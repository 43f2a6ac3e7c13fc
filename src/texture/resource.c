/* Texture memory: shapes are checked, laid out and counted here. Holds no sampler state (key.c) and does not read
 * texels (src/ops). */
#include <stdatomic.h>
#include <string.h>

#include "base/checked.h"
#include "isa/errors.h"
#include "ops/tex_format.h"
#include "texture/texture.h"

enum { MAX_SIZE = 16384, MAX_LAYERS = 2048 };

struct sch_texture_resource {
    struct sch_resource_shape shape;
    struct sch_allocator allocator;
    atomic_size_t references;
    struct sch_texture descriptor;
    unsigned char texels[];
};

uint32_t sch_texture_texel_bytes(unsigned format)
{
    return format < SCH_FORMAT_LIMIT && tex_formats[format].kind != TEX_KIND_NONE ? tex_formats[format].bytes : 0;
}

static const char *word(enum sch_vocabulary vocabulary, unsigned number)
{
    const struct sch_word *row = sch_word_by_number(vocabulary, number);
    return row ? row->word : "(unknown)";
}

static bool target_known(unsigned target) { return target == SCH_TARGET_2D || target == SCH_TARGET_RECT; }

enum sch_status sch_texture_refuse_target(unsigned target, struct sch_position position,
                                          struct sch_diagnostics *diagnostics)
{
    if (target_known(target)) return SCH_STATUS_OK;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_TARGET, position,
                        "textures of target %s are not sampled yet", word(SCH_WORDS_TARGET, target));
    return SCH_STATUS_UNSUPPORTED;
}

enum sch_status sch_texture_refuse_format(unsigned format, struct sch_position position,
                                          struct sch_diagnostics *diagnostics)
{
    if (sch_texture_texel_bytes(format)) return SCH_STATUS_OK;
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_FORMAT, position,
                        "texels of format %s are not read yet", word(SCH_WORDS_FORMAT, format));
    return SCH_STATUS_UNSUPPORTED;
}

static uint32_t full_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    for (uint32_t size = width > height ? width : height; size > 1; size /= 2) levels++;
    return levels;
}

static enum sch_status check_shape(const struct sch_resource_shape *shape, struct sch_diagnostics *diagnostics)
{
    const struct sch_position nowhere = {0};
    enum sch_status status = sch_texture_refuse_target(shape->target, nowhere, diagnostics);
    if (status == SCH_STATUS_OK) status = sch_texture_refuse_format(shape->format, nowhere, diagnostics);
    if (status != SCH_STATUS_OK) return status;
    if (!shape->width || !shape->height || !shape->depth || !shape->layers || !shape->levels || !shape->samples) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_SHAPE, nowhere,
                            "a texture with a count of 0 holds nothing");
        return SCH_STATUS_INVALID;
    }
    if (shape->width > MAX_SIZE || shape->height > MAX_SIZE || shape->depth > MAX_SIZE || shape->layers > MAX_LAYERS) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_SIZE, nowhere,
                            "%u x %u x %u texels in %u layers are more than %d texels or %d layers", shape->width,
                            shape->height, shape->depth, shape->layers, MAX_SIZE, MAX_LAYERS);
        return SCH_STATUS_LIMIT;
    }
    uint32_t levels = shape->target == SCH_TARGET_RECT ? 1 : full_levels(shape->width, shape->height);
    if (shape->depth > 1 || shape->layers > 1 || shape->samples > 1 || shape->levels > levels) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_SHAPE, nowhere,
                            "a %s texture of %u x %u texels has 1 slice, layer and sample, and at most %u levels",
                            word(SCH_WORDS_TARGET, shape->target), shape->width, shape->height, levels);
        return SCH_STATUS_INVALID;
    }
    return SCH_STATUS_OK;
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

/* Fills the levels' sizes and gives the bytes of all; `texels` stay offsets from 0. */
static bool lay_out(const struct sch_resource_shape *shape, struct sch_texture *texture, size_t *bytes)
{
    *texture = (struct sch_texture){.levels = shape->levels, .samples = shape->samples};
    *bytes = 0;
    for (uint32_t i = 0; i < shape->levels; i++) {
        struct sch_texture_level *level = &texture->level[i];
        level->width = halved(shape->width, i);
        level->height = halved(shape->height, i);
        level->depth = 1;
        level->row_bytes = level->width * sch_texture_texel_bytes(shape->format);
        level->slice_bytes = (uint64_t)level->row_bytes * level->height;
        size_t level_bytes;
        if (!sch_mul_size((size_t)level->slice_bytes, level->depth, &level_bytes)) return false;
        if (!sch_add_size(*bytes, level_bytes, bytes)) return false;
    }
    return true;
}

static void place(struct sch_texture_resource *resource)
{
    unsigned char *texels = resource->texels;
    for (uint32_t i = 0; i < resource->descriptor.levels; i++) {
        struct sch_texture_level *level = &resource->descriptor.level[i];
        level->texels = texels;
        texels += level->slice_bytes * level->depth;
    }
}

enum sch_status sch_texture_resource_create(const struct sch_resource_shape *shape,
                                            const struct sch_allocator *allocator, size_t memory_limit,
                                            struct sch_diagnostics *diagnostics, struct sch_texture_resource **resource)
{
    *resource = NULL;
    enum sch_status status = check_shape(shape, diagnostics);
    if (status != SCH_STATUS_OK) return status;

    struct sch_texture texture;
    size_t texels, total;
    bool fits = lay_out(shape, &texture, &texels) &&
                sch_add_size(texels, sizeof(struct sch_texture_resource), &total) &&
                (memory_limit == 0 || texels <= memory_limit);
    if (!fits) {
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_TEXTURE_MEMORY, (struct sch_position){0},
                            "the texels take more than the %zu bytes allowed", memory_limit);
        return SCH_STATUS_LIMIT;
    }
    struct sch_texture_resource *made = allocator->alloc(allocator->user, total);
    if (!made) return SCH_STATUS_MEMORY;
    memset(made->texels, 0, texels);
    made->shape = *shape;
    made->allocator = *allocator;
    made->descriptor = texture;
    atomic_init(&made->references, 1);
    place(made);
    *resource = made;
    return SCH_STATUS_OK;
}

void sch_texture_resource_retain(struct sch_texture_resource *resource)
{
    atomic_fetch_add_explicit(&resource->references, 1, memory_order_relaxed);
}

void sch_texture_resource_release(struct sch_texture_resource *resource)
{
    if (!resource) return;
    /* Whoever lets go last must see what the others wrote before letting go. */
    if (atomic_fetch_sub_explicit(&resource->references, 1, memory_order_acq_rel) > 1) return;
    struct sch_allocator allocator = resource->allocator;
    allocator.free(allocator.user, resource);
}

const struct sch_resource_shape *sch_texture_resource_shape(const struct sch_texture_resource *resource)
{
    return &resource->shape;
}

enum sch_status sch_texture_resource_write(struct sch_texture_resource *resource, uint32_t level, uint32_t layer,
                                           const void *data, size_t stride, uint32_t rows)
{
    if (level >= resource->descriptor.levels) return SCH_STATUS_ARGUMENT;
    const struct sch_texture_level *to = &resource->descriptor.level[level];
    if (layer >= to->depth || rows != to->height || stride < to->row_bytes) return SCH_STATUS_ARGUMENT;
    size_t at = (size_t)(to->texels - resource->texels) + (size_t)(layer * to->slice_bytes);
    for (uint32_t y = 0; y < rows; y++)
        memcpy(resource->texels + at + (size_t)y * to->row_bytes, (const unsigned char *)data + y * stride,
               to->row_bytes);
    return SCH_STATUS_OK;
}

void sch_texture_describe(const struct sch_texture_resource *resource, struct sch_texture *texture)
{
    *texture = resource->descriptor;
}
