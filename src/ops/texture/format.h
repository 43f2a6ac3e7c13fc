/* How the bytes of a texel become components: the facts of each format in one constant table (ops/texture/formats.def,
 * made from the rows of src/isa/formats.def), so that a constant format folds. Holds no vector code (src/texture reads
 * it too) and no switch over formats: a new class of channels is a new kind or a new type. */
#ifndef SCH_OPS_TEXTURE_FORMAT_H
#define SCH_OPS_TEXTURE_FORMAT_H

#include "abi/texture.h"
#include "isa/isa.h"

enum tex_kind {
    TEX_KIND_NONE,       /* the unit does not read this format */
    TEX_KIND_PLAIN,      /* channels side by side, each by itself */
    TEX_KIND_WIDE,       /* channels of 64 bits: each is two, its words, which are what shaders see */
    TEX_KIND_SUBSAMPLED, /* two texels a block; each has its own sample of one channel */
    TEX_KIND_BITS,       /* eight texels a byte, the first in its highest bit */
    TEX_KIND_R11G11B10,  /* floats without a sign */
    TEX_KIND_R9G9B9E5,   /* three mantissas, one exponent */
    TEX_KIND_R8G8BX,     /* SNORM R and G; B makes them a unit vector */

    /* Compressed blocks, which become tiles (abi/texel_tiles.h): channels are those of a decoded texel. */
    TEX_KIND_BC1,
    TEX_KIND_BC2,
    TEX_KIND_BC3,
    TEX_KIND_BC4,
    TEX_KIND_BC4_SIGNED,
    TEX_KIND_BC5,
    TEX_KIND_BC5_SIGNED,
    TEX_KIND_BC6H,
    TEX_KIND_BC6H_SIGNED,
    TEX_KIND_BC7,
    TEX_KIND_ETC1,
    TEX_KIND_ETC2,
    TEX_KIND_ETC2_PUNCH_THROUGH,
    TEX_KIND_ETC2_ALPHA,
    TEX_KIND_EAC_R,
    TEX_KIND_EAC_R_SIGNED,
    TEX_KIND_EAC_RG,
    TEX_KIND_EAC_RG_SIGNED,
    TEX_KIND_ASTC,
    TEX_KIND_ASTC_SRGB,
    TEX_KIND_FXT1,
    TEX_KIND_ATC,
    TEX_KIND_ATC_EXPLICIT,
    TEX_KIND_ATC_INTERPOLATED
};

/* What a channel's bits mean (docs/texture.md, "Formats"). */
enum tex_type { TEX_VOID, TEX_UNORM, TEX_SNORM, TEX_USCALED, TEX_SSCALED, TEX_FIXED, TEX_UINT, TEX_SINT, TEX_FLOAT };

enum { TEX_ZERO = 4, TEX_ONE = 5 }; /* swizzle entries that are neither component nor channel */

enum tex_flag {
    TEX_SRGB = 1 << 0,    /* R, G, B are on the sRGB curve */
    TEX_DEPTH = 1 << 1,   /* reads depth: the channel is component[0] */
    TEX_STENCIL = 1 << 2, /* reads stencil: the channel is component[1] */
    TEX_INTEGER = 1 << 3, /* components are integers: never filtered */
    TEX_EXACT = 1 << 4,   /* filtered in exact sums of codes */
    TEX_STORABLE = 1 << 5
};

struct tex_channel {
    uint8_t type;         /* enum tex_type */
    uint8_t bits, offset; /* first bit in the block or decoded texel; a channel lies within one 32-bit word */
};

struct tex_format {
    uint8_t kind;        /* enum tex_kind; NONE: all else is 0 */
    uint8_t bytes;       /* of a block */
    uint8_t words;       /* of a texel as it is decoded from: of blocks, of one in a tile */
    uint8_t block_width; /* texels a block: 2 of SUBSAMPLED, 8 of BITS; of plain formats 1 */
    uint8_t block_height, block_depth;
    uint8_t flags;        /* enum tex_flag */
    uint8_t component[4]; /* channel that R, G, B, A come from, or TEX_ZERO, TEX_ONE */
    struct tex_channel channel[4];
};

static const struct tex_format tex_formats[SCH_FORMAT_LIMIT] __attribute__((unused)) = {
#define TEX_CHANNEL(type, bits, offset)                                                                                \
    {                                                                                                                  \
        TEX_##type, bits, offset                                                                                       \
    }
#define TEX_FORMAT(name, kind, bytes, words, width, height, depth, r, g, b, a, channel0, channel1, channel2, channel3, \
                   flags)                                                                                              \
    [SCH_FORMAT_##name] = {TEX_KIND_##kind,                                                                            \
                           bytes,                                                                                      \
                           words,                                                                                      \
                           width,                                                                                      \
                           height,                                                                                     \
                           depth,                                                                                      \
                           flags,                                                                                      \
                           {r, g, b, a},                                                                               \
                           {TEX_CHANNEL channel0, TEX_CHANNEL channel1, TEX_CHANNEL channel2, TEX_CHANNEL channel3}},
#include "ops/texture/formats.def"
#undef TEX_FORMAT
#undef TEX_CHANNEL
};

/* Whether texels are in compressed blocks. */
static inline __attribute__((always_inline, unused)) bool tex_is_block(const struct tex_format *format)
{
    return format->kind >= TEX_KIND_BC1;
}

/* Whether channel n is byte n of one word, all UNORM; of a channel that there is. */
static inline __attribute__((always_inline, unused)) bool tex_is_byte(const struct tex_format *format, unsigned n)
{
    const struct tex_channel *channel = &format->channel[n];
    return channel->type == TEX_VOID || (channel->type == TEX_UNORM && channel->bits == 8 && channel->offset == 8 * n);
}
static inline __attribute__((always_inline, unused)) bool tex_is_unorm8(const struct tex_format *format)
{
    if (format->kind != TEX_KIND_PLAIN && !tex_is_block(format)) return false;
    if (!(format->flags & TEX_EXACT) || format->words > 1) return false;
    return tex_is_byte(format, 0) && tex_is_byte(format, 1) && tex_is_byte(format, 2) && tex_is_byte(format, 3);
}

/* Plain texels of four words. */
static inline __attribute__((always_inline, unused)) bool tex_is_large(const struct tex_format *format)
{
    return format->bytes == 16 && !tex_is_block(format);
}

/* BC6H and ASTC: decoded halves, of which none is a signalling NaN (ops/texture/bptc.h, ops/texture/astc.h). */
static inline __attribute__((always_inline, unused)) bool tex_has_quiet_halves(const struct tex_format *format)
{
    return tex_is_block(format) && format->channel[0].type == TEX_FLOAT;
}

/* Halves, and shorter floats: of all channels. */
static inline __attribute__((always_inline, unused)) bool tex_is_short_float(const struct tex_format *format)
{
    return format->channel[0].type == TEX_FLOAT && format->channel[0].bits <= 16;
}

/* BC4 and BC5: a texel is an exact fraction, of sevenths or fifths of codes of 8 bits (ops/texture/rgtc.h). */
static inline __attribute__((always_inline, unused)) bool tex_is_fraction(const struct tex_format *format)
{
    return format->kind >= TEX_KIND_BC4 && format->kind <= TEX_KIND_BC5_SIGNED;
}
enum { TEX_FRACTION = 35, TEX_FRACTION_MAX = 255 * TEX_FRACTION, TEX_FRACTION_SIGNED_MAX = 127 * TEX_FRACTION };

/* Where a component of a lookup's result comes from: a channel, TEX_ZERO or TEX_ONE. A depth or stencil value is
 * where the rules put it. */
static inline __attribute__((always_inline, unused)) unsigned tex_format_component(const struct tex_format *format,
                                                                                   unsigned rules, unsigned component)
{
    if (!(format->flags & (TEX_DEPTH | TEX_STENCIL))) return format->component[component];
    unsigned stencil = (format->flags & TEX_STENCIL) != 0, channel = format->component[stencil];
    unsigned place = stencil && rules == SCH_RULES_D3D ? 1 : 0;
    if (rules == SCH_RULES_TGSI || component == place) return channel;
    return component == 3 ? TEX_ONE : TEX_ZERO;
}

/* The greatest code of a UNORM or SNORM channel. */
static inline __attribute__((always_inline, unused)) int32_t tex_format_max(const struct tex_format *format,
                                                                            unsigned channel)
{
    bool is_signed = format->channel[channel].type == TEX_SNORM;
    if (tex_is_fraction(format)) return is_signed ? TEX_FRACTION_SIGNED_MAX : TEX_FRACTION_MAX;
    unsigned bits = format->channel[channel].bits - is_signed;
    return (int32_t)(((uint64_t)1 << bits) - 1); /* of 32 bits: all ones */
}

#endif
