/* A debugging session on a recording of an OpenGL program (`gl --record`): from a pixel of a frame, by its history, to
 * the draw and the invocation that made it; or to an invocation of a draw that was named. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/code.h"
#include "recording.h"
#include "session_pixel.h"

struct sch_cli_replay_session {
    struct sch_context *context;
    struct sch_cli_input input;
    struct sch_cli_pixel_choice choice; /* where a pixel was named */
    uint64_t draw;                      /* its number */
    struct sch_debug *debug;            /* whose run continues; NULL: none */
    char *text;                         /* of the draw's shader, printed */

    /* The frame of the pixel. */
    struct sch_cli_recorded_frame frame;
    struct sch_virgl *virgl;
    uint64_t draws; /* so far */
    bool recording;
    struct sch_pixel_history *history;
    struct sch_renderer *renderer;
    enum sch_result result; /* of recording */
};

struct sch_context *sch_cli_replay_session_context(const struct sch_cli_replay_session *replay)
{
    return replay->context;
}

void sch_cli_replay_session_close(struct sch_cli_replay_session *replay)
{
    if (!replay) return;
    sch_pixel_history_destroy(replay->history);
    if (replay->context) sch_free(replay->context, replay->text);
    sch_context_destroy(replay->context);
    sch_cli_input_release(&replay->input);
    free(replay);
}

static struct sch_virgl_options options_of(const struct sch_cli_session *session)
{
    return (struct sch_virgl_options){.context = session->replay->context,
                                      .engine = session->setup.program.engine,
                                      .width = session->setup.program.width,
                                      .work = session->setup.dispatch.work,
                                      .keeps_shaders = true};
}

static enum sch_result play(struct sch_cli_session *session, const struct sch_virgl_frame_callbacks *frames,
                            const struct sch_virgl_draw_callbacks *draws)
{
    const struct sch_virgl_options options = options_of(session);
    return sch_cli_recording_play(&session->replay->input, &options, frames, draws, &session->replay->virgl);
}

/* ---- the pixel ---- */

static void begin_recording(struct sch_cli_session *session, struct sch_renderer *renderer)
{
    struct sch_cli_replay_session *replay = session->replay;
    const struct sch_pixel_history_options options = {
        .size = sizeof options, .x = session->asked.pixel[0], .y = session->asked.pixel[1], .max_events = 10000};
    struct sch_resource *resource = sch_virgl_resource_get(replay->virgl, replay->frame.resource);
    replay->recording = true;
    replay->renderer = renderer;
    replay->result =
        resource ? sch_pixel_history_create(resource, &options, NULL, &replay->history) : SCH_ERROR_ARGUMENT;
    if (replay->result == SCH_OK) replay->result = sch_renderer_record_pixel(renderer, replay->history);
}

static struct sch_debug *record_draw(void *user, const struct sch_virgl_drawing *drawing)
{
    struct sch_cli_session *session = user;
    struct sch_cli_replay_session *replay = session->replay;
    if (!replay->recording && drawing->number >= replay->frame.first && drawing->number <= replay->frame.last)
        begin_recording(session, drawing->renderer);
    if (replay->recording && replay->result == SCH_OK)
        replay->result = sch_pixel_history_set_label(replay->history, drawing->number);
    return NULL;
}

static void end_recording(void *user, const struct sch_virgl_frame *frame)
{
    struct sch_cli_replay_session *replay = user;
    if (frame->number != replay->frame.number) return;
    if (replay->renderer) sch_renderer_record_pixel(replay->renderer, NULL);
    sch_virgl_stop(replay->virgl);
}

static enum sch_cli_exit find_draw_of_pixel(struct sch_cli_session *session)
{
    struct sch_cli_replay_session *replay = session->replay;
    const struct sch_virgl_frame_callbacks ends = {.show = end_recording, .user = replay};
    const struct sch_virgl_draw_callbacks records = {.draw = record_draw, .user = session};
    const struct sch_virgl_options options = options_of(session);
    const char *name = replay->input.name;
    replay->frame.number = session->asked.frame;
    enum sch_cli_exit exit_code = sch_cli_recorded_frame_find(&replay->frame, &replay->input, &options);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_result(play(session, &ends, &records), NULL, name);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (replay->result == SCH_ERROR_ARGUMENT)
        return sch_cli_fail(SCH_CLI_NO, "%s: frame %" PRIu32 " has no pixel %" PRIu32 ",%" PRIu32, name,
                            session->asked.frame, session->asked.pixel[0], session->asked.pixel[1]);
    if (replay->result != SCH_OK || !replay->history)
        return sch_cli_fail(SCH_CLI_NO, "%s: no draw has made frame %" PRIu32, name, session->asked.frame);
    exit_code = sch_cli_choose_event(session, name, replay->history, &replay->choice);
    replay->draw = replay->choice.event.label;
    return exit_code;
}

/* ---- the shader's text ---- */

static struct sch_debug *print_shader(void *user, const struct sch_virgl_drawing *drawing)
{
    struct sch_cli_session *session = user;
    struct sch_cli_replay_session *replay = session->replay;
    const struct sch_shader *shader = drawing->shaders[sch_cli_session_stage(session)];
    replay->draws = drawing->number;
    if (drawing->number != replay->draw) return NULL;
    if (shader) sch_shader_print(shader, NULL, &replay->text, NULL);
    sch_virgl_stop(replay->virgl);
    return NULL;
}

static enum sch_cli_exit read_shader(struct sch_cli_session *session)
{
    struct sch_cli_replay_session *replay = session->replay;
    const struct sch_virgl_draw_callbacks prints = {.draw = print_shader, .user = session};
    const char *name = replay->input.name;
    const enum sch_cli_exit exit_code = sch_cli_result(play(session, NULL, &prints), NULL, name);
    if (exit_code != SCH_CLI_YES) return exit_code;
    if (!replay->text && replay->draws < replay->draw)
        return sch_cli_fail(SCH_CLI_NO, "%s has no draw %" PRIu64 ": it has %" PRIu64, name, replay->draw,
                            replay->draws);
    if (!replay->text) return sch_cli_fail(SCH_CLI_NO, "%s: the draw has no shader of this stage", name);
    struct sch_cli_input input = {.name = name, .data = strdup(replay->text), .bytes = strlen(replay->text)};
    if (!input.data) return sch_cli_no_memory();
    return sch_cli_shader_take(&input, SCH_KIND_TGSI, &session->shader);
}

/* ---- the session ---- */

static struct sch_debug *choose_draw(void *user, const struct sch_virgl_drawing *drawing)
{
    const struct sch_cli_replay_session *replay = user;
    if (drawing->number != replay->draw) return NULL;
    sch_virgl_stop(replay->virgl); /* nothing after the draw is looked at */
    return replay->debug;
}

static enum sch_result run_replay_session(void *user, const struct sch_dispatch_options *options)
{
    struct sch_cli_session *session = user;
    const struct sch_virgl_draw_callbacks draws = {.draw = choose_draw, .user = session->replay};
    session->replay->debug = options->debug;
    return play(session, NULL, &draws);
}

enum sch_cli_exit sch_cli_replay_session_open(struct sch_cli_session *session, struct sch_cli_input *recording,
                                              struct sch_debug_options *options, struct sch_invocation_place *place)
{
    struct sch_cli_replay_session *replay = session->replay = calloc(1, sizeof *replay);
    char draw[48];
    if (!replay) return sch_cli_no_memory();
    replay->input = *recording;
    *recording = (struct sch_cli_input){.name = recording->name};
    replay->draw = session->asked.draw;
    options->run = run_replay_session;
    enum sch_cli_exit exit_code = sch_cli_check_recording(&replay->input);
    if (exit_code == SCH_CLI_YES && sch_cli_context_create(&replay->context) != SCH_OK) exit_code = sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES && session->asked.has_pixel && !session->asked.draw)
        exit_code = find_draw_of_pixel(session);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_fill_place(session, replay->input.name, &replay->choice, options, place);
    if (exit_code == SCH_CLI_YES) exit_code = read_shader(session);
    if (exit_code != SCH_CLI_YES) return exit_code;
    snprintf(draw, sizeof draw, "draw %" PRIu64, replay->draw);
    sch_cli_describe_place(session, draw, &replay->choice, place);
    return SCH_CLI_YES;
}
