/* From the state of a draw and the formats of its framebuffer to the keys of the output (abi/output.h). */
#ifndef SCH_PIPELINE_OUTPUT_KEY_H
#define SCH_PIPELINE_OUTPUT_KEY_H

#include "abi/output.h"

/* Whether a format can be a colour buffer, a buffer of depth and stencil, and which of both it has. */
bool sch_format_is_color(enum sch_format format);
bool sch_format_is_depth_stencil(enum sch_format format);
bool sch_format_has_depth(enum sch_format format);
bool sch_format_has_stencil(enum sch_format format);
/* r of OpenGL 14.6.5: the smallest float that is not below 1 / (2^bits - 1), so that two depths which differ by r are
 * two texels. 32 bits have that of 24, since depth at corners is a float and keeps no less distinct; so has a
 * framebuffer without depth. 0: floats, of which r depends on the primitive. */
double sch_format_depth_unit(enum sch_format format);
/* Whether it is a colour format of integers: alpha is neither tested nor made coverage, and nothing is blended. */
bool sch_format_is_integer(enum sch_format format);
/* Bytes of a texel of either kind; 0 of other formats. */
unsigned sch_format_texel_bytes(enum sch_format format);

/* The key of colour buffer `target` (of the draw, counted with its holes). `clamp`: the rasterizer's
 * clamp_fragment_color. What the state asks for and the format does not have is left out. `reads` says whether the
 * texels before must be loaded. */
struct sch_color_key sch_color_key_of(const struct sch_blend_options *blend, unsigned target, enum sch_format format,
                                      bool clamp);

/* Makes it the key of a Direct3D program's colours, if the format stores them in another way then. */
void sch_color_key_follow_d3d(struct sch_color_key *key);

/* `format` NONE: no buffer. All tests of the key then pass, and nothing is written. */
struct sch_depth_stencil_key sch_depth_stencil_key_of(const struct sch_depth_stencil_alpha_options *state,
                                                      enum sch_format format);

/* Whether test_depth_stencil reads or writes texels at all. */
bool sch_depth_stencil_touches(const struct sch_depth_stencil_key *key);

#endif
