/* Resources of scripts with a format of the tables, whose texels are bytes and not channels of 32 bits: the library
 * itself packs and unpacks them. Numbers of such a resource are words of its bytes. */
#include <stdlib.h>
#include <string.h>

#include "script_run.h"

/* Bytes of a layer of each level: blocks are no pixels, so that the library is asked. What has depth has one layer,
 * whose levels stand in its numbers as they do in the resource: their sizes are not asked for. */
static bool measure(struct sch_script_run *run, const struct sch_script_resource *shape, size_t sizes[15])
{
    for (uint32_t level = 0; level < shape->levels; level++) {
        struct sch_resource_options one = sch_script_shape(shape);
        struct sch_resource *resource;
        bool cube = one.target == SCH_TEXTURE_CUBE || one.target == SCH_TEXTURE_CUBE_ARRAY;
        if (cube) one.target = SCH_TEXTURE_2D;
        one.levels = one.layers = 1;
        one.width = one.width >> level ? one.width >> level : 1;
        one.height = one.height >> level ? one.height >> level : 1;
        if (sch_resource_create(run->context, &one, NULL, &resource) != SCH_OK) return false;
        sizes[level] = sch_resource_bytes(resource);
        sch_resource_destroy(resource);
    }
    return true;
}

/* The resource has what is behind the offset of a buffer's view. */
static const char *make(struct sch_script_run *run, struct sch_script_live *live)
{
    const struct sch_script_resource *shape = live->shape;
    const struct sch_resource_options options = sch_script_shape(shape);
    size_t sizes[15] = {0};
    enum sch_result result = sch_resource_create(run->context, &options, NULL, &live->resource);
    if (result == SCH_OK && !measure(run, shape, sizes)) result = SCH_ERROR_MEMORY;
    if (result != SCH_OK) return sch_result_text(result);
    size_t bytes = sch_resource_bytes(live->resource);
    live->skipped = bytes / (shape->width - shape->offset) * shape->offset; /* buffers only */
    live->size = live->skipped + bytes;
    if (shape->count > (live->size + 3) / 4) return "more numbers follow than the resource holds";
    live->bytes = calloc(1, live->size + 4); /* the last word may be cut */
    if (!live->bytes) return sch_result_text(SCH_ERROR_MEMORY);
    if (sch_script_is_buffer(shape) && shape->count)
        memcpy(live->bytes, shape->words, shape->count * 4 < live->size ? shape->count * 4 : live->size);
    if (!sch_script_is_buffer(shape)) sch_script_place_numbers(shape, sizes, live->bytes);
    result = sch_resource_write_all(live->resource, live->bytes + live->skipped, bytes);
    if (result == SCH_OK) result = sch_script_make_views(live);
    return result == SCH_OK ? NULL : sch_result_text(result);
}

bool sch_script_packed_make(struct sch_script_run *run, const struct sch_script_item *item,
                            struct sch_script_live *live)
{
    const char *problem = make(run, live);
    if (!problem) return true;
    snprintf(live->stale, sizeof live->stale, "the resource cannot be made: %s", problem);
    if (item) sch_script_fail(run, item, "%s", live->stale);
    return false;
}

bool sch_script_packed_get(const struct sch_script_live *live, uint32_t x, uint32_t y, uint32_t layer,
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

void sch_script_packed_put(struct sch_script_run *run, struct sch_script_live *live, uint32_t count,
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

/* Of integers the number is meant, not the bits of a float. */
void sch_script_packed_clear(struct sch_script_run *run, struct sch_script_live *live, const float values[4])
{
    const struct sch_script_resource *shape = live->shape;
    const char *format = sch_cli_format_name(shape->format);
    enum sch_script_number number = !sch_cli_format_is_integer(format) ? SCH_SCRIPT_FLOAT
                                    : strstr(format, "SINT")           ? SCH_SCRIPT_SINT
                                                                       : SCH_SCRIPT_UINT;
    uint32_t(*colors)[4] = calloc(shape->width, sizeof *colors), (*places)[2] = calloc(shape->width, sizeof *places);
    for (uint32_t x = 0; colors && places && x < shape->width; x++)
        for (unsigned c = 0; c < 4; c++) colors[x][c] = sch_script_channel_bits(number, values[c]);
    for (uint32_t y = 0; colors && places && y < shape->height && run->exit == SCH_CLI_YES; y++) {
        for (uint32_t x = 0; x < shape->width; x++) {
            places[x][0] = x;
            places[x][1] = y;
        }
        sch_script_packed_put(run, live, shape->width, places[0], colors[0]);
    }
    if (!colors || !places) sch_script_memory(run);
    free(colors);
    free(places);
    sch_script_pull(run);
}
