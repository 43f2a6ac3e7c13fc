/* Texel formats: every format that the unit reads, decoded and encoded at every vector width (format_codec.h) and
 * through the operations of every level of src/ops, against format_reference.c. All codes of texels of 8 and 16 bits;
 * of others a million random ones, half of their channels at ends and middles. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "../support/block_reference.h"
#include "../support/format_reference.h"
#include "../support/random_number.h"
#include "format_codec.h"
#include "ops/ops.h"
#include "ops/texture/format.h"

static uint64_t seed = 4;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

/* ---- the two ways to a codec ------------------------------------------------------------------------------ */

struct codec {
    const char *name;
    format_decode_fn *decode; /* NULL: through `ops` */
    format_encode_fn *encode;
    const struct sch_ops *ops;
};
static struct codec codecs[16] = {{"headers w4", format_decode_4, format_encode_4, NULL},
                                  {"headers w8", format_decode_8, format_encode_8, NULL},
                                  {"headers w16", format_decode_16, format_encode_16, NULL}};
static unsigned codec_count = 3;

/* One group's places, as lanes. */
struct group {
    struct sch_sampler_key key;
    struct sch_texture texture;
    struct sch_lanes x, y, slice, mask, value[4];
};

static void set_group(struct group *group, unsigned format, unsigned rules, const struct sch_texture_level *level,
                      uint32_t at, uint32_t count)
{
    group->key = (struct sch_sampler_key){
        .format = (uint16_t)format, .target = SCH_TARGET_2D_ARRAY, .rules = (uint8_t)rules, .swizzle = {0, 1, 2, 3}};
    group->texture = (struct sch_texture){.levels = 1, .layers = 2048, .samples = 1, .level = {*level}};
    for (uint32_t lane = 0; lane < SCH_GROUP_LANES; lane++) {
        uint32_t i = at + lane;
        group->x.u[lane] = i % level->width;
        group->y.u[lane] = i / level->width % level->height;
        group->slice.u[lane] = i / level->width / level->height;
        group->mask.u[lane] = i < count ? UINT32_MAX : 0;
    }
}

static void decode(const struct codec *codec, unsigned format, unsigned rules, const struct sch_texture_level *level,
                   uint32_t count, uint32_t (*value)[4])
{
    if (codec->decode) {
        codec->decode(format, rules, level, 0, count, value);
        return;
    }
    static struct group group;
    for (uint32_t at = 0; at < count; at += SCH_GROUP_LANES) {
        set_group(&group, format, rules, level, at, count);
        struct sch_fetch_request request = {.coordinate = {&group.x, &group.y, &group.slice}, .mask = &group.mask};
        struct sch_lanes *const result[4] = {&group.value[0], &group.value[1], &group.value[2], &group.value[3]};
        codec->ops->fetch(&group.key, &group.texture, &request, result);
        for (uint32_t lane = 0; lane < SCH_GROUP_LANES && at + lane < count; lane++)
            for (unsigned c = 0; c < 4; c++) value[at + lane][c] = group.value[c].u[lane];
    }
}

static void encode(const struct codec *codec, unsigned format, unsigned rules, const struct sch_texture_level *level,
                   bool concurrent, uint32_t count, uint32_t (*value)[4])
{
    if (codec->encode) {
        codec->encode(format, rules, level, concurrent, count, value);
        return;
    }
    static struct group group;
    for (uint32_t at = 0; at < count; at += SCH_GROUP_LANES) {
        set_group(&group, format, rules, level, at, count);
        for (uint32_t lane = 0; lane < SCH_GROUP_LANES && at + lane < count; lane++)
            for (unsigned c = 0; c < 4; c++) group.value[c].u[lane] = value[at + lane][c];
        struct sch_image_request request = {
            .coordinate = {&group.x, &group.y, &group.slice}, .mask = &group.mask, .concurrent = concurrent};
        const struct sch_lanes *const in[4] = {&group.value[0], &group.value[1], &group.value[2], &group.value[3]};
        codec->ops->image_store(&group.key, &group.texture, &request, in);
    }
}

static int setup(void **state)
{
    (void)state;
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++)
        codecs[codec_count++] = (struct codec){.name = levels[i]->name, .ops = levels[i]};
    return 0;
}

/* ---- texels ------------------------------------------------------------------------------------------------ */

/* Memory of the exact size, so that a checker sees any access outside. */
static struct sch_texture_level make_level(const struct ref_row *row, uint32_t width, uint32_t height, uint32_t slices)
{
    struct sch_texture_level level = {.width = width, .height = height, .depth = 1};
    level.row_bytes = (width + row->width - 1) / row->width * row->bytes;
    level.slice_bytes = (uint64_t)level.row_bytes * height;
    level.texels = malloc((size_t)level.slice_bytes * slices);
    assert_non_null(level.texels);
    return level;
}

static uint8_t *block_of(const struct ref_row *row, const struct sch_texture_level *level, uint32_t i)
{
    uint32_t x = i % level->width, y = i / level->width % level->height, slice = i / level->width / level->height;
    return level->texels + slice * level->slice_bytes + (size_t)y * level->row_bytes + x / row->width * row->bytes;
}

static uint32_t code_at_an_end(unsigned bits)
{
    uint32_t max = (uint32_t)(((uint64_t)1 << bits) - 1), middle = max / 2;
    const uint32_t ends[] = {0, 1, max, max - 1, middle, middle + 1, middle + 2, middle - 1, 0xffffff7fu, 0x7fffff80u};
    return ends[next() % (sizeof ends / sizeof *ends)] & max;
}

static void random_block(const struct ref_row *row, uint8_t *block)
{
    for (unsigned i = 0; i < row->bytes; i++) block[i] = (uint8_t)next();
    for (unsigned i = 0; i < row->channels; i++) {
        const struct ref_channel_text *channel = &row->channel[i];
        if (next() % 2) continue;
        if (channel->bits > 32) continue;
        uint32_t code = code_at_an_end(channel->bits);
        for (unsigned b = 0; b < channel->bits; b++) {
            unsigned at = channel->offset + b;
            block[at / 8] = (uint8_t)((block[at / 8] & ~(1u << at % 8)) | (code >> b & 1u) << at % 8);
        }
    }
}

static void fill(const struct ref_row *row, const struct sch_texture_level *level, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += row->width) {
        uint8_t *block = block_of(row, level, i);
        if (row->bytes > 2)
            random_block(row, block);
        else
            for (unsigned b = 0; b < row->bytes; b++) block[b] = (uint8_t)(i / row->width >> (8 * b));
    }
}

static void check_values(const struct ref_row *row, const struct codec *codec, unsigned rules, const uint8_t *block,
                         const uint32_t got[4], const uint32_t expected[4])
{
    if (memcmp(got, expected, 16) == 0) return;
    fprintf(stderr, "%s, %s, rules %u: texel", row->name, codec->name, rules);
    for (unsigned i = 0; i < row->bytes; i++) fprintf(stderr, " %02x", block[i]);
    fail_msg("gives %08x %08x %08x %08x, should be %08x %08x %08x %08x", got[0], got[1], got[2], got[3], expected[0],
             expected[1], expected[2], expected[3]);
}

static uint32_t decode_row(const struct ref_row *row)
{
    uint32_t width = 16, height = 4, codes = row->bytes == 1 ? 256 : 65536;
    uint32_t count = row->bytes > 2 ? 8192 : codes * row->width;
    struct sch_texture_level level = make_level(row, width, height, count / width / height);
    fill(row, &level, count);
    uint32_t(*expected)[4] = malloc(count * sizeof *expected), (*got)[4] = malloc(count * sizeof *got);
    assert_non_null(expected);
    assert_non_null(got);
    for (unsigned rules = 0; rules < (strcmp(row->space, "ZS") == 0 ? 3 : 1); rules++) {
        for (uint32_t i = 0; i < count; i++)
            ref_texel_decode(row, rules, block_of(row, &level, i), i % width, expected[i]);
        for (unsigned c = 0; c < codec_count; c++) {
            memset(got, 0x5a, count * sizeof *got);
            decode(&codecs[c], row->number, rules, &level, count - c, got); /* the last group is not whole */
            for (uint32_t i = 0; i < count - c; i++)
                check_values(row, &codecs[c], rules, block_of(row, &level, i), got[i], expected[i]);
        }
    }
    free(expected);
    free(got);
    free(level.texels);
    return count;
}

static void formats_decode(void **state)
{
    (void)state;
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows), formats = 0;
    uint64_t texels = 0, others = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!rows[i].read) continue;
        uint32_t done = decode_row(&rows[i]);
        formats++;
        texels += done;
        if (rows[i].bytes > 2) others += done;
    }
    assert_true(others >= 1000000);
    print_message("%u formats, %llu texels, %llu of them of more than 16 bits\n", formats, (unsigned long long)texels,
                  (unsigned long long)others);
}

/* The facts that are in the unit's table, against the rows. */
static void formats_have_their_rows(void **state)
{
    (void)state;
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows), read = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct ref_row *row = &rows[i];
        const struct tex_format *format = &tex_formats[row->number];
        const struct block_facts *block = block_facts_of(row->name);
        if ((format->kind != TEX_KIND_NONE) != (row->read || block)) fail_msg("%s", row->name);
        if (tex_is_block(format) != (block != NULL)) fail_msg("%s: blocks", row->name);
        read += row->read || block;
        if (block) assert_int_equal(format->bytes, block->bytes);
        if (block) assert_int_equal(format->flags & ~(TEX_SRGB | TEX_EXACT), 0);
        if (!row->read) continue;
        bool integer = strstr(row->name, "UINT") && strcmp(row->swizzle, "xy__") && strcmp(row->swizzle, "yx__");
        integer = integer || strstr(row->name, "SINT") || row->wide;
        assert_int_equal(format->bytes, row->bytes);
        assert_int_equal(format->block_width, row->width);
        assert_int_equal(format->block_height, 1);
        assert_int_equal(format->block_depth, 1);
        if (!!(format->flags & TEX_STORABLE) != row->stored) fail_msg("%s: storable", row->name);
        if (!!(format->flags & TEX_INTEGER) != integer && strcmp(row->name, "Z24_UNORM_S8_UINT_AS_R8G8B8A8"))
            fail_msg("%s: integer", row->name);
    }
    unsigned kept = 0;
    for (unsigned i = 0; i < SCH_FORMAT_LIMIT; i++) kept += tex_formats[i].kind != TEX_KIND_NONE;
    assert_int_equal(kept, read);
}

/* Whether the channels that are filtered are all UNORM or all SNORM, of at most 16 bits. */
static bool is_exact(const struct ref_row *row)
{
    const struct block_facts *block = block_facts_of(row->name);
    if (block) return block->type != 'f' && strcmp(row->space, "SRGB") != 0;
    if (strcmp(row->layout, "SUBSAMPLED") == 0 || strcmp(row->name, "R1_UNORM") == 0) return true;
    if (!row->read || strcmp(row->space, "SRGB") == 0 || strcmp(row->layout, "PLAIN")) return false;
    const char *type = NULL;
    for (unsigned c = 0; c < (strcmp(row->space, "ZS") == 0 ? 1 : 4); c++) {
        const char *place = strchr("xyzw", row->swizzle[c]);
        if (!place) continue;
        const struct ref_channel_text *channel = &row->channel[place - "xyzw"];
        if (channel->bits > 16 || channel->type[1] != 'n' || (type && strcmp(type, channel->type))) return false;
        type = channel->type;
    }
    return type != NULL;
}

/* Exact-sum formats by their definition, and their codes. */
static void codes_are_exact(void **state)
{
    (void)state;
    static format_codes_fn *const codes[] = {format_codes_4, format_codes_8, format_codes_16};
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows);
    for (unsigned i = 0; i < count; i++) {
        const struct ref_row *row = &rows[i];
        const struct tex_format *format = &tex_formats[row->number];
        if (!!(format->flags & TEX_EXACT) != is_exact(row)) fail_msg("%s: exact", row->name);
        if (!is_exact(row) || !row->read) continue;
        struct sch_texture_level level = make_level(row, 256, 1, 1);
        for (uint32_t t = 0; t < 256; t += row->width) random_block(row, block_of(row, &level, t));
        for (unsigned c = 0; c < 4; c++) {
            unsigned channel = tex_format_component(format, SCH_RULES_TGSI, c);
            if (channel >= TEX_ZERO) continue;
            int32_t max = tex_format_max(format, channel);
            for (unsigned w = 0; w < 3; w++) {
                int32_t code[256];
                codes[w](row->number, &level, channel, 256, code);
                for (uint32_t t = 0; t < 256; t++) {
                    uint32_t value[4];
                    ref_texel_decode(row, SCH_RULES_TGSI, block_of(row, &level, t), t, value);
                    assert_in_range(abs(code[t]), 0, max);
                    assert_int_equal(bits_of((float)code[t] / (float)max), value[c]);
                }
            }
        }
        free(level.texels);
    }
}

/* A texel more than 4 GiB from the first. */
static void far_texels_are_read(void **state)
{
    (void)state;
    const size_t size = ((size_t)5 << 30) + 4096;
    uint8_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) skip();
    struct sch_texture_level level = {.texels = memory, .width = 4, .height = 1, .depth = 1, .row_bytes = 16};
    level.slice_bytes = (uint64_t)1 << 30;
    const uint8_t texel[4] = {1, 2, 3, 4};
    memcpy(memory + ((size_t)5 << 30) + 8, texel, 4);
    for (unsigned c = 0; c < 3; c++) {
        uint32_t value[4];
        codecs[c].decode(SCH_FORMAT_R8G8B8A8_UINT, SCH_RULES_TGSI, &level, 5 * 4 + 2, 1, &value);
        for (unsigned i = 0; i < 4; i++) assert_int_equal(value[i], i + 1);
    }
    munmap(memory, size);
}

/* ---- storing ------------------------------------------------------------------------------------------------- */

static const uint32_t special[] = {
    0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0x7f800000, 0xff800000, 0x00000000, 0x80000000,
    0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f800000, 0xbf800000, 0x3f7fffff,
    0x3f800001, 0xbf800001, 0xbf7fffff, 0x3f000001, 0xbf000001, 0x3effffff, 0x3f000000, 0xbf000000, 0x477fe000,
    0x477fefff, 0x477ff000, 0x477fe001, 0x47800000, 0x477f0000, 0x477f8000, 0x477f7fff, 0x477f8001, 0x4f000000,
    0xcf000000, 0x4f7fffff, 0x4f800000, 0x4effffff, 0x38800000, 0x387fffff, 0x387fe000, 0x33800000, 0x33000000,
    0x33000001, 0x32ffffff, 0x477e0000, 0x477c0000, 0x477dffff, 0x37800000, 0x377fffff, 0x37ff8000, 0x37ff7fff,
    0xfffffff0, 0x000000ff, 0x0000ffff};

/* A float near code k, or (half) near the middle between it and the next. */
static double near_code(const struct ref_channel_text *channel, bool srgb, uint32_t k, double half)
{
    double max = (double)(((uint64_t)1 << channel->bits) - 1), middle = (double)((uint64_t)1 << (channel->bits - 1));
    if (srgb) {
        double s = (k + half) / max;
        return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
    }
    switch (channel->type[0]) {
    case 'u':
        return (k + half) / (channel->type[1] == 'n' ? max : 1);
    case 's':
        return ((double)k - middle + half) / (channel->type[1] == 'n' ? middle - 1 : 1);
    case 'h':
        return ((double)k - middle + half) / 65536;
    default: { /* small floats, also the components of R9G9B9E5 */
        unsigned mantissa_bits = channel->bits == 16 ? 10 : channel->bits == 9 ? 4 : channel->bits - 5;
        uint32_t mantissa = k & ((1u << mantissa_bits) - 1), exponent = k >> mantissa_bits & 31;
        if (exponent) mantissa |= 1u << mantissa_bits;
        double v = ldexp(mantissa + half, (int)(exponent ? exponent : 1) - 15 - (int)mantissa_bits);
        return channel->bits == 16 && k >> 15 ? -v : v;
    }
    }
}

static float nudged(float f, int steps)
{
    for (; steps < 0; steps++) f = nextafterf(f, -INFINITY);
    for (; steps > 0; steps--) f = nextafterf(f, INFINITY);
    return f;
}

/* The i-th of a channel's values: every code's own and its upper end with the floats beside it, then random ones. */
static uint32_t value_of(const struct ref_channel_text *channel, bool srgb, bool all, uint32_t i)
{
    uint32_t codes = channel->bits < 17 ? 1u << channel->bits : 0;
    bool integer = channel->type[1] == 'p';
    if (!all || !codes || i / 4 >= codes) {
        uint32_t kind = next() % 8;
        if (kind == 0) return special[next() % (sizeof special / sizeof *special)];
        if (kind == 1) return next();
        if (kind == 2 && channel->bits == 9) /* the nine bits of the mantissa about to carry into the shared exponent */
            return (105 + next() % 40) << 23 | (0x7fc000 + next() % 5 - 2);
        if (integer) return kind < 5 ? code_at_an_end(channel->bits) : 0u - code_at_an_end(channel->bits);
        uint32_t code = codes ? next() % codes : next();
        if (channel->bits < 32) code &= (1u << channel->bits) - 1;
        return bits_of(nudged((float)near_code(channel, srgb, code, next() % 4 ? 0.5 : 0), (int)(next() % 5) - 2));
    }
    if (integer) return i / 4 - (i % 4 == 1 ? codes / 2 : i % 4 == 2 ? codes : 0);
    double half = i % 4 ? 0.5 : 0;
    return bits_of(nudged((float)near_code(channel, srgb, i / 4, half), i % 4 ? (int)(i % 4) - 2 : 0));
}

/* Whether this row is the first with the channel's type and bits: it is tried with every code. */
static bool is_new(const struct ref_row *row)
{
    static char seen[256][8];
    static unsigned seen_count;
    bool any = false;
    for (unsigned i = 0; i < row->channels; i++) {
        char word[8];
        snprintf(word, sizeof word, "%s%u%s", row->channel[i].type, row->channel[i].bits,
                 row->space[0] == 'S' ? "s" : "");
        unsigned at = 0;
        while (at < seen_count && strcmp(seen[at], word)) at++;
        if (at < seen_count) continue;
        assert_true(seen_count < 256);
        memcpy(seen[seen_count++], word, sizeof word);
        any = true;
    }
    return any;
}

static void set_values(const struct ref_row *row, bool all, uint32_t count, uint32_t (*value)[4])
{
    bool srgb = strcmp(row->space, "SRGB") == 0;
    for (uint32_t i = 0; i < count; i++)
        for (unsigned c = 0; c < 4; c++) {
            const char *place = strchr("xyzw", row->swizzle[c]);
            value[i][c] = place && *place ? value_of(&row->channel[place - "xyzw"], srgb && c < 3, all, i) : next();
        }
}

static uint32_t encode_row(const struct ref_row *row)
{
    bool all = is_new(row);
    unsigned widest = 0;
    for (unsigned i = 0; i < row->channels; i++)
        if (row->channel[i].bits > widest && row->channel[i].bits <= 16) widest = row->channel[i].bits;
    uint32_t width = 16, height = 32, count = 2048;
    if (all && (4u << widest) > count) count = 4u << widest;
    uint32_t(*value)[4] = malloc(count * sizeof *value);
    assert_non_null(value);
    struct sch_texture_level level = make_level(row, width, height, count / width / height);
    struct sch_texture_level expected = make_level(row, width, height, count / width / height);
    size_t bytes = (size_t)count * row->bytes;
    for (unsigned rules = SCH_RULES_TGSI; rules <= SCH_RULES_D3D; rules++) {
        set_values(row, all, count, value);
        for (uint32_t i = 0; i < count; i++) ref_texel_encode(row, rules, value[i], block_of(row, &expected, i));
        for (unsigned c = 0; c < codec_count; c++) {
            memset(level.texels, 0xa5, bytes);
            encode(&codecs[c], row->number, rules, &level, c % 2, count - c, value); /* the last group is not whole */
            for (uint32_t i = 0; i < count - c; i++) {
                const uint8_t *got = block_of(row, &level, i), *should = block_of(row, &expected, i);
                if (memcmp(got, should, row->bytes) == 0) continue;
                fprintf(stderr, "%s, %s, rules %u: %08x %08x %08x %08x; bytes got, expected:", row->name,
                        codecs[c].name, rules, value[i][0], value[i][1], value[i][2], value[i][3]);
                for (unsigned b = 0; b < row->bytes; b++) fprintf(stderr, " %02x/%02x", got[b], should[b]);
                fail_msg("%s is stored wrong", row->name);
            }
            for (size_t b = (size_t)(count - c) * row->bytes; b < bytes; b++) assert_int_equal(level.texels[b], 0xa5);
        }
    }
    free(value);
    free(level.texels);
    free(expected.texels);
    return 2 * count;
}

static void formats_encode(void **state)
{
    (void)state;
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows), formats = 0;
    uint64_t texels = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!rows[i].stored) continue;
        texels += encode_row(&rows[i]);
        formats++;
    }
    assert_true(texels >= 1000000);
    print_message("%u formats, %llu texels\n", formats, (unsigned long long)texels);
}

/* What the unit decodes it stores back, bit by bit: all codes of one channel, no negative zeros among them. */
static void codes_come_back(void **state)
{
    (void)state;
    static const unsigned formats[] = {SCH_FORMAT_R8_UNORM,    SCH_FORMAT_R16_UNORM,   SCH_FORMAT_R8_SRGB,
                                       SCH_FORMAT_R16_UINT,    SCH_FORMAT_R16_SINT,    SCH_FORMAT_R16_USCALED,
                                       SCH_FORMAT_R16_SSCALED, SCH_FORMAT_B5G6R5_SRGB, SCH_FORMAT_B5G5R5A1_UNORM};
    const struct ref_row *rows;
    unsigned count = ref_rows(&rows);
    for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
        const struct ref_row *row = NULL;
        for (unsigned i = 0; i < count; i++)
            if (rows[i].number == formats[f]) row = &rows[i];
        assert_non_null(row);
        uint32_t codes = row->bytes == 1 ? 256 : 65536;
        struct sch_texture_level level = make_level(row, 256, codes / 256, 1);
        uint32_t(*value)[4] = malloc(codes * sizeof *value);
        assert_non_null(value);
        for (unsigned c = 0; c < codec_count; c++) {
            fill(row, &level, codes);
            decode(&codecs[c], row->number, SCH_RULES_D3D, &level, codes, value);
            memset(level.texels, 0, (size_t)codes * row->bytes);
            encode(&codecs[c], row->number, SCH_RULES_D3D, &level, true, codes, value);
            for (uint32_t i = 0; i < codes; i++)
                assert_int_equal(ref_bits_at(block_of(row, &level, i), 0, 8 * row->bytes), i);
        }
        free(value);
        free(level.texels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_have_their_rows), cmocka_unit_test(formats_decode), cmocka_unit_test(codes_are_exact),
        cmocka_unit_test(far_texels_are_read),     cmocka_unit_test(formats_encode), cmocka_unit_test(codes_come_back),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
