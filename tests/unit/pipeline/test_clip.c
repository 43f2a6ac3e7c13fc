/* Clipping and the viewport, with random vertices: clip codes, window coordinates and snapping against exact rationals
 * at every level, cut primitives against exact ones and against each other, what triangles cover together. Single rules
 * are in test_clip_rules.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/random_number.h"
#include "clip_support.h"

/* ---- exact numbers ---- */

static uint64_t seed = 1;

/* Forty times as many with the long runs. */
static unsigned times(unsigned count) { return getenv("SCH_LONG") ? 40 * count : count; }

static double uniform(double from, double to)
{
    return from + (to - from) * ((double)(random_number(&seed) >> 11) * 0x1p-53);
}

/* q / 2^shift, to nearest, ties to even. */
static void round_scaled(mpz_t to, const mpq_t q, int shift)
{
    mpz_t numerator, denominator, rest;
    mpz_inits(numerator, denominator, rest, NULL);
    mpz_mul_2exp(numerator, mpq_numref(q), shift < 0 ? (unsigned)-shift : 0);
    mpz_mul_2exp(denominator, mpq_denref(q), shift > 0 ? (unsigned)shift : 0);
    mpz_fdiv_qr(to, rest, numerator, denominator);
    mpz_mul_2exp(rest, rest, 1);
    int half = mpz_cmp(rest, denominator);
    if (half > 0 || (half == 0 && mpz_odd_p(to))) mpz_add_ui(to, to, 1);
    mpz_clears(numerator, denominator, rest, NULL);
}

/* binary32, to nearest, ties to even; infinite from 2^128 - 2^103 on. The sign of a 0 is +. */
static float round_float(const mpq_t q)
{
    if (!mpq_sgn(q)) return 0;
    int exponent = (int)mpz_sizeinbase(mpq_numref(q), 2) - (int)mpz_sizeinbase(mpq_denref(q), 2);
    mpz_t significand;
    mpz_init(significand);
    int shift = exponent - 25 < -149 ? -149 : exponent - 25;
    do /* of 24 bits, or denormal */
        round_scaled(significand, q, ++shift - 1);
    while (mpz_sizeinbase(significand, 2) > 24 && mpz_cmpabs_ui(significand, 1u << 24));
    double value = ldexp(mpz_get_d(significand), shift - 1);
    mpz_clear(significand);
    return fabs(value) >= 0x1p128 ? copysignf(INFINITY, (float)value) : (float)value;
}

enum operation { DIVIDED, TIMES, PLUS };

/* One operation of binary32, by rationals where everything is finite. */
static float float_operation(enum operation operation, float a, float b)
{
    if (!isfinite(a) || !isfinite(b) || (operation == DIVIDED && b == 0))
        return operation == DIVIDED ? a / b : operation == TIMES ? a * b : a + b;
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    mpq_set_d(x, a);
    mpq_set_d(y, b);
    if (operation == DIVIDED) mpq_div(x, x, y);
    if (operation == TIMES) mpq_mul(x, x, y);
    if (operation == PLUS) mpq_add(x, x, y);
    float result = round_float(x);
    mpq_clears(x, y, NULL);
    return result;
}

/* In sub-pixels. */
static long snapped(float pixels)
{
    mpq_t q;
    mpz_t whole;
    mpq_init(q);
    mpz_init(whole);
    mpq_set_d(q, pixels);
    round_scaled(whole, q, -8);
    long result = mpz_get_si(whole);
    mpq_clear(q);
    mpz_clear(whole);
    return result;
}

static void rounding_of_the_reference(void **unused)
{
    (void)unused;
    for (unsigned n = 0, runs = times(20000); n < runs; n++) { /* against the processor's conversion from double */
        union {
            uint64_t u;
            double d;
        } bits = {.u = random_number(&seed)};
        if (n & 1) bits.d = ldexp(uniform(-1, 1), (int)(random_number(&seed) % 300) - 160);
        if (n % 4 == 1) bits.d = (double)((float)bits.d) + ldexp((double)((float)bits.d), -24); /* a tie */
        if (!isfinite(bits.d)) continue;
        mpq_t q;
        mpq_init(q);
        mpq_set_d(q, bits.d);
        assert_true(round_float(q) == (float)bits.d);
        mpq_clear(q);
    }
    assert_int_equal(snapped(0.001953125f), 0);
    assert_int_equal(snapped(0.005859375f), 2);
    assert_int_equal(snapped(-0.005859375f), -2);
    assert_int_equal(snapped(-0.00390625f), -1);
}

/* ---- codes and window coordinates ---- */

struct expected {
    uint32_t codes;
    long x, y;
    float z, inverse_w;
};

static float to_window(float c, float w, float scale, float translate)
{
    return float_operation(PLUS, float_operation(TIMES, float_operation(DIVIDED, c, w), scale), translate);
}

static uint32_t band_codes(float x, float y, float min, float max)
{
    return (x < min ? SCH_OUTSIDE_X_MIN : 0u) | (x > max ? SCH_OUTSIDE_X_MAX : 0u) |
           (y < min ? SCH_OUTSIDE_Y_MIN : 0u) | (y > max ? SCH_OUTSIDE_Y_MAX : 0u);
}

static struct expected expect(const float p[4], const struct sch_viewport *viewport, const struct sch_viewport_key *key)
{
    struct expected e = {.codes = 0};
    if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !isfinite(p[3]))
        return (struct expected){.codes = SCH_OUTSIDE_DROP};
    float x = p[0], y = p[1], w = p[3];
    e.z = p[2];
    e.inverse_w = w;
    float min = -32768, max = 32767;
    if (key->unclipped) min = -1048576, max = 1048576;
    if (!key->window_space) {
        bool clips = !key->cut && !key->unclipped;
        if (w < 0x1p-126f) e.codes |= SCH_OUTSIDE_W;
        if (clips && key->depth_clip_near && (key->clip_halfz ? p[2] < 0 : (double)p[2] + w < 0))
            e.codes |= SCH_OUTSIDE_NEAR;
        if (clips && key->depth_clip_far && p[2] > w) e.codes |= SCH_OUTSIDE_FAR;
        if (e.codes & SCH_OUTSIDE_W) return e;
        x = to_window(p[0], w, viewport->scale[0], viewport->translate[0]);
        y = to_window(p[1], w, viewport->scale[1], viewport->translate[1]);
        e.z = to_window(p[2], w, viewport->scale[2], viewport->translate[2]);
        e.inverse_w = float_operation(DIVIDED, 1, w);
        if (isnan(x) || isnan(y) || isnan(e.z)) e.codes |= SCH_OUTSIDE_DROP;
        if (isinf(e.z)) e.z = copysignf(0x1.fffffep127f, e.z);
        if (key->cut) {
            x = fmaxf(-32768, fminf(32767, x));
            y = fmaxf(-32768, fminf(32767, y));
        }
        e.codes |= band_codes(x, y, min, max);
    } else if (band_codes(x, y, min, max)) {
        e.codes |= SCH_OUTSIDE_DROP;
    }
    if (e.codes) return e;
    e.x = snapped(x) + (key->half_pixel_center ? 0 : 128);
    e.y = snapped(y) + (key->half_pixel_center ? 0 : 128);
    return e;
}

/* Numbers at which something changes, and others. */
static float random_coordinate(void)
{
    static const float edges[] = {0,         -0.0f,     1,         -1,      0x1p-126f, 0x1.fffffcp-127f, -0x1p-126f,
                                  0x1p-149f, 32768,     -32768,    32767,   -32767,    INFINITY,         -INFINITY,
                                  NAN,       1048576,   -1048576,  3e38f,   -3e38f,    0x1p-130f,        2,
                                  0.5f,      -32768.5f, 32767.25f, 1048577, -1048577};
    union word word = {.u = (uint32_t)random_number(&seed)};
    switch (random_number(&seed) % 8) {
    case 0:
        return edges[random_number(&seed) % (sizeof edges / sizeof *edges)];
    case 1:
        return word.f;
    case 2:
        return (float)((int)(random_number(&seed) % 4096) - 2048) / 512; /* ties of sub-pixels */
    case 3:
        return (float)uniform(32765, 32770) * (random_number(&seed) & 1 ? 1 : -1);
    case 4:
        return ldexpf((float)uniform(-1, 1), (int)(random_number(&seed) % 256) - 128);
    default:
        return (float)uniform(-3, 3);
    }
}

static struct sch_viewport random_viewport(void)
{
    static const struct sch_viewport some[] = {{{1, 1, 1}, {0, 0, 0}},
                                               {{50, -50, 0.5f}, {50, 50, 0.5f}},
                                               {{8192, 8192, 1}, {8192, 8192, 0}},
                                               {{0, 0, 0}, {0}}};
    if (random_number(&seed) % 2) return some[random_number(&seed) % (sizeof some / sizeof *some)];
    struct sch_viewport viewport;
    for (unsigned c = 0; c < 3; c++) {
        viewport.scale[c] = (float)uniform(-1000, 1000);
        viewport.translate[c] = (float)uniform(-1000, 1000);
    }
    return viewport;
}

static struct sch_viewport_key random_key(void)
{
    uint64_t bits = random_number(&seed);
    return (struct sch_viewport_key){.window_space = bits % 8 == 0,
                                     .depth_clip_near = bits >> 3 & 1,
                                     .depth_clip_far = bits >> 4 & 1,
                                     .clip_halfz = bits >> 5 & 1,
                                     .half_pixel_center = bits >> 6 & 1,
                                     .cut = bits % 8 == 1,
                                     .unclipped = bits % 8 == 2};
}

static void check_lane(const struct sch_window_lanes *window, unsigned lane, const struct expected *e, const float p[4],
                       const char *name)
{
    uint32_t codes = window->codes.u[lane];
    union word z = {.f = e->z}, inverse_w = {.f = e->inverse_w};
    bool same = e->codes & SCH_OUTSIDE_DROP ? (codes & SCH_OUTSIDE_DROP) != 0 : codes == e->codes;
    if (codes)
        same &= !window->x.u[lane] && !window->y.u[lane] && !window->z.u[lane] && !window->inverse_w.u[lane];
    else
        same &= (int32_t)window->x.u[lane] == e->x && (int32_t)window->y.u[lane] == e->y &&
                (window->z.u[lane] == z.u || (e->z == 0 && window->z.u[lane] << 1 == 0)) &&
                window->inverse_w.u[lane] == inverse_w.u;
    if (!same)
        fail_msg("%s: %a %a %a %a: codes %x, expected %x; x %d, expected %ld; y %d, expected %ld; z %x, expected %x",
                 name, (double)p[0], (double)p[1], (double)p[2], (double)p[3], codes, e->codes, (int)window->x.u[lane],
                 e->x, (int)window->y.u[lane], e->y, window->z.u[lane], z.u);
}

static void codes_and_window_coordinates(void **unused)
{
    (void)unused;
    for (unsigned group = 0, runs = times(600); group < runs; group++) {
        struct sch_viewport viewport = random_viewport();
        struct sch_viewport_key key = random_key();
        struct sch_lanes position[4];
        struct expected expected[SCH_GROUP_LANES];
        float p[SCH_GROUP_LANES][4];
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            for (unsigned c = 0; c < 4; c++) p[lane][c] = random_coordinate();
            if (lane % 2) p[lane][3] = lane % 4 == 1 ? 1 : fabsf(p[lane][3]);
            for (unsigned c = 0; c < 4; c++) memcpy(&position[c].u[lane], &p[lane][c], sizeof(float));
            expected[lane] = expect(p[lane], &viewport, &key);
        }
        for (unsigned i = 0; level(i); i++) {
            struct sch_window_lanes window;
            memset(&window, 0xaa, sizeof window);
            level(i)->viewport(&window, position, &viewport, &key);
            for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++)
                check_lane(&window, lane, &expected[lane], p[lane], level(i)->name);
        }
    }
}

/* ---- cut triangles against exact ones ---- */

enum { NUMBERS = 7, MOST_CORNERS = 12 }; /* x, y, z, w and the weights of the triangle's vertices */

struct exact_polygon {
    unsigned count;
    mpq_t corner[MOST_CORNERS][NUMBERS];
};

static void init_polygon(struct exact_polygon *polygon)
{
    polygon->count = 0;
    for (unsigned i = 0; i < MOST_CORNERS; i++)
        for (unsigned n = 0; n < NUMBERS; n++) mpq_init(polygon->corner[i][n]);
}

static void clear_polygon(struct exact_polygon *polygon)
{
    for (unsigned i = 0; i < MOST_CORNERS; i++)
        for (unsigned n = 0; n < NUMBERS; n++) mpq_clear(polygon->corner[i][n]);
}

/* Planes as docs/pipeline.md orders them: w, near, far, left, right, and the two of y. */
static void exact_distance(mpq_t distance, unsigned plane, mpq_t *at, const struct sch_viewport *viewport, bool halfz)
{
    mpq_t factor;
    mpq_init(factor);
    if (plane == 0) {
        mpq_set_d(factor, 0x1p-126);
        mpq_sub(distance, at[3], factor);
    } else if (plane == 1) {
        mpq_set(distance, at[2]);
        if (!halfz) mpq_add(distance, distance, at[3]);
    } else if (plane == 2) {
        mpq_sub(distance, at[3], at[2]);
    } else { /* (window coordinate + 32768) * w, (32767 - window coordinate) * w */
        unsigned axis = (plane - 3) / 2;
        mpq_set_d(factor, viewport->scale[axis]);
        mpq_mul(distance, at[axis], factor);
        mpq_set_d(factor, viewport->translate[axis]);
        mpq_mul(factor, factor, at[3]);
        mpq_add(distance, distance, factor);
        mpq_set_d(factor, plane % 2 ? 32768 : -32767);
        mpq_mul(factor, factor, at[3]);
        mpq_add(distance, distance, factor);
        if (plane % 2 == 0) mpq_neg(distance, distance);
    }
    mpq_clear(factor);
}

/* Where in->out meets the plane. */
static void exact_cut(mpq_t *to, mpq_t *in, mpq_t *out, const mpq_t from, const mpq_t distance)
{
    mpq_t t, step;
    mpq_inits(t, step, NULL);
    mpq_sub(t, from, distance);
    mpq_div(t, from, t);
    for (unsigned n = 0; n < NUMBERS; n++) {
        mpq_sub(step, out[n], in[n]);
        mpq_mul(step, step, t);
        mpq_add(to[n], in[n], step);
    }
    mpq_clears(t, step, NULL);
}

/* Cuts at one plane. False where a corner is so near to the plane that rounding may decide. */
static bool exact_step(struct exact_polygon *to, struct exact_polygon *from, unsigned plane,
                       const struct sch_viewport *viewport, bool halfz)
{
    mpq_t distance[MOST_CORNERS];
    bool clear = true;
    for (unsigned i = 0; i < from->count; i++) {
        mpq_init(distance[i]);
        exact_distance(distance[i], plane, from->corner[i], viewport, halfz);
        double size = fabs(mpq_get_d(from->corner[i][plane < 3 ? 2 : (plane - 3) / 2])) * (plane < 3 ? 1 : 100) +
                      fabs(mpq_get_d(from->corner[i][3])) * (plane < 3 ? 1 : 32768);
        clear &= fabs(mpq_get_d(distance[i])) > size * 0x1p-20;
    }
    to->count = 0;
    for (unsigned i = 0; i < from->count; i++) {
        unsigned next = (i + 1) % from->count;
        bool in = mpq_sgn(distance[i]) >= 0, next_in = mpq_sgn(distance[next]) >= 0;
        if (in)
            for (unsigned n = 0; n < NUMBERS; n++) mpq_set(to->corner[to->count][n], from->corner[i][n]);
        to->count += in;
        if (in && !next_in)
            exact_cut(to->corner[to->count++], from->corner[i], from->corner[next], distance[i], distance[next]);
        if (!in && next_in)
            exact_cut(to->corner[to->count++], from->corner[next], from->corner[i], distance[next], distance[i]);
    }
    for (unsigned i = 0; i < from->count; i++) mpq_clear(distance[i]);
    return clear;
}

/* A triangle that many planes cut. */
static float random_clip_coordinate(void)
{
    switch (random_number(&seed) % 6) {
    case 0:
        return (float)uniform(-2000, 2000);
    case 1:
        return (float)uniform(-10, 10);
    case 2:
        return ldexpf((float)uniform(-1, 1), (int)(random_number(&seed) % 40) - 20);
    default:
        return (float)uniform(-2, 2);
    }
}

static void add_random_triangle(void)
{
    for (unsigned i = 0; i < 3; i++) {
        uint32_t vertex =
            add(random_clip_coordinate(), random_clip_coordinate(), (float)uniform(-2, 2), (float)uniform(-1, 2));
        for (unsigned n = ATTRIBUTE; n < SCALARS; n++) words_of(vertex)[n].f = (float)uniform(-100, 100);
    }
}

struct worst {
    double position, attribute, linear;
    unsigned cut, compared, corners;
};

static double exact_attribute(mpq_t *corner, unsigned word, bool linear)
{
    double sum = 0, weights = 0;
    for (unsigned i = 0; i < 3; i++) {
        double weight = mpq_get_d(corner[4 + i]) * (linear ? (double)words_of(i)[POSITION + 3].f : 1);
        sum += weight * (double)words_of(i)[word].f;
        weights += weight;
    }
    return sum / weights;
}

/* Errors in parts of the magnitude: of the quotients by w, at least 1, and of attributes, at least that of vertices. */
static void compare_corner(mpq_t *exact, uint32_t vertex, struct worst *worst)
{
    const union word *words = words_of(vertex);
    double w = mpq_get_d(exact[3]);
    for (unsigned c = 0; c < 3; c++) {
        double expected = mpq_get_d(exact[c]) / w, got = (double)words[c].f / (double)words[3].f;
        worst->position = fmax(worst->position, fabs(got - expected) / fmax(1, fabs(expected)));
    }
    for (unsigned n = ATTRIBUTE; n < SCALARS; n++) {
        bool linear = n >= LINEAR_ATTRIBUTE;
        double expected = exact_attribute(exact, n, linear), error = fabs((double)words[n].f - expected);
        double *which = linear ? &worst->linear : &worst->attribute;
        *which = fmax(*which, error / fmax(100, fabs(expected)));
    }
    worst->corners++;
}

static void compare_triangle(struct worst *worst)
{
    struct exact_polygon polygons[2];
    struct sch_clipped clipped;
    enum sch_clip_result result =
        sch_clip_triangle(&draw.state, &draw.vertices, (uint32_t[]){0, 1, 2}, 0, 0, 7, &clipped);
    bool clear = true;
    init_polygon(&polygons[0]);
    init_polygon(&polygons[1]);
    polygons[0].count = 3;
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned c = 0; c < 4; c++) mpq_set_d(polygons[0].corner[i][c], words_of(i)[POSITION + c].f);
        mpq_set_ui(polygons[0].corner[i][4 + i], 1, 1);
    }
    for (unsigned plane = 0; plane < 7; plane++)
        clear &= exact_step(&polygons[~plane & 1], &polygons[plane & 1], plane, &draw.dynamic.viewports[0],
                            draw.rasterizer.clip_halfz);
    const struct exact_polygon *left = &polygons[1];
    if (clear) {
        unsigned count = result == SCH_CLIP_NOTHING ? 0 : clipped.count;
        if (count != left->count) fail_msg("%u corners, expected %u", count, left->count);
        for (unsigned i = 0; i < count; i++)
            if (clipped.corners[i].vertex >= 3) compare_corner(polygons[1].corner[i], clipped.corners[i].vertex, worst);
        worst->compared++;
        worst->cut += result == SCH_CLIP_CUT;
    }
    clear_polygon(&polygons[0]);
    clear_polygon(&polygons[1]);
}

static void cut_corners_are_where_they_should_be(void **unused)
{
    (void)unused;
    struct worst worst = {0};
    reset();
    for (unsigned n = 0, runs = times(4000); n < runs; n++) {
        draw.rasterizer.clip_halfz = n & 1;
        begin(level_in_turn(n));
        add_random_triangle();
        shade();
        compare_triangle(&worst);
    }
    assert_true(worst.cut > 2000 && worst.compared > 3900 && worst.corners > 6000);
    if (worst.position > 0x1.001p-23 || worst.attribute > 0x1.001p-24 || worst.linear > 0x1.001p-24)
        fail_msg("position %g, attribute %g, linear %g", worst.position, worst.attribute, worst.linear);
}

/* ---- primitives that share an edge ---- */

static float rough_coordinate(void)
{
    static const float some[] = {0, -0.0f, 1, -1, 2, -2, 0.5f, 0x1p-126f, 0x1p-149f, 655, -656, 1e15f, -1e12f};
    switch (random_number(&seed) % 8) {
    case 0:
        return some[random_number(&seed) % (sizeof some / sizeof *some)];
    case 1:
        return (float)uniform(-1000, 1000);
    case 2:
        return ldexpf((float)uniform(-1, 1), (int)(random_number(&seed) % 200) - 100);
    default:
        return (float)uniform(-2, 2);
    }
}

static void add_rough_vertex(void)
{
    uint32_t vertex = add(rough_coordinate(), rough_coordinate(), rough_coordinate(), rough_coordinate());
    if (random_number(&seed) % 4 == 0) words_of(vertex)[POSITION + 3].f = 1;
    for (unsigned n = ATTRIBUTE; n < SCALARS; n++) words_of(vertex)[n].f = (float)uniform(-100, 100);
}

/* What a corner is but its number: of cut ones the vertex's words, too. */
struct seen {
    struct sch_corner corner;
    union word words[WORDS];
};

/* The corners on the edge from vertex 0 to vertex 1, in that order: those to which the third vertex, whose first
 * attribute alone is not 0, contributes nothing. */
static unsigned corners_on_edge(const struct sch_clipped *clipped, struct seen seen[MOST_CORNERS])
{
    unsigned count = 0, first = 0, all = 0;
    bool on[MOST_CORNERS];
    for (unsigned i = 0; i < clipped->count; i++) all += on[i] = words_of(clipped->corners[i].vertex)[ATTRIBUTE].f == 0;
    if (all == clipped->count) return 0; /* nothing but the edge is left */
    for (unsigned i = 0; i < clipped->count; i++)
        if (on[i] && !on[(i + clipped->count - 1) % clipped->count]) first = i;
    for (unsigned n = 0; n < clipped->count; n++) {
        const struct sch_corner *corner = &clipped->corners[(first + n) % clipped->count];
        if (!on[(first + n) % clipped->count]) continue;
        seen[count].corner = *corner;
        seen[count].corner.vertex = 0;
        memcpy(seen[count].words, words_of(corner->vertex), sizeof seen->words);
        for (unsigned c = 0; c < 4; c++) seen[count].words[POSITION + c].f += 0.0f; /* -0 is 0 */
        if (!count || memcmp(&seen[count], &seen[count - 1], sizeof *seen))
            count++; /* a corner on a plane, cut there */
    }
    return count;
}

/* The triangle of vertices a, b and c, beginning with the n-th. */
static unsigned edge_of(const uint32_t vertex[3], unsigned n, struct seen seen[MOST_CORNERS], bool *cut)
{
    const uint32_t turned[3] = {vertex[n], vertex[(n + 1) % 3], vertex[(n + 2) % 3]};
    struct sch_clipped clipped;
    enum sch_clip_result result = sch_clip_triangle(&draw.state, &draw.vertices, turned, turned[n], 0, 7, &clipped);
    assert_int_not_equal(result, SCH_CLIP_FULL);
    *cut |= result == SCH_CLIP_CUT;
    return result == SCH_CLIP_NOTHING ? 0 : corners_on_edge(&clipped, seen);
}

static void add_two_triangles(void)
{
    for (unsigned i = 0; i < 4; i++) add_rough_vertex();
    words_of(0)[ATTRIBUTE].f = words_of(1)[ATTRIBUTE].f = 0;
    words_of(2)[ATTRIBUTE].f = words_of(3)[ATTRIBUTE].f = 3e38f; /* the least weight is not lost */
    shade();
}

/* All corners of a triangle beginning with its n-th vertex, from the least on by (y, x, z, w). */
static int by_place(const void *one, const void *other)
{
    const struct sch_corner *a = &((const struct seen *)one)->corner, *b = &((const struct seen *)other)->corner;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->z != b->z) return a->z < b->z ? -1 : 1;
    return memcmp(one, other, sizeof(struct seen));
}

static unsigned corners_of_turned(unsigned n, struct seen seen[MOST_CORNERS])
{
    const uint32_t turned[3] = {n, (n + 1) % 3, (n + 2) % 3};
    struct sch_clipped clipped;
    if (sch_clip_triangle(&draw.state, &draw.vertices, turned, 1, 0, 7, &clipped) == SCH_CLIP_NOTHING) return 0;
    for (unsigned i = 0; i < clipped.count; i++) {
        seen[i].corner = clipped.corners[i];
        seen[i].corner.vertex = 0;
        memcpy(seen[i].words, words_of(clipped.corners[i].vertex), sizeof seen->words);
    }
    qsort(seen, clipped.count, sizeof *seen, by_place);
    return clipped.count;
}

/* Attributes of corners that three vertices have a part in, too. */
static void triangles_may_begin_anywhere(void **unused)
{
    (void)unused;
    unsigned many = 0;
    reset();
    for (unsigned n = 0, runs = times(20000); n < runs; n++) {
        static struct seen seen[2][MOST_CORNERS];
        begin(level_in_turn(n));
        add_random_triangle();
        for (unsigned v = 0; v < 3; v++) words_of(v)[ATTRIBUTE + v].f = ldexpf(1, 80 * (int)v - 80);
        shade();
        unsigned count = corners_of_turned(0, seen[0]);
        many += count > 4;
        for (unsigned turn = 1; turn < 3; turn++) {
            assert_int_equal(corners_of_turned(turn, seen[1]), count);
            assert_memory_equal(seen[0], seen[1], count * sizeof(struct seen));
        }
    }
    assert_true(many > 1000);
}

/* A triangle is the same wherever it begins, and both triangles of an edge have the same corners on it. */
static void neighbours_agree_on_their_edge(void **unused)
{
    (void)unused;
    unsigned compared = 0, together = 0, of_cut = 0;
    reset();
    for (unsigned n = 0, runs = times(30000); n < runs; n++) {
        static struct seen seen[2][MOST_CORNERS];
        bool cut = false;
        draw.rasterizer.depth_clip_near = n & 1;
        draw.rasterizer.depth_clip_far = n & 2;
        draw.rasterizer.clip_halfz = n & 4;
        begin(level_in_turn(n));
        add_two_triangles();
        unsigned one = edge_of((const uint32_t[]){0, 1, 2}, 0, seen[0], &cut);
        for (unsigned turn = 1; turn < 3; turn++) {
            unsigned again = edge_of((const uint32_t[]){0, 1, 2}, turn, seen[1], &cut);
            assert_int_equal(again, one);
            assert_memory_equal(seen[0], seen[1], one * sizeof(struct seen));
        }
        unsigned other = edge_of((const uint32_t[]){1, 0, 3}, n % 3, seen[1], &cut);
        compared += one || other;
        if (!one || !other) continue; /* the edge is outside, or one of them is */
        assert_int_equal(one, other);
        for (unsigned i = 0; i < one; i++) assert_memory_equal(&seen[0][i], &seen[1][one - 1 - i], sizeof(struct seen));
        together++;
        of_cut += cut;
    }
    if (together < 2000 || of_cut < 1000) fail_msg("%u, %u, %u", compared, together, of_cut);
}

/* ---- coverage ---- */

enum { SIDE = 48 };

/* Whether a sample at (x, y) belongs to a triangle of positive area: edges to the left and upper ones do (D3D 11.3
 * 3.4.2.1). */
static bool covers(const struct sch_corner corners[3], int64_t x, int64_t y)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct sch_corner *a = &corners[i], *b = &corners[(i + 1) % 3];
        int64_t dx = b->x - a->x, dy = b->y - a->y, e = dx * (y - a->y) - dy * (x - a->x);
        bool owned = dy < 0 || (dy == 0 && dx > 0);
        if (e < 0 || (e == 0 && !owned)) return false;
    }
    return true;
}

static int64_t cross_of(const struct sch_corner c[3])
{
    return (int64_t)(c[1].x - c[0].x) * (c[2].y - c[0].y) - (int64_t)(c[2].x - c[0].x) * (c[1].y - c[0].y);
}

/* Counts the centres of SIDE x SIDE pixels that a triangle of the draw covers. Answers whether it was cut. */
static bool cover(uint32_t a, uint32_t b, uint32_t c, unsigned counts[SIDE][SIDE])
{
    struct sch_clipped clipped;
    struct sch_corner pieces[SCH_CLIP_CORNERS - 2][3];
    enum sch_clip_result result =
        sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){a, b, c}, a, 0, 7, &clipped);
    assert_int_not_equal(result, SCH_CLIP_FULL);
    uint32_t count = result == SCH_CLIP_NOTHING ? 0 : sch_clip_pieces(&clipped, pieces);
    for (uint32_t i = 0; i < count; i++) {
        if (cross_of(pieces[i]) < 0) {
            struct sch_corner turned = pieces[i][1];
            pieces[i][1] = pieces[i][2];
            pieces[i][2] = turned;
        }
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++) counts[y][x] += covers(pieces[i], 256 * x + 128, 256 * y + 128);
    }
    return result == SCH_CLIP_CUT;
}

/* A plane around the view, seen with perspective, so that much of it is behind the eye: a fan from a vertex in the view
 * to a rim that is far away. Depth cuts nothing. */
static unsigned cover_with_fan(unsigned rim, double tilt, unsigned counts[SIDE][SIDE])
{
    double lean[2] = {uniform(-tilt, tilt), uniform(-tilt, tilt)};
    double center[2] = {uniform(-1, 1), uniform(-1, 1)}, reach = ldexp(1, 3 + (int)(random_number(&seed) % 20));
    unsigned cut = 0;
    for (unsigned i = 0; i <= rim; i++) {
        double angle = 6.283185307179586 * i / rim + uniform(0, 3.0 / rim), radius = i ? reach * uniform(1, 3) : 0;
        double u = center[0] + radius * cos(angle), v = center[1] + radius * sin(angle);
        add((float)u, (float)v, 0, (float)(1 + lean[0] * u + lean[1] * v));
    }
    shade();
    memset(counts, 0, SIDE * sizeof *counts);
    for (unsigned i = 1; i <= rim; i++) cut += cover(0, i, i % rim + 1, counts);
    return cut;
}

static void fans_cover_each_sample_once(void **unused)
{
    (void)unused;
    static unsigned counts[SIDE][SIDE];
    unsigned cut = 0;
    reset();
    draw.dynamic.viewports[0] = (struct sch_viewport){{SIDE / 2, -SIDE / 2, 0.5f}, {SIDE / 2, SIDE / 2, 0.5f}};
    draw.rasterizer.depth_clip_near = draw.rasterizer.depth_clip_far = false;
    for (unsigned n = 0, runs = times(150); n < runs; n++) {
        begin(level_in_turn(n));
        cut += cover_with_fan(5 + n % 40, n % 3 ? 0.3 : 0, counts);
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++)
                if (counts[y][x] != 1) fail_msg("fan %u: (%u, %u) is covered %u times", n, x, y, counts[y][x]);
    }
    assert_true(cut > 1000);
}

/* A grid that the near and far planes cut in front of the eye: no sample is covered twice, and all are whose depth is
 * not within rounding of a plane. */
static void near_and_far_cut_a_grid(void **unused)
{
    (void)unused;
    static unsigned counts[SIDE][SIDE];
    enum { CELLS = 7 };
    reset();
    draw.dynamic.viewports[0] = (struct sch_viewport){{SIDE / 2, SIDE / 2, 0.5f}, {SIDE / 2, SIDE / 2, 0.5f}};
    for (unsigned n = 0, runs = times(60); n < runs; n++) {
        double across = uniform(-3, 3), down = uniform(-3, 3), at = uniform(-1, 1);
        begin(level_in_turn(n));
        for (unsigned i = 0; i < (CELLS + 1) * (CELLS + 1); i++) {
            double x = 2.0 * (i % (CELLS + 1)) / CELLS - 1, y = 2.0 * (i / (CELLS + 1)) / CELLS - 1;
            double w = uniform(0.5, 4);
            add((float)(x * w), (float)(y * w), (float)((at + across * x + down * y) * w), (float)w);
        }
        shade();
        memset(counts, 0, sizeof counts);
        for (unsigned row = 0; row < CELLS; row++)
            for (unsigned column = 0; column < CELLS; column++) {
                uint32_t v = row * (CELLS + 1) + column;
                cover(v, v + 1, v + CELLS + 1, counts);
                cover(v + 1, v + CELLS + 2, v + CELLS + 1, counts);
            }
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++) {
                double depth = at + across * ((x + 0.5) * 2 / SIDE - 1) + down * ((y + 0.5) * 2 / SIDE - 1);
                double slack = 0.0005 * (fabs(across) + fabs(down));
                bool sure = fabs(fabs(depth) - 1) > slack;
                if (counts[y][x] > 1 || (sure && counts[y][x] != (fabs(depth) < 1)))
                    fail_msg("grid %u: (%u, %u), depth %g, is covered %u times", n, x, y, depth, counts[y][x]);
            }
    }
}

/* ---- what has no place in the window ---- */

static float any_float(void)
{
    static const float some[] = {0, -0.0f, 1, -1, 3.4e38f, -3.4e38f, 0x1p-126f, 0x1p-149f, INFINITY, -INFINITY, NAN};
    union word word = {.u = (uint32_t)random_number(&seed)};
    switch (random_number(&seed) % 5) {
    case 0:
        return some[random_number(&seed) % 11];
    case 1:
        return word.f;
    default:
        return (float)uniform(-2, 2);
    }
}

static void check_corner(const struct sch_corner *corner)
{
    const union word *words = words_of(corner->vertex);
    float z = words[POSITION + 2].f, w = words[POSITION + 3].f;
    assert_true(corner->x >= -32768 * 256 && corner->x <= 32767 * 256);
    assert_true(corner->y >= -32768 * 256 && corner->y <= 32767 * 256);
    assert_true(isfinite(corner->z) && corner->inverse_w > 0 && isfinite(corner->inverse_w));
    assert_true(w >= 0x1p-126f && corner->inverse_w == 1 / w);
    if (draw.rasterizer.depth_clip_near) assert_true(draw.rasterizer.clip_halfz ? z >= 0 : z >= -w);
    if (draw.rasterizer.depth_clip_far) assert_true(z <= w);
}

static void corners_are_inside(void **unused)
{
    (void)unused;
    unsigned cut = 0, whole = 0;
    reset();
    for (unsigned n = 0, runs = times(40000); n < runs; n++) {
        draw.rasterizer.depth_clip_near = n & 1;
        draw.rasterizer.depth_clip_far = n & 2;
        draw.rasterizer.clip_halfz = n & 4;
        draw.dynamic.viewports[0].scale[1] = n & 8 ? -50 : 50;
        begin(level_in_turn(n));
        bool finite = true;
        for (unsigned i = 0; i < 3; i++) {
            uint32_t vertex = add(any_float(), any_float(), any_float(), any_float());
            for (unsigned c = 0; c < 4; c++) finite &= isfinite(words_of(vertex)[POSITION + c].f) != 0;
        }
        shade();
        struct sch_clipped clipped;
        enum sch_clip_result result =
            n % 5 ? sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 0, 0, 7, &clipped)
                  : sch_clip_line(&draw.state, &draw.vertices, (const uint32_t[]){0, 1}, 0, 0, &clipped);
        if (result == SCH_CLIP_NOTHING) continue;
        if (n % 5) assert_true(finite); /* D3D 11.3 15.4, 15.16.1 */
        cut += result == SCH_CLIP_CUT;
        whole += result == SCH_CLIP_WHOLE;
        for (uint32_t i = 0; i < clipped.count; i++) check_corner(&clipped.corners[i]);
    }
    if (cut < 3000 || whole < 300) fail_msg("%u cut, %u whole", cut, whole);
}

/* The same bits at every level. */
static void levels_agree(void **unused)
{
    (void)unused;
    static union word words[64 * WORDS];
    static struct sch_clipped first, other;
    reset();
    for (unsigned n = 0; n < 3000; n++) {
        uint64_t begun = seed;
        for (unsigned i = 0; level(i); i++) {
            seed = begun;
            begin(level(i));
            for (unsigned v = 0; v < 3; v++) add_rough_vertex();
            shade();
            memset(i ? &other : &first, 0, sizeof other);
            sch_clip_triangle(&draw.state, &draw.vertices, (const uint32_t[]){0, 1, 2}, 0, 0, 7, i ? &other : &first);
            if (i) {
                assert_memory_equal(&first, &other, sizeof first);
                assert_memory_equal(words, draw.words, draw.vertices.count * WORDS * sizeof *words);
            }
            memcpy(words, draw.words, sizeof words);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_of_the_reference),
        cmocka_unit_test(codes_and_window_coordinates),
        cmocka_unit_test(cut_corners_are_where_they_should_be),
        cmocka_unit_test(neighbours_agree_on_their_edge),
        cmocka_unit_test(triangles_may_begin_anywhere),
        cmocka_unit_test(fans_cover_each_sample_once),
        cmocka_unit_test(near_and_far_cut_a_grid),
        cmocka_unit_test(corners_are_inside),
        cmocka_unit_test(levels_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
