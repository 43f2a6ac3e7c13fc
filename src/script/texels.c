/* Resources of scripts with a format of the tables, whose texels are bytes and not channels of 32 bits: the library
 * itself packs and unpacks them. Numbers of such a resource are words of its bytes. */
#include <stdlib.h>
#include <string.h>

#include "run.h"

bool sch_script_texel_get(const struct sch_script_live *live, uint32_t x, uint32_t y, uint32_t layer,
                          uint32_t words[1][4])
{
    const struct sch_script_resource *shape = live->shape;
    struct sch_lookup lookup = {
        .size = sizeof lookup, .operation = SCH_LOOKUP_FETCH, .texel = {x - shape->offset, y, layer, 0}};
    bool line = shape->shape == SCH_SCRIPT_1D_ARRAY;
    if (x < shape->offset || x >= shape->width || y >= shape->height || layer >= shape->layers * shape->depth)
        return false;
    if (line) lookup.texel[1] = layer;
    return live->view && sch_lookup_run(live->view, NULL, &lookup, 1, 0, words) == SCH_OK;
}

/* ---- storing ----------------------------------------------------------------------------------------------------- */

static const char put_text[] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], GENERIC[1], CONSTANT\n"
                               "DCL IMAGE[0], 2D, WR\n  0: STORE IMAGE[0], IN[0], IN[1], 2D\n  1: END\n";

static bool make_put(struct sch_script_run *run)
{
    struct sch_shader *shader = NULL;
    if (run->put) return true;
    const struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_TGSI, .name = "put"};
    if (sch_shader_read(run->context, put_text, sizeof put_text - 1, &options, NULL, &shader) != SCH_OK ||
        sch_program_create(run->context, shader, NULL, NULL, &run->put) != SCH_OK)
        sch_script_memory(run);
    sch_shader_destroy(shader);
    return run->put != NULL;
}

void sch_script_texels_put(struct sch_script_run *run, struct sch_script_live *live, uint32_t count,
                           const uint32_t *places, const uint32_t *colors)
{
    uint32_t(*inputs)[2][4] = calloc(count, sizeof *inputs);
    if (!inputs || !make_put(run)) {
        free(inputs);
        sch_script_memory(run);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(inputs[i][0], places + 2 * (size_t)i, 2 * sizeof *places);
        memcpy(inputs[i][1], colors + 4 * (size_t)i, 4 * sizeof *colors);
    }
    const struct sch_bindings bindings = {.size = sizeof bindings, .images = &live->image, .image_count = 1};
    const struct sch_invocations work = {.size = sizeof work,
                                         .count = count,
                                         .inputs = inputs[0][0],
                                         .input_bytes = count * sizeof *inputs,
                                         .input_registers = 2};
    if (sch_dispatch(run->put, &bindings, &work, NULL, NULL) != SCH_OK) sch_script_memory(run);
    free(inputs);
}
