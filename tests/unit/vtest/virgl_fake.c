/* See virgl_fake.h. */
#include "virgl_fake.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESOURCES = 4096, KEPT = 64, TOLD = 1 << 16 };

struct resource {
    uint32_t handle, target, width;
    uint64_t bytes;
    uint8_t *memory;
    size_t memory_bytes;
    uint8_t kept[KEPT];
};

struct sch_virgl {
    struct sch_virgl_options options;
    struct resource resources[RESOURCES];
    struct sch_virgl_counts counts;
    struct sch_virgl_frame_callbacks audience;
    char told[TOLD];
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) note(struct sch_virgl *virgl, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(virgl->told + virgl->length, TOLD - virgl->length, format, arguments);
    va_end(arguments);
    if (more > 0 && (size_t)more < TOLD - virgl->length) virgl->length += (size_t)more;
}

const char *fake_told(const struct sch_virgl *virgl) { return virgl->told; }

enum sch_result sch_virgl_create(const struct sch_virgl_options *options, struct sch_virgl **made)
{
    *made = calloc(1, sizeof **made);
    if (!*made) return SCH_ERROR_MEMORY;
    (*made)->options = *options;
    return SCH_OK;
}

void sch_virgl_destroy(struct sch_virgl *virgl) { free(virgl); }

void sch_virgl_get_capabilities(const struct sch_virgl *virgl, void *to, size_t bytes)
{
    (void)virgl;
    for (size_t i = 0; i < bytes; i++) ((uint8_t *)to)[i] = (uint8_t)(i * 7 + 1);
}

void sch_virgl_record(struct sch_virgl *virgl, const struct sch_virgl_sink *sink)
{
    (void)virgl;
    sink->write(sink->user, "recorded", 8);
}

void sch_virgl_set_frame_callbacks(struct sch_virgl *virgl, const struct sch_virgl_frame_callbacks *audience)
{
    virgl->audience = *audience;
}

void sch_virgl_collect(struct sch_virgl *virgl, const struct sch_virgl_collector *collector)
{
    (void)virgl;
    (void)collector; /* there are no shaders */
}

/* ---- resources ---- */

static struct resource *find(const struct sch_virgl *virgl, uint32_t handle)
{
    for (unsigned i = 0; i < RESOURCES; i++)
        if (virgl->resources[i].handle == handle) return (struct resource *)&virgl->resources[i];
    return NULL;
}

enum sch_result sch_virgl_resource_create(struct sch_virgl *virgl, uint32_t handle,
                                          const struct sch_virgl_resource_options *options)
{
    note(virgl, "create %u: %u %u %u, %ux%ux%u, %u %u %u\n", handle, options->target, options->format, options->bind,
         options->width, options->height, options->depth, options->layers, options->last_level, options->samples);
    if (!handle || find(virgl, handle) || options->format == FAKE_REFUSED_FORMAT) return SCH_ERROR_ARGUMENT;
    struct resource *resource = find(virgl, 0);
    if (!resource) return SCH_ERROR_LIMIT;
    uint64_t bytes = options->width;
    if (options->target != FAKE_BUFFER) bytes *= (uint64_t)options->height * 4;
    *resource = (struct resource){.handle = handle,
                                  .target = options->target,
                                  .width = options->width,
                                  .bytes = options->samples > 1 ? 0 : bytes};
    return SCH_OK;
}

enum sch_result sch_virgl_resource_attach(struct sch_virgl *virgl, uint32_t handle, void *memory, size_t bytes)
{
    note(virgl, "attach %u: %zu bytes\n", handle, bytes);
    struct resource *resource = handle ? find(virgl, handle) : NULL;
    if (!resource || resource->memory) return SCH_ERROR_ARGUMENT;
    resource->memory = memory;
    resource->memory_bytes = bytes;
    return SCH_OK;
}

enum sch_result sch_virgl_resource_destroy(struct sch_virgl *virgl, uint32_t handle)
{
    note(virgl, "destroy %u\n", handle);
    struct resource *resource = handle ? find(virgl, handle) : NULL;
    if (!resource) return SCH_ERROR_ARGUMENT;
    *resource = (struct resource){.handle = 0};
    return SCH_OK;
}

uint64_t sch_virgl_resource_bytes(const struct sch_virgl *virgl, uint32_t handle)
{
    const struct resource *resource = handle ? find(virgl, handle) : NULL;
    return resource ? resource->bytes : 0;
}

/* ---- transfers ---- */

/* Of buffers alone, and of their first bytes; NULL: refused. */
static struct resource *check(struct sch_virgl *virgl, const char *name, const struct sch_virgl_transfer *t)
{
    note(virgl, "%s %u: level %u, %u %u %u, %ux%ux%u, strides %u %u, offset %llu\n", name, t->resource, t->level,
         t->box.x, t->box.y, t->box.z, t->box.width, t->box.height, t->box.depth, t->row_bytes, t->layer_bytes,
         (unsigned long long)t->offset);
    virgl->counts.transfers++;
    struct resource *resource = t->resource ? find(virgl, t->resource) : NULL;
    if (!resource || !resource->memory || t->offset > resource->memory_bytes ||
        t->box.width > resource->memory_bytes - t->offset || t->box.x > KEPT || t->box.width > KEPT - t->box.x)
        return NULL;
    return resource;
}

enum sch_result sch_virgl_transfer_put(struct sch_virgl *virgl, const struct sch_virgl_transfer *transfer)
{
    struct resource *resource = check(virgl, "put", transfer);
    if (!resource) return SCH_ERROR_ARGUMENT;
    memcpy(resource->kept + transfer->box.x, resource->memory + transfer->offset, transfer->box.width);
    return SCH_OK;
}

enum sch_result sch_virgl_transfer_get(struct sch_virgl *virgl, const struct sch_virgl_transfer *transfer)
{
    struct resource *resource = check(virgl, "get", transfer);
    if (!resource) return SCH_ERROR_ARGUMENT;
    memcpy(resource->memory + transfer->offset, resource->kept + transfer->box.x, transfer->box.width);
    const struct sch_virgl_frame frame = {
        .number = virgl->counts.frames++, .width = resource->width, .height = 1, .texels = resource->memory};
    if (virgl->audience.show) virgl->audience.show(virgl->audience.user, &frame);
    return SCH_OK;
}

/* ---- commands ---- */

static void *nothing(void *user) { return user; }

static bool start_thread(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

static bool write_code(void)
{
    const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page != MAP_FAILED && mprotect(page, 4096, all) == 0;
}

/* What is written through one mapping is executed through the other. */
static bool map_twice(void)
{
    enum { BYTES = 4096 };
    const int file = memfd_create("twice", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, BYTES) != 0) return false;
    void *written = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void *code = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, file, 0);
    const bool made = written != MAP_FAILED && code != MAP_FAILED && mprotect(code, BYTES, PROT_READ | PROT_EXEC) == 0;
    const int error = errno;
    close(file);
    errno = error;
    return made;
}

static bool map_private(void)
{
    const int file = memfd_create("private", MFD_CLOEXEC);
    return file >= 0 && ftruncate(file, 4096) == 0 && mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) != MAP_FAILED;
}

static bool make_large(void)
{
    const int file = memfd_create("large", MFD_CLOEXEC);
    const bool made = file >= 0 && ftruncate(file, (off_t)8 << 30) == 0;
    const int error = errno;
    if (file >= 0) close(file);
    errno = error;
    return made;
}

static bool make_process(void)
{
    const pid_t child = fork();
    if (child == 0) _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child;
}

/* A program of its own for each process and each number of instructions: no cache has it. */
static char *make_text(unsigned instructions)
{
    enum { LINE = 80 };
    char *text = malloc((size_t)(instructions + 8) * LINE);
    int at =
        sprintf(text, "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] UINT32 {%ld, 3, 5, 7}\n0: MOV TEMP[0], IMM[0]\n",
                (long)getpid());
    for (unsigned i = 1; i <= instructions; i++)
        at += sprintf(text + at, "%u: MUL TEMP[0].yzw, TEMP[0].wzyx, TEMP[0].z%cwy\n", i, "wyz"[i % 3]);
    sprintf(text + at, "%u: MOV OUT[0], TEMP[0]\n%u: END\n", instructions + 1, instructions + 2);
    return text;
}

/* One pixel of it. */
static bool run_program(struct sch_context *context, enum sch_engine engine, unsigned instructions)
{
    uint32_t output[4] = {0};
    char *text = make_text(instructions);
    const struct sch_program_options options = {.size = sizeof options, .engine = engine};
    const struct sch_bindings bindings = {.size = sizeof bindings};
    const struct sch_invocations invocations = {.size = sizeof invocations,
                                                .count = 1,
                                                .outputs = output,
                                                .output_bytes = sizeof output,
                                                .output_registers = 1};
    struct sch_shader *shader = NULL;
    struct sch_program *program = NULL;
    const bool good = sch_shader_read(context, text, strlen(text), NULL, NULL, &shader) == SCH_OK &&
                      sch_program_create(context, shader, &options, NULL, &program) == SCH_OK &&
                      sch_dispatch(program, &bindings, &invocations, NULL, NULL) == SCH_OK;
    sch_program_destroy(program);
    sch_shader_destroy(shader);
    free(text);
    return good && output[0] == (uint32_t)getpid();
}

static void *run_long_program(void *user)
{
    enum { INSTRUCTIONS = 3000 };
    const struct sch_virgl *virgl = user;
    return run_program(virgl->options.context, SCH_ENGINE_JIT, INSTRUCTIONS) ? user : NULL;
}

/* The second one waits for longer than a moment, after which another process would be started. */
static bool run_two_programs(const struct sch_virgl *virgl)
{
    pthread_t thread;
    void *done = NULL;
    if (pthread_create(&thread, NULL, run_long_program, (void *)(uintptr_t)virgl) != 0) return false;
    usleep(30000);
    const bool good = run_program(virgl->options.context, SCH_ENGINE_JIT, 1);
    return pthread_join(thread, &done) == 0 && done && good;
}

/* What wrong code does after a crash that it survives, as an attacker's would. */
static sigjmp_buf after_crash;
static volatile int refused_after_crash;

static void try_all(int number)
{
    const bool opened = open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
    const int of_open = errno;
    const bool made = socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    const int of_socket = errno;
    const bool forked = make_process();
    refused_after_crash = !opened && !made && !forked && of_open == EPERM && of_socket == EPERM && errno == EPERM;
    siglongjmp(after_crash, number);
}

static void *crash_and_try(void *user)
{
    struct sigaction action = {.sa_handler = try_all};
    volatile uint32_t *volatile nowhere = NULL;
    sigaction(SIGSEGV, &action, NULL);
    if (sigsetjmp(after_crash, 1) == 0) *nowhere = 1;
    return user;
}

static bool crash_in_thread(void)
{
    pthread_t thread;
    refused_after_crash = 0;
    if (pthread_create(&thread, NULL, crash_and_try, NULL) != 0 || pthread_join(thread, NULL) != 0) return true;
    errno = EPERM;
    return !refused_after_crash;
}

/* Whether it could be done. `shared`: a page that is shared with the client. */
static bool attempt(const struct sch_virgl *virgl, uint32_t command, void *shared)
{
    static char *const none[] = {NULL};
    volatile uint32_t *nowhere = NULL;
    switch (command) {
    case FAKE_OPEN:
        return open("/etc/passwd", O_RDONLY | O_CLOEXEC) >= 0;
    case FAKE_CREATE:
        return open("/dev/shm/scheelite-sandbox", O_WRONLY | O_CREAT | O_CLOEXEC, 0600) >= 0;
    case FAKE_SOCKET:
        return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
    case FAKE_FORK:
        return make_process();
    case FAKE_CODE:
        return write_code();
    case FAKE_MAP_CODE:
        return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED;
    case FAKE_TWICE:
        return map_twice();
    case FAKE_SHARED_CODE:
        return mprotect(shared, 4096, PROT_READ | PROT_EXEC) == 0 &&
               mprotect(shared, 4096, PROT_READ | PROT_WRITE) == 0;
    case FAKE_AGAIN:
        return mremap(shared, 0, 4096, MREMAP_MAYMOVE) != MAP_FAILED;
    case FAKE_PRIVATE:
        return map_private();
    case FAKE_LARGE:
        return make_large();
    case FAKE_KILL:
        return kill(getppid(), 0) == 0;
    case FAKE_THREAD:
        return start_thread();
    case FAKE_MEMORY:
        return mmap(NULL, (size_t)64 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
               MAP_FAILED;
    case FAKE_SHARE:
        return memfd_create("shared", MFD_CLOEXEC) >= 0;
    case FAKE_COMPILE:
        return run_program(virgl->options.context, SCH_ENGINE_JIT, 0);
    case FAKE_COMPILE_TWO:
        return run_two_programs(virgl);
    case FAKE_INTERPRET:
        return run_program(virgl->options.context, SCH_ENGINE_INTERPRETER, 0);
    case FAKE_EXECUTE:
        return execve("/bin/true", none, none) == 0;
    case FAKE_CRASH:
        *nowhere = 1;
        return true;
    case FAKE_CRASH_TRY:
        return crash_in_thread();
    case FAKE_SPIN:
        for (;;) continue;
    default:
        errno = EINVAL;
        return false;
    }
}

enum sch_result sch_virgl_submit(struct sch_virgl *virgl, const uint32_t *words, size_t count)
{
    note(virgl, "submit %zu: %x\n", count, count ? words[0] : 0);
    virgl->counts.submits++;
    if (count && words[0] == FAKE_FAIL) return SCH_ERROR_INVALID;
    if (count != 2 || virgl->options.threads != FAKE_DARING) return SCH_OK;
    struct resource *resource = find(virgl, words[1]);
    if (!resource || resource->memory_bytes < 8) return SCH_ERROR_ARGUMENT;
    errno = 0;
    const uint32_t answer[2] = {attempt(virgl, words[0], resource->memory) ? 0 : errno ? (uint32_t)errno : EINVAL, 1};
    memcpy(resource->memory, answer, sizeof answer);
    return SCH_OK;
}

struct sch_virgl_counts sch_virgl_get_counts(const struct sch_virgl *virgl) { return virgl->counts; }
