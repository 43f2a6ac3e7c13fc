/* One run: what is executed over which invocations, cut into units that any thread can do. A unit is a group of 32
 * consecutive invocations, or a work group of a grid with all its groups. */
#ifndef SCH_EXEC_JOB_H
#define SCH_EXEC_JOB_H

#include <stdatomic.h>

#include "exec/machine.h"

struct sch_exec_job {
    const struct sch_exec_program *program;
    const struct sch_exec_bindings *bindings;       /* may be NULL */
    const struct sch_exec_invocations *invocations; /* NULL: a grid */
    uint32_t grid[3], block[3];
    uint32_t block_threads;
    uint32_t input_vertices; /* at least 1 */
    uint64_t units;
    uint64_t budget;
    uint32_t groups;                      /* of a unit */
    uint32_t machines;                    /* that a thread needs: all groups of a unit when they wait for each other */
    uint32_t shared_bytes, private_bytes; /* 0: the program has none */
    bool concurrent;                      /* threads write what others may access */
    struct sch_lanes *run_space;
    void *run_state;                   /* the engine's */
    atomic_uint_least64_t failed_unit; /* the lowest that failed; UINT64_MAX: none */
};

/* exec/load.c: the registers of a group before it runs, and what is read from them after. `group` counts the groups of
 * the unit. */
void sch_exec_load_constants(struct sch_exec_job *job);
void sch_exec_load_group(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit,
                         uint32_t group);
void sch_exec_store_group(const struct sch_exec_job *job, const struct sch_exec_machine *machine);

/* exec/stages.c: a system value of the stage that the caller did not give. */
void sch_exec_load_stage_value(const struct sch_exec_machine *machine, unsigned semantic, struct sch_lanes *to);

/* One word of a constant buffer, 0 where the caller gave none. */
uint32_t sch_exec_constant_word(const struct sch_exec_bindings *bindings, int64_t buffer, int64_t index,
                                unsigned component);

#endif
