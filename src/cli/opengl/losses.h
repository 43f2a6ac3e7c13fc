/* The line at the end about what an OpenGL program wanted and did not get, for the verbs gl, serve and replay. */
#ifndef SCH_CLI_LOSSES_H
#define SCH_CLI_LOSSES_H

#include "../virgl/virgl.h"
#include "common/cli.h"

/* What the line can advise. */
enum sch_cli_advice {
    SCH_CLI_ADVICE_SERVER = 1 << 0, /* the verb has the options of servers, --memory and --time */
    SCH_CLI_ADVICE_VERBOSE = 1 << 1 /* and -v would tell more */
};

/* Prints the line if anything was lost. LIMIT: something was. */
enum sch_cli_exit sch_cli_losses_tell(const struct sch_cli_verb *verb, const struct sch_virgl_losses *losses,
                                      unsigned advice);

#endif
