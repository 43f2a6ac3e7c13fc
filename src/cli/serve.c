/* scheelite serve: serves clients of the virgl protocol, which are OpenGL programs on Mesa's virpipe driver. src/vtest
 * is the server. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "losses.h"
#include "server.h"

enum { CLIENTS = 16, MOST_CLIENTS = 1024 };

struct serve {
    struct sch_cli_server server;
    char path[SCH_CLI_PATH_BYTES];
    const char *socket;
};

/* One call of a line: several processes write. */
static void print_line(void *user, const char *line)
{
    (void)user;
    fprintf(stderr, "scheelite serve: %s\n", line);
}

/* What a client has lost; the reasons of all stand above. */
static void tell_lost(void *user, uint32_t number, const struct sch_virgl_losses *losses)
{
    (void)user;
    (void)number; /* the first reason has it */
    sch_cli_losses_tell(&sch_cli_serve, losses, SCH_CLI_ADVICE_SERVER);
}

static enum sch_cli_exit take_option(struct serve *serve, int option, const char *value)
{
    uint64_t number;
    switch (option) {
    case SCH_OPTION_SOCKET:
        serve->socket = value;
        return SCH_CLI_YES;
    case SCH_OPTION_ONCE:
        serve->server.options.once = true;
        return SCH_CLI_YES;
    case SCH_OPTION_SERVE_CLIENTS:
        if (!sch_cli_number(value, 1, MOST_CLIENTS, &number))
            return sch_cli_usage_error(&sch_cli_serve, "--max-clients is 1 to %d, not %s", MOST_CLIENTS, value);
        serve->server.options.most = (uint32_t)number;
        return SCH_CLI_YES;
    case SCH_CLI_FILE:
        return sch_cli_usage_error(&sch_cli_serve, "what is %s?", value);
    default:
        return sch_cli_server_option(&sch_cli_serve, &serve->server, option, value);
    }
}

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct serve *serve)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        if (option == SCH_CLI_STOP) return arguments->exit;
        const enum sch_cli_exit exit = take_option(serve, option, arguments->value);
        if (exit != SCH_CLI_YES) return exit;
    }
    return sch_cli_server_check(&sch_cli_serve, &serve->server);
}

static enum sch_cli_exit run_server(struct serve *serve)
{
    enum sch_cli_exit exit;
    const char *named = getenv("VTEST_SOCKET_NAME");
    if (!serve->socket && named && *named) serve->socket = named;
    if (!serve->socket) sch_cli_server_fixed_name(serve->path);
    serve->server.options.path = serve->socket ? serve->socket : serve->path;
    serve->server.options.log.write = print_line;
    serve->server.options.lost = tell_lost;
    struct sch_vtest_server *made = sch_cli_server_open(&serve->server, &exit);
    if (!made) return exit;
    if (sch_vtest_missing() && !serve->server.options.client.open) print_line(NULL, sch_vtest_missing());
    fprintf(stderr, "scheelite serve: the socket is %s\n", serve->server.options.path);
    const bool served = sch_vtest_server_run(made);
    sch_vtest_server_close(made);
    return served ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_IO, "clients cannot be served");
}

enum sch_cli_exit sch_cli_main_serve(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_serve, .argc = argc, .argv = argv};
    struct serve *serve = calloc(1, sizeof *serve);
    if (!serve) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    sch_cli_server_init(&serve->server);
    serve->server.options.most = CLIENTS;
    enum sch_cli_exit exit = read_arguments(&arguments, serve);
    if (exit == SCH_CLI_YES) exit = run_server(serve);
    sch_cli_server_release(&serve->server);
    free(serve);
    return exit;
}
