/* See lookup_code.h. */
#include "lookup_code.h"

enum sch_cli_exit sch_cli_lookup_code_read(const char *file, struct sch_cli_shader *code)
{
    static const struct sch_cli_reading reading = {.maxwell.chosen = true}; /* raw code, too */
    return sch_cli_reading_load(&reading, file, code);
}

enum sch_cli_exit sch_cli_lookup_code_program(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                              struct sch_program **program)
{
    struct sch_program_options options = setup->program;
    struct sch_cli_shader code = {0};
    if (setup->both || options.engine == SCH_ENGINE_JIT)
        return sch_cli_fail(SCH_CLI_USAGE, "--lookup-code goes with --engine maxwell, not with another one");
    options.engine = SCH_ENGINE_MAXWELL;
    enum sch_cli_exit exit_code = sch_cli_lookup_code_read(setup->lookup_code, &code);
    options.lookup_code = code.shader;
    if (exit_code == SCH_CLI_YES) exit_code = sch_cli_program_create(&options, shader, program);
    sch_cli_shader_release(&code);
    return exit_code;
}
