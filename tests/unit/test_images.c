/* Atomics on images, and images that lanes name by handles of their own, through the public API at every width.
 * Expectations are written here from docs/texture.md ("Images"; the order of texels in memory) and docs/semantics.md.
 * LOAD and STORE of single texels by target are in test_lookups.c, formats in test_formats.c. */
#include "atomic_cases.h"
#include "compute_support.h"

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

#define EACH_WIDTH for (uint32_t width = 4; width <= 16; width *= 2)

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
            SHAPE(.target = SCH_TEXTURE_2D, .format = sch_format_by_name("R32_UINT"), .width = WIDTH, .height = HEIGHT);
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
    enum sch_texture_target target;
    unsigned axes;
    uint32_t slices, samples;
};
static const struct target_case targets[] = {
    {"BUFFER", SCH_TEXTURE_BUFFER, 1, 1, 1},
    {"1D", SCH_TEXTURE_1D, 1, 1, 1},
    {"2D", SCH_TEXTURE_2D, 2, 1, 1},
    {"RECT", SCH_TEXTURE_RECT, 2, 1, 1},
    {"3D", SCH_TEXTURE_3D, 2, 5, 1},
    {"CUBE", SCH_TEXTURE_CUBE, 2, 6, 1},
    {"1D_ARRAY", SCH_TEXTURE_1D_ARRAY, 1, 4, 1},
    {"2D_ARRAY", SCH_TEXTURE_2D_ARRAY, 2, 5, 1},
    {"2D_MSAA", SCH_TEXTURE_2D_MSAA, 2, 1, 4},
    {"2D_ARRAY_MSAA", SCH_TEXTURE_2D_ARRAY_MSAA, 2, 3, 4},
    {"CUBEARRAY", SCH_TEXTURE_CUBE_ARRAY, 2, 12, 1},
};

static bool is_cube(const struct target_case *t)
{
    return t->target == SCH_TEXTURE_CUBE || t->target == SCH_TEXTURE_CUBE_ARRAY;
}

static struct sch_resource_options shape_of(const struct target_case *t)
{
    bool volume = t->target == SCH_TEXTURE_3D;
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
    assert_true(inside > 300 && outside > 300);
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
            SHAPE(.target = SCH_TEXTURE_2D, .format = sch_format_by_name("R32_UINT"), .width = WIDTH, .height = HEIGHT);
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
        enum sch_texture_target target;
        bool works;
    } rows[] = {{"R8G8B8A8_UNORM", SCH_TEXTURE_2D, true},
                {"R32_FLOAT", SCH_TEXTURE_2D, true},
                {"R16G16_FLOAT", SCH_TEXTURE_2D, true},
                {"R16_UINT", SCH_TEXTURE_2D, false},
                {"R8_UINT", SCH_TEXTURE_2D, false},
                {"R32G32_UINT", SCH_TEXTURE_2D, false},
                {"R32G32B32A32_UINT", SCH_TEXTURE_2D, false},
                {"R32_UINT", SCH_TEXTURE_1D, false},
                {NULL, SCH_TEXTURE_2D, false}};
    static struct field field;
    EACH_WIDTH
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        uint32_t before[WORDS];
        memset(&field, 0, sizeof field);
        if (rows[n].format)
            field.shape[0] = SHAPE(.target = rows[n].target, .format = sch_format_by_name(rows[n].format),
                                   .width = WIDTH, .height = rows[n].target == SCH_TEXTURE_2D ? HEIGHT : 1);
        for (unsigned i = 0; i < WORDS; i++) field.words[0][i] = before[i] = 0xfffffff0 + i;
        for (unsigned i = 0; i < LANES; i++) field.in[i][0][0] = field.in[i][1][0] = 1;
        run_field(&field, ONE_IMAGE, "ATOMXCHG TEMP[0], IMAGE[0], IN[0].xyyy, IN[1], 2D\nMOV OUT[0], TEMP[0]", width);
        assert_int_equal(field.out[0][0][0], rows[n].works ? 0xfffffff1 : 0);
        assert_int_equal(field.out[1][0][0], rows[n].works ? 1 : 0);
        if (rows[n].works) before[1] = 1;
        assert_memory_equal(field.words[0], before, sizeof before);
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
            SHAPE(.target = SCH_TEXTURE_2D, .format = sch_format_by_name("R32_UINT"), .width = n + 1, .height = LANES);
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
                               "LOAD TEMP[1], TEMP[0], IN[1], 2D\nMOV OUT[0], TEMP[1]\n"
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atomics_compute_on_texels),    cmocka_unit_test(atomics_find_texels_of_every_target),
        cmocka_unit_test(atomics_of_one_texel_ascend),  cmocka_unit_test(atomics_need_32_bits),
        cmocka_unit_test(lanes_name_images_by_handles), cmocka_unit_test(handles_of_conflicting_lanes),
    };
    return cmocka_run_group_tests_name("images", tests, NULL, NULL);
}
