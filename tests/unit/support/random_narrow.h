/* Random valid shaders of few kinds of instructions, as texts: pure functions of a number. Where random_shader.h has
 * everything seldom, these have one subject in many forms. */
#ifndef RANDOM_NARROW_H
#define RANDOM_NARROW_H

#include <stdint.h>

enum { RANDOM_NARROW_TEXT = 16384 };

/* A compute shader of whole groups: loops in one another, most with CONT, conditions and SWITCHes inside of them, some
 * that are the same for all lanes. Without KILL, subroutines, calls and registers chosen by registers: of what the
 * compiler knows about masks and registers that live, nothing is given up. 2 groups; lane n of group g writes words
 * 4 * (n + 32 * g) % 256 and three more of buffer g and buffer 2. */
void random_flow_make(char text[RANDOM_NARROW_TEXT], uint64_t number);

/* A vertex shader of a chain of float arithmetic, comparisons, limits and selections, whose results are seen as
 * bits. */
void random_floats_make(char text[RANDOM_NARROW_TEXT], uint64_t number);

#endif
