/* For tests that are compiled at a level of vector instructions themselves: whether the processor has them. */
#ifndef TESTS_NEED_LEVEL_H
#define TESTS_NEED_LEVEL_H
#include <stdbool.h>
#include <stdio.h>

/* If not, that is reported. */
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
