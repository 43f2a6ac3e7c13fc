/* Stream output: which outputs go to which buffers, and ranges of buffers that they go to. */
#include <string.h>

#include "members.h"

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
static void read_register(struct sch_scene_text *text, struct sch_stream_output_register *made)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(U8, sch_stream_output_register, buffer, .what = "a buffer", .high = SCH_STREAM_BUFFERS - 1),
        SCH_SCENE_MEMBER(U8, sch_stream_output_register, stream, .what = "a stream", .high = SCH_STREAM_BUFFERS - 1),
        SCH_SCENE_MEMBER(U32, sch_stream_output_register, offset, .what = "an offset", .high = UINT16_MAX),
        SCH_SCENE_NO_MORE};
    *made = (struct sch_stream_output_register){.offset = NO_OFFSET};
    if (sch_scene_u32(text, "an output", 0, UINT16_MAX, &made->output) && read_components(text, made))
        sch_scene_options(text, members, made);
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
void sch_scene_read_stream(struct sch_scene_text *text, struct sch_scene_command *command)
{
    if (!sch_scene_u32(text, "a buffer", 0, SCH_STREAM_BUFFERS - 1, &command->slot)) return;
    if (!sch_scene_word(text, "none")) command->object = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
}

/* TARGET BYTES */
void sch_scene_read_filled(struct sch_scene_text *text, struct sch_scene_command *command)
{
    command->object = sch_scene_named(text, SCH_SCENE_STREAM_TARGET);
    if (command->object) sch_scene_uint(text, "the number of bytes", 0, INT64_MAX, &command->offset);
}
