/* Draws whose fragments code shades in spans. Others run group by group. */
#ifndef SCH_PIPELINE_SPANS_H
#define SCH_PIPELINE_SPANS_H

#include "pipeline/fragments.h"

/* Makes the spans of fragments of which all else is known. */
void sch_fragments_find_spans(struct sch_fragments *fragments);

#endif
