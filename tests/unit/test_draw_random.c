/* Random draws: pipelines of captured vertex and fragment shaders over random meshes, with random state, drawn into
 * random framebuffers. What is written does not depend on the width of vectors, on the number of threads, on how the
 * shaders run or on whether the history of a pixel is recorded; with SCH_LONG 10,000 draws, each at every width with
 * every number of threads. The first draws have programs of their own, so that something is drawn where there are no
 * captured ones. Holds no expectation of what a pixel is: the other tests of draws do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api_program.h"
#include "base/sha256.h"
#include "by_code.h"
#include "draw_support.h"
#include "random_textures.h"
#include "tgsi_support.h"

enum {
    DRAWS = 120,
    LONG_DRAWS = 10000,
    THREADS = 3, /* at most */
    VERTICES = 48,
    REGISTERS = 16,
    INDICES = 64,
    CONSTANTS = 128,
    SIDE = 80, /* pixels of a framebuffer, at most */
    TARGETS = 3,
    MEMORY = 64 /* words of a storage buffer */
};

/* What a draw is made of, the same for all that draw it. */
struct subject {
    uint64_t seed;
    char *texts[2]; /* of the vertex and of the fragment shader */
    float vertices[VERTICES][REGISTERS][4];
    uint32_t indices[INDICES];
    uint32_t constants[2][CONSTANTS][4];
    struct draw_scene scene;
    struct sch_resource *colors[TARGETS];
    uint32_t color_count;
    struct sch_draw draw;
    struct random_textures textures[2];
    struct sch_pixel_history *history; /* that the next draw is recorded in; NULL: none */
    uint32_t events;                   /* of a pixel */
};

static uint32_t below(struct subject *subject, uint32_t count) { return random_number(&subject->seed) % count; }
static bool chance(struct subject *subject, uint32_t one_of) { return below(subject, one_of) == 0; }
static float part(struct subject *subject) { return (float)(random_number(&subject->seed) >> 40) / 16777216.0f; }

/* Numbers are taken in full expressions of their own: arguments and initialisers have no order. */

/* ---- shaders ---- */

static const char own_vertex[] = "VERT\n"
                                 "DCL IN[0..3]\n"
                                 "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\n"
                                 "DCL OUT[3], GENERIC[0]\nDCL OUT[4], PSIZE\nDCL OUT[5], CLIPDIST\nDCL OUT[6], FOG\n"
                                 "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3], IN[3]\n"
                                 "MOV OUT[4].x, IN[3].xxxx\nMOV OUT[5], IN[2]\nMOV OUT[6], IN[1]\nEND\n";
static const char own_fragment[] =
    "FRAG\n"
    "DCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE\nDCL IN[2], POSITION, LINEAR\nDCL IN[3], FACE\n"
    "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {0.015625, 0.5, 0.25, 1.0}\n"
    "MUL TEMP[0], IN[2], IMM[0].xxyw\nMAD OUT[0], IN[0], IMM[0].yyyw, TEMP[0]\nMAD OUT[1], IN[1], IN[3].xxxx, TEMP[0]\n"
    "END\n";

/* A captured text of a stage. NULL: there are none. */
static char *captured(struct subject *subject, char **paths, size_t count, const char *stage)
{
    size_t bytes, first = 0, end;
    while (first < count && !strstr(paths[first], stage)) first++;
    for (end = first; end < count && strstr(paths[end], stage);) end++;
    if (first == end) return NULL;
    return load_file(paths[first + below(subject, (uint32_t)(end - first))], &bytes);
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    return strcpy(copy, text);
}

static void choose_shaders(struct subject *subject, char **paths, size_t count)
{
    const bool own = chance(subject, 3);
    subject->texts[0] = own ? NULL : captured(subject, paths, count, "/vs/");
    subject->texts[1] = chance(subject, 4) ? NULL : captured(subject, paths, count, "/fs/");
    if (!subject->texts[0]) subject->texts[0] = copy_of(own_vertex);
    if (!subject->texts[1]) subject->texts[1] = copy_of(own_fragment);
}

/* ---- vertices ---- */

/* Most in the picture, some far outside, behind the eye, or nowhere. */
static float coordinate(struct subject *subject)
{
    static const float odd[] = {0, 1, -1, 1e10f, -3e4f, 1e-20f, -0.0f};
    const uint32_t kind = below(subject, 40);
    if (kind == 0) return odd[below(subject, sizeof odd / sizeof *odd)];
    if (kind == 1) return api_float((uint32_t)random_number(&subject->seed));
    if (kind < 6) return (float)below(subject, 33) / 16 - 1;
    return kind < 10 ? part(subject) * 8 - 4 : part(subject) * 2 - 1;
}

static void fill_vertices(struct subject *subject)
{
    for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t r = 0; r < REGISTERS; r++)
            for (uint32_t c = 0; c < 4; c++) {
                float *word = &subject->vertices[v][r][c];
                *word = r == 0 ? coordinate(subject) : part(subject) * 2 - 0.25f;
                if (r == 0 && c == 3 && !chance(subject, 10)) *word = chance(subject, 2) ? 1 : part(subject) + 0.25f;
            }
    for (uint32_t i = 0; i < INDICES; i++)
        subject->indices[i] = chance(subject, 9) ? UINT32_MAX : below(subject, VERTICES + 2);
    api_fill(subject->constants, sizeof subject->constants / 4, &subject->seed);
}

static void choose_elements(struct subject *subject)
{
    static const enum sch_format formats[] = {SCH_FORMAT_R32G32_FLOAT,       SCH_FORMAT_R8G8B8A8_UNORM,
                                              SCH_FORMAT_R16G16_SNORM,       SCH_FORMAT_R16G16B16A16_FLOAT,
                                              SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_R10G10B10A2_UNORM};
    struct draw_scene *scene = &subject->scene;
    draw_vertices(scene, subject->vertices[0][0], VERTICES, REGISTERS);
    for (uint32_t r = 1; r < REGISTERS; r++) {
        if (chance(subject, 4)) scene->elements[r].format = formats[below(subject, 6)];
        if (chance(subject, 8)) scene->elements[r].divisor = 1 + below(subject, 2);
    }
}

static void choose_draw(struct subject *subject)
{
    static const uint32_t bytes[] = {0, 0, 4};
    struct sch_draw *draw = &subject->draw;
    *draw = (struct sch_draw){.size = sizeof *draw, .restart_index = UINT32_MAX};
    draw->primitive = (enum sch_primitive)below(subject, SCH_PRIMITIVE_PATCHES);
    draw->start = below(subject, 3);
    draw->count = 1 + below(subject, VERTICES - 4);
    draw->instance_count = 1 + chance(subject, 4);
    draw->start_instance = below(subject, 2);
    draw->index_bytes = bytes[below(subject, 3)];
    draw->restart = chance(subject, 2);
    draw->draw_id = below(subject, 4);
    draw->indices.memory = subject->indices;
    draw->indices.memory_bytes = sizeof subject->indices;
    if (chance(subject, 2)) draw->primitive = SCH_PRIMITIVE_TRIANGLES;
}

/* ---- state ---- */

static void choose_rasterizer(struct subject *subject)
{
    struct sch_rasterizer_options *state = &subject->scene.rasterizer;
    state->flatshade = chance(subject, 4);
    state->flatshade_first = chance(subject, 2);
    state->light_twoside = chance(subject, 3);
    state->clamp_vertex_color = chance(subject, 3);
    state->clamp_fragment_color = chance(subject, 3);
    state->front_ccw = chance(subject, 2);
    state->cull_face = chance(subject, 4) ? below(subject, 3) : 0;
    state->fill_front = chance(subject, 6) ? (enum sch_fill)below(subject, 3) : SCH_FILL_SOLID;
    state->fill_back = chance(subject, 6) ? (enum sch_fill)below(subject, 3) : SCH_FILL_SOLID;
    state->offset_tri = state->offset_line = state->offset_point = chance(subject, 4);
    state->offset_units = part(subject) * 8 - 4;
    state->offset_scale = part(subject) * 4 - 2;
    state->scissor = chance(subject, 4);
    state->poly_smooth = chance(subject, 10);
    state->poly_stipple_enable = chance(subject, 6);
    state->point_size = 1 + part(subject) * 9;
    state->point_size_per_vertex = chance(subject, 3);
    state->point_smooth = chance(subject, 6);
    state->point_quad_rasterization = chance(subject, 2);
    state->point_tri_clip = chance(subject, 4);
    state->sprite_coord_enable = chance(subject, 2) ? below(subject, 256) : 0;
    state->sprite_coord_mode = (enum sch_sprite_origin)below(subject, 2);
    state->sprite_coord_generic = chance(subject, 2);
    state->line_width = 1 + (chance(subject, 2) ? part(subject) * 5 : 0);
    state->line_smooth = chance(subject, 6);
    state->line_rectangular = chance(subject, 3);
    state->line_last_pixel = chance(subject, 3);
    state->line_stipple_enable = chance(subject, 4);
    state->line_stipple_pattern = (uint16_t)random_number(&subject->seed);
    state->line_stipple_factor = 1 + below(subject, 3);
    state->multisample = !chance(subject, 4);
    state->force_persample_interp = chance(subject, 8);
    state->half_pixel_center = !chance(subject, 6);
    state->bottom_edge_rule = chance(subject, 3);
    state->depth_clip_near = !chance(subject, 4);
    state->depth_clip_far = !chance(subject, 4);
    state->depth_clamp = chance(subject, 4);
    state->clip_halfz = chance(subject, 2);
    state->clip_plane_enable = chance(subject, 3) ? below(subject, 256) : 0;
}

static void choose_stencil(struct subject *subject, struct sch_stencil_face *face)
{
    face->enabled = true;
    face->function = (enum sch_compare)(1 + below(subject, 8));
    face->fail = (enum sch_stencil_operation)below(subject, 8);
    face->depth_fail = (enum sch_stencil_operation)below(subject, 8);
    face->pass = (enum sch_stencil_operation)below(subject, 8);
    face->value_mask = (uint8_t)random_number(&subject->seed);
    face->write_mask = (uint8_t)random_number(&subject->seed);
}

static void choose_tests(struct subject *subject)
{
    struct sch_depth_stencil_alpha_options *state = &subject->scene.tests;
    state->depth_enabled = chance(subject, 2);
    state->depth_writes = chance(subject, 2);
    state->depth_function = (enum sch_compare)(1 + below(subject, 8));
    state->depth_bounds = chance(subject, 8);
    state->depth_bounds_min = part(subject) * 0.25f;
    state->depth_bounds_max = 1 - part(subject) * 0.25f;
    if (chance(subject, 3)) choose_stencil(subject, &state->stencil[0]);
    if (state->stencil[0].enabled && chance(subject, 2)) choose_stencil(subject, &state->stencil[1]);
    state->alpha_enabled = chance(subject, 6);
    state->alpha_function = (enum sch_compare)(1 + below(subject, 8));
    state->alpha_reference = part(subject);
}

static enum sch_blend_factor factor(struct subject *subject, bool second)
{
    static const enum sch_blend_factor factors[] = {
        SCH_FACTOR_ONE,           SCH_FACTOR_SRC_COLOR,     SCH_FACTOR_SRC_ALPHA,     SCH_FACTOR_DST_ALPHA,
        SCH_FACTOR_DST_COLOR,     SCH_FACTOR_ZERO,          SCH_FACTOR_CONST_COLOR,   SCH_FACTOR_CONST_ALPHA,
        SCH_FACTOR_INV_SRC_COLOR, SCH_FACTOR_INV_SRC_ALPHA, SCH_FACTOR_INV_DST_ALPHA, SCH_FACTOR_INV_DST_COLOR,
        SCH_FACTOR_SRC1_COLOR,    SCH_FACTOR_INV_SRC1_ALPHA};
    return factors[below(subject, second ? 14 : 12)];
}

static void choose_blend(struct subject *subject)
{
    struct sch_blend_options *state = &subject->scene.blend;
    state->independent = chance(subject, 3);
    state->alpha_to_coverage = chance(subject, 6);
    state->alpha_to_one = chance(subject, 8);
    state->logic_enabled = chance(subject, 8);
    state->logic_operation = (enum sch_logic_operation)below(subject, 16);
    for (uint32_t t = 0; t < SCH_COLOR_BUFFERS; t++) {
        const bool second = t == 0 && subject->color_count == 1;
        struct sch_blend_target *target = &state->targets[t];
        target->enabled = chance(subject, 2);
        target->color_equation = (enum sch_blend_equation)below(subject, 5);
        target->alpha_equation = (enum sch_blend_equation)below(subject, 5);
        target->color_source = factor(subject, second);
        target->color_destination = factor(subject, second);
        target->alpha_source = factor(subject, second);
        target->alpha_destination = factor(subject, second);
        target->color_mask = 15;
        if (chance(subject, 3)) target->color_mask = (uint8_t)below(subject, 16);
    }
}

static void choose_dynamic(struct subject *subject)
{
    struct sch_dynamic_state *state = &subject->scene.dynamic;
    struct sch_viewport *viewport = &state->viewports[0];
    if (chance(subject, 3)) viewport->scale[1] = -viewport->scale[1];
    if (chance(subject, 4)) viewport->translate[0] += part(subject) * 8 - 4;
    viewport->scale[2] = chance(subject, 3) ? part(subject) - 0.5f : 0.5f;
    viewport->translate[2] = 0.5f;
    struct sch_scissor *scissor = &state->scissors[0];
    scissor->left = below(subject, 20);
    scissor->top = below(subject, 20);
    scissor->right = 20 + below(subject, 50);
    scissor->bottom = 20 + below(subject, 50);
    for (uint32_t c = 0; c < 4; c++) state->blend_color[c] = part(subject);
    state->stencil_reference[0] = (uint8_t)below(subject, 256);
    state->stencil_reference[1] = (uint8_t)below(subject, 256);
    for (uint32_t p = 0; p < SCH_CLIP_PLANES; p++)
        for (uint32_t c = 0; c < 4; c++) state->clip_planes[p][c] = c == 3 ? 1 : part(subject) * 2 - 1;
    for (uint32_t r = 0; r < 32; r++) state->polygon_stipple[r] = (uint32_t)random_number(&subject->seed);
    if (chance(subject, 4)) state->sample_mask = (uint32_t)random_number(&subject->seed);
    if (chance(subject, 6)) state->min_samples = below(subject, 9);
}

/* ---- a framebuffer ---- */

static struct sch_resource *make_target(struct subject *subject, enum sch_format format)
{
    const struct draw_scene *scene = &subject->scene;
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = scene->samples > 1 ? SCH_TARGET_2D_MSAA : SCH_TARGET_2D,
                                                 .format = format,
                                                 .width = scene->columns,
                                                 .height = scene->rows,
                                                 .samples = scene->samples};
    struct sch_resource *made = NULL;
    assert_int_equal(sch_resource_create(scene->context, &options, NULL, &made), SCH_OK);
    return made;
}

/* Random bits, which floats may be as well, the same before each draw. */
static void fill_target(struct sch_resource *resource, uint64_t seed)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    for (size_t i = 0; i < bytes; i++) texels[i] = (uint8_t)(random_number(&seed) & 0x3f);
    assert_int_equal(sch_resource_write_all(resource, texels, bytes), SCH_OK);
    free(texels);
}

static void choose_framebuffer(struct subject *subject)
{
    static const enum sch_format colors[] = {SCH_FORMAT_R8G8B8A8_UNORM,     SCH_FORMAT_B8G8R8A8_SRGB,
                                             SCH_FORMAT_R16G16B16A16_FLOAT, SCH_FORMAT_R32G32B32A32_FLOAT,
                                             SCH_FORMAT_R11G11B10_FLOAT,    SCH_FORMAT_B5G6R5_UNORM,
                                             SCH_FORMAT_R10G10B10A2_UNORM,  SCH_FORMAT_R8G8B8A8_UINT,
                                             SCH_FORMAT_R16G16_SNORM,       SCH_FORMAT_R32_SINT};
    static const enum sch_format depths[] = {SCH_FORMAT_NONE, SCH_FORMAT_Z16_UNORM, SCH_FORMAT_Z24_UNORM_S8_UINT,
                                             SCH_FORMAT_Z32_FLOAT, SCH_FORMAT_Z32_FLOAT_S8X24_UINT};
    struct draw_scene *scene = &subject->scene;
    struct sch_framebuffer_options options = {.size = sizeof options};
    const uint32_t samples = chance(subject, 2) ? 1u << below(subject, 5) : 1;
    const enum sch_format depth = depths[below(subject, 5)];
    const uint32_t columns = 1 + below(subject, SIDE), rows = 1 + below(subject, SIDE);
    draw_begin(scene, columns, rows, samples, SCH_FORMAT_NONE, depth);
    sch_framebuffer_destroy(scene->framebuffer);
    subject->color_count = 1 + (chance(subject, 3) ? below(subject, TARGETS) : 0);
    for (uint32_t t = 0; t < subject->color_count; t++) {
        subject->colors[t] = make_target(subject, colors[below(subject, chance(subject, 2) ? 10 : 1)]);
        assert_int_equal(sch_surface_create(subject->colors[t], NULL, NULL, &options.colors[t]), SCH_OK);
    }
    if (scene->depth) assert_int_equal(sch_surface_create(scene->depth, NULL, NULL, &options.depth_stencil), SCH_OK);
    assert_int_equal(sch_framebuffer_create(scene->context, &options, NULL, &scene->framebuffer), SCH_OK);
    for (uint32_t t = 0; t < subject->color_count; t++) sch_surface_destroy(options.colors[t]);
    sch_surface_destroy(options.depth_stencil);
}

/* ---- a draw ---- */

static void choose_textures(struct subject *subject)
{
    for (unsigned s = 0; s < 2; s++) {
        struct reading reading = read_string(subject->texts[s]);
        assert_non_null(reading.shader);
        random_textures_make(subject->scene.context, reading.shader, random_number(&subject->seed),
                             &subject->textures[s]);
        release(&reading);
    }
}

static void begin(struct subject *subject, uint64_t seed, char **paths, size_t count)
{
    memset(subject, 0, sizeof *subject);
    subject->seed = seed;
    choose_shaders(subject, paths, count);
    choose_framebuffer(subject);
    subject->scene.vertex = subject->texts[0];
    subject->scene.fragment = subject->texts[1];
    fill_vertices(subject);
    choose_elements(subject);
    choose_draw(subject);
    choose_rasterizer(subject);
    choose_tests(subject);
    choose_blend(subject);
    choose_dynamic(subject);
    choose_textures(subject);
    subject->scene.dispatch.budget = 5000;
}

static void end(struct subject *subject)
{
    for (unsigned s = 0; s < 2; s++) {
        random_textures_release(&subject->textures[s]);
        free(subject->texts[s]);
    }
    for (uint32_t t = 0; t < subject->color_count; t++) sch_resource_destroy(subject->colors[t]);
    draw_end(&subject->scene);
}

static void add_texels(struct sch_sha256 *sum, const struct sch_resource *resource)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    assert_int_equal(sch_resource_read_all(resource, texels, bytes), SCH_OK);
    sch_sha256_add(sum, texels, bytes);
    free(texels);
}

/* Draws, and sums up all that was written. */
static enum sch_result draw_once(struct subject *subject, enum sch_engine engine, unsigned width, unsigned threads,
                                 uint8_t digest[SCH_SHA256_BYTES])
{
    struct draw_scene *scene = &subject->scene;
    struct sch_bindings bindings[2];
    struct sch_constant_buffer constants[2];
    struct sch_storage_buffer buffers[8];
    uint32_t memory[8][MEMORY];
    memset(memory, 0, sizeof memory);
    for (unsigned b = 0; b < 8; b++) buffers[b] = (struct sch_storage_buffer){memory[b], sizeof memory[b]};
    for (unsigned s = 0; s < 2; s++) {
        constants[s] = (struct sch_constant_buffer){subject->constants[s], sizeof subject->constants[s]};
        bindings[s] = (struct sch_bindings){.size = sizeof bindings[s],
                                            .constants = &constants[s],
                                            .constant_count = 1,
                                            .buffers = buffers,
                                            .buffer_count = 8,
                                            .hw_atomics = buffers,
                                            .hw_atomic_count = 8};
        random_textures_reset(&subject->textures[s]);
        random_textures_bind(&subject->textures[s], &bindings[s]);
    }
    scene->bindings[SCH_STAGE_VERTEX] = &bindings[0];
    scene->bindings[SCH_STAGE_FRAGMENT] = &bindings[1];
    scene->engine = engine;
    scene->width = width;
    scene->dispatch.threads = threads;
    for (uint32_t t = 0; t < subject->color_count; t++) fill_target(subject->colors[t], t);
    if (scene->depth) fill_target(scene->depth, TARGETS);
    assert_int_equal(sch_renderer_record_pixel(scene->renderer, subject->history), SCH_OK);
    const enum sch_result result = draw_try(scene, &subject->draw);
    assert_int_equal(sch_renderer_record_pixel(scene->renderer, NULL), SCH_OK);
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    for (uint32_t t = 0; t < subject->color_count; t++) add_texels(&sum, subject->colors[t]);
    if (scene->depth) add_texels(&sum, scene->depth);
    sch_sha256_add(&sum, memory, sizeof memory);
    sch_sha256_end(&sum, digest);
    return result;
}

/* Whether the draw writes something; it is drawn once more. */
static bool writes(struct subject *subject)
{
    struct sch_query_result result;
    struct sch_query *query = NULL;
    uint8_t digest[SCH_SHA256_BYTES];
    struct draw_scene *scene = &subject->scene;
    assert_int_equal(sch_query_create(scene->context, SCH_QUERY_OCCLUSION_COUNTER, 0, &query), SCH_OK);
    assert_int_equal(sch_renderer_begin_query(scene->renderer, query), SCH_OK);
    draw_once(subject, SCH_ENGINE_INTERPRETER, 4, 1, digest);
    assert_int_equal(sch_renderer_end_query(scene->renderer, query), SCH_OK);
    result.available = false;
    assert_int_equal(sch_query_get_result(query, &result), SCH_OK);
    sch_query_destroy(query);
    return result.values[0] > 0;
}

/* ---- the history of a pixel ---- */

/* Of a pixel in the middle half of a colour buffer or of depth; the same one for each draw of a subject. */
static void record(struct subject *subject, uint64_t number)
{
    const struct draw_scene *scene = &subject->scene;
    struct sch_pixel_history_options options = {.size = sizeof options};
    uint64_t seed = number + 1;
    options.x = scene->columns / 4 + (uint32_t)(random_number(&seed) % (scene->columns / 2 + 1));
    options.y = scene->rows / 4 + (uint32_t)(random_number(&seed) % (scene->rows / 2 + 1));
    struct sch_resource *resource = number % 3 == 0 && scene->depth ? scene->depth : subject->colors[0];
    assert_int_equal(sch_pixel_history_create(resource, &options, NULL, &subject->history), SCH_OK);
}

/* What each sample has before an event is what the one before it left, and what the last one left is there. */
static void history_is_whole(const struct subject *subject, uint64_t number, uint32_t buffer, uint32_t samples,
                             uint32_t count)
{
    struct sch_pixel_sample sample = {.size = sizeof sample}, other = sample;
    for (uint32_t s = 0; s < samples; s++)
        for (uint32_t n = 0; n < count; n++) {
            sch_pixel_history_get_sample(subject->history, n, s, &sample);
            if (n && memcmp(&sample.before, &other.after, sizeof sample.before) != 0)
                fail_msg("draw %u: sample %u before event %u is another", (unsigned)number, s, n);
            if (buffer < SCH_COLOR_BUFFERS && sample.outcome != SCH_PIXEL_PASSED &&
                memcmp(sample.before.texels, sample.after.texels, sizeof sample.before.texels) != 0)
                fail_msg("draw %u: event %u changed sample %u", (unsigned)number, n, s);
            other = sample;
        }
}

/* All that a history says of its events. */
static uint32_t sum_history(struct subject *subject, uint64_t number, uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_pixel_history_info info = {.size = sizeof info};
    struct sch_pixel_event event = {.size = sizeof event};
    struct sch_pixel_sample sample = {.size = sizeof sample};
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    assert_int_equal(sch_pixel_history_get_info(subject->history, &info), SCH_OK);
    for (uint32_t n = 0; n < info.event_count; n++) {
        assert_int_equal(sch_pixel_history_get_event(subject->history, n, &event), SCH_OK);
        sch_sha256_add(&sum, &event, sizeof event);
        if (event.kind == SCH_PIXEL_OTHER) fail_msg("draw %u: event %u is not explained", (unsigned)number, n);
        for (uint32_t s = 0; s < event.samples; s++) {
            assert_int_equal(sch_pixel_history_get_sample(subject->history, n, s, &sample), SCH_OK);
            if (sample.outcome == SCH_PIXEL_UNFINISHED) fail_msg("draw %u: event %u has no end", (unsigned)number, n);
            sch_sha256_add(&sum, &sample, sizeof sample);
        }
    }
    history_is_whole(subject, number, event.buffer, event.samples, info.event_count);
    sch_sha256_end(&sum, digest);
    sch_pixel_history_destroy(subject->history);
    subject->history = NULL;
    return info.event_count;
}

/* Recorded draws have the answer of the others, and one history. Adds how many events it has. */
static void one_history(struct subject *subject, uint64_t number, const uint8_t answer[SCH_SHA256_BYTES])
{
    static const unsigned widths[] = {4, 8, 16};
    const enum sch_engine engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    uint8_t first[SCH_SHA256_BYTES], other[SCH_SHA256_BYTES], digest[SCH_SHA256_BYTES];
    record(subject, number);
    draw_once(subject, SCH_ENGINE_INTERPRETER, 4, 1, digest);
    if (memcmp(digest, answer, sizeof digest) != 0)
        fail_msg("draw %u: another answer while a pixel is recorded", (unsigned)number);
    subject->events += sum_history(subject, number, first);
    record(subject, number);
    draw_once(subject, engine, widths[number % 3], 1 + (unsigned)number / 3 % 3, digest);
    if (memcmp(digest, answer, sizeof digest) != 0)
        fail_msg("draw %u: another answer while a pixel is recorded, by %u lanes", (unsigned)number,
                 widths[number % 3]);
    sum_history(subject, number, other);
    if (memcmp(first, other, sizeof first) != 0) fail_msg("draw %u: another history", (unsigned)number);
}

/* ---- the answers ---- */

static void one_answer(struct subject *subject, uint64_t number, struct sch_sha256 *sum)
{
    static const unsigned widths[] = {4, 8, 16};
    uint8_t first[SCH_SHA256_BYTES], other[SCH_SHA256_BYTES];
    const enum sch_result result = draw_once(subject, SCH_ENGINE_INTERPRETER, 4, 1, first);
    if (result != SCH_OK && result != SCH_ERROR_BUDGET && result != SCH_ERROR_UNSUPPORTED)
        fail_msg("draw %u: %s", (unsigned)number, sch_result_text(result));
    if (result != SCH_OK) return;
    sch_sha256_add(sum, first, sizeof first);
    for (unsigned w = 0; w < 3; w++) {
        if (by_code() && !getenv("SCH_LONG") && number % 3 != w) continue;
        const unsigned only = 1 + (unsigned)(number + w) % THREADS;
        for (unsigned threads = 1; threads <= THREADS; threads++) {
            if (!getenv("SCH_LONG") && threads != only) continue;
            const enum sch_result again =
                draw_once(subject, by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER, widths[w], threads, other);
            if (again != result || memcmp(first, other, sizeof first) != 0)
                fail_msg("draw %u: another answer with %u lanes and %u threads", (unsigned)number, widths[w], threads);
        }
    }
    one_history(subject, number, first);
}

/* So that builds by different compilers can be compared. */
static void tell(struct sch_sha256 *sum, unsigned draws)
{
    uint8_t digest[SCH_SHA256_BYTES];
    sch_sha256_end(sum, digest);
    printf("# %u draws: SHA-256 ", draws);
    for (unsigned i = 0; i < sizeof digest; i++) printf("%02x", digest[i]);
    puts("");
}

static void draws_have_one_answer(void **state)
{
    (void)state;
    static struct subject subject;
    size_t count;
    char **paths = captured_texts(&count);
    const unsigned draws = getenv("SCH_LONG") ? LONG_DRAWS : by_code_share(DRAWS, 4);
    const char *only = getenv("SCH_DRAW");
    unsigned written = 0, looked = 0, events = 0;
    struct sch_sha256 sum;
    sch_sha256_begin(&sum);
    for (unsigned n = only ? (unsigned)atoi(only) : 0; n < (only ? (unsigned)atoi(only) + 1 : draws); n++) {
        begin(&subject, n * UINT64_C(0x9e3779b97f4a7c15) + 1, paths, count);
        one_answer(&subject, n, &sum);
        events += subject.events;
        if (n % 8 == 0) {
            written += writes(&subject);
            looked++;
        }
        end(&subject);
    }
    tell(&sum, draws);
    printf("# %u events\n", events);
    if (!only && events < draws / 2) fail_msg("only %u events of pixels", events);
    /* The others are culled, clipped, or fail a test. */
    if (!only && !by_code() && written * 4 < looked) fail_msg("only %u of %u draws leave samples", written, looked);
    free_texts(paths, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(draws_have_one_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
