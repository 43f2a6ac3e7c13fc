/* Where memory comes from: two functions of the caller's and what they are called with. Every object of the library
 * holds the one that it was made with. Holds no policy (base/account.h has a ceiling, base/arena.h regions). */
#ifndef SCH_BASE_ALLOCATOR_H
#define SCH_BASE_ALLOCATOR_H

#include <scheelite/types.h>

/* malloc and free: what a caller gets who gives no allocator, and what processes of ours use. */
extern const struct sch_allocator sch_allocator_libc;

#endif
