/* Which pixels and samples of a block, and which blocks of a tile, are inside of edges, exactly. How edges come about
 * is src/pipeline's.
 *
 * An edge function is a whole number E(x, y) = c + a * x + b * y in sub-pixels, and inside is E + bias >= 0. Pixels are
 * 256 sub-pixels apart: of pixel (i, j) of a block E is E0 + 256 * (a * i + b * j), and that is >= 0 exactly where
 * floor(E0 / 256) + a * i + b * j is. The sum a * i + b * j is below 2^29 in the guard band, so that the first term can
 * be limited to 2^30 without changing a sign: words of 32 bits are always enough. */
#include "ops/raster/block.h"

enum { COVER_EDGES = 4, COVER_TILE_COLUMNS = SCH_TILE_SIDE / SCH_BLOCK_WIDTH, COVER_TILE_WORDS = 4 };

OPS_INLINE int32_t cover_limit(int64_t value)
{
    const int64_t limit = INT64_C(1) << 30;
    value = value < limit ? value : limit;
    return (int32_t)(value > -limit ? value : -limit);
}

/* Inside is where this is >= 0. */
OPS_INLINE int64_t cover_at(const struct sch_edge *edge, int32_t x, int32_t y)
{
    return edge->c + edge->bias + (int64_t)edge->a * x + (int64_t)edge->b * y;
}

/* What each edge adds from pixel to pixel of a block. */
struct cover_steps {
    vi32 of[COVER_EDGES][OPS_VECTORS];
};

OPS_INLINE void cover_steps(struct cover_steps *steps, const struct sch_edge *edges, unsigned count)
{
    V_UNROLL
    for (unsigned e = 0; e < count; e++) {
        const vi32 first = block_column(0) * edges[e].a + block_row(0) * edges[e].b;
        V_UNROLL
        for (unsigned v = 0; v < OPS_VECTORS; v++) {
            const int32_t lane = (int32_t)(v * SCH_LANES), column = (lane >> 2 & 3) * 2, row = (lane >> 4) * 2;
            steps->of[e][v] = first + (column * edges[e].a + row * edges[e].b);
        }
    }
}

/* Lanes that are inside of all edges, whose values at lane 0 are given. */
OPS_INLINE uint32_t cover_lanes(const struct cover_steps *steps, const int32_t *first, unsigned count)
{
    uint32_t outside = 0;
    V_UNROLL
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        vi32 any = v_splat_i32(0);
        V_UNROLL
        for (unsigned e = 0; e < count; e++) any |= steps->of[e][v] + first[e];
        outside |= v_sign_bits(any) << (v * SCH_LANES % SCH_GROUP_LANES);
    }
    return ~outside;
}

OPS_INLINE uint32_t cover_sample(const struct cover_steps *steps, const struct sch_edge *edges, unsigned count,
                                 int32_t x, int32_t y)
{
    int32_t first[COVER_EDGES] = {0};
    V_UNROLL
    for (unsigned e = 0; e < count; e++) first[e] = cover_limit(cover_at(&edges[e], x, y) >> 8);
    return cover_lanes(steps, first, count);
}

/* The sub-pixel in the middle of a pixel. */
OPS_INLINE int32_t cover_center(int32_t pixel) { return pixel * SCH_SUBPIXELS + SCH_SUBPIXELS / 2; }

OPS_INLINE void cover_samples(uint32_t *masks, const struct sch_edge *edges, unsigned count, int32_t x, int32_t y,
                              const struct sch_sample_pattern *pattern)
{
    struct cover_steps steps;
    cover_steps(&steps, edges, count);
    for (uint32_t s = 0; s < pattern->samples; s++)
        masks[s] = cover_sample(&steps, edges, count, cover_center(x) + pattern->x[s], cover_center(y) + pattern->y[s]);
}

/* See raster.def. */
void OPS_LOCAL(cover_edges)(uint32_t *masks, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y,
                            const struct sch_sample_pattern *pattern);
void OPS_LOCAL(cover_edges)(uint32_t *masks, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y,
                            const struct sch_sample_pattern *pattern)
{
    if (edge_count == 3)
        cover_samples(masks, edges, 3, x, y, pattern);
    else
        cover_samples(masks, edges, edge_count, x, y, pattern);
}

/* Blocks are 8 and 4 pixels apart: all have the steps and the lowest bits of the first one's value. */
OPS_INLINE void cover_listed(uint32_t *masks, const struct sch_edge *edges, unsigned count, int32_t x, int32_t y,
                             const uint32_t blocks[COVER_TILE_WORDS])
{
    struct cover_steps steps;
    int64_t corner[COVER_EDGES] = {0};
    cover_steps(&steps, edges, count);
    V_UNROLL
    for (unsigned e = 0; e < count; e++) corner[e] = cover_at(&edges[e], x, y) >> 8;
    for (uint32_t w = 0; w < COVER_TILE_WORDS; w++)
        for (uint32_t left = blocks[w]; left; left &= left - 1) {
            const uint32_t number = 32 * w + (uint32_t)__builtin_ctz(left);
            const int64_t column = (int64_t)(number % COVER_TILE_COLUMNS) * SCH_BLOCK_WIDTH;
            const int64_t row = (int64_t)(number / COVER_TILE_COLUMNS) * SCH_BLOCK_HEIGHT;
            int32_t first[COVER_EDGES] = {0};
            V_UNROLL
            for (unsigned e = 0; e < count; e++)
                first[e] = cover_limit(corner[e] + edges[e].a * column + edges[e].b * row);
            masks[number] = cover_lanes(&steps, first, count);
        }
}

/* See raster.def. */
void OPS_LOCAL(cover_blocks)(uint32_t *masks, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern, const uint32_t *blocks);
void OPS_LOCAL(cover_blocks)(uint32_t *masks, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern, const uint32_t *blocks)
{
    const int32_t at_x = cover_center(x) + pattern->x[0], at_y = cover_center(y) + pattern->y[0];
    if (edge_count == 3)
        cover_listed(masks, edges, 3, at_x, at_y, blocks);
    else
        cover_listed(masks, edges, edge_count, at_x, at_y, blocks);
}

/* The same for all blocks of a window. */
OPS_INLINE void cover_all(uint32_t *masks, const struct sch_edge *edges, unsigned count, int32_t x, int32_t y,
                          unsigned columns, unsigned rows)
{
    struct cover_steps steps;
    int64_t corner[COVER_EDGES] = {0};
    cover_steps(&steps, edges, count);
    V_UNROLL
    for (unsigned e = 0; e < count; e++) corner[e] = cover_at(&edges[e], x, y) >> 8;
    for (unsigned row = 0; row < rows; row++) {
        int64_t at[COVER_EDGES] = {0};
        V_UNROLL
        for (unsigned e = 0; e < count; e++) at[e] = corner[e];
        for (unsigned column = 0; column < columns; column++) {
            int32_t first[COVER_EDGES] = {0};
            V_UNROLL
            for (unsigned e = 0; e < count; e++) {
                first[e] = cover_limit(at[e]);
                at[e] += (int64_t)edges[e].a * SCH_BLOCK_WIDTH;
            }
            *masks++ = cover_lanes(&steps, first, count);
        }
        V_UNROLL
        for (unsigned e = 0; e < count; e++) corner[e] += (int64_t)edges[e].b * SCH_BLOCK_HEIGHT;
    }
}

/* The same where no value of an edge in the window, of at most 64 x 64 pixels, needs a limit. */
OPS_INLINE void cover_near(uint32_t *masks, const struct sch_edge *edges, int32_t x, int32_t y, unsigned columns,
                           unsigned rows)
{
    struct cover_steps steps;
    int32_t row_first[3], first[3];
    cover_steps(&steps, edges, 3);
    V_UNROLL
    for (unsigned e = 0; e < 3; e++) row_first[e] = (int32_t)(cover_at(&edges[e], x, y) >> 8);
    for (unsigned row = 0; row < rows; row++) {
        V_UNROLL
        for (unsigned e = 0; e < 3; e++) first[e] = row_first[e];
        for (unsigned column = 0; column < columns; column++) {
            *masks++ = cover_lanes(&steps, first, 3);
            V_UNROLL
            for (unsigned e = 0; e < 3; e++) first[e] += edges[e].a * SCH_BLOCK_WIDTH;
        }
        V_UNROLL
        for (unsigned e = 0; e < 3; e++) row_first[e] += edges[e].b * SCH_BLOCK_HEIGHT;
    }
}

/* Steps below 2^23, and so below 2^29 over 64 pixels, from a value below 2^29. */
OPS_INLINE bool cover_is_near(const struct sch_edge *edges, int32_t x, int32_t y)
{
    const uint32_t most = UINT32_C(1) << 23;
    bool near = true;
    V_UNROLL
    for (unsigned e = 0; e < 3; e++) {
        const int64_t first = cover_at(&edges[e], x, y) >> 8;
        near &= (uint32_t)edges[e].a + most < 2 * most;
        near &= (uint32_t)edges[e].b + most < 2 * most;
        near &= (uint64_t)first + (UINT64_C(1) << 29) < UINT64_C(1) << 30;
    }
    return near;
}

/* See raster.def. */
void OPS_LOCAL(cover_window)(uint32_t *masks, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern, unsigned columns, unsigned rows);
void OPS_LOCAL(cover_window)(uint32_t *masks, const struct sch_edge *edges, unsigned edge_count, int32_t x, int32_t y,
                             const struct sch_sample_pattern *pattern, unsigned columns, unsigned rows)
{
    const int32_t at_x = cover_center(x) + pattern->x[0], at_y = cover_center(y) + pattern->y[0];
    if (edge_count == 3 && cover_is_near(edges, at_x, at_y))
        cover_near(masks, edges, at_x, at_y, columns, rows);
    else
        cover_all(masks, edges, edge_count, at_x, at_y, columns, rows);
}

/* See raster.def. The points are a sixteenth of a pixel apart, the outer ones half as far from the pixel's edge. */
void OPS_LOCAL(cover_part)(struct sch_lanes *part, const struct sch_edge *edges, unsigned edge_count, int32_t x,
                           int32_t y);
void OPS_LOCAL(cover_part)(struct sch_lanes *part, const struct sch_edge *edges, unsigned edge_count, int32_t x,
                           int32_t y)
{
    enum { STEP = SCH_SUBPIXELS / 16 };
    struct cover_steps steps;
    vi32 sum[OPS_VECTORS];
    cover_steps(&steps, edges, edge_count);
    for (unsigned v = 0; v < OPS_VECTORS; v++) sum[v] = v_splat_i32(0);
    for (int32_t j = STEP / 2; j < SCH_SUBPIXELS; j += STEP)
        for (int32_t i = STEP / 2; i < SCH_SUBPIXELS; i += STEP) {
            int32_t first[COVER_EDGES] = {0};
            for (unsigned e = 0; e < edge_count; e++)
                first[e] = cover_limit(cover_at(&edges[e], x * SCH_SUBPIXELS + i, y * SCH_SUBPIXELS + j) >> 8);
            for (unsigned v = 0; v < OPS_VECTORS; v++) {
                vi32 any = v_splat_i32(0);
                for (unsigned e = 0; e < edge_count; e++) any |= steps.of[e][v] + first[e];
                sum[v] += (any >> 31) + 1;
            }
        }
    for (unsigned v = 0; v < OPS_VECTORS; v++) ops_put_I(part, v, sum[v]);
}

/* ---- tiles ---- */

/* Bits `first` to before `last`, of 16. */
OPS_INLINE uint32_t cover_range(int32_t first, int32_t last)
{
    first = first > 0 ? first : 0;
    last = last < 16 ? last : 16;
    return first < last ? (UINT32_C(1) << last) - (UINT32_C(1) << first) : 0;
}

/* The bits of four rows of blocks, where columns and rows are given. */
OPS_INLINE uint32_t cover_word(uint32_t columns, uint32_t rows, unsigned word)
{
    rows = rows >> (4 * word) & 15;
    rows = (rows & 1) | (rows & 2) << 7 | (rows & 4) << 14 | (rows & 8) << 21;
    return rows * (columns & 255);
}

/* Blocks that have pixels of the box, and those that are in it. */
OPS_INLINE void cover_box(struct sch_tile_blocks *blocks, const int32_t box[4], int32_t x, int32_t y)
{
    const int32_t left = box[0] - x, top = box[1] - y, right = box[2] - x, bottom = box[3] - y;
    const uint32_t some_columns = cover_range(left >> 3, (right + 7) >> 3);
    const uint32_t some_rows = cover_range(top >> 2, (bottom + 3) >> 2);
    const uint32_t all_columns = cover_range((left + 7) >> 3, right >> 3);
    const uint32_t all_rows = cover_range((top + 3) >> 2, bottom >> 2);
    for (unsigned w = 0; w < COVER_TILE_WORDS; w++) {
        blocks->some[w] = cover_word(some_columns, some_rows, w);
        blocks->all[w] = cover_word(all_columns, all_rows, w);
    }
}

/* The least and the largest value of an edge over the samples of a block, less those of its pixel 0's centre. */
OPS_INLINE void cover_extent(int64_t extent[2], const struct sch_edge *edge, const struct sch_sample_pattern *pattern)
{
    const int64_t width = (SCH_BLOCK_WIDTH - 1) * SCH_SUBPIXELS, height = (SCH_BLOCK_HEIGHT - 1) * SCH_SUBPIXELS;
    const int64_t left = (int64_t)edge->a * pattern->least[0], right = edge->a * (width + pattern->most[0]);
    const int64_t top = (int64_t)edge->b * pattern->least[1], bottom = edge->b * (height + pattern->most[1]);
    extent[0] = (left < right ? left : right) + (top < bottom ? top : bottom);
    extent[1] = (left < right ? right : left) + (top < bottom ? bottom : top);
}

/* At most two blocks: it is faster to look at their samples. */
OPS_INLINE bool cover_is_small(const uint32_t blocks[COVER_TILE_WORDS])
{
    uint64_t upper = blocks[0] | (uint64_t)blocks[1] << 32, lower = blocks[2] | (uint64_t)blocks[3] << 32;
    for (unsigned n = 0; n < 2; n++) {
        lower &= upper ? UINT64_MAX : lower - 1; /* without branches */
        upper &= upper - 1;
    }
    return !(upper | lower);
}

/* See raster.def. Blocks are 8 * 256 and 4 * 256 sub-pixels apart: as for pixels, E / 1024 says it. */
void OPS_LOCAL(cover_tile)(struct sch_tile_blocks *blocks, const struct sch_edge *edges, unsigned edge_count,
                           const int32_t box[4], int32_t x, int32_t y, const struct sch_sample_pattern *pattern);
void OPS_LOCAL(cover_tile)(struct sch_tile_blocks *blocks, const struct sch_edge *edges, unsigned edge_count,
                           const int32_t box[4], int32_t x, int32_t y, const struct sch_sample_pattern *pattern)
{
    int32_t least[COVER_EDGES], most[COVER_EDGES];
    cover_box(blocks, box, x, y);
    if (cover_is_small(blocks->some)) {
        for (unsigned w = 0; w < COVER_TILE_WORDS; w++) blocks->all[w] = 0;
        return;
    }
    for (unsigned e = 0; e < edge_count; e++) {
        const int64_t first = cover_at(&edges[e], cover_center(x), cover_center(y));
        int64_t extent[2];
        cover_extent(extent, &edges[e], pattern);
        least[e] = cover_limit((first + extent[0]) >> 10);
        most[e] = cover_limit((first + extent[1]) >> 10);
    }
    for (unsigned w = 0; w < COVER_TILE_WORDS; w++) {
        uint32_t outside = 0, partial = 0;
        if (!blocks->some[w]) continue;
        for (unsigned v = 0; v < SCH_GROUP_LANES / SCH_LANES; v++) {
            const vi32 block = v_lane_i32() + (int32_t)(v * SCH_LANES);
            const vi32 column = (block & (COVER_TILE_COLUMNS - 1)) * 2, row = (block >> 3) + (int32_t)(4 * w);
            vi32 none = v_splat_i32(0), not_all = v_splat_i32(0);
            for (unsigned e = 0; e < edge_count; e++) {
                const vi32 step = column * edges[e].a + row * edges[e].b;
                none |= step + most[e];
                not_all |= step + least[e];
            }
            outside |= v_sign_bits(none) << (v * SCH_LANES);
            partial |= v_sign_bits(not_all) << (v * SCH_LANES);
        }
        blocks->some[w] &= ~outside;
        blocks->all[w] &= ~partial;
    }
}
