/* Where the texels of a blit's destination lie in its source, axis by axis, in whole numbers. Holds no texels. */
#ifndef SCH_TEXTURE_PLACE_H
#define SCH_TEXTURE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* An axis of a blit: from corner `to` and `from`, sides of any sign. */
struct sch_stretch {
    int32_t to, to_side, from, from_side;
    uint32_t from_texels;  /* of the source's level */
    int64_t first, beyond; /* texels of the destination that may be written: first to below beyond */
};

/* Texels of the destination that are written, and for each the place of its centre in the source: the texel that it
 * lies in, or for linear filters the centre itself in 1/256 texels, to nearest even. */
struct sch_places {
    uint32_t first, count;
    int32_t *at;
};

/* Texels that may be written: the most that sch_place_texels may find. */
uint32_t sch_place_room(const struct sch_stretch *stretch);
/* Fills places->at, which has room for so many. */
void sch_place_texels(const struct sch_stretch *stretch, bool linear, struct sch_places *places);

#endif
