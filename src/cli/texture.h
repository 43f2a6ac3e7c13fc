/* --tex N=FILE[,wrap=W[,W[,W]]][,filter=F][,mip=M][,aniso=N]: a texture of the command line. */
#ifndef SCH_CLI_TEXTURE_H
#define SCH_CLI_TEXTURE_H

#include "setup.h"

/* Notes what one --tex says. */
enum sch_cli_exit sch_cli_texture_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup,
                                         const char *text);

/* Reads its file and makes resource, view and sampler. */
enum sch_cli_exit sch_cli_texture_load(struct sch_context *context, struct sch_cli_texture *texture);

#endif
