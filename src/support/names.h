/* The library's tables by name: the number of a diagnostic, and "did you mean", which of some names a word was perhaps
 * meant to be. */
#ifndef SCH_SUPPORT_NAMES_H
#define SCH_SUPPORT_NAMES_H

#include <stddef.h>

/* The number of a diagnostic by its name in the table; 0 when there is none. */
unsigned sch_error_number(const char *name);

/* The search of one word. Begin it, offer names, and ask. */
struct sch_nearest {
    const char *word;
    size_t bytes;
    const char *found; /* NULL: no name is like it */
    unsigned apart;    /* letters that are wrong */
    char text[160];
};

struct sch_nearest sch_nearest_to(const char *word, size_t bytes);
void sch_nearest_offer(struct sch_nearest *nearest, const char *name);
/* The words of a set such as "a|b|c"; the one that is found is a copy in `text`. */
void sch_nearest_offer_set(struct sch_nearest *nearest, const char *set);
/* The search among the words of a list that NULL ends, and among the formats. */
struct sch_nearest sch_nearest_word(const char *const *words, const char *word, size_t bytes);
struct sch_nearest sch_nearest_format(const char *word, size_t bytes);

/* What an error ends with: "; did you mean NAME?", or nothing. It ends the search, and is valid as long as that is. */
const char *sch_nearest_said(struct sch_nearest *nearest);

#endif
