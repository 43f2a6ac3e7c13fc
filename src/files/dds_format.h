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
    SCH_DDS_BUMP = 0x80000,
    SCH_DDS_TEXELS = 0xe1a6f, /* any of those above: what texels are */
    SCH_DDS_SRGB = 0x40000000 /* of NVIDIA's texture tools; theirs of normals, 0x80000000, changes nothing */
};

#define SCH_DDS_LETTERS(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* The members of DDS_PIXELFORMAT that count. */
struct sch_dds_pixels {
    uint32_t flags, letters, bits;
    uint32_t masks[4]; /* red, green, blue, alpha */
};

/* What they mean. */
struct sch_dds_meaning {
    enum sch_format format; /* NONE: no format is meant */
    bool premultiplied;     /* DXT2 and DXT4 say so */
    bool exchanged;         /* RXGB: the blocks of DXT5, whose alpha is red */
    bool srgb;              /* colours are on the curve of sRGB, and the format does not say it */
    const char *odd;        /* how they break the rules, for a warning, or NULL */
};
struct sch_dds_meaning sch_dds_of_pixels(const struct sch_dds_pixels *pixels);
/* The letters name a format, or a header of DX10. */
bool sch_dds_is_code(uint32_t letters);
enum sch_format sch_dds_of_dxgi(uint32_t number, bool opaque);

/* The words for a format; false: the old header has none. */
bool sch_dds_pixels(enum sch_format format, struct sch_dds_pixels *pixels);
/* DXGI_FORMAT; 0: there is none. */
uint32_t sch_dds_dxgi(enum sch_format format, bool *opaque);
/* Written with the old header where that can hold the texture. */
bool sch_dds_is_old(enum sch_format format);

#endif
