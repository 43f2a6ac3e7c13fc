/* From clip space to the window (src/ops/raster/viewport.c), at every level, a group of lanes and any number of
 * vertices at a time, against the text of docs/pipeline.md, "Clipping and viewport", a vertex at a time: clip codes,
 * and corners that are 0 where a vertex has one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>

#include "../support/random_number.h"
#include "ops/ops.h"

enum { LANES = SCH_GROUP_LANES, MOST = 70, STRIDE_MOST = 9, ROUNDS = 4000 };

static uint64_t seed = 11;
static uint32_t pick(uint32_t below) { return (uint32_t)((random_number(&seed) >> 32) % below); }

/* ---- the reference ---- */

struct window {
    struct sch_window_vertex corner;
    uint32_t codes;
};

static bool all_finite(const float v[4])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) && isfinite(v[3]);
}

static uint32_t band_codes(const struct sch_viewport_key *key, const float v[2])
{
    const float least = key->unclipped ? -0x1p20f : -32768, most = key->unclipped ? 0x1p20f : 32767;
    return (v[0] < least ? SCH_OUTSIDE_X_MIN : 0u) | (v[0] > most ? SCH_OUTSIDE_X_MAX : 0u) |
           (v[1] < least ? SCH_OUTSIDE_Y_MIN : 0u) | (v[1] > most ? SCH_OUTSIDE_Y_MAX : 0u);
}

static float between(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

/* The table of planes. */
static uint32_t plane_codes(const struct sch_viewport_key *key, const float p[4])
{
    const bool only_w = key->cut || key->unclipped;
    uint32_t codes = p[3] >= 0x1p-126f ? 0 : SCH_OUTSIDE_W;
    if (!only_w && key->depth_clip_near && p[2] < (key->clip_halfz ? 0 : -p[3])) codes |= SCH_OUTSIDE_NEAR;
    if (!only_w && key->depth_clip_far && p[2] > p[3]) codes |= SCH_OUTSIDE_FAR;
    return codes;
}

static struct window expected_vertex(const struct sch_viewport_key *key, const struct sch_viewport *viewport,
                                     const float p[4])
{
    struct window made = {.codes = all_finite(p) ? 0 : SCH_OUTSIDE_DROP};
    float at[4] = {p[0], p[1], p[2], p[3]};
    if (!key->window_space) {
        made.codes |= plane_codes(key, p);
        for (unsigned i = 0; i < 3; i++) {
            const float quotient = p[i] / p[3], product = quotient * viewport->scale[i];
            at[i] = product + viewport->translate[i];
        }
        at[3] = 1 / p[3];
    }
    const bool behind = made.codes & SCH_OUTSIDE_W;
    if (!behind && (isnan(at[0]) || isnan(at[1]) || isnan(at[2]))) made.codes |= SCH_OUTSIDE_DROP;
    if (key->cut)
        for (unsigned i = 0; i < 2; i++) at[i] = between(at[i], -32768, 32767);
    else if (key->window_space)
        made.codes |= band_codes(key, at) ? SCH_OUTSIDE_DROP : 0u;
    else if (!behind)
        made.codes |= band_codes(key, at);
    if (made.codes) return made;
    const int32_t half = key->half_pixel_center ? 0 : 128;
    made.corner =
        (struct sch_window_vertex){(int32_t)nearbyintf(at[0] * 256) + half, (int32_t)nearbyintf(at[1] * 256) + half,
                                   between(at[2], -FLT_MAX, FLT_MAX), at[3]};
    return made;
}

/* ---- vertices ---- */

static float any_float(void)
{
    static const float special[] = {0,         -0.0f,      1,         -1,         0.5f,     32767,
                                    -32768,    32767.002f, 32768,     -32769,     0x1p20f,  -0x1p20f,
                                    0x1p-126f, 0x1p-127f,  0x1p-149f, -0x1p-140f, INFINITY, -INFINITY,
                                    NAN,       FLT_MAX,    -FLT_MAX,  1048577,    2,        1.0f / 512};
    switch (pick(6)) {
    case 0:
        return special[pick(sizeof special / sizeof *special)];
    case 1:
        return (float)((int)pick(1 << 17) - (1 << 16)) / 512;
    case 2:
        return ldexpf((float)(int)pick(1 << 24) - (1 << 23), (int)pick(100) - 70);
    default:
        return (float)((int)pick(1 << 22) - (1 << 21)) * 0x1p-20f;
    }
}

/* Most are in the view; some on its planes. */
static void any_position(float p[4], float same_w)
{
    for (unsigned i = 0; i < 4; i++) p[i] = any_float();
    if (pick(3)) p[3] = 1 + fabsf((float)pick(1 << 20) * 0x1p-20f);
    if (pick(4) == 0) p[2] = pick(2) ? p[3] : -p[3];
    if (same_w > 0) p[3] = same_w;
}

static void any_viewport(struct sch_viewport *viewport)
{
    static const float scales[] = {1, 50, -50, 400, 32768, 0x1p127f, 0.001f, 0};
    for (unsigned i = 0; i < 3; i++) {
        viewport->scale[i] = scales[pick(pick(2) ? 4 : 8)];
        viewport->translate[i] = pick(2) ? 0 : (float)((int)pick(2001) - 1000) / 8;
    }
}

static void any_key(struct sch_viewport_key *key)
{
    *key = (struct sch_viewport_key){
        .depth_clip_near = pick(2), .depth_clip_far = pick(2), .clip_halfz = pick(2), .half_pixel_center = pick(2)};
    const uint32_t kind = pick(6);
    key->window_space = kind == 0;
    key->cut = kind == 1;
    key->unclipped = kind == 2;
}

static void check_vertex(const struct sch_ops *ops, unsigned n, const float p[4], const struct window *want,
                         const struct window *got)
{
    if (!memcmp(&want->corner, &got->corner, sizeof want->corner) && want->codes == got->codes) return;
    fail_msg("%s, vertex %u (%a, %a, %a, %a): %d, %d, %a, %a, codes %x, not %d, %d, %a, %a, codes %x", ops->name, n,
             (double)p[0], (double)p[1], (double)p[2], (double)p[3], got->corner.x, got->corner.y,
             (double)got->corner.z, (double)got->corner.inverse_w, got->codes, want->corner.x, want->corner.y,
             (double)want->corner.z, (double)want->corner.inverse_w, want->codes);
}

struct vertices {
    float words[(MOST + 2) * STRIDE_MOST];
    struct window expected[MOST];
    uint32_t stride, count;
};

/* Before the first and behind the last vertex is what would be dropped. */
static void any_vertices(struct vertices *v, const struct sch_viewport_key *key, const struct sch_viewport *viewport)
{
    static const float same[] = {0, 0, 0, 0, 1, 1, 1.5f, 0.5f};
    const float same_w = same[pick(8)];
    v->stride = 4 + pick(STRIDE_MOST - 3);
    v->count = pick(MOST + 1);
    for (size_t i = 0; i < sizeof v->words / sizeof *v->words; i++) v->words[i] = NAN;
    for (uint32_t n = 0; n < v->count; n++) {
        float *p = v->words + (n + 1) * v->stride;
        any_position(p, same_w);
        v->expected[n] = expected_vertex(key, viewport, p);
    }
}

static void check_many(const struct sch_ops *ops, const struct vertices *v, const struct sch_viewport_key *key,
                       const struct sch_viewport *viewport)
{
    uint32_t words[(MOST + 2) * STRIDE_MOST], codes[MOST + 1], all = 0;
    struct sch_window_vertex corners[MOST + 1], untouched;
    memcpy(words, v->words, sizeof words);
    memset(corners, 0xab, sizeof corners);
    memset(codes, 0xab, sizeof codes);
    memset(&untouched, 0xab, sizeof untouched);
    const uint32_t some = ops->viewport_vertices(corners, codes, words + v->stride, v->stride, v->count, viewport, key);
    for (uint32_t n = 0; n < v->count; n++) {
        const struct window got = {corners[n], codes[n]};
        check_vertex(ops, n, v->words + (n + 1) * v->stride, &v->expected[n], &got);
        all |= v->expected[n].codes;
    }
    assert_int_equal(some, all);
    assert_memory_equal(&corners[v->count], &untouched, sizeof untouched);
    assert_int_equal(codes[v->count], 0xabababab);
}

static void check_lanes(const struct sch_ops *ops, const struct vertices *v, const struct sch_viewport_key *key,
                        const struct sch_viewport *viewport)
{
    struct sch_lanes position[4];
    struct sch_window_lanes window;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned c = 0; c < 4; c++)
            memcpy(&position[c].u[lane], &v->words[(1 + lane % v->count) * v->stride + c], sizeof(float));
    ops->viewport(&window, position, viewport, key);
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct window got = {{(int32_t)window.x.u[lane], (int32_t)window.y.u[lane], 0, 0}, window.codes.u[lane]};
        memcpy(&got.corner.z, &window.z.u[lane], sizeof(float));
        memcpy(&got.corner.inverse_w, &window.inverse_w.u[lane], sizeof(float));
        const uint32_t n = lane % v->count;
        check_vertex(ops, n, v->words + (n + 1) * v->stride, &v->expected[n], &got);
    }
}

static void vertices_are_where_the_text_says(void **state)
{
    (void)state;
    static struct vertices vertices;
    unsigned levels, inside = 0, outside = 0;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sch_viewport viewport;
        struct sch_viewport_key key;
        any_viewport(&viewport);
        any_key(&key);
        any_vertices(&vertices, &key, &viewport);
        for (unsigned l = 0; l < levels; l++) {
            check_many(ops[l], &vertices, &key, &viewport);
            if (vertices.count) check_lanes(ops[l], &vertices, &key, &viewport);
        }
        for (uint32_t n = 0; n < vertices.count; n++) vertices.expected[n].codes ? outside++ : inside++;
    }
    assert_true(inside > ROUNDS * 8 && outside > ROUNDS * 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(vertices_are_where_the_text_says)};
    return cmocka_run_group_tests_name("viewport", tests, NULL, NULL);
}
