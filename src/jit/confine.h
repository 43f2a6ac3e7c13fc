/* What the process that compiles gives up: what it has of its host, and what it does not need for compiling. */
#ifndef SCH_JIT_CONFINE_H
#define SCH_JIT_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Descriptors but the connection's, the folder, signals, new privileges. False: that cannot be done. */
bool jit_leave_host(void);

/* Closes files off, but for those of the cache, an absolute path, or of none (NULL); a system without Landlock closes
 * none off. For this thread and those that it makes: after all libraries were loaded. NULL, or what is wrong: the
 * system has Landlock, and does not do it. */
const char *jit_close_files(const char *cache);

/* Memory beyond so many bytes of addresses, core files, system calls: of all threads. When all libraries and threads
 * are there. `worker`: the thread that may be made idle. NULL, or what is wrong. */
const char *jit_confine(uint64_t memory, pid_t worker);

/* Has a thread run only where nothing else wants to, for good. */
void jit_make_idle(pid_t worker);

#endif
