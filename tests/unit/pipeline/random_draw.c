/* See random_draw.h. */
#include "random_draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/api_program.h"
#include "../support/by_code.h"
#include "../tgsi/tgsi_support.h"

uint32_t random_draw_below(struct random_draw *subject, uint32_t count)
{
    return random_number(&subject->seed) % count;
}
bool random_draw_chance(struct random_draw *subject, uint32_t one_of)
{
    return random_draw_below(subject, one_of) == 0;
}
float random_draw_part(struct random_draw *subject)
{
    return (float)(random_number(&subject->seed) >> 40) / 16777216.0f;
}

static uint32_t below(struct random_draw *subject, uint32_t count) { return random_draw_below(subject, count); }
static bool chance(struct random_draw *subject, uint32_t one_of) { return random_draw_chance(subject, one_of); }
static float part(struct random_draw *subject) { return random_draw_part(subject); }

/* Numbers are taken in full expressions of their own: arguments and initialisers have no order. */

/* ---- shaders ---- */

const char random_draw_vertex[] = "VERT\n"
                                  "DCL IN[0..3]\n"
                                  "DCL OUT[0], POSITION\nDCL OUT[1], COLOR\nDCL OUT[2], BCOLOR\n"
                                  "DCL OUT[3], GENERIC[0]\nDCL OUT[4], PSIZE\nDCL OUT[5], CLIPDIST\nDCL OUT[6], FOG\n"
                                  "MOV OUT[0], IN[0]\nMOV OUT[1], IN[1]\nMOV OUT[2], IN[2]\nMOV OUT[3], IN[3]\n"
                                  "MOV OUT[4].x, IN[3].xxxx\nMOV OUT[5], IN[2]\nMOV OUT[6], IN[1]\nEND\n";
const char random_draw_fragment[] =
    "FRAG\n"
    "DCL IN[0], COLOR, COLOR\nDCL IN[1], GENERIC[0], PERSPECTIVE\nDCL IN[2], POSITION, LINEAR\nDCL IN[3], FACE\n"
    "DCL OUT[0], COLOR\nDCL OUT[1], COLOR[1]\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {0.015625, 0.5, 0.25, 1.0}\n"
    "MUL TEMP[0], IN[2], IMM[0].xxyw\nMAD OUT[0], IN[0], IMM[0].yyyw, TEMP[0]\nMAD OUT[1], IN[1], IN[3].xxxx, TEMP[0]\n"
    "END\n";

char *random_draw_captured(struct random_draw *subject, char **paths, size_t count, const char *stage)
{
    size_t bytes, first = 0, end;
    while (first < count && !strstr(paths[first], stage)) first++;
    for (end = first; end < count && strstr(paths[end], stage);) end++;
    if (first == end) return NULL;
    return load_file(paths[first + below(subject, (uint32_t)(end - first))], &bytes);
}

char *random_draw_copy(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    return strcpy(copy, text);
}

bool random_draw_is_d3d(const char *text) { return strlen(text) > 3 && text[2] == '_' && text[3] == '5'; }

/* ---- vertices ---- */

/* Most in the picture, some far outside, behind the eye, or nowhere. */
static float coordinate(struct random_draw *subject)
{
    static const float odd[] = {0, 1, -1, 1e10f, -3e4f, 1e-20f, -0.0f};
    const uint32_t kind = below(subject, 40);
    if (kind == 0) return odd[below(subject, sizeof odd / sizeof *odd)];
    if (kind == 1) return api_float((uint32_t)random_number(&subject->seed));
    if (kind < 6) return (float)below(subject, 33) / 16 - 1;
    return kind < 10 ? part(subject) * 8 - 4 : part(subject) * 2 - 1;
}

static void fill_vertices(struct random_draw *subject)
{
    for (uint32_t v = 0; v < RANDOM_DRAW_VERTICES; v++)
        for (uint32_t r = 0; r < RANDOM_DRAW_REGISTERS; r++)
            for (uint32_t c = 0; c < 4; c++) {
                float *word = &subject->vertices[v][r][c];
                *word = r == 0 ? coordinate(subject) : part(subject) * 2 - 0.25f;
                if (r == 0 && c == 3 && !chance(subject, 10)) *word = chance(subject, 2) ? 1 : part(subject) + 0.25f;
            }
    for (uint32_t i = 0; i < RANDOM_DRAW_INDICES; i++)
        subject->indices[i] = chance(subject, 9) ? UINT32_MAX : below(subject, RANDOM_DRAW_VERTICES + 2);
    for (unsigned s = 0; s < RANDOM_DRAW_STAGES; s++)
        if (subject->texts[s]) api_fill(subject->constants[s], sizeof subject->constants[s] / 4, &subject->seed);
}

static void choose_elements(struct random_draw *subject)
{
    static const enum sch_format formats[] = {SCH_FORMAT_R32G32_FLOAT,       SCH_FORMAT_R8G8B8A8_UNORM,
                                              SCH_FORMAT_R16G16_SNORM,       SCH_FORMAT_R16G16B16A16_FLOAT,
                                              SCH_FORMAT_R32G32B32A32_FLOAT, SCH_FORMAT_R10G10B10A2_UNORM};
    struct draw_scene *scene = &subject->scene;
    draw_vertices(scene, subject->drawn[0][0], RANDOM_DRAW_VERTICES, RANDOM_DRAW_REGISTERS);
    for (uint32_t r = 1; r < RANDOM_DRAW_REGISTERS; r++) {
        if (chance(subject, 4)) scene->elements[r].format = formats[below(subject, 6)];
        if (chance(subject, 8)) scene->elements[r].divisor = 1 + below(subject, 2);
    }
}

static void choose_draw(struct random_draw *subject)
{
    static const uint32_t bytes[] = {0, 0, 4};
    struct sch_draw *draw = &subject->draw;
    *draw = (struct sch_draw){.size = sizeof *draw, .restart_index = UINT32_MAX};
    draw->primitive = (enum sch_primitive)below(subject, SCH_PRIMITIVE_PATCHES);
    draw->start = below(subject, 3);
    draw->count = 1 + below(subject, RANDOM_DRAW_VERTICES - 4);
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

static void choose_rasterizer(struct random_draw *subject)
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

static void choose_stencil(struct random_draw *subject, struct sch_stencil_face *face)
{
    face->enabled = true;
    face->function = (enum sch_compare)(1 + below(subject, 8));
    face->fail = (enum sch_stencil_operation)below(subject, 8);
    face->depth_fail = (enum sch_stencil_operation)below(subject, 8);
    face->pass = (enum sch_stencil_operation)below(subject, 8);
    face->value_mask = (uint8_t)random_number(&subject->seed);
    face->write_mask = (uint8_t)random_number(&subject->seed);
}

static void choose_tests(struct random_draw *subject)
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

static enum sch_blend_factor factor(struct random_draw *subject, bool second)
{
    static const enum sch_blend_factor factors[] = {
        SCH_FACTOR_ONE,           SCH_FACTOR_SRC_COLOR,     SCH_FACTOR_SRC_ALPHA,     SCH_FACTOR_DST_ALPHA,
        SCH_FACTOR_DST_COLOR,     SCH_FACTOR_ZERO,          SCH_FACTOR_CONST_COLOR,   SCH_FACTOR_CONST_ALPHA,
        SCH_FACTOR_INV_SRC_COLOR, SCH_FACTOR_INV_SRC_ALPHA, SCH_FACTOR_INV_DST_ALPHA, SCH_FACTOR_INV_DST_COLOR,
        SCH_FACTOR_SRC1_COLOR,    SCH_FACTOR_INV_SRC1_ALPHA};
    return factors[below(subject, second ? 14 : 12)];
}

static void choose_blend(struct random_draw *subject)
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

static void choose_dynamic(struct random_draw *subject)
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

static enum sch_target target_of(bool multisampled, bool layered)
{
    if (multisampled) return layered ? SCH_TARGET_2D_ARRAY_MSAA : SCH_TARGET_2D_MSAA;
    return layered ? SCH_TARGET_2D_ARRAY : SCH_TARGET_2D;
}

static struct sch_resource *make_target(struct random_draw *subject, enum sch_format format)
{
    const struct draw_scene *scene = &subject->scene;
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = target_of(scene->samples > 1, subject->layers > 1),
                                                 .layers = subject->layers,
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

void random_draw_framebuffer(struct random_draw *subject)
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
    const uint32_t columns = 1 + below(subject, RANDOM_DRAW_SIDE), rows = 1 + below(subject, RANDOM_DRAW_SIDE);
    draw_begin(scene, columns, rows, samples, SCH_FORMAT_NONE, SCH_FORMAT_NONE);
    sch_framebuffer_destroy(scene->framebuffer);
    if (depth != SCH_FORMAT_NONE) scene->depth = make_target(subject, depth);
    subject->color_count = 1 + (chance(subject, 3) ? below(subject, RANDOM_DRAW_TARGETS) : 0);
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

static void choose_textures(struct random_draw *subject)
{
    for (unsigned s = 0; s < RANDOM_DRAW_STAGES; s++) {
        if (!subject->texts[s] || random_draw_is_d3d(subject->texts[s])) continue; /* those of Direct3D name none */
        struct reading reading = read_string(subject->texts[s]);
        assert_non_null(reading.shader);
        random_textures_make(subject->scene.context, reading.shader, random_number(&subject->seed),
                             &subject->textures[s]);
        release(&reading);
    }
}

void random_draw_state(struct random_draw *subject)
{
    struct draw_scene *scene = &subject->scene;
    scene->vertex = subject->texts[SCH_STAGE_VERTEX];
    scene->tess_ctrl = subject->texts[SCH_STAGE_TESS_CTRL];
    scene->tess_eval = subject->texts[SCH_STAGE_TESS_EVAL];
    scene->geometry = subject->texts[SCH_STAGE_GEOMETRY];
    scene->fragment = subject->texts[SCH_STAGE_FRAGMENT];
    fill_vertices(subject);
    choose_elements(subject);
    choose_draw(subject);
    choose_rasterizer(subject);
    choose_tests(subject);
    choose_blend(subject);
    choose_dynamic(subject);
    choose_textures(subject);
    scene->dispatch.budget = 5000;
}

void random_draw_end(struct random_draw *subject)
{
    for (unsigned s = 0; s < RANDOM_DRAW_STAGES; s++) {
        random_textures_release(&subject->textures[s]);
        free(subject->texts[s]);
    }
    for (uint32_t t = 0; t < subject->color_count; t++) sch_resource_destroy(subject->colors[t]);
    draw_end(&subject->scene);
}

void random_draw_bind(struct random_draw *subject, enum sch_stage stage, struct sch_storage_buffer *buffers)
{
    struct sch_bindings *bindings = &subject->bindings[stage];
    subject->constant_buffers[stage] =
        (struct sch_constant_buffer){subject->constants[stage], sizeof subject->constants[stage]};
    *bindings = (struct sch_bindings){.size = sizeof *bindings,
                                      .constants = &subject->constant_buffers[stage],
                                      .constant_count = 1,
                                      .buffers = buffers,
                                      .buffer_count = RANDOM_DRAW_BUFFERS,
                                      .hw_atomics = buffers,
                                      .hw_atomic_count = RANDOM_DRAW_BUFFERS};
    random_textures_reset(&subject->textures[stage]);
    random_textures_bind(&subject->textures[stage], bindings);
}

void random_draw_reset(struct random_draw *subject)
{
    struct draw_scene *scene = &subject->scene;
    memcpy(subject->drawn, subject->vertices, sizeof subject->drawn);
    memset(subject->memory, 0, sizeof subject->memory);
    for (unsigned b = 0; b < RANDOM_DRAW_BUFFERS; b++)
        subject->buffers[b] = (struct sch_storage_buffer){subject->memory[b], sizeof subject->memory[b]};
    for (unsigned s = 0; s < SCH_STAGE_COMPUTE; s++) {
        scene->bindings[s] = NULL;
        if (!subject->texts[s]) continue;
        random_draw_bind(subject, (enum sch_stage)s, subject->buffers);
        scene->bindings[s] = &subject->bindings[s];
    }
    for (uint32_t t = 0; t < subject->color_count; t++) fill_target(subject->colors[t], t);
    if (scene->depth) fill_target(scene->depth, RANDOM_DRAW_TARGETS);
}

void random_draw_add(struct sch_sha256 *sum, const struct sch_resource *resource)
{
    const size_t bytes = sch_resource_bytes(resource);
    uint8_t *texels = malloc(bytes);
    assert_non_null(texels);
    assert_int_equal(sch_resource_read_all(resource, texels, bytes), SCH_OK);
    sch_sha256_add(sum, texels, bytes);
    free(texels);
}

void random_draw_sum(const struct random_draw *subject, struct sch_sha256 *sum)
{
    for (uint32_t t = 0; t < subject->color_count; t++) random_draw_add(sum, subject->colors[t]);
    if (subject->scene.depth) random_draw_add(sum, subject->scene.depth);
    sch_sha256_add(sum, subject->memory, sizeof subject->memory);
}

/* ---- answers ---- */

bool random_draw_has_one_answer(random_draw_function *once, void *subject, uint64_t number, struct sch_sha256 *sum,
                                uint8_t answer[SCH_SHA256_BYTES])
{
    static const unsigned widths[] = {4, 8, 16};
    const enum sch_engine engine = by_code() ? SCH_ENGINE_JIT : SCH_ENGINE_INTERPRETER;
    const bool all = getenv("SCH_LONG") != NULL;
    uint8_t other[SCH_SHA256_BYTES];
    const enum sch_result result = once(subject, SCH_ENGINE_INTERPRETER, 4, 1, answer);
    if (result != SCH_OK && result != SCH_ERROR_BUDGET && result != SCH_ERROR_UNSUPPORTED)
        fail_msg("draw %u: %s", (unsigned)number, sch_result_text(result));
    if (result != SCH_OK) return false;
    sch_sha256_add(sum, answer, SCH_SHA256_BYTES);
    ((struct random_draw *)subject)->twice = true;
    for (unsigned w = 0; w < 3; w++) {
        if (by_code() && !all && number % 3 != w) continue;
        const unsigned only = 1 + (unsigned)(number + w) % RANDOM_DRAW_THREADS;
        for (unsigned threads = 1; threads <= RANDOM_DRAW_THREADS; threads++) {
            if (!all && threads != only) continue;
            const enum sch_result again = once(subject, engine, widths[w], threads, other);
            if (again != result || memcmp(answer, other, sizeof other) != 0)
                fail_msg("draw %u: another answer with %u lanes and %u threads", (unsigned)number, widths[w], threads);
        }
    }
    return true;
}

struct random_draws random_draw_range(void)
{
    const char *only = getenv("SCH_DRAW"), *many = getenv("SCH_DRAWS");
    const unsigned usual = getenv("SCH_LONG") ? RANDOM_DRAW_LONG_COUNT : by_code_share(RANDOM_DRAW_COUNT, 4);
    const unsigned count = many ? (unsigned)atoi(many) : usual;
    const unsigned first = only ? (unsigned)atoi(only) : 0;
    return (struct random_draws){
        .count = count, .first = first, .end = only && !many ? first + 1 : first + count, .all = !only};
}

uint64_t random_draw_seed(unsigned number, unsigned test) { return number * UINT64_C(0x9e3779b97f4a7c15) + test; }

void random_draw_tell(struct sch_sha256 *sum, unsigned draws)
{
    uint8_t digest[SCH_SHA256_BYTES];
    sch_sha256_end(sum, digest);
    printf("# %u draws: SHA-256 ", draws);
    for (unsigned i = 0; i < sizeof digest; i++) printf("%02x", digest[i]);
    puts("");
}
