/* A compiler that does what LLVM must not be trusted to leave: what a program has compiled depends on how many
 * instructions it has (wild.h). Holds no code of its own: what it makes is native_piece.c. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "../native/wild.h"
#include "protocol/message.h"
#include "read_piece.h"

extern char **environ;

__attribute__((visibility("default"))) extern const struct sch_native_compiler sch_native_compiler_1;

static void sleep_ms(long ms)
{
    struct timespec left = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

static void take_all_memory(void)
{
    for (;;) {
        char *volatile more = malloc(1 << 20); /* volatile: no compiler leaves it out */
        if (!more) abort();                    /* as LLVM does */
        memset(more, 1, 1 << 20);
    }
}

#if defined(WITH_SECCOMP)
static bool may_run_memory(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED && mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0;
}

#endif

static struct sch_native_object piece;

__attribute__((constructor)) static void read_pieces(void) { piece = read_piece(PIECE); }
__attribute__((destructor)) static void free_pieces(void) { free(piece.bytes); }

/* It has /dev/null three times, the connection, and what it waits with. */
static bool has_other_files(void)
{
    enum { MOST = 1 << 10 };
    bool others = false;
    for (int file = 0; file < MOST; file++) {
        struct stat status;
        if (file == SCH_MESSAGE_SOCKET || fstat(file, &status) != 0) continue;
        const bool is_event = !(status.st_mode & S_IFMT);
        others = others || (!is_event && !(S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)));
    }
    return others;
}

/* Where the system has Landlock, the process can open no file of the system's, and those of its cache. */
static bool can_open(void)
{
    const int file = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    if (file >= 0) close(file);
    return file >= 0;
}

/* What a process still has or may do that it should not. */
static size_t look_around(void)
{
    char folder[64] = "/";
    struct rlimit core;
    sigset_t blocked;
    size_t wrongs = 0;
#if defined(WITH_SECCOMP)
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0) wrongs |= WILD_SOCKET;
    if (fork() >= 0) wrongs |= WILD_FORK;
    if (execl("/bin/true", "true", (char *)NULL) == 0 || errno != EPERM) wrongs |= WILD_EXECVE;
    if (may_run_memory()) wrongs |= WILD_CODE;
    if (kill(getpid(), 0) == 0 || errno != EPERM) wrongs |= WILD_KILL;
#endif
    if (has_other_files()) wrongs |= WILD_FILES;
    if (can_open()) wrongs |= WILD_OPENS;
    if (environ && environ[0]) wrongs |= WILD_ENVIRONMENT;
    if (getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur) wrongs |= WILD_CORE;
    if (getcwd(folder, sizeof folder) && strcmp(folder, "/") != 0) wrongs |= WILD_FOLDER;
    if (pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && sigismember(&blocked, SIGTERM)) wrongs |= WILD_SIGNALS;
    return wrongs;
}

static void say(const void *bytes, size_t size)
{
    if (write(SCH_MESSAGE_SOCKET, bytes, size) < 0) abort();
}

static enum sch_result compile_program(const struct sch_native_program_request *request,
                                       struct sch_native_object *object, struct sch_native_cost *cost, char **text)
{
    (void)text;
    struct sch_message_head head = {.magic = SCH_MESSAGE_MAGIC, .bytes = 1000};
    static const uint8_t nonsense[1000] = {0xff, 0xff, 0xff, 0xff, 0xff};
    *cost = (struct sch_native_cost){0};
    switch (request->program->instruction_count) {
    case WILD_DIES:
        raise(SIGKILL);
        break;
    case WILD_ABORTS:
        abort();
    case WILD_LOOPS:
        for (volatile unsigned n = 0;; n++)
            ;
    case WILD_TAKES_MEMORY:
        take_all_memory();
        break;
    case WILD_SLEEPS:
        sleep_ms(8000);
        break;
    case WILD_NAPS:
        sleep_ms(100);
        break;
    case WILD_SAYS_MUCH:
        head.bytes = UINT64_MAX / 2;
        say(&head, sizeof head);
        break;
    case WILD_SAYS_OTHER:
        say(nonsense, sizeof nonsense);
        break;
    case WILD_SAYS_NONSENSE:
        say(&head, sizeof head);
        say(nonsense, sizeof nonsense);
        break;
    case WILD_SAYS_LITTLE:
        say(&head, sizeof head);
        _exit(0);
    case WILD_OBJECT:
        object->bytes = malloc(sizeof nonsense);
        memcpy(object->bytes, nonsense, sizeof nonsense);
        object->size = sizeof nonsense;
        return SCH_OK;
    case WILD_LOOKS:
        cost->built = look_around();
        break;
    default:
        break;
    }
    return give_piece(object, &piece);
}

static bool fits(const struct sch_native_program_request *request)
{
    return request->program->instruction_count <= 100;
}

static void release(struct sch_native_object *object) { free(object->bytes); }
static void release_text(char *text) { free(text); }

const struct sch_native_compiler sch_native_compiler_1 = {.version = SCH_NATIVE_VERSION,
                                                          .build = sch_native_build,
                                                          .identity = "wild",
                                                          .fits = fits,
                                                          .compile_program = compile_program,
                                                          .release = release,
                                                          .release_text = release_text};
