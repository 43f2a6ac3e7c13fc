/* Messages on stderr: usage errors, failures, and diagnostics with source line and caret. */
#include "common.h"

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
    enum sch_cli_exit exit = sch_cli_exit_of(result);
    /* A list without memory counts what it does not hold. */
    if (result == SCH_OK || (sch_diagnostics_errors(list) && sch_diagnostics_count(list))) return exit;
    return sch_cli_fail(exit, "%s: %s", name, sch_result_text(result));
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

/* Text from outside must not move the cursor of a terminal. */
static void print_clean(const char *text)
{
    for (; *text; text++) fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, stderr);
}

/* What sch_cli_next says of a value that is none of its option's words: said behind the usage error about it. */
static char meant[160];

void sch_cli_meant(const char *said) { snprintf(meant, sizeof meant, "%s", said); }

enum sch_cli_exit sch_cli_usage_error(const struct sch_cli_verb *verb, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "scheelite %s: ", verb->name);
    print_clean(message);
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
    fputs("scheelite: ", stderr);
    print_clean(message);
    fputc('\n', stderr);
    return code;
}

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

void sch_cli_print_seen(void)
{
    if (sch_cli_common_warnings()->counted_only) return; /* -q */
    for (unsigned i = 0; i < seen.count; i++) fprintf(stderr, "see: scheelite explain %u\n", seen.number[i]);
}

struct palette {
    const char *error, *warning, *location, *caret, *end;
};

static struct palette choose_palette(void)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool color = isatty(STDERR_FILENO) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
    if (!color) return (struct palette){"", "", "", "", ""};
    return (struct palette){"\033[1;31m", "\033[1;35m", "\033[1m", "\033[1;32m", "\033[0m"};
}

/* Part of the line around byte `at` of the source: enough to see, little of a line that is a megabyte long. */
enum { LINE_SHOWN = 160 };

static void print_source_line(const struct palette *palette, const char *line, size_t bytes, size_t caret)
{
    fputs("    ", stderr);
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)line[i];
        fputc(c < 0x20 || c == 0x7f ? ' ' : c, stderr);
    }
    fprintf(stderr, "\n    %*s%s^%s\n", (int)caret, "", palette->caret, palette->end);
}

static void print_line_at(const struct palette *palette, const struct sch_cli_input *input, size_t at)
{
    size_t begin = at, end = at;
    while (begin > 0 && at - begin < LINE_SHOWN / 2 && input->data[begin - 1] != '\n') begin--;
    while (end < input->bytes && end - begin < LINE_SHOWN && input->data[end] != '\n') end++;
    print_source_line(palette, input->data + begin, end - begin, at - begin);
}

static void print_head(const struct palette *palette, const char *source, uint32_t line, uint32_t column)
{
    fputs(palette->location, stderr);
    print_clean(source && *source ? source : "scheelite");
    if (line) fprintf(stderr, ":%u", line);
    if (line && column) fprintf(stderr, ":%u", column);
    fprintf(stderr, ":%s ", palette->end);
}

static void print_diagnostic(const struct palette *palette, const struct sch_diagnostic_info *view,
                             const struct sch_cli_input *input)
{
    bool error = view->severity == SCH_SEVERITY_ERROR;
    if (error) sch_cli_see(view->code);
    print_head(palette, view->source, view->line, view->column);
    if (!view->line && view->offset && view->source && *view->source)
        fprintf(stderr, "byte %llu: ", (unsigned long long)view->offset);
    fprintf(stderr, "%s%s %u:%s ", error ? palette->error : palette->warning, error ? "error" : "warning", view->code,
            palette->end);
    print_clean(view->message);
    fputc('\n', stderr);
    if (view->line_text)
        print_source_line(palette, view->line_text, strlen(view->line_text), view->caret);
    else if (view->line && input && input->data && view->offset <= input->bytes - input->at)
        print_line_at(palette, input, input->at + (size_t)view->offset);
}

void sch_cli_print_diagnostic(const struct sch_diagnostic_info *view, const struct sch_cli_input *input)
{
    struct palette palette = choose_palette();
    print_diagnostic(&palette, view, input);
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
    struct palette palette = choose_palette();
    struct sch_diagnostic_info view = {.size = sizeof view};
    size_t count = sch_diagnostics_count(list);
    for (size_t i = said; i < count; i++)
        if (sch_diagnostics_get(list, i, &view) && !sch_cli_is_said(list, i, &view))
            print_diagnostic(&palette, &view, input);
    size_t all = sch_diagnostics_errors(list);
    if (!sch_cli_common_warnings()->counted_only) all += sch_diagnostics_warnings(list);
    if (all > count) fprintf(stderr, "scheelite: %zu more reports are not shown\n", all - count);
    return sch_cli_warnings_exit(list);
}

enum sch_cli_exit sch_cli_print_line_diagnostics(const struct sch_diagnostics_list *list, const char *name,
                                                 uint32_t line)
{
    struct palette palette = choose_palette();
    struct sch_diagnostic_info view = {.size = sizeof view};
    for (size_t i = 0; sch_diagnostics_get(list, i, &view); i++) {
        view.source = name;
        view.line = line;
        print_diagnostic(&palette, &view, NULL);
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

    struct palette palette = choose_palette();
    print_head(&palette, location->input->name, location->line, location->column);
    fputs(palette.error, stderr);
    fputs("error", stderr);
    if (code) fprintf(stderr, " %u", code);
    sch_cli_see(code);
    fprintf(stderr, ":%s ", palette.end);
    print_clean(message);
    fputc('\n', stderr);
    if (!location->line || !location->column || !location->input->data) return;
    size_t at = line_start(location->input, location->line) + location->column - 1;
    if (at <= location->input->bytes) print_line_at(&palette, location->input, at);
}

unsigned sch_cli_error_number(const char *name)
{
    struct sch_error_info row = {.size = sizeof row};
    for (size_t i = 0; sch_table_error(i, &row); i++)
        if (strcmp(row.name, name) == 0) return row.number;
    return 0;
}
