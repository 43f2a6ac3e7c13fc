/* INTERP_*: finds each lane's input and offset, and has the source of work give it. What is computed from planes is
 * src/ops (interpolate). */
#include "exec/interpolate.h"

#include "exec/control.h"
#include "exec/samples.h"
#include "exec/source.h"

typedef const struct sch_prepared_instruction instruction;

static uint32_t float_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

void sch_exec_constant_plane(const struct sch_exec_machine *machine, unsigned lane, int64_t number, unsigned component,
                             struct sch_exec_planes *planes)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_INPUT];
    const struct sch_lanes *from = machine->group.space[SCH_SPACE_STATE] + file->base + component;
    planes->value[0].u[lane] = number >= 0 && number < file->count ? from[4 * number].u[lane] : 0;
    planes->value[1].u[lane] = planes->value[2].u[lane] = 0;
    planes->divisor[0].u[lane] = float_bits(1.0f);
    planes->divisor[1].u[lane] = planes->divisor[2].u[lane] = 0;
}

void sch_exec_evaluate_planes(const struct sch_exec_machine *machine, const struct sch_exec_planes *planes,
                              const struct sch_lanes offset[2], struct sch_lanes *value)
{
    const struct sch_lanes *src[8] = {&planes->value[0], &planes->value[1],   &planes->value[2],   &offset[0],
                                      &offset[1],        &planes->divisor[0], &planes->divisor[1], &planes->divisor[2]};
    machine->ops->interpolate(SCH_RULE_NONE, &value, src);
}

/* A source that has no planes. However far away, no NaN comes of it. */
static void interpolate_nothing(const struct sch_exec_machine *machine, const struct sch_exec_interpolation *request,
                                struct sch_lanes *value)
{
    static const struct sch_lanes centre[2];
    struct sch_exec_planes planes;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        sch_exec_constant_plane(machine, i, request->numbers[i], request->component, &planes);
    sch_exec_evaluate_planes(machine, &planes, centre, value);
}

static void load_samples(const struct sch_exec_machine *machine, const struct sch_lanes *numbers,
                         struct sch_lanes offset[2])
{
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        float at[2];
        sch_exec_sample_offset(machine->source->samples, numbers->u[i], at);
        for (unsigned c = 0; c < 2; c++) offset[c].u[i] = float_bits(at[c]);
    }
}

static void load_offsets(const struct sch_exec_machine *machine, unsigned opcode,
                         const struct sch_lanes *const operand[2], struct sch_lanes offset[2])
{
    const struct sch_exec_source_kind *kind = machine->source->kind;
    memset(offset, 0, 2 * sizeof *offset);
    if (opcode == SCH_OP_INTERP_CENTROID && kind->centroids) kind->centroids(machine->source, machine, offset);
    if (opcode == SCH_OP_INTERP_SAMPLE) load_samples(machine, operand[0], offset);
    for (unsigned c = 0; c < 2 && opcode == SCH_OP_INTERP_OFFSET; c++) offset[c] = *operand[c];
}

static void modify(const struct sch_exec_machine *machine, instruction *in, struct sch_lanes *value)
{
    struct sch_lanes *to = value;
    const struct sch_lanes *from = value;
    if (in->src[0].modify) machine->ops->modify[in->src[0].modify](SCH_RULE_NONE, &to, &from);
    if (in->modify) machine->ops->modify[in->modify](SCH_RULE_NONE, &to, &from);
}

void sch_exec_interpolate(struct sch_exec_machine *machine, instruction *in, const struct sch_lanes *const operand[2])
{
    const struct sch_exec_source_kind *kind = machine->source->kind;
    int64_t numbers[SCH_GROUP_LANES];
    struct sch_lanes offset[2];
    bool same;
    load_offsets(machine, in->opcode, operand, offset);
    sch_exec_resolve(machine, &in->src[0].index, numbers, &same);
    for (unsigned c = 0; c < 4; c++) {
        const struct sch_exec_interpolation request = {numbers, offset, in->src[0].swizzle[c]};
        if (!(in->dst[0].mask >> c & 1)) continue;
        if (kind->interpolate)
            kind->interpolate(machine->source, machine, &request, &machine->group.result[c]);
        else
            interpolate_nothing(machine, &request, &machine->group.result[c]);
        modify(machine, in, &machine->group.result[c]);
    }
}

/* SAMPLE reads x of the second operand and OFFSET reads x and y; CENTROID has none. */
static instruction *interpolate(struct sch_exec_machine *machine, instruction *in, bool placed)
{
    const struct sch_lanes *operand[2] = {NULL};
    for (unsigned c = 0; placed && c < 2; c++) operand[c] = sch_exec_operand(machine, in, 1, c);
    sch_exec_interpolate(machine, in, operand);
    for (unsigned c = 0; c < 4; c++)
        if (in->dst[0].mask >> c & 1) sch_exec_write(machine, &in->dst[0], c, &machine->group.result[c]);
    return in + 1;
}

instruction *sch_exec_INTERP_CENTROID(struct sch_exec_machine *machine, instruction *in)
{
    return interpolate(machine, in, false);
}

instruction *sch_exec_INTERP_SAMPLE(struct sch_exec_machine *machine, instruction *in)
{
    return interpolate(machine, in, true);
}

instruction *sch_exec_INTERP_OFFSET(struct sch_exec_machine *machine, instruction *in)
{
    return interpolate(machine, in, true);
}
