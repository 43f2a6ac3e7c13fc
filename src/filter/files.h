/* Files that a process gives up (Landlock), for processes that need few of them. Knows no process. */
#ifndef SCH_FILTER_FILES_H
#define SCH_FILTER_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* A folder that stays open, with all that is below it. */
struct sch_filter_folder {
    const char *path; /* NULL: none */
    bool written;     /* files may be made, written, renamed and removed there, not only read */
};

/* Closes all other files off, and on newer systems abstract sockets of other processes, TCP, and signals to other
 * processes: for the calling thread and those that it will make, for good. Descriptors that are open stay as they are.
 * The process may have no new privileges by now. A path that is a link at its end counts as none. False: the system
 * has no Landlock, and nothing is closed. */
bool sch_filter_files(const struct sch_filter_folder *folders, size_t count);

#endif
