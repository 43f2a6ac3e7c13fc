/* A debugging session on a scene: from a pixel, by its history, to the draw and the invocation that made it; or to an
 * invocation of a draw that was named. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/code.h"
#include "scenes/scene_files.h"
#include "scenes/scene_host.h"
#include "session_pixel.h"

struct sch_cli_scene_session {
    struct sch_context *context;
    struct sch_cli_scene_host host;
    struct sch_scene *scene;
    uint64_t label;                     /* of the draw */
    struct sch_cli_pixel_choice choice; /* where a pixel was named */
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

/* Draws the scene; destroy the player. */
static enum sch_result draw(struct sch_cli_session *session, const struct sch_dispatch_options *dispatch,
                            struct sch_scene_pixel *pixel, struct sch_scene_player **player)
{
    struct sch_cli_scene_session *scene = session->scene;
    const struct sch_scene_host host = sch_cli_scene_functions(&scene->host);
    const struct sch_scene_watch watch = {.user = NULL};
    const struct sch_scene_options options = {.program = session->setup.program,
                                              .dispatch = *dispatch,
                                              .pixel = pixel,
                                              .debug_label = pixel ? 0 : scene->label};
    return sch_scene_run(scene->scene, scene->context, &options, &host, &watch, player, NULL, NULL);
}

/* A run of the session. The run before has printed the scene's messages. */
static enum sch_result run_scene_session(void *user, const struct sch_dispatch_options *options)
{
    struct sch_scene_player *player = NULL;
    const enum sch_result result = draw(user, options, NULL, &player);
    sch_scene_player_destroy(player);
    return result;
}

/* ---- the draw ---- */

/* Draws the scene, and records the pixel. */
static enum sch_cli_exit find_draw_of_pixel(struct sch_cli_session *session)
{
    struct sch_cli_scene_session *scene = session->scene;
    struct sch_scene_pixel pixel = {
        .target = session->asked.target, .x = session->asked.pixel[0], .y = session->asked.pixel[1]};
    struct sch_scene_player *player = NULL;
    const char *target;
    const enum sch_result result = draw(session, &session->setup.dispatch, &pixel, &player);
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (!player)
        exit_code = sch_cli_fail(SCH_CLI_LIMIT, "%s: out of memory", scene->host.input.name);
    else if (*pixel.problem)
        exit_code = sch_cli_fail(SCH_CLI_NO, "%s: no pixel %" PRIu32 ",%" PRIu32 ": %s", scene->host.input.name,
                                 pixel.x, pixel.y, pixel.problem);
    else if (result != SCH_OK)
        exit_code = result == SCH_ERROR_ARGUMENT ? SCH_CLI_NO : sch_cli_exit_of(result); /* said */
    const struct sch_pixel_history *history =
        exit_code == SCH_CLI_YES ? sch_scene_player_history(player, &target) : NULL;
    if (history) exit_code = sch_cli_choose_event(session, scene->host.input.name, history, &scene->choice);
    if (exit_code == SCH_CLI_YES) scene->label = scene->choice.event.label;
    sch_scene_player_destroy(player);
    return exit_code;
}

static enum sch_cli_exit find_draw(struct sch_cli_session *session)
{
    struct sch_cli_scene_session *scene = session->scene;
    if (session->asked.has_pixel) return find_draw_of_pixel(session);
    if (sch_scene_find_draw(scene->scene, session->asked.draw - 1, &scene->label)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_NO, "%s: there is no draw statement %" PRIu32, scene->host.input.name,
                        session->asked.draw);
}

/* ---- the invocation ---- */

static void describe_scene_place(struct sch_cli_session *session, const struct sch_invocation_place *place)
{
    struct sch_scene_statement statement;
    char draw[48];
    sch_scene_find_statement(session->scene->scene, session->scene->label, &statement);
    snprintf(draw, sizeof draw, "the draw of line %" PRIu32, statement.line);
    sch_cli_describe_place(session, draw, &session->scene->choice, place);
}

/* ---- the shader's text ---- */

/* Whether the source is the listing of a container: of one that HLSL was compiled to, which has no lines in the scene,
 * or of one in a file, which holds something else. */
static bool is_listing(const struct sch_cli_session *session, const struct sch_player_source *source)
{
    const struct sch_cli_scene_host *host = &session->scene->host;
    struct sch_player_file file = {0};
    if (!host->listed || source->line) return false;
    if (strcmp(source->name, host->input.name) == 0) return true;
    sch_cli_scene_read_file(host->file, source->name, &file);
    const bool same = file.data && file.bytes == source->bytes && memcmp(file.data, source->data, file.bytes) == 0;
    free(file.data);
    return !same;
}

/* Puts as many empty lines before the shader as the scene has lines there, so that line numbers are the scene's. */
static enum sch_cli_exit read_shader(struct sch_cli_session *session)
{
    struct sch_cli_scene_session *scene = session->scene;
    struct sch_player_source source;
    if (!sch_scene_find_shader(scene->scene, scene->label, sch_cli_session_stage(session), &source))
        return sch_cli_fail(SCH_CLI_NO, "%s: the draw has no shader of this stage", scene->host.input.name);
    struct sch_cli_input input = {.name = source.name, .listed = is_listing(session, &source)};
    input.data = sch_player_text_at(source.line, source.data, source.bytes, &input.bytes);
    if (!input.data) return sch_cli_no_memory();
    const enum sch_cli_exit exit_code = sch_cli_shader_take(&input, source.kind, &session->shader);
    return exit_code == SCH_CLI_YES ? sch_cli_session_lower(session) : exit_code;
}

enum sch_cli_exit sch_cli_scene_session_open(struct sch_cli_session *session, struct sch_debug_options *options,
                                             struct sch_invocation_place *place)
{
    struct sch_cli_scene_session *scene = session->scene = calloc(1, sizeof *scene);
    if (!scene) return sch_cli_no_memory();
    options->run = run_scene_session;
    scene->host.listed = session->listed;
    enum sch_cli_exit exit_code = sch_cli_scene_open(session->file, &scene->host, &scene->scene);
    if (exit_code == SCH_CLI_YES && sch_cli_context_create(&scene->context) != SCH_OK) exit_code = sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES) exit_code = find_draw(session);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_fill_place(session, scene->host.input.name, &scene->choice, options, place);
    if (exit_code == SCH_CLI_YES) exit_code = read_shader(session);
    if (exit_code != SCH_CLI_YES) return exit_code;
    describe_scene_place(session, place);
    scene->host.silent = true;
    return SCH_CLI_YES;
}
