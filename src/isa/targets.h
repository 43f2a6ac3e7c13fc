/* What texture targets are: how many coordinates, which memory. Holds nothing of views or texels (src/texture). */
#ifndef SCH_ISA_TARGETS_H
#define SCH_ISA_TARGETS_H

#include "isa/isa.h"

enum { SCH_CUBE_FACES = 6 };

/* Targets whose resources have the same memory: a view may change from one to another. */
enum sch_target_family {
    SCH_FAMILY_NONE,
    SCH_FAMILY_BUFFER,
    SCH_FAMILY_1D,
    SCH_FAMILY_2D, /* cubes and RECT too */
    SCH_FAMILY_3D,
    SCH_FAMILY_MSAA
};

struct sch_target_facts {
    uint8_t plain;  /* enum sch_target: itself, of a SHADOW target the one without comparison */
    uint8_t family; /* enum sch_target_family */
    uint8_t axes;   /* of a level's memory; of cubes 2 */
    bool layered;   /* an array: a coordinate chooses the layer or cube */
    bool cube;
    bool multisampled;
    bool one_level; /* whatever level is requested, level 0 is read */
};

/* Never NULL: numbers that are not a target are like UNKNOWN, of family NONE. */
const struct sch_target_facts *sch_target_facts(unsigned target);

/* How many coordinates a texel of a target has: its axes, then the layer (of cubes the face). The sample is w. */
unsigned sch_target_coordinates(unsigned target);

#endif
