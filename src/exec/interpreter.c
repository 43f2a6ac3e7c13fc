/* The interpreter: a handler for every instruction, and the loop that runs them. */
#include "exec/control.h"
#include "exec/engine.h"

/* Handlers by opcode, from the table; arithmetic has one per shape, lookups one per kind. */
static sch_exec_handler *const named_handlers[SCH_OP_LIMIT] = {
#define NAMED(name)                                                           [SCH_OP_##name] = sch_exec_##name,
#define OP(name, number, section, dsts, srcs, shape, signature, flags, title) NAMED_##shape(name)
#include "isa/opcodes.def"
#undef OP
#undef NAMED
};

static bool interpreter_runs(unsigned opcode)
{
    const struct sch_op_info *info = sch_op_info(opcode);
    if (!info) return false;
    return SCH_SHAPE_IS_ARITHMETIC(info->shape) || info->shape == SCH_SHAPE_ATOMIC || named_handlers[opcode] ||
           sch_exec_lookup_runs(opcode);
}

static sch_exec_handler *handler(const struct sch_exec_instruction *instruction)
{
    const struct sch_op_info *info = sch_op_info(instruction->opcode);
    if (SCH_SHAPE_IS_ARITHMETIC(info->shape)) return sch_exec_arithmetic(instruction, info->shape);
    if (info->shape == SCH_SHAPE_ATOMIC) return sch_exec_atomic;
    if (instruction->lookup) return sch_exec_lookup_handler(instruction->lookup);
    return named_handlers[instruction->opcode];
}

static enum sch_result interpreter_prepare(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                           struct sch_diagnostics *diagnostics)
{
    (void)shader;
    (void)diagnostics; /* decoding refused what it does not run */
    for (uint32_t n = 0; n <= program->instruction_count; n++) {
        struct sch_exec_instruction *instruction = &program->instructions[n];
        instruction->run = handler(instruction);
        if (!instruction->run) return SCH_ERROR_INTERNAL;
        bool arithmetic = SCH_SHAPE_IS_ARITHMETIC(sch_op_info(instruction->opcode)->shape);
        if (arithmetic && !instruction->op) return SCH_ERROR_INTERNAL;
        if (instruction->run == sch_exec_atomic && !instruction->atomic) return SCH_ERROR_INTERNAL;
    }
    return SCH_OK;
}

static void interpreter_run_group(struct sch_exec_machine *machine)
{
    uint64_t executed = machine->group.executed;
    const struct sch_exec_instruction *at = &machine->program->instructions[machine->group.at];
    machine->group.at = SCH_GROUP_ENDED;
    while (at) {
        if (executed >= machine->group.stop_at && !sch_exec_may_go_on(machine, at->number)) return;
        machine->group.executed = ++executed;
        at = at->run(machine, at);
    }
}

const struct sch_exec_engine sch_engine_interpreter = {
    .name = "interpreter",
    .runs = interpreter_runs,
    .prepare = interpreter_prepare,
    .run_group = interpreter_run_group,
};
