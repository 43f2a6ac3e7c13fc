/* What OpenGL programs show and read back, for the verbs gl and replay: pictures of frames, and sums of both, which are
 * the same on every machine. */
#ifndef SCH_CLI_FRAMES_H
#define SCH_CLI_FRAMES_H

#include "../virgl/virgl.h"
#include "picture/render_target.h"

/* The picture of a frame; windows show no alpha, so it is 255. Release it, whatever was returned. */
enum sch_cli_exit sch_cli_frame_picture(struct sch_context *context, const struct sch_virgl_frame *frame,
                                        struct sch_cli_render_target *picture);

/* --frames-sha: files for lines about frames, and about reads. */
struct sch_cli_sums {
    const char *frames, *reads;  /* NULL: not given */
    int frames_file, reads_file; /* descriptors; -1: none */
};

void sch_cli_sums_init(struct sch_cli_sums *sums);

/* Takes a value of the option, FILE or reads=FILE, which stays the caller's. */
enum sch_cli_exit sch_cli_sums_option(const struct sch_cli_verb *verb, struct sch_cli_sums *sums, const char *value);

/* Opens the files, which are emptied; "-": `standard`. */
enum sch_cli_exit sch_cli_sums_open(struct sch_cli_sums *sums, int standard);

/* At the end: an empty file would be as good as any other. NO where lines were wanted and there were none to write;
 * `who` has shown so many frames and read so many times. */
enum sch_cli_exit sch_cli_sums_check(const struct sch_cli_sums *sums, const char *who, uint64_t frames, uint64_t reads);

void sch_cli_sums_close(struct sch_cli_sums *sums);

/* Writes the line of a frame: its number, its size, and the SHA-256 of its texels, four bytes each. */
enum sch_cli_exit sch_cli_frame_write_sum(int file, uint64_t number, const struct sch_cli_render_target *picture);

/* The line of a read: its number, its size, and the SHA-256 of its texels in their own format, each row filled up with
 * bytes 0 to a multiple of four, as OpenGL packs pixels unless another alignment is set (OpenGL 4.6, 18.2). */
enum sch_cli_exit sch_cli_read_write_sum(int file, uint64_t number, const struct sch_virgl_read *read);

#endif
