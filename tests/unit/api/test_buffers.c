/* BUFFER resources as memory: ranges that take the place of pointers, wherever programs reach memory; the same bytes
 * under views and images of other formats. What they are beside that is test_resources.c and test_transfers.c. */
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

enum { WORDS = 64 };

static struct sch_resource *make_buffer(struct sch_context *context, const char *format, uint32_t elements)
{
    const struct sch_resource_options options = {
        .size = sizeof options, .target = SCH_TARGET_BUFFER, .format = sch_format_by_name(format), .width = elements};
    struct sch_resource *resource = NULL;
    assert_int_equal(sch_resource_create(context, &options, NULL, &resource), SCH_OK);
    return resource;
}

/* Word i is 100 + i. */
static struct sch_resource *numbered(struct sch_context *context, const char *format, uint32_t elements)
{
    struct sch_resource *resource = make_buffer(context, format, elements);
    uint32_t words[WORDS];
    for (uint32_t i = 0; i < WORDS; i++) words[i] = 100 + i;
    assert_int_equal(sch_resource_bytes(resource), sizeof words);
    assert_int_equal(sch_resource_write_all(resource, words, sizeof words), SCH_OK);
    return resource;
}

static void read_words(const struct sch_resource *resource, uint32_t words[WORDS])
{
    assert_int_equal(sch_resource_read_all(resource, words, WORDS * sizeof *words), SCH_OK);
}

/* What each kind of memory holds at its beginning, and a word of a texel. */
static const char reads[] = "VERT\nDCL OUT[0..1], GENERIC[0]\nDCL CONST[0]\nDCL CONST[1][0]\nDCL BUFFER[0]\n"
                            "DCL BUFFER[1]\nDCL HWATOMIC[0][0]\nDCL MEMORY[0], GLOBAL\nDCL MEMORY[1], INPUT\n"
                            "DCL SAMP[0]\nDCL SVIEW[0], BUFFER, UINT\nDCL TEMP[0..2]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                            "  0: LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n"
                            "  1: LOAD TEMP[2].x, BUFFER[1], IMM[0].xxxx\n  2: MOV TEMP[0].y, TEMP[2].xxxx\n"
                            "  3: LOAD TEMP[2].x, HWATOMIC[0][0], IMM[0].xxxx\n  4: MOV TEMP[0].z, TEMP[2].xxxx\n"
                            "  5: LOAD TEMP[2].x, MEMORY[0], IMM[0].xxxx\n  6: MOV TEMP[0].w, TEMP[2].xxxx\n"
                            "  7: LOAD TEMP[1].x, MEMORY[1], IMM[0].xxxx\n"
                            "  8: MOV TEMP[1].y, CONST[0].xxxx\n  9: MOV TEMP[1].z, CONST[1][0].yyyy\n"
                            " 10: TXF TEMP[2], IMM[0], SAMP[0], BUFFER\n 11: MOV TEMP[1].w, TEMP[2].xxxx\n"
                            " 12: MOV OUT[0], TEMP[0]\n 13: MOV OUT[1], TEMP[1]\n 14: END\n";

static void run(struct sch_context *context, const char *text, const struct sch_bindings *bindings,
                enum sch_result expected, struct sch_diagnostics_list *list, uint32_t out[2][4])
{
    struct sch_program *program = api_program(context, text, 0);
    const struct sch_invocations work = {
        .size = sizeof work, .count = 1, .outputs = out[0], .output_bytes = 32, .output_registers = 2};
    const struct sch_dispatch_options options = {.size = sizeof options, .diagnostics = list};
    assert_int_equal(sch_dispatch(program, bindings, &work, &options, NULL), expected);
    sch_program_destroy(program);
}

/* Ranges of one resource everywhere; pointers where there is no range, and behind the ranges' end. */
static void ranges_are_memory(void **state)
{
    (void)state;
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_resource *resource = numbered(context, "R8_UINT", 4 * WORDS);
    struct sch_view *view;
    const struct sch_view_options shown = {
        .size = sizeof shown, .format = sch_format_by_name("R32_UINT"), .first_element = 9, .element_count = 1};
    assert_int_equal(sch_view_create(resource, &shown, &view), SCH_OK);
    uint32_t own[4] = {7, 8, 9, 10}, out[2][4];
    const struct sch_constant_buffer constants[] = {{.resource = resource, .offset = 4, .bytes = 16},
                                                    {.data = own, .bytes = 16}};
    const struct sch_storage_buffer buffers[] = {{.data = own, .bytes = 16},
                                                 {.resource = resource, .offset = 40, .bytes = 8}},
                                    counters[] = {{.resource = resource, .offset = 80}};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .constants = constants,
                                          .constant_count = 2,
                                          .buffers = buffers,
                                          .buffer_count = 2,
                                          .views = &view,
                                          .view_count = 1,
                                          .hw_atomics = counters,
                                          .hw_atomic_count = 1,
                                          .global_memory = {.resource = resource, .offset = 120, .bytes = 4},
                                          .input_memory = {.resource = resource, .offset = 200, .bytes = 4}};
    run(context, reads, &bindings, SCH_OK, NULL, out);
    const uint32_t expected[2][4] = {{7, 110, 120, 130}, {150, 101, 8, 109}};
    assert_memory_equal(out, expected, sizeof out);

    /* Ranges alone, to the end of the resource. */
    struct sch_bindings more = bindings;
    const struct sch_constant_buffer read[] = {{.resource = resource, .offset = 8},
                                               {.resource = resource, .offset = 12}};
    const struct sch_storage_buffer written[] = {{.resource = resource, .offset = 8},
                                                 {.resource = resource, .offset = 12}};
    more.constants = read;
    more.buffers = written;
    run(context, reads, &more, SCH_OK, NULL, out);
    const uint32_t again[2][4] = {{102, 103, 120, 130}, {150, 102, 104, 109}};
    assert_memory_equal(out, again, sizeof out);

    /* An empty range is memory without bytes: everything reads 0. */
    struct sch_bindings empty = bindings;
    const struct sch_constant_buffer none = {.resource = resource, .offset = sizeof(uint32_t) * WORDS};
    const struct sch_storage_buffer empty_ones[] = {{.resource = resource, .offset = sizeof(uint32_t) * WORDS},
                                                    {.resource = resource, .offset = sizeof(uint32_t) * WORDS}};
    const struct sch_constant_buffer nones[] = {none, none};
    empty.constants = nones;
    empty.buffers = empty_ones;
    run(context, reads, &empty, SCH_OK, NULL, out);
    const uint32_t nothing[2][4] = {{0, 0, 120, 130}, {150, 0, 0, 109}};
    assert_memory_equal(out, nothing, sizeof out);
    sch_view_destroy(view);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

static void ranges_are_written(void **state)
{
    (void)state;
    static const char text[] = "VERT\nDCL OUT[0..1], GENERIC[0]\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL HWATOMIC[0][0]\n"
                               "DCL MEMORY[0], GLOBAL\nDCL TEMP[0..1]\nIMM[0] UINT32 {0, 4, 7, 8}\n"
                               "  0: STORE BUFFER[0].xy, IMM[0].yyyy, IMM[0].zwww\n"
                               "  1: ATOMUADD TEMP[0].x, BUFFER[1], IMM[0].xxxx, IMM[0].zzzz\n"
                               "  2: ATOMUADD TEMP[0].y, HWATOMIC[0][0], IMM[0].xxxx, IMM[0].yyyy\n"
                               "  3: STORE MEMORY[0].x, IMM[0].wwww, IMM[0].wwww\n"
                               "  4: MOV OUT[0], TEMP[0]\n  5: MOV OUT[1], TEMP[1]\n  6: END\n";
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_resource *resource = numbered(context, "R32G32B32A32_FLOAT", WORDS / 4);
    const struct sch_storage_buffer buffers[] = {{.resource = resource, .offset = 4, .bytes = 8},
                                                 {.resource = resource, .offset = 40, .bytes = 4}},
                                    counters[] = {{.resource = resource, .offset = 60, .bytes = 4}};
    const struct sch_bindings bindings = {.size = sizeof bindings,
                                          .buffers = buffers,
                                          .buffer_count = 2,
                                          .hw_atomics = counters,
                                          .hw_atomic_count = 1,
                                          .global_memory = {.resource = resource, .offset = 80}};
    uint32_t out[2][4], words[WORDS], expected[WORDS];
    run(context, text, &bindings, SCH_OK, NULL, out);
    for (uint32_t i = 0; i < WORDS; i++) expected[i] = 100 + i;
    expected[2] = 7; /* the range ends behind it: 8 is not written */
    expected[10] = 117;
    expected[15] = 119;
    expected[22] = 8;
    assert_int_equal(out[0][0], 110);
    assert_int_equal(out[0][1], 115);
    read_words(resource, words);
    assert_memory_equal(words, expected, sizeof words);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

static void wrong_ranges_are_refused(void **state)
{
    (void)state;
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    struct sch_resource *resource = numbered(context, "R32_UINT", WORDS), *flat = NULL;
    const struct sch_resource_options shape = {
        .size = sizeof shape, .target = SCH_TARGET_2D, .format = sch_format_by_name("R32_UINT"), .width = 16};
    assert_int_equal(sch_resource_create(context, &shape, NULL, &flat), SCH_OK);
    static const uint32_t own[4];
    const struct {
        struct sch_constant_buffer range;
        const char *why; /* after the name */
        bool constants;  /* refused there, too */
    } cases[] = {
        {{.resource = flat, .bytes = 4}, "the resource is not a BUFFER", true},
        {{.resource = resource, .offset = 257}, "0 bytes from 257 on, of 256", true},
        {{.resource = resource, .bytes = 257}, "257 bytes from 0 on, of 256", true},
        {{.resource = resource, .offset = 252, .bytes = 8}, "8 bytes from 252 on, of 256", true},
        {{.resource = resource, .offset = SIZE_MAX, .bytes = 2}, "2 bytes from 18446744073709551615 on, of 256", true},
        {{.resource = resource, .offset = 8, .bytes = SIZE_MAX}, "18446744073709551615 bytes from 8 on, of 256", true},
        {{.resource = resource, .data = own, .bytes = 16}, "memory and a resource", true},
        {{.data = own, .bytes = 8, .offset = 8}, "an offset without a resource", true},
        {{.resource = resource, .offset = 2, .bytes = 4}, "memory that is not aligned to words", false},
    };
    uint32_t out[2][4];
    size_t told = 0;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (unsigned where = 0; where < 5; where++) {
            static const char *const names[] = {"constants[1]", "buffers[1]", "hw_atomics[1]", "global_memory[0]",
                                                "input_memory[0]"};
            const struct sch_constant_buffer *wrong = &cases[i].range, constants[] = {{0}, *wrong};
            const struct sch_storage_buffer buffers[] = {{0},
                                                         {.data = (void *)(uintptr_t)wrong->data,
                                                          .bytes = wrong->bytes,
                                                          .resource = (struct sch_resource *)wrong->resource,
                                                          .offset = wrong->offset}};
            struct sch_bindings bindings = {.size = sizeof bindings,
                                            .constants = constants,
                                            .constant_count = where == 0 ? 2 : 0,
                                            .buffers = buffers,
                                            .buffer_count = where == 1 ? 2 : 0,
                                            .hw_atomics = buffers,
                                            .hw_atomic_count = where == 2 ? 2 : 0};
            if (where == 3) bindings.global_memory = buffers[1];
            if (where == 4) bindings.input_memory = constants[1];
            const bool read = where == 0 || where == 4, right = read && !cases[i].constants;
            run(context, reads, &bindings, right ? SCH_OK : SCH_ERROR_ARGUMENT, right ? NULL : list, out);
            if (right) continue;
            struct sch_diagnostic_info why = {.size = sizeof why};
            char expected[160];
            snprintf(expected, sizeof expected, "%s: %s", names[where], cases[i].why);
            assert_true(sch_diagnostics_get(list, told++, &why));
            assert_int_equal(why.code, 6300);
            assert_string_equal(why.message, expected);
        }
    /* A range is no reason to look beyond an array that is not there. */
    struct sch_bindings bindings = {
        .size = sizeof bindings, .constant_count = 1, .input_memory = {.resource = resource, .offset = 4}};
    struct sch_diagnostic_info why = {.size = sizeof why};
    run(context, reads, &bindings, SCH_ERROR_ARGUMENT, list, out);
    assert_true(sch_diagnostics_get(list, told++, &why));
    assert_string_equal(why.message, "constants: 1 of no array");
    sch_diagnostics_destroy(list);
    sch_resource_destroy(flat);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* ---- elements of any format ---- */

static void bytes_are_elements_of_any_format(void **state)
{
    (void)state;
    static const struct {
        const char *stored, *shown;
        uint32_t width, first, count, elements; /* 0 elements: ARGUMENT */
        uint32_t first_byte;
    } cases[] = {
        {"R8_UNORM", "R32G32B32A32_UINT", 100, 0, 0, 6, 0},
        {"R8_UNORM", "R32G32B32A32_UINT", 100, 5, 1, 1, 80},
        {"R8_UNORM", "R32G32B32A32_UINT", 100, 6, 0, 0, 0},
        {"R8_UNORM", "R32G32B32A32_UINT", 100, 2, 5, 0, 0},
        {"R8_UNORM", "R32G32B32A32_UINT", 15, 0, 0, 0, 0},
        {"R32G32B32A32_FLOAT", "R8_UINT", 3, 0, 0, 48, 0},
        {"R32G32B32A32_FLOAT", "R8_UINT", 3, 47, 0, 1, 47},
        {"R32_UINT", "R32G32B32_UINT", 10, 0, 0, 3, 0},
        {"R32_UINT", "R32G32B32_UINT", 10, 1, 2, 2, 12},
        {"R16_UINT", "R16_UINT", 7, 3, 0, 4, 6},
        {"R16_UINT", "YUYV", 7, 0, 0, 6, 0},
        {"R16_UINT", "YUYV", 7, 2, 0, 4, 4},
        {"R16_UINT", "YUYV", 7, 1, 0, 0, 0},
        {"YUYV", "R8_UINT", 5, 0, 0, 12, 0},
        {"R8_UNORM", "DXT1_RGB", 64, 0, 0, 0, 0},
    };
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_resource *resource = make_buffer(context, cases[i].stored, cases[i].width);
        const size_t bytes = sch_resource_bytes(resource);
        uint8_t *texels = malloc(bytes);
        assert_non_null(texels);
        for (size_t b = 0; b < bytes; b++) texels[b] = (uint8_t)(b + 1);
        assert_int_equal(sch_resource_write_all(resource, texels, bytes), SCH_OK);
        const struct sch_view_options options = {.size = sizeof options,
                                                 .format = sch_format_by_name(cases[i].shown),
                                                 .first_element = cases[i].first,
                                                 .element_count = cases[i].count};
        const struct sch_image_options image_options = {.size = sizeof image_options,
                                                        .format = options.format,
                                                        .read_only = true,
                                                        .first_element = cases[i].first,
                                                        .element_count = cases[i].count};
        struct sch_view *view = NULL;
        struct sch_image *image = NULL;
        const enum sch_result expected = cases[i].elements ? SCH_OK : SCH_ERROR_ARGUMENT;
        if (sch_view_create(resource, &options, &view) != expected) fail_msg("view %zu", i);
        if (sch_image_create(resource, &image_options, &image) != expected) fail_msg("image %zu", i);
        if (view) {
            const struct sch_lookup size = {.size = sizeof size, .operation = SCH_LOOKUP_SIZE};
            struct sch_lookup fetch = {.size = sizeof fetch, .operation = SCH_LOOKUP_FETCH};
            uint32_t words[4];
            assert_int_equal(sch_lookup_run(view, NULL, &size, 1, 0, &words), SCH_OK);
            assert_int_equal(words[0], cases[i].elements);
            assert_int_equal(sch_lookup_run(view, NULL, &fetch, 1, 0, &words), SCH_OK);
            uint32_t first;
            memcpy(&first, texels + cases[i].first_byte, 4 < bytes - cases[i].first_byte ? 4 : 1);
            if (strstr(cases[i].shown, "R32")) assert_int_equal(words[0], first);
            if (strcmp(cases[i].shown, "R8_UINT") == 0) assert_int_equal(words[0], texels[cases[i].first_byte]);
            if (strcmp(cases[i].shown, "R16_UINT") == 0)
                assert_int_equal(words[0], texels[cases[i].first_byte] + 256 * texels[cases[i].first_byte + 1]);
            fetch.texel[0] = cases[i].elements;
            assert_int_equal(sch_lookup_run(view, NULL, &fetch, 1, 0, &words), SCH_OK);
            assert_int_equal(words[0], 0);
        }
        sch_image_destroy(image);
        sch_view_destroy(view);
        sch_resource_destroy(resource);
        free(texels);
    }
    sch_context_destroy(context);
}

/* An image of a range stores in it, and a view of the whole sees it. */
static void images_store_elements(void **state)
{
    (void)state;
    static const char text[] =
        "VERT\nDCL OUT[0..1], GENERIC[0]\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\n"
        "DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 77}\n"
        "  0: STORE IMAGE[0], IMM[0].yyyy, IMM[0].wwww, BUFFER, PIPE_FORMAT_R32_UINT\n"
        "  1: STORE IMAGE[0], IMM[0].zzzz, IMM[0].wwww, BUFFER, PIPE_FORMAT_R32_UINT\n"
        "  2: ATOMUADD TEMP[0].x, IMAGE[0], IMM[0].xxxx, IMM[0].yyyy, BUFFER, PIPE_FORMAT_R32_UINT\n"
        "  3: MOV OUT[0], TEMP[0]\n  4: END\n";
    struct sch_context *context;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_resource *resource = numbered(context, "R8_UINT", 4 * WORDS);
    const struct sch_image_options options = {
        .size = sizeof options, .format = sch_format_by_name("R32_UINT"), .first_element = 5, .element_count = 2};
    struct sch_image *image;
    uint32_t out[2][4], words[WORDS], expected[WORDS];
    assert_int_equal(sch_image_create(resource, &options, &image), SCH_OK);
    const struct sch_bindings bindings = {.size = sizeof bindings, .images = &image, .image_count = 1};
    run(context, text, &bindings, SCH_OK, NULL, out);
    assert_int_equal(out[0][0], 105);
    for (uint32_t i = 0; i < WORDS; i++) expected[i] = 100 + i;
    expected[5] = 106;
    expected[6] = 77; /* and the texel behind the range is not stored */
    read_words(resource, words);
    assert_memory_equal(words, expected, sizeof words);
    sch_image_destroy(image);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* ---- refusals of views and images ---- */

static void views_say_what_is_wrong(void **state)
{
    (void)state;
    const struct {
        struct sch_view_options view; /* of 8 x 4 texels of R8G8B8A8_UNORM, 3 levels, 7 layers */
        const char *why;
    } cases[] = {
        {{.has_target = true, .target = SCH_TARGET_3D}, "view: 3D of a resource that is 2D_ARRAY"},
        {{.has_target = true, .target = SCH_TARGET_SHADOW2D}, "view: SHADOW2D of a resource that is 2D_ARRAY"},
        {{.has_target = true, .target = SCH_TARGET_CUBE}, "view: CUBE of 8 x 4 texels"},
        {{.has_target = true, .target = SCH_TARGET_2D, .layer_count = 2}, "view: 2 layers are not 2D"},
        {{.has_target = true, .target = SCH_TARGET_RECT, .level_count = 2}, "view: 2 levels are not RECT"},
        {{.format = 1}, "view: format R64_UINT has other blocks than the resource's, R8G8B8A8_UNORM"},
        {{.first_level = 3}, "view: 0 levels from 3 on, of 3"},
        {{.first_level = 1, .level_count = 3}, "view: 3 levels from 1 on, of 3"},
        {{.first_layer = 6, .layer_count = 2}, "view: 2 layers from 6 on, of 7"},
        {{.first_layer = 7}, "view: 0 layers from 7 on, of 7"},
        {{.element_count = 1}, "view: only a BUFFER has elements"},
        {{.min_lod = -1}, "view: min_lod -1"},
        {{.min_lod = 128}, "view: min_lod 128"},
    };
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    const struct sch_resource_options shape = {.size = sizeof shape,
                                               .target = SCH_TARGET_2D_ARRAY,
                                               .format = sch_format_by_name("R8G8B8A8_UNORM"),
                                               .width = 8,
                                               .height = 4,
                                               .levels = 3,
                                               .layers = 7};
    struct sch_resource *resource, *bytes, *depth, *volume;
    struct sch_diagnostic_info why = {.size = sizeof why};
    size_t told = 0;
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
    assert_int_equal(sch_resource_create(context, &shape, NULL, &resource), SCH_OK);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_view_options options = cases[i].view;
        struct sch_view *view = (void *)&options;
        options.size = sizeof options;
        options.diagnostics = list;
        assert_int_equal(sch_view_create(resource, &options, &view), SCH_ERROR_ARGUMENT);
        assert_null(view);
        assert_true(sch_diagnostics_get(list, told++, &why));
        assert_int_equal(why.code, 6300);
        assert_string_equal(why.message, cases[i].why);
    }
    bytes = make_buffer(context, "R8_UINT", 32);
    const struct sch_view_options odd = {
        .size = sizeof odd, .format = sch_format_by_name("YUYV"), .first_element = 3, .diagnostics = list};
    struct sch_view *view;
    assert_int_equal(sch_view_create(bytes, &odd, &view), SCH_ERROR_ARGUMENT);
    assert_true(sch_diagnostics_get(list, told++, &why));
    assert_string_equal(why.message, "view: elements from 3 on, in blocks of 2");

    /* Shaders store no depth [OpenGL 4.6, 8.26]: it is written by clears, copies and blits, and by depth tests. */
    struct sch_resource_options other = shape;
    other.format = sch_format_by_name("Z24_UNORM_S8_UINT");
    assert_int_equal(sch_resource_create(context, &other, NULL, &depth), SCH_OK);
    struct sch_image *image;
    struct sch_image_options options = {.size = sizeof options, .diagnostics = list};
    assert_int_equal(sch_image_create(depth, &options, &image), SCH_ERROR_UNSUPPORTED);
    assert_true(sch_diagnostics_get(list, told++, &why));
    assert_int_equal(why.code, 6005);
    assert_string_equal(why.message, "image: shaders store no texels of format Z24_UNORM_S8_UINT");
    options.read_only = true;
    assert_int_equal(sch_image_create(depth, &options, &image), SCH_OK);
    sch_image_destroy(image);
    other = (struct sch_resource_options){
        .size = sizeof other, .target = SCH_TARGET_3D, .format = shape.format, .width = 2, .depth = 4};
    assert_int_equal(sch_resource_create(context, &other, NULL, &volume), SCH_OK);
    options =
        (struct sch_image_options){.size = sizeof options, .first_layer = 3, .layer_count = 2, .diagnostics = list};
    assert_int_equal(sch_image_create(volume, &options, &image), SCH_ERROR_ARGUMENT);
    assert_true(sch_diagnostics_get(list, told++, &why));
    assert_string_equal(why.message, "view: 2 slices from 3 on, of 4");
    assert_int_equal(sch_diagnostics_count(list), told);
    sch_diagnostics_destroy(list);
    sch_resource_destroy(volume);
    sch_resource_destroy(depth);
    sch_resource_destroy(bytes);
    sch_resource_destroy(resource);
    sch_context_destroy(context);
}

/* ---- lifetimes ---- */

/* Views and images keep their resource: what is bound is read and written when its handle is gone. */
static void what_is_viewed_stays(void **state)
{
    (void)state;
    static const char text[] =
        "VERT\nDCL OUT[0..1], GENERIC[0]\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, UINT\n"
        "DCL IMAGE[0], BUFFER, PIPE_FORMAT_R32_UINT, WR\nDCL TEMP[0]\nIMM[0] UINT32 {0, 3, 9, 0}\n"
        "  0: STORE IMAGE[0], IMM[0].yyyy, IMM[0].zzzz, BUFFER, PIPE_FORMAT_R32_UINT\n"
        "  1: TXF TEMP[0], IMM[0].yyyx, SAMP[0], BUFFER\n"
        "  2: MOV OUT[0], TEMP[0]\n  3: END\n";
    struct sch_context *context;
    struct sch_context_memory some = {.size = sizeof some}, end = {.size = sizeof end};
    assert_int_equal(sch_context_create(NULL, &context), SCH_OK);
    struct sch_resource *resource = numbered(context, "R32_UINT", WORDS);
    struct sch_view *view;
    struct sch_image *image;
    uint32_t out[2][4];
    assert_int_equal(sch_view_create(resource, NULL, &view), SCH_OK);
    assert_int_equal(sch_image_create(resource, NULL, &image), SCH_OK);
    sch_resource_destroy(resource);
    const struct sch_bindings bindings = {
        .size = sizeof bindings, .views = &view, .view_count = 1, .images = &image, .image_count = 1};
    run(context, text, &bindings, SCH_OK, NULL, out);
    assert_int_equal(out[0][0], 9);
    sch_view_destroy(view);
    assert_int_equal(sch_context_get_memory(context, &some), SCH_OK);
    sch_image_destroy(image); /* the image kept the texels */
    assert_int_equal(sch_context_get_memory(context, &end), SCH_OK);
    assert_true(some.held > end.held + WORDS * 4);
    sch_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_memory),        cmocka_unit_test(ranges_are_written),
        cmocka_unit_test(wrong_ranges_are_refused), cmocka_unit_test(bytes_are_elements_of_any_format),
        cmocka_unit_test(images_store_elements),    cmocka_unit_test(views_say_what_is_wrong),
        cmocka_unit_test(what_is_viewed_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
