/* See debug_server.h. */
#include "debug_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../support/system.h"

static char made[sizeof(((struct sockaddr_un *)0)->sun_path)]; /* the socket, which goes with the process */

static void end(int number)
{
    (void)number;
    if (made[0]) unlink(made);
    _exit(SCH_CLI_YES);
}

static enum sch_cli_exit cannot(const char *place)
{
    return sch_cli_fail(SCH_CLI_IO, "debug: %s: %s", place, strerror(errno));
}

/* Only programs of this machine reach it. */
static int listen_port(uint16_t *port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    const int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 1) == 0 &&
        getsockname(listener, (struct sockaddr *)&address, &bytes) == 0) {
        *port = ntohs(address.sin_port);
        return listener;
    }
    close(listener);
    return -1;
}

/* Whether there is a socket that no one listens at any more. */
static bool is_left(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && S_ISSOCK(status.st_mode) && !sch_socket_is_served(path);
}

static int listen_socket(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    errno = ENAMETOOLONG;
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    const mode_t before = umask(0077); /* its owner's alone */
    int bound = bind(listener, (struct sockaddr *)&address, sizeof address);
    if (bound != 0 && errno == EADDRINUSE && is_left(path) && unlink(path) == 0)
        bound = bind(listener, (struct sockaddr *)&address, sizeof address);
    umask(before);
    if (bound == 0 && listen(listener, 1) == 0) {
        strcpy(made, path);
        return listener;
    }
    close(listener);
    return -1;
}

enum sch_cli_exit sch_cli_debug_serve(const char *place, void (*serve)(void *user, int client), void *user)
{
    uint64_t number = 0;
    const bool is_port = sch_cli_number(place, 0, UINT16_MAX, &number);
    uint16_t port = (uint16_t)number;
    const int listener = is_port ? listen_port(&port) : listen_socket(place);
    const struct sigaction action = {.sa_handler = end};
    if (listener < 0) return cannot(place);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (is_port)
        fprintf(stderr, "scheelite debug: the port is %u\n", (unsigned)port);
    else
        fprintf(stderr, "scheelite debug: the socket is %s\n", place);
    for (;;) {
        const int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (client < 0 && errno != EINTR && errno != ECONNABORTED) return cannot(place);
        if (client < 0) continue;
        serve(user, client);
        close(client);
    }
}
