/* Which entries of the bindings the registers of a Direct3D shader are (docs/d3d.md, "Register spaces"). */
#include "api/run.h"

#include "d3d/dxbc/ranges.h"

static enum sch_range_class class_of(unsigned type)
{
    switch (type) {
    case SCH_D3D_REGISTER_CONSTANT_BUFFER:
        return SCH_RANGE_CONSTANTS;
    case SCH_D3D_REGISTER_SAMPLER:
        return SCH_RANGE_SAMPLERS;
    case SCH_D3D_REGISTER_VIEW:
        return SCH_RANGE_VIEWS;
    default:
        return SCH_RANGE_TEXTURES;
    }
}

static enum sch_unit_array array_of(unsigned file)
{
    switch (file) {
    case SCH_FILE_CONSTANT:
        return SCH_UNITS_CONSTANTS;
    case SCH_FILE_SAMPLER:
        return SCH_UNITS_SAMPLERS;
    case SCH_FILE_SAMPLER_VIEW:
        return SCH_UNITS_VIEWS;
    case SCH_FILE_IMAGE:
        return SCH_UNITS_IMAGES;
    default:
        return SCH_UNITS_BUFFERS;
    }
}

static void write_range(const struct sch_d3d_range *range, bool spaces, struct sch_range_info *info)
{
    info->kind = class_of(range->type);
    info->array = array_of(range->file);
    info->space = range->space;
    info->first = range->first;
    info->count = range->count;
    info->unit = range->unit;
    info->units = range->units;
    info->spaces = spaces;
}

enum sch_result sch_api_list_ranges(struct sch_shader *shader, const struct sch_d3d_program *program)
{
    struct sch_arena arena;
    struct sch_d3d_ranges ranges;
    sch_arena_init(&arena, &shader->context->allocator, shader->context->limits.memory);
    bool made = sch_d3d_list_ranges(program, &arena, &ranges);
    made = made && sch_api_array(shader->context, ranges.count, sizeof *shader->ranges, (void **)&shader->ranges);
    shader->range_count = made ? ranges.count : 0;
    for (size_t i = 0; i < shader->range_count; i++)
        write_range(&ranges.items[i], sch_d3d_has_spaces(program), &shader->ranges[i]);
    sch_arena_release(&arena);
    return made ? SCH_OK : SCH_ERROR_MEMORY;
}

bool sch_shader_range(const struct sch_shader *shader, uint32_t position, struct sch_range_info *info)
{
    if (!shader || !info || !sch_sized_fits(info->size, sizeof *info)) return false;
    if (position >= shader->range_count) return false;
    sch_sized_write(info, &shader->ranges[position], sizeof *info);
    return true;
}

bool sch_shader_unit(const struct sch_shader *shader, enum sch_range_class kind, uint32_t space,
                     uint32_t register_number, struct sch_unit *unit)
{
    if (!shader || !unit || !sch_sized_fits(unit->size, sizeof *unit)) return false;
    for (size_t i = 0; i < shader->range_count; i++) {
        const struct sch_range_info *range = &shader->ranges[i];
        if (range->kind != kind || range->space != space || register_number < range->first) continue;
        if (register_number - range->first >= range->units) continue;
        const struct sch_unit made = {
            .size = sizeof made, .array = range->array, .number = range->unit + (register_number - range->first)};
        sch_sized_write(unit, &made, sizeof made);
        return true;
    }
    return false;
}
