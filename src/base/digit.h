/* The value of a digit in text, whatever the locale. */
#ifndef SCH_BASE_DIGIT_H
#define SCH_BASE_DIGIT_H

#include <limits.h>

/* The value of 0 to 9, a to f and A to F; UINT_MAX for any other character, which is below no base. */
static inline unsigned sch_digit(char c)
{
    if (c >= '0' && c <= '9') return (unsigned)(c - '0');
    const char small = (char)(c | ('a' - 'A'));
    if (small >= 'a' && small <= 'f') return (unsigned)(small - 'a') + 10;
    return UINT_MAX;
}

#endif
