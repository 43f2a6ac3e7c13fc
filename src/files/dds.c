/* DDS files: Microsoft's "Programming Guide for DDS" and the reference of DDS_HEADER, DDS_PIXELFORMAT and
 * DDS_HEADER_DXT10. Holds no formats (dds_format.c).
 *
 * Layers stand one after the other, each with all of its levels; a texture here has the levels outermost. The pitch in
 * the header is not looked at: the guide asks readers to compute it, since many files have a wrong one. */
#include <string.h>

#include "base/checked.h"
#include "files/dds_format.h"
#include "files/kinds.h"

enum {
    MAGIC = 0x20534444, /* "DDS " */
    HEADER_BYTES = 124,
    PIXELS_BYTES = 32,
    DX10_AT = 128, /* with the magic */
    DX10_BYTES = 20,
    CUBE_FACES = 6
};

/* Where members of DDS_HEADER are in the file, and its flags. */
enum {
    AT_SIZE = 4,
    AT_FLAGS = 8,
    AT_HEIGHT = 12,
    AT_WIDTH = 16,
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
    if (pixels->flags & SCH_DDS_FOURCC) {
        char name[5] = {0};
        for (int i = 0; i < 4; i++) {
            char c = (char)(pixels->letters >> 8 * i);
            name[i] = c >= ' ' && c <= '~' ? c : '.';
        }
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of the code %s (%u) are not read",
                                     name, (unsigned)pixels->letters);
    }
    if (pixels->flags & SCH_DDS_PALETTES)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of a palette are not read");
    if (pixels->flags & SCH_DDS_YUV)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT, "DDS texels of YUV masks are not read");
    return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT,
                                 "no format has %u bits with the masks %x %x %x %x (flags %x)", (unsigned)pixels->bits,
                                 (unsigned)pixels->masks[0], (unsigned)pixels->masks[1], (unsigned)pixels->masks[2],
                                 (unsigned)pixels->masks[3], (unsigned)pixels->flags);
}

/* The old header: format, cube or volume. */
static enum sch_result read_old(const struct sch_files_reader *reader, const struct sch_dds_pixels *pixels,
                                struct sch_file_texture *texture)
{
    const uint32_t caps_2 = sch_word_at(reader->data + AT_CAPS_2), flags = sch_word_at(reader->data + AT_FLAGS);
    texture->format = sch_dds_of_pixels(pixels, &texture->premultiplied);
    if (texture->format == SCH_FORMAT_NONE) return refuse_pixels(reader, pixels);
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
    if (!count) return sch_files_damaged(reader->error, "damaged DDS: an array of 0 elements");
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

/* Moves layers between the file's order, where each has all of its levels, and the texture's. */
static void copy_layers(const struct sch_file_texture *texture, uint8_t *file, const uint8_t *from_file)
{
    struct sch_files_level levels[SCH_FILES_LEVELS];
    size_t at = 0;
    for (uint32_t i = 0; i < texture->levels; i++) levels[i] = sch_files_level(texture, i);
    for (uint32_t layer = 0; layer < texture->layers; layer++)
        for (uint32_t i = 0; i < texture->levels; i++) {
            const size_t bytes = levels[i].layer_bytes;
            uint8_t *texels = texture->texels + levels[i].offset + layer * bytes;
            if (from_file)
                memcpy(texels, from_file + at, bytes);
            else
                memcpy(file + at, texels, bytes);
            at += bytes;
        }
}

enum sch_result sch_files_dds_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    const uint8_t *data = reader->data;
    if (reader->bytes < DX10_AT) return sch_files_damaged(reader->error, "damaged DDS: it ends in its header");
    if (sch_word_at(data + AT_SIZE) != HEADER_BYTES)
        return sch_files_damaged(reader->error, "damaged DDS: a header of %u bytes",
                                 (unsigned)sch_word_at(data + AT_SIZE));
    struct sch_dds_pixels pixels = {.flags = sch_word_at(data + AT_PIXELS + 4),
                                    .letters = sch_word_at(data + AT_PIXELS + 8),
                                    .bits = sch_word_at(data + AT_PIXELS + 12)};
    for (int i = 0; i < 4; i++) pixels.masks[i] = sch_word_at(data + AT_PIXELS + 16 + 4 * i);
    texture->width = sch_word_at(data + AT_WIDTH);
    texture->height = sch_word_at(data + AT_HEIGHT);
    texture->depth = sch_word_at(data + AT_DEPTH);
    texture->levels = sch_word_at(data + AT_LEVELS);
    if (!texture->levels) texture->levels = 1; /* what old writers mean */

    const bool dx10 = pixels.flags & SCH_DDS_FOURCC && pixels.letters == SCH_DDS_LETTERS('D', 'X', '1', '0');
    enum sch_result result = dx10 ? read_dx10(reader, texture) : read_old(reader, &pixels, texture);
    if (result != SCH_OK) return result;
    if (texture->target != SCH_TARGET_3D || !texture->depth) texture->depth = 1;

    const size_t begin = dx10 ? DX10_AT + DX10_BYTES : DX10_AT;
    size_t bytes;
    result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if (bytes > reader->bytes - begin)
        return sch_files_damaged(reader->error, "damaged DDS: %zu bytes of texels where its size needs %zu",
                                 reader->bytes - begin, bytes);
    result = sch_files_allocate(reader, texture);
    if (result == SCH_OK) copy_layers(texture, NULL, data + begin);
    return result;
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
    copy_layers(texture, file->data + file->size, NULL);
    file->size += bytes;
    return SCH_OK;
}
