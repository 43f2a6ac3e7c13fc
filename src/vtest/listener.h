/* The socket that clients connect to, with its file. Knows no client. */
#ifndef SCH_VTEST_LISTENER_H
#define SCH_VTEST_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>

enum { SCH_VTEST_BACKLOG = 64 }; /* connections that may wait to be accepted; Linux lets one more */

struct sch_vtest_listener {
    int socket;   /* -1: none */
    dev_t device; /* of its file, with its number */
    ino_t inode;  /* 0: it has no file */
};

/* Makes a socket that listens at a path; only its user may connect. A socket without a server is replaced; one with a
 * server, and anything else of that name, is not. False: `problem` says why. */
bool sch_vtest_listener_open(struct sch_vtest_listener *listener, const char *path, char problem[256]);

/* Removes the file if it still is this socket's. */
void sch_vtest_listener_remove(const struct sch_vtest_listener *listener, const char *path);

#endif
