/* Where control goes in a section of code: rows of instructions that run one after the other, each for the targets that
 * lie on the stack when it is reached. A row is found once for each such stack, so that SYNC, BRK, CONT and RET lead
 * where those that pushed say. What the words do not say, such as the targets of BRX, leads nowhere. */
#ifndef SCH_MAXWELL_SLOTS_FLOW_H
#define SCH_MAXWELL_SLOTS_FLOW_H

#include "maxwell/text/effects.h"

enum { SCH_MAXWELL_NO_ROW = UINT32_MAX };
struct sch_maxwell_row {
    uint32_t first, end; /* instructions of the section: first to end - 1 */
    uint32_t stack;      /* on entry */
    uint32_t next[2];    /* rows that may follow; SCH_MAXWELL_NO_ROW */
};

struct sch_maxwell_rows {
    const struct sch_maxwell_section *section;
    const struct sch_maxwell_effects *effects; /* of each instruction */
    bool *leads;                               /* of each instruction: control may come from elsewhere */
    struct sch_maxwell_row *items;
    size_t count, capacity;
};

/* Whether an instruction names a target in its section where no instruction begins. */
bool sch_maxwell_flow_is_lost(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item,
                              int64_t *target);

/* Which instructions control may come to from elsewhere than the one before. */
bool sch_maxwell_flow_leads(struct sch_arena *arena, const struct sch_maxwell_section *section,
                            const struct sch_maxwell_effects *effects, bool **leads);

/* Finds the rows, `leads` included. False: no memory. If a section has more rows than this finds, the others are
 * missing. */
bool sch_maxwell_flow_find(struct sch_arena *arena, const struct sch_maxwell_section *section,
                           const struct sch_maxwell_effects *effects, struct sch_maxwell_rows *rows);

#endif
