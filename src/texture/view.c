/* What a view or an image shows of a resource: the descriptor of its levels, layers and elements. Holds no memory
 * (resource.c) and no state of samplers (key.c). */
#include "texture/texture.h"

/* A clamp beyond what levels of detail can be says nothing more. */
static const float GREATEST_LOD = 128;

/* Part `first`, `count` of `all`; a count of 0 is what follows. */
static bool take_range(uint32_t first, uint32_t *count, uint32_t all)
{
    if (first >= all) return false;
    if (*count == 0) *count = all - first;
    return *count <= all - first;
}

/* The target and format are those of memory like the resource's. */
static bool fits_memory(const struct sch_resource_shape *shape, const struct sch_view_range *range)
{
    const struct sch_target_facts *is = sch_target_facts(range->target);
    if (is->plain != range->target || is->family == SCH_FAMILY_NONE) return false;
    if (is->family != sch_target_facts(shape->target)->family) return false;
    if (is->cube && shape->width != shape->height) return false;
    return sch_texture_same_blocks(shape->format, range->format);
}

/* Takes the range of layers of `texture`, which shows all of them; levels may be any. */
static bool take_layers(const struct sch_view_range *range, struct sch_texture *texture)
{
    const struct sch_target_facts *is = sch_target_facts(range->target);
    uint32_t count = range->layer_count;
    if (count == 0 && !is->layered) count = is->cube ? SCH_CUBE_FACES : 1;
    if (!take_range(range->first_layer, &count, texture->layers)) return false;
    if (!is->layered && count != (is->cube ? SCH_CUBE_FACES : 1u)) return false;
    if (is->cube && count % SCH_CUBE_FACES) return false;
    texture->layers = count;
    for (uint32_t i = 0; i < texture->levels; i++)
        texture->level[i].texels += texture->level[i].slice_bytes * range->first_layer * texture->samples;
    return true;
}

static bool take_levels(const struct sch_view_range *range, struct sch_texture *texture)
{
    uint32_t count = range->level_count;
    if (count == 0 && sch_target_facts(range->target)->one_level) count = 1;
    if (!take_range(range->first_level, &count, texture->levels)) return false;
    if (count > 1 && sch_target_facts(range->target)->one_level) return false;
    for (uint32_t i = 0; i < count; i++) texture->level[i] = texture->level[range->first_level + i];
    texture->levels = count;
    return true;
}

/* Elements of a BUFFER: whole blocks of the format are skipped. */
static bool take_elements(const struct sch_view_range *range, struct sch_texture *texture)
{
    if (range->target != SCH_TARGET_BUFFER) return range->first_element == 0 && range->element_count == 0;
    struct sch_texture_level *level = &texture->level[0];
    uint32_t count = range->element_count, block = sch_texture_block(range->format).width;
    if (range->first_element % block || !take_range(range->first_element, &count, level->width)) return false;
    level->texels += (size_t)(range->first_element / block) * sch_texture_block_bytes(range->format);
    level->width = count;
    level->row_bytes = sch_texture_row_bytes(range->format, count);
    level->slice_bytes = level->row_bytes;
    return true;
}

enum sch_result sch_texture_view(const struct sch_texture_resource *resource, const struct sch_view_range *range,
                                 struct sch_texture *texture)
{
    if (!fits_memory(sch_texture_resource_shape(resource), range)) return SCH_ERROR_ARGUMENT;
    if (!(range->min_lod >= 0 && range->min_lod < GREATEST_LOD)) return SCH_ERROR_ARGUMENT;
    *texture = *sch_texture_of(resource);
    texture->min_lod = range->min_lod;
    if (!take_levels(range, texture) || !take_layers(range, texture) || !take_elements(range, texture))
        return SCH_ERROR_ARGUMENT;
    return SCH_OK;
}

/* The slices of a 3-D level that the range of layers names. */
static bool take_slices(const struct sch_view_range *range, struct sch_texture *texture)
{
    struct sch_texture_level *level = &texture->level[0];
    uint32_t count = range->layer_count;
    if (!take_range(range->first_layer, &count, level->depth)) return false;
    level->texels += level->slice_bytes * range->first_layer;
    level->depth = count;
    return true;
}

enum sch_result sch_texture_image(const struct sch_texture_resource *resource, const struct sch_view_range *range,
                                  struct sch_texture *texture)
{
    struct sch_view_range one = *range;
    one.level_count = 1;
    if (range->target == SCH_TARGET_3D) one.first_layer = one.layer_count = 0;
    enum sch_result status = sch_texture_view(resource, &one, texture);
    if (status != SCH_OK) return status;
    if (range->target == SCH_TARGET_3D && !take_slices(range, texture)) return SCH_ERROR_ARGUMENT;

    /* At most 2^42 for 3-D levels, 2^28 * 2^11 * 2^4 for others. */
    const struct sch_texture_level *level = &texture->level[0];
    uint64_t texels = (uint64_t)level->width * level->height * level->depth * texture->layers * texture->samples;
    return texels < UINT32_MAX ? SCH_OK : SCH_ERROR_LIMIT;
}
