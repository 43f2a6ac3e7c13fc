/* One lookup of one lane, answered from docs/texture.md in whole numbers, exact fractions and the documented orders of
 * binary32 and binary64 operations. Slow and plain; must not include anything of src/ops. */
#ifndef TEXTURE_REFERENCE_H
#define TEXTURE_REFERENCE_H

#include "abi/texture.h"

enum { REF_ZERO = 100, REF_ONE = 101 };

__extension__ typedef __int128 ref_wide;

/* ---- formats: reference_format.c ---- */

struct ref_channel {
    char kind; /* x void, u unsigned, s signed, h fixed, f float */
    bool normalized, pure;
    unsigned bits, shift;
    unsigned greatest; /* code of a decoded block's channel; 0: what the bits say */
};

struct ref_format {
    uint16_t number;
    const char *name;
    unsigned bytes; /* of a block: one texel, or two of a subsampled format */
    unsigned channels;
    struct ref_channel channel[4];
    char swizzle[5];
    bool srgb, depth, stencil; /* what it reads: depth or stencil */
    bool subsampled;
    unsigned at[3][2]; /* subsampled: place of R, G, B of the even and of the odd texel, in quarters of a block */
    bool single_bits;  /* eight texels a byte */
    const struct block_facts *block;    /* compressed blocks: channels are those of a decoded texel */
    unsigned block_width, block_height; /* texels */
};

/* A format as one lookup sees it. */
struct ref_layout {
    const struct ref_format *format;
    unsigned source[4]; /* of each component: channel, REF_ZERO, REF_ONE */
    bool integer;
    bool exact; /* an exact-sum format */
};

/* A texel: bits of each component and, where the channel is normalised, its code (SNORM: clamped). */
struct ref_texel {
    uint32_t bits[4];
    int64_t code[4];
    bool border;
};

/* Every format that docs/texture.md describes. */
const struct ref_format *ref_formats(unsigned *count);
const struct ref_format *ref_format_of(unsigned number);
void ref_layout(const struct ref_format *format, unsigned rules, struct ref_layout *layout);
bool ref_format_is_integer(const struct ref_format *format);
/* Greatest code of a normalised channel. */
int64_t ref_greatest(const struct ref_channel *channel);
/* Texel (x, y) of a slice of a level. */
void ref_decode(const struct ref_layout *layout, const struct sch_texture_level *level, uint64_t slice, uint32_t x,
                uint32_t y, struct ref_texel *texel);
void ref_border(const struct ref_layout *layout, const uint32_t border[4], struct ref_texel *texel);
/* Writes a channel's bits into a texel of a format that is not subsampled. */
void ref_set_channel(const struct ref_format *format, uint8_t *texel, unsigned channel, uint64_t raw);
uint64_t ref_get_channel(const struct ref_format *format, const uint8_t *texel, unsigned channel);

/* The float nearest to numerator / denominator (positive), ties to even, as bits; for results that are 0 or normal. */
uint32_t ref_quotient(ref_wide numerator, ref_wide denominator);
uint32_t ref_bits(float f); /* the NaN that arithmetic makes is 0x7fc00000 */
float ref_float(uint32_t bits);

/* ---- lookups: texture_reference.c ---- */

struct ref_lookup {
    const struct ref_format *format;
    const struct sch_texture *texture;
    const struct sch_sampler_key *key;
    const struct sch_sampler_values *values;
    unsigned lod_mode, component, offsets;
    bool quads, biased, has_clamp;
    float at[4], reference, lod, clamp;
    float quad[3][3];     /* implicit: the axes of lanes 0, 1, 2 of the quad */
    float ddx[3], ddy[3]; /* given */
    int32_t offset[4][3];
};

void ref_sample(const struct ref_lookup *lookup, uint32_t result[4]);
void ref_gather(const struct ref_lookup *lookup, uint32_t result[4]);
void ref_lod_query(const struct ref_lookup *lookup, uint32_t result[4]);

/* TMML's axes: 64 times the unit vector along the longer side of the footprint, 4096 log2(minor / major), rounded to
 * nearest. `doubtful`: so near to a tie that the documented binary64 steps may fall on the other side. */
struct ref_axes {
    int32_t u, v, ratio;
    bool doubtful;
};
void ref_footprint_axes(const struct ref_lookup *lookup, struct ref_axes *axes);

struct ref_fetch_lookup {
    const struct ref_format *format;
    const struct sch_texture *texture;
    const struct sch_sampler_key *key;
    uint32_t at[4], level, offset[3];
};
void ref_fetch(const struct ref_fetch_lookup *lookup, uint32_t result[4]);

/* Axes of a target without its layer (cubes: 3 coordinates, 2 axes of a face). */
unsigned ref_coordinates(unsigned target);
bool ref_is_cube(unsigned target);
bool ref_has_layers(unsigned target); /* a layer coordinate */

#endif
