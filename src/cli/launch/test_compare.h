/* Comparing the words of a result with those that a test expects. */
#ifndef SCH_CLI_TEST_COMPARE_H
#define SCH_CLI_TEST_COMPARE_H

#include "test_file.h"

struct sch_cli_test_difference {
    size_t word; /* its place in the result */
    uint32_t got, want;
};
struct sch_cli_test_verdict {
    const char *what;                 /* "words", or "doubles" */
    size_t count, differing, allowed; /* how many there are, differ, and may differ */
    size_t shown;                     /* differences that were filled in */
    bool passed;
};

/* Fills in the first `room` differences at most. `got` has as many words as the memory. */
void sch_cli_test_compare(const struct sch_cli_test_memory *memory, const uint32_t *got,
                          struct sch_cli_test_difference *differences, size_t room,
                          struct sch_cli_test_verdict *verdict);

#endif
