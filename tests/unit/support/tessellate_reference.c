/* See the header. An edge is a list of points with names: 0 beside the corner, and each later one split off from
 * another one. Cells between rows of points are cut by the diagonals that the text describes. */
#include "tessellate_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SEGMENTS = 64, MOST_HALF = MOST_SEGMENTS / 2, NO_NAME = -1 };

/* Points of one half of an edge, the corner left out and the middle included, from outside to inside. */
struct half {
    int count;
    int name[MOST_HALF], parent[MOST_HALF]; /* `parent` by name */
    int epoch[MOST_HALF], epoch_count;      /* the names at the last power of two that have not been split since */
};

struct edge {
    int segments;
    struct half half;
    int64_t at[MOST_SEGMENTS + 1];
};

/* D3D 11.7.5: at an epoch all points are noted; from then on each is split in turn. Returns how many points, counted
 * from outside with the corner as 0, are before the new segment. */
static int split(struct half *half)
{
    int place = 0, count = half->count;
    if (!count) {
        half->name[0] = 0;
        half->parent[0] = NO_NAME;
        half->count = 1;
        return 0;
    }
    if (!half->epoch_count) {
        memcpy(half->epoch, half->name, sizeof half->epoch);
        half->epoch_count = count;
    }
    while (half->name[place] != half->epoch[0]) place++;
    memmove(&half->name[place + 2], &half->name[place + 1], (size_t)(count - place - 1) * sizeof *half->name);
    half->name[place + 1] = count;
    half->parent[count] = half->name[place];
    half->count++;
    half->epoch_count--;
    memmove(half->epoch, half->epoch + 1, (size_t)half->epoch_count * sizeof *half->epoch);
    return place + 1;
}

/* The level as a number of 1/65536: D3D 11.7.11. */
static int64_t fixed_level(float level, enum ref_tess_spacing spacing)
{
    double low = spacing == REF_EVEN ? 2 : 1, high = spacing == REF_ODD ? 63 : 64;
    double clamped = isnan(level) ? low : fmin(high, fmax(low, (double)level));
    if (spacing == REF_ODD || spacing == REF_EVEN) return (int64_t)nearbyint(clamped * REF_TESS_ONE);
    return (int64_t)ceil(clamped) * REF_TESS_ONE;
}

/* The place of point i of an edge of n equal segments: whole multiples of a segment of rounded length. */
static int64_t uniform(int i, int n) { return n ? i * (int64_t)floor((double)REF_TESS_ONE / n + 0.5) : 0; }

static void divide(struct edge *edge, int64_t level, enum ref_tess_spacing spacing)
{
    bool even = spacing == REF_EVEN || (spacing != REF_ODD && level / REF_TESS_ONE % 2 == 0);
    int segments = even ? 0 : 1, before = 0;
    int new_segment = 0;
    memset(edge, 0, sizeof *edge);
    while ((int64_t)segments * REF_TESS_ONE < level) {
        before = segments;
        new_segment = split(&edge->half);
        segments += 2;
    }
    edge->segments = segments;
    int64_t progress = (level - (int64_t)before * REF_TESS_ONE + 1) / 2;
    if (level == (int64_t)segments * REF_TESS_ONE) progress = REF_TESS_ONE;
    for (int i = 0; 2 * i <= segments; i++) {
        int64_t from = uniform(i > new_segment ? i - 1 : i, before), to = uniform(i, segments);
        double mixed = (double)(from * (REF_TESS_ONE - progress) + to * progress) / REF_TESS_ONE;
        edge->at[i] = (int64_t)floor(mixed + 0.5);
        if (2 * i == segments) edge->at[i] = REF_TESS_ONE / 2;
        edge->at[segments - i] = REF_TESS_ONE - edge->at[i];
    }
}

/* ---- what is put out ---- */

static ref_place place(int64_t u, int64_t v) { return (uint64_t)u << 32 | (uint64_t)v; }

static void triangle(struct ref_tess *out, ref_place a, ref_place b, ref_place c)
{
    ref_place corners[3] = {a, b, c};
    memcpy(out->primitive[out->primitives++], corners, sizeof corners);
}

/* A cell with corners in order around, cut from the first to the third or from the second to the fourth. */
static void cell(struct ref_tess *out, ref_place a, ref_place b, ref_place c, ref_place d, bool from_first)
{
    triangle(out, a, b, from_first ? c : d);
    triangle(out, from_first ? a : b, c, d);
}

/* ---- rows ---- */

/* A side of a ring: its points in order, and those of its first half by name; the corner is place 0. */
struct side {
    int segments;
    ref_place at[MOST_SEGMENTS + 1];
};

/* The place on the smaller side that a point of the larger one belongs to: its own name's there, or an ancestor's, or
 * the corner. */
static int relative(const struct half *larger, int name, const struct half *smaller)
{
    for (; name != NO_NAME; name = larger->parent[name])
        for (int i = 0; i < smaller->count; i++)
            if (smaller->name[i] == name) return i + 1;
    return 0;
}

/* Half of the frame between an edge and the first ring, seen from the corner that it begins at. On the inner side place
 * 1 is the ring's corner. `turned`: the second half, in which all is mirrored. */
static void join(struct ref_tess *out, ref_place a, ref_place b, ref_place c, bool turned)
{
    triangle(out, a, turned ? c : b, turned ? b : c);
}

struct frame {
    const struct edge *outer, *inner;
    ref_place outside[MOST_SEGMENTS + 1], inside[MOST_SEGMENTS + 1]; /* by place on a whole edge */
};

/* D3D 11.7.6.2: between one pair of places and the next there is a triangle or a cell, whose diagonal points to the
 * corner: from the outer point that is nearer to it. */
static void frame_half(struct ref_tess *out, const struct frame *f, bool turned)
{
    const struct half *o = &f->outer->half, *n = &f->inner->half;
    bool outer_larger = o->count > n->count;
    const struct half *larger = outer_larger ? o : n;
    int o_at = 0, n_at = 1;
    for (int i = 0; i < larger->count; i++) {
        int match = relative(larger, larger->name[i], outer_larger ? n : o);
        int o_next = outer_larger ? i + 1 : match, n_next = outer_larger ? match : i + 1;
        if (n_next < 1) n_next = 1;
        ref_place points[4];
        for (int k = 0; k < 2; k++) {
            int oi = k ? o_next : o_at, ni = k ? n_next : n_at;
            points[k] = f->outside[turned ? f->outer->segments - oi : oi];
            points[2 + k] = f->inside[turned ? f->inner->segments - ni : ni];
        }
        if (n_next != n_at) join(out, points[0], points[3], points[2], turned);
        if (o_next != o_at) join(out, points[0], points[1], points[3], turned);
        o_at = o_next;
        n_at = n_next;
    }
}

/* What is between the halves: nothing, a triangle, or a cell cut as those before it. */
static void frame_middle(struct ref_tess *out, const struct frame *f)
{
    int o = f->outer->segments, n = f->inner->segments;
    ref_place a = f->outside[o / 2], b = f->outside[(o + 1) / 2], c = f->inside[(n + 1) / 2], d = f->inside[n / 2];
    if (o % 2 && n % 2)
        cell(out, a, b, c, d, true);
    else if (o % 2)
        triangle(out, a, b, c);
    else if (n % 2)
        triangle(out, a, c, d);
}

/* ---- quadrilaterals ---- */

/* A point on side `side` of the unit square, `along` from the side's beginning and `near` away from it. */
static ref_place on_square(int side, int64_t along, int64_t near)
{
    int64_t one = REF_TESS_ONE;
    return side == 0   ? place(near, one - along)
           : side == 1 ? place(along, near)
           : side == 2 ? place(one - near, along)
                       : place(one - along, one - near);
}

static void quad_frames(struct ref_tess *out, const struct edge outer[4], const struct edge inner[2])
{
    for (int side = 0; side < 4; side++) {
        const struct edge *along = &inner[side % 2 == 0], *across = &inner[side % 2];
        struct frame f = {.outer = &outer[side], .inner = along};
        for (int i = 0; i <= outer[side].segments; i++) f.outside[i] = on_square(side, outer[side].at[i], 0);
        for (int i = 1; i < along->segments; i++) f.inside[i] = on_square(side, along->at[i], across->at[1]);
        for (int i = 0; i < outer[side].segments; i++) out->point[out->points++] = f.outside[i];
        frame_half(out, &f, false);
        frame_middle(out, &f);
        frame_half(out, &f, true);
    }
}

/* D3D 11.7.6: a diagonal points to the nearest corner. Cells as near to two corners: those of the middle row are cut as
 * the Z in the centre, from the corner with the greater v; of the middle column the other way. */
static void quad_inside(struct ref_tess *out, const struct edge inner[2])
{
    int columns = inner[0].segments, rows = inner[1].segments;
    for (int i = 1; i < columns; i++)
        for (int j = 1; j < rows; j++) out->point[out->points++] = place(inner[0].at[i], inner[1].at[j]);
    for (int i = 1; i + 1 < columns; i++)
        for (int j = 1; j + 1 < rows; j++) {
            int right = 2 * i + 1 - columns, up = 2 * j + 1 - rows;
            const int64_t *u = &inner[0].at[i], *v = &inner[1].at[j];
            bool rising = right * up > 0 || (!right && up);
            cell(out, place(u[0], v[0]), place(u[1], v[0]), place(u[1], v[1]), place(u[0], v[1]), rising);
        }
}

/* ---- triangles ---- */

/* The two coordinates that change along a side lose half of the third one; the first of them in the order u, v, w is
 * rounded down. */
static ref_place on_triangle(int side, int64_t along, int64_t near)
{
    int64_t third = (near * 43690 + 32768) >> 16, twice[3], whole[3] = {0, 0, 0};
    int from = (side + 1) % 3, to = (side + 2) % 3, first = from < to ? from : to;
    twice[from] = 2 * (REF_TESS_ONE - along) - third;
    twice[to] = 2 * along - third;
    whole[side] = third;
    whole[first] = twice[first] >> 1;
    whole[from + to - first] = REF_TESS_ONE - third - whole[first];
    return place(whole[0], whole[1]);
}

/* Where ring number `ring` has its corner at the beginning of a side, or itself if it is a point. */
static ref_place ring_corner(const struct edge *inner, int ring, int side)
{
    return on_triangle(2 * ring == inner->segments ? 0 : side % 3, inner->at[ring], inner->at[ring]);
}

static void triangle_frames(struct ref_tess *out, const struct edge outer[3], const struct edge *inner)
{
    for (int side = 0; side < 3; side++) {
        struct frame f = {.outer = &outer[side], .inner = inner};
        for (int i = 0; i <= outer[side].segments; i++) f.outside[i] = on_triangle(side, outer[side].at[i], 0);
        for (int i = 1; i < inner->segments; i++) f.inside[i] = on_triangle(side, inner->at[i], inner->at[1]);
        f.inside[inner->segments - 1] = ring_corner(inner, 1, side + 1);
        for (int i = 0; i < outer[side].segments; i++) out->point[out->points++] = f.outside[i];
        frame_half(out, &f, false);
        frame_middle(out, &f);
        frame_half(out, &f, true);
    }
}

/* One side of ring number `ring`: the last point is the first one of the next side. */
static void ring_side(const struct edge *inner, int ring, int side, struct side *row)
{
    row->segments = inner->segments - 2 * ring;
    for (int i = 0; i < row->segments; i++) row->at[i] = on_triangle(side, inner->at[ring + i], inner->at[ring]);
    row->at[row->segments] = ring_corner(inner, ring, side + 1);
}

static void triangle_inside(struct ref_tess *out, const struct edge *inner)
{
    for (int ring = 1; 2 * ring <= inner->segments; ring++)
        for (int side = 0; side < 3; side++) {
            struct side row, next;
            ring_side(inner, ring, side, &row);
            if (row.segments == 0) {
                if (!side) out->point[out->points++] = row.at[0];
                continue;
            }
            for (int i = 0; i < row.segments; i++) out->point[out->points++] = row.at[i];
            if (row.segments == 1) continue;
            ring_side(inner, ring + 1, side, &next);
            triangle(out, row.at[0], row.at[1], next.at[0]);
            triangle(out, row.at[row.segments - 1], row.at[row.segments], next.at[next.segments]);
            for (int i = 0; i < next.segments; i++)
                cell(out, row.at[i + 1], row.at[i + 2], next.at[i + 1], next.at[i], 2 * i + 1 <= next.segments);
        }
    if (inner->segments % 2 == 0) return;
    int last = inner->segments / 2;
    triangle(out, ring_corner(inner, last, 0), ring_corner(inner, last, 1), ring_corner(inner, last, 2));
}

/* ---- all ---- */

static void lines(enum ref_tess_spacing spacing, const float outer[4], struct ref_tess *out)
{
    struct edge density, detail;
    divide(&density, fixed_level(outer[0], REF_EQUAL), REF_EQUAL);
    divide(&detail, fixed_level(outer[1], spacing), spacing);
    for (int line = 0; line < density.segments; line++)
        for (int i = 0; i <= detail.segments; i++) {
            ref_place here = place(detail.at[i], density.at[line]);
            out->point[out->points++] = here;
            if (!i) continue;
            out->primitive[out->primitives][0] = place(detail.at[i - 1], density.at[line]);
            out->primitive[out->primitives++][1] = here;
        }
}

/* A patch of which no level is greater than 1. */
static void undivided(bool quad, struct ref_tess *out)
{
    ref_place corner[4];
    int corners = quad ? 4 : 3;
    for (int i = 0; i < corners; i++)
        out->point[out->points++] = corner[i] = quad ? on_square(i, 0, 0) : on_triangle(i, 0, 0);
    if (quad)
        cell(out, corner[0], corner[1], corner[2], corner[3], true);
    else
        triangle(out, corner[0], corner[1], corner[2]);
}

void ref_tessellate(enum ref_tess_domain domain, enum ref_tess_spacing spacing, const float outer[4],
                    const float inner[2], struct ref_tess *out)
{
    int edges = domain == REF_ISOLINES ? 2 : domain == REF_TRIANGLES ? 3 : 4, axes = domain == REF_QUADS ? 2 : 1;
    struct edge outside[4], inside[2];
    bool divided = false;
    memset(out, 0, sizeof *out);
    out->corners = domain == REF_ISOLINES ? 2 : 3;
    for (int i = 0; i < edges; i++)
        if (isnan(outer[i]) || outer[i] <= 0) return;
    if (domain == REF_ISOLINES) {
        lines(spacing, outer, out);
        return;
    }
    for (int i = 0; i < edges; i++) divided |= fixed_level(outer[i], spacing) > REF_TESS_ONE;
    for (int i = 0; i < axes; i++) divided |= fixed_level(inner[i], spacing) > REF_TESS_ONE;
    if (!divided) {
        undivided(domain == REF_QUADS, out);
        return;
    }
    for (int i = 0; i < edges; i++) divide(&outside[i], fixed_level(outer[i], spacing), spacing);
    for (int i = 0; i < axes; i++) {
        int64_t level = fixed_level(inner[i], spacing);
        if (level == REF_TESS_ONE) level = spacing == REF_ODD ? REF_TESS_ONE + 1 : 2 * REF_TESS_ONE;
        divide(&inside[i], level, spacing);
    }
    if (domain == REF_QUADS) {
        quad_frames(out, outside, inside);
        quad_inside(out, inside);
    } else {
        triangle_frames(out, outside, &inside[0]);
        triangle_inside(out, &inside[0]);
    }
}

static int by_place(const void *a, const void *b)
{
    const ref_place *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

static int by_corners(const void *a, const void *b)
{
    const ref_place *x = a, *y = b;
    for (int i = 0; i < 3; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

/* Of the three ways to turn a triangle the least one. */
static void turn(ref_place corner[3])
{
    ref_place best[3];
    memcpy(best, corner, sizeof best);
    for (int i = 1; i < 3; i++) {
        ref_place turned[3] = {corner[i], corner[(i + 1) % 3], corner[(i + 2) % 3]};
        if (by_corners(turned, best) < 0) memcpy(best, turned, sizeof best);
    }
    memcpy(corner, best, sizeof best);
}

void ref_tess_sort(struct ref_tess *out)
{
    if (out->corners == 3)
        for (uint32_t i = 0; i < out->primitives; i++) turn(out->primitive[i]);
    qsort(out->point, out->points, sizeof *out->point, by_place);
    qsort(out->primitive, out->primitives, sizeof *out->primitive, by_corners);
}
