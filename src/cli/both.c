/* Comparing the two engines. Both begin with the same memory, which is saved and put back between the runs. */
#include "both.h"

#include <stdlib.h>

enum sch_cli_exit sch_cli_both_create(struct sch_cli_both *both, const struct sch_cli_setup *setup,
                                      const struct sch_cli_shader *shader)
{
    *both = (struct sch_cli_both){.setup = setup, .shader = shader};
    if (!setup->both) return SCH_CLI_YES;
    struct sch_program_options options = setup->program;
    options.engine = SCH_ENGINE_JIT;
    return sch_cli_program_create(&options, shader, &both->jit);
}

void sch_cli_both_release(struct sch_cli_both *both)
{
    sch_program_destroy(both->jit);
    free(both->before);
    free(both->after);
    *both = (struct sch_cli_both){0};
}

enum sch_cli_exit sch_cli_both_begin(struct sch_cli_both *both)
{
    return both->jit ? sch_cli_writable_save(both->setup, &both->before) : SCH_CLI_YES;
}

enum sch_cli_exit sch_cli_both_restore(struct sch_cli_both *both)
{
    return sch_cli_writable_restore(both->setup, both->before);
}

enum sch_cli_exit sch_cli_both_again(struct sch_cli_both *both)
{
    if (!both->jit) return SCH_CLI_YES;
    const enum sch_cli_exit exit = sch_cli_writable_save(both->setup, &both->after);
    return exit == SCH_CLI_YES ? sch_cli_both_restore(both) : exit;
}

struct difference {
    const struct sch_cli_both *both;
    enum sch_cli_exit exit;
};

/* The first one is said. */
static void note_difference(void *user, const struct sch_cli_change *change)
{
    struct difference *difference = user;
    char what[64];
    if (difference->exit != SCH_CLI_YES) return;
    snprintf(what, sizeof what, "%s[%u], byte %zu", change->kind, change->number, change->byte);
    difference->exit = sch_cli_both_differ(difference->both, "memory", what, change->before, change->after);
}

enum sch_cli_exit sch_cli_both_end(struct sch_cli_both *both)
{
    struct difference difference = {both, SCH_CLI_YES};
    if (!both->jit) return SCH_CLI_YES;
    const enum sch_cli_exit exit = sch_cli_writable_compare(both->setup, both->after, note_difference, &difference);
    return exit == SCH_CLI_YES ? difference.exit : exit;
}

enum sch_cli_exit sch_cli_both_differ(const struct sch_cli_both *both, const char *who, const char *what,
                                      uint32_t interpreter, uint32_t jit)
{
    return sch_cli_fail(SCH_CLI_NO, "%s: %s: %s is 0x%08x by the interpreter, 0x%08x as machine code",
                        both->shader->input.name, who, what, interpreter, jit);
}
