/* INTERP_*: finds each lane's plane equation and offset; what is computed from them is src/ops (interpolate). */
#include "exec/control.h"
#include "exec/samples.h"

typedef const struct sch_exec_instruction instruction;

/* The registers of a plane: struct sch_invocations. */
enum { PLANE_CENTRE, PLANE_STEP_X, PLANE_STEP_Y, PLANE_DIVISOR, PLANE_REGISTERS };

struct place {
    int64_t numbers[SCH_GROUP_LANES]; /* of IN */
    struct sch_lanes offset[2];       /* from the pixel's centre */
    struct sch_lanes plane[3];        /* of one component: centre, steps */
    struct sch_lanes divisor[3];
};

static uint32_t float_bits(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static unsigned interpolation(const struct sch_exec_machine *machine, int64_t number)
{
    const struct sch_exec_stage *stage = &machine->program->of_stage;
    return number >= 0 && number < stage->interpolated ? stage->interpolations[number] : SCH_INTERPOLATION_CONSTANT;
}

/* The caller's plane of input `number`, or NULL. */
static const uint32_t *given_plane(const struct sch_exec_machine *machine, unsigned lane, int64_t number)
{
    const struct sch_invocations *given = machine->invocations;
    if (!given || !given->planes || !(machine->group.present >> lane & 1)) return NULL;
    if (number < 0 || number >= given->plane_registers) return NULL;
    return given->planes +
           ((machine->group.first + lane) * given->plane_registers + (uint64_t)number) * 4 * PLANE_REGISTERS;
}

/* Without a plane an input is what IN holds, everywhere in the pixel. */
static void constant_plane(const struct sch_exec_machine *machine, struct place *at, unsigned lane, unsigned component)
{
    const struct sch_exec_file *file = &machine->program->files[SCH_FILE_INPUT];
    int64_t number = at->numbers[lane];
    bool there = number >= 0 && number < file->count;
    const struct sch_lanes *from = machine->group.space[SCH_SPACE_STATE] + file->base + component;
    at->plane[0].u[lane] = there ? from[4 * number].u[lane] : 0;
    at->plane[1].u[lane] = at->plane[2].u[lane] = 0;
}

static void load_plane(const struct sch_exec_machine *machine, struct place *at, unsigned lane, unsigned component)
{
    const uint32_t *plane = given_plane(machine, lane, at->numbers[lane]);
    unsigned how = interpolation(machine, at->numbers[lane]);
    at->divisor[0].u[lane] = float_bits(1.0f);
    at->divisor[1].u[lane] = at->divisor[2].u[lane] = 0;
    if (!plane) {
        constant_plane(machine, at, lane, component);
        return;
    }
    for (unsigned k = PLANE_CENTRE; k <= PLANE_STEP_Y; k++)
        at->plane[k].u[lane] = how == SCH_INTERPOLATION_CONSTANT && k != PLANE_CENTRE ? 0 : plane[4 * k + component];
    const uint32_t *divisor = plane + 4 * PLANE_DIVISOR;
    bool divided = (divisor[0] | divisor[1] | divisor[2]) != 0;
    if (!divided || how == SCH_INTERPOLATION_CONSTANT || how == SCH_INTERPOLATION_LINEAR) return;
    for (unsigned k = 0; k < 3; k++) at->divisor[k].u[lane] = divisor[k];
}

static bool is_constant(const struct sch_exec_machine *machine, const struct place *at, unsigned lane)
{
    return !given_plane(machine, lane, at->numbers[lane]) ||
           interpolation(machine, at->numbers[lane]) == SCH_INTERPOLATION_CONSTANT;
}

static void load_centroids(const struct sch_exec_machine *machine, struct place *at)
{
    const struct sch_invocations *given = machine->invocations;
    memset(at->offset, 0, sizeof at->offset);
    if (!given || !given->centroids) return;
    for (unsigned i = 0; i < SCH_GROUP_LANES && machine->group.present >> i & 1; i++)
        for (unsigned c = 0; c < 2; c++) at->offset[c].u[i] = given->centroids[2 * (machine->group.first + i) + c];
}

static void load_samples(const struct sch_exec_machine *machine, const struct sch_lanes *numbers, struct place *at)
{
    uint32_t samples = machine->invocations && machine->invocations->samples ? machine->invocations->samples : 1;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        float offset[2];
        sch_exec_sample_offset(samples, numbers->u[i], offset);
        for (unsigned c = 0; c < 2; c++) at->offset[c].u[i] = float_bits(offset[c]);
    }
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
    struct place at;
    bool same;
    if (in->opcode == SCH_OP_INTERP_CENTROID) load_centroids(machine, &at);
    if (in->opcode == SCH_OP_INTERP_SAMPLE) load_samples(machine, operand[0], &at);
    for (unsigned c = 0; c < 2 && in->opcode == SCH_OP_INTERP_OFFSET; c++) at.offset[c] = *operand[c];
    sch_exec_resolve(machine, &in->src[0].index, at.numbers, &same);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        if (is_constant(machine, &at, i)) at.offset[0].u[i] = at.offset[1].u[i] = 0; /* however far: no NaN */
    for (unsigned c = 0; c < 4; c++) {
        if (!(in->dst[0].mask >> c & 1)) continue;
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) load_plane(machine, &at, i, in->src[0].swizzle[c]);
        const struct sch_lanes *src[8] = {&at.plane[0],  &at.plane[1],   &at.plane[2],   &at.offset[0],
                                          &at.offset[1], &at.divisor[0], &at.divisor[1], &at.divisor[2]};
        struct sch_lanes *to = &machine->group.result[c];
        machine->ops->interpolate(SCH_RULE_NONE, &to, src);
        modify(machine, in, to);
    }
}

/* Of the second operand, which CENTROID has not, SAMPLE reads x and OFFSET reads x and y. */
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
