/* Entries of pools (pools.h) as the text of `scheelite headers`, which the library assembles, and the texels that
 * headers lead to. Blocks are one GOB high and one slice deep. */
#include <stdlib.h>
#include <string.h>

#include "pools.h"

static const size_t largest_memory = (size_t)1 << 30;

/* ---- GOBs: 64 bytes of 8 rows (docs/maxwell.md, "Headers and samplers") ---- */

enum { WIDTH = 64, ROWS = 8, BYTES = WIDTH * ROWS, RUN = 16 };

static size_t across(size_t row_bytes) { return (row_bytes + WIDTH - 1) / WIDTH; }

static size_t gobs_bytes(size_t row_bytes, size_t rows)
{
    return across(row_bytes) * ((rows + ROWS - 1) / ROWS) * BYTES;
}

/* In a GOB: runs of 16 bytes of two rows beside each other, four such pairs below each other, and that twice. */
static size_t in_gob(size_t x, size_t y)
{
    return x / 32 % 2 * 256 + y / 2 % 4 * 64 + x / 16 % 2 * 32 + y % 2 * 16 + x % 16;
}

static void gobs_put(unsigned char *to, const unsigned char *from, size_t row_bytes, size_t rows)
{
    for (size_t y = 0; y < rows; y++)
        for (size_t x = 0; x < row_bytes; x += RUN) {
            const size_t left = row_bytes - x;
            memcpy(to + (y / ROWS * across(row_bytes) + x / WIDTH) * BYTES + in_gob(x, y), from + y * row_bytes + x,
                   left < RUN ? left : RUN);
        }
}

/* ---- words ---- */

/* A format's layout and data type; sources where they are not R, G, B and A. A trailing type is read from the name. */
static const struct {
    const char *format; /* the whole name, or the part before _UNORM and the like */
    const char *components, *sources;
    bool typed;
} layouts[] = {{"R32G32B32A32", "R32G32B32A32", "", true},
               {"R32G32B32", "R32G32B32", "", true},
               {"R16G16B16A16", "R16G16B16A16", "", true},
               {"R32G32", "R32G32", "", true},
               {"R16G16", "R16G16", "", true},
               {"R32", "R32", "", true},
               {"R16", "R16", "", true},
               {"Z32", "R32", "", true},
               {"Z16", "R16", "", true},
               {"R8", "R8", "", true},
               {"R8G8", "G8R8", "", true},
               {"R8G8B8A8", "A8B8G8R8", "", true},
               {"R8G8B8X8", "X8B8G8R8", "", true},
               {"B8G8R8A8", "A8B8G8R8", "X_SOURCE = B; Z_SOURCE = R; ", true},
               {"R10G10B10A2", "A2B10G10R10", "", true},
               {"RGTC1", "DXN1", "", true},
               {"RGTC2", "DXN2", "", true},
               {"DXT1_RGB", "DXT1", "W_SOURCE = ONE_FLOAT; ", false},
               {"DXT1_RGBA", "DXT1", "", false},
               {"DXT3_RGBA", "DXT23", "", false},
               {"DXT5_RGBA", "DXT45", "", false},
               {"BPTC_RGBA_UNORM", "BC7U", "", false},
               {"DXT1_SRGB", "DXT1", "W_SOURCE = ONE_FLOAT; ", false},
               {"DXT1_SRGBA", "DXT1", "", false},
               {"DXT3_SRGBA", "DXT23", "", false},
               {"DXT5_SRGBA", "DXT45", "", false},
               {"BPTC_SRGBA", "BC7U", "", false}};

static const char *const types[] = {"UNORM", "SNORM", "UINT", "SINT", "FLOAT", "SRGB"};
enum { TYPES = sizeof types / sizeof *types };

static bool put_format(struct sch_cli_pool_texts *texts, const char *name, const struct sch_format_info *format)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        const size_t bytes = strlen(layouts[i].format);
        const char *type = "UNORM";
        if (strncmp(name, layouts[i].format, bytes) != 0) continue;
        size_t t = TYPES;
        if (layouts[i].typed && name[bytes] == '_')
            for (t = 0; t < TYPES && strcmp(name + bytes + 1, types[t]) != 0; t++) continue;
        if (layouts[i].typed ? t == TYPES : name[bytes] != 0) continue;
        if (t < TYPES && strcmp(types[t], "SRGB") != 0) type = types[t];
        fprintf(texts->to[SCH_CLI_HEADERS],
                "COMPONENTS = %s; R_DATA_TYPE = %s; G_DATA_TYPE = %s; B_DATA_TYPE = %s; A_DATA_TYPE = %s\n%s%s\n",
                layouts[i].components, type, type, type, type, layouts[i].sources,
                format->srgb ? "S_R_G_B_CONVERSION = TRUE" : "");
        return true;
    }
    return false;
}

/* NULL: headers have no such target. */
static const char *target_type(enum sch_target target)
{
    static const char *const words[] = {[SCH_TARGET_1D] = "ONE_D",
                                        [SCH_TARGET_2D] = "TWO_D",
                                        [SCH_TARGET_RECT] = "TWO_D_NO_MIPMAP; NORMALIZED_COORDS = FALSE",
                                        [SCH_TARGET_3D] = "THREE_D",
                                        [SCH_TARGET_CUBE] = "CUBEMAP",
                                        [SCH_TARGET_1D_ARRAY] = "ONE_D_ARRAY",
                                        [SCH_TARGET_2D_ARRAY] = "TWO_D_ARRAY",
                                        [SCH_TARGET_CUBE_ARRAY] = "CUBEMAP_ARRAY"};
    return (size_t)target < sizeof words / sizeof *words ? words[target] : NULL;
}

/* ---- texels ---- */

/* More memory at the end, of zeros. */
static bool grow(struct sch_cli_pool_texts *texts, size_t bytes)
{
    if (texts->memory_bytes + bytes > texts->room) {
        const size_t room = (texts->memory_bytes + bytes) * 2;
        unsigned char *larger = realloc(texts->memory, room);
        if (!larger) return false;
        texts->memory = larger;
        texts->room = room;
    }
    memset(texts->memory + texts->memory_bytes, 0, bytes);
    texts->memory_bytes += bytes;
    return true;
}

/* Adds slice or layer `z` of a level after what is there. */
static enum sch_cli_exit put_slice(struct sch_cli_pool_texts *texts, const char *name,
                                   const struct sch_resource *resource, const struct sch_resource_info *level,
                                   uint32_t number, uint32_t z, const struct sch_format_info *format)
{
    const size_t across = (level->width + format->block_width - 1) / format->block_width,
                 rows = (level->height + format->block_height - 1) / format->block_height,
                 row_bytes = across * format->block_bytes;
    const size_t bytes = gobs_bytes(row_bytes, rows);
    const struct sch_transfer transfer = {
        .size = sizeof transfer,
        .level = number,
        .box = {.z = (int32_t)z, .width = (int32_t)level->width, .height = (int32_t)level->height, .depth = 1}};
    const size_t at = texts->memory_bytes;
    if (bytes > largest_memory - at)
        return sch_cli_fail(SCH_CLI_LIMIT, "%s: the texels need more than %zu bytes", name, largest_memory);
    unsigned char *linear = malloc(row_bytes * rows + 1);
    if (!linear || !grow(texts, bytes)) {
        free(linear);
        return sch_cli_no_memory();
    }
    const enum sch_result result = sch_resource_read(resource, &transfer, linear, row_bytes * rows, NULL);
    if (result == SCH_OK) gobs_put(texts->memory + at, linear, row_bytes, rows);
    free(linear);
    return sch_cli_result(result, NULL, name);
}

/* The levels of each layer; a level of a 3D texture has its slices one after the other. */
static enum sch_cli_exit put_texels(struct sch_cli_pool_texts *texts, const char *name,
                                    const struct sch_resource *resource, const struct sch_resource_info *is,
                                    const struct sch_format_info *format)
{
    enum sch_cli_exit exit_code = SCH_CLI_YES;
    const bool volume = is->target == SCH_TARGET_3D;
    for (uint32_t layer = 0; layer < (volume ? 1 : is->layers); layer++)
        for (uint32_t number = 0; number < is->levels && exit_code == SCH_CLI_YES; number++) {
            struct sch_resource_info level = {.size = sizeof level};
            sch_resource_get_info(resource, number, &level);
            for (uint32_t z = 0; z < (volume ? level.depth : 1) && exit_code == SCH_CLI_YES; z++)
                exit_code = put_slice(texts, name, resource, &level, number, volume ? z : layer, format);
        }
    return exit_code;
}

/* ---- samplers ---- */

/* U4.8 and S5.8 hold multiples of 1/256. */
static bool put_fraction(struct sch_cli_pool_texts *texts, const char *field, float value, float least, float most)
{
    if (!(value >= least && value <= most) || value * 256 != (float)(int)(value * 256)) return false;
    fprintf(texts->to[SCH_CLI_SAMPLERS], "%s = %.8f\n", field, (double)value);
    return true;
}

static bool put_sampler(struct sch_cli_pool_texts *texts, uint32_t number, const struct sch_cli_state *state)
{
    static const char *const wraps[] = {"WRAP",
                                        "CLAMP_OGL",
                                        "CLAMP_TO_EDGE",
                                        "BORDER",
                                        "MIRROR",
                                        "MIRROR_ONCE_CLAMP_OGL",
                                        "MIRROR_ONCE_CLAMP_TO_EDGE",
                                        "MIRROR_ONCE_BORDER"};
    static const char *const compares[] = {"LEQUAL",  "NEVER",    "LESS",   "EQUAL", "LEQUAL",
                                           "GREATER", "NOTEQUAL", "GEQUAL", "ALWAYS"};
    static const char *const reductions[] = {[SCH_REDUCTION_AVERAGE] = "RED_NONE",
                                             [SCH_REDUCTION_MINIMUM] = "RED_MINIMUM",
                                             [SCH_REDUCTION_MAXIMUM] = "RED_MAXIMUM"};
    static const uint8_t steps[] = {1, 2, 4, 6, 8, 10, 12, 16};
    static const char channels[] = "RGBA";
    const struct sch_sampler_options *is = &state->sampler;
    const uint32_t anisotropy = is->max_anisotropy ? is->max_anisotropy : 1;
    FILE *to = texts->to[SCH_CLI_SAMPLERS];
    size_t step = 0;
    while (step < sizeof steps && steps[step] != anisotropy) step++;
    if (step == sizeof steps) return false;
    fprintf(to, "sampler %u {\nADDRESS_U = %s; ADDRESS_V = %s; ADDRESS_P = %s\n", number, wraps[is->wrap_s],
            wraps[is->wrap_t], wraps[is->wrap_r]);
    fprintf(to, "MAG_FILTER = %s; MIN_FILTER = %s; MIP_FILTER = %s\n",
            is->mag_filter == SCH_FILTER_LINEAR ? "MAG_LINEAR" : "MAG_POINT",
            anisotropy > 1                        ? "MIN_ANISO"
            : is->min_filter == SCH_FILTER_LINEAR ? "MIN_LINEAR"
                                                  : "MIN_POINT",
            is->mip_filter == SCH_MIP_LINEAR    ? "MIP_LINEAR"
            : is->mip_filter == SCH_MIP_NEAREST ? "MIP_POINT"
                                                : "MIP_NONE");
    fprintf(to, "MAX_ANISOTROPY = ANISO_%u_TO_1; DEPTH_COMPARE = %s; DEPTH_COMPARE_FUNC = ZC_%s\n", steps[step],
            is->compare || state->shadow ? "TRUE" : "FALSE", compares[is->compare]);
    fprintf(to, "REDUCTION_FILTER = %s; CUBEMAP_INTERFACE_FILTERING = %s\n", reductions[is->reduction],
            is->non_seamless_cube_map ? "USE_WRAP" : "AUTO_SPAN_SEAM");
    if (is->unnormalized) fputs("FLOAT_COORD_NORMALIZATION = FORCE_UNNORMALIZED_COORDS\n", to);
    for (unsigned c = 0; c < 4; c++) {
        uint32_t bits;
        memcpy(&bits, &is->border[c], sizeof bits);
        if (is->border_is_words) bits = is->border_words[c];
        fprintf(to, "BORDER_COLOR_%c = 0x%08x\n", channels[c], bits);
    }
    if (!put_fraction(texts, "MIP_LOD_BIAS", is->lod_bias, -16, 15.99609375f) ||
        !put_fraction(texts, "MIN_LOD_CLAMP", is->min_lod, 0, 15.99609375f))
        return false;
    if (state->has_max_lod && !put_fraction(texts, "MAX_LOD_CLAMP", is->max_lod < 0 ? 0 : is->max_lod, 0, 15.99609375f))
        return false;
    fputs("}\n", to);
    return true;
}

/* ---- entries ---- */

enum sch_cli_exit sch_cli_pools_header(struct sch_cli_pool_texts *texts, uint32_t number, const char *name,
                                       const struct sch_cli_texels *texels)
{
    const struct sch_resource_info *is = &texels->is;
    struct sch_format_info format = {.size = sizeof format};
    const char *type = target_type(is->target);
    sch_format_get_info(is->format, &format);
    if (!type) return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: --tex makes no texture headers of this target", name);
    fprintf(texts->to[SCH_CLI_HEADERS], "header %u BLOCKLINEAR {\nADDRESS = 0x%zx\n", number,
            (size_t)SCH_CLI_POOL_TEXELS + texts->memory_bytes);
    if (!put_format(texts, texels->format, &format))
        return sch_cli_fail(SCH_CLI_UNSUPPORTED, "%s: --tex makes no texture headers of %s", name, texels->format);
    const bool cubes = is->target == SCH_TARGET_CUBE || is->target == SCH_TARGET_CUBE_ARRAY;
    const uint32_t depth = is->target == SCH_TARGET_3D ? is->depth : cubes ? is->layers / 6 : is->layers;
    fprintf(texts->to[SCH_CLI_HEADERS], "WIDTH = %u; HEIGHT = %u; DEPTH = %u; TEXTURE_TYPE = %s\n", is->width,
            is->height, depth, type);
    if (is->levels > 1)
        fprintf(texts->to[SCH_CLI_HEADERS], "MAX_MIP_LEVEL = %u; RES_VIEW_MAX_MIP_LEVEL = %u\n", is->levels - 1,
                is->levels - 1);
    fputs("}\n", texts->to[SCH_CLI_HEADERS]);
    return put_texels(texts, name, texels->resource, is, &format);
}

enum sch_cli_exit sch_cli_pools_sampler(struct sch_cli_pool_texts *texts, uint32_t number, const char *name,
                                        const struct sch_cli_state *state)
{
    if (put_sampler(texts, number, state)) return SCH_CLI_YES;
    return sch_cli_fail(SCH_CLI_UNSUPPORTED,
                        "%s: Maxwell's samplers have aniso 1, 2, 4, 6, 8, 10, 12 and 16, levels of detail from 0 to "
                        "15.99609375 and biases from -16, all in steps of 1/256",
                        name);
}
