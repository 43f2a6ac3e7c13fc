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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../filter/filter.h"
#include "client.h"
#include "clock.h"
#include "listener.h"
#include "sandbox.h"

enum {
    MOST_CLIENTS = 1024,
    GRACE_MS = 300, /* that clients have to end by themselves */
    LOOK_MS = 5,    /* between looks at what is still to be done */
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
    struct sch_vtest_listener listener;
    int signals;
    struct sch_vtest_shared_totals *shared;
    struct process *processes; /* options.most */
    uint32_t count, numbers;
    struct process spare; /* waits for its assignment */
    int control;          /* to it; -1: there is none */
    uint64_t asked_ms;    /* when it was asked to end after the clients' pending work; 0: it was not */
    bool stops, failed;
    bool told; /* that no client can be accepted at the moment */
    bool wary; /* no process could be made ahead, or it ended: the next one is made when a client is there */
};

static void __attribute__((format(printf, 2, 3))) tell(struct sch_vtest_server *server, const char *format, ...)
{
    char line[PROBLEM_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!sch_vtest_lines_write(&server->shared->lines, &server->options.log, line))
        server->shared->totals.losses.counts[SCH_VIRGL_LOST_LINE]++;
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

/* ---- opening and closing ---- */

void sch_vtest_server_leave(struct sch_vtest_server *server)
{
    if (server->listener.socket >= 0) close(server->listener.socket);
    server->listener.socket = -1;
}

/* The address is a wish, which the system fulfils if it has it. It is below all those of sch_vtest_addresses_choose. */
void *sch_vtest_share(size_t bytes)
{
    static const uint64_t below = sizeof(void *) > 4 ? UINT64_C(0x1000000000) : 0;
    void *wish = (void *)(uintptr_t)below; /* NOLINT(performance-no-int-to-ptr) */
    void *data = mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return data == MAP_FAILED ? NULL : data;
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
    if (server->path) sch_vtest_listener_remove(&server->listener, server->path);
    sch_vtest_server_forget(server);
}

static bool make_parts(struct sch_vtest_server *server, const struct sch_vtest_server_options *options)
{
    server->options = *options;
    if (!server->options.most) server->options.most = 1;
    if (server->options.most > MOST_CLIENTS) server->options.most = MOST_CLIENTS;
    if (options->once) server->options.most = 1;
    server->shared = sch_vtest_share(shared_bytes(server));
    server->path = strdup(options->path);
    server->processes = calloc(server->options.most, sizeof *server->processes);
    return server->shared && server->path && server->processes;
}

struct sch_vtest_server *sch_vtest_server_open(const struct sch_vtest_server_options *options,
                                               char problem[PROBLEM_BYTES])
{
    struct sch_vtest_server *server = calloc(1, sizeof *server);
    if (!server) {
        snprintf(problem, PROBLEM_BYTES, "out of memory");
        return NULL;
    }
    server->listener.socket = server->signals = server->control = -1;
    const bool made = make_parts(server, options);
    if (!made) snprintf(problem, PROBLEM_BYTES, "out of memory");
    if (made && sch_vtest_listener_open(&server->listener, server->path, problem)) return server;
    sch_vtest_server_close(server);
    return NULL;
}

struct sch_vtest_totals sch_vtest_server_totals(const struct sch_vtest_server *server)
{
    return server->shared->totals;
}

/* What the client of a place has lost. What another process has written is looked at as what its client said. */
static struct sch_virgl_losses losses_of(const struct sch_vtest_place *place)
{
    struct sch_virgl_losses losses = place->losses;
    if (place->losses.first[0])
        snprintf(losses.first, sizeof losses.first, "client %u: %.*s", place->number, (int)sizeof losses.first - 20,
                 place->losses.first);
    return losses;
}

struct sch_virgl_losses sch_vtest_server_losses(const struct sch_vtest_server *server)
{
    struct sch_virgl_losses losses = server->shared->totals.losses;
    for (uint32_t i = 0; i < place_count(server); i++) {
        const struct sch_virgl_losses more = losses_of(&server->shared->places[i]);
        sch_virgl_losses_add(&losses, &more);
    }
    return losses;
}

void sch_vtest_server_let_finish(struct sch_vtest_server *server, uint32_t ms)
{
    atomic_store(&server->shared->finish_ms, ms);
}

const char *sch_vtest_missing(void) { return sch_vtest_sandbox_leaves(); }

unsigned sch_vtest_landlock(void) { return sch_filter_landlock(); }

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

/* Makes the process of the next client. 0, or why there is none. */
static int make_spare(struct sch_vtest_server *server)
{
    int ends[2];
    const pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
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
    const int error = pid < 0 ? errno : 0;
    close(ends[1]);
    if (error) close(ends[0]);
    if (error) return error;
    server->wary = false;
    server->spare = (struct process){.pid = pid, .place = place};
    server->control = ends[0];
    return 0;
}

/* Before a client is there. If it fails nothing is lost yet: by then there may be room for another process. */
static void make_ahead(struct sch_vtest_server *server)
{
    const int error = make_spare(server);
    if (!error) return;
    server->wary = true;
    tell(server, "no process can be made for the next client, so far: %s", strerror(error));
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
    struct sch_vtest_place *place = &server->shared->places[server->spare.place];
    atomic_store(&place->busy, true); /* before the process could say that it waits */
    if (!sch_vtest_assign(server->control, number, connection)) {
        atomic_store(&place->busy, false);
        sch_virgl_losses_add(&server->shared->totals.losses, &place->losses);
        lose(server, "client %u is not served: its process is gone", number);
        if (server->options.once) server->stops = server->failed = true;
        drop_spare(server);
        return;
    }
    drop_spare(server);
    for (uint32_t i = 0; i < server->options.most; i++) {
        if (server->processes[i].pid) continue;
        server->processes[i] = (struct process){server->spare.pid, number, server->spare.place};
        place->number = number;
        break;
    }
    server->spare.pid = 0;
    server->count++;
    server->shared->totals.clients++;
}

/* A client that no process can be made for. The server continues: the next one may be served. */
static void turn_away(struct sch_vtest_server *server, int error)
{
    const uint32_t number = ++server->numbers;
    server->wary = true;
    server->shared->totals.clients++;
    lose(server, "client %u is not served, as no process can be made for it: %s", number, strerror(error));
    if (server->options.once) server->stops = server->failed = true;
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
    const int connection = accept4(server->listener.socket, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) {
        note_not_accepted(server, errno);
        return;
    }
    server->told = false;
    const int error = server->control < 0 ? make_spare(server) : 0;
    if (error)
        turn_away(server, error);
    else
        assign(server, connection);
    close(connection);
}

/* For an end by signal. The signals that end_processes sends lose nothing of a client that had asked for no more. */
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

/* What the client has lost becomes the server's. */
static void add_losses(struct sch_vtest_server *server, const struct process *process)
{
    struct sch_vtest_place *place = &server->shared->places[process->place];
    const struct sch_virgl_losses losses = losses_of(place);
    memset(&place->losses, 0, sizeof place->losses);
    atomic_store(&place->busy, false);
    sch_virgl_losses_add(&server->shared->totals.losses, &losses);
    if (!sch_virgl_losses_any(&losses)) return;
    if (!server->options.lost) return;
    if (sch_vtest_lines_take(&server->shared->lines, &server->options.log))
        server->options.lost(server->options.user, process->number, &losses);
    else
        server->shared->totals.losses.counts[SCH_VIRGL_LOST_LINE]++;
}

static void note_end(struct sch_vtest_server *server, const struct process *process, int status)
{
    if (WIFSIGNALED(status))
        note_signal(server, process, WTERMSIG(status));
    else if (WEXITSTATUS(status))
        lose_process(server, process, 0, "its process cannot serve it: %s",
                     sch_vtest_client_problem(WEXITSTATUS(status)));
    add_losses(server, process);
    if (!server->options.once) return;
    server->stops = true;
    if (WIFEXITED(status) && WEXITSTATUS(status)) server->failed = true;
}

/* If the first of all says that it cannot serve, no other one will. Later ones have what the first had, so what they
 * lack may be there again when the next client comes. */
static void note_spare(struct sch_vtest_server *server, int status)
{
    server->spare.pid = 0;
    if (server->control < 0 || server->stops) return;
    drop_spare(server);
    const char *why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : sch_vtest_client_problem(WEXITSTATUS(status));
    if (server->numbers || WIFSIGNALED(status)) {
        server->wary = true;
        tell(server, "the process of the next client is gone, another is made when it comes: %s", why);
        return;
    }
    sch_virgl_losses_add(&server->shared->totals.losses, &server->shared->places[server->spare.place].losses);
    lose(server, "the process of the next client ended before it came: %s", why);
    server->stops = server->failed = true;
}

static void note_child(struct sch_vtest_server *server, pid_t pid, int status)
{
    if (pid == server->spare.pid) note_spare(server, status);
    for (uint32_t i = 0; i < server->options.most; i++) {
        struct process *process = &server->processes[i];
        if (process->pid != pid) continue;
        note_end(server, process, status);
        process->pid = 0;
        server->count--;
    }
}

/* All that have ended: the system's first process, as a server in a container may be, inherits others' children, too,
 * such as the compilers of clients that are gone. */
static void reap(struct sch_vtest_server *server)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG | __WALL)) > 0;) note_child(server, pid, status);
}

/* ---- running ---- */

static void note_order(struct sch_vtest_server *server)
{
    if (!atomic_load(&server->shared->finish_ms))
        server->stops = true;
    else if (!server->asked_ms)
        server->asked_ms = sch_vtest_now_ms();
}

static void take_signals(struct sch_vtest_server *server)
{
    struct signalfd_siginfo info;
    while (read(server->signals, &info, sizeof info) == (ssize_t)sizeof info)
        if (info.ssi_signo == SIGTERM || (info.ssi_signo == SIGINT && !server->options.ignores_keyboard))
            note_order(server);
    reap(server);
}

/* Not while a process is about to end that was to have a client. */
static bool can_take(const struct sch_vtest_server *server) { return server->control >= 0 || !server->spare.pid; }

/* Waits for what comes next; -1 ms: as long as it takes. */
static void step(struct sch_vtest_server *server, bool takes, int most_ms)
{
    struct pollfd polled[2] = {{.fd = server->signals, .events = POLLIN},
                               {.fd = takes ? server->listener.socket : -1, .events = POLLIN}};
    if (poll(polled, 2, most_ms) < 0 && errno != EINTR) server->stops = server->failed = true;
    if (polled[0].revents) take_signals(server);
    if (polled[1].revents && can_take(server) && !server->stops) take_client(server);
}

static void signal_all(const struct sch_vtest_server *server, int number)
{
    for (uint32_t i = 0; i < server->options.most; i++)
        if (server->processes[i].pid) kill(server->processes[i].pid, number);
    if (server->spare.pid) kill(server->spare.pid, number);
}

/* Waits until no process is left, so long. */
static void wait_for_all(struct sch_vtest_server *server, uint64_t ms)
{
    const uint64_t until = sch_vtest_now_ms() + ms;
    for (uint64_t now = sch_vtest_now_ms(); now < until && (server->count || server->spare.pid);
         now = sch_vtest_now_ms())
        step(server, false, (int)(until - now));
}

/* The file that the process has opened to which no client came. A link or a device of that name is its user's. */
static void remove_record(const struct sch_vtest_server *server)
{
    char name[PATH_MAX];
    struct stat status;
    if (!server->options.client.record) return;
    sch_vtest_record_name(&server->options.client, server->numbers + 1, name, sizeof name);
    if (lstat(name, &status) == 0 && S_ISREG(status.st_mode)) unlink(name);
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

static bool is_awaited(const struct sch_vtest_server *server)
{
    struct pollfd queue = {.fd = server->listener.socket, .events = POLLIN};
    return poll(&queue, 1, 0) > 0;
}

static bool is_busy(const struct sch_vtest_server *server)
{
    for (uint32_t i = 0; i < place_count(server); i++)
        if (atomic_load(&server->shared->places[i].busy)) return true;
    return false;
}

/* Whether all is done that clients have asked for, or time is over. A client whose program has ended is soon gone; one
 * that is not may yet have to be woken by what its program has sent last. */
static bool is_finished(const struct sch_vtest_server *server)
{
    const uint64_t passed = sch_vtest_now_ms() - server->asked_ms;
    if (passed >= atomic_load(&server->shared->finish_ms)) return true;
    return !is_awaited(server) && !is_busy(server) && (!server->count || passed >= GRACE_MS);
}

/* Those in the queue, whom the server's end came before. One that has left without a message has asked for nothing. No
 * more than were there at once: a program that connects again and again would keep the server. */
static void give_up_queue(struct sch_vtest_server *server)
{
    for (unsigned n = 0; n <= SCH_VTEST_BACKLOG; n++) {
        char first;
        const int connection = accept4(server->listener.socket, NULL, NULL, SOCK_CLOEXEC);
        if (connection < 0) break;
        const bool asks = recv(connection, &first, 1, MSG_PEEK | MSG_DONTWAIT) != 0;
        close(connection);
        if (!asks) continue;
        lose(server, "client %u is not served: the server ended first", ++server->numbers);
        server->shared->totals.clients++;
    }
}

static void serve(struct sch_vtest_server *server)
{
    while (!server->stops) {
        const bool room = server->count < server->options.most && !(server->options.once && server->numbers);
        if (room && !server->spare.pid && !server->wary && !server->asked_ms) make_ahead(server);
        step(server, room && can_take(server), server->asked_ms ? LOOK_MS : -1);
        if (server->asked_ms && is_finished(server)) server->stops = true;
    }
    end_processes(server);
    if (!server->options.once) give_up_queue(server);
    sch_vtest_lines_tell(&server->shared->lines, &server->options.log);
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
    server->asked_ms = 0;
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
