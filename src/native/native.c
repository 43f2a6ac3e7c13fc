/* The state that programs of a context share, and what it counts. */
#include "native/internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* perf reads it from the system's folder for temporary files, where anybody may have put something of that name: only a
 * file of the user's own, under one name, that no one else may write to is taken. */
static int open_perf_map(const struct sch_native_options *options)
{
    char path[64];
    struct stat status;
    if (!options->perf_map) return -1;
    snprintf(path, sizeof path, "%s/perf-%ld.map", P_tmpdir, (long)getpid());
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600);
    if (file < 0) return -1;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1 && sch_native_is_own(&status))
        return file;
    close(file);
    return -1;
}

/* All that was allocated. */
static void release_parts(struct sch_native *native)
{
    struct sch_allocator allocator = native->allocator;
    sch_native_cache_release(&native->cache, &allocator);
    sch_bytes_release(&native->left);
    if (native->process_path) allocator.free(allocator.user, native->process_path);
    if (native->compiler_path) allocator.free(allocator.user, native->compiler_path);
    allocator.free(allocator.user, native);
}

/* Milliseconds are multiplied and added to: more than 49 days is as good as forever. */
static const uint64_t default_memory = (uint64_t)3 << 30, default_ms = 60000, longest_ms = UINT32_MAX;

/* Objects of other processors are not loaded (native/object.c), so no compiler of the system's is looked for. One that
 * was named is asked: tests have what they name. */
static void note_processor(struct sch_native *native, const struct sch_native_options *options)
{
#if !defined(__x86_64__) && !defined(__aarch64__)
    if (options->compiler || options->process) return;
    native->compiler_tried = true;
    snprintf(native->compiler_problem, sizeof native->compiler_problem,
             "machine code is made for x86-64 and 64-bit ARM only; here the interpreter runs everything, with the same "
             "results");
#else
    (void)native;
    (void)options;
#endif
}

enum sch_result sch_native_create(const struct sch_allocator *allocator, const struct sch_native_options *options,
                                  struct sch_native **native)
{
    static const struct sch_native_options none = {0};
    *native = NULL;
    if (!options) options = &none;
    struct sch_native *made = allocator->alloc(allocator->user, sizeof *made);
    if (!made) return SCH_ERROR_MEMORY;
    *made = (struct sch_native){.allocator = *allocator,
                                .account = options->account,
                                .log = options->log,
                                .compiler_lock = PTHREAD_MUTEX_INITIALIZER,
                                .lookup_lock = PTHREAD_MUTEX_INITIALIZER,
                                .piece_lock = PTHREAD_MUTEX_INITIALIZER};
    made->left.allocator = &made->allocator;
    bool whole = true;
    made->compiler_path = options->compiler ? sch_native_absolute(allocator, options->compiler, &whole)
                                            : sch_native_find(allocator, SCH_NATIVE_COMPILER, &whole);
    made->inside = options->inside;
    made->process_memory = options->process_memory ? options->process_memory : default_memory;
    made->process_ms = options->process_ms ? options->process_ms : default_ms;
    if (made->process_ms > longest_ms) made->process_ms = longest_ms;
    if (!made->inside)
        made->process_path = options->process ? sch_native_absolute(allocator, options->process, &whole)
                                              : sch_native_find_process(allocator, made->compiler_path, &whole);
    if (!sch_native_cache_init(&made->cache, allocator, options->cache, options->cache_bytes, &options->log) ||
        !whole) {
        release_parts(made);
        return SCH_ERROR_MEMORY;
    }
    note_processor(made, options);
    sch_native_worker_init(&made->worker);
    made->perf_map = open_perf_map(options);
    made->patience = options->patience;
    if (!made->inside) sch_native_join_processes();
    *native = made;
    return SCH_OK;
}

void sch_native_destroy(struct sch_native *native)
{
    if (!native) return;
    sch_native_worker_release(&native->worker);
    sch_native_release_lookups(native);
    if (native->perf_map >= 0) close(native->perf_map);
    sch_native_hand_over(native);
    if (!native->inside) sch_native_leave_processes();
    release_parts(native);
}

struct sch_code_counts sch_native_counted(struct sch_native *native)
{
    return (struct sch_code_counts){.programs = atomic_load(&native->programs),
                                    .lookups = atomic_load(&native->compiled_lookups),
                                    .from_cache = atomic_load(&native->from_cache),
                                    .to_cache = atomic_load(&native->to_cache),
                                    .refused = atomic_load(&native->refused),
                                    .native_groups = atomic_load(&native->native_groups),
                                    .span_groups = atomic_load(&native->span_groups),
                                    .decoded_groups = atomic_load(&native->decoded_groups)};
}
