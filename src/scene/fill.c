/* What textures are filled with. */
#include <stdlib.h>
#include <string.h>

#include "player.h"

void sch_scene_color_of(const struct sch_scene_number numbers[4], enum sch_format format, union sch_color *color)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(format, &info);
    for (unsigned i = 0; i < 4; i++) {
        if (info.integers && numbers[i].whole)
            color->u[i] = (uint32_t)numbers[i].integer;
        else if (info.integers)
            color->i[i] = (int32_t)(numbers[i].real > INT32_MIN && numbers[i].real < INT32_MAX ? numbers[i].real : 0);
        else
            color->f[i] = numbers[i].single;
    }
}

struct fill {
    struct sch_scene_player *player;
    const struct sch_scene_object *object;
    const struct sch_scene_content *content;
    struct sch_resource *resource;
    struct sch_resource_info level; /* that is filled */
    struct sch_box box;             /* the layers of it that are */
};

static bool said(const struct fill *fill, enum sch_result result)
{
    return sch_scene_told(fill->player, &fill->content->place, result, fill->object->name);
}

/* The layers, or slices, that the content says. */
static bool find_box(struct fill *fill)
{
    const struct sch_scene_content *content = fill->content;
    fill->level = (struct sch_resource_info){.size = sizeof fill->level};
    if (!said(fill, sch_resource_get_info(fill->resource, content->level, &fill->level))) return false;
    const uint32_t layers = fill->level.target == SCH_TARGET_3D ? fill->level.depth : fill->level.layers;
    if (content->first_layer >= layers)
        return sch_scene_wrong(fill->player, &content->place, "%s has %u layers", fill->object->name, layers);
    fill->box = (struct sch_box){
        .z = (int32_t)content->first_layer,
        .width = (int32_t)fill->level.width,
        .height = (int32_t)fill->level.height,
        .depth = (int32_t)(content->layer_count ? content->layer_count : layers),
    };
    return true;
}

static bool fill_box(const struct fill *fill, const struct sch_scene_number color[4], const struct sch_box *box)
{
    struct sch_clear clear = {.size = sizeof clear, .level = fill->content->level, .box = *box};
    sch_scene_color_of(color, fill->level.format, &clear.color);
    clear.depth = color[0].single; /* of depth formats: the first component */
    return said(fill, sch_resource_clear(fill->resource, &clear, fill->player->list));
}

static bool fill_checker(const struct fill *fill)
{
    const uint32_t columns = fill->content->cells[0], rows = fill->content->cells[1];
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            const uint64_t width = fill->level.width, height = fill->level.height;
            struct sch_box box = fill->box;
            box.x = (int32_t)(width * column / columns);
            box.y = (int32_t)(height * row / rows);
            box.width = (int32_t)(width * (column + 1) / columns) - box.x;
            box.height = (int32_t)(height * (row + 1) / rows) - box.y;
            if (!box.width || !box.height) continue;
            if (!fill_box(fill, fill->content->colors[(row + column) & 1], &box)) return false;
        }
    return true;
}

/* Texels of a format, stretched over each layer and converted. */
static bool fill_texels(const struct fill *fill, enum sch_format format, uint32_t width, uint32_t height,
                        const void *texels, size_t bytes)
{
    struct sch_resource *source = NULL;
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_2D, .format = format, .width = width, .height = height};
    enum sch_result result = sch_resource_create(fill->player->base.context, &options, fill->player->list, &source);
    if (result == SCH_OK) result = sch_resource_write_all(source, texels, bytes);
    for (int32_t z = 0; z < fill->box.depth && result == SCH_OK; z++) {
        struct sch_blit blit = {.size = sizeof blit,
                                .level = fill->content->level,
                                .box = fill->box,
                                .source = {0, 0, 0, (int32_t)width, (int32_t)height, 1},
                                .filter = SCH_FILTER_LINEAR};
        blit.box.z += z;
        blit.box.depth = 1;
        result = sch_resource_blit(fill->resource, source, &blit, fill->player->list);
    }
    sch_resource_destroy(source);
    return said(fill, result);
}

/* From the first colour in the first texel to the second in the last one: a strip, which is stretched. */
static bool fill_gradient(const struct fill *fill)
{
    const bool vertical = fill->content->vertical;
    const uint32_t steps = vertical ? fill->level.height : fill->level.width;
    float *texels = malloc((size_t)steps * 16);
    if (!texels) return said(fill, SCH_ERROR_MEMORY);
    for (uint32_t i = 0; i < steps; i++)
        for (unsigned c = 0; c < 4; c++) {
            const double from = fill->content->colors[0][c].real, to = fill->content->colors[1][c].real;
            texels[(size_t)i * 4 + c] = (float)(from + (to - from) * (steps > 1 ? (double)i / (steps - 1) : 0));
        }
    const bool good = fill_texels(fill, SCH_FORMAT_R32G32B32A32_FLOAT, vertical ? 1 : steps, vertical ? steps : 1,
                                  texels, (size_t)steps * 16);
    free(texels);
    return good;
}

/* A picture's codes of 8 bits are those of sRGB formats as they are. */
static bool fill_picture(const struct fill *fill)
{
    const struct sch_scene_content *content = fill->content;
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(fill->level.format, &info);
    enum sch_format format = content->format;
    if (info.srgb && format == SCH_FORMAT_R8G8B8A8_UNORM) format = SCH_FORMAT_R8G8B8A8_SRGB;
    if (info.srgb && format == SCH_FORMAT_L8_UNORM) format = SCH_FORMAT_L8_SRGB;
    if (info.srgb && format == SCH_FORMAT_L8A8_UNORM) format = SCH_FORMAT_L8A8_SRGB;
    return fill_texels(fill, format, content->width, content->height, content->bytes.data, content->bytes.bytes);
}

static bool fill_whole(const struct fill *fill)
{
    return said(fill, sch_resource_write_all(fill->resource, fill->content->bytes.data, fill->content->bytes.bytes));
}

static bool fill_data(const struct fill *fill)
{
    const struct sch_transfer transfer = {.size = sizeof transfer, .level = fill->content->level, .box = fill->box};
    const size_t needed = sch_transfer_bytes(fill->resource, &transfer);
    if (needed != fill->content->bytes.bytes)
        return sch_scene_wrong(fill->player, &fill->content->place, "these are %zu bytes; the texels have %zu",
                               fill->content->bytes.bytes, needed);
    return said(fill, sch_resource_write(fill->resource, &transfer, fill->content->bytes.data,
                                         fill->content->bytes.bytes, fill->player->list));
}

static bool fill_one(struct fill *fill)
{
    if (!find_box(fill)) return false;
    switch (fill->content->kind) {
    case SCH_SCENE_SOLID:
        return fill_box(fill, fill->content->colors[0], &fill->box);
    case SCH_SCENE_CHECKER:
        return fill_checker(fill);
    case SCH_SCENE_GRADIENT:
        return fill_gradient(fill);
    case SCH_SCENE_PICTURE:
        return fill_picture(fill);
    case SCH_SCENE_DATA:
        return fill_data(fill);
    case SCH_SCENE_WHOLE:
        return fill_whole(fill);
    }
    return false;
}

bool sch_scene_fill(struct sch_scene_player *player, const struct sch_scene_object *object,
                    struct sch_resource *resource)
{
    struct fill fill = {.player = player, .object = object, .resource = resource};
    for (fill.content = object->texture.contents; fill.content; fill.content = fill.content->next)
        if (!fill_one(&fill)) return false;
    if (!object->texture.mips) return true;
    return sch_scene_told(player, &object->place, sch_resource_make_mips(resource, NULL, player->list), object->name);
}
