/* See virgl_stream.h. */
#include "virgl_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- records ---- */

static void write_bytes(struct stream *stream, const void *data, size_t bytes)
{
    assert_true(bytes <= STREAM_BYTES - stream->used);
    if (bytes) memcpy(stream->bytes + stream->used, data, bytes);
    stream->used += bytes;
}

static void write_record(struct stream *stream, uint32_t kind, const void *head, uint32_t head_bytes, const void *rest,
                         uint32_t rest_bytes)
{
    const uint32_t start[2] = {kind, head_bytes + rest_bytes};
    write_bytes(stream, start, sizeof start);
    write_bytes(stream, head, head_bytes);
    write_bytes(stream, rest, rest_bytes);
    write_bytes(stream, &(uint32_t){0}, -start[1] % 4);
}

void stream_begin(struct stream *stream)
{
    const struct sch_virgl_record_header header = {.name = "SCHVIRGL", .version = SCH_VIRGL_RECORDING_VERSION};
    stream->used = stream->count = 0;
    write_bytes(stream, &header, sizeof header);
}

void stream_resource(struct stream *stream, uint32_t handle, const struct sch_virgl_resource_options *options)
{
    write_record(stream, SCH_VIRGL_RECORD_CREATE, &handle, sizeof handle, options, sizeof *options);
}

void stream_attach(struct stream *stream, uint32_t handle, uint32_t bytes)
{
    const uint32_t words[] = {handle, bytes};
    write_record(stream, SCH_VIRGL_RECORD_ATTACH, words, sizeof words, NULL, 0);
}

void stream_memory(struct stream *stream, uint32_t handle, uint32_t offset, const void *data, uint32_t bytes)
{
    const uint32_t words[] = {handle, offset};
    write_record(stream, SCH_VIRGL_RECORD_MEMORY, words, sizeof words, data, bytes);
}

void stream_destroy(struct stream *stream, uint32_t handle)
{
    write_record(stream, SCH_VIRGL_RECORD_DESTROY, &handle, sizeof handle, NULL, 0);
}

static void write_transfer(struct stream *stream, uint32_t kind, uint32_t handle, uint32_t level,
                           struct sch_virgl_box box)
{
    const struct sch_virgl_record_transfer words = {.resource = handle, .level = level, .box = box};
    write_record(stream, kind, &words, sizeof words, NULL, 0);
}

void stream_get(struct stream *stream, uint32_t handle, uint32_t level, struct sch_virgl_box box)
{
    write_transfer(stream, SCH_VIRGL_RECORD_GET, handle, level, box);
}

void stream_put(struct stream *stream, uint32_t handle, uint32_t level, struct sch_virgl_box box)
{
    write_transfer(stream, SCH_VIRGL_RECORD_PUT, handle, level, box);
}

void stream_submit(struct stream *stream)
{
    write_record(stream, SCH_VIRGL_RECORD_SUBMIT, stream->words, stream->count * 4, NULL, 0);
    stream->count = 0;
}

/* ---- commands ---- */

void stream_command(struct stream *stream, uint32_t number, uint32_t kind, uint32_t count, const uint32_t *words)
{
    assert_true(count < STREAM_WORDS - stream->count);
    stream->words[stream->count++] = number | kind << 8 | count << 16;
    if (count) memcpy(stream->words + stream->count, words, count * sizeof *words);
    stream->count += count;
}

void stream_shader(struct stream *stream, uint32_t handle, enum stage stage, const char *text, const uint32_t *outputs,
                   uint32_t output_count)
{
    enum { HEADER = 5, MOST = 2048 };
    uint32_t words[MOST] = {handle, stage, (uint32_t)strlen(text) + 1, 300, output_count};
    const uint32_t more = output_count ? 4 + 2 * output_count : 0, bytes = words[2];
    assert_true(HEADER + more + (bytes + 3) / 4 <= MOST);
    if (more) memcpy(words + HEADER, outputs, more * sizeof *outputs);
    memcpy(words + HEADER + more, text, bytes);
    stream_command(stream, SCH_VIRGL_CREATE_OBJECT, OBJECT_SHADER, HEADER + more + (bytes + 3) / 4, words);
    STREAM(stream, BIND_SHADER, 0, handle, stage);
}

uint32_t stream_float(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ---- playing ---- */

static void hear(void *user, const char *line)
{
    struct played *played = user;
    const size_t left = sizeof played->log - played->log_used;
    const int more = snprintf(played->log + played->log_used, left, "%s\n", line);
    if (more > 0) played->log_used += (size_t)more < left ? (size_t)more : left - 1;
}

static void look(void *user, const struct sch_virgl_frame *frame)
{
    struct played *played = user;
    assert_true(frame->bytes <= sizeof played->frame - played->frame_bytes);
    memcpy(played->frame + played->frame_bytes, frame->texels, frame->bytes);
    played->frame_bytes += frame->bytes;
    played->frames++;
}

void stream_play(const struct stream *stream, const struct stream_options *options, struct played *played)
{
    const struct sch_limit_options limits = {.size = sizeof limits, .context_memory = options->memory};
    const struct sch_context_options asked = {.size = sizeof asked, .limits = &limits, .machine_code = options->code};
    const struct sch_virgl_frame_callbacks audience = {.show = look, .user = played};
    struct sch_context_memory memory = {.size = sizeof memory};
    struct sch_context *context;
    struct sch_virgl *virgl;
    *played = (struct played){0};
    assert_int_equal(sch_context_create(&asked, &context), SCH_OK);
    const struct sch_virgl_options wanted = {.context = context,
                                             .engine = options->engine,
                                             .width = options->width,
                                             .threads = options->threads,
                                             .log = {hear, played}};
    assert_int_equal(sch_context_get_memory(context, &memory), SCH_OK);
    const size_t before = memory.held;
    assert_int_equal(sch_virgl_create(&wanted, &virgl), SCH_OK);
    sch_virgl_set_frame_callbacks(virgl, &audience);
    played->result = sch_virgl_play(virgl, stream->bytes, stream->used);
    played->refused = sch_virgl_get_counts(virgl).refused;
    assert_int_equal(sch_context_get_memory(context, &memory), SCH_OK);
    played->held = memory.held;
    sch_virgl_destroy(virgl);
    assert_int_equal(sch_context_get_memory(context, &memory), SCH_OK);
    if (!options->code) assert_int_equal(memory.held, before); /* functions of lookups stay with the context */
    sch_context_destroy(context);
}
