/* Setup of triangles: area and face, edges by the top-left rule, the order of interpolation, depth and its offset. */
#include "pipeline/triangle.h"

#include <string.h>

#include "pipeline/box.h"
#include "pipeline/output_key.h"
#include "pipeline/samples.h"

/* ---- what is the same for a draw ---- */

/* The whole number of sub-pixels from translate + sign * |scale| on, exactly; within the guard band. The sum of two
 * floats in double is off by less than the difference that says which way. */
static int32_t viewport_edge(float translate, float scale, double sign)
{
    const double limit = (double)SCH_GUARD_BAND * SCH_SUBPIXELS;
    const double a = (double)translate * SCH_SUBPIXELS,
                 b = (scale < 0 ? -(double)scale : (double)scale) * sign * SCH_SUBPIXELS;
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
        const int32_t first = viewport_edge(translate, scale, -1), last = viewport_edge(translate, scale, 1);
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

static void make_frame(int32_t frame[4], const struct sch_scissor *scissor, uint32_t width, uint32_t height)
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

void sch_setup_init(struct sch_setup *setup, const struct sch_rasterizer_options *rasterizer,
                    const struct sch_dynamic_state *dynamic, uint32_t width, uint32_t height, uint32_t samples,
                    enum sch_format depth_format)
{
    const bool multisampled = samples > 1 && rasterizer->multisample;
    const bool conservative = rasterizer->conservative != SCH_CONSERVATIVE_OFF;
    const bool centers = !multisampled || conservative;
    memset(setup, 0, sizeof *setup);
    setup->front_ccw = rasterizer->front_ccw;
    setup->bottom_edge_rule = rasterizer->bottom_edge_rule;
    setup->cull_face = (uint8_t)rasterizer->cull_face;
    setup->smooth = rasterizer->poly_smooth && !multisampled && !conservative;
    setup->all_samples = centers;
    setup->stippled = rasterizer->poly_stipple_enable;
    setup->conservative = conservative;
    setup->reach = pixel_reach(rasterizer, centers, setup->smooth);
    set_offsets(setup, rasterizer);
    setup->depth_unit = sch_format_depth_unit(depth_format);
    for (uint32_t i = 0; i < dynamic->viewport_count && i < SCH_VIEWPORTS; i++) {
        struct sch_setup_viewport *made = &setup->viewports[i];
        const struct sch_scissor *scissor = &dynamic->scissors[i];
        make_frame(made->frame, rasterizer->scissor ? scissor : NULL, width, height);
        make_viewport(made, &dynamic->viewports[i], centers);
        make_depth_range(made, &dynamic->viewports[i], rasterizer->clip_halfz, rasterizer->depth_clamp);
        sch_box_clip(made->box, made->frame);
    }
}

/* ---- faces and offset ---- */

int64_t sch_triangle_area(const struct sch_corner corners[3])
{
    const struct sch_corner *a = &corners[0], *b = &corners[1], *c = &corners[2];
    return (int64_t)(b->x - a->x) * (c->y - a->y) - (int64_t)(c->x - a->x) * (b->y - a->y);
}

bool sch_triangle_is_back(const struct sch_setup *setup, int64_t area)
{
    return area == 0 || (area < 0) != setup->front_ccw;
}

static double absolute(double value) { return value < 0 ? -value : value; }

/* 2^(e - 23) of the largest |z|, e its exponent. */
static double float_unit(const struct sch_corner corners[3])
{
    uint32_t most = 1;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t bits;
        memcpy(&bits, &corners[i].z, sizeof bits);
        bits = bits >> 23 & 255;
        if (bits > most) most = bits;
    }
    const uint64_t unit = (uint64_t)(most - 127 - 23 + 1023) << 52;
    double value;
    memcpy(&value, &unit, sizeof value);
    return value;
}

/* The steps are per pixel; where scale is 0 the slope has no part in it, be it what it may (D3D 15.10). */
static double depth_offset(const struct sch_setup *setup, const struct sch_corner corners[3], double dx, double dy)
{
    double offset = setup->offset_units;
    if (!setup->offset_unscaled) offset *= setup->depth_unit > 0 ? setup->depth_unit : float_unit(corners);
    if (setup->offset_scale < 0 || setup->offset_scale > 0) {
        dx = absolute(dx);
        dy = absolute(dy);
        offset = (dx > dy ? dx : dy) * setup->offset_scale + offset;
    }
    if (setup->offset_clamp > 0 && offset > setup->offset_clamp) offset = setup->offset_clamp;
    if (setup->offset_clamp < 0 && offset < setup->offset_clamp) offset = setup->offset_clamp;
    return offset;
}

/* ---- setup ---- */

/* The corner that is lowest in (y, x). */
static unsigned first_corner(const struct sch_corner corners[3])
{
    int64_t key[3];
    for (unsigned i = 0; i < 3; i++) key[i] = (int64_t)corners[i].y * (INT64_C(1) << 32) + corners[i].x;
    const unsigned first = key[1] < key[0];
    return key[2] < key[first] ? 2 : first;
}

/* The corners in the order of interpolation: the lowest one first, then clockwise. */
static void order_corners(struct sch_corner ordered[3], const struct sch_corner corners[3], int64_t area)
{
    static const uint8_t next[5] = {0, 1, 2, 0, 1};
    const unsigned first = first_corner(corners), back = area < 0;
    ordered[0] = corners[first];
    ordered[1] = corners[next[first + 1 + back]];
    ordered[2] = corners[next[first + 2 - back]];
}

/* From one corner to the next, clockwise: >= 0 on the right hand side. A left edge has a > 0, a top edge a = 0 and
 * b > 0 (D3D 3.4.2.1). */
static void make_edge(struct sch_edge *edge, const struct sch_corner *from, const struct sch_corner *to, bool bottom)
{
    const int32_t a = from->y - to->y, b = to->x - from->x;
    edge->a = a;
    edge->b = b;
    edge->c = -((int64_t)a * from->x + (int64_t)b * from->y);
    edge->bias = -!(a > 0 || (a == 0 && (b > 0) != bottom));
}

static int64_t edge_reach(const struct sch_edge *edge, int32_t reach)
{
    const int64_t a = edge->a < 0 ? -edge->a : edge->a, b = edge->b < 0 ? -edge->b : edge->b;
    return (reach * (a + b)) >> 1;
}

/* Inside is where the square of the pixel, closed, meets the closed triangle: past its edges and its box there is
 * nothing else that separates two convex shapes. */
static void widen_edges(struct sch_edge edges[3], int32_t reach)
{
    for (unsigned e = 0; e < 3; e++) {
        edges[e].c += edge_reach(&edges[e], reach);
        edges[e].bias = 0;
    }
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/* Pixels whose centres are at most `reach` from the corners' box: 2 * (256 * x + 128) >= 2 * low - reach, and so on. */
static bool make_box(int32_t box[4], const struct sch_corner corners[3], const struct sch_setup *setup,
                     const struct sch_setup_viewport *viewport)
{
    const int32_t low[2] = {least(least(corners[0].x, corners[1].x), corners[2].x),
                            least(least(corners[0].y, corners[1].y), corners[2].y)};
    const int32_t high[2] = {most(most(corners[0].x, corners[1].x), corners[2].x),
                             most(most(corners[0].y, corners[1].y), corners[2].y)};
    for (unsigned axis = 0; axis < 2; axis++) {
        const int32_t first = 2 * low[axis] - setup->reach + SCH_SUBPIXELS - 1;
        const int32_t last = 2 * high[axis] + setup->reach + SCH_SUBPIXELS;
        box[axis] = most(first >> 9, viewport->box[axis]);
        box[2 + axis] = least(last >> 9, viewport->box[2 + axis]);
    }
    return box[0] < box[2] && box[1] < box[3];
}

/* The exponent of the largest of the three magnitudes; false unless all are finite and one is not 0. */
static bool largest_exponent(const float values[3], int32_t *exponent)
{
    double largest = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double magnitude = absolute((double)values[i]);
        if (!(magnitude < 0x1p128)) return false;
        if (magnitude > largest) largest = magnitude;
    }
    uint64_t bits;
    memcpy(&bits, &largest, sizeof bits);
    *exponent = (int32_t)(bits >> 52) - 1023;
    return largest > 0;
}

static double power_of_two(int32_t exponent)
{
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* With the largest one between 2^62 and 2^63 neither the products with edge functions nor their sum overflow, nor is a
 * product of positive numbers less than 2^-64: what is smaller counts as 2^-64, 2^-126 of the largest. */
void sch_interpolate_inverse_w(struct sch_interpolant *of, const struct sch_corner corners[3])
{
    uint32_t bits[3];
    for (unsigned i = 0; i < 3; i++) {
        of->inverse_w[i] = corners[i].inverse_w;
        memcpy(&bits[i], &corners[i].inverse_w, sizeof bits[i]);
    }
    of->perspective = bits[0] != bits[1] || bits[0] != bits[2];
    of->w_unit = 0;
    if (!of->perspective) return;
    int32_t exponent;
    const bool usual = largest_exponent(of->inverse_w, &exponent);
    const int32_t shift = usual ? 62 - exponent : 0;
    const double scale = power_of_two(shift);
    for (unsigned i = 0; i < 3; i++) {
        const double scaled = (double)of->inverse_w[i] * scale;
        of->inverse_w[i] = (float)(usual && scaled > 0 && scaled < 0x1p-64 ? 0x1p-64 : scaled);
    }
    of->w_unit = of->inverse_area * power_of_two(-shift);
}

static void set_edge_function(double function[3], const struct sch_edge *edge)
{
    function[0] = (double)edge->c;
    function[1] = edge->a;
    function[2] = edge->b;
}

static void set_depth(struct sch_interpolant *of, const struct sch_corner corners[3], const struct sch_setup *setup)
{
    const double z0 = (double)corners[0].z;
    of->depth[0] = z0;
    of->depth[1] = ((double)corners[1].z - z0) * of->inverse_area;
    of->depth[2] = ((double)corners[2].z - z0) * of->inverse_area;
    if (!setup->offset[SCH_FILL_SOLID]) return;
    const double dx = (of->e1[1] * of->depth[1] + of->e2[1] * of->depth[2]) * SCH_SUBPIXELS;
    const double dy = (of->e1[2] * of->depth[1] + of->e2[2] * of->depth[2]) * SCH_SUBPIXELS;
    of->depth[0] += depth_offset(setup, corners, dx, dy);
}

static void set_interpolant(struct sch_interpolant *of, const struct sch_corner corners[3],
                            const struct sch_edge edges[3], int64_t area, const struct sch_setup *setup,
                            const struct sch_setup_viewport *viewport)
{
    set_edge_function(of->e1, &edges[1]);
    set_edge_function(of->e2, &edges[2]);
    of->area = (double)area;
    of->inverse_area = 1.0 / of->area;
    set_depth(of, corners, setup);
    sch_interpolate_inverse_w(of, corners);
    of->depth_min = viewport->depth_min;
    of->depth_max = viewport->depth_max;
    for (unsigned i = 0; i < 3; i++) of->vertex[i] = corners[i].vertex;
}

bool sch_setup_triangle(const struct sch_setup *setup, const struct sch_corner corners[3], uint32_t viewport,
                        struct sch_raster_primitive *primitive)
{
    const struct sch_setup_viewport *in = &setup->viewports[viewport];
    const int64_t area = sch_triangle_area(corners);
    const bool back = sch_triangle_is_back(setup, area);
    if (area == 0 || (setup->cull_face & (back ? SCH_FACE_BACK : SCH_FACE_FRONT))) return false;
    if (!make_box(primitive->box, corners, setup, in)) return false;
    struct sch_corner ordered[3];
    order_corners(ordered, corners, area);
    primitive->coverage = SCH_COVERAGE_EDGES;
    primitive->edge_count = 3;
    primitive->back = back;
    primitive->smooth = setup->smooth;
    primitive->all_samples = setup->all_samples;
    primitive->is_point = false;
    primitive->stippled = setup->stippled;
    primitive->line_stippled = false;
    primitive->viewport = (uint8_t)viewport;
    for (unsigned i = 0; i < 4; i++) primitive->bounds[i] = in->bounds[i];
    primitive->fractional = in->fractional;
    /* Edge n is opposite to corner n. */
    make_edge(&primitive->edges[0], &ordered[1], &ordered[2], setup->bottom_edge_rule);
    make_edge(&primitive->edges[1], &ordered[2], &ordered[0], setup->bottom_edge_rule);
    make_edge(&primitive->edges[2], &ordered[0], &ordered[1], setup->bottom_edge_rule);
    set_interpolant(&primitive->of, ordered, primitive->edges, area < 0 ? -area : area, setup, in);
    if (setup->conservative) widen_edges(primitive->edges, setup->reach);
    return true;
}

double sch_triangle_offset(const struct sch_setup *setup, const struct sch_corner corners[3], enum sch_fill fill)
{
    const int64_t area = sch_triangle_area(corners);
    if (!setup->offset[fill]) return 0;
    if (area == 0) return depth_offset(setup, corners, 0, 0);
    struct sch_corner ordered[3];
    struct sch_edge edges[2];
    order_corners(ordered, corners, area);
    make_edge(&edges[0], &ordered[2], &ordered[0], false);
    make_edge(&edges[1], &ordered[0], &ordered[1], false);
    const double inverse_area = 1.0 / (double)(area < 0 ? -area : area), z0 = (double)ordered[0].z;
    const double g1 = ((double)ordered[1].z - z0) * inverse_area, g2 = ((double)ordered[2].z - z0) * inverse_area;
    return depth_offset(setup, corners, (edges[0].a * g1 + edges[1].a * g2) * SCH_SUBPIXELS,
                        (edges[0].b * g1 + edges[1].b * g2) * SCH_SUBPIXELS);
}

void sch_triangle_inner_edges(const struct sch_raster_primitive *primitive, struct sch_edge edges[3])
{
    const struct sch_interpolant *of = &primitive->of;
    edges[1] = (struct sch_edge){.c = (int64_t)of->e1[0], .a = (int32_t)of->e1[1], .b = (int32_t)of->e1[2]};
    edges[2] = (struct sch_edge){.c = (int64_t)of->e2[0], .a = (int32_t)of->e2[1], .b = (int32_t)of->e2[2]};
    edges[0] = (struct sch_edge){
        .c = (int64_t)of->area - edges[1].c - edges[2].c, .a = -edges[1].a - edges[2].a, .b = -edges[1].b - edges[2].b};
    for (unsigned e = 0; e < 3; e++) edges[e].c -= edge_reach(&edges[e], SCH_SUBPIXELS);
}
