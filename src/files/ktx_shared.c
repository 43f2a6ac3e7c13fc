/* What both versions of KTX have: counts, key/value pairs, orientation. Holds no format and no layout of files. */
#include "files/ktx_shared.h"

#include <string.h>

#include "base/checked.h"

enum { CUBE_FACES = 6 };

enum sch_result sch_ktx_read_counts(const struct sch_files_reader *reader, const struct sch_ktx_counts *counts,
                                    struct sch_file_texture *texture)
{
    const bool cube = counts->faces == CUBE_FACES, array = counts->elements;
    size_t layers;
    if (!counts->width) return sch_files_damaged(reader->error, "damaged KTX: a width of 0");
    if (!counts->faces)
        sch_files_warn(reader, SCH_D_FILE_HEADER, "0 faces: one is read");
    else if (!cube && counts->faces != 1)
        return sch_files_damaged(reader->error, "damaged KTX: %u faces", (unsigned)counts->faces);
    if (counts->depth && !counts->height) return sch_files_damaged(reader->error, "damaged KTX: depth without height");
    if (cube && (counts->depth || !counts->height))
        return sch_files_damaged(reader->error, "damaged KTX: a cube that is not of two axes");
    if (counts->depth && array)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORM, "an array of 3D textures is not read");
    if (!sch_mul_size(array ? counts->elements : 1, cube ? CUBE_FACES : 1, &layers) || layers > UINT32_MAX)
        return sch_files_damaged(reader->error, "damaged KTX: %u elements", (unsigned)counts->elements);
    texture->width = counts->width;
    texture->height = counts->height ? counts->height : 1;
    texture->depth = counts->depth ? counts->depth : 1;
    texture->layers = (uint32_t)layers;
    texture->levels = counts->levels ? counts->levels : 1; /* 0: one, from which others may be made */
    if (cube)
        texture->target = array ? SCH_TARGET_CUBE_ARRAY : SCH_TARGET_CUBE;
    else if (counts->depth)
        texture->target = SCH_TARGET_3D;
    else if (counts->height)
        texture->target = array ? SCH_TARGET_2D_ARRAY : SCH_TARGET_2D;
    else
        texture->target = array ? SCH_TARGET_1D_ARRAY : SCH_TARGET_1D;
    return SCH_OK;
}

struct sch_ktx_counts sch_ktx_counts(const struct sch_file_texture *texture)
{
    const bool cube = texture->target == SCH_TARGET_CUBE || texture->target == SCH_TARGET_CUBE_ARRAY;
    const bool line = texture->target == SCH_TARGET_1D || texture->target == SCH_TARGET_1D_ARRAY;
    const bool array = texture->target == SCH_TARGET_1D_ARRAY || texture->target == SCH_TARGET_2D_ARRAY ||
                       texture->target == SCH_TARGET_CUBE_ARRAY;
    const uint32_t faces = cube ? CUBE_FACES : 1;
    return (struct sch_ktx_counts){.width = texture->width,
                                   .height = line ? 0 : texture->height,
                                   .depth = texture->target == SCH_TARGET_3D ? texture->depth : 0,
                                   .elements = array ? texture->layers / faces : 0,
                                   .faces = faces,
                                   .levels = texture->levels};
}

/* ---- key/value pairs ---- */

/* The pair at *at, and moves *at after it; false: it is not whole. */
static bool next_pair(const struct sch_ktx_pairs *pairs, size_t *at, const uint8_t **pair, size_t *bytes)
{
    if (pairs->bytes - *at < 4) return false;
    uint32_t length = sch_word_at(pairs->data + *at);
    if (pairs->swapped) length = sch_ktx_swapped(length);
    *at += 4;
    if (length < 2 || length > pairs->bytes - *at) return false;
    *pair = pairs->data + *at;
    *bytes = length;
    if (!memchr(*pair, 0, length)) return false;
    *at += length;
    size_t padding = (4 - length % 4) % 4;
    *at += padding < pairs->bytes - *at ? padding : pairs->bytes - *at;
    return true;
}

bool sch_ktx_pairs_are_whole(const struct sch_ktx_pairs *pairs)
{
    const uint8_t *pair;
    size_t at = 0, bytes;
    while (at < pairs->bytes)
        if (!next_pair(pairs, &at, &pair, &bytes)) return false;
    return true;
}

bool sch_ktx_find(const struct sch_ktx_pairs *pairs, const char *key, const uint8_t **value, size_t *bytes)
{
    const size_t key_bytes = strlen(key) + 1;
    const uint8_t *pair;
    size_t at = 0, length;
    while (at < pairs->bytes && next_pair(pairs, &at, &pair, &length)) {
        if (length < key_bytes || memcmp(pair, key, key_bytes) != 0) continue;
        *value = pair + key_bytes;
        *bytes = length - key_bytes;
        return true;
    }
    return false;
}

void sch_ktx_write_pair(struct sch_bytes *file, const char *key, const char *value, size_t bytes)
{
    const size_t key_bytes = strlen(key) + 1;
    sch_bytes_word(file, (uint32_t)(key_bytes + bytes));
    sch_bytes_append(file, key, key_bytes);
    sch_bytes_append(file, value, bytes);
    sch_bytes_pad(file, 0);
}

/* ---- orientation ---- */

static void swap_rows(uint8_t *a, uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        uint8_t kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

static void flip(struct sch_file_texture *texture)
{
    for (uint32_t i = 0; i < texture->levels; i++) {
        const struct sch_files_level level = sch_files_level(texture, i);
        uint8_t *slice = texture->texels + level.offset, *end = slice + level.bytes;
        for (; slice != end; slice += level.slice_bytes)
            for (uint32_t row = 0; row < level.rows / 2; row++)
                swap_rows(slice + row * level.row_bytes, slice + (level.rows - 1 - row) * level.row_bytes,
                          level.row_bytes);
    }
}

enum sch_result sch_ktx_orient(const struct sch_files_reader *reader, struct sch_file_texture *texture, char s, char t)
{
    struct sch_files_format format;
    const bool line = texture->target == SCH_TARGET_1D || texture->target == SCH_TARGET_1D_ARRAY;
    const bool cube = texture->target == SCH_TARGET_CUBE || texture->target == SCH_TARGET_CUBE_ARRAY;
    if ((s != 'r' && s != 'l') || (!line && t != 'd' && t != 'u'))
        return sch_files_damaged(reader->error, "damaged KTX: no orientation is written so");
    if (s == 'l')
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORM,
                                     "a KTX orientation with S to the left is not read");
    if (line || t == 'd') return SCH_OK;
    if (cube) return sch_files_unsupported(reader->error, SCH_D_FILE_FORM, "a KTX cube with T upwards is not read");
    if (!sch_files_format(texture->format, &format) || format.height > 1)
        return sch_files_unsupported(reader->error, SCH_D_FILE_FORM,
                                     "a KTX orientation with T upwards is not read for blocks (%s)",
                                     sch_files_format_name(texture->format));
    flip(texture);
    return SCH_OK;
}
