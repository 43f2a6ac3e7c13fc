/* Triangles, from corners in the window to primitives that are ready to be rasterised. docs/pipeline.md, "Triangles",
 * has the rules. Holds no arithmetic of setup and coverage: src/ops/raster/setup.c, coverage.c. */
#ifndef SCH_PIPELINE_TRIANGLE_H
#define SCH_PIPELINE_TRIANGLE_H

#include "ops/ops.h"
#include "pipeline/primitive.h"

/* What a scissor (NULL: none) leaves of a framebuffer. */
void sch_setup_frame(int32_t frame[4], const struct sch_scissor *scissor, uint32_t width, uint32_t height);

/* `depth_format`: NONE without a depth buffer. */
void sch_setup_init(struct sch_setup *setup, const struct sch_ops *ops, const struct sch_rasterizer_options *rasterizer,
                    const struct sch_dynamic_state *dynamic, uint32_t width, uint32_t height, uint32_t samples,
                    enum sch_format depth_format);

/* What the sides of a viewport's view volume are for points and lines. */
struct sch_setup_sides {
    int32_t pixels[4]; /* of Direct3D's implicit scissor: edges are rounded down (D3D 11.3 15.7) */
    int32_t volume[4]; /* sub-pixels; places on the sides are inside */
};
void sch_setup_sides(struct sch_setup_sides *sides, const struct sch_viewport *viewport, bool half_pixel_center);

/* Positions are in the window already (VS_WINDOW_SPACE_POSITION): the viewports bound neither pixels nor depth. */
void sch_setup_without_viewports(struct sch_setup *setup);

/* The viewports' rectangles in whole pixels, each edge rounded down (D3D 15.7). */
void sch_setup_round_viewports(struct sch_setup *setup, const struct sch_dynamic_state *dynamic);

/* How far the square of conservative rasterisation reaches from a pixel's centre, in halves of sub-pixels, widened by
 * what snapping may move; 0 where rasterisation is not conservative. */
int32_t sch_conservative_reach(const struct sch_rasterizer_options *rasterizer);

/* False: nothing is drawn. `primitive` gets everything but layer, primitive_id and of.provoking, which stay. */
bool sch_setup_triangle(const struct sch_setup *setup, const struct sch_corner corners[3], uint32_t viewport,
                        struct sch_raster_primitive *primitive);

/* Twice the area in sub-pixels, positive where the corners go round clockwise on a picture whose first row is at the
 * top. */
int64_t sch_triangle_area(const struct sch_corner corners[3]);

/* Whether a triangle of that area is a back face; one without area is (OpenGL 14.6.1). */
bool sch_triangle_is_back(const struct sch_setup *setup, int64_t area);

/* What is added to the depth of a triangle's fragments where it is filled so; 0 where there is no offset. */
double sch_triangle_offset(const struct sch_setup *setup, const struct sch_corner corners[3], enum sch_fill fill);

/* The edges of the triangles whose pixels are inside with their whole square (INNER_COVERAGE): for centres. */
void sch_triangle_inner_edges(const struct sch_raster_primitive *primitive, struct sch_edge edges[3]);

#endif
