/* Compiled texture lookups (jit/lookup.c) against the general functions of src/ops, bit by bit: random keys, forms and
 * requests (texture_lookups.c), and requests as pictures ask them, a quad's lanes about a texel apart. The general
 * functions are those of the level w4, which has none of the ways that depend on the processor; test_texture holds them
 * against the reference. Without arguments 600 keys; --seed S: that key only; --count N behind it or alone: N keys
 * (tests/long/meson.build asks for 50,000). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "../support/texture_lookups.h"
#include "native/object.h"
#include "protocol/compiler.h"
#include "texture/convert.h"

extern const struct sch_native_compiler sch_native_compiler_1;

enum { REQUESTS = 12, KEYS = 125 };

static unsigned key_count = KEYS;
static uint64_t first_seed = 1;
static unsigned requested[ASK_COUNT], answers, differences;
static uint64_t bounded; /* results that are to be from 0 to 1 */

static uint64_t state;
static uint32_t next(void) { return (uint32_t)(random_number(&state) >> 32); }

static void put_float(struct sch_lanes *lanes, unsigned lane, float value)
{
    memcpy(&lanes->u[lane], &value, sizeof value);
}

/* ---- forms ---- */

static struct sch_native_lookup_form form_of(const struct group *g)
{
    struct sch_native_lookup_form form;
    memset(&form, 0, sizeof form);
    form.key = g->key;
    bool gathers = g->operation == ASK_GATHER || g->operation == ASK_GATHER_COMPARED;
    form.kind = g->operation == ASK_FETCH ? SCH_NATIVE_FETCH
                : g->operation == ASK_LOD ? SCH_NATIVE_LOD
                : gathers                 ? SCH_NATIVE_GATHER
                                          : SCH_NATIVE_SAMPLE;
    if (form.kind == SCH_NATIVE_FETCH) {
        form.has_lod = g->fetch.level != NULL;
        form.offsets = g->fetch.offset[0] || g->fetch.offset[1] || g->fetch.offset[2];
        return form;
    }
    form.lod_mode = g->request.lod_mode;
    form.offsets = g->request.offsets;
    form.component = g->request.component;
    form.quads = g->request.quads;
    form.biased = g->request.biased;
    form.has_min_lod = g->request.min_lod != NULL;
    form.has_lod = g->request.lod != NULL;
    return form;
}

static const struct sch_ops *level_named(const char *name)
{
    unsigned count;
    const struct sch_ops *const *levels = sch_ops_levels(&count);
    for (unsigned i = 0; i < count; i++)
        if (strcmp(levels[i]->name, name) == 0) return levels[i];
    return NULL;
}

/* Of 64 keys; what the processor or the build lacks is made for the level next to it. */
static const struct sch_ops *pick_level(uint64_t seed)
{
    static const struct {
        unsigned below;
        const char *name;
        unsigned lanes;
    } picks[] = {{30, "w16v4", 16}, {38, "w8v3", 8}, {62, "w4", 4}, {63, "w8", 8}, {64, "w16", 16}};
    unsigned i = 0;
    while (seed % 64 >= picks[i].below) i++;
    const struct sch_ops *level = level_named(picks[i].name);
    return level ? level : sch_ops_for_width(picks[i].lanes);
}

/* ---- requests ---- */

/* Coordinates of a picture: from a random place on, `step` texels from pixel to pixel, turned a little. */
static void make_as_a_picture(struct group *g)
{
    static const float steps[] = {0.1f, 0.5f, 1.0f, 1.0f, 1.3f, 2.5f};
    float width = (float)g->texture.level[0].width, height = (float)g->texture.level[0].height;
    bool texels = g->key.unnormalized || g->key.target == SCH_TARGET_RECT;
    float step = steps[next() % 6], turn = next() % 3 ? 0.0f : 0.4f, range = texels ? 1.0f : 1.0f / width;
    float from_x = (float)(next() % 4096) / 1024.0f - 1.5f, from_y = (float)(next() % 4096) / 1024.0f - 1.5f;
    float from_z = (float)(next() % 1024) / 512.0f - 0.5f;
    if (next() % 2) from_x = from_y = 0.375f;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        float x = (float)(i / 4 * 2 + (i & 1)), y = (float)(i >> 1 & 1);
        put_float(&g->at[0], i, from_x * (texels ? width : 1.0f) + (x - turn * y) * step * range);
        put_float(&g->at[1], i, from_y * (texels ? height : 1.0f) + (y + turn * x) * step * range);
        if (next() % 64 == 0) put_float(&g->at[0], i, (float)(next() % 7) - 3.0f);
        if (g->key.target == SCH_TARGET_CUBE || g->key.target == SCH_TARGET_CUBE_ARRAY ||
            g->key.target == SCH_TARGET_3D)
            put_float(&g->at[2], i, from_z);
        g->mask.u[i] = next() % 16 ? UINT32_MAX : 0;
    }
}

/* Addresses of a picture in one level and slice; some lanes are elsewhere, outside or off, now and then the first. */
static void fetch_as_a_picture(struct group *g)
{
    uint32_t number = next() % 3 ? 0 : (uint32_t)(next() % g->texture.levels), slice = (uint32_t)(next() % 4);
    const struct sch_texture_level *level = &g->texture.level[number];
    uint32_t from_x = (uint32_t)(next() % level->width), from_y = (uint32_t)(next() % level->height);
    uint32_t step = next() % 4 ? 1 : (uint32_t)(next() % 3);
    bool first_apart = next() % 8 == 0;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        bool apart = i == 0 ? first_apart : next() % 64 == 0;
        const uint32_t at[3] = {from_x + (i / 4 * 2 + (i & 1)) * step, from_y + (i >> 1 & 1) * step, slice};
        for (unsigned a = 0; a < 3; a++) {
            uint32_t offset = g->fetch.offset[a] ? g->fetch.offset[a]->u[i] : 0;
            g->at[a].u[i] = (apart && next() % 2 ? (uint32_t)next() : at[a]) - offset;
        }
        g->lod.u[i] = apart && next() % 2 ? number + 1 : number;
        g->mask.u[i] = apart ? 0u - (uint32_t)(next() % 2) : next() % 16 ? UINT32_MAX : 0;
    }
}

/* What code relies on that packs such colours without a clamp (native/lookups.c): no NaN, too. */
static void check_bounds(const struct group *g, const struct sch_lanes expected[4], uint64_t seed)
{
    if (g->operation == ASK_LOD || !sch_texels_are_bytes(g->key.format)) return;
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        for (unsigned c = 0; c < 4 && g->mask.u[i]; c++) {
            float value;
            memcpy(&value, &expected[c].u[i], sizeof value);
            bounded++;
            if (value >= 0.0f && value <= 1.0f) continue;
            if (differences++ < 10) {
                printf("# --seed %llu, component %u: %a is not from 0 to 1\n", (unsigned long long)seed, c,
                       (double)value);
                group_print(g, i);
            }
        }
}

static void compare(const struct group *g, const struct sch_lanes expected[4], const struct sch_lanes got[4],
                    uint64_t seed)
{
    answers++;
    check_bounds(g, expected, seed);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++)
        for (unsigned c = 0; c < 4; c++) {
            if (got[c].u[i] == expected[c].u[i]) continue;
            if (differences++ < 10) {
                printf("# --seed %llu, component %u: %08x, not %08x\n", (unsigned long long)seed, c, got[c].u[i],
                       expected[c].u[i]);
                group_print(g, i);
            }
            return;
        }
}

static void run_both(struct group *g, const struct sch_ops *plain, const struct sch_native_code *code, uint64_t seed)
{
    struct sch_lanes expected[4], got[4];
    struct sch_lanes *const to[4] = {&got[0], &got[1], &got[2], &got[3]};
    memset(got, 0x55, sizeof got);
    group_run(g, plain, expected);
    sch_fetch_fn *fetch;
    sch_sample_fn *sample;
    memcpy(&fetch, &code->function, sizeof fetch);
    memcpy(&sample, &code->function, sizeof sample);
    if (g->operation == ASK_FETCH)
        fetch(NULL, &g->texture, &g->fetch, to);
    else
        sample(NULL, &g->values, &g->texture, &g->request, to);
    compare(g, expected, got, seed);
}

/* ---- one key ---- */

static void check_key(uint64_t seed)
{
    unsigned format_count;
    const struct ref_format *formats = ref_formats(&format_count);
    struct group g;
    enum operation operation;
    const struct ref_format *format;
    state = seed;
    do {
        format = next() % 3 ? &formats[next() % format_count] : ref_format_of(SCH_FORMAT_R8G8B8A8_UNORM);
        operation = next() % ASK_COUNT;
    } while (!group_is_legal(format, operation));
    group_make(&g, format, operation, seed);
    const struct sch_native_lookup_form form = form_of(&g);
    const struct sch_ops *level = pick_level(seed);
    struct sch_native_object object;
    struct sch_native_cost cost;
    struct sch_native_code code;
    assert_int_equal(sch_native_compiler_1.compile_lookup(&form, level->name, &object, &cost, NULL), SCH_OK);
    assert_int_equal(sch_native_load(object.bytes, object.size, "sch_native_lookup", NULL, &code), SCH_OK);
    sch_native_compiler_1.release(&object);
    run_both(&g, level_named("w4"), &code, seed);
    for (unsigned n = 1; n < REQUESTS; n++) {
        if (operation == ASK_FETCH)
            fetch_as_a_picture(&g);
        else
            make_as_a_picture(&g);
        run_both(&g, level_named("w4"), &code, seed);
    }
    assert_true(group_guards_hold(&g));
    requested[operation]++;
    sch_native_unload(&code);
    group_release(&g);
}

/* ---- two levels side by side (ops/texture/texture.c, tex_sampled_levels) ---- */

static bool wraps_simply(unsigned wrap)
{
    return wrap == SCH_WRAP_REPEAT || wrap == SCH_WRAP_CLAMP_TO_EDGE || wrap == SCH_WRAP_CLAMP_TO_BORDER;
}

/* Levels that hold rows of a vector of 8 lanes, and filters and wrap modes that allow it. */
static bool has_paired_levels(const struct group *g)
{
    const struct sch_sampler_key *key = &g->key;
    return key->target == SCH_TARGET_2D && key->min_linear && key->mag_linear && key->mip == 2 && !key->compare &&
           key->reduction == SCH_REDUCTION_AVERAGE && key->max_anisotropy <= 1 && wraps_simply(key->wrap[0]) &&
           wraps_simply(key->wrap[1]) && !g->request.offsets && g->request.quads &&
           g->request.lod_mode == SCH_LOD_IMPLICIT && !g->request.min_lod && g->texture.levels >= 2 &&
           g->texture.level[1].width >= 8 && g->texture.level[1].height >= 4;
}

/* Pictures that are made smaller or larger, at all levels: neighbouring lanes have the same levels, with all weights.
 * In most of them the scale grows from quad to quad, a little or so that levels change. */
static void make_smaller(struct group *g)
{
    const float scale = (float)(1 + next() % 255) / 64.0f, width = (float)g->texture.level[0].width;
    const float height = (float)g->texture.level[0].height, from = (float)(next() % 1024) / 256.0f;
    g->values.lod_bias = (float)(next() % 1024) / 256.0f - 2.0f;
    g->values.min_lod = 0.0f;
    g->values.max_lod = 1000.0f;
    static const float growth[] = {0.0f, 0.01f, 0.5f};
    const float grows = growth[next() % 3];
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const float here = scale * (1.0f + grows * (float)(i / 4));
        const float x = (float)(i / 4 * 2) * scale + (float)(i & 1) * here, y = (float)(i >> 1 & 1) * here;
        put_float(&g->at[0], i, from + x / width);
        put_float(&g->at[1], i, from + y / height);
        g->mask.u[i] = next() % 16 ? UINT32_MAX : 0;
    }
}

enum { PAIRED_KEYS = 6, PAIRED_REQUESTS = 400, MOST_SEEDS = 100000 };

static void check_levels(struct group *g, const struct sch_ops *level, uint64_t seed)
{
    const struct sch_native_lookup_form form = form_of(g);
    struct sch_native_object object;
    struct sch_native_cost cost;
    struct sch_native_code code;
    assert_int_equal(sch_native_compiler_1.compile_lookup(&form, level->name, &object, &cost, NULL), SCH_OK);
    assert_int_equal(sch_native_load(object.bytes, object.size, "sch_native_lookup", NULL, &code), SCH_OK);
    sch_native_compiler_1.release(&object);
    for (unsigned n = 0; n < PAIRED_REQUESTS; n++) {
        make_smaller(g);
        run_both(g, level_named("w4"), &code, seed);
    }
    assert_true(group_guards_hold(g));
    sch_native_unload(&code);
}

static void levels_side_by_side_are_the_general_ones(void **unused)
{
    (void)unused;
    static const char *const names[] = {"w8v3", "w16v4"};
    unsigned found = 0;
    state = 1;
    for (uint64_t seed = 1; found < PAIRED_KEYS && seed < MOST_SEEDS; seed++) {
        struct group g;
        group_make(&g, ref_format_of(SCH_FORMAT_R8G8B8A8_UNORM), ASK_LINEAR, seed);
        for (unsigned l = 0; l < 2 && has_paired_levels(&g); l++)
            if (level_named(names[l])) check_levels(&g, level_named(names[l]), seed);
        found += has_paired_levels(&g);
        group_release(&g);
    }
    assert_int_equal(found, PAIRED_KEYS);
    assert_int_equal(differences, 0);
}

/* ---- one texel a pixel (ops/texture/straight.h) ---- */

enum { STRAIGHT_KEYS = 4, STRAIGHT_REQUESTS = 600 };

static int between(int low, int high) { return low + (int)(next() % (unsigned)(high - low + 1)); }

/* What is done to one lane or none: nothing in half of the requests. */
static void disturb(struct group *g, const float *texel, unsigned axes)
{
    static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0f, 1e9f, -1e9f, 16777216.0f};
    const unsigned lane = next() % 4 ? next() % SCH_GROUP_LANES : next() % 4 * 8, axis = next() % axes;
    float was;
    memcpy(&was, &g->at[axis].u[lane], sizeof was);
    switch (next() % 10) {
    case 0:
        put_float(&g->at[axis], lane, was + (next() % 2 ? texel[axis] : -texel[axis]));
        break;
    case 1: /* a weight, or the next texel */
        put_float(&g->at[axis], lane, was + texel[axis] * (float)between(-256, 256) / 256.0f);
        break;
    case 2:
        put_float(&g->at[axis], lane, odd[next() % (sizeof odd / sizeof *odd)]);
        break;
    case 3: /* the same texel where coordinates repeat */
        put_float(&g->at[axis], lane, was + (float)between(-2, 2));
        break;
    case 4:
        g->mask.u[lane] = 0;
        break;
    case 5: /* one half against the other */
        for (unsigned i = SCH_GROUP_LANES / 2; i < SCH_GROUP_LANES; i++) {
            memcpy(&was, &g->at[axis].u[i], sizeof was);
            put_float(&g->at[axis], i, was + texel[axis] * (float)(lane % 9 * 8) / 256.0f);
        }
        break;
    default:
        break;
    }
}

/* A picture of a texture's own size, anywhere from outside of one edge to outside of the other, in blocks of 8 x 4 or
 * 16 x 2 pixels; at the middle of texels, where they meet, or anywhere. How many groups lie wholly inside. */
static unsigned make_straight(struct group *g)
{
    static const float parts[] = {0.5f, 0.0f, 0.25f, 0.498f, 0.502f, 0.998f};
    const struct sch_texture_level *level = &g->texture.level[0];
    const bool texels = g->key.unnormalized || g->key.target == SCH_TARGET_RECT;
    const int size[2] = {(int)level->width, (int)level->height}, rows = next() % 2 ? 4 : 2;
    const float texel[2] = {texels ? 1.0f : 1.0f / (float)size[0], texels ? 1.0f : 1.0f / (float)size[1]};
    const int extent[2] = {rows == 4 ? 8 : 16, rows};
    int from[2];
    float part[2];
    for (unsigned a = 0; a < 2; a++) {
        /* Both edges, and what is just inside of them, come as often as all else. */
        from[a] = between(-extent[a] - 1, size[a] + 1);
        if (next() % 2) from[a] = next() % 2 ? between(-1, 1) : size[a] - extent[a] + between(-2, 1);
        part[a] = next() % 4 ? parts[next() % 6] : (float)(next() % 4096) / 4096.0f;
    }
    const float period = texels || next() % 4 ? 0.0f : (float)between(-3, 3);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const unsigned quad = i / 4, wide = (unsigned)extent[0] / 2;
        const int at[2] = {(int)(quad % wide * 2 + (i & 1)), (int)(quad / wide * 2 + (i >> 1 & 1))};
        for (unsigned a = 0; a < 2; a++)
            put_float(&g->at[a], i, ((float)(from[a] + at[a]) + part[a]) * texel[a] + period);
        g->mask.u[i] = UINT32_MAX;
    }
    disturb(g, texel, 2);
    const bool inside = from[0] >= 1 && from[1] >= 1 && from[0] + extent[0] < size[0] && from[1] + extent[1] < size[1];
    return inside && period == 0.0f;
}

/* Many groups that `make` makes, which says how many of them lie inside, by code of `level` and by the general code. */
static void check_groups(struct group *g, const struct sch_ops *level, uint64_t seed, unsigned (*make)(struct group *g),
                         unsigned requests, unsigned *inside)
{
    const struct sch_native_lookup_form form = form_of(g);
    struct sch_native_object object;
    struct sch_native_cost cost;
    struct sch_native_code code;
    assert_int_equal(sch_native_compiler_1.compile_lookup(&form, level->name, &object, &cost, NULL), SCH_OK);
    assert_int_equal(sch_native_load(object.bytes, object.size, "sch_native_lookup", NULL, &code), SCH_OK);
    sch_native_compiler_1.release(&object);
    for (unsigned n = 0; n < requests; n++) {
        *inside += make(g);
        run_both(g, level_named("w4"), &code, seed);
    }
    assert_true(group_guards_hold(g));
    sch_native_unload(&code);
}

/* Textures that such groups fit in, and some that they just do not. */
static bool may_be_straight(const struct group *g)
{
    const struct sch_texture_level *level = &g->texture.level[0];
    if (g->key.target != SCH_TARGET_2D && g->key.target != SCH_TARGET_RECT) return false;
    return !g->request.offsets && g->texture.levels && level->width >= 6 && level->width <= 64 && level->height >= 4;
}

static void texels_as_pixels_are_the_general_ones(void **unused)
{
    (void)unused;
    static const uint8_t wraps[] = {SCH_WRAP_REPEAT, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_BORDER, SCH_WRAP_CLAMP};
    static const uint16_t formats[] = {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_B8G8R8X8_UNORM};
    const struct sch_ops *level = level_named("w8v3");
    unsigned inside = 0, keys = 0;
    if (!level) skip();
    state = 5;
    for (unsigned linear = 0; linear < 2; linear++)
        for (unsigned w = 0, found; w < sizeof wraps; w++) {
            found = 0;
            for (uint64_t seed = 1; found < STRAIGHT_KEYS && seed < MOST_SEEDS; seed++) {
                struct group g;
                group_make(&g, ref_format_of(formats[seed % 2]), linear ? ASK_LINEAR : ASK_NEAREST, seed);
                g.key.wrap[0] = wraps[w];
                g.key.wrap[1] = wraps[(w + seed % 3) % sizeof wraps];
                g.key.min_linear = g.key.mag_linear = (uint8_t)linear;
                g.key.mip = g.key.compare = 0;
                g.key.max_anisotropy = 1;
                g.key.reduction = SCH_REDUCTION_AVERAGE;
                if (may_be_straight(&g)) {
                    check_groups(&g, level, seed, make_straight, STRAIGHT_REQUESTS, &inside);
                    found++;
                }
                group_release(&g);
            }
            keys += found;
        }
    printf("# %u keys, %u groups inside\n", keys, inside);
    assert_int_equal(keys, 2 * sizeof wraps * STRAIGHT_KEYS);
    assert_true(inside > keys * STRAIGHT_REQUESTS / 20);
    assert_int_equal(differences, 0);
}

/* ---- pictures and volumes along their axes (ops/texture/upright.h, ops/texture/aligned.h) ---- */

enum { ALIGNED_KEYS = 4, ALIGNED_REQUESTS = 600 };

/* A picture, or one of a slice of a volume, enlarged, mirrored or a little too small, in blocks of 8 x 4 or 16 x 2
 * pixels, from just outside of one edge to just outside of the other. How many groups lie wholly inside. */
static unsigned make_aligned(struct group *g)
{
    static const float steps[] = {0.0f, 0.125f, 0.3f, 0.5f, 0.99f, 1.0f, 1.1f, -0.25f, -1.0f};
    const struct sch_texture_level *level = &g->texture.level[0];
    const bool texels = g->key.unnormalized || g->key.target == SCH_TARGET_RECT;
    const int size[3] = {(int)level->width, (int)level->height, (int)level->depth}, rows = next() % 2 ? 4 : 2;
    const float extent[3] = {rows == 4 ? 7.0f : 15.0f, (float)rows - 1.0f, 0.0f};
    const unsigned axes = g->key.target == SCH_TARGET_3D ? 3 : 2;
    float texel[3], from[3], step[3] = {0.0f, 0.0f, 0.0f};
    bool inside = true;
    for (unsigned a = 0; a < axes; a++) {
        texel[a] = texels ? 1.0f : 1.0f / (float)size[a];
        if (a < 2) step[a] = steps[next() % (sizeof steps / sizeof *steps)];
        const float length = step[a] * extent[a], low = length < 0.0f ? -length : 0.0f;
        const float high = (float)size[a] - (length > 0.0f ? length : 0.0f);
        from[a] = low + (high - low) * (float)(next() % 4096) / 4095.0f;
        if (next() % 4 == 0) from[a] = (next() % 2 ? low : high) + (float)between(-160, 160) / 128.0f;
        if (next() % 4 == 0) from[a] = (float)(int)from[a] + 0.5f;
        inside &= from[a] >= low + 0.5f && from[a] < high - 0.5f;
    }
    const float period = texels || next() % 4 ? 0.0f : (float)between(-3, 3);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const unsigned quad = i / 4, wide = rows == 4 ? 4 : 8;
        const float at[3] = {(float)(quad % wide * 2 + (i & 1)), (float)(quad / wide * 2 + (i >> 1 & 1)), 0.0f};
        for (unsigned a = 0; a < axes; a++) put_float(&g->at[a], i, (from[a] + at[a] * step[a]) * texel[a] + period);
        g->mask.u[i] = UINT32_MAX;
    }
    disturb(g, texel, axes);
    return inside && period == 0.0f;
}

/* The code that programs have in place of calls: of how many groups it says that it has looked them up. */
static unsigned check_pictures(struct group *g, const struct sch_ops *level, uint64_t seed, unsigned *inside)
{
    typedef bool sample_fn(const struct sch_sampler_key *, const struct sch_sampler_values *,
                           const struct sch_texture *, const struct sch_sample_request *, struct sch_lanes *const[4]);
    struct sch_native_lookup_form form = form_of(g);
    struct sch_native_object object;
    struct sch_native_cost cost;
    struct sch_native_code code;
    unsigned done = 0;
    form.in_rows = true;
    assert_int_equal(sch_native_compiler_1.compile_lookup(&form, level->name, &object, &cost, NULL), SCH_OK);
    assert_int_equal(sch_native_load(object.bytes, object.size, "sch_native_lookup", NULL, &code), SCH_OK);
    sch_native_compiler_1.release(&object);
    sample_fn *sample;
    memcpy(&sample, &code.function, sizeof sample);
    for (unsigned n = 0; n < ALIGNED_REQUESTS; n++) {
        struct sch_lanes expected[4], got[4];
        *inside += make_aligned(g);
        group_run(g, level_named("w4"), expected);
        if (!sample(NULL, &g->values, &g->texture, &g->request,
                    (struct sch_lanes *const[4]){&got[0], &got[1], &got[2], &got[3]}))
            continue;
        compare(g, expected, got, seed);
        done++;
    }
    assert_true(group_guards_hold(g));
    sch_native_unload(&code);
    return done;
}

static void pictures_along_their_axes_are_the_general_ones(void **unused)
{
    (void)unused;
    static const uint8_t wraps[] = {SCH_WRAP_REPEAT, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_BORDER, SCH_WRAP_CLAMP};
    static const uint16_t formats[] = {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_B8G8R8X8_UNORM};
    const struct sch_ops *level = level_named("w8v3");
    unsigned inside = 0, done = 0, keys = 0;
    if (!level) skip();
    state = 13;
    for (unsigned w = 0, found; w < sizeof wraps; w++) {
        found = 0;
        for (uint64_t seed = 1; found < ALIGNED_KEYS && seed < MOST_SEEDS; seed++) {
            struct group g;
            group_make(&g, ref_format_of(formats[seed % 2]), ASK_LINEAR, seed);
            g.key.wrap[0] = wraps[w];
            g.key.wrap[1] = wraps[(w + seed % 3) % sizeof wraps];
            g.key.min_linear = g.key.mag_linear = 1;
            g.key.mip = g.key.compare = 0;
            g.key.max_anisotropy = 1;
            g.key.reduction = SCH_REDUCTION_AVERAGE;
            if (may_be_straight(&g)) {
                done += check_pictures(&g, level, seed, &inside);
                found++;
            }
            group_release(&g);
        }
        keys += found;
    }
    printf("# %u keys, %u groups inside, %u looked up\n", keys, inside, done);
    assert_int_equal(keys, sizeof wraps * ALIGNED_KEYS);
    assert_true(inside > keys * ALIGNED_REQUESTS / 10);
    assert_true(done > inside / 4);
    assert_int_equal(differences, 0);
}

static void volumes_along_their_axes_are_the_general_ones(void **unused)
{
    (void)unused;
    static const uint8_t wraps[] = {SCH_WRAP_REPEAT, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_BORDER};
    static const uint16_t formats[] = {SCH_FORMAT_R8G8B8A8_UNORM, SCH_FORMAT_B8G8R8X8_UNORM};
    const struct sch_ops *level = level_named("w8v3");
    unsigned inside = 0, keys = 0;
    if (!level) skip();
    state = 7;
    for (unsigned w = 0, found; w < sizeof wraps; w++) {
        found = 0;
        for (uint64_t seed = 1; found < ALIGNED_KEYS && seed < MOST_SEEDS; seed++) {
            struct group g;
            group_make(&g, ref_format_of(formats[seed % 2]), ASK_LINEAR, seed);
            const struct sch_texture_level *base = &g.texture.level[0];
            for (unsigned a = 0; a < 3; a++) g.key.wrap[a] = wraps[(w + a * seed) % sizeof wraps];
            g.key.min_linear = g.key.mag_linear = 1;
            g.key.mip = g.key.compare = 0;
            g.key.max_anisotropy = 1;
            g.key.reduction = SCH_REDUCTION_AVERAGE;
            if (g.key.target == SCH_TARGET_3D && !g.request.offsets && g.texture.levels && base->width >= 8 &&
                base->height >= 4 && base->depth >= 2) {
                check_groups(&g, level, seed, make_aligned, ALIGNED_REQUESTS, &inside);
                found++;
            }
            group_release(&g);
        }
        keys += found;
    }
    printf("# %u keys, %u groups inside\n", keys, inside);
    assert_int_equal(keys, sizeof wraps * ALIGNED_KEYS);
    assert_true(inside > keys * ALIGNED_REQUESTS / 10);
    assert_int_equal(differences, 0);
}

/* ---- compressed blocks (ops/texture/sheet.h) ---- */

enum { SHEET_KEYS = 4, SHEET_REQUESTS = 200 };

/* A picture of blocks of 8 x 4 or 16 x 2 pixels that is turned by any angle and enlarged or made smaller, so that it
 * has from one tile to more than a sheet takes, from outside of one edge to outside of the other. Lanes that are off
 * are anywhere; now and then one that is on, too, or the last lanes are in another layer, or all are off. How many
 * groups lie wholly inside. */
static unsigned make_turned(struct group *g)
{
    static const float steps[] = {0.02f, 0.125f, 0.5f, 0.99f, 1.0f, 1.4f, 2.0f, 3.0f};
    const struct sch_texture_level *level = &g->texture.level[0];
    const bool texels = g->key.unnormalized || g->key.target == SCH_TARGET_RECT;
    const float size[2] = {(float)level->width, (float)level->height};
    const float texel[2] = {texels ? 1.0f : 1.0f / size[0], texels ? 1.0f : 1.0f / size[1]};
    const float angle = next() % 4 ? (float)(next() % 4096) * 0x1.921fb6p-10f : (float)(next() % 4) * 0x1.921fb6p+0f;
    const float step = steps[next() % (sizeof steps / sizeof *steps)], x = cosf(angle) * step, y = sinf(angle) * step;
    const unsigned wide = next() % 4 ? 4 : 8, kept = next() % 3 ? 8 : next() % 2 ? 256 : 1, apart = next() % 8;
    const uint32_t layer = next() % 3, split = next() % 4 ? SCH_GROUP_LANES : 20;
    float from[2], low[2] = {1e9f, 1e9f}, high[2] = {-1e9f, -1e9f};
    for (unsigned a = 0; a < 2; a++) from[a] = size[a] * ((float)(next() % 4096) / 3400.0f - 0.1f);
    for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
        const unsigned quad = i / 4;
        const float column = (float)(quad % wide * 2 + (i & 1)), row = (float)(quad / wide * 2 + (i >> 1 & 1));
        float at[2] = {from[0] + column * x - row * y, from[1] + column * y + row * x};
        g->mask.u[i] = kept == 1 ? 0 : 0u - (uint32_t)(next() % kept != 0);
        const bool elsewhere = !g->mask.u[i] || (apart == 0 && i == 17);
        for (unsigned a = 0; a < 2; a++) {
            if (elsewhere) at[a] = (float)between(-4 * (int)size[a], 4 * (int)size[a]);
            if (at[a] < low[a] && g->mask.u[i]) low[a] = at[a];
            if (at[a] > high[a] && g->mask.u[i]) high[a] = at[a];
            put_float(&g->at[a], i, at[a] * texel[a]);
        }
        put_float(&g->at[2], i, (float)(elsewhere ? next() % 3 : layer + (i >= split)));
    }
    return kept > 1 && low[0] >= 1.0f && low[1] >= 1.0f && high[0] < size[0] - 1.0f && high[1] < size[1] - 1.0f;
}

static bool may_have_sheets(const struct group *g, bool layers)
{
    const struct sch_texture_level *level = &g->texture.level[0];
    if (!g->texture.levels || level->width < 16 || level->height < 12) return false;
    if (layers) return g->key.target == SCH_TARGET_2D_ARRAY && g->texture.layers > 1;
    return g->key.target == SCH_TARGET_2D || g->key.target == SCH_TARGET_RECT;
}

static void turned_blocks_are_the_general_ones(void **unused)
{
    (void)unused;
    static const uint8_t wraps[] = {SCH_WRAP_REPEAT, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_BORDER};
    static const uint16_t formats[] = {SCH_FORMAT_DXT1_RGBA,      SCH_FORMAT_DXT5_RGBA,       SCH_FORMAT_DXT3_SRGBA,
                                       SCH_FORMAT_RGTC2_SNORM,    SCH_FORMAT_BPTC_RGBA_UNORM, SCH_FORMAT_FXT1_RGB,
                                       SCH_FORMAT_BPTC_RGB_FLOAT, SCH_FORMAT_ASTC_5x4};
    static const char *const levels[] = {"w8v3", "w16v4"};
    unsigned inside = 0, keys = 0, wanted = 0;
    state = 11;
    for (unsigned l = 0; l < sizeof levels / sizeof *levels; l++)
        for (unsigned f = 0; f < sizeof formats / sizeof *formats; f++) {
            const struct sch_ops *level = level_named(levels[l]);
            if (!level) continue;
            wanted += SHEET_KEYS;
            for (uint64_t seed = 1, found = 0; found < SHEET_KEYS && seed < MOST_SEEDS; seed++) {
                struct group g;
                group_make(&g, ref_format_of(formats[f]), ASK_LINEAR, seed);
                for (unsigned a = 0; a < 3; a++) g.key.wrap[a] = wraps[(found + a * seed) % sizeof wraps];
                g.key.min_linear = g.key.mag_linear = 1;
                g.key.mip = g.key.compare = 0;
                g.key.max_anisotropy = 1;
                if (may_have_sheets(&g, found % 2 != 0)) {
                    check_groups(&g, level, seed, make_turned, SHEET_REQUESTS, &inside);
                    found++, keys++;
                }
                group_release(&g);
            }
        }
    printf("# %u keys, %u groups inside\n", keys, inside);
    assert_int_equal(keys, wanted);
    if (!keys) skip(); /* neither level is here */
    assert_true(inside > keys * SHEET_REQUESTS / 10);
    assert_int_equal(differences, 0);
}

static void compiled_lookups_are_the_general_ones(void **unused)
{
    (void)unused;
    for (uint64_t seed = first_seed; seed < first_seed + key_count; seed++) check_key(seed);
    for (unsigned o = 0; o < ASK_COUNT; o++) printf("# %s: %u keys\n", operation_names[o], requested[o]);
    printf("# %u answers, %u differ\n", answers, differences);
    assert_int_equal(differences, 0);
    for (unsigned o = 0; o < ASK_COUNT && key_count >= KEYS; o++) assert_true(requested[o] > 0);
    assert_true(bounded > 0 || key_count < KEYS);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0) key_count = (unsigned)strtoul(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--seed") == 0) {
            first_seed = strtoull(argv[i + 1], NULL, 10);
            key_count = 1;
        }
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_lookups_are_the_general_ones),
                                       cmocka_unit_test(levels_side_by_side_are_the_general_ones),
                                       cmocka_unit_test(texels_as_pixels_are_the_general_ones),
                                       cmocka_unit_test(pictures_along_their_axes_are_the_general_ones),
                                       cmocka_unit_test(volumes_along_their_axes_are_the_general_ones),
                                       cmocka_unit_test(turned_blocks_are_the_general_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
