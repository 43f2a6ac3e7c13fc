/* scheelite headers: pools of Maxwell's texture headers and samplers to text, and text to pools. */
#include "cli.h"

#include <string.h>

struct wanted {
    struct sch_maxwell_pool_options options;
    const char *file, *output;
};

static enum sch_cli_exit read_arguments(struct sch_cli_arguments *arguments, struct wanted *wanted)
{
    for (int option; (option = sch_cli_next(arguments)) != SCH_CLI_END;) {
        enum sch_maxwell_pool pool =
            option == SCH_OPTION_HEADERS_HEADERS ? SCH_MAXWELL_POOL_HEADERS : SCH_MAXWELL_POOL_SAMPLERS;
        switch (option) {
        case SCH_CLI_STOP:
            return arguments->exit;
        case SCH_OPTION_HEADERS_HEADERS:
        case SCH_OPTION_HEADERS_SAMPLERS:
            if (wanted->options.pool && wanted->options.pool != pool)
                return sch_cli_usage_error(&sch_cli_headers, "either --headers or --samplers");
            wanted->options.pool = pool;
            break;
        case SCH_OPTION_HEADERS_OUTPUT:
            wanted->output = arguments->value;
            break;
        default:
            if (wanted->file) return sch_cli_usage_error(&sch_cli_headers, "one file only");
            wanted->file = arguments->value;
        }
    }
    if (!wanted->file) return sch_cli_usage_error(&sch_cli_headers, "which file?");
    return SCH_CLI_YES;
}

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
    enum sch_cli_exit exit = sch_cli_result(result, list, input->name);
    exit = sch_cli_worse(exit, sch_cli_print_diagnostics(list, input));
    if (exit == SCH_CLI_YES) exit = sch_cli_write(wanted->output ? wanted->output : "-", data ? data : text, bytes);
    sch_free(context, data);
    sch_free(context, text);
    return exit;
}

enum sch_cli_exit sch_cli_main_headers(int argc, char **argv)
{
    struct sch_cli_arguments arguments = {.verb = &sch_cli_headers, .argc = argc, .argv = argv};
    struct wanted wanted = {.options.size = sizeof wanted.options};
    struct sch_cli_input input;
    enum sch_cli_exit exit = read_arguments(&arguments, &wanted);
    if (exit == SCH_CLI_YES) exit = sch_cli_read(wanted.file, &input);
    if (exit != SCH_CLI_YES) return exit;

    wanted.options.name = input.name;
    struct sch_context *context = NULL;
    struct sch_diagnostics_list *list = NULL;
    enum sch_result result = sch_cli_plain_context_create(&context);
    if (result == SCH_OK) result = sch_diagnostics_create(context, &list);
    exit = result == SCH_OK ? convert(context, list, &input, &wanted) : sch_cli_result(result, NULL, input.name);
    sch_diagnostics_destroy(list);
    sch_context_destroy(context);
    sch_cli_input_release(&input);
    return exit;
}
