/* One lookup of `scheelite sample`: its options, and the lookup that they make. */
#ifndef SCH_CLI_QUESTION_H
#define SCH_CLI_QUESTION_H

#include "common/state.h"

/* The words of --op. */
enum sch_cli_op {
    SCH_CLI_OP_SAMPLE,
    SCH_CLI_OP_SAMPLE_L,
    SCH_CLI_OP_SAMPLE_B,
    SCH_CLI_OP_SAMPLE_D,
    SCH_CLI_OP_SAMPLE_C,
    SCH_CLI_OP_GATHER,
    SCH_CLI_OP_FETCH,
    SCH_CLI_OP_SIZE,
    SCH_CLI_OP_SAMPLES,
    SCH_CLI_OP_LOD
};

/* What the options said. */
struct sch_cli_lookup_options {
    struct sch_cli_state state;
    const char *texture; /* belongs to the argument or line; NULL: none was named */
    enum sch_cli_op op;
    struct sch_cli_value at[4], lod;
    bool has_lod, has_bias, has_reference;
    float reference, bias, ddx[3], ddy[3];
    int32_t offset[3];
    uint32_t component, sample, width;
    uint32_t given; /* a bit for each option given, of those that not every operation takes */
    unsigned at_count, ddx_count, ddy_count, offset_count; /* how many numbers were given */
};

void sch_cli_lookup_init(struct sch_cli_lookup_options *options);

/* Takes one option: `name` as it was written ("--at", or "--at=1,2" with the value in it). `value`: what follows it, or
 * NULL. */
enum sch_cli_taken sch_cli_lookup_option(struct sch_cli_lookup_options *options, const char *name, const char *value,
                                         bool *used_value, struct sch_cli_complaint *complaint);

/* The options given are for other lookups, too: one that an operation does not take is not an error. */
void sch_cli_lookup_for_all(struct sch_cli_lookup_options *options);

/* Whether the coordinates are there that the operation needs on the target. */
bool sch_cli_lookup_places(const struct sch_cli_lookup_options *options, struct sch_cli_complaint *complaint);

/* The lookup; false: an option or a number is not what the operation takes. */
bool sch_cli_lookup_of(const struct sch_cli_lookup_options *options, struct sch_lookup *lookup,
                       struct sch_cli_complaint *complaint);

#endif
