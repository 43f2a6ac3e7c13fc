/* The options of all verbs that read shaders: which warnings are reported and what they do to the exit code, and the
 * limits of one input. They hold for the whole run of the command. */
#ifndef SCH_CLI_COMMON_H
#define SCH_CLI_COMMON_H

#include "cli.h"

/* Takes -W, --limit or --offset of the groups COMMON and WRAPPED. YES, or USAGE, which has been reported. */
enum sch_cli_exit sch_cli_common_option(const struct sch_cli_verb *verb, enum sch_cli_option_id id, const char *value);

/* What contexts are made with. Valid until the process ends. */
struct sch_context_options sch_cli_common_context(void);
const struct sch_log_callback *sch_cli_common_log(void); /* NULL: without -v */

/* -q: no warnings are printed. */
bool sch_cli_quiet(void);

/* Bytes that one input may have, for who reads files. */
size_t sch_cli_largest_input(void);

/* NO where warnings in the list are errors by -Werror, else YES. */
enum sch_cli_exit sch_cli_warnings_exit(const struct sch_diagnostics_list *list);

/* A warning that some library made: as the options say, it is left away, counted or an error. `input`: the text that
 * its place is in, or NULL. NO: it is an error. */
enum sch_cli_exit sch_cli_warn_report(const struct sch_diagnostic_info *report, const struct sch_cli_input *input);

/* A warning of the command's own, by its name in the table, about the input `name`: as the options say, it is left
 * away, counted or an error. NO: it is one. */
enum sch_cli_exit sch_cli_warn(const char *name, const char *warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An error of the command's own, as a warning is; NO. */
enum sch_cli_exit sch_cli_refuse(const char *name, const char *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same as sch_cli_warn, about byte `at` of an input, which is on line `line` of it. */
enum sch_cli_exit sch_cli_warn_at(const struct sch_cli_input *input, uint32_t line, size_t at, const char *warning,
                                  const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The exit code of the process after all verbs: `exit`; or NO, with a message, if -Werror was given and some list had
 * warnings. */
enum sch_cli_exit sch_cli_common_exit(enum sch_cli_exit exit_code);

#endif
