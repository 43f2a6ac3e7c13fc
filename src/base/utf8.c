/* See utf8.h. */
#include "base/utf8.h"

struct sch_utf8 sch_utf8_at(const char *text, size_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint8_t first = (uint8_t)text[0];
    if (first < 0x80) return (struct sch_utf8){1, first, false};
    const size_t bytes = first >= 0xf0 && first < 0xf8 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc0 ? 2 : 0;
    const struct sch_utf8 none = {1, 0xfffd, true};
    if (!bytes || first >= 0xf8 || bytes > left) return none;
    uint32_t code = first & (0x7fU >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        if (((uint8_t)text[i] & 0xc0) != 0x80) return none;
        code = code << 6 | ((uint8_t)text[i] & 0x3f);
    }
    const bool good = code >= least[bytes] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return good ? (struct sch_utf8){bytes, code, false} : none;
}

bool sch_utf16_begins(const char *text, size_t bytes)
{
    enum { LETTERS = 8 };
    const unsigned char *at = (const unsigned char *)text;
    if (bytes < 2 || bytes % 2) return false;
    const bool little = at[0] == 0xff && at[1] == 0xfe, big = at[0] == 0xfe && at[1] == 0xff;
    const size_t count = (bytes - (little || big ? 2 : 0)) / 2;
    if (little || big) at += 2;
    if (count < LETTERS && !little && !big) return false;
    /* Letters of ASCII, whose upper bytes are 0, and ends of lines. */
    unsigned seen[2] = {0};
    for (size_t i = 0; i < count && i < LETTERS; i++)
        for (int high = 0; high < 2; high++) {
            const unsigned char letter = at[2 * i + (high == 0)];
            seen[high] += at[2 * i + (high == 1)] == 0 &&
                          (letter == '\t' || letter == '\n' || letter == '\r' || (letter >= ' ' && letter <= '~'));
        }
    const unsigned wanted = count < LETTERS ? (unsigned)count : LETTERS;
    return little ? seen[1] == wanted : big ? seen[0] == wanted : seen[0] == wanted || seen[1] == wanted;
}
