/* Blending, texel by texel, as OpenGL 4.6 17.3.6 to 17.3.9, KHR_blend_equation_advanced and docs/pipeline.md say it, in
 * binary32. On format_reference.c; must not include anything of src/ops or src/pipeline. */
#ifndef TESTS_BLEND_REFERENCE_H
#define TESTS_BLEND_REFERENCE_H

#include <scheelite/state.h>

#include "texel_reference.h"

/* A colour buffer can have this format. */
bool ref_is_color(const struct ref_row *row);
bool ref_is_float(const struct ref_row *row);
bool ref_is_integral(const struct ref_row *row); /* by its channels, not by its name */

/* What a fragment does to a texel of colour buffer `target`; colours are floats or integers as bits. */
struct ref_fragment {
    uint32_t source[4], second[4];
    float constant[4];
    bool clamp; /* clamp_fragment_color */
};
void ref_merge(const struct ref_row *row, const struct sch_blend_options *state, unsigned target,
               const struct ref_fragment *fragment, uint8_t *texel);

#endif
