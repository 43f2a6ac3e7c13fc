/* See server.h. */
#include "server.h"

#include <string.h>
#include <unistd.h>

#include "common.h"

enum { MIB_BITS = 20, DEFAULT_MIB = 2048, MOST_MIB = 1 << 24, MOST_THREADS = 8, FIRST_SECONDS = 30 };

void sch_cli_server_init(struct sch_cli_server *server)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    sch_cli_setup_init(&server->setup);
    server->setup.dispatch.threads = processors < 1              ? 1
                                     : processors < MOST_THREADS ? (uint32_t)processors
                                                                 : MOST_THREADS;
    server->setup.dispatch.deadline_ms = SCH_CLI_SERVER_DEADLINE_MS;
    server->options.client.memory = (uint64_t)DEFAULT_MIB << MIB_BITS;
    server->options.client.first_seconds = FIRST_SECONDS;
}

void sch_cli_server_release(struct sch_cli_server *server) { sch_cli_setup_release(&server->setup); }

enum sch_cli_exit sch_cli_server_option(const struct sch_cli_verb *verb, struct sch_cli_server *server, int option,
                                        const char *value)
{
    struct sch_vtest_client_options *client = &server->options.client;
    uint64_t number;
    if (sch_cli_options[option].group != SCH_GROUP_SERVER)
        return sch_cli_setup_option(verb, &server->setup, option, value);
    if (option == SCH_OPTION_NO_SANDBOX) {
        client->open = true;
        return SCH_CLI_YES;
    }
    if (option == SCH_OPTION_PROTOCOL) {
        if (strcmp(value, "0") != 0 && strcmp(value, "2") != 0)
            return sch_cli_usage_error(verb, "--protocol is 0 or 2, not %s", value);
        client->protocol = *value == '0' ? SCH_VTEST_PROTOCOL_0 : SCH_VTEST_PROTOCOL_2;
        return SCH_CLI_YES;
    }
    if (option == SCH_OPTION_MEMORY && !sch_cli_number(value, 16, MOST_MIB, &number))
        return sch_cli_usage_error(verb, "--memory is 16 to %d MiB, not %s", MOST_MIB, value);
    if (option == SCH_OPTION_TIME && !sch_cli_number(value, 1, UINT32_MAX, &number))
        return sch_cli_usage_error(verb, "--time is seconds from 1, not %s", value);
    if (option == SCH_OPTION_FIRST_MESSAGE && !sch_cli_number(value, 0, UINT32_MAX, &number))
        return sch_cli_usage_error(verb, "--first-message is seconds, 0 for any, not %s", value);
    if (option == SCH_OPTION_FIRST_MESSAGE) client->first_seconds = (uint32_t)number;
    if (option == SCH_OPTION_MEMORY) client->memory = number << MIB_BITS;
    if (option == SCH_OPTION_TIME) client->seconds = (uint32_t)number;
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_server_check(const struct sch_cli_verb *verb, const struct sch_cli_server *server)
{
    if (!server->setup.both && server->setup.program.engine != SCH_ENGINE_MAXWELL) return SCH_CLI_YES;
    return sch_cli_usage_error(verb, "--engine is auto, interp or jit here");
}

/* What the options say of each client's context. */
static void describe(struct sch_cli_server *server)
{
    struct sch_vtest_client_options *client = &server->options.client;
    sch_cli_context_describe_server(&server->context);
    server->limits = *sch_cli_common_limits();
    if (!server->limits.context_memory) server->limits.context_memory = (size_t)client->memory;
    server->context.options.limits = &server->limits;
    client->context = &server->context.options;
    client->engine = server->setup.program.engine;
    client->width = server->setup.program.width;
    client->threads = server->setup.dispatch.threads;
    client->deadline_ms = server->setup.dispatch.deadline_ms;
}

struct sch_vtest_server *sch_cli_server_open(struct sch_cli_server *server, enum sch_cli_exit *exit)
{
    char problem[256];
    describe(server);
    struct sch_vtest_server *made = sch_vtest_server_open(&server->options, problem);
    if (!made) *exit = sch_cli_fail(SCH_CLI_IO, "%s", problem);
    return made;
}

void sch_cli_server_fixed_name(char *path) { strcpy(path, P_tmpdir "/.virgl_test"); }
