/* scheelite replay: does again what an OpenGL program's driver asked for while `gl --record` wrote it down, and writes
 * what the program showed. src/virgl plays. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../support/json.h"
#include "bind/setup.h"
#include "common/code.h"
#include "common/common.h"
#include "common/progress.h"
#include "opengl/frames.h"
#include "opengl/losses.h"
#include "opengl/shader_files.h"
#include "picture/texture_file.h"
#include "replay_heat.h"
#include "trace/recording.h"
#include "trace/trace_inward.h"

struct replay {
    struct sch_cli_setup setup;
    const char *file, *output;
    struct sch_cli_sums sums;
    uint64_t frame; /* UINT64_MAX: the last one */
    bool stats, explain, inward, json;
    struct sch_cli_replay_heat heat;
    struct sch_cli_shader_files collected;
    uint32_t pixel[2]; /* that is traced, where `inward` */
    struct sch_context *context;
    struct sch_cli_render_target picture; /* no texels: no frame was kept */
    uint64_t frames, reads;
    enum sch_cli_exit exit_code; /* of a frame that cannot be kept */
};

static void print_explanation(void *user, const char *line)
{
    (void)user;
    puts(line);
}

/* ---- frames ---- */

/* Keeps the frame that -o writes, and writes the sums of all. */
static enum sch_cli_exit take_frame(struct replay *replay, const struct sch_virgl_frame *frame)
{
    const bool kept = replay->output && (replay->frame == UINT64_MAX || replay->frame == frame->number);
    struct sch_cli_render_target picture = {0};
    if (!kept && replay->sums.frames_file < 0) return SCH_CLI_YES;
    enum sch_cli_exit exit_code = sch_cli_frame_picture(replay->context, frame, &picture);
    if (exit_code == SCH_CLI_YES && replay->sums.frames_file >= 0)
        exit_code = sch_cli_frame_write_sum(replay->sums.frames_file, frame->number, &picture);
    struct sch_cli_render_target *left = kept && exit_code == SCH_CLI_YES ? &replay->picture : &picture;
    sch_cli_render_target_release(left);
    if (left == &replay->picture) replay->picture = picture;
    return exit_code;
}

static void show(void *user, const struct sch_virgl_frame *frame)
{
    struct replay *replay = user;
    replay->frames++;
    sch_cli_progress_at(replay->frames, 0, "frames");
    if (replay->exit_code == SCH_CLI_YES) replay->exit_code = take_frame(replay, frame);
}

static void show_read(void *user, const struct sch_virgl_read *read)
{
    struct replay *replay = user;
    replay->reads++;
    if (replay->exit_code == SCH_CLI_YES && replay->sums.reads_file >= 0)
        replay->exit_code = sch_cli_read_write_sum(replay->sums.reads_file, read->number, read);
}

static enum sch_cli_exit write_frame(const struct replay *replay)
{
    if (!replay->output || replay->exit_code != SCH_CLI_YES) return replay->exit_code;
    if (replay->picture.texels) return sch_cli_render_target_write(&replay->picture, replay->output);
    return sch_cli_no_frame(replay->file, replay->frame, replay->frames);
}

/* ---- the whole ---- */

static void print_replay_stats(const struct replay *replay, const struct sch_virgl_counts *counts)
{
    struct sch_code_counts of_code = {.size = sizeof of_code};
    struct sch_json lines;
    sch_context_code_counts(replay->context, &of_code);
    sch_json_document(&lines, stdout, "", false);
    sch_cli_put_counts(&lines, counts, "refused", of_code.programs + of_code.lookups, of_code.from_cache);
}

static struct sch_virgl_options options_of(const struct replay *replay)
{
    return (struct sch_virgl_options){.context = replay->context,
                                      .engine = replay->setup.program.engine,
                                      .width = replay->setup.program.width,
                                      .threads = replay->setup.dispatch.threads,
                                      .deadline_ms = replay->setup.dispatch.deadline_ms};
}

static bool has_sums(const struct replay *replay) { return replay->sums.frames || replay->sums.reads; }

/* What was refused is not in the output: it is written, but it is not what was asked for. */
static enum sch_cli_exit write_all(const struct replay *replay, const struct sch_virgl_losses *losses)
{
    const bool heats = replay->heat.heats.count, collects = replay->collected.folder;
    const bool outputs = replay->output || heats || collects || has_sums(replay);
    const enum sch_cli_exit lost = sch_cli_losses_report(&sch_cli_replay, losses, 0);
    enum sch_cli_exit exit_code = write_frame(replay);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_sums_check(&replay->sums, replay->file, replay->frames, replay->reads);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shader_files_write(&replay->collected);
    if (exit_code == SCH_CLI_YES && heats)
        exit_code = sch_cli_replay_heat_write(&replay->heat, replay->file, replay->json);
    return outputs ? sch_cli_worse(exit_code, lost) : exit_code;
}

static enum sch_cli_exit play(struct replay *replay, const struct sch_cli_input *input)
{
    struct sch_virgl_options options = options_of(replay);
    options.log = (struct sch_virgl_log){sch_cli_log_line, (void *)&sch_cli_replay};
    const struct sch_virgl_frame_callbacks frames = {show, replay, show_read};
    const struct sch_virgl_log explanations = {print_explanation, NULL};
    struct sch_virgl *virgl = NULL;
    enum sch_result result = sch_virgl_create(&options, &virgl);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    sch_virgl_set_frame_callbacks(virgl, &frames);
    if (replay->explain) sch_virgl_explain(virgl, &explanations);
    if (replay->heat.heats.count) sch_cli_replay_heat_count(&replay->heat, virgl);
    if (replay->collected.shared) {
        struct sch_virgl_collector collector;
        sch_cli_shader_files_begin(&replay->collected, 0, &collector);
        sch_virgl_collect(virgl, &collector);
    }
    sch_cli_progress_begin(&sch_cli_replay, replay->explain || has_sums(replay));
    result = sch_virgl_play(virgl, input->data, input->bytes);
    const struct sch_virgl_counts counts = sch_virgl_get_counts(virgl);
    const struct sch_virgl_losses losses = sch_virgl_get_losses(virgl);
    sch_virgl_destroy(virgl);
    if (result != SCH_OK) {
        sch_cli_losses_report(&sch_cli_replay, &losses, 0);
        return sch_cli_fail(sch_cli_exit_of(result), "%s: %s", replay->file, sch_result_text(result));
    }
    sch_cli_progress_end();
    if (replay->stats) print_replay_stats(replay, &counts);
    return write_all(replay, &losses);
}

static enum sch_cli_exit play_in_context(struct replay *replay, const struct sch_cli_input *input)
{
    const enum sch_result result = sch_cli_context_create(&replay->context);
    if (result != SCH_OK) return sch_cli_fail(sch_cli_exit_of(result), "%s", sch_result_text(result));
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    if (replay->heat.heats.count) { /* without a log: errors are reported when the recording is played again */
        const struct sch_virgl_options options = options_of(replay);
        replay->heat.frame.number = replay->frame;
        exit_code = sch_cli_replay_heat_find(&replay->heat, &options, input);
    }
    return exit_code == SCH_CLI_YES ? play(replay, input) : exit_code;
}

static enum sch_cli_exit run_file(struct replay *replay)
{
    struct sch_cli_input input = {0};
    enum sch_cli_exit exit_code = sch_cli_read_bytes(replay->file, &input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_check_recording(&input);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_shader_files_open(&replay->collected, &sch_cli_replay);
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_sums_open(&replay->sums, STDOUT_FILENO);
    if (exit_code == SCH_CLI_YES) exit_code = play_in_context(replay, &input);
    sch_cli_render_target_release(&replay->picture);
    sch_context_destroy(replay->context);
    sch_cli_input_release(&input);
    sch_cli_shader_files_release(&replay->collected);
    sch_cli_sums_close(&replay->sums);
    return exit_code;
}

static enum sch_cli_exit trace_pixel(const struct replay *replay)
{
    const struct sch_cli_inward inward = {.file = replay->file,
                                          .frame = (uint32_t)replay->frame,
                                          .pixel = {replay->pixel[0], replay->pixel[1]},
                                          .width = replay->setup.program.width};
    return sch_cli_trace_inward(&sch_cli_replay, &inward);
}

/* ---- arguments ---- */

static enum sch_cli_exit take_replay_option(void *user, const struct sch_cli_verb *verb, int option, const char *value)
{
    struct replay *replay = user;
    if (option == SCH_OPTION_REPLAY_SUMS) return sch_cli_sums_option(verb, &replay->sums, value);
    return sch_cli_heats_option(verb, &replay->heat.heats, value, false);
}

static enum sch_cli_exit read_replay_arguments(struct sch_cli_arguments *arguments, struct replay *replay)
{
    const struct sch_cli_options_of_replay *options = &arguments->values.of_replay;
    const struct sch_cli_sums *sums = &replay->sums;
    enum sch_cli_exit exit_code = sch_cli_setup_parse(&replay->setup, arguments, take_replay_option, replay);
    if (exit_code != SCH_CLI_YES) return exit_code;
    replay->file = arguments->files[0];
    replay->frame = options->has_frame ? options->frame : UINT64_MAX;
    replay->stats = options->stats;
    replay->explain = options->explain;
    replay->inward = options->has_debug_pixel;
    memcpy(replay->pixel, options->debug_pixel, sizeof replay->pixel);
    replay->collected.folder = options->shaders;
    replay->heat.draw = options->draw;
    replay->json = arguments->values.json.json;
    if (replay->json && ((sums->frames && strcmp(sums->frames, "-") == 0) ||
                         (sums->reads && strcmp(sums->reads, "-") == 0))) /* beside the document nothing is printed */
        return sch_cli_usage_error(&sch_cli_replay, "--json does not go with --frames-sha -");
    if (options->output) exit_code = sch_cli_picture_output(options->output, &replay->output);
    if (exit_code != SCH_CLI_YES) return exit_code;
    return sch_cli_heats_check(&sch_cli_replay, &replay->heat.heats, false, replay->setup.program.engine);
}

enum sch_cli_exit sch_cli_main_replay(struct sch_cli_arguments *arguments)
{
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay) return sch_cli_no_memory();
    sch_cli_sums_init(&replay->sums);
    sch_cli_setup_init(&replay->setup);
    enum sch_cli_exit exit_code = read_replay_arguments(arguments, replay);
    if (exit_code == SCH_CLI_YES && replay->inward) exit_code = trace_pixel(replay);
    if (exit_code == SCH_CLI_YES && (!replay->inward || replay->output || replay->collected.folder))
        exit_code = run_file(replay);
    sch_cli_setup_release(&replay->setup);
    sch_cli_heats_release(&replay->heat.heats);
    free(replay);
    return exit_code;
}
