/* Texels of quads to lanes and back. The two pixels of a quad's row are side by side in memory and in lanes. */
#include "pipeline/target.h"

#include <string.h>

static bool words_are_little_endian(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

/* ---- one texel ---- */

static void load_bytes(const uint8_t *from, uint32_t bytes, struct sch_lanes *word, uint32_t lane)
{
    for (uint32_t at = 0; at < bytes; at += 4) {
        const uint32_t part = bytes - at < 4 ? bytes - at : 4;
        uint32_t bits = 0;
        for (uint32_t b = 0; b < part; b++) bits |= (uint32_t)from[at + b] << 8 * b;
        word[at / 4].u[lane] = bits;
    }
}

static inline __attribute__((always_inline)) void load_texel(const uint8_t *from, uint32_t bytes,
                                                             struct sch_lanes *word, uint32_t lane)
{
    uint16_t half;
    if (words_are_little_endian() && bytes % 4 == 0) {
        for (uint32_t w = 0; w < bytes / 4; w++) memcpy(&word[w].u[lane], from + 4 * w, 4);
    } else if (words_are_little_endian() && bytes == 2) {
        memcpy(&half, from, 2);
        word->u[lane] = half;
    } else {
        load_bytes(from, bytes, word, lane);
    }
}

static inline __attribute__((always_inline)) void store_texel(uint8_t *to, uint32_t bytes, const struct sch_lanes *word,
                                                              uint32_t lane)
{
    const uint16_t half = (uint16_t)word->u[lane];
    if (words_are_little_endian() && bytes % 4 == 0) {
        for (uint32_t w = 0; w < bytes / 4; w++) memcpy(to + 4 * w, &word[w].u[lane], 4);
    } else if (words_are_little_endian() && bytes == 2) {
        memcpy(to, &half, 2);
    } else {
        for (uint32_t at = 0; at < bytes; at++) to[at] = (uint8_t)(word[at / 4].u[lane] >> 8 * (at % 4));
    }
}

/* ---- quads ---- */

/* The lanes of a quad that are pixels of the target. */
static uint8_t lanes_inside(const struct sch_draw_target *target, uint32_t x, uint32_t y)
{
    uint8_t lanes = 15;
    if (x + 1 >= target->width) lanes &= x >= target->width ? 0 : 5;
    if (y + 1 >= target->height) lanes &= y >= target->height ? 0 : 3;
    return lanes;
}

struct sch_target_quad sch_target_quad(const struct sch_draw_target *target, uint32_t x, uint32_t y, uint32_t layer)
{
    const size_t slice = (size_t)layer * target->samples;
    return (struct sch_target_quad){.texels = target->texels + slice * target->slice_bytes + y * target->row_bytes +
                                              (size_t)x * target->texel_bytes,
                                    .inside = lanes_inside(target, x, y)};
}

/* A quad all of whose pixels are there; `bytes` is a constant. */
static inline __attribute__((always_inline)) void load_quad(const struct sch_draw_target *target, const uint8_t *upper,
                                                            uint32_t bytes, struct sch_lanes *word, uint32_t lane)
{
    const uint8_t *lower = upper + target->row_bytes;
    load_texel(upper, bytes, word, lane);
    load_texel(upper + bytes, bytes, word, lane + 1);
    load_texel(lower, bytes, word, lane + 2);
    load_texel(lower + bytes, bytes, word, lane + 3);
}

static inline __attribute__((always_inline)) void store_quad(const struct sch_draw_target *target, uint8_t *upper,
                                                             uint32_t bytes, const struct sch_lanes *word,
                                                             uint32_t lane)
{
    uint8_t *lower = upper + target->row_bytes;
    store_texel(upper, bytes, word, lane);
    store_texel(upper + bytes, bytes, word, lane + 1);
    store_texel(lower, bytes, word, lane + 2);
    store_texel(lower + bytes, bytes, word, lane + 3);
}

/* Whether the quad was of a size that has code of its own, and was loaded. */
static bool load_whole(const struct sch_draw_target *target, const uint8_t *quad, struct sch_lanes *word, uint32_t lane)
{
    switch (target->texel_bytes) {
    case 1:
        load_quad(target, quad, 1, word, lane);
        return true;
    case 2:
        load_quad(target, quad, 2, word, lane);
        return true;
    case 4:
        load_quad(target, quad, 4, word, lane);
        return true;
    case 8:
        load_quad(target, quad, 8, word, lane);
        return true;
    case 16:
        load_quad(target, quad, 16, word, lane);
        return true;
    default:
        return false;
    }
}

static bool store_whole(const struct sch_draw_target *target, uint8_t *quad, const struct sch_lanes *word,
                        uint32_t lane)
{
    switch (target->texel_bytes) {
    case 1:
        store_quad(target, quad, 1, word, lane);
        return true;
    case 2:
        store_quad(target, quad, 2, word, lane);
        return true;
    case 4:
        store_quad(target, quad, 4, word, lane);
        return true;
    case 8:
        store_quad(target, quad, 8, word, lane);
        return true;
    case 16:
        store_quad(target, quad, 16, word, lane);
        return true;
    default:
        return false;
    }
}

/* Lane i of a quad whose upper left pixel is at `quad`. */
static size_t pixel_offset(const struct sch_draw_target *target, uint32_t i)
{
    return (i >> 1) * target->row_bytes + (size_t)(i & 1) * target->texel_bytes;
}

void sch_target_load(const struct sch_draw_target *target, const struct sch_target_quad quads[SCH_GROUP_QUADS],
                     uint32_t sample, uint32_t lanes, struct sch_lanes *word)
{
    const size_t slice = sample * target->slice_bytes;
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        uint32_t wanted = lanes >> SCH_QUAD_LANES * q & 15;
        if (!wanted) continue;
        const uint8_t *from = quads[q].texels + slice;
        if (quads[q].inside == 15 && load_whole(target, from, word, 4 * q)) continue;
        for (wanted &= quads[q].inside; wanted; wanted &= wanted - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(wanted);
            load_texel(from + pixel_offset(target, i), target->texel_bytes, word, 4 * q + i);
        }
    }
}

void sch_target_store(const struct sch_draw_target *target, const struct sch_target_quad quads[SCH_GROUP_QUADS],
                      uint32_t sample, uint32_t lanes, const struct sch_lanes *word)
{
    const size_t slice = sample * target->slice_bytes;
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        uint32_t wanted = lanes >> SCH_QUAD_LANES * q & quads[q].inside;
        if (!wanted) continue;
        uint8_t *to = quads[q].texels + slice;
        if (wanted == 15 && store_whole(target, to, word, 4 * q)) continue;
        for (; wanted; wanted &= wanted - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(wanted);
            store_texel(to + pixel_offset(target, i), target->texel_bytes, word, 4 * q + i);
        }
    }
}
