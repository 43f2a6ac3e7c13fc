/* Where the words of memory accesses are, and whether they are inside: for src/ops/memory/memory.c, and for machine
 * code, which computes this in line (jit/bodies.c) and then reads or writes vectors. Everything is in 64 bits, so no
 * address can wrap: a place is below 2^48, whatever the shift. */
#ifndef SCH_OPS_MEMORY_ACCESS_H
#define SCH_OPS_MEMORY_ACCESS_H

#include "ops/op.h"

enum { ACCESS_WORD = 4 };

/* abi/memory.h, struct sch_memory_request: of a number in 64 bits, or of a vector of them. */
#define ACCESS_PLACE(address, shift, component)                                                                        \
    ((((address) << (shift)) & ~UINT64_C(3)) + (uint64_t)ACCESS_WORD * (component))
/* All of so many words that follow a place. */
#define ACCESS_INSIDE(place, words, bytes) ((place) + (uint64_t)ACCESS_WORD * (words) <= (bytes))

/* For a lane's own memory, where each has some. */
#define ACCESS_OWN(place, lane, lane_bytes) ((place) + (lane) * (lane_bytes))

OPS_INLINE uint64_t access_place(uint32_t address, unsigned shift, unsigned component)
{
    return ACCESS_PLACE((uint64_t)address, shift, component);
}

OPS_INLINE bool access_inside(uint64_t place, unsigned words, uint64_t bytes)
{
    return ACCESS_INSIDE(place, words, bytes);
}

OPS_INLINE vu64 access_places(vu32 address, unsigned shift, unsigned component)
{
    return ACCESS_PLACE(v_u64_from_u32(address), shift, component);
}

OPS_INLINE vi32 access_reach(vu64 place, unsigned words, uint64_t bytes)
{
    return v_mask_narrow((vi64)(ACCESS_INSIDE(place, words, bytes)));
}

OPS_INLINE uint64_t access_own(uint64_t place, uint32_t lane, uint64_t lane_bytes)
{
    return ACCESS_OWN(place, (uint64_t)lane, lane_bytes);
}

OPS_INLINE vu64 access_own_places(vu64 place, vu32 lane, uint64_t lane_bytes)
{
    return ACCESS_OWN(place, v_u64_from_u32(lane), lane_bytes);
}

/* Lanes whose address is not `first` + `lane` * `units`, as numbers of 32 bits. */
OPS_INLINE vi32 access_strays(vu32 address, vu32 first, vu32 lane, uint32_t units)
{
    return (vi32)(address != first + lane * units);
}

#endif
