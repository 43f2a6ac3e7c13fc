/* Threads: of a stated stack, and fork and join: the same work for a number of indices, on as many threads. Holds no
 * queue and no state between calls. */
#ifndef SCH_BASE_POOL_H
#define SCH_BASE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCH_POOL_THREADS = 256 }; /* at most */

/* The stack of each thread of the library, whatever the process's default is: four times of what a run needs
 * (docs/jit.md, "Stack"), as sanitizers' frames are larger. */
enum { SCH_THREAD_STACK = 1 << 20 };

/* pthread_create with a stack of so many bytes and a guard page below it; false: the system gives no thread. */
bool sch_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *argument), void *argument);

/* Calls work(user) on a thread that has a stack of so many bytes and takes no signals, and waits for it; false: there
 * is no such thread, and nothing was called. */
bool sch_thread_call(size_t stack, void (*work)(void *user), void *user);

/* Calls work(user, i) for i from 0 to count - 1, each once, and returns when all have. Index 0 runs on the calling
 * thread; where the system gives no further thread, later indices do too, one after the other. */
void sch_pool_run(unsigned count, void (*work)(void *user, unsigned index), void *user);

#endif
