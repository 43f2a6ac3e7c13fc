/* Operands of Direct3D by themselves: made, masked, swizzled. Knows no shader. */
#include "d3d/raise/internal.h"

#include <string.h>

struct sch_d3d_operand sch_raise_bare(unsigned type) { return (struct sch_d3d_operand){.type = (uint8_t)type}; }

struct sch_d3d_operand sch_raise_named(unsigned type, uint32_t number)
{
    struct sch_d3d_operand made = sch_raise_bare(type);
    made.index_count = 1;
    made.index[0] = sch_raise_index(number);
    return made;
}

struct sch_d3d_operand sch_raise_register(unsigned type, uint32_t number)
{
    struct sch_d3d_operand made = sch_raise_named(type, number);
    made.form = SCH_D3D_FORM_SWIZZLE;
    made.select = SCH_D3D_SWIZZLE_XYZW;
    return made;
}

struct sch_d3d_operand sch_raise_temp(uint32_t number) { return sch_raise_register(SCH_D3D_REGISTER_TEMP, number); }

struct sch_d3d_operand sch_raise_masked(struct sch_d3d_operand operand, unsigned mask)
{
    operand.form = SCH_D3D_FORM_MASK;
    operand.select = (uint8_t)mask;
    return operand;
}

struct sch_d3d_operand sch_raise_literal(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
    return (struct sch_d3d_operand){
        .type = SCH_D3D_REGISTER_IMMEDIATE32, .form = SCH_D3D_FORM_MASK, .value_count = 4, .values = {x, y, z, w}};
}

struct sch_d3d_operand sch_raise_word(uint32_t word) { return sch_raise_literal(word, word, word, word); }

struct sch_d3d_operand sch_raise_float(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return sch_raise_word(word);
}

struct sch_d3d_operand sch_raise_swizzle(struct sch_d3d_operand operand, unsigned x, unsigned y, unsigned z, unsigned w)
{
    const unsigned from[4] = {x, y, z, w};
    struct sch_d3d_operand made = operand;
    if (operand.value_count == 4) {
        for (unsigned c = 0; c < 4; c++) made.values[c] = operand.values[from[c]];
        return made;
    }
    if (operand.form != SCH_D3D_FORM_SWIZZLE) return made; /* one component */
    made.select = 0;
    for (unsigned c = 0; c < 4; c++) made.select |= (uint8_t)((operand.select >> (2 * from[c]) & 3) << (2 * c));
    return made;
}

struct sch_d3d_operand sch_raise_splat(struct sch_d3d_operand operand, unsigned component)
{
    return sch_raise_swizzle(operand, component, component, component, component);
}

struct sch_d3d_operand sch_raise_scalar(struct sch_d3d_operand operand)
{
    if (operand.value_count == 4) {
        operand.value_count = 1;
        operand.form = SCH_D3D_FORM_SCALAR;
    } else if (operand.form == SCH_D3D_FORM_SWIZZLE) {
        operand.form = SCH_D3D_FORM_SELECT;
        operand.select &= 3;
    }
    return operand;
}

struct sch_d3d_operand sch_raise_negated(struct sch_d3d_operand operand)
{
    operand.modifier ^= SCH_D3D_NEGATE;
    return operand;
}
