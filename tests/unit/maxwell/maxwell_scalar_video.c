/* See maxwell_scalar.h: the video operations, on parts of words with types of their own. */
#include <string.h>

#include "maxwell_scalar.h"

enum { A = 1, B = 2, C = 3 };

static bool is_type(const char *modifier)
{
    static const char *const types[] = {"U8", "S8", "U16", "S16", "U32", "S32"};
    for (unsigned i = 0; i < 6; i++)
        if (strcmp(modifier, types[i]) == 0) return true;
    return false;
}

/* The types of A and B; where the text has none both are S32, an immediate B is S16. */
static void types_of(const struct scalar *s, const char **a, const char **b)
{
    const bool immediate = s->word->operands[B].kind == SCALAR_IMMEDIATE;
    unsigned found = 0;
    *a = "S32";
    *b = immediate ? "S16" : "S32";
    for (unsigned i = 0; i < s->word->modifier_count; i++) {
        if (!is_type(s->word->modifiers[i])) continue;
        if (found++ == 0)
            *a = s->word->modifiers[i];
        else
            *b = s->word->modifiers[i];
    }
}

/* A part of a word: the byte or half that the operand names. */
static int64_t part(const struct scalar *s, unsigned operand, const char *type)
{
    const struct scalar_operand *is = &s->word->operands[operand];
    const uint32_t word = scalar_get(s, operand);
    const bool is_signed = *type == 'S';
    if (strcmp(type + 1, "8") == 0) {
        const uint32_t byte = word >> (*is->part == 'B' ? 8 * (is->part[1] - '0') : 0) & 255;
        return is_signed ? (int8_t)byte : (int64_t)byte;
    }
    if (strcmp(type + 1, "16") == 0) {
        const uint32_t bits = (strcmp(is->part, "H1") == 0 ? word >> 16 : word) & 0xffff;
        return is_signed ? (int16_t)bits : (int64_t)bits;
    }
    return is_signed ? (int32_t)word : (int64_t)word;
}

static void parts(const struct scalar *s, int64_t *a, int64_t *b)
{
    const char *of_a, *of_b;
    types_of(s, &of_a, &of_b);
    *a = part(s, A, of_a);
    *b = part(s, B, of_b);
}

static int64_t clamp(__int128 value, bool is_signed)
{
    const int64_t low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
    return value < low ? low : value > high ? high : (int64_t)value;
}

/* Saturation, and what is done with the third operand. */
static void finish(struct scalar *s, __int128 exact, bool is_signed)
{
    static const char *const ways[] = {"MRG_16H", "MRG_16L", "MRG_8B0", "MRG_8B2", "ACC", "MIN", "MAX"};
    const uint32_t c = scalar_get(s, C);
    const uint32_t t = (uint32_t)(scalar_has(s, "SAT") ? clamp(exact, is_signed) : exact);
    const bool less = is_signed ? (int32_t)t < (int32_t)c : t < c;
    uint32_t result = t;
    switch (scalar_which(s, ways, 7)) {
    case 0:
        result = (c & 0xffff) | t << 16;
        break;
    case 1:
        result = (c & 0xffff0000) | (t & 0xffff);
        break;
    case 2:
        result = (c & 0xffffff00) | (t & 255);
        break;
    case 3:
        result = (c & 0xff00ffff) | (t & 255) << 16;
        break;
    case 4:
        result = t + c;
        break;
    case 5:
        result = less ? t : c;
        break;
    case 6:
        result = less ? c : t;
        break;
    }
    scalar_put(s, 0, result);
    s->flags_unknown |= SCALAR_C | SCALAR_O;
    scalar_flags(s, !result, result >> 31, false, false);
}

static void vadd(struct scalar *s)
{
    const struct scalar_operand *is = &s->word->operands[B];
    const char *of_a, *of_b;
    bool minus = is->minus;
    int64_t a, b;
    parts(s, &a, &b);
    /* The text has the operand's minus before the 16 bits of an immediate, which have no sign there. */
    if (is->kind == SCALAR_IMMEDIATE && is->value < 0) {
        types_of(s, &of_a, &of_b);
        minus = true;
        b = *of_b == 'S' ? (int16_t)-is->value : (int64_t)(uint16_t)-is->value;
    }
    if (s->word->operands[A].minus) a = -a;
    finish(s, a + (minus ? -b : b) + scalar_has(s, "PO"), !scalar_has(s, "UD"));
}

static void vabsdiff(struct scalar *s)
{
    int64_t a, b;
    parts(s, &a, &b);
    finish(s, a > b ? a - b : b - a, scalar_has(s, "SD"));
}

static void vmnmx(struct scalar *s)
{
    int64_t a, b;
    parts(s, &a, &b);
    finish(s, (a > b) == scalar_has(s, "MX") ? a : b, !scalar_has(s, "UD"));
}

static bool compared(const struct scalar *s)
{
    static const char *const tests[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
    int64_t a, b;
    const char *of_a, *of_b;
    const unsigned first = s->word->operands[0].kind == SCALAR_PREDICATE;
    types_of(s, &of_a, &of_b);
    if (first && s->word->operands[B + 1].kind == SCALAR_IMMEDIATE && strcmp(of_b, "S32") == 0) of_b = "S16";
    a = part(s, A + first, of_a);
    b = part(s, B + first, of_b);
    switch (scalar_which(s, tests, 8)) {
    case 1:
        return a < b;
    case 2:
        return a == b;
    case 3:
        return a <= b;
    case 4:
        return a > b;
    case 5:
        return a != b;
    case 6:
        return a >= b;
    case 7:
        return true;
    }
    return false;
}

/* What the signedness of its result is, only MIN and MAX would show: 0 and 1 are the same in both; the third operand
 * is not. */
static void vset(struct scalar *s)
{
    if ((scalar_has(s, "MIN") || scalar_has(s, "MAX")) && scalar_get(s, C) >> 31) s->unknown = true;
    finish(s, compared(s), true);
}

static void vsetp(struct scalar *s)
{
    const bool holds = compared(s), other = scalar_get_predicate(s, 4);
    if (s->word->operands[0].number == s->word->operands[1].number) s->unknown = true;
    scalar_put_predicate(s, 0, scalar_combine(s, holds, other));
    scalar_put_predicate(s, 1, scalar_combine(s, !holds, other));
}

/* The count of a shift, which is unsigned: of an immediate 16 bits, of a register of 32 bits where nothing else is
 * said. */
static int64_t shift_count(struct scalar *s, int64_t *a)
{
    const char *of_a, *of_b;
    const bool immediate = s->word->operands[B].kind == SCALAR_IMMEDIATE;
    types_of(s, &of_a, &of_b);
    if (immediate) of_b = "U16";
    if (strcmp(of_b, "S32") == 0) of_b = "U32";
    *a = part(s, A, of_a);
    const int64_t count = part(s, B, of_b);
    return scalar_has(s, "W") ? count & 31 : count > 32 ? 32 : count;
}

static void vshl(struct scalar *s)
{
    int64_t a;
    const int64_t count = shift_count(s, &a);
    finish(s, (__int128)a * ((__int128)1 << count), !scalar_has(s, "UD"));
}

static void vshr(struct scalar *s)
{
    int64_t a;
    const int64_t count = shift_count(s, &a);
    finish(s, a >> count, !scalar_has(s, "UD"));
}

static void vmad(struct scalar *s)
{
    const char *of_a, *of_b;
    int64_t a, b;
    types_of(s, &of_a, &of_b);
    parts(s, &a, &b);
    const bool minus = s->word->operands[A].minus, minus_c = s->word->operands[C].minus;
    const bool is_signed = *of_a == 'S' || *of_b == 'S' || minus || minus_c;
    const uint32_t word = scalar_get(s, C);
    __int128 sum = (__int128)a * b;
    const __int128 c = is_signed ? (__int128)(int32_t)word : (__int128)word;
    if (minus) sum = -sum;
    sum += minus_c ? -c : c;
    sum += scalar_has(s, "PO");
    /* 64 bits, in which the sum of two products of 32 bits each way may not have room. */
    if (is_signed ? sum != (int64_t)sum : sum != (__int128)(uint64_t)sum) s->unknown = true;
    if (scalar_has(s, "SHR_7")) sum >>= 7;
    if (scalar_has(s, "SHR_15")) sum >>= 15;
    if (scalar_has(s, "SAT")) {
        const __int128 low = is_signed ? INT32_MIN : 0, high = is_signed ? INT32_MAX : UINT32_MAX;
        sum = sum < low ? low : sum > high ? high : sum;
    }
    const uint32_t result = (uint32_t)sum;
    scalar_put(s, 0, result);
    s->flags_unknown |= SCALAR_C | SCALAR_O;
    scalar_flags(s, !result, result >> 31, false, false);
}

static void vabsdiff4(struct scalar *s)
{
    static const char *const named[] = {"X", "Y", "Z", "W"};
    const uint32_t a = scalar_get(s, A), b = scalar_get(s, B);
    const uint64_t bytes = (uint64_t)b << 32 | a;
    const bool a_signed =
        strcmp(scalar_modifier(s, scalar_has(s, "SD")), "S8") == 0 || !is_type(scalar_modifier(s, scalar_has(s, "SD")));
    const bool b_signed = strcmp(scalar_modifier(s, scalar_has(s, "SD") + 1), "S8") == 0 ||
                          !is_type(scalar_modifier(s, scalar_has(s, "SD")));
    const char *lanes_a = *s->word->operands[A].part ? s->word->operands[A].part : "3210";
    const char *lanes_b = *s->word->operands[B].part ? s->word->operands[B].part : "7654";
    const char *mask = scalar_modifier(s, s->word->modifier_count - 1);
    const bool all = !s->word->modifier_count || strspn(mask, "XYZW") != strlen(mask);
    uint32_t result = scalar_get(s, C);
    if (s->word->operands[B].kind == SCALAR_IMMEDIATE) s->unknown = true;
    if (scalar_has(s, "ACC") && scalar_has(s, "SAT")) s->unknown = true;
    for (unsigned i = 0; i < 4; i++) {
        if (!all && !strstr(mask, named[i])) continue;
        const uint32_t from_a = bytes >> 8 * (lanes_a[3 - i] - '0') & 255,
                       from_b = bytes >> 8 * (lanes_b[3 - i] - '0') & 255;
        const int left = a_signed ? (int8_t)from_a : (int)from_a, right = b_signed ? (int8_t)from_b : (int)from_b;
        int difference = left > right ? left - right : right - left;
        const int most = scalar_has(s, "SD") ? 127 : 255;
        if (scalar_has(s, "SAT") && difference > most) difference = most;
        if (scalar_has(s, "ACC"))
            result += (uint32_t)difference;
        else
            result = (result & ~(255u << 8 * i)) | ((uint32_t)difference & 255) << 8 * i;
    }
    scalar_put(s, 0, result);
    s->flags_unknown |= SCALAR_C | SCALAR_O;
    scalar_flags(s, !result, result >> 31, false, false);
}

const struct scalar_row scalar_video_rows[] = {
    {"VADD", vadd},   {"VABSDIFF", vabsdiff}, {"VABSDIFF4", vabsdiff4}, {"VMNMX", vmnmx}, {"VSET", vset},
    {"VSETP", vsetp}, {"VSHL", vshl},         {"VSHR", vshr},           {"VMAD", vmad},   {NULL, NULL}};
