/* Results, memory, limits and version: what every other header of Scheelite uses.
 *
 * Scheelite keeps no global state: everything belongs to a struct sch_context. Structs with a `size` member are set up
 * as `struct sch_x x = {.size = sizeof x}`; a member that is zero means its default. A library newer than the program
 * reads only the members that the program knew; a program newer than the library must leave what the library does not
 * know zero. Any other size (0, say) is SCH_ERROR_ARGUMENT. Of arrays whose elements may grow the caller says the
 * stride, the bytes from one element to the next (sizeof *elements), under the same rules. A struct that says neither
 * is closed: it never gets another member. Any pointer that a function documents as optional may be NULL. */
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
#define SCH_VERSION_MINOR 1
#define SCH_VERSION_PATCH 0

/* "0.1.0": the version of the library that runs, which may be newer than this header's. */
SCH_API const char *sch_version(void);

/* A short English name: "ok", "invalid input". Never NULL. Thread-safe. */
SCH_API const char *sch_result_text(enum sch_result result);

/* Ceilings on what one input may ask for; zero members keep their default. */
struct sch_limit_options {
    size_t size;
    size_t source_bytes;   /* bytes of one shader's source (default 256 MiB) */
    uint32_t instructions; /* of one shader, or of one section of a Maxwell program (default 262144) */
    uint32_t declarations; /* of one shader; immediates and properties are counted separately (default 65536) */
    uint32_t nesting;      /* control-flow depth, calls included (default 1024) */
    uint32_t registers;    /* of one register file (default 65536) */
    uint32_t diagnostics;  /* kept in one list; later ones are only counted (default 100) */
    size_t memory;         /* bytes of one shader, program or resource, and of one run (default 1 GiB) */

    /* Bytes of all that a context holds at once: shaders, programs and what their runs take, machine code, resources,
     * lists, texts that it gave out, pictures that are read into its memory (sch_context_get_memory). What would go
     * beyond is SCH_ERROR_LIMIT (5010). Default 2 GiB: two of the largest things that `memory` allows. Not counted are
     * the compiler's own memory, which is another process's, and stacks of threads. */
    size_t context_memory;
};

#ifdef __cplusplus
}
#endif
#endif
