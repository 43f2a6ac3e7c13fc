/* What the tables of verbs and options say on a terminal. */
#ifndef SCH_CLI_HELP_H
#define SCH_CLI_HELP_H

#include <stdio.h>

#include "options.h"

/* All verbs in a line each, by sections. */
void sch_cli_print_help(FILE *file);

/* One verb: how it is called, examples, and its options: all, or those that are needed most often. */
void sch_cli_print_verb_help(FILE *file, const struct sch_cli_verb *verb, bool all);

/* Whether the arguments of a verb ask for its help: --help, -h or --help-all, anywhere before a "--" or the command of
 * another program. */
enum sch_cli_help { SCH_CLI_HELP_NONE, SCH_CLI_HELP_OFTEN, SCH_CLI_HELP_ALL };
enum sch_cli_help sch_cli_wants_help(const struct sch_cli_verb *verb, int argc, char **argv);

#endif
