/* From the primitives of a tile to groups of quads: which samples are covered, in the order of the draw. A group is a
 * block, or has quads of several blocks and primitives, but no pixel twice, and none that is in a group after it of an
 * earlier primitive: what a fragment finds in the framebuffer is what those before it left. Holds nothing of programs
 * and of what is written. */
#ifndef SCH_PIPELINE_TILE_H
#define SCH_PIPELINE_TILE_H

#include "abi/fragment.h"
#include "ops/ops.h"
#include "pipeline/bin.h"

/* What is the same for all tiles of a draw. */
struct sch_tile_rules {
    const struct sch_ops *ops;
    const struct sch_vertex_layout *layout;
    struct sch_sample_pattern pattern;
    const uint32_t *polygon_stipple; /* 32 rows */
    uint32_t sample_mask;
    bool per_sample;   /* the program runs for each sample */
    bool vertices;     /* somebody reads what vertices have; else groups do not say where that is */
    bool whole_blocks; /* groups are blocks of one primitive and sample, each pixel in its place */
};

/* Whether the coverage that setup finds of small primitives is all that is asked, but of clip distances. */
static inline bool sch_tile_takes_small(const struct sch_tile_rules *rules)
{
    return !rules->whole_blocks && !rules->per_sample;
}

/* A block of the walk's primitive whose quads are not all taken. */
struct sch_tile_block {
    int32_t x, y;
    uint32_t masks[SCH_MAX_SAMPLES];
    struct sch_lanes part;
    uint32_t sample; /* the next one, with per_sample */
    uint32_t quads;  /* bits: with a covered sample, and not taken */
};

/* 8 x 4 pixels from any quad on, and those of them that the walk's primitive has. */
struct sch_tile_piece {
    int32_t x, y;
    uint32_t lanes;
};

/* Pieces of a primitive at most, that are found at once. */
enum { SCH_TILE_PIECES = 16 };

/* Groups that quads may join at a time. */
enum { SCH_TILE_OPEN = 2 };

struct sch_tile_walk {
    const struct sch_tile_rules *rules;
    struct sch_bin_walk bins;
    int32_t rectangle[4];                         /* of the tile, in pixels */
    const struct sch_raster_primitive *primitive; /* NULL: the next one is to be taken */
    const uint32_t *vertex[SCH_QUAD_VERTICES];    /* as of a quad, if the rules want them */
    bool fills;                                   /* it has all samples of the blocks that its edges and box have */
    int32_t box[4];                               /* that the tile has of the primitive's */
    int32_t x, y;                                 /* of the present 64 x 64 pixels in the tile */
    struct sch_tile_blocks blocks;                /* of these, that are left */
    bool has_masks;                               /* masks[n] has the lanes of block n that are inside of the edges */
    uint32_t masks[SCH_TILE_BLOCKS];              /* of the blocks that are not wholly covered */
    struct sch_tile_block block;
    struct sch_tile_piece pieces[SCH_TILE_PIECES]; /* that are left to take, after the block */
    uint32_t piece_count;
    /* Rows of bits: places of quads in the 64 x 64 pixels that open groups have. */
    uint32_t taken[SCH_TILE_OPEN][SCH_TILE_SIDE / 2];
};

/* Whatever `walk` was before. */
void sch_tile_begin(struct sch_tile_walk *walk, const struct sch_tile_rules *rules, const struct sch_bins *bins,
                    uint32_t column, uint32_t row);
/* The next groups of the tile, as many as there are but at most `most`. `blocks`: how many one may stand for. */
uint32_t sch_tile_next(struct sch_tile_walk *walk, struct sch_tile_group *groups, uint32_t most, uint32_t blocks);

/* How many samples are covered in the tile of a walk that has just begun, and how often a program would run; nothing is
 * left then. */
struct sch_tile_counts {
    uint64_t samples, fragments;
};
void sch_tile_count(struct sch_tile_walk *walk, struct sch_tile_counts *counts);

/* The samples of one pixel that a primitive covers by the rules, as bits; at most those of the rules' pattern. `part`
 * receives how much of the pixel is covered, 0 to 256, of smooth primitives. For the history of a pixel. */
uint32_t sch_tile_cover_pixel(const struct sch_tile_rules *rules, const struct sch_vertices *vertices,
                              const struct sch_raster_primitive *primitive, int32_t x, int32_t y, uint32_t *part);

/* By sums of two, four and eight bits: the oldest x86-64 has no instruction for it, and compilers call a function. */
static inline uint32_t sch_count_lanes(uint32_t lanes)
{
    lanes -= lanes >> 1 & 0x55555555;
    lanes = (lanes & 0x33333333) + (lanes >> 2 & 0x33333333);
    return ((lanes + (lanes >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* Lanes that have a sample. */
static inline uint32_t sch_tile_covered(const struct sch_tile_group *group, uint32_t samples)
{
    uint32_t lanes = group->masks[0];
    for (uint32_t s = 1; s < samples; s++) lanes |= group->masks[s];
    return lanes;
}

#endif
