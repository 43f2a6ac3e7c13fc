/* Blocks of S3TC decoded by libsquish (BC1 to BC3), which is opened at run time. It is C++, and has no names of C: the
 * one function that is wanted is `void squish::Decompress(squish::u8 *, void const *, int)`. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "blocks.h"

typedef void decompress_fn(uint8_t *rgba, const void *block, int flags);

static void *library;
static decompress_fn *decompress;

static bool squish_open(const char *name, char *why, size_t room)
{
    union {
        void *pointer;
        decompress_fn *function;
    } found = {NULL};
    (void)name;
    library = dlopen("libsquish.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library) found.pointer = dlsym(library, "_ZN6squish10DecompressEPhPKvi");
    decompress = found.function;
    if (!decompress) snprintf(why, room, "%s", library ? "libsquish has another interface" : "no libsquish.so.0");
    return decompress != NULL;
}

static int flags_of(const struct block_format *format)
{
    switch (format->format) {
    case SCH_FORMAT_DXT1_RGBA:
        return 1;
    case SCH_FORMAT_DXT3_RGBA:
        return 2;
    case SCH_FORMAT_DXT5_RGBA:
        return 4;
    default:
        return 0;
    }
}

static bool squish_has(const struct block_format *format) { return flags_of(format) != 0; }

static bool squish_decode(const struct block_format *format, const uint8_t *blocks, block_texel *texels)
{
    const unsigned across = BLOCKS_SIDE / 4;
    for (unsigned n = 0; n < across * across; n++) {
        uint8_t codes[16][4];
        decompress(codes[0], blocks + n * format->bytes, flags_of(format));
        for (unsigned i = 0; i < 16; i++) {
            float *texel = texels[(n / across * 4 + i / 4) * BLOCKS_SIDE + n % across * 4 + i % 4];
            for (unsigned c = 0; c < 4; c++) texel[c] = (float)codes[i][c] / 255;
        }
    }
    return true;
}

static void squish_close(void)
{
    if (library) dlclose(library);
}

const struct block_peer blocks_squish = {"squish", squish_open, squish_has, squish_decode, squish_close};
