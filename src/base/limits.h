/* How much an input from outside may ask for. Decoders check every count against these before they use it. */
#ifndef SCH_BASE_LIMITS_H
#define SCH_BASE_LIMITS_H

#include <stddef.h>
#include <stdint.h>

struct sch_limits {
    size_t source_bytes;   /* bytes of one input */
    uint32_t instructions; /* in one shader */
    uint32_t declarations; /* in one shader; immediates and properties are counted each by itself too */
    uint32_t nesting;      /* control-flow depth */
    uint32_t registers;    /* of one file, and vertices times registers of a two-dimensional one */
    uint32_t diagnostics;  /* kept in one list */
    size_t memory;         /* bytes of one shader or program */
};

#define SCH_LIMITS_DEFAULT                                                                                             \
    ((struct sch_limits){.source_bytes = (size_t)256 << 20,                                                            \
                         .instructions = 1u << 18,                                                                     \
                         .declarations = 1u << 16,                                                                     \
                         .nesting = 1024,                                                                              \
                         .registers = 1u << 16,                                                                        \
                         .diagnostics = 100,                                                                           \
                         .memory = (size_t)1 << 30})

#endif
