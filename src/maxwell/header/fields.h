/* The fields of texture headers and samplers as rows of src/isa/maxwell_headers.def, and how a field's bits are read
 * and written. Holds no meaning (header.c, sampler.c) and no text (print.c, parse.c). */
#ifndef SCH_MAXWELL_HEADER_FIELDS_H
#define SCH_MAXWELL_HEADER_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of the vocabularies' words: SCH_HEADER_COMPONENTS_R32, SCH_HEADER_WRAP_MIRROR and so on. */
enum sch_header_code {
#define MAXWELL_WORD(vocabulary, name, code) SCH_HEADER_##vocabulary##_##name = code,
#include "isa/maxwell_headers.def"
    SCH_HEADER_VERSIONS = 8
};

enum sch_header_vocabulary {
    SCH_HEADER_WORDS_NONE,
    SCH_HEADER_WORDS_BOOL,
    SCH_HEADER_WORDS_VERSION,
    SCH_HEADER_WORDS_COMPONENTS,
    SCH_HEADER_WORDS_DATA_TYPE,
    SCH_HEADER_WORDS_SOURCE,
    SCH_HEADER_WORDS_TYPE,
    SCH_HEADER_WORDS_PROMOTION,
    SCH_HEADER_WORDS_BORDER,
    SCH_HEADER_WORDS_QUALITY,
    SCH_HEADER_WORDS_SPREAD_FUNC,
    SCH_HEADER_WORDS_SPREAD_MODIFIER,
    SCH_HEADER_WORDS_ANISOTROPY,
    SCH_HEADER_WORDS_SAMPLES,
    SCH_HEADER_WORDS_WRAP,
    SCH_HEADER_WORDS_COMPARE,
    SCH_HEADER_WORDS_MAG,
    SCH_HEADER_WORDS_MIN,
    SCH_HEADER_WORDS_MIP,
    SCH_HEADER_WORDS_CUBE,
    SCH_HEADER_WORDS_REDUCTION,
    SCH_HEADER_WORDS_COORDS
};

enum sch_header_encoding {
    SCH_HEADER_ENCODING_NUMBER,
    SCH_HEADER_ENCODING_HEX,
    SCH_HEADER_ENCODING_MINUS_ONE,
    SCH_HEADER_ENCODING_SHIFTED,
    SCH_HEADER_ENCODING_POWER,
    SCH_HEADER_ENCODING_FIXED,
    SCH_HEADER_ENCODING_SIGNED_FIXED,
    SCH_HEADER_ENCODING_CODE,
    SCH_HEADER_ENCODING_FLOAT
};

/* Who has a field: a bit for each header version, one for samplers. */
enum sch_header_owner {
    SCH_HEADER_OWNER_BUFFER = 1 << SCH_HEADER_VERSION_ONE_D_BUFFER,
    SCH_HEADER_OWNER_ROWS = 1 << SCH_HEADER_VERSION_PITCH | 1 << SCH_HEADER_VERSION_PITCH_COLOR_KEY,
    SCH_HEADER_OWNER_BLOCK = 1 << SCH_HEADER_VERSION_BLOCKLINEAR | 1 << SCH_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY,
    SCH_HEADER_OWNER_KEYED = 1 << SCH_HEADER_VERSION_PITCH_COLOR_KEY | 1 << SCH_HEADER_VERSION_BLOCKLINEAR_COLOR_KEY,
    SCH_HEADER_OWNER_PLAIN = 1 << SCH_HEADER_VERSION_PITCH | 1 << SCH_HEADER_VERSION_BLOCKLINEAR,
    SCH_HEADER_OWNER_IMAGE = SCH_HEADER_OWNER_ROWS | SCH_HEADER_OWNER_BLOCK,
    SCH_HEADER_OWNER_EVERY = SCH_HEADER_OWNER_IMAGE | SCH_HEADER_OWNER_BUFFER,
    SCH_HEADER_OWNER_ANY_VERSION = (1 << SCH_HEADER_VERSIONS) - 1,
    SCH_HEADER_OWNER_SAMPLER = 1 << SCH_HEADER_VERSIONS
};

enum sch_header_field_id {
#define MAXWELL_FIELD(id, name, owners, low, high, encoding, shift, vocabulary, default, meaning) SCH_HEADER_FIELD_##id,
#include "isa/maxwell_headers.def"
    SCH_HEADER_FIELDS
};

enum { SCH_HEADER_FIELD_WORDS = 8 };

struct sch_header_part {
    uint8_t first, bits;
};

struct sch_header_field {
    const char *name, *meaning;
    uint16_t owners; /* enum sch_header_owner */
    struct sch_header_part part[2];
    uint8_t encoding; /* enum sch_header_encoding */
    uint8_t shift;
    uint8_t vocabulary; /* enum sch_header_vocabulary */
    uint32_t fallback;
};

extern const struct sch_header_field sch_header_fields[SCH_HEADER_FIELDS];

/* The bits of a field, parts joined; words are eight, in host order. */
uint64_t sch_header_field_get(const uint32_t *words, enum sch_header_field_id id);
/* `bits` fit in the field. */
void sch_header_field_set(uint32_t *words, enum sch_header_field_id id, uint64_t bits);
static inline unsigned sch_header_field_bits(const struct sch_header_field *field)
{
    return field->part[0].bits + field->part[1].bits;
}

/* MIP_LOD_BIAS of headers and samplers: 13 bits, signed, 8 of them a fraction. */
static inline float sch_header_lod_bias(uint64_t bits)
{
    int32_t bias = (int32_t)(bits & 0x1fff);
    return (float)(bias >= 1 << 12 ? bias - (1 << 13) : bias) / 256;
}

/* The owner bit of what the words are: a sampler, or a header by its version. */
unsigned sch_header_owner_of(const uint32_t *words, bool sampler);

/* The bits that fields of the owner take, HEADER_VERSION among them. */
void sch_header_named_bits(unsigned owner, uint32_t mask[8]);

/* The first word of a vocabulary with this code, or NULL. */
const char *sch_header_word(unsigned vocabulary, unsigned code);
/* Its code, or -1; `word` need not end in a zero byte. */
int sch_header_word_code(unsigned vocabulary, const char *word, size_t bytes);
/* Words in the order of the table, for listings: false past the last. */
bool sch_header_word_at(size_t position, unsigned *vocabulary, const char **word, unsigned *code);

#endif
