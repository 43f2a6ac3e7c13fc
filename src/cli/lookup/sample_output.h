/* How `scheelite sample` says a result: words, decimals or JSON. */
#ifndef SCH_CLI_SAMPLE_OUTPUT_H
#define SCH_CLI_SAMPLE_OUTPUT_H

#include "../support/json.h"
#include "common/value.h"
#include "footprint.h"
#include "lookups.h"

struct sch_cli_sample_output {
    enum sch_cli_floats floats;
    bool as_json;
    struct sch_json json;
};

/* Around all results. */
void sch_cli_sample_begin(struct sch_cli_sample_output *output);
void sch_cli_sample_end(struct sch_cli_sample_output *output, bool complete);

/* The result of a lookup; `line` 0: the command line's. `why` goes into JSON; NULL: it is not explained. */
void sch_cli_sample_result(struct sch_cli_sample_output *output, const struct sch_cli_lookup *lookup,
                           const uint32_t words[4], uint32_t line, const struct sch_cli_explanation *why);

/* In the place of the result of a line that has none. */
void sch_cli_sample_refused(struct sch_cli_sample_output *output, const char *why, uint32_t line);

#endif
