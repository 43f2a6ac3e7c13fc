/* See script.h. Reading and executing is src/script. */
#include "script.h"

#include <inttypes.h>

#include "../support/json.h"
#include "common/cli.h"
#include "common/code.h"

struct host {
    struct sch_cli_script *wanted;
    const struct sch_cli_input *input;
    struct sch_json json;
};

static void print_error(void *user, const struct sch_diagnostic_info *error)
{
    const struct host *host = user;
    if (error->line)
        sch_cli_print_diagnostic(error, host->input);
    else
        sch_cli_fail(SCH_CLI_NO, "%s: %s", host->input->name, error->message);
}

static void print_result(void *user, const struct sch_player_outcome *outcome)
{
    struct host *host = user;
    if (host->wanted->json)
        SCH_JSON_ROW(
            &host->json, NULL, SCH_JSON_NUMBER("line", outcome->line), SCH_JSON_NUMBER("items", outcome->items),
            SCH_JSON_TEXT("result", outcome->skipped ? "skipped" : "failed"), SCH_JSON_TEXT("reason", outcome->reason));
    else
        sch_cli_print_outcome(host->input->name, outcome);
}

static void print_summary(struct host *host, const struct sch_script_report *report)
{
    if (!host->wanted->json) {
        printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " skipped\n", report->passed, report->failed,
               report->skipped);
        return;
    }
    sch_json_close(&host->json);
    SCH_JSON_FIELDS(&host->json, SCH_JSON_NUMBER("passed", report->passed), SCH_JSON_NUMBER("failed", report->failed),
                    SCH_JSON_NUMBER("skipped", report->skipped));
    sch_json_end(&host->json);
}

static void compile(void *user, const struct sch_player_hlsl *section, struct sch_player_file *program)
{
    struct host *host = user;
    sch_cli_hlsl_compile(&host->wanted->hlsl, section, program);
}

/* The command's exit code for a run that did not finish. */
static enum sch_cli_exit stopped(const struct host *host, enum sch_result result,
                                 const struct sch_script_report *report)
{
    switch (result) {
    case SCH_OK:
        return SCH_CLI_YES;
    case SCH_ERROR_CANCELLED:
        return host->wanted->hlsl.exit_code;
    case SCH_ERROR_UNSUPPORTED:
        sch_cli_see(report->code);
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: error %u: %s", host->input->name, report->code, report->message);
    default:
        return sch_cli_fail(SCH_CLI_LIMIT, "%s: out of memory", host->input->name);
    }
}

/* One run; `silent`: the first of two, which prints nothing. */
static enum sch_cli_exit run_once(const struct sch_script *script, struct sch_context *context,
                                  const struct sch_script_options *options, const struct sch_script_host *functions,
                                  bool silent)
{
    struct host *host = functions->user;
    struct sch_script_report report;
    if (host->wanted->json && !silent) {
        sch_json_begin(&host->json, stdout, "scheelite-script/1");
        sch_json_list(&host->json, "items", false);
    }
    const enum sch_result result = sch_script_run(script, context, options, functions, &report);
    const enum sch_cli_exit exit_code = stopped(host, result, &report);
    if (exit_code != SCH_CLI_YES || silent) return exit_code;
    print_summary(host, &report);
    return report.failed ? SCH_CLI_NO : SCH_CLI_YES;
}

static enum sch_cli_exit run_both(const struct sch_script *script, struct sch_context *context,
                                  const struct sch_script_host *functions)
{
    const struct host *host = functions->user;
    struct sch_script_options options = host->wanted->options;
    options.trace = sch_script_trace_create();
    if (!options.trace) return stopped(host, SCH_ERROR_MEMORY, NULL);
    options.program.engine = SCH_ENGINE_INTERPRETER;
    enum sch_cli_exit exit_code = run_once(script, context, &options, functions, true);
    options.program.engine = SCH_ENGINE_JIT;
    if (exit_code == SCH_CLI_YES) exit_code = run_once(script, context, &options, functions, false);
    sch_script_trace_destroy(options.trace);
    return exit_code;
}

static enum sch_cli_exit execute(const struct sch_script *script, const struct sch_script_host *functions)
{
    const struct host *host = functions->user;
    struct sch_context *context = NULL;
    if (sch_cli_context_create(&context) != SCH_OK) return sch_cli_no_memory();
    enum sch_cli_exit exit_code = sch_cli_hlsl_begin(&host->wanted->hlsl, host->input->name);
    if (exit_code == SCH_CLI_YES)
        exit_code = host->wanted->both ? run_both(script, context, functions)
                                       : run_once(script, context, &host->wanted->options, functions, false);
    sch_cli_hlsl_release(&host->wanted->hlsl);
    sch_context_destroy(context);
    return exit_code;
}

enum sch_cli_exit sch_cli_script_run(struct sch_cli_script *wanted, const struct sch_cli_input *input)
{
    struct host host = {.wanted = wanted, .input = input};
    const struct sch_script_host functions = {
        .user = &host, .error = print_error, .result = print_result, .compile = compile};
    struct sch_script *script;
    const enum sch_result result = sch_script_read(input->name, input->data, input->bytes, &functions, &script);
    if (result == SCH_ERROR_INVALID) return SCH_CLI_NO;
    if (result != SCH_OK) return stopped(&host, result, NULL);
    const enum sch_cli_exit exit_code = execute(script, &functions);
    sch_script_destroy(script);
    return exit_code;
}
