/* Running programs: over invocations, a grid of work groups, the pixels of a rectangle. What a run is given, and what
 * it reports. Holds no scheduling and nothing of what groups are. */
#ifndef SCH_RUN_RUN_H
#define SCH_RUN_RUN_H

#include <scheelite/dispatch.h>

#include "exec/exec.h"

struct sch_dispatch_progress;
struct sch_exec_source;
struct sch_exec_spans;
struct sch_exec_watch;
struct sch_pool;

struct sch_run_options {
    struct sch_pool *pool; /* whose threads run; NULL: the calling thread alone */
    uint32_t threads;
    uint64_t budget;
    bool unordered;
    uint32_t shared_bytes, private_bytes;   /* of a work group, of an invocation; 0: the defaults */
    struct sch_diagnostics *diagnostics;    /* optional: receives what UNSUPPORTED is about */
    uint64_t work;                          /* as in struct sch_dispatch_options; 0: no bound */
    bool no_work;                           /* of a bound that several runs share nothing is left */
    uint64_t deadline;                      /* as sch_clock_ns counts; 0: none */
    const uint32_t *cancel;                 /* may be NULL */
    const uint32_t *interrupt;              /* likewise; of a session */
    uint64_t first_group, group_count;      /* of a grid; 0: all from the first one on */
    struct sch_dispatch_progress *progress; /* may be NULL */
    struct sch_exec_watch *watch;           /* the observer (exec/watch.h), on one thread; NULL: none */
    const struct sch_heat *heat;            /* what pixels are counted in; NULL: none */
    uint32_t checks;                        /* that the caller of a grid makes the observer for */
    struct sch_arena *arena;                /* whose memory runs take one after the other; NULL: each has its own */
};

static inline bool sch_run_is_cancelled(const struct sch_run_options *options)
{
    return (options->cancel && __atomic_load_n(options->cancel, __ATOMIC_RELAXED)) ||
           (options->interrupt && __atomic_load_n(options->interrupt, __ATOMIC_RELAXED));
}

struct sch_run_report {
    uint32_t invocation, instruction;
    struct sch_position position;
    uint64_t instructions;
    uint32_t findings; /* of checks (run/checks.h), which the caller made */
};

/* Runs the groups of any source of work (exec/source.h), which lives until this returns. BUDGET, BARRIER, ABORTED,
 * WORK, DEADLINE and CANCELLED: the report says where. `bindings`, `options` and `report` may be NULL. */
enum sch_result sch_run(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                        struct sch_exec_source *source, const struct sch_run_options *options,
                        struct sch_run_report *report);

/* The sources of work that there are, each in a file of its own. */
enum sch_result sch_run_invocations(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                    const struct sch_invocations *invocations, const struct sch_run_options *options,
                                    struct sch_run_report *report);

enum sch_result sch_run_grid(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                             const uint32_t grid[3], const uint32_t block[3], const struct sch_run_options *options,
                             struct sch_run_report *report);

/* A fragment program over the pixels of a rectangle; the report's invocations count in quads, row by row. */
enum sch_result sch_run_rectangle(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                  const struct sch_rectangle *rectangle, const struct sch_run_options *options,
                                  struct sch_run_report *report);
/* What is around the groups of a rectangle's spans, in the arena; NULL: it has none. */
enum sch_result sch_run_rectangle_spans(const struct sch_exec_program *program, const struct sch_rectangle *rectangle,
                                        struct sch_arena *arena, const struct sch_exec_spans **spans);

#endif
