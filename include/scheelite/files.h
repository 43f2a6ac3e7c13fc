/* Picture files in memory: PNG in and out. A library of its own (libscheelite-files), which needs libpng and nothing of
 * libscheelite but these headers. It opens no files: bytes come from the caller and go to the caller.
 *
 * All functions are thread-safe as long as the arguments are not shared. */
#ifndef SCHEELITE_FILES_H
#define SCHEELITE_FILES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory and ceilings; zero members keep their default. */
struct sch_file_options {
    size_t size;
    const struct sch_allocator *memory; /* optional: malloc and free; copied */
    uint32_t max_width, max_height;     /* default 16384 */
    size_t max_bytes;                   /* of the decoded picture (default 1 GiB) */
};

/* What was wrong with a file. `code` is a stable number as in the diagnostics, 0 when there is nothing to say. */
struct sch_file_error {
    size_t size;
    unsigned code;
    char message[160]; /* one line, no final full stop */
};

/* A picture of four 8-bit channels: red, green, blue, alpha (not premultiplied), 4 * width bytes a row without gaps,
 * row 0 on top. Its texels belong to it; give them back with sch_picture_release. */
struct sch_picture {
    size_t size;
    uint32_t width, height;
    uint8_t *texels;
    size_t bytes;                /* of `texels` */
    struct sch_allocator memory; /* where `texels` came from */
};

/* Bytes of a file that was made. Give them back with sch_file_bytes_release. Closed: no other member will come. */
struct sch_file_bytes {
    uint8_t *data;
    size_t bytes;
    struct sch_allocator memory;
};

/* Whether the bytes begin as a PNG file does. */
SCH_API bool sch_png_is(const void *data, size_t bytes);

/* Reads any PNG (grey, palette, true colour, with and without alpha or a transparent colour, 1 to 16 bits, interlaced):
 * grey is copied to red, green and blue; what has no alpha gets 255; codes of fewer bits are scaled to 255 and those of
 * 16 bits to the nearest of 8. Numbers are taken as they stand: gamma and colour profiles change nothing. Sizes are
 * checked before memory is taken.
 * `options` and `error` are optional. SCH_ERROR_INVALID: no PNG, or a damaged one; SCH_ERROR_LIMIT: larger than the
 * ceilings; then the picture is empty. */
SCH_API enum sch_result sch_png_read(const struct sch_file_options *options, const void *data, size_t bytes,
                                     struct sch_picture *picture, struct sch_file_error *error);

/* Makes an 8-bit RGBA PNG without times or comments: one picture gives one sequence of bytes (with one version of
 * libpng and zlib). `picture->memory` is not used. `options` and `error` are optional. ARGUMENT: no pixels, more than
 * 536870911 in a row, or texels that are fewer bytes than the picture has. */
SCH_API enum sch_result sch_png_write(const struct sch_file_options *options, const struct sch_picture *picture,
                                      struct sch_file_bytes *file, struct sch_file_error *error);

/* Give memory back and empty the struct. Take NULL and empty structs. */
SCH_API void sch_picture_release(struct sch_picture *picture);
SCH_API void sch_file_bytes_release(struct sch_file_bytes *file);

#ifdef __cplusplus
}
#endif
#endif
