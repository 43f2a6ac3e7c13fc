/* Resources that are kept decoded give the same as those that are not: for every format of compressed blocks, in every
 * shape, after writes, clears and copies of parts. What blocks mean is tested elsewhere (test_texture.c looks up such
 * textures, too). */
#include "../support/resource_support.h"
#include "texture/texture.h"

enum { FETCHES = 64 };

static const struct shape kept_shapes[] = {
    {SCH_TARGET_2D, 21, 13, 1, 1, 3, 1},      {SCH_TARGET_3D, 9, 10, 3, 1, 2, 1},
    {SCH_TARGET_CUBE, 11, 11, 1, 6, 2, 1},    {SCH_TARGET_RECT, 5, 9, 1, 1, 1, 1},
    {SCH_TARGET_2D_ARRAY, 18, 7, 1, 5, 2, 1}, {SCH_TARGET_CUBE_ARRAY, 9, 9, 1, 12, 1, 1},
};

/* The same texels twice: once kept decoded, once not. */
struct pair {
    const struct shape *shape;
    struct sch_format_info format;
    struct sch_resource *kept, *plain;
};

static struct pair make_pair(struct sch_context *context, const struct shape *shape, enum sch_format its_format)
{
    struct pair pair = {.shape = shape, .format = {.size = sizeof pair.format}};
    struct sch_resource_options options = options_of(shape, its_format);
    assert_int_equal(sch_format_get_info(its_format, &pair.format), SCH_OK);
    assert_int_equal(sch_resource_create(context, &options, NULL, &pair.plain), SCH_OK);
    options.decoded = true;
    assert_int_equal(sch_resource_create(context, &options, NULL, &pair.kept), SCH_OK);
    return pair;
}

static void release(struct pair *pair)
{
    sch_resource_destroy(pair->kept);
    sch_resource_destroy(pair->plain);
}

static void compare_fetches(struct sch_view *const views[2], const struct sch_lookup *lookups, uint32_t count)
{
    uint32_t results[2][FETCHES][4];
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(sch_lookup_run(views[i], NULL, lookups, count, 0, results[i]), SCH_OK);
    assert_memory_equal(results[0], results[1], count * sizeof results[0][0]);
}

/* Every texel of a view of both: `layers` of its target, or slices of a 3-D level. */
static void compare_view(const struct pair *pair, const struct sch_view_options *options, uint32_t layers)
{
    struct sch_view *views[2] = {NULL, NULL};
    struct sch_lookup lookups[FETCHES];
    const struct shape *shape = pair->shape;
    uint32_t count = 0;
    assert_int_equal(sch_view_create(pair->kept, options, &views[0]), SCH_OK);
    assert_int_equal(sch_view_create(pair->plain, options, &views[1]), SCH_OK);
    for (uint32_t level = options->first_level; level < shape->levels; level++) {
        const uint32_t width = halved(shape->width, level), height = halved(shape->height, level);
        const uint32_t slices = shape->depth > 1 ? halved(shape->depth, level) : layers;
        for (uint32_t n = 0; n < width * height * slices; n++) {
            lookups[count++] = (struct sch_lookup){.size = sizeof *lookups,
                                                   .operation = SCH_LOOKUP_FETCH,
                                                   .level = level - options->first_level,
                                                   .texel = {n % width, n / width % height, n / width / height}};
            if (count == FETCHES) compare_fetches(views, lookups, count);
            count %= FETCHES;
        }
    }
    compare_fetches(views, lookups, count);
    for (unsigned i = 0; i < 2; i++) sch_view_destroy(views[i]);
}

static void compare(const struct pair *pair)
{
    const struct shape *shape = pair->shape;
    const struct sch_view_options whole = {.size = sizeof whole};
    compare_view(pair, &whole, shape->layers);
    if (shape->levels > 1) {
        const struct sch_view_options smaller = {.size = sizeof smaller, .first_level = 1};
        compare_view(pair, &smaller, shape->layers);
    }
    if (shape->layers > 2) {
        const struct sch_view_options behind = {.size = sizeof behind,
                                                .has_target = true,
                                                .target = SCH_TARGET_2D_ARRAY,
                                                .first_layer = 2,
                                                .layer_count = shape->layers - 2};
        compare_view(pair, &behind, shape->layers - 2);
    }
}

/* Some blocks of an axis of `size` texels: where they begin, and how many texels they are. */
static void some_blocks(uint32_t size, uint32_t side, int32_t *at, int32_t *texels)
{
    const uint32_t blocks = (size + side - 1) / side, first = random_word() % blocks;
    const uint32_t end = first + 1 + random_word() % (blocks - first);
    *at = (int32_t)(first * side);
    *texels = (int32_t)((end * side < size ? end * side : size) - first * side);
}

static struct sch_box some_box(const struct pair *pair, uint32_t level)
{
    const struct shape *shape = pair->shape;
    struct sch_box box;
    some_blocks(halved(shape->width, level), pair->format.block_width, &box.x, &box.width);
    some_blocks(halved(shape->height, level), pair->format.block_height, &box.y, &box.height);
    some_blocks(shape->depth > 1 ? halved(shape->depth, level) : shape->layers, 1, &box.z, &box.depth);
    return box;
}

static void write_some(const struct pair *pair)
{
    const uint32_t level = random_word() % pair->shape->levels;
    const struct sch_transfer transfer = {.size = sizeof transfer, .level = level, .box = some_box(pair, level)};
    const size_t bytes = sch_transfer_bytes(pair->kept, &transfer);
    uint8_t *data = malloc(bytes);
    assert_non_null(data);
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write(pair->kept, &transfer, data, bytes, NULL), SCH_OK);
    assert_int_equal(sch_resource_write(pair->plain, &transfer, data, bytes, NULL), SCH_OK);
    free(data);
}

static void clear_some(const struct pair *pair)
{
    const uint32_t level = random_word() % pair->shape->levels;
    uint32_t block[4];
    for (unsigned i = 0; i < 4; i++) block[i] = random_word();
    const struct sch_clear clear = {.size = sizeof clear,
                                    .level = level,
                                    .box = some_box(pair, level),
                                    .block = block,
                                    .block_bytes = pair->format.block_bytes};
    assert_int_equal(sch_resource_clear(pair->kept, &clear, NULL), SCH_OK);
    assert_int_equal(sch_resource_clear(pair->plain, &clear, NULL), SCH_OK);
}

/* From texels of a format without compression that have as many bytes as a block. */
static void copy_some(struct sch_context *context, const struct pair *pair)
{
    const struct sch_resource_options options = {
        .size = sizeof options,
        .target = SCH_TARGET_2D,
        .format = format(pair->format.block_bytes == 8 ? "R32G32_UINT" : "R32G32B32A32_UINT"),
        .width = 2,
        .height = 2};
    uint32_t words[16];
    const struct shape *shape = pair->shape;
    const uint32_t columns = (shape->width - 1) / pair->format.block_width,
                   rows = (shape->height - 1) / pair->format.block_height;
    const struct sch_copy copy = {.size = sizeof copy,
                                  .x = (int32_t)(random_word() % (columns ? columns : 1) * pair->format.block_width),
                                  .y = (int32_t)(random_word() % (rows ? rows : 1) * pair->format.block_height),
                                  .z = (int32_t)(random_word() % (shape->depth > 1 ? shape->depth : shape->layers)),
                                  .source = {0, 0, 0, columns ? 2 : 1, rows ? 2 : 1, 1}};
    struct sch_resource *from = NULL;
    for (unsigned i = 0; i < 16; i++) words[i] = random_word();
    assert_int_equal(sch_resource_create(context, &options, NULL, &from), SCH_OK);
    assert_int_equal(sch_resource_write_all(from, words, sch_resource_bytes(from)), SCH_OK);
    assert_int_equal(sch_resource_copy(pair->kept, from, &copy, NULL), SCH_OK);
    assert_int_equal(sch_resource_copy(pair->plain, from, &copy, NULL), SCH_OK);
    sch_resource_destroy(from);
}

static void fill(const struct pair *pair)
{
    const size_t bytes = sch_resource_bytes(pair->kept);
    uint8_t *data = malloc(bytes);
    assert_non_null(data);
    for (size_t i = 0; i < bytes; i++) data[i] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write_all(pair->kept, data, bytes), SCH_OK);
    assert_int_equal(sch_resource_write_all(pair->plain, data, bytes), SCH_OK);
    free(data);
}

static bool is_compressed(enum sch_format number)
{
    struct sch_format_info info = {.size = sizeof info};
    return sch_format_get_info(number, &info) == SCH_OK && info.uses & SCH_USE_SAMPLED && info.block_height > 1;
}

static void every_format_gives_the_same(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    unsigned formats = 0;
    for (unsigned number = 1; number < SCH_FORMAT_LIMIT; number++) {
        if (!is_compressed((enum sch_format)number)) continue;
        formats++;
        for (size_t i = 0; i < COUNT(kept_shapes); i++) {
            struct pair pair = make_pair(context, &kept_shapes[i], (enum sch_format)number);
            compare(&pair); /* of zeros */
            fill(&pair);
            compare(&pair);
            write_some(&pair);
            compare(&pair);
            clear_some(&pair);
            compare(&pair);
            copy_some(context, &pair);
            compare(&pair);
            release(&pair);
        }
    }
    assert_int_equal(formats, 64);
    sch_context_destroy(context);
}

/* Formats that read the same blocks in another way have no part in what is kept. */
static void views_of_other_formats(void **state)
{
    (void)state;
    static const char *const formats[][2] = {
        {"ASTC_5x4", "ASTC_5x4_SRGB"}, {"ASTC_5x4_SRGB", "ASTC_5x4"},         {"DXT1_RGBA", "RGTC1_UNORM"},
        {"RGTC1_UNORM", "ETC2_RGB8"},  {"BPTC_RGB_FLOAT", "BPTC_RGB_UFLOAT"}, {"BPTC_RGBA_UNORM", "BPTC_RGB_FLOAT"},
        {"DXT1_SRGB", "DXT1_RGBA"}};
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct pair pair = make_pair(context, &kept_shapes[0], format(formats[i][0]));
        const struct sch_view_options options = {.size = sizeof options, .format = format(formats[i][1])};
        fill(&pair);
        compare_view(&pair, &options, 1);
        release(&pair);
    }
    sch_context_destroy(context);
}

static size_t decoded_bytes(const struct sch_resource *resource)
{
    struct sch_resource_info info = {.size = sizeof info};
    assert_int_equal(sch_resource_get_info(resource, 0, &info), SCH_OK);
    return info.decoded_bytes;
}

/* Lookups read the tiles and not the blocks: they see what is changed behind the library's back. */
static void lookups_read_the_tiles(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    struct pair pair = make_pair(context, &kept_shapes[0], format("DXT1_RGBA"));
    struct sch_view *view = NULL;
    const struct sch_lookup lookup = {
        .size = sizeof lookup, .operation = SCH_LOOKUP_FETCH, .level = 1, .texel = {9, 5, 0}};
    uint32_t before[1][4], after[1][4];
    const struct sch_texture_level *level = &sch_texture_of(pair.kept->texture)->level[1]; /* 10 x 6: 3 x 2 tiles */
    assert_int_equal(sch_view_create(pair.kept, NULL, &view), SCH_OK);
    assert_int_equal(sch_lookup_run(view, NULL, &lookup, 1, 0, before), SCH_OK);
    level->decoded[(1 * 3 + 2) * 16 + 1 + 4 * 1] ^= 0xff; /* red of texel 9, 5 */
    assert_int_equal(sch_lookup_run(view, NULL, &lookup, 1, 0, after), SCH_OK);
    assert_int_not_equal(before[0][0], after[0][0]);
    assert_memory_equal(&before[0][1], &after[0][1], 3 * sizeof(uint32_t));
    sch_view_destroy(view);
    release(&pair);
    sch_context_destroy(context);
}

/* 4 bytes a texel of whole tiles, or 8; other formats keep nothing. */
static void memory_is_told_and_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t bytes; /* of 21 x 13, 10 x 6 and 5 x 3 texels */
    } formats[] = {{"DXT1_RGB", (6 * 4 + 3 * 2 + 2 * 1) * 64},
                   {"BPTC_RGB_FLOAT", (6 * 4 + 3 * 2 + 2 * 1) * 128},
                   {"R8G8B8A8_UNORM", 0}};
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(formats); i++) {
        struct pair pair = make_pair(context, &kept_shapes[0], format(formats[i].name));
        assert_int_equal(decoded_bytes(pair.kept), formats[i].bytes);
        assert_int_equal(decoded_bytes(pair.plain), 0);
        assert_int_equal(sch_resource_bytes(pair.kept), sch_resource_bytes(pair.plain));
        release(&pair);
    }
    sch_context_destroy(context);

    const struct shape large = {SCH_TARGET_2D, 1024, 1024, 1, 1, 1, 1};
    struct sch_resource_options options = options_of(&large, format("DXT1_RGB")); /* 512 KiB, and 4 MiB decoded */
    struct sch_resource *resource = NULL;
    context = make_context((size_t)3 << 20, NULL);
    assert_int_equal(sch_resource_create(context, &options, NULL, &resource), SCH_OK);
    sch_resource_destroy(resource);
    options.decoded = true;
    assert_int_equal(sch_resource_create(context, &options, NULL, &resource), SCH_ERROR_LIMIT);
    assert_null(resource);
    sch_context_destroy(context);

    context = make_context((size_t)5 << 20, NULL);
    assert_int_equal(sch_resource_create(context, &options, NULL, &resource), SCH_OK);
    assert_int_equal((uintptr_t)sch_texture_of(resource->texture)->level[0].decoded % 64, 0);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_gives_the_same),
        cmocka_unit_test(views_of_other_formats),
        cmocka_unit_test(lookups_read_the_tiles),
        cmocka_unit_test(memory_is_told_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
