/* The meaning of bit fields, reversal, counts and scans on 32-bit words. */
#include "ops/op.h"

/* Outside the defined range (offset < 0, bits < 0, offset + bits > 32) both extracts take offset and bits modulo 32 and
 * give what is left of the value above the offset; 32 bits from offset 0 are the whole value. */
#define OPS_EXTRACT(T, select)                                                                                         \
    vu32 offset = (vu32)b & 31u, width = (vu32)c & 31u;                                                                \
    vi32 whole = (vi32)(c == 32) & (vi32)(offset == 0u);                                                               \
    vi32 inside = (vi32)(offset + width < 32u);                                                                        \
    T field = (a << (T)((32u - width - offset) & 31u)) >> (T)((32u - width) & 31u);                                    \
    field = select(inside, field, a >> (T)offset);                                                                     \
    field &= (T)(width != 0u);                                                                                         \
    return select(whole, a, field)

COMP(IBFE, I_III) { OPS_EXTRACT(vi32, v_select_i32); }
COMP(UBFE, U_UUU) { OPS_EXTRACT(vu32, v_select_u32); }

/* Outside the defined range: offset and bits modulo 32, bits past the top are lost; 32 bits are the whole insert. */
COMP(BFI, U_UUUU)
{
    vu32 offset = c & 31u;
    vu32 mask = ((1u << (d & 31u)) - 1u) << offset;
    vu32 inserted = ((b << offset) & mask) | (a & ~mask);
    return v_select_u32((vi32)(d == 32u), b, inserted);
}

COMP(BREV, U_U) { return v_bit_reverse_u32(a); }
COMP(POPC, U_U) { return v_popcount_u32(a); }
COMP(LSB, I_U) { return v_find_lsb_u32(a); }
COMP(IMSB, I_I) { return v_find_msb_i32(a); }
COMP(UMSB, I_U) { return v_find_msb_u32(a); }
