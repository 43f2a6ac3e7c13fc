/* Images of the command line: --image N=TEXELS and --image-out N=FILE. */
#ifndef SCH_CLI_IMAGE_H
#define SCH_CLI_IMAGE_H

#include "common/cli.h"

enum { SCH_CLI_IMAGES = 64 }; /* as many as Direct3D has u# */

/* One --image and its --image-out. */
struct sch_cli_image {
    char *source; /* a picture, random:... or zero:...; NULL: not bound */
    enum sch_target target;
    bool has_target;
    const char *output; /* NULL: not written */
    struct sch_resource *resource;
    struct sch_image *image;
};

/* What one is filled with: TEXELS[,target=T], as `option` says it; and that, made. */
enum sch_cli_exit sch_cli_image_source(const struct sch_cli_verb *verb, const char *option, struct sch_cli_image *image,
                                       const char *source);
enum sch_cli_exit sch_cli_image_load(struct sch_context *context, struct sch_cli_image *image);

/* Writes the output: a file of the kind that the ending of the name says, else all bytes in their order. */
enum sch_cli_exit sch_cli_image_write(struct sch_context *context, const struct sch_cli_image *image);

#endif
