/* Texels of the command line, from a picture, random or zero, and --tex N=TEXELS[,key=value]... made of them;
 * samplers without a texture. */
#ifndef SCH_CLI_TEXTURE_H
#define SCH_CLI_TEXTURE_H

#include "setup.h"

/* A resource, and what it was made of. */
struct sch_cli_texels {
    struct sch_resource *resource;
    struct sch_resource_options shape;
    const char *format; /* the name */
};

/* Makes a resource of a target from a text:
 *   FILE.png                       R8G8B8A8_UNORM; of a CUBE or CUBE_ARRAY the faces stand below each other, of a
 *                                  1D_ARRAY every row is a layer
 *   random:FORMAT:WxHxD[:levels=N][:layers=N][:samples=N][:seed=K]
 *                                  bytes of the splitmix64 sequence of K
 *   zero:...                       likewise, without a seed
 * Reports what is wrong. */
enum sch_cli_exit sch_cli_texels_load(struct sch_context *context, const char *text, enum sch_target target,
                                      struct sch_cli_texels *texels);

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
