/* What one invocation of a picture got and gave, as text or JSON: run --pixel. */
#ifndef SCH_CLI_INVOCATION_H
#define SCH_CLI_INVOCATION_H

#include "json.h"
#include "picture.h"
#include "registers.h"

/* Shades the group that the pixel is in, as it is in the picture, and prints the pixel's registers on standard output,
 * or as members of the open object of `json`. Memory that other invocations write is not written before. */
enum sch_cli_exit sch_cli_print_invocation(const struct sch_cli_setup *setup, const struct sch_cli_shader *shader,
                                           const struct sch_program *program, const struct sch_cli_shading *shading,
                                           const uint32_t pixel[2], enum sch_cli_floats floats,
                                           struct sch_cli_json *json);

#endif
