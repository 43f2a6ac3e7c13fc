/* Arrays that are kept from draw to draw. */
#include "pipeline/scratch.h"

#include <stdint.h>
#include <string.h>

#include "base/checked.h"

enum { ALIGNMENT = 64 };

static bool take(struct sch_scratch *scratch, size_t bytes)
{
    const size_t before = atomic_fetch_add(&scratch->held, bytes);
    if (!scratch->limit || (before <= scratch->limit && bytes <= scratch->limit - before)) return true;
    atomic_fetch_sub(&scratch->held, bytes);
    atomic_store(&scratch->limited, true);
    return false;
}

bool sch_scratch_limited(struct sch_scratch *scratch)
{
    return atomic_load(&scratch->limited) && atomic_exchange(&scratch->limited, false);
}

void sch_scratch_free(struct sch_scratch *scratch, struct sch_scratch_array *array)
{
    if (array->memory) scratch->allocator.free(scratch->allocator.user, array->memory);
    atomic_fetch_sub(&scratch->held, array->bytes);
    *array = (struct sch_scratch_array){.data = NULL};
}

bool sch_scratch_grow(struct sch_scratch *scratch, struct sch_scratch_array *array, size_t bytes, size_t kept)
{
    struct sch_scratch_array grown = {.bytes = bytes};
    size_t all;
    if (bytes <= array->bytes) return true;
    if (bytes < 2 * array->bytes) grown.bytes = 2 * array->bytes; /* at most two thirds of what there is are lost */
    /* What grows counts once, so that what is held at most does not depend on which threads grow theirs together. */
    const size_t more = grown.bytes - array->bytes;
    if (!sch_add_size(grown.bytes, ALIGNMENT, &all) || !take(scratch, more)) return false;
    grown.memory = scratch->allocator.alloc(scratch->allocator.user, all);
    if (!grown.memory) {
        atomic_fetch_sub(&scratch->held, more);
        return false;
    }
    grown.data = (void *)(((uintptr_t)grown.memory + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    if (kept) memcpy(grown.data, array->data, kept);
    if (array->memory) scratch->allocator.free(scratch->allocator.user, array->memory);
    *array = grown;
    return true;
}

bool sch_scratch_reserve(struct sch_scratch *scratch, struct sch_scratch_array *array, size_t count, size_t element)
{
    size_t bytes;
    return sch_mul_size(count, element, &bytes) && sch_scratch_grow(scratch, array, bytes, 0);
}
