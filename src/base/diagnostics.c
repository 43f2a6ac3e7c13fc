/* The diagnostics list: formatting, the source line and caret, the limit. */
#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct sch_position sch_position_at(struct sch_position position, const char *text, const char *at)
{
    for (const char *c = text; c < at; c++) {
        position.column++;
        position.offset++;
        if (*c == '\n') {
            position.line++;
            position.column = 1;
        }
    }
    return position;
}

enum { MESSAGE_BYTES = 512 };

void sch_diagnostics_init(struct sch_diagnostics *list, const struct sch_allocator *allocator, size_t limit)
{
    *list = (struct sch_diagnostics){.limit = limit, .source = ""};
    sch_arena_init(&list->arena, allocator, 0);
}

void sch_diagnostics_release(struct sch_diagnostics *list)
{
    sch_arena_release(&list->arena);
    *list = (struct sch_diagnostics){.source = ""};
}

void sch_diagnostics_source(struct sch_diagnostics *list, const char *source, const char *text, size_t bytes)
{
    if (!sch_diagnostics_hears(list)) return;
    if (!source) source = "";
    if (strcmp(list->source, source) != 0) { /* calls in a row mostly have the same, and each copy takes memory */
        const char *copy = sch_arena_string(&list->arena, source, strlen(source));
        list->source = copy ? copy : "";
    }
    list->text = text;
    list->text_bytes = text ? bytes : 0;
}

void sch_diagnostics_name(struct sch_diagnostics *list, const char *source)
{
    sch_diagnostics_source(list, source, NULL, 0);
}

/* Cuts the line around the reported byte out of the source, so that a 100 MB line costs SCH_DIAGNOSTIC_LINE bytes. */
static void keep_line(struct sch_diagnostics *list, struct sch_diagnostic *item)
{
    size_t at = item->position.offset;
    if (!list->text || !item->position.line || at > list->text_bytes) return;

    size_t begin = at, end = at;
    size_t before = SCH_DIAGNOSTIC_LINE / 2;
    while (begin > 0 && at - begin < before && list->text[begin - 1] != '\n') begin--;
    while (end < list->text_bytes && end - begin < SCH_DIAGNOSTIC_LINE && list->text[end] != '\n') end++;

    /* Whole characters of UTF-8 where the line was cut. */
    while (begin < at && begin > 0 && ((unsigned char)list->text[begin] & 0xc0) == 0x80) begin++;
    while (end > at && end < list->text_bytes && ((unsigned char)list->text[end] & 0xc0) == 0x80) end--;

    char *line = sch_arena_string(&list->arena, list->text + begin, end - begin);
    if (!line) return;
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = ' '; /* tabs and control bytes would move the caret */
    item->line_text = line;
    item->caret = (uint32_t)(at - begin);
}

/* Whether the list takes a report of this severity at all. */
static bool is_wanted(const struct sch_warning_options *filter, enum sch_severity severity, unsigned code)
{
    if (severity == SCH_SEVERITY_ERROR) return true;
    if (severity == SCH_SEVERITY_PEDANTIC && !(filter && filter->pedantic)) return false;
    for (size_t i = 0; filter && i < filter->ignored_count; i++)
        if (filter->ignored[i] == code) return false;
    return true;
}

void sch_diagnostics_add(struct sch_diagnostics *list, enum sch_severity severity, unsigned code,
                         struct sch_position position, const char *format, ...)
{
    if (!sch_diagnostics_hears(list)) return;
    const struct sch_register_name about = list->about;
    list->about = (struct sch_register_name){0};
    if (!is_wanted(list->filter, severity, code)) return;
    if (severity == SCH_SEVERITY_ERROR)
        list->errors++;
    else
        list->warnings++;
    if (severity != SCH_SEVERITY_ERROR && list->filter && list->filter->counted_only) return;
    if (!sch_diagnostics_keeps(list)) return;
    if (!SCH_ARENA_GROW(&list->arena, list->items, list->capacity, list->count)) return;

    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    const char *copy = sch_arena_string(&list->arena, message, strlen(message));
    struct sch_diagnostic *item = &list->items[list->count];
    *item = (struct sch_diagnostic){.severity = severity,
                                    .code = code,
                                    .position = position,
                                    .source = list->source,
                                    .about = about,
                                    .message = copy ? copy : "out of memory"};
    keep_line(list, item);
    list->count++;
}
