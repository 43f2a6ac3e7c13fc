/* See test.h. Headers and samplers are written as the text of `scheelite headers`, which the library
 * assembles. */
#include "test.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLERS = 4096, HEADERS = 1 << 20, PITCH_UNIT = 32, SURFACE_UNIT = 512 };
static const uint64_t first_surface = UINT64_C(0x600000000), gap = 4096;

struct builder {
    const struct sch_cli_test *test;
    struct sch_context *context;
    struct sch_cli_pool_texts texts;
    bool has_sampler[SAMPLERS];
};

/* Coordinates are clamped to the edge, filters linear: what the files' expected words assume. */
static enum sch_cli_exit put_sampler(struct builder *builder, uint32_t number, const char *name)
{
    const struct sch_cli_state state = {.has_max_lod = true,
                                        .sampler = {.wrap_s = SCH_WRAP_CLAMP_TO_EDGE,
                                                    .wrap_t = SCH_WRAP_CLAMP_TO_EDGE,
                                                    .wrap_r = SCH_WRAP_CLAMP_TO_EDGE,
                                                    .min_filter = SCH_FILTER_LINEAR,
                                                    .mag_filter = SCH_FILTER_LINEAR,
                                                    .mip_filter = SCH_MIP_LINEAR,
                                                    .non_seamless_cube_map = true,
                                                    .max_lod = 15}};
    if (builder->has_sampler[number]) return SCH_CLI_YES;
    builder->has_sampler[number] = true;
    return sch_cli_pools_sampler(&builder->texts, number, name, &state);
}

/* The words of a file are in the order of a resource: of each level its layers. */
static enum sch_cli_exit put_texture(struct builder *builder, const struct sch_cli_test_memory *texture)
{
    const bool volume = texture->shape->volume;
    const char *format = texture->integers ? "R32G32B32A32_SINT" : "R32G32B32A32_FLOAT";
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = texture->shape->target,
                                                 .format = sch_format_by_name(format),
                                                 .width = texture->width,
                                                 .height = texture->height,
                                                 .depth = volume ? texture->depth : 1,
                                                 .layers = volume ? 1 : texture->depth,
                                                 .levels = texture->levels};
    struct sch_cli_texels texels = {.is.size = sizeof texels.is, .format = format};
    enum sch_result result = sch_resource_create(builder->context, &options, NULL, &texels.resource);
    if (result == SCH_OK) result = sch_resource_write_all(texels.resource, texture->words, texture->count * 4);
    if (result == SCH_OK) result = sch_resource_get_info(texels.resource, 0, &texels.is);
    enum sch_cli_exit exit_code = sch_cli_result(result, NULL, texture->name);
    if (exit_code == SCH_CLI_YES)
        exit_code = sch_cli_pools_header(&builder->texts, texture->handle % HEADERS, texture->name, &texels);
    if (exit_code == SCH_CLI_YES) exit_code = put_sampler(builder, texture->handle / HEADERS, texture->name);
    sch_resource_destroy(texels.resource);
    return exit_code;
}

/* ---- surfaces ---- */

uint32_t sch_cli_test_pitch(const struct sch_cli_test_memory *surface)
{
    return (surface->width * surface->texel_bytes + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
}

uint64_t sch_cli_test_surface_address(const struct sch_cli_test *test, uint32_t memory)
{
    uint64_t address = first_surface;
    for (uint32_t i = 0; i < memory; i++) {
        const struct sch_cli_test_memory *before = &test->memories[i];
        if (before->kind != SCH_CLI_TEST_SURFACE && before->kind != SCH_CLI_TEST_SURFACE_RESULT) continue;
        address += (uint64_t)sch_cli_test_pitch(before) * before->height + gap;
        address = (address + SURFACE_UNIT - 1) / SURFACE_UNIT * SURFACE_UNIT;
    }
    return address;
}

static void put_surface(struct builder *builder, uint32_t memory)
{
    const struct sch_cli_test_memory *surface = &builder->test->memories[memory];
    const char *const components[] = {"R32", "R32G32", "R32G32B32A32"};
    fprintf(builder->texts.to[SCH_CLI_HEADERS],
            "header %" PRIu32 " PITCH {\nADDRESS = 0x%" PRIx64 "; PITCH = %" PRIu32 "; COMPONENTS = %s\n",
            surface->handle % HEADERS, sch_cli_test_surface_address(builder->test, memory), sch_cli_test_pitch(surface),
            components[surface->texel_bytes / 8]);
    fprintf(builder->texts.to[SCH_CLI_HEADERS],
            "R_DATA_TYPE = UINT; G_DATA_TYPE = UINT; B_DATA_TYPE = UINT; A_DATA_TYPE = UINT\n"
            "TEXTURE_TYPE = %s; WIDTH = %" PRIu32 "; HEIGHT = %" PRIu32 "\n}\n",
            surface->shape->type, surface->width, surface->height);
}

/* ---- all of it ---- */

enum sch_cli_exit sch_cli_test_textures_make(const struct sch_cli_test *test, struct sch_context *context,
                                             struct sch_cli_test_textures *made)
{
    struct builder builder = {.test = test, .context = context};
    made->context = context;
    enum sch_cli_exit exit_code = sch_cli_pools_begin(&builder.texts);
    for (uint32_t i = 0; i < test->memory_count && exit_code == SCH_CLI_YES; i++) {
        const struct sch_cli_test_memory *memory = &test->memories[i];
        if (memory->kind == SCH_CLI_TEST_TEXTURE)
            exit_code = put_texture(&builder, memory);
        else if (memory->shape)
            put_surface(&builder, i);
    }
    made->memory = builder.texts.memory;
    made->memory_bytes = builder.texts.memory_bytes;
    return sch_cli_pools_end(&builder.texts, exit_code, "textures", context, made->pools, made->pool_bytes);
}

void sch_cli_test_textures_release(struct sch_cli_test_textures *made)
{
    for (unsigned i = 0; i < SCH_CLI_POOLS && made->context; i++) sch_free(made->context, made->pools[i]);
    free(made->memory);
}
