/* Resources of compressed blocks that are kept decoded, because their caller asks for it: all tiles of all levels are
 * beside the blocks, and follow what is written. docs/blocks.md, "Kept decoded". */
#ifndef SCH_TEXTURE_DECODED_H
#define SCH_TEXTURE_DECODED_H

#include "texture/surface.h"

/* The places of the tiles of all levels; the bytes of all, fewer than 2^63 for shapes that were checked. `tiles` may be
 * NULL while there is no memory. */
uint64_t sch_decoded_lay_out(const struct sch_resource_shape *shape, uint32_t *tiles, struct sch_texture *texture);

/* Decodes again what has texels in a box of blocks of a level, or everything. Nothing, of resources that are not kept
 * decoded. */
void sch_decoded_update(const struct sch_texture_resource *resource, uint32_t level, const struct sch_region *region);
void sch_decoded_update_all(const struct sch_texture_resource *resource);

/* Forgets the tiles where a view's format reads blocks otherwise than the resource's. */
void sch_decoded_view(unsigned own, unsigned format, struct sch_texture *texture);
/* Leaves a view's first slices out: the levels begin with slice `first`. */
void sch_decoded_skip(unsigned format, struct sch_texture_level *level, uint64_t first);

#endif
