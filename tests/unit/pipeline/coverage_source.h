/* A source of work of the tests' own: triangles into render targets, with masks of what they cover. Holds what the
 * tests see of it. */
#ifndef TESTS_COVERAGE_SOURCE_H
#define TESTS_COVERAGE_SOURCE_H

#include "run/run.h"

enum { COVERAGE_INPUTS = 2, COVERAGE_BIN_WIDTH = 64, COVERAGE_BIN_HEIGHT = 8, COVERAGE_BLOCK_WIDTH = 16 };

/* Covers the pixels x, y where edge[i][0] * x + edge[i][1] * y + edge[i][2] is not negative, for all three. */
struct coverage_triangle {
    int64_t edge[3][3];
    struct sch_plane planes[COVERAGE_INPUTS][4]; /* of IN; the divisor of IN[1] is a power of two everywhere */
    float centroid[2];                           /* of pixels in blocks that it covers in part, from their centres */
};

/* Those that are drawn later are drawn over the earlier ones. */
struct coverage_draw {
    uint32_t width, height;
    const struct coverage_triangle *triangles;
    uint32_t triangle_count;
    const struct sch_render_target *targets; /* 2 at most */
    uint32_t target_count;
    bool spans; /* may be used: the program asks nothing of where groups are, all targets have bytes */
};

bool coverage_covers(const struct coverage_triangle *triangle, uint32_t x, uint32_t y);

/* `loaded`: how many groups ran one by one; `all`: of how many. */
enum sch_result coverage_run(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                             const struct coverage_draw *draw, const struct sch_run_options *options,
                             struct sch_run_report *report, uint64_t *loaded, uint64_t *all);

#endif
