/* What several files of this folder use: arrays in memory of the context, the hash of programs.
 * Calls none of them. */
#include "api/api.h"

#include "base/checked.h"

bool sch_api_array(struct sch_context *context, size_t count, size_t element, void **array)
{
    size_t bytes;
    *array = NULL;
    if (!count) return true;
    if (!sch_mul_size(count, element, &bytes)) return false;
    *array = sch_api_alloc(context, bytes);
    return *array != NULL;
}

uint64_t sch_api_hash(uint64_t hash, uint64_t word, size_t bytes)
{
    for (; bytes--; word >>= 8) hash = (hash ^ (word & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}
