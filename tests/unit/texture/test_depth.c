/* Depth and stencil from clear to shader: parts are cleared, copied and blitted by themselves, and lookups and images
 * of every such format show them. Numbers are those of docs/texture.md ("Formats"). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Formats, the view that shows their stencil, and how deep depth is; 0: there is none. */
static const struct {
    enum sch_format format, stencil;
    unsigned unorm_bits; /* 1: a float */
} formats[] = {
    {SCH_FORMAT_Z16_UNORM, SCH_FORMAT_NONE, 16},
    {SCH_FORMAT_Z24X8_UNORM, SCH_FORMAT_NONE, 24},
    {SCH_FORMAT_X8Z24_UNORM, SCH_FORMAT_NONE, 24},
    {SCH_FORMAT_Z32_UNORM, SCH_FORMAT_NONE, 32},
    {SCH_FORMAT_Z32_FLOAT, SCH_FORMAT_NONE, 1},
    {SCH_FORMAT_Z24_UNORM_S8_UINT, SCH_FORMAT_X24S8_UINT, 24},
    {SCH_FORMAT_S8_UINT_Z24_UNORM, SCH_FORMAT_S8X24_UINT, 24},
    {SCH_FORMAT_Z32_FLOAT_S8X24_UINT, SCH_FORMAT_X32_S8X24_UINT, 1},
    {SCH_FORMAT_S8_UINT, SCH_FORMAT_S8_UINT, 0},
};

static struct sch_resource *make(struct sch_context *context, enum sch_format format)
{
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_2D, .format = format, .width = 4, .height = 4};
    struct sch_resource *resource = NULL;
    assert_int_equal(sch_resource_create(context, &options, NULL, &resource), SCH_OK);
    return resource;
}

/* The texel that a lookup fetches; `format` NONE: in the resource's. */
static uint32_t fetched(struct sch_resource *resource, enum sch_format format, int32_t x, int32_t y)
{
    const struct sch_view_options options = {.size = sizeof options, .format = format};
    const struct sch_lookup lookup = {.size = sizeof lookup, .operation = SCH_LOOKUP_FETCH, .texel = {x, y}};
    struct sch_view *view;
    uint32_t words[4];
    assert_int_equal(sch_view_create(resource, &options, &view), SCH_OK);
    assert_int_equal(sch_lookup_run(view, NULL, &lookup, 1, 0, &words), SCH_OK);
    sch_view_destroy(view);
    for (unsigned c = 1; c < 4; c++) assert_int_equal(words[c], words[0]); /* the value in all components */
    return words[0];
}

/* The texel that a shader loads from an image that it may not write. */
static uint32_t loaded(struct sch_context *context, struct sch_resource *resource, enum sch_format format, uint32_t x,
                       uint32_t y)
{
    static const char text[] = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL IMAGE[0], 2D, WR\nDCL TEMP[0]\n"
                               "  0: STORE IMAGE[0], IN[0], IN[0], 2D\n  1: LOAD TEMP[0], IMAGE[0], IN[0], 2D\n"
                               "  2: MOV OUT[0], TEMP[0]\n  3: END\n";
    const struct sch_image_options options = {.size = sizeof options, .format = format, .read_only = true};
    struct sch_image *image;
    assert_int_equal(sch_image_create(resource, &options, &image), SCH_OK);
    struct sch_program *program = api_program(context, text, 0);
    const struct sch_bindings bindings = {.size = sizeof bindings, .images = &image, .image_count = 1};
    const uint32_t in[4] = {x, y, 0, 0};
    uint32_t out[4];
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = 1,
                                         .inputs = in,
                                         .input_bytes = sizeof in,
                                         .input_registers = 1,
                                         .outputs = out,
                                         .output_bytes = sizeof out,
                                         .output_registers = 1};
    assert_int_equal(sch_dispatch(program, &bindings, &work, NULL, NULL), SCH_OK);
    sch_program_destroy(program);
    sch_image_destroy(image);
    return out[0];
}

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* What depth reads as that was written. */
static float stored_depth(unsigned unorm_bits, double depth)
{
    if (unorm_bits == 1) return (float)depth;
    const double most = (double)(((uint64_t)1 << unorm_bits) - 1);
    return (float)((double)(uint64_t)(depth * most + 0.5) / most); /* no tie among the numbers here */
}

static void check_texel(struct sch_context *context, struct sch_resource *resource, size_t f, int32_t x, int32_t y,
                        double depth, uint32_t stencil)
{
    if (formats[f].unorm_bits) {
        const uint32_t word = fetched(resource, SCH_FORMAT_NONE, x, y);
        if (float_of(word) != stored_depth(formats[f].unorm_bits, depth))
            fail_msg("format %d: depth %.9g, not %.9g", formats[f].format, (double)float_of(word), depth);
        assert_int_equal(loaded(context, resource, SCH_FORMAT_NONE, (uint32_t)x, (uint32_t)y), word);
    }
    if (!formats[f].stencil) return;
    assert_int_equal(fetched(resource, formats[f].stencil, x, y), stencil);
    assert_int_equal(loaded(context, resource, formats[f].stencil, (uint32_t)x, (uint32_t)y), stencil);
}

/* Each part by itself, in a box; images that shaders would store to are refused [GL 8.26]. */
static void parts_are_cleared_and_read(void **state)
{
    (void)state;
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t f = 0; f < COUNT(formats); f++) {
        struct sch_resource *resource = make(context, formats[f].format);
        const struct sch_clear all = {.size = sizeof all, .depth = 0.75f, .stencil = 0x1a5},
                               depth = {.size = sizeof depth,
                                        .box = {1, 1, 0, 2, 2, 1},
                                        .parts = SCH_PART_DEPTH,
                                        .depth = 0.3f,
                                        .stencil = 9},
                               stencil = {.size = sizeof stencil,
                                          .box = {2, 0, 0, 2, 4, 1},
                                          .parts = SCH_PART_STENCIL,
                                          .depth = 0.5f,
                                          .stencil = 7};
        assert_int_equal(sch_resource_clear(resource, &all, NULL), SCH_OK);
        assert_int_equal(sch_resource_clear(resource, &depth, NULL), SCH_OK);
        assert_int_equal(sch_resource_clear(resource, &stencil, NULL), SCH_OK);
        check_texel(context, resource, f, 0, 0, 0.75, 0xa5);
        check_texel(context, resource, f, 1, 1, (double)0.3f, 0xa5);
        check_texel(context, resource, f, 2, 2, (double)0.3f, 7);
        check_texel(context, resource, f, 3, 3, 0.75, 7);
        struct sch_image *image;
        assert_int_equal(sch_image_create(resource, NULL, &image), SCH_ERROR_UNSUPPORTED);
        sch_resource_destroy(resource);
    }
    sch_context_destroy(context);
}

/* From every format to every other: the parts that both have are moved, of which the others stay. */
static void parts_are_blitted(void **state)
{
    (void)state;
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t from = 0; from < COUNT(formats); from++)
        for (size_t to = 0; to < COUNT(formats); to++)
            for (unsigned part = 0; part < 3; part++) {
                static const uint32_t parts[] = {0, SCH_PART_DEPTH, SCH_PART_STENCIL};
                struct sch_resource *source = make(context, formats[from].format);
                struct sch_resource *resource = make(context, formats[to].format);
                const struct sch_clear before = {.size = sizeof before, .depth = 1, .stencil = 1},
                                       wanted = {.size = sizeof wanted, .depth = 0.25f, .stencil = 200};
                const struct sch_blit blit = {.size = sizeof blit, .parts = parts[part]};
                assert_int_equal(sch_resource_clear(resource, &before, NULL), SCH_OK);
                assert_int_equal(sch_resource_clear(source, &wanted, NULL), SCH_OK);
                assert_int_equal(sch_resource_blit(resource, source, &blit, NULL), SCH_OK);
                const bool depth = formats[from].unorm_bits && part != 2, stencil = formats[from].stencil && part != 1;
                const float moved = stored_depth(formats[from].unorm_bits ? formats[from].unorm_bits : 1, 0.25);
                check_texel(context, resource, to, 3, 2, depth ? (double)moved : 1, stencil ? 200 : 1);
                sch_resource_destroy(source);
                sch_resource_destroy(resource);
            }
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_cleared_and_read),
        cmocka_unit_test(parts_are_blitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
