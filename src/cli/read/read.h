/* What check and info have in files of their own. */
#ifndef SCH_CLI_READ_H
#define SCH_CLI_READ_H

#include "../support/json.h"
#include "common/cli.h"

/* check_scene.c: reads a scene with the files that it names, and checks the shaders of its draws. Reports go to
 * standard error, or with `json` into an entry of a list. */
enum sch_cli_exit sch_cli_check_scene(const char *path, struct sch_json *json);

/* A report as an entry of a list. */
void sch_cli_check_report(struct sch_json *json, const struct sch_diagnostic_info *report);

/* info_file.c: a file of pictures or textures, of a kind that sch_file_kind_of() knows. */
enum sch_cli_exit sch_cli_info_file(const struct sch_cli_input *input, bool json);

/* info_maxwell.c: Maxwell code. */
enum sch_cli_exit sch_cli_info_maxwell(const struct sch_cli_shader *shader, bool json);

#endif
