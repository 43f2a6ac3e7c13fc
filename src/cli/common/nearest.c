/* See nearest.h. */
#include "nearest.h"

#include <scheelite/tables.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "words.h"

enum { KEPT = 64 };

struct sch_cli_nearest sch_cli_nearest_to(const char *word, size_t bytes)
{
    return (struct sch_cli_nearest){.word = word, .bytes = bytes, .apart = UINT_MAX};
}

void sch_cli_nearest_try(struct sch_cli_nearest *nearest, const char *name)
{
    if (sch_nearer_word(nearest->word, nearest->bytes, name, strlen(name), &nearest->apart)) nearest->found = name;
}

void sch_cli_nearest_try_set(struct sch_cli_nearest *nearest, const char *set)
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

const char *sch_cli_nearest_said(struct sch_cli_nearest *nearest)
{
    char name[KEPT];
    if (!nearest->found) return "";
    snprintf(name, sizeof name, "%s", nearest->found);
    snprintf(nearest->text, sizeof nearest->text, "; did you mean %s?", name);
    nearest->found = NULL;
    return nearest->text;
}

struct sch_cli_nearest sch_cli_nearest_word(const char *const *words, const char *word, size_t bytes)
{
    struct sch_cli_nearest nearest = sch_cli_nearest_to(word, bytes);
    for (; *words; words++) sch_cli_nearest_try(&nearest, *words);
    return nearest;
}

struct sch_cli_nearest sch_cli_nearest_target(const char *word, size_t bytes)
{
    struct sch_cli_nearest nearest = sch_cli_nearest_to(word, bytes);
    sch_cli_nearest_try_set(&nearest, sch_cli_options[SCH_OPTION_SAMPLE_TARGET].values);
    return nearest;
}

struct sch_cli_nearest sch_cli_nearest_format(const char *word, size_t bytes)
{
    struct sch_cli_nearest nearest = sch_cli_nearest_to(word, bytes);
    struct sch_name_info row = {.size = sizeof row};
    for (size_t i = 0; sch_table_name(SCH_NAMES_FORMATS, i, &row); i++)
        if (row.number != SCH_FORMAT_NONE) sch_cli_nearest_try(&nearest, row.name);
    return nearest;
}
