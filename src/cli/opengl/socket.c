/* See socket.h. */
#include "socket.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../support/system.h"
#include "driver.h"
#include "server.h"

bool sch_cli_socket_make(struct sch_cli_socket *own, char problem[256])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    own->mark = -1;
    if (!runtime || runtime[0] != '/' || strlen(runtime) > 60 || access(runtime, W_OK | X_OK) != 0) runtime = P_tmpdir;
    snprintf(own->folder, sizeof own->folder, "%s/scheelite-gl-XXXXXX", runtime);
    if (!mkdtemp(own->folder)) {
        snprintf(problem, 256, "no folder can be made in %s: %s", runtime, strerror(errno));
        return false;
    }
    snprintf(own->path, sizeof own->path, "%s/socket", own->folder);
    sch_cli_server_fixed_name(own->fixed);
    return true;
}

/* ---- a name space ---- */

static bool write_map(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    const bool written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0) close(file);
    return written;
}

/* A name space of mounts; who is not root needs one of users around it, where they stay who they are. */
static bool leave_name_space(void)
{
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", (unsigned)getegid(), (unsigned)getegid());
    if (unshare(CLONE_NEWNS) != 0) {
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
        write_map("/proc/self/setgroups", "deny");
        if (!write_map("/proc/self/uid_map", users) || !write_map("/proc/self/gid_map", groups)) return false;
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* ---- the fixed name ---- */

static bool is_same_file(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Something must be there to be mounted on: an empty file, if there is nothing. All that use it hold a lock; the last
 * one removes it. */
static bool make_mark(struct sch_cli_socket *own)
{
    enum { TRIES = 8 };
    struct stat status;
    for (unsigned i = 0; i < TRIES; i++) {
        if (lstat(own->fixed, &status) == 0 && !S_ISREG(status.st_mode)) return !S_ISLNK(status.st_mode);
        const int file = open(own->fixed, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file < 0) return errno == EACCES && lstat(own->fixed, &status) == 0; /* another user's will do */
        if (flock(file, LOCK_SH) == 0 && is_same_file(file, own->fixed)) {
            own->mark = file;
            return true;
        }
        close(file); /* it was removed just now */
    }
    return false;
}

/* ---- a link ---- */

/* A link that a killed `gl` has left: the user's own, to a socket without a server. Removed. */
static void remove_old_link(const struct sch_cli_socket *own)
{
    struct stat status;
    if (lstat(own->fixed, &status) == 0 && S_ISLNK(status.st_mode) && status.st_uid == geteuid() &&
        !sch_socket_is_served(own->fixed))
        unlink(own->fixed);
}

/* Those who look whether a link is old, and replace it, do so one after the other: the folder is locked meanwhile. */
static bool make_link(const struct sch_cli_socket *own)
{
    const int folder = open(P_tmpdir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool alone = folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0;
    if (alone) remove_old_link(own);
    const bool made = symlink(own->path, own->fixed) == 0;
    const int error = errno;
    if (folder >= 0) close(folder);
    errno = error;
    return made;
}

bool sch_cli_socket_find_name(struct sch_cli_socket *own, bool named, char problem[SCH_CLI_SOCKET_PROBLEM])
{
    struct sch_cli_driver driver;
    own->name = SCH_CLI_FOUND_NONE;
    if (named) return true;
    const pid_t child = fork(); /* tries it in a process that ends at once */
    if (child == 0) _exit(leave_name_space() ? 0 : 1);
    const bool leaves = sch_child_succeeds(child);
    if (leaves && make_mark(own)) {
        own->name = SCH_CLI_FOUND_MOUNT;
        return true;
    }
    if (make_link(own)) {
        own->name = SCH_CLI_FOUND_LINK;
        return true;
    }
    const int error = errno;
    if (sch_cli_driver_find(&driver) && !driver.old[0]) return true;
    snprintf(problem, SCH_CLI_SOCKET_PROBLEM,
             "the program is not started, as it might draw on another server: %s, %.200s %s%s, and %s (docs/opengl.md, "
             "\"The "
             "name of the socket\"). If the program's driver reads VTEST_SOCKET_NAME, say --named-socket",
             driver.file[0] ? driver.old : "no driver virpipe was found", own->fixed,
             error == EEXIST ? "is in use" : "cannot be made: ", error == EEXIST ? "" : strerror(error),
             leaves ? "cannot be mounted over" : "the system gives the program no name space of mounts");
    return false;
}

bool sch_cli_socket_enter(const struct sch_cli_socket *own)
{
    if (own->name != SCH_CLI_FOUND_MOUNT) return true;
    if (leave_name_space() && mount(own->path, own->fixed, NULL, MS_BIND, NULL) == 0) return true;
    fprintf(stderr, "scheelite gl: %s cannot be mounted: %s\n", own->fixed, strerror(errno));
    return false;
}

void sch_cli_socket_remove(const struct sch_cli_socket *own)
{
    char target[sizeof own->path + 1];
    struct stat status;
    if (own->mark >= 0 && flock(own->mark, LOCK_EX | LOCK_NB) == 0 && is_same_file(own->mark, own->fixed) &&
        fstat(own->mark, &status) == 0 && status.st_size == 0)
        unlink(own->fixed);
    if (own->mark >= 0) close(own->mark);
    const ssize_t length = own->name == SCH_CLI_FOUND_LINK ? readlink(own->fixed, target, sizeof target) : -1;
    if (length == (ssize_t)strlen(own->path) && memcmp(target, own->path, (size_t)length) == 0) unlink(own->fixed);
    rmdir(own->folder);
}
