/* The rules of OpenGL 4.5 (compatibility profile), chapter 8.14 to 8.23, for the peers test: one lookup in double
 * arithmetic, weights unrounded, texels decoded by our fetches (which have tests of their own). Each `has(a, ...)` is a
 * driver's mistake; docs/peer-differences.md has the clause that it breaks. Knows no tolerances. */
#include "model.h"
#include "cases.h"

#include <math.h>
#include <string.h>

struct lookup {
    const struct peer_case *c;
    const struct peer_point *p, *quad; /* its quad's four */
    uint32_t mistakes;
    const struct peer_texture *t;
    const struct sch_sampler_options *s;
    unsigned axes;
    bool linear; /* this level's texels */
    struct model_result *out;
};

static bool has(const struct lookup *a, uint32_t mistake) { return (a->mistakes & mistake) != 0; }

/* A position in texels; with 8 fractional bits where asked (docs/texture.md). */
static double position(const struct lookup *a, double u) { return has(a, MODEL_SNAPPED) ? rint(u * 256) / 256 : u; }

static bool is_integer(const struct peer_texture *t)
{
    return t->format->kind == KIND_UINT || t->format->kind == KIND_SINT;
}

/* ---- level of detail (8.14.1)
 * -------------------------------------------------------------------------------------- */

struct face {
    unsigned number;
    double s, t; /* 0 to 1 */
    double sc, tc, ma;
};

/* Table 8.19; Z before Y before X among equals. */
static const struct face_axes {
    signed char sc_axis, sc_sign, tc_axis, tc_sign;
} face_table[6] = {{2, -1, 1, -1}, {2, 1, 1, -1}, {0, 1, 2, 1}, {0, 1, 2, -1}, {0, 1, 1, -1}, {0, -1, 1, -1}};

static void select_face(unsigned number, const double at[3], struct face *f)
{
    unsigned axis = number / 2;
    f->number = number;
    f->ma = number & 1 ? -at[axis] : at[axis];
    f->sc = face_table[number].sc_sign * at[(int)face_table[number].sc_axis];
    f->tc = face_table[number].tc_sign * at[(int)face_table[number].tc_axis];
}

static void find_face(const double at[3], struct face *f)
{
    double x = fabs(at[0]), y = fabs(at[1]), z = fabs(at[2]);
    unsigned axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
    select_face(2 * axis + (at[axis] < 0), at, f);
    f->s = (f->sc / f->ma + 1) / 2;
    f->t = (f->tc / f->ma + 1) / 2;
}

/* llvmpipe leaves the third coordinate of a cube's query undefined; R8G8B8A8_UNORM takes another path. */
static bool queries_without_z(const struct lookup *a)
{
    return has(a, MISTAKE_CUBE_QUERY) && a->c->lookup == LOOK_QUERY && a->t->target->target == SCH_TARGET_CUBE &&
           strcmp(a->t->format->name, "R8G8B8A8_UNORM") != 0;
}

static double length_of(const struct lookup *a, const float d[3])
{
    double v[3] = {d[0], d[1], d[2]}, sum = 0, longest = 0;
    if (queries_without_z(a)) v[2] = 0;
    if (a->c->target->cube && !has(a, MISTAKE_CUBE_RHO)) {
        struct face f, along;
        const double at[3] = {a->p->at[0], a->p->at[1], a->p->at[2]};
        find_face(at, &f);
        select_face(f.number, v, &along);
        v[0] = (along.sc - f.sc / f.ma * along.ma) / f.ma / 2;
        v[1] = (along.tc - f.tc / f.ma * along.ma) / f.ma / 2;
        v[2] = 0;
    }
    for (unsigned i = 0; i < (a->c->target->cube ? 3 : a->axes); i++) {
        double texels = v[i] * (a->t->target->target == SCH_TARGET_RECT && !has(a, MISTAKE_RECT_RHO) ? 1
                                : a->c->target->cube                                                 ? a->t->width
                                                     : cases_size(a->t, i, 0));
        if (a->c->target->cube && has(a, MISTAKE_CUBE_RHO)) texels /= 2;
        sum += texels * texels;
        longest = fmax(longest, fabs(texels));
    }
    bool by_axis = has(a, a->c->target->cube ? MISTAKE_CUBE_RHO : MISTAKE_RHO_LONGEST);
    return by_axis ? longest : sqrt(sum);
}

static double logarithm(const struct lookup *a, double rho)
{
    if (rho <= 0) return has(a, MISTAKE_FAST_LOG) ? -63.5 : -128;
    if (!has(a, MISTAKE_FAST_LOG)) return log2(rho);
    int exponent;
    double mantissa = frexp(rho * rho, &exponent) * 2;
    return (exponent - 1 + mantissa - 1) / 2;
}

static double computed_lod(const struct lookup *a)
{
    if (a->c->lookup == LOOK_LOD) return (double)a->p->lod;
    return logarithm(a, fmax(length_of(a, a->p->ddx), length_of(a, a->p->ddy)));
}

static double biased_lod(const struct lookup *a, double lod)
{
    if (a->c->lookup == LOOK_BIAS) lod += (double)a->p->lod;
    if (a->c->lookup == LOOK_GRAD && has(a, MISTAKE_GRAD_UNBIASED)) return lod;
    return lod + (double)a->s->lod_bias;
}

static double clamped_lod(const struct lookup *a, double lod)
{
    return fmax(fmin(lod, (double)a->s->max_lod), (double)a->s->min_lod);
}

struct levels {
    uint32_t level[2];
    double weight; /* of the second */
    bool magnified;
};

static uint32_t within(const struct lookup *a, double level)
{
    return level <= 0 ? 0 : level >= a->t->levels - 1 ? a->t->levels - 1 : (uint32_t)level;
}

static void choose_levels(const struct lookup *a, double lod, struct levels *l)
{
    enum sch_mip_filter mip = a->s->mip_filter;
    if (has(a, MISTAKE_INTEGER_LEVELS) && is_integer(a->t) && mip == SCH_MIP_NONE) mip = SCH_MIP_NEAREST;
    memset(l, 0, sizeof *l);
    l->magnified = lod <= 0;
    if (l->magnified || mip == SCH_MIP_NONE) return;
    if (mip == SCH_MIP_NEAREST) {
        l->level[0] = l->level[1] = within(a, floor(lod + 0.5));
        return;
    }
    l->level[0] = within(a, floor(lod));
    l->level[1] = within(a, floor(lod) + 1);
    l->weight = l->level[1] == l->level[0] ? 0 : lod - floor(lod);
}

/* ---- addresses (8.14.2, table 8.20)
 * -------------------------------------------------------------------------------- */

struct axis {
    int index[2];
    bool outside[2];
    double weight; /* of index[1] */
};

static int modulo(int i, int period) { return (i % period + period) % period; }

/* |u| before the filter's half texel is taken off, in place of mirrored indices. */
static bool mirrors_of_coordinate(const struct lookup *a, enum sch_wrap wrap)
{
    if (wrap == SCH_WRAP_MIRROR_CLAMP_TO_EDGE) return has(a, MISTAKE_GATHER_MIRRORED) && a->c->lookup == LOOK_GATHER;
    return has(a, MISTAKE_MIRROR_ABS) && wrap >= SCH_WRAP_MIRROR_CLAMP;
}

static int wrap_index(const struct lookup *a, enum sch_wrap wrap, int i, int size, bool *outside)
{
    *outside = false;
    switch (wrap) {
    case SCH_WRAP_REPEAT:
        return modulo(i, size);
    case SCH_WRAP_MIRROR_REPEAT:
        i = modulo(i, 2 * size);
        return i >= size ? 2 * size - 1 - i : i;
    case SCH_WRAP_CLAMP_TO_EDGE:
        break;
    default:
        if (wrap >= SCH_WRAP_MIRROR_CLAMP && i < 0 && !mirrors_of_coordinate(a, wrap)) i = -1 - i;
        if (wrap == SCH_WRAP_MIRROR_CLAMP_TO_EDGE) break;
        *outside = i < 0 || i >= size;
        if (wrap != SCH_WRAP_CLAMP && wrap != SCH_WRAP_MIRROR_CLAMP) break;
        *outside = *outside && a->linear;
    }
    return i < 0 ? 0 : i >= size ? size - 1 : i;
}

/* How softpipe limits coordinates in texels: CLAMP to centres, so that no border is reached. */
static double clamp_in_texels(enum sch_wrap wrap, double u, int size)
{
    bool border = wrap == SCH_WRAP_CLAMP_TO_BORDER;
    return fmin(fmax(u, border ? -0.5 : 0.5), size + (border ? 0.5 : -0.5));
}

static void address(const struct lookup *a, unsigned n, uint32_t level, struct axis *x)
{
    const enum sch_wrap wraps[] = {a->s->wrap_s, a->s->wrap_t, a->s->wrap_r};
    enum sch_wrap wrap = wraps[n];
    if (has(a, MISTAKE_CUBE_EDGE) && a->c->target->cube) wrap = SCH_WRAP_CLAMP_TO_EDGE;
    bool texels = a->t->target->target == SCH_TARGET_RECT;
    int size = (int)cases_size(a->t, n, level);
    double u = (double)a->p->at[n] * (texels ? 1 : size) + a->c->offsets[n];
    bool mirrors_once = wrap >= SCH_WRAP_MIRROR_CLAMP;
    if (mirrors_of_coordinate(a, wrap)) u = fabs(u);
    if (wrap == SCH_WRAP_CLAMP || wrap == SCH_WRAP_MIRROR_CLAMP) u = fmin(fmax(u, mirrors_once ? -size : 0), size);
    if (has(a, MISTAKE_RECT_CLAMPED) && texels && a->linear) u = clamp_in_texels(wrap, u, size);
    u = position(a, u - (a->linear ? 0.5 : 0));
    int i = (int)floor(u);
    x->weight = a->linear ? u - floor(u) : 0;
    if (wrap == SCH_WRAP_MIRROR_REPEAT && u == floor(u) && modulo(i, 2 * size) >= size &&
        has(a, a->linear ? MISTAKE_MIRROR_CENTRE : MISTAKE_MIRROR_EDGE))
        i -= 1;
    bool in_mirror = wrap == SCH_WRAP_MIRROR_CLAMP_TO_EDGE && u < 0;
    if (in_mirror && u == floor(u) && !a->linear && has(a, MISTAKE_MIRROR_EDGE)) i -= 1;
    for (int k = 0; k < 2; k++) x->index[k] = wrap_index(a, wrap, i + k, size, &x->outside[k]);
    if (!has(a, MISTAKE_RECT_CLAMPED) || !texels || !a->linear) return;
    if (wrap == SCH_WRAP_CLAMP_TO_BORDER && i >= size - 1) x->outside[1] = false;
}

static void face_address(const struct lookup *a, double s, uint32_t level, struct axis *x)
{
    int size = (int)cases_size(a->t, 0, level);
    double u = position(a, s * size - (a->linear ? 0.5 : 0));
    int i = (int)floor(u);
    x->weight = a->linear ? u - floor(u) : 0;
    for (int k = 0; k < 2; k++) {
        x->index[k] = i + k;
        if (!a->linear && x->index[k] >= size) x->index[k] = size - 1;
        x->outside[k] = x->index[k] < 0 || x->index[k] >= size;
    }
}

/* ---- texels
 * -------------------------------------------------------------------------------------------------------- */

struct texel {
    double value[4];
    uint32_t words[4];
    bool missing; /* the corner of a cube */
};

static float float_of(uint32_t word)
{
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static void fetch(const struct lookup *a, uint32_t level, int x, int y, int z, struct texel *out)
{
    const struct peer_texture *t = a->t;
    size_t w = cases_size(t, 0, level), h = cases_size(t, 1, level);
    size_t d = (size_t)cases_size(t, 2, level) * t->layers;
    /* Only a level that is not the lookup's own makes any difference: softpipe clamps. */
    x = x < (int)w ? x : (int)w - 1;
    y = y < (int)h ? y : (int)h - 1;
    z = z < (int)d ? z : (int)d - 1;
    size_t at = t->level_at[level] / t->format->bytes + ((size_t)z * h + (size_t)y) * w + (size_t)x;
    memcpy(out->words, t->texels[at], sizeof out->words);
    for (unsigned i = 0; i < 4; i++) out->value[i] = (double)float_of(out->words[i]);
}

static bool is_unorm_depth(const struct peer_format *f)
{
    return f->kind == KIND_DEPTH && strcmp(f->name, "Z32_FLOAT") != 0;
}

/* 8.14.2: "Border values are clamped before they are used, according to the format". */
static void border(const struct lookup *a, struct texel *out)
{
    const struct peer_format *f = a->t->format;
    bool red = f->format == 0x1903, rgb = f->format == 0x1907; /* GL_RED, GL_RGB */
    for (unsigned i = 0; i < 4; i++) {
        double v = (double)a->s->border[f->kind == KIND_DEPTH ? 0 : i];
        if (f->kind == KIND_SNORM) v = fmin(fmax(v, -1), 1);
        if (f->kind == KIND_UNORM || f->kind == KIND_SRGB) v = fmin(fmax(v, 0), 1);
        if (is_unorm_depth(f)) v = fmin(fmax(v, 0), 1);
        if (f->kind == KIND_FLOAT && rgb && !has(a, MISTAKE_BORDER_UNCLAMPED)) v = fmin(fmax(v, 0), 65408);
        if (red || rgb) v = i == 3 ? 1 : red && i > 0 ? 0 : v;
        out->value[i] = v;
        out->words[i] = a->s->border_words[i];
    }
}

/* Across the edge of a face: the direction of a texel's centre, folded over. */
static void cross_edge(unsigned *face, int *i, int *j, int n)
{
    const struct face_axes *axes = &face_table[*face];
    double sc = 2 * *i + 1 - n, tc = 2 * *j + 1 - n, major = n - 1, at[3];
    struct face to;
    sc = fmin(fmax(sc, -n), n);
    tc = fmin(fmax(tc, -n), n);
    at[*face / 2] = *face & 1 ? -major : major;
    at[(int)axes->sc_axis] = axes->sc_sign * sc;
    at[(int)axes->tc_axis] = axes->tc_sign * tc;
    unsigned axis = *i < 0 || *i >= n ? (unsigned)axes->sc_axis : (unsigned)axes->tc_axis;
    select_face(2 * axis + (at[axis] < 0), at, &to);
    *face = to.number;
    *i = (int)(to.sc + n - 1) / 2;
    *j = (int)(to.tc + n - 1) / 2;
}

static void corner_texel(const struct lookup *a, uint32_t level, const struct axis x[3], unsigned n, unsigned face,
                         uint32_t layer, struct texel *out)
{
    int index[3] = {0, 0, 0};
    bool outside = false;
    unsigned beyond = 0;
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < a->axes; i++) {
        index[i] = x[i].index[n >> i & 1];
        outside = outside || x[i].outside[n >> i & 1];
        beyond += x[i].outside[n >> i & 1];
    }
    if (a->c->target->cube && a->c->seamless) {
        out->missing = beyond == 2;
        bool drops = has(a, MISTAKE_CORNER) || (has(a, MISTAKE_CORNER_INTEGER) && is_integer(a->t));
        if (out->missing && drops) {
            int last = (int)cases_size(a->t, 0, level) - 1;
            index[1] = index[1] < 0 ? 0 : last;
            out->missing = false;
            beyond = 1;
        }
        if (beyond == 1) cross_edge(&face, &index[0], &index[1], (int)cases_size(a->t, 0, level));
        if (!out->missing) fetch(a, level, index[0], index[1], (int)(6 * layer + face), out);
    } else if (outside)
        border(a, out);
    else
        fetch(a, level, index[0], index[1],
              a->axes == 3         ? index[2]
              : a->c->target->cube ? (int)(6 * layer + face)
                                   : (int)layer,
              out);
}

static void fill_missing(struct texel *texels, unsigned count)
{
    for (unsigned n = 0; n < count; n++)
        for (unsigned i = 0; texels[n].missing && i < 4; i++) {
            texels[n].value[i] = 0;
            int64_t sum = 0;
            for (unsigned k = 0; k < count; k++) {
                if (k == n) continue;
                texels[n].value[i] += texels[k].value[i] / 3;
                sum += (int32_t)texels[k].words[i];
            }
            texels[n].words[i] = (uint32_t)(sum / 3);
        }
}

/* ---- comparison (8.23.1)
 * ------------------------------------------------------------------------------------------- */

static double compare(const struct lookup *a, double texel)
{
    double reference = (double)a->p->reference;
    if (is_unorm_depth(a->t->format)) reference = fmin(fmax(reference, 0), 1);
    switch ((int)a->s->compare) {
    case 1:
        return 0;
    case 2:
        return reference < texel;
    case 3:
        return reference == texel;
    case 4:
        return reference <= texel;
    case 5:
        return reference > texel;
    case 6:
        return reference != texel;
    case 7:
        return reference >= texel;
    default:
        return 1;
    }
}

static void compare_texels(const struct lookup *a, struct texel *texels, unsigned count)
{
    if (!a->c->shadow) return;
    for (unsigned n = 0; n < count; n++)
        for (unsigned i = 4; i-- > 0;) texels[n].value[i] = compare(a, texels[n].value[0]);
}

/* ---- one level
 * ----------------------------------------------------------------------------------------------------- */

static void widen(struct model_result *out, const double value[4])
{
    for (unsigned i = 0; i < 4; i++) {
        out->low[i] = fmin(out->low[i], value[i]);
        out->high[i] = fmax(out->high[i], value[i]);
    }
}

static unsigned level_texels(const struct lookup *a, uint32_t level, struct axis x[3], struct texel texels[8])
{
    struct face f = {0, 0, 0, 0, 0, 0};
    unsigned count = a->linear ? 1u << a->axes : 1;
    uint32_t layer = 0;
    if (a->c->target->array) {
        double at = floor((double)a->p->at[a->c->target->coordinates] + 0.5);
        double last = a->t->layers / (a->c->target->cube ? 6 : 1) - 1.0;
        layer = (uint32_t)fmin(fmax(at, 0), last);
    }
    if (a->c->target->cube) {
        const double at[3] = {a->p->at[0], a->p->at[1], a->p->at[2]};
        find_face(at, &f);
    }
    for (unsigned i = 0; i < a->axes; i++) {
        if (a->c->target->cube && a->c->seamless)
            face_address(a, i ? f.t : f.s, level, &x[i]);
        else if (a->c->target->cube) {
            struct peer_point p = *a->p;
            struct lookup on = *a;
            p.at[0] = (float)f.s;
            p.at[1] = (float)f.t;
            on.p = &p;
            address(&on, i, level, &x[i]);
        } else
            address(a, i, level, &x[i]);
    }
    for (unsigned n = 0; n < count; n++) corner_texel(a, level, x, n, f.number, layer, &texels[n]);
    return count;
}

/* Does another lookup of the quad filter linearly? */
static bool linear_beside(const struct lookup *a)
{
    for (unsigned i = 0; i < 4 && a->s->min_filter != a->s->mag_filter; i++) {
        struct lookup other = *a;
        other.p = &a->quad[i];
        bool magnified = clamped_lod(a, biased_lod(&other, computed_lod(&other))) <= 0;
        if ((magnified ? a->s->mag_filter : a->s->min_filter) == SCH_FILTER_LINEAR) return true;
    }
    return false;
}

/* llvmpipe where the filters of a quad's lookups differ: nearest lookups take, of the linear ones' texels, those of the
 * greater weight, the first of equals. */
static void nearest_by_weight(struct lookup *a, uint32_t level, double value[4])
{
    struct lookup linear = *a;
    struct axis x[3];
    struct texel texels[8];
    linear.linear = true;
    unsigned count = level_texels(&linear, level, x, texels), nearest = 0;
    compare_texels(a, texels, count);
    fill_missing(texels, count);
    for (unsigned i = 0; i < a->axes; i++) nearest |= (unsigned)(x[i].weight > 0.5) << i;
    memcpy(value, texels[nearest].value, sizeof texels[nearest].value);
    widen(a->out, value);
}

static void sample_level(struct lookup *a, uint32_t level, double value[4], uint32_t words[4])
{
    struct axis x[3];
    struct texel texels[8];
    if (has(a, MISTAKE_NEAREST_BY_WEIGHT) && !a->linear && linear_beside(a)) {
        nearest_by_weight(a, level, value);
        return;
    }
    unsigned count = level_texels(a, level, x, texels);
    bool late = has(a, MISTAKE_COMPARE_LATE) && a->c->shadow;
    if (!late) compare_texels(a, texels, count);
    fill_missing(texels, count);
    for (unsigned i = 0; i < 4; i++) {
        value[i] = 0;
        words[i] = texels[0].words[i];
    }
    for (unsigned n = 0; n < count; n++) {
        double weight = 1;
        for (unsigned i = 0; i < a->axes && a->linear; i++) weight *= n >> i & 1 ? x[i].weight : 1 - x[i].weight;
        for (unsigned i = 0; i < 4; i++) value[i] += weight * texels[n].value[i];
        if (!late) widen(a->out, texels[n].value);
    }
}

/* ---- lookups
 * ------------------------------------------------------------------------------------------------------- */

static void gather(struct lookup *a)
{
    static const unsigned order[4] = {2, 3, 1, 0};
    struct axis x[3];
    struct texel texels[8];
    unsigned component = a->c->shadow ? 0 : a->c->component;
    a->linear = true;
    uint32_t level = has(a, MISTAKE_GATHER_LEVEL) ? within(a, floor(clamped_lod(a, (double)a->s->lod_bias) + 0.5)) : 0;
    unsigned count = level_texels(a, level, x, texels);
    compare_texels(a, texels, count);
    fill_missing(texels, count);
    for (unsigned i = 0; i < 4; i++) {
        a->out->value[i] = a->out->low[i] = a->out->high[i] = texels[order[i]].value[component];
        a->out->words[i] = texels[order[i]].words[component];
    }
}

static void fetch_texel(struct lookup *a)
{
    struct texel texel;
    const struct peer_point *p = has(a, MISTAKE_FETCH_FIRST_LEVEL) ? a->quad : a->p;
    int at[3], layer = a->c->target->array ? (int)a->p->at[a->c->target->coordinates] : 0;
    for (unsigned i = 0; i < 3; i++) at[i] = i < a->axes ? (int)a->p->at[i] + a->c->offsets[i] : 0;
    fetch(a, (uint32_t)p->lod, at[0], at[1], a->axes == 3 ? at[2] : layer, &texel);
    memcpy(a->out->words, texel.words, sizeof texel.words);
    memcpy(a->out->value, texel.value, sizeof texel.value);
    memcpy(a->out->low, texel.value, sizeof texel.value);
    memcpy(a->out->high, texel.value, sizeof texel.value);
}

static void query(struct lookup *a)
{
    struct levels l;
    double lod = biased_lod(a, computed_lod(a)), last = a->t->levels - 1.0;
    enum sch_mip_filter mip = a->s->mip_filter;
    if (has(a, MISTAKE_INTEGER_LEVELS) && is_integer(a->t) && mip == SCH_MIP_NONE) mip = SCH_MIP_NEAREST;
    choose_levels(a, clamped_lod(a, lod), &l);
    struct face f;
    const double at[3] = {a->p->at[0], a->p->at[1], a->p->at[2]};
    find_face(at, &f);
    a->out->undefined = queries_without_z(a) && f.number >= 4;
    double x = fmin(fmax(clamped_lod(a, lod), 0), last);
    a->out->value[0] = a->out->value[2] = mip == SCH_MIP_NONE ? 0 : mip == SCH_MIP_NEAREST ? floor(x + 0.5) : x;
    a->out->value[1] = a->out->value[3] = fmax(lod, -128);
}

static void sample(struct lookup *a)
{
    struct levels l;
    double second[4];
    uint32_t words[4];
    double lod = clamped_lod(a, biased_lod(a, computed_lod(a)));
    choose_levels(a, lod, &l);
    a->linear = (l.magnified ? a->s->mag_filter : a->s->min_filter) == SCH_FILTER_LINEAR;
    memcpy(a->out->level, l.level, sizeof l.level);
    a->out->axes = (a->linear ? a->axes : 0) + (!l.magnified && a->s->mip_filter == SCH_MIP_LINEAR);
    for (unsigned i = 0; i < 4; i++) {
        a->out->low[i] = INFINITY;
        a->out->high[i] = -INFINITY;
    }
    sample_level(a, l.level[0], a->out->value, a->out->words);
    if (l.weight != 0) {
        sample_level(a, l.level[1], second, words);
        for (unsigned i = 0; i < 4; i++) a->out->value[i] += (second[i] - a->out->value[i]) * l.weight;
    }
    if (!a->c->shadow || !has(a, MISTAKE_COMPARE_LATE)) return;
    for (unsigned i = 4; i-- > 0;) a->out->value[i] = a->out->low[i] = a->out->high[i] = compare(a, a->out->value[0]);
}

void model_look_up(const struct peer_case *c, const struct peer_point *p, const struct peer_point quad[4],
                   uint32_t mistakes, struct model_result *answer)
{
    struct lookup a = {c, p, quad, mistakes, c->texture, &c->sampler, c->target->axes, false, answer};
    memset(answer, 0, sizeof *answer);
    if (c->lookup == LOOK_GATHER)
        gather(&a);
    else if (c->lookup == LOOK_FETCH)
        fetch_texel(&a);
    else if (c->lookup == LOOK_QUERY)
        query(&a);
    else
        sample(&a);
}
