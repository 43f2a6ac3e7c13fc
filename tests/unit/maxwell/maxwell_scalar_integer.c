/* See maxwell_scalar.h: integers, logic, shifts, predicates. */
#include <string.h>

#include "maxwell_scalar.h"

/* A sum of words a + b + carry, where a minus has been made a complement and a carry. */
struct sum {
    uint32_t value;
    bool carry, overflow;
    int64_t exact; /* of signed operands */
};

static struct sum add(uint32_t a, uint32_t b, unsigned carry)
{
    const uint64_t wide = (uint64_t)a + b + carry;
    const int64_t exact = (int64_t)(int32_t)a + (int32_t)b + (int64_t)carry;
    return (struct sum){(uint32_t)wide, wide >> 32 != 0, exact != (int32_t)exact, exact};
}

/* Z of a sum is that of the old one, too, where the sum is part of a longer number. */
static void sum_flags(struct scalar *s, uint32_t result, const struct sum *sum, bool extended)
{
    scalar_flags(s, !result && (!extended || s->in->z), result >> 31, sum->carry, sum->overflow);
}

static int64_t clamp(__int128 value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : (int64_t)value;
}

static uint32_t reverse(uint32_t word)
{
    uint32_t reversed = 0;
    for (unsigned i = 0; i < 32; i++) reversed |= (word >> i & 1) << (31 - i);
    return reversed;
}

static bool compare(const char *test, __int128 a, __int128 b)
{
    if (strcmp(test, "LT") == 0) return a < b;
    if (strcmp(test, "EQ") == 0) return a == b;
    if (strcmp(test, "LE") == 0) return a <= b;
    if (strcmp(test, "GT") == 0) return a > b;
    if (strcmp(test, "NE") == 0) return a != b;
    if (strcmp(test, "GE") == 0) return a >= b;
    return strcmp(test, "T") == 0;
}

/* ---- sums ---- */

/* The minus of both IADD and IADD32I: one operand at most has one. */
static void iadd(struct scalar *s)
{
    uint32_t a = scalar_get(s, 1), b = scalar_get(s, 2);
    const bool extended = scalar_has(s, "X"), plus_one = scalar_has(s, "PO");
    const bool minus_a = s->word->operands[1].minus, minus_b = s->word->operands[2].minus;
    unsigned carry = extended ? s->in->c : minus_a || minus_b;
    if (extended && plus_one) s->unknown = true; /* two carries */
    if (minus_a) a = ~a;
    if (minus_b) b = ~b;
    if (plus_one) carry = 1;
    const struct sum sum = add(a, b, carry);
    uint32_t result = sum.value;
    if (scalar_has(s, "SAT")) {
        result = (uint32_t)clamp(sum.exact, INT32_MIN, INT32_MAX);
        s->flags_unknown |= SCALAR_C | SCALAR_O;
    }
    scalar_put(s, 0, result);
    sum_flags(s, result, &sum, extended);
}

static uint32_t half(const struct scalar *s, unsigned operand)
{
    const char *part = s->word->operands[operand].part;
    uint32_t word = scalar_get(s, operand);
    /* The text shows the 20 bits of an immediate without their sign. */
    if (s->word->operands[operand].kind == SCALAR_IMMEDIATE && word >> 19) word |= 0xfff00000;
    return strcmp(part, "H0") == 0 ? word & 0xffff : strcmp(part, "H1") == 0 ? word >> 16 : word;
}

static void iadd3(struct scalar *s)
{
    uint32_t term[3];
    bool minus[3];
    const bool extended = scalar_has(s, "X");
    for (unsigned i = 0; i < 3; i++) {
        term[i] = half(s, i + 1);
        minus[i] = s->word->operands[i + 1].minus;
        if (minus[i]) term[i] = ~term[i];
    }
    const unsigned first_minus = minus[0] + minus[1];
    const struct sum first = add(term[0], term[1], extended ? s->in->c : first_minus);
    uint32_t between = first.value;
    /* What bit 32 of the first sum is, where an operand is negative, nothing says. */
    if (scalar_has(s, "RS")) {
        if (first_minus) s->unknown = true;
        between = (uint32_t)(((uint64_t)first.carry << 32 | first.value) >> 16);
    }
    if (scalar_has(s, "LS")) between <<= 16;
    const struct sum sum = add(between, term[2], extended ? 0 : minus[2]);
    if (extended && minus[2]) s->flags_unknown |= SCALAR_C | SCALAR_O;
    scalar_put(s, 0, sum.value);
    sum_flags(s, sum.value, &sum, extended);
}

/* (a << sh) + b. */
static void iscadd(struct scalar *s)
{
    const unsigned shift = (unsigned)s->word->operands[3].value & 31;
    uint32_t a = scalar_get(s, 1), b = scalar_get(s, 2);
    unsigned carry = 0;
    if (s->word->operands[1].minus) a = -a;
    if (s->word->operands[2].minus) {
        b = ~b;
        carry = 1;
    }
    if (scalar_has(s, "PO")) carry = 1;
    const struct sum sum = add(a << shift, b, carry);
    scalar_put(s, 0, sum.value);
    sum_flags(s, sum.value, &sum, false);
}

/* A predicate, which only some texts have, comes first; it is true. */
static void lea(struct scalar *s)
{
    const unsigned first = s->word->operands[0].kind == SCALAR_PREDICATE;
    const struct scalar_operand *operands = s->word->operands + first;
    const bool high = scalar_has(s, "HI"), extended = scalar_has(s, "X");
    const unsigned place = high ? 4 : 3;
    const unsigned shift = first + place < s->word->count ? (unsigned)operands[place].value & 31 : 0;
    uint64_t a = scalar_get(s, first + 1);
    if (high) a |= (uint64_t)scalar_get(s, first + 3) << 32;
    if (operands[1].minus) {
        if (extended) s->unknown = true;
        a = -a;
    }
    const uint32_t scaled = high ? (uint32_t)(a >> (32 - shift)) : (uint32_t)a << shift;
    const struct sum sum = add(scaled, scalar_get(s, first + 2), extended ? s->in->c : 0);
    scalar_put(s, first, sum.value);
    if (first) scalar_put_predicate(s, 0, true);
    sum_flags(s, sum.value, &sum, extended);
}

/* ---- products ---- */

static void signs(const struct scalar *s, bool *a, bool *b)
{
    *a = strcmp(scalar_modifier(s, 0), "U32") != 0;
    *b = *a ? strcmp(scalar_modifier(s, 0), "S32") != 0 : strcmp(scalar_modifier(s, 1), "S32") == 0;
}

static __int128 extended_word(uint32_t word, bool is_signed)
{
    return is_signed ? (__int128)(int32_t)word : (__int128)word;
}

static __int128 product(const struct scalar *s, bool *a_signed, bool *b_signed)
{
    signs(s, a_signed, b_signed);
    return extended_word(scalar_get(s, 1), *a_signed) * extended_word(scalar_get(s, 2), *b_signed);
}

static void imul(struct scalar *s)
{
    bool a, b;
    const __int128 exact = product(s, &a, &b);
    const uint32_t result = (uint32_t)(scalar_has(s, "HI") ? exact >> 32 : exact);
    scalar_put(s, 0, result);
    s->flags_unknown |= SCALAR_C | SCALAR_O;
    scalar_flags(s, !result, result >> 31, false, false);
}

static void imad(struct scalar *s)
{
    bool a, b;
    __int128 exact = product(s, &a, &b);
    const bool high = scalar_has(s, "HI"), extended = scalar_has(s, "X"), plus_one = scalar_has(s, "PO");
    const bool minus = s->word->operands[1].minus, minus_c = s->word->operands[3].minus;
    uint32_t c = scalar_get(s, 3);
    if (minus && (high || extended)) s->unknown = true;
    if (minus) exact = -exact;
    unsigned carry = extended ? s->in->c : minus_c || plus_one;
    if (extended && plus_one) s->unknown = true;
    if (scalar_has(s, "SAT")) {
        if (a != b || high || extended || plus_one || minus || minus_c) s->unknown = true;
        const __int128 sum = exact + extended_word(c, a);
        const int64_t low = a ? INT32_MIN : 0, most = a ? INT32_MAX : UINT32_MAX;
        const uint32_t result = (uint32_t)clamp(sum, low, most);
        s->flags_unknown |= SCALAR_C | SCALAR_O;
        scalar_put(s, 0, result);
        scalar_flags(s, !result, result >> 31, false, false);
        return;
    }
    if (minus_c) c = ~c;
    const struct sum sum = add((uint32_t)(high ? exact >> 32 : exact), c, carry);
    scalar_put(s, 0, sum.value);
    sum_flags(s, sum.value, &sum, extended);
}

/* A part of an operand as a type says: U32, S24, U16H1. */
static __int128 typed_part(uint32_t word, const char *type)
{
    const bool is_signed = *type == 'S';
    const char *size = type + 1;
    if (strcmp(size, "24") == 0) return is_signed ? (int32_t)(word << 8) >> 8 : (int32_t)(word & 0xffffff);
    if (strcmp(size, "16H0") == 0) return is_signed ? (int16_t)word : (int32_t)(word & 0xffff);
    if (strcmp(size, "16H1") == 0) return is_signed ? (int16_t)(word >> 16) : (int32_t)(word >> 16);
    return extended_word(word, is_signed);
}

static void imadsp(struct scalar *s)
{
    if (strcmp(scalar_modifier(s, 0), "SD") == 0) s->unknown = true; /* types of their own */
    const __int128 exact =
        typed_part(scalar_get(s, 1), scalar_modifier(s, 0)) * typed_part(scalar_get(s, 2), scalar_modifier(s, 1));
    const struct sum sum = add((uint32_t)exact, (uint32_t)typed_part(scalar_get(s, 3), scalar_modifier(s, 2)), 0);
    s->flags_unknown |= SCALAR_C | SCALAR_O;
    scalar_put(s, 0, sum.value);
    sum_flags(s, sum.value, &sum, false);
}

static int32_t factor(const struct scalar *s, unsigned operand, bool is_signed)
{
    const uint32_t word = scalar_get(s, operand);
    const uint32_t bits = strcmp(s->word->operands[operand].part, "H1") == 0 ? word >> 16 : word & 0xffff;
    return is_signed ? (int16_t)bits : (int32_t)bits;
}

static void xmad(struct scalar *s)
{
    static const char *const modes[] = {"CLO", "CHI", "CSFU", "CBCC"};
    const bool typed = *scalar_modifier(s, 0) == 'S' || *scalar_modifier(s, 0) == 'U';
    const bool a_signed = typed && strcmp(scalar_modifier(s, 0), "S16") == 0;
    const bool b_signed = typed && strcmp(scalar_modifier(s, 1), "S16") == 0;
    const int32_t a = factor(s, 1, a_signed), b = factor(s, 2, b_signed);
    const uint32_t whole = scalar_get(s, 2);
    uint32_t made = (uint32_t)((int64_t)a * b), c = scalar_get(s, 3);
    if (scalar_has(s, "PSL")) made <<= 16;
    switch (scalar_which(s, modes, 4)) {
    case 0:
        c &= 0xffff;
        break;
    case 1:
        c >>= 16;
        break;
    case 2:
        if (a && b) c -= 65536 * ((a < 0) + (b < 0));
        break;
    case 3:
        c += whole << 16;
        break;
    }
    const bool extended = scalar_has(s, "X");
    const struct sum sum = add(made, c, extended ? s->in->c : 0);
    scalar_put(s, 0, scalar_has(s, "MRG") ? (sum.value & 0xffff) | whole << 16 : sum.value);
    sum_flags(s, sum.value, &sum, extended);
}

/* ---- shifts and fields ---- */

static void shl(struct scalar *s)
{
    const uint32_t a = scalar_get(s, 1);
    uint32_t count = scalar_get(s, 2);
    if (scalar_has(s, "W")) count &= 31;
    const uint32_t result = count > 31 ? 0 : a << count;
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void shr(struct scalar *s)
{
    uint32_t a = scalar_get(s, 1), count = scalar_get(s, 2);
    if (scalar_has(s, "BREV")) a = reverse(a);
    if (scalar_has(s, "W")) count &= 31;
    const int64_t wide = scalar_has(s, "U32") ? (int64_t)a : (int32_t)a;
    const uint32_t result = (uint32_t)(wide >> (count > 32 ? 32 : count));
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void shf(struct scalar *s)
{
    const uint64_t value = (uint64_t)scalar_get(s, 3) << 32 | scalar_get(s, 1);
    const bool wide = scalar_has(s, "U64") || scalar_has(s, "S64");
    uint32_t n = scalar_get(s, 2);
    if (scalar_has(s, "W"))
        n &= wide ? 63 : 31;
    else if (n > (wide ? 63 : 32))
        n = wide ? 63 : 32;
    uint32_t result;
    if (scalar_has(s, "L"))
        result = (uint32_t)((value << n) >> 32);
    else if (scalar_has(s, "S64"))
        result = (uint32_t)((int64_t)value >> n);
    else
        result = (uint32_t)(value >> n);
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void bfe(struct scalar *s)
{
    uint32_t a = scalar_get(s, 1), result = 0;
    const uint32_t b = scalar_get(s, 2), position = b & 255, length = b >> 8 & 255;
    const bool is_unsigned = scalar_has(s, "U32");
    if (scalar_has(s, "BREV")) a = reverse(a);
    const uint32_t last = position + length - 1;
    for (uint32_t i = 0; i < 32 && length; i++) {
        const uint32_t at = position + i;
        if (i < length)
            result |= (at < 32 ? a >> at & 1 : is_unsigned ? 0 : a >> 31) << i;
        else if (!is_unsigned)
            result |= (a >> (last < 32 ? last : 31) & 1) << i;
    }
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void bfi(struct scalar *s)
{
    const uint32_t a = scalar_get(s, 1), b = scalar_get(s, 2);
    uint32_t result = scalar_get(s, 3);
    for (uint32_t i = 0; i < (b >> 8 & 255); i++) {
        const uint32_t at = (b & 255) + i;
        if (at >= 32 || i >= 32) break;
        result = (result & ~(1u << at)) | (a >> i & 1) << at;
    }
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void popc(struct scalar *s)
{
    uint32_t a = scalar_get(s, 1), count = 0;
    if (s->word->operands[1].inverted) a = ~a;
    for (; a; a >>= 1) count += a & 1;
    scalar_put(s, 0, count);
}

static void flo(struct scalar *s)
{
    uint32_t a = scalar_get(s, 1), found = UINT32_MAX;
    if (s->word->operands[1].inverted) a = ~a;
    if (!scalar_has(s, "U32") && a >> 31) a = ~a;
    for (uint32_t i = 0; i < 32; i++)
        if (a >> i & 1) found = i;
    if (scalar_has(s, "SH") && found != UINT32_MAX) found = 31 - found;
    scalar_put(s, 0, found);
    scalar_logic_flags(s, found);
}

static void prmt(struct scalar *s)
{
    static const char *const modes[] = {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
    const uint64_t bytes = (uint64_t)scalar_get(s, 3) << 32 | scalar_get(s, 1);
    const uint32_t selector = scalar_get(s, 2), first = selector & 3;
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t from = selector >> 4 * i & 7;
        bool sign = false;
        switch (scalar_which(s, modes, 6)) {
        case 0:
            from = first + i;
            break;
        case 1:
            from = (first - i) & 7;
            break;
        case 2:
            from = first;
            break;
        case 3:
            from = first > i ? first : i;
            break;
        case 4:
            from = first < i ? first : i;
            break;
        case 5:
            from = (first & 1) * 2 + (i & 1);
            break;
        default:
            sign = selector >> (4 * i + 3) & 1;
        }
        uint32_t byte = bytes >> 8 * from & 255;
        if (sign) byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    scalar_put(s, 0, result);
}

/* ---- logic ---- */

/* A result of bits, and the predicate of it. */
static void logic_result(struct scalar *s, unsigned first, uint32_t result)
{
    const bool extended = scalar_has(s, "X");
    scalar_put(s, first, result);
    if (first) {
        const bool value = scalar_has(s, "T") || (scalar_has(s, "Z") && !result) || (scalar_has(s, "NZ") && result);
        if (extended && !scalar_has(s, "T")) s->unknown = true;
        scalar_put_predicate(s, 0, value);
    }
    if (extended) s->flags_unknown |= SCALAR_S;
    scalar_flags(s, !result && (!extended || s->in->z), result >> 31, false, false);
}

static void lop(struct scalar *s)
{
    static const char *const ways[] = {"AND", "OR", "XOR"};
    const unsigned first = s->word->operands[0].kind == SCALAR_PREDICATE;
    uint32_t a = scalar_get(s, first + 1), b = scalar_get(s, first + 2);
    if (s->word->operands[first + 1].inverted) a = ~a;
    if (s->word->operands[first + 2].inverted) b = ~b;
    const int way = scalar_which(s, ways, 3);
    logic_result(s, first, way == 0 ? a & b : way == 1 ? a | b : way == 2 ? a ^ b : b);
}

static void lop3(struct scalar *s)
{
    const unsigned first = s->word->operands[0].kind == SCALAR_PREDICATE;
    const uint32_t a = scalar_get(s, first + 1), b = scalar_get(s, first + 2), c = scalar_get(s, first + 3);
    const uint32_t table = (uint32_t)s->word->operands[first + 4].value;
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    logic_result(s, first, result);
}

/* ---- comparisons ---- */

static const char *integer_test(const struct scalar *s)
{
    static const char *const tests[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
    const int test = scalar_which(s, tests, 8);
    return test < 0 ? "F" : tests[test];
}

static bool integers_compared(const struct scalar *s, unsigned a, unsigned b)
{
    const bool is_signed = !scalar_has(s, "U32");
    const __int128 left = extended_word(scalar_get(s, a), is_signed),
                   right = extended_word(scalar_get(s, b), is_signed);
    const char *test = integer_test(s);
    if (!scalar_has(s, "X")) return compare(test, left, right);
    /* The upper words of a longer difference, of which C and Z say how the lower ones came out. */
    const __int128 difference = left - right - !s->in->c;
    const bool less = difference < 0, equal = difference == 0 && s->in->z;
    if (strcmp(test, "LT") == 0) return less;
    if (strcmp(test, "EQ") == 0) return equal;
    if (strcmp(test, "LE") == 0) return less || equal;
    if (strcmp(test, "GT") == 0) return !less && !equal;
    if (strcmp(test, "NE") == 0) return !equal;
    if (strcmp(test, "GE") == 0) return !less;
    return strcmp(test, "T") == 0;
}

/* Two predicates: the test, and its opposite, each combined with the last operand. */
static void put_tests(struct scalar *s, bool holds)
{
    const bool other = scalar_get_predicate(s, s->word->count - 1);
    scalar_put_predicate(s, 0, scalar_combine(s, holds, other));
    /* The second one wins where both are the same. */
    if (s->word->operands[0].number == s->word->operands[1].number && s->word->operands[0].number != SCALAR_TRUE)
        s->unknown = true;
    scalar_put_predicate(s, 1, scalar_combine(s, !holds, other));
}

/* A mask, or 1.0. */
static void put_mask(struct scalar *s, bool holds)
{
    const uint32_t result = !holds ? 0 : scalar_has(s, "BF") ? 0x3f800000 : UINT32_MAX;
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void isetp(struct scalar *s) { put_tests(s, integers_compared(s, 2, 3)); }

static void iset(struct scalar *s)
{
    put_mask(s, scalar_combine(s, integers_compared(s, 1, 2), scalar_get_predicate(s, 3)));
}

static void icmp(struct scalar *s)
{
    const __int128 c = extended_word(scalar_get(s, 3), !scalar_has(s, "U32"));
    scalar_put(s, 0, scalar_get(s, compare(integer_test(s), c, 0) ? 1 : 2));
}

static void imnmx(struct scalar *s)
{
    const bool is_signed = !scalar_has(s, "U32"), least = scalar_get_predicate(s, 3);
    const uint32_t a = scalar_get(s, 1), b = scalar_get(s, 2);
    const bool less = extended_word(a, is_signed) < extended_word(b, is_signed);
    const uint32_t result = less == least ? a : b;
    scalar_put(s, 0, result);
    scalar_logic_flags(s, result);
}

static void sel(struct scalar *s) { scalar_put(s, 0, scalar_get(s, scalar_get_predicate(s, 3) ? 1 : 2)); }

/* Each bit of the mask is a lane of the quad, which takes part. */
static void mov(struct scalar *s)
{
    const uint32_t mask = s->word->count > 2 ? (uint32_t)s->word->operands[2].value : 15;
    if (mask >> s->number % 4 & 1) scalar_put(s, 0, scalar_get(s, 1));
}

/* ---- predicates and flags ---- */

static bool combine(const char *way, bool a, bool b)
{
    return strcmp(way, "AND") == 0 ? a && b : strcmp(way, "OR") == 0 ? a || b : a != b;
}

static void psetp(struct scalar *s)
{
    const char *first = scalar_modifier(s, 0), *second = scalar_modifier(s, 1);
    const bool holds = combine(first, scalar_get_predicate(s, 2), scalar_get_predicate(s, 3));
    const bool other = scalar_get_predicate(s, 4);
    if (s->word->operands[0].number == s->word->operands[1].number) s->unknown = true;
    scalar_put_predicate(s, 0, combine(second, holds, other));
    scalar_put_predicate(s, 1, combine(second, !holds, other));
}

static void pset(struct scalar *s)
{
    const unsigned skip = scalar_has(s, "BF");
    const bool holds = combine(scalar_modifier(s, skip), scalar_get_predicate(s, 1), scalar_get_predicate(s, 2));
    put_mask(s, combine(scalar_modifier(s, skip + 1), holds, scalar_get_predicate(s, 3)));
}

static bool test_of(const struct scalar *s) { return scalar_cc_test(s, scalar_modifier(s, scalar_has(s, "BF"))); }

static void cset(struct scalar *s) { put_mask(s, scalar_combine(s, test_of(s), scalar_get_predicate(s, 2))); }

static void csetp(struct scalar *s) { put_tests(s, test_of(s)); }

static uint32_t byte_of(const char *part) { return *part == 'B' ? (uint32_t)(part[1] - '0') : 0; }

static bool names_cc(const struct scalar *s, unsigned operand)
{
    return strcmp(s->word->operands[operand].name, "CC") == 0;
}

static void p2r(struct scalar *s)
{
    const uint32_t place = 8 * byte_of(scalar_modifier(s, 0)), mask = scalar_get(s, 3) & 255;
    uint32_t bits = 0;
    if (names_cc(s, 1))
        bits = s->in->z | (uint32_t)s->in->s << 1 | (uint32_t)s->in->c << 2 | (uint32_t)s->in->o << 3;
    else
        for (unsigned i = 0; i < SCALAR_TRUE; i++) bits |= (uint32_t)s->in->p[i] << i;
    scalar_put(s, 0, (scalar_get(s, 2) & ~(mask << place)) | (bits & mask) << place);
}

static void r2p(struct scalar *s)
{
    const uint32_t bits = scalar_get(s, 1) >> 8 * byte_of(s->word->operands[1].part);
    const uint32_t mask = s->word->count > 2 ? scalar_get(s, 2) : 0xffff;
    bool *const flags[] = {&s->out->z, &s->out->s, &s->out->c, &s->out->o};
    if (names_cc(s, 0)) {
        for (unsigned i = 0; i < 4; i++)
            if (mask >> i & 1) *flags[i] = bits >> i & 1;
        return;
    }
    for (unsigned i = 0; i < SCALAR_TRUE; i++)
        if (mask >> i & 1) s->out->p[i] = bits >> i & 1;
}

const struct scalar_row scalar_integer_rows[] = {
    {"IADD", iadd},   {"IADD32I", iadd}, {"IADD3", iadd3}, {"ISCADD", iscadd}, {"ISCADD32I", iscadd}, {"LEA", lea},
    {"IMUL", imul},   {"IMUL32I", imul}, {"IMAD", imad},   {"IMAD32I", imad},  {"IMADSP", imadsp},    {"XMAD", xmad},
    {"SHL", shl},     {"SHR", shr},      {"SHF", shf},     {"BFE", bfe},       {"BFI", bfi},          {"POPC", popc},
    {"FLO", flo},     {"PRMT", prmt},    {"LOP", lop},     {"LOP32I", lop},    {"LOP3", lop3},        {"ISETP", isetp},
    {"ISET", iset},   {"ICMP", icmp},    {"IMNMX", imnmx}, {"SEL", sel},       {"MOV", mov},          {"MOV32I", mov},
    {"PSETP", psetp}, {"PSET", pset},    {"CSETP", csetp}, {"CSET", cset},     {"P2R", p2r},          {"R2P", r2p},
    {NULL, NULL}};
