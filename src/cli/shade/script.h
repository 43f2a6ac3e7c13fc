/* Scripts of shader tests as the verb run executes them: what is printed, and the exit code. */
#ifndef SCH_CLI_SCRIPT_H
#define SCH_CLI_SCRIPT_H

#include "../script/script.h"
#include "common/cli.h"

/* hlsl.c: the programs of a script's sections with HLSL: from a compiler that the user names, or from a folder of
 * compiled programs. */
struct sch_cli_hlsl {
    const char *compiler;     /* --hlsl-compiler */
    const char *folder;       /* --compiled */
    const char *map_path;     /* --compiled-map: a table */
    struct sch_cli_input map; /* read; without data: there is none */
    const char *base;         /* the script's name without folder and .shader_test */
    size_t base_bytes;
    enum sch_cli_exit exit_code; /* why a script was stopped */
};

/* Reads the table, if there is one, for the script of this name. Release it whatever was returned. */
enum sch_cli_exit sch_cli_hlsl_begin(struct sch_cli_hlsl *hlsl, const char *script);
void sch_cli_hlsl_release(struct sch_cli_hlsl *hlsl);

/* As struct sch_script_host has it. */
void sch_cli_hlsl_compile(struct sch_cli_hlsl *hlsl, const struct sch_player_hlsl *section,
                          struct sch_player_file *program);

/* ---- script.c ---- */

struct sch_cli_script {
    struct sch_script_options options;
    struct sch_cli_hlsl hlsl;
    bool json, both; /* both: machine code, compared with the interpreter */
};

/* NO if an item failed, or the input is not a script. */
enum sch_cli_exit sch_cli_script_run(struct sch_cli_script *script, const struct sch_cli_input *input);

#endif
