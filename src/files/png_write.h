/* What a PNG is written from (png_write.c): rows of texels in memory. Holds no format of texels' names: png_texture.c. */
#ifndef SCH_FILES_PNG_WRITE_H
#define SCH_FILES_PNG_WRITE_H

#include "base/bytes.h"
#include "files/files.h"

/* PNG's kinds of colour (PNG 3rd edition, 11.2.1) that are written. */
enum sch_png_color { SCH_PNG_GREY = 0, SCH_PNG_RGB = 2, SCH_PNG_GREY_ALPHA = 4, SCH_PNG_RGBA = 6 };

/* How texels become pixels: channel i of a pixel is component from[i] of a texel. */
struct sch_png_layout {
    enum sch_png_color color;
    uint8_t bits;       /* of a component: 8 or 16 */
    uint8_t components; /* of a texel, with those that are not written */
    uint8_t channels;   /* of a pixel */
    uint8_t from[4];
};

struct sch_png_source {
    struct sch_png_layout layout;
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
