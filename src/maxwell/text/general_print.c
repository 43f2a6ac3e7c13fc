/* Words other than texture operations to text: the tokens of a form's template, one after the other. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/text/control.h"
#include "maxwell/text/immediate.h"
#include "maxwell/text/template.h"

enum { RA_LOW = 8, GUARD = 16, TEST_TRUE = 15, NO_CONSTANT = 0xffff };

struct printer {
    char *text; /* SCH_MAXWELL_LINE bytes, or NULL: only whether the word is an instruction is asked */
    size_t length;
    uint64_t word, looked; /* looked: the bits that the text depends on */
    uint32_t slot, marks, address;
    bool lossy;       /* the text does not show all of what it depends on */
    bool meaningless; /* a field has a value that means nothing */
    bool rejected;    /* a field has a value that it may not have */
};

__attribute__((format(printf, 2, 3))) static void add(struct printer *p, const char *format, ...)
{
    if (!p->text) return;
    va_list list;
    va_start(list, format);
    const int bytes = vsnprintf(p->text + p->length, SCH_MAXWELL_LINE - p->length, format, list);
    va_end(list);
    p->length += (size_t)bytes;
    if (p->length >= SCH_MAXWELL_LINE) p->length = SCH_MAXWELL_LINE - 1;
}

static uint64_t get(struct printer *p, const struct sch_maxwell_bits *bits)
{
    p->looked |= sch_maxwell_bits_mask(bits);
    return sch_maxwell_bits_get(bits, p->word);
}

static int64_t get_signed(struct printer *p, const struct sch_maxwell_bits *bits)
{
    p->looked |= sch_maxwell_bits_mask(bits);
    return sch_maxwell_bits_signed(bits, p->word);
}

static uint64_t get_range(struct printer *p, unsigned high, unsigned low)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return get(p, &bits);
}

static int64_t get_signed_range(struct printer *p, unsigned high, unsigned low)
{
    const struct sch_maxwell_bits bits = sch_maxwell_range(high, low);
    return get_signed(p, &bits);
}

static bool is_set(struct printer *p, unsigned bit) { return bit < SCH_MAXWELL_NO_BIT && get_range(p, bit, bit); }

/* The bits of the token's argument of this number. */
static struct sch_maxwell_bits bits_of(const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_token argument = sch_maxwell_argument(token, number);
    const char *at = argument.text;
    return sch_maxwell_argument_bits(&at, argument.text + argument.bytes);
}

static uint64_t field(struct printer *p, const struct sch_maxwell_token *token, unsigned number)
{
    const struct sch_maxwell_bits bits = bits_of(token, number);
    return get(p, &bits);
}

static void add_hex(struct printer *p, int64_t number)
{
    add(p, "%s0x%llx", number < 0 ? "-" : "", (unsigned long long)(number < 0 ? -(uint64_t)number : (uint64_t)number));
}

static void add_register(struct printer *p, uint64_t number)
{
    if (number == SCH_MAXWELL_RZ)
        add(p, "RZ");
    else
        add(p, "R%u", (unsigned)number);
}

static void add_predicate(struct printer *p, uint64_t number, bool inverted)
{
    if (number == SCH_MAXWELL_PT)
        add(p, "%sPT", inverted ? "!" : "");
    else
        add(p, "%sP%u", inverted ? "!" : "", (unsigned)number);
}

/* nvdisasm's names of values without a meaning have INVALID or ??? in them. */
static bool is_meaningless(const char *text, size_t bytes)
{
    static const char word[] = "INVALID";
    enum { LENGTH = sizeof word - 1 };
    for (size_t at = 0; at + LENGTH <= bytes; at++)
        if (text[at] == 'I' && memcmp(text + at, word, LENGTH) == 0) return true;
    return memchr(text, '?', bytes);
}

static void add_text_of(struct printer *p, const struct sch_maxwell_texts *texts, uint64_t value)
{
    const char *text;
    size_t bytes;
    if (!sch_maxwell_texts_at(texts, value, &text, &bytes) || (bytes == 1 && *text == '!'))
        p->rejected = true;
    else {
        p->meaningless |= is_meaningless(text, bytes);
        add(p, "%.*s", (int)bytes, text);
    }
}

static void add_named(struct printer *p, const char *table, uint64_t value)
{
    const struct sch_maxwell_texts texts = sch_maxwell_texts_named(table);
    add_text_of(p, &texts, value);
}

/* ---- modifiers ---- */

static void put_modifier(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_token name = sch_maxwell_argument(token, 1);
    const struct sch_maxwell_texts texts = sch_maxwell_texts_of(&name);
    add_text_of(p, &texts, field(p, token, 0));
}

/* 1 and 2 are the minus of an operand, which prints it. A word of IADD32I with 1 is not an instruction. */
static void put_plus_one(struct printer *p, const struct sch_maxwell_token *token, bool only_first)
{
    enum { MINUS_SECOND = 1, PLUS_ONE = 3 };
    const uint64_t value = field(p, token, 0);
    if (only_first && value == MINUS_SECOND) p->rejected = true;
    if (value == PLUS_ONE) add(p, ".PO");
}

/* Of F2F: where the sizes are equal, the upper bit says whether to round to a whole number. */
static void put_rounding(struct printer *p, const struct sch_maxwell_token *token)
{
    struct sch_maxwell_bits bits = bits_of(token, 0);
    if (sch_maxwell_sizes_equal(p->word)) {
        const uint64_t value = get(p, &bits);
        add_named(p, value >> 2 ? "F2FS" : "F2FP", value & 3);
        p->lossy |= !(value >> 2) && (value & 3) > 1; /* all of these are .PASS */
        return;
    }
    bits = sch_maxwell_range(bits.range[1].high, bits.range[1].low);
    add_named(p, "RND", get(p, &bits));
}

static void put_numbered(struct printer *p, const struct sch_maxwell_token *token)
{
    const uint64_t value = field(p, token, 0);
    const struct sch_maxwell_token text = sch_maxwell_argument(token, value ? 2 : 1);
    add(p, "%.*s", (int)text.bytes, text.text);
    if (value) add(p, "%u", (unsigned)value);
    p->meaningless |= value != 0;
}

enum { IS_REGISTER = 50, B_SIGNED = 49, A_SIGNED = 48, S32 = 14, U32 = 6, SIGNED_TYPE = 8 };

/* Types of a video operation: that of B is 0 to 15 as of A, -1 for an immediate. */
static int video_type_b(struct printer *p, bool shift)
{
    if (!is_set(p, IS_REGISTER)) return -1;
    return (int)(get_range(p, 30, 28) | (shift ? 0 : is_set(p, B_SIGNED) ? SIGNED_TYPE : 0));
}

static void put_types(struct printer *p, const struct sch_maxwell_token *token)
{
    const char mode = *token->text;
    const bool shift = mode == 'u';
    const unsigned a = (unsigned)get_range(p, 38, 36) | (is_set(p, A_SIGNED) ? SIGNED_TYPE : 0);
    const int b = video_type_b(p, shift);
    const bool b_signed = !shift && is_set(p, B_SIGNED);
    bool hidden = a == S32;
    if (b >= 0)
        hidden = hidden && b == (shift ? U32 : S32);
    else
        hidden = hidden && (shift || (mode == 's' && b_signed));
    if (hidden) return;
    add_named(p, "VAT", a);
    if (b < 0)
        add(p, b_signed ? ".S16" : ".U16");
    else if (shift && b == 7) {
        add(p, ".INVALIDSEL7");
        p->meaningless = true;
    } else
        add_named(p, "VAT", (unsigned)b);
}

static void put_phase(struct printer *p)
{
    static const char *const phases[] = {"", ".T", ".P", ".INVALIDPHASE3"};
    const unsigned phase = sch_maxwell_slot_phase(p->slot);
    add(p, "%s", phases[phase]);
    p->marks |= phase << SCH_MAXWELL_SLOT_PHASE;
}

/* ---- operands ---- */

static bool is_minus(struct printer *p, const struct sch_maxwell_decoration *d)
{
    return is_set(p, d->minus) || (d->minus_field.ranges && get(p, &d->minus_field) == d->minus_value);
}

static bool is_half(struct printer *p, const struct sch_maxwell_decoration *d)
{
    return (!d->half_only_f16 || sch_maxwell_source_is_f16(p->word)) && is_set(p, d->half);
}

static void add_suffixes(struct printer *p, const struct sch_maxwell_decoration *d)
{
    if (d->suffix.ranges) add_text_of(p, &d->suffixes, get(p, &d->suffix));
    if (d->selector.ranges) {
        const struct sch_maxwell_texts texts = sch_maxwell_selector_texts(p->word);
        add_text_of(p, &texts, get(p, &d->selector));
    }
    if (is_half(p, d)) add(p, ".H1");
}

static void begin_operand(struct printer *p, const struct sch_maxwell_decoration *d)
{
    add(p, "%s%s%s", is_minus(p, d) ? "-" : "", is_set(p, d->invert) ? "~" : "", is_set(p, d->bars) ? "|" : "");
}

static void end_operand(struct printer *p, const struct sch_maxwell_decoration *d)
{
    add_suffixes(p, d);
    add(p, "%s%s", is_set(p, d->bars) ? "|" : "", is_set(p, d->carry) ? ".CC" : "");
}

/* .reuse follows registers only. */
static void add_reuse(struct printer *p, const struct sch_maxwell_decoration *d)
{
    if (d->reuse == SCH_MAXWELL_NO_BIT || !(p->slot >> d->reuse & 1)) return;
    add(p, ".reuse");
    p->marks |= UINT32_C(1) << d->reuse;
}

static void put_register(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    begin_operand(p, &d);
    add_register(p, get(p, &d.number));
    end_operand(p, &d);
    add_reuse(p, &d);
}

static void put_constant(struct printer *p, const struct sch_maxwell_token *token, bool apart)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    begin_operand(p, &d);
    add(p, "c[0x%x]%s[", (unsigned)get_range(p, 38, 34),
        apart || (d.half_only_f16 && sch_maxwell_source_is_f16(p->word)) ? " " : "");
    add_hex(p, get_signed_range(p, 33, 20) * 4);
    add(p, "]");
    end_operand(p, &d);
}

/* Negation and the like are suffixes of an immediate. */
static void end_immediate(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    add(p, "%s%s%s", is_minus(p, &d) ? ".NEG" : "", is_set(p, d.bars) ? ".ABS" : "", is_set(p, d.invert) ? ".INV" : "");
    add_suffixes(p, &d);
}

static const struct sch_maxwell_bits immediate_20 = {2, 20, {{56, 56}, {38, 20}}};

static void add_float(struct printer *p, uint64_t bits, enum sch_maxwell_float width)
{
    char text[SCH_MAXWELL_IMMEDIATE];
    p->lossy |= sch_maxwell_immediate_print(bits, width, text);
    add(p, "%s", text);
}

static void put_float_20(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const bool converts = d.half != SCH_MAXWELL_NO_BIT;
    if (converts && sch_maxwell_source_is_f16(p->word))
        add_float(p, get_range(p, 35, 20), SCH_MAXWELL_FLOAT_16);
    else if (converts && sch_maxwell_source_is_f64(p->word))
        add_float(p, get(p, &immediate_20) << 44, SCH_MAXWELL_FLOAT_64);
    else
        add_float(p, get(p, &immediate_20) << 12, SCH_MAXWELL_FLOAT_32);
    end_immediate(p, token);
}

static void put_integer_16(struct printer *p, const struct sch_maxwell_token *token)
{
    add_hex(p, field(p, token, 0) ? get_signed_range(p, 35, 20) : (int64_t)get_range(p, 35, 20));
}

static void put_video(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    const bool minus = is_minus(p, &d);
    if (is_set(p, IS_REGISTER)) {
        /* A shift has its .W where other operations have the sign of B; parts do not depend on signs. */
        add(p, minus ? "-" : "");
        add_register(p, get_range(p, 27, 20));
        add_named(p, "VAS", get_range(p, 30, 28));
        add_reuse(p, &d);
        return;
    }
    const bool is_signed = !d.always_unsigned && is_set(p, B_SIGNED);
    const int64_t number = is_signed ? get_signed_range(p, 35, 20) : (int64_t)get_range(p, 35, 20);
    add_hex(p, minus ? -number : number);
    p->lossy |= minus && !number;
}

static void put_video_bytes(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    enum { IMMEDIATE = 15 };
    const unsigned lanes = (unsigned)get_range(p, 31, 28);
    if (lanes == IMMEDIATE) {
        add_hex(p, is_set(p, B_SIGNED) ? get_signed_range(p, 27, 20) : (int64_t)get_range(p, 27, 20));
        return;
    }
    add_register(p, get_range(p, 27, 20));
    add_named(p, "VB4", lanes);
    add_reuse(p, &d);
}

/* The pair of registers of a compare and swap; a register beyond the last has no name. */
static void add_swapped(struct printer *p, unsigned number)
{
    if (number < SCH_MAXWELL_RZ) {
        add(p, "R%u", number);
        return;
    }
    add(p, "?"
           "?"
           "?255");
    p->meaningless = true;
}

static void put_swap(struct printer *p, const struct sch_maxwell_token *token)
{
    enum { BOTH, FIRST, SECOND };
    const uint64_t mode = field(p, token, 0);
    const unsigned wide = (unsigned)field(p, token, 1), number = (unsigned)get_range(p, 27, 20);
    if (mode > SECOND) p->rejected = true;
    if (mode == SECOND || (mode == FIRST && number == SCH_MAXWELL_RZ))
        add(p, "RZ");
    else
        add_swapped(p, number);
    add(p, ", ");
    if (mode == FIRST)
        add(p, "RZ");
    else
        add_swapped(p, mode == BOTH ? number + 1 + wide : number);
}

/* A register, or a number where the flag is set. */
static void put_either(struct printer *p, const struct sch_maxwell_token *token, bool unless_zero)
{
    const bool number = field(p, token, 0);
    const uint64_t value = field(p, token, number ? 2 : 1);
    if (unless_zero && number && !value) return;
    if (unless_zero) add(p, ", ");
    if (number)
        add_hex(p, (int64_t)value);
    else
        add_register(p, value);
}

/* ---- predicates and tests ---- */

static bool is_inverted(struct printer *p, const struct sch_maxwell_token *token)
{
    struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
    return is_set(p, d.minus);
}

/* The three bits from the first number on. */
static uint64_t predicate_of(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const unsigned low = bits.range[0].low;
    return get_range(p, low + 2, low);
}

static void put_predicate(struct printer *p, const struct sch_maxwell_token *token)
{
    const uint64_t number = predicate_of(p, token);
    const bool inverted = is_inverted(p, token);
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_PREDICATE:
        add_predicate(p, number, inverted);
        break;
    case SCH_MAXWELL_TOKEN_PREDICATE_LAST:
        if (number == SCH_MAXWELL_PT && !inverted) break;
        add(p, ", ");
        add_predicate(p, number, inverted);
        break;
    default:
        if (number != SCH_MAXWELL_PT) add(p, "P%u, ", (unsigned)number);
        break;
    }
}

static bool put_test(struct printer *p, uint64_t test)
{
    if (test == TEST_TRUE) return false;
    add(p, "CC.");
    add_named(p, "CC", test);
    return true;
}

static void put_nop(struct printer *p)
{
    const uint64_t test = get_range(p, 12, 8), number = get_range(p, 35, 20);
    if (test != TEST_TRUE || number) add(p, " ");
    if (put_test(p, test) && number) add(p, ", ");
    if (number) add_hex(p, (int64_t)number);
}

/* ---- memory and targets ---- */

static uint64_t get_ra(struct printer *p) { return get_range(p, RA_LOW + 7, RA_LOW); }

static void add_offset(struct printer *p, int64_t offset)
{
    if (!offset) return;
    add(p, "+");
    add_hex(p, offset);
}

static void put_memory(struct printer *p, const struct sch_maxwell_token *token, int scale)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const uint64_t ra = get_ra(p);
    add(p, "[");
    if (ra == SCH_MAXWELL_RZ) {
        const uint64_t offset = get(p, &bits) * (unsigned)scale;
        if (offset)
            add_hex(p, (int64_t)offset);
        else
            add(p, "RZ");
    } else {
        add_register(p, ra);
        add_offset(p, get_signed(p, &bits) * scale);
    }
    add(p, "]");
}

/* With `z`, RZ is shown where nothing else is. */
static void put_bank(struct printer *p, const struct sch_maxwell_token *token)
{
    const uint64_t ra = get_ra(p);
    const int64_t offset = get_signed_range(p, 35, 20);
    add(p, "c[0x%x][", (unsigned)get_range(p, 40, 36));
    if (ra != SCH_MAXWELL_RZ) {
        add_register(p, ra);
        add_offset(p, offset);
    } else if (!offset && token->bytes)
        add(p, "RZ");
    else
        add_hex(p, offset);
    add(p, "]");
}

static void put_bank_target(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits offset = bits_of(token, 1);
    add(p, "c[0x%x][", (unsigned)field(p, token, 0));
    add_hex(p, get_signed(p, &offset));
    add(p, "]");
}

static void put_target(struct printer *p, const struct sch_maxwell_token *token)
{
    enum { NEXT = 8 };
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    if (token->kind == SCH_MAXWELL_TOKEN_RELATIVE)
        add_hex(p, (int64_t)p->address + NEXT + get_signed(p, &bits));
    else
        add_hex(p, (int64_t)get(p, &bits));
}

static void put_computed(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const int64_t offset = get_signed(p, &bits);
    add_register(p, get_ra(p));
    if (!offset) return;
    add(p, " ");
    add_hex(p, offset);
}

static void put_attribute(struct printer *p, const struct sch_maxwell_token *token)
{
    const uint64_t ra = get_ra(p);
    const bool plain = *token->text != 'p' || ra == SCH_MAXWELL_RZ;
    const int64_t offset = plain ? (int64_t)get_range(p, 29, 20) : get_signed_range(p, 30, 20);
    add(p, "a[");
    if (ra != SCH_MAXWELL_RZ || !offset) add_register(p, ra);
    if (ra != SCH_MAXWELL_RZ)
        add_offset(p, offset);
    else if (offset)
        add_hex(p, offset);
    add(p, "]");
}

static void put_attribute_parts(struct printer *p)
{
    const uint64_t ra = get_ra(p);
    const int64_t offset = ra == SCH_MAXWELL_RZ ? (int64_t)get_range(p, 29, 20) : get_signed_range(p, 30, 20);
    if (ra != SCH_MAXWELL_RZ) {
        add(p, ", ");
        add_register(p, ra);
    }
    if (!offset) return;
    add(p, ", ");
    add_hex(p, offset);
}

/* ---- the rest ---- */

static void put_lanes(struct printer *p)
{
    static const char *const signs[] = {"PP", "NP", "PN", "ZP"};
    for (unsigned lane = 4; lane-- > 0;) add(p, "%s", signs[get_range(p, 2 * lane + 29, 2 * lane + 28)]);
}

static void put_scoreboards(struct printer *p, const struct sch_maxwell_token *token)
{
    const struct sch_maxwell_bits bits = bits_of(token, 0);
    const uint64_t set = get(p, &bits);
    if (!set) return;
    const char *separator = token->text[token->bytes - 1] == 'c' ? ", {" : " {";
    for (unsigned i = bits.width; i-- > 0;)
        if (set >> i & 1) {
            add(p, "%s%u", separator, i);
            separator = ",";
        }
    add(p, "}");
}

static void put_last_number(struct printer *p, const struct sch_maxwell_token *token)
{
    const uint64_t number = field(p, token, 0);
    if (number == (token->kind == SCH_MAXWELL_TOKEN_NUMBER_UNLESS_15 ? 15 : 0)) return;
    add(p, token->kind == SCH_MAXWELL_TOKEN_NUMBER_AFTER ? " " : ", ");
    add_hex(p, (int64_t)number);
}

static void put_token(struct printer *p, const struct sch_maxwell_token *token)
{
    switch (token->kind) {
    case SCH_MAXWELL_TOKEN_LITERAL:
        p->meaningless |= is_meaningless(token->text, token->bytes);
        add(p, "%.*s", (int)token->bytes, token->text);
        break;
    case SCH_MAXWELL_TOKEN_MODIFIER:
        put_modifier(p, token);
        break;
    case SCH_MAXWELL_TOKEN_PLUS_ONE:
    case SCH_MAXWELL_TOKEN_PLUS_ONE_32:
        put_plus_one(p, token, token->kind == SCH_MAXWELL_TOKEN_PLUS_ONE_32);
        break;
    case SCH_MAXWELL_TOKEN_ROUNDING:
        put_rounding(p, token);
        break;
    case SCH_MAXWELL_TOKEN_NUMBERED:
        put_numbered(p, token);
        break;
    case SCH_MAXWELL_TOKEN_TYPES:
        put_types(p, token);
        break;
    case SCH_MAXWELL_TOKEN_PHASE:
        put_phase(p);
        break;
    case SCH_MAXWELL_TOKEN_REGISTER:
        put_register(p, token);
        break;
    case SCH_MAXWELL_TOKEN_REGISTER_LAST: {
        const struct sch_maxwell_decoration d = sch_maxwell_decoration_of(token);
        const uint64_t number = get(p, &d.number);
        if (number != SCH_MAXWELL_RZ) add(p, ", R%u", (unsigned)number);
        break;
    }
    case SCH_MAXWELL_TOKEN_CONSTANT:
    case SCH_MAXWELL_TOKEN_CONSTANT_APART:
        put_constant(p, token, token->kind == SCH_MAXWELL_TOKEN_CONSTANT_APART);
        break;
    case SCH_MAXWELL_TOKEN_INTEGER_20:
        add_hex(p, get_signed(p, &immediate_20));
        end_immediate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_UNSIGNED_20:
        add_hex(p, (int64_t)get(p, &immediate_20));
        end_immediate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_UNSIGNED_20_LAST: {
        const uint64_t number = get(p, &immediate_20);
        if (number == NO_CONSTANT) break;
        add(p, ", ");
        add_hex(p, (int64_t)number);
        break;
    }
    case SCH_MAXWELL_TOKEN_INTEGER_32:
        add_hex(p, get_signed_range(p, 51, 20));
        end_immediate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_UNSIGNED_32:
        add_hex(p, (int64_t)get_range(p, 51, 20));
        end_immediate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_FLOAT_20:
        put_float_20(p, token);
        break;
    case SCH_MAXWELL_TOKEN_FLOAT_32:
        add_float(p, get_range(p, 51, 20), SCH_MAXWELL_FLOAT_32);
        end_immediate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_DOUBLE_20:
        add_float(p, get(p, &immediate_20) << 44, SCH_MAXWELL_FLOAT_64);
        end_immediate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_INTEGER_16:
        put_integer_16(p, token);
        break;
    case SCH_MAXWELL_TOKEN_NUMBER:
        add_hex(p, (int64_t)field(p, token, 0));
        break;
    case SCH_MAXWELL_TOKEN_NUMBER_UNLESS_0:
    case SCH_MAXWELL_TOKEN_NUMBER_UNLESS_15:
    case SCH_MAXWELL_TOKEN_NUMBER_AFTER:
        put_last_number(p, token);
        break;
    case SCH_MAXWELL_TOKEN_PREDICATE:
    case SCH_MAXWELL_TOKEN_PREDICATE_FIRST:
    case SCH_MAXWELL_TOKEN_PREDICATE_BEFORE:
    case SCH_MAXWELL_TOKEN_PREDICATE_LAST:
        put_predicate(p, token);
        break;
    case SCH_MAXWELL_TOKEN_TEST:
        if (field(p, token, 0) != TEST_TRUE) add(p, " ");
        put_test(p, field(p, token, 0));
        break;
    case SCH_MAXWELL_TOKEN_TEST_FIRST:
        if (put_test(p, field(p, token, 0))) add(p, ", ");
        break;
    case SCH_MAXWELL_TOKEN_NOP:
        put_nop(p);
        break;
    case SCH_MAXWELL_TOKEN_MEMORY:
        put_memory(p, token, 1);
        break;
    case SCH_MAXWELL_TOKEN_MEMORY_4:
        put_memory(p, token, 4);
        break;
    case SCH_MAXWELL_TOKEN_BANK:
        put_bank(p, token);
        break;
    case SCH_MAXWELL_TOKEN_BANK_TARGET:
        put_bank_target(p, token);
        break;
    case SCH_MAXWELL_TOKEN_RELATIVE:
    case SCH_MAXWELL_TOKEN_ABSOLUTE:
        put_target(p, token);
        break;
    case SCH_MAXWELL_TOKEN_COMPUTED:
        put_computed(p, token);
        break;
    case SCH_MAXWELL_TOKEN_VOTE: {
        const uint64_t number = get_range(p, 7, 0);
        if (number != SCH_MAXWELL_RZ) add(p, "R%u, ", (unsigned)number);
        break;
    }
    case SCH_MAXWELL_TOKEN_LANES:
        put_lanes(p);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO:
        put_video(p, token);
        break;
    case SCH_MAXWELL_TOKEN_VIDEO_BYTES:
        put_video_bytes(p, token);
        break;
    case SCH_MAXWELL_TOKEN_SWAP:
        put_swap(p, token);
        break;
    case SCH_MAXWELL_TOKEN_EITHER:
    case SCH_MAXWELL_TOKEN_EITHER_LAST:
        put_either(p, token, token->kind == SCH_MAXWELL_TOKEN_EITHER_LAST);
        break;
    case SCH_MAXWELL_TOKEN_SCOREBOARDS:
        put_scoreboards(p, token);
        break;
    case SCH_MAXWELL_TOKEN_ATTRIBUTE:
        put_attribute(p, token);
        break;
    case SCH_MAXWELL_TOKEN_ATTRIBUTE_PARTS:
        put_attribute_parts(p);
        break;
    case SCH_MAXWELL_TOKEN_WRONG:
        p->rejected = true;
        break;
    }
}

static void put_guard(struct printer *p)
{
    const unsigned number = (unsigned)get_range(p, GUARD + 2, GUARD);
    const bool inverted = is_set(p, GUARD + 3);
    if (number == SCH_MAXWELL_PT && !inverted) return;
    add(p, "@");
    add_predicate(p, number, inverted);
    add(p, " ");
}

static void put_form(struct printer *p, const struct sch_maxwell_code_form *form)
{
    if (form->guarded) put_guard(p);
    add(p, "%s", sch_maxwell_code_operations[form->operation].name);
    struct sch_maxwell_token token;
    for (const char *at = form->template; sch_maxwell_token_next(&at, &token);) put_token(p, &token);
}

/* What of the word is not in its text: bits that it does not depend on, where they differ from what the reader writes,
 * and, where several words have the same text, all in which they differ. */
static uint64_t unsaid_bits(const struct printer *p, const struct sch_maxwell_code_form *form)
{
    const uint64_t free_bits = ~(p->looked | form->mask);
    if (!p->lossy) return p->word & free_bits;
    uint64_t word;
    uint32_t marks;
    const struct sch_position nowhere = {0};
    if (sch_maxwell_code_parse(p->text, p->length, nowhere, p->address, NULL, &word, &marks, NULL) != SCH_OK) return 0;
    return word ^ p->word;
}

bool sch_maxwell_code_text(uint64_t word, uint32_t slot, uint32_t address, struct sch_maxwell_code_text *text)
{
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(word);
    text->text[0] = 0;
    text->unsaid = 0;
    text->marks = 0;
    if (!form) return false;
    struct printer printer = {.text = text->text, .word = word, .slot = slot, .address = address};
    put_form(&printer, form);
    text->marks = printer.marks;
    if (!printer.rejected)
        text->unsaid = unsaid_bits(&printer, form);
    else
        text->text[0] = 0;
    return !printer.rejected;
}

bool sch_maxwell_code_known(uint64_t word, bool *meaningless)
{
    const struct sch_maxwell_code_form *form = sch_maxwell_code_form_of(word);
    if (!form) return false;
    struct printer printer = {.word = word};
    put_form(&printer, form);
    if (meaningless) *meaningless = printer.meaningless;
    return !printer.rejected;
}

const char *sch_maxwell_code_reason(uint64_t word)
{
    return sch_maxwell_code_form_of(word) ? "a field of it has a reserved value" : "no operation has these bits";
}
