/* See spots.h. */
#include "maxwell/run/spots.h"

/* Generic addresses of a window are not global ones, whatever the ranges say. */
static bool meets_window(const struct sch_maxwell_range *range, uint32_t window)
{
    const uint64_t bytes = UINT64_C(1) << 24;
    return window && range->address < window + bytes &&
           (window < range->address || window - range->address < range->bytes);
}

void sch_maxwell_keep_spot(const struct sch_maxwell_reach *access)
{
    const struct sch_exec_machine *machine = access->machine;
    const struct sch_prepared *prepared = &machine->program->prepared;
    const uint32_t number = access->in->number;
    if (!machine->group.spots || !sch_prepared_has_spot(&prepared->maxwell.steps[number])) return;
    if (access->space != SCH_MAXWELL_GLOBAL && access->space != SCH_MAXWELL_GENERIC) return;
    const struct sch_maxwell_thread *thread = machine->engine_state;
    const struct sch_maxwell_run *run = machine->run_state;
    if (thread->range >= run->range_count) return;
    const struct sch_maxwell_range *range = &run->ranges[thread->range];
    if (access->space == SCH_MAXWELL_GENERIC &&
        (meets_window(range, run->shared_window) || meets_window(range, run->local_window)))
        return;
    const uint32_t bytes = sch_maxwell_spot_bytes(range->bytes);
    machine->group.spots[prepared->maxwell.spot[number]] = (struct sch_group_spot){
        .address = range->address, .readable = bytes, .storable = range->writable ? bytes : 0, .data = range->data};
}
