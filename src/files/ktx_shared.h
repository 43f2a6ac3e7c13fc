/* What both versions of KTX have: counts, key/value pairs, orientation. Holds no format and no layout of files. */
#ifndef SCH_FILES_KTX_SHARED_H
#define SCH_FILES_KTX_SHARED_H

#include "files/codec.h"

enum { SCH_KTX_IDENTIFIER_BYTES = 12 };

/* The members of the header that say the shape. */
struct sch_ktx_counts {
    uint32_t width, height, depth, elements, faces, levels;
};

/* The shape of a texture without its format. ktxspec, "Texture Type", has the table; version 1 has the same. */
enum sch_result sch_ktx_read_counts(const struct sch_files_reader *reader, const struct sch_ktx_counts *counts,
                                    struct sch_file_texture *texture);
struct sch_ktx_counts sch_ktx_counts(const struct sch_file_texture *texture);

/* Key/value data: pairs of a length, a key with its closing zero and a value, padded to 4 bytes. */
struct sch_ktx_pairs {
    const uint8_t *data;
    size_t bytes;
    bool swapped; /* lengths have the other order of bytes */
};
/* Whether all pairs are whole. */
bool sch_ktx_pairs_are_whole(const struct sch_ktx_pairs *pairs);
/* The value of a key; false: it is not there. The pairs are whole. */
bool sch_ktx_find(const struct sch_ktx_pairs *pairs, const char *key, const uint8_t **value, size_t *bytes);
/* `bytes` of the value count what of it is written: with its closing zero if it is a text. */
void sch_ktx_write_pair(struct sch_bytes *file, const char *key, const char *value, size_t bytes);

/* Puts the rows of a texture whose texels were read into our order, the top one first, if the axes are others: `s` is r
 * or l, `t` d or u (ktxspec, "KTXorientation"). UNSUPPORTED: it would need texels that are mirrored, or blocks that are
 * decoded. */
enum sch_result sch_ktx_orient(const struct sch_files_reader *reader, struct sch_file_texture *texture, char s, char t);

/* A word whose bytes are turned around. */
static inline uint32_t sch_ktx_swapped(uint32_t word)
{
    return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) | word << 24;
}

#endif
