/* A buffer of bytes that grows, for the writers of this folder. Once memory is out it swallows what follows. Holds
 * bytes and plain numbers only: what they mean is the callers'. */
#ifndef SCH_D3D_WRITER_H
#define SCH_D3D_WRITER_H

#include "base/arena.h"

struct sch_d3d_writer {
    const struct sch_allocator *allocator;
    unsigned char *bytes;
    size_t count, capacity;
    bool failed;
};

void sch_d3d_write(struct sch_d3d_writer *writer, const void *bytes, size_t count);
void sch_d3d_write_text(struct sch_d3d_writer *writer, const char *text);
void sch_d3d_write_format(struct sch_d3d_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A 32-bit word, low byte first. */
void sch_d3d_write_word(struct sch_d3d_writer *writer, uint32_t word);

/* Bytes `value` until the count is a multiple of four. */
void sch_d3d_write_padding(struct sch_d3d_writer *writer, unsigned char value);

/* Replaces the word at byte `at`, which was written before. */
void sch_d3d_patch_word(struct sch_d3d_writer *writer, size_t at, uint32_t word);

/* Gives the memory up. */
void sch_d3d_writer_release(struct sch_d3d_writer *writer);

/* A 32-bit word of bytes from outside, low byte first. */
static inline uint32_t sch_d3d_word(const unsigned char *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
