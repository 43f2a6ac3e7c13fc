/* Blending of one texel, in the order of the formulas. */
#include "blend_reference.h"

#include <math.h>
#include <string.h>

struct color {
    float c[4];
};

static bool has_type(const struct ref_row *row, const char *type)
{
    for (unsigned i = 0; i < row->channels; i++)
        if (strcmp(row->channel[i].type, type) == 0) return true;
    return false;
}

bool ref_is_float(const struct ref_row *row) { return has_type(row, "f"); }

bool ref_is_integral(const struct ref_row *row) { return has_type(row, "up") || has_type(row, "sp"); }

bool ref_is_color(const struct ref_row *row)
{
    return row->stored && !row->wide && !has_type(row, "u") && !has_type(row, "s") && !has_type(row, "h");
}

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint32_t as_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* ---- clamps ---- */

static float limited(float value, float low, float high)
{
    if (isnan(value) || value == 0) return 0.0f; /* -0, too */
    return value < low ? low : value > high ? high : value;
}

/* To the range of the component's channel; a component without one to the narrowest there is. */
static float to_range(const struct ref_row *row, unsigned component, float value)
{
    const char *place = strchr("xyzw", row->swizzle[component]);
    bool is_unsigned = has_type(row, "un"), is_signed = !is_unsigned && has_type(row, "sn");
    if (place) {
        is_unsigned = strcmp(row->channel[place - "xyzw"].type, "un") == 0;
        is_signed = strcmp(row->channel[place - "xyzw"].type, "sn") == 0;
    }
    return is_unsigned ? limited(value, 0, 1) : is_signed ? limited(value, -1, 1) : value;
}

/* ---- equations ---- */

struct operands {
    struct color source, second, constant, destination;
};

static float least(float a, float b) { return isnan(b) ? a : isnan(a) ? b : a < b ? a : b; }
static float most(float a, float b) { return isnan(b) ? a : isnan(a) ? b : a < b ? b : a; }

static float factor(enum sch_blend_factor factor, const struct operands *o, unsigned c)
{
    switch (factor) {
    case SCH_FACTOR_ZERO:
        return 0.0f;
    case SCH_FACTOR_ONE:
        return 1.0f;
    case SCH_FACTOR_SRC_COLOR:
        return o->source.c[c];
    case SCH_FACTOR_INV_SRC_COLOR:
        return 1.0f - o->source.c[c];
    case SCH_FACTOR_DST_COLOR:
        return o->destination.c[c];
    case SCH_FACTOR_INV_DST_COLOR:
        return 1.0f - o->destination.c[c];
    case SCH_FACTOR_SRC_ALPHA:
        return o->source.c[3];
    case SCH_FACTOR_INV_SRC_ALPHA:
        return 1.0f - o->source.c[3];
    case SCH_FACTOR_DST_ALPHA:
        return o->destination.c[3];
    case SCH_FACTOR_INV_DST_ALPHA:
        return 1.0f - o->destination.c[3];
    case SCH_FACTOR_CONST_COLOR:
        return o->constant.c[c];
    case SCH_FACTOR_INV_CONST_COLOR:
        return 1.0f - o->constant.c[c];
    case SCH_FACTOR_CONST_ALPHA:
        return o->constant.c[3];
    case SCH_FACTOR_INV_CONST_ALPHA:
        return 1.0f - o->constant.c[3];
    case SCH_FACTOR_SRC1_COLOR:
        return o->second.c[c];
    case SCH_FACTOR_INV_SRC1_COLOR:
        return 1.0f - o->second.c[c];
    case SCH_FACTOR_SRC1_ALPHA:
        return o->second.c[3];
    case SCH_FACTOR_INV_SRC1_ALPHA:
        return 1.0f - o->second.c[3];
    case SCH_FACTOR_SRC_ALPHA_SATURATE:
        return c == 3 ? 1.0f : least(o->source.c[3], 1.0f - o->destination.c[3]);
    }
    return NAN;
}

static float equation(enum sch_blend_equation equation, enum sch_blend_factor source, enum sch_blend_factor destination,
                      const struct operands *o, unsigned c)
{
    const float s = o->source.c[c], d = o->destination.c[c];
    if (equation == SCH_BLEND_MIN) return least(s, d);
    if (equation == SCH_BLEND_MAX) return most(s, d);
    const float weighted_s = s * factor(source, o, c), weighted_d = d * factor(destination, o, c);
    if (equation == SCH_BLEND_SUBTRACT) return weighted_s - weighted_d;
    if (equation == SCH_BLEND_REVERSE_SUBTRACT) return weighted_d - weighted_s;
    return weighted_s + weighted_d;
}

/* ---- advanced equations ---- */

/* min and max of the extension's formulas. */
static float lower(float x, float y) { return x < y ? x : y; }
static float upper(float x, float y) { return x > y ? x : y; }

static float hard(float s, float d, bool multiply) { return multiply ? (2 * s) * d : 1 - (2 * (1 - s)) * (1 - d); }

static float soft(float s, float d)
{
    if (s <= 0.5f) return d - ((1 - 2 * s) * d) * (1 - d);
    if (d <= 0.25f) return d + ((2 * s - 1) * d) * ((16 * d - 12) * d + 3);
    return d + (2 * s - 1) * (sqrtf(d) - d);
}

static float separable(enum sch_advanced_blend mode, float s, float d)
{
    switch (mode) {
    case SCH_ADVANCED_MULTIPLY:
        return s * d;
    case SCH_ADVANCED_SCREEN:
        return (s + d) - s * d;
    case SCH_ADVANCED_OVERLAY:
        return hard(s, d, d <= 0.5f);
    case SCH_ADVANCED_DARKEN:
        return lower(s, d);
    case SCH_ADVANCED_LIGHTEN:
        return upper(s, d);
    case SCH_ADVANCED_COLOR_DODGE:
        if (d <= 0) return 0;
        return s >= 1 ? 1 : lower(1, d / (1 - s));
    case SCH_ADVANCED_COLOR_BURN:
        if (d >= 1) return 1;
        return s <= 0 ? 0 : 1 - lower(1, (1 - d) / s);
    case SCH_ADVANCED_HARD_LIGHT:
        return hard(s, d, s <= 0.5f);
    case SCH_ADVANCED_SOFT_LIGHT:
        return soft(s, d);
    case SCH_ADVANCED_DIFFERENCE:
        return fabsf(d - s);
    case SCH_ADVANCED_EXCLUSION:
        return (s + d) - (2 * s) * d;
    default:
        return NAN;
    }
}

static float lum(const float c[3]) { return (c[0] * 0.30f + c[1] * 0.59f) + c[2] * 0.11f; }
static float minv3(const float c[3]) { return lower(lower(c[0], c[1]), c[2]); }
static float maxv3(const float c[3]) { return upper(upper(c[0], c[1]), c[2]); }

static void clip_color(float color[3])
{
    const float l = lum(color), mincol = minv3(color), maxcol = maxv3(color);
    if (mincol < 0)
        for (unsigned i = 0; i < 3; i++) color[i] = l + ((color[i] - l) * l) / (l - mincol);
    if (maxcol > 1)
        for (unsigned i = 0; i < 3; i++) color[i] = l + ((color[i] - l) * (1 - l)) / (maxcol - l);
}

static void set_lum(const float base[3], const float of[3], float color[3])
{
    const float difference = lum(of) - lum(base);
    for (unsigned i = 0; i < 3; i++) color[i] = base[i] + difference;
    clip_color(color);
}

static void set_lum_sat(const float base[3], const float sat[3], const float of[3], float color[3])
{
    const float minbase = minv3(base), sbase = maxv3(base) - minbase, ssat = maxv3(sat) - minv3(sat);
    float stretched[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3 && sbase > 0; i++) stretched[i] = ((base[i] - minbase) * ssat) / sbase;
    set_lum(stretched, of, color);
}

static void f_of(enum sch_advanced_blend mode, const float s[3], const float d[3], float f[3])
{
    switch (mode) {
    case SCH_ADVANCED_HSL_HUE:
        set_lum_sat(s, d, d, f);
        return;
    case SCH_ADVANCED_HSL_SATURATION:
        set_lum_sat(d, s, d, f);
        return;
    case SCH_ADVANCED_HSL_COLOR:
        set_lum(s, d, f);
        return;
    case SCH_ADVANCED_HSL_LUMINOSITY:
        set_lum(d, s, f);
        return;
    default:
        for (unsigned i = 0; i < 3; i++) f[i] = separable(mode, s[i], d[i]);
    }
}

static struct color advanced(enum sch_advanced_blend mode, const struct color *source, const struct color *destination)
{
    float s[3], d[3], f[3];
    struct color r;
    const float as = source->c[3], ad = destination->c[3];
    for (unsigned i = 0; i < 3; i++) {
        s[i] = as == 0 ? 0 : source->c[i] / as;
        d[i] = ad == 0 ? 0 : destination->c[i] / ad;
    }
    f_of(mode, s, d, f);
    const float p0 = as * ad, p1 = as * (1 - ad), p2 = ad * (1 - as);
    for (unsigned i = 0; i < 3; i++) r.c[i] = (f[i] * p0 + s[i] * p1) + d[i] * p2;
    r.c[3] = (p0 + p1) + p2;
    return r;
}

/* ---- logic operations: the table of OpenGL 17.3.9, a bit at a time ---- */

static unsigned logic_bit(enum sch_logic_operation operation, unsigned s, unsigned d)
{
    switch (operation) {
    case SCH_LOGIC_CLEAR:
        return 0;
    case SCH_LOGIC_AND:
        return s && d;
    case SCH_LOGIC_AND_REVERSE:
        return s && !d;
    case SCH_LOGIC_COPY:
        return s;
    case SCH_LOGIC_AND_INVERTED:
        return !s && d;
    case SCH_LOGIC_NOOP:
        return d;
    case SCH_LOGIC_XOR:
        return s != d;
    case SCH_LOGIC_OR:
        return s || d;
    case SCH_LOGIC_NOR:
        return !(s || d);
    case SCH_LOGIC_EQUIV:
        return s == d;
    case SCH_LOGIC_INVERT:
        return !d;
    case SCH_LOGIC_OR_REVERSE:
        return s || !d;
    case SCH_LOGIC_COPY_INVERTED:
        return !s;
    case SCH_LOGIC_OR_INVERTED:
        return !s || d;
    case SCH_LOGIC_NAND:
        return !(s && d);
    case SCH_LOGIC_SET:
        return 1;
    }
    return 2;
}

/* The source as it would be stored, and the operation on the bits of written channels. */
static void logic(const struct ref_row *row, enum sch_logic_operation operation, unsigned mask,
                  const uint32_t source[4], uint8_t *texel)
{
    uint8_t encoded[REF_BLOCK_BYTES] = {0}, old[REF_BLOCK_BYTES];
    memcpy(old, texel, row->bytes);
    ref_texel_encode(row, SCH_RULES_TGSI, source, encoded);
    for (unsigned i = 0; i < row->channels; i++) {
        const char *from = strchr(row->swizzle, "xyzw"[i]);
        const uint32_t s = ref_channel_at(row, encoded, i), d = ref_channel_at(row, old, i);
        uint32_t code = 0;
        if (!from || row->channel[i].type[0] == 'x') {
            ref_put_channel(row, texel, i, 0);
            continue;
        }
        if (!(mask >> (from - row->swizzle) & 1)) continue;
        for (unsigned b = 0; b < row->channel[i].bits; b++)
            code |= (uint32_t)logic_bit(operation, s >> b & 1, d >> b & 1) << b;
        ref_put_channel(row, texel, i, code);
    }
}

/* ---- all of it ---- */

static struct color blended(const struct ref_row *row, const struct sch_blend_target *is,
                            enum sch_advanced_blend advanced_mode, const struct ref_fragment *fragment,
                            const uint8_t *texel)
{
    struct operands o;
    uint32_t before[4];
    ref_texel_decode(row, SCH_RULES_TGSI, texel, 0, before);
    for (unsigned c = 0; c < 4; c++) {
        o.source.c[c] = to_range(row, c, as_float(fragment->source[c]));
        o.second.c[c] = to_range(row, c, as_float(fragment->second[c]));
        o.constant.c[c] = to_range(row, c, fragment->constant[c]);
        o.destination.c[c] = as_float(before[c]);
    }
    if (advanced_mode != SCH_ADVANCED_NONE) return advanced(advanced_mode, &o.source, &o.destination);
    struct color r;
    for (unsigned c = 0; c < 3; c++)
        r.c[c] = equation(is->color_equation, is->color_source, is->color_destination, &o, c);
    r.c[3] = equation(is->alpha_equation, is->alpha_source, is->alpha_destination, &o, 3);
    return r;
}

/* Whether the mask has a component that a channel is stored from. */
static bool is_written(const struct ref_row *row, unsigned mask)
{
    for (unsigned i = 0; i < row->channels; i++) {
        const char *from = strchr(row->swizzle, "xyzw"[i]);
        if (from && row->channel[i].type[0] != 'x' && mask >> (from - row->swizzle) & 1) return true;
    }
    return false;
}

void ref_merge(const struct ref_row *row, const struct sch_blend_options *state, unsigned target,
               const struct ref_fragment *given, uint8_t *texel)
{
    const struct sch_blend_target *is = &state->targets[state->independent ? target : 0];
    const bool integer = ref_is_integral(row);
    struct ref_fragment fragment = *given;
    if (!is_written(row, is->color_mask)) return;
    for (unsigned c = 0; c < 4 && given->clamp && !integer; c++) {
        fragment.source[c] = as_bits(limited(as_float(given->source[c]), 0, 1));
        fragment.second[c] = as_bits(limited(as_float(given->second[c]), 0, 1));
    }
    if (state->logic_enabled) {
        if (!ref_is_float(row) && strcmp(row->space, "SRGB") != 0) {
            logic(row, state->logic_operation, is->color_mask, fragment.source, texel);
            return;
        }
    } else if (is->enabled && !integer) {
        const struct color r = blended(row, is, state->advanced, &fragment, texel);
        for (unsigned c = 0; c < 4; c++) fragment.source[c] = ref_word(r.c[c]);
    }
    ref_write(row, is->color_mask, fragment.source, texel);
}
