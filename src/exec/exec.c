/* Making and destroying programs. */
#include "exec/exec.h"

#include "exec/engine.h"
#include "exec/machine.h"
#include "exec/units.h"
#include "isa/errors.h"

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics)
{
    enum sch_result status = sch_exec_layout(program, shader);
    if (status == SCH_OK) status = sch_exec_list_memory(program, shader);
    if (status == SCH_OK) status = sch_exec_list_stage(program, shader);
    if (status == SCH_OK) status = sch_exec_decode(program, shader, diagnostics);
    for (uint32_t n = 0; n < program->instruction_count && status == SCH_OK; n++)
        program->extra_cost += sch_exec_cost(&program->instructions[n]) - 1;
    if (status == SCH_OK) status = sch_exec_list_units(program, shader);
    if (status == SCH_OK) status = program->engine->prepare(program, shader, diagnostics);
    if (status == SCH_ERROR_MEMORY)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_PROGRAM_MEMORY, (struct sch_position){0},
                            "the program does not fit in the memory that there is or that the limits allow (%zu bytes)",
                            program->limits.memory);
    return status;
}

enum sch_result sch_exec_create(const struct sch_ir_shader *shader, const struct sch_exec_options *options,
                                const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics,
                                struct sch_exec_program **program)
{
    *program = NULL;
    const struct sch_ops *ops = sch_ops_for_width(options ? options->lanes : 0);
    if (!ops) return SCH_ERROR_ARGUMENT;
    struct sch_exec_program *made = allocator->alloc(allocator->user, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    const struct sch_exec_engine *engine = options && options->engine ? options->engine : &sch_engine_interpreter;
    *made = (struct sch_exec_program){.limits = shader->limits,
                                      .ops = ops,
                                      .engine = engine,
                                      .engine_context = options ? options->engine_context : NULL,
                                      .stage = shader->stage};
    sch_arena_init(&made->arena, allocator, shader->limits.memory);
    static const enum sch_property fixed[3] = {SCH_PROPERTY_CS_FIXED_BLOCK_WIDTH, SCH_PROPERTY_CS_FIXED_BLOCK_HEIGHT,
                                               SCH_PROPERTY_CS_FIXED_BLOCK_DEPTH};
    for (unsigned d = 0; d < 3; d++) made->fixed_block[d] = sch_ir_property_value(shader, fixed[d], 0);

    enum sch_result status = prepare(made, shader, diagnostics);
    if (status != SCH_OK)
        sch_exec_destroy(made);
    else
        *program = made;
    return status;
}

void sch_exec_destroy(struct sch_exec_program *program)
{
    if (!program) return;
    struct sch_allocator allocator = program->arena.allocator;
    if (program->engine->release) program->engine->release(program);
    sch_arena_release(&program->arena);
    allocator.free(allocator.user, program);
}
