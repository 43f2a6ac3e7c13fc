/* Making and destroying programs. */
#include "exec/exec.h"

#include "exec/engine.h"
#include "exec/machine.h"
#include "exec/units.h"
#include "isa/errors.h"

/* The channel of zeros and the immediates, once for all runs. */
static bool fill_program_space(struct sch_exec_program *program)
{
    const uint32_t count = program->prepared.channels[SCH_SPACE_PROGRAM];
    program->program_space = SCH_ARENA_ARRAY(&program->prepared.arena, struct sch_lanes, count);
    for (uint32_t c = 0; c < count && program->program_space; c++)
        program->ops->splat(&program->program_space[c], program->prepared.program_words[c]);
    return program->program_space;
}

static enum sch_result prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               const struct sch_allocator *allocator, struct sch_diagnostics *diagnostics)
{
    static const uint8_t cleared[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    enum sch_result status = sch_prepare(shader, allocator, diagnostics, &program->prepared);
    if (status == SCH_OK && !fill_program_space(program)) status = SCH_ERROR_MEMORY;
    for (unsigned f = 0; f < sizeof cleared; f++) program->cleared[cleared[f]] = true;
    if (status == SCH_OK) status = sch_exec_list_units(program, shader);
    if (status == SCH_OK) status = program->engine->prepare(program, shader, diagnostics);
    if (status == SCH_ERROR_MEMORY)
        sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, SCH_D_PROGRAM_MEMORY, (struct sch_position){0},
                            "the program does not fit in the memory that there is or that the limits allow (%zu bytes)",
                            program->prepared.limits.memory);
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
    *made = (struct sch_exec_program){.ops = ops,
                                      .engine = options && options->engine ? options->engine : &sch_engine_interpreter,
                                      .engine_context = options ? options->engine_context : NULL};
    enum sch_result status = prepare(made, shader, allocator, diagnostics);
    if (status != SCH_OK)
        sch_exec_destroy(made);
    else
        *program = made;
    return status;
}

void sch_exec_destroy(struct sch_exec_program *program)
{
    if (!program) return;
    struct sch_allocator allocator = program->prepared.arena.allocator;
    if (program->engine->release) program->engine->release(program);
    sch_prepared_release(&program->prepared);
    allocator.free(allocator.user, program);
}
