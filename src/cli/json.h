/* Writing JSON: objects and lists with their commas and indentation. docs/json.md and docs/schemas say what the verbs
 * write with it. */
#ifndef SCH_CLI_JSON_H
#define SCH_CLI_JSON_H

#include "value.h"

enum { SCH_CLI_JSON_DEPTH = 16 };

/* A document that is being written to a file. */
struct sch_cli_json {
    FILE *file;
    unsigned depth;
    bool any[SCH_CLI_JSON_DEPTH];    /* the level has a member */
    bool inside[SCH_CLI_JSON_DEPTH]; /* the level stands on one line */
    char end[SCH_CLI_JSON_DEPTH];    /* its bracket */
};

/* A document is an object whose first member is its schema: "scheelite-eval/1". */
void sch_cli_json_begin(struct sch_cli_json *json, FILE *file, const char *schema);
void sch_cli_json_end(struct sch_cli_json *json); /* closes what is open */

/* Members: `key` in objects, NULL in lists. Levels that are opened with `line` stand on one line. */
void sch_cli_json_object(struct sch_cli_json *json, const char *key, bool line);
void sch_cli_json_list(struct sch_cli_json *json, const char *key, bool line);
void sch_cli_json_close(struct sch_cli_json *json);
void sch_cli_json_text(struct sch_cli_json *json, const char *key, const char *text); /* NULL: null */
void sch_cli_json_number(struct sch_cli_json *json, const char *key, uint64_t number);
void sch_cli_json_signed(struct sch_cli_json *json, const char *key, int64_t number);
void sch_cli_json_real(struct sch_cli_json *json, const char *key, double number); /* no number: "inf", "nan" */
void sch_cli_json_float(struct sch_cli_json *json, const char *key, float number); /* as --floats dec prints it */
void sch_cli_json_bool(struct sch_cli_json *json, const char *key, bool value);
void sch_cli_json_hex(struct sch_cli_json *json, const char *key, uint64_t bits, int digits); /* "0x0000002a" */

/* Members of a register's value: bits, values and types (docs/json.md, "Values"). `types` may be NULL. */
void sch_cli_json_values(struct sch_cli_json *json, const uint32_t words[4], const enum sch_value_type types[4]);

#endif
