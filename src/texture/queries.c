/* Queries of a view's size and samples. Reads no texels (src/ops). */
#include "texture/texture.h"

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
