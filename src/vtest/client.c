/* See client.h. A process is made before its client comes, since what it needs takes longer than clients should wait:
 * the compiler of machine code is started while the system still lets it. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../support/system.h"
#include "sandbox.h"
#include "session.h"
#include "watch.h"

enum {
    CONTROL = 3,            /* the first descriptor that is not a standard one */
    MOST_LINES = 500,       /* that one client may write to the log */
    STACK_BYTES = 16 << 20, /* addresses of a thread */
    SLACK_BYTES = 128 << 20,
    GRACE_MS = 250 /* that the work may take which a client has left behind */
};

enum { LINE_BYTES = 480, NAME_BYTES = 4096 };

enum { SERVED, NO_PARENT, NO_CONTEXT, NO_RECORD, NO_SANDBOX };

const char *sch_vtest_client_problem(int status)
{
    static const char *const problems[] = {
        [NO_PARENT] = "it does not come loose from the server", /* which has ended, or of which a descriptor is left */
        [NO_CONTEXT] = "there is no memory for it",
        [NO_RECORD] = "its recording cannot be written",
        [NO_SANDBOX] = "its sandbox cannot be closed"};
    return status > SERVED && status <= NO_SANDBOX ? problems[status] : "it failed";
}

/* ---- the log: of one client, with its number, and not without end ---- */

struct told {
    const struct sch_virgl_log *log;
    uint32_t number, lines;
    struct sch_vtest_lines *of_all;
    struct sch_virgl_losses *losses;
};

static void write_line(void *user, const char *line)
{
    struct told *told = user;
    char whole[512];
    if (!told->log->write) return;
    if (told->lines >= MOST_LINES) told->losses->counts[SCH_VIRGL_LOST_LINE]++;
    if (told->lines > MOST_LINES) return;
    const bool last = told->lines++ == MOST_LINES;
    snprintf(whole, sizeof whole, "client %u: %.480s", told->number,
             last ? "nothing more is written of this client" : line);
    if (!sch_vtest_lines_write(told->of_all, told->log, whole) && !last) told->losses->counts[SCH_VIRGL_LOST_LINE]++;
}

/* ---- before the client comes ---- */

static void close_all_but(const int keeps[SCH_VTEST_KEEPS])
{
    unsigned first = CONTROL + 1;
    for (unsigned i = 0; i < SCH_VTEST_KEEPS; i++) {
        const unsigned kept = (unsigned)keeps[i];
        if (kept < first) continue;
        if (kept > first) syscall(SYS_close_range, first, kept - 1, 0u);
        first = kept + 1;
    }
    syscall(SYS_close_range, first, ~0u, 0u);
}

/* Closes what belongs to the server. Standard input belongs to no one. */
static bool leave_server(const struct sch_vtest_client *client)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL}, ignored = {.sa_handler = SIG_IGN};
    sigset_t none;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) return false;
    if (client->control != CONTROL && dup2(client->control, CONTROL) < 0) return false;
    close_all_but(client->options->keeps);
    for (int number = 1; number < NSIG; number++)
        if (number != SIGPIPE) sigaction(number, &standard, NULL); /* not for KILL and STOP */
    sigaction(SIGXFSZ, &ignored, NULL);                            /* a file that is too large answers so */
    sigaction(SIGINT, &ignored, NULL);                             /* the server gets it, too, and ends its clients */
    sigemptyset(&none);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0 || getppid() != client->parent) return false;
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/* Makes a program, or there is a reason that does not matter here. */
static void make_program(struct sch_context *context)
{
    static const char text[] = "VERT\nDCL OUT[0], POSITION\nIMM[0] FLT32 {0, 0, 0, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n";
    const struct sch_program_options options = {.size = sizeof options, .engine = SCH_ENGINE_AUTO};
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    if (sch_shader_read(context, text, sizeof text - 1, NULL, NULL, &shader) == SCH_OK)
        sch_program_create(context, shader, &options, NULL, &program);
    sch_program_destroy(program);
    sch_shader_destroy(shader);
}

/* The compiler is not waited for, since most clients do not need it before they have drawn for a while. With its first
 * program a context says what is wrong with its cache: from within the sandbox it would see that it cannot write
 * there. */
static struct sch_context *make_context(const struct sch_vtest_client_options *options)
{
    struct sch_context *context;
    if (sch_context_create(options->context, &context) != SCH_OK) return NULL;
    if (options->engine == SCH_ENGINE_AUTO || options->engine == SCH_ENGINE_JIT) {
        sch_context_start_compiler(context);
        make_program(context);
    }
    return context;
}

/* ---- recording ---- */

void sch_vtest_record_name(const struct sch_vtest_client_options *options, uint32_t number, char *name, size_t bytes)
{
    if (number == 1)
        snprintf(name, bytes, "%s", options->record);
    else
        snprintf(name, bytes, "%s-%u", options->record, number);
}

/* Says why something is lost that the server counts: the client, which is not served. */
static void __attribute__((format(printf, 2, 3))) give_reason(struct told *told, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sch_virgl_losses_note(told->losses, 0, line);
    write_line(told, line);
}

/* Says and counts what is lost. */
static void __attribute__((format(printf, 3, 4)))
lose(struct told *told, enum sch_virgl_loss loss, const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sch_virgl_losses_note(told->losses, 0, line);
    told->losses->counts[loss]++;
    write_line(told, line);
}

struct record {
    const struct sch_vtest_client *client;
    struct told *told;
    int file; /* -1: none */
};

/* What follows is not recorded: a recording with a gap would draw something else. */
static bool write_record(void *user, const void *data, size_t bytes)
{
    const struct record *record = user;
    if (sch_write_all(record->file, data, bytes)) return true;
    lose(record->told, SCH_VIRGL_LOST_RECORDING, "the recording is not whole: %s", strerror(errno));
    return false;
}

/* The first client's file is what its user has named, a device or a link, too. The names of the others follow from that
 * one, so someone else may have put a link there: a file of such a name is replaced, and none is written that is there.
 * -1: it cannot be. */
static int open_name(const char *name, uint32_t number)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (number == 1 ? O_TRUNC : O_EXCL | O_NOFOLLOW);
    if (number != 1 && unlink(name) != 0 && errno != ENOENT) return -1;
    return open(name, flags, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
}

/* Opens the file while that is allowed. False: it cannot be written, which was reported. */
static bool open_record(struct record *record)
{
    const struct sch_vtest_client *client = record->client;
    char name[NAME_BYTES];
    if (!client->options->record) return true;
    sch_vtest_record_name(client->options, client->number, name, sizeof name);
    record->file = open_name(name, client->number);
    if (record->file >= 0) return true;
    give_reason(record->told, "%.300s cannot be written: %s", name, strerror(errno));
    return false;
}

/* Bytes of a file that the process may write; 0: any. It is to make memory that it shares of any size that the protocol
 * can ask for, and no larger one. Recordings, and lists of frames and reads, grow as their user wants. */
static uint64_t largest_file(const struct sch_vtest_client_options *options)
{
    if (options->record || options->keeps[0]) return 0;
    return options->memory > UINT32_MAX ? options->memory : UINT32_MAX;
}

/* `addresses` receives those of memory that is shared, if code must have others. */
static bool close_sandbox(const struct sch_vtest_client *client, struct told *told,
                          struct sch_vtest_addresses *addresses)
{
    const struct sch_vtest_client_options *options = client->options;
    const struct sch_machine_code_options *code = options->context->machine_code;
    const bool compiles = options->engine == SCH_ENGINE_AUTO || options->engine == SCH_ENGINE_JIT;
    if (options->open) return true;
    if (compiles && !sch_vtest_addresses_choose(addresses, options->memory)) {
        give_reason(told, "the sandbox cannot be closed: there are no addresses for shared memory");
        return false;
    }
    const struct sch_vtest_sandbox sandbox = {.memory = 2 * options->memory + SLACK_BYTES +
                                                        (uint64_t)options->threads * STACK_BYTES,
                                              .seconds = options->seconds,
                                              .file = largest_file(options),
                                              .code = compiles,
                                              .shared = *addresses,
                                              .cache = compiles && code ? code->cache : NULL};
    if (sandbox.cache) mkdir(sandbox.cache, S_IRWXU); /* as the library does, or it is there */
    const char *problem = sch_vtest_sandbox_close(&sandbox);
    if (!problem) return true;
    give_reason(told, "the sandbox cannot be closed: %s", problem);
    return false;
}

/* ---- the client ---- */

union control {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
};

bool sch_vtest_assign(int control, uint32_t number, int connection)
{
    struct sch_vtest_assignment assignment = {number};
    struct iovec part = {&assignment, sizeof assignment};
    union control room = {.bytes = {0}};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head =
        (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof connection)};
    memcpy(CMSG_DATA(head), &connection, sizeof connection);
    return sendmsg(control, &message, MSG_NOSIGNAL) == (ssize_t)sizeof assignment;
}

/* The connection; -1: the server needs no more clients. */
static int wait_for_assignment(uint32_t *number)
{
    struct sch_vtest_assignment assignment;
    struct iovec part = {&assignment, sizeof assignment};
    union control room;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    int connection;
    ssize_t got;
    do got = recvmsg(CONTROL, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    const struct cmsghdr *head = got == (ssize_t)sizeof assignment ? CMSG_FIRSTHDR(&message) : NULL;
    if (!head || head->cmsg_type != SCM_RIGHTS) return -1;
    memcpy(&connection, CMSG_DATA(head), sizeof connection);
    *number = assignment.number;
    return connection;
}

static void add_totals(struct sch_vtest_shared_totals *shared, const struct sch_vtest_counts *of_session,
                       struct sch_virgl_counts of_virgl, const struct sch_code_counts *of_code)
{
    struct sch_vtest_totals *totals = &shared->totals;
    for (unsigned tries = 0; atomic_flag_test_and_set(&shared->busy); tries++) {
        if (tries > 1000) return; /* whoever had it was killed */
        usleep(1000);
    }
    totals->messages += of_session->messages;
    totals->refused += of_session->refused;
    totals->bytes += of_session->bytes;
    totals->waits += of_session->waits;
    totals->compiled += of_code->programs + of_code->lookups;
    totals->from_cache += of_code->from_cache;
    totals->of_virgl.submits += of_virgl.submits;
    totals->of_virgl.commands += of_virgl.commands;
    totals->of_virgl.refused += of_virgl.refused;
    totals->of_virgl.draws += of_virgl.draws;
    totals->of_virgl.clears += of_virgl.clears;
    totals->of_virgl.grids += of_virgl.grids;
    totals->of_virgl.shaders += of_virgl.shaders;
    totals->of_virgl.transfers += of_virgl.transfers;
    totals->of_virgl.frames += of_virgl.frames;
    totals->of_virgl.reads += of_virgl.reads;
    atomic_flag_clear(&shared->busy);
}

/* What a client's process has. */
struct served {
    const struct sch_vtest_client *client;
    struct sch_context *context;
    struct sch_virgl *virgl;
    struct told *told;
    struct sch_vtest_addresses addresses;
    int zeros; /* /dev/zero, which the sandbox does not open */
    struct sch_vtest_watch watch;
};

static void show(void *user, const struct sch_virgl_frame *frame)
{
    const struct served *served = user;
    const struct sch_vtest_client_options *options = served->client->options;
    if (options->show(options->user, served->context, frame)) return;
    lose(served->told, SCH_VIRGL_LOST_FRAME, "frame %" PRIu64 " of this client is not written", frame->number);
}

static void show_read(void *user, const struct sch_virgl_read *read)
{
    const struct served *served = user;
    const struct sch_vtest_client_options *options = served->client->options;
    if (options->read(options->user, served->context, read)) return;
    lose(served->told, SCH_VIRGL_LOST_FRAME, "read %" PRIu64 " of this client is not written", read->number);
}

/* Where something is written of what the client draws, someone waits for that when the client has left: gl, which ends
 * the server, too. */
static bool is_for_the_client(const struct sch_vtest_client_options *options)
{
    return !options->record && !options->show && !options->read && !options->collect;
}

static void collect(struct served *served)
{
    const struct sch_vtest_client_options *options = served->client->options;
    struct sch_virgl_collector collector;
    if (!options->collect) return;
    options->collect(options->collects, served->told->number, &collector);
    sch_virgl_collect(served->virgl, &collector);
}

static void watch(struct served *served, int connection)
{
    char line[LINE_BYTES];
    served->watch.end = -1;
    if (!is_for_the_client(served->client->options)) return;
    const int error = sch_vtest_watch_begin(&served->watch, connection, GRACE_MS);
    if (!error) return;
    snprintf(line, sizeof line, "the client's leaving is not seen while it is served: %s", strerror(error));
    write_line(served->told, line);
}

static int serve(struct served *served, const struct sch_allocator *memory)
{
    const struct sch_vtest_session_options options = {.virgl = served->virgl,
                                                      .memory = memory,
                                                      .shared_bytes = served->client->options->memory,
                                                      .addresses = served->addresses,
                                                      .first_seconds = served->client->options->first_seconds,
                                                      .protocol = served->client->options->protocol,
                                                      .zeros = served->zeros,
                                                      .log = {write_line, served->told},
                                                      .losses = &served->client->place->losses,
                                                      .gone = &served->watch.gone,
                                                      .busy = &served->client->place->busy};
    struct sch_code_counts of_code = {.size = sizeof of_code};
    struct sch_vtest_counts counts;
    const int connection = wait_for_assignment(&served->told->number);
    if (connection < 0) return SERVED;
    close(CONTROL);
    watch(served, connection);
    collect(served);
    sch_vtest_session(connection, &options, &counts);
    sch_vtest_watch_end(&served->watch);
    atomic_store(&served->client->place->busy, false);
    sch_context_code_counts(served->context, &of_code);
    add_totals(served->client->shared, &counts, sch_virgl_get_counts(served->virgl), &of_code);
    close(connection);
    return SERVED;
}

static int serve_on(struct served *served)
{
    const struct sch_vtest_client *client = served->client;
    struct sch_context_memory memory = {.size = sizeof memory};
    const struct sch_virgl_options options = {.context = served->context,
                                              .engine = client->options->engine,
                                              .width = client->options->width,
                                              .threads = client->options->threads,
                                              .deadline_ms = client->options->deadline_ms,
                                              .cancel = &served->watch.gone,
                                              .log = {write_line, served->told},
                                              .losses = &client->place->losses};
    const struct sch_virgl_frame_callbacks frame_callbacks = {client->options->show ? show : NULL, served,
                                                              client->options->read ? show_read : NULL};
    if (sch_context_get_memory(served->context, &memory) != SCH_OK ||
        sch_virgl_create(&options, &served->virgl) != SCH_OK)
        return NO_CONTEXT;
    struct record record = {client, served->told, -1};
    int status = SERVED;
    if (!open_record(&record)) status = NO_RECORD;
    const struct sch_virgl_sink sink = {write_record, &record};
    if (record.file >= 0) sch_virgl_record(served->virgl, &sink);
    if (client->options->show || client->options->read) sch_virgl_set_frame_callbacks(served->virgl, &frame_callbacks);
    const int zeros = open("/dev/zero", O_RDWR | O_CLOEXEC);
    served->zeros = zeros > 0 ? zeros : 0;
    if (status == SERVED && !close_sandbox(client, served->told, &served->addresses)) status = NO_SANDBOX;
    if (status == SERVED) status = serve(served, &memory.memory);
    sch_virgl_destroy(served->virgl);
    return status;
}

int sch_vtest_client_main(const struct sch_vtest_client *client)
{
    struct told told = {.log = &client->log,
                        .number = client->number,
                        .of_all = &client->shared->lines,
                        .losses = &client->place->losses};
    if (!leave_server(client)) return NO_PARENT;
    struct sch_context *context = make_context(client->options);
    if (!context) return NO_CONTEXT;
    struct served served = {.client = client, .context = context, .told = &told};
    const int status = serve_on(&served);
    sch_context_destroy(context);
    return status;
}
