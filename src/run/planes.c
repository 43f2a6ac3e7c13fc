/* INTERP_* of invocations in arrays: the caller's planes and centroids, invocation by invocation (struct
 * sch_invocations). */
#include "exec/interpolate.h"
#include "run/arrays.h"

/* The registers of a plane. */
enum { PLANE_CENTRE, PLANE_STEP_X, PLANE_STEP_Y, PLANE_DIVISOR, PLANE_REGISTERS };

static const struct sch_invocations *given_of(const struct sch_exec_source *source)
{
    return ((const struct sch_run_arrays *)source)->given;
}

static unsigned interpolation(const struct sch_exec_machine *machine, int64_t number)
{
    const struct sch_prepared_interface *interface = &machine->program->prepared.interface;
    if (number < 0 || number >= interface->input_count) return SCH_INTERPOLATION_CONSTANT;
    const unsigned declared = interface->inputs[number].interpolation;
    return declared == SCH_INTERPOLATION_COUNT ? SCH_INTERPOLATION_PERSPECTIVE : declared;
}

/* The caller's plane of input `number`, or NULL. */
static const uint32_t *given_plane(const struct sch_invocations *given, const struct sch_exec_machine *machine,
                                   unsigned lane, int64_t number)
{
    if (!given->planes || !(machine->group.present >> lane & 1)) return NULL;
    if (number < 0 || number >= given->plane_registers) return NULL;
    return given->planes +
           ((machine->group.first + lane) * given->plane_registers + (uint64_t)number) * 4 * PLANE_REGISTERS;
}

/* An input that has one and may change in the pixel. */
static void load_plane(const uint32_t *plane, unsigned lane, unsigned component, bool linear,
                       struct sch_exec_planes *planes)
{
    for (unsigned k = PLANE_CENTRE; k <= PLANE_STEP_Y; k++) planes->value[k].u[lane] = plane[4 * k + component];
    const uint32_t *divisor = plane + 4 * PLANE_DIVISOR;
    if (!linear && (divisor[0] | divisor[1] | divisor[2]))
        for (unsigned k = 0; k < 3; k++) planes->divisor[k].u[lane] = divisor[k];
}

void sch_run_interpolate(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                         const struct sch_exec_interpolation *request, struct sch_lanes *value)
{
    struct sch_lanes offset[2] = {request->offset[0], request->offset[1]};
    struct sch_exec_planes planes;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const uint32_t *plane = given_plane(given_of(source), machine, i, request->numbers[i]);
        const unsigned how = interpolation(machine, request->numbers[i]);
        sch_exec_constant_plane(machine, i, request->numbers[i], request->component, &planes);
        if (plane) planes.value[0].u[i] = plane[request->component];
        if (plane && how != SCH_INTERPOLATION_CONSTANT)
            load_plane(plane, i, request->component, how == SCH_INTERPOLATION_LINEAR, &planes);
        else
            offset[0].u[i] = offset[1].u[i] = 0; /* however far: no NaN */
    }
    sch_exec_evaluate_planes(machine, &planes, offset, value);
}

void sch_run_centroids(const struct sch_exec_source *source, const struct sch_exec_machine *machine,
                       struct sch_lanes offset[2])
{
    const struct sch_invocations *given = given_of(source);
    for (unsigned i = 0; given->centroids && i < SCH_GROUP_LANES && machine->group.present >> i & 1; i++)
        for (unsigned c = 0; c < 2; c++) offset[c].u[i] = given->centroids[2 * (machine->group.first + i) + c];
}
