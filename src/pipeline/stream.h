/* Stream output: vertices of whole primitives to buffers (docs/pipeline.md, "Stream output"). As a step of a draw
 * (pipeline/draw_context.h) it writes stream 0; geometry shaders give it their other streams. */
#ifndef SCH_PIPELINE_STREAM_H
#define SCH_PIPELINE_STREAM_H

#include "pipeline/draw_context.h"
#include "pipeline/link.h"

/* Primitives of a stream that find room, one after the other. */
struct sch_stream_room {
    uint64_t count;                     /* that do */
    uint64_t begin[SCH_STREAM_BUFFERS]; /* byte of the buffer that the first one goes to */
};

/* Takes room for `count` primitives of so many vertices each, of which those that find none are lost, and counts
 * them. */
struct sch_stream_room sch_stream_take(const struct sch_draw_pipeline *draw, struct sch_draw_counts *counts,
                                       unsigned stream, uint64_t count, uint32_t vertices);

/* Writes vertex number `at`, counted from the first one that the room was taken for. */
void sch_stream_write(const struct sch_draw_pipeline *draw, unsigned stream, const struct sch_stream_room *room,
                      uint64_t at, const uint32_t *words);

/* What buffers that the draw writes will be read as by draws that take their count from them. */
void sch_stream_begin(const struct sch_draw_pipeline *draw);

/* A step, without an own. */
enum sch_result sch_stream_step(struct sch_draw_context *context, const struct sch_step *step,
                                struct sch_generation *generation);

#endif
