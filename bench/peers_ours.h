/* What the files of Scheelite's side of the workloads share. */
#ifndef BENCH_PEERS_OURS_H
#define BENCH_PEERS_OURS_H

#include <scheelite/scheelite.h>

#include "peers.h"

/* The program of a stage; NULL where the workload has no such stage. `folder` has the TGSI. */
enum sch_result bench_program(struct sch_context *context, const char *folder, const struct workload *workload,
                              enum bench_stage stage, const struct sch_program_options *options,
                              struct sch_program **program);

/* What draws of a workload need, made once; NULL: no memory, or an error, which `*result` has. */
struct bench_draws;
struct bench_draws *bench_draws_create(struct sch_context *context, const struct workload *workload, const char *folder,
                                       struct sch_program *fragment, const struct sch_program_options *options,
                                       enum sch_result *result);
void bench_draws_destroy(struct bench_draws *draws); /* takes NULL */
/* A frame, or the first one. */
enum sch_result bench_draws_run(const struct bench_draws *draws, bool first,
                                const struct sch_dispatch_options *dispatch);
/* The picture, four bytes a pixel; samples are resolved. */
enum sch_result bench_draws_read(const struct bench_draws *draws, uint8_t *pixels);

/* The workload's texture, all levels and layers, and what reads it. */
enum sch_result bench_texture(struct sch_context *context, const struct workload *workload, struct sch_view **view,
                              struct sch_sampler **sampler);

#endif
