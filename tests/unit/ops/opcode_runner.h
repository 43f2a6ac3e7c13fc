/* Runs one instruction over many invocations, through the public API: the instruction's text becomes a shader of its
 * own. Sources are IN[0] to IN[3]; it writes TEMP[0] (and TEMP[1]), which hold a sentinel before. */
#ifndef TESTS_OPCODE_RUNNER_H
#define TESTS_OPCODE_RUNNER_H

#include <stdbool.h>
#include <stdint.h>

enum { RUN_SOURCES = 4, RUN_SENTINEL = 0x5e117111 };

struct run {
    const char *instruction; /* "ADD_SAT TEMP[0], IN[0], -IN[1]" */
    unsigned width;          /* 4, 8, 16 */
    bool legacy;             /* LEGACY_MATH_RULES */
    bool d3d;                /* D3D_RULES */
    bool quads;              /* a fragment shader, invocations in quads */
    unsigned count;
    const uint32_t (*source)[RUN_SOURCES][4]; /* by invocation, register, channel */
};

/* result[i]: TEMP[0] and TEMP[1] of invocation i. False, with what went wrong in `why` (256 bytes), when it does not
 * run. */
bool run_instruction(const struct run *run, uint32_t (*result)[2][4], char *why);

#endif
