/* Text to words other than texture operations, by the same templates that print them. The text is matched against the
 * template of each form of its operation; where a token may take more than one way, the ways are tried in turn, and the
 * furthest that any of them came is where an error is reported. Modifiers stand in any order: tokens pick theirs out of
 * the list. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digit.h"
#include "isa/errors.h"
#include "maxwell/text/control.h"
#include "maxwell/text/immediate.h"
#include "maxwell/text/statement.h"
#include "maxwell/text/template.h"

enum {
    MODIFIERS = 16,
    STEPS = 20000, /* tokens that are tried for one text, far more than any that is right takes */
    GUARD = 16,
    RA_LOW = 8,
    SHOWN = 40 /* bytes of a text in a message */
};

struct piece {
    const char *at;
    size_t bytes;
};

/* What one attempt has found so far. */
struct state {
    uint64_t word, decided; /* fields set, and the bits that are */
    const char *at;
    uint32_t used; /* a bit for each modifier */
    uint32_t marks;
    bool operands_begun;
    char video;           /* mode of the types of a video operation */
    uint16_t video_a;     /* a bit for each type that A may have */
    struct piece video_b; /* the name of B's type; empty: it is the one that is not printed */
};

/* What is common to all attempts. */
struct parser {
    const char *text, *end;
    struct piece modifiers[MODIFIERS]; /* without their dots */
    unsigned modifier_count;
    const char *operands; /* where they begin */
    uint32_t address;
    const struct sch_maxwell_code_form *form;
    unsigned steps;
    const char *furthest; /* where the best attempt failed, and why */
    unsigned code;
    char message[160];
    struct state found; /* by the attempt that held */
};

static bool match(struct parser *p, const char *template, struct state state);

/* Whether the report says that something else was expected, which other forms of the operation may say otherwise. */
static bool is_expectation(unsigned code)
{
    return code == SCH_D_MAXWELL_REGISTER || code == SCH_D_MAXWELL_PUNCTUATION ||
           code == SCH_D_MAXWELL_OPERAND_NUMBER || code == SCH_D_MAXWELL_PREDICATE ||
           code == SCH_D_MAXWELL_OPERAND_WORD;
}

/* Two attempts came equally far. What is wrong with an operand says more than that another was expected; of what was
 * expected, all is told. */
static void miss_too(struct parser *p, unsigned code, const char *message)
{
    static const char expected[] = "expected ";
    const size_t length = strlen(p->message), prefix = sizeof expected - 1;
    if (is_expectation(p->code) && !is_expectation(code)) {
        p->code = code;
        snprintf(p->message, sizeof p->message, "%s", message);
    } else if (is_expectation(p->code) && strncmp(message, expected, prefix) == 0 &&
               strncmp(p->message, expected, prefix) == 0 && !strstr(p->message, message + prefix))
        snprintf(p->message + length, sizeof p->message - length, "; or %s", message + prefix);
}

/* Remembers what is wrong here, unless another attempt came further. */
__attribute__((format(printf, 4, 5))) static bool miss(struct parser *p, const char *at, unsigned code,
                                                       const char *format, ...)
{
    char message[sizeof p->message];
    if (p->furthest && at < p->furthest) return false;
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    if (at == p->furthest) {
        miss_too(p, code, message);
        return false;
    }
    p->furthest = at;
    p->code = code;
    memcpy(p->message, message, sizeof message);
    return false;
}

static const char *operation_name(const struct parser *p)
{
    return sch_maxwell_code_operations[p->form->operation].name;
}

/* ---- characters ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

static bool is_word(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '?';
}

static const char *past_blanks(const struct parser *p, const char *at)
{
    while (at < p->end && is_blank(*at)) at++;
    return at;
}

static void skip_blanks(const struct parser *p, struct state *s) { s->at = past_blanks(p, s->at); }

static char peek(const struct parser *p, const struct state *s) { return s->at < p->end ? *s->at : 0; }

static bool take(const struct parser *p, struct state *s, char c)
{
    skip_blanks(p, s);
    if (peek(p, s) != c) return false;
    s->at++;
    return true;
}

static struct piece word_at(const struct parser *p, const char *at)
{
    struct piece piece = {.at = at};
    while (at < p->end && is_word(*at)) at++;
    piece.bytes = (size_t)(at - piece.at);
    return piece;
}

static bool is(struct piece piece, const char *text, size_t bytes)
{
    return piece.bytes == bytes && memcmp(piece.at, text, bytes) == 0;
}

/* ---- fields ---- */

/* False: the bits have another value already. */
static bool set(struct state *s, const struct sch_maxwell_bits *bits, uint64_t value)
{
    const uint64_t mask = sch_maxwell_bits_mask(bits), put = sch_maxwell_bits_put(bits, value);
    if ((s->word ^ put) & s->decided & mask) return false;
    s->word |= put;
    s->decided |= mask;
    return true;
}

static bool set_range(struct state *s, unsigned high, unsigned low, uint64_t value)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return set(s, &bits, value);
}

static bool set_bit(struct state *s, unsigned bit, bool value) { return set_range(s, bit, bit, value); }

static struct sch_maxwell_bits bits_of(const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_token argument = sch_maxwell_argument(token, number);
    const char *at = argument.text;
    return sch_maxwell_argument_bits(&at, argument.text + argument.bytes);
}

/* ---- modifiers ---- */

/* The modifiers that begin at this one as a text with dots, such as .F32.FTZ.RN; how many there are, 0: others. */
static unsigned spells(const struct parser *p, const struct state *s, unsigned first, const char *text, size_t bytes)
{
    unsigned count = 0;
    while (bytes && *text == '.') {
        const char *dot = memchr(text + 1, '.', bytes - 1);
        size_t length = dot ? (size_t)(dot - text) : bytes;
        const size_t taken = length;
        while (length > 1 && text[length - 1] == ' ') length--;
        const unsigned number = first + count;
        if (number >= p->modifier_count || (s->used >> number & 1) || !is(p->modifiers[number], text + 1, length - 1))
            return 0;
        count++;
        text += taken;
        bytes -= taken;
    }
    return count;
}

static uint32_t used_from(unsigned first, unsigned count) { return ((UINT32_C(1) << count) - 1) << first; }

/* Goes on after the token with a text of modifiers that begins at this one; `changed` is what it means. */
static bool with_text_at(struct parser *p, const char *rest, const struct state *s, const struct state *changed,
                         unsigned first, const char *text, size_t bytes)
{
    const unsigned count = spells(p, s, first, text, bytes);
    if (!count) return false;
    struct state next = *changed;
    next.used |= used_from(first, count);
    return match(p, rest, next);
}

/* The same in each place in which the text stands. */
static bool with_text(struct parser *p, const char *rest, const struct state *s, const struct state *changed,
                      const char *text, size_t bytes)
{
    for (unsigned first = 0; first < p->modifier_count; first++)
        if (with_text_at(p, rest, s, changed, first, text, bytes)) return true;
    return false;
}

/* A field whose texts are modifiers: one that is there, the first before the others, or the value that has no text. */
static bool match_texts(struct parser *p, const char *rest, const struct state *s, const struct sch_maxwell_bits *bits,
                        const struct sch_maxwell_texts *texts)
{
    const char *text;
    size_t bytes;
    for (unsigned first = 0; first <= p->modifier_count; first++)
        for (size_t value = 0; sch_maxwell_texts_at(texts, value, &text, &bytes); value++) {
            const bool last = first == p->modifier_count;
            if (value >> bits->width || (bytes == 0) != last || (bytes == 1 && *text == '!')) continue;
            struct state next = *s;
            if (!set(&next, bits, value)) continue;
            if (last ? match(p, rest, next) : with_text_at(p, rest, s, &next, first, text, bytes)) return true;
        }
    return false;
}

static bool match_operand_text(struct parser *p, const char *rest, struct state s, const struct sch_maxwell_bits *bits,
                               const struct sch_maxwell_texts *texts)
{
    const char *text;
    size_t bytes;
    skip_blanks(p, &s);
    for (size_t value = 0; sch_maxwell_texts_at(texts, value, &text, &bytes); value++) {
        if (!bytes || (size_t)(p->end - s.at) < bytes || memcmp(s.at, text, bytes) != 0) continue;
        if (s.at + bytes < p->end && is_word(s.at[bytes])) continue;
        struct state next = s;
        next.at += bytes;
        if (set(&next, bits, value) && match(p, rest, next)) return true;
    }
    sch_maxwell_texts_at(texts, 0, &text, &bytes);
    return miss(p, s.at, SCH_D_MAXWELL_OPERAND_WORD, "expected %.*s or another name of its kind", (int)bytes, text);
}

static bool match_modifier(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    if (s->operands_begun) return match_operand_text(p, rest, *s, &bits, &texts);
    if (match_texts(p, rest, s, &bits, &texts)) return true;
    const char *text;
    size_t bytes;
    for (size_t value = 0; sch_maxwell_texts_at(&texts, value, &text, &bytes); value++)
        if (!bytes) return false;
    sch_maxwell_texts_at(&texts, bits.width > 1, &text, &bytes);
    return miss(p, p->operands, SCH_D_MAXWELL_MODIFIER_MISSING, "%s lacks a modifier: %.*s or another of its kind",
                operation_name(p), (int)bytes, text);
}

/* .PO; what is no .PO is left to the minus of the operands. */
static bool match_plus_one(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    struct state next = *s;
    return (set(&next, &bits, 3) && with_text(p, rest, s, &next, ".PO", 3)) || match(p, rest, *s);
}

static bool match_rounding(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    struct sch_maxwell_bits bits = bits_of(token, 0);
    struct sch_maxwell_bits low = sch_maxwell_range(bits.range[1].high, bits.range[1].low);
    const struct sch_maxwell_bits high = sch_maxwell_range(bits.range[0].high, bits.range[0].low);
    if (!sch_maxwell_sizes_equal(s->word)) {
        const struct sch_maxwell_texts texts = sch_maxwell_texts_named("RND");
        return match_texts(p, rest, s, &low, &texts);
    }
    for (unsigned whole = 2; whole-- > 0;) {
        const struct sch_maxwell_texts texts = sch_maxwell_texts_named(whole ? "F2FS" : "F2FP");
        struct state next = *s;
        if (set(&next, &high, whole) && match_texts(p, rest, &next, &low, &texts)) return true;
    }
    return false;
}

static bool match_numbered(struct parser *p, const char *rest, const struct state *s,
                           const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const struct sch_maxwell_token none = sch_maxwell_argument(token, 1), prefix = sch_maxwell_argument(token, 2);
    for (unsigned value = 0; value < 1u << bits.width; value++) {
        char text[40];
        const struct sch_maxwell_token *used = value ? &prefix : &none;
        struct state next = *s;
        int bytes = snprintf(text, sizeof text, "%.*s", (int)used->bytes, used->text);
        if (value) bytes += snprintf(text + bytes, sizeof text - (size_t)bytes, "%u", value);
        if (set(&next, &bits, value) && with_text(p, rest, s, &next, text, (size_t)bytes)) return true;
    }
    return miss(p, p->operands, SCH_D_MAXWELL_MODIFIER_MISSING, "%s needs %.*s", operation_name(p), (int)none.bytes,
                none.text);
}

enum { IS_REGISTER = 50, B_SIGNED = 49, A_SIGNED = 48, S32 = 14, TYPES = 16 };

static const char *video_type(unsigned type)
{
    const struct sch_maxwell_texts texts = sch_maxwell_texts_named("VAT");
    const char *text = "";
    size_t bytes;
    sch_maxwell_texts_at(&texts, type, &text, &bytes);
    return text;
}

/* A bit for each type of this name, which has no dot. */
static uint16_t video_types(struct piece name)
{
    uint16_t types = 0;
    for (unsigned type = 0; type < TYPES; type++)
        if (is(name, video_type(type) + 1, strlen(video_type(type) + 1))) types |= (uint16_t)(1u << type);
    return types;
}

static bool match_types(struct parser *p, const char *rest, const struct state *s,
                        const struct sch_maxwell_token *token)
{
    for (unsigned first = 0; first + 1 < p->modifier_count; first++) {
        const uint16_t a = video_types(p->modifiers[first]);
        if (!a || (s->used >> first & 3)) continue;
        if (!video_types(p->modifiers[first + 1])) continue;
        struct state next = *s;
        next.used |= used_from(first, 2);
        next.video = *token->text;
        next.video_a = a;
        next.video_b = p->modifiers[first + 1];
        if (match(p, rest, next)) return true;
    }
    struct state next = *s;
    next.video = *token->text;
    next.video_a = 1 << S32;
    next.video_b.bytes = 0;
    return match(p, rest, next);
}

static bool match_phase(struct parser *p, const char *rest, const struct state *s)
{
    static const char *const phases[] = {".T", ".P", ".INVALIDPHASE3"};
    for (unsigned i = 0; i < 3; i++) {
        struct state next = *s;
        next.marks |= (i + 1) << SCH_MAXWELL_SLOT_PHASE;
        if (with_text(p, rest, s, &next, phases[i], strlen(phases[i]))) return true;
    }
    return match(p, rest, *s);
}

/* All modifiers are taken when the operands begin. */
static bool begin_operands(struct parser *p, struct state *s)
{
    if (s->operands_begun) return true;
    for (unsigned i = 0; i < p->modifier_count; i++)
        if (!(s->used >> i & 1)) {
            const struct piece left = p->modifiers[i];
            return miss(p, left.at, SCH_D_MAXWELL_MODIFIER, "%s has no .%.*s here", operation_name(p),
                        left.bytes < SHOWN ? (int)left.bytes : SHOWN, left.at);
        }
    s->operands_begun = true;
    s->at = p->operands;
    return true;
}

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
        return miss(p, s->at, SCH_D_MAXWELL_OPERAND_NUMBER, "expected a number");
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
        miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the number is not within its field, %s0x%llx to 0x%llx",
             least < 0 ? "-" : "", (unsigned long long)(least < 0 ? -(uint64_t)least : (uint64_t)least),
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
    if (value % scale) return miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the number is no multiple of %d", scale);
    return set(s, bits, (uint64_t)(value / scale));
}

static bool numbered(struct piece piece, char letter, char zero, unsigned last, unsigned *number)
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
    if (!numbered(piece, 'R', 'Z', SCH_MAXWELL_RZ, number))
        return miss(p, s->at, SCH_D_MAXWELL_REGISTER, "expected a register: R0 to R254, or RZ");
    s->at += piece.bytes;
    return true;
}

static bool read_predicate(struct parser *p, struct state *s, unsigned *number)
{
    skip_blanks(p, s);
    const struct piece piece = word_at(p, s->at);
    if (!numbered(piece, 'P', 'T', SCH_MAXWELL_PT, number))
        return miss(p, s->at, SCH_D_MAXWELL_PREDICATE, "expected a predicate: P0 to P6, or PT");
    s->at += piece.bytes;
    return true;
}

static bool expect(struct parser *p, struct state *s, char c)
{
    if (take(p, s, c)) return true;
    return miss(p, s->at, SCH_D_MAXWELL_PUNCTUATION, "expected '%c'", c);
}

static bool read_literal(struct parser *p, struct state *s, const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == ' ') {
            skip_blanks(p, s);
            continue;
        }
        if (!is_word(text[i]) || i == 0) skip_blanks(p, s);
        if (peek(p, s) != text[i]) return miss(p, s->at, SCH_D_MAXWELL_PUNCTUATION, "expected '%c'", text[i]);
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
    if (!found) return miss(p, s->at, SCH_D_MAXWELL_MODIFIER, "%s does not have this part", operation_name(p));
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
    const bool minus = take(p, s, '-'), invert = take(p, s, '~');
    *bars = take(p, s, '|');
    const bool can_minus = d->minus != SCH_MAXWELL_NO_BIT || d->minus_field.ranges;
    if ((minus && !can_minus) || (invert && d->invert == SCH_MAXWELL_NO_BIT) ||
        (*bars && d->bars == SCH_MAXWELL_NO_BIT))
        return miss(p, at, SCH_D_MAXWELL_DECORATION, "this operand has no %s here",
                    minus && !can_minus                         ? "sign"
                    : invert && d->invert == SCH_MAXWELL_NO_BIT ? "inversion"
                                                                : "absolute value");
    if (d->minus != SCH_MAXWELL_NO_BIT && !set_bit(s, d->minus, minus)) return false;
    if (minus && d->minus_field.ranges && !set(s, &d->minus_field, d->minus_value))
        return miss(p, at, SCH_D_MAXWELL_DECORATION, "this sign does not go with the other, or with .PO");
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
        return miss(p, at, SCH_D_MAXWELL_REGISTER, "this register must be the one that the word holds already");
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
        return miss(p, s->at, SCH_D_MAXWELL_DECORATION, "this sign does not go with the other, or with .PO");
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
    /* 20 bits are extended by their sign, so a number that nvdisasm prints with one is none without it. */
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
        return miss(p, s->at, SCH_D_MAXWELL_OPERAND_NUMBER, "expected a decimal number, +INF, -INF, +QNAN or -QNAN");
    if (!exact || number & (((uint64_t)1 << dropped) - 1))
        return miss(p, s->at, SCH_D_MAXWELL_NUMBER_RANGE, "the %u bits of the immediate do not hold this number",
                    bits.width);
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
    const char *text = shift && type == 7 ? ".INVALIDSEL7" : video_type(type);
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
    return miss(p, s->at, SCH_D_MAXWELL_MODIFIER, "the type of this operand does not have this part");
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
            return miss(p, at, SCH_D_MAXWELL_OPERAND_NUMBER, "an immediate has the type %s",
                        shift ? "U16" : "U16 or S16");
    } else if (s->video == 'p')
        return miss(p, at, SCH_D_MAXWELL_MODIFIER_MISSING, "with an immediate, the types must be written");
    if (!shift && !set_bit(s, B_SIGNED, is_signed)) return false;
    const struct sch_maxwell_bits bits = sch_maxwell_range(35, 20);
    if (minus && !set(s, &d->minus_field, d->minus_value))
        return miss(p, at, SCH_D_MAXWELL_DECORATION, "this sign does not go with the other, or with .PO");
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
        return miss(p, at, SCH_D_MAXWELL_DECORATION, "this sign does not go with the other, or with .PO");
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
        return miss(p, at, SCH_D_MAXWELL_REGISTER, "expected R%u after R%u, or RZ in the place of one of them",
                    number + apart, number);
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
        return miss(p, at, SCH_D_MAXWELL_DECORATION, "this predicate is not inverted");
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
    return miss(p, s->at, SCH_D_MAXWELL_OPERAND_WORD, "expected a test of the flags, such as NEU");
}

/* ---- memory and targets ---- */

static bool set_ra(struct state *s, unsigned number) { return set_range(s, RA_LOW + 7, RA_LOW, number); }

/* [R], [R+offset], [offset]. */
static bool read_address(struct parser *p, struct state *s, const struct sch_maxwell_bits *offset, int scale,
                         const struct sch_maxwell_bits *alone, bool alone_signed)
{
    skip_blanks(p, s);
    unsigned number = SCH_MAXWELL_RZ;
    if (peek(p, s) != 'R') return set_ra(s, number) && read_scaled_field(p, s, alone, scale, alone_signed);
    if (!read_register(p, s, &number) || !set_ra(s, number)) return false;
    if (!take(p, s, '+')) return set(s, number == SCH_MAXWELL_RZ ? alone : offset, 0);
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

static bool parse_target(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    enum { NEXT = 8 };
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    if (token->kind == SCH_MAXWELL_TOKEN_ABSOLUTE) return read_unsigned_field(p, s, &bits);
    const int64_t half = (int64_t)1 << (bits.width - 1), from = (int64_t)p->address + NEXT;
    struct number number;
    skip_blanks(p, s);
    const char *begin = s->at;
    if (peek(p, s) == '`' || peek(p, s) == '.')
        return miss(p, begin, SCH_D_MAXWELL_OPERANDS, "a target is an address: labels are not read");
    if (!read_number(p, s, &number)) return false;
    if (number.magnitude > UINT64_C(1) << 40)
        return miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the target is too far away");
    const int64_t offset = (number.negative ? -(int64_t)number.magnitude : (int64_t)number.magnitude) - from;
    if (offset < -half || offset >= half)
        return miss(p, begin, SCH_D_MAXWELL_NUMBER_RANGE, "the target is too far away");
    return set(s, &bits, (uint64_t)offset);
}

/* The offset has its sign, or a plus, after the register. */
static bool parse_computed(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    unsigned number;
    if (!read_register(p, s, &number) || !set_ra(s, number)) return false;
    const bool plus = take(p, s, '+');
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
        return miss(p, piece.at, SCH_D_MAXWELL_REGISTER, "without .P or .PHYS, the address is a number");
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
    if (!good) return miss(p, s->at, SCH_D_MAXWELL_OPERAND_WORD, "expected four of the pairs PP, NP, PN, ZP in a row");
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
static bool parse_token(struct parser *p, struct state *s, const struct sch_maxwell_token *token)
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
    default: /* those that stand after a comma of their own */
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
static bool default_token(struct state *s, const struct sch_maxwell_token *token)
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
static bool finish(struct parser *p, struct state *s)
{
    if (!begin_operands(p, s)) return false;
    skip_blanks(p, s);
    if (s->at < p->end) return miss(p, s->at, SCH_D_MAXWELL_OPERANDS, "the instruction ends before this");
    const uint64_t word = s->word | p->form->match;
    if (((s->word ^ p->form->match) & p->form->mask & s->decided) || sch_maxwell_code_form_of(word) != p->form)
        return miss(p, s->at, SCH_D_MAXWELL_ENCODING, "there is no code for %s with these operands", operation_name(p));
    return true;
}

static bool match_literal(struct parser *p, const char *rest, const struct state *s,
                          const struct sch_maxwell_token *token)
{
    /* .HI and the like, up to the blank before the operands. */
    const char *blank = memchr(token->text, ' ', token->bytes);
    const size_t bytes = blank ? (size_t)(blank - token->text) : token->bytes;
    if (!bytes || s->operands_begun || *token->text != '.') {
        struct state next = *s;
        return begin_operands(p, &next) && read_literal(p, &next, token->text, token->bytes) && match(p, rest, next);
    }
    const char *left = token->text + bytes;
    if (with_text(p, left, s, s, token->text, bytes)) return true;
    return miss(p, p->operands, SCH_D_MAXWELL_MODIFIER_MISSING, "%s lacks %.*s", operation_name(p), (int)bytes,
                token->text);
}

static bool match(struct parser *p, const char *template, struct state state)
{
    struct sch_maxwell_token token;
    if (++p->steps > STEPS) return false;
    if (!sch_maxwell_token_next(&template, &token)) {
        if (!finish(p, &state)) return false;
        p->found = state;
        return true;
    }
    switch (token.kind) {
    case SCH_MAXWELL_TOKEN_LITERAL:
        return match_literal(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_MODIFIER:
        return match_modifier(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_PLUS_ONE:
    case SCH_MAXWELL_TOKEN_PLUS_ONE_32:
        return match_plus_one(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_ROUNDING:
        return match_rounding(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_NUMBERED:
        return match_numbered(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_TYPES:
        return match_types(p, template, &state, &token);
    case SCH_MAXWELL_TOKEN_PHASE:
        return match_phase(p, template, &state);
    default:
        break;
    }
    if (!begin_operands(p, &state)) return false;
    struct state next = state;
    if (parse_token(p, &next, &token) && match(p, template, next)) return true;
    return default_token(&state, &token) && match(p, template, state);
}

/* ---- the instruction ---- */

static bool read_guard(struct parser *p, const char **at, uint64_t *guard, bool *given)
{
    unsigned number;
    *guard = SCH_MAXWELL_PT << GUARD;
    *at = past_blanks(p, *at);
    *given = *at < p->end && **at == '@';
    if (!*given) return true;
    const char *begin = (*at)++;
    const bool inverted = *at < p->end && **at == '!';
    if (inverted) ++*at;
    const struct piece piece = word_at(p, *at);
    if (!numbered(piece, 'P', 'T', SCH_MAXWELL_PT, &number))
        return miss(p, begin, SCH_D_MAXWELL_GUARD, "expected @P0 to @P6, @PT, or one of them with ! after the @");
    *at = past_blanks(p, piece.at + piece.bytes);
    *guard = (uint64_t)(number | inverted << 3) << GUARD;
    return true;
}

static bool read_modifiers(struct parser *p, const char *at)
{
    while (at < p->end && *at == '.') {
        const struct piece piece = word_at(p, at + 1);
        if (!piece.bytes || p->modifier_count == MODIFIERS)
            return miss(p, at, SCH_D_MAXWELL_MODIFIER, "expected a modifier after the dot");
        p->modifiers[p->modifier_count++] = piece;
        at = piece.at + piece.bytes;
    }
    p->operands = at;
    return true;
}

static bool parse(struct parser *p, uint64_t *word)
{
    const char *at = p->text;
    bool guarded;
    uint64_t guard;
    if (!read_guard(p, &at, &guard, &guarded)) return false;
    const char *begin = at;
    const struct piece name = word_at(p, at);
    const int operation = sch_maxwell_code_operation_find(name.at, name.bytes);
    if (operation < 0)
        return miss(p, begin, SCH_D_MAXWELL_OPERATION, "%.*s is no Maxwell instruction",
                    name.bytes < SHOWN ? (int)name.bytes : SHOWN, name.at);
    if (!read_modifiers(p, name.at + name.bytes)) return false;
    for (size_t i = 0; i < sch_maxwell_code_form_count; i++) {
        const struct sch_maxwell_code_form *form = &sch_maxwell_code_forms[i];
        if (form->operation != operation) continue;
        p->form = form;
        if (guarded && !form->guarded)
            return miss(p, p->text, SCH_D_MAXWELL_GUARD, "%s has no guard",
                        sch_maxwell_code_operations[operation].name);
        if (!match(p, form->template, (struct state){.at = p->operands})) continue;
        *word = p->found.word | form->match | (form->guarded ? guard : 0);
        return true;
    }
    return miss(p, begin, SCH_D_MAXWELL_OPERANDS, "this is no form of %s", sch_maxwell_code_operations[operation].name);
}

enum sch_result sch_maxwell_code_parse(const char *text, size_t bytes, struct sch_position position, uint32_t address,
                                       struct sch_diagnostics *diagnostics, uint64_t *word, uint32_t *marks)
{
    struct parser parser = {.text = text, .end = text + bytes, .address = address};
    *marks = 0;
    if (parse(&parser, word)) {
        *marks = parser.found.marks;
        return SCH_OK;
    }
    sch_diagnostics_add(diagnostics, SCH_SEVERITY_ERROR, parser.code,
                        sch_maxwell_position_at(position, parser.text, parser.furthest), "%s", parser.message);
    return SCH_ERROR_INVALID;
}
