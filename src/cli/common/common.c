/* The options of all verbs that read shaders. They are set while arguments are read, before any context is made. */
#include "common.h"
#include "progress.h"
#include "wrapped.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_IGNORED = 1024 }; /* more than there are warnings */

static struct {
    struct sch_warning_options warnings;
    struct sch_limit_options limits;
    unsigned ignored[MOST_IGNORED];
    bool errors; /* -Werror */
    bool warned; /* some list had warnings */
} wanted = {.warnings = {.size = sizeof wanted.warnings, .ignored = wanted.ignored},
            .limits = {.size = sizeof wanted.limits}};

/* -v: the last level of messages that are printed; 0: none is. */
static int last_level(void)
{
    const struct sch_cli_options_common *options = &sch_cli_given()->common;
    return options->very_verbose ? SCH_LOG_DEBUG : options->verbose || options->verbose_long ? SCH_LOG_INFO : 0;
}

/* One write, so that messages of several threads do not mix. */
static void print_message(void *user, const struct sch_log_message *message)
{
    char line[1100];
    (void)user;
    if ((int)message->level > last_level()) return;
    snprintf(line, sizeof line, "scheelite: %s", message->text);
    for (char *at = line; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f) *at = '?';
    sch_cli_progress_clear();
    fprintf(stderr, "%s\n", line);
}

const struct sch_log_callback *sch_cli_common_log(void)
{
    static const struct sch_log_callback log = {print_message, NULL};
    return last_level() ? &log : NULL;
}

/* The default of limit `name`. */
static uint64_t default_limit(const char *name)
{
    struct sch_limit_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_limit(i, &view); i++)
        if (strcmp(view.name, name) == 0) return view.fallback;
    return 0;
}

size_t sch_cli_largest_input(void)
{
    return wanted.limits.source_bytes ? wanted.limits.source_bytes : (size_t)default_limit("source_bytes");
}

/* A diagnostic by its number or name; 0: there is none. Rules of Maxwell code are errors in one place and warnings in
 * another, so the number of an error is accepted, too. */
static unsigned find_warning(const char *word)
{
    struct sch_error_info view = {.size = sizeof view};
    uint64_t number;
    bool is_number = sch_cli_number(word, 0, UINT32_MAX, &number);
    for (size_t i = 0; sch_table_error(i, &view); i++)
        if (is_number ? view.number == number : strcasecmp(view.name, word) == 0) return view.number;
    return 0;
}

static enum sch_cli_exit no_warning(const struct sch_cli_verb *verb, const char *word)
{
    struct sch_nearest nearest = sch_nearest_to(word, strlen(word));
    struct sch_error_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_error(i, &view); i++) sch_nearest_offer(&nearest, view.name);
    return sch_cli_usage_error(verb, "-Wno-%s: there is no such number or name%s", word, sch_nearest_said(&nearest));
}

/* check looks at its arguments twice: a number that is there already stays once. */
static enum sch_cli_exit ignore(const struct sch_cli_verb *verb, const char *word)
{
    unsigned number = find_warning(word);
    if (!number) return no_warning(verb, word);
    size_t count = wanted.warnings.ignored_count;
    for (size_t i = 0; i < count; i++)
        if (wanted.ignored[i] == number) return SCH_CLI_YES;
    if (count == MOST_IGNORED) return sch_cli_fail(SCH_CLI_LIMIT, "-Wno- was given too often");
    wanted.ignored[wanted.warnings.ignored_count++] = number;
    return SCH_CLI_YES;
}

static enum sch_cli_exit take_warning(const struct sch_cli_verb *verb, const char *word)
{
    bool off = strncmp(word, "no-", 3) == 0;
    const char *what = off ? word + 3 : word;
    if (strcmp(what, "pedantic") == 0)
        wanted.warnings.pedantic = !off;
    else if (strcmp(what, "error") == 0)
        wanted.errors = !off;
    else if (off)
        return ignore(verb, what);
    else
        return sch_cli_usage_error(verb, "there is no -W%s (-Wpedantic, -Wno-pedantic, -Werror, -Wno-error, -Wno-N)",
                                   word);
    return SCH_CLI_YES;
}

static enum sch_cli_exit no_limit(const struct sch_cli_verb *verb, const char *name)
{
    struct sch_nearest nearest = sch_nearest_to(name, strlen(name));
    struct sch_limit_info view = {.size = sizeof view};
    for (size_t i = 0; sch_table_limit(i, &view); i++) sch_nearest_offer_set(&nearest, view.name);
    return sch_cli_usage_error(verb, "there is no limit %s; `scheelite list limits` has the names%s", name,
                               sch_nearest_said(&nearest));
}

/* NAME=N, where K, M or G after N stands for multiples of 2^10, 2^20 and 2^30. */
static enum sch_cli_exit take_limit(const struct sch_cli_verb *verb, const char *text)
{
    static const char suffixes[] = "KMG";
    char name[32], digits[24];
    const char *equal = strchr(text, '=');
    if (!equal || (size_t)(equal - text) >= sizeof name || strlen(equal + 1) >= sizeof digits)
        return sch_cli_usage_error(verb, "--limit is NAME=N, not %s; `scheelite list limits` has the names", text);
    snprintf(name, sizeof name, "%.*s", (int)(equal - text), text);
    snprintf(digits, sizeof digits, "%s", equal + 1);
    size_t length = strlen(digits);
    const char *suffix = length ? strchr(suffixes, digits[length - 1]) : NULL;
    unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
    if (suffix) digits[length - 1] = 0;
    uint64_t value;
    if (!sch_cli_number(digits, 1, UINT64_MAX >> shift, &value))
        return sch_cli_usage_error(verb, "--limit %s: %s is not a number from 1", name, equal + 1);
    if (!default_limit(name)) return no_limit(verb, name);
    if (sch_limit_set(&wanted.limits, name, value << shift) != SCH_OK)
        return sch_cli_usage_error(verb, "--limit %s: %s is too large", name, equal + 1);
    return SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_common_option(const struct sch_cli_verb *verb, enum sch_cli_option_id id, const char *value)
{
    if (id == SCH_OPTION_SHADER_OFFSET) return sch_cli_wrapped_offset(verb, value);
    return id == SCH_OPTION_LIMIT ? take_limit(verb, value) : take_warning(verb, value);
}

bool sch_cli_quiet(void) { return sch_cli_given()->common.quiet; }

struct sch_context_options sch_cli_common_context(void)
{
    wanted.warnings.counted_only = sch_cli_quiet();
    return (struct sch_context_options){.size = sizeof(struct sch_context_options),
                                        .warnings = &wanted.warnings,
                                        .limits = &wanted.limits,
                                        .dialect = (enum sch_dialect)sch_cli_given()->dialect.dialect,
                                        .log = sch_cli_common_log()};
}

enum sch_result sch_cli_plain_context_create(struct sch_context **context)
{
    const struct sch_context_options options = sch_cli_common_context();
    return sch_context_create(&options, context);
}

enum sch_cli_exit sch_cli_warnings_exit(const struct sch_diagnostics_list *list)
{
    if (!sch_diagnostics_warnings(list)) return SCH_CLI_YES;
    wanted.warned = true;
    return wanted.errors ? SCH_CLI_NO : SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_warn_report(const struct sch_diagnostic_info *report, const struct sch_cli_input *input)
{
    for (size_t i = 0; i < wanted.warnings.ignored_count; i++)
        if (wanted.ignored[i] == report->code) return SCH_CLI_YES;
    if (!sch_cli_quiet()) sch_cli_print_diagnostic(report, input);
    wanted.warned = true;
    return wanted.errors ? SCH_CLI_NO : SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_refuse(const char *name, const char *error, const char *format, ...)
{
    char message[400];
    const struct sch_diagnostic_info report = {.size = sizeof report,
                                               .source = name,
                                               .severity = SCH_SEVERITY_ERROR,
                                               .code = sch_error_number(error),
                                               .message = message};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sch_cli_print_diagnostic(&report, NULL);
    return SCH_CLI_NO;
}

/* `input`: the text that the place is in, or NULL. */
static enum sch_cli_exit warn(const struct sch_diagnostic_info *place, const struct sch_cli_input *input,
                              const char *warning, const char *format, va_list arguments)
{
    struct sch_diagnostic_info report = *place;
    char message[400];
    report.severity = SCH_SEVERITY_WARNING;
    report.code = sch_error_number(warning);
    report.message = message;
    vsnprintf(message, sizeof message, format, arguments);
    return sch_cli_warn_report(&report, input);
}

enum sch_cli_exit sch_cli_warn(const char *name, const char *warning, const char *format, ...)
{
    const struct sch_diagnostic_info place = {.size = sizeof place, .source = name};
    va_list arguments;
    va_start(arguments, format);
    const enum sch_cli_exit exit_code = warn(&place, NULL, warning, format, arguments);
    va_end(arguments);
    return exit_code;
}

enum sch_cli_exit sch_cli_warn_at(const struct sch_cli_input *input, uint32_t line, size_t at, const char *warning,
                                  const char *format, ...)
{
    size_t begin = at;
    while (begin && input->data[begin - 1] != '\n') begin--;
    const struct sch_diagnostic_info place = {
        .size = sizeof place, .source = input->name, .line = line, .column = (uint32_t)(at - begin) + 1, .offset = at};
    va_list arguments;
    va_start(arguments, format);
    const enum sch_cli_exit exit_code = warn(&place, input, warning, format, arguments);
    va_end(arguments);
    return exit_code;
}

enum sch_cli_exit sch_cli_common_exit(enum sch_cli_exit exit_code)
{
    if (!wanted.warned || !wanted.errors) return exit_code;
    return sch_cli_worse(exit_code, sch_cli_fail(SCH_CLI_NO, "there are warnings, which are errors here (-Werror)"));
}
