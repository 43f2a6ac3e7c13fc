/* The fixed-function tessellator (docs/pipeline.md, "Tessellation"). Triangles and quadrilaterals are rings, one inside
 * the other: the patch's own edges, divided by the outer levels, then what the inner levels make of the rest. Points
 * are numbered ring by ring, and between neighbouring rings each side is a strip of triangles.
 *
 * Fixed function on whole numbers: D3D 11.7.14 asks for fixed point with 16 bits of fraction from the levels on. Must
 * not hold floats beyond `level_of` and the last conversion. */
#include "pipeline/tessellate.h"

#include <string.h>

/* Half of the points of an edge, at most; places of the ruler function. */
enum { HALF_POINTS = SCH_TESS_LEVEL / 2 };

/* ---- levels ---- */

/* The level in fixed point: clamped, NaN to the least one; rounded up to a whole number where segments are equal (D3D
 * 11.7.11.2, 11.7.11.3, GL 11.2.2), else to nearest (D3D 3.2.4.1; ties go down, since the odd unit below makes the same
 * places as the even one above: `set_axis` halves it). The product is exact. */
static uint32_t level_of(float level, float least, float most, bool whole)
{
    float clamped = level > least ? (level < most ? level : most) : least;
    float scaled = whole ? clamped : clamped * (float)SCH_TESS_ONE;
    uint32_t down = (uint32_t)scaled;
    float rest = scaled - (float)down;
    return whole ? (down + (rest > 0)) * SCH_TESS_ONE : down + (rest > 0.5f);
}

struct range {
    float least, most;
    bool whole;
};

static struct range range_of(uint32_t spacing)
{
    if (spacing == SCH_TESS_FRACTIONAL_ODD) return (struct range){1, SCH_TESS_LEVEL - 1, false};
    if (spacing == SCH_TESS_FRACTIONAL_EVEN) return (struct range){2, SCH_TESS_LEVEL, false};
    return (struct range){1, SCH_TESS_LEVEL, true};
}

/* ---- divisions ---- */

static uint32_t length_of(uint32_t segments) { return segments ? (SCH_TESS_ONE + segments / 2) / segments : 0; }

static uint32_t log2_of(uint32_t number)
{
    uint32_t log = 0;
    while (number >> (log + 1)) log++;
    return log;
}

/* With `half` points on one half of an edge, corners left out, the next one comes by splitting point number half - 2^n
 * + 1 of those that were there at the last power of two 2^n: since then each one before it has been split (D3D 11.7.5).
 * Counted as they are now, each split one is two; without points the corner splits. */
static uint32_t split_of(uint32_t half) { return half ? 2 * (half - (1u << log2_of(half))) + 1 : 0; }

static void set_axis(struct sch_tess_axis *axis, uint32_t level, uint32_t spacing)
{
    uint32_t up = (level + SCH_TESS_ONE - 1) / SCH_TESS_ONE;
    uint32_t odd = spacing == SCH_TESS_FRACTIONAL_ODD ? 1 : spacing == SCH_TESS_FRACTIONAL_EVEN ? 0 : up & 1;
    uint32_t segments = up + ((up & 1) != odd);
    uint32_t before = level == segments * SCH_TESS_ONE ? segments : segments - 2;
    axis->segments = (uint8_t)segments;
    axis->before = (uint8_t)before;
    axis->split = (uint8_t)split_of(before / 2);
    axis->progress = (level - before * SCH_TESS_ONE + 1) / 2;
    axis->length = length_of(segments);
    axis->length_before = length_of(before);
}

/* Where point `i` is. The two halves mirror each other exactly (D3D 11.7.13). */
static uint32_t location_of(const struct sch_tess_axis *axis, uint32_t i)
{
    if (2 * i == axis->segments) return SCH_TESS_ONE / 2;
    if (2 * i > axis->segments) return SCH_TESS_ONE - location_of(axis, axis->segments - i);
    uint32_t to = i * axis->length;
    if (axis->before == axis->segments) return to;
    uint32_t from = (i > axis->split ? i - 1 : i) * axis->length_before;
    uint64_t sum = (uint64_t)from * (SCH_TESS_ONE - axis->progress) + (uint64_t)to * axis->progress;
    return (uint32_t)((sum + SCH_TESS_ONE / 2) / SCH_TESS_ONE);
}

/* ---- plans ---- */

static uint32_t edges_of(uint32_t domain)
{
    return domain == SCH_TESS_QUADS ? 4 : domain == SCH_TESS_TRIANGLES ? 3 : 2;
}

/* Segments of a side of ring `ring` from 1 on; sides 0 and 2 of a quadrilateral go along v. */
static uint32_t inner_segments(const struct sch_tess_plan *plan, uint32_t ring, uint32_t side)
{
    return plan->inner[!(side & 1)].segments - 2 * ring;
}

static uint32_t segments_of(const struct sch_tess_plan *plan, uint32_t ring, uint32_t side)
{
    return ring ? inner_segments(plan, ring, side) : plan->outer[side].segments;
}

/* The innermost ring, which may be a line or a point. */
static uint32_t last_ring(const struct sch_tess_plan *plan)
{
    uint32_t u = plan->inner[0].segments, v = plan->inner[1].segments;
    return plan->whole ? 0 : (u < v ? u : v) / 2;
}

static uint32_t around(const struct sch_tess_plan *plan, uint32_t ring)
{
    uint32_t sum = 0;
    for (uint32_t side = 0; side < edges_of(plan->mode.domain); side++) sum += segments_of(plan, ring, side);
    return sum;
}

/* A ring without an inside is a line, which counts each point once. */
static bool is_line(const struct sch_tess_plan *plan, uint32_t ring)
{
    return ring && (!inner_segments(plan, ring, 0) || !inner_segments(plan, ring, 1));
}

static uint32_t ring_points(const struct sch_tess_plan *plan, uint32_t ring)
{
    uint32_t sum = around(plan, ring);
    return is_line(plan, ring) ? sum / 2 + 1 : sum;
}

/* Between two rings there is a triangle for each segment of either; in the last ring, if it is as wide as one segment,
 * one triangle, or two for each square. */
static void count(struct sch_tess_plan *plan)
{
    uint32_t last = last_ring(plan), triangles = 0;
    plan->point_count = ring_points(plan, 0);
    for (uint32_t ring = 1; ring <= last; ring++) {
        plan->point_count += ring_points(plan, ring);
        triangles += around(plan, ring - 1) + around(plan, ring);
    }
    if (!is_line(plan, last)) triangles += plan->mode.domain == SCH_TESS_TRIANGLES ? 1 : around(plan, last) - 2;
    plan->primitive_count = triangles;
    plan->corners = 3;
}

static void plan_lines(struct sch_tess_plan *plan, const float outer[4])
{
    struct range range = range_of(plan->mode.spacing);
    set_axis(&plan->outer[0], level_of(outer[0], 1, SCH_TESS_LEVEL, true), SCH_TESS_EQUAL);
    set_axis(&plan->outer[1], level_of(outer[1], range.least, range.most, range.whole), plan->mode.spacing);
    plan->point_count = plan->outer[0].segments * (plan->outer[1].segments + 1u);
    plan->primitive_count = (uint32_t)plan->outer[0].segments * plan->outer[1].segments;
    plan->corners = 2;
}

/* An inner level of 1 is the next greater one if any other level is more than 1, so that there is an inside (D3D
 * 11.7.11.3, GL 11.2.2.1, 11.2.2.2). */
static void plan_rings(struct sch_tess_plan *plan, const float outer[4], const float inner[2])
{
    struct range range = range_of(plan->mode.spacing);
    uint32_t edges = edges_of(plan->mode.domain), axes = edges == 4 ? 2 : 1, greater = 0, levels[6];
    for (uint32_t i = 0; i < edges + axes; i++) {
        levels[i] = level_of(i < edges ? outer[i] : inner[i - edges], range.least, range.most, range.whole);
        greater += levels[i] > SCH_TESS_ONE;
    }
    for (uint32_t i = 0; i < edges; i++) set_axis(&plan->outer[i], levels[i], plan->mode.spacing);
    uint32_t least = !greater ? SCH_TESS_ONE : range.whole ? 2 * SCH_TESS_ONE : SCH_TESS_ONE + 1;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t level = levels[edges + (i < axes ? i : 0)];
        set_axis(&plan->inner[i], level > least ? level : least, plan->mode.spacing);
    }
    plan->whole = !greater;
    count(plan);
}

void sch_tessellate_plan(const struct sch_tess_mode *mode, const float outer[4], const float inner[2],
                         struct sch_tess_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->mode = *mode;
    for (uint32_t i = 0; i < edges_of(mode->domain); i++)
        if (!(outer[i] > 0)) return; /* NaN, too: D3D 11.7.12, GL 11.2.2 */
    if (mode->domain == SCH_TESS_ISOLINES)
        plan_lines(plan, outer);
    else
        plan_rings(plan, outer, inner);
    if (!mode->points) return;
    plan->primitive_count = plan->point_count;
    plan->corners = 1;
}

/* ---- points ---- */

static void line_points(const struct sch_tess_plan *plan, struct sch_tess_point *points)
{
    for (uint32_t line = 0; line < plan->outer[0].segments; line++)
        for (uint32_t i = 0; i <= plan->outer[1].segments; i++)
            *points++ = (struct sch_tess_point){location_of(&plan->outer[1], i), location_of(&plan->outer[0], line)};
}

/* A point of a triangle's ring: on the perpendicular at `along` on the way between the corners of side `side`, and as
 * far from the edge as the perpendicular at `ring_at` goes to the line that halves the corner's angle (GL 11.2.2.1).
 * There the coordinate that is 0 on the edge is 2/3 of `ring_at`, and each of the others has lost half of that. As
 * llvmpipe has it, 2/3 is 43690 / 65536, and of the others the first one is rounded down, the second one is what is
 * left. */
static struct sch_tess_point triangle_point(uint32_t side, uint32_t ring_at, uint32_t along)
{
    uint32_t across = (ring_at * 43690 + SCH_TESS_ONE / 2) / SCH_TESS_ONE, lost = (across + 1) / 2;
    uint32_t back = SCH_TESS_ONE - along - lost;
    if (side == 0) return (struct sch_tess_point){across, back};
    if (side == 1) return (struct sch_tess_point){along - lost, across};
    return (struct sch_tess_point){back, SCH_TESS_ONE - across - back};
}

/* Sides of a quadrilateral: down u = 0, along v = 0, up u = 1, back v = 1; `near` is the distance from the edge. */
static struct sch_tess_point quad_point(uint32_t side, uint32_t near, uint32_t along)
{
    if (side == 0) return (struct sch_tess_point){near, SCH_TESS_ONE - along};
    if (side == 1) return (struct sch_tess_point){along, near};
    if (side == 2) return (struct sch_tess_point){SCH_TESS_ONE - near, along};
    return (struct sch_tess_point){SCH_TESS_ONE - along, SCH_TESS_ONE - near};
}

/* Point `i` of a side, from the side's first corner on. */
static struct sch_tess_point side_point(const struct sch_tess_plan *plan, uint32_t ring, uint32_t side, uint32_t i)
{
    bool quad = plan->mode.domain == SCH_TESS_QUADS;
    uint32_t way = !(side & 1); /* 1: along v; of triangles, both are the same */
    const struct sch_tess_axis *axis = ring ? &plan->inner[way] : &plan->outer[side];
    uint32_t along = location_of(axis, ring + i), near = ring ? location_of(&plan->inner[!way], ring) : 0;
    return quad ? quad_point(side, near, along) : triangle_point(side, near, along);
}

/* The points of a side but its last one; of a line, sides continue until each point was there once. */
static struct sch_tess_point *ring_fill(const struct sch_tess_plan *plan, uint32_t ring, struct sch_tess_point *points)
{
    uint32_t left = ring_points(plan, ring), sides = edges_of(plan->mode.domain);
    for (uint32_t side = 0; side < sides && left; side++) {
        uint32_t segments = segments_of(plan, ring, side);
        for (uint32_t i = 0; i < segments && left; i++, left--) *points++ = side_point(plan, ring, side, i);
    }
    if (left) *points++ = side_point(plan, ring, 0, 0); /* a single point has no sides */
    return points;
}

/* A quadrilateral that is not divided begins at its origin. */
static void whole_quad_points(struct sch_tess_point *points)
{
    for (uint32_t i = 0; i < 4; i++) points[i] = quad_point((i + 1) % 4, 0, 0);
}

void sch_tessellate_points(const struct sch_tess_plan *plan, struct sch_tess_point *points)
{
    if (!plan->point_count) return;
    if (plan->whole && plan->mode.domain == SCH_TESS_QUADS) {
        whole_quad_points(points);
        return;
    }
    if (plan->mode.domain == SCH_TESS_ISOLINES) {
        line_points(plan, points);
        return;
    }
    for (uint32_t ring = 0; ring <= last_ring(plan); ring++) points = ring_fill(plan, ring, points);
}

void sch_tessellate_coordinate(const struct sch_tess_plan *plan, const struct sch_tess_point *point,
                               float coordinate[3])
{
    uint32_t w = plan->mode.domain == SCH_TESS_TRIANGLES ? SCH_TESS_ONE - point->u - point->v : 0;
    coordinate[0] = (float)point->u / (float)SCH_TESS_ONE;
    coordinate[1] = (float)point->v / (float)SCH_TESS_ONE;
    coordinate[2] = (float)w / (float)SCH_TESS_ONE;
}

/* ---- primitives ---- */

struct writer {
    uint16_t *next;
    bool clockwise;
};

static void put(struct writer *out, uint32_t a, uint32_t b, uint32_t c)
{
    *out->next++ = (uint16_t)a;
    *out->next++ = (uint16_t)(out->clockwise ? c : b);
    *out->next++ = (uint16_t)(out->clockwise ? b : c);
}

/* A side of a ring: how to find its points among all. */
struct row {
    uint32_t first, start, points, around; /* of the ring's points; where the side begins; the ring's; its segments */
    uint32_t segments;
};

static struct row row_of(const struct sch_tess_plan *plan, uint32_t ring, uint32_t side, uint32_t first)
{
    struct row row = {first, 0, ring_points(plan, ring), around(plan, ring), segments_of(plan, ring, side)};
    for (uint32_t before = 0; before < side; before++) row.start += segments_of(plan, ring, before);
    return row;
}

/* Around a line it goes there and back. */
static uint32_t row_point(const struct row *row, uint32_t i)
{
    uint32_t at = row->start + i;
    if (at < row->points) return row->first + at;
    return row->first + row->around - at;
}

/* Between two rows: triangles with a segment of the outer row, and those with one of the inner row. `at` are the places
 * that were reached. Which vertex comes first is as llvmpipe has it. */
struct strip {
    struct writer *out;
    struct row outer, inner;
    uint32_t outer_at, inner_at;
};

enum first_vertex { OUTER_FIRST, INNER_FIRST };

static void outer_triangle(struct strip *s, enum first_vertex first)
{
    uint32_t a = row_point(&s->outer, s->outer_at++), b = row_point(&s->outer, s->outer_at);
    uint32_t c = row_point(&s->inner, s->inner_at);
    if (first == OUTER_FIRST)
        put(s->out, a, b, c);
    else
        put(s->out, c, a, b);
}

static void inner_triangle(struct strip *s, enum first_vertex first)
{
    uint32_t a = row_point(&s->inner, s->inner_at++), b = row_point(&s->inner, s->inner_at);
    uint32_t c = row_point(&s->outer, s->outer_at);
    if (first == OUTER_FIRST)
        put(s->out, c, b, a);
    else
        put(s->out, a, c, b);
}

/* Half of an edge at the finest division has HALF_POINTS places; point number n to come (0: the first beside the
 * corner) has its place halfway between two older ones, from outside to inside (D3D 11.7.5, the ruler function). This
 * is the number of the point at a place. */
static uint32_t number_at(uint32_t place)
{
    uint32_t step = 0;
    if (!place) return 0;
    while (!(place >> step & 1)) step++;
    return (HALF_POINTS / 2 >> step) + (place >> (step + 1));
}

/* Half of the frame's side. Points at the same place belong together, and those of one row alone to the last place of
 * the other that came before (D3D 11.7.6.2). The inner row begins with the second place, as the frame is a trapezoid.
 * The second half is the mirror of the first. */
static void frame_half(struct strip *s, uint32_t outer_half, uint32_t inner_half, bool mirrored)
{
    for (uint32_t i = 0; i < HALF_POINTS; i++) {
        uint32_t place = mirrored ? HALF_POINTS - 1 - i : i, number = number_at(place);
        bool inside = place && number < inner_half, outside = number < outer_half;
        if (inside && !mirrored) inner_triangle(s, INNER_FIRST);
        if (outside) outer_triangle(s, OUTER_FIRST);
        if (inside && mirrored) inner_triangle(s, INNER_FIRST);
    }
}

/* Between the patch's edge and the first ring, which the edges' levels divide as they like. */
static void frame_side(struct strip *s)
{
    uint32_t outer = s->outer.segments, inner = s->inner.segments + 2; /* with those of the neighbours' frames */
    frame_half(s, outer / 2, inner / 2, false);
    if (inner & 1) inner_triangle(s, INNER_FIRST);
    if (outer & 1) outer_triangle(s, INNER_FIRST);
    frame_half(s, outer / 2, inner / 2, true);
}

/* Between two inner rings: squares whose diagonals point to the nearer corner, and that in the middle as those before
 * it (D3D 11.7.6); a triangle at each end. */
static void ring_side(struct strip *s)
{
    uint32_t squares = s->inner.segments;
    outer_triangle(s, OUTER_FIRST);
    for (uint32_t i = 0; i < squares; i++)
        if (2 * i <= squares - 1) {
            inner_triangle(s, OUTER_FIRST);
            outer_triangle(s, OUTER_FIRST);
        } else {
            outer_triangle(s, INNER_FIRST);
            inner_triangle(s, INNER_FIRST);
        }
    outer_triangle(s, OUTER_FIRST);
}

/* Rows of squares between two opposite sides of the innermost ring: `a` from one side, `b` from the other, in the same
 * direction. Their diagonals are those of a Z whose upper edge is v = 0 (D3D 11.7.6). */
static void square_along_u(struct writer *out, const uint32_t a[2], const uint32_t b[2])
{
    put(out, b[0], a[0], a[1]);
    put(out, b[0], a[1], b[1]);
}

/* A row along v has the Z in its middle alone; that the others go the other way, and which vertex comes first, is as
 * llvmpipe has it. */
static void square_along_v(struct writer *out, const uint32_t a[2], const uint32_t b[2], bool middle, bool odd)
{
    if (middle) {
        put(out, a[0], b[1], b[0]);
        put(out, a[0], a[1], b[1]);
        return;
    }
    if (odd)
        put(out, a[0], a[1], b[0]);
    else
        put(out, b[0], a[0], a[1]);
    put(out, b[0], a[1], b[1]);
}

static void center_squares(const struct sch_tess_plan *plan, uint32_t ring, uint32_t first, struct writer *out)
{
    bool along_u = segments_of(plan, ring, 1) > segments_of(plan, ring, 0);
    struct row near = row_of(plan, ring, along_u, first), far = row_of(plan, ring, along_u + 2, first);
    uint32_t squares = near.segments;
    for (uint32_t i = 0; i < squares; i++) {
        uint32_t a[2] = {row_point(&near, i), row_point(&near, i + 1)};
        uint32_t b[2] = {row_point(&far, squares - i), row_point(&far, squares - i - 1)};
        if (along_u)
            square_along_u(out, a, b);
        else
            square_along_v(out, a, b, 2 * i + 1 == squares, squares & 1);
    }
}

/* What the last ring has inside. */
static void center(const struct sch_tess_plan *plan, uint32_t ring, uint32_t first, struct writer *out)
{
    if (is_line(plan, ring)) return;
    if (plan->mode.domain == SCH_TESS_TRIANGLES)
        put(out, first, first + 1, first + 2);
    else
        center_squares(plan, ring, first, out);
}

static void triangles(const struct sch_tess_plan *plan, struct writer *out)
{
    uint32_t first = 0, last = last_ring(plan);
    for (uint32_t ring = 0; ring < last; ring++) {
        uint32_t next = first + ring_points(plan, ring);
        for (uint32_t side = 0; side < edges_of(plan->mode.domain); side++) {
            struct strip strip = {out, row_of(plan, ring, side, first), row_of(plan, ring + 1, side, next), 0, 0};
            if (ring)
                ring_side(&strip);
            else
                frame_side(&strip);
        }
        first = next;
    }
    center(plan, last, first, out);
}

static void lines(const struct sch_tess_plan *plan, uint16_t *indices)
{
    uint32_t segments = plan->outer[1].segments;
    for (uint32_t line = 0; line < plan->outer[0].segments; line++)
        for (uint32_t i = 0; i < segments; i++) {
            *indices++ = (uint16_t)(line * (segments + 1) + i);
            *indices++ = (uint16_t)(line * (segments + 1) + i + 1);
        }
}

void sch_tessellate_primitives(const struct sch_tess_plan *plan, uint16_t *indices)
{
    struct writer out = {indices, plan->mode.clockwise};
    if (!plan->primitive_count) return;
    if (plan->mode.points) {
        for (uint32_t i = 0; i < plan->point_count; i++) indices[i] = (uint16_t)i;
    } else if (plan->mode.domain == SCH_TESS_ISOLINES) {
        lines(plan, indices);
    } else if (plan->whole && plan->mode.domain == SCH_TESS_QUADS) {
        put(&out, 0, 1, 3);
        put(&out, 1, 2, 3);
    } else {
        triangles(plan, &out);
    }
}
