/* One run: what is executed over which invocations, cut into units that any thread can do. A unit is a group of 32
 * consecutive invocations, or a work group of a grid with all its groups. */
#ifndef SCH_EXEC_JOB_H
#define SCH_EXEC_JOB_H

#include <stdatomic.h>

#include "exec/machine.h"

/* A channel of the state that changes linearly over a rectangle, or that is the same everywhere in it. */
struct sch_exec_planar {
    uint32_t channel;
    struct sch_group_plane plane;
};
struct sch_exec_uniform {
    uint32_t channel, word;
};

/* A rectangle as its groups are loaded and stored: in quads, row by row. */
struct sch_exec_area {
    const struct sch_rectangle *given;
    uint32_t across, down; /* quads */
    struct sch_exec_planar *planes;
    struct sch_exec_uniform *words;
    uint32_t plane_count, word_count;
    uint32_t row_count; /* planes, the first ones, that do not depend on x */
    bool tiled;         /* groups run tile by tile; each is in one row */
    bool spans;         /* engines may run spans of groups: nothing but planes and colours is around them */
    bool *given_values, *given_inputs; /* by register of SV, IN: the caller says what it is */
};

/* A system value of a grid that differs between groups. */
enum { SCH_EXEC_CHANGING = 4 };
struct sch_exec_changing {
    uint32_t semantic, channel;
};

struct sch_exec_job {
    const struct sch_exec_program *program;
    const struct sch_exec_bindings *bindings;  /* may be NULL */
    const struct sch_invocations *invocations; /* NULL: a grid */
    const struct sch_exec_area *area;          /* of a rectangle; `invocations` then has no arrays. Else NULL */
    uint32_t grid[3], block[3];
    uint32_t block_threads;
    uint32_t input_vertices; /* at least 1 */
    uint64_t units;
    uint64_t span_units; /* of a rectangle: at most in one span */
    uint64_t budget;
    uint32_t groups;                      /* of a unit */
    uint32_t machines;                    /* that a thread needs: all groups of a unit when they wait for each other */
    uint32_t shared_bytes, private_bytes; /* 0: the program has none */
    bool concurrent;                      /* threads write what others may access */
    bool quick;                           /* `changing` is all that differs between groups of a grid */
    struct sch_exec_changing changing[SCH_EXEC_CHANGING];
    uint32_t changing_count;
    struct sch_lanes *run_space;

    /* What ends the run early: exec/stop.c. */
    uint64_t work;           /* instructions of all units together; UINT64_MAX: no bound */
    uint64_t deadline;       /* as sch_clock_ns counts; 0: none */
    const uint32_t *cancel;  /* not 0: the run ends; NULL: nobody cancels it */
    atomic_ullong *progress; /* by thread: instructions, now and then; NULL: nobody has to know */

    struct sch_diagnostics *diagnostics; /* for begin_run; may be NULL */
    void *run_state;                     /* the engine's */
    atomic_uint_least64_t failed_unit;   /* the lowest that failed; UINT64_MAX: none */
};

/* exec/stop.c. CANCELLED or DEADLINE when the run is to end, else OK: for whoever works for a run before its groups
 * run, too. */
enum sch_status sch_exec_stopped(const struct sch_exec_job *job);

/* run/load.c: the registers of a group before it runs, and what is read from them after. `group` counts the groups of
 * the unit. */
void sch_exec_load_constants(struct sch_exec_job *job);
/* Once, before the first group: what has to be loaded for a group of a grid when another one ran before. */
void sch_exec_list_changing(struct sch_exec_job *job);
/* The machine has failed afterwards where the run was to end meanwhile. */
void sch_exec_load_group(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit,
                         uint32_t group);
void sch_exec_store_group(const struct sch_exec_job *job, const struct sch_exec_machine *machine);
/* Begins the first group of a span but for what changes from group to group: its planes. */
void sch_exec_load_span(const struct sch_exec_job *job, struct sch_exec_machine *machine, uint64_t unit);

/* run/rectangle.c. What is the same for all groups: of the job, in an arena; of a machine, whose state is zero. Then
 * of each group: its registers, and the lanes that are no pixels of the rectangle; and its colours. */
enum sch_status sch_exec_make_area(const struct sch_exec_program *program, const struct sch_rectangle *rectangle,
                                   struct sch_arena *arena, struct sch_exec_area *area);
void sch_exec_begin_area(const struct sch_exec_area *area, struct sch_exec_machine *machine);
uint32_t sch_exec_load_area(const struct sch_exec_area *area, struct sch_exec_machine *machine, uint64_t unit);
void sch_exec_store_area(const struct sch_exec_area *area, const struct sch_exec_machine *machine);
/* The span of groups from `unit` on and below `end`, also machine->group.first; how many groups, 0: none. */
uint64_t sch_exec_find_span(const struct sch_exec_area *area, struct sch_exec_machine *machine, uint64_t unit,
                            uint64_t end, struct sch_group_span *span);

/* exec/stages.c: a system value of the stage that the caller did not give. */
void sch_exec_load_stage_value(const struct sch_exec_machine *machine, unsigned semantic, struct sch_lanes *to);

/* One word of a constant buffer, 0 where the caller gave none. */
uint32_t sch_exec_constant_word(const struct sch_exec_bindings *bindings, int64_t buffer, int64_t index,
                                unsigned component);

#endif
