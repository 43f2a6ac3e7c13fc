/* Whether this build looks at every access to memory, which makes it several times slower. What only adds to what the
 * other build has compared already takes a part there; with SCH_LONG all of it. */
#ifndef SCH_TEST_SANITIZER_H
#define SCH_TEST_SANITIZER_H

#include <stdbool.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER true
#elif defined(__has_feature)
#define ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define ADDRESS_SANITIZER false
#endif

/* Every how many of a long list's entries are looked at. */
static inline unsigned sanitizer_step(unsigned step) { return ADDRESS_SANITIZER && !getenv("SCH_LONG") ? step : 1; }

#endif
