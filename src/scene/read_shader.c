/* shader NAME STAGE [tgsi|d3d] [maxwell] { text }, or a file in place of the text. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Whether a line has nothing but a closing brace. */
static bool closes(struct sch_cursor line)
{
    if (!sch_cursor_char(&line, '}')) return false;
    sch_cursor_blanks(&line);
    return line.at == line.end || *line.at == '\n' || *line.at == '#';
}

/* The lines from the one after { to the one before the line with } alone. The next token is what follows. */
static void read_lines(struct sch_scene_text *text, struct sch_player_source *shader)
{
    struct sch_cursor *cursor = &text->cursor;
    const struct sch_scene_place open = text->token.place;
    if (text->token.kind != SCH_SCENE_SIGN || *text->token.text != '{') {
        sch_scene_refuse(text, "SCENE_SYNTAX", "expected {, or the name of a file in quotes");
        return;
    }
    bool more = sch_cursor_next_line(cursor);
    shader->data = cursor->at;
    shader->line = cursor->number;
    while (more && !closes(*cursor)) more = sch_cursor_next_line(cursor);
    shader->bytes = (size_t)(cursor->at - shader->data);
    if (cursor->at == cursor->end) {
        sch_scene_refuse_at(text, &open, "SCENE_SYNTAX", "a line with } alone ends a shader");
        return;
    }
    sch_scene_next(text); /* the brace */
    sch_scene_next(text);
}

/* How a shader is written, beside its kind. */
struct written {
    bool hlsl;
    const char *entry; /* of HLSL; NULL: not said */
};

/* The name of a function, as C has names: compilers get it as a word of their command. */
static bool read_entry(struct sch_scene_text *text, struct written *written)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    const struct sch_scene_token *token = &text->token;
    char *copy;
    if (token->kind != SCH_SCENE_ATOM || strspn(token->text, letters) < token->bytes || *token->text <= '9')
        return sch_scene_refuse(text, "SCENE_NAME", "expected the name of a function of HLSL");
    if (!(copy = sch_scene_alloc(text->scene, token->bytes + 1))) return false;
    memcpy(copy, token->text, token->bytes);
    written->entry = copy;
    sch_scene_next(text);
    return true;
}

/* Which language, and whether lookups become Maxwell code; the last word of a kind counts. */
static bool read_words(struct sch_scene_text *text, struct sch_scene_shader *shader, struct written *written)
{
    enum { TGSI, D3D, HLSL, ENTRY, MAXWELL };
    static const char *const words[] = {"tgsi", "d3d", "hlsl", "entry", "maxwell", NULL};
    static const enum sch_kind kinds[] = {[TGSI] = SCH_KIND_TGSI, [D3D] = SCH_KIND_D3D_ASM, [HLSL] = SCH_KIND_AUTO};
    while (text->token.kind == SCH_SCENE_ATOM) {
        uint32_t chosen = 0;
        if (!sch_scene_choice(text, words, "the language of a shader", &chosen)) return false;
        if (chosen == ENTRY && !read_entry(text, written)) return false;
        if (chosen == MAXWELL) shader->maxwell = true;
        if (chosen > HLSL) continue;
        written->hlsl = chosen == HLSL;
        shader->from.kind = kinds[chosen];
    }
    return true;
}

/* In place of the HLSL what it is compiled to. */
static void compile(struct sch_scene_text *text, const struct sch_scene_object *object,
                    struct sch_player_source *shader, const char *entry)
{
    struct sch_player_file compiled = {.problem = " is HLSL, which nothing compiles here"};
    struct sch_player_hlsl hlsl = {.stage = shader->stage, .entry = entry ? entry : "main"};
    char *lined = sch_player_text_at(shader->line, shader->data, shader->bytes, &hlsl.bytes), *kept = NULL;
    text->scene->no_memory |= !lined;
    if (!lined) return;
    hlsl.text = lined;
    if (text->host->compile) {
        *compiled.problem = 0;
        text->host->compile(text->host->user, &hlsl, &compiled);
    }
    free(lined);
    if (!compiled.data) {
        sch_scene_refuse_at(text, &object->place, "SCENE_HLSL", "%s%s", object->name, compiled.problem);
        return;
    }
    kept = sch_scene_alloc(text->scene, compiled.bytes + 1);
    if (kept) memcpy(kept, compiled.data, compiled.bytes);
    free(compiled.data);
    shader->data = kept;
    shader->bytes = compiled.bytes;
    shader->line = 0; /* what is compiled has no lines */
}

void sch_scene_read_shader(struct sch_scene_text *text, struct sch_scene_object *object)
{
    static const char *const hlsl_endings[] = {".hlsl", ".fx", NULL};
    struct sch_player_source *shader = &object->shader.from;
    struct written written = {0};
    uint32_t chosen = 0;
    if (!sch_scene_choice(text, sch_drawing_stage_words, "the stage of a shader", &chosen)) return;
    shader->stage = (enum sch_stage)chosen;
    if (!read_words(text, &object->shader, &written)) return;
    if (text->token.kind == SCH_SCENE_STRING) {
        struct sch_scene_bytes file;
        if (!sch_scene_read_text(text, &shader->name, &file)) return;
        shader->data = (const char *)file.data;
        shader->bytes = file.bytes;
        if (!shader->kind && (sch_text_name_ends(shader->name, hlsl_endings))) written.hlsl = true;
    } else {
        shader->name = text->scene->name;
        if (!shader->kind && !written.hlsl) shader->kind = SCH_KIND_TGSI;
        read_lines(text, shader);
    }
    if (text->wrong || !shader->data) return;
    if (written.entry && !written.hlsl)
        sch_scene_refuse_at(text, &object->place, "SCENE_VALUE", "%s is not HLSL, so it has no entry", object->name);
    else if (written.hlsl)
        compile(text, object, shader, written.entry);
}
