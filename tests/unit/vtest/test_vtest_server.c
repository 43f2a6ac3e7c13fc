/* Tests of src/vtest's server: its socket, its clients' processes and the sandbox that these are in. The server is a
 * process of its own here, as its signals are; its virgl is the one of virgl_fake.c, which does on demand what no
 * client may have done. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../../src/vtest/vtest.h"
#include "../support/sanitized.h"
#include "virgl_fake.h"
#include "vtest_client.h"

enum { LOG_BYTES = 1 << 19, MEMORY = 16 << 20, WAIT_MS = 20000, MOMENT_MS = 5 };

/* What the processes write to the log. */
struct log {
    uint32_t length;
    char text[LOG_BYTES];
};

struct world {
    char folder[64], path[96], compiler[300];
    struct log *log;
    struct sch_machine_code_options code;
    struct sch_log_callback messages; /* of the library, where a test wants them */
    struct sch_context_options context;
    struct sch_vtest_server_options options;
    struct sch_vtest_server *server;
    pid_t pid;
    bool stranger; /* the server has another child */
};

static void write_line(void *user, const char *line)
{
    struct log *log = user;
    const uint32_t length = (uint32_t)strlen(line) + 1;
    const uint32_t at = __atomic_fetch_add(&log->length, length, __ATOMIC_SEQ_CST);
    if (at + length >= LOG_BYTES) return;
    memcpy(log->text + at, line, length - 1);
    log->text[at + length - 1] = '\n';
}

static void write_message(void *user, const struct sch_log_message *message) { write_line(user, message->text); }

static void moment(void) { nanosleep(&(struct timespec){.tv_nsec = MOMENT_MS * 1000000}, NULL); }

static int set_up(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    const char *build = getenv("SCH_BUILD");
    *state = world;
    snprintf(world->folder, sizeof world->folder, "/dev/shm/scheelite-XXXXXX");
    assert_non_null(mkdtemp(world->folder));
    snprintf(world->path, sizeof world->path, "%s/socket", world->folder);
    snprintf(world->compiler, sizeof world->compiler, "%s/src/jit/libscheelite-jit.so", build ? build : ".");
    world->log = mmap(NULL, sizeof *world->log, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    world->code = (struct sch_machine_code_options){.size = sizeof world->code, .compiler = world->compiler};
    world->context = (struct sch_context_options){.size = sizeof world->context, .machine_code = &world->code};
    world->options = (struct sch_vtest_server_options){.path = world->path,
                                                       .most = 4,
                                                       .client = {.context = &world->context,
                                                                  .engine = SCH_ENGINE_INTERPRETER,
                                                                  .threads = FAKE_DARING,
                                                                  .memory = MEMORY},
                                                       .log = {write_line, world->log}};
    return 0;
}

static void open_server(struct world *world)
{
    char problem[256];
    world->server = sch_vtest_server_open(&world->options, problem);
    if (!world->server) fail_msg("%s", problem);
}

/* From here on this process makes no other one. */
static void forbid_processes(void)
{
    enum { NOBODY = 65534 }; /* root may make more than the limit says */
    const struct rlimit none = {0, 0};
    if (setrlimit(RLIMIT_NPROC, &none) != 0 || (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0)) _exit(97);
}

/* A child that the server knows nothing of, as the system's first process has some. */
static void make_stranger(void)
{
    if (fork() != 0) return;
    for (unsigned ms = 0; ms < 100; ms += MOMENT_MS) moment();
    _exit(0);
}

static void run_server(struct world *world, bool no_processes)
{
    /* What is sent to the server before it waits for signals stays there until it does. */
    sigset_t wanted, before;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    sigprocmask(SIG_BLOCK, &wanted, &before);
    world->pid = fork();
    if (world->pid) {
        sch_vtest_server_leave(world->server); /* a client in the queue of a server that ended sees the end */
        sigprocmask(SIG_SETMASK, &before, NULL);
        return;
    }
    if (world->stranger) make_stranger();
    if (no_processes) forbid_processes();
    const bool served = sch_vtest_server_run(world->server);
    sch_vtest_server_close(world->server);
    _exit(served ? 0 : 1);
}

static void start(struct world *world)
{
    open_server(world);
    run_server(world, false);
}

/* The server's exit status, once it ended. */
static int wait_for_server(struct world *world)
{
    int status = 0;
    assert_int_equal(waitpid(world->pid, &status, 0), world->pid);
    world->pid = 0;
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void stops(struct world *world)
{
    kill(world->pid, SIGTERM);
    assert_int_equal(wait_for_server(world), 0);
}

static int tear_down(void **state)
{
    struct world *world = *state;
    if (world->pid) kill(world->pid, SIGKILL), waitpid(world->pid, NULL, 0);
    if (world->server) sch_vtest_server_forget(world->server);
    unlink(world->path);
    rmdir(world->folder);
    munmap(world->log, sizeof *world->log);
    free(world);
    return 0;
}

static int connected_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(client, (struct sockaddr *)&address, sizeof address) == 0) return client;
    close(client);
    return -1;
}

static int connects(const struct world *world)
{
    const int client = connected_to(world->path);
    assert_true(client >= 0);
    return client;
}

static void logs(const struct world *world, const char *text)
{
    for (unsigned ms = 0; ms < WAIT_MS && !strstr(world->log->text, text); ms += MOMENT_MS) moment();
    if (!strstr(world->log->text, text)) fail_msg("no \"%s\" in the log:\n%s", text, world->log->text);
}

/* ---- the socket ---- */

static void refuses_to_open(const struct world *world, const char *reason)
{
    char problem[256];
    struct sch_vtest_server *server = sch_vtest_server_open(&world->options, problem);
    assert_null(server);
    if (!strstr(problem, reason)) fail_msg("%s: no \"%s\"", problem, reason);
}

static void test_socket(void **state)
{
    struct world *world = *state;
    struct stat status;
    start(world);
    assert_int_equal(lstat(world->path, &status), 0);
    assert_int_equal(status.st_mode, S_IFSOCK | S_IRUSR | S_IWUSR);
    refuses_to_open(world, "a server is there already");
    close(connects(world));
    stops(world);
    assert_int_equal(lstat(world->path, &status), -1);
    assert_string_equal(world->log->text, "");
}

static void test_ends_by_keyboard(void **state)
{
    struct world *world = *state;
    start(world);
    kill(world->pid, SIGINT);
    assert_int_equal(wait_for_server(world), 0);
    world->options.ignores_keyboard = true;
    sch_vtest_server_forget(world->server);
    start(world);
    const int client = connects(world);
    client_settle(client);
    kill(world->pid, SIGINT);
    const int other = connects(world);
    client_settle(other);
    close(other);
    close(client);
    stops(world);
    assert_int_equal(sch_vtest_server_totals(world->server).clients, 2);
}

static void test_other_files(void **state)
{
    struct world *world = *state;
    const int file = open(world->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    refuses_to_open(world, "is not a socket");
    close(file);
    unlink(world->path);
    assert_int_equal(symlink("/dev/null", world->path), 0);
    refuses_to_open(world, "is not a socket");
    unlink(world->path);
    char name[200];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = 0;
    world->options.path = name;
    refuses_to_open(world, "1 to 107 bytes");
    world->options.path = "";
    refuses_to_open(world, "1 to 107 bytes");
    snprintf(name, sizeof name, "%s/none/socket", world->folder);
    world->options.path = name;
    refuses_to_open(world, "No such file");
}

/* A server that was killed leaves its socket; a socket that another server has made is left. */
static void test_old_sockets(void **state)
{
    struct world *world = *state;
    struct stat status;
    start(world);
    client_settle(connects(world));
    kill(world->pid, SIGKILL);
    waitpid(world->pid, NULL, 0);
    sch_vtest_server_forget(world->server);
    assert_int_equal(lstat(world->path, &status), 0);
    for (int client; (client = connected_to(world->path)) >= 0; moment()) close(client); /* its children end, too */
    start(world);
    client_settle(connects(world));
    assert_int_equal(unlink(world->path), 0);
    const int file = open(world->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    close(file);
    stops(world);
    assert_int_equal(lstat(world->path, &status), 0);
}

/* Before one of the server's calls another server begins at the same path. */
static struct world *rival_at_listen, *rival_at_rename;
static struct sch_vtest_server *rival;

static void let_rival_in(struct world **of)
{
    struct world *world = *of;
    char problem[256];
    *of = NULL;
    if (world) rival = sch_vtest_server_open(&world->options, problem);
}

/* In the place of the C library's. */
int listen(int descriptor, int backlog)
{
    let_rival_in(&rival_at_listen);
    return (int)syscall(SYS_listen, descriptor, backlog);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    let_rival_in(&rival_at_rename);
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

/* Two servers begin at once, with a socket there that no one serves, or none: one has it, the other says so. */
static void test_rivals(void **state)
{
    struct world *world = *state;
    struct stat status;
    for (unsigned round = 0; round < 3; round++) {
        if (round > 0) {
            open_server(world);
            sch_vtest_server_forget(world->server);
            world->server = NULL;
            assert_int_equal(lstat(world->path, &status), 0);
        }
        if (round < 2)
            rival_at_listen = world;
        else
            rival_at_rename = world; /* after the path was looked at */
        refuses_to_open(world, "a server is there already");
        assert_non_null(rival);
        const int client = connects(world);
        close(client);
        sch_vtest_server_close(rival);
        rival = NULL;
        assert_int_equal(lstat(world->path, &status), -1);
        assert_int_equal(rmdir(world->folder), 0); /* nothing else is left there */
        assert_int_equal(mkdir(world->folder, 0700), 0);
    }
}

/* ---- clients ---- */

static void test_two_clients(void **state)
{
    struct world *world = *state;
    start(world);
    const int one = connects(world), other = connects(world);
    uint8_t *of_one = client_buffer(one, 1, 64), *of_other = client_buffer(other, 1, 64);
    of_one[0] = 1;
    of_other[0] = 2;
    static const uint32_t put[] = {11, TRANSFER_PUT2, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0};
    client_send(one, put, sizeof put);
    client_send(other, put, sizeof put);
    CLIENT_SAY(other, TRANSFER_GET2, 1, 0, 0, 0, 0, 1, 1, 1, 1, 32);
    client_settle(other);
    client_send(one, put, sizeof put / 2); /* dies within a message */
    close(one);
    logs(world, "client 1: message 3 (TRANSFER_PUT2) at byte 100 ends the session");
    assert_int_equal(of_other[32], 2);
    CLIENT_SAY(other, RESOURCE_UNREF, 1);
    client_settle(other);
    const int third = connects(world);
    client_settle(third);
    close(other);
    close(third);
    stops(world);
    const struct sch_vtest_totals totals = sch_vtest_server_totals(world->server);
    assert_int_equal(totals.clients, 3);
    assert_int_equal(totals.messages, 3 + 6 + 1);
    assert_int_equal(totals.of_virgl.transfers, 1 + 2);
    munmap(of_one, 64);
    munmap(of_other, 64);
}

static void test_crash(void **state)
{
    struct world *world = *state;
    start(world);
    const int one = connects(world), other = connects(world);
    munmap(client_buffer(one, 1, 64), 64);
    client_settle(other);
    CLIENT_SAY(one, SUBMIT_CMD, FAKE_CRASH, 1);
    client_sees_end(one);
    logs(world, SANITIZED ? "client 1: its process" : "client 1: its process was ended by signal 11");
    client_settle(other);
    close(one);
    close(other);
    stops(world);
}

/* At most so many at once: the next one waits. */
static void test_most_clients(void **state)
{
    struct world *world = *state;
    world->options.most = 1;
    start(world);
    const int one = connects(world);
    client_settle(one);
    const int other = connects(world);
    CLIENT_SAY(other, PING_PROTOCOL_VERSION);
    struct pollfd polled = {.fd = other, .events = POLLIN};
    assert_int_equal(poll(&polled, 1, 150), 0);
    close(one);
    CLIENT_HEARS(other, 0, PING_PROTOCOL_VERSION);
    close(other);
    stops(world);
}

static void test_once(void **state)
{
    struct world *world = *state;
    world->options.once = true;
    start(world);
    const int one = connects(world);
    client_settle(one);
    close(one);
    assert_int_equal(wait_for_server(world), 0);
    assert_int_equal(connected_to(world->path), -1);
}

/* Clients that are still there lose their connection. */
static void test_end_with_clients(void **state)
{
    struct world *world = *state;
    start(world);
    const int one = connects(world);
    client_settle(one);
    stops(world);
    client_sees_end(one);
    close(one);
}

/* A server that is killed leaves no process of a client. */
static void test_killed_server(void **state)
{
    struct world *world = *state;
    start(world);
    const int one = connects(world);
    client_settle(one);
    kill(world->pid, SIGKILL);
    waitpid(world->pid, NULL, 0);
    world->pid = 0;
    client_sees_end(one);
    close(one);
}

/* The file is opened before the sandbox is closed, and there for clients alone. */
static void test_record(void **state)
{
    struct world *world = *state;
    char name[120], next[130], got[16] = "";
    snprintf(name, sizeof name, "%s/record", world->folder);
    world->options.client.record = name;
    start(world);
    for (unsigned i = 0; i < 2; i++) {
        const int client = connects(world);
        client_settle(client);
        close(client);
    }
    stops(world);
    for (unsigned i = 1; i <= 2; i++) {
        snprintf(next, sizeof next, i == 1 ? "%s" : "%s-%u", name, i);
        const int file = open(next, O_RDONLY | O_CLOEXEC);
        assert_int_equal(read(file, got, sizeof got), 8);
        assert_memory_equal(got, "recorded", 8);
        close(file);
        unlink(next);
    }
    snprintf(next, sizeof next, "%s-3", name);
    assert_int_equal(access(next, F_OK), -1);
}

/* A link of the name of a later client's file is replaced, and what it leads to stays. */
static void test_record_at_link(void **state)
{
    struct world *world = *state;
    char name[120], next[130], other[130], got[16] = "";
    struct stat status;
    snprintf(name, sizeof name, "%s/record", world->folder);
    snprintf(next, sizeof next, "%s-2", name);
    snprintf(other, sizeof other, "%s/other", world->folder);
    const int file = open(other, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_int_equal(write(file, "precious", 8), 8);
    close(file);
    assert_int_equal(symlink(other, next), 0);
    world->options.client.record = name;
    start(world);
    for (unsigned i = 0; i < 2; i++) {
        const int client = connects(world);
        client_settle(client);
        close(client);
    }
    stops(world);
    const int kept = open(other, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(kept, got, sizeof got), 8);
    assert_memory_equal(got, "precious", 8);
    close(kept);
    assert_int_equal(lstat(next, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    unlink(name);
    unlink(next);
    unlink(other);
}

/* What the user has named may be a link or a device: it is there afterwards, if no client came, too. */
static void test_record_of_no_client(void **state)
{
    struct world *world = *state;
    char name[120], other[130];
    struct stat status;
    snprintf(name, sizeof name, "%s/record", world->folder);
    snprintf(other, sizeof other, "%s/other", world->folder);
    assert_int_equal(symlink(other, name), 0);
    world->options.client.record = name;
    start(world);
    for (unsigned ms = 0; ms < WAIT_MS && access(other, F_OK) != 0; ms += MOMENT_MS) moment();
    stops(world);
    assert_int_equal(lstat(name, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    unlink(name);
    unlink(other);
}

static void test_no_record(void **state)
{
    struct world *world = *state;
    char name[120];
    snprintf(name, sizeof name, "%s/none/record", world->folder);
    world->options.client.record = name;
    start(world);
    assert_int_equal(wait_for_server(world), 1);
    logs(world, "/none/record cannot be written: No such file or directory");
    logs(world, "the process of the next client ended before it came: its recording cannot be written");
}

/* A client that comes before its process fails is that process's; whichever comes first, the client is lost, and why is
 * said. */
static void test_no_record_of_a_client(void **state)
{
    struct world *world = *state;
    char name[120];
    snprintf(name, sizeof name, "%s/none/record", world->folder);
    world->options.client.record = name;
    static const char assigned[] = "client 1: its process cannot serve it: its recording cannot be written";
    for (unsigned tries = 0; tries < 50 && !strstr(world->log->text, assigned); tries++) {
        if (world->server) sch_vtest_server_forget(world->server);
        open_server(world);
        const int client = connects(world);
        run_server(world, false);
        client_sees_end(client);
        close(client);
        kill(world->pid, SIGTERM);
        wait_for_server(world);
        const struct sch_vtest_totals totals = sch_vtest_server_totals(world->server);
        assert_true(totals.losses.counts[SCH_VIRGL_LOST_CLIENT] >= 1); /* the next one's process fails, too */
        if (!strstr(totals.losses.first, "/none/record") || !strstr(totals.losses.first, " cannot be written"))
            fail_msg("the first reason is: %s", totals.losses.first); /* of this client, or of the next one's */
    }
    logs(world, assigned);
}

/* Each client that no process can be made for is turned away, and the server stays. */
static void test_no_processes(void **state)
{
    struct world *world = *state;
    open_server(world);
    run_server(world, true);
    for (unsigned i = 0; i < 3; i++) {
        const int client = connects(world);
        client_sees_end(client);
        close(client);
    }
    stops(world);
    logs(world, "no process can be made for the next client, so far: Resource temporarily unavailable");
    logs(world, "client 3 is not served, as no process can be made for it: Resource temporarily unavailable");
    const struct sch_vtest_totals totals = sch_vtest_server_totals(world->server);
    assert_int_equal(totals.losses.counts[SCH_VIRGL_LOST_CLIENT], 3);
    assert_int_equal(totals.clients, 3);
    assert_string_equal(totals.losses.first,
                        "client 1 is not served, as no process can be made for it: Resource temporarily unavailable");
}

/* The only client is not served: the server ends, and says so by its exit status. */
static void test_no_process_once(void **state)
{
    struct world *world = *state;
    world->options.once = true;
    open_server(world);
    run_server(world, true);
    const int client = connects(world);
    client_sees_end(client);
    close(client);
    assert_int_equal(wait_for_server(world), 1);
}

/* The server's children; zombies, too. */
static unsigned children(const struct world *world, pid_t *first)
{
    char name[80];
    int pid;
    unsigned count = 0;
    snprintf(name, sizeof name, "/proc/%d/task/%d/children", (int)world->pid, (int)world->pid);
    FILE *file = fopen(name, "re");
    if (!file) skip();
    for (*first = 0; fscanf(file, "%d", &pid) == 1; count++)
        if (!*first) *first = pid;
    fclose(file);
    return count;
}

/* The process of the next client is killed before it comes: nothing is lost. */
static void test_killed_spare(void **state)
{
    struct world *world = *state;
    pid_t spare = 0;
    start(world);
    while (children(world, &spare) != 1) moment();
    kill(spare, SIGKILL);
    logs(world, "the process of the next client is gone, another is made when it comes: Killed");
    const int one = connects(world), other = connects(world);
    client_settle(one);
    client_settle(other);
    close(one);
    close(other);
    stops(world);
    assert_int_equal(sch_vtest_server_totals(world->server).losses.counts[SCH_VIRGL_LOST_CLIENT], 0);
}

/* Children that are not clients' are waited for, too: none stays as a zombie. */
static void test_stranger(void **state)
{
    struct world *world = *state;
    pid_t first;
    world->stranger = true;
    start(world);
    const int client = connects(world);
    client_settle(client);
    while (children(world, &first) < 2) moment(); /* the client's process, the next one, perhaps the stranger */
    for (unsigned ms = 0; ms < WAIT_MS && children(world, &first) != 2; ms += MOMENT_MS) moment();
    for (unsigned ms = 0; ms < 150; ms += MOMENT_MS) moment(); /* after the stranger's end */
    assert_int_equal(children(world, &first), 2);
    close(client);
    stops(world);
}

static int not_kept; /* a descriptor of the server's */

/* In the client's process, in the sandbox. */
static bool note_frame(void *user, struct sch_context *context, const struct sch_virgl_frame *frame)
{
    const struct world *world = user;
    const uint8_t line[2] = {(uint8_t)frame->number, *(const uint8_t *)frame->texels};
    assert_non_null(context);
    for (unsigned i = 0; i < SCH_VTEST_KEEPS; i++)
        if (write(world->options.client.keeps[i], line, sizeof line) != sizeof line) _exit(99);
    if (write(not_kept, line, sizeof line) >= 0) _exit(98);
    return true;
}

/* Descriptors that are kept can be written to from there, and others are closed. */
static void test_frames(void **state)
{
    struct world *world = *state;
    int ends[SCH_VTEST_KEEPS + 1][2];
    uint8_t got[16];
    for (unsigned i = 0; i <= SCH_VTEST_KEEPS; i++) {
        assert_int_equal(pipe2(ends[i], O_CLOEXEC), 0);
        const int high = fcntl(ends[i][1], F_DUPFD_CLOEXEC, 40 + (int)i * 10);
        close(ends[i][1]);
        ends[i][1] = high;
        if (i < SCH_VTEST_KEEPS) world->options.client.keeps[i] = high;
    }
    not_kept = ends[SCH_VTEST_KEEPS][1];
    world->options.client.show = note_frame;
    world->options.client.user = world;
    start(world);
    for (unsigned i = 0; i <= SCH_VTEST_KEEPS; i++) close(ends[i][1]);
    const int client = connects(world);
    uint8_t *memory = client_buffer(client, 1, 64);
    for (uint8_t n = 0; n < 3; n++) {
        static const uint32_t put[] = {11, TRANSFER_PUT2, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0};
        memory[0] = (uint8_t)(7 + n);
        client_send(client, put, sizeof put);
        CLIENT_SAY(client, TRANSFER_GET2, 1, 0, 0, 0, 0, 1, 1, 1, 1, 0);
        client_settle(client);
    }
    for (unsigned i = 0; i < SCH_VTEST_KEEPS; i++) {
        static const uint8_t wanted[6] = {0, 7, 1, 8, 2, 9};
        assert_int_equal(read(ends[i][0], got, sizeof got), sizeof wanted);
        assert_memory_equal(got, wanted, sizeof wanted);
    }
    close(client);
    stops(world);
    assert_int_equal(sch_vtest_server_totals(world->server).of_virgl.frames, 3);
    for (unsigned i = 0; i <= SCH_VTEST_KEEPS; i++)
        assert_int_equal(read(ends[i][0], got, sizeof got), 0), close(ends[i][0]);
    munmap(memory, 64);
}

static void test_long_log(void **state)
{
    struct world *world = *state;
    start(world);
    const int one = connects(world);
    for (unsigned i = 0; i < 600; i++) CLIENT_SAY(one, RESOURCE_UNREF, i);
    client_settle(one);
    logs(world, "client 1: message 300 (");
    logs(world, "client 1: message 500 (");
    logs(world, "client 1: nothing more is written of this client");
    assert_null(strstr(world->log->text, "message 502"));
    close(one);
    stops(world);
}

static unsigned count_of(const char *text, const char *what)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, what)); at++) count++;
    return count;
}

/* Clients that come again and again write no more than one may, and each line that is left out is counted. */
static void test_long_logs(void **state)
{
    enum { CLIENTS = 6, REFUSED = 600, MOST = 2000, SLACK = 60 /* seconds that this may take */ };
    struct world *world = *state;
    start(world);
    for (unsigned n = 0; n < CLIENTS; n++) {
        const int client = connects(world);
        for (unsigned i = 0; i < REFUSED; i++) CLIENT_SAY(client, RESOURCE_UNREF, i);
        client_settle(client);
        close(client);
    }
    stops(world);
    const unsigned written = count_of(world->log->text, " is refused: ");
    const struct sch_vtest_totals totals = sch_vtest_server_totals(world->server);
    assert_in_range(written, MOST - CLIENTS, MOST + SLACK);
    assert_int_equal(totals.refused, CLIENTS * REFUSED);
    assert_int_equal(written + totals.losses.counts[SCH_VIRGL_LOST_LINE], CLIENTS * REFUSED);
    logs(world, "of the log left out: clients cause too many");
}

/* One that says nothing, and one that stops within its first message, lose their place; one that has begun keeps it. */
static void test_silent(void **state)
{
    struct world *world = *state;
    world->options.client.first_seconds = 1;
    start(world);
    const int one = connects(world), other = connects(world), third = connects(world);
    client_settle(third);
    client_send(other, "\0\0\0\0\n", 5);
    client_sees_end(one);
    client_sees_end(other);
    logs(world, "client 1: message 1 (header) at byte 0 ends the session: the first message has not come within 1 s");
    logs(world, "client 2: message 1 (header) at byte 0 ends the session: the first message has not come within 1 s");
    for (unsigned ms = 0; ms < 300; ms += MOMENT_MS) moment();
    client_settle(third);
    close(one);
    close(other);
    close(third);
    stops(world);
}

/* ---- the sandbox ---- */

/* What the client's process could do: 0, or the errno. */
static uint32_t attempt(int client, enum fake_command command)
{
    static uint32_t handle;
    uint32_t answer[2];
    uint8_t *memory = client_buffer(client, ++handle, 64);
    CLIENT_SAY(client, SUBMIT_CMD, command, handle);
    client_settle(client);
    memcpy(answer, memory, sizeof answer);
    assert_int_equal(answer[1], 1);
    munmap(memory, 64);
    return answer[0];
}

static bool is_filtered(void) { return sch_vtest_missing() == NULL; }

static void test_sandbox(void **state)
{
    struct world *world = *state;
    static const enum fake_command refused[] = {FAKE_OPEN, FAKE_CREATE,   FAKE_SOCKET,    FAKE_FORK,  FAKE_CODE,
                                                FAKE_KILL, FAKE_MAP_CODE, FAKE_CRASH_TRY, FAKE_TWICE, FAKE_SHARED_CODE};
    if (!is_filtered()) skip();
    start(world);
    const int client = connects(world);
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (attempt(client, refused[i]) != EPERM) fail_msg("attempt %x is not refused", refused[i]);
    assert_int_equal(attempt(client, FAKE_THREAD), 0);
    assert_int_equal(attempt(client, FAKE_SHARE), 0);
    assert_int_equal(attempt(client, FAKE_INTERPRET), 0);
    assert_int_equal(attempt(client, FAKE_LARGE), EFBIG);
    if (!SANITIZED) assert_int_equal(attempt(client, FAKE_MEMORY), ENOMEM);
    munmap(client_buffer(client, 1000, 64), 64);
    CLIENT_SAY(client, SUBMIT_CMD, FAKE_EXECUTE, 1000);
    client_sees_end(client);
    logs(world, "client 1: its process was ended by signal 31");
    close(client);
    stops(world);
}

/* The same attempts succeed without it: the test above can fail. */
static void test_without_sandbox(void **state)
{
    struct world *world = *state;
    static const enum fake_command done[] = {FAKE_OPEN,        FAKE_CREATE, FAKE_SOCKET,    FAKE_FORK,
                                             FAKE_CODE,        FAKE_KILL,   FAKE_MAP_CODE,  FAKE_MEMORY,
                                             FAKE_INTERPRET,   FAKE_THREAD, FAKE_CRASH_TRY, FAKE_TWICE,
                                             FAKE_SHARED_CODE, FAKE_AGAIN,  FAKE_PRIVATE,   FAKE_LARGE};
    world->options.client.open = true;
    start(world);
    const int client = connects(world);
    for (unsigned i = 0; i < sizeof done / sizeof *done; i++)
        if (attempt(client, done[i]) != 0 && done[i] != FAKE_MEMORY) fail_msg("attempt %x is refused", done[i]);
    unlink("/dev/shm/scheelite-sandbox");
    munmap(client_buffer(client, 1000, 64), 64);
    CLIENT_SAY(client, SUBMIT_CMD, FAKE_EXECUTE, 1000); /* the program has nothing to say */
    client_sees_end(client);
    close(client);
    stops(world);
}

/* The shared memory of resources that come and go: each is its own, whatever had its addresses before. */
static void make_and_destroy(int client)
{
    enum { RESOURCES = 40, FIRST = 500 };
    uint8_t *memory[RESOURCES];
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < RESOURCES; i++) {
            const uint32_t bytes = 1 + i * 17000, handle = FIRST + i;
            memory[i] = client_buffer(client, handle, bytes);
            memory[i][0] = (uint8_t)(i + round);
            CLIENT_SAY(client, TRANSFER_PUT2, handle, 0, 0, 0, 0, 1, 1, 1, 1, 0);
        }
        for (uint32_t i = 0; i < RESOURCES; i++) {
            const uint32_t at = (i * 7) % RESOURCES;
            memory[at][0] = 0;
            CLIENT_SAY(client, TRANSFER_GET2, FIRST + at, 0, 0, 0, 0, 1, 1, 1, 1, 0);
            client_settle(client);
            assert_int_equal(memory[at][0], (uint8_t)(at + round)); /* with its resource it goes */
            CLIENT_SAY(client, RESOURCE_UNREF, FIRST + at);
            munmap(memory[at], 1 + at * 17000);
        }
    }
}

/* Memory that was written and is not any more may become code, if programs are compiled; but not if another mapping or
 * another process may write to it. */
static void test_compiling(void **state)
{
    struct world *world = *state;
    if (access(world->compiler, R_OK) != 0) skip();
    world->options.client.engine = SCH_ENGINE_AUTO;
    world->messages = (struct sch_log_callback){write_message, world->log};
    world->context.log = &world->messages;
    start(world);
    const int client = connects(world);
    assert_int_equal(attempt(client, FAKE_COMPILE), 0);
    if (attempt(client, FAKE_COMPILE_TWO) != 0) fail_msg("not both were compiled:\n%s", world->log->text);
    if (is_filtered()) {
        assert_int_equal(attempt(client, FAKE_OPEN), EPERM);
        assert_int_equal(attempt(client, FAKE_CODE), EPERM);
        assert_int_equal(attempt(client, FAKE_MAP_CODE), EPERM);
        assert_int_equal(attempt(client, FAKE_TWICE), EPERM);
        assert_int_equal(attempt(client, FAKE_SHARED_CODE), EPERM);
        assert_int_equal(attempt(client, FAKE_AGAIN), EPERM);
        assert_int_equal(attempt(client, FAKE_PRIVATE), EPERM);
    }
    make_and_destroy(client);
    assert_int_equal(attempt(client, FAKE_COMPILE), 0);
    close(client);
    stops(world);
}

/* With a cache files can be opened, for reading: those of the cache. */
static void test_cache(void **state)
{
    struct world *world = *state;
    char cache[100], command[200];
    if (access(world->compiler, R_OK) != 0) skip();
    snprintf(cache, sizeof cache, "%s/cache", world->folder);
    world->code.cache = cache;
    world->options.client.engine = SCH_ENGINE_AUTO;
    start(world);
    const int client = connects(world);
    assert_int_equal(attempt(client, FAKE_COMPILE), 0);
    if (is_filtered()) {
        const uint32_t opened = attempt(client, FAKE_OPEN);
        assert_true(opened == EACCES || opened == EPERM); /* of Landlock; of the list, where there is no Landlock */
        assert_int_equal(attempt(client, FAKE_CREATE), EPERM);
    }
    close(client);
    stops(world);
    snprintf(command, sizeof command, "rm -r %s", cache); /* the compiler has written to it */
    assert_int_equal(system(command), 0);
}

static void test_time(void **state)
{
    struct world *world = *state;
    world->options.client.seconds = 1;
    start(world);
    const int client = connects(world), other = connects(world);
    munmap(client_buffer(client, 1, 64), 64);
    CLIENT_SAY(client, SUBMIT_CMD, FAKE_SPIN, 1);
    client_settle(other);
    client_sees_end(client);
    logs(world, "client 1: its process was ended by signal ");
    client_settle(other);
    close(client);
    close(other);
    stops(world);
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* The longest that this client waits for an answer, of 100. */
static double longest_wait(int client)
{
    double longest = 0;
    for (unsigned i = 0; i < 100; i++) {
        const double begun = now_ms();
        client_settle(client);
        if (now_ms() - begun > longest) longest = now_ms() - begun;
    }
    return longest;
}

/* One that never ends delays another by less than 50 ms. The machine may be busy with other tests: of several rounds,
 * one must show it. */
static void test_spin_beside(void **state)
{
    enum { MOST_MS = 50, ROUNDS = 20 };
    struct world *world = *state;
    double least = MOST_MS;
    start(world);
    const int client = connects(world), other = connects(world);
    munmap(client_buffer(client, 1, 64), 64);
    client_settle(other);
    CLIENT_SAY(client, SUBMIT_CMD, FAKE_SPIN, 1);
    for (unsigned round = 0; round < ROUNDS && least >= MOST_MS; round++) {
        const double longest = longest_wait(other);
        if (longest < least) least = longest;
    }
    print_message("# beside a client that never ends another one waits %.2f ms at most\n", least);
    assert_true(least < MOST_MS);
    struct pollfd polled = {.fd = client, .events = POLLIN};
    assert_int_equal(poll(&polled, 1, 0), 0); /* it still spins */
    close(client);
    close(other);
    stops(world);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_socket),         TEST(test_ends_by_keyboard),
                                       TEST(test_other_files),    TEST(test_rivals),
                                       TEST(test_old_sockets),    TEST(test_two_clients),
                                       TEST(test_crash),          TEST(test_most_clients),
                                       TEST(test_once),           TEST(test_end_with_clients),
                                       TEST(test_killed_server),  TEST(test_record),
                                       TEST(test_record_at_link), TEST(test_record_of_no_client),
                                       TEST(test_no_record),      TEST(test_no_record_of_a_client),
                                       TEST(test_no_processes),   TEST(test_no_process_once),
                                       TEST(test_killed_spare),   TEST(test_stranger),
                                       TEST(test_frames),         TEST(test_long_log),
                                       TEST(test_long_logs),      TEST(test_silent),
                                       TEST(test_sandbox),        TEST(test_without_sandbox),
                                       TEST(test_compiling),      TEST(test_cache),
                                       TEST(test_time),           TEST(test_spin_beside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
