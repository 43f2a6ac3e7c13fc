/* What an engine is: something that makes a prepared program executable and runs it on one group of 32 lanes. The frame
 * around it (inputs, outputs, threads, budgets' report) is the same for every engine: run/run.c. */
#ifndef SCH_EXEC_ENGINE_H
#define SCH_EXEC_ENGINE_H

#include "exec/machine.h"
#include "exec/places.h"

struct sch_exec_job;   /* exec/job.h */
struct sch_group_span; /* abi/group.h */

/* An instruction that lanes of a group come to a barrier with. */
struct sch_exec_arrival {
    uint32_t barrier;
    bool waits; /* until it is complete */
};

/* Consecutive registers of TEMPORARY or ADDRESS that lanes read. */
enum { SCH_EXEC_MOST_READS = 32 };
struct sch_exec_register_read {
    uint32_t lanes;
    uint16_t first, count;
    uint8_t file;
};

struct sch_exec_engine {
    const char *name;
    bool by_handlers;                      /* run_group calls the program's handlers, one after the other */
    const struct sch_exec_engine *handled; /* the engine that runs the same program so; NULL: it does itself, or the
                                              interpreter */

    /* Adds what the engine needs to a program that was prepared from `shader`. UNSUPPORTED: what it cannot
     * run is reported. */
    enum sch_result (*prepare)(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                               struct sch_diagnostics *diagnostics);

    /* Frees what prepare made outside the program's arena; may be NULL. */
    void (*release)(struct sch_exec_program *program);

    /* Makes what all machines of one run share (machine->run_state), before any of them begins; and undoes it when all
     * have ended, also after a failure of theirs. The arena lives until then. Both may be NULL. UNSUPPORTED: why is
     * reported in job->diagnostics. */
    enum sch_result (*begin_run)(const struct sch_exec_job *job, struct sch_arena *arena, void **state);
    void (*end_run)(void *state);

    /* Whether a small run begins without waiting for what may fail or take long. NULL: every run does. Thread-safe. */
    bool (*is_ready)(const struct sch_exec_program *program);

    /* Makes what one thread needs beside its machine (machine->engine_state), for one run; and undoes it, also after a
     * failure. The arena lives until then. Both may be NULL. */
    enum sch_result (*begin)(struct sch_exec_machine *machine, struct sch_arena *arena);
    void (*end)(struct sch_exec_machine *machine);

    /* Runs the lanes of machine->group.exec from machine->group.at to a BARRIER or the end. On failure sets
     * machine->group.failure and its place. */
    void (*run_group)(struct sch_exec_machine *machine);

    /* Runs all groups of a span in their order, from their planes to their pixels; the machine is as at the begin of
     * the first one. On failure sets machine->group.first and span->done, too. False: it cannot, and has done nothing;
     * the groups are to be run one by one. Called only where the source of work has `spans`. May be NULL. */
    bool (*run_span)(struct sch_exec_machine *machine, struct sch_group_span *span);

    /* Called when each of the `count` groups of a unit has run to its end or is held at a barrier. Releases those whose
     * barrier is complete. False: no group can continue, and one has failed. NULL: all groups meet at each BARRIER. */
    bool (*meet)(struct sch_exec_machine *machines, uint32_t count);

    /* Which lanes of machine->group.exec execute an instruction; NULL: all. For sessions. */
    uint32_t (*executing)(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction);

    /* For observers, of an instruction that is about to be executed: what sch_exec_find_places finds; which barrier of
     * the block its lanes come to; which registers it reads, and in which lanes. NULL: the languages whose instructions
     * the interpreter knows. */
    uint32_t (*find_places)(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                            struct sch_exec_touched places[SCH_GROUP_LANES]);
    bool (*find_barrier)(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                         struct sch_exec_arrival *arrival);
    uint32_t (*find_reads)(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                           struct sch_exec_register_read reads[SCH_EXEC_MOST_READS]);

    /* Lanes in which a floating-point operand of an instruction is an infinity or a NaN; with `results`, those with
     * such a result of one that has been executed. For sessions. NULL: as find_places. */
    uint32_t (*find_not_finite)(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                                bool results);

    /* Reports what a machine has failed by, after UNSUPPORTED, INVALID or LIMIT; may be NULL. */
    void (*explain)(const struct sch_exec_machine *machine, struct sch_diagnostics *diagnostics);
};

extern const struct sch_exec_engine sch_engine_interpreter;

static inline uint32_t sch_exec_executing(struct sch_exec_machine *machine,
                                          const struct sch_prepared_instruction *instruction)
{
    const struct sch_exec_engine *engine = machine->program->engine;
    return engine->executing ? engine->executing(machine, instruction) : machine->group.exec;
}

/* A copy of a program whose groups run one by one by `run_group`, which calls the handlers: the interpreter's, or
 * Maxwell's where the program was made for those; machine code, which no one can see into, is left out. It lives as
 * long as the arena. False: no memory. */
bool sch_exec_interpreted(const struct sch_exec_program *program, struct sch_arena *arena,
                          void (*run_group)(struct sch_exec_machine *), const struct sch_exec_program **copy);

#endif
