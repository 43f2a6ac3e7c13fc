/* The literals' scanner (literals.h). */
#include "base/literals.h"

void sch_literals_line(struct sch_literals *literals, struct sch_line line, const char *quote)
{
    const char *first = sch_skip_blanks(line.begin, line.end);
    const bool has_none = first < line.end && !memchr(first, '"', (size_t)(line.end - first));
    literals->active = quote || literals->inside || (literals->active && !has_none);
    literals->rest = literals->active ? line : (struct sch_line){line.end, line.end};
    literals->quote = quote;
}

/* Whether the literal that ends at this quote is a whole string: no other one continues with it. */
static bool ends_string(const char *quote, const char *end)
{
    const char *next = sch_skip_blanks(quote + 1, end);
    return next < end && strchr(",;)]}", *next);
}

/* Whether nothing of a literal follows on the line, so that its own end breaks it. */
static bool ends_line(const char *at, const char *end)
{
    if (at == end || (*at == '\\' && sch_skip_blanks(at + 1, end) == end)) return true;
    return *at == '"' && !memchr(at + 1, '"', (size_t)(end - at - 1));
}

/* What escapes stand for does not matter, but that "\n" breaks a line. */
static bool escape_breaks(const char *at, const char *end)
{
    return end - at > 1 && at[1] == 'n' && !ends_line(at + 2, end);
}

bool sch_literals_next(struct sch_literals *literals, struct sch_no_content *part)
{
    const char *at = literals->rest.begin, *end = literals->rest.end;
    if (literals->inside)
        while (at < end && *at != '"' && *at != '\\') at++;
    if (at == end) return false;
    if (!literals->inside) {
        const char *quote = literals->quote ? literals->quote : memchr(at, '"', (size_t)(end - at));
        *part = (struct sch_no_content){at, quote ? quote + 1 : end, false};
        literals->inside = quote != NULL;
        literals->quote = NULL;
    } else if (*at == '"') {
        *part = (struct sch_no_content){at, at + 1, ends_string(at, end)};
        literals->inside = false;
    } else {
        *part = (struct sch_no_content){at, end - at > 1 ? at + 2 : end, escape_breaks(at, end)};
    }
    literals->rest.begin = part->end;
    return true;
}
