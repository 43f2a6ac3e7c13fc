/* Characters of UTF-8 (RFC 3629), for who writes texts from outside. */
#ifndef SCH_BASE_UTF8_H
#define SCH_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sch_utf8 {
    size_t bytes; /* at least 1 */
    uint32_t code;
    bool wrong; /* the byte begins no character: a continuation, overlong, a surrogate, beyond U+10FFFF, cut off */
};

/* The character that a text of `left` bytes, at least one, begins with. Reads nothing behind them. */
struct sch_utf8 sch_utf8_at(const char *text, size_t left);

#endif
