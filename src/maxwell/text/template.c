/* The language of the templates, cut into tokens and their arguments. */
#include "maxwell/text/template.h"

#include <string.h>

struct sch_maxwell_bits sch_maxwell_range(unsigned high, unsigned low)
{
    return (struct sch_maxwell_bits){
        .ranges = 1, .width = (uint8_t)(high - low + 1), .range = {{(uint8_t)high, (uint8_t)low}}};
}

static uint64_t ones(unsigned width) { return width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX; }

static unsigned width_of(const struct sch_maxwell_bits *bits, unsigned i)
{
    return bits->range[i].high - bits->range[i].low + 1u;
}

uint64_t sch_maxwell_bits_get(const struct sch_maxwell_bits *bits, uint64_t word)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bits->ranges; i++)
        value = value << width_of(bits, i) | (word >> bits->range[i].low & ones(width_of(bits, i)));
    return value;
}

int64_t sch_maxwell_bits_signed(const struct sch_maxwell_bits *bits, uint64_t word)
{
    const uint64_t value = sch_maxwell_bits_get(bits, word), sign = (uint64_t)1 << (bits->width - 1);
    return (int64_t)(value ^ sign) - (int64_t)sign;
}

uint64_t sch_maxwell_bits_put(const struct sch_maxwell_bits *bits, uint64_t value)
{
    uint64_t word = 0;
    for (unsigned i = bits->ranges; i-- > 0; value >>= width_of(bits, i))
        word |= (value & ones(width_of(bits, i))) << bits->range[i].low;
    return word;
}

uint64_t sch_maxwell_bits_mask(const struct sch_maxwell_bits *bits) { return sch_maxwell_bits_put(bits, UINT64_MAX); }

/* ---- tokens ---- */

static const struct {
    const char *letters;
    enum sch_maxwell_token_kind kind;
} kinds[] = {
#define X(name, letters) {letters, SCH_MAXWELL_TOKEN_##name},
    SCH_MAXWELL_TOKENS(X)
#undef X
};

static enum sch_maxwell_token_kind kind_of(const char *letters, size_t bytes)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].letters[0] == letters[0] && strncmp(kinds[i].letters, letters, bytes) == 0 &&
            !kinds[i].letters[bytes])
            return kinds[i].kind;
    return SCH_MAXWELL_TOKEN_WRONG;
}

bool sch_maxwell_token_next(const char **at, struct sch_maxwell_token *token)
{
    const char *begin = *at;
    if (!*begin) return false;
    if (*begin != '{') {
        const size_t bytes = strcspn(begin, "{");
        *token = (struct sch_maxwell_token){SCH_MAXWELL_TOKEN_LITERAL, begin, bytes};
        *at = begin + bytes;
        return true;
    }
    const size_t letters = strcspn(begin, ":"), whole = strcspn(begin, "}");
    if (letters >= whole || !begin[whole]) {
        *token = (struct sch_maxwell_token){SCH_MAXWELL_TOKEN_WRONG, begin, whole};
        *at = begin + whole;
        return true;
    }
    token->kind = kind_of(begin + 1, letters - 1);
    token->text = begin + letters + 1;
    token->bytes = whole - letters - 1;
    *at = begin + whole + 1;
    return true;
}

static bool is_digit(const char *at, const char *end) { return at < end && *at >= '0' && *at <= '9'; }

static unsigned take_number(const char **at, const char *end)
{
    unsigned number = 0;
    for (; is_digit(*at, end); ++*at) number = (number * 10 + (unsigned)(**at - '0')) & 0xffff;
    return number;
}

/* A comma continues the list if a digit follows. */
struct sch_maxwell_bits sch_maxwell_argument_bits(const char **at, const char *end)
{
    struct sch_maxwell_bits bits = {0};
    while (is_digit(*at, end) && bits.ranges < SCH_MAXWELL_RANGES) {
        const unsigned high = take_number(at, end) & 63;
        unsigned low = high;
        if (*at < end && **at == '-') {
            ++*at;
            low = take_number(at, end) & 63;
        }
        if (low > high) low = high;
        bits.range[bits.ranges].high = (uint8_t)high;
        bits.range[bits.ranges++].low = (uint8_t)low;
        bits.width = (uint8_t)(bits.width + high - low + 1);
        if (end - *at < 2 || **at != ',' || !is_digit(*at + 1, end)) break;
        ++*at;
    }
    return bits;
}

struct sch_maxwell_token sch_maxwell_argument(const struct sch_maxwell_token *token, unsigned number)
{
    const char *at = token->text, *end = token->text + token->bytes;
    for (;; number--) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        const size_t bytes = (size_t)((colon ? colon : end) - at);
        if (number == 0) return (struct sch_maxwell_token){token->kind, at, bytes};
        if (!colon) return (struct sch_maxwell_token){token->kind, end, 0};
        at = colon + 1;
    }
}

struct sch_maxwell_texts sch_maxwell_texts_of(const struct sch_maxwell_token *argument)
{
    if (memchr(argument->text, '|', argument->bytes))
        return (struct sch_maxwell_texts){.listed = argument->text, .bytes = argument->bytes};
    return (struct sch_maxwell_texts){.table = sch_maxwell_code_enum_find(argument->text, argument->bytes)};
}

struct sch_maxwell_texts sch_maxwell_texts_named(const char *name)
{
    return (struct sch_maxwell_texts){.table = sch_maxwell_code_enum_find(name, strlen(name))};
}

bool sch_maxwell_texts_at(const struct sch_maxwell_texts *texts, size_t value, const char **text, size_t *bytes)
{
    if (texts->table) {
        if (value >= texts->table->count) return false;
        *text = texts->table->texts[value];
        *bytes = strlen(*text);
        return true;
    }
    const char *at = texts->listed, *end = at + texts->bytes;
    if (!at) return false;
    for (;; value--) {
        const char *bar = memchr(at, '|', (size_t)(end - at));
        *text = at;
        *bytes = (size_t)((bar ? bar : end) - at);
        if (value == 0) return true;
        if (!bar) return false;
        at = bar + 1;
    }
}

/* ---- decorations ---- */

/* The name of a table after its colon. */
static struct sch_maxwell_token take_name(const char **at, const char *end)
{
    struct sch_maxwell_token name = {.text = ++*at};
    while (*at < end && **at != ',') ++*at;
    name.bytes = (size_t)(*at - name.text);
    return name;
}

static void take_decoration(struct sch_maxwell_decoration *d, char letter, const char **at, const char *end)
{
    const struct sch_maxwell_bits bits = sch_maxwell_argument_bits(at, end);
    const uint8_t bit = bits.ranges ? bits.range[0].low : SCH_MAXWELL_NO_BIT;
    switch (letter) {
    case 'n':
        d->minus = bit;
        break;
    case 'a':
        d->bars = bit;
        break;
    case 'i':
        d->invert = bit;
        break;
    case 'c':
        d->carry = bit;
        break;
    case 'R':
        d->reuse = bit;
        break;
    case 'F':
    case 'Q':
        d->half = bit;
        d->half_only_f16 = letter == 'F';
        break;
    case 'S':
        d->selector = bits;
        break;
    case 'u':
        d->always_unsigned = true;
        break;
    case 'N':
        d->minus_field = bits;
        if (*at < end && **at == '=') ++*at;
        d->minus_value = take_number(at, end);
        break;
    case 's':
        d->suffix = bits;
        if (*at < end && **at == ':') {
            const struct sch_maxwell_token name = take_name(at, end);
            d->suffixes = sch_maxwell_texts_of(&name);
            d->lanes = name.bytes == 3 && memcmp(name.text, "VAS", 3) == 0;
        }
        break;
    case 'x':
        if (*at < end && **at == ':') {
            const struct sch_maxwell_token name = take_name(at, end);
            d->size = bits;
            d->sizes = sch_maxwell_texts_of(&name);
        } else
            d->registers = bit;
        break;
    case 'd':
        d->twice = true;
        break;
    case 'w':
        d->written = true;
        break;
    default:
        break;
    }
}

struct sch_maxwell_decoration sch_maxwell_decoration_of(const struct sch_maxwell_token *token)
{
    enum { NONE = SCH_MAXWELL_NO_BIT };
    struct sch_maxwell_decoration d = {
        .minus = NONE, .bars = NONE, .invert = NONE, .carry = NONE, .half = NONE, .reuse = NONE};
    const char *at = token->text, *end = token->text + token->bytes;
    if (is_digit(at, end)) {
        const unsigned low = take_number(&at, end) & 63;
        d.number = sch_maxwell_range(low + 7, low);
    }
    while (at < end) {
        const char letter = *at++;
        if (letter != ',') take_decoration(&d, letter, &at, end);
    }
    return d;
}

/* Registers by the text of a size: the bits at its end, of which a register holds 32 (SD32 has one); of components and
 * coordinates one each. */
static unsigned registers_of(const char *text, size_t bytes)
{
    enum { REGISTER = 32, MOST = 4 };
    static const char array[] = "_ARRAY", letters[] = "RGBA";
    unsigned bits = 0, power = 1, count = 0;
    if (bytes > 2 && text[1] >= '1' && text[1] <= '3' && text[2] == 'D') {
        const bool layers = bytes > sizeof array - 1 && memcmp(text + bytes - (sizeof array - 1), array, 6) == 0;
        return (unsigned)(text[1] - '0') + layers;
    }
    while (count + 1 < bytes && memchr(letters, text[count + 1], 4)) count++;
    if (count && count + 1 == bytes) return count;
    while (bytes && text[bytes - 1] >= '0' && text[bytes - 1] <= '9') {
        bits += power * (unsigned)(text[--bytes] - '0');
        power *= 10;
    }
    return bits <= REGISTER || bits > MOST * REGISTER ? 1 : bits / REGISTER;
}

unsigned sch_maxwell_decoration_registers(const struct sch_maxwell_decoration *decoration, uint64_t word)
{
    const char *text;
    size_t bytes;
    unsigned count = decoration->registers ? decoration->registers : 1;
    if (decoration->size.ranges &&
        sch_maxwell_texts_at(&decoration->sizes, sch_maxwell_bits_get(&decoration->size, word), &text, &bytes) && bytes)
        count = registers_of(text, bytes);
    return decoration->twice ? 2 * count : count;
}

/* ---- conversions ---- */

enum { DESTINATION = 8, SOURCE = 10, SIZE = 3, SIZE_16 = 1, SIZE_64 = 3 };

struct sch_maxwell_texts sch_maxwell_selector_texts(uint64_t word)
{
    return sch_maxwell_texts_named((word >> SOURCE & SIZE) == SIZE_16 ? "SELH" : "BSEL");
}

bool sch_maxwell_source_is_f16(uint64_t word) { return (word >> SOURCE & SIZE) == SIZE_16; }

bool sch_maxwell_source_is_f64(uint64_t word) { return (word >> SOURCE & SIZE) == SIZE_64; }

bool sch_maxwell_sizes_equal(uint64_t word) { return (word >> SOURCE & SIZE) == (word >> DESTINATION & SIZE); }
