/* One lookup, one lane, answered in whole numbers from the rules (src/isa/decisions.def, group Texture lookups). */
#ifndef TEXTURE_REFERENCE_H
#define TEXTURE_REFERENCE_H

#include "abi/texture.h"

enum { REF_ZERO = 100, REF_ONE = 101 };

/* A format of 8-bit UNORM channels: byte of the texel that each component comes from. */
struct ref_format {
    uint16_t number;
    const char *name;
    uint32_t bytes;
    int from[4];
};

struct ref_question {
    const struct ref_format *format;
    const struct sch_texture *texture;
    const struct sch_sampler_key *key;
    float lod_bias, min_lod, max_lod, border[4];
    int lod_mode;
    float at[2], dx[2], dy[2], lod;
    int offset[2];
};

struct ref_answer {
    uint32_t bits[4];
    bool linear; /* the filter that was used */
    bool border; /* the border colour took part */
};

void ref_sample(const struct ref_question *question, struct ref_answer *answer);

/* False: outside. */
bool ref_fetch(const struct ref_format *format, const struct sch_texture *texture, const struct sch_sampler_key *key,
               uint32_t x, uint32_t y, const int8_t offset[2], uint32_t level, uint32_t bits[4]);

/* The float nearest to numerator / denominator (ties to even), as bits; for results that are 0 or normal. */
uint32_t ref_quotient(uint64_t numerator, uint64_t denominator);

#endif
