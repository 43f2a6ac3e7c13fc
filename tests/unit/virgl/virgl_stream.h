/* Recordings of clients of the virgl protocol (src/virgl/record.h), written by tests word for word, and played. */
#ifndef SCH_TESTS_VIRGL_STREAM_H
#define SCH_TESTS_VIRGL_STREAM_H

#include "virgl/client.h"
#include "virgl/protocol.h"
#include "virgl/record.h"

enum { STREAM_BYTES = 1 << 20, STREAM_WORDS = 1 << 17 };

/* A recording that is written, and the commands that come with its next submit. */
struct stream {
    size_t used;
    uint32_t count;
    uint8_t bytes[STREAM_BYTES];
    uint32_t words[STREAM_WORDS];
};

void stream_begin(struct stream *stream);

/* ---- records ---- */

void stream_resource(struct stream *stream, uint32_t handle, const struct sch_virgl_resource_options *options);
void stream_attach(struct stream *stream, uint32_t handle, uint32_t bytes);
void stream_memory(struct stream *stream, uint32_t handle, uint32_t offset, const void *data, uint32_t bytes);
void stream_destroy(struct stream *stream, uint32_t handle);
/* All of a level, from the beginning of the memory. */
void stream_get(struct stream *stream, uint32_t handle, uint32_t level, struct sch_virgl_box box);
void stream_put(struct stream *stream, uint32_t handle, uint32_t level, struct sch_virgl_box box);
void stream_submit(struct stream *stream);

/* ---- commands ---- */

void stream_command(struct stream *stream, uint32_t number, uint32_t kind, uint32_t count, const uint32_t *words);
#define STREAM(stream, name, kind, ...)                                                                                \
    stream_command((stream), SCH_VIRGL_##name, (kind), sizeof((const uint32_t[]){__VA_ARGS__}) / 4,                    \
                   (const uint32_t[]){__VA_ARGS__})

/* A shader, with the words of its stream outputs (four strides, then two words for each of them). It is bound, too. */
void stream_shader(struct stream *stream, uint32_t handle, enum stage stage, const char *text, const uint32_t *outputs,
                   uint32_t output_count);

uint32_t stream_float(float value);

/* ---- playing ---- */

struct played {
    enum sch_result result;
    uint64_t refused;
    size_t held; /* of the context's memory, when all was done */
    unsigned frames;
    size_t frame_bytes; /* of all frames together */
    uint8_t frame[1 << 20];
    size_t log_used;
    char log[1 << 14]; /* all lines, one below the other, as far as they fit */
};

struct stream_options {
    enum sch_engine engine;
    uint32_t width, threads;
    size_t memory; /* of the context; 0: the default */
    const struct sch_machine_code_options *code;
};

void stream_play(const struct stream *stream, const struct stream_options *options, struct played *played);

#endif
