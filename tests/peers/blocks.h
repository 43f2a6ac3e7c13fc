/* What the parts of the comparison of compressed blocks share: formats, pictures of blocks, and the doors of us and of
 * those who are compared with us. Holds no decoder, and nothing of how anyone is asked. */
#ifndef SCH_TESTS_BLOCKS_H
#define SCH_TESTS_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scheelite/scheelite.h"

/* Pictures are squares whose side is a multiple of that of every block. */
enum { BLOCKS_SIDE = 240, BLOCKS_TEXELS = BLOCKS_SIDE * BLOCKS_SIDE, BLOCKS_BYTES = BLOCKS_TEXELS };

/* What the numbers of a texel are, as the format's specification has them. */
enum block_numbers {
    NUMBERS_CODES,     /* of 8 bits */
    NUMBERS_SRGB,      /* likewise, on sRGB's curve but for alpha */
    NUMBERS_FRACTIONS, /* of RGTC: 35ths of codes of 8 bits */
    NUMBERS_SIGNED_FRACTIONS,
    NUMBERS_ELEVEN, /* codes of 11 bits */
    NUMBERS_SIGNED_ELEVEN,
    NUMBERS_HALVES,
    NUMBERS_ASTC /* halves, which are codes of 16 bits in the LDR profile */
};

enum block_family { FAMILY_S3TC, FAMILY_RGTC, FAMILY_BC7, FAMILY_BC6H, FAMILY_ETC, FAMILY_FXT1, FAMILY_ASTC };

/* ASTC's: a peer may be asked for one format in two profiles. */
enum block_profile { PROFILE_LDR, PROFILE_HDR, PROFILE_SRGB };

struct block_format {
    const char *name;
    enum sch_format format;
    uint32_t gl; /* OpenGL's number */
    unsigned width, height, bytes, channels;
    enum block_family family;
    enum block_numbers numbers;
    enum block_profile profile;
};

/* The texels of a picture full of blocks, row by row. */
typedef float block_texel[4];

/* Our texels, through the public library. False: no memory. */
bool blocks_ours_open(void);
bool blocks_ours_decode(const struct block_format *format, const uint8_t *blocks, block_texel *texels);
void blocks_ours_close(void);

/* One who is compared with us. */
struct block_peer {
    const char *name;
    /* False: it is not here; `why` says what is missing. */
    bool (*open)(const char *name, char *why, size_t room);
    /* Whether it decodes the format at all. */
    bool (*has)(const struct block_format *format);
    /* False: it failed. */
    bool (*decode)(const struct block_format *format, const uint8_t *blocks, block_texel *texels);
    void (*close)(void);
};
extern const struct block_peer blocks_llvmpipe, blocks_softpipe, blocks_squish, blocks_astcenc;

/* What a block of ASTC says of itself. */
struct astc_reference;
void blocks_astc_facts(const struct block_format *format, const uint8_t *block, struct astc_reference *facts);

/* blocks_rules.c: what is said of a texel. */
enum block_rule {
    RULE_EQUAL,
    RULE_TRUNCATED, /* the rules of differences: blocks_rules.c says what each is */
    RULE_SIGNED_ENDS,
    RULE_EIGHT_BIT_WEIGHTS,
    RULE_NEAREST_ENDS,
    RULE_SIXTEEN_BITS,
    RULE_ASTC_CODES,
    RULE_ASTC_NEAREST,
    RULE_ASTC_ERROR,
    RULE_ASTC_PROFILE,
    RULE_ASTC_RESERVED,
    RULE_NONE, /* no rule explains it */
    RULES
};
extern const char *const block_rule_names[RULES];
/* Of texel (x, y) of a block. */
enum block_rule blocks_judge(const struct block_peer *peer, const struct block_format *format, const uint8_t *block,
                             unsigned x, unsigned y, const float ours[4], const float theirs[4]);

#endif
