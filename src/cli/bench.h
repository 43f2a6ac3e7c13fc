/* What the measurements of `scheelite bench` share. */
#ifndef SCH_CLI_BENCH_H
#define SCH_CLI_BENCH_H

#include "setup.h"

/* How long one measurement takes at least. */
extern double sch_cli_bench_seconds;
double sch_cli_bench_now(void);

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

#endif
