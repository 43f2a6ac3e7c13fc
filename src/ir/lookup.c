/* See ir/lookup.h. Holds no rule. */
#include "ir/lookup.h"

static const struct row {
    bool there;
    struct sch_ir_lookup is;
} rows[SCH_OP_LIMIT] = {
#define LOOKUP(name, kind, mode, view, sampler, value, component, ddx, compares, place, reference, at, offset, clamp,  \
               clamp_component)                                                                                        \
    [SCH_OP_##name] = {true,                                                                                           \
                       {SCH_PREPARED_##kind, SCH_LOD_##mode, view, sampler, value, component, ddx,                     \
                        SCH_IR_COMPARES_##compares, SCH_IR_REFERENCE_##place, reference, at, offset, clamp,            \
                        clamp_component}},
#include "ir/lookups.def"
#undef LOOKUP
};

/* The form of TG4 that has no operand for the component. */
static const struct sch_ir_lookup gather_by_swizzle = {.kind = SCH_PREPARED_GATHER,
                                                       .mode = SCH_LOD_ZERO,
                                                       .view = 1,
                                                       .sampler = 1,
                                                       .value = -1,
                                                       .ddx = -1,
                                                       .compares = SCH_IR_COMPARES_TARGET,
                                                       .where = SCH_IR_REFERENCE_BEHIND,
                                                       .reference = -1,
                                                       .offset = -1,
                                                       .clamp = -1};

const struct sch_ir_lookup *sch_ir_lookup(unsigned opcode, unsigned sources)
{
    if (opcode == SCH_OP_TG4 && sources == 2) return &gather_by_swizzle;
    return opcode < SCH_OP_LIMIT && rows[opcode].there ? &rows[opcode].is : NULL;
}
