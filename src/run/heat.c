/* See heat.h. */
#include "run/heat.h"

bool sch_run_heat_instructions(const struct sch_heat *heat)
{
    return heat && (heat->instructions || heat->group_slots || heat->idle_slots);
}

bool sch_run_heat_texels(const struct sch_heat *heat) { return heat && (heat->texels || heat->greatest_lods); }

void sch_run_heat_begin(const struct sch_heat *heat, struct sch_exec_source *source)
{
    source->counts_instructions = sch_run_heat_instructions(heat);
    source->counts_texels = sch_run_heat_texels(heat);
}

/* The element of a lane's pixel; false: the arrays do not have it. */
static bool find_pixel(const struct sch_heat *heat, const struct sch_run_heat_lanes *at, unsigned lane, size_t *pixel)
{
    if (at->x.u[lane] >= heat->width || at->y.u[lane] >= heat->height) return false;
    *pixel = (size_t)at->y.u[lane] * heat->width + at->x.u[lane];
    return true;
}

void sch_run_heat_add(const struct sch_heat *heat, uint64_t *counts, const struct sch_run_heat_lanes *at)
{
    size_t pixel;
    for (uint32_t left = counts ? at->lanes : 0; left; left &= left - 1)
        if (find_pixel(heat, at, (unsigned)__builtin_ctz(left), &pixel)) counts[pixel]++;
}

static void add_lane(const struct sch_heat *heat, const struct sch_exec_heat *counted, unsigned lane, size_t pixel)
{
    if (heat->instructions) heat->instructions[pixel] += counted->instructions[lane];
    if (heat->group_slots) heat->group_slots[pixel] += counted->group_slots;
    if (heat->idle_slots) heat->idle_slots[pixel] += counted->idle_slots;
    if (heat->texels) heat->texels[pixel] += counted->texels[lane];
    if (heat->greatest_lods && counted->lods[lane] > heat->greatest_lods[pixel])
        heat->greatest_lods[pixel] = counted->lods[lane];
}

void sch_run_heat_group(const struct sch_heat *heat, const struct sch_exec_machine *machine,
                        const struct sch_run_heat_lanes *at)
{
    const uint32_t started = machine->started_helpers;
    struct sch_run_heat_lanes some = *at;
    size_t pixel;
    some.lanes = at->lanes & ~started;
    sch_run_heat_add(heat, heat->shaded, &some);
    some.lanes &= machine->group.helpers;
    sch_run_heat_add(heat, heat->discarded, &some);
    some.lanes = at->lanes & started;
    sch_run_heat_add(heat, heat->helpers, &some);
    for (uint32_t left = machine->heat ? at->lanes : 0; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (find_pixel(heat, at, lane, &pixel)) add_lane(heat, machine->heat, lane, pixel);
    }
}

static bool is_finite(uint32_t bits) { return (~bits & 0x7f800000) != 0; }

void sch_run_heat_color(const struct sch_heat *heat, const struct sch_exec_machine *machine, uint32_t number,
                        const struct sch_run_heat_lanes *at)
{
    const struct sch_prepared_file *file = &machine->program->prepared.files[SCH_FILE_OUTPUT];
    const struct sch_lanes *rgba = machine->group.space[SCH_SPACE_STATE] + file->base + 4 * (size_t)number;
    struct sch_run_heat_lanes some = *at;
    for (unsigned c = 0; c < 4 && heat->not_finite; c++) {
        some.lanes = 0;
        for (uint32_t left = at->lanes & ~machine->group.helpers; left; left &= left - 1)
            if (!is_finite(rgba[c].u[__builtin_ctz(left)])) some.lanes |= left & -left;
        sch_run_heat_add(heat, heat->not_finite, &some);
    }
}
