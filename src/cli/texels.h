/* Texels of the command line: what --tex, --image and --fb name. */
#ifndef SCH_CLI_TEXELS_H
#define SCH_CLI_TEXELS_H

#include "cli.h"

/* What the help says of such texts. */
#define SCH_CLI_TEXELS_USAGE                                                                                           \
    "  A texture or image is FILE.png, random:FORMAT:WxHxD[:levels=N][:layers=N][:samples=N][:seed=K], zero:...,\n"    \
    "  or several pictures: a.png+b.png are faces, layers, slices or samples. ++ begins the next level."

/* A text, and what it is to become. */
struct sch_cli_texels_options {
    const char *text;
    enum sch_target target;
    bool mips; /* levels that the text does not give are made, by the box filter */
};

/* A resource, and what it is. */
struct sch_cli_texels {
    struct sch_resource *resource;
    struct sch_resource_info is; /* of level 0 */
    const char *format;          /* the name */
};

/* Makes a resource of a target from a text:
 *   FILE.png                       R8G8B8A8_UNORM; of a CUBE or CUBE_ARRAY the faces stand below each other, of a
 *                                  1D_ARRAY every row is a layer
 *   FILE.png+FILE.png              pictures that stand below each other: faces, layers, slices or samples
 *   FILE.png++FILE.png             behind ++: the next level
 *   random:FORMAT:WxHxD[:levels=N][:layers=N][:samples=N][:seed=K]
 *                                  bytes of the splitmix64 sequence of K
 *   zero:...                       likewise, without a seed
 * Reports what is wrong. */
enum sch_cli_exit sch_cli_texels_load(struct sch_context *context, const struct sch_cli_texels_options *options,
                                      struct sch_cli_texels *texels);

#endif
