/* Clipping and the viewport: clip codes, window coordinates and snapping against exact rationals at every width, cut
 * primitives against the clip volume and against each other, clip and cull distances, user planes, viewports and layers.
 * What is expected is computed with GMP, or worked out from the clauses that docs/pipeline.md cites. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pipeline/clip.h"
#include "random_number.h"

enum { WORDS = 24, CAPACITY = 4096, POSITION = 0, DISTANCES = 4, ATTRIBUTE = 12, LINEAR_ATTRIBUTE = 16, SCALARS = 20 };

union word {
    uint32_t u;
    float f;
};

/* A draw with two attributes, the second of which is linear in the window. */
struct draw {
    struct sch_link link;
    struct sch_rasterizer_options rasterizer;
    struct sch_dynamic_state dynamic;
    struct sch_vertex_layout layout;
    struct sch_clip_state state;
    struct sch_vertices vertices;
    union word words[CAPACITY * (WORDS + 8)];
    struct sch_corner corners[CAPACITY];
    uint32_t codes[CAPACITY];
};

static struct draw draw;

static const struct sch_ops *level(unsigned i)
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    return i < count ? levels[i] : NULL;
}

/* A viewport of 100 x 100 pixels; OpenGL's depth, both planes. */
static void reset(void)
{
    memset(&draw, 0, sizeof draw);
    draw.link.layout = (struct sch_vertex_layout){.words = WORDS,
                                                  .position = POSITION,
                                                  .clip_distance = SCH_VERTEX_NONE,
                                                  .cull_distance = SCH_VERTEX_NONE,
                                                  .clip_vertex = SCH_VERTEX_NONE,
                                                  .viewport_mask = SCH_VERTEX_NONE,
                                                  .point_size = SCH_VERTEX_NONE,
                                                  .layer = SCH_VERTEX_NONE,
                                                  .viewport = SCH_VERTEX_NONE,
                                                  .edge_flag = SCH_VERTEX_NONE,
                                                  .primitive_id = SCH_VERTEX_NONE,
                                                  .attributes = ATTRIBUTE,
                                                  .attribute_count = 2};
    draw.link.input_count = 2;
    for (unsigned i = 0; i < 2; i++)
        draw.link.inputs[i] =
            (struct sch_link_input){.source = SCH_LINK_ATTRIBUTE,
                                    .interpolation = i ? SCH_INTERPOLATION_LINEAR : SCH_INTERPOLATION_PERSPECTIVE,
                                    .word = (uint16_t)(ATTRIBUTE + 4 * i),
                                    .back_word = (uint16_t)(ATTRIBUTE + 4 * i)};
    draw.rasterizer.depth_clip_near = draw.rasterizer.depth_clip_far = draw.rasterizer.half_pixel_center = true;
    draw.dynamic.viewport_count = 1;
    draw.dynamic.viewports[0] = (struct sch_viewport){{50, 50, 0.5f}, {50, 50, 0.5f}};
}

static void begin(const struct sch_ops *ops)
{
    sch_clip_layout(&draw.link, &draw.rasterizer, &draw.layout);
    sch_clip_state_init(&draw.state, ops, &draw.link, &draw.layout, &draw.rasterizer, &draw.dynamic, 4);
    draw.vertices = (struct sch_vertices){.layout = &draw.layout,
                                          .words = &draw.words[0].u,
                                          .corners = draw.corners,
                                          .codes = draw.codes,
                                          .capacity = CAPACITY};
}

static union word *words_of(uint32_t vertex) { return &draw.words[vertex * draw.layout.words]; }

static uint32_t add(float x, float y, float z, float w)
{
    uint32_t vertex = draw.vertices.count++;
    memset(words_of(vertex), 0, draw.layout.words * sizeof(union word));
    memcpy(words_of(vertex), (float[]){x, y, z, w}, 4 * sizeof(float));
    return vertex;
}

static void shade(void) { sch_clip_vertices(&draw.state, &draw.vertices, 0, draw.vertices.count); }

/* ---- whole primitives ---- */

static void corners_of_a_plain_triangle(void **unused)
{
    (void)unused;
    struct sch_clipped clipped;
    reset();
    begin(level(0));
    add(-1, -1, -1, 1);
    add(2, -2, 0, 2);
    add(0, 2, 4, 4);
    shade();
    assert_int_equal(sch_clip_triangle(&draw.state, &draw.vertices, (uint32_t[]){0, 1, 2}, 2, 0, 5, &clipped),
                     SCH_CLIP_WHOLE);
    static const struct sch_corner expected[3] = {
        {0, 0, 0, 1, 0}, {25600, 0, 0.5f, 0.5f, 1}, {12800, 19200, 1, 0.25f, 2}};
    assert_int_equal(clipped.count, 3);
    assert_memory_equal(clipped.corners, expected, sizeof expected);
    assert_int_equal(clipped.edges, 5);
    assert_int_equal(clipped.distances, 0);
    assert_int_equal(draw.vertices.count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_of_a_plain_triangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
