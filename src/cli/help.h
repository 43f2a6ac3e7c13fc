/* What the tables of verbs and options say on a terminal. */
#ifndef SCH_CLI_HELP_H
#define SCH_CLI_HELP_H

#include <stdio.h>

#include "options.h"

/* All verbs in a line each. */
void sch_cli_print_help(FILE *file);

/* One verb: how it is called, its options, examples. */
void sch_cli_print_verb_help(FILE *file, const struct sch_cli_verb *verb);

/* Whether the arguments of a verb ask for its help: --help or -h, wherever it stands before a "--" or the command of
 * another program. */
bool sch_cli_wants_help(const struct sch_cli_verb *verb, int argc, char **argv);

#endif
