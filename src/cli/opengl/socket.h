/* Where the socket of a private server is: in a folder of its own, and for one program under the name that old clients
 * have built in, too. */
#ifndef SCH_CLI_SOCKET_H
#define SCH_CLI_SOCKET_H

#include <stdbool.h>

#include "common/code.h"

enum { SCH_CLI_SOCKET_PROBLEM = 1024 }; /* bytes of a report */

enum sch_cli_found {
    SCH_CLI_FOUND_NONE,  /* the program does not find the socket under the fixed name, and need not */
    SCH_CLI_FOUND_MOUNT, /* a name space of its own shows it there */
    SCH_CLI_FOUND_LINK   /* a link leads there, for all programs */
};

struct sch_cli_socket {
    char folder[128], path[160];    /* the socket */
    char fixed[SCH_CLI_PATH_BYTES]; /* the fixed name */
    enum sch_cli_found name;
    int mark; /* what is mounted on: an empty file under the fixed name, locked while it is; -1: none */
};

/* Makes the folder. False: why not. */
bool sch_cli_socket_make(struct sch_cli_socket *own, char problem[256]);

/* Decides how the program finds the socket, which is there now. `named`: its driver takes the name from the
 * environment, as the user says. False: it might find another server, or none, and `problem` says why. */
bool sch_cli_socket_find_name(struct sch_cli_socket *own, bool named, char problem[SCH_CLI_SOCKET_PROBLEM]);

/* In the program's process: makes the name there. False: it cannot be made, which was reported; the program might draw
 * on another server. */
bool sch_cli_socket_enter(const struct sch_cli_socket *own);

/* Removes all but the socket, and what others have made meanwhile. */
void sch_cli_socket_remove(const struct sch_cli_socket *own);

#endif
