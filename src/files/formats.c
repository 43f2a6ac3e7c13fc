/* Facts of texel formats, from src/isa/formats.def: this library does not link the core, which has them, too. Holds no
 * numbers of any kind of file. */
#include "files/codec.h"

enum layout {
    LAYOUT_PLAIN,
    LAYOUT_OTHER,
    LAYOUT_SUBSAMPLED,
    LAYOUT_PLANAR2,
    LAYOUT_PLANAR3,
    LAYOUT_S3TC,
    LAYOUT_RGTC,
    LAYOUT_ETC,
    LAYOUT_BPTC,
    LAYOUT_ASTC,
    LAYOUT_FXT1,
    LAYOUT_ATC
};
enum space { SPACE_RGB, SPACE_SRGB, SPACE_YUV, SPACE_ZS };

static const struct row {
    const char *name, *channels, *swizzle;
    enum layout layout;
    uint8_t width, height, depth;
    enum space space;
} rows[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    [number] = {#name, channels, swizzle, LAYOUT_##layout, width, height, depth, SPACE_##space},
#include "isa/formats.def"
#undef FORMAT
};
enum { ROWS = sizeof rows / sizeof *rows };

unsigned sch_files_format_count(void) { return ROWS; }

/* A channel's text: a letter of its type, perhaps n or p, and its bits. Returns what is after it. */
static const char *parse_channel(const char *text, struct sch_files_channel *channel)
{
    *channel = (struct sch_files_channel){.type = *text++, .source = -1};
    channel->normalised = *text == 'n';
    channel->integer = *text == 'p';
    if (channel->normalised || channel->integer) text++;
    for (; *text >= '0' && *text <= '9'; text++) channel->bits = channel->bits * 10 + (uint32_t)(*text - '0');
    return *text == ' ' ? text + 1 : text;
}

static int source_of(const char *swizzle, uint32_t channel)
{
    for (int i = 0; i < SCH_FILES_CHANNELS; i++)
        if (swizzle[i] == "xyzw"[channel]) return i;
    return -1;
}

static uint32_t parse_channels(const struct row *row, struct sch_files_channels *channels)
{
    const char *text = row->channels;
    uint32_t bits = 0;
    *channels = (struct sch_files_channels){.srgb = row->space == SPACE_SRGB,
                                            .depth = row->space == SPACE_ZS,
                                            .plain = row->layout == LAYOUT_PLAIN && row->space != SPACE_YUV};
    for (int i = 0; i < SCH_FILES_CHANNELS; i++) channels->swizzle[i] = row->swizzle[i];
    while (*text && channels->count < SCH_FILES_CHANNELS) {
        struct sch_files_channel *channel = &channels->channel[channels->count];
        text = parse_channel(text, channel);
        channel->first = bits;
        channel->source = source_of(row->swizzle, channels->count++);
        bits += channel->bits;
    }
    return bits;
}

bool sch_files_format(enum sch_format format, struct sch_files_format *facts)
{
    const unsigned number = (unsigned)format;
    if (number == SCH_FORMAT_NONE || number >= ROWS || !rows[number].name) return false;
    const struct row *row = &rows[number];
    /* Planes have no common block. The rows of AYUV and XYUV count a block of 16 texels as one byte. */
    if (row->layout == LAYOUT_PLANAR2 || row->layout == LAYOUT_PLANAR3) return false;
    if (format == SCH_FORMAT_AYUV || format == SCH_FORMAT_XYUV) return false;
    struct sch_files_channels channels;
    *facts = (struct sch_files_format){.name = row->name,
                                       .bytes = parse_channels(row, &channels) / 8,
                                       .width = row->width,
                                       .height = row->height,
                                       .depth = row->depth,
                                       .srgb = row->space == SPACE_SRGB};
    return facts->bytes;
}

bool sch_files_channels(enum sch_format format, struct sch_files_channels *channels)
{
    struct sch_files_format facts;
    if (!sch_files_format(format, &facts)) return false;
    parse_channels(&rows[format], channels);
    return true;
}

const char *sch_files_format_name(enum sch_format format)
{
    const unsigned number = (unsigned)format;
    return number < ROWS && rows[number].name ? rows[number].name : "(unknown)";
}
