/* Lanes of Maxwell code as text: lines that `eval -x maxwell` reads, registers as `trace -x maxwell` prints them. */
#ifndef SCH_CLI_MAXWELL_LANES_H
#define SCH_CLI_MAXWELL_LANES_H

#include "common/value.h"
#include "maxwell_warp.h"

enum sch_cli_lane_state { SCH_CLI_LANE_ACTIVE, SCH_CLI_LANE_KILLED, SCH_CLI_LANE_OFF };

struct sch_cli_lane_reader {
    const struct sch_cli_input *input;
    size_t at;
    uint32_t line;
    uint32_t lines[SCH_MAXWELL_GROUP_LANES]; /* of the present group */
    uint32_t registers[8], predicates;       /* bits of those that its lines name */
};

/* The lanes of the next group; `*count` 0: there are none left. */
enum sch_cli_exit sch_cli_lanes_read(struct sch_cli_lane_reader *reader, struct sch_cli_warp *group,
                                     enum sch_cli_lane_state states[SCH_MAXWELL_GROUP_LANES], unsigned *count);

/* "  R4 = 0x3f000000(0.5)", "  P0 = 1" */
void sch_cli_lanes_put_register(FILE *file, unsigned number, uint32_t word, enum sch_cli_floats floats);
void sch_cli_lanes_put_predicate(FILE *file, unsigned number, bool value);

#endif
