/* The operands of text to words: numbers, registers, predicates, addresses and what else a token of a template reads in
 * one way, and what it means where the text leaves it out. Modifiers and the choice among forms are in general_parse.c.
 */
#include <stdio.h>

#include "base/digit.h"
#include "isa/errors.h"
#include "maxwell/text/control.h"
#include "maxwell/text/general_parser.h"
#include "maxwell/text/immediate.h"

/* ---- numbers and names ---- */

struct number {
    bool negative;
    uint64_t magnitude; /* at most 2^63 */
};

static bool read_number(struct parser *p, struct state *s, struct number *number)
{
    skip_blanks(p, s);
    const char *at = s->at;
    const bool negative = at < p->end && *at == '-';
    if (negative) at++;
    unsigned base = 10, digits = 0;
    if (p->end - at > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
        base = 16;
        at += 2;
    }
    *number = (struct number){.negative = negative};
    const uint64_t most = (uint64_t)1 << 63;
    for (unsigned digit; at < p->end && (digit = sch_digit(*at)) < base; at++, digits++)
        number->magnitude = number->magnitude > (most - digit) / base ? most : number->magnitude * base + digit;
    if (!digits || (at < p->end && is_word(*at)))
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_OPERAND_NUMBER, "expected a number");
    s->at = at;
    return true;
}

/* A number from `least` to `most`. */
static bool read_within(struct parser *p, struct state *s, int64_t least, int64_t most, int64_t *value)
{
    struct number number;
    skip_blanks(p, s);
    const char *begin = s->at;
    if (!read_number(p, s, &number)) return false;
    const uint64_t limit = number.negative ? (least < 0 ? -(uint64_t)least : 0) : (uint64_t)most;
    if (number.magnitude > limit) {
        sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE,
                              "the number is not within its field, %s0x%llx to 0x%llx", least < 0 ? "-" : "",
                              (unsigned long long)(least < 0 ? -(uint64_t)least : (uint64_t)least),
                              (unsigned long long)most);
        return false;
    }
    *value = number.negative ? (int64_t)-number.magnitude : (int64_t)number.magnitude;
    return true;
}

static bool read_unsigned_field(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits)
{
    int64_t value;
    return read_within(p, s, 0, (int64_t)(((uint64_t)1 << bits->width) - 1), &value) && set(s, bits, (uint64_t)value);
}

static bool read_signed_field(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits)
{
    const int64_t half = (int64_t)1 << (bits->width - 1);
    int64_t value;
    return read_within(p, s, -half, half - 1, &value) && set(s, bits, (uint64_t)value);
}

/* A field that counts in `scale` bytes. */
static bool read_scaled_field(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits, int scale,
                              bool is_signed)
{
    const int64_t range = (int64_t)1 << (bits->width - is_signed);
    int64_t value;
    skip_blanks(p, s);
    const char *begin = s->at;
    if (!read_within(p, s, is_signed ? -range * scale : 0, (range - 1) * scale, &value)) return false;
    if (value % scale)
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the number is not a multiple of %d", scale);
    return set(s, bits, (uint64_t)(value / scale));
}

bool sch_maxwell_code_numbered(struct piece piece, char letter, char zero, unsigned last, unsigned *number)
{
    if (piece.bytes < 2 || piece.bytes > 4 || piece.at[0] != letter) return false;
    *number = last;
    if (piece.bytes == 2 && piece.at[1] == zero) return true;
    *number = 0;
    for (size_t i = 1; i < piece.bytes; i++) {
        const unsigned digit = sch_digit(piece.at[i]);
        if (digit > 9) return false;
        *number = *number * 10 + digit;
    }
    return *number < last;
}

static bool read_register(struct parser *p, struct state *s, unsigned *number)
{
    skip_blanks(p, s);
    const struct piece piece = word_at(p, s->at);
    if (!sch_maxwell_code_numbered(piece, 'R', 'Z', SCH_MAXWELL_RZ, number))
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_REGISTER, "expected a register: R0 to R254, or RZ");
    s->at += piece.bytes;
    return true;
}

static bool read_predicate(struct parser *p, struct state *s, unsigned *number)
{
    skip_blanks(p, s);
    const struct piece piece = word_at(p, s->at);
    if (!sch_maxwell_code_numbered(piece, 'P', 'T', SCH_MAXWELL_PT, number))
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_PREDICATE, "expected a predicate: P0 to P6, or PT");
    s->at += piece.bytes;
    return true;
}

static bool expect(struct parser *p, struct state *s, char c)
{
    if (take(p, s, c)) return true;
    return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_PUNCTUATION, "expected '%c'", c);
}

static bool read_literal(struct parser *p, struct state *s, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == ' ') {
            skip_blanks(p, s);
            continue;
        }
        if (!is_word(text[i]) || i == 0) skip_blanks(p, s);
        if (peek(p, s) != text[i])
            return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_PUNCTUATION, "expected '%c'", text[i]);
        s->at++;
    }
    return true;
}

/* A suffix after a dot; false, and nothing is taken, where it is not there. */
static bool take_suffix(const struct parser *p, struct state *s, const char *text, size_t bytes)
{
    const char *at = past_blanks(p, s->at);
    if ((size_t)(p->end - at) < bytes || memcmp(at, text, bytes) != 0) return false;
    if (at + bytes < p->end && is_word(at[bytes])) return false;
    s->at = at + bytes;
    return true;
}

/* ---- operands ---- */

/* The longest suffix of the table that is there, which may be the empty one. */
static bool read_table_suffix(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits,
                              const struct sch_maxwell_texts *texts, uint16_t allowed)
{
    const char *text;
    size_t bytes, best_bytes = 0;
    struct state best = *s;
    bool found = false;
    for (size_t value = 0; sch_maxwell_texts_at(texts, value, &text, &bytes); value++) {
        struct state next = *s;
        if ((found && bytes <= best_bytes) || !(allowed >> value & 1) || (bytes && !take_suffix(p, &next, text, bytes)))
            continue;
        if (!set(&next, bits, value)) continue;
        best = next;
        best_bytes = bytes;
        found = true;
    }
    if (!found)
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_MODIFIER, "%s does not have this part", operation_name(p));
    *s = best;
    return true;
}

static bool read_suffixes(struct parser *p, struct state *s, const struct sch_maxwell_decoration *d)
{
    if (d->suffix.ranges && !read_table_suffix(p, s, &d->suffix, &d->suffixes, d->lanes ? s->video_a : UINT16_MAX))
        return false;
    if (d->selector.ranges) {
        const struct sch_maxwell_texts texts = sch_maxwell_selector_texts(s->word);
        if (!read_table_suffix(p, s, &d->selector, &texts, UINT16_MAX)) return false;
    }
    if (d->half != SCH_MAXWELL_NO_BIT && (!d->half_only_f16 || sch_maxwell_source_is_f16(s->word)))
        return set_bit(s, d->half, take_suffix(p, s, ".H1", 3));
    return true;
}

/* Sign, inversion and bars before a register or constant. */
static bool read_before(struct parser *p, struct state *s, const struct sch_maxwell_decoration *d, bool *bars)
{
    skip_blanks(p, s);
    const char *at = s->at;
    if (peek(p, s) == '-' && at + 1 < p->end && at[1] >= '0' && at[1] <= '9') /* what is wrong is the number */
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_REGISTER, "expected a register or a constant");
    const bool minus = take(p, s, '-'), invert = take(p, s, '~');
    *bars = take(p, s, '|');
    const bool can_minus = d->minus != SCH_MAXWELL_NO_BIT || d->minus_field.ranges;
    if ((minus && !can_minus) || (invert && d->invert == SCH_MAXWELL_NO_BIT) ||
        (*bars && d->bars == SCH_MAXWELL_NO_BIT))
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_DECORATION, "this operand has no %s here",
                                     minus && !can_minus                         ? "sign"
                                     : invert && d->invert == SCH_MAXWELL_NO_BIT ? "inversion"
                                                                                 : "absolute value");
    if (d->minus != SCH_MAXWELL_NO_BIT && !set_bit(s, d->minus, minus)) return false;
    if (minus && d->minus_field.ranges && !set(s, &d->minus_field, d->minus_value))
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_DECORATION,
                                     "this sign does not go with the other, or with .PO");
    if (d->invert != SCH_MAXWELL_NO_BIT && !set_bit(s, d->invert, invert)) return false;
    return d->bars == SCH_MAXWELL_NO_BIT || set_bit(s, d->bars, *bars);
}

static bool read_after(struct parser *p, struct state *s, const struct sch_maxwell_decoration *d, bool bars)
{
    if (!read_suffixes(p, s, d) || (bars && !expect(p, s, '|'))) return false;
    return d->carry == SCH_MAXWELL_NO_BIT || set_bit(s, d->carry, take_suffix(p, s, ".CC", 3));
}

static void read_reuse(struct parser *p, struct state *s, const struct sch_maxwell_decoration *d)
{
    if (d->reuse != SCH_MAXWELL_NO_BIT && take_suffix(p, s, ".reuse", 6)) s->marks |= UINT32_C(1) << d->reuse;
}

static bool parse_register(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    unsigned number;
    bool bars;
    if (!read_before(p, s, &d, &bars)) return false;
    const char *at = s->at;
    if (!read_register(p, s, &number)) return false;
    if (!set(s, &d.number, number))
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_REGISTER,
                                     "this register must be the one that the word holds already");
    if (!read_after(p, s, &d, bars)) return false;
    read_reuse(p, s, &d);
    return true;
}

static bool parse_constant(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const struct sch_maxwell_bits bank = sch_maxwell_range(38, 34), offset = sch_maxwell_range(33, 20);
    bool bars;
    return read_before(p, s, &d, &bars) && read_literal(p, s, "c[", 2) && read_unsigned_field(p, s, &bank) &&
           expect(p, s, ']') && expect(p, s, '[') && read_scaled_field(p, s, &offset, 4, true) && expect(p, s, ']') &&
           read_after(p, s, &d, bars);
}

static bool read_immediate_suffixes(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    if (d.minus != SCH_MAXWELL_NO_BIT && !set_bit(s, d.minus, take_suffix(p, s, ".NEG", 4))) return false;
    if (d.minus_field.ranges && take_suffix(p, s, ".NEG", 4) && !set(s, &d.minus_field, d.minus_value))
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_DECORATION,
                                     "this sign does not go with the other, or with .PO");
    if (d.bars != SCH_MAXWELL_NO_BIT && !set_bit(s, d.bars, take_suffix(p, s, ".ABS", 4))) return false;
    if (d.invert != SCH_MAXWELL_NO_BIT && !set_bit(s, d.invert, take_suffix(p, s, ".INV", 4))) return false;
    return read_suffixes(p, s, &d);
}

static const struct sch_maxwell_bits immediate_20 = {2, 20, {{56, 56}, {38, 20}}};

static bool parse_integer(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits wide = sch_maxwell_range(51, 20);
    const bool is_wide = token->kind == SCH_MAXWELL_TOKEN_INTEGER_32 || token->kind == SCH_MAXWELL_TOKEN_UNSIGNED_32;
    const struct sch_maxwell_bits *bits = is_wide ? &wide : &immediate_20;
    const int64_t half = (int64_t)1 << (bits->width - 1);
    /* The 20 bits are sign-extended, so a number that nvdisasm prints with a sign is refused without it. */
    const bool whole = is_wide || token->kind != SCH_MAXWELL_TOKEN_INTEGER_20;
    int64_t value;
    return read_within(p, s, -half, whole ? 2 * half - 1 : half - 1, &value) && set(s, bits, (uint64_t)value) &&
           read_immediate_suffixes(p, s, token);
}

static bool parse_float(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const bool converts = d.half != SCH_MAXWELL_NO_BIT && token->kind == SCH_MAXWELL_TOKEN_FLOAT_20;
    enum sch_maxwell_float width = SCH_MAXWELL_FLOAT_32;
    struct sch_maxwell_bits bits = immediate_20;
    unsigned dropped = 12; /* bits below those of the word */
    if (token->kind == SCH_MAXWELL_TOKEN_DOUBLE_20 || (converts && sch_maxwell_source_is_f64(s->word))) {
        width = SCH_MAXWELL_FLOAT_64;
        dropped = 44;
    } else if (token->kind == SCH_MAXWELL_TOKEN_FLOAT_32) {
        bits = sch_maxwell_range(51, 20);
        dropped = 0;
    } else if (converts && sch_maxwell_source_is_f16(s->word)) {
        width = SCH_MAXWELL_FLOAT_16;
        bits = sch_maxwell_range(35, 20);
        dropped = 0;
    }
    uint64_t number;
    bool exact;
    skip_blanks(p, s);
    const size_t used = sch_maxwell_immediate_read(s->at, (size_t)(p->end - s->at), width, &number, &exact);
    if (!used || (s->at + used < p->end && is_word(s->at[used])))
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_OPERAND_NUMBER,
                                     "expected a decimal number, +INF, -INF, +QNAN or -QNAN");
    if (!exact || number & (((uint64_t)1 << dropped) - 1))
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_NUMBER_RANGE,
                                     "the %u bits of the immediate do not hold this number", bits.width);
    s->at += used;
    return set(s, &bits, number >> dropped) && read_immediate_suffixes(p, s, token);
}

static bool parse_integer_16(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits sign = bits_of(token, 0), bits = sch_maxwell_range(35, 20);
    return sch_maxwell_bits_get(&sign, s->word) ? read_signed_field(p, s, &bits) : read_unsigned_field(p, s, &bits);
}

/* Whether B may have this type, and sets it. A type that was not written is the one that is not printed. */
static bool set_video_b(struct state *s, unsigned type, bool shift)
{
    static const char hidden[] = "S32", hidden_count[] = "U32";
    struct piece name = s->video_b;
    if (!name.bytes) name = (struct piece){shift ? hidden_count : hidden, 3};
    const char *text = shift && type == 7 ? ".INVALIDSEL7" : sch_maxwell_code_video_type(type);
    if (!is(name, text + 1, strlen(text + 1))) return false;
    if (!set_range(s, 30, 28, type & 7)) return false;
    return shift || set_bit(s, B_SIGNED, type >> 3);
}

static bool read_video_register(struct parser *p, struct state *s, bool shift)
{
    unsigned number;
    if (!read_register(p, s, &number) || !set_range(s, 27, 20, number) || !set_bit(s, IS_REGISTER, true)) return false;
    const struct sch_maxwell_texts parts = sch_maxwell_texts_named("VAS");
    const char *text;
    size_t bytes;
    /* Parts with names first: the empty one is that of any other text. */
    for (unsigned empty = 0; empty < 2; empty++)
        for (unsigned type = 0; type < (shift ? 8 : TYPES); type++) {
            struct state next = *s;
            sch_maxwell_texts_at(&parts, type, &text, &bytes);
            if ((bytes == 0) != empty || (bytes && !take_suffix(p, &next, text, bytes))) continue;
            if (!set_video_b(&next, type, shift)) continue;
            *s = next;
            return true;
        }
    return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_MODIFIER, "the type of this operand does not have this part");
}

static bool read_video_immediate(struct parser *p, struct state *s, const struct sch_maxwell_decoration *d, bool minus)
{
    static const struct piece types[] = {{"U16", 3}, {"S16", 3}};
    const bool shift = s->video == 'u';
    const char *at = s->at;
    bool is_signed = !shift;
    if (s->video_b.bytes) {
        is_signed = is(s->video_b, types[1].at, 3);
        if ((!is_signed && !is(s->video_b, types[0].at, 3)) || (shift && is_signed))
            return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_OPERAND_NUMBER, "an immediate has the type %s",
                                         shift ? "U16" : "U16 or S16");
    } else if (s->video == 'p')
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_MODIFIER_MISSING,
                                     "with an immediate, the types must be written");
    if (!shift && !set_bit(s, B_SIGNED, is_signed)) return false;
    const struct sch_maxwell_bits bits = sch_maxwell_range(35, 20);
    if (minus && !set(s, &d->minus_field, d->minus_value))
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_DECORATION,
                                     "this sign does not go with the other, or with .PO");
    if (!set_bit(s, IS_REGISTER, false)) return false;
    return is_signed && !d->always_unsigned ? read_signed_field(p, s, &bits) : read_unsigned_field(p, s, &bits);
}

static bool parse_video(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const bool can_minus = d.minus_field.ranges;
    skip_blanks(p, s);
    const char *at = s->at;
    const bool minus = can_minus && take(p, s, '-');
    skip_blanks(p, s);
    if ((peek(p, s) >= '0' && peek(p, s) <= '9') || peek(p, s) == '-') return read_video_immediate(p, s, &d, minus);
    if (minus && !set(s, &d.minus_field, d.minus_value))
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_DECORATION,
                                     "this sign does not go with the other, or with .PO");
    if (!read_video_register(p, s, s->video == 'u')) return false;
    read_reuse(p, s, &d);
    return true;
}

static bool parse_video_bytes(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    enum { IMMEDIATE = 15, LANES = 15 };
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const struct sch_maxwell_bits lanes = sch_maxwell_range(31, 28), value = sch_maxwell_range(27, 20);
    skip_blanks(p, s);
    if (peek(p, s) == '-' || (peek(p, s) >= '0' && peek(p, s) <= '9'))
        return set(s, &lanes, IMMEDIATE) &&
               (s->word >> B_SIGNED & 1 ? read_signed_field(p, s, &value) : read_unsigned_field(p, s, &value));
    unsigned number;
    const struct sch_maxwell_texts texts = sch_maxwell_texts_named("VB4");
    if (!read_register(p, s, &number) || !set(s, &value, number) ||
        !read_table_suffix(p, s, &lanes, &texts, UINT16_MAX >> 1))
        return false;
    read_reuse(p, s, &d);
    return true;
}

static bool read_swapped(struct parser *p, struct state *s, unsigned *number)
{
    skip_blanks(p, s);
    if (!is(word_at(p, s->at),
            "?"
            "?"
            "?255",
            6))
        return read_register(p, s, number);
    s->at += 6;
    *number = SCH_MAXWELL_RZ + 1;
    return true;
}

static bool parse_swap(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    enum { BOTH, FIRST, SECOND, NAMELESS = SCH_MAXWELL_RZ + 1 };
    const struct sch_maxwell_bits mode = bits_of(token, 0), wide = bits_of(token, 1);
    unsigned first, second;
    skip_blanks(p, s);
    const char *at = s->at;
    if (!read_swapped(p, s, &first) || !expect(p, s, ',') || !read_swapped(p, s, &second)) return false;
    const unsigned apart = sch_maxwell_bits_get(&wide, s->word) ? 2 : 1;
    unsigned kind = BOTH, number = first == NAMELESS ? SCH_MAXWELL_RZ : first;
    if (second == SCH_MAXWELL_RZ)
        kind = FIRST;
    else if (first == SCH_MAXWELL_RZ) {
        kind = SECOND;
        number = second == NAMELESS ? SCH_MAXWELL_RZ : second;
    } else if (second != (number + apart < SCH_MAXWELL_RZ ? number + apart : NAMELESS))
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_REGISTER,
                                     "expected R%u after R%u, or RZ in the place of one of them", number + apart,
                                     number);
    return set_range(s, 27, 20, number) && set(s, &mode, kind);
}

/* A register, or a number. */
static bool parse_either(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits flag = bits_of(token, 0), number = bits_of(token, 2), name = bits_of(token, 1);
    skip_blanks(p, s);
    if (peek(p, s) >= '0' && peek(p, s) <= '9') return set(s, &flag, 1) && read_unsigned_field(p, s, &number);
    unsigned value;
    return read_register(p, s, &value) && set(s, &flag, 0) && set(s, &name, value);
}

/* ---- predicates and tests ---- */

static struct sch_maxwell_bits predicate_bits(const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const unsigned low = bits.range[0].low;
    return sch_maxwell_range(low + 2, low);
}

static bool parse_predicate(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = predicate_bits(token);
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    skip_blanks(p, s);
    const char *at = s->at;
    const bool inverted = take(p, s, '!');
    unsigned number;
    if (inverted && d.minus == SCH_MAXWELL_NO_BIT)
        return sch_maxwell_code_miss(p, at, SCH_D_MAXWELL_DECORATION, "this predicate is not inverted");
    if (!read_predicate(p, s, &number)) return false;
    return set(s, &bits, number) && (d.minus == SCH_MAXWELL_NO_BIT || set_bit(s, d.minus, inverted));
}

static bool set_no_predicate(struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = predicate_bits(token);
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    return set(s, &bits, SCH_MAXWELL_PT) && (d.minus == SCH_MAXWELL_NO_BIT || set_bit(s, d.minus, false));
}

enum { TEST_TRUE = 15, TESTS = 32 };

static bool read_test(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits)
{
    const struct sch_maxwell_texts texts = sch_maxwell_texts_named("CC");
    const char *text;
    size_t bytes;
    if (!read_literal(p, s, "CC.", 3)) return false;
    const struct piece piece = word_at(p, s->at);
    for (size_t test = 0; sch_maxwell_texts_at(&texts, test, &text, &bytes); test++)
        if (is(piece, text, bytes)) {
            s->at += bytes;
            return set(s, bits, test);
        }
    return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_OPERAND_WORD, "expected a test of the flags, such as NEU");
}

/* ---- memory and targets ---- */

static bool set_ra(struct state *s, unsigned number) { return set_range(s, RA_LOW + 7, RA_LOW, number); }

/* [R], [R+offset], [R-offset], [offset]. */
static bool read_address(struct parser *p, struct state *s, const struct sch_maxwell_bits *offset, int scale,
                         const struct sch_maxwell_bits *alone, bool alone_signed)
{
    skip_blanks(p, s);
    unsigned number = SCH_MAXWELL_RZ;
    if (peek(p, s) != 'R') return set_ra(s, number) && read_scaled_field(p, s, alone, scale, alone_signed);
    if (!read_register(p, s, &number) || !set_ra(s, number)) return false;
    skip_blanks(p, s);
    if (peek(p, s) != '-' && !take(p, s, '+')) return set(s, number == SCH_MAXWELL_RZ ? alone : offset, 0);
    if (number != SCH_MAXWELL_RZ) return read_scaled_field(p, s, offset, scale, true);
    return read_scaled_field(p, s, alone, scale, alone_signed);
}

static bool parse_memory(struct parser *p, struct state *s, const struct sch_maxwell_token *token, int scale)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    return expect(p, s, '[') && read_address(p, s, &bits, scale, &bits, false) && expect(p, s, ']');
}

static bool parse_bank(struct parser *p, struct state *s)
{
    const struct sch_maxwell_bits bank = sch_maxwell_range(40, 36), offset = sch_maxwell_range(35, 20);
    return read_literal(p, s, "c[", 2) && read_unsigned_field(p, s, &bank) && expect(p, s, ']') && expect(p, s, '[') &&
           read_address(p, s, &offset, 1, &offset, true) && expect(p, s, ']');
}

static bool parse_bank_target(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bank = bits_of(token, 0), offset = bits_of(token, 1);
    return read_literal(p, s, "c[", 2) && read_unsigned_field(p, s, &bank) && expect(p, s, ']') && expect(p, s, '[') &&
           read_signed_field(p, s, &offset) && expect(p, s, ']');
}

static bool is_label_character(char c) { return is_word(c) ? c != '?' : c == '.' || c == '$' || c == '@'; }

/* A label: `(NAME), or a name that no number, flag or bank begins like. `*is_label`: it is one, right or wrong. */
static bool read_label(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits, bool relative,
                       bool *is_label)
{
    skip_blanks(p, s);
    const char *begin = s->at;
    const bool quoted = peek(p, s) == '`';
    if (quoted) s->at++;
    const bool good = !quoted || take(p, s, '(');
    const char *name = s->at;
    while (s->at < p->end && is_label_character(*s->at)) s->at++;
    const size_t bytes = (size_t)(s->at - name);
    const bool flag = bytes > 2 && memcmp(name, "CC.", 3) == 0, bank = peek(p, s) == '[';
    *is_label = quoted || (bytes && !(*name >= '0' && *name <= '9') && !flag && !bank);
    if (!*is_label) {
        s->at = begin;
        return false;
    }
    if (!p->labels)
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_OPERANDS,
                                     "a single instruction has no labels: the target is an address");
    if (!good || !bytes || (quoted && !take(p, s, ')')))
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_OPERANDS, "a label is a name, or `(NAME)");
    s->label = (struct sch_maxwell_label){name, bytes, bits->range[0].high, bits->range[0].low, relative};
    return set(s, bits, 0);
}

static bool parse_target(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    enum { NEXT = 8 };
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    bool is_label;
    const bool read = read_label(p, s, &bits, token->kind != SCH_MAXWELL_TOKEN_ABSOLUTE, &is_label);
    if (is_label) return read;
    if (token->kind == SCH_MAXWELL_TOKEN_ABSOLUTE) return read_unsigned_field(p, s, &bits);
    const int64_t half = (int64_t)1 << (bits.width - 1), from = (int64_t)p->address + NEXT;
    struct number number;
    skip_blanks(p, s);
    const char *begin = s->at;
    if (!read_number(p, s, &number)) return false;
    if (number.magnitude > UINT64_C(1) << 40)
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the target is too far away");
    const int64_t offset = (number.negative ? -(int64_t)number.magnitude : (int64_t)number.magnitude) - from;
    if (offset < -half || offset >= half)
        return sch_maxwell_code_miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the target is too far away");
    return set(s, &bits, (uint64_t)offset);
}

/* The offset has its sign, or a plus, after the register. A label there is what the register counts from; BRX, whose
 * field is the shorter one, holds it relative. */
static bool parse_computed(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    enum { RELATIVE_HIGH = 43 };
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    unsigned number;
    bool is_label;
    if (!read_register(p, s, &number) || !set_ra(s, number)) return false;
    const bool plus = take(p, s, '+');
    const bool read = read_label(p, s, &bits, bits.range[0].high == RELATIVE_HIGH, &is_label);
    if (is_label) return read;
    skip_blanks(p, s);
    if (!plus && s->at == p->end) return set(s, &bits, 0);
    return read_signed_field(p, s, &bits);
}

static bool parse_attribute(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits offset = sch_maxwell_range(30, 20), alone = sch_maxwell_range(29, 20);
    if (!read_literal(p, s, "a[", 2)) return false;
    if (*token->text == 'p') return read_address(p, s, &offset, 1, &alone, false) && expect(p, s, ']');
    const struct piece piece = word_at(p, past_blanks(p, s->at));
    if (piece.bytes && *piece.at == 'R' && !is(piece, "RZ", 2))
        return sch_maxwell_code_miss(p, piece.at, SCH_D_MAXWELL_REGISTER,
                                     "without .P or .PHYS, the address is a number");
    return read_address(p, s, &alone, 1, &alone, false) && expect(p, s, ']');
}

static bool parse_attribute_parts(struct parser *p, struct state *s)
{
    const struct sch_maxwell_bits offset = sch_maxwell_range(30, 20), alone = sch_maxwell_range(29, 20);
    unsigned number = SCH_MAXWELL_RZ;
    struct state next = *s;
    if (take(p, &next, ',') && peek(p, &next) != 0) {
        skip_blanks(p, &next);
        if (peek(p, &next) == 'R') {
            if (!read_register(p, &next, &number)) return false;
            *s = next;
        }
    }
    if (!set_ra(s, number)) return false;
    if (!take(p, s, ',')) return set(s, number == SCH_MAXWELL_RZ ? &alone : &offset, 0);
    return number == SCH_MAXWELL_RZ ? read_unsigned_field(p, s, &alone) : read_signed_field(p, s, &offset);
}

/* ---- the rest ---- */

static bool parse_lanes(struct parser *p, struct state *s)
{
    static const char signs[] = "PPNPPNZP";
    enum { LANES = 4 };
    skip_blanks(p, s);
    const struct piece piece = word_at(p, s->at);
    bool good = piece.bytes == (size_t)2 * LANES;
    for (unsigned i = 0; i < LANES && good; i++) {
        unsigned code = 0;
        while (code < 4 && memcmp(signs + (size_t)2 * code, piece.at + (size_t)2 * i, 2) != 0) code++;
        const unsigned low = 28 + 2 * (LANES - 1 - i);
        good = code < 4 && set_range(s, low + 1, low, code);
    }
    if (!good)
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_OPERAND_WORD,
                                     "expected four of the pairs PP, NP, PN, ZP in a row");
    s->at += piece.bytes;
    return true;
}

/* {5,4} */
static bool read_set(struct parser *p, struct state *s, const struct sch_maxwell_bits *bits)
{
    uint64_t all = 0;
    if (!expect(p, s, '{')) return false;
    do {
        int64_t number;
        if (!read_within(p, s, 0, bits->width - 1, &number)) return false;
        all |= (uint64_t)1 << number;
    } while (take(p, s, ','));
    return expect(p, s, '}') && set(s, bits, all);
}

static bool parse_nop(struct parser *p, struct state *s)
{
    const struct sch_maxwell_bits test = sch_maxwell_range(12, 8), number = sch_maxwell_range(35, 20);
    skip_blanks(p, s);
    if (peek(p, s) == 'C') {
        if (!read_test(p, s, &test)) return false;
        if (!take(p, s, ',')) return set(s, &number, 0);
        return read_unsigned_field(p, s, &number);
    }
    if (!set(s, &test, TEST_TRUE)) return false;
    return s->at == p->end ? set(s, &number, 0) : read_unsigned_field(p, s, &number);
}

/* ---- tokens ---- */

/* Tokens that take one way. */
bool sch_maxwell_code_token(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    struct sch_maxwell_bits bits;
    unsigned number;
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_LITERAL:
        return read_literal(p, s, token->text, token->bytes);
    case SCH_MAXWELL_TOKEN_REGISTER:
        return parse_register(p, s, token);
    case SCH_MAXWELL_TOKEN_CONSTANT:
    case SCH_MAXWELL_TOKEN_CONSTANT_APART:
        return parse_constant(p, s, token);
    case SCH_MAXWELL_TOKEN_INTEGER_20:
    case SCH_MAXWELL_TOKEN_UNSIGNED_20:
    case SCH_MAXWELL_TOKEN_INTEGER_32:
    case SCH_MAXWELL_TOKEN_UNSIGNED_32:
        return parse_integer(p, s, token);
    case SCH_MAXWELL_TOKEN_FLOAT_20:
    case SCH_MAXWELL_TOKEN_FLOAT_32:
    case SCH_MAXWELL_TOKEN_DOUBLE_20:
        return parse_float(p, s, token);
    case SCH_MAXWELL_TOKEN_INTEGER_16:
        return parse_integer_16(p, s, token);
    case SCH_MAXWELL_TOKEN_NUMBER:
        bits = bits_of(token, 0);
        return read_unsigned_field(p, s, &bits);
    case SCH_MAXWELL_TOKEN_PREDICATE:
        return parse_predicate(p, s, token);
    case SCH_MAXWELL_TOKEN_NOP:
        return parse_nop(p, s);
    case SCH_MAXWELL_TOKEN_MEMORY:
        return parse_memory(p, s, token, 1);
    case SCH_MAXWELL_TOKEN_MEMORY_4:
        return parse_memory(p, s, token, 4);
    case SCH_MAXWELL_TOKEN_BANK:
        return parse_bank(p, s);
    case SCH_MAXWELL_TOKEN_BANK_TARGET:
        return parse_bank_target(p, s, token);
    case SCH_MAXWELL_TOKEN_RELATIVE:
    case SCH_MAXWELL_TOKEN_ABSOLUTE:
        return parse_target(p, s, token);
    case SCH_MAXWELL_TOKEN_COMPUTED:
        return parse_computed(p, s, token);
    case SCH_MAXWELL_TOKEN_VOTE:
        return read_register(p, s, &number) && set_range(s, 7, 0, number) && expect(p, s, ',');
    case SCH_MAXWELL_TOKEN_PREDICATE_FIRST:
    case SCH_MAXWELL_TOKEN_PREDICATE_BEFORE:
        return parse_predicate(p, s, token) && expect(p, s, ',');
    case SCH_MAXWELL_TOKEN_TEST_FIRST:
        bits = bits_of(token, 0);
        return read_test(p, s, &bits) && expect(p, s, ',');
    case SCH_MAXWELL_TOKEN_TEST:
        bits = bits_of(token, 0);
        return read_test(p, s, &bits);
    case SCH_MAXWELL_TOKEN_NUMBER_AFTER:
        bits = bits_of(token, 0);
        return read_unsigned_field(p, s, &bits);
    case SCH_MAXWELL_TOKEN_LANES:
        return parse_lanes(p, s);
    case SCH_MAXWELL_TOKEN_VIDEO:
        return parse_video(p, s, token);
    case SCH_MAXWELL_TOKEN_VIDEO_BYTES:
        return parse_video_bytes(p, s, token);
    case SCH_MAXWELL_TOKEN_SWAP:
        return parse_swap(p, s, token);
    case SCH_MAXWELL_TOKEN_EITHER:
        return parse_either(p, s, token);
    case SCH_MAXWELL_TOKEN_ATTRIBUTE:
        return parse_attribute(p, s, token);
    case SCH_MAXWELL_TOKEN_ATTRIBUTE_PARTS:
        return parse_attribute_parts(p, s);
    case SCH_MAXWELL_TOKEN_SCOREBOARDS:
        bits = bits_of(token, 0);
        return (token->text[token->bytes - 1] != 'c' || expect(p, s, ',')) && read_set(p, s, &bits);
    default: /* those with a comma of their own before them */
        if (!expect(p, s, ',')) return false;
        bits = bits_of(token, 0);
        switch (token->kind) {
        case SCH_MAXWELL_TOKEN_REGISTER_LAST: {
            const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
            return read_register(p, s, &number) && set(s, &d.number, number);
        }
        case SCH_MAXWELL_TOKEN_PREDICATE_LAST:
            return parse_predicate(p, s, token);
        case SCH_MAXWELL_TOKEN_EITHER_LAST:
            return parse_either(p, s, token);
        case SCH_MAXWELL_TOKEN_UNSIGNED_20_LAST:
            return parse_integer(p, s, token);
        default:
            return read_unsigned_field(p, s, &bits);
        }
    }
}

/* What a token that need not be there means where it is not; false: it must be. */
bool sch_maxwell_code_default(struct state *s, const struct sch_maxwell_token *token)
{
    enum { ALL = 0xf, NO_NUMBER = 0xffff };
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_REGISTER_LAST: {
        const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
        return set(s, &d.number, SCH_MAXWELL_RZ);
    }
    case SCH_MAXWELL_TOKEN_VOTE:
        return set_range(s, 7, 0, SCH_MAXWELL_RZ);
    case SCH_MAXWELL_TOKEN_PREDICATE_FIRST:
    case SCH_MAXWELL_TOKEN_PREDICATE_BEFORE:
    case SCH_MAXWELL_TOKEN_PREDICATE_LAST:
        return set_no_predicate(s, token);
    case SCH_MAXWELL_TOKEN_TEST:
    case SCH_MAXWELL_TOKEN_TEST_FIRST:
        return set(s, &bits, TEST_TRUE);
    case SCH_MAXWELL_TOKEN_NUMBER_UNLESS_0:
    case SCH_MAXWELL_TOKEN_NUMBER_AFTER:
    case SCH_MAXWELL_TOKEN_SCOREBOARDS:
        return set(s, &bits, 0);
    case SCH_MAXWELL_TOKEN_NUMBER_UNLESS_15:
        return set(s, &bits, ALL);
    case SCH_MAXWELL_TOKEN_UNSIGNED_20_LAST:
        return set(s, &immediate_20, NO_NUMBER);
    case SCH_MAXWELL_TOKEN_EITHER_LAST: {
        const struct sch_maxwell_bits number = bits_of(token, 2);
        return set(s, &bits, 1) && set(s, &number, 0);
    }
    default:
        return false;
    }
}

/* The end of a template: the end of the text, and a word that belongs to this form. */
bool sch_maxwell_code_finish(struct parser *p, struct state *s)
{
    if (!sch_maxwell_code_begin_operands(p, s)) return false;
    skip_blanks(p, s);
    if (s->at < p->end)
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_OPERANDS, "the instruction ends before this");
    const uint64_t word = s->word | p->form->match;
    if (((s->word ^ p->form->match) & p->form->mask & s->decided) || sch_maxwell_code_form_of(word) != p->form)
        return sch_maxwell_code_miss(p, s->at, SCH_D_MAXWELL_ENCODING, "there is no code for %s with these operands",
                                     operation_name(p));
    return true;
}

bool sch_maxwell_code_literal(struct parser *p, const char *rest, const struct state *s,
                              const struct sch_maxwell_token *token)
{
    /* .HI and the like, up to the blank before the operands. */
    const char *blank = memchr(token->text, ' ', token->bytes);
    const size_t bytes = blank ? (size_t)(blank - token->text) : token->bytes;
    if (!bytes || s->operands_begun || *token->text != '.') {
        struct state next = *s;
        return sch_maxwell_code_begin_operands(p, &next) && read_literal(p, &next, token->text, token->bytes) &&
               sch_maxwell_code_match(p, rest, next);
    }
    const char *left = token->text + bytes;
    if (sch_maxwell_code_with_text(p, left, s, s, token->text, bytes)) return true;
    return sch_maxwell_code_miss(p, p->operands, SCH_D_MAXWELL_MODIFIER_MISSING, "%s lacks %.*s", operation_name(p),
                                 (int)bytes, token->text);
}
