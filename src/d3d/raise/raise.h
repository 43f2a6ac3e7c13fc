/* Raising: from the intermediate representation to a Direct3D program (docs/d3d.md). */
#ifndef SCH_D3D_RAISE_RAISE_H
#define SCH_D3D_RAISE_RAISE_H

#include "d3d/dxbc/shader.h"

struct sch_ir_shader;

/* Makes a shader of model 5.0 of one that sch_ir_check has found right (docs/d3d.md, "From TGSI to Direct3D"), with
 * program, signatures and container. What Direct3D has no word for is refused, each opcode once, with number and place
 * (4360 to 4379). UNSUPPORTED, LIMIT, MEMORY. */
enum sch_result sch_d3d_raise(const struct sch_ir_shader *ir, const struct sch_allocator *allocator,
                              const struct sch_limits *limits, struct sch_diagnostics *diagnostics,
                              struct sch_d3d_shader **shader);

#endif
