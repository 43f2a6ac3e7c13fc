/* Memory of draws: arrays that grow and are kept from draw to draw, within a limit. Holds nothing of what is in them.
 * Different arrays may grow on different threads. */
#ifndef SCH_PIPELINE_SCRATCH_H
#define SCH_PIPELINE_SCRATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/allocator.h"

struct sch_scratch {
    struct sch_allocator allocator;
    size_t limit;        /* bytes of all arrays; 0: none */
    atomic_size_t held;  /* bytes of all arrays */
    atomic_bool limited; /* the limit refused an array */
};

struct sch_scratch_array {
    void *data; /* aligned to 64 bytes */
    size_t bytes;
    void *memory; /* that `data` is in */
};

/* Room for so many bytes, or elements; what the array held is undefined afterwards, or with `keep` its first `kept`
 * bytes stay. False: no memory, or the limit is reached; the array is as before. */
bool sch_scratch_reserve(struct sch_scratch *scratch, struct sch_scratch_array *array, size_t count, size_t element);
bool sch_scratch_grow(struct sch_scratch *scratch, struct sch_scratch_array *array, size_t bytes, size_t kept);
void sch_scratch_free(struct sch_scratch *scratch, struct sch_scratch_array *array);
/* Whether the limit refused an array since the last time that this was asked. */
bool sch_scratch_limited(struct sch_scratch *scratch);

#endif
