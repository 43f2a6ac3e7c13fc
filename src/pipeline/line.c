/* Setup of lines. An aliased line is a column of pixels at each place along its major axis: two edges and a box. All
 * other lines are rectangles: four edges. Both are exact from the corners. Which samples the edges cover is
 * ops/raster's. */
#include "pipeline/line.h"

#include "pipeline/box.h"
#include "pipeline/size.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 wide_signed;

enum { HALF = SCH_SUBPIXELS / 2, STIPPLE_BITS = 16 };

void sch_line_rules(struct sch_line_rules *rules, const struct sch_ops *ops,
                    const struct sch_rasterizer_options *options, uint32_t samples)
{
    int32_t reach = sch_conservative_reach(options);
    bool multisampled = samples > 1 && options->multisample && !reach;
    bool smooth = options->line_smooth && !multisampled && !reach;
    bool rectangle = multisampled || smooth || options->line_rectangular || reach;
    uint32_t factor = options->line_stipple_factor;
    *rules = (struct sch_line_rules){
        .ops = ops,
        .rectangle = rectangle,
        .smooth = smooth,
        .all_samples = samples > 1 && !multisampled,
        .last_pixel = options->line_last_pixel,
        .bottom_edge_rule = options->bottom_edge_rule,
        .width = sch_size_in_units(options->line_width, rectangle ? SCH_SUBPIXELS : 1, SCH_LINE_WIDTH_MAX),
        .reach = reach,
        .stippled = options->line_stipple_enable && !reach,
        .stipple_factor = factor ? factor : 1,
        .stipple_pattern = options->line_stipple_pattern,
    };
}

/* ---- numbers ---- */

static int64_t floor_quotient(int64_t n, int64_t d)
{
    int64_t q = n / d;
    return q - (n % d < 0); /* d > 0 */
}

static int64_t ceiling_quotient(int64_t n, int64_t d) { return -floor_quotient(-n, d); }

/* The pixel of a coordinate that is moved to the left (up) by less than anything (OpenGL 14.5.1). */
static int32_t pixel_before(int32_t at) { return (at - 1) >> 8; }

/* floor(sqrt(n)), by Newton's method from above. */
static int64_t floor_root(wide n)
{
    if (n == 0) return 0;
    unsigned bits = 0;
    for (wide rest = n; rest; rest >>= 2) bits++;
    wide root = (wide)1 << bits;
    for (;;) {
        wide next = (root + n / root) / 2;
        if (next >= root) return (int64_t)root;
        root = next;
    }
}

static int32_t least(int32_t a, int32_t b) { return a < b ? a : b; }
static int32_t greatest(int32_t a, int32_t b) { return a > b ? a : b; }

/* ---- what changes along the line ---- */

/* OpenGL 14.5.1, equations 14.5 to 14.7: E1 is (p - a) * (b - a), and E2 is 0. */
static void interpolate(const struct sch_line_rules *rules, const struct sch_corner *a, const struct sch_corner *b,
                        double offset, struct sch_interpolant *of)
{
    int64_t dx = (int64_t)b->x - a->x, dy = (int64_t)b->y - a->y;
    int64_t area = dx * dx + dy * dy;
    of->e1[0] = (double)-(a->x * dx + a->y * dy);
    of->e1[1] = (double)dx;
    of->e1[2] = (double)dy;
    for (unsigned i = 0; i < 3; i++) of->e2[i] = 0.0;
    of->area = area ? (double)area : 1.0; /* a line without length has the first corner's values */
    of->inverse_area = 1.0 / of->area;
    of->depth[0] = (double)a->z + offset;
    of->depth[1] = ((double)b->z - (double)a->z) * of->inverse_area;
    of->depth[2] = 0.0;
    of->inverse_w[0] = of->inverse_w[2] = a->inverse_w;
    of->inverse_w[1] = b->inverse_w;
    rules->ops->scale_inverse_w(of);
    of->vertex[0] = of->vertex[2] = a->vertex;
    of->vertex[1] = b->vertex;
}

/* ---- aliased lines ---- */

/* A line along its major axis: s counts along it, t across. Where OpenGL's y axis goes up in the window, y is negated,
 * so that ties are broken as OpenGL does. The line is moved across by half of the pixels that its columns have more
 * than one (OpenGL 14.5.2.2). */
struct major {
    bool steep; /* s is y */
    bool flip;
    int32_t shift;
};

struct place {
    int32_t s, t;
    bool in_diamond;
};

static struct major major_axis(const struct sch_line_rules *rules, const struct sch_corner *a,
                               const struct sch_corner *b)
{
    int64_t dx = (int64_t)b->x - a->x, dy = (int64_t)b->y - a->y;
    return (struct major){.steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx),
                          .flip = rules->bottom_edge_rule,
                          .shift = (rules->width - 1) * HALF};
}

/* Whether the diamond around the centre of the pixel has the place, which is moved by a little in x and by much less in
 * y (OpenGL 14.5.1): the diamond's right edges belong to it, but not its upper and lower corner. */
static bool in_diamond(int32_t x, int32_t y)
{
    int32_t u = x - (pixel_before(x) * SCH_SUBPIXELS + HALF), v = y - (pixel_before(y) * SCH_SUBPIXELS + HALF);
    int32_t distance = (u < 0 ? -u : u) + (v < 0 ? -v : v);
    return distance < HALF || (distance == HALF && u > 0);
}

static struct place place_of(const struct major *major, const struct sch_corner *corner)
{
    int32_t x = corner->x, y = major->flip ? -corner->y : corner->y;
    if (major->steep)
        x -= major->shift;
    else
        y -= major->shift;
    return (struct place){.s = major->steep ? y : x, .t = major->steep ? x : y, .in_diamond = in_diamond(x, y)};
}

/* The first pixel along the major axis of a line that begins at a place. */
static int32_t first_column(const struct place *from, bool backward)
{
    if (from->in_diamond) return pixel_before(from->s);
    int32_t forward = pixel_before(from->s - HALF) + 1; /* the first whose centre is not before s */
    return backward ? forward - 1 : forward;
}

/* Pixels from `first` to `last` along the major axis, in the line's direction. They have a fragment each: where the
 * line passes the centre of a column it is in the diamond of the one pixel that it has there; at its ends it may enter
 * a diamond without passing the centre, or leave none (OpenGL 14.5.1). */
struct columns {
    int32_t first, last;
    bool backward;
};

static int32_t column_count(const struct columns *columns)
{
    return greatest(0, (columns->backward ? columns->first - columns->last : columns->last - columns->first) + 1);
}

static struct columns columns_of(const struct sch_line_rules *rules, const struct place *a, const struct place *b)
{
    bool backward = b->s < a->s;
    struct columns columns = {.first = first_column(a, backward), .backward = backward};
    int32_t step = backward ? -1 : 1;
    if (b->in_diamond)
        columns.last = pixel_before(b->s) - (rules->last_pixel ? 0 : step);
    else
        columns.last = first_column(b, backward) - step;
    return columns;
}

/* The line as t * ds = at + dt * s, ds >= 0, and the pixel where it passes the centre of a column. In a tie the line is
 * moved toward smaller t, but toward greater t if moving it toward smaller s does that. */
struct slope {
    int64_t ds, dt, at;
    int32_t bias;
};

static struct slope slope_of(const struct major *major, const struct place *a, const struct place *b)
{
    struct slope slope = {.ds = (int64_t)b->s - a->s, .dt = (int64_t)b->t - a->t};
    if (slope.ds < 0) {
        slope.ds = -slope.ds;
        slope.dt = -slope.dt;
    }
    slope.at = a->t * slope.ds - a->s * slope.dt;
    slope.bias = !major->steep && slope.dt > 0 ? 0 : -1;
    return slope;
}

static int32_t row_at(const struct slope *slope, int32_t column)
{
    int64_t s = (int64_t)column * SCH_SUBPIXELS + HALF;
    return (int32_t)floor_quotient(slope->at + slope->dt * s + slope->bias, slope->ds * SCH_SUBPIXELS);
}

/* ---- the part of columns that is in the view volume ---- */

/* The volume along the major axis and across, for places of the line that is moved. */
struct sides {
    int64_t s[2], t[2];
};

static struct sides sides_of(const struct major *major, const int32_t volume[4])
{
    const int64_t x[2] = {volume[0], volume[2]};
    const int64_t y[2] = {major->flip ? -volume[3] : volume[1], major->flip ? -volume[1] : volume[3]};
    const int64_t *s = major->steep ? y : x, *t = major->steep ? x : y;
    return (struct sides){{s[0], s[1]}, {t[0] - major->shift, t[1] - major->shift}};
}

static bool has_place(const struct sides *sides, const struct place *at)
{
    return at->s >= sides->s[0] && at->s <= sides->s[1] && at->t >= sides->t[0] && at->t <= sides->t[1];
}

static int64_t later(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

/* The columns whose centres the line passes in the volume; `first` > `last`: there are none. */
static void find_passed(const struct slope *slope, const struct sides *sides, int64_t *first, int64_t *last)
{
    int64_t least = sides->s[0], most = sides->s[1]; /* s of places in the volume */
    const int64_t low = slope->ds * sides->t[0] - slope->at, high = slope->ds * sides->t[1] - slope->at;
    if (slope->dt > 0) {
        least = later(least, ceiling_quotient(low, slope->dt));
        most = earlier(most, floor_quotient(high, slope->dt));
    } else if (slope->dt < 0) {
        least = later(least, ceiling_quotient(-high, -slope->dt));
        most = earlier(most, floor_quotient(-low, -slope->dt));
    } else if (low > 0 || high < 0) {
        most = least - 1;
    }
    *first = ceiling_quotient(least - HALF, SCH_SUBPIXELS);
    *last = most < least ? *first - 1 : floor_quotient(most - HALF, SCH_SUBPIXELS);
}

/* Whether a column at an end stays: where its centre is beyond the line's end, the end decides. */
static bool stays(int64_t column, const struct sides *sides, const struct place *low, const struct place *high,
                  int64_t first, int64_t last)
{
    const int64_t s = column * SCH_SUBPIXELS + HALF;
    if (s < low->s) return has_place(sides, low);
    if (s > high->s) return has_place(sides, high);
    return column >= first && column <= last;
}

/* What the sides of the view volume leave of a line's columns, each of which is decided where the line passes its
 * centre. So a line that is clipped has the fragments of the whole line that are in the volume. (OpenGL 4.6 13.7; the
 * new ends of a line that was cut would take some away, 14.5.1.) */
static bool trim_columns(const struct major *major, const struct slope *slope, const struct place *a,
                         const struct place *b, const int32_t volume[4], struct columns *columns)
{
    const struct sides sides = sides_of(major, volume);
    if (!slope->ds) return has_place(&sides, a);
    const struct place *low = columns->backward ? b : a, *high = columns->backward ? a : b;
    int64_t first, last, from = least(columns->first, columns->last), to = greatest(columns->first, columns->last);
    find_passed(slope, &sides, &first, &last);
    const bool begins = stays(from, &sides, low, high, first, last), ends = stays(to, &sides, low, high, first, last);
    const int64_t left = from, right = to;
    if (!begins) from = later(left + 1, first);
    if (!ends) to = earlier(right - 1, last);
    if (begins && to < left) to = left;
    if (ends && from > right) from = right;
    if (from > to) return false;
    columns->first = (int32_t)(columns->backward ? to : from);
    columns->last = (int32_t)(columns->backward ? from : to);
    return true;
}

/* c + s * S + t * T as an edge. */
static struct sch_edge edge_along(const struct major *major, int64_t c, int64_t s, int64_t t, int32_t bias)
{
    struct sch_edge edge = {.c = c, .a = (int32_t)(major->steep ? t : s), .b = (int32_t)(major->steep ? s : t)};
    if (major->flip) edge.b = -edge.b;
    edge.bias = bias;
    return edge;
}

/* The pixels q of a column, at T = 256 q + 128, are those from row(S) on: row(S) <= q < row(S) + width. */
static void column_edges(const struct sch_line_rules *rules, const struct major *major, const struct slope *slope,
                         struct sch_raster_primitive *primitive)
{
    int64_t half = HALF * slope->ds, above = (int64_t)(rules->width - 1) * SCH_SUBPIXELS * slope->ds;
    primitive->edges[0] = edge_along(major, -slope->at + half, -slope->dt, slope->ds, -1 - slope->bias);
    primitive->edges[1] = edge_along(major, slope->at + half + above, slope->dt, -slope->ds, slope->bias);
    primitive->edge_count = 2;
}

static void column_box(const struct major *major, const int32_t s[2], const int32_t t[2], int32_t box[4])
{
    const int32_t *x = major->steep ? t : s, *y = major->steep ? s : t;
    box[0] = x[0];
    box[2] = x[1] + 1;
    box[1] = major->flip ? -1 - y[1] : y[0];
    box[3] = major->flip ? -y[0] : y[1] + 1;
}

/* The counter continues with each column. */
static void stipple_columns(const struct major *major, const struct columns *columns, const struct place *start,
                            struct sch_line_stipple *stipple)
{
    double centre = (double)first_column(start, columns->backward) * SCH_SUBPIXELS + HALF;
    double direction = columns->backward ? -1.0 : 1.0;
    stipple->place[0] = -centre * direction;
    stipple->place[1] = major->steep ? 0.0 : direction;
    stipple->place[2] = !major->steep ? 0.0 : major->flip ? -direction : direction;
    stipple->unit = SCH_SUBPIXELS;
}

static bool set_columns(const struct sch_line_rules *rules, const int32_t *volume, const struct sch_corner *a,
                        const struct sch_corner *b, const struct sch_corner *start,
                        struct sch_raster_primitive *primitive)
{
    struct major major = major_axis(rules, a, b);
    struct place from = place_of(&major, a), to = place_of(&major, b), counted = place_of(&major, start);
    struct columns columns = columns_of(rules, &from, &to);
    if (!column_count(&columns)) return false;
    struct slope slope = slope_of(&major, &from, &to);
    if (volume && !trim_columns(&major, &slope, &from, &to, volume, &columns)) return false;
    int32_t rows[2] = {pixel_before(from.t), pixel_before(from.t)};
    primitive->edge_count = 0; /* a line without length is one column */
    if (slope.ds) {
        rows[0] = row_at(&slope, columns.first);
        rows[1] = row_at(&slope, columns.last);
        column_edges(rules, &major, &slope, primitive);
    }
    const int32_t s[2] = {least(columns.first, columns.last), greatest(columns.first, columns.last)};
    const int32_t t[2] = {least(rows[0], rows[1]), greatest(rows[0], rows[1]) + rules->width - 1};
    column_box(&major, s, t, primitive->box);
    stipple_columns(&major, &columns, &counted, &primitive->stipple);
    return true;
}

/* ---- rectangles ---- */

/* Whether points of an edge belong to the rectangle: as of triangles (D3D 3.4.2.1, 3.4.5). */
static int32_t edge_bias(const struct sch_line_rules *rules, int64_t a, int64_t b)
{
    bool owned = a > 0 || (a == 0 && (rules->bottom_edge_rule ? b < 0 : b > 0));
    return owned ? 0 : -1;
}

static struct sch_edge rectangle_edge(const struct sch_line_rules *rules, int64_t c, int64_t a, int64_t b, bool exact)
{
    return (struct sch_edge){
        .c = c, .a = (int32_t)a, .b = (int32_t)b, .bias = exact && !rules->reach ? edge_bias(rules, a, b) : 0};
}

/* Pixels of the rectangle's extent along an axis, from `low` to `high` between the middles of its ends, as far as they
 * reach with 2 * `across` beyond: the rest is width * |d's other part| / |d|. */
static void rectangle_extent(const struct sch_line_rules *rules, int32_t low, int32_t high, int64_t other,
                             int64_t square, int32_t *first, int32_t *behind)
{
    int64_t across =
        floor_root((wide)(other * other) * (uint64_t)((int64_t)rules->width * rules->width) / (wide)square);
    /* at least the pixel's square, in which all samples are */
    int64_t reach = across + (rules->reach ? rules->reach : SCH_SUBPIXELS);
    *first = (int32_t)((2 * (int64_t)low - reach + SCH_SUBPIXELS - 1) >> 9);
    *behind = (int32_t)((2 * (int64_t)high + reach - SCH_SUBPIXELS) >> 9) + 1;
}

/* The part of a rectangle's length that is drawn. */
struct extent {
    int64_t from, to; /* (p - a) * (b - a) of what is drawn */
    bool exact[2];    /* there the line ends exactly */
};

/* n / d as a whole number: not less, or not more. */
static int64_t inward(wide_signed n, int64_t d, bool up, bool *exact)
{
    if (d < 0) n = -n, d = -d;
    const wide_signed quotient = n / d, rest = n % d;
    *exact = rest == 0;
    return (int64_t)(quotient + (up ? rest > 0 : -(rest < 0)));
}

/* What the volume has of a line's length along an axis; false: nothing. */
static bool trim_extent(struct extent *extent, int64_t a, int64_t d, int64_t square, int64_t low, int64_t high)
{
    bool exact;
    if (!d) return a >= low && a <= high;
    const int64_t from = inward((wide_signed)((d > 0 ? low : high) - a) * square, d, true, &exact);
    if (from > extent->from) {
        extent->from = from;
        extent->exact[0] = exact;
    }
    const int64_t to = inward((wide_signed)((d > 0 ? high : low) - a) * square, d, false, &exact);
    if (to < extent->to) {
        extent->to = to;
        extent->exact[1] = exact;
    }
    return extent->from <= extent->to;
}

/* The places whose distance from the line is at most half of the width: the cross product of d = b - a with p - a, a
 * whole number, is at most width * |d| / 2, and so at most that number's floor (OpenGL 14.5.2.3). Where rasterisation
 * is conservative the edges are moved outwards, so that inside is where a pixel's square, closed, meets the closed
 * rectangle: past its edges and its extent there is nothing else that separates the two. */
static bool set_rectangle(const struct sch_line_rules *rules, const int32_t *volume, const struct sch_corner *a,
                          const struct sch_corner *b, const struct sch_corner *start,
                          struct sch_raster_primitive *primitive)
{
    int64_t dx = (int64_t)b->x - a->x, dy = (int64_t)b->y - a->y, square = dx * dx + dy * dy;
    struct extent drawn = {.to = square, .exact = {true, true}};
    if (!square) return false;
    if (volume && !(trim_extent(&drawn, a->x, dx, square, volume[0], volume[2]) &&
                    trim_extent(&drawn, a->y, dy, square, volume[1], volume[3])))
        return false;
    wide bound = (wide)square * (uint64_t)((int64_t)rules->width * rules->width);
    int64_t twice = floor_root(bound), outwards = rules->reach * ((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy));
    int64_t across = (twice + outwards) / 2, ends = outwards / 2;
    bool exact = !(twice & 1) && (wide)twice * (uint64_t)twice == bound;
    int64_t cross = dy * a->x - dx * a->y, along = dx * a->x + dy * a->y;
    primitive->edges[0] = rectangle_edge(rules, across - cross, dy, -dx, exact);
    primitive->edges[1] = rectangle_edge(rules, across + cross, -dy, dx, exact);
    primitive->edges[2] = rectangle_edge(rules, ends - along - drawn.from, dx, dy, drawn.exact[0]);
    primitive->edges[3] = rectangle_edge(rules, ends + along + drawn.to, -dx, -dy, drawn.exact[1]);
    primitive->edge_count = 4;
    rectangle_extent(rules, least(a->x, b->x), greatest(a->x, b->x), dy, square, &primitive->box[0],
                     &primitive->box[2]);
    rectangle_extent(rules, least(a->y, b->y), greatest(a->y, b->y), dx, square, &primitive->box[1],
                     &primitive->box[3]);

    /* rectangles of a pixel's length along the line (OpenGL 14.5.2.3, 14.5.4); 256 * |d|, rounded */
    primitive->stipple.place[0] = (double)-(dx * start->x + dy * start->y);
    primitive->stipple.place[1] = (double)dx;
    primitive->stipple.place[2] = (double)dy;
    primitive->stipple.unit = (double)((floor_root((wide)square << 18) + 1) / 2);
    return true;
}

bool sch_line_setup(const struct sch_line_rules *rules, const struct sch_setup_viewport *viewport,
                    const int32_t *volume, const struct sch_corner *a, const struct sch_corner *b,
                    const struct sch_corner *start, uint32_t counter, double offset,
                    struct sch_raster_primitive *primitive)
{
    bool covers = rules->rectangle ? set_rectangle(rules, volume, a, b, start, primitive)
                                   : set_columns(rules, volume, a, b, start, primitive);
    if (!covers || !sch_box_clip(primitive->box, viewport->frame)) return false;
    primitive->coverage = SCH_COVERAGE_EDGES;
    primitive->small = false;
    primitive->smooth = rules->smooth;
    primitive->all_samples = rules->all_samples;
    primitive->is_point = false;
    primitive->stippled = primitive->fractional = false;
    primitive->line_stippled = rules->stippled;
    primitive->stipple.first = counter;
    primitive->stipple.factor = rules->stipple_factor;
    primitive->stipple.pattern = rules->stipple_pattern;
    interpolate(rules, a, b, offset, &primitive->of);
    primitive->of.depth_min = viewport->depth_min;
    primitive->of.depth_max = viewport->depth_max;
    return true;
}

/* ---- stipple ---- */

/* Rectangles of a pixel's length, the last one of which may be shorter. */
static int64_t unit_rectangles(const struct sch_corner *a, const struct sch_corner *b)
{
    int64_t dx = (int64_t)b->x - a->x, dy = (int64_t)b->y - a->y, square = dx * dx + dy * dy;
    if (!square) return 0;
    int64_t unit = (floor_root((wide)square << 18) + 1) / 2;
    return (square + unit - 1) / unit;
}

uint32_t sch_line_advance(const struct sch_line_rules *rules, uint32_t counter, const struct sch_corner *a,
                          const struct sch_corner *b)
{
    int64_t count;
    if (rules->rectangle) {
        count = unit_rectangles(a, b);
    } else {
        struct major major = major_axis(rules, a, b);
        struct place from = place_of(&major, a), to = place_of(&major, b);
        struct columns columns = columns_of(rules, &from, &to);
        count = column_count(&columns);
    }
    return (uint32_t)((counter + (uint64_t)count) % ((uint64_t)STIPPLE_BITS * rules->stipple_factor));
}
