/* Lowering: from a Direct3D program to the intermediate representation (docs/d3d.md). */
#ifndef SCH_D3D_LOWER_LOWER_H
#define SCH_D3D_LOWER_LOWER_H

#include "d3d/dxbc/shader.h"

struct sch_ir_shader;

/* The IR opcodes that carry the meaning of a Direct3D instruction when it is lowered; how many: 0 to 2. */
unsigned sch_d3d_lowers_to(unsigned opcode, unsigned made[2]);

/* Registers of a lowered shader that follow each other, and what Direct3D calls them. */
struct sch_d3d_origin {
    uint8_t file;          /* enum sch_file: of the lowered shader */
    uint8_t type;          /* enum sch_d3d_register */
    bool is_array;         /* elements of x#[], icb[] */
    uint32_t first, count; /* in `file` */
    uint32_t number;       /* of the first one, or of the array; UINT32_MAX: its name has none */
};
struct sch_d3d_origins {
    struct sch_arena arena;
    struct sch_d3d_origin *items;
    size_t count, capacity;
};
void sch_d3d_origins_release(struct sch_d3d_origins *origins);

/* Lowers a program to the intermediate representation (docs/d3d.md). What this version cannot say is refused, each
 * instruction once, with number and place. `signatures`: SCH_D3D_SIGNATURE_COUNT of them. `origins`, which
 * the caller releases, becomes what its registers were; NULL if not wanted. UNSUPPORTED, LIMIT, MEMORY. */
enum sch_result sch_d3d_lower(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              const struct sch_allocator *allocator, const struct sch_limits *limits,
                              struct sch_diagnostics *diagnostics, struct sch_d3d_origins *origins,
                              struct sch_ir_shader **shader);

#endif
