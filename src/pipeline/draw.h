/* A draw: from vertex buffers to pixels. What it is given, in its inner form, and what it counts. Holds no step of it:
 * those are the other files of this folder. */
#ifndef SCH_PIPELINE_DRAW_H
#define SCH_PIPELINE_DRAW_H

#include <scheelite/state.h>

#include "abi/output.h"
#include "abi/raster.h"
#include "isa/isa.h"
#include "run/run.h"

struct sch_link;
struct sch_fetcher;
struct sch_history;

struct sch_draw_framebuffer {
    struct sch_draw_target colors[SCH_COLOR_BUFFERS], depth_stencil;
    uint32_t width, height, layers, samples; /* of all that there is */
};

/* Memory that vertices, indices or the numbers of a draw are read from. */
struct sch_draw_memory {
    const uint8_t *data;
    uint64_t bytes;
};

/* Where stream output goes. */
struct sch_draw_stream_target {
    uint8_t *data;
    uint64_t bytes;
    uint64_t *filled; /* bytes that are written already; NULL: no target */
    uint32_t *stride; /* receives the bytes of a vertex that is written there */
};

/* State that is the same for many draws. */
struct sch_draw_pipeline {
    /* Not 0: of all states of a renderer, only this one has the number. What follows from the members up to `dynamic`
     * is kept for the next draw with it, as long as the struct and what these point to stay as they are. 0: nothing is
     * kept. */
    uint64_t number;
    const struct sch_link *link;
    const struct sch_exec_program *programs[SCH_STAGE_COUNT]; /* NULL where there is none */
    const struct sch_draw_framebuffer *framebuffer;
    const struct sch_fetcher *fetcher;
    const struct sch_rasterizer_options *rasterizer;
    const struct sch_depth_stencil_alpha_options *depth_stencil_alpha;
    const struct sch_blend_options *blend;
    const struct sch_dynamic_state *dynamic;

    /* What each draw has. */
    const struct sch_exec_bindings *bindings[SCH_STAGE_COUNT];
    const struct sch_draw_memory *buffers;
    uint32_t buffer_count;
    struct sch_draw_stream_target stream_targets[SCH_STREAM_BUFFERS];
    bool streams_out;   /* stream output happens: there is a target, and something to be written */
    bool live_streams;  /* the draw reads what stream output writes: it continues primitive by primitive */
    bool live_feedback; /* the draw reads memory that it writes: fragments run in order, on memory as it is then */
    bool counted;       /* a query counts samples, or runs of the fragment program */
    bool may_wait;      /* it may end after the call: objects, and memory of textures and vertices, stay until then */
    struct sch_history *history; /* of a pixel that is recorded; NULL: none */
};

/* The vertices of one draw. */
struct sch_draw_vertices {
    enum sch_primitive primitive;
    uint32_t start, count;
    uint32_t instance_count, start_instance;
    uint32_t index_bytes; /* 0: no indices */
    struct sch_draw_memory indices;
    int32_t index_bias;
    bool restart;
    uint32_t restart_index;
    uint32_t draw_id;
    bool no_base; /* BASEVERTEX is 0 without indices */
};

/* What draws count for queries; sums over draws. */
struct sch_draw_counts {
    uint64_t samples_passed;
    uint64_t primitives_generated[SCH_STREAM_BUFFERS];
    uint64_t stream_written[SCH_STREAM_BUFFERS]; /* primitives by stream output */
    uint64_t stream_needed[SCH_STREAM_BUFFERS];  /* that would be with enough room */
    uint64_t statistics[SCH_STATISTICS];
};

/* Memory that is kept from draw to draw. */
struct sch_draw_scratch;
struct sch_draw_scratch *sch_draw_scratch_create(const struct sch_allocator *allocator, size_t limit);
void sch_draw_scratch_destroy(struct sch_draw_scratch *scratch);

/* Executes one draw, all its instances; `counts` are added to. BUDGET, ABORTED, WORK, DEADLINE and CANCELLED: the
 * report says where in the program of `report_stage`. */
enum sch_result sch_draw_run(struct sch_draw_scratch *scratch, const struct sch_draw_pipeline *pipeline,
                             const struct sch_draw_vertices *vertices, const struct sch_run_options *options,
                             struct sch_draw_counts *counts, struct sch_run_report *report,
                             enum sch_stage *report_stage);

/* Draws that may wait may be joined to those before them: this ends that. It is called before anything changes that the
 * pipeline of the last draw points at, but for vertex elements, bindings and buffers. What became of them the next call
 * returns. */
void sch_draw_end_joined(struct sch_draw_scratch *scratch);

/* Draws what is joined, and shades the fragments that wait. */
enum sch_result sch_draw_finish(struct sch_draw_scratch *scratch);

#endif
