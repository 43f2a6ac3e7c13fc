/* Jobs and the one thread of a context that does them in the background. It is started by the first job. */
#include "base/clock.h"
#include "base/thread.h"
#include "native/internal.h"

void sch_native_worker_init(struct sch_native_worker *worker)
{
    *worker = (struct sch_native_worker){.lock = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC); /* of the moments below */
    pthread_cond_init(&worker->changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* Does a job that this thread took; the lock is held before and after, not while. */
static void run_job(struct sch_native_worker *worker, struct sch_native_job *job)
{
    job->state = SCH_JOB_RUNNING;
    pthread_mutex_unlock(&worker->lock);
    job->run(job);
    pthread_mutex_lock(&worker->lock);
    job->state = SCH_JOB_DONE;
    pthread_cond_broadcast(&worker->changed);
}

static bool precedes(const struct sch_native_job *a, const struct sch_native_job *b)
{
    if (a->rank != b->rank) return a->rank < b->rank;
    return a->work && b->work &&
           atomic_load_explicit(a->work, memory_order_relaxed) > atomic_load_explicit(b->work, memory_order_relaxed);
}

/* The job that is done next, out of the queue; the lock is held. */
static struct sch_native_job *take_next(struct sch_native_worker *worker)
{
    struct sch_native_job **best = &worker->first;
    for (struct sch_native_job **at = best; *at; at = &(*at)->next)
        if (precedes(*at, *best)) best = at;
    struct sch_native_job *job = *best;
    if (job) *best = job->next;
    return job;
}

static void *run_jobs(void *argument)
{
    struct sch_native_worker *worker = argument;
    pthread_mutex_lock(&worker->lock);
    while (!worker->stopping) {
        struct sch_native_job *job = take_next(worker);
        if (!job) {
            pthread_cond_wait(&worker->changed, &worker->lock);
            continue;
        }
        worker->running = job;
        run_job(worker, job);
        worker->running = NULL;
    }
    pthread_mutex_unlock(&worker->lock);
    return NULL;
}

static bool start(struct sch_native_worker *worker)
{
    if (!worker->started) worker->started = sch_thread_start(&worker->thread, SCH_THREAD_STACK, run_jobs, worker);
    return worker->started;
}

/* Has it send its request, which goes to the process that the context leaves behind. */
static void leave(struct sch_native_job *job)
{
    job->call.leaves = true;
    job->run(job);
}

void sch_native_worker_release(struct sch_native_worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->stopping = true;
    if (worker->running) sch_native_abandon(&worker->running->call);
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    if (worker->started) pthread_join(worker->thread, NULL);
    for (struct sch_native_job *job = worker->first; job && worker->leaves; job = job->next) leave(job);
    pthread_cond_destroy(&worker->changed);
}

/* The lock is held. */
static void queue(struct sch_native_worker *worker, struct sch_native_job *job, enum sch_native_job_rank rank)
{
    struct sch_native_job **at = &worker->first;
    while (*at && rank != SCH_RANK_AWAITED) at = &(*at)->next; /* of what is awaited, the last comes first */
    job->state = SCH_JOB_QUEUED;
    job->rank = (uint8_t)rank;
    job->next = *at;
    *at = job;
    pthread_cond_broadcast(&worker->changed);
}

void sch_native_later(struct sch_native_worker *worker, struct sch_native_job *job, enum sch_native_job_rank rank)
{
    pthread_mutex_lock(&worker->lock);
    if (job->state == SCH_JOB_NEW && start(worker)) queue(worker, job, rank);
    pthread_mutex_unlock(&worker->lock);
}

/* Takes a job out of the queue if it is in it; likewise. */
static void unqueue(struct sch_native_worker *worker, struct sch_native_job *job)
{
    struct sch_native_job **at = &worker->first;
    if (job->state != SCH_JOB_QUEUED) return;
    while (*at != job) at = &(*at)->next;
    *at = job->next;
    job->state = SCH_JOB_NEW;
}

/* Until a job is done, but a millisecond at most; the lock is held, but not meanwhile. */
static void wait_a_moment(struct sch_native_worker *worker)
{
    const uint64_t end = sch_clock_after_ms(sch_clock_ns(), 1);
    const struct timespec moment = {.tv_sec = (time_t)(end / 1000000000), .tv_nsec = (long)(end % 1000000000)};
    pthread_cond_timedwait(&worker->changed, &worker->lock, &moment);
}

bool sch_native_now(struct sch_native_worker *worker, struct sch_native_job *job,
                    const struct sch_native_patience *patience)
{
    pthread_mutex_lock(&worker->lock);
    const bool here = !patience || !start(worker);
    if (!here) unqueue(worker, job);
    if (!here && job->state == SCH_JOB_NEW) queue(worker, job, SCH_RANK_AWAITED);
    while (job->state != SCH_JOB_DONE && (!patience || patience->lasts(patience->user))) {
        if (here) unqueue(worker, job);
        if (job->state == SCH_JOB_NEW)
            run_job(worker, job);
        else
            wait_a_moment(worker);
    }
    const bool done = job->state == SCH_JOB_DONE;
    pthread_mutex_unlock(&worker->lock);
    return done;
}

bool sch_native_is_done(struct sch_native_worker *worker, const struct sch_native_job *job)
{
    pthread_mutex_lock(&worker->lock);
    const bool done = job->state == SCH_JOB_DONE;
    pthread_mutex_unlock(&worker->lock);
    return done;
}

void sch_native_try(struct sch_native_worker *worker, struct sch_native_job *job,
                    bool (*quick)(struct sch_native_job *job))
{
    pthread_mutex_lock(&worker->lock);
    if (job->state == SCH_JOB_NEW) {
        job->state = SCH_JOB_RUNNING;
        pthread_mutex_unlock(&worker->lock);
        bool done = quick(job);
        pthread_mutex_lock(&worker->lock);
        job->state = done ? SCH_JOB_DONE : SCH_JOB_NEW;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
}

void sch_native_settle(struct sch_native_worker *worker, struct sch_native_job *job,
                       bool (*instant)(struct sch_native_job *job))
{
    pthread_mutex_lock(&worker->lock);
    if ((job->state == SCH_JOB_NEW || job->state == SCH_JOB_QUEUED) && instant(job)) {
        unqueue(worker, job);
        job->state = SCH_JOB_DONE;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
}

void sch_native_never(struct sch_native_worker *worker, struct sch_native_job *job)
{
    pthread_mutex_lock(&worker->lock);
    const bool queued = job->state == SCH_JOB_QUEUED;
    unqueue(worker, job);
    if (job->state == SCH_JOB_RUNNING) sch_native_abandon(&job->call);
    while (job->state == SCH_JOB_RUNNING) pthread_cond_wait(&worker->changed, &worker->lock);
    const bool left = worker->leaves && job->state == SCH_JOB_NEW && (queued || job->useful);
    pthread_mutex_unlock(&worker->lock);
    if (left) leave(job);
}
