/* Fragment programs that read of a texture the pixel that they are about to write, and no other: what OpenGL 9.3.1
 * defines between two barriers ("only a single read and write of each texel, ... in the fragment shader invocation
 * that writes the texel"). Then it cannot be seen in which order the pixels of a draw are drawn. */
#ifndef SCH_PIPELINE_OWN_PIXEL_H
#define SCH_PIPELINE_OWN_PIXEL_H

#include "exec/program.h"

/* Whether all that the program reads of SVIEW[view] in level 0 is texel (x, y) for the pixel (x, y), and it reads no
 * other level; in a framebuffer of so many rows, of one layer and one sample. False: it is not known. */
bool sch_fetches_own_pixel(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                           uint32_t height, uint32_t view);

#endif
