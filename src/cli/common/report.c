/* Messages on stderr: usage errors, failures, and diagnostics with source line and caret. */
#include "../player/player.h"
#include "common.h"
#include "progress.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum sch_cli_exit sch_cli_exit_of(enum sch_result result)
{
    switch (result) {
    case SCH_OK:
        return SCH_CLI_YES;
    case SCH_ERROR_INVALID:
    case SCH_ERROR_BARRIER:
    case SCH_ERROR_ABORTED:
        return SCH_CLI_NO;
    case SCH_ERROR_UNSUPPORTED:
        return SCH_CLI_UNSUPPORTED;
    case SCH_ERROR_MEMORY:
    case SCH_ERROR_LIMIT:
    case SCH_ERROR_BUDGET:
    case SCH_ERROR_WORK:
    case SCH_ERROR_DEADLINE:
    case SCH_ERROR_CANCELLED:
        return SCH_CLI_LIMIT;
    case SCH_ERROR_ARGUMENT: /* the command called the library wrongly */
    case SCH_ERROR_INTERNAL:
        return SCH_CLI_INTERNAL;
    }
    return SCH_CLI_INTERNAL;
}

enum sch_cli_exit sch_cli_result(enum sch_result result, const struct sch_diagnostics_list *list, const char *name)
{
    enum sch_cli_exit exit_code = sch_cli_exit_of(result);
    /* A list without memory counts what it does not hold. */
    if (result == SCH_OK || (sch_diagnostics_errors(list) && sch_diagnostics_count(list))) return exit_code;
    return sch_cli_fail(exit_code, "%s: %s", name, sch_result_text(result));
}

static int weight(enum sch_cli_exit code)
{
    static const enum sch_cli_exit order[] = {SCH_CLI_YES, SCH_CLI_NO,    SCH_CLI_UNSUPPORTED, SCH_CLI_LIMIT,
                                              SCH_CLI_IO,  SCH_CLI_USAGE, SCH_CLI_INTERNAL};
    int rank = 0;
    while (order[rank] != code) rank++;
    return rank;
}

enum sch_cli_exit sch_cli_worse(enum sch_cli_exit a, enum sch_cli_exit b) { return weight(b) > weight(a) ? b : a; }

void sch_cli_print_clean(FILE *file, const char *text)
{
    for (; *text; text++) fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, file);
}

void sch_cli_print_outcome(const char *name, const struct sch_player_outcome *outcome)
{
    sch_cli_print_clean(stdout, name);
    printf(":%" PRIu32 ": %s: ", outcome->line, outcome->skipped ? "skipped" : "failed");
    sch_cli_print_clean(stdout, outcome->reason);
    if (outcome->items != 1) printf(" (%" PRIu64 " items)", outcome->items);
    putchar('\n');
}

/* What sch_cli_next adds to the usage error about a value that is not one of its option's words. */
static char meant[160];

void sch_cli_meant(const char *said) { snprintf(meant, sizeof meant, "%s", said); }

/* Before a message: what was printed so far comes first if both go to one pipe or file. */
static void begin_saying(void)
{
    fflush(stdout);
    sch_cli_progress_clear();
}

enum sch_cli_exit sch_cli_usage_error(const struct sch_cli_verb *verb, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    begin_saying();
    fprintf(stderr, "scheelite %s: ", verb->name);
    sch_cli_print_clean(stderr, message);
    fprintf(stderr, "%s\nsee: scheelite help %s\n", strstr(message, "did you mean") ? "" : meant, verb->name);
    return SCH_CLI_USAGE;
}

enum sch_cli_exit sch_cli_fail(enum sch_cli_exit code, const char *format, ...)
{
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    begin_saying();
    fputs("scheelite: ", stderr);
    sch_cli_print_clean(stderr, message);
    fputc('\n', stderr);
    return code;
}

enum sch_cli_exit sch_cli_no_memory(void) { return sch_cli_fail(SCH_CLI_LIMIT, "out of memory"); }

/* ---- which errors were printed ---- */

enum { MOST_SEEN = 64 };

static struct {
    unsigned number[MOST_SEEN], count;
} seen;

void sch_cli_see(unsigned number)
{
    if (!number || seen.count == MOST_SEEN) return;
    for (unsigned i = 0; i < seen.count; i++)
        if (seen.number[i] == number) return;
    seen.number[seen.count++] = number;
}

void sch_cli_log_line(void *verb, const char *line)
{
    const struct sch_cli_verb *of = verb;
    sch_cli_progress_clear();
    fprintf(stderr, "scheelite %s: %s\n", of->name, line);
}

void sch_cli_print_seen(void)
{
    if (sch_cli_quiet()) return; /* -q */
    for (unsigned i = 0; i < seen.count; i++) fprintf(stderr, "see: scheelite explain %u\n", seen.number[i]);
}

static bool is_colored(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDERR_FILENO) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

/* The text is the library's (sch_report_format). Where memory has ended a long one is cut, none is left out. */
static void print_report(const struct sch_diagnostic_info *info, const char *text, size_t bytes)
{
    if (info->severity == SCH_SEVERITY_ERROR) sch_cli_see(info->code);
    const struct sch_report_options options = {
        .size = sizeof options, .color = is_colored(), .text = text, .text_bytes = bytes};
    char usual[2048];
    const size_t length = sch_report_format(info, &options, usual, sizeof usual);
    char *report = length < sizeof usual ? NULL : malloc(length + 1);
    if (report) sch_report_format(info, &options, report, length + 1);
    begin_saying();
    fputs(report ? report : usual, stderr);
    free(report);
}

void sch_cli_print_diagnostic(const struct sch_diagnostic_info *view, const struct sch_cli_input *input)
{
    if (input && input->data)
        print_report(view, input->data + input->at, input->bytes - input->at);
    else
        print_report(view, NULL, 0);
}

bool sch_cli_is_said(const struct sch_diagnostics_list *list, size_t before, const struct sch_diagnostic_info *view)
{
    struct sch_diagnostic_info other = {.size = sizeof other};
    for (size_t i = 0; i < before && sch_diagnostics_get(list, i, &other); i++)
        if (other.code == view->code && other.offset == view->offset && other.line == view->line &&
            strcmp(other.message, view->message) == 0)
            return true;
    return false;
}

enum sch_cli_exit sch_cli_print_diagnostics(const struct sch_diagnostics_list *list, const struct sch_cli_input *input)
{
    return sch_cli_print_more_diagnostics(list, 0, input);
}

enum sch_cli_exit sch_cli_print_more_diagnostics(const struct sch_diagnostics_list *list, size_t said,
                                                 const struct sch_cli_input *input)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    size_t count = sch_diagnostics_count(list);
    for (size_t i = said; i < count; i++)
        if (sch_diagnostics_get(list, i, &view) && !sch_cli_is_said(list, i, &view))
            sch_cli_print_diagnostic(&view, input);
    size_t all = sch_diagnostics_errors(list);
    if (!sch_cli_quiet()) all += sch_diagnostics_warnings(list);
    if (all > count) fprintf(stderr, "scheelite: %zu more reports are not shown\n", all - count);
    return sch_cli_warnings_exit(list);
}

enum sch_cli_exit sch_cli_print_line_diagnostics(const struct sch_diagnostics_list *list, const char *name,
                                                 uint32_t line)
{
    struct sch_diagnostic_info view = {.size = sizeof view};
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        view.source = name;
        view.line = line;
        sch_cli_print_diagnostic(&view, NULL);
    }
    return sch_cli_warnings_exit(list);
}

/* The byte where line `line` begins; the end of the input when it has fewer. */
static size_t line_start(const struct sch_cli_input *input, uint32_t line)
{
    size_t at = 0;
    for (; line > 1; line--) {
        const char *end = memchr(input->data + at, '\n', input->bytes - at);
        if (!end) return input->bytes;
        at = (size_t)(end - input->data) + 1;
    }
    return at;
}

void sch_cli_report(const struct sch_cli_location *location, unsigned code, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    const struct sch_cli_input *input = location->input;
    struct sch_diagnostic_info info = {.size = sizeof info,
                                       .severity = SCH_SEVERITY_ERROR,
                                       .code = code,
                                       .line = location->line,
                                       .column = location->column,
                                       .source = input->name,
                                       .message = message};
    const bool placed = location->line && location->column && input->data;
    if (placed) info.offset = line_start(input, location->line) + location->column - 1;
    print_report(&info, placed ? input->data : NULL, placed ? input->bytes : 0);
}
