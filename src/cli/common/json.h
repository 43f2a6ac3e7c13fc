/* Names that this folder gave to what ../support/json.h has. */
#ifndef SCH_CLI_JSON_H
#define SCH_CLI_JSON_H

#include "../support/json.h"
#include "value.h"

#define sch_cli_json_begin       sch_json_begin
#define sch_cli_json_end         sch_json_end
#define sch_cli_json_row         sch_json_row
#define sch_cli_json_object      sch_json_object
#define sch_cli_json_list        sch_json_list
#define sch_cli_json_close       sch_json_close
#define sch_cli_json_text        sch_json_text
#define sch_cli_json_number      sch_json_number
#define sch_cli_json_signed      sch_json_signed
#define sch_cli_json_real        sch_json_real
#define sch_cli_json_float       sch_json_float
#define sch_cli_json_bool        sch_json_bool
#define sch_cli_json_hex         sch_json_hex
#define sch_cli_json_fields      sch_json_fields
#define sch_cli_json_some_values sch_json_some_values
#define sch_cli_json_values      sch_json_values
#define sch_cli_json             sch_json
#define sch_cli_field            sch_json_field
#define sch_cli_document_begin   sch_json_document
#define SCH_CLI_TEXT             SCH_JSON_TEXT
#define SCH_CLI_NUMBER           SCH_JSON_NUMBER
#define SCH_CLI_BOOL             SCH_JSON_BOOL
#define SCH_CLI_SHOWN            SCH_JSON_SHOWN
#define SCH_CLI_ONLY_SHOWN       SCH_JSON_ONLY_SHOWN
#define SCH_CLI_FIELDS           SCH_JSON_FIELDS
#define SCH_CLI_ROW              SCH_JSON_ROW

#endif
