/* What the core and the compiler's process say to each other, with a process that is this program itself: called as
 * one, it says what the name of its compiler chooses. The system's calls stand behind functions of this file, so that
 * the clock stands still or runs, and what the system refuses is refused when a test wants it. Processes that crash are
 * test_native_process.c's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/counting.h"
#include "descriptors.h"
#include "native/internal.h"

enum { PATH_SIZE = 4096, LARGE = 4 << 20 };

/* ---- the process ---- */

static void say(const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t some = write(SCH_MESSAGE_SOCKET, (const char *)bytes + done, size - done);
        if (some <= 0) _exit(1);
        done += (size_t)some;
    }
}

static void say_slowly(const uint8_t *bytes, size_t size, size_t each)
{
    for (size_t done = 0; done < size; done += each) {
        say(bytes + done, each < size - done ? each : size - done);
        nanosleep(&(struct timespec){.tv_nsec = 300000}, NULL);
    }
}

/* A message with `more` bytes behind it; the mode may want another head. */
static void say_message(const char *mode, struct sch_wire *wire, size_t more)
{
    struct sch_message_head head = {.magic = SCH_MESSAGE_MAGIC, .bytes = wire->bytes.size + more};
    uint8_t *all = calloc(1, sizeof head + wire->bytes.size + more);
    if (strcmp(mode, "magic") == 0) head.magic++;
    if (strcmp(mode, "zero") == 0) head.zero = 1;
    if (strcmp(mode, "huge") == 0) head.bytes = SCH_MESSAGE_MOST_REPLIED + 4097;
    memcpy(all, &head, sizeof head);
    memcpy(all + sizeof head, wire->bytes.data, wire->bytes.size);
    if (strcmp(mode, "pieces") == 0)
        say_slowly(all, sizeof head + wire->bytes.size + more, 37);
    else
        say(all, sizeof head + wire->bytes.size + more);
    free(all);
}

static void say_hello(const char *mode)
{
    struct sch_hello hello;
    struct sch_wire wire = {.bytes = {.allocator = &sch_allocator_libc}};
    memset(&hello, 0, sizeof hello);
    hello.version = SCH_NATIVE_VERSION - (strcmp(mode, "older") == 0) + (strncmp(mode, "newer", 5) == 0);
    snprintf(hello.build, sizeof hello.build, "%s%s", sch_native_build, strcmp(mode, "build") == 0 ? "x" : "");
    if (strcmp(mode, "problem") == 0) snprintf(hello.problem, sizeof hello.problem, "nothing works");
    sch_message_hello(&wire, &hello);
    if (strcmp(mode, "short") == 0 || strcmp(mode, "newer and short") == 0) wire.bytes.size--;
    if (strcmp(mode, "empty") == 0) wire.bytes.size = 0;
    say_message(mode, &wire, strcmp(mode, "long") == 0 || strcmp(mode, "newer and long") == 0);
    sch_wire_release(&wire);
}

static bool hear(void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t some = read(SCH_MESSAGE_SOCKET, (char *)bytes + done, size - done);
        if (some <= 0) return false;
        done += (size_t)some;
    }
    return true;
}

static void wait_for_the_end(void)
{
    char byte;
    while (hear(&byte, 1)) {
    }
    _exit(0);
}

static bool hear_request(struct sch_wire *wire, struct sch_request *request)
{
    struct sch_message_head head;
    if (!hear(&head, sizeof head) || head.magic != SCH_MESSAGE_MAGIC || head.zero) return false;
    *wire = (struct sch_wire){.bytes = {.data = malloc(head.bytes)}, .reading = true};
    wire->bytes.size = head.bytes;
    if (!hear(wire->bytes.data, head.bytes)) return false;
    sch_message_request(wire, request);
    return !wire->failed && wire->at == wire->bytes.size;
}

static uint64_t sum_of(const uint8_t *bytes, size_t size)
{
    uint64_t sum = size;
    for (size_t i = 0; i < size; i++) sum = sum * 31 + bytes[i];
    return sum;
}

/* Bits of what should not be. */
static uint64_t look_around(void)
{
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    return (uint64_t)(getsid(0) != getpid()) | (uint64_t)(fcntl(SCH_MESSAGE_SOCKET + 1, F_GETFD) >= 0) << 1 |
           (uint64_t)(fcntl(100, F_GETFD) >= 0) << 2 | (uint64_t)!sigismember(&blocked, SIGTERM) << 3;
}

/* `later`: it says nothing before it is told to begin. */
static void be_the_process(const char *mode, const char *memory, const char *cache, const char *limit,
                           const char *later)
{
    struct sch_request request;
    struct sch_wire in;
    char byte;
    uint64_t wrongs = look_around();
    if (strcmp(cache, strcmp(mode, "cached") == 0 ? "/the/folder" : "") != 0) wrongs |= 32;
    if (strtoull(limit, NULL, 10) != (strcmp(mode, "cached") == 0 ? 4321 : (uint64_t)256 << 20)) wrongs |= 64;
    if (strcmp(mode, "silent") == 0 || (strcmp(mode, "gone") == 0 && later)) return;
    if (strcmp(mode, "waits") == 0 && !later) wrongs |= 16;
    if (later && (strcmp(later, "later") != 0 || !hear(&byte, 1))) return;
    if (strcmp(mode, "mute") == 0) wait_for_the_end();
    say_hello(mode);
    for (unsigned times = 1;; times++) {
        if (strcmp(mode, "lazy") == 0) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        if (!hear_request(&in, &request)) return;
        if (strcmp(mode, "dies") == 0 || (strcmp(mode, "second") == 0 && times == 2)) return;
        if (strcmp(mode, "hang") == 0) wait_for_the_end();
        struct sch_reply answer = {.status = SCH_OK,
                                   .kept = true,
                                   .build_ms = getpid(),
                                   .passes_ms = atof(memory),
                                   .code_ms = times,
                                   .built = request.cpu_ms,
                                   .optimised = sum_of(request.shader.bytes, request.shader.size),
                                   .stack_bytes = wrongs,
                                   .object = {"object", 6}};
        answer.out_of_time = strcmp(mode, "late") == 0;
        struct sch_wire out = {.bytes = {.allocator = &sch_allocator_libc}};
        sch_message_reply(&out, &answer);
        if (strcmp(mode, "nonsense") == 0) out.bytes.data[0] = 0xff; /* no such status */
        if (strcmp(mode, "cut") == 0) out.bytes.size--;
        say_message(strncmp(mode, "answer-", 7) == 0 ? mode + 7 : mode, &out, strcmp(mode, "trailing") == 0);
        sch_wire_release(&out);
        free(in.bytes.data);
    }
}

/* ---- the system ---- */

/* What the wrapped functions do: the clock is the test's own where it is `faked`. */
static struct {
    bool faked;
    uint64_t ms; /* the test's clock */
    bool waits;  /* that polling takes real time all the same */
    bool slow;   /* nothing can be sent or received before it was polled for, and what wakes comes first */
    bool polled;
    int poll_error; /* once */
    int send_error, receive_error;
    unsigned socketpair_fails, eventfd_fails, clone_fails, mmap_fails; /* the first, or the next but so many */
    void (*at_poll)(nfds_t count, short events);
    void (*at_sleep)(void);
} fake;

int __real_poll(struct pollfd *polled, nfds_t count, int timeout);
int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);
int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __real_socketpair(int domain, int type, int protocol, int ends[2]);
int __wrap_socketpair(int domain, int type, int protocol, int ends[2]);
int __real_eventfd(unsigned value, int flags);
int __wrap_eventfd(unsigned value, int flags);
ssize_t __real_send(int file, const void *bytes, size_t size, int flags);
ssize_t __wrap_send(int file, const void *bytes, size_t size, int flags);
ssize_t __real_recv(int file, void *bytes, size_t size, int flags);
ssize_t __wrap_recv(int file, void *bytes, size_t size, int flags);
int __real_clone(int (*child)(void *), void *stack, int flags, void *user, ...);
int __wrap_clone(int (*child)(void *), void *stack, int flags, void *user, ...);
void *__real_mmap64(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap64(void *address, size_t bytes, int protection, int flags, int file, off_t offset);

static bool fails(unsigned *when)
{
    if (!*when || --*when) return false;
    errno = EMFILE;
    return true;
}

/* However slow this process or the other one is: a call that would not block is told that it would, once. */
static bool would_block(void)
{
    if (!fake.slow || fake.polled) {
        fake.polled = false;
        return false;
    }
    errno = EAGAIN;
    return true;
}

static int poll_in_order(struct pollfd *polled, nfds_t count, int timeout)
{
    if (!fake.slow || count < 2 || __real_poll(&polled[1], 1, 0) <= 0) return __real_poll(polled, count, timeout);
    polled[0].revents = 0;
    return 1;
}

int __wrap_poll(struct pollfd *polled, nfds_t count, int timeout)
{
    if (fake.at_poll) fake.at_poll(count, polled[0].events);
    if (fake.poll_error) {
        errno = fake.poll_error;
        fake.poll_error = 0;
        return -1;
    }
    fake.polled = true;
    if (!fake.faked || fake.waits) return poll_in_order(polled, count, timeout);
    const int got = __real_poll(polled, count, 0);
    if (got <= 0) fake.ms += (uint64_t)timeout;
    return got;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!fake.faked) return __real_clock_gettime(clock, now);
    *now = (struct timespec){.tv_sec = (time_t)(fake.ms / 1000), .tv_nsec = (long)(fake.ms % 1000) * 1000000};
    return 0;
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    if (fake.at_sleep) fake.at_sleep();
    if (!fake.faked) return __real_nanosleep(time, left);
    fake.ms += (uint64_t)time->tv_nsec / 1000000;
    return 0;
}

int __wrap_socketpair(int domain, int type, int protocol, int ends[2])
{
    return fails(&fake.socketpair_fails) ? -1 : __real_socketpair(domain, type, protocol, ends);
}

int __wrap_eventfd(unsigned value, int flags) { return fails(&fake.eventfd_fails) ? -1 : __real_eventfd(value, flags); }

ssize_t __wrap_send(int file, const void *bytes, size_t size, int flags)
{
    if (would_block()) return -1;
    if (!fake.send_error) return __real_send(file, bytes, size, flags);
    errno = fake.send_error;
    fake.send_error = 0;
    return -1;
}

ssize_t __wrap_recv(int file, void *bytes, size_t size, int flags)
{
    if (would_block()) return -1;
    if (!fake.receive_error) return __real_recv(file, bytes, size, flags);
    errno = fake.receive_error;
    fake.receive_error = 0;
    return -1;
}

int __wrap_clone(int (*child)(void *), void *stack, int flags, void *user, ...)
{
    return fails(&fake.clone_fails) ? -1 : __real_clone(child, stack, flags, user);
}

void *__wrap_mmap64(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    return fails(&fake.mmap_fails) ? MAP_FAILED : __real_mmap64(address, bytes, protection, flags, file, offset);
}

/* ---- asking ---- */

static char own[PATH_SIZE];
static unsigned files_before;

static struct sch_native *context(const char *mode, uint64_t memory)
{
    char compiler[64];
    struct sch_native *native;
    snprintf(compiler, sizeof compiler, "/%s", mode);
    const struct sch_native_options options = {.compiler = compiler,
                                               .process = own,
                                               .process_memory = memory,
                                               .process_ms = 123,
                                               .cache = strncmp(mode, "cached", 6) == 0 ? "/the/folder" : NULL,
                                               .cache_bytes = strncmp(mode, "cached", 6) == 0 ? 4321 : 0};
    assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
    return native;
}

static const uint8_t shader[LARGE] = {1, 2, 3};

/* A request, and what came of it. */
struct pending {
    struct sch_native_call call;
    struct sch_reply answer;
    uint8_t culprit[SCH_SHA256_BYTES];
    size_t shader_bytes;
    bool running;
};

static unsigned pending_count;

/* Of a culprit of its own. */
static struct pending new_pending(void)
{
    struct pending p = {.shader_bytes = 100};
    pending_count++;
    memcpy(p.culprit, &pending_count, sizeof pending_count);
    p.culprit[31] = 1;
    return p;
}

static enum sch_call_outcome put(struct sch_native *native, struct pending *p)
{
    struct sch_wire bytes;
    struct sch_request request = {.kind = SCH_REQUEST_PROGRAM, .level = "w4", .shader = {shader, p->shader_bytes}};
    memset(&p->answer, 0, sizeof p->answer);
    const enum sch_call_outcome outcome =
        sch_native_request(native, &request, p->culprit, p->running, &p->call, &bytes, &p->answer);
    assert_null(p->call.process);
    if (outcome == SCH_CALL_REPLIED) {
        assert_int_equal(p->answer.object.size, 6);
        assert_memory_equal(p->answer.object.bytes, "object", 6);
        assert_int_equal(p->answer.optimised, sum_of(shader, p->shader_bytes));
        assert_int_equal(p->answer.built, 123);
        sch_wire_release(&bytes);
    }
    assert_null(bytes.bytes.data);
    return outcome;
}

/* The process that answered, and how often it has. */
static double request_well(struct sch_native *native, unsigned times)
{
    struct pending p = new_pending();
    assert_int_equal(put(native, &p), SCH_CALL_REPLIED);
    assert_int_equal((unsigned)p.answer.code_ms, times);
    assert_true(p.answer.kept);
    assert_int_equal(p.answer.stack_bytes, 0);
    assert_int_equal(atomic_load(&native->lost), 0);
    return p.answer.build_ms;
}

static int begin(void **state)
{
    (void)state;
    memset(&fake, 0, sizeof fake);
    files_before = count_descriptors();
    return 0;
}

/* Nothing is left open. */
static int end(void **state)
{
    (void)state;
    return count_descriptors() == files_before ? 0 : -1;
}

static const unsigned files_each = 2; /* of a process: the connection, and what wakes */

/* ---- which process ---- */

static void one_process_serves_all(void **state)
{
    (void)state;
    sigset_t mask, after;
    int cancelled;
    struct sch_native *inside; /* does not count */
    assert_int_equal(sch_native_create(&sch_allocator_libc, &(struct sch_native_options){.inside = true}, &inside),
                     SCH_OK);
    struct sch_native *native = context("good", 4096), *other = context("good", 4096);
    sigprocmask(SIG_SETMASK, NULL, &mask);
    int open_file = dup2(1, 100); /* none of the process's */
    errno = 77;
    const double process = request_well(native, 1);
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int i = 1; i < 32; i++) assert_int_equal(sigismember(&mask, i), sigismember(&after, i));
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &cancelled);
    assert_int_equal(cancelled, PTHREAD_CANCEL_ENABLE);
    close(open_file);
    assert_true(request_well(native, 2) == process);
    assert_true(request_well(other, 3) == process);
    struct pending p = new_pending();
    p.running = true;
    assert_int_equal(put(native, &p), SCH_CALL_REPLIED);
    assert_true(p.answer.build_ms == process && p.answer.passes_ms == 4096);
    assert_int_equal(count_descriptors(), files_before + files_each);
    sch_native_destroy(native);
    assert_true(request_well(other, 5) == process); /* it stays as long as somebody may need it */
    sch_native_destroy(other);
    assert_int_equal(count_descriptors(), files_before);
    sch_native_destroy(inside);
    native = context("good", 4096);
    assert_true(request_well(native, 1) != process);
    sch_native_destroy(native);
}

/* Of other memory, and other compilers. There are four; one of another kind makes place. */
static void others_have_their_own(void **state)
{
    (void)state;
    struct sch_native *natives[6];
    double processes[6];
    for (unsigned i = 0; i < 6; i++) natives[i] = context(i == 1 ? "other" : "good", i < 2 ? 1000 : 1000 + i);
    for (unsigned i = 0; i < 4; i++) processes[i] = request_well(natives[i], 1);
    assert_int_equal(count_descriptors(), files_before + 4 * files_each);
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < i; k++) assert_true(processes[i] != processes[k]);
        assert_true(request_well(natives[i], 2) == processes[i]);
    }
    request_well(natives[4], 1);
    assert_int_equal(count_descriptors(), files_before + 4 * files_each);
    for (unsigned i = 0; i < 3; i++) assert_true(request_well(natives[i], 3) == processes[i]);
    request_well(natives[4], 2);
    struct pending p = new_pending();
    p.running = true; /* nobody starts one for that */
    assert_int_equal(put(natives[3], &p), SCH_CALL_MEMORY);
    assert_int_equal(put(natives[5], &p), SCH_CALL_MEMORY);
    request_well(natives[4], 3);
    for (unsigned i = 0; i < 6; i++) sch_native_destroy(natives[i]);
}

/* Where code is kept is said when a process starts, so contexts with different folders have different ones. */
static void folders_have_their_own(void **state)
{
    (void)state;
    const struct sch_native_options options[] = {
        {.cache = "/the/folder", .cache_bytes = 4321}, {.cache = "/another"}, {.cache = "/the/folder"}};
    struct sch_native *native = context("cached", 5000), *others[3];
    const double process = request_well(native, 1);
    for (unsigned i = 0; i < 3; i++) {
        struct sch_native_options other = options[i];
        other.compiler = "/cached";
        other.process = own;
        other.process_memory = 5000;
        other.process_ms = 123;
        assert_int_equal(sch_native_create(&sch_allocator_libc, &other, &others[i]), SCH_OK);
        struct pending p = new_pending();
        assert_int_equal(put(others[i], &p), SCH_CALL_REPLIED);
        assert_int_equal(p.answer.build_ms == process, i == 0);
    }
    for (unsigned i = 0; i < 3; i++) sch_native_destroy(others[i]);
    sch_native_destroy(native);
}

/* ---- how processes begin ---- */

static void processes_say_who_they_are(void **state)
{
    (void)state;
    static const char ended[] = "ended before it began, or says nothing",
                      another[] = "was built with another version of this library";
    static const struct {
        const char *mode, *problem;
        bool lost;
    } cases[] = {{"silent", ended, true},
                 {"magic", ended, true},
                 {"zero", ended, true},
                 {"short", ended, true},
                 {"long", ended, true},
                 {"huge", ended, true},
                 {"empty", ended, true},
                 {"build", another, false},
                 {"older", another, false},
                 {"newer", another, false},
                 {"newer and short", another, false},
                 {"newer and long", another, false},
                 {"problem", NULL, false}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char whole[PATH_SIZE + 64];
        struct sch_native *native = context(cases[i].mode, 0);
        struct pending p = new_pending();
        assert_true(sch_native_has_compiler(native));
        assert_int_equal(put(native, &p), SCH_CALL_NONE);
        snprintf(whole, sizeof whole, "%s %s", own, cases[i].problem ? cases[i].problem : "");
        whole[sizeof native->compiler_problem - 1] = 0;
        assert_string_equal(native->compiler_problem, cases[i].problem ? whole : "nothing works");
        assert_int_equal(atomic_load(&native->lost), cases[i].lost);
        assert_string_equal(native->lost_problem, cases[i].lost ? "its process cannot be started" : "");
        assert_false(sch_native_has_compiler(native));
        assert_int_equal(count_descriptors(), files_before);
        fake.socketpair_fails = 1; /* it is not tried again */
        assert_int_equal(put(native, &p), SCH_CALL_NONE);
        fake.socketpair_fails = 0;
        sch_native_destroy(native);
    }
}

static void programs_must_be_there(void **state)
{
    (void)state;
    static const struct {
        const char *path, *problem;
        bool lost;
    } cases[] = {{"/no/such/program", "/no/such/program is not there", false},
                 {"/proc/self/status", "/proc/self/status cannot be started", true}};
    for (unsigned i = 0; i < 2; i++) {
        struct sch_native *native;
        struct pending p = new_pending();
        const struct sch_native_options options = {.compiler = "/good", .process = cases[i].path};
        assert_int_equal(sch_native_create(&sch_allocator_libc, &options, &native), SCH_OK);
        assert_int_equal(put(native, &p), SCH_CALL_NONE);
        assert_string_equal(native->compiler_problem, cases[i].problem);
        assert_int_equal(atomic_load(&native->lost), cases[i].lost);
        sch_native_destroy(native);
    }
}

/* What the system does not give. */
static void systems_may_refuse(void **state)
{
    (void)state;
    unsigned *const whats[] = {&fake.socketpair_fails, &fake.eventfd_fails, &fake.clone_fails, &fake.mmap_fails};
    for (unsigned i = 0; i < 4; i++) {
        struct sch_native *native = context("good", 0);
        struct pending p = new_pending();
        *whats[i] = 1;
        assert_int_equal(put(native, &p), i < 2 ? SCH_CALL_MEMORY : SCH_CALL_NONE);
        assert_int_equal(*whats[i], 0);
        assert_int_equal(count_descriptors(), files_before);
        assert_int_equal(atomic_load(&native->lost), i >= 2);
        if (i < 2) request_well(native, 1); /* the next time it may */
        sch_native_destroy(native);
    }
}

static void memory_may_be_out(void **state)
{
    (void)state;
    enum sch_call_outcome outcome = SCH_CALL_MEMORY;
    unsigned n = 0;
    for (; n < 20 && outcome != SCH_CALL_REPLIED; n++) {
        struct sch_native *native = context("good", 0);
        struct pending p = new_pending();
        struct counting counting = {.fail_from = n + 1};
        native->allocator = counting_callbacks(&counting);
        outcome = put(native, &p);
        assert_int_equal(counting.live, 0);
        native->allocator = sch_allocator_libc;
        if (outcome != SCH_CALL_REPLIED) assert_int_equal(count_descriptors(), files_before);
        if (outcome == SCH_CALL_MEMORY) assert_int_equal(atomic_load(&native->lost), 0);
        if (outcome != SCH_CALL_REPLIED) assert_int_equal(outcome, n == 1 ? SCH_CALL_NONE : SCH_CALL_MEMORY);
        sch_native_destroy(native);
    }
    assert_int_equal(n, 4); /* the request, the first word, the answer */
}

/* ---- starting before anything is requested ---- */

static void started_ones_wait(void **state)
{
    (void)state;
    struct sch_native *native = context("waits", 0), *other = context("waits", 0);
    for (unsigned i = 0; i < 3; i++) {
        assert_true(sch_native_start(i == 2 ? other : native)); /* one is enough */
        assert_int_equal(count_descriptors(), files_before + files_each);
    }
    const double process = request_well(other, 1);
    assert_true(request_well(native, 2) == process);
    assert_true(sch_native_start(native));
    struct pending p = new_pending();
    p.running = true;
    assert_int_equal(put(native, &p), SCH_CALL_REPLIED);
    assert_true(p.answer.build_ms == process);
    assert_int_equal(count_descriptors(), files_before + files_each);
    sch_native_destroy(native);
    sch_native_destroy(other);
}

/* Nor does whoever starts one wait for it; who needs it does. */
static void starting_does_not_wait(void **state)
{
    (void)state;
    struct sch_native *native = context("mute", 0);
    struct pending p = new_pending();
    fake.faked = true;
    fake.ms = 5000;
    assert_true(sch_native_start(native));
    assert_int_equal(fake.ms, 5000);
    assert_int_equal(put(native, &p), SCH_CALL_NONE);
    assert_in_range(fake.ms - 5000, 60000, 60100);
    fake.faked = false;
    sch_native_destroy(native);
}

/* One that ended before it was needed says nothing about others; what one says that begins does. */
static void started_ones_may_end(void **state)
{
    (void)state;
    struct sch_native *native = context("gone", 0);
    struct pending p = new_pending();
    assert_true(sch_native_start(native));
    p.running = true;
    assert_int_equal(put(native, &p), SCH_CALL_NONE);
    assert_true(sch_native_has_compiler(native));
    assert_int_equal(count_descriptors(), files_before);
    assert_true(sch_native_start(native));
    request_well(native, 1);
    sch_native_destroy(native);

    native = context("problem", 0);
    p = new_pending();
    assert_true(sch_native_start(native));
    assert_int_equal(put(native, &p), SCH_CALL_NONE);
    assert_string_equal(native->compiler_problem, "nothing works");
    assert_int_equal(count_descriptors(), files_before);
    assert_false(sch_native_start(native)); /* it is not tried again */
    sch_native_destroy(native);

    native = context("dies", 0);
    p = new_pending();
    assert_true(sch_native_start(native));
    assert_int_equal(put(native, &p), SCH_CALL_LOST);
    assert_int_equal(atomic_load(&native->lost), 1);
    sch_native_destroy(native);
}

static void starting_may_fail(void **state)
{
    (void)state;
    struct sch_native *native = context("good", 0);
    fake.socketpair_fails = 1;
    assert_false(sch_native_start(native));
    assert_true(sch_native_has_compiler(native));
    fake.clone_fails = 1;
    assert_false(sch_native_start(native));
    assert_false(sch_native_has_compiler(native));
    assert_int_equal(count_descriptors(), files_before);
    sch_native_destroy(native);
    const struct sch_native_options absent = {.compiler = "/good", .process = "/no/such/program"},
                                    inside = {.compiler = "/no/such/compiler", .inside = true};
    assert_int_equal(sch_native_create(&sch_allocator_libc, &absent, &native), SCH_OK);
    assert_false(sch_native_start(native));
    assert_string_equal(native->compiler_problem, "/no/such/program is not there");
    sch_native_destroy(native);
    assert_int_equal(sch_native_create(&sch_allocator_libc, &inside, &native), SCH_OK);
    assert_false(sch_native_start(native));
    sch_native_destroy(native);
}

/* ---- how they end ---- */

static void replies_are_whole(void **state)
{
    (void)state;
    static const char died[] = "it ended, or its answer is not valid";
    static const struct {
        const char *mode, *why;
    } cases[] = {{"dies", died},         {"trailing", died},    {"nonsense", died},    {"cut", died},
                 {"answer-magic", died}, {"answer-zero", died}, {"answer-huge", died}, {"late", "it took too long"}};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_native *native = context(cases[i].mode, 0), *good = context("good", 0);
        struct pending p = new_pending();
        assert_int_equal(put(native, &p), SCH_CALL_LOST);
        assert_int_equal(atomic_load(&native->lost), 1);
        assert_string_equal(native->lost_problem, cases[i].why);
        assert_int_equal(count_descriptors(), files_before);
        /* Nobody is asked about it again, by whomever. */
        assert_int_equal(put(native, &p), SCH_CALL_LOST);
        assert_int_equal(put(good, &p), SCH_CALL_LOST);
        assert_int_equal(atomic_load(&native->lost), 1);
        assert_int_equal(atomic_load(&good->lost), 0);
        assert_int_equal(count_descriptors(), files_before);
        request_well(good, 1);
        assert_true(sch_native_has_compiler(native));
        sch_native_destroy(native);
        sch_native_destroy(good);
    }
}

/* Sixteen are remembered; a context loses eight. */
static void culprits_are_remembered(void **state)
{
    (void)state;
    struct sch_native *native = context("dies", 0), *other = context("dies", 0), *third = context("dies", 0),
                      *good = context("good", 0);
    struct pending first = new_pending();
    assert_int_equal(put(native, &first), SCH_CALL_LOST);
    for (unsigned i = 1; i < 16; i++) {
        struct pending p = new_pending();
        assert_int_equal(put(i < 8 ? native : other, &p), SCH_CALL_LOST);
    }
    struct pending more = new_pending();
    assert_int_equal(put(native, &more), SCH_CALL_LOST); /* not asked any more */
    assert_int_equal(atomic_load(&native->lost), 8);
    assert_int_equal(put(good, &more), SCH_CALL_REPLIED);
    assert_int_equal(put(good, &first), SCH_CALL_LOST);
    assert_int_equal(put(third, &more), SCH_CALL_LOST);
    assert_int_equal(put(good, &first), SCH_CALL_REPLIED);
    assert_int_equal(put(good, &more), SCH_CALL_LOST);
    sch_native_destroy(native);
    sch_native_destroy(other);
    sch_native_destroy(third);
    sch_native_destroy(good);
}

/* One that was there may have been ended: the request is asked again, of a new one. */
static void ended_ones_are_replaced(void **state)
{
    (void)state;
    struct sch_native *native = context("second", 0);
    const double process = request_well(native, 1);
    const double next = request_well(native, 1);
    assert_true(next != process);
    struct pending p = new_pending();
    p.running = true; /* nobody is to blame, and nobody is started */
    assert_int_equal(put(native, &p), SCH_CALL_LOST);
    assert_int_equal(atomic_load(&native->lost), 0);
    assert_int_equal(count_descriptors(), files_before);
    p.running = false;
    assert_int_equal(put(native, &p), SCH_CALL_REPLIED);
    sch_native_destroy(native);
}

/* ---- time ---- */

static uint64_t time_of(const char *mode, enum sch_call_outcome outcome, const char *problem)
{
    struct sch_native *native = context(mode, 0);
    struct pending p = new_pending();
    fake.faked = true;
    fake.ms = 5000;
    assert_int_equal(put(native, &p), outcome);
    fake.faked = false;
    assert_non_null(strstr(outcome == SCH_CALL_NONE ? native->compiler_problem : native->lost_problem, problem));
    sch_native_destroy(native);
    return fake.ms - 5000;
}

/* A minute to begin. */
static void processes_have_time_to_begin(void **state)
{
    (void)state;
    assert_in_range(time_of("mute", SCH_CALL_NONE, "says nothing"), 60000, 60100);
}

/* From here on the clock is the test's: what is waited for is the answer, which polls two descriptors. */
static uint64_t answer_begun;
static void fake_at_reply(nfds_t count, short events)
{
    (void)events;
    if (count != 2) return;
    fake.faked = true;
    fake.at_poll = NULL;
    answer_begun = fake.ms;
}

/* A minute, and ten times the processor's time. */
static void replies_have_their_time(void **state)
{
    (void)state;
    struct sch_native *native = context("hang", 0);
    struct pending p = new_pending();
    struct timespec now;
    __real_clock_gettime(CLOCK_MONOTONIC, &now);
    fake.ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
    fake.at_poll = fake_at_reply;
    assert_int_equal(put(native, &p), SCH_CALL_LOST);
    assert_string_equal(native->lost_problem, "it took too long");
    assert_in_range(fake.ms - answer_begun, 60000 + 1230, 60000 + 1230 + 20000);
    fake.faked = false;
    sch_native_destroy(native);
}

/* ---- abandoning ---- */

static struct pending *current;
static nfds_t abandon_at;
static short abandon_events;

static void abandon(nfds_t count, short events)
{
    if (count != abandon_at || events != abandon_events) return;
    fake.at_poll = NULL;
    sch_native_abandon(&current->call);
}

/* While the process begins, while the request is sent, while the answer is waited for: soon nobody waits. What the
 * process still says is read when it is wanted again. */
static void abandoned_calls_end_soon(void **state)
{
    (void)state;
    static const struct {
        const char *mode;
        nfds_t count;
        short events;
        size_t bytes;
    } whens[] = {{"good", 1, POLLIN, 100}, {"good", 2, POLLIN, 100}, {"lazy", 1, POLLOUT, LARGE}};
    fake.slow = true;
    for (unsigned i = 0; i < 3; i++) {
        struct sch_native *native = context(whens[i].mode, 0);
        struct pending p = new_pending();
        current = &p;
        p.shader_bytes = whens[i].bytes;
        abandon_at = whens[i].count, abandon_events = whens[i].events;
        fake.at_poll = abandon;
        assert_int_equal(put(native, &p), SCH_CALL_ABANDONED);
        assert_null(fake.at_poll);
        assert_int_equal(atomic_load(&native->lost), 0);
        assert_int_equal(count_descriptors(), files_before + files_each);
        if (i < 2) request_well(native, 2);
        assert_int_equal(put(native, &p), SCH_CALL_ABANDONED); /* before it began */
        if (i < 2) request_well(native, 3);
        sch_native_destroy(native); /* and what is still at it is left */
        assert_int_equal(count_descriptors(), files_before);
    }
}

/* ---- several at once ---- */

enum { ALL = 4, SLEEPS = 40 };
static struct sch_native *busy;
static unsigned depth, sleeps;
static double processes[ALL];

static void give_up(void)
{
    if (++sleeps == SLEEPS) sch_native_abandon(&current->call);
}

/* While an answer is waited for another request is asked, and so on. */
static void request_inside(nfds_t count, short events)
{
    (void)events;
    if (count != 2 || depth == ALL) return;
    struct pending p = new_pending();
    if (++depth < ALL) {
        const unsigned level = depth;
        assert_int_equal(put(busy, &p), SCH_CALL_REPLIED);
        processes[level] = p.answer.build_ms;
        return;
    }
    current = &p; /* all are busy: it waits until nobody wants it */
    sleeps = 0;
    fake.at_sleep = give_up;
    assert_int_equal(put(busy, &p), SCH_CALL_ABANDONED);
    fake.at_sleep = NULL;
}

/* After a tenth of a second another one is started, up to four; one of a kind is kept. */
static void slow_ones_get_company(void **state)
{
    (void)state;
    struct pending p = new_pending();
    busy = context("good", 0);
    depth = 0;
    fake.slow = true;
    fake.ms = 7000;
    fake.faked = fake.waits = true; /* only sleeping takes the test's time: 4 ms each */
    fake.at_poll = request_inside;
    assert_int_equal(put(busy, &p), SCH_CALL_REPLIED);
    fake.at_poll = NULL;
    processes[0] = p.answer.build_ms;
    assert_int_equal(depth, ALL);
    assert_int_equal(fake.ms, 7000 + 3 * 100 + SLEEPS * 4);
    for (unsigned i = 0; i < ALL; i++)
        for (unsigned k = 0; k < i; k++) assert_true(processes[i] != processes[k]);
    assert_int_equal(count_descriptors(), files_before + files_each);
    sch_native_destroy(busy);
}

/* ---- bytes ---- */

static void messages_come_in_pieces(void **state)
{
    (void)state;
    struct sch_native *native = context("pieces", 0);
    request_well(native, 1);
    sch_native_destroy(native);
    native = context("lazy", 0); /* more than the connection holds */
    struct pending p = new_pending();
    p.shader_bytes = LARGE;
    assert_int_equal(put(native, &p), SCH_CALL_REPLIED);
    sch_native_destroy(native);
}

/* Interrupted calls go on; others that fail have lost the process. */
static void interrupted_calls_go_on(void **state)
{
    (void)state;
    int *const calls[] = {&fake.poll_error, &fake.send_error, &fake.receive_error};
    static const int errors[] = {EINTR, EIO};
    fake.slow = true;
    for (unsigned i = 0; i < 6; i++) {
        struct sch_native *native = context("good", 0);
        request_well(native, 1);
        struct pending p = new_pending();
        *calls[i / 2] = errors[i & 1];
        p.running = true; /* so that it is not asked again */
        assert_int_equal(put(native, &p), i & 1 ? SCH_CALL_LOST : SCH_CALL_REPLIED);
        assert_int_equal(*calls[i / 2], 0);
        assert_int_equal(count_descriptors(), files_before + (i & 1 ? 0 : files_each));
        sch_native_destroy(native);
    }
}

/* ---- starting by itself ---- */

/* The end may be the descriptor that the process has it as; errno stays as it was. */
static void ends_may_have_the_number_already(void **state)
{
    (void)state;
    int ends[2], kept = fcntl(SCH_MESSAGE_SOCKET, F_DUPFD_CLOEXEC, 10);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const int host = fcntl(ends[0], F_DUPFD_CLOEXEC, 10);
    const int number = ends[1] == SCH_MESSAGE_SOCKET ? ends[1] : dup3(ends[1], SCH_MESSAGE_SOCKET, O_CLOEXEC);
    assert_int_equal(number, SCH_MESSAGE_SOCKET);
    const char *const arguments[] = {"scheelite-jit", "/good", "1", "", "268435456", NULL};
    errno = 77;
    assert_int_equal(sch_native_spawn(own, arguments, SCH_MESSAGE_SOCKET), 0);
    assert_int_equal(errno, 77);
    struct sch_message_head head;
    assert_int_equal(read(host, &head, sizeof head), sizeof head);
    assert_int_equal(head.magic, SCH_MESSAGE_MAGIC);
    assert_int_equal(sch_native_spawn("/no/such", arguments, SCH_MESSAGE_SOCKET), ENOENT);
    assert_int_equal(errno, 77);
    close(host);
    if (ends[0] != SCH_MESSAGE_SOCKET) close(ends[0]);
    if (ends[1] != SCH_MESSAGE_SOCKET) close(ends[1]);
    if (kept >= 0) {
        dup2(kept, SCH_MESSAGE_SOCKET);
        close(kept);
    } else {
        close(SCH_MESSAGE_SOCKET);
    }
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[0], "scheelite-jit") == 0) {
        be_the_process(argv[1] + 1, argv[2], argv[3], argv[4], argc > 5 ? argv[5] : NULL);
        _exit(0);
    }
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0) return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_process_serves_all, begin, end),
        cmocka_unit_test_setup_teardown(others_have_their_own, begin, end),
        cmocka_unit_test_setup_teardown(folders_have_their_own, begin, end),
        cmocka_unit_test_setup_teardown(processes_say_who_they_are, begin, end),
        cmocka_unit_test_setup_teardown(programs_must_be_there, begin, end),
        cmocka_unit_test_setup_teardown(systems_may_refuse, begin, end),
        cmocka_unit_test_setup_teardown(memory_may_be_out, begin, end),
        cmocka_unit_test_setup_teardown(started_ones_wait, begin, end),
        cmocka_unit_test_setup_teardown(starting_does_not_wait, begin, end),
        cmocka_unit_test_setup_teardown(started_ones_may_end, begin, end),
        cmocka_unit_test_setup_teardown(starting_may_fail, begin, end),
        cmocka_unit_test_setup_teardown(replies_are_whole, begin, end),
        cmocka_unit_test_setup_teardown(culprits_are_remembered, begin, end),
        cmocka_unit_test_setup_teardown(ended_ones_are_replaced, begin, end),
        cmocka_unit_test_setup_teardown(processes_have_time_to_begin, begin, end),
        cmocka_unit_test_setup_teardown(replies_have_their_time, begin, end),
        cmocka_unit_test_setup_teardown(abandoned_calls_end_soon, begin, end),
        cmocka_unit_test_setup_teardown(slow_ones_get_company, begin, end),
        cmocka_unit_test_setup_teardown(messages_come_in_pieces, begin, end),
        cmocka_unit_test_setup_teardown(interrupted_calls_go_on, begin, end),
        cmocka_unit_test_setup_teardown(ends_may_have_the_number_already, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
