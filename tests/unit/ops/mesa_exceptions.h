/* Rows of the peer's table of results, and the ways in which ours may differ from them. */
#ifndef TESTS_MESA_EXCEPTIONS_H
#define TESTS_MESA_EXCEPTIONS_H

#include "../support/oracle.h"
#include "opcode_runner.h"

enum { MAX_INSTRUCTION = 96 };

struct row {
    char opcode[16];
    char instruction[MAX_INSTRUCTION];
    uint32_t source[RUN_SOURCES][4];
    uint32_t peer[2][4];
    unsigned written[2]; /* bit c: the peer wrote the channel */
    bool signal;         /* the peer was ended by SIGFPE */
    unsigned line;
};

/* What a row means by the specification: the oracle's answer for its sources. */
struct analysis {
    const struct oracle *oracle;
    bool saturates;
    uint32_t source[RUN_SOURCES][4]; /* after swizzles and modifiers */
    struct expectation ours;
};

/* One value of a first destination on which we and the peer differ. */
struct difference {
    const struct row *row;
    const struct analysis *analysis;
    unsigned channel;
    char type;        /* of the result: a letter of the opcode table */
    union value s[4]; /* the sources' values that this result comes from, where it comes from one each */
    union value peer, ours;
};

/* A class of differences: the opcodes, the clause or decision that is ours, and the peer's way that explains its value.
 * Our own value has been compared with the oracle's already. */
struct exception {
    const char *name;
    const char *opcodes; /* blank-separated, with a blank at both ends; NULL: any */
    const char *why;
    bool (*covers)(const struct difference *d);
    unsigned uses;
};

extern struct exception exceptions[];
extern const unsigned exception_count;

#endif
