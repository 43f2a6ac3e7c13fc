/* What the tests of texture files share: formats by their table, random textures, counted reads. Holds no test. */
#ifndef TESTS_CONTAINER_SUPPORT_H
#define TESTS_CONTAINER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <scheelite/files.h>

#include "../support/counting_allocator.h"
#include "../support/random_number.h"

struct format_row {
    const char *name, *layout, *channels;
    unsigned width, height, depth;
};

/* The rows of formats.def by number; names are NULL where there is none. */
extern const struct format_row format_rows[];
extern const unsigned format_row_count;

unsigned format_named(const char *name);
/* Bytes of a block: the sum of its channels' bits. 0: of several planes, or the rows whose blocks the table cuts
 * short. */
unsigned block_bytes(unsigned format);
/* The bytes of all levels, by the words of files.h. */
size_t texture_bytes(const struct sch_file_texture *texture);

/* A texture of random texels, to be freed with free(texture.texels). */
struct sch_file_texture random_texture(enum sch_target target, unsigned format, uint32_t width, uint32_t height,
                                       uint32_t depth, uint32_t layers, uint32_t levels);
/* Fails unless both have the same shape, format and texels. */
void assert_same_texture(const struct sch_file_texture *a, const struct sch_file_texture *b, const char *what);

/* Reads from an exact copy, so that a read behind the end is noticed, with an allocator that refuses after so many
 * allocations and counts. What a failed read leaves is checked; the texture is released. */
enum sch_result read_counted(const void *data, size_t bytes, struct counting *counting, struct sch_file_error *error);

/* Reads; fails unless that succeeds. */
struct sch_file_texture read_texture(const void *data, size_t bytes, const char *what);
/* Writes; fails unless that succeeds. */
struct sch_file_bytes write_texture(enum sch_file_kind kind, enum sch_file_supercompression supercompression,
                                    const struct sch_file_texture *texture);
/* Whether this build has libzstd. */
bool has_zstd(void);

#endif
