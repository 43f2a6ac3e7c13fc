/* The context: memory, limits, machine code, warnings and log. Every other object is made from a context, and is
 * destroyed before it.
 *
 * Example:
 *
 *     struct sch_machine_code_options code = {.size = sizeof code, .cache = "shader-cache"};
 *     struct sch_context_options options = {.size = sizeof options, .machine_code = &code};
 *     struct sch_context *context;
 *     if (sch_context_create(&options, &context) != SCH_OK) return 1;
 *     struct sch_wrong_call wrong = {.size = sizeof wrong};
 *     if (sch_diagnostics_create(context, NULL) == SCH_ERROR_ARGUMENT && sch_context_get_wrong_call(context, &wrong))
 *         printf("%s: %s\n", wrong.function, wrong.argument); // prints sch_diagnostics_create: list
 *     sch_context_destroy(context);
 */
#ifndef SCHEELITE_CONTEXT_H
#define SCHEELITE_CONTEXT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What every other object is made from. It has the memory, the limits, the machine code, the log and the threads of its
 * objects. Any number of threads may use it at once. */
struct sch_context;

/* Where machine code comes from and where it is kept. Strings are paths and are copied. A relative path is resolved
 * when the context is made. The library reads no environment variables. */
struct sch_machine_code_options {
    size_t size;

    /* The compiler, a shared object (libscheelite-jit). It is loaded when code is first compiled. NULL: the file beside
     * this library, or else where the compiler was installed. Search paths and the current folder are not used. */
    const char *compiler;

    /* A folder where compiled code is kept for later processes. It is made if its parent exists. NULL: nothing is kept.
     * Code in the folder is executed. So the folder must belong to the user of the process, no one else may be able to
     * write to it, and it must not be a link. Otherwise it is not used, and the first program that is made warns
     * (6500). Any number of processes may share the folder. Damaged files are ignored and replaced. */
    const char *cache;
    uint64_t cache_bytes; /* approximate limit on the size of all files in the folder; 0: 256 MiB */

    /* Write names of machine code for the profiler `perf` to perf-PID.map in the system's folder for temporary files.
     * Nothing is written if that name is a link or another user's file. */
    bool perf_map;

    /* The program (scheelite-jit) that loads the compiler, in processes of its own: up to four, which all contexts
     * share. The first is started when code is first compiled, or by sch_context_start_compiler. They are not children
     * of this process: they send no SIGCHLD, and wait() does not find them. Each has 3 GiB of memory, and a minute of
     * processor time for each request. If one fails, the shader that it compiled stays with the interpreter, and the
     * next program or dispatch with diagnostics warns, once for each context (6509). The engine JIT refuses the shader
     * instead (4382). NULL: the program beside the compiler, or else beside this library, or else where it was
     * installed. */
    const char *process;

    /* Load the compiler into this process instead, for hosts that may not start another one. Then nothing limits its
     * memory and time, and it ends this process if it runs out of memory. */
    bool inside;
};

/* What the words of TGSI mean. Texts of Mesa's virpipe client, as virgl servers get them, mean something else than the
 * specification says in three places: operands of 64 bits that are copied to the first two components of a temporary,
 * MAX of x and -x, and the second source of TXB2 and TXL2 with SHADOWCUBEARRAY (docs/semantics.md, "dialect"). */
enum sch_dialect {
    SCH_DIALECT_AUTO = 0, /* VIRGL if the shader shows that virpipe wrote it, which warning 1506 reports; else TGSI */
    SCH_DIALECT_TGSI = 1, /* as the specification says */
    SCH_DIALECT_VIRGL = 2 /* as virpipe means it */
};

/* What a context is made with (sch_context_create). */
struct sch_context_options {
    size_t size;
    const struct sch_allocator *memory;                  /* optional: malloc and free; copied */
    const struct sch_limit_options *limits;              /* optional: the defaults; copied */
    const struct sch_machine_code_options *machine_code; /* optional: the defaults; copied */
    const struct sch_warning_options *warnings;          /* optional: all but the pedantic ones; copied */
    const struct sch_log_callback *log;                  /* optional: no messages; copied */
    const struct sch_thread_callback *threads;           /* optional: dispatches start threads; copied */
    enum sch_dialect dialect; /* of TGSI that is read where sch_read_options.dialect is AUTO */
};

/* Makes a context. `options` is optional. Errors: ARGUMENT, MEMORY, LIMIT. Thread-safe.
 *
 * Several threads may use a context at once. A context starts threads of its own when code is compiled in the
 * background, or when a dispatch requests more than one thread and the caller has given none
 * (sch_context_options.threads). They block all signals but those of faults, sleep when they have nothing to do, and
 * end with the context. So a context cannot be used in the child after fork(); the child may make contexts of its
 * own. */
SCH_API enum sch_result sch_context_create(const struct sch_context_options *options, struct sch_context **context);

/* Destroys a context. Takes NULL. All objects of the context must have been destroyed. If the compiler is loaded into
 * this process (`inside`), this waits for code that is being compiled. */
SCH_API void sch_context_destroy(struct sch_context *context);

/* Sets a limit by the name of its member (`scheelite list limits`). `limits->size` must be set. ARGUMENT: there is no
 * such member, the value is 0, or the value is too large for the member. Thread-safe for different `limits`. */
SCH_API enum sch_result sch_limit_set(struct sch_limit_options *limits, const char *name, uint64_t value);

/* The memory of a context. Other libraries may allocate from it (sch_file_options.memory); what they allocate counts
 * against the context's limit. */
struct sch_context_memory {
    size_t size;
    struct sch_allocator memory; /* valid as long as the context */
    size_t held, limit;          /* bytes allocated now, and at most (sch_limit_options.context_memory) */
};

/* Fills in `*memory`. ARGUMENT if `size` is not set. Thread-safe. */
SCH_API enum sch_result sch_context_get_memory(const struct sch_context *context, struct sch_context_memory *memory);

/* A call that returned ARGUMENT. Strings live as long as the library, or in the struct. */
struct sch_wrong_call {
    size_t size;
    uint64_t number;      /* wrong calls of the context up to this one, of all threads */
    const char *function; /* "sch_view_create" */
    /* What was wrong, by its name in the header: a parameter ("view"), or a member of the struct that a parameter
     * points to ("options.min_lod", "state.vertex_buffers[3].memory_bytes", "options.size"). */
    char argument[96];
    char reason[192]; /* one line, without a final full stop */
};

/* Which argument was wrong: fills in `*call` with the last call of this thread, with the context or its objects, that
 * returned ARGUMENT. Calls that succeed change nothing. False if there was none, and if `size` is not set.
 *
 * The same goes to the context's log (SCH_LOG_CALL) and, where a call has a diagnostics list, to that (6300). A context
 * keeps one call for each of the last 8 threads that made a wrong one. Functions without a context, such as
 * sch_limit_set and sch_format_get_info, and calls with NULL in place of every object, report nothing;
 * sch_context_create reports to the log that it was given. Thread-safe. */
SCH_API bool sch_context_get_wrong_call(struct sch_context *context, struct sch_wrong_call *call);

/* Frees text, words or bytes that a function of this library returned as the caller's. Takes NULL. Thread-safe. */
SCH_API void sch_free(struct sch_context *context, void *memory);

#ifdef __cplusplus
}
#endif
#endif
