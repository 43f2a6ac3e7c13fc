/* Fuzz target: draws and what stands around them. The input is a sequence of calls on a few small resources: state
 * objects with any members, framebuffers, vertex buffers that are short or lie oddly, draws of all kinds and through
 * all stages, clears, blits, queries and the histories of pixels. The sequence is executed twice, by one thread with
 * vectors of 4 lanes and by two threads with vectors of 8: what each call returns, all texels, all counts and all
 * events are the same. */
#include <math.h>
#include <string.h>

#include <scheelite/scheelite.h>

#include "draw_texts.h"
#include "fuzz.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum {
    RESOURCES = 6,
    BUFFER = 5, /* the resource that is a buffer at first */
    CALLS = 48,
    MOST = 1 << 18, /* bytes of a resource */
    VERTEX_BUFFERS = 3,
    VERTEX_WORDS = 512,
    BOUND = 2,
    QUERIES = 2,
    SURFACES = 3,
    WORK = 3000,
    DEADLINE = 200, /* milliseconds */
    BUDGET = 64
};

/* The rest of the input; behind its end all is 0. It is read in statements of their own: the order in which
 * initializers are evaluated is open. */
struct input {
    const uint8_t *at, *end;
};

/* Vertices or indices: in memory of their own, which is as long as the library is told, or in a resource. */
struct array {
    bool in_resource;
    unsigned resource;
    uint64_t offset;
    uint32_t *memory;
    size_t bytes;
};

/* What a call came to. */
struct outcome {
    enum sch_result result;
    uint64_t hash;
};

struct world {
    struct sch_context *context;
    struct sch_renderer *renderer;
    struct sch_resource *resource[RESOURCES];
    struct sch_framebuffer *framebuffer;
    struct sch_vertex_elements *elements;
    struct sch_rasterizer *rasterizer;
    struct sch_depth_stencil_alpha *tests;
    struct sch_blend *blend;
    struct sch_dynamic_state dynamic;
    bool dynamic_given;
    struct sch_program *vertex[COUNT(vertex_texts)], *geometry[COUNT(geometry_texts)], *fragment[COUNT(fragment_texts)];
    struct sch_program *control[COUNT(control_texts)], *evaluation[COUNT(evaluation_texts)], *patches;
    struct sch_stream_target *targets[SCH_STREAM_BUFFERS];
    struct sch_pipeline *pipeline;
    bool waits;         /* the last draw, maybe */
    bool takes_patches; /* the pipeline */
    struct sch_view *views[BOUND];
    struct sch_image *images[BOUND];
    struct sch_sampler *samplers[BOUND];
    struct sch_query *queries[QUERIES];
    struct sch_pixel_history *history; /* that is recorded; NULL: none */
    bool timed[QUERIES];               /* what it counts is never the same */
    struct array vertices[VERTEX_BUFFERS], indices;
    struct input input;
    uint32_t threads, width;
    struct outcome outcomes[CALLS];
    unsigned calls;
};

static uint8_t next(struct input *input) { return input->at < input->end ? *input->at++ : 0; }

/* Mostly small, else what overflows. */
static uint64_t next_number(struct input *input)
{
    static const uint64_t hostile[] = {UINT32_MAX, INT32_MAX,    (uint64_t)INT32_MIN, UINT64_MAX,     UINT64_MAX / 2,
                                       1u << 27,   16384,        (uint64_t)1 << 32,   UINT64_MAX - 3, 65536,
                                       0xfffffff0, INT32_MAX - 7};
    const uint8_t first = next(input);
    if (first < 216) return first % 36;
    if (first < 216 + COUNT(hostile)) return hostile[first - 216];
    return (uint64_t)next(input) << 8 | next(input);
}

static uint32_t next_word(struct input *input) { return (uint32_t)next_number(input); }

/* A count of what takes time: what only a limit ends, if there is one. */
static uint32_t next_count(struct input *input, bool with_work, uint32_t most)
{
    const uint32_t word = next_word(input);
    return with_work ? word : word % (most + 1);
}

static float next_float(struct input *input)
{
    static const float odd[] = {0,   1,      -1,       0.5f,   2,     -0.0f,   INFINITY, -INFINITY,
                                NAN, 1e-40f, 3.4e+38f, 1e+10f, 16384, -3e+04f, 1e-20f,   0.49999997f};
    const uint8_t first = next(input);
    if (first < 160) return (float)(first - 80) / 40;
    if (first < 200) return odd[first % COUNT(odd)];
    if (first < 240) return (float)(first - 200);
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++) word = word << 8 | next(input);
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static struct sch_box next_box(struct input *input)
{
    struct sch_box box = {0};
    if (next(input) % 4 == 0) return box;
    int32_t *const numbers[] = {&box.x, &box.y, &box.z, &box.width, &box.height, &box.depth};
    for (unsigned i = 0; i < 6; i++) *numbers[i] = (int32_t)next_word(input);
    return box;
}

/* ---- members ---- */

enum kind { TRUTH, SMALL, WORD, HALF, BYTE, NUMBER };
struct member {
    size_t offset;
    enum kind kind;
};

static void set_member(struct input *input, uint8_t *at, enum kind kind)
{
    const uint32_t word = next_word(input);
    const uint16_t half = (uint16_t)(word * 2654435761u >> 8);
    const bool truth = word & 1;
    const uint32_t small = word < 36 ? word % 9 : word;
    const float number = kind == NUMBER ? next_float(input) : 0;
    switch (kind) {
    case TRUTH:
        memcpy(at, &truth, sizeof truth);
        break;
    case SMALL:
        memcpy(at, &small, sizeof small);
        break;
    case WORD:
        memcpy(at, &word, sizeof word);
        break;
    case HALF:
        memcpy(at, &half, sizeof half);
        break;
    case BYTE:
        *at = (uint8_t)half;
        break;
    case NUMBER:
        memcpy(at, &number, sizeof number);
        break;
    }
}

/* Some members of a struct get other values; which may be wrong ones. */
static void set_members(struct input *input, void *options, const struct member *members, size_t count)
{
    const unsigned changes = next(input) % 16;
    for (unsigned i = 0; i < changes; i++) {
        const struct member *member = &members[next(input) % count];
        set_member(input, (uint8_t *)options + member->offset, member->kind);
    }
}

/* ---- resources ---- */

static enum sch_format next_format(struct input *input)
{
    static const enum sch_format formats[] = {SCH_FORMAT_R8G8B8A8_UNORM,
                                              SCH_FORMAT_R32G32B32A32_FLOAT,
                                              SCH_FORMAT_R32_FLOAT,
                                              SCH_FORMAT_Z24_UNORM_S8_UINT,
                                              SCH_FORMAT_B8G8R8A8_SRGB,
                                              SCH_FORMAT_R8_UINT,
                                              SCH_FORMAT_R10G10B10A2_UNORM,
                                              SCH_FORMAT_R11G11B10_FLOAT,
                                              SCH_FORMAT_Z32_FLOAT_S8X24_UINT,
                                              SCH_FORMAT_R16G16B16A16_FLOAT,
                                              SCH_FORMAT_R32G32B32A32_UINT,
                                              SCH_FORMAT_Z16_UNORM,
                                              SCH_FORMAT_R32G32_FLOAT,
                                              SCH_FORMAT_R16G16_SNORM,
                                              SCH_FORMAT_B5G6R5_UNORM,
                                              SCH_FORMAT_Z32_FLOAT,
                                              SCH_FORMAT_S8_UINT,
                                              SCH_FORMAT_R8G8B8A8_SINT,
                                              SCH_FORMAT_R32_UINT,
                                              SCH_FORMAT_R8_UNORM};
    const uint8_t number = next(input);
    return number < 220 ? formats[number % COUNT(formats)] : (enum sch_format)next_word(input);
}

static enum sch_result put_resource(struct world *world, unsigned slot, const struct sch_resource_options *options)
{
    struct sch_resource *made;
    const enum sch_result result = sch_resource_create(world->context, options, NULL, &made);
    if (result != SCH_OK) return result;
    if (sch_resource_bytes(made) > MOST) {
        sch_resource_destroy(made);
        return SCH_ERROR_LIMIT;
    }
    sch_resource_destroy(world->resource[slot]);
    world->resource[slot] = made;
    return SCH_OK;
}

static enum sch_result make_resource(struct world *world)
{
    static const enum sch_target targets[] = {SCH_TARGET_2D,       SCH_TARGET_2D_MSAA, SCH_TARGET_BUFFER,
                                              SCH_TARGET_2D_ARRAY, SCH_TARGET_3D,      SCH_TARGET_2D_ARRAY_MSAA,
                                              SCH_TARGET_CUBE,     SCH_TARGET_1D,      SCH_TARGET_RECT};
    struct input *input = &world->input;
    const unsigned slot = next(input) % RESOURCES;
    struct sch_resource_options options = {.size = sizeof options};
    options.target = targets[next(input) % COUNT(targets)];
    options.format = next_format(input);
    options.width = next_word(input);
    options.height = next_word(input);
    const uint8_t shape = next(input);
    options.depth = options.target == SCH_TARGET_3D ? 1 + shape % 3 : 1;
    options.layers =
        options.target == SCH_TARGET_2D_ARRAY || options.target == SCH_TARGET_2D_ARRAY_MSAA ? shape % 4 : 1;
    options.levels = shape / 16 % 4;
    options.samples = 1u << next(input) % 5;
    if (options.target == SCH_TARGET_BUFFER) options.width *= 64;
    if (options.target == SCH_TARGET_1D || options.target == SCH_TARGET_BUFFER) options.height = 1;
    if (options.target == SCH_TARGET_CUBE) options.height = options.width, options.layers = 6;
    if (options.target != SCH_TARGET_2D_MSAA && options.target != SCH_TARGET_2D_ARRAY_MSAA)
        options.samples = 1;
    else
        options.levels = 1;
    return put_resource(world, slot, &options);
}

static enum sch_result fill_resource(struct world *world)
{
    struct input *input = &world->input;
    struct sch_resource *resource = world->resource[next(input) % RESOURCES];
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *data = calloc(1, bytes + 1);
    if (!data) abort();
    const unsigned given = next(input);
    const uint8_t rest = next(input);
    for (size_t i = 0; i < bytes; i++) data[i] = i < given ? next(input) : (uint8_t)(rest * i);
    const enum sch_result result = sch_resource_write_all(resource, data, bytes);
    free(data);
    return result;
}

static struct sch_surface *next_surface(struct world *world, struct sch_resource *resource)
{
    struct input *input = &world->input;
    struct sch_surface_options options = {.size = sizeof options};
    if (next(input) % 4 == 3) {
        options.format = next(input) % 4 ? SCH_FORMAT_NONE : next_format(input);
        options.level = next_word(input);
        options.first_layer = next_word(input);
        options.layer_count = next_word(input);
    }
    struct sch_surface *made = NULL;
    return resource && sch_surface_create(resource, &options, NULL, &made) == SCH_OK ? made : NULL;
}

static enum sch_result make_framebuffer(struct world *world)
{
    struct input *input = &world->input;
    struct sch_framebuffer_options options = {.size = sizeof options};
    struct sch_surface *surfaces[SURFACES + 1];
    const uint8_t which = next(input), used = next(input);
    for (unsigned i = 0; i <= SURFACES; i++) {
        surfaces[i] = used >> i & 1 ? next_surface(world, world->resource[which >> 2 * i & 3]) : NULL;
        if (i < SURFACES) options.colors[i * 2 % 5] = surfaces[i];
    }
    options.depth_stencil = surfaces[SURFACES];
    options.width = next_word(input);
    options.height = next_word(input);
    options.layers = next_word(input);
    options.samples = next_word(input);
    struct sch_framebuffer *made;
    const enum sch_result result = sch_framebuffer_create(world->context, &options, NULL, &made);
    for (unsigned i = 0; i <= SURFACES; i++) sch_surface_destroy(surfaces[i]);
    if (result != SCH_OK) return result;
    sch_framebuffer_destroy(world->framebuffer);
    world->framebuffer = made;
    return SCH_OK;
}

/* ---- state ---- */

static enum sch_result make_rasterizer(struct world *world)
{
    typedef struct sch_rasterizer_options T;
#define MEMBER(member, kind)                                                                                           \
    {                                                                                                                  \
        offsetof(T, member), kind                                                                                      \
    }
    static const struct member members[] = {MEMBER(flatshade, TRUTH),
                                            MEMBER(flatshade_first, TRUTH),
                                            MEMBER(light_twoside, TRUTH),
                                            MEMBER(clamp_vertex_color, TRUTH),
                                            MEMBER(clamp_fragment_color, TRUTH),
                                            MEMBER(front_ccw, TRUTH),
                                            MEMBER(cull_face, SMALL),
                                            MEMBER(fill_front, SMALL),
                                            MEMBER(fill_back, SMALL),
                                            MEMBER(fill_front, SMALL),
                                            MEMBER(offset_point, TRUTH),
                                            MEMBER(offset_line, TRUTH),
                                            MEMBER(offset_tri, TRUTH),
                                            MEMBER(offset_units, NUMBER),
                                            MEMBER(offset_scale, NUMBER),
                                            MEMBER(offset_clamp, NUMBER),
                                            MEMBER(offset_units_unscaled, TRUTH),
                                            MEMBER(scissor, TRUTH),
                                            MEMBER(poly_smooth, TRUTH),
                                            MEMBER(poly_stipple_enable, TRUTH),
                                            MEMBER(point_size, NUMBER),
                                            MEMBER(point_size_per_vertex, TRUTH),
                                            MEMBER(point_smooth, TRUTH),
                                            MEMBER(point_quad_rasterization, TRUTH),
                                            MEMBER(point_tri_clip, TRUTH),
                                            MEMBER(sprite_coord_enable, WORD),
                                            MEMBER(sprite_coord_mode, SMALL),
                                            MEMBER(sprite_coord_generic, TRUTH),
                                            MEMBER(line_width, NUMBER),
                                            MEMBER(line_smooth, TRUTH),
                                            MEMBER(line_rectangular, TRUTH),
                                            MEMBER(line_last_pixel, TRUTH),
                                            MEMBER(line_stipple_enable, TRUTH),
                                            MEMBER(line_stipple_pattern, HALF),
                                            MEMBER(line_stipple_factor, WORD),
                                            MEMBER(multisample, TRUTH),
                                            MEMBER(force_persample_interp, TRUTH),
                                            MEMBER(half_pixel_center, TRUTH),
                                            MEMBER(bottom_edge_rule, TRUTH),
                                            MEMBER(conservative, SMALL),
                                            MEMBER(conservative_dilate, NUMBER),
                                            MEMBER(rasterizer_discard, TRUTH),
                                            MEMBER(depth_clip_near, TRUTH),
                                            MEMBER(depth_clip_far, TRUTH),
                                            MEMBER(depth_clamp, TRUTH),
                                            MEMBER(clip_halfz, TRUTH),
                                            MEMBER(clip_plane_enable, WORD)};
    struct sch_rasterizer_options options = {.size = sizeof options};
    if (sch_rasterizer_options_default(&options) != SCH_OK) abort();
    set_members(&world->input, &options, members, COUNT(members));
    struct sch_rasterizer *made;
    const enum sch_result result = sch_rasterizer_create(world->context, &options, NULL, &made);
    if (result != SCH_OK) return result;
    sch_rasterizer_destroy(world->rasterizer);
    world->rasterizer = made;
    return SCH_OK;
}

static enum sch_result make_tests(struct world *world)
{
    typedef struct sch_depth_stencil_alpha_options T;
    static const struct member members[] = {
        MEMBER(depth_enabled, TRUTH),         MEMBER(depth_writes, TRUTH),         MEMBER(depth_function, SMALL),
        MEMBER(depth_bounds, TRUTH),          MEMBER(depth_bounds_min, NUMBER),    MEMBER(depth_bounds_max, NUMBER),
        MEMBER(stencil[0].enabled, TRUTH),    MEMBER(stencil[0].function, SMALL),  MEMBER(stencil[0].fail, SMALL),
        MEMBER(stencil[0].depth_fail, SMALL), MEMBER(stencil[0].pass, SMALL),      MEMBER(stencil[0].value_mask, BYTE),
        MEMBER(stencil[0].write_mask, BYTE),  MEMBER(stencil[1].enabled, TRUTH),   MEMBER(stencil[1].function, SMALL),
        MEMBER(stencil[1].pass, SMALL),       MEMBER(stencil[1].write_mask, BYTE), MEMBER(alpha_enabled, TRUTH),
        MEMBER(alpha_function, SMALL),        MEMBER(alpha_reference, NUMBER)};
    struct sch_depth_stencil_alpha_options options = {.size = sizeof options};
    if (sch_depth_stencil_alpha_options_default(&options) != SCH_OK) abort();
    const uint8_t usual = next(&world->input);
    options.depth_enabled = usual & 1;
    options.depth_writes = usual & 2;
    options.stencil[0].enabled = usual & 4;
    options.depth_function = (enum sch_compare)(1 + usual / 8 % 8);
    options.stencil[0].function = options.stencil[1].function = SCH_COMPARE_ALWAYS;
    options.alpha_function = SCH_COMPARE_GEQUAL;
    options.stencil[0].value_mask = options.stencil[0].write_mask = 255;
    set_members(&world->input, &options, members, COUNT(members));
    struct sch_depth_stencil_alpha *made;
    const enum sch_result result = sch_depth_stencil_alpha_create(world->context, &options, NULL, &made);
    if (result != SCH_OK) return result;
    sch_depth_stencil_alpha_destroy(world->tests);
    world->tests = made;
    return SCH_OK;
}

static enum sch_blend_factor next_factor(struct input *input)
{
    const uint8_t number = next(input);
    return (enum sch_blend_factor)(number < 250 ? number % 27 : next_word(input));
}

static enum sch_result make_blend(struct world *world)
{
    typedef struct sch_blend_options T;
    static const struct member members[] = {MEMBER(independent, TRUTH),        MEMBER(logic_enabled, TRUTH),
                                            MEMBER(logic_operation, WORD),     MEMBER(alpha_to_coverage, TRUTH),
                                            MEMBER(alpha_to_one, TRUTH),       MEMBER(advanced, WORD),
                                            MEMBER(targets[2].enabled, TRUTH), MEMBER(targets[2].color_mask, BYTE)};
    struct input *input = &world->input;
    struct sch_blend_options options = {.size = sizeof options};
    if (sch_blend_options_default(&options) != SCH_OK) abort();
    for (unsigned i = 0; i < 2; i++) {
        struct sch_blend_target *target = &options.targets[i];
        target->enabled = next(input) & 1;
        target->color_equation = (enum sch_blend_equation)(next(input) % 6);
        target->alpha_equation = (enum sch_blend_equation)(next(input) % 6);
        target->color_source = next_factor(input);
        target->color_destination = next_factor(input);
        target->alpha_source = next_factor(input);
        target->alpha_destination = next_factor(input);
        target->color_mask = next(input) & 1 ? 15 : next(input);
    }
    set_members(input, &options, members, COUNT(members));
    struct sch_blend *made;
    const enum sch_result result = sch_blend_create(world->context, &options, NULL, &made);
    if (result != SCH_OK) return result;
    sch_blend_destroy(world->blend);
    world->blend = made;
    return SCH_OK;
}

static enum sch_result set_dynamic(struct world *world)
{
    typedef struct sch_dynamic_state T;
    static const struct member members[] = {MEMBER(viewport_count, WORD),
                                            MEMBER(viewports[0].scale[0], NUMBER),
                                            MEMBER(viewports[0].scale[1], NUMBER),
                                            MEMBER(viewports[0].scale[2], NUMBER),
                                            MEMBER(viewports[0].translate[0], NUMBER),
                                            MEMBER(viewports[0].translate[1], NUMBER),
                                            MEMBER(viewports[0].translate[2], NUMBER),
                                            MEMBER(viewports[1].scale[0], NUMBER),
                                            MEMBER(viewports[1].translate[1], NUMBER),
                                            MEMBER(scissors[0].left, WORD),
                                            MEMBER(scissors[0].top, WORD),
                                            MEMBER(scissors[0].right, WORD),
                                            MEMBER(scissors[0].bottom, WORD),
                                            MEMBER(scissors[1].right, WORD),
                                            MEMBER(blend_color[0], NUMBER),
                                            MEMBER(blend_color[3], NUMBER),
                                            MEMBER(stencil_reference[0], BYTE),
                                            MEMBER(stencil_reference[1], BYTE),
                                            MEMBER(clip_planes[0][0], NUMBER),
                                            MEMBER(clip_planes[0][3], NUMBER),
                                            MEMBER(clip_planes[1][1], NUMBER),
                                            MEMBER(clip_planes[7][2], NUMBER),
                                            MEMBER(polygon_stipple[0], HALF),
                                            MEMBER(polygon_stipple[31], WORD),
                                            MEMBER(sample_mask, WORD),
                                            MEMBER(min_samples, WORD),
                                            MEMBER(patch_vertices, WORD)};
#undef MEMBER
    struct input *input = &world->input;
    const uint8_t usual = next(input);
    world->dynamic_given = usual % 8 != 0;
    world->dynamic = (struct sch_dynamic_state){.size = sizeof world->dynamic};
    if (sch_dynamic_state_default(&world->dynamic) != SCH_OK) abort();
    for (unsigned v = 0; v < 2; v++)
        world->dynamic.viewports[v] = (struct sch_viewport){{48 - 8 * (float)v, 36, 1}, {48, 36, 0}};
    set_members(input, &world->dynamic, members, COUNT(members));
    for (unsigned n = 0; usual >= 192 && n < 4; n++) world->dynamic.default_outer_levels[n] = next_float(input);
    for (unsigned n = 0; usual >= 192 && n < 2; n++) world->dynamic.default_inner_levels[n] = next_float(input);
    return SCH_OK;
}

/* ---- vertices ---- */

static void next_array(struct world *world, struct array *array)
{
    struct input *input = &world->input;
    const uint8_t how = next(input);
    array->in_resource = how & 1;
    array->resource = how / 2 % RESOURCES;
    array->offset = how < 200 ? 0 : next_number(input);
    if (array->in_resource) return;
    const size_t bytes = how < 160 ? VERTEX_WORDS * 4 : next_number(input) % (VERTEX_WORDS * 4);
    uint32_t *memory = malloc(bytes ? bytes : 1);
    if (!memory) abort();
    if (bytes) memset(memory, next(input), bytes);
    const uint8_t floats = next(input);
    for (size_t i = 0; i < bytes / 4 && i < floats; i++) {
        const float number = next_float(input);
        memcpy(&memory[i], &number, sizeof number);
    }
    free(array->memory);
    array->memory = memory;
    array->bytes = bytes;
}

static struct sch_vertex_buffer buffer_of(struct world *world, const struct array *array)
{
    struct sch_vertex_buffer buffer = {.offset = array->offset};
    if (array->in_resource) buffer.resource = world->resource[array->resource];
    if (array->memory && !buffer.resource) {
        buffer.memory = array->memory;
        buffer.memory_bytes = array->bytes;
    }
    return buffer;
}

static enum sch_result make_vertices(struct world *world)
{
    static const uint32_t strides[] = {32, 16, 0, 4, 13, 64, UINT32_MAX};
    struct input *input = &world->input;
    struct sch_vertex_element elements[4] = {0};
    const uint8_t count = next(input) % 5;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t usual = next(input);
        elements[i] = (struct sch_vertex_element){SCH_FORMAT_R32G32B32A32_FLOAT, 0, 16 * (i & 1), 32, 0, false};
        if (usual < 128) continue;
        elements[i].format = next_format(input);
        elements[i].buffer = next(input) % 4;
        elements[i].offset = next_word(input);
        elements[i].stride = strides[usual % COUNT(strides)];
        elements[i].divisor = usual < 192 ? 0 : next_word(input);
        elements[i].two_registers = usual > 250;
    }
    struct sch_vertex_elements *made;
    const enum sch_result result =
        sch_vertex_elements_create(world->context, elements, count, sizeof *elements, NULL, &made);
    if (result != SCH_OK) return result;
    sch_vertex_elements_destroy(world->elements);
    world->elements = made;
    return SCH_OK;
}

static enum sch_result make_buffers(struct world *world)
{
    const uint8_t which = next(&world->input) % (VERTEX_BUFFERS + 1);
    next_array(world, which < VERTEX_BUFFERS ? &world->vertices[which] : &world->indices);
    return SCH_OK;
}

/* ---- programs and what they name ---- */

static struct sch_program *program_of(struct world *world, const char *text, struct sch_program **kept)
{
    if (*kept) return *kept;
    struct sch_shader *shader = NULL;
    const struct sch_read_options read = {.size = sizeof read, .kind = SCH_KIND_AUTO};
    const struct sch_program_options interpreted = {
        .size = sizeof interpreted, .engine = SCH_ENGINE_INTERPRETER, .width = world->width};
    if (sch_shader_read(world->context, text, strlen(text), &read, NULL, &shader) != SCH_OK) abort();
    if (sch_program_create(world->context, shader, &interpreted, NULL, kept) != SCH_OK) {
        fprintf(stderr, "%s", text);
        abort();
    }
    sch_shader_destroy(shader);
    return *kept;
}

/* Registers that there are, mostly. */
static struct sch_stream_output *make_streams(struct world *world)
{
    struct input *input = &world->input;
    struct sch_stream_output_options options = {.size = sizeof options};
    struct sch_stream_output *made = NULL;
    options.register_count = next(input) % 6;
    for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++) options.stride[b] = next(input) % 16;
    for (unsigned r = 0; r < options.register_count; r++) {
        struct sch_stream_output_register *given = &options.registers[r];
        const uint8_t what = next(input), where = next(input);
        given->output = what % 8 == 7 ? next_word(input) : what % 2;
        given->first_component = what / 8 % 4;
        given->component_count = (uint8_t)(1 + what / 32 % (4u - given->first_component));
        given->buffer = where % 4;
        given->stream = where & 64 ? where / 4 % 4 : where % 4; /* often a stream for each buffer */
        if (where & 128) given->stream = 0;
        given->offset = where / 8 % 8;
    }
    return sch_stream_output_create(world->context, &options, NULL, &made) == SCH_OK ? made : NULL;
}

/* A target goes on where it was, unless it gets another range. */
static void make_targets(struct world *world)
{
    struct input *input = &world->input;
    const uint8_t which = next(input);
    for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++) {
        if (!(which >> b & 1)) continue;
        struct sch_stream_target_options options = {.size = sizeof options, .resource = world->resource[BUFFER]};
        options.offset = next_number(input) * 4;
        options.bytes = next_number(input) * (which & 16 ? 64 : 1);
        struct sch_stream_target *made = NULL;
        sch_stream_target_create(world->context, &options, NULL, &made);
        sch_stream_target_destroy(world->targets[b]);
        world->targets[b] = made;
        sch_stream_target_set_filled(made, which & 32 ? next_number(input) : 0);
    }
}

/* Behind the vertex shader tessellation, or a geometry shader that takes patches. */
static void add_patches(struct world *world, struct sch_pipeline_options *options)
{
    const uint8_t which = next(&world->input);
    const unsigned e = which % (COUNT(evaluation_texts) + 1);
    const unsigned c = which / (COUNT(evaluation_texts) + 1) % (COUNT(control_texts) + 1);
    if (e == COUNT(evaluation_texts)) {
        options->geometry = program_of(world, patches_text, &world->patches);
        return;
    }
    options->tess_eval = program_of(world, evaluation_texts[e], &world->evaluation[e]);
    if (c) options->tess_ctrl = program_of(world, control_texts[c - 1], &world->control[c - 1]);
}

/* What is left of the two numbers asks for a geometry shader and for stream output; a quarter of the first ones, for
 * patches. */
static enum sch_result make_pipeline(struct world *world)
{
    struct input *input = &world->input;
    const uint8_t first = next(input), second = next(input);
    const unsigned v = first % COUNT(vertex_texts), f = second % (COUNT(fragment_texts) + 1);
    const unsigned g = first / COUNT(vertex_texts) % (COUNT(geometry_texts) + 1),
                   s = second / (COUNT(fragment_texts) + 1);
    struct sch_pipeline_options options = {.size = sizeof options};
    struct sch_stream_output *streams = s ? make_streams(world) : NULL;
    options.vertex = program_of(world, vertex_texts[v], &world->vertex[v]);
    if (g) options.geometry = program_of(world, geometry_texts[g - 1], &world->geometry[g - 1]);
    if (first >= 192) add_patches(world, &options);
    if (s % 4) make_targets(world);
    options.stream_output = streams;
    if (f < COUNT(fragment_texts)) options.fragment = program_of(world, fragment_texts[f], &world->fragment[f]);
    struct sch_pipeline *made;
    const enum sch_result result = sch_pipeline_create(world->context, &options, NULL, &made);
    sch_stream_output_destroy(streams);
    if (result != SCH_OK) return result;
    sch_pipeline_destroy(world->pipeline);
    world->pipeline = made;
    world->takes_patches = first >= 192;
    return SCH_OK;
}

static enum sch_result make_view(struct world *world)
{
    struct input *input = &world->input;
    struct sch_resource *resource = world->resource[next(input) % RESOURCES];
    const unsigned slot = next(input) % BOUND;
    struct sch_view_options options = {.size = sizeof options};
    options.first_level = next(input) % 3;
    options.first_layer = next(input) % 3;
    struct sch_view *made;
    const enum sch_result result = sch_view_create(resource, &options, &made);
    if (result != SCH_OK) return result;
    sch_view_destroy(world->views[slot]);
    world->views[slot] = made;
    return SCH_OK;
}

static enum sch_result make_image(struct world *world)
{
    struct input *input = &world->input;
    struct sch_resource *resource = world->resource[next(input) % RESOURCES];
    const unsigned slot = next(input) % BOUND;
    struct sch_image_options options = {.size = sizeof options};
    options.level = next(input) % 3;
    options.first_layer = next(input) % 3;
    options.read_only = next(input) & 1;
    struct sch_image *made;
    const enum sch_result result = sch_image_create(resource, &options, &made);
    if (result != SCH_OK) return result;
    sch_image_destroy(world->images[slot]);
    world->images[slot] = made;
    return SCH_OK;
}

/* ---- calls ---- */

static enum sch_result flush(struct world *world)
{
    struct sch_fence *fence = NULL;
    if (next(&world->input) & 1) return sch_renderer_flush(world->renderer, NULL);
    const enum sch_result result = sch_renderer_flush(world->renderer, &fence);
    if (result == SCH_OK && !sch_fence_wait(fence, UINT32_MAX)) abort();
    sch_fence_destroy(fence);
    return result;
}

static void next_ranges(struct input *input, struct sch_draw_range *ranges, unsigned count, bool with_work)
{
    for (unsigned i = 0; i < count; i++) {
        ranges[i].start = next_word(input);
        ranges[i].count = next_count(input, with_work, 64);
        ranges[i].index_bias = (int32_t)next_word(input);
    }
}

static void next_indices(struct world *world, struct sch_draw *draw)
{
    struct input *input = &world->input;
    draw->index_bytes = 1u << next(input) % 4;
    draw->indices = buffer_of(world, &world->indices);
    draw->index_bias = (int32_t)next_word(input);
    draw->restart = next(input) & 1;
    draw->restart_index = next_word(input);
}

static void next_indirect(struct world *world, struct sch_draw *draw)
{
    struct input *input = &world->input;
    const uint8_t how = next(input);
    draw->indirect = world->resource[how % 8 ? BUFFER : how / 8 % RESOURCES];
    draw->indirect_offset = next_number(input) * (how & 32 ? 1 : 4);
    draw->indirect_count = next_word(input);
    draw->indirect_stride = next_word(input) * (how & 32 ? 1 : 4);
    if (how & 64) draw->count_buffer = draw->indirect;
    draw->count_offset = next_number(input) * 4;
}

/* A draw with a limit on its work has one thread, so that not all have one. */
static enum sch_result execute(struct world *world, const struct sch_draw *draw, bool with_work)
{
    struct sch_vertex_buffer buffers[VERTEX_BUFFERS];
    for (unsigned i = 0; i < VERTEX_BUFFERS; i++) buffers[i] = buffer_of(world, &world->vertices[i]);
    static const float constants[16] = {1, 2, 3, 4};
    const struct sch_constant_buffer constant = {constants, sizeof constants};
    struct sch_storage_buffer range = {.resource = world->resource[BUFFER]};
    struct sch_bindings bindings = {.size = sizeof bindings,
                                    .constants = &constant,
                                    .constant_count = 1,
                                    .views = world->views,
                                    .view_count = BOUND,
                                    .samplers = world->samplers,
                                    .sampler_count = BOUND,
                                    .images = world->images,
                                    .image_count = draw->may_wait ? 0 : BOUND, /* draws that store do not wait */
                                    .buffers = &range,
                                    .buffer_count = !draw->may_wait};
    struct sch_draw_state state = {.size = sizeof state,
                                   .pipeline = world->pipeline,
                                   .framebuffer = world->framebuffer,
                                   .vertex_elements = world->elements,
                                   .vertex_buffers = buffers,
                                   .vertex_buffer_count = VERTEX_BUFFERS,
                                   .vertex_buffer_stride = sizeof *buffers,
                                   .rasterizer = world->rasterizer,
                                   .depth_stencil_alpha = world->tests,
                                   .blend = world->blend,
                                   .dynamic = world->dynamic_given ? &world->dynamic : NULL};
    for (unsigned s = 0; s < SCH_STAGE_COMPUTE; s++) state.bindings[s] = &bindings;
    memcpy(state.stream_targets, world->targets, sizeof state.stream_targets);
    const struct sch_dispatch_options options = {.size = sizeof options,
                                                 .threads = world->threads,
                                                 .budget = BUDGET,
                                                 .work = with_work ? WORK : 0,
                                                 .deadline_ms = DEADLINE};
    return sch_renderer_draw(world->renderer, &state, draw, &options, NULL);
}

static enum sch_result draw(struct world *world)
{
    struct input *input = &world->input;
    struct sch_draw_range ranges[3];
    struct sch_draw draw = {.size = sizeof draw, .instance_count = 1};
    const uint8_t how = next(input), primitive = next(input);
    const bool indirect = (how & 48) == 48, with_work = how & 128 || indirect;
    draw.primitive = (enum sch_primitive)(primitive % 17);
    if (world->takes_patches && primitive < 240) draw.primitive = SCH_PRIMITIVE_PATCHES;
    draw.count = next_count(input, with_work, 128);
    if (primitive / 17 % 4 == 3) {
        draw.count_target = world->targets[primitive / 68];
        draw.count_stride = next_word(input);
    }
    if (how & 1) draw.start = next_word(input);
    if (how & 2) {
        draw.instance_count = next_count(input, with_work, 4);
        draw.start_instance = next_word(input);
    }
    if (how & 4) next_indices(world, &draw);
    if ((how & 24) == 8) {
        draw.range_count = next(input) % 4;
        draw.ranges = ranges;
        draw.range_stride = sizeof *ranges;
        next_ranges(input, ranges, draw.range_count, with_work);
    }
    if (indirect) next_indirect(world, &draw);
    draw.draw_id = how;
    draw.may_wait = world->waits = how & 64;
    return execute(world, &draw, with_work);
}

static enum sch_result clear(struct world *world)
{
    struct input *input = &world->input;
    struct sch_framebuffer_clear wanted = {.size = sizeof wanted};
    wanted.parts = next(input);
    wanted.colors = next_word(input);
    for (unsigned c = 0; c < 4; c++) wanted.color.f[c] = next_float(input);
    wanted.depth = (double)next_float(input);
    wanted.stencil = next_word(input);
    wanted.scissored = next(input) & 1;
    wanted.scissor.left = next_word(input);
    wanted.scissor.top = next_word(input);
    wanted.scissor.right = next_word(input);
    wanted.scissor.bottom = next_word(input);
    return sch_renderer_clear(world->renderer, world->framebuffer, &wanted, NULL);
}

static enum sch_result blit(struct world *world)
{
    struct input *input = &world->input;
    struct sch_blit wanted = {.size = sizeof wanted};
    const uint8_t which = next(input);
    wanted.level = next(input) % 3;
    wanted.source_level = next(input) % 3;
    wanted.box = next_box(input);
    wanted.source = next_box(input);
    wanted.filter = (enum sch_filter)(which & 1);
    wanted.first_sample = which & 2;
    struct sch_resource *to = world->resource[which / 4 % RESOURCES], *from = world->resource[which / 24 % RESOURCES];
    return sch_renderer_blit(world->renderer, to, from, &wanted, which & 1, NULL);
}

static enum sch_result query(struct world *world)
{
    struct input *input = &world->input;
    const uint8_t which = next(input);
    struct sch_query **slot = &world->queries[which % QUERIES];
    bool *timed = &world->timed[which % QUERIES];
    switch (which / QUERIES % 8) {
    case 0:
        if (*slot) break;
        const enum sch_query_kind kind = (enum sch_query_kind)(next(input) % 15);
        *timed = kind == SCH_QUERY_TIMESTAMP || kind == SCH_QUERY_TIME_ELAPSED;
        return sch_query_create(world->context, kind, next_word(input) % 12, slot);
    case 1:
    case 2:
        return *slot ? sch_renderer_begin_query(world->renderer, *slot) : SCH_OK;
    case 3:
    case 4:
        return *slot ? sch_renderer_end_query(world->renderer, *slot) : SCH_OK;
    case 5:
        sch_renderer_set_queries_active(world->renderer, next(input) & 1);
        break;
    case 6:
        sch_renderer_set_condition(world->renderer, *slot, next(input) & 1);
        break;
    default:
        if (!*slot || *timed) break;
        const int32_t index = (int32_t)(next(input) % 13) - 1;
        const enum sch_query_type type = (enum sch_query_type)(next(input) % 5);
        return sch_query_write_result(*slot, index, type, world->resource[BUFFER], next_number(input));
    }
    return SCH_OK;
}

/* The history of another pixel is recorded from here on. */
static enum sch_result record(struct world *world)
{
    struct input *input = &world->input;
    struct sch_pixel_history_options wanted = {.size = sizeof wanted};
    struct sch_pixel_history *history = NULL;
    const uint8_t which = next(input);
    wanted.x = next_word(input);
    wanted.y = next_word(input);
    wanted.level = next(input) % 3;
    wanted.layer = next(input) % 4;
    wanted.samples = next(input) % 16;
    wanted.max_events = which / RESOURCES;
    enum sch_result result = sch_pixel_history_create(world->resource[which % RESOURCES], &wanted, NULL, &history);
    if (result != SCH_OK) return result;
    result = sch_renderer_record_pixel(world->renderer, history);
    sch_pixel_history_destroy(world->history);
    world->history = history;
    return result;
}

/* ---- worlds ---- */

static void begin(struct world *world, struct input input, uint32_t threads, uint32_t width)
{
    static const struct sch_resource_options shapes[] = {
        {.target = SCH_TARGET_2D, .format = SCH_FORMAT_R8G8B8A8_UNORM, .width = 96, .height = 72},
        {.target = SCH_TARGET_2D, .format = SCH_FORMAT_R32G32B32A32_FLOAT, .width = 32, .height = 32},
        {.target = SCH_TARGET_2D_MSAA, .format = SCH_FORMAT_B8G8R8A8_UNORM, .width = 20, .height = 9, .samples = 4},
        {.target = SCH_TARGET_2D, .format = SCH_FORMAT_Z24_UNORM_S8_UINT, .width = 96, .height = 80},
        {.target = SCH_TARGET_2D_ARRAY, .format = SCH_FORMAT_R8G8B8A8_UNORM, .width = 8, .height = 8, .layers = 3},
        {.target = SCH_TARGET_BUFFER, .format = SCH_FORMAT_R32_UINT, .width = 256}};
    static const float corners[4][8] = {{-1, -1, 0, 1, 1, 0, 0, 1},
                                        {1, -1, 0.5f, 1, 0, 1, 0, 0.5f},
                                        {-1, 1, 0.25f, 1, 0, 0, 1, 0.25f},
                                        {0.7f, 1, 1, 2, 1, 1, 0, 1}};
    *world = (struct world){.input = input, .threads = threads, .width = width};
    struct sch_limit_options limits = {.size = sizeof limits, .memory = 1 << 24, .context_memory = 1 << 27};
    const struct sch_context_options options = {.size = sizeof options, .limits = &limits};
    if (sch_context_create(&options, &world->context) != SCH_OK) abort();
    if (sch_renderer_create(world->context, &world->renderer) != SCH_OK) abort();
    for (unsigned i = 0; i < RESOURCES; i++) {
        struct sch_resource_options shape = shapes[i];
        shape.size = sizeof shape;
        if (put_resource(world, i, &shape) != SCH_OK) abort();
    }
    for (unsigned i = 0; i < BOUND; i++)
        if (sch_sampler_create(world->context, NULL, NULL, &world->samplers[i]) != SCH_OK) abort();
    world->vertices[0] = (struct array){.memory = malloc(sizeof corners), .bytes = sizeof corners};
    if (!world->vertices[0].memory) abort();
    memcpy(world->vertices[0].memory, corners, sizeof corners);
    /* what calls make of zeros: an object that can be used, so that short inputs draw */
    const struct input rest = world->input;
    static const uint8_t framebuffer[] = {3 << 6, 1 | 1 << SURFACES}, vertices[] = {2};
    world->input = (struct input){framebuffer, framebuffer + sizeof framebuffer};
    make_framebuffer(world);
    world->input = (struct input){vertices, vertices + sizeof vertices};
    make_vertices(world);
    world->input.at = world->input.end;
    if (make_pipeline(world) != SCH_OK || !world->elements || !world->framebuffer) abort();
    world->input = rest;
}

static void end(struct world *world)
{
    sch_renderer_destroy(world->renderer);
    sch_pixel_history_destroy(world->history);
    sch_framebuffer_destroy(world->framebuffer);
    sch_vertex_elements_destroy(world->elements);
    sch_rasterizer_destroy(world->rasterizer);
    sch_depth_stencil_alpha_destroy(world->tests);
    sch_blend_destroy(world->blend);
    sch_pipeline_destroy(world->pipeline);
    for (unsigned i = 0; i < COUNT(vertex_texts); i++) sch_program_destroy(world->vertex[i]);
    for (unsigned i = 0; i < COUNT(geometry_texts); i++) sch_program_destroy(world->geometry[i]);
    for (unsigned i = 0; i < COUNT(fragment_texts); i++) sch_program_destroy(world->fragment[i]);
    for (unsigned i = 0; i < COUNT(control_texts); i++) sch_program_destroy(world->control[i]);
    for (unsigned i = 0; i < COUNT(evaluation_texts); i++) sch_program_destroy(world->evaluation[i]);
    sch_program_destroy(world->patches);
    for (unsigned i = 0; i < SCH_STREAM_BUFFERS; i++) sch_stream_target_destroy(world->targets[i]);
    for (unsigned i = 0; i < BOUND; i++) {
        sch_view_destroy(world->views[i]);
        sch_image_destroy(world->images[i]);
        sch_sampler_destroy(world->samplers[i]);
    }
    for (unsigned i = 0; i < QUERIES; i++) sch_query_destroy(world->queries[i]);
    for (unsigned i = 0; i < VERTEX_BUFFERS; i++) free(world->vertices[i].memory);
    free(world->indices.memory);
    for (unsigned i = 0; i < RESOURCES; i++) sch_resource_destroy(world->resource[i]);
    sch_context_destroy(world->context);
}

static uint64_t hash_words(uint64_t hash, const uint64_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u ^ hash >> 29;
    return hash;
}

/* All that a history says. Its structs are of whole words of eight bytes. */
static uint64_t hash_history(uint64_t hash, const struct sch_pixel_history *history)
{
    static struct sch_pixel_event event;
    static struct sch_pixel_sample sample;
    event.size = sizeof event;
    sample.size = sizeof sample;
    for (uint32_t n = 0; sch_pixel_history_get_event(history, n, &event) == SCH_OK; n++) {
        hash = hash_words(hash, (const uint64_t *)&event, sizeof event / 8);
        for (uint32_t s = 0; s < event.samples; s++)
            if (sch_pixel_history_get_sample(history, n, s, &sample) == SCH_OK)
                hash = hash_words(hash, (const uint64_t *)&sample, sizeof sample / 8);
    }
    return hash;
}

static uint64_t hash_of(const struct world *world)
{
    static uint64_t texels[MOST / 8];
    uint64_t hash = 1;
    for (unsigned i = 0; i < RESOURCES; i++) {
        const size_t bytes = sch_resource_bytes(world->resource[i]);
        if (bytes % 8) texels[bytes / 8] = 0;
        if (sch_resource_read_all(world->resource[i], texels, bytes) != SCH_OK) abort();
        hash = hash_words(hash, texels, (bytes + 7) / 8);
    }
    if (world->history) hash = hash_history(hash, world->history);
    return hash;
}

typedef enum sch_result call_function(struct world *);

/* What draws and what writes; states are seen by what is drawn with them. */
static bool is_looked_at(call_function *function)
{
    return function == draw || function == clear || function == blit || function == query;
}

static void execute_all(struct world *world)
{
    static call_function *const calls[] = {draw,
                                           draw,
                                           clear,
                                           draw,
                                           make_resource,
                                           fill_resource,
                                           make_framebuffer,
                                           draw,
                                           make_buffers,
                                           set_dynamic,
                                           make_blend,
                                           make_tests,
                                           make_rasterizer,
                                           make_rasterizer,
                                           make_vertices,
                                           make_pipeline,
                                           make_pipeline,
                                           make_view,
                                           make_image,
                                           blit,
                                           query,
                                           record,
                                           flush,
                                           draw};
    while (world->calls < CALLS && world->input.at < world->input.end) {
        call_function *call = calls[next(&world->input) % COUNT(calls)];
        struct outcome *outcome = &world->outcomes[world->calls++];
        if (call != draw) sch_renderer_flush(world->renderer, NULL); /* it may end what draws use */
        outcome->result = call(world);
        if (is_looked_at(call) && !(call == draw && world->waits)) outcome->hash = hash_of(world);
        const bool ended = outcome->result >= SCH_ERROR_BUDGET || outcome->result == SCH_ERROR_MEMORY;
        if (call == draw && ended) break; /* what is there now is not defined */
    }
}

static const char *compare(const struct world *one, const struct world *other)
{
    for (unsigned i = 0; i < one->calls && i < other->calls; i++) {
        const struct outcome *a = &one->outcomes[i], *b = &other->outcomes[i];
        if (a->result == SCH_ERROR_INTERNAL || b->result == SCH_ERROR_INTERNAL) return "a call ends in a bug";
        if (a->result == SCH_ERROR_DEADLINE || b->result == SCH_ERROR_DEADLINE) return NULL;
        if (a->result != b->result) return "a call ends in two ways";
        if (a->result == SCH_OK && a->hash != b->hash) return "what is drawn depends on threads and width";
    }
    return NULL;
}

const char *sch_fuzz_check(const uint8_t *data, size_t bytes)
{
    static struct world worlds[2];
    const struct input input = {data, data + bytes};
    begin(&worlds[0], input, 1, 4);
    execute_all(&worlds[0]);
    end(&worlds[0]);
    begin(&worlds[1], input, 2, 8);
    execute_all(&worlds[1]);
    end(&worlds[1]);
    return compare(&worlds[0], &worlds[1]);
}

SCH_FUZZ_TARGET
