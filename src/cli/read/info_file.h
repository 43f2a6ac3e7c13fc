/* What scheelite info says of a file of pictures or textures. */
#ifndef SCH_CLI_INFO_FILE_H
#define SCH_CLI_INFO_FILE_H

#include "common/cli.h"

/* Describes one of a kind that sch_file_kind_of() knows. */
enum sch_cli_exit sch_cli_info_file(const struct sch_cli_input *input, bool json);

#endif
