/* Patch constants: n is OUT[32 + n] or IN[32 + n]; the outer and inner levels of the tessellator, which are copies of
 * some, come after them. */
#include "d3d/lower/internal.h"

enum { OUTER_LEVELS = 2 * SCH_LOWER_PATCH, INNER_LEVELS = OUTER_LEVELS + 1 };

/* Direct3D's factors by their system values from 11 on: which level they are. The line's detail is the number of its
 * segments, its density the number of lines, which OpenGL's order has first. */
static const struct {
    bool inner;
    uint8_t component;
} factors[] = {{false, 0}, {false, 1}, {false, 2}, {false, 3}, {true, 0},  {true, 1},
               {false, 0}, {false, 1}, {false, 2}, {true, 0},  {false, 1}, {false, 0}};
enum { FIRST_FACTOR = 11, LAST_FACTOR = FIRST_FACTOR + sizeof factors / sizeof *factors - 1 };

bool sch_lower_patch_declared(struct sch_lower *l, uint32_t number, unsigned file)
{
    if (number >= SCH_LOWER_PATCH) {
        sch_lower_refuse(l, "patch constant %u is more than is lowered", number);
        return false;
    }
    if (l->patch_declared[number]) return true;
    l->patch_declared[number] = true;
    const struct sch_ir_declaration declaration =
        sch_build_semantic(file, SCH_LOWER_PATCH + number, SCH_SEMANTIC_PATCH, number);
    sch_build_declare(l->build, &declaration);
    return true;
}

void sch_lower_patch_output(struct sch_lower *l, const struct sch_d3d_instruction *in, uint32_t value)
{
    const struct sch_d3d_operand *operand = &in->operands[0];
    uint32_t number = sch_lower_number(operand, 0);
    if (operand->type != SCH_D3D_REGISTER_OUTPUT || operand->index_count != 1) {
        sch_lower_refuse(l, "a patch constant that is not an o#");
        return;
    }
    if (!sch_lower_patch_declared(l, number, SCH_FILE_OUTPUT) || !value) return;
    unsigned mask = operand->form == SCH_D3D_FORM_MASK ? operand->select : 1u;
    if (value < FIRST_FACTOR || value > LAST_FACTOR || !mask) {
        sch_lower_refuse(l, "system value %u is not lowered yet", value);
        return;
    }
    l->factor[value - FIRST_FACTOR] =
        (struct sch_lower_factor){.there = true, .number = (uint8_t)number, .component = (uint8_t)__builtin_ctz(mask)};
}

void sch_lower_copy_factors(struct sch_lower *l)
{
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++) {
        if (!l->factor[i].there) continue;
        struct sch_ir_dst dst = sch_build_masked(SCH_FILE_OUTPUT, factors[i].inner ? INNER_LEVELS : OUTER_LEVELS,
                                                 1u << factors[i].component);
        struct sch_ir_src from = sch_ir_src(SCH_FILE_OUTPUT, SCH_LOWER_PATCH + l->factor[i].number);
        sch_build_1(l->build, SCH_OP_MOV, dst, sch_build_splat(from, l->factor[i].component));
    }
}

void sch_lower_declare_levels(struct sch_lower *l)
{
    const struct sch_ir_declaration outer =
        sch_build_semantic(SCH_FILE_OUTPUT, OUTER_LEVELS, SCH_SEMANTIC_TESSOUTER, 0);
    const struct sch_ir_declaration inner =
        sch_build_semantic(SCH_FILE_OUTPUT, INNER_LEVELS, SCH_SEMANTIC_TESSINNER, 0);
    sch_build_declare(l->build, &outer);
    sch_build_declare(l->build, &inner);
}
