/* Expected results of the double and 64-bit integer opcodes, and of the conversions to and from them. Scalar. */
#include "oracle.h"

#include <math.h>

#define EXPECT(name) void expect_##name(unsigned rules __attribute__((unused)), const union value *s, union value *r)

EXPECT(DABS) { r->d = fabs(s[0].d); }
EXPECT(DNEG) { r->d = -s[0].d; }
EXPECT(DADD) { r->d = s[0].d + s[1].d; }
EXPECT(DMUL) { r->d = s[0].d * s[1].d; }
EXPECT(DDIV) { r->d = s[0].d / s[1].d; }
EXPECT(DRCP) { r->d = 1.0 / s[0].d; }
EXPECT(DSQRT) { r->d = sqrt(s[0].d); }
/* Nearest: 1 - x y^2, computed in more bits than a double has, tells whether a neighbour of y is nearer. */
EXPECT(DRSQ)
{
    double x = s[0].d, y = (double)(1.0L / sqrtl(x));
    r->d = y;
    if (!(x > 0) || x == (double)INFINITY) return;
    long double p = (long double)x * y, low = fmal(x, y, -p);
    long double e = fmal(-p, y, 1.0L) - low * y;
    long double correction = y * (e / 2 + e * e * 3 / 8);
    double above = nextafter(y, INFINITY), below = nextafter(y, 0);
    if (correction > ((long double)above - y) / 2) r->d = above;
    if (-correction > ((long double)y - below) / 2) r->d = below;
}
EXPECT(DFMA) { r->d = fma(s[0].d, s[1].d, s[2].d); }
EXPECT(DMAD)
{
    volatile double rounded = s[0].d * s[1].d;
    r->d = rules & RULE_PRECISE ? rounded + s[2].d : fma(s[0].d, s[1].d, s[2].d);
}
EXPECT(DMIN) { r->d = s[0].d < s[1].d || (rules & RULE_D3D && s[1].d != s[1].d) ? s[0].d : s[1].d; }
EXPECT(DMAX)
{
    bool first = rules & RULE_D3D ? s[0].d >= s[1].d || s[1].d != s[1].d : s[0].d > s[1].d;
    r->d = first ? s[0].d : s[1].d;
}
EXPECT(DSEQ) { r->u = s[0].d == s[1].d ? ~0u : 0; }
EXPECT(DSNE) { r->u = s[0].d != s[1].d ? ~0u : 0; }
EXPECT(DSLT) { r->u = s[0].d < s[1].d ? ~0u : 0; }
EXPECT(DSGE) { r->u = s[0].d >= s[1].d ? ~0u : 0; }
EXPECT(DFRAC) { r->d = isinf(s[0].d) ? 0 : s[0].d - floor(s[0].d); }
EXPECT(DFLR) { r->d = floor(s[0].d); }
EXPECT(DCEIL) { r->d = ceil(s[0].d); }
EXPECT(DTRUNC) { r->d = trunc(s[0].d); }
EXPECT(DROUND) { r->d = rint(s[0].d); }
EXPECT(DSSG) { r->d = s[0].d > 0 ? 1.0 : s[0].d < 0 ? -1.0 : 0.0; }
EXPECT(DLDEXP) { r->d = ldexp(s[0].d, s[1].i); }
/* r[0]: the fraction, r[1]: the exponent */
EXPECT(DFRACEXP)
{
    int exponent = 0;
    r[0].d = s[0].d;
    if (isfinite(s[0].d)) r[0].d = frexp(s[0].d, &exponent);
    r[1].i = exponent;
}

/* ---- conversions: toward zero, to the nearest end, NaN to 0; to floats to nearest even ---- */

EXPECT(F2D) { r->d = s[0].f; }
EXPECT(I2D) { r->d = s[0].i; }
EXPECT(U2D) { r->d = s[0].u; }
EXPECT(D2F) { r->f = (float)s[0].d; }
EXPECT(D2I)
{
    double x = s[0].d;
    r->i = x != x ? 0 : x <= INT32_MIN ? INT32_MIN : x >= INT32_MAX ? INT32_MAX : (int32_t)x;
}
EXPECT(D2U) { r->u = !(s[0].d > 0) ? 0 : s[0].d >= 0x1p32 ? UINT32_MAX : (uint32_t)s[0].d; }

static uint64_t to_u64(double x) { return !(x > 0) ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x; }
static int64_t to_i64(double x)
{
    if (x != x) return 0;
    if (x < -0x1p63) return INT64_MIN;
    return x >= 0x1p63 ? INT64_MAX : (int64_t)x;
}
EXPECT(F2U64) { r->q = to_u64(s[0].f); }
EXPECT(F2I64) { r->l = to_i64(s[0].f); }
EXPECT(D2U64) { r->q = to_u64(s[0].d); }
EXPECT(D2I64) { r->l = to_i64(s[0].d); }
EXPECT(U2I64) { r->q = s[0].u; }
EXPECT(I2I64) { r->l = s[0].i; }
EXPECT(U642F) { r->f = (float)s[0].q; }
EXPECT(I642F) { r->f = (float)s[0].l; }
EXPECT(U642D) { r->d = (double)s[0].q; }
EXPECT(I642D) { r->d = (double)s[0].l; }

/* ---- 64-bit integers ---- */

EXPECT(U64ADD) { r->q = s[0].q + s[1].q; }
EXPECT(U64MUL) { r->q = s[0].q * s[1].q; }
EXPECT(I64NEG) { r->q = ~s[0].q + 1; }
EXPECT(I64ABS) { r->q = s[0].l < 0 ? ~s[0].q + 1 : s[0].q; }
EXPECT(I64SSG) { r->l = s[0].l < 0 ? -1 : s[0].l > 0 ? 1 : 0; }
EXPECT(I64MIN) { r->l = s[0].l < s[1].l ? s[0].l : s[1].l; }
EXPECT(U64MIN) { r->q = s[0].q < s[1].q ? s[0].q : s[1].q; }
EXPECT(I64MAX) { r->l = s[0].l > s[1].l ? s[0].l : s[1].l; }
EXPECT(U64MAX) { r->q = s[0].q > s[1].q ? s[0].q : s[1].q; }
EXPECT(U64SEQ) { r->u = s[0].q == s[1].q ? ~0u : 0; }
EXPECT(U64SNE) { r->u = s[0].q != s[1].q ? ~0u : 0; }
EXPECT(U64SLT) { r->u = s[0].q < s[1].q ? ~0u : 0; }
EXPECT(U64SGE) { r->u = s[0].q >= s[1].q ? ~0u : 0; }
EXPECT(I64SLT) { r->u = s[0].l < s[1].l ? ~0u : 0; }
EXPECT(I64SGE) { r->u = s[0].l >= s[1].l ? ~0u : 0; }
/* "The shift count is masked with 0x3f before the shift is applied." */
EXPECT(U64SHL) { r->q = s[0].q << (s[1].u & 0x3f); }
EXPECT(I64SHR) { r->l = s[0].l >> (s[1].u & 0x3f); }
EXPECT(U64SHR) { r->q = s[0].q >> (s[1].u & 0x3f); }
static bool wraps(const union value *s) { return s[0].l == INT64_MIN && s[1].l == -1; }
EXPECT(I64DIV) { r->l = s[1].l == 0 ? -1 : wraps(s) ? INT64_MIN : s[0].l / s[1].l; }
EXPECT(I64MOD) { r->l = s[1].l == 0 ? -1 : wraps(s) ? 0 : s[0].l % s[1].l; }
EXPECT(U64DIV) { r->q = s[1].q == 0 ? UINT64_MAX : s[0].q / s[1].q; }
EXPECT(U64MOD) { r->q = s[1].q == 0 ? UINT64_MAX : s[0].q % s[1].q; }
