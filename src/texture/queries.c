/* What targets are, and what is answered to questions about a view's size. Reads no texels (src/ops). */
#include "texture/texture.h"

/* clang-format off */
static const struct sch_target_facts facts[SCH_TARGET_COUNT] = {
    /*                           plain                     family             axes layers cube   samples one level */
    [SCH_TARGET_BUFFER]         = {SCH_TARGET_BUFFER,        SCH_FAMILY_BUFFER, 1, false, false, false, true},
    [SCH_TARGET_1D]             = {SCH_TARGET_1D,            SCH_FAMILY_1D,     1, false, false, false, false},
    [SCH_TARGET_2D]             = {SCH_TARGET_2D,            SCH_FAMILY_2D,     2, false, false, false, false},
    [SCH_TARGET_3D]             = {SCH_TARGET_3D,            SCH_FAMILY_3D,     3, false, false, false, false},
    [SCH_TARGET_CUBE]           = {SCH_TARGET_CUBE,          SCH_FAMILY_2D,     2, false, true,  false, false},
    [SCH_TARGET_RECT]           = {SCH_TARGET_RECT,          SCH_FAMILY_2D,     2, false, false, false, true},
    [SCH_TARGET_SHADOW1D]       = {SCH_TARGET_1D,            SCH_FAMILY_1D,     1, false, false, false, false},
    [SCH_TARGET_SHADOW2D]       = {SCH_TARGET_2D,            SCH_FAMILY_2D,     2, false, false, false, false},
    [SCH_TARGET_SHADOWRECT]     = {SCH_TARGET_RECT,          SCH_FAMILY_2D,     2, false, false, false, true},
    [SCH_TARGET_1D_ARRAY]       = {SCH_TARGET_1D_ARRAY,      SCH_FAMILY_1D,     1, true,  false, false, false},
    [SCH_TARGET_2D_ARRAY]       = {SCH_TARGET_2D_ARRAY,      SCH_FAMILY_2D,     2, true,  false, false, false},
    [SCH_TARGET_SHADOW1D_ARRAY] = {SCH_TARGET_1D_ARRAY,      SCH_FAMILY_1D,     1, true,  false, false, false},
    [SCH_TARGET_SHADOW2D_ARRAY] = {SCH_TARGET_2D_ARRAY,      SCH_FAMILY_2D,     2, true,  false, false, false},
    [SCH_TARGET_SHADOWCUBE]     = {SCH_TARGET_CUBE,          SCH_FAMILY_2D,     2, false, true,  false, false},
    [SCH_TARGET_2D_MSAA]        = {SCH_TARGET_2D_MSAA,       SCH_FAMILY_MSAA,   2, false, false, true,  true},
    [SCH_TARGET_2D_ARRAY_MSAA]  = {SCH_TARGET_2D_ARRAY_MSAA, SCH_FAMILY_MSAA,   2, true,  false, true,  true},
    [SCH_TARGET_CUBE_ARRAY]     = {SCH_TARGET_CUBE_ARRAY,    SCH_FAMILY_2D,     2, true,  true,  false, false},
    [SCH_TARGET_SHADOWCUBE_ARRAY] = {SCH_TARGET_CUBE_ARRAY,  SCH_FAMILY_2D,     2, true,  true,  false, false},
    [SCH_TARGET_UNKNOWN]        = {SCH_TARGET_UNKNOWN,       SCH_FAMILY_NONE,   0, false, false, false, false},
};
/* clang-format on */

const struct sch_target_facts *sch_target_facts(unsigned target)
{
    return &facts[target < SCH_TARGET_COUNT ? target : SCH_TARGET_UNKNOWN];
}

void sch_texture_size(const struct sch_texture *texture, unsigned target, uint32_t level, uint32_t words[4])
{
    const struct sch_target_facts *is = sch_target_facts(target);
    for (unsigned i = 0; i < 4; i++) words[i] = 0;
    if (!texture || !texture->levels) return;
    words[3] = is->one_level ? 1 : texture->levels;
    if (is->one_level) level = 0;
    if (level >= texture->levels || level >= SCH_MAX_LEVELS) return;
    const struct sch_texture_level *size = &texture->level[level];
    words[0] = size->width;
    if (is->axes >= 2) words[1] = size->height;
    if (is->axes >= 3) words[2] = size->depth;
    if (is->layered) words[is->axes] = is->cube ? texture->layers / SCH_CUBE_FACES : texture->layers;
}

uint32_t sch_texture_samples(const struct sch_texture *texture, unsigned target)
{
    if (!texture || !texture->levels) return 0;
    return sch_target_facts(target)->multisampled ? texture->samples : 1;
}
