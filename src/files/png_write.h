/* What a PNG is written from (png_write.c): rows of texels in memory; all of the picture's, or some for a piece of the
 * file. Holds no format of texels' names: png_texture.c. */
#ifndef SCH_FILES_PNG_WRITE_H
#define SCH_FILES_PNG_WRITE_H

#include "files/pixels.h"

struct sch_png_source {
    struct sch_files_pixels pixels; /* of 8 or 16 bits, with the names R, Y, Z, YA, RGB, RGBA */
    uint32_t width, height;
    const uint8_t *texels;
    uint32_t first_row;          /* that `texels` begin with */
    uint32_t begin_row, end_row; /* that are written; the one above them is read, too */
    bool srgb;                   /* an sRGB chunk */
    uint32_t gamma;              /* a gAMA chunk: 100000 times the exponent; 0: none */
    const struct sch_file_write_options *options;
    const struct sch_allocator *memory;
    struct sch_file_error *error;
};

/* The most bytes that a row may have. */
#define SCH_PNG_ROW_BYTES ((size_t)INT32_MAX)

/* What the end of the file says of its rows: the Adler-32 of these bytes. */
struct sch_png_sum {
    uint32_t adler;
    uint64_t bytes;
};
#define SCH_PNG_SUM_OF_NOTHING ((struct sch_png_sum){.adler = 1})

/* How many rows are compressed together: whole bands make the same bytes at once and piece by piece. */
size_t sch_png_band_rows(const struct sch_png_source *source);

/* The three parts of a file, one after the other: the head; rows from one that a band begins with to one that a band
 * ends with, whose sum is added to `sum`; the tail. */
void sch_png_append_head(const struct sch_png_source *source, struct sch_bytes *file);
enum sch_result sch_png_append_rows(const struct sch_png_source *source, struct sch_png_sum *sum,
                                    struct sch_bytes *file);
void sch_png_append_tail(uint32_t adler, struct sch_bytes *file);

/* Appends a whole file, whatever rows are given. A picture of four channels whose alpha is full everywhere is written
 * without. */
enum sch_result sch_png_write_source(const struct sch_png_source *source, struct sch_bytes *file);

#endif
