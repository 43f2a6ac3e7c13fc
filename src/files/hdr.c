/* Radiance pictures, in and out: red, green and blue with a common exponent, flat or run-length coded in either way
 * (Ward, "Real Pixels", Graphics Gems II; Radiance's file formats, "Picture File Format"). A mantissa m with
 * exponent e is m * 2^(e - 136), and all are 0 if e is: without the half that Radiance's own reader adds for those
 * who view pictures, so that what is written comes back. EXPOSURE and COLORCORR have no effect: texels are the
 * file's numbers. Holds no other kind. */
#include <string.h>

#include "base/checked.h"
#include "files/kinds.h"
#include "files/pixels.h"
#include "files/text.h"

enum {
    RGBE = 4,
    EXCESS = 128 + 8,  /* of the exponent, and the bits of a mantissa */
    SHORTEST_RUNS = 8, /* pixels of a scanline that may be coded by components */
    LONGEST_RUNS = 0x7fff
};

/* How scanlines lie in the picture: pixel i of scanline j is texel origin + i * pixel + j * line. */
struct orientation {
    uint32_t width, height; /* of the texture */
    uint32_t pixels, lines; /* of a scanline; of the file */
    ptrdiff_t origin, pixel, line;
};

static bool begins(const uint8_t *data, size_t bytes, const char *text)
{
    return bytes >= strlen(text) && memcmp(data, text, strlen(text)) == 0;
}

bool sch_files_hdr_is(const uint8_t *data, size_t bytes)
{
    return begins(data, bytes, "#?RADIANCE") || begins(data, bytes, "#?RGBE");
}

/* ---- reading ---- */

static enum sch_result damaged(const struct sch_files_reader *reader, const char *what)
{
    sch_files_report(reader->error, SCH_D_PICTURE_DAMAGED, "damaged Radiance picture: %s", what);
    return SCH_ERROR_INVALID;
}

/* The lines up to an empty one. UNSUPPORTED: another format than RGBE. INVALID: there is no empty line. */
static enum sch_result read_lines(const struct sch_files_reader *reader, struct sch_files_text *text)
{
    static const char format[] = "FORMAT=", rgbe[] = "32-bit_rle_rgbe";
    while (text->at < text->end) {
        const uint8_t *line = text->at;
        sch_files_text_line(text);
        size_t length = (size_t)(text->at - line);
        while (length && (line[length - 1] == '\n' || line[length - 1] == '\r')) length--;
        if (!length) return SCH_OK;
        if (!begins(line, length, format)) continue;
        line += sizeof format - 1;
        length -= sizeof format - 1;
        while (length && *line == ' ') line++, length--;
        while (length && line[length - 1] == ' ') length--;
        if (length == sizeof rgbe - 1 && memcmp(line, rgbe, length) == 0) continue;
        sch_files_report(reader->error, SCH_D_FILE_FORM,
                         "the Radiance picture's format is %.*s: 32-bit_rle_rgbe is read",
                         length > 32 ? 32 : (int)length, (const char *)line);
        return SCH_ERROR_UNSUPPORTED;
    }
    return damaged(reader, "its header does not end");
}

/* One axis of the resolution: "-Y 480". False if there is none. */
static bool read_axis(struct sch_files_text *text, char *axis, bool *falls, uint32_t *size)
{
    char word[4];
    if (!sch_files_text_word(text, word, sizeof word) || (word[0] != '-' && word[0] != '+')) return false;
    if ((word[1] != 'X' && word[1] != 'Y') || word[2]) return false;
    *falls = word[0] == '-';
    *axis = word[1];
    return sch_files_text_number(text, size);
}

/* The first axis is that of the scanlines, the second one goes along a scanline. Y rises upwards, rows of texels go
 * down. / */
static bool read_resolution(struct sch_files_text *text, struct orientation *to)
{
    char first, second;
    bool lines_fall, pixels_fall;
    if (!read_axis(text, &first, &lines_fall, &to->lines) || !read_axis(text, &second, &pixels_fall, &to->pixels))
        return false;
    sch_files_text_line(text);
    if (first == second || !to->lines || !to->pixels) return false;
    const bool by_rows = first == 'Y';
    to->width = by_rows ? to->pixels : to->lines;
    to->height = by_rows ? to->lines : to->pixels;
    const bool y_falls = by_rows ? lines_fall : pixels_fall, x_falls = by_rows ? pixels_fall : lines_fall;
    const ptrdiff_t down = y_falls ? to->width : -(ptrdiff_t)to->width, right = x_falls ? -1 : 1;
    to->origin = (y_falls ? 0 : (ptrdiff_t)(to->height - 1) * to->width) + (x_falls ? to->width - 1 : 0);
    to->line = by_rows ? down : right;
    to->pixel = by_rows ? right : down;
    return true;
}

/* A scanline by components: each is a series of runs (a count above 128, and one value) and of values (a count, and so
 * many). */
static bool read_runs(struct sch_files_text *text, uint8_t *line, uint32_t pixels)
{
    for (unsigned component = 0; component < RGBE; component++)
        for (uint32_t x = 0; x < pixels;) {
            if (text->end - text->at < 2) return false;
            const bool run = *text->at > 128;
            const uint32_t count = run ? *text->at - 128u : *text->at;
            text->at++;
            if (!count || count > pixels - x || (!run && (size_t)(text->end - text->at) < count)) return false;
            for (uint32_t end = x + count; x < end; x++) {
                line[RGBE * x + component] = *text->at;
                text->at += !run;
            }
            text->at += run;
        }
    return true;
}

/* A scanline of pixels: 1, 1, 1, n repeats the one before n times, and n * 256 times if such a pixel was before,
 * too. */
static bool read_pixels(struct sch_files_text *text, uint8_t *line, uint32_t pixels)
{
    unsigned shift = 0;
    for (uint32_t x = 0; x < pixels;) {
        if (text->end - text->at < RGBE) return false;
        const uint8_t *pixel = text->at;
        text->at += RGBE;
        if (pixel[0] != 1 || pixel[1] != 1 || pixel[2] != 1) {
            memcpy(line + RGBE * x++, pixel, RGBE);
            shift = 0;
            continue;
        }
        const uint64_t count = shift < 32 ? (uint64_t)pixel[3] << shift : UINT32_MAX;
        if (!x || count > pixels - x) return false;
        for (uint64_t i = 0; i < count; i++, x++) memcpy(line + RGBE * x, line + RGBE * (x - 1), RGBE);
        shift += 8;
    }
    return true;
}

static bool read_scanline(struct sch_files_text *text, uint8_t *line, uint32_t pixels)
{
    const uint8_t *at = text->at;
    if (pixels < SHORTEST_RUNS || pixels > LONGEST_RUNS || text->end - at < RGBE || at[0] != 2 || at[1] != 2 ||
        at[2] & 0x80)
        return read_pixels(text, line, pixels);
    text->at += RGBE;
    return ((uint32_t)at[2] << 8 | at[3]) == pixels && read_runs(text, line, pixels);
}

/* 2^(e - 136), which is not a normal number for the smallest e. */
static float scale_of(unsigned e)
{
    const uint32_t bits = e > EXCESS - 127 ? (e - EXCESS + 127) << 23 : 1u << (e + 149 - EXCESS);
    float scale;
    memcpy(&scale, &bits, sizeof scale);
    return scale;
}

static void store_scanline(const uint8_t *line, const struct orientation *as, uint32_t number, uint8_t *texels)
{
    ptrdiff_t at = as->origin + (ptrdiff_t)number * as->line;
    for (uint32_t i = 0; i < as->pixels; i++, line += RGBE, at += as->pixel) {
        const float scale = line[3] ? scale_of(line[3]) : 0;
        const float rgb[3] = {line[0] * scale, line[1] * scale, line[2] * scale};
        memcpy(texels + (size_t)at * sizeof rgb, rgb, sizeof rgb);
    }
}

/* A scanline has a pixel or the head of its runs at least. */
static bool has_scanlines(const struct sch_files_text *text, const struct orientation *as)
{
    return as->lines <= (size_t)(text->end - text->at) / RGBE;
}

enum sch_result sch_files_hdr_read(const struct sch_files_reader *reader, struct sch_file_texture *texture)
{
    struct sch_files_text text = {.at = reader->data, .end = reader->data + reader->bytes};
    struct orientation as;
    size_t bytes;
    enum sch_result result = read_lines(reader, &text);
    if (result != SCH_OK) return result;
    if (!read_resolution(&text, &as)) return damaged(reader, "its resolution");
    sch_files_describe_picture(texture, SCH_FORMAT_R32G32B32_FLOAT, as.width, as.height);
    texture->transfer = SCH_FILE_TRANSFER_LINEAR;
    result = sch_files_check(reader, texture, &bytes);
    if (result != SCH_OK) return result;
    if (!has_scanlines(&text, &as)) return damaged(reader, "too few bytes for its size");
    result = sch_files_allocate(reader, texture);
    if (result != SCH_OK) return result;
    const struct sch_allocator *memory = reader->limits.memory;
    uint8_t *line = memory->alloc(memory->user, (size_t)as.pixels * RGBE);
    if (!line) return SCH_ERROR_MEMORY;
    for (uint32_t y = 0; y < as.lines && result == SCH_OK; y++) {
        if (read_scanline(&text, line, as.pixels))
            store_scanline(line, &as, y, texture->texels);
        else
            result = damaged(reader, "a scanline");
    }
    memory->free(memory->user, line);
    return result;
}

/* ---- writing ---- */

/* A float that is neither negative nor NaN as bits: what is above the largest RGBE becomes that. */
static float within(float value)
{
    const float most = 255 * 0x1p119f; /* mantissa 255, exponent 255 */
    return !(value > 0) ? 0 : value < most ? value : most;
}

/* The nearest RGBE, halves up. The largest channel takes all 8 bits of its mantissa. */
static void encode(const float rgb[3], uint8_t to[RGBE])
{
    float channel[3], most = 0;
    uint32_t bits, e;
    for (unsigned c = 0; c < 3; c++) {
        channel[c] = within(rgb[c]);
        most = channel[c] > most ? channel[c] : most;
    }
    memcpy(&bits, &most, sizeof bits);
    /* most is in [2^(b - 127), 2^(b - 126)), with mantissas in [128, 256): e - 136 = b - 127 - 7. Smaller ones than a
     * normal number are below the least exponent, too. */
    e = (bits >> 23) + EXCESS - 134;
    if (e < 1 || !(bits >> 23)) e = 1;
    for (;;) {
        bool fits = true;
        for (unsigned c = 0; c < 3; c++) {
            /* Exact: the quotient has the bits of the channel, and 2^(136 - e) is in reach of double. */
            const double mantissa = (double)channel[c] / (double)scale_of(e) + 0.5;
            fits = fits && mantissa < 256;
            to[c] = (uint8_t)(mantissa < 256 ? mantissa : 255);
        }
        if (fits || e == 255) break;
        e++;
    }
    to[3] = to[0] | to[1] | to[2] ? (uint8_t)e : 0;
}

/* A component of a scanline: runs of 4 and more, up to 127 of them, and what is between them. */
static void append_runs(struct sch_bytes *file, const uint8_t *component, uint32_t pixels)
{
    enum { LEAST_RUN = 4, MOST_RUN = 127, MOST_VALUES = 128 };
    uint32_t first = 0; /* of the values that are not yet written */
    for (uint32_t x = 0; x <= pixels;) {
        uint32_t run = 0;
        while (x + run < pixels && run < MOST_RUN && component[RGBE * (x + run)] == component[RGBE * x]) run++;
        if (x < pixels && run < LEAST_RUN) {
            x += run;
            continue;
        }
        while (first < x) {
            const uint32_t count = x - first < MOST_VALUES ? x - first : MOST_VALUES;
            sch_bytes_char(file, (char)count);
            for (uint32_t i = 0; i < count; i++) sch_bytes_char(file, (char)component[RGBE * first++]);
        }
        if (x == pixels) return;
        sch_bytes_char(file, (char)(128 + run));
        sch_bytes_char(file, (char)component[RGBE * x]);
        x += run;
        first = x;
    }
}

static void append_scanline(struct sch_bytes *file, const uint8_t *line, uint32_t pixels)
{
    if (pixels < SHORTEST_RUNS || pixels > LONGEST_RUNS) {
        static const uint8_t black[RGBE] = {0};
        for (uint32_t x = 0; x < pixels; x++) { /* 1, 1, 1 would repeat a pixel; it is as good as black */
            const uint8_t *pixel = line + (size_t)RGBE * x;
            sch_bytes_append(file, pixel[0] == 1 && pixel[1] == 1 && pixel[2] == 1 ? black : pixel, RGBE);
        }
        return;
    }
    const uint8_t head[RGBE] = {2, 2, (uint8_t)(pixels >> 8), (uint8_t)pixels};
    sch_bytes_append(file, head, sizeof head);
    for (unsigned component = 0; component < RGBE; component++) append_runs(file, line + component, pixels);
}

static void append_lines(const struct sch_files_writer *writer, const struct sch_files_pixels *pixels, float *floats,
                         uint8_t *line)
{
    const struct sch_file_texture *texture = writer->texture;
    const unsigned channels = sch_files_channel_count(pixels);
    const size_t row = texture->width * sch_files_texel_bytes(pixels);
    for (uint32_t y = 0; y < texture->height; y++) {
        sch_files_row_floats(pixels, texture->texels + y * row, texture->width, floats);
        for (uint32_t x = 0; x < texture->width; x++) {
            const float *at = floats + (size_t)x * channels;
            const float rgb[3] = {at[0], at[channels == 1 ? 0 : 1], at[channels == 1 ? 0 : 2]};
            encode(rgb, line + (size_t)x * RGBE);
        }
        append_scanline(writer->file, line, texture->width);
    }
}

enum sch_result sch_files_hdr_write(const struct sch_files_writer *writer)
{
    static const char formats[] =
        "L32 R32G32B32 R32G32B32X32 of floats, and R32G32B32A32 whose alpha is 1; the same of "
        "16 bits";
    const struct sch_file_texture *texture = writer->texture;
    const struct sch_allocator *memory = writer->limits.memory;
    struct sch_files_pixels pixels;
    enum sch_result result =
        sch_files_begin_picture(writer, "Radiance's kind", 1u << SCH_FILES_F16 | 1u << SCH_FILES_F32, formats, &pixels);
    if (result != SCH_OK) return result;
    if (!sch_files_drop_full_alpha(&pixels, texture->texels, (size_t)texture->width * texture->height)) {
        sch_files_report(writer->error, SCH_D_FILE_FORMAT,
                         "Radiance's kind has no alpha, and the texture's is not 1 everywhere");
        return SCH_ERROR_UNSUPPORTED;
    }
    if (pixels.names[0] != 'Y' && sch_files_channel_count(&pixels) != 3) {
        sch_files_report(writer->error, SCH_D_FILE_FORMAT, "Radiance's kind has no texels of %s, but %s",
                         sch_files_format_name(texture->format), formats);
        return SCH_ERROR_UNSUPPORTED;
    }
    const size_t floats = (size_t)texture->width * 3 * sizeof(float);
    float *row = memory->alloc(memory->user, floats + (size_t)texture->width * RGBE);
    if (!row) return SCH_ERROR_MEMORY;
    sch_bytes_format(writer->file, "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y %u +X %u\n", (unsigned)texture->height,
                     (unsigned)texture->width);
    append_lines(writer, &pixels, row, (uint8_t *)row + floats);
    memory->free(memory->user, row);
    return writer->file->status;
}
