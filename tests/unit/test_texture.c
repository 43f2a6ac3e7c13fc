/* The texture unit's lookups against a plain scalar reference, written from the rules in integers and exact fractions
 * (texture_reference.c), at every level of src/ops; and the checks of src/texture. Random questions, half of them
 * within two floats of a place where the answer changes. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ops/ops.h"
#include "texture/texture.h"
#include "texture_reference.h"

static uint64_t seed;

static uint32_t next(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static int below(int limit) { return (int)(next() % (uint32_t)limit); }

/* From low to high, 24 bits fine. */
static float uniform(float low, float high) { return low + (high - low) * (float)(next() >> 8) * 0x1p-24f; }

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float float_of(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* ---- textures: memory of the exact size, so that a checker sees any load outside ------------------ */

static const struct ref_format formats[] = {
    {SCH_FORMAT_R8G8B8A8_UNORM, "R8G8B8A8_UNORM", 4, {0, 1, 2, 3}},
    {SCH_FORMAT_B8G8R8A8_UNORM, "B8G8R8A8_UNORM", 4, {2, 1, 0, 3}},
    {SCH_FORMAT_R8G8B8X8_UNORM, "R8G8B8X8_UNORM", 4, {0, 1, 2, REF_ONE}},
    {SCH_FORMAT_R8G8_UNORM, "R8G8_UNORM", 2, {0, 1, REF_ZERO, REF_ONE}},
    {SCH_FORMAT_R8_UNORM, "R8_UNORM", 1, {0, REF_ZERO, REF_ZERO, REF_ONE}},
    {SCH_FORMAT_A8_UNORM, "A8_UNORM", 1, {REF_ZERO, REF_ZERO, REF_ZERO, 0}},
    {SCH_FORMAT_L8A8_UNORM, "L8A8_UNORM", 2, {0, 0, 0, 1}},
    {SCH_FORMAT_A8R8G8B8_UNORM, "A8R8G8B8_UNORM", 4, {1, 2, 3, 0}},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static const uint32_t sizes[][2] = {{1, 1},   {2, 2},    {5, 7},     {16, 16}, {3, 1},     {1, 4},
                                    {13, 64}, {255, 17}, {256, 128}, {100, 3}, {16384, 1}, {2, 16384}};
enum { SIZES = sizeof sizes / sizeof *sizes };

struct image {
    const struct ref_format *format;
    struct sch_texture texture;
    uint8_t *memory;
};

static void make_image(struct image *image, const struct ref_format *format, uint32_t width, uint32_t height,
                       uint32_t levels)
{
    *image = (struct image){.format = format, .texture = {.levels = levels, .samples = 1}};
    size_t bytes = 0, at = 0;
    for (uint32_t i = 0; i < levels; i++) {
        struct sch_texture_level *level = &image->texture.level[i];
        level->width = width >> i ? width >> i : 1;
        level->height = height >> i ? height >> i : 1;
        level->depth = 1;
        level->row_bytes = level->width * format->bytes;
        level->slice_bytes = (uint64_t)level->row_bytes * level->height;
        bytes += level->slice_bytes;
    }
    image->memory = malloc(bytes);
    assert_non_null(image->memory);
    for (size_t i = 0; i < bytes; i++) image->memory[i] = (uint8_t)(next() >> 11);
    for (uint32_t i = 0; i < levels; i++) {
        image->texture.level[i].texels = image->memory + at;
        at += image->texture.level[i].slice_bytes;
    }
}

static uint32_t all_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    while ((width | height) >> levels) levels++;
    return levels;
}

/* ---- one group of lanes ------------------------------------------------------------------------------ */

struct group {
    struct sch_sampler_key key;
    struct sch_sampler_values values;
    struct sch_sample_request request;
    struct sch_lanes at[2], lod, ddx[2], ddy[2], mask;
};

static const char *const wrap_names[8] = {
    "repeat",        "clamp",        "clamp_to_edge",        "clamp_to_border",
    "mirror_repeat", "mirror_clamp", "mirror_clamp_to_edge", "mirror_clamp_to_border"};

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
    static const uint32_t odd_bits[] = {0x7fc00007u, 0xffffffffu, 0x7f800001u}; /* NaNs with a payload */
    if (below(5) == 0) return float_of(odd_bits[below(3)]);
    return odd[below(sizeof odd / sizeof *odd)];
}

/* Near a multiple of 1/512 of a texel (where rounding to 1/256 turns), a texel boundary or a wrap boundary; or
 * anywhere. */
static float random_coordinate(uint32_t size, bool texels)
{
    double scale = texels ? 1.0 : 1.0 / size;
    int span = (int)size;
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
        return nudged((float)((below(8 * span + 80) - 4 * span - 40) * 0.5 * scale));
    case 8:
    case 9:
    case 10:
        return nudged((float)((((double)next() * 0x1p-32 - 0.5) * 4 * 512 * span) * scale / 512));
    case 11:
        return nudged((float)((below(1024 * span) - 512 * span) * scale / 512));
    default:
        return (float)(uniform(-2.5f, 2.5f) * span * scale);
    }
}

/* A quad's four coordinates: apart by about 2^-4 to 2^4 texels. */
static void random_quad(struct group *group, unsigned quad, const struct sch_texture *texture, bool texels)
{
    for (unsigned axis = 0; axis < 2; axis++) {
        uint32_t size = axis ? texture->level[0].height : texture->level[0].width;
        float first = random_coordinate(size, texels);
        float step = ldexpf(uniform(-1.0f, 1.0f), below(9) - 4) / (texels ? 1.0f : (float)size);
        float other = ldexpf(uniform(-1.0f, 1.0f), below(9) - 4) / (texels ? 1.0f : (float)size);
        const float values[4] = {first, first + step, first + other, first + step + other};
        for (unsigned i = 0; i < 4; i++) group->at[axis].u[4 * quad + i] = bits_of(values[i]);
    }
}

static void random_lanes(struct group *group, const struct sch_texture *texture, bool texels)
{
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
        for (unsigned axis = 0; axis < 2; axis++) {
            uint32_t size = axis ? texture->level[0].height : texture->level[0].width;
            group->at[axis].u[lane] = bits_of(random_coordinate(size, texels));
            float scale = texels ? 1.0f : 1.0f / (float)size;
            group->ddx[axis].u[lane] = bits_of(ldexpf(uniform(-1.0f, 1.0f), below(12) - 4) * scale);
            group->ddy[axis].u[lane] = bits_of(ldexpf(uniform(-1.0f, 1.0f), below(12) - 4) * scale);
        }
        float lod = below(3) ? uniform(-2.0f, 8.0f) : nudged((float)(below(4096) - 1024) / 512.0f);
        group->lod.u[lane] = bits_of(below(40) ? lod : odd_float());
        group->mask.u[lane] = below(8) ? UINT32_MAX : 0;
        if (below(64) == 0) group->ddx[0].u[lane] = bits_of(odd_float());
    }
    if (group->request.quads && below(4))
        for (unsigned quad = 0; quad < SCH_GROUP_LANES / 4; quad++) random_quad(group, quad, texture, texels);
}

static void random_state(struct group *group, const struct image *image)
{
    static const float clamps[] = {0.0f, -1000.0f, 1.5f, 0.25f, 1000.0f, 3.0f, INFINITY};
    struct sch_sampler_key *key = &group->key;
    *key = (struct sch_sampler_key){.format = image->format->number, .target = SCH_TARGET_2D};
    if (image->texture.levels == 1 && below(4) == 0) key->target = SCH_TARGET_RECT;
    key->unnormalized = key->target == SCH_TARGET_2D && image->texture.levels == 1 && below(8) == 0;
    for (unsigned i = 0; i < 3; i++) key->wrap[i] = (uint8_t)below(8);
    key->min_linear = (uint8_t)below(2);
    key->mag_linear = below(3) ? key->min_linear : (uint8_t)below(2);
    key->mip = (uint8_t)(image->texture.levels > 1 ? below(3) : 0);
    for (unsigned i = 0; i < 4; i++) key->swizzle[i] = below(4) ? (uint8_t)i : (uint8_t)below(6);
    group->values = (struct sch_sampler_values){.lod_bias = below(2) ? 0 : uniform(-2.0f, 2.0f),
                                                .min_lod = below(3) ? 0 : clamps[below(4)],
                                                .max_lod = below(3) ? 1000.0f : clamps[below(7)]};
    for (unsigned i = 0; i < 4; i++)
        group->values.border[i] = bits_of(below(16) ? uniform(-0.25f, 1.25f) : odd_float());

    struct sch_sample_request *request = &group->request;
    *request = (struct sch_sample_request){.lod_mode = (uint8_t)below(5),
                                           .quads = below(4) != 0,
                                           .coordinate = {&group->at[0], &group->at[1]},
                                           .lod = &group->lod,
                                           .ddx = {&group->ddx[0], &group->ddx[1]},
                                           .ddy = {&group->ddy[0], &group->ddy[1]},
                                           .mask = &group->mask};
    for (unsigned i = 0; i < 2; i++)
        request->offset[i] = (int8_t)(below(2) ? 0 : below(4) ? below(16) - 8 : below(256) - 128);
}

/* ---- the sampling test --------------------------------------------------------------------------------- */

static struct {
    unsigned wrap_filter[8][2], wrap_border[8][2], format_filter[FORMATS][2], modes[5], mips[3], offsets, in_texels;
    unsigned questions, distinct[8][2];
} visits;

static void print_visits(void)
{
    printf("# visits: wrap mode, nearest, of it border, linear, with border, different results\n");
    for (unsigned w = 0; w < 8; w++) {
        printf("#   %-24s %7u %7u %7u %7u %7u %7u\n", wrap_names[w], visits.wrap_filter[w][0], visits.wrap_border[w][0],
               visits.wrap_filter[w][1], visits.wrap_border[w][1], visits.distinct[w][0], visits.distinct[w][1]);
        for (unsigned f = 0; f < 2; f++) {
            assert_true(visits.wrap_filter[w][f] >= 100);
            assert_true(visits.distinct[w][f] >= 50);
        }
    }
    for (unsigned f = 0; f < FORMATS; f++) {
        printf("#   %-24s %7u nearest %7u linear\n", formats[f].name, visits.format_filter[f][0],
               visits.format_filter[f][1]);
        assert_true(visits.format_filter[f][0] >= 100 && visits.format_filter[f][1] >= 100);
    }
    printf("#   lod implicit %u, bias %u, explicit %u, zero %u, gradients %u; mip none %u, nearest %u, linear %u\n",
           visits.modes[0], visits.modes[1], visits.modes[2], visits.modes[3], visits.modes[4], visits.mips[0],
           visits.mips[1], visits.mips[2]);
    printf("#   with offset %u, in texels %u; %u questions in all\n", visits.offsets, visits.in_texels,
           visits.questions);
    assert_true(visits.questions >= 100000);
}

static void count_visit(const struct group *group, const struct image *image, const struct ref_answer *answer)
{
    static uint32_t last[8];
    visits.questions++;
    for (unsigned axis = 0; axis < 2; axis++) {
        unsigned wrap = group->key.wrap[axis];
        visits.wrap_filter[wrap][answer->linear]++;
        visits.wrap_border[wrap][answer->linear] += answer->border;
        uint32_t sum = answer->bits[0] ^ answer->bits[1] * 3 ^ answer->bits[2] * 5 ^ answer->bits[3] * 7;
        visits.distinct[wrap][answer->linear] += sum != last[wrap];
        last[wrap] = sum;
    }
    visits.format_filter[image->format - formats][answer->linear]++;
    visits.modes[group->request.lod_mode]++;
    visits.mips[group->key.mip]++;
    visits.offsets += group->request.offset[0] || group->request.offset[1];
    visits.in_texels += group->key.unnormalized || group->key.target == SCH_TARGET_RECT;
}

static struct ref_question lane_question(const struct group *group, const struct image *image, unsigned lane)
{
    struct ref_question q = {.format = image->format,
                             .texture = &image->texture,
                             .key = &group->key,
                             .lod_bias = group->values.lod_bias,
                             .min_lod = group->values.min_lod,
                             .max_lod = group->values.max_lod,
                             .lod_mode = group->request.lod_mode,
                             .lod = float_of(group->lod.u[lane])};
    unsigned first = lane & ~3u;
    for (unsigned axis = 0; axis < 2; axis++) {
        q.at[axis] = float_of(group->at[axis].u[lane]);
        q.offset[axis] = group->request.offset[axis];
        if (group->request.lod_mode == SCH_LOD_GRADIENTS) {
            q.dx[axis] = float_of(group->ddx[axis].u[lane]);
            q.dy[axis] = float_of(group->ddy[axis].u[lane]);
        } else if (group->request.quads) {
            float origin = float_of(group->at[axis].u[first]);
            q.dx[axis] = float_of(group->at[axis].u[first + 1]) - origin;
            q.dy[axis] = float_of(group->at[axis].u[first + 2]) - origin;
        }
    }
    for (unsigned i = 0; i < 4; i++) q.border[i] = float_of(group->values.border[i]);
    return q;
}

static void check_group(const struct group *group, const struct image *image)
{
    static const uint32_t zero[4];
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    static struct ref_answer expected[SCH_GROUP_LANES];
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
        struct ref_question q = lane_question(group, image, lane);
        ref_sample(&q, &expected[lane]);
        if (group->mask.u[lane]) count_visit(group, image, &expected[lane]);
    }
    for (unsigned i = 0; i < levels; i++) {
        struct sch_lanes result[4];
        struct sch_lanes *const to[4] = {&result[0], &result[1], &result[2], &result[3]};
        memset(result, 0xa5, sizeof result);
        ops[i]->sample(&group->key, &group->values, &image->texture, &group->request, to);
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            const uint32_t *want = group->mask.u[lane] ? expected[lane].bits : zero;
            for (unsigned c = 0; c < 4; c++) {
                if (result[c].u[lane] == want[c]) continue;
                print_message(
                    "%s: lane %u component %u: %08x, not %08x; %ux%u %s wrap %s %s min %u mag %u mip %u mode %u "
                    "at %a %a offset %d %d\n",
                    ops[i]->name, lane, c, result[c].u[lane], want[c], image->texture.level[0].width,
                    image->texture.level[0].height, image->format->name, wrap_names[group->key.wrap[0]],
                    wrap_names[group->key.wrap[1]], group->key.min_linear, group->key.mag_linear, group->key.mip,
                    group->request.lod_mode, (double)float_of(group->at[0].u[lane]),
                    (double)float_of(group->at[1].u[lane]), group->request.offset[0], group->request.offset[1]);
                fail();
            }
        }
    }
}

static void answers_as_the_reference(void **state)
{
    (void)state;
    enum { GROUPS = 60 };
    seed = 20;
    for (unsigned s = 0; s < SIZES; s++)
        for (unsigned f = 0; f < FORMATS; f++) {
            struct image image;
            uint32_t levels = f & 1 ? 1 : all_levels(sizes[s][0], sizes[s][1]);
            make_image(&image, &formats[f], sizes[s][0], sizes[s][1], levels);
            for (unsigned i = 0; i < GROUPS; i++) {
                static struct group group;
                random_state(&group, &image);
                random_lanes(&group, &image.texture, group.key.unnormalized || group.key.target == SCH_TARGET_RECT);
                check_group(&group, &image);
            }
            free(image.memory);
        }
    print_visits();
}

/* ---- steps, codes, corners ------------------------------------------------------------------------------- */

/* Every step of the level of detail: derivatives whose rho^2 is around 2^((2k + 1) / 256), seen as the weight between
 * two levels. Along one axis, and with both axes adding to it, where each rounding of the sum counts. */
static void finds_every_lod_step(void **state)
{
    (void)state;
    seed = 3;
    struct image image;
    make_image(&image, &formats[4], 16384, 1, 15);
    static struct group group;
    random_state(&group, &image);
    group.key.unnormalized = 0;
    group.key.target = SCH_TARGET_2D;
    group.key.mip = 2;
    group.values = (struct sch_sampler_values){.max_lod = 1000.0f, .min_lod = -1000.0f};
    group.request.lod_mode = SCH_LOD_GRADIENTS;
    for (int k = -20; k < 14 * 128; k++) {
        double step = pow(2.0, (2 * k + 1) / 256.0);
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            double t = lane < 16 ? 0.0 : (float)(sqrt(step) * uniform(0.1f, 0.9f));
            float s = (float)(sqrt(step - t * t) / 16384.0);
            for (unsigned i = 0; i < lane % 16 / 2; i++) s = nextafterf(s, lane & 1 ? INFINITY : 0.0f);
            group.ddx[0].u[lane] = bits_of(s);
            group.ddx[1].u[lane] = bits_of((float)t);
            group.ddy[0].u[lane] = group.ddy[1].u[lane] = 0;
            group.at[0].u[lane] = bits_of(0.3f);
            group.at[1].u[lane] = bits_of(0.5f);
            group.mask.u[lane] = UINT32_MAX;
        }
        check_group(&group, &image);
    }
    free(image.memory);
}

/* However far a coordinate is outside, an offset of its largest size does not bring it back. */
static void keeps_far_coordinates_far(void **state)
{
    (void)state;
    static const float far[] = {1e10f,     -1e10f, FLT_MAX, -FLT_MAX, INFINITY,
                                -INFINITY, 150.0f, -150.0f, 128.5f,   -127.5f};
    seed = 7;
    struct image image;
    make_image(&image, &formats[0], 1, 1, 1);
    static struct group group;
    for (int wrap = 0; wrap < 8; wrap++)
        for (int offset = -128; offset < 128; offset++)
            for (unsigned filter = 0; filter < 2; filter++) {
                random_state(&group, &image);
                group.key.wrap[0] = group.key.wrap[1] = (uint8_t)wrap;
                group.key.min_linear = group.key.mag_linear = (uint8_t)filter;
                group.request.offset[0] = (int8_t)offset;
                group.request.offset[1] = (int8_t)(-1 - offset);
                for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
                    for (unsigned axis = 0; axis < 2; axis++) group.at[axis].u[lane] = bits_of(far[below(10)]);
                    group.mask.u[lane] = UINT32_MAX;
                }
                check_group(&group, &image);
            }
    free(image.memory);
}

/* All 256 codes give c / 255 correctly rounded by nearest filtering; linear filtering and mixing two levels leave a
 * constant texture constant. */
static void decodes_every_code(void **state)
{
    (void)state;
    seed = 4;
    struct image image;
    make_image(&image, &formats[0], 4, 4, 3);
    static struct group group;
    for (unsigned code = 0; code < 256; code++) {
        memset(image.memory, (int)code, 84);
        for (unsigned kind = 0; kind < 8; kind++) {
            uint8_t linear = kind & 1;
            group.key = (struct sch_sampler_key){.format = SCH_FORMAT_R8G8B8A8_UNORM,
                                                 .target = SCH_TARGET_2D,
                                                 .min_linear = linear,
                                                 .mag_linear = linear,
                                                 .mip = kind > 1 ? 2 : 0,
                                                 .wrap = {SCH_WRAPS_MIRROR_REPEAT, SCH_WRAPS_CLAMP_TO_EDGE},
                                                 .swizzle = {0, 1, 2, 3}};
            group.values = (struct sch_sampler_values){.max_lod = 1000.0f};
            group.request = (struct sch_sample_request){.lod_mode = SCH_LOD_EXPLICIT,
                                                        .lod = &group.lod,
                                                        .coordinate = {&group.at[0], &group.at[1]},
                                                        .mask = &group.mask};
            random_lanes(&group, &image.texture, false);
            for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) group.lod.u[lane] = bits_of(uniform(0.0f, 2.0f));
            struct sch_lanes result[4];
            struct sch_lanes *const to[4] = {&result[0], &result[1], &result[2], &result[3]};
            sch_ops_for_width(0)->sample(&group.key, &group.values, &image.texture, &group.request, to);
            uint32_t want = ref_quotient(code, 255);
            for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++)
                for (unsigned c = 0; c < 4; c++) assert_int_equal(result[c].u[lane], group.mask.u[lane] ? want : 0);
        }
    }
    free(image.memory);
}

/* Unbound views, and lanes that are off, load nothing. */
static void loads_nothing_for_nobody(void **state)
{
    (void)state;
    seed = 5;
    unsigned levels;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    struct image image;
    make_image(&image, &formats[0], 8, 8, 1);
    static struct group group;
    for (unsigned round = 0; round < 200; round++) {
        random_state(&group, &image);
        random_lanes(&group, &image.texture, false);
        struct sch_texture texture = image.texture;
        if (round & 1) {
            memset(&group.mask, 0, sizeof group.mask);
            texture.level[0].texels = NULL;
        } else {
            memset(&texture, 0, sizeof texture);
        }
        for (unsigned i = 0; i < levels; i++) {
            struct sch_lanes result[4], zero = {0};
            struct sch_lanes *const to[4] = {&result[0], &result[1], &result[2], &result[3]};
            memset(result, 0xa5, sizeof result);
            ops[i]->sample(&group.key, &group.values, &texture, &group.request, to);
            for (unsigned c = 0; c < 4; c++) assert_memory_equal(&result[c], &zero, sizeof zero);
            struct sch_fetch_request fetch = {.coordinate = {&group.at[0], &group.at[1]}, .mask = &group.mask};
            memset(result, 0xa5, sizeof result);
            ops[i]->fetch(&group.key, &texture, &fetch, to);
            for (unsigned c = 0; c < 4; c++) assert_memory_equal(&result[c], &zero, sizeof zero);
        }
    }
    free(image.memory);
}

static uint32_t random_index(uint32_t size)
{
    switch (below(4)) {
    case 0:
        return next();
    case 1:
        return size - 2 + (uint32_t)below(5);
    case 2:
        return (uint32_t)(below(5) - 2);
    default:
        return next() % size;
    }
}

static void fetches_as_the_reference(void **state)
{
    (void)state;
    seed = 6;
    unsigned levels, inside = 0, outside = 0;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned round = 0; round < 1200; round++) {
        const uint32_t *size = sizes[round % SIZES];
        struct image image;
        uint32_t count = round & 16 ? 1 : all_levels(size[0], size[1]);
        make_image(&image, &formats[round % FORMATS], size[0] < 300 ? size[0] : 300, size[1] < 300 ? size[1] : 300,
                   count > 8 ? 8 : count);
        static struct group group;
        random_state(&group, &image);
        if (below(4) == 0) group.key.rules = SCH_RULES_D3D;
        struct sch_fetch_request fetch = {.offset = {group.request.offset[0], group.request.offset[1]},
                                          .coordinate = {&group.at[0], &group.at[1]},
                                          .mask = &group.mask,
                                          .level = below(4) ? &group.lod : NULL};
        for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
            group.lod.u[lane] = below(8) ? (uint32_t)below(3) : next();
            uint32_t at = fetch.level && group.lod.u[lane] < image.texture.levels ? group.lod.u[lane] : 0;
            group.at[0].u[lane] = random_index(image.texture.level[at].width) - (uint32_t)fetch.offset[0];
            group.at[1].u[lane] = random_index(image.texture.level[at].height) - (uint32_t)fetch.offset[1];
            group.mask.u[lane] = below(8) ? UINT32_MAX : 0;
        }
        for (unsigned i = 0; i < levels; i++) {
            struct sch_lanes result[4];
            struct sch_lanes *const to[4] = {&result[0], &result[1], &result[2], &result[3]};
            ops[i]->fetch(&group.key, &image.texture, &fetch, to);
            for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) {
                uint32_t want[4] = {0};
                if (group.mask.u[lane]) {
                    bool in = ref_fetch(image.format, &image.texture, &group.key, group.at[0].u[lane],
                                        group.at[1].u[lane], fetch.offset, fetch.level ? group.lod.u[lane] : 0, want);
                    inside += in, outside += !in;
                }
                for (unsigned c = 0; c < 4; c++) assert_int_equal(result[c].u[lane], want[c]);
            }
        }
        free(image.memory);
    }
    printf("# fetches inside %u, outside %u, at %u levels\n", inside, outside, levels);
    assert_true(inside > 10000 && outside > 10000);
}

/* ---- src/texture ------------------------------------------------------------------------------------------- */

static enum sch_status create(struct sch_resource_shape shape, size_t limit, unsigned *code)
{
    struct sch_diagnostics list;
    sch_diagnostics_init(&list, &sch_allocator_libc, 10);
    struct sch_texture_resource *resource;
    enum sch_status status = sch_texture_resource_create(&shape, &sch_allocator_libc, limit, &list, &resource);
    assert_int_equal(status == SCH_STATUS_OK, resource != NULL);
    *code = list.count ? list.items[0].code : 0;
    sch_texture_resource_release(resource);
    sch_diagnostics_release(&list);
    return status;
}

static void checks_shapes(void **state)
{
    (void)state;
    const struct sch_resource_shape plain = {SCH_TARGET_2D, SCH_FORMAT_R8G8B8A8_UNORM, 5, 3, 1, 1, 1, 1};
    unsigned code;
    assert_int_equal(create(plain, 60, &code), SCH_STATUS_OK);
    assert_int_equal(create(plain, 59, &code), SCH_STATUS_LIMIT);
    assert_int_equal(code, 6004);
    struct sch_resource_shape shape = plain;
    static const uint16_t refused[] = {SCH_FORMAT_NONE, SCH_FORMAT_DXT1_RGB, 1023};
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        shape = plain;
        shape.format = refused[i];
        assert_int_equal(create(shape, 0, &code), SCH_STATUS_UNSUPPORTED);
        assert_int_equal(code, 6001);
    }
    for (unsigned i = 0; i < FORMATS; i++)
        assert_int_equal(sch_texture_block_bytes(formats[i].number), formats[i].bytes);
    for (unsigned i = 0; i < 6; i++) {
        shape = plain;
        uint32_t *counts[6] = {&shape.width, &shape.height, &shape.depth, &shape.layers, &shape.levels, &shape.samples};
        *counts[i] = 0;
        assert_int_equal(create(shape, 0, &code), SCH_STATUS_INVALID);
        assert_int_equal(code, 6003);
        *counts[i] = i < 2 ? 16385 : 4;
        assert_int_equal(create(shape, 0, &code), i < 2 ? SCH_STATUS_LIMIT : SCH_STATUS_INVALID);
        assert_int_equal(code, i < 2 ? 6002 : 6003);
    }
    shape = plain;
    shape.levels = 3;
    assert_int_equal(create(shape, 0, &code), SCH_STATUS_OK);
    shape.target = SCH_TARGET_RECT;
    assert_int_equal(create(shape, 0, &code), SCH_STATUS_INVALID);
    shape = plain;
    shape.width = shape.height = 16384;
    assert_int_equal(create(shape, (size_t)1 << 29, &code), SCH_STATUS_LIMIT);
}

static void *no_memory(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static void writes_and_describes(void **state)
{
    (void)state;
    const struct sch_resource_shape shape = {SCH_TARGET_2D, SCH_FORMAT_R8G8_UNORM, 5, 3, 1, 1, 3, 1};
    struct sch_texture_resource *resource;
    const struct sch_allocator none = {no_memory, sch_allocator_libc.free, NULL};
    assert_int_equal(sch_texture_resource_create(&shape, &none, 0, NULL, &resource), SCH_STATUS_MEMORY);
    assert_null(resource);
    assert_int_equal(sch_texture_resource_create(&shape, &sch_allocator_libc, 0, NULL, &resource), SCH_STATUS_OK);
    assert_memory_equal(sch_texture_resource_shape(resource), &shape, sizeof shape);

    struct sch_texture texture;
    sch_texture_describe(resource, &texture);
    assert_int_equal(texture.levels, 3);
    static const uint32_t expected[3][2] = {{5, 3}, {2, 1}, {1, 1}};
    const uint8_t *at = texture.level[0].texels;
    for (unsigned i = 0; i < 3; i++) {
        const struct sch_texture_level *level = &texture.level[i];
        assert_int_equal(level->width, expected[i][0]);
        assert_int_equal(level->height, expected[i][1]);
        assert_ptr_equal(level->texels, at);
        for (uint64_t b = 0; b < level->slice_bytes; b++) assert_int_equal(level->texels[b], 0);
        at += level->slice_bytes;
    }

    uint8_t rows[3][16];
    for (unsigned i = 0; i < sizeof rows; i++) rows[i / 16][i % 16] = (uint8_t)(i + 1);
    assert_int_equal(sch_texture_resource_write(resource, 0, 0, rows, 16, 3), SCH_STATUS_OK);
    for (unsigned y = 0; y < 3; y++)
        assert_memory_equal(texture.level[0].texels + y * texture.level[0].row_bytes, rows[y], 10);
    for (unsigned b = 0; b < 4; b++) assert_int_equal(texture.level[1].texels[b], 0);
    assert_int_equal(sch_texture_resource_write(resource, 2, 0, rows, 2, 1), SCH_STATUS_OK);
    assert_memory_equal(texture.level[2].texels, rows, 2);
    assert_int_equal(sch_texture_resource_write(resource, 3, 0, rows, 16, 1), SCH_STATUS_ARGUMENT);
    assert_int_equal(sch_texture_resource_write(resource, 0, 1, rows, 16, 3), SCH_STATUS_ARGUMENT);
    assert_int_equal(sch_texture_resource_write(resource, 0, 0, rows, 9, 3), SCH_STATUS_ARGUMENT);
    assert_int_equal(sch_texture_resource_write(resource, 0, 0, rows, 16, 2), SCH_STATUS_ARGUMENT);
    assert_int_equal(sch_texture_resource_write(resource, 0, 0, rows, 16, 4), SCH_STATUS_ARGUMENT);

    sch_texture_resource_retain(resource);
    sch_texture_resource_release(resource);
    assert_int_equal(texture.level[0].texels[0], 1); /* still held */
    sch_texture_resource_release(resource);
    sch_texture_resource_release(NULL);
}

static void checks_keys(void **state)
{
    (void)state;
    const struct sch_sampler_key plain = {.format = SCH_FORMAT_R8G8B8A8_UNORM,
                                          .target = SCH_TARGET_2D,
                                          .mip = 2,
                                          .max_anisotropy = 1,
                                          .swizzle = {5, 4, 3, 2}};
    const struct sch_position nowhere = {0};
    assert_int_equal(sch_texture_key_check(&plain, nowhere, NULL), SCH_STATUS_OK);
    struct sch_sampler_key keys[12];
    for (unsigned i = 0; i < 12; i++) keys[i] = plain;
    keys[0].target = SCH_TARGET_SHADOW2D;
    keys[1].format = SCH_FORMAT_DXT1_RGB;
    keys[2].max_anisotropy = 17;
    keys[3].wrap[1] = 8;
    keys[4].swizzle[3] = 6;
    keys[5].rules = 3;
    keys[6].min_linear = 2;
    keys[7].mag_linear = 2;
    keys[8].mip = 3;
    keys[9].unnormalized = 2;
    keys[10].unnormalized = 1;
    keys[11].format = 60000;
    static const unsigned codes[12] = {6000, 6001, 6011, 6010, 6010, 6010, 6010, 6010, 6010, 6010, 6010, 6001};
    for (unsigned i = 0; i < 12; i++) {
        struct sch_diagnostics list;
        sch_diagnostics_init(&list, &sch_allocator_libc, 10);
        enum sch_status status = sch_texture_key_check(&keys[i], nowhere, &list);
        assert_int_equal(status, codes[i] == 6001 ? SCH_STATUS_UNSUPPORTED : SCH_STATUS_INVALID);
        assert_int_equal(list.count, 1);
        assert_int_equal(list.items[0].code, codes[i]);
        sch_diagnostics_release(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_as_the_reference),
        cmocka_unit_test(finds_every_lod_step),
        cmocka_unit_test(keeps_far_coordinates_far),
        cmocka_unit_test(decodes_every_code),
        cmocka_unit_test(loads_nothing_for_nobody),
        cmocka_unit_test(fetches_as_the_reference),
        cmocka_unit_test(checks_shapes),
        cmocka_unit_test(writes_and_describes),
        cmocka_unit_test(checks_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
