/* Lines: every pixel, sample and part of a pixel of random lines, at all widths of vectors, compared with references
 * that are written from OpenGL 4.6, 14.5, and are exact from the corners; interpolation along them; joints of strips.
 * */
// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on
#include <math.h>
#include <stdio.h>

#include "next_level.h"
#include "pipeline/line.h"
#include "raster_cover.h"

__extension__ typedef __int128 i128;

static uint64_t seed;
static uint32_t below(uint32_t limit) { return (uint32_t)(random_number(&seed) >> 32) % limit; }

/* ---- the diamond-exit rule, as its words say it ---- */

/* Coordinates in 2^-60 sub-pixels: epsilon is 2^-30 sub-pixels and its square 2^-60, which is little enough for lines
 * of up to 2^24 sub-pixels: what is not decided without it is off by a whole number of sub-pixels or of epsilons. */
struct exact {
    i128 x, y;
};

static struct exact moved(int64_t x, int64_t y)
{
    const i128 unit = (i128)1 << 60;
    return (struct exact){x * unit - ((i128)1 << 30), y * unit - 1};
}

/* The four half planes of the diamond around a pixel's centre: |x - xf| + |y - yf| - 128 < 0. */
static void diamond_sides(struct exact p, int32_t i, int32_t j, i128 side[4])
{
    const i128 unit = (i128)1 << 60;
    const i128 x = p.x - ((i128)i * 256 + 128) * unit, y = p.y - ((i128)j * 256 + 128) * unit;
    side[0] = x + y - 128 * unit;
    side[1] = x - y - 128 * unit;
    side[2] = -x + y - 128 * unit;
    side[3] = -x - y - 128 * unit;
}

static bool in_diamond(struct exact p, int32_t i, int32_t j)
{
    i128 side[4];
    diamond_sides(p, i, j, side);
    return side[0] < 0 && side[1] < 0 && side[2] < 0 && side[3] < 0;
}

/* a / b < c / d for a, c >= 0 and b, d > 0, without overflow: by their continued fractions. */
static bool fraction_less(i128 a, i128 b, i128 c, i128 d)
{
    for (bool swapped = false;; swapped = !swapped) {
        const i128 p = a / b, q = c / d;
        if (p != q) return (p < q) != swapped;
        a -= p * b;
        c -= q * d;
        if (a == 0 || c == 0) return swapped ? c == 0 && a != 0 : a == 0 && c != 0;
        i128 t = a; /* compare b / a with d / c, the other way round */
        a = b;
        b = t;
        t = c;
        c = d;
        d = t;
    }
}

/* Whether some t in [0, 1] has all four sides of p + t * (q - p) below 0. */
static bool meets_diamond(struct exact p, struct exact q, int32_t i, int32_t j)
{
    i128 from[4], to[4], low = 0, low_of = 1, high = 1, high_of = 1;
    bool lower = false, upper = false;
    diamond_sides(p, i, j, from);
    diamond_sides(q, i, j, to);
    for (unsigned n = 0; n < 4; n++) {
        if (from[n] >= 0 && to[n] >= 0) return false;
        if (from[n] >= 0) { /* t > from / (from - to) */
            if (!lower || fraction_less(low, low_of, from[n], from[n] - to[n])) low = from[n], low_of = from[n] - to[n];
            lower = true;
        } else if (to[n] >= 0) { /* t < from / (from - to) */
            if (!upper || fraction_less(-from[n], to[n] - from[n], high, high_of))
                high = -from[n], high_of = to[n] - from[n];
            upper = true;
        }
    }
    return !lower || !upper || fraction_less(low, low_of, high, high_of);
}

struct line {
    struct sch_corner a, b;
    float width;
    bool last_pixel, bottom, stippled;
    uint32_t factor, pattern, counter;
};

static int32_t rounded_width(float width)
{
    const double w = floor((double)width + 0.5);
    return !(w >= 1) ? 1 : w > SCH_LINE_WIDTH_MAX ? SCH_LINE_WIDTH_MAX : (int32_t)w;
}

static bool is_x_major(const struct line *line)
{
    return llabs((long long)line->b.y - line->a.y) <= llabs((long long)line->b.x - line->a.x);
}

/* The line that is rasterised, with OpenGL's y axis. */
static void offset_line(const struct line *line, struct exact *a, struct exact *b)
{
    const int32_t shift = (rounded_width(line->width) - 1) * 128, sign = line->bottom ? -1 : 1;
    const bool x_major = is_x_major(line);
    *a = moved(line->a.x - (x_major ? 0 : shift), sign * line->a.y - (x_major ? shift : 0));
    *b = moved(line->b.x - (x_major ? 0 : shift), sign * line->b.y - (x_major ? shift : 0));
}

/* Whether the line of width 1 has a fragment at (i, j) with OpenGL's y axis. */
static bool produces(const struct line *line, int32_t i, int32_t j)
{
    struct exact a, b;
    offset_line(line, &a, &b);
    return meets_diamond(a, b, i, j) && (line->last_pixel || !in_diamond(b, i, j));
}

/* The pixel of the window that stands at (i, j) with OpenGL's y axis. */
static int32_t window_row(const struct line *line, int32_t j) { return line->bottom ? -1 - j : j; }

static void draw_column(const struct line *line, int32_t i, int32_t j, struct covered *covered)
{
    const bool x_major = is_x_major(line);
    for (int32_t n = 0; n < rounded_width(line->width); n++) {
        const int32_t x = x_major ? i : i + n, y = window_row(line, x_major ? j + n : j);
        if (x >= 0 && x < COVER_SIDE && y >= 0 && y < COVER_SIDE) covered->of[y][x][0]++;
    }
}

/* Where the line that is rasterised is about, across its major axis, at a pixel along it. */
static int32_t about(const struct line *line, int32_t along)
{
    struct exact a, b;
    offset_line(line, &a, &b);
    const bool x_major = is_x_major(line);
    const double as = ldexp((double)(x_major ? a.x : a.y), -60), bs = ldexp((double)(x_major ? b.x : b.y), -60);
    const double at = ldexp((double)(x_major ? a.y : a.x), -60), bt = ldexp((double)(x_major ? b.y : b.x), -60);
    const double t = bs - as != 0 ? (along * 256.0 + 128 - as) / (bs - as) : 0;
    return (int32_t)floor((at + t * (bt - at)) / 256);
}

/* All fragments in their order, with the counter of the stipple (OpenGL 14.5.2.1); answers how many there are. Only
 * pixels near the line are asked. */
static uint32_t draw_aliased(const struct line *line, struct covered *covered)
{
    enum { MARGIN = 2 };
    const bool x_major = is_x_major(line), flip = line->bottom && !x_major;
    const int32_t from = (x_major ? line->a.x : line->a.y) >> 8, to = (x_major ? line->b.x : line->b.y) >> 8;
    const int32_t step = (x_major ? line->a.x <= line->b.x : line->a.y <= line->b.y) ? 1 : -1;
    uint32_t count = 0;
    memset(covered, 0, sizeof *covered);
    for (int32_t n = from - MARGIN * step; n != to + (MARGIN + 1) * step; n += step) {
        const int32_t along = flip ? -1 - n : n, middle = about(line, along);
        for (int32_t across = middle - MARGIN; across <= middle + MARGIN; across++) {
            const int32_t i = x_major ? along : across, j = x_major ? across : along;
            if (!produces(line, i, j)) continue;
            const uint32_t bit = (line->counter + count++) / line->factor % 16;
            if (!line->stippled || line->pattern >> bit & 1) draw_column(line, i, j, covered);
        }
    }
    return count;
}

/* ---- rectangles ---- */

static int32_t width_in_subpixels(float width)
{
    const double w = floor((double)width * 256 + 0.5);
    return !(w >= 1) ? 1 : w > SCH_LINE_WIDTH_MAX * 256.0 ? SCH_LINE_WIDTH_MAX * 256 : (int32_t)w;
}

/* Whether points of an edge with that outward normal belong to the rectangle (D3D 3.4.2.1). */
static bool owns(const struct line *line, int64_t x, int64_t y)
{
    if (x) return x < 0;
    return line->bottom ? y > 0 : y < 0;
}

/* Where 256 * |b - a|, rounded, is the length of a rectangle of the stipple. */
static int64_t stipple_unit(i128 square)
{
    int64_t unit = (int64_t)(256 * sqrtl((long double)square));
    while ((i128)(2 * unit + 1) * (2 * unit + 1) <= 4 * 65536 * square) unit++;
    while ((i128)(2 * unit - 1) * (2 * unit - 1) > 4 * 65536 * square) unit--;
    return unit;
}

static bool in_rectangle(const void *shape, int32_t x, int32_t y)
{
    const struct line *line = shape;
    const int64_t dx = (int64_t)line->b.x - line->a.x, dy = (int64_t)line->b.y - line->a.y;
    const int64_t px = x - line->a.x, py = y - line->a.y;
    const i128 square = (i128)dx * dx + (i128)dy * dy, along = (i128)px * dx + (i128)py * dy;
    const i128 cross = (i128)dx * py - (i128)dy * px, width = width_in_subpixels(line->width);
    if (square == 0 || along < 0 || along > square) return false;
    if (along == 0 && !owns(line, -dx, -dy)) return false;
    if (along == square && !owns(line, dx, dy)) return false;
    /* the distance from the line is |cross| / |d| */
    const i128 distance = 4 * cross * cross, limit = width * width * square;
    if (distance > limit) return false;
    if (distance == limit && !owns(line, cross > 0 ? -dy : dy, cross > 0 ? dx : -dx)) return false;
    if (!line->stippled) return true;
    const uint32_t counter = line->counter + (uint32_t)(along / stipple_unit(square));
    return line->pattern >> (counter / line->factor % 16) & 1;
}

/* ---- random lines ---- */

/* Often on, or next to, a place where something changes. */
static int32_t coordinate(void)
{
    const int32_t at = (int32_t)below(COVER_SIDE * 256);
    static const int32_t steps[] = {256, 128, 64, 16, 1};
    const int32_t step = steps[below(5)];
    return at / step * step + (below(4) ? 0 : (int32_t)below(3) - 1);
}

static float line_width(void)
{
    static const float widths[] = {1, 1, 1, 2, 3, 1.5f, 2.5f, 0.5f, 0.25f, 0, -1, 4, 7.75f, 1.499f, 3.498047f};
    switch (below(8)) {
    case 0:
        return (float)below(12 * 1024) / 1024;
    case 1:
        return below(4) ? 1 : NAN;
    default:
        return widths[below(sizeof widths / sizeof *widths)];
    }
}

static void random_line(struct line *line)
{
    memset(line, 0, sizeof *line);
    line->a = (struct sch_corner){.x = coordinate(), .y = coordinate(), .z = 0.25f, .inverse_w = 1, .vertex = 1};
    line->b = (struct sch_corner){.x = coordinate(), .y = coordinate(), .z = 0.5f, .inverse_w = 2, .vertex = 2};
    line->width = line_width();
    switch (below(8)) {
    case 0: /* short */
        line->b.x = line->a.x + (int32_t)below(513) - 256;
        line->b.y = line->a.y + (int32_t)below(513) - 256;
        break;
    case 1: /* diagonal */
        line->b.y = line->a.y + (below(2) ? 1 : -1) * (line->b.x - line->a.x);
        break;
    case 2: /* along an axis */
        if (below(2))
            line->b.y = line->a.y;
        else
            line->b.x = line->a.x;
        break;
    case 3: /* with an edge through centres */
        line->width = (float)(1 + below(1024)) / 256;
        line->a.y =
            (int32_t)(below(COVER_SIDE) * 256 + 128) + (below(2) ? 1 : -1) * width_in_subpixels(line->width) / 2;
        line->b.y = line->a.y;
        if (below(2)) break;
        line->a.y = line->a.x;
        line->a.x = line->b.y;
        line->b.y = line->b.x;
        line->b.x = line->a.x;
        break;
    case 4: { /* with a whole number of sub-pixels as its length, from a centre */
        const bool tiny = below(2);
        const int32_t k = tiny ? 1 : (int32_t)below(1024) - 512;
        const int32_t width = 1 + (int32_t)below(1024);
        line->width = (float)width / 256;
        line->a.x = line->a.x / 256 * 256 + 128;
        line->a.y = line->a.y / 256 * 256 + 128;
        if (tiny) { /* and a centre the last whole number of products of sub-pixels away */
            const int32_t cross = 5 * width / 2 * (below(2) ? 1 : -1), m = (7 * cross + (cross > 0 ? 24 : 0)) / 25;
            line->a.x -= 3 * m - cross;
            line->a.y -= 4 * m - cross;
        }
        line->b.x = line->a.x + (tiny || below(2) ? 3 : -3) * k;
        line->b.y = line->a.y + 4 * k;
        break;
    }
    default:
        break;
    }
    line->last_pixel = below(2);
    line->bottom = below(2);
    line->stippled = below(3) == 0;
    line->factor = 1 + below(4);
    line->pattern = (uint16_t)random_number(&seed);
    line->counter = below(16 * line->factor);
}

static struct sch_rasterizer_options options_of(const struct line *line)
{
    return (struct sch_rasterizer_options){.size = sizeof(struct sch_rasterizer_options),
                                           .line_width = line->width,
                                           .line_last_pixel = line->last_pixel,
                                           .bottom_edge_rule = line->bottom,
                                           .line_stipple_enable = line->stippled,
                                           .line_stipple_pattern = (uint16_t)line->pattern,
                                           .line_stipple_factor = line->factor};
}

static void compare(const struct line *line, const struct sch_rasterizer_options *options, uint32_t samples,
                    const struct covered *expected)
{
    char text[128];
    struct sch_line_rules rules;
    struct sch_raster_primitive primitive;
    memset(&primitive, 0xa5, sizeof primitive);
    sch_line_rules(&rules, next_level(), options, samples);
    const bool any =
        sch_line_setup(&rules, &cover_everything, NULL, &line->a, &line->b, &line->a, line->counter, 0, &primitive);
    if (cover_differs(any ? &primitive : NULL, samples, expected, text))
        fail_msg("(%d, %d) to (%d, %d), width %g, last %d, bottom %d, stipple %d %x * %u + %u: %s", line->a.x,
                 line->a.y, line->b.x, line->b.y, (double)line->width, line->last_pixel, line->bottom, line->stippled,
                 line->pattern, line->factor, line->counter, text);
}

/* Aliased lines have each pixel once; on several samples, all of them. */
static void aliased_lines(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 1;
    for (unsigned n = 0, count = cover_count(600, 100000); n < count; n++) {
        struct line line;
        struct sch_line_rules rules;
        const uint32_t samples = below(4) ? 1 : 4;
        random_line(&line);
        const struct sch_rasterizer_options options = options_of(&line);
        const uint32_t fragments = draw_aliased(&line, &expected);
        for (int32_t i = 0; i < COVER_SIDE * COVER_SIDE; i++)
            for (uint32_t s = 1; s < samples; s++)
                expected.of[i / COVER_SIDE][i % COVER_SIDE][s] = expected.of[i / COVER_SIDE][i % COVER_SIDE][0];
        compare(&line, &options, samples, &expected);
        sch_line_rules(&rules, next_level(), &options, samples);
        assert_int_equal(sch_line_advance(&rules, line.counter, &line.a, &line.b),
                         (line.counter + fragments) % (16 * line.factor));
    }
}

/* Samples of a multisampled framebuffer, or the centre with line_rectangular. */
static void rectangular_lines(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 2;
    for (unsigned n = 0, count = cover_count(300, 100000); n < count; n++) {
        struct line line;
        const uint32_t samples = cover_samples_of[n % 5];
        random_line(&line);
        struct sch_rasterizer_options options = options_of(&line);
        options.multisample = samples > 1 && below(4);
        options.line_smooth = options.multisample && below(2); /* has no effect */
        options.line_rectangular = !options.multisample || below(2);
        cover_by_samples(in_rectangle, &line, samples, !options.multisample, &expected);
        compare(&line, &options, samples, &expected);
    }
}

/* Parts of pixels, the same for all samples. */
static void smooth_lines(void **state)
{
    (void)state;
    static struct covered expected;
    seed = 3;
    for (unsigned n = 0, count = cover_count(40, 5000); n < count; n++) {
        struct line line;
        const uint32_t samples = cover_samples_of[n % 5];
        random_line(&line);
        struct sch_rasterizer_options options = options_of(&line);
        options.line_smooth = true;
        options.multisample = samples == 1;
        cover_by_parts(in_rectangle, &line, samples, &expected);
        compare(&line, &options, samples, &expected);
    }
}

/* ---- conservative rasterisation ---- */

struct corner {
    long double at[2];
};

/* The corners of what is left of a polygon at most, or at least, at a limit along an axis. */
static unsigned cut_polygon(struct corner *polygon, unsigned count, unsigned axis, long double limit, bool most)
{
    struct corner left[16];
    unsigned kept = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct corner *p = &polygon[i], *q = &polygon[(i + 1) % count];
        const long double dp = most ? limit - p->at[axis] : p->at[axis] - limit;
        const long double dq = most ? limit - q->at[axis] : q->at[axis] - limit;
        if (dp >= 0) left[kept++] = *p;
        if ((dp < 0) == (dq < 0)) continue;
        for (unsigned a = 0; a < 2; a++) left[kept].at[a] = p->at[a] + (q->at[a] - p->at[a]) * (dp / (dp - dq));
        kept++;
    }
    memcpy(polygon, left, kept * sizeof *left);
    return kept;
}

/* Whether a pixel's square, which reaches so far from its centre (sub-pixels), meets the line's rectangle. */
static bool meets_rectangle(const struct line *line, int32_t x, int32_t y, long double reach)
{
    const long double dx = (long double)line->b.x - line->a.x, dy = (long double)line->b.y - line->a.y;
    const long double half = width_in_subpixels(line->width) / (2 * sqrtl(dx * dx + dy * dy));
    const long double center[2] = {x * 256 + 128, y * 256 + 128};
    struct corner polygon[16] = {{{line->a.x - dy * half, line->a.y + dx * half}},
                                 {{line->b.x - dy * half, line->b.y + dx * half}},
                                 {{line->b.x + dy * half, line->b.y - dx * half}},
                                 {{line->a.x + dy * half, line->a.y - dx * half}}};
    unsigned count = 4;
    for (unsigned axis = 0; axis < 2; axis++) {
        count = cut_polygon(polygon, count, axis, center[axis] - reach, false);
        count = cut_polygon(polygon, count, axis, center[axis] + reach, true);
    }
    return count != 0;
}

/* Along an axis, where all is exact: closed intervals in halves of sub-pixels. */
static bool meets_upright_rectangle(const struct line *line, int32_t x, int32_t y, int32_t reach)
{
    const bool across_x = line->a.x == line->b.x;
    const int32_t width = width_in_subpixels(line->width), center[2] = {2 * (x * 256 + 128), 2 * (y * 256 + 128)};
    const int32_t from[2] = {2 * line->a.x, 2 * line->a.y}, to[2] = {2 * line->b.x, 2 * line->b.y};
    for (unsigned axis = 0; axis < 2; axis++) {
        const int32_t wide = (axis == 0) == across_x ? width : 0;
        const int32_t low = (from[axis] < to[axis] ? from[axis] : to[axis]) - wide;
        const int32_t high = (from[axis] < to[axis] ? to[axis] : from[axis]) + wide;
        if (center[axis] + reach < low || center[axis] - reach > high) return false;
    }
    return true;
}

/* Touching counts, and parts of sub-pixels do. */
static void conservative_lines_touch(void **state)
{
    (void)state;
    static struct covered covered;
    const struct sch_ops *ops = sch_ops_for_width(0);
    seed = 9;
    for (unsigned n = 0, count = cover_count(1000, 50000); n < count; n++) {
        struct line line = {.width = (float)(1 + below(600)) / 256, .factor = 1, .bottom = below(2)};
        struct sch_rasterizer_options options = options_of(&line);
        const int32_t reach = (int32_t)(512 * cover_conservatively(&options, &seed));
        const int32_t touching = (width_in_subpixels(line.width) + reach) / 2 + (int32_t)below(2);
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        line.a.x = (int32_t)below(COVER_SIDE * 256);
        line.b.x = (20 * 256 + 128) + (below(2) ? 1 : -1) * (reach / 2 + (int32_t)below(2));
        if (line.a.x == line.b.x) continue;
        line.a.y = line.b.y = (int32_t)(20 * 256 + 128) + (below(2) ? touching : -touching);
        if (below(2)) {
            line.a = (struct sch_corner){.x = line.a.y, .y = line.a.x};
            line.b = (struct sch_corner){.x = line.b.y, .y = line.b.x};
        }
        sch_line_rules(&rules, next_level(), &options, 1);
        assert_true(sch_line_setup(&rules, &cover_everything, NULL, &line.a, &line.b, &line.a, 0, 0, &primitive));
        cover_all(ops, &primitive, 1, &covered);
        for (int32_t y = 0; y < COVER_SIDE; y++)
            for (int32_t x = 0; x < COVER_SIDE; x++)
                if (covered.of[y][x][0] != meets_upright_rectangle(&line, x, y, reach))
                    fail_msg("(%d, %d) to (%d, %d), width %g, reach %d: pixel %d, %d is %u", line.a.x, line.a.y,
                             line.b.x, line.b.y, (double)line.width, reach, x, y, covered.of[y][x][0]);
    }
}

/* NV_conservative_raster: pixels whose square meets the rectangle have all samples; stipple and smoothness have no
 * effect. What touches by less than a millionth of a sub-pixel is not compared. */
static void conservative_lines(void **state)
{
    (void)state;
    static struct covered covered;
    unsigned levels, compared = 0;
    const struct sch_ops *const *level = sch_ops_levels(&levels);
    seed = 8;
    for (unsigned n = 0, count = cover_count(200, 50000); n < count; n++) {
        struct line line;
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        const uint32_t samples = cover_samples_of[n % 5];
        random_line(&line);
        if (line.a.x == line.b.x && line.a.y == line.b.y) continue;
        struct sch_rasterizer_options options = options_of(&line);
        options.multisample = below(2);
        options.line_smooth = below(2);
        const long double reach = 256 * (long double)cover_conservatively(&options, &seed);
        sch_line_rules(&rules, next_level(), &options, samples);
        const bool any = sch_line_setup(&rules, &cover_everything, NULL, &line.a, &line.b, &line.a, 0, 0, &primitive);
        memset(&covered, 0, sizeof covered);
        if (any) cover_all(level[n % levels], &primitive, samples, &covered);
        for (int32_t y = 0; y < COVER_SIDE; y++)
            for (int32_t x = 0; x < COVER_SIDE; x++) {
                const bool expected = meets_rectangle(&line, x, y, reach);
                if (expected != meets_rectangle(&line, x, y, reach + (expected ? -1e-6L : 1e-6L))) continue;
                compared += expected;
                for (uint32_t s = 0; s < samples; s++)
                    if (covered.of[y][x][s] != expected)
                        fail_msg("(%d, %d) to (%d, %d), width %g, reach %g: pixel %d, %d sample %u is %u", line.a.x,
                                 line.a.y, line.b.x, line.b.y, (double)line.width, (double)reach, x, y, s,
                                 covered.of[y][x][s]);
            }
    }
    assert_true(compared > 1000);
}

/* Whether the view volume has the place from which a pixel's part of a line is decided (OpenGL 4.6 13.7): of columns
 * where the line passes the column's centre, or the end that is nearest to it; of rectangles the foot on the line.
 * Exactly on a side rectangles share samples with what goes on there: -1. */
static int volume_has(const struct line *line, bool rectangle, const int32_t volume[4], int32_t x, int32_t y)
{
    typedef __int128_t place;
    const place ax = line->a.x, ay = line->a.y, dx = line->b.x - ax, dy = line->b.y - ay;
    const bool steep = (dy < 0 ? -dy : dy) > (dx < 0 ? -dx : dx);
    place n, d; /* the place is a + n / d of the line's length */
    if (rectangle) {
        n = (256 * x + 128 - ax) * dx + (256 * y + 128 - ay) * dy;
        d = dx * dx + dy * dy;
    } else {
        n = steep ? 256 * y + 128 - ay : 256 * x + 128 - ax;
        d = steep ? dy : dx;
        if (d < 0) n = -n, d = -d;
        n = n < 0 ? 0 : n > d ? d : n;
    }
    const place px = ax * d + n * dx, py = ay * d + n * dy;
    const place beyond[4] = {px - volume[0] * d, volume[2] * d - px, py - volume[1] * d, volume[3] * d - py};
    int inside = 1;
    for (unsigned i = 0; i < 4; i++) {
        if (beyond[i] < 0) return 0;
        if (rectangle && beyond[i] == 0) inside = -1;
    }
    return inside;
}

/* What a volume leaves of a line is that part of what the whole line covers. */
static void volumes_trim_lines(void **state)
{
    (void)state;
    static struct covered whole, left;
    unsigned levels, kept = 0, lost = 0;
    const struct sch_ops *const *level = sch_ops_levels(&levels);
    seed = 9;
    for (unsigned n = 0, count = cover_count(2000, 100000); n < count; n++) {
        struct line line;
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        int32_t volume[4];
        random_line(&line);
        line.stippled = false;
        if (line.a.x == line.b.x && line.a.y == line.b.y) continue;
        struct sch_rasterizer_options options = options_of(&line);
        options.line_rectangular = n & 1;
        for (unsigned axis = 0; axis < 2; axis++) {
            volume[axis] = (int32_t)below(COVER_SIDE * 256) & (below(2) ? -128 : -1);
            volume[2 + axis] = volume[axis] + ((int32_t)below(COVER_SIDE * 256) & (below(2) ? -128 : -1));
        }
        sch_line_rules(&rules, next_level(), &options, 1);
        memset(&whole, 0, sizeof whole);
        memset(&left, 0, sizeof left);
        if (sch_line_setup(&rules, &cover_everything, NULL, &line.a, &line.b, &line.a, 0, 0, &primitive))
            cover_all(level[n % levels], &primitive, 1, &whole);
        if (sch_line_setup(&rules, &cover_everything, volume, &line.a, &line.b, &line.a, 0, 0, &primitive))
            cover_all(level[n % levels], &primitive, 1, &left);
        for (int32_t y = 0; y < COVER_SIDE; y++)
            for (int32_t x = 0; x < COVER_SIDE; x++) {
                const int has = volume_has(&line, n & 1, volume, x, y);
                if (has < 0) continue;
                const bool expected = whole.of[y][x][0] && has;
                kept += expected;
                lost += whole.of[y][x][0] && !has;
                if (left.of[y][x][0] != expected)
                    fail_msg("(%d, %d) to (%d, %d), width %g, rectangle %u, volume %d %d %d %d: pixel %d, %d is %u",
                             line.a.x, line.a.y, line.b.x, line.b.y, (double)line.width, n & 1, volume[0], volume[1],
                             volume[2], volume[3], x, y, left.of[y][x][0]);
            }
    }
    assert_true(kept > 1000 && lost > 1000);
}

/* Lines across the guard band, at places near them: aliased ones have the columns that the rule says. */
static void long_lines(void **state)
{
    (void)state;
    unsigned levels;
    const struct sch_ops *const *level = sch_ops_levels(&levels);
    const int32_t far = SCH_GUARD_BAND * SCH_SUBPIXELS - 1;
    static uint16_t block[SCH_BLOCK_HEIGHT][SCH_BLOCK_WIDTH][SCH_MAX_SAMPLES];
    const struct sch_setup_viewport all = {.frame = {0, 0, SCH_FRAMEBUFFER_SIDE, SCH_FRAMEBUFFER_SIDE}};
    seed = 4;
    for (unsigned n = 0, count = cover_count(1000, 100000); n < count; n++) {
        struct line line = {.width = below(2) ? 1 : (float)below(4000), .bottom = below(2), .factor = 1};
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        line.a = (struct sch_corner){.x = (int32_t)below(2u * (uint32_t)far) - far, .y = (int32_t)below(2000) - 1000};
        line.b = (struct sch_corner){.x = below(2) ? far : -far, .y = (int32_t)below(2u * (uint32_t)far) - far};
        if (below(2)) line.a.y = below(2) ? far : -far;
        const struct sch_rasterizer_options options = options_of(&line);
        sch_line_rules(&rules, next_level(), &options, 1);
        if (!sch_line_setup(&rules, &all, NULL, &line.a, &line.b, &line.a, 0, 0, &primitive)) continue;
        const bool x_major = is_x_major(&line);
        for (unsigned e = 0; e < primitive.edge_count; e++) { /* below 2^53 everywhere */
            const struct sch_edge *edge = &primitive.edges[e];
            assert_true(llabs(edge->c) + ((int64_t)abs(edge->a) + abs(edge->b)) * far < INT64_C(1) << 53);
        }
        /* a block around a place of the line, or of its columns' other end */
        const int32_t along = x_major
                                  ? primitive.box[0] + (int32_t)below((uint32_t)(primitive.box[2] - primitive.box[0]))
                                  : primitive.box[1] + (int32_t)below((uint32_t)(primitive.box[3] - primitive.box[1]));
        const int32_t width = rounded_width(line.width);
        int32_t across = about(&line, line.bottom && !x_major ? -1 - along : along) + (below(2) ? width : 0);
        if (line.bottom && x_major) across = -1 - across;
        const int32_t x = (x_major ? along : across) & ~7, y = (x_major ? across : along) & ~3;
        if (x < 0 || y < 0 || x >= SCH_FRAMEBUFFER_SIDE || y >= SCH_FRAMEBUFFER_SIDE) continue;
        for (int32_t j = 0; j < 4; j++)
            for (int32_t i = 0; i < 8; i++) {
                bool expected = false;
                const int32_t row = window_row(&line, y + j);
                for (int32_t w = 0; w < width && !expected; w++) {
                    /* of all fragments whose column might have this pixel, those near the line */
                    const int32_t fx = x_major ? x + i : x + i - w, fy = x_major ? row - w : row;
                    if (abs((x_major ? fy : fx) - about(&line, x_major ? fx : fy)) < 3)
                        expected = produces(&line, fx, fy);
                }
                for (unsigned l = 0; l < levels; l++) {
                    cover_block(level[l], &primitive, 1, x, y, block);
                    if (block[j][i][0] != expected)
                        fail_msg("%s: (%d, %d) to (%d, %d), width %g: pixel %d, %d is %u", level[l]->name, line.a.x,
                                 line.a.y, line.b.x, line.b.y, (double)line.width, x + i, y + j, block[j][i][0]);
                }
            }
    }
}

/* The stipple of a line that was cut is that of the whole line. */
static void cut_lines_go_on(void **state)
{
    (void)state;
    static struct covered whole, cut;
    const struct sch_ops *ops = sch_ops_for_width(0);
    seed = 5;
    for (unsigned n = 0; n < 500; n++) {
        struct line line;
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        random_line(&line);
        line.stippled = true;
        line.a.x &= ~255; /* so that the middle of the line is a sub-pixel */
        line.b.x &= ~255;
        line.a.y &= ~255;
        line.b.y &= ~255;
        struct sch_rasterizer_options options = options_of(&line);
        options.line_rectangular = below(2);
        sch_line_rules(&rules, next_level(), &options, 1);
        if (!sch_line_setup(&rules, &cover_everything, NULL, &line.a, &line.b, &line.a, line.counter, 0, &primitive))
            continue;
        cover_all(ops, &primitive, 1, &whole);
        const struct sch_corner middle = {.x = (line.a.x + line.b.x) / 2, .y = (line.a.y + line.b.y) / 2};
        if (!sch_line_setup(&rules, &cover_everything, NULL, &middle, &line.b, &line.a, line.counter, 0, &primitive))
            continue;
        cover_all(ops, &primitive, 1, &cut);
        for (int32_t i = 0; i < COVER_SIDE * COVER_SIDE; i++)
            assert_true(cut.of[i / COVER_SIDE][i % COVER_SIDE][0] <= whole.of[i / COVER_SIDE][i % COVER_SIDE][0]);
    }
}

/* OpenGL 14.5.1, equations 14.5 to 14.7: t is E1 / A, exactly. */
static void interpolation_is_along_the_line(void **state)
{
    (void)state;
    const int32_t far = SCH_GUARD_BAND * SCH_SUBPIXELS;
    seed = 6;
    for (unsigned n = 0; n < 10000; n++) {
        struct line line;
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        struct sch_setup_viewport all = {.frame = {0, 0, SCH_GUARD_BAND, SCH_GUARD_BAND}, .depth_min = 0.125f};
        all.depth_max = 0.75f;
        random_line(&line);
        line.b.x = (int32_t)below((uint32_t)far);
        line.b.y = (int32_t)below((uint32_t)far);
        if (n % 2) line.b.inverse_w = line.a.inverse_w;
        struct sch_rasterizer_options options = options_of(&line);
        options.line_rectangular = below(2);
        sch_line_rules(&rules, next_level(), &options, 1);
        assert_true(sch_line_setup(&rules, &all, NULL, &line.a, &line.b, &line.a, 0, 0.5, &primitive));
        const struct sch_interpolant *of = &primitive.of;
        const int64_t dx = (int64_t)line.b.x - line.a.x, dy = (int64_t)line.b.y - line.a.y;
        for (unsigned k = 0; k < 4; k++) {
            const int64_t x = below((uint32_t)far), y = below((uint32_t)far);
            const i128 t = (i128)(x - line.a.x) * dx + (i128)(y - line.a.y) * dy;
            assert_true((i128)(int64_t)of->e1[0] + (i128)(int64_t)of->e1[1] * x + (i128)(int64_t)of->e1[2] * y == t);
            assert_true(of->e2[0] == 0 && of->e2[1] == 0 && of->e2[2] == 0);
        }
        assert_true((i128)(int64_t)of->area == (i128)dx * dx + (i128)dy * dy);
        assert_true(of->inverse_area == 1.0 / of->area);
        assert_true(of->depth[0] == 0.75 && of->depth[1] == 0.25 * of->inverse_area && of->depth[2] == 0);
        assert_true(of->perspective == (n % 2 ? 0 : UINT32_MAX));
        if (n % 2)
            assert_true(of->inverse_w[0] == 1 && of->inverse_w[1] == 1);
        else
            assert_true(of->inverse_w[1] / of->inverse_w[0] == 2 && of->w_unit == of->inverse_area / of->inverse_w[0]);
        assert_true(of->vertex[0] == 1 && of->vertex[1] == 2 && of->vertex[2] == 1);
        assert_true(of->depth_min == 0.125f && of->depth_max == 0.75f);
        assert_true(primitive.coverage == SCH_COVERAGE_EDGES && !primitive.is_point && !primitive.stippled);
        assert_true(!primitive.fractional);
    }
}

/* OpenGL 14.5.1, rule 4: segments of a strip that all go to the right (left, up, down) have every column between its
 * ends once. */
static void strips_have_no_gaps(void **state)
{
    (void)state;
    enum { CORNERS = 12 };
    static struct covered covered;
    const struct sch_ops *ops = sch_ops_for_width(0);
    seed = 7;
    for (unsigned n = 0; n < 500; n++) {
        struct line line;
        struct sch_corner corner[CORNERS];
        struct sch_line_rules rules;
        struct sch_raster_primitive primitive;
        uint32_t columns[COVER_SIDE] = {0};
        random_line(&line);
        line.stippled = false;
        line.last_pixel = false;
        line.width = 1;
        const bool steep = below(2), back = below(2);
        int32_t s = 300, t = 6000;
        for (unsigned c = 0; c < CORNERS; c++) {
            const unsigned place = back ? CORNERS - 1 - c : c;
            corner[place] = (struct sch_corner){.x = steep ? t : s, .y = steep ? s : t, .inverse_w = 1};
            const int32_t step = below(3) ? 1 + (int32_t)below(900) : (int32_t)(1 + below(3)) * 128;
            s += step;
            t += (int32_t)below(2u * (uint32_t)step - 1) - (step - 1);
        }
        const struct sch_rasterizer_options options = options_of(&line);
        sch_line_rules(&rules, next_level(), &options, 1);
        for (unsigned c = 0; c + 1 < CORNERS; c++) {
            if (!sch_line_setup(&rules, &cover_everything, NULL, &corner[c], &corner[c + 1], &corner[c], 0, 0,
                                &primitive))
                continue;
            cover_all(ops, &primitive, 1, &covered);
            for (int32_t i = 0; i < COVER_SIDE * COVER_SIDE; i++)
                columns[steep ? i / COVER_SIDE : i % COVER_SIDE] += covered.of[i / COVER_SIDE][i % COVER_SIDE][0];
        }
        const int32_t first = (steep ? corner[0].y : corner[0].x) >> 8;
        const int32_t last = (steep ? corner[CORNERS - 1].y : corner[CORNERS - 1].x) >> 8;
        for (int32_t i = 0; i < COVER_SIDE; i++) {
            const int32_t low = first < last ? first : last, high = first < last ? last : first;
            assert_in_range(columns[i], i > low && i < high, i >= low - 1 && i <= high);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliased_lines),
        cmocka_unit_test(rectangular_lines),
        cmocka_unit_test(smooth_lines),
        cmocka_unit_test(conservative_lines),
        cmocka_unit_test(conservative_lines_touch),
        cmocka_unit_test(volumes_trim_lines),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(cut_lines_go_on),
        cmocka_unit_test(interpolation_is_along_the_line),
        cmocka_unit_test(strips_have_no_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
