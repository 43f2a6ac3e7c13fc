/* texture NAME { shape, contents }, or a file. */
#include <scheelite/files.h>

#include <string.h>

#include "data.h"
#include "members.h"

enum { SIDE = 16384, LAYERS = 2048 };

struct texture_reader {
    struct sch_scene_texture *texture;
    struct sch_scene_content **last;
};

bool sch_scene_target(struct sch_scene_text *text, enum sch_target *target)
{
    uint32_t chosen = 0;
    /* A BUFFER is a statement of its own. */
    if (!sch_scene_choice(text, sch_target_words + 1, "a target", &chosen)) return false;
    *target = (enum sch_target)(1 + chosen);
    return true;
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

static struct sch_scene_content *add_content(struct sch_scene_text *text, struct texture_reader *reader,
                                             enum sch_scene_content_kind kind)
{
    struct sch_scene_content *content = sch_scene_alloc(text->scene, sizeof *content);
    if (!content) return NULL;
    content->kind = kind;
    content->place = text->token.place;
    *reader->last = content;
    reader->last = &content->next;
    return content;
}

bool sch_scene_color(struct sch_scene_text *text, struct sch_scene_number color[4])
{
    for (unsigned i = 0; i < 4; i++)
        if (!sch_scene_number(text, "each of red, green, blue and alpha", &color[i])) return false;
    return true;
}

/* [level N] [layer N [COUNT]] at the end of the line. */
static bool read_where(struct sch_scene_text *text, struct sch_scene_content *content)
{
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "level")) {
            if (!sch_scene_u32(text, "a level", 0, 31, &content->level)) return false;
        } else if (sch_scene_word(text, "layer")) {
            content->layer_count = 1;
            if (!sch_scene_u32(text, "a layer", 0, SIDE, &content->first_layer)) return false;
        } else {
            return sch_scene_refuse(text, "SCENE_WORD", "level N and layer N are allowed here");
        }
    }
    return sch_scene_end(text);
}

static bool read_checker(struct sch_scene_text *text, struct sch_scene_content *content)
{
    return sch_scene_u32(text, "the number of columns", 1, SCH_SCENE_CELLS, &content->cells[0]) &&
           sch_scene_u32(text, "the number of rows", 1, SCH_SCENE_CELLS, &content->cells[1]) &&
           sch_scene_color(text, content->colors[0]) && sch_scene_color(text, content->colors[1]);
}

static bool read_gradient(struct sch_scene_text *text, struct sch_scene_content *content)
{
    static const char *const axes[] = {"x", "y", NULL};
    uint32_t axis = 0;
    if (!sch_scene_choice(text, axes, "the direction of a gradient", &axis)) return false;
    content->vertical = axis;
    return sch_scene_color(text, content->colors[0]) && sch_scene_color(text, content->colors[1]);
}

/* A file of the scene that is being read, for its warnings. */
struct listener {
    struct sch_scene_text *text;
    struct sch_scene_place place;
    const char *path;
};

static void hear(void *user, unsigned code, const char *message)
{
    const struct listener *listener = user;
    sch_scene_warn_of_file(listener->text, &listener->place, code, listener->path, message);
}

/* A file of any kind: its texels become the content's; `shape` is what it was, without them. */
static bool read_file(struct sch_scene_text *text, struct sch_scene_content *content, struct sch_file_texture *shape)
{
    const struct sch_scene_place place = text->token.place;
    struct sch_scene_bytes file;
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_error error = {.size = sizeof error};
    const char *path;
    if (!sch_scene_read_file(text, &path, &file)) return false;
    struct listener listener = {text, place, path};
    const struct sch_file_read_options options = {
        .size = sizeof options, .as_colors = true, .warn = hear, .warn_user = &listener};
    const enum sch_result result = sch_file_texture_read(&options, file.data, file.bytes, &texture, &error);
    if (result != SCH_OK)
        return sch_scene_refuse_at(text, &place, "SCENE_FILE", "%s: %s", path,
                                   *error.message ? error.message : sch_result_text(result));
    content->format = texture.format;
    content->width = texture.width;
    content->height = texture.height;
    content->bytes.data = sch_scene_alloc(text->scene, texture.bytes);
    content->bytes.bytes = texture.bytes;
    if (content->bytes.data) memcpy(content->bytes.data, texture.texels, texture.bytes);
    *shape = texture;
    shape->texels = NULL;
    sch_file_texture_release(&texture);
    return content->bytes.data != NULL;
}

/* One picture, which is stretched over a level. */
static bool read_picture(struct sch_scene_text *text, struct sch_scene_content *content)
{
    const struct sch_scene_place place = text->token.place;
    struct sch_file_texture texture;
    if (!read_file(text, content, &texture)) return false;
    if (texture.target == SCH_TARGET_2D && texture.levels == 1) return true;
    return sch_scene_refuse_at(text, &place, "SCENE_FILE",
                               "the file holds more than one picture: texture NAME \"FILE\" takes all of it");
}

/* A texture as the file has it. */
static bool read_whole(struct sch_scene_text *text, struct sch_scene_content *content, struct texture_reader *reader)
{
    struct sch_resource_options *options = &reader->texture->options;
    struct sch_file_texture texture;
    if (!read_file(text, content, &texture)) return false;
    options->target = texture.target;
    options->format = texture.format;
    options->width = texture.width;
    options->height = texture.height;
    options->depth = texture.depth;
    options->layers = texture.layers;
    options->levels = texture.levels;
    return true;
}

static void take_size_of(const struct sch_scene_content *content, struct texture_reader *reader)
{
    struct sch_resource_options *options = &reader->texture->options;
    if (options->width || content->level) return;
    options->width = content->width;
    options->height = content->height;
}

static bool read_content(struct sch_scene_text *text, struct texture_reader *reader, enum sch_scene_content_kind kind)
{
    struct sch_scene_content *content = add_content(text, reader, kind);
    if (!content) return false;
    const bool good = kind == SCH_SCENE_SOLID      ? sch_scene_color(text, content->colors[0])
                      : kind == SCH_SCENE_CHECKER  ? read_checker(text, content)
                      : kind == SCH_SCENE_GRADIENT ? read_gradient(text, content)
                      : kind == SCH_SCENE_PICTURE  ? read_picture(text, content)
                                                   : sch_scene_read_data(text, &content->bytes);
    if (!good || !read_where(text, content)) return false;
    if (kind == SCH_SCENE_PICTURE) take_size_of(content, reader);
    return true;
}

/* ---- the shape --------------------------------------------------------------------------------------------------- */

static void read_size(struct sch_scene_text *text, void *state)
{
    struct sch_resource_options *options = state;
    options->height = 1;
    if (sch_scene_u32(text, "the width", 1, SIDE, &options->width) && !sch_scene_at_end(text) &&
        sch_scene_u32(text, "the height", 1, SIDE, &options->height) && !sch_scene_at_end(text))
        sch_scene_u32(text, "the depth", 1, SIDE, &options->depth);
}

static void read_levels(struct sch_scene_text *text, void *state)
{
    struct sch_scene_texture *texture = state;
    texture->all_levels = sch_scene_word(text, "all");
    if (!texture->all_levels) sch_scene_u32(text, "the number of levels", 1, 15, &texture->options.levels);
}

static bool read_line(struct sch_scene_text *text, struct texture_reader *reader)
{
    static const struct {
        const char *word;
        enum sch_scene_content_kind kind;
    } contents[] = {{"solid", SCH_SCENE_SOLID},
                    {"checker", SCH_SCENE_CHECKER},
                    {"gradient", SCH_SCENE_GRADIENT},
                    {"image", SCH_SCENE_PICTURE},
                    {"data", SCH_SCENE_DATA}};
    static const struct sch_scene_member members[] = {
        SCH_SCENE_OWN("size", read_size),
        SCH_SCENE_MEMBER(FORMAT, sch_resource_options, format),
        SCH_SCENE_MEMBER(TARGET, sch_resource_options, target),
        SCH_SCENE_MEMBER(U32, sch_resource_options, layers, .what = "the number of layers", .low = 1, .high = LAYERS),
        SCH_SCENE_OWN("levels", read_levels),
        SCH_SCENE_MEMBER(U32, sch_resource_options, samples, .what = "the number of samples", .low = 1, .high = 16),
        SCH_SCENE_MEMBER(FLAG, sch_scene_texture, mips),
        SCH_SCENE_MEMBER(FLAG, sch_resource_options, decoded),
        SCH_SCENE_NO_MORE};
    _Static_assert(offsetof(struct sch_scene_texture, options) == 0, "members of the options are the texture's");
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++)
        if (sch_scene_word(text, contents[i].word)) return read_content(text, reader, contents[i].kind);
    if (!sch_scene_member(text, members, reader->texture))
        return sch_scene_refuse(
            text, "SCENE_WORD",
            "expected size, format, target, layers, levels, samples, mips, decoded, solid, checker, gradient, image "
            "or data");
    return sch_scene_end(text);
}

/* The target that the shape has. */
static enum sch_target target_of(const struct sch_resource_options *options)
{
    if (options->depth > 1) return SCH_TARGET_3D;
    if (options->samples > 1) return options->layers > 1 ? SCH_TARGET_2D_ARRAY_MSAA : SCH_TARGET_2D_MSAA;
    return options->layers > 1 ? SCH_TARGET_2D_ARRAY : SCH_TARGET_2D;
}

static void complete(struct sch_scene_text *text, struct texture_reader *reader, const struct sch_scene_place *place)
{
    struct sch_resource_options *options = &reader->texture->options;
    if (text->wrong) return;
    if (!options->width) sch_scene_refuse_at(text, place, "SCENE_VALUE", "a texture without a picture has a size");
    if (!options->target) options->target = target_of(options);
    if (reader->texture->mips && !options->levels) reader->texture->all_levels = true;
    if (reader->texture->all_levels) options->levels = sch_resource_full_levels(options);
}

void sch_scene_read_texture(struct sch_scene_text *text, struct sch_scene_object *object)
{
    struct texture_reader reader = {.texture = &object->texture, .last = &object->texture.contents};
    const struct sch_scene_place place = text->token.place;
    object->texture.options =
        (struct sch_resource_options){.size = sizeof object->texture.options, .format = SCH_FORMAT_R8G8B8A8_UNORM};
    if (text->token.kind == SCH_SCENE_STRING) {
        struct sch_scene_content *content = add_content(text, &reader, SCH_SCENE_WHOLE);
        if (content) read_whole(text, content, &reader);
    } else if (sch_scene_open(text)) {
        while (!sch_scene_sign(text, '}'))
            if (!read_line(text, &reader)) break;
    }
    complete(text, &reader, &place);
}
