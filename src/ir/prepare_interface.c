/* What links a program with others and with the fixed functions around it: its registers of IN and OUT with their
 * semantics, its properties, and what a pipeline must know of its instructions. Holds no rule of linking
 * (pipeline/link.c). */
#include "ir/analysis.h"
#include "ir/prepare.h"

/* ---- registers ---- */

static uint32_t declared_count(const struct sch_ir_shader *shader, unsigned file)
{
    uint32_t count = 0;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file == file && declaration->last >= count) count = declaration->last + 1;
    }
    return count;
}

/* Several declarations of one register differ in their components only (validation error 2055). A range counts its
 * semantic's index up. */
static void declare(struct sch_prepared_register *reg, const struct sch_ir_declaration *declaration, uint32_t number)
{
    if (!reg->declared)
        *reg = (struct sch_prepared_register){.semantic = SCH_SEMANTIC_GENERIC,
                                              .semantic_index = (uint16_t)number,
                                              .interpolation = SCH_INTERPOLATION_COUNT,
                                              .location = SCH_LOCATION_CENTER};
    reg->declared = true;
    reg->mask |= declaration->usage_mask;
    reg->position = declaration->position;
    if (declaration->has_semantic) {
        reg->semantic = declaration->semantic;
        reg->semantic_index = (uint16_t)(declaration->semantic_index + (number - declaration->first));
    }
    if (declaration->has_interpolation) {
        reg->interpolation = declaration->interpolation;
        reg->location = declaration->location;
    }
    for (unsigned c = 0; c < 4; c++)
        if (declaration->usage_mask >> c & 1) reg->stream[c] = declaration->stream[c];
}

static bool list_registers(struct sch_prepared *program, const struct sch_ir_shader *shader, unsigned file,
                           struct sch_prepared_register **registers, uint32_t *count)
{
    *count = declared_count(shader, file);
    *registers = SCH_ARENA_ARRAY(&program->arena, struct sch_prepared_register, *count);
    if (!*registers) return false;
    for (size_t n = 0; n < shader->declaration_count; n++) {
        const struct sch_ir_declaration *declaration = &shader->declarations[n];
        if (declaration->file != file) continue;
        for (uint32_t r = declaration->first; r <= declaration->last; r++) declare(&(*registers)[r], declaration, r);
    }
    return true;
}

static void note_inputs(struct sch_prepared *program)
{
    struct sch_prepared_interface *interface = &program->interface;
    for (uint32_t n = 0; n < program->input_count; n++) {
        const uint32_t number = program->inputs[n];
        if (number < interface->input_count) interface->inputs[number].used = program->input_masks[number];
    }
}

static void note_output(struct sch_prepared *program, const struct sch_ir_dst *dst)
{
    struct sch_prepared_interface *interface = &program->interface;
    if (dst->file != SCH_FILE_OUTPUT) return;
    if (!dst->index.is_indirect) {
        if (dst->index.index >= 0 && (uint32_t)dst->index.index < interface->output_count)
            interface->outputs[dst->index.index].used |= dst->write_mask;
        return;
    }
    for (uint32_t r = 0; r < interface->output_count; r++) interface->outputs[r].used |= dst->write_mask;
}

static void note_system_value(struct sch_prepared *program, const struct sch_ir_bracket *index)
{
    if (!index->is_indirect) {
        if (index->index >= 0 && (uint32_t)index->index < program->system_value_count)
            program->system_values[index->index].read = true;
        return;
    }
    for (uint32_t r = 0; r < program->system_value_count; r++) program->system_values[r].read = true;
}

static void note_index(struct sch_prepared *program, const struct sch_ir_bracket *bracket)
{
    if (!bracket->is_indirect || bracket->indirect.file != SCH_FILE_SYSTEM_VALUE) return;
    note_system_value(program, &(struct sch_ir_bracket){.index = bracket->indirect.index});
}

static void note_operands(struct sch_prepared *program, const struct sch_ir_instruction *instruction)
{
    for (unsigned s = 0; s < instruction->src_count; s++) {
        const struct sch_ir_src *src = &instruction->src[s];
        if (src->file == SCH_FILE_SYSTEM_VALUE) note_system_value(program, &src->index);
        note_index(program, &src->index);
        if (src->has_dimension) note_index(program, &src->dimension);
    }
    for (unsigned d = 0; d < instruction->dst_count; d++) {
        const struct sch_ir_dst *dst = &instruction->dst[d];
        note_output(program, dst);
        note_index(program, &dst->index);
        if (dst->has_dimension) note_index(program, &dst->dimension);
    }
    for (unsigned o = 0; o < instruction->offset_count; o++)
        if (instruction->offset[o].file == SCH_FILE_SYSTEM_VALUE)
            note_system_value(program, &(struct sch_ir_bracket){.index = instruction->offset[o].index});
}

/* ---- properties ---- */

static void list_properties(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    for (size_t n = 0; n < shader->property_count; n++) {
        const struct sch_ir_property *property = &shader->properties[n];
        if (property->name >= SCH_PROPERTY_COUNT || !property->count) continue;
        program->interface.properties[property->name] =
            (struct sch_prepared_property){.given = true, .value = property->value[0]};
    }
}

/* ---- facts ---- */

static void note_instruction(struct sch_prepared_facts *facts, const struct sch_ir_instruction *instruction)
{
    const struct sch_op_info *info = sch_op_info(instruction->opcode);
    if (instruction->opcode == SCH_OP_ABORT)
        facts->effects = SCH_EFFECTS_ORDERED; /* what was written before stays written */
    else if (info->flags & SCH_OPF_DISCARDS)
        facts->discards = true;
    if (info->flags & (SCH_OPF_CROSS_LANE | SCH_OPF_CLOCK)) facts->shows_group = true;
    if (info->flags & SCH_OPF_DERIVATIVE) facts->reads_quad = true;
    /* Each sample has its own colour (EXT_shader_framebuffer_fetch, "Shader Outputs"). */
    if (info->shape == SCH_SHAPE_FETCH) facts->fetches_framebuffer = facts->per_sample = true;
    if (info->flags & SCH_OPF_STORE) facts->writes_memory = true;
    if (instruction->opcode == SCH_OP_LOAD) facts->reads_memory = true;
}

static void note_system_values(struct sch_prepared *program)
{
    struct sch_prepared_facts *facts = &program->interface.facts;
    for (uint32_t r = 0; r < program->system_value_count; r++) {
        const struct sch_prepared_semantic *value = &program->system_values[r];
        if (!value->declared || !(value->read || program->d3d)) continue; /* D3D 16.2: "declares" */
        if (sch_semantic_is_of_subgroup(value->semantic)) facts->shows_group = true;
        if (program->stage == SCH_STAGE_FRAGMENT &&
            (value->semantic == SCH_SEMANTIC_SAMPLEID || value->semantic == SCH_SEMANTIC_SAMPLEPOS))
            facts->per_sample = true;
    }
}

static void note_fragments(struct sch_prepared *program)
{
    const struct sch_prepared_interface *interface = &program->interface;
    struct sch_prepared_facts *facts = &program->interface.facts;
    for (uint32_t r = 0; r < interface->input_count; r++)
        if (interface->inputs[r].location == SCH_LOCATION_SAMPLE && (interface->inputs[r].used || program->d3d))
            facts->per_sample = true;
    for (uint32_t r = 0; r < interface->output_count; r++) {
        const struct sch_prepared_register *output = &interface->outputs[r];
        if (output->semantic == SCH_SEMANTIC_POSITION && output->used & 4) facts->writes_depth = true;
        if (output->semantic == SCH_SEMANTIC_STENCIL && output->used & 2) facts->writes_stencil = true;
        if (output->semantic == SCH_SEMANTIC_SAMPLEMASK && output->used & 1) facts->writes_sample_mask = true;
    }
}

enum sch_result sch_prepare_interface(struct sch_prepared *program, const struct sch_ir_shader *shader)
{
    struct sch_prepared_interface *interface = &program->interface;
    if (!list_registers(program, shader, SCH_FILE_INPUT, &interface->inputs, &interface->input_count) ||
        !list_registers(program, shader, SCH_FILE_OUTPUT, &interface->outputs, &interface->output_count))
        return SCH_ERROR_MEMORY;
    list_properties(program, shader);
    note_inputs(program);
    for (size_t n = 0; n < shader->instruction_count; n++) {
        note_operands(program, &shader->instructions[n]);
        note_instruction(&interface->facts, &shader->instructions[n]);
    }
    note_system_values(program);
    if (program->stage == SCH_STAGE_FRAGMENT) note_fragments(program);
    return SCH_OK;
}

/* ---- side effects ---- */

/* The opcode of all instructions that write memory, if it is one atomic that commutes; SCH_OP_LIMIT. Atomics of several
 * opcodes do not commute with each other: adding and then masking leaves another word than masking and then adding, and
 * two registers may be the same memory. */
static unsigned only_atomic(const struct sch_prepared *program)
{
    unsigned only = SCH_OP_LIMIT;
    for (uint32_t n = 0; n < program->instruction_count; n++) {
        const unsigned opcode = program->instructions[n].opcode, flags = sch_op_info(opcode)->flags;
        if (!(flags & SCH_OPF_STORE)) continue;
        if (!(flags & SCH_OPF_COMMUTES) || (only != SCH_OP_LIMIT && only != opcode)) return SCH_OP_LIMIT;
        only = opcode;
    }
    return only;
}

static bool reads_results(const struct sch_prepared *program, const struct sch_ir_liveness *liveness)
{
    for (uint32_t n = 0; n < program->instruction_count; n++)
        if (sch_prepared_is_atomic(&program->instructions[n]) && !liveness->unread[n]) return true;
    return false;
}

enum sch_result sch_prepare_effects(struct sch_prepared *program)
{
    struct sch_prepared_facts *facts = &program->interface.facts;
    if (facts->effects == SCH_EFFECTS_ORDERED || !facts->writes_memory) return SCH_OK;
    facts->effects = SCH_EFFECTS_ORDERED;
    const unsigned only = only_atomic(program);
    if (only == SCH_OP_LIMIT || facts->reads_memory) return SCH_OK;
    struct sch_arena scratch;
    struct sch_ir_liveness liveness;
    sch_arena_init(&scratch, &program->arena.allocator, 0);
    const enum sch_result status = sch_ir_find_liveness(program, &scratch, &liveness);
    if (status == SCH_OK && !reads_results(program, &liveness)) {
        facts->effects = SCH_EFFECTS_UNORDERED;
        facts->only_atomic = (uint16_t)only;
    }
    sch_arena_release(&scratch);
    return status;
}
