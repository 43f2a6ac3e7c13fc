/* See watch.h. */
#include "watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { STACK_BYTES = 256 << 10 };

/* Waits until something is to be seen. The number of descriptors with an event, 0 after so many milliseconds. */
static int wait_for(struct pollfd *of, nfds_t count, int milliseconds)
{
    int seen;
    do seen = poll(of, count, milliseconds);
    while (seen < 0 && errno == EINTR);
    return seen;
}

/* A client that has only shut down its sending side waits for answers: that is not a POLLHUP. */
static void *look(void *user)
{
    struct sch_vtest_watch *watch = user;
    struct pollfd both[] = {{.fd = watch->end, .events = POLLIN}, {.fd = watch->connection}};
    wait_for(both, 2, -1);
    if (!both[0].revents && wait_for(both, 1, (int)watch->grace_ms) == 0)
        __atomic_store_n(&watch->gone, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* Signals are the business of the other threads, but for those of its own faults. */
static int start(struct sch_vtest_watch *watch)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    pthread_attr_t attributes;
    sigset_t all, before;
    int error = pthread_attr_init(&attributes);
    if (error) return error;
    sigfillset(&all);
    for (size_t n = 0; n < sizeof faults / sizeof *faults; n++) sigdelset(&all, faults[n]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    error = pthread_create(&watch->thread, &attributes, look, watch);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

int sch_vtest_watch_begin(struct sch_vtest_watch *watch, int connection, uint32_t grace_ms)
{
    watch->gone = 0;
    watch->connection = connection;
    watch->grace_ms = grace_ms;
    watch->end = eventfd(0, EFD_CLOEXEC);
    if (watch->end < 0) return errno;
    const int error = start(watch);
    if (!error) return 0;
    close(watch->end);
    watch->end = -1;
    return error;
}

void sch_vtest_watch_end(struct sch_vtest_watch *watch)
{
    if (watch->end < 0) return;
    eventfd_write(watch->end, 1);
    pthread_join(watch->thread, NULL);
    close(watch->end);
    watch->end = -1;
}
