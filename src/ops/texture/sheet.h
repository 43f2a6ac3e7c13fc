/* Groups that look up compressed blocks: the tiles that all lanes need together are put side by side, each once, as a
 * small picture of decoded texels, a sheet. From there texels are loaded as those of plain formats are: in rows, or in
 * pairs. Groups whose tiles are too many go by texture.c's general way; the results are the same. Only where state is a
 * constant (SCH_FOLD) and one instruction permutes a vector (V_PERMUTE). Holds no decoding of blocks and no arithmetic
 * of filters. */
#ifndef SCH_OPS_TEXTURE_SHEET_H
#define SCH_OPS_TEXTURE_SHEET_H

#include "ops/texture/pair.h"
#include "ops/texture/result.h"

#if defined(SCH_FOLD) && defined(V_PERMUTE) && !defined(SCH_TRACE)

/* Tiles of a sheet: along a side, and all together: more than a group's lanes would hardly use most of them. */
enum { TEX_SHEET_SIDE = 8, TEX_SHEET_TILES = 32, TEX_SHEET_TEXELS = TEX_SHEET_SIDE * SCH_TEXEL_TILE_SIDE };
enum { TEX_SHEET_ROW_BYTES = TEX_SHEET_TEXELS * 4 };

struct tex_sheet {
    uint32_t plane[SCH_TEXEL_TILE_WORDS][TEX_SHEET_TEXELS][TEX_SHEET_TEXELS]; /* [word][y][x] */
};

/* Where the footprints of a vector lie in the level, then in the sheet: the first texel, and the weights of the next
 * ones. */
struct tex_sheet_place {
    vi32 index[2];
    vu32 weight[2];
};

/* The columns and rows of tiles from the first texel of a sheet to the last. */
struct tex_sheet_box {
    uint32_t left, top, columns, rows;
};

/* `least` and `greatest`: of the first texels, x and y each in half of a word. False: they are too many, or none. */
OPS_INLINE bool tex_sheet_fits(uint32_t least, uint32_t greatest, struct tex_sheet_box *box)
{
    box->left = (least & 0xffff) / SCH_TEXEL_TILE_SIDE;
    box->top = (least >> 16) / SCH_TEXEL_TILE_SIDE;
    box->columns = ((greatest & 0xffff) + 1) / SCH_TEXEL_TILE_SIDE - box->left + 1;
    box->rows = ((greatest >> 16) + 1) / SCH_TEXEL_TILE_SIDE - box->top + 1;
    return box->columns - 1 < TEX_SHEET_SIDE && box->rows - 1 < TEX_SHEET_SIDE &&
           box->columns * box->rows <= TEX_SHEET_TILES;
}

/* Puts a tile in a place of the sheet, `to` texels on from its first. */
OPS_INLINE void tex_sheet_put(unsigned words, const uint32_t *tile, uint32_t to, struct tex_sheet *sheet)
{
    OPS_UNROLL
    for (unsigned n = 0; n < words * SCH_TEXEL_TILE_SIDE; n++)
        __builtin_memcpy(&sheet->plane[n / SCH_TEXEL_TILE_SIDE][0][to + n % SCH_TEXEL_TILE_SIDE * TEX_SHEET_TEXELS],
                         tile + n * SCH_TEXEL_TILE_SIDE, sizeof *tile * SCH_TEXEL_TILE_SIDE);
}

/* First all tiles that the cache has, and whatever it has in the others' places, so that no branch depends on which
 * there are; then those. */
OPS_INLINE void tex_sheet_fill(const struct tex_tile_source *source, const struct tex_sheet_box *box,
                               struct tex_sheet *sheet)
{
    enum { TILE = SCH_TEXEL_TILE_SIDE, ROW = TEX_SHEET_TEXELS * SCH_TEXEL_TILE_SIDE };
    const unsigned words = tex_formats[source->format].words;
    const uint32_t count = box->columns * box->rows, before = box->columns - 1;
    uint32_t missing[TEX_SHEET_TILES][2], misses = 0;
    uint32_t column_row = box->left | box->top << 16, to = 0, column = 0;
    for (uint32_t n = 0; n < count; n++) {
        const uint32_t *tile;
        missing[misses][0] = column_row;
        missing[misses][1] = to;
        misses += !tex_tile_find(source, column_row, &tile);
        tex_sheet_put(words, tile, to, sheet);
        const bool last = column == before;
        column = last ? 0 : column + 1;
        column_row += last ? 0x10000 - before : 1;
        to += last ? ROW - before * TILE : TILE;
    }
    for (uint32_t n = 0; n < misses; n++)
        tex_sheet_put(words, tex_tile_make(source, missing[n][0]), missing[n][1], sheet);
}

/* Bits of *bad: lanes whose footprint is not all in the level, or that are not in the slice of the first one. */
OPS_INLINE void tex_sheet_locate(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                 const struct sch_texture *texture, const struct sch_sample_request *request,
                                 unsigned vector, struct tex_sheet_place *to, int32_t *slice, vi32 *bad)
{
    const struct sch_texture_level *level = &texture->level[0];
    const uint32_t size[2] = {level->width, level->height};
    struct tex_lookup q = tex_lookup_of(values, texture, request, vector);
    struct tex_place place;
    vi32 open = v_splat_i32(0);
    tex_locate(key, &q);
    tex_pair_place(key, &q, level, &place, &open);
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        open |= (vi32)((vu32)place.axis[a].index[0] > size[a] - 2);
        to->index[a] = place.axis[a].index[0];
        to->weight[a] = place.axis[a].weight;
    }
    if (tex_has_layers(key->target)) {
        if (vector == 0) *slice = q.slice[0];
        open |= q.slice ^ *slice;
    }
    if (key->rules == SCH_RULES_D3D) open |= tex_hidden(key, &q);
    *bad |= open & q.mask;
}

/* The texels of a vector. */
OPS_INLINE void tex_sheet_load(const struct sch_sampler_key *key, const struct tex_sheet *sheet,
                               const struct tex_place *place, struct tex_corners *corners)
{
    const unsigned words = tex_format_of(key)->words;
    const vi32 at = place->axis[1].index[0] * TEX_SHEET_ROW_BYTES + place->axis[0].index[0] * 4;
    OPS_UNROLL
    for (unsigned w = 0; w < words; w++) OPS_UNROLL
    for (unsigned n = 0; n < 4; n += 2) {
        vu32 pair[2];
        v_gather_near_u32x2(sheet->plane[w][n / 2], at, pair);
        corners->raw[n].word[w] = pair[0];
        corners->raw[n + 1].word[w] = pair[1];
    }
    OPS_UNROLL
    for (unsigned n = 0; tex_joins(key) && n < 4; n += 2) tex_join_pair(&corners->raw[n]);
}

OPS_INLINE void tex_sheet_look_up(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                  const struct sch_texture *texture, const struct sch_sample_request *request,
                                  unsigned vector, const struct tex_sheet *sheet, const struct tex_sheet_box *box,
                                  const struct tex_sheet_place *from, struct sch_lanes *const result[4])
{
    const int32_t origin[2] = {(int32_t)(box->left * SCH_TEXEL_TILE_SIDE), (int32_t)(box->top * SCH_TEXEL_TILE_SIDE)};
    const struct tex_lookup q = tex_lookup_of(values, texture, request, vector);
    struct tex_place place;
    struct tex_corners corners;
    tex_pair_begin(key, &q, &texture->level[0], &place);
    place.slice = v_splat_i32(0);
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        place.axis[a].index[0] = (from->index[a] - origin[a]) & q.mask; /* the others may be anywhere */
        place.axis[a].index[1] = place.axis[a].index[0] + 1;
        place.axis[a].outside[0] = place.axis[a].outside[1] = v_splat_i32(0);
        place.axis[a].weight = from->weight[a];
    }
    tex_pair_weigh(key, &place, &corners);
    tex_sheet_load(key, sheet, &place, &corners);
    const struct tex_texel color = tex_combined(key, &place, &corners, key->reduction, q.mask);
    tex_store_texel(key, &color, vector, q.mask, result);
}

/* Asks for blocks that a group two further on in a picture will probably need: as far from this one's as three times
 * those of the group's fourth quad are from those of the first. A guess only costs time. */
OPS_INLINE void tex_sheet_prefetch(const struct tex_tile_source *source, const struct tex_sheet_box *box,
                                   const struct tex_sheet_place place[OPS_VECTORS])
{
    enum { QUAD = 12, AHEAD = 3, ROWS = 3 };
    int32_t at[2];
    OPS_UNROLL
    for (unsigned a = 0; a < 2; a++) {
        const int32_t step = place[QUAD / SCH_LANES].index[a][QUAD % SCH_LANES] - place[0].index[a][0];
        at[a] = (int32_t)(a ? box->top : box->left) + step * AHEAD / SCH_TEXEL_TILE_SIDE;
    }
    OPS_UNROLL
    for (int row = 0; row < ROWS; row++)
        v_prefetch(source->texels, (int64_t)(at[1] + row) * (int64_t)source->level->row_bytes +
                                       (int64_t)at[0] * tex_formats[source->format].bytes);
}

/* Whether the group was looked up; false: nothing is done. */
OPS_INLINE bool tex_sheet_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                 const struct sch_texture *texture, const struct sch_sample_request *request,
                                 struct sch_lanes *const result[4])
{
    const struct sch_texture_level *level = &texture->level[0];
    if (texture->levels == 0 || level->width < 2 || level->height < 2) return false;
    struct tex_sheet_place place[OPS_VECTORS];
    vi32 bad = v_splat_i32(0);
    vu32 least = v_splat_u32(UINT32_MAX), negated = least; /* the greatest number has the least complement */
    int32_t slice = 0;
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++) {
        tex_sheet_locate(key, values, texture, request, v, &place[v], &slice, &bad);
        const vu32 at = (vu32)(place[v].index[0] | place[v].index[1] << 16);
        const vu32 off = ~ops_load_U(request->mask, v);
        least = v_min_halves_u32(least, at | off);
        negated = v_min_halves_u32(negated, ~at | off);
    }
    if (v_any_bit(bad)) return false;
    struct tex_sheet_box box;
    if (!tex_sheet_fits(v_least_halves_u32(least), ~v_least_halves_u32(negated), &box)) return false;
    const struct tex_tile_source source = tex_tile_source_of(request->tiles, key->format, level, (uint32_t)slice);
    struct tex_sheet sheet;
    tex_sheet_prefetch(&source, &box, place);
    tex_sheet_fill(&source, &box, &sheet);
    OPS_LOOP_VECTORS
    for (unsigned v = 0; v < OPS_VECTORS; v++)
        tex_sheet_look_up(key, values, texture, request, v, &sheet, &box, &place[v], result);
    return true;
}

#else
OPS_INLINE bool tex_sheet_sample(const struct sch_sampler_key *key, const struct sch_sampler_values *values,
                                 const struct sch_texture *texture, const struct sch_sample_request *request,
                                 struct sch_lanes *const result[4])
{
    (void)key, (void)values, (void)texture, (void)request, (void)result;
    return false;
}
#endif
#endif
