/* The engines that run Maxwell code as machine code: those of src/native around the handlers of src/maxwell/run, which
 * code calls for what it has no form of its own for. What both share is in the group: the stack of control flow, the
 * budget, what accesses have reached. Holds no code (src/jit/maxwell.c). */
#include "maxwell/run/code.h"

#include "maxwell/run/program.h"
#include "maxwell/run/spots.h"
#include "maxwell/run/thread.h"
#include "native/native.h"

/* ---- what instructions have reached ---- */

/* The block's shared memory, or the lanes' own. */
static struct sch_group_spot own_spot(const struct sch_exec_machine *machine, enum sch_memory_kind kind)
{
    const struct sch_memory_view *view = &machine->memory[kind];
    struct sch_group_spot spot = {.data = view->data, .readable = sch_maxwell_spot_bytes(view->bytes)};
    if (view->lane_bytes > INT32_MAX / SCH_GROUP_LANES) return (struct sch_group_spot){.data = NULL};
    spot.storable = spot.readable;
    spot.lane_bytes = (uint32_t)view->lane_bytes;
    return spot;
}

static struct sch_group_spot constant_spot(const struct sch_exec_machine *machine, unsigned bank)
{
    const struct sch_exec_bindings *bindings = machine->bindings;
    if (!bindings || bank >= bindings->constant_count) return (struct sch_group_spot){.data = NULL};
    const struct sch_constant_buffer *from = &bindings->constants[bank];
    return (struct sch_group_spot){.data = (uint8_t *)(uintptr_t)from->data,
                                   .readable = sch_maxwell_spot_bytes(from->bytes)};
}

static bool make_spots(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    const struct sch_prepared *prepared = &machine->program->prepared;
    const struct sch_prepared_maxwell *maxwell = &prepared->maxwell;
    struct sch_group_spot *spots = SCH_ARENA_ARRAY(arena, struct sch_group_spot, (size_t)maxwell->spots + 1);
    if (!spots) return false;
    for (uint32_t n = 0; n < prepared->instruction_count; n++) {
        const struct sch_maxwell_step *step = &maxwell->steps[n];
        if (!sch_prepared_has_spot(step)) continue;
        const unsigned facts = sch_maxwell_facts_of(step);
        if (facts & SCH_MAXWELL_OUTSIDE) continue; /* none is known yet */
        spots[maxwell->spot[n]] =
            facts & SCH_MAXWELL_IN_BANK
                ? constant_spot(machine, step->bank)
                : own_spot(machine, facts & SCH_MAXWELL_OF_LANE ? SCH_MEMORY_PRIVATE : SCH_MEMORY_SHARED);
    }
    machine->group.spots = spots;
    return true;
}

/* ---- constants that operands name ---- */

static bool list_constants(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    enum { BYTES = 4 };
    const struct sch_prepared *prepared = &machine->program->prepared;
    uint32_t *words = SCH_ARENA_ARRAY(arena, uint32_t, (size_t)prepared->maxwell.constants + 1), *to = words;
    if (!words) return false;
    for (uint32_t n = 0; n < prepared->instruction_count; n++) {
        const struct sch_maxwell_step *step = &prepared->maxwell.steps[n];
        for (unsigned s = 0; s < step->source_count; s++) {
            const struct sch_maxwell_source *source = &step->source[s];
            for (unsigned w = 0; w < source->words && source->kind == SCH_MAXWELL_FROM_CONSTANT; w++)
                *to++ = sch_maxwell_constant(machine, source->number, source->offset + BYTES * w);
        }
    }
    machine->group.constant_words = words;
    return true;
}

/* ---- the engines ---- */

static enum sch_result prepare_auto(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                    struct sch_diagnostics *diagnostics)
{
    struct sch_native *native = ((const struct sch_maxwell_context *)program->engine_context)->native;
    const enum sch_result status = sch_engine_maxwell_code.prepare(program, shader, diagnostics);
    return status == SCH_OK ? sch_native_add_auto(program, shader, native, diagnostics) : status;
}

static enum sch_result prepare_jit(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                   struct sch_diagnostics *diagnostics)
{
    struct sch_native *native = ((const struct sch_maxwell_context *)program->engine_context)->native;
    const enum sch_result status = sch_engine_maxwell_code.prepare(program, shader, diagnostics);
    return status == SCH_OK ? sch_native_add_jit(program, shader, native, diagnostics) : status;
}

static void release(struct sch_exec_program *program)
{
    if (program->code) sch_engine_auto.release(program);
}

static enum sch_result begin_run(const struct sch_exec_engine *code, const struct sch_exec_job *job,
                                 struct sch_arena *arena, void **state)
{
    const enum sch_result status = sch_engine_maxwell_code.begin_run(job, arena, state);
    if (status != SCH_OK) return status;
    struct sch_maxwell_run *run = *state;
    return code->begin_run(job, arena, &run->code);
}

static enum sch_result begin_run_auto(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    return begin_run(&sch_engine_auto, job, arena, state);
}

static enum sch_result begin_run_jit(const struct sch_exec_job *job, struct sch_arena *arena, void **state)
{
    return begin_run(&sch_engine_jit, job, arena, state);
}

static void end_run(void *state) { sch_engine_maxwell_code.end_run(state); }

static enum sch_result begin(struct sch_exec_machine *machine, struct sch_arena *arena)
{
    const enum sch_result status = sch_engine_maxwell_code.begin(machine, arena);
    if (status != SCH_OK) return status;
    const struct sch_maxwell_run *run = machine->run_state;
    machine->code_run = run->code;
    if (!make_spots(machine, arena) || !list_constants(machine, arena)) return SCH_ERROR_MEMORY;
    return sch_engine_auto.begin(machine, arena);
}

static void end(struct sch_exec_machine *machine)
{
    if (machine->code_state) sch_engine_auto.end(machine);
    sch_engine_maxwell_code.end(machine);
}

static void run_group_auto(struct sch_exec_machine *machine) { sch_engine_auto.run_group(machine); }
static void run_group_jit(struct sch_exec_machine *machine) { sch_engine_jit.run_group(machine); }

static uint32_t executing(struct sch_exec_machine *machine, const struct sch_prepared_instruction *in)
{
    return sch_engine_maxwell_code.executing(machine, in);
}

static void explain(const struct sch_exec_machine *machine, struct sch_diagnostics *diagnostics)
{
    sch_engine_maxwell_code.explain(machine, diagnostics);
}

const struct sch_exec_engine sch_engine_maxwell_auto = {.name = "maxwell code, auto",
                                                        .handled = &sch_engine_maxwell_code,
                                                        .prepare = prepare_auto,
                                                        .release = release,
                                                        .begin_run = begin_run_auto,
                                                        .end_run = end_run,
                                                        .begin = begin,
                                                        .end = end,
                                                        .run_group = run_group_auto,
                                                        .meet = sch_maxwell_meet,
                                                        .executing = executing,
                                                        .explain = explain};

const struct sch_exec_engine sch_engine_maxwell_jit = {.name = "maxwell code, jit",
                                                       .handled = &sch_engine_maxwell_code,
                                                       .prepare = prepare_jit,
                                                       .release = release,
                                                       .begin_run = begin_run_jit,
                                                       .end_run = end_run,
                                                       .begin = begin,
                                                       .end = end,
                                                       .run_group = run_group_jit,
                                                       .meet = sch_maxwell_meet,
                                                       .executing = executing,
                                                       .explain = explain};
