/* The bitcode archive of a level of src/ops, embedded in the shared object: one small LLVM module per operation, so
 * that code parses and links only what it names, and one with the functions of texture lookups. Made by
 * jit/archive_make.c, of this build: it is trusted. */
#ifndef SCH_JIT_ARCHIVE_H
#define SCH_JIT_ARCHIVE_H

#include <stdint.h>

/* Functions by value: JIT_VALUE_PREFIX and the operation's name; operands as jit/shapes.h has them. */
#define JIT_VALUE_PREFIX "sch_value_"

/* The entry with all functions of texture lookups (jit/lookup_bodies.c). */
#define JIT_LOOKUP_BITCODE "lookups"

/* The file: a header, entries sorted by name, modules at multiples of 8 bytes. */
struct jit_archive_entry {
    char name[48];
    uint64_t offset, size; /* bytes, from the header */
    uint64_t instructions; /* of LLVM's */
    uint64_t folded;       /* how many of those are left without rules */
};
struct jit_archive_header {
    uint64_t lanes; /* of a vector */
    uint64_t count; /* of entries */
};

/* The archive of the level called `name`, or NULL. */
const struct jit_archive_header *jit_archive_find(const char *name);

/* An entry of an archive, or NULL. */
const struct jit_archive_entry *jit_archive_entry(const struct jit_archive_header *archive, const char *name);

#endif
