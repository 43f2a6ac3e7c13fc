/* See nearest.h. */
#include "base/nearest.h"

#include <string.h>

enum { LONGEST = 40, SHORT = 4 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static bool same(char a, char b) { return small(a) == small(b); }

/* The distance of optimal string alignment. */
static unsigned distance(const char *a, size_t bytes, const char *b, size_t length)
{
    unsigned rows[3][LONGEST + 1] = {{0}};
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= length; j++) row[j] = (unsigned)j;
    for (size_t i = 1; i <= bytes; i++) {
        unsigned *unused = before;
        before = last;
        last = row;
        row = unused;
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            row[j] = least(last[j - 1] + !same(a[i - 1], b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[length];
}

bool sch_nearer_name(const char *word, size_t word_bytes, const char *name, size_t name_bytes, unsigned *apart)
{
    if (word_bytes < 2 || name_bytes < 2 || word_bytes > LONGEST || name_bytes > LONGEST) return false;
    const unsigned most = word_bytes < SHORT ? 1 : 2;
    if (word_bytes > name_bytes + most || name_bytes > word_bytes + most) return false; /* at least that far apart */
    const unsigned far = distance(word, word_bytes, name, name_bytes);
    if (far > most || far >= *apart || far >= name_bytes) return false;
    *apart = far;
    return true;
}

void sch_nearest_try(const char *word, size_t word_bytes, const char *name, const char **found, unsigned *apart)
{
    if (sch_nearer_name(word, word_bytes, name, strlen(name), apart)) *found = name;
}
