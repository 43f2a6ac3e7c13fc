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
