/* Reports as text: place, message, source line, caret. The one text of the library and the command. Prints nothing. */
#include "api/api.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_COLUMNS = 160 };

/* Text that is written as far as there is room, and measured beyond that. */
struct sink {
    char *text;
    size_t bytes, length;
};

static void put(struct sink *sink, const char *text, size_t bytes)
{
    if (sink->length < sink->bytes) {
        const size_t room = sink->bytes - sink->length;
        memcpy(sink->text + sink->length, text, bytes < room ? bytes : room);
    }
    sink->length += bytes;
}

static void put_text(struct sink *sink, const char *text) { put(sink, text, strlen(text)); }

static void put_format(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_format(struct sink *sink, const char *format, ...)
{
    char text[64]; /* numbers only */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_text(sink, text);
}

/* ---- characters ---- */

static bool is_control(uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }

/* The columns that a terminal gives to a character. Unicode 15: combining marks that shaders' comments have, and wide
 * characters (UAX #11, W and F) by their blocks. */
static unsigned width_of(uint32_t code)
{
    static const struct {
        uint32_t first, last;
        unsigned width;
    } ranges[] = {{0x0300, 0x036f, 0},   {0x0483, 0x0489, 0},  {0x1100, 0x115f, 2}, {0x200b, 0x200f, 0},
                  {0x202a, 0x202e, 0},   {0x20d0, 0x20ff, 0},  {0x2e80, 0x303e, 2}, {0x3041, 0xa4cf, 2},
                  {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},  {0xfe00, 0xfe0f, 0}, {0xfe20, 0xfe2f, 0},
                  {0xfe30, 0xfe6f, 2},   {0xff01, 0xff60, 2},  {0xffe0, 0xffe6, 2}, {0x1f300, 0x1f64f, 2},
                  {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return ranges[i].width;
    return 1;
}

/* Marks that turn the direction of text would show a line in another order. */
static bool turns(uint32_t code) { return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069); }

static void put_clean(struct sink *sink, const char *text, size_t bytes, char control)
{
    for (size_t i = 0; i < bytes;) {
        const struct sch_utf8 c = sch_utf8_at(text + i, bytes - i);
        if (c.wrong || turns(c.code))
            put(sink, "?", 1);
        else if (is_control(c.code))
            put(sink, &control, 1);
        else
            put(sink, text + i, c.bytes);
        i += c.bytes;
    }
}

static void put_name(struct sink *sink, const char *text) { put_clean(sink, text, strlen(text), '?'); }

/* ---- the line ---- */

/* As it is shown: what is wrong, a control or turns takes a column. */
static unsigned shown_width(const struct sch_utf8 *c)
{
    return c->wrong || is_control(c->code) || turns(c->code) ? 1 : width_of(c->code);
}

static size_t columns_of(const char *text, size_t bytes)
{
    size_t columns = 0;
    for (size_t i = 0; i < bytes;) {
        const struct sch_utf8 c = sch_utf8_at(text + i, bytes - i);
        columns += shown_width(&c);
        i += c.bytes;
    }
    return columns;
}

/* The first byte of the character that byte `at` is of. */
static size_t character_of(const char *text, size_t bytes, size_t at)
{
    for (size_t back = 0; back < 4 && back <= at; back++) {
        const struct sch_utf8 c = sch_utf8_at(text + at - back, bytes - at + back);
        if (!c.wrong && c.bytes > back) return at - back;
    }
    return at;
}

/* A source line. */
struct line {
    const char *text;
    size_t bytes, caret;
};

/* Leaves `columns` columns of it, with the caret in the middle where both ends are cut. */
static void cut(struct line *line, size_t columns)
{
    size_t before = columns_of(line->text, line->caret), all = columns_of(line->text, line->bytes);
    if (all <= columns) return;
    size_t skip = before > columns / 2 ? before - columns / 2 : 0;
    if (skip > all - columns) skip = all - columns;
    size_t begin = 0, end;
    for (size_t at = 0; begin < line->caret && at < skip;) {
        const struct sch_utf8 c = sch_utf8_at(line->text + begin, line->bytes - begin);
        at += shown_width(&c);
        begin += c.bytes;
    }
    size_t shown = 0;
    for (end = begin; end < line->bytes;) {
        const struct sch_utf8 c = sch_utf8_at(line->text + end, line->bytes - end);
        shown += shown_width(&c);
        if (shown > columns) break;
        end += c.bytes;
    }
    *line = (struct line){line->text + begin, end - begin, line->caret - begin};
}

/* The line of the caller's text around byte `at`: no more of it than may be shown. */
static struct line line_around(const char *text, size_t bytes, size_t at, size_t columns)
{
    enum { LONGEST_CHARACTER = 4 };
    const size_t most = columns * LONGEST_CHARACTER;
    size_t begin = at, end = at;
    while (begin > 0 && at - begin < most && text[begin - 1] != '\n') begin--;
    while (end < bytes && end - at < most && text[end] != '\n') end++;
    return (struct line){text + begin, end - begin, at - begin};
}

struct palette {
    const char *error, *warning, *location, *caret, *end;
};

static void put_line(struct sink *sink, const struct palette *palette, struct line line, size_t columns)
{
    if (line.caret > line.bytes) line.caret = line.bytes;
    if (line.caret < line.bytes) line.caret = character_of(line.text, line.bytes, line.caret);
    cut(&line, columns);
    put_text(sink, "    ");
    put_clean(sink, line.text, line.bytes, ' ');
    put_text(sink, "\n    ");
    for (size_t n = columns_of(line.text, line.caret); n; n--) put(sink, " ", 1);
    put_text(sink, palette->caret);
    put_text(sink, "^");
    put_text(sink, palette->end);
    put_text(sink, "\n");
}

/* ---- reports ---- */

static void put_head(struct sink *sink, const struct palette *palette, const struct sch_diagnostic_info *info)
{
    const bool named = info->source && *info->source, error = info->severity == SCH_SEVERITY_ERROR;
    put_text(sink, palette->location);
    put_name(sink, named ? info->source : "scheelite");
    if (info->line) put_format(sink, ":%u", info->line);
    if (info->line && info->column) put_format(sink, ":%u", info->column);
    put_text(sink, ":");
    put_text(sink, palette->end);
    put_text(sink, " ");
    if (!info->line && info->offset && named) put_format(sink, "byte %llu: ", (unsigned long long)info->offset);
    put_text(sink, error ? palette->error : palette->warning);
    put_text(sink, error ? "error" : "warning");
    if (info->code) put_format(sink, " %u", info->code);
    put_text(sink, ":");
    put_text(sink, palette->end);
    put_text(sink, " ");
    put_name(sink, info->message ? info->message : "");
    put_text(sink, "\n");
}

static void put_report(struct sink *sink, const struct sch_diagnostic_info *info,
                       const struct sch_report_options *options)
{
    static const struct palette plain = {"", "", "", "", ""};
    static const struct palette colored = {"\033[1;31m", "\033[1;35m", "\033[1m", "\033[1;32m", "\033[0m"};
    const struct palette *palette = options->color ? &colored : &plain;
    const size_t columns = options->columns ? options->columns : DEFAULT_COLUMNS;
    put_head(sink, palette, info);
    if (info->line_text)
        put_line(sink, palette, (struct line){info->line_text, strlen(info->line_text), info->caret}, columns);
    else if (info->line && options->text && info->offset <= options->text_bytes)
        put_line(sink, palette, line_around(options->text, options->text_bytes, (size_t)info->offset, columns),
                 columns);
}

size_t sch_report_format(const struct sch_diagnostic_info *info, const struct sch_report_options *options, char *text,
                         size_t bytes)
{
    struct sch_diagnostic_info known;
    struct sch_report_options wanted;
    struct sink sink = {text, text && bytes ? bytes - 1 : 0, 0};
    if (text && bytes) *text = 0;
    if (!info || !sch_sized_read(&known, sizeof known, sizeof known, info) ||
        !sch_sized_read(&wanted, sizeof wanted, sizeof wanted, options))
        return 0;
    put_report(&sink, &known, &wanted);
    if (text && bytes) text[sink.length < bytes ? sink.length : bytes - 1] = 0;
    return sink.length;
}

/* ---- lists ---- */

static void put_list(struct sink *sink, const struct sch_diagnostics_list *list,
                     const struct sch_report_options *options)
{
    struct sch_diagnostic_info info = {.size = sizeof info};
    const size_t kept = sch_diagnostics_count(list), errors = sch_diagnostics_errors(list);
    const bool counted = list->list.filter && list->list.filter->counted_only;
    const size_t all = errors + (counted ? 0 : sch_diagnostics_warnings(list));
    for (size_t i = 0; sch_diagnostics_get(list, i, &info); i++) put_report(sink, &info, options);
    if (all > kept) put_format(sink, "scheelite: %zu more reports are not shown\n", all - kept);
}

enum sch_result sch_diagnostics_print(const struct sch_diagnostics_list *list, const struct sch_report_options *options,
                                      char **text, size_t *bytes)
{
    struct sch_api_call call;
    struct sch_report_options wanted;
    sch_api_begin(&call, SCH_API_CONTEXT_OF(list), NULL, __func__, "options");
    if (text) *text = NULL;
    if (bytes) *bytes = 0;
    if (!sch_api_given(&call, list, "list") || !sch_api_given(&call, text, "text") ||
        !sch_api_read(&call, "options", &wanted, sizeof wanted, sizeof wanted, options))
        return sch_api_refused(&call);
    struct sink sink = {NULL, 0, 0};
    put_list(&sink, list, &wanted);
    char *made = sch_api_alloc(list->context, sink.length + 1);
    if (!made) return sch_api_end(&call, SCH_ERROR_MEMORY);
    sink = (struct sink){made, sink.length, 0};
    put_list(&sink, list, &wanted);
    *text = made;
    if (bytes) *bytes = sink.length;
    return sch_api_end(&call, SCH_OK);
}
