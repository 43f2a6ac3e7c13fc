/* A second answer to the peers' lookups, by OpenGL's rules in plain double arithmetic, with the drivers' mistakes as
 * switches: the rules alone must agree with our texture unit, the rules and a driver's mistakes with the driver. */
#ifndef SCH_TESTS_PEER_MODEL_H
#define SCH_TESTS_PEER_MODEL_H

#include "peer.h"

/* The drivers' mistakes and liberties: who makes them (1 llvmpipe, 2 softpipe, 3 both), identifier, name. The name is
 * an entry of docs/peer-differences.md; what a mistake does stands where model.c asks for it. */
#define MISTAKES(X)                                                                                                    \
    X(3, MIRROR_ABS, "mirror-of-coordinates")                                                                          \
    X(2, GATHER_MIRRORED, "gather-mirrors-coordinates")                                                                \
    X(2, MIRROR_CENTRE, "mirrored-centres")                                                                            \
    X(3, MIRROR_EDGE, "mirrored-edges")                                                                                \
    X(2, RHO_LONGEST, "rho-by-axis")                                                                                   \
    X(2, CUBE_RHO, "cube-rho")                                                                                         \
    X(3, RECT_RHO, "rectangle-rho")                                                                                    \
    X(1, FAST_LOG, "fast-logarithm")                                                                                   \
    X(2, GRAD_UNBIASED, "gradient-unbiased")                                                                           \
    X(3, INTEGER_LEVELS, "integers-take-levels")                                                                       \
    X(2, FETCH_FIRST_LEVEL, "fetch-level-per-quad")                                                                    \
    X(1, CUBE_QUERY, "cube-query-without-z")                                                                           \
    X(2, COMPARE_LATE, "comparison-of-filtered")                                                                       \
    X(2, GATHER_LEVEL, "gather-from-level")                                                                            \
    X(2, RECT_CLAMPED, "rectangles-are-clamped")                                                                       \
    X(1, NEAREST_BY_WEIGHT, "nearest-by-weight")                                                                       \
    X(2, BORDER_UNCLAMPED, "border-unclamped")                                                                         \
    X(2, CORNER, "cube-corner")                                                                                        \
    X(1, CORNER_INTEGER, "cube-corner-of-integers")                                                                    \
    X(1, CUBE_EDGE, "cube-faces-without-border")

enum mistake_index {
#define X(drivers, id, name) INDEX_##id,
    MISTAKES(X)
#undef X
        MISTAKE_COUNT
};
enum {
#define X(drivers, id, name) MISTAKE_##id = 1 << INDEX_##id,
    MISTAKES(X)
#undef X
};

/* Not a mistake: positions with 8 fractional bits, as ours. */
enum { MODEL_SNAPPED = 1 << 30 };

/* What the tolerance needs to know besides the answer. */
struct model_result {
    double value[4];
    uint32_t words[4];      /* of integer formats */
    double low[4], high[4]; /* of the texels that count, per component (comparisons: of their results) */
    bool undefined;         /* a mistake of the driver leaves this answer open */
    unsigned axes;          /* along which the lookup is linear */
    uint32_t level[2];      /* that were used */
};

/* `quad` are the four points of p's quad, row by row. */
void model_look_up(const struct peer_case *c, const struct peer_point *p, const struct peer_point quad[4],
                   uint32_t mistakes, struct model_result *answer);

#endif
