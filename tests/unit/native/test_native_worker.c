/* Jobs of a context and its one thread (native/internal.h): who does them, in which order, how often, and who waits for
 * whom. Jobs here wait until a test lets them go, so nothing depends on time. */
#include <errno.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "native/internal.h"

enum { JOBS = 6 };

/* A job that notes when it is done, and by whom; one that is held waits to be let go. */
struct work {
    struct sch_native_job job; /* the first */
    bool held;
    sem_t begun, may_end;
    pthread_t by;
    unsigned times;
    char name;
};

static struct sch_native_worker worker;
static struct work works[JOBS];
static char order[64];
static atomic_uint done;

/* Whether the worker's lock is held by somebody. */
static bool is_locked(void)
{
    if (pthread_mutex_trylock(&worker.lock) != 0) return true;
    pthread_mutex_unlock(&worker.lock);
    return false;
}

static void run(struct sch_native_job *job)
{
    struct work *w = (struct work *)job;
    sem_post(&w->begun);
    if (w->held) sem_wait(&w->may_end);
    w->by = pthread_self();
    w->times++;
    order[atomic_fetch_add(&done, 1)] = w->name;
}

static int begin(void **state)
{
    (void)state;
    sch_native_worker_init(&worker);
    memset(order, 0, sizeof order);
    atomic_store(&done, 0);
    for (unsigned i = 0; i < JOBS; i++) {
        works[i] = (struct work){.job.run = run, .name = (char)('a' + i)};
        sem_init(&works[i].begun, 0, 0);
        sem_init(&works[i].may_end, 0, 0);
    }
    return 0;
}

static unsigned state_of(unsigned number)
{
    pthread_mutex_lock(&worker.lock);
    const unsigned state = works[number].job.state;
    pthread_mutex_unlock(&worker.lock);
    return state;
}

/* Has the thread begin the first job, and stay at it. */
static void hold_thread(void)
{
    works[0].held = true;
    sch_native_later(&worker, &works[0].job, SCH_RANK_CODE);
    sem_wait(&works[0].begun);
    assert_int_equal(state_of(0), SCH_JOB_RUNNING);
    assert_ptr_equal(worker.running, &works[0].job);
}

static bool is_here(unsigned number) { return pthread_equal(works[number].by, pthread_self()); }

static unsigned asked, most_asked;

/* So often; the lock is held meanwhile. */
static bool lasts(const void *user)
{
    (void)user;
    assert_true(is_locked());
    return asked++ < most_asked;
}

static const struct sch_native_patience patient = {lasts, NULL};

static bool now_for(unsigned number, unsigned times)
{
    asked = 0, most_asked = times;
    return sch_native_now(&worker, &works[number].job, &patient);
}

/* ---- where ---- */

/* The system gives no thread when a test says so. */
static bool no_threads;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *user);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *user)
{
    return no_threads ? EAGAIN : __real_pthread_create(thread, attributes, work, user);
}

static void without_a_thread_jobs_are_done_here(void **state)
{
    (void)state;
    no_threads = true;
    sch_native_later(&worker, &works[0].job, SCH_RANK_CODE);
    assert_int_equal(works[0].job.state, SCH_JOB_NEW);
    assert_true(now_for(1, 1000));
    assert_false(worker.started);
    assert_true(is_here(1));
    no_threads = false;
    assert_int_equal(works[1].job.state, SCH_JOB_DONE);
    assert_string_equal(order, "b");
    sch_native_later(&worker, &works[0].job, SCH_RANK_CODE); /* now there is one */
    assert_true(sch_native_now(&worker, &works[0].job, NULL));
    assert_string_equal(order, "ba");
    sch_native_worker_release(&worker);
}

static void jobs_are_done_once(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        assert_true(sch_native_now(&worker, &works[0].job, NULL));
        assert_true(is_here(0));
        assert_int_equal(works[0].times, 1);
        assert_int_equal(state_of(0), SCH_JOB_DONE);
        assert_false(worker.started); /* nobody needs it */
    }
    assert_true(now_for(0, 0)); /* it is done: nobody asks about patience */
    assert_int_equal(asked, 0);
    sch_native_later(&worker, &works[0].job, SCH_RANK_CODE);
    assert_null(worker.first);
    sch_native_worker_release(&worker);
    assert_int_equal(works[0].times, 1);
}

static void the_thread_does_what_is_for_later(void **state)
{
    (void)state;
    sch_native_later(&worker, &works[0].job, SCH_RANK_CODE);
    assert_true(worker.started);
    sem_wait(&works[0].begun);
    assert_true(sch_native_now(&worker, &works[0].job, NULL)); /* waits */
    assert_false(is_here(0));
    assert_int_equal(works[0].times, 1);
    assert_true(now_for(1, 100000)); /* and what somebody has patience for */
    assert_false(is_here(1));
    sch_native_worker_release(&worker);
    assert_string_equal(order, "ab");
}

/* ---- in which order ---- */

static void end_all(void)
{
    sem_post(&works[0].may_end);
    for (unsigned i = 0; i < JOBS; i++)
        if (works[i].job.state == SCH_JOB_QUEUED) sem_wait(&works[i].begun);
    sch_native_worker_release(&worker);
}

static void the_first_come_first(void **state)
{
    (void)state;
    hold_thread();
    for (unsigned i = 1; i < 5; i++) sch_native_later(&worker, &works[i].job, SCH_RANK_CODE);
    for (unsigned i = 1; i < 5; i++)
        sch_native_later(&worker, &works[i].job, SCH_RANK_CODE); /* they are queued already */
    for (unsigned i = 1; i < 5; i++) assert_int_equal(state_of(i), SCH_JOB_QUEUED);
    assert_false(now_for(5, 3)); /* before all; and goes on when nobody waits */
    assert_int_equal(asked, 4);
    assert_int_equal(state_of(5), SCH_JOB_QUEUED);
    assert_false(now_for(3, 0)); /* of those that are queued, too */
    assert_int_equal(state_of(3), SCH_JOB_QUEUED);
    assert_false(now_for(0, 2)); /* what is being done is not done again */
    end_all();
    assert_string_equal(order, "adfbce");
    for (unsigned i = 0; i < JOBS; i++) assert_int_equal(works[i].times, 1);
    assert_null(worker.first);
    assert_null(worker.running);
}

/* Whoever wants a queued job now does it; the others stay where they are, whichever it was. */
static void queued_jobs_are_taken_out(void **state)
{
    (void)state;
    static const char *const orders[] = {"bacde", "cabde", "dabce", "eabcd"};
    for (unsigned i = 1; i < 5; i++) {
        begin(NULL);
        hold_thread();
        for (unsigned k = 1; k < 5; k++) sch_native_later(&worker, &works[k].job, SCH_RANK_CODE);
        assert_true(sch_native_now(&worker, &works[i].job, NULL));
        assert_true(is_here(i));
        sch_native_never(&worker, &works[5].job);
        end_all();
        assert_string_equal(order, orders[i - 1]);
    }
}

static void *release_worker(void *user)
{
    sch_native_worker_release(&worker);
    return user;
}

/* The end leaves the rest undone, and waits for what is being done, which it abandons. */
static void the_end_leaves_the_rest(void **state)
{
    (void)state;
    pthread_t thread;
    hold_thread();
    for (unsigned i = 1; i < 4; i++) sch_native_later(&worker, &works[i].job, SCH_RANK_CODE);
    sch_native_never(&worker, &works[2].job);
    assert_int_equal(state_of(2), SCH_JOB_NEW);
    assert_false(atomic_load(&works[2].job.call.abandoned));
    assert_int_equal(pthread_create(&thread, NULL, release_worker, NULL), 0);
    while (!atomic_load(&works[0].job.call.abandoned)) usleep(100);
    assert_int_equal(works[0].times, 0);
    sem_post(&works[0].may_end);
    pthread_join(thread, NULL);
    assert_int_equal(works[0].times, 1);
    assert_string_equal(order, "a");
    for (unsigned i = 1; i < 4; i++) assert_false(atomic_load(&works[i].job.call.abandoned));
}

static void *never_first(void *user)
{
    sch_native_never(&worker, &works[0].job);
    return user;
}

/* Nobody does it afterwards; what is being done is abandoned and waited for. */
static void what_is_never_wanted_is_left(void **state)
{
    (void)state;
    pthread_t thread;
    hold_thread();
    sch_native_later(&worker, &works[1].job, SCH_RANK_CODE);
    sch_native_never(&worker, &works[1].job);
    assert_int_equal(pthread_create(&thread, NULL, never_first, NULL), 0);
    while (!atomic_load(&works[0].job.call.abandoned)) usleep(100);
    assert_int_equal(state_of(0), SCH_JOB_RUNNING);
    sem_post(&works[0].may_end);
    pthread_join(thread, NULL);
    assert_int_equal(state_of(0), SCH_JOB_DONE);
    sch_native_worker_release(&worker);
    assert_string_equal(order, "a");
    assert_int_equal(works[1].times, 0);
    assert_int_equal(works[1].job.state, SCH_JOB_NEW);
}

/* ---- quick ways ---- */

static bool quick_answer;
static sem_t quick_begun, quick_may_end;
static bool quick_waits;
static unsigned quick_times, quick_state;

static bool quick(struct sch_native_job *job)
{
    quick_times++;
    quick_state = job->state;
    if (is_locked()) quick_state = 99;
    sem_post(&quick_begun);
    if (quick_waits) sem_wait(&quick_may_end);
    return quick_answer;
}

static void *try_first(void *user)
{
    sch_native_try(&worker, &works[0].job, quick);
    return user;
}

static void quick_ways_may_fail(void **state)
{
    (void)state;
    pthread_t thread;
    sem_init(&quick_begun, 0, 0);
    sem_init(&quick_may_end, 0, 0);
    quick_times = 0, quick_waits = false;
    for (unsigned i = 0; i < 3; i++) { /* twice in vain */
        quick_answer = i == 2;
        try_first(NULL);
        assert_int_equal(quick_state, SCH_JOB_RUNNING);
        assert_int_equal(state_of(0), i == 2 ? SCH_JOB_DONE : SCH_JOB_NEW);
        assert_int_equal(quick_times, i + 1);
    }
    try_first(NULL); /* it is done */
    assert_int_equal(quick_times, 3);
    assert_int_equal(works[0].times, 0);
    for (unsigned good = 0; good < 2; good++) { /* others wait for it, and do it themselves if it fails */
        begin(NULL);
        sem_init(&quick_begun, 0, 0);
        quick_answer = good, quick_waits = true;
        assert_int_equal(pthread_create(&thread, NULL, try_first, NULL), 0);
        sem_wait(&quick_begun);
        assert_false(now_for(0, 2));
        sch_native_later(&worker, &works[0].job, SCH_RANK_CODE); /* somebody is at it */
        assert_int_equal(state_of(0), SCH_JOB_RUNNING);
        sem_post(&quick_may_end);
        assert_true(sch_native_now(&worker, &works[0].job, NULL));
        pthread_join(thread, NULL);
        assert_int_equal(works[0].times, !good);
        sch_native_worker_release(&worker);
    }
}

/* ---- waiting ---- */

/* About every millisecond, not all the time; the thread goes on meanwhile. */
static void patience_is_asked_about_now_and_then(void **state)
{
    (void)state;
    struct timespec before, after;
    hold_thread();
    clock_gettime(CLOCK_MONOTONIC, &before);
    assert_false(now_for(0, 10));
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert_true((after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec >= 10000000);
    assert_false(is_locked());
    sem_post(&works[0].may_end);
    assert_true(now_for(0, 1000000));
    sch_native_worker_release(&worker);
}

/* ---- the lock ---- */

static void later(void) { sch_native_later(&worker, &works[1].job, SCH_RANK_CODE); }
static void never(void) { sch_native_never(&worker, &works[1].job); }
static void now(void) { sch_native_now(&worker, &works[1].job, NULL); }
static void attempt(void) { sch_native_try(&worker, &works[1].job, quick); }
static void release(void) { sch_native_worker_release(&worker); }

static void *call(void *work)
{
    void (*const *what)(void) = work;
    (*what)();
    return NULL;
}

/* Who holds the lock keeps all others out, and nobody keeps it. */
static void everything_is_done_under_the_lock(void **state)
{
    (void)state;
    static void (*const calls[])(void) = {later, never, now, attempt, release};
    quick_answer = quick_waits = false;
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        pthread_t thread;
        struct timespec until;
        begin(NULL);
        pthread_mutex_lock(&worker.lock);
        assert_int_equal(pthread_create(&thread, NULL, call, (void *)(uintptr_t)&calls[i]), 0);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 4000000;
        if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
        if (pthread_timedjoin_np(thread, NULL, &until) != ETIMEDOUT) fail_msg("call %u does not wait", i);
        assert_int_equal(works[1].job.state, SCH_JOB_NEW);
        assert_false(worker.stopping);
        pthread_mutex_unlock(&worker.lock);
        pthread_join(thread, NULL);
        if (calls[i] != release) sch_native_worker_release(&worker);
        assert_false(is_locked());
    }
}

/* A job that writes down when it was done. */
struct noting_job {
    struct sch_native_job job;
    atomic_uint_least64_t work;
    unsigned done;
};
static atomic_uint noted;
static atomic_bool held;

static void note_job(struct sch_native_job *job)
{
    while (atomic_load(&held)) usleep(100);
    ((struct noting_job *)job)->done = atomic_fetch_add(&noted, 1u) + 1;
}

static bool note_at_once(struct sch_native_job *job)
{
    ((struct noting_job *)job)->done = 100;
    return true;
}

static bool note_nothing(struct sch_native_job *job)
{
    (void)job;
    return false;
}

/* While one is done, others are queued. */
static void jobs_are_done_by_rank_and_work(void **state)
{
    static const struct {
        enum sch_native_job_rank rank;
        unsigned work, done; /* when it is to be done */
    } rows[] = {{SCH_RANK_CODE, 0, 1},   {SCH_RANK_BETTER, 90, 8}, {SCH_RANK_CODE, 3, 4},  {SCH_RANK_LOOKUP, 0, 6},
                {SCH_RANK_LOOKUP, 0, 7}, {SCH_RANK_CODE, 9, 2},    {SCH_RANK_CODE, 0, 5},  {SCH_RANK_CODE, 8, 3},
                {SCH_RANK_CODE, 7, 100}, {SCH_RANK_CODE, 6, 100},  {SCH_RANK_BETTER, 1, 9}};
    enum { ROWS = sizeof rows / sizeof *rows };
    struct noting_job jobs[ROWS] = {{.done = 0}};
    struct sch_native_worker own;
    (void)state;
    sch_native_worker_init(&own);
    atomic_store(&noted, 0);
    atomic_store(&held, true);
    for (unsigned n = 0; n < ROWS; n++) {
        atomic_init(&jobs[n].work, rows[n].work);
        jobs[n].job = (struct sch_native_job){.run = note_job};
        if (rows[n].rank != SCH_RANK_LOOKUP) jobs[n].job.work = &jobs[n].work;
        sch_native_later(&own, &jobs[n].job, rows[n].rank);
        for (bool begun = n; !begun;) { /* the first */
            pthread_mutex_lock(&own.lock);
            begun = own.running != NULL;
            pthread_mutex_unlock(&own.lock);
        }
    }
    for (unsigned n = 0; n < ROWS; n++) {
        sch_native_settle(&own, &jobs[n].job, note_nothing);
        if (rows[n].done == 100) sch_native_settle(&own, &jobs[n].job, note_at_once);
        assert_int_equal(sch_native_is_done(&own, &jobs[n].job), rows[n].done == 100);
    }
    sch_native_settle(&own, &jobs[0].job, note_at_once); /* someone does it */
    atomic_store(&held, false);
    for (unsigned n = 0; n < ROWS; n++) {
        while (!sch_native_is_done(&own, &jobs[n].job)) usleep(100);
        assert_int_equal(jobs[n].done, rows[n].done);
    }
    sch_native_worker_release(&own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_done_by_rank_and_work),
        cmocka_unit_test_setup(without_a_thread_jobs_are_done_here, begin),
        cmocka_unit_test_setup(jobs_are_done_once, begin),
        cmocka_unit_test_setup(the_thread_does_what_is_for_later, begin),
        cmocka_unit_test_setup(the_first_come_first, begin),
        cmocka_unit_test_setup(queued_jobs_are_taken_out, begin),
        cmocka_unit_test_setup(the_end_leaves_the_rest, begin),
        cmocka_unit_test_setup(what_is_never_wanted_is_left, begin),
        cmocka_unit_test_setup(quick_ways_may_fail, begin),
        cmocka_unit_test_setup(patience_is_asked_about_now_and_then, begin),
        cmocka_unit_test_setup(everything_is_done_under_the_lock, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
