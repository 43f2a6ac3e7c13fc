/* See recording.h. */
#include "recording.h"

#include <inttypes.h>

bool sch_cli_is_recording(const struct sch_cli_input *input)
{
    uint32_t version;
    return sch_virgl_is_recording(input->data, input->bytes, &version);
}

enum sch_cli_exit sch_cli_check_recording(const struct sch_cli_input *input)
{
    uint32_t version;
    if (!sch_virgl_is_recording(input->data, input->bytes, &version))
        return sch_cli_fail(SCH_CLI_NO, "%s is not a recording", input->name);
    if (input->bytes < SCH_VIRGL_RECORDING_HEADER)
        return sch_cli_fail(SCH_CLI_NO, "%s: the recording is cut off within its header", input->name);
    if (version == SCH_VIRGL_RECORDING_VERSION) return SCH_CLI_YES;
    return sch_cli_refuse(input->name, "OTHER_VERSION",
                          "the recording has version %" PRIu32 ", and version %d is read here", version,
                          SCH_VIRGL_RECORDING_VERSION);
}

enum sch_result sch_cli_recording_play(const struct sch_cli_input *recording, const struct sch_virgl_options *options,
                                       const struct sch_virgl_frame_callbacks *frames,
                                       const struct sch_virgl_draw_callbacks *draws, struct sch_virgl **virgl)
{
    enum sch_result result = sch_virgl_create(options, virgl);
    if (result != SCH_OK) return result;
    if (frames) sch_virgl_set_frame_callbacks(*virgl, frames);
    if (draws) sch_virgl_set_draw_callbacks(*virgl, draws);
    result = sch_virgl_play(*virgl, recording->data, recording->bytes);
    sch_virgl_destroy(*virgl);
    *virgl = NULL;
    return result;
}

static const struct sch_heat *note_draw(void *user, const struct sch_virgl_drawing *drawing)
{
    struct sch_cli_recorded_frame *found = user;
    found->draws = drawing->number;
    return NULL;
}

/* Notes each frame that may be the one: which is the last is known only at the end. */
static void note_frame(void *user, const struct sch_virgl_frame *frame)
{
    struct sch_cli_recorded_frame *found = user;
    found->frames++;
    if (found->number == UINT64_MAX || found->number == frame->number) {
        found->first = found->before + 1;
        found->last = found->draws;
        found->resource = frame->resource;
        found->width = frame->width;
        found->height = frame->height;
    }
    found->before = found->draws;
    if (found->number == frame->number) sch_virgl_stop(found->virgl);
}

enum sch_cli_exit sch_cli_recorded_frame_find(struct sch_cli_recorded_frame *frame,
                                              const struct sch_cli_input *recording,
                                              const struct sch_virgl_options *options)
{
    const struct sch_virgl_frame_callbacks frames = {.show = note_frame, .user = frame};
    const struct sch_virgl_draw_callbacks draws = {.user = frame, .count = note_draw};
    const enum sch_result result = sch_cli_recording_play(recording, options, &frames, &draws, &frame->virgl);
    if (result != SCH_OK) return sch_cli_result(result, NULL, recording->name);
    return frame->width ? SCH_CLI_YES : sch_cli_no_frame(recording->name, frame->number, frame->frames);
}

enum sch_cli_exit sch_cli_no_frame(const char *name, uint64_t number, uint64_t frames)
{
    if (number == UINT64_MAX) return sch_cli_fail(SCH_CLI_NO, "%s shows no frame", name);
    return sch_cli_fail(SCH_CLI_NO, "%s has no frame %" PRIu64 ": it shows %" PRIu64, name, number, frames);
}
