/* Geometry shaders: a step of a draw (pipeline/draw_context.h) that runs them on primitives, puts together what they
 * emit, and passes it on (docs/pipeline.md, "Geometry shaders"). */
#ifndef SCH_PIPELINE_GEOMETRY_H
#define SCH_PIPELINE_GEOMETRY_H

#include "pipeline/draw_context.h"
#include "pipeline/results.h"

/* Memory that is kept from draw to draw. */
struct sch_geometry_scratch {
    struct sch_chunk chunks[SCH_GENERATION_CHUNKS];
    struct sch_scratch_array words;  /* of emitted vertices: GS_MAX_OUTPUT_VERTICES of each invocation */
    struct sch_scratch_array events; /* uint8_t: twice as many of each */
    struct sch_scratch_array units;  /* struct sch_geometry_unit */
    struct sch_scratch_array open;   /* const uint32_t *: vertices of a strip of another stream than 0 */
    struct sch_scratch_array made;   /* struct sch_assembled_primitive: its primitives */
};

struct sch_geometry {
    struct sch_geometry_scratch *scratch;
    const struct sch_link_hop *hop;
    struct sch_results results[SCH_STREAM_BUFFERS]; /* by stream; without copies: its vertices are only counted */
    enum sch_primitive primitive;                   /* that is emitted */
    uint32_t invocations;                           /* of a primitive */
    uint32_t input_vertices;                        /* of a primitive */
    uint32_t limit;                                 /* vertices of an invocation */
    uint32_t words;                                 /* of an emitted vertex; at least as many as of a chunk's */
    uint32_t lanes;                                 /* of a group */
    uint32_t most_units;                            /* groups that run before what they emit continues */
};

void sch_geometry_scratch_init(struct sch_geometry_scratch *scratch, const struct sch_allocator *allocator);
void sch_geometry_scratch_release(struct sch_geometry_scratch *scratch, struct sch_scratch *memory);

/* Begins a draw with a geometry shader. */
void sch_geometry_begin(struct sch_geometry *geometry, const struct sch_draw_context *context,
                        struct sch_geometry_scratch *scratch);
/* A step, whose own is the geometry. */
enum sch_result sch_geometry_take(struct sch_draw_context *context, const struct sch_step *step,
                                  struct sch_generation *generation);

#endif
