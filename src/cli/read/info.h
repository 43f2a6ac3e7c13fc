/* What scheelite info says of pictures, textures and Maxwell code. */
#ifndef SCH_CLI_INFO_H
#define SCH_CLI_INFO_H

#include "common/cli.h"

/* info_file.c: a file of pictures or textures, of a kind that sch_file_kind_of() knows. */
enum sch_cli_exit sch_cli_info_file(const struct sch_cli_input *input, bool json);

/* info_maxwell.c: Maxwell code. */
enum sch_cli_exit sch_cli_info_maxwell(const struct sch_cli_shader *shader, bool json);

#endif
