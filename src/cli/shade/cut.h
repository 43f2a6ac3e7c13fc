/* Where two engines part: only the first instructions of a shader are kept, as few as it takes; what they leave open is
 * closed, and their temporaries are shown. The last one kept is that after which the engines first differ. */
#ifndef SCH_CLI_CUT_H
#define SCH_CLI_CUT_H

#include "common/cli.h"

/* Whether the engines differ on a shader; asked for shaders that are cut. */
typedef bool sch_cli_differ_fn(void *user, const struct sch_shader *shader);

/* The line of the first instruction after which they differ, as text for reports; the caller frees it. NULL: it is not
 * known, as no shader that is cut differs. */
char *sch_cli_cut(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ, void *user);

#endif
