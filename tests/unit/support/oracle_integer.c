/* Expected results of the 32-bit integer opcodes. Scalar, in 64-bit arithmetic or bit by bit. */
#include "oracle.h"

#include <stdlib.h>

#define EXPECT(name) void expect_##name(unsigned rules __attribute__((unused)), const union value *s, union value *r)

EXPECT(UADD) { r->u = (uint32_t)((uint64_t)s[0].u + s[1].u); }
EXPECT(UMUL) { r->u = (uint32_t)((uint64_t)s[0].u * s[1].u); }
EXPECT(UMAD) { r->u = (uint32_t)((uint64_t)s[0].u * s[1].u + s[2].u); }
EXPECT(IMUL_HI) { r->u = (uint32_t)((uint64_t)((int64_t)s[0].i * s[1].i) >> 32); }
EXPECT(UMUL_HI) { r->u = (uint32_t)((uint64_t)s[0].u * s[1].u >> 32); }
EXPECT(IDIV) { r->u = s[1].i == 0 ? ~0u : (uint32_t)((int64_t)s[0].i / s[1].i); }
EXPECT(UDIV) { r->u = s[1].u == 0 ? ~0u : s[0].u / s[1].u; }
EXPECT(MOD) { r->u = s[1].i == 0 ? ~0u : (uint32_t)((int64_t)s[0].i % s[1].i); }
EXPECT(UMOD) { r->u = s[1].u == 0 ? ~0u : s[0].u % s[1].u; }
EXPECT(NOT) { r->u = ~s[0].u; }
EXPECT(AND) { r->u = s[0].u & s[1].u; }
EXPECT(OR) { r->u = s[0].u | s[1].u; }
EXPECT(XOR) { r->u = s[0].u ^ s[1].u; }
EXPECT(IMAX) { r->i = s[0].i > s[1].i ? s[0].i : s[1].i; }
EXPECT(UMAX) { r->u = s[0].u > s[1].u ? s[0].u : s[1].u; }
EXPECT(IMIN) { r->i = s[0].i < s[1].i ? s[0].i : s[1].i; }
EXPECT(UMIN) { r->u = s[0].u < s[1].u ? s[0].u : s[1].u; }

/* "The shift count is masked with 0x1f before the shift is applied." */
EXPECT(SHL) { r->u = (uint32_t)((uint64_t)s[0].u << (s[1].u & 0x1f)); }
EXPECT(ISHR) { r->u = (uint32_t)((int64_t)s[0].i >> (s[1].u & 0x1f)); }
EXPECT(USHR) { r->u = s[0].u >> (s[1].u & 0x1f); }

EXPECT(ISLT) { r->u = s[0].i < s[1].i ? ~0u : 0; }
EXPECT(USLT) { r->u = s[0].u < s[1].u ? ~0u : 0; }
EXPECT(ISGE) { r->u = s[0].i >= s[1].i ? ~0u : 0; }
EXPECT(USGE) { r->u = s[0].u >= s[1].u ? ~0u : 0; }
EXPECT(USEQ) { r->u = s[0].u == s[1].u ? ~0u : 0; }
EXPECT(USNE) { r->u = s[0].u != s[1].u ? ~0u : 0; }
EXPECT(UCMP) { *r = s[0].u ? s[1] : s[2]; }
EXPECT(ISSG) { r->i = s[0].i < 0 ? -1 : s[0].i > 0 ? 1 : 0; }
EXPECT(INEG) { r->u = (uint32_t) - (int64_t)s[0].i; }
EXPECT(IABS) { r->u = (uint32_t)(s[0].i < 0 ? -(int64_t)s[0].i : (int64_t)s[0].i); }
EXPECT(UARL) { r->u = s[0].u; }

/* Bit by bit: bit `at` of the value, 0 past its ends. */
static uint32_t bit(uint32_t value, int at) { return at >= 0 && at < 32 ? value >> at & 1 : 0; }

/* Where the text says "undefined" (offset < 0, bits < 0, offset + bits > 32): offset and bits modulo 32, and a field
 * that passes the top is the value's upper part. 32 bits from offset 0 are all of it. */
static void extract(const union value *s, bool is_signed, union value *r)
{
    int offset = (int)(s[1].u & 31), bits = s[2].u == 32 && offset == 0 ? 32 : (int)(s[2].u & 31);
    if (offset + bits > 32) bits = 32 - offset;
    r->u = 0;
    for (int i = 0; i < 32; i++) {
        uint32_t sign = is_signed && bits > 0 ? bit(s[0].u, offset + bits - 1) : 0;
        r->u |= (i < bits ? bit(s[0].u, offset + i) : sign) << i;
    }
}
/* Direct3D takes "low 5 bits of each; width 0 -> 0". */
static void extract_low(unsigned rules, const union value *s, bool is_signed, union value *r)
{
    union value low[3] = {s[0], {.u = s[1].u & 31}, {.u = s[2].u & 31}};
    extract(rules & RULE_D3D ? low : s, is_signed, r);
}
EXPECT(IBFE) { extract_low(rules, s, true, r); }
EXPECT(UBFE) { extract_low(rules, s, false, r); }
EXPECT(BFI)
{
    int offset = (int)(s[2].u & 31), bits = (int)(s[3].u & 31);
    if (s[3].u == 32 && !(rules & RULE_D3D)) offset = 0, bits = 32;
    r->u = 0;
    for (int i = 0; i < 32; i++) {
        bool inside = i >= offset && i < offset + bits;
        r->u |= (inside ? bit(s[1].u, i - offset) : bit(s[0].u, i)) << i;
    }
}
EXPECT(BREV)
{
    r->u = 0;
    for (int i = 0; i < 32; i++) r->u |= bit(s[0].u, i) << (31 - i);
}
EXPECT(POPC)
{
    r->u = 0;
    for (int i = 0; i < 32; i++) r->u += bit(s[0].u, i);
}
EXPECT(LSB)
{
    r->i = -1;
    for (int i = 31; i >= 0; i--)
        if (bit(s[0].u, i)) r->i = i;
}
EXPECT(UMSB)
{
    r->i = -1;
    for (int i = 0; i < 32; i++)
        if (bit(s[0].u, i)) r->i = i;
}
EXPECT(IMSB)
{
    r->i = -1;
    for (int i = 0; i < 31; i++)
        if (bit(s[0].u, i) != bit(s[0].u, 31)) r->i = i;
}

/* "Per byte: if ref byte != 0, accum += |ref - src|"; "32-bit saturate recommended". */
EXPECT(MSAD)
{
    uint64_t sum = s[2].u;
    for (int byte = 0; byte < 4; byte++) {
        int reference = (int)(s[0].u >> 8 * byte & 255), value = (int)(s[1].u >> 8 * byte & 255);
        if (reference) sum += (uint64_t)abs(reference - value);
    }
    r->u = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}
