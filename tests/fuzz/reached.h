/* Which functions a program reaches. A breakpoint stands at the beginning of each, and goes when it is met: what runs
 * needs no instrumentation, and is as fast as without. x86-64 alone. */
#ifndef SCH_TESTS_FUZZ_REACHED_H
#define SCH_TESTS_FUZZ_REACHED_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the list of functions (tools/functions), and begins to look. False: it cannot be done here. */
bool sch_reached_begin(const char *list);

/* How many functions of a folder of src were met so far, by any process that this one made, too; *all: of how many that
 * this program has. */
size_t sch_reached_count(const char *folder, size_t *all);

/* Prints the functions of a folder, "reached" or "missed" before each. */
void sch_reached_print(const char *folder);

#endif
