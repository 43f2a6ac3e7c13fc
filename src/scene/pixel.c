/* The history of a pixel of a scene: which texture it is of, and which statement an event belongs to. What an event is
 * the library says (scheelite/draw.h). */
#include <stdio.h>
#include <string.h>

#include "../support/words.h"
#include "player.h"

/* ---- which texture ----------------------------------------------------------------------------------------------- */

/* `output`, else colour buffer 0 of the last pass that has one. */
struct sch_scene_output sch_scene_find_output(const struct sch_scene *scene, const char *target)
{
    struct sch_scene_output output = scene->output;
    if (target) {
        const struct sch_scene_object *object = sch_scene_find(scene, target, strlen(target));
        if (!output.texture || output.texture != object) output = (struct sch_scene_output){.texture = object};
        if (object && object->kind != SCH_SCENE_TEXTURE) output.texture = NULL;
        return output;
    }
    for (const struct sch_scene_step *step = output.texture ? NULL : scene->steps; step; step = step->next)
        if (step->kind == SCH_SCENE_PASS && step->pass->colors[0].texture) {
            const struct sch_scene_attachment *color = &step->pass->colors[0];
            output = (struct sch_scene_output){color->texture, color->options.level, color->options.first_layer};
        }
    return output;
}

/* ---- recording --------------------------------------------------------------------------------------------------- */

/* The run ends, and the problem says why. */
static struct sch_resource *no_output(struct sch_scene_player *player)
{
    player->stop = SCH_ERROR_ARGUMENT;
    return NULL;
}

struct sch_resource *sch_scene_open_output(struct sch_scene_player *player, const char *target,
                                           struct sch_scene_output *output, struct sch_resource_info *is,
                                           char problem[SCH_SCENE_PROBLEM])
{
    *output = sch_scene_find_output(player->scene, target);
    if (!output->texture) {
        snprintf(problem, SCH_SCENE_PROBLEM,
                 target ? "there is no texture %.100s" : "no colour is drawn; --target names a texture", target);
        return no_output(player);
    }
    struct sch_resource *resource = sch_scene_resource(player, output->texture);
    if (!resource) return NULL;
    *is = (struct sch_resource_info){.size = sizeof *is};
    if (sch_resource_get_info(resource, output->level, is) == SCH_OK &&
        output->layer < (is->target == SCH_TARGET_3D ? is->depth : is->layers))
        return resource;
    snprintf(problem, SCH_SCENE_PROBLEM, "%.60s has no such level or layer", output->texture->name);
    return no_output(player);
}

bool sch_scene_record(struct sch_scene_player *player)
{
    enum { MOST_EVENTS = 10000 };
    struct sch_scene_pixel *pixel = player->options->pixel;
    struct sch_scene_output output;
    struct sch_resource_info is;
    struct sch_resource *resource = sch_scene_open_output(player, pixel->target, &output, &is, pixel->problem);
    if (!resource) return false;
    if (pixel->x >= is.width || pixel->y >= is.height) {
        snprintf(pixel->problem, sizeof pixel->problem, "%.60s has %u columns and %u rows, both counted from 0",
                 output.texture->name, is.width, is.height);
        return no_output(player);
    }
    const struct sch_pixel_history_options options = {.size = sizeof options,
                                                      .x = pixel->x,
                                                      .y = pixel->y,
                                                      .level = output.level,
                                                      .layer = output.layer,
                                                      .max_events = MOST_EVENTS};
    enum sch_result result = sch_pixel_history_create(resource, &options, player->list, &player->history);
    if (result == SCH_OK) result = sch_renderer_record_pixel(player->base.renderer, player->history);
    player->history_target = output.texture->name;
    return sch_scene_told(player, &output.texture->place, result, output.texture->name);
}

const struct sch_pixel_history *sch_scene_player_history(const struct sch_scene_player *player, const char **target)
{
    *target = player->history_target;
    return player->history;
}

/* ---- statements -------------------------------------------------------------------------------------------------- */

/* Bytes from the scene's beginning: several statements may be in a line. */
static uint64_t label_of(const struct sch_scene_place *place) { return place->offset; }

void sch_scene_label(struct sch_scene_player *player, const struct sch_scene_place *place)
{
    player->label = label_of(place);
    if (!player->history) return;
    const enum sch_result result = sch_pixel_history_set_label(player->history, label_of(place));
    if (player->stop == SCH_OK) player->stop = result;
}

static void describe_command(const struct sch_scene_command *command, struct sch_scene_statement *statement)
{
    statement->line = command->place.line;
    statement->word = command->kind == SCH_SCENE_DO_DRAW ? "draw" : command->kind == SCH_SCENE_DO_CLEAR ? "clear" : "";
    if (command->kind != SCH_SCENE_DO_DRAW) return;
    const struct sch_scene_draw *draw = command->draw;
    statement->primitive = sch_primitive_words[draw->draw.primitive];
    statement->instanced = draw->draw.instance_count != 1 || draw->indirect;
    statement->several = draw->draw.ranges || draw->indirect || draw->draw.draw_id;
}

static bool is_fragment_shader(const struct sch_scene_command *command)
{
    return command->kind == SCH_SCENE_DO_USE && command->object->kind == SCH_SCENE_SHADER &&
           command->object->shader.from.stage == SCH_STAGE_FRAGMENT;
}

static bool find_command(const struct sch_scene_pass *pass, uint64_t label, struct sch_scene_statement *statement)
{
    const char *fragment = "";
    for (const struct sch_scene_command *command = pass->commands; command; command = command->next) {
        if (is_fragment_shader(command)) fragment = command->object->name;
        if (label_of(&command->place) != label) continue;
        statement->in_pass = true;
        statement->fragment = fragment;
        statement->pass_name = pass->name;
        describe_command(command, statement);
        return true;
    }
    return false;
}

static void describe_step(const struct sch_scene_step *step, struct sch_scene_statement *statement)
{
    statement->line = step->place.line;
    statement->word = step->kind == SCH_SCENE_MIPS ? "mips" : step->kind == SCH_SCENE_PASS ? "pass" : "expect";
    if (step->kind != SCH_SCENE_BLIT) return;
    statement->word = step->blit->copies ? "copy" : "blit";
    statement->source = step->blit->from->name;
}

bool sch_scene_find_statement(const struct sch_scene *scene, uint64_t label, struct sch_scene_statement *statement)
{
    *statement = (struct sch_scene_statement){.pass_name = "", .fragment = "", .primitive = ""};
    for (const struct sch_scene_step *step = scene->steps; step; step = step->next) {
        const bool pass = step->kind == SCH_SCENE_PASS;
        if (pass && find_command(step->pass, label, statement)) return true;
        if (label_of(&step->place) == label) {
            describe_step(step, statement);
            return true;
        }
        statement->pass += pass;
    }
    return false;
}

/* ---- draws and their shaders ------------------------------------------------------------------------------------- */

bool sch_scene_find_draw(const struct sch_scene *scene, uint32_t number, uint64_t *label)
{
    for (const struct sch_scene_step *step = scene->steps; step; step = step->next) {
        if (step->kind != SCH_SCENE_PASS) continue;
        for (const struct sch_scene_command *command = step->pass->commands; command; command = command->next) {
            if (command->kind != SCH_SCENE_DO_DRAW || number--) continue;
            *label = label_of(&command->place);
            return true;
        }
    }
    return false;
}

/* What the pass uses at a draw: a shader holds until another takes its place, or the stage is to be without. */
static const struct sch_scene_object *shader_at(const struct sch_scene_pass *pass, uint64_t label, enum sch_stage stage)
{
    const struct sch_scene_object *used = NULL;
    for (const struct sch_scene_command *command = pass->commands; command; command = command->next) {
        const bool uses = command->kind == SCH_SCENE_DO_USE && command->object->kind == SCH_SCENE_SHADER;
        if (uses && command->object->shader.from.stage == stage) used = command->object;
        if (command->kind == SCH_SCENE_DO_WITHOUT && command->slot == (uint32_t)stage) used = NULL;
        if (command->kind == SCH_SCENE_DO_DRAW && label_of(&command->place) == label) return used;
    }
    return NULL;
}

bool sch_scene_find_shader(const struct sch_scene *scene, uint64_t label, enum sch_stage stage,
                           struct sch_player_source *source)
{
    const struct sch_scene_object *found = NULL;
    for (const struct sch_scene_step *step = scene->steps; step && !found; step = step->next)
        if (step->kind == SCH_SCENE_PASS) found = shader_at(step->pass, label, stage);
    if (!found) return false;
    *source = found->shader.from;
    return true;
}
