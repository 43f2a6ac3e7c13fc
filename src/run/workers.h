/* One run, as the files of src/run that schedule it see it: its workers, each a thread's, with the machines that groups
 * run on. */
#ifndef SCH_RUN_WORKERS_H
#define SCH_RUN_WORKERS_H

#include <limits.h>

#include "exec/engine.h"
#include "exec/job.h"
#include "run/run.h"

/* Where a part was when a unit began: from there it can run again. */
struct sch_run_mark {
    uint64_t unit, executed;
};
enum { SCH_RUN_MARKS = 32 };
struct sch_run_marks {
    struct sch_run_mark mark[SCH_RUN_MARKS];
    uint32_t count;
    uint64_t next, stride; /* instructions */
};

struct sch_run_worker {
    /* What comes before it in memory is another worker's, and written for each group. */
    alignas(64) struct sch_exec_machine *machines; /* run->machines */
    struct sch_exec_machine *last;                 /* the one that counted last */
    uint8_t *shared;                               /* MEMORY, SHARED of the present unit; NULL: none */
    struct sch_texel_tiles tiles;                  /* where run->tiled */
    uint64_t end;                                  /* units: of its part */
    struct sch_exec_at failed_at;
    const struct sch_exec_machine *failed; /* NULL: none */
};

/* The parts of a worker that are taken, by itself or by others that have none left. */
struct sch_run_share {
    alignas(64) atomic_uint taken;
};

/* What came of a part that was run. */
struct sch_run_part {
    uint64_t executed;                   /* instructions */
    uint64_t first;                      /* of its last group, as struct sch_group has it */
    const struct sch_run_worker *failed; /* that failed in it; NULL: none */
};

struct sch_run {
    struct sch_exec_job job;
    uint32_t machines;                    /* of a worker: all groups of a unit when they wait for each other */
    uint32_t shared_bytes, private_bytes; /* 0: the program has none */
    uint64_t span_groups;                 /* at most in one span */
    bool spans;                           /* the source has some, and the engine runs them */
    bool tiled;                           /* a view has texels in compressed blocks: workers keep decoded tiles */
    struct sch_run_worker **workers;
    unsigned count;
    struct { /* of a run with one worker, which takes no memory for them */
        struct sch_run_worker *workers[1], worker;
        struct sch_run_share share;
        struct sch_run_part part;
    } one;

    /* run/schedule.c: units in parts, a row of parts for each worker. */
    struct sch_run_share *shares;
    struct sch_run_part *parts;
    struct sch_run_marks *marks;            /* of the parts; NULL: none are made */
    unsigned parts_each, part_count;        /* of a share; of all */
    uint64_t grain;                         /* units that stay together, but for the last ones */
    struct sch_dispatch_progress *progress; /* NULL if not wanted */
    atomic_uint failed_part;                /* the lowest that failed; UINT_MAX: none */
};

/* run/memory.c. How much the program's own kinds of memory have, and how many machines a worker needs; false: more than
 * there may be. */
bool sch_run_size_memory(struct sch_run *run, const struct sch_run_options *options);
/* Makes the workers and what they share. Engines that have begun are to be ended, also after a failure. */
enum sch_result sch_run_begin(struct sch_run *run, const struct sch_run_options *options, struct sch_arena *arena);
void sch_run_end(const struct sch_run *run);

/* run/groups.c. Runs the next groups of a worker from `*at` on, and below its end: a unit, or a span. Where they fail
 * the worker has failed; else `*at` is after them. */
void sch_run_groups(const struct sch_run *run, struct sch_run_worker *worker, struct sch_exec_at *at);
/* The worker has failed in a group. Returns false. */
bool sch_run_fail(struct sch_run_worker *worker, struct sch_exec_at at, const struct sch_exec_machine *machine);

/* run/schedule.c. Deals the units to the workers, whose number is known; false: no memory. */
bool sch_run_deal(struct sch_run *run, struct sch_arena *arena);
/* Runs all units, as much as is to be run of them. */
void sch_run_schedule(struct sch_run *run, struct sch_pool *pool);

/* run/report.c */
enum sch_result sch_run_write_report(const struct sch_run *run, struct sch_run_report *report);
/* The run was to end before it began, or did not begin. */
void sch_run_report_begin(const struct sch_exec_program *program, enum sch_result status,
                          struct sch_run_report *report);

#endif
