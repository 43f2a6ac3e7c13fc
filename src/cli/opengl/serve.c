/* scheelite serve: serves clients of the virgl protocol, which are OpenGL programs on Mesa's virpipe driver. src/vtest
 * is the server. */
#include <stdlib.h>
#include <string.h>

#include "common/common.h"
#include "losses.h"
#include "server.h"

struct serve {
    struct sch_cli_server server;
    char path[SCH_CLI_PATH_BYTES];
    const char *socket;
};

/* What a client has lost; the reasons were printed before. */
static void report_lost(void *user, uint32_t number, const struct sch_virgl_losses *losses)
{
    (void)user;
    (void)number; /* the first reason has it */
    sch_cli_losses_report(&sch_cli_serve, losses, SCH_CLI_ADVICE_SERVER);
}

static enum sch_cli_exit run_server(struct serve *serve)
{
    enum sch_cli_exit exit_code;
    const char *named = getenv("VTEST_SOCKET_NAME");
    if (!serve->socket && named && *named) serve->socket = named;
    if (!serve->socket) sch_cli_server_fixed_name(serve->path);
    serve->server.options.path = serve->socket ? serve->socket : serve->path;
    serve->server.options.log = (struct sch_virgl_log){sch_cli_log_line, (void *)&sch_cli_serve};
    serve->server.options.lost = report_lost;
    struct sch_vtest_server *made = sch_cli_server_open(&serve->server, &exit_code);
    if (!made) return exit_code;
    if (sch_vtest_missing() && !serve->server.options.client.open)
        sch_cli_log_line((void *)&sch_cli_serve, sch_vtest_missing());
    fprintf(stderr, "scheelite serve: the socket is %s\n", serve->server.options.path);
    const bool served = sch_vtest_server_run(made);
    sch_vtest_server_close(made);
    return served ? SCH_CLI_YES : sch_cli_fail(SCH_CLI_IO, "clients cannot be served");
}

enum sch_cli_exit sch_cli_main_serve(struct sch_cli_arguments *arguments)
{
    struct serve *serve = calloc(1, sizeof *serve);
    if (!serve) return sch_cli_no_memory();
    sch_cli_server_init(&serve->server);
    enum sch_cli_exit exit_code = sch_cli_server_parse(&serve->server, arguments, NULL, NULL);
    serve->socket = arguments->values.of_serve.socket;
    serve->server.options.once = arguments->values.of_serve.once;
    serve->server.options.most = arguments->values.of_serve.max_clients;
    if (exit_code == SCH_CLI_YES) exit_code = run_server(serve);
    sch_cli_server_release(&serve->server);
    free(serve);
    return exit_code;
}
