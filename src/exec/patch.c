/* Outputs of a tessellation control shader. A patch is one group: lane v is the invocation of vertex v, and holds that
 * vertex's registers, so OUT[v][n] is register n of lane v. A register of the whole patch holds the same value in every
 * lane. If several lanes write the same register, the last one wins, as the lanes of an instruction take their
 * turns ascending. */
#include "exec/machine.h"

static struct sch_lanes *output(const struct sch_exec_machine *machine, int64_t number, unsigned component)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    if (number < 0 || number >= file->count) return NULL;
    return machine->group.space[SCH_SPACE_STATE] + file->base + 4 * number + component;
}

const struct sch_lanes *sch_exec_patch_read(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                            unsigned component, struct sch_lanes *scratch)
{
    int64_t numbers[SCH_GROUP_LANES], vertices[SCH_GROUP_LANES];
    bool same;
    sch_exec_resolve(machine, &src->index, numbers, &same);
    sch_exec_resolve(machine, &src->dimension, vertices, &same);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const struct sch_lanes *from = output(machine, numbers[i], component);
        bool there = from && vertices[i] >= 0 && vertices[i] < machine->program->prepared.of_stage.group_lanes;
        scratch->u[i] = there ? from->u[vertices[i]] : 0;
    }
    return scratch;
}

/* A helper's write concerns only itself. */
static void write_lane(struct sch_exec_machine *machine, int64_t number, int64_t vertex, unsigned lane,
                       unsigned component, uint32_t word)
{
    struct sch_lanes *to = output(machine, number, component);
    if (!to || !(machine->program->prepared.output_masks[number] >> component & 1)) return;
    bool shared = machine->program->prepared.of_stage.patch_outputs[number];
    if (!shared && (vertex < 0 || vertex >= machine->program->prepared.of_stage.group_lanes)) return;
    if ((shared || vertex != lane) && machine->group.helpers >> lane & 1) return;
    if (shared)
        machine->ops->splat(to, word);
    else
        to->u[vertex] = word;
}

void sch_exec_patch_write(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst, unsigned channel,
                          const struct sch_lanes *value)
{
    int64_t numbers[SCH_GROUP_LANES], vertices[SCH_GROUP_LANES];
    bool same;
    sch_exec_resolve(machine, &dst->index, numbers, &same);
    if (dst->has_vertex) sch_exec_resolve(machine, &dst->dimension, vertices, &same);
    for (uint32_t left = machine->group.exec; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        write_lane(machine, numbers[i], dst->has_vertex ? vertices[i] : i, i, channel, value->u[i]);
    }
}
