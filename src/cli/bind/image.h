/* Images of the command line: --image N=TEXELS and --image-out N=FILE. */
#ifndef SCH_CLI_IMAGE_H
#define SCH_CLI_IMAGE_H

#include "common/cli.h"

struct sch_cli_setup;

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

/* Take N=TEXELS[,target=T] and N=FILE. */
enum sch_cli_exit sch_cli_image_option(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text);
enum sch_cli_exit sch_cli_image_output(const struct sch_cli_verb *verb, struct sch_cli_setup *setup, const char *text);

/* What one is filled with: TEXELS[,target=T], as `option` says it; and that, made. */
enum sch_cli_exit sch_cli_image_source(const struct sch_cli_verb *verb, const char *option, struct sch_cli_image *image,
                                       const char *source);
enum sch_cli_exit sch_cli_image_load(struct sch_context *context, struct sch_cli_image *image);

/* Make the images; write the outputs: a file of the kind that the ending of the name says, else all bytes in their
 * order. */
enum sch_cli_exit sch_cli_images_load(struct sch_cli_setup *setup, struct sch_context *context);
enum sch_cli_exit sch_cli_images_write(const struct sch_cli_setup *setup, struct sch_context *context);
void sch_cli_images_release(struct sch_cli_setup *setup);

#endif
