/* Picture files: reading and writing PNG. This is a library of its own, libscheelite-files, which needs libpng, but not
 * libscheelite. It opens no files: the caller passes and receives their bytes.
 *
 * All functions are thread-safe; the structs that one call writes are one thread's. */
#ifndef SCHEELITE_FILES_H
#define SCHEELITE_FILES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Memory and limits. */
struct sch_file_options {
    size_t size;
    const struct sch_allocator *memory; /* optional: malloc and free; copied into what is returned */
    uint32_t max_width, max_height;     /* pixels; default 16384 */
    size_t max_bytes;                   /* of the decoded picture; default 1 GiB */
};

/* What was wrong with a file. `code` is a stable number, as of diagnostics; 0: nothing to report. */
struct sch_file_error {
    size_t size;
    unsigned code;
    char message[160]; /* one line, no final full stop */
};

/* A picture of four 8-bit channels: red, green, blue, alpha (not premultiplied). A row has 4 * width bytes, rows follow
 * each other without gaps, and row 0 is the top. The texels belong to the picture; free them with
 * sch_picture_release. */
struct sch_picture {
    size_t size;
    uint32_t width, height;
    uint8_t *texels;
    size_t bytes;                /* of `texels` */
    struct sch_allocator memory; /* where `texels` came from */
};

/* The bytes of a file that was made. Free them with sch_file_bytes_release. Closed: no other member will come. */
struct sch_file_bytes {
    uint8_t *data;
    size_t bytes;
    struct sch_allocator memory;
};

/* Whether the bytes begin like a PNG file. */
SCH_API bool sch_png_is(const void *data, size_t bytes);

/* Reads a PNG of any kind: grey, palette or true colour, with alpha, a transparent colour or neither, 1 to 16 bits,
 * interlaced or not. Grey is copied to red, green and blue. Alpha is 255 if the file has none. Codes of fewer than 8
 * bits are scaled to 255, and codes of 16 bits to the nearest of 8 bits. Gamma and colour profiles have no effect.
 * Sizes are checked before memory is allocated.
 *
 * `options` and `error` are optional. Errors: ARGUMENT, MEMORY, INVALID (not a PNG, or a damaged one), LIMIT. The
 * picture is empty then. */
SCH_API enum sch_result sch_png_read(const struct sch_file_options *options, const void *data, size_t bytes,
                                     struct sch_picture *picture, struct sch_file_error *error);

/* Writes an 8-bit RGBA PNG without times and comments: the same picture gives the same bytes, with the same versions of
 * libpng and zlib. `picture->memory` is not used. `options` and `error` are optional. Errors: MEMORY, ARGUMENT (also
 * for a picture without pixels, with more than 536870911 in a row, or with fewer bytes of texels than its size
 * needs). */
SCH_API enum sch_result sch_png_write(const struct sch_file_options *options, const struct sch_picture *picture,
                                      struct sch_file_bytes *file, struct sch_file_error *error);

/* The SHA-256 of a picture's texels, as they are in memory: equal pictures of one size have equal ones. Errors:
 * ARGUMENT (no picture, or fewer bytes of texels than its size needs). */
enum { SCH_PICTURE_SHA256_BYTES = 32 };
SCH_API enum sch_result sch_picture_sha256(const struct sch_picture *picture, uint8_t digest[SCH_PICTURE_SHA256_BYTES]);

/* Free the memory and empty the struct. Take NULL and empty structs. */
SCH_API void sch_picture_release(struct sch_picture *picture);
SCH_API void sch_file_bytes_release(struct sch_file_bytes *file);

#ifdef __cplusplus
}
#endif
#endif
