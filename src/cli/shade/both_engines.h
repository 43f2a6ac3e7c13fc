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

#endif
