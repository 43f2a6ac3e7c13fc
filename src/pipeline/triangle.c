/* What setup needs of a draw's state, and what is asked of one triangle. Its arithmetic is src/ops/raster/setup.c. */
#include "pipeline/triangle.h"

#include <string.h>

#include "pipeline/box.h"
#include "pipeline/output_key.h"
#include "pipeline/samples.h"

/* ---- what is the same for a draw ---- */

/* The whole number of parts of a pixel from translate + sign * |scale| on, exactly; within the guard band. The sum of
 * two floats in double is off by less than the difference that says which way. */
static int32_t viewport_edge(float translate, float scale, double sign, double parts)
{
    const double limit = (double)SCH_GUARD_BAND * parts;
    const double a = (double)translate * parts, b = (scale < 0 ? -(double)scale : (double)scale) * sign * parts;
    const double sum = a + b, other = sum - a, error = (a - (sum - other)) + (b - other);
    if (!(sum > -limit)) return (int32_t)-limit;
    if (!(sum < limit)) return (int32_t)limit;
    const int32_t whole = (int32_t)sum; /* toward zero */
    return whole + ((double)whole < sum || ((double)whole == sum && error > 0));
}

static void make_viewport(struct sch_setup_viewport *made, const struct sch_viewport *viewport, bool centers)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        const float translate = viewport->translate[axis], scale = viewport->scale[axis];
        const int32_t first = viewport_edge(translate, scale, -1, SCH_SUBPIXELS);
        const int32_t last = viewport_edge(translate, scale, 1, SCH_SUBPIXELS);
        made->bounds[axis] = first;
        made->bounds[2 + axis] = last;
        if (centers) { /* pixels whose centres are inside */
            made->box[axis] = (first + SCH_SUBPIXELS / 2 - 1) >> 8;
            made->box[2 + axis] = (last + SCH_SUBPIXELS / 2 - 1) >> 8;
        } else { /* pixels that have a part inside */
            made->box[axis] = first >> 8;
            made->box[2 + axis] = (last + SCH_SUBPIXELS - 1) >> 8;
            made->fractional |= (first | last) % SCH_SUBPIXELS != 0;
        }
    }
}

/* Edge by edge of the rectangle in whole pixels, rounded down (D3D 11.3 15.7). */
static int32_t whole_edge(const struct sch_viewport *viewport, unsigned edge)
{
    const unsigned axis = edge % 2;
    return -viewport_edge(-viewport->translate[axis], viewport->scale[axis], edge < 2 ? 1 : -1, 1);
}

void sch_setup_round_viewports(struct sch_setup *setup, const struct sch_dynamic_state *dynamic)
{
    for (uint32_t i = 0; i < dynamic->viewport_count && i < SCH_VIEWPORTS; i++) {
        const struct sch_viewport *viewport = &dynamic->viewports[i];
        struct sch_setup_viewport *made = &setup->viewports[i];
        for (unsigned edge = 0; edge < 4; edge++) {
            made->box[edge] = whole_edge(viewport, edge);
            made->bounds[edge] = made->box[edge] * SCH_SUBPIXELS;
        }
        made->fractional = false;
        sch_box_clip(made->box, made->frame);
    }
}

static void make_depth_range(struct sch_setup_viewport *made, const struct sch_viewport *viewport, bool halfz,
                             bool clamped)
{
    const float scale = viewport->scale[2], translate = viewport->translate[2];
    const float near = halfz ? translate : translate - scale, far = translate + scale;
    made->depth_min = clamped ? (near < far ? near : far) : 0;
    made->depth_max = clamped ? (near < far ? far : near) : 1;
}

static void set_offsets(struct sch_setup *setup, const struct sch_rasterizer_options *rasterizer)
{
    setup->offset[SCH_FILL_SOLID] = rasterizer->offset_tri;
    setup->offset[SCH_FILL_LINE] = rasterizer->offset_line;
    setup->offset[SCH_FILL_POINT] = rasterizer->offset_point;
    setup->offset_unscaled = rasterizer->offset_units_unscaled;
    setup->offset_units = (double)rasterizer->offset_units;
    setup->offset_scale = (double)rasterizer->offset_scale;
    setup->offset_clamp = (double)rasterizer->offset_clamp;
}

int32_t sch_conservative_reach(const struct sch_rasterizer_options *rasterizer)
{
    const float dilate = rasterizer->conservative_dilate;
    if (rasterizer->conservative == SCH_CONSERVATIVE_OFF) return 0;
    const int32_t wider = dilate > 0 ? (int32_t)((dilate < 1 ? dilate : 1) * 2 * SCH_SUBPIXELS) : 0;
    return SCH_SUBPIXELS + wider + (rasterizer->conservative == SCH_CONSERVATIVE_PRE_SNAP);
}

/* How far the part of a pixel that counts reaches from its centre, in halves of sub-pixels. */
static int32_t pixel_reach(const struct sch_rasterizer_options *rasterizer, bool centers, bool smooth)
{
    if (rasterizer->conservative != SCH_CONSERVATIVE_OFF) return sch_conservative_reach(rasterizer);
    return centers && !smooth ? 0 : SCH_SUBPIXELS;
}

void sch_setup_frame(int32_t frame[4], const struct sch_scissor *scissor, uint32_t width, uint32_t height)
{
    const int32_t limit = SCH_GUARD_BAND;
    frame[0] = frame[1] = 0;
    frame[2] = (int32_t)width;
    frame[3] = (int32_t)height;
    if (!scissor) return;
    const int32_t cut[4] = {scissor->left < SCH_GUARD_BAND ? (int32_t)scissor->left : limit,
                            scissor->top < SCH_GUARD_BAND ? (int32_t)scissor->top : limit,
                            scissor->right < SCH_GUARD_BAND ? (int32_t)scissor->right : limit,
                            scissor->bottom < SCH_GUARD_BAND ? (int32_t)scissor->bottom : limit};
    sch_box_clip(frame, cut);
}

void sch_setup_init(struct sch_setup *setup, const struct sch_ops *ops, const struct sch_rasterizer_options *rasterizer,
                    const struct sch_dynamic_state *dynamic, uint32_t width, uint32_t height, uint32_t samples,
                    enum sch_format depth_format)
{
    const bool multisampled = samples > 1 && rasterizer->multisample;
    const bool conservative = rasterizer->conservative != SCH_CONSERVATIVE_OFF;
    const bool centers = !multisampled || conservative;
    memset(setup, 0, sizeof *setup);
    setup->ops = ops;
    setup->interpolates = setup->small_edges = true;
    setup->front_ccw = rasterizer->front_ccw;
    setup->bottom_edge_rule = rasterizer->bottom_edge_rule;
    setup->cull_face = (uint8_t)rasterizer->cull_face;
    setup->smooth = rasterizer->poly_smooth && !multisampled && !conservative;
    setup->all_samples = centers;
    setup->stippled = rasterizer->poly_stipple_enable;
    setup->conservative = conservative;
    setup->centers = centers && !setup->smooth && !conservative && !setup->stippled;
    setup->reach = pixel_reach(rasterizer, centers, setup->smooth);
    set_offsets(setup, rasterizer);
    setup->depth_unit = sch_format_depth_unit(depth_format);
    for (uint32_t i = 0; i < dynamic->viewport_count && i < SCH_VIEWPORTS; i++) {
        struct sch_setup_viewport *made = &setup->viewports[i];
        const struct sch_scissor *scissor = &dynamic->scissors[i];
        sch_setup_frame(made->frame, rasterizer->scissor ? scissor : NULL, width, height);
        make_viewport(made, &dynamic->viewports[i], centers);
        make_depth_range(made, &dynamic->viewports[i], rasterizer->clip_halfz, rasterizer->depth_clamp);
        sch_box_clip(made->box, made->frame);
    }
}

void sch_setup_sides(struct sch_setup_sides *sides, const struct sch_viewport *viewport, bool half_pixel_center)
{
    const int32_t shift = half_pixel_center ? 0 : SCH_SUBPIXELS / 2; /* corners have it, too */
    for (unsigned axis = 0; axis < 2; axis++) {
        const float translate = viewport->translate[axis], scale = viewport->scale[axis];
        const int32_t first = -viewport_edge(-translate, scale, 1, SCH_SUBPIXELS);
        const int32_t last = viewport_edge(translate, scale, 1, SCH_SUBPIXELS);
        sides->pixels[axis] = whole_edge(viewport, axis);
        sides->pixels[2 + axis] = whole_edge(viewport, 2 + axis);
        sides->volume[axis] = first + shift; /* a corner on the side may be snapped outwards */
        sides->volume[2 + axis] = last + shift;
    }
}

void sch_setup_without_viewports(struct sch_setup *setup)
{
    for (uint32_t i = 0; i < SCH_VIEWPORTS; i++) {
        struct sch_setup_viewport *made = &setup->viewports[i];
        memcpy(made->box, made->frame, sizeof made->box);
        made->fractional = false;
        made->depth_min = 0;
        made->depth_max = 1;
    }
}

/* ---- faces ---- */

int64_t sch_triangle_area(const struct sch_corner corners[3])
{
    const struct sch_corner *a = &corners[0], *b = &corners[1], *c = &corners[2];
    return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(c->x - a->x) * (b->y - a->y);
}

bool sch_triangle_is_back(const struct sch_setup *setup, int64_t area)
{
    return area == 0 || (area < 0) != setup->front_ccw;
}

/* ---- one triangle ---- */

static void take_corners(const struct sch_corner corners[3], struct sch_window_vertex taken[3])
{
    for (unsigned i = 0; i < 3; i++)
        taken[i] = (struct sch_window_vertex){corners[i].x, corners[i].y, corners[i].z, corners[i].inverse_w};
}

bool sch_setup_triangle(const struct sch_setup *setup, const struct sch_corner corners[3], uint32_t viewport,
                        struct sch_raster_primitive *primitive)
{
    static const struct sch_assembled_primitive triangle = {.vertex = {0, 1, 2}};
    struct sch_window_vertex taken[3];
    struct sch_raster_primitive made[2];
    take_corners(corners, taken);
    if (!setup->ops->setup_triangles(made, setup, viewport, taken, &triangle, 1, NULL)) return false;
    made[0].layer = primitive->layer;
    made[0].primitive_id = primitive->primitive_id;
    made[0].of.provoking = primitive->of.provoking;
    for (unsigned i = 0; i < 3; i++) made[0].of.vertex[i] = corners[made[0].of.vertex[i]].vertex;
    *primitive = made[0];
    return true;
}

double sch_triangle_offset(const struct sch_setup *setup, const struct sch_corner corners[3], enum sch_fill fill)
{
    struct sch_window_vertex taken[3];
    take_corners(corners, taken);
    return setup->ops->triangle_offset(setup, fill, taken);
}

static int64_t magnitude(int32_t value) { return value < 0 ? -(int64_t)value : value; }

void sch_triangle_inner_edges(const struct sch_raster_primitive *primitive, struct sch_edge edges[3])
{
    const struct sch_interpolant *of = &primitive->of;
    edges[1] = (struct sch_edge){.c = (int64_t)of->e1[0], .a = (int32_t)of->e1[1], .b = (int32_t)of->e1[2]};
    edges[2] = (struct sch_edge){.c = (int64_t)of->e2[0], .a = (int32_t)of->e2[1], .b = (int32_t)of->e2[2]};
    edges[0] = (struct sch_edge){
        .c = (int64_t)of->area - edges[1].c - edges[2].c, .a = -edges[1].a - edges[2].a, .b = -edges[1].b - edges[2].b};
    for (unsigned e = 0; e < 3; e++)
        edges[e].c -= (SCH_SUBPIXELS * (magnitude(edges[e].a) + magnitude(edges[e].b))) >> 1;
}
