/* Compressed blocks behind texture headers: a walk through block-linear memory places the blocks of a resource, and
 * Maxwell code reads of the header what lookups through the public interface read of the resource. Names of layouts,
 * their formats and block sizes are stated here from the class headers and the formats' specifications; what blocks
 * decode to is tested elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/scheelite.h>

#include "../support/random_number.h"
#include "maxwell_group.h"
#include "maxwell_walk.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { LANES = SCH_MAXWELL_GROUP_LANES, MEMORY = 1 << 22, BASE = 0x40000, ROUNDS = 3 };

static uint64_t random_state = 1;
static uint32_t random_word(void) { return (uint32_t)(random_number(&random_state) >> 32); }
static uint32_t below(uint32_t limit) { return random_word() % limit; }

/* ---- the layouts ---- */

static const struct layout {
    const char *components, *type;
    enum sch_format linear, srgb;          /* srgb NONE: it has no such form */
    uint32_t bytes, side_x, side_y, count; /* count: of its components, from R on */
} layouts[] = {
    {"DXT1", "UNORM", SCH_FORMAT_DXT1_RGBA, SCH_FORMAT_DXT1_SRGBA, 8, 4, 4, 4},
    {"DXT23", "UNORM", SCH_FORMAT_DXT3_RGBA, SCH_FORMAT_DXT3_SRGBA, 16, 4, 4, 4},
    {"DXT45", "UNORM", SCH_FORMAT_DXT5_RGBA, SCH_FORMAT_DXT5_SRGBA, 16, 4, 4, 4},
    {"DXN1", "UNORM", SCH_FORMAT_RGTC1_UNORM, SCH_FORMAT_NONE, 8, 4, 4, 1},
    {"DXN1", "SNORM", SCH_FORMAT_RGTC1_SNORM, SCH_FORMAT_NONE, 8, 4, 4, 1},
    {"DXN2", "UNORM", SCH_FORMAT_RGTC2_UNORM, SCH_FORMAT_NONE, 16, 4, 4, 2},
    {"DXN2", "SNORM", SCH_FORMAT_RGTC2_SNORM, SCH_FORMAT_NONE, 16, 4, 4, 2},
    {"BC6H_SF16", "FLOAT", SCH_FORMAT_BPTC_RGB_FLOAT, SCH_FORMAT_NONE, 16, 4, 4, 3},
    {"BC6H_UF16", "FLOAT", SCH_FORMAT_BPTC_RGB_UFLOAT, SCH_FORMAT_NONE, 16, 4, 4, 3},
    {"BC7U", "UNORM", SCH_FORMAT_BPTC_RGBA_UNORM, SCH_FORMAT_BPTC_SRGBA, 16, 4, 4, 4},
    {"ETC2_RGB", "UNORM", SCH_FORMAT_ETC2_RGB8, SCH_FORMAT_ETC2_SRGB8, 8, 4, 4, 3},
    {"ETC2_RGB_PTA", "UNORM", SCH_FORMAT_ETC2_RGB8A1, SCH_FORMAT_ETC2_SRGB8A1, 8, 4, 4, 4},
    {"ETC2_RGBA", "UNORM", SCH_FORMAT_ETC2_RGBA8, SCH_FORMAT_ETC2_SRGBA8, 16, 4, 4, 4},
    {"EAC", "UNORM", SCH_FORMAT_ETC2_R11_UNORM, SCH_FORMAT_NONE, 8, 4, 4, 1},
    {"EAC", "SNORM", SCH_FORMAT_ETC2_R11_SNORM, SCH_FORMAT_NONE, 8, 4, 4, 1},
    {"EACX2", "UNORM", SCH_FORMAT_ETC2_RG11_UNORM, SCH_FORMAT_NONE, 16, 4, 4, 2},
    {"EACX2", "SNORM", SCH_FORMAT_ETC2_RG11_SNORM, SCH_FORMAT_NONE, 16, 4, 4, 2},
#define ASTC(w, h)                                                                                                     \
    {                                                                                                                  \
        "ASTC_2D_" #w "X" #h, "UNORM", SCH_FORMAT_ASTC_##w##x##h, SCH_FORMAT_ASTC_##w##x##h##_SRGB, 16, w, h, 4        \
    }
    ASTC(4, 4),
    ASTC(5, 4),
    ASTC(5, 5),
    ASTC(6, 5),
    ASTC(6, 6),
    ASTC(8, 5),
    ASTC(8, 6),
    ASTC(8, 8),
    ASTC(10, 5),
    ASTC(10, 6),
    ASTC(10, 8),
    ASTC(10, 10),
    ASTC(12, 10),
    ASTC(12, 12),
#undef ASTC
};

/* Random bits; of ASTC half of the blocks are void extents, since most random ones are errors, all of one colour. */
static void make_blocks(const struct layout *layout, uint8_t *blocks, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) blocks[i] = (uint8_t)random_word();
    if (strncmp(layout->components, "ASTC", 4) != 0) return;
    static const uint8_t extent[8] = {0xfc, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    for (size_t at = 0; at < bytes; at += 16)
        if (below(2)) memcpy(blocks + at, extent, sizeof extent);
}

/* ---- the arrangements ---- */

static const struct arrangement {
    const char *version, *type, *parameter; /* of instructions: #paramA */
    enum sch_target target;
    unsigned axes; /* coordinates before the layer */
    bool array, cube, levels;
} arrangements[] = {
    {"BLOCKLINEAR", "TWO_D", "2D", SCH_TARGET_2D, 2, false, false, true},
    {"BLOCKLINEAR", "THREE_D", "3D", SCH_TARGET_3D, 3, false, false, true},
    {"BLOCKLINEAR", "CUBEMAP", "CUBE", SCH_TARGET_CUBE, 3, false, true, true},
    {"BLOCKLINEAR", "TWO_D_ARRAY", "ARRAY_2D", SCH_TARGET_2D_ARRAY, 2, true, false, true},
    {"BLOCKLINEAR", "CUBEMAP_ARRAY", "ARRAY_CUBE", SCH_TARGET_CUBE_ARRAY, 3, true, true, true},
    {"BLOCKLINEAR", "TWO_D_NO_MIPMAP", "2D", SCH_TARGET_2D, 2, false, false, false},
    {"BLOCKLINEAR_COLOR_KEY", "TWO_D_ARRAY", "ARRAY_2D", SCH_TARGET_2D_ARRAY, 2, true, false, true},
    {"PITCH", "TWO_D", "2D", SCH_TARGET_2D, 2, false, false, false},
    {"PITCH_COLOR_KEY", "TWO_D_NO_MIPMAP", "2D", SCH_TARGET_2D, 2, false, false, false},
};

static bool has(const struct arrangement *arrangement, const char *word)
{
    return strncmp(arrangement->version, word, strlen(word)) == 0;
}

struct world {
    struct sch_context *context;
    const struct layout *layout;
    const struct arrangement *arrangement;
    struct surface surface;
    uint32_t pitch, first; /* first: the level of memory that instructions call 0 */
    uint32_t layer;        /* that is walked */
    bool header_srgb, sampler_srgb;
    uint8_t source[4]; /* 0..3: R to A, 4: zero, 5: one */
    uint8_t *blocks, *memory;
    size_t block_bytes;
    struct sch_resource *resource;
    void *headers, *samplers;
    size_t header_bytes, sampler_bytes;
};

static void choose(struct world *world)
{
    const struct arrangement *a = world->arrangement;
    const uint32_t width = 1 + below(90), height = a->cube ? width : 1 + below(90), layers = 1 + below(3);
    const bool block_linear = has(a, "BLOCKLINEAR");
    world->surface = (struct surface){.width = width,
                                      .height = height,
                                      .depth = a->target == SCH_TARGET_3D ? 1 + below(9) : 1,
                                      .texel = world->layout->bytes,
                                      .layers = (a->cube ? 6 : 1) * (a->array ? layers : 1),
                                      .levels = 1,
                                      .bh = block_linear ? below(4) : 0,
                                      .bd = block_linear ? below(3) : 0,
                                      .tile = block_linear && !below(4) ? below(3) : 0,
                                      .side_x = world->layout->side_x,
                                      .side_y = world->layout->side_y};
    uint32_t largest = width > height ? width : height, levels = 1;
    if (world->surface.depth > largest) largest = world->surface.depth;
    while (largest >> levels) levels++;
    if (a->levels) world->surface.levels = 1 + below(levels);
    world->first = strcmp(a->version, "BLOCKLINEAR") == 0 ? below(world->surface.levels) : 0;
    world->pitch = (row_of(&world->surface, 0) + 31) / 32 * 32 + 32 * below(3);
    world->header_srgb = world->layout->srgb != SCH_FORMAT_NONE && below(2);
    world->sampler_srgb = below(4) != 0;
    for (unsigned c = 0; c < 4; c++) world->source[c] = (uint8_t)(below(3) ? c : below(6));
}

/* ---- the resource and the memory ---- */

static void make_resource(struct world *world)
{
    const struct surface *s = &world->surface;
    const struct sch_resource_options options = {.size = sizeof options,
                                                 .target = world->arrangement->target,
                                                 .format = world->layout->linear,
                                                 .width = s->width,
                                                 .height = s->height,
                                                 .depth = s->depth,
                                                 .layers = s->layers,
                                                 .levels = s->levels};
    assert_int_equal(sch_resource_create(world->context, &options, NULL, &world->resource), SCH_OK);
    world->block_bytes = sch_resource_bytes(world->resource);
    world->blocks = malloc(world->block_bytes);
    assert_non_null(world->blocks);
    make_blocks(world->layout, world->blocks, world->block_bytes);
    assert_int_equal(sch_resource_write_all(world->resource, world->blocks, world->block_bytes), SCH_OK);
}

/* Levels outermost, then layers or slices, rows, blocks (docs/texture.md, "Resources and views"). */
static size_t in_resource(const struct world *world, uint32_t level, uint32_t x, uint32_t y, uint32_t z)
{
    const struct surface *s = &world->surface;
    size_t at = 0;
    for (uint32_t l = 0; l < level; l++) at += (size_t)row_of(s, l) * rows_of(s, l) * shrunk(s->depth, l) * s->layers;
    const size_t slice = (size_t)world->layer * shrunk(s->depth, level) + z;
    return at + (slice * rows_of(s, level) + y) * row_of(s, level) + x;
}

static void place_byte(void *user, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint64_t at)
{
    const struct world *world = user;
    const struct surface *s = &world->surface;
    if (x >= row_of(s, level) || y >= rows_of(s, level) || z >= shrunk(s->depth, level)) return;
    assert_true(at < MEMORY);
    world->memory[at] = world->blocks[in_resource(world, level, x, y, z)];
}

static void place_blocks(struct world *world)
{
    for (size_t i = 0; i < MEMORY; i += 4) { /* what lies between the blocks is not 0 */
        const uint32_t word = (uint32_t)i * 2654435761u;
        memcpy(world->memory + i, &word, sizeof word);
    }
    uint64_t at = 0;
    if (has(world->arrangement, "BLOCKLINEAR")) {
        for (world->layer = 0; world->layer < world->surface.layers; world->layer++)
            at = walk_layer(&world->surface, at, place_byte, world);
        return;
    }
    world->layer = 0;
    for (uint32_t y = 0; y < rows_of(&world->surface, 0); y++)
        for (uint32_t x = 0; x < row_of(&world->surface, 0); x++)
            place_byte(world, 0, x, y, 0, (uint64_t)y * world->pitch + x);
}

/* ---- the header and the sampler ---- */

static void *assemble(struct world *world, const char *text, size_t *bytes)
{
    void *pool, *again;
    char *printed;
    size_t length, again_bytes;
    if (sch_maxwell_pool_assemble(world->context, text, strlen(text), NULL, NULL, &pool, bytes) != SCH_OK)
        fail_msg("refused: %s", text);
    if (strncmp(text, "header", 6) != 0) return pool;
    /* The text of the header makes the same bytes, and names the layout. */
    char wanted[64];
    snprintf(wanted, sizeof wanted, "  COMPONENTS = %s\n", world->layout->components);
    assert_int_equal(sch_maxwell_pool_print(world->context, pool, *bytes, NULL, NULL, &printed, &length), SCH_OK);
    if (!strstr(printed, wanted)) fail_msg("no %s in %s", wanted, printed);
    assert_int_equal(sch_maxwell_pool_assemble(world->context, printed, length, NULL, NULL, &again, &again_bytes),
                     SCH_OK);
    assert_int_equal(again_bytes, *bytes);
    assert_memory_equal(again, pool, *bytes);
    sch_free(world->context, printed);
    sch_free(world->context, again);
    return pool;
}

static void make_pools(struct world *world)
{
    static const char *const sources[] = {"R", "G", "B", "A", "ZERO", "ONE_FLOAT"};
    const struct surface *s = &world->surface;
    const struct arrangement *a = world->arrangement;
    const struct layout *layout = world->layout;
    const uint32_t depth = a->target == SCH_TARGET_3D ? s->depth : s->layers / (a->cube ? 6 : 1);
    char text[1024];
    int at = snprintf(text, sizeof text,
                      "header %s {\n  COMPONENTS = %s; TEXTURE_TYPE = %s; ADDRESS = %d\n"
                      "  R_DATA_TYPE = %s; G_DATA_TYPE = %s; B_DATA_TYPE = %s; A_DATA_TYPE = %s\n"
                      "  X_SOURCE = %s; Y_SOURCE = %s; Z_SOURCE = %s; W_SOURCE = %s; S_R_G_B_CONVERSION = %s\n"
                      "  WIDTH = %u; HEIGHT = %u; DEPTH = %u\n",
                      a->version, layout->components, a->type, BASE, layout->type, layout->type, layout->type,
                      layout->type, sources[world->source[0]], sources[world->source[1]], sources[world->source[2]],
                      sources[world->source[3]], world->header_srgb ? "TRUE" : "FALSE", s->width, s->height, depth);
    if (has(a, "PITCH"))
        at += snprintf(text + at, sizeof text - (size_t)at, "  PITCH = %u\n", world->pitch);
    else
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  GOBS_PER_BLOCK_HEIGHT = %u; GOBS_PER_BLOCK_DEPTH = %u; TILE_WIDTH_IN_GOBS = %u\n"
                       "  MAX_MIP_LEVEL = %u\n",
                       1u << s->bh, 1u << s->bd, 1u << s->tile, s->levels - 1);
    if (strcmp(a->version, "BLOCKLINEAR") == 0)
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  RES_VIEW_MIN_MIP_LEVEL = %u; RES_VIEW_MAX_MIP_LEVEL = %u\n", world->first, s->levels - 1);
    snprintf(text + at, sizeof text - (size_t)at, "}\n");
    world->headers = assemble(world, text, &world->header_bytes);
    snprintf(text, sizeof text,
             "sampler {\n  MAG_FILTER = MAG_LINEAR; MIN_FILTER = MIN_LINEAR; MIP_FILTER = MIP_LINEAR\n"
             "  CUBEMAP_INTERFACE_FILTERING = AUTO_CROSS_SEAM; S_R_G_B_CONVERSION = %s\n}\n",
             world->sampler_srgb ? "TRUE" : "FALSE");
    world->samplers = assemble(world, text, &world->sampler_bytes);
}

/* ---- the lookups ---- */

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* R4 and up: layer, texel; R8: level; R16 and up: layer, coordinates; R20: level of detail. */
enum { FETCHED = 0, TEXEL = 4, LEVEL = 8, SAMPLED = 12, AT = 16, LOD = 20 };

static void make_lookups(const struct world *world, struct maxwell_group *group, struct sch_lookup fetches[LANES],
                         struct sch_lookup samples[LANES])
{
    const struct surface *s = &world->surface;
    const struct arrangement *a = world->arrangement;
    const uint32_t seen = s->levels - world->first;
    memset(group, 0, sizeof *group);
    group->active = UINT32_MAX;
    for (unsigned i = 0; i < LANES; i++) {
        const uint32_t level = below(seen), n = world->first + level;
        const uint32_t size[3] = {shrunk(s->width, n), shrunk(s->height, n), shrunk(s->depth, n)};
        const uint32_t layer = a->array ? below(s->layers / (a->cube ? 6 : 1)) : 0;
        fetches[i] = (struct sch_lookup){.size = sizeof *fetches, .operation = SCH_LOOKUP_FETCH, .level = level};
        samples[i] = (struct sch_lookup){
            .size = sizeof *samples, .operation = SCH_LOOKUP_SAMPLE_L, .lod = (float)below(64 * seen) / 64};
        for (unsigned c = 0; c < a->axes; c++) {
            fetches[i].texel[c] = below(size[c] + (below(8) == 0)); /* a few outside */
            samples[i].at[c] = (float)(int)(below(4096) - 2048) / 1024;
            group->registers[TEXEL + a->array + c][i] = fetches[i].texel[c];
            group->registers[AT + a->array + c][i] = bits_of(samples[i].at[c]);
        }
        if (a->array) {
            fetches[i].texel[a->axes] = layer;
            samples[i].at[a->axes] = (float)layer;
            group->registers[TEXEL][i] = group->registers[AT][i] = layer;
        }
        group->registers[LEVEL][i] = level;
        group->registers[LOD][i] = bits_of(samples[i].lod);
    }
}

static void run_code(const struct world *world, struct maxwell_group *group)
{
    static const uint32_t constants[1] = {0};
    char text[256];
    const char *parameter = world->arrangement->parameter;
    int at = 0;
    if (!world->arrangement->cube) /* cubes are not loaded from */
        at = snprintf(text, sizeof text, "TLD.LL R%d, R%d, R%d, 0x0, %s, 0xf;\n", FETCHED, TEXEL, LEVEL, parameter);
    snprintf(text + at, sizeof text - (size_t)at, "TEX.LL R%d, R%d, R%d, 0x0, %s, 0xf;\n", SAMPLED, AT, LOD, parameter);
    const struct maxwell_environment environment = {.machine = {.size = sizeof environment.machine,
                                                                .headers = world->headers,
                                                                .header_bytes = world->header_bytes,
                                                                .samplers = world->samplers,
                                                                .sampler_bytes = world->sampler_bytes,
                                                                .memory = world->memory,
                                                                .memory_bytes = MEMORY,
                                                                .memory_address = BASE},
                                                    .constants = constants,
                                                    .constant_count = 1};
    struct sch_shader *program;
    struct sch_diagnostics_list *list;
    assert_int_equal(sch_diagnostics_create(world->context, &list), SCH_OK);
    assert_int_equal(maxwell_read(world->context, text, strlen(text), NULL, NULL, &program), SCH_OK);
    if (maxwell_run(world->context, program, &environment, group, list) != SCH_OK) {
        struct sch_diagnostic_info first = {.size = sizeof first};
        assert_true(sch_diagnostics_get(list, 0, &first));
        fail_msg("%s, %s: %s", world->layout->components, world->arrangement->type, first.message);
    }
    sch_shader_destroy(program);
    sch_diagnostics_destroy(list);
}

/* What a source reads of the format; components that the layout does not have are 0, A is 1. */
static uint8_t swizzle_of(const struct world *world, unsigned c)
{
    const uint8_t source = world->source[c];
    if (source >= 4 || source < world->layout->count) return source;
    return source == 3 ? 5 : 4;
}

/* The same of the resource, in the layout's format. */
static void run_lookups(const struct world *world, bool srgb, const struct sch_lookup lookups[LANES],
                        uint32_t answers[LANES][4])
{
    const struct sch_view_options view_options = {
        .size = sizeof view_options,
        .swizzle = {swizzle_of(world, 0), swizzle_of(world, 1), swizzle_of(world, 2), swizzle_of(world, 3)},
        .swizzled = true,
        .format = srgb ? world->layout->srgb : world->layout->linear,
        .first_level = world->first};
    const struct sch_sampler_options sampler_options = {.size = sizeof sampler_options,
                                                        .wrap_s = SCH_WRAP_REPEAT,
                                                        .wrap_t = SCH_WRAP_REPEAT,
                                                        .wrap_r = SCH_WRAP_REPEAT,
                                                        .min_filter = SCH_FILTER_LINEAR,
                                                        .mag_filter = SCH_FILTER_LINEAR,
                                                        .mip_filter = SCH_MIP_LINEAR,
                                                        .rules = SCH_RULES_MAXWELL};
    struct sch_view *view;
    struct sch_sampler *sampler;
    assert_int_equal(sch_view_create(world->resource, &view_options, &view), SCH_OK);
    assert_int_equal(sch_sampler_create(world->context, &sampler_options, NULL, &sampler), SCH_OK);
    assert_int_equal(sch_lookup_run(view, sampler, lookups, LANES, 0, answers), SCH_OK);
    sch_sampler_destroy(sampler);
    sch_view_destroy(view);
}

static unsigned compare(const struct world *world, const struct maxwell_group *group, unsigned first,
                        uint32_t answers[LANES][4], const char *what)
{
    const struct surface *s = &world->surface;
    unsigned lively = 0;
    for (unsigned i = 0; i < LANES; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (group->registers[first + c][i] != answers[i][c])
                fail_msg("%s %s %s %s %ux%ux%u, lane %u component %u %s: 0x%08x, not 0x%08x", world->layout->components,
                         world->layout->type, world->arrangement->version, world->arrangement->type, s->width,
                         s->height, s->depth, i, c, what, group->registers[first + c][i], answers[i][c]);
            lively += answers[i][c] != 0 && answers[i][c] != 0x3f800000;
        }
    return lively;
}

/* How many results were neither 0 nor 1. */
static unsigned check(const struct layout *layout, const struct arrangement *arrangement, uint8_t *memory)
{
    static struct maxwell_group group;
    struct world world = {.layout = layout, .arrangement = arrangement, .memory = memory};
    struct sch_lookup fetches[LANES], samples[LANES];
    uint32_t answers[LANES][4];
    assert_int_equal(sch_context_create(NULL, &world.context), SCH_OK);
    choose(&world);
    make_resource(&world);
    place_blocks(&world);
    make_pools(&world);
    make_lookups(&world, &group, fetches, samples);
    run_code(&world, &group);
    unsigned lively = 0;
    if (!arrangement->cube) { /* TLD has no sampler: the header's word alone counts */
        run_lookups(&world, world.header_srgb, fetches, answers);
        lively += compare(&world, &group, FETCHED, answers, "fetched");
    }
    run_lookups(&world, world.header_srgb && world.sampler_srgb, samples, answers);
    lively += compare(&world, &group, SAMPLED, answers, "sampled");
    sch_free(world.context, world.headers);
    sch_free(world.context, world.samplers);
    sch_resource_destroy(world.resource);
    free(world.blocks);
    sch_context_destroy(world.context);
    return lively;
}

static void blocks_behind_headers_are_those_of_resources(void **state)
{
    (void)state;
    unsigned checked = 0;
    uint8_t *memory = malloc(MEMORY);
    assert_non_null(memory);
    for (unsigned i = 0; i < COUNT(layouts); i++) {
        unsigned lively = 0;
        for (unsigned k = 0; k < COUNT(arrangements) * ROUNDS; k++, checked++)
            lively += check(&layouts[i], &arrangements[k % COUNT(arrangements)], memory);
        /* Not all of one colour, or outside. */
        if (lively < 500) fail_msg("%s: %u results say something", layouts[i].components, lively);
    }
    printf("# %u headers\n", checked);
    free(memory);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_behind_headers_are_those_of_resources),
    };
    return cmocka_run_group_tests_name("maxwell_blocks", tests, NULL, NULL);
}
