/* Which of some names a word was perhaps meant to be. Holds no names. */
#ifndef SCH_BASE_NEAREST_H
#define SCH_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

/* Whether few letters are wrong in `word` where `name` was meant, and fewer than `*apart`, which becomes their number.
 * UINT_MAX at first. Letters may be put in, taken out, changed, or exchanged with their neighbour; capitals are not
 * mistake. In words of less than four letters one may be wrong, else two. */
bool sch_nearer_name(const char *word, size_t word_bytes, const char *name, size_t name_bytes, unsigned *apart);

/* The same for a name that ends with a zero byte; `*found` becomes it. */
void sch_nearest_try(const char *word, size_t word_bytes, const char *name, const char **found, unsigned *apart);

#endif
