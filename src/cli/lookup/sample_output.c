/* See sample_output.h. */
#include "sample_output.h"

void sch_cli_sample_begin(struct sch_cli_sample_output *output)
{
    if (!output->as_json) return;
    sch_json_begin(&output->json, stdout, "scheelite-sample/1");
    sch_json_list(&output->json, "results", false);
}

void sch_cli_sample_end(struct sch_cli_sample_output *output, bool complete)
{
    if (!output->as_json) return;
    sch_json_close(&output->json);
    sch_json_bool(&output->json, "complete", complete);
    sch_json_end(&output->json);
}

void sch_cli_sample_result(struct sch_cli_sample_output *output, const struct sch_cli_lookup *lookup,
                           const uint32_t words[4], uint32_t line, const struct sch_cli_explanation *why)
{
    const enum sch_value_type type = sch_cli_lookup_type(lookup), types[4] = {type, type, type, type};
    if (!output->as_json) {
        sch_cli_put_values(stdout, words, types, output->floats);
        putchar('\n');
        return;
    }
    sch_json_object(&output->json, NULL, !why);
    if (line) sch_json_number(&output->json, "line", line);
    sch_json_values(&output->json, words, types);
    if (why) sch_cli_explanation_json(why, &output->json);
    sch_json_close(&output->json);
}

void sch_cli_sample_refused(struct sch_cli_sample_output *output, const char *why, uint32_t line)
{
    if (!output->as_json) {
        fputs("?\n", stdout);
        return;
    }
    SCH_JSON_ROW(&output->json, NULL, SCH_JSON_NUMBER("line", line), SCH_JSON_TEXT("error", why));
}
