/* KTX files of version 2 (Khronos, "KTX File Format Specification, Version 2.0": ktxspec). Holds no formats
 * (ktx2_format.c, ktx2_dfd.c) and no compression (deflated.c). */
#include <string.h>

#include "base/checked.h"
#include "files/deflated.h"
#include "files/kinds.h"
#include "files/ktx2_format.h"
#include "files/ktx_shared.h"

static const uint8_t identifier[SCH_KTX_IDENTIFIER_BYTES] = {0xab, 'K',  'T',  'X',  ' ',  '2',
                                                             '0',  0xbb, '\r', '\n', 0x1a, '\n'};
/* Where members of the header and the index are. */
enum {
    AT_FORMAT = 12,
    AT_WIDTH = 20,
    AT_SCHEME = 44,
    AT_DFD = 48,
    AT_PAIRS = 56,
    AT_GLOBAL = 64,
    AT_LEVELS = 80,
    LEVEL_BYTES = 24
};
/* supercompressionScheme */
enum { SCHEME_NONE = 0, SCHEME_BASIS_LZ = 1, SCHEME_ZSTD = 2, SCHEME_ZLIB = 3 };
enum { FORMAT_UNDEFINED = 0, FORMAT_D16_S8 = 128, FORMAT_PVRTC = 1000054000, FORMAT_PVRTC_LAST = 1000054007 };

bool sch_files_ktx2_is(const uint8_t *data, size_t bytes)
{
    return bytes >= sizeof identifier && memcmp(data, identifier, sizeof identifier) == 0;
}

/* ---- reading ---- */

static uint64_t long_at(const uint8_t *at) { return sch_word_at(at) | (uint64_t)sch_word_at(at + 4) << 32; }

/* Whether bytes of the file are there, after what the header has. */
static bool is_part(const struct sch_files_reader *reader, uint64_t offset, uint64_t bytes)
{
    return offset >= AT_LEVELS + LEVEL_BYTES && offset <= reader->bytes && bytes <= reader->bytes - offset;
}

static enum sch_result read_scheme(const struct sch_files_reader *reader, enum sch_file_supercompression *scheme)
{
    const uint32_t number = sch_word_at(reader->data + AT_SCHEME);
    *scheme = SCH_FILE_SUPERCOMPRESSION_NONE;
    if (number == SCHEME_NONE) return SCH_OK;
    if (number == SCHEME_BASIS_LZ)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORM, "KTX2 with BasisLZ supercompression is not read");
    if (number != SCHEME_ZSTD && number != SCHEME_ZLIB)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORM, "KTX2 with supercompression %u is not read",
                                     (unsigned)number);
    *scheme = number == SCHEME_ZSTD ? SCH_FILE_SUPERCOMPRESSION_ZSTD : SCH_FILE_SUPERCOMPRESSION_ZLIB;
    if (long_at(reader->data + AT_GLOBAL + 8))
        return sch_files_damaged(reader->error, "damaged KTX2: global data of a supercompression that has none");
    const char *lacks = sch_files_lacks(*scheme);
    if (!lacks) return SCH_OK;
    return sch_files_unsupported(reader->error, SCH_D_FILE_LIBRARY,
                                 "the supercompression is read with %s, which this build lacks", lacks);
}

static enum sch_result refuse_format(const struct sch_files_reader *reader, uint32_t number)
{
    if (number == FORMAT_UNDEFINED)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT,
                                     "KTX2 texels of VK_FORMAT_UNDEFINED are not read");
    if (number >= FORMAT_PVRTC && number <= FORMAT_PVRTC_LAST)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "KTX2 texels of PVRTC are not read");
    return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "KTX2 texels of VkFormat %u%s are not read",
                                 (unsigned)number, number == FORMAT_D16_S8 ? " (D16_UNORM_S8_UINT)" : "");
}

/* The descriptor and the key/value data; a swizzle makes another format of the texels. */
static enum sch_result read_words(const struct sch_files_reader *reader, struct sch_ktx_pairs *pairs,
                                  struct sch_file_texture *texture)
{
    const uint8_t *data = reader->data, *value;
    const uint32_t number = sch_word_at(data + AT_FORMAT);
    const uint32_t dfd = sch_word_at(data + AT_DFD), dfd_bytes = sch_word_at(data + AT_DFD + 4);
    const uint32_t at = sch_word_at(data + AT_PAIRS), pair_bytes = sch_word_at(data + AT_PAIRS + 4);
    const enum sch_format base = sch_ktx2_of_number(number);
    if (!is_part(reader, dfd, dfd_bytes))
        return sch_files_damaged(reader->error, "damaged KTX2: its data format descriptor is not there");
    enum sch_result result = sch_ktx2_read_dfd(reader, data + dfd, dfd_bytes, base, texture);
    if (result != SCH_OK) return result;
    if (base == SCH_FORMAT_NONE) return refuse_format(reader, number);
    texture->format = base;
    if (!pair_bytes) return SCH_OK;
    if (!is_part(reader, at, pair_bytes))
        return sch_files_damaged(reader->error, "damaged KTX2: its key/value data are not there");
    *pairs = (struct sch_ktx_pairs){.data = data + at, .bytes = pair_bytes};
    if (!sch_ktx_pairs_are_whole(pairs))
        return sch_files_damaged(reader->error, "damaged KTX2: its key/value data are not whole");
    size_t bytes;
    if (sch_ktx_find(pairs, "KTXcubemapIncomplete", &value, &bytes))
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORM,
                                     "an incomplete cube (KTXcubemapIncomplete) is not read");
    if (!sch_ktx_find(pairs, "KTXswizzle", &value, &bytes)) return SCH_OK;
    char swizzle[5] = {0};
    if (bytes < 4) return sch_files_damaged(reader->error, "damaged KTX2: a KTXswizzle of %zu bytes", bytes);
    for (int i = 0; i < 4; i++) swizzle[i] = value[i] && strchr("rgba01", value[i]) ? (char)value[i] : '?';
    texture->format = sch_ktx2_swizzled(base, swizzle);
    if (texture->format != SCH_FORMAT_NONE) return SCH_OK;
    return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "no format is %s with the KTXswizzle %s",
                                 sch_files_format_name(base), swizzle);
}

/* "pixelHeight must not be 0 for block-compressed formats", "pixelDepth must not be 0 for block-compressed formats that
 * have block depth greater than 1", and the other way round: "pixelDepth must be 0 for depth or stencil formats". */
static bool fits_blocks(const struct sch_file_texture *texture)
{
    struct sch_files_format format;
    struct sch_files_channels channels;
    const bool line = texture->target == SCH_TARGET_1D || texture->target == SCH_TARGET_1D_ARRAY;
    const bool volume = texture->target == SCH_TARGET_3D;
    if (!sch_files_format(texture->format, &format) || !sch_files_channels(texture->format, &channels)) return false;
    return !(line && format.height > 1) && !(!volume && format.depth > 1) && !(volume && channels.depth);
}

/* The place of a level in the file, and how many bytes it has there and here. */
struct place {
    uint64_t offset, bytes, inflated;
};

static struct place place_of(const struct sch_files_reader *reader, uint32_t level)
{
    const uint8_t *entry = reader->data + AT_LEVELS + (size_t)level * LEVEL_BYTES;
    return (struct place){long_at(entry), long_at(entry + 8), long_at(entry + 16)};
}

/* How many bytes of a level the file has: all, unless it was cut off. */
static size_t bytes_there(const struct sch_files_reader *reader, const struct place *place)
{
    const uint64_t left = place->offset < reader->bytes ? reader->bytes - place->offset : 0;
    return (size_t)(place->bytes < left ? place->bytes : left);
}

/* Warns of a file that was cut off. The largest level is the last one there ("Mip Level Array"), so no level is left
 * out. */
static void warn_of_cut(const struct sch_files_reader *reader, const struct sch_file_texture *texture)
{
    unsigned long long there = 0, all = 0;
    unsigned whole = 0;
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct place place = place_of(reader, i);
        const size_t bytes = bytes_there(reader, &place);
        there += bytes;
        all += place.bytes;
        whole += bytes == place.bytes;
    }
    if (there < all)
        sch_files_warn(reader, SCH_D_FILE_CUT, "cut off: %llu of %llu bytes of levels; %u of %u levels are whole",
                       there, all, whole, (unsigned)texture->levels);
}

/* All that the index says is checked before memory is taken. */
static enum sch_result check_levels(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                                    enum sch_file_supercompression scheme)
{
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct place place = place_of(reader, i);
        const struct sch_files_level level = sch_files_level(texture, i);
        if (place.inflated != level.bytes)
            return sch_files_damaged(reader->error, "damaged KTX2: level %u of %llu bytes where its size needs %zu",
                                     (unsigned)i, (unsigned long long)place.inflated, level.bytes);
        const bool could_be = place.bytes <= UINT64_MAX / 64 && place.offset <= UINT64_MAX / 64;
        if (!is_part(reader, place.offset, place.bytes) && !(reader->lenient && could_be))
            return sch_files_damaged(reader->error, "damaged KTX2: level %u is not there", (unsigned)i);
        if (!sch_files_can_inflate(scheme, (size_t)place.bytes, level.bytes))
            return sch_files_damaged(reader->error, "damaged KTX2: level %u in too few bytes", (unsigned)i);
    }
    return SCH_OK;
}

static enum sch_result read_levels(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                                   enum sch_file_supercompression scheme)
{
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct place place = place_of(reader, i);
        const struct sch_files_level level = sch_files_level(texture, i);
        const uint8_t *from = reader->data + (place.offset < reader->bytes ? place.offset : 0);
        uint8_t *to = texture->texels + level.offset;
        const size_t there = bytes_there(reader, &place);
        bool lost_memory;
        if (there < place.bytes) memset(to, 0, level.bytes);
        if (scheme == SCH_FILE_SUPERCOMPRESSION_NONE) {
            if (there) memcpy(to, from, there < level.bytes ? there : level.bytes);
        } else if (there < place.bytes) {
            continue; /* what is compressed is there whole, or not at all */
        } else if (!sch_files_inflate(scheme, reader->limits.memory, from, (size_t)place.bytes, to, level.bytes,
                                      &lost_memory)) {
            if (lost_memory) return SCH_ERROR_MEMORY;
            return sch_files_damaged(reader->error, "damaged KTX2: the compressed bytes of level %u", (unsigned)i);
        }
    }
    return SCH_OK;
}

/* KTXorientation: a letter an axis. Slices stay in their order, whatever it says of R. */
static enum sch_result orient(const struct sch_files_reader *reader, const struct sch_ktx_pairs *pairs,
                              struct sch_file_texture *texture)
{
    const uint8_t *value;
    size_t bytes;
    if (!sch_ktx_find(pairs, "KTXorientation", &value, &bytes) || !bytes) return SCH_OK;
    return sch_ktx_orient(reader, texture, (char)value[0], bytes > 1 && value[1] ? (char)value[1] : 'd');
}

enum sch_result sch_files_ktx2_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    const uint8_t *data = reader->data;
    enum sch_file_supercompression scheme;
    struct sch_ktx_pairs pairs = {0};
    struct sch_ktx_counts counts;
    size_t bytes;
    if (reader->bytes < AT_LEVELS + LEVEL_BYTES)
        return sch_files_damaged(reader->error, "damaged KTX2: it ends in its header");
    counts = (struct sch_ktx_counts){sch_word_at(data + AT_WIDTH),      sch_word_at(data + AT_WIDTH + 4),
                                     sch_word_at(data + AT_WIDTH + 8),  sch_word_at(data + AT_WIDTH + 12),
                                     sch_word_at(data + AT_WIDTH + 16), sch_word_at(data + AT_WIDTH + 20)};
    enum sch_result result = read_scheme(reader, &scheme);
    if (result == SCH_OK) result = read_words(reader, &pairs, texture);
    if (result == SCH_OK) result = sch_ktx_read_counts(reader, &counts, texture);
    if (result == SCH_OK) result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if (!fits_blocks(texture))
        return sch_files_damaged(reader->error,
                                 "damaged KTX2: %s in a texture without the axes of its blocks, or with depth",
                                 sch_files_format_name(texture->format));
    if ((reader->bytes - AT_LEVELS) / LEVEL_BYTES < texture->levels)
        return sch_files_damaged(reader->error, "damaged KTX2: it ends in its level index");
    result = check_levels(reader, texture, scheme);
    if (result == SCH_OK) result = sch_files_allocate(reader, texture);
    if (result == SCH_OK) warn_of_cut(reader, texture);
    if (result == SCH_OK) result = read_levels(reader, texture, scheme);
    return result == SCH_OK ? orient(reader, &pairs, texture) : result;
}

/* ---- writing ---- */

static const char *orientation_of(enum sch_target target)
{
    if (target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY) return "r";
    return target == SCH_TARGET_3D ? "rdi" : "rd";
}

static void write_long(struct sch_bytes *file, uint64_t number)
{
    sch_bytes_word(file, (uint32_t)number);
    sch_bytes_word(file, (uint32_t)(number >> 32));
}

static void patch_long(struct sch_bytes *file, size_t at, uint64_t number)
{
    if (file->status != SCH_OK) return;
    sch_bytes_patch_word(file, at, (uint32_t)number);
    sch_bytes_patch_word(file, at + 4, (uint32_t)(number >> 32));
}

/* Header and index, of which the places are filled in later. */
static void write_header(struct sch_bytes *file, const struct sch_file_texture *texture,
                         const struct sch_ktx2_words *words, uint32_t scheme)
{
    const struct sch_ktx_counts counts = sch_ktx_counts(texture);
    sch_bytes_append(file, identifier, sizeof identifier);
    sch_bytes_word(file, words->number);
    sch_bytes_word(file, words->type_size);
    sch_bytes_word(file, counts.width);
    sch_bytes_word(file, counts.height);
    sch_bytes_word(file, counts.depth);
    sch_bytes_word(file, counts.elements);
    sch_bytes_word(file, counts.faces);
    sch_bytes_word(file, counts.levels);
    sch_bytes_word(file, scheme);
    for (int i = 0; i < 4; i++) sch_bytes_word(file, 0);
    write_long(file, 0);
    write_long(file, 0);
    for (uint32_t i = 0; i < texture->levels; i++)
        for (int k = 0; k < 3; k++) write_long(file, 0);
}

/* The descriptor, and the pairs in the order of their keys. */
static void write_words(struct sch_bytes *file, const struct sch_file_texture *texture,
                        const struct sch_ktx2_words *words)
{
    static const char writer[] = "Scheelite";
    const char *orientation = orientation_of(texture->target);
    const size_t dfd = file->size;
    sch_ktx2_write_dfd(file, texture, sch_ktx2_base(words));
    const size_t pairs = file->size;
    sch_ktx_write_pair(file, "KTXorientation", orientation, strlen(orientation) + 1);
    if (words->swizzle[0]) sch_ktx_write_pair(file, "KTXswizzle", words->swizzle, sizeof words->swizzle);
    sch_ktx_write_pair(file, "KTXwriter", writer, sizeof writer);
    if (file->status != SCH_OK) return;
    sch_bytes_patch_word(file, AT_DFD, (uint32_t)dfd);
    sch_bytes_patch_word(file, AT_DFD + 4, (uint32_t)(pairs - dfd));
    sch_bytes_patch_word(file, AT_PAIRS, (uint32_t)pairs);
    sch_bytes_patch_word(file, AT_PAIRS + 4, (uint32_t)(file->size - pairs));
}

/* mipPadding: to a multiple of the texel block and of 4 bytes, unless levels are compressed. */
static void pad_level(struct sch_bytes *file, uint32_t block_bytes)
{
    static const uint8_t zeros[256];
    uint32_t alignment = block_bytes;
    while (alignment % 4) alignment += block_bytes;
    sch_bytes_append(file, zeros, (alignment - file->size % alignment) % alignment);
}

/* The smallest level first (ktxspec, "Mip Level Array"). */
static enum sch_result write_levels(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    const enum sch_file_supercompression scheme = writer->options.supercompression;
    struct sch_bytes *file = writer->file;
    struct sch_files_format format;
    if (!sch_files_format(texture->format, &format)) return SCH_ERROR_INTERNAL;
    for (uint32_t i = texture->levels; i-- > 0;) {
        const struct sch_files_level level = sch_files_level(texture, i);
        const uint8_t *from = texture->texels + level.offset;
        const size_t entry = AT_LEVELS + (size_t)i * LEVEL_BYTES;
        if (scheme == SCH_FILE_SUPERCOMPRESSION_NONE) pad_level(file, format.bytes);
        const size_t begin = file->size;
        if (scheme == SCH_FILE_SUPERCOMPRESSION_NONE)
            sch_bytes_append(file, from, level.bytes);
        else if (!sch_files_deflate(scheme, writer->limits.memory, from, level.bytes, file))
            return SCH_ERROR_MEMORY;
        patch_long(file, entry, begin);
        patch_long(file, entry + 8, file->size - begin);
        patch_long(file, entry + 16, level.bytes);
    }
    return SCH_OK;
}

enum sch_result sch_files_ktx2_write(const struct sch_files_writer *writer)
{
    static const uint32_t schemes[] = {[SCH_FILE_SUPERCOMPRESSION_NONE] = SCHEME_NONE,
                                       [SCH_FILE_SUPERCOMPRESSION_ZSTD] = SCHEME_ZSTD,
                                       [SCH_FILE_SUPERCOMPRESSION_ZLIB] = SCHEME_ZLIB};
    const struct sch_file_texture *texture = writer->texture;
    const unsigned scheme = writer->options.supercompression;
    struct sch_ktx2_words words;
    if (scheme >= sizeof schemes / sizeof *schemes)
        return sch_files_wrong(writer->error, "options.supercompression", "there is none with number %u", scheme);
    const char *lacks = sch_files_lacks(writer->options.supercompression);
    if (lacks)
        return sch_files_unsupported(writer->error, SCH_D_FILE_LIBRARY,
                                     "the supercompression is written with %s, which this build lacks", lacks);
    if (!sch_ktx2_words(texture->format, &words))
        return sch_files_unsupported(
            writer->error, SCH_D_FILE_FORMAT,
            "KTX2 has no texels of %s: formats that Vulkan has, and their colours in another order, "
            "are written",
            sch_files_format_name(texture->format));
    if (!fits_blocks(texture))
        return sch_files_unsupported(writer->error, SCH_D_FILE_FORM, "KTX2 has no %s in textures of these axes",
                                     sch_files_format_name(texture->format));
    write_header(writer->file, texture, &words, schemes[scheme]);
    write_words(writer->file, texture, &words);
    return write_levels(writer);
}
