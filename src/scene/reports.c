/* What the library says about a scene that is drawn, as reports with a place in the scene. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "player.h"

static void report_at(struct sch_scene_player *player, const struct sch_scene_place *place,
                      struct sch_diagnostic_info *info)
{
    info->source = player->scene->name;
    info->line = place->line;
    info->column = place->column;
    info->offset = place->offset;
    info->line_text = NULL;
    player->host->report(player->host->user, info);
}

bool sch_scene_wrong(struct sch_scene_player *player, const struct sch_scene_place *place, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_diagnostic_info info = {.size = sizeof info,
                                       .severity = SCH_SEVERITY_ERROR,
                                       .code = sch_error_number("SCENE_VALUE"),
                                       .message = message};
    if (player->stop == SCH_OK) player->stop = SCH_ERROR_INVALID;
    report_at(player, place, &info);
    return false;
}

/* Where a line of the scene begins: reports about a shader in it count from the shader's first byte. */
static size_t offset_of(const struct sch_scene *scene, uint32_t line)
{
    const char *at = scene->text, *end = scene->text + scene->bytes;
    for (; line > 1 && at < end; line--) {
        const char *found = memchr(at, '\n', (size_t)(end - at));
        at = found ? found + 1 : end;
    }
    return (size_t)(at - scene->text);
}

static void forward(struct sch_scene_player *player, struct sch_diagnostic_info *info)
{
    if (info->column && strcmp(info->source, player->scene->name) == 0)
        info->offset = offset_of(player->scene, info->line) + info->column - 1;
    player->host->report(player->host->user, info);
}

bool sch_scene_told(struct sch_scene_player *player, const struct sch_scene_place *place, enum sch_result result,
                    const char *what)
{
    struct sch_diagnostic_info info = {.size = sizeof info};
    bool said = false;
    for (; sch_diagnostics_get(player->list, player->told, &info); player->told++) {
        said |= info.severity == SCH_SEVERITY_ERROR;
        if (info.line)
            forward(player, &info);
        else
            report_at(player, place, &info);
    }
    if (result == SCH_OK) return player->stop == SCH_OK;
    if (player->stop != SCH_OK) return false;
    if (!said) sch_scene_wrong(player, place, "%s: %s", what, sch_result_text(result));
    player->stop = result;
    return false;
}

void sch_scene_reached(struct sch_scene_player *player)
{
    if (player->watch->reached) player->watch->reached(player->watch->user, player->reached, player->statements);
    player->reached++;
}
