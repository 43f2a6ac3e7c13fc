/*
 * level.h - whether this processor has the instructions that a test program of src/ops was built for.
 *
 * Holds level_is_there; a program that it turns away prints a skipped plan and ends well.
 */
#ifndef TESTS_LEVEL_H
#define TESTS_LEVEL_H

#include <stdbool.h>
#include <stdio.h>

static inline bool level_is_there(void)
{
    bool there = true;
#if defined(__x86_64__)
    __builtin_cpu_init();
#if defined(__AVX512F__)
    there = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
    there = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
#endif
    if (!there) puts("1..0 # SKIP the processor lacks the instructions");
    return there;
}

#endif
