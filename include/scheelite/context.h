/* The context: allocator and limits. Every other object is made from one and must be destroyed before it. */
#ifndef SCHEELITE_CONTEXT_H
#define SCHEELITE_CONTEXT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sch_context;

/* Where machine code comes from and is kept. Strings are paths, copied; the library itself looks at no environment. */
struct sch_machine_code_options {
    size_t size;

    /* The compiler, a shared object of its own (libscheelite-jit). NULL: the one beside the file that this library is
     * mapped from, else the one where it is installed; never what a search path or the folder of the process has. It
     * is loaded when code is first wanted. Like the folder below it is where a
     * relative path leads when the context is made, wherever the process goes later. */
    const char *compiler;

    /* A folder where compiled code is kept for later processes; made when only it itself is missing. NULL: nothing is
     * kept. What stands there is executed: the folder must belong to the process's user, be writable by nobody else and
     * be no link, or it is not used, of which the first program that is made warns (6500). Any number of processes may
     * share it; damaged files are ignored and replaced. */
    const char *cache;
    uint64_t cache_bytes; /* about what the folder's files may have together; 0: 256 MiB */

    /* Name code for the profiler `perf`, in perf-PID.map in the system's folder for temporary files; not where
     * something else has that name, a link or a file of somebody else. */
    bool perf_map;

    /* The program that loads the compiler (scheelite-jit), in a process of its own: one for all contexts, started when
     * code is first wanted, and no child of this process: no SIGCHLD comes of it, and no wait() finds it. It may have 3
     * GiB of memory and a minute of processor time for one answer; where it is lost, what it was about is interpreted,
     * of which the next program or run with diagnostics warns once a context (6509), or refused by the engine `jit`
     * (4382). NULL: the program beside the compiler, else beside this library, else where it is installed. */
    const char *process;

    /* Load the compiler into this process instead, for hosts that may not start another. Then nothing bounds what it
     * takes, and it ends this process when memory is out. */
    bool inside;
};

struct sch_context_options {
    size_t size;
    const struct sch_allocator *memory;                  /* optional: malloc and free; copied */
    const struct sch_limit_options *limits;              /* optional: the defaults; copied */
    const struct sch_machine_code_options *machine_code; /* optional: the defaults; copied */
    const struct sch_warning_options *warnings;          /* optional: all but the pedantic ones; copied */
    const struct sch_log_callback *log;                  /* optional: nothing is told; copied */
};

/* Makes a context. `options` is optional. On failure `*context` is NULL: SCH_ERROR_ARGUMENT or SCH_ERROR_MEMORY. A
 * context may be used by several threads at once; the objects made from it say their own rules. It has threads of
 * its own once code is compiled in the background or a dispatch asks for several: they take no signals, sleep when they
 * have nothing to do, and end with the context. So it does not survive fork(); the child may make contexts of its
 * own. */
SCH_API enum sch_result sch_context_create(const struct sch_context_options *options, struct sch_context **context);

/* Takes NULL. All objects of the context must have been destroyed. Waits for code that is being compiled only with
 * `inside`. */
SCH_API void sch_context_destroy(struct sch_context *context);

/* Sets a limit by the name of its member (`scheelite list limits`). `limits->size` is set. ARGUMENT: there is no such
 * name, the value is 0, or the member does not hold it. */
SCH_API enum sch_result sch_limit_set(struct sch_limit_options *limits, const char *name, uint64_t value);

/* The memory of a context: for readers of other libraries (sch_file_options.memory), which then keep to its ceiling. */
struct sch_context_memory {
    size_t size;
    struct sch_allocator memory; /* valid as long as the context */
    size_t held, limit;          /* bytes now, and at most (sch_limit_options.context_memory) */
};

/* Fills in `*memory`. ARGUMENT for a `size` that is not set. Thread-safe. */
SCH_API enum sch_result sch_context_get_memory(const struct sch_context *context, struct sch_context_memory *memory);

/* Gives back text or words that a function of this library handed out as "the caller's". Takes NULL. */
SCH_API void sch_free(struct sch_context *context, void *memory);

#ifdef __cplusplus
}
#endif
#endif
