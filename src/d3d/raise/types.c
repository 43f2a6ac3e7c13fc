/* What targets and resources are in Direct3D: dimensions and return types. */
#include "d3d/raise/internal.h"

#include <string.h>

enum { NO_REFERENCE = SCH_RAISE_NO_REFERENCE };

static const struct sch_raise_target targets[SCH_TARGET_COUNT] = {
    [SCH_TARGET_BUFFER] = {SCH_RAISE_BUFFER, 1, NO_REFERENCE, true},
    [SCH_TARGET_1D] = {SCH_RAISE_1D, 1, NO_REFERENCE, false},
    [SCH_TARGET_2D] = {SCH_RAISE_2D, 2, NO_REFERENCE, false},
    [SCH_TARGET_3D] = {SCH_RAISE_3D, 3, NO_REFERENCE, false},
    [SCH_TARGET_CUBE] = {SCH_RAISE_CUBE, 3, NO_REFERENCE, false},
    [SCH_TARGET_RECT] = {SCH_RAISE_2D, 2, NO_REFERENCE, true},
    [SCH_TARGET_SHADOW1D] = {SCH_RAISE_1D, 1, 2, false},
    [SCH_TARGET_SHADOW2D] = {SCH_RAISE_2D, 2, 2, false},
    [SCH_TARGET_SHADOWRECT] = {SCH_RAISE_2D, 2, 2, true},
    [SCH_TARGET_1D_ARRAY] = {SCH_RAISE_1D_ARRAY, 2, NO_REFERENCE, false},
    [SCH_TARGET_2D_ARRAY] = {SCH_RAISE_2D_ARRAY, 3, NO_REFERENCE, false},
    [SCH_TARGET_SHADOW1D_ARRAY] = {SCH_RAISE_1D_ARRAY, 2, 2, false},
    [SCH_TARGET_SHADOW2D_ARRAY] = {SCH_RAISE_2D_ARRAY, 3, 3, false},
    [SCH_TARGET_SHADOWCUBE] = {SCH_RAISE_CUBE, 3, 3, false},
    [SCH_TARGET_2D_MSAA] = {SCH_RAISE_2DMS, 2, NO_REFERENCE, true},
    [SCH_TARGET_2D_ARRAY_MSAA] = {SCH_RAISE_2DMS_ARRAY, 3, NO_REFERENCE, true},
    [SCH_TARGET_CUBE_ARRAY] = {SCH_RAISE_CUBE_ARRAY, 4, NO_REFERENCE, false},
    [SCH_TARGET_SHADOWCUBE_ARRAY] = {SCH_RAISE_CUBE_ARRAY, 4, 0, false}, /* in the second source: here any coordinate */
};

const struct sch_raise_target *sch_raise_target(unsigned target)
{
    return target < SCH_TARGET_COUNT ? &targets[target] : NULL;
}

void sch_raise_type_view(struct sch_raise_resource *made, const struct sch_ir_declaration *declaration)
{
    static const uint8_t types[SCH_RETURN_COUNT] = {[SCH_RETURN_UNORM] = 1,
                                                    [SCH_RETURN_SNORM] = 2,
                                                    [SCH_RETURN_SINT] = 3,
                                                    [SCH_RETURN_UINT] = 4,
                                                    [SCH_RETURN_FLOAT] = 5};
    made->texels = declaration->target < SCH_TARGET_COUNT && targets[declaration->target].texels;
    made->dimension = declaration->target < SCH_TARGET_COUNT ? targets[declaration->target].dimension : 0;
    for (unsigned c = 0; c < 4; c++) {
        unsigned type = declaration->return_type[c];
        made->types |= (uint16_t)((type < SCH_RETURN_COUNT ? types[type] : types[SCH_RETURN_FLOAT]) << (4 * c));
    }
}

/* The type of an image is how its format's name ends; a format that is not said is read as floats. */
void sch_raise_type_image(struct sch_raise_resource *made, unsigned target, unsigned format)
{
    static const struct {
        const char *end;
        uint8_t type;
    } ends[] = {{"_UNORM", 1}, {"_SRGB", 1}, {"_SNORM", 2}, {"_SINT", 3}, {"_UINT", 4}};
    const struct sch_word *word = sch_word_by_number(SCH_WORDS_FORMAT, format);
    const char *last = word ? strrchr(word->word, '_') : NULL;
    made->dimension = target < SCH_TARGET_COUNT ? targets[target].dimension : 0;
    if (made->dimension == SCH_RAISE_CUBE || made->dimension == SCH_RAISE_CUBE_ARRAY)
        made->dimension = SCH_RAISE_2D_ARRAY; /* views of cubes are arrays of their faces */
    made->types = SCH_RAISE_ALL_FLOAT;
    made->untyped = format == SCH_FORMAT_NONE;
    for (size_t i = 0; last && i < sizeof ends / sizeof *ends; i++)
        if (strcmp(last, ends[i].end) == 0) made->types = (uint16_t)(ends[i].type * 0x1111);
    made->loadable = word && strncmp(word->word, "R32_", 4) == 0;
}

void sch_raise_extend(struct sch_d3d_instruction *made, enum sch_d3d_extended kind, uint32_t bits)
{
    made->extended[made->extended_count++] = (uint32_t)kind | bits;
}

void sch_raise_say_type(struct sch_d3d_instruction *made, const struct sch_raise_resource *resource)
{
    sch_raise_extend(made, SCH_D3D_EXTENDED_DIMENSION, (uint32_t)resource->dimension << 6);
    sch_raise_extend(made, SCH_D3D_EXTENDED_RETURN, (uint32_t)resource->types << 6);
}
