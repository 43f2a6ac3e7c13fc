/* What several clients of include/ ask of the system: sockets of the file system, children, folders for temporary
 * files. */
#ifndef SCH_SUPPORT_SYSTEM_H
#define SCH_SUPPORT_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether a server has the socket at a path. One whose backlog is full has, and one that cannot be asked may have. */
bool sch_socket_is_served(const char *path);

/* Writes all of it. False, and errno: it cannot be written, or 0 bytes of it. */
bool sch_write_all(int file, const void *data, size_t bytes);

/* Waits for a child, which fork() may have refused (-1). Whether it ends with exit code 0. */
bool sch_child_succeeds(pid_t child);

/* Where temporary files are: TMPDIR, or the system's folder. */
const char *sch_scratch_base(void);
/* A new folder there. False, and errno: it cannot be made. */
bool sch_scratch_make(char *path, size_t room);
/* Removes it with its files. */
void sch_scratch_remove(const char *path);

#endif
