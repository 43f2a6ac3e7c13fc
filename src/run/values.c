/* System values that follow from a group and its lanes' numbers alone. Holds none that a source of work has of its own:
 * those of a grid are in run/grid.c. */
#include "run/values.h"

#include "exec/samples.h"

/* What a lane's mask semantics say of lane i: lanes equal to, from, after, up to, before it. */
static void load_lane_masks(struct sch_lanes *to, unsigned semantic)
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        uint32_t self = 1u << i, before = self - 1;
        to->u[i] = semantic == SCH_SEMANTIC_SUBGROUP_EQ_MASK   ? self
                   : semantic == SCH_SEMANTIC_SUBGROUP_GE_MASK ? ~before
                   : semantic == SCH_SEMANTIC_SUBGROUP_GT_MASK ? ~(before | self)
                   : semantic == SCH_SEMANTIC_SUBGROUP_LE_MASK ? before | self
                                                               : before;
    }
}

void sch_run_own_value(const struct sch_exec_machine *machine, unsigned semantic, struct sch_lanes *to)
{
    if (semantic == SCH_SEMANTIC_HELPER_INVOCATION) machine->ops->mask_lanes(&to[0], machine->started_helpers);
    if (machine->loaded) return;
    if (semantic == SCH_SEMANTIC_SUBGROUP_SIZE) machine->ops->splat(&to[0], SCH_GROUP_LANES);
    if (semantic == SCH_SEMANTIC_SUBGROUP_INVOCATION)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) to[0].u[i] = i;
    if (semantic >= SCH_SEMANTIC_SUBGROUP_EQ_MASK && semantic <= SCH_SEMANTIC_SUBGROUP_LT_MASK)
        load_lane_masks(&to[0], semantic);
}

void sch_run_stage_value(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                         unsigned semantic, struct sch_lanes *to)
{
    if (semantic == SCH_SEMANTIC_INVOCATIONID)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
            to[0].u[i] = (uint32_t)((machine->group.first + i) % machine->program->prepared.of_stage.invocation_ids);
    if (semantic == SCH_SEMANTIC_VERTICESIN) machine->ops->splat(&to[0], source->input_vertices);
    if (semantic == SCH_SEMANTIC_SAMPLEMASK) machine->ops->splat(&to[0], (1u << source->samples) - 1); /* 16 at most */
}

void sch_run_sample_position(const struct sch_exec_source *source, unsigned lane, uint32_t number, struct sch_lanes *to)
{
    float offset[2];
    sch_exec_sample_offset(source->samples, number, offset);
    for (unsigned c = 0; c < 2; c++) {
        float position = offset[c] + 0.5f;
        memcpy(&to[c].u[lane], &position, sizeof position);
    }
}
