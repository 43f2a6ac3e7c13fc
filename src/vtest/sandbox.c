/* See sandbox.h. Three fences: limits of resources, Landlock for files (where the system has it), and a list of the
 * system calls that the library needs, where the build found libseccomp. A call that is not on the list answers EPERM;
 * one that only wrong code makes ends the process. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../filter/filter.h"

enum { DESCRIPTORS = 256 };

/* ---- resources ---- */

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
    if (!sch_filter_limit(RLIMIT_CORE, 0)) return "core files cannot be forbidden";
    if (!sch_filter_limit(RLIMIT_NOFILE, DESCRIPTORS)) return "descriptors cannot be limited";
    if (sandbox->file && !sch_filter_limit(RLIMIT_FSIZE, sandbox->file)) return "files cannot be limited";
    if (sandbox->seconds && !sch_filter_limit(RLIMIT_CPU, sandbox->seconds)) return "processor time cannot be limited";
    if (!sandbox->memory || SCH_FILTER_SANITIZED) return NULL;
    const uint64_t most = there + sandbox->memory;
    return there && sch_filter_limit(RLIMIT_AS, most) && sch_filter_limit(RLIMIT_DATA, most)
               ? NULL
               : "memory cannot be limited";
}

/* ---- addresses ---- */

/* Nothing is reserved: the system puts what has no address of its own far above. AddressSanitizer has its shadow below.
 * The addresses differ from process to process, as those do that the system chooses. Processors with 39 bits of
 * addresses have the second ones. */
bool sch_vtest_addresses_choose(struct sch_vtest_addresses *addresses, uint64_t bytes)
{
    enum { PAGE_BITS = 16, TIMES = 8 };
    static const struct {
        uint64_t from;
        unsigned bits;
    } places[] = {{UINT64_C(0x110000000000), 43}, {UINT64_C(0x2000000000), 36}};
    uint64_t largest = UINT64_C(1) << PAGE_BITS, random;
    while (largest < bytes) largest *= 2; /* bytes are at most 2^44 (--memory) */
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const uint64_t offset = (random & ((UINT64_C(1) << places[i].bits) - 1)) >> PAGE_BITS << PAGE_BITS;
        const uint64_t begin = places[i].from + offset, middle = begin + TIMES * largest, end = middle + largest;
        const size_t page = (size_t)1 << PAGE_BITS;
        if (end > UINTPTR_MAX) continue;
        void *wanted = (void *)(uintptr_t)(end - page); /* NOLINT(performance-no-int-to-ptr) */
        void *got = mmap(wanted, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (got != MAP_FAILED) munmap(got, page);
        if (got != wanted) continue; /* there are no such addresses, or the system knows no MAP_FIXED_NOREPLACE */
        *addresses = (struct sch_vtest_addresses){begin, middle, end};
        return true;
    }
    return false;
}

/* ---- system calls ---- */

#ifdef WITH_SECCOMP
const char *sch_vtest_sandbox_leaves(void) { return NULL; }

/* The connection, memory that is shared with the client, and threads. */
static const int allowed[] = {
    SCMP_SYS(recvfrom),     SCMP_SYS(recvmsg),   SCMP_SYS(sendto),   SCMP_SYS(sendmsg),         SCMP_SYS(shutdown),
    SCMP_SYS(memfd_create), SCMP_SYS(ftruncate), SCMP_SYS(eventfd2), SCMP_SYS(set_robust_list), SCMP_SYS(getcpu)};

/* What only code makes that is not the library's. */
static const int fatal[] = {SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
                            SCMP_SYS(process_vm_writev)};

/* A filter cannot read what clone3 is given; without it the C library calls clone. */
static const int missing[] = {SCMP_SYS(clone3)};

static bool add_lists(scmp_filter_ctx filter)
{
    return sch_filter_add(filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed) &&
           sch_filter_add(filter, SCMP_ACT_KILL_PROCESS, fatal, sizeof fatal / sizeof *fatal) &&
           sch_filter_add(filter, SCMP_ACT_ERRNO(ENOSYS), missing, sizeof missing / sizeof *missing);
}

static struct scmp_arg_cmp compare(unsigned number, enum scmp_compare how, uint64_t value)
{
    return (struct scmp_arg_cmp){.arg = number, .op = how, .datum_a = value};
}

/* Memory that was written may become code if the library loads some. A filter sees addresses, not what is there: so
 * memory that may have a second mapping, or another process that writes to it, is shared memory at its own addresses,
 * and does not become code, and is not moved or mapped once more (mremap of 0 bytes, MREMAP_DONTUNMAP). Files are not
 * mapped otherwise: a private mapping shows what is written to the file. */
static bool add_code(scmp_filter_ctx filter, const struct sch_vtest_addresses *shared)
{
    enum { SHARED = MAP_SHARED | MAP_FIXED_NOREPLACE };
    const struct scmp_arg_cmp code[] = {compare(0, SCMP_CMP_GE, shared->end),
                                        sch_filter_has(2, PROT_WRITE | PROT_EXEC, PROT_EXEC)};
    const struct scmp_arg_cmp own[] = {sch_filter_has(2, PROT_EXEC, 0),
                                       sch_filter_has(3, MAP_SHARED | MAP_ANONYMOUS, MAP_ANONYMOUS)};
    const struct scmp_arg_cmp common[] = {compare(0, SCMP_CMP_LT, shared->middle),
                                          compare(1, SCMP_CMP_LE, shared->end - shared->middle),
                                          sch_filter_has(2, PROT_EXEC, 0), sch_filter_has(3, SHARED, SHARED)};
    const struct scmp_arg_cmp moved[] = {compare(0, SCMP_CMP_GE, shared->end), compare(1, SCMP_CMP_GE, 1),
                                         sch_filter_has(3, ~(scmp_datum_t)MREMAP_MAYMOVE, 0)};
    return sch_filter_allow_if_all(filter, SCMP_SYS(mprotect), code, 2) &&
           sch_filter_allow_if_all(filter, SCMP_SYS(mmap), own, 2) &&
           sch_filter_allow_if_all(filter, SCMP_SYS(mmap), common, 4) &&
           sch_filter_allow_if_all(filter, SCMP_SYS(mremap), moved, 3);
}

/* Threads, but no processes. */
static bool add_threads(scmp_filter_ctx filter)
{
    return sch_filter_allow_if(filter, SCMP_SYS(clone), sch_filter_has(0, CLONE_THREAD, CLONE_THREAD)) &&
           sch_filter_allow_if(filter, SCMP_SYS(prctl), sch_filter_is(0, PR_SET_NAME)) &&
           /* The library makes a pair before it sees that no other compiler can be started; it leads nowhere. */
           sch_filter_allow_if(filter, SCMP_SYS(socketpair), sch_filter_is(0, AF_UNIX));
}

static bool add_descriptors(scmp_filter_ctx filter)
{
    static const int commands[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_ADD_SEALS, F_GET_SEALS};
    bool good = sch_filter_allow_if(filter, SCMP_SYS(ioctl), sch_filter_is(1, SIOCOUTQ));
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        good = good && sch_filter_allow_if(filter, SCMP_SYS(fcntl), sch_filter_is(1, (scmp_datum_t)commands[i]));
    return good;
}

/* Files are opened for reading only; which ones, Landlock says. */
static bool add_cache(scmp_filter_ctx filter)
{
    static const int about_files[] = {SCMP_SYS(fstat), SCMP_SYS(newfstatat)};
    const scmp_datum_t writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
    return sch_filter_allow_if(filter, SCMP_SYS(openat), sch_filter_has(2, writing, O_RDONLY)) &&
           sch_filter_allow_if(filter, SCMP_SYS(utimensat), sch_filter_is(1, 0)) && /* of an open file */
           sch_filter_add(filter, SCMP_ACT_ALLOW, about_files, sizeof about_files / sizeof *about_files);
}

static const char *filter_calls(const struct sch_vtest_sandbox *sandbox, bool cache)
{
    scmp_filter_ctx filter = sch_filter_create();
    return sch_filter_load(filter,
                           filter && add_lists(filter) && add_threads(filter) && add_descriptors(filter) &&
                               (sandbox->code ? add_code(filter, &sandbox->shared) : sch_filter_allow_memory(filter)) &&
                               (!cache || add_cache(filter)));
}
#else
const char *sch_vtest_sandbox_leaves(void)
{
#define OPEN "a client that takes its process over can make processes, use sockets"
    enum { SCOPES = 6 }; /* the version of Landlock that closes signals off */
    const unsigned landlock = sch_filter_landlock();
    if (landlock >= SCOPES)
        return "built without libseccomp, so no system call is refused: " OPEN
               " but those of TCP, and change the rights and times of the user's files";
    if (landlock)
        return "built without libseccomp, so no system call is refused: " OPEN
               ", send signals, and change the rights and times of the user's files";
    return "built without libseccomp, so no system call is refused, and the system has no Landlock: " OPEN
           ", send signals, start programs, and read and write the user's files";
#undef OPEN
}

static const char *filter_calls(const struct sch_vtest_sandbox *sandbox, bool cache)
{
    (void)sandbox;
    (void)cache;
    return NULL;
}
#endif

const char *sch_vtest_sandbox_close(const struct sch_vtest_sandbox *sandbox)
{
    if (sandbox->code && !sandbox->shared.end) return "shared memory has no addresses of its own";
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "privileges cannot be forbidden";
    if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return "other processes cannot be kept out";
    const uint64_t there = addresses(); /* which is read from a file */
    const struct sch_filter_folder cache = {sandbox->cache, false};
    const enum sch_filter_files files = sch_filter_files(&cache, 1);
    if (files == SCH_FILTER_FILES_REFUSED) return "the system has Landlock, and does not close files off with it";
    const char *problem = limit_resources(sandbox, there);
    return problem ? problem : filter_calls(sandbox, files == SCH_FILTER_FILES_CLOSED && sandbox->cache);
}
