/* The validator of shader models 4 and 5: the rules of the language and of the stages, each with a number of
 * isa/errors.def (2400 to 2499 errors, 2600 to 2649 warnings). It reads programs and changes nothing. */
#ifndef SCH_D3D_CHECK_CHECK_H
#define SCH_D3D_CHECK_CHECK_H

#include "d3d/dxbc/shader.h"

/* Checks a program and reports everything that is wrong, at the places of its instructions. `signatures` are those of
 * the shader, SCH_D3D_SIGNATURE_COUNT of them (tag 0: there is none), or NULL; `diagnostics` may be NULL. OK where
 * there is no error (there may be warnings), INVALID, MEMORY. Costs time in proportion to the program. */
enum sch_result sch_d3d_check(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              struct sch_diagnostics *diagnostics);

#endif
