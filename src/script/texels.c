/* Resources of scripts with a format of the tables, whose texels are bytes and not channels of 32 bits: the library
 * itself packs and unpacks them. Numbers of such a resource are words of its bytes. */
#include "run.h"

bool sch_script_texel_get(const struct sch_script_instance *instance, uint32_t x, uint32_t y, uint32_t layer,
                          uint32_t sample, uint32_t words[1][4])
{
    const struct sch_script_resource *shape = instance->shape;
    struct sch_lookup lookup = {.size = sizeof lookup,
                                .operation = SCH_LOOKUP_FETCH,
                                .texel = {x - shape->offset, y, layer, 0},
                                .sample = sample};
    bool line = shape->shape == SCH_SCRIPT_1D_ARRAY;
    if (x < shape->offset || x >= shape->width || y >= shape->height || layer >= shape->layers * shape->depth)
        return false;
    if (line) lookup.texel[1] = layer;
    return instance->view && sch_lookup_run(instance->view, NULL, &lookup, 1, 0, words) == SCH_OK;
}
