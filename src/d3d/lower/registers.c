/* Registers of the IR that are declared when they are first named, and the ranges that operands name. */
#include "d3d/lower/internal.h"

int sch_lower_system_value(struct sch_lower *l, unsigned semantic)
{
    if (l->system_place[semantic]) return (int)l->system_place[semantic] - 1;
    const struct sch_ir_declaration declaration =
        sch_build_semantic(SCH_FILE_SYSTEM_VALUE, l->system_values, semantic, 0);
    sch_build_declare(l->build, &declaration);
    l->system_place[semantic] = l->system_values + 1;
    return (int)l->system_values++;
}

/* The first time that a unit is named. */
static bool is_new(uint8_t *bits, uint32_t unit)
{
    if (unit >= SCH_D3D_UNITS || bits[unit / 8] >> (unit % 8) & 1) return false;
    bits[unit / 8] |= (uint8_t)(1u << (unit % 8));
    return true;
}

void sch_lower_need_constants(struct sch_lower *l, uint32_t unit, uint32_t vectors)
{
    if (!is_new(l->buffers, unit)) return;
    const struct sch_ir_declaration declaration = sch_build_buffer(SCH_FILE_CONSTANT, unit, vectors);
    sch_build_declare(l->build, &declaration);
}

void sch_lower_need_counter(struct sch_lower *l, uint32_t unit)
{
    if (!is_new(l->counters, unit)) return;
    const struct sch_ir_declaration declaration = sch_build_buffer(SCH_FILE_HW_ATOMIC, unit, 1);
    sch_build_declare(l->build, &declaration);
}

const struct sch_d3d_range *sch_lower_range(const struct sch_lower *l, const struct sch_d3d_operand *operand)
{
    if (!operand->index_count || operand->index[0].relative) return NULL;
    return sch_d3d_find_range(&l->ranges, operand->type, operand->index[0].value);
}
