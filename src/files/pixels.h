/* Formats of texels whose components are numbers of one type: what kinds of one picture are written from, and how rows
 * of texels become rows of a file. Holds no kind of file. */
#ifndef SCH_FILES_PIXELS_H
#define SCH_FILES_PIXELS_H

#include "files/codec.h"

/* An unsigned fraction of 8 or 16 bits, a float of 16 or 32 bits, an unsigned integer of 32. */
enum sch_files_component { SCH_FILES_UN8, SCH_FILES_UN16, SCH_FILES_F16, SCH_FILES_F32, SCH_FILES_UI32 };

/* Channel i of a pixel is component from[i] of a texel, and has the name names[i]: R, G, B, A, Y (luminance), Z
 * (depth). Components that have no name are not written. */
struct sch_files_pixels {
    enum sch_format format;
    enum sch_files_component type;
    uint8_t components;
    char names[5];
    uint8_t from[4];
};

/* False: texels of the format are no such pixels. */
bool sch_files_pixels_of(enum sch_format format, struct sch_files_pixels *pixels);

unsigned sch_files_channel_count(const struct sch_files_pixels *pixels);
size_t sch_files_component_bytes(enum sch_files_component type);
size_t sch_files_texel_bytes(const struct sch_files_pixels *pixels);

/* Whether the last name is A. */
bool sch_files_has_alpha(const struct sch_files_pixels *pixels);

/* Takes the alpha away if it is 1 in each of `count` texels, and returns whether none is left. */
bool sch_files_drop_full_alpha(struct sch_files_pixels *pixels, const uint8_t *texels, size_t count);

/* The channels of a row of texels, for types of 8 and 16 bits: the high byte first. */
void sch_files_row_high_first(const struct sch_files_pixels *pixels, const uint8_t *texels, uint32_t width,
                              uint8_t *to);

/* The channels of a row of texels of floats. */
void sch_files_row_floats(const struct sch_files_pixels *pixels, const uint8_t *texels, uint32_t width, float *to);

/* A 2D texture of one picture with this size, all else of it being 1 or nothing. */
void sch_files_describe_picture(struct sch_file_texture *texture, enum sch_format format, uint32_t width,
                                uint32_t height);

/* What kinds of one picture check before they are written: the shape, the format (of a type that is in `types`, bits
 * by enum sch_files_component; only with SCH_FILES_RG of red and green alone), and that colours are not multiplied
 * with alpha, unless that is 1 or SCH_FILES_MULTIPLIED is in `types`. UNSUPPORTED, with a report that has the kind's
 * name and the list of formats. */
enum { SCH_FILES_RG = 1 << 16, SCH_FILES_MULTIPLIED = 1 << 17 };
#define SCH_FILES_FORMATS_OF_FRACTIONS                                                                                 \
    "R8 L8 L8A8 R8G8B8 R8G8B8A8 R8G8B8X8 in any order, and R16 L16 Z16 L16A16 R16G16B16 R16G16B16A16"
enum sch_result sch_files_begin_picture(const struct sch_files_writer *writer, const char *kind, unsigned types,
                                        const char *formats, struct sch_files_pixels *pixels);

#endif
