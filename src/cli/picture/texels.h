/* Texels of the command line: what --tex, --image and --fb name. */
#ifndef SCH_CLI_TEXELS_H
#define SCH_CLI_TEXELS_H

#include "common/state.h"

/* A text, and what it is to become. */
struct sch_cli_texels_options {
    const char *text;
    enum sch_target target; /* 2D, or what the file says, if none was given */
    bool mips;              /* levels that the text does not give are made, by the box filter */
    bool has_target;
    bool decoded; /* texels of compressed blocks are kept decoded, too */
};

/* What a state says of it. */
static inline struct sch_cli_texels_options sch_cli_texels_of(const char *text, const struct sch_cli_state *state)
{
    return (struct sch_cli_texels_options){text, state->target, state->mips, state->has_target, state->decoded};
}

/* A resource, and what it is. */
struct sch_cli_texels {
    struct sch_resource *resource;
    struct sch_resource_info is; /* of level 0 */
    const char *format;          /* the name */
};

/* Makes a resource of a target from a text:
 *   FILE                           a PNG of up to 8 bits becomes R8G8B8A8_UNORM, others what they hold, with all
 *                                  levels, layers and faces. In a single picture, the faces of a CUBE or CUBE_ARRAY
 *                                  are below each other, or make a cross; each row is a layer of a 1D_ARRAY
 *   FILE,level=L,layer=N,face=F    a part of it
 *   FILE+FILE                      pictures, one below the other: faces, layers, slices or samples
 *   FILE++FILE                     after ++: the next level
 *   random:FORMAT:WxHxD[:levels=N][:layers=N][:samples=N][:seed=K]
 *                                  bytes of the splitmix64 sequence of K
 *   zero:...                       likewise, without a seed
 * Reports what is wrong. */
enum sch_cli_exit sch_cli_texels_load(struct sch_context *context, const struct sch_cli_texels_options *options,
                                      struct sch_cli_texels *texels);

/* The next number of the splitmix64 sequence; and the bytes of that of a seed, low ones first. */
uint64_t sch_cli_random(uint64_t *state);
void sch_cli_random_bytes(uint64_t seed, void *data, size_t bytes);

#endif
