/* Shapes of textures in files: which there are, how many bytes they have, where their levels are. Holds no file
 * format. */
#include "base/checked.h"
#include "files/codec.h"

enum { CUBE_FACES = 6 };

/* Axes of a target that files have, and whether it has layers; 0 axes: no file has it. */
static unsigned axes_of(enum sch_target target, bool *layered)
{
    *layered = target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_2D_ARRAY || target == SCH_TARGET_CUBE ||
               target == SCH_TARGET_CUBE_ARRAY;
    switch (target) {
    case SCH_TARGET_1D:
    case SCH_TARGET_1D_ARRAY:
        return 1;
    case SCH_TARGET_2D:
    case SCH_TARGET_2D_ARRAY:
    case SCH_TARGET_CUBE:
    case SCH_TARGET_CUBE_ARRAY:
        return 2;
    case SCH_TARGET_3D:
        return 3;
    default:
        return 0;
    }
}

static uint32_t full_levels(const struct sch_file_texture *texture)
{
    uint32_t levels = 1, size = texture->width;
    if (texture->height > size) size = texture->height;
    if (texture->depth > size) size = texture->depth;
    for (; size > 1; size /= 2) levels++;
    return levels;
}

const char *sch_files_wrong_shape(const struct sch_file_texture *texture)
{
    struct sch_files_format format;
    bool layered;
    unsigned axes = axes_of(texture->target, &layered);
    if (!axes) return "files have no such target";
    if (!sch_files_format(texture->format, &format)) return "the format does not have blocks of texels";
    if (!texture->width || !texture->height || !texture->depth || !texture->layers || !texture->levels)
        return "a count is 0";
    if (axes < 2 && texture->height > 1) return "a texture of one axis has height 1";
    if (axes < 3 && texture->depth > 1) return "only 3D textures have depth";
    if (!layered && texture->layers > 1) return "only arrays and cubes have layers";
    if (texture->target == SCH_TARGET_CUBE && texture->layers != CUBE_FACES) return "a cube has six faces";
    if (texture->target == SCH_TARGET_CUBE_ARRAY && texture->layers % CUBE_FACES) return "cubes have six faces each";
    if ((texture->target == SCH_TARGET_CUBE || texture->target == SCH_TARGET_CUBE_ARRAY) &&
        texture->width != texture->height)
        return "the faces of a cube are squares";
    if (texture->levels > full_levels(texture)) return "more levels than there are down to one texel";
    return NULL;
}

uint32_t sch_files_bound_levels(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    if (!texture->width || !texture->height || !texture->depth) return 0;
    const uint32_t levels = full_levels(texture);
    if (texture->levels != levels + 1) return 0;
    sch_files_warn(reader, SCH_D_FILE_HEADER, "%u levels, where %u end in one texel: %u are read",
                   (unsigned)texture->levels, (unsigned)levels, (unsigned)levels);
    texture->levels = levels;
    return 1;
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static uint32_t blocks(uint32_t texels, uint32_t side) { return texels / side + (texels % side != 0); }

/* All of a level but its offset; false: more than memory. */
static bool measure(const struct sch_file_texture *texture, const struct sch_files_format *format, uint32_t number,
                    struct sch_files_level *level)
{
    *level = (struct sch_files_level){.width = halved(texture->width, number),
                                      .height = halved(texture->height, number),
                                      .depth = halved(texture->depth, number)};
    level->rows = blocks(level->height, format->height);
    level->slices = blocks(level->depth, format->depth);
    return sch_mul_size(blocks(level->width, format->width), format->bytes, &level->row_bytes) &&
           sch_mul_size(level->row_bytes, level->rows, &level->slice_bytes) &&
           sch_mul_size(level->slice_bytes, level->slices, &level->layer_bytes) &&
           sch_mul_size(level->layer_bytes, texture->layers, &level->bytes);
}

/* The shape was checked: at most 32 levels. */
static bool count_bytes(const struct sch_file_texture *texture, size_t *bytes)
{
    struct sch_files_format format;
    struct sch_files_level level;
    size_t sum = 0;
    if (!sch_files_format(texture->format, &format)) return false;
    for (uint32_t i = 0; i < texture->levels; i++)
        if (!measure(texture, &format, i, &level) || !sch_add_size(sum, level.bytes, &sum)) return false;
    *bytes = sum;
    return true;
}

bool sch_files_texture_bytes(const struct sch_file_texture *texture, size_t *bytes)
{
    return !sch_files_wrong_shape(texture) && count_bytes(texture, bytes);
}

struct sch_files_level sch_files_level(const struct sch_file_texture *texture, uint32_t level)
{
    struct sch_files_format format;
    struct sch_files_level found = {0};
    size_t offset = 0;
    if (!sch_files_format(texture->format, &format)) return found;
    for (uint32_t i = 0;; i++) {
        (void)measure(texture, &format, i, &found); /* the sum of all was checked */
        if (i == level) break;
        offset += found.bytes;
    }
    found.offset = offset;
    return found;
}

/* Limits first: what is too large is that, whatever else is wrong with it. */
enum sch_result sch_files_check(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                                size_t *bytes)
{
    const struct sch_file_options *limits = &reader->limits;
    uint32_t max_depth = limits->max_width > limits->max_height ? limits->max_width : limits->max_height;
    if (texture->width > limits->max_width || texture->height > limits->max_height || texture->depth > max_depth) {
        sch_files_report(reader->error, SCH_D_PICTURE_TOO_LARGE,
                         "the picture has %u x %u x %u texels: more than allowed", (unsigned)texture->width,
                         (unsigned)texture->height, (unsigned)texture->depth);
        return SCH_ERROR_LIMIT;
    }
    const char *wrong = sch_files_wrong_shape(texture);
    if (wrong) {
        sch_files_report(reader->error, SCH_D_FILE_SHAPE, "no texture has this shape: %s", wrong);
        return SCH_ERROR_INVALID;
    }
    if (!count_bytes(texture, bytes) || *bytes > limits->max_bytes) {
        sch_files_report(reader->error, SCH_D_PICTURE_TOO_LARGE,
                         "%u x %u x %u texels of %s in %u layers and %u levels are more bytes than allowed",
                         (unsigned)texture->width, (unsigned)texture->height, (unsigned)texture->depth,
                         sch_files_format_name(texture->format), (unsigned)texture->layers, (unsigned)texture->levels);
        return SCH_ERROR_LIMIT;
    }
    return SCH_OK;
}

enum sch_result sch_files_allocate(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    const struct sch_allocator *memory = reader->limits.memory;
    size_t bytes;
    enum sch_result result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    texture->texels = memory->alloc(memory->user, bytes);
    if (!texture->texels) return SCH_ERROR_MEMORY;
    texture->bytes = bytes;
    texture->memory = *memory;
    return SCH_OK;
}
