/* Starting threads. */
#include "base/thread.h"

#include <signal.h>

static bool start(pthread_t *thread, size_t stack, void *(*work)(void *argument), void *argument)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    const bool made =
        pthread_attr_setstacksize(&attributes, stack) == 0 && pthread_create(thread, &attributes, work, argument) == 0;
    pthread_attr_destroy(&attributes);
    return made;
}

/* All signals but those of faults: one that is blocked ends the process without the handler that the host, a debugger
 * or a sanitizer has for it. */
static void take_no_signals(sigset_t *blocked)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(blocked);
    for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) sigdelset(blocked, faults[n]);
}

bool sch_thread_start(pthread_t *thread, size_t stack, void *(*work)(void *argument), void *argument)
{
    sigset_t blocked, before;
    take_no_signals(&blocked);
    if (pthread_sigmask(SIG_SETMASK, &blocked, &before) != 0) return false;
    const bool started = start(thread, stack, work, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
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
    struct call call = {work, user};
    if (!sch_thread_start(&thread, stack, run_call, &call)) return false;
    pthread_join(thread, NULL);
    return true;
}
