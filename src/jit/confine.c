/* See jit/confine.h. The filter of system calls is there where the build found libseccomp, Landlock where the system
 * has it. What the process answers is executed by its host, and what it keeps by others: a host that strangers may have
 * taken over has a folder of its own (cli/common/code.c). */
#include "jit/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter/filter.h"
#include "protocol/message.h"

/* The core has closed them where the system has a call for that. */
static void close_rest(void)
{
    struct rlimit files;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, SCH_MESSAGE_SOCKET + 1u, ~0u, 0u) == 0) return;
#endif
    if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
    enum { MOST = 1 << 16 };
    for (rlim_t file = SCH_MESSAGE_SOCKET + 1; file < files.rlim_cur && file < MOST; file++) close((int)file);
}

bool jit_leave_host(void)
{
    const struct sigaction standard = {.sa_handler = SIG_DFL}, ignored = {.sa_handler = SIG_IGN};
    sigset_t none;
    close_rest();
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return false;
    for (int file = 0; file < SCH_MESSAGE_SOCKET; file++)
        if (dup2(nothing, file) < 0) return false;
    if (nothing >= SCH_MESSAGE_SOCKET) close(nothing);
    if (fcntl(SCH_MESSAGE_SOCKET, F_SETFD, FD_CLOEXEC) != 0) return false;
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL); /* not for KILL and STOP */
    sigaction(SIGPIPE, &ignored, NULL);
    sigemptyset(&none);
    umask(077);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0 && chdir("/") == 0;
}

#ifdef WITH_SECCOMP
/* Files of the cache. A file that does not exist yet may be made, but nothing may become a program: neither a file nor
 * memory. */
static const int allowed[] = {SCMP_SYS(pread64),    SCMP_SYS(lseek),      SCMP_SYS(uname),     SCMP_SYS(fstat),
                              SCMP_SYS(newfstatat), SCMP_SYS(stat),       SCMP_SYS(lstat),     SCMP_SYS(statx),
                              SCMP_SYS(open),       SCMP_SYS(openat),     SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),
                              SCMP_SYS(rename),     SCMP_SYS(renameat),   SCMP_SYS(renameat2), SCMP_SYS(unlink),
                              SCMP_SYS(unlinkat),   SCMP_SYS(getdents64), SCMP_SYS(utimensat), SCMP_SYS(fcntl),
                              SCMP_SYS(dup),        SCMP_SYS(ftruncate),  SCMP_SYS(flock)};

/* What is not allowed answers EPERM. NULL, or what is wrong. */
static const char *filter_calls(pid_t worker)
{
    scmp_filter_ctx filter = sch_filter_create();
    const struct scmp_arg_cmp idle[] = {sch_filter_is(0, (scmp_datum_t)worker), sch_filter_is(1, SCHED_IDLE)};
    return sch_filter_load(filter,
                           filter && sch_filter_allow_memory(filter) &&
                               sch_filter_allow_if_all(filter, SCMP_SYS(sched_setscheduler), idle, 2) &&
                               sch_filter_add(filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed));
}
#endif

const char *jit_close_files(const char *cache)
{
    const struct sch_filter_folder folder = {cache, true};
    if (SCH_FILTER_SANITIZED) return NULL;
    if (cache) mkdir(cache, S_IRWXU); /* as writing to it does; a folder that is not there cannot be opened up */
    return sch_filter_files(&folder, 1) == SCH_FILTER_FILES_REFUSED
               ? "the system has Landlock, and does not close files off with it"
               : NULL;
}

void jit_make_idle(pid_t worker) { syscall(SYS_sched_setscheduler, worker, SCHED_IDLE, &(struct sched_param){0}); }

const char *jit_confine(uint64_t memory, pid_t worker)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (!sch_filter_limit(RLIMIT_CORE, 0)) return "the system cannot forbid core files";
    /* All its threads are there. Whoever may do everything is not bound by this, but by the filter. */
    if (!sch_filter_limit(RLIMIT_NPROC, 0)) return "the system cannot forbid processes";
    if (SCH_FILTER_SANITIZED) return NULL;
    if (!sch_filter_limit(RLIMIT_AS, memory)) return "the system cannot limit memory";
#ifdef WITH_SECCOMP
    return filter_calls(worker);
#else
    (void)worker;
    return NULL;
#endif
}
