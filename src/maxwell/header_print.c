/* Headers and samplers to text: one block an entry, one line a field, in the order of the table. */
#include <string.h>

#include "maxwell/header_fields.h"
#include "maxwell/header_number.h"
#include "maxwell/header_text.h"

/* A text that grows; once memory or the limit is out it swallows what follows. */
struct output {
    const struct sch_allocator *allocator;
    char *text;
    size_t count, capacity;
    size_t limit; /* 0: none */
    enum sch_status status;
};

enum { GROWTH = 2 };

static void grow(struct output *out, size_t more)
{
    const size_t needed = out->count + more;
    if (out->limit && needed > out->limit) out->status = SCH_STATUS_LIMIT;
    if (out->status != SCH_STATUS_OK || needed <= out->capacity) return;
    const size_t capacity = GROWTH * needed;
    char *larger = out->allocator->alloc(out->allocator->user, capacity);
    if (!larger) {
        out->status = SCH_STATUS_MEMORY;
        return;
    }
    if (out->count) memcpy(larger, out->text, out->count);
    if (out->text) out->allocator->free(out->allocator->user, out->text);
    out->text = larger;
    out->capacity = capacity;
}

static void put(struct output *out, const char *text)
{
    size_t bytes = strlen(text);
    grow(out, bytes);
    if (out->status != SCH_STATUS_OK) return;
    memcpy(out->text + out->count, text, bytes);
    out->count += bytes;
}

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

static void put_field(struct output *out, const uint32_t *words, unsigned id)
{
    char text[SCH_MAXWELL_VALUE_TEXT];
    sch_maxwell_header_value(id, sch_header_field_get(words, id), text);
    put(out, "  ");
    put(out, sch_header_fields[id].name);
    put(out, " = ");
    put(out, text);
    put(out, "\n");
}

static void put_reserved(struct output *out, const uint32_t *words, unsigned owner)
{
    uint32_t named[SCH_MAXWELL_ENTRY_WORDS];
    sch_header_named_bits(owner, named);
    for (unsigned i = 0; i < SCH_MAXWELL_ENTRY_WORDS; i++) {
        char text[SCH_HEADER_NUMBER];
        if (!(words[i] & ~named[i])) continue;
        put(out, "  RESERVED_");
        sch_header_write_unsigned(i, text);
        put(out, text);
        put(out, " = ");
        sch_header_write_hex(words[i] & ~named[i], 8, text);
        put(out, text);
        put(out, "\n");
    }
}

static void put_entry(struct output *out, const uint32_t *words, uint32_t index, bool sampler)
{
    unsigned owner = sch_header_owner_of(words, sampler);
    char number[SCH_HEADER_NUMBER];
    sch_header_write_unsigned(index, number);
    put(out, sampler ? "sampler " : "header ");
    put(out, number);
    if (!sampler) {
        put(out, " ");
        put(out, sch_header_word(SCH_HEADER_WORDS_VERSION,
                                 (unsigned)sch_header_field_get(words, SCH_HEADER_FIELD_HEADER_VERSION)));
    }
    put(out, " {\n");
    for (unsigned id = 0; id < SCH_HEADER_FIELDS; id++)
        if (sch_header_fields[id].owners & owner && id != SCH_HEADER_FIELD_HEADER_VERSION) put_field(out, words, id);
    put_reserved(out, words, owner);
    put(out, "}\n");
}

enum sch_status sch_maxwell_headers_print(const struct sch_allocator *allocator, size_t limit, const void *entries,
                                          uint32_t count, bool samplers, char **text, size_t *bytes)
{
    struct output out = {.allocator = allocator, .limit = limit, .status = SCH_STATUS_OK};
    *text = NULL;
    *bytes = 0;
    for (uint32_t i = 0; i < count && out.status == SCH_STATUS_OK; i++) {
        const uint8_t *entry = (const uint8_t *)entries + (size_t)i * SCH_MAXWELL_ENTRY_BYTES;
        uint32_t words[SCH_MAXWELL_ENTRY_WORDS];
        for (unsigned w = 0; w < SCH_MAXWELL_ENTRY_WORDS; w++)
            words[w] = entry[4 * w] | (uint32_t)entry[4 * w + 1] << 8 | (uint32_t)entry[4 * w + 2] << 16 |
                       (uint32_t)entry[4 * w + 3] << 24;
        put_entry(&out, words, i, samplers);
    }
    grow(&out, 1);
    if (out.status != SCH_STATUS_OK) {
        if (out.text) allocator->free(allocator->user, out.text);
        return out.status;
    }
    out.text[out.count] = 0;
    *text = out.text;
    *bytes = out.count;
    return SCH_STATUS_OK;
}
