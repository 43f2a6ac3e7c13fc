/* What info says of Maxwell code. */
#ifndef SCH_CLI_INFO_MAXWELL_H
#define SCH_CLI_INFO_MAXWELL_H

#include "common/cli.h"

enum sch_cli_exit sch_cli_info_maxwell(const struct sch_cli_shader *shader, bool json);

#endif
