/* Boxes of texels between memory and resources, and from resource to resource: against a model that knows where each
 * block of docs/texture.md's layout stands. Blocks of more than one slice, which no format that is read has, are tested
 * on levels that are made here. */
#include "../support/resource_support.h"

#include "texture/transfers.h"

/* ---- the model ---- */

struct block {
    const char *format;
    uint32_t width, height;
    size_t bytes;
};
static const struct block blocks[] = {
    {"R8_UNORM", 1, 1, 1},
    {"R5G6B5_UNORM", 1, 1, 2},
    {"R8G8B8_UNORM", 1, 1, 3},
    {"Z24_UNORM_S8_UINT", 1, 1, 4},
    {"YUYV", 2, 1, 4},
    {"R16G16B16_UNORM", 1, 1, 6},
    {"Z32_FLOAT_S8X24_UINT", 1, 1, 8},
    {"R32G32B32_FLOAT", 1, 1, 12},
    {"S8_UINT", 1, 1, 1},
    {"R32G32B32A32_UINT", 1, 1, 16},
    {"R8G8_B8G8_UNORM", 2, 1, 4},
    {"Z16_UNORM", 1, 1, 2},
};

/* Compressed ones, and those that their blocks are copied from and to [GL table 18.5]. */
static const struct block compressed[] = {
    {"DXT1_RGBA", 4, 4, 8}, {"BPTC_RGBA_UNORM", 4, 4, 16}, {"ASTC_6x5", 6, 5, 16},
    {"FXT1_RGB", 8, 4, 16}, {"ETC2_R11_SNORM", 4, 4, 8},   {"ASTC_12x10_SRGB", 12, 10, 16},
};
static const struct block of_as_many_bytes[] = {
    {"R32G32_UINT", 1, 1, 8},         {"R16G16B16A16_SNORM", 1, 1, 8}, {"R32G32B32A32_UINT", 1, 1, 16},
    {"R32G32B32A32_FLOAT", 1, 1, 16}, {"RGTC1_UNORM", 4, 4, 8},        {"RGTC2_SNORM", 4, 4, 16},
    {"ASTC_8x8", 8, 8, 16},
};

static uint32_t below(uint32_t limit) { return limit ? random_word() % limit : 0; }

static uint32_t blocks_of(uint32_t texels, uint32_t width) { return (texels + width - 1) / width; }

/* Slices, or layers, of a level. */
static uint32_t layers_of(const struct shape *shape, uint32_t level)
{
    return shape->target == SCH_TARGET_3D ? halved(shape->depth, level) : shape->layers;
}

/* Textures of two axes or three, without samples. */
static bool can_be_compressed(const struct shape *shape)
{
    return shape->samples == 1 && shape->target != SCH_TARGET_BUFFER && shape->target != SCH_TARGET_1D &&
           shape->target != SCH_TARGET_1D_ARRAY;
}

/* The byte where block x of row y of blocks begins. */
static size_t block_at(const struct shape *shape, const struct block *block, uint32_t level, uint32_t layer,
                       uint32_t sample, uint32_t x, uint32_t y)
{
    const size_t slice = (size_t)layer * shape->samples + sample;
    size_t at = 0, row = 0;
    for (uint32_t i = 0; i <= level; i++) {
        row = blocks_of(halved(shape->width, i), block->width) * block->bytes;
        const size_t rows = blocks_of(halved(shape->height, i), block->height);
        at += (i < level ? slices_of(shape, i) : slice) * rows * row;
    }
    return at + y * row + x * block->bytes;
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* A box of whole blocks somewhere in a level. */
static struct sch_box any_box(const struct shape *shape, const struct block *block, uint32_t level)
{
    const uint32_t width = halved(shape->width, level), height = halved(shape->height, level),
                   depth = layers_of(shape, level), across = blocks_of(width, block->width),
                   down = blocks_of(height, block->height);
    const uint32_t left = below(across), top = below(down), z = below(depth), right = left + 1 + below(across - left),
                   bottom = top + 1 + below(down - top);
    const uint32_t x = left * block->width, y = top * block->height;
    return (struct sch_box){(int32_t)x,
                            (int32_t)y,
                            (int32_t)z,
                            (int32_t)(lesser(right * block->width, width) - x),
                            (int32_t)(lesser(bottom * block->height, height) - y),
                            (int32_t)(1 + below(depth - z))};
}

static uint8_t *random_bytes(size_t bytes)
{
    uint8_t *made = malloc(bytes ? bytes : 1);
    assert_non_null(made);
    for (size_t i = 0; i < bytes; i++) made[i] = (uint8_t)random_word();
    return made;
}

/* A resource of random texels and a copy of them. */
struct world {
    struct shape shape;
    struct block block;
    struct sch_resource *resource;
    size_t bytes;
    uint8_t *texels;
};

static struct world make_world(struct sch_context *context, const struct shape *shape, const struct block *block)
{
    struct world world = {.shape = *shape, .block = *block, .resource = make(context, shape, format(block->format))};
    world.bytes = sch_resource_bytes(world.resource);
    world.texels = random_bytes(world.bytes);
    assert_int_equal(sch_resource_write_all(world.resource, world.texels, world.bytes), SCH_OK);
    return world;
}

static void check_world(const struct world *world)
{
    uint8_t *now = malloc(world->bytes);
    assert_non_null(now);
    assert_int_equal(sch_resource_read_all(world->resource, now, world->bytes), SCH_OK);
    assert_memory_equal(now, world->texels, world->bytes);
    free(now);
}

static void end_world(struct world *world)
{
    check_world(world);
    sch_resource_destroy(world->resource);
    free(world->texels);
}

/* ---- reads and writes ---- */

/* One box, with gaps between rows and slices or without, and one byte less than it takes. */
static void check_transfer(struct world *world)
{
    const struct block *block = &world->block;
    const uint32_t level = below(world->shape.levels);
    struct sch_transfer transfer = {.size = sizeof transfer,
                                    .level = level,
                                    .sample = below(world->shape.samples),
                                    .box = any_box(&world->shape, block, level)};
    const uint32_t across = blocks_of((uint32_t)transfer.box.width, block->width),
                   rows = blocks_of((uint32_t)transfer.box.height, block->height),
                   slices = (uint32_t)transfer.box.depth;
    const size_t line = across * block->bytes, row = line + below(3), slice = row * rows + below(20);
    transfer.row_bytes = row == line && below(2) ? 0 : row;
    transfer.slice_bytes = slice == row * rows && below(2) ? 0 : slice;
    const size_t bytes = (slices - 1) * slice + (rows - 1) * row + line;
    assert_int_equal(sch_transfer_bytes(world->resource, &transfer), bytes);

    uint8_t *memory = random_bytes(bytes), *before = malloc(bytes);
    assert_non_null(before);
    memcpy(before, memory, bytes);
    assert_int_equal(sch_resource_write(world->resource, &transfer, memory, bytes - 1, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_write(world->resource, &transfer, memory, bytes, NULL), SCH_OK);
    assert_memory_equal(memory, before, bytes);
    for (size_t i = 0; i < bytes; i++) memory[i] = (uint8_t)~before[i];
    assert_int_equal(sch_resource_read(world->resource, &transfer, memory, bytes - 1, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_read(world->resource, &transfer, memory, bytes, NULL), SCH_OK);
    for (size_t i = 0; i < bytes; i++) {
        const size_t z = i / slice, y = i % slice / row, x = i % slice % row;
        const bool texel = z < slices && y < rows && x < line;
        if (memory[i] != (texel ? before[i] : (uint8_t)~before[i])) fail_msg("byte %zu", i);
        if (!texel) continue;
        const size_t at =
            block_at(&world->shape, block, level, (uint32_t)transfer.box.z + (uint32_t)z, transfer.sample,
                     (uint32_t)transfer.box.x / block->width, (uint32_t)transfer.box.y / block->height + (uint32_t)y);
        world->texels[at + x] = before[i];
    }
    free(before);
    free(memory);
}

static void check_transfers(struct sch_context *context, const struct shape *shape, const struct block *block)
{
    struct world world = make_world(context, shape, block);
    for (unsigned n = 0; n < 12; n++) check_transfer(&world);
    end_world(&world);
}

static void boxes_are_read_and_written(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t b = 0; b < COUNT(blocks); b++) check_transfers(context, &shapes[s], &blocks[b]);
    sch_context_destroy(context);
}

/* Levels of larger textures than those of `shapes`, so that there are several blocks, and whole ones. */
static const struct shape large_shapes[] = {
    {SCH_TARGET_2D, 37, 22, 1, 1, 6, 1},
    {SCH_TARGET_3D, 21, 18, 5, 1, 5, 1},
    {SCH_TARGET_CUBE, 25, 25, 1, 6, 5, 1},
    {SCH_TARGET_2D_ARRAY, 26, 40, 1, 3, 6, 1},
};

static void boxes_of_compressed_blocks_are_read_and_written(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t b = 0; b < COUNT(compressed); b++) {
        for (size_t s = 0; s < COUNT(shapes); s++)
            if (can_be_compressed(&shapes[s])) check_transfers(context, &shapes[s], &compressed[b]);
        for (size_t s = 0; s < COUNT(large_shapes); s++) check_transfers(context, &large_shapes[s], &compressed[b]);
    }
    sch_context_destroy(context);
}

/* A box of zeros is the whole level, and no transfer at all is level 0's. */
static void nothing_said_is_all(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t s = 0; s < COUNT(shapes); s++) {
        struct world world = make_world(context, &shapes[s], &blocks[4]);
        for (uint32_t level = 0; level < shapes[s].levels; level++) {
            const struct sch_transfer transfer = {.size = sizeof transfer, .level = level};
            const uint32_t across = blocks_of(halved(shapes[s].width, level), 2),
                           rows = halved(shapes[s].height, level), slices = layers_of(&shapes[s], level);
            const size_t bytes = (size_t)across * 4 * rows * slices;
            assert_int_equal(sch_transfer_bytes(world.resource, &transfer), bytes);
            if (level == 0) assert_int_equal(sch_transfer_bytes(world.resource, NULL), bytes);
            uint8_t *memory = random_bytes(bytes);
            const struct sch_transfer *given = level || s % 2 ? &transfer : NULL;
            assert_int_equal(sch_resource_write(world.resource, given, memory, bytes, NULL), SCH_OK);
            for (uint32_t z = 0; z < slices; z++)
                memcpy(world.texels + block_at(&world.shape, &world.block, level, z, 0, 0, 0),
                       memory + (size_t)z * rows * across * 4, (size_t)rows * across * 4);
            free(memory);
        }
        end_world(&world);
    }
    sch_context_destroy(context);
}

/* What no level has, and what no memory holds; the list says which. */
static void transfers_are_refused(void **state)
{
    (void)state;
    const int32_t most = INT32_MAX, least = INT32_MIN;
    const struct {
        struct sch_transfer transfer; /* of 9 x 5 texels of YUYV, 3 levels, 4 layers */
        const char *why;
    } cases[] = {
        {{.level = 3}, "level 3: the resource has 3"},
        {{.level = UINT32_MAX}, "level 4294967295: the resource has 3"},
        {{.sample = 1}, "sample 1: the resource has 1"},
        {{.box = {0, 0, 0, 10, 5, 4}}, "box: 10 texels from x = 0 on, of 9"},
        {{.box = {2, 0, 0, 8, 5, 4}}, "box: 8 texels from x = 2 on, of 9"},
        {{.box = {-2, 0, 0, 4, 5, 4}}, "box: 4 texels from x = -2 on, of 9"},
        {{.box = {0, 0, 0, -2, 5, 4}}, "box: -2 texels from x = 0 on, of 9"},
        {{.box = {0, 0, 0, 0, 5, 4}}, "box: 0 texels from x = 0 on, of 9"},
        {{.box = {most, 0, 0, most, 5, 4}}, "box: 2147483647 texels from x = 2147483647 on, of 9"},
        {{.box = {least, 0, 0, least, 5, 4}}, "box: -2147483648 texels from x = -2147483648 on, of 9"},
        {{.box = {1, 0, 0, 2, 5, 4}}, "box: 2 texels from x = 1 on, in blocks of 2"},
        {{.box = {2, 0, 0, 3, 5, 4}}, "box: 3 texels from x = 2 on, in blocks of 2"},
        {{.box = {2, 5, 0, 2, 1, 1}}, "box: 1 texels from y = 5 on, of 5"},
        {{.box = {2, 4, 0, 2, 2, 1}}, "box: 2 texels from y = 4 on, of 5"},
        {{.box = {2, 0, 4, 2, 1, 1}}, "box: 1 texels from z = 4 on, of 4"},
        {{.box = {2, 0, 2, 2, 1, 3}}, "box: 3 texels from z = 2 on, of 4"},
        {{.level = 1, .box = {0, 0, 0, 6, 2, 4}}, "box: 6 texels from x = 0 on, of 4"},
        {{.row_bytes = 19}, "row_bytes 19, slice_bytes 0: rows of the box are 20 bytes long"},
        {{.slice_bytes = 99}, "row_bytes 0, slice_bytes 99: rows of the box are 20 bytes long"},
        {{.row_bytes = SIZE_MAX}, "row_bytes 18446744073709551615, slice_bytes 0: rows of the box are 20 bytes long"},
        {{.row_bytes = SIZE_MAX / 4},
         "row_bytes 4611686018427387903, slice_bytes 0: rows of the box are 20 bytes long"},
        {{.slice_bytes = SIZE_MAX / 2},
         "row_bytes 0, slice_bytes 9223372036854775807: rows of the box are 20 bytes long"},
        {{.slice_bytes = SIZE_MAX / 3},
         "row_bytes 0, slice_bytes 6148914691236517205: rows of the box are 20 bytes long"},
        {{.row_bytes = 25}, "476 bytes of memory: the box takes 495"},
    };
    struct sch_context *context = make_context(0, NULL);
    const struct shape shape = {SCH_TARGET_2D_ARRAY, 9, 5, 1, 4, 3, 1};
    struct world world = make_world(context, &shape, &blocks[4]);
    uint8_t memory[476] = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_transfer transfer = cases[i].transfer;
        struct sch_diagnostics_list *list;
        struct sch_diagnostic_info why = {.size = sizeof why};
        transfer.size = sizeof transfer;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        assert_int_equal(sch_resource_write(world.resource, &transfer, memory, sizeof memory, list),
                         SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_resource_read(world.resource, &transfer, memory, sizeof memory, list), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_transfer_bytes(world.resource, &transfer), i + 1 == COUNT(cases) ? 495 : 0);
        assert_int_equal(sch_diagnostics_count(list), 2);
        assert_true(sch_diagnostics_get(list, 1, &why));
        assert_int_equal(why.code, 6300);
        assert_string_equal(why.message, cases[i].why);
        sch_diagnostics_destroy(list);
    }
    /* Of one row and one slice no stride counts. */
    const struct sch_transfer row = {
        .size = sizeof row, .box = {0, 0, 0, 9, 1, 1}, .row_bytes = SIZE_MAX, .slice_bytes = SIZE_MAX};
    assert_int_equal(sch_transfer_bytes(world.resource, &row), 20);
    const struct sch_transfer none = {.size = 8};
    assert_int_equal(sch_resource_write(world.resource, &none, memory, sizeof memory, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_write(world.resource, NULL, NULL, 0, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_read(world.resource, NULL, NULL, 0, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_read(NULL, NULL, memory, sizeof memory, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_read(world.resource, &none, memory, sizeof memory, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_transfer_bytes(NULL, NULL), 0);
    assert_int_equal(sch_transfer_bytes(world.resource, &none), 0);
    end_world(&world);
    sch_context_destroy(context);
}

/* ---- copies ---- */

/* As sch_resource_copy, by way of memory: of `to` at corner (x, y, z). */
static void model_copy(struct world *to, const struct world *from, const struct sch_copy *copy)
{
    const struct sch_box *box = &copy->source;
    const uint32_t across = blocks_of((uint32_t)box->width, from->block.width),
                   rows = blocks_of((uint32_t)box->height, from->block.height);
    const size_t bytes = from->block.bytes, line = across * bytes;
    uint8_t *held = malloc((size_t)box->depth * rows * from->shape.samples * line), *at = held;
    assert_non_null(held);
    for (unsigned way = 0; way < 2; way++) {
        at = held;
        for (uint32_t z = 0; z < (uint32_t)box->depth; z++)
            for (uint32_t s = 0; s < from->shape.samples; s++)
                for (uint32_t y = 0; y < rows; y++, at += line) {
                    if (way == 0)
                        memcpy(at,
                               from->texels + block_at(&from->shape, &from->block, copy->source_level,
                                                       (uint32_t)box->z + z, s, (uint32_t)box->x / from->block.width,
                                                       (uint32_t)box->y / from->block.height + y),
                               line);
                    else
                        memcpy(to->texels + block_at(&to->shape, &to->block, copy->level, (uint32_t)copy->z + z, s,
                                                     (uint32_t)copy->x / to->block.width,
                                                     (uint32_t)copy->y / to->block.height + y),
                               at, line);
                }
    }
    free(held);
}

/* A random copy that both have. */
static bool any_copy(const struct world *to, const struct world *from, struct sch_copy *copy)
{
    copy->level = below(to->shape.levels);
    copy->source_level = below(from->shape.levels);
    copy->source = any_box(&from->shape, &from->block, copy->source_level);
    const uint32_t across = blocks_of((uint32_t)copy->source.width, from->block.width),
                   down = blocks_of((uint32_t)copy->source.height, from->block.height),
                   room = blocks_of(halved(to->shape.width, copy->level), to->block.width),
                   rows = blocks_of(halved(to->shape.height, copy->level), to->block.height),
                   layers = layers_of(&to->shape, copy->level);
    if (across > room || down > rows || (uint32_t)copy->source.depth > layers) return false;
    copy->x = (int32_t)(below(room - across + 1) * to->block.width);
    copy->y = (int32_t)(below(rows - down + 1) * to->block.height);
    copy->z = (int32_t)below(layers - (uint32_t)copy->source.depth + 1);
    return true;
}

static void check_copies(struct world *to, struct world *from, unsigned tries)
{
    for (unsigned n = 0; n < tries; n++) {
        struct sch_copy copy = {.size = sizeof copy};
        if (!any_copy(to, from, &copy)) continue;
        assert_int_equal(sch_resource_copy(to->resource, from->resource, &copy, NULL), SCH_OK);
        model_copy(to, from, &copy);
        check_world(to);
    }
}

/* Between all targets of the same samples, and formats of four bytes a block: of one texel and of two. */
static void resources_are_copied(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t a = 0; a < COUNT(shapes); a++)
        for (size_t b = 0; b < COUNT(shapes); b++) {
            struct world to = make_world(context, &shapes[a], &blocks[(a + b) % 2 ? 4 : 3]),
                         from = make_world(context, &shapes[b], &blocks[a % 2 ? 10 : 3]);
            struct sch_copy none = {.size = sizeof none, .source = {0, 0, 0, 1, 1, 1}};
            if (from.block.width == 2) none.source.width = 2;
            if (shapes[a].samples == shapes[b].samples)
                check_copies(&to, &from, 10);
            else
                assert_int_equal(sch_resource_copy(to.resource, from.resource, &none, NULL), SCH_ERROR_ARGUMENT);
            end_world(&from);
            end_world(&to);
        }
    sch_context_destroy(context);
}

/* Both ways between blocks and texels, or other blocks, of as many bytes. */
static void check_both_ways(struct sch_context *context, const struct block *a, const struct block *b)
{
    const struct shape texels[] = {
        {SCH_TARGET_2D, 10, 8, 1, 1, 2, 1}, {SCH_TARGET_2D_ARRAY, 7, 9, 1, 5, 2, 1}, {SCH_TARGET_3D, 6, 5, 4, 1, 1, 1}};
    for (size_t s = 0; s < COUNT(large_shapes); s++)
        for (size_t t = 0; t < COUNT(texels); t++) {
            const struct shape *there = b->width > 1 ? &large_shapes[(s + t) % COUNT(large_shapes)] : &texels[t];
            struct world one = make_world(context, &large_shapes[s], a), other = make_world(context, there, b);
            check_copies(&one, &other, 10);
            check_copies(&other, &one, 10);
            end_world(&other);
            end_world(&one);
        }
}

static void blocks_are_copied_to_texels_and_back(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t a = 0; a < COUNT(compressed); a++)
        for (size_t b = 0; b < COUNT(of_as_many_bytes); b++)
            if (compressed[a].bytes == of_as_many_bytes[b].bytes)
                check_both_ways(context, &compressed[a], &of_as_many_bytes[b]);
    sch_context_destroy(context);
}

static void read_level(const struct sch_resource *resource, uint32_t level, void *data, size_t bytes)
{
    const struct sch_transfer transfer = {.size = sizeof transfer, .level = level};
    assert_int_equal(sch_transfer_bytes(resource, &transfer), bytes);
    assert_int_equal(sch_resource_read(resource, &transfer, data, bytes, NULL), SCH_OK);
}

static void write_level(struct sch_resource *resource, uint32_t level, const void *data, size_t bytes)
{
    const struct sch_transfer transfer = {.size = sizeof transfer, .level = level};
    assert_int_equal(sch_resource_write(resource, &transfer, data, bytes, NULL), SCH_OK);
}

/* "Each texel of uncompressed data becomes a single block of compressed data" [GL 18.3.3]: BC1 and R32G32_UINT. Level 1
 * of 20 x 20 texels has 10 x 10, thus 3 x 3 blocks, of which those of the last column and row are filled in part
 * [D3D 19.5.1]. */
static void a_texel_is_a_block(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    const struct shape blocks_shape = {SCH_TARGET_2D, 20, 20, 1, 1, 3, 1},
                       texels_shape = {SCH_TARGET_2D, 3, 4, 1, 1, 1, 1};
    struct sch_resource *bc1 = make(context, &blocks_shape, format("DXT1_RGBA")),
                        *uint = make(context, &texels_shape, format("R32G32_UINT"));
    uint32_t block[3][3][2], texel[4][3][2] = {{{0}}};
    for (uint32_t n = 0; n < 9; n++) {
        block[n / 3][n % 3][0] = 0x1000 + n;
        block[n / 3][n % 3][1] = 0x2000 + n;
    }
    write_level(bc1, 1, block, sizeof block);

    /* All of the level, ending within its last blocks, to rows 1 to 3 of the texels. */
    const struct sch_copy out = {.size = sizeof out, .y = 1, .source_level = 1, .source = {0, 0, 0, 10, 10, 1}};
    assert_int_equal(sch_resource_copy(uint, bc1, &out, NULL), SCH_OK);
    read_level(uint, 0, texel, sizeof texel);
    for (unsigned n = 0; n < 6; n++) assert_int_equal((&texel[0][0][0])[n], 0);
    assert_memory_equal(texel[1], block, sizeof block);

    /* The block at texel (4, 8) of the level alone: column 1 of row 2. It has two rows of texels. */
    const struct sch_copy one = {.size = sizeof one, .x = 2, .source_level = 1, .source = {4, 8, 0, 4, 2, 1}};
    assert_int_equal(sch_resource_copy(uint, bc1, &one, NULL), SCH_OK);
    read_level(uint, 0, texel, sizeof texel);
    assert_int_equal(texel[0][2][0], 0x1007);
    assert_int_equal(texel[0][2][1], 0x2007);

    /* Two texels from (1, 0) on to the last two blocks of the last row, and one to level 2, of 5 x 5. */
    const struct sch_copy in = {.size = sizeof in, .level = 1, .x = 4, .y = 8, .source = {1, 0, 0, 2, 1, 1}},
                          last = {.size = sizeof last, .level = 2, .x = 4, .y = 4, .source = {0, 1, 0, 1, 1, 1}};
    assert_int_equal(sch_resource_copy(bc1, uint, &in, NULL), SCH_OK);
    assert_int_equal(sch_resource_copy(bc1, uint, &last, NULL), SCH_OK);
    block[2][1][0] = block[2][1][1] = 0;
    block[2][2][0] = 0x1007;
    block[2][2][1] = 0x2007;
    uint32_t now[3][3][2], smaller[2][2][2];
    read_level(bc1, 1, now, sizeof now);
    read_level(bc1, 2, smaller, sizeof smaller);
    assert_memory_equal(now, block, sizeof block);
    for (unsigned n = 0; n < 6; n++) assert_int_equal((&smaller[0][0][0])[n], 0);
    assert_int_equal(smaller[1][1][0], 0x1000);
    assert_int_equal(smaller[1][1][1], 0x2000);
    sch_resource_destroy(uint);
    sch_resource_destroy(bc1);
    sch_context_destroy(context);
}

/* Sides of boxes are texels of the source, the corner is of the destination. */
static void copies_of_blocks_are_refused(void **state)
{
    (void)state;
    const struct {
        bool to_blocks;
        struct sch_copy copy;
        const char *why;
    } cases[] = {
        /* From 10 x 7 texels of BC1, 3 x 2 blocks, to 3 x 2 texels. */
        {false, {.source = {0, 0, 0, 3, 2, 1}}, "box: 3 texels from x = 0 on, in blocks of 4"},
        {false, {.source = {2, 0, 0, 8, 7, 1}}, "box: 8 texels from x = 2 on, in blocks of 4"},
        {false, {.source = {0, 0, 0, 10, 6, 1}}, "box: 6 texels from y = 0 on, in blocks of 4"},
        {false, {.source = {0, 0, 0, 12, 7, 1}}, "box: 12 texels from x = 0 on, of 10"},
        {false, {.x = 1, .source = {0, 0, 0, 10, 7, 1}}, "copy: 3 blocks from x = 1 on, of 3"},
        {false, {.y = 1, .source = {0, 0, 0, 10, 7, 1}}, "copy: 2 blocks from y = 1 on, of 2"},
        {false, {.x = 4, .source = {0, 0, 0, 4, 4, 1}}, "copy: 1 blocks from x = 4 on, of 3"},
        /* And back. */
        {true, {.source = {0, 0, 0, 4, 1, 1}}, "box: 4 texels from x = 0 on, of 3"},
        {true, {.x = 1, .source = {0, 0, 0, 1, 1, 1}}, "copy: to x = 1, in blocks of 4"},
        {true, {.y = 5, .source = {0, 0, 0, 1, 1, 1}}, "copy: to y = 5, in blocks of 4"},
        {true, {.x = 8, .source = {0, 0, 0, 2, 1, 1}}, "copy: 2 blocks from x = 8 on, of 3"},
        {true, {.y = 8, .source = {0, 0, 0, 1, 1, 1}}, "copy: 1 blocks from y = 8 on, of 2"},
        {true, {.x = 12, .source = {0, 0, 0, 1, 1, 1}}, "copy: 1 blocks from x = 12 on, of 3"},
    };
    struct sch_context *context = make_context(0, NULL);
    const struct shape blocks_shape = {SCH_TARGET_2D, 10, 7, 1, 1, 1, 1},
                       texels_shape = {SCH_TARGET_2D, 3, 2, 1, 1, 1, 1};
    struct world bc1 = make_world(context, &blocks_shape, &compressed[0]),
                 uint = make_world(context, &texels_shape, &of_as_many_bytes[0]),
                 wide = make_world(context, &texels_shape, &of_as_many_bytes[2]);
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info why = {.size = sizeof why};
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_copy copy = cases[i].copy;
        copy.size = sizeof copy;
        struct sch_resource *to = cases[i].to_blocks ? bc1.resource : uint.resource,
                            *from = cases[i].to_blocks ? uint.resource : bc1.resource;
        assert_int_equal(sch_resource_copy(to, from, &copy, list), SCH_ERROR_ARGUMENT);
        assert_true(sch_diagnostics_get(list, i, &why));
        assert_string_equal(why.message, cases[i].why);
    }
    assert_int_equal(sch_resource_copy(wide.resource, bc1.resource, NULL, list), SCH_ERROR_ARGUMENT);
    assert_true(sch_diagnostics_get(list, COUNT(cases), &why));
    assert_string_equal(why.message, "copy: blocks of 8 bytes to blocks of 16");
    sch_diagnostics_destroy(list);
    end_world(&wide);
    end_world(&uint);
    end_world(&bc1);
    sch_context_destroy(context);
}

/* Boxes of one resource that overlap in any direction. */
static void check_overlaps(struct sch_context *context, const struct shape *shape, const struct block *block)
{
    struct world world = make_world(context, shape, block);
    check_copies(&world, &world, 40);
    end_world(&world);
}

static void overlapping_copies_are_of_what_was(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t b = 0; b < COUNT(blocks); b += 2) check_overlaps(context, &shapes[s], &blocks[b]);
    for (size_t s = 0; s < COUNT(large_shapes); s++)
        for (size_t b = 0; b < COUNT(compressed); b++) check_overlaps(context, &large_shapes[s], &compressed[b]);
    sch_context_destroy(context);
}

static void copies_are_refused(void **state)
{
    (void)state;
    const struct shape shape = {SCH_TARGET_2D_ARRAY, 9, 5, 1, 4, 3, 1},
                       samples = {SCH_TARGET_2D_MSAA, 9, 5, 1, 1, 1, 4};
    const struct {
        struct sch_copy copy;
        const char *why;
    } cases[] = {
        {{.level = 3}, "level 3: the resource has 3"},
        {{.source_level = 3}, "level 3: the resource has 3"},
        {{.source = {0, 0, 0, 10, 1, 1}}, "box: 10 texels from x = 0 on, of 9"},
        {{.x = 1, .source = {0, 0, 0, 9, 1, 1}}, "copy: 9 blocks from x = 1 on, of 9"},
        {{.y = 1}, "copy: 5 blocks from y = 1 on, of 5"},
        {{.z = 4, .source = {0, 0, 0, 1, 1, 1}}, "copy: 1 blocks from z = 4 on, of 4"},
        {{.z = -1, .source = {0, 0, 0, 1, 1, 1}}, "copy: 1 blocks from z = -1 on, of 4"},
        {{.x = INT32_MAX, .source = {0, 0, 0, 1, 1, 1}}, "copy: 1 blocks from x = 2147483647 on, of 9"},
        {{.y = INT32_MIN, .source = {0, 0, 0, 1, 1, 1}}, "copy: 1 blocks from y = -2147483648 on, of 5"},
        {{.level = 1}, "copy: 9 blocks from x = 0 on, of 4"},
    };
    struct sch_context *context = make_context(0, NULL);
    struct world to = make_world(context, &shape, &blocks[3]), from = make_world(context, &shape, &blocks[3]),
                 small = make_world(context, &shape, &blocks[0]), four = make_world(context, &samples, &blocks[3]),
                 pairs = make_world(context, &shape, &blocks[4]);
    struct sch_diagnostics_list *list;
    struct sch_diagnostic_info why = {.size = sizeof why};
    size_t count = 0;
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_copy copy = cases[i].copy;
        copy.size = sizeof copy;
        assert_int_equal(sch_resource_copy(to.resource, from.resource, &copy, list), SCH_ERROR_ARGUMENT);
        assert_true(sch_diagnostics_get(list, count++, &why));
        assert_int_equal(why.code, 6300);
        assert_string_equal(why.message, cases[i].why);
    }
    assert_int_equal(sch_resource_copy(to.resource, small.resource, NULL, list), SCH_ERROR_ARGUMENT);
    assert_true(sch_diagnostics_get(list, count++, &why));
    assert_string_equal(why.message, "copy: blocks of 1 bytes to blocks of 4");
    assert_int_equal(sch_resource_copy(to.resource, four.resource, NULL, list), SCH_ERROR_ARGUMENT);
    assert_true(sch_diagnostics_get(list, count++, &why));
    assert_string_equal(why.message, "copy: 4 samples to 1");
    const struct sch_copy odd = {.size = sizeof odd, .x = 1, .source = {0, 0, 0, 1, 1, 1}};
    assert_int_equal(sch_resource_copy(pairs.resource, from.resource, &odd, list), SCH_ERROR_ARGUMENT);
    assert_true(sch_diagnostics_get(list, count++, &why));
    assert_string_equal(why.message, "copy: to x = 1, in blocks of 2");
    const struct sch_copy none = {.size = 4};
    assert_int_equal(sch_resource_copy(to.resource, from.resource, &none, list), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_copy(NULL, from.resource, NULL, list), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_resource_copy(to.resource, NULL, NULL, list), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_diagnostics_count(list), count + 3);
    sch_diagnostics_destroy(list);
    end_world(&pairs);
    end_world(&four);
    end_world(&small);
    end_world(&from);
    end_world(&to);
    sch_context_destroy(context);
}

/* ---- blocks of any size ---- */

static const struct sch_block sizes[] = {{8, 4, 4, 1},  {16, 4, 4, 1}, {16, 6, 5, 1}, {16, 12, 10, 1},
                                         {16, 3, 3, 3}, {16, 6, 6, 5}, {4, 2, 1, 1},  {1, 8, 1, 1}};

/* Levels follow each other without gaps, each as many blocks as its texels need. */
static void levels_are_laid_out_in_blocks(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(sizes); b++)
        for (unsigned n = 0; n < 50; n++) {
            const struct sch_block *block = &sizes[b];
            const bool volume = block->depth > 1;
            const struct sch_resource_shape shape = {.target = volume ? SCH_TARGET_3D : SCH_TARGET_2D_ARRAY,
                                                     .width = 1 + below(70),
                                                     .height = 1 + below(70),
                                                     .depth = volume ? 1 + below(40) : 1,
                                                     .layers = volume ? 1 : 1 + below(5),
                                                     .levels = 1 + below(4),
                                                     .samples = 1};
            struct sch_texture texture;
            uint8_t *const begin = (uint8_t *)&texture; /* only an address */
            const uint64_t bytes = sch_texture_lay_out(&shape, block, begin, &texture);
            uint64_t at = 0;
            assert_int_equal(texture.levels, shape.levels);
            for (uint32_t i = 0; i < shape.levels; i++) {
                const struct sch_texture_level *level = &texture.level[i];
                const uint64_t wide = (halved(shape.width, i) + block->width - 1) / block->width,
                               high = (halved(shape.height, i) + block->height - 1) / block->height,
                               deep = (halved(shape.depth, i) + block->depth - 1) / block->depth;
                assert_ptr_equal(level->texels, begin + at);
                assert_int_equal(level->width, halved(shape.width, i));
                assert_int_equal(level->height, halved(shape.height, i));
                assert_int_equal(level->depth, halved(shape.depth, i));
                assert_int_equal(level->row_bytes, wide * block->bytes);
                assert_int_equal(level->slice_bytes, wide * high * block->bytes);
                at += wide * high * deep * shape.layers * block->bytes;
            }
            assert_int_equal(bytes, at);
            assert_int_equal(sch_texture_lay_out(&shape, block, NULL, &texture), bytes);
            assert_null(texture.level[0].texels);
        }
}

/* A level whose block at (x, y, z) holds its own number. */
static struct sch_texture_surface numbered(const struct sch_block *block, const uint32_t side[3], uint32_t first)
{
    struct sch_texture_surface surface = {.block = *block, .side = {side[0], side[1], side[2]}, .samples = 1};
    const uint32_t wide = blocks_of(side[0], block->width), high = blocks_of(side[1], block->height),
                   deep = blocks_of(side[2], block->depth);
    surface.row_bytes = (size_t)wide * block->bytes;
    surface.slice_bytes = surface.row_bytes * high;
    surface.texels = calloc(surface.slice_bytes, deep);
    assert_non_null(surface.texels);
    for (uint32_t i = 0; i < wide * high * deep; i++) surface.texels[(size_t)i * block->bytes] = (uint8_t)(first + i);
    return surface;
}

static uint8_t *numbered_block(const struct sch_texture_surface *surface, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t wide = blocks_of(surface->side[0], surface->block.width),
                   high = blocks_of(surface->side[1], surface->block.height);
    return surface->texels + (((size_t)z * high + y) * wide + x) * surface->block.bytes;
}

/* Along an axis: which boxes of texels are whole blocks. */
static void boxes_are_whole_blocks(void **state)
{
    (void)state;
    for (size_t b = 0; b < COUNT(sizes); b++) {
        const uint32_t side[3] = {13, 11, 7};
        const uint32_t block[3] = {sizes[b].width, sizes[b].height, sizes[b].depth};
        struct sch_texture_surface surface = numbered(&sizes[b], side, 0);
        for (unsigned axis = 0; axis < 3; axis++)
            for (int32_t at = -1; at <= (int32_t)side[axis] + 1; at++)
                for (int32_t texels = -1; texels <= (int32_t)side[axis] + 1; texels++) {
                    int32_t corner[3] = {0, 0, 0}, sides[3] = {(int32_t)side[0], (int32_t)side[1], (int32_t)side[2]};
                    corner[axis] = at;
                    sides[axis] = texels;
                    const struct sch_box box = {corner[0], corner[1], corner[2], sides[0], sides[1], sides[2]};
                    struct sch_region region;
                    const int32_t end = at + texels;
                    const bool whole = at >= 0 && texels > 0 && end <= (int32_t)side[axis] &&
                                       at % (int32_t)block[axis] == 0 &&
                                       (end % (int32_t)block[axis] == 0 || end == (int32_t)side[axis]);
                    assert_int_equal(sch_surface_region(&surface, &box, ".box", &region, NULL), whole);
                    if (!whole) continue;
                    const uint32_t first[3] = {region.x, region.y, region.z},
                                   count[3] = {region.width, region.height, region.depth};
                    for (unsigned a = 0; a < 3; a++) {
                        assert_int_equal(first[a], (uint32_t)corner[a] / block[a]);
                        assert_int_equal(count[a], blocks_of((uint32_t)(corner[a] + sides[a]), block[a]) - first[a]);
                    }
                }
        free(surface.texels);
    }
}

/* A read is of the blocks' numbers, a write puts them there, a copy moves them to a level of other blocks. */
static void blocks_of_many_rows_move(void **state)
{
    (void)state;
    const uint32_t side[3] = {25, 22, 11};
    for (size_t a = 0; a < COUNT(sizes); a++)
        for (size_t b = 0; b < COUNT(sizes); b++) {
            if (sizes[a].bytes != sizes[b].bytes) continue;
            struct sch_texture_surface from = numbered(&sizes[a], side, 1), to = numbered(&sizes[b], side, 101);
            const struct sch_block *in = &sizes[a], *out = &sizes[b];
            /* The second block of each axis. */
            const struct sch_box box = {(int32_t)in->width, (int32_t)in->height, (int32_t)in->depth,
                                        (int32_t)in->width, (int32_t)in->height, (int32_t)in->depth};
            const struct sch_transfer one = {.size = sizeof one, .box = box};
            uint8_t memory[16];
            assert_int_equal(sch_surface_read(&from, &one, memory, in->bytes, NULL, NULL), SCH_OK);
            assert_int_equal(sch_surface_read(&from, &one, memory, in->bytes - 1, NULL, NULL), SCH_ERROR_ARGUMENT);
            assert_memory_equal(memory, numbered_block(&from, 1, 1, 1), in->bytes);
            const struct sch_copy copy = {
                .size = sizeof copy, .x = (int32_t)out->width, .y = 0, .z = (int32_t)out->depth, .source = box};
            assert_int_equal(sch_surface_copy(&to, &from, &copy, NULL, NULL), SCH_OK);
            assert_memory_equal(numbered_block(&to, 1, 0, 1), memory, in->bytes);
            memory[0] = 77;
            assert_int_equal(sch_surface_write(&from, &one, memory, in->bytes, NULL, NULL), SCH_OK);
            assert_int_equal(*numbered_block(&from, 1, 1, 1), 77);
            struct sch_texture_surface whole = numbered(&sizes[a], side, 1), other = numbered(&sizes[b], side, 101);
            uint32_t changed = 0;
            const uint32_t wide = blocks_of(side[0], in->width), high = blocks_of(side[1], in->height),
                           deep = blocks_of(side[2], in->depth);
            for (uint32_t i = 0; i < wide * high * deep; i++)
                changed += whole.texels[(size_t)i * in->bytes] != from.texels[(size_t)i * in->bytes];
            assert_int_equal(changed, 1);
            changed = 0;
            const uint32_t all =
                blocks_of(side[0], out->width) * blocks_of(side[1], out->height) * blocks_of(side[2], out->depth);
            for (uint32_t i = 0; i < all; i++)
                changed += other.texels[(size_t)i * out->bytes] != to.texels[(size_t)i * out->bytes];
            assert_int_equal(changed, 1);
            free(other.texels);
            free(whole.texels);
            free(to.texels);
            free(from.texels);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_read_and_written),
        cmocka_unit_test(boxes_of_compressed_blocks_are_read_and_written),
        cmocka_unit_test(nothing_said_is_all),
        cmocka_unit_test(transfers_are_refused),
        cmocka_unit_test(resources_are_copied),
        cmocka_unit_test(blocks_are_copied_to_texels_and_back),
        cmocka_unit_test(a_texel_is_a_block),
        cmocka_unit_test(copies_of_blocks_are_refused),
        cmocka_unit_test(overlapping_copies_are_of_what_was),
        cmocka_unit_test(copies_are_refused),
        cmocka_unit_test(levels_are_laid_out_in_blocks),
        cmocka_unit_test(boxes_are_whole_blocks),
        cmocka_unit_test(blocks_of_many_rows_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
