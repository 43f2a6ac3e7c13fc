/* See sample_output.h. */
#include "sample_output.h"

void sch_cli_sample_begin(struct sch_cli_sample_output *output)
{
    if (!output->as_json) return;
    sch_cli_json_begin(&output->json, stdout, "scheelite-sample/1");
    sch_cli_json_list(&output->json, "results", false);
}

void sch_cli_sample_end(struct sch_cli_sample_output *output, bool complete)
{
    if (!output->as_json) return;
    sch_cli_json_close(&output->json);
    sch_cli_json_bool(&output->json, "complete", complete);
    sch_cli_json_end(&output->json);
}

/* What the components are: sizes and counts are integers, and so are texels of integer formats. */
static enum sch_cli_type type_of(const struct sch_cli_lookup *lookup)
{
    struct sch_format_info format = {.size = sizeof format};
    switch (lookup->request.operation) {
    case SCH_LOOKUP_SIZE:
    case SCH_LOOKUP_SAMPLES:
        return SCH_CLI_TYPE_INT;
    case SCH_LOOKUP_LOD:
        return SCH_CLI_TYPE_FLOAT;
    default:
        break;
    }
    if (lookup->request.compare || !*lookup->format) return SCH_CLI_TYPE_FLOAT;
    if (sch_format_get_info(sch_format_by_name(lookup->format), &format) != SCH_OK || !format.integers)
        return SCH_CLI_TYPE_FLOAT;
    return format.is_signed ? SCH_CLI_TYPE_INT : SCH_CLI_TYPE_UINT;
}

void sch_cli_sample_result(struct sch_cli_sample_output *output, const struct sch_cli_lookup *lookup,
                           const uint32_t words[4], uint32_t line)
{
    if (!output->as_json && output->floats == SCH_CLI_FLOATS_HEX) { /* long batches */
        sch_cli_print_result(stdout, words);
        return;
    }
    const enum sch_cli_type type = type_of(lookup), types[4] = {type, type, type, type};
    if (!output->as_json) {
        sch_cli_put_values(stdout, words, types, output->floats);
        putchar('\n');
        return;
    }
    sch_cli_json_object(&output->json, NULL, true);
    if (line) sch_cli_json_number(&output->json, "line", line);
    sch_cli_json_values(&output->json, words, types);
    sch_cli_json_close(&output->json);
}

void sch_cli_sample_refused(struct sch_cli_sample_output *output, const char *why, uint32_t line)
{
    if (!output->as_json) {
        fputs("?\n", stdout);
        return;
    }
    sch_cli_json_object(&output->json, NULL, true);
    sch_cli_json_number(&output->json, "line", line);
    sch_cli_json_text(&output->json, "error", why);
    sch_cli_json_close(&output->json);
}
