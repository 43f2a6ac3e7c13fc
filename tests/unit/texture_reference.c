/* The reference for texture lookups: scalar, in integers and fractions, slow and plain. Written from the rules; must
 * not include anything of src/ops. */
#include "texture_reference.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

uint32_t ref_quotient(uint64_t numerator, uint64_t denominator)
{
    if (numerator == 0) return 0;
    /* numerator * 2^shift / denominator with 24 bits before the point */
    int shift = 0;
    __extension__ typedef unsigned __int128 wide;
    wide n = numerator, d = denominator;
    while (n >= (d << 24)) d <<= 1, shift--;
    while (n < (d << 23)) n <<= 1, shift++;
    uint64_t whole = (uint64_t)(n / d);
    wide rest = n % d;
    if (2 * rest > d || (2 * rest == d && (whole & 1))) whole++;
    return bits_of(ldexpf((float)whole, -shift));
}

/* u * factor rounded to the nearest integer, ties to even, modulo `period` when that is not 0. Exact: u is m * 2^e. */
static int64_t rounded_product(float u, int64_t factor, int64_t period)
{
    int e;
    int64_t m = (int64_t)ldexp(frexp(u, &e), 24) * factor;
    e -= 24;
    if (e >= 0) {
        for (; e > 0; e--) {
            if (period) m %= period;
            if (!period && (m > INT64_MAX / 4 || m < INT64_MIN / 4)) break; /* far away is far away */
            m *= 2;
        }
        return period ? m % period : m;
    }
    if (e < -60) return 0; /* |m| < 2^47 */
    int64_t one = (int64_t)1 << -e;
    int64_t whole = m / one, rest = m % one; /* toward zero */
    int64_t twice = 2 * (rest < 0 ? -rest : rest);
    if (twice > one || (twice == one && (whole & 1))) whole += m < 0 ? -1 : 1;
    return period ? whole % period : whole;
}

struct axis {
    int64_t texel[2]; /* -1: border */
    int weight[2];    /* in 1/256 */
};

static int64_t modulo(int64_t a, int64_t n) { return ((a % n) + n) % n; }

static bool in_texels(const struct sch_sampler_key *key) { return key->unnormalized || key->target == SCH_TARGET_RECT; }

/* Position in 1/256 texels before the offset. */
static int64_t position(float u, int size, int wrap, bool texels, bool linear)
{
    bool periodic = wrap == SCH_WRAPS_REPEAT || wrap == SCH_WRAPS_MIRROR_REPEAT;
    if (isnan(u) || (isinf(u) && periodic && !texels)) return 0;
    int64_t half = linear ? 128 : 0;
    const int64_t far = (int64_t)1 << 30;
    if (isinf(u)) return (u < 0 ? -far : far) - half;
    if (texels) {
        if (u > 4194304.0f) u = 4194304.0f;
        if (u < -4194304.0f) u = -4194304.0f;
        return rounded_product(u, 256, 0) - half;
    }
    /* Two periods are a whole even number: they change neither the rounding nor any mode that repeats. */
    int64_t at = rounded_product(u, (int64_t)256 * size, periodic ? (int64_t)512 * size : 0);
    if (at > far) at = far;
    if (at < -far) at = -far;
    return at - half;
}

/* A texel's number after wrapping, -1 for the border. */
static int64_t wrapped(int64_t i, int64_t size, int wrap, bool linear)
{
    bool border = wrap == SCH_WRAPS_CLAMP_TO_BORDER || wrap == SCH_WRAPS_MIRROR_CLAMP_TO_BORDER;
    if (linear && (wrap == SCH_WRAPS_CLAMP || wrap == SCH_WRAPS_MIRROR_CLAMP)) border = true;
    if (wrap == SCH_WRAPS_REPEAT) return modulo(i, size);
    if (wrap == SCH_WRAPS_MIRROR_REPEAT) {
        if (i < 0) i = -i - 1;
        return (i / size) % 2 ? size - 1 - i % size : i % size;
    }
    if (wrap >= SCH_WRAPS_MIRROR_CLAMP && i < 0) i = -i - 1;
    if (border) return i < 0 || i >= size ? -1 : i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

static int64_t floor_256(int64_t p) { return (p - modulo(p, 256)) / 256; }

static struct axis address(float u, int size, int wrap, bool texels, bool linear, int offset)
{
    int64_t p = position(u, size, wrap, texels, linear) + (int64_t)256 * offset;
    if (wrap == SCH_WRAPS_CLAMP || wrap == SCH_WRAPS_MIRROR_CLAMP) {
        /* limits of the coordinate itself: add the half again */
        int64_t half = linear ? 128 : 0, low = wrap == SCH_WRAPS_CLAMP ? 0 : -(int64_t)256 * size;
        int64_t at = p + half;
        at = at < low ? low : at > (int64_t)256 * size ? (int64_t)256 * size : at;
        p = at - half;
    }
    struct axis axis;
    int64_t i = floor_256(p);
    axis.weight[1] = linear ? (int)modulo(p, 256) : 0;
    axis.weight[0] = 256 - axis.weight[1];
    axis.texel[0] = wrapped(i, size, wrap, linear);
    axis.texel[1] = wrapped(i + 1, size, wrap, linear);
    return axis;
}

static float border_value(float b) { return b > 0 ? (b < 1 ? b : 1) : 0; }

/* One component of one level. */
static float filtered(const struct ref_question *q, const struct sch_texture_level *level, const struct axis axis[2],
                      unsigned component, bool *border)
{
    int from = q->format->from[component];
    if (from == REF_ZERO) return 0;
    if (from == REF_ONE) return 1;
    uint64_t sum = 0, outside = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned weight = (unsigned)(axis[0].weight[i % 2] * axis[1].weight[i / 2]);
        int64_t x = axis[0].texel[i % 2], y = axis[1].texel[i / 2];
        if (weight == 0) continue;
        if (x < 0 || y < 0)
            outside += weight;
        else
            sum += (uint64_t)weight *
                   level->texels[(uint64_t)y * level->row_bytes + (uint64_t)x * q->format->bytes + (unsigned)from];
    }
    if (!outside) return float_of(ref_quotient(sum, 255 * 65536));
    *border = true;
    double inner = (double)sum / 255.0, outer = (double)outside * (double)border_value(q->border[component]);
    return (float)((inner + outer) / 65536.0);
}

static void sample_level(const struct ref_question *q, unsigned number, bool linear, float color[4], bool *border)
{
    const struct sch_texture_level *level = &q->texture->level[number];
    struct axis axis[2];
    for (unsigned i = 0; i < 2; i++)
        axis[i] = address(q->at[i], (int)(i ? level->height : level->width), q->key->wrap[i], in_texels(q->key), linear,
                          q->offset[i]);
    for (unsigned c = 0; c < 4; c++) color[c] = filtered(q, level, axis, c, border);
}

/* ---- level of detail, in 1/256 ---- */

enum { LOW = -32768, HIGH = 32767 };

static int limited(double v) { return v < LOW ? LOW : v > HIGH ? HIGH : (int)v; }

static int fixed(float v) { return isnan(v) ? 0 : limited(rint(256.0 * (double)v)); }

static int computed_lod(const struct ref_question *q)
{
    float width = in_texels(q->key) ? 1.0f : (float)q->texture->level[0].width;
    float height = in_texels(q->key) ? 1.0f : (float)q->texture->level[0].height;
    const float *d[2] = {q->dx, q->dy};
    float length2[2];
    for (unsigned i = 0; i < 2; i++) {
        float s = d[i][0] * width, t = d[i][1] * height;
        float s2 = s * s, t2 = t * t;
        length2[i] = s2 + t2;
    }
    if (isnan(length2[0]) || isnan(length2[1])) return 0;
    float rho2 = length2[0] > length2[1] ? length2[0] : length2[1];
    if (rho2 == 0) return LOW;
    if (isinf(rho2)) return HIGH;
    return limited((double)floorl(128.0L * log2l((long double)rho2) + 0.5L));
}

static int lod_of(const struct ref_question *q)
{
    int lod = 0;
    if (q->lod_mode == SCH_LOD_EXPLICIT)
        lod = fixed(q->lod);
    else if (q->lod_mode != SCH_LOD_ZERO)
        lod = computed_lod(q);
    lod += fixed(q->lod_bias);
    if (q->lod_mode == SCH_LOD_BIAS) lod += fixed(q->lod);
    lod = limited(lod);
    if (lod > fixed(q->max_lod)) lod = fixed(q->max_lod);
    return lod < fixed(q->min_lod) ? fixed(q->min_lod) : lod;
}

void ref_sample(const struct ref_question *q, struct ref_answer *answer)
{
    *answer = (struct ref_answer){0};
    int lod = lod_of(q), last = (int)q->texture->levels - 1;
    answer->linear = lod <= 0 ? q->key->mag_linear : q->key->min_linear;
    int level = 0, weight = 0;
    if (q->key->mip == 1) level = (int)floor(lod / 256.0 + 0.5);
    if (q->key->mip == 2) {
        level = (int)floor(lod / 256.0);
        weight = lod - 256 * level;
    }
    if (level < 0) level = weight = 0;
    if (level >= last) {
        level = last;
        weight = 0;
    }
    float color[4], second[4];
    sample_level(q, (unsigned)level, answer->linear, color, &answer->border);
    if (weight) {
        sample_level(q, (unsigned)level + 1, answer->linear, second, &answer->border);
        for (unsigned c = 0; c < 4; c++) {
            float a = color[c], b = second[c], w = (float)weight / 256.0f;
            float rest = a * (1.0f - w);
            float mixed = fmaf(b, w, rest);
            float low = a < b ? a : b, high = a < b ? b : a;
            color[c] = mixed < low ? low : mixed > high ? high : mixed;
        }
    }
    for (unsigned c = 0; c < 4; c++) {
        unsigned entry = q->key->swizzle[c];
        answer->bits[c] = bits_of(entry < 4 ? color[entry] : entry == 5 ? 1.0f : 0.0f);
    }
}

bool ref_fetch(const struct ref_format *format, const struct sch_texture *texture, const struct sch_sampler_key *key,
               uint32_t x, uint32_t y, const int8_t offset[2], uint32_t level, uint32_t bits[4])
{
    uint32_t color[4];
    x += (uint32_t)offset[0];
    y += (uint32_t)offset[1];
    bool in = level < texture->levels && x < texture->level[level].width && y < texture->level[level].height;
    for (unsigned c = 0; c < 4; c++) {
        int from = format->from[c];
        if (from == REF_ONE)
            color[c] = in || key->rules == SCH_RULES_D3D ? bits_of(1.0f) : 0;
        else if (from == REF_ZERO || !in)
            color[c] = 0;
        else
            color[c] = ref_quotient(
                texture->level[level].texels[y * texture->level[level].row_bytes + x * format->bytes + (unsigned)from],
                255);
    }
    for (unsigned c = 0; c < 4; c++) {
        unsigned entry = key->swizzle[c];
        bits[c] = entry < 4 ? color[entry] : entry == 5 ? bits_of(1.0f) : 0;
    }
    return in;
}
