/* The processes that compile, and which serves whom. One compiles one thing at a time; who waits for longer than a
 * moment has another one started, up to a few, so that what takes LLVM long does not hold up what does not. One is
 * kept when all is done. A process ends when its connection is closed: its number is not known, and it is never killed.
 *
 * This is the one file of the library with state that is not a context's: the processes serve all contexts of the host,
 * and what a fork() of the host copies must be put right for all of them at once. The lock is never held while anything
 * is waited for but itself. */
#include "native/process.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "native/internal.h"

enum {
    PROCESSES = 4,
    WAIT_MS = 100,    /* for a process, before another is started */
    POLL_MS = 100,    /* between looks at the clock */
    START_MS = 60000, /* that a process may take to begin: a machine may be loaded */
    SLACK = 10,       /* times the processor time that a request may take */
    CULPRITS = 16,    /* that are remembered */
    MOST_LOST = 8     /* processes, by a context, which then gets no other */
};

enum state { FREE, IDLE, BUSY, LEFT /* compiles what no one waits for */ };

struct sch_process {
    enum state state;
    bool begun;                         /* it has said who it is */
    int connection, other, wake;        /* `other`: the process's end, until it is started; -1: none */
    uint8_t identity[SCH_SHA256_BYTES]; /* which program with which compiler and cache */
};

#define FREE_PROCESS                                                                                                   \
    {                                                                                                                  \
        .state = FREE, .connection = -1, .other = -1, .wake = -1                                                       \
    }

static struct {
    pthread_mutex_t lock;
    pid_t owner;
    bool watches_forks;
    unsigned contexts;
    struct sch_process process[PROCESSES];
    uint8_t culprit[CULPRITS][SCH_SHA256_BYTES];
    unsigned culprits;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .process = {FREE_PROCESS, FREE_PROCESS, FREE_PROCESS, FREE_PROCESS}};

/* ---- locking, and fork() ---- */

static void close_process(struct sch_process *process)
{
    const int ends[] = {process->connection, process->other, process->wake};
    for (unsigned i = 0; i < 3; i++)
        if (ends[i] >= 0) close(ends[i]);
    *process = (struct sch_process)FREE_PROCESS;
}

static void before_fork(void) { pthread_mutex_lock(&all.lock); }
static void after_fork(void) { pthread_mutex_unlock(&all.lock); }

/* The child has copies of the parent's connections and none of its threads. */
static void begin_anew(void)
{
    for (unsigned i = 0; i < PROCESSES; i++) close_process(&all.process[i]);
    all.owner = getpid();
}

static void after_fork_in_child(void)
{
    begin_anew();
    pthread_mutex_unlock(&all.lock);
}

static void lock(void)
{
    pthread_mutex_lock(&all.lock);
    if (!all.watches_forks) all.watches_forks = pthread_atfork(before_fork, after_fork, after_fork_in_child) == 0;
    if (all.owner != getpid()) begin_anew(); /* the first time; or a child that was made without these */
}

static void unlock(void) { pthread_mutex_unlock(&all.lock); }

void sch_native_join_processes(void)
{
    lock();
    all.contexts++;
    unlock();
}

void sch_native_leave_processes(void)
{
    lock();
    if (--all.contexts == 0) /* none is needed */
        for (unsigned i = 0; i < PROCESSES; i++) close_process(&all.process[i]);
    unlock();
}

/* ---- who is to blame ---- */

static bool is_culprit(const uint8_t culprit[SCH_SHA256_BYTES])
{
    bool found = false;
    lock();
    for (unsigned i = 0; i < CULPRITS; i++) found = found || memcmp(all.culprit[i], culprit, SCH_SHA256_BYTES) == 0;
    unlock();
    return found;
}

static void count_lost(struct sch_native *native, const char *why)
{
    pthread_mutex_lock(&native->compiler_lock);
    snprintf(native->lost_problem, sizeof native->lost_problem, "%s", why);
    pthread_mutex_unlock(&native->compiler_lock);
    atomic_fetch_add(&native->lost, 1u);
    sch_log(&native->log, SCH_LOG_WARNING, SCH_LOG_COMPILER, "the compiler of machine code was lost: %s", why);
}

static void blame(const uint8_t culprit[SCH_SHA256_BYTES])
{
    lock();
    memcpy(all.culprit[all.culprits++ % CULPRITS], culprit, SCH_SHA256_BYTES);
    unlock();
}

/* ---- sending and receiving ---- */

static uint64_t now_ms(void) { return sch_clock_ns() / SCH_NS_OF_MS; }

enum passed { PASSED, BROKEN, TOO_LATE, WOKEN, NO_MEMORY };

/* Waits until the connection can be read or written; with `may_wake` also until the call is abandoned. */
static enum passed wait_for(const struct sch_process *process, short events, bool may_wake, uint64_t until)
{
    while (now_ms() < until) {
        struct pollfd polled[2] = {{.fd = process->connection, .events = events},
                                   {.fd = process->wake, .events = POLLIN}};
        int got = poll(polled, may_wake ? 2 : 1, POLL_MS);
        if (got < 0 && errno != EINTR) return BROKEN;
        if (got > 0) return polled[0].revents ? PASSED : WOKEN;
    }
    return TOO_LATE;
}

static enum passed send_all(const struct sch_process *process, const void *bytes, size_t size, uint64_t until)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = send(process->connection, (const char *)bytes + done, size - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (some > 0) done += (size_t)some;
        if (some >= 0 || errno == EINTR) continue;
        if (errno != EAGAIN) return BROKEN;
        enum passed passed = wait_for(process, POLLOUT, false, until);
        if (passed != PASSED) return passed;
    }
    return PASSED;
}

/* WOKEN only before anything has come. */
static enum passed receive_all(const struct sch_process *process, void *bytes, size_t size, bool may_wake,
                               uint64_t until)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = recv(process->connection, (char *)bytes + done, size - done, MSG_DONTWAIT);
        if (some > 0) done += (size_t)some;
        if (some == 0) return BROKEN;
        if (some > 0 || errno == EINTR) continue;
        if (errno != EAGAIN) return BROKEN;
        enum passed passed = wait_for(process, POLLIN, may_wake && !done, until); /* the rest comes at once */
        if (passed != PASSED) return passed;
    }
    return PASSED;
}

static enum passed send_message(const struct sch_process *process, const struct sch_wire *wire, uint64_t until)
{
    const struct sch_message_head head = {.magic = SCH_MESSAGE_MAGIC, .bytes = wire->bytes.size};
    enum passed passed = send_all(process, &head, sizeof head, until);
    return passed == PASSED ? send_all(process, wire->bytes.data, wire->bytes.size, until) : passed;
}

/* Into an empty wire; what it says is still to be read. */
static enum passed receive_message(const struct sch_process *process, bool may_wake, uint64_t until,
                                   struct sch_wire *wire)
{
    struct sch_message_head head;
    enum passed passed = receive_all(process, &head, sizeof head, may_wake, until);
    if (passed != PASSED) return passed;
    if (head.magic != SCH_MESSAGE_MAGIC || head.zero || head.bytes > SCH_MESSAGE_MOST_REPLIED + 4096) return BROKEN;
    if (!sch_bytes_reserve(&wire->bytes, (size_t)head.bytes + 1)) return NO_MEMORY;
    passed = receive_all(process, wire->bytes.data, (size_t)head.bytes, false, until);
    wire->bytes.size = (size_t)head.bytes;
    wire->reading = true;
    return passed;
}

/* ---- starting ---- */

static bool open_connection(struct sch_process *process)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
    process->connection = ends[0];
    process->other = ends[1];
    process->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return process->wake >= 0;
}

static enum passed receive_hello(struct sch_native *native, const struct sch_process *process, struct sch_hello *hello)
{
    struct sch_wire wire = {.bytes = {.allocator = &native->allocator}};
    enum passed passed = receive_message(process, false, now_ms() + START_MS, &wire);
    if (passed == PASSED) sch_message_hello(&wire, hello);
    /* What follows another version is not for this one to read. */
    const bool is_own = hello->version == SCH_NATIVE_VERSION;
    if (passed == PASSED && (!wire.at || (is_own && (wire.failed || wire.at != wire.bytes.size)))) passed = BROKEN;
    sch_wire_release(&wire);
    return passed;
}

static const char not_there[] = "is not there", not_started[] = "cannot be started",
                  ended[] = "ended before it began, or says nothing", gone[] = "ended before it was needed";

/* Where its processes keep code; empty: nowhere. */
static const char *cache_of(const struct sch_native *native)
{
    return native->cache.folder ? native->cache.folder : "";
}

/* Starts a process, whose connection is then open. Returns NULL, or why there is none. One that is started for `later`
 * waits to be begun. */
static const char *start(struct sch_native *native, struct sch_process *process, bool later)
{
    char memory[32], limit[32];
    snprintf(memory, sizeof memory, "%llu", (unsigned long long)native->process_memory);
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)native->cache.limit);
    const char *const arguments[] = {"scheelite-jit",
                                     native->compiler_path,
                                     memory,
                                     cache_of(native),
                                     limit,
                                     later ? SCH_MESSAGE_LATER : NULL,
                                     NULL};
    int error = sch_native_spawn(native->process_path, arguments, process->other);
    lock();
    close(process->other);
    process->other = -1;
    unlock();
    return !error ? NULL : error == ENOENT ? not_there : not_started;
}

/* Why a process that was started cannot be used, or NULL. */
static const char *begin(struct sch_native *native, struct sch_process *process, bool later, struct sch_hello *hello)
{
    enum passed passed = later ? send_all(process, "", 1, now_ms() + START_MS) : PASSED;
    if (passed == PASSED) passed = receive_hello(native, process, hello);
    if (passed != PASSED) return later && passed == BROKEN ? gone : ended;
    if (hello->version != SCH_NATIVE_VERSION || strcmp(hello->build, sch_native_build) != 0)
        return "was built with another version of this library";
    if (hello->problem[0]) return "";
    process->begun = true;
    sch_log(&native->log, SCH_LOG_DEBUG, SCH_LOG_COMPILER, "%s was started", native->process_path);
    return NULL;
}

/* That there is none is not news under `auto`; that a host does not let it start is. */
static void note_problem(struct sch_native *native, const struct sch_hello *hello, const char *problem)
{
    char why[sizeof native->compiler_problem];
    if (problem == not_started || problem == ended) count_lost(native, "its process cannot be started");
    pthread_mutex_lock(&native->compiler_lock);
    if (*problem)
        snprintf(native->compiler_problem, sizeof native->compiler_problem, "%s %s", native->process_path, problem);
    else
        snprintf(native->compiler_problem, sizeof native->compiler_problem, "%s", hello->problem);
    native->compiler_tried = true;
    memcpy(why, native->compiler_problem, sizeof why);
    pthread_mutex_unlock(&native->compiler_lock);
    sch_log(&native->log, SCH_LOG_INFO, SCH_LOG_COMPILER, "there is no compiler of machine code: %s", why);
}

/* ---- choosing ---- */

static void identify(const struct sch_native *native, uint8_t identity[SCH_SHA256_BYTES])
{
    struct sch_sha256 hash;
    sch_sha256_begin(&hash);
    sch_sha256_add(&hash, native->process_path, strlen(native->process_path) + 1);
    sch_sha256_add(&hash, native->compiler_path, strlen(native->compiler_path) + 1);
    sch_sha256_add(&hash, &native->process_memory, sizeof native->process_memory);
    sch_sha256_add(&hash, cache_of(native), strlen(cache_of(native)) + 1);
    sch_sha256_add(&hash, &native->cache.limit, sizeof native->cache.limit);
    sch_sha256_end(&hash, identity);
}

/* Reads the reply that no one waited for, when it has come. The lock is held, but not meanwhile. */
static void take_back(struct sch_native *native, struct sch_process *process)
{
    struct pollfd polled = {.fd = process->connection, .events = POLLIN};
    if (poll(&polled, 1, 0) <= 0) return;
    struct sch_wire wire = {.bytes = {.allocator = &native->allocator}};
    process->state = BUSY;
    unlock();
    enum passed passed = receive_message(process, false, now_ms() + START_MS, &wire);
    sch_wire_release(&wire);
    lock();
    process->state = IDLE;
    if (passed != PASSED) close_process(process);
}

/* One that is idle, of the same kind; `*others`: how many of it there are. The lock is held. */
static struct sch_process *find_idle(struct sch_native *native, const uint8_t identity[SCH_SHA256_BYTES],
                                     unsigned *others)
{
    *others = 0;
    for (unsigned i = 0; i < PROCESSES; i++) {
        struct sch_process *process = &all.process[i];
        if (process->state == FREE || memcmp(process->identity, identity, SCH_SHA256_BYTES) != 0) continue;
        if (process->state == LEFT) take_back(native, process);
        if (process->state == IDLE) return process;
        *others += process->state != FREE;
    }
    return NULL;
}

/* Room for another: one that is free, or of a process of another kind that does nothing. The lock is held. */
static struct sch_process *find_room(void)
{
    struct sch_process *idle = NULL;
    for (unsigned i = 0; i < PROCESSES; i++) {
        if (all.process[i].state == FREE) return &all.process[i];
        if (all.process[i].state == IDLE) idle = &all.process[i];
    }
    if (idle) close_process(idle);
    return idle;
}

/* The lock is held, but not meanwhile. */
static void wait_a_moment(void)
{
    static const struct timespec moment = {.tv_nsec = 4000000};
    unlock();
    nanosleep(&moment, NULL);
    lock();
}

/* A process for a call: one that is there, or room for one, whose connection is open and that is to be started
 * (`*fresh`). NULL: the call was abandoned, or nothing is there to be had. */
static struct sch_process *choose(struct sch_native *native, bool running, struct sch_native_call *call, bool *fresh)
{
    uint8_t identity[SCH_SHA256_BYTES];
    struct sch_process *found = NULL;
    uint64_t begin = now_ms();
    identify(native, identity);
    lock();
    for (*fresh = false; !atomic_load(&call->abandoned); wait_a_moment()) {
        unsigned others;
        found = find_idle(native, identity, &others);
        if (found || running) break;
        if (others && (atomic_load(&native->no_more) || now_ms() - begin < WAIT_MS)) continue;
        found = find_room();
        *fresh = found != NULL;
        if (found) break;
    }
    if (found) {
        found->state = BUSY;
        memcpy(found->identity, identity, sizeof identity);
        if (*fresh && !open_connection(found)) close_process(found), found = NULL;
    }
    call->process = found;
    unlock();
    return found;
}

/* After a call. */
static void give_back(struct sch_native_call *call, enum state state)
{
    struct sch_process *process = call->process;
    uint64_t woken;
    lock();
    call->process = NULL;
    const ssize_t times = read(process->wake, &woken, sizeof woken); /* or it was not woken */
    (void)times;
    bool enough = false;
    for (unsigned i = 0; i < PROCESSES && state == IDLE; i++)
        enough = enough || (all.process[i].state == IDLE &&
                            memcmp(all.process[i].identity, process->identity, SCH_SHA256_BYTES) == 0);
    process->state = state;
    if (state == FREE || enough || !all.contexts) close_process(process);
    unlock();
}

void sch_native_abandon(struct sch_native_call *call)
{
    const uint64_t one = 1;
    lock();
    atomic_store(&call->abandoned, true);
    const ssize_t written = call->process ? write(call->process->wake, &one, sizeof one) : 0;
    (void)written;
    unlock();
}

/* ---- requests ---- */

static enum passed exchange(const struct sch_process *process, const struct sch_wire *message, uint64_t cpu_ms,
                            struct sch_wire *bytes, struct sch_reply *reply)
{
    uint64_t until = now_ms() + START_MS + cpu_ms * SLACK;
    enum passed passed = send_message(process, message, until);
    if (passed == PASSED) passed = receive_message(process, true, until, bytes);
    if (passed != PASSED) return passed;
    sch_message_reply(bytes, reply);
    return bytes->failed || bytes->at != bytes->bytes.size ? BROKEN : PASSED;
}

/* Whether a process is there beside the call's, which could not be started. A host that was closed off after the first
 * had begun (src/vtest/sandbox.c) lets no other start. */
static bool has_another(const struct sch_native_call *call)
{
    bool has = false;
    lock();
    for (unsigned i = 0; i < PROCESSES; i++)
        has = has || (&all.process[i] != call->process && all.process[i].state != FREE &&
                      memcmp(all.process[i].identity, call->process->identity, SCH_SHA256_BYTES) == 0);
    unlock();
    return has;
}

/* From a process that was there, or a new one. BROKEN from one that has served says nothing about the request: it may
 * have been ended since. */
static enum sch_call_outcome request_once(struct sch_native *native, const struct sch_wire *message, uint64_t cpu_ms,
                                          bool running, struct sch_native_call *call, struct sch_wire *bytes,
                                          struct sch_reply *reply, bool *again, const char **why)
{
    bool fresh;
    struct sch_process *process = choose(native, running, call, &fresh);
    *again = false;
    if (!process) return atomic_load(&call->abandoned) ? SCH_CALL_ABANDONED : SCH_CALL_MEMORY;
    struct sch_hello hello = {0};
    const bool first = !process->begun;
    const char *problem = fresh ? start(native, process, false) : NULL;
    if (!problem && first) problem = begin(native, process, !fresh, &hello);
    if (problem == not_started && has_another(call)) { /* which will have time */
        atomic_store(&native->no_more, true);
        *again = true;
    } else if (problem == gone) /* which says nothing about a new one */
        *again = !running;
    else if (problem)
        note_problem(native, &hello, problem);
    if (problem) give_back(call, FREE);
    if (problem) return SCH_CALL_NONE;
    enum passed passed = exchange(process, message, cpu_ms, bytes, reply);
    const bool late = passed == PASSED && reply->out_of_time;
    give_back(call, passed == WOKEN ? LEFT : passed == PASSED && !late ? IDLE : FREE);
    if (passed == PASSED && !late) return SCH_CALL_REPLIED;
    if (passed == NO_MEMORY) return SCH_CALL_MEMORY;
    if (passed == WOKEN) return SCH_CALL_ABANDONED;
    *again = passed == BROKEN && !first && !running;
    *why = late || passed == TOO_LATE ? "it took too long" : "it ended, or its answer is not valid";
    return SCH_CALL_LOST;
}

enum sch_call_outcome sch_native_request(struct sch_native *native, struct sch_request *request,
                                         const uint8_t culprit[SCH_SHA256_BYTES], bool running,
                                         struct sch_native_call *call, struct sch_wire *bytes, struct sch_reply *reply)
{
    *bytes = (struct sch_wire){.bytes = {.allocator = &native->allocator}};
    if (!sch_native_has_compiler(native)) return SCH_CALL_NONE;
    if (atomic_load(&native->lost) >= MOST_LOST || is_culprit(culprit)) return SCH_CALL_LOST;
    struct sch_wire message = {.bytes = {.allocator = &native->allocator}};
    request->cpu_ms = native->process_ms;
    sch_message_request(&message, request);
    enum sch_call_outcome outcome = SCH_CALL_MEMORY;
    const char *why = "";
    for (bool again = !message.failed; again;) {
        sch_wire_release(bytes);
        outcome = request_once(native, &message, request->cpu_ms, running, call, bytes, reply, &again, &why);
    }
    sch_wire_release(&message);
    if (outcome == SCH_CALL_LOST && !running) {
        blame(culprit);
        count_lost(native, why);
    }
    if (outcome != SCH_CALL_REPLIED) sch_wire_release(bytes);
    return outcome;
}

/* ---- what is left for the cache ---- */

/* Sent at once, so no more than a connection takes that no one reads. */
enum { MOST_LEFT = 128 << 10 };

void sch_native_leave(struct sch_native *native, struct sch_request *request)
{
    struct sch_wire wire = {.bytes = {.allocator = &native->allocator}};
    request->cpu_ms = native->process_ms;
    sch_message_request(&wire, request);
    const struct sch_message_head head = {.magic = SCH_MESSAGE_MAGIC, .bytes = wire.bytes.size};
    pthread_mutex_lock(&native->compiler_lock);
    struct sch_bytes *left = &native->left;
    const size_t more = sizeof head + wire.bytes.size;
    if (!wire.failed && more <= MOST_LEFT - left->size && sch_bytes_reserve(left, more)) {
        sch_bytes_append(left, &head, sizeof head);
        sch_bytes_append(left, wire.bytes.data, wire.bytes.size);
    }
    pthread_mutex_unlock(&native->compiler_lock);
    sch_wire_release(&wire);
}

/* A process that was not begun is by one byte more. What it does not take is forgotten: it ends at a cut request. */
void sch_native_hand_over(struct sch_native *native)
{
    uint8_t identity[SCH_SHA256_BYTES];
    struct sch_process *found = NULL;
    if (!native->left.size) return;
    identify(native, identity);
    lock();
    for (unsigned i = 0; i < PROCESSES; i++) {
        struct sch_process *process = &all.process[i];
        const bool ours = memcmp(process->identity, identity, sizeof identity) == 0;
        if (ours && (process->state == LEFT || (process->state == IDLE && !found))) found = process;
    }
    if (found) {
        if (!found->begun) send(found->connection, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        send(found->connection, native->left.data, native->left.size, MSG_NOSIGNAL | MSG_DONTWAIT);
        close_process(found);
    }
    unlock();
}

bool sch_native_start(struct sch_native *native)
{
    struct sch_native_call call = {0};
    const struct sch_hello nothing = {0};
    bool fresh;
    if (!sch_native_has_compiler(native)) return false;
    if (native->inside) return true;
    native->worker.leaves = native->cache.folder != NULL;
    struct sch_process *process = choose(native, false, &call, &fresh);
    if (!process) return false;
    const char *problem = fresh ? start(native, process, true) : NULL;
    if (problem) note_problem(native, &nothing, problem);
    give_back(&call, problem ? FREE : IDLE);
    return !problem;
}
