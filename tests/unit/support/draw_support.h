/* Draws through the public API, for tests: a context, a framebuffer with one colour buffer and, if wanted, depth and
 * stencil, and state that a test changes before it draws. */
#ifndef TESTS_DRAW_SUPPORT_H
#define TESTS_DRAW_SUPPORT_H

#include <scheelite/scheelite.h>

/* A scene to draw in. Members up to the blank line may be changed between draws; draw_with makes objects of them. */
struct draw_scene {
    struct sch_rasterizer_options rasterizer;
    struct sch_depth_stencil_alpha_options tests;
    struct sch_blend_options blend;
    struct sch_dynamic_state dynamic; /* its viewport and scissor are the framebuffer's at first */
    struct sch_dispatch_options dispatch;
    const char *vertex, *tess_ctrl, *tess_eval, *geometry, *fragment; /* texts; but for `vertex` NULL: none */
    enum sch_engine engine;
    unsigned width; /* of vectors */
    const struct sch_bindings *bindings[SCH_STAGE_COMPUTE];
    struct sch_vertex_element elements[SCH_VERTEX_ELEMENTS];
    uint32_t element_count;
    struct sch_vertex_buffer buffers[SCH_VERTEX_BUFFERS];
    uint32_t buffer_count;
    const struct sch_stream_output_options *stream_layout; /* NULL: none */
    struct sch_stream_target *stream_targets[SCH_STREAM_BUFFERS];
    void (*between)(void *user); /* not NULL: draws happen twice with the same objects, this between */
    void *between_user;

    struct sch_context *context;
    struct sch_renderer *renderer;
    struct sch_resource *color, *depth; /* depth: NULL where there is none */
    struct sch_framebuffer *framebuffer;
    uint32_t columns, rows, samples;
    struct sch_dispatch_report report; /* of the last draw */
};

/* Makes a scene of zeros. `depth` NONE: no such buffer. */
void draw_begin(struct draw_scene *scene, uint32_t columns, uint32_t rows, uint32_t samples, enum sch_format color,
                enum sch_format depth);
/* In a context, which draw_end destroys. */
void draw_begin_in(struct draw_scene *scene, struct sch_context *context, uint32_t columns, uint32_t rows,
                   uint32_t samples, enum sch_format color, enum sch_format depth);
void draw_end(struct draw_scene *scene);

/* Vertices of so many floats each, in IN[0], IN[1], ...: four floats a register; `registers` of them. */
void draw_vertices(struct draw_scene *scene, const float *vertices, uint32_t count, uint32_t registers);

/* Draws with the state as it is; the result. */
enum sch_result draw_try(struct draw_scene *scene, const struct sch_draw *draw);
/* Draws vertices from 0 on, which must go well. */
void draw(struct draw_scene *scene, enum sch_primitive primitive, uint32_t count);

/* The words of a sample of a pixel in a buffer. */
void draw_read(const struct draw_scene *scene, const struct sch_resource *from, uint32_t x, uint32_t y, uint32_t sample,
               uint32_t word[4]);
/* The first word of a pixel's colour, in the first sample. */
uint32_t draw_pixel(const struct draw_scene *scene, uint32_t x, uint32_t y);
void draw_clear(struct draw_scene *scene, const float color[4], double depth, uint32_t stencil);

/* A clip-space x or y whose place in the window is `pixels` from the left or top of `side`. */
float draw_at(double pixels, uint32_t side);

/* Programs that tests share: IN[0] is the position; IN[1], GENERIC 0, the colour. */
extern const char draw_plain_vertex[], draw_plain_fragment[];

#endif
