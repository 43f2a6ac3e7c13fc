/* Netpbm's files, in and out: PBM, PGM and PPM as text and binary (P1 to P6), PAM (P7). If there are several pictures
 * in a file the first one is read. The formats are those of netpbm's pages pbm(5), pgm(5), ppm(5), pam(5). Holds no
 * floats: pfm.c. */
#include <string.h>

#include "base/checked.h"
#include "files/kinds.h"
#include "files/pixels.h"
#include "files/text.h"

struct header {
    uint32_t width, height, channels, most; /* most: the sample that means 1 */
    bool text;
    bool bits; /* PBM: one bit a sample, 1 is black */
};

bool sch_files_pnm_is(const uint8_t *data, size_t bytes)
{
    return bytes >= 3 && data[0] == 'P' && data[1] >= '1' && data[1] <= '7' &&
           (sch_files_is_space(data[2]) || data[2] == '#');
}

/* ---- reading ---- */

static enum sch_result damaged(const struct sch_files_reader *reader, const char *what)
{
    sch_files_report(reader->error, SCH_D_PICTURE_DAMAGED, "damaged PNM: %s", what);
    return SCH_ERROR_INVALID;
}

/* One line of a PAM's header: a word, and its value, which only some words need. False: it is wrong. */
static bool read_field(struct sch_files_text *text, struct header *header, bool *done)
{
    char word[16];
    if (!sch_files_text_word(text, word, sizeof word)) return false;
    *done = strcmp(word, "ENDHDR") == 0;
    if (strcmp(word, "WIDTH") == 0) return sch_files_text_number(text, &header->width);
    if (strcmp(word, "HEIGHT") == 0) return sch_files_text_number(text, &header->height);
    if (strcmp(word, "DEPTH") == 0) return sch_files_text_number(text, &header->channels);
    if (strcmp(word, "MAXVAL") == 0) return sch_files_text_number(text, &header->most);
    sch_files_text_line(text); /* TUPLTYPE says no more than DEPTH does; the rest of ENDHDR's line */
    return true;
}

static bool read_header(struct sch_files_text *text, char kind, struct header *header)
{
    *header = (struct header){.text = kind <= '3', .bits = kind == '1' || kind == '4', .most = 1};
    if (kind == '7') {
        for (bool done = false; !done;)
            if (!read_field(text, header, &done)) return false;
        return true;
    }
    header->channels = kind == '3' || kind == '6' ? 3 : 1;
    if (!sch_files_text_number(text, &header->width) || !sch_files_text_number(text, &header->height)) return false;
    if (!header->bits && !sch_files_text_number(text, &header->most)) return false;
    /* One character of white space, and the samples begin. */
    return header->text || sch_files_text_space(text);
}

static enum sch_format format_of(uint32_t channels, bool wide)
{
    switch (channels) {
    case 1:
        return wide ? SCH_FORMAT_L16_UNORM : SCH_FORMAT_L8_UNORM;
    case 2:
        return wide ? SCH_FORMAT_L16A16_UNORM : SCH_FORMAT_L8A8_UNORM;
    default:
        return wide ? SCH_FORMAT_R16G16B16A16_UNORM : SCH_FORMAT_R8G8B8A8_UNORM;
    }
}

/* The next sample of a text; those of PBM need no space between them. */
static bool read_sample(struct sch_files_text *text, const struct header *header, uint32_t *sample)
{
    if (!header->bits) return sch_files_text_number(text, sample);
    return sch_files_text_digit(text, sample);
}

/* value / most in parts of `full`, to the nearest; 65535^2 * 2 fits 64 bits, not 32. */
static uint32_t scaled(uint32_t value, uint32_t most, uint32_t full)
{
    if (most == full) return value;
    return (uint32_t)(((uint64_t)value * full * 2 + most) / (2 * (uint64_t)most));
}

static uint8_t *store(uint8_t *to, uint32_t value, bool wide)
{
    *to++ = (uint8_t)value;
    if (wide) *to++ = (uint8_t)(value >> 8);
    return to;
}

/* A sample of a binary file; `at` is where its row begins. */
static uint32_t sample_at(const uint8_t *at, const struct header *header, size_t index)
{
    if (header->bits) return at[index / 8] >> (7 - index % 8) & 1;
    return header->most < 256 ? at[index] : (uint32_t)at[2 * index] << 8 | at[2 * index + 1];
}

static size_t row_bytes(const struct header *header)
{
    const size_t samples = (size_t)header->width * header->channels;
    return header->bits ? (samples + 7) / 8 : header->most < 256 ? samples : 2 * samples;
}

/* A row of bytes of which 255 is 1. */
static uint8_t *copy_row(const uint8_t *row, const struct header *header, uint8_t *to)
{
    if (header->channels != 3) {
        memcpy(to, row, (size_t)header->width * header->channels);
        return to + (size_t)header->width * header->channels;
    }
    for (uint32_t x = 0; x < header->width; x++, row += 3, to += 4) {
        memcpy(to, row, 3);
        to[3] = 0xff;
    }
    return to;
}

static enum sch_result read_samples(const struct sch_files_reader *reader, struct sch_files_text *text,
                                    const struct header *header, struct sch_file_texture *texture)
{
    const bool wide = header->most > 255;
    const uint32_t full = wide ? 0xffff : 0xff;
    const size_t samples = (size_t)header->width * header->channels, bytes = row_bytes(header);
    uint8_t *to = texture->texels;
    for (uint32_t y = 0; y < header->height; y++) {
        const uint8_t *row = header->text ? NULL : text->at + y * bytes;
        if (row && header->most == 255) {
            to = copy_row(row, header, to);
            continue;
        }
        for (size_t i = 0; i < samples; i++) {
            uint32_t value = 0;
            if (!header->text)
                value = sample_at(row, header, i);
            else if (!read_sample(text, header, &value))
                return damaged(reader, "a sample is missing or no number");
            if (value > header->most) return damaged(reader, "a sample is larger than the largest one");
            if (header->bits) value = !value;
            to = store(to, scaled(value, header->most, full), wide);
            if (header->channels == 3 && i % 3 == 2) to = store(to, full, wide);
        }
    }
    return SCH_OK;
}

/* Whether the file can have all samples: each of a text has a character at least. */
static bool has_samples(const struct sch_files_text *text, const struct header *header)
{
    size_t row = header->text ? (size_t)header->width * header->channels : row_bytes(header), needed;
    return sch_mul_size(row, header->height, &needed) && needed <= (size_t)(text->end - text->at);
}

enum sch_result sch_files_pnm_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct sch_files_text text = {.at = reader->data + 2, .end = reader->data + reader->bytes, .comments = true};
    struct header header;
    if (!read_header(&text, (char)reader->data[1], &header)) return damaged(reader, "its header");
    if (!header.most || header.most > 0xffff) return damaged(reader, "its largest sample is not in 1 to 65535");
    if (!header.width || !header.height || !header.channels) return damaged(reader, "a count is missing or 0");
    if (header.channels > 4) {
        sch_files_report(reader->error, SCH_D_FILE_FORM, "the PAM has %u samples a pixel: at most 4 are read",
                         (unsigned)header.channels);
        return SCH_ERROR_UNSUPPORTED;
    }
    size_t bytes;
    sch_files_describe_picture(texture, format_of(header.channels, header.most > 255), header.width, header.height);
    enum sch_result result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if (!has_samples(&text, &header)) return damaged(reader, "too few bytes for its size");
    result = sch_files_allocate(reader, texture);
    return result == SCH_OK ? read_samples(reader, &text, &header, texture) : result;
}

/* ---- writing ---- */

/* PGM and PPM where there is no alpha, else PAM. */
static void append_header(const struct sch_files_writer *writer, const struct sch_files_pixels *pixels)
{
    const unsigned channels = sch_files_channel_count(pixels), most = pixels->type == SCH_FILES_UN8 ? 255 : 65535;
    const unsigned width = writer->texture->width, height = writer->texture->height;
    if (channels == 1 || channels == 3)
        sch_bytes_format(writer->file, "P%c\n%u %u\n%u\n", channels == 1 ? '5' : '6', width, height, most);
    else
        sch_bytes_format(writer->file, "P7\nWIDTH %u\nHEIGHT %u\nDEPTH %u\nMAXVAL %u\nTUPLTYPE %s\nENDHDR\n", width,
                         height, channels, most, channels == 2 ? "GRAYSCALE_ALPHA" : "RGB_ALPHA");
}

enum sch_result sch_files_pnm_write(const struct sch_files_writer *writer)
{
    const struct sch_file_texture *texture = writer->texture;
    struct sch_files_pixels pixels;
    enum sch_result result = sch_files_begin_picture(writer, "PNM", 1u << SCH_FILES_UN8 | 1u << SCH_FILES_UN16,
                                                     SCH_FILES_FORMATS_OF_FRACTIONS, &pixels);
    if (result != SCH_OK) return result;
    if (sch_files_channel_count(&pixels) == 4)
        (void)sch_files_drop_full_alpha(&pixels, texture->texels, (size_t)texture->width * texture->height);
    const size_t from = texture->width * sch_files_texel_bytes(&pixels);
    const size_t row = texture->width * sch_files_component_bytes(pixels.type) * sch_files_channel_count(&pixels);
    append_header(writer, &pixels);
    if (!sch_bytes_reserve(writer->file, row * texture->height)) return writer->file->status;
    for (uint32_t y = 0; y < texture->height; y++) {
        sch_files_row_high_first(&pixels, texture->texels + y * from, texture->width,
                                 writer->file->data + writer->file->size);
        writer->file->size += row;
    }
    return SCH_OK;
}
