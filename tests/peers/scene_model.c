/* See scene_model.h. */
#include "scene_model.h"

#include <math.h>
#include <string.h>

/* ---- polygons
 * -------------------------------------------------------------------------------------------------------- */

/* The vertices of a draw, one after the other: indices, of which the base vertex is not yet added. */
static uint32_t element(const struct scene *s, const struct sch_draw *d, uint32_t n)
{
    return d->index_bytes ? s->indices[d->start + n] : d->start + n;
}

struct triangles {
    uint32_t indices[SCENE_INDICES];
    uint32_t count;
};

static void add(struct triangles *t, const uint32_t *v, unsigned a, unsigned b, unsigned c)
{
    if (t->count + 3 > SCENE_INDICES) return;
    t->indices[t->count++] = v[a];
    t->indices[t->count++] = v[b];
    t->indices[t->count++] = v[c];
}

/* How polygons are cut: so that what provokes comes first, or last, or for the rasterizer under the first convention,
 * which takes the quadrilaterals of the first and cuts them as those of the last. */
enum cut { CUT_FIRST, CUT_LAST, CUT_MIXED };

/* Mesa turns fans, quadrilaterals and polygons into triangles. */
static void cut(struct triangles *t, enum sch_primitive primitive, enum cut how, const uint32_t *v, uint32_t count)
{
    const bool first = how == CUT_FIRST;
    if (primitive == SCH_PRIMITIVE_TRIANGLE_FAN || primitive == SCH_PRIMITIVE_POLYGON) {
        const bool begins = (primitive == SCH_PRIMITIVE_POLYGON) == first; /* with the first vertex of all */
        for (uint32_t k = 1; k + 1 < count; k++) begins ? add(t, v, 0, k, k + 1) : add(t, v, k, k + 1, 0);
    } else if (primitive == SCH_PRIMITIVE_QUADS)
        for (uint32_t k = 0; k + 3 < count; k += 4) {
            add(t, v + k, 0, 1, first ? 2 : 3);
            add(t, v + k, first ? 0 : 1, 2, 3);
        }
    else
        for (uint32_t k = 0; k + 3 < count; k += 2) {
            if (how == CUT_MIXED) {
                add(t, v + k, 0, 1, 2);
                add(t, v + k, 1, 3, 2);
                continue;
            }
            first ? add(t, v + k, 0, 3, 2) : add(t, v + k, 2, 0, 3);
            add(t, v + k, 0, 1, 3);
        }
}

static bool change_to_triangles(struct scene *s, enum cut how)
{
    struct sch_draw *d = &s->draws[0];
    struct triangles t = {.count = 0};
    uint32_t run[SCENE_INDICES], length = 0;
    if (d->primitive != SCH_PRIMITIVE_TRIANGLE_FAN &&
        (d->primitive < SCH_PRIMITIVE_QUADS || d->primitive > SCH_PRIMITIVE_POLYGON))
        return false;
    if (s->rasterizer.fill_front || s->rasterizer.fill_back) return false;
    for (uint32_t n = 0; n < d->count; n++) {
        const uint32_t e = element(s, d, n);
        if (!d->restart || !d->index_bytes || e != d->restart_index) {
            run[length++] = e;
            continue;
        }
        cut(&t, d->primitive, how, run, length);
        length = 0;
    }
    cut(&t, d->primitive, how, run, length);
    if (d->primitive >= SCH_PRIMITIVE_QUADS) s->primitive_shift = d->primitive == SCH_PRIMITIVE_POLYGON ? 2 : 1;
    memcpy(s->indices, t.indices, sizeof t.indices);
    s->index_count = SCENE_INDICES;
    if (!d->index_bytes) d->index_bias = 0;
    d->index_bytes = 4;
    d->restart = false;
    d->start = 0;
    d->count = t.count;
    d->primitive = SCH_PRIMITIVE_TRIANGLES;
    return true;
}

static bool change_polygons(struct scene *s)
{
    return change_to_triangles(s, s->rasterizer.flatshade_first ? CUT_FIRST : CUT_LAST);
}

static bool change_rastered(struct scene *s)
{
    return s->rasterizer.flatshade_first && change_to_triangles(s, CUT_MIXED);
}

/* They count quadrilaterals and polygons, not their triangles, unless they capture these. */
static void adjust_polygons(const struct scene *s, const struct scene_answer *plain, struct scene_answer *a)
{
    if (!s->capture) a->counts[COUNT_GENERATED] = plain->counts[COUNT_GENERATED];
}

/* ---- clipping
 * -------------------------------------------------------------------------------------------------------- */

static bool change_distances(struct scene *s)
{
    if (s->texts[SCH_STAGE_VERTEX] != &scene_vertex[VERTEX_CLIP] || s->rasterizer.clip_plane_enable) return false;
    s->rasterizer.clip_plane_enable = 3;
    return true;
}

/* ---- numbers
 * --------------------------------------------------------------------------------------------------------- */

/* Nothing is drawn by a program that reads gl_PrimitiveID. */
static bool change_numbers(struct scene *s)
{
    if (s->texts[SCH_STAGE_FRAGMENT] != &scene_fragment[FRAGMENT_PRIMITIVE]) return false;
    s->rasterizer.rasterizer_discard = true;
    return true;
}

/* ---- depth
 * ----------------------------------------------------------------------------------------------------------- */

static bool change_units(struct scene *s)
{
    const struct sch_rasterizer_options *r = &s->rasterizer;
    if (!s->depth || s->depth->kind == SCENE_FLOAT || !(r->offset_tri || r->offset_line || r->offset_point))
        return false;
    s->rasterizer.offset_units *= 2;
    return true;
}

/* ---- points
 * ---------------------------------------------------------------------------------------------------------- */

static bool change_point_sizes(struct scene *s)
{
    if (s->draws[0].primitive != SCH_PRIMITIVE_POINTS || s->rasterizer.point_quad_rasterization) return false;
    for (uint32_t v = 0; v < s->vertex_count; v++) s->vertices[v].extra[3] = ceilf(s->vertices[v].extra[3] - 0.5f);
    return true;
}

/* ---- samples
 * --------------------------------------------------------------------------------------------------------- */

static void restore(const struct scene *s, unsigned sample, uint32_t p, struct scene_answer *a)
{
    uint8_t texel[16];
    for (unsigned t = 0; t < s->target_count; t++) {
        scene_background(s, t, 0, p, texel);
        scene_decode(s->targets[t], texel, a->color[t][0][sample][p]);
    }
    if (s->depth) {
        double value[4];
        scene_background(s, SCENE_TARGETS, 0, p, texel);
        scene_decode(s->depth, texel, value);
        a->depth[0][sample][p] = value[0];
    }
}

/* Without multisample llvmpipe draws as on one sample: colours go to all, depth to the first. */
static bool change_single(struct scene *s)
{
    if (s->samples == 1 || s->rasterizer.multisample) return false;
    s->samples = 1;
    s->uniform = true;
    return true;
}

static void adjust_single(const struct scene *s, const struct scene_answer *plain, struct scene_answer *a)
{
    (void)plain;
    for (unsigned n = 1; n < s->samples; n++)
        for (uint32_t p = 0; p < SCENE_PIXELS; p++) {
            restore(s, n, p, a);
            memcpy(a->color[0][0][n][p], a->color[0][0][0][p], sizeof a->color[0][0][0][p]);
        }
}

/* Samples of a pixel that a mask of the pixel's column excludes. */
static void mask_columns(const struct scene *s, struct scene_answer *a, uint32_t (*mask)(uint32_t column))
{
    for (unsigned n = 0; n < s->samples; n++)
        for (uint32_t p = 0; p < SCENE_PIXELS; p++)
            if (!(mask(p % SCENE_SIDE) >> n & 1)) restore(s, n, p, a);
}

/* A sample is covered if alpha is greater than its number by four. */
static bool change_alpha(struct scene *s)
{
    if (s->samples == 1 || !s->blend.alpha_to_coverage) return false;
    s->blend.alpha_to_coverage = false;
    return true;
}

static uint32_t alpha_mask(uint32_t x)
{
    const double alpha = (x + 0.5) / SCENE_SIDE;
    return (1u << (unsigned)ceil(alpha * SCENE_SAMPLES)) - 1;
}

static void adjust_alpha(const struct scene *s, const struct scene_answer *plain, struct scene_answer *a)
{
    (void)plain;
    mask_columns(s, a, alpha_mask);
}

/* Centroid inputs of programs that run for each sample are those of the pixel. */
static bool change_centroid(struct scene *s)
{
    if (s->texts[SCH_STAGE_FRAGMENT] != &scene_fragment[FRAGMENT_SAMPLE] || s->location != LOCATION_CENTROID ||
        s->interpolation == INTERPOLATE_FLAT || !s->rasterizer.multisample)
        return false;
    s->texts[SCH_STAGE_FRAGMENT] = &scene_fragment[FRAGMENT_COLOR];
    return true;
}

/* What the program makes of its input, where it has drawn. */
static void times(const struct scene *s, unsigned sample, double value[4])
{
    uint8_t texel[16];
    double before[4];
    scene_background(s, 0, 0, 0, texel);
    scene_decode(s->targets[0], texel, before);
    if (!memcmp(before, value, sizeof before)) return;
    for (unsigned c = 0; c < 4; c++) value[c] *= sample * 0.25;
}

static void adjust_centroid(const struct scene *s, const struct scene_answer *plain, struct scene_answer *a)
{
    (void)plain;
    for (unsigned n = 0; n < s->samples; n++)
        for (uint32_t p = 0; p < SCENE_PIXELS; p++) times(s, n, a->color[0][0][n][p]);
}

#define NONE NULL
const struct scene_mistake scene_mistakes[] = {
    [SCENE_CAPTURED_CUT] = {"triangles-of-polygons", 3, change_polygons, adjust_polygons, false},
    [SCENE_RASTERED_CUT] = {"polygons-of-the-last", 3, change_rastered, adjust_polygons, false},
    {"distances-that-are-off", 3, change_distances, NONE, false},
    {"points-of-half-sizes", 1, change_point_sizes, NONE, false},
    {"alpha-to-coverage", 1, change_alpha, adjust_alpha, true},
    {"multisample-off", 1, change_single, adjust_single, false},
    {"offset-units-twice", 3, change_units, NONE, false},
    {"primitive-numbers", 2, change_numbers, NONE, false},
    {"centroid-of-samples", 1, change_centroid, adjust_centroid, false},
};
const unsigned scene_mistake_count = sizeof scene_mistakes / sizeof *scene_mistakes;

/* ---- places
 * ---------------------------------------------------------------------------------------------------------- */

void scene_move(struct scene *s, unsigned place)
{
    static const int8_t steps[SCENE_PLACES][3] = {{0, 0, 0},  {-1, -1, 0}, {0, -1, 0}, {1, -1, 0},
                                                  {-1, 0, 0}, {1, 0, 0},   {-1, 1, 0}, {0, 1, 0},
                                                  {1, 1, 0},  {0, 0, 1},   {0, 0, -1}};
    for (unsigned n = 0; n < SCENE_VIEWPORTS; n++) {
        s->windows[n].x += (float)steps[place][0] / 256;
        s->windows[n].y += (float)steps[place][1] / 256;
    }
    if (steps[place][2]) {
        s->rasterizer.offset_tri = s->rasterizer.offset_line = s->rasterizer.offset_point = true;
        s->rasterizer.offset_units += (float)steps[place][2];
    }
}
