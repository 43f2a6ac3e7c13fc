/* Hull shaders: a tessellation control shader whose phases are subroutines. All invocations run the control point
 * phase, meet, and invocation 0 runs the fork and join phases, each as often as it has instances, and copies the
 * tessellation factors to where the tessellator reads them (patch.c). */
#include "d3d/lower/internal.h"

typedef const struct sch_d3d_instruction instruction;

enum { MOST_INSTANCES = 128 };

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
    const struct sch_d3d_signature *outputs = &l->signatures[SCH_SIGNATURE_OUTPUT];
    int own = sch_lower_system_value(l, SCH_SEMANTIC_INVOCATIONID);
    for (size_t i = 0; i < outputs->count; i++) {
        const struct sch_d3d_signature_element *element = &outputs->elements[i];
        if (element->reg >= SCH_LOWER_PATCH || !(element->mask & 15)) continue;
        struct sch_ir_src src = sch_ir_src(SCH_FILE_INPUT, (int)element->reg);
        src.has_dimension = true;
        sch_build_next(l->build);
        sch_build_address(l->build, sch_build_splat(sch_ir_src(SCH_FILE_SYSTEM_VALUE, own), 0), &src.dimension);
        sch_build_1(l->build, SCH_OP_MOV, sch_build_masked(SCH_FILE_OUTPUT, (int)element->reg, element->mask & 15),
                    src);
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
            sch_build_1(l->build, SCH_OP_MOV, sch_build_temp_dst(l->instance_temp, 15), sch_build_word(l->build, n));
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
    sch_build_add(l->build, SCH_OP_BARRIER);
    uint32_t first = sch_build_scratch(l->build);
    int own = sch_lower_system_value(l, SCH_SEMANTIC_INVOCATIONID);
    sch_build_2(l->build, SCH_OP_USEQ, sch_build_temp_dst(first, 1), sch_ir_src(SCH_FILE_SYSTEM_VALUE, own),
                sch_build_word(l->build, 0));
    sch_build_test(l->build, SCH_OP_UIF, sch_build_splat(sch_build_temp_src(first), 0));
    call_patch_phases(l);
    sch_lower_copy_factors(l);
    sch_build_add(l->build, SCH_OP_ENDIF);
    sch_build_add(l->build, SCH_OP_END);
    l->after_return = true; /* also of a shader that has no phase at all */
}

/* Begins the next phase; ends the one before where it has no return of its own. */
static void begin_phase(struct sch_lower *l, unsigned opcode, uint32_t number)
{
    if (l->in_subroutine && !l->after_return) sch_build_add(l->build, SCH_OP_ENDSUB);
    sch_lower_label(l, number, SCH_LOWER_PHASE);
    sch_build_add(l->build, SCH_OP_BGNSUB);
    l->in_subroutine = true;
    l->after_return = false;
    l->depth = 0;
    l->phase = opcode == SCH_D3D_OP_HS_CONTROL_POINT_PHASE ? SCH_LOWER_POINTS : SCH_LOWER_PATCH_CONSTANTS;
}

void sch_lower_hull(struct sch_lower *l)
{
    sch_lower_declare_levels(l);
    l->instance_temp = sch_build_temp(l->build);
    l->special_input[SCH_D3D_REGISTER_FORK_INSTANCE_ID] = l->instance_temp + 1;
    l->special_input[SCH_D3D_REGISTER_JOIN_INSTANCE_ID] = l->instance_temp + 1;
    main_program(l);
    uint32_t number = 0;
    for (size_t i = 0; i < l->program->count; i++) {
        instruction *in = &l->program->instructions[i];
        if (begins_phase(in->opcode))
            begin_phase(l, in->opcode, number++);
        else if (number)
            sch_lower_instruction(l, in);
    }
    sch_lower_at(l, NULL);
}
