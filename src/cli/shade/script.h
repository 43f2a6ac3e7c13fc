/* Scripts of shader tests as the verb run executes them: what is printed, and the exit code. */
#ifndef SCH_CLI_SCRIPT_H
#define SCH_CLI_SCRIPT_H

#include "hlsl.h"

struct sch_cli_script {
    struct sch_script_options options;
    struct sch_cli_hlsl hlsl;
    bool json, both; /* both: machine code, compared with the interpreter */
};

/* NO if an item failed, or the input is not a script. */
enum sch_cli_exit sch_cli_script_run(struct sch_cli_script *script, const struct sch_cli_input *input);

#endif
