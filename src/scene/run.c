/* Drawing a scene: its steps in their order, what is reported, and the picture that it leaves. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player.h"

/* ---- steps ------------------------------------------------------------------------------------------------------- */

/* A box whose sides are 0 is the whole level, but for the layers that it may say. */
static struct sch_box whole(struct sch_resource *resource, uint32_t level, struct sch_box box)
{
    struct sch_resource_info is = {.size = sizeof is};
    if (sch_resource_get_info(resource, level, &is) != SCH_OK) return box;
    if (!box.depth) box.depth = (int32_t)(is.target == SCH_TARGET_3D ? is.depth : is.layers);
    if (box.width || box.height) return box;
    box.width = (int32_t)is.width;
    box.height = (int32_t)is.height;
    return box;
}

static enum sch_result blit(struct sch_scene_player *player, const struct sch_scene_blit *wanted,
                            struct sch_resource *to, struct sch_resource *from)
{
    struct sch_blit options = wanted->blit;
    options.box = whole(to, options.level, options.box);
    options.source = whole(from, options.source_level, options.source);
    if (wanted->copies) {
        const struct sch_copy copy = {.size = sizeof copy,
                                      .level = options.level,
                                      .x = options.box.x,
                                      .y = options.box.y,
                                      .z = options.box.z,
                                      .source_level = options.source_level,
                                      .source = options.source};
        return sch_resource_copy(to, from, &copy, player->list);
    }
    struct sch_query *query = wanted->condition ? sch_scene_query(player, wanted->condition) : NULL;
    sch_renderer_set_condition(player->base.renderer, query, wanted->inverted);
    const enum sch_result result =
        sch_renderer_blit(player->base.renderer, to, from, &options, query != NULL, player->list);
    sch_renderer_set_condition(player->base.renderer, NULL, false);
    return result;
}

static void do_blit(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    struct sch_resource *from = sch_scene_resource(player, step->blit->from), *to = NULL;
    if (from) to = sch_scene_resource(player, step->blit->to);
    if (to) sch_scene_told(player, &step->place, blit(player, step->blit, to, from), "blit");
}

static void do_mips(struct sch_scene_player *player, const struct sch_scene_step *step)
{
    struct sch_resource *resource = sch_scene_resource(player, step->texture);
    if (resource)
        sch_scene_told(player, &step->place, sch_resource_make_mips(resource, NULL, player->list), step->texture->name);
}

/* Those in passes, too. */
static uint64_t count_statements(const struct sch_scene *scene)
{
    uint64_t count = 0;
    for (const struct sch_scene_step *step = scene->steps; step; step = step->next) {
        count++;
        if (step->kind != SCH_SCENE_PASS) continue;
        for (const struct sch_scene_command *command = step->pass->commands; command; command = command->next) count++;
    }
    return count;
}

static void do_steps(struct sch_scene_player *player)
{
    player->statements = count_statements(player->scene);
    for (const struct sch_scene_step *step = player->scene->steps; step && player->stop == SCH_OK; step = step->next) {
        sch_renderer_flush(player->base.renderer, NULL);
        sch_scene_label(player, &step->place);
        sch_scene_reached(player);
        if (step->kind == SCH_SCENE_PASS)
            sch_scene_pass(player, step);
        else if (step->kind == SCH_SCENE_BLIT)
            do_blit(player, step);
        else if (step->kind == SCH_SCENE_MIPS)
            do_mips(player, step);
        else if (player->options->check)
            sch_scene_check(player, step);
    }
    sch_renderer_flush(player->base.renderer, NULL);
    const enum sch_result recorded = sch_renderer_record_pixel(player->base.renderer, NULL);
    if (player->stop == SCH_OK) player->stop = recorded;
}

/* ---- the player -------------------------------------------------------------------------------------------------- */

static struct sch_scene_player *make_player(const struct sch_scene *scene, struct sch_context *context)
{
    struct sch_scene_player *player = calloc(1, sizeof *player);
    if (!player) return NULL;
    player->scene = scene;
    player->live = calloc(scene->object_count + 1, sizeof *player->live);
    player->begun = calloc(scene->object_count + 1, sizeof *player->begun);
    if (player->live && player->begun && sch_diagnostics_create(context, &player->list) == SCH_OK &&
        sch_player_begin(&player->base, context) == SCH_OK)
        return player;
    sch_scene_player_destroy(player);
    return NULL;
}

enum sch_result sch_scene_run(const struct sch_scene *scene, struct sch_context *context,
                              const struct sch_scene_options *options, const struct sch_scene_host *host,
                              const struct sch_scene_watch *watch, struct sch_scene_player **made, uint64_t *expected,
                              uint64_t *failed)
{
    struct sch_scene_player *player = *made = make_player(scene, context);
    if (!player) return SCH_ERROR_MEMORY;
    player->options = options;
    player->host = host;
    player->watch = watch;
    player->work_left = options->dispatch.work;
    if ((!options->pixel || sch_scene_record(player)) && (!options->heat || sch_scene_begin_heat(player)))
        do_steps(player);
    if (expected) *expected = player->expected;
    if (failed) *failed = player->failed;
    return player->stop;
}

void sch_scene_player_destroy(struct sch_scene_player *player)
{
    if (!player) return;
    sch_player_end(&player->base);
    sch_pixel_history_destroy(player->history);
    sch_scene_live_release(player);
    sch_diagnostics_destroy(player->list);
    free(player->begun);
    free(player);
}

const struct sch_diagnostics_list *sch_scene_player_reports(const struct sch_scene_player *player)
{
    return player->list;
}

bool sch_scene_player_resource(const struct sch_scene_player *player, size_t index, const char **name,
                               struct sch_resource **resource)
{
    for (const struct sch_scene_object *object = player->scene->objects; object; object = object->next) {
        if ((object->kind != SCH_SCENE_TEXTURE && object->kind != SCH_SCENE_BUFFER) || index--) continue;
        *name = object->name;
        *resource = player->live[object->number].resource;
        return true;
    }
    return false;
}

/* ---- the picture ------------------------------------------------------------------------------------------------- */

/* Depth as grey. */
static enum sch_result look_grey(struct sch_scene_player *player, struct sch_resource *resource,
                                 const struct sch_player_look *look, uint8_t *texels)
{
    const size_t count = (size_t)look->width * look->height;
    const enum sch_result result =
        sch_player_look(player->base.context, resource, look, SCH_FORMAT_Z32_FLOAT, texels, count * 4, player->list);
    for (size_t i = 0; i < count && result == SCH_OK; i++) {
        float depth;
        memcpy(&depth, texels + 4 * i, 4);
        memset(texels + 4 * i, depth > 0 ? (int)((depth < 1 ? depth : 1) * 255 + 0.5f) : 0, 3);
        texels[4 * i + 3] = 255;
    }
    return result;
}

/* What the picture has in place of the texture's format. */
static enum sch_format shown_format(const struct sch_resource *resource, enum sch_format own, bool numbers)
{
    struct sch_format_info info = {.size = sizeof info};
    sch_format_get_info(own, &info);
    if (!numbers) return info.srgb ? SCH_FORMAT_R8G8B8A8_SRGB : SCH_FORMAT_R8G8B8A8_UNORM;
    return sch_player_look_format(resource, info.parts & SCH_PART_COLOR   ? SCH_PART_COLOR
                                            : info.parts & SCH_PART_DEPTH ? SCH_PART_DEPTH
                                                                          : SCH_PART_STENCIL);
}

static enum sch_result look_picture(struct sch_scene_player *player, struct sch_resource *resource,
                                    const struct sch_player_look *look, bool numbers, struct sch_scene_picture *picture)
{
    struct sch_format_info own = {.size = sizeof own}, shown = {.size = sizeof shown};
    picture->format = shown_format(resource, picture->own, numbers);
    sch_format_get_info(picture->own, &own);
    sch_format_get_info(picture->format, &shown);
    picture->bytes = (size_t)look->width * look->height * shown.block_bytes;
    picture->texels = malloc(picture->bytes);
    if (!picture->texels) return SCH_ERROR_MEMORY;
    if (!numbers && !(own.parts & SCH_PART_COLOR)) return look_grey(player, resource, look, picture->texels);
    return sch_player_look(player->base.context, resource, look, picture->format, picture->texels, picture->bytes,
                           player->list);
}

enum sch_result sch_scene_player_picture(struct sch_scene_player *player, const char *target, bool numbers,
                                         struct sch_scene_picture *picture)
{
    const struct sch_scene_output output = sch_scene_find_output(player->scene, target);
    struct sch_resource_info is = {.size = sizeof is};
    struct sch_resource *resource = output.texture ? player->live[output.texture->number].resource : NULL;
    if (!resource) {
        snprintf(picture->problem, sizeof picture->problem,
                 target ? "no texture %.100s was drawn" : "no colour was drawn", target);
        return SCH_ERROR_ARGUMENT;
    }
    enum sch_result result = sch_resource_get_info(resource, output.level, &is);
    const uint32_t layers = is.target == SCH_TARGET_3D ? is.depth : is.layers;
    if (result != SCH_OK || output.layer >= layers) {
        snprintf(picture->problem, sizeof picture->problem, "the output has no such level or layer");
        return SCH_ERROR_ARGUMENT;
    }
    const struct sch_player_look look = {
        .level = output.level, .layer = output.layer, .width = is.width, .height = is.height};
    picture->width = is.width;
    picture->height = is.height;
    picture->own = is.format;
    result = look_picture(player, resource, &look, numbers, picture);
    if (result == SCH_OK) return SCH_OK;
    snprintf(picture->problem, sizeof picture->problem, "%.60s: %s", output.texture->name,
             result == SCH_ERROR_INVALID ? "its format has no picture" : sch_result_text(result));
    free(picture->texels);
    picture->texels = NULL;
    return result;
}
