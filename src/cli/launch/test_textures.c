/* See test_textures.h. Headers and samplers are written as the text of `scheelite headers`, which the library
 * assembles. */
#include "test_textures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLERS = 4096, HEADERS = 1 << 20, PITCH_UNIT = 32, SURFACE_UNIT = 512 };
static const uint64_t first_surface = UINT64_C(0x600000000), gap = 4096;

struct builder {
    const struct sch_cli_test *test;
    struct sch_cli_pool_texts texts;
    unsigned char *memory;
    size_t bytes; /* that are used */
    bool has_sampler[SAMPLERS];
};

/* ---- texels ---- */

/* The bytes of all levels of a texture, in all layers. */
static size_t texture_bytes(const struct sch_cli_test_memory *texture)
{
    size_t bytes = 0;
    for (uint32_t level = 0; level < texture->levels; level++) {
        uint32_t size[3];
        sch_cli_test_level(texture, level, size);
        bytes += size[2] * sch_cli_gobs_bytes((size_t)size[0] * texture->texel_bytes, size[1]);
    }
    return bytes;
}

/* Memory has of each layer its levels, a file of each level its layers. The slices of a volume are those of a level in
 * both. */
static void put_texels(struct builder *builder, const struct sch_cli_test_memory *texture)
{
    const bool volume = texture->shape->volume;
    for (uint32_t layer = 0; layer < (volume ? 1 : texture->depth); layer++)
        for (uint32_t level = 0; level < texture->levels; level++) {
            uint32_t size[3];
            const unsigned char *words =
                (const unsigned char *)(texture->words + sch_cli_test_level(texture, level, size));
            const size_t row_bytes = (size_t)size[0] * texture->texel_bytes, slice = row_bytes * size[1];
            for (uint32_t z = 0; z < (volume ? size[2] : 1); z++) {
                sch_cli_gobs_put(builder->memory + builder->bytes, words + slice * (volume ? z : layer), row_bytes,
                                 size[1]);
                builder->bytes += sch_cli_gobs_bytes(row_bytes, size[1]);
            }
        }
}

/* ---- headers ---- */

static void put_type(struct builder *builder, const char *type)
{
    fprintf(builder->texts.to[SCH_CLI_HEADERS],
            "R_DATA_TYPE = %s; G_DATA_TYPE = %s; B_DATA_TYPE = %s; A_DATA_TYPE = %s\n", type, type, type, type);
}

/* Coordinates are clamped to the edge, filters linear: what the files' expected words assume. */
static void put_sampler(struct builder *builder, uint32_t number)
{
    if (builder->has_sampler[number]) return;
    builder->has_sampler[number] = true;
    fprintf(builder->texts.to[SCH_CLI_SAMPLERS],
            "sampler %" PRIu32 " {\nADDRESS_U = CLAMP_TO_EDGE; ADDRESS_V = CLAMP_TO_EDGE; ADDRESS_P = CLAMP_TO_EDGE\n"
            "MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_LINEAR; MIP_FILTER = MIP_LINEAR\n"
            "MAX_LOD_CLAMP = 15; CUBEMAP_INTERFACE_FILTERING = USE_WRAP\n}\n",
            number);
}

static void put_texture(struct builder *builder, const struct sch_cli_test_memory *texture)
{
    const uint32_t depth = texture->shape->cube ? texture->depth / 6 : texture->depth;
    fprintf(builder->texts.to[SCH_CLI_HEADERS],
            "header %" PRIu32 " BLOCKLINEAR {\nADDRESS = 0x%zx; COMPONENTS = R32G32B32A32\n", texture->handle % HEADERS,
            SCH_CLI_TEST_TEXELS + builder->bytes);
    put_type(builder, texture->integers ? "SINT" : "FLOAT");
    fprintf(builder->texts.to[SCH_CLI_HEADERS],
            "TEXTURE_TYPE = %s; WIDTH = %" PRIu32 "; HEIGHT = %" PRIu32 "; DEPTH = %" PRIu32
            "; MAX_MIP_LEVEL = %" PRIu32 "; RES_VIEW_MAX_MIP_LEVEL = %" PRIu32 "\n}\n",
            texture->shape->type, texture->width, texture->height, depth, texture->levels - 1, texture->levels - 1);
    put_sampler(builder, texture->handle / HEADERS);
    put_texels(builder, texture);
}

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
    put_type(builder, "UINT");
    fprintf(builder->texts.to[SCH_CLI_HEADERS], "TEXTURE_TYPE = %s; WIDTH = %" PRIu32 "; HEIGHT = %" PRIu32 "\n}\n",
            surface->shape->type, surface->width, surface->height);
}

/* ---- all of it ---- */

static void put_all(struct builder *builder)
{
    for (uint32_t i = 0; i < builder->test->memory_count; i++) {
        const struct sch_cli_test_memory *memory = &builder->test->memories[i];
        if (memory->kind == SCH_CLI_TEST_TEXTURE)
            put_texture(builder, memory);
        else if (memory->shape)
            put_surface(builder, i);
    }
}

enum sch_cli_exit sch_cli_test_textures_make(const struct sch_cli_test *test, struct sch_context *context,
                                             struct sch_cli_test_textures *made)
{
    struct builder builder = {.test = test};
    made->context = context;
    for (uint32_t i = 0; i < test->memory_count; i++)
        if (test->memories[i].kind == SCH_CLI_TEST_TEXTURE) made->memory_bytes += texture_bytes(&test->memories[i]);
    builder.memory = made->memory = calloc(made->memory_bytes + 1, 1);
    enum sch_cli_exit exit_code = sch_cli_pools_begin(&builder.texts);
    if (!builder.memory) exit_code = sch_cli_no_memory();
    if (exit_code == SCH_CLI_YES) put_all(&builder);
    return sch_cli_pools_end(&builder.texts, exit_code, "textures", context, made->pools, made->pool_bytes);
}

void sch_cli_test_textures_release(struct sch_cli_test_textures *made)
{
    for (unsigned i = 0; i < SCH_CLI_POOLS && made->context; i++) sch_free(made->context, made->pools[i]);
    free(made->memory);
}
