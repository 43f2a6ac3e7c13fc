/* See reading.h. */
#include "reading.h"

enum sch_cli_exit sch_cli_reading_take(struct sch_cli_reading *reading, const struct sch_cli_arguments *arguments)
{
    const struct sch_cli_verb *verb = arguments->verb;
    const struct sch_cli_values *values = &arguments->values;
    enum sch_cli_exit exit = SCH_CLI_YES;
    reading->nth = values->nth.nth;
    if (values->input.kind) exit = sch_cli_any_kind(verb, values->input.kind, &reading->kind, &reading->maxwell);
    if (values->shader_input.kind) exit = sch_cli_kind(verb, values->shader_input.kind, &reading->kind);
    if (exit == SCH_CLI_YES && values->arch.arch) exit = sch_cli_arch(verb, values->arch.arch, &reading->maxwell);
    reading->maxwell.kernel = values->arch.kernel;
    if (exit == SCH_CLI_YES && values->raw.offset)
        exit = sch_cli_maxwell_offset(verb, values->raw.offset, &reading->maxwell);
    return exit;
}
