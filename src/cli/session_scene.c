/* A debugging session on a scene: from a pixel, by its history, to the draw and the invocation that made it; or to an
 * invocation of a draw that was named. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "scene_host.h"
#include "session.h"

struct sch_cli_scene_session {
    struct sch_context *context;
    struct sch_cli_scene_host host;
    struct sch_scene *scene;
    struct sch_scene_options options; /* of each run */
    uint64_t label;                   /* of the draw */
    uint32_t skip;                    /* fragments of the pixel that the draw makes before the one that is meant */
    struct sch_pixel_event event;     /* of the pixel; DRAW, and its program ran */
    bool has_event;
};

struct sch_context *sch_cli_scene_session_context(const struct sch_cli_scene_session *scene) { return scene->context; }

void sch_cli_scene_session_close(struct sch_cli_scene_session *scene)
{
    if (!scene) return;
    sch_scene_destroy(scene->scene);
    sch_cli_scene_host_release(&scene->host);
    sch_context_destroy(scene->context);
    free(scene);
}

/* A run of the session. What the scene has to say was said by the run before. */
static enum sch_result run(void *user, const struct sch_dispatch_options *options)
{
    struct sch_cli_session *session = user;
    struct sch_cli_scene_session *scene = session->scene;
    const struct sch_scene_host host = sch_cli_scene_functions(&scene->host);
    const struct sch_scene_watch watch = {.user = NULL};
    struct sch_scene_options wanted = scene->options;
    struct sch_scene_world *world = NULL;
    wanted.dispatch = *options;
    wanted.debug_label = scene->label;
    const enum sch_result result =
        sch_scene_run(scene->scene, scene->context, &wanted, &host, &watch, &world, NULL, NULL);
    sch_scene_world_destroy(world);
    return result;
}

/* ---- the pixel's history ---- */

static bool has_passed(const struct sch_pixel_history *history, uint32_t index, uint32_t samples)
{
    struct sch_pixel_sample sample = {.size = sizeof sample};
    for (uint32_t s = 0; s < samples; s++)
        if (sch_pixel_history_get_sample(history, index, s, &sample) == SCH_OK && sample.outcome == SCH_PIXEL_PASSED)
            return true;
    return false;
}

static struct sch_pixel_event event_of(const struct sch_pixel_history *history, uint32_t index)
{
    struct sch_pixel_event event = {.size = sizeof event};
    sch_pixel_history_get_event(history, index, &event);
    return event;
}

/* The event that is meant: by its number, which counts a clear of several buffers once; else the last one that was
 * written. UINT32_MAX: there is none. */
static uint32_t find_event(const struct sch_cli_session *session, const struct sch_pixel_history *history)
{
    struct sch_pixel_history_info info = {.size = sizeof info};
    uint32_t found = UINT32_MAX, number = 0;
    sch_pixel_history_get_info(history, &info);
    for (uint32_t i = 0; i < info.event_count; i++) {
        const struct sch_pixel_event event = event_of(history, i), before = i ? event_of(history, i - 1) : event;
        const bool goes_on =
            i && event.kind == SCH_PIXEL_CLEAR && before.kind == SCH_PIXEL_CLEAR && event.label == before.label;
        number += !goes_on;
        if (session->event && number == session->event) return i;
        if (!session->event && event.kind == SCH_PIXEL_DRAW && event.ran && has_passed(history, i, event.samples))
            found = i;
    }
    return found;
}

static enum sch_cli_exit take_event(struct sch_cli_session *session, const struct sch_pixel_history *history,
                                    uint32_t index)
{
    struct sch_cli_scene_session *scene = session->scene;
    const char *name = scene->host.input.name;
    if (index == UINT32_MAX && session->event)
        return sch_cli_fail(SCH_CLI_NO, "%s: the pixel has no event %" PRIu32, name, session->event);
    if (index == UINT32_MAX)
        return sch_cli_fail(SCH_CLI_NO,
                            "%s: no draw has written the pixel; `render --explain-pixel` says what happened "
                            "there",
                            name);
    scene->event = event_of(history, index);
    scene->label = scene->event.label;
    scene->has_event = true;
    if (scene->event.kind != SCH_PIXEL_DRAW)
        return sch_cli_fail(SCH_CLI_NO, "%s: event %" PRIu32 " of the pixel is no draw", name, session->event);
    if (!scene->event.ran && (!session->has_stage || session->stage == SCH_STAGE_FRAGMENT))
        return sch_cli_fail(SCH_CLI_NO, "%s: the fragment of event %" PRIu32 " was not shaded", name, session->event);
    for (uint32_t i = 0; i < index; i++) {
        const struct sch_pixel_event earlier = event_of(history, i);
        scene->skip += earlier.kind == SCH_PIXEL_DRAW && earlier.label == scene->label && earlier.ran;
    }
    return SCH_CLI_YES;
}

/* Draws the scene, and records the pixel. */
static enum sch_cli_exit find_draw_of_pixel(struct sch_cli_session *session)
{
    struct sch_cli_scene_session *scene = session->scene;
    const struct sch_scene_host host = sch_cli_scene_functions(&scene->host);
    const struct sch_scene_watch watch = {.user = NULL};
    struct sch_scene_pixel pixel = {.target = session->target, .x = session->pixel[0], .y = session->pixel[1]};
    struct sch_scene_options options = scene->options;
    struct sch_scene_world *world = NULL;
    const char *target;
    options.pixel = &pixel;
    options.dispatch = session->setup.dispatch;
    const enum sch_result result =
        sch_scene_run(scene->scene, scene->context, &options, &host, &watch, &world, NULL, NULL);
    enum sch_cli_exit exit = SCH_CLI_YES;
    if (!world)
        exit = sch_cli_fail(SCH_CLI_LIMIT, "%s: out of memory", scene->host.input.name);
    else if (*pixel.problem)
        exit = sch_cli_fail(SCH_CLI_NO, "%s: no pixel %" PRIu32 ",%" PRIu32 ": %s", scene->host.input.name, pixel.x,
                            pixel.y, pixel.problem);
    else if (result != SCH_OK)
        exit = result == SCH_ERROR_ARGUMENT ? SCH_CLI_NO : sch_cli_exit_of(result); /* said */
    const struct sch_pixel_history *history = exit == SCH_CLI_YES ? sch_scene_world_history(world, &target) : NULL;
    if (history) exit = take_event(session, history, find_event(session, history));
    sch_scene_world_destroy(world);
    return exit;
}

static enum sch_cli_exit find_draw(struct sch_cli_session *session)
{
    struct sch_cli_scene_session *scene = session->scene;
    if (session->has_pixel) return find_draw_of_pixel(session);
    if (sch_scene_find_draw(scene->scene, session->draw - 1, &scene->label)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "%s: there is no draw statement %" PRIu32, scene->host.input.name, session->draw);
}

/* ---- the invocation ---- */

static enum sch_stage stage_of(const struct sch_cli_session *session)
{
    return session->has_stage ? session->stage : SCH_STAGE_FRAGMENT;
}

/* Of a pixel: its fragment, or the first vertex of its primitive, where nothing else was said. */
static enum sch_cli_exit fill_place(struct sch_cli_session *session, struct sch_debug_options *options,
                                    struct sch_invocation_place *place)
{
    const struct sch_cli_scene_session *scene = session->scene;
    const size_t size = place->size;
    *place = session->wanted;
    place->size = size;
    options->stages = 1u << stage_of(session);
    if (!scene->has_event) return SCH_CLI_YES;
    if (stage_of(session) == SCH_STAGE_FRAGMENT) {
        place->parts |= SCH_PLACE_PIXEL;
        place->x = session->pixel[0];
        place->y = session->pixel[1];
        options->skip = scene->skip;
    }
    if (stage_of(session) != SCH_STAGE_VERTEX) return SCH_CLI_YES;
    if (!(place->parts & SCH_PLACE_VERTEX) && !scene->event.vertex_count)
        return sch_cli_fail(SCH_CLI_NO,
                            "%s: which vertices made the primitive is not known; --vertex N says which one "
                            "is meant",
                            scene->host.input.name);
    if (!(place->parts & SCH_PLACE_VERTEX)) place->vertex = scene->event.vertices[0];
    if (!(place->parts & SCH_PLACE_INSTANCE)) place->instance = scene->event.instance;
    place->parts |= SCH_PLACE_VERTEX | SCH_PLACE_INSTANCE;
    return SCH_CLI_YES;
}

static void describe(struct sch_cli_session *session, const struct sch_invocation_place *place)
{
    const struct sch_cli_scene_session *scene = session->scene;
    struct sch_scene_statement statement;
    char *what = session->what;
    const size_t room = sizeof session->what;
    sch_scene_find_statement(scene->scene, scene->label, &statement);
    int at = snprintf(what, room, "the draw of line %" PRIu32, statement.line);
    if (scene->has_event)
        at += snprintf(what + at, room - (size_t)at, ", primitive %" PRIu32, scene->event.primitive_id);
    if (place->parts & SCH_PLACE_PIXEL)
        at += snprintf(what + at, room - (size_t)at, ", pixel %" PRIu32 ",%" PRIu32, place->x, place->y);
    if (place->parts & SCH_PLACE_VERTEX)
        at += snprintf(what + at, room - (size_t)at, ", vertex %" PRIu32, place->vertex);
    if (place->parts & SCH_PLACE_PRIMITIVE)
        at += snprintf(what + at, room - (size_t)at, ", primitive %" PRIu32, place->primitive);
    if (place->parts & SCH_PLACE_INSTANCE)
        at += snprintf(what + at, room - (size_t)at, ", instance %" PRIu32, place->instance);
    if (place->parts & SCH_PLACE_INVOCATION)
        snprintf(what + at, room - (size_t)at, ", invocation %" PRIu32, place->invocation);
}

/* ---- the shader's text ---- */

/* Behind as many empty lines as the scene has before it, so that its lines are the scene's. */
static enum sch_cli_exit read_shader(struct sch_cli_session *session)
{
    struct sch_cli_scene_session *scene = session->scene;
    struct sch_scene_source source;
    if (!sch_scene_find_shader(scene->scene, scene->label, stage_of(session), &source))
        return sch_cli_fail(SCH_CLI_NO, "%s: the draw has no shader of this stage", scene->host.input.name);
    const size_t lines = source.line ? source.line - 1 : 0;
    struct sch_cli_input input = {.name = source.source, .bytes = lines + source.bytes};
    input.data = malloc(input.bytes + 1);
    if (!input.data) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    memset(input.data, '\n', lines);
    memcpy(input.data + lines, source.data, source.bytes);
    input.data[input.bytes] = 0;
    const enum sch_cli_exit exit = sch_cli_shader_take(&input, source.kind, &session->shader);
    return exit == SCH_CLI_YES ? sch_cli_shader_lower(&session->shader) : exit;
}

enum sch_cli_exit sch_cli_scene_session_open(const struct sch_cli_verb *verb, struct sch_cli_session *session,
                                             struct sch_debug_options *options, struct sch_invocation_place *place)
{
    struct sch_cli_scene_session *scene = session->scene = calloc(1, sizeof *scene);
    (void)verb;
    if (!scene) return sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    scene->options.program = session->setup.program;
    options->run = run;
    enum sch_cli_exit exit = sch_cli_scene_open(session->file, &scene->host, &scene->scene);
    if (exit == SCH_CLI_YES && sch_cli_context_create(&scene->context) != SCH_OK)
        exit = sch_cli_fail(SCH_CLI_LIMIT, "out of memory");
    if (exit == SCH_CLI_YES) exit = find_draw(session);
    if (exit == SCH_CLI_YES) exit = fill_place(session, options, place);
    if (exit == SCH_CLI_YES) exit = read_shader(session);
    if (exit != SCH_CLI_YES) return exit;
    describe(session, place);
    scene->host.silent = true;
    return SCH_CLI_YES;
}
