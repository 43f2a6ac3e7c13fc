/* Starting a process that the host does not notice. A child of the host would be found by its wait() and send it
 * SIGCHLD, as execve() makes that every process's signal at its end (execve(2)). So a first child without a signal
 * (clone(2): it is not reported to a wait() without __WCLONE) starts a second one, which becomes the program, and ends;
 * the system's first process, or a subreaper, inherits the second. Neither copies memory: the thread that starts them
 * stands still until the program begins (CLONE_VFORK). Holds nothing about who is started. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "native/process.h"

enum { STACK_BYTES = 1 << 16 /* of each child */, BOTH_STACKS = 2 * STACK_BYTES, NOT_STARTED = 127 };

/* AddressSanitizer knows the stack of the thread that starts them, not theirs: what it does before a function that does
 * not return would clear its notes of all that lies between the two. */
#define ON_ANOTHER_STACK __attribute__((no_sanitize("address"), no_sanitize("thread")))

/* ThreadSanitizer takes clone() for a fork(), after which its runtime is another process's. */
#if defined(__SANITIZE_THREAD__)
#define UNSEEN_BY_SANITIZERS
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNSEEN_BY_SANITIZERS
#endif
#endif
#if defined(UNSEEN_BY_SANITIZERS)
extern int __clone(int (*child)(void *), void *stack, int flags, void *user, ...);
#define clone __clone
#endif

struct start {
    const char *path;
    char *const *arguments;
    int end;
    int error;
    char *stack; /* of the second child, its first byte */
};

/* In the host's memory, but with descriptors and signals of its own: calls what is safe between fork() and execve(). */
ON_ANOTHER_STACK static int become_program(void *user)
{
    struct start *start = user;
    static char *const nothing[] = {NULL};
    setsid(); /* what a terminal sends to the host's group is not for it */
    if (start->end == SCH_MESSAGE_SOCKET)
        fcntl(start->end, F_SETFD, 0);
    else
        dup2(start->end, SCH_MESSAGE_SOCKET);
#ifdef SYS_close_range
    syscall(SYS_close_range, SCH_MESSAGE_SOCKET + 1u, ~0u, 0u); /* where there is none the program closes them */
#endif
    execve(start->path, start->arguments, nothing);
    start->error = errno;
    _exit(NOT_STARTED);
}

ON_ANOTHER_STACK static int start_program(void *user)
{
    struct start *start = user;
    pid_t child = clone(become_program, start->stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | SIGCHLD, start);
    if (child < 0) start->error = errno;
    _exit(0);
}

/* All signals are blocked meanwhile, as a handler of the host's would run in its memory; the program lets them through
 * again. So is cancellation: the first child shares what says that this thread is to be cancelled. */
int sch_native_spawn(const char *path, const char *const arguments[], int end)
{
    struct start start = {.path = path, .arguments = (char *const *)(uintptr_t)arguments, .end = end};
    sigset_t all, before;
    int cancelled, kept = errno;
    char *stacks = mmap(NULL, BOTH_STACKS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED) return ENOMEM;
    start.stack = stacks;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelled);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t first = clone(start_program, stacks + BOTH_STACKS, CLONE_VM | CLONE_VFORK, &start);
    if (first < 0) start.error = errno;
    while (first > 0 && waitpid(first, NULL, __WCLONE) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancelled, &cancelled);
    munmap(stacks, BOTH_STACKS);
    errno = kept;
    return start.error;
}
