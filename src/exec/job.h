/* One run as its groups and engines see it: the program, what is bound, where work comes from, and what ends the run
 * before its end. Which thread does what is not seen here: src/run. */
#ifndef SCH_EXEC_JOB_H
#define SCH_EXEC_JOB_H

#include <stdatomic.h>

#include "exec/machine.h"
#include "exec/source.h"

struct sch_exec_job {
    const struct sch_exec_program *program;
    const struct sch_exec_bindings *bindings; /* may be NULL */
    const struct sch_exec_source *source;
    struct sch_lanes *run_space;
    uint64_t budget;
    bool concurrent; /* threads write what others may access */

    /* What ends the run early: exec/stop.c. */
    uint64_t work;             /* instructions of all units together; UINT64_MAX: no bound */
    uint64_t deadline;         /* as sch_clock_ns counts; 0: none */
    const uint32_t *cancel;    /* not 0: the run ends; NULL: cannot be cancelled */
    const uint32_t *interrupt; /* likewise, of a session, which may have it continue */
    atomic_ullong *progress;   /* by part of the units: instructions, now and then; NULL if not wanted */

    struct sch_exec_watch *watch; /* exec/watch.h; NULL: no observer */

    struct sch_diagnostics *diagnostics; /* for begin_run; may be NULL */
    void *run_state;                     /* the engine's */
};

/* exec/stop.c. CANCELLED or DEADLINE when the run is to end, else OK: for whoever works for a run before its groups
 * run, too. */
enum sch_result sch_exec_stopped(const struct sch_exec_job *job);

/* One word of a constant buffer, 0 where the caller gave none. */
uint32_t sch_exec_constant_word(const struct sch_exec_bindings *bindings, int64_t buffer, int64_t index,
                                unsigned component);
/* All words of one register likewise. */
void sch_exec_constant_words(const struct sch_exec_bindings *bindings, uint32_t buffer, uint32_t index,
                             uint32_t word[4]);

#endif
