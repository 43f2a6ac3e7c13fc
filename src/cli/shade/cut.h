/* Where two engines part: of a shader only the first instructions are kept, as few as it takes; what they leave open is
 * closed, their temporaries are shown. The last of them is the one behind which the engines first differ. */
#ifndef SCH_CLI_CUT_H
#define SCH_CLI_CUT_H

#include "common/cli.h"

/* Whether the engines differ on a shader; asked for shaders that are cut. */
typedef bool sch_cli_differ_fn(void *user, const struct sch_shader *shader);

/* The line of the first instruction behind which they differ, as text for reports; the caller's (free). NULL: it cannot
 * be told, as no shader that is cut differs. */
char *sch_cli_cut(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ, void *user);

#endif
