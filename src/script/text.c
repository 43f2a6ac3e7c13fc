/* Words and numbers of scripts, the few lists of words that several sections share, and errors. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/names.h"
#include "text.h"

enum { MOST_ERRORS = 20, LONGEST_NUMBER = 64 };

void sch_script_refuse(struct sch_script_text *text, const char *name, const char *format, ...)
{
    if (text->script->errors++ >= MOST_ERRORS) return;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const struct sch_diagnostic_info error = {.size = sizeof error,
                                              .severity = SCH_SEVERITY_ERROR,
                                              .code = sch_error_number(name),
                                              .line = text->cursor.number,
                                              .column = sch_cursor_column(&text->cursor),
                                              .offset = (uint64_t)(text->cursor.at - text->script->text),
                                              .source = text->script->name,
                                              .message = message};
    text->host->error(text->host->user, &error);
}

bool sch_script_at_end(struct sch_script_text *text)
{
    sch_cursor_blanks(&text->cursor);
    return text->cursor.at == text->cursor.end || *text->cursor.at == '%' || *text->cursor.at == '#' ||
           *text->cursor.at == '\n';
}

/* The characters of a number as a string of its own; 0: there are none, or too many. */
static size_t copy_number(struct sch_script_text *text, char copy[LONGEST_NUMBER])
{
    size_t bytes = 0;
    sch_cursor_blanks(&text->cursor);
    for (const char *at = text->cursor.at; at < text->cursor.end; at++, bytes++) {
        bool sign = *at == '-' || *at == '+';
        if (!sch_text_in_word(*at) && *at != '.' && !sign) break;
        if (sign && bytes && !strchr("eEpP", at[-1])) break;
        if (bytes + 1 == LONGEST_NUMBER) return 0;
        copy[bytes] = *at;
    }
    copy[bytes] = 0;
    return bytes;
}

bool sch_script_uint(struct sch_script_text *text, uint32_t high, uint32_t *value)
{
    char copy[LONGEST_NUMBER];
    uint64_t bits;
    size_t bytes = copy_number(text, copy);
    if (!bytes || !sch_text_integer(copy, bytes, 0, high, &bits)) return false;
    text->cursor.at += bytes;
    *value = (uint32_t)bits;
    return true;
}

bool sch_script_word32(struct sch_script_text *text, enum sch_script_number number, uint32_t *bits)
{
    char copy[LONGEST_NUMBER], *end;
    size_t bytes = copy_number(text, copy);
    if (!bytes) return false;
    if (number == SCH_SCRIPT_FLOAT) {
        float value = strtof(copy, &end); /* too large: infinity, which is how scripts write it */
        if (*end) return false;
        memcpy(bits, &value, sizeof *bits);
    } else {
        /* Either type may be written as the other: -1 for 0xffffffff. */
        uint64_t value;
        if (!sch_text_integer(copy, bytes, INT32_MIN, UINT32_MAX, &value)) return false;
        *bits = (uint32_t)value;
    }
    text->cursor.at += bytes;
    return true;
}

bool sch_script_word64(struct sch_script_text *text, enum sch_script_number number, uint64_t *bits)
{
    char copy[LONGEST_NUMBER], *end;
    size_t bytes = copy_number(text, copy);
    if (!bytes) return false;
    if (number == SCH_SCRIPT_FLOAT) {
        double value = strtod(copy, &end);
        if (*end) return false;
        memcpy(bits, &value, sizeof *bits);
    } else if (!sch_text_integer(copy, bytes, INT64_MIN, UINT64_MAX, bits)) {
        return false;
    }
    text->cursor.at += bytes;
    return true;
}

bool sch_script_choose(struct sch_script_text *text, const struct sch_script_choice *choices, int *number)
{
    for (; choices->words; choices++) {
        if (!sch_cursor_words(&text->cursor, choices->words)) continue;
        *number = choices->number;
        return true;
    }
    return false;
}

bool sch_script_comparison(struct sch_script_text *text, enum sch_compare *compare)
{
    static const struct sch_script_choice choices[] = {
        {"less equal", SCH_COMPARE_LEQUAL}, {"greater equal", SCH_COMPARE_GEQUAL}, {"not equal", SCH_COMPARE_NOTEQUAL},
        {"less", SCH_COMPARE_LESS},         {"greater", SCH_COMPARE_GREATER},      {"equal", SCH_COMPARE_EQUAL},
        {"never", SCH_COMPARE_NEVER},       {"always", SCH_COMPARE_ALWAYS},        {NULL, 0}};
    int number = 0;
    const bool chosen = sch_script_choose(text, choices, &number);
    if (chosen) *compare = (enum sch_compare)number;
    return chosen;
}

static bool read_slot_number(struct sch_script_text *text, unsigned slots, struct sch_script_slot *slot)
{
    uint32_t number;
    if (!sch_script_uint(text, slots - 1, &number)) {
        sch_script_refuse(text, "SCRIPT_NUMBER", "slots are 0 to %u", slots - 1);
        return false;
    }
    slot->number = number;
    return true;
}

bool sch_script_slot(struct sch_script_text *text, struct sch_script_slot *slot)
{
    static const struct {
        const char *word;
        enum sch_script_kind kind;
        unsigned slots;
    } words[] = {{"rtv", SCH_SCRIPT_RTV, SCH_SCRIPT_TARGETS},
                 {"render target", SCH_SCRIPT_RTV, SCH_SCRIPT_TARGETS},
                 {"srv", SCH_SCRIPT_SRV, SCH_SCRIPT_SLOTS},
                 {"uav", SCH_SCRIPT_UAV, SCH_SCRIPT_SLOTS},
                 {"vb", SCH_SCRIPT_VB, SCH_SCRIPT_SLOTS}};
    slot->number = 0;
    if (sch_cursor_words(&text->cursor, "dsv")) {
        slot->kind = SCH_SCRIPT_DSV;
        return true;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!sch_cursor_words(&text->cursor, words[i].word)) continue;
        slot->kind = words[i].kind;
        return read_slot_number(text, words[i].slots, slot);
    }
    return false;
}
