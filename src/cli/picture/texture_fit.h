/* Formats of textures that go into files: which ones a kind of file holds, and what holds the others best. Reads and
 * writes no files (texture_file.h). */
#ifndef SCH_CLI_TEXTURE_FIT_H
#define SCH_CLI_TEXTURE_FIT_H

#include <scheelite/files.h>

#include "common/cli.h"

/* Whether a kind that is written holds texels of a format. */
bool sch_cli_texture_file_holds(enum sch_file_kind kind, enum sch_format format);

/* Makes the texture one of the nearest format that the kind holds. NO: there is none. */
enum sch_cli_exit sch_cli_texture_fit(struct sch_context *context, const char *path, enum sch_file_kind kind,
                                      struct sch_file_texture *texture);

#endif
