/* Relocatable ELF objects in executable memory: an object comes as bytes, from the compiler or from a file that anybody
 * may have written over, and is laid out, relocated within itself and mapped. It cannot name anything outside. Whether
 * the code in it does what it should is not seen here: caches check that (protocol/cache.h). */
#ifndef SCH_NATIVE_OBJECT_H
#define SCH_NATIVE_OBJECT_H

#include <stddef.h>

#include <scheelite/types.h>

#include "base/account.h"

/* Memory that is never writable and executable at the same time. */
struct sch_native_code {
    void *memory;
    size_t bytes;
    struct sch_account *account; /* that counts them, or NULL */
    void *function;              /* the one that was asked for */
    size_t function_bytes;       /* as the symbol says; for reports */
    size_t stack_bytes;          /* that its functions take together, at most SCH_NATIVE_STACK */
};

/* Loads an object of this processor and finds a function in it. INVALID: not such an object, or damaged; UNSUPPORTED:
 * it needs what is not done here (symbols outside of itself, writable data, other relocations, another processor);
 * LIMIT: too large, or its functions take too much stack; MEMORY, also where the account (optional) refuses it. An
 * object says in the section ".stack_sizes", as LLVM and clang write it, how large the frame of each of its functions
 * is; where one is missing it is INVALID. The bytes are not needed afterwards. Thread-safe. */
enum sch_result sch_native_load(const void *bytes, size_t size, const char *function, struct sch_account *account,
                                struct sch_native_code *code);

/* Takes code that was not loaded (all zero), too. */
void sch_native_unload(struct sch_native_code *code);

#endif
