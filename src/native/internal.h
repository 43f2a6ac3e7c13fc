/* What the files of src/native share: jobs and the thread that does them, code and where it comes from, the functions
 * of texture lookups. */
#ifndef SCH_NATIVE_INTERNAL_H
#define SCH_NATIVE_INTERNAL_H

#include <pthread.h>

#include "base/log.h"
#include "base/sha256.h"
#include "exec/image.h"
#include "exec/lookup.h"
#include "exec/machine.h"
#include "native/native.h"
#include "native/object.h"
#include "native/process.h"
#include "protocol/cache.h"
#include "protocol/key.h"
#include "protocol/path.h"
#include "protocol/slots.h"

/* ---- native/worker.c ---- */

enum sch_native_job_state { SCH_JOB_NEW, SCH_JOB_QUEUED, SCH_JOB_RUNNING, SCH_JOB_DONE };

/* Which of those that are queued is done first: what a run waits for, code that takes the place of the interpreter,
 * functions of lookups, code that takes the place of other code. */
enum sch_native_job_rank { SCH_RANK_AWAITED, SCH_RANK_CODE, SCH_RANK_LOOKUP, SCH_RANK_BETTER };

/* Work that is done once, by whoever comes first. Its results are published by `run` itself. */
struct sch_native_job {
    void (*run)(struct sch_native_job *job);
    struct sch_native_job *next;       /* in the queue */
    uint8_t state, rank;               /* enum sch_native_job_state, _rank; under the lock */
    const atomic_uint_least64_t *work; /* that it is to save: of one rank, the job with most is done first; optional */
    bool useful;                       /* even if it was never queued: the next program may want what it makes */
    struct sch_native_call call;       /* its request to another process */
};

struct sch_native_worker {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a job was queued or is done, or the end is near */
    pthread_t thread;
    bool started, stopping;
    bool leaves;                    /* what is not done, to a process of its own when the context ends */
    struct sch_native_job *first;   /* of those that are queued */
    struct sch_native_job *running; /* that the thread does */
};

void sch_native_worker_init(struct sch_native_worker *worker);
/* Abandons the thread's request, and leaves those that are queued. */
void sch_native_worker_release(struct sch_native_worker *worker);

/* Has a new job done in the background; without a thread it stays undone. */
void sch_native_later(struct sch_native_worker *worker, struct sch_native_job *job, enum sch_native_job_rank rank);
/* How long a run waits for a job: called about every millisecond, by the thread that waits. */
struct sch_native_patience {
    bool (*lasts)(const void *user);
    const void *user;
};
/* Does the job here, unless it is done or somebody does it: then waits for that. With `patience`, which may be NULL, it
 * is done in the background before all others, and continues when no one waits any more. Whether it is done. */
bool sch_native_now(struct sch_native_worker *worker, struct sch_native_job *job,
                    const struct sch_native_patience *patience);
/* Whether it has been done. */
bool sch_native_is_done(struct sch_native_worker *worker, const struct sch_native_job *job);
/* Does a new job by a quick way; where that returns false the job stays new. `settle`: by a way that takes no time and
 * waits for nothing, a job that is queued, too. */
void sch_native_try(struct sch_native_worker *worker, struct sch_native_job *job,
                    bool (*quick)(struct sch_native_job *job));
void sch_native_settle(struct sch_native_worker *worker, struct sch_native_job *job,
                       bool (*instant)(struct sch_native_job *job));
/* Afterwards no one does the job or will: it may be freed. Its request to another process is abandoned, or left. */
void sch_native_never(struct sch_native_worker *worker, struct sch_native_job *job);

/* ---- native/install.c.in ---- */

/* Where all is installed, and below it, without a slash at either end, the folders of libraries, of programs, of the
 * compiler and of its program. */
extern const char sch_native_prefix[], sch_native_libdir[], sch_native_bindir[], sch_native_libraries[],
    sch_native_programs[];

/* ---- native/paths.c ---- */

/* The absolute path of something that belongs to this library: beside it, else where it is installed. Whether it is
 * there is seen when it is used. */
enum sch_native_part { SCH_NATIVE_COMPILER, SCH_NATIVE_PROCESS };
char *sch_native_find(const struct sch_allocator *allocator, enum sch_native_part part, bool *made);
/* The program that belongs to a compiler: beside it, else as above. */
char *sch_native_find_process(const struct sch_allocator *allocator, const char *compiler, bool *made);

/* ---- native/native.c ---- */

enum { SCH_NATIVE_LOOKUP_CHAINS = 256, SCH_NATIVE_LOOKUP_FUNCTIONS = 4096, SCH_NATIVE_PIECE_CHAINS = 32 };

struct sch_native {
    struct sch_allocator allocator;
    struct sch_account *account; /* of the options */
    struct sch_log_callback log;
    struct sch_native_worker worker;
    struct sch_native_cache cache;
    char *compiler_path; /* absolute */
    bool inside;         /* it is loaded into this process */
    char *process_path;  /* else the program that loads it, absolute */
    uint64_t process_memory, process_ms;
    pthread_mutex_t compiler_lock;
    bool compiler_tried; /* that is: it is loaded, or there is none */
    const struct sch_native_compiler *compiler;
    struct sch_bytes left;      /* requests; under that lock */
    char compiler_problem[512]; /* why there is none, once it was tried */
    char lost_problem[64];      /* how a process was lost */
    atomic_uint lost;           /* processes */
    atomic_bool told_lost;
    atomic_bool no_more;    /* the host lets no process start beside one that there is */
    atomic_bool told_cache; /* what is wrong with the cache */
    pthread_mutex_t lookup_lock;
    struct sch_native_lookup *lookups[SCH_NATIVE_LOOKUP_CHAINS];
    unsigned lookup_count;
    pthread_mutex_t piece_lock;
    struct sch_native_piece *pieces[SCH_NATIVE_PIECE_CHAINS];
    atomic_uint pieces_made; /* so many times */
    int perf_map;            /* file descriptor; -1: none */
    uint64_t patience;       /* of struct sch_native_options */
    atomic_uint_least64_t programs, compiled_lookups, from_cache, to_cache, refused;
    atomic_uint_least64_t native_groups, span_groups, decoded_groups;
};

/* ---- native/compiler.c ---- */

/* Whether there is a compiler, as far as it was tried: inside it is loaded now. */
bool sch_native_has_compiler(struct sch_native *native);

/* The compiler in this process, loaded when it is first wanted. */
const struct sch_native_compiler *sch_native_compiler_of(struct sch_native *native);

/* ---- native/make.c ---- */

/* Loaded code and what it cost. */
struct sch_native_result {
    enum sch_result status;
    bool lost;      /* UNSUPPORTED, as the compiler's process ended or took too long */
    bool abandoned; /* UNSUPPORTED, as no one waits for it any more */
    struct sch_native_code code;
    struct sch_native_made made;
    bool kept;                      /* the cache has it */
    struct sch_native_piece *piece; /* whose code it is; NULL: its own */
};

/* The compiler's function, on a thread with a stack that is large enough for LLVM. MEMORY: there is no such thread. */
enum sch_result sch_native_compile_program(const struct sch_native_compiler *compiler,
                                           const struct sch_native_program_request *request,
                                           struct sch_native_object *object, struct sch_native_cost *cost, char **text);

/* From another program or the cache only: false when neither has any. */
bool sch_native_take_program(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES],
                             struct sch_native_result *result);
/* A program of which code is requested: `digest` says who is to blame for a lost process. */
struct sch_native_source {
    const uint8_t *digest;
    struct sch_wire_block shader; /* sch_message_shader; of no bytes inside */
};
/* From there, else from the compiler. */
void sch_native_make_program(struct sch_native *native, const struct sch_native_program_request *request,
                             const struct sch_native_source *source, const uint8_t key[SCH_SHA256_BYTES],
                             struct sch_native_call *call, struct sch_native_result *result);
/* Whether the compiler takes a program; UNSUPPORTED: it does not, as it is too large (`*too_large`), or there is none,
 * or it was lost. */
enum sch_result sch_native_try_program(struct sch_native *native, const struct sch_native_program_request *request,
                                       const struct sch_native_source *source, bool *too_large);
/* The sign that the cache has code for spans of a program, or had: of which forms, only runs know. `note` when such
 * code was kept or read: the sign stays as young as the code. */
bool sch_native_has_spans(struct sch_native *native, const char *level, const uint8_t digest[SCH_SHA256_BYTES]);
void sch_native_note_spans(struct sch_native *native, const char *level, const struct sch_native_source *source);
bool sch_native_take_lookup(struct sch_native *native, const struct sch_native_lookup_form *form,
                            const struct sch_ops *ops, struct sch_native_result *result);
void sch_native_make_lookup(struct sch_native *native, const struct sch_native_lookup_form *form,
                            const struct sch_ops *ops, struct sch_native_call *call, struct sch_native_result *result);

/* ---- native/pieces.c ---- */

/* Code of a key, for the programs of the context that want it; lives as long as one of them. */
struct sch_native_piece {
    struct sch_native_piece *next;
    uint8_t key[SCH_SHA256_BYTES];
    unsigned users; /* under the lock, as the chain is */
    struct sch_native_result result;
};

/* The code that another program has; false: none has any. Thread-safe, as the others are. */
bool sch_native_share_piece(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES],
                            struct sch_native_result *result);
/* Lets other programs have what was made, where that is code. */
void sch_native_add_piece(struct sch_native *native, const uint8_t key[SCH_SHA256_BYTES],
                          struct sch_native_result *result);
/* The program wants its code no more; takes results without code, too. */
void sch_native_release_piece(struct sch_native *native, struct sch_native_result *result);

/* ---- native/lookups.c ---- */

/* One compiled lookup, for all programs of the context; lives as long as that. */
struct sch_native_lookup {
    struct sch_native_lookup *next;
    struct sch_native *native;
    struct sch_native_lookup_form form;
    const struct sch_ops *ops;
    struct sch_native_job job;
    _Atomic(void *) function; /* NULL: not there yet, or never */
    atomic_bool done;         /* nothing will change any more */
    atomic_bool tried_cache;  /* for runs that take what there is: once */
    struct sch_native_result result;
};

void sch_native_release_lookups(struct sch_native *native);

/* The slots of a run, in its arena, and what they want to be filled with. */
struct sch_native_wish {
    bool there; /* something is bound */
    struct sch_native_lookup_form form;
    struct sch_native_lookup *_Atomic entry; /* NULL: not wanted yet, or there is no room for it */
};
struct sch_native_slots {
    const struct sch_ops *ops;
    struct sch_group_slot *slots;
    struct sch_native_wish *wishes;
    uint32_t count;
    atomic_uint effort;   /* the most that was requested: enum sch_native_effort; 0: nothing */
    atomic_bool complete; /* all have their compiled functions, or will never */
};
enum sch_result sch_native_fill_slots(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                                      bool quads, struct sch_arena *arena, struct sch_native_slots *slots);
/* Gets the functions: those that the cache has; all of them, in the background; all, before this returns, as long as
 * `patience`, which may be NULL, lasts. Any thread of the run. */
enum sch_native_effort { SCH_EFFORT_CACHED = 1, SCH_EFFORT_LATER, SCH_EFFORT_NOW };
void sch_native_compile_slots(struct sch_native *native, struct sch_native_slots *slots, enum sch_native_effort effort,
                              const struct sch_native_patience *patience);
/* The lookups of a run as the compiler of its program may know them; `known` is zero. Whether these are all. */
bool sch_native_know_lookups(const struct sch_exec_program *program, const struct sch_native_slots *slots,
                             struct sch_native_known *known);
bool sch_native_same_known(const struct sch_native_known *a, const struct sch_native_known *b);
/* Has the functions compiled that code of spans calls whatever the texels, and adds what they cost, and what all
 * lookups were expected to. */
enum sch_result sch_native_prepare_lookups(const struct sch_exec_program *program, struct sch_native *native,
                                           const struct sch_exec_bindings *bindings, struct sch_native_made *made);
/* Takes the functions that have come since. Any thread of the run. */
void sch_native_refresh_slots(struct sch_native_slots *slots);

/* Whether one function serves both. */
bool sch_native_same_form(const struct sch_native_lookup_form *a, const struct sch_native_lookup_form *b);

/* ---- native/costs.c ---- */

/* What compiling costs, in the units of `auto` (native/program.c): a program, but for Maxwell code; code for spans more
 * than code for groups; a lookup; and all lookups of a run. */
uint64_t sch_native_weigh_program(const struct sch_prepared *program);
uint64_t sch_native_weigh_spans(const struct sch_native_span_form *form);
uint64_t sch_native_lookup_weight(const struct sch_native_lookup_form *form);
uint64_t sch_native_weigh_lookups(const struct sch_native_slots *slots);

/* ---- native/calls.c ---- */

extern const struct sch_group_runtime sch_native_functions;

/* ---- native/spans.c ---- */

struct sch_exec_spans;

/* Whether code of the program can do what is around the groups of spans. */
bool sch_native_can_span(const struct sch_exec_program *program);
/* The form of that; false: there is more than a form has room for. */
bool sch_native_make_span_form(const struct sch_exec_spans *spans, struct sch_native_span_form *form);
/* The form with the lookups that `bindings` decide. UNSUPPORTED: the program cannot, or there is no room for it. */
enum sch_result sch_native_span_form_of(const struct sch_exec_program *program, const struct sch_exec_spans *spans,
                                        const struct sch_exec_bindings *bindings, struct sch_native_span_form *form);

/* ---- native/spend.c: see struct sch_group_runtime ---- */

bool sch_native_spend(struct sch_group *group, uint32_t instruction, uint32_t alive, uint32_t owed[SCH_GROUP_LANES]);
bool sch_native_renew(struct sch_group *group);
bool sch_native_begin_work_group(struct sch_group *group);
bool sch_native_look(struct sch_group *group, uint32_t first, uint32_t count, uint32_t lanes);

/* ---- native/memory.c ---- */

/* The views of a machine's memory instructions, in the arena; NULL where there are none. */
enum sch_result sch_native_make_views(const struct sch_exec_machine *machine, struct sch_arena *arena,
                                      struct sch_group_view **views);
/* The constant buffers of a run; `constants` is zero. */
void sch_native_list_constants(const struct sch_exec_bindings *bindings,
                               struct sch_group_constants constants[SCH_GROUP_CONSTANTS]);
/* See struct sch_group_runtime. */
void sch_native_load_words(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                           uint32_t components);
void sch_native_store_words(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                            uint32_t components);
void sch_native_update_words(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                             uint32_t number);
void sch_native_update_texels(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                              uint32_t number);
void sch_native_access_any(struct sch_group *group, uint32_t number);

#endif
