/* How a result came about: in words, and as a picture of the texels that took part. */
#ifndef SCH_CLI_FOOTPRINT_H
#define SCH_CLI_FOOTPRINT_H

#include "lookups.h"

/* An explanation, whole. */
struct sch_cli_explanation {
    struct sch_explanation_info info;
    struct sch_footprint_texel *texels;
};

/* Explains in words on stdout where `words` says so, and into a PNG file where `picture` is not NULL. */
enum sch_cli_exit sch_cli_explain_lookup(const struct sch_cli_lookup_options *options,
                                         const struct sch_cli_lookup *lookup, bool words, const char *picture);

/* The picture (footprint.c). */
enum sch_cli_exit sch_cli_draw_footprint(const struct sch_cli_lookup *lookup, const struct sch_cli_state *state,
                                         const struct sch_cli_explanation *why, const char *path);

/* Width, height, depth or layers, and number of levels of the view; 0 where there is none. */
void sch_cli_view_size(const struct sch_cli_lookup *lookup, uint32_t level, uint32_t size[4]);

/* How many of a target's coordinates are positions in a level. */
unsigned sch_cli_target_axes(enum sch_target target);

#endif
