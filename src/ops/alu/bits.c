/* The meaning of bit fields, reversal, counts and scans on 32-bit words. */
#include "ops/op.h"

/* The bits that an extract takes, by its second and third source. Outside the defined range (offset < 0, bits < 0,
 * offset + bits > 32) both count modulo 32, and a field ends with the value; 32 bits from offset 0 are the whole value,
 * but Direct3D takes the low 5 bits of both always. */
OPS_INLINE vu32 ops_field_width(uint32_t rules, vu32 offset, vu32 bits)
{
    vi32 whole = (vi32)(bits == 32u) & (vi32)(offset == 0u);
    if (rules & SCH_RULE_D3D) whole = v_splat_i32(0);
    return v_select_u32(whole, bits, v_min_u32(bits & 31u, 32u - offset));
}

COMP(IBFE, I_III)
{
    vu32 offset = (vu32)b & 31u, width = ops_field_width(rules, offset, (vu32)c);
    vi32 top = (vi32)v_shl_u32((vu32)a, 32u - width - offset);
    return v_sar_i32(top, 32u - width) & (vi32)(width != 0u);
}
COMP(UBFE, U_UUU)
{
    vu32 offset = b & 31u, width = ops_field_width(rules, offset, c);
    return v_shr_u32(v_shl_u32(a, 32u - width - offset), 32u - width) & (vu32)(width != 0u);
}

/* Outside the defined range: offset and bits modulo 32, bits past the top are lost; 32 bits are the whole insert, in
 * Direct3D none of it. */
COMP(BFI, U_UUUU)
{
    vu32 offset = c & 31u;
    vu32 mask = ((1u << (d & 31u)) - 1u) << offset;
    vu32 inserted = ((b << offset) & mask) | (a & ~mask);
    vi32 whole = rules & SCH_RULE_D3D ? v_splat_i32(0) : (vi32)(d == 32u);
    return v_select_u32(whole, b, inserted);
}

COMP(BREV, U_U) { return v_bit_reverse_u32(a); }
COMP(POPC, U_U) { return v_popcount_u32(a); }
COMP(LSB, I_U) { return v_find_lsb_u32(a); }
COMP(IMSB, I_I) { return v_find_msb_i32(a); }
COMP(UMSB, I_U) { return v_find_msb_u32(a); }

/* Four bytes: where the reference's is not 0, their distance is added; the sum stays below 2^32. */
COMP(MSAD, U_UUU)
{
    vu32 sum = v_splat_u32(0);
    for (unsigned shift = 0; shift < 32; shift += 8) {
        vi32 x = (vi32)((a >> shift) & 0xffu), y = (vi32)((b >> shift) & 0xffu);
        vi32 distance = v_max_i32(x - y, y - x);
        sum += (vu32)(distance & (vi32)(x != 0));
    }
    vu32 total = c + sum;
    return total | (vu32)(total < c);
}
