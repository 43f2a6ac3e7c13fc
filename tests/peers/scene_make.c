/* Which scenes the test of whole pipelines draws: families, each about one part of the pipeline, with numbers that look
 * random. Vertices lie on multiples of 1/16 pixel unless a family is about others, so that what is covered does not
 * depend on how finely a driver snaps; constant depths are odd sixteenths, which no format rounds from a tie. */
#include <stdio.h>
#include <string.h>

#include "../unit/support/random_number.h"
#include "scene.h"

struct maker {
    struct scene *scene;
    uint64_t seed;
};

/* Numbers are taken in full expressions of their own: arguments and initialisers have no order. */
static uint32_t below(struct maker *m, uint32_t count) { return (uint32_t)(random_number(&m->seed) >> 32) % count; }
static bool chance(struct maker *m, uint32_t one_of) { return below(m, one_of) == 0; }
static float part(struct maker *m) { return (float)below(m, 65) / 64; }

/* ---- what scenes begin with
 * --------------------------------------------------------------------------------------------- */

static void set_defaults(struct scene *s)
{
    s->rasterizer.size = sizeof s->rasterizer;
    s->tests.size = sizeof s->tests;
    s->blend.size = sizeof s->blend;
    s->dynamic.size = sizeof s->dynamic;
    sch_rasterizer_options_default(&s->rasterizer);
    sch_depth_stencil_alpha_options_default(&s->tests);
    sch_blend_options_default(&s->blend);
    sch_dynamic_state_default(&s->dynamic);
    for (unsigned n = 0; n < SCENE_VIEWPORTS; n++)
        s->windows[n] = (struct scene_window){0, 0, SCENE_SIDE, SCENE_SIDE, 0, 1};
    s->texts[SCH_STAGE_VERTEX] = &scene_vertex[VERTEX_PLAIN];
    s->texts[SCH_STAGE_FRAGMENT] = &scene_fragment[FRAGMENT_COLOR];
    s->samples = 1;
    s->target_count = 1;
    s->targets[0] = &scene_colors[COLOR_RGBA8];
    s->slack = 1;
    s->draw_count = 1;
    s->dynamic.viewport_count = 1;
    s->dynamic.patch_vertices = 3;
}

static struct sch_draw *begin_draw(struct scene *s, unsigned number, enum sch_primitive primitive)
{
    struct sch_draw *draw = &s->draws[number];
    *draw = (struct sch_draw){.size = sizeof *draw, .primitive = primitive, .instance_count = 1};
    return draw;
}

/* A vertex at a place in the window, in pixels of the whole picture. */
static struct scene_corner *add_vertex(struct maker *m, float x, float y, float depth, float w)
{
    struct scene_corner *v = &m->scene->vertices[m->scene->vertex_count++];
    v->at[0] = (x / (SCENE_SIDE / 2) - 1) * w;
    v->at[1] = (y / (SCENE_SIDE / 2) - 1) * w;
    v->at[2] = (depth * 2 - 1) * w;
    v->at[3] = w;
    for (unsigned c = 0; c < 4; c++) v->color[c] = part(m);
    for (unsigned c = 0; c < 4; c++) v->extra[c] = part(m);
    return v;
}

/* Sixteenths of a pixel, inside of the picture: drivers cut what reaches out of it, and snap where they cut. */
static float anywhere(struct maker *m) { return (float)below(m, SCENE_SIDE * 16 + 1) / 16; }
static float odd_depth(struct maker *m) { return (float)(below(m, 8) * 2 + 1) / 16; }

static void add_vertices(struct maker *m, uint32_t count)
{
    while (count--) {
        const float x = anywhere(m), y = anywhere(m);
        add_vertex(m, x, y, 0.5f, 1);
    }
}

/* Triangles that are not thin, each at one depth. */
static void add_triangles(struct maker *m, uint32_t count)
{
    while (count--) {
        const float depth = odd_depth(m), x = (float)below(m, 24 * 16) / 16, y = (float)below(m, 24 * 16) / 16;
        const float across = 8 + (float)below(m, 32 * 16) / 16, down = 8 + (float)below(m, 32 * 16) / 16;
        const bool turned = chance(m, 2);
        add_vertex(m, x, y, depth, 1);
        add_vertex(m, turned ? x + 4 : x + across, turned ? y + down : y + 4, depth, 1);
        add_vertex(m, turned ? x + across : x + 4, turned ? y + 4 : y + down, depth, 1);
    }
}

/* All vertices there are, as primitives of one kind. */
static struct sch_draw *draw_all(struct maker *m, enum sch_primitive primitive)
{
    struct sch_draw *draw = begin_draw(m->scene, 0, primitive);
    draw->count = m->scene->vertex_count;
    return draw;
}

static void set_fragment(struct scene *s, enum scene_fragment_text text)
{
    s->texts[SCH_STAGE_FRAGMENT] = &scene_fragment[text];
}

static void set_geometry(struct scene *s, enum scene_geometry_text text)
{
    s->texts[SCH_STAGE_GEOMETRY] = &scene_geometry[text];
}

static enum sch_compare function(struct maker *m) { return (enum sch_compare)(1 + below(m, 8)); }

/* ---- families
 * -------------------------------------------------------------------------------------------------------- */

/* Assembly: indices, restart, base vertices, provoking vertices. */
static void use_indices(struct maker *m, struct sch_draw *draw)
{
    static const uint32_t bytes[] = {1, 2, 4}, restarts[] = {0xff, 0xffff, 0xffffffff};
    struct scene *s = m->scene;
    const uint32_t size = below(m, 3);
    draw->index_bytes = bytes[size];
    draw->restart = chance(m, 2);
    draw->restart_index = chance(m, 2) ? restarts[size] : 3;
    draw->index_bias = (int32_t)below(m, 3);
    draw->start = below(m, 3);
    draw->count = 6 + below(m, 20);
    s->index_count = 32;
    for (uint32_t i = 0; i < s->index_count; i++)
        s->indices[i] = draw->restart && chance(m, 7) ? draw->restart_index : below(m, s->vertex_count - 2);
}

static void make_assembly(struct maker *m)
{
    struct scene *s = m->scene;
    add_vertices(m, 6 + below(m, 12));
    struct sch_draw *draw = draw_all(m, (enum sch_primitive)(s->number / SCENE_FAMILIES % SCH_PRIMITIVE_PATCHES));
    s->rasterizer.flatshade_first = chance(m, 2);
    /* Mesa has no one answer for strips of quadrilaterals under the first convention. */
    if (draw->primitive == SCH_PRIMITIVE_QUAD_STRIP) s->rasterizer.flatshade_first = false;
    s->interpolation = chance(m, 3) ? INTERPOLATE_SMOOTH : INTERPOLATE_FLAT;
    if (chance(m, 2) && draw->primitive != SCH_PRIMITIVE_POLYGON) set_fragment(s, FRAGMENT_PRIMITIVE);
    if (chance(m, 2)) use_indices(m, draw);
}

static void make_instances(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 2);
    for (uint32_t v = 0; v < s->vertex_count; v++)
        for (unsigned c = 0; c < 2; c++) s->vertices[v].at[c] = s->vertices[v].at[c] * 0.5f - 0.25f;
    struct sch_draw *draw = draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->texts[SCH_STAGE_VERTEX] = &scene_vertex[VERTEX_NUMBERS];
    s->interpolation = INTERPOLATE_FLAT;
    s->divisor = 1 + below(m, 3);
    draw->instance_count = 1 + below(m, 4);
    draw->start_instance = below(m, 3);
    for (unsigned i = 0; i < SCENE_INSTANCES; i++)
        for (unsigned c = 0; c < 2; c++) s->instances[i][c] = (float)below(m, 33) / 128;
    if (chance(m, 3)) use_indices(m, draw);
}

static void make_interpolation(struct maker *m)
{
    static const enum scene_color_index formats[] = {COLOR_RGBA32F, COLOR_RGBA8, COLOR_RGBA16F};
    static const float ws[] = {0.5f, 1, 2, 4};
    static const enum scene_fragment_text texts[] = {FRAGMENT_COLOR, FRAGMENT_BOTH, FRAGMENT_PLACE};
    struct scene *s = m->scene;
    add_triangles(m, 3);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        const float w = ws[below(m, 4)];
        for (unsigned c = 0; c < 4; c++) s->vertices[v].at[c] *= w;
    }
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->interpolation = (enum scene_interpolation)below(m, 3);
    s->targets[0] = &scene_colors[formats[below(m, 3)]];
    s->rasterizer.flatshade_first = chance(m, 2);
    set_fragment(s, texts[below(m, 3)]);
}

static void make_faces(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 4);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->rasterizer.front_ccw = chance(m, 2);
    s->rasterizer.cull_face = below(m, 4);
    set_fragment(s, FRAGMENT_FACE);
    s->interpolation = INTERPOLATE_FLAT;
}

/* Depths from 1/4 to 3/4, so that offsets do not leave the range. */
static void slope(struct maker *m)
{
    for (uint32_t v = 0; v < m->scene->vertex_count; v++) m->scene->vertices[v].at[2] = part(m) - 0.5f;
}

/* Polygons drawn as lines and points, and offsets of their depth. */
static void make_fills(struct maker *m)
{
    struct scene *s = m->scene;
    const bool strip = chance(m, 2);
    if (strip)
        add_vertices(m, 4 + below(m, 3));
    else
        add_triangles(m, 2);
    slope(m);
    draw_all(m, strip ? SCH_PRIMITIVE_TRIANGLE_STRIP : SCH_PRIMITIVE_TRIANGLES);
    s->rasterizer.fill_front = (enum sch_fill)below(m, 3);
    s->rasterizer.fill_back = (enum sch_fill)below(m, 3);
    s->rasterizer.cull_face = chance(m, 2) ? below(m, 3) : 0;
    s->rasterizer.offset_tri = chance(m, 2);
    s->rasterizer.offset_line = chance(m, 2);
    s->rasterizer.offset_point = chance(m, 2);
    s->rasterizer.offset_units = (float)below(m, 9) * 256 - 1024;
    s->rasterizer.offset_scale = part(m) * 4 - 2;
    s->rasterizer.point_size = 3;
    s->depth = &scene_depths[below(m, SCENE_DEPTH_FORMATS)];
    s->tests.depth_enabled = s->tests.depth_writes = true;
    s->tests.depth_function = SCH_COMPARE_ALWAYS;
    s->interpolation = INTERPOLATE_FLAT;
}

static void make_lines(struct maker *m)
{
    static const enum sch_primitive primitives[] = {SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_LINE_STRIP,
                                                    SCH_PRIMITIVE_LINE_LOOP};
    struct scene *s = m->scene;
    add_vertices(m, 4 + below(m, 3));
    draw_all(m, primitives[below(m, 3)]);
    s->interpolation = (enum scene_interpolation)below(m, 2);
    s->rasterizer.flatshade_first = chance(m, 2);
    s->rasterizer.line_width = chance(m, 2) ? 1 : (float)(1 + below(m, 6));
    s->rasterizer.line_stipple_enable = chance(m, 3);
    s->rasterizer.line_stipple_pattern = (uint16_t)below(m, 65536);
    s->rasterizer.line_stipple_factor = 1 + below(m, 3);
    s->rasterizer.line_smooth = false;
}

static void make_points(struct maker *m)
{
    struct scene *s = m->scene;
    add_vertices(m, 5);
    for (uint32_t v = 0; v < s->vertex_count; v++) s->vertices[v].extra[3] = (float)(4 + below(m, 60)) / 4;
    draw_all(m, SCH_PRIMITIVE_POINTS);
    s->rasterizer.point_size = (float)(1 + below(m, 12));
    s->rasterizer.point_quad_rasterization = chance(m, 2);
    s->rasterizer.sprite_coord_mode = (enum sch_sprite_origin)below(m, 2);
    if (chance(m, 2)) {
        s->texts[SCH_STAGE_VERTEX] = &scene_vertex[VERTEX_SIZE];
        s->rasterizer.point_size_per_vertex = true;
    }
    if (s->rasterizer.point_quad_rasterization) set_fragment(s, FRAGMENT_POINT);
}

static void make_depth(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 4);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->depth = &scene_depths[below(m, SCENE_DEPTH_FORMATS)];
    s->tests.depth_enabled = !chance(m, 8);
    s->tests.depth_writes = !chance(m, 4);
    s->tests.depth_function = function(m);
    s->rasterizer.depth_clamp = chance(m, 3);
    s->rasterizer.depth_clip_near = s->rasterizer.depth_clip_far = !s->rasterizer.depth_clamp;
    if (chance(m, 3)) slope(m);
    if (chance(m, 3)) s->windows[0].near = 0.25f, s->windows[0].far = 0.875f;
    if (chance(m, 8)) s->windows[0].near = 1, s->windows[0].far = 0;
    if (chance(m, 4)) set_fragment(s, FRAGMENT_DEPTH);
    if (chance(m, 6)) set_fragment(s, FRAGMENT_DISCARD);
    if (s->rasterizer.depth_clamp)
        for (uint32_t v = 0; v < s->vertex_count; v++) s->vertices[v].at[2] *= 2;
}

static void make_stencil_face(struct maker *m, struct sch_stencil_face *face)
{
    face->enabled = true;
    face->function = function(m);
    face->fail = (enum sch_stencil_operation)below(m, 8);
    face->depth_fail = (enum sch_stencil_operation)below(m, 8);
    face->pass = (enum sch_stencil_operation)below(m, 8);
    face->value_mask = chance(m, 2) ? 255 : (uint8_t)below(m, 256);
    face->write_mask = chance(m, 2) ? 255 : (uint8_t)below(m, 256);
}

static void make_stencil(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 4);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->depth = &scene_depths[chance(m, 4) ? DEPTH_32F_8 : DEPTH_24_8];
    make_stencil_face(m, &s->tests.stencil[0]);
    make_stencil_face(m, &s->tests.stencil[1]);
    s->rasterizer.front_ccw = chance(m, 2);
    s->dynamic.stencil_reference[0] = (uint8_t)below(m, 256);
    s->dynamic.stencil_reference[1] = (uint8_t)below(m, 256);
    s->tests.depth_enabled = !chance(m, 4);
    s->tests.depth_writes = chance(m, 2);
    s->tests.depth_function = function(m);
    s->interpolation = INTERPOLATE_FLAT;
}

/* Scissors, viewports, and which of several a geometry shader names. */
static void make_windows(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 6);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->rasterizer.scissor = chance(m, 2);
    s->dynamic.viewport_count = chance(m, 2) ? SCENE_VIEWPORTS : 1;
    for (unsigned n = 0; n < SCENE_VIEWPORTS; n++) {
        struct scene_window *w = &s->windows[n];
        struct sch_scissor *scissor = &s->dynamic.scissors[n];
        w->x = (float)below(m, 33);
        w->y = (float)below(m, 33);
        w->width = chance(m, 2) ? 32 : 64;
        w->height = chance(m, 2) ? 32 : 16;
        scissor->left = below(m, 30);
        scissor->top = below(m, 30);
        scissor->right = scissor->left + below(m, 40);
        scissor->bottom = scissor->top + below(m, 40);
    }
    s->interpolation = INTERPOLATE_FLAT;
    if (s->dynamic.viewport_count > 1) set_geometry(s, GEOMETRY_VIEWPORTS);
}

static enum sch_blend_factor factor(struct maker *m, bool second)
{
    static const enum sch_blend_factor factors[] = {SCH_FACTOR_ONE,
                                                    SCH_FACTOR_SRC_COLOR,
                                                    SCH_FACTOR_SRC_ALPHA,
                                                    SCH_FACTOR_DST_ALPHA,
                                                    SCH_FACTOR_DST_COLOR,
                                                    SCH_FACTOR_ZERO,
                                                    SCH_FACTOR_SRC_ALPHA_SATURATE,
                                                    SCH_FACTOR_CONST_COLOR,
                                                    SCH_FACTOR_CONST_ALPHA,
                                                    SCH_FACTOR_INV_CONST_COLOR,
                                                    SCH_FACTOR_INV_CONST_ALPHA,
                                                    SCH_FACTOR_INV_SRC_COLOR,
                                                    SCH_FACTOR_INV_SRC_ALPHA,
                                                    SCH_FACTOR_INV_DST_ALPHA,
                                                    SCH_FACTOR_INV_DST_COLOR,
                                                    SCH_FACTOR_SRC1_COLOR,
                                                    SCH_FACTOR_SRC1_ALPHA,
                                                    SCH_FACTOR_INV_SRC1_COLOR,
                                                    SCH_FACTOR_INV_SRC1_ALPHA};
    return factors[below(m, second ? 19 : 15)];
}

static void make_equation(struct maker *m, struct sch_blend_target *target, bool second)
{
    target->enabled = true;
    target->color_equation = (enum sch_blend_equation)below(m, 5);
    target->alpha_equation = (enum sch_blend_equation)below(m, 5);
    target->color_source = factor(m, second);
    target->color_destination = factor(m, second);
    target->alpha_source = factor(m, second);
    target->alpha_destination = factor(m, second);
}

/* Two triangles, so that a pixel is blended twice at most. */
static void make_blending(struct maker *m)
{
    static const enum scene_color_index formats[] = {COLOR_RGBA8, COLOR_RGBA8,   COLOR_RGBA32F, COLOR_RGBA16F,
                                                     COLOR_SRGB8, COLOR_RGB10A2, COLOR_RGB565,  COLOR_RG16};
    struct scene *s = m->scene;
    const bool second = chance(m, 3);
    if (second) set_fragment(s, FRAGMENT_DUAL);
    s->targets[0] = &scene_colors[formats[below(m, 8)]];
    s->slack = s->targets[0]->bits[3] < 8 ? 1 : 2; /* one step of few bits is much in what is blended next */
    add_triangles(m, s->slack);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->interpolation = INTERPOLATE_FLAT;
    make_equation(m, &s->blend.targets[0], second);
    for (unsigned c = 0; c < 4; c++) s->dynamic.blend_color[c] = part(m);
}

static void make_logic(struct maker *m)
{
    static const enum scene_color_index formats[] = {COLOR_RGBA8, COLOR_RGBA8, COLOR_RGB10A2, COLOR_RGBA8UI};
    struct scene *s = m->scene;
    add_triangles(m, 2);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    const enum scene_color_index format = formats[below(m, 4)];
    s->targets[0] = &scene_colors[format];
    if (format == COLOR_RGBA8UI) set_fragment(s, FRAGMENT_UINT);
    s->interpolation = INTERPOLATE_FLAT;
    s->blend.logic_enabled = true;
    s->blend.logic_operation = (enum sch_logic_operation)(s->number / SCENE_FAMILIES % 16);
    s->blend.targets[0].color_mask = chance(m, 2) ? 15 : (uint8_t)below(m, 16);
}

/* Several targets, of several formats, with masks and equations of their own. */
static void make_targets(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 2);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->interpolation = chance(m, 2) ? INTERPOLATE_FLAT : INTERPOLATE_SMOOTH;
    if (chance(m, 3)) {
        static const enum scene_color_index whole[] = {COLOR_RGBA8UI, COLOR_R32UI, COLOR_RGB10A2UI, COLOR_RGBA16I};
        const enum scene_color_index format = whole[below(m, 4)];
        s->targets[0] = &scene_colors[format];
        set_fragment(s, format == COLOR_RGBA16I ? FRAGMENT_SINT : FRAGMENT_UINT);
        s->blend.targets[0].color_mask = chance(m, 2) ? 15 : (uint8_t)below(m, 16);
        return;
    }
    s->target_count = SCENE_TARGETS;
    set_fragment(s, FRAGMENT_SEVERAL);
    s->blend.independent = true;
    for (unsigned t = 0; t < SCENE_TARGETS; t++) {
        s->targets[t] = &scene_colors[below(m, COLOR_RGBA8UI)];
        s->blend.targets[t].color_mask = chance(m, 2) ? 15 : (uint8_t)below(m, 16);
        if (chance(m, 2)) make_equation(m, &s->blend.targets[t], false);
    }
    s->slack = 2;
}

static void make_samples(struct maker *m)
{
    static const enum scene_fragment_text texts[] = {FRAGMENT_COLOR, FRAGMENT_COLOR, FRAGMENT_MASK, FRAGMENT_SAMPLE,
                                                     FRAGMENT_ALPHA};
    static const enum scene_color_index formats[] = {COLOR_RGBA8, COLOR_RGBA32F, COLOR_RGBA16F};
    struct scene *s = m->scene;
    add_triangles(m, 3);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->samples = 4;
    s->targets[0] = &scene_colors[formats[below(m, 3)]];
    s->interpolation = (enum scene_interpolation)below(m, 3);
    s->location = (enum scene_location)below(m, 3);
    const enum scene_fragment_text text = texts[below(m, 5)];
    set_fragment(s, text);
    s->blend.alpha_to_coverage = text == FRAGMENT_ALPHA;
    s->rasterizer.multisample = !chance(m, 6);
    if (chance(m, 3)) s->dynamic.sample_mask = below(m, 16);
    if (chance(m, 4)) s->dynamic.min_samples = 4;
    if (chance(m, 3)) {
        s->depth = &scene_depths[DEPTH_24_8];
        s->tests.depth_enabled = s->tests.depth_writes = true;
        s->tests.depth_function = function(m);
    }
}

static void make_distances(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 3);
    for (uint32_t v = 0; v < s->vertex_count; v++)
        for (unsigned c = 0; c < 2; c++) s->vertices[v].extra[c] = (float)below(m, 33) / 16 - 1;
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->texts[SCH_STAGE_VERTEX] = &scene_vertex[VERTEX_CLIP];
    s->rasterizer.clip_plane_enable = below(m, 4);
    s->interpolation = chance(m, 2) ? INTERPOLATE_FLAT : INTERPOLATE_SMOOTH;
}

static void make_layers(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 6);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    set_geometry(s, GEOMETRY_LAYERS);
    s->layers = SCENE_LAYERS;
    if (chance(m, 2)) set_fragment(s, FRAGMENT_LAYER);
    if (chance(m, 3)) {
        s->depth = &scene_depths[below(m, SCENE_DEPTH_FORMATS)];
        s->tests.depth_enabled = s->tests.depth_writes = true;
        s->tests.depth_function = function(m);
    }
}

static void make_geometry(struct maker *m)
{
    static const struct {
        enum scene_geometry_text text;
        enum sch_primitive primitives[2];
    } kinds[] = {
        {GEOMETRY_LINES, {SCH_PRIMITIVE_LINES, SCH_PRIMITIVE_LINE_LOOP}},
        {GEOMETRY_TRIANGLES, {SCH_PRIMITIVE_TRIANGLE_FAN, SCH_PRIMITIVE_TRIANGLE_STRIP}},
        {GEOMETRY_LINES_ADJACENCY, {SCH_PRIMITIVE_LINES_ADJACENCY, SCH_PRIMITIVE_LINE_STRIP_ADJACENCY}},
        {GEOMETRY_TRIANGLES_ADJACENCY, {SCH_PRIMITIVE_TRIANGLES_ADJACENCY, SCH_PRIMITIVE_TRIANGLE_STRIP_ADJACENCY}},
        {GEOMETRY_SQUARES, {SCH_PRIMITIVE_POINTS, SCH_PRIMITIVE_POINTS}},
        {GEOMETRY_OUTLINES, {SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_TRIANGLE_STRIP}},
        {GEOMETRY_INVOCATIONS, {SCH_PRIMITIVE_TRIANGLES, SCH_PRIMITIVE_TRIANGLE_FAN}}};
    struct scene *s = m->scene;
    const uint32_t kind = s->number / SCENE_FAMILIES % 7;
    add_vertices(m, 6 + below(m, 7));
    draw_all(m, kinds[kind].primitives[below(m, 2)]);
    set_geometry(s, kinds[kind].text);
    s->interpolation = (enum scene_interpolation)below(m, 2);
    s->rasterizer.flatshade_first = chance(m, 2);
    s->capture = chance(m, 2);
    s->capture_floats = SCENE_CAPTURED;
    s->rasterizer.rasterizer_discard = s->capture && chance(m, 2);
}

/* Stream output of what is assembled, whole or as far as there is room. */
static void make_feedback(struct maker *m)
{
    static const enum sch_primitive primitives[] = {
        SCH_PRIMITIVE_POINTS,     SCH_PRIMITIVE_LINES,          SCH_PRIMITIVE_LINE_LOOP,    SCH_PRIMITIVE_LINE_STRIP,
        SCH_PRIMITIVE_TRIANGLES,  SCH_PRIMITIVE_TRIANGLE_STRIP, SCH_PRIMITIVE_TRIANGLE_FAN, SCH_PRIMITIVE_QUADS,
        SCH_PRIMITIVE_QUAD_STRIP, SCH_PRIMITIVE_POLYGON};
    struct scene *s = m->scene;
    add_vertices(m, 6 + below(m, 12));
    struct sch_draw *draw = draw_all(m, primitives[s->number / SCENE_FAMILIES % 10]);
    s->rasterizer.flatshade_first = chance(m, 2);
    if (draw->primitive == SCH_PRIMITIVE_QUAD_STRIP) s->rasterizer.flatshade_first = false; /* as in make_assembly */
    s->rasterizer.rasterizer_discard = chance(m, 2);
    s->capture = true;
    s->capture_floats = chance(m, 3) ? 12 * (1 + below(m, 12)) : SCENE_CAPTURED;
    s->interpolation = INTERPOLATE_FLAT;
    draw->instance_count = 1 + below(m, 2);
    s->divisor = 1;
    s->instances[1][0] = s->rasterizer.rasterizer_discard ? 0.25f : 0;
}

/* Patches of which the corners are on whole pixels, so that many levels leave their points on sub-pixels. */
static void make_patches(struct maker *m)
{
    static const char *const spacings[][2] = {{"fractional_odd_spacing", "PROPERTY TES_SPACING 0\n"},
                                              {"fractional_even_spacing", "PROPERTY TES_SPACING 1\n"},
                                              {"equal_spacing", "PROPERTY TES_SPACING 2\n"}};
    static const char *const domains[][2] = {{"triangles", "PROPERTY TES_PRIM_MODE 4\n"},
                                             {"quads", "PROPERTY TES_PRIM_MODE 7\n"},
                                             {"isolines", "PROPERTY TES_PRIM_MODE 1\n"}};
    struct scene *s = m->scene;
    const uint32_t domain = below(m, 3), spacing = below(m, 3), corners = domain ? 4 : 3;
    const bool clockwise = chance(m, 2), points = chance(m, 5);
    const float x = (float)below(m, 16), y = (float)below(m, 16);
    add_vertex(m, x, y, 0.5f, 1);
    add_vertex(m, x + 32, y + (float)below(m, 16), 0.5f, 1);
    add_vertex(m, x + 48, y + 40, 0.5f, 1);
    if (corners == 4) add_vertex(m, x + (float)below(m, 16), y + 32, 0.5f, 1);
    for (unsigned v = 0; v < 2; v++)
        for (unsigned c = 0; c < 4; c++)
            s->vertices[v].extra[c] = chance(m, 2) ? (float)(1u << below(m, 4)) : (float)(4 + below(m, 28)) / 4;
    draw_all(m, SCH_PRIMITIVE_PATCHES);
    s->dynamic.patch_vertices = corners;
    s->texts[SCH_STAGE_TESS_CTRL] = &scene_control[domain ? CONTROL_QUADS : CONTROL_TRIANGLES];
    s->texts[SCH_STAGE_TESS_EVAL] = &scene_evaluation[domain ? EVALUATION_QUADS : EVALUATION_TRIANGLES];
    snprintf(s->words[0], sizeof s->words[0], "%s, %s, %s%s", domains[domain][0], spacings[spacing][0],
             clockwise ? "cw" : "ccw", points ? ", point_mode" : "");
    snprintf(s->words[1], sizeof s->words[1], "%s%sPROPERTY TES_VERTEX_ORDER_CW %d\nPROPERTY TES_POINT_MODE %d\n",
             domains[domain][1], spacings[spacing][1], clockwise, points);
    s->interpolation = (enum scene_interpolation)below(m, 2);
    s->rasterizer.flatshade_first = chance(m, 2);
    s->rasterizer.cull_face = chance(m, 3) ? 1 + below(m, 2) : 0;
    s->capture = chance(m, 2);
    s->capture_floats = SCENE_CAPTURED;
    if (domain < 2 && !points && chance(m, 4)) set_geometry(s, chance(m, 2) ? GEOMETRY_TRIANGLES : GEOMETRY_OUTLINES);
}

/* Triangles that reach behind the eye and beyond the planes of depth. */
static void make_clipping(struct maker *m)
{
    struct scene *s = m->scene;
    const bool behind = chance(m, 2);
    add_triangles(m, 3);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        s->vertices[v].at[2] = part(m) * 4 - 2;
        if (behind && chance(m, 3)) s->vertices[v].at[3] = part(m) * 2 - 1;
    }
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->interpolation = (enum scene_interpolation)below(m, behind ? 2 : 3); /* no window has vertices behind the eye */
    s->depth = &scene_depths[DEPTH_24_8];
    s->tests.depth_enabled = s->tests.depth_writes = true;
    s->tests.depth_function = SCH_COMPARE_ALWAYS;
}

/* Everything at once. */
static void make_mixture(struct maker *m)
{
    struct scene *s = m->scene;
    add_triangles(m, 4);
    draw_all(m, SCH_PRIMITIVE_TRIANGLES);
    s->depth = &scene_depths[DEPTH_24_8];
    s->tests.depth_enabled = chance(m, 2);
    s->tests.depth_writes = chance(m, 2);
    s->tests.depth_function = function(m);
    if (chance(m, 2)) {
        make_stencil_face(m, &s->tests.stencil[0]);
        make_stencil_face(m, &s->tests.stencil[1]);
    }
    s->dynamic.stencil_reference[0] = (uint8_t)below(m, 256);
    s->dynamic.stencil_reference[1] = (uint8_t)below(m, 256);
    s->tests.alpha_enabled = chance(m, 4);
    s->tests.alpha_function = function(m);
    s->tests.alpha_reference = 0.515f;
    s->rasterizer.front_ccw = chance(m, 2);
    s->rasterizer.cull_face = chance(m, 3) ? 1 + below(m, 2) : 0;
    s->rasterizer.poly_stipple_enable = chance(m, 4);
    for (unsigned r = 0; r < 32; r++) s->dynamic.polygon_stipple[r] = (uint32_t)random_number(&m->seed);
    s->rasterizer.scissor = chance(m, 4);
    s->dynamic.scissors[0] = (struct sch_scissor){5, 9, 50, 43};
    if (chance(m, 2)) make_equation(m, &s->blend.targets[0], false);
    for (unsigned c = 0; c < 4; c++) s->dynamic.blend_color[c] = part(m);
    if (chance(m, 3)) s->blend.targets[0].color_mask = (uint8_t)below(m, 16);
    if (!s->rasterizer.poly_stipple_enable && chance(m, 3)) set_fragment(s, FRAGMENT_DISCARD);
    s->interpolation = INTERPOLATE_FLAT;
    s->rasterizer.flatshade_first = chance(m, 2);
    s->slack = 4;
}

static const struct {
    const char *name;
    void (*make)(struct maker *);
} families[SCENE_FAMILIES] = {
    {"assembly", make_assembly}, {"instances", make_instances}, {"interpolation", make_interpolation},
    {"faces", make_faces},       {"fills", make_fills},         {"lines", make_lines},
    {"points", make_points},     {"depth", make_depth},         {"stencil", make_stencil},
    {"windows", make_windows},   {"blending", make_blending},   {"logic", make_logic},
    {"targets", make_targets},   {"samples", make_samples},     {"distances", make_distances},
    {"layers", make_layers},     {"geometry", make_geometry},   {"feedback", make_feedback},
    {"patches", make_patches},   {"clipping", make_clipping},   {"mixtures", make_mixture},
};

const char *scene_family(uint32_t number) { return families[number % SCENE_FAMILIES].name; }

void scene_make(uint32_t number, struct scene *scene)
{
    struct maker m = {scene, number};
    const uint32_t family = number % SCENE_FAMILIES;
    random_number(&m.seed);
    m.seed ^= UINT64_C(0x9d3f) << 32;
    memset(scene, 0, sizeof *scene);
    scene->number = number;
    scene->family = families[family].name;
    scene->background = random_number(&m.seed);
    set_defaults(scene);
    families[family].make(&m);
}

/* ---- backgrounds
 * ----------------------------------------------------------------------------------------------------- */

/* A float or half float from 0 to 1, a multiple of 1/64. */
static void put_float(uint64_t number, unsigned bits, uint8_t *to)
{
    const float value = (float)(number % 65) / 64;
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    if (bits == 32)
        memcpy(to, &word, 4);
    else {
        const uint16_t half = (uint16_t)(word ? (word >> 13 & 0x3ff) | ((word >> 23) - 112) << 10 : 0);
        memcpy(to, &half, 2);
    }
}

/* Odd sixteenths, as constant depths are. */
static void put_depth(const struct scene_format *format, uint64_t number, uint8_t texel[16])
{
    const uint32_t sixteenths = (uint32_t)(number % 8 * 2 + 1), stencil = (uint32_t)(number >> 8 & 255);
    uint32_t words[2] = {0, stencil};
    if (format->kind == SCENE_FLOAT) {
        const float depth = (float)sixteenths / 16;
        memcpy(words, &depth, sizeof depth);
    } else {
        const uint64_t most = (UINT64_C(1) << format->bits[0]) - 1;
        words[0] = (uint32_t)((most * sixteenths + 8) / 16);
        if (format->bits[1]) words[0] = words[0] << 8 | stencil;
    }
    memcpy(texel, words, format->bytes);
}

void scene_background(const struct scene *scene, unsigned target, uint32_t layer, uint32_t pixel, uint8_t texel[16])
{
    const struct scene_format *format = target < SCENE_TARGETS ? scene->targets[target] : scene->depth;
    uint64_t seed = scene->background + target;
    if (scene->samples == 1 && !scene->uniform) seed += ((uint64_t)layer << 32 | pixel) * 8;
    memset(texel, 0, 16);
    if (scene_is_depth(format)) {
        put_depth(format, random_number(&seed), texel);
        return;
    }
    for (unsigned b = 0; b < format->bytes; b++) texel[b] = (uint8_t)random_number(&seed);
    if (format->kind == SCENE_FLOAT)
        for (unsigned b = 0; b < format->bytes; b += format->bits[0] / 8)
            put_float(random_number(&seed), format->bits[0], texel + b);
}
