/* Recordings of OpenGL programs (`gl --record`) as inputs of verbs: how they are played, and the draws of a frame. */
#ifndef SCH_CLI_RECORDING_H
#define SCH_CLI_RECORDING_H

#include "../virgl/virgl.h"
#include "common/common.h"

bool sch_cli_is_recording(const struct sch_cli_input *input);
/* NO, and reported, if it is not a recording, or one of another version. */
enum sch_cli_exit sch_cli_check_recording(const struct sch_cli_input *input);

/* Plays it; `*virgl` is what plays it meanwhile. Callbacks may be NULL. */
enum sch_result sch_cli_recording_play(const struct sch_cli_input *recording, const struct sch_virgl_options *options,
                                       const struct sch_virgl_frame_callbacks *frames,
                                       const struct sch_virgl_draw_callbacks *draws, struct sch_virgl **virgl);

struct sch_cli_recorded_frame {
    uint64_t number;                  /* UINT64_MAX: the last one */
    uint64_t first, last;             /* its draws: those since the frame before */
    uint32_t resource, width, height; /* that it shows */
    uint64_t draws, before, frames;   /* so far; `before`: up to the last frame */
    struct sch_virgl *virgl;
};

/* Plays the recording up to the frame. NO, and reported: there is no such frame. */
enum sch_cli_exit sch_cli_recorded_frame_find(struct sch_cli_recorded_frame *frame,
                                              const struct sch_cli_input *recording,
                                              const struct sch_virgl_options *options);
/* NO: says that of `frames` frames this is not one. */
enum sch_cli_exit sch_cli_no_frame(const char *name, uint64_t number, uint64_t frames);

#endif
