/* Texels of one level stretched over another: which go where, and by what way. docs/resources.md, "Blits". Holds no
 * arithmetic of texels: bits are moved, or src/ops decode, filter, average and encode. */
#include <string.h>

#include "texture/convert.h"
#include "texture/place.h"
#include "texture/transfers.h"

enum { X, Y, Z, AXES };

/* How texels come to be. */
enum way {
    WAY_BITS,    /* the source's bits */
    WAY_CONVERT, /* decoded and encoded */
    WAY_FILTER,  /* filtered and encoded */
    WAY_MEAN     /* the mean of a texel's samples */
};

struct blit {
    const struct sch_ops *ops;
    struct sch_texels to, from;
    unsigned components; /* that are written, as src/ops count them */
    enum way way;
    bool volume; /* the filter has three axes */
    struct sch_places place[AXES];
    struct sch_pattern stays;      /* WAY_BITS: the bits of a texel that are not written */
    uint32_t first_layer;          /* of `from`, which may be a copy of some of the source's layers */
    struct sch_texel_tiles *tiles; /* of the source's compressed blocks, which one thread has */
    const struct sch_moving *moving;
};

/* What a blit holds while it runs. */
struct held {
    const struct sch_allocator *allocator;
    void *places, *columns, *texels;
};

/* ---- rows ---- */

static uint8_t *source_row(const struct blit *blit, uint32_t layer, uint32_t sample, uint32_t y)
{
    const struct sch_texture_surface *from = &blit->from.surface;
    return sch_surface_row(from, (size_t)(layer - blit->first_layer) * from->samples + sample, y / from->block.height);
}

/* Whether the source's texels follow each other as the destination's do. */
static bool is_run(const struct sch_places *place)
{
    for (uint32_t i = 1; i < place->count; i++)
        if (place->at[i] != place->at[0] + (int32_t)i) return false;
    return true;
}

static void row_of_bits(const struct blit *blit, uint8_t *to, const uint8_t *from)
{
    const struct sch_places *x = &blit->place[X];
    const struct sch_pattern *stays = &blit->stays;
    const size_t bytes = blit->to.surface.block.bytes;
    to += x->first * bytes;
    if (stays->whole && is_run(x)) {
        memcpy(to, from + (size_t)x->at[0] * bytes, x->count * bytes);
        return;
    }
    for (uint32_t i = 0; i < x->count; i++, to += bytes) {
        const uint8_t *texel = from + (size_t)x->at[i] * bytes;
        for (size_t b = 0; b < bytes; b++) to[b] = (uint8_t)((to[b] & stays->kept[b]) | (texel[b] & ~stays->kept[b]));
    }
}

/* A group of texels of a row: which ones are read, and where they are written. */
struct group {
    uint8_t *to;
    uint32_t count;
    struct sch_lanes from, component[4];
    struct sch_lanes *in[4];
    const struct sch_lanes *out[4];
};

static void group_init(struct group *group)
{
    for (unsigned c = 0; c < 4; c++) group->out[c] = group->in[c] = &group->component[c];
}

/* Texels from number `first` of the row on. */
static void group_take(struct group *group, const struct blit *blit, uint8_t *row, uint32_t first)
{
    const struct sch_places *x = &blit->place[X];
    const uint32_t left = x->count - first;
    group->count = left < SCH_GROUP_LANES ? left : SCH_GROUP_LANES;
    group->to = row + (size_t)(x->first + first) * blit->to.surface.block.bytes;
    for (uint32_t i = 0; i < SCH_GROUP_LANES; i++)
        group->from.u[i] = (uint32_t)x->at[i < group->count ? first + i : first];
}

static void row_of_converted(const struct blit *blit, uint8_t *to, const uint8_t *from, uint32_t y)
{
    struct group group;
    group_init(&group);
    for (uint32_t first = 0; first < blit->place[X].count; first += SCH_GROUP_LANES) {
        group_take(&group, blit, to, first);
        const struct sch_texel_row row = {.texels = from,
                                          .x = &group.from,
                                          .count = group.count,
                                          .y = y % blit->from.surface.block.height,
                                          .width = blit->from.surface.side[X],
                                          .tiles = blit->tiles};
        blit->ops->texels_read(blit->from.format, &row, group.in);
        blit->ops->texels_write(blit->to.format, blit->components, group.to, group.count, group.out);
    }
}

static void row_of_means(const struct blit *blit, uint8_t *to, uint32_t layer, uint32_t y)
{
    const uint32_t samples = blit->from.surface.samples;
    struct group group;
    struct sch_lanes once;
    blit->ops->splat(&once, 1);
    struct sch_mean mean = {.x = {&group.from}, .weight = {&once}, .columns = 1, .rows = samples, .total = samples};
    for (uint32_t s = 0; s < samples; s++) {
        mean.row[s].texels = source_row(blit, layer, s, y);
        mean.row[s].weight = 1;
    }
    for (uint32_t first = 0; first < blit->place[X].count; first += SCH_GROUP_LANES) {
        group_take(&group, blit, to, first);
        blit->ops->texels_mean(blit->from.format, blit->components, &mean, group.to, group.count);
    }
}

/* The places of filters are centres in 1/256 texels: as coordinates in texels they are exact, and the lookup finds the
 * same place again. */
static void splat_centre(const struct blit *blit, struct sch_lanes *lanes, int32_t centre)
{
    const float u = (float)centre / 256.0f;
    uint32_t bits;
    memcpy(&bits, &u, sizeof bits);
    blit->ops->splat(lanes, bits);
}

static void row_of_filtered(const struct blit *blit, uint8_t *to, const struct sch_texture *texture, int32_t y,
                            int32_t z)
{
    static const struct sch_sampler_values values = {0};
    const struct sch_sampler_key key = {
        .format = (uint16_t)blit->from.format,
        .target = blit->volume ? SCH_TARGET_3D : SCH_TARGET_2D,
        .wrap = {SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_EDGE, SCH_WRAP_CLAMP_TO_EDGE},
        .min_linear = 1,
        .mag_linear = 1,
        .unnormalized = 1,
        .swizzle = {0, 1, 2, 3}};
    struct group group;
    struct sch_lanes v, w, mask;
    group_init(&group);
    splat_centre(blit, &v, y);
    splat_centre(blit, &w, z);
    const struct sch_sample_request request = {
        .lod_mode = SCH_LOD_ZERO, .coordinate = {&group.from, &v, &w}, .mask = &mask, .tiles = blit->tiles};
    for (uint32_t first = 0; first < blit->place[X].count; first += SCH_GROUP_LANES) {
        group_take(&group, blit, to, first);
        blit->ops->mask_lanes(&mask, UINT32_MAX >> (SCH_GROUP_LANES - group.count));
        for (unsigned i = 0; i < SCH_GROUP_LANES; i++) {
            const float u = (float)(int32_t)group.from.u[i] / 256.0f;
            memcpy(&group.from.u[i], &u, sizeof u);
        }
        blit->ops->sample(&key, &values, texture, &request, group.in);
        blit->ops->texels_write(blit->to.format, blit->components, group.to, group.count, group.out);
    }
}

/* ---- slices ---- */

/* One sample of a layer as a texture of its own, or all slices of a 3-D level. */
static struct sch_texture texture_of(const struct blit *blit, uint32_t layer, uint32_t sample)
{
    const struct sch_texture_surface *from = &blit->from.surface;
    return (struct sch_texture){.levels = 1,
                                .layers = 1,
                                .samples = 1,
                                .level = {{.texels = blit->volume ? from->texels : source_row(blit, layer, sample, 0),
                                           .width = from->side[X],
                                           .height = from->side[Y],
                                           .depth = blit->volume ? from->side[Z] : 1,
                                           .row_bytes = (uint32_t)from->row_bytes,
                                           .slice_bytes = from->slice_bytes}}};
}

/* Rows `begin` to below `end` of those that are written. `z`: the place in the source; of filters that have two axes it
 * is a layer. */
static void write_slice(const struct blit *blit, size_t slice, uint32_t sample, int32_t z, uint32_t begin, uint32_t end)
{
    const struct sch_places *place = &blit->place[Y];
    const uint32_t layer = blit->volume ? 0 : (uint32_t)z;
    const struct sch_texture texture = texture_of(blit, layer, sample);
    for (uint32_t i = begin; i < end; i++) {
        uint8_t *to = sch_surface_row(&blit->to.surface, slice, place->first + i);
        const int32_t y = place->at[i];
        if (blit->way == WAY_BITS)
            row_of_bits(blit, to, source_row(blit, layer, sample, (uint32_t)y));
        else if (blit->way == WAY_CONVERT)
            row_of_converted(blit, to, source_row(blit, layer, sample, (uint32_t)y), (uint32_t)y);
        else if (blit->way == WAY_MEAN)
            row_of_means(blit, to, layer, (uint32_t)y);
        else
            row_of_filtered(blit, to, &texture, y, blit->volume ? z : 0);
    }
}

/* Rows of all slices, one slice after the other. Samples of the destination take that of the source with their number,
 * or its only one. */
static void write_rows(void *user, uint64_t first, uint64_t count)
{
    struct blit blit = *(const struct blit *)user;
    const struct sch_places *place = &blit.place[Z];
    const uint32_t samples = blit.to.surface.samples, rows = blit.place[Y].count;
    const bool each = blit.from.surface.samples == samples;
    struct sch_few_texel_tiles tiles;
    blit.tiles = sch_few_texel_tiles_init(&tiles, blit.ops->tile_decode);
    for (uint64_t n = first, next; n < first + count; n = next) {
        const uint64_t slice = n / rows, after = (slice + 1) * rows;
        const uint32_t s = (uint32_t)(slice % samples), i = (uint32_t)(slice / samples);
        next = after < first + count ? after : first + count;
        write_slice(&blit, (size_t)(place->first + i) * samples + s, each ? s : 0, place->at[i], (uint32_t)(n % rows),
                    (uint32_t)(next - slice * rows));
    }
}

/* What a row costs, as parts of work count it. */
static uint64_t row_cost(const struct blit *blit)
{
    const uint64_t texels = blit->place[X].count;
    if (blit->way == WAY_BITS) return texels * (blit->stays.whole ? 1 : 4) * blit->to.surface.block.bytes;
    return texels * SCH_MOVING_TEXEL * (blit->way == WAY_MEAN ? blit->from.surface.samples : 1);
}

static enum sch_result write_texels(struct blit *blit)
{
    if (!blit->place[X].count || !blit->place[Y].count) return SCH_OK;
    const uint64_t slices = (uint64_t)blit->place[Z].count * blit->to.surface.samples;
    return sch_moving_run(blit->moving, slices * blit->place[Y].count, row_cost(blit), write_rows, blit);
}

/* ---- what is requested ---- */

static bool is_whole(const struct sch_box *box)
{
    return !(box->x | box->y | box->z | box->width | box->height | box->depth);
}

/* Corners and sides of both boxes, and what may be written. */
static void take_boxes(const struct blit *blit, const struct sch_blit *wanted, struct sch_stretch stretch[AXES])
{
    const uint32_t *to = blit->to.surface.side, *from = blit->from.surface.side;
    struct sch_box box = wanted->box, source = wanted->source;
    if (is_whole(&box)) box = (struct sch_box){0, 0, 0, (int32_t)to[X], (int32_t)to[Y], (int32_t)to[Z]};
    if (is_whole(&source)) source = (struct sch_box){0, 0, 0, (int32_t)from[X], (int32_t)from[Y], (int32_t)from[Z]};
    stretch[X] = (struct sch_stretch){box.x, box.width, source.x, source.width, from[X], 0, to[X]};
    stretch[Y] = (struct sch_stretch){box.y, box.height, source.y, source.height, from[Y], 0, to[Y]};
    stretch[Z] = (struct sch_stretch){box.z, box.depth, source.z, source.depth, from[Z], 0, to[Z]};
    for (unsigned a = X; a <= Y && wanted->scissored; a++) {
        if (stretch[a].first < wanted->scissor[a]) stretch[a].first = wanted->scissor[a];
        if (stretch[a].beyond > wanted->scissor[a + 2]) stretch[a].beyond = wanted->scissor[a + 2];
    }
}

static bool is_stretched(const struct sch_stretch stretch[AXES])
{
    for (unsigned a = 0; a < AXES; a++)
        if (stretch[a].to_side != stretch[a].from_side && stretch[a].to_side != -(int64_t)stretch[a].from_side)
            return true;
    return false;
}

/* Whether samples become their mean. */
static bool is_resolved(const struct sch_texels *to, const struct sch_texels *from, const struct sch_blit *wanted)
{
    return from->surface.samples > to->surface.samples && !wanted->first_sample && from->parts == SCH_PART_COLOR &&
           from->numbers == SCH_NUMBERS_FLOAT;
}

static bool is_wide(const struct sch_texels *texels) { return texels->numbers >= SCH_NUMBERS_DOUBLE; }

/* INVALID, and why, for texels that are not converted into each other. */
static enum sch_result check_texels(const struct sch_texels *to, const struct sch_texels *from, uint32_t parts,
                                    const struct sch_blit *wanted, struct sch_diagnostics *diagnostics)
{
    const uint32_t samples = from->surface.samples;
    if (to->surface.samples != samples && to->surface.samples > 1 && samples > 1)
        return sch_texels_refuse(SCH_ERROR_INVALID, diagnostics, "blit: %u samples to %u", samples,
                                 to->surface.samples);
    if (to->numbers != from->numbers && parts & SCH_PART_COLOR)
        return sch_texels_refuse(SCH_ERROR_INVALID, diagnostics, "blit: %s to %s: %s stay what they are",
                                 sch_texels_format_name(from->format), sch_texels_format_name(to->format),
                                 is_wide(to) || is_wide(from) ? "numbers of 64 bits" : "integers");
    const bool filtered = parts == SCH_PART_DEPTH || (parts & SCH_PART_COLOR && from->numbers == SCH_NUMBERS_FLOAT);
    if (wanted->filter == SCH_FILTER_LINEAR && parts && !filtered)
        return sch_texels_refuse(SCH_ERROR_INVALID, diagnostics, "blit: texels of format %s are not filtered",
                                 sch_texels_format_name(from->format));
    enum sch_result result = SCH_OK;
    if (is_resolved(to, from, wanted)) result = sch_texels_check_written(from, diagnostics);
    return result == SCH_OK ? sch_texels_check_written(to, diagnostics) : result;
}

static bool has_sides(const struct sch_resource_shape *shape, const char *name, struct sch_diagnostics *diagnostics)
{
    return shape->target != SCH_TARGET_BUFFER || sch_refuse_argument(diagnostics, name, "blit: a BUFFER has no sides");
}

static bool find_places(struct blit *blit, const struct sch_stretch stretch[AXES], bool linear, struct held *held)
{
    uint32_t room[AXES], all = 0;
    for (unsigned a = 0; a < AXES; a++) all += room[a] = sch_place_room(&stretch[a]);
    const struct sch_allocator *allocator = held->allocator;
    int32_t *at = held->places = allocator->alloc(allocator->user, (all + 1) * sizeof *at);
    if (!at) return false;
    for (unsigned a = 0; a < AXES; a++) {
        blit->place[a].at = at;
        sch_place_texels(&stretch[a], linear && (a != Z || blit->volume), &blit->place[a]);
        at += room[a];
    }
    return true;
}

/* ---- copies of the source ---- */

/* The layers that are read: those of a filter of three axes are all. */
static void layers_read(const struct blit *blit, uint32_t *first, uint32_t *count)
{
    const struct sch_places *place = &blit->place[Z];
    *first = 0;
    *count = blit->from.surface.side[Z];
    if (blit->volume || !place->count) return;
    const int32_t a = place->at[0], b = place->at[place->count - 1];
    *first = (uint32_t)(a < b ? a : b);
    *count = (uint32_t)(a < b ? b - a : a - b) + 1;
}

/* Whether what is written is read later: the same level, and layers that are read. */
static bool overlaps(const struct blit *blit)
{
    uint32_t first, count;
    const struct sch_places *place = &blit->place[Z];
    if (blit->to.surface.texels != blit->from.surface.texels) return false;
    layers_read(blit, &first, &count);
    return place->first < first + count && first < place->first + place->count;
}

/* Memory for the layers that are read, of so many samples: at most as much as the resource's. */
static bool hold(const struct blit *blit, uint32_t samples, struct sch_texture_surface *copy, uint32_t *first,
                 struct held *held)
{
    const struct sch_allocator *allocator = held->allocator;
    *copy = blit->from.surface;
    layers_read(blit, first, &copy->side[Z]);
    copy->samples = samples;
    copy->texels = held->texels = allocator->alloc(allocator->user, copy->slice_bytes * copy->side[Z] * copy->samples);
    return copy->texels != NULL;
}

struct copying {
    uint8_t *to;
    const uint8_t *from;
    struct sch_moving_pieces pieces;
};

static void copy_pieces(void *user, uint64_t first, uint64_t count)
{
    const struct copying *copying = user;
    for (uint64_t n = first; n < first + count; n++) {
        size_t bytes, at = sch_moving_piece(&copying->pieces, n, &bytes);
        memcpy(copying->to + at, copying->from + at, bytes);
    }
}

static enum sch_result read_from_copy(struct blit *blit, struct held *held)
{
    struct sch_texture_surface copy;
    uint32_t first;
    if (!hold(blit, blit->from.surface.samples, &copy, &first, held)) return SCH_ERROR_MEMORY;
    struct copying copying = {copy.texels, source_row(blit, first, 0, 0),
                              sch_moving_cut(copy.slice_bytes * copy.side[Z] * copy.samples, 1)};
    blit->from.surface = copy;
    blit->first_layer = first;
    return sch_moving_run(blit->moving, copying.pieces.count, copying.pieces.each, copy_pieces, &copying);
}

static void resolve_rows(void *user, uint64_t first, uint64_t count)
{
    const struct blit *resolve = user;
    const struct sch_texture_surface *copy = &resolve->to.surface;
    for (uint64_t n = first; n < first + count; n++) {
        const uint32_t z = (uint32_t)(n / copy->side[Y]), y = (uint32_t)(n % copy->side[Y]);
        row_of_means(resolve, sch_surface_row(copy, z, y), resolve->place[Z].first + z, y);
    }
}

/* The means of all texels of the layers that are read, in the source's format. */
static enum sch_result read_from_means(struct blit *blit, struct held *held)
{
    const struct sch_allocator *allocator = held->allocator;
    struct blit resolve = *blit;
    struct sch_texture_surface *copy = &resolve.to.surface;
    uint32_t first;
    if (!hold(blit, 1, copy, &first, held)) return SCH_ERROR_MEMORY;
    int32_t *column = held->columns = allocator->alloc(allocator->user, copy->side[X] * sizeof *column);
    if (!column) return SCH_ERROR_MEMORY;
    for (uint32_t x = 0; x < copy->side[X]; x++) column[x] = (int32_t)x;
    resolve.way = WAY_MEAN;
    resolve.place[X] = (struct sch_places){0, copy->side[X], column};
    resolve.place[Z].first = first;
    resolve.components = sch_texels_components(&blit->from, SCH_PART_COLOR);
    const enum sch_result result = sch_moving_run(blit->moving, (uint64_t)copy->side[Z] * copy->side[Y],
                                                  row_cost(&resolve), resolve_rows, &resolve);
    blit->from.surface = *copy;
    blit->first_layer = first;
    return result;
}

/* ---- the call ---- */

static bool is_moved(const struct blit *blit)
{
    return blit->to.format == blit->from.format && sch_texels_are_separate(&blit->to, blit->components);
}

/* Which way the texels go, and a copy of the source where it needs one. */
static enum sch_result choose_way(struct blit *blit, bool linear, bool resolved, struct held *held)
{
    static const uint32_t zeros[4] = {0};
    if (resolved && !linear && blit->to.format == blit->from.format) {
        blit->way = WAY_MEAN;
        return SCH_OK;
    }
    enum sch_result result = SCH_OK;
    if (resolved)
        result = read_from_means(blit, held);
    else if (overlaps(blit))
        result = read_from_copy(blit, held);
    blit->way = linear ? WAY_FILTER : is_moved(blit) ? WAY_BITS : WAY_CONVERT;
    if (blit->way == WAY_BITS) sch_texels_pattern(&blit->to, blit->components, zeros, &blit->stays);
    return result;
}

/* Both levels, under the formats that they are taken for. */
static enum sch_result take_levels(const struct sch_texture_resource *to, const struct sch_texture_resource *from,
                                   const struct sch_blit *wanted, struct blit *blit,
                                   struct sch_diagnostics *diagnostics)
{
    const struct sch_resource_shape *there = sch_texture_resource_shape(to), *here = sch_texture_resource_shape(from);
    if (!has_sides(there, "to", diagnostics) || !has_sides(here, "from", diagnostics)) return SCH_ERROR_ARGUMENT;
    if ((unsigned)wanted->filter > SCH_FILTER_LINEAR) {
        sch_refuse_argument(diagnostics, ".filter", "blit: there is no filter %u", (unsigned)wanted->filter);
        return SCH_ERROR_ARGUMENT;
    }
    enum sch_result result =
        sch_texels_of(to, wanted->level, wanted->format, &sch_texels_plain, &blit->to, diagnostics);
    if (result != SCH_OK) return result;
    return sch_texels_of(from, wanted->source_level, wanted->source_format, &sch_texels_source, &blit->from,
                         diagnostics);
}

static enum sch_result run(struct blit *blit, const struct sch_blit *wanted, bool slices, uint32_t parts,
                           struct held *held)
{
    struct sch_stretch stretch[AXES];
    take_boxes(blit, wanted, stretch);
    const bool linear = wanted->filter == SCH_FILTER_LINEAR && is_stretched(stretch);
    blit->volume = linear && slices;
    blit->components = sch_texels_components(&blit->to, parts);
    if (!find_places(blit, stretch, linear, held)) return SCH_ERROR_MEMORY;
    const enum sch_result result = choose_way(blit, linear, is_resolved(&blit->to, &blit->from, wanted), held);
    return result == SCH_OK ? write_texels(blit) : result;
}

enum sch_result sch_texture_blit(struct sch_texture_resource *to, const struct sch_texture_resource *from,
                                 const struct sch_blit *wanted, const struct sch_allocator *allocator,
                                 const struct sch_moving *moving, struct sch_diagnostics *diagnostics)
{
    struct blit blit = {.ops = sch_ops_for_width(0), .moving = moving};
    enum sch_result result = take_levels(to, from, wanted, &blit, diagnostics);
    if (result != SCH_OK) return result;
    const uint32_t parts = blit.to.parts & blit.from.parts & (wanted->parts ? wanted->parts : UINT32_MAX);
    result = check_texels(&blit.to, &blit.from, parts, wanted, diagnostics);
    if (result != SCH_OK || !parts) return result;
    const bool slices = sch_target_facts(sch_texture_resource_shape(from)->target)->axes == 3;
    struct held held = {.allocator = allocator};
    result = run(&blit, wanted, slices, parts, &held);
    if (held.places) allocator->free(allocator->user, held.places);
    if (held.columns) allocator->free(allocator->user, held.columns);
    if (held.texels) allocator->free(allocator->user, held.texels);
    return result;
}
