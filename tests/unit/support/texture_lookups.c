/* Random lookups to the texture unit (texture_lookups.h): textures, states and lanes; and what is asked of the
 * operations and of the reference. */
#include "texture_lookups.h"

#include "block_reference.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/texture/format.h"
#include "random_number.h"

enum { GUARD = 64, GUARD_BYTE = 0xa5 };

const char *const operation_names[ASK_COUNT] = {"nearest", "linear",          "anisotropic", "reduced", "compared",
                                                "gather",  "gather-compared", "fetch",       "lod"};

static uint64_t state;

static uint32_t next(void) { return (uint32_t)(random_number(&state) >> 32); }

static int below(int limit) { return (int)(next() % (uint32_t)limit); }
static bool chance(int n) { return below(n) == 0; }
static float uniform(float low, float high) { return low + (high - low) * (float)(next() >> 8) * 0x1p-24f; }

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float nudged(float f)
{
    int steps = below(5) - 2;
    for (int i = 0; i < abs(steps); i++) f = nextafterf(f, steps < 0 ? -INFINITY : INFINITY);
    return f;
}

static float odd_float(void)
{
    static const float odd[] = {NAN,        INFINITY, -INFINITY, 0.0f,    -0.0f,      0x1p-149f,
                                -0x1p-149f, 1e-20f,   -1e-20f,   1e10f,   -1e10f,     FLT_MAX,
                                -FLT_MAX,   1.0f,     -1.0f,     0x1p23f, 8388607.5f, -4194303.75f};
    static const uint32_t nans[] = {0x7fc00007u, 0xffffffffu, 0x7f800001u};
    if (chance(5)) return ref_float(nans[below(3)]);
    return odd[below(sizeof odd / sizeof *odd)];
}

/* ---- textures ---- */

static bool filterable(const struct ref_format *format) { return !ref_format_is_integer(format) && !format->stencil; }

bool group_is_legal(const struct ref_format *format, enum operation operation)
{
    struct ref_layout layout;
    ref_layout(format, SCH_RULES_TGSI, &layout);
    switch (operation) {
    case ASK_LINEAR:
    case ASK_ANISOTROPIC:
    case ASK_REDUCED:
        return filterable(format);
    case ASK_COMPARED:
    case ASK_GATHER_COMPARED:
        return filterable(format) && layout.source[0] < REF_ZERO;
    case ASK_LOD:
        return format->number == SCH_FORMAT_R8G8B8A8_UNORM || format->number == SCH_FORMAT_R32_UINT;
    default:
        return true;
    }
}

static unsigned pick_target(enum operation operation)
{
    static const uint8_t sampled[] = {SCH_TARGET_1D,         SCH_TARGET_2D,       SCH_TARGET_RECT, SCH_TARGET_CUBE,
                                      SCH_TARGET_1D_ARRAY,   SCH_TARGET_2D_ARRAY, SCH_TARGET_CUBE, SCH_TARGET_2D,
                                      SCH_TARGET_CUBE_ARRAY, SCH_TARGET_3D};
    static const uint8_t gathered[] = {SCH_TARGET_2D, SCH_TARGET_RECT, SCH_TARGET_2D_ARRAY, SCH_TARGET_CUBE,
                                       SCH_TARGET_CUBE_ARRAY};
    static const uint8_t fetched[] = {SCH_TARGET_BUFFER, SCH_TARGET_2D_MSAA, SCH_TARGET_2D_ARRAY_MSAA};
    switch (operation) {
    case ASK_ANISOTROPIC:
        return chance(8) ? sampled[below(10)] : gathered[below(3)];
    case ASK_COMPARED:
        return sampled[below(9)];
    case ASK_GATHER:
    case ASK_GATHER_COMPARED:
        return gathered[below(5)];
    case ASK_FETCH:
        return chance(3) ? fetched[below(3)] : sampled[below(10)];
    default:
        return sampled[below(10)];
    }
}

/* Textures that may stand in compressed blocks. */
static bool ref_has_blocks(unsigned target)
{
    return ref_coordinates(target) >= 2 && target != SCH_TARGET_2D_MSAA && target != SCH_TARGET_2D_ARRAY_MSAA;
}

static bool multisampled(unsigned target) { return target == SCH_TARGET_2D_MSAA || target == SCH_TARGET_2D_ARRAY_MSAA; }

static uint32_t row_bytes(const struct ref_format *format, uint32_t width)
{
    return (width + format->block_width - 1) / format->block_width * format->bytes;
}

static void shape_levels(struct group *g, uint32_t width, uint32_t height, uint32_t depth, uint32_t levels)
{
    struct sch_texture *texture = &g->texture;
    uint64_t at[SCH_MAX_LEVELS];
    g->bytes = 0;
    texture->levels = levels;
    for (uint32_t i = 0; i < levels; i++) {
        struct sch_texture_level *level = &texture->level[i];
        level->width = width >> i ? width >> i : 1;
        level->height = height >> i ? height >> i : 1;
        level->depth = depth >> i ? depth >> i : 1;
        level->row_bytes = row_bytes(g->format, level->width);
        const uint32_t side = g->format->block_height;
        level->slice_bytes = (uint64_t)level->row_bytes * ((level->height + side - 1) / side);
        at[i] = g->bytes;
        g->bytes += level->slice_bytes * level->depth * texture->layers * texture->samples;
    }
    g->memory = malloc(g->bytes + 2 * GUARD);
    if (!g->memory) abort();
    memset(g->memory, GUARD_BYTE, GUARD);
    memset(g->memory + GUARD + g->bytes, GUARD_BYTE, GUARD);
    for (uint32_t i = 0; i < levels; i++) texture->level[i].texels = g->memory + GUARD + at[i];
}

/* Floats that filters mix without running out of range. */
static uint64_t tame_float(unsigned bits)
{
    if (bits == 32) return bits_of(chance(16) ? -0.0f : uniform(-2, 2));
    if (bits == 16) return 0x2800u + next() % 0x1800u + (next() & 0x8000u);
    return next() % (24u << (bits - 5));
}

/* Most random blocks of ASTC are errors: of these many are drawn again. */
static void make_legal(const struct ref_format *format, uint8_t *texels, size_t bytes)
{
    enum { TRIES = 8 };
    for (size_t at = 0; at < bytes; at += format->bytes)
        for (unsigned n = 0; n < TRIES; n++) {
            if (!block_is_error(format->block, texels + at, format->block_width, format->block_height)) break;
            for (unsigned i = 0; i < 4; i++) texels[at + i] = (uint8_t)(next() >> 11);
        }
}

static void fill(struct group *g)
{
    unsigned way = (unsigned)below(4);
    uint8_t *texels = g->memory + GUARD;
    for (size_t i = 0; i < g->bytes; i++) texels[i] = (uint8_t)(next() >> 11);
    for (size_t i = 0; i < g->bytes && way == 0 && chance(2); i++) texels[i] = chance(2) ? 0xff : 0;
    if (g->format->block) make_legal(g->format, texels, g->bytes);
    if (way == 1 || g->format->subsampled || g->format->single_bits || g->format->block) return;
    for (size_t at = 0; at + g->format->bytes <= g->bytes; at += g->format->bytes)
        for (unsigned c = 0; c < g->format->channels; c++)
            if (g->format->channel[c].kind == 'f' && g->format->channel[c].bits != 9)
                ref_set_channel(g->format, texels + at, c, tame_float(g->format->channel[c].bits));
}

/* Every third texture of compressed blocks is kept decoded: all tiles of every slice, one after the other. */
static void keep_decoded(struct group *g)
{
    const unsigned format = g->format->number, words = 16 * tex_formats[format].words;
    size_t tiles = 0, at = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < g->texture.levels; i++) {
            struct sch_texture_level *level = &g->texture.level[i];
            const uint32_t columns = (level->width + 3) / 4, rows = (level->height + 3) / 4;
            const uint32_t slices = level->depth * g->texture.layers;
            if (pass) level->decoded = g->decoded + at;
            for (uint32_t tile = 0; pass && tile < columns * rows * slices; tile++, at += words) {
                struct sch_texel_tile made = {{{0}}};
                sch_ops_for_width(0)->tile_decode(format, level, tile / (columns * rows), tile % columns,
                                                  tile / columns % rows, &made);
                memcpy(g->decoded + at, made.word, words * sizeof *g->decoded);
            }
            tiles += pass ? 0 : (size_t)columns * rows * slices;
        }
        if (pass == 0 && !(g->decoded = malloc(tiles * words * sizeof *g->decoded))) abort();
    }
}

static void make_texture(struct group *g)
{
    static const uint16_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 17, 31, 33};
    unsigned target = g->key.target;
    uint32_t width = sizes[below(13)], height = sizes[below(13)], depth = sizes[below(8)];
    if (chance(24) && target != SCH_TARGET_3D && !ref_is_cube(target)) {
        bool wide = chance(2);
        width = wide ? 4096u << below(3) : 1;
        height = wide ? 1 : 4096u << below(3);
    }
    g->texture.layers = 1 + (uint32_t)below(5);
    g->texture.samples = multisampled(target) ? 1u << below(5) : 1;
    if (target == SCH_TARGET_CUBE) g->texture.layers = 6;
    if (target == SCH_TARGET_CUBE_ARRAY) g->texture.layers *= 6;
    if (!ref_has_layers(target) && !ref_is_cube(target)) g->texture.layers = 1;
    if (ref_is_cube(target)) height = width;
    if (ref_coordinates(target) == 1) height = 1;
    if (target != SCH_TARGET_3D) depth = 1;
    if (width + height > 1000 && g->texture.layers > 2) g->texture.layers = 2;
    uint32_t most = 1;
    while ((width | height | depth) >> most) most++;
    bool one = multisampled(target) || target == SCH_TARGET_BUFFER || target == SCH_TARGET_RECT;
    shape_levels(g, width, height, depth, one ? 1 : chance(2) ? most : 1 + (uint32_t)below((int)most));
    g->texture.min_lod = one || !chance(4) ? 0.0f : 0.25f * (float)below(4 * (int)most + 3);
    fill(g);
    if (g->format->block && g->seed % 3 == 0) keep_decoded(g);
}

/* ---- states ---- */

static float lod_value(const struct group *g, bool *near)
{
    int levels = (int)g->texture.levels;
    *near = true;
    switch (below(8)) {
    case 0:
        return nudged((float)(below(levels + 2) - 1) + 0.5f);
    case 1:
    case 2:
        return nudged((float)(below(levels + 2) - 1));
    case 3:
    case 4:
        return nudged((float)(2 * below(256 * (levels + 2)) + 1 - 512) / 512.0f);
    case 5:
        if (chance(2)) return odd_float();
        break;
    default:
        break;
    }
    *near = false;
    return uniform(-2, (float)levels + 1);
}

static void make_values(struct group *g)
{
    bool near;
    struct sch_sampler_values *v = &g->values;
    v->lod_bias = chance(3) ? lod_value(g, &near) : 0;
    v->min_lod = chance(3) ? lod_value(g, &near) : chance(2) ? 0 : -1000;
    v->max_lod = chance(3) ? lod_value(g, &near) : 1000;
    bool integer = ref_format_is_integer(g->format);
    for (unsigned c = 0; c < 4; c++) {
        v->border[c] = integer ? next() >> below(32) : bits_of(uniform(-1.5f, 2));
        if (integer && chance(2)) v->border[c] = 0u - v->border[c];
        if (!integer && chance(6)) v->border[c] = bits_of(odd_float());
    }
}

static void make_key(struct group *g)
{
    struct sch_sampler_key *key = &g->key;
    enum operation operation = g->operation;
    key->format = g->format->number;
    do key->target = (uint8_t)pick_target(operation);
    while (g->format->block && !ref_has_blocks(key->target));
    key->rules = (uint8_t)below(3);
    unsigned wrap = (unsigned)below(8);
    for (unsigned i = 0; i < 3; i++) key->wrap[i] = (uint8_t)(chance(2) ? wrap : (unsigned)below(8));
    bool linear = operation == ASK_LINEAR || (operation != ASK_NEAREST && chance(2));
    key->min_linear = linear;
    key->mag_linear = chance(8) ? !linear : linear;
    key->mip = (uint8_t)below(3);
    key->max_anisotropy =
        operation == ASK_ANISOTROPIC || (operation == ASK_LOD && chance(2)) ? (uint8_t)(2 + below(15)) : 1;
    if (filterable(g->format) && operation >= ASK_REDUCED && operation <= ASK_COMPARED && chance(6))
        key->max_anisotropy = (uint8_t)below(9);
    bool mips = operation == ASK_ANISOTROPIC || operation == ASK_LOD;
    key->unnormalized = !ref_is_cube(key->target) && !mips && operation < ASK_FETCH && chance(8);
    for (unsigned i = 0; i < 4; i++) key->swizzle[i] = (uint8_t)(chance(4) ? (unsigned)below(6) : i);
    bool constant = key->swizzle[0] > 3 && key->swizzle[1] > 3 && key->swizzle[2] > 3 && key->swizzle[3] > 3;
    if (constant) key->swizzle[3] = 0;
    if (operation == ASK_COMPARED || operation == ASK_GATHER_COMPARED)
        key->compare = (uint8_t)(chance(8) ? 1 + below(8) : SCH_COMPARE_LESS + below(6));
    if (operation == ASK_REDUCED || (operation == ASK_COMPARED && chance(4))) key->reduction = (uint8_t)(1 + below(2));
    key->seamless = !chance(3);
}

/* ---- lanes ---- */

static const struct sch_texture_level *any_level(const struct group *g)
{
    return &g->texture.level[chance(2) ? 0 : below((int)g->texture.levels)];
}

/* Near a multiple of 1/512 of a texel (where rounding to 1/256 turns), a texel or a wrap boundary; or anywhere. */
static float coordinate(uint32_t size, bool texels, bool *near)
{
    double scale = texels ? 1.0 : 1.0 / size;
    int span = (int)size;
    *near = true;
    switch (below(16)) {
    case 0:
        return odd_float();
    case 1:
    case 2:
    case 3:
        return nudged((float)((below(4 * span + 40) - 2 * span - 20) * scale));
    case 4:
    case 5:
        return nudged((float)((below(5) - 2) * span * scale));
    case 6:
    case 7:
        return nudged((float)((below(1024 * span) - 512) * scale / 512.0));
    case 8:
        return nudged((float)((below(4 * span + 40) - 2 * span - 20 + 0.5) * scale));
    default:
        *near = false;
        return uniform(chance(3) ? -3 : 0, chance(3) ? 4 : 1) * (texels ? (float)size : 1.0f);
    }
}

/* Near an edge or a corner of the cube, a texel's boundary on a face, or anywhere. */
static void direction(uint32_t size, float at[3], bool *near)
{
    unsigned major = (unsigned)below(3), way = (unsigned)below(8);
    float scale = chance(2) ? 1.0f : uniform(0.01f, 50);
    *near = way < 5;
    for (unsigned i = 0; i < 3; i++) at[i] = uniform(-1, 1);
    if (way == 7) return;
    at[major] = chance(2) ? -1.0f : 1.0f;
    for (unsigned i = 0; i < 3; i++) {
        if (i == major) continue;
        if (way < 2) at[i] = nudged((float)((double)(2 * below((int)size + 1)) / size - 1));
        if (way == 2) at[i] = nudged(chance(2) ? -1.0f : 1.0f);
        if (way == 3) at[i] = nudged((float)((below(1024 * (int)size) / 256.0 / 2 / size) * 2 - 1));
        if (way == 4 && chance(2)) at[i] = nudged(chance(2) ? -1.0f : 1.0f);
        if (way == 5) at[i] = uniform(0.9f, 1) * (chance(2) ? -1.0f : 1.0f);
    }
    for (unsigned i = 0; i < 3; i++) at[i] *= scale;
    if (chance(12)) at[below(3)] = odd_float();
}

static void make_place(struct group *g, unsigned lane)
{
    unsigned target = g->key.target, count = ref_coordinates(target);
    const struct sch_texture_level *level = any_level(g);
    uint32_t extent[3] = {level->width, level->height, level->depth};
    bool texels = g->key.unnormalized || target == SCH_TARGET_RECT, near = false;
    float at[4] = {0, 0, 0, 0};
    if (ref_is_cube(target)) direction(level->width, at, &near);
    for (unsigned i = 0; i < count && !ref_is_cube(target); i++) {
        bool here;
        at[i] = coordinate(extent[i], texels, &here);
        near = near || here;
    }
    if (ref_has_layers(target)) {
        bool tie = chance(2);
        at[count] = tie ? nudged((float)(below(9) - 2) + 0.5f) : chance(8) ? odd_float() : uniform(-2, 7);
        near = near || tie;
    }
    for (unsigned i = 0; i < 4; i++) g->at[i].u[lane] = bits_of(at[i]);
    g->near[lane] = near;
}

/* A derivative by x or y in coordinates: its length near a step of the LOD, or any. */
static void make_step(const struct group *g, float step[3], bool *near)
{
    uint32_t size[3] = {g->texture.level[0].width, g->texture.level[0].height, g->texture.level[0].depth};
    bool texels = g->key.unnormalized || g->key.target == SCH_TARGET_RECT;
    int levels = (int)g->texture.levels;
    double length = exp2((double)uniform(-3, (float)levels + 1));
    unsigned only = chance(3) ? (unsigned)below(3) : 3;
    *near = chance(2);
    if (*near) {
        only = (unsigned)below((int)(ref_is_cube(g->key.target) ? 3 : ref_coordinates(g->key.target)));
        length = exp2((2.0 * below(256 * (levels + 2)) + 1) / 512.0 - 1);
        if (chance(3)) length = exp2(below(levels + 2) - 1 + (chance(2) ? 0.5 : 0));
    }
    double angle = (double)uniform(0, 7), part[3] = {cos(angle), sin(angle), (double)uniform(-1, 1)};
    for (unsigned i = 0; i < 3; i++) {
        if (only < 3) part[i] = i == only ? (chance(2) ? -1 : 1) : 0;
        step[i] = (float)(part[i] * length / (texels ? 1.0 : size[i]));
        if (*near) step[i] = nudged(step[i]);
        if (only < 3 && i != only) step[i] = 0;
    }
    if (chance(40)) step[below(3)] = odd_float();
}

static void make_steps(const struct group *g, float dx[3], float dy[3], bool *near)
{
    bool other;
    make_step(g, dx, near);
    make_step(g, dy, &other);
    unsigned way = (unsigned)below(8);
    float ratio = way < 4 ? exp2f(uniform(-5, 5)) : 1.0f;
    for (unsigned i = 0; i < 3; i++) {
        if (way == 0) dy[i] = dx[i] * ratio; /* parallel */
        if (way >= 1 && way < 4) dy[i] = dy[i] * ratio;
        if (way == 4) dy[i] = -dx[i];
        if (way == 5) dy[i] = 0;
    }
    if (way == 6) { /* as long as the other, and square to it */
        float width = (float)g->texture.level[0].width, height = (float)g->texture.level[0].height;
        dy[0] = -dx[1] * height / width;
        dy[1] = dx[0] * width / height;
    }
    if (way == 7) memset(dx, 0, 3 * sizeof *dx);
}

static void make_derivatives(struct group *g, unsigned quad)
{
    unsigned first = quad * SCH_QUAD_LANES;
    bool near;
    for (unsigned i = 0; i < SCH_QUAD_LANES; i++) {
        float dx[3], dy[3];
        make_steps(g, dx, dy, &near);
        for (unsigned a = 0; a < 3; a++) {
            g->ddx[a].u[first + i] = bits_of(dx[a]);
            g->ddy[a].u[first + i] = bits_of(dy[a]);
        }
        if (g->request.lod_mode == SCH_LOD_GRADIENTS) g->near[first + i] = g->near[first + i] || near;
    }
    bool implicit = g->request.lod_mode == SCH_LOD_IMPLICIT || g->request.lod_mode == SCH_LOD_BIAS;
    if (!implicit || chance(8)) return;
    for (unsigned a = 0; a < 3; a++) { /* the quad as a shader makes it */
        float base = ref_float(g->at[a].u[first]);
        g->at[a].u[first + 1] = bits_of(base + ref_float(g->ddx[a].u[first]));
        g->at[a].u[first + 2] = bits_of(base + ref_float(g->ddy[a].u[first]));
    }
    for (unsigned i = 1; i < 3 && g->request.quads; i++) g->near[first + i] = g->near[first];
}

static float reference_value(const struct group *g, bool *near)
{
    struct ref_layout layout;
    struct ref_texel texel;
    const struct sch_texture_level *level = any_level(g);
    ref_layout(g->format, g->key.rules, &layout);
    const uint32_t y = (uint32_t)below((int)level->height), x = (uint32_t)below((int)level->width);
    ref_decode(&layout, level, 0, x, y, &texel);
    float value = ref_float(texel.bits[0]);
    *near = true;
    switch (below(6)) {
    case 0:
    case 1:
        return nudged(value);
    case 2:
        if (layout.source[0] < REF_ZERO && g->format->channel[layout.source[0]].normalized)
            return nudged(((float)texel.code[0] + 0.5f) / (float)ref_greatest(&g->format->channel[layout.source[0]]));
        return value;
    case 3:
        return odd_float();
    default:
        *near = false;
        return uniform(-0.5f, 1.5f);
    }
}

static void make_lanes(struct group *g)
{
    struct sch_sample_request *r = &g->request;
    bool all = !chance(8), near;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        make_place(g, i);
        g->mask.u[i] = all || !chance(3) ? ~0u : 0;
        g->lod.u[i] = bits_of(lod_value(g, &near));
        if (r->lod_mode == SCH_LOD_EXPLICIT || r->lod_mode == SCH_LOD_BIAS) g->near[i] = g->near[i] || near;
        g->clamp.u[i] = bits_of(lod_value(g, &near));
        g->reference.u[i] = bits_of(reference_value(g, &near));
        if (g->key.compare) g->near[i] = g->near[i] || near;
        for (unsigned k = 0; k < 12; k++) {
            int32_t far[] = {32767, -32768, 40000, -40000, INT32_MAX, INT32_MIN, 255, -256};
            g->offset[k / 3][k % 3].u[i] = (uint32_t)(chance(16) ? far[below(8)] : below(16) - 8);
        }
    }
    for (unsigned q = 0; q < SCH_GROUP_LANES / SCH_QUAD_LANES; q++) make_derivatives(g, q);
}

/* ---- requests ---- */

static void make_request(struct group *g)
{
    struct sch_sample_request *r = &g->request;
    static const uint8_t derived[] = {SCH_LOD_IMPLICIT, SCH_LOD_BIAS, SCH_LOD_GRADIENTS};
    bool gather = g->operation == ASK_GATHER || g->operation == ASK_GATHER_COMPARED;
    r->lod_mode = (uint8_t)(g->operation == ASK_ANISOTROPIC ? derived[below(3)]
                            : g->operation == ASK_LOD       ? derived[below(2) * 2]
                                                            : below(5));
    r->quads = !chance(6);
    r->biased = r->lod_mode == SCH_LOD_GRADIENTS && chance(2);
    r->component = gather ? (uint8_t)below(4) : 0;
    unsigned axes = ref_coordinates(g->key.target);
    for (unsigned i = 0; i < axes; i++) r->coordinate[i] = &g->at[i];
    if (ref_has_layers(g->key.target)) r->coordinate[axes] = &g->at[axes];
    if (g->key.compare) r->reference = &g->reference;
    bool lod = r->lod_mode == SCH_LOD_EXPLICIT || r->lod_mode == SCH_LOD_BIAS || r->biased;
    if (lod) r->lod = &g->lod;
    if (!gather && chance(5)) r->min_lod = &g->clamp;
    for (unsigned i = 0; i < axes && r->lod_mode == SCH_LOD_GRADIENTS; i++) {
        r->ddx[i] = &g->ddx[i];
        r->ddy[i] = &g->ddy[i];
    }
    r->offsets = chance(2) ? 0 : gather && chance(2) ? 4 : 1;
    for (unsigned k = 0; k < r->offsets; k++)
        for (unsigned i = 0; i < axes && i < 3; i++) r->offset[k][i] = &g->offset[k][i];
    r->mask = &g->mask;
}

static uint32_t whole(uint32_t size, bool *near)
{
    *near = true;
    switch (below(6)) {
    case 0:
        return size - 1 + (uint32_t)below(3);
    case 1:
        return (uint32_t)(below(3) - 1);
    case 2:
        return chance(8) ? next() : (uint32_t)below((int)size);
    default:
        *near = false;
        return (uint32_t)below((int)size);
    }
}

static void make_fetch(struct group *g)
{
    struct sch_fetch_request *r = &g->fetch;
    unsigned target = g->key.target, axes = ref_is_cube(target) ? 2 : ref_coordinates(target);
    bool layers = ref_has_layers(target) || ref_is_cube(target), offsets = chance(2), all = !chance(8);
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
        uint32_t number = chance(8) ? (uint32_t)below(17) - 1 : (uint32_t)below((int)g->texture.levels);
        if (multisampled(target)) number = whole(g->texture.samples, &g->near[lane]);
        const struct sch_texture_level *level = &g->texture.level[number < g->texture.levels ? number : 0];
        uint32_t extent[3] = {level->width, level->height, level->depth};
        bool near;
        for (unsigned i = 0; i < axes; i++) {
            g->offset[0][i].u[lane] = (uint32_t)(below(16) - 8);
            g->at[i].u[lane] = whole(extent[i], &near) - (offsets ? g->offset[0][i].u[lane] : 0);
            g->near[lane] = g->near[lane] || near;
        }
        if (layers) g->at[axes].u[lane] = whole(g->texture.layers, &near);
        g->lod.u[lane] = number;
        g->mask.u[lane] = all || !chance(3) ? ~0u : 0;
    }
    for (unsigned i = 0; i < axes + layers; i++) r->coordinate[i] = &g->at[i];
    for (unsigned i = 0; i < axes && offsets; i++) r->offset[i] = &g->offset[0][i];
    if (target != SCH_TARGET_BUFFER && !chance(8)) r->level = &g->lod;
    r->mask = &g->mask;
}

void group_make(struct group *g, const struct ref_format *format, enum operation operation, uint64_t seed)
{
    *g = (struct group){.format = format, .operation = operation, .seed = seed};
    state = seed;
    make_key(g);
    make_texture(g);
    make_values(g);
    if (operation == ASK_FETCH) {
        make_fetch(g);
        return;
    }
    make_request(g);
    make_lanes(g);
}

void group_release(struct group *g)
{
    free(g->memory);
    free(g->decoded);
}

bool group_guards_hold(const struct group *g)
{
    for (size_t i = 0; i < GUARD; i++)
        if (g->memory[i] != GUARD_BYTE || g->memory[GUARD + g->bytes + i] != GUARD_BYTE) return false;
    return true;
}

/* ---- asking ---- */

void group_run(struct group *g, const struct sch_ops *ops, struct sch_lanes result[4])
{
    struct sch_lanes *const to[4] = {&result[0], &result[1], &result[2], &result[3]};
    g->request.tiles = g->fetch.tiles = sch_few_texel_tiles_init(&g->tiles, ops->tile_decode);
    switch (g->operation) {
    case ASK_FETCH:
        ops->fetch(&g->key, &g->texture, &g->fetch, to);
        break;
    case ASK_LOD:
        ops->lod_query(&g->key, &g->values, &g->texture, &g->request, to);
        break;
    case ASK_GATHER:
    case ASK_GATHER_COMPARED:
        ops->texture_gather(&g->key, &g->values, &g->texture, &g->request, to);
        break;
    default:
        ops->sample(&g->key, &g->values, &g->texture, &g->request, to);
    }
}

static uint32_t lane_of(const struct sch_lanes *lanes, unsigned lane) { return lanes ? lanes->u[lane] : 0; }
static float float_lane(const struct sch_lanes *lanes, unsigned lane) { return ref_float(lane_of(lanes, lane)); }

static void reference_fetch(const struct group *g, unsigned lane, uint32_t result[4])
{
    struct ref_fetch_lookup q = {.format = g->format, .texture = &g->texture, .key = &g->key};
    for (unsigned i = 0; i < 4; i++) q.at[i] = lane_of(g->fetch.coordinate[i], lane);
    for (unsigned i = 0; i < 3; i++) q.offset[i] = lane_of(g->fetch.offset[i], lane);
    q.level = lane_of(g->fetch.level, lane);
    ref_fetch(&q, result);
}

void group_lookup(const struct group *g, unsigned lane, struct ref_lookup *q)
{
    const struct sch_sample_request *r = &g->request;
    *q = (struct ref_lookup){.format = g->format,
                             .texture = &g->texture,
                             .key = &g->key,
                             .values = &g->values,
                             .lod_mode = r->lod_mode,
                             .component = r->component,
                             .offsets = r->offsets,
                             .quads = r->quads,
                             .biased = r->biased,
                             .has_clamp = r->min_lod != NULL,
                             .reference = float_lane(r->reference, lane),
                             .lod = float_lane(r->lod, lane),
                             .clamp = float_lane(r->min_lod, lane)};
    for (unsigned i = 0; i < 4; i++) q->at[i] = float_lane(r->coordinate[i], lane);
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 3; k++) q->quad[k][i] = float_lane(r->coordinate[i], (lane & ~3u) + k);
        q->ddx[i] = float_lane(r->ddx[i], lane);
        q->ddy[i] = float_lane(r->ddy[i], lane);
        for (unsigned k = 0; k < 4; k++) q->offset[k][i] = (int32_t)lane_of(r->offset[k][i], lane);
    }
}

void group_reference(const struct group *g, unsigned lane, uint32_t result[4])
{
    memset(result, 0, 4 * sizeof *result);
    if (!g->mask.u[lane]) return;
    if (g->operation == ASK_FETCH) {
        reference_fetch(g, lane, result);
        return;
    }
    struct ref_lookup q;
    group_lookup(g, lane, &q);
    if (g->operation == ASK_LOD)
        ref_lod_query(&q, result);
    else if (g->operation == ASK_GATHER || g->operation == ASK_GATHER_COMPARED)
        ref_gather(&q, result);
    else
        ref_sample(&q, result);
}

/* ---- printing ---- */

static void print_lanes(const char *name, const struct sch_lanes *lanes, unsigned lane)
{
    if (lanes) printf("#   %s %.9g (%08" PRIx32 ")\n", name, (double)ref_float(lanes->u[lane]), lanes->u[lane]);
}

void group_print(const struct group *g, unsigned lane)
{
    const struct sch_sampler_key *k = &g->key;
    const struct sch_texture *t = &g->texture;
    const struct sch_sample_request *r = &g->request;
    printf("#   repeat with: test_texture %s %s %" PRIu64 "; lane %u\n", g->format->name, operation_names[g->operation],
           g->seed, lane);
    printf("#   target %u rules %u wrap %u %u %u min %u mag %u mip %u aniso %u unnormalized %u swizzle %u%u%u%u "
           "compare %u reduction %u seamless %u\n",
           k->target, k->rules, k->wrap[0], k->wrap[1], k->wrap[2], k->min_linear, k->mag_linear, k->mip,
           k->max_anisotropy, k->unnormalized, k->swizzle[0], k->swizzle[1], k->swizzle[2], k->swizzle[3], k->compare,
           k->reduction, k->seamless);
    printf("#   size %" PRIu32 " %" PRIu32 " %" PRIu32 " layers %" PRIu32 " levels %" PRIu32 " samples %" PRIu32
           " view min_lod %g\n",
           t->level[0].width, t->level[0].height, t->level[0].depth, t->layers, t->levels, t->samples,
           (double)t->min_lod);
    printf("#   bias %a min %a max %a border %08" PRIx32 " %08" PRIx32 " %08" PRIx32 " %08" PRIx32 "\n",
           (double)g->values.lod_bias, (double)g->values.min_lod, (double)g->values.max_lod, g->values.border[0],
           g->values.border[1], g->values.border[2], g->values.border[3]);
    if (g->operation == ASK_FETCH) {
        for (unsigned i = 0; i < 4; i++) print_lanes("at", g->fetch.coordinate[i], lane);
        for (unsigned i = 0; i < 3; i++) print_lanes("offset", g->fetch.offset[i], lane);
        print_lanes("level", g->fetch.level, lane);
        return;
    }
    printf("#   lod mode %u quads %d biased %d component %u offsets %u\n", r->lod_mode, r->quads, r->biased,
           r->component, r->offsets);
    bool quad = r->quads && (r->lod_mode == SCH_LOD_IMPLICIT || r->lod_mode == SCH_LOD_BIAS);
    for (unsigned i = 0; i < 4; i++) {
        print_lanes("at", r->coordinate[i], lane);
        for (unsigned n = 0; n < 3 && quad && i < 3; n++)
            print_lanes("  of the quad", r->coordinate[i], (lane & ~3u) + n);
    }
    print_lanes("reference", r->reference, lane);
    print_lanes("lod", r->lod, lane);
    print_lanes("clamp", r->min_lod, lane);
    for (unsigned i = 0; i < 3; i++) {
        print_lanes("ddx", r->ddx[i], lane);
        print_lanes("ddy", r->ddy[i], lane);
    }
    for (unsigned n = 0; n < 12; n++) print_lanes("offset", r->offset[n / 3][n % 3], lane);
}
