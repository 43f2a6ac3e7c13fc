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
    uint32_t place; /* in the memory that it shares with the server */
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
    bool told; /* that no client can be accepted, or no process made, at the moment */
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

/* A client that is lost without a process that could count it. */
static void __attribute__((format(printf, 2, 3))) lose(struct sch_vtest_server *server, const char *format, ...)
{
    struct sch_virgl_losses *losses = &server->shared->totals.losses;
    char line[PROBLEM_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sch_virgl_losses_note(losses, 0, line);
    losses->counts[SCH_VIRGL_LOST_CLIENT]++;
    tell(server, "%s", line);
}

/* A client that is lost with its process. */
static void __attribute__((format(printf, 4, 5)))
lose_process(struct sch_vtest_server *server, const struct process *process, uint32_t why, const char *format, ...)
{
    struct sch_virgl_losses *losses = &server->shared->places[process->place].losses;
    char line[PROBLEM_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sch_virgl_losses_note(losses, why, line);
    losses->counts[SCH_VIRGL_LOST_CLIENT]++;
    tell(server, "client %u: %s", process->number, line);
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

/* A place for each client, and one for that which comes next. */
static uint32_t place_count(const struct sch_vtest_server *server) { return server->options.most + 1; }

static size_t shared_bytes(const struct sch_vtest_server *server)
{
    return sizeof *server->shared + place_count(server) * sizeof *server->shared->places;
}

void sch_vtest_server_forget(struct sch_vtest_server *server)
{
    sch_vtest_server_leave(server);
    if (server->shared) munmap(server->shared, shared_bytes(server));
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
    void *shared = mmap(NULL, shared_bytes(server), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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

bool sch_vtest_server_is_busy(const struct sch_vtest_server *server)
{
    for (uint32_t i = 0; i < place_count(server); i++)
        if (atomic_load(&server->shared->places[i].busy)) return true;
    return false;
}

const char *sch_vtest_missing(void)
{
    return sch_vtest_sandbox_is_whole()
               ? NULL
               : "built without libseccomp: the system calls of clients' processes are not filtered";
}

/* ---- processes ---- */

/* A place that no process has, emptied. */
static uint32_t take_place(const struct sch_vtest_server *server)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < server->options.most; i++) {
        if (!server->processes[i].pid || server->processes[i].place != place) continue;
        place++;
        i = UINT32_MAX; /* from the first one again */
    }
    memset(&server->shared->places[place], 0, sizeof *server->shared->places);
    return place;
}

/* While others are served this may be otherwise when one of them has ended. */
static void note_no_process(struct sch_vtest_server *server, int error)
{
    if (!server->told) tell(server, "no process can be made for a client: %s", strerror(error));
    server->told = true;
}

static void make_spare(struct sch_vtest_server *server)
{
    int ends[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        note_no_process(server, errno);
        return;
    }
    const uint32_t place = take_place(server);
    const pid_t pid = fork();
    if (pid == 0) {
        const struct sch_vtest_client client = {.options = &server->options.client,
                                                .log = server->options.log,
                                                .shared = server->shared,
                                                .place = &server->shared->places[place],
                                                .number = server->numbers + 1,
                                                .control = ends[1],
                                                .parent = parent};
        _exit(sch_vtest_client_main(&client));
    }
    if (pid < 0) note_no_process(server, errno);
    close(ends[1]);
    if (pid < 0) close(ends[0]);
    if (pid < 0) return;
    server->told = false;
    server->spare = (struct process){.pid = pid, .place = place};
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
        lose(server, "client %u is not served: its process is gone", number);
        if (server->options.once) server->stops = server->failed = true;
        drop_spare(server);
        return;
    }
    drop_spare(server);
    for (uint32_t i = 0; i < server->options.most; i++) {
        if (server->processes[i].pid) continue;
        server->processes[i] = (struct process){server->spare.pid, number, server->spare.place};
        break;
    }
    server->spare.pid = 0;
    server->count++;
    server->shared->totals.clients++;
}

/* The client that cannot be accepted stays in the queue. */
static void note_not_accepted(struct sch_vtest_server *server, int error)
{
    if (error == EAGAIN || error == EINTR || error == ECONNABORTED) return;
    if (!server->told) tell(server, "no client can be accepted: %s", strerror(error));
    server->told = true;
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL); /* the queue wakes the server at once again */
}

static void take_client(struct sch_vtest_server *server)
{
    const int connection = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) {
        note_not_accepted(server, errno);
        return;
    }
    assign(server, connection);
    close(connection);
}

/* Of an end by signal; by those that end_processes sends, nothing is lost of a client that had asked for no more. */
static void note_signal(struct sch_vtest_server *server, const struct process *process, int number)
{
    const struct sch_vtest_place *place = &server->shared->places[process->place];
    const bool ordered = server->stops && (number == SIGTERM || number == SIGKILL);
    const bool by_time = number == SIGXCPU || (number == SIGKILL && server->options.client.seconds);
    if (ordered && !atomic_load(&place->busy)) return;
    if (ordered)
        lose_process(server, process, SCH_VIRGL_WHY_ENDED, "the server ended while it did what the client wanted");
    else
        lose_process(server, process, by_time ? SCH_VIRGL_WHY_TIME : 0, "its process was ended by signal %d (%s)",
                     number, strsignal(number));
}

/* What the client has lost becomes the server's. What another process has written is looked at as what its client
 * said. */
static void add_losses(struct sch_vtest_server *server, const struct process *process)
{
    struct sch_vtest_place *place = &server->shared->places[process->place];
    struct sch_virgl_losses losses = place->losses;
    snprintf(losses.first, sizeof losses.first, "client %u: %.*s", process->number, (int)sizeof losses.first - 20,
             place->losses.first);
    atomic_store(&place->busy, false);
    if (!sch_virgl_losses_any(&losses)) return;
    sch_virgl_losses_add(&server->shared->totals.losses, &losses);
    if (server->options.lost) server->options.lost(server->options.user, process->number, &losses);
}

static void note_end(struct sch_vtest_server *server, const struct process *process, int status)
{
    if (WIFSIGNALED(status))
        note_signal(server, process, WTERMSIG(status));
    else if (WEXITSTATUS(status))
        lose_process(server, process, 0, "its process cannot serve it: %s",
                     sch_vtest_client_problem(WEXITSTATUS(status)));
    add_losses(server, process);
    if (server->options.once) server->stops = true;
}

/* One that ended before a client came would end again. */
static void note_spare(struct sch_vtest_server *server, int status)
{
    server->spare.pid = 0;
    if (server->control < 0 || server->stops) return;
    drop_spare(server);
    sch_virgl_losses_add(&server->shared->totals.losses, &server->shared->places[server->spare.place].losses);
    lose(server, "the process of the next client ended before it came: %s",
         WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : sch_vtest_client_problem(WEXITSTATUS(status)));
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
        if (room && !server->spare.pid && !server->count) { /* none will end and leave its room to another */
            lose(server, "clients are not served any more, as no process can be made for them");
            server->failed = true;
            break;
        }
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
