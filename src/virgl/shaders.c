/* Shaders: TGSI text, which comes in one command or in several, becomes programs; bound programs become pipelines. */
#include <string.h>

#include "client.h"

enum { TEXT_MOST = 16 << 20, HEADER = 5, CONTINUES = 1u << 31 };

/* A pipeline of the sub-context, by the programs that it has. */
struct linked {
    const struct object *shaders[STAGE_COMPUTE];
    struct sch_pipeline *pipeline;
    struct linked *next;
};

/* ---- stream output ---- */

/* The words after the header, of so many outputs; *used: how many there are. */
static bool read_stream_output(struct sch_virgl *virgl, const struct command *command, struct shader *made,
                               uint32_t *used)
{
    struct sch_stream_output_options options = {.size = sizeof options};
    const uint32_t count = command->words[HEADER - 1], *words = command->words + HEADER;
    *used = 0;
    if (!count) return true;
    if (count > SCH_STREAM_OUTPUTS || command->count - HEADER < 4 + 2 * count)
        return sch_virgl_refuse(virgl, "%u stream outputs in %u words", count, command->count);
    *used = 4 + 2 * count;
    memcpy(options.stride, words, sizeof options.stride);
    options.register_count = count;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t word = words[4 + 2 * n];
        options.registers[n] =
            (struct sch_stream_output_register){.output = sch_virgl_bits(word, 0, 8),
                                                .first_component = (uint8_t)sch_virgl_bits(word, 8, 2),
                                                .component_count = (uint8_t)sch_virgl_bits(word, 10, 3),
                                                .buffer = (uint8_t)sch_virgl_bits(word, 13, 3),
                                                .offset = sch_virgl_bits(word, 16, 16),
                                                .stream = (uint8_t)sch_virgl_bits(words[5 + 2 * n], 0, 2)};
    }
    return sch_virgl_check(
        virgl, sch_stream_output_create(virgl->options.context, &options, sch_virgl_list(virgl), &made->stream_output),
        "stream output");
}

/* ---- texts ---- */

static const enum sch_stage stages[STAGES] = {SCH_STAGE_VERTEX,    SCH_STAGE_FRAGMENT,  SCH_STAGE_GEOMETRY,
                                              SCH_STAGE_TESS_CTRL, SCH_STAGE_TESS_EVAL, SCH_STAGE_COMPUTE};

static bool check_stage(struct sch_virgl *virgl, const struct sch_shader *shader, enum stage stage)
{
    struct sch_shader_info info = {.size = sizeof info};
    if (!sch_virgl_check(virgl, sch_shader_get_info(shader, &info), "shader")) return false;
    return info.stage == stages[stage] || sch_virgl_refuse(virgl, "a shader of another stage than %u", stage);
}

static void collect(struct sch_virgl *virgl, struct shader *made, const struct sch_shader *shader, bool refused)
{
    const struct sch_virgl_collector *collector = &virgl->collector;
    struct sch_virgl_text text = {.stage = stages[made->stage], .text = made->text, .refused = refused};
    char *printed = NULL;
    if (!collector->take) return;
    if (!refused && sch_shader_print(shader, NULL, &printed, &text.bytes) == SCH_OK)
        text.text = printed;
    else
        text.bytes = strnlen(made->text, made->whole);
    made->collected = collector->take(collector->user, &text);
    sch_free(virgl->options.context, printed);
}

void sch_virgl_use_shader(const struct sch_virgl *virgl, const struct object *object, uint64_t by)
{
    const struct sch_virgl_collector *collector = &virgl->collector;
    if (object && object->shader.collected) collector->use(collector->user, object->shader.collected, by);
}

static bool compile(struct sch_virgl *virgl, struct shader *made)
{
    struct sch_context *context = virgl->options.context;
    const struct sch_program_options options = {.size = sizeof options,
                                                .engine = virgl->options.engine,
                                                .width = virgl->options.width,
                                                .deadline_ms = virgl->options.deadline_ms,
                                                .cancel = virgl->options.cancel};
    const struct sch_read_options read = {.size = sizeof read,
                                          .kind = SCH_KIND_TGSI,
                                          .dialect = SCH_DIALECT_VIRGL,
                                          .deadline_ms = virgl->options.deadline_ms,
                                          .cancel = virgl->options.cancel};
    struct sch_shader *shader = NULL;
    const size_t bytes = strnlen(made->text, made->whole); /* a 0 ends the text */
    bool done =
        sch_virgl_check(virgl, sch_shader_read(context, made->text, bytes, &read, sch_virgl_list(virgl), &shader),
                        "shader") &&
        check_stage(virgl, shader, made->stage) &&
        sch_virgl_check(virgl, sch_program_create(context, shader, &options, sch_virgl_list(virgl), &made->program),
                        "shader");
    collect(virgl, made, shader, !done);
    if (done && virgl->options.keeps_shaders)
        made->shader = shader;
    else
        sch_shader_destroy(shader);
    sch_virgl_free(virgl, made->text);
    made->text = NULL;
    virgl->counts.shaders += done;
    return done;
}

/* The bytes that a command has of the text. What its last word has too many is left. */
static bool take_text(struct sch_virgl *virgl, struct shader *made, const uint32_t *words, uint32_t count)
{
    const uint32_t left = made->whole - made->have;
    const uint64_t bytes = (uint64_t)count * sizeof *words;
    const uint32_t taken = bytes < left ? (uint32_t)bytes : left;
    memcpy(made->text + made->have, words, taken);
    made->have += taken;
    return made->have < made->whole || compile(virgl, made);
}

bool sch_virgl_is_continuation(const struct command *command) { return command->words[2] & CONTINUES; }

bool sch_virgl_make_shader(struct sch_virgl *virgl, struct object *object, const struct command *command)
{
    struct shader *made = &object->shader;
    const uint32_t *words = command->words;
    uint32_t used = 0;
    if (words[1] >= STAGES) return sch_virgl_refuse(virgl, "there is no stage %u", words[1]);
    if (!words[2] || words[2] > TEXT_MOST) return sch_virgl_refuse(virgl, "a text of %u bytes", words[2]);
    made->stage = (enum stage)words[1];
    made->whole = words[2];
    if (made->stage == STAGE_COMPUTE)
        made->shared_bytes = words[HEADER - 1];
    else if (!read_stream_output(virgl, command, made, &used))
        return false;
    made->text = sch_virgl_alloc(virgl, made->whole);
    return made->text && take_text(virgl, made, words + HEADER + used, command->count - HEADER - used);
}

bool sch_virgl_continue_shader(struct sch_virgl *virgl, const struct command *command)
{
    struct object *object = sch_virgl_object_find(virgl, command->words[0], OBJECT_SHADER);
    if (!object) return false;
    struct shader *made = &object->shader;
    const uint32_t at = command->words[2] & ~CONTINUES;
    if (!made->text || at != made->have)
        return sch_virgl_refuse(virgl, "a part from byte %u on of a text of which %u bytes are there", at, made->have);
    return take_text(virgl, made, command->words + HEADER, command->count - HEADER);
}

bool sch_virgl_bind_shader(struct sch_virgl *virgl, const struct command *command)
{
    struct object *object = NULL;
    const uint32_t stage = command->words[1];
    if (stage >= STAGES) return sch_virgl_refuse(virgl, "there is no stage %u", stage);
    if (command->words[0]) {
        if (!(object = sch_virgl_object_find(virgl, command->words[0], OBJECT_SHADER))) return false;
        if (object->shader.stage != stage) return sch_virgl_refuse(virgl, "a shader of stage %u", object->shader.stage);
    }
    sch_virgl_object_bind(virgl, &virgl->sub->shaders[stage], object);
    return true;
}

/* ---- pipelines ---- */

/* What was linked of a shader that ends. */
static void forget(struct sch_virgl *virgl, const struct object *shader)
{
    struct linked **at = &virgl->sub->pipelines;
    while (*at) {
        struct linked *linked = *at;
        bool has = false;
        for (unsigned n = 0; n < STAGE_COMPUTE; n++) has |= linked->shaders[n] == shader;
        if (!has) {
            at = &linked->next;
            continue;
        }
        *at = linked->next;
        sch_pipeline_destroy(linked->pipeline);
        sch_virgl_free(virgl, linked);
    }
}

void sch_virgl_end_shader(struct sch_virgl *virgl, struct object *object)
{
    forget(virgl, object);
    sch_program_destroy(object->shader.program);
    sch_shader_destroy(object->shader.shader);
    sch_stream_output_destroy(object->shader.stream_output);
    sch_virgl_free(virgl, object->shader.text);
}

static const struct sch_program *program_of(const struct object *object)
{
    return object ? object->shader.program : NULL;
}

/* The last program before the rasterizer has the stream output. */
static const struct sch_stream_output *stream_output_of(struct object *const shaders[STAGES])
{
    const struct object *last = shaders[STAGE_GEOMETRY]    ? shaders[STAGE_GEOMETRY]
                                : shaders[STAGE_TESS_EVAL] ? shaders[STAGE_TESS_EVAL]
                                                           : shaders[STAGE_VERTEX];
    return last->shader.stream_output;
}

static const struct sch_pipeline *link(struct sch_virgl *virgl, struct sub_context *sub)
{
    struct object *const *shaders = sub->shaders;
    struct sch_pipeline *pipeline = NULL;
    const struct sch_pipeline_options options = {.size = sizeof options,
                                                 .vertex = program_of(shaders[STAGE_VERTEX]),
                                                 .tess_ctrl = program_of(shaders[STAGE_TESS_CTRL]),
                                                 .tess_eval = program_of(shaders[STAGE_TESS_EVAL]),
                                                 .geometry = program_of(shaders[STAGE_GEOMETRY]),
                                                 .fragment = program_of(shaders[STAGE_FRAGMENT]),
                                                 .stream_output = stream_output_of(shaders)};
    struct linked *made = sch_virgl_alloc(virgl, sizeof *made);
    if (!made) return NULL;
    if (!sch_virgl_check(virgl, sch_pipeline_create(virgl->options.context, &options, sch_virgl_list(virgl), &pipeline),
                         "pipeline")) {
        sch_virgl_free(virgl, made);
        return NULL;
    }
    memcpy(made->shaders, shaders, sizeof made->shaders);
    made->pipeline = pipeline;
    made->next = sub->pipelines;
    sub->pipelines = made;
    return pipeline;
}

/* What was found is put in front: programs of a client come again at once. */
const struct sch_pipeline *sch_virgl_pipeline(struct sch_virgl *virgl, struct sub_context *sub)
{
    for (unsigned n = 0; n < STAGE_COMPUTE; n++)
        if (sub->shaders[n] && !sub->shaders[n]->shader.program) {
            sch_virgl_refuse(virgl, "the shader of stage %u is not whole, or was refused", n);
            return NULL;
        }
    if (!sub->shaders[STAGE_VERTEX]) {
        sch_virgl_refuse(virgl, "there is no vertex shader");
        return NULL;
    }
    for (struct linked **at = &sub->pipelines; *at; at = &(*at)->next) {
        struct linked *linked = *at;
        if (memcmp(linked->shaders, sub->shaders, sizeof linked->shaders) != 0) continue;
        *at = linked->next;
        linked->next = sub->pipelines;
        sub->pipelines = linked;
        return linked->pipeline;
    }
    return link(virgl, sub);
}
