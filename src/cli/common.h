/* The options of all verbs that read shaders: which warnings are reported and what they do to the exit code, and the
 * limits of one input. They hold for the whole run of the command. */
#ifndef SCH_CLI_COMMON_H
#define SCH_CLI_COMMON_H

#include "cli.h"

/* -Wpedantic, -Wno-pedantic, -Werror, -Wno-error, -Wno-NUMBER, -Wno-NAME, -q, -v, --verbose, -vv, --limit NAME=N,
 * --hlsl-compiler CMD, --profile P, --entry NAME (also as two arguments): takes the argument, and the next one where it
 * belongs to it. False: it is none of these. `arguments->exit` is YES, or USAGE, which was said. */
bool sch_cli_common_option(struct sch_cli_arguments *arguments, const char *argument);

/* The lines of --help and of usage errors about them. */
extern const char sch_cli_common_usage[];

/* What contexts are made with. Valid until the process ends. */
const struct sch_warning_options *sch_cli_common_warnings(void);
const struct sch_limit_options *sch_cli_common_limits(void);
const struct sch_log_callback *sch_cli_common_log(void); /* NULL: without -v */

/* Bytes that one input may have, for who reads files. */
size_t sch_cli_largest_input(void);

/* NO where warnings in the list are errors by -Werror, else YES. */
enum sch_cli_exit sch_cli_warnings_exit(const struct sch_diagnostics_list *list);

/* A warning of the command's own, by its name in the table, about the input `name`: as the options say, it is left
 * away, counted or an error. NO: it is one. */
enum sch_cli_exit sch_cli_warn(const char *name, const char *warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same, about byte `at` of an input, which is on line `line` of it. */
enum sch_cli_exit sch_cli_warn_at(const struct sch_cli_input *input, uint32_t line, size_t at, const char *warning,
                                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* What the process ends with after all verbs: `exit`, or NO, which is said, where some list had warnings and
 * -Werror. */
enum sch_cli_exit sch_cli_common_exit(enum sch_cli_exit exit);

#endif
