/* The formats of DDS files: dds.def, and masks of channels. Holds no layout of files (dds.c). */
#include "files/dds_format.h"

enum kind { DXGI, DXGI_OPAQUE, LETTERS, LETTERS_READ, OLD, SRGB };

static const struct word {
    enum kind kind;
    enum sch_format format;
    uint32_t word;
} words[] = {
#define DDS_DXGI(format, number)       {DXGI, SCH_FORMAT_##format, number},
#define DDS_OPAQUE(format, number)     {DXGI_OPAQUE, SCH_FORMAT_##format, number},
#define DDS_FOURCC(format, a, b, c, d) {LETTERS, SCH_FORMAT_##format, SCH_DDS_LETTERS(a, b, c, d)},
#define DDS_NUMBER(format, number)     {LETTERS, SCH_FORMAT_##format, number},
#define DDS_ALSO(format, number)       {LETTERS_READ, SCH_FORMAT_##format, number},
#define DDS_SRGB(format, srgb)         {SRGB, SCH_FORMAT_##srgb, SCH_FORMAT_##format},
#define DDS_OLD(format)                {OLD, SCH_FORMAT_##format, 0},
#include "files/dds.def"
#undef DDS_DXGI
#undef DDS_OPAQUE
#undef DDS_FOURCC
#undef DDS_NUMBER
#undef DDS_ALSO
#undef DDS_SRGB
#undef DDS_OLD
};
enum { WORDS = sizeof words / sizeof *words };

static enum sch_format by_word(enum kind kind, uint32_t word)
{
    for (size_t i = 0; i < WORDS; i++)
        if (words[i].kind == kind && words[i].word == word) return words[i].format;
    return SCH_FORMAT_NONE;
}

static const struct word *by_format(enum kind kind, enum sch_format format)
{
    for (size_t i = 0; i < WORDS; i++)
        if (words[i].kind == kind && words[i].format == format) return &words[i];
    return NULL;
}

enum sch_format sch_dds_of_dxgi(uint32_t number, bool opaque)
{
    enum sch_format format = opaque ? by_word(DXGI_OPAQUE, number) : SCH_FORMAT_NONE;
    return format != SCH_FORMAT_NONE ? format : by_word(DXGI, number);
}

uint32_t sch_dds_dxgi(enum sch_format format, bool *opaque)
{
    const struct word *word = by_format(DXGI_OPAQUE, format);
    *opaque = word != NULL;
    if (!word) word = by_format(DXGI, format);
    return word ? word->word : 0;
}

bool sch_dds_is_old(enum sch_format format) { return by_format(OLD, format) != NULL; }

/* ---- masks ---- */

enum { MASK_BITS = 32 };

static uint32_t mask_of(const struct sch_files_channel *channel)
{
    return (uint32_t)(((uint64_t)1 << channel->bits) - 1) << channel->first;
}

/* The channel that a letter of a swizzle names, or NULL. */
static const struct sch_files_channel *named(const struct sch_files_channels *channels, char letter)
{
    if (letter < 'w' || letter > 'z') return NULL;
    uint32_t i = letter == 'w' ? 3 : (uint32_t)(letter - 'x');
    return i < channels->count ? &channels->channel[i] : NULL;
}

/* How many channels are signed, of those that are not void; false: some have no masks. */
static bool count_signs(const struct sch_files_channels *channels, unsigned *is_signed, unsigned *is_unsigned)
{
    *is_signed = *is_unsigned = 0;
    for (uint32_t i = 0; i < channels->count; i++) {
        const struct sch_files_channel *channel = &channels->channel[i];
        if (channel->first + channel->bits > MASK_BITS) return false;
        if (channel->type == 'x') continue;
        if (!channel->normalised) return false;
        *is_signed += channel->type == 's';
        *is_unsigned += channel->type == 'u';
    }
    return true;
}

/* The masks of all colours that have channels. */
static void set_masks(const struct sch_files_channels *channels, struct sch_dds_pixels *pixels)
{
    for (int i = 0; i < 4; i++) {
        const struct sch_files_channel *channel = named(channels, channels->swizzle[i]);
        pixels->masks[i] = channel ? mask_of(channel) : 0;
    }
}

/* Luminance and alpha, whose colours share a channel or have none; false: of another kind. */
static bool one_colour(const struct sch_files_channels *channels, struct sch_dds_pixels *pixels)
{
    const char *swizzle = channels->swizzle;
    bool luminance = swizzle[0] == 'x' && swizzle[1] == 'x' && swizzle[2] == 'x';
    set_masks(channels, pixels);
    if (luminance) pixels->masks[1] = pixels->masks[2] = 0;
    if (luminance)
        pixels->flags = SCH_DDS_LUMINANCE | (pixels->masks[3] ? SCH_DDS_ALPHA_PIXELS : 0);
    else
        pixels->flags = SCH_DDS_ALPHA;
    return luminance ? swizzle[3] != 'x' : !pixels->masks[0] && !pixels->masks[1] && !pixels->masks[2];
}

/* The words that masks make for a format; false: they make none. Direct3D 9 names colours of signed channels U, V, W
 * and Q (bump maps), with an unsigned third one L: "A2W10V10U10", "L6V5U5". */
static bool masks_of(enum sch_format format, struct sch_dds_pixels *pixels)
{
    struct sch_files_format facts;
    struct sch_files_channels channels;
    unsigned is_signed, is_unsigned;
    *pixels = (struct sch_dds_pixels){0};
    if (!sch_files_format(format, &facts) || !sch_files_channels(format, &channels)) return false;
    if (!channels.plain || channels.srgb || channels.depth || !count_signs(&channels, &is_signed, &is_unsigned))
        return false;
    pixels->bits = facts.bytes * 8;
    if (!is_signed && one_colour(&channels, pixels)) return true;
    set_masks(&channels, pixels);
    if (channels.swizzle[0] == channels.swizzle[1]) return false; /* luminance of signed channels, intensity */
    if (!is_signed) {
        pixels->flags = SCH_DDS_RGB | (pixels->masks[3] ? SCH_DDS_ALPHA_PIXELS : 0);
        return pixels->masks[0];
    }
    /* A fourth signed channel, Q, is as wide as the others; alpha is not signed. */
    const struct sch_files_channel *first = named(&channels, channels.swizzle[0]);
    const struct sch_files_channel *fourth = named(&channels, channels.swizzle[3]);
    if (first && fourth && (fourth->type == 's') != (fourth->bits == first->bits)) return false;
    bool luminance = is_unsigned && !pixels->masks[3];
    pixels->flags = luminance ? SCH_DDS_BUMP_LUMINANCE : SCH_DDS_BUMP;
    return pixels->masks[0];
}

static bool same(const struct sch_dds_pixels *a, const struct sch_dds_pixels *b)
{
    for (int i = 0; i < 4; i++)
        if (a->masks[i] != b->masks[i]) return false;
    return a->flags == b->flags && a->bits == b->bits;
}

/* The first format whose masks these are. */
static enum sch_format by_masks(const struct sch_dds_pixels *pixels)
{
    struct sch_dds_pixels other;
    for (unsigned i = 1; i < sch_files_format_count(); i++)
        if (masks_of((enum sch_format)i, &other) && same(pixels, &other)) return (enum sch_format)i;
    return SCH_FORMAT_NONE;
}

/* What some writers mean by masks that say nothing: 0, or outside of the texel's bits. */
static const struct guess {
    uint32_t flags, bits;
    enum sch_format format;
} guesses[] = {
    {SCH_DDS_LUMINANCE, 8, SCH_FORMAT_L8_UNORM},
    {SCH_DDS_LUMINANCE, 16, SCH_FORMAT_L16_UNORM},
    {SCH_DDS_LUMINANCE | SCH_DDS_ALPHA_PIXELS, 8, SCH_FORMAT_L4A4_UNORM},
    {SCH_DDS_LUMINANCE | SCH_DDS_ALPHA_PIXELS, 16, SCH_FORMAT_L8A8_UNORM},
    {SCH_DDS_ALPHA, 8, SCH_FORMAT_A8_UNORM},
    {SCH_DDS_RGB, 16, SCH_FORMAT_B5G6R5_UNORM},
    {SCH_DDS_RGB, 24, SCH_FORMAT_B8G8R8_UNORM},
    {SCH_DDS_RGB, 32, SCH_FORMAT_B8G8R8X8_UNORM},
    {SCH_DDS_RGB | SCH_DDS_ALPHA_PIXELS, 32, SCH_FORMAT_B8G8R8A8_UNORM},
};

/* Whether none of the masks that the flags ask for can be one. */
static bool says_nothing(const struct sch_dds_pixels *pixels)
{
    const bool alpha = pixels->flags & SCH_DDS_ALPHA;
    for (int i = alpha ? 3 : 0; i < (alpha ? 4 : 3); i++)
        if (pixels->bits >= MASK_BITS ? pixels->masks[i] != 0 : (pixels->masks[i] & ((1u << pixels->bits) - 1)) != 0)
            return false;
    return true;
}

/* Masks that are those of no format, as they are meant; NONE: they cannot be known. `flags`: those of channels that the
 * file says, also of an alpha without mask. */
static enum sch_format by_odd_masks(struct sch_dds_pixels pixels, uint32_t flags, const char **odd)
{
    const uint32_t *masks = pixels.masks;
    if (!pixels.bits && flags & (SCH_DDS_ALPHA | SCH_DDS_LUMINANCE)) {
        const uint32_t all = masks[0] | masks[3];
        *odd = "texels of 0 bits: the masks say how many";
        pixels.bits = all > 0xffff ? 32 : all > 0xff ? 16 : 8;
        return all ? by_masks(&pixels) : SCH_FORMAT_NONE;
    }
    if (flags & SCH_DDS_RGB && masks[0] && masks[0] == masks[1] && masks[0] == masks[2]) {
        *odd = "red, green and blue have one mask: luminance is meant";
        pixels.flags = SCH_DDS_LUMINANCE | (pixels.flags & SCH_DDS_ALPHA_PIXELS);
        pixels.masks[1] = pixels.masks[2] = 0;
        return by_masks(&pixels);
    }
    *odd = "masks that say nothing: those of the usual format are taken";
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
        if (guesses[i].flags == flags && guesses[i].bits == pixels.bits && says_nothing(&pixels))
            return guesses[i].format;
    return SCH_FORMAT_NONE;
}

static struct sch_dds_meaning of_letters(uint32_t letters)
{
    struct sch_dds_meaning meaning = {.format = by_word(LETTERS, letters)};
    if (meaning.format == SCH_FORMAT_NONE) meaning.format = by_word(LETTERS_READ, letters);
    /* The same blocks as DXT3 and DXT5, of colours that are multiplied with alpha. */
    const uint32_t dxt2 = SCH_DDS_LETTERS('D', 'X', 'T', '2'), dxt4 = SCH_DDS_LETTERS('D', 'X', 'T', '4');
    meaning.premultiplied = letters == dxt2 || letters == dxt4;
    meaning.exchanged = letters == SCH_DDS_LETTERS('R', 'X', 'G', 'B');
    if (letters == dxt2) meaning.format = SCH_FORMAT_DXT3_RGBA;
    if (letters == dxt4 || meaning.exchanged) meaning.format = SCH_FORMAT_DXT5_RGBA;
    return meaning;
}

bool sch_dds_is_code(uint32_t letters)
{
    return letters == SCH_DDS_LETTERS('D', 'X', '1', '0') || of_letters(letters).format != SCH_FORMAT_NONE;
}

static struct sch_dds_meaning of_masks(const struct sch_dds_pixels *given)
{
    struct sch_dds_pixels pixels = *given;
    struct sch_dds_meaning meaning = {.format = SCH_FORMAT_NONE};
    uint32_t flags = pixels.flags; /* of channels that the file says */
    if (flags & (SCH_DDS_PALETTES | SCH_DDS_YUV)) return meaning;
    /* A mask of alpha counts where the flag says that there is alpha; those of signed channels always. */
    if (!(flags & SCH_DDS_ALPHA_PIXELS) && flags & (SCH_DDS_RGB | SCH_DDS_LUMINANCE)) pixels.masks[3] = 0;
    if (flags & SCH_DDS_RGB) {
        flags &= SCH_DDS_RGB | SCH_DDS_ALPHA_PIXELS;
        pixels.flags = SCH_DDS_RGB | (pixels.masks[3] ? SCH_DDS_ALPHA_PIXELS : 0);
    } else if (flags & SCH_DDS_LUMINANCE) {
        flags &= SCH_DDS_LUMINANCE | SCH_DDS_ALPHA_PIXELS;
        pixels.flags = SCH_DDS_LUMINANCE | (pixels.masks[3] ? SCH_DDS_ALPHA_PIXELS : 0);
        pixels.masks[1] = pixels.masks[2] = 0; /* some writers repeat the mask */
    } else if (flags & SCH_DDS_ALPHA) {
        flags = pixels.flags = SCH_DDS_ALPHA;
        pixels.masks[0] = pixels.masks[1] = pixels.masks[2] = 0;
    } else {
        flags = pixels.flags &= SCH_DDS_BUMP | SCH_DDS_BUMP_LUMINANCE;
    }
    meaning.format = by_masks(&pixels);
    if (meaning.format == SCH_FORMAT_NONE) meaning.format = by_odd_masks(pixels, flags, &meaning.odd);
    return meaning;
}

struct sch_dds_meaning sch_dds_of_pixels(const struct sch_dds_pixels *pixels)
{
    struct sch_dds_meaning meaning = pixels->flags & SCH_DDS_FOURCC ? of_letters(pixels->letters) : of_masks(pixels);
    if (!(pixels->flags & SCH_DDS_SRGB) || meaning.format == SCH_FORMAT_NONE || meaning.exchanged) return meaning;
    const enum sch_format srgb = by_word(SRGB, (uint32_t)meaning.format);
    if (srgb != SCH_FORMAT_NONE)
        meaning.format = srgb;
    else
        meaning.srgb = true;
    return meaning;
}

bool sch_dds_pixels(enum sch_format format, struct sch_dds_pixels *pixels)
{
    const struct word *word = by_format(LETTERS, format);
    if (word) {
        *pixels = (struct sch_dds_pixels){.flags = SCH_DDS_FOURCC, .letters = word->word};
        return true;
    }
    return masks_of(format, pixels) && by_masks(pixels) == format;
}
