/* See texture_data.h. Texels lie as sch_resource_write_all() has them: levels, layers, slices, rows of blocks. */
#include "texture_data.h"

#include <stdlib.h>
#include <string.h>

enum { FACES = 6 };

/* ---- where texels are -------------------------------------------------------------------------------------------- */

struct level {
    size_t offset, row_bytes, slice_bytes, layer_bytes;
    uint32_t width, height, depth;
};

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static uint32_t blocks(uint32_t texels, uint32_t side) { return (texels + side - 1) / side; }

static bool format_of(const struct sch_file_texture *texture, struct sch_format_info *format)
{
    *format = (struct sch_format_info){.size = sizeof *format};
    return sch_format_get_info(texture->format, format) == SCH_OK && format->block_bytes;
}

/* The reader has checked that all of it is memory. */
static struct level level_of(const struct sch_file_texture *texture, const struct sch_format_info *format,
                             uint32_t number)
{
    struct level level = {0};
    for (uint32_t i = 0; i <= number; i++) {
        level.offset += level.layer_bytes * texture->layers;
        level.width = halved(texture->width, i);
        level.height = halved(texture->height, i);
        level.depth = halved(texture->depth, i);
        level.row_bytes = (size_t)blocks(level.width, format->block_width) * format->block_bytes;
        level.slice_bytes = level.row_bytes * blocks(level.height, format->block_height);
        level.layer_bytes = level.slice_bytes * blocks(level.depth, format->block_depth);
    }
    return level;
}

static enum sch_cli_exit unread_format(const char *name, const struct sch_file_texture *texture)
{
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: this version does not read texels of %s", name,
                        sch_cli_format_name(texture->format));
}

bool sch_cli_texture_is_picture(const struct sch_file_texture *texture)
{
    return texture->target == SCH_TARGET_2D && texture->levels == 1;
}

/* ---- resources --------------------------------------------------------------------------------------------------- */

static struct sch_resource_options shape_of(const struct sch_file_texture *texture)
{
    return (struct sch_resource_options){.size = sizeof(struct sch_resource_options),
                                         .target = texture->target,
                                         .format = texture->format,
                                         .width = texture->width,
                                         .height = texture->height,
                                         .depth = texture->depth,
                                         .layers = texture->layers,
                                         .levels = texture->levels};
}

uint32_t sch_cli_texture_full_levels(const struct sch_file_texture *texture)
{
    const struct sch_resource_options shape = shape_of(texture);
    return sch_resource_full_levels(&shape);
}

/* What a call said, printed: its reports, or the words of its result. */
static enum sch_cli_exit said(enum sch_result result, const struct sch_diagnostics_list *list, const char *name)
{
    sch_cli_print_diagnostics(list, NULL);
    if (result != SCH_OK && !sch_diagnostics_count(list))
        return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", name, sch_result_text(result));
    return sch_cli_exit_of(result);
}

enum sch_cli_exit sch_cli_resource_create(struct sch_context *context, const char *name,
                                          const struct sch_resource_options *shape, struct sch_resource **resource)
{
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK) result = sch_resource_create(context, shape, list, resource);
    const enum sch_cli_exit exit_code = said(result, list, name);
    sch_diagnostics_destroy(list);
    return exit_code;
}

static enum sch_result fill(struct sch_resource *resource, const struct sch_file_texture *texture)
{
    const size_t bytes = sch_resource_bytes(resource);
    if (bytes == texture->bytes) return sch_resource_write_all(resource, texture->texels, bytes);
    enum sch_result result = SCH_OK;
    size_t at = 0;
    for (uint32_t level = 0; level < texture->levels && result == SCH_OK; level++) {
        const struct sch_transfer transfer = {.size = sizeof transfer, .level = level};
        const size_t needed = sch_transfer_bytes(resource, &transfer);
        result = at + needed <= texture->bytes
                     ? sch_resource_write(resource, &transfer, texture->texels + at, needed, NULL)
                     : SCH_ERROR_INTERNAL;
        at += needed;
    }
    return result;
}

enum sch_cli_exit sch_cli_texture_upload(struct sch_context *context, const char *name,
                                         const struct sch_file_texture *texture, uint32_t levels, bool decoded,
                                         struct sch_resource **resource)
{
    struct sch_resource_options shape = shape_of(texture);
    *resource = NULL;
    if (levels > shape.levels) shape.levels = levels;
    shape.decoded = decoded;
    enum sch_cli_exit exit_code = sch_cli_resource_create(context, name, &shape, resource);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const enum sch_result result = fill(*resource, texture);
    if (result == SCH_OK) return SCH_CLI_YES;
    sch_resource_destroy(*resource);
    *resource = NULL;
    return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", name, sch_result_text(result));
}

enum sch_cli_exit sch_cli_texture_download(struct sch_context *context, const char *name,
                                           const struct sch_resource *resource, struct sch_file_texture *texture)
{
    struct sch_resource_info is = {.size = sizeof is};
    struct sch_context_memory room = {.size = sizeof room};
    const size_t bytes = sch_resource_bytes(resource);
    enum sch_result result = sch_context_get_memory(context, &room);
    if (result == SCH_OK) result = sch_resource_get_info(resource, 0, &is);
    uint8_t *texels = result == SCH_OK ? room.memory.alloc(room.memory.user, bytes) : NULL;
    if (result == SCH_OK && !texels) result = SCH_ERROR_MEMORY;
    if (result == SCH_OK) result = sch_resource_read_all(resource, texels, bytes);
    if (result != SCH_OK) {
        if (texels) room.memory.free(room.memory.user, texels);
        return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", name, sch_result_text(result));
    }
    if (texture->memory.free) texture->memory.free(texture->memory.user, texture->texels);
    texture->target = is.target;
    texture->format = is.format;
    texture->width = is.width;
    texture->height = is.height;
    texture->depth = is.depth;
    texture->layers = is.layers;
    texture->levels = is.levels;
    texture->texels = texels;
    texture->bytes = bytes;
    texture->memory = room.memory;
    return SCH_CLI_YES;
}

/* ---- other formats ----------------------------------------------------------------------------------------------- */

/* Whether texels of a format can be made: nothing here compresses. */
static enum sch_cli_exit check_encoder(const char *name, enum sch_format format)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(format, &info);
    if (!info.block_bytes)
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: this version has no texels of %s", name, info.name);
    if (info.block_width * info.block_height * info.block_depth > 2 && !(info.uses & SCH_USE_WRITTEN))
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: %s is compressed, and this version does not compress", name,
                            info.name);
    if (info.uses & SCH_USE_WRITTEN) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: texels are not converted to %s", name, info.name);
}

static enum sch_cli_exit blit_levels(struct sch_context *context, const char *name, struct sch_resource *to,
                                     const struct sch_resource *from, uint32_t levels)
{
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_diagnostics_create(context, &list);
    for (uint32_t level = 0; level < levels && result == SCH_OK; level++) {
        const struct sch_blit blit = {.size = sizeof blit, .level = level, .source_level = level};
        result = sch_resource_blit(to, from, &blit, list);
    }
    const enum sch_cli_exit exit_code = said(result, list, name);
    sch_diagnostics_destroy(list);
    return exit_code;
}

/* What the curve is that blits left. */
static void settle_transfer(struct sch_file_texture *texture, enum sch_format from)
{
    struct sch_format_info before = {.size = sizeof before}, after = {.size = sizeof after};
    sch_format_get_info(from, &before);
    sch_format_get_info(texture->format, &after);
    if (after.srgb) texture->transfer = SCH_FILE_TRANSFER_SRGB;
    if (before.srgb && !after.srgb) texture->transfer = SCH_FILE_TRANSFER_LINEAR;
}

enum sch_cli_exit sch_cli_texture_convert(struct sch_context *context, const char *name,
                                          struct sch_file_texture *texture, enum sch_format format)
{
    const enum sch_format before = texture->format;
    struct sch_resource *from = NULL, *to = NULL;
    struct sch_resource_options shape = shape_of(texture);
    if (format == texture->format) return SCH_CLI_YES;
    shape.format = format;
    enum sch_cli_exit exit_code = check_encoder(name, format);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_upload(context, name, texture, 0, false, &from);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_resource_create(context, name, &shape, &to);
    if (exit_code == SCH_CLI_YES) exit_code = blit_levels(context, name, to, from, shape.levels);
    sch_resource_destroy(from);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_download(context, name, to, texture);
    if (exit_code == SCH_CLI_YES) settle_transfer(texture, before);
    sch_resource_destroy(to);
    return exit_code;
}

enum sch_cli_exit sch_cli_texture_as_color(struct sch_context *context, const char *name,
                                           struct sch_file_texture *texture)
{
    struct sch_format_info format = {.size = sizeof format};
    sch_format_get_info(texture->format, &format);
    if (format.parts & SCH_PART_DEPTH) {
        const enum sch_cli_exit exit_code = sch_cli_texture_convert(context, name, texture, SCH_FORMAT_Z32_FLOAT);
        if (exit_code == SCH_CLI_YES) texture->format = SCH_FORMAT_R32_FLOAT;
        return exit_code;
    }
    if (format.parts & SCH_PART_STENCIL) {
        const enum sch_cli_exit exit_code = sch_cli_texture_convert(context, name, texture, SCH_FORMAT_S8_UINT);
        if (exit_code == SCH_CLI_YES) texture->format = SCH_FORMAT_R8_UNORM;
        return exit_code;
    }
    return SCH_CLI_YES;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

enum sch_cli_exit sch_cli_check_means(const char *name, enum sch_format format)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(format, &info);
    if (info.block_height < 2) return SCH_CLI_YES; /* others the library refuses by name */
    return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                        "%s: no levels are made of texels of %s, which are compressed; scheelite convert --format F "
                        "decodes them",
                        name, info.name);
}

enum sch_cli_exit sch_cli_resource_make_mips(struct sch_context *context, const char *name,
                                             struct sch_resource *resource, uint32_t levels)
{
    const struct sch_mips mips = {.size = sizeof mips, .base_level = levels - 1};
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_diagnostics_create(context, &list);
    if (result == SCH_OK) result = sch_resource_make_mips(resource, &mips, list);
    const enum sch_cli_exit exit_code = said(result, list, name);
    sch_diagnostics_destroy(list);
    return exit_code;
}

static enum sch_cli_exit make_levels(struct sch_context *context, const char *name, struct sch_file_texture *texture,
                                     uint32_t levels)
{
    struct sch_resource *resource = NULL;
    enum sch_cli_exit exit_code = sch_cli_check_means(name, texture->format);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_upload(context, name, texture, levels, false, &resource);
    if (exit_code != SCH_CLI_YES) return exit_code;
    exit_code = sch_cli_resource_make_mips(context, name, resource, texture->levels);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_download(context, name, resource, texture);
    sch_resource_destroy(resource);
    return exit_code;
}

enum sch_cli_exit sch_cli_texture_set_levels(struct sch_context *context, const char *name,
                                             struct sch_file_texture *texture, uint32_t levels)
{
    struct sch_format_info format;
    const uint32_t full = sch_cli_texture_full_levels(texture);
    if (!format_of(texture, &format)) return unread_format(name, texture);
    if (!levels) levels = full;
    if (levels > full)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: a texture of this size has %u level%s, not %u", name, full,
                            full == 1 ? "" : "s", levels);
    if (levels > texture->levels) return make_levels(context, name, texture, levels);
    texture->bytes = level_of(texture, &format, levels).offset;
    texture->levels = levels;
    return SCH_CLI_YES;
}

/* ---- other targets ----------------------------------------------------------------------------------------------- */

/* Rows of squares, one below another: faces. */
static bool stack_faces(struct sch_file_texture *texture)
{
    struct sch_format_info format;
    if (texture->target != SCH_TARGET_2D || texture->levels > 1 || texture->height == texture->width) return true;
    if (texture->height % texture->width || !format_of(texture, &format)) return false;
    if (texture->width % format.block_height) return false;
    texture->layers = texture->height / texture->width;
    texture->height = texture->width;
    return true;
}

/* 3D textures of one level have the bytes of arrays. */
static bool flatten(struct sch_file_texture *texture, bool volume)
{
    if ((texture->target == SCH_TARGET_3D) == volume) return true;
    if (texture->levels > 1) return false;
    const uint32_t slices = texture->target == SCH_TARGET_3D ? texture->depth : texture->layers;
    texture->depth = volume ? slices : 1;
    texture->layers = volume ? 1 : slices;
    return true;
}

bool sch_cli_texture_retarget(struct sch_file_texture *texture, enum sch_target target)
{
    struct sch_file_texture made = *texture;
    if (target == texture->target) return true;
    if (!flatten(&made, target == SCH_TARGET_3D)) return false;
    if (sch_cli_is_cube(target) && !stack_faces(&made)) return false;
    if (sch_cli_is_cube(target) && (made.width != made.height || made.layers % FACES)) return false;
    if (target == SCH_TARGET_CUBE && made.layers != FACES) return false;
    const bool one_axis = target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY;
    if (one_axis && made.height > 1) return false;
    const bool layered = sch_cli_is_cube(target) || target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_2D_ARRAY;
    if (!layered && made.layers > 1) return false;
    made.target = target;
    *texture = made;
    return true;
}

bool sch_cli_texture_is_cross(const struct sch_file_texture *texture)
{
    const uint64_t width = texture->width, height = texture->height;
    return sch_cli_texture_is_picture(texture) && width && height &&
           ((width * 3 == height * 4 && width % 4 == 0) || (width * 4 == height * 3 && width % 3 == 0));
}

enum sch_cli_exit sch_cli_texture_uncross(const char *name, struct sch_file_texture *texture)
{
    static const uint8_t lying[FACES][2] = {{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {3, 1}},
                         upright[FACES][2] = {{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {1, 3}};
    struct sch_format_info format;
    if (!format_of(texture, &format)) return unread_format(name, texture);
    if (format.block_width > 1 || format.block_height > 1)
        return sch_cli_fail(SCH_CLI_NO, "%s: a cross is made of texels, and %s has blocks", name, format.name);
    const bool lies = texture->width > texture->height;
    const uint32_t side = lies ? texture->height / 3 : texture->width / 3;
    const size_t row = (size_t)side * format.block_bytes, line = (size_t)texture->width * format.block_bytes;
    const struct sch_allocator memory = texture->memory;
    uint8_t *texels = memory.alloc(memory.user, row * side * FACES);
    if (!texels) return sch_cli_no_memory();
    for (unsigned face = 0; face < FACES; face++) {
        const uint8_t *at = lies ? lying[face] : upright[face];
        const uint8_t *from = texture->texels + at[1] * line * side + at[0] * row;
        uint8_t *to = texels + row * side * face;
        const bool turned = !lies && face == FACES - 1;
        for (uint32_t y = 0; y < side; y++) {
            if (turned)
                for (uint32_t x = 0; x < side; x++)
                    memcpy(to + y * row + (size_t)x * format.block_bytes,
                           from + (side - 1 - y) * line + (side - (size_t)1 - x) * format.block_bytes,
                           format.block_bytes);
            else
                memcpy(to + y * row, from + y * line, row);
        }
    }
    memory.free(memory.user, texture->texels);
    texture->texels = texels;
    texture->bytes = row * side * FACES;
    texture->width = side;
    texture->height = side * FACES;
    return SCH_CLI_YES;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static const char *const face_words[FACES][2] = {{"+x", "px"}, {"-x", "nx"}, {"+y", "py"},
                                                 {"-y", "ny"}, {"+z", "pz"}, {"-z", "nz"}};

static bool read_face(const char *text, uint32_t *face)
{
    uint64_t number;
    for (*face = 0; *face < FACES; (*face)++)
        if (strcmp(text, face_words[*face][0]) == 0 || strcmp(text, face_words[*face][1]) == 0) return true;
    if (!sch_cli_number(text, 0, FACES - 1, &number)) return false;
    *face = (uint32_t)number;
    return true;
}

static bool is_word(const char *name, size_t bytes, const char *word)
{
    return strncmp(name, word, bytes) == 0 && word[bytes] == 0;
}

enum sch_cli_exit sch_cli_part_take(const struct sch_cli_verb *verb, struct sch_cli_part *part, int option,
                                    const char *value)
{
    struct sch_cli_complaint complaint;
    const char *name = sch_cli_options[option].name + strlen("--");
    if (sch_cli_part_option(part, name, strlen(name), value, &complaint) == SCH_CLI_TAKEN) return SCH_CLI_YES;
    return sch_cli_usage_error(verb, "--%s", complaint.text);
}

bool sch_cli_part_has(const char *name, size_t bytes)
{
    return is_word(name, bytes, "level") || is_word(name, bytes, "layer") || is_word(name, bytes, "face");
}

static enum sch_cli_taken take_number(const char *word, const char *value, bool *has, uint32_t *to,
                                      struct sch_cli_complaint *complaint)
{
    uint64_t number;
    *has = true;
    if (sch_cli_number(value, 0, INT32_MAX, &number)) {
        *to = (uint32_t)number;
        return SCH_CLI_TAKEN;
    }
    sch_cli_complain(complaint, "%s is a number from 0, not %.100s", word, value);
    return SCH_CLI_WRONG;
}

enum sch_cli_taken sch_cli_part_option(struct sch_cli_part *part, const char *name, size_t bytes, const char *value,
                                       struct sch_cli_complaint *complaint)
{
    if (is_word(name, bytes, "level")) return take_number("level", value, &part->has_level, &part->level, complaint);
    if (is_word(name, bytes, "layer")) return take_number("layer", value, &part->has_layer, &part->layer, complaint);
    if (!is_word(name, bytes, "face")) return SCH_CLI_NO_OPTION;
    part->has_face = true;
    if (read_face(value, &part->face)) return SCH_CLI_TAKEN;
    sch_cli_complain(complaint, "face is 0 to 5, or +x -x +y -y +z -z, not %.100s", value);
    return SCH_CLI_WRONG;
}

/* What stays: levels, of each every `step`th layer, of each one slice or all. */
struct picked {
    enum sch_target target;
    uint32_t level, levels, layer, step, layers, slice;
    bool one_slice;
};

static enum sch_cli_exit pick_level(const char *name, const struct sch_file_texture *texture, uint32_t level,
                                    struct picked *picked)
{
    if (level >= texture->levels)
        return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no level %u, but %u of them", name, level, texture->levels);
    picked->level = level;
    picked->levels = 1;
    return SCH_CLI_YES;
}

static enum sch_cli_exit pick_layer(const char *name, const struct sch_file_texture *texture, uint32_t layer,
                                    struct picked *picked)
{
    uint32_t count = texture->layers;
    picked->layer = layer;
    picked->layers = 1;
    switch (texture->target) {
    case SCH_TARGET_1D_ARRAY:
        picked->target = SCH_TARGET_1D;
        break;
    case SCH_TARGET_2D_ARRAY:
        picked->target = SCH_TARGET_2D;
        break;
    case SCH_TARGET_CUBE_ARRAY:
        picked->target = SCH_TARGET_CUBE;
        picked->layer = layer * FACES;
        picked->layers = FACES;
        count /= FACES;
        break;
    case SCH_TARGET_3D:
        picked->target = SCH_TARGET_2D;
        picked->layer = 0;
        picked->levels = 1;
        picked->slice = layer;
        picked->one_slice = true;
        count = halved(texture->depth, picked->level);
        break;
    default:
        return sch_cli_fail(SCH_CLI_USAGE, "%s: it has no layers", name);
    }
    if (layer < count) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no layer %u, but %u of them", name, layer, count);
}

static enum sch_cli_exit pick_face(const char *name, uint32_t face, struct picked *picked)
{
    if (!sch_cli_is_cube(picked->target)) return sch_cli_fail(SCH_CLI_USAGE, "%s: it has no faces", name);
    picked->target = picked->target == SCH_TARGET_CUBE ? SCH_TARGET_2D : SCH_TARGET_2D_ARRAY;
    picked->layer += face;
    picked->step = FACES;
    picked->layers /= FACES;
    return SCH_CLI_YES;
}

/* Moves to the front what stays; it never grows. */
static void keep_picked(struct sch_file_texture *texture, const struct sch_format_info *format,
                        const struct picked *picked)
{
    uint8_t *to = texture->texels;
    const struct level first = level_of(texture, format, picked->level);
    for (uint32_t i = 0; i < picked->levels; i++) {
        const struct level level = level_of(texture, format, picked->level + i);
        const size_t bytes = picked->one_slice ? level.slice_bytes : level.layer_bytes;
        for (uint32_t layer = 0; layer < picked->layers; layer++) {
            const uint8_t *from = texture->texels + level.offset +
                                  ((size_t)picked->layer + (size_t)layer * picked->step) * level.layer_bytes +
                                  picked->slice * level.slice_bytes;
            memmove(to, from, bytes);
            to += bytes;
        }
    }
    texture->bytes = (size_t)(to - texture->texels);
    texture->target = picked->target;
    texture->width = first.width;
    texture->height = first.height;
    texture->depth = picked->one_slice ? 1 : first.depth;
    texture->layers = picked->layers;
    texture->levels = picked->levels;
}

enum sch_cli_exit sch_cli_texture_pick(const char *name, struct sch_file_texture *texture,
                                       const struct sch_cli_part *part)
{
    struct sch_format_info format;
    struct picked picked = {.target = texture->target, .levels = texture->levels, .step = 1, .layers = texture->layers};
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (!part->has_level && !part->has_layer && !part->has_face) return exit_code;
    if (!format_of(texture, &format) || format.block_depth > 1) return unread_format(name, texture);
    if (part->has_level) exit_code = pick_level(name, texture, part->level, &picked);
    if (exit_code == SCH_CLI_YES && part->has_layer) exit_code = pick_layer(name, texture, part->layer, &picked);
    if (exit_code == SCH_CLI_YES && part->has_face) exit_code = pick_face(name, part->face, &picked);
    if (exit_code == SCH_CLI_YES) keep_picked(texture, &format, &picked);
    return exit_code;
}
