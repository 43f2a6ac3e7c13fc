/* The table of texture targets. */
#include "isa/targets.h"

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

unsigned sch_target_coordinates(unsigned target)
{
    const struct sch_target_facts *is = sch_target_facts(target);
    return is->axes + (is->layered || is->cube);
}
