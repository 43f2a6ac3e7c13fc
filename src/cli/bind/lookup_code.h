/* --lookup-code: a shader whose texture lookups run as the instructions of a file of Maxwell code. */
#ifndef SCH_CLI_LOOKUP_CODE_H
#define SCH_CLI_LOOKUP_CODE_H

#include "inputs/maxwell.h"
#include "setup.h"

/* Reads the file as `eval -x maxwell` does, and says what is wrong with it. Release it whatever was returned. */
enum sch_cli_exit sch_cli_lookup_code_read(const char *file, struct sch_cli_shader *code);

/* As sch_cli_program_create, with the code that the setup names. Errors in the code are reported with the name of its
 * file. */
enum sch_cli_exit sch_cli_lookup_code_program(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                              struct sch_program **program);

#endif
