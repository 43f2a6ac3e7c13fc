/* Tessellation: a step of a draw (pipeline/draw_context.h) that runs control shaders on patches, divides their domains,
 * runs evaluation shaders on the points and passes the primitives on (docs/pipeline.md, "Tessellation"). */
#ifndef SCH_PIPELINE_TESSELLATION_H
#define SCH_PIPELINE_TESSELLATION_H

#include "pipeline/draw_context.h"
#include "pipeline/patches.h"

/* What each chunk of tessellated vertices is made with. */
struct sch_tessellation_part {
    struct sch_scratch_array pieces;  /* struct sch_domain_piece */
    struct sch_scratch_array points;  /* struct sch_tess_point */
    struct sch_scratch_array indices; /* uint16_t, of one patch */
};

/* Memory that is kept from draw to draw. */
struct sch_tessellation_scratch {
    struct sch_chunk chunks[SCH_GENERATION_CHUNKS];
    struct sch_tessellation_part parts[SCH_GENERATION_CHUNKS];
    struct sch_scratch_array patches;         /* struct sch_patch */
    struct sch_scratch_array vertices, words; /* of control shaders: words of vertices, of patches */
};

struct sch_tessellation {
    struct sch_tessellation_scratch *scratch;
    const struct sch_link_hop *hop;         /* to evaluation shaders */
    const struct sch_vertex_layout *layout; /* of tessellated vertices */
    struct sch_tess_mode mode;
    struct sch_patches patches;
    uint32_t most; /* patches that are tessellated together */
    uint32_t default_levels[8];
};

void sch_tessellation_scratch_init(struct sch_tessellation_scratch *scratch, const struct sch_allocator *allocator);
void sch_tessellation_scratch_release(struct sch_tessellation_scratch *scratch, struct sch_scratch *memory);

/* Begins a draw with an evaluation shader, of which the context's layout is known. */
void sch_tessellation_begin(struct sch_tessellation *tessellation, const struct sch_draw_context *context,
                            struct sch_tessellation_scratch *scratch);
/* A step (draw_context.h), whose own is the tessellation. */
enum sch_result sch_tessellation_take(struct sch_draw_context *context, const struct sch_step *step,
                                      struct sch_generation *generation);

#endif
