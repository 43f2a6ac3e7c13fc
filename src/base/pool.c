/* The pool: a row of what is to be done, from which its threads and the callers take indices. */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/thread.h"

/* A thread that looks for work again and again is there at once, but takes a processor from others: so long, in
 * nanoseconds, and so often between two looks at the clock. */
enum { AWAKE = 30000, LOOKS = 32 };

struct sch_pool {
    struct sch_allocator allocator;
    struct sch_thread_callback callers; /* threads; no function: the pool has its own */
    pthread_mutex_t lock;
    pthread_cond_t needed, ended; /* a thread is; a task that is waited for has */
    struct sch_pool_task *first;  /* with indices that have not been taken */
    atomic_uint untaken;          /* tasks in the row: what threads look at without the lock */
    atomic_bool stopping;
    atomic_int processor;              /* of the last caller */
    unsigned threads, looking, asleep; /* there are; awake without work; in `needed` */
    pid_t process;                     /* whose threads they are */
    bool alone;                        /* one processor: to stay awake only keeps others from theirs */
    pthread_t thread[SCH_POOL_THREADS];
};

/* ---- staying awake ---- */

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static bool has_news(const struct sch_pool *pool)
{
    return atomic_load_explicit(&pool->untaken, memory_order_relaxed) ||
           atomic_load_explicit(&pool->stopping, memory_order_relaxed);
}

static bool has_ended(const struct sch_pool_task *task)
{
    return !atomic_load_explicit(&task->running, memory_order_acquire);
}

/* A thread that spins on the other one's processor keeps it from the work that is awaited. */
static bool is_here(const atomic_int *processor)
{
    return atomic_load_explicit(processor, memory_order_relaxed) == sched_getcpu();
}

/* Moves the calling thread to another processor that it may use; false: there is none. Where no processor is idle, the
 * system leaves a thread with the one that woke it, and finds out late that others have less to do. */
static bool leave_processor(void)
{
    cpu_set_t allowed, others;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
    others = allowed;
    CPU_CLR(sched_getcpu(), &others);
    if (!CPU_COUNT(&others) || sched_setaffinity(0, sizeof others, &others) != 0) return false;
    return sched_setaffinity(0, sizeof allowed, &allowed) == 0;
}

static void look_for_news(const struct sch_pool *pool)
{
    if (pool->alone) return;
    if (is_here(&pool->processor) && !leave_processor()) return;
    for (uint64_t end = sch_clock_ns() + AWAKE; sch_clock_ns() < end && !is_here(&pool->processor);)
        for (unsigned i = 0; i < LOOKS; i++, pause_briefly())
            if (has_news(pool)) return;
}

static void look_for_end(const struct sch_pool *pool, const struct sch_pool_task *task)
{
    if (pool->alone) return;
    for (uint64_t end = sch_clock_ns() + AWAKE; sch_clock_ns() < end && !is_here(&task->processor);)
        for (unsigned i = 0; i < LOOKS; i++, pause_briefly())
            if (has_ended(task)) return;
}

/* ---- the row; the lock is held ---- */

static void put(struct sch_pool *pool, struct sch_pool_task *task)
{
    struct sch_pool_task **at = &pool->first;
    while (*at) at = &(*at)->following;
    *at = task;
    atomic_fetch_add_explicit(&pool->untaken, 1, memory_order_relaxed);
}

/* The next index of a task that has one; the task leaves the row with its last. */
static unsigned take(struct sch_pool *pool, struct sch_pool_task *task)
{
    const unsigned index = task->next++;
    if (task->next < task->count) return index;
    struct sch_pool_task **at = &pool->first;
    while (*at != task) at = &(*at)->following;
    *at = task->following;
    atomic_fetch_sub_explicit(&pool->untaken, 1, memory_order_relaxed);
    return index;
}

/* ---- threads of the pool ---- */

static void run_first(struct sch_pool *pool)
{
    struct sch_pool_task *task = pool->first;
    const unsigned index = take(pool, task);
    atomic_fetch_add_explicit(&task->running, 1, memory_order_relaxed);
    atomic_store_explicit(&task->processor, sched_getcpu(), memory_order_relaxed);
    pthread_mutex_unlock(&pool->lock);
    task->work(task->user, index);
    pthread_mutex_lock(&pool->lock);
    const bool waited_for = task->waited_for;
    if (atomic_fetch_sub_explicit(&task->running, 1, memory_order_release) == 1 && waited_for)
        pthread_cond_broadcast(&pool->ended); /* the task is its caller's from here on */
}

static void *serve(void *argument)
{
    struct sch_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!atomic_load_explicit(&pool->stopping, memory_order_relaxed)) {
        if (pool->first) {
            run_first(pool);
            continue;
        }
        pool->looking++;
        pthread_mutex_unlock(&pool->lock);
        look_for_news(pool);
        pthread_mutex_lock(&pool->lock);
        pool->looking--;
        if (has_news(pool)) continue;
        pool->asleep++;
        pthread_cond_wait(&pool->needed, &pool->lock);
        pool->asleep--;
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

/* Threads for so many indices: those that look for work come by themselves, others are woken, then new ones start. The
 * lock is held. */
static void call_threads(struct sch_pool *pool, unsigned count)
{
    unsigned missing = count > pool->looking ? count - pool->looking : 0;
    for (unsigned i = 0; missing && i < pool->asleep; i++, missing--) pthread_cond_signal(&pool->needed);
    for (; missing && pool->threads < SCH_POOL_THREADS; missing--, pool->threads++)
        if (!sch_thread_start(&pool->thread[pool->threads], SCH_THREAD_STACK, serve, pool)) return;
}

/* ---- callers ---- */

static void wait_for_end(struct sch_pool *pool, struct sch_pool_task *task)
{
    look_for_end(pool, task);
    pthread_mutex_lock(&pool->lock); /* whoever ended it last has let the lock go, too, when this returns */
    task->waited_for = true;
    while (!has_ended(task)) pthread_cond_wait(&pool->ended, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static void make_task(struct sch_pool_task *task, unsigned next, unsigned count,
                      void (*work)(void *user, unsigned index), void *user)
{
    *task = (struct sch_pool_task){.work = work, .user = user, .next = next, .count = count};
    atomic_init(&task->running, 0);
    atomic_init(&task->processor, -1);
}

/* On threads of the pool, so many. */
static void start_task(struct sch_pool *pool, struct sch_pool_task *task, unsigned threads)
{
    atomic_store_explicit(&pool->processor, sched_getcpu(), memory_order_relaxed);
    pthread_mutex_lock(&pool->lock);
    put(pool, task);
    call_threads(pool, threads);
    pthread_mutex_unlock(&pool->lock);
}

static void end_task(struct sch_pool *pool, struct sch_pool_task *task)
{
    for (;;) {
        pthread_mutex_lock(&pool->lock);
        const bool left = task->next < task->count;
        const unsigned index = left ? take(pool, task) : 0;
        pthread_mutex_unlock(&pool->lock);
        if (!left) break;
        task->work(task->user, index);
    }
    wait_for_end(pool, task);
}

void sch_pool_run(struct sch_pool *pool, unsigned count, void (*work)(void *user, unsigned index), void *user)
{
    struct sch_pool_task task;
    if (!pool || count < 2) {
        for (unsigned i = 0; i < count; i++) work(user, i);
        return;
    }
    if (pool->callers.function) {
        pool->callers.function(pool->callers.user, count, work, user);
        return;
    }
    make_task(&task, 1, count, work, user);
    start_task(pool, &task, count - 1);
    work(user, 0);
    end_task(pool, &task);
}

/* ---- while the caller does something else ---- */

void sch_pool_begin(struct sch_pool *pool, struct sch_pool_task *task, unsigned count,
                    void (*work)(void *user, unsigned index), void *user)
{
    make_task(task, 0, count, work, user);
    if (!pool->callers.function && count > 1) start_task(pool, task, count - 1);
}

void sch_pool_end(struct sch_pool *pool, struct sch_pool_task *task)
{
    if (pool->callers.function || task->count < 2)
        sch_pool_run(pool, task->count, task->work, task->user);
    else
        end_task(pool, task);
}

/* ---- more indices than threads ---- */

struct sharing {
    void (*work)(void *user, unsigned index);
    void *user;
    atomic_uint next;
    unsigned count;
};

static void take_share(void *user, unsigned thread)
{
    struct sharing *sharing = user;
    unsigned index;
    (void)thread;
    while ((index = atomic_fetch_add_explicit(&sharing->next, 1, memory_order_relaxed)) < sharing->count)
        sharing->work(sharing->user, index);
}

void sch_pool_share(struct sch_pool *pool, unsigned threads, unsigned count, void (*work)(void *user, unsigned index),
                    void *user)
{
    if (threads >= count) {
        sch_pool_run(pool, count, work, user);
        return;
    }
    if (!threads) threads = 1;
    struct sharing sharing = {.work = work, .user = user, .count = count};
    atomic_init(&sharing.next, 0);
    sch_pool_run(pool, threads, take_share, &sharing);
}

/* ---- beginning and end ---- */

static bool has_one_processor(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed) < 2;
    return sysconf(_SC_NPROCESSORS_ONLN) < 2;
}

struct sch_pool *sch_pool_create(const struct sch_allocator *allocator, const struct sch_thread_callback *threads)
{
    struct sch_pool *pool = allocator->alloc(allocator->user, sizeof *pool);
    if (!pool) return NULL;
    *pool = (struct sch_pool){.allocator = *allocator,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .needed = PTHREAD_COND_INITIALIZER,
                              .ended = PTHREAD_COND_INITIALIZER,
                              .process = getpid(),
                              .alone = has_one_processor()};
    if (threads) pool->callers = *threads;
    return pool;
}

static void end_threads(struct sch_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->stopping, true);
    pthread_cond_broadcast(&pool->needed);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->threads; i++) pthread_join(pool->thread[i], NULL);
}

void sch_pool_destroy(struct sch_pool *pool)
{
    if (!pool) return;
    if (pool->process == getpid()) end_threads(pool);
    const struct sch_allocator allocator = pool->allocator;
    allocator.free(allocator.user, pool);
}
