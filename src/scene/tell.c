/* What the library says about a scene that is drawn, as reports with a place in the scene. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "world.h"

static void report_at(struct sch_scene_world *world, const struct sch_scene_place *place,
                      struct sch_diagnostic_info *info)
{
    info->source = world->scene->name;
    info->line = place->line;
    info->column = place->column;
    info->offset = place->offset;
    info->line_text = NULL;
    world->host->report(world->host->user, info);
}

bool sch_scene_wrong(struct sch_scene_world *world, const struct sch_scene_place *place, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_diagnostic_info info = {.size = sizeof info,
                                       .severity = SCH_SEVERITY_ERROR,
                                       .code = sch_scene_error_number("SCENE_VALUE"),
                                       .message = message};
    if (world->stop == SCH_OK) world->stop = SCH_ERROR_INVALID;
    report_at(world, place, &info);
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

static void forward(struct sch_scene_world *world, struct sch_diagnostic_info *info)
{
    if (info->column && strcmp(info->source, world->scene->name) == 0)
        info->offset = offset_of(world->scene, info->line) + info->column - 1;
    world->host->report(world->host->user, info);
}

bool sch_scene_told(struct sch_scene_world *world, const struct sch_scene_place *place, enum sch_result result,
                    const char *what)
{
    struct sch_diagnostic_info info = {.size = sizeof info};
    bool said = false;
    for (; sch_diagnostics_get(world->list, world->told, &info); world->told++) {
        said |= info.severity == SCH_SEVERITY_ERROR;
        if (info.line)
            forward(world, &info);
        else
            report_at(world, place, &info);
    }
    if (result == SCH_OK) return world->stop == SCH_OK;
    if (world->stop != SCH_OK) return false;
    if (!said) sch_scene_wrong(world, place, "%s: %s", what, sch_result_text(result));
    world->stop = result;
    return false;
}

void sch_scene_reached(struct sch_scene_world *world)
{
    if (world->watch->reached) world->watch->reached(world->watch->user, world->reached, world->statements);
    world->reached++;
}
