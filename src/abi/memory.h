/* What memory instructions access: plain structs, shared by the code that builds them (src/exec), the operations that
 * read and write through them (src/ops) and machine code that is made later. */
#ifndef SCH_ABI_MEMORY_H
#define SCH_ABI_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct sch_lanes;

/* Bytes that lanes can reach. A word is accessed when all of its four bytes are inside. */
struct sch_memory_view {
    uint8_t *data;       /* aligned to words when writable */
    uint64_t bytes;      /* of one lane, where each has its own */
    uint64_t lane_bytes; /* from one lane's memory to the next; 0: all lanes share it */
    bool writable;
    bool concurrent; /* other threads access it at the same time: every word access is atomic */
};

/* One access by some lanes of a group. Words are at ((address << shift) & ~3) + 4 * component, computed without
 * wrapping. */
struct sch_memory_request {
    const struct sch_lanes *address;
    uint32_t lanes;     /* bits: lanes that access */
    uint8_t shift;      /* log2 of the bytes of an address unit */
    uint8_t components; /* bits: consecutive words, 0..3; atomics access word 0 */
};

/* How far the addresses are apart of lanes whose `words` words each follow one another; 0: they never do. */
static inline uint32_t sch_memory_distance(unsigned words, unsigned shift)
{
    const uint32_t bytes = 4 * words;
    return bytes >> shift << shift == bytes ? bytes >> shift : 0;
}

/* Loads: a word outside gives 0. Lanes and components that are not requested keep what `result` holds. */
typedef void sch_load_fn(const struct sch_memory_view *view, const struct sch_memory_request *request,
                         struct sch_lanes *const result[4]);

/* Stores, lanes ascending: of two lanes that write a word the higher one counts. A word outside is not written. */
typedef void sch_store_fn(const struct sch_memory_view *view, const struct sch_memory_request *request,
                          const struct sch_lanes *const value[4]);

/* Atomic updates, lanes ascending, with one or two operands. Outside, and where the view is not writable, nothing is
 * written and the result is 0. */
typedef void sch_atomic_fn(const struct sch_memory_view *view, const struct sch_memory_request *request,
                           const struct sch_lanes *const operand[2], struct sch_lanes *result);

#endif
