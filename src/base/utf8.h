/* Characters of UTF-8 (RFC 3629), for who writes texts from outside. */
#ifndef SCH_BASE_UTF8_H
#define SCH_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct sch_utf8 {
    size_t bytes; /* at least 1 */
    uint32_t code;
    bool wrong; /* the byte begins no character: a continuation, overlong, a surrogate, beyond U+10FFFF, cut off */
};

/* The bytes of the byte order mark that a text of UTF-8 begins with; 0: it has none. */
static inline size_t sch_utf8_mark(const char *text, size_t bytes)
{
    return bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Whether the bytes are a text of UTF-16 of either order of bytes: with its mark, or by eight letters of ASCII. */
bool sch_utf16_begins(const char *text, size_t bytes);

/* The character that a text of `left` bytes, at least one, begins with. Reads nothing after them. */
struct sch_utf8 sch_utf8_at(const char *text, size_t left);

#endif
