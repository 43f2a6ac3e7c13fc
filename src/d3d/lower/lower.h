/* Lowering: from a Direct3D program to the intermediate representation (docs/d3d.md). */
#ifndef SCH_D3D_LOWER_LOWER_H
#define SCH_D3D_LOWER_LOWER_H

#include "d3d/dxbc/shader.h"

struct sch_ir_shader;

/* The IR opcodes that carry the meaning of a Direct3D instruction when it is lowered; how many: 0 to 2. */
unsigned sch_d3d_lowers_to(unsigned opcode, unsigned made[2]);

/* Lowers a program to the intermediate representation (docs/d3d.md). What this version cannot say is refused, each
 * instruction once, with number and place. `signatures`: SCH_D3D_SIGNATURE_COUNT of them. UNSUPPORTED, LIMIT,
 * MEMORY. */
enum sch_result sch_d3d_lower(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              const struct sch_allocator *allocator, const struct sch_limits *limits,
                              struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader);

#endif
