/* What a fuzz target is: a function that finds fault with an input, or NULL. libFuzzer's entry stops at a finding; the
 * replay program reports it. */
#ifndef SCH_TESTS_FUZZ_H
#define SCH_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

const char *sch_fuzz_check(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define SCH_FUZZ_TARGET                                                                                                \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)                                                      \
    {                                                                                                                  \
        const char *finding = sch_fuzz_check(data, bytes);                                                             \
        if (!finding) return 0;                                                                                        \
        fprintf(stderr, "%s\n", finding);                                                                              \
        abort();                                                                                                       \
    }

#endif
