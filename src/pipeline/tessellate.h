/* The fixed-function tessellator: levels in, points of a domain and primitives between them out (docs/pipeline.md,
 * "Tessellation"; D3D 11.5 to 11.7; GL 11.2.2). One patch at a time; no memory but the caller's. It is not arithmetic
 * of shaders: but for the clamp of the levels all of it is on whole numbers, so it is here and not in src/ops. Knows
 * nothing of shaders, patches or draws. */
#ifndef SCH_PIPELINE_TESSELLATE_H
#define SCH_PIPELINE_TESSELLATE_H

#include <stdbool.h>
#include <stdint.h>

enum sch_tess_domain { SCH_TESS_ISOLINES, SCH_TESS_TRIANGLES, SCH_TESS_QUADS };

/* The first three are numbers of TES_SPACING. Powers of two are Direct3D's: equal spacing of levels that the shader has
 * rounded (D3D 11.7.7.1). */
enum sch_tess_spacing { SCH_TESS_FRACTIONAL_ODD, SCH_TESS_FRACTIONAL_EVEN, SCH_TESS_EQUAL, SCH_TESS_POWER_OF_TWO };

struct sch_tess_mode {
    uint8_t domain, spacing; /* enum sch_tess_domain, sch_tess_spacing */
    bool clockwise;          /* TES_VERTEX_ORDER_CW; Direct3D, whose v axis goes down, says triangle_ccw */
    bool points;             /* one primitive for each point */
};

/* What 64 segments along each axis of a quadrilateral need; no other patch needs more. */
enum {
    SCH_TESS_LEVEL = 64, /* the greatest level */
    SCH_TESS_POINTS = (SCH_TESS_LEVEL + 1) * (SCH_TESS_LEVEL + 1),
    SCH_TESS_PRIMITIVES = 2 * SCH_TESS_LEVEL * SCH_TESS_LEVEL,
    SCH_TESS_INDICES = 3 * SCH_TESS_PRIMITIVES,
    SCH_TESS_ONE = 1 << 16 /* a coordinate of 1 */
};

/* How a line from 0 to 1 is divided. */
struct sch_tess_axis {
    uint8_t segments;
    uint8_t before;         /* segments of the next coarser division that is uniform; `segments`: this one is */
    uint8_t split;          /* the last point before the new segment, counted from either end */
    uint32_t progress;      /* from the coarser division, 0, to the uniform one with `segments`, SCH_TESS_ONE */
    uint32_t length;        /* of a segment, of `segments` */
    uint32_t length_before; /* of `before` */
};

/* A patch whose levels were read. Triangles: `outer` are the edges u = 0, v = 0, w = 0, and both of `inner` are the
 * same. Quads: the edges u = 0, v = 0, u = 1, v = 1, and the division along u and along v. Isolines: `outer` has the
 * lines and the segments of each. */
struct sch_tess_plan {
    struct sch_tess_mode mode;
    bool whole; /* one triangle, or a quadrilateral of two */
    struct sch_tess_axis outer[4], inner[2];
    uint32_t point_count, primitive_count; /* 0: the patch is discarded */
    uint32_t corners;                      /* indices of a primitive: 1, 2, 3; 0 if it is discarded */
};

/* In units of 1 / SCH_TESS_ONE. The w of triangles is 1 - u - v. */
struct sch_tess_point {
    uint32_t u, v;
};

/* Reads the levels as shaders write them (TESSOUTER, TESSINNER): anything may be in them. */
void sch_tessellate_plan(const struct sch_tess_mode *mode, const float outer[4], const float inner[2],
                         struct sch_tess_plan *plan);
/* `points` has room for `point_count`. */
void sch_tessellate_points(const struct sch_tess_plan *plan, struct sch_tess_point *points);
/* `indices` has room for `primitive_count` times `corners`. */
void sch_tessellate_primitives(const struct sch_tess_plan *plan, uint16_t *indices);
/* TESSCOORD of a point, exactly. */
void sch_tessellate_coordinate(const struct sch_tess_plan *plan, const struct sch_tess_point *point,
                               float coordinate[3]);

#endif
