/* See sandbox.h. Three fences: limits of resources, Landlock for files (where the system has it), and a list of the
 * system calls that the library needs, where the build found libseccomp. A call that is not on the list answers EPERM;
 * one that only wrong code makes ends the process. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef WITH_SECCOMP
#include <seccomp.h>
#endif
#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

/* Sanitizers map much more than they use. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

enum { DESCRIPTORS = 256 };

/* ---- resources ---- */

static bool lower(int resource, uint64_t wanted)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0) return false;
    if (limit.rlim_max > wanted) limit.rlim_max = (rlim_t)wanted; /* one that is lower cannot be raised */
    limit.rlim_cur = limit.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

/* Bytes of addresses that the process has; 0: not known. */
static uint64_t addresses(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return 0;
    if (fscanf(file, "%llu", &pages) != 1) pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* `there`: addresses that the process has. */
static const char *limit_resources(const struct sch_vtest_sandbox *sandbox, uint64_t there)
{
    if (!lower(RLIMIT_CORE, 0)) return "core files cannot be forbidden";
    if (!lower(RLIMIT_NOFILE, DESCRIPTORS)) return "descriptors cannot be limited";
    if (sandbox->seconds && !lower(RLIMIT_CPU, sandbox->seconds)) return "processor time cannot be limited";
    if (!sandbox->memory || SANITIZED) return NULL;
    const uint64_t most = there + sandbox->memory;
    return there && lower(RLIMIT_AS, most) && lower(RLIMIT_DATA, most) ? NULL : "memory cannot be limited";
}

/* ---- files ---- */

#ifdef LANDLOCK_ACCESS_FS_EXECUTE
/* Whether files are closed off; a system without Landlock closes none. */
static bool close_files(const char *readable)
{
    /* All rights of the first version; those of later ones need files to be opened for writing, or made. */
    const struct landlock_ruleset_attr all = {.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1};
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (rules < 0) return false;
    const int folder = readable ? open(readable, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    const struct landlock_path_beneath_attr beneath = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR, .parent_fd = folder};
    bool good = folder < 0 || syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) == 0;
    good = good && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (folder >= 0) close(folder);
    close(rules);
    return good;
}
#else
static bool close_files(const char *readable)
{
    (void)readable;
    return false;
}
#endif

/* ---- system calls ---- */

#ifdef WITH_SECCOMP
bool sch_vtest_sandbox_is_whole(void) { return true; }

/* Memory, threads, clocks, the connection, and ending. */
static const int allowed[] = {SCMP_SYS(read),
                              SCMP_SYS(write),
                              SCMP_SYS(readv),
                              SCMP_SYS(writev),
                              SCMP_SYS(recvfrom),
                              SCMP_SYS(recvmsg),
                              SCMP_SYS(sendto),
                              SCMP_SYS(sendmsg),
                              SCMP_SYS(shutdown),
                              SCMP_SYS(poll),
                              SCMP_SYS(ppoll),
                              SCMP_SYS(close),
                              SCMP_SYS(memfd_create),
                              SCMP_SYS(ftruncate),
                              SCMP_SYS(eventfd2),
                              SCMP_SYS(munmap),
                              SCMP_SYS(mremap),
                              SCMP_SYS(madvise),
                              SCMP_SYS(brk),
                              SCMP_SYS(futex),
                              SCMP_SYS(set_robust_list),
                              SCMP_SYS(rseq),
                              SCMP_SYS(set_tid_address),
                              SCMP_SYS(sched_yield),
                              SCMP_SYS(sched_getaffinity),
                              SCMP_SYS(clock_gettime),
                              SCMP_SYS(clock_getres),
                              SCMP_SYS(gettimeofday),
                              SCMP_SYS(time),
                              SCMP_SYS(getrusage),
                              SCMP_SYS(nanosleep),
                              SCMP_SYS(clock_nanosleep),
                              SCMP_SYS(getrandom),
                              SCMP_SYS(sysinfo),
                              SCMP_SYS(getcpu),
                              SCMP_SYS(getpid),
                              SCMP_SYS(gettid),
                              SCMP_SYS(getuid),
                              SCMP_SYS(geteuid),
                              SCMP_SYS(rt_sigaction),
                              SCMP_SYS(rt_sigprocmask),
                              SCMP_SYS(rt_sigreturn),
                              SCMP_SYS(sigaltstack),
                              SCMP_SYS(restart_syscall),
                              SCMP_SYS(exit),
                              SCMP_SYS(exit_group)};

/* What only code makes that is not the library's. */
static const int fatal[] = {SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
                            SCMP_SYS(process_vm_writev)};

static bool add(scmp_filter_ctx filter, uint32_t action, int call, const struct scmp_arg_cmp *arguments, unsigned count)
{
    if (call == __NR_SCMP_ERROR) return true; /* not of this processor */
    const int result = seccomp_rule_add_array(filter, action, call, count, arguments);
    return result == 0 || result == -EDOM; /* likewise */
}

static bool add_lists(scmp_filter_ctx filter)
{
    bool good = true;
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        good = good && add(filter, SCMP_ACT_ALLOW, allowed[i], NULL, 0);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        good = good && add(filter, SCMP_ACT_KILL_PROCESS, fatal[i], NULL, 0);
    return good;
}

static bool allow_if(scmp_filter_ctx filter, int call, struct scmp_arg_cmp argument)
{
    return add(filter, SCMP_ACT_ALLOW, call, &argument, 1);
}

/* Argument `number` is `value`, or its bits of `mask` are. */
static struct scmp_arg_cmp is(unsigned number, scmp_datum_t value)
{
    return (struct scmp_arg_cmp){.arg = number, .op = SCMP_CMP_EQ, .datum_a = value};
}

static struct scmp_arg_cmp has(unsigned number, scmp_datum_t mask, scmp_datum_t value)
{
    return (struct scmp_arg_cmp){.arg = number, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

/* Memory is never mapped as code. What was written may become code if the library loads some. */
static bool add_memory(scmp_filter_ctx filter, bool code)
{
    const scmp_datum_t both = PROT_WRITE | PROT_EXEC;
    return allow_if(filter, SCMP_SYS(mmap), has(2, PROT_EXEC, 0)) &&
           allow_if(filter, SCMP_SYS(mprotect), has(2, PROT_EXEC, 0)) &&
           (!code || allow_if(filter, SCMP_SYS(mprotect), has(2, both, PROT_EXEC)));
}

/* Threads, but no processes. A filter cannot read what clone3 is given; without it the C library calls clone. */
static bool add_threads(scmp_filter_ctx filter)
{
    const scmp_datum_t own = (scmp_datum_t)getpid();
    return allow_if(filter, SCMP_SYS(clone), has(0, CLONE_THREAD, CLONE_THREAD)) &&
           add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), NULL, 0) &&
           allow_if(filter, SCMP_SYS(prctl), is(0, PR_SET_NAME)) &&
           /* The library makes a pair before it sees that no other compiler can be started; it leads nowhere. */
           allow_if(filter, SCMP_SYS(socketpair), is(0, AF_UNIX)) &&
           allow_if(filter, SCMP_SYS(tgkill), is(0, own)); /* abort() */
}

static bool add_descriptors(scmp_filter_ctx filter)
{
    static const int commands[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_ADD_SEALS, F_GET_SEALS};
    bool good = allow_if(filter, SCMP_SYS(ioctl), is(1, SIOCOUTQ));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        good = good && allow_if(filter, SCMP_SYS(fcntl), is(1, (scmp_datum_t)commands[i]));
    return good;
}

/* Files are opened for reading only; which ones, Landlock says. */
static bool add_cache(scmp_filter_ctx filter)
{
    const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    return allow_if(filter, SCMP_SYS(openat), has(2, writing, O_RDONLY)) &&
           allow_if(filter, SCMP_SYS(utimensat), is(1, 0)) && /* of an open file */
           add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fstat), NULL, 0) &&
           add(filter, SCMP_ACT_ALLOW, SCMP_SYS(newfstatat), NULL, 0);
}

static const char *filter_calls(const struct sch_vtest_sandbox *sandbox, bool cache)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter) return "the filter of system calls cannot be made";
    const bool made = add_lists(filter) && add_memory(filter, sandbox->code) && add_threads(filter) &&
                      add_descriptors(filter) && (!cache || add_cache(filter)) &&
                      seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0;
    const bool loaded = made && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return loaded ? NULL : made ? "the system takes no filter of system calls" : "the filter of system calls is wrong";
}
#else
bool sch_vtest_sandbox_is_whole(void) { return false; }

static const char *filter_calls(const struct sch_vtest_sandbox *sandbox, bool cache)
{
    (void)sandbox;
    (void)cache;
    return NULL;
}
#endif

const char *sch_vtest_sandbox_close(const struct sch_vtest_sandbox *sandbox)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "privileges cannot be forbidden";
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return "other processes cannot be kept out";
    const uint64_t there = addresses(); /* which is read from a file */
    const bool files = close_files(sandbox->cache);
    const char *problem = limit_resources(sandbox, there);
    return problem ? problem : filter_calls(sandbox, files && sandbox->cache);
}
