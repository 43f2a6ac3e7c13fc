/* Expected results of the 32-bit float opcodes. Scalar, from the specification's formulas; the elementary functions in
 * the C library's long double, for comparison within the stated bound. */
#include "oracle.h"

#include <math.h>

#define EXPECT(name) void expect_##name(unsigned rules __attribute__((unused)), const union value *s, union value *r)

/* "The MUL TGSI operation (FP32 multiplication) will return 0 if either of the operands are equal to 0." */
static bool vanishes(unsigned rules, float a, float b) { return (rules & RULE_LEGACY) && (a == 0 || b == 0); }
static float product(unsigned rules, float a, float b) { return vanishes(rules, a, b) ? 0.0f : a * b; }
static float product_sum(unsigned rules, float a, float b, float c)
{
    if (vanishes(rules, a, b)) return 0.0f + c;
    if (rules & RULE_PRECISE) {
        volatile float rounded = a * b;
        return rounded + c;
    }
    return fmaf(a, b, c);
}

EXPECT(MOV) { r->u = s[0].u; }
EXPECT(MUL) { r->f = product(rules, s[0].f, s[1].f); }
EXPECT(ADD) { r->f = s[0].f + s[1].f; }
EXPECT(DIV) { r->f = s[0].f / s[1].f; }
EXPECT(MAD) { r->f = product_sum(rules, s[0].f, s[1].f, s[2].f); }
EXPECT(FMA) { r->f = product_sum(rules & RULE_LEGACY, s[0].f, s[1].f, s[2].f); }
EXPECT(LRP)
{
    float rest = product(rules, 1.0f - s[0].f, s[2].f);
    r->f = product_sum(rules, s[0].f, s[1].f, rest);
}
EXPECT(RCP) { r->f = 1.0f / s[0].f; }
EXPECT(SQRT) { r->f = sqrtf(s[0].f); }

static float dot(unsigned rules, const union value *s, int channels)
{
    float sum = product(rules, s[0].f, s[4].f);
    for (int c = 1; c < channels; c++) sum = product_sum(rules, s[c].f, s[4 + c].f, sum);
    return sum;
}
EXPECT(DP2) { r->f = dot(rules, s, 2); }
EXPECT(DP3) { r->f = dot(rules, s, 3); }
EXPECT(DP4) { r->f = dot(rules, s, 4); }
EXPECT(DST)
{
    r[0].f = 1.0f;
    r[1].f = product(rules, s[1].f, s[5].f);
    r[2].f = s[2].f;
    r[3].f = s[7].f;
}

/* "Explanation of symbols used", "Functions" */
static float text_min(float x, float y) { return x < y ? x : y; }
static float text_max(float x, float y) { return x > y ? x : y; }
static float text_clamp(float x, float y, float z) { return x < y ? y : x > z ? z : x; }

/* Direct3D: "src0 < src1 ? src0 : src1; one NaN -> the other operand". */
EXPECT(MIN)
{
    r->f = text_min(s[0].f, s[1].f);
    if (rules & RULE_D3D && s[1].f != s[1].f) r->f = s[0].f;
}
/* "src0 >= src1 ? src0 : src1; NaN rule as min". */
EXPECT(MAX)
{
    r->f = text_max(s[0].f, s[1].f);
    if (rules & RULE_D3D) r->f = s[0].f >= s[1].f || s[1].f != s[1].f ? s[0].f : s[1].f;
}
EXPECT(SLT) { r->f = s[0].f < s[1].f ? 1.0f : 0.0f; }
EXPECT(SLE) { r->f = s[0].f <= s[1].f ? 1.0f : 0.0f; }
EXPECT(SGT) { r->f = s[0].f > s[1].f ? 1.0f : 0.0f; }
EXPECT(SGE) { r->f = s[0].f >= s[1].f ? 1.0f : 0.0f; }
EXPECT(SEQ) { r->f = s[0].f == s[1].f ? 1.0f : 0.0f; }
EXPECT(SNE) { r->f = s[0].f != s[1].f ? 1.0f : 0.0f; }
EXPECT(FSLT) { r->u = s[0].f < s[1].f ? ~0u : 0; }
EXPECT(FSGE) { r->u = s[0].f >= s[1].f ? ~0u : 0; }
EXPECT(FSEQ) { r->u = s[0].f == s[1].f ? ~0u : 0; }
EXPECT(FSNE) { r->u = s[0].f != s[1].f ? ~0u : 0; }
EXPECT(SSG) { r->f = s[0].f > 0 ? 1.0f : s[0].f < 0 ? -1.0f : 0.0f; }
EXPECT(CMP) { *r = s[0].f < 0 ? s[1] : s[2]; }

/* GLSL's floor is written x - FRC(x), so that infinities have no fraction. Direct3D: "[+0 to 1)", NaN of infinities. */
EXPECT(FRC)
{
    r->f = isinf(s[0].f) && !(rules & RULE_D3D) ? 0.0f : s[0].f - floorf(s[0].f);
    if (rules & RULE_D3D && r->f >= 1.0f) r->f = 0x1.fffffep-1f;
}
EXPECT(FLR) { r->f = floorf(s[0].f); }
EXPECT(CEIL) { r->f = ceilf(s[0].f); }
EXPECT(TRUNC) { r->f = truncf(s[0].f); }
EXPECT(ROUND) { r->f = rintf(s[0].f); }
EXPECT(LDEXP) { r->f = ldexpf(s[0].f, s[1].i); }

/* ---- elementary functions ---- */

EXPECT(RSQ) { r->f = (float)(1.0L / sqrtl(s[0].f)); }
EXPECT(EX2) { r->f = (float)exp2l(s[0].f); }
EXPECT(LG2) { r->f = (float)log2l(s[0].f); }
EXPECT(SIN) { r->f = (float)sinl(s[0].f); }
EXPECT(COS) { r->f = (float)cosl(s[0].f); }
static float power(float x, float y) { return (float)powl(x, y); }
EXPECT(POW) { r->f = power(s[0].f, s[1].f); }

EXPECT(LIT)
{
    r[0].f = 1.0f;
    r[1].f = text_max(s[0].f, 0.0f);
    r[2].f = s[0].f > 0 ? power(text_max(s[1].f, 0.0f), text_clamp(s[3].f, -128.0f, 128.0f)) : 0.0f;
    r[3].f = 1.0f;
}
EXPECT(EXP)
{
    r[0].f = (float)exp2l(floorf(s[0].f));
    r[1].f = s[0].f - floorf(s[0].f);
    r[2].f = (float)exp2l(s[0].f);
    r[3].f = 1.0f;
}
/* floor(log2 x) without a rounded logarithm: logb. */
EXPECT(LOG)
{
    double x = fabs((double)s[0].f);
    r[0].f = (float)logb(x);
    r[1].f = (float)(x / exp2(logb(x)));
    if ((rules & RULE_LEGACY) && (x == 0 || x == INFINITY)) r[1].f = 0.0f;
    r[2].f = (float)log2l(x);
    r[3].f = 1.0f;
}

/* ---- packing ---- */

/* Binary16 by its values: a multiple of the spacing at x's size, which is 2^-24 below 2^-14. */
static uint32_t half_bits(float x)
{
    if (x != x) return 0x7e00;
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    double size = fabs((double)x);
    if (size >= 65520.0) return sign | 0x7c00;
    int exponent = size < 0x1p-14 ? -14 : ilogb(size);
    double steps = nearbyint(size / ldexp(1.0, exponent - 10)); /* up to 2048 */
    return sign | (uint32_t)((exponent + 14) * 1024 + (int)steps);
}
static float half_value(uint32_t bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double size = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    if (exponent == 31) size = fraction ? (double)NAN : (double)INFINITY;
    return (float)(bits & 0x8000 ? -size : size);
}
static uint32_t normalized(float x, float low, double scale)
{
    if (x != x) return 0;
    return (uint32_t)(int32_t)nearbyint((double)text_clamp(x, low, 1.0f) * scale);
}

/* Direct3D: "round toward ZERO, too large -> max finite"; infinity stays. */
static uint32_t half_toward_zero(float x)
{
    uint32_t sign = signbit(x) ? 0x8000 : 0;
    double size = fabs((double)x);
    if (x != x || isinf(x)) return half_bits(x);
    if (size >= 65504.0) return sign | 0x7bff;
    int exponent = size < 0x1p-14 ? -14 : ilogb(size);
    double steps = floor(size / ldexp(1.0, exponent - 10));
    return sign | (uint32_t)((exponent + 14) * 1024 + (int)steps);
}
EXPECT(PK2H)
{
    uint32_t (*half)(float) = rules & RULE_D3D ? half_toward_zero : half_bits;
    r->u = half(s[0].f) | half(s[1].f) << 16;
}
EXPECT(PK2US) { r->u = normalized(s[0].f, 0, 65535.0) | normalized(s[1].f, 0, 65535.0) << 16; }
EXPECT(PK4B)
{
    r->u = 0;
    for (int c = 0; c < 4; c++) r->u |= (normalized(s[c].f, -1, 127.0) & 255) << (8 * c);
}
EXPECT(PK4UB)
{
    r->u = 0;
    for (int c = 0; c < 4; c++) r->u |= normalized(s[c].f, 0, 255.0) << (8 * c);
}
EXPECT(UP2H)
{
    for (int c = 0; c < 4; c++) r[c].f = half_value(s[0].u >> (c & 1) * 16 & 0xffff);
}
EXPECT(UP2US)
{
    for (int c = 0; c < 4; c++) r[c].f = (float)((s[0].u >> (c & 1) * 16 & 0xffff) / 65535.0L);
}
EXPECT(UP4B)
{
    for (int c = 0; c < 4; c++) {
        int n = (int)(s[0].u >> 8 * c & 255);
        if (n >= 128) n -= 256;
        r[c].f = (float)fmaxl(-1.0L, n / 127.0L);
    }
}
EXPECT(UP4UB)
{
    for (int c = 0; c < 4; c++) r[c].f = (float)((s[0].u >> 8 * c & 255) / 255.0L);
}

/* ---- conversions ---- */

static int32_t to_i32(double x)
{
    if (x != x) return 0;
    if (x <= INT32_MIN) return INT32_MIN;
    return x >= INT32_MAX ? INT32_MAX : (int32_t)x;
}
EXPECT(ARL) { r->i = to_i32(floor(s[0].f)); }
EXPECT(ARR) { r->i = to_i32(rint(s[0].f)); }
EXPECT(F2I) { r->i = to_i32(s[0].f); }
EXPECT(F2U) { r->u = !(s[0].f > 0) ? 0 : s[0].f >= 0x1p32f ? UINT32_MAX : (uint32_t)s[0].f; }
EXPECT(I2F) { r->f = (float)s[0].i; }
EXPECT(U2F) { r->f = (float)s[0].u; }
