/* An allocator that counts what it holds and stops at a ceiling: all that one context has. Holds no policy: what it
 * refuses is a failed allocation to whoever asked. Thread-safe, as far as the allocator inside is. */
#ifndef SCH_BASE_ACCOUNT_H
#define SCH_BASE_ACCOUNT_H

#include <stdatomic.h>

#include "base/arena.h"

struct sch_account {
    struct sch_allocator inner;
    size_t limit;
    atomic_size_t held;  /* bytes, those by which each allocation is known included */
    atomic_bool refused; /* the ceiling refused something since sch_account_refused was asked */
};

void sch_account_init(struct sch_account *account, const struct sch_allocator *inner, size_t limit);

/* The account as an allocator; the account must outlive what it gives. */
struct sch_allocator sch_account_allocator(struct sch_account *account);

/* Counts memory that comes from elsewhere, such as mappings of machine code; false: the ceiling refuses it. What was
 * taken is to be given back. */
bool sch_account_take(struct sch_account *account, size_t bytes);
void sch_account_give_back(struct sch_account *account, size_t bytes);

size_t sch_account_held(const struct sch_account *account);

/* Whether the ceiling refused an allocation since this was last asked: distinguishes a full account from a system
 * without memory. If allocations of several threads fail at once, one may see another's. */
bool sch_account_refused(struct sch_account *account);

#endif
