/* What a DDS file says about its texels, and the formats that are meant. Holds no layout of files (dds.c). */
#ifndef SCH_FILES_DDS_FORMAT_H
#define SCH_FILES_DDS_FORMAT_H

#include "files/codec.h"

/* Flags of DDS_PIXELFORMAT. */
enum {
    SCH_DDS_ALPHA_PIXELS = 0x1,
    SCH_DDS_ALPHA = 0x2,
    SCH_DDS_FOURCC = 0x4,
    SCH_DDS_PALETTES = 0x8 | 0x20 | 0x800 | 0x1000, /* of 4, 8, 1 and 2 bits */
    SCH_DDS_RGB = 0x40,
    SCH_DDS_YUV = 0x200,
    SCH_DDS_LUMINANCE = 0x20000,
    SCH_DDS_BUMP_LUMINANCE = 0x40000,
    SCH_DDS_BUMP = 0x80000
};

#define SCH_DDS_LETTERS(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* The members of DDS_PIXELFORMAT that count. */
struct sch_dds_pixels {
    uint32_t flags, letters, bits;
    uint32_t masks[4]; /* red, green, blue, alpha */
};

/* NONE: no format is meant. `premultiplied`: DXT2 and DXT4 say so. */
enum sch_format sch_dds_of_pixels(const struct sch_dds_pixels *pixels, bool *premultiplied);
enum sch_format sch_dds_of_dxgi(uint32_t number, bool opaque);

/* The words for a format; false: the old header has none. */
bool sch_dds_pixels(enum sch_format format, struct sch_dds_pixels *pixels);
/* DXGI_FORMAT; 0: there is none. */
uint32_t sch_dds_dxgi(enum sch_format format, bool *opaque);
/* Written with the old header where that can hold the texture. */
bool sch_dds_is_old(enum sch_format format);

#endif
