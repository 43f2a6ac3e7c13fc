/* Depth and stencil of one texel, in whole numbers. */
#include "depth_reference.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide;

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

const struct ref_depth_layout ref_depth_layouts[REF_DEPTH_LAYOUTS] = {
    {SCH_FORMAT_Z16_UNORM, "Z16_UNORM", 2, 16, 0, 0, false, false},
    {SCH_FORMAT_Z16_UNORM_S8_UINT, "Z16_UNORM_S8_UINT", 3, 16, 0, 16, false, true},
    {SCH_FORMAT_Z32_UNORM, "Z32_UNORM", 4, 32, 0, 0, false, false},
    {SCH_FORMAT_Z32_FLOAT, "Z32_FLOAT", 4, 32, 0, 0, true, false},
    {SCH_FORMAT_Z24_UNORM_S8_UINT, "Z24_UNORM_S8_UINT", 4, 24, 0, 24, false, true},
    {SCH_FORMAT_S8_UINT_Z24_UNORM, "S8_UINT_Z24_UNORM", 4, 24, 8, 0, false, true},
    {SCH_FORMAT_Z24X8_UNORM, "Z24X8_UNORM", 4, 24, 0, 0, false, false},
    {SCH_FORMAT_X8Z24_UNORM, "X8Z24_UNORM", 4, 24, 8, 0, false, false},
    {SCH_FORMAT_S8_UINT, "S8_UINT", 1, 0, 0, 0, false, true},
    {SCH_FORMAT_Z32_FLOAT_S8X24_UINT, "Z32_FLOAT_S8X24_UINT", 8, 32, 0, 32, true, true},
};
uint64_t ref_ones(unsigned bits) { return ((uint64_t)1 << bits) - 1; }

/* z * (2^bits - 1) to the nearest, ties to even; z = mantissa * 2^exponent in 0..1. */
static uint32_t unorm_of(double z, unsigned bits)
{
    int exponent;
    const double fraction = frexp(z, &exponent);
    if (!(z > 0)) return 0;
    if (z >= 1) return (uint32_t)ref_ones(bits);
    const wide product = (wide)(int64_t)ldexp(fraction, 53) * (wide)ref_ones(bits); /* times 2^(exponent - 53) */
    const int shift = 53 - exponent;
    if (shift > 120) return 0;
    const wide whole = product >> shift, rest = product - (whole << shift), half = (wide)1 << (shift - 1);
    return (uint32_t)(whole + (rest > half || (rest == half && whole & 1)));
}

uint32_t ref_depth_code(const struct ref_depth_layout *layout, double z, float min, float max)
{
    if (!layout->depth_bits) return 0;
    if (isnan(z) || z < (double)min) z = (double)min;
    if (z > (double)max) z = (double)max;
    if (layout->is_float) return z == 0 ? 0 : bits_of((float)z);
    return unorm_of(z, layout->depth_bits);
}

static bool passes_integer(enum sch_compare function, uint32_t a, uint32_t b)
{
    switch (function) {
    case SCH_COMPARE_NEVER:
        return false;
    case SCH_COMPARE_LESS:
        return a < b;
    case SCH_COMPARE_EQUAL:
        return a == b;
    case SCH_COMPARE_GREATER:
        return a > b;
    case SCH_COMPARE_NOTEQUAL:
        return a != b;
    case SCH_COMPARE_GEQUAL:
        return a >= b;
    case SCH_COMPARE_ALWAYS:
        return true;
    default:
        return a <= b;
    }
}

bool ref_compare_floats(enum sch_compare function, float a, float b)
{
    switch (function) {
    case SCH_COMPARE_NEVER:
        return false;
    case SCH_COMPARE_LESS:
        return a < b;
    case SCH_COMPARE_EQUAL:
        return a == b;
    case SCH_COMPARE_GREATER:
        return a > b;
    case SCH_COMPARE_NOTEQUAL:
        return a != b;
    case SCH_COMPARE_GEQUAL:
        return a >= b;
    case SCH_COMPARE_ALWAYS:
        return true;
    default:
        return a <= b;
    }
}

static bool passes_depth(const struct ref_depth_layout *layout, enum sch_compare function, uint32_t a, uint32_t b)
{
    return layout->is_float ? ref_compare_floats(function, float_of(a), float_of(b)) : passes_integer(function, a, b);
}

static unsigned operated(enum sch_stencil_operation operation, unsigned stored, unsigned reference)
{
    switch (operation) {
    case SCH_STENCIL_ZERO:
        return 0;
    case SCH_STENCIL_REPLACE:
        return reference;
    case SCH_STENCIL_INCREMENT:
        return stored == 255 ? 255 : stored + 1;
    case SCH_STENCIL_DECREMENT:
        return stored == 0 ? 0 : stored - 1;
    case SCH_STENCIL_INCREMENT_WRAP:
        return stored == 255 ? 0 : stored + 1;
    case SCH_STENCIL_DECREMENT_WRAP:
        return stored == 0 ? 255 : stored - 1;
    case SCH_STENCIL_INVERT:
        return 255 - stored;
    default:
        return stored;
    }
}

/* A texel of up to 64 bits. */
uint32_t ref_field(uint64_t texel, unsigned at, unsigned bits) { return (uint32_t)(texel >> at & ref_ones(bits)); }
uint64_t ref_with_field(uint64_t texel, unsigned at, unsigned bits, uint32_t value)
{
    return (texel & ~(ref_ones(bits) << at)) | (uint64_t)value << at;
}

enum ref_verdict ref_depth_test(const struct ref_depth_layout *layout,
                                const struct sch_depth_stencil_alpha_options *state,
                                const struct ref_depth_fragment *fragment, uint64_t *texel)
{
    const struct sch_stencil_face *face = &state->stencil[fragment->back && state->stencil[1].enabled];
    const bool has_depth = layout->depth_bits != 0, stencil_on = layout->has_stencil && face->enabled;
    const uint32_t z = has_depth ? ref_field(*texel, layout->depth_at, layout->depth_bits) : 0;
    const uint32_t s = ref_field(*texel, layout->stencil_at, 8), reference = fragment->reference & 255;
    if (has_depth && state->depth_bounds &&
        !(passes_depth(layout, SCH_COMPARE_GEQUAL, z, ref_depth_code(layout, (double)state->depth_bounds_min, 0, 1)) &&
          passes_depth(layout, SCH_COMPARE_LEQUAL, z, ref_depth_code(layout, (double)state->depth_bounds_max, 0, 1))))
        return REF_FAILED_BOUNDS;
    enum ref_verdict verdict = REF_PASSED;
    enum sch_stencil_operation operation = face->pass;
    if (stencil_on && !passes_integer(face->function, reference & face->value_mask, s & face->value_mask)) {
        verdict = REF_FAILED_STENCIL;
        operation = face->fail;
    } else if (has_depth && state->depth_enabled && !passes_depth(layout, state->depth_function, fragment->code, z)) {
        verdict = REF_FAILED_DEPTH;
        operation = face->depth_fail;
    }
    if (stencil_on) {
        const unsigned after = operated(operation, s, reference);
        *texel =
            ref_with_field(*texel, layout->stencil_at, 8, (after & face->write_mask) | (s & ~face->write_mask & 255u));
    }
    if (verdict == REF_PASSED && has_depth && state->depth_enabled && state->depth_writes)
        *texel = ref_with_field(*texel, layout->depth_at, layout->depth_bits, fragment->code);
    return verdict;
}
