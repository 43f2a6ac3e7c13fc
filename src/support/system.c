/* See system.h. */
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

bool sch_socket_is_served(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return true;
    strcpy(address.sun_path, path);
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe < 0) return true;
    const bool refused = connect(probe, (const struct sockaddr *)&address, sizeof address) != 0 &&
                         (errno == ECONNREFUSED || errno == ENOENT);
    close(probe);
    return !refused;
}

bool sch_write_all(int file, const void *data, size_t bytes)
{
    const char *at = data;
    while (bytes) {
        const ssize_t some = write(file, at, bytes);
        if (some < 0 && errno == EINTR) continue;
        if (some == 0) errno = ENOSPC;
        if (some <= 0) return false;
        at += some;
        bytes -= (size_t)some;
    }
    return true;
}

bool sch_child_succeeds(pid_t child)
{
    int status;
    if (child < 0) return false;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *sch_scratch_base(void)
{
    const char *base = getenv("TMPDIR");
    return base && *base ? base : P_tmpdir;
}

bool sch_scratch_make(char *path, size_t room)
{
    errno = ENAMETOOLONG;
    const int bytes = snprintf(path, room, "%s/scheelite-XXXXXX", sch_scratch_base());
    return bytes > 0 && (size_t)bytes < room && mkdtemp(path);
}

void sch_scratch_remove(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;
    while (dir && (entry = readdir(dir))) unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir) closedir(dir);
    rmdir(path);
}
