/* Fragments whose program is not run, since nothing that it computes can be seen (sch_output's `unshaded`): they are
 * tested, and counted for queries. Holds no program. */
#ifndef SCH_PIPELINE_COUNT_FRAGMENTS_H
#define SCH_PIPELINE_COUNT_FRAGMENTS_H

#include "pipeline/fragments.h"

/* In place of sch_fragments_run. DEADLINE and CANCELLED: the report is at the program's first instruction. */
enum sch_result sch_fragments_count(const struct sch_fragments *fragments, const struct sch_bins *bins,
                                    const struct sch_run_options *options, struct sch_draw_counts *counts,
                                    struct sch_run_report *report);

#endif
