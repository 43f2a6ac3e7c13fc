/* TESS_DEFAULT_OUTER_LEVEL and TESS_DEFAULT_INNER_LEVEL, which programs of all stages may read. */
#ifndef SCH_PIPELINE_LEVELS_H
#define SCH_PIPELINE_LEVELS_H

#include "exec/machine.h"

/* The levels of a draw's state, as words: four outer ones, or two inner ones and zeros. */
static inline void sch_default_level_words(const struct sch_dynamic_state *dynamic, bool inner, uint32_t words[4])
{
    const float *levels = inner ? dynamic->default_inner_levels : dynamic->default_outer_levels;
    memset(words, 0, 4 * sizeof *words);
    memcpy(words, levels, (inner ? 2 : 4) * sizeof *words);
}

/* Loads the system value if it is one of the two; others stay. */
static inline void sch_load_default_levels(const struct sch_exec_machine *machine,
                                           const struct sch_dynamic_state *dynamic, unsigned semantic,
                                           struct sch_lanes to[4])
{
    const bool inner = semantic == SCH_SEMANTIC_TESS_DEFAULT_INNER_LEVEL;
    uint32_t words[4];
    if (!inner && semantic != SCH_SEMANTIC_TESS_DEFAULT_OUTER_LEVEL) return;
    sch_default_level_words(dynamic, inner, words);
    for (unsigned c = 0; c < 4; c++) machine->ops->splat(&to[c], words[c]);
}

#endif
