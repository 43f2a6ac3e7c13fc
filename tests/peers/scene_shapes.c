/* See scene_shapes.h. */
#include "scene_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/support/random_number.h"

/* A vertex in the window, and what interpolates. */
struct corner {
    double x, y, z, color[4];
};

struct shapes {
    const struct scene *scene;
    struct scene *made;
    enum scene_driver driver;
    unsigned number; /* of the try */
    unsigned lines;  /* that were put */
    bool full;       /* no room for all */
};

static void put(struct shapes *s, const struct corner *c)
{
    struct scene *to = s->made;
    if (to->vertex_count == SCENE_VERTICES) {
        s->full = true;
        return;
    }
    struct scene_corner *v = &to->vertices[to->vertex_count++];
    *v = (struct scene_corner){
        .at = {(float)(c->x / (SCENE_SIDE / 2) - 1), (float)(c->y / (SCENE_SIDE / 2) - 1), (float)(c->z * 2 - 1), 1}};
    for (unsigned n = 0; n < 4; n++) v->color[n] = (float)c->color[n];
}

static struct corner corner_of(const float *captured)
{
    struct corner c;
    c.x = ((double)captured[0] / (double)captured[3] + 1) * (SCENE_SIDE / 2);
    c.y = ((double)captured[1] / (double)captured[3] + 1) * (SCENE_SIDE / 2);
    c.z = ((double)captured[2] / (double)captured[3] + 1) / 2;
    for (unsigned n = 0; n < 4; n++) c.color[n] = (double)captured[4 + n];
    return c;
}

static struct corner between(const struct corner *a, const struct corner *b, double t)
{
    struct corner made;
    made.x = a->x + (b->x - a->x) * t;
    made.y = a->y + (b->y - a->y) * t;
    made.z = a->z + (b->z - a->z) * t;
    for (unsigned n = 0; n < 4; n++) made.color[n] = a->color[n] + (b->color[n] - a->color[n]) * t;
    return made;
}

static void put_square(struct shapes *s, const struct corner corners[4])
{
    static const unsigned order[] = {0, 1, 2, 0, 2, 3};
    for (unsigned n = 0; n < 6; n++) put(s, &corners[order[n]]);
}

/* ---- lines
 * ------------------------------------------------------------------------------------------------------------ */

/* A column of `width` pixels along the axis that the line is steepest against, so that what interpolates depends on the
 * other axis alone. */
static void put_stroke(struct shapes *s, const struct corner *a, const struct corner *b, double width, double bias)
{
    const bool flat = fabs(b->x - a->x) >= fabs(b->y - a->y);
    struct corner corners[4] = {*a, *b, *b, *a};
    for (unsigned n = 0; n < 4; n++) {
        double *across = flat ? &corners[n].y : &corners[n].x;
        *across += (n < 2 ? -width / 2 : width / 2) + (flat ? -bias : bias);
    }
    put_square(s, corners);
}

/* llvmpipe: whole columns, between those in which the ends are, or these as well. */
static void put_columns(struct shapes *s, const struct corner *a, const struct corner *b)
{
    const bool flat = fabs(b->x - a->x) >= fabs(b->y - a->y);
    const double from = flat ? a->x : a->y, to = flat ? b->x : b->y, length = to - from, way = length < 0 ? -1 : 1;
    double first = way > 0 ? floor(from) : -ceil(from), last = way > 0 ? ceil(to) : -floor(to);
    if (length == 0) return;
    uint64_t seed = (uint64_t)s->number << 32 | s->lines;
    const uint64_t ends = s->number < 4 ? s->number : random_number(&seed);
    if (!(ends & 1)) first += 1;
    if (!(ends & 2)) last -= 1;
    if (last <= first) return;
    const struct corner begin = between(a, b, (first * way - from) / length),
                        end = between(a, b, (last * way - from) / length);
    put_stroke(s, &begin, &end, (double)s->scene->rasterizer.line_width, 0);
}

/* softpipe: pixels between those of the ends, with whole numbers. */
static void put_pixels(struct shapes *s, const struct corner *a, const struct corner *b)
{
    int x = (int)a->x, y = (int)a->y, dx = (int)b->x - x, dy = (int)b->y - y;
    const int step_x = dx < 0 ? -1 : 1, step_y = dy < 0 ? -1 : 1;
    dx = abs(dx);
    dy = abs(dy);
    const bool flat = dx > dy;
    const int major = flat ? dx : dy, minor = flat ? dy : dx;
    const double lx = b->x - a->x, ly = b->y - a->y, area = lx * lx + ly * ly;
    int error = 2 * minor - major;
    for (int n = 0; n < major; n++) {
        const double t = ((x + 0.5 - a->x) * lx + (y + 0.5 - a->y) * ly) / area;
        const struct corner value = between(a, b, t);
        struct corner corners[4] = {value, value, value, value};
        for (unsigned c = 0; c < 4; c++) {
            corners[c].x = x + (c == 1 || c == 2);
            corners[c].y = y + (c >= 2);
        }
        put_square(s, corners);
        if (error >= 0) {
            flat ? (y += step_y) : (x += step_x);
            error -= 2 * major;
        }
        error += 2 * minor;
        flat ? (x += step_x) : (y += step_y);
    }
}

static void put_line(struct shapes *s, const struct corner *a, const struct corner *b)
{
    const double width = (double)s->scene->rasterizer.line_width;
    s->lines++;
    if (s->driver == SCENE_LLVMPIPE)
        put_columns(s, a, b);
    else if (width > 1) {
        const bool flat = fabs(b->x - a->x) > fabs(b->y - a->y);
        struct corner ends[2] = {*a, *b};
        for (unsigned n = 0; n < 2; n++)
            if (flat)
                ends[n].x += a->x < b->x ? -0.5 : 0.5;
            else
                ends[n].y += a->y < b->y ? -0.5 : 0.5;
        put_stroke(s, &ends[0], &ends[1], width, 0.125);
    } else
        put_pixels(s, a, b);
}

/* Stippled lines become a line for each run of bits, of the length along the greater axis. */
static void put_stippled(struct shapes *s, const struct corner *a, const struct corner *b, unsigned *counter)
{
    const struct sch_rasterizer_options *r = &s->scene->rasterizer;
    const double length = fmax(fabs(b->x - a->x), fabs(b->y - a->y));
    double start = 0;
    bool on = false;
    for (unsigned n = 0; n < length; n++, ++*counter) {
        const bool bit = r->line_stipple_pattern >> *counter / r->line_stipple_factor % 16 & 1;
        if (bit == on) continue;
        if (on && start != n) {
            const struct corner from = between(a, b, start / length), to = between(a, b, n / length);
            put_line(s, &from, &to);
        }
        if (!on) start = n;
        on = bit;
    }
    if (!on || start >= length) return;
    const struct corner from = between(a, b, start / length);
    put_line(s, &from, b);
}

/* ---- points
 * ---------------------------------------------------------------------------------------------------------- */

static void put_box(struct shapes *s, const struct corner *at, double x, double y, double width, double height)
{
    struct corner corners[4] = {*at, *at, *at, *at};
    const bool sprite = s->scene->rasterizer.point_quad_rasterization;
    const bool lower = s->scene->rasterizer.sprite_coord_mode == SCH_SPRITE_LOWER_LEFT;
    for (unsigned c = 0; c < 4; c++) {
        const bool right = c == 1 || c == 2, far = c >= 2;
        corners[c].x = x + (right ? width : 0);
        corners[c].y = y + (far ? height : 0);
        if (!sprite) continue;
        corners[c].color[0] = right;
        corners[c].color[1] = far != lower;
    }
    put_square(s, corners);
}

static void put_point(struct shapes *s, const struct corner *at, double size)
{
    const double half = size / 2;
    if (s->driver == SCENE_LLVMPIPE)
        put_box(s, at, floor(at->x) - (size - 1) / 2, floor(at->y) - (size - 1) / 2, size, size);
    else if (s->scene->rasterizer.point_quad_rasterization)
        put_box(s, at, at->x - half + 0.125, at->y - half - 0.125, size, size);
    else if (size <= 1)
        put_box(s, at, floor(at->x), floor(at->y), 1, 1);
    else
        put_box(s, at, (int)(at->x + 0.75 - half), (int)(at->y + 0.25 - half), (int)size, (int)size);
}

/* ---- outlines
 * -------------------------------------------------------------------------------------------------------- */

static double area(const struct corner c[3])
{
    return (c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y);
}

/* How far the depth of a triangle is offset: the units of whole numbers count twice [GL 14.6.5: once]. */
static double offset_of(const struct scene *s, const struct corner c[3])
{
    const double twice = area(c);
    const double dx = ((c[1].z - c[0].z) * (c[2].y - c[0].y) - (c[2].z - c[0].z) * (c[1].y - c[0].y)) / twice;
    const double dy = ((c[2].z - c[0].z) * (c[1].x - c[0].x) - (c[1].z - c[0].z) * (c[2].x - c[0].x)) / twice;
    const double most = fmax(c[0].z, fmax(c[1].z, c[2].z));
    int exponent = -1;
    const double times = s->depth->kind == SCENE_FLOAT ? 1 : 2;
    double least = s->depth->bits[0] == 16 ? ldexp(1, -16) : ldexp(1, -24);
    if (s->depth->kind == SCENE_FLOAT) {
        if (most > 0) frexp(most, &exponent);
        least = ldexp(1, exponent - 1 - 23);
    }
    return fmax(fabs(dx), fabs(dy)) * (double)s->rasterizer.offset_scale +
           times * least * (double)s->rasterizer.offset_units;
}

static void put_filled(struct shapes *s, struct corner c[3], enum sch_fill fill)
{
    if (fill == SCH_FILL_SOLID)
        for (unsigned n = 0; n < 3; n++) put(s, &c[n]);
    else if (fill == SCH_FILL_POINT)
        for (unsigned n = 0; n < 3; n++) put_point(s, &c[n], (double)s->scene->rasterizer.point_size);
    else
        for (unsigned n = 0; n < 3; n++) put_line(s, &c[(n + 2) % 3], &c[n]);
}

static void put_triangles(struct shapes *s, const float *captured, uint64_t primitives)
{
    const struct sch_rasterizer_options *r = &s->scene->rasterizer;
    bool offset = false, is_first = true;
    for (uint64_t n = 0; n < primitives; n++) {
        const float *from = captured + n * 36;
        struct corner c[3] = {corner_of(from), corner_of(from + 12), corner_of(from + 24)};
        /* Rows are from the top: what goes round clockwise there has a positive area. */
        const bool front = (area(c) > 0) != r->front_ccw;
        const enum sch_fill fill = front ? r->fill_front : r->fill_back;
        if (r->cull_face & (front ? SCH_FACE_FRONT : SCH_FACE_BACK)) continue;
        /* How the first one is filled decides for all. */
        if (is_first)
            offset = fill == SCH_FILL_SOLID ? r->offset_tri : fill == SCH_FILL_LINE ? r->offset_line : r->offset_point;
        is_first = false;
        const double o = offset && area(c) != 0 ? offset_of(s->scene, c) : 0;
        for (unsigned v = 0; v < 3; v++) {
            const unsigned provoking = r->flatshade_first ? 0 : 2;
            if (s->scene->interpolation == INTERPOLATE_FLAT) memcpy(c[v].color, c[provoking].color, sizeof c[v].color);
            c[v].z = fmin(fmax(c[v].z + o, 0), 1);
        }
        put_filled(s, c, fill);
    }
}

/* ---- a scene
 * ---------------------------------------------------------------------------------------------------------- */

/* Whether the stipple goes on from the line before. */
static bool goes_on(const struct scene *s, const float *line)
{
    return s->draws[0].primitive != SCH_PRIMITIVE_LINES && !memcmp(line - 12, line, 4 * sizeof *line);
}

static void put_lines(struct shapes *s, const float *captured, uint64_t primitives)
{
    unsigned counter = 0;
    for (uint64_t n = 0; n < primitives; n++) {
        const float *line = captured + n * 24;
        struct corner ends[2] = {corner_of(line), corner_of(line + 12)};
        if (s->scene->interpolation == INTERPOLATE_FLAT)
            memcpy(ends[s->scene->rasterizer.flatshade_first].color, ends[!s->scene->rasterizer.flatshade_first].color,
                   sizeof ends[0].color);
        if (s->scene->texts[SCH_STAGE_FRAGMENT] == &scene_fragment[FRAGMENT_PRIMITIVE])
            ends[0].color[0] = ends[1].color[0] = (double)(n & 7) / 8;
        if (!n || !goes_on(s->scene, line)) counter = 0;
        if (s->scene->rasterizer.line_stipple_enable)
            put_stippled(s, &ends[0], &ends[1], &counter);
        else
            put_line(s, &ends[0], &ends[1]);
    }
}

static void put_points(struct shapes *s, const float *captured, uint64_t primitives)
{
    const struct sch_rasterizer_options *r = &s->scene->rasterizer;
    for (uint64_t n = 0; n < primitives; n++) {
        struct corner at = corner_of(captured + n * 12);
        if (s->scene->texts[SCH_STAGE_FRAGMENT] == &scene_fragment[FRAGMENT_PRIMITIVE])
            at.color[0] = (double)(n & 7) / 8;
        put_point(s, &at, (double)(r->point_size_per_vertex ? captured[n * 12 + 11] : r->point_size));
    }
}

bool scene_shapes(const struct scene *scene, const float *captured, uint64_t primitives, enum scene_driver driver,
                  unsigned number, struct scene *made)
{
    struct shapes s = {scene, made, driver, number, 0, false};
    const unsigned corners = scene_captured_corners(scene);
    const bool outlines = scene->rasterizer.fill_front || scene->rasterizer.fill_back ||
                          (driver == SCENE_SOFTPIPE && scene->rasterizer.offset_tri);
    if ((corners == 3 && !outlines) || (corners == 1 && driver == SCENE_LLVMPIPE)) return false;
    if (scene->rasterizer.rasterizer_discard) return false;
    *made = *scene;
    made->vertex_count = 0;
    made->texts[SCH_STAGE_VERTEX] = &scene_vertex[VERTEX_PLAIN];
    for (unsigned t = SCH_STAGE_TESS_CTRL; t < SCH_STAGE_FRAGMENT; t++) made->texts[t] = NULL;
    made->texts[SCH_STAGE_FRAGMENT] = &scene_fragment[FRAGMENT_COLOR];
    made->interpolation = INTERPOLATE_LINEAR;
    made->rasterizer.cull_face = 0;
    made->rasterizer.fill_front = made->rasterizer.fill_back = SCH_FILL_SOLID;
    made->rasterizer.offset_tri = made->rasterizer.offset_line = made->rasterizer.offset_point = false;
    made->rasterizer.offset_scale = made->rasterizer.offset_units = 0;
    made->capture = false;
    made->divisor = 0;
    if (corners == 3)
        put_triangles(&s, captured, primitives);
    else if (corners == 2)
        put_lines(&s, captured, primitives);
    else
        put_points(&s, captured, primitives);
    made->draws[0] = (struct sch_draw){.size = sizeof made->draws[0],
                                       .primitive = SCH_PRIMITIVE_TRIANGLES,
                                       .count = made->vertex_count,
                                       .instance_count = 1};
    memset(made->instances, 0, sizeof made->instances);
    return !s.full;
}
