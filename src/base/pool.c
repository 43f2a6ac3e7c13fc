/* Fork and join over pthreads. */
#include "base/pool.h"

#include <signal.h>

bool sch_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *argument), void *argument)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    const bool made =
        pthread_attr_setstacksize(&attributes, stack) == 0 && pthread_create(thread, &attributes, work, argument) == 0;
    pthread_attr_destroy(&attributes);
    return made;
}

struct call {
    void (*work)(void *user);
    void *user;
};

static void *run_call(void *argument)
{
    const struct call *call = argument;
    call->work(call->user);
    return NULL;
}

bool sch_thread_call(size_t stack, void (*work)(void *user), void *user)
{
    pthread_t thread;
    sigset_t all, before;
    struct call call = {work, user};
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return false;
    const bool started = sch_thread_start(&thread, stack, run_call, &call);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) pthread_join(thread, NULL);
    return started;
}

struct task {
    void (*work)(void *user, unsigned index);
    void *user;
    unsigned index;
};

static void *run_task(void *argument)
{
    const struct task *task = argument;
    task->work(task->user, task->index);
    return NULL;
}

void sch_pool_run(unsigned count, void (*work)(void *user, unsigned index), void *user)
{
    pthread_t threads[SCH_POOL_THREADS];
    struct task tasks[SCH_POOL_THREADS];
    unsigned started = 0;
    while (started + 1 < count && started < SCH_POOL_THREADS) {
        tasks[started] = (struct task){.work = work, .user = user, .index = started + 1};
        if (!sch_thread_start(&threads[started], SCH_THREAD_STACK, run_task, &tasks[started])) break;
        started++;
    }
    if (count) work(user, 0);
    for (unsigned i = started + 1; i < count; i++) work(user, i);
    for (unsigned i = 0; i < started; i++) pthread_join(threads[i], NULL);
}
