/* DDS files: Microsoft's "Programming Guide for DDS" and the reference of DDS_HEADER, DDS_PIXELFORMAT and
 * DDS_HEADER_DXT10. Holds no formats (dds_format.c).
 *
 * Layers follow each other, each with all of its levels; a texture here has the levels outermost. The guide
 * asks readers to compute the pitch, since many files have a wrong one: what counts is the size of the file. */
#include <string.h>

#include "base/checked.h"
#include "files/dds_exchange.h"
#include "files/dds_format.h"
#include "files/kinds.h"

enum {
    MAGIC = 0x20534444, /* "DDS " */
    HEADER_BYTES = 124,
    SHORT_HEADER_BYTES = 24, /* what some writers say it is */
    PIXELS_BYTES = 32,
    DX10_AT = 128, /* with the magic */
    DX10_BYTES = 20,
    CUBE_FACES = 6,
    LAST_NUMBER = 255, /* codes up to it are D3DFORMATs, not letters */
    ROW_ALIGNMENT = 4  /* of rows that some writers pad */
};

/* Where members of DDS_HEADER are in the file, and its flags. */
enum {
    AT_SIZE = 4,
    AT_FLAGS = 8,
    AT_HEIGHT = 12,
    AT_WIDTH = 16,
    AT_PITCH = 20,
    AT_DEPTH = 24,
    AT_LEVELS = 28,
    AT_PIXELS = 76,
    AT_CAPS_2 = 112
};
enum {
    FLAG_CAPS = 0x1,
    FLAG_HEIGHT = 0x2,
    FLAG_WIDTH = 0x4,
    FLAG_PITCH = 0x8,
    FLAG_PIXELS = 0x1000,
    FLAG_LEVELS = 0x20000,
    FLAG_LINEAR_SIZE = 0x80000,
    FLAG_DEPTH = 0x800000
};
enum { CAPS_COMPLEX = 0x8, CAPS_TEXTURE = 0x1000, CAPS_LEVELS = 0x400000 };
enum { CAPS_2_CUBE = 0x200, CAPS_2_FACES = 0xfc00, CAPS_2_VOLUME = 0x200000 };
enum { DIMENSION_1D = 2, DIMENSION_2D = 3, DIMENSION_3D = 4 };
enum { MISC_CUBE = 0x4, MISC_2_ALPHA_MODE = 7 };
enum { ALPHA_UNKNOWN = 0, ALPHA_PREMULTIPLIED = 2, ALPHA_OPAQUE = 3 };

bool sch_files_dds_is(const uint8_t *data, size_t bytes) { return bytes >= 4 && sch_word_at(data) == MAGIC; }

/* ---- reading ---- */

static enum sch_result refuse_pixels(const struct sch_files_reader *reader, const struct sch_dds_pixels *pixels)
{
    enum { P8_WITH_ALPHA = 40, P8 = 41 };
    const bool is_code = pixels->flags & SCH_DDS_FOURCC;
    if (pixels->flags & SCH_DDS_PALETTES || (is_code && (pixels->letters == P8_WITH_ALPHA || pixels->letters == P8)))
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of a palette are not read");
    if (is_code && pixels->letters <= LAST_NUMBER)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of D3DFORMAT %u are not read",
                                     (unsigned)pixels->letters);
    if (is_code) {
        char name[5] = {0};
        for (int i = 0; i < 4; i++) {
            char c = (char)(pixels->letters >> 8 * i);
            name[i] = c >= ' ' && c <= '~' ? c : '.';
        }
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of the code %s (%u) are not read",
                                     name, (unsigned)pixels->letters);
    }
    if (pixels->flags & SCH_DDS_YUV)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of YUV masks are not read");
    return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT,
                                 "no format has %u bits with the masks %x %x %x %x (flags %x)", (unsigned)pixels->bits,
                                 (unsigned)pixels->masks[0], (unsigned)pixels->masks[1], (unsigned)pixels->masks[2],
                                 (unsigned)pixels->masks[3], (unsigned)pixels->flags);
}

/* The old header: format, cube or volume. */
static enum sch_result read_old(const struct sch_files_reader *reader, const struct sch_dds_pixels *pixels,
                                struct sch_file_texture *texture, bool *exchanged)
{
    const uint32_t caps_2 = sch_word_at(reader->data + AT_CAPS_2), flags = sch_word_at(reader->data + AT_FLAGS);
    const struct sch_dds_meaning meaning = sch_dds_of_pixels(pixels);
    if (meaning.format == SCH_FORMAT_NONE) return refuse_pixels(reader, pixels);
    if (meaning.odd)
        sch_files_warn(reader, SCH_D_FILE_HEADER, "%s (%s)", meaning.odd, sch_files_format_name(meaning.format));
    texture->format = meaning.format;
    texture->premultiplied = meaning.premultiplied;
    if (meaning.srgb) texture->transfer = SCH_FILE_TRANSFER_SRGB;
    *exchanged = meaning.exchanged;
    texture->target = SCH_TARGET_2D;
    texture->layers = 1;
    if (caps_2 & CAPS_2_CUBE) {
        if ((caps_2 & CAPS_2_FACES) != CAPS_2_FACES)
            return sch_files_unsupported(reader->error, SCH_D_FILE_FORM,
                                         "a DDS cube without some of its six faces (flags %x) is not read",
                                         (unsigned)(caps_2 & CAPS_2_FACES));
        texture->target = SCH_TARGET_CUBE;
        texture->layers = CUBE_FACES;
    } else if (caps_2 & CAPS_2_VOLUME || (flags & FLAG_DEPTH && texture->depth > 1)) {
        texture->target = SCH_TARGET_3D;
    }
    return SCH_OK;
}

/* The number of layers that the DX10 header says, and with it the target. */
static enum sch_result read_dimension(const struct sch_files_reader *reader, uint32_t dimension, bool cube,
                                      uint32_t count, struct sch_file_texture *texture)
{
    if (!count) sch_files_warn(reader, SCH_D_FILE_HEADER, "an array of 0 elements: one is read");
    if (!count) count = 1;
    texture->layers = count;
    if (cube) {
        size_t layers;
        if (dimension != DIMENSION_2D) return sch_files_damaged(reader->error, "damaged DDS: a cube that is not 2D");
        if (!sch_mul_size(count, CUBE_FACES, &layers) || layers > UINT32_MAX)
            return sch_files_damaged(reader->error, "damaged DDS: an array of %u cubes", (unsigned)count);
        texture->target = count == 1 ? SCH_TARGET_CUBE : SCH_TARGET_CUBE_ARRAY;
        texture->layers = (uint32_t)layers;
        return SCH_OK;
    }
    switch (dimension) {
    case DIMENSION_1D:
        texture->target = count == 1 ? SCH_TARGET_1D : SCH_TARGET_1D_ARRAY;
        if (texture->height > 1) return sch_files_damaged(reader->error, "damaged DDS: a 1D texture with height");
        texture->height = 1;
        return SCH_OK;
    case DIMENSION_2D:
        texture->target = count == 1 ? SCH_TARGET_2D : SCH_TARGET_2D_ARRAY;
        return SCH_OK;
    case DIMENSION_3D:
        texture->target = SCH_TARGET_3D;
        if (count > 1)
            return sch_files_unsupported(reader->error, SCH_D_FILE_FORM, "a DDS array of 3D textures is not read");
        return SCH_OK;
    default:
        return sch_files_damaged(reader->error, "damaged DDS: resource dimension %u", (unsigned)dimension);
    }
}

static enum sch_result read_dx10(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    if (reader->bytes < DX10_AT + DX10_BYTES)
        return sch_files_damaged(reader->error, "damaged DDS: it ends in its DX10 header");
    const uint8_t *header = reader->data + DX10_AT;
    const uint32_t number = sch_word_at(header), alpha = sch_word_at(header + 16) & MISC_2_ALPHA_MODE;
    texture->format = sch_dds_of_dxgi(number, alpha == ALPHA_OPAQUE);
    texture->premultiplied = alpha == ALPHA_PREMULTIPLIED;
    if (texture->format == SCH_FORMAT_NONE)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of DXGI_FORMAT %u are not read",
                                     (unsigned)number);
    return read_dimension(reader, sch_word_at(header + 4), sch_word_at(header + 8) & MISC_CUBE,
                          sch_word_at(header + 12), texture);
}

/* ---- texels of a file ---- */

/* How texels are in a file: `pitch` bytes from row to row of the only level, or, if it is 0, rows of all levels that
 * begin at multiples of `alignment`; and after the levels of a layer so many bytes that are not read. */
struct rows {
    size_t alignment, pitch, unread;
};

static size_t row_step(const struct rows *rows, const struct sch_files_level *level)
{
    return rows->pitch ? rows->pitch : (level->row_bytes + rows->alignment - 1) / rows->alignment * rows->alignment;
}

/* The bytes that texels take up so; false: more than memory. */
static bool count_bytes(const struct sch_file_texture *texture, const struct rows *rows, size_t *bytes)
{
    size_t sum = rows->unread, part;
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct sch_files_level level = sch_files_level(texture, i);
        if (!sch_mul_size(row_step(rows, &level), level.rows, &part) || !sch_mul_size(part, level.slices, &part) ||
            !sch_add_size(sum, part, &sum))
            return false;
    }
    return sch_mul_size(sum, texture->layers, bytes);
}

static bool take_exactly(const struct sch_file_texture *texture, const struct rows *rows, size_t there)
{
    size_t bytes;
    return count_bytes(texture, rows, &bytes) && bytes == there;
}

/* Rows that are not as the guide has them, where the file's size proves it. The header names `extra` levels that do not
 * exist; their texels may be there. False: nothing is proved. */
static bool find_other_rows(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                            uint32_t extra, size_t there, struct rows *rows)
{
    const struct sch_files_level level = sch_files_level(texture, 0);
    const uint32_t flags = sch_word_at(reader->data + AT_FLAGS), pitch = sch_word_at(reader->data + AT_PITCH);
    struct sch_files_format format;
    if (!sch_files_format(texture->format, &format)) return false;
    *rows = (struct rows){.alignment = 1, .unread = (size_t)extra * format.bytes};
    if (extra && take_exactly(texture, rows, there)) return true;
    if (format.height > 1) return false;
    *rows = (struct rows){.alignment = ROW_ALIGNMENT};
    if (take_exactly(texture, rows, there)) return true;
    *rows = (struct rows){.pitch = pitch};
    return flags & FLAG_PITCH && pitch > level.row_bytes && texture->levels == 1 && take_exactly(texture, rows, there);
}

/* How the texels are, of which `there` bytes are in the file: at least `tight`, what they need without padding. */
static enum sch_result find_rows(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                                 uint32_t extra, size_t tight, size_t there, struct rows *rows)
{
    const struct sch_files_level level = sch_files_level(texture, 0);
    const uint32_t flags = sch_word_at(reader->data + AT_FLAGS), pitch = sch_word_at(reader->data + AT_PITCH);
    const struct rows plain = {.alignment = 1}, aligned = {.alignment = ROW_ALIGNMENT};
    struct sch_files_format format;
    size_t padded;
    *rows = plain;
    if (there == tight) return SCH_OK;
    if (find_other_rows(reader, texture, extra, there, rows)) {
        if (!rows->unread)
            sch_files_warn(reader, SCH_D_FILE_ROWS, "rows of %zu bytes begin every %zu, as the size of the file says",
                           level.row_bytes, row_step(rows, &level));
        return SCH_OK;
    }
    *rows = plain;
    if (!sch_files_format(texture->format, &format) || format.height > 1) return SCH_OK;
    if (!count_bytes(texture, &aligned, &padded) || padded == tight) return SCH_OK; /* bytes after the texels */
    if (!(flags & FLAG_PITCH) || pitch == level.row_bytes || pitch != row_step(&aligned, &level)) {
        sch_files_warn(reader, SCH_D_FILE_ROWS, "%zu bytes follow the texels; rows are read without padding",
                       there - tight);
        return SCH_OK;
    }
    if (there < padded)
        return sch_files_damaged(reader->error,
                                 "damaged DDS: %zu bytes of texels, where rows without padding need %zu and those of "
                                 "its pitch %zu",
                                 there, tight, padded);
    *rows = aligned;
    sch_files_warn(reader, SCH_D_FILE_ROWS, "%zu bytes follow the texels; rows begin every %u bytes, as the pitch says",
                   there - padded, (unsigned)pitch);
    return SCH_OK;
}

/* The levels that are there of a file that was cut off: of several layers all, unless the file has some of them for
 * all layers. One is left at least. */
static uint32_t levels_there(const struct sch_file_texture *texture, size_t there)
{
    const struct rows plain = {.alignment = 1};
    struct sch_file_texture some = *texture;
    size_t bytes;
    for (some.levels = texture->levels - 1; some.levels; some.levels--) {
        if (!count_bytes(&some, &plain, &bytes)) continue;
        if (bytes == there || (texture->layers == 1 && bytes <= there)) return some.levels;
    }
    return texture->layers == 1 ? 1 : texture->levels;
}

/* What is there of a file that was cut off, if that is wanted. `bytes`: what is left needs. */
static enum sch_result take_cut(const struct sch_files_reader *reader, struct sch_file_texture *texture, size_t there,
                                size_t *bytes)
{
    if (!reader->lenient)
        return sch_files_damaged(reader->error, "damaged DDS: %zu bytes of texels where its size needs %zu", there,
                                 *bytes);
    const uint32_t levels = levels_there(texture, there), said = texture->levels;
    sch_files_warn(reader, SCH_D_FILE_CUT, "cut off: %zu of %zu bytes of texels; %u of %u levels are read", there,
                   *bytes, (unsigned)levels, (unsigned)said);
    texture->levels = levels;
    return sch_files_check(reader, texture, bytes);
}

/* Where the levels of a texture are put; `left` bytes of the file are read. */
static void read_layers(const struct sch_file_texture *texture, const struct rows *rows, const uint8_t *from,
                        size_t left)
{
    for (uint32_t layer = 0; layer < texture->layers; layer++) {
        for (uint32_t i = 0; i < texture->levels; i++) {
            const struct sch_files_level level = sch_files_level(texture, i);
            uint8_t *to = texture->texels + level.offset + layer * level.layer_bytes;
            size_t step = row_step(rows, &level), row = level.row_bytes, count = (size_t)level.rows * level.slices;
            if (step == row) {
                step = row = level.layer_bytes;
                count = 1;
            }
            for (; count; count--, to += row) {
                memcpy(to, from, row < left ? row : left);
                from += step < left ? step : left;
                left -= step < left ? step : left;
            }
        }
        from += rows->unread < left ? rows->unread : left;
        left -= rows->unread < left ? rows->unread : left;
    }
}

static enum sch_result read_texels(const struct sch_files_reader *reader, struct sch_file_texture *texture,
                                   size_t begin, uint32_t extra)
{
    const size_t there = reader->bytes - begin;
    struct rows rows = {.alignment = 1};
    size_t bytes;
    enum sch_result result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    const bool cut = bytes > there;
    result = cut ? take_cut(reader, texture, there, &bytes) : find_rows(reader, texture, extra, bytes, there, &rows);
    if (result == SCH_OK) result = sch_files_allocate(reader, texture);
    if (result != SCH_OK) return result;
    if (cut) memset(texture->texels, 0, texture->bytes);
    read_layers(texture, &rows, reader->data + begin, there);
    return SCH_OK;
}

/* The size of the header, which other words of it do not depend on. */
static enum sch_result check_header(const struct sch_files_reader *reader)
{
    if (reader->bytes < DX10_AT) return sch_files_damaged(reader->error, "damaged DDS: it ends in its header");
    const uint32_t size = sch_word_at(reader->data + AT_SIZE);
    if (size != HEADER_BYTES && size != SHORT_HEADER_BYTES)
        return sch_files_damaged(reader->error, "damaged DDS: a header of %u bytes", (unsigned)size);
    if (size == SHORT_HEADER_BYTES)
        sch_files_warn(reader, SCH_D_FILE_HEADER, "a header of %u bytes, where all have %u", (unsigned)size,
                       HEADER_BYTES);
    return SCH_OK;
}

static struct sch_dds_pixels pixels_of(const struct sch_files_reader *reader)
{
    const uint8_t *at = reader->data + AT_PIXELS;
    struct sch_dds_pixels pixels = {
        .flags = sch_word_at(at + 4), .letters = sch_word_at(at + 8), .bits = sch_word_at(at + 12)};
    for (int i = 0; i < 4; i++) pixels.masks[i] = sch_word_at(at + 16 + 4 * i);
    if (!(pixels.flags & SCH_DDS_TEXELS) && pixels.letters > LAST_NUMBER && sch_dds_is_code(pixels.letters)) {
        sch_files_warn(reader, SCH_D_FILE_HEADER, "no flag says what texels are: the code %.4s counts",
                       (const char *)at + 8);
        pixels.flags |= SCH_DDS_FOURCC;
    }
    return pixels;
}

enum sch_result sch_files_dds_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    const uint8_t *data = reader->data;
    bool exchanged = false;
    enum sch_result result = check_header(reader);
    if (result != SCH_OK) return result;
    const struct sch_dds_pixels pixels = pixels_of(reader);
    texture->width = sch_word_at(data + AT_WIDTH);
    texture->height = sch_word_at(data + AT_HEIGHT);
    texture->depth = sch_word_at(data + AT_DEPTH);
    texture->levels = sch_word_at(data + AT_LEVELS);
    if (!texture->levels) texture->levels = 1; /* what old writers mean */

    const bool dx10 = pixels.flags & SCH_DDS_FOURCC && pixels.letters == SCH_DDS_LETTERS('D', 'X', '1', '0');
    result = dx10 ? read_dx10(reader, texture) : read_old(reader, &pixels, texture, &exchanged);
    if (result != SCH_OK) return result;
    if (texture->target != SCH_TARGET_3D || !texture->depth) texture->depth = 1;
    const uint32_t extra = sch_files_bound_levels(reader, texture);
    result = read_texels(reader, texture, dx10 ? DX10_AT + DX10_BYTES : DX10_AT, extra);
    return result == SCH_OK && exchanged ? sch_dds_exchange(reader, texture) : result;
}

/* ---- writing ---- */

static bool is_cube(const struct sch_file_texture *texture)
{
    return texture->target == SCH_TARGET_CUBE || texture->target == SCH_TARGET_CUBE_ARRAY;
}

/* The old header knows no arrays, no 1D textures and, but for DXT2 and DXT4, no premultiplied alpha. */
static bool fits_old(const struct sch_file_texture *texture)
{
    return !texture->premultiplied &&
           (texture->target == SCH_TARGET_2D || texture->target == SCH_TARGET_3D || texture->target == SCH_TARGET_CUBE);
}

static void write_header(struct sch_bytes *file, const struct sch_file_texture *texture,
                         const struct sch_dds_pixels *pixels)
{
    const struct sch_files_level level = sch_files_level(texture, 0);
    struct sch_files_format format;
    const bool volume = texture->target == SCH_TARGET_3D;
    const bool blocks = sch_files_format(texture->format, &format) && format.height > 1;
    const size_t pitch = blocks ? level.slice_bytes : level.row_bytes;
    const uint32_t flags = FLAG_CAPS | FLAG_HEIGHT | FLAG_WIDTH | FLAG_PIXELS |
                           (blocks ? FLAG_LINEAR_SIZE : FLAG_PITCH) | (texture->levels > 1 ? FLAG_LEVELS : 0) |
                           (volume ? FLAG_DEPTH : 0);
    const bool complex = texture->levels > 1 || texture->layers > 1 || volume;
    sch_bytes_word(file, MAGIC);
    sch_bytes_word(file, HEADER_BYTES);
    sch_bytes_word(file, flags);
    sch_bytes_word(file, texture->height);
    sch_bytes_word(file, texture->width);
    sch_bytes_word(file, pitch <= UINT32_MAX ? (uint32_t)pitch : 0);
    sch_bytes_word(file, volume ? texture->depth : 0);
    sch_bytes_word(file, texture->levels);
    for (int i = 0; i < 11; i++) sch_bytes_word(file, 0);
    sch_bytes_word(file, PIXELS_BYTES);
    sch_bytes_word(file, pixels->flags);
    sch_bytes_word(file, pixels->letters);
    sch_bytes_word(file, pixels->bits);
    for (int i = 0; i < 4; i++) sch_bytes_word(file, pixels->masks[i]);
    sch_bytes_word(file, CAPS_TEXTURE | (complex ? CAPS_COMPLEX : 0) | (texture->levels > 1 ? CAPS_LEVELS : 0));
    sch_bytes_word(file, (is_cube(texture) ? CAPS_2_CUBE | CAPS_2_FACES : 0) | (volume ? CAPS_2_VOLUME : 0));
    for (int i = 0; i < 3; i++) sch_bytes_word(file, 0);
}

static uint32_t dimension_of(enum sch_target target)
{
    if (target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY) return DIMENSION_1D;
    return target == SCH_TARGET_3D ? DIMENSION_3D : DIMENSION_2D;
}

static void write_dx10(struct sch_bytes *file, const struct sch_file_texture *texture, uint32_t number, bool opaque)
{
    const bool cube = is_cube(texture);
    sch_bytes_word(file, number);
    sch_bytes_word(file, dimension_of(texture->target));
    sch_bytes_word(file, cube ? MISC_CUBE : 0);
    sch_bytes_word(file, cube ? texture->layers / CUBE_FACES : texture->layers);
    sch_bytes_word(file, opaque ? ALPHA_OPAQUE : texture->premultiplied ? ALPHA_PREMULTIPLIED : ALPHA_UNKNOWN);
}

/* Layers in the file's order, where each has all of its levels. */
static void write_layers(const struct sch_file_texture *texture, uint8_t *file)
{
    for (uint32_t layer = 0; layer < texture->layers; layer++)
        for (uint32_t i = 0; i < texture->levels; i++) {
            const struct sch_files_level level = sch_files_level(texture, i);
            memcpy(file, texture->texels + level.offset + layer * level.layer_bytes, level.layer_bytes);
            file += level.layer_bytes;
        }
}

enum sch_result sch_files_dds_write(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    const struct sch_dds_pixels dx10 = {.flags = SCH_DDS_FOURCC, .letters = SCH_DDS_LETTERS('D', 'X', '1', '0')};
    struct sch_dds_pixels pixels;
    bool opaque;
    uint32_t number = sch_dds_dxgi(texture->format, &opaque);
    const bool has_old = sch_dds_pixels(texture->format, &pixels);
    if (!number && !has_old)
        return sch_files_unsupported(
            writer->error, SCH_D_FILE_FORMAT,
            "DDS has no texels of %s: those of DXGI formats, BC1 to BC7, ETC, ATC and masks are "
            "written",
            sch_files_format_name(texture->format));
    /* Newer readers know both headers, older ones only the old one: it is written for what they know. */
    const bool write_old = has_old && fits_old(texture) && (!number || sch_dds_is_old(texture->format));
    if (!write_old && (!number || (opaque && texture->premultiplied)))
        return sch_files_unsupported(writer->error, SCH_D_FILE_FORM,
                                     "%s has no DXGI format: no arrays, 1D textures and premultiplied alpha in DDS",
                                     sch_files_format_name(texture->format));
    /* An array of one element would be read as no array. */
    const bool array = texture->target == SCH_TARGET_1D_ARRAY || texture->target == SCH_TARGET_2D_ARRAY ||
                       texture->target == SCH_TARGET_CUBE_ARRAY;
    if (array && texture->layers <= (is_cube(texture) ? CUBE_FACES : 1))
        return sch_files_unsupported(writer->error, SCH_D_FILE_FORM, "DDS has no arrays of one element");

    size_t bytes;
    struct sch_bytes *file = writer->file;
    write_header(file, texture, write_old ? &pixels : &dx10);
    if (!write_old) write_dx10(file, texture, number, opaque);
    if (!sch_files_texture_bytes(texture, &bytes) || !sch_bytes_reserve(file, bytes)) return SCH_ERROR_MEMORY;
    write_layers(texture, file->data + file->size);
    file->size += bytes;
    return SCH_OK;
}
