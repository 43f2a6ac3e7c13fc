/* Reading and writing the fields of words.def. */
#ifndef SCH_TGSI_WORDS_H
#define SCH_TGSI_WORDS_H

#include <stdbool.h>
#include <stdint.h>

enum sch_tgsi_item_type { SCH_TOKEN_DECLARATION, SCH_TOKEN_IMMEDIATE, SCH_TOKEN_INSTRUCTION, SCH_TOKEN_PROPERTY };

enum { SCH_TGSI_HEADER_WORDS = 2 };

enum sch_tgsi_field {
#define FIELD(word, name, shift, width) SCH_F_##name,
#include "tgsi/words.def"
#undef FIELD
    SCH_F_COUNT
};

struct sch_tgsi_field_info {
    const char *word, *name;
    uint8_t shift, width;
};
extern const struct sch_tgsi_field_info sch_tgsi_fields[SCH_F_COUNT];

static inline uint32_t sch_tgsi_field_max(enum sch_tgsi_field field)
{
    return (uint32_t)(((uint64_t)1 << sch_tgsi_fields[field].width) - 1);
}

static inline uint32_t sch_tgsi_get(uint32_t word, enum sch_tgsi_field field)
{
    return word >> sch_tgsi_fields[field].shift & sch_tgsi_field_max(field);
}

static inline uint32_t sch_tgsi_put(enum sch_tgsi_field field, uint32_t value)
{
    return (value & sch_tgsi_field_max(field)) << sch_tgsi_fields[field].shift;
}

/* The last field of each kind of word is where a scan over the word's fields ends: rows of a word are together. */
static inline uint32_t sch_tgsi_padding(enum sch_tgsi_field first)
{
    uint32_t used = 0;
    for (unsigned i = first; i < SCH_F_COUNT && sch_tgsi_fields[i].word == sch_tgsi_fields[first].word; i++)
        used |= sch_tgsi_field_max((enum sch_tgsi_field)i) << sch_tgsi_fields[i].shift;
    return ~used;
}

#endif
