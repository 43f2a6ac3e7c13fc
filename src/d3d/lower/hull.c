/* Hull shaders: a tessellation control shader whose phases are subroutines. All invocations run the control point
 * phase, meet, and invocation 0 runs the fork and join phases, each as often as it has instances, and copies the
 * tessellation factors to where the tessellator reads them. Patch constant n is OUT[32 + n]; the outer and inner levels
 * stand behind them. */
#include "d3d/lower/lower.h"

typedef const struct sch_d3d_instruction instruction;

enum { OUTER_LEVELS = 2 * SCH_LOWER_PATCH, INNER_LEVELS = OUTER_LEVELS + 1, MOST_INSTANCES = 128 };

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
    struct sch_ir_declaration declaration = {.file = (uint8_t)file,
                                             .usage_mask = 15,
                                             .has_semantic = true,
                                             .semantic = SCH_SEMANTIC_PATCH,
                                             .semantic_index = (uint16_t)number,
                                             .first = (uint16_t)(SCH_LOWER_PATCH + number),
                                             .last = (uint16_t)(SCH_LOWER_PATCH + number)};
    sch_lower_declare(l, &declaration);
    return true;
}

void sch_lower_patch_output(struct sch_lower *l, instruction *in, uint32_t value)
{
    const struct sch_d3d_operand *operand = &in->operands[0];
    uint32_t number = sch_lower_number(operand, 0);
    if (operand->type != SCH_D3D_REGISTER_OUTPUT || operand->index_count != 1) {
        sch_lower_refuse(l, "a patch constant that is no o#");
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

/* ---- the phases ---- */

static bool begins_phase(unsigned opcode)
{
    return opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE || opcode == SCH_D3D_OP_HS_FORK_PHASE ||
           opcode == SCH_D3D_OP_HS_JOIN_PHASE;
}

static uint32_t instances_of(struct sch_lower *l, size_t from)
{
    for (size_t i = from; i < l->program->count && !begins_phase(l->program->instructions[i].opcode); i++) {
        instruction *in = &l->program->instructions[i];
        bool counts = in->opcode == SCH_D3D_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT ||
                      in->opcode == SCH_D3D_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT;
        if (counts) return in->literals[0];
    }
    return 1;
}

/* Without a control point phase the inputs are the outputs. */
static void pass_through(struct sch_lower *l)
{
    const struct sch_d3d_signature *outputs = &l->signatures[SCH_D3D_SIGNATURE_OUTPUT];
    int16_t own = sch_lower_system_value(l, SCH_SEMANTIC_INVOCATIONID);
    for (size_t i = 0; i < outputs->count; i++) {
        const struct sch_d3d_signature_element *element = &outputs->elements[i];
        if (element->reg >= SCH_LOWER_PATCH || !(element->mask & 15)) continue;
        struct sch_ir_src src = sch_ir_src(SCH_FILE_INPUT, (int)element->reg);
        src.has_dimension = true;
        src.dimension.is_indirect = true;
        src.dimension.indirect = (struct sch_ir_indirect){.file = SCH_FILE_ADDRESS};
        sch_lower_1(l, SCH_OP_UARL, (struct sch_ir_dst){.file = SCH_FILE_ADDRESS, .write_mask = 1},
                    sch_lower_splat(sch_ir_src(SCH_FILE_SYSTEM_VALUE, own), 0));
        struct sch_ir_dst dst = sch_ir_dst(SCH_FILE_OUTPUT, (int)element->reg);
        dst.write_mask = element->mask & 15;
        sch_lower_1(l, SCH_OP_MOV, dst, src);
        if (!l->most_address) l->most_address = 1;
    }
}

static void copy_factors(struct sch_lower *l)
{
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++) {
        if (!l->factor[i].there) continue;
        struct sch_ir_dst dst = sch_ir_dst(SCH_FILE_OUTPUT, factors[i].inner ? INNER_LEVELS : OUTER_LEVELS);
        dst.write_mask = (uint8_t)(1u << factors[i].component);
        struct sch_ir_src from = sch_ir_src(SCH_FILE_OUTPUT, SCH_LOWER_PATCH + l->factor[i].number);
        sch_lower_1(l, SCH_OP_MOV, dst, sch_lower_splat(from, l->factor[i].component));
    }
}

static void declare_levels(struct sch_lower *l)
{
    for (unsigned inner = 0; inner < 2; inner++) {
        uint16_t number = inner ? INNER_LEVELS : OUTER_LEVELS;
        struct sch_ir_declaration declaration = {.file = SCH_FILE_OUTPUT,
                                                 .usage_mask = 15,
                                                 .has_semantic = true,
                                                 .semantic = inner ? SCH_SEMANTIC_TESSINNER : SCH_SEMANTIC_TESSOUTER,
                                                 .first = number,
                                                 .last = number};
        sch_lower_declare(l, &declaration);
    }
}

static void call_patch_phases(struct sch_lower *l)
{
    uint32_t number = 0;
    for (size_t i = 0; i < l->program->count; i++) {
        unsigned opcode = l->program->instructions[i].opcode;
        if (!begins_phase(opcode)) continue;
        uint32_t phase = number++, count = instances_of(l, i + 1);
        if (opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE) continue;
        if (count > MOST_INSTANCES) sch_lower_refuse(l, "a phase of %u instances", count);
        for (uint32_t n = 0; n < count && n < MOST_INSTANCES; n++) {
            sch_lower_1(l, SCH_OP_MOV, sch_lower_temp_dst(l->instance_temp, 15), sch_lower_word(l, n));
            sch_lower_call(l, phase, SCH_LOWER_PHASE);
        }
    }
}

static bool has_control_point_phase(const struct sch_lower *l, uint32_t *number)
{
    *number = 0;
    for (size_t i = 0; i < l->program->count; i++) {
        unsigned opcode = l->program->instructions[i].opcode;
        if (opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE) return true;
        *number += begins_phase(opcode);
    }
    return false;
}

static void main_program(struct sch_lower *l)
{
    uint32_t number;
    if (has_control_point_phase(l, &number))
        sch_lower_call(l, number, SCH_LOWER_PHASE);
    else
        pass_through(l);
    sch_lower_add(l, SCH_OP_BARRIER);
    uint16_t first = sch_lower_scratch(l);
    int16_t own = sch_lower_system_value(l, SCH_SEMANTIC_INVOCATIONID);
    sch_lower_2(l, SCH_OP_USEQ, sch_lower_temp_dst(first, 1), sch_ir_src(SCH_FILE_SYSTEM_VALUE, own),
                sch_lower_word(l, 0));
    struct sch_ir_instruction *made = sch_lower_add(l, SCH_OP_UIF);
    made->src_count = 1;
    made->src[0] = sch_lower_splat(sch_lower_temp(first), 0);
    call_patch_phases(l);
    copy_factors(l);
    sch_lower_add(l, SCH_OP_ENDIF);
    sch_lower_add(l, SCH_OP_END);
}

/* Begins the next phase; ends the one before where it has no return of its own. */
static void begin_phase(struct sch_lower *l, unsigned opcode, uint32_t number)
{
    if (l->in_subroutine && !l->after_return) sch_lower_add(l, SCH_OP_ENDSUB);
    sch_lower_label(l, number, SCH_LOWER_PHASE);
    sch_lower_add(l, SCH_OP_BGNSUB);
    l->in_subroutine = true;
    l->after_return = false;
    l->depth = 0;
    l->phase = opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE ? SCH_LOWER_POINTS : SCH_LOWER_PATCH_CONSTANTS;
}

void sch_lower_hull(struct sch_lower *l)
{
    declare_levels(l);
    l->instance_temp = (uint16_t)l->fixed++;
    l->special_input[SCH_D3D_REGISTER_FORK_INSTANCE_ID] = (int16_t)(l->instance_temp + 1);
    l->special_input[SCH_D3D_REGISTER_JOIN_INSTANCE_ID] = (int16_t)(l->instance_temp + 1);
    main_program(l);
    uint32_t number = 0;
    for (size_t i = 0; i < l->program->count; i++) {
        instruction *in = &l->program->instructions[i];
        if (begins_phase(in->opcode))
            begin_phase(l, in->opcode, number++);
        else if (number)
            sch_lower_instruction(l, in);
    }
    l->at = NULL;
}
