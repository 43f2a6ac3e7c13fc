/* The counting allocator: the size of each allocation comes before it. */
#include "base/account.h"

#include "base/checked.h"

/* What is after the header stays aligned for any type. */
union header {
    size_t bytes; /* of header and memory */
    max_align_t align;
};

bool sch_account_take(struct sch_account *account, size_t bytes)
{
    size_t held = atomic_load_explicit(&account->held, memory_order_relaxed);
    do
        if (held > account->limit || bytes > account->limit - held) {
            atomic_store_explicit(&account->refused, true, memory_order_relaxed);
            return false;
        }
    while (!atomic_compare_exchange_weak_explicit(&account->held, &held, held + bytes, memory_order_relaxed,
                                                  memory_order_relaxed));
    return true;
}

void sch_account_give_back(struct sch_account *account, size_t bytes)
{
    atomic_fetch_sub_explicit(&account->held, bytes, memory_order_relaxed);
}

static void *account_alloc(void *user, size_t bytes)
{
    struct sch_account *account = user;
    size_t total;
    if (!sch_add_size(bytes, sizeof(union header), &total) || !sch_account_take(account, total)) return NULL;
    union header *header = account->inner.alloc(account->inner.user, total);
    if (!header) {
        sch_account_give_back(account, total);
        return NULL;
    }
    header->bytes = total;
    return header + 1;
}

static void account_free(void *user, void *memory)
{
    struct sch_account *account = user;
    union header *header = (union header *)memory - 1;
    sch_account_give_back(account, header->bytes);
    account->inner.free(account->inner.user, header);
}

void sch_account_init(struct sch_account *account, const struct sch_allocator *inner, size_t limit)
{
    account->inner = *inner;
    account->limit = limit;
    atomic_init(&account->held, 0);
    atomic_init(&account->refused, false);
}

struct sch_allocator sch_account_allocator(struct sch_account *account)
{
    return (struct sch_allocator){account_alloc, account_free, account};
}

size_t sch_account_held(const struct sch_account *account)
{
    return atomic_load_explicit(&account->held, memory_order_relaxed);
}

bool sch_account_refused(struct sch_account *account)
{
    return atomic_exchange_explicit(&account->refused, false, memory_order_relaxed);
}
