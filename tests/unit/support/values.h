/* Operand values for tests of operations: bits seen as any type, edge values and random ones, distances in units of the
 * last place, and values in text. Knows no opcode. */
#ifndef TESTS_VALUES_H
#define TESTS_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "random_number.h"

union value {
    uint32_t u;
    int32_t i;
    float f;
    uint64_t q;
    int64_t l;
    double d;
};

/* Types are the letters of the opcode table: F I U X of 32 bits, D L Q of 64. */
bool value_is_wide(char type);

/* An operand of a type: an edge value, random bits, or a number of ordinary size. */
union value value_random(char type, uint64_t *state);

/* The canonical NaN where a float is a NaN; 64-bit types included. */
union value value_canonical(char type, union value v);

/* How many values lie from one to the other, counted through zero; a NaN is far from all but a NaN. */
uint64_t value_ulps(char type, union value a, union value b);

/* Reads one value: "#" and hexadecimal bits, or a number in C's notation (floats: inf and nan too). */
bool value_parse(char type, const char *text, const char **end, union value *v);

#endif
