/* Texels of the command line: resources of pictures, of random bytes and of zeros. Knows nothing of slots, views and
 * samplers (texture.c). */
#include "texels.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/text.h"
#include "common/common.h"
#include "texture_data.h"
#include "texture_file.h"

static enum sch_cli_exit create(struct sch_context *context, const char *text, const struct sch_resource_options *shape,
                                struct sch_cli_texels *texels)
{
    const enum sch_cli_exit exit_code = sch_cli_resource_create(context, text, shape, &texels->resource);
    texels->format = sch_cli_format_name(shape->format);
    return exit_code == SCH_CLI_YES ? sch_cli_exit_of(sch_resource_get_info(texels->resource, 0, &texels->is))
                                    : exit_code;
}

static enum sch_cli_exit make_mips(struct sch_context *context, const char *text, struct sch_cli_texels *texels,
                                   uint32_t levels)
{
    if (levels >= texels->is.levels) return SCH_CLI_YES;
    const enum sch_cli_exit exit_code = sch_cli_check_means(text, texels->is.format);
    return exit_code == SCH_CLI_YES ? sch_cli_resource_make_mips(context, text, texels->resource, levels) : exit_code;
}

/* ---- random:... and zero:... ------------------------------------------------------------------------------------- */

/* What they say. */
struct made {
    struct sch_resource_options shape;
    uint64_t seed;
    bool random;
};

/* A decimal number that `*at` begins with. */
static bool read_number(const char **at, uint64_t high, uint64_t *number)
{
    const size_t digits = strspn(*at, "0123456789");
    const char *text = *at;
    *at += digits;
    return digits < SCH_CLI_DIGITS && sch_text_digits(text, digits, 10, number) && *number <= high;
}

/* W, WxH or WxHxD. */
static bool read_size(const char **at, struct sch_resource_options *shape)
{
    uint32_t *const sides[3] = {&shape->width, &shape->height, &shape->depth};
    for (unsigned axis = 0; axis < 3; axis++) {
        uint64_t side;
        if (!read_number(at, UINT32_MAX, &side) || side == 0) return false;
        *sides[axis] = (uint32_t)side;
        if (**at != 'x') return true;
        (*at)++;
    }
    return false;
}

/* levels=N and the like. */
static bool read_part(const char **at, struct made *made)
{
    const struct {
        const char *key;
        uint32_t *number;
    } parts[] = {
        {"levels=", &made->shape.levels}, {"layers=", &made->shape.layers}, {"samples=", &made->shape.samples}};
    uint64_t number;
    if (strncmp(*at, "seed=", 5) == 0) {
        *at += 5;
        return read_number(at, UINT64_MAX, &made->seed);
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t bytes = strlen(parts[i].key);
        if (strncmp(*at, parts[i].key, bytes) != 0) continue;
        *at += bytes;
        if (!read_number(at, UINT32_MAX, &number) || number == 0) return false;
        *parts[i].number = (uint32_t)number;
        return true;
    }
    return false;
}

/* Reads what follows "random:" or "zero:". */
static enum sch_cli_exit read_made(const char *text, enum sch_target target, struct made *made)
{
    bool cube = sch_cli_is_cube(target);
    made->shape = (struct sch_resource_options){.size = sizeof made->shape, .target = target, .layers = cube ? 6 : 1};
    char name[64];
    const char *at = strchr(text, ':') + 1;
    size_t bytes = strcspn(at, ":");
    if (bytes < sizeof name) {
        memcpy(name, at, bytes);
        name[bytes] = 0;
        made->shape.format = sch_format_by_name(name);
    }
    if (made->shape.format <= 0) {
        struct sch_nearest nearest = sch_nearest_format(at, bytes);
        return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no format %.*s%s", text, (int)bytes, at,
                            sch_nearest_said(&nearest));
    }
    at += bytes;
    if (*at++ != ':' || !read_size(&at, &made->shape))
        return sch_cli_fail(SCH_CLI_USAGE, "%s: what follows the format is a size, WxHxD", text);
    while (*at == ':') {
        at++;
        if (!read_part(&at, made))
            return sch_cli_fail(SCH_CLI_USAGE, "%s: levels=N, layers=N, samples=N and seed=K may follow the size",
                                text);
    }
    return *at ? sch_cli_fail(SCH_CLI_USAGE, "%s: what does %s mean?", text, at) : SCH_CLI_YES;
}

uint64_t sch_cli_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void sch_cli_random_bytes(uint64_t seed, void *data, size_t bytes)
{
    uint8_t *to = data;
    for (size_t at = 0; at < bytes; at += 8) {
        const uint64_t number = sch_cli_random(&seed);
        for (unsigned i = 0; i < 8 && at + i < bytes; i++) to[at + i] = (uint8_t)(number >> (8 * i));
    }
}

static enum sch_result fill_random(struct sch_resource *resource, uint64_t seed)
{
    size_t bytes = sch_resource_bytes(resource);
    uint8_t *data = malloc(bytes + 1);
    if (!data) return SCH_ERROR_MEMORY;
    sch_cli_random_bytes(seed, data, bytes);
    enum sch_result result = sch_resource_write_all(resource, data, bytes);
    free(data);
    return result;
}

static enum sch_cli_exit load_made(struct sch_context *context, const struct sch_cli_texels_options *options,
                                   struct sch_cli_texels *texels)
{
    const char *text = options->text;
    struct made made = {.random = text[0] == 'r'};
    enum sch_cli_exit exit_code = read_made(text, options->target, &made);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (options->mips && !made.shape.levels) made.shape.levels = sch_resource_full_levels(&made.shape);
    made.shape.decoded = options->decoded;
    exit_code = create(context, text, &made.shape, texels);
    if (exit_code != SCH_CLI_YES) return exit_code;
    enum sch_result result = made.random ? fill_random(texels->resource, made.seed) : SCH_OK;
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", text, sch_result_text(result));
    return options->mips ? make_mips(context, text, texels, 1) : exit_code;
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

struct sheet {
    char *path;
    uint32_t level;
    struct sch_cli_part part;
    struct sch_file_texture picture; /* of a file that holds a whole texture: all of it */
};

/* The pictures of a texture, level by level. Those of a level are below each other, as if they were one picture. */
struct sheets {
    struct sheet *list;
    uint32_t count, levels;
};

static void release(struct sheets *sheets)
{
    for (uint32_t i = 0; i < sheets->count; i++) {
        sch_file_texture_release(&sheets->list[i].picture);
        free(sheets->list[i].path);
    }
    free(sheets->list);
}

/* Up to the next sign that joins, or the end; the one of face=+x joins nothing. */
static size_t name_bytes(const char *text)
{
    size_t bytes = strcspn(text, "+");
    while (bytes && text[bytes] && text[bytes - 1] == '=') bytes += 1 + strcspn(text + bytes + 1, "+");
    return bytes;
}

/* Takes "a.png+b.png++c.png" apart. What is the name of a file is one picture. */
static enum sch_cli_exit read_names(const char *text, struct sheets *sheets)
{
    const bool one = !strchr(text, '+') || access(text, F_OK) == 0;
    size_t most = 1;
    for (const char *at = text; !one && *at; at++) most += *at == '+';
    sheets->list = calloc(most, sizeof *sheets->list);
    for (const char *at = text; sheets->list;) {
        const size_t bytes = one ? strlen(at) : name_bytes(at);
        if (!bytes) return sch_cli_fail(SCH_CLI_USAGE, "%s: + and ++ need a picture on both sides", text);
        struct sheet *sheet = &sheets->list[sheets->count];
        *sheet = (struct sheet){.path = strndup(at, bytes), .level = sheets->levels};
        if (!sheet->path) break;
        sheets->count++;
        at += bytes;
        if (*at == 0) {
            sheets->levels++;
            return SCH_CLI_YES;
        }
        if (*++at != '+') continue;
        at++;
        sheets->levels++;
    }
    return sch_cli_no_memory();
}

/* The bytes of a key: letters between a comma and a sign. 0: it is not a key. */
static size_t key_bytes(const char *comma)
{
    const size_t bytes = strspn(comma + 1, "abcdefghijklmnopqrstuvwxyz-");
    return comma[1 + bytes] == '=' ? bytes : 0;
}

/* The file that does not exist has something like a key in its name. */
static enum sch_cli_exit unknown_key(const char *path, const char *comma)
{
    const int bytes = (int)key_bytes(comma);
    struct sch_nearest nearest = sch_nearest_to(comma + 1, (size_t)bytes);
    const char *name;
    sch_nearest_offer_set(&nearest, "level|layer|face");
    for (size_t i = 0; (name = sch_cli_state_name(i)) != NULL; i++) sch_nearest_offer(&nearest, name);
    return sch_cli_fail(SCH_CLI_USAGE, "%s: there is no key %.*s%s", path, bytes, comma + 1,
                        sch_nearest_said(&nearest));
}

/* Takes ",level=L" and the like off the end of a name that no file has. */
static enum sch_cli_exit take_part(struct sheet *sheet)
{
    struct sch_cli_complaint complaint;
    for (char *comma; access(sheet->path, F_OK) != 0 && (comma = strrchr(sheet->path, ',')) != NULL;) {
        const size_t bytes = key_bytes(comma);
        const char *key = comma + 1;
        if (!bytes) break;
        const enum sch_cli_taken taken = sch_cli_part_option(&sheet->part, key, bytes, key + bytes + 1, &complaint);
        if (taken == SCH_CLI_NO_OPTION) return unknown_key(sheet->path, comma);
        if (taken == SCH_CLI_WRONG) return sch_cli_fail(SCH_CLI_USAGE, "%s: %s", sheet->path, complaint.text);
        *comma = 0;
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit read_picture(struct sch_context *context, enum sch_target target, struct sheet *sheet)
{
    struct sch_cli_texture_file file;
    enum sch_cli_exit exit_code = take_part(sheet);
    if (exit_code != SCH_CLI_YES) return exit_code;
    exit_code = sch_cli_texture_file_read(context, sheet->path, true, &file);
    sheet->picture = file.texture;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_texture_pick(sheet->path, &sheet->picture, &sheet->part);
    if (exit_code == SCH_CLI_YES && sch_cli_is_cube(target) && sch_cli_texture_is_cross(&sheet->picture))
        exit_code = sch_cli_texture_uncross(sheet->path, &sheet->picture);
    return exit_code;
}

/* Rows of all pictures of a level; of how many pictures. */
static uint32_t rows_of(const struct sheets *sheets, uint32_t level, uint32_t *count)
{
    uint64_t rows = 0;
    *count = 0;
    for (uint32_t i = 0; i < sheets->count; i++) {
        if (sheets->list[i].level != level) continue;
        rows += sheets->list[i].picture.height;
        (*count)++;
    }
    return rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
}

/* What texture the pictures of level 0 are: their bytes in their order. */
static struct sch_resource_options shape_of(const struct sheets *sheets, enum sch_target target)
{
    const struct sch_file_texture *first = &sheets->list[0].picture;
    struct sch_resource_options shape = {.size = sizeof shape,
                                         .target = target,
                                         .format = first->format,
                                         .width = first->width,
                                         .height = first->height,
                                         .levels = sheets->levels};
    uint32_t count, rows = rows_of(sheets, 0, &count);
    switch (target) {
    case SCH_TARGET_1D_ARRAY:
        shape.height = 1;
        shape.layers = rows;
        break;
    case SCH_TARGET_CUBE:
    case SCH_TARGET_CUBE_ARRAY:
        shape.height = first->width;
        shape.layers = rows / first->width;
        break;
    case SCH_TARGET_2D_ARRAY:
        shape.layers = count;
        break;
    case SCH_TARGET_3D:
        shape.depth = count;
        break;
    case SCH_TARGET_2D_MSAA:
        shape.samples = count;
        break;
    default:
        break;
    }
    return shape;
}

/* Pictures one below another that are a level, no more and no less: each as wide as it, and so high as one or several
 * of its slices, faces, layers or samples. */
static enum sch_cli_exit check_level(const char *text, const struct sheets *sheets, uint32_t level,
                                     const struct sch_resource_info *is)
{
    const uint64_t images = (uint64_t)is->depth * is->layers * is->samples;
    uint32_t count, rows = rows_of(sheets, level, &count);
    if (sheets->count == 1 && (rows != images * is->height || sheets->list[0].picture.width != is->width))
        return sch_cli_fail(SCH_CLI_NO, "%s: the picture has no shape of this target", sheets->list[0].path);
    for (uint32_t i = 0; i < sheets->count; i++) {
        const struct sch_file_texture *picture = &sheets->list[i].picture;
        if (sheets->list[i].level != level || (picture->width == is->width && picture->height % is->height == 0))
            continue;
        return sch_cli_refuse(sheets->list[i].path, "PICTURE_SIZES",
                              "the picture has %u x %u texels, and level %u of the texture %u x %u", picture->width,
                              picture->height, level, is->width, is->height);
    }
    if (rows == images * is->height) return SCH_CLI_YES;
    return sch_cli_refuse(text, "PICTURE_SIZES",
                          "level %u of the texture has %llu image%s of %u x %u texels, and %u %s given", level,
                          (unsigned long long)images, images == 1 ? "" : "s", is->width, is->height, rows / is->height,
                          rows / is->height == 1 ? "is" : "are");
}

/* Writes a picture of images `first` and following of its level. */
static enum sch_result write_sheet(const struct sch_cli_texels *texels, const struct sheet *sheet,
                                   const struct sch_resource_info *is, uint32_t first)
{
    const uint32_t images = sheet->picture.height / is->height;
    const size_t bytes = sheet->picture.bytes / images;
    enum sch_result result = SCH_OK;
    for (uint32_t i = 0; i < images && result == SCH_OK; i++) {
        const struct sch_transfer transfer = {
            .size = sizeof transfer,
            .level = sheet->level,
            .sample = (first + i) % is->samples,
            .box = {0, 0, (int32_t)((first + i) / is->samples), (int32_t)is->width, (int32_t)is->height, 1}};
        result = sch_resource_write(texels->resource, &transfer, sheet->picture.texels + i * bytes, bytes, NULL);
    }
    return result;
}

static enum sch_cli_exit write_level(const char *text, const struct sheets *sheets, uint32_t level,
                                     const struct sch_cli_texels *texels)
{
    struct sch_resource_info is = {.size = sizeof is};
    enum sch_result result = sch_resource_get_info(texels->resource, level, &is);
    enum sch_cli_exit exit_code = result == SCH_OK ? check_level(text, sheets, level, &is) : SCH_CLI_INTERNAL;
    uint32_t image = 0;
    for (uint32_t i = 0; i < sheets->count && exit_code == SCH_CLI_YES; i++) {
        if (sheets->list[i].level != level) continue;
        exit_code = sch_cli_exit_of(write_sheet(texels, &sheets->list[i], &is, image));
        image += sheets->list[i].picture.height / is.height;
    }
    return exit_code;
}

/* Counts that no texture of the target has. */
static enum sch_cli_exit check_counts(const char *text, const struct sheets *sheets,
                                      const struct sch_resource_options *shape)
{
    const uint32_t most = sch_resource_full_levels(shape);
    const bool cube = sch_cli_is_cube(shape->target);
    if (sheets->count == 1) return SCH_CLI_YES;
    if (sheets->levels > most)
        return sch_cli_refuse(text, "PICTURE_SIZES",
                              "a texture of this size and target has %u level%s, and %u are given", most,
                              most == 1 ? "" : "s", sheets->levels);
    for (uint32_t i = 0; cube && i < sheets->count; i++) {
        const struct sheet *sheet = &sheets->list[i];
        if (sheet->picture.height % sheet->picture.width)
            return sch_cli_refuse(sheet->path, "PICTURE_SIZES",
                                  "the picture has %u x %u texels, and the faces of cubes are squares",
                                  sheet->picture.width, sheet->picture.height);
    }
    if (cube && (shape->target == SCH_TARGET_CUBE ? shape->layers != 6 : shape->layers % 6 != 0))
        return sch_cli_refuse(text, "PICTURE_SIZES", "cubes have six faces of %u x %u texels each, and %u %s given",
                              shape->width, shape->height, shape->layers, shape->layers == 1 ? "is" : "are");
    return SCH_CLI_YES;
}

/* Pictures that are joined have one format; images of blocks begin with a block. */
static enum sch_cli_exit check_formats(const struct sheets *sheets, const struct sch_resource_options *shape)
{
    struct sch_format_info format = {.size = sizeof format};
    sch_format_get_info(shape->format, &format);
    for (uint32_t i = 0; i < sheets->count; i++) {
        const struct sheet *sheet = &sheets->list[i];
        if (!sch_cli_texture_is_picture(&sheet->picture))
            return sch_cli_refuse(sheet->path, "PICTURE_SIZES",
                                  "the file holds %u levels and %u layers: say which (level=, layer=, face=)",
                                  sheet->picture.levels, sheet->picture.layers);
        if (sheet->picture.format != shape->format)
            return sch_cli_refuse(sheet->path, "PICTURE_SIZES", "the picture has texels of %s, and the first one of %s",
                                  sch_cli_format_name(sheet->picture.format), format.name);
        if (format.block_height > 1 && sheet->picture.height > shape->height && shape->height % format.block_height)
            return sch_cli_refuse(sheet->path, "PICTURE_SIZES", "%u rows of texels of %s are not whole blocks",
                                  shape->height, format.name);
    }
    return SCH_CLI_YES;
}

static enum sch_cli_exit load_joined(struct sch_context *context, const struct sch_cli_texels_options *options,
                                     const struct sheets *sheets, struct sch_cli_texels *texels)
{
    struct sch_resource_options shape = shape_of(sheets, options->target);
    enum sch_cli_exit exit_code = check_counts(options->text, sheets, &shape);
    if (exit_code == SCH_CLI_YES) exit_code = check_formats(sheets, &shape);
    if (exit_code != SCH_CLI_YES) return exit_code;
    const uint32_t full = sch_resource_full_levels(&shape);
    if (options->mips && full > shape.levels) shape.levels = full;
    shape.decoded = options->decoded;
    exit_code = create(context, options->text, &shape, texels);
    for (uint32_t level = 0; level < sheets->levels && exit_code == SCH_CLI_YES; level++)
        exit_code = write_level(options->text, sheets, level, texels);
    if (exit_code != SCH_CLI_YES || !options->mips) return exit_code;
    return make_mips(context, options->text, texels, sheets->levels);
}

/* A file that is a texture by itself: of the target that it names, or the same bytes as the target that was given. */
static enum sch_cli_exit load_whole(struct sch_context *context, const struct sch_cli_texels_options *options,
                                    struct sheet *sheet, struct sch_cli_texels *texels)
{
    struct sch_file_texture *texture = &sheet->picture;
    if (options->has_target && !sch_cli_texture_retarget(texture, options->target))
        return sch_cli_refuse(
            sheet->path, "PICTURE_SIZES",
            "the file holds %u x %u x %u texels with %u layers and %u level%s, which are not a texture of this target",
            texture->width, texture->height, texture->depth, texture->layers, texture->levels,
            texture->levels == 1 ? "" : "s");
    const uint32_t levels = options->mips ? sch_cli_texture_full_levels(texture) : 0;
    enum sch_cli_exit exit_code =
        sch_cli_texture_upload(context, sheet->path, texture, levels, options->decoded, &texels->resource);
    if (exit_code != SCH_CLI_YES) return exit_code;
    texels->format = sch_cli_format_name(texture->format);
    exit_code = sch_cli_exit_of(sch_resource_get_info(texels->resource, 0, &texels->is));
    return options->mips && exit_code == SCH_CLI_YES ? make_mips(context, options->text, texels, texture->levels)
                                                     : exit_code;
}

static enum sch_cli_exit load_sheets(struct sch_context *context, const struct sch_cli_texels_options *options,
                                     struct sheets *sheets, struct sch_cli_texels *texels)
{
    enum sch_cli_exit exit_code = read_names(options->text, sheets);
    for (uint32_t i = 0; i < sheets->count && exit_code == SCH_CLI_YES; i++)
        exit_code = read_picture(context, options->target, &sheets->list[i]);
    if (exit_code != SCH_CLI_YES) return exit_code;
    return sheets->count == 1 && !sch_cli_texture_is_picture(&sheets->list[0].picture)
               ? load_whole(context, options, &sheets->list[0], texels)
               : load_joined(context, options, sheets, texels);
}

static enum sch_cli_exit load_pictures(struct sch_context *context, const struct sch_cli_texels_options *options,
                                       struct sch_cli_texels *texels)
{
    struct sheets sheets = {0};
    enum sch_cli_exit exit_code = load_sheets(context, options, &sheets, texels);
    release(&sheets);
    return exit_code;
}

enum sch_cli_exit sch_cli_texels_load(struct sch_context *context, const struct sch_cli_texels_options *options,
                                      struct sch_cli_texels *texels)
{
    *texels = (struct sch_cli_texels){.is.size = sizeof texels->is};
    bool made = strncmp(options->text, "random:", 7) == 0 || strncmp(options->text, "zero:", 5) == 0;
    enum sch_cli_exit exit_code = made ? load_made(context, options, texels) : load_pictures(context, options, texels);
    if (exit_code == SCH_CLI_YES) return exit_code;
    sch_resource_destroy(texels->resource);
    texels->resource = NULL;
    return exit_code;
}
