/* A socket at which debuggers are served one after the other. Holds no protocol. */
#ifndef SCH_CLI_DEBUG_SERVER_H
#define SCH_CLI_DEBUG_SERVER_H

#include "common/cli.h"

/* Listens where `place` says: a port of this machine, or the name of a socket; says on stderr where, and calls `serve`
 * with each client in turn. It ends with the process: SIGINT and SIGTERM end that with 0. */
enum sch_cli_exit sch_cli_debug_serve(const char *place, void (*serve)(void *user, int client), void *user);

#endif
