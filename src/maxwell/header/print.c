/* Headers and samplers to text: one block an entry, one line a field, in the order of the table. */
#include <string.h>

#include "base/bytes.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/number.h"
#include "maxwell/header/text.h"

static void value_text(const struct sch_header_field *field, uint64_t bits, char text[SCH_HEADER_NUMBER])
{
    int64_t half = INT64_C(1) << (sch_header_field_bits(field) - 1);
    switch (field->encoding) {
    case SCH_HEADER_ENCODING_HEX:
        sch_header_write_hex(bits, 1, text);
        break;
    case SCH_HEADER_ENCODING_SHIFTED:
        sch_header_write_hex(bits << field->shift, 1, text);
        break;
    case SCH_HEADER_ENCODING_MINUS_ONE:
        sch_header_write_unsigned(bits + 1, text);
        break;
    case SCH_HEADER_ENCODING_POWER:
        sch_header_write_unsigned(UINT64_C(1) << bits, text);
        break;
    case SCH_HEADER_ENCODING_FIXED:
        sch_header_write_fixed((int64_t)bits, text);
        break;
    case SCH_HEADER_ENCODING_SIGNED_FIXED:
        sch_header_write_fixed((int64_t)bits >= half ? (int64_t)bits - 2 * half : (int64_t)bits, text);
        break;
    case SCH_HEADER_ENCODING_FLOAT:
        sch_header_write_float((uint32_t)bits, text);
        break;
    default:
        sch_header_write_unsigned(bits, text);
    }
}

void sch_maxwell_header_value(unsigned id, uint64_t bits, char text[SCH_MAXWELL_VALUE_TEXT])
{
    const struct sch_header_field *field = &sch_header_fields[id];
    const char *word = sch_header_word(field->vocabulary, (unsigned)bits);
    if (word)
        memcpy(text, word, strlen(word) + 1); /* words of the tables are shorter */
    else
        value_text(field, bits, text);
}

static void put_field(struct sch_bytes *out, const uint32_t *words, unsigned id)
{
    char text[SCH_MAXWELL_VALUE_TEXT];
    sch_maxwell_header_value(id, sch_header_field_get(words, id), text);
    sch_bytes_text(out, "  ");
    sch_bytes_text(out, sch_header_fields[id].name);
    sch_bytes_text(out, " = ");
    sch_bytes_text(out, text);
    sch_bytes_text(out, "\n");
}

static void put_reserved(struct sch_bytes *out, const uint32_t *words, unsigned owner)
{
    uint32_t named[SCH_MAXWELL_ENTRY_WORDS];
    sch_header_named_bits(owner, named);
    for (unsigned i = 0; i < SCH_MAXWELL_ENTRY_WORDS; i++) {
        char text[SCH_HEADER_NUMBER];
        if (!(words[i] & ~named[i])) continue;
        sch_bytes_text(out, "  RESERVED_");
        sch_header_write_unsigned(i, text);
        sch_bytes_text(out, text);
        sch_bytes_text(out, " = ");
        sch_header_write_hex(words[i] & ~named[i], 8, text);
        sch_bytes_text(out, text);
        sch_bytes_text(out, "\n");
    }
}

static void put_entry(struct sch_bytes *out, const uint32_t *words, uint32_t index, bool sampler)
{
    unsigned owner = sch_header_owner_of(words, sampler);
    char number[SCH_HEADER_NUMBER];
    sch_header_write_unsigned(index, number);
    sch_bytes_text(out, sampler ? "sampler " : "header ");
    sch_bytes_text(out, number);
    if (!sampler) {
        sch_bytes_text(out, " ");
        sch_bytes_text(out, sch_header_word(SCH_HEADER_WORDS_VERSION,
                                            (unsigned)sch_header_field_get(words, SCH_HEADER_FIELD_HEADER_VERSION)));
    }
    sch_bytes_text(out, " {\n");
    for (unsigned id = 0; id < SCH_HEADER_FIELDS; id++)
        if (sch_header_fields[id].owners & owner && id != SCH_HEADER_FIELD_HEADER_VERSION) put_field(out, words, id);
    put_reserved(out, words, owner);
    sch_bytes_text(out, "}\n");
}

enum sch_result sch_maxwell_headers_print(const struct sch_allocator *allocator, size_t limit, const void *entries,
                                          uint32_t count, bool samplers, char **text, size_t *bytes)
{
    struct sch_bytes out = {.allocator = allocator, .limit = limit};
    for (uint32_t i = 0; i < count && out.status == SCH_OK; i++) {
        const uint8_t *entry = (const uint8_t *)entries + (size_t)i * SCH_MAXWELL_ENTRY_BYTES;
        uint32_t words[SCH_MAXWELL_ENTRY_WORDS];
        for (unsigned w = 0; w < SCH_MAXWELL_ENTRY_WORDS; w++) words[w] = sch_word_at(entry + 4 * (size_t)w);
        put_entry(&out, words, i, samplers);
    }
    return sch_bytes_take_text(&out, text, bytes);
}
