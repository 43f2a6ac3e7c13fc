/* What processes give up that do not need it: resources, files (Landlock), and system calls (seccomp), by filters that
 * are put together from lists. There are no filters of system calls where the build has no libseccomp. Knows no
 * process. */
#ifndef SCH_FILTER_FILTER_H
#define SCH_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sanitizers map much more than their programs use, and read files when they report. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCH_FILTER_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SCH_FILTER_SANITIZED 1
#endif
#endif
#ifndef SCH_FILTER_SANITIZED
#define SCH_FILTER_SANITIZED 0
#endif

/* Limits a resource (RLIMIT_AS) for good. A limit that is lower already stays. False: the system does not. */
bool sch_filter_limit(int resource, uint64_t most);

/* ---- files (Landlock) ---- */

/* A folder that stays open, with all that is below it. */
struct sch_filter_folder {
    const char *path; /* NULL: none */
    bool written;     /* files may be made, written, renamed and removed there, not only read */
};

enum sch_filter_files {
    SCH_FILTER_FILES_CLOSED,
    SCH_FILTER_FILES_OPEN,   /* the system has no Landlock: all stays open */
    SCH_FILTER_FILES_REFUSED /* it has Landlock, and takes no rules: all stays open */
};

/* The version of the system's Landlock; 0: it has none. */
unsigned sch_filter_landlock(void);

/* Closes all other files off, and on newer systems abstract sockets of other processes, TCP, and signals to other
 * processes: for the calling thread and those that it will make, for good. Descriptors that are open stay as they are.
 * The process may have no new privileges by now. A path that is a link at its end counts as none. */
enum sch_filter_files sch_filter_files(const struct sch_filter_folder *folders, size_t count);

/* ---- system calls ---- */

#ifdef WITH_SECCOMP

#include <seccomp.h>

/* A filter that allows what every process of ours needs: its own threads' locks, clocks, descriptors that it has,
 * signals to itself, ending; and of memory what makes none: to give it back, and to change what may be done with it,
 * but not to code. All other calls answer EPERM. NULL: there is no memory. Free it with seccomp_release. */
scmp_filter_ctx sch_filter_create(void);

/* Allows to make memory that is not code, private or shared, and to move it: where nothing may become code. */
bool sch_filter_allow_memory(scmp_filter_ctx filter);

/* What happens to calls. Those that this processor does not have are left out. */
bool sch_filter_add(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count);

/* Allows a call if one argument is as it must be. */
bool sch_filter_allow_if(scmp_filter_ctx filter, int call, struct scmp_arg_cmp argument);

/* Allows a call if all of these arguments are as they must be. */
bool sch_filter_allow_if_all(scmp_filter_ctx filter, int call, const struct scmp_arg_cmp *arguments, unsigned count);

/* Argument `number` is `value`; its bits of `mask` are. */
struct scmp_arg_cmp sch_filter_is(unsigned number, scmp_datum_t value);
struct scmp_arg_cmp sch_filter_has(unsigned number, scmp_datum_t mask, scmp_datum_t value);

/* Sets a filter that was `made` as it should be, for all threads of the process, which may have no new privileges by
 * now, and frees it. NULL, or what is wrong. The filter may be NULL. */
const char *sch_filter_load(scmp_filter_ctx filter, bool made);

#endif

#endif
