/* See names.h. */
#include "names.h"

#include <scheelite/tables.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { KEPT = 64 };

unsigned sch_error_number(const char *name)
{
    struct sch_error_info row = {.size = sizeof row};
    for (size_t i = 0; sch_table_error(i, &row); i++)
        if (strcmp(row.name, name) == 0) return row.number;
    return 0;
}

struct sch_nearest sch_nearest_to(const char *word, size_t bytes)
{
    return (struct sch_nearest){.word = word, .bytes = bytes, .apart = UINT_MAX};
}

void sch_nearest_offer(struct sch_nearest *nearest, const char *name)
{
    if (sch_nearer_word(nearest->word, nearest->bytes, name, strlen(name), &nearest->apart)) nearest->found = name;
}

void sch_nearest_offer_set(struct sch_nearest *nearest, const char *set)
{
    while (*set) {
        const size_t length = strcspn(set, "|");
        if (sch_nearer_word(nearest->word, nearest->bytes, set, length, &nearest->apart)) {
            snprintf(nearest->text, KEPT, "%.*s", (int)length, set);
            nearest->found = nearest->text;
        }
        set += length + (set[length] == '|');
    }
}

struct sch_nearest sch_nearest_word(const char *const *words, const char *word, size_t bytes)
{
    struct sch_nearest nearest = sch_nearest_to(word, bytes);
    for (; *words; words++) sch_nearest_offer(&nearest, *words);
    return nearest;
}

struct sch_nearest sch_nearest_format(const char *word, size_t bytes)
{
    struct sch_nearest nearest = sch_nearest_to(word, bytes);
    struct sch_name_info row = {.size = sizeof row};
    for (size_t i = 0; sch_table_name(SCH_NAMES_FORMATS, i, &row); i++)
        if (row.number != SCH_FORMAT_NONE) sch_nearest_offer(&nearest, row.name);
    return nearest;
}

const char *sch_nearest_said(struct sch_nearest *nearest)
{
    char name[KEPT];
    if (!nearest->found) return "";
    snprintf(name, sizeof name, "%s", nearest->found);
    snprintf(nearest->text, sizeof nearest->text, "; did you mean %s?", name);
    nearest->found = NULL;
    return nearest->text;
}
