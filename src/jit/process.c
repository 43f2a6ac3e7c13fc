/* The process that compiles: reads requests of the core (protocol/message.h), prepares the shader as the core does, has
 * the compiler (a shared object, by the path that the core gives) make code of it, keeps that on disk, replies. It ends
 * when the connection does, whatever LLVM is at: the first thread watches the connection and the clock, the second
 * works. Holds no compiling and no limits of the process (jit/confine.c).
 *
 * scheelite-jit COMPILER BYTES CACHE LIMIT [later]: with the connection as descriptor 3, so much memory, and the folder
 * where code is kept with its limit (protocol/cache.h). With `later` the compiler is loaded when the first byte
 * comes. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "ir/check.h"
#include "ir/digest.h"
#include "jit/confine.h"
#include "protocol/cache.h"
#include "protocol/key.h"
#include "protocol/message.h"

enum {
    STACK_BYTES = 64 << 20, /* of addresses, for the thread that compiles */
    LOOK_MS = 20,           /* between looks at the clock */
    GRACE_CPU_MS = 2000,    /* what was begun for the cache may take after the end of the connection */
    GRACE_MS = 5000,
    FINISH_CPU_MS = 10000, /* and all that was asked for, where no other process does so */
    FINISH_MS = 30000
};

enum { WAITING, WORKING, REPLYING };

static struct {
    const struct sch_native_compiler *compiler;
    struct sch_native_cache cache;
    pthread_t worker;
    atomic_uint state;
    atomic_bool keeps;            /* what is worked on goes to the cache */
    atomic_uint_least64_t cpu_ms; /* of the worker, when it is to end */
    int begun;                    /* descriptor of an event: work has */
    atomic_int number;            /* of the worker, as the system has it */
    pthread_mutex_t lock;
    atomic_bool finishes; /* no one waits, and it may continue */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    return clock_gettime(clock, &now) == 0 ? (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 : 0;
}

/* ---- messages ---- */

static bool read_all(void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = read(SCH_MESSAGE_SOCKET, (char *)bytes + done, size - done);
        if (some > 0) done += (size_t)some;
        if (some == 0 || (some < 0 && errno != EINTR)) return false;
    }
    return true;
}

static bool write_all(const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t some = write(SCH_MESSAGE_SOCKET, (const char *)bytes + done, size - done);
        if (some > 0) done += (size_t)some;
        if (some <= 0 && errno != EINTR) return false;
    }
    return true;
}

static bool write_message(const struct sch_wire *wire)
{
    const struct sch_message_head head = {.magic = SCH_MESSAGE_MAGIC, .bytes = wire->bytes.size};
    return !wire->failed && write_all(&head, sizeof head) && write_all(wire->bytes.data, wire->bytes.size);
}

static bool read_message(struct sch_wire *wire)
{
    struct sch_message_head head;
    if (!read_all(&head, sizeof head)) return false;
    if (head.magic != SCH_MESSAGE_MAGIC || head.zero || head.bytes > SCH_MESSAGE_MOST_REQUESTED) return false;
    if (!sch_bytes_reserve(&wire->bytes, (size_t)head.bytes + 1) || !read_all(wire->bytes.data, (size_t)head.bytes))
        return false;
    wire->bytes.size = (size_t)head.bytes;
    wire->reading = true;
    return true;
}

static bool say_hello(const char *problem)
{
    struct sch_hello hello = {.version = SCH_NATIVE_VERSION};
    struct sch_wire wire = {.bytes = {.allocator = &sch_allocator_libc}};
    snprintf(hello.build, sizeof hello.build, "%s", sch_native_build);
    snprintf(hello.problem, sizeof hello.problem, "%s", problem);
    sch_message_hello(&wire, &hello);
    bool said = write_message(&wire);
    sch_wire_release(&wire);
    return said;
}

/* ---- the cache ---- */

static bool keep(const uint8_t key[SCH_SHA256_BYTES], const void *bytes, size_t size)
{
    return sch_native_cache_write(&server.cache, &sch_allocator_libc, key, bytes, size);
}

static bool has(const uint8_t key[SCH_SHA256_BYTES])
{
    size_t size;
    void *bytes = sch_native_cache_read(&server.cache, &sch_allocator_libc, key, &size);
    free(bytes);
    return bytes != NULL;
}

/* When no one waits any more: whether it continues with what was asked for, for those who come later. */
static bool may_finish(void)
{
    pthread_mutex_lock(&server.lock);
    if (!atomic_load(&server.finishes) && server.cache.folder && sch_native_cache_claim(&server.cache)) {
        jit_make_idle(atomic_load(&server.number));
        atomic_store(&server.finishes, true);
    }
    pthread_mutex_unlock(&server.lock);
    return atomic_load(&server.finishes);
}

static bool keep_sign(const struct sch_request *request, const uint8_t digest[SCH_SHA256_BYTES])
{
    uint8_t key[SCH_SHA256_BYTES];
    sch_native_sign_key(request->level, digest, key);
    return keep(key, SCH_NATIVE_SIGN, sizeof SCH_NATIVE_SIGN);
}

/* ---- requests ---- */

/* What is made, and under which key it is kept. */
struct made {
    struct sch_native_object object;
    struct sch_native_cost cost;
    uint8_t digest[SCH_SHA256_BYTES]; /* of the shader */
    uint8_t key[SCH_SHA256_BYTES];
};

/* The shader is checked as its author's was: a host may be taken over by those whom it serves. */
static enum sch_result prepare(const struct sch_request *request, struct sch_prepared *program,
                               uint8_t digest[SCH_SHA256_BYTES])
{
    struct sch_wire wire = {
        .bytes = {.data = (uint8_t *)(uintptr_t)request->shader.bytes, .size = request->shader.size}, .reading = true};
    struct sch_ir_shader *shader = sch_message_read_shader(&wire, &sch_allocator_libc);
    if (!shader) return SCH_ERROR_INVALID;
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 1);
    enum sch_result status = sch_ir_check(shader, &list);
    if (status == SCH_OK) status = sch_prepare(shader, &sch_allocator_libc, &list, program);
    sch_ir_digest(shader, digest);
    sch_diagnostics_release(&list);
    sch_ir_destroy(shader);
    return status;
}

static enum sch_result compile_program(const struct sch_request *request, struct made *made)
{
    struct sch_prepared program = {.stage = 0};
    enum sch_result status = prepare(request, &program, made->digest);
    const struct sch_native_program_request of_program = {.program = &program,
                                                          .level = request->level,
                                                          .full = request->full,
                                                          .quads = request->quads,
                                                          .metered = request->metered,
                                                          .span = request->has_span ? &request->span : NULL};
    sch_native_program_key(&of_program, made->digest, made->key);
    const bool done = atomic_load(&server.finishes) && has(made->key); /* it was asked for twice, or by another host */
    if (status == SCH_OK && request->kind == SCH_REQUEST_FITS)
        made->cost.too_large = !server.compiler->fits(&of_program);
    else if (status == SCH_OK && request->kind == SCH_REQUEST_PROGRAM && !done)
        status = server.compiler->compile_program(&of_program, &made->object, &made->cost, NULL);
    sch_prepared_release(&program);
    return status;
}

static enum sch_result work(const struct sch_request *request, struct made *made)
{
    if (request->kind != SCH_REQUEST_LOOKUP) return compile_program(request, made);
    if (!server.compiler->compile_lookup) return SCH_ERROR_UNSUPPORTED;
    sch_native_lookup_key(&request->form, request->level, made->key);
    if (atomic_load(&server.finishes) && has(made->key)) return SCH_OK;
    return server.compiler->compile_lookup(&request->form, request->level, &made->object, &made->cost, NULL);
}

static bool keep_all(const struct sch_request *request, const struct made *made)
{
    if (request->kind == SCH_REQUEST_SIGN) return keep_sign(request, made->digest);
    if (!made->object.bytes || !keep(made->key, made->object.bytes, made->object.size)) return false;
    if (request->has_span) keep_sign(request, made->digest);
    return true;
}

static bool serve_one(const struct sch_request *request)
{
    struct made made = {.key = {0}};
    const struct sch_native_cost *cost = &made.cost;
    enum sch_result status = work(request, &made);
    struct sch_reply reply = {.status = status,
                              .too_large = cost->too_large,
                              .kept = status == SCH_OK && keep_all(request, &made),
                              .build_ms = cost->build_ms,
                              .passes_ms = cost->passes_ms,
                              .code_ms = cost->code_ms,
                              .built = cost->built,
                              .optimised = cost->optimised,
                              .stack_bytes = cost->stack_bytes,
                              .object = {made.object.bytes, made.object.size}};
    struct sch_wire wire = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_reply(&wire, &reply);
    unsigned working = WORKING;
    bool said = atomic_compare_exchange_strong(&server.state, &working, REPLYING) && write_message(&wire);
    if (made.object.bytes) server.compiler->release(&made.object);
    sch_wire_release(&wire);
    return said;
}

static void *serve(void *nothing)
{
    clockid_t clock;
    (void)nothing;
    if (pthread_getcpuclockid(pthread_self(), &clock) != 0) _exit(1);
    atomic_store(&server.number, gettid());
    pthread_mutex_lock(&server.lock); /* nothing is read before the process is confined */
    pthread_mutex_unlock(&server.lock);
    for (;;) {
        struct sch_request request = {0};
        struct sch_wire wire = {.bytes = {.allocator = &sch_allocator_libc}};
        if (!read_message(&wire)) _exit(0);
        sch_message_request(&wire, &request);
        if (wire.failed || wire.at != wire.bytes.size) _exit(1);
        uint64_t now = clock_ms(clock);
        atomic_store(&server.cpu_ms, request.cpu_ms < UINT64_MAX - now ? now + request.cpu_ms : UINT64_MAX);
        atomic_store(&server.keeps, server.cache.folder != NULL);
        atomic_store(&server.state, WORKING);
        const uint64_t one = 1;
        if (write(server.begun, &one, sizeof one) != sizeof one) _exit(1);
        if (!serve_one(&request) && !may_finish()) _exit(0);
        atomic_store(&server.state, WAITING);
        sch_wire_release(&wire);
    }
}

/* ---- watching ---- */

/* Says that time is out, unless the reply is on its way. */
static void end_late(void)
{
    unsigned working = WORKING;
    if (!atomic_compare_exchange_strong(&server.state, &working, REPLYING)) return;
    struct sch_reply reply = {.status = SCH_ERROR_LIMIT, .out_of_time = true};
    struct sch_wire wire = {.bytes = {.allocator = &sch_allocator_libc}};
    sch_message_reply(&wire, &reply);
    write_message(&wire);
    _exit(0);
}

/* The other end is closed: what was begun is still kept on disk, if that takes little. One process at a time continues
 * with what else its host has left it, at idle priority; its worker ends it when there is no more. */
static void end_gently(clockid_t clock)
{
    const bool finishes = may_finish();
    const uint64_t cpu = clock_ms(clock) + (finishes ? FINISH_CPU_MS : GRACE_CPU_MS);
    const uint64_t until = clock_ms(CLOCK_MONOTONIC) + (finishes ? FINISH_MS : GRACE_MS);
    while ((finishes || (atomic_load(&server.state) == WORKING && atomic_load(&server.keeps))) &&
           clock_ms(clock) < cpu && clock_ms(CLOCK_MONOTONIC) < until)
        poll(NULL, 0, LOOK_MS);
    _exit(0);
}

static void watch(void)
{
    clockid_t clock;
    if (pthread_getcpuclockid(server.worker, &clock) != 0) _exit(1);
    for (;;) {
        uint64_t count;
        struct pollfd polled[2] = {{.fd = SCH_MESSAGE_SOCKET, .events = POLLRDHUP},
                                   {.fd = server.begun, .events = POLLIN}};
        int got = poll(polled, 2, atomic_load(&server.state) == WAITING ? -1 : LOOK_MS);
        if (got > 0 && (polled[0].revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL))) end_gently(clock);
        if (got > 0 && polled[1].revents && read(server.begun, &count, sizeof count) < 0) _exit(1);
        if (atomic_load(&server.state) == WORKING && clock_ms(clock) >= atomic_load(&server.cpu_ms)) end_late();
    }
}

static bool start_worker(void)
{
    pthread_attr_t attributes;
    return pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
           pthread_create(&server.worker, &attributes, serve, NULL) == 0;
}

/* Waits for the byte that begins. LLVM takes tens of milliseconds to be loaded, and megabytes that no other process
 * shares, which is not needed where nothing is compiled. */
static bool is_needed(void)
{
    char byte;
    return read_all(&byte, 1);
}

/* A number of the command line; false if it is not one. */
static bool read_number(const char *text, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return *text && !*end;
}

int main(int argc, char **argv)
{
    enum { NAME, COMPILER, BYTES, CACHE, LIMIT, LATER };
    char problem[SCH_MESSAGE_WORDS];
    uint64_t memory, limit;
    const bool later = argc == LATER + 1 && strcmp(argv[LATER], SCH_MESSAGE_LATER) == 0;
    if (argc != LATER + later) { /* the host has another version, which it sees by the first word */
        say_hello("it was started as no compiler is");
        return 2;
    }
    if (!jit_leave_host()) return 2;
    if (!read_number(argv[BYTES], &memory) || !memory || !read_number(argv[LIMIT], &limit)) return 2;
    const char *cache = *argv[CACHE] == '/' ? argv[CACHE] : NULL;
    if (!sch_native_cache_init(&server.cache, &sch_allocator_libc, cache, limit, NULL)) return 1;
    if (later && !is_needed()) return 0;
    server.compiler = sch_native_load_compiler(argv[COMPILER], problem, sizeof problem);
    if (!server.compiler) {
        say_hello(problem);
        return 1;
    }
    const char *refused = jit_close_files(server.cache.folder);
    if (refused) {
        say_hello(refused);
        return 1;
    }
    server.begun = eventfd(0, EFD_CLOEXEC);
    pthread_mutex_lock(&server.lock);
    if (server.begun < 0 || !start_worker()) return 1;
    while (!atomic_load(&server.number)) sched_yield();
    refused = jit_confine(memory, atomic_load(&server.number)); /* the worker, too */
    if (!refused) pthread_mutex_unlock(&server.lock);
    const bool said = say_hello(refused ? refused : "");
    if (refused || (!said && !may_finish())) return 1;
    watch();
}
