/* The registers of resources that a program declares, and which registers of the intermediate representation ("units")
 * they become: docs/d3d.md, "Registers" and "Register spaces". Holds what the caller of a program and its lowering must
 * agree on, no lowering. */
#ifndef SCH_D3D_DXBC_RANGES_H
#define SCH_D3D_DXBC_RANGES_H

#include "d3d/dxbc/program.h"

enum {
    SCH_D3D_UNITS = 16384,  /* of a file, in shader model 5.1 */
    SCH_D3D_BYTE_UNITS = 64 /* up to model 5.0, t#n of bytes or structures is BUFFER[64 + n] */
};

/* What the slots of interfaces hold, in constant buffers of lowered programs: CONST[16][slot].x is which of its tables
 * an interface has, CONST[17][slot] its instance's constant buffer, vector, texture and sampler. */
enum { SCH_D3D_CHOSEN_TABLES = 16, SCH_D3D_CHOSEN_THIS = 17 };

/* One declaration of cb#, s#, t# or u#. */
struct sch_d3d_range {
    uint8_t type; /* enum sch_d3d_register: CONSTANT_BUFFER, SAMPLER, RESOURCE, VIEW */
    uint8_t file; /* enum sch_file: where its units are */
    uint64_t id;  /* the declaration's; up to model 5.0 the register's number */
    uint32_t space, first;
    uint32_t count;       /* registers; 0: from `first` on without end */
    uint32_t unit, units; /* the first one, and how many of the registers have one */
    const struct sch_d3d_instruction *declaration;
};

struct sch_d3d_ranges {
    struct sch_d3d_range *items; /* sorted by type and id */
    size_t count;
};

/* Lists them, in memory of `arena`. Declarations that no checked program has are left out. False: no memory. */
bool sch_d3d_list_ranges(const struct sch_d3d_program *program, struct sch_arena *arena, struct sch_d3d_ranges *ranges);

/* The one with this identifier, or NULL. */
const struct sch_d3d_range *sch_d3d_find_range(const struct sch_d3d_ranges *ranges, unsigned type, uint64_t id);

#endif
