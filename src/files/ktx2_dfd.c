/* Data format descriptors of KTX 2 files (Khronos Data Format Specification 1.3, chapters 3 to 5; ktxspec, "Data Format
 * Descriptor"). Holds no layout of files. */
#include "files/ktx2_format.h"

enum {
    TOTAL_BYTES = 4,
    BLOCK_BYTES = 24, /* of the basic descriptor block, without its samples */
    SAMPLE_BYTES = 16,
    VERSION = 2 /* of 1.3 */
};
enum {
    MODEL_RGBSDA = 1,
    MODEL_YUVSDA = 2,
    MODEL_ETC1S = 163,
    MODEL_PVRTC = 164,
    MODEL_PVRTC2 = 165,
    MODEL_UASTC = 166
};
enum { PRIMARIES_UNSPECIFIED = 0, PRIMARIES_BT709 = 1 };
enum { TRANSFER_UNSPECIFIED = 0, TRANSFER_LINEAR = 1, TRANSFER_SRGB = 2, TRANSFER_ADOBERGB = 18 };
enum { FLAG_PREMULTIPLIED = 1 };
enum { CHANNEL_STENCIL = 13, CHANNEL_DEPTH = 14, CHANNEL_ALPHA = 15 };
enum { IS_LINEAR = 0x10, IS_EXPONENT = 0x20, IS_SIGNED = 0x40, IS_FLOAT = 0x80 };
enum { SAMPLES = 6 };

#define FLOAT_ONE       0x3f800000u /* sampleUpper and sampleLower of floats are floats */
#define FLOAT_MINUS_ONE 0xbf800000u

struct sample {
    uint32_t first, bits, channel; /* `channel` with qualifiers */
    uint32_t position;             /* of texels that share colours: a byte an axis */
    uint32_t lower, upper;
};

struct descriptor {
    uint32_t model, count;
    struct sample samples[SAMPLES];
};

static void add(struct descriptor *to, struct sample sample) { to->samples[to->count++] = sample; }

/* ---- blocks ---- */

/* What a block of a compressed format has (chapter 5.6): one sample or two of 64 or 128 bits. */
enum parts {
    WHOLE,       /* one sample, channel `colour` */
    TWO,         /* two samples of 64 bits: 0 and 1 */
    ALPHA_FIRST, /* alpha in the first 64 bits, `colour` in the others */
    TOGETHER     /* `colour` and alpha in the same bits */
};
enum numbers { UNSIGNED, SIGNED, HALF, UNSIGNED_HALF };

static const struct model {
    enum sch_format first, last; /* formats of neighbouring numbers */
    uint8_t model;
    enum parts parts;
    uint8_t colour;
    enum numbers numbers;
} models[] = {
    {SCH_FORMAT_DXT1_RGB, SCH_FORMAT_DXT1_RGB, 128, WHOLE, 0, UNSIGNED},
    {SCH_FORMAT_DXT1_RGBA, SCH_FORMAT_DXT1_RGBA, 128, WHOLE, 1, UNSIGNED},
    {SCH_FORMAT_DXT3_RGBA, SCH_FORMAT_DXT3_RGBA, 129, ALPHA_FIRST, 0, UNSIGNED},
    {SCH_FORMAT_DXT5_RGBA, SCH_FORMAT_DXT5_RGBA, 130, ALPHA_FIRST, 0, UNSIGNED},
    {SCH_FORMAT_DXT1_SRGB, SCH_FORMAT_DXT1_SRGB, 128, WHOLE, 0, UNSIGNED},
    {SCH_FORMAT_DXT1_SRGBA, SCH_FORMAT_DXT1_SRGBA, 128, WHOLE, 1, UNSIGNED},
    {SCH_FORMAT_DXT3_SRGBA, SCH_FORMAT_DXT3_SRGBA, 129, ALPHA_FIRST, 0, UNSIGNED},
    {SCH_FORMAT_DXT5_SRGBA, SCH_FORMAT_DXT5_SRGBA, 130, ALPHA_FIRST, 0, UNSIGNED},
    {SCH_FORMAT_RGTC1_UNORM, SCH_FORMAT_RGTC1_UNORM, 131, WHOLE, 0, UNSIGNED},
    {SCH_FORMAT_RGTC1_SNORM, SCH_FORMAT_RGTC1_SNORM, 131, WHOLE, 0, SIGNED},
    {SCH_FORMAT_RGTC2_UNORM, SCH_FORMAT_RGTC2_UNORM, 132, TWO, 0, UNSIGNED},
    {SCH_FORMAT_RGTC2_SNORM, SCH_FORMAT_RGTC2_SNORM, 132, TWO, 0, SIGNED},
    {SCH_FORMAT_BPTC_RGB_FLOAT, SCH_FORMAT_BPTC_RGB_FLOAT, 133, WHOLE, 0, HALF},
    {SCH_FORMAT_BPTC_RGB_UFLOAT, SCH_FORMAT_BPTC_RGB_UFLOAT, 133, WHOLE, 0, UNSIGNED_HALF},
    {SCH_FORMAT_BPTC_RGBA_UNORM, SCH_FORMAT_BPTC_SRGBA, 134, WHOLE, 0, UNSIGNED},
    {SCH_FORMAT_ETC2_RGB8, SCH_FORMAT_ETC2_SRGB8, 161, WHOLE, 2, UNSIGNED},
    {SCH_FORMAT_ETC2_RGB8A1, SCH_FORMAT_ETC2_SRGB8A1, 161, TOGETHER, 2, UNSIGNED},
    {SCH_FORMAT_ETC2_RGBA8, SCH_FORMAT_ETC2_SRGBA8, 161, ALPHA_FIRST, 2, UNSIGNED},
    {SCH_FORMAT_ETC2_R11_UNORM, SCH_FORMAT_ETC2_R11_UNORM, 161, WHOLE, 0, UNSIGNED},
    {SCH_FORMAT_ETC2_R11_SNORM, SCH_FORMAT_ETC2_R11_SNORM, 161, WHOLE, 0, SIGNED},
    {SCH_FORMAT_ETC2_RG11_UNORM, SCH_FORMAT_ETC2_RG11_UNORM, 161, TWO, 0, UNSIGNED},
    {SCH_FORMAT_ETC2_RG11_SNORM, SCH_FORMAT_ETC2_RG11_SNORM, 161, TWO, 0, SIGNED},
    {SCH_FORMAT_ASTC_4x4, SCH_FORMAT_ASTC_6x6x6_SRGB, 162, WHOLE, 0, UNSIGNED},
};

static const struct model *model_of(enum sch_format format)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (format >= models[i].first && format <= models[i].last) return &models[i];
    return NULL;
}

static void describe_blocks(const struct model *model, uint32_t block_bytes, bool srgb, struct descriptor *to)
{
    static const struct {
        uint32_t qualifiers, lower, upper;
    } numbers[] = {[UNSIGNED] = {0, 0, UINT32_MAX},
                   [SIGNED] = {IS_SIGNED, 0x80000000u, 0x7fffffffu},
                   [HALF] = {IS_SIGNED | IS_FLOAT, FLOAT_MINUS_ONE, FLOAT_ONE},
                   [UNSIGNED_HALF] = {IS_FLOAT, 0, FLOAT_ONE}};
    const uint32_t all = block_bytes * 8, lower = numbers[model->numbers].lower, upper = numbers[model->numbers].upper;
    const uint32_t qualifiers = numbers[model->numbers].qualifiers, alpha = CHANNEL_ALPHA | (srgb ? IS_LINEAR : 0);
    to->model = model->model;
    switch (model->parts) {
    case WHOLE:
        add(to, (struct sample){0, all, model->colour | qualifiers, 0, lower, upper});
        return;
    case TWO:
        add(to, (struct sample){0, 64, 0 | qualifiers, 0, lower, upper});
        add(to, (struct sample){64, 64, 1 | qualifiers, 0, lower, upper});
        return;
    case ALPHA_FIRST:
        add(to, (struct sample){0, 64, alpha, 0, lower, upper});
        add(to, (struct sample){64, 64, model->colour, 0, lower, upper});
        return;
    default:
        add(to, (struct sample){0, all, model->colour, 0, lower, upper});
        add(to, (struct sample){0, all, alpha, 0, lower, upper});
    }
}

/* ---- texels ---- */

static uint32_t most_of(uint32_t bits) { return bits < 32 ? (1u << bits) - 1 : UINT32_MAX; }

/* Lower and upper are what stands for 0 or -1 and for 1: of integers 0 or -1 and 1. */
static void describe_channel(const struct sch_files_channel *channel, uint32_t id, struct descriptor *to)
{
    struct sample sample = {.first = channel->first, .bits = channel->bits, .channel = id};
    if (channel->type == 'f') {
        const bool has_sign = channel->bits >= 16;
        sample.channel |= IS_FLOAT | (has_sign ? IS_SIGNED : 0);
        sample.lower = has_sign ? FLOAT_MINUS_ONE : 0;
        sample.upper = FLOAT_ONE;
    } else if (channel->type == 's') {
        const uint32_t most = channel->integer ? 1 : most_of(channel->bits - 1);
        sample.channel |= IS_SIGNED;
        sample.lower = (uint32_t)-most;
        sample.upper = most;
    } else {
        sample.upper = channel->integer ? 1 : most_of(channel->bits);
    }
    add(to, sample);
}

static void describe_channels(const struct sch_files_channels *channels, struct descriptor *to)
{
    static const uint8_t depth[] = {CHANNEL_DEPTH, CHANNEL_STENCIL};
    to->model = MODEL_RGBSDA;
    for (uint32_t i = 0; i < channels->count; i++) {
        const struct sch_files_channel *channel = &channels->channel[i];
        if (channel->type == 'x' || channel->source < 0) continue;
        uint32_t id = (uint32_t)channel->source;
        if (channels->depth)
            id = depth[id & 1];
        else if (id == 3)
            id = CHANNEL_ALPHA | (channels->srgb ? IS_LINEAR : 0);
        describe_channel(channel, id, to);
    }
}

/* Three mantissas of 9 bits, each with the exponent of 5 bits that they share. 1 is the mantissa 256 with the exponent
 * 16, which as one number are 16 * 512 + 256; the exponent's lower value is its bias. */
static void describe_shared_exponent(struct descriptor *to)
{
    enum { UPPER = 8448, BIAS = 15, MOST = 31 };
    to->model = MODEL_RGBSDA;
    for (uint32_t i = 0; i < 3; i++) {
        add(to, (struct sample){9 * i, 9, i, 0, 0, UPPER});
        add(to, (struct sample){27, 5, i | IS_EXPONENT, 0, BIAS, MOST});
    }
}

/* Two texels with their own Y (channel 0) and common U and V (1, 2), each in `bits` / 4 bits of which the highest
 * `used` count. `luma`: the place of the first Y. Positions are 1/256 of the block's sides: Y in the middle of its
 * texel. */
static void describe_subsampled(uint32_t bits, uint32_t used, uint32_t luma, struct descriptor *to)
{
    static const uint8_t channel[] = {0, 1, 0, 2}, x[] = {64, 128, 192, 128};
    const uint32_t unit = bits / 4;
    to->model = MODEL_YUVSDA;
    for (uint32_t place = 0; place < 4; place++) {
        const uint32_t i = luma ? place ^ 1 : place;
        add(to, (struct sample){.first = place * unit + unit - used,
                                .bits = used,
                                .channel = channel[i],
                                .position = x[i] | 128u << 8,
                                .upper = most_of(used)});
    }
}

static bool describe(enum sch_format format, struct descriptor *to)
{
    struct sch_files_format facts;
    struct sch_files_channels channels;
    const struct model *model = model_of(format);
    *to = (struct descriptor){0};
    if (!sch_files_format(format, &facts) || !sch_files_channels(format, &channels)) return false;
    if (model)
        describe_blocks(model, facts.bytes, facts.srgb, to);
    else if (format == SCH_FORMAT_R9G9B9E5_FLOAT)
        describe_shared_exponent(to);
    else if (format == SCH_FORMAT_Y210 || format == SCH_FORMAT_Y212 || format == SCH_FORMAT_Y216)
        describe_subsampled(64, format == SCH_FORMAT_Y210 ? 10 : format == SCH_FORMAT_Y212 ? 12 : 16, 0, to);
    else if (format == SCH_FORMAT_YUYV || format == SCH_FORMAT_UYVY)
        describe_subsampled(32, 8, format == SCH_FORMAT_UYVY, to);
    else
        describe_channels(&channels, to);
    return true;
}

/* ---- writing ---- */

static bool has_no_curve(const struct sch_files_channels *channels)
{
    return channels->depth || channels->channel[0].integer;
}

static uint32_t transfer_of(const struct sch_file_texture *texture, const struct sch_files_channels *channels)
{
    if (channels->srgb) return TRANSFER_SRGB;
    if (has_no_curve(channels)) return TRANSFER_UNSPECIFIED;
    if (texture->transfer == SCH_FILE_TRANSFER_LINEAR) return TRANSFER_LINEAR;
    if (texture->transfer == SCH_FILE_TRANSFER_SRGB) return TRANSFER_SRGB;
    return TRANSFER_UNSPECIFIED;
}

/* "If transferFunction is not LINEAR or UNSPECIFIED and an alpha channel exists, LINEAR must be set in the qualifiers
 * field of the alpha sample." */
static void set_linear_alpha(struct descriptor *descriptor)
{
    for (uint32_t i = 0; i < descriptor->count; i++)
        if ((descriptor->samples[i].channel & 15) == CHANNEL_ALPHA) descriptor->samples[i].channel |= IS_LINEAR;
}

void sch_ktx2_write_dfd(struct sch_bytes *file, const struct sch_file_texture *texture, enum sch_format base)
{
    struct descriptor descriptor;
    struct sch_files_format format;
    struct sch_files_channels channels;
    if (!describe(base, &descriptor) || !sch_files_format(base, &format) || !sch_files_channels(base, &channels))
        return;
    const uint32_t block_bytes = BLOCK_BYTES + descriptor.count * SAMPLE_BYTES;
    const uint32_t transfer = transfer_of(texture, &channels);
    const uint32_t primaries = has_no_curve(&channels) ? PRIMARIES_UNSPECIFIED : PRIMARIES_BT709;
    if (transfer == TRANSFER_SRGB) set_linear_alpha(&descriptor);
    sch_bytes_word(file, TOTAL_BYTES + block_bytes);
    sch_bytes_word(file, 0); /* vendor Khronos, the basic descriptor */
    sch_bytes_word(file, VERSION | block_bytes << 16);
    sch_bytes_word(file, descriptor.model | primaries << 8 | transfer << 16 |
                             (texture->premultiplied ? FLAG_PREMULTIPLIED : 0u) << 24);
    sch_bytes_word(file, (format.width - 1) | (format.height - 1) << 8 | (format.depth - 1) << 16);
    sch_bytes_word(file, format.bytes); /* of plane 0 */
    sch_bytes_word(file, 0);
    for (uint32_t i = 0; i < descriptor.count; i++) {
        const struct sample *sample = &descriptor.samples[i];
        sch_bytes_word(file, sample->first | (sample->bits - 1) << 16 | sample->channel << 24);
        sch_bytes_word(file, sample->position);
        sch_bytes_word(file, sample->lower);
        sch_bytes_word(file, sample->upper);
    }
}

/* ---- reading ---- */

static const char *universal(uint32_t model)
{
    switch (model) {
    case MODEL_ETC1S:
        return "ETC1S (Basis Universal)";
    case MODEL_UASTC:
        return "UASTC (Basis Universal)";
    case MODEL_PVRTC:
        return "PVRTC";
    case MODEL_PVRTC2:
        return "PVRTC2";
    default:
        return NULL;
    }
}

static void set_transfer(uint32_t transfer, struct sch_file_texture *texture)
{
    texture->transfer = SCH_FILE_TRANSFER_UNKNOWN;
    if (transfer == TRANSFER_LINEAR) texture->transfer = SCH_FILE_TRANSFER_LINEAR;
    if (transfer == TRANSFER_SRGB) texture->transfer = SCH_FILE_TRANSFER_SRGB;
    if (transfer == TRANSFER_ADOBERGB) {
        texture->transfer = SCH_FILE_TRANSFER_GAMMA;
        texture->gamma = 256.0f / 563.0f; /* Adobe RGB (1998) decodes by the power 2 + 51/256 */
    }
}

enum sch_result sch_ktx2_read_dfd(const struct sch_files_reader *reader, const uint8_t *dfd, size_t bytes,
                                  enum sch_format format, struct sch_file_texture *texture)
{
    struct sch_files_format facts;
    if (bytes < TOTAL_BYTES + BLOCK_BYTES || sch_word_at(dfd) != bytes || sch_word_at(dfd + 4) != 0)
        return sch_files_damaged(reader->error, "damaged KTX2: no basic data format descriptor of %zu bytes", bytes);
    const uint32_t sizes = sch_word_at(dfd + 8), colours = sch_word_at(dfd + 12);
    if (sizes >> 16 < BLOCK_BYTES || sizes >> 16 > bytes - TOTAL_BYTES || (sizes >> 16) % 4)
        return sch_files_damaged(reader->error, "damaged KTX2: a descriptor block of %u bytes",
                                 (unsigned)(sizes >> 16));
    const char *name = universal(colours & 0xff);
    if (name && format == SCH_FORMAT_NONE)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "KTX2 texels of %s are not read", name);
    if (!sch_files_format(format, &facts)) return SCH_OK;
    const uint32_t block = sch_word_at(dfd + 16), plane = sch_word_at(dfd + 20) & 0xff;
    const uint32_t wanted = (facts.width - 1) | (facts.height - 1) << 8 | (facts.depth - 1) << 16;
    /* 0 bytes: what older revisions asked of supercompressed files. */
    if (block != wanted || (plane && plane != facts.bytes))
        return sch_files_damaged(reader->error, "damaged KTX2: its descriptor is not of %s", facts.name);
    const uint32_t transfer = colours >> 16 & 0xff;
    if (facts.srgb && transfer != TRANSFER_SRGB)
        return sch_files_damaged(reader->error, "damaged KTX2: %s with the transfer function %u", facts.name,
                                 (unsigned)transfer);
    struct sch_files_channels channels;
    if (sch_files_channels(format, &channels) && !has_no_curve(&channels)) set_transfer(transfer, texture);
    texture->premultiplied = colours >> 24 & FLAG_PREMULTIPLIED;
    return SCH_OK;
}
