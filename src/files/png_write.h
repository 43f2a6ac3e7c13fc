/* What a PNG is written from (png_write.c): rows of texels in memory. Holds no format of texels' names:
 * png_texture.c. */
#ifndef SCH_FILES_PNG_WRITE_H
#define SCH_FILES_PNG_WRITE_H

#include "files/pixels.h"

struct sch_png_source {
    struct sch_files_pixels pixels; /* of 8 or 16 bits, with the names R, Y, Z, YA, RGB, RGBA */
    uint32_t width, height;
    const uint8_t *texels;
    bool srgb;      /* an sRGB chunk */
    uint32_t gamma; /* a gAMA chunk: 100000 times the exponent; 0: none */
    const struct sch_file_write_options *options;
    const struct sch_allocator *memory;
    struct sch_file_error *error;
};

/* The most bytes that a row may have. */
#define SCH_PNG_ROW_BYTES ((size_t)INT32_MAX)

/* Appends a whole file. A picture of four channels whose alpha is full everywhere is written without. */
enum sch_result sch_png_write_source(const struct sch_png_source *source, struct sch_bytes *file);

#endif
