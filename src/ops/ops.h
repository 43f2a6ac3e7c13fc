/* The table of operations that an engine calls, one per level: a vector width and the instructions it was built for.
 * Every level computes the same bits. This header is width-agnostic; src/ops/op.h is the other side, for the files that
 * hold the meanings. */
#ifndef SCH_OPS_OPS_H
#define SCH_OPS_OPS_H

#include "abi/arithmetic.h"
#include "abi/group.h"
#include "abi/maxwell.h"
#include "abi/memory.h"
#include "abi/output.h"
#include "abi/raster.h"
#include "abi/texture.h"
#include "abi/video.h"
#include "isa/isa.h"

/* One arithmetic operation on a whole group, all lanes, no mask. Which channels `dst` and `src` point to follows from
 * the opcode's shape:
 *   COMP                 src[i]: the channel of source i                 dst[0]
 *   REPL                 src[i]: x of source i                           dst[0]
 *   VREPL2, 3, 4         src[4 * i + c]: channel c of source i           dst[0]
 *   CHAN                 src[4 * i + c]                                  dst[0..3]
 *   UNPACK               src[0]: x                                       dst[0..3]
 *   COMP64               src[2 * i], src[2 * i + 1]: low and high word of source i; a 32-bit source has src[2 * i] only
 *                                                                        dst[0], dst[1]: low and high word
 *   COMPARE64, NARROW64  sources as COMP64                               dst[0]
 *   WIDEN64              src[i]                                          dst[0], dst[1]
 *   FRACEXP              src[0], src[1]                                  dst[0], dst[1]: fraction; dst[2]: exponent
 * Destinations must not overlap sources unless they are the same channel at the same index. */
typedef void sch_op_fn(uint32_t rules, struct sch_lanes *const dst[], const struct sch_lanes *const src[]);

struct sch_ops {
    const char *name; /* "w8v3" */
    unsigned lanes;   /* of one vector: 4, 8, 16 */

    sch_op_fn *op[SCH_OP_LIMIT];         /* NULL for opcodes whose shape is not arithmetic */
    sch_atomic_fn *atomic[SCH_OP_LIMIT]; /* NULL for opcodes that are not ATOM* */

    /* By enum sch_modifier: src[0] -> dst[0], of 64-bit values two words each. NULL: NOTHING. */
    sch_op_fn *modify[SCH_MODIFIER_COUNT];

    /* INTERP_*: a plane at an offset, divided by the plane of 1/w at the same offset. src[0..2]: the value at the
     * pixel's centre, its step in x, in y; src[3..4]: the offset in x, in y; src[5..7]: the divisor at the centre, its
     * steps. */
    sch_op_fn *interpolate;

    /* dst = mask lane ? value : dst. Mask lanes are 0 or all ones. */
    void (*commit)(struct sch_lanes *dst, const struct sch_lanes *value, const struct sch_lanes *mask);
    /* All lanes = word. */
    void (*splat)(struct sch_lanes *dst, uint32_t word);
    /* Bit i of the result: lane i of `value` is not zero, as integer and as float (a NaN is not zero, -0 is). */
    uint32_t (*nonzero_u32)(const struct sch_lanes *value);
    uint32_t (*nonzero_f32)(const struct sch_lanes *value);
    /* Bit i: lane i is less than 0.0 (KILL_IF). */
    uint32_t (*negative_f32)(const struct sch_lanes *value);
    /* Bit i: lane i equals word (CASE). */
    uint32_t (*equal_u32)(const struct sch_lanes *value, uint32_t word);
    /* Lanes 0 or all ones from bits. */
    void (*mask_lanes)(struct sch_lanes *mask, uint32_t bits);
    /* lane i = base[index lane i * stride], 0 where `mask` is 0 or the index is not below `limit` (unsigned): indirect
     * operands. `base` in words. */
    void (*gather)(struct sch_lanes *dst, const uint32_t *base, const struct sch_lanes *index, uint32_t stride,
                   uint32_t limit, const struct sch_lanes *mask);

    /* Texture lookups: see abi/texture.h. */
    sch_sample_fn *sample;
    sch_sample_fn *texture_gather;
    sch_sample_fn *lod_query; /* x: the LOD that is accessed, y: the one before the clamps */
    sch_fetch_fn *fetch;
    sch_sample_fn *footprint_query; /* the level of detail and the axes of the footprint, in fixed point: TMML */
    sch_image_store_fn *image_store;
    sch_image_texel_fn *image_texel;
    sch_texels_read_fn *texels_read;
    sch_texels_write_fn *texels_write;
    sch_texels_mean_fn *texels_mean;
    sch_texel_tile_decode_fn *tile_decode; /* texels of compressed blocks (ops/texture/blocks.c) */
    sch_video_colors_fn *video_colors;     /* rows of luma and chroma become colours (ops/texture/video.c) */

    /* Operands and results of Maxwell's texture instructions (ops/texture/maxwell.c). A field of `count` bits from bit
     * `low`, sign or zero extended. Two floats as halves in one word, rounded to nearest even or toward zero; `high`
     * NULL: 0. */
    void (*bit_field)(struct sch_lanes *dst, const struct sch_lanes *src, unsigned low, unsigned count, bool is_signed);
    void (*pack_halves)(struct sch_lanes *dst, const struct sch_lanes *low, const struct sch_lanes *high,
                        bool toward_zero);

    /* Maxwell's arithmetic (ops/maxwell), by enum sch_maxwell_body; what an atomic operation makes of a number. Lanes
     * whose flags pass a test of table CC; (word & keep) ^ flip, for signs and complements of operands; a mask of where
     * a predicate is true, or is not. */
    sch_maxwell_fn *maxwell[SCH_MAXWELL_BODY_COUNT];
    sch_maxwell_update_fn *maxwell_update;
    uint32_t (*maxwell_test)(const struct sch_lanes *flags, unsigned test);
    void (*maxwell_flip)(struct sch_lanes *to, const struct sch_lanes *from, uint32_t keep, uint32_t flip);
    void (*maxwell_truth)(struct sch_lanes *to, const struct sch_lanes *from, bool is_not);

    /* Memory: see abi/memory.h. */
    sch_load_fn *load;
    sch_store_fn *store;

    /* The steps around groups (ops/raster/span.c). The pixels of 8 quads side by side, as floats; the first one's upper
     * left pixel is (column, row), both below 2^24. */
    void (*quad_pixels)(struct sch_lanes *x, struct sch_lanes *y, uint32_t column, uint32_t row);
    void (*plane)(struct sch_lanes *dst, const struct sch_group_plane *plane, const struct sch_lanes *x,
                  const struct sch_lanes *y);
    /* Four floats of each lane as bytes, 0 to 1 as 0 to 255, rounded to nearest even, x first in memory: the upper row
     * of the 8 quads from left to right, and the lower row, 16 words each, at any address. */
    void (*pack_unorm8)(void *upper, void *lower, const struct sch_lanes rgba[4]);
    /* THREAD_ID of the threads from `first` on of a work group; `block` as its size, none of it 0 and at most 2^31
     * threads. For a block of one row only id[0] is written. */
    void (*thread_ids)(struct sch_lanes id[3], uint32_t first, const uint32_t block[3]);

#define RASTER(name, result, parameters) result(*name) parameters;
#include "ops/raster/raster.def"
#undef RASTER
};

/* The levels of this build that this processor runs, best last; `*count` receives how many. The first has width 4. */
const struct sch_ops *const *sch_ops_levels(unsigned *count);

/* The best level of a width (4, 8, 16), or for 0 of any. A width that is not there takes the next narrower one: results
 * do not depend on it. NULL for any other number. */
const struct sch_ops *sch_ops_for_width(unsigned lanes);

/* The baseline level with texture lookups that fill in the request's trace: the same meanings, compiled with the places
 * that write it down. Slow. */
const struct sch_ops *sch_ops_traced(void);

#endif
