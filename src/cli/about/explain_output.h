/* What `scheelite explain` says, as text, JSON or a page of HTML: names with entries, which have fields. */
#ifndef SCH_CLI_EXPLAIN_OUTPUT_H
#define SCH_CLI_EXPLAIN_OUTPUT_H

#include "../support/json.h"
#include "common/cli.h"

enum sch_cli_explain_output_form { SCH_CLI_EXPLAIN_TEXT, SCH_CLI_EXPLAIN_JSON, SCH_CLI_EXPLAIN_OUTPUT_HTML };

struct sch_cli_explain_item {
    bool is_title;
    char *label, *text; /* of a title: what kind of thing it is ("opcode"), "opcode LG2: Logarithm Base 2" */
};

struct sch_cli_explain_output {
    enum sch_cli_explain_output_form form;
    struct sch_json json;
    const char *name;
    struct sch_cli_explain_item *items; /* entries: a title each, then their fields */
    uint32_t count, room;
    bool no_memory;
};

void sch_cli_explain_output_begin(struct sch_cli_explain_output *out, enum sch_cli_explain_output_form form);
void sch_cli_explain_output_end(struct sch_cli_explain_output *out);

/* Adds a title, or a field; its lines end with \n. Without a label it continues the field before. Empty text is left
 * out. */
void sch_cli_explain_output_add(struct sch_cli_explain_output *out, bool is_title, const char *label, const char *text);
/* Prints what was added, about a name that was asked for. LIMIT: memory was out. */
enum sch_cli_exit sch_cli_explain_output_print(struct sch_cli_explain_output *out, const char *name);

#endif
