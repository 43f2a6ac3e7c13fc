/* The advanced blend equations (KHR_blend_equation_advanced): operations of the extension's formulas in their order
 * from left to right, each rounded once. Colours go in and come out multiplied by their alpha. */
#ifndef SCH_OPS_RASTER_ADVANCED_H
#define SCH_OPS_RASTER_ADVANCED_H

#include "ops/op.h"

OPS_INLINE vf32 advanced_min(vf32 a, vf32 b) { return v_select_f32((vi32)(a < b), a, b); }
OPS_INLINE vf32 advanced_max(vf32 a, vf32 b) { return v_select_f32((vi32)(a > b), a, b); }

OPS_INLINE vf32 advanced_dodge(vf32 s, vf32 d)
{
    vf32 light = advanced_min(v_splat_f32(1.0f), d / (1.0f - s));
    light = v_select_f32((vi32)(s >= 1.0f), v_splat_f32(1.0f), light);
    return v_select_f32((vi32)(d <= 0.0f), v_splat_f32(0.0f), light);
}

OPS_INLINE vf32 advanced_burn(vf32 s, vf32 d)
{
    vf32 dark = 1.0f - advanced_min(v_splat_f32(1.0f), (1.0f - d) / s);
    dark = v_select_f32((vi32)(s <= 0.0f), v_splat_f32(0.0f), dark);
    return v_select_f32((vi32)(d >= 1.0f), v_splat_f32(1.0f), dark);
}

/* OVERLAY where `by` is d, HARDLIGHT where it is s. */
OPS_INLINE vf32 advanced_hard(vf32 s, vf32 d, vf32 by)
{
    vf32 low = 2.0f * s * d, high = 1.0f - 2.0f * (1.0f - s) * (1.0f - d);
    return v_select_f32((vi32)(by <= 0.5f), low, high);
}

OPS_INLINE vf32 advanced_soft(vf32 s, vf32 d)
{
    vf32 dark = d - (1.0f - 2.0f * s) * d * (1.0f - d), twice = 2.0f * s - 1.0f;
    vf32 light = d + twice * d * ((16.0f * d - 12.0f) * d + 3.0f), root = d + twice * (v_sqrt_f32(d) - d);
    light = v_select_f32((vi32)(d <= 0.25f), light, root);
    return v_select_f32((vi32)(s <= 0.5f), dark, light);
}

/* f of one component: table X.1. */
OPS_INLINE vf32 advanced_component(unsigned equation, vf32 s, vf32 d)
{
    switch (equation) {
    case SCH_ADVANCED_MULTIPLY:
        return s * d;
    case SCH_ADVANCED_SCREEN:
        return s + d - s * d;
    case SCH_ADVANCED_OVERLAY:
        return advanced_hard(s, d, d);
    case SCH_ADVANCED_DARKEN:
        return advanced_min(s, d);
    case SCH_ADVANCED_LIGHTEN:
        return advanced_max(s, d);
    case SCH_ADVANCED_COLOR_DODGE:
        return advanced_dodge(s, d);
    case SCH_ADVANCED_COLOR_BURN:
        return advanced_burn(s, d);
    case SCH_ADVANCED_HARD_LIGHT:
        return advanced_hard(s, d, s);
    case SCH_ADVANCED_SOFT_LIGHT:
        return advanced_soft(s, d);
    case SCH_ADVANCED_DIFFERENCE:
        return v_abs_f32(d - s);
    default: /* EXCLUSION */
        return s + d - 2.0f * s * d;
    }
}

/* ---- hue, saturation, luminosity: table X.2 ---- */

OPS_INLINE vf32 advanced_least(const vf32 c[3]) { return advanced_min(advanced_min(c[0], c[1]), c[2]); }
OPS_INLINE vf32 advanced_greatest(const vf32 c[3]) { return advanced_max(advanced_max(c[0], c[1]), c[2]); }
OPS_INLINE vf32 advanced_luminosity(const vf32 c[3]) { return c[0] * 0.30f + c[1] * 0.59f + c[2] * 0.11f; }

OPS_INLINE void advanced_clip_color(vf32 c[3])
{
    vf32 luminosity = advanced_luminosity(c), least = advanced_least(c), greatest = advanced_greatest(c);
    vi32 below = (vi32)(least < 0.0f), above = (vi32)(greatest > 1.0f);
    for (unsigned i = 0; i < 3; i++) {
        vf32 raised = luminosity + (c[i] - luminosity) * luminosity / (luminosity - least);
        c[i] = v_select_f32(below, raised, c[i]);
        vf32 lowered = luminosity + (c[i] - luminosity) * (1.0f - luminosity) / (greatest - luminosity);
        c[i] = v_select_f32(above, lowered, c[i]);
    }
}

OPS_INLINE void advanced_set_luminosity(const vf32 base[3], const vf32 luminosity[3], vf32 c[3])
{
    vf32 difference = advanced_luminosity(luminosity) - advanced_luminosity(base);
    for (unsigned i = 0; i < 3; i++) c[i] = base[i] + difference;
    advanced_clip_color(c);
}

OPS_INLINE void advanced_set_both(const vf32 base[3], const vf32 saturation[3], const vf32 luminosity[3], vf32 c[3])
{
    vf32 least = advanced_least(base), range = advanced_greatest(base) - least;
    vf32 wanted = advanced_greatest(saturation) - advanced_least(saturation), stretched[3];
    for (unsigned i = 0; i < 3; i++) {
        vf32 value = (base[i] - least) * wanted / range;
        stretched[i] = v_select_f32((vi32)(range > 0.0f), value, v_splat_f32(0.0f));
    }
    advanced_set_luminosity(stretched, luminosity, c);
}

OPS_INLINE void advanced_function(unsigned equation, const vf32 s[3], const vf32 d[3], vf32 c[3])
{
    switch (equation) {
    case SCH_ADVANCED_HSL_HUE:
        advanced_set_both(s, d, d, c);
        break;
    case SCH_ADVANCED_HSL_SATURATION:
        advanced_set_both(d, s, d, c);
        break;
    case SCH_ADVANCED_HSL_COLOR:
        advanced_set_luminosity(s, d, c);
        break;
    case SCH_ADVANCED_HSL_LUMINOSITY:
        advanced_set_luminosity(d, s, c);
        break;
    default:
        for (unsigned i = 0; i < 3; i++) c[i] = advanced_component(equation, s[i], d[i]);
    }
}

/* c / alpha; 0 where alpha is 0. */
OPS_INLINE void advanced_base(const vf32 color[4], vf32 base[3])
{
    for (unsigned i = 0; i < 3; i++)
        base[i] = v_select_f32((vi32)(color[3] == 0.0f), v_splat_f32(0.0f), color[i] / color[3]);
}

OPS_SHARED void advanced_blend(unsigned equation, const vf32 source[4], const vf32 destination[4], vf32 result[4])
{
    vf32 s[3], d[3], f[3];
    advanced_base(source, s);
    advanced_base(destination, d);
    advanced_function(equation, s, d, f);
    vf32 both = source[3] * destination[3], only_source = source[3] * (1.0f - destination[3]);
    vf32 only_destination = destination[3] * (1.0f - source[3]);
    for (unsigned i = 0; i < 3; i++) result[i] = f[i] * both + s[i] * only_source + d[i] * only_destination;
    result[3] = both + only_source + only_destination;
}

#endif
