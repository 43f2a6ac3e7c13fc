/* See heat.h. */
#include "pipeline/heat.h"

#include "pipeline/output_key.h"

static void find_pixels(const struct sch_tile_group *group, uint32_t lanes, struct sch_run_heat_lanes *at)
{
    at->lanes = lanes;
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++) {
        at->x.u[i] = (uint32_t)group->quads.x[i / SCH_QUAD_LANES] + (i & 1);
        at->y.u[i] = (uint32_t)group->quads.y[i / SCH_QUAD_LANES] + (i >> 1 & 1);
    }
}

void sch_heat_cover(const struct sch_heat *heat, const struct sch_tile_group *group, uint32_t samples)
{
    struct sch_run_heat_lanes at;
    if (!heat->covered) return;
    find_pixels(group, sch_tile_covered(group, samples), &at);
    sch_run_heat_add(heat, heat->covered, &at);
}

/* The registers that colour buffers take, each once; integers are finite. */
static void count_colors(const struct sch_heat *heat, const struct sch_output *output,
                         const struct sch_exec_machine *machine, const struct sch_run_heat_lanes *at)
{
    for (uint32_t bits = output->color_buffers; bits; bits &= bits - 1) {
        const uint32_t buffer = (uint32_t)__builtin_ctz(bits);
        if (sch_format_is_integer((enum sch_format)output->framebuffer->colors[buffer].format)) continue;
        sch_run_heat_color(heat, machine, output->from->color[output->from->broadcast ? 0 : buffer], at);
        if (output->from->broadcast) return;
    }
}

void sch_heat_shade(const struct sch_heat *heat, const struct sch_output *output, const struct sch_tile_group *group,
                    const struct sch_exec_machine *machine)
{
    struct sch_run_heat_lanes at;
    find_pixels(group, machine->group.present, &at);
    sch_run_heat_group(heat, machine, &at);
    count_colors(heat, output, machine, &at);
}
