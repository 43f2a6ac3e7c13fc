/* --engine both: a shader run by the interpreter and as machine code, and where the two first differ. */
#ifndef SCH_CLI_BOTH_ENGINES_H
#define SCH_CLI_BOTH_ENGINES_H

#include "bind/snapshot.h"

struct sch_cli_both_engines {
    const struct sch_cli_setup *setup;
    const struct sch_cli_shader *shader;
    struct sch_program *jit;
    struct sch_cli_snapshot before, after;
};

/* Makes the second program; with `setup->both` false nothing is done here and below, and `jit` stays NULL. */
enum sch_cli_exit sch_cli_both_engines_create(struct sch_cli_both_engines *both, const struct sch_cli_setup *setup,
                                              const struct sch_cli_shader *shader);
void sch_cli_both_engines_release(struct sch_cli_both_engines *both);

/* Before the first run; between the two; after the second: compares memory. */
enum sch_cli_exit sch_cli_both_engines_begin(struct sch_cli_both_engines *both);
enum sch_cli_exit sch_cli_both_engines_again(struct sch_cli_both_engines *both);
enum sch_cli_exit sch_cli_both_engines_end(struct sch_cli_both_engines *both);

/* Puts memory back as it was before the first run. */
enum sch_cli_exit sch_cli_both_engines_restore(struct sch_cli_both_engines *both);

/* Says where results differ; the exit code is NO. `who` names the invocation, `what` the register. */
enum sch_cli_exit sch_cli_both_engines_differ(const struct sch_cli_both_engines *both, const char *who,
                                              const char *what, uint32_t interpreter, uint32_t jit);

/* ---- cut.c ---- */

/* Where two engines part: only the first instructions of a shader are kept, as few as it takes; what they leave open is
 * closed, and their temporaries are shown. The last one kept is that after which the engines first differ. */

/* Whether the engines differ on a shader; asked for shaders that are cut. */
typedef bool sch_cli_differ_fn(void *user, const struct sch_shader *shader);

/* The line of the first instruction after which they differ, as text for reports; the caller frees it. NULL: it is not
 * known, as no shader that is cut differs. */
char *sch_cli_cut(const struct sch_shader *shader, struct sch_context *context, sch_cli_differ_fn *differ, void *user);

#endif
