/* Which key of textures a word that is none was perhaps meant to be. */
#include <string.h>

#include "state.h"

enum { LONGEST = 16 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* How many letters are put in, taken out or changed between two words (Levenshtein). */
static unsigned distance(const char *a, size_t bytes, const char *b)
{
    const size_t length = strlen(b);
    unsigned row[LONGEST + 1];
    for (size_t j = 0; j <= length; j++) row[j] = (unsigned)j;
    for (size_t i = 1; i <= bytes; i++) {
        unsigned corner = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            const unsigned changed = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = least(changed, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[length];
}

const char *sch_cli_nearest_key(const char *word, size_t bytes)
{
    static const char *const parts[] = {"level", "layer", "face"};
    const char *found = NULL, *name;
    unsigned nearest = 3;
    if (bytes > LONGEST) return NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const unsigned far = distance(word, bytes, parts[i]);
        if (far < nearest) found = parts[i];
        if (far < nearest) nearest = far;
    }
    for (size_t i = 0; (name = sch_cli_state_name(i)) != NULL; i++) {
        const unsigned far = strlen(name) <= LONGEST ? distance(word, bytes, name) : nearest;
        if (far < nearest) found = name;
        if (far < nearest) nearest = far;
    }
    return found;
}
