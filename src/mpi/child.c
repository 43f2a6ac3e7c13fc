/* Child processes: see child.h. The child is a group of its own, so that what it started ends with it, and it ends
 * where the farm does. */
#include "mpi/child.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 50, CANNOT_RUN = 127 };

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Both ends of three pipes: the outputs, and one for the reason why the program could not be started. */
struct pipes {
    int out[2], err[2], why[2];
};

static void close_pair(int pair[2])
{
    for (unsigned i = 0; i < 2; i++)
        if (pair[i] >= 0) close(pair[i]);
    pair[0] = pair[1] = -1;
}

static void close_end(int *end)
{
    close(*end);
    *end = -1;
}

static bool open_pipes(struct pipes *pipes)
{
    *pipes = (struct pipes){{-1, -1}, {-1, -1}, {-1, -1}};
    if (pipe2(pipes->out, O_CLOEXEC) == 0 && pipe2(pipes->err, O_CLOEXEC) == 0 && pipe2(pipes->why, O_CLOEXEC) == 0)
        return true;
    const int problem = errno;
    close_pair(pipes->out);
    close_pair(pipes->err);
    close_pair(pipes->why);
    errno = problem;
    return false;
}

/* Handlers are the farm's: none may run in the child, which has the farm's memory until it is another program. */
static void forget_handlers(void)
{
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = (struct sigaction){.sa_handler = SIG_DFL};
        sigaction(number, &action, NULL);
    }
}

/* In the child, which has the memory of a process with threads: system calls alone. */
static _Noreturn void become(const struct pipes *pipes, const struct sch_mpi_command *command, pid_t farm, int nothing)
{
    sigset_t none;
    sigemptyset(&none);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != farm) _exit(CANNOT_RUN); /* it ended before that */
    forget_handlers();
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(pipes->out[1], STDOUT_FILENO) >= 0 &&
        dup2(pipes->err[1], STDERR_FILENO) >= 0)
        execvp(command->words[0], command->words);
    const int problem = errno;
    const ssize_t put = write(pipes->why[1], &problem, sizeof problem);
    (void)put;
    _exit(CANNOT_RUN);
}

static void say(struct sch_mpi_done *done, const char *what, const char *program, int problem)
{
    char text[512];
    const int bytes =
        snprintf(text, sizeof text, "scheelite-mpi: cannot %s %s: %s\n", what, program, strerror(problem));
    sch_mpi_put(&done->err, text, bytes < (int)sizeof text ? (size_t)bytes : sizeof text - 1);
    done->exit_code = SCH_MPI_IO;
}

/* By vfork: to copy MPI's pages takes as long as to check a short shader. The farm's thread waits until the child is
 * another program, and gets no signals before. */
static pid_t start_child(const struct pipes *pipes, const struct sch_mpi_command *command, int nothing)
{
    sigset_t all, before;
    const pid_t farm = getpid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = vfork();
    if (child == 0) become(pipes, command, farm, nothing);
    const int problem = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = problem;
    return child;
}

/* -1: it did not start, which was reported. */
static pid_t start(struct pipes *pipes, const struct sch_mpi_command *command, struct sch_mpi_done *done)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const pid_t child = nothing < 0 ? -1 : start_child(pipes, command, nothing);
    int problem = errno;
    if (nothing >= 0) close(nothing);
    close_end(&pipes->out[1]);
    close_end(&pipes->err[1]);
    close_end(&pipes->why[1]);
    if (child < 0) {
        say(done, "start", command->words[0], problem);
        return -1;
    }
    setpgid(child, child); /* the child does so, too; whoever is first */
    if (read(pipes->why[0], &problem, sizeof problem) != sizeof problem) return child;
    waitpid(child, NULL, 0);
    say(done, "run", command->words[0], problem);
    return -1;
}

/* Takes what there is to read now: how many bytes, 0: the end, -1: none now. */
static ssize_t drain(int from, uint64_t limit, struct sch_mpi_bytes *to, bool *cut)
{
    char part[1 << 16];
    const ssize_t count = read(from, part, sizeof part);
    if (count < 0) return errno == EINTR || errno == EAGAIN ? -1 : 0;
    const size_t left = to->size < limit ? (size_t)(limit - to->size) : 0;
    sch_mpi_put(to, part, (size_t)count < left ? (size_t)count : left);
    if ((size_t)count > left || to->failed) *cut = true;
    return count;
}

static void note_end(int status, const struct rusage *usage, struct sch_mpi_done *done)
{
    if (WIFSIGNALED(status))
        done->signal = WTERMSIG(status);
    else
        done->exit_code = WEXITSTATUS(status);
    done->cpu_ms = (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000 +
                   (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1000;
    done->peak_kb = (uint64_t)usage->ru_maxrss;
}

/* How long a look at the child may take: its end is an event where the kernel has pidfds (Linux 5.3), and is looked
 * for at times elsewhere. */
static int look_ms(const struct sch_mpi_command *command, bool late, uint64_t passed, bool has_event, bool silent)
{
    const uint64_t left = command->timeout_ms - passed;
    const int look = has_event ? -1 : silent ? 1 : LOOK_MS;
    if (!command->timeout_ms || late) return look;
    return look >= 0 && (uint64_t)look < left ? look : left < INT_MAX ? (int)left : INT_MAX;
}

/* Reads until the child has ended. What it has left behind may hold the pipes open: that is not waited for. */
static void follow(const struct pipes *pipes, pid_t child, const struct sch_mpi_command *command, uint64_t begin,
                   struct sch_mpi_done *done)
{
    const int end = (int)syscall(SYS_pidfd_open, child, 0);
    struct pollfd open[3] = {{.fd = pipes->out[0], .events = POLLIN},
                             {.fd = pipes->err[0], .events = POLLIN},
                             {.fd = end, .events = POLLIN}};
    struct rusage usage = {0};
    int status = 0;
    pid_t ended = 0;
    while (!ended) {
        const bool silent = open[0].fd < 0 && open[1].fd < 0;
        const uint64_t passed = now_ms() - begin;
        if (command->timeout_ms && passed >= command->timeout_ms && !done->late) {
            done->late = true;
            kill(-child, SIGKILL);
        }
        const int ready = poll(open, 3, look_ms(command, done->late, passed, end >= 0, silent));
        if (ready > 0 && open[0].revents && drain(open[0].fd, command->output_limit, &done->out, &done->out_cut) == 0)
            open[0].fd = -1;
        if (ready > 0 && open[1].revents && drain(open[1].fd, command->output_limit, &done->err, &done->err_cut) == 0)
            open[1].fd = -1;
        /* Also while there is output: what the child has started may write for longer than the child lives. */
        ended = wait4(child, &status, WNOHANG, &usage);
        if (ended < 0 && errno == EINTR) ended = 0;
    }
    if (end >= 0) close(end);
    note_end(status, &usage, done);
}

/* What is still in the pipe when the child has ended, and no more: others may continue writing. */
static void empty(int from, uint64_t limit, struct sch_mpi_bytes *to, bool *cut)
{
    struct pollfd open = {.fd = from, .events = POLLIN};
    int left = 0;
    if (ioctl(from, FIONREAD, &left) != 0) return;
    while (left > 0 && poll(&open, 1, 0) > 0) {
        const ssize_t count = drain(from, limit, to, cut);
        if (count == 0) return;
        if (count > 0) left -= (int)count;
    }
}

bool sch_mpi_child_run(const struct sch_mpi_command *command, struct sch_mpi_done *done)
{
    struct pipes pipes;
    const uint64_t begin = now_ms();
    *done = (struct sch_mpi_done){0};
    if (!open_pipes(&pipes)) {
        say(done, "start", command->words[0], errno);
        return false;
    }
    const pid_t child = start(&pipes, command, done);
    if (child > 0) {
        follow(&pipes, child, command, begin, done);
        kill(-child, SIGKILL); /* what it has left behind */
        empty(pipes.out[0], command->output_limit, &done->out, &done->out_cut);
        empty(pipes.err[0], command->output_limit, &done->err, &done->err_cut);
    }
    done->ms = now_ms() - begin;
    close_pair(pipes.out);
    close_pair(pipes.err);
    close_pair(pipes.why);
    return child > 0;
}

void sch_mpi_done_release(struct sch_mpi_done *done)
{
    sch_mpi_bytes_release(&done->out);
    sch_mpi_bytes_release(&done->err);
}

int sch_mpi_done_exit(const struct sch_mpi_done *done)
{
    return done->late ? SCH_MPI_LIMIT : done->signal ? SCH_MPI_INTERNAL : done->exit_code;
}
