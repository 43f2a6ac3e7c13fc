/* The history of a pixel: which primitives of a draw cover it, what became of their fragments, and the texels before
 * and after (include/scheelite/draw.h, "pixel history"). It only observes: what is drawn is the same, by the same
 * functions. Holds nothing of resources; clears and blits are the caller's (src/api/histories.c).
 *
 * A recorded draw sets up its primitives without scissor and without culling. After setup sch_history_take lists those
 * that cover the pixel, and then leaves the records that there would be without a history. Fragments of the pixel find
 * their event by the record. All memory is taken on the thread that draws. */
#ifndef SCH_PIPELINE_HISTORY_H
#define SCH_PIPELINE_HISTORY_H

#include "pipeline/chunk.h"
#include "pipeline/output.h"
#include "pipeline/triangle.h"

enum {
    SCH_HISTORY_BUFFERS = SCH_COLOR_BUFFERS + 1, /* the last one: depth and stencil */
    SCH_HISTORY_TEXEL_BYTES = 16
};

/* What the buffers hold for a sample, as in memory. */
struct sch_history_values {
    uint8_t texels[SCH_HISTORY_BUFFERS][SCH_HISTORY_TEXEL_BYTES];
};

struct sch_history_sample {
    uint8_t outcome;         /* enum sch_pixel_outcome */
    bool has_depth, written; /* `written`: `before` and `after` are those of the buffers, not of the events around */
    uint32_t code;           /* of the fragment's depth */
    struct sch_history_values before, after;
};

struct sch_history {
    struct sch_allocator allocator;
    uint32_t x, y, samples;
    uint32_t wanted; /* bits: samples */
    uint32_t limit;  /* of events */
    struct sch_pixel_event *events;
    struct sch_history_sample *states;           /* `samples` of each event */
    const struct sch_raster_primitive **records; /* of events whose fragment is on its way; else NULL */
    uint32_t count, room;
    uint64_t not_kept;

    /* For the call in progress. */
    const struct sch_draw_framebuffer *framebuffer;
    uint32_t layer;                                     /* of the framebuffer */
    struct sch_pixel_event pattern;                     /* what its events have in common */
    uint32_t first, at;                                 /* its events; from where to look for one */
    struct sch_history_values present[SCH_MAX_SAMPLES]; /* after the last event */
    struct sch_draw_pipeline pipeline;                  /* as the draw's, but for: */
    struct sch_rasterizer_options rasterizer;           /* without scissor, and culling if `unculled` */
    int32_t frames[SCH_VIEWPORTS][4];                   /* what scissors leave */
    uint32_t culled;                                    /* bits of enum sch_face */
    bool unculled;
    uint32_t assembled; /* what the record before is of, or may be */
};

void sch_history_release(struct sch_history *history);

/* Begins a call: whose pixel it is, and what its events have in common. */
void sch_history_begin(struct sch_history *history, const struct sch_draw_framebuffer *framebuffer, uint32_t layer,
                       const struct sch_pixel_event *pattern);

/* An event that concerns all samples alike; `*event` receives its number, UINT32_MAX if it is not kept. */
enum sch_result sch_history_add(struct sch_history *history, enum sch_pixel_outcome outcome, uint32_t *event);
/* The buffers before and after such an event. */
void sch_history_before(struct sch_history *history, uint32_t event);
void sch_history_after(struct sch_history *history, uint32_t event);

/* The pipeline of a draw by which its primitives are set up. */
const struct sch_draw_pipeline *sch_history_begin_draw(struct sch_history *history,
                                                       const struct sch_draw_pipeline *draw,
                                                       const struct sch_draw_vertices *vertices);

/* The primitives of a generation, chunk after chunk. MEMORY: nothing may be drawn. After their fragments it is
 * settled. */
void sch_history_begin_chunks(struct sch_history *history);
enum sch_result sch_history_take(struct sch_history *history, const struct sch_tile_rules *rules,
                                 const struct sch_output *output, struct sch_chunk *chunk);
void sch_history_settle(struct sch_history *history);

/* sch_output_test_early and sch_output_write, which they call. Only one thread at a time has the pixel's tile. */
uint32_t sch_history_test_early(struct sch_history *history, const struct sch_output *output,
                                struct sch_tile_group *group);
uint32_t sch_history_write(struct sch_history *history, const struct sch_output *output, struct sch_tile_group *group,
                           uint32_t lanes, const struct sch_lanes *registers);

#endif
