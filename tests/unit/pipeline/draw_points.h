/* A scene for tests of calls: vertex v of a draw is a point on one pixel of 8 x 8, which receives numbers of the
 * vertex. Holds no test. */
#ifndef TESTS_DRAW_POINTS_H
#define TESTS_DRAW_POINTS_H

#include <scheelite/scheelite.h>

enum { POINTS_SIDE = 8, POINTS_VERTICES = POINTS_SIDE * POINTS_SIDE };

struct points {
    struct sch_context *context;
    struct sch_diagnostics_list *list;
    struct sch_renderer *renderer;
    struct sch_program *vertex, *fragment;
    struct sch_pipeline *pipeline;
    struct sch_resource *picture; /* R32G32B32A32_UINT: VERTEXID, INSTANCEID, DRAWID, BASEINSTANCE, all plus one */
    struct sch_framebuffer *framebuffer;
    struct sch_vertex_elements *elements;
    float positions[POINTS_VERTICES][4];
    struct sch_vertex_buffer buffer;
    struct sch_draw_state state;
};

/* `fragment` NULL: the one that writes these numbers. */
void points_begin(struct points *points, const char *fragment);
/* In a context with these limits. */
void points_begin_limited(struct points *points, const struct sch_limit_options *limits);
void points_end(struct points *points);

/* A draw of all vertices. */
struct sch_draw points_draw(uint32_t start, uint32_t count);
/* Draws; must go well. */
void points_run(struct points *points, const struct sch_draw *draw);

/* The numbers of pixel v, row by row. */
void points_read(const struct points *points, uint32_t words[POINTS_VERTICES][4]);
void points_clear(struct points *points);

/* The newest report is of this number and names this. */
void points_told(struct points *points, unsigned number, const char *what);

/* A BUFFER of words. */
struct sch_resource *points_buffer(struct points *points, const uint32_t *words, uint32_t count);

#endif
