/* Frames that the windows of OpenGL programs showed, for the verbs gl and replay: their pictures, and the sums of
 * these, which are the same on every machine. */
#ifndef SCH_CLI_FRAMES_H
#define SCH_CLI_FRAMES_H

#include "../virgl/virgl.h"
#include "render_target.h"

/* The picture of a frame; windows show no alpha, so it is 255. Release it, whatever was returned. */
enum sch_cli_exit sch_cli_frame_picture(struct sch_context *context, const struct sch_virgl_frame *frame,
                                        struct sch_cli_render_target *picture);

/* Opens the file for sums (--frames-sha), which is emptied; "-": `standard`. */
enum sch_cli_exit sch_cli_frames_open(const char *path, int standard, int *file);

/* Writes the line of a frame: its number, its size, and the SHA-256 of its texels, four bytes each. */
enum sch_cli_exit sch_cli_frame_write_sum(int file, uint64_t number, const struct sch_cli_render_target *picture);

/* Writes all of it; false: errno says why not. */
bool sch_cli_frames_write(int file, const void *data, size_t bytes);

#endif
