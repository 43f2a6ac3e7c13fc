/* Texels of a group's quads between a colour or depth buffer and lanes, as words. The two pixels of a quad's row are
 * side by side in memory and in lanes; of a block whole rows are. Holds no meaning of texels (ops/raster/merge.h,
 * ops/raster/depth_stencil.h). */
#ifndef SCH_OPS_RASTER_TARGET_H
#define SCH_OPS_RASTER_TARGET_H

#include <string.h>

#include "abi/output.h"
#include "ops/op.h"

OPS_INLINE bool target_is_little_endian(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

/* ---- one texel ----
 *
 * Whole words, and the bytes that are left. How many is a constant wherever this is used. */

/* A word of lanes as memory has it, and the other way. */
OPS_INLINE uint32_t target_word(uint32_t word) { return target_is_little_endian() ? word : __builtin_bswap32(word); }

OPS_INLINE void target_load_texel(const uint8_t *from, uint32_t bytes, struct sch_lanes *word, uint32_t lane)
{
    const uint32_t rest = bytes % sizeof(uint32_t);
    for (; bytes >= sizeof(uint32_t); bytes -= sizeof(uint32_t), from += sizeof(uint32_t), word++) {
        uint32_t value;
        memcpy(&value, from, sizeof value);
        word->u[lane] = target_word(value);
    }
    if (!rest) return;
    uint32_t value = 0;
    memcpy(&value, from, rest);
    word->u[lane] = target_word(value);
}

OPS_INLINE void target_store_texel(uint8_t *to, uint32_t bytes, const struct sch_lanes *word, uint32_t lane)
{
    const uint32_t rest = bytes % sizeof(uint32_t);
    for (; bytes >= sizeof(uint32_t); bytes -= sizeof(uint32_t), to += sizeof(uint32_t), word++) {
        const uint32_t value = target_word(word->u[lane]);
        memcpy(to, &value, sizeof value);
    }
    if (!rest) return;
    const uint32_t value = target_word(word->u[lane]);
    memcpy(to, &value, rest);
}

/* ---- where texels are ---- */

OPS_INLINE uint8_t *target_texels(const struct sch_draw_target *target, uint32_t bytes, const struct sch_quads *quads,
                                  unsigned q, uint32_t sample)
{
    const size_t slice = (size_t)quads->layer[q] * target->samples + sample;
    return target->texels + slice * target->slice_bytes + (uint32_t)quads->y[q] * target->row_bytes +
           (size_t)(uint32_t)quads->x[q] * bytes;
}

/* The lanes of a quad that are pixels of the target. */
OPS_INLINE uint32_t target_inside(const struct sch_draw_target *target, const struct sch_quads *quads, unsigned q)
{
    const uint32_t x = (uint32_t)quads->x[q], y = (uint32_t)quads->y[q];
    uint32_t lanes = 15;
    if (x + 1 >= target->width) lanes &= x >= target->width ? 0 : 5;
    if (y + 1 >= target->height) lanes &= y >= target->height ? 0 : 3;
    return lanes;
}

/* Lane i of a quad whose upper left pixel is at `quad`. */
OPS_INLINE size_t target_pixel(const struct sch_draw_target *target, uint32_t bytes, uint32_t i)
{
    return (i >> 1) * target->row_bytes + (size_t)(i & 1) * bytes;
}

/* ---- quads ---- */

OPS_INLINE void target_load_quads(const struct sch_draw_target *target, uint32_t bytes, const struct sch_quads *quads,
                                  uint32_t sample, uint32_t lanes, struct sch_lanes *word)
{
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        uint32_t wanted = lanes >> SCH_QUAD_LANES * q & 15;
        if (!wanted) continue;
        const uint32_t inside = target_inside(target, quads, q);
        const uint8_t *from = target_texels(target, bytes, quads, q, sample);
        if (inside == 15) {
            for (uint32_t i = 0; i < SCH_QUAD_LANES; i++)
                target_load_texel(from + target_pixel(target, bytes, i), bytes, word, SCH_QUAD_LANES * q + i);
            continue;
        }
        for (wanted &= inside; wanted; wanted &= wanted - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(wanted);
            target_load_texel(from + target_pixel(target, bytes, i), bytes, word, SCH_QUAD_LANES * q + i);
        }
    }
}

OPS_INLINE void target_store_quads(const struct sch_draw_target *target, uint32_t bytes, const struct sch_quads *quads,
                                   uint32_t sample, uint32_t lanes, const struct sch_lanes *word)
{
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        uint32_t wanted = lanes >> SCH_QUAD_LANES * q & 15;
        if (!wanted) continue;
        uint8_t *to = target_texels(target, bytes, quads, q, sample);
        wanted &= target_inside(target, quads, q);
        if (wanted == 15) {
            for (uint32_t i = 0; i < SCH_QUAD_LANES; i++)
                target_store_texel(to + target_pixel(target, bytes, i), bytes, word, SCH_QUAD_LANES * q + i);
            continue;
        }
        for (; wanted; wanted &= wanted - 1) {
            const uint32_t i = (uint32_t)__builtin_ctz(wanted);
            target_store_texel(to + target_pixel(target, bytes, i), bytes, word, SCH_QUAD_LANES * q + i);
        }
    }
}

/* ---- blocks of texels of one word ---- */

/* A vector has as many pixels of an upper row as of the one below it. With 8 lanes two vectors have two rows, and a row
 * is a vector in memory. */
#if SCH_LANES == 4
#define TARGET_QUADS 0, 1, 2, 3
#define TARGET_UPPER 0, 1
#define TARGET_LOWER 2, 3
#elif SCH_LANES == 8
#define TARGET_MIDDLE      0, 1, 4, 5, 2, 3, 6, 7 /* pairs of texels: the middle ones change places */
#define TARGET_LEFT_QUADS  0, 1, 8, 9, 4, 5, 12, 13
#define TARGET_RIGHT_QUADS 2, 3, 10, 11, 6, 7, 14, 15
#define TARGET_UPPER       0, 1, 4, 5, 8, 9, 12, 13
#define TARGET_LOWER       2, 3, 6, 7, 10, 11, 14, 15
#else
#define TARGET_QUADS 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15
#define TARGET_UPPER 0, 1, 4, 5, 8, 9, 12, 13
#define TARGET_LOWER 2, 3, 6, 7, 10, 11, 14, 15
#endif
#if SCH_LANES == 8
typedef uint32_t target_row __attribute__((vector_size(SCH_LANES * 4)));
enum { TARGET_PART = 2 };
#else
typedef uint32_t target_row __attribute__((vector_size(SCH_LANES * 2)));
enum { TARGET_PART = 1 };
#endif
typedef target_row target_row_memory __attribute__((aligned(1), may_alias));

/* Whether the quads are a block that is wholly in the target. */
OPS_INLINE bool target_has_block(const struct sch_draw_target *target, const struct sch_quads *quads)
{
    return quads->block && (uint32_t)quads->x[0] + SCH_BLOCK_WIDTH <= target->width &&
           (uint32_t)quads->y[0] + SCH_BLOCK_HEIGHT <= target->height;
}

/* Where the upper pixels of TARGET_PART vectors are, the first of which is v, from the first pixel of the block. */
OPS_INLINE uint8_t *target_part(uint8_t *first, size_t row_bytes, unsigned v)
{
    const unsigned quad = v * (SCH_LANES / SCH_QUAD_LANES), across = SCH_BLOCK_WIDTH / 2;
    return first + quad / across * 2 * row_bytes + (size_t)(quad % across * 2) * sizeof(uint32_t);
}

/* TARGET_PART vectors of the texels of a block, from v on. `first`: its first pixel. */
OPS_INLINE void target_load_part(uint8_t *first, size_t row_bytes, unsigned v, vu32 texels[TARGET_PART])
{
    const uint8_t *upper = target_part(first, row_bytes, v);
    const target_row up = *(const target_row_memory *)upper;
    const target_row low = *(const target_row_memory *)(upper + row_bytes);
#if SCH_LANES == 8
    const target_row upper_pairs = __builtin_shufflevector(up, up, TARGET_MIDDLE);
    const target_row lower_pairs = __builtin_shufflevector(low, low, TARGET_MIDDLE);
    texels[0] = __builtin_shufflevector(upper_pairs, lower_pairs, TARGET_LEFT_QUADS);
    texels[1] = __builtin_shufflevector(upper_pairs, lower_pairs, TARGET_RIGHT_QUADS);
#else
    texels[0] = __builtin_shufflevector(up, low, TARGET_QUADS);
#endif
}

OPS_INLINE void target_store_part(uint8_t *first, size_t row_bytes, unsigned v, const vu32 texels[TARGET_PART])
{
    const vu32 left = texels[0], right = texels[TARGET_PART - 1];
    uint8_t *upper = target_part(first, row_bytes, v);
    *(target_row_memory *)upper = __builtin_shufflevector(left, right, TARGET_UPPER);
    *(target_row_memory *)(upper + row_bytes) = __builtin_shufflevector(left, right, TARGET_LOWER);
}

/* The block below will probably be next in these columns, since tiles are walked row by row. The rows of several
 * samples are more streams than processors follow by themselves. */
OPS_INLINE void target_expect_below(const uint8_t *first, size_t row_bytes)
{
    OPS_UNROLL
    for (unsigned row = SCH_BLOCK_HEIGHT; row < 2 * SCH_BLOCK_HEIGHT; row++)
        v_prefetch(first, (int64_t)(row * row_bytes));
}

OPS_INLINE void target_load_block(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                                  struct sch_lanes *word)
{
    uint8_t *first = target_texels(target, sizeof(uint32_t), quads, 0, sample);
    for (unsigned v = 0; v < OPS_VECTORS; v += TARGET_PART) {
        vu32 texels[TARGET_PART];
        target_load_part(first, target->row_bytes, v, texels);
        OPS_UNROLL
        for (unsigned i = 0; i < TARGET_PART; i++) ops_put_U(word, v + i, texels[i]);
    }
}

/* No other thread has the pixels meanwhile: those of other lanes are written back as they were. */
OPS_INLINE void target_keep_part(uint8_t *first, size_t row_bytes, unsigned v, uint32_t lanes, vu32 texels[TARGET_PART])
{
    vu32 before[TARGET_PART];
    target_load_part(first, row_bytes, v, before);
    OPS_UNROLL
    for (unsigned i = 0; i < TARGET_PART; i++)
        texels[i] = v_select_u32(v_mask_from_bits(lanes >> ((v + i) * SCH_LANES)), texels[i], before[i]);
}

OPS_INLINE void target_store_block(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                                   uint32_t lanes, const struct sch_lanes *word)
{
    uint8_t *first = target_texels(target, sizeof(uint32_t), quads, 0, sample);
    for (unsigned v = 0; v < OPS_VECTORS; v += TARGET_PART) {
        vu32 texels[TARGET_PART];
        OPS_UNROLL
        for (unsigned i = 0; i < TARGET_PART; i++) texels[i] = ops_load_U(word, v + i);
        if (lanes != UINT32_MAX) target_keep_part(first, target->row_bytes, v, lanes, texels);
        target_store_part(first, target->row_bytes, v, texels);
    }
}

/* ---- quads of texels of one word ----
 *
 * All wholly in the target, each where it is: two pairs of texels. */

typedef uint32_t target_quad __attribute__((vector_size(SCH_QUAD_LANES * 4)));
typedef target_quad target_quad_memory __attribute__((aligned(1), may_alias));
typedef uint64_t target_pairs __attribute__((vector_size(SCH_QUAD_LANES * 4)));
typedef uint64_t target_pair __attribute__((aligned(1), may_alias));

/* Whether all quads are wholly in the target and in one layer. */
OPS_INLINE bool target_has_quads(const struct sch_draw_target *target, const struct sch_quads *quads)
{
    typedef uint32_t words __attribute__((vector_size(16)));
    typedef uint16_t layers __attribute__((vector_size(16)));
    typedef words words_in_memory __attribute__((aligned(4), may_alias));
    typedef layers layers_in_memory __attribute__((aligned(2), may_alias));
    enum { WORDS = sizeof(words) / sizeof(uint32_t) };
    words outside = (words)(*(const layers_in_memory *)quads->layer ^ quads->layer[0]);
    OPS_UNROLL
    for (unsigned q = 0; q < SCH_GROUP_QUADS; q += WORDS) {
        const words x = *(const words_in_memory *)(quads->x + q), y = *(const words_in_memory *)(quads->y + q);
        outside |= (words)(x + 2u > target->width) | (words)(y + 2u > target->height);
    }
    return !(((target_pairs)outside)[0] | ((target_pairs)outside)[1]);
}

/* The upper pixels of quad q, from those of the layer and sample on. */
OPS_INLINE uint8_t *target_quad_texels(const struct sch_draw_target *target, const struct sch_quads *quads, unsigned q,
                                       uint8_t *slice)
{
    return slice + (uint32_t)quads->y[q] * target->row_bytes + (size_t)(uint32_t)quads->x[q] * sizeof(uint32_t);
}

OPS_INLINE uint8_t *target_slice(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample)
{
    return target->texels + ((size_t)quads->layer[0] * target->samples + sample) * target->slice_bytes;
}

OPS_INLINE target_quad target_load_quad(const struct sch_draw_target *target, const uint8_t *upper)
{
    const target_pairs pairs = {*(const target_pair *)upper, *(const target_pair *)(upper + target->row_bytes)};
    return (target_quad)pairs;
}

OPS_INLINE void target_store_quad(const struct sch_draw_target *target, uint8_t *upper, target_quad texels)
{
    *(target_pair *)upper = ((target_pairs)texels)[0];
    *(target_pair *)(upper + target->row_bytes) = ((target_pairs)texels)[1];
}

/* The quads of vector v. */
OPS_INLINE vu32 target_load_vector_of_quads(const struct sch_draw_target *target, const struct sch_quads *quads,
                                            uint8_t *slice, unsigned v)
{
    target_quad quad[SCH_LANES / SCH_QUAD_LANES];
    OPS_UNROLL
    for (unsigned q = 0; q < SCH_LANES / SCH_QUAD_LANES; q++)
        quad[q] =
            target_load_quad(target, target_quad_texels(target, quads, v * (SCH_LANES / SCH_QUAD_LANES) + q, slice));
#if SCH_LANES == 4
    return quad[0];
#elif SCH_LANES == 8
    return __builtin_shufflevector(quad[0], quad[1], V_COUNT);
#else
    typedef uint32_t two_quads __attribute__((vector_size(SCH_QUAD_LANES * 8)));
    const two_quads low = __builtin_shufflevector(quad[0], quad[1], 0, 1, 2, 3, 4, 5, 6, 7);
    const two_quads high = __builtin_shufflevector(quad[2], quad[3], 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, V_COUNT);
#endif
}

OPS_INLINE void target_load_words(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                                  struct sch_lanes *word)
{
    uint8_t *slice = target_slice(target, quads, sample);
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_U(word, v, target_load_vector_of_quads(target, quads, slice, v));
}

/* The quads that have one of these lanes, with all pixels. */
OPS_INLINE void target_store_words(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                                   uint32_t lanes, const struct sch_lanes *word)
{
    uint8_t *slice = target_slice(target, quads, sample);
    OPS_UNROLL
    for (unsigned q = 0; q < SCH_GROUP_QUADS; q++)
        if (lanes >> SCH_QUAD_LANES * q & 15)
            target_store_quad(target, target_quad_texels(target, quads, q, slice),
                              *(const target_quad_memory *)(word->u + (size_t)SCH_QUAD_LANES * q));
}

/* `word` with the texels that are there in other lanes. */
OPS_INLINE void target_keep_words(const struct sch_draw_target *target, const struct sch_quads *quads, uint32_t sample,
                                  uint32_t lanes, const struct sch_lanes *word, struct sch_lanes *kept)
{
    uint8_t *slice = target_slice(target, quads, sample);
    OPS_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        const vi32 written = v_mask_from_bits(lanes >> (v * SCH_LANES));
        const vu32 before = target_load_vector_of_quads(target, quads, slice, v);
        ops_put_U(kept, v, v_select_u32(written, ops_load_U(word, v), before));
    }
}

/* ---- a group ----
 *
 * `bytes` is a constant where this is fast. */

/* For quads that need not be a block. */
OPS_INLINE void target_load_scattered(const struct sch_draw_target *target, uint32_t bytes,
                                      const struct sch_quads *quads, uint32_t sample, uint32_t lanes,
                                      struct sch_lanes *word)
{
    if (bytes == sizeof(uint32_t) && target_is_little_endian() && target_has_quads(target, quads))
        target_load_words(target, quads, sample, word);
    else
        target_load_quads(target, bytes, quads, sample, lanes, word);
}

/* `loaded`: all of `word` was loaded for these lanes or more, and other lanes have what was loaded. */
OPS_INLINE void target_store_scattered(const struct sch_draw_target *target, uint32_t bytes,
                                       const struct sch_quads *quads, uint32_t sample, uint32_t lanes, bool loaded,
                                       const struct sch_lanes *word)
{
    struct sch_lanes kept;
    if (bytes != sizeof(uint32_t) || !target_is_little_endian() || !target_has_quads(target, quads)) {
        target_store_quads(target, bytes, quads, sample, lanes, word);
        return;
    }
    if (!loaded) target_keep_words(target, quads, sample, lanes, word, &kept);
    target_store_words(target, quads, sample, lanes, loaded ? word : &kept);
}

OPS_INLINE void target_load(const struct sch_draw_target *target, uint32_t bytes, const struct sch_quads *quads,
                            uint32_t sample, uint32_t lanes, struct sch_lanes *word)
{
    if (bytes == sizeof(uint32_t) && target_is_little_endian() && target_has_block(target, quads))
        target_load_block(target, quads, sample, word);
    else
        target_load_scattered(target, bytes, quads, sample, lanes, word);
}

OPS_INLINE void target_store(const struct sch_draw_target *target, uint32_t bytes, const struct sch_quads *quads,
                             uint32_t sample, uint32_t lanes, bool loaded, const struct sch_lanes *word)
{
    if (bytes == sizeof(uint32_t) && target_is_little_endian() && target_has_block(target, quads))
        target_store_block(target, quads, sample, loaded ? UINT32_MAX : lanes, word);
    else
        target_store_scattered(target, bytes, quads, sample, lanes, loaded, word);
}

#endif
