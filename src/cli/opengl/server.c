/* See server.h. */
#include "server.h"

#include <string.h>
#include <unistd.h>

#include "common/common.h"

enum { MIB_BITS = 20, MOST_THREADS = 8 };

void sch_cli_server_init(struct sch_cli_server *server)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    sch_cli_setup_init(&server->setup);
    server->setup.dispatch.threads = processors < 1              ? 1
                                     : processors < MOST_THREADS ? (uint32_t)processors
                                                                 : MOST_THREADS;
}

void sch_cli_server_release(struct sch_cli_server *server) { sch_cli_setup_release(&server->setup); }

enum sch_cli_exit sch_cli_server_parse(struct sch_cli_server *server, struct sch_cli_arguments *arguments,
                                       sch_cli_own_fn *take, void *user)
{
    struct sch_vtest_client_options *client = &server->options.client;
    const struct sch_cli_options_server *options = &arguments->values.server;
    const enum sch_cli_exit exit_code = sch_cli_setup_parse(&server->setup, arguments, take, user);
    client->open = options->no_sandbox;
    if (options->has_protocol) client->protocol = options->protocol ? SCH_VTEST_PROTOCOL_2 : SCH_VTEST_PROTOCOL_0;
    client->first_seconds = options->first_message;
    client->memory = (uint64_t)options->memory << MIB_BITS;
    client->seconds = options->time;
    return exit_code;
}

/* What the options say of each client's context. */
static void fill_client_options(struct sch_cli_server *server)
{
    struct sch_vtest_client_options *client = &server->options.client;
    sch_cli_context_describe_server(&server->context);
    server->limits = *server->context.options.limits;
    if (!server->limits.context_memory) server->limits.context_memory = (size_t)client->memory;
    server->context.options.limits = &server->limits;
    client->context = &server->context.options;
    client->engine = server->setup.program.engine;
    client->width = server->setup.program.width;
    client->threads = server->setup.dispatch.threads;
    client->deadline_ms = server->setup.dispatch.deadline_ms;
}

struct sch_vtest_server *sch_cli_server_open(struct sch_cli_server *server, enum sch_cli_exit *exit_code)
{
    char problem[256];
    fill_client_options(server);
    struct sch_vtest_server *made = sch_vtest_server_open(&server->options, problem);
    if (!made) *exit_code = sch_cli_fail(SCH_CLI_IO, "%s", problem);
    return made;
}

void sch_cli_server_fixed_name(char *path) { strcpy(path, P_tmpdir "/.virgl_test"); }
