/*
 * math_hashes.h - what src/ops/alu/math_f32.h computes, as committed facts: a 64-bit hash of all
 * results per function, the same for every compiler, machine and lane count.
 *
 * Largest errors measured, in ulp, over all 2^32 arguments (POW: 10^9 pairs):
 *   EX2   0.5          at 0xc3160000 (a tie)   no result other than the nearest float
 *   LG2   0.499999995  at 0x3ea07ab9           none
 *   RSQ   0.499999997  at 0x023a18e3           none
 *   RCP   0.499999970  at 0x00ffffff           none
 *   SQRT  0.499999993  at 0x017fffff           none
 *   SIN   0.4999999995 at 0x73243f06           none
 *   COS   0.4999999998 at 0x6115cb11           none
 *   POW   0.500000057  at 0xe4069913 ^ 0xbf800000, 322 results not the nearest float
 *
 * Holds data only. math_exhaustive.c and math_pow.c say how the hash is made and print new rows
 * (--print) when a function changes on purpose.
 */
#ifndef MATH_HASHES_H
#define MATH_HASHES_H

#include <stdint.h>

struct math_hash {
    const char *name;
    uint64_t step; /* arguments 0, step, 2 step, ... below 2^32; for POW the number of pairs */
    uint64_t hash;
};

static const struct math_hash math_hashes[] = {
    {"EX2", 1, 0x3e11a9fd300c6eafu},        {"LG2", 1, 0x77ed312906951e3au},
    {"RSQ", 1, 0xa4c784ff6fac9136u},        {"RCP", 1, 0xe6206c190777fcdcu},
    {"SQRT", 1, 0xa2d066122b825e77u},       {"SIN", 1, 0x25bb19617d110436u},
    {"COS", 1, 0xf3d9410de6d08e1cu},        {"EX2", 509, 0xd12222b027acc0b4u},
    {"LG2", 509, 0x1e47b49664ced4f5u},      {"RSQ", 509, 0x497def710f46af4du},
    {"RCP", 509, 0x0a2e483371bc9524u},      {"SQRT", 509, 0x033db99a24e9a166u},
    {"SIN", 509, 0x17232a46cfd602d0u},      {"COS", 509, 0x9ba06973d43cc28au},
    {"POW", 1000000, 0x531b13361de5b687u},  {"POW", 1000000000, 0xdb98ea19caf48458u},
    {"POW", 10000000, 0x5845916fbafe0f79u},
};

#endif
