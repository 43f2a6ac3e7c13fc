/* The reference for texture lookups: from coordinates to texels and back to a result, by docs/texture.md alone. Formats
 * are in reference_format.c. Must not include anything of src/ops. */
#include "texture_reference.h"

#include <math.h>
#include <string.h>

static const uint32_t one = 0x3f800000u;

unsigned ref_coordinates(unsigned target)
{
    switch (target) {
    case SCH_TARGET_BUFFER:
    case SCH_TARGET_1D:
    case SCH_TARGET_1D_ARRAY:
        return 1;
    case SCH_TARGET_3D:
    case SCH_TARGET_CUBE:
    case SCH_TARGET_CUBE_ARRAY:
        return 3;
    default:
        return 2;
    }
}

bool ref_is_cube(unsigned target) { return target == SCH_TARGET_CUBE || target == SCH_TARGET_CUBE_ARRAY; }

bool ref_has_layers(unsigned target)
{
    return target == SCH_TARGET_1D_ARRAY || target == SCH_TARGET_2D_ARRAY || target == SCH_TARGET_CUBE_ARRAY ||
           target == SCH_TARGET_2D_ARRAY_MSAA;
}

/* Axes of an image: a cube's faces have two. */
static unsigned axes_of(unsigned target) { return ref_is_cube(target) ? 2 : ref_coordinates(target); }

static bool in_texels(const struct sch_sampler_key *key) { return key->unnormalized || key->target == SCH_TARGET_RECT; }

static uint32_t extent(const struct sch_texture_level *level, unsigned axis)
{
    return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

/* ---- positions and indices along one axis, in 1/256 texels ---- */

static int64_t modulo(int64_t a, int64_t n) { return ((a % n) + n) % n; }
static int64_t floor_256(int64_t p) { return (p - modulo(p, 256)) / 256; }

/* u * factor rounded to the nearest integer, ties to even; u is m * 2^e, |u * factor| < 2^62. */
static int64_t rounded_product(float u, int64_t factor)
{
    int e;
    ref_wide m = (ref_wide)(int64_t)ldexp(frexp(u, &e), 24) * factor; /* below 2^47 */
    e -= 24;
    if (e >= 0) return (int64_t)(m << e);
    if (e < -60) return 0;
    ref_wide unit = (ref_wide)1 << -e, whole = m / unit, rest = m % unit, twice = 2 * (rest < 0 ? -rest : rest);
    if (twice > unit || (twice == unit && (whole & 1))) whole += m < 0 ? -1 : 1;
    return (int64_t)whole;
}

/* Before the offset. `wrap`: -1 for none (seamless cubes). */
static int64_t position(float u, int64_t size, int wrap, bool texels, bool linear)
{
    const int64_t far = (int64_t)1 << 30; /* 2^22 texels */
    int64_t half = linear ? 128 : 0;
    if (!texels && wrap == SCH_WRAP_REPEAT) u = u - rintf(u);
    if (!texels && wrap == SCH_WRAP_MIRROR_REPEAT) u = u - 2 * rintf(u / 2);
    if (isnan(u)) return 0;
    if (u >= 4194304.0f) return far - half;
    if (u <= -4194304.0f) return -far - half;
    int64_t at = rounded_product(u, 256 * (texels ? 1 : size));
    return (at > far ? far : at < -far ? -far : at) - half;
}

/* A texel's number after wrapping, -1 for the border. */
static int64_t wrapped(int64_t i, int64_t size, unsigned wrap, bool linear)
{
    bool border = wrap == SCH_WRAP_CLAMP_TO_BORDER || wrap == SCH_WRAP_MIRROR_CLAMP_TO_BORDER;
    if (linear && (wrap == SCH_WRAP_CLAMP || wrap == SCH_WRAP_MIRROR_CLAMP)) border = true;
    if (wrap == SCH_WRAP_REPEAT) return modulo(i, size);
    if (wrap == SCH_WRAP_MIRROR_REPEAT) {
        i = modulo(i, 2 * size);
        return i < size ? i : 2 * size - 1 - i;
    }
    if (wrap >= SCH_WRAP_MIRROR_CLAMP && i < 0) i = -1 - i;
    if (border) return i < 0 || i >= size ? -1 : i;
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

struct axis {
    int64_t texel[2]; /* -1: border; of seamless cubes as it is */
    unsigned weight[2];
};

static struct axis address(float u, int64_t size, unsigned wrap, bool texels, bool linear, int32_t offset)
{
    offset = offset < -32768 ? -32768 : offset > 32767 ? 32767 : offset;
    int64_t p = position(u, size, (int)wrap, texels, linear) + (int64_t)256 * offset;
    if (wrap == SCH_WRAP_CLAMP || wrap == SCH_WRAP_MIRROR_CLAMP) {
        int64_t half = linear ? 128 : 0, low = wrap == SCH_WRAP_CLAMP ? 0 : -256 * size;
        int64_t at = p + half; /* limits are of the coordinate itself */
        p = (at < low ? low : at > 256 * size ? 256 * size : at) - half;
    }
    unsigned weight = linear ? (unsigned)modulo(p, 256) : 0;
    int64_t i = floor_256(p);
    return (struct axis){{wrapped(i, size, wrap, linear), wrapped(i + 1, size, wrap, linear)}, {256 - weight, weight}};
}

static struct axis seamless_address(float u, int64_t size, bool linear)
{
    int64_t p = position(u, size, -1, false, linear), i = floor_256(p);
    unsigned weight = linear ? (unsigned)modulo(p, 256) : 0;
    if (!linear) i = i < 0 ? 0 : i >= size ? size - 1 : i;
    return (struct axis){{i, i + 1}, {256 - weight, weight}};
}

/* ---- cubes ---- */

/* The table of faces: which coordinate, with which sign, is ma, sc, tc. */
static const struct {
    int axis[3], sign[3];
} faces[6] = {{{0, 2, 1}, {1, -1, -1}}, {{0, 2, 1}, {-1, 1, -1}}, {{1, 0, 2}, {1, 1, 1}},
              {{1, 0, 2}, {-1, 1, -1}}, {{2, 0, 1}, {1, 1, -1}},  {{2, 0, 1}, {-1, -1, -1}}};

static unsigned face_of(const float at[3])
{
    float x = fabsf(at[0]), y = fabsf(at[1]), z = fabsf(at[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    return 2 * axis + (signbit(at[axis]) ? 1 : 0);
}

static float selected(const float at[3], unsigned face, unsigned which)
{
    float value = at[faces[face].axis[which]];
    return faces[face].sign[which] < 0 ? -value : value;
}

static float face_coordinate(const float at[3], unsigned face, unsigned which)
{
    float quotient = selected(at, face, which) / selected(at, face, 0), half = quotient * 0.5f;
    return half + 0.5f;
}

/* A direction's NaNs count as 0. */
static void direction_of(const float coordinate[3], float at[3])
{
    for (unsigned i = 0; i < 3; i++) at[i] = isnan(coordinate[i]) ? 0.0f : coordinate[i];
}

/* The texel across an edge: the direction is folded over it and looked up again. False: the corner. */
static bool across(unsigned *face, int64_t *x, int64_t *y, int64_t n)
{
    bool out_x = *x < 0 || *x >= n, out_y = *y < 0 || *y >= n;
    if (out_x && out_y) return false;
    if (!out_x && !out_y) return true;
    int64_t part[3] = {n, 2 * *x + 1 - n, 2 * *y + 1 - n}, direction[3]; /* texels are odd steps within +-n */
    unsigned out = out_x ? 1 : 2;
    part[0] = n - 1;
    part[out] = part[out] < 0 ? -n : n;
    for (unsigned i = 0; i < 3; i++) direction[faces[*face].axis[i]] = part[i] * faces[*face].sign[i];
    unsigned major = (unsigned)faces[*face].axis[out];
    *face = 2 * major + (direction[major] < 0 ? 1 : 0);
    *x = (direction[faces[*face].axis[1]] * faces[*face].sign[1] - 1 + n) / 2;
    *y = (direction[faces[*face].axis[2]] * faces[*face].sign[2] - 1 + n) / 2;
    return true;
}

/* ---- texels ---- */

struct context {
    const struct ref_lookup *q;
    struct ref_layout layout;
    bool seamless;
    uint64_t layer; /* first of a cube's six */
};

struct footprint {
    unsigned count, axes;
    struct ref_texel texel[8];
    unsigned weight[8], axis_weight[3];
    int corner; /* number of the texel that is not there, or -1 */
};

static bool holds(unsigned function, double reference, double texel)
{
    switch (function) {
    case SCH_COMPARE_NEVER:
        return false;
    case SCH_COMPARE_LESS:
        return reference < texel;
    case SCH_COMPARE_EQUAL:
        return reference == texel;
    case SCH_COMPARE_LEQUAL:
        return reference <= texel;
    case SCH_COMPARE_GREATER:
        return reference > texel;
    case SCH_COMPARE_NOTEQUAL:
        return reference != texel;
    case SCH_COMPARE_GEQUAL:
        return reference >= texel;
    default:
        return true;
    }
}

/* A float as code of a normalised channel: nearest, half up. Doubles hold it exactly: 24 + 32 bits are too many for
 * them only below the half, which extended precision covers. */
static int64_t code_of(float f, int64_t greatest)
{
    return (int64_t)floorl((long double)f * (long double)greatest + 0.5L);
}

static void compare(const struct context *c, struct ref_texel *texel)
{
    const struct sch_sampler_key *key = c->q->key;
    unsigned from = c->layout.source[0];
    const struct ref_channel *channel = from < REF_ZERO ? &c->layout.format->channel[from] : NULL;
    double reference = (double)c->q->reference, value = (double)ref_float(texel->bits[0]);
    if (channel && channel->normalized && !c->layout.format->srgb) {
        float low = channel->kind == 's' ? -1.0f : 0.0f, r = c->q->reference;
        r = r < low ? low : r > 1.0f ? 1.0f : r; /* a NaN stays one */
        reference = (double)r;
        if (key->rules != SCH_RULES_TGSI && !isnan(r)) {
            int64_t greatest = ref_greatest(channel);
            reference = (double)(float)((double)code_of(r, greatest) / (double)greatest);
        }
    }
    bool result = holds(key->compare, reference, value);
    for (unsigned i = 0; i < 4; i++) {
        texel->bits[i] = result ? one : 0;
        texel->code[i] = result;
    }
    texel->border = false; /* its result is a number like any other */
}

static void load(const struct context *c, const struct sch_texture_level *level, uint64_t slice, int64_t x, int64_t y,
                 bool border, struct ref_texel *texel)
{
    if (border)
        ref_border(&c->layout, c->q->values->border, texel);
    else
        ref_decode(&c->layout, level, slice, (uint32_t)x, (uint32_t)y, texel);
    if (c->q->key->compare) compare(c, texel);
}

static void read_footprint(const struct context *c, const struct sch_texture_level *level, const float at[3],
                           bool linear, const int32_t offset[3], struct footprint *f)
{
    const struct sch_sampler_key *key = c->q->key;
    bool cube = ref_is_cube(key->target);
    float direction[3];
    direction_of(at, direction);
    unsigned face = cube ? face_of(direction) : 0;
    struct axis axis[3] = {{{0, 0}, {256, 0}}, {{0, 0}, {256, 0}}, {{0, 0}, {256, 0}}};
    f->axes = axes_of(key->target);
    f->count = linear ? 1u << f->axes : 1;
    f->corner = -1;
    for (unsigned i = 0; i < f->axes; i++) {
        float u = cube ? face_coordinate(direction, face, i + 1) : at[i];
        axis[i] = c->seamless
                      ? seamless_address(u, extent(level, i), linear)
                      : address(u, extent(level, i), key->wrap[i], in_texels(key), linear, cube ? 0 : offset[i]);
        f->axis_weight[i] = axis[i].weight[1];
    }
    for (unsigned i = 0; i < f->count; i++) {
        int64_t at_texel[3];
        bool border = false;
        f->weight[i] = 1;
        for (unsigned a = 0; a < 3; a++) {
            at_texel[a] = axis[a].texel[i >> a & 1];
            if (linear && a < f->axes) f->weight[i] *= axis[a].weight[i >> a & 1];
            if (!c->seamless && at_texel[a] < 0) border = true;
        }
        unsigned on = face;
        if (c->seamless && !across(&on, &at_texel[0], &at_texel[1], level->width)) {
            f->corner = (int)i;
            continue;
        }
        uint64_t slice = cube ? c->layer + on : f->axes == 3 ? (uint64_t)at_texel[2] : c->layer;
        load(c, level, slice, at_texel[0], at_texel[1], border, &f->texel[i]);
    }
}

/* ---- filters ---- */

static float mix(float a, float b, float w)
{
    float rest = 1.0f - w, first = a * rest, x = fmaf(b, w, first);
    float low = a < b ? a : b, high = a < b ? b : a;
    return x < low ? low : x > high ? high : x;
}

static uint32_t mix_bits(uint32_t a, uint32_t b, float w)
{
    return w == 0 ? a : ref_bits(mix(ref_float(a), ref_float(b), w));
}

/* The mean of the three that are there stands for a corner. */
static uint32_t third(uint32_t first, uint32_t second, uint32_t last)
{
    float a = ref_float(first), b = ref_float(second), c = ref_float(last), sum = (a + b) + c, x = sum / 3.0f;
    float low = fminf(fminf(a, b), c), high = fmaxf(fmaxf(a, b), c);
    return ref_bits(x < low ? low : x > high ? high : x);
}

static uint32_t filter_float(const struct footprint *f, unsigned component)
{
    uint32_t value[8], there[4];
    unsigned n = 0;
    for (unsigned i = 0; i < f->count; i++)
        if ((int)i != f->corner) value[i] = there[n++ & 3] = f->texel[i].bits[component];
    if (f->corner >= 0) value[f->corner] = third(there[0], there[1], there[2]);
    for (unsigned a = 0, count = f->count; count > 1; a++) {
        count /= 2;
        for (unsigned i = 0; i < count; i++)
            value[i] = mix_bits(value[2 * i], value[2 * i + 1], (float)f->axis_weight[a] / 256.0f);
    }
    return value[0];
}

static uint32_t filter_exact(const struct footprint *f, unsigned component, int64_t greatest)
{
    int64_t sum = 0, outside = 0, missing = 0, whole = (int64_t)1 << 8 * f->axes;
    float border = 0;
    for (unsigned i = 0; i < f->count; i++) {
        if ((int)i == f->corner) {
            missing = f->weight[i];
            continue;
        }
        if (f->texel[i].border && f->weight[i]) {
            outside += f->weight[i];
            border = ref_float(f->texel[i].bits[component]);
        } else if (!f->texel[i].border) {
            sum += f->texel[i].code[component] * f->weight[i];
        }
    }
    if (missing) {
        int64_t codes = 0;
        for (unsigned i = 0; i < f->count; i++)
            if ((int)i != f->corner) codes += f->texel[i].code[component];
        return ref_quotient((ref_wide)3 * sum + (ref_wide)missing * codes, (ref_wide)3 * greatest * whole);
    }
    if (!outside) return ref_quotient(sum, (ref_wide)greatest * whole);
    double inner = (double)sum / (double)greatest, outer = (double)outside * (double)border;
    double total = inner + outer;
    return ref_bits((float)(total / (double)whole));
}

/* Greatest code of a component that is filtered as an exact sum, 0: constant, -1: not so filtered. */
static int64_t exact_greatest(const struct context *c, unsigned component)
{
    if (c->q->key->compare) return 1;
    if (!c->layout.exact) return -1;
    unsigned from = c->layout.source[component];
    return from >= REF_ZERO ? 0 : ref_greatest(&c->layout.format->channel[from]);
}

static void filter(const struct context *c, const struct footprint *f, uint32_t color[4])
{
    for (unsigned i = 0; i < 4; i++) {
        int64_t greatest = exact_greatest(c, i);
        if (f->count == 1)
            color[i] = f->texel[0].bits[i];
        else if (greatest == 0)
            color[i] = c->layout.source[i] == REF_ONE ? one : 0;
        else
            color[i] = greatest > 0 ? filter_exact(f, i, greatest) : filter_float(f, i);
    }
}

struct reduction {
    bool any;
    uint32_t bits[4];
};

static void reduce(const struct context *c, const struct footprint *f, struct reduction *r)
{
    for (unsigned i = 0; i < f->count; i++) {
        if ((int)i == f->corner || !f->weight[i]) continue;
        for (unsigned k = 0; k < 4; k++) {
            float now = ref_float(r->bits[k]), t = ref_float(f->texel[i].bits[k]);
            bool better = c->q->key->reduction == SCH_REDUCTION_MINIMUM ? t < now : t > now;
            if (!r->any || better || isnan(now)) r->bits[k] = f->texel[i].bits[k];
        }
        r->any = true;
    }
}

/* ---- level of detail, in 1/256 ---- */

enum { LOW = -32768, HIGH = 32767 };

struct lod {
    int64_t biased, clamped;
    unsigned taps;
    float step[3]; /* of anisotropy, in coordinates */
};

/* Nearest even, within the range; NaN is 0. */
static int64_t fixed(float v)
{
    if (isnan(v)) return 0;
    double scaled = rint(256.0 * (double)v);
    return scaled < LOW ? LOW : scaled > HIGH ? HIGH : (int64_t)scaled;
}

/* log2(rho2) / 2 to the nearest 1/256. No tie can be: 2^((2k+1)/256) is irrational; test_texture.c shows that no float
 * is so near to one that extended precision could err. */
static int64_t log_of(float rho2)
{
    if (isnan(rho2)) return 0;
    if (rho2 == 0) return LOW;
    if (isinf(rho2)) return HIGH;
    int e;
    float fraction = frexpf(rho2, &e);
    int64_t lod = (int64_t)128 * e + (int64_t)floorl(128.0L * log2l((long double)fraction) + 0.5L);
    return lod < LOW ? LOW : lod > HIGH ? HIGH : lod;
}

struct derivatives {
    float own[2][3];    /* by x, by y: of the coordinates that are filtered */
    float scaled[2][3]; /* in texels of level 0 */
    float length2[2];
};

static float difference(const struct ref_lookup *q, unsigned direction, unsigned axis)
{
    if (q->lod_mode == SCH_LOD_GRADIENTS) return direction ? q->ddy[axis] : q->ddx[axis];
    return q->quads ? q->quad[direction + 1][axis] - q->quad[0][axis] : 0.0f;
}

static void differentiate(const struct ref_lookup *q, struct derivatives *d)
{
    unsigned target = q->key->target, axes = axes_of(target);
    bool cube = ref_is_cube(target), given = q->lod_mode == SCH_LOD_GRADIENTS || !q->quads;
    float at[3];
    direction_of(given ? q->at : q->quad[0], at);
    for (unsigned k = 0; k < 2; k++) {
        float raw[3] = {0, 0, 0};
        for (unsigned i = 0; i < ref_coordinates(target); i++) raw[i] = difference(q, k, i);
        for (unsigned i = 0; i < axes; i++) {
            d->own[k][i] = raw[i];
            if (cube) {
                unsigned face = face_of(at);
                float ma = selected(at, face, 0), dsc = selected(raw, face, i + 1), dma = selected(raw, face, 0);
                float first = dsc / ma, ratio = selected(at, face, i + 1) / ma, second = dma / ma;
                float product = ratio * second, sum = first - product;
                d->own[k][i] = sum * 0.5f;
            }
            float size = in_texels(q->key) ? 1.0f : (float)extent(&q->texture->level[0], i);
            d->scaled[k][i] = d->own[k][i] * size;
        }
        float sum = d->scaled[k][0] * d->scaled[k][0];
        for (unsigned i = 1; i < axes; i++) {
            float square = d->scaled[k][i] * d->scaled[k][i];
            sum = sum + square;
        }
        d->length2[k] = sum;
    }
}

static bool has_anisotropy(const struct ref_lookup *q)
{
    unsigned target = q->key->target;
    if (target != SCH_TARGET_2D && target != SCH_TARGET_RECT && target != SCH_TARGET_2D_ARRAY) return false;
    return q->key->max_anisotropy > 1;
}

/* The LOD of several taps; false where there is but one. */
static bool anisotropic(const struct ref_lookup *q, const struct derivatives *d, struct lod *lod, int64_t *computed)
{
    double det = (double)d->scaled[0][0] * (double)d->scaled[1][1];
    double other = (double)d->scaled[0][1] * (double)d->scaled[1][0];
    det = fabs(det - other);
    unsigned major = d->length2[1] > d->length2[0];
    double major2 = (double)d->length2[major], most = q->key->max_anisotropy;
    if (isnan(d->length2[0]) || isnan(d->length2[1]) || major2 == 0 || isinf(major2) || isnan(det)) return false;
    double ratio = major2 / det;
    bool limited = !(ratio <= most);
    if (limited) ratio = most;
    double square = det * det;
    double minor2 = limited ? major2 / (most * most) : square / major2;
    if (minor2 < 1) {
        double length = sqrt(major2), least = ratio < length ? ratio : length;
        ratio = least > 1 ? least : 1;
    }
    *computed = log_of((float)minor2);
    lod->taps = ratio > 1 ? (unsigned)ceil(ratio) : 1;
    for (unsigned i = 0; i < 2; i++) lod->step[i] = d->own[major][i];
    return true;
}

static int64_t computed_lod(const struct ref_lookup *q, struct lod *lod)
{
    struct derivatives d;
    int64_t computed = 0;
    differentiate(q, &d);
    if (has_anisotropy(q) && anisotropic(q, &d, lod, &computed)) return computed;
    if (isnan(d.length2[0]) || isnan(d.length2[1])) return 0;
    return log_of(d.length2[0] > d.length2[1] ? d.length2[0] : d.length2[1]);
}

static void find_lod(const struct ref_lookup *q, struct lod *lod)
{
    *lod = (struct lod){.taps = 1};
    if (q->lod_mode == SCH_LOD_EXPLICIT)
        lod->biased = fixed(q->lod);
    else if (q->lod_mode != SCH_LOD_ZERO)
        lod->biased = computed_lod(q, lod);
    lod->biased += fixed(q->values->lod_bias);
    if (q->lod_mode == SCH_LOD_BIAS || (q->lod_mode == SCH_LOD_GRADIENTS && q->biased)) lod->biased += fixed(q->lod);
    int64_t high = fixed(q->values->max_lod), low = fixed(q->values->min_lod);
    lod->clamped = lod->biased < high ? lod->biased : high;
    if (lod->clamped < low) lod->clamped = low;
    if (lod->clamped < fixed(q->texture->min_lod)) lod->clamped = fixed(q->texture->min_lod);
    if (q->has_clamp && lod->clamped < fixed(q->clamp)) lod->clamped = fixed(q->clamp);
}

/* ---- lookups ---- */

/* OpenGL 4.6, 8.14.2: clamp(RNE(x), 0, count - 1). */
static uint64_t round_layer(float x, uint64_t count)
{
    if (isnan(x)) return 0;
    double below = floor((double)x), part = (double)x - below;
    double at = part > 0.5 || (part == 0.5 && fmod(below, 2) != 0) ? below + 1 : below;
    return at < 0 ? 0 : at > (double)(count - 1) ? count - 1 : (uint64_t)at;
}

static void begin(struct context *c, const struct ref_lookup *q)
{
    unsigned target = q->key->target;
    c->q = q;
    ref_layout(q->format, q->key->rules, &c->layout);
    c->seamless = ref_is_cube(target) && (q->key->seamless || q->key->rules == SCH_RULES_D3D);
    c->layer = 0;
    uint64_t unit = ref_is_cube(target) ? 6 : 1;
    if (ref_has_layers(target))
        c->layer = unit * round_layer(q->at[ref_coordinates(target)], q->texture->layers / unit);
}

static void swizzle(const struct context *c, const uint32_t color[4], uint32_t result[4])
{
    for (unsigned i = 0; i < 4; i++) {
        unsigned entry = c->q->key->swizzle[i];
        result[i] = entry < 4 ? color[entry] : entry == 4 ? 0 : c->layout.integer ? 1 : one;
    }
}

/* What stands where there is no texel to look up. */
static void outside(const struct ref_layout *layout, unsigned rules, uint32_t color[4])
{
    for (unsigned i = 0; i < 4; i++)
        color[i] = rules == SCH_RULES_D3D && layout->source[i] == REF_ONE ? layout->integer ? 1 : one : 0;
}

/* D3D: whether a clamp leaves no level: it is past the last one. */
static bool is_past(const struct sch_sampler_key *key, const struct sch_texture *texture, float clamp)
{
    return key->rules == SCH_RULES_D3D && (double)clamp > (double)texture->levels - 1;
}

/* The view's, or the instruction's. */
static bool hides_all(const struct ref_lookup *q)
{
    return is_past(q->key, q->texture, q->texture->min_lod) || (q->has_clamp && is_past(q->key, q->texture, q->clamp));
}

static void hidden(const struct context *c, uint32_t color[4])
{
    outside(&c->layout, c->q->key->rules, color);
    for (unsigned i = 0; i < 4 && c->q->key->compare; i++) color[i] = 0;
}

static void sample_level(const struct context *c, unsigned number, bool linear, const struct lod *lod,
                         struct reduction *reduction, uint32_t color[4])
{
    for (unsigned tap = 0; tap < lod->taps; tap++) {
        float at[3] = {c->q->at[0], c->q->at[1], c->q->at[2]};
        if (lod->taps > 1) {
            float t = (float)(2 * (int)tap + 1 - (int)lod->taps) / (float)(2 * lod->taps);
            for (unsigned i = 0; i < 2; i++) {
                float move = t * lod->step[i];
                at[i] = at[i] + move;
            }
        }
        struct footprint f;
        uint32_t next[4];
        read_footprint(c, &c->q->texture->level[number], at, linear, c->q->offset[0], &f);
        if (c->q->key->reduction) reduce(c, &f, reduction);
        filter(c, &f, next);
        for (unsigned i = 0; i < 4; i++)
            color[i] = tap ? mix_bits(color[i], next[i], 1.0f / (float)(tap + 1)) : next[i];
    }
}

/* The level nearest to a LOD of 8 fractional bits, of two equally near ones the upper: floor(LOD + 1/2) (Direct3D
 * 11.3, 7.18.10; OpenGL 4.6, 8.14.3, equation 8.15, "alternative"). */
static int64_t nearest_level(int64_t lod) { return floor_256(lod + 128); }

/* The levels that a LOD names and the second one's weight in 1/256. */
static unsigned choose_level(const struct context *c, int64_t lod, unsigned *weight)
{
    unsigned mip = c->q->key->mip == 2 && c->layout.integer ? 1 : c->q->key->mip;
    int64_t level = mip == 0 ? 0 : mip == 1 ? nearest_level(lod) : floor_256(lod);
    int64_t last = (int64_t)c->q->texture->levels - 1;
    *weight = mip == 2 ? (unsigned)modulo(lod, 256) : 0;
    if (level < 0 || level >= last) *weight = 0;
    return (unsigned)(level < 0 ? 0 : level > last ? last : level);
}

void ref_sample(const struct ref_lookup *q, uint32_t result[4])
{
    struct context c;
    struct lod lod;
    struct reduction reduction = {0};
    unsigned weight;
    uint32_t color[4], second[4];
    memset(result, 0, 4 * sizeof *result);
    if (!q->texture->levels) return;
    begin(&c, q);
    if (hides_all(q)) {
        hidden(&c, color);
        swizzle(&c, color, result);
        return;
    }
    find_lod(q, &lod);
    bool linear = (lod.clamped <= 0 ? q->key->mag_linear : q->key->min_linear) && !c.layout.integer;
    unsigned level = choose_level(&c, lod.clamped, &weight);
    sample_level(&c, level, linear, &lod, &reduction, color);
    if (weight) {
        sample_level(&c, level + 1, linear, &lod, &reduction, second);
        for (unsigned i = 0; i < 4; i++) color[i] = mix_bits(color[i], second[i], (float)weight / 256.0f);
    }
    swizzle(&c, q->key->reduction ? reduction.bits : color, result);
}

static uint32_t corner_mean(const struct context *c, const struct footprint *f, unsigned component)
{
    const struct ref_texel *t[3];
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++)
        if ((int)i != f->corner) t[n++ % 3] = &f->texel[i];
    int64_t greatest = exact_greatest(c, component), sum = 0;
    for (unsigned i = 0; i < 3; i++) sum += t[i]->code[component];
    if (greatest > 0) return ref_quotient(sum, (ref_wide)3 * greatest);
    if (c->layout.source[component] >= REF_ZERO) return t[0]->bits[component];
    if (c->layout.integer) {
        bool is_signed = c->layout.format->channel[c->layout.source[component]].kind == 's';
        for (unsigned i = 0; i < 3; i++)
            sum += is_signed ? (int32_t)t[i]->bits[component] : (int64_t)t[i]->bits[component];
        return (uint32_t)(sum / 3);
    }
    return third(t[0]->bits[component], t[1]->bits[component], t[2]->bits[component]);
}

void ref_gather(const struct ref_lookup *q, uint32_t result[4])
{
    static const unsigned order[4] = {2, 3, 1, 0}; /* x (0, 1), y (1, 1), z (1, 0), w (0, 0) */
    struct context c;
    memset(result, 0, 4 * sizeof *result);
    if (!q->texture->levels) return;
    begin(&c, q);
    unsigned entry = q->key->swizzle[q->key->compare ? 0 : q->component];
    bool apart = q->offsets == 4 && !ref_is_cube(q->key->target);
    struct ref_texel none = {0};
    if (q->key->rules == SCH_RULES_D3D || !q->key->compare) outside(&c.layout, q->key->rules, none.bits);
    if (q->key->rules == SCH_RULES_D3D && q->key->compare) compare(&c, &none);
    for (unsigned i = 0; i < 4; i++) {
        struct footprint f;
        unsigned texel = apart ? 0 : order[i];
        read_footprint(&c, &q->texture->level[0], q->at, true, q->offset[apart ? i : 0], &f);
        if (entry >= 4)
            result[i] = entry == 4 ? 0 : c.layout.integer ? 1 : one;
        else if (q->texture->min_lod >= 1 || is_past(q->key, q->texture, q->texture->min_lod))
            result[i] = none.bits[entry];
        else
            result[i] = (int)texel == f.corner ? corner_mean(&c, &f, entry) : f.texel[texel].bits[entry];
    }
}

void ref_lod_query(const struct ref_lookup *q, uint32_t result[4])
{
    struct context c;
    struct lod lod;
    memset(result, 0, 4 * sizeof *result);
    if (!q->texture->levels) return;
    begin(&c, q);
    find_lod(q, &lod);
    int64_t x = lod.clamped, last = 256 * ((int64_t)q->texture->levels - 1);
    x = x < 0 ? 0 : x > last ? last : x;
    unsigned mip = q->key->mip == 2 && c.layout.integer ? 1 : q->key->mip;
    if (mip == 1) x = 256 * nearest_level(x);
    if (mip == 0 || is_past(q->key, q->texture, q->texture->min_lod)) x = 0;
    result[0] = ref_quotient(x, 256);
    result[1] = ref_quotient(lod.biased, 256);
}

/* To the nearest whole number; `doubt`: how far the binary64 steps may be off. */
static int32_t nearest(long double x, long double doubt, bool *doubtful)
{
    long double whole = floorl(x + 0.5L);
    if (fabsl(x + 0.5L - rintl(x + 0.5L)) < doubt) *doubtful = true;
    return (int32_t)whole;
}

/* Extended precision: the products of two floats are exact. */
void ref_footprint_axes(const struct ref_lookup *q, struct ref_axes *axes)
{
    struct derivatives d;
    *axes = (struct ref_axes){0, 0, 0, false};
    if (!q->texture->levels || axes_of(q->key->target) != 2) return;
    differentiate(q, &d);
    unsigned major = d.length2[1] > d.length2[0];
    float major2 = d.length2[major];
    if (isnan(d.length2[0]) || isnan(d.length2[1]) || major2 == 0 || isinf(major2)) return;
    long double s = (long double)d.scaled[major][0], t = (long double)d.scaled[major][1];
    long double length = sqrtl(s * s + t * t);
    axes->u = nearest(64 * s / length, 0x1p-44L, &axes->doubtful);
    axes->v = nearest(64 * t / length, 0x1p-44L, &axes->doubtful);
    long double det = (long double)d.scaled[0][0] * (long double)d.scaled[1][1] -
                      (long double)d.scaled[0][1] * (long double)d.scaled[1][0];
    long double ratio = det == 0 ? -32768.0L : 4096 * log2l(fabsl(det) / (long double)major2);
    if (ratio > 0) ratio = 0; /* the binary32 square may be a little short */
    if (ratio < -32768) ratio = -32768;
    axes->ratio = nearest(ratio, 0x1p-34L, &axes->doubtful);
}

/* ---- fetch ---- */

void ref_fetch(const struct ref_fetch_lookup *q, uint32_t result[4])
{
    unsigned target = q->key->target, axes = axes_of(target);
    bool multisampled = target == SCH_TARGET_2D_MSAA || target == SCH_TARGET_2D_ARRAY_MSAA;
    bool plain_level = multisampled || target == SCH_TARGET_BUFFER || target == SCH_TARGET_RECT;
    memset(result, 0, 4 * sizeof *result);
    if (!q->texture->levels) return;
    struct ref_layout layout;
    ref_layout(q->format, q->key->rules, &layout);
    uint32_t number = plain_level ? 0 : q->level;
    bool in = number < q->texture->levels && !((double)number < floor((double)q->texture->min_lod)) &&
              !is_past(q->key, q->texture, q->texture->min_lod);
    uint64_t slice = 0;
    uint32_t at[3] = {0, 0, 0};
    struct ref_texel texel = {0};
    if (in) {
        const struct sch_texture_level *level = &q->texture->level[number];
        for (unsigned i = 0; i < axes; i++) {
            at[i] = q->at[i] + q->offset[i];
            in = in && at[i] < extent(level, i);
        }
        if (axes == 3) slice = at[2];
        if (ref_has_layers(target) || ref_is_cube(target)) {
            slice = q->at[axes];
            in = in && slice < q->texture->layers;
        }
        if (multisampled) {
            in = in && q->level < q->texture->samples;
            slice = slice * q->texture->samples + q->level;
        }
        if (in) ref_decode(&layout, level, slice, at[0], at[1], &texel);
    }
    if (!in) outside(&layout, q->key->rules, texel.bits);
    for (unsigned i = 0; i < 4; i++) {
        unsigned entry = q->key->swizzle[i];
        result[i] = entry < 4 ? texel.bits[entry] : entry == 4 ? 0 : layout.integer ? 1 : one;
    }
}
