/* See filter.h. */
#include "filter/filter.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

static const int common[] = {SCMP_SYS(read),
                             SCMP_SYS(write),
                             SCMP_SYS(readv),
                             SCMP_SYS(writev),
                             SCMP_SYS(poll),
                             SCMP_SYS(ppoll),
                             SCMP_SYS(close),
                             SCMP_SYS(munmap),
                             SCMP_SYS(madvise),
                             SCMP_SYS(brk),
                             SCMP_SYS(futex),
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

static bool add(scmp_filter_ctx filter, uint32_t action, int call, const struct scmp_arg_cmp *arguments, unsigned count)
{
    if (call == __NR_SCMP_ERROR) return true; /* not of this processor */
    const int result = seccomp_rule_add_array(filter, action, call, count, arguments);
    return result == 0 || result == -EDOM; /* likewise */
}

bool sch_filter_add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count)
{
    bool good = true;
    for (size_t i = 0; i < count; i++) good = good && add(filter, action, calls[i], NULL, 0);
    return good;
}

bool sch_filter_allow_if(scmp_filter_ctx filter, int call, struct scmp_arg_cmp argument)
{
    return add(filter, SCMP_ACT_ALLOW, call, &argument, 1);
}

bool sch_filter_allow_if_all(scmp_filter_ctx filter, int call, const struct scmp_arg_cmp *arguments, unsigned count)
{
    return add(filter, SCMP_ACT_ALLOW, call, arguments, count);
}

bool sch_filter_allow_memory(scmp_filter_ctx filter)
{
    static const int moving[] = {SCMP_SYS(mremap)};
    return sch_filter_allow_if(filter, SCMP_SYS(mmap), sch_filter_has(2, PROT_EXEC, 0)) &&
           sch_filter_add(filter, SCMP_ACT_ALLOW, moving, 1);
}

struct scmp_arg_cmp sch_filter_is(unsigned number, scmp_datum_t value)
{
    return (struct scmp_arg_cmp){.arg = number, .op = SCMP_CMP_EQ, .datum_a = value};
}

struct scmp_arg_cmp sch_filter_has(unsigned number, scmp_datum_t mask, scmp_datum_t value)
{
    return (struct scmp_arg_cmp){.arg = number, .op = SCMP_CMP_MASKED_EQ, .datum_a = mask, .datum_b = value};
}

scmp_filter_ctx sch_filter_create(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (filter && sch_filter_add(filter, SCMP_ACT_ALLOW, common, sizeof common / sizeof *common) &&
        sch_filter_allow_if(filter, SCMP_SYS(mprotect), sch_filter_has(2, PROT_EXEC, 0)) &&
        sch_filter_allow_if(filter, SCMP_SYS(tgkill), sch_filter_is(0, (scmp_datum_t)getpid()))) /* abort() */
        return filter;
    if (filter) seccomp_release(filter);
    return NULL;
}

const char *sch_filter_load(scmp_filter_ctx filter, bool made)
{
    if (!filter) return "the filter of system calls cannot be made";
    const bool loaded = made && seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return loaded ? NULL : made ? "the system takes no filter of system calls" : "the filter of system calls is wrong";
}
