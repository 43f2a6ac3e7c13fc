/* A warp of Maxwell code in the command: what its lanes hold, how it is run, and a session that steps it. */
#ifndef SCH_CLI_MAXWELL_WARP_H
#define SCH_CLI_MAXWELL_WARP_H

#include "common/cli.h"

struct sch_cli_warp {
    uint32_t registers[SCH_MAXWELL_GROUP_REGISTERS][SCH_MAXWELL_GROUP_LANES];
    uint32_t predicates[SCH_MAXWELL_GROUP_PREDICATES]; /* a bit for each lane */
    uint32_t active, killed;                           /* likewise; helpers among the active ones */
};

/* What its code is run with. */
struct sch_cli_warp_machine {
    struct sch_maxwell_bindings bindings;
    struct sch_constant_buffer constants; /* bank 0 */
    struct sch_dispatch_options dispatch;
    bool quads;
};

/* A session of a group, which stands before the first instruction of a lane that is active. */
struct sch_cli_warp_session {
    const struct sch_program *program;
    const struct sch_cli_warp_machine *machine;
    const struct sch_cli_warp *group;
    struct sch_debug *debug;
};
enum sch_result sch_cli_warp_debug(struct sch_context *context, struct sch_cli_warp_session *session, unsigned lane);

#endif
