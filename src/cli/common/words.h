/* The words and numbers that options have in common: numbers with their bits, lists of them, targets. Prints
 * nothing. */
#ifndef SCH_CLI_WORDS_H
#define SCH_CLI_WORDS_H

#include "../support/words.h"
#include "cli.h"

/* The target of a word that ends after `bytes`; those that begin with SHADOW compare. False: there is none. */
bool sch_cli_find_target(const char *text, size_t bytes, enum sch_target *target, bool *compares);

/* The search of a word among those of --target. */
struct sch_nearest sch_cli_nearest_target(const char *word, size_t bytes);

/* A decimal or hexadecimal float, or the bits of one as 0x and eight digits. What is a whole number of 32 bits, or is
 * bits, is one as an integer too. */
struct sch_cli_value {
    uint32_t bits, integer;
    bool is_integer;
};

/* Reads up to `most` numbers with commas between them and nothing after them; 0: there is something else. */
unsigned sch_cli_read_values(const char *text, struct sch_cli_value *values, unsigned most);

#endif
