/* A draw whose vertices a test of clipping writes itself: two attributes, the second of which is linear in the window;
 * a viewport of 100 x 100 pixels, with OpenGL's depth and both planes. */
#ifndef TESTS_CLIP_SUPPORT_H
#define TESTS_CLIP_SUPPORT_H

#include <stdint.h>
#include <string.h>

#include "pipeline/clip.h"

enum { WORDS = 24, CAPACITY = 4096, DISTANCES = 0, POSITION = 8, ATTRIBUTE = 12, LINEAR_ATTRIBUTE = 16, SCALARS = 20 };

union word {
    uint32_t u;
    float f;
};

struct draw {
    struct sch_link link;
    struct sch_rasterizer_options rasterizer;
    struct sch_dynamic_state dynamic;
    struct sch_vertex_layout layout;
    struct sch_clip_state state;
    struct sch_vertices vertices;
    union word words[CAPACITY * (WORDS + 8)];
    struct sch_window_vertex corners[CAPACITY];
    uint32_t codes[CAPACITY];
};

static struct draw draw;

static inline const struct sch_ops *level(unsigned i)
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    return i < count ? levels[i] : NULL;
}

/* One after the other of those that the processor has. */
static inline const struct sch_ops *level_in_turn(unsigned n)
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    return levels[n % count];
}

static inline void reset(void)
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
                                    .mask = 15,
                                    .interpolation = i ? SCH_INTERPOLATION_LINEAR : SCH_INTERPOLATION_PERSPECTIVE,
                                    .word = (uint16_t)(ATTRIBUTE + 4 * i),
                                    .back_word = (uint16_t)(ATTRIBUTE + 4 * i)};
    draw.rasterizer.depth_clip_near = draw.rasterizer.depth_clip_far = draw.rasterizer.half_pixel_center = true;
    draw.dynamic.viewport_count = 1;
    draw.dynamic.viewports[0] = (struct sch_viewport){{50, 50, 0.5f}, {50, 50, 0.5f}};
}

static inline void begin(const struct sch_ops *ops)
{
    sch_clip_layout(&draw.link, &draw.rasterizer, &draw.layout);
    sch_clip_state_init(&draw.state, ops, &draw.link, &draw.layout, &draw.rasterizer, &draw.dynamic, 4);
    draw.vertices = (struct sch_vertices){.layout = &draw.layout,
                                          .words = &draw.words[0].u,
                                          .corners = draw.corners,
                                          .codes = draw.codes,
                                          .capacity = CAPACITY};
}

static inline union word *words_of(uint32_t vertex) { return &draw.words[vertex * draw.layout.words]; }

static inline uint32_t add(float x, float y, float z, float w)
{
    uint32_t vertex = draw.vertices.count++;
    memset(words_of(vertex), 0, draw.layout.words * sizeof(union word));
    memcpy(words_of(vertex) + POSITION, (float[]){x, y, z, w}, 4 * sizeof(float));
    return vertex;
}

static inline void shade(void) { sch_clip_vertices(&draw.state, &draw.vertices); }

#endif
