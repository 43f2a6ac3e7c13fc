/* Stream output: which outputs go to which buffers, and ranges of buffers that they go to. */
#include <string.h>

#include "text.h"

enum { NO_OFFSET = UINT32_MAX };

/* Neighbouring components: "yzw". */
static bool read_components(struct sch_scene_text *text, struct sch_stream_output_register *made)
{
    static const char all[] = "xyzw";
    const struct sch_scene_token *token = &text->token;
    made->component_count = 4;
    if (token->kind != SCH_SCENE_ATOM || !memchr(all, *token->text, 4)) return true;
    const char *first = memchr(all, *token->text, 4);
    const size_t rest = (size_t)(all + 4 - first);
    if (token->bytes > rest || memcmp(first, token->text, token->bytes) != 0)
        return sch_scene_refuse(text, "SCENE_WORD", "components are some of x, y, z, w, one after the other");
    made->first_component = (uint8_t)(first - all);
    made->component_count = (uint8_t)token->bytes;
    sch_scene_next(text);
    return true;
}

/* N [COMPONENTS] [buffer N] [stream N] [offset WORDS] */
static bool read_register(struct sch_scene_text *text, struct sch_stream_output_register *made)
{
    uint32_t number;
    *made = (struct sch_stream_output_register){.offset = NO_OFFSET};
    if (!sch_scene_u32(text, "an output", 0, UINT16_MAX, &made->output) || !read_components(text, made)) return false;
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "buffer")) {
            if (!sch_scene_u32(text, "a buffer", 0, SCH_STREAM_BUFFERS - 1, &number)) return false;
            made->buffer = (uint8_t)number;
        } else if (sch_scene_word(text, "stream")) {
            if (!sch_scene_u32(text, "a stream", 0, SCH_STREAM_BUFFERS - 1, &number)) return false;
            made->stream = (uint8_t)number;
        } else if (sch_scene_word(text, "offset")) {
            if (!sch_scene_u32(text, "an offset", 0, UINT16_MAX, &made->offset)) return false;
        } else {
            return sch_scene_refuse(text, "SCENE_WORD", "buffer, stream and offset are allowed here");
        }
    }
    return true;
}

/* Registers without an offset follow each other; a stride that is not given is where the last one ends. */
static void place_registers(struct sch_stream_output_options *options, uint32_t given)
{
    uint32_t ends[SCH_STREAM_BUFFERS] = {0};
    for (uint32_t r = 0; r < options->register_count; r++) {
        struct sch_stream_output_register *made = &options->registers[r];
        if (made->offset == NO_OFFSET) made->offset = ends[made->buffer];
        ends[made->buffer] = made->offset + made->component_count;
        if (!(given >> made->buffer & 1) && options->stride[made->buffer] < ends[made->buffer])
            options->stride[made->buffer] = ends[made->buffer];
    }
}

void sch_scene_read_stream_output(struct sch_scene_text *text, struct sch_scene_object *object)
{
    struct sch_stream_output_options *options = &object->stream_output;
    uint32_t given = 0, buffer;
    *options = (struct sch_stream_output_options){.size = sizeof *options};
    if (!sch_scene_open(text)) return;
    while (!text->wrong && !sch_scene_sign(text, '}')) {
        if (sch_scene_word(text, "stride")) {
            if (sch_scene_u32(text, "a buffer", 0, SCH_STREAM_BUFFERS - 1, &buffer) &&
                sch_scene_u32(text, "a stride", 1, UINT16_MAX, &options->stride[buffer]))
                given |= 1u << buffer;
        } else if (!sch_scene_word(text, "output")) {
            sch_scene_refuse(text, "SCENE_WORD", "stream output has lines of output and stride");
        } else if (options->register_count == SCH_STREAM_OUTPUTS) {
            sch_scene_refuse(text, "SCENE_LIMIT", "there are at most %d outputs", SCH_STREAM_OUTPUTS);
        } else {
            read_register(text, &options->registers[options->register_count++]);
        }
        sch_scene_end(text);
    }
    if (!text->wrong) place_registers(options, given);
}

/* BUFFER [offset N] [bytes N] */
void sch_scene_read_stream_target(struct sch_scene_text *text, struct sch_scene_object *object)
{
    struct sch_scene_stream_target *target = &object->stream_target;
    target->buffer = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (sch_scene_word(text, "offset")) sch_scene_uint(text, "an offset", 0, INT64_MAX, &target->offset);
    if (sch_scene_word(text, "bytes")) sch_scene_uint(text, "the number of bytes", 1, INT64_MAX, &target->bytes);
}

/* SLOT TARGET|none */
void sch_scene_read_stream(struct sch_scene_text *text)
{
    struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_STREAM);
    if (!command || !sch_scene_u32(text, "a buffer", 0, SCH_STREAM_BUFFERS - 1, &command->slot)) return;
    if (!sch_scene_word(text, "none")) command->object = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
}

/* TARGET BYTES */
void sch_scene_read_filled(struct sch_scene_text *text)
{
    struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_FILLED);
    if (!command) return;
    command->object = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
    if (command->object) sch_scene_uint(text, "the number of bytes", 0, INT64_MAX, &command->offset);
}
