/* Where two engines part: a shader cut behind each of its instructions in turn, open constructs closed, its temporaries
 * shown. Both engines must agree on every such shader; the instruction behind which they first do not is the one. */
#ifndef SCH_CLI_CUT_H
#define SCH_CLI_CUT_H

#include "cli.h"

/* Whether the engines differ on a shader; asked for shaders that are cut. */
typedef bool sch_cli_differ_fn(void *user, const struct sch_shader *shader);

/* The line of the first instruction behind which they differ, as text for reports; the caller's (free). NULL: it cannot
 * be told, as no cut shader differs. */
char *sch_cli_cut_find(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ,
                       void *user);

#endif
