/*
 * math_hashes.h - what src/ops/math_f32.h computes, as committed facts: a 64-bit hash of all
 * results per function, the same for every compiler, machine and lane count.
 *
 * Holds data only. math_exhaustive.c and math_pow.c say how the hash is made and print new rows
 * (--print) when a function changes on purpose.
 */
#ifndef MATH_HASHES_H
#define MATH_HASHES_H

#include <stdint.h>

struct math_hash {
    const char *name;
    uint64_t step;   /* arguments 0, step, 2 step, ... below 2^32; for POW the number of pairs */
    uint64_t hash;
};

static const struct math_hash math_hashes[] = {
    {"NONE", 0, 0},
};

#endif
