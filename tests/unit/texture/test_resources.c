/* Resources, views and images from outside: which shapes there are, where their texels stand, what ranges and
 * formats views take. The expectations are computed here from docs/texture.md. Lookups are test_lookup_calls.c. */
#include "../support/resource_support.h"
#include "../support/sanitized.h"

/* ---- shapes ---- */

static void has_every_target(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t block_width;
        size_t block_bytes;
    } formats[] = {{"R8_UNORM", 1, 1},     {"R16G16_SNORM", 1, 4},
                   {"R8G8B8_UNORM", 1, 3}, {"R32G32B32A32_FLOAT", 1, 16},
                   {"YUYV", 2, 4},         {"Z32_FLOAT_S8X24_UINT", 1, 8}};
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (size_t f = 0; f < COUNT(formats); f++) {
            const struct shape *shape = &shapes[i];
            struct sch_resource *resource = make(context, shape, format(formats[f].name));
            size_t bytes = place_of(shape, shape->levels, 0, formats[f].block_width, formats[f].block_bytes);
            assert_int_equal(sch_resource_bytes(resource), bytes);

            uint8_t *all = malloc(bytes + 1), *again = calloc(1, bytes);
            assert_true(all && again);
            memset(all, 0xcc, bytes + 1);
            assert_int_equal(sch_resource_read_all(resource, all, bytes), SCH_OK);
            assert_memory_equal(all, again, bytes);
            assert_int_equal(all[bytes], 0xcc);
            for (size_t b = 0; b < bytes; b++) all[b] = (uint8_t)random_word();
            assert_int_equal(sch_resource_write_all(resource, all, bytes), SCH_OK);
            assert_int_equal(sch_resource_write_all(resource, again, bytes + 1), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_write_all(resource, again, bytes - 1), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_read_all(resource, again, bytes - 1), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_read_all(resource, again, bytes + 1), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_read_all(resource, again, bytes), SCH_OK);
            assert_memory_equal(all, again, bytes);
            free(all);
            free(again);
            sch_resource_destroy(resource);
        }
    sch_context_destroy(context);
}

/* What no caller of the public interface can ask for. */
static void counts_of_zero_hold_nothing(void **state)
{
    (void)state;
    for (unsigned zero = 0; zero < 7; zero++) {
        const struct sch_resource_shape shape = {.target = SCH_TARGET_2D_ARRAY,
                                                 .format = SCH_FORMAT_R8_UNORM,
                                                 .width = zero == 0 ? 0 : 4,
                                                 .height = zero == 1 ? 0 : 4,
                                                 .depth = zero == 2 ? 0 : 1,
                                                 .layers = zero == 3 ? 0 : 2,
                                                 .levels = zero == 4 ? 0 : 1,
                                                 .samples = zero == 5 ? 0 : 1};
        struct sch_diagnostics list;
        struct sch_texture_resource *resource = NULL;
        sch_diagnostics_init(&list, &sch_allocator_libc, 4);
        const enum sch_result status = sch_texture_resource_create(&shape, &sch_allocator_libc, 0, &list, &resource);
        assert_int_equal(status, zero < 6 ? SCH_ERROR_INVALID : SCH_OK);
        assert_int_equal(list.count, zero < 6);
        if (list.count)
            assert_string_equal(list.items[0].message, "2D_ARRAY: a texture with a count of 0 holds nothing");
        assert_int_equal(resource != NULL, zero == 6);
        sch_texture_resource_release(resource);
        sch_diagnostics_release(&list);
    }
}

/* Formats that are not read, and numbers that are none. */
static void formats_that_are_not_read_have_no_blocks(void **state)
{
    (void)state;
    unsigned unread = 0;
    for (unsigned format = 0; format < SCH_FORMAT_LIMIT + 4; format++) {
        if (format < SCH_FORMAT_LIMIT && sch_texture_block_bytes(format)) continue;
        assert_int_equal(sch_texture_block_bytes(format), 0);
        assert_int_equal(sch_texture_block(format).width, 1);
        assert_int_equal(sch_texture_row_bytes(format, 100), 0);
        assert_false(sch_texture_storable(format));
        unread++;
    }
    assert_true(unread > 4);
    assert_int_equal(sch_texture_block_bytes(UINT32_MAX), 0);
}

static void refuses_shapes(void **state)
{
    (void)state;
    const enum sch_result INVALID = SCH_ERROR_INVALID, LIMIT = SCH_ERROR_LIMIT;
    const uint32_t most = UINT32_MAX;
    const struct {
        struct shape shape;
        enum sch_result result;
        unsigned code;
    } cases[] = {
        {{SCH_TARGET_BUFFER, 4, 2, 1, 1, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_BUFFER, 4, 1, 1, 1, 2, 1}, INVALID, 6003},
        {{SCH_TARGET_BUFFER, (1 << 27) + 1, 1, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_BUFFER, most, 1, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_1D, 4, 2, 1, 1, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_1D, 4, 1, 1, 2, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_1D, 4, 1, 1, 1, 4, 1}, INVALID, 6003},
        {{SCH_TARGET_1D, 16385, 1, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_2D, 4, 4, 2, 1, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_2D, 4, 4, 1, 6, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_2D, 4, 4, 1, 1, 1, 2}, INVALID, 6003},
        {{SCH_TARGET_2D, 4, 16385, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_2D, most, most, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_2D, most, most, most, most, most, most}, INVALID, 6003},
        {{SCH_TARGET_2D, 4, 4, 1, 1, most, 1}, INVALID, 6003},
        {{SCH_TARGET_3D, 4, 4, 4, 2, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_3D, 4, 4, 4, 1, 4, 1}, INVALID, 6003},
        {{SCH_TARGET_3D, 4, 4, 16385, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_3D, 65536, 65536, 65536, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_3D, 4, 4, 4, 1, 1, 4}, INVALID, 6003},
        {{SCH_TARGET_CUBE, 4, 4, 1, 1, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_CUBE, 4, 4, 1, 12, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_CUBE, 4, 5, 1, 6, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_CUBE, 16385, 16385, 1, 6, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_RECT, 4, 4, 1, 1, 2, 1}, INVALID, 6003},
        {{SCH_TARGET_1D_ARRAY, 4, 2, 1, 3, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_1D_ARRAY, 4, 1, 1, 2049, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_2D_ARRAY, 4, 4, 1, 2049, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_2D_ARRAY, 4, 4, 1, most, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_2D_ARRAY, 4, 4, 2, 4, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_2D_ARRAY, 4, 4, 1, 4, 1, 4}, INVALID, 6003},
        {{SCH_TARGET_2D_MSAA, 4, 4, 1, 1, 2, 4}, INVALID, 6003},
        {{SCH_TARGET_2D_MSAA, 4, 4, 1, 2, 1, 4}, INVALID, 6003},
        {{SCH_TARGET_2D_MSAA, 4, 4, 1, 1, 1, 3}, INVALID, 6003},
        {{SCH_TARGET_2D_MSAA, 4, 4, 1, 1, 1, 32}, INVALID, 6003},
        {{SCH_TARGET_2D_ARRAY_MSAA, 4, 4, 1, 2, 1, 1u << 31}, INVALID, 6003},
        {{SCH_TARGET_CUBE_ARRAY, 4, 4, 1, 7, 1, 1}, INVALID, 6003},
        {{SCH_TARGET_CUBE_ARRAY, 4, 4, 1, 2052, 1, 1}, LIMIT, 6002},
        {{SCH_TARGET_CUBE_ARRAY, 4, 3, 1, 12, 1, 1}, INVALID, 6003},
        {{7 /* SHADOW2D */, 4, 4, 1, 1, 1, 1}, INVALID, 6000},
        {{18 /* UNKNOWN */, 4, 4, 1, 1, 1, 1}, INVALID, 6000},
        {{19, 4, 4, 1, 1, 1, 1}, SCH_ERROR_ARGUMENT, 6300},
        {{-1, 4, 4, 1, 1, 1, 1}, SCH_ERROR_ARGUMENT, 6300},
        {{258, 4, 4, 1, 1, 1, 1}, SCH_ERROR_ARGUMENT, 6300}, /* 2D in its low byte */
        {{SCH_TARGET_2D_ARRAY, 2048, 2048, 1, 64, 1, 1}, LIMIT, 6004},
    };
    struct sch_context *context = make_context(((size_t)1 << 30) - 1, NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_resource_options options = options_of(&cases[i].shape, format("R8G8B8A8_UNORM"));
        struct sch_diagnostics_list *list;
        struct sch_diagnostic_info view = {.size = sizeof view, .code = 0};
        struct sch_resource *resource = (void *)&options;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        enum sch_result result = sch_resource_create(context, &options, list, &resource);
        if (result != cases[i].result) fail_msg("case %zu: %s", i, sch_result_text(result));
        assert_null(resource);
        assert_int_equal(sch_diagnostics_get(list, 0, &view), cases[i].code != 0);
        assert_int_equal(view.code, cases[i].code);
        if (cases[i].code == 6003)
            assert_int_equal(strspn(view.message, "BUFERCT123D_ARYMS"), strcspn(view.message, ":"));
        sch_diagnostics_destroy(list);
    }
    struct sch_resource_options blocks = options_of(&shapes[2], format("ASTC_3x3x3"));
    struct sch_resource *resource = NULL;
    struct sch_diagnostics_list *why;
    struct sch_diagnostic_info view = {.size = sizeof view};
    assert_int_equal(sch_diagnostics_create(context, &why), SCH_OK);
    assert_int_equal(sch_resource_create(context, &blocks, why, &resource), SCH_ERROR_UNSUPPORTED);
    assert_true(sch_diagnostics_get(why, 0, &view));
    assert_string_equal(view.message, "texels of format ASTC_3x3x3 are not read");
    blocks = options_of(&(struct shape){(enum sch_target)SCH_TARGET_SHADOW2D, 1, 1, 1, 1, 1, 1}, format("R8_UNORM"));
    assert_int_equal(sch_resource_create(context, &blocks, why, &resource), SCH_ERROR_INVALID);
    assert_true(sch_diagnostics_get(why, 1, &view));
    assert_string_equal(view.message, "no texture is SHADOW2D: that is a way to look one up");
    sch_diagnostics_destroy(why);
    blocks.format = 65536 + format("R8_UNORM");
    assert_int_equal(sch_resource_create(context, &blocks, NULL, &resource), SCH_ERROR_ARGUMENT);
    /* Zeros count as one: a texture of one texel. */
    const struct shape zeros = {SCH_TARGET_2D_ARRAY_MSAA, 0, 0, 0, 0, 0, 0};
    resource = make(context, &zeros, format("R8_UNORM"));
    assert_int_equal(sch_resource_bytes(resource), 1);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* Whether docs/texture.md has the shape; sizes beyond the limits aside. */
static bool shape_is_right(const struct shape *s)
{
    bool cube = s->target == SCH_TARGET_CUBE || s->target == SCH_TARGET_CUBE_ARRAY;
    bool samples = s->target == SCH_TARGET_2D_MSAA || s->target == SCH_TARGET_2D_ARRAY_MSAA;
    bool flat = s->target == SCH_TARGET_BUFFER || s->target == SCH_TARGET_1D || s->target == SCH_TARGET_1D_ARRAY;
    bool array = s->target == SCH_TARGET_1D_ARRAY || s->target == SCH_TARGET_2D_ARRAY ||
                 s->target == SCH_TARGET_2D_ARRAY_MSAA || s->target == SCH_TARGET_CUBE_ARRAY;
    uint32_t most = s->width > s->height ? s->width : s->height, levels = 0;
    if (s->depth > most) most = s->depth;
    while (most) {
        levels++;
        most /= 2;
    }
    if (samples || s->target == SCH_TARGET_RECT || s->target == SCH_TARGET_BUFFER) levels = 1;
    if (flat && s->height != 1) return false;
    if (s->target != SCH_TARGET_3D && s->depth != 1) return false;
    if (cube && (s->width != s->height || s->layers % 6)) return false;
    if (s->target == SCH_TARGET_CUBE && s->layers != 6) return false;
    if (!cube && !array && s->layers != 1) return false;
    if (!samples && s->samples != 1) return false;
    if (s->samples != 1 && s->samples != 2 && s->samples != 4 && s->samples != 8 && s->samples != 16) return false;
    return s->levels <= levels;
}

static bool size_is_right(const struct shape *s)
{
    uint32_t most = s->target == SCH_TARGET_BUFFER ? 134217728 : 16384;
    return s->width <= most && s->height <= 16384 && s->depth <= 16384 && s->layers <= 2048;
}

struct recorder {
    size_t bytes; /* of the last large request, which fails */
};

static void *record_large(void *user, size_t bytes)
{
    struct recorder *recorder = user;
    if (bytes < 4096) return malloc(bytes);
    recorder->bytes = bytes;
    return NULL;
}

static void free_small(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static uint32_t random_count(unsigned most)
{
    switch (random_word() % 8) {
    case 0:
        return most;
    case 1:
        return most + 1 + random_word() % 3;
    case 2:
        return 1u << random_word() % 32;
    case 3:
        return UINT32_MAX - random_word() % 3;
    default:
        return 1 + random_word() % 18;
    }
}

/* Between the samples of a layer that would be whole pages apart; texels have 16 bytes. */
static size_t gaps_of(const struct shape *s)
{
    if (s->samples == 1 || (size_t)s->width * s->height * 16 % 4096) return 0;
    return (size_t)512 * s->layers * s->samples;
}

/* Such samples, which no count of bytes shows. */
static void samples_of_whole_pages(void **state)
{
    (void)state;
    enum { SLICE = 4096, SLICES = 12 };
    static const struct shape shape = {SCH_TARGET_2D_ARRAY_MSAA, 32, 32, 1, 3, 1, 4};
    static uint8_t all[SLICES * SLICE], again[SLICES * SLICE];
    struct sch_context *context = make_context(0, NULL);
    struct sch_resource *resource = make(context, &shape, format("R16G16_SNORM"));
    const struct sch_texture_level *level = &sch_texture_of(resource->texture)->level[0];
    assert_int_equal(sch_resource_bytes(resource), sizeof all);
    assert_int_equal(level->slice_bytes, SLICE + 512);
    for (size_t b = 0; b < sizeof all; b++) all[b] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write_all(resource, all, sizeof all), SCH_OK);
    for (size_t n = 0; n < SLICES; n++)
        assert_memory_equal(level->texels + n * level->slice_bytes, all + n * SLICE, SLICE);
    assert_int_equal(sch_resource_read_all(resource, again, sizeof again), SCH_OK);
    assert_memory_equal(all, again, sizeof all);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* Random shapes, most of them hostile, against the rules above; the memory asked for is exactly that of the texels and
 * gaps, and of many texels what brings them to a large page. */
static void asks_for_exact_memory(void **state)
{
    (void)state;
    struct recorder recorder;
    struct sch_allocator memory = {record_large, free_small, &recorder};
    struct sch_context *context = make_context(SIZE_MAX, &memory);
    unsigned right = 0, large = 0, wrong = 0, beyond = 0;
    const size_t page = 2 << 20;
    for (unsigned i = 0; i < 60000; i++) {
        struct shape s = shapes[random_word() % COUNT(shapes)];
        uint32_t *counts[6] = {&s.width, &s.height, &s.depth, &s.layers, &s.levels, &s.samples};
        static const unsigned most[6] = {16384, 16384, 16384, 2048, 15, 16};
        for (unsigned c = 0; c < 6; c++)
            if (random_word() % 3 == 0) *counts[c] = random_count(most[c]);
        if (random_word() % 2) s.height = s.width;
        struct sch_resource_options options = options_of(&s, format("R32G32B32A32_UINT"));
        struct sch_resource *resource = NULL;
        recorder.bytes = 0;
        enum sch_result result = sch_resource_create(context, &options, NULL, &resource);
        if (shape_is_right(&s) && size_is_right(&s)) {
            size_t bytes = place_of(&s, s.levels, 0, 1, 16), need = bytes + gaps_of(&s);
            assert_int_equal(result, resource ? SCH_OK : SCH_ERROR_MEMORY);
            if (resource)
                assert_int_equal(sch_resource_bytes(resource), bytes);
            else
                assert_true(recorder.bytes > need && recorder.bytes - need < 1024 + (need < page ? 0 : page));
            right++;
            large += bytes > UINT32_MAX;
        } else if (!size_is_right(&s)) {
            assert_true(result == SCH_ERROR_LIMIT || (result == SCH_ERROR_INVALID && !shape_is_right(&s)));
            beyond++;
        } else {
            assert_int_equal(result, SCH_ERROR_INVALID);
            wrong++;
        }
        if (result != SCH_OK) assert_null(resource);
        sch_resource_destroy(resource);
    }
    print_message("# shapes: %u right (%u over 4 GiB), %u wrong, %u beyond the limits\n", right, large, wrong, beyond);
    assert_true(right > 3000 && large > 100 && wrong > 3000 && beyond > 3000);
    sch_context_destroy(context);

    /* The largest there is, 2^47 bytes and gaps, one byte under and at the limit. */
    const struct shape largest = {SCH_TARGET_2D_ARRAY_MSAA, 16384, 16384, 1, 2048, 1, 16};
    for (unsigned under = 0; under < 2; under++) {
        context = make_context(((size_t)1 << 47) + gaps_of(&largest) - under, &memory);
        struct sch_resource_options options = options_of(&largest, format("R32G32B32A32_UINT"));
        struct sch_resource *resource = NULL;
        assert_int_equal(sch_resource_create(context, &options, NULL, &resource),
                         under ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY);
        sch_context_destroy(context);
    }
}

/* ---- views ---- */

/* The levels, sizes and first texels of a view, against places in the resource's memory. */
static void check_view(const struct view_case *c, const struct sch_view *view)
{
    const struct shape *shape = &shapes[c->shape];
    struct sch_texture whole;
    whole = *sch_texture_of(view->texture);
    const uint8_t *base = whole.level[0].texels;
    assert_int_equal(view->descriptor.levels, c->levels);
    assert_int_equal(view->descriptor.layers, c->layers);
    assert_int_equal(view->descriptor.samples, shape->samples);
    assert_int_equal(view->exec.target, c->target == -1 ? shape->target : c->target);
    assert_ptr_equal(view->exec.texture, &view->descriptor);
    for (uint32_t i = 0; i < c->levels; i++) {
        const struct sch_texture_level *level = &view->descriptor.level[i];
        uint32_t from = c->first_level + i;
        uint32_t width = halved(shape->width, from);
        if (c->shape == BUFFER) width = c->element_count ? c->element_count : width - c->first_element;
        size_t at = place_of(shape, from, c->first_layer * shape->samples, 1, 4) + 4 * c->first_element;
        assert_int_equal(level->width, width);
        assert_int_equal(level->height, halved(shape->height, from));
        assert_int_equal(level->depth, halved(shape->depth, from));
        assert_int_equal(level->row_bytes, 4 * width);
        assert_int_equal(level->slice_bytes, (uint64_t)4 * width * level->height);
        assert_ptr_equal(level->texels, base + at);
    }
}

static void views_show_ranges(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(view_cases); i++) {
        const struct view_case *c = &view_cases[i];
        struct sch_resource *resource = make(context, &shapes[c->shape], format("R8G8B8A8_UNORM"));
        struct sch_view_options options = view_options(c);
        struct sch_view *view = (void *)resource;
        enum sch_result result = sch_view_create(resource, &options, &view);
        if (result != (c->levels ? SCH_OK : SCH_ERROR_ARGUMENT)) fail_msg("case %zu: %s", i, sch_result_text(result));
        assert_int_equal(view != NULL, c->levels != 0);
        sch_resource_destroy(resource); /* the view keeps the texels */
        if (view) check_view(c, view);
        sch_view_destroy(view);
    }

    struct sch_resource *resource = make(context, &shapes[D2], format("R8G8B8A8_UNORM"));
    struct sch_view *view = NULL;
    static const float clamps[] = {0, 0.5f, 127.99f, -0.5f, 128, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < COUNT(clamps); i++) {
        struct sch_view_options options = {.size = sizeof options, .min_lod = clamps[i]};
        assert_int_equal(sch_view_create(resource, &options, &view), i < 3 ? SCH_OK : SCH_ERROR_ARGUMENT);
        if (view) assert_true(view->descriptor.min_lod == clamps[i]);
        sch_view_destroy(view);
    }
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* Two elements of a subsampled format share a block, which a view cannot begin inside of. */
static void views_begin_at_blocks(void **state)
{
    (void)state;
    static const char *const names[] = {"R8G8_B8G8_UNORM", "G8R8_G8B8_UNORM", "UYVY", "YUYV"};
    struct sch_context *context = make_context(0, NULL);
    const struct shape shape = {SCH_TARGET_BUFFER, 10, 1, 1, 1, 1, 1};
    for (size_t n = 0; n < COUNT(names); n++) {
        struct sch_resource *resource = make(context, &shape, format(names[n]));
        for (uint32_t first = 0; first <= 10; first++) {
            struct sch_view_options options = {.size = sizeof options, .first_element = first};
            struct sch_view *view = NULL, *whole = NULL;
            bool right = first % 2 == 0 && first < 10;
            enum sch_result result = sch_view_create(resource, &options, &view);
            assert_int_equal(result, right ? SCH_OK : SCH_ERROR_ARGUMENT);
            if (!right) continue;
            assert_int_equal(sch_view_create(resource, NULL, &whole), SCH_OK);
            assert_int_equal(view->descriptor.level[0].texels - whole->descriptor.level[0].texels, 2 * first);
            assert_int_equal(view->descriptor.level[0].width, 10 - first);
            sch_view_destroy(whole);
            sch_view_destroy(view);
        }
        sch_resource_destroy(resource);
    }
    sch_context_destroy(context);
}

/* Bits of a block and its width, from the rows of the format list. */
static const struct {
    int number;
    unsigned block_width, block_height;
    const char *channels;
} listed[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space) {number, width, height, channels},
#include "isa/formats.def"
#undef FORMAT
};

static unsigned listed_bits(size_t row)
{
    unsigned bits = 0;
    for (const char *c = listed[row].channels; *c;) {
        unsigned number = 0;
        while (*c && (*c < '0' || *c > '9')) c++;
        for (; *c >= '0' && *c <= '9'; c++) number = 10 * number + (unsigned)(*c - '0');
        bits += number;
    }
    return bits;
}

/* Every format that is read as every other one: exactly those of the same bytes a block. */
static void views_cast_formats(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    unsigned allowed = 0, refused = 0;
    const struct shape shape = {SCH_TARGET_2D, 3, 1, 1, 1, 1, 1};
    for (size_t from = 0; from < COUNT(listed); from++) {
        if (!sch_texture_block_bytes((unsigned)listed[from].number)) continue;
        assert_int_equal(8 * sch_texture_block_bytes((unsigned)listed[from].number), listed_bits(from));
        struct sch_resource *resource = make(context, &shape, listed[from].number);
        for (size_t to = 0; to < COUNT(listed); to++) {
            if (!listed[to].number) continue;
            bool right = sch_texture_block_bytes((unsigned)listed[to].number) && listed_bits(from) == listed_bits(to) &&
                         listed[from].block_width == listed[to].block_width &&
                         listed[from].block_height == listed[to].block_height;
            struct sch_view_options options = {.size = sizeof options, .format = listed[to].number};
            struct sch_view *view = NULL;
            enum sch_result result = sch_view_create(resource, &options, &view);
            if (result != (right ? SCH_OK : SCH_ERROR_ARGUMENT))
                fail_msg("format %d as %d: %s", listed[from].number, listed[to].number, sch_result_text(result));
            if (view) assert_int_equal(view->exec.format, listed[to].number);
            allowed += right;
            refused += !right;
            sch_view_destroy(view);
        }
        struct sch_view_options none = {.size = sizeof none, .format = -1};
        struct sch_view *view = NULL;
        assert_int_equal(sch_view_create(resource, &none, &view), SCH_ERROR_ARGUMENT);
        none.format = 65536 + listed[from].number;
        assert_int_equal(sch_view_create(resource, &none, &view), SCH_ERROR_ARGUMENT);
        sch_resource_destroy(resource);
    }
    print_message("# casts: %u allowed, %u refused\n", allowed, refused);
    assert_true(allowed > 10000 && refused > 10000);
    sch_context_destroy(context);
}

/* ---- images ---- */

static void images_show_one_level(void **state)
{
    (void)state;
    static const struct {
        size_t shape;
        int target;
        uint32_t level, first_layer, layer_count;
        uint32_t layers, depth; /* expected; 0: ARGUMENT */
    } cases[] = {
        {BUFFER, -1, 0, 0, 0, 1, 1},
        {D1, -1, 3, 0, 0, 1, 1},
        {D1, -1, 4, 0, 0, 0, 0},
        {D1, -1, UINT32_MAX, 0, 0, 0, 0},
        {D2, -1, 1, 0, 1, 1, 1},
        {D2, -1, 1, 0, 2, 0, 0},
        {D2, SCH_TARGET_RECT, 2, 0, 0, 1, 1},
        {D2, SCH_TARGET_3D, 0, 0, 0, 0, 0},
        {D3, -1, 1, 0, 0, 1, 5},
        {D3, -1, 0, 4, 0, 1, 7},
        {D3, -1, 0, 4, 3, 1, 3},
        {D3, -1, 0, 11, 0, 0, 0},
        {D3, -1, 1, 4, 2, 0, 0},
        {D3, SCH_TARGET_2D, 0, 4, 0, 1, 1}, /* a slice */
        {D3, SCH_TARGET_2D, 1, 3, 1, 1, 1},
        {D3, SCH_TARGET_2D, 0, 4, 2, 0, 0},
        {D3, SCH_TARGET_2D, 1, 5, 0, 0, 0},
        {D3, SCH_TARGET_2D_ARRAY, 0, 4, 2, 0, 0},
        {CUBE, -1, 2, 0, 0, 6, 1},
        {CUBE, SCH_TARGET_2D_ARRAY, 2, 1, 0, 5, 1},
        {CUBE, SCH_TARGET_2D, 2, 5, 0, 1, 1},
        {D1_ARRAY, -1, 2, 1, 3, 3, 1},
        {D2_ARRAY, -1, 1, 0, 0, 13, 1},
        {MSAA, -1, 0, 0, 0, 1, 1},
        {MSAA_ARRAY, -1, 0, 2, 5, 5, 1},
        {CUBE_ARRAY, -1, 1, 6, 12, 12, 1},
        {CUBE_ARRAY, -1, 1, 6, 11, 0, 0},
    };
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct shape *shape = &shapes[cases[i].shape];
        struct sch_resource *resource = make(context, shape, format("R32_UINT"));
        struct sch_texture whole;
        whole = *sch_texture_of(resource->texture);
        struct sch_image_options options = {.size = sizeof options,
                                            .has_target = cases[i].target != -1,
                                            .target = (enum sch_target)(cases[i].target & 31),
                                            .format = i % 2 ? format("R32_FLOAT") : 0,
                                            .level = cases[i].level,
                                            .first_layer = cases[i].first_layer,
                                            .layer_count = cases[i].layer_count,
                                            .read_only = i % 3 == 0};
        struct sch_image *image = (void *)resource;
        enum sch_result result = sch_image_create(resource, &options, &image);
        if (result != (cases[i].layers ? SCH_OK : SCH_ERROR_ARGUMENT))
            fail_msg("case %zu: %s", i, sch_result_text(result));
        sch_resource_destroy(resource); /* the image keeps the texels */
        if (!image) continue;
        const struct sch_texture_level *level = &image->descriptor.level[0];
        size_t slice = (size_t)cases[i].first_layer * shape->samples;
        assert_int_equal(image->descriptor.levels, 1);
        assert_int_equal(image->descriptor.layers, cases[i].layers);
        assert_int_equal(image->descriptor.samples, shape->samples);
        assert_int_equal(level->width, halved(shape->width, cases[i].level));
        assert_int_equal(level->height, halved(shape->height, cases[i].level));
        assert_int_equal(level->depth, cases[i].depth);
        assert_ptr_equal(level->texels, whole.level[0].texels + place_of(shape, cases[i].level, slice, 1, 4));
        assert_int_equal(image->exec.target, cases[i].target == -1 ? shape->target : cases[i].target);
        assert_int_equal(image->exec.format, format(i % 2 ? "R32_FLOAT" : "R32_UINT"));
        assert_int_equal(image->exec.writable, i % 3 != 0);
        sch_image_destroy(image);
    }

    /* Depth and subsampled texels are not stored to. */
    static const char *const read_only[] = {"Z32_FLOAT", "YUYV", "S8_UINT"};
    for (size_t i = 0; i < COUNT(read_only); i++) {
        struct sch_resource *resource = make(context, &shapes[D2], format(read_only[i]));
        struct sch_image_options options = {.size = sizeof options};
        struct sch_image *image = NULL;
        assert_int_equal(sch_image_create(resource, &options, &image), SCH_ERROR_UNSUPPORTED);
        assert_int_equal(sch_image_create(resource, NULL, &image), SCH_ERROR_UNSUPPORTED);
        assert_null(image);
        options.read_only = true;
        assert_int_equal(sch_image_create(resource, &options, &image), SCH_OK);
        sch_image_destroy(image);
        sch_resource_destroy(resource);
    }
    sch_context_destroy(context);
}

/* Memory of any size that takes little: one piece, mapped again and again. */
struct folded {
    void *memory;
    size_t bytes;
};

static void *fold(void *user, size_t bytes)
{
    struct folded *folded = user;
    const size_t piece = (size_t)1 << 24;
    if (bytes < piece) return malloc(bytes);
    FILE *file = tmpfile();
    folded->bytes = (bytes + piece - 1) / piece * piece;
    folded->memory = mmap(NULL, folded->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(file && folded->memory != MAP_FAILED);
    assert_int_equal(ftruncate(fileno(file), (off_t)piece), 0);
    for (size_t at = 0; at < folded->bytes; at += piece) {
        char *to = (char *)folded->memory + at;
        assert_ptr_equal(mmap(to, piece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fileno(file), 0), to);
    }
    fclose(file);
    return folded->memory;
}

static void unfold(void *user, void *memory)
{
    struct folded *folded = user;
    if (memory == folded->memory)
        munmap(memory, folded->bytes);
    else
        free(memory);
}

/* 2^32 texels: a texture, but no image; an image of one layer less. In the build without sanitizers, as a million pages
 * are mapped, which takes half a minute with them. */
static void counts_texels_of_images(void **state)
{
    (void)state;
    if (SANITIZED && !getenv("SCH_LONG")) skip();
    struct folded folded = {0};
    struct sch_allocator memory = {fold, unfold, &folded};
    struct sch_context *context = make_context((size_t)1 << 33, &memory);
    const struct shape shape = {SCH_TARGET_2D_ARRAY, 16384, 16384, 1, 16, 1, 1};
    struct sch_resource *resource = make(context, &shape, format("R8_UNORM"));
    assert_true(sch_resource_bytes(resource) == (size_t)1 << 32);
    struct sch_image_options options = {.size = sizeof options};
    struct sch_image *image = NULL;
    assert_int_equal(sch_image_create(resource, &options, &image), SCH_ERROR_LIMIT);
    assert_null(image);
    options.first_layer = 1;
    assert_int_equal(sch_image_create(resource, &options, &image), SCH_OK);
    sch_image_destroy(image);

    struct sch_view_options last = {.size = sizeof last, .first_layer = 15};
    struct sch_view *view = NULL;
    struct sch_texture whole;
    assert_int_equal(sch_view_create(resource, &last, &view), SCH_OK);
    whole = *sch_texture_of(resource->texture);
    assert_true((size_t)(view->descriptor.level[0].texels - whole.level[0].texels) == (size_t)15 << 28);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_target),
        cmocka_unit_test(counts_of_zero_hold_nothing),
        cmocka_unit_test(formats_that_are_not_read_have_no_blocks),
        cmocka_unit_test(refuses_shapes),
        cmocka_unit_test(samples_of_whole_pages),
        cmocka_unit_test(asks_for_exact_memory),
        cmocka_unit_test(views_show_ranges),
        cmocka_unit_test(views_cast_formats),
        cmocka_unit_test(views_begin_at_blocks),
        cmocka_unit_test(images_show_one_level),
        cmocka_unit_test(counts_texels_of_images),
    };
    return cmocka_run_group_tests_name("resources", tests, NULL, NULL);
}
