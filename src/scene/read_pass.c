/* pass [NAME] { what is drawn to, and the commands in their order } */
#include <string.h>

#include "text.h"

/* ---- what is drawn to -------------------------------------------------------------------------------------------- */

/* TEXTURE [level N] [layer N [COUNT]] [format F] */
static void read_attachment(struct sch_scene_text *text, struct sch_scene_attachment *attachment)
{
    struct sch_surface_options *options = &attachment->options;
    attachment->place = text->token.place;
    attachment->options = (struct sch_surface_options){.size = sizeof attachment->options};
    attachment->texture = sch_scene_named(text, SCH_SCENE_TEXTURE);
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "level")) {
            sch_scene_u32(text, "a level", 0, 31, &options->level);
        } else if (sch_scene_word(text, "layer")) {
            options->layer_count = 1;
            if (sch_scene_u32(text, "a layer", 0, UINT32_MAX, &options->first_layer) &&
                text->token.kind == SCH_SCENE_ATOM && *text->token.text <= '9')
                sch_scene_u32(text, "the number of layers", 1, UINT32_MAX, &options->layer_count);
        } else if (sch_scene_word(text, "format")) {
            sch_scene_format(text, &options->format);
        } else {
            sch_scene_refuse(text, "SCENE_WORD", "level, layer and format are allowed here");
        }
    }
}

/* WIDTH HEIGHT [layers N] [samples N] */
static void read_size(struct sch_scene_text *text, struct sch_scene_pass *pass)
{
    if (!sch_scene_u32(text, "the width", 1, SCH_FRAMEBUFFER_SIDE, &pass->width) ||
        !sch_scene_u32(text, "the height", 1, SCH_FRAMEBUFFER_SIDE, &pass->height))
        return;
    while (!sch_scene_at_end(text)) {
        if (sch_scene_word(text, "layers"))
            sch_scene_u32(text, "the number of layers", 1, SCH_FRAMEBUFFER_LAYERS, &pass->layers);
        else if (sch_scene_word(text, "samples"))
            sch_scene_u32(text, "the number of samples", 1, 16, &pass->samples);
        else
            sch_scene_refuse(text, "SCENE_WORD", "layers and samples are allowed here");
    }
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

/* The names of shaders and state. */
/* What a pass may use: shaders, and state. */
static bool is_used(const struct sch_scene_object *object)
{
    return object && (object->kind == SCH_SCENE_SHADER ||
                      (object->kind >= SCH_SCENE_ELEMENTS && object->kind <= SCH_SCENE_STREAM_OUTPUT));
}

static void read_use(struct sch_scene_text *text)
{
    do {
        const struct sch_scene_token *name = &text->token;
        const struct sch_scene_object *object = NULL;
        if (name->kind == SCH_SCENE_ATOM) object = sch_scene_find(text->scene, name->text, name->bytes);
        if (!is_used(object)) {
            for (object = text->scene->objects; object; object = object->next)
                if (is_used(object)) sch_scene_try(text, object->name);
            sch_scene_refuse(text, "SCENE_NAME", "expected the name of a shader or of state");
            return;
        }
        struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_USE);
        if (!command) return;
        command->object = object;
        sch_scene_next(text);
    } while (!sch_scene_at_end(text));
}

/* Stages whose shaders are not used any more. */
static void read_without(struct sch_scene_text *text)
{
    do {
        uint32_t stage = 0;
        if (!sch_scene_choice(text, sch_drawing_stage_words, "the stage", &stage)) return;
        struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_WITHOUT);
        if (!command) return;
        command->slot = stage;
    } while (!sch_scene_at_end(text));
}

/* State in braces. */
static bool read_state(struct sch_scene_text *text)
{
    enum sch_scene_kind kind = SCH_SCENE_ELEMENTS;
    while (kind <= SCH_SCENE_DYNAMIC && !sch_scene_word(text, sch_scene_kind_words[kind])) kind++;
    if (kind > SCH_SCENE_DYNAMIC) return false;
    struct sch_scene_object *object = sch_scene_make(text, kind, NULL);
    struct sch_scene_command *command = object ? sch_scene_add_command(text, SCH_SCENE_DO_USE) : NULL;
    if (!command) return true;
    command->object = object;
    if (object->kind == SCH_SCENE_ELEMENTS)
        sch_scene_read_elements(text, object);
    else if (object->kind == SCH_SCENE_DYNAMIC)
        sch_scene_read_dynamic(text, &object->dynamic);
    else
        sch_scene_read_state(text, object);
    sch_scene_enter(text->scene, object);
    return true;
}

static void read_query(struct sch_scene_text *text, enum sch_scene_command_kind kind)
{
    struct sch_scene_command *command = sch_scene_add_command(text, kind);
    if (!command || (kind == SCH_SCENE_DO_CONDITION && sch_scene_word(text, "none"))) return;
    command->object = sch_scene_named(text, SCH_SCENE_QUERY);
    if (kind == SCH_SCENE_DO_CONDITION) command->inverted = sch_scene_word(text, "inverted");
}

/* SLOT BUFFER [offset N] */
static void read_vertex_buffer(struct sch_scene_text *text)
{
    struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_VERTEX_BUFFER);
    if (!command || !sch_scene_u32(text, "a vertex buffer", 0, SCH_VERTEX_BUFFERS - 1, &command->slot)) return;
    command->object = sch_scene_named(text, SCH_SCENE_BUFFER);
    if (sch_scene_word(text, "offset")) sch_scene_uint(text, "an offset", 0, INT64_MAX, &command->offset);
}

static void read_clear(struct sch_scene_text *text)
{
    struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_CLEAR);
    if (!command || !(command->clear = sch_scene_alloc(text->scene, sizeof *command->clear))) return;
    sch_scene_read_clear(text, command->clear);
}

static void read_bind(struct sch_scene_text *text)
{
    struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_BIND);
    if (!command || !(command->bind = sch_scene_alloc(text->scene, sizeof *command->bind))) return;
    sch_scene_read_bind(text, command->bind);
}

static void read_draw(struct sch_scene_text *text)
{
    struct sch_scene_command *command = sch_scene_add_command(text, SCH_SCENE_DO_DRAW);
    if (!command || !(command->draw = sch_scene_alloc(text->scene, sizeof *command->draw))) return;
    sch_scene_read_draw(text, command->draw);
}

static void read_command(struct sch_scene_text *text, struct sch_scene_pass *pass)
{
    uint32_t slot;
    if (sch_scene_word(text, "color")) {
        if (sch_scene_u32(text, "a colour buffer", 0, SCH_COLOR_BUFFERS - 1, &slot))
            read_attachment(text, &pass->colors[slot]);
    } else if (sch_scene_word(text, "depth_stencil")) {
        read_attachment(text, &pass->depth_stencil);
    } else if (sch_scene_word(text, "size")) {
        read_size(text, pass);
    } else if (sch_scene_word(text, "use")) {
        read_use(text);
    } else if (sch_scene_word(text, "without")) {
        read_without(text);
    } else if (sch_scene_word(text, "clear")) {
        read_clear(text);
    } else if (sch_scene_word(text, "bind")) {
        read_bind(text);
    } else if (sch_scene_word(text, "vertex_buffer")) {
        read_vertex_buffer(text);
    } else if (sch_scene_word(text, "stream")) {
        sch_scene_read_stream(text);
    } else if (sch_scene_word(text, "filled")) {
        sch_scene_read_filled(text);
    } else if (sch_scene_word(text, "draw")) {
        read_draw(text);
    } else if (sch_scene_word(text, "begin")) {
        read_query(text, SCH_SCENE_DO_BEGIN);
    } else if (sch_scene_word(text, "end")) {
        read_query(text, SCH_SCENE_DO_END);
    } else if (sch_scene_word(text, "condition")) {
        read_query(text, SCH_SCENE_DO_CONDITION);
    } else if (!read_state(text)) {
        sch_scene_refuse(text, "SCENE_STATEMENT",
                         "a pass has color, depth_stencil, size, use, without, clear, bind, vertex_buffer, stream, "
                         "filled, draw, begin, "
                         "end, condition, and state in braces");
    }
}

void sch_scene_read_pass(struct sch_scene_text *text)
{
    struct sch_scene_step *step = sch_scene_add_step(text, SCH_SCENE_PASS);
    if (!step || !(step->pass = sch_scene_alloc(text->scene, sizeof *step->pass))) return;
    char *name = sch_scene_alloc(text->scene, text->token.bytes + 1);
    if (!name) return;
    step->pass->name = name;
    text->last_command = &step->pass->commands;
    if (text->token.kind == SCH_SCENE_ATOM) {
        memcpy(name, text->token.text, text->token.bytes);
        sch_scene_next(text);
    }
    if (!sch_scene_open(text)) return;
    while (!text->wrong && !sch_scene_sign(text, '}')) {
        read_command(text, step->pass);
        sch_scene_end(text);
        if (text->scene->no_memory) return;
    }
}
