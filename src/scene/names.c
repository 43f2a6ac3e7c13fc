/* What the statements of a scene share: new objects and their names, steps and commands, and files. */
#include <stdlib.h>
#include <string.h>

#include "../support/utf8.h"
#include "text.h"

/* ---- names and files --------------------------------------------------------------------------------------------- */

struct sch_scene_object *sch_scene_make(struct sch_scene_text *text, enum sch_scene_kind kind,
                                        const struct sch_scene_token *name)
{
    struct sch_scene *scene = text->scene;
    const struct sch_scene_place place = name ? name->place : text->token.place;
    if (scene->object_count == SCH_SCENE_OBJECTS) {
        sch_scene_refuse_at(text, &place, "SCENE_LIMIT", "a scene has at most %d objects", SCH_SCENE_OBJECTS);
        return NULL;
    }
    const struct sch_scene_object *other = name ? sch_scene_find(scene, name->text, name->bytes) : NULL;
    if (other) {
        sch_scene_refuse_at(text, &place, "SCENE_NAME", "the %s of line %u has this name",
                            sch_scene_kind_words[other->kind], other->place.line);
        return NULL;
    }
    struct sch_scene_object *object = sch_scene_alloc(scene, sizeof *object);
    char *copy = sch_scene_alloc(scene, name ? name->bytes + 1 : 1);
    if (!object || !copy) return NULL;
    if (name) memcpy(copy, name->text, name->bytes);
    object->kind = kind;
    object->name = copy;
    object->place = place;
    return object;
}

bool sch_scene_read_text(struct sch_scene_text *text, const char **path, struct sch_scene_bytes *file)
{
    if (!sch_scene_read_file(text, path, file)) return false;
    const size_t mark = sch_text_mark((const char *)file->data, file->bytes);
    file->data += mark;
    file->bytes -= mark;
    return true;
}

bool sch_scene_read_file(struct sch_scene_text *text, const char **path, struct sch_scene_bytes *bytes)
{
    const struct sch_scene_place place = text->token.place;
    struct sch_player_file file = {0};
    *path = sch_scene_string(text, "the name of a file");
    if (!*path) return false;
    if (text->host->read)
        text->host->read(text->host->user, *path, &file);
    else
        strcpy(file.problem, "no files here");
    if (!file.data) return sch_scene_refuse_at(text, &place, "SCENE_FILE", "%s: %s", *path, file.problem);
    bytes->bytes = file.bytes;
    bytes->data = sch_scene_alloc(text->scene, file.bytes + 1);
    if (bytes->data) memcpy(bytes->data, file.data, file.bytes);
    free(file.data);
    return bytes->data != NULL;
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* Memory for one more of them, if a scene may have it. */
static void *add(struct sch_scene_text *text, size_t bytes)
{
    if (text->scene->command_count++ < SCH_SCENE_COMMANDS) return sch_scene_alloc(text->scene, bytes);
    sch_scene_refuse(text, "SCENE_LIMIT", "a scene has at most %d commands", SCH_SCENE_COMMANDS);
    return NULL;
}

struct sch_scene_step *sch_scene_add_step(struct sch_scene_text *text, enum sch_scene_step_kind kind)
{
    struct sch_scene_step *step = add(text, sizeof *step);
    if (!step) return NULL;
    step->kind = kind;
    step->place = text->token.place;
    *text->last_step = step;
    text->last_step = &step->next;
    return step;
}

struct sch_scene_command *sch_scene_add_command(struct sch_scene_text *text, enum sch_scene_command_kind kind)
{
    struct sch_scene_command *command = add(text, sizeof *command);
    if (!command) return NULL;
    command->kind = kind;
    command->place = text->token.place;
    *text->last_command = command;
    text->last_command = &command->next;
    return command;
}
