/* Fork and join over pthreads. */
#include "base/pool.h"

#include <pthread.h>

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
        if (pthread_create(&threads[started], NULL, run_task, &tasks[started]) != 0) break;
        started++;
    }
    if (count) work(user, 0);
    for (unsigned i = started + 1; i < count; i++) work(user, i);
    for (unsigned i = 0; i < started; i++) pthread_join(threads[i], NULL);
}
