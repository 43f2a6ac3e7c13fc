/* What the command says about machine code: where compiled code is kept, which compiler is taken. */
#ifndef SCH_CLI_CODE_H
#define SCH_CLI_CODE_H

#include "cli.h"

/* Whether --cache names something; USAGE, and reported: it does not. */
enum sch_cli_exit sch_cli_cache_check(const struct sch_cli_verb *verb);
/* No folder unless --cache names one: for verbs that show what compiling does. */
void sch_cli_code_no_default_cache(void);

enum { SCH_CLI_PATH_BYTES = 4096 };

/* What the options say of a context. Points into itself. */
struct sch_cli_context {
    struct sch_context_options options;
    struct sch_machine_code_options code;
    char path[SCH_CLI_PATH_BYTES];
};
void sch_cli_context_describe(struct sch_cli_context *made);

/* The same for a process that reads what strangers send: its code is kept in a folder of its own below the other one,
 * since other commands execute what they find in theirs. */
void sch_cli_context_describe_server(struct sch_cli_context *made);

/* sch_context_create with that. */
enum sch_result sch_cli_context_create(struct sch_context **context);

#endif
