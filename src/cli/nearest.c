/* See nearest.h: the name with the fewest letters to change, and few enough that it is a slip and no other word. */
#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40, KEPT = 64 };

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Capitals are no mistake. */
static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* How many letters are put in, taken out, changed, or exchanged with their neighbour (optimal string alignment). */
static unsigned distance(const char *a, size_t bytes, const char *b, size_t length)
{
    unsigned rows[3][LONGEST + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= length; j++) row[j] = (unsigned)j;
    for (size_t i = 1; i <= bytes; i++) {
        unsigned *free_row = before;
        before = last;
        last = row;
        row = free_row;
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= length; j++) {
            row[j] = least(last[j - 1] + !same(a[i - 1], b[j - 1]), least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[length];
}

struct sch_cli_nearest sch_cli_nearest_to(const char *word, size_t bytes)
{
    /* Of a short word one letter may be wrong, else two. */
    return (struct sch_cli_nearest){.word = word, .bytes = bytes, .distance = bytes < 4 ? 2 : 3};
}

static bool is_nearer(struct sch_cli_nearest *nearest, const char *name, size_t length)
{
    if (nearest->bytes > LONGEST || length > LONGEST || !nearest->bytes) return false;
    const unsigned far = distance(nearest->word, nearest->bytes, name, length);
    /* A word of which nothing is left is no slip. */
    if (far >= nearest->distance || far >= length) return false;
    nearest->distance = far;
    return true;
}

void sch_cli_nearest_try(struct sch_cli_nearest *nearest, const char *name)
{
    if (is_nearer(nearest, name, strlen(name))) nearest->found = name;
}

void sch_cli_nearest_try_set(struct sch_cli_nearest *nearest, const char *set)
{
    while (*set) {
        const size_t length = strcspn(set, "|");
        if (is_nearer(nearest, set, length)) {
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
