/* Prefixes of lines (lines.h). */
#include "base/lines.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static bool is_word_byte(char c) { return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

/* After a run of digits, with the letters of hexadecimal numbers. */
static const char *behind_number(const char *at, const char *end)
{
    while (at < end && (is_hexadecimal(*at) || *at == 'x')) at++;
    return at;
}

const char *sch_behind_prefix(struct sch_line prefix, struct sch_line line)
{
    const char *p = prefix.begin, *at = line.begin;
    while (p < prefix.end) {
        if (sch_is_blank(*p)) {
            p = sch_skip_blanks(p, prefix.end);
            at = sch_skip_blanks(at, line.end);
        } else if (is_digit(*p)) {
            if (at >= line.end || !is_digit(*at)) return NULL;
            p = behind_number(p, prefix.end);
            at = behind_number(at, line.end);
        } else {
            if (at >= line.end || *at != *p) return NULL;
            p++;
            at++;
        }
    }
    bool joined = prefix.end > prefix.begin && is_word_byte(prefix.end[-1]) && at < line.end && is_word_byte(*at);
    return joined ? NULL : at;
}
