/* Running the invocations of lines (vectors.h), as `eval` and `compare` do. */
#ifndef SCH_CLI_INVOKE_H
#define SCH_CLI_INVOKE_H

#include "results.h"

struct sch_cli_invocations {
    const struct sch_cli_setup *setup; /* what is bound, and how it is run */
    bool quads;                        /* four lines are a quad */
    unsigned samples;                  /* 0: one */
};

/* Runs a batch: as sch_dispatch. */
enum sch_result sch_cli_invoke(const struct sch_cli_invocations *how, const struct sch_cli_batch *batch,
                               const struct sch_program *program, struct sch_cli_results *results,
                               struct sch_dispatch_report *report);

/* The same for a session, which looks at values itself: without results, and without what a quad lacks. */
enum sch_result sch_cli_dispatch_batch(const struct sch_cli_invocations *how, const struct sch_cli_batch *batch,
                                       const struct sch_program *program, const struct sch_dispatch_options *options);

#endif
