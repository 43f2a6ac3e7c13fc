/* What the tests of Maxwell programs and of cubins share: a reading with its first report, words, random numbers. */
#ifndef MAXWELL_READING_H
#define MAXWELL_READING_H

#include "../support/random_number.h"
#include "maxwell/text/code.h"

#define TXQ     "TXQ R0, R6, TEX_HEADER_DIMENSION, 0, 0xf"
#define TXQ_IS  0xdf48000780470600
#define TLDS    "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA"
#define TLDS_IS 0xda50007000b70904
#define NOP_IS  0x50b0000000070f00

struct reading {
    enum sch_result status;
    struct sch_maxwell_code *code;
    size_t reports;
    unsigned number; /* of the first report; 0: none */
    uint32_t line, column;
    uint64_t offset;
};

enum reader { TEXT, RAW, CUBIN };

/* Within limits, or the default ones. A program is there exactly when the status is OK. */
struct reading read_within(enum reader reader, const void *data, size_t bytes, const struct sch_limits *limits);
struct reading read_as(enum reader reader, const void *data, size_t bytes);

/* A control word of three slots. */
uint64_t slots(uint64_t a, uint64_t b, uint64_t c);

#endif
