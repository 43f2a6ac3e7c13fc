/* What `scheelite explain` says, as text, JSON or a page of HTML: names with entries, which have fields. */
#ifndef SCH_CLI_EXPLAIN_OUTPUT_H
#define SCH_CLI_EXPLAIN_OUTPUT_H

#include "../support/json.h"
#include "common/cli.h"

enum sch_cli_explain_output_form { SCH_CLI_EXPLAIN_TEXT, SCH_CLI_EXPLAIN_JSON, SCH_CLI_EXPLAIN_OUTPUT_HTML };

struct sch_cli_explain_output {
    enum sch_cli_explain_output_form form;
    struct sch_json json;
    bool in_entry, in_field;
};

void sch_cli_explain_output_begin(struct sch_cli_explain_output *out, enum sch_cli_explain_output_form form);
void sch_cli_explain_output_end(struct sch_cli_explain_output *out);

/* A name that was asked for; its entries follow. */
void sch_cli_explain_output_name(struct sch_cli_explain_output *out, const char *name);
void sch_cli_explain_output_name_end(struct sch_cli_explain_output *out);

/* An entry: what kind of thing it is ("opcode") and the whole title ("opcode LG2: Logarithm Base 2"). */
void sch_cli_explain_output_entry(struct sch_cli_explain_output *out, const char *kind, const char *title);

/* A field of the entry; lines end with \n. Without a label it continues the field before. Empty text: nothing. */
void sch_cli_explain_output_field(struct sch_cli_explain_output *out, const char *label, const char *text);

#endif
