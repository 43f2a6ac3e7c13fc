/* Resources, views and images from outside: which shapes there are, where their texels stand, what ranges and
 * formats views take, and questions without a shader. The expectations are computed here from docs/texture.md. What
 * lookups answer is tested elsewhere. */
#include "resource_support.h"

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
        {{SCH_TEXTURE_BUFFER, 4, 2, 1, 1, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_BUFFER, 4, 1, 1, 1, 2, 1}, INVALID, 6003},
        {{SCH_TEXTURE_BUFFER, (1 << 27) + 1, 1, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_BUFFER, most, 1, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_1D, 4, 2, 1, 1, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_1D, 4, 1, 1, 2, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_1D, 4, 1, 1, 1, 4, 1}, INVALID, 6003},
        {{SCH_TEXTURE_1D, 16385, 1, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_2D, 4, 4, 2, 1, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_2D, 4, 4, 1, 6, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_2D, 4, 4, 1, 1, 1, 2}, INVALID, 6003},
        {{SCH_TEXTURE_2D, 4, 16385, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_2D, most, most, 1, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_2D, most, most, most, most, most, most}, INVALID, 6003},
        {{SCH_TEXTURE_2D, 4, 4, 1, 1, most, 1}, INVALID, 6003},
        {{SCH_TEXTURE_3D, 4, 4, 4, 2, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_3D, 4, 4, 4, 1, 4, 1}, INVALID, 6003},
        {{SCH_TEXTURE_3D, 4, 4, 16385, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_3D, 65536, 65536, 65536, 1, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_3D, 4, 4, 4, 1, 1, 4}, INVALID, 6003},
        {{SCH_TEXTURE_CUBE, 4, 4, 1, 1, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_CUBE, 4, 4, 1, 12, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_CUBE, 4, 5, 1, 6, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_CUBE, 16385, 16385, 1, 6, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_RECT, 4, 4, 1, 1, 2, 1}, INVALID, 6003},
        {{SCH_TEXTURE_1D_ARRAY, 4, 2, 1, 3, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_1D_ARRAY, 4, 1, 1, 2049, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_2D_ARRAY, 4, 4, 1, 2049, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_2D_ARRAY, 4, 4, 1, most, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_2D_ARRAY, 4, 4, 2, 4, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_2D_ARRAY, 4, 4, 1, 4, 1, 4}, INVALID, 6003},
        {{SCH_TEXTURE_2D_MSAA, 4, 4, 1, 1, 2, 4}, INVALID, 6003},
        {{SCH_TEXTURE_2D_MSAA, 4, 4, 1, 2, 1, 4}, INVALID, 6003},
        {{SCH_TEXTURE_2D_MSAA, 4, 4, 1, 1, 1, 3}, INVALID, 6003},
        {{SCH_TEXTURE_2D_MSAA, 4, 4, 1, 1, 1, 32}, INVALID, 6003},
        {{SCH_TEXTURE_2D_ARRAY_MSAA, 4, 4, 1, 2, 1, 1u << 31}, INVALID, 6003},
        {{SCH_TEXTURE_CUBE_ARRAY, 4, 4, 1, 7, 1, 1}, INVALID, 6003},
        {{SCH_TEXTURE_CUBE_ARRAY, 4, 4, 1, 2052, 1, 1}, LIMIT, 6002},
        {{SCH_TEXTURE_CUBE_ARRAY, 4, 3, 1, 12, 1, 1}, INVALID, 6003},
        {{7 /* SHADOW2D */, 4, 4, 1, 1, 1, 1}, INVALID, 6000},
        {{18 /* UNKNOWN */, 4, 4, 1, 1, 1, 1}, INVALID, 6000},
        {{19, 4, 4, 1, 1, 1, 1}, SCH_ERROR_ARGUMENT, 0},
        {{-1, 4, 4, 1, 1, 1, 1}, SCH_ERROR_ARGUMENT, 0},
        {{258, 4, 4, 1, 1, 1, 1}, SCH_ERROR_ARGUMENT, 0}, /* 2D in its low byte */
        {{SCH_TEXTURE_2D_ARRAY, 2048, 2048, 1, 64, 1, 1}, LIMIT, 6004},
    };
    struct sch_context *context = make_context(((size_t)1 << 30) - 1, NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_resource_options options = options_of(&cases[i].shape, format("R8G8B8A8_UNORM"));
        struct sch_diagnostics_list *list;
        struct sch_diagnostic_view view = {.code = 0};
        struct sch_resource *resource = (void *)&options;
        assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
        enum sch_result result = sch_resource_create(context, &options, list, &resource);
        if (result != cases[i].result) fail_msg("case %zu: %s", i, sch_result_text(result));
        assert_null(resource);
        assert_int_equal(sch_diagnostics_get(list, 0, &view), cases[i].code != 0);
        assert_int_equal(view.code, cases[i].code);
        sch_diagnostics_destroy(list);
    }
    struct sch_resource_options blocks = options_of(&shapes[2], format("DXT1_RGB"));
    struct sch_resource *resource = NULL;
    assert_int_equal(sch_resource_create(context, &blocks, NULL, &resource), SCH_ERROR_UNSUPPORTED);
    blocks.format = 65536 + format("R8_UNORM");
    assert_int_equal(sch_resource_create(context, &blocks, NULL, &resource), SCH_ERROR_ARGUMENT);
    /* Zeros count as one: a texture of one texel. */
    const struct shape zeros = {SCH_TEXTURE_2D_ARRAY_MSAA, 0, 0, 0, 0, 0, 0};
    resource = make(context, &zeros, format("R8_UNORM"));
    assert_int_equal(sch_resource_bytes(resource), 1);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* Whether docs/texture.md has the shape; sizes beyond the limits aside. */
static bool shape_is_right(const struct shape *s)
{
    bool cube = s->target == SCH_TEXTURE_CUBE || s->target == SCH_TEXTURE_CUBE_ARRAY;
    bool samples = s->target == SCH_TEXTURE_2D_MSAA || s->target == SCH_TEXTURE_2D_ARRAY_MSAA;
    bool flat = s->target == SCH_TEXTURE_BUFFER || s->target == SCH_TEXTURE_1D || s->target == SCH_TEXTURE_1D_ARRAY;
    bool array = s->target == SCH_TEXTURE_1D_ARRAY || s->target == SCH_TEXTURE_2D_ARRAY ||
                 s->target == SCH_TEXTURE_2D_ARRAY_MSAA || s->target == SCH_TEXTURE_CUBE_ARRAY;
    uint32_t most = s->width > s->height ? s->width : s->height, levels = 0;
    if (s->depth > most) most = s->depth;
    while (most) {
        levels++;
        most /= 2;
    }
    if (samples || s->target == SCH_TEXTURE_RECT || s->target == SCH_TEXTURE_BUFFER) levels = 1;
    if (flat && s->height != 1) return false;
    if (s->target != SCH_TEXTURE_3D && s->depth != 1) return false;
    if (cube && (s->width != s->height || s->layers % 6)) return false;
    if (s->target == SCH_TEXTURE_CUBE && s->layers != 6) return false;
    if (!cube && !array && s->layers != 1) return false;
    if (!samples && s->samples != 1) return false;
    if (s->samples != 1 && s->samples != 2 && s->samples != 4 && s->samples != 8 && s->samples != 16) return false;
    return s->levels <= levels;
}

static bool size_is_right(const struct shape *s)
{
    uint32_t most = s->target == SCH_TEXTURE_BUFFER ? 134217728 : 16384;
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

/* Random shapes, most of them hostile, against the rules above; the memory asked for is exactly that of the texels. */
static void asks_for_exact_memory(void **state)
{
    (void)state;
    struct recorder recorder;
    struct sch_memory_callbacks memory = {record_large, free_small, &recorder};
    struct sch_context *context = make_context(SIZE_MAX, &memory);
    unsigned right = 0, large = 0, wrong = 0, beyond = 0;
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
            size_t bytes = place_of(&s, s.levels, 0, 1, 16);
            assert_int_equal(result, resource ? SCH_OK : SCH_ERROR_MEMORY);
            if (resource)
                assert_int_equal(sch_resource_bytes(resource), bytes);
            else
                assert_true(recorder.bytes > bytes && recorder.bytes - bytes < 1024);
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

    /* The largest there is, 2^47 bytes, one byte under and at the limit. */
    const struct shape largest = {SCH_TEXTURE_2D_ARRAY_MSAA, 16384, 16384, 1, 2048, 1, 16};
    for (unsigned under = 0; under < 2; under++) {
        context = make_context(((size_t)1 << 47) - under, &memory);
        struct sch_resource_options options = options_of(&largest, format("R32G32B32A32_UINT"));
        struct sch_resource *resource = NULL;
        assert_int_equal(sch_resource_create(context, &options, NULL, &resource),
                         under ? SCH_ERROR_LIMIT : SCH_ERROR_MEMORY);
        sch_context_destroy(context);
    }
}

/* ---- layout ---- */

static void writes_where_it_should(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t block_width;
        size_t block_bytes;
    } formats[] = {{"R8G8B8_UNORM", 1, 3}, {"R8G8_B8G8_UNORM", 2, 4}};
    struct sch_context *context = make_context(0, NULL);
    for (size_t n = 0; n < COUNT(shapes) * COUNT(formats); n++) {
        const struct shape *shape = &shapes[n / COUNT(formats)];
        uint32_t block_width = formats[n % COUNT(formats)].block_width;
        size_t block_bytes = formats[n % COUNT(formats)].block_bytes;
        struct sch_resource *resource = make(context, shape, format(formats[n % COUNT(formats)].name));
        size_t bytes = sch_resource_bytes(resource);
        uint8_t *expected = calloc(1, bytes), *all = malloc(bytes);
        assert_true(expected && all);
        for (uint32_t level = 0; level < shape->levels; level++) {
            size_t row = (halved(shape->width, level) + block_width - 1) / block_width * block_bytes;
            uint32_t rows = halved(shape->height, level);
            uint32_t slices = (uint32_t)slices_of(shape, level);
            uint8_t *data = malloc((row + 5) * rows);
            assert_non_null(data);
            for (uint32_t slice = 0; slice < slices; slice++) {
                for (size_t b = 0; b < (row + 5) * rows; b++) data[b] = (uint8_t)random_word();
                size_t at = place_of(shape, level, slice, block_width, block_bytes);
                for (uint32_t y = 0; y < rows; y++) memcpy(expected + at + y * row, data + y * (row + 5), row);
                assert_int_equal(sch_resource_write(resource, level, slice, data, row + 5, rows), SCH_OK);
            }
            assert_int_equal(sch_resource_write(resource, level, slices, data, row, rows), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_write(resource, level, UINT32_MAX, data, row, rows), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_write(resource, level, 0, data, row - 1, rows), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_write(resource, level, 0, data, row, rows + 1), SCH_ERROR_ARGUMENT);
            assert_int_equal(sch_resource_write(resource, level, 0, data, row, rows - 1), SCH_ERROR_ARGUMENT);
            free(data);
        }
        assert_int_equal(sch_resource_write(resource, shape->levels, 0, expected, bytes, 1), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_resource_write(resource, UINT32_MAX, 0, expected, bytes, 1), SCH_ERROR_ARGUMENT);
        assert_int_equal(sch_resource_read_all(resource, all, bytes), SCH_OK);
        assert_memory_equal(all, expected, bytes);
        free(all);
        free(expected);
        sch_resource_destroy(resource);
    }
    sch_context_destroy(context);
}

/* ---- views ---- */

struct view_case {
    size_t shape; /* of shapes[] */
    int target;   /* -1: the resource's */
    uint32_t first_level, level_count, first_layer, layer_count, first_element, element_count;
    uint32_t levels, layers; /* expected; 0 levels: ARGUMENT */
};

static const struct view_case view_cases[] = {
    {BUFFER, -1, 0, 0, 0, 0, 0, 0, 1, 1},
    {BUFFER, -1, 0, 0, 0, 0, 36, 0, 1, 1},
    {BUFFER, -1, 0, 1, 0, 1, 5, 32, 1, 1},
    {BUFFER, -1, 0, 0, 0, 0, 37, 0, 0, 0},
    {BUFFER, -1, 0, 0, 0, 0, 5, 33, 0, 0},
    {BUFFER, -1, 0, 0, 0, 0, 5, UINT32_MAX, 0, 0},
    {BUFFER, -1, 0, 0, 0, 0, UINT32_MAX, 2, 0, 0},
    {BUFFER, SCH_TEXTURE_1D, 0, 0, 0, 0, 0, 0, 0, 0},
    {D1, -1, 1, 2, 0, 0, 0, 0, 2, 1},
    {D1, SCH_TEXTURE_1D_ARRAY, 3, 0, 0, 0, 0, 0, 1, 1},
    {D1, -1, 4, 0, 0, 0, 0, 0, 0, 0},
    {D1, -1, 1, 4, 0, 0, 0, 0, 0, 0},
    {D1, -1, 1, UINT32_MAX, 0, 0, 0, 0, 0, 0},
    {D1, -1, 0, 0, 1, 0, 0, 0, 0, 0},
    {D1, -1, 0, 0, 0, 0, 1, 0, 0, 0},
    {D1, SCH_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, -1, 0, 0, 0, 0, 0, 0, 4, 1},
    {D2, SCH_TEXTURE_RECT, 2, 0, 0, 0, 0, 0, 1, 1},
    {D2, SCH_TEXTURE_RECT, 0, 2, 0, 0, 0, 0, 0, 0},
    {D2, SCH_TEXTURE_2D_ARRAY, 1, 0, 0, 1, 0, 0, 3, 1},
    {D2, SCH_TEXTURE_CUBE, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, SCH_TEXTURE_3D, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, SCH_TEXTURE_2D_MSAA, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, 7 /* SHADOW2D */, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, 18 /* UNKNOWN */, 0, 0, 0, 0, 0, 0, 0, 0},
    {D2, 258, 0, 0, 0, 0, 0, 0, 0, 0},
    {D3, -1, 2, 2, 0, 0, 0, 0, 2, 1},
    {D3, -1, 0, 0, 1, 1, 0, 0, 0, 0},
    {D3, -1, 0, 0, 0, 2, 0, 0, 0, 0},
    {CUBE, -1, 0, 0, 0, 0, 0, 0, 3, 6},
    {CUBE, -1, 1, 1, 0, 6, 0, 0, 1, 6},
    {CUBE, -1, 0, 0, 0, 5, 0, 0, 0, 0},
    {CUBE, -1, 0, 0, 1, 0, 0, 0, 0, 0},
    {CUBE, SCH_TEXTURE_2D, 0, 0, 4, 0, 0, 0, 3, 1},
    {CUBE, SCH_TEXTURE_2D_ARRAY, 0, 0, 2, 0, 0, 0, 3, 4},
    {CUBE, SCH_TEXTURE_CUBE_ARRAY, 0, 0, 0, 0, 0, 0, 3, 6},
    {RECT, SCH_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 1, 1},
    {D1_ARRAY, -1, 1, 0, 2, 2, 0, 0, 2, 2},
    {D1_ARRAY, SCH_TEXTURE_1D, 0, 0, 3, 0, 0, 0, 3, 1},
    {D1_ARRAY, SCH_TEXTURE_1D, 0, 0, 3, 2, 0, 0, 0, 0},
    {D1_ARRAY, -1, 0, 0, 5, 0, 0, 0, 0, 0},
    {D1_ARRAY, -1, 0, 0, 2, 4, 0, 0, 0, 0},
    {D1_ARRAY, -1, 0, 0, 2, UINT32_MAX - 1, 0, 0, 0, 0},
    {D2_ARRAY, -1, 1, 1, 12, 0, 0, 0, 1, 1},
    {D2_ARRAY, SCH_TEXTURE_CUBE, 0, 0, 0, 0, 0, 0, 0, 0}, /* 6 x 5 texels */
    {MSAA, -1, 0, 0, 0, 0, 0, 0, 1, 1},
    {MSAA, SCH_TEXTURE_2D_ARRAY_MSAA, 0, 0, 0, 0, 0, 0, 1, 1},
    {MSAA, SCH_TEXTURE_2D, 0, 0, 0, 0, 0, 0, 0, 0},
    {MSAA_ARRAY, -1, 0, 0, 3, 2, 0, 0, 1, 2},
    {MSAA_ARRAY, SCH_TEXTURE_2D_MSAA, 0, 0, 6, 0, 0, 0, 1, 1},
    {CUBE_ARRAY, -1, 1, 0, 6, 0, 0, 0, 2, 12},
    {CUBE_ARRAY, -1, 0, 0, 3, 6, 0, 0, 3, 6}, /* cubes may begin at any layer */
    {CUBE_ARRAY, -1, 0, 0, 3, 0, 0, 0, 0, 0},
    {CUBE_ARRAY, SCH_TEXTURE_CUBE, 0, 0, 12, 0, 0, 0, 3, 6},
    {CUBE_ARRAY, SCH_TEXTURE_CUBE, 0, 0, 13, 0, 0, 0, 0, 0},
    {CUBE_ARRAY, SCH_TEXTURE_CUBE, 0, 0, 0, 12, 0, 0, 0, 0},
    {CUBE_ARRAY, SCH_TEXTURE_2D_ARRAY, 2, 0, 17, 0, 0, 0, 1, 1},
};

static struct sch_view_options view_options(const struct view_case *c)
{
    return (struct sch_view_options){.size = sizeof(struct sch_view_options),
                                     .has_target = c->target != -1,
                                     .target = (enum sch_texture_target)(c->target == -1 ? 0 : c->target),
                                     .first_level = c->first_level,
                                     .level_count = c->level_count,
                                     .first_layer = c->first_layer,
                                     .layer_count = c->layer_count,
                                     .first_element = c->first_element,
                                     .element_count = c->element_count};
}

/* The levels, sizes and first texels of a view, against places in the resource's memory. */
static void check_view(const struct view_case *c, const struct sch_view *view)
{
    const struct shape *shape = &shapes[c->shape];
    struct sch_texture whole;
    sch_texture_describe(view->texture, &whole);
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
    /* The struct of 0.1.0 ended before the target: what stood in its padding does not count. */
    struct sch_view_options old = {.size = offsetof(struct sch_view_options, target), .swizzle = {3, 2, 1, 5}};
    old.has_target = true;
    assert_int_equal(sch_view_create(resource, &old, &view), SCH_OK);
    assert_int_equal(view->exec.target, SCH_TEXTURE_2D);
    assert_memory_equal(view->exec.swizzle, old.swizzle, 4);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* Bits of a block and its width, from the rows of the format list. */
static const struct {
    int number;
    unsigned block_width;
    const char *channels;
} listed[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space) {number, width, channels},
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
    const struct shape shape = {SCH_TEXTURE_1D, 3, 1, 1, 1, 1, 1};
    for (size_t from = 0; from < COUNT(listed); from++) {
        if (!sch_texture_block_bytes((unsigned)listed[from].number)) continue;
        assert_int_equal(8 * sch_texture_block_bytes((unsigned)listed[from].number), listed_bits(from));
        struct sch_resource *resource = make(context, &shape, listed[from].number);
        for (size_t to = 0; to < COUNT(listed); to++) {
            if (!listed[to].number) continue;
            bool right = sch_texture_block_bytes((unsigned)listed[to].number) && listed_bits(from) == listed_bits(to) &&
                         listed[from].block_width == listed[to].block_width;
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
        {D2, SCH_TEXTURE_RECT, 2, 0, 0, 1, 1},
        {D2, SCH_TEXTURE_3D, 0, 0, 0, 0, 0},
        {D3, -1, 1, 0, 0, 1, 5},
        {D3, -1, 0, 4, 0, 1, 7},
        {D3, -1, 0, 4, 3, 1, 3},
        {D3, -1, 0, 11, 0, 0, 0},
        {D3, -1, 1, 4, 2, 0, 0},
        {CUBE, -1, 2, 0, 0, 6, 1},
        {CUBE, SCH_TEXTURE_2D_ARRAY, 2, 1, 0, 5, 1},
        {CUBE, SCH_TEXTURE_2D, 2, 5, 0, 1, 1},
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
        sch_texture_describe(resource->texture, &whole);
        struct sch_image_options options = {.size = sizeof options,
                                            .has_target = cases[i].target != -1,
                                            .target = (enum sch_texture_target)(cases[i].target & 31),
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

/* 2^32 texels: a texture, but no image; an image of one layer less. */
static void counts_texels_of_images(void **state)
{
    (void)state;
    struct folded folded = {0};
    struct sch_memory_callbacks memory = {fold, unfold, &folded};
    struct sch_context *context = make_context((size_t)1 << 33, &memory);
    const struct shape shape = {SCH_TEXTURE_2D_ARRAY, 16384, 16384, 1, 16, 1, 1};
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
    sch_texture_describe(resource->texture, &whole);
    assert_true((size_t)(view->descriptor.level[0].texels - whole.level[0].texels) == (size_t)15 << 28);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* ---- questions ---- */

/* A view of a resource in which each texel holds its place in memory, counted in words. */
static struct sch_view *numbered_view(struct sch_context *context, const struct view_case *c)
{
    struct sch_resource *resource = make(context, &shapes[c->shape], format("R32_UINT"));
    size_t bytes = sch_resource_bytes(resource);
    uint32_t *words = malloc(bytes);
    assert_non_null(words);
    for (size_t i = 0; i < bytes / 4; i++) words[i] = (uint32_t)i + 1;
    assert_int_equal(sch_resource_write_all(resource, words, bytes), SCH_OK);
    free(words);
    struct sch_view_options options = view_options(c);
    struct sch_view *view = NULL;
    assert_int_equal(sch_view_create(resource, &options, &view), SCH_OK);
    sch_resource_destroy(resource);
    return view;
}

struct target_shape {
    unsigned axes;
    bool layers, cubes, samples; /* a coordinate for the layer of a fetch; sizes count cubes; multisampled */
    bool array;
};

static struct target_shape target_shape(const struct view_case *c)
{
    switch (c->target == -1 ? shapes[c->shape].target : c->target) {
    case SCH_TEXTURE_BUFFER:
    case SCH_TEXTURE_1D:
        return (struct target_shape){.axes = 1};
    case SCH_TEXTURE_1D_ARRAY:
        return (struct target_shape){.axes = 1, .layers = true, .array = true};
    case SCH_TEXTURE_3D:
        return (struct target_shape){.axes = 3};
    case SCH_TEXTURE_CUBE:
        return (struct target_shape){.axes = 2, .layers = true, .cubes = true};
    case SCH_TEXTURE_2D_ARRAY:
        return (struct target_shape){.axes = 2, .layers = true, .array = true};
    case SCH_TEXTURE_CUBE_ARRAY:
        return (struct target_shape){.axes = 2, .layers = true, .cubes = true, .array = true};
    case SCH_TEXTURE_2D_MSAA:
        return (struct target_shape){.axes = 2, .samples = true};
    case SCH_TEXTURE_2D_ARRAY_MSAA:
        return (struct target_shape){.axes = 2, .layers = true, .samples = true, .array = true};
    default:
        return (struct target_shape){.axes = 2};
    }
}

/* A texel of the view, sometimes one past an edge, and what a fetch of it gives. */
static uint32_t random_fetch(const struct view_case *c, struct sch_question *question)
{
    const struct shape *shape = &shapes[c->shape];
    struct target_shape is = target_shape(c);
    uint32_t at[3] = {0}, size[3], level = random_word() % c->levels, layer = 0, sample = 0;
    bool outside = false;
    size[0] = c->shape == BUFFER && c->element_count ? c->element_count
                                                     : halved(shape->width, c->first_level + level) - c->first_element;
    size[1] = halved(shape->height, c->first_level + level);
    size[2] = halved(shape->depth, c->first_level + level);
    *question = (struct sch_question){.size = sizeof *question, .lookup = SCH_LOOKUP_FETCH, .level = level};
    for (unsigned i = 0; i < is.axes; i++) {
        at[i] = random_word() % (size[i] + (random_word() % 8 == 0));
        outside |= at[i] == size[i];
        question->offset[i] = random_word() % 2 ? (int32_t)(random_word() % 17) - 8 : 0;
        question->texel[i] = at[i] - (uint32_t)question->offset[i];
    }
    if (is.layers) {
        layer = random_word() % (c->layers + (random_word() % 8 == 0));
        outside |= layer == c->layers;
        question->texel[is.axes] = layer;
    }
    if (is.samples) {
        sample = random_word() % (shape->samples + (random_word() % 8 == 0));
        outside |= sample == shape->samples;
        question->sample = sample;
    }
    if (outside) return 0;
    size_t slice = is.axes == 3 ? at[2] : (size_t)(c->first_layer + layer) * shape->samples + sample;
    size_t row = halved(shape->width, c->first_level + level);
    size_t place = place_of(shape, c->first_level + level, slice, 1, 4) / 4 + at[1] * row + at[0] + c->first_element;
    return (uint32_t)place + 1;
}

/* Fetches of every view give the texel that stands there, and the defaults of the format beside it. */
static void fetches_find_their_texels(void **state)
{
    (void)state;
    enum { QUESTIONS = 100 };
    struct sch_context *context = make_context(0, NULL);
    unsigned inside = 0, outside = 0;
    for (size_t i = 0; i < COUNT(view_cases); i++) {
        if (!view_cases[i].levels) continue;
        struct sch_view *view = numbered_view(context, &view_cases[i]);
        struct sch_question questions[QUESTIONS];
        uint32_t answers[QUESTIONS][4], expected[QUESTIONS];
        for (unsigned n = 0; n < QUESTIONS; n++) {
            expected[n] = random_fetch(&view_cases[i], &questions[n]);
            inside += expected[n] != 0;
            outside += expected[n] == 0;
        }
        for (uint32_t width = 0; width <= 16; width = width ? 2 * width : 4) {
            assert_int_equal(sch_ask(view, NULL, questions, QUESTIONS, width, answers), SCH_OK);
            for (unsigned n = 0; n < QUESTIONS; n++)
                if (answers[n][0] != expected[n] || answers[n][1] || answers[n][2] ||
                    answers[n][3] != (expected[n] != 0))
                    fail_msg("view %zu, fetch %u, width %u: %u, not %u", i, n, width, answers[n][0], expected[n]);
        }
        sch_view_destroy(view);
    }
    print_message("# fetches: %u inside, %u outside\n", inside, outside);
    assert_true(inside > 1000 && outside > 200);
    sch_context_destroy(context);
}

static void sizes_of_every_view(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    for (size_t i = 0; i < COUNT(view_cases); i++) {
        const struct view_case *c = &view_cases[i];
        if (!c->levels) continue;
        struct sch_view *view = numbered_view(context, c);
        const struct shape *shape = &shapes[c->shape];
        struct target_shape is = target_shape(c);
        bool rect = view->exec.target == SCH_TEXTURE_RECT || view->exec.target == SCH_TEXTURE_BUFFER || is.samples;
        struct sch_question questions[6];
        uint32_t answers[6][4];
        for (uint32_t n = 0; n < 6; n++)
            questions[n] = (struct sch_question){.size = sizeof *questions,
                                                 .lookup = n < 5 ? SCH_LOOKUP_SIZE : SCH_LOOKUP_SAMPLES,
                                                 .level = n == 4 ? UINT32_MAX : n};
        assert_int_equal(sch_ask(view, NULL, questions, 6, 0, answers), SCH_OK);
        for (uint32_t n = 0; n < 5; n++) {
            uint32_t from = c->first_level + (rect ? 0 : n);
            uint32_t sizes[3] = {halved(shape->width, from), halved(shape->height, from), halved(shape->depth, from)};
            uint32_t expected[4] = {0, 0, 0, c->levels};
            if (c->shape == BUFFER) sizes[0] = c->element_count ? c->element_count : sizes[0] - c->first_element;
            bool there = rect || (n < 4 && n < c->levels);
            for (unsigned a = 0; there && a < is.axes; a++) expected[a] = sizes[a];
            if (there && is.array) expected[is.axes] = is.cubes ? c->layers / 6 : c->layers;
            assert_memory_equal(answers[n], expected, sizeof expected);
        }
        const uint32_t samples[4] = {shape->samples};
        assert_memory_equal(answers[5], samples, sizeof samples);
        sch_view_destroy(view);
    }
    sch_context_destroy(context);
}

/* Which targets have which lookups. */
static void refuses_questions(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    struct sch_sampler_options in_texels = {.size = sizeof in_texels, .unnormalized = true};
    struct sch_sampler *samplers[2] = {NULL};
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &samplers[0]), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &in_texels, NULL, &samplers[1]), SCH_OK);
    unsigned answered = 0, refused = 0;
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const struct view_case whole = {.shape = s, .target = -1};
        struct sch_view *view = numbered_view(context, &whole);
        int target = shapes[s].target;
        bool filtered =
            target != SCH_TEXTURE_BUFFER && target != SCH_TEXTURE_2D_MSAA && target != SCH_TEXTURE_2D_ARRAY_MSAA;
        bool solid = target == SCH_TEXTURE_3D;
        bool cube = target == SCH_TEXTURE_CUBE || target == SCH_TEXTURE_CUBE_ARRAY;
        bool line = target == SCH_TEXTURE_1D || target == SCH_TEXTURE_1D_ARRAY;
        for (int lookup = SCH_LOOKUP_SAMPLE; lookup <= SCH_LOOKUP_LOD; lookup++)
            for (unsigned n = 0; n < 4; n++) {
                bool number = lookup == SCH_LOOKUP_FETCH || lookup == SCH_LOOKUP_SIZE || lookup == SCH_LOOKUP_SAMPLES;
                bool compare = n & 1, texels = n & 2;
                bool right =
                    number || (filtered && !(lookup == SCH_LOOKUP_GATHER && (line || solid)) &&
                               !(compare && lookup != SCH_LOOKUP_LOD && solid) && !(texels && (solid || cube)));
                struct sch_question question = {
                    .size = sizeof question, .lookup = (enum sch_lookup)lookup, .compare = compare};
                uint32_t answer[4] = {7, 7, 7, 7};
                struct sch_explanation why = {.size = sizeof why};
                enum sch_result result = sch_ask(view, samplers[texels], &question, 1, 0, &answer);
                if (result != (right ? SCH_OK : SCH_ERROR_ARGUMENT))
                    fail_msg("target %d, lookup %d, %u: %s", target, lookup, n, sch_result_text(result));
                assert_int_equal(sch_ask_why(view, samplers[texels], &question, &why), result);
                if (right) assert_memory_equal(why.answer, answer, sizeof answer);
                if (!right) assert_int_equal(answer[0], 7);
                answered += right;
                refused += !right;
            }
        sch_view_destroy(view);
    }
    print_message("# questions: %u answered, %u refused\n", answered, refused);
    assert_true(answered > 100 && refused > 100);
    for (unsigned i = 0; i < 2; i++) sch_sampler_destroy(samplers[i]);
    sch_context_destroy(context);
}

static void refuses_wrong_calls(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    const struct view_case whole = {.shape = D2, .target = -1};
    struct sch_view *view = numbered_view(context, &whole);
    struct sch_sampler *sampler = NULL;
    assert_int_equal(sch_sampler_create(context, NULL, NULL, &sampler), SCH_OK);
    const struct sch_question right = {.size = sizeof right, .lookup = SCH_LOOKUP_FETCH};
    struct sch_question questions[3] = {right, right, right};
    uint32_t answers[3][4];
    static const uint32_t untouched[3][4] = {{9, 9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9, 9}};
    struct sch_explanation why = {.size = sizeof why};
    memcpy(answers, untouched, sizeof answers);
    static const uint32_t widths[] = {1, 2, 3, 5, 12, 32, UINT32_MAX};
    for (size_t i = 0; i < COUNT(widths); i++)
        assert_int_equal(sch_ask(view, sampler, questions, 3, widths[i], answers), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_ask(view, sampler, NULL, 3, 0, answers), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_ask(view, sampler, questions, 3, 0, NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_ask(view, sampler, NULL, 0, 0, NULL), SCH_OK);
    assert_int_equal(sch_ask_why(view, sampler, NULL, &why), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_ask_why(view, sampler, questions, NULL), SCH_ERROR_ARGUMENT);
    struct sch_question wrong[7] = {right, right, right, right, right, right, right};
    wrong[0].size = 0;
    wrong[1].size = sizeof right - 8;
    wrong[2].size = sizeof right + 1;
    wrong[3].size = SIZE_MAX;
    wrong[4].lookup = (enum sch_lookup)9;
    wrong[5].lookup = (enum sch_lookup) - 1;
    wrong[6].lookup = SCH_LOOKUP_GATHER;
    wrong[6].component = 4;
    for (size_t i = 0; i < COUNT(wrong); i++)
        for (unsigned at = 0; at < 3; at += 2) { /* the first, and the last: then none is answered */
            for (unsigned n = 0; n < 3; n++) questions[n] = right;
            questions[at] = wrong[i];
            assert_int_equal(sch_ask(view, sampler, questions, 3, 0, answers), SCH_ERROR_ARGUMENT);
            if (i != 2) assert_int_equal(sch_ask_why(view, sampler, &wrong[i], &why), SCH_ERROR_ARGUMENT);
        }
    assert_memory_equal(answers, untouched, sizeof answers);

    /* Nothing bound: 0. */
    questions[0] = (struct sch_question){.size = sizeof right, .lookup = SCH_LOOKUP_SIZE};
    questions[1] = (struct sch_question){.size = sizeof right, .lookup = SCH_LOOKUP_SAMPLE_L, .at = {0.5f, 0.5f}};
    questions[2] = (struct sch_question){.size = sizeof right, .lookup = SCH_LOOKUP_GATHER, .component = 3};
    static const uint32_t zeros[3][4];
    assert_int_equal(sch_ask(NULL, sampler, questions, 3, 0, answers), SCH_OK);
    assert_memory_equal(answers, zeros, sizeof zeros);
    memcpy(answers, untouched, sizeof answers);
    assert_int_equal(sch_ask(NULL, NULL, questions, 3, 0, answers), SCH_OK);
    assert_memory_equal(answers, zeros, sizeof zeros);
    assert_int_equal(sch_ask(view, NULL, questions, 3, 0, answers), SCH_OK);
    assert_memory_equal(answers[1], zeros[1], 2 * sizeof zeros[1]);
    assert_int_equal(answers[0][1], 9);
    static const size_t sizes[] = {0, sizeof(size_t), sizeof why - 8, SIZE_MAX};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        why = (struct sch_explanation){.size = sizes[i], .face = 7};
        assert_int_equal(sch_ask_why(view, sampler, &right, &why), SCH_ERROR_ARGUMENT);
        assert_true(why.size == sizes[i] && why.face == 7);
    }
    memset(&why, 0xcc, sizeof why);
    why.size = sizeof why;
    assert_int_equal(sch_ask_why(NULL, sampler, &questions[1], &why), SCH_OK);
    assert_memory_equal(why.answer, zeros[0], sizeof why.answer);
    assert_int_equal(why.texel_count, 0);
    assert_int_equal(why.face, -1);
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
    sch_context_destroy(context);
}

/* ---- many questions, many threads ---- */

enum { MANY = 400 };

static struct sch_question random_question(void)
{
    static const enum sch_lookup lookups[] = {SCH_LOOKUP_SAMPLE,   SCH_LOOKUP_SAMPLE_L, SCH_LOOKUP_SAMPLE_B,
                                              SCH_LOOKUP_SAMPLE_D, SCH_LOOKUP_GATHER,   SCH_LOOKUP_FETCH,
                                              SCH_LOOKUP_SIZE,     SCH_LOOKUP_SAMPLES,  SCH_LOOKUP_LOD};
    struct sch_question q = {.size = sizeof q,
                             .lookup = lookups[random_word() % COUNT(lookups)],
                             .compare = random_word() % 4 == 0,
                             .reference = (float)(random_word() % 256) / 255,
                             .lod = (float)(random_word() % 1024) / 256,
                             .bias = (float)(random_word() % 1024) / 256 - 2,
                             .component = random_word() % 4,
                             .level = random_word() % 5};
    for (unsigned i = 0; i < 4; i++) {
        q.at[i] = (float)(random_word() % 4096) / 1024 - 2;
        q.texel[i] = random_word() % 10;
    }
    for (unsigned i = 0; i < 3; i++) {
        q.ddx[i] = (float)(random_word() % 256) / 256;
        q.ddy[i] = (float)(random_word() % 256) / 256;
        q.offset[i] = random_word() % 3 ? 0 : (int32_t)(random_word() % 16) - 8;
    }
    /* Runs of one kind are what groups are made of. */
    if (random_word() % 4) {
        q.lookup = SCH_LOOKUP_SAMPLE_D;
        q.compare = false;
        q.offset[0] = q.offset[1] = q.offset[2] = 0;
    }
    return q;
}

struct asked {
    struct sch_view *view;
    struct sch_sampler *sampler;
    struct sch_question questions[MANY];
    uint32_t answers[MANY][4];
};

static void make_asked(struct sch_context *context, size_t shape, struct asked *asked)
{
    struct sch_resource *resource = make(context, &shapes[shape], format("R8G8B8A8_UNORM"));
    size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    for (size_t i = 0; i < bytes; i++) texels[i] = (uint8_t)random_word();
    assert_int_equal(sch_resource_write_all(resource, texels, bytes), SCH_OK);
    free(texels);
    struct sch_sampler_options options = {.size = sizeof options,
                                          .min_filter = SCH_FILTER_LINEAR,
                                          .mag_filter = SCH_FILTER_LINEAR,
                                          .mip_filter = SCH_MIP_LINEAR,
                                          .max_anisotropy = 4};
    assert_int_equal(sch_view_create(resource, NULL, &asked->view), SCH_OK);
    assert_int_equal(sch_sampler_create(context, &options, NULL, &asked->sampler), SCH_OK);
    sch_resource_destroy(resource);
    for (unsigned i = 0; i < MANY; i++) asked->questions[i] = random_question();
    assert_int_equal(sch_ask(asked->view, asked->sampler, asked->questions, MANY, 0, asked->answers), SCH_OK);
}

static void unmake_asked(struct asked *asked)
{
    sch_sampler_destroy(asked->sampler);
    sch_view_destroy(asked->view);
}

/* A question's answer does not depend on its neighbours, the width, the struct's length, or on being explained. */
static void answers_each_for_itself(void **state)
{
    (void)state;
    static const size_t which[] = {D2, CUBE, D2_ARRAY, CUBE_ARRAY};
    struct sch_context *context = make_context(0, NULL);
    static struct asked asked;
    static struct {
        struct sch_question known;
        uint64_t newer[3];
    } longer[MANY];
    static uint32_t again[MANY][4];
    unsigned different = 0;
    for (size_t w = 0; w < COUNT(which); w++) {
        make_asked(context, which[w], &asked);
        for (uint32_t width = 4; width <= 16; width *= 2) {
            assert_int_equal(sch_ask(asked.view, asked.sampler, asked.questions, MANY, width, again), SCH_OK);
            assert_memory_equal(again, asked.answers, sizeof again);
        }
        memset(longer, 0, sizeof longer);
        for (unsigned i = 0; i < MANY; i++) {
            uint32_t alone[4];
            struct sch_explanation why = {.size = sizeof why};
            longer[i].known = asked.questions[i];
            longer[i].known.size = sizeof *longer;
            assert_int_equal(sch_ask(asked.view, asked.sampler, &asked.questions[i], 1, 0, &alone), SCH_OK);
            assert_memory_equal(alone, asked.answers[i], sizeof alone);
            assert_int_equal(sch_ask_why(asked.view, asked.sampler, &asked.questions[i], &why), SCH_OK);
            assert_memory_equal(why.answer, asked.answers[i], sizeof alone);
            different += i && memcmp(asked.answers[i], asked.answers[i - 1], sizeof alone) != 0;
        }
        memset(again, 0, sizeof again);
        assert_int_equal(sch_ask(asked.view, asked.sampler, &longer->known, MANY, 0, again), SCH_OK);
        assert_memory_equal(again, asked.answers, sizeof again);
        longer[MANY - 1].newer[2] = 1;
        assert_int_equal(sch_ask(asked.view, asked.sampler, &longer->known, MANY, 0, again), SCH_ERROR_ARGUMENT);
        unmake_asked(&asked);
    }
    assert_true(different > COUNT(which) * MANY / 2);
    sch_context_destroy(context);
}

static void *ask_often(void *argument)
{
    const struct asked *asked = argument;
    uint32_t answers[MANY][4];
    struct sch_explanation *why = calloc(1, sizeof *why);
    if (why) why->size = sizeof *why;
    void *result = why ? argument : NULL;
    for (unsigned i = 0; i < 30 && result; i++) {
        if (sch_ask(asked->view, asked->sampler, asked->questions, MANY, 0, answers) != SCH_OK) result = NULL;
        if (memcmp(answers, asked->answers, sizeof answers) != 0) result = NULL;
        const struct sch_question *one = &asked->questions[i];
        if (why && sch_ask_why(asked->view, asked->sampler, one, why) != SCH_OK) result = NULL;
        if (why && memcmp(why->answer, asked->answers[i], sizeof why->answer) != 0) result = NULL;
    }
    free(why);
    return result;
}

static void threads_share_views(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    struct sch_context *context = make_context(0, NULL);
    static struct asked asked;
    pthread_t threads[THREADS];
    make_asked(context, CUBE_ARRAY, &asked);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &asked), 0);
    for (int i = 0; i < THREADS; i++) {
        void *answer = NULL;
        assert_int_equal(pthread_join(threads[i], &answer), 0);
        assert_ptr_equal(answer, &asked);
    }
    unmake_asked(&asked);
    sch_context_destroy(context);
}

/* What an explanation says of its texels: a fetch's is the one asked for, a sample's weights add up in each tap. */
static void explains_answers(void **state)
{
    (void)state;
    struct sch_context *context = make_context(0, NULL);
    static struct asked asked;
    static struct sch_explanation why = {.size = sizeof why};
    unsigned several = 0, anisotropic = 0;
    make_asked(context, D2_ARRAY, &asked);
    for (unsigned i = 0; i < MANY; i++) {
        struct sch_question fetch = {
            .size = sizeof fetch, .lookup = SCH_LOOKUP_FETCH, .texel = {i % 3, i % 2, i % 13}, .level = i % 2};
        assert_int_equal(sch_ask_why(asked.view, NULL, &fetch, &why), SCH_OK);
        assert_int_equal(why.texel_count, 1);
        assert_int_equal(why.texels[0].level, fetch.level);
        assert_int_equal(why.texels[0].x, fetch.texel[0]);
        assert_int_equal(why.texels[0].y, fetch.texel[1]);
        assert_int_equal(why.texels[0].z, fetch.texel[2]);
        assert_false(why.texels[0].border);
        assert_memory_equal(why.texels[0].value, why.answer, sizeof why.answer);

        asked.questions[i].lookup = SCH_LOOKUP_SAMPLE_D;
        assert_int_equal(sch_ask_why(asked.view, asked.sampler, &asked.questions[i], &why), SCH_OK);
        assert_true(why.taps >= 1 && why.taps <= 4 && why.texel_count >= why.taps);
        assert_true(why.layer >= 0 && why.layer < 13 && why.face == -1);
        float sum[2][4] = {{0}};
        for (uint32_t t = 0; t < why.texel_count; t++) {
            const struct sch_footprint_texel *texel = &why.texels[t];
            assert_true(texel->level < 2 && texel->tap < why.taps && texel->z == (uint32_t)why.layer);
            sum[texel->level][texel->tap] += texel->weight;
        }
        for (unsigned n = 0; n < 8; n++) assert_true(sum[n / 4][n % 4] == 0 || sum[n / 4][n % 4] == 1);
        for (unsigned tap = 0; tap < why.taps; tap++) assert_true(sum[0][tap] + sum[1][tap] >= 1);
        several += why.texel_count > 4;
        anisotropic += why.taps > 1;
    }
    assert_true(several > 20 && anisotropic > 20);
    unmake_asked(&asked);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_every_target),          cmocka_unit_test(refuses_shapes),
        cmocka_unit_test(asks_for_exact_memory),     cmocka_unit_test(writes_where_it_should),
        cmocka_unit_test(views_show_ranges),         cmocka_unit_test(views_cast_formats),
        cmocka_unit_test(images_show_one_level),     cmocka_unit_test(counts_texels_of_images),
        cmocka_unit_test(fetches_find_their_texels), cmocka_unit_test(sizes_of_every_view),
        cmocka_unit_test(refuses_questions),         cmocka_unit_test(refuses_wrong_calls),
        cmocka_unit_test(answers_each_for_itself),   cmocka_unit_test(threads_share_views),
        cmocka_unit_test(explains_answers),
    };
    return cmocka_run_group_tests_name("resources", tests, NULL, NULL);
}
