/* Results, limits and version: what every other header of Scheelite uses.
 *
 * Example:
 *
 *     struct sch_limit_options limits = {.size = sizeof limits, .instructions = 1000, .memory = 16 << 20};
 *     struct sch_context_options options = {.size = sizeof options, .limits = &limits};
 *     struct sch_context *context;
 *     enum sch_result result = sch_context_create(&options, &context);
 *     if (result != SCH_OK) {
 *         fprintf(stderr, "Scheelite %s: %s\n", sch_version(), sch_result_text(result));
 *         return 1;
 *     }
 *     sch_context_destroy(context);
 *
 * Conventions of all headers:
 *
 * State. Every object belongs to a struct sch_context. Contexts share nothing except the processes that compile machine
 * code (struct sch_machine_code_options).
 *
 * Threads. Several threads may use a context at once. Any number of threads may use an immutable object; the
 * documentation of other objects says how threads may share them. "Thread-safe" functions may be called by several
 * threads at once, also for the same object. No call may use an object while another one destroys it.
 *
 * Structs with a `size` member are set up as `struct sch_x x = {.size = sizeof x}`. A member that is zero means its
 * default. The library reads and writes only the members that fit in `size`, so programs may be older than the library.
 * A program that is newer than the library must leave members zero that the library does not know; otherwise the call
 * returns SCH_ERROR_ARGUMENT. So do wrong sizes, such as 0.
 *
 * Arrays whose elements may grow have a stride, the number of bytes from one element to the next. The caller passes
 * sizeof *elements, and the rules of `size` hold. A struct without size and stride is marked "Closed": it never gets
 * another member.
 *
 * Pointers may be NULL only where the documentation says "optional" or "takes NULL".
 *
 * Errors are named without SCH_ERROR_: "INVALID" is SCH_ERROR_INVALID. When a function that makes an object fails, it
 * sets the pointer to the object to NULL.
 *
 * Memory that a function returns as "the caller's" is freed with sch_free, before the context is destroyed. */
#ifndef SCHEELITE_BASE_H
#define SCHEELITE_BASE_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SCH_API __attribute__((visibility("default")))
#else
#define SCH_API
#endif

#define SCH_VERSION_MAJOR 0
#define SCH_VERSION_MINOR 2
#define SCH_VERSION_PATCH 0

/* The version of the library that runs, such as "0.2.0". It may be newer than this header. Thread-safe. */
SCH_API const char *sch_version(void);

/* A short English name of a result, such as "ok" or "invalid input"; "unknown result" for other numbers. A constant
 * string, never NULL. Thread-safe. */
SCH_API const char *sch_result_text(enum sch_result result);

/* Limits on one input. 0 means the default. `scheelite list limits` prints them. */
struct sch_limit_options {
    size_t size;
    size_t source_bytes;   /* bytes of one input (default 256 MiB) */
    uint32_t instructions; /* of one shader, or of one section of a Maxwell program (default 262144) */
    uint32_t declarations; /* of one shader; immediates and properties have the same limit each (default 65536) */
    uint32_t nesting;      /* depth of control flow, calls included (default 1024) */
    uint32_t registers;    /* of one register file; with two dimensions, vertices times registers (default 65536) */
    uint32_t diagnostics;  /* kept in one list; later ones are only counted (default 100) */
    size_t memory;         /* bytes of one shader, program or resource, and of one dispatch (default 1 GiB) */

    /* Bytes of everything that a context holds at once: shaders, programs, what their dispatches need, machine code,
     * resources, lists, texts that the caller has not freed, and pictures that were read into the context's memory
     * (sch_context_get_memory). An allocation beyond the limit fails with LIMIT (diagnostic 5010). Default 2 GiB: two
     * of the largest objects that `memory` allows. Stacks of threads are not counted, nor is the memory of the
     * compiler, which is a process of its own. */
    size_t context_memory;
};

#ifdef __cplusplus
}
#endif
#endif
