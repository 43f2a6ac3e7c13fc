/* Texels of one word that lie together: where those of all lanes lie in two neighbouring rows as wide as the vector,
 * two loads and a permutation take the place of a gather, which is 81 operations of a Zen 4 and keeps what follows
 * waiting. So they do in pictures of textures that are neither turned, mirrored nor made much smaller. Holds no
 * addressing and no filters. Only where one instruction permutes a vector (V_PERMUTE). */
#ifndef SCH_OPS_TEXTURE_ROWS_H
#define SCH_OPS_TEXTURE_ROWS_H

#include "ops/texture/address.h"
#include "ops/texture/decode.h"

#ifdef V_PERMUTE

/* Where rows begin: at the index of the first lane, if that is from 0 to `last`, else at the nearer of both. */
OPS_INLINE int32_t tex_row_begin(int32_t index, int32_t last)
{
    if (index < 0) index = 0;
    return index > last ? last : index;
}

/* Bits that are set in lanes of which some column is not in a row as wide as a vector, or whose first row is neither 0
 * nor 1. `columns` and `rows` are all that there are, ORed together. */
OPS_INLINE vi32 tex_outside_rows(vi32 columns, vi32 rows) { return (columns & -SCH_LANES) | (rows & -2); }

/* The texels of all lanes, or false: nothing is read. Lanes that are not `needed` may have any indices, and any texels.
 * `sliced`: lanes may be in slices unlike each other. The rows begin a little before the first lane's texel, as those
 * of its quad may. */
OPS_INLINE bool tex_texel_load_rows(const struct tex_format *format, const struct sch_texture_level *level, bool sliced,
                                    vi32 x, vi32 y, vi32 slice, vi32 needed, struct tex_raw *raw)
{
    if (format->bytes != 4 || format->block_width != 1 || level->width < SCH_LANES || level->height < 2) return false;
    const int32_t left = tex_row_begin(x[0] - SCH_LANES / 8, (int32_t)level->width - SCH_LANES);
    const int32_t top = tex_row_begin(y[0], (int32_t)level->height - 2);
    vi32 column = x - left, row = y - top, bad = tex_outside_rows(column, row);
    if (sliced) bad |= slice ^ slice[0];
    if (v_any_bit(bad & needed)) return false;
    const uint8_t *from = level->texels + (uint64_t)(uint32_t)top * level->row_bytes + (uint32_t)left * 4u;
    if (sliced) from += (uint32_t)slice[0] * level->slice_bytes;
    vu32 upper = v_load_u32(from), lower = v_load_u32(from + level->row_bytes);
    raw->word[0] = v_permute2_u32(upper, lower, column + row * SCH_LANES);
    raw->word[1] = raw->word[2] = raw->word[3] = v_splat_u32(0);
    return true;
}

#else

OPS_INLINE bool tex_texel_load_rows(const struct tex_format *format, const struct sch_texture_level *level, bool sliced,
                                    vi32 x, vi32 y, vi32 slice, vi32 needed, struct tex_raw *raw)
{
    (void)format, (void)level, (void)sliced, (void)x, (void)y, (void)slice, (void)needed, (void)raw;
    return false;
}

#endif
#endif
