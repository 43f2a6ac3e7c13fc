/* What the process that compiles gives up: what it has of its host, and what it does not need for compiling. */
#ifndef SCH_JIT_CONFINE_H
#define SCH_JIT_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Descriptors but the connection's, the folder, signals, new privileges. False: that cannot be done. */
bool jit_leave_host(void);

/* Memory beyond so many bytes of addresses, core files, system calls: of all threads. When all libraries and threads
 * are there. NULL, or what is wrong. */
const char *jit_confine(uint64_t memory);

#endif
