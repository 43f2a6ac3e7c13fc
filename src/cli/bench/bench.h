/* What the measurements of `scheelite bench` share. */
#ifndef SCH_CLI_BENCH_H
#define SCH_CLI_BENCH_H

#include "bind/setup.h"

enum { SCH_CLI_BENCH_SIDE = 256, SCH_CLI_BENCH_PIXELS = SCH_CLI_BENCH_SIDE * SCH_CLI_BENCH_SIDE };

/* An input and an output register of each pixel of a picture. */
struct sch_cli_bench_pixels {
    uint32_t inputs[SCH_CLI_BENCH_PIXELS * 4];
    uint32_t outputs[SCH_CLI_BENCH_PIXELS * 4];
};

/* Pixels with (s, t, third, 1), in quads, as `run` orders them; the position in each pixel is (right, down). NULL:
 * memory. */
struct sch_cli_bench_pixels *sch_cli_bench_pixels(float right, float down, float third);

/* What was measured: seconds of one invocation on one thread, and what each round executed. */
struct sch_cli_bench_time {
    double seconds;
    struct sch_dispatch_report report;
};

/* Runs a program until the clock has moved enough. */
enum sch_result sch_cli_bench_run(const struct sch_cli_setup *setup, const struct sch_program *program,
                                  struct sch_cli_bench_pixels *pixels, struct sch_cli_bench_time *time);

/* Notes and loads texture 0 of a setup: what stands behind --tex. */
enum sch_cli_exit sch_cli_bench_texture(struct sch_context *context, struct sch_cli_setup *setup, const char *option);

/* How long one measurement takes at least. */
extern double sch_cli_bench_seconds;
double sch_cli_bench_now(void);

/* How many widths a setup asks for: one, or all. */
unsigned sch_cli_bench_widths(const struct sch_cli_setup *setup);

/* A program of one of our own shaders; what refuses it is printed. */
enum sch_result sch_cli_bench_program(struct sch_context *context, const char *name, const char *text,
                                      const struct sch_program_options *options, struct sch_program **program);

/* bench tex: lookups of one kind each. */
enum sch_cli_exit sch_cli_bench_lookups(struct sch_context *context, const struct sch_cli_setup *setup);

/* bench d3d: reading, printing and lowering containers: those of the files, or our own where there are none. */
enum sch_cli_exit sch_cli_bench_d3d(struct sch_context *context, const char *const *paths, size_t count);

/* bench compile: until shaders run as machine code. Of the files, or of our own shaders where there are none. */
enum sch_cli_exit sch_cli_bench_compile(const struct sch_cli_setup *setup, const char *const *paths, size_t count);

/* bench stop: from a flag or a deadline to the end of a dispatch. Binds texture 0 of the setup. */
enum sch_cli_exit sch_cli_bench_stop(struct sch_context *context, struct sch_cli_setup *setup);

/* bench debug: opening sessions, and stepping back. Binds texture 0 of the setup. */
enum sch_cli_exit sch_cli_bench_debug(struct sch_context *context, struct sch_cli_setup *setup);

/* bench threads: dispatches of small and large pictures on one thread and on several. */
enum sch_cli_exit sch_cli_bench_threads(struct sch_context *context, const struct sch_cli_setup *setup);

#endif
