/* What the verbs share that serve clients of the virgl protocol: their options, and a server of src/vtest made by
 * them. */
#ifndef SCH_CLI_SERVER_H
#define SCH_CLI_SERVER_H

#include "../vtest/vtest.h"
#include "bind/setup.h"
#include "common/code.h"

enum { SCH_CLI_SERVER_DEADLINE_MS = 30000 }; /* of each draw, if none is given */

struct sch_cli_server {
    struct sch_cli_setup setup; /* engine, width, threads, deadline */
    struct sch_cli_context context;
    struct sch_limit_options limits;
    struct sch_vtest_server_options options;
};

void sch_cli_server_init(struct sch_cli_server *server);
void sch_cli_server_release(struct sch_cli_server *server);

/* Reads all arguments; `take` as that of sch_cli_setup_parse. */
enum sch_cli_exit sch_cli_server_parse(struct sch_cli_server *server, struct sch_cli_arguments *arguments,
                                       sch_cli_own_fn *take, void *user);

/* Makes the socket; `server->options` has the path by now. NULL, with `*exit`: the reason was reported. */
struct sch_vtest_server *sch_cli_server_open(struct sch_cli_server *server, enum sch_cli_exit *exit_code);

/* The socket's name that old clients have built in; SCH_CLI_PATH_BYTES. */
void sch_cli_server_fixed_name(char *path);

#endif
