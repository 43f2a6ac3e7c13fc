/* Portable float maps, in and out: three or one floats of 32 bits a pixel, of either byte order, the lowest row first
 * (Debevec, "PFM Portable FloatMap Image Format"; netpbm's pfm(5)). The size of the scale has no effect. Holds no other
 * kind. */
#include <string.h>

#include "base/checked.h"
#include "files/kinds.h"
#include "files/pixels.h"
#include "files/text.h"

enum { FLOAT_BYTES = 4 };

bool sch_files_pfm_is(const uint8_t *data, size_t bytes)
{
    return bytes >= 3 && data[0] == 'P' && (data[1] == 'F' || data[1] == 'f') && sch_files_is_space(data[2]);
}

static enum sch_result damaged(const struct sch_files_reader *reader, const char *what)
{
    sch_files_report(reader->error, SCH_D_PICTURE_DAMAGED, "damaged PFM: %s", what);
    return SCH_ERROR_INVALID;
}

/* A decimal number that is not 0: of all that it says, the sign counts. Negative: the low byte is first. */
static bool read_scale(struct sch_files_text *text, bool *low_first)
{
    char word[64];
    bool digits = false, exponent = false, zero = true;
    if (!sch_files_text_word(text, word, sizeof word)) return false;
    const char *at = word;
    *low_first = *at == '-';
    if (*at == '-' || *at == '+') at++;
    for (; *at; at++) {
        const bool digit = *at >= '0' && *at <= '9';
        if (!digit && !strchr(".eE+-", *at)) return false;
        exponent = exponent || *at == 'e' || *at == 'E';
        digits = digits || digit;
        if (digit && *at != '0' && !exponent) zero = false;
    }
    return digits && !zero;
}

static void read_row(const uint8_t *from, uint8_t *to, size_t floats, bool low_first)
{
    if (low_first) {
        memcpy(to, from, floats * FLOAT_BYTES);
        return;
    }
    for (size_t i = 0; i < floats; i++)
        for (unsigned b = 0; b < FLOAT_BYTES; b++) to[FLOAT_BYTES * i + b] = from[FLOAT_BYTES * i + 3 - b];
}

enum sch_result sch_files_pfm_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct sch_files_text text = {.at = reader->data + 2, .end = reader->data + reader->bytes};
    const unsigned channels = reader->data[1] == 'F' ? 3 : 1;
    uint32_t width, height;
    bool low_first;
    if (!sch_files_text_number(&text, &width) || !sch_files_text_number(&text, &height) ||
        !read_scale(&text, &low_first) || !sch_files_text_space(&text))
        return damaged(reader, "its header");
    size_t bytes;
    sch_files_describe_picture(texture, channels == 3 ? SCH_FORMAT_R32G32B32_FLOAT : SCH_FORMAT_R32_FLOAT, width,
                               height);
    texture->transfer = SCH_FILE_TRANSFER_LINEAR;
    enum sch_result result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if (bytes > (size_t)(text.end - text.at)) return damaged(reader, "too few bytes for its size");
    result = sch_files_allocate(reader, texture);
    if (result != SCH_OK) return result;
    const size_t floats = (size_t)width * channels;
    for (uint32_t y = 0; y < height; y++)
        read_row(text.at + y * floats * FLOAT_BYTES, texture->texels + (height - 1 - y) * floats * FLOAT_BYTES, floats,
                 low_first);
    return SCH_OK;
}

enum sch_result sch_files_pfm_write(const struct sch_files_writer *writer)
{
    static const char formats[] =
        "R32 L32 Z32 R32G32B32 R32G32B32X32 of floats, and R32G32B32A32 whose alpha is 1; the "
        "same of 16 bits";
    const struct sch_file_texture *texture = writer->texture;
    struct sch_files_pixels pixels;
    enum sch_result result =
        sch_files_begin_picture(writer, "PFM", 1u << SCH_FILES_F16 | 1u << SCH_FILES_F32, formats, &pixels);
    if (result != SCH_OK) return result;
    if (!sch_files_drop_full_alpha(&pixels, texture->texels, (size_t)texture->width * texture->height)) {
        sch_files_report(writer->error, SCH_D_FILE_FORMAT, "PFM has no alpha, and the texture's is not 1 everywhere");
        return SCH_ERROR_UNSUPPORTED;
    }
    const size_t from = texture->width * sch_files_texel_bytes(&pixels);
    const size_t row = (size_t)texture->width * sch_files_channel_count(&pixels) * FLOAT_BYTES;
    sch_bytes_format(writer->file, "P%c\n%u %u\n-1.0\n", sch_files_channel_count(&pixels) == 3 ? 'F' : 'f',
                     (unsigned)texture->width, (unsigned)texture->height);
    float *floats = writer->limits.memory->alloc(writer->limits.memory->user, row);
    if (!floats) return SCH_ERROR_MEMORY;
    (void)sch_bytes_reserve(writer->file, row * texture->height);
    for (uint32_t y = texture->height; y--;) {
        sch_files_row_floats(&pixels, texture->texels + y * from, texture->width, floats);
        sch_bytes_append(writer->file, floats, row);
    }
    writer->limits.memory->free(writer->limits.memory->user, floats);
    return writer->file->status;
}
