/* See listener.h. A socket that is bound and does not listen yet refuses connections, as one does whose server is gone:
 * another server that looks at it then would take its place. So the socket listens under a name of its own before it
 * gets the one that was asked for, in one step of the file system, which shows what was there. */
#include "listener.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../support/system.h"

enum { PROBLEM_BYTES = 256, NAME_BYTES = 40, TRIES = 16 };

/* Where the socket is made. */
struct site {
    int folder;             /* of the path */
    const char *path;       /* as it was asked for */
    const char *name;       /* its last part */
    char first[NAME_BYTES]; /* the name in the folder that the socket has first */
};

static bool __attribute__((format(printf, 2, 3))) fails(char problem[PROBLEM_BYTES], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem, PROBLEM_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

/* The address of the first name. It is short however long the folder's own name is. */
static struct sockaddr_un first_address(const struct site *site)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", site->folder, site->first);
    return address;
}

/* Whether nothing is at the path, or a socket that no one serves. */
static bool may_take(const char *path, char problem[PROBLEM_BYTES])
{
    struct stat status;
    if (lstat(path, &status) != 0) return errno == ENOENT ? true : fails(problem, "%.100s: %s", path, strerror(errno));
    if (!S_ISSOCK(status.st_mode)) return fails(problem, "%.107s is there and is not a socket", path);
    return sch_socket_is_served(path) ? fails(problem, "%.107s: a server is there already", path) : true;
}

static bool find_site(struct site *site, const char *path, char problem[PROBLEM_BYTES])
{
    char folder[sizeof(struct sockaddr_un)];
    uint64_t number = 0;
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return fails(problem, "there are no random numbers: %s", strerror(errno));
    *site = (struct site){.path = path, .name = slash ? slash + 1 : path};
    snprintf(site->first, sizeof site->first, ".scheelite-%016llx", (unsigned long long)number);
    site->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return site->folder < 0 ? fails(problem, "%.107s: %s", path, strerror(errno)) : true;
}

/* The socket is its user's alone from the first moment: bind() gives the file the rights of the descriptor. */
static bool listen_first(struct sch_vtest_listener *listener, const struct site *site, char problem[PROBLEM_BYTES])
{
    const struct sockaddr_un address = first_address(site);
    struct stat status;
    listener->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener->socket < 0) return fails(problem, "no socket can be made: %s", strerror(errno));
    fchmod(listener->socket, S_IRUSR | S_IWUSR);
    if (bind(listener->socket, (const struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listener->socket, SCH_VTEST_BACKLOG) != 0 ||
        fstatat(site->folder, site->first, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return fails(problem, "%.107s: %s", site->path, strerror(errno));
    listener->device = status.st_dev;
    listener->inode = status.st_ino;
    return true;
}

/* After the names were exchanged: whether the first one has a socket that no one serves. If it has something else, that
 * came since the path was looked at, and gets its name back. */
static bool has_replaced(const struct site *site)
{
    struct stat status;
    if (fstatat(site->folder, site->first, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISSOCK(status.st_mode) &&
        !sch_socket_is_served(first_address(site).sun_path))
        return true;
    if (renameat2(site->folder, site->first, site->folder, site->name, RENAME_EXCHANGE) != 0)
        linkat(site->folder, site->first, site->folder, site->name, 0); /* no one has the name any more */
    return false;
}

/* A file system that exchanges no names: another server may come in between. */
static bool has_no_exchange(int error) { return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP; }

/* Gives the socket its name. The first name stays, for this socket or for the one that was replaced. */
static bool give_name(const struct site *site, char problem[PROBLEM_BYTES])
{
    for (unsigned tries = 0; tries < TRIES; tries++) {
        if (!may_take(site->path, problem)) return false;
        if (linkat(site->folder, site->first, site->folder, site->name, 0) == 0) return true;
        if (errno != EEXIST) return fails(problem, "%.107s: %s", site->path, strerror(errno));
        const bool exchanged = renameat2(site->folder, site->first, site->folder, site->name, RENAME_EXCHANGE) == 0;
        if (exchanged && has_replaced(site)) return true;
        if (exchanged || errno == ENOENT) continue;
        if (!has_no_exchange(errno) || (unlinkat(site->folder, site->name, 0) != 0 && errno != ENOENT))
            return fails(problem, "%.107s cannot be replaced: %s", site->path, strerror(errno));
    }
    return fails(problem, "%.107s: other servers come and go there", site->path);
}

bool sch_vtest_listener_open(struct sch_vtest_listener *listener, const char *path, char problem[PROBLEM_BYTES])
{
    struct site site;
    const size_t length = strlen(path), most = sizeof(struct sockaddr_un) - offsetof(struct sockaddr_un, sun_path);
    *listener = (struct sch_vtest_listener){.socket = -1};
    if (!length || length >= most) return fails(problem, "the name of a socket has 1 to %zu bytes", most - 1);
    if (!may_take(path, problem) || !find_site(&site, path, problem)) return false;
    const bool listens = listen_first(listener, &site, problem), named = listens && give_name(&site, problem);
    unlinkat(site.folder, site.first, 0);
    close(site.folder);
    if (named) return true;
    if (listener->socket >= 0) close(listener->socket);
    *listener = (struct sch_vtest_listener){.socket = -1};
    return false;
}

void sch_vtest_listener_remove(const struct sch_vtest_listener *listener, const char *path)
{
    struct stat status;
    if (listener->inode && lstat(path, &status) == 0 && status.st_dev == listener->device &&
        status.st_ino == listener->inode)
        unlink(path);
}
