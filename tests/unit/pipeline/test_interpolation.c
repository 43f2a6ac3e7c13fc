/* What is interpolated over triangles, at every width, against exact rationals: attributes with and without
 * perspective, depth, POSITION, and the places where inputs are evaluated. The order of a triangle's corners changes
 * nothing, nor does what has no part in it. SCH_LONG=1: more triangles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gmp.h>
#include <math.h>

#include "next_level.h"
#include "ops/ops.h"
#include "pipeline/samples.h"
#include "pipeline/triangle.h"
#include "triangle_reference.h"

enum { SIDE = 8192, QUADS = SCH_GROUP_QUADS, LANES = SCH_GROUP_LANES };

static uint64_t seed;

/* ---- triangles with attributes ---- */

struct triangle {
    struct sch_corner corners[3];
    uint32_t words[3][8]; /* of vertices: four floats from word 2 on */
    bool linear;          /* w is the same everywhere */
};

static double random_part(void) { return (double)random_in(&seed, 0, 1 << 24) / (1 << 24); }

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* About a pixel; never without area. Attributes are of all sizes, some with a range that is small against them. */
static void make_triangle(struct triangle *t, struct place center)
{
    static const int64_t reaches[] = {30, 400, 5000, 100000, 1500000};
    const int64_t reach = reaches[next_random(&seed) % 5];
    struct place places[3];
    do
        for (unsigned i = 0; i < 3; i++)
            places[i] =
                (struct place){center.x + random_in(&seed, -reach, reach), center.y + random_in(&seed, -reach, reach)};
    while (area_of(places[0], places[1], places[2]) == 0);
    t->linear = next_random(&seed) % 4 == 0;
    const int spread = (int)random_in(&seed, 0, 20);
    const double w = ldexp(1 + random_part(), (int)random_in(&seed, -60, 60));
    for (unsigned i = 0; i < 3; i++) {
        t->corners[i] = (struct sch_corner){.x = (int32_t)places[i].x, .y = (int32_t)places[i].y, .vertex = i};
        t->corners[i].z = (float)random_part();
        t->corners[i].inverse_w =
            (float)(t->linear ? w : w * ldexp(1 + random_part(), (int)random_in(&seed, -spread, spread)));
        for (unsigned c = 0; c < 4; c++) {
            const double base = c == 0 ? 0 : c == 1 ? 1000 : -3;
            t->words[i][2 + c] = bits_of((float)(base + ldexp(random_part() - 0.5, c == 3 ? 20 : 0)));
        }
    }
}

static void set_up_in(const struct sch_setup *setup, const struct triangle *t, struct sch_interpolant *of)
{
    struct sch_raster_primitive primitive;
    memset(&primitive, 0, sizeof primitive);
    assert_true(sch_setup_triangle(setup, t->corners, 0, &primitive));
    *of = primitive.of;
}

/* A draw that covers every triangle's box. */
static void plain_setup(struct sch_setup *setup)
{
    const struct sch_rasterizer_options rasterizer = {.half_pixel_center = true, .multisample = true};
    struct sch_dynamic_state dynamic = {.viewport_count = 1};
    dynamic.viewports[0] = (struct sch_viewport){.scale = {SIDE, SIDE, 1}, .translate = {SIDE / 2, SIDE / 2, 0}};
    sch_setup_init(setup, next_level(), &rasterizer, &dynamic, SIDE, SIDE, 16, SCH_FORMAT_NONE);
}

/* A quad of a group. */
static void set_quad(struct sch_quads *quads, unsigned q, const struct triangle *t, const struct sch_interpolant *of,
                     int32_t x, int32_t y)
{
    quads->x[q] = x;
    quads->y[q] = y;
    quads->of[q] = of;
    for (unsigned i = 0; i < 3; i++) quads->vertex[q][i] = t->words[of->vertex[i]];
    quads->vertex[q][SCH_QUAD_PROVOKING] = t->words[2];
}

/* A place that is in the triangle, more or less. */
static struct place place_in(const struct triangle *t)
{
    const struct sch_corner *c = t->corners;
    const int64_t u = random_in(&seed, 0, 256), v = random_in(&seed, 0, 256 - u);
    return (struct place){c[0].x + ((c[1].x - c[0].x) * u + (c[2].x - c[0].x) * v) / 256,
                          c[0].y + ((c[1].y - c[0].y) * u + (c[2].y - c[0].y) * v) / 256};
}

static int32_t even_pixel(int64_t place) { return (int32_t)(place >> 8) & ~1; }

struct group {
    struct triangle triangles[QUADS];
    struct sch_interpolant of[QUADS];
    struct sch_quads quads;
};

/* Of one triangle the first quad says it: nothing is read of the others but where they are. */
static void name_once(struct sch_quads *quads)
{
    quads->same = true;
    for (unsigned q = 1; q < QUADS; q++) {
        quads->of[q] = NULL;
        quads->vertex[q][SCH_QUAD_PROVOKING] = NULL;
        for (unsigned i = 0; i < 3; i++) quads->vertex[q][i] = NULL;
    }
}

/* Eight quads of one triangle or of eight. */
static void make_group(struct group *group, bool same)
{
    struct sch_setup setup;
    plain_setup(&setup);
    memset(group, 0, sizeof *group);
    group->quads.same = same;
    for (unsigned q = 0; q < QUADS; q++) {
        const unsigned n = same ? 0 : q;
        struct triangle *t = &group->triangles[n];
        struct place p = {random_in(&seed, 500000, 1500000), random_in(&seed, 500000, 1500000)};
        if (n == q) {
            struct sch_raster_primitive primitive;
            do { /* one that has a pixel */
                make_triangle(t, p);
            } while (!sch_setup_triangle(&setup, t->corners, 0, &primitive));
            set_up_in(&setup, t, &group->of[n]);
        }
        p = place_in(t);
        set_quad(&group->quads, q, t, &group->of[n], even_pixel(p.x), even_pixel(p.y));
    }
    if (same) name_once(&group->quads);
}

/* ---- exact values ---- */

struct exact {
    mpq_t e[3], area, sum, value, term;
};

static void open_exact(struct exact *x)
{
    mpq_inits(x->e[0], x->e[1], x->e[2], x->area, x->sum, x->value, x->term, NULL);
}
static void close_exact(struct exact *x)
{
    mpq_clears(x->e[0], x->e[1], x->e[2], x->area, x->sum, x->value, x->term, NULL);
}

/* The areas opposite to each corner, and all of it. */
static void exact_areas(struct exact *x, const struct triangle *t, struct place p)
{
    struct place c[3];
    for (unsigned i = 0; i < 3; i++) c[i] = (struct place){t->corners[i].x, t->corners[i].y};
    for (unsigned i = 0; i < 3; i++) mpq_set_si(x->e[i], (long)area_of(c[(i + 1) % 3], c[(i + 2) % 3], p), 1);
    mpq_set_si(x->area, (long)area_of(c[0], c[1], c[2]), 1);
}

/* OpenGL 14.9 and 14.10: `value` becomes the mean of the three values with the areas, times 1 / w. `least` and `most`
 * receive what the weights are. */
static void exact_mean(struct exact *x, const struct triangle *t, const double values[3], bool perspective,
                       double *least, double *most)
{
    double weight[3];
    mpq_set_si(x->sum, 0, 1);
    mpq_set_si(x->value, 0, 1);
    for (unsigned i = 0; i < 3; i++) {
        if (perspective) {
            mpq_set_d(x->term, (double)t->corners[i].inverse_w);
            mpq_mul(x->e[i], x->e[i], x->term);
        }
        mpq_add(x->sum, x->sum, x->e[i]);
        mpq_set_d(x->term, values[i]);
        mpq_mul(x->term, x->term, x->e[i]);
        mpq_add(x->value, x->value, x->term);
    }
    *least = INFINITY;
    *most = -INFINITY;
    if (mpq_sgn(x->sum) == 0) return;
    mpq_div(x->value, x->value, x->sum);
    for (unsigned i = 0; i < 3; i++) {
        mpq_div(x->term, x->e[i], x->sum);
        weight[i] = mpq_get_d(x->term);
        *least = fmin(*least, weight[i]);
        *most = fmax(*most, weight[i]);
    }
}

/* |value - x->value|. */
static double error_of(struct exact *x, double value)
{
    mpq_set_d(x->term, value);
    mpq_sub(x->term, x->term, x->value);
    return fabs(mpq_get_d(x->term));
}

static struct place lane_place(const struct sch_quads *quads, const struct sch_lane_places *places, unsigned lane)
{
    const int64_t x = quads->x[lane / 4] + (int32_t)(lane & 1), y = quads->y[lane / 4] + (int32_t)(lane >> 1 & 1);
    if (places->uniform) return (struct place){x * 256 + 128 + places->offset[0], y * 256 + 128 + places->offset[1]};
    return (struct place){(int32_t)places->x.u[lane], (int32_t)places->y.u[lane]};
}

/* ---- attributes ---- */

struct values {
    struct sch_lane_places places;
    struct sch_weights perspective, linear;
    struct sch_lanes smooth[4], straight[4];
    struct sch_double_lanes z;
};

static void evaluate_at(struct values *v, const struct sch_ops *ops, const struct sch_quads *quads)
{
    ops->weights(&v->perspective, &v->linear, quads, &v->places);
    ops->attributes(v->smooth, 15, &v->perspective, quads, 2);
    ops->attributes(v->straight, 15, &v->linear, quads, 2);
    ops->depth(&v->z, quads, &v->places);
}

static void evaluate(struct values *v, const struct sch_ops *ops, const struct sch_quads *quads, int32_t x, int32_t y)
{
    memset(v, 0, sizeof *v);
    ops->places(&v->places, quads, x, y);
    evaluate_at(v, ops, quads);
}

/* Each lane somewhere else in its pixel, or next to it. */
static void evaluate_apart(struct values *v, const struct sch_ops *ops, const struct sch_quads *quads)
{
    struct sch_lanes x, y;
    memset(v, 0, sizeof *v);
    v->places.uniform = true;
    for (unsigned lane = 0; lane < LANES; lane++) {
        x.u[lane] = bits_of((float)((int)(lane * 5 % 23) - 11) / 16);
        y.u[lane] = bits_of((float)((int)(lane * 7 % 19) - 9) / 16);
    }
    ops->places_offset(&v->places, quads, &x, &y);
    assert_false(v->places.uniform);
    evaluate_at(v, ops, quads);
}

/* Inside of the triangle the bound is 2^-20 of the range and a last place of the largest; near it 16 times that. */
static void check_attribute(struct exact *x, const struct triangle *t, struct place p, unsigned channel, float got,
                            bool perspective)
{
    double values[3], least, most, low = INFINITY, high = -INFINITY;
    for (unsigned i = 0; i < 3; i++) {
        values[i] = (double)float_of(t->words[i][2 + channel]);
        low = fmin(low, values[i]);
        high = fmax(high, values[i]);
    }
    exact_areas(x, t, p);
    exact_mean(x, t, values, perspective, &least, &most);
    if (least < -1 || most > 2) return; /* far outside */
    const float largest = (float)fmax(fabs(low), fabs(high));
    const double ulp = (double)(nextafterf(largest, INFINITY) - largest);
    const double bound = (ldexp(high - low, -20) + ulp) * (least < 0 ? 16 : 1), error = error_of(x, (double)got);
    if (!(error <= bound))
        fail_msg("channel %u: %.9g, off by %g, bound %g; weights from %g to %g", channel, (double)got, error, bound,
                 least, most);
}

static void attributes_are_exact_enough(void **state)
{
    (void)state;
    static struct group group;
    static struct values v, other;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    const unsigned rounds = getenv("SCH_LONG") ? 50000 : 2000;
    struct exact x;
    open_exact(&x);
    for (unsigned round = 0; round < rounds; round++) {
        make_group(&group, round & 1);
        const int32_t dx = (int32_t)random_in(&seed, -8, 7) * 16, dy = (int32_t)random_in(&seed, -8, 7) * 16;
        const bool apart = round % 4 == 0;
        for (unsigned i = 0; i < count; i++) {
            struct values *to = i ? &other : &v;
            if (apart)
                evaluate_apart(to, levels[i], &group.quads);
            else
                evaluate(to, levels[i], &group.quads, dx, dy);
            if (i) assert_memory_equal(&v, &other, sizeof v);
        }
        assert_true(apart || (v.places.uniform && v.places.offset[0] == dx && v.places.offset[1] == dy));
        for (unsigned lane = 0; lane < LANES; lane++) {
            const struct triangle *t = &group.triangles[group.quads.same ? 0 : lane / 4];
            const struct place p = lane_place(&group.quads, &v.places, lane);
            for (unsigned c = 0; c < 4; c++) {
                check_attribute(&x, t, p, c, float_of(v.smooth[c].u[lane]), true);
                check_attribute(&x, t, p, c, float_of(v.straight[c].u[lane]), false);
            }
        }
    }
    close_exact(&x);
}

/* Makes the quads those of a block. */
static void place_block(struct sch_quads *quads)
{
    quads->block = true;
    quads->x[0] &= ~(SCH_BLOCK_WIDTH - 1);
    quads->y[0] &= ~(SCH_BLOCK_HEIGHT - 1);
    for (unsigned q = 1; q < QUADS; q++) {
        quads->x[q] = quads->x[0] + (int32_t)(q % 4 * 2);
        quads->y[q] = quads->y[0] + (int32_t)(q / 4 * 2);
    }
}

/* A group of one primitive, also as a block, and the same quads one by one as if of many give the same bits. */
static void groups_do_not_matter(void **state)
{
    (void)state;
    static struct group group;
    static struct values one, many;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned round = 0; round < 200; round++) {
        make_group(&group, true);
        if (round & 1) place_block(&group.quads);
        struct sch_quads each = group.quads;
        each.same = false;
        for (unsigned q = 0; q < QUADS; q++)
            set_quad(&each, q, &group.triangles[0], &group.of[0], each.x[q], each.y[q]);
        for (unsigned i = 0; i < count; i++) {
            evaluate(&one, levels[i], &group.quads, 112, -48);
            evaluate(&many, levels[i], &each, 112, -48);
            assert_memory_equal(&one, &many, sizeof one);
        }
    }
}

static void equal_values_stay(void **state)
{
    (void)state;
    static struct group group;
    static struct values v;
    static const uint32_t words[] = {0x3f800000, 0x7f800000, 0xff800000, 0x00000001, 0x7f7fffff,
                                     0xc2280001, 0,          0x00800000, 0xbdcccccd, 0x4b800001};
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned round = 0; round < 200; round++) {
        make_group(&group, round & 1);
        for (unsigned q = 0; q < QUADS; q++)
            for (unsigned i = 0; i < 3; i++)
                for (unsigned c = 0; c < 4; c++)
                    group.triangles[q].words[i][2 + c] = words[(q * (group.quads.same ? 0 : 1) + c + round) % 10];
        for (unsigned level = 0; level < count; level++) {
            evaluate(&v, levels[level], &group.quads, 16, -48);
            for (unsigned lane = 0; lane < LANES; lane++)
                for (unsigned c = 0; c < 4; c++) {
                    const uint32_t word = words[(lane / 4 * (group.quads.same ? 0 : 1) + c + round) % 10];
                    assert_int_equal(v.smooth[c].u[lane], word);
                    assert_int_equal(v.straight[c].u[lane], word);
                }
        }
    }
}

/* Differences that are too large are infinite, and what is not a number has the bits 0x7fc00000. */
static void overflow_and_nan_have_one_answer(void **state)
{
    (void)state;
    struct triangle t = {.corners = {{.x = 256000, .y = 256000, .inverse_w = 1},
                                     {.x = 512000, .y = 256000, .inverse_w = 1, .vertex = 1},
                                     {.x = 256000, .y = 512000, .inverse_w = 1, .vertex = 2}}};
    static struct sch_quads quads;
    static struct values v;
    struct sch_setup setup;
    struct sch_interpolant of;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    const float values[3][4] = {{-3e38f, INFINITY, 1, 1}, {3e38f, INFINITY, 1, NAN}, {3e38f, 1, INFINITY, 1}};
    memcpy(t.words[0] + 2, values[0], sizeof values[0]);
    memcpy(t.words[1] + 2, values[1], sizeof values[1]);
    memcpy(t.words[2] + 2, values[2], sizeof values[2]);
    plain_setup(&setup);
    set_up_in(&setup, &t, &of);
    for (unsigned q = 0; q < QUADS; q++) set_quad(&quads, q, &t, &of, 1200, 1300);
    for (unsigned i = 0; i < count; i++) {
        evaluate(&v, levels[i], &quads, 0, 0);
        assert_int_equal(v.smooth[0].u[0], 0x7f800000);
        assert_int_equal(v.smooth[1].u[0], 0x7fc00000); /* infinity - infinity */
        assert_int_equal(v.smooth[2].u[0], 0x7f800000);
        assert_int_equal(v.smooth[3].u[0], 0x7fc00000);
    }
}

static void constants_are_the_provoking_vertex(void **state)
{
    (void)state;
    static struct group group;
    static struct sch_lanes dst[4];
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    make_group(&group, false);
    group.triangles[3].words[2][3] = 0xffc12345; /* bits pass, whatever they are */
    for (unsigned i = 0; i < count; i++) {
        memset(dst, 0x55, sizeof dst);
        levels[i]->constants(dst, 5 + 2, &group.quads, 2);
        for (unsigned lane = 0; lane < LANES; lane++) {
            for (unsigned c = 0; c < 3; c++)
                assert_int_equal(dst[c].u[lane], group.triangles[lane / 4].words[2][2 + c]);
            assert_int_equal(dst[3].u[lane], 0x55555555);
        }
        memset(dst, 0x55, sizeof dst);
        static struct sch_weights weights;
        levels[i]->attributes(dst, 8, &weights, &group.quads, 2);
        assert_int_equal(dst[0].u[5], 0x55555555);
        assert_int_not_equal(dst[3].u[5], 0x55555555);
    }
}

/* ---- what has no part in it ---- */

/* Any order of the corners, either way round. */
static void corners_may_be_rotated(void **state)
{
    (void)state;
    static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    static struct group group;
    static struct values first, other;
    struct sch_setup setup;
    plain_setup(&setup);
    const struct sch_ops *ops = sch_ops_for_width(0);
    for (unsigned round = 0; round < 500; round++) {
        make_group(&group, true);
        evaluate(&first, ops, &group.quads, 0, 0);
        for (unsigned order = 1; order < 6; order++) {
            struct triangle turned = group.triangles[0];
            struct sch_interpolant of;
            struct sch_quads quads = group.quads;
            for (unsigned i = 0; i < 3; i++) turned.corners[i] = group.triangles[0].corners[orders[order][i]];
            set_up_in(&setup, &turned, &of);
            for (unsigned q = 0; q < QUADS; q++) set_quad(&quads, q, &turned, &of, quads.x[q], quads.y[q]);
            evaluate(&other, ops, &quads, 0, 0);
            assert_memory_equal(&first, &other, sizeof first);
        }
    }
}

/* Depth is a function of the corners' positions alone. */
static void depth_depends_on_positions_only(void **state)
{
    (void)state;
    static struct group group;
    static struct values first, other;
    for (unsigned round = 0; round < 500; round++) {
        make_group(&group, true);
        evaluate(&first, sch_ops_for_width(4), &group.quads, 0, 0);
        struct triangle changed = group.triangles[0];
        struct sch_rasterizer_options rasterizer = {.half_pixel_center = true,
                                                    .front_ccw = round & 1,
                                                    .bottom_edge_rule = round & 2,
                                                    .multisample = round & 4,
                                                    .depth_clamp = round & 8,
                                                    .scissor = round & 16,
                                                    .poly_smooth = round & 32,
                                                    .clip_halfz = round & 64,
                                                    .conservative = (enum sch_conservative)(round % 3)};
        struct sch_dynamic_state dynamic = {.viewport_count = 1};
        struct sch_setup setup;
        struct sch_interpolant of;
        struct sch_quads quads = group.quads;
        dynamic.viewports[0] =
            (struct sch_viewport){.scale = {SIDE, -SIDE, 0.25f}, .translate = {SIDE / 2, SIDE / 2 + 0.4f, 0.5f}};
        dynamic.scissors[0] = (struct sch_scissor){0, 0, 100000, SIDE - 1};
        sch_setup_init(&setup, next_level(), &rasterizer, &dynamic, SIDE, SIDE, round & 128 ? 4 : 16,
                       SCH_FORMAT_Z16_UNORM);
        for (unsigned i = 0; i < 3; i++) changed.corners[i].inverse_w = (float)(0.001 + random_part());
        struct sch_raster_primitive primitive;
        memset(&primitive, 0, sizeof primitive);
        if (!sch_setup_triangle(&setup, changed.corners, 0, &primitive)) continue; /* no centre in its box */
        of = primitive.of;
        for (unsigned q = 0; q < QUADS; q++) set_quad(&quads, q, &changed, &of, quads.x[q], quads.y[q]);
        evaluate(&other, sch_ops_for_width(0), &quads, 0, 0);
        assert_memory_equal(&first.z, &other.z, sizeof first.z);
    }
}

/* ---- depth and POSITION ---- */

/* Against exact rationals: of places in the triangle within 2^-50. */
static void depth_is_nearly_exact(void **state)
{
    (void)state;
    static struct group group;
    static struct values v;
    const unsigned rounds = getenv("SCH_LONG") ? 50000 : 4000;
    double worst = 0;
    struct exact x;
    open_exact(&x);
    for (unsigned round = 0; round < rounds; round++) {
        make_group(&group, round & 1);
        if (round % 4 < 2)
            evaluate(&v, sch_ops_for_width(0), &group.quads, 0, 0);
        else
            evaluate_apart(&v, sch_ops_for_width(0), &group.quads);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const struct triangle *t = &group.triangles[group.quads.same ? 0 : lane / 4];
            const double values[3] = {(double)t->corners[0].z, (double)t->corners[1].z, (double)t->corners[2].z};
            double least, most;
            exact_areas(&x, t, lane_place(&group.quads, &v.places, lane));
            exact_mean(&x, t, values, false, &least, &most);
            if (least < 0) continue;
            worst = fmax(worst, error_of(&x, v.z.d[lane]));
        }
    }
    print_message("largest error of depth: %.3g units of 24 bits\n", worst * 0x1p24);
    assert_true(worst > 0 && worst < 0x1p-50);
    close_exact(&x);
}

static void check_w(struct exact *x, const struct triangle *t, struct place p, float got)
{
    double values[3], least, most;
    for (unsigned i = 0; i < 3; i++) values[i] = (double)t->corners[i].inverse_w;
    exact_areas(x, t, p);
    exact_mean(x, t, values, false, &least, &most);
    if (t->linear) {
        assert_int_equal(bits_of(got), bits_of(t->corners[0].inverse_w));
        return;
    }
    if (least < 0) return;
    const double error = error_of(x, (double)got), right = mpq_get_d(x->value);
    if (!(error <= right * 0x1p-21)) fail_msg("1 / w: %g, off by %g of %g", (double)got, error, right);
}

static void position_is_what_the_text_says(void **state)
{
    (void)state;
    static struct group group;
    static struct values v;
    static struct sch_lanes dst[4];
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    struct exact x;
    open_exact(&x);
    for (unsigned round = 0; round < 200; round++) {
        const struct sch_position_key key = {.lower_left = round & 1, .integer_center = round & 2, .height = 5001};
        const struct sch_ops *ops = levels[round % count];
        make_group(&group, round & 4);
        for (unsigned q = 0; q < QUADS; q++) {
            group.of[q].depth_min = 0.25f - (float)q / 64;
            group.of[q].depth_max = 0.75f - (float)q / 64;
        }
        evaluate(&v, ops, &group.quads, round & 8 ? 0 : 96, round & 8 ? 0 : -16);
        ops->position(dst, 15, &key, &group.quads, &v.places);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const struct place p = lane_place(&group.quads, &v.places, lane);
            const double half = key.integer_center ? 0.5 : 0, y = (double)p.y / 256;
            assert_float_equal(float_of(dst[0].u[lane]), (double)p.x / 256 - half, 0);
            assert_float_equal(float_of(dst[1].u[lane]), (key.lower_left ? 5001 - y : y) - half, 0);
            const double less = group.quads.same ? 0 : (double)(lane / 4) / 64;
            const double z = fmin(fmax(v.z.d[lane], 0.25 - less), 0.75 - less);
            assert_int_equal(dst[2].u[lane], bits_of((float)z));
            check_w(&x, &group.triangles[group.quads.same ? 0 : lane / 4], p, float_of(dst[3].u[lane]));
        }
        const struct sch_position_key direct3d = {.d3d = true};
        const struct sch_lanes inverse = dst[3];
        ops->position(dst, 12, &direct3d, &group.quads, &v.places);
        for (unsigned lane = 0; lane < LANES; lane++) { /* D3D 16.3.1: z is not clamped */
            assert_int_equal(dst[2].u[lane], bits_of((float)v.z.d[lane]));
            assert_int_equal(dst[3].u[lane], bits_of(1.0f / float_of(inverse.u[lane])));
        }
    }
    close_exact(&x);
}

/* A zero that is clamped has the sign of its range's end: behind two edges depth may be -0. */
static void clamped_zeros_are_the_end(void **state)
{
    (void)state;
    static const struct sch_position_key key = {.height = 1};
    static struct group group;
    static struct values v;
    static struct sch_lanes dst[4];
    unsigned count, negative = 0;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    do make_group(&group, true);
    while (group.of[0].area < 0x1p30);
    const struct sch_corner *corners = group.triangles[0].corners;
    const uint32_t *of = group.of[0].vertex;
    for (unsigned i = 0; i < 3; i++) group.of[0].depth[i] = i ? 0.0 : -0.0;
    for (unsigned q = 0; q < QUADS; q++) { /* on the other side of the first corner */
        group.quads.x[q] = even_pixel(INT64_C(3) * corners[of[0]].x - corners[of[1]].x - corners[of[2]].x);
        group.quads.y[q] = even_pixel(INT64_C(3) * corners[of[0]].y - corners[of[1]].y - corners[of[2]].y);
    }
    group.of[0].depth_min = 0;
    group.of[0].depth_max = 1;
    for (unsigned i = 0; i < count; i++) {
        evaluate(&v, levels[i], &group.quads, 0, 0);
        levels[i]->position(dst, 4, &key, &group.quads, &v.places);
        for (unsigned lane = 0; lane < LANES; lane++) {
            assert_int_equal(dst[2].u[lane], 0);
            negative += signbit(v.z.d[lane]) != 0;
        }
        struct sch_interpolant below = group.of[0];
        struct sch_quads quads = group.quads;
        below.depth[0] = 0.0;
        below.depth_min = -1;
        below.depth_max = -0.0f;
        quads.of[0] = &below;
        levels[i]->position(dst, 4, &key, &quads, &v.places);
        for (unsigned lane = 0; lane < LANES; lane++) assert_int_equal(dst[2].u[lane], 0x80000000);
    }
    assert_true(negative > 0);
}

/* What of a result is asked for, and where lanes are, changes nothing else: channels that are not in the mask stay, and
 * the others are as if all were. */
static void check_masks(const struct sch_ops *ops, const struct group *group, const struct values *v)
{
    static const struct sch_position_key key = {.height = 77};
    struct sch_lanes all[3][4], some[3][4], before[4];
    ops->attributes(all[0], 15, &v->perspective, &group->quads, 2);
    ops->constants(all[1], 15, &group->quads, 2);
    ops->position(all[2], 15, &key, &group->quads, &v->places);
    for (unsigned mask = 0; mask < 16; mask++) {
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < LANES; lane++) before[c].u[lane] = (uint32_t)next_random(&seed);
        for (unsigned of = 0; of < 3; of++) memcpy(some[of], before, sizeof before);
        ops->attributes(some[0], mask, &v->perspective, &group->quads, 2);
        ops->constants(some[1], mask, &group->quads, 2);
        ops->position(some[2], mask, &key, &group->quads, &v->places);
        for (unsigned of = 0; of < 3; of++)
            for (unsigned c = 0; c < 4; c++)
                assert_memory_equal(&some[of][c], mask >> c & 1 ? &all[of][c] : &before[c], sizeof before[c]);
    }
}

/* Weights of one kind are those of both. */
static void check_kinds(const struct sch_ops *ops, const struct group *group, const struct values *v)
{
    struct sch_weights weights;
    ops->weights(&weights, NULL, &group->quads, &v->places);
    assert_memory_equal(&weights, &v->perspective, sizeof weights);
    ops->weights(NULL, &weights, &group->quads, &v->places);
    assert_memory_equal(&weights, &v->linear, sizeof weights);
}

static void check_range(const struct sch_ops *ops, const struct sch_quads *quads)
{
    struct sch_lanes min, max;
    ops->depth_range(&min, &max, quads);
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct sch_interpolant *of = quads->of[quads->same ? 0 : lane / 4];
        assert_int_equal(min.u[lane], bits_of(of->depth_min));
        assert_int_equal(max.u[lane], bits_of(of->depth_max));
    }
}

static void parts_are_those_of_all(void **state)
{
    (void)state;
    static struct group group;
    static struct values v;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned round = 0; round < 100; round++) {
        make_group(&group, round & 1);
        if (round & 2) place_block(&group.quads);
        for (unsigned q = 0; q < QUADS; q++) {
            group.of[q].depth_min = (float)q / 64;
            group.of[q].depth_max = (float)(q + round) / 16;
        }
        for (unsigned i = 0; i < count; i++) {
            check_range(levels[i], &group.quads);
            evaluate(&v, levels[i], &group.quads, 48, round & 4 ? 0 : -96);
            check_masks(levels[i], &group, &v);
            check_kinds(levels[i], &group, &v);
        }
    }
}

/* In the triangle, or on its edges. */
static bool closed_in(const struct place c[3], struct place p)
{
    const int area = sign_of(area_of(c[0], c[1], c[2]));
    bool in = true;
    for (unsigned i = 0; i < 3; i++) in &= sign_of(area_of(c[i], c[(i + 1) % 3], p)) != -area;
    return in;
}

/* 1 / w of very different sizes, also where only the smallest ones count, on edges and corners: weights are numbers
 * between 0 and 1. */
static void extreme_w_has_weights(void **state)
{
    (void)state;
    static const float sizes[] = {0x1p126f, 0x1p-126f, 0x1p-128f, 1, 0x1p60f, 3e-30f};
    static const int32_t at[QUADS][2] = {{100, 100}, {110, 100}, {138, 100}, {100, 120},
                                         {120, 120}, {118, 120}, {100, 138}, {130, 108}};
    const struct place c[3] = {{25728, 25728}, {25728 + 10240, 25728}, {25728, 25728 + 10240}};
    static struct sch_quads quads;
    static struct values v;
    struct sch_setup setup;
    plain_setup(&setup);
    unsigned inside = 0;
    for (unsigned round = 0; round < 216; round++) {
        struct triangle t = {.linear = false};
        struct sch_interpolant of;
        for (unsigned i = 0; i < 3; i++) {
            t.corners[i] = (struct sch_corner){.x = (int32_t)c[i].x, .y = (int32_t)c[i].y, .vertex = i};
            t.corners[i].inverse_w = sizes[(i == 0 ? round : i == 1 ? round / 6 : round / 36) % 6];
        }
        set_up_in(&setup, &t, &of);
        for (unsigned q = 0; q < QUADS; q++) set_quad(&quads, q, &t, &of, at[q][0], at[q][1]);
        evaluate(&v, sch_ops_for_width(0), &quads, 0, 0);
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (!closed_in(c, lane_place(&quads, &v.places, lane))) continue;
            const float l1 = float_of(v.perspective.l1.u[lane]), l2 = float_of(v.perspective.l2.u[lane]);
            assert_true(l1 >= 0 && l2 >= 0 && l1 + l2 <= 1.000001f);
            inside++;
        }
    }
    assert_int_equal(inside % 216, 0);
    assert_true(inside > 216 * 16);
}

/* ---- places ---- */

/* D3D 3.5.5, a lane at a time. */
static struct place expected_centroid(const struct sch_sample_pattern *pattern, const uint32_t *masks, unsigned lane,
                                      uint32_t sample_mask)
{
    const uint32_t samples = (uint32_t)((UINT64_C(1) << pattern->samples) - 1);
    uint32_t covered = 0;
    for (uint32_t s = 0; s < pattern->samples; s++) covered |= (masks[s] >> lane & 1) << s;
    if (covered == samples) return (struct place){0, 0};
    uint32_t of = covered & sample_mask & samples;
    if (!of && (sample_mask & samples) != samples) of = sample_mask & samples;
    if (!of) return (struct place){0, 0};
    const unsigned first = (unsigned)__builtin_ctz(of);
    return (struct place){pattern->x[first], pattern->y[first]};
}

/* How far from the centres places are, in pixels. */
static void check_offsets(const struct sch_ops *ops, const struct sch_quads *quads,
                          const struct sch_lane_places *places)
{
    struct sch_lanes offset[2], position[2];
    ops->offsets(offset, 0, quads, places);
    ops->offsets(position, 0.5f, quads, places);
    for (unsigned lane = 0; lane < LANES; lane++) {
        const struct place p = lane_place(quads, places, lane);
        const float x = (float)(p.x - (quads->x[lane / 4] + (int)(lane & 1)) * 256 - 128) / 256;
        const float y = (float)(p.y - (quads->y[lane / 4] + (int)(lane >> 1 & 1)) * 256 - 128) / 256;
        assert_memory_equal(&offset[0].u[lane], &x, sizeof x);
        assert_memory_equal(&offset[1].u[lane], &y, sizeof y);
        const float right = x + 0.5f, down = y + 0.5f;
        assert_memory_equal(&position[0].u[lane], &right, sizeof right);
        assert_memory_equal(&position[1].u[lane], &down, sizeof down);
    }
}

static void centroids_are_covered(void **state)
{
    (void)state;
    static struct group group;
    static struct sch_lane_places places;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    make_group(&group, false);
    for (unsigned round = 0; round < 500; round++) {
        uint32_t masks[SCH_MAX_SAMPLES];
        struct sch_sample_pattern pattern;
        const uint32_t kind = round % 4;
        uint32_t sample_mask = kind == 0 ? UINT32_MAX : (uint32_t)next_random(&seed);
        if (kind == 3) sample_mask &= (uint32_t)next_random(&seed) & 0x421;
        sch_sample_pattern(1u << round % 5, &pattern);
        for (uint32_t s = 0; s < pattern.samples; s++) {
            masks[s] = (uint32_t)next_random(&seed);
            if (round % 3 == 0) masks[s] |= (uint32_t)next_random(&seed) | (uint32_t)next_random(&seed);
            if (round % 3 == 1) masks[s] &= (uint32_t)next_random(&seed) & (uint32_t)next_random(&seed);
            masks[s] |= 0x80000001;
            masks[s] &= ~UINT32_C(0x40000002);
        }
        for (unsigned i = 0; i < count; i++) {
            levels[i]->places_centroid(&places, &group.quads, masks, sample_mask, &pattern);
            for (unsigned lane = 0; lane < LANES; lane++) {
                const struct place wanted = expected_centroid(&pattern, masks, lane, sample_mask);
                const struct place p = lane_place(&group.quads, &places, lane);
                assert_int_equal(p.x - (group.quads.x[lane / 4] + (int)(lane & 1)) * 256 - 128, wanted.x);
                assert_int_equal(p.y - (group.quads.y[lane / 4] + (int)(lane >> 1 & 1)) * 256 - 128, wanted.y);
            }
            check_offsets(levels[i], &group.quads, &places);
            levels[i]->places(&places, &group.quads, pattern.x[round % pattern.samples], -128 + (int)(round % 256));
            check_offsets(levels[i], &group.quads, &places);
        }
    }
}

static void samples_have_places(void **state)
{
    (void)state;
    static struct group group;
    static struct sch_lane_places places;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    make_group(&group, false);
    for (unsigned round = 0; round < 100; round++) {
        struct sch_sample_pattern pattern;
        uint8_t sample[LANES / 4];
        sch_sample_pattern(1u << round % 5, &pattern);
        for (unsigned q = 0; q < LANES / 4; q++) sample[q] = (uint8_t)(next_random(&seed) % pattern.samples);
        for (unsigned q = 1; q < LANES / 4 && round % 3 == 0; q++) sample[q] = sample[0];
        for (unsigned i = 0; i < count; i++) {
            levels[i]->places_sample(&places, &group.quads, sample, &pattern);
            for (unsigned lane = 0; lane < LANES; lane++) {
                const struct place p = lane_place(&group.quads, &places, lane);
                const unsigned q = lane / 4;
                assert_int_equal(p.x - (group.quads.x[q] + (int)(lane & 1)) * 256 - 128, pattern.x[sample[q]]);
                assert_int_equal(p.y - (group.quads.y[q] + (int)(lane >> 1 & 1)) * 256 - 128, pattern.y[sample[q]]);
            }
        }
    }
}

static void offsets_are_sixteenths(void **state)
{
    (void)state;
    static const struct {
        float offset;
        int sixteenths;
    } cases[] = {{0, 0},        {0.5f, 8},      {-0.5f, -8},       {0.4375f, 7},        {0.03125f, 0},
                 {0.09375f, 2}, {0.031251f, 1}, {-0.03125f, 0},    {-0.09375f, -2},     {0.3f, 5},
                 {1e-40f, 0},   {NAN, 0},       {INFINITY, 16384}, {-INFINITY, -16384}, {3000, 16384},
                 {-0.47f, -8},  {2.25f, 36},    {0.15625f, 2},     {0.21875f, 4},       {-1023.99f, -16384}};
    enum { CASES = sizeof cases / sizeof *cases };
    static struct group group;
    static struct sch_lane_places places;
    static struct sch_lanes x, y;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    make_group(&group, false);
    for (unsigned lane = 0; lane < LANES; lane++) {
        x.u[lane] = bits_of(cases[lane % CASES].offset);
        y.u[lane] = bits_of(cases[(lane + 7) % CASES].offset);
    }
    for (unsigned i = 0; i < count; i++) {
        levels[i]->places_offset(&places, &group.quads, &x, &y);
        for (unsigned lane = 0; lane < LANES; lane++) {
            const struct place p = lane_place(&group.quads, &places, lane);
            const int dx = (int)(p.x - (group.quads.x[lane / 4] + (int)(lane & 1)) * 256 - 128);
            const int dy = (int)(p.y - (group.quads.y[lane / 4] + (int)(lane >> 1 & 1)) * 256 - 128);
            assert_int_equal(dx, cases[lane % CASES].sixteenths * 16);
            assert_int_equal(dy, cases[(lane + 7) % CASES].sixteenths * 16);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_exact_enough),
        cmocka_unit_test(groups_do_not_matter),
        cmocka_unit_test(equal_values_stay),
        cmocka_unit_test(overflow_and_nan_have_one_answer),
        cmocka_unit_test(constants_are_the_provoking_vertex),
        cmocka_unit_test(corners_may_be_rotated),
        cmocka_unit_test(depth_depends_on_positions_only),
        cmocka_unit_test(depth_is_nearly_exact),
        cmocka_unit_test(position_is_what_the_text_says),
        cmocka_unit_test(parts_are_those_of_all),
        cmocka_unit_test(clamped_zeros_are_the_end),
        cmocka_unit_test(extreme_w_has_weights),
        cmocka_unit_test(centroids_are_covered),
        cmocka_unit_test(samples_have_places),
        cmocka_unit_test(offsets_are_sixteenths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
