/* src/ops/texture/cube.h, src/ops/texture/lod.h and positions of texels at the level it is compiled for, against scalar
 * C written from docs/texture.md; faces of cubes and what lies beyond their edges against the geometry of a cube in
 * whole numbers. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "need_level.h"
#include "ops/texture/address.h"
#include "ops/texture/cube.h"
#include "ops/texture/lod.h"

enum { W = SCH_LANES };

/* ---- arguments ---- */

static uint64_t seed;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

static unsigned below(unsigned limit) { return next() % limit; }

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* Of either sign, with an exponent from low to high. */
static float random_float(int low, int high)
{
    float f = ldexpf(1.0f + (float)(next() >> 9) * 0x1p-23f, low + (int)below((unsigned)(high - low + 1)));
    return next() & 1 ? f : -f;
}

/* One component of something: mostly plain; also small whole numbers, which are often equal, and oddities. */
static float random_component(void)
{
    static const float odd[] = {0.0f,    -0.0f,    INFINITY, -INFINITY, NAN,
                                FLT_MAX, -FLT_MAX, FLT_MIN,  0x1p-149f, -0x1p-149f};
    switch (below(8)) {
    case 0:
        return odd[below(10)];
    case 1:
        return float_of(next());
    case 2:
    case 3:
        return (float)((int)below(5) - 2);
    default:
        return random_float(-6, 3);
    }
}

/* The same number; NaNs are all the same. */
static bool same(float a, float b) { return (isnan(a) && isnan(b)) || bits_of(a) == bits_of(b); }

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error(__VA_ARGS__);                                                                                  \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)

/* ---- the cube: for each face the axis (0..2, ~n: against it) of sc, tc and ma ---- */

static const int cube[6][3] = {
    {~2, ~1, 0}, {2, ~1, ~0}, {0, 2, 1}, {0, ~2, ~1}, {0, ~1, 2}, {~0, ~1, ~2},
};

static float along(const float v[3], int axis) { return axis < 0 ? -v[~axis] : v[axis]; }

static int ref_face(const float v[3])
{
    float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]);
    int axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return 2 * axis + (signbit(v[axis]) != 0);
}

/* A direction as the rules take it: a NaN counts as 0. */
static void plain_direction(float v[3])
{
    for (unsigned k = 0; k < 3; k++) v[k] = isnan(v[k]) ? 0.0f : v[k];
}

static void ref_position(const float v[3], float st[2])
{
    int face = ref_face(v);
    for (unsigned i = 0; i < 2; i++) {
        float quotient = along(v, cube[face][i]) / along(v, cube[face][2]);
        float half = quotient * 0.5f;
        st[i] = half + 0.5f;
    }
}

/* ds and dt of d at v on v's face. */
static void ref_face_derivative(const float v[3], const float d[3], float out[2])
{
    const int *axes = cube[ref_face(v)];
    float ma = along(v, axes[2]), dma = along(d, axes[2]);
    for (unsigned i = 0; i < 2; i++) {
        float first = along(d, axes[i]) / ma, slope = along(v, axes[i]) / ma, drift = dma / ma;
        float second = slope * drift;
        float difference = first - second;
        out[i] = difference * 0.5f;
    }
}

/* The directions of the lanes of one vector, and other vectors of three. */
struct triples {
    float v[3][W];
};

static void random_triples(struct triples *t)
{
    for (unsigned i = 0; i < W; i++)
        for (unsigned k = 0; k < 3; k++) t->v[k][i] = random_component();
}

static void triple_of(const struct triples *t, unsigned lane, float out[3])
{
    for (unsigned k = 0; k < 3; k++) out[k] = t->v[k][lane];
}

static vf32 component(const struct triples *t, unsigned k) { return v_load_f32(t->v[k]); }

static void check_faces(const struct triples *at)
{
    struct tex_face face = tex_face_of(component(at, 0), component(at, 1), component(at, 2));
    for (unsigned i = 0; i < W; i++) {
        float v[3], st[2];
        triple_of(at, i, v);
        plain_direction(v);
        ref_position(v, st);
        int number = ref_face(v);
        CHECK(face.face[i] == number && same(face.s[i], st[0]) && same(face.t[i], st[1]) &&
                  same(face.sc[i], along(v, cube[number][0])) && same(face.tc[i], along(v, cube[number][1])) &&
                  same(face.ma[i], along(v, cube[number][2])),
              "(%a, %a, %a): face %d at (%a, %a); expected %d at (%a, %a)\n", (double)v[0], (double)v[1], (double)v[2],
              face.face[i], (double)face.s[i], (double)face.t[i], number, (double)st[0], (double)st[1]);
        CHECK(!signbit(face.ma[i]), "(%a, %a, %a): a negative magnitude\n", (double)v[0], (double)v[1], (double)v[2]);
    }
}

static void finds_faces(void **state)
{
    (void)state;
    static const float values[] = {0.0f,     -0.0f,     1.0f, -1.0f,     1.5f,    -1.5f,
                                   INFINITY, -INFINITY, NAN,  0x1p-149f, -FLT_MAX};
    enum { V = sizeof values / sizeof values[0] };
    struct triples at;
    unsigned lane = 0;
    for (unsigned i = 0; i < V * V * V; i++) {
        at.v[0][lane] = values[i % V];
        at.v[1][lane] = values[i / V % V];
        at.v[2][lane] = values[i / V / V];
        lane++;
        for (unsigned rest = lane; rest < W; rest++)
            for (unsigned k = 0; k < 3; k++) at.v[k][rest] = at.v[k][0];
        check_faces(&at);
        lane %= W;
    }
    /* said once more in plain numbers: Z before Y before X, whatever the signs */
    const float all[3] = {-1.0f, 1.0f, -1.0f}, no_z[3] = {1.0f, -1.0f, 0.5f}, zero[3] = {0.0f, 0.0f, -0.0f};
    const float *ties[3] = {all, no_z, zero};
    static const int expected[3] = {5, 3, 5};
    for (unsigned i = 0; i < 3; i++) {
        struct tex_face face = tex_face_of(v_splat_f32(ties[i][0]), v_splat_f32(ties[i][1]), v_splat_f32(ties[i][2]));
        assert_int_equal(face.face[0], expected[i]);
    }
    seed = 1;
    for (unsigned i = 0; i < 100000 / W; i++) {
        random_triples(&at);
        check_faces(&at);
    }
}

static void derives_on_faces(void **state)
{
    (void)state;
    seed = 2;
    struct triples at, by;
    for (unsigned n = 0; n < 100000 / W; n++) {
        random_triples(&at);
        random_triples(&by);
        vf32 x = component(&at, 0), y = component(&at, 1), z = component(&at, 2);
        struct tex_face face = tex_face_of(x, y, z);
        vf32 given[2];
        struct tex_derivatives quad;
        tex_face_derivative(&face, component(&by, 0), component(&by, 1), component(&by, 2), given);
        tex_quad_face_derivatives(&face, x, y, z, &quad);
        for (unsigned i = 0; i < W; i++) {
            float v[3], d[3], expected[2], first[3], dx[3], dy[3], ex[2], ey[2];
            triple_of(&at, i, v);
            triple_of(&by, i, d);
            plain_direction(v);
            ref_face_derivative(v, d, expected);
            for (unsigned k = 0; k < 3; k++) {
                first[k] = at.v[k][i & ~3u];
                dx[k] = at.v[k][(i & ~3u) + 1] - first[k];
                dy[k] = at.v[k][(i & ~3u) + 2] - first[k];
            }
            plain_direction(first); /* its differences are of the coordinates as they came */
            ref_face_derivative(first, dx, ex);
            ref_face_derivative(first, dy, ey);
            for (unsigned k = 0; k < 2; k++) {
                CHECK(same(given[k][i], expected[k]), "(%a, %a, %a) along (%a, %a, %a): %a, expected %a\n",
                      (double)v[0], (double)v[1], (double)v[2], (double)d[0], (double)d[1], (double)d[2],
                      (double)given[k][i], (double)expected[k]);
                CHECK(same(quad.x[k][i], ex[k]) && same(quad.y[k][i], ey[k]),
                      "quad of lane %u: %a, %a expected %a, %a\n", i, (double)quad.x[k][i], (double)quad.y[k][i],
                      (double)ex[k], (double)ey[k]);
            }
            assert_true(quad.x[2][i] == 0 && quad.y[2][i] == 0);
        }
    }
}

/* ---- beyond the edges ---- */

struct texel {
    int32_t face, i, j;
};
struct point {
    int32_t at[3];
};

/* A point of the face's plane, u and v from 0 to n, on a cube of [-n, n]. */
static struct point point_of(int face, int32_t u, int32_t v, int32_t n)
{
    struct point p;
    const int32_t along_axis[3] = {2 * u - n, 2 * v - n, n};
    for (unsigned k = 0; k < 3; k++) {
        int axis = cube[face][k];
        if (axis < 0)
            p.at[~axis] = -along_axis[k];
        else
            p.at[axis] = along_axis[k];
    }
    return p;
}

static bool has_corner(const struct texel *t, const struct point *p, int32_t n)
{
    for (int corner = 0; corner < 4; corner++) {
        struct point c = point_of(t->face, t->i + (corner & 1), t->j + (corner >> 1), n);
        if (!memcmp(&c, p, sizeof c)) return true;
    }
    return false;
}

static bool is_inside(const struct texel *t, int32_t n)
{
    return t->face >= 0 && t->face < 6 && t->i >= 0 && t->i < n && t->j >= 0 && t->j < n;
}

/* Asks about W texels at once and writes the answers over them. */
static void ask_neighbours(struct texel t[W], int32_t n)
{
    vi32 face = v_splat_i32(0), i = face, j = face;
    for (unsigned lane = 0; lane < W; lane++) face[lane] = t[lane].face, i[lane] = t[lane].i, j[lane] = t[lane].j;
    tex_face_neighbour(&face, &i, &j, n);
    for (unsigned lane = 0; lane < W; lane++) t[lane] = (struct texel){face[lane], i[lane], j[lane]};
}

/* The texel at `place` of an edge (0 low i, 1 high i, 2 low j, 3 high j), by `out` steps beyond it. */
static struct texel edge_texel(int face, int edge, int32_t place, int32_t out, int32_t n)
{
    int32_t across = edge & 1 ? n - 1 + out : -out;
    return edge < 2 ? (struct texel){face, across, place} : (struct texel){face, place, across};
}

/* The two ends of the edge that an edge texel shares with its neighbour. */
static void ends_of(const struct texel *t, int edge, int32_t n, struct point end[2])
{
    int32_t line = edge & 1 ? n : 0;
    for (int32_t k = 0; k < 2; k++)
        end[k] = edge < 2 ? point_of(t->face, line, t->j + k, n) : point_of(t->face, t->i + k, line, n);
}

static bool has_edge(const struct texel *t, const struct point end[2], int32_t n)
{
    return has_corner(t, &end[0], n) && has_corner(t, &end[1], n);
}

/* The edge of texel t whose ends are these: the way back. */
static int edge_with(const struct texel *t, const struct point end[2], int32_t n)
{
    for (int edge = 0; edge < 4; edge++) {
        struct point mine[2];
        if (!memcmp(t,
                    &(struct texel){t->face, edge < 2 ? (edge & 1 ? n - 1 : 0) : t->i,
                                    edge < 2 ? t->j : (edge & 1 ? n - 1 : 0)},
                    sizeof *t)) {
            ends_of(t, edge, n, mine);
            if (!memcmp(mine, end, sizeof mine)) return edge;
            struct point turned[2] = {mine[1], mine[0]};
            if (!memcmp(turned, end, sizeof mine)) return edge;
        }
    }
    return -1;
}

static void check_edge(int face, int edge, int32_t n, uint32_t *seen)
{
    for (int32_t place = 0; place < n; place += W) {
        struct texel inner[W], there[W], back[W];
        struct point end[W][2];
        for (int32_t k = 0; k < W; k++) {
            int32_t at = place + k < n ? place + k : n - 1;
            inner[k] = edge_texel(face, edge, at, 0, n);
            there[k] = edge_texel(face, edge, at, 1, n);
            ends_of(&inner[k], edge, n, end[k]);
        }
        ask_neighbours(there, n);
        for (int32_t k = 0; k < W; k++) {
            CHECK(is_inside(&there[k], n) && there[k].face != face && has_edge(&there[k], end[k], n),
                  "n %d: beyond edge %d of face %d at (%d, %d): (%d, %d) of face %d\n", n, edge, face, inner[k].i,
                  inner[k].j, there[k].i, there[k].j, there[k].face);
            int home = edge_with(&there[k], end[k], n);
            assert_true(home >= 0);
            back[k] = edge_texel(there[k].face, home, home < 2 ? there[k].j : there[k].i, 1, n);
            *seen |= 1u << (4 * there[k].face + home);
        }
        ask_neighbours(back, n);
        assert_memory_equal(back, inner, sizeof back);
    }
}

static void crosses_every_edge(void **state)
{
    (void)state;
    static const int32_t sizes[] = {1, 2, 3, 4, 5, 16383, 16384};
    for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        uint32_t seen = 0;
        for (int face = 0; face < 6; face++)
            for (int edge = 0; edge < 4; edge++) {
                uint32_t before = seen;
                check_edge(face, edge, sizes[s], &seen);
                assert_true(seen != before); /* an edge of its own */
            }
        assert_int_equal(seen, 0xffffff);
    }
}

static void keeps_texels_inside(void **state)
{
    (void)state;
    static const int32_t sizes[] = {1, 2, 3, 4, 7, 16384};
    seed = 4;
    for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        int32_t n = sizes[s];
        for (unsigned round = 0; round < 20000 / W; round++) {
            struct texel asked[W], got[W];
            for (unsigned k = 0; k < W; k++) {
                asked[k].face = (int32_t)below(6);
                asked[k].i = (int32_t)below((unsigned)n);
                asked[k].j = (int32_t)below((unsigned)n);
                if (next() & 1) asked[k].i = next() & 1 ? n : -1;
                if (next() & 1) asked[k].j = next() & 1 ? n : -1;
            }
            memcpy(got, asked, sizeof got);
            ask_neighbours(got, n);
            for (unsigned k = 0; k < W; k++) {
                CHECK(is_inside(&got[k], n), "n %d: (%d, %d) of face %d gives (%d, %d) of face %d\n", n, asked[k].i,
                      asked[k].j, asked[k].face, got[k].i, got[k].j, got[k].face);
                if (is_inside(&asked[k], n)) assert_memory_equal(&got[k], &asked[k], sizeof got[k]);
            }
        }
    }
}

/* ---- level of detail ---- */

enum { LOW = -32768, HIGH = 32767 };

static int ref_log2(float square)
{
    if (isnan(square)) return 0;
    if (square == 0) return LOW;
    if (isinf(square)) return HIGH;
    return (int)floorl(128.0L * log2l((long double)square) + 0.5L);
}

/* Both sides of every step that a float can reach, the three nearest floats of each. */
static void finds_every_lod_step(void **state)
{
    (void)state;
    int first = INT32_MAX, last = INT32_MIN;
    for (int k = -149 * 128 - 64; k < 128 * 128; k++) {
        float near = (float)powl(2.0L, (2 * k + 1) / 256.0L);
        vf32 asked = v_splat_f32(near);
        if (!(near > 0) || isinf(near)) continue;
        float low = nextafterf(nextafterf(near, 0), 0);
        for (unsigned i = 0; i < W && i < 5; i++, low = nextafterf(low, INFINITY)) asked[i] = low;
        vi32 lod = tex_lod_log2(asked);
        vf32 shown = tex_lod_float(lod);
        for (unsigned i = 0; i < W; i++) {
            CHECK(lod[i] == ref_log2(asked[i]), "log2 %a / 2: %d / 256, expected %d\n", (double)asked[i], lod[i],
                  ref_log2(asked[i]));
            assert_true((double)shown[i] * 256.0 == lod[i]);
            if (lod[i] < first && lod[i] != LOW) first = lod[i];
            if (lod[i] > last && lod[i] != HIGH) last = lod[i];
        }
    }
    assert_int_equal(first, -149 * 128);
    assert_int_equal(last, 128 * 128);
}

static void shows_every_lod(void **state)
{
    (void)state;
    for (int lod = 3 * LOW; lod <= 3 * HIGH; lod++)
        assert_true((double)tex_lod_float(v_splat_i32(lod))[0] * 256 == lod);
}

/* ---- footprints ---- */

struct ref_footprint {
    int lod, taps;
    float dx[3], dy[3], du[2];
    bool clamped, small; /* which way it went */
};

static float ref_square(const float d[3], unsigned axes)
{
    float sum = d[0] * d[0];
    for (unsigned k = 1; k < axes; k++) {
        float square = d[k] * d[k];
        sum = sum + square;
    }
    return sum;
}

static void ref_isotropic(const float x[3], const float y[3], const float size[3], unsigned axes,
                          struct ref_footprint *out)
{
    *out = (struct ref_footprint){.taps = 1};
    for (unsigned k = 0; k < axes; k++) {
        out->dx[k] = x[k] * size[k];
        out->dy[k] = y[k] * size[k];
    }
    float x2 = ref_square(out->dx, axes), y2 = ref_square(out->dy, axes);
    float rho2 = isnan(x2) || isnan(y2) ? NAN : fmaxf(x2, y2);
    out->lod = ref_log2(rho2);
}

/* "Anisotropy" of docs/texture.md, on top of the isotropic answer. */
static void ref_anisotropic(const float x[3], const float y[3], unsigned max, struct ref_footprint *out)
{
    double x2 = (double)ref_square(out->dx, 2), y2 = (double)ref_square(out->dy, 2);
    double xs = (double)out->dx[0], xt = (double)out->dx[1], ys = (double)out->dy[0], yt = (double)out->dy[1];
    double one = xs * yt, other = xt * ys;
    double det = fabs(one - other), major2 = x2 >= y2 ? x2 : y2;
    if (isnan(x2) || isnan(y2) || major2 == 0 || isinf(major2) || isnan(det)) return;
    double ratio = major2 / det, minor2;
    if (!(ratio <= max)) {
        ratio = max;
        minor2 = major2 / (double)(max * max);
        out->clamped = true;
    } else {
        minor2 = det * det / major2;
    }
    if (minor2 < 1) {
        ratio = fmax(1, fmin(ratio, sqrt(major2)));
        out->small = true;
    }
    out->lod = ref_log2((float)minor2);
    out->taps = ratio > 1 ? (int)ceil(ratio) : 1;
    for (unsigned k = 0; k < 2; k++) out->du[k] = x2 >= y2 ? x[k] : y[k];
}

static float scaled(float length, float size) { return length / size; }

/* Derivatives of one lane, in the ways that lookups differ; x and y are of floats before the size. */
static void random_derivatives(float x[3], float y[3], const float size[3])
{
    unsigned kind = below(12);
    float length = random_float(-4, 6), ratio = random_float(-6, 2), angle = random_float(-3, 3);
    float c = cosf(angle), s = sinf(angle);
    for (unsigned k = 0; k < 3; k++) x[k] = y[k] = 0.0f;
    x[0] = scaled(length * c, size[0]), x[1] = scaled(length * s, size[1]);
    y[0] = scaled(-length * ratio * s, size[0]), y[1] = scaled(length * ratio * c, size[1]);
    switch (kind) {
    case 0: /* along an axis, perpendicular; sometimes whole ratios */
        x[0] = scaled((float)(1 + below(16)), size[0]), x[1] = 0.0f;
        y[0] = -0.0f, y[1] = scaled((float)(1 + below(4)), size[1]);
        break;
    case 1: /* parallel */
        y[0] = x[0] * 0.25f, y[1] = x[1] * 0.25f;
        break;
    case 2: /* of equal length */
        y[0] = x[1], y[1] = x[0];
        break;
    case 3: /* nothing in one direction or both */
        if (next() & 1) x[0] = x[1] = 0.0f;
        if (next() & 1) y[0] = y[1] = 0.0f;
        break;
    case 4: /* squares around the least float */
        for (unsigned k = 0; k < 2; k++) x[k] = random_float(-90, -70), y[k] = random_float(-90, -70);
        break;
    case 5: /* squares around the greatest */
        for (unsigned k = 0; k < 2; k++) x[k] = random_float(48, 66), y[k] = random_float(48, 66);
        break;
    case 6:
        for (unsigned k = 0; k < 2; k++) x[k] = random_component(), y[k] = random_component();
        break;
    case 7:
        for (unsigned k = 0; k < 2; k++) x[k] = random_float(-3, 3), y[k] = random_float(-3, 3);
        break;
    default:
        break;
    }
    if (next() & 1)
        for (unsigned k = 0; k < 2; k++) {
            float t = x[k];
            x[k] = y[k], y[k] = t;
        }
    x[2] = random_component(), y[2] = random_component();
}

struct counts {
    unsigned asked, clamped, small, taps[17];
};

static void check_footprint(const struct tex_derivatives *d, const float size[3], unsigned axes, unsigned max,
                            struct counts *counts)
{
    struct tex_footprint got;
    tex_footprint_of(d, size, axes, max, &got);
    for (unsigned i = 0; i < W; i++) {
        struct ref_footprint expected;
        const float x[3] = {d->x[0][i], d->x[1][i], d->x[2][i]}, y[3] = {d->y[0][i], d->y[1][i], d->y[2][i]};
        ref_isotropic(x, y, size, axes, &expected);
        if (max > 1) ref_anisotropic(x, y, max, &expected);
        CHECK(got.lod[i] == expected.lod && got.taps[i] == expected.taps,
              "(%a, %a), (%a, %a), size %g, %g, %u axes, max %u: lod %d taps %d; expected %d, %d\n", (double)x[0],
              (double)x[1], (double)y[0], (double)y[1], (double)size[0], (double)size[1], axes, max, got.lod[i],
              got.taps[i], expected.lod, expected.taps);
        for (unsigned k = 0; k < 3; k++)
            assert_true(same(got.dx[k][i], expected.dx[k]) && same(got.dy[k][i], expected.dy[k]));
        for (unsigned k = 0; k < 2 && expected.taps > 1; k++) assert_true(same(got.du[k][i], expected.du[k]));
        counts->asked++;
        counts->clamped += expected.clamped;
        counts->small += expected.small;
        counts->taps[expected.taps]++;
    }
}

static void random_lanes(struct tex_derivatives *d, const float size[3])
{
    for (unsigned i = 0; i < W; i++) {
        float x[3], y[3];
        random_derivatives(x, y, size);
        for (unsigned k = 0; k < 3; k++) d->x[k][i] = x[k], d->y[k][i] = y[k];
    }
}

static void random_size(float size[3])
{
    for (unsigned k = 0; k < 3; k++)
        size[k] = next() & 1 ? (float)(1u << below(15)) : next() & 1 ? 1.0f : (float)(1 + below(16384));
}

static void measures_footprints(void **state)
{
    (void)state;
    seed = 5;
    struct counts counts = {0};
    for (unsigned n = 0; n < 60000 / W; n++) {
        struct tex_derivatives d;
        float size[3];
        random_size(size);
        random_lanes(&d, size);
        for (unsigned axes = 1; axes < 4; axes++) check_footprint(&d, size, axes, below(2), &counts);
    }
    assert_int_equal(counts.taps[1], counts.asked);
}

static void counts_taps(void **state)
{
    (void)state;
    seed = 6;
    struct counts counts = {0};
    for (unsigned n = 0; n < 400000 / W; n++) {
        struct tex_derivatives d;
        float size[3];
        random_size(size);
        random_lanes(&d, size);
        check_footprint(&d, size, 2, 2 + below(15), &counts);
    }
    /* every way was gone, and often */
    assert_true(counts.clamped > counts.asked / 50 && counts.clamped < counts.asked / 10 * 9);
    assert_true(counts.small > counts.asked / 50 && counts.small < counts.asked / 10 * 9);
    for (unsigned taps = 1; taps <= 16; taps++) assert_true(counts.taps[taps] > 100);
}

/* Worked by hand: 8 texels by 2 are 4 taps of LOD 1; against a limit of 2, 2 taps of LOD 2. 8 by 1/2: minor^2 is 1/4
 * at a limit of 16, and 8 taps are as many as texels. Below a texel either way there is one tap. */
static void measures_known_footprints(void **state)
{
    (void)state;
    static const struct {
        float x, y;
        unsigned max;
        int lod, taps;
    } known[] = {{8, 2, 16, 256, 4},   {8, 2, 2, 512, 2},           {2, 8, 16, 256, 4}, {8, 0.5f, 16, -256, 8},
                 {8, 0.5f, 4, 256, 4}, {0.5f, 0.125f, 16, -768, 1}, {4, 4, 16, 512, 1}, {8, 0, 16, -256, 8},
                 {16, 0, 16, 0, 16},   {0, 0, 16, LOW, 1},          {9, 8, 16, 768, 2}, {INFINITY, 1, 16, HIGH, 1},
                 {NAN, 1, 16, 0, 1}};
    const float size[3] = {1.0f, 1.0f, 1.0f};
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct tex_derivatives d = {.x = {v_splat_f32(known[i].x)}, .y = {v_splat_f32(0), v_splat_f32(known[i].y)}};
        struct tex_footprint got;
        tex_footprint_of(&d, size, 2, known[i].max, &got);
        CHECK(got.lod[0] == known[i].lod && got.taps[0] == known[i].taps, "row %u: lod %d, taps %d\n", i, got.lod[0],
              got.taps[0]);
    }
}

static void differs_within_quads(void **state)
{
    (void)state;
    seed = 7;
    for (unsigned n = 0; n < 20000; n++) {
        struct triples t;
        random_triples(&t);
        const vf32 at[3] = {component(&t, 0), component(&t, 1), component(&t, 2)};
        unsigned axes = 1 + below(3);
        struct tex_derivatives d;
        tex_quad_derivatives(at, axes, &d);
        for (unsigned i = 0; i < W; i++)
            for (unsigned k = 0; k < 3; k++) {
                const float *quad = &t.v[k][i & ~3u];
                float x = k < axes ? quad[1] - quad[0] : 0.0f, y = k < axes ? quad[2] - quad[0] : 0.0f;
                assert_true(same(d.x[k][i], x) && same(d.y[k][i], y));
            }
    }
}

/* Each tap is its rounded operations; the taps stand around u from one end of du to the other. One tap moves bits. */
static void places_taps(void **state)
{
    (void)state;
    seed = 8;
    for (int taps = 1; taps <= 16; taps++)
        for (int tap = 0; tap < taps; tap++)
            for (unsigned n = 0; n < 2000 / W; n++) {
                vf32 u = v_splat_f32(0), du = u;
                for (unsigned i = 0; i < W; i++)
                    u[i] = below(4) ? random_float(-10, 3) : random_component(),
                    du[i] = below(4) ? random_float(-10, 3) : random_component();
                vf32 got = tex_tap_position(u, du, v_splat_i32(tap), v_splat_i32(taps));
                for (unsigned i = 0; i < W; i++) {
                    float t = (float)(2 * tap + 1 - taps) / (float)(2 * taps);
                    float step = t * du[i];
                    float expected = u[i] + step;
                    assert_true(taps == 1 ? bits_of(got[i]) == bits_of(u[i]) : same(got[i], expected));
                }
            }
    const float quarters[4] = {0.625f, 0.875f, 1.125f, 1.375f};
    for (int tap = 0; tap < 4; tap++) {
        vf32 got = tex_tap_position(v_splat_f32(1.0f), v_splat_f32(1.0f), v_splat_i32(tap), v_splat_i32(4));
        assert_true(got[W - 1] == quarters[tap]);
    }
}

/* ---- positions ---- */

/* u times size, in 1/256 texels, to nearest, ties to even, in whole numbers: u is m * 2^e. */
static int64_t exact_position(float u, int32_t size)
{
    int e;
    const int64_t m = (int64_t)ldexpf(frexpf(u, &e), 24);
    const __int128 product = (__int128)m * size * 256;
    const int shift = 24 - e;
    if (shift <= 0) return (int64_t)(product * ((__int128)1 << -shift));
    if (shift > 100) return 0;
    const __int128 unit = (__int128)1 << shift, down = product >> shift, rest = product - down * unit;
    const bool up = 2 * rest > unit || (2 * rest == unit && (down & 1));
    return (int64_t)(down + up);
}

/* Beside every half, where a product that was rounded before would decide wrongly, and around the 2^22 beyond which
 * binary32 has no halves. */
static void places_texels(void **state)
{
    (void)state;
    static const int32_t sizes[] = {1, 3, 7, 256, 600, 641, 800, 1023, 1024, 5000, 16383, 16384};
    seed = 9;
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned n = 0; n < 60000 / W; n++) {
            struct tex_axis_state axis = {.wrap = SCH_WRAP_CLAMP_TO_EDGE, .size = sizes[s]};
            vf32 u = v_splat_f32(0);
            for (unsigned i = 0; i < W; i++) {
                const int32_t k = n & 1 ? (int32_t)below(1 << 23) - (1 << 22) : (1 << 22) - 4 + (int32_t)below(8);
                u[i] = (float)(((below(2) ? k : -k) + 0.5) / (256.0 * sizes[s]));
                for (unsigned step = below(3); step; step--) u[i] = nextafterf(u[i], below(2) ? 9e9f : -9e9f);
            }
            const vi32 got = tex_position(&axis, u);
            for (unsigned i = 0; i < W; i++)
                if (got[i] != exact_position(u[i], sizes[s]))
                    fail_msg("%a * %d: %d, not %lld", (double)u[i], sizes[s], got[i],
                             (long long)exact_position(u[i], sizes[s]));
        }
}

int main(void)
{
    if (!level_is_there()) return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_faces),          cmocka_unit_test(derives_on_faces),
        cmocka_unit_test(crosses_every_edge),   cmocka_unit_test(keeps_texels_inside),
        cmocka_unit_test(finds_every_lod_step), cmocka_unit_test(shows_every_lod),
        cmocka_unit_test(measures_footprints),  cmocka_unit_test(measures_known_footprints),
        cmocka_unit_test(counts_taps),          cmocka_unit_test(differs_within_quads),
        cmocka_unit_test(places_taps),          cmocka_unit_test(places_texels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
