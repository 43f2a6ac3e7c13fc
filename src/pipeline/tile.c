/* The walk over a tile: primitive after primitive, in each 64 x 64 pixels after 64 x 64, in these block after block. */
#include "pipeline/tile.h"

#include <string.h>

#include "pipeline/box.h"

enum { BLOCK_COLUMNS = SCH_TILE_SIDE / SCH_BLOCK_WIDTH, QUAD_BITS = 15, FEW_QUADS = 4 };

static int32_t greater(int32_t a, int32_t b) { return a > b ? a : b; }
static int32_t lesser(int32_t a, int32_t b) { return a < b ? a : b; }

/* ---- which samples of a block are covered ---- */

/* Bits of the quads that have a lane. The product has the four pairs of bits side by side, and others below them. */
static uint32_t quads_of(uint32_t lanes)
{
    lanes |= lanes >> 2;
    lanes |= lanes >> 1;
    lanes &= 0x11111111;
    lanes = (lanes | lanes >> 3) & 0x03030303;
    return lanes * (1u << 24 | 1u << 18 | 1u << 12 | 1u << 6) >> 24;
}

/* Bits of the lanes of quads. */
static uint32_t lanes_of(uint32_t quads)
{
    quads = (quads | quads << 12) & 0x000f000f;
    quads = (quads | quads << 6) & 0x03030303;
    return ((quads | quads << 3) & 0x11111111) * QUAD_BITS;
}

static const struct sch_sample_pattern middle = {.samples = 1};

static void cover_samples(const struct sch_tile_walk *walk, struct sch_tile_block *block)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_tile_rules *rules = walk->rules;
    const struct sch_sample_pattern *pattern = primitive->all_samples ? &middle : &rules->pattern;
    if (primitive->coverage == SCH_COVERAGE_CIRCLE)
        rules->ops->cover_circle(block->masks, &primitive->circle, block->x, block->y, pattern);
    else if (primitive->edge_count)
        rules->ops->cover_edges(block->masks, primitive->edges, primitive->edge_count, block->x, block->y, pattern);
    else
        for (uint32_t s = 0; s < pattern->samples; s++) block->masks[s] = UINT32_MAX;
    if (primitive->line_stippled)
        rules->ops->stipple_line(block->masks, &primitive->stipple, block->x, block->y, pattern);
    for (uint32_t s = pattern->samples; s < rules->pattern.samples; s++) block->masks[s] = block->masks[0];
}

static void cover_parts(const struct sch_tile_walk *walk, struct sch_tile_block *block, bool whole)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_tile_rules *rules = walk->rules;
    if (whole && primitive->coverage == SCH_COVERAGE_EDGES && !primitive->line_stippled)
        rules->ops->splat(&block->part, 256);
    else if (primitive->coverage == SCH_COVERAGE_CIRCLE)
        rules->ops->cover_part_circle(&block->part, &primitive->circle, block->x, block->y);
    else if (primitive->line_stippled)
        rules->ops->cover_part_stippled(&block->part, primitive->edges, primitive->edge_count, &primitive->stipple,
                                        block->x, block->y);
    else
        rules->ops->cover_part(&block->part, primitive->edges, primitive->edge_count, block->x, block->y);
    const uint32_t lanes = rules->ops->nonzero_u32(&block->part);
    for (uint32_t s = 0; s < rules->pattern.samples; s++) block->masks[s] = lanes;
}

/* The edges of a viewport that are between pixels. */
static void bound_samples(const struct sch_tile_walk *walk, struct sch_tile_block *block)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_sample_pattern *pattern = &walk->rules->pattern;
    const bool centre = primitive->all_samples;
    for (uint32_t s = 0; s < pattern->samples; s++)
        block->masks[s] &= sch_box_sample_lanes(primitive->bounds, block->x, block->y, centre ? 0 : pattern->x[s],
                                                centre ? 0 : pattern->y[s]);
}

/* The lanes that a user plane leaves. Distance / w is linear in the window, and computed in double as depth is: exactly
 * 0 on the plane where places and distances have few digits, and with the other sign if the plane is turned round. */
static uint32_t inside_plane(const struct sch_tile_walk *walk, const struct sch_lane_places *places,
                             struct sch_quads *quads, unsigned number)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    struct sch_interpolant of = primitive->of;
    struct sch_double_lanes distance;
    double at[3];
    for (unsigned v = 0; v < 3; v++) {
        float value;
        memcpy(&value, walk->vertex[v] + walk->rules->layout->clip_distance + number, sizeof value);
        at[v] = of.perspective ? (double)value * of.inverse_w[v] : value;
    }
    of.depth[0] = at[0] * of.area;
    of.depth[1] = at[1] - at[0];
    of.depth[2] = at[2] - at[0];
    for (unsigned q = 0; q < SCH_GROUP_QUADS; q++) quads->of[q] = &of;
    walk->rules->ops->depth(&distance, quads, places);
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) lanes |= (uint32_t)(distance.d[lane] > 0) << lane;
    if (primitive->strict >> number & 1) return lanes;
    for (unsigned lane = 0; lane < SCH_GROUP_LANES; lane++) lanes |= (uint32_t)(distance.d[lane] == 0) << lane;
    return lanes;
}

/* The lanes where a clip distance is not negative; NaN is outside. */
static uint32_t inside_distance(const struct sch_tile_rules *rules, const struct sch_weights *weights,
                                const struct sch_quads *quads, unsigned number)
{
    struct sch_lanes distance[4];
    rules->ops->attributes(distance, 1, weights, quads, rules->layout->clip_distance + number);
    return rules->ops->alpha_test(SCH_COMPARE_GEQUAL, 0.0f, false, &distance[0]);
}

/* Clip distances at the samples. */
static void clip_samples(const struct sch_tile_walk *walk, struct sch_tile_block *block)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_tile_rules *rules = walk->rules;
    const bool centre = primitive->all_samples, user = rules->layout->user_distances;
    struct sch_quads quads = {.same = true};
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        quads.x[q] = block->x + (int32_t)(q % 4 * 2);
        quads.y[q] = block->y + (int32_t)(q / 4 * 2);
        quads.of[q] = &primitive->of;
        memcpy(quads.vertex[q], walk->vertex, sizeof quads.vertex[q]);
    }
    for (uint32_t s = 0; s < rules->pattern.samples; s++) {
        struct sch_lane_places places;
        struct sch_weights weights;
        rules->ops->places(&places, &quads, centre ? 0 : rules->pattern.x[s], centre ? 0 : rules->pattern.y[s]);
        if (!user) rules->ops->weights(&weights, NULL, &quads, &places);
        for (uint32_t d = primitive->distances; block->masks[s] && d; d &= d - 1) {
            const unsigned number = (unsigned)__builtin_ctz(d);
            block->masks[s] &=
                user ? inside_plane(walk, &places, &quads, number) : inside_distance(rules, &weights, &quads, number);
        }
    }
}

/* `whole`: the edges and the box have all samples of the block. */
static void cover_block(const struct sch_tile_walk *walk, struct sch_tile_block *block, bool whole)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_tile_rules *rules = walk->rules;
    uint32_t lanes = UINT32_MAX, some = 0;
    if (!whole) lanes = sch_box_lanes(walk->box, block->x, block->y);
    if (primitive->smooth)
        cover_parts(walk, block, whole);
    else if (whole && primitive->coverage == SCH_COVERAGE_EDGES && !primitive->line_stippled)
        for (uint32_t s = 0; s < rules->pattern.samples; s++) block->masks[s] = UINT32_MAX;
    else
        cover_samples(walk, block);
    if (primitive->fractional) bound_samples(walk, block);
    if (primitive->stippled) lanes &= rules->ops->stipple_polygon(rules->polygon_stipple, block->x, block->y);
    if (primitive->distances) clip_samples(walk, block);
    for (uint32_t s = 0; s < rules->pattern.samples; s++) {
        block->masks[s] &= rules->sample_mask >> s & 1 ? lanes : 0;
        some |= block->masks[s];
    }
    block->sample = 0;
    block->quads = quads_of(rules->per_sample ? block->masks[0] : some);
}

/* ---- the walk ---- */

void sch_tile_begin(struct sch_tile_walk *walk, const struct sch_tile_rules *rules, const struct sch_bins *bins,
                    uint32_t column, uint32_t row)
{
    const int64_t side = INT64_C(1) << bins->shift, far = SCH_FRAMEBUFFER_SIDE;
    walk->rules = rules;
    walk->primitive = NULL;
    walk->fills = walk->has_masks = false;
    walk->piece_count = 0;
    memset(&walk->blocks, 0, sizeof walk->blocks);
    walk->block.quads = walk->block.sample = 0;
    memset(walk->taken, 0, sizeof walk->taken);
    memset(walk->block.masks, 0, sizeof walk->block.masks); /* of all samples, so that none is left to take */
    sch_bin_begin(&walk->bins, bins, column, row);
    walk->rectangle[0] = (int32_t)(column * side);
    walk->rectangle[1] = (int32_t)(row * side);
    walk->rectangle[2] = (int32_t)((column + 1) * side < far ? (column + 1) * side : far);
    walk->rectangle[3] = (int32_t)((row + 1) * side < far ? (row + 1) * side : far);
}

/* The samples that are in the mask. */
static uint32_t samples_of(const struct sch_tile_rules *rules)
{
    return rules->sample_mask & ((2u << (rules->pattern.samples - 1)) - 1);
}

/* Whether a primitive has all samples of the blocks that its edges and its box have, but for the sample mask. */
static bool fills_blocks(const struct sch_raster_primitive *primitive)
{
    return primitive->coverage == SCH_COVERAGE_EDGES && !primitive->smooth && !primitive->stippled &&
           !primitive->line_stippled && !primitive->fractional && !primitive->distances;
}

/* What the tile has of the primitive's box. */
static void find_box(struct sch_tile_walk *walk)
{
    for (unsigned c = 0; c < 2; c++) {
        walk->box[c] = greater(walk->rectangle[c], walk->primitive->box[c]);
        walk->box[2 + c] = lesser(walk->rectangle[2 + c], walk->primitive->box[2 + c]);
    }
}

static void find_vertices(struct sch_tile_walk *walk, const struct sch_vertices *vertices)
{
    const struct sch_interpolant *of = &walk->primitive->of;
    const size_t stride = walk->rules->layout->words;
    for (unsigned v = 0; v < 3; v++) walk->vertex[v] = vertices->words + of->vertex[v] * stride;
    walk->vertex[SCH_QUAD_PROVOKING] = vertices->words + of->provoking * stride;
}

static void take_primitive(struct sch_tile_walk *walk, const struct sch_vertices *vertices)
{
    if (walk->rules->vertices) find_vertices(walk, vertices);
    walk->fills = samples_of(walk->rules) && fills_blocks(walk->primitive);
    find_box(walk);
}

uint32_t sch_tile_cover_pixel(const struct sch_tile_rules *rules, const struct sch_vertices *vertices,
                              const struct sch_raster_primitive *primitive, int32_t x, int32_t y, uint32_t *part)
{
    struct sch_tile_walk walk = {.rules = rules, .rectangle = {x, y, x + 1, y + 1}, .primitive = primitive};
    struct sch_tile_block block = {.x = x & ~(SCH_BLOCK_WIDTH - 1), .y = y & ~(SCH_BLOCK_HEIGHT - 1)};
    const int32_t column = x - block.x, row = y - block.y;
    const int32_t lane = SCH_QUAD_LANES * (column / 2 + row / 2 * (SCH_BLOCK_WIDTH / 2)) + row % 2 * 2 + column % 2;
    uint32_t samples = 0;
    take_primitive(&walk, vertices);
    cover_block(&walk, &block, false);
    for (uint32_t s = 0; s < rules->pattern.samples; s++) samples |= (block.masks[s] >> lane & 1) << s;
    if (primitive->smooth) *part = block.part.u[lane];
    return samples;
}

/* The only block that a small box has pixels of. */
static bool is_in_block(const int32_t box[4])
{
    return ((box[0] ^ (box[2] - 1)) & ~(SCH_BLOCK_WIDTH - 1)) == 0 &&
           ((box[1] ^ (box[3] - 1)) & ~(SCH_BLOCK_HEIGHT - 1)) == 0;
}

static bool is_within(const int32_t box[4], const int32_t bounds[4])
{
    return box[0] >= bounds[0] && box[1] >= bounds[1] && box[2] <= bounds[2] && box[3] <= bounds[3];
}

/* Whether setup has found all of the primitive's coverage. */
static bool is_small(const struct sch_raster_primitive *primitive) { return primitive->small && !primitive->distances; }

/* The piece that a small primitive is, with those of its pixels that the tile has. */
static struct sch_tile_piece small_piece(const struct sch_tile_walk *walk)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    struct sch_tile_piece piece = {primitive->box[0] & ~1, primitive->box[1] & ~1, primitive->lanes};
    if (!is_within(primitive->box, walk->rectangle)) piece.lanes &= sch_box_lanes(walk->rectangle, piece.x, piece.y);
    return piece;
}

/* Nothing is left of the walk's primitive but its block and pieces. */
static void leave_primitive(struct sch_tile_walk *walk)
{
    walk->fills = false;
    walk->x = walk->box[2];
    walk->y = walk->box[3];
}

/* A small primitive becomes the walk's block. */
static bool take_small(struct sch_tile_walk *walk)
{
    const struct sch_tile_rules *rules = walk->rules;
    struct sch_tile_block *block = &walk->block;
    uint32_t some = 0;
    if (!is_small(walk->primitive) || !sch_tile_takes_small(rules)) return false;
    const struct sch_tile_piece piece = small_piece(walk);
    block->x = piece.x;
    block->y = piece.y;
    for (uint32_t s = 0; s < rules->pattern.samples; s++) {
        block->masks[s] = rules->sample_mask >> s & 1 ? piece.lanes : 0;
        some |= block->masks[s];
    }
    block->sample = 0;
    block->quads = quads_of(some);
    leave_primitive(walk);
    return true;
}

/* Which pixels of the blocks are inside of the edges, of all blocks at once where one sample is all that is asked. */
static void find_masks(struct sch_tile_walk *walk)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_tile_rules *rules = walk->rules;
    uint32_t parts[4], any = 0;
    walk->has_masks = walk->fills && rules->pattern.samples == 1;
    if (!walk->has_masks) return;
    for (unsigned w = 0; w < 4; w++) any |= parts[w] = walk->blocks.some[w] & ~walk->blocks.all[w];
    if (any)
        rules->ops->cover_blocks(walk->masks, primitive->edges, primitive->edge_count, walk->x, walk->y,
                                 primitive->all_samples ? &middle : &rules->pattern, parts);
}

/* Block `number` of those whose masks are known. */
static void take_mask(struct sch_tile_walk *walk, unsigned number, bool whole)
{
    struct sch_tile_block *block = &walk->block;
    const uint32_t lanes = whole ? UINT32_MAX : walk->masks[number] & sch_box_lanes(walk->box, block->x, block->y);
    block->masks[0] = lanes;
    block->sample = 0;
    block->quads = quads_of(lanes);
}

static void find_blocks(struct sch_tile_walk *walk)
{
    /* as far from the centre as the outer ones of the points that parts of a pixel are counted by */
    static const struct sch_sample_pattern parts = {.least = {-120, -120}, .most = {120, 120}};
    const struct sch_raster_primitive *primitive = walk->primitive;
    if (is_in_block(walk->box)) {
        const uint32_t column = (uint32_t)(walk->box[0] - walk->x) / SCH_BLOCK_WIDTH;
        const uint32_t row = (uint32_t)(walk->box[1] - walk->y) / SCH_BLOCK_HEIGHT;
        memset(&walk->blocks, 0, sizeof walk->blocks);
        walk->blocks.some[row / 4] = UINT32_C(1) << (8 * (row % 4) + column);
    } else
        walk->rules->ops->cover_tile(&walk->blocks, primitive->edges,
                                     primitive->coverage == SCH_COVERAGE_CIRCLE ? 0 : primitive->edge_count, walk->box,
                                     walk->x, walk->y, primitive->smooth ? &parts : &walk->rules->pattern);
    find_masks(walk);
}

/* The vertices that the walk's primitive, or the one that is to be taken, refers to. */
static const struct sch_vertices *vertices_of(const struct sch_tile_walk *walk)
{
    return walk->bins.bins->parts[walk->bins.part].vertices;
}

/* The walk's primitive as the one of quad `q`. */
static void put_primitive(struct sch_tile_group *group, uint32_t q, const struct sch_tile_walk *walk)
{
    group->quads.of[q] = &walk->primitive->of;
    if (!walk->rules->vertices) return;
    memcpy(group->quads.vertex[q], walk->vertex, sizeof group->quads.vertex[q]);
}

/* ---- block after block ---- */

/* The next 64 x 64 pixels of this primitive; false: nothing is left of it. */
static bool stay(struct sch_tile_walk *walk)
{
    if (!walk->primitive) return false;
    walk->x += SCH_TILE_SIDE;
    if (walk->x >= walk->box[2]) {
        walk->x = walk->box[0] & ~(int32_t)(SCH_TILE_SIDE - 1);
        walk->y += SCH_TILE_SIDE;
    }
    if (walk->y >= walk->box[3]) walk->primitive = NULL;
    return walk->primitive;
}

/* The next primitive, and its first 64 x 64 pixels; false: there is none. */
static bool take_next(struct sch_tile_walk *walk)
{
    const int32_t mask = ~(int32_t)(SCH_TILE_SIDE - 1);
    walk->primitive = sch_bin_look(&walk->bins);
    if (!walk->primitive) return false;
    sch_bin_pass(&walk->bins);
    take_primitive(walk, vertices_of(walk));
    walk->x = walk->box[0] & mask;
    walk->y = walk->box[1] & mask;
    return true;
}

/* The blocks of the present 64 x 64 pixels, or at once the only one. */
static void begin_blocks(struct sch_tile_walk *walk)
{
    if (!take_small(walk)) find_blocks(walk);
}

/* The next 64 x 64 pixels, of this primitive or the next; false: there are none left. */
static bool next_blocks(struct sch_tile_walk *walk)
{
    if (!stay(walk) && !take_next(walk)) return false;
    begin_blocks(walk);
    return true;
}

/* The next block of the present 64 x 64 pixels with a covered sample; false: there are none left. */
static bool next_block(struct sch_tile_walk *walk)
{
    struct sch_tile_block *block = &walk->block;
    for (;;) {
        unsigned word = 0;
        while (word < 4 && !walk->blocks.some[word]) word++;
        if (word == 4) return false;
        const unsigned number = 32 * word + (unsigned)__builtin_ctz(walk->blocks.some[word]);
        walk->blocks.some[word] &= walk->blocks.some[word] - 1;
        block->x = walk->x + (int32_t)(number % BLOCK_COLUMNS) * SCH_BLOCK_WIDTH;
        block->y = walk->y + (int32_t)(number / BLOCK_COLUMNS) * SCH_BLOCK_HEIGHT;
        const bool whole = walk->blocks.all[word] >> number % 32 & 1;
        if (walk->has_masks)
            take_mask(walk, number, whole);
        else
            cover_block(walk, block, whole);
        while (walk->rules->per_sample && !block->quads && block->sample + 1 < walk->rules->pattern.samples)
            block->quads = quads_of(block->masks[++block->sample]);
        if (block->quads) return true;
    }
}

/* ---- groups ---- */

/* How much is covered of a quad's pixels; all of those of quads before the first smooth primitive. */
static void put_parts(struct sch_tile_group *group, uint32_t to, const struct sch_tile_walk *walk, uint32_t from)
{
    const bool smooth = walk->primitive->smooth;
    if (!group->smooth)
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) group->part.u[i] = 256;
    group->smooth = true;
    for (unsigned i = 0; i < SCH_QUAD_LANES; i++)
        group->part.u[SCH_QUAD_LANES * to + i] = smooth ? walk->block.part.u[SCH_QUAD_LANES * from + i] : 256;
}

/* The coverage of a quad's pixels, of all samples. */
static void put_pixels(struct sch_tile_group *group, uint32_t to, const struct sch_tile_walk *walk, uint32_t from)
{
    for (uint32_t s = 0; s < walk->rules->pattern.samples; s++)
        group->pixel_masks[s] |= (walk->block.masks[s] >> SCH_QUAD_LANES * from & QUAD_BITS) << SCH_QUAD_LANES * to;
}

static void put_samples(struct sch_tile_group *group, uint32_t to, const struct sch_tile_walk *walk, uint32_t from)
{
    const struct sch_tile_block *block = &walk->block;
    const uint32_t first = walk->rules->per_sample ? block->sample : 0;
    const uint32_t end = walk->rules->per_sample ? block->sample + 1 : walk->rules->pattern.samples;
    for (uint32_t s = first; s < end; s++)
        group->masks[s] |= (block->masks[s] >> SCH_QUAD_LANES * from & QUAD_BITS) << SCH_QUAD_LANES * to;
    if (walk->rules->per_sample) put_pixels(group, to, walk, from);
}

/* Quad `from` of the block as quad `to` of the group. The empty statement at the end is for gcc 12, whose dead code
 * elimination drops the calls of this function otherwise. */
static void put_quad(struct sch_tile_group *group, uint32_t to, const struct sch_tile_walk *walk, uint32_t from)
{
    const struct sch_tile_block *block = &walk->block;
    const uint32_t samples = walk->rules->pattern.samples, unit = SCH_QUAD_LANES * to;
    group->quads.x[to] = block->x + (int32_t)(from % 4 * 2);
    group->quads.y[to] = block->y + (int32_t)(from / 4 * 2);
    group->quads.layer[to] = walk->primitive->layer;
    group->sample[to] = (uint8_t)block->sample;
    group->back |= walk->primitive->back ? UINT32_C(15) << unit : 0;
    put_primitive(group, to, walk);
    if (samples == 1)
        group->masks[0] |= (block->masks[0] >> SCH_QUAD_LANES * from & QUAD_BITS) << unit;
    else
        put_samples(group, to, walk, from);
    __asm__ volatile("" : : : "memory");
}

/* Quads that are not used are where the first one does. */
static void close_group(struct sch_tile_group *group, const struct sch_tile_rules *rules)
{
    struct sch_quads *quads = &group->quads;
    if (group->back & 1 && group->count < SCH_GROUP_QUADS) group->back |= UINT32_MAX << SCH_QUAD_LANES * group->count;
    for (uint32_t q = group->count; q < SCH_GROUP_QUADS; q++) {
        quads->x[q] = quads->x[0];
        quads->y[q] = quads->y[0];
        quads->layer[q] = quads->layer[0];
        group->sample[q] = group->sample[0];
        if (quads->same) continue;
        quads->of[q] = quads->of[0];
        if (!rules->vertices) continue;
        memcpy(quads->vertex[q], quads->vertex[0], sizeof quads->vertex[q]);
    }
}

static void begin_group(struct sch_tile_group *group, const struct sch_tile_rules *rules)
{
    group->count = 0;
    group->smooth = false;
    group->back = 0;
    group->quads.same = true;
    group->quads.block = false;
    group->tested = false;
    group->repeat = 1;
    group->passed = group->shaded = 0;
    memset(group->sample, 0, sizeof group->sample);
    group->masks[0] = 0;
    if (rules->pattern.samples == 1 && !rules->per_sample) return; /* spares calls of memset */
    for (uint32_t s = 0; s < rules->pattern.samples; s++) group->masks[s] = 0;
    for (uint32_t s = 0; s < rules->pattern.samples && rules->per_sample; s++) group->pixel_masks[s] = 0;
}

/* The block at a place as a group without lanes, each quad in its place. */
static void place_block(struct sch_tile_group *group, const struct sch_tile_walk *walk, int32_t x, int32_t y,
                        uint32_t sample)
{
    begin_group(group, walk->rules);
    for (uint32_t q = 0; q < SCH_GROUP_QUADS; q++) {
        group->quads.x[q] = x + (int32_t)(q % 4 * 2);
        group->quads.y[q] = y + (int32_t)(q / 4 * 2);
        group->quads.layer[q] = walk->primitive->layer;
        group->sample[q] = (uint8_t)sample;
    }
    group->back = walk->primitive->back ? UINT32_MAX : 0;
    put_primitive(group, 0, walk);
    group->quads.block = true;
    group->count = SCH_GROUP_QUADS;
}

/* The quads of a block, or of its present sample, that are left are one group. */
static void take_block(struct sch_tile_walk *walk, struct sch_tile_group *group)
{
    struct sch_tile_block *block = &walk->block;
    const uint32_t first = walk->rules->per_sample ? block->sample : 0;
    const uint32_t end = walk->rules->per_sample ? block->sample + 1 : walk->rules->pattern.samples;
    place_block(group, walk, block->x, block->y, block->sample);
    for (uint32_t s = first; s < end; s++) group->masks[s] = block->masks[s] & lanes_of(block->quads);
    if (walk->rules->per_sample) memcpy(group->pixel_masks, block->masks, sizeof group->pixel_masks);
    group->smooth = walk->primitive->smooth;
    if (group->smooth) group->part = block->part;
    block->quads = 0;
}

/* Blocks of the present 64 x 64 pixels that are side by side and wholly covered, as one group; false: there are none.
 * All pixels of a sample that is not in the mask are covered no less, but it is in no block. */
static bool take_whole_blocks(struct sch_tile_walk *walk, struct sch_tile_group *group, uint32_t most)
{
    const struct sch_tile_rules *rules = walk->rules;
    uint32_t *some = walk->blocks.some;
    const uint32_t *all = walk->blocks.all;
    unsigned word = 0;
    while (word < 4 && !(some[word] & all[word])) word++;
    if (word == 4) return false;
    const uint32_t whole = some[word] & all[word];
    const uint32_t first = (uint32_t)__builtin_ctz(whole), column = first % BLOCK_COLUMNS;
    const uint32_t side_by_side = whole >> first & (UINT32_C(0xff) >> column);
    uint32_t count = (uint32_t)__builtin_ctz(~side_by_side);
    if (count > most) count = most;
    some[word] &= ~(UINT32_MAX >> (32 - count) << first);
    const int32_t x = walk->x + (int32_t)(column * SCH_BLOCK_WIDTH);
    const int32_t y = walk->y + (int32_t)((4 * word + first / BLOCK_COLUMNS) * SCH_BLOCK_HEIGHT);
    place_block(group, walk, x, y, 0);
    for (uint32_t s = 0; s < rules->pattern.samples; s++) group->masks[s] = 0u - (rules->sample_mask >> s & 1);
    group->repeat = count;
    return true;
}

/* Those of small primitives begin in any quad. */
static bool is_aligned(int32_t x, int32_t y) { return x % SCH_BLOCK_WIDTH == 0 && y % SCH_BLOCK_HEIGHT == 0; }

/* ---- open groups ---- */

/* Groups that are made. A quad joins the first open one that is not before one with a quad in its place, as those find
 * what the earlier ones leave: triangles that share an edge share quads, and would close group after group. */
struct making {
    struct sch_tile_group *groups, *open[SCH_TILE_OPEN]; /* in the order that they run in; NULL: there is none */
    unsigned turn;                                       /* the first one's places are walk->taken[turn] */
    uint32_t count, most;
    bool single; /* pixels have one sample */
    bool smooth; /* some of the open groups may be */
};

static uint32_t *taken_by(struct sch_tile_walk *walk, const struct making *making, unsigned number)
{
    return walk->taken[making->turn ^ number];
}

static uint32_t turned_left(uint32_t bits, uint32_t by) { return bits << by | bits >> (-by & 31); }
static uint32_t turned_right(uint32_t bits, uint32_t by) { return bits >> by | bits << (-by & 31); }

/* The place of a block's first quad. Samples of a pixel have different ones; seldom places only look the same. */
struct place {
    uint32_t column, row, below;
};

static struct place place_of(int32_t x, int32_t y, uint32_t sample)
{
    const uint32_t row = (uint32_t)y / 2, side = SCH_TILE_SIDE / 2;
    return (struct place){((uint32_t)x / 2 + 5 * sample) % side, row % side, (row + 1) % side};
}

/* The quads of the block whose places are taken. */
static uint32_t quads_in(const uint32_t *taken, struct place place)
{
    const uint32_t upper = turned_right(taken[place.row], place.column);
    const uint32_t lower = turned_right(taken[place.below], place.column);
    return (upper & 15) | (lower & 15) << 4;
}

static void mark_quads(uint32_t *taken, struct place place, uint32_t quads)
{
    taken[place.row] |= turned_left(quads & 15, place.column);
    taken[place.below] |= turned_left(quads >> 4, place.column);
}

/* Quads that come later and are in a block that has become a group must not join an open group, which runs before. */
static void mark_blocks(struct sch_tile_walk *walk, const struct making *making, const struct sch_tile_group *group)
{
    const uint32_t side = SCH_TILE_SIDE / 2, places = UINT32_MAX >> (32 - SCH_BLOCK_WIDTH / 2 * group->repeat);
    const uint32_t column = ((uint32_t)group->quads.x[0] / 2 + 5u * group->sample[0]) % side;
    const uint32_t row = (uint32_t)group->quads.y[0] / 2;
    for (unsigned number = 0; number < SCH_TILE_OPEN && making->open[number]; number++)
        for (uint32_t n = 0; n < SCH_BLOCK_HEIGHT / 2; n++)
            taken_by(walk, making, number)[(row + n) % side] |= turned_left(places, column);
}

/* NULL: there are no groups left. */
static struct sch_tile_group *open_group(const struct sch_tile_walk *walk, struct making *making, unsigned number)
{
    if (making->count == making->most) return NULL;
    struct sch_tile_group *group = making->open[number] = &making->groups[making->count++];
    begin_group(group, walk->rules);
    return group;
}

/* Nothing joins the first open group any more, if there is one. */
static void close_first(struct sch_tile_walk *walk, struct making *making)
{
    if (!making->open[0]) return;
    close_group(making->open[0], walk->rules);
    memset(taken_by(walk, making, 0), 0, sizeof walk->taken[0]);
    making->open[0] = making->open[1];
    making->open[1] = NULL;
    making->turn ^= 1;
}

/* ---- quads join groups ---- */

/* Quads of a block whose pixels have one sample, of the walk's primitive, where nothing is smooth: as many as the group
 * has room for, the first ones. Answers those that are left. */
static inline uint32_t put_single(struct sch_tile_group *group, const struct sch_tile_walk *walk, int32_t x, int32_t y,
                                  uint32_t lanes, uint32_t quads)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const uint32_t back = primitive->back ? QUAD_BITS : 0;
    const bool vertices = walk->rules->vertices;
    uint32_t covered = group->masks[0], backs = group->back, to = group->count;
    for (; quads && to < SCH_GROUP_QUADS; quads &= quads - 1, to++) {
        const uint32_t from = (uint32_t)__builtin_ctz(quads), unit = SCH_QUAD_LANES * to;
        group->quads.x[to] = x + (int32_t)(from % 4 * 2);
        group->quads.y[to] = y + (int32_t)(from / 4 * 2);
        group->quads.layer[to] = primitive->layer;
        group->quads.of[to] = &primitive->of;
        if (vertices) memcpy(group->quads.vertex[to], walk->vertex, sizeof group->quads.vertex[to]);
        covered |= (lanes >> SCH_QUAD_LANES * from & QUAD_BITS) << unit;
        backs |= back << unit;
    }
    group->masks[0] = covered;
    group->back = backs;
    group->count = to;
    if (group->quads.of[0] != &primitive->of) group->quads.same = false;
    return quads;
}

/* The same of the walk's block, whatever it has. */
static uint32_t put_quads(struct sch_tile_group *group, const struct sch_tile_walk *walk, uint32_t quads)
{
    for (; quads && group->count < SCH_GROUP_QUADS; quads &= quads - 1) {
        const uint32_t from = (uint32_t)__builtin_ctz(quads);
        put_quad(group, group->count, walk, from);
        if (walk->primitive->smooth || group->smooth) put_parts(group, group->count, walk, from);
        group->count++;
    }
    if (group->quads.of[0] != &walk->primitive->of) group->quads.same = false;
    return quads;
}

static uint32_t count_quads(uint32_t quads)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return (uint32_t)counts[quads & 15] + counts[quads >> 4];
}

/* Quads of a block join open groups, those that are at `place`. Answers those that there are no groups for. `single`:
 * pixels have one sample, nothing is smooth, and the lanes are given; else they are those of the walk's block. Where
 * programs run for each sample, one group is open, as the history of a pixel wants the order of the draw for all of its
 * samples. */
static inline uint32_t join_groups(struct sch_tile_walk *walk, struct making *making, int32_t x, int32_t y,
                                   uint32_t lanes, uint32_t quads, struct place place, bool single)
{
    const bool two = single || !walk->rules->per_sample;
    while (quads) {
        uint32_t *const taken[SCH_TILE_OPEN] = {taken_by(walk, making, 0), taken_by(walk, making, 1)};
        const uint32_t clear = quads & ~quads_in(taken[0], place);
        if ((quads & quads_in(taken[1], place)) || (clear != quads && !two)) {
            close_first(walk, making);
            continue;
        }
        for (unsigned n = clear ? 0 : 1; n < (two ? 2 : 1) && quads; n++) {
            const uint32_t some = n ? quads : clear;
            struct sch_tile_group *group = making->open[n];
            if (!group && !(group = open_group(walk, making, n))) return quads;
            const uint32_t left = single ? put_single(group, walk, x, y, lanes, some) : put_quads(group, walk, some);
            mark_quads(taken[n], place, some & ~left);
            quads &= ~(some & ~left);
        }
        if (quads || making->open[0]->count == SCH_GROUP_QUADS) close_first(walk, making);
    }
    return 0;
}

/* The quads of the walk's block join groups; false: there are none for what is left of them. */
static bool take_quads(struct sch_tile_walk *walk, struct making *making)
{
    struct sch_tile_block *block = &walk->block;
    const struct place place = place_of(block->x, block->y, block->sample);
    const bool single = making->single && !walk->primitive->smooth && !making->smooth;
    making->smooth |= walk->primitive->smooth;
    block->quads = single ? join_groups(walk, making, block->x, block->y, block->masks[0], block->quads, place, true)
                          : join_groups(walk, making, block->x, block->y, 0, block->quads, place, false);
    return !block->quads;
}

/* Whether a block is better a group of its own than quads among others: it takes no more groups if most of its quads
 * are covered, and texels are loaded and stored by rows. */
static bool is_group(const struct sch_tile_walk *walk)
{
    const struct sch_tile_block *block = &walk->block;
    if (walk->rules->whole_blocks) return true;
    if (!is_aligned(block->x, block->y)) return false;
    return walk->rules->per_sample ? block->quads == 0xff : count_quads(block->quads) > FEW_QUADS;
}

/* The walk's block becomes a group of its own. */
static void take_own_group(struct sch_tile_walk *walk, struct making *making)
{
    struct sch_tile_group *group = &making->groups[making->count++];
    take_block(walk, group);
    mark_blocks(walk, making, group);
    /* Other samples of its pixels would join a group that runs before it. */
    if (walk->rules->per_sample) close_first(walk, making);
}

/* ---- pieces of small primitives, and of those with few ---- */

/* The walk's primitive has these pixels of the quad at (x, y); nothing is smooth. */
static inline void put_alone(struct sch_tile_group *group, const struct sch_tile_walk *walk, int32_t x, int32_t y,
                             uint32_t pixels)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const uint32_t to = group->count, unit = SCH_QUAD_LANES * to;
    group->quads.x[to] = x;
    group->quads.y[to] = y;
    group->quads.layer[to] = primitive->layer;
    put_primitive(group, to, walk);
    group->masks[0] |= pixels << unit;
    if (primitive->back) group->back |= QUAD_BITS << unit;
    if (group->quads.of[0] != &primitive->of) group->quads.same = false;
    group->count = to + 1;
}

/* The one quad at (x, y) joins the first open group, if that has room and no open one has its place. */
static inline bool join_first_alone(struct sch_tile_walk *walk, struct making *making, int32_t x, int32_t y,
                                    uint32_t pixels)
{
    struct sch_tile_group *group = making->open[0];
    const struct place place = place_of(x, y, 0);
    const uint32_t here = UINT32_C(1) << place.column;
    uint32_t *first = taken_by(walk, making, 0), *second = taken_by(walk, making, 1);
    if (group->count == SCH_GROUP_QUADS || (first[place.row] | second[place.row]) & here) return false;
    first[place.row] |= here;
    put_alone(group, walk, x, y, pixels);
    if (group->count == SCH_GROUP_QUADS) close_first(walk, making);
    return true;
}

/* What join_groups does, if no group is to be closed before all quads have joined: quad after quad, as most primitives
 * have few. False: that has to do it, and no quad has joined. */
static inline __attribute__((always_inline)) bool join_open(struct sch_tile_walk *walk, struct making *making,
                                                            int32_t x, int32_t y, uint32_t lanes, uint32_t quads)
{
    struct sch_tile_group *group = making->open[0], *next = making->open[1];
    uint32_t *first = taken_by(walk, making, 0), *second = taken_by(walk, making, 1);
    if (!group && !(group = open_group(walk, making, 0))) return false;
    if (next) {
        const struct place place = place_of(x, y, 0);
        if (quads & quads_in(second, place) || next->count + count_quads(quads) > SCH_GROUP_QUADS) return false;
    } else if (making->count == making->most)
        return false;
    for (; quads; quads &= quads - 1) {
        const uint32_t from = (uint32_t)__builtin_ctz(quads), side = SCH_TILE_SIDE / 2;
        const int32_t at_x = x + (int32_t)(from % 4 * 2), at_y = y + (int32_t)(from / 4 * 2);
        const uint32_t row = (uint32_t)at_y / 2 % side, here = UINT32_C(1) << (uint32_t)at_x / 2 % side;
        const uint32_t pixels = lanes >> SCH_QUAD_LANES * from & QUAD_BITS;
        if (!(first[row] & here) && group->count < SCH_GROUP_QUADS) {
            first[row] |= here;
            put_alone(group, walk, at_x, at_y, pixels);
        } else {
            if (!next) next = open_group(walk, making, 1);
            second[row] |= here;
            put_alone(next, walk, at_x, at_y, pixels);
        }
    }
    if (group->count == SCH_GROUP_QUADS) close_first(walk, making);
    return true;
}

/* The quads with these lanes of the 8 x 4 pixels from (x, y) on become a group, or join others. False: there are no
 * groups for what is left of them, which is the walk's block. */
static bool take_lanes(struct sch_tile_walk *walk, struct making *making, int32_t x, int32_t y, uint32_t lanes)
{
    struct sch_tile_block *block = &walk->block;
    uint32_t quads = quads_of(lanes);
    const uint32_t count = count_quads(quads);
    const bool own = count > FEW_QUADS && is_aligned(x, y);
    if (!quads) return true;
    if (!own && !making->smooth) {
        if (join_open(walk, making, x, y, lanes, quads)) return true;
        quads = join_groups(walk, making, x, y, lanes, quads, place_of(x, y, 0), true);
        if (!quads) return true;
    }
    block->x = x;
    block->y = y;
    block->masks[0] = lanes;
    block->quads = quads;
    if (!own) return making->smooth && take_quads(walk, making);
    if (making->count == making->most) return false;
    take_own_group(walk, making);
    return true;
}

/* Pieces that a box has pixels of, from its first quad on: mostly fewer than the blocks that it has pixels of. And the
 * lanes in the box of those in the first column, in the last one, in the first row and in the last one. */
struct window {
    int32_t x, y;
    uint32_t columns, rows;
    uint32_t left, right, top, bottom;
};

/* False: the pieces are too many, or not in one square of 64 x 64 pixels. */
static bool find_window(const int32_t box[4], struct window *window)
{
    const int32_t right = box[2] - 1, bottom = box[3] - 1;
    if (((box[0] ^ right) | (box[1] ^ bottom)) & ~(SCH_TILE_SIDE - 1)) return false;
    window->x = box[0] & ~1;
    window->y = box[1] & ~1;
    window->columns = (uint32_t)(right - window->x) / SCH_BLOCK_WIDTH + 1;
    window->rows = (uint32_t)(bottom - window->y) / SCH_BLOCK_HEIGHT + 1;
    window->left = ~sch_box_columns(box[0] & 1);
    window->right = sch_box_columns((right - window->x) % SCH_BLOCK_WIDTH + 1);
    window->top = ~sch_box_rows(box[1] & 1);
    window->bottom = sch_box_rows((bottom - window->y) % SCH_BLOCK_HEIGHT + 1);
    return window->columns * window->rows <= SCH_TILE_PIECES;
}

/* The pieces of a window with pixels that are inside of the box and of the edges; answers how many. */
static uint32_t find_pieces(struct sch_tile_piece *pieces, const struct sch_tile_walk *walk,
                            const struct window *window)
{
    const struct sch_raster_primitive *primitive = walk->primitive;
    const struct sch_tile_rules *rules = walk->rules;
    const int32_t last_x = window->x + (int32_t)(window->columns - 1) * SCH_BLOCK_WIDTH;
    const int32_t last_y = window->y + (int32_t)(window->rows - 1) * SCH_BLOCK_HEIGHT;
    uint32_t masks[SCH_TILE_PIECES], count = 0;
    const uint32_t *mask = masks;
    rules->ops->cover_window(masks, primitive->edges, primitive->edge_count, window->x, window->y,
                             primitive->all_samples ? &middle : &rules->pattern, window->columns, window->rows);
    for (int32_t y = window->y; y <= last_y; y += SCH_BLOCK_HEIGHT) {
        const uint32_t row = (y == window->y ? window->top : UINT32_MAX) & (y == last_y ? window->bottom : UINT32_MAX);
        uint32_t column = window->left;
        for (int32_t x = window->x; x <= last_x; x += SCH_BLOCK_WIDTH) {
            if (x == last_x) column &= window->right;
            pieces[count] = (struct sch_tile_piece){x, y, *mask++ & row & column};
            count += pieces[count].lanes != 0;
            column = UINT32_MAX;
        }
    }
    return count;
}

/* Pieces of the walk's primitive. False: there are no groups for what is left of one, and others are left. */
static bool take_pieces(struct sch_tile_walk *walk, struct making *making, const struct sch_tile_piece *pieces,
                        uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        if (take_lanes(walk, making, pieces[n].x, pieces[n].y, pieces[n].lanes)) continue;
        walk->piece_count = count - n - 1;
        memmove(walk->pieces, pieces + n + 1, walk->piece_count * sizeof *pieces);
        return false;
    }
    walk->piece_count = 0;
    return true;
}

/* Small primitives that follow each other, as long as the tile has all of their pixels and they do not become groups of
 * their own. Nothing is smooth. False: one has quads left and no group for them, which are in the walk's block. */
static bool join_small_ones(struct sch_tile_walk *walk, struct making *making)
{
    const bool vertices = walk->rules->vertices;
    struct sch_tile_block *block = &walk->block;
    while ((walk->primitive = sch_bin_look(&walk->bins))) {
        const struct sch_raster_primitive *primitive = walk->primitive;
        if (!is_small(primitive) || !is_within(primitive->box, walk->rectangle)) return true;
        const int32_t x = primitive->box[0] & ~1, y = primitive->box[1] & ~1;
        const uint32_t lanes = primitive->lanes;
        if (lanes - 1 < QUAD_BITS) {
            if (!making->open[0] && !open_group(walk, making, 0)) return true;
            if (vertices) find_vertices(walk, vertices_of(walk));
            if (join_first_alone(walk, making, x, y, lanes)) {
                sch_bin_pass(&walk->bins);
                continue;
            }
        }
        const uint32_t quads = quads_of(lanes);
        if (is_aligned(x, y) && count_quads(quads) > FEW_QUADS) return true;
        if (vertices) find_vertices(walk, vertices_of(walk));
        sch_bin_pass(&walk->bins);
        if (join_open(walk, making, x, y, lanes, quads)) continue;
        block->x = x;
        block->y = y;
        block->masks[0] = lanes;
        block->quads = quads;
        if (!take_quads(walk, making)) return false;
    }
    return true;
}

/* Primitives that follow each other, as long as they are small or have few pieces. False: there are no groups for what
 * is left of one. */
static bool take_little_ones(struct sch_tile_walk *walk, struct making *making)
{
    struct sch_tile_piece pieces[SCH_TILE_PIECES];
    struct window window;
    for (;;) {
        if (!making->smooth && !join_small_ones(walk, making)) {
            find_box(walk);
            leave_primitive(walk);
            return false;
        }
        if (!(walk->primitive = sch_bin_look(&walk->bins))) break;
        const bool small = is_small(walk->primitive);
        if (!small) {
            find_box(walk);
            if (!fills_blocks(walk->primitive) || !find_window(walk->box, &window)) break;
        }
        sch_bin_pass(&walk->bins);
        if (walk->rules->vertices) find_vertices(walk, vertices_of(walk));
        if (small) pieces[0] = small_piece(walk);
        if (take_pieces(walk, making, pieces, small ? 1 : find_pieces(pieces, walk, &window))) continue;
        if (small) find_box(walk);
        leave_primitive(walk);
        return false;
    }
    walk->primitive = NULL;
    return true;
}

/* The blocks of the present 64 x 64 pixels, whose masks are known, as the whole ones are taken. False: there are no
 * groups for what is left of one. */
static bool take_masks(struct sch_tile_walk *walk, struct making *making)
{
    for (unsigned word = 0; word < 4; word++)
        while (walk->blocks.some[word]) {
            const unsigned number = 32 * word + (unsigned)__builtin_ctz(walk->blocks.some[word]);
            const int32_t x = walk->x + (int32_t)(number % BLOCK_COLUMNS) * SCH_BLOCK_WIDTH;
            const int32_t y = walk->y + (int32_t)(number / BLOCK_COLUMNS) * SCH_BLOCK_HEIGHT;
            walk->blocks.some[word] &= walk->blocks.some[word] - 1;
            if (!take_lanes(walk, making, x, y, walk->masks[number] & sch_box_lanes(walk->box, x, y))) return false;
        }
    return true;
}

/* The next sample of the block that has quads. */
static void next_sample(struct sch_tile_walk *walk)
{
    struct sch_tile_block *block = &walk->block;
    while (walk->rules->per_sample && !block->quads && block->sample + 1 < walk->rules->pattern.samples)
        block->quads = quads_of(block->masks[++block->sample]);
}

/* Continues where the walk's block has no quads; false: nothing is left. */
static bool go_on(struct sch_tile_walk *walk, struct making *making, uint32_t blocks)
{
    const bool runs = sch_tile_takes_small(walk->rules);
    struct sch_tile_group *next = &making->groups[making->count];
    if (runs && walk->fills && take_whole_blocks(walk, next, blocks)) {
        mark_blocks(walk, making, next);
        making->count++;
        return true;
    }
    if (walk->piece_count && !take_pieces(walk, making, walk->pieces, walk->piece_count)) return true;
    if (making->single && walk->has_masks ? !take_masks(walk, making) : next_block(walk)) return true;
    if (!stay(walk)) {
        if (making->single && !take_little_ones(walk, making)) return true;
        if (!take_next(walk)) return false;
    }
    begin_blocks(walk);
    return true;
}

/* Whole blocks come first, of each 64 x 64 pixels of a primitive. Groups of quads stay open meanwhile. */
uint32_t sch_tile_next(struct sch_tile_walk *walk, struct sch_tile_group *groups, uint32_t most, uint32_t blocks)
{
    const struct sch_tile_rules *rules = walk->rules;
    struct sch_tile_block *block = &walk->block;
    struct making making = {.groups = groups, .most = most};
    making.single = sch_tile_takes_small(rules) && rules->pattern.samples == 1 && rules->sample_mask & 1;
    for (;;) {
        next_sample(walk);
        const bool own = block->quads && is_group(walk);
        if (making.count == most && (own || !block->quads)) break;
        if (own)
            take_own_group(walk, &making);
        else if (block->quads ? !take_quads(walk, &making) : !go_on(walk, &making, blocks))
            break;
    }
    while (making.open[0]) close_first(walk, &making);
    return making.count;
}

/* ---- counting ---- */

/* Those blocks of the present 64 x 64 pixels that are wholly covered, without looking at each. */
static void count_whole_blocks(struct sch_tile_walk *walk, struct sch_tile_counts *counts)
{
    const struct sch_tile_rules *rules = walk->rules;
    const uint32_t pixels = SCH_BLOCK_WIDTH * SCH_BLOCK_HEIGHT;
    const uint32_t samples = (uint32_t)__builtin_popcount(samples_of(rules));
    for (unsigned word = 0; word < 4; word++) {
        const uint32_t whole = walk->blocks.some[word] & walk->blocks.all[word];
        const uint64_t blocks = (uint64_t)__builtin_popcount(whole);
        walk->blocks.some[word] &= ~whole;
        counts->samples += blocks * pixels * samples;
        counts->fragments += blocks * pixels * (rules->per_sample ? samples : samples != 0);
    }
}

static void count_block(const struct sch_tile_walk *walk, struct sch_tile_counts *counts)
{
    const struct sch_tile_rules *rules = walk->rules;
    uint32_t some = 0, samples = 0;
    for (uint32_t s = 0; s < rules->pattern.samples; s++) {
        some |= walk->block.masks[s];
        samples += sch_count_lanes(walk->block.masks[s]);
    }
    counts->samples += samples;
    counts->fragments += rules->per_sample ? samples : sch_count_lanes(some);
}

void sch_tile_count(struct sch_tile_walk *walk, struct sch_tile_counts *counts)
{
    do {
        if (walk->block.quads) count_block(walk, counts);
        walk->block.quads = 0;
        if (walk->primitive && walk->fills) count_whole_blocks(walk, counts);
    } while (next_block(walk) || next_blocks(walk));
}
