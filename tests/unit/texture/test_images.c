/* Atomics on images, images that lanes name by handles of their own, and texels that several threads access, through
 * the public API at every width. Expectations are written here from docs/texture.md ("Images"; the order of texels in
 * memory) and docs/semantics.md. LOAD and STORE of single texels by target are in test_lookups.c, formats in
 * test_formats.c. */
#include "../support/atomic_cases.h"
#include "../support/compute_support.h"
#include "../support/sanitized.h"

#include <stdio.h>

enum { LANES = 40, REGISTERS = 4, IMAGES = 3, WORDS = 256, WIDTH = 3, HEIGHT = 2 };

/* What lanes put in and get out, and the words of up to three images. */
struct field {
    uint32_t in[LANES][REGISTERS][4], out[LANES][REGISTERS][4];
    uint8_t helpers[LANES];
    struct sch_resource_options shape[IMAGES]; /* size 0: not bound */
    uint32_t words[IMAGES][WORDS];
};

#define SHAPE(...) ((struct sch_resource_options){.size = sizeof(struct sch_resource_options), __VA_ARGS__})

static struct sch_image *bind_image(struct sch_context *context, const struct sch_resource_options *shape,
                                    const uint32_t *words, struct sch_resource **resource)
{
    struct sch_image *image = NULL;
    assert_int_equal(sch_resource_create(context, shape, NULL, resource), SCH_OK);
    assert_true(sch_resource_bytes(*resource) <= WORDS * sizeof *words);
    assert_int_equal(sch_resource_write_all(*resource, words, sch_resource_bytes(*resource)), SCH_OK);
    assert_int_equal(sch_image_create(*resource, NULL, &image), SCH_OK);
    return image;
}

/* Runs a body with OUT[0..3], TEMP[0..3], ADDR[0] and what it declares of images; the words are what is left. */
static void run_field(struct field *field, const char *images, const char *body, uint32_t width)
{
    char text[2048];
    struct compute compute;
    struct sch_resource *resource[IMAGES] = {NULL};
    struct sch_image *image[IMAGES] = {NULL};
    snprintf(text, sizeof text,
             "VERT\nDCL IN[0..3]\nDCL OUT[0..3], GENERIC[0]\nDCL TEMP[0..3]\nDCL ADDR[0]\n%s\n%s\nEND\n", images, body);
    compute_open(&compute, text, width);
    for (unsigned i = 0; i < IMAGES; i++)
        if (field->shape[i].size)
            image[i] = bind_image(compute.context, &field->shape[i], field->words[i], &resource[i]);
    compute.bindings.images = image;
    compute.bindings.image_count = IMAGES;
    assert_int_equal(
        compute_invoke(&compute, LANES, REGISTERS, &field->in[0][0][0], field->helpers, &field->out[0][0][0]), SCH_OK);
    for (unsigned i = 0; i < IMAGES; i++) {
        if (resource[i])
            assert_int_equal(sch_resource_read_all(resource[i], field->words[i], sch_resource_bytes(resource[i])),
                             SCH_OK);
        sch_image_destroy(image[i]);
        sch_resource_destroy(resource[i]);
    }
    compute_close(&compute);
}

#define EACH_WIDTH for (uint32_t width = first_width(); width <= 16; width *= 2)

/* ---- atomics ---- */

#define ONE_IMAGE "DCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR"

static void atomics_compute_on_texels(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH
    for (size_t n = 0; n < sizeof atomic_cases / sizeof *atomic_cases; n++) {
        const struct atomic_case *c = &atomic_cases[n];
        char body[256];
        memset(&field, 0, sizeof field);
        memset(field.helpers, 1, sizeof field.helpers);
        field.helpers[37] = 0;
        field.shape[0] =
            SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name("R32_UINT"), .width = WIDTH, .height = HEIGHT);
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = 2;
            field.in[i][0][1] = 1;
            field.in[i][1][0] = c->a;
            field.in[i][2][0] = c->b;
        }
        field.words[0][WIDTH + 2] = c->old;
        snprintf(body, sizeof body, "%s TEMP[0].xz, IMAGE[0], IN[0], IN[1].xxxx%s\nMOV OUT[0], TEMP[0]", c->name,
                 strcmp(c->name, "ATOMCAS") ? "" : ", IN[2].xxxx");
        run_field(&field, ONE_IMAGE, body, width);
        if (field.words[0][WIDTH + 2] != c->stored || field.out[37][0][0] != c->returned)
            fail_msg("%s %#x %#x: stored %#x, returned %#x", c->name, c->old, c->a, field.words[0][WIDTH + 2],
                     field.out[37][0][0]);
        assert_int_equal(field.out[37][0][2], c->returned);
        assert_int_equal(field.out[37][0][1] | field.out[36][0][0], 0); /* not written; a helper */
        for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
            if (i != WIDTH + 2) assert_int_equal(field.words[0][i], 0);
    }
}

/* A target as the text has it, its slices (layers, faces or depth) and samples, and how many axes a level has. */
struct target_case {
    const char *name;
    enum sch_target target;
    unsigned axes;
    uint32_t slices, samples;
};
static const struct target_case targets[] = {
    {"BUFFER", SCH_TARGET_BUFFER, 1, 1, 1},
    {"1D", SCH_TARGET_1D, 1, 1, 1},
    {"2D", SCH_TARGET_2D, 2, 1, 1},
    {"RECT", SCH_TARGET_RECT, 2, 1, 1},
    {"3D", SCH_TARGET_3D, 2, 5, 1},
    {"CUBE", SCH_TARGET_CUBE, 2, 6, 1},
    {"1D_ARRAY", SCH_TARGET_1D_ARRAY, 1, 4, 1},
    {"2D_ARRAY", SCH_TARGET_2D_ARRAY, 2, 5, 1},
    {"2D_MSAA", SCH_TARGET_2D_MSAA, 2, 1, 4},
    {"2D_ARRAY_MSAA", SCH_TARGET_2D_ARRAY_MSAA, 2, 3, 4},
    {"CUBEARRAY", SCH_TARGET_CUBE_ARRAY, 2, 12, 1},
};

static bool is_cube(const struct target_case *t)
{
    return t->target == SCH_TARGET_CUBE || t->target == SCH_TARGET_CUBE_ARRAY;
}

static struct sch_resource_options shape_of(const struct target_case *t)
{
    bool volume = t->target == SCH_TARGET_3D;
    return SHAPE(.target = t->target, .format = sch_format_by_name("R32_SINT"), .width = is_cube(t) ? HEIGHT : WIDTH,
                 .height = t->axes == 2 ? HEIGHT : 1, .depth = volume ? t->slices : 1, .layers = volume ? 1 : t->slices,
                 .samples = t->samples);
}

/* Lane i's address, texels in an order of their own first, then some that are not there; the texel's word, or -1. */
static int place_lane(const struct target_case *t, unsigned i, uint32_t address[4])
{
    const struct sch_resource_options shape = shape_of(t);
    uint32_t area = shape.width * shape.height, all = area * t->slices * t->samples, word = (i * 7 + 3) % LANES;
    unsigned slice_at = t->axes;
    memset(address, 0, 4 * sizeof *address);
    if (word >= all) { /* one coordinate too far, or far below */
        unsigned wrong = word % (t->slices > 1 ? t->axes + 1 : t->axes);
        uint32_t most[3] = {shape.width, shape.height, 0};
        most[slice_at] = t->slices;
        address[wrong] = word & 1 ? most[wrong] : 0x80000000u + word;
        return -1;
    }
    uint32_t sample = word / area % t->samples;
    address[0] = word % shape.width;
    address[1] = t->axes == 2 ? word / shape.width % shape.height : 0xdead;
    address[2] = 0xdead;
    if (t->slices > 1) address[slice_at] = word / area / t->samples;
    address[3] = t->samples > 1 ? sample : 0xdead;
    return (int)word;
}

static void atomics_find_texels_of_every_target(void **state)
{
    (void)state;
    static struct field field;
    unsigned inside = 0, outside = 0;
    EACH_WIDTH
    for (size_t n = 0; n < sizeof targets / sizeof *targets; n++) {
        const struct target_case *t = &targets[n];
        char image[128], body[128];
        uint32_t expected[WORDS];
        memset(&field, 0, sizeof field);
        field.shape[0] = shape_of(t);
        for (unsigned i = 0; i < WORDS; i++) field.words[0][i] = expected[i] = 1000 * i;
        for (unsigned i = 0; i < LANES; i++) {
            int word = place_lane(t, i, field.in[i][0]);
            field.in[i][1][0] = i + 1;
            if (word >= 0) expected[word] += i + 1;
        }
        snprintf(image, sizeof image, "DCL IMAGE[0], %s, PIPE_FORMAT_R32_SINT, WR", t->name);
        snprintf(body, sizeof body, "ATOMUADD TEMP[0], IMAGE[0], IN[0], IN[1].xxxx, %s\nMOV OUT[0], TEMP[0]", t->name);
        run_field(&field, image, body, width);
        for (unsigned i = 0; i < LANES; i++) {
            uint32_t address[4];
            int word = place_lane(t, i, address);
            uint32_t old = word < 0 ? 0 : 1000 * (uint32_t)word;
            if (field.out[i][0][0] != old || field.out[i][0][3] != old)
                fail_msg("%s, lane %u: %u, not %u", t->name, i, field.out[i][0][0], old);
            inside += word >= 0;
            outside += word < 0;
        }
        assert_memory_equal(field.words[0], expected, sizeof expected);
    }
    assert_true(inside > 100 && outside > 100);
}

/* Lanes of one texel take their turns in ascending order. */
static void atomics_of_one_texel_ascend(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH
    {
        memset(&field, 0, sizeof field);
        field.shape[0] =
            SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name("R32_UINT"), .width = WIDTH, .height = HEIGHT);
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = i % 2; /* two texels, and one lane in five does not execute */
            field.in[i][1][0] = i % 5 != 4;
        }
        run_field(&field, ONE_IMAGE,
                  "UIF IN[1].xxxx\nATOMUADD TEMP[0].x, IMAGE[0], IN[0], IN[1].xxxx, 2D\nMOV OUT[0].x, TEMP[0].xxxx\n"
                  "ENDIF",
                  width);
        uint32_t count[2] = {0, 0};
        for (unsigned i = 0; i < LANES; i++) assert_int_equal(field.out[i][0][0], i % 5 == 4 ? 0 : count[i % 2]++);
        assert_int_equal(field.words[0][0], count[0]);
        assert_int_equal(field.words[0][1], count[1]);
        assert_int_equal(count[0] + count[1], LANES / 5 * 4);
    }
}

/* The bound image counts: any of 32 bits a texel as its bits; others, other shapes and none give 0. */
static void atomics_need_32_bits(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        enum sch_target target;
        bool works;
    } rows[] = {{"R8G8B8A8_UNORM", SCH_TARGET_2D, true},
                {"R32_FLOAT", SCH_TARGET_2D, true},
                {"R16G16_FLOAT", SCH_TARGET_2D, true},
                {"R16_UINT", SCH_TARGET_2D, false},
                {"R8_UINT", SCH_TARGET_2D, false},
                {"R32G32_UINT", SCH_TARGET_2D, false},
                {"R32G32B32A32_UINT", SCH_TARGET_2D, false},
                {"R32_UINT", SCH_TARGET_1D, false},
                {NULL, SCH_TARGET_2D, false}};
    static struct field field;
    EACH_WIDTH
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t before[WORDS];
        memset(&field, 0, sizeof field);
        if (rows[n].format)
            field.shape[0] = SHAPE(.target = rows[n].target, .format = sch_format_by_name(rows[n].format),
                                   .width = WIDTH, .height = rows[n].target == SCH_TARGET_2D ? HEIGHT : 1);
        for (unsigned i = 0; i < WORDS; i++) field.words[0][i] = before[i] = 0xfffffff0 + i;
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = field.in[i][1][0] = 1;
        run_field(&field, ONE_IMAGE, "ATOMXCHG TEMP[0], IMAGE[0], IN[0].xyyy, IN[1], 2D\nMOV OUT[0], TEMP[0]", width);
        assert_int_equal(field.out[0][0][0], rows[n].works ? 0xfffffff1 : 0);
        assert_int_equal(field.out[1][0][0], rows[n].works ? 1 : 0);
        if (rows[n].works) before[1] = 1;
        assert_memory_equal(field.words[0], before, sizeof before);
    }
}

/* ---- RAW ---- */

enum { GROUP = 32 };

/* What LOAD of four words and ATOMUADD do to the words of rows, by hand. */
struct raw_model {
    uint32_t words[WORDS];
    int at[LANES]; /* the word that a lane names; -1: outside */
    uint32_t loaded[LANES][4], old[LANES];
};

/* All lanes of a group load before one writes. */
static void raw_group(struct raw_model *m, unsigned first, unsigned end, uint32_t across)
{
    for (unsigned i = first; i < end; i++) {
        unsigned left = m->at[i] < 0 ? 0 : across - (unsigned)m->at[i] % across;
        for (unsigned c = 0; c < 4; c++) m->loaded[i][c] = c < left ? m->words[m->at[i] + (int)c] : 0;
    }
    for (unsigned i = first; i < end; i++) {
        m->old[i] = m->at[i] < 0 ? 0 : m->words[m->at[i]];
        if (m->at[i] >= 0) m->words[m->at[i]] += i + 1;
    }
}

#define RAW_BODY(name)                                                                                                 \
    "LOAD TEMP[0], " name ", IN[0]\nATOMUADD TEMP[1], " name ", IN[0], IN[1].xxxx\nMOV OUT[0], TEMP[0]\n"              \
    "MOV OUT[1], TEMP[1]"

/* Whatever the format, a RAW image is the words of its rows: x counts bytes, and nothing reaches beyond a row. */
static void raw_images_are_words_of_rows(void **state)
{
    (void)state;
    static const char *const formats[] = {"R32_SINT", "R8G8B8A8_UNORM", "R16G16_FLOAT", "R8G8B8A8_SRGB"};
    static struct field field;
    static struct raw_model model;
    unsigned beyond = 0;
    EACH_WIDTH
    for (size_t n = 0; n < sizeof targets / sizeof *targets; n++) {
        const struct target_case *t = &targets[n];
        char image[128];
        memset(&field, 0, sizeof field);
        field.shape[0] = shape_of(t);
        field.shape[0].format = sch_format_by_name(formats[n % 4]);
        for (unsigned i = 0; i < WORDS; i++) field.words[0][i] = model.words[i] = 0x7fa00001u * (i + 1);
        for (unsigned i = 0; i < LANES; i++) {
            model.at[i] = place_lane(t, i, field.in[i][0]);
            uint32_t *x = field.in[i][0];
            if (*x < 16) *x = 4 * *x + i % 4; /* the low bits do not count */
            field.in[i][1][0] = i + 1;
            beyond += model.at[i] >= 0 && (unsigned)model.at[i] % field.shape[0].width > 0;
        }
        for (unsigned first = 0; first < LANES; first += GROUP)
            raw_group(&model, first, first + GROUP < LANES ? first + GROUP : LANES, field.shape[0].width);
        snprintf(image, sizeof image, "DCL IMAGE[0], %s, WR, RAW", t->name);
        run_field(&field, image, RAW_BODY("IMAGE[0]"), width);
        for (unsigned i = 0; i < LANES; i++) {
            assert_memory_equal(field.out[i][0], model.loaded[i], sizeof model.loaded[i]);
            assert_int_equal(field.out[i][1][0], model.old[i]);
        }
        assert_memory_equal(field.words[0], model.words, sizeof model.words);
    }
    assert_true(beyond > 100);
}

/* RES with WR is the image of its number. A STORE writes the words of its mask; a swizzle applies to what is loaded; of
 * registers that lanes choose each is accessed as it is declared. */
static void raw_resources_beside_typed_ones(void **state)
{
    (void)state;
    enum { ROW = 8 }; /* words: two texels */
    static struct field field;
    EACH_WIDTH
    {
        memset(&field, 0, sizeof field);
        uint32_t expected[2][WORDS] = {{0}};
        for (unsigned n = 0; n < 2; n++) {
            field.shape[n] = SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name("R32G32B32A32_FLOAT"),
                                   .width = 2, .height = 3);
            for (unsigned i = 0; i < WORDS; i++) field.words[n][i] = expected[n][i] = 1000 * n + i;
        }
        memset(field.helpers, 1, sizeof field.helpers);
        /* Lane 34 stores two words of a row of RES[1]; lane 35 at its end, where one of two fits; lane 36 a texel of
         * RES[0]; lane 37 is outside of RES[1]. All load afterwards. */
        const struct {
            uint32_t number, x, y;
        } at[] = {{1, 4, 1}, {1, 28, 2}, {0, 1, 1}, {1, 32, 0}};
        for (unsigned k = 0; k < 4; k++) {
            uint32_t *in = field.in[34 + k][0];
            field.helpers[34 + k] = 0;
            in[0] = at[k].x;
            in[1] = at[k].y;
            field.in[34 + k][1][0] = at[k].number;
            for (unsigned c = 0; c < 4; c++) field.in[34 + k][2][c] = 0x7f900000 + 16 * k + c;
        }
        expected[1][ROW + 1] = 0x7f900000;
        expected[1][ROW + 2] = 0x7f900001;
        expected[1][2 * ROW + 7] = 0x7f900010;
        for (unsigned c = 0; c < 4; c++) expected[0][ROW + 4 + c] = 0x7f900020 + c;
        run_field(&field, "DCL RES[0], 2D, WR\nDCL RES[1], 2D, RAW, WR",
                  "UARL ADDR[0].x, IN[1].xxxx\nSTORE RES[ADDR[0].x].xy, IN[0], IN[2]\n"
                  "LOAD TEMP[0], RES[ADDR[0].x].yxzw, IN[0]\nMOV OUT[0], TEMP[0]\n"
                  "LOAD TEMP[1].yw, RES[1].wzyx, IN[0]\nMOV OUT[1].yw, TEMP[1]\nRESQ TEMP[2], RES[1]\n"
                  "MOV OUT[2], TEMP[2]",
                  width);
        assert_memory_equal(field.words[0], expected[0], 24 * 4);
        assert_memory_equal(field.words[1], expected[1], 24 * 4);
        const uint32_t loaded[4][4] = {{0x7f900001, 0x7f900000, 1000 + ROW + 3, 1000 + ROW + 4},
                                       {0, 0x7f900010, 0, 0},
                                       {0x7f900021, 0x7f900020, 0x7f900022, 0x7f900023},
                                       {0, 0, 0, 0}};
        const uint32_t size[4] = {2, 3, 0, 1};
        for (unsigned k = 0; k < 4; k++) {
            assert_memory_equal(field.out[34 + k][0], loaded[k], sizeof loaded[k]);
            assert_memory_equal(field.out[34 + k][2], size, sizeof size);
        }
        assert_int_equal(field.out[34][1][1], 1000 + ROW + 3);
        assert_int_equal(field.out[34][1][3], 0x7f900000);
    }
}

/* Rows of three bytes have no word; of six bytes every other one begins at a word, and has one. */
static void raw_rows_that_are_no_words(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH
    for (unsigned wide = 0; wide < 2; wide++) {
        memset(&field, 0, sizeof field);
        field.shape[0] = SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name(wide ? "R16_UINT" : "R8_UINT"),
                               .width = 3, .height = 4);
        for (unsigned i = 0; i < WORDS; i++) field.words[0][i] = 0x01020304 * (i + 1);
        for (unsigned i = 0; i < LANES; i++) {
            field.in[i][0][0] = i & 4;
            field.in[i][0][1] = i % 4;
        }
        run_field(&field, "DCL IMAGE[0], 2D, RAW, WR", RAW_BODY("IMAGE[0]"), width);
        for (unsigned i = 0; i < LANES; i++) {
            bool there = wide && i % 2 == 0 && !(i & 4);
            uint32_t word = i % 4 ? 0x01020304 * 4 : 0x01020304; /* row 2 begins at byte 12 */
            assert_int_equal(field.out[i][0][0], there ? word : 0);
            assert_int_equal(field.out[i][1][0], there ? word : 0);
            assert_int_equal(field.out[i][0][1] | field.out[i][0][2] | field.out[i][0][3], 0);
        }
        assert_int_equal(field.words[0][0], 0x01020304); /* IN[1] is 0: nothing was added */
    }
}

/* A RES without WR is the view of its number, whose swizzle has no part in it; of two levels the view's first
 * counts. */
static void raw_views(void **state)
{
    (void)state;
    EACH_WIDTH
    {
        struct compute compute;
        struct sch_resource *resource;
        struct sch_view *view;
        uint32_t texels[5] = {1, 2, 3, 4, 0x80ff0102}, inputs[LANES][1][4] = {{{0}}}, outputs[LANES][1][4];
        struct sch_view_options options = {.size = sizeof options, .swizzle = {3, 5, 4, 0}, .first_level = 1};
        compute_open(&compute,
                     "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL RES[0], 2D, RAW\nDCL TEMP[0]\n"
                     "LOAD TEMP[0], RES[0], IN[0]\nMOV OUT[0], TEMP[0]\nEND\n",
                     width);
        assert_int_equal(sch_resource_create(compute.context,
                                             &SHAPE(.target = SCH_TARGET_2D, .width = 2, .height = 2, .levels = 2,
                                                    .format = sch_format_by_name("R8G8B8A8_UNORM")),
                                             NULL, &resource),
                         SCH_OK);
        assert_int_equal(sch_resource_bytes(resource), sizeof texels);
        assert_int_equal(sch_resource_write_all(resource, texels, sizeof texels), SCH_OK);
        assert_int_equal(sch_view_create(resource, &options, &view), SCH_OK);
        compute.bindings.views = &view;
        compute.bindings.view_count = 1;
        inputs[1][0][0] = 4;
        inputs[2][0][1] = 1;
        assert_int_equal(compute_invoke(&compute, LANES, 1, inputs[0][0], NULL, outputs[0][0]), SCH_OK);
        const uint32_t expected[3][4] = {{0x80ff0102, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
        assert_memory_equal(outputs, expected, sizeof expected);
        sch_view_destroy(view);
        sch_resource_destroy(resource);
        compute_close(&compute);
    }
}

/* Texels of blocks through a RES without WR: a block of red and, in columns 1 and 3, green. */
static void views_of_blocks(void **state)
{
    (void)state;
    static const uint8_t block[8] = {0x00, 0xf8, 0xe0, 0x07, 0x44, 0x44, 0x44, 0x44};
    enum { ONE = 0x3f800000 };
    EACH_WIDTH
    {
        struct compute compute;
        struct sch_resource *resource;
        struct sch_view *view;
        uint32_t inputs[LANES][1][4] = {{{0}}}, outputs[LANES][1][4];
        compute_open(&compute,
                     "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL RES[0], 2D\nDCL TEMP[0]\n"
                     "LOAD TEMP[0], RES[0], IN[0]\nMOV OUT[0], TEMP[0]\nEND\n",
                     width);
        assert_int_equal(sch_resource_create(compute.context,
                                             &SHAPE(.target = SCH_TARGET_2D, .width = 4, .height = 4,
                                                    .format = sch_format_by_name("DXT1_RGBA")),
                                             NULL, &resource),
                         SCH_OK);
        assert_int_equal(sch_resource_write_all(resource, block, sizeof block), SCH_OK);
        assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
        compute.bindings.views = &view;
        compute.bindings.view_count = 1;
        for (uint32_t i = 0; i < LANES; i++) inputs[i][0][0] = i % 5, inputs[i][0][1] = i / 5 % 4;
        assert_int_equal(compute_invoke(&compute, LANES, 1, inputs[0][0], NULL, outputs[0][0]), SCH_OK);
        for (uint32_t i = 0; i < LANES; i++) {
            const uint32_t x = i % 5, expected[4] = {x < 4 && x % 2 == 0 ? ONE : 0, x < 4 && x % 2 == 1 ? ONE : 0, 0,
                                                     x < 4 ? ONE : 0};
            assert_memory_equal(outputs[i][0], expected, sizeof expected);
        }
        sch_view_destroy(view);
        sch_resource_destroy(resource);
        compute_close(&compute);
    }
}

/* ---- handles ---- */

#define THREE_IMAGES "DCL IMAGE[0..2], 2D, PIPE_FORMAT_R32_UINT, WR"

/* Lane i names image i % 5 - 1: none, the three, and one that is not bound. Image n has width n + 1. */
static void name_images(struct field *field)
{
    memset(field, 0, sizeof *field);
    for (uint32_t n = 0; n < IMAGES; n++) {
        field->shape[n] =
            SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name("R32_UINT"), .width = n + 1, .height = LANES);
        for (uint32_t i = 0; i < WORDS; i++) field->words[n][i] = 10000 * (n + 1) + i;
    }
    for (uint32_t i = 0; i < LANES; i++) {
        field->in[i][0][0] = i % 5 - 1;
        field->in[i][1][1] = i; /* the texel (0, i) */
        field->in[i][2][0] = i + 1;
    }
}

static bool names_an_image(uint32_t lane, uint32_t *image)
{
    *image = lane % 5 - 1;
    return *image < IMAGES;
}

/* Every memory instruction of images takes a handle; SAMP handles and words that are no handle name none. */
static void lanes_name_images_by_handles(void **state)
{
    (void)state;
    static const char body[] = "UARL ADDR[0].x, IN[0].xxxx\nIMG2HND TEMP[0], IMAGE[ADDR[0].x], 2D\n"
                               "LOAD TEMP[1], TEMP[0].zwzw, IN[1], 2D\nMOV OUT[0], TEMP[1]\n"
                               "ATOMUADD TEMP[1], TEMP[0].zwzw, IN[1], IN[2].xxxx, 2D\nMOV OUT[1], TEMP[1]\n"
                               "LOAD TEMP[1], TEMP[0], IN[1], 2D\nMOV OUT[2].x, TEMP[1].xxxx\n"
                               "UADD TEMP[1], TEMP[1], TEMP[1]\nSTORE TEMP[0], IN[1], TEMP[1], 2D\n"
                               "RESQ TEMP[2], TEMP[0], 2D\nMOV OUT[3], TEMP[2]";
    static struct field field;
    EACH_WIDTH
    {
        uint32_t expected[IMAGES][WORDS], image, named = 0;
        name_images(&field);
        memcpy(expected, field.words, sizeof expected);
        run_field(&field, THREE_IMAGES, body, width);
        for (uint32_t i = 0; i < LANES; i++) {
            bool there = names_an_image(i, &image);
            uint32_t zeros[4] = {0, 0, 0, 0}, size[4] = {image + 1, LANES, 0, 1}, word = (image + 1) * i;
            uint32_t old = there ? expected[image][word] : 0;
            const uint32_t loaded[4] = {old, 0, 0, there};
            assert_memory_equal(field.out[i][0], loaded, sizeof loaded);
            assert_int_equal(field.out[i][1][0], old);
            assert_int_equal(field.out[i][2][0], there ? old + i + 1 : 0);
            assert_memory_equal(field.out[i][3], there ? size : zeros, sizeof zeros);
            if (there) expected[image][word] = 2 * (old + i + 1);
            named += there;
        }
        assert_memory_equal(field.words, expected, sizeof expected);
        assert_int_equal(named, LANES / 5 * IMAGES);
    }
}

/* A STORE's handle in a register that another chooses: lane i's is of image i % 2. Nothing else is chosen so. */
static void stores_choose_their_handles(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH
    {
        uint32_t expected[IMAGES][WORDS];
        name_images(&field);
        for (uint32_t i = 0; i < LANES; i++) field.in[i][0][0] = i % 2;
        memcpy(expected, field.words, sizeof expected);
        run_field(&field, THREE_IMAGES,
                  "UARL ADDR[0].x, IN[0].xxxx\nIMG2HND TEMP[0], IMAGE[0], 2D\nIMG2HND TEMP[1], IMAGE[1], 2D\n"
                  "STORE TEMP[ADDR[0].x], IN[1], IN[2], 2D",
                  width);
        for (uint32_t i = 0; i < LANES; i++) expected[i % 2][(i % 2 + 1) * i] = i + 1;
        assert_memory_equal(field.words, expected, sizeof expected);
    }
}

/* Lanes of one image take their turns among lanes of others; a handle of a sampler, and 0, name no image. */
static void handles_of_conflicting_lanes(void **state)
{
    (void)state;
    static struct field field;
    EACH_WIDTH
    for (unsigned foreign = 0; foreign < 2; foreign++) {
        uint32_t count[IMAGES] = {0}, image;
        name_images(&field);
        for (unsigned i = 0; i < LANES; i++) field.in[i][1][1] = 0;
        for (unsigned n = 0; n < IMAGES; n++) field.words[n][0] = 0;
        run_field(
            &field, foreign ? THREE_IMAGES "\nDCL SAMP[0..2]" : THREE_IMAGES,
            foreign ? "UARL ADDR[0].x, IN[0].xxxx\nSAMP2HND TEMP[0], SAMP[ADDR[0].x], 2D\n"
                      "ATOMINC_WRAP TEMP[1], TEMP[0], IN[1], IN[3].zzzz\nMOV OUT[0], TEMP[1]"
                    : "UARL ADDR[0].x, IN[0].xxxx\nIMG2HND TEMP[0], IMAGE[ADDR[0].x], 2D\nIMM[0] UINT32 {1, 0, 0, 0}\n"
                      "ATOMUADD TEMP[1], TEMP[0], IN[1], IMM[0].xxxx, 2D\nMOV OUT[0], TEMP[1]",
            width);
        for (unsigned i = 0; i < LANES; i++) {
            bool there = names_an_image(i, &image) && !foreign;
            assert_int_equal(field.out[i][0][0], there ? count[image]++ : 0);
        }
        for (unsigned n = 0; n < IMAGES; n++) assert_int_equal(field.words[n][0], foreign ? 0 : LANES / 5);
    }
}

/* ---- texels that other threads store ---- */

/* Of this many work groups those with odd numbers load the texels that the others store, side by side. */
enum { UNORDERED_GROUPS = 32, UNORDERED_BLOCK = 64, UNORDERED_EDGE = 8, UNORDERED_THREADS = 4 };

/* Stores are of all zeros or all ones (IMM[0].w, the greatest value of a component) in turn, and BUFFER[0] gets a word
 * that is not 0 of each invocation that saw anything else in red, green or blue. Nothing here orders threads. */
static const char unordered_text[] =
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
    "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SAMP[0]\nDCL SVIEW[0], 2D, UINT\nDCL BUFFER[0]\n"
    "DCL IMAGE[0], 2D, PIPE_FORMAT_%s, WR\nDCL TEMP[0..6]\n"
    "IMM[0] UINT32 {0, 1, 7, %u}\nIMM[1] UINT32 {3, 64, 2, 24}\n"
    "AND TEMP[0].x, SV[0].xxxx, IMM[0].zzzz\nUSHR TEMP[0].y, SV[0].xxxx, IMM[1].xxxx\nMOV TEMP[0].zw, IMM[0].xxxx\n"
    "AND TEMP[1].y, SV[1].xxxx, IMM[0].yyyy\n"
    "MOV TEMP[1].x, IMM[0].xxxx\nMOV TEMP[6], IMM[0].xxxx\n"
    "BGNLOOP\nUSGE TEMP[1].z, TEMP[1].xxxx, IMM[1].wwww\nUIF TEMP[1].zzzz\nBRK\nENDIF\n"
    "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
    "UIF TEMP[1].yyyy\n"
    "LOAD TEMP[2], IMAGE[0], TEMP[0]\n"
    "USNE TEMP[3], TEMP[2], IMM[0].xxxx\nUSNE TEMP[4], TEMP[2], IMM[0].wwww\nAND TEMP[3], TEMP[3], TEMP[4]\n"
    "OR TEMP[6].xyz, TEMP[6], TEMP[3]\n"
    "TXF TEMP[2], TEMP[0], SAMP[0], 2D\n"
    "USNE TEMP[3], TEMP[2], IMM[0].xxxx\nUSNE TEMP[4], TEMP[2], IMM[0].wwww\nAND TEMP[3], TEMP[3], TEMP[4]\n"
    "OR TEMP[6].xyz, TEMP[6], TEMP[3]\n"
    "ELSE\n"
    "AND TEMP[2].x, TEMP[1].xxxx, IMM[0].yyyy\nUMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].wwww\n"
    "STORE IMAGE[0], TEMP[0], TEMP[2].xxxx\n"
    "ENDIF\nENDLOOP\n"
    "OR TEMP[6].x, TEMP[6].xxxx, TEMP[6].yyyy\nOR TEMP[6].x, TEMP[6].xxxx, TEMP[6].zzzz\n"
    "UMAD TEMP[5].x, SV[1].xxxx, IMM[1].yyyy, SV[0].xxxx\nSHL TEMP[5].x, TEMP[5].xxxx, IMM[1].zzzz\n"
    "STORE BUFFER[0].x, TEMP[5].xxxx, TEMP[6].xxxx\nEND\n";

static void run_unordered(const char *format, uint32_t greatest, uint32_t width)
{
    static uint32_t strange[UNORDERED_GROUPS * UNORDERED_BLOCK];
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name(format),
                                                    .width = UNORDERED_EDGE, .height = UNORDERED_EDGE);
    char text[4096];
    struct compute compute;
    struct sch_resource *resource = NULL;
    struct sch_image *image = NULL;
    struct sch_view *view = NULL;
    snprintf(text, sizeof text, unordered_text, format, greatest);
    compute_open(&compute, text, width);
    assert_int_equal(sch_resource_create(compute.context, &shape, NULL, &resource), SCH_OK);
    assert_int_equal(sch_image_create(resource, NULL, &image), SCH_OK);
    assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
    struct sch_storage_buffer buffers[] = {{strange, sizeof strange}};
    compute.bindings.images = &image;
    compute.bindings.image_count = 1;
    compute.bindings.views = &view;
    compute.bindings.view_count = 1;
    compute.bindings.buffers = buffers;
    compute.bindings.buffer_count = 1;
    compute.grid[0] = UNORDERED_GROUPS;
    compute.options.threads = UNORDERED_THREADS;
    compute.options.unordered = true;
    memset(strange, 0xff, sizeof strange);
    assert_int_equal(compute_run(&compute), SCH_OK);
    for (unsigned i = 0; i < UNORDERED_GROUPS * UNORDERED_BLOCK; i++)
        if (strange[i]) fail_msg("%s, width %u: invocation %u saw neither", format, width, i);
    sch_view_destroy(view);
    sch_image_destroy(image);
    sch_resource_destroy(resource);
    compute_close(&compute);
}

/* Loads and fetches of a texel see in each component what was there or what is stored. The build with ThreadSanitizer
 * reports every access here that is not atomic. */
static void texels_that_other_threads_store(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        uint32_t greatest;
    } cases[] = {{"R32_UINT", UINT32_MAX}, {"R32G32B32A32_UINT", UINT32_MAX}, {"R16G16B16_UINT", 0xffff},
                 {"R16_UINT", 0xffff},     {"R8G8B8A8_UINT", 0xff},           {"R8G8B8_UINT", 0xff},
                 {"R8_UINT", 0xff}};
    EACH_WIDTH
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) run_unordered(cases[n].format, cases[n].greatest, width);
}

/* Each invocation loads its texel in two ways, and stores it in another image of the same format. */
static const char loads_text[] =
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 1\nPROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
    "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL BUFFER[0]\n"
    "DCL IMAGE[0], 2D, PIPE_FORMAT_%s\nDCL IMAGE[1], 2D, PIPE_FORMAT_%s, WR\nDCL TEMP[0..3]\n"
    "IMM[0] UINT32 {0, 8, 32, 16}\n"
    "MOV TEMP[0].x, SV[0].xxxx\nMOV TEMP[0].y, SV[1].xxxx\nMOV TEMP[0].zw, IMM[0].xxxx\n"
    "LOAD TEMP[1], IMAGE[0], TEMP[0]\nTXF TEMP[2], TEMP[0], SAMP[0], 2D\n"
    "UMAD TEMP[3].x, SV[1].xxxx, IMM[0].yyyy, SV[0].xxxx\nUMUL TEMP[3].x, TEMP[3].xxxx, IMM[0].zzzz\n"
    "STORE BUFFER[0], TEMP[3].xxxx, TEMP[1]\nUADD TEMP[3].x, TEMP[3].xxxx, IMM[0].wwww\n"
    "STORE BUFFER[0], TEMP[3].xxxx, TEMP[2]\nSTORE IMAGE[1], TEMP[0], TEMP[1]\nEND\n";

enum { LOADED_TEXELS = UNORDERED_EDGE * UNORDERED_EDGE, LOADED_BYTES = 16 * LOADED_TEXELS };

struct loaded {
    uint32_t words[LOADED_TEXELS][2][4];
    unsigned char stored[LOADED_BYTES];
};

static void run_loads(const char *format, uint32_t width, bool unordered, struct loaded *loaded)
{
    const struct sch_resource_options shape = SHAPE(.target = SCH_TARGET_2D, .format = sch_format_by_name(format),
                                                    .width = UNORDERED_EDGE, .height = UNORDERED_EDGE);
    static unsigned char texels[LOADED_BYTES];
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = (unsigned char)(i * 167 + 41);
    char text[4096];
    struct compute compute;
    struct sch_resource *resources[2] = {NULL, NULL};
    struct sch_image *images[2] = {NULL, NULL};
    struct sch_view *view = NULL;
    snprintf(text, sizeof text, loads_text, format, format);
    compute_open(&compute, text, width);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(sch_resource_create(compute.context, &shape, NULL, &resources[i]), SCH_OK);
        assert_int_equal(sch_image_create(resources[i], NULL, &images[i]), SCH_OK);
    }
    assert_in_range(sch_resource_bytes(resources[0]), LOADED_TEXELS, LOADED_BYTES);
    assert_int_equal(sch_resource_write_all(resources[0], texels, sch_resource_bytes(resources[0])), SCH_OK);
    assert_int_equal(sch_view_create(resources[0], NULL, &view), SCH_OK);
    struct sch_storage_buffer buffers[] = {{loaded->words, sizeof loaded->words}};
    compute.bindings.images = images;
    compute.bindings.image_count = 2;
    compute.bindings.views = &view;
    compute.bindings.view_count = 1;
    compute.bindings.buffers = buffers;
    compute.bindings.buffer_count = 1;
    compute.grid[0] = UNORDERED_EDGE;
    compute.options.threads = unordered ? UNORDERED_THREADS : 1;
    compute.options.unordered = unordered;
    assert_int_equal(compute_run(&compute), SCH_OK);
    assert_int_equal(sch_resource_read_all(resources[1], loaded->stored, sch_resource_bytes(resources[1])), SCH_OK);
    sch_view_destroy(view);
    for (unsigned i = 0; i < 2; i++) {
        sch_image_destroy(images[i]);
        sch_resource_destroy(resources[i]);
    }
    compute_close(&compute);
}

/* Accesses beside other threads' give what accesses give: of texels of every size, where they are integers as they are
 * stored. */
static void unordered_loads_are_loads(void **state)
{
    (void)state;
    static const struct {
        const char *format;
        unsigned bytes, channels; /* of unsigned integers; 0: others */
    } cases[] = {
        {"R8_UINT", 1, 1},         {"R8G8_UINT", 2, 2},          {"R16_UINT", 2, 1},       {"R8G8B8_UINT", 3, 3},
        {"R8G8B8A8_UINT", 4, 4},   {"R32_UINT", 4, 1},           {"R16G16B16_UINT", 6, 3}, {"R16G16B16A16_UINT", 8, 4},
        {"R32G32B32_UINT", 12, 3}, {"R32G32B32A32_UINT", 16, 4}, {"R8G8B8A8_SRGB", 4, 0},  {"R11G11B10_FLOAT", 4, 0},
        {"B5G6R5_UNORM", 2, 0},    {"R16G16B16A16_FLOAT", 8, 0}};
    EACH_WIDTH
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        static struct loaded ordered, unordered;
        memset(&ordered, 0, sizeof ordered);
        memset(&unordered, 0, sizeof unordered);
        run_loads(cases[n].format, width, false, &ordered);
        run_loads(cases[n].format, width, true, &unordered);
        if (memcmp(&ordered, &unordered, sizeof ordered) != 0) fail_msg("%s, width %u", cases[n].format, width);
        for (unsigned i = 0; i < LOADED_TEXELS; i++)
            for (unsigned c = 0; c < cases[n].channels; c++) {
                uint32_t wanted = 0;
                const unsigned size = cases[n].bytes / cases[n].channels;
                for (unsigned b = 0; b < size; b++)
                    wanted |= (uint32_t)(unsigned char)((i * cases[n].bytes + c * size + b) * 167 + 41) << 8 * b;
                assert_int_equal(unordered.words[i][0][c], wanted);
                assert_int_equal(unordered.words[i][1][c], wanted);
            }
        for (unsigned b = 0; b < LOADED_TEXELS * cases[n].bytes && cases[n].channels; b++)
            assert_int_equal(unordered.stored[b], (unsigned char)(b * 167 + 41));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_compute_on_texels),
        cmocka_unit_test(atomics_find_texels_of_every_target),
        cmocka_unit_test(atomics_of_one_texel_ascend),
        cmocka_unit_test(atomics_need_32_bits),
        cmocka_unit_test(raw_images_are_words_of_rows),
        cmocka_unit_test(raw_resources_beside_typed_ones),
        cmocka_unit_test(raw_rows_that_are_no_words),
        cmocka_unit_test(raw_views),
        cmocka_unit_test(views_of_blocks),
        cmocka_unit_test(lanes_name_images_by_handles),
        cmocka_unit_test(handles_of_conflicting_lanes),
        cmocka_unit_test(stores_choose_their_handles),
        cmocka_unit_test(texels_that_other_threads_store),
        cmocka_unit_test(unordered_loads_are_loads),
    };
    return cmocka_run_group_tests_name("images", tests, NULL, NULL);
}
