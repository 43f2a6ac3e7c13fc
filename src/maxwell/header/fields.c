/* Rows of headers' and samplers' fields, and access to their bits. Holds no meaning and no text. */
#include "maxwell/header/fields.h"

#include <string.h>

#define PART(high, low)                                                                                                \
    {                                                                                                                  \
        low, high - low + 1                                                                                            \
    }
#define NO_PART                                                                                                        \
    {                                                                                                                  \
        0, 0                                                                                                           \
    }
const struct sch_header_field sch_header_fields[SCH_HEADER_FIELDS] = {
#define MAXWELL_FIELD(id, name, owners, low, high, encoding, shift, vocabulary, fallback, meaning)                     \
    {#name,                                                                                                            \
     meaning,                                                                                                          \
     SCH_HEADER_OWNER_##owners,                                                                                        \
     {low, high},                                                                                                      \
     SCH_HEADER_ENCODING_##encoding,                                                                                   \
     shift,                                                                                                            \
     SCH_HEADER_WORDS_##vocabulary,                                                                                    \
     fallback},
#include "isa/maxwell_headers.def"
};

struct word {
    const char *name;
    uint8_t vocabulary, code;
};
static const struct word words_of[] = {
#define MAXWELL_WORD(vocabulary, name, code) {#name, SCH_HEADER_WORDS_##vocabulary, code},
#include "isa/maxwell_headers.def"
};
enum { WORDS = sizeof words_of / sizeof *words_of };

static uint64_t ones(unsigned bits) { return (UINT64_C(1) << bits) - 1; } /* of a part: at most 32 */

/* A part lies in at most two of the 32-bit words: the one where it begins and the next, of which the last has none of
 * its own. */
static unsigned next_word(unsigned at) { return (at + 1) % SCH_HEADER_FIELD_WORDS; }

static uint64_t part_get(const uint32_t *words, struct sch_header_part part)
{
    unsigned at = part.first / 32, shift = part.first % 32;
    uint64_t pair = words[at] | (uint64_t)words[next_word(at)] << 32;
    return pair >> shift & ones(part.bits);
}

static void part_set(uint32_t *words, struct sch_header_part part, uint64_t bits)
{
    unsigned at = part.first / 32, shift = part.first % 32;
    uint64_t mask = ones(part.bits) << shift, value = (bits & ones(part.bits)) << shift;
    uint64_t pair = words[at] | (uint64_t)words[next_word(at)] << 32;
    pair = (pair & ~mask) | value;
    words[at] = (uint32_t)pair;
    words[next_word(at)] = (uint32_t)(pair >> 32);
}

uint64_t sch_header_field_get(const uint32_t *words, enum sch_header_field_id id)
{
    const struct sch_header_part *part = sch_header_fields[id].part;
    return part_get(words, part[0]) | part_get(words, part[1]) << part[0].bits;
}

void sch_header_field_set(uint32_t *words, enum sch_header_field_id id, uint64_t bits)
{
    const struct sch_header_part *part = sch_header_fields[id].part;
    part_set(words, part[0], bits);
    part_set(words, part[1], bits >> part[0].bits);
}

unsigned sch_header_owner_of(const uint32_t *words, bool sampler)
{
    if (sampler) return SCH_HEADER_OWNER_SAMPLER;
    return 1u << sch_header_field_get(words, SCH_HEADER_FIELD_HEADER_VERSION);
}

void sch_header_named_bits(unsigned owner, uint32_t mask[8])
{
    memset(mask, 0, 8 * sizeof *mask);
    for (unsigned id = 0; id < SCH_HEADER_FIELDS; id++)
        if (sch_header_fields[id].owners & owner)
            for (unsigned i = 0; i < 2; i++) part_set(mask, sch_header_fields[id].part[i], UINT64_MAX);
}

const char *sch_header_word(unsigned vocabulary, unsigned code)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (words_of[i].vocabulary == vocabulary && words_of[i].code == code) return words_of[i].name;
    return NULL;
}

int sch_header_word_code(unsigned vocabulary, const char *word, size_t bytes)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (words_of[i].vocabulary == vocabulary && strlen(words_of[i].name) == bytes &&
            memcmp(words_of[i].name, word, bytes) == 0)
            return words_of[i].code;
    return -1;
}

bool sch_header_word_at(size_t position, unsigned *vocabulary, const char **word, unsigned *code)
{
    if (position >= WORDS) return false;
    *vocabulary = words_of[position].vocabulary;
    *word = words_of[position].name;
    *code = words_of[position].code;
    return true;
}
