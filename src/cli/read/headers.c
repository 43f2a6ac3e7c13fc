/* scheelite headers: pools of Maxwell's texture headers and samplers to text, and text to pools. */
#include "common/cli.h"

struct wanted {
    struct sch_maxwell_pool_options options;
    const char *output;
};

static enum sch_cli_exit convert(struct sch_context *context, struct sch_diagnostics_list *list,
                                 const struct sch_cli_input *input, const struct wanted *wanted)
{
    void *data = NULL;
    char *text = NULL;
    size_t bytes;
    enum sch_result result;
    if (sch_maxwell_pool_is_text(input->data, input->bytes))
        result = sch_maxwell_pool_assemble(context, input->data, input->bytes, &wanted->options, list, &data, &bytes);
    else
        result = sch_maxwell_pool_print(context, input->data, input->bytes, &wanted->options, list, &text, &bytes);
    enum sch_cli_exit exit_code = sch_cli_result(result, list, input->name);
    exit_code = sch_cli_worse(exit_code, sch_cli_print_diagnostics(list, input));
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_write(wanted->output ? wanted->output : "-", data ? data : text, bytes);
    sch_free(context, data);
    sch_free(context, text);
    return exit_code;
}

enum sch_cli_exit sch_cli_main_headers(struct sch_cli_arguments *arguments)
{
    struct wanted wanted = {.options.size = sizeof wanted.options};
    struct sch_cli_input input;
    const struct sch_cli_options_of_headers *options = &arguments->values.of_headers;
    enum sch_cli_exit exit_code = sch_cli_parse(arguments, NULL, NULL);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_read(arguments->files[0], &input);
    if (exit_code != SCH_CLI_YES) return exit_code;
    wanted.output = options->output;
    if (options->headers) wanted.options.pool = SCH_MAXWELL_POOL_HEADERS;
    if (options->samplers) wanted.options.pool = SCH_MAXWELL_POOL_SAMPLERS;

    wanted.options.name = input.name;
    struct sch_context *context = NULL;
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_cli_plain_context_create(&context);
    if (result == SCH_OK) result = sch_diagnostics_create(context, &list);
    exit_code = result == SCH_OK ? convert(context, list, &input, &wanted) : sch_cli_result(result, NULL, input.name);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    sch_cli_input_release(&input);
    return exit_code;
}
