/* Matrices: factors that are multiplied. Sines are computed here, so that a scene draws the same on every machine. */
#include <math.h>
#include <string.h>

#include "text.h"

/* Rows; computed as double, rounded once at the end. */
struct matrix {
    double m[4][4];
};

static const double PI = 3.14159265358979323846;

/* For an angle in degrees from -45 to 45: Taylor's series, of which the first term left out is below 2^-60. */
static void series(double degrees, double *sine, double *cosine)
{
    const double x = degrees * (PI / 180), square = x * x;
    double term = 1;
    *sine = *cosine = 0;
    for (int n = 0; n < 20; n++) {
        *((n & 1) ? sine : cosine) += (n & 2) ? -term : term;
        term = term / (n + 1);
        if (n & 1) term *= square;
    }
    *sine *= x;
}

/* fmod is exact; so 90 degrees have exactly the cosine 0. */
static void sine_cosine(double degrees, double *sine, double *cosine)
{
    double s, c, turned = fmod(degrees, 360);
    if (turned < 0) turned += 360;
    const int quarters = (int)((turned + 45) / 90);
    series(turned - 90 * quarters, &s, &c);
    *sine = (quarters & 3) == 0 ? s : (quarters & 3) == 1 ? c : (quarters & 3) == 2 ? -s : -c;
    *cosine = (quarters & 3) == 0 ? c : (quarters & 3) == 1 ? -s : (quarters & 3) == 2 ? -c : s;
}

static struct matrix identity(void)
{
    return (struct matrix){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

static struct matrix product(const struct matrix *a, const struct matrix *b)
{
    struct matrix c;
    for (unsigned i = 0; i < 4; i++)
        for (unsigned j = 0; j < 4; j++)
            c.m[i][j] = ((a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j]) + a->m[i][2] * b->m[2][j]) +
                        a->m[i][3] * b->m[3][j];
    return c;
}

/* ---- factors ----------------------------------------------------------------------------------------------------- */

/* FOVY ASPECT NEAR FAR, as gluPerspective: z from -w to w. */
static struct matrix perspective(const double *v)
{
    double sine, cosine;
    sine_cosine(v[0] / 2, &sine, &cosine);
    const double f = cosine / sine;
    return (struct matrix){{{f / v[1], 0, 0, 0},
                            {0, f, 0, 0},
                            {0, 0, (v[3] + v[2]) / (v[2] - v[3]), 2 * v[3] * v[2] / (v[2] - v[3])},
                            {0, 0, -1, 0}}};
}

/* LEFT RIGHT BOTTOM TOP NEAR FAR, as glOrtho and glFrustum (OpenGL 12.1.1). */
static struct matrix ortho(const double *v)
{
    return (struct matrix){{{2 / (v[1] - v[0]), 0, 0, -(v[1] + v[0]) / (v[1] - v[0])},
                            {0, 2 / (v[3] - v[2]), 0, -(v[3] + v[2]) / (v[3] - v[2])},
                            {0, 0, -2 / (v[5] - v[4]), -(v[5] + v[4]) / (v[5] - v[4])},
                            {0, 0, 0, 1}}};
}

static struct matrix frustum(const double *v)
{
    return (struct matrix){{{2 * v[4] / (v[1] - v[0]), 0, (v[1] + v[0]) / (v[1] - v[0]), 0},
                            {0, 2 * v[4] / (v[3] - v[2]), (v[3] + v[2]) / (v[3] - v[2]), 0},
                            {0, 0, -(v[5] + v[4]) / (v[5] - v[4]), -2 * v[5] * v[4] / (v[5] - v[4])},
                            {0, 0, -1, 0}}};
}

static void normalize(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (unsigned i = 0; i < 3; i++) v[i] /= length;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (unsigned i = 0; i < 3; i++) c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* EYE CENTER UP, as gluLookAt. */
static struct matrix lookat(const double *v)
{
    double forward[3] = {v[3] - v[0], v[4] - v[1], v[5] - v[2]}, side[3], up[3];
    struct matrix result = identity();
    normalize(forward);
    cross(forward, v + 6, side);
    normalize(side);
    cross(side, forward, up);
    for (unsigned i = 0; i < 3; i++) {
        result.m[0][i] = side[i];
        result.m[1][i] = up[i];
        result.m[2][i] = -forward[i];
    }
    for (unsigned i = 0; i < 3; i++)
        result.m[i][3] = -(result.m[i][0] * v[0] + result.m[i][1] * v[1] + result.m[i][2] * v[2]);
    return result;
}

static struct matrix translate(const double *v)
{
    struct matrix result = identity();
    for (unsigned i = 0; i < 3; i++) result.m[i][3] = v[i];
    return result;
}

static struct matrix scale(const double *v)
{
    struct matrix result = identity();
    for (unsigned i = 0; i < 3; i++) result.m[i][i] = v[i];
    return result;
}

/* DEGREES X Y Z, as glRotate (OpenGL 12.1.1). */
static struct matrix rotate(const double *v)
{
    double axis[3] = {v[1], v[2], v[3]}, sine, cosine;
    struct matrix result = identity();
    normalize(axis);
    sine_cosine(v[0], &sine, &cosine);
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) result.m[i][j] = axis[i] * axis[j] * (1 - cosine) + (i == j ? cosine : 0);
    for (unsigned i = 0; i < 3; i++) {
        result.m[i][(i + 1) % 3] -= axis[(i + 2) % 3] * sine;
        result.m[(i + 1) % 3][i] += axis[(i + 2) % 3] * sine;
    }
    return result;
}

static struct matrix rows(const double *v)
{
    struct matrix result;
    memcpy(result.m, v, sizeof result.m);
    return result;
}

static const struct {
    const char *word;
    unsigned count;
    struct matrix (*make)(const double *values);
} factors[] = {{"perspective", 4, perspective}, {"ortho", 6, ortho}, {"frustum", 6, frustum}, {"lookat", 9, lookat},
               {"translate", 3, translate},     {"scale", 3, scale}, {"rotate", 4, rotate},   {"rows", 16, rows}};

static bool read_factor(struct sch_scene_text *text, struct matrix *factor)
{
    double values[16];
    *factor = identity();
    if (sch_scene_word(text, "identity")) return true;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        if (!sch_scene_word(text, factors[i].word)) continue;
        for (unsigned k = 0; k < factors[i].count; k++) {
            struct sch_scene_number number;
            if (!sch_scene_number(text, factors[i].word, &number)) return false;
            values[k] = number.real;
        }
        *factor = factors[i].make(values);
        return true;
    }
    const struct sch_scene_object *object = sch_scene_named(text, SCH_SCENE_MATRIX);
    for (unsigned i = 0; object && i < 16; i++) factor->m[i / 4][i % 4] = (double)object->matrix.m[i / 4][i % 4];
    return object != NULL;
}

bool sch_scene_read_matrix(struct sch_scene_text *text, struct sch_scene_matrix *matrix)
{
    struct matrix all, factor;
    if (!read_factor(text, &all)) return false;
    while (sch_scene_sign(text, '*')) {
        if (!read_factor(text, &factor)) return false;
        all = product(&all, &factor);
    }
    for (unsigned i = 0; i < 16; i++) matrix->m[i / 4][i % 4] = (float)all.m[i / 4][i % 4];
    return true;
}
