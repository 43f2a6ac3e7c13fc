/* Draws whose fragments code shades in spans: what the code must know of a draw (abi/fragment.h). Others run group by
 * group. */
#ifndef SCH_PIPELINE_SPANS_H
#define SCH_PIPELINE_SPANS_H

#include "pipeline/fragments.h"

/* The form of a draw and its values, and the channels of the state that code interpolates, ascending, with their
 * number; false: there is something around its groups that only src/pipeline does. */
bool sch_fragments_make_form(const struct sch_fragments *fragments, struct sch_fragment_form *form,
                             struct sch_fragment_values *values, uint32_t channels[4 * SCH_FRAGMENT_INPUTS],
                             uint32_t *count);

#endif
