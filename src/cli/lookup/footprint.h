/* How a result came about: in words, as JSON, and as a picture of the texels that took part. */
#ifndef SCH_CLI_FOOTPRINT_H
#define SCH_CLI_FOOTPRINT_H

#include "../support/json.h"
#include "common/cli.h"
#include "lookups.h"

/* An explanation, whole. */
struct sch_cli_explanation {
    const struct sch_cli_lookup_options *options;
    const struct sch_cli_lookup *lookup; /* of them */
    struct sch_explanation_info info;
    struct sch_footprint_texel *texels;
};

/* Explains a lookup, and reports what is wrong. Release it whatever was returned. */
enum sch_cli_exit sch_cli_explain_lookup(const struct sch_cli_lookup_options *options,
                                         const struct sch_cli_lookup *lookup, struct sch_cli_explanation *why);
void sch_cli_explanation_release(struct sch_cli_explanation *why);

/* In words on standard output, or as a member of the open object. */
void sch_cli_explanation_print(const struct sch_cli_explanation *why);
void sch_cli_explanation_json(const struct sch_cli_explanation *why, struct sch_json *json);

/* The picture (footprint.c). */
enum sch_cli_exit sch_cli_draw_footprint(const struct sch_cli_explanation *why, const char *path);

/* Width, height, depth or layers, and number of levels of the view; 0 where there is none. */
void sch_cli_view_size(const struct sch_cli_lookup *lookup, uint32_t level, uint32_t size[4]);

/* How many of a target's coordinates are positions in a level. */
unsigned sch_cli_target_axes(enum sch_target target);

#endif
