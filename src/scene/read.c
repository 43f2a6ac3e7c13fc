/* The statements of a scene: which there are. */
#include <stdlib.h>

#include "text.h"

/* ---- statements -------------------------------------------------------------------------------------------------- */

static void read_matrix(struct sch_scene_text *text, struct sch_scene_object *object)
{
    if (!sch_scene_sign(text, '='))
        sch_scene_refuse(text, "SCENE_SYNTAX", "expected = between a matrix and its value");
    else
        sch_scene_read_matrix(text, &object->matrix);
}

static void read_query(struct sch_scene_text *text, struct sch_scene_object *object)
{
    uint32_t kind = 0;
    if (!sch_scene_choice(text, sch_query_kind_words, "a query", &kind)) return;
    object->query.kind = (enum sch_query_kind)kind;
    const bool by_stream = kind >= SCH_QUERY_PRIMITIVES_GENERATED && kind <= SCH_QUERY_SO_OVERFLOW_PREDICATE;
    if (by_stream && sch_scene_word(text, "stream"))
        sch_scene_u32(text, "a stream", 0, SCH_STREAM_BUFFERS - 1, &object->query.index);
}

static void read_dynamic(struct sch_scene_text *text, struct sch_scene_object *object)
{
    sch_scene_read_dynamic(text, &object->dynamic);
}

/* Statements that give a name to something. */
static const struct {
    const char *word;
    enum sch_scene_kind kind;
    void (*read)(struct sch_scene_text *text, struct sch_scene_object *object);
} definitions[] = {{"shader", SCH_SCENE_SHADER, sch_scene_read_shader},
                   {"buffer", SCH_SCENE_BUFFER, sch_scene_read_buffer},
                   {"mesh", SCH_SCENE_MESH, sch_scene_read_mesh},
                   {"texture", SCH_SCENE_TEXTURE, sch_scene_read_texture},
                   {"sampler", SCH_SCENE_SAMPLER, sch_scene_read_sampler},
                   {"elements", SCH_SCENE_ELEMENTS, sch_scene_read_elements},
                   {"rasterizer", SCH_SCENE_RASTERIZER, sch_scene_read_state},
                   {"depth_stencil_alpha", SCH_SCENE_DEPTH_STENCIL_ALPHA, sch_scene_read_state},
                   {"blend", SCH_SCENE_BLEND, sch_scene_read_state},
                   {"dynamic", SCH_SCENE_DYNAMIC, read_dynamic},
                   {"stream_output", SCH_SCENE_STREAM_OUTPUT, sch_scene_read_stream_output},
                   {"stream_target", SCH_SCENE_STREAM_TARGET, sch_scene_read_stream_target},
                   {"matrix", SCH_SCENE_MATRIX, read_matrix},
                   {"query", SCH_SCENE_QUERY, read_query}};
enum { DEFINITIONS = sizeof definitions / sizeof *definitions };

/* What is done, in the scene's order. */
static const struct {
    const char *word;
    enum sch_scene_step_kind kind;
    void (*read)(struct sch_scene_text *text, struct sch_scene_step *step);
} steps[] = {{"pass", SCH_SCENE_PASS, sch_scene_read_pass},
             {"blit", SCH_SCENE_BLIT, sch_scene_read_blit},
             {"copy", SCH_SCENE_BLIT, sch_scene_read_copy},
             {"mips", SCH_SCENE_MIPS, sch_scene_read_mips},
             {"expect", SCH_SCENE_EXPECT, sch_scene_read_expect}};
enum { STEPS = sizeof steps / sizeof *steps };

static bool is_name(const struct sch_scene_token *token)
{
    const char c = *token->text;
    return token->kind == SCH_SCENE_ATOM && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_');
}

static void read_definition(struct sch_scene_text *text, size_t which)
{
    const struct sch_scene_token name = text->token;
    if (!is_name(&name)) {
        sch_scene_refuse(text, "SCENE_NAME", "expected the name of a %s: a letter, then what is not a sign",
                         definitions[which].word);
        return;
    }
    struct sch_scene_object *object = sch_scene_make(text, definitions[which].kind, &name);
    if (!object) return;
    sch_scene_next(text);
    definitions[which].read(text, object);
    sch_scene_enter(text->scene, object); /* also a wrong one: what names it is not wrong for that */
}

static void read_statement(struct sch_scene_text *text)
{
    for (size_t i = 0; i < DEFINITIONS; i++) {
        if (!sch_scene_word(text, definitions[i].word)) continue;
        read_definition(text, i);
        return;
    }
    for (size_t i = 0; i < STEPS; i++) {
        if (!sch_scene_word(text, steps[i].word)) continue;
        struct sch_scene_step *step = sch_scene_add_step(text, steps[i].kind);
        if (step) steps[i].read(text, step);
        return;
    }
    if (sch_scene_word(text, "output"))
        sch_scene_read_output(text);
    else
        sch_scene_refuse(text, "SCENE_STATEMENT", "no statement begins here");
}

static bool begins_statement(struct sch_scene_text *text)
{
    if (text->token.place.column != 1) return false;
    for (size_t i = 0; i < DEFINITIONS; i++)
        if (sch_scene_is(text, definitions[i].word)) return true;
    for (size_t i = 0; i < STEPS; i++)
        if (sch_scene_is(text, steps[i].word)) return true;
    return sch_scene_is(text, "output");
}

/* After an error: to the next statement in the first column. Strings without an end are not reported meanwhile. */
static void recover(struct sch_scene_text *text)
{
    do sch_scene_next(text);
    while (text->token.kind != SCH_SCENE_TEXT_END && !begins_statement(text));
    text->wrong = false;
}

static void read_all(struct sch_scene_text *text)
{
    sch_scene_next(text);
    if (text->wrong) recover(text);
    while (!text->scene->no_memory) {
        sch_scene_skip_lines(text);
        if (text->token.kind == SCH_SCENE_TEXT_END) return;
        read_statement(text);
        sch_scene_end(text);
        if (!text->wrong && text->token.kind == SCH_SCENE_SIGN)
            sch_scene_refuse(text, "SCENE_SYNTAX", "} closes nothing here");
        if (text->wrong) recover(text);
    }
}

enum sch_result sch_scene_read(const char *name, const char *bytes, size_t count, const struct sch_scene_host *host,
                               struct sch_scene **made)
{
    struct sch_scene *scene = *made = calloc(1, sizeof *scene);
    if (!scene) return SCH_ERROR_MEMORY;
    scene->name = name;
    scene->text = bytes;
    scene->bytes = count;
    struct sch_scene_text text = {
        .scene = scene, .host = host, .cursor = sch_cursor_begin(bytes, count), .last_step = &scene->steps};
    read_all(&text);
    if (!scene->no_memory && !scene->errors) return SCH_OK;
    const enum sch_result result = scene->no_memory ? SCH_ERROR_LIMIT : SCH_ERROR_INVALID;
    sch_scene_destroy(scene);
    *made = NULL;
    return result;
}
