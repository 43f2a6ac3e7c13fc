/* Lines of texts in which something is looked for: where they begin and end, and the prefixes that logs put before all
 * lines of a part. Knows no language. */
#ifndef SCH_BASE_LINES_H
#define SCH_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct sch_line {
    const char *begin, *end; /* without its line end */
};

static inline bool sch_is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static inline const char *sch_skip_blanks(const char *at, const char *end)
{
    while (at < end && sch_is_blank(*at)) at++;
    return at;
}

static inline const char *sch_trimmed_end(const char *begin, const char *end)
{
    while (end > begin && sch_is_blank(end[-1])) end--;
    return end;
}

/* The line that begins at `at`, and where the next one does. */
static inline struct sch_line sch_line_at(const char *at, const char *end)
{
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return (struct sch_line){at, stop ? stop : end};
}

static inline const char *sch_line_next(struct sch_line line, const char *end)
{
    return line.end < end ? line.end + 1 : end;
}

/* Where the line continues after a prefix like `prefix`: numbers and blanks may differ. NULL: it has none. */
const char *sch_behind_prefix(struct sch_line prefix, struct sch_line line);

#endif
