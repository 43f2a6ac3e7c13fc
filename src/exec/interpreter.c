/* The interpreter: a handler for every instruction, and the loop that runs them. */
#include "exec/control.h"
#include "exec/engine.h"
#include "exec/lookup.h"

/* Handlers by opcode, from the table; arithmetic has one per shape, lookups and updates of memory have one each. */
static sch_exec_handler *const named_handlers[SCH_OP_LIMIT] = {
#define NAMED(name)                                                         [SCH_OP_##name] = sch_exec_##name,
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) NAMED_##shape(name)
#include "isa/opcodes.def"
#undef OP
#undef NAMED
};

static sch_exec_handler *handler(const struct sch_exec_program *program,
                                 const struct sch_prepared_instruction *instruction)
{
    const unsigned shape = sch_op_info(instruction->opcode)->shape;
    if (SCH_SHAPE_IS_ARITHMETIC(shape))
        return program->ops->op[instruction->opcode] ? sch_exec_arithmetic(instruction, shape) : NULL;
    if (shape == SCH_SHAPE_ATOMIC) return program->ops->atomic[instruction->opcode] ? sch_exec_atomic : NULL;
    return instruction->lookup ? sch_exec_run_bound_lookup : named_handlers[instruction->opcode];
}

static enum sch_result interpreter_prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                           struct sch_diagnostics *diagnostics)
{
    (void)shader;
    (void)diagnostics; /* preparing refused what does not run */
    const struct sch_prepared *prepared = &program->prepared;
    program->handlers =
        SCH_ARENA_ARRAY(&program->prepared.arena, sch_exec_handler *, (size_t)prepared->instruction_count + 1);
    if (!program->handlers) return SCH_ERROR_MEMORY;
    for (uint32_t n = 0; n <= prepared->instruction_count; n++) {
        program->handlers[n] = handler(program, &prepared->instructions[n]);
        if (!program->handlers[n]) return SCH_ERROR_INTERNAL;
    }
    return SCH_OK;
}

static void interpreter_run_group(struct sch_exec_machine *machine)
{
    sch_exec_handler *const *handlers = machine->program->handlers;
    uint64_t executed = machine->group.executed;
    const struct sch_prepared_instruction *at = &machine->program->prepared.instructions[machine->group.at];
    machine->group.at = SCH_GROUP_ENDED;
    while (at) {
        if (executed >= machine->group.stop_at && !sch_exec_may_go_on(machine, at->number)) return;
        machine->group.executed = ++executed;
        at = handlers[at->number](machine, at);
    }
}

const struct sch_exec_engine sch_engine_interpreter = {
    .name = "interpreter",
    .by_handlers = true,
    .prepare = interpreter_prepare,
    .run_group = interpreter_run_group,
};

static struct sch_exec_engine engine_of(const struct sch_exec_program *program)
{
    struct sch_exec_engine engine = program->engine->handled ? *program->engine->handled : *program->engine;
    if (!engine.by_handlers) engine = sch_engine_interpreter;
    engine.run_span = NULL;
    return engine;
}

bool sch_exec_interpreted(const struct sch_exec_program *program, struct sch_arena *arena,
                          void (*run_group)(struct sch_exec_machine *), const struct sch_exec_program **made)
{
    static const uint8_t cleared[] = {SCH_FILE_TEMPORARY, SCH_FILE_ADDRESS, SCH_FILE_OUTPUT};
    struct sch_exec_program *copy = SCH_ARENA_NEW(arena, struct sch_exec_program);
    struct sch_exec_engine *engine = SCH_ARENA_NEW(arena, struct sch_exec_engine);
    if (!copy || !engine) return false;
    *engine = engine_of(program);
    engine->run_group = run_group;
    *copy = *program;
    copy->engine = engine;
    for (unsigned f = 0; f < sizeof cleared; f++) copy->cleared[cleared[f]] = true;
    *made = copy;
    return true;
}
