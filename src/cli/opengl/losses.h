/* What the verbs gl, serve and replay report of an OpenGL program at the end: the line about what it wanted and did not
 * get, and the counts of --stats. */
#ifndef SCH_CLI_LOSSES_H
#define SCH_CLI_LOSSES_H

#include "../support/json.h"
#include "../virgl/virgl.h"
#include "common/cli.h"

/* What the line can advise. */
enum sch_cli_advice {
    SCH_CLI_ADVICE_SERVER = 1 << 0, /* the verb has the options of servers, --memory and --time */
    SCH_CLI_ADVICE_VERBOSE = 1 << 1 /* and -v would say more */
};

/* Prints the line if anything was lost. LIMIT: something was. */
enum sch_cli_exit sch_cli_losses_report(const struct sch_cli_verb *verb, const struct sch_virgl_losses *losses,
                                        unsigned advice);

/* Counts, then the pieces of machine code. `refused`: the name of the count of refused commands. */
void sch_cli_put_counts(struct sch_json *json, const struct sch_virgl_counts *counts, const char *refused,
                        uint64_t compiled, uint64_t from_cache);

#endif
