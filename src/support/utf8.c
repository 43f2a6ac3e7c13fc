/* See utf8.h. */
#include "utf8.h"

#include <string.h>

size_t sch_text_character(const char *text, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    const size_t bytes = *at < 0x80 ? 1 : *at >> 5 == 6 ? 2 : *at >> 4 == 14 ? 3 : *at >> 3 == 30 ? 4 : 0;
    if (bytes < 2 || bytes > left) return bytes < 2 ? bytes : 0;
    uint32_t code = *at & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (at[i] >> 6 != 2) return 0;
        code = code << 6 | (at[i] & 0x3f);
    }
    return code < least[bytes] || code > 0x10ffff || code >> 11 == 27 ? 0 : bytes;
}

size_t sch_text_mark(const char *text, size_t bytes)
{
    return bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Letters of ASCII in 16 bits, whose upper byte is the first or the second one. */
static bool is_wide(const unsigned char *at, size_t count, bool high_first)
{
    for (size_t i = 0; i < count; i++) {
        const unsigned char letter = at[2 * i + high_first];
        if (at[2 * i + !high_first] || letter > '~') return false;
        if (letter < ' ' && letter != '\t' && letter != '\r' && letter != '\n') return false;
    }
    return true;
}

bool sch_text_is_utf16(const char *text, size_t bytes)
{
    enum { LETTERS = 8 };
    const unsigned char *at = (const unsigned char *)text;
    if (bytes < 2) return false;
    const bool low = at[0] == 0xff && at[1] == 0xfe, high = at[0] == 0xfe && at[1] == 0xff;
    const size_t left = bytes / 2 - (low || high), count = left < LETTERS ? left : LETTERS;
    if (low || high) return is_wide(at + 2, count, high);
    return left >= LETTERS && (is_wide(at, count, false) || is_wide(at, count, true));
}
