/* How the bytes of a texel become components: one row per format of src/isa/formats.def, computed by the compiler from
 * the row's channel text, so that a constant format folds. Holds no vector code (src/texture reads it too) and no
 * switch over formats: a new class of channels is a new kind.
 *
 * Kinds so far: UNORM8, up to four 8-bit channels "un8" (a last one may be void, "x8") in 1, 2 or 4 bytes. */
#ifndef SCH_OPS_TEX_FORMAT_H
#define SCH_OPS_TEX_FORMAT_H

#include "isa/isa.h"

enum tex_kind { TEX_KIND_NONE, TEX_KIND_UNORM8 };

enum { TEX_ZERO = 4, TEX_ONE = 5 }; /* swizzle entries that are no component or channel */

struct tex_format {
    uint8_t kind;         /* enum tex_kind; NONE: the unit does not read this format */
    uint8_t bytes;        /* of a texel */
    uint8_t component[4]; /* channel that R, G, B, A come from, or TEX_ZERO, TEX_ONE */
};

/* The channel text, long enough to look at every place of four channels. */
#define TEX_AT(channels, i) ((channels "                    ")[i])
#define TEX_WORD(channels, i, a, b, c)                                                                                 \
    (TEX_AT(channels, 4 * (i)) == (a) && TEX_AT(channels, 4 * (i) + 1) == (b) && TEX_AT(channels, 4 * (i) + 2) == (c))
#define TEX_UN8(channels, i) (TEX_WORD(channels, i, 'u', 'n', '8') && TEX_AT(channels, 4 * (i) + 3) == ' ')
#define TEX_END(channels, i) TEX_WORD(channels, i, ' ', ' ', ' ')

/* Bytes of a texel whose channels are all un8 (the fourth may be x8), else 0. */
#define TEX_UNORM8_BYTES(channels)                                                                                     \
    (!TEX_UN8(channels, 0)                                                 ? 0                                         \
     : TEX_END(channels, 1)                                                ? 1                                         \
     : !TEX_UN8(channels, 1)                                               ? 0                                         \
     : TEX_END(channels, 2)                                                ? 2                                         \
     : !TEX_UN8(channels, 2)                                               ? 0                                         \
     : TEX_UN8(channels, 3) && TEX_END(channels, 4)                        ? 4                                         \
     : TEX_WORD(channels, 3, 'x', '8', ' ') && TEX_AT(channels, 15) == ' ' ? 4                                         \
                                                                           : 0)
#define TEX_IS_PLAIN_RGB(layout, space)                                                                                \
    (sizeof(layout) == sizeof "PLAIN" && (layout)[0] == 'P' && sizeof(space) == sizeof "RGB" && (space)[0] == 'R')
#define TEX_COMPONENT(c)                                                                                               \
    ((c) == 'x' ? 0 : (c) == 'y' ? 1 : (c) == 'z' ? 2 : (c) == 'w' ? 3 : (c) == '1' ? TEX_ONE : TEX_ZERO)

static const struct tex_format tex_formats[SCH_FORMAT_LIMIT] __attribute__((unused)) = {
#define FORMAT(name, number, layout, width, height, depth, channels, swizzle, space)                                   \
    [number] = {.kind =                                                                                                \
                    TEX_IS_PLAIN_RGB(#layout, #space) && TEX_UNORM8_BYTES(channels) ? TEX_KIND_UNORM8 : TEX_KIND_NONE, \
                .bytes = TEX_UNORM8_BYTES(channels),                                                                   \
                .component = {TEX_COMPONENT((swizzle)[0]), TEX_COMPONENT((swizzle)[1]), TEX_COMPONENT((swizzle)[2]),   \
                              TEX_COMPONENT((swizzle)[3])}},
#include "isa/formats.def"
#undef FORMAT
};

#endif
