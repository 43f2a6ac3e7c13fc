/* Which engine the test programs run shaders by: SCH_TEST_ENGINE=jit asks for machine code. */
#ifndef TESTS_BY_CODE_H
#define TESTS_BY_CODE_H

#include <stdbool.h>
#include <stdint.h>

bool by_code(void);

/* Path of the compiler of this build. */
const char *by_code_compiler(void);

/* Whether the compiler is loaded into the test instead of a process of its own. */
bool by_code_inside(void);

/* `count` cases of a random test; as machine code, which compiles each, one of `divisor`, but with SCH_LONG all. */
unsigned by_code_share(unsigned count, unsigned divisor);

/* For the inner loops of tests that make a program each: true where the turn is to be left out, which are all but one
 * of `divisor` turns as machine code without SCH_LONG. A divisor that is not a multiple of 3 lets every width have its
 * turns. */
bool by_code_skips(unsigned divisor);

/* Adds to what is told at the end of the process. */
void by_code_count(uint64_t programs, uint64_t lookups, uint64_t refused, uint64_t groups);

#endif
