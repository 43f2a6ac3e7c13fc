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
    const char *name, *channels;
    enum layout layout;
    uint8_t width, height, depth;
    enum space space;
} rows[] = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    [number] = {#name, channels, LAYOUT_##layout, width, height, depth, SPACE_##space},
#include "isa/formats.def"
#undef FORMAT
};
enum { ROWS = sizeof rows / sizeof *rows };

/* The sum of the channels' bits: each is letters and a number. */
static uint32_t bits_of(const char *channels)
{
    uint32_t bits = 0, channel = 0;
    for (; *channels; channels++) {
        if (*channels >= '0' && *channels <= '9') {
            channel = channel * 10 + (uint32_t)(*channels - '0');
        } else {
            bits += channel;
            channel = 0;
        }
    }
    return bits + channel;
}

bool sch_files_format(enum sch_format format, struct sch_files_format *facts)
{
    const unsigned number = (unsigned)format;
    if (number == SCH_FORMAT_NONE || number >= ROWS || !rows[number].name) return false;
    const struct row *row = &rows[number];
    /* Planes have no common block. The rows of AYUV and XYUV count a block of 16 texels as one byte. */
    if (row->layout == LAYOUT_PLANAR2 || row->layout == LAYOUT_PLANAR3) return false;
    if (format == SCH_FORMAT_AYUV || format == SCH_FORMAT_XYUV) return false;
    *facts = (struct sch_files_format){.name = row->name,
                                       .bytes = bits_of(row->channels) / 8,
                                       .width = row->width,
                                       .height = row->height,
                                       .depth = row->depth,
                                       .srgb = row->space == SPACE_SRGB};
    return facts->bytes;
}

const char *sch_files_format_name(enum sch_format format)
{
    const unsigned number = (unsigned)format;
    return number < ROWS && rows[number].name ? rows[number].name : "(unknown)";
}
