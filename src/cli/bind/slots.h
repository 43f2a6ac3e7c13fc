/* Which place of the command line's arrays a register has, and which entry of the bindings that is once the shader is
 * known: N, or SPACE:N for the register spaces of Direct3D's shader model 5.1. */
#ifndef SCH_CLI_SLOTS_H
#define SCH_CLI_SLOTS_H

#include "common/cli.h"

/* A register as an option names it. */
struct sch_cli_name {
    uint32_t space, number;
    bool spaced;  /* the space was given */
    bool texture; /* of buffers: t#, else u# */
};

enum {
    SCH_CLI_PLACED = 64, /* registers of each kind after the plain numbers */
    SCH_CLI_MOST_SLOTS = 256,
    SCH_CLI_NO_UNIT = -1
};

/* The slots of one kind: plain numbers, then other registers in the order in which they are named. */
struct sch_cli_slots {
    struct sch_cli_name placed[SCH_CLI_PLACED];
    uint32_t count;
    uint32_t unit[SCH_CLI_MOST_SLOTS]; /* once settled */
    uint32_t sampler[SCH_CLI_MOST_SLOTS];
};

/* The slot of a register, where `plain` have their number; UINT32_MAX: there are more than SCH_CLI_PLACED others. */
uint32_t sch_cli_slot_of(struct sch_cli_slots *slots, uint32_t plain, const struct sch_cli_name *name);

#endif
