/* Objects of draws: what each refuses and by which name, what defaults are, sizes of structs, and the order in which
 * objects may be destroyed. Draws nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "../support/api_program.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What the tests make objects with. */
static struct sch_context *context;
static struct sch_diagnostics_list *list;

static int begin(void **state)
{
    (void)state;
    context = api_context();
    return sch_diagnostics_create(context, &list) == SCH_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    return 0;
}

/* The newest report is an error of this number, which names this. */
static void assert_told(unsigned number, const char *what)
{
    struct sch_diagnostic_info told = {.size = sizeof told};
    const size_t count = sch_diagnostics_count(list);
    assert_true(count > 0);
    assert_true(sch_diagnostics_get(list, count - 1, &told));
    assert_int_equal(told.code, number);
    if (!strstr(told.message, what)) fail_msg("\"%s\" does not say \"%s\"", told.message, what);
    sch_diagnostics_destroy(list); /* the next report is the first of another one */
    assert_int_equal(sch_diagnostics_create(context, &list), SCH_OK);
}

/* ---- members of states ---- */

/* A member of options with another value. */
struct change {
    size_t offset, bytes;
    uint64_t value;
    const char *told; /* what is said; NULL: nothing, it is right */
};
#define WORD(type, member, value, told)                                                                                \
    {                                                                                                                  \
        offsetof(type, member), sizeof(((type *)0)->member), value, told                                               \
    }
enum { NOT_A_NUMBER = 0x7fc00000, INFINITE = 0x7f800000, ONE = 0x3f800000 };
#define NEGATIVE 0xbf800000u

static enum sch_result make_rasterizer(const void *options)
{
    struct sch_rasterizer *made = (void *)&made;
    const enum sch_result result = sch_rasterizer_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_rasterizer_destroy(made);
    return result;
}

static enum sch_result make_depth_stencil_alpha(const void *options)
{
    struct sch_depth_stencil_alpha *made = (void *)&made;
    const enum sch_result result = sch_depth_stencil_alpha_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_depth_stencil_alpha_destroy(made);
    return result;
}

static enum sch_result make_blend(const void *options)
{
    struct sch_blend *made = (void *)&made;
    const enum sch_result result = sch_blend_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_blend_destroy(made);
    return result;
}

static enum sch_result make_stream_output(const void *options)
{
    struct sch_stream_output *made = (void *)&made;
    const enum sch_result result = sch_stream_output_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_stream_output_destroy(made);
    return result;
}

/* Each change alone, to a copy of `options`. */
static void try_changes(enum sch_result (*make)(const void *), const void *options, size_t bytes,
                        const struct change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct change *c = &changes[i];
        unsigned char *copy = malloc(bytes);
        assert_non_null(copy);
        memcpy(copy, options, bytes);
        memcpy(copy + c->offset, &c->value, c->bytes);
        const enum sch_result result = make(copy);
        free(copy);
        if ((result == SCH_OK) != !c->told) fail_msg("change %zu (%s): %s", i, c->told, sch_result_text(result));
        if (!c->told) continue;
        assert_int_equal(result, SCH_ERROR_ARGUMENT);
        assert_told(6300, c->told);
    }
    assert_int_equal(make(NULL), SCH_OK);
    assert_int_equal(make(options), SCH_OK);
}

/* A struct of another size: too small is wrong, larger is right where what is unknown is zero. */
static void try_sizes(enum sch_result (*make)(const void *), const void *options, size_t bytes)
{
    unsigned char *larger = calloc(2, bytes);
    assert_non_null(larger);
    const size_t sizes[] = {0, bytes - 1, 2 * bytes};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        memcpy(larger, options, bytes);
        memcpy(larger, &sizes[i], sizeof sizes[i]);
        assert_int_equal(make(larger), sizes[i] < bytes ? SCH_ERROR_ARGUMENT : SCH_OK);
    }
    larger[bytes] = 1;
    assert_int_equal(make(larger), SCH_ERROR_ARGUMENT);
    free(larger);
}

static void rasterizers_say_what_is_wrong(void **state)
{
    (void)state;
    typedef struct sch_rasterizer_options T;
    static const struct change changes[] = {
        WORD(T, cull_face, 3, NULL),
        WORD(T, cull_face, 4, "cull_face 4"),
        WORD(T, fill_front, SCH_FILL_POINT, NULL),
        WORD(T, fill_front, 3, "fill_front 3"),
        WORD(T, fill_back, SCH_FILL_POINT, NULL),
        WORD(T, fill_back, UINT32_MAX, "fill_back 4294967295"),
        WORD(T, offset_units, INFINITE, NULL),
        WORD(T, offset_units, NOT_A_NUMBER, "offset_units is NaN"),
        WORD(T, offset_scale, NEGATIVE, NULL),
        WORD(T, offset_scale, NOT_A_NUMBER, "offset_scale is NaN"),
        WORD(T, offset_clamp, NOT_A_NUMBER, NULL), /* as 0 */
        WORD(T, point_size, 0, NULL),
        WORD(T, point_size, INFINITE, NULL), /* as SCH_POINT_SIZE_MAX */
        WORD(T, point_size, NEGATIVE, "point_size -1"),
        WORD(T, point_size, NOT_A_NUMBER, "point_size nan"),
        WORD(T, line_width, INFINITE, NULL),
        WORD(T, line_width, NEGATIVE, "line_width -1"),
        WORD(T, sprite_coord_enable, UINT32_MAX, NULL),
        WORD(T, sprite_coord_mode, SCH_SPRITE_LOWER_LEFT, NULL),
        WORD(T, sprite_coord_mode, 2, "sprite_coord_mode 2"),
        WORD(T, line_stipple_factor, 0, NULL),
        WORD(T, line_stipple_factor, 256, NULL),
        WORD(T, line_stipple_factor, 257, "line_stipple_factor 257"),
        WORD(T, conservative, 3, "conservative 3"),
        WORD(T, conservative_dilate, 0x3f400000, NULL), /* 0.75 */
        WORD(T, conservative_dilate, ONE, "conservative_dilate 1"),
        WORD(T, conservative_dilate, NOT_A_NUMBER, "conservative_dilate nan"),
        WORD(T, clip_plane_enable, 255, NULL),
        WORD(T, clip_plane_enable, 256, "clip_plane_enable 256"),
    };
    struct sch_rasterizer_options options = {.size = sizeof options};
    assert_int_equal(sch_rasterizer_options_default(&options), SCH_OK);
    try_changes(make_rasterizer, &options, sizeof options, changes, COUNT(changes));
    try_sizes(make_rasterizer, &options, sizeof options);
}

static void depth_stencil_alpha_says_what_is_wrong(void **state)
{
    (void)state;
    typedef struct sch_depth_stencil_alpha_options T;
    static const struct change changes[] = {
        WORD(T, depth_function, SCH_COMPARE_ALWAYS, NULL),
        WORD(T, depth_function, SCH_COMPARE_NONE, "depth_function 0"),
        WORD(T, depth_function, 9, "depth_function 9"),
        WORD(T, depth_bounds_min, NEGATIVE, NULL),
        WORD(T, depth_bounds_min, NOT_A_NUMBER, "depth_bounds_min is NaN"),
        WORD(T, depth_bounds_max, NOT_A_NUMBER, "depth_bounds_max is NaN"),
        WORD(T, stencil[0].enabled, 0, "stencil[1] is enabled without stencil[0]"),
        WORD(T, stencil[1].enabled, 0, NULL),
        WORD(T, stencil[0].function, SCH_COMPARE_NONE, "function 0"),
        WORD(T, stencil[0].function, 9, "stencil[0].function 9"),
        WORD(T, stencil[1].function, SCH_COMPARE_NONE, "function 0"),
        WORD(T, stencil[0].fail, SCH_STENCIL_INVERT, NULL),
        WORD(T, stencil[0].fail, 8, "stencil[0].fail 8"),
        WORD(T, stencil[1].depth_fail, 8, "stencil[1].depth_fail 8"),
        WORD(T, stencil[1].pass, UINT32_MAX, "stencil[1].pass"),
        WORD(T, alpha_function, SCH_COMPARE_NONE, "alpha_function 0"),
        WORD(T, alpha_reference, NOT_A_NUMBER, "alpha_reference is NaN"),
    };
    struct sch_depth_stencil_alpha_options options = {.size = sizeof options};
    assert_int_equal(sch_depth_stencil_alpha_options_default(&options), SCH_OK);
    options.depth_enabled = options.stencil[0].enabled = options.stencil[1].enabled = options.alpha_enabled = true;
    try_changes(make_depth_stencil_alpha, &options, sizeof options, changes, COUNT(changes));
    try_sizes(make_depth_stencil_alpha, &options, sizeof options);

    /* A function that is not used need not be one that is set. */
    struct sch_depth_stencil_alpha_options off = {.size = sizeof off};
    assert_int_equal(make_depth_stencil_alpha(&off), SCH_OK);
    off.alpha_function = (enum sch_compare)9;
    assert_int_equal(make_depth_stencil_alpha(&off), SCH_ERROR_ARGUMENT);
    assert_told(6300, "alpha_function 9");
}

static void blends_say_what_is_wrong(void **state)
{
    (void)state;
    typedef struct sch_blend_options T;
    static const struct change changes[] = {
        WORD(T, targets[0].color_equation, SCH_BLEND_MAX, NULL),
        WORD(T, targets[0].color_equation, 5, "color_equation 5"),
        WORD(T, targets[0].alpha_equation, UINT32_MAX, "alpha_equation"),
        WORD(T, targets[0].color_source, 0, "color_source 0"),
        WORD(T, targets[0].color_source, 11, "color_source 11"),
        WORD(T, targets[0].color_source, 16, "color_source 16"),
        WORD(T, targets[0].color_destination, 22, "color_destination 22"),
        WORD(T, targets[0].alpha_source, 27, "alpha_source 27"),
        WORD(T, targets[0].alpha_destination, UINT32_MAX, "alpha_destination"),
        WORD(T, targets[0].color_destination, SCH_FACTOR_INV_SRC1_ALPHA, NULL),
        WORD(T, targets[0].alpha_source, SCH_FACTOR_SRC1_ALPHA, NULL),
        WORD(T, targets[1].color_source, 0, "color_source 0"),
        WORD(T, targets[7].color_mask, 16, "color_mask 16"),
        WORD(T, targets[7].alpha_source, SCH_FACTOR_SRC1_COLOR, "targets[7] has a factor of the second source"),
        WORD(T, targets[1].color_destination, SCH_FACTOR_INV_SRC1_COLOR, "targets[1] has a factor"),
        WORD(T, logic_operation, SCH_LOGIC_SET, NULL),
        WORD(T, logic_operation, 16, "logic_operation 16"),
        WORD(T, advanced, SCH_ADVANCED_HSL_LUMINOSITY, NULL),
        WORD(T, advanced, 16, "advanced 16"),
    };
    struct sch_blend_options options = {.size = sizeof options};
    assert_int_equal(sch_blend_options_default(&options), SCH_OK);
    options.independent = true;
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) options.targets[i].enabled = true;
    try_changes(make_blend, &options, sizeof options, changes, COUNT(changes));
    try_sizes(make_blend, &options, sizeof options);

    /* One target for all: the others say nothing. MIN uses no factors. What is not enabled has none. */
    options.independent = false;
    memset(&options.targets[1], 255, sizeof options.targets[1]);
    options.targets[1].enabled = true;
    assert_int_equal(make_blend(&options), SCH_OK);
    const struct sch_blend_options least = {
        .size = sizeof least,
        .targets = {{.enabled = true, .color_equation = SCH_BLEND_MIN, .alpha_equation = SCH_BLEND_MAX}}};
    assert_int_equal(make_blend(&least), SCH_OK);
    const struct sch_blend_options nothing = {.size = sizeof nothing};
    assert_int_equal(make_blend(&nothing), SCH_OK);
}

static void stream_output_says_what_is_wrong(void **state)
{
    (void)state;
    typedef struct sch_stream_output_options T;
    static const struct change changes[] = {
        WORD(T, register_count, 64, "registers[2] has 0 components"),
        WORD(T, register_count, 65, "register_count 65"),
        WORD(T, registers[1].first_component, 2, NULL),
        WORD(T, registers[1].first_component, 3, "registers[1] has 2 components from 3"),
        WORD(T, registers[1].first_component, 255, "registers[1] has 2 components from 255"),
        WORD(T, registers[1].component_count, 0, "registers[1] has 0 components"),
        WORD(T, registers[1].component_count, 5, "registers[1] has 5 components"),
        WORD(T, registers[0].buffer, 4, "buffer 4"),
        WORD(T, registers[0].stream, 4, "stream 4"),
        WORD(T, registers[0].stream, 1, "registers[0] and [1] have streams 1 and 0 in one buffer"),
        WORD(T, registers[0].buffer, 1, "registers[0] has 4 words from 0 on, of a vertex of 0"),
        WORD(T, registers[1].offset, 7, "registers[1] has 2 words from 7 on, of a vertex of 8"),
        WORD(T, registers[1].offset, UINT32_MAX, "of a vertex of 8"),
        WORD(T, registers[1].output, UINT32_MAX, NULL),
    };
    const struct sch_stream_output_options options = {
        .size = sizeof options,
        .stride = {8},
        .register_count = 2,
        .registers = {{.component_count = 4}, {.first_component = 1, .component_count = 2, .offset = 6}}};
    try_changes(make_stream_output, &options, sizeof options, changes, COUNT(changes));
    try_sizes(make_stream_output, &options, sizeof options);
}

/* ---- targets ---- */

static enum sch_result make_target(const void *options)
{
    struct sch_stream_target *made = (void *)&made;
    const enum sch_result result = sch_stream_target_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_stream_target_destroy(made);
    return result;
}

static void targets_say_what_is_wrong(void **state)
{
    (void)state;
    struct sch_resource_options shape = {
        .size = sizeof shape, .target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = 25};
    struct sch_resource *buffer, *picture;
    struct sch_stream_target *target;
    assert_int_equal(sch_resource_create(context, &shape, list, &buffer), SCH_OK);
    shape.target = SCH_TARGET_2D;
    shape.height = 1;
    assert_int_equal(sch_resource_create(context, &shape, list, &picture), SCH_OK);
    struct sch_stream_target_options options = {.size = sizeof options, .resource = buffer, .offset = 8, .bytes = 90};
    assert_int_equal(make_target(&options), SCH_OK);
    options.bytes = 93;
    assert_int_equal(make_target(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "93 bytes from 8 on, of 100");
    options.offset = 104;
    assert_int_equal(make_target(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "from 104 on");
    options.offset = 6;
    assert_int_equal(make_target(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "no multiple of 4");
    options = (struct sch_stream_target_options){.size = sizeof options, .resource = picture};
    assert_int_equal(make_target(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "not a BUFFER");
    options.resource = NULL;
    assert_int_equal(make_target(&options), SCH_ERROR_ARGUMENT);
    assert_int_equal(make_target(NULL), SCH_ERROR_ARGUMENT);
    options = (struct sch_stream_target_options){.size = sizeof options - 1, .resource = buffer};
    assert_int_equal(make_target(&options), SCH_ERROR_ARGUMENT);
    options.size++;
    options.offset = 12;
    assert_int_equal(sch_stream_target_create(context, &options, NULL, &target), SCH_OK);
    sch_resource_destroy(buffer); /* the target has its bytes */
    assert_int_equal(sch_stream_target_get_filled(target), 0);
    assert_int_equal(sch_stream_target_set_filled(target, 88), SCH_OK);
    assert_int_equal(sch_stream_target_get_filled(target), 88);
    assert_int_equal(sch_stream_target_set_filled(target, 92), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_stream_target_set_filled(target, 86), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_stream_target_set_filled(NULL, 0), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_stream_target_get_filled(target), 88);
    assert_int_equal(sch_stream_target_get_filled(NULL), 0);
    sch_stream_target_destroy(target);
    sch_stream_target_destroy(NULL);
    sch_resource_destroy(picture);
}

/* ---- defaults ---- */

/* The words of include/scheelite/draw.h: "nothing that changes pixels unasked". */
static void defaults_are_what_the_header_says(void **state)
{
    (void)state;
    struct sch_rasterizer_options r = {.size = sizeof r};
    assert_int_equal(sch_rasterizer_options_default(&r), SCH_OK);
    assert_int_equal(r.size, sizeof r);
    assert_true(r.half_pixel_center && r.depth_clip_near && r.depth_clip_far && r.front_ccw && r.multisample);
    assert_true(r.fill_front == SCH_FILL_SOLID && r.fill_back == SCH_FILL_SOLID && r.cull_face == 0);
    assert_true(r.point_size == 1 && r.line_width == 1);
    assert_false(r.scissor || r.poly_smooth || r.poly_stipple_enable || r.line_smooth || r.line_stipple_enable ||
                 r.point_smooth || r.rasterizer_discard || r.offset_tri || r.flatshade);

    struct sch_depth_stencil_alpha_options d = {.size = sizeof d};
    assert_int_equal(sch_depth_stencil_alpha_options_default(&d), SCH_OK);
    assert_false(d.depth_enabled || d.depth_writes || d.depth_bounds || d.stencil[0].enabled || d.stencil[1].enabled ||
                 d.alpha_enabled);

    struct sch_blend_options b = {.size = sizeof b};
    assert_int_equal(sch_blend_options_default(&b), SCH_OK);
    assert_false(b.independent || b.logic_enabled || b.alpha_to_coverage || b.alpha_to_one || b.advanced);
    for (unsigned i = 0; i < SCH_COLOR_BUFFERS; i++) {
        assert_false(b.targets[i].enabled);
        assert_int_equal(b.targets[i].color_mask, 15);
    }

    struct sch_dynamic_state s = {.size = sizeof s};
    assert_int_equal(sch_dynamic_state_default(&s), SCH_OK);
    assert_int_equal(s.viewport_count, 1);
    assert_int_equal(s.sample_mask, UINT32_MAX);
    for (unsigned i = 0; i < 3; i++) assert_true(s.viewports[0].scale[i] == 1 && s.viewports[0].translate[i] == 0);
    for (unsigned i = 0; i < SCH_VIEWPORTS; i++)
        assert_true(s.scissors[i].left == 0 && s.scissors[i].top == 0 && s.scissors[i].right >= SCH_FRAMEBUFFER_SIDE &&
                    s.scissors[i].bottom >= SCH_FRAMEBUFFER_SIDE);
    for (unsigned i = 0; i < 32; i++) assert_int_equal(s.polygon_stipple[i], UINT32_MAX);
}

/* A caller whose struct is larger than the library's has zeros behind; a size that is not set writes nothing. */
static void defaults_fill_what_there_is(void **state)
{
    (void)state;
    struct {
        struct sch_blend_options options;
        uint64_t newer, beyond;
    } larger;
    memset(&larger, 255, sizeof larger);
    larger.options.size = sizeof larger.options + sizeof larger.newer;
    assert_int_equal(sch_blend_options_default(&larger.options), SCH_OK);
    assert_int_equal(larger.options.size, sizeof larger.options + sizeof larger.newer);
    assert_int_equal(larger.newer, 0);
    assert_int_equal(larger.beyond, UINT64_MAX);
    assert_int_equal(make_blend(&larger.options), SCH_OK);

    struct sch_rasterizer_options unset = {.size = 0, .cull_face = 2};
    assert_int_equal(sch_rasterizer_options_default(&unset), SCH_ERROR_ARGUMENT);
    assert_int_equal(unset.cull_face, 2);
    unset.size = sizeof unset - 1;
    assert_int_equal(sch_rasterizer_options_default(&unset), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_rasterizer_options_default(NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_depth_stencil_alpha_options_default(NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_blend_options_default(NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_dynamic_state_default(NULL), SCH_ERROR_ARGUMENT);
}

/* ---- vertex elements ---- */

static enum sch_result try_elements(const struct sch_vertex_element *elements, uint32_t count, size_t stride)
{
    struct sch_vertex_elements *made = (void *)&made;
    const enum sch_result result = sch_vertex_elements_create(context, elements, count, stride, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_vertex_elements_destroy(made);
    return result;
}

static void vertex_elements_say_what_is_wrong(void **state)
{
    (void)state;
    struct sch_vertex_element elements[SCH_VERTEX_ELEMENTS + 1] = {0};
    const size_t stride = sizeof *elements;
    for (unsigned i = 0; i < COUNT(elements); i++) elements[i].format = SCH_FORMAT_R32G32_FLOAT;
    assert_int_equal(try_elements(NULL, 0, 0), SCH_OK);
    assert_int_equal(try_elements(elements, SCH_VERTEX_ELEMENTS, stride), SCH_OK);
    assert_int_equal(try_elements(elements, SCH_VERTEX_ELEMENTS + 1, stride), SCH_ERROR_LIMIT);
    assert_int_equal(try_elements(elements, UINT32_MAX, stride), SCH_ERROR_LIMIT);
    assert_int_equal(try_elements(NULL, 1, stride), SCH_ERROR_ARGUMENT);
    assert_int_equal(try_elements(elements, 1, stride - 1), SCH_ERROR_ARGUMENT);
    assert_int_equal(try_elements(elements, 1, 2 * stride), SCH_ERROR_ARGUMENT); /* what is behind is not zero */
    assert_int_equal(sch_vertex_elements_create(context, elements, 1, stride, list, NULL), SCH_ERROR_ARGUMENT);

    elements[5].buffer = SCH_VERTEX_BUFFERS - 1;
    assert_int_equal(try_elements(elements, 6, stride), SCH_OK);
    elements[5].buffer = SCH_VERTEX_BUFFERS;
    assert_int_equal(try_elements(elements, 6, stride), SCH_ERROR_ARGUMENT);
    assert_told(6020, "vertex element 5");
    elements[5].buffer = 0;
    elements[3].format = (enum sch_format)65536;
    assert_int_equal(try_elements(elements, 6, stride), SCH_ERROR_ARGUMENT);
    assert_told(6300, "vertex element 3: format 65536");
    elements[3].format = SCH_FORMAT_Z24_UNORM_S8_UINT;
    assert_int_equal(try_elements(elements, 6, stride), SCH_ERROR_UNSUPPORTED);
    assert_told(6020, "vertex element 3");
    elements[3].format = SCH_FORMAT_R64G64B64_UINT;
    elements[3].two_registers = true;
    assert_int_equal(try_elements(elements, 6, stride), SCH_ERROR_ARGUMENT); /* IN[4] is fed */
    assert_told(6020, "vertex element 3");
    elements[4] = (struct sch_vertex_element){.format = SCH_FORMAT_NONE};
    assert_int_equal(try_elements(elements, 6, stride), SCH_OK);
    sch_vertex_elements_destroy(NULL);
}

/* ---- surfaces ---- */

static struct sch_resource *make_resource(enum sch_target target, enum sch_format format, uint32_t width,
                                          uint32_t height, uint32_t third, uint32_t levels, uint32_t samples)
{
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = target,
                                                 .format = format,
                                                 .width = width,
                                                 .height = height,
                                                 .depth = target == SCH_TARGET_3D ? third : 1,
                                                 .layers = target == SCH_TARGET_3D ? 1 : third,
                                                 .levels = levels,
                                                 .samples = samples};
    struct sch_resource *made = NULL;
    assert_int_equal(sch_resource_create(context, &options, NULL, &made), SCH_OK);
    return made;
}

static struct sch_surface *make_surface(struct sch_resource *resource, const struct sch_surface_options *options)
{
    struct sch_surface *made = NULL;
    assert_int_equal(sch_surface_create(resource, options, list, &made), SCH_OK);
    return made;
}

static void surfaces_say_what_is_wrong(void **state)
{
    (void)state;
    enum { BUFFER, PICTURE, ARRAY, VOLUME, DEPTH, COUNTED };
    struct sch_resource *resources[COUNTED] = {
        make_resource(SCH_TARGET_BUFFER, SCH_FORMAT_R8G8B8A8_UNORM, 64, 1, 1, 1, 1),
        make_resource(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 16, 8, 1, 4, 1),
        make_resource(SCH_TARGET_2D_ARRAY, SCH_FORMAT_R32_FLOAT, 4, 4, 5, 1, 1),
        make_resource(SCH_TARGET_3D, SCH_FORMAT_R32_FLOAT, 4, 4, 8, 3, 1),
        make_resource(SCH_TARGET_2D, SCH_FORMAT_Z24_UNORM_S8_UINT, 4, 4, 1, 1, 1)};
    const struct {
        unsigned resource;
        struct sch_surface_options options; /* but its size */
        enum sch_result result;
        const char *told;
    } cases[] = {
        {BUFFER, {0}, SCH_ERROR_ARGUMENT, "BUFFER"},
        {PICTURE, {.level = 3}, SCH_OK, NULL},
        {PICTURE, {.level = 4}, SCH_ERROR_ARGUMENT, "level 4"},
        {PICTURE, {.layer_count = 1}, SCH_OK, NULL},
        {PICTURE, {.layer_count = 2}, SCH_ERROR_ARGUMENT, "2 layers from 0 on, of 1"},
        {PICTURE, {.first_layer = 1}, SCH_ERROR_ARGUMENT, "layers from 1 on, of 1"},
        {PICTURE, {.format = SCH_FORMAT_R8G8B8A8_SRGB}, SCH_OK, NULL},
        {PICTURE, {.format = SCH_FORMAT_R32_UINT}, SCH_OK, NULL},
        {PICTURE, {.format = SCH_FORMAT_R16_UINT}, SCH_ERROR_ARGUMENT, "R16_UINT"},
        {PICTURE, {.format = (enum sch_format)65536}, SCH_ERROR_ARGUMENT, "format 65536"},
        {PICTURE, {.format = SCH_FORMAT_R32_USCALED}, SCH_ERROR_UNSUPPORTED, "R32_USCALED"},
        {ARRAY, {.first_layer = 4}, SCH_OK, NULL},
        {ARRAY, {.first_layer = 1, .layer_count = 4}, SCH_OK, NULL},
        {ARRAY, {.first_layer = 1, .layer_count = 5}, SCH_ERROR_ARGUMENT, "5 layers from 1 on, of 5"},
        {ARRAY, {.first_layer = UINT32_MAX}, SCH_ERROR_ARGUMENT, "of 5"},
        {ARRAY, {.first_layer = 2, .layer_count = UINT32_MAX}, SCH_ERROR_ARGUMENT, "of 5"},
        {VOLUME, {.level = 1, .first_layer = 3}, SCH_OK, NULL},
        {VOLUME, {.level = 1, .first_layer = 4}, SCH_ERROR_ARGUMENT, "of 4"},
        {VOLUME, {.level = 2, .layer_count = 3}, SCH_ERROR_ARGUMENT, "of 2"},
        {DEPTH, {0}, SCH_OK, NULL},
        {DEPTH, {.format = SCH_FORMAT_X24S8_UINT}, SCH_ERROR_UNSUPPORTED, "X24S8_UINT"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sch_surface_options options = cases[i].options;
        struct sch_surface *made = (void *)&options;
        options.size = sizeof options;
        const enum sch_result result = sch_surface_create(resources[cases[i].resource], &options, list, &made);
        if (result != cases[i].result) fail_msg("case %zu: %s", i, sch_result_text(result));
        assert_int_equal(made != NULL, result == SCH_OK);
        if (result != SCH_OK) assert_told(result == SCH_ERROR_ARGUMENT ? 6300 : 6005, cases[i].told);
        sch_surface_destroy(made);
    }
    struct sch_surface_options options = {.size = sizeof options - 1};
    struct sch_surface *made = (void *)&options;
    assert_int_equal(sch_surface_create(resources[PICTURE], &options, list, &made), SCH_ERROR_ARGUMENT);
    assert_null(made);
    assert_int_equal(sch_surface_create(NULL, NULL, list, &made), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_surface_create(resources[PICTURE], NULL, list, NULL), SCH_ERROR_ARGUMENT);
    for (unsigned i = 0; i < COUNTED; i++) sch_resource_destroy(resources[i]);
}

/* ---- framebuffers ---- */

static enum sch_result try_framebuffer(const struct sch_framebuffer_options *options)
{
    struct sch_framebuffer *made = (void *)&made;
    const enum sch_result result = sch_framebuffer_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_framebuffer_destroy(made);
    return result;
}

static void framebuffers_say_what_is_wrong(void **state)
{
    (void)state;
    struct sch_resource *picture = make_resource(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 16, 8, 1, 1, 1);
    struct sch_resource *depth = make_resource(SCH_TARGET_2D, SCH_FORMAT_Z32_FLOAT, 4, 64, 1, 1, 1);
    struct sch_resource *sampled = make_resource(SCH_TARGET_2D_MSAA, SCH_FORMAT_R32_UINT, 16, 8, 1, 1, 4);
    struct sch_surface *color = make_surface(picture, NULL), *z = make_surface(depth, NULL),
                       *four = make_surface(sampled, NULL);
    struct sch_framebuffer_options options = {.size = sizeof options, .colors = {color, NULL, color}};
    assert_int_equal(try_framebuffer(&options), SCH_OK); /* a hole, and one surface twice */
    options.depth_stencil = z;
    assert_int_equal(try_framebuffer(&options), SCH_OK);
    options.depth_stencil = color;
    assert_int_equal(try_framebuffer(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "R8G8B8A8_UNORM for depth and stencil");
    options.depth_stencil = NULL;
    options.colors[7] = z;
    assert_int_equal(try_framebuffer(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "Z32_FLOAT among the colours");
    options.colors[7] = four;
    assert_int_equal(try_framebuffer(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "surfaces of 1 and of 4 samples");

    /* With surfaces no other size counts. */
    struct sch_framebuffer_options sized = {.size = sizeof sized, .colors = {four}, .samples = 3, .width = 1 << 30};
    assert_int_equal(try_framebuffer(&sized), SCH_OK);
    sized.size = sizeof sized - 1;
    assert_int_equal(try_framebuffer(&sized), SCH_ERROR_ARGUMENT);
    assert_int_equal(try_framebuffer(NULL), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_framebuffer_create(context, &options, list, NULL), SCH_ERROR_ARGUMENT);

    struct sch_context *other = api_context();
    struct sch_framebuffer *made = (void *)&made;
    const struct sch_framebuffer_options foreign = {.size = sizeof foreign, .colors = {color}};
    assert_int_equal(sch_framebuffer_create(other, &foreign, NULL, &made), SCH_ERROR_ARGUMENT);
    assert_null(made);
    assert_int_equal(sch_framebuffer_create(NULL, &foreign, NULL, &made), SCH_ERROR_ARGUMENT);
    sch_context_destroy(other);
    sch_surface_destroy(color);
    sch_surface_destroy(z);
    sch_surface_destroy(four);
    sch_resource_destroy(picture);
    sch_resource_destroy(depth);
    sch_resource_destroy(sampled);
}

static void framebuffers_without_surfaces(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height, layers, samples;
        const char *told; /* NULL: it is right */
    } cases[] = {
        {1, 1, 0, 0, NULL},
        {SCH_FRAMEBUFFER_SIDE, SCH_FRAMEBUFFER_SIDE, SCH_FRAMEBUFFER_LAYERS, 16, NULL},
        {0, 1, 1, 1, "0 x 1 pixels"},
        {1, 0, 1, 1, "1 x 0 pixels"},
        {SCH_FRAMEBUFFER_SIDE + 1, 1, 1, 1, "16385 x 1 pixels"},
        {1, SCH_FRAMEBUFFER_SIDE + 1, 1, 1, "1 x 16385 pixels"},
        {1, 1, SCH_FRAMEBUFFER_LAYERS + 1, 1, "2049 layers"},
        {4, 4, 1, 3, "3 samples"},
        {4, 4, 1, 32, "32 samples"},
        {4, 4, 1, 8, NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct sch_framebuffer_options options = {.size = sizeof options,
                                                        .width = cases[i].width,
                                                        .height = cases[i].height,
                                                        .layers = cases[i].layers,
                                                        .samples = cases[i].samples};
        assert_int_equal(try_framebuffer(&options), cases[i].told ? SCH_ERROR_ARGUMENT : SCH_OK);
        if (cases[i].told) assert_told(6300, cases[i].told);
    }
}

/* Surfaces and framebuffers hold the texels of what they show. */
static void resources_may_go_first(void **state)
{
    (void)state;
    struct sch_resource *picture = make_resource(SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 16, 8, 1, 1, 1);
    struct sch_resource *depth = make_resource(SCH_TARGET_2D, SCH_FORMAT_Z16_UNORM, 16, 8, 1, 1, 1);
    struct sch_surface *color = make_surface(picture, NULL), *z = make_surface(depth, NULL);
    sch_resource_destroy(picture);
    sch_resource_destroy(depth);
    const struct sch_framebuffer_options options = {.size = sizeof options, .colors = {color}, .depth_stencil = z};
    struct sch_framebuffer *made;
    assert_int_equal(sch_framebuffer_create(context, &options, list, &made), SCH_OK);
    sch_surface_destroy(color);
    sch_surface_destroy(z);
    sch_framebuffer_destroy(made);
    sch_surface_destroy(NULL);
    sch_framebuffer_destroy(NULL);
    sch_rasterizer_destroy(NULL);
    sch_depth_stencil_alpha_destroy(NULL);
    sch_blend_destroy(NULL);
    sch_stream_output_destroy(NULL);
    sch_pipeline_destroy(NULL);
}

/* ---- pipelines ---- */

static const char vertex_text[] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[3]\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n";
static const char fragment_text[] = "FRAG\nDCL IN[0], GENERIC[3], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\n"
                                    "END\n";
static const char lost_text[] = "FRAG\nDCL IN[0], GENERIC[4], PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND\n";
static const char geometry_text[] =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
    "DCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\n"
    "END\n";

static enum sch_result try_pipeline(const struct sch_pipeline_options *options)
{
    struct sch_pipeline *made = (void *)&made;
    const enum sch_result result = sch_pipeline_create(context, options, list, &made);
    assert_int_equal(made != NULL, result == SCH_OK);
    sch_pipeline_destroy(made);
    return result;
}

static void pipelines_say_what_is_wrong(void **state)
{
    (void)state;
    struct sch_program *vertex = api_default_program(context, vertex_text),
                       *fragment = api_default_program(context, fragment_text),
                       *lost = api_default_program(context, lost_text),
                       *geometry = api_default_program(context, geometry_text);
    struct sch_pipeline_options options = {.size = sizeof options, .vertex = vertex, .fragment = fragment};
    assert_int_equal(try_pipeline(&options), SCH_OK);
    assert_int_equal(sch_diagnostics_count(list), 0);
    options.fragment = lost;
    assert_int_equal(try_pipeline(&options), SCH_OK);
    assert_told(6520, "GENERIC[4]");
    options.fragment = NULL;
    assert_int_equal(try_pipeline(&options), SCH_OK);
    options.fragment = vertex;
    assert_int_equal(try_pipeline(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "fragment is a program of another stage");
    options.fragment = fragment;
    options.vertex = NULL;
    assert_int_equal(try_pipeline(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "no vertex program");
    options.vertex = fragment;
    assert_int_equal(try_pipeline(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "vertex is a program of another stage");
    options.vertex = vertex;
    options.tess_eval = geometry;
    assert_int_equal(try_pipeline(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "tess_eval is a program of another stage");
    options.tess_eval = NULL;
    options.geometry = geometry;
    assert_int_equal(try_pipeline(&options), SCH_OK);
    assert_told(6520, "GENERIC[3]"); /* the geometry program has no such output */
    options.geometry = NULL;
    static const struct sch_stream_output_options words = {
        .size = sizeof words, .stride = {4}, .register_count = 1, .registers = {{.output = 1, .component_count = 4}}};
    struct sch_stream_output *stream_output;
    assert_int_equal(sch_stream_output_create(context, &words, list, &stream_output), SCH_OK);
    options.stream_output = stream_output;
    assert_int_equal(try_pipeline(&options), SCH_OK);
    options.geometry = geometry; /* it has one output */
    assert_int_equal(try_pipeline(&options), SCH_ERROR_ARGUMENT);
    assert_told(6300, "registers[0] of stream_output is OUT[1]");
    options.geometry = NULL;
    options.stream_output = NULL;
    sch_stream_output_destroy(stream_output);
    options.size--;
    assert_int_equal(try_pipeline(&options), SCH_ERROR_ARGUMENT);
    assert_int_equal(try_pipeline(NULL), SCH_ERROR_ARGUMENT);

    struct sch_context *other = api_context();
    struct sch_program *foreign = api_default_program(other, vertex_text);
    const struct sch_pipeline_options mixed = {.size = sizeof mixed, .vertex = foreign, .fragment = fragment};
    assert_int_equal(try_pipeline(&mixed), SCH_ERROR_ARGUMENT);
    assert_told(6300, "vertex is of another context");
    sch_program_destroy(foreign);
    sch_context_destroy(other);
    sch_program_destroy(vertex);
    sch_program_destroy(fragment);
    sch_program_destroy(lost);
    sch_program_destroy(geometry);
}

/* Direct3D's patterns; what there is not is refused. */
static void samples_have_places(void **state)
{
    float at[2];
    (void)state;
    assert_int_equal(sch_sample_position(1, 0, at), SCH_OK);
    assert_true(at[0] == 0.5f && at[1] == 0.5f);
    assert_int_equal(sch_sample_position(4, 1, at), SCH_OK);
    assert_true(at[0] == 0.875f && at[1] == 0.375f);
    assert_int_equal(sch_sample_position(4, 4, at), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_sample_position(3, 0, at), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_sample_position(0, 0, at), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_sample_position(32, 0, at), SCH_ERROR_ARGUMENT);
    assert_int_equal(sch_sample_position(1, 0, NULL), SCH_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_places),
        cmocka_unit_test(rasterizers_say_what_is_wrong),
        cmocka_unit_test(depth_stencil_alpha_says_what_is_wrong),
        cmocka_unit_test(blends_say_what_is_wrong),
        cmocka_unit_test(stream_output_says_what_is_wrong),
        cmocka_unit_test(targets_say_what_is_wrong),
        cmocka_unit_test(defaults_are_what_the_header_says),
        cmocka_unit_test(defaults_fill_what_there_is),
        cmocka_unit_test(vertex_elements_say_what_is_wrong),
        cmocka_unit_test(surfaces_say_what_is_wrong),
        cmocka_unit_test(framebuffers_say_what_is_wrong),
        cmocka_unit_test(framebuffers_without_surfaces),
        cmocka_unit_test(resources_may_go_first),
        cmocka_unit_test(pipelines_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
