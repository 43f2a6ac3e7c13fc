/* A group: 32 lanes that execute together, and one 32-bit channel of them. Holds no state of a group (abi/group.h). */
#ifndef SCH_ABI_LANES_H
#define SCH_ABI_LANES_H

#include <stdalign.h>
#include <stdint.h>

enum { SCH_GROUP_LANES = 32, SCH_QUAD_LANES = 4, SCH_ALL_LANES = -1 };

/* One 32-bit channel of the 32 lanes of a group. Lanes 4q..4q+3 are quad q: (0,0), (1,0), (0,1), (1,1). */
struct sch_lanes {
    alignas(64) uint32_t u[SCH_GROUP_LANES];
};

/* Register storage is an array of channels (struct sch_lanes) per space; register r of a file has its four channels at
 * base + 4 * r. */
enum sch_space {
    SCH_SPACE_PROGRAM, /* written when the program is made: a channel of zeros, then the immediates */
    SCH_SPACE_RUN,     /* written when a run starts: the constants that operands name directly */
    SCH_SPACE_STATE,   /* one per thread: TEMP, ADDR, OUT, SV, IN */
    SCH_SPACE_COUNT
};

#endif
