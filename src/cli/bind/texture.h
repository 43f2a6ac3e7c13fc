/* Textures and samplers of the command line: --tex N=TEXELS[,key=value]..., and samplers without a texture. */
#ifndef SCH_CLI_TEXTURE_H
#define SCH_CLI_TEXTURE_H

#include "setup.h"

/* Notes what one --tex says. */
enum sch_cli_exit sch_cli_texture_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup,
                                         const char *text);

/* Notes what one --sampler says: N=key=value,... with the keys that are a sampler's. */
enum sch_cli_exit sch_cli_sampler_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup,
                                         const char *text);
enum sch_cli_exit sch_cli_sampler_load(struct sch_context *context, struct sch_cli_sampler *sampler);

/* Makes resource, view and sampler. */
enum sch_cli_exit sch_cli_texture_load(struct sch_context *context, struct sch_cli_texture *texture);

#endif
