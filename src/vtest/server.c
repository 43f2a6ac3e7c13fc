/* See vtest.h. The server's process reads nothing that a client sends: it takes connections, hands each to a process of
 * its own, and sees how these end. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "client.h"
#include "sandbox.h"

enum {
    BACKLOG = 64,
    MOST_CLIENTS = 1024,
    GRACE_MS = 300, /* that clients have to end by themselves */
    KILL_MS = 2000,
    PROBLEM_BYTES = 256
};

/* The process of a client. */
struct process {
    pid_t pid; /* 0: none */
    uint32_t number;
};

struct sch_vtest_server {
    struct sch_vtest_server_options options;
    char *path;
    int listener, signals;
    dev_t device; /* of the socket's file, with its number */
    ino_t inode;
    struct sch_vtest_shared_totals *shared;
    struct process *processes; /* options.most */
    uint32_t count, numbers;
    struct process spare; /* waits for its assignment */
    int control;          /* to it; -1: there is none */
    bool stops, failed;
};

static void __attribute__((format(printf, 2, 3))) tell(const struct sch_vtest_server *server, const char *format, ...)
{
    char line[PROBLEM_BYTES];
    va_list arguments;
    if (!server->options.log.write) return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    server->options.log.write(server->options.log.user, line);
}

/* ---- the socket ---- */

static bool __attribute__((format(printf, 2, 3))) fails(char problem[PROBLEM_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, PROBLEM_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

/* Whether a server has the socket of this address. One whose backlog is full has. */
static bool is_served(const struct sockaddr_un *address)
{
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) return true;
    const bool refused = connect(probe, (const struct sockaddr *)address, sizeof *address) != 0 &&
                         (errno == ECONNREFUSED || errno == ENOENT);
    close(probe);
    return !refused;
}

/* Removes a socket that nobody serves. False: something is there that must stay. */
static bool make_room(const struct sockaddr_un *address, char problem[PROBLEM_BYTES])
{
    struct stat status;
    const char *path = address->sun_path;
    if (lstat(path, &status) != 0) {
        if (errno == ENOENT) return true;
        return fails(problem, "%s: %s", path, strerror(errno));
    }
    if (!S_ISSOCK(status.st_mode)) return fails(problem, "%s is there and is no socket", path);
    if (is_served(address)) return fails(problem, "%s: a server is there already", path);
    if (unlink(path) != 0 && errno != ENOENT) return fails(problem, "%s cannot be replaced: %s", path, strerror(errno));
    return true;
}

/* The socket is its user's alone from the first moment: bind() gives the file the rights of the descriptor. */
static bool listen_at(struct sch_vtest_server *server, char problem[PROBLEM_BYTES])
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct stat status;
    const size_t length = strlen(server->path);
    if (!length || length >= sizeof address.sun_path)
        return fails(problem, "the name of a socket has 1 to %zu bytes", sizeof address.sun_path - 1);
    memcpy(address.sun_path, server->path, length + 1);
    if (!make_room(&address, problem)) return false;
    server->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0) return fails(problem, "no socket can be made: %s", strerror(errno));
    fchmod(server->listener, S_IRUSR | S_IWUSR);
    if (bind(server->listener, (struct sockaddr *)&address, sizeof address) != 0 || lstat(server->path, &status) != 0 ||
        listen(server->listener, BACKLOG) != 0)
        return fails(problem, "%s: %s", server->path, strerror(errno));
    server->device = status.st_dev;
    server->inode = status.st_ino;
    return true;
}

static void remove_socket(const struct sch_vtest_server *server)
{
    struct stat status;
    if (server->inode && lstat(server->path, &status) == 0 && status.st_dev == server->device &&
        status.st_ino == server->inode)
        unlink(server->path);
}

/* ---- opening and closing ---- */

void sch_vtest_server_leave(struct sch_vtest_server *server)
{
    if (server->listener >= 0) close(server->listener);
    server->listener = -1;
}

void sch_vtest_server_forget(struct sch_vtest_server *server)
{
    sch_vtest_server_leave(server);
    if (server->shared) munmap(server->shared, sizeof *server->shared);
    free(server->processes);
    free(server->path);
    free(server);
}

void sch_vtest_server_close(struct sch_vtest_server *server)
{
    if (!server) return;
    remove_socket(server);
    sch_vtest_server_forget(server);
}

static bool make_parts(struct sch_vtest_server *server, const struct sch_vtest_server_options *options)
{
    server->options = *options;
    if (!server->options.most) server->options.most = 1;
    if (server->options.most > MOST_CLIENTS) server->options.most = MOST_CLIENTS;
    if (options->once) server->options.most = 1;
    void *shared = mmap(NULL, sizeof *server->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    server->shared = shared == MAP_FAILED ? NULL : shared;
    server->path = strdup(options->path);
    server->processes = calloc(server->options.most, sizeof *server->processes);
    return server->shared && server->path && server->processes;
}

struct sch_vtest_server *sch_vtest_server_open(const struct sch_vtest_server_options *options,
                                               char problem[PROBLEM_BYTES])
{
    struct sch_vtest_server *server = calloc(1, sizeof *server);
    if (!server) {
        fails(problem, "out of memory");
        return NULL;
    }
    server->listener = server->signals = server->control = -1;
    const bool made = make_parts(server, options);
    if (!made) fails(problem, "out of memory");
    if (made && listen_at(server, problem)) return server;
    sch_vtest_server_close(server);
    return NULL;
}

struct sch_vtest_totals sch_vtest_server_totals(const struct sch_vtest_server *server)
{
    return server->shared->totals;
}

const char *sch_vtest_missing(void)
{
    return sch_vtest_sandbox_is_whole()
               ? NULL
               : "built without libseccomp: the system calls of clients' processes are not filtered";
}

/* ---- processes ---- */

static void make_spare(struct sch_vtest_server *server)
{
    int ends[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        tell(server, "no process can be made for a client: %s", strerror(errno));
        return;
    }
    const pid_t pid = fork();
    if (pid == 0) {
        const struct sch_vtest_client client = {.options = &server->options.client,
                                                .log = server->options.log,
                                                .shared = server->shared,
                                                .number = server->numbers + 1,
                                                .control = ends[1],
                                                .parent = parent};
        _exit(sch_vtest_client_main(&client));
    }
    if (pid < 0) tell(server, "no process can be made for a client: %s", strerror(errno));
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    if (pid < 0) return;
    server->spare.pid = pid;
    server->control = ends[0];
}

static void drop_spare(struct sch_vtest_server *server)
{
    if (server->control >= 0) close(server->control); /* it ends then */
    server->control = -1;
}

/* Hands a connection to the process that waits for one. */
static void assign(struct sch_vtest_server *server, int connection)
{
    const uint32_t number = ++server->numbers;
    if (!sch_vtest_assign(server->control, number, connection)) {
        tell(server, "client %u is not served: its process is gone", number);
        if (server->options.once) server->stops = server->failed = true;
        drop_spare(server);
        return;
    }
    drop_spare(server);
    for (uint32_t i = 0; i < server->options.most; i++) {
        if (server->processes[i].pid) continue;
        server->processes[i] = (struct process){server->spare.pid, number};
        break;
    }
    server->spare.pid = 0;
    server->count++;
}

static void take_client(struct sch_vtest_server *server)
{
    const int connection = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) return;
    assign(server, connection);
    close(connection);
}

static void note_end(struct sch_vtest_server *server, const struct process *process, int status)
{
    const bool ordered = server->stops && WIFSIGNALED(status); /* by end_processes */
    if (WIFSIGNALED(status) && !ordered)
        tell(server, "client %u: its process was ended by signal %d (%s)", process->number, WTERMSIG(status),
             strsignal(WTERMSIG(status)));
    else if (!ordered && WEXITSTATUS(status))
        tell(server, "client %u: its process cannot serve it (status %d)", process->number, WEXITSTATUS(status));
    if (server->options.once) server->stops = true;
}

/* One that ended before a client came would end again. */
static void note_spare(struct sch_vtest_server *server, int status)
{
    server->spare.pid = 0;
    if (server->control < 0 || server->stops) return;
    drop_spare(server);
    tell(server, "the process of the next client ended before it came (status %d)", status);
    server->stops = server->failed = true;
}

static void reap(struct sch_vtest_server *server)
{
    int status;
    if (server->spare.pid && waitpid(server->spare.pid, &status, WNOHANG) > 0) note_spare(server, status);
    for (uint32_t i = 0; i < server->options.most; i++) {
        struct process *process = &server->processes[i];
        if (!process->pid || waitpid(process->pid, &status, WNOHANG) <= 0) continue;
        note_end(server, process, status);
        process->pid = 0;
        server->count--;
    }
}

/* ---- running ---- */

static void take_signals(struct sch_vtest_server *server)
{
    struct signalfd_siginfo info;
    while (read(server->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo == SIGTERM || (info.ssi_signo == SIGINT && !server->options.ignores_keyboard))
            server->stops = true;
    reap(server);
}

/* Waits for what comes next; -1 ms: as long as it takes. */
static void step(struct sch_vtest_server *server, bool takes, int most_ms)
{
    struct pollfd polled[2] = {{.fd = server->signals, .events = POLLIN},
                               {.fd = takes ? server->listener : -1, .events = POLLIN}};
    if (poll(polled, 2, most_ms) < 0 && errno != EINTR) server->stops = server->failed = true;
    if (polled[0].revents) take_signals(server);
    if (polled[1].revents && server->control >= 0 && !server->stops) take_client(server);
}

static void signal_all(const struct sch_vtest_server *server, int number)
{
    for (uint32_t i = 0; i < server->options.most; i++)
        if (server->processes[i].pid) kill(server->processes[i].pid, number);
    if (server->spare.pid) kill(server->spare.pid, number);
}

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits until no process is left, so long. */
static void wait_for_all(struct sch_vtest_server *server, uint64_t ms)
{
    const uint64_t until = now_ms() + ms;
    for (uint64_t now = now_ms(); now < until && (server->count || server->spare.pid); now = now_ms())
        step(server, false, (int)(until - now));
}

/* The file that the process has opened to which no client came. */
static void remove_record(const struct sch_vtest_server *server)
{
    char name[PATH_MAX];
    if (!server->options.client.record) return;
    sch_vtest_record_name(&server->options.client, server->numbers + 1, name, sizeof name);
    unlink(name);
}

static void end_processes(struct sch_vtest_server *server)
{
    const bool spare = server->control >= 0;
    drop_spare(server);
    wait_for_all(server, GRACE_MS);
    signal_all(server, SIGTERM);
    wait_for_all(server, KILL_MS);
    signal_all(server, SIGKILL);
    wait_for_all(server, KILL_MS);
    if (spare) remove_record(server);
}

static void serve(struct sch_vtest_server *server)
{
    while (!server->stops) {
        const bool room = server->count < server->options.most && !(server->options.once && server->numbers);
        if (room && !server->spare.pid) make_spare(server);
        if (room && !server->spare.pid) break;
        step(server, room && server->control >= 0, -1);
    }
    end_processes(server);
}

bool sch_vtest_server_run(struct sch_vtest_server *server)
{
    sigset_t wanted, before;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigprocmask(SIG_BLOCK, &wanted, &before);
    server->stops = server->failed = false;
    server->signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
    if (server->signals >= 0)
        serve(server);
    else
        tell(server, "signals cannot be waited for: %s", strerror(errno));
    const bool served = server->signals >= 0 && !server->failed;
    if (server->signals >= 0) close(server->signals);
    server->signals = -1;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return served;
}
