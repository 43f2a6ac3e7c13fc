/* What a view or an image shows of a resource: the descriptor of its levels, layers and elements. Holds no memory
 * (resource.c) and no state of samplers (key.c). */
#include "texture/convert.h"
#include "texture/decoded.h"
#include "texture/texture.h"

/* A clamp beyond what levels of detail can be says nothing more. */
static const float GREATEST_LOD = 128;

enum { MOST_ELEMENTS = 1 << 27 };

/* What refusals call a range (isa/errors.h), and what it is of. */
struct range_names {
    const char *what, *first, *count;
};

/* Part `first`, `count` of `all`; a count of 0 is what follows. */
static bool take_range(const struct range_names *names, uint32_t first, uint32_t *count, uint32_t all,
                       struct sch_diagnostics *diagnostics)
{
    const uint32_t behind = first < all ? all - first : 0;
    if (*count == 0) *count = behind;
    if (behind && *count <= behind) return true;
    return sch_refuse_argument(diagnostics, behind ? names->count : names->first, "view: %u %s from %u on, of %u",
                               *count, names->what, first, all);
}

static const char *target_word(unsigned target)
{
    const struct sch_word *row = sch_word_by_number(SCH_WORDS_TARGET, target);
    return row ? row->word : "(unknown)";
}

/* The target and format are those of memory like the resource's. The bytes of a BUFFER are elements of any format. */
static bool fits_memory(const struct sch_resource_shape *shape, const struct sch_view_range *range,
                        struct sch_diagnostics *diagnostics)
{
    const struct sch_target_facts *is = sch_target_facts(range->target);
    if (is->plain != range->target || is->family == SCH_FAMILY_NONE ||
        is->family != sch_target_facts(shape->target)->family)
        return sch_refuse_argument(diagnostics, ".target", "view: %s of a resource that is %s",
                                   target_word(range->target), target_word(shape->target));
    if (is->cube && shape->width != shape->height)
        return sch_refuse_argument(diagnostics, ".target", "view: %s of %u x %u texels", target_word(range->target),
                                   shape->width, shape->height);
    const bool bytes = range->target == SCH_TARGET_BUFFER && sch_texture_block_bytes(range->format) &&
                       !sch_texture_is_block(range->format);
    if (bytes || sch_texture_same_blocks(shape->format, range->format)) return true;
    return sch_refuse_argument(diagnostics, ".format", "view: format %s has other blocks than the resource's, %s",
                               sch_texels_format_name(range->format), sch_texels_format_name(shape->format));
}

/* Takes the range of layers of `texture`, which shows all of them; levels may be any. */
static bool take_layers(const struct sch_view_range *range, struct sch_texture *texture,
                        struct sch_diagnostics *diagnostics)
{
    const struct sch_target_facts *is = sch_target_facts(range->target);
    static const struct range_names names = {"layers", ".first_layer", ".layer_count"};
    uint32_t count = range->layer_count;
    if (count == 0 && !is->layered) count = is->cube ? SCH_CUBE_FACES : 1;
    if (!take_range(&names, range->first_layer, &count, texture->layers, diagnostics)) return false;
    const bool whole =
        is->layered ? !is->cube || count % SCH_CUBE_FACES == 0 : count == (is->cube ? SCH_CUBE_FACES : 1);
    if (!whole)
        return sch_refuse_argument(diagnostics, ".layer_count", "view: %u layers are not %s", count,
                                   target_word(range->target));
    texture->layers = count;
    for (uint32_t i = 0; i < texture->levels; i++) {
        texture->level[i].texels += texture->level[i].slice_bytes * range->first_layer * texture->samples;
        sch_decoded_skip(range->format, &texture->level[i], range->first_layer);
    }
    return true;
}

static bool take_levels(const struct sch_view_range *range, struct sch_texture *texture,
                        struct sch_diagnostics *diagnostics)
{
    static const struct range_names names = {"levels", ".first_level", ".level_count"};
    const bool one = sch_target_facts(range->target)->one_level;
    uint32_t count = range->level_count ? range->level_count : one;
    if (!take_range(&names, range->first_level, &count, texture->levels, diagnostics)) return false;
    if (count > 1 && one)
        return sch_refuse_argument(diagnostics, ".level_count", "view: %u levels are not %s", count,
                                   target_word(range->target));
    for (uint32_t i = 0; i < count; i++) texture->level[i] = texture->level[range->first_level + i];
    texture->levels = count;
    return true;
}

/* How many elements of the format the bytes of a BUFFER are: those that are there whole. */
static uint32_t elements_of(const struct sch_texture_level *level, unsigned own, unsigned format)
{
    const struct sch_block block = sch_texture_block(format);
    if (sch_texture_same_blocks(own, format)) return level->width;
    const uint64_t elements = (uint64_t)(level->row_bytes / block.bytes) * block.width;
    return elements < MOST_ELEMENTS ? (uint32_t)elements : MOST_ELEMENTS;
}

/* Elements of a BUFFER: whole blocks of the format are skipped. */
static bool take_elements(unsigned own, const struct sch_view_range *range, struct sch_texture *texture,
                          struct sch_diagnostics *diagnostics)
{
    if (range->target != SCH_TARGET_BUFFER)
        return (range->first_element == 0 && range->element_count == 0) ||
               sch_refuse_argument(diagnostics, range->first_element ? ".first_element" : ".element_count",
                                   "view: only a BUFFER has elements");
    static const struct range_names names = {"elements", ".first_element", ".element_count"};
    struct sch_texture_level *level = &texture->level[0];
    const struct sch_block block = sch_texture_block(range->format);
    uint32_t count = range->element_count;
    if (!take_range(&names, range->first_element, &count, elements_of(level, own, range->format), diagnostics))
        return false;
    if (range->first_element % block.width)
        return sch_refuse_argument(diagnostics, ".first_element", "view: elements from %u on, in blocks of %u",
                                   range->first_element, block.width);
    level->texels += (size_t)(range->first_element / block.width) * block.bytes;
    level->width = count;
    level->row_bytes = sch_texture_row_bytes(range->format, count);
    level->slice_bytes = level->row_bytes;
    return true;
}

enum sch_result sch_texture_view(const struct sch_texture_resource *resource, const struct sch_view_range *range,
                                 struct sch_diagnostics *diagnostics, struct sch_texture *texture)
{
    const struct sch_resource_shape *shape = sch_texture_resource_shape(resource);
    if (!fits_memory(shape, range, diagnostics)) return SCH_ERROR_ARGUMENT;
    if (!(range->min_lod >= 0 && range->min_lod < GREATEST_LOD)) {
        sch_refuse_argument(diagnostics, ".min_lod", "view: min_lod %g", (double)range->min_lod);
        return SCH_ERROR_ARGUMENT;
    }
    *texture = *sch_texture_of(resource);
    texture->min_lod = range->min_lod;
    sch_decoded_view(shape->format, range->format, texture);
    bool taken = take_levels(range, texture, diagnostics) && take_layers(range, texture, diagnostics) &&
                 take_elements(shape->format, range, texture, diagnostics);
    return taken ? SCH_OK : SCH_ERROR_ARGUMENT;
}

/* The slices of a 3-D level that the range of layers names. */
static bool take_slices(const struct sch_view_range *range, struct sch_texture *texture,
                        struct sch_diagnostics *diagnostics)
{
    static const struct range_names names = {"slices", ".first_layer", ".layer_count"};
    struct sch_texture_level *level = &texture->level[0];
    uint32_t count = range->layer_count;
    if (!take_range(&names, range->first_layer, &count, level->depth, diagnostics)) return false;
    level->texels += level->slice_bytes * range->first_layer;
    sch_decoded_skip(range->format, level, range->first_layer);
    level->depth = count;
    return true;
}

/* One slice of a 3-D texture as a 2D image. */
static bool is_slice(const struct sch_resource_shape *shape, const struct sch_view_range *range)
{
    return shape->target == SCH_TARGET_3D && range->target == SCH_TARGET_2D;
}

enum sch_result sch_texture_image(const struct sch_texture_resource *resource, const struct sch_view_range *range,
                                  struct sch_diagnostics *diagnostics, struct sch_texture *texture)
{
    struct sch_view_range one = *range, slices = *range;
    const uint32_t levels = sch_texture_of(resource)->levels;
    if (range->first_level >= levels) {
        sch_refuse_argument(diagnostics, ".level", "view: level %u, of %u", range->first_level, levels);
        return SCH_ERROR_ARGUMENT;
    }
    one.level_count = 1;
    if (is_slice(sch_texture_resource_shape(resource), range)) {
        one.target = SCH_TARGET_3D;
        if (!slices.layer_count) slices.layer_count = 1;
        if (slices.layer_count != 1) {
            sch_refuse_argument(diagnostics, ".layer_count", "view: %u slices are not 2D", slices.layer_count);
            return SCH_ERROR_ARGUMENT;
        }
    }
    if (one.target == SCH_TARGET_3D) one.first_layer = one.layer_count = 0;
    enum sch_result status = sch_texture_view(resource, &one, diagnostics, texture);
    if (status != SCH_OK) return status;
    if (one.target == SCH_TARGET_3D && !take_slices(&slices, texture, diagnostics)) return SCH_ERROR_ARGUMENT;

    /* At most 2^42 for 3-D levels, 2^28 * 2^11 * 2^4 for others. */
    const struct sch_texture_level *level = &texture->level[0];
    uint64_t texels = (uint64_t)level->width * level->height * level->depth * texture->layers * texture->samples;
    return texels < UINT32_MAX ? SCH_OK : SCH_ERROR_LIMIT;
}

enum sch_result sch_texture_check_stored(unsigned format, struct sch_diagnostics *diagnostics)
{
    if (sch_texture_storable(format)) return SCH_OK;
    return sch_texels_refuse(SCH_ERROR_UNSUPPORTED, diagnostics, "image: shaders store no texels of format %s",
                             sch_texels_format_name(format));
}
