/* Whether the sanitizers watch the tests, and the widths that machine code is compiled for there. Holds no check. */
#ifndef SCH_TEST_SANITIZED_H
#define SCH_TEST_SANITIZED_H

#include <stdlib.h>

#include "by_code.h"

#if defined __has_feature
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#if !defined SANITIZED
#if defined __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED false
#endif
#endif

/* The first of the widths up to 16. The sanitizers see the compiler, which does for each width the same, but not its
 * code. */
static inline unsigned first_width(void) { return SANITIZED && by_code() ? 16 : 4; }

/* How many of `count` random cases run: with the sanitizers one of `divisor`, as what they look for is the same from
 * case to case, and the answers are checked by the build without them; with SCH_LONG all. */
static inline unsigned sanitized_share(unsigned count, unsigned divisor)
{
    return SANITIZED && !getenv("SCH_LONG") ? count / divisor : count;
}

#endif
