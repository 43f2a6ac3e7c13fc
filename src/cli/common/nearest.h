/* "Did you mean": which of some names a word was perhaps meant to be. */
#ifndef SCH_CLI_NEAREST_H
#define SCH_CLI_NEAREST_H

#include <stddef.h>

/* The search of one word. Begin it, try names, and ask. */
struct sch_cli_nearest {
    const char *word;
    size_t bytes;
    const char *found; /* NULL: no name is like it */
    unsigned apart;    /* letters that are wrong */
    char text[160];
};

struct sch_cli_nearest sch_cli_nearest_to(const char *word, size_t bytes);
void sch_cli_nearest_try(struct sch_cli_nearest *nearest, const char *name);

/* The words of a set such as "a|b|c"; the one that is found is a copy in `text`. */
void sch_cli_nearest_try_set(struct sch_cli_nearest *nearest, const char *set);

/* Begins with the words of a list that NULL ends, of --target, or the names of the formats. */
struct sch_cli_nearest sch_cli_nearest_word(const char *const *words, const char *word, size_t bytes);
struct sch_cli_nearest sch_cli_nearest_target(const char *word, size_t bytes);
struct sch_cli_nearest sch_cli_nearest_format(const char *word, size_t bytes);

/* What an error ends with: "; did you mean NAME?", or nothing. Valid as long as the search is. */
const char *sch_cli_nearest_said(struct sch_cli_nearest *nearest);

#endif
