/* --heat KIND=FILE of run, render and replay: what happened at each pixel, as pictures with a legend and as numbers.
 * The library counts (struct sch_heat). docs/heat.md has the kinds. */
#ifndef SCH_CLI_HEAT_H
#define SCH_CLI_HEAT_H

#include "../support/json.h"
#include "common/cli.h"

enum sch_cli_heat_kind {
    SCH_CLI_HEAT_COST,
    SCH_CLI_HEAT_LOD,
    SCH_CLI_HEAT_TEXELS,
    SCH_CLI_HEAT_DIVERGENCE,
    SCH_CLI_HEAT_DISCARD,
    SCH_CLI_HEAT_OVERDRAW,
    SCH_CLI_HEAT_DEPTH_COMPLEXITY,
    SCH_CLI_HEAT_HELPERS,
    SCH_CLI_HEAT_NAN,
    SCH_CLI_HEAT_KINDS
};

/* The kinds that were asked for, and what was counted. Begins as zero. */
struct sch_cli_heats {
    const char *paths[SCH_CLI_HEAT_KINDS]; /* NULL: not wanted */
    uint32_t count;
    bool unnamed; /* a kind without a file, which has that of -o: */
    enum sch_cli_heat_kind of_output;
    struct sch_heat counts; /* of pictures of that size */
};

/* Takes KIND=FILE; or KIND where `unnamed`, whose file is set later. */
enum sch_cli_exit sch_cli_heats_option(const struct sch_cli_verb *verb, struct sch_cli_heats *heats, const char *value,
                                       bool unnamed);
/* Refuses engines that do not count what is wanted. */
enum sch_cli_exit sch_cli_heats_check(const struct sch_cli_verb *verb, const struct sch_cli_heats *heats, bool both,
                                      enum sch_engine engine);
/* Counts of nothing yet, for a picture. */
enum sch_cli_exit sch_cli_heats_allocate(struct sch_cli_heats *heats, uint32_t width, uint32_t height);
void sch_cli_heats_release(struct sch_cli_heats *heats);

/* Writes the pictures: colours between the least and the greatest value, with a bar of the colours, its numbers and
 * what they are below. Pixels that have no value are black. */
enum sch_cli_exit sch_cli_heats_write(const struct sch_cli_heats *heats);
/* The member "heat" of a document. */
void sch_cli_heats_json(const struct sch_cli_heats *heats, struct sch_json *json);

#endif
