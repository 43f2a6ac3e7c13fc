/* scheelite check of a scene: all that is wrong with it before anything is drawn. */
#ifndef SCH_CLI_CHECK_SCENE_H
#define SCH_CLI_CHECK_SCENE_H

#include "../support/json.h"
#include "common/cli.h"

/* Reads a scene with the files that it names, and checks the shaders of its draws. Reports go to standard error, or
 * with `json` into an entry of a list. */
enum sch_cli_exit sch_cli_check_scene(const char *path, struct sch_json *json);

/* A report as an entry of a list. */
void sch_cli_check_report(struct sch_json *json, const struct sch_diagnostic_info *report);

#endif
