/* A debugging session inside (include/scheelite/debug.h): the run in a thread of its own, which asks at each
 * instruction (exec/watch.h) and waits while the session is stopped. Either the run's thread works or the session's
 * caller does, never both, so that only handing over needs a lock. */
#ifndef SCH_API_DEBUG_H
#define SCH_API_DEBUG_H

#include <scheelite/debug.h>

#include "api/api.h"
#include "exec/job.h"
#include "exec/watch.h"

/* What a session is about to do. FORWARD: to a stop; SEEK: to a moment; SCAN: to a moment, noting the last stop before
 * it. */
enum sch_api_debug_mode { SCH_API_DEBUG_FORWARD, SCH_API_DEBUG_SEEK, SCH_API_DEBUG_SCAN };

struct sch_api_debug_plan {
    enum sch_api_debug_mode mode;
    uint64_t until; /* SEEK, SCAN: of it */
    struct sch_debug_go go;
    uint32_t count; /* FORWARD: steps that are left */
    /* Where it was: the moment, open constructs, calls among them, the place in the source. */
    uint64_t time;
    uint32_t depth, calls;
    struct sch_position position;
};

/* Why a moment is a stop. */
struct sch_api_debug_found {
    enum sch_debug_reason reason;
    uint32_t events, breakpoint;
};

/* What the group executed last; `in` NULL: nothing yet. */
struct sch_api_debug_last {
    const struct sch_prepared_instruction *in;
    uint32_t lanes;                    /* that did */
    uint32_t depth;                    /* of open constructs before it */
    uint32_t not_finite;               /* of them: with an infinity or a NaN in a floating-point source */
    uint32_t change_count;             /* of struct sch_debug `changes` */
    uint32_t samples[SCH_GROUP_LANES]; /* of the views that a lookup read */
};

/* A register that an instruction is about to write, with what it has. */
struct sch_api_debug_change {
    uint8_t file; /* enum sch_file */
    uint8_t channels;
    uint32_t index, lanes; /* bits: that write it */
    struct sch_lanes before[4];
};
enum { SCH_API_DEBUG_CHANGES = SCH_MAX_DSTS * SCH_GROUP_LANES };

/* Moments of a group that writes nothing but its machine. If there are too many, every second one stays. */
enum { SCH_API_DEBUG_MOMENTS = 64 };
struct sch_api_debug_moment {
    uint64_t time;
    const struct sch_prepared_instruction *at;
    struct sch_exec_machine *machine; /* its copy; frames and state follow */
};
struct sch_api_debug_moments {
    struct sch_api_debug_moment moment[SCH_API_DEBUG_MOMENTS];
    uint32_t count, most;
    uint64_t stride, next;
    bool taken; /* the group is one of those */
};

/* What runs write, and what it had before them. */
struct sch_api_debug_kept {
    struct sch_resource *resource; /* NULL: memory */
    void *memory;
    uint8_t *before;
    size_t bytes;
};

struct sch_api_debug_break {
    struct sch_debug_breakpoint given;
    uint8_t *bytes; /* MEMORY, SHARED: what was there, of the group that executed last */
};

struct sch_debug {
    struct sch_exec_watch watch; /* the first member */
    struct sch_arena arena;      /* in which the session itself is: lanes are aligned */
    struct sch_context *context;
    sch_debug_run *run;
    void *user;
    struct sch_dispatch_options options;
    uint32_t stages, call, skip;
    struct sch_invocation_place place;
    struct sch_api_debug_kept *kept; /* what is put back */
    uint32_t kept_count;
    size_t kept_bytes;

    /* Handing over. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool has_thread;
    pthread_t runs_in; /* the run's thread, while `runs` */
    bool runs;
    enum { SCH_API_DEBUG_RUNS, SCH_API_DEBUG_STOPPED, SCH_API_DEBUG_ENDED } phase;
    enum sch_result result; /* ENDED */
    bool aborting;          /* the run is to end */
    uint64_t put_to;        /* the stopped group is to be put to its last moment that is not after this one... */
    bool put;               /* ...if so */
    uint32_t interrupted;   /* set by any thread; what runs look at as their `cancel` */

    /* The run. */
    uint64_t time;
    uint32_t calls, skipped;
    bool found; /* the invocation */
    struct sch_exec_at target;
    uint32_t lane;
    uint32_t found_call;
    struct sch_invocation_place found_place;
    uint64_t begin; /* the moment when its group began */
    bool begun;     /* that moment was */
    bool others;    /* other groups are looked at, too */
    const struct sch_exec_job *job;
    struct sch_exec_machine *machine; /* whose group is at its instruction; NULL: none */
    const struct sch_prepared_instruction *at;
    struct sch_api_debug_last last;
    struct sch_api_debug_change changes[SCH_API_DEBUG_CHANGES];
    struct sch_api_debug_moments moments;
    struct sch_trace_texel *texels; /* SCH_TRACE_TEXELS of each lane */

    struct sch_api_debug_plan plan;
    struct sch_api_debug_found why;     /* STOPPED */
    struct sch_api_debug_found scanned; /* SCAN: of the stop at... */
    uint64_t scanned_time;              /* ...this moment */
    bool has_scanned;

    struct sch_api_debug_break *breakpoints;
    uint32_t breakpoint_count;
    bool breaks_on_memory;
};

static inline struct sch_debug *sch_api_debug_of(struct sch_exec_watch *watch) { return (struct sch_debug *)watch; }

/* Whether the present moment is one of the invocation's group. */
static inline bool sch_api_debug_is_target(const struct sch_debug *debug)
{
    return debug->machine->at.unit == debug->target.unit && debug->machine->at.group == debug->target.group;
}

/* debug_stops.c: whether the present moment, which is another one than that of the plan, is a stop of it. */
bool sch_api_debug_stops(struct sch_debug *debug, struct sch_api_debug_found *found);
/* Whether the group at the present moment is about to end. */
bool sch_api_debug_is_end(const struct sch_debug *debug);
/* The memory of breakpoints as it is now. */
void sch_api_debug_note_memory(struct sch_debug *debug);
uint32_t sch_api_debug_calls(const struct sch_exec_machine *machine); /* open ones */

/* debug_registers.c: before an instruction: what it is about to write, and what its sources have. */
void sch_api_debug_note(struct sch_debug *debug);
/* The words of a register, channel by channel; NULL where there is none. `scratch`: of constants. */
const struct sch_lanes *sch_api_debug_register(const struct sch_debug *debug, const struct sch_debug_register *which,
                                               struct sch_lanes scratch[4]);
/* Lanes of bits `lanes` that have an infinity or a NaN. */
uint32_t sch_api_debug_not_finite(const struct sch_lanes *words, uint32_t lanes);

/* debug_moments.c: of a group that begins; of its present moment, if one is due; the last one that is not after
 * `time`, NULL: there is none; puts the machine to it, and gives the instruction. */
void sch_api_debug_begin_moments(struct sch_debug *debug);
void sch_api_debug_keep_moment(struct sch_debug *debug);
const struct sch_api_debug_moment *sch_api_debug_find_moment(const struct sch_debug *debug, uint64_t time);
const struct sch_prepared_instruction *sch_api_debug_put(struct sch_debug *debug,
                                                         const struct sch_api_debug_moment *moment);
void sch_api_debug_drop_moments(struct sch_debug *debug);

/* debug_watch.c: what the run asks; and that a call with the session begins, which is to be watched so. NULL: it is
 * not made by the session's run, refused in `list`. */
struct sch_exec_watch *sch_api_debug_begin_call(struct sch_debug *debug, struct sch_diagnostics *list);
void sch_api_debug_init_watch(struct sch_exec_watch *watch);

#endif
