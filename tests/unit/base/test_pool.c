/* The standing pool: every index once, whoever calls and however often; threads stay and sleep; nobody waits for one
 * that does not come. How fast is `./dev bench threads`. */
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/pool.h"
#include "base/thread.h"

enum { MOST = 1000 };

static struct sch_pool *new_pool(void)
{
    struct sch_pool *pool = sch_pool_create(&sch_allocator_libc, NULL);
    assert_non_null(pool);
    return pool;
}

static void sleep_ms(long milliseconds)
{
    nanosleep(&(struct timespec){.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}, NULL);
}

static unsigned threads_now(void)
{
    unsigned count = 0;
    DIR *dir = opendir("/proc/self/task");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

/* A thread that was joined may be on its way out still: some seconds for it. */
static void assert_threads(unsigned wanted)
{
    for (unsigned wait = 0; wait < 10000 && threads_now() != wanted; wait++) sleep_ms(1);
    assert_int_equal(threads_now(), wanted);
}

/* ---- every index once ---- */

struct marks {
    atomic_uint done[MOST];
    pthread_t first; /* who did index 0 */
};

static void mark(void *user, unsigned index)
{
    struct marks *marks = user;
    if (!index) marks->first = pthread_self();
    atomic_fetch_add(&marks->done[index], 1);
}

static void check_marks(struct sch_pool *pool, unsigned count)
{
    static _Thread_local struct marks marks;
    memset(&marks, 0, sizeof marks);
    marks.first = pthread_self();
    sch_pool_run(pool, count, mark, &marks);
    assert_true(pthread_equal(marks.first, pthread_self()));
    for (unsigned i = 0; i < MOST; i++) assert_int_equal(atomic_load(&marks.done[i]), i < count);
}

static void every_index_is_done_once(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    static const unsigned counts[] = {0, 1, 2, 3, 7, 16, 255, 256, 257, MOST};
    for (unsigned round = 0; round < 20; round++)
        for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
            check_marks(pool, counts[i]);
            check_marks(NULL, counts[i]);
        }
    for (unsigned round = 0; round < 20000; round++) check_marks(pool, 2 + round % 3);
    sch_pool_destroy(pool);
    sch_pool_destroy(NULL);
}

/* What is begun is done when it has been ended, whatever the caller runs meanwhile. */
static void work_goes_on_while_its_caller_does_other_work(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    static struct marks marks;
    struct sch_pool_task task;
    for (unsigned round = 0; round < 5000; round++) {
        const unsigned count = round % 5;
        memset(&marks, 0, sizeof marks);
        sch_pool_begin(pool, &task, count, mark, &marks);
        if (round % 3) check_marks(pool, 1 + round % 4);
        if (round % 1000 == 7) sleep_ms(1);
        sch_pool_end(pool, &task);
        for (unsigned i = 0; i < 9; i++) assert_int_equal(atomic_load(&marks.done[i]), i < count);
    }
    sch_pool_destroy(pool);
}

static void wait_for_flag(void *user, unsigned index)
{
    (void)index;
    while (!atomic_load((atomic_bool *)user)) sched_yield();
}

/* The caller, which does not wait, lets it end. */
static void another_thread_does_what_is_begun(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    struct sch_pool_task task;
    atomic_bool flag;
    atomic_init(&flag, false);
    sch_pool_begin(pool, &task, 2, wait_for_flag, &flag);
    for (unsigned wait = 0; wait < 10000 && !atomic_load(&task.running); wait++) sleep_ms(1);
    assert_int_equal(atomic_load(&task.running), 1);
    atomic_store(&flag, true);
    sch_pool_end(pool, &task);
    assert_int_equal(atomic_load(&task.running), 0);
    sch_pool_destroy(pool);
}

static void *call_often(void *pool)
{
    for (unsigned round = 0; round < 500; round++) check_marks(pool, 1 + round % 9);
    return NULL;
}

static void many_may_call(void **state)
{
    (void)state;
    enum { CALLERS = 8 };
    pthread_t callers[CALLERS];
    struct sch_pool *pool = new_pool();
    for (unsigned i = 0; i < CALLERS; i++) assert_int_equal(pthread_create(&callers[i], NULL, call_often, pool), 0);
    for (unsigned i = 0; i < CALLERS; i++) pthread_join(callers[i], NULL);
    sch_pool_destroy(pool);
}

/* ---- threads ---- */

/* Each index waits for all others: they run at once. */
static void meet(void *user, unsigned index)
{
    (void)index;
    pthread_barrier_wait(user);
}

static void as_many_run_at_once_as_are_asked_for(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    const unsigned before = threads_now();
    for (unsigned count = 2; count <= 12; count += 5)
        for (unsigned round = 0; round < 3; round++) {
            pthread_barrier_t barrier;
            assert_int_equal(pthread_barrier_init(&barrier, NULL, count), 0);
            sch_pool_run(pool, count, meet, &barrier);
            pthread_barrier_destroy(&barrier);
            assert_threads(before + count - 1); /* they stay, and no others come */
            if (round == 1) sleep_ms(5);        /* asleep, too */
        }
    check_marks(pool, 3);
    assert_threads(before + 11);
    sch_pool_destroy(pool);
    assert_threads(before);
}

struct shared {
    struct marks marks;
    atomic_uint now, most; /* at once */
};

static void share(void *user, unsigned index)
{
    struct shared *shared = user;
    const unsigned now = atomic_fetch_add(&shared->now, 1) + 1;
    for (unsigned most = atomic_load(&shared->most); most < now;)
        if (atomic_compare_exchange_weak(&shared->most, &most, now)) break;
    mark(&shared->marks, index);
    sleep_ms(1); /* others come meanwhile */
    atomic_fetch_sub(&shared->now, 1);
}

static void check_shared(struct sch_pool *pool, unsigned threads, unsigned count)
{
    static struct shared shared;
    memset(&shared, 0, sizeof shared);
    sch_pool_share(pool, threads, count, share, &shared);
    for (unsigned i = 0; i < MOST; i++) assert_int_equal(atomic_load(&shared.marks.done[i]), i < count);
    assert_true(shared.most <= (threads ? threads : 1));
}

static void no_more_threads_share_than_are_asked_for(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    check_marks(pool, 9); /* there are more */
    for (unsigned threads = 0; threads <= 4; threads++)
        for (unsigned count = 0; count <= 12; count += 3) {
            check_shared(pool, threads, count);
            check_shared(NULL, threads, count);
        }
    sch_pool_destroy(pool);
}

static uint64_t processor_us(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
           (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static void idle_threads_sleep(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    check_marks(pool, 8);
    sleep_ms(20);
    uint64_t before = processor_us();
    sleep_ms(200);
    assert_true(processor_us() - before < 100000); /* seven that stay awake take 200,000 a processor */
    sch_pool_destroy(pool);
}

static void nothing_to_do(void *user, unsigned index)
{
    (void)user;
    (void)index;
}

static void visit_others(void (*visit)(pid_t thread, const cpu_set_t *mask), const cpu_set_t *mask)
{
    DIR *dir = opendir("/proc/self/task");
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const long thread = strtol(entry->d_name, NULL, 10);
        if (thread > 0 && thread != getpid()) visit((pid_t)thread, mask);
    }
    closedir(dir);
}

static void set_mask(pid_t thread, const cpu_set_t *mask)
{
    assert_int_equal(sched_setaffinity(thread, sizeof *mask, mask), 0);
}

static void check_mask(pid_t thread, const cpu_set_t *mask)
{
    cpu_set_t now;
    for (unsigned wait = 0; wait < 10000; wait++) { /* until it is asleep */
        assert_int_equal(sched_getaffinity(thread, sizeof now, &now), 0);
        if (CPU_EQUAL(&now, mask)) break;
        sleep_ms(1);
    }
    assert_true(CPU_EQUAL(&now, mask));
}

/* Those that may go elsewhere do, and may use the same processors afterwards. */
static void check_masks(struct sch_pool *pool, const cpu_set_t *mask)
{
    sleep_ms(5);
    visit_others(set_mask, mask);
    for (unsigned run = 0; run < 1000; run++) sch_pool_run(pool, 2, nothing_to_do, NULL);
    visit_others(check_mask, mask);
}

/* Threads that have to share the caller's processor do not look for work there: it could not bring any meanwhile. */
static void threads_leave_the_caller_its_processor(void **state)
{
    (void)state;
    enum { RUNS = 1000, LOOKING = 30 }; /* microseconds that a look may take */
    cpu_set_t before, one;
    struct sch_pool *pool = new_pool();
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    const uint64_t begin = processor_us();
    for (unsigned run = 0; run < RUNS; run++) {
        sch_pool_run(pool, 2, nothing_to_do, NULL);
        sched_yield();
    }
    const uint64_t took = processor_us() - begin;
    check_masks(pool, &before);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    sch_pool_destroy(pool);
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    skip(); /* everything takes it several times as long */
#endif
#endif
    assert_true(took < RUNS * LOOKING);
}

struct found {
    pthread_t caller;
    atomic_bool came;
    size_t stack;
    sigset_t blocked;
};

/* The caller takes its time, so that there is something left when the other thread is awake. */
static void look(void *user, unsigned index)
{
    enum { LONGEST = 1000 }; /* milliseconds */
    pthread_attr_t attributes;
    struct found *found = user;
    (void)index;
    if (pthread_equal(found->caller, pthread_self())) {
        for (unsigned i = 0; i < LONGEST && !found->came; i++) sleep_ms(1);
        return;
    }
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &found->stack);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, NULL, &found->blocked);
    found->came = true;
}

static void threads_have_a_stated_stack_and_no_signals(void **state)
{
    (void)state;
    struct found found = {.caller = pthread_self()};
    struct sch_pool *pool = new_pool();
    for (unsigned round = 0; round < 10 && !found.came; round++) sch_pool_run(pool, 2, look, &found);
    sch_pool_destroy(pool);
    assert_true(found.came);
    assert_int_equal(found.stack, SCH_THREAD_STACK);
    assert_true(sigismember(&found.blocked, SIGUSR1) && sigismember(&found.blocked, SIGCHLD));
    assert_false(sigismember(&found.blocked, SIGSEGV) || sigismember(&found.blocked, SIGBUS));
}

/* ---- threads that do not come ---- */

static void nothing_waits_for_a_thread(void **state)
{
    (void)state;
    struct sch_pool *pool = new_pool();
    check_marks(pool, 4);
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
    skip(); /* it takes no fork of a process with threads */
#endif
#endif
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) { /* the threads are the parent's */
        alarm(20);
        struct marks *marks = calloc(1, sizeof *marks);
        bool good = marks != NULL;
        if (good) sch_pool_run(pool, 4, mark, marks);
        for (unsigned i = 0; i < 4 && good; i++) good = atomic_load(&marks->done[i]) == 1;
        free(marks);
        sch_pool_destroy(pool);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check_marks(pool, 4);
    sch_pool_destroy(pool);
}

/* ---- the caller's threads ---- */

static void run_backwards(void *user, uint32_t count, void (*work)(void *job, uint32_t index), void *job)
{
    ++*(unsigned *)user;
    while (count-- > 0) work(job, count);
}

static void callers_threads_are_taken(void **state)
{
    (void)state;
    unsigned calls = 0, before = threads_now();
    const struct sch_thread_callback threads = {run_backwards, &calls};
    struct sch_pool *pool = sch_pool_create(&sch_allocator_libc, &threads);
    assert_non_null(pool);
    check_marks(pool, 7);
    assert_true(calls > 0);
    assert_threads(before);
    calls = 0;
    check_marks(pool, 1);
    assert_int_equal(calls, 0);
    sch_pool_destroy(pool);
}

static void *nothing(void *user, size_t bytes) { return (void)user, (void)bytes, NULL; }

static void without_memory_there_is_no_pool(void **state)
{
    (void)state;
    const struct sch_allocator none = {.alloc = nothing};
    assert_null(sch_pool_create(&none, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_done_once),
        cmocka_unit_test(work_goes_on_while_its_caller_does_other_work),
        cmocka_unit_test(another_thread_does_what_is_begun),
        cmocka_unit_test(many_may_call),
        cmocka_unit_test(as_many_run_at_once_as_are_asked_for),
        cmocka_unit_test(no_more_threads_share_than_are_asked_for),
        cmocka_unit_test(idle_threads_sleep),
        cmocka_unit_test(threads_leave_the_caller_its_processor),
        cmocka_unit_test(threads_have_a_stated_stack_and_no_signals),
        cmocka_unit_test(nothing_waits_for_a_thread),
        cmocka_unit_test(callers_threads_are_taken),
        cmocka_unit_test(without_memory_there_is_no_pool),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
