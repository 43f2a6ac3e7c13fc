/* Fork and join: the same work for a number of indices, on as many threads. Holds no queue and no state between calls.
 */
#ifndef SCH_BASE_POOL_H
#define SCH_BASE_POOL_H

enum { SCH_POOL_THREADS = 256 }; /* at most */

/* Calls work(user, i) for i from 0 to count - 1, each once, and returns when all have. Index 0 runs on the calling
 * thread; where the system gives no further thread, later indices do too, one after the other. */
void sch_pool_run(unsigned count, void (*work)(void *user, unsigned index), void *user);

#endif
