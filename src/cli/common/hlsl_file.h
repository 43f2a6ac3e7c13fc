/* Files of HLSL: compiled by a program that the user names or that is installed, and read as what comes out. The
 * options hold for the whole run of the command. */
#ifndef SCH_CLI_HLSL_FILE_H
#define SCH_CLI_HLSL_FILE_H

#include "cli.h"

/* The profile of a stage in a shader model, major * 10 + minor: ps_5_0. */
void sch_cli_hlsl_profile(enum sch_stage stage, unsigned model, char profile[16]);

/* Of --hlsl-compiler; NULL: not given. */
const char *sch_cli_hlsl_compiler(void);

/* sch_cli_read of a file that is to be a shader: HLSL, by the file's name or -x hlsl, is compiled, and the input holds
 * the container. */
enum sch_cli_exit sch_cli_read_source(const char *path, struct sch_cli_input *input);

/* What a compiler is called with. */
struct sch_cli_hlsl_source {
    const char *command;         /* is called by the shell with PROFILE IN OUT, and ENTRY where that is given; NULL:
                                   vkd3d-compiler */
    const char *profile, *entry; /* `entry` may be NULL with a command */
    const char *text;
    size_t bytes;
};

enum { SCH_CLI_HLSL_WHY = 256 };

/* Calls the compiler that was named, or the one that is installed. If the exit code is not YES, `why` is what follows
 * the name of the source in the message (" is HLSL, which needs a compiler"), or "" if a message has been printed. */
enum sch_cli_exit sch_cli_hlsl_make(const struct sch_cli_hlsl_source *source, struct sch_cli_input *compiled,
                                    char why[SCH_CLI_HLSL_WHY]);

/* False: the compiler refuses it, or, if `*exit` is not YES, something else failed, which has been reported. */
bool sch_cli_hlsl_call(const struct sch_cli_hlsl_source *source, struct sch_cli_input *input,
                       enum sch_cli_exit *exit_code);

#endif
