/* Clipping and the viewport, rule by rule: small primitives whose result follows from the clauses that docs/pipeline.md
 * cites ("Clipping and viewport"). Random primitives are in test_clip.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip_support.h"
#include "next_level.h"

enum { POINT_SIZE = SCALARS, LAYER, VIEWPORT, PRIMITIVE_ID };

static struct sch_clipped clipped;

static enum sch_clip_result triangle(void)
{
    return sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 2, 0, 7, &clipped);
}

static enum sch_clip_result line(void)
{
    return sch_clip_line(&draw.state, &draw.vertices, (const uint32_t[]){0, 1}, 1, 0, &clipped);
}

static enum sch_clip_result point(void) { return sch_clip_point(&draw.state, &draw.vertices, 0, 0, &clipped); }

static void start(void)
{
    reset();
    begin(sch_ops_for_width(0));
}

/* Begins again with changed state. */
static void restart(void) { begin(sch_ops_for_width(0)); }

/* Answers the result of a triangle that is in the view but for what a test does to it. */
static void add_plain_triangle(void)
{
    add(-0.5f, -0.5f, 0, 1);
    add(0.5f, -0.5f, 0, 1);
    add(0, 0.5f, 0, 1);
}

/* ---- corners ---- */

static void corners_of_a_plain_triangle(void **unused)
{
    (void)unused;
    start();
    add(-1, -1, -1, 1);
    add(2, -2, 0, 2);
    add(0, 2, 4, 4);
    shade();
    assert_int_equal(sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 2, 0, 5, &clipped),
                     SCH_CLIP_WHOLE);
    static const struct sch_corner expected[3] = {
        {0, 0, 0, 1, 0}, {25600, 0, 0.5f, 0.5f, 1}, {12800, 19200, 1, 0.25f, 2}};
    assert_int_equal(clipped.count, 3);
    assert_memory_equal(clipped.corners, expected, sizeof expected);
    assert_int_equal(clipped.edges, 5);
    assert_int_equal(clipped.distances, 0);
    assert_int_equal(draw.vertices.count, 3);
}

/* D3D 11.3 3.2.4.1: to nearest; halves of a sub-pixel go to the even one. */
static void places_are_snapped(void **unused)
{
    (void)unused;
    static const struct {
        float x;
        int32_t expected;
    } cases[] = {{1.0f / 512, 0}, {3.0f / 512, 2},  {5.0f / 512, 2},    {-1.0f / 512, 0},      {-3.0f / 512, -2},
                 {1.0f / 511, 1}, {32767, 8388352}, {-32768, -8388608}, {32766.998f, 8388352}, {0.7f, 179}};
    reset();
    draw.dynamic.viewports[0] = (struct sch_viewport){{1, 1, 1}, {0, 0, 0}};
    for (unsigned centers = 0; centers < 2; centers++)
        for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
            draw.rasterizer.half_pixel_center = !centers; /* else pixel centres are at whole numbers */
            restart();
            add(cases[i].x, -cases[i].x / 2, 0, 1);
            shade();
            if (fabsf(cases[i].x) > 32767) continue;
            assert_int_equal(point(), SCH_CLIP_WHOLE);
            assert_int_equal(clipped.corners[0].x, cases[i].expected + (centers ? 128 : 0));
        }
}

/* A cut at the near plane is at depth 0 exactly, at the far plane at 1, with either range of depth. */
static void cuts_have_the_depth_of_their_plane(void **unused)
{
    (void)unused;
    for (unsigned halfz = 0; halfz < 2; halfz++)
        for (unsigned far = 0; far < 2; far++) {
            reset();
            draw.rasterizer.clip_halfz = halfz;
            draw.dynamic.viewports[0] = (struct sch_viewport){{50, 50, halfz ? 1 : 0.5f}, {50, 50, halfz ? 0 : 0.5f}};
            restart();
            add(0.1f, 0.3f, halfz ? 0.4f : 0.1f, 1.1f);
            add(-0.2f, 0.7f, far ? 3.3f : -2.7f, 1.3f);
            shade();
            assert_int_equal(line(), SCH_CLIP_CUT);
            assert_true(clipped.corners[1].z == (float)far);
        }
}

/* ---- which planes there are ---- */

struct plane_case {
    const char *what;
    float position[4];
    bool near, far, halfz, visible;
};

/* OpenGL 4.6 13.7, D3D 11.3 15.4: -w or 0 <= z <= w, each plane only where it is enabled; w > 0 always. */
static const struct plane_case plane_cases[] = {
    {"inside", {0, 0, 0, 1}, true, true, false, true},
    {"on near", {0, 0, -1, 1}, true, true, false, true},
    {"on far", {0, 0, 1, 1}, true, true, false, true},
    {"before near", {0, 0, -1.0000001f, 1}, true, true, false, false},
    {"behind far", {0, 0, 1.0000001f, 1}, true, true, false, false},
    {"before near, not clipped", {0, 0, -2, 1}, false, true, false, true},
    {"behind far, not clipped", {0, 0, 2, 1}, true, false, false, true},
    {"before near, far not clipped", {0, 0, -2, 1}, true, false, false, false},
    {"behind far, near not clipped", {0, 0, 2, 1}, false, true, false, false},
    {"far away, nothing clipped", {0, 0, -1e30f, 1}, false, false, false, true},
    {"half range: on near", {0, 0, 0, 1}, true, true, true, true},
    {"half range: -0", {0, 0, -0.0f, 1}, true, true, true, true},
    {"half range: before near", {0, 0, -1e-30f, 1}, true, true, true, false},
    {"half range: behind far", {0, 0, 1.5f, 1}, true, true, true, false},
    {"half range: not clipped", {0, 0, -1e-30f, 1}, false, true, true, true},
    {"w = 0", {0, 0, 0, 0}, false, false, false, false},
    {"w < 0", {0, 0, 0, -1}, false, false, false, false},
    {"w < 0, all planes", {0, 0, 0, -1}, true, true, true, false},
    {"w is denormal", {0, 0, 0, 0x1.8p-127f}, false, false, false, false},
    {"least w", {0, 0, 0, 0x1p-126f}, false, false, false, true},
    {"on the view's left side", {-1, 0, 0, 1}, true, true, false, true},
    {"left of the view", {-300, 0, 0, 1}, true, true, false, true},
    {"within the guard band's right side", {654.33f, 0, 0, 1}, true, true, false, true},
    {"right of the guard band", {654.36f, 0, 0, 1}, true, true, false, false},
    {"left of the guard band", {-656.38f, 0, 0, 1}, true, true, false, false},
    {"above the guard band", {0, 654.36f, 0, 1}, true, true, false, false},
    {"below the guard band", {0, -656.38f, 0, 1}, true, true, false, false},
    {"NaN in x", {NAN, 0, 0, 1}, false, false, false, false},
    {"NaN in y", {0, NAN, 0, 1}, false, false, false, false},
    {"NaN in z", {0, 0, NAN, 1}, false, false, false, false},
    {"NaN in w", {0, 0, 0, NAN}, false, false, false, false},
    {"infinite z", {0, 0, INFINITY, 1}, false, false, false, false},
    {"infinite w", {0, 0, 0, INFINITY}, false, false, false, false},
};

/* The same for points, lines of no length and small triangles: all of each is on one side. */
static void planes_are_those_that_are_enabled(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < sizeof plane_cases / sizeof *plane_cases; i++) {
        const struct plane_case *c = &plane_cases[i];
        reset();
        draw.rasterizer.depth_clip_near = c->near;
        draw.rasterizer.depth_clip_far = c->far;
        draw.rasterizer.clip_halfz = c->halfz;
        restart();
        for (unsigned n = 0; n < 3; n++) add(c->position[0], c->position[1], c->position[2], c->position[3]);
        shade();
        enum sch_clip_result expected = c->visible ? SCH_CLIP_WHOLE : SCH_CLIP_NOTHING;
        if (point() != expected || line() != expected || triangle() != expected) fail_msg("%s", c->what);
    }
}

/* D3D 11.3 15.16.1: what the viewport makes a NaN is dropped, and a depth that overflows is finite. */
static void the_viewport_may_make_what_is_no_number(void **unused)
{
    (void)unused;
    reset();
    draw.rasterizer.depth_clip_far = false;
    draw.dynamic.viewports[0].scale[0] = NAN;
    restart();
    add(0, 0, 0, 1);
    shade();
    assert_int_equal(point(), SCH_CLIP_NOTHING);
    draw.dynamic.viewports[0].scale[0] = 50;
    restart();
    add(0, 0, 1e30f, 1e-20f);
    shade();
    assert_int_equal(point(), SCH_CLIP_WHOLE);
    assert_true(clipped.corners[0].z == 0x1.fffffep127f);
}

/* A triangle is dropped with one NaN (D3D 11.3 15.4); a part of it is not. */
static void one_vertex_drops_a_triangle(void **unused)
{
    (void)unused;
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (unsigned i = 0; i < 36; i++) {
        start();
        add_plain_triangle();
        words_of(i % 3)[POSITION + i / 3 % 4].f = bad[i / 12];
        shade();
        assert_int_equal(triangle(), SCH_CLIP_NOTHING);
    }
}

/* ---- what cutting leaves ---- */

static void check_place(uint32_t corner, float x, float y, float z, float w)
{
    const union word *words = words_of(clipped.corners[corner].vertex);
    assert_true(words[POSITION].f == x && words[POSITION + 1].f == y);
    assert_true(words[POSITION + 2].f == z && words[POSITION + 3].f == w);
}

/* The near plane cuts one vertex off: four corners, in order. */
static void one_vertex_is_cut_off(void **unused)
{
    (void)unused;
    start();
    add(-0.5f, 0, 0, 1);
    add(0.5f, 0, 0, 1);
    add(0, 0.75f, -2, 1);
    for (unsigned v = 0; v < 3; v++) words_of(v)[ATTRIBUTE].f = words_of(v)[LINEAR_ATTRIBUTE + 3].f = (float)v;
    shade();
    assert_int_equal(triangle(), SCH_CLIP_CUT);
    assert_int_equal(clipped.count, 4);
    assert_int_equal(clipped.corners[0].vertex, 0);
    assert_int_equal(clipped.corners[1].vertex, 1);
    check_place(2, 0.25f, 0.375f, -1, 1);
    check_place(3, -0.25f, 0.375f, -1, 1);
    assert_true(words_of(clipped.corners[2].vertex)[ATTRIBUTE].f == 1.5f);
    assert_true(words_of(clipped.corners[3].vertex)[ATTRIBUTE].f == 1);
    assert_true(words_of(clipped.corners[3].vertex)[LINEAR_ATTRIBUTE + 3].f == 1);
    assert_int_equal(draw.vertices.count, 5);
}

static void two_vertices_are_cut_off(void **unused)
{
    (void)unused;
    start();
    add(-0.5f, 0, 3, 1);
    add(0.5f, 0, 3, 1);
    add(0, 0.75f, 0, 1);
    shade();
    assert_int_equal(triangle(), SCH_CLIP_CUT);
    assert_int_equal(clipped.count, 3);
    assert_true(clipped.corners[0].z == 1 && clipped.corners[1].z == 0.5f && clipped.corners[2].z == 1);
    assert_int_equal(clipped.corners[1].vertex, 2);
}

/* OpenGL 4.6 13.7.1: an attribute without perspective varies linearly in the window. Half way in the window between w =
 * 1 and w = 3 is a quarter of the way in clip space. */
static void linear_attributes_are_cut_in_the_window(void **unused)
{
    (void)unused;
    reset();
    draw.dynamic.viewports[0].scale[0] = 1;
    draw.dynamic.viewports[0].translate[0] = 0;
    restart();
    add(0, 0, 0, 1);
    add(3 * 65534, 0, 0, 3);
    for (unsigned n = 0; n < 4; n++) {
        words_of(1)[ATTRIBUTE + n].f = 64;
        words_of(1)[LINEAR_ATTRIBUTE + n].f = 64;
    }
    shade();
    assert_int_equal(line(), SCH_CLIP_CUT);
    assert_int_equal(clipped.corners[1].x, 32767 * 256);
    const union word *words = words_of(clipped.corners[1].vertex);
    for (unsigned n = 0; n < 4; n++) {
        assert_true(words[LINEAR_ATTRIBUTE + n].f == 32);
        assert_true(words[ATTRIBUTE + n].f == 16);
    }
}

/* OpenGL 4.6 13.7: edges that clipping introduces are boundaries, cut ones keep their flag. */
static void edges_keep_their_flags(void **unused)
{
    (void)unused;
    for (uint32_t edges = 0; edges < 8; edges++) {
        start();
        add(-0.5f, 0, 0, 1);
        add(0.5f, 0, 0, 1);
        add(0, 0.75f, -2, 1);
        shade();
        sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 0, 0, edges, &clipped);
        assert_int_equal(clipped.count, 4); /* 0, 1, on the edge from 1 to 2, on that from 2 to 0 */
        assert_int_equal(clipped.edges, (edges & 1) | (edges & 2) | 4 | (edges & 4) << 1);
    }
}

/* Words that are not interpolated are those of the provoking vertex; the others lie between. */
static void other_words_of_cut_vertices(void **unused)
{
    (void)unused;
    reset();
    draw.link.layout.point_size = POINT_SIZE;
    draw.link.layout.layer = LAYER;
    draw.link.layout.primitive_id = PRIMITIVE_ID;
    draw.link.layout.clip_distance = DISTANCES;
    draw.link.layout.clip_distances = 2;
    draw.link.layout.cull_distance = DISTANCES + 2;
    draw.link.layout.cull_distances = 1;
    draw.rasterizer.clip_plane_enable = 3;
    restart();
    add(0, 0, 0, 1);
    add(0, 0, -4, 1);
    for (uint32_t v = 0; v < 2; v++) {
        words_of(v)[POINT_SIZE].f = v ? 9 : 1;
        words_of(v)[LAYER].u = 2 + v;
        words_of(v)[PRIMITIVE_ID].u = 77 + v;
        words_of(v)[DISTANCES].f = v ? -1 : 1;
        words_of(v)[DISTANCES + 1].f = v ? 5 : 1;
        words_of(v)[DISTANCES + 2].f = v ? 16 : 0;
    }
    shade();
    assert_int_equal(line(), SCH_CLIP_CUT);
    const union word *words = words_of(clipped.corners[1].vertex);
    assert_true(words[POINT_SIZE].f == 3 && words[DISTANCES].f == 0.5f);
    assert_true(words[DISTANCES + 1].f == 2 && words[DISTANCES + 2].f == 4);
    assert_int_equal(words[LAYER].u, 3);
    assert_int_equal(words[PRIMITIVE_ID].u, 78);
    assert_int_equal(clipped.layer, 3);
    assert_int_equal(clipped.distances, 1); /* asked of the whole line */
}

static void no_room_changes_nothing(void **unused)
{
    (void)unused;
    start();
    add(-0.5f, 0, 0, 1);
    add(0.5f, 0, 0, 1);
    add(0, 0.75f, -2, 1);
    shade();
    draw.vertices.capacity = 3 + SCH_CLIP_CORNERS - 1;
    assert_int_equal(triangle(), SCH_CLIP_FULL);
    words_of(1)[POSITION + 2].f = -2;
    shade();
    assert_int_equal(line(), SCH_CLIP_FULL);
    assert_int_equal(draw.vertices.count, 3);
    draw.vertices.capacity++;
    assert_int_equal(line(), SCH_CLIP_CUT);
    draw.vertices.count = 3;
    assert_int_equal(triangle(), SCH_CLIP_CUT);
}

/* Pieces together have the polygon's area, and none is turned; those without area are left out. */
static void pieces_make_the_polygon(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t count, pieces;
        int32_t at[6][2];
    } cases[] = {{3, 1, {{0, 0}, {9, 0}, {0, 9}}},
                 {4, 2, {{0, 9}, {0, 0}, {9, 0}, {9, 9}}},
                 {4, 2, {{9, 9}, {9, 0}, {0, 0}, {0, 9}}},
                 {4, 1, {{0, 0}, {4, 0}, {9, 0}, {0, 9}}},
                 {5, 2, {{0, 0}, {5, 1}, {9, 1}, {9, 9}, {0, 9}}}, /* snapping bent it inwards */
                 {4, 0, {{0, 0}, {4, 0}, {9, 0}, {2, 0}}}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_corner pieces[SCH_CLIP_CORNERS - 2][3];
        memset(&clipped, 0, sizeof clipped);
        clipped.count = cases[i].count;
        int64_t whole = 0;
        for (uint32_t n = 0; n < cases[i].count; n++) {
            const int32_t *a = cases[i].at[n], *b = cases[i].at[(n + 1) % cases[i].count];
            clipped.corners[n] = (struct sch_corner){.x = a[0], .y = a[1], .vertex = n};
            whole += (int64_t)a[0] * b[1] - (int64_t)b[0] * a[1];
        }
        uint32_t count = sch_clip_pieces(&clipped, pieces);
        assert_int_equal(count, cases[i].pieces);
        for (uint32_t n = 0; n < count; n++) {
            const struct sch_corner *c = pieces[n];
            int64_t area =
                (int64_t)(c[1].x - c[0].x) * (c[2].y - c[0].y) - (int64_t)(c[2].x - c[0].x) * (c[1].y - c[0].y);
            assert_true(area && (area < 0) == (whole < 0));
        }
    }
}

/* The fan does not depend on where the polygon begins, whatever tells its first corner from the others. */
static void pieces_of_a_turned_polygon(void **unused)
{
    (void)unused;
    static const struct sch_corner square[4][4] = {
        {{0, 5, 0, 1, 0}, {5, 0, 0, 1, 1}, {10, 5, 0, 1, 2}, {5, 10, 0, 1, 3}},  /* by y */
        {{9, 9, 0, 1, 0}, {0, 9, 0, 1, 1}, {-1, 0, 0, 1, 2}, {9, 0, 0, 1, 3}},   /* by x */
        {{9, 0, 1, 1, 0}, {9, 9, 0, 1, 1}, {0, 0, 0.5f, 1, 2}, {0, 0, 0, 1, 3}}, /* by z */
        {{9, 0, 1, 1, 0}, {9, 9, 0, 1, 1}, {0, 0, 0, 2, 2}, {0, 0, 0, 1, 3}},    /* by 1/w */
    };
    static const uint32_t first[4] = {1, 2, 3, 3};
    for (unsigned i = 0; i < 4; i++)
        for (uint32_t turn = 0; turn < 4; turn++) {
            struct sch_corner pieces[SCH_CLIP_CORNERS - 2][3];
            clipped.count = 4;
            for (uint32_t n = 0; n < 4; n++) clipped.corners[n] = square[i][(n + turn) % 4];
            uint32_t count = sch_clip_pieces(&clipped, pieces);
            assert_int_equal(count, i < 2 ? 2 : 1);
            for (uint32_t n = 0; n < count; n++) assert_int_equal(pieces[n][0].vertex, first[i]);
        }
}

/* A cut vertex that the viewport makes a NaN drops the primitive, and leaves no vertex behind. */
static void a_cut_vertex_may_have_no_place(void **unused)
{
    (void)unused;
    reset();
    draw.dynamic.viewports[0].scale[0] = 0;
    draw.rasterizer.depth_clip_near = draw.rasterizer.depth_clip_far = false;
    restart();
    add(1e10f, 0, 0, 1);
    add(1e10f, 0, 0, -1);
    add(2e10f, 0.5f, 0, 1);
    shade();
    assert_int_equal(triangle(), SCH_CLIP_NOTHING);
    assert_int_equal(line(), SCH_CLIP_NOTHING);
    assert_int_equal(draw.vertices.count, 3);
}

/* Whether a vertex is inside of the guard band its window coordinate says, rounded as it is, although it is a little
 * outside: the vertex stays. */
static void codes_decide_about_vertices(void **unused)
{
    (void)unused;
    unsigned found = 0;
    reset();
    draw.dynamic.viewports[0] = (struct sch_viewport){{64, 64, 0.5f}, {0, 0, 0.5f}};
    for (unsigned n = 0; n < 4000; n++) {
        restart();
        float w = 1 + (float)n / 4096, x = 511.984375f * w;
        add(x, 0.5f, 0, w);
        add(0, 0, 0, 1);
        add(0, 1, -2, 1);
        shade();
        bool outside = (double)x * 64 > 32767.0 * (double)w;
        if (draw.codes[0] || !outside) continue;
        found++;
        assert_int_equal(triangle(), SCH_CLIP_CUT);
        assert_int_equal(clipped.corners[0].vertex, 0);
        assert_int_equal(clipped.count, 4);
    }
    assert_true(found > 50);
}

/* And the other way round: a vertex that is outside by its code, and inside before rounding, is where it is cut. */
static void codes_decide_about_vertices_outside(void **unused)
{
    (void)unused;
    unsigned found = 0;
    reset();
    draw.dynamic.viewports[0] = (struct sch_viewport){{50, 50, 0.5f}, {50, 50, 0.5f}};
    for (unsigned n = 0; n < 4000; n++) {
        restart();
        float w = 1 + (float)n / 4096, x = 654.34f * w;
        add(x, 0.5f, 0, w);
        add(0, 0, 0, 1);
        shade();
        bool out = (double)x * 50 > (32767.0 - 50) * (double)w;
        if (!draw.codes[0] || out) continue;
        found++;
        assert_int_equal(line(), SCH_CLIP_CUT);
        check_place(0, x, 0.5f, 0, w);
        assert_int_equal(clipped.corners[0].x, 32767 * 256);
    }
    assert_true(found > 50);
}

/* Planes that are not enabled do not cut what others have cut. */
static void planes_that_are_not_enabled_cut_nothing(void **unused)
{
    (void)unused;
    for (unsigned far = 0; far < 2; far++) {
        const float z = far ? 5 : -5;
        reset();
        draw.rasterizer.depth_clip_near = far;
        draw.rasterizer.depth_clip_far = !far;
        restart();
        add(0, 0, z, 1);
        add(2000, 0, z, 1);
        add(0, 1, z, 1);
        shade();
        assert_int_equal(line(), SCH_CLIP_CUT);
        check_place(1, 654.34f, 0, z, 1);
        assert_int_equal(triangle(), SCH_CLIP_CUT);
        assert_int_equal(clipped.count, 4);
        check_place(1, 654.34f, 0, z, 1);
    }
}

/* Of a back face, too: whatever a LINEAR input may read. */
static void linear_back_colors_are_cut_in_the_window(void **unused)
{
    (void)unused;
    reset();
    draw.dynamic.viewports[0].scale[0] = 1;
    draw.dynamic.viewports[0].translate[0] = 0;
    draw.link.inputs[0].interpolation = SCH_INTERPOLATION_LINEAR;
    draw.link.inputs[1].interpolation = SCH_INTERPOLATION_PERSPECTIVE;
    draw.link.inputs[0].back_word = LINEAR_ATTRIBUTE;
    draw.link.inputs[1].source = SCH_LINK_LAYER; /* words before the attributes are none */
    draw.link.inputs[1].interpolation = SCH_INTERPOLATION_LINEAR;
    draw.link.inputs[1].word = draw.link.inputs[1].back_word = DISTANCES;
    draw.link.layout.attributes = ATTRIBUTE;
    restart();
    add(0, 0, 0, 1);
    add(3 * 65534, 0, 0, 3);
    words_of(1)[ATTRIBUTE].f = words_of(1)[LINEAR_ATTRIBUTE].f = 64;
    shade();
    assert_int_equal(line(), SCH_CLIP_CUT);
    assert_true(words_of(clipped.corners[1].vertex)[ATTRIBUTE].f == 32);
    assert_true(words_of(clipped.corners[1].vertex)[LINEAR_ATTRIBUTE].f == 32);
}

/* Vertices may not have the components that nobody reads: there is nothing to mix, as of those that are no number. */
static void only_what_is_read_is_cut(void **unused)
{
    (void)unused;
    reset();
    draw.link.inputs[0].mask = 5;
    restart();
    add(0, 0, 0, 1);
    add(3 * 65534, 0, 0, 3);
    for (unsigned c = 0; c < 4; c++) {
        words_of(0)[ATTRIBUTE + c].f = c & 1 ? NAN : 16;
        words_of(1)[ATTRIBUTE + c].f = 8; /* that provokes */
    }
    shade();
    assert_int_equal(line(), SCH_CLIP_CUT);
    const union word *cut = &words_of(clipped.corners[1].vertex)[ATTRIBUTE];
    assert_true(cut[0].f > 8 && cut[0].f < 16 && cut[2].f == cut[0].f);
    assert_true(cut[1].f == 8 && cut[3].f == 8);
}

/* ---- lines ---- */

/* The line from vertex 0 to vertex 1 and its ends. */
static enum sch_clip_result line_between(const float from[4], const float to[4], struct sch_corner ends[2])
{
    restart();
    add(from[0], from[1], from[2], from[3]);
    add(to[0], to[1], to[2], to[3]);
    shade();
    enum sch_clip_result result = line();
    sch_clip_ends(&draw.state, &draw.vertices, (const uint32_t[]){0, 1}, 0,
                  result == SCH_CLIP_NOTHING ? NULL : &clipped, ends);
    return result;
}

/* The count of stipples is that of the line before it is cut; an end without a place is where it was cut. */
static void ends_of_cut_lines(void **unused)
{
    (void)unused;
    struct sch_corner ends[2];
    start();
    assert_int_equal(line_between((float[]){-2000, 0, 0, 1}, (float[]){1, 0, 0, 1}, ends), SCH_CLIP_CUT);
    assert_int_equal(clipped.count, 2);
    assert_int_equal(clipped.corners[0].x, -32768 * 256);
    assert_int_equal(ends[0].x, (-2000 * 50 + 50) * 256);
    assert_int_equal(ends[1].x, 100 * 256);
    assert_memory_equal(&ends[1], &clipped.corners[1], sizeof ends[1]);

    assert_int_equal(line_between((float[]){0, 0, 0, 1}, (float[]){1, 0, 0, -1}, ends), SCH_CLIP_CUT); /* the eye */
    assert_memory_equal(ends, clipped.corners, sizeof ends);
    assert_int_equal(line_between((float[]){0, 0, 0, 1}, (float[]){0, 20970, 0, 1}, ends), SCH_CLIP_CUT);
    assert_int_equal(ends[1].y, (20970 * 50 + 50) * 256);
    assert_int_equal(line_between((float[]){0, 0, 0, 1}, (float[]){0, 20971, 0, 1}, ends), SCH_CLIP_CUT); /* too far */
    assert_memory_equal(ends, clipped.corners, sizeof ends);

    assert_int_equal(line_between((float[]){-1, 0, -3, 1}, (float[]){1, 0, 3, 1}, ends), SCH_CLIP_CUT);
    assert_int_equal(ends[0].x, 0);
    assert_int_equal(ends[1].x, 100 * 256);
    assert_in_range(clipped.corners[0].x, 8533 - 1, 8533 + 1); /* a third of the way: 33.33 pixels */
    assert_in_range(clipped.corners[1].x, 17067 - 1, 17067 + 1);

    assert_int_equal(line_between((float[]){-1, 0, 3, 1}, (float[]){1, 0, 4, 1}, ends), SCH_CLIP_NOTHING);
    assert_int_equal(ends[0].x, 0); /* nothing is left, but it counts */
    assert_int_equal(ends[1].x, 100 * 256);
    for (unsigned end = 0; end < 2; end++) {
        float at[2][4] = {{-1, 0, 3, 1}, {1, 0, 4, 1}};
        at[end][3] = -1;
        assert_int_equal(line_between(at[0], at[1], ends), SCH_CLIP_NOTHING);
        assert_true(ends[0].x == ends[1].x && ends[0].y == ends[1].y);
    }
}

/* No plane has both ends outside, and yet no part of the line, or of a triangle, is inside of all. */
static void planes_together_may_leave_nothing(void **unused)
{
    (void)unused;
    start();
    add(600, 0, -3, 1);
    add(900, 0, 1, 1);
    add(700, 0.25f, -0.5f, 1);
    shade();
    assert_int_equal(draw.codes[0] & draw.codes[1], 0);
    assert_int_equal(line(), SCH_CLIP_NOTHING);
    assert_int_equal(triangle(), SCH_CLIP_NOTHING);
    assert_int_equal(draw.vertices.count, 3);
}

/* ---- clip and cull distances ---- */

struct distance_case {
    const char *what;
    float at[3]; /* of the three vertices */
    bool culls;
    uint32_t enabled;
    enum sch_clip_result result;
    uint32_t distances;
};

/* OpenGL 4.6 13.7, D3D 11.3 15.4.1, 15.4.2. */
static const struct distance_case distance_cases[] = {
    {"all inside", {1, 2, 3}, false, 1, SCH_CLIP_WHOLE, 0},
    {"on the plane", {0, 0, -0.0f}, false, 1, SCH_CLIP_WHOLE, 0},
    {"all outside", {-1, -2, -1e-40f}, false, 1, SCH_CLIP_NOTHING, 0},
    {"one outside", {-1, 2, 3}, false, 1, SCH_CLIP_WHOLE, 1},
    {"two outside", {-1, 2, -3}, false, 1, SCH_CLIP_WHOLE, 1},
    {"one on the plane", {-1, 0, -3}, false, 1, SCH_CLIP_WHOLE, 1},
    {"infinite", {-INFINITY, INFINITY, 1}, false, 1, SCH_CLIP_WHOLE, 1},
    {"NaN", {NAN, 1, 1}, false, 1, SCH_CLIP_NOTHING, 0},
    {"not enabled: outside", {-1, -2, -1}, false, 0, SCH_CLIP_WHOLE, 0},
    {"not enabled: NaN", {NAN, -2, -1}, false, 2, SCH_CLIP_WHOLE, 0},
    {"cull: all outside", {-1, -2, -3}, true, 0, SCH_CLIP_NOTHING, 0},
    {"cull: one inside", {-1, 0, -3}, true, 0, SCH_CLIP_WHOLE, 0},
    {"cull: one on the plane", {-1, -0.0f, -3}, true, 0, SCH_CLIP_WHOLE, 0},
    {"cull: all inside", {1, 1, 1}, true, 0, SCH_CLIP_WHOLE, 0},
    {"cull: NaN counts as outside", {NAN, -1, -3}, true, 0, SCH_CLIP_NOTHING, 0},
    {"cull: all NaN", {NAN, NAN, NAN}, true, 0, SCH_CLIP_NOTHING, 0},
    {"cull: NaN and one inside", {NAN, NAN, 1}, true, 0, SCH_CLIP_WHOLE, 0},
};

static void distances_cull_or_must_be_tested(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < sizeof distance_cases / sizeof *distance_cases; i++) {
        const struct distance_case *c = &distance_cases[i];
        reset();
        draw.link.layout.clip_distance = draw.link.layout.cull_distance = DISTANCES;
        draw.link.layout.clip_distances = !c->culls;
        draw.link.layout.cull_distances = c->culls;
        draw.rasterizer.clip_plane_enable = c->enabled;
        restart();
        add_plain_triangle();
        for (uint32_t v = 0; v < 3; v++) words_of(v)[DISTANCES].f = c->at[v];
        shade();
        enum sch_clip_result result = triangle();
        if (result != c->result) fail_msg("%s: result %d", c->what, result);
        if (result != SCH_CLIP_NOTHING && clipped.distances != c->distances) fail_msg("%s: distances", c->what);
        bool out = !(c->at[0] >= 0) && (c->culls || c->enabled == 1); /* a point is all of its vertex: 13.7 */
        if (point() != (out ? SCH_CLIP_NOTHING : SCH_CLIP_WHOLE)) fail_msg("%s: as a point", c->what);
    }
}

/* Each of eight: a triangle that is on both sides of one plane, and outside of another that is not enabled. */
static void each_distance_has_its_bit(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < 8; i++) {
        reset();
        draw.link.layout.clip_distance = DISTANCES;
        draw.link.layout.clip_distances = 8;
        draw.rasterizer.clip_plane_enable = 0xff & ~(1u << (i + 3) % 8);
        restart();
        add_plain_triangle();
        for (uint32_t v = 0; v < 3; v++)
            for (uint32_t n = 0; n < 8; n++) words_of(v)[DISTANCES + n].f = n == (i + 3) % 8 ? -1 : 1;
        words_of(i % 3)[DISTANCES + i].f = -1;
        shade();
        assert_int_equal(triangle(), SCH_CLIP_WHOLE);
        assert_int_equal(clipped.distances, 1u << i);
    }
}

/* Different planes reject different vertices: nothing says that all is outside. Also of cull distances, and of the
 * two together. */
static void planes_do_not_add_up(void **unused)
{
    (void)unused;
    reset();
    draw.link.layout.clip_distance = DISTANCES;
    draw.link.layout.clip_distances = 3;
    draw.link.layout.cull_distance = DISTANCES + 3;
    draw.link.layout.cull_distances = 3;
    draw.rasterizer.clip_plane_enable = 7;
    restart();
    add_plain_triangle();
    for (uint32_t v = 0; v < 3; v++)
        for (uint32_t n = 0; n < 6; n++) words_of(v)[DISTANCES + n].f = n % 3 == v ? -1 : 1;
    shade();
    assert_int_equal(triangle(), SCH_CLIP_WHOLE);
    assert_int_equal(clipped.distances, 7);
}

/* ---- user planes ---- */

static float distance_of(uint32_t vertex, uint32_t plane)
{
    return words_of(vertex)[draw.layout.clip_distance + plane].f;
}

/* ((a x + b y) + c z) + d w, in float: each order of the sum, and fused products, would give another number. */
static void distances_of_user_planes(void **unused)
{
    (void)unused;
    reset();
    draw.rasterizer.clip_plane_enable = 5;
    memcpy(draw.dynamic.clip_planes[0], (const float[]){0x1p24f, 1, 1, -0x1p24f}, 4 * sizeof(float));
    memcpy(draw.dynamic.clip_planes[1], (const float[]){-1, -1, -1, -1}, 4 * sizeof(float));
    memcpy(draw.dynamic.clip_planes[2], (const float[]){0x1.000002p0f, -1, 0, 0}, 4 * sizeof(float));
    restart();
    assert_int_equal(draw.layout.clip_distances, 3);
    assert_int_equal(draw.layout.clip_distance, WORDS);
    assert_int_equal(draw.layout.words, WORDS + 4);
    add(1, 1, 1, 1);
    add(0x1.000002p0f, 0x1.000004p0f, 0.5f, 1);
    shade();
    assert_true(distance_of(0, 0) == 0); /* 2^24 + 1 is 2^24, twice */
    assert_true(distance_of(0, 1) == 0); /* not enabled: as it was */
    assert_true(distance_of(0, 2) == 0x1p-23f);
    assert_true(distance_of(1, 2) == 0); /* the product is rounded before it is added */
    assert_int_equal(line(), SCH_CLIP_WHOLE);
    assert_int_equal(clipped.distances, 0);
}

enum { OWN_DISTANCES = 1, CLIP_VERTEX = 2, PROHIBITED = 4, IN_WINDOW = 8 };

/* A plane that the position is outside of, and CLIPVERTEX inside. */
static enum sch_clip_result with_user_plane(unsigned what)
{
    reset();
    draw.rasterizer.clip_plane_enable = 1;
    draw.dynamic.clip_planes[0][3] = -1;
    draw.link.prohibit_ucps = what & PROHIBITED;
    draw.link.window_space = what & IN_WINDOW;
    if (what & OWN_DISTANCES) {
        draw.link.layout.clip_distance = DISTANCES;
        draw.link.layout.clip_distances = 1;
    }
    if (what & CLIP_VERTEX) draw.link.layout.clip_vertex = DISTANCES + 4;
    restart();
    add_plain_triangle();
    for (uint32_t v = 0; v < 3; v++) {
        words_of(v)[DISTANCES].f = 1;
        words_of(v)[DISTANCES + 4 + 3].f = -1;
    }
    shade();
    return triangle();
}

static void what_user_planes_look_at(void **unused)
{
    (void)unused;
    assert_int_equal(with_user_plane(0), SCH_CLIP_NOTHING);
    assert_int_equal(with_user_plane(CLIP_VERTEX), SCH_CLIP_WHOLE);
    assert_int_equal(with_user_plane(OWN_DISTANCES), SCH_CLIP_WHOLE); /* which take their place */
    assert_int_equal(draw.layout.words, WORDS);
    assert_int_equal(with_user_plane(PROHIBITED), SCH_CLIP_WHOLE); /* VS_PROHIBIT_UCPS */
    assert_int_equal(draw.layout.words, WORDS);
    assert_int_equal(with_user_plane(IN_WINDOW), SCH_CLIP_WHOLE); /* VS_WINDOW_SPACE_POSITION: nothing is clipped */
}

/* VS_PROHIBIT_UCPS concerns planes, not the shader's own distances. */
static void own_distances_are_not_prohibited(void **unused)
{
    (void)unused;
    reset();
    draw.link.prohibit_ucps = true;
    draw.link.layout.clip_distance = DISTANCES;
    draw.link.layout.clip_distances = 1;
    draw.rasterizer.clip_plane_enable = 1;
    restart();
    add_plain_triangle();
    for (uint32_t v = 0; v < 3; v++) words_of(v)[DISTANCES].f = -1;
    shade();
    assert_int_equal(triangle(), SCH_CLIP_NOTHING);
}

static uint32_t next_random(uint32_t *random)
{
    *random = *random * 1664525 + 1013904223;
    return *random >> 8;
}

/* OpenGL 4.6 13.7: with the plane turned round, what was tested is tested, and what was outside is inside. */
static void turned_planes_are_complementary(void **unused)
{
    (void)unused;
    for (unsigned turned = 0; turned < 2; turned++) {
        reset();
        draw.rasterizer.clip_plane_enable = 1;
        const float sign = turned ? -1 : 1;
        memcpy(draw.dynamic.clip_planes[0], (const float[]){0.3f * sign, 0.7f * sign, 0.1f * sign, -0.2f * sign},
               4 * sizeof(float));
        restart();
        add_plain_triangle();
        shade();
        assert_int_equal(triangle(), SCH_CLIP_WHOLE);
        assert_int_equal(clipped.distances, 1);
        for (uint32_t v = 0; v < 3; v++) assert_int_equal(distance_of(v, 0) < 0, turned ? v == 2 : v != 2);
    }
}

/* Distances of new vertices from a plane that they are on but for rounding, the near one: turning the plane changes
 * nothing but their signs. */
static void cut_distances_turn_with_their_plane(void **unused)
{
    (void)unused;
    uint32_t random = 1, rounded = 0;
    for (unsigned round = 0; round < 2000; round++) {
        float distances[2][SCH_CLIP_CORNERS];
        uint32_t counts[2];
        const uint32_t seed = random;
        for (unsigned turned = 0; turned < 2; turned++) {
            reset();
            draw.rasterizer.clip_plane_enable = 1;
            draw.dynamic.clip_planes[0][2] = draw.dynamic.clip_planes[0][3] = turned ? -1 : 1;
            draw.dynamic.viewports[0].scale[0] = 1e4f;
            restart();
            random = seed;
            for (unsigned v = 0; v < 3; v++) {
                float at[4];
                for (unsigned c = 0; c < 4; c++) at[c] = (float)(next_random(&random) % 4001) - (c < 3 ? 2000 : 500);
                add(at[0], at[1], at[2], at[3]);
            }
            shade();
            counts[turned] = triangle() == SCH_CLIP_CUT ? clipped.count : 0;
            for (uint32_t i = 0; i < counts[turned]; i++)
                distances[turned][i] = words_of(clipped.corners[i].vertex)[draw.layout.clip_distance].f;
        }
        if (counts[0] && counts[1]) assert_int_equal(counts[0], counts[1]);
        for (uint32_t i = 0; i < counts[0] && i < counts[1]; i++) {
            assert_true(distances[0][i] == -distances[1][i]);
            rounded += distances[0][i] != 0 && fabsf(distances[0][i]) < 1e-6f;
        }
    }
    assert_in_range(rounded, 100, 2000);
}

/* OpenGL 4.6 13.7.3: a vertex inside makes a primitive count, and what is on the plane is inside. It has no samples. */
static void what_touches_a_plane_counts(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 6; i++) {
        reset();
        draw.rasterizer.clip_plane_enable = 1;
        draw.dynamic.clip_planes[0][1] = i < 3 ? 2 : -2;
        draw.dynamic.clip_planes[0][3] = i % 3 == 0 ? 0 : i < 3 ? 1 : -1; /* y of the lower vertices is -1/2 */
        restart();
        add_plain_triangle();
        if (i % 3 == 1) words_of(2)[POSITION + 1].f = -0.75f;
        shade();
        assert_int_equal(triangle(), SCH_CLIP_WHOLE);
        assert_int_equal(clipped.empty, i == 1 || i == 5);
        assert_int_equal(clipped.distances, i % 3 == 0 || clipped.empty);
    }
}

/* ---- positions in the window ---- */

static void window_positions_are_taken_as_they_are(void **unused)
{
    (void)unused;
    reset();
    draw.link.window_space = true;
    draw.link.layout.clip_distance = DISTANCES;
    draw.link.layout.cull_distance = DISTANCES + 1;
    draw.link.layout.clip_distances = draw.link.layout.cull_distances = 1;
    draw.rasterizer.clip_plane_enable = 1;
    restart();
    add(10.5f, 20.25f, 7, -0.25f);
    add(-300, 20, -7, 0);
    add(0, 0, 0.5f, 4);
    for (uint32_t v = 0; v < 3; v++) words_of(v)[DISTANCES].f = words_of(v)[DISTANCES + 1].f = -1;
    shade();
    assert_int_equal(triangle(), SCH_CLIP_WHOLE);
    static const struct sch_corner expected[3] = {
        {2688, 5184, 7, -0.25f, 0}, {-76800, 5120, -7, 0, 1}, {0, 0, 0.5f, 4, 2}};
    assert_memory_equal(clipped.corners, expected, sizeof expected);
    assert_int_equal(clipped.distances, 0);
    words_of(1)[POSITION].f = 32768; /* outside of the guard band */
    shade();
    assert_int_equal(triangle(), SCH_CLIP_NOTHING);
    words_of(1)[POSITION].f = NAN;
    shade();
    assert_int_equal(triangle(), SCH_CLIP_NOTHING);
}

/* ---- viewports and layers ---- */

static void set_viewports(void)
{
    draw.dynamic.viewport_count = 3;
    for (unsigned i = 0; i < 3; i++)
        draw.dynamic.viewports[i] = (struct sch_viewport){{50, 50, 0.5f}, {50 + 100.0f * (float)i, 50, 0.5f}};
}

/* The provoking vertex's, for all of the primitive (D3D 11.3 15.8.1), whatever the others say; numbers that are out of
 * range are 0. */
static void the_provoking_vertex_has_the_viewport(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t number, expected;
    } cases[] = {{0, 0}, {1, 1}, {2, 2}, {3, 0}, {16, 0}, {UINT32_MAX, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
        for (uint32_t provoking = 0; provoking < 3; provoking++) {
            reset();
            set_viewports();
            draw.link.layout.viewport = VIEWPORT;
            restart();
            add_plain_triangle();
            for (uint32_t v = 0; v < 3; v++) words_of(v)[VIEWPORT].u = v == provoking ? cases[i].number : v;
            shade();
            uint32_t viewports = sch_clip_viewports(&draw.state, &draw.vertices, provoking);
            assert_int_equal(viewports, 1u << cases[i].expected);
            assert_int_equal(sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, provoking,
                                               cases[i].expected, 7, &clipped),
                             SCH_CLIP_WHOLE);
            int32_t left = (int32_t)cases[i].expected * 25600;
            assert_int_equal(clipped.viewport, cases[i].expected);
            assert_int_equal(clipped.corners[0].x, left + 6400);
            assert_int_equal(clipped.corners[1].x, left + 19200);
            assert_int_equal(clipped.corners[2].x, left + 12800);
        }
}

/* Vertices of one group that stand in different viewports, in two groups. */
static void vertices_have_the_corner_of_their_viewport(void **unused)
{
    (void)unused;
    reset();
    set_viewports();
    draw.link.layout.viewport = VIEWPORT;
    restart();
    for (uint32_t v = 0; v < 45; v++) {
        add(0.5f, 0, 0, 1);
        words_of(v)[VIEWPORT].u = v * v % 5;
    }
    shade();
    for (uint32_t v = 0; v < 45; v++) {
        uint32_t viewport = v * v % 5 < 3 ? v * v % 5 : 0;
        assert_int_equal(draw.corners[v].x, (int32_t)viewport * 25600 + 19200);
    }
}

/* NV_viewport_array2: in each viewport of the mask. */
static void a_mask_names_several_viewports(void **unused)
{
    (void)unused;
    reset();
    set_viewports();
    draw.link.layout.viewport = VIEWPORT;
    draw.link.layout.viewport_mask = PRIMITIVE_ID;
    draw.link.layout.layer = LAYER;
    draw.link.layer_relative = true;
    restart();
    add_plain_triangle();
    for (uint32_t v = 0; v < 3; v++) {
        words_of(v)[VIEWPORT].u = 1;
        words_of(v)[PRIMITIVE_ID].u = v == 2 ? 0xfd : 0;
        words_of(v)[LAYER].u = 1;
    }
    shade();
    assert_int_equal(sch_clip_viewports(&draw.state, &draw.vertices, 2), 5); /* of three that there are */
    assert_int_equal(sch_clip_viewports(&draw.state, &draw.vertices, 0), 0);
    for (uint32_t viewport = 0; viewport < 3; viewport += 2) {
        assert_int_equal(
            sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 2, viewport, 7, &clipped),
            SCH_CLIP_WHOLE);
        assert_int_equal(clipped.corners[0].x, (int32_t)viewport * 25600 + 6400);
        assert_int_equal(clipped.layer, viewport + 1);
    }
}

/* What is cut depends on the primitive's viewport: a vertex that its own one shows, and the primitive's does not. */
static void vertices_are_clipped_in_the_viewport_of_the_primitive(void **unused)
{
    (void)unused;
    reset();
    set_viewports();
    draw.dynamic.viewports[2].scale[0] = 50000;
    draw.link.layout.viewport = VIEWPORT;
    restart();
    add_plain_triangle();
    words_of(2)[VIEWPORT].u = 2;
    words_of(0)[POSITION].f = -1;
    shade();
    assert_int_equal(sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 0, 0, 7, &clipped),
                     SCH_CLIP_WHOLE);
    assert_int_equal(sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 2, 2, 7, &clipped),
                     SCH_CLIP_CUT);
    assert_int_equal(clipped.corners[0].x, -32768 * 256);
}

/* D3D 11.3 15.15: a layer that there is not is 0; LAYER_VIEWPORT_RELATIVE adds the viewport's number. */
static void the_provoking_vertex_has_the_layer(void **unused)
{
    (void)unused;
    static const struct {
        uint32_t layer, viewport;
        bool relative;
        uint32_t expected;
    } cases[] = {{0, 0, false, 0},          {3, 0, false, 3},         {4, 0, false, 0},
                 {UINT32_MAX, 0, false, 0}, {2, 1, false, 2},         {2, 1, true, 3},
                 {2, 2, true, 0},           {UINT32_MAX, 1, true, 0}, {0, 9, true, 0}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        reset();
        set_viewports();
        draw.link.layout.viewport = VIEWPORT;
        draw.link.layout.layer = LAYER;
        draw.link.layer_relative = cases[i].relative;
        restart();
        add_plain_triangle();
        words_of(2)[LAYER].u = cases[i].layer;
        words_of(2)[VIEWPORT].u = cases[i].viewport;
        words_of(0)[LAYER].u = 1;
        shade();
        uint32_t viewport = (uint32_t)__builtin_ctz(sch_clip_viewports(&draw.state, &draw.vertices, 2));
        sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 2, viewport, 7, &clipped);
        assert_int_equal(clipped.layer, cases[i].expected);
    }
}

/* Half of the vertices are outside of nothing. */
static uint32_t random_codes(uint32_t *random)
{
    static const uint32_t some[] = {0, 0, 0, 0, 1, 2, 8, 0x100, 0x8100, 0x10000, 0x30000, 0x80};
    *random = *random * 1664525 + 1013904223;
    return *random >> 24 & 1 ? 0 : some[(*random >> 25) % 12];
}

/* What the codes of vertices mean for many triangles at once is what they mean for each. */
static void codes_decide_about_many_triangles(void **unused)
{
    (void)unused;
    uint32_t codes[40], random = 1;
    struct sch_assembled_primitive triangles[32];
    for (unsigned round = 0; round < 600; round++) {
        const struct sch_ops *ops = next_level();
        struct sch_lanes distances;
        uint32_t whole = 0, cut = 0, lanes = round & 1 ? UINT32_MAX : UINT32_MAX >> round % 31;
        memset(triangles, 0, sizeof triangles);
        for (unsigned v = 0; v < 40; v++) codes[v] = random_codes(&random) | random_codes(&random);
        for (unsigned i = 0; i < 96; i++) triangles[i / 3].vertex[i % 3] = (i * 17 + round) % 40;
        const struct sch_clip_masks masks = ops->clip_triangles(codes, triangles, lanes, &distances);
        for (unsigned n = 0; n < 32; n++) {
            const uint32_t *v = triangles[n].vertex, any = codes[v[0]] | codes[v[1]] | codes[v[2]];
            if (!(lanes >> n & 1) || codes[v[0]] & codes[v[1]] & codes[v[2]] || any & SCH_OUTSIDE_DROP) continue;
            if (any & SCH_OUTSIDE_PLANES)
                cut |= UINT32_C(1) << n;
            else
                whole |= UINT32_C(1) << n;
            assert_int_equal(distances.u[n], any >> 8 & 255);
        }
        assert_int_equal(masks.whole, whole);
        assert_int_equal(masks.cut, cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_of_a_plain_triangle),
        cmocka_unit_test(places_are_snapped),
        cmocka_unit_test(cuts_have_the_depth_of_their_plane),
        cmocka_unit_test(planes_are_those_that_are_enabled),
        cmocka_unit_test(the_viewport_may_make_what_is_no_number),
        cmocka_unit_test(one_vertex_drops_a_triangle),
        cmocka_unit_test(one_vertex_is_cut_off),
        cmocka_unit_test(two_vertices_are_cut_off),
        cmocka_unit_test(linear_attributes_are_cut_in_the_window),
        cmocka_unit_test(edges_keep_their_flags),
        cmocka_unit_test(other_words_of_cut_vertices),
        cmocka_unit_test(no_room_changes_nothing),
        cmocka_unit_test(pieces_make_the_polygon),
        cmocka_unit_test(pieces_of_a_turned_polygon),
        cmocka_unit_test(a_cut_vertex_may_have_no_place),
        cmocka_unit_test(codes_decide_about_vertices),
        cmocka_unit_test(codes_decide_about_vertices_outside),
        cmocka_unit_test(planes_that_are_not_enabled_cut_nothing),
        cmocka_unit_test(linear_back_colors_are_cut_in_the_window),
        cmocka_unit_test(only_what_is_read_is_cut),
        cmocka_unit_test(ends_of_cut_lines),
        cmocka_unit_test(planes_together_may_leave_nothing),
        cmocka_unit_test(distances_cull_or_must_be_tested),
        cmocka_unit_test(each_distance_has_its_bit),
        cmocka_unit_test(planes_do_not_add_up),
        cmocka_unit_test(distances_of_user_planes),
        cmocka_unit_test(what_user_planes_look_at),
        cmocka_unit_test(own_distances_are_not_prohibited),
        cmocka_unit_test(turned_planes_are_complementary),
        cmocka_unit_test(cut_distances_turn_with_their_plane),
        cmocka_unit_test(what_touches_a_plane_counts),
        cmocka_unit_test(window_positions_are_taken_as_they_are),
        cmocka_unit_test(the_provoking_vertex_has_the_viewport),
        cmocka_unit_test(vertices_have_the_corner_of_their_viewport),
        cmocka_unit_test(a_mask_names_several_viewports),
        cmocka_unit_test(vertices_are_clipped_in_the_viewport_of_the_primitive),
        cmocka_unit_test(the_provoking_vertex_has_the_layer),
        cmocka_unit_test(codes_decide_about_many_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
