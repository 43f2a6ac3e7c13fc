/* Texels between colour or depth buffers and lanes (src/ops/raster/target.c), at every level, against bytes that are
 * moved one by one (abi/output.h): what is loaded is what stands there, what is stored is there, nothing else changes,
 * and no access is outside of the buffer, which begins or ends at a page that cannot be touched. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "../support/random_number.h"
#include "ops/ops.h"

enum { LANES = SCH_GROUP_LANES, QUADS = SCH_GROUP_QUADS, ROUNDS = 2000, ROOM = 1 << 16 };

static uint64_t seed = 7;
static uint32_t pick(uint32_t below) { return (uint32_t)((random_number(&seed) >> 32) % below); }

static uint8_t *memory; /* ROOM bytes; behind them as much that cannot be touched, then lanes, and a page like that */
static struct sch_lanes *lanes_end;
static uint8_t before[ROOM], expected[ROOM];

static int open_memory(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *pages = mmap(NULL, 2 * ROOM + 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    memory = pages + page;
    lanes_end = (struct sch_lanes *)(void *)(memory + 2 * ROOM + page);
    assert_int_equal(mprotect(memory, ROOM, PROT_READ | PROT_WRITE), 0);
    assert_int_equal(mprotect(memory + 2 * ROOM, page, PROT_READ | PROT_WRITE), 0);
    for (size_t i = 0; i < ROOM; i++) memory[i] = before[i] = (uint8_t)random_number(&seed);
    return 0;
}

static int close_memory(void **state)
{
    (void)state;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return munmap(memory - page, 2 * ROOM + 3 * page);
}

/* ---- buffers and quads ---- */

struct scene {
    struct sch_draw_target target;
    struct sch_quads quads;
    uint32_t sample, lanes;
};

static void any_target(struct sch_draw_target *target)
{
    static const uint8_t sizes[] = {1, 2, 3, 4, 4, 4, 4, 6, 8, 12, 16};
    const uint8_t bytes = sizes[pick(sizeof sizes)];
    *target = (struct sch_draw_target){
        .width = 1 + pick(20), .height = 1 + pick(12), .layers = 1 + pick(3), .samples = 1u << pick(3)};
    target->texel_bytes = bytes;
    target->row_bytes = (size_t)target->width * bytes + pick(6);
    target->slice_bytes = target->height * target->row_bytes + pick(6);
    const size_t last = (target->height - 1) * target->row_bytes + (size_t)target->width * bytes;
    const size_t size = (target->layers * target->samples - 1) * target->slice_bytes + last;
    assert_true(size <= ROOM);
    target->texels = pick(2) ? memory : memory + ROOM - size;
}

/* The quads of a block that begins in the target. */
static void block_quads(struct scene *scene)
{
    const struct sch_draw_target *target = &scene->target;
    const int32_t x = (int32_t)pick(target->width) & ~(SCH_BLOCK_WIDTH - 1);
    const int32_t y = (int32_t)pick(target->height) & ~(SCH_BLOCK_HEIGHT - 1);
    const uint16_t layer = (uint16_t)pick(target->layers);
    scene->quads.block = true;
    for (unsigned q = 0; q < QUADS; q++) {
        scene->quads.layer[q] = layer;
        scene->quads.x[q] = x + (int32_t)(q % 4 * 2);
        scene->quads.y[q] = y + (int32_t)(q / 4 * 2);
    }
}

/* Quads in different places of the target; those without lanes are anywhere. */
static void single_quads(struct scene *scene)
{
    const struct sch_draw_target *target = &scene->target;
    const uint32_t across = (target->width + 1) / 2, down = (target->height + 1) / 2;
    const uint32_t places = across * down * target->layers, first = pick(places);
    for (unsigned q = 0; q < QUADS; q++) {
        const uint32_t place = (first + q) % places;
        scene->quads.layer[q] = (uint16_t)(place % target->layers);
        scene->quads.x[q] = (int32_t)(place / target->layers % across * 2);
        scene->quads.y[q] = (int32_t)(place / target->layers / across * 2);
        if (q < places && pick(4)) continue;
        scene->lanes &= ~(UINT32_C(15) << 4 * q);
        scene->quads.layer[q] = UINT16_MAX;
        if (pick(2)) scene->quads.x[q] = (int32_t)(random_number(&seed) >> 33);
    }
}

static void any_scene(struct scene *scene)
{
    memset(scene, 0, sizeof *scene);
    any_target(&scene->target);
    scene->sample = pick(scene->target.samples);
    scene->lanes = pick(2) ? UINT32_MAX : (uint32_t)random_number(&seed);
    pick(2) ? block_quads(scene) : single_quads(scene);
}

/* Where lane i's texel is in the memory; false: it is none of the lanes, or none of the target's. */
static bool place_of(const struct scene *scene, unsigned lane, size_t *place)
{
    const struct sch_draw_target *target = &scene->target;
    const unsigned q = lane / 4;
    if (!(scene->lanes >> lane & 1)) return false;
    const uint32_t x = (uint32_t)scene->quads.x[q] + lane % 2, y = (uint32_t)scene->quads.y[q] + lane / 2 % 2;
    if (x >= target->width || y >= target->height) return false;
    const size_t slice = (size_t)scene->quads.layer[q] * target->samples + scene->sample;
    *place = (size_t)(target->texels - memory) + slice * target->slice_bytes + y * target->row_bytes +
             (size_t)x * target->texel_bytes;
    return true;
}

/* Byte `at` of a lane's texel. */
static uint8_t byte_of(const struct sch_lanes *word, unsigned lane, unsigned at)
{
    return (uint8_t)(word[at / 4].u[lane] >> at % 4 * 8);
}

/* As many words as the texels have, at the end of what can be touched. */
static struct sch_lanes *any_words(const struct scene *scene)
{
    const unsigned words = (scene->target.texel_bytes + 3) / 4;
    for (unsigned w = 0; w < words; w++)
        for (unsigned lane = 0; lane < LANES; lane++) (lanes_end - words)[w].u[lane] = (uint32_t)random_number(&seed);
    return lanes_end - words;
}

/* ---- tests ---- */

static void check_load(const struct sch_ops *ops, const struct scene *scene)
{
    const unsigned bytes = scene->target.texel_bytes;
    struct sch_lanes *word = any_words(scene);
    ops->load_texels(&scene->target, &scene->quads, scene->sample, scene->lanes, word);
    for (unsigned lane = 0; lane < LANES; lane++) {
        size_t place;
        if (!place_of(scene, lane, &place)) continue;
        for (unsigned at = 0; at < (bytes + 3) / 4 * 4; at++) {
            const uint8_t want = at < bytes ? before[place + at] : 0, got = byte_of(word, lane, at);
            if (want != got)
                fail_msg("%s, %u bytes, block %d: lane %u, byte %u: %02x, not %02x", ops->name, bytes,
                         scene->quads.block, lane, at, got, want);
        }
    }
    assert_memory_equal(memory, before, ROOM);
}

static void check_store(const struct sch_ops *ops, const struct scene *scene)
{
    const unsigned bytes = scene->target.texel_bytes;
    const struct sch_lanes *word = any_words(scene);
    memcpy(expected, before, ROOM);
    for (unsigned lane = 0; lane < LANES; lane++) {
        size_t place;
        if (!place_of(scene, lane, &place)) continue;
        for (unsigned at = 0; at < bytes; at++) expected[place + at] = byte_of(word, lane, at);
    }
    memcpy(memory, before, ROOM);
    ops->store_texels(&scene->target, &scene->quads, scene->sample, scene->lanes, word);
    for (size_t i = 0; memcmp(memory, expected, ROOM) != 0 && i < ROOM; i++)
        if (memory[i] != expected[i])
            fail_msg("%s, %u bytes, block %d: byte %zu: %02x, not %02x", ops->name, bytes, scene->quads.block, i,
                     memory[i], expected[i]);
    memcpy(memory, before, ROOM);
}

static void texels_are_moved(void **state)
{
    (void)state;
    unsigned levels, blocks = 0;
    const struct sch_ops *const *ops = sch_ops_levels(&levels);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct scene scene;
        any_scene(&scene);
        blocks += scene.quads.block;
        for (unsigned l = 0; l < levels; l++) {
            check_load(ops[l], &scene);
            check_store(ops[l], &scene);
        }
    }
    assert_true(blocks > ROUNDS / 4 && blocks < ROUNDS / 4 * 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(texels_are_moved)};
    return cmocka_run_group_tests_name("target", tests, open_memory, close_memory);
}
