/* Makes a texture of a header: checks what it says, and copies its texels out of memory into rows. Formats are
 * format.c's, addresses layout.c's. What has an address is an element: a block of the format, of one texel or more. */
#include <string.h>

#include "isa/errors.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/format.h"
#include "maxwell/header/layout.h"
#include "maxwell/header/surface.h"

/* The unit's: docs/texture.md, "Resources and views". */
enum { MAX_SIZE = 16384, MAX_LAYERS = 2048, MAX_ELEMENTS = 1 << 27, MAX_LEVELS_IN_MEMORY = 16 };

#define GET(field) ((uint32_t)sch_header_field_get(reader->words, SCH_HEADER_FIELD_##field))

struct reader {
    const uint32_t *words;
    const struct sch_maxwell_memory *memory;
    const struct sch_allocator *allocator;
    struct sch_diagnostics *diagnostics;
    struct sch_maxwell_texture *texture;
    unsigned owner; /* bit of the version */
    uint64_t address;
    uint32_t pitch;        /* PITCH versions and buffers; else 0 */
    uint8_t wide, high;    /* logarithms of a texel's samples beside and above each other */
    uint32_t levels;       /* in memory */
    uint32_t layers;       /* faces count */
    uint64_t layer_stride; /* bytes */
    struct sch_maxwell_level level[MAX_LEVELS_IN_MEMORY];
};

static enum sch_result refuse(struct reader *reader, unsigned code, enum sch_result status, const char *what)
{
    sch_diagnostics_add(reader->diagnostics, SCH_SEVERITY_ERROR, code, (struct sch_position){0}, "%s", what);
    return status;
}

static enum sch_result unread(struct reader *reader, const char *what)
{
    return refuse(reader, SCH_D_MAXWELL_HEADER_LAYOUT, SCH_ERROR_UNSUPPORTED, what);
}

static enum sch_result contradiction(struct reader *reader, const char *what)
{
    return refuse(reader, SCH_D_MAXWELL_HEADER_CONTRADICTION, SCH_ERROR_INVALID, what);
}

static bool blocks(const struct reader *reader) { return reader->owner & SCH_HEADER_OWNER_BLOCK; }
static bool image(const struct reader *reader) { return reader->owner & SCH_HEADER_OWNER_IMAGE; }

/* A type's target, how many axes it has, and whether levels follow level 0. */
struct type_facts {
    uint8_t target, axes, faces;
    bool layered, levels;
};
static const struct type_facts types[] = {
    [SCH_MAXWELL_ONE_D] = {SCH_TARGET_1D, 1, 1, false, true},
    [SCH_MAXWELL_TWO_D] = {SCH_TARGET_2D, 2, 1, false, true},
    [SCH_MAXWELL_THREE_D] = {SCH_TARGET_3D, 3, 1, false, true},
    [SCH_MAXWELL_CUBEMAP] = {SCH_TARGET_CUBE, 2, SCH_CUBE_FACES, false, true},
    [SCH_MAXWELL_ONE_D_ARRAY] = {SCH_TARGET_1D_ARRAY, 1, 1, true, true},
    [SCH_MAXWELL_TWO_D_ARRAY] = {SCH_TARGET_2D_ARRAY, 2, 1, true, true},
    [SCH_MAXWELL_ONE_D_BUFFER] = {SCH_TARGET_BUFFER, 1, 1, false, false},
    [SCH_MAXWELL_TWO_D_NO_MIPMAP] = {SCH_TARGET_2D, 2, 1, false, false},
    [SCH_MAXWELL_CUBEMAP_ARRAY] = {SCH_TARGET_CUBE_ARRAY, 2, SCH_CUBE_FACES, true, true},
};

static enum sch_result read_version(struct reader *reader)
{
    uint32_t version = GET(HEADER_VERSION), type = GET(TEXTURE_TYPE);
    reader->owner = 1u << version;
    if (!(reader->owner & SCH_HEADER_OWNER_EVERY))
        return refuse(reader, SCH_D_MAXWELL_HEADER_VERSION, SCH_ERROR_UNSUPPORTED,
                      "HEADER_VERSION: versions 5 to 7 do not exist");
    if (type >= sizeof types / sizeof *types)
        return refuse(reader, SCH_D_MAXWELL_HEADER_TYPE, SCH_ERROR_UNSUPPORTED,
                      "TEXTURE_TYPE: types 9 to 15 do not exist");
    if ((type == SCH_MAXWELL_ONE_D_BUFFER) == image(reader))
        return contradiction(reader, "TEXTURE_TYPE ONE_D_BUFFER and HEADER_VERSION ONE_D_BUFFER go together");
    reader->texture->type = (uint8_t)type;
    if (blocks(reader) && GET(GOB3D)) return unread(reader, "GOB3D: three-dimensional GOBs are not read");
    if (blocks(reader) && GET(GOB_DEPTH_OFFSET))
        return unread(reader, "GOB_DEPTH_OFFSET: slices that begin within a block are not read");
    if (blocks(reader) && GET(GOBS_PER_BLOCK_WIDTH))
        return unread(reader, "GOBS_PER_BLOCK_WIDTH: blocks are one GOB wide");
    if (reader->owner & SCH_HEADER_OWNER_KEYED && GET(COLOR_KEY_OP))
        return refuse(reader, SCH_D_MAXWELL_HEADER_COLOR_KEY, SCH_ERROR_UNSUPPORTED,
                      "COLOR_KEY_OP: texels that equal a key are not replaced");
    return SCH_OK;
}

/* Compressed blocks are several rows high. No source says what a type of one axis makes of them. */
static enum sch_result check_elements(struct reader *reader)
{
    const struct sch_maxwell_texture *texture = reader->texture;
    if (!sch_texture_is_block(texture->format) || types[texture->type].axes > 1) return SCH_OK;
    return unread(reader, "TEXTURE_TYPE: compressed blocks of ONE_D, ONE_D_ARRAY and ONE_D_BUFFER are not read");
}

static uint32_t anisotropy(uint32_t code)
{
    static const uint8_t ratios[] = {1, 2, 4, 6, 8, 10, 12, 16};
    return ratios[code & 7];
}

/* Samples beside and above each other in memory, as logarithms; COVERAGE: coverage samples, which are not read. */
enum { COVERAGE = 255 };
static const uint8_t sample_shapes[16][2] = {
    [SCH_HEADER_SAMPLES_MODE_1X1] = {0, 0},
    [SCH_HEADER_SAMPLES_MODE_2X1] = {1, 0},
    [SCH_HEADER_SAMPLES_MODE_2X2] = {1, 1},
    [SCH_HEADER_SAMPLES_MODE_4X2] = {2, 1},
    [SCH_HEADER_SAMPLES_MODE_4X2_D3D] = {2, 1},
    [SCH_HEADER_SAMPLES_MODE_2X1_D3D] = {1, 0},
    [SCH_HEADER_SAMPLES_MODE_4X4] = {2, 2},
    [7] = {COVERAGE, 0},
    [SCH_HEADER_SAMPLES_MODE_2X2_VC_4] = {COVERAGE, 0},
    [SCH_HEADER_SAMPLES_MODE_2X2_VC_12] = {COVERAGE, 0},
    [SCH_HEADER_SAMPLES_MODE_4X2_VC_8] = {COVERAGE, 0},
    [SCH_HEADER_SAMPLES_MODE_4X2_VC_24] = {COVERAGE, 0},
    [SCH_HEADER_SAMPLES_MODE_2X1_CENTER] = {1, 0},
    [SCH_HEADER_SAMPLES_MODE_2X2_CENTER] = {1, 1},
    [SCH_HEADER_SAMPLES_MODE_4X2_CENTER] = {2, 1},
    [SCH_HEADER_SAMPLES_MODE_4X4_REGULAR] = {2, 2},
};

/* Where sample s lies among a texel's: bits of s go to x, y, x, y. */
static uint32_t sample_x(uint32_t s) { return (s & 1) | (s >> 2 & 1) << 1; }
static uint32_t sample_y(uint32_t s) { return (s >> 1 & 1) | (s >> 3 & 1) << 1; }

static enum sch_result read_samples(struct reader *reader)
{
    struct sch_maxwell_texture *texture = reader->texture;
    if (reader->owner & SCH_HEADER_OWNER_PLAIN) texture->sample_mode = (uint8_t)GET(MULTI_SAMPLE_COUNT);
    const uint8_t *shape = sample_shapes[texture->sample_mode];
    if (shape[0] == COVERAGE)
        return refuse(reader, SCH_D_MAXWELL_HEADER_SAMPLES, SCH_ERROR_UNSUPPORTED,
                      "MULTI_SAMPLE_COUNT: coverage samples (VC) are not read");
    texture->samples = (uint8_t)(1u << (shape[0] + shape[1]));
    reader->wide = shape[0];
    reader->high = shape[1];
    if (texture->samples == 1) return SCH_OK;
    unsigned type = texture->type;
    if (type != SCH_MAXWELL_TWO_D && type != SCH_MAXWELL_TWO_D_ARRAY && type != SCH_MAXWELL_TWO_D_NO_MIPMAP)
        return contradiction(reader, "MULTI_SAMPLE_COUNT: only TWO_D, TWO_D_ARRAY and TWO_D_NO_MIPMAP have samples");
    if (sch_texture_block(texture->format).width > 1)
        return contradiction(reader, "MULTI_SAMPLE_COUNT: COMPONENTS of several texels a block have no samples");
    return SCH_OK;
}

/* Sizes of level 0 and layers, into the descriptor too. */
static enum sch_result read_size(struct reader *reader)
{
    struct sch_maxwell_texture *texture = reader->texture;
    const struct type_facts *is = &types[texture->type];
    bool many = is->layered;
    texture->target = is->target;
    uint64_t width = (image(reader) ? GET(WIDTH) : (uint64_t)GET(BUFFER_WIDTH)) + 1;
    texture->width = width > UINT32_MAX ? UINT32_MAX : (uint32_t)width;
    texture->height = image(reader) ? GET(HEIGHT) + 1 : 1;
    texture->depth = image(reader) ? GET(DEPTH) + 1 : 1;
    if (texture->samples > 1) { /* the return table of TXQ gives TWO_D_NO_MIPMAP a depth there */
        if (texture->type == SCH_MAXWELL_TWO_D_NO_MIPMAP && texture->depth > 1) many = true;
        texture->target = many ? SCH_TARGET_2D_ARRAY_MSAA : SCH_TARGET_2D_MSAA;
    }
    reader->layers = many ? texture->depth * is->faces : is->faces;
    uint32_t height = is->axes > 1 ? texture->height : 1;
    if (is->faces > 1 && texture->width != texture->height)
        return contradiction(reader, "WIDTH and HEIGHT: the faces of a cube are squares");
    if (width <= (is->levels || image(reader) ? MAX_SIZE : MAX_ELEMENTS) && height <= MAX_SIZE &&
        reader->layers <= MAX_LAYERS)
        return SCH_OK;
    return refuse(reader, SCH_D_TEXTURE_SIZE, SCH_ERROR_LIMIT,
                  "WIDTH, HEIGHT, DEPTH: more than 16384 texels an axis, 2048 layers or 134217728 elements");
}

/* Which levels there are and which are seen. */
static enum sch_result read_levels(struct reader *reader)
{
    struct sch_maxwell_texture *texture = reader->texture;
    texture->max_level = image(reader) ? GET(MAX_MIP_LEVEL) : 0;
    bool plain = reader->owner & SCH_HEADER_OWNER_PLAIN;
    texture->texture.min_lod = plain ? (float)GET(MIN_LOD_CLAMP) / 256 : 0;
    reader->levels = 1;
    texture->texture.levels = 1;
    if (!types[texture->type].levels || texture->samples > 1) return SCH_OK; /* level 0, whatever they say */

    uint32_t last = plain ? GET(RES_VIEW_MAX_MIP_LEVEL) : texture->max_level;
    if (last > texture->max_level) last = texture->max_level;
    texture->view_min_level = plain ? GET(RES_VIEW_MIN_MIP_LEVEL) : 0;
    texture->view_max_level = last;
    if (texture->view_min_level > last)
        return contradiction(reader, "RES_VIEW_MIN_MIP_LEVEL is above RES_VIEW_MAX_MIP_LEVEL or MAX_MIP_LEVEL");
    if (last - texture->view_min_level >= SCH_MAX_LEVELS)
        return refuse(reader, SCH_D_TEXTURE_SIZE, SCH_ERROR_LIMIT, "RES_VIEW_MAX_MIP_LEVEL: more than 15 levels");
    if (!blocks(reader) && texture->max_level)
        return unread(reader, "MAX_MIP_LEVEL: levels of PITCH headers are not read");
    reader->levels = texture->max_level + 1;
    texture->texture.levels = last - texture->view_min_level + 1;
    return SCH_OK;
}

static uint32_t halved(uint32_t size, uint32_t level) { return size >> level ? size >> level : 1; }

static uint32_t height_of(const struct sch_maxwell_texture *texture)
{
    return types[texture->type].axes > 1 ? texture->height : 1;
}
static uint32_t slices_of(const struct sch_maxwell_texture *texture)
{
    return types[texture->type].axes > 2 ? texture->depth : 1;
}

/* Every level's offset in a layer, from level 0 on. */
static void lay_out_blocks(struct reader *reader)
{
    const struct sch_maxwell_texture *texture = reader->texture;
    uint32_t width = texture->width << reader->wide, height = height_of(texture) << reader->high;
    struct sch_maxwell_shape first = {.row_bytes = sch_texture_row_bytes(texture->format, width),
                                      .rows = sch_texture_rows(texture->format, height),
                                      .slices = slices_of(texture),
                                      .log2_height = (uint8_t)GET(GOBS_PER_BLOCK_HEIGHT),
                                      .log2_depth = (uint8_t)GET(GOBS_PER_BLOCK_DEPTH),
                                      .log2_tile = (uint8_t)GET(TILE_WIDTH_IN_GOBS)};
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < reader->levels; i++) {
        sch_maxwell_lay_level(&first, sch_texture_row_bytes(texture->format, halved(width, i)),
                              sch_texture_rows(texture->format, halved(height, i)), halved(first.slices, i), bytes,
                              &reader->level[i]);
        bytes += reader->level[i].bytes;
    }
    reader->layer_stride = sch_maxwell_layer_stride(&first, bytes);
}

static enum sch_result read_place(struct reader *reader)
{
    const struct sch_maxwell_texture *texture = reader->texture;
    if (blocks(reader)) {
        reader->address = sch_header_field_get(reader->words, SCH_HEADER_FIELD_ADDRESS) << 9;
        if (reader->layers > 1 && GET(USE_ARRAY_TILE_ALIGNMENT))
            return unread(reader, "USE_ARRAY_TILE_ALIGNMENT: layers with gaps of this kind are not read");
        lay_out_blocks(reader);
        return SCH_OK;
    }
    if (!image(reader)) {
        reader->address = sch_header_field_get(reader->words, SCH_HEADER_FIELD_BUFFER_ADDRESS);
        return SCH_OK;
    }
    reader->address = sch_header_field_get(reader->words, SCH_HEADER_FIELD_PITCH_ADDRESS) << 5;
    reader->pitch = GET(PITCH) << 5;
    if (reader->layers > 1 || slices_of(texture) > 1)
        return unread(reader, "TEXTURE_TYPE: layers, faces and slices of PITCH headers are not read");
    uint32_t rows = sch_texture_rows(texture->format, height_of(texture) << reader->high);
    if (rows > 1 && reader->pitch < sch_texture_row_bytes(texture->format, texture->width << reader->wide))
        return contradiction(reader, "PITCH is less than a row's bytes");
    return SCH_OK;
}

/* The descriptor's sizes; gives the bytes of all levels that are seen, fewer than 2^60. */
static size_t describe(struct reader *reader)
{
    _Static_assert(sizeof(size_t) == sizeof(uint64_t), "checked sizes are summed without a check");
    size_t bytes = 0;
    struct sch_texture *texture = &reader->texture->texture;
    texture->layers = reader->layers;
    texture->samples = reader->texture->samples;
    for (uint32_t i = 0; i < texture->levels; i++) {
        struct sch_texture_level *level = &texture->level[i];
        uint32_t n = reader->texture->view_min_level + i;
        level->width = halved(reader->texture->width, n);
        level->height = halved(height_of(reader->texture), n);
        level->depth = halved(slices_of(reader->texture), n);
        level->row_bytes = sch_texture_row_bytes(reader->texture->format, level->width);
        level->slice_bytes = (uint64_t)level->row_bytes * sch_texture_rows(reader->texture->format, level->height);
        bytes += level->slice_bytes * level->depth * texture->layers * texture->samples;
    }
    return bytes;
}

/* Copies `bytes` bytes of a row from byte x on. */
static void load(const struct reader *reader, uint32_t n, uint32_t layer, uint32_t x, uint32_t y, uint32_t z, void *to,
                 size_t bytes)
{
    if (blocks(reader))
        sch_maxwell_load_blocks(reader->memory, reader->address + layer * reader->layer_stride, &reader->level[n], x, y,
                                z, to, bytes);
    else
        sch_maxwell_load(reader->memory, reader->address + (uint64_t)y * reader->pitch + x, to, bytes);
}

/* One sample of each texel of a row. */
static void load_samples(const struct reader *reader, uint32_t layer, uint32_t y, uint32_t sample, uint8_t *to)
{
    uint32_t texel = sch_texture_block_bytes(reader->texture->format);
    uint32_t row = (y << reader->high) + sample_y(sample);
    for (uint32_t x = 0; x < reader->texture->width; x++)
        load(reader, 0, layer, ((x << reader->wide) + sample_x(sample)) * texel, row, 0, to + (size_t)x * texel, texel);
}

static void load_level(const struct reader *reader, uint32_t n, const struct sch_texture_level *level)
{
    const struct sch_texture *texture = &reader->texture->texture;
    uint32_t slices = level->depth * texture->layers * texture->samples;
    uint32_t rows = sch_texture_rows(reader->texture->format, level->height);
    for (uint32_t slice = 0; slice < slices; slice++)
        for (uint32_t y = 0; y < rows; y++) {
            uint8_t *row = level->texels + slice * level->slice_bytes + (uint64_t)y * level->row_bytes;
            if (texture->samples > 1)
                load_samples(reader, slice / texture->samples, y, slice % texture->samples, row);
            else
                load(reader, n, slice / level->depth, 0, y, slice % level->depth, row, level->row_bytes);
        }
}

static void load_texels(struct reader *reader, uint8_t *texels)
{
    struct sch_texture *texture = &reader->texture->texture;
    for (uint32_t i = 0; i < texture->levels; i++) {
        struct sch_texture_level *level = &texture->level[i];
        level->texels = texels;
        load_level(reader, reader->texture->view_min_level + i, level);
        texels += level->slice_bytes * level->depth * texture->layers * texture->samples;
    }
}

static void read_filtering(struct reader *reader)
{
    struct sch_maxwell_texture *texture = reader->texture;
    if (!image(reader)) return;
    texture->normalized = GET(NORMALIZED_COORDS);
    texture->sampler_border = GET(BORDER_SIZE) == SCH_HEADER_BORDER_SAMPLER_COLOR;
    texture->use_header_options = GET(USE_HEADER_OPT_CONTROL);
    texture->max_anisotropy = (uint8_t)anisotropy(GET(MAX_ANISOTROPY));
    texture->lod_bias = sch_header_lod_bias(GET(MIP_LOD_BIAS));
}

static enum sch_result read_header(struct reader *reader)
{
    enum sch_result status = read_version(reader);
    if (status == SCH_OK) status = sch_maxwell_header_format(reader->words, reader->diagnostics, reader->texture);
    if (status == SCH_OK) status = check_elements(reader);
    if (status == SCH_OK) status = read_samples(reader);
    if (status == SCH_OK) status = read_size(reader);
    if (status == SCH_OK) status = read_levels(reader);
    if (status == SCH_OK) status = read_place(reader);
    if (status == SCH_OK) read_filtering(reader);
    return status;
}

enum sch_result sch_maxwell_texture_create(const uint32_t header[SCH_MAXWELL_HEADER_WORDS],
                                           const struct sch_maxwell_memory *memory,
                                           const struct sch_allocator *allocator, size_t memory_limit,
                                           struct sch_diagnostics *diagnostics, struct sch_maxwell_texture **texture)
{
    *texture = NULL;
    struct sch_maxwell_texture described = {
        .normalized = true, .sampler_border = true, .max_anisotropy = 1}; /* buffers are not filtered */
    struct reader reader = {
        .words = header, .memory = memory, .allocator = allocator, .diagnostics = diagnostics, .texture = &described};
    enum sch_result status = read_header(&reader);
    if (status != SCH_OK) return status;

    const size_t texels = describe(&reader);
    if (memory_limit && texels > memory_limit)
        return refuse(&reader, SCH_D_TEXTURE_MEMORY, SCH_ERROR_LIMIT,
                      "WIDTH, HEIGHT, DEPTH: the texels take more bytes than are allowed");
    struct sch_maxwell_texture *made = allocator->alloc(allocator->user, sizeof *made + texels);
    if (!made) return SCH_ERROR_MEMORY;
    *made = described;
    reader.texture = made;
    load_texels(&reader, (uint8_t *)(made + 1));
    *texture = made;
    return SCH_OK;
}

void sch_maxwell_texture_destroy(struct sch_maxwell_texture *texture, const struct sch_allocator *allocator)
{
    if (texture) allocator->free(allocator->user, texture);
}

/* ---- surfaces ---- */

enum sch_result sch_maxwell_surface_read(const uint32_t header[SCH_MAXWELL_HEADER_WORDS],
                                         struct sch_diagnostics *diagnostics, struct sch_maxwell_surface *surface)
{
    struct sch_maxwell_texture described = {.normalized = true};
    struct reader reader = {.words = header, .diagnostics = diagnostics, .texture = &described};
    enum sch_result status = read_header(&reader);
    if (status == SCH_OK && described.samples > 1)
        status = unread(&reader, "MULTI_SAMPLE_COUNT: a surface has no samples");
    if (status != SCH_OK) return status;
    const uint32_t level = described.view_min_level;
    *surface = (struct sch_maxwell_surface){
        .address = reader.address,
        .row_bytes = sch_texture_row_bytes(described.format, halved(described.width, level)),
        .rows = sch_texture_rows(described.format, halved(height_of(&described), level)),
        .slices = halved(slices_of(&described), level),
        .layers = reader.layers,
        .pitch = reader.pitch,
        .blocks = blocks(&reader),
        .layer_stride = reader.layer_stride,
        .level = reader.level[level],
        .element_bytes = sch_texture_block_bytes(described.format),
        .format = described.format};
    memcpy(surface->component, described.component, sizeof surface->component);
    return SCH_OK;
}

uint64_t sch_maxwell_surface_address(const struct sch_maxwell_surface *surface, uint32_t x, uint32_t y, uint32_t slice,
                                     uint32_t layer)
{
    if (!surface->blocks) return surface->address + (uint64_t)y * surface->pitch + x;
    return surface->address + layer * surface->layer_stride + sch_maxwell_block_address(&surface->level, x, y, slice);
}
