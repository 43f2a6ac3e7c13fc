/* pass [NAME] { what is drawn to, and the commands in their order } */
#include <string.h>

#include "members.h"

/* ---- what is drawn to -------------------------------------------------------------------------------------------- */

/* TEXTURE [level N] [layer N [COUNT]] [format F] */
static void read_attachment(struct sch_scene_text *text, struct sch_scene_attachment *attachment)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(U32, sch_surface_options, level, .what = "a level", .high = 31),
        SCH_SCENE_ROW("layer", SPAN, sch_surface_options, first_layer, .what = "a layer",
                      .many = "the number of layers"),
        SCH_SCENE_MEMBER(FORMAT, sch_surface_options, format), SCH_SCENE_NO_MORE};
    attachment->place = text->token.place;
    attachment->options = (struct sch_surface_options){.size = sizeof attachment->options};
    attachment->texture = sch_scene_named(text, SCH_SCENE_TEXTURE);
    sch_scene_options(text, members, &attachment->options);
}

static void read_color(struct sch_scene_text *text, void *pass)
{
    uint32_t slot;
    if (sch_scene_u32(text, "a colour buffer", 0, SCH_COLOR_BUFFERS - 1, &slot))
        read_attachment(text, &((struct sch_scene_pass *)pass)->colors[slot]);
}

static void read_depth_stencil(struct sch_scene_text *text, void *pass)
{
    read_attachment(text, &((struct sch_scene_pass *)pass)->depth_stencil);
}

/* WIDTH HEIGHT [layers N] [samples N] */
static void read_size(struct sch_scene_text *text, void *state)
{
    static const struct sch_scene_member members[] = {
        SCH_SCENE_MEMBER(U32, sch_scene_pass, layers, .what = "the number of layers", .low = 1,
                         .high = SCH_FRAMEBUFFER_LAYERS),
        SCH_SCENE_MEMBER(U32, sch_scene_pass, samples, .what = "the number of samples", .low = 1, .high = 16),
        SCH_SCENE_NO_MORE};
    struct sch_scene_pass *pass = state;
    if (sch_scene_u32(text, "the width", 1, SCH_FRAMEBUFFER_SIDE, &pass->width) &&
        sch_scene_u32(text, "the height", 1, SCH_FRAMEBUFFER_SIDE, &pass->height))
        sch_scene_options(text, members, pass);
}

/* ---- commands ---------------------------------------------------------------------------------------------------- */

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

static void read_query(struct sch_scene_text *text, struct sch_scene_command *command)
{
    const bool condition = command->kind == SCH_SCENE_DO_CONDITION;
    if (condition && sch_scene_word(text, "none")) return;
    command->object = sch_scene_named(text, SCH_SCENE_QUERY);
    if (condition) command->inverted = sch_scene_word(text, "inverted");
}

/* SLOT BUFFER [offset N] */
static void read_vertex_buffer(struct sch_scene_text *text, struct sch_scene_command *command)
{
    if (!sch_scene_u32(text, "a vertex buffer", 0, SCH_VERTEX_BUFFERS - 1, &command->slot)) return;
    command->object = sch_scene_named(text, SCH_SCENE_BUFFER);
    sch_scene_offset(text, &command->offset);
}

static void read_command(struct sch_scene_text *text, struct sch_scene_pass *pass)
{
    static const struct sch_scene_member members[] = {SCH_SCENE_OWN("color", read_color),
                                                      SCH_SCENE_OWN("depth_stencil", read_depth_stencil),
                                                      SCH_SCENE_OWN("size", read_size), SCH_SCENE_NO_MORE};
    static const struct {
        const char *word;
        enum sch_scene_command_kind kind;
        void (*read)(struct sch_scene_text *text, struct sch_scene_command *command);
    } commands[] = {{"clear", SCH_SCENE_DO_CLEAR, sch_scene_read_clear},
                    {"bind", SCH_SCENE_DO_BIND, sch_scene_read_bind},
                    {"vertex_buffer", SCH_SCENE_DO_VERTEX_BUFFER, read_vertex_buffer},
                    {"stream", SCH_SCENE_DO_STREAM, sch_scene_read_stream},
                    {"filled", SCH_SCENE_DO_FILLED, sch_scene_read_filled},
                    {"draw", SCH_SCENE_DO_DRAW, sch_scene_read_draw},
                    {"begin", SCH_SCENE_DO_BEGIN, read_query},
                    {"end", SCH_SCENE_DO_END, read_query},
                    {"condition", SCH_SCENE_DO_CONDITION, read_query}};
    if (sch_scene_member(text, members, pass)) return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!sch_scene_word(text, commands[i].word)) continue;
        struct sch_scene_command *command = sch_scene_add_command(text, commands[i].kind);
        if (command) commands[i].read(text, command);
        return;
    }
    if (sch_scene_word(text, "use"))
        read_use(text);
    else if (sch_scene_word(text, "without"))
        read_without(text);
    else if (!read_state(text))
        sch_scene_refuse(text, "SCENE_STATEMENT",
                         "a pass has color, depth_stencil, size, use, without, clear, bind, vertex_buffer, stream, "
                         "filled, draw, begin, "
                         "end, condition, and state in braces");
}

void sch_scene_read_pass(struct sch_scene_text *text, struct sch_scene_step *step)
{
    if (!(step->pass = sch_scene_alloc(text->scene, sizeof *step->pass))) return;
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
