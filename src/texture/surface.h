/* Levels of resources as blocks in memory, and boxes of them: what moves texels without a shader works on these. Knows
 * of formats only the size of a block. */
#ifndef SCH_TEXTURE_SURFACE_H
#define SCH_TEXTURE_SURFACE_H

#include <scheelite/types.h>

#include "isa/errors.h"
#include "texture/texture.h"

/* A level. Sample s of layer z is slice z * samples + s. */
struct sch_texture_surface {
    uint8_t *texels;
    struct sch_block block;
    uint32_t side[3]; /* in texels: width, height, and slices of a 3-D level or layers */
    uint32_t samples;
    size_t row_bytes, slice_bytes; /* from one row of blocks to the next, from one slice of blocks to the next */
};

/* A box in blocks. */
struct sch_region {
    uint32_t x, y, z, width, height, depth;
};

/* False, with a report, where the resource has no such level. `name` is what refusals call the level (isa/errors.h). */
bool sch_surface_of(const struct sch_texture_resource *resource, uint32_t level, const char *name,
                    struct sch_texture_surface *surface, struct sch_diagnostics *diagnostics);

/* The blocks of a box; all of the surface where its members are 0. False, with a report, where the surface has not all
 * of them, or the box ends inside of a block. `name` is what refusals call the box. */
bool sch_surface_region(const struct sch_texture_surface *surface, const struct sch_box *box, const char *name,
                        struct sch_region *region, struct sch_diagnostics *diagnostics);

/* The first block of row y of a slice. */
uint8_t *sch_surface_row(const struct sch_texture_surface *surface, size_t slice, size_t y);

#endif
