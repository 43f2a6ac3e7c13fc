/* Setup of points: squares of pixels, exact squares, circles, and coordinates across them. Which samples they cover is
 * ops/raster's. */
#include "pipeline/point.h"

#include "pipeline/box.h"
#include "pipeline/size.h"

enum { HALF = SCH_SUBPIXELS / 2 };

void sch_point_rules(struct sch_point_rules *rules, const struct sch_rasterizer_options *options, uint32_t samples)
{
    int32_t reach = sch_conservative_reach(options);
    bool multisampled = samples > 1 && options->multisample && !reach, sprite = options->point_quad_rasterization;
    bool smooth = options->point_smooth && !multisampled && !sprite && !reach;
    *rules = (struct sch_point_rules){
        .shape = sprite                            ? SCH_POINT_SQUARE
                 : smooth || multisampled || reach ? SCH_POINT_CIRCLE
                                                   : SCH_POINT_PIXELS,
        .reach = reach,
        .smooth = smooth,
        .all_samples = samples > 1 && !multisampled,
        .bottom_edge_rule = options->bottom_edge_rule,
        .lower_left = options->sprite_coord_mode == SCH_SPRITE_LOWER_LEFT,
        .per_vertex = options->point_size_per_vertex,
        .size = options->point_size,
    };
}

/* The first of `width` pixels around a coordinate (OpenGL 14.4.1): odd widths have the coordinate's pixel in their
 * middle, even ones the nearest pixel boundary. */
static int32_t first_pixel(int32_t at, int32_t width) { return ((at + (width & 1 ? 0 : HALF)) >> 8) - width / 2; }

static void set_pixels(const struct sch_point_rules *rules, const struct sch_corner *corner, float size,
                       struct sch_raster_primitive *primitive)
{
    int32_t width = sch_size_in_units(size, 1, SCH_POINT_SIZE_MAX), *box = primitive->box;
    box[0] = first_pixel(corner->x, width);
    box[2] = box[0] + width;
    if (rules->bottom_edge_rule) { /* rows counted upwards: row r is -1 - r */
        box[3] = -first_pixel(-corner->y, width);
        box[1] = box[3] - width;
    } else {
        box[1] = first_pixel(corner->y, width);
        box[3] = box[1] + width;
    }
    primitive->edge_count = 0;
}

/* The pixels that the square around a point reaches, or that reach it: at least with their own square, in which all
 * samples are. */
static void set_box(const struct sch_point_rules *rules, const struct sch_corner *corner, int32_t width, int32_t box[4])
{
    const int32_t at[2] = {corner->x, corner->y}, reach = width + (rules->reach ? rules->reach : SCH_SUBPIXELS);
    for (unsigned axis = 0; axis < 2; axis++) {
        box[axis] = (2 * at[axis] - reach + SCH_SUBPIXELS - 1) >> 9;
        box[axis + 2] = ((2 * at[axis] + reach - SCH_SUBPIXELS) >> 9) + 1;
    }
}

/* 2 * |x - center| < width, in half sub-pixels so that odd widths have whole edges; the left edge and the upper one, or
 * the lower one, belong to the square (D3D 3.4.6, 3.4.2.1). Where rasterisation is conservative all edges do, and are
 * moved outwards. */
static void set_square(const struct sch_point_rules *rules, const struct sch_corner *corner, int32_t width,
                       struct sch_raster_primitive *primitive)
{
    int64_t x = 2 * (int64_t)corner->x, y = 2 * (int64_t)corner->y, reach = width + rules->reach;
    int32_t outside = rules->reach ? 0 : -1, below = rules->bottom_edge_rule ? outside : 0;
    primitive->edges[0] = (struct sch_edge){.c = reach - x, .a = 2, .bias = 0};
    primitive->edges[1] = (struct sch_edge){.c = reach + x, .a = -2, .bias = outside};
    primitive->edges[2] = (struct sch_edge){.c = reach - y, .b = 2, .bias = below};
    primitive->edges[3] = (struct sch_edge){.c = reach + y, .b = -2, .bias = outside - below};
    primitive->edge_count = 4;
}

/* OpenGL 14.4.1, equations 14.3 and 14.4: the first coordinate is E1 / A, the second E2 / A. Everything else is the
 * same at all places. */
static void interpolate(const struct sch_point_rules *rules, const struct sch_corner *corner, int32_t width,
                        double offset, struct sch_interpolant *of)
{
    double down = rules->lower_left ? -2.0 : 2.0;
    *of = (struct sch_interpolant){
        .e1 = {(double)width - 2.0 * corner->x, 2.0, 0.0},
        .e2 = {(double)width - down * corner->y, 0.0, down},
        .area = 2.0 * width,
        .inverse_area = 1.0 / (2.0 * width),
        .depth = {(double)corner->z + offset, 0.0, 0.0},
        .inverse_w = {corner->inverse_w, corner->inverse_w, corner->inverse_w},
        .vertex = {corner->vertex, corner->vertex, corner->vertex},
        .provoking = corner->vertex,
    };
}

bool sch_point_setup(const struct sch_point_rules *rules, const struct sch_setup_viewport *viewport,
                     const struct sch_corner *corner, float size, double offset, struct sch_raster_primitive *primitive)
{
    if (!rules->per_vertex) size = rules->size;
    int32_t width = sch_size_in_units(size, SCH_SUBPIXELS, SCH_POINT_SIZE_MAX);
    primitive->coverage = SCH_COVERAGE_EDGES;
    primitive->small = false;
    switch (rules->shape) {
    case SCH_POINT_PIXELS:
        set_pixels(rules, corner, size, primitive);
        break;
    case SCH_POINT_SQUARE:
        set_box(rules, corner, width, primitive->box);
        set_square(rules, corner, width, primitive);
        break;
    default: /* twice a distance is at most the width (OpenGL 14.4.3) */
        set_box(rules, corner, width, primitive->box);
        primitive->coverage = SCH_COVERAGE_CIRCLE;
        primitive->edge_count = 0;
        primitive->circle = (struct sch_circle){{corner->x, corner->y}, .diameter = width, .reach = rules->reach};
        break;
    }
    if (!sch_box_clip(primitive->box, viewport->frame)) return false;
    primitive->smooth = rules->smooth;
    primitive->all_samples = rules->all_samples;
    primitive->is_point = true;
    primitive->stippled = primitive->line_stippled = primitive->fractional = false;
    interpolate(rules, corner, width, offset, &primitive->of);
    primitive->of.depth_min = viewport->depth_min;
    primitive->of.depth_max = viewport->depth_max;
    return true;
}
