/* What an opcode of the texture unit does with its sources, as rows of ir/lookups.def say it: for whoever checks such
 * instructions and whoever prepares them. */
#ifndef SCH_IR_LOOKUP_H
#define SCH_IR_LOOKUP_H

#include "ir/prepared.h"

/* Whether the result is compared with a reference value: never, for SHADOW targets, always. */
enum sch_ir_compares { SCH_IR_COMPARES_NEVER, SCH_IR_COMPARES_TARGET, SCH_IR_COMPARES_ALWAYS };

/* Where the reference value is: see ir/lookups.def. */
enum sch_ir_reference { SCH_IR_REFERENCE_BEHIND, SCH_IR_REFERENCE_SPILL, SCH_IR_REFERENCE_OPERAND };

struct sch_ir_lookup {
    uint8_t kind, mode; /* enum sch_prepared_lookup_kind, enum sch_lod_mode */
    int8_t view, sampler, value, component, ddx;
    uint8_t compares, where; /* enum sch_ir_compares, enum sch_ir_reference */
    int8_t reference;
    uint8_t reference_component;
    int8_t offset, clamp, clamp_component;
};

/* The row of an instruction with so many sources; NULL: the opcode is not a lookup. */
const struct sch_ir_lookup *sch_ir_lookup(unsigned opcode, unsigned sources);

static inline bool sch_ir_fetches(const struct sch_ir_lookup *lookup)
{
    return lookup->kind == SCH_PREPARED_FETCH || lookup->kind == SCH_PREPARED_FETCH_MS;
}

#endif
