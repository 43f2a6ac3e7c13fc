/* The fields of Maxwell's texture headers and samplers as public structs: every row of src/isa/maxwell_headers.def. */
#include <scheelite/tables.h>

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "maxwell/header/fields.h"
#include "maxwell/header/text.h"

static void append(char *text, size_t bytes, const char *word) { sch_api_append(text, bytes, " ", word); }

static void name_versions(const struct sch_header_field *field, struct sch_header_field_info *info)
{
    if (field->owners & SCH_HEADER_OWNER_SAMPLER) append(info->versions, sizeof info->versions, "SAMPLER");
    for (unsigned version = 0; version < SCH_HEADER_VERSIONS; version++)
        if (field->owners & SCH_HEADER_OWNER_EVERY & 1u << version)
            append(info->versions, sizeof info->versions, sch_header_word(SCH_HEADER_WORDS_VERSION, version));
}

static void name_bits(const struct sch_header_field *field, struct sch_header_field_info *info)
{
    for (unsigned part = 0; part < 2 && field->part[part].bits; part++) {
        char range[16];
        const unsigned first = field->part[part].first;
        snprintf(range, sizeof range, "%u:%u", first + field->part[part].bits - 1, first);
        sch_api_append(info->bits, sizeof info->bits, ", ", range);
    }
}

static void name_value(const struct sch_header_field *field, struct sch_header_field_info *info)
{
    static const char *const encodings[] = {
        [SCH_HEADER_ENCODING_NUMBER] = "number",
        [SCH_HEADER_ENCODING_HEX] = "number",
        [SCH_HEADER_ENCODING_MINUS_ONE] = "number, from 1",
        [SCH_HEADER_ENCODING_SHIFTED] = "multiple of ",
        [SCH_HEADER_ENCODING_POWER] = "power of two",
        [SCH_HEADER_ENCODING_FIXED] = "U4.8",
        [SCH_HEADER_ENCODING_SIGNED_FIXED] = "S5.8",
        [SCH_HEADER_ENCODING_CODE] = "word",
        [SCH_HEADER_ENCODING_FLOAT] = "float",
    };
    if (field->encoding == SCH_HEADER_ENCODING_SHIFTED)
        snprintf(info->value, sizeof info->value, "%s%u", encodings[field->encoding], 1u << field->shift);
    else
        snprintf(info->value, sizeof info->value, "%s", encodings[field->encoding]);
}

static void name_words(const struct sch_header_field *field, struct sch_header_field_info *info)
{
    unsigned vocabulary, code;
    const char *word;
    for (size_t i = 0; field->vocabulary && sch_header_word_at(i, &vocabulary, &word, &code); i++) {
        char pair[SCH_MAXWELL_VALUE_TEXT];
        if (vocabulary != field->vocabulary) continue;
        snprintf(pair, sizeof pair, "%s=%u", word, code);
        append(info->words, sizeof info->words, pair);
    }
}

bool sch_table_header_field(size_t index, struct sch_header_field_info *info)
{
    if (!info || index >= SCH_HEADER_FIELDS || !sch_sized_fits(info->size, sizeof *info)) return false;
    const struct sch_header_field *field = &sch_header_fields[index];
    struct sch_header_field_info known;
    memset(&known, 0, sizeof known); /* padding, too */
    char fallback[SCH_MAXWELL_VALUE_TEXT];
    snprintf(known.name, sizeof known.name, "%s", field->name);
    snprintf(known.meaning, sizeof known.meaning, "%s", field->meaning);
    sch_maxwell_header_value((unsigned)index, field->fallback, fallback);
    append(known.fallback, sizeof known.fallback, fallback);
    name_versions(field, &known);
    name_bits(field, &known);
    name_value(field, &known);
    name_words(field, &known);
    sch_sized_write(info, &known, sizeof known);
    return true;
}
