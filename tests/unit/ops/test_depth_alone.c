/* The test of depth alone (src/ops/raster/depth.c) at every level, against depth_reference.c and edge functions that
 * are taken pixel by pixel: quads of one primitive and of many, in a block and anywhere, in all formats of depth with
 * texels of one word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../support/depth_reference.h"
#include "../support/random_number.h"
#include "ops/ops.h"
#include "pipeline/output_key.h"

enum { LANES = SCH_GROUP_LANES, QUADS = SCH_GROUP_QUADS, ROUNDS = 4000, SIDE = 40, LAYERS = 2, SAMPLES = 2 };

static uint64_t seed = 11;
static uint32_t pick(uint32_t below) { return (uint32_t)((random_number(&seed) >> 32) % below); }
static double between(double low, double high) { return low + (high - low) * pick(1 << 20) / (1 << 20); }

static uint32_t texels[LAYERS * SAMPLES * SIDE * SIDE], before[LAYERS * SAMPLES * SIDE * SIDE];
static uint32_t expected[LAYERS * SAMPLES * SIDE * SIDE];

struct scene {
    const struct ref_depth_layout *layout;
    struct sch_depth_stencil_alpha_options state;
    struct sch_draw_target target;
    struct sch_interpolant primitives[QUADS];
    struct sch_quads quads;
    struct sch_lane_places places;
    uint32_t sample, mask;
    bool single; /* depth is rounded to a float first */
};

/* ---- scenes ---- */

/* Edge functions of whole numbers, and depth that is near 0 to 1 in the target. */
static void any_primitive(struct sch_interpolant *of)
{
    for (unsigned i = 0; i < 3; i++) {
        of->e1[i] = (double)(int32_t)pick(2000) - 1000;
        of->e2[i] = (double)(int32_t)pick(2000) - 1000;
    }
    of->depth[0] = between(-0.2, 1.2);
    of->depth[1] = pick(3) ? between(-1e-7, 1e-7) : 0;
    of->depth[2] = pick(3) ? between(-1e-7, 1e-7) : 0;
    of->depth_min = pick(3) ? 0.0f : 0.25f;
    of->depth_max = pick(3) ? 1.0f : 0.75f;
}

static void place_block(struct scene *scene)
{
    const int32_t x = (int32_t)pick(SIDE) & ~(SCH_BLOCK_WIDTH - 1), y = (int32_t)pick(SIDE) & ~(SCH_BLOCK_HEIGHT - 1);
    const uint16_t layer = (uint16_t)pick(LAYERS);
    scene->quads.block = true;
    for (unsigned q = 0; q < QUADS; q++) {
        scene->quads.x[q] = x + (int32_t)(q % 4 * 2);
        scene->quads.y[q] = y + (int32_t)(q / 4 * 2);
        scene->quads.layer[q] = layer;
    }
}

/* Different places; often all in one layer and with no pixel outside of the target. */
static void place_quads(struct scene *scene)
{
    const uint32_t inside = pick(2) ? SIDE / 2 - 1 : SIDE / 2, layers = 1 + pick(LAYERS), first = pick(1000);
    for (unsigned q = 0; q < QUADS; q++) {
        const uint32_t place = first + 7 * q;
        scene->quads.x[q] = (int32_t)(place % inside * 2);
        scene->quads.y[q] = (int32_t)(place / inside % inside * 2);
        scene->quads.layer[q] = (uint16_t)(q % layers);
    }
}

static void any_scene(struct scene *scene)
{
    memset(scene, 0, sizeof *scene);
    scene->single = pick(2);
    do scene->layout = &ref_depth_layouts[pick(REF_DEPTH_LAYOUTS)];
    while (scene->layout->bytes != sizeof(uint32_t) || !scene->layout->depth_bits);
    scene->state = (struct sch_depth_stencil_alpha_options){
        .depth_enabled = true, .depth_writes = pick(4) != 0, .depth_function = (enum sch_compare)(1 + pick(8))};
    /* one pixel less than the texels have, so that some quads are partly outside */
    scene->target = (struct sch_draw_target){.texels = (uint8_t *)texels,
                                             .row_bytes = SIDE * sizeof(uint32_t),
                                             .slice_bytes = SIDE * SIDE * sizeof(uint32_t),
                                             .width = SIDE - pick(2),
                                             .height = SIDE - pick(2),
                                             .layers = LAYERS,
                                             .samples = SAMPLES,
                                             .format = (uint16_t)scene->layout->format,
                                             .texel_bytes = sizeof(uint32_t)};
    scene->sample = pick(SAMPLES);
    scene->mask = pick(2) ? UINT32_MAX : (uint32_t)random_number(&seed) | (pick(2) ? 0x11111111 : 0);
    scene->quads.same = pick(2);
    pick(2) ? place_block(scene) : place_quads(scene);
    for (unsigned q = 0; q < QUADS; q++) {
        any_primitive(&scene->primitives[q]);
        scene->quads.of[q] = scene->quads.same && q ? NULL : &scene->primitives[q];
    }
    scene->places.uniform = true;
    for (unsigned c = 0; c < 2; c++) scene->places.offset[c] = (int32_t)pick(SCH_SUBPIXELS) - SCH_SUBPIXELS / 2;
}

/* Codes near those of the primitives, so that every comparison has both results. */
static void any_texels(const struct scene *scene)
{
    const struct ref_depth_layout *layout = scene->layout;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const double z = pick(2) ? scene->primitives[0].depth[0] : between(0, 1);
        const uint32_t code = ref_depth_code(layout, z, 0, 1);
        before[i] = (uint32_t)ref_with_field(random_number(&seed) >> 32, layout->depth_at, layout->depth_bits, code);
    }
}

/* ---- what is expected ---- */

static double edge_at(const double edge[3], int32_t x, int32_t y) { return edge[0] + edge[1] * x + edge[2] * y; }

/* docs/pipeline.md, "Interpolation". */
static double depth_at(const struct scene *scene, unsigned lane)
{
    const unsigned q = lane / 4;
    const struct sch_interpolant *of = scene->quads.of[scene->quads.same ? 0 : q];
    const int32_t x = (scene->quads.x[q] + (int32_t)(lane & 1)) * SCH_SUBPIXELS + SCH_SUBPIXELS / 2;
    const int32_t y = (scene->quads.y[q] + (int32_t)(lane >> 1 & 1)) * SCH_SUBPIXELS + SCH_SUBPIXELS / 2;
    const double e1 = edge_at(of->e1, x + scene->places.offset[0], y + scene->places.offset[1]);
    const double e2 = edge_at(of->e2, x + scene->places.offset[0], y + scene->places.offset[1]);
    const double depth = (of->depth[0] + e1 * of->depth[1]) + e2 * of->depth[2];
    return scene->single ? (double)(float)depth : depth;
}

/* Of lanes outside of the target nothing is known. */
static uint32_t expect(const struct scene *scene, uint32_t *known)
{
    uint32_t passed = 0;
    memcpy(expected, before, sizeof expected);
    *known = ~scene->mask;
    for (unsigned lane = 0; lane < LANES; lane++) {
        const unsigned q = lane / 4;
        const uint32_t x = (uint32_t)scene->quads.x[q] + (lane & 1), y = (uint32_t)scene->quads.y[q] + (lane >> 1 & 1);
        const struct sch_interpolant *of = scene->quads.of[scene->quads.same ? 0 : q];
        if (!(scene->mask >> lane & 1) || x >= scene->target.width || y >= scene->target.height) continue;
        *known |= UINT32_C(1) << lane;
        uint32_t *texel = &expected[((scene->quads.layer[q] * SAMPLES + scene->sample) * SIDE + y) * (size_t)SIDE + x];
        const struct ref_depth_fragment fragment = {
            .code = ref_depth_code(scene->layout, depth_at(scene, lane), of->depth_min, of->depth_max)};
        uint64_t after = *texel;
        if (ref_depth_test(scene->layout, &scene->state, &fragment, &after) == REF_PASSED)
            passed |= UINT32_C(1) << lane;
        *texel = (uint32_t)after;
    }
    return passed;
}

/* ---- tests ---- */

static void check_level(const struct scene *scene, const struct sch_ops *ops)
{
    struct sch_depth_stencil_key key = sch_depth_stencil_key_of(&scene->state, scene->layout->format);
    uint32_t known;
    key.single = scene->single;
    const uint32_t want = expect(scene, &known);
    memcpy(texels, before, sizeof texels);
    const uint32_t got =
        ops->test_depth(&key, &scene->target, &scene->quads, &scene->places, scene->sample, scene->mask);
    if ((got ^ want) & known)
        fail_msg("%s, %s, same %d, block %d: lanes %08x pass, not %08x", ops->name, scene->layout->name,
                 scene->quads.same, scene->quads.block, got & known, want);
    for (size_t i = 0; memcmp(texels, expected, sizeof texels) != 0 && i < sizeof texels / sizeof *texels; i++)
        if (texels[i] != expected[i])
            fail_msg("%s, %s, same %d, block %d: texel %zu: %08x, not %08x", ops->name, scene->layout->name,
                     scene->quads.same, scene->quads.block, i, texels[i], expected[i]);
}

static void depth_is_tested(void **state)
{
    (void)state;
    unsigned levels, passed = 0;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    static struct scene scene;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t known;
        any_scene(&scene);
        any_texels(&scene);
        passed += (unsigned)__builtin_popcount(expect(&scene, &known));
        for (unsigned l = 0; l < levels; l++) check_level(&scene, ops[l]);
    }
    assert_true(passed > ROUNDS * LANES / 4 && passed < ROUNDS * LANES / 4 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(depth_is_tested)};
    return cmocka_run_group_tests_name("depth alone", tests, NULL, NULL);
}
