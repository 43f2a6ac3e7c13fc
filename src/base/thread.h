/* Threads of a stated stack. Holds no queue: base/pool.h. */
#ifndef SCH_BASE_THREAD_H
#define SCH_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* The stack of each thread of the library, whatever the process's default is: four times of what a run needs
 * (docs/jit.md, "Stack"), as sanitizers' frames are larger. */
enum { SCH_THREAD_STACK = 1 << 20 };

/* pthread_create with a stack of so many bytes and a guard page below it, of a thread that takes no signals but those
 * of its own faults: the others are the business of the caller's threads. False: the system gives no thread. */
bool sch_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *argument), void *argument);

/* Calls work(user) on such a thread and waits for it; false: there is none, and nothing was called. */
bool sch_thread_call(size_t stack, void (*work)(void *user), void *user);

#endif
