/* Stream output: see stream.h. All primitives of a stream have the same size in a draw, so the place of each follows
 * from its number: chunks are written side by side. */
#include "pipeline/stream.h"

#include <string.h>

enum { WORD_BYTES = 4 };

/* How many primitives have room in a buffer. A slot without a buffer is full (D3D 14.6). */
static uint64_t room_in(const struct sch_draw_pipeline *draw, unsigned buffer, uint32_t vertices)
{
    const struct sch_draw_stream_target *target = &draw->stream_targets[buffer];
    const uint64_t bytes = (uint64_t)vertices * draw->link->stride[buffer] * WORD_BYTES;
    if (!target->filled || *target->filled > target->bytes) return 0;
    return (target->bytes - *target->filled) / bytes;
}

struct sch_stream_room sch_stream_take(const struct sch_draw_pipeline *draw, struct sch_draw_counts *counts,
                                       unsigned stream, uint64_t count, uint32_t vertices)
{
    const uint32_t buffers = draw->link->streams[stream].buffers;
    struct sch_stream_room room = {.count = buffers ? count : 0};
    for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++) {
        if (!(buffers >> b & 1)) continue;
        const uint64_t most = room_in(draw, b, vertices);
        if (room.count > most) room.count = most;
    }
    for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++) {
        if (!(buffers >> b & 1) || !room.count) continue;
        room.begin[b] = *draw->stream_targets[b].filled;
        *draw->stream_targets[b].filled += room.count * vertices * draw->link->stride[b] * WORD_BYTES;
    }
    if (buffers) counts->stream_needed[stream] += count;
    counts->stream_written[stream] += room.count;
    return room;
}

void sch_stream_write(const struct sch_draw_pipeline *draw, unsigned stream, const struct sch_stream_room *room,
                      uint64_t at, const uint32_t *words)
{
    const struct sch_link *link = draw->link;
    for (uint32_t n = 0; n < link->streams[stream].part_count; n++) {
        const struct sch_link_part *part = &link->streams[stream].parts[n];
        const uint64_t word = at * link->stride[part->buffer] + part->offset;
        memcpy(draw->stream_targets[part->buffer].data + room->begin[part->buffer] + word * WORD_BYTES,
               words + part->word, (size_t)part->count * WORD_BYTES);
    }
}

void sch_stream_begin(const struct sch_draw_pipeline *draw)
{
    for (unsigned s = 0; s < SCH_STREAM_BUFFERS; s++)
        for (unsigned b = 0; b < SCH_STREAM_BUFFERS; b++)
            if (draw->link->streams[s].buffers >> b & 1 && draw->stream_targets[b].filled)
                *draw->stream_targets[b].stride = draw->link->stride[b] * WORD_BYTES;
}

/* ---- the step ---- */

struct writing {
    const struct sch_draw_pipeline *draw;
    const struct sch_generation *from;
    struct sch_stream_room room;
    uint64_t first[SCH_GENERATION_CHUNKS]; /* of each chunk: primitives before it */
    uint32_t vertices;                     /* of a primitive */
};

static void write_chunk(void *user, unsigned number)
{
    const struct writing *writing = user;
    const struct sch_chunk *chunk = &writing->from->chunks[number];
    const uint64_t first = writing->first[number], left = writing->room.count > first ? writing->room.count - first : 0;
    const size_t words = chunk->vertices.layout->words;
    for (uint32_t n = 0; n < chunk->assembled.primitive_count && n < left; n++)
        for (uint32_t v = 0; v < writing->vertices; v++)
            sch_stream_write(writing->draw, 0, &writing->room, (first + n) * writing->vertices + v,
                             chunk->vertices.words + chunk->assembled.primitives[n].vertex[v] * words);
}

enum sch_result sch_stream_step(struct sch_draw_context *context, const struct sch_step *step,
                                struct sch_generation *generation)
{
    struct writing writing = {
        .draw = context->draw, .from = generation, .vertices = generation->chunks[0].assembled.kind};
    uint64_t count = 0;
    for (uint32_t c = 0; c < generation->count; c++) {
        writing.first[c] = count;
        count += generation->chunks[c].assembled.primitive_count;
    }
    writing.room = sch_stream_take(context->draw, context->counts, 0, count, writing.vertices);
    /* What is cut for stream output counts as it is cut, so that it can be compared (OpenGL 4.6 13.4). */
    context->counts->primitives_generated[0] += count - generation->primitives;
    sch_draw_context_each(context, generation->count, write_chunk, &writing);
    return sch_draw_context_pass(context, step, generation);
}
