/* Formats for the texture reference: the channel text of src/isa/formats.def, read and decoded by code of its own. Must
 * not include anything of src/ops. */
#include "texture_reference.h"

#include "block_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FORMATS = 420 };

enum layout { PLAIN, OTHER, SUBSAMPLED, S3TC, RGTC, ETC, BPTC, ASTC, FXT1, ATC, PLANAR2, PLANAR3 };
enum space { RGB, SRGB, YUV, ZS };

static const struct row {
    const char *name;
    uint16_t number;
    enum layout layout;
    unsigned width, height;
    const char *channels, *swizzle;
    enum space space;
} rows[] = {
#define FORMAT(name, number, layout, w, h, d, channels, swizzle, space)                                                \
    {#name, number, layout, w, h, channels, swizzle, space},
#include "isa/formats.def"
#undef FORMAT
};

uint32_t ref_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return isnan(f) ? 0x7fc00000u : u;
}

float ref_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

uint32_t ref_quotient(ref_wide numerator, ref_wide denominator)
{
    if (numerator == 0) return 0;
    bool negative = numerator < 0;
    ref_wide n = negative ? -numerator : numerator, d = denominator;
    int shift = 0; /* n / d with 24 bits before the point */
    while (n >= (d << 24)) d <<= 1, shift--;
    while (n < (d << 23)) n <<= 1, shift++;
    uint64_t whole = (uint64_t)(n / d);
    ref_wide rest = n % d;
    if (2 * rest > d || (2 * rest == d && (whole & 1))) whole++;
    float f = ldexpf((float)whole, -shift);
    return ref_bits(negative ? -f : f);
}

/* ---- the table ---- */

/* "un8 un8 x16": false for a text that has a channel this unit does not decode. */
static bool parse_channels(const char *text, struct ref_format *format)
{
    unsigned shift = 0;
    while (*text) {
        struct ref_channel *channel = &format->channel[format->channels++];
        channel->kind = *text++;
        if (*text == 'n') channel->normalized = true, text++;
        if (*text == 'p') channel->pure = true, text++;
        char *end;
        channel->bits = (unsigned)strtoul(text, &end, 10);
        channel->shift = shift;
        shift += channel->bits;
        text = end;
        while (*text == ' ') text++;
        if (channel->bits > 32 && format->channels > 2) return false;
    }
    format->bytes = shift / 8;
    return shift % 8 == 0 && shift > 0;
}

/* A number of 64 bits is two components, its words; two such numbers are a register. */
static bool split_numbers(struct ref_format *format)
{
    const char kind = format->channel[0].kind == 's' ? 's' : 'u';
    if (format->channel[0].bits <= 32) return true;
    format->channels *= 2;
    memcpy(format->swizzle, format->channels == 2 ? "xy00" : "xyzw", 5);
    for (unsigned c = 0; c < 4; c++) format->channel[c] = (struct ref_channel){kind, false, true, 32, 32 * c, 0};
    return true;
}

static bool subsampled(const char *name, struct ref_format *format)
{
    static const struct {
        const char *name;
        unsigned at[3][2];
    } all[] = {{"R8G8_B8G8_UNORM", {{0, 0}, {1, 3}, {2, 2}}},
               {"G8R8_G8B8_UNORM", {{1, 1}, {0, 2}, {3, 3}}},
               {"R8G8_R8B8_UNORM", {{0, 2}, {1, 1}, {3, 3}}},
               {"G8R8_B8R8_UNORM", {{1, 3}, {0, 0}, {2, 2}}},
               {"YUYV", {{0, 2}, {1, 1}, {3, 3}}},
               {"UYVY", {{1, 3}, {0, 0}, {2, 2}}},
               {"Y210", {{0, 2}, {1, 1}, {3, 3}}},
               {"Y212", {{0, 2}, {1, 1}, {3, 3}}},
               {"Y216", {{0, 2}, {1, 1}, {3, 3}}}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(name, all[i].name) != 0) continue;
        format->subsampled = true;
        const unsigned bits = name[1] == '2' ? 16 : 8;
        format->bytes = bits / 2;
        format->channels = 3;
        for (unsigned c = 0; c < 3; c++) format->channel[c] = (struct ref_channel){'u', true, false, bits, bits * c, 0};
        memcpy(format->at, all[i].at, sizeof format->at);
        memcpy(format->swizzle, "xyz1", 5); /* `at` names R, G, B themselves */
        return true;
    }
    return false;
}

static bool blocks(const struct row *row, struct ref_format *format)
{
    const struct block_facts *facts = format->block = block_facts_of(row->name);
    if (!facts) return false;
    format->bytes = facts->bytes;
    format->channels = facts->channels;
    for (unsigned c = 0; c < facts->channels; c++)
        format->channel[c] = (struct ref_channel){
            .kind = facts->type, .normalized = facts->type != 'f', .bits = facts->bits, .greatest = facts->greatest};
    memcpy(format->swizzle, row->swizzle, 5);
    return true;
}

static bool parse(const struct row *row, struct ref_format *format)
{
    *format = (struct ref_format){.number = row->number,
                                  .name = row->name,
                                  .srgb = row->space == SRGB,
                                  .block_width = row->width,
                                  .block_height = row->height};
    if (row->number == 0) return false;
    if (row->layout >= S3TC && row->layout <= ATC) return blocks(row, format);
    if (row->layout == SUBSAMPLED) return subsampled(row->name, format);
    if (strcmp(row->name, "R1_UNORM") == 0) {
        format->single_bits = true;
        format->bytes = format->channels = 1;
        format->channel[0] = (struct ref_channel){'u', true, false, 1, 0, 0};
        memcpy(format->swizzle, row->swizzle, 5);
        return true;
    }
    bool other = strcmp(row->name, "R11G11B10_FLOAT") == 0 || strcmp(row->name, "R9G9B9E5_FLOAT") == 0;
    if (row->layout != PLAIN && !other) return false;
    memcpy(format->swizzle, row->swizzle, 5);
    format->depth = row->space == ZS && row->swizzle[0] != '_';
    format->stencil = row->space == ZS && row->swizzle[0] == '_';
    return parse_channels(row->channels, format) && split_numbers(format);
}

const struct ref_format *ref_formats(unsigned *count)
{
    static struct ref_format formats[MAX_FORMATS];
    static unsigned filled;
    if (!filled)
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
            if (parse(&rows[i], &formats[filled])) filled++;
    *count = filled;
    return formats;
}

const struct ref_format *ref_format_of(unsigned number)
{
    unsigned count;
    const struct ref_format *formats = ref_formats(&count);
    for (unsigned i = 0; i < count; i++)
        if (formats[i].number == number) return &formats[i];
    return NULL;
}

/* ---- what a lookup sees ---- */

static unsigned channel_of(char letter)
{
    static const char letters[] = "xyzw";
    if (letter == '1') return REF_ONE;
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (unsigned)(at - letters) : REF_ZERO;
}

bool ref_format_is_integer(const struct ref_format *format)
{
    if (format->depth) return false;
    for (unsigned c = 0; c < format->channels; c++)
        if (format->channel[c].pure) return true;
    return false;
}

static bool exact_sum(const struct ref_layout *layout)
{
    char kind = 0;
    if (layout->format->srgb) return false;
    for (unsigned c = 0; c < 4; c++) {
        if (layout->source[c] >= REF_ZERO) continue;
        const struct ref_channel *channel = &layout->format->channel[layout->source[c]];
        if (!channel->normalized || channel->bits > 16 || (kind && kind != channel->kind)) return false;
        kind = channel->kind;
    }
    return true;
}

void ref_layout(const struct ref_format *format, unsigned rules, struct ref_layout *layout)
{
    *layout = (struct ref_layout){.format = format, .integer = ref_format_is_integer(format)};
    for (unsigned c = 0; c < 4; c++) layout->source[c] = channel_of(format->swizzle[c]);
    if (format->depth || format->stencil) {
        unsigned channel = channel_of(format->swizzle[format->depth ? 0 : 1]);
        unsigned own = format->stencil && rules == SCH_RULES_D3D ? 1 : 0;
        for (unsigned c = 0; c < 4; c++) {
            unsigned missing = c == 3 ? REF_ONE : REF_ZERO;
            layout->source[c] = rules == SCH_RULES_TGSI || c == own ? channel : missing;
        }
    }
    layout->exact = exact_sum(layout);
}

int64_t ref_greatest(const struct ref_channel *channel)
{
    if (channel->greatest) return channel->greatest;
    return ((int64_t)1 << (channel->kind == 's' ? channel->bits - 1 : channel->bits)) - 1;
}

/* ---- bits ---- */

uint64_t ref_get_channel(const struct ref_format *format, const uint8_t *texel, unsigned channel)
{
    uint64_t raw = 0;
    for (unsigned b = 0; b < format->channel[channel].bits; b++) {
        unsigned at = format->channel[channel].shift + b;
        raw |= (uint64_t)(texel[at / 8] >> at % 8 & 1) << b;
    }
    return raw;
}

void ref_set_channel(const struct ref_format *format, uint8_t *texel, unsigned channel, uint64_t raw)
{
    for (unsigned b = 0; b < format->channel[channel].bits; b++) {
        unsigned at = format->channel[channel].shift + b;
        texel[at / 8] = (uint8_t)((texel[at / 8] & ~(1u << at % 8)) | (raw >> b & 1) << at % 8);
    }
}

/* ---- decoding ---- */

/* Floats of 16, 11 and 10 bits: five bits of exponent, the rest mantissa; 16 bits have a sign. */
static uint32_t small_float(uint64_t raw, unsigned bits)
{
    unsigned mantissa_bits = bits == 16 ? 10 : bits - 5;
    uint32_t sign = bits == 16 && raw >> 15 ? 0x80000000u : 0;
    uint32_t exponent = raw >> mantissa_bits & 31, mantissa = (uint32_t)(raw & ((1u << mantissa_bits) - 1));
    if (exponent == 31) return sign | 0x7f800000u | mantissa << (23 - mantissa_bits);
    float value = exponent ? ldexpf((float)(mantissa + (1u << mantissa_bits)), (int)exponent - 15 - (int)mantissa_bits)
                           : ldexpf((float)mantissa, -14 - (int)mantissa_bits);
    return sign | ref_bits(value);
}

/* The curve of code / greatest, rounded once; the extended result is never near a tie of binary32 (it would show as a
 * difference of one unit at one code). */
static uint32_t curve(uint64_t code, int64_t greatest)
{
    long double c = (long double)code / (long double)greatest;
    if (c <= 0.04045L) return ref_quotient((ref_wide)code * 100, (ref_wide)greatest * 1292);
    return ref_bits((float)powl((c + 0.055L) / 1.055L, 2.4L));
}

static int64_t number(const struct ref_channel *channel, uint64_t raw)
{
    if (channel->kind == 'u' || !(raw >> (channel->bits - 1))) return (int64_t)raw;
    return (int64_t)raw - ((int64_t)1 << channel->bits);
}

static int64_t clamped_code(const struct ref_channel *channel, uint64_t raw)
{
    int64_t code = number(channel, raw), least = -ref_greatest(channel);
    return code < least ? least : code;
}

static uint32_t decode_channel(const struct ref_channel *channel, uint64_t raw, bool curved)
{
    if (channel->pure) return (uint32_t)number(channel, raw);
    if (channel->kind == 'f') return channel->bits == 32 ? (uint32_t)raw : small_float(raw, channel->bits);
    if (channel->kind == 'h') return ref_quotient(number(&(struct ref_channel){'s', 0, 0, 32, 0, 0}, raw), 65536);
    if (channel->normalized && curved) return curve(raw, ref_greatest(channel));
    if (channel->normalized) return ref_quotient(clamped_code(channel, raw), ref_greatest(channel));
    return ref_quotient(number(channel, raw), 1);
}

static uint64_t quarter(const struct ref_format *format, const uint8_t *block, unsigned number)
{
    return format->bytes == 4 ? block[number] : block[2 * number] | (uint64_t)block[2 * number + 1] << 8;
}

static void decode_block(const struct ref_layout *layout, const uint8_t *block, uint32_t x, uint32_t y,
                         struct ref_texel *texel)
{
    const struct ref_format *format = layout->format;
    int32_t code[4];
    block_reference(format->block, block, format->block_width, format->block_height, x % format->block_width,
                    y % format->block_height, code);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned from = layout->source[c];
        texel->code[c] = 0;
        texel->bits[c] = from == REF_ZERO ? 0 : 0x3f800000u;
        if (from >= REF_ZERO) continue;
        const struct ref_channel *channel = &format->channel[from];
        if (channel->kind == 'f') {
            texel->bits[c] = small_float((uint64_t)code[from], 16);
            continue;
        }
        const bool curved = format->srgb && c < 3;
        texel->bits[c] = curved ? curve((uint64_t)code[from], 255) : ref_quotient(code[from], ref_greatest(channel));
        texel->code[c] = code[from];
    }
}

void ref_decode(const struct ref_layout *layout, const struct sch_texture_level *level, uint64_t slice, uint32_t x,
                uint32_t y, struct ref_texel *texel)
{
    const struct ref_format *format = layout->format;
    const uint8_t *at = level->texels + slice * level->slice_bytes +
                        (uint64_t)(y / format->block_height) * level->row_bytes +
                        (size_t)(x / format->block_width) * format->bytes;
    texel->border = false;
    if (format->block) {
        decode_block(layout, at, x, y, texel);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = layout->source[c];
        texel->code[c] = 0;
        texel->bits[c] = from == REF_ZERO ? 0 : layout->integer ? 1 : 0x3f800000u;
        if (from >= REF_ZERO) continue;
        const struct ref_channel *channel = &format->channel[from];
        uint64_t raw = format->subsampled    ? quarter(format, at, format->at[from][x % 2])
                       : format->single_bits ? at[0] >> (7 - x % 8) & 1
                                             : ref_get_channel(format, at, from);
        texel->bits[c] = decode_channel(channel, raw, format->srgb && c < 3);
        if (format->channel[0].bits == 9) /* shared exponent */
            texel->bits[c] = ref_bits(ldexpf((float)raw, (int)ref_get_channel(format, at, 3) - 24));
        if (channel->normalized) texel->code[c] = clamped_code(channel, raw);
    }
}

static uint32_t clamped_word(const struct ref_channel *channel, uint32_t word)
{
    int64_t value = channel->kind == 's' ? (int32_t)word : (int64_t)word;
    int64_t high = ref_greatest(channel), low = channel->kind == 's' ? -high - 1 : 0;
    return (uint32_t)(value < low ? low : value > high ? high : value);
}

/* The nearest number of a float format of 16, 11 or 10 bits, or of 9 beside a shared exponent. */
static uint32_t nearest_small(unsigned bits, float f, uint32_t word)
{
    /* (2 - 2^-mantissa bits) 2^15; the shared exponent: 511/512 2^16 */
    const float greatest = bits == 9 ? 65408.0f : (2.0f - ldexpf(1.0f, bits == 16 ? -10 : 5 - (int)bits)) * 32768.0f;
    float least = bits == 16 ? -greatest : 0.0f;
    if (isnan(f)) return bits == 9 ? 0 : word;
    if (isinf(f) && bits != 9 && (f > 0 || bits == 16)) return word;
    return f > greatest ? ref_bits(greatest) : f > least ? word : ref_bits(least);
}

static uint32_t clamped_float(const struct ref_channel *channel, uint32_t word)
{
    float f = ref_float(word), low = channel->kind == 's' ? -1.0f : 0.0f;
    if (channel->kind == 'f' && channel->bits < 32) return nearest_small(channel->bits, f, word);
    if (!channel->normalized) return word;
    if (isnan(f)) return 0;
    return ref_bits(f > low ? f < 1.0f ? f : 1.0f : low);
}

void ref_border(const struct ref_layout *layout, const uint32_t border[4], struct ref_texel *texel)
{
    *texel = (struct ref_texel){.border = true};
    bool single = layout->format->depth || layout->format->stencil;
    for (unsigned c = 0; c < 4; c++) {
        unsigned from = layout->source[c];
        texel->bits[c] = from == REF_ZERO ? 0 : layout->integer ? 1 : 0x3f800000u;
        if (from >= REF_ZERO) continue;
        uint32_t word = border[single ? 0 : c];
        const struct ref_channel *channel = &layout->format->channel[from];
        texel->bits[c] = layout->integer ? clamped_word(channel, word) : clamped_float(channel, word);
    }
}
