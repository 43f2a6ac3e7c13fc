/* The widths that one program of many is compiled for, where what all compute is compared with the interpreter. Holds
 * no check. */
#ifndef SCH_TEST_WIDTHS_H
#define SCH_TEST_WIDTHS_H

#include <stdlib.h>

enum { ALL_WIDTHS = 7 }; /* bits: 1 for 4 lanes, 2 for 8, 4 for 16 */

/* A third of the programs has all of them, the others have one each; with SCH_LONG all have all. In fifteen programs
 * that follow each other every width meets every third of what else is chosen by `number`. */
static inline unsigned widths_of(unsigned number)
{
    return getenv("SCH_LONG") || number / 15 % 3 == 0 ? ALL_WIDTHS : 1u << number / 5 % 3;
}

#endif
