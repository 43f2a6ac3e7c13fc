/* A standing pool of threads: the same work for a number of indices, on as many threads as there are to be had. Its own
 * start when work first wants them and wait for more until the pool ends: some microseconds awake, then asleep. Holds
 * nothing of what the work is. */
#ifndef SCH_BASE_POOL_H
#define SCH_BASE_POOL_H

#include <stdatomic.h>

#include <scheelite/types.h>

#include "base/arena.h"

enum { SCH_POOL_THREADS = 256 }; /* that work together, the caller's among them */

struct sch_pool;

/* Starts no thread, and never does where the caller has some (`threads`; may be NULL, its function too). NULL: no
 * memory. */
struct sch_pool *sch_pool_create(const struct sch_allocator *allocator, const struct sch_thread_callback *threads);

/* No one may run work on it any more. Takes NULL. In a process that was forked it only frees memory: the threads are
 * the other's. */
void sch_pool_destroy(struct sch_pool *pool);

/* Calls work(user, i) for i from 0 to count - 1, each once, and returns when all have. Index 0 runs on the calling
 * thread, and so does every other one that no thread of the pool has taken by then: work waits for no thread that does
 * not come, be it for want of one, or in a process that was forked. The caller's threads may do it in any order. Any
 * number of threads may run work at once. Without a pool (NULL) the calling thread does it all. */
void sch_pool_run(struct sch_pool *pool, unsigned count, void (*work)(void *user, unsigned index), void *user);

/* Work that threads of the pool do while its caller does something else. Begun and ended by the same thread; stays
 * where it is between. */
struct sch_pool_task {
    void (*work)(void *user, unsigned index);
    void *user;
    unsigned next, count; /* indices from `next` on have not been taken yet */
    atomic_uint running;  /* indices that threads of the pool have taken and not ended */
    atomic_int processor; /* of the thread that took one last */
    bool waited_for;      /* the caller sleeps until `running` is 0 */
    struct sch_pool_task *following;
};

/* Begins what sch_pool_run does, on other threads. */
void sch_pool_begin(struct sch_pool *pool, struct sch_pool_task *task, unsigned count,
                    void (*work)(void *user, unsigned index), void *user);
/* Does what no thread has begun, and waits for those that have. */
void sch_pool_end(struct sch_pool *pool, struct sch_pool_task *task);

/* The same for more indices than threads: no more than `threads` of them work at once. Each takes the next index when
 * it has done one. */
void sch_pool_share(struct sch_pool *pool, unsigned threads, unsigned count, void (*work)(void *user, unsigned index),
                    void *user);

#endif
