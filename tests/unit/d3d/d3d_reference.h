/* What one Direct3D instruction gives, a lane and a component at a time: a reference for tests, written from the
 * table of opcodes of the specification and from docs/d3d.md where that leaves the answer to us; never from src. */
#ifndef SCH_TESTS_D3D_REFERENCE_H
#define SCH_TESTS_D3D_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum { D3D_MOST_SOURCES = 4, D3D_MOST_RESULTS = 2 };

/* What is asked: sources as they were read, swizzled, without their modifiers. */
struct d3d_lookup {
    uint32_t source[D3D_MOST_SOURCES][4];
    bool negate[D3D_MOST_SOURCES], absolute[D3D_MOST_SOURCES];
    uint32_t quad[4][4]; /* source 0 of the four lanes of the quad */
    unsigned lane;       /* the place in the quad: (0,0), (1,0), (0,1), (1,1) */
    uint8_t mask[D3D_MOST_RESULTS];
    bool saturate, precise;
};

/* One component: these bits, or, of a function whose error is stated, within so many units in the last place. */
struct d3d_answer {
    uint32_t bits;
    unsigned ulps;
};

struct d3d_answers {
    struct d3d_answer of[D3D_MOST_RESULTS][4]; /* of the components in the masks */
};

/* A row of the reference: its types are those of the specification, results before "=". */
struct d3d_reference {
    const char *name, *types;
    void (*answer)(const struct d3d_reference *row, const struct d3d_lookup *lookup, struct d3d_answers *answers);
    void (*function)(void);
};

/* NULL: the reference does not have the instruction. */
const struct d3d_reference *d3d_reference_find(const char *name);
unsigned d3d_reference_results(const struct d3d_reference *row);
unsigned d3d_reference_sources(const struct d3d_reference *row);
char d3d_reference_result_type(const struct d3d_reference *row, unsigned result);
char d3d_reference_source_type(const struct d3d_reference *row, unsigned source);

bool d3d_answer_holds(const struct d3d_answer *answer, uint32_t bits);

#endif
