/* shader NAME STAGE [tgsi|d3d] [maxwell] { text }, or a file in place of the text. */
#include <string.h>

#include "text.h"

static const char *line_end(const char *at, const char *end)
{
    const char *found = memchr(at, '\n', (size_t)(end - at));
    return found ? found : end;
}

/* Whether a line has nothing but a closing brace. */
static bool closes(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    if (at == end || *at != '}') return false;
    for (at++; at < end; at++)
        if (*at != ' ' && *at != '\t' && *at != '\r') return *at == '#';
    return true;
}

/* The lines from the one behind { to the one before the line with } alone. The next token is what follows. */
static void read_lines(struct sch_scene_text *text, struct sch_scene_shader *shader)
{
    const char *end = text->scene->text + text->scene->bytes;
    const struct sch_scene_place open = text->token.place;
    if (text->token.kind != SCH_SCENE_SIGN || *text->token.text != '{') {
        sch_scene_refuse(text, "SCENE_SYNTAX", "{, or the name of a file in quotes, stands here");
        return;
    }
    text->at = line_end(text->at, end);
    if (text->at < end) text->at++;
    shader->data = text->at;
    shader->line = ++text->line;
    while (text->at < end && !closes(text->at, line_end(text->at, end))) {
        text->at = line_end(text->at, end);
        if (text->at < end) text->at++;
        text->line++;
    }
    text->line_start = text->at;
    shader->bytes = (size_t)(text->at - shader->data);
    if (text->at == end) {
        sch_scene_refuse_at(text, &open, "SCENE_SYNTAX", "a line with } alone ends a shader");
        return;
    }
    sch_scene_next(text); /* the brace */
    sch_scene_next(text);
}

/* Which language, and whether lookups become Maxwell code; the last word of a kind counts. */
static bool read_words(struct sch_scene_text *text, struct sch_scene_shader *shader)
{
    enum { MAXWELL = -1 };
    static const struct sch_scene_word words[] = {
        {"tgsi", SCH_KIND_TGSI}, {"d3d", SCH_KIND_D3D_ASM}, {"maxwell", MAXWELL}, {NULL, 0}};
    while (text->token.kind == SCH_SCENE_ATOM) {
        int chosen = 0;
        if (!sch_scene_choice(text, words, "the language of a shader", &chosen)) return false;
        if (chosen == MAXWELL)
            shader->maxwell = true;
        else
            shader->kind = (enum sch_kind)chosen;
    }
    return true;
}

void sch_scene_read_shader(struct sch_scene_text *text, struct sch_scene_object *object)
{
    struct sch_scene_shader *shader = &object->shader;
    int chosen = 0;
    if (!sch_scene_choice(text, sch_scene_stages, "the stage of a shader", &chosen)) return;
    shader->stage = (enum sch_stage)chosen;
    if (!read_words(text, shader)) return;
    if (text->token.kind == SCH_SCENE_STRING) {
        struct sch_scene_bytes file;
        if (!sch_scene_read_file(text, &shader->source, &file)) return;
        shader->data = (const char *)file.data;
        shader->bytes = file.bytes;
    } else {
        shader->source = text->scene->name;
        if (!shader->kind) shader->kind = SCH_KIND_TGSI;
        read_lines(text, shader);
    }
}
