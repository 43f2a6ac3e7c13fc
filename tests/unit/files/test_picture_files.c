/* Kinds of files of one picture: texel for texel there and back, small files written by hand from their formats'
 * documents, and files of other programs where those are installed. Damaged files: test_picture_damage.c. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <scheelite/files.h>

#include "../support/random_number.h"
#include "picture_samples.h"

static uint64_t seed = 7;

static uint32_t next(void) { return (uint32_t)(random_number(&seed) >> 32); }

/* ---- formats, as they stand in memory -------------------------------------------------------------- */

enum type { UN8, UN16, F16, F32, UI32, TYPES };
static const size_t bytes_of[TYPES] = {1, 2, 2, 4, 4};

/* A letter for each component in memory: R, G, B, A, L, Z, and X for nothing. */
static const struct format {
    enum sch_format format;
    enum type type;
    const char *memory;
    bool srgb;
} formats[] = {
    {SCH_FORMAT_R8_UNORM, UN8, "R", false},
    {SCH_FORMAT_R8_SRGB, UN8, "R", true},
    {SCH_FORMAT_L8_UNORM, UN8, "L", false},
    {SCH_FORMAT_L8_SRGB, UN8, "L", true},
    {SCH_FORMAT_L8A8_UNORM, UN8, "LA", false},
    {SCH_FORMAT_L8A8_SRGB, UN8, "LA", true},
    {SCH_FORMAT_R8G8_UNORM, UN8, "RG", false},
    {SCH_FORMAT_R8G8B8_UNORM, UN8, "RGB", false},
    {SCH_FORMAT_R8G8B8_SRGB, UN8, "RGB", true},
    {SCH_FORMAT_B8G8R8_UNORM, UN8, "BGR", false},
    {SCH_FORMAT_R8G8B8A8_UNORM, UN8, "RGBA", false},
    {SCH_FORMAT_R8G8B8A8_SRGB, UN8, "RGBA", true},
    {SCH_FORMAT_B8G8R8A8_UNORM, UN8, "BGRA", false},
    {SCH_FORMAT_B8G8R8A8_SRGB, UN8, "BGRA", true},
    {SCH_FORMAT_A8R8G8B8_UNORM, UN8, "ARGB", false},
    {SCH_FORMAT_A8B8G8R8_UNORM, UN8, "ABGR", false},
    {SCH_FORMAT_R8G8B8X8_UNORM, UN8, "RGBX", false},
    {SCH_FORMAT_B8G8R8X8_UNORM, UN8, "BGRX", false},
    {SCH_FORMAT_X8R8G8B8_UNORM, UN8, "XRGB", false},
    {SCH_FORMAT_X8B8G8R8_SRGB, UN8, "XBGR", true},
    {SCH_FORMAT_R16_UNORM, UN16, "R", false},
    {SCH_FORMAT_L16_UNORM, UN16, "L", false},
    {SCH_FORMAT_Z16_UNORM, UN16, "Z", false},
    {SCH_FORMAT_L16A16_UNORM, UN16, "LA", false},
    {SCH_FORMAT_R16G16_UNORM, UN16, "RG", false},
    {SCH_FORMAT_R16G16B16_UNORM, UN16, "RGB", false},
    {SCH_FORMAT_R16G16B16A16_UNORM, UN16, "RGBA", false},
    {SCH_FORMAT_R16G16B16X16_UNORM, UN16, "RGBX", false},
    {SCH_FORMAT_R16_FLOAT, F16, "R", false},
    {SCH_FORMAT_L16_FLOAT, F16, "L", false},
    {SCH_FORMAT_L16A16_FLOAT, F16, "LA", false},
    {SCH_FORMAT_R16G16_FLOAT, F16, "RG", false},
    {SCH_FORMAT_R16G16B16_FLOAT, F16, "RGB", false},
    {SCH_FORMAT_R16G16B16A16_FLOAT, F16, "RGBA", false},
    {SCH_FORMAT_R16G16B16X16_FLOAT, F16, "RGBX", false},
    {SCH_FORMAT_R32_FLOAT, F32, "R", false},
    {SCH_FORMAT_L32_FLOAT, F32, "L", false},
    {SCH_FORMAT_Z32_FLOAT, F32, "Z", false},
    {SCH_FORMAT_L32A32_FLOAT, F32, "LA", false},
    {SCH_FORMAT_R32G32_FLOAT, F32, "RG", false},
    {SCH_FORMAT_R32G32B32_FLOAT, F32, "RGB", false},
    {SCH_FORMAT_R32G32B32A32_FLOAT, F32, "RGBA", false},
    {SCH_FORMAT_R32G32B32X32_FLOAT, F32, "RGBX", false},
    {SCH_FORMAT_R32_UINT, UI32, "R", false},
    {SCH_FORMAT_L32_UINT, UI32, "L", false},
    {SCH_FORMAT_L32A32_UINT, UI32, "LA", false},
    {SCH_FORMAT_R32G32_UINT, UI32, "RG", false},
    {SCH_FORMAT_R32G32B32_UINT, UI32, "RGB", false},
    {SCH_FORMAT_R32G32B32A32_UINT, UI32, "RGBA", false},
    {SCH_FORMAT_R32G32B32X32_UINT, UI32, "RGBX", false},
};
enum { FORMATS = sizeof formats / sizeof *formats, VALUES = 8 };

/* The same numbers as halves and as floats: 1, 0.5, 0, 0.25, 65504, 2^-24, -2, infinity. */
static const uint16_t halves[VALUES] = {0x3c00, 0x3800, 0, 0x3400, 0x7bff, 0x0001, 0xc000, 0x7c00};
static const uint32_t floats[VALUES] = {0x3f800000, 0x3f000000, 0,          0x3e800000,
                                        0x477fe000, 0x33800000, 0xc0000000, 0x7f800000};

static const struct format *format_named(enum sch_format format)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].format == format) return &formats[i];
    fail_msg("format %d", (int)format);
    return NULL;
}

/* The number that component `value` of a texel has in memory, whose meaning is the same in every type. */
static uint32_t bits_of(enum type type, uint32_t value)
{
    return type == F16 ? halves[value] : type == F32 ? floats[value] : value;
}

static uint32_t one_of(enum type type)
{
    static const uint32_t ones[TYPES] = {0xff, 0xffff, 0x3c00, 0x3f800000, 1};
    return ones[type];
}

static uint32_t load(const uint8_t *at, size_t bytes)
{
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static void store(uint8_t *at, size_t bytes, uint32_t value)
{
    for (size_t i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * i);
}

/* A picture, and the values behind its texels: values[4 * texel + component in memory]. */
struct sample {
    const struct format *format;
    struct sch_file_texture texture;
    uint32_t *values;
};

/* `values`: how many of the table's numbers are used, for floats. `smooth`: neighbours are alike, as in pictures. */
static struct sample make_sample(const struct format *format, uint32_t width, uint32_t height, uint32_t values,
                                 bool opaque, bool smooth)
{
    const size_t components = strlen(format->memory), count = (size_t)width * height, bytes = bytes_of[format->type];
    struct sample sample = {.format = format,
                            .texture = {.size = sizeof sample.texture,
                                        .target = SCH_TARGET_2D,
                                        .format = format->format,
                                        .width = width,
                                        .height = height,
                                        .depth = 1,
                                        .layers = 1,
                                        .levels = 1}};
    sample.texture.bytes = count * components * bytes;
    sample.texture.texels = malloc(sample.texture.bytes);
    sample.values = calloc(count * 4, sizeof *sample.values);
    assert_non_null(sample.texture.texels);
    assert_non_null(sample.values);
    const uint32_t most = format->type == UN8 ? 0xff : format->type == UN16 ? 0xffff : UINT32_MAX;
    const bool table = format->type == F16 || format->type == F32;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < components; c++) {
            uint32_t value = table    ? next() % values
                             : smooth ? (uint32_t)(i % width + c * 9 + next() % 3) & most
                                      : next() & most;
            if (opaque && format->memory[c] == 'A') value = table ? 0 : one_of(format->type);
            sample.values[4 * i + c] = value;
            store(sample.texture.texels + (i * components + c) * bytes, bytes, bits_of(format->type, value));
        }
    return sample;
}

static void free_sample(struct sample *sample)
{
    free(sample->texture.texels);
    free(sample->values);
}

/* Whether two letters are the same channel: a picture of one channel may come back under another name. */
static bool same_channel(char wanted, char has, bool single)
{
    return wanted == has || (single && wanted != 'A' && has != 'A');
}

/* What was read has `format`, and in each channel what was written, or else 1 for alpha and 0 for colours. */
static void check_texels(const struct sample *sample, const struct sch_file_texture *read, enum sch_format format)
{
    assert_int_equal(read->format, format);
    assert_int_equal(read->target, SCH_TARGET_2D);
    assert_int_equal(read->width, sample->texture.width);
    assert_int_equal(read->height, sample->texture.height);
    assert_int_equal(read->depth * read->layers * read->levels, 1);
    const struct format *to = format_named(format), *from = sample->format;
    const size_t components = strlen(to->memory), bytes = bytes_of[to->type];
    const bool single = strcspn(from->memory, "A") == 1;
    assert_int_equal(read->bytes, (size_t)read->width * read->height * components * bytes);
    for (size_t i = 0; i < (size_t)read->width * read->height; i++)
        for (size_t c = 0; c < components; c++) {
            uint32_t wanted = to->memory[c] == 'A' ? one_of(to->type) : 0;
            for (size_t f = 0; from->memory[f]; f++)
                if (same_channel(to->memory[c], from->memory[f], single))
                    wanted = bits_of(to->type, sample->values[4 * i + f]);
            const uint32_t has = load(read->texels + (i * components + c) * bytes, bytes);
            if (has != wanted)
                fail_msg("%d as %d, texel %zu, component %zu: %#x, not %#x", (int)from->format, (int)format, i, c, has,
                         wanted);
        }
}

static struct sch_file_texture read_texture(const void *data, size_t bytes)
{
    struct sch_file_texture texture = {.size = sizeof texture};
    struct sch_file_error error = {.size = sizeof error};
    const enum sch_result result = sch_file_texture_read(NULL, data, bytes, &texture, &error);
    if (result != SCH_OK) fail_msg("%d: %s", (int)result, error.message);
    assert_int_equal(error.code, 0);
    return texture;
}

static struct sch_file_bytes write_texture(enum sch_file_kind kind, const struct sch_file_texture *texture,
                                           const struct sch_file_write_options *options)
{
    struct sch_file_bytes file;
    struct sch_file_error error = {.size = sizeof error};
    const enum sch_result result = sch_file_texture_write(options, kind, texture, &file, &error);
    if (result != SCH_OK) fail_msg("%d: %s", (int)result, error.message);
    assert_int_equal(sch_file_kind_of(file.data, file.bytes), kind);
    return file;
}

static void round_trip(enum sch_file_kind kind, const struct sample *sample, enum sch_format format)
{
    struct sch_file_bytes file = write_texture(kind, &sample->texture, NULL);
    struct sch_file_texture read = read_texture(file.data, file.bytes);
    check_texels(sample, &read, format);
    sch_file_texture_release(&read);
    sch_file_bytes_release(&file);
}

static const uint32_t sizes[][2] = {{1, 1}, {3, 2}, {7, 5}, {8, 3}, {17, 5}, {300, 2}, {2, 300}};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* ---- PNG and PNM ----------------------------------------------------------------------------------- */

/* Red, luminance or depth alone are grey; colours come back with alpha. */
static enum sch_format fractions_as(const struct format *format)
{
    const bool wide = format->type == UN16, alpha = strchr(format->memory, 'A') != NULL;
    if (strlen(format->memory) > 2) return wide ? SCH_FORMAT_R16G16B16A16_UNORM : SCH_FORMAT_R8G8B8A8_UNORM;
    if (alpha) return wide ? SCH_FORMAT_L16A16_UNORM : SCH_FORMAT_L8A8_UNORM;
    return wide ? SCH_FORMAT_L16_UNORM : SCH_FORMAT_L8_UNORM;
}

static bool is_fraction(const struct format *format)
{
    return format->type <= UN16 && strcmp(format->memory, "RG") != 0;
}

static void fractions_go_round(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t s = 0; s < SIZES && is_fraction(&formats[f]); s++)
            for (int opaque = 0; opaque < 2; opaque++) {
                struct sample sample = make_sample(&formats[f], sizes[s][0], sizes[s][1], 0, opaque, s % 2);
                round_trip(SCH_FILE_KIND_PNG, &sample, fractions_as(&formats[f]));
                round_trip(SCH_FILE_KIND_PNM, &sample, fractions_as(&formats[f]));
                free_sample(&sample);
            }
}

/* Every level of compression, and pictures of several bands; the bytes do not depend on the threads. */
static void levels_and_threads(void **state)
{
    (void)state;
    static const enum sch_format some[] = {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_R16G16B16A16_UNORM,
                                           SCH_FORMAT_L8_UNORM};
    for (unsigned f = 0; f < 3; f++)
        for (int level = -1; level <= 12; level++) {
            struct sample sample = make_sample(format_named(some[f]), 611, level > 6 ? 50 : 433, 0, f == 0, level % 3);
            struct sch_file_bytes first = {0};
            for (uint32_t threads = 0; threads < 6; threads += 1 + threads) {
                const struct sch_file_write_options options = {.size = sizeof options,
                                                               .has_compression = level >= 0,
                                                               .compression = level < 0 ? 99 : (uint32_t)level,
                                                               .threads = threads};
                struct sch_file_bytes file = write_texture(SCH_FILE_KIND_PNG, &sample.texture, &options);
                struct sch_file_texture read = read_texture(file.data, file.bytes);
                check_texels(&sample, &read, fractions_as(sample.format));
                sch_file_texture_release(&read);
                if (!first.data) {
                    first = file;
                    continue;
                }
                assert_int_equal(file.bytes, first.bytes);
                assert_memory_equal(file.data, first.data, first.bytes);
                sch_file_bytes_release(&file);
            }
            sch_file_bytes_release(&first);
            free_sample(&sample);
        }
}

/* Stored bands have all their bytes; small ones are smaller than what the levels below make of smooth pictures. */
static void levels_make_smaller_files(void **state)
{
    (void)state;
    struct sample sample = make_sample(format_named(SCH_FORMAT_R8G8B8A8_UNORM), 400, 300, 0, false, true);
    size_t bytes[3];
    for (unsigned i = 0; i < 3; i++) {
        const struct sch_file_write_options options = {
            .size = sizeof options, .has_compression = true, .compression = 6 * i};
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_PNG, &sample.texture, &options);
        bytes[i] = file.bytes;
        sch_file_bytes_release(&file);
    }
    assert_true(bytes[0] > sample.texture.bytes);
    assert_true(bytes[1] < bytes[0] / 2);
    assert_true(bytes[2] < bytes[1]);
    free_sample(&sample);
}

static void curves_go_round(void **state)
{
    (void)state;
    static const struct {
        enum sch_format format;
        enum sch_file_transfer given, read;
        float gamma;
    } cases[] = {{SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILE_TRANSFER_UNKNOWN, SCH_FILE_TRANSFER_UNKNOWN, 0},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILE_TRANSFER_LINEAR, SCH_FILE_TRANSFER_LINEAR, 0},
                 {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FILE_TRANSFER_SRGB, SCH_FILE_TRANSFER_SRGB, 0},
                 {SCH_FORMAT_R8G8B8A8_SRGB, SCH_FILE_TRANSFER_UNKNOWN, SCH_FILE_TRANSFER_SRGB, 0},
                 {SCH_FORMAT_R8G8B8A8_SRGB, SCH_FILE_TRANSFER_LINEAR, SCH_FILE_TRANSFER_SRGB, 0},
                 {SCH_FORMAT_L16_UNORM, SCH_FILE_TRANSFER_GAMMA, SCH_FILE_TRANSFER_GAMMA, 0.45455f},
                 {SCH_FORMAT_L16_UNORM, SCH_FILE_TRANSFER_GAMMA, SCH_FILE_TRANSFER_GAMMA, 0.5f}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sample sample = make_sample(format_named(cases[i].format), 3, 2, 0, false, false);
        sample.texture.transfer = cases[i].given;
        sample.texture.gamma = cases[i].gamma;
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_PNG, &sample.texture, NULL);
        struct sch_file_texture read = read_texture(file.data, file.bytes);
        assert_int_equal(read.transfer, cases[i].read);
        assert_true(fabsf(read.gamma - cases[i].gamma) < 1e-6f);
        sch_file_texture_release(&read);
        sch_file_bytes_release(&file);
        free_sample(&sample);
    }
}

/* Chunk cICP behind the header (PNG 3rd edition, 11.3.2.6) goes before sRGB and gAMA. */
static void coded_curves_are_read(void **state)
{
    (void)state;
    static const struct {
        uint8_t transfer;
        enum sch_file_transfer read;
    } cases[] = {{13, SCH_FILE_TRANSFER_SRGB}, {8, SCH_FILE_TRANSFER_LINEAR}, {16, SCH_FILE_TRANSFER_GAMMA}};
    struct sample sample = make_sample(format_named(SCH_FORMAT_L8_UNORM), 3, 2, 0, false, false);
    sample.texture.transfer = SCH_FILE_TRANSFER_GAMMA;
    sample.texture.gamma = 0.7f;
    struct sch_file_bytes file = write_texture(SCH_FILE_KIND_PNG, &sample.texture, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum { HEAD = 8 + 25 };
        const uint8_t chunk[8] = {'c', 'I', 'C', 'P', 1, cases[i].transfer, 0, 1};
        uint8_t data[1024];
        assert_true(file.bytes + 16 < sizeof data);
        memcpy(data, file.data, HEAD);
        picture_put_32(data + HEAD, 4);
        memcpy(data + HEAD + 4, chunk, sizeof chunk);
        picture_put_32(data + HEAD + 12, picture_crc(chunk, sizeof chunk));
        memcpy(data + HEAD + 16, file.data + HEAD, file.bytes - HEAD);
        struct sch_file_texture read = read_texture(data, file.bytes + 16);
        assert_int_equal(read.transfer, cases[i].read);
        sch_file_texture_release(&read);
    }
    sch_file_bytes_release(&file);
    free_sample(&sample);
}

/* Netpbm's documents: each small file, and the samples that it means. */
static void pnm_by_hand(void **state)
{
    (void)state;
#define FILE_OF(text) text, sizeof text - 1
    static const struct {
        const char *data;
        size_t bytes;
        enum sch_format format;
        uint32_t width, height;
        uint8_t texels[24];
    } cases[] = {
        {FILE_OF("P1\n# a comment\n3 2\n1 0 1\n010"), SCH_FORMAT_L8_UNORM, 3, 2, {0, 255, 0, 255, 0, 255}},
        {FILE_OF("P4 9 2\n\x80\x80\x01\x00"),
         SCH_FORMAT_L8_UNORM,
         9,
         2,
         {0, 255, 255, 255, 255, 255, 255, 255, 0, 255, 255, 255, 255, 255, 255, 255, 0, 255}},
        {FILE_OF("P2 2 1 15 3 15"), SCH_FORMAT_L8_UNORM, 2, 1, {51, 255}},
        {FILE_OF("P2#c\n2\t1 100 50# half\n1"), SCH_FORMAT_L8_UNORM, 2, 1, {128, 3}},   /* 127.5, 2.55 */
        {FILE_OF("P2 2 1 1000 1 1000"), SCH_FORMAT_L16_UNORM, 2, 1, {66, 0, 255, 255}}, /* 65.535 */
        {FILE_OF("P5 2 1 255\n\x07\xff"), SCH_FORMAT_L8_UNORM, 2, 1, {7, 255}},
        {FILE_OF("P5 2 1 65535\n\x01\x02\xff\xfe"), SCH_FORMAT_L16_UNORM, 2, 1, {2, 1, 0xfe, 0xff}},
        {FILE_OF("P5 1 1 256\n\x01\x00"), SCH_FORMAT_L16_UNORM, 1, 1, {255, 255}},
        {FILE_OF("P3 1 2 7 0 1 7 2 3 4"), SCH_FORMAT_R8G8B8A8_UNORM, 1, 2, {0, 36, 255, 255, 73, 109, 146, 255}},
        {FILE_OF("P6 2 1 255\n\x01\x02\x03\x04\x05\x06"),
         SCH_FORMAT_R8G8B8A8_UNORM,
         2,
         1,
         {1, 2, 3, 255, 4, 5, 6, 255}},
        {FILE_OF("P6 1 1 65535\n\x01\x02\x03\x04\x05\x06"),
         SCH_FORMAT_R16G16B16A16_UNORM,
         1,
         1,
         {2, 1, 4, 3, 6, 5, 255, 255}},
        {FILE_OF("P7\n# c\nWIDTH 1\nHEIGHT 2\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\x01\x02\x03\x04"),
         SCH_FORMAT_L8A8_UNORM,
         1,
         2,
         {1, 2, 3, 4}},
        {FILE_OF("P7\nMAXVAL 1\nDEPTH 1\nWIDTH 2\nHEIGHT 1\nENDHDR\n\x01\x00"), SCH_FORMAT_L8_UNORM, 2, 1, {255, 0}},
        {FILE_OF("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n\x01\x02\x03\x04"),
         SCH_FORMAT_R8G8B8A8_UNORM,
         1,
         1,
         {1, 2, 3, 4}},
        {FILE_OF("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 65535\nENDHDR\n\x01\x02\x03\x04\x05\x06"),
         SCH_FORMAT_R16G16B16A16_UNORM,
         1,
         1,
         {2, 1, 4, 3, 6, 5, 255, 255}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(sch_file_kind_of(cases[i].data, cases[i].bytes), SCH_FILE_KIND_PNM);
        struct sch_file_texture read = read_texture(cases[i].data, cases[i].bytes);
        assert_int_equal(read.format, cases[i].format);
        assert_int_equal(read.width, cases[i].width);
        assert_int_equal(read.height, cases[i].height);
        assert_memory_equal(read.texels, cases[i].texels, read.bytes);
        sch_file_texture_release(&read);
    }
}

/* ---- floats ------------------------------------------------------------------------------------------ */

static bool is_float(const struct format *format) { return format->type == F16 || format->type == F32; }

/* OpenEXR's words for what a format has; colours come back with alpha. */
static enum sch_format exr_as(const struct format *format)
{
    if (strlen(format->memory) <= 2) return format->memory[0] == 'Z' ? SCH_FORMAT_Z32_FLOAT : format->format;
    return format->type == F16   ? SCH_FORMAT_R16G16B16A16_FLOAT
           : format->type == F32 ? SCH_FORMAT_R32G32B32A32_FLOAT
                                 : SCH_FORMAT_R32G32B32A32_UINT;
}

static bool has(enum sch_file_kind kind)
{
    struct sch_file_kind_info info = {.size = sizeof info};
    assert_int_equal(sch_file_kind_get_info(kind, &info), SCH_OK);
    return !info.needs;
}

static void exr_goes_round(void **state)
{
    (void)state;
    if (!has(SCH_FILE_KIND_EXR)) skip();
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t s = 0; s < SIZES && formats[f].type >= F16; s++)
            for (int opaque = 0; opaque < 2; opaque++) {
                struct sample sample = make_sample(&formats[f], sizes[s][0], sizes[s][1], VALUES, opaque, false);
                struct sch_file_bytes file = write_texture(SCH_FILE_KIND_EXR, &sample.texture, NULL);
                struct sch_file_bytes again = write_texture(SCH_FILE_KIND_EXR, &sample.texture, NULL);
                assert_int_equal(file.bytes, again.bytes);
                assert_memory_equal(file.data, again.data, file.bytes);
                struct sch_file_texture read = read_texture(file.data, file.bytes);
                check_texels(&sample, &read, exr_as(&formats[f]));
                assert_int_equal(read.transfer, SCH_FILE_TRANSFER_LINEAR);
                if (opaque || !strchr(formats[f].memory, 'A')) assert_false(read.premultiplied);
                sch_file_texture_release(&read);
                sch_file_bytes_release(&file);
                sch_file_bytes_release(&again);
                free_sample(&sample);
            }
}

static void pfm_goes_round(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        if (!is_float(&formats[f]) || strcmp(formats[f].memory, "RG") == 0) continue;
        const bool color = strlen(formats[f].memory) > 2;
        for (size_t s = 0; s < SIZES; s++) {
            struct sample sample = make_sample(&formats[f], sizes[s][0], sizes[s][1], VALUES, true, false);
            round_trip(SCH_FILE_KIND_PFM, &sample, color ? SCH_FORMAT_R32G32B32_FLOAT : SCH_FORMAT_R32_FLOAT);
            free_sample(&sample);
        }
    }
}

/* Of 1, 0.5, 0 and 0.25 the mantissas have a common exponent. */
static void hdr_goes_round(void **state)
{
    (void)state;
    for (size_t f = 0; f < FORMATS; f++) {
        if (!is_float(&formats[f]) || strlen(formats[f].memory) < 3) continue;
        for (size_t s = 0; s < SIZES; s++) {
            struct sample sample = make_sample(&formats[f], sizes[s][0], sizes[s][1], 4, true, false);
            round_trip(SCH_FILE_KIND_HDR, &sample, SCH_FORMAT_R32G32B32_FLOAT);
            free_sample(&sample);
        }
    }
}

static void pfm_by_hand(void **state)
{
    (void)state;
    static const float wanted[] = {3, 4, 1, 2}; /* the file's first row is the lowest */
    static const char low[] = "Pf\n2 2\n-1.0\n\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40\0\0\x80\x40";
    static const char high[] = "Pf 2 2 2.5e0\n\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x40\x80\0\0";
    static const char color[] = "PF\n1 1\n+1\n\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0";
    static const float colors[] = {1, 2, 3};
    struct sch_file_texture read = read_texture(low, sizeof low - 1);
    assert_int_equal(read.format, SCH_FORMAT_R32_FLOAT);
    assert_int_equal(read.transfer, SCH_FILE_TRANSFER_LINEAR);
    assert_memory_equal(read.texels, wanted, sizeof wanted);
    sch_file_texture_release(&read);
    read = read_texture(high, sizeof high - 1);
    assert_memory_equal(read.texels, wanted, sizeof wanted);
    sch_file_texture_release(&read);
    read = read_texture(color, sizeof color - 1);
    assert_int_equal(read.format, SCH_FORMAT_R32G32B32_FLOAT);
    assert_memory_equal(read.texels, colors, sizeof colors);
    sch_file_texture_release(&read);
}

/* ---- Radiance ------------------------------------------------------------------------------------------ */

/* The red of texel (x, y) of a picture whose pixels have red 16 * number (mantissa = number of the pixel in the file
 * + 1, exponent 140). */
static void check_number(const struct sch_file_texture *read, uint32_t x, uint32_t y, unsigned number)
{
    float rgb[3];
    memcpy(rgb, read->texels + ((size_t)y * read->width + x) * sizeof rgb, sizeof rgb);
    assert_true(rgb[0] == 16 * (float)number && rgb[1] == 32 && rgb[2] == 48);
}

/* All eight orientations of three by two pixels (Radiance's file formats: Y rises, and goes upwards). */
static void hdr_orientations(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 8; which++) {
        const bool by_rows = which & 1, y_falls = which & 2, x_falls = which & 4;
        char head[80];
        const char y = y_falls ? '-' : '+', x = x_falls ? '-' : '+';
        const int length = by_rows ? sprintf(head, "#?RADIANCE\n\n%cY 2 %cX 3\n", y, x)
                                   : sprintf(head, "#?RGBE\nFORMAT=32-bit_rle_rgbe\n# x\n\n%cX 3 %cY 2\n", x, y);
        uint8_t data[128];
        memcpy(data, head, (size_t)length);
        for (uint8_t i = 0; i < 6; i++) {
            const uint8_t pixel[4] = {(uint8_t)(i + 1), 2, 3, 140};
            memcpy(data + length + 4 * i, pixel, 4);
        }
        struct sch_file_texture read = read_texture(data, (size_t)length + 24);
        assert_int_equal(read.width, 3);
        assert_int_equal(read.height, 2);
        assert_int_equal(read.format, SCH_FORMAT_R32G32B32_FLOAT);
        for (unsigned i = 0; i < 6; i++) {
            const unsigned column = by_rows ? i % 3 : i / 2, row = by_rows ? i / 3 : i % 2;
            check_number(&read, x_falls ? 2 - column : column, y_falls ? row : 1 - row, i + 1);
        }
        sch_file_texture_release(&read);
    }
}

/* A scanline of eight pixels in each of the three ways. */
static void hdr_runs(void **state)
{
    (void)state;
    static const char runs[] = "#?RADIANCE\n\n-Y 1 +X 8\n"
                               "\x02\x02\x00\x08"
                               "\x03\x01\x02\x03\x85\x04" /* 1 2 3 4 4 4 4 4 */
                               "\x88\x02"
                               "\x88\x03"
                               "\x84\x8c\x04\x8c\x8c\x8c\x8c";
    static const char old[] = "#?RADIANCE\n\n-Y 1 +X 8\n"
                              "\x01\x02\x03\x8c\x02\x02\x03\x8c\x03\x02\x03\x8c\x04\x02\x03\x8c\x01\x01\x01\x04";
    struct sch_file_texture read = read_texture(runs, sizeof runs - 1);
    for (unsigned x = 0; x < 8; x++) check_number(&read, x, 0, x < 3 ? x + 1 : 4);
    sch_file_texture_release(&read);
    read = read_texture(old, sizeof old - 1);
    for (unsigned x = 0; x < 8; x++) check_number(&read, x, 0, x < 3 ? x + 1 : 4);
    sch_file_texture_release(&read);
    /* Repeats that follow each other count more: 1 + 3 + 256 * 2 pixels. */
    static const char many[] = "#?RADIANCE\n\n-Y 1 +X 516\n\x05\x02\x03\x8c\x01\x01\x01\x03\x01\x01\x01\x02";
    read = read_texture(many, sizeof many - 1);
    assert_int_equal(read.width, 516);
    for (unsigned x = 0; x < 516; x++) check_number(&read, x, 0, 5);
    sch_file_texture_release(&read);
}

/* Every exponent and mantissa means m * 2^(e - 136), and comes back if it is what a writer chooses. */
static void hdr_numbers(void **state)
{
    (void)state;
    enum { WIDTH = 256, HEAD = 32 };
    static uint8_t data[HEAD + 256 * (4 + 4 * (WIDTH + 2))];
    assert_int_equal(sprintf((char *)data, "#?RADIANCE\n\n-Y %06d +X %06d\n", 256, WIDTH), HEAD);
    uint8_t *to = data + HEAD;
    for (unsigned e = 0; e < 256; e++) {
        const uint8_t head[4] = {2, 2, WIDTH >> 8, WIDTH & 255};
        memcpy(to, head, 4);
        to += 4;
        for (unsigned c = 0; c < 4; c++)
            for (unsigned half = 0; half < 2; half++) {
                *to++ = 128;
                for (unsigned m = 128 * half; m < 128 * half + 128; m++)
                    *to++ = (uint8_t)(c == 0 ? m : c == 1 ? 255 : c == 2 ? 255 - m : e);
            }
    }
    struct sch_file_texture read = read_texture(data, (size_t)(to - data));
    for (unsigned e = 0; e < 256; e++)
        for (unsigned m = 0; m < 256; m++) {
            float rgb[3];
            memcpy(rgb, read.texels + (e * WIDTH + m) * sizeof rgb, sizeof rgb);
            const int power = (int)e - 136;
            assert_true(rgb[0] == (e ? ldexpf((float)m, power) : 0));
            assert_true(rgb[1] == (e ? ldexpf(255, power) : 0));
            assert_true(rgb[2] == (e ? ldexpf((float)(255 - m), power) : 0));
        }
    struct sch_file_bytes file = write_texture(SCH_FILE_KIND_HDR, &read, NULL);
    struct sch_file_texture again = read_texture(file.data, file.bytes);
    assert_int_equal(again.bytes, read.bytes);
    assert_memory_equal(again.texels, read.texels, read.bytes);
    sch_file_bytes_release(&file);
    sch_file_texture_release(&again);
    sch_file_texture_release(&read);
}

/* What no RGBE is becomes the nearest one. */
static void hdr_rounds(void **state)
{
    (void)state;
    static const struct {
        float given[3], read[3];
    } cases[] = {{{-1, NAN, 0}, {0, 0, 0}},
                 {{1, 0.001f, 0.002f}, {1, 0, 0}},                       /* 0.128 and 0.256 of 128 */
                 {{1, 0.004f, 0.0117f}, {1, 1 / 128.f, 1 / 128.f}},      /* 0.512, 1.4976 */
                 {{255.4f, 255.5f, 0}, {256, 256, 0}},                   /* mantissas of 2: 127.7, 127.75 */
                 {{INFINITY, 1e38f, 0}, {255 * 0x1p119f, 0x96p119f, 0}}, /* 150.46 of 2^119 */
                 {{0x1p-149f, 0, 0}, {0, 0, 0}},
                 {{0x1.8p-136f, 0, 0}, {0x1p-135f, 0, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float texel[3];
        memcpy(texel, cases[i].given, sizeof texel);
        const struct sch_file_texture texture = {.size = sizeof texture,
                                                 .target = SCH_TARGET_2D,
                                                 .format = SCH_FORMAT_R32G32B32_FLOAT,
                                                 .width = 1,
                                                 .height = 1,
                                                 .depth = 1,
                                                 .layers = 1,
                                                 .levels = 1,
                                                 .texels = (uint8_t *)texel,
                                                 .bytes = sizeof texel};
        struct sch_file_bytes file = write_texture(SCH_FILE_KIND_HDR, &texture, NULL);
        struct sch_file_texture read = read_texture(file.data, file.bytes);
        float rgb[3];
        memcpy(rgb, read.texels, sizeof rgb);
        for (unsigned c = 0; c < 3; c++)
            if (rgb[c] != cases[i].read[c]) fail_msg("case %zu channel %u: %a", i, c, (double)rgb[c]);
        sch_file_texture_release(&read);
        sch_file_bytes_release(&file);
    }
}

/* ---- JPEG ------------------------------------------------------------------------------------------------ */

static void jpeg_by_hand(void **state)
{
    (void)state;
    if (!has(SCH_FILE_KIND_JPEG)) skip();
    for (int colored = 0; colored < 2; colored++) {
        struct picture_bytes file = picture_jpeg(colored);
        struct sch_file_texture read = read_texture(file.data, file.count);
        assert_int_equal(read.width, 8);
        assert_int_equal(read.height, 8);
        assert_int_equal(read.format, colored ? SCH_FORMAT_R8G8B8A8_UNORM : SCH_FORMAT_L8_UNORM);
        assert_int_equal(read.transfer, SCH_FILE_TRANSFER_UNKNOWN);
        for (size_t i = 0; i < read.bytes; i++) assert_int_equal(read.texels[i], colored && i % 4 == 3 ? 255 : 165);
        sch_file_texture_release(&read);
    }
}

/* ---- OpenEXR by its documents ------------------------------------------------------------------------------ */

static void exr_by_hand(void **state)
{
    (void)state;
    if (!has(SCH_FILE_KIND_EXR)) skip();
    /* Channels stand in the order of their names. */
    static const struct {
        const char *names;
        int type;
        enum sch_format format;
        const char *components; /* of a texel; 0 and 1 are those numbers */
    } cases[] = {{"BGR", PICTURE_HALF, SCH_FORMAT_R16G16B16A16_FLOAT, "RGB1"},
                 {"ABGR", PICTURE_FLOAT, SCH_FORMAT_R32G32B32A32_FLOAT, "RGBA"},
                 {"ABGRZ", PICTURE_HALF, SCH_FORMAT_R16G16B16A16_FLOAT, "RGBA"},
                 {"BG", PICTURE_HALF, SCH_FORMAT_R16G16B16A16_FLOAT, "0GB1"},
                 {"GR", PICTURE_FLOAT, SCH_FORMAT_R32G32_FLOAT, "RG"},
                 {"R", PICTURE_UINT, SCH_FORMAT_R32_UINT, "R"},
                 {"AR", PICTURE_UINT, SCH_FORMAT_R32G32B32A32_UINT, "R00A"},
                 {"Y", PICTURE_HALF, SCH_FORMAT_L16_FLOAT, "Y"},
                 {"AY", PICTURE_FLOAT, SCH_FORMAT_L32A32_FLOAT, "YA"},
                 {"Z", PICTURE_FLOAT, SCH_FORMAT_Z32_FLOAT, "Z"},
                 {"Z", PICTURE_HALF, SCH_FORMAT_R16_FLOAT, "Z"},
                 {"q", PICTURE_FLOAT, SCH_FORMAT_R32_FLOAT, "q"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t bytes = cases[i].type == PICTURE_HALF ? 2 : 4, components = strlen(cases[i].components);
        const uint32_t one = cases[i].type == PICTURE_HALF ? 0x3c00 : cases[i].type == PICTURE_UINT ? 1 : 0x3f800000;
        struct picture_bytes file = picture_exr(cases[i].names, cases[i].type, 1, 0);
        struct sch_file_texture read = read_texture(file.data, file.count);
        assert_int_equal(read.format, cases[i].format);
        assert_int_equal(read.width, PICTURE_EXR_WIDTH);
        assert_int_equal(read.height, PICTURE_EXR_HEIGHT);
        for (uint32_t y = 0; y < read.height; y++)
            for (uint32_t x = 0; x < read.width; x++)
                for (size_t c = 0; c < components; c++) {
                    const char name = cases[i].components[c];
                    const uint32_t wanted = name == '0' ? 0 : name == '1' ? one : picture_exr_sample(name, x, y);
                    assert_int_equal(load(read.texels + ((y * read.width + x) * components + c) * bytes, bytes),
                                     wanted);
                }
        sch_file_texture_release(&read);
    }
}

static void exr_refuses(void **state)
{
    (void)state;
    if (!has(SCH_FILE_KIND_EXR)) skip();
    struct {
        struct picture_bytes file;
        const char *word;
    } cases[] = {{picture_exr("BGR", PICTURE_HALF, 2, 0), "resolution"},
                 {picture_exr("ab", PICTURE_HALF, 1, 0), "channel"},
                 {picture_exr("BGR", PICTURE_HALF, 1, 0x1000), "parts"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sch_file_texture texture = {.size = sizeof texture};
        struct sch_file_error error = {.size = sizeof error};
        const enum sch_result result =
            sch_file_texture_read(NULL, cases[i].file.data, cases[i].file.count, &texture, &error);
        if (i == 2) { /* a flag that the rest of the file does not keep */
            assert_true(result == SCH_ERROR_UNSUPPORTED || result == SCH_ERROR_INVALID);
            continue;
        }
        assert_int_equal(result, SCH_ERROR_UNSUPPORTED);
        assert_int_equal(error.code, 6106);
        assert_non_null(strstr(error.message, cases[i].word));
    }
}

/* ---- what is refused --------------------------------------------------------------------------------------- */

static void check_refused(enum sch_file_kind kind, const struct sch_file_texture *texture, unsigned code)
{
    struct sch_file_bytes file;
    struct sch_file_error error = {.size = sizeof error};
    assert_int_equal(sch_file_texture_write(NULL, kind, texture, &file, &error), SCH_ERROR_UNSUPPORTED);
    assert_int_equal(error.code, code);
    assert_non_null(error.message[0] ? error.message : NULL);
    assert_null(file.data);
}

static void refuses_to_lose(void **state)
{
    (void)state;
    enum { FORM = 6106, FORMAT = 6107 };
    static const enum sch_file_kind kinds[] = {SCH_FILE_KIND_PNG, SCH_FILE_KIND_PNM, SCH_FILE_KIND_PFM,
                                               SCH_FILE_KIND_HDR, SCH_FILE_KIND_EXR};
    for (size_t f = 0; f < FORMATS; f++) {
        struct sample sample = make_sample(&formats[f], 4, 4, 4, false, false);
        const bool fraction = is_fraction(&formats[f]), number = is_float(&formats[f]);
        const bool rg = strcmp(formats[f].memory, "RG") == 0, alpha = strchr(formats[f].memory, 'A') != NULL;
        const bool color = strlen(formats[f].memory) > 2 || formats[f].memory[0] == 'L';
        const bool can[] = {fraction, fraction, number && !rg && !alpha, number && color && !alpha,
                            formats[f].type >= F16 && has(SCH_FILE_KIND_EXR)};
        for (unsigned k = 0; k < 5; k++) {
            if (!has(kinds[k])) continue;
            if (!can[k]) check_refused(kinds[k], &sample.texture, FORMAT);
            if (!can[k]) continue;
            struct sch_file_texture other = sample.texture;
            other.levels = 2;
            other.bytes = 0;
            struct sch_file_bytes file;
            assert_int_equal(sch_file_texture_write(NULL, kinds[k], &other, &file, NULL), SCH_ERROR_ARGUMENT);
            other = sample.texture;
            other.target = SCH_TARGET_2D_ARRAY;
            check_refused(kinds[k], &other, FORM);
            other = sample.texture;
            other.premultiplied = true;
            if (alpha && kinds[k] != SCH_FILE_KIND_EXR) check_refused(kinds[k], &other, FORM);
        }
        check_refused(SCH_FILE_KIND_JPEG, &sample.texture, has(SCH_FILE_KIND_JPEG) ? FORM : 6105);
        free_sample(&sample);
    }
}

static void refuses_wrong_options(void **state)
{
    (void)state;
    struct sample sample = make_sample(format_named(SCH_FORMAT_L8_UNORM), 4, 4, 4, false, false);
    struct sch_file_bytes file;
    struct sch_file_write_options options = {.size = sizeof options, .has_compression = true, .compression = 13};
    assert_int_equal(sch_file_texture_write(&options, SCH_FILE_KIND_PNG, &sample.texture, &file, NULL),
                     SCH_ERROR_ARGUMENT);
    static const float wrong[] = {0, -1, NAN, INFINITY, 1e9f};
    sample.texture.transfer = SCH_FILE_TRANSFER_GAMMA;
    for (unsigned i = 0; i < 5; i++) {
        sample.texture.gamma = wrong[i];
        assert_int_equal(sch_file_texture_write(NULL, SCH_FILE_KIND_PNG, &sample.texture, &file, NULL),
                         SCH_ERROR_ARGUMENT);
        assert_null(file.data);
    }
    free_sample(&sample);
}

static void kinds_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        enum sch_file_kind kind;
    } cases[] = {{"a.png", SCH_FILE_KIND_PNG},    {"a.b/C.JPG", SCH_FILE_KIND_JPEG}, {"x.jpeg", SCH_FILE_KIND_JPEG},
                 {"x.ppm", SCH_FILE_KIND_PNM},    {"x.pam", SCH_FILE_KIND_PNM},      {"x.pfm", SCH_FILE_KIND_PFM},
                 {"x.hdr", SCH_FILE_KIND_HDR},    {"x.pic", SCH_FILE_KIND_HDR},      {"x.exr", SCH_FILE_KIND_EXR},
                 {"x.pn", SCH_FILE_KIND_UNKNOWN}, {"x.pngg", SCH_FILE_KIND_UNKNOWN}, {"x.png/y", SCH_FILE_KIND_UNKNOWN},
                 {"exr", SCH_FILE_KIND_UNKNOWN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sch_file_kind_by_name(cases[i].path), cases[i].kind);
    struct sch_file_kind_info info = {.size = sizeof info};
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_JPEG, &info), SCH_OK);
    assert_false(info.writes);
    assert_int_equal(sch_file_kind_get_info(SCH_FILE_KIND_HDR, &info), SCH_OK);
    assert_true(info.writes && !info.textures && !info.needs);
}

/* ---- other programs ------------------------------------------------------------------------------------------ */

/* What ImageMagick makes of one picture in two kinds must have the same texels; both ways, so that neither may err. */
static void other_programs(void **state)
{
    (void)state;
    if (system("convert -version >/dev/null 2>&1") != 0) skip();
    const char *place = getenv("TMPDIR");
    char folder[200], command[512];
    snprintf(folder, sizeof folder, "%s/scheelite-pictures-XXXXXX", place ? place : P_tmpdir);
    assert_non_null(mkdtemp(folder));
    static const char *const pairs[][3] = {{"png", "ppm", "-depth 8"},
                                           {"png", "pam", "-depth 8 -alpha on -channel A -evaluate multiply 0.5"},
                                           {"png", "pgm", "-depth 16 -colorspace Gray"},
                                           {"png", "ppm", "-depth 16"},
                                           {"pam", "ppm", "-compress none -depth 8"},
                                           {"png", "pbm", "-monochrome"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct sch_file_texture read[2];
        for (unsigned side = 0; side < 2; side++) {
            snprintf(command, sizeof command, "convert -size 40x30 plasma:fractal -seed 5 %s '%s/a.miff' 2>/dev/null",
                     pairs[i][2], folder);
            if (side == 0) assert_int_equal(system(command), 0);
            snprintf(command, sizeof command, "convert '%s/a.miff' %s '%s/a.%s'", folder,
                     i == 4 ? "-compress none" : "", folder, pairs[i][side]);
            assert_int_equal(system(command), 0);
            char path[256];
            snprintf(path, sizeof path, "%s/a.%s", folder, pairs[i][side]);
            struct picture_bytes file = picture_file(path);
            read[side] = read_texture(file.data, file.count);
        }
        /* ImageMagick writes grey PNGs of fewer bits where it can; the texels are the same. */
        assert_int_equal(read[0].format, read[1].format);
        assert_int_equal(read[0].bytes, read[1].bytes);
        assert_memory_equal(read[0].texels, read[1].texels, read[0].bytes);
        for (unsigned side = 0; side < 2; side++) sch_file_texture_release(&read[side]);
    }
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions_go_round),
        cmocka_unit_test(levels_and_threads),
        cmocka_unit_test(levels_make_smaller_files),
        cmocka_unit_test(curves_go_round),
        cmocka_unit_test(coded_curves_are_read),
        cmocka_unit_test(pnm_by_hand),
        cmocka_unit_test(exr_goes_round),
        cmocka_unit_test(pfm_goes_round),
        cmocka_unit_test(hdr_goes_round),
        cmocka_unit_test(pfm_by_hand),
        cmocka_unit_test(hdr_orientations),
        cmocka_unit_test(hdr_runs),
        cmocka_unit_test(hdr_numbers),
        cmocka_unit_test(hdr_rounds),
        cmocka_unit_test(jpeg_by_hand),
        cmocka_unit_test(exr_by_hand),
        cmocka_unit_test(exr_refuses),
        cmocka_unit_test(refuses_to_lose),
        cmocka_unit_test(refuses_wrong_options),
        cmocka_unit_test(kinds_have_names),
        cmocka_unit_test(other_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
