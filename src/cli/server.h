/* What the verbs share that serve clients of the virgl protocol: their options, and a server of src/vtest made by
 * them. */
#ifndef SCH_CLI_SERVER_H
#define SCH_CLI_SERVER_H

#include "../vtest/vtest.h"
#include "code.h"
#include "setup.h"

struct sch_cli_server {
    struct sch_cli_setup setup; /* engine, width, threads, deadline */
    struct sch_cli_context context;
    struct sch_limit_options limits;
    struct sch_vtest_server_options options;
};

/* The options that the tables of these verbs begin with. */
#define SCH_CLI_SERVER_OPTIONS                                                                                         \
    {"--engine", SCH_CLI_VALUE}, {"--width", SCH_CLI_VALUE}, {"--threads", SCH_CLI_VALUE},                             \
        {"--deadline", SCH_CLI_VALUE}, {"--cache", SCH_CLI_VALUE}, {"--compiler", SCH_CLI_VALUE},                      \
        {"--memory", SCH_CLI_VALUE}, {"--time", SCH_CLI_VALUE},                                                        \
    {                                                                                                                  \
        "--no-sandbox", SCH_CLI_FLAG                                                                                   \
    }
enum { SCH_CLI_SERVER_COUNT = 9 };

/* Their lines of usage. */
#define SCH_CLI_SERVER_USAGE                                                                                           \
    "       [--engine auto|interp|jit] [--width 4|8|16] [--threads N] [--deadline MS] [--memory MIB] [--time S]\n"     \
    "       [--cache DIR|none] [--compiler FILE] [--no-sandbox]\n"
#define SCH_CLI_SERVER_HELP                                                                                            \
    "  --memory bounds what each client's resources and shaders take, and once more what it shares with them\n"        \
    "  (default 2048 MiB), --time its seconds of processor time, --deadline each of its draws (default 30000 ms).\n"   \
    "  --threads are those of each draw (default: as many as there are processors, at most 8). docs/opengl.md says\n"  \
    "  what the sandbox is that --no-sandbox leaves out."

void sch_cli_server_init(struct sch_cli_server *server);
void sch_cli_server_release(struct sch_cli_server *server);

/* Takes option number `option` of SCH_CLI_SERVER_OPTIONS. */
enum sch_cli_exit sch_cli_server_option(const struct sch_cli_verb *verb, struct sch_cli_server *server, int option,
                                        const char *value);

/* Behind the last option: whether they go together. */
enum sch_cli_exit sch_cli_server_check(const struct sch_cli_verb *verb, const struct sch_cli_server *server);

/* Makes the socket; `server->options` has the path by now. NULL with `*exit`: why not was said. */
struct sch_vtest_server *sch_cli_server_open(struct sch_cli_server *server, enum sch_cli_exit *exit);

/* The socket's name that old clients have built in; SCH_CLI_PATH_BYTES. */
void sch_cli_server_fixed_name(char *path);

#endif
