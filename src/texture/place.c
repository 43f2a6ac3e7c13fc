/* Places of texels: exact quotients, whatever the sides. docs/resources.md, "Blits". */
#include "texture/place.h"

__extension__ typedef __int128 wide; /* products of the sides are below 2^72 */

/* The range within the destination's box; of empty boxes none. */
static void clip(const struct sch_stretch *s, int64_t *first, int64_t *beyond)
{
    int64_t low = s->to, high = (int64_t)s->to + s->to_side;
    if (low > high) {
        low = high;
        high = s->to;
    }
    *first = low > s->first ? low : s->first;
    *beyond = high < s->beyond ? high : s->beyond;
    if (!s->from_side) *beyond = *first;
}

uint32_t sch_place_room(const struct sch_stretch *stretch)
{
    int64_t first, beyond;
    clip(stretch, &first, &beyond);
    return first < beyond ? (uint32_t)(beyond - first) : 0;
}

static wide floor_of(wide numerator, wide denominator)
{
    wide quotient = numerator / denominator;
    return numerator % denominator < 0 ? quotient - 1 : quotient;
}

/* Ties to even. */
static wide nearest_of(wide numerator, wide denominator)
{
    wide low = floor_of(numerator, denominator), rest = 2 * (numerator - low * denominator);
    return low + (rest > denominator || (rest == denominator && low % 2 != 0));
}

/* The centre of texel d of the destination is at from + (d + 1/2 - to) * from_side / to_side. */
void sch_place_texels(const struct sch_stretch *stretch, bool linear, struct sch_places *places)
{
    int64_t first, beyond;
    clip(stretch, &first, &beyond);
    *places = (struct sch_places){.at = places->at};
    for (int64_t d = first; d < beyond; d++) {
        wide denominator = (wide)2 * stretch->to_side,
             numerator = (wide)(2 * (d - stretch->to) + 1) * stretch->from_side + stretch->from * denominator;
        if (denominator < 0) {
            denominator = -denominator;
            numerator = -numerator;
        }
        const wide texel = floor_of(numerator, denominator);
        if (texel < 0 || texel >= stretch->from_texels) continue;
        if (!places->count) places->first = (uint32_t)d;
        places->at[places->count++] = (int32_t)(linear ? nearest_of(256 * numerator, denominator) : texel);
    }
}
