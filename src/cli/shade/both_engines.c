/* Comparing the two engines. Both begin with the same memory, which is saved and put back between the runs. */
#include "both_engines.h"

enum sch_cli_exit sch_cli_both_engines_create(struct sch_cli_both_engines *both, const struct sch_cli_setup *setup,
                                              const struct sch_cli_shader *shader)
{
    *both = (struct sch_cli_both_engines){.setup = setup, .shader = shader};
    if (!setup->both) return SCH_CLI_YES;
    struct sch_program_options options = setup->program;
    options.engine = SCH_ENGINE_JIT;
    return sch_cli_program_create(&options, shader, &both->jit);
}

void sch_cli_both_engines_release(struct sch_cli_both_engines *both)
{
    sch_program_destroy(both->jit);
    sch_cli_snapshot_release(&both->before);
    sch_cli_snapshot_release(&both->after);
    *both = (struct sch_cli_both_engines){0};
}

enum sch_cli_exit sch_cli_both_engines_begin(struct sch_cli_both_engines *both)
{
    if (!both->jit) return SCH_CLI_YES;
    return sch_cli_snapshot_take(both->setup, &both->before) ? SCH_CLI_YES : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_both_engines_restore(struct sch_cli_both_engines *both)
{
    return sch_cli_snapshot_restore(both->setup, &both->before) ? SCH_CLI_YES : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_both_engines_again(struct sch_cli_both_engines *both)
{
    if (!both->jit) return SCH_CLI_YES;
    return sch_cli_snapshot_take(both->setup, &both->after) ? sch_cli_both_engines_restore(both) : sch_cli_no_memory();
}

enum sch_cli_exit sch_cli_both_engines_end(struct sch_cli_both_engines *both)
{
    struct sch_cli_memory_difference difference;
    if (!both->jit) return SCH_CLI_YES;
    if (!sch_cli_snapshot_compare(both->setup, &both->after, &difference)) return sch_cli_no_memory();
    if (!difference.differs) return SCH_CLI_YES;
    return sch_cli_both_engines_differ(both, "memory", difference.what, difference.before, difference.now);
}

enum sch_cli_exit sch_cli_both_engines_differ(const struct sch_cli_both_engines *both, const char *who,
                                              const char *what, uint32_t interpreter, uint32_t jit)
{
    return sch_cli_fail(SCH_CLI_NO, "%s: %s: %s is 0x%08x by the interpreter, 0x%08x as machine code",
                        both->shader->input.name, who, what, interpreter, jit);
}
