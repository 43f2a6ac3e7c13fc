/* Shaders in a text: what people keep of them are dumps and logs. Finds where shaders are, and makes a copy of the
 * text in which everything else is blank: comments, carriage returns before line ends, a byte order mark, prefixes of
 * lines, foreign lines among prefixed ones. Blanks take the place of bytes, so places in the copy are places in the
 * text. Knows no grammar beyond what a line begins with; reading is sch_tgsi_parse. docs/man, "Logs". */
#ifndef SCH_TGSI_FIND_H
#define SCH_TGSI_FIND_H

#include <scheelite/types.h>

#include "base/arena.h"
#include "base/until.h"

/* A shader: bytes from `begin` to before `end`; `line` (from 1) begins at `line_begin`. */
struct sch_tgsi_span {
    size_t begin, end, line_begin;
    uint32_t line;
};

struct sch_tgsi_found {
    struct sch_arena arena;
    const char *text; /* the copy, or the text itself where nothing had to be blanked */
    size_t count, capacity;
    struct sch_tgsi_span *spans; /* at least one: of a text without any shader it is the whole text */
};

enum { SCH_TGSI_FOUND_LIMIT = 1 << 16 };

/* LIMIT: there are more than SCH_TGSI_FOUND_LIMIT. DEADLINE, CANCELLED: by `until`, which may be NULL. Release it
 * whatever the answer was. */
enum sch_result sch_tgsi_find(const struct sch_allocator *allocator, const char *text, size_t bytes,
                              const struct sch_until *until, struct sch_tgsi_found *found);
void sch_tgsi_found_release(struct sch_tgsi_found *found);

#endif
