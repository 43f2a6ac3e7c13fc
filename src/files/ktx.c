/* KTX files of version 1 ("KTX File Format Specification", Khronos, 2013): texels in the words of OpenGL. Holds nothing
 * of version 2 (ktx2.c). */
#include <string.h>

#include "base/checked.h"
#include "files/kinds.h"
#include "files/ktx_shared.h"

enum {
#define GL_NAME(name, number) GL_##name = number,
#include "files/gl_names.def"
#undef GL_NAME
};

static const struct row {
    enum sch_format format;
    uint32_t internal, gl_format, type;
    uint32_t unit; /* bytes; 1: blocks, too */
} rows[] = {
#define KTX(format, internal, gl_format, type, bytes)                                                                  \
    {SCH_FORMAT_##format, GL_##internal, GL_##gl_format, GL_##type, bytes},
#define KTX_BLOCKS(format, internal) {SCH_FORMAT_##format, GL_##internal, 0, 0, 1},
#include "files/ktx.def"
#undef KTX
#undef KTX_BLOCKS
};
enum { ROWS = sizeof rows / sizeof *rows };

static const uint8_t identifier[SCH_KTX_IDENTIFIER_BYTES] = {0xab, 'K',  'T',  'X',  ' ',  '1',
                                                             '1',  0xbb, '\r', '\n', 0x1a, '\n'};
enum { HEADER_BYTES = 64, ENDIAN = 0x04030201, ENDIAN_SWAPPED = 0x01020304, ROW_ALIGNMENT = 4 };

static size_t aligned(size_t bytes) { return (bytes + ROW_ALIGNMENT - 1) / ROW_ALIGNMENT * ROW_ALIGNMENT; }

bool sch_files_ktx_is(const uint8_t *data, size_t bytes)
{
    return bytes >= sizeof identifier && memcmp(data, identifier, sizeof identifier) == 0;
}

/* ---- formats ---- */

static const struct row *row_of(enum sch_format format)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].format == format) return &rows[i];
    return NULL;
}

/* Internal formats that say no size: those with and without the curve of sRGB are of the same texels. */
static bool is_srgb(uint32_t internal)
{
    enum { SRGB = 0x8c40, SRGB_ALPHA = 0x8c42, SLUMINANCE_ALPHA = 0x8c44, SLUMINANCE = 0x8c46 };
    struct sch_files_format format;
    if (internal == SRGB || internal == SRGB_ALPHA || internal == SLUMINANCE || internal == SLUMINANCE_ALPHA)
        return true;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].internal == internal) return sch_files_format(rows[i].format, &format) && format.srgb;
    return false;
}

/* The row that the header means. Format and type alone say what texels look like in the file; the internal
 * format is how OpenGL is to keep them, and here it says only whether they are sRGB. */
static const struct row *find_row(uint32_t internal, uint32_t gl_format, uint32_t type)
{
    const bool srgb = is_srgb(internal);
    struct sch_files_format format;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].internal == internal && rows[i].gl_format == gl_format && rows[i].type == type) return &rows[i];
    if (!gl_format || !type) return NULL;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].gl_format == gl_format && rows[i].type == type && sch_files_format(rows[i].format, &format) &&
            format.srgb == srgb)
            return &rows[i];
    return NULL;
}

/* glBaseInternalFormat: the colours that there are. */
static uint32_t base_of(enum sch_format format)
{
    struct sch_files_channels channels;
    if (!sch_files_channels(format, &channels)) return 0;
    const char *swizzle = channels.swizzle;
    if (channels.depth && swizzle[0] == '_') return GL_STENCIL_INDEX;
    if (channels.depth) return swizzle[1] == '_' ? GL_DEPTH_COMPONENT : GL_DEPTH_STENCIL;
    if (swizzle[0] == '0') return GL_ALPHA;
    if (swizzle[0] == swizzle[1]) return swizzle[3] == '1' ? GL_LUMINANCE : GL_LUMINANCE_ALPHA;
    if (swizzle[1] == '0') return GL_RED;
    if (swizzle[2] == '0') return GL_RG;
    return swizzle[3] == '1' ? GL_RGB : GL_RGBA;
}

/* ---- levels ---- */

/* How the images of a level are in the file: rows of texels are aligned to 4 bytes as by GL_UNPACK_ALIGNMENT, those
 * of blocks are not. imageSize counts one face of a cube that is not an array, and otherwise the whole level. */
struct image {
    size_t row_bytes, slice_bytes, layer_bytes;
    size_t size;  /* imageSize */
    size_t parts; /* images of this size, each padded to 4 bytes */
};

static bool image_of(const struct sch_file_texture *texture, const struct sch_files_level *level, size_t row_bytes,
                     struct image *image)
{
    const bool cube = texture->target == SCH_TARGET_CUBE;
    image->row_bytes = row_bytes;
    image->parts = cube ? texture->layers : 1;
    return sch_mul_size(row_bytes, level->rows, &image->slice_bytes) &&
           sch_mul_size(image->slice_bytes, level->slices, &image->layer_bytes) &&
           sch_mul_size(image->layer_bytes, cube ? 1 : texture->layers, &image->size) && image->size <= UINT32_MAX;
}

static void swap_units(uint8_t *data, size_t bytes, uint32_t unit)
{
    for (size_t i = 0; i + unit <= bytes; i += unit)
        for (uint32_t k = 0; k < unit / 2; k++) {
            uint8_t kept = data[i + k];
            data[i + k] = data[i + unit - 1 - k];
            data[i + unit - 1 - k] = kept;
        }
}

static uint32_t word_at(const struct sch_files_reader *reader, size_t at, bool swapped)
{
    uint32_t word = sch_word_at(reader->data + at);
    return swapped ? sch_ktx_swapped(word) : word;
}

/* Where levels begin, and how rows are: to what multiples they are padded in the file, and to what multiples
 * imageSize counts them. Both are 4 for texels and 1 for blocks; some writers say or write 1 for texels. */
struct layout {
    size_t begin, rows, counted;
    bool swapped;
};

static size_t padded(size_t bytes, size_t alignment) { return (bytes + alignment - 1) / alignment * alignment; }

/* How far levels of a layout go in a file. */
struct extent {
    uint32_t levels; /* that are whole and have the imageSize of the layout */
    size_t end;      /* of the last of them */
    size_t need;     /* the bytes after `end` that the next one needs; 0: its imageSize is another, or there is none */
};

static struct extent measure(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                             const struct layout *layout)
{
    struct extent extent = {.end = layout->begin};
    for (; extent.levels < texture->levels; extent.levels++) {
        const struct sch_files_level level = sch_files_level(texture, extent.levels);
        struct image counted, image;
        size_t at = extent.end;
        if (!image_of(texture, &level, padded(level.row_bytes, layout->counted), &counted) ||
            !image_of(texture, &level, padded(level.row_bytes, layout->rows), &image))
            return extent;
        if (reader->bytes - at >= 4 && word_at(reader, at, layout->swapped) != counted.size) return extent;
        /* The padding of the last image may be missing at the end of a file. */
        const uint64_t need = 4 + (uint64_t)aligned(image.size) * (image.parts - 1) + image.size;
        if (need > reader->bytes - at) {
            extent.need = need <= SIZE_MAX ? (size_t)need : SIZE_MAX;
            return extent;
        }
        at += (size_t)need;
        const size_t padding = aligned(image.size) - image.size;
        extent.end = at + (padding < reader->bytes - at ? padding : reader->bytes - at);
    }
    return extent;
}

static void warn_of_rows(const struct sch_files_reader *reader, const struct layout *layout, bool either)
{
    if (either)
        sch_files_warn(reader, SCH_D_FILE_ROWS,
                       "imageSize counts rows without padding, and the file's size fits both; they are read without");
    else if (layout->rows == 1)
        sch_files_warn(reader, SCH_D_FILE_ROWS, "rows are not padded to %d bytes, as the size of the file says",
                       ROW_ALIGNMENT);
    else
        sch_files_warn(reader, SCH_D_FILE_ROWS,
                       "imageSize counts rows without their padding to %d bytes, which the size of the file proves",
                       ROW_ALIGNMENT);
}

/* How the levels are. Layouts that are not by the rules are taken if the file ends where they do. False: none fits,
 * and `extent` is of the one that goes furthest, which is left in `layout`. */
static bool find_layout(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                        struct layout *layout, struct extent *extent)
{
    static const struct {
        size_t rows, counted;
    } others[] = {{1, 1}, {ROW_ALIGNMENT, 1}, {1, ROW_ALIGNMENT}};
    struct layout furthest = *layout, found = *layout;
    unsigned fitting = 0;
    *extent = measure(reader, texture, layout);
    if (extent->levels == texture->levels) return true;
    for (size_t i = 0; layout->rows > 1 && i < sizeof others / sizeof *others; i++) {
        struct layout other = *layout;
        other.rows = others[i].rows;
        other.counted = others[i].counted;
        const struct extent its = measure(reader, texture, &other);
        if (its.levels == texture->levels && its.end == reader->bytes && !fitting++) found = other;
        /* The others need their proof. */
        if (i > 0 || its.levels < extent->levels) continue;
        if (its.levels == extent->levels && (!its.need || extent->need)) continue;
        *extent = its;
        furthest = other;
    }
    *layout = fitting ? found : furthest;
    if (fitting) warn_of_rows(reader, layout, fitting > 1);
    return fitting;
}

static enum sch_result refuse_level(const struct sch_files_reader *reader, const struct sch_file_texture *texture,
                                    const struct layout *layout, const struct extent *extent)
{
    const unsigned number = (unsigned)extent->levels;
    if (extent->levels == texture->levels)
        return sch_files_damaged(reader->error,
                                 "damaged KTX: imageSize counts rows without padding, and the file ends "
                                 "%zu bytes after them: neither they nor padded rows fill it",
                                 reader->bytes - extent->end);
    if (reader->bytes - extent->end < 4) return sch_files_damaged(reader->error, "damaged KTX: no level %u", number);
    if (extent->need) return sch_files_damaged(reader->error, "damaged KTX: it ends in level %u", number);
    return sch_files_damaged(reader->error, "damaged KTX: level %u of %u bytes", number,
                             (unsigned)word_at(reader, extent->end, layout->swapped));
}

/* Reads one level, whose bytes begin at *at. Nothing is written for what is missing. */
static void read_level(const struct sch_files_reader *reader, const struct sch_file_texture *texture, uint32_t number,
                       const struct layout *layout, size_t *at)
{
    const struct sch_files_level level = sch_files_level(texture, number);
    struct image image;
    if (!image_of(texture, &level, padded(level.row_bytes, layout->rows), &image)) return;
    uint8_t *to = texture->texels + level.offset;
    *at += reader->bytes - *at < 4 ? reader->bytes - *at : 4;
    for (size_t part = 0; part < image.parts; part++) {
        for (size_t row = 0; row < image.size / image.row_bytes; row++, to += level.row_bytes) {
            const size_t left = reader->bytes - *at;
            memcpy(to, reader->data + *at, level.row_bytes < left ? level.row_bytes : left);
            *at += image.row_bytes < left ? image.row_bytes : left;
        }
        const size_t padding = aligned(image.size) - image.size, left = reader->bytes - *at;
        *at += padding < left ? padding : left;
    }
}

/* Finds the layout and reads the levels; of a file that was cut off those that are whole, one at least, if that is
 * wanted. */
static enum sch_result read_levels(const struct sch_files_reader *reader, struct sch_file_texture *texture,
                                   struct layout layout)
{
    struct extent extent;
    const bool whole = find_layout(reader, texture, &layout, &extent);
    if (!whole && (!reader->lenient || !extent.need)) return refuse_level(reader, texture, &layout, &extent);
    if (!whole) {
        const uint32_t said = texture->levels;
        texture->levels = extent.levels ? extent.levels : 1;
        sch_files_warn(reader, SCH_D_FILE_CUT, "cut off in level %u; %u of %u levels are read", (unsigned)extent.levels,
                       (unsigned)texture->levels, (unsigned)said);
    }
    const enum sch_result result = sch_files_allocate(reader, texture);
    if (result != SCH_OK) return result;
    if (!whole) memset(texture->texels, 0, texture->bytes);
    size_t at = layout.begin;
    for (uint32_t i = 0; i < texture->levels; i++) read_level(reader, texture, i, &layout, &at);
    return SCH_OK;
}

/* KTXorientation of version 1: "S=r,T=d", and perhaps ",R=i". Slices stay in their order. */
static enum sch_result orient(const struct sch_files_reader *reader, const struct sch_ktx_pairs *pairs,
                              struct sch_file_texture *texture)
{
    const uint8_t *value;
    size_t bytes;
    if (!sch_ktx_find(pairs, "KTXorientation", &value, &bytes) || bytes < 3 || memcmp(value, "S=", 2) != 0)
        return SCH_OK;
    const bool has_t = bytes >= 7 && memcmp(value + 3, ",T=", 3) == 0;
    return sch_ktx_orient(reader, texture, (char)value[2], has_t ? (char)value[6] : 'd');
}

enum sch_result sch_files_ktx_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    if (reader->bytes < HEADER_BYTES) return sch_files_damaged(reader->error, "damaged KTX: it ends in its header");
    const uint32_t order = sch_word_at(reader->data + 12);
    if (order != ENDIAN && order != ENDIAN_SWAPPED)
        return sch_files_damaged(reader->error, "damaged KTX: order of bytes %x", (unsigned)order);
    const bool swapped = order == ENDIAN_SWAPPED;
    uint32_t words[12];
    for (size_t i = 0; i < 12; i++) words[i] = word_at(reader, 16 + 4 * i, swapped);
    const uint32_t type = words[0], gl_format = words[2], internal = words[3], pair_bytes = words[11];
    const struct sch_ktx_counts counts = {words[5], words[6], words[7], words[8], words[9], words[10]};
    const struct row *row = find_row(internal, gl_format, type);
    if (!row)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORMAT,
                                     "KTX texels of glInternalFormat %#x, glFormat %#x, glType %#x are not read",
                                     (unsigned)internal, (unsigned)gl_format, (unsigned)type);
    enum sch_result result = sch_ktx_read_counts(reader, &counts, texture);
    if (result != SCH_OK) return result;
    texture->format = row->format;
    const struct sch_ktx_pairs pairs = {reader->data + HEADER_BYTES, pair_bytes, swapped};
    if (pair_bytes > reader->bytes - HEADER_BYTES || !sch_ktx_pairs_are_whole(&pairs))
        return sch_files_damaged(reader->error, "damaged KTX: its key/value data are not whole");

    const size_t begin = HEADER_BYTES + pair_bytes, alignment = row->type ? ROW_ALIGNMENT : 1;
    const struct layout layout = {.begin = begin, .rows = alignment, .counted = alignment, .swapped = swapped};
    size_t bytes;
    sch_files_bound_levels(reader, texture);
    result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if (bytes > reader->bytes - begin && !reader->lenient)
        return sch_files_damaged(reader->error, "damaged KTX: %zu bytes of texels where its size needs %zu",
                                 reader->bytes - begin, bytes);
    result = read_levels(reader, texture, layout);
    if (result != SCH_OK) return result;
    if (swapped) swap_units(texture->texels, texture->bytes, row->unit);
    return orient(reader, &pairs, texture);
}

/* ---- writing ---- */

static void write_level(struct sch_bytes *file, const struct sch_file_texture *texture,
                        const struct sch_files_level *level, const struct image *image)
{
    static const uint8_t zeros[ROW_ALIGNMENT] = {0};
    const uint8_t *from = texture->texels + level->offset;
    sch_bytes_word(file, (uint32_t)image->size);
    for (size_t part = 0; part < image->parts; part++) {
        for (size_t row = 0; row < image->size / image->row_bytes; row++, from += level->row_bytes) {
            sch_bytes_append(file, from, level->row_bytes);
            sch_bytes_append(file, zeros, image->row_bytes - level->row_bytes);
        }
        sch_bytes_append(file, zeros, aligned(image->size) - image->size);
    }
}

static const char *orientation_of(enum sch_target target)
{
    if (target == SCH_TARGET_1D || target == SCH_TARGET_1D_ARRAY) return "S=r";
    return target == SCH_TARGET_3D ? "S=r,T=d,R=i" : "S=r,T=d";
}

static void write_header(struct sch_bytes *file, const struct sch_file_texture *texture, const struct row *row)
{
    const struct sch_ktx_counts counts = sch_ktx_counts(texture);
    const char *orientation = orientation_of(texture->target);
    sch_bytes_append(file, identifier, sizeof identifier);
    sch_bytes_word(file, ENDIAN);
    sch_bytes_word(file, row->type);
    sch_bytes_word(file, row->unit);
    sch_bytes_word(file, row->gl_format);
    sch_bytes_word(file, row->internal);
    sch_bytes_word(file, base_of(row->format));
    sch_bytes_word(file, counts.width);
    sch_bytes_word(file, counts.height);
    sch_bytes_word(file, counts.depth);
    sch_bytes_word(file, counts.elements);
    sch_bytes_word(file, counts.faces);
    sch_bytes_word(file, counts.levels);
    const size_t at = file->size;
    sch_bytes_word(file, 0);
    sch_ktx_write_pair(file, "KTXorientation", orientation, strlen(orientation) + 1);
    if (file->status == SCH_OK) sch_bytes_patch_word(file, at, (uint32_t)(file->size - at - 4));
}

enum sch_result sch_files_ktx_write(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    const struct row *row = row_of(texture->format);
    if (!row)
        return sch_files_unsupported(writer->error, SCH_D_FILE_FORMAT,
                                     "KTX has no texels of %s: formats that OpenGL has words for are written",
                                     sch_files_format_name(texture->format));
    write_header(writer->file, texture, row);
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct sch_files_level level = sch_files_level(texture, i);
        struct image image;
        if (!image_of(texture, &level, row->type ? aligned(level.row_bytes) : level.row_bytes, &image))
            return sch_files_unsupported(writer->error, SCH_D_FILE_FORM, "a level of KTX has less than 4 GiB");
        write_level(writer->file, texture, &level, &image);
    }
    return SCH_OK;
}
