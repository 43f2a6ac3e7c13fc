/* Watching groups run: an observer is called before each instruction of the groups that it chose, and may put the
 * machine to another moment. Groups that are not chosen run as ever. Holds no session (src/api/debug.c) and no
 * condition. */
#ifndef SCH_EXEC_WATCH_H
#define SCH_EXEC_WATCH_H

#include "exec/engine.h"
#include "exec/source.h"

struct sch_run_options;

struct sch_exec_watch {
    /* A run of a program begins: its machines have been made. */
    void (*begin_run)(struct sch_exec_watch *watch, const struct sch_exec_job *job);
    /* A group is about to run its first instruction: whether it is looked at. */
    bool (*chooses)(struct sch_exec_watch *watch, struct sch_exec_machine *machine);
    /* Before each instruction of such a group. Returns the instruction that is executed: `at`, or the one of another
     * moment to which the machine was put. NULL: the run ends, the machine has failed. */
    const struct sch_prepared_instruction *(*before)(struct sch_exec_watch *watch, struct sch_exec_machine *machine,
                                                     const struct sch_prepared_instruction *at);
    /* The run is to end, by its flag among others. True: it continues, because the observer raised the flag. */
    bool (*goes_on)(struct sch_exec_watch *watch, struct sch_exec_machine *machine);
    /* It has ended, has reached a BARRIER, or has failed. */
    void (*leaves)(struct sch_exec_watch *watch, struct sch_exec_machine *machine);
    /* Groups of a work group have met at barriers: those of `machines` that wait and are not held any more. May be
     * NULL. */
    void (*met)(struct sch_exec_watch *watch, const struct sch_exec_machine *machines, uint32_t count);
};

/* A copy of a program that runs by the interpreter's handlers, or by Maxwell's where it was made for those, under the
 * watch of its job. It lives as long as the arena. False: no memory. */
bool sch_exec_watched(const struct sch_exec_program *program, struct sch_arena *arena,
                      const struct sch_exec_program **watched);

#endif
