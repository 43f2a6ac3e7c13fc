/* Bytes that grow: the text or the binary form that a writer puts together, piece by piece. The first piece for which
 * there is no memory, or that would pass the limit, ends it: that and all later pieces are dropped, and the status says
 * why, so that a writer looks once, at its end. Holds bytes, digits and plain numbers only; what they mean is the
 * callers'. */
#ifndef SCH_BASE_BYTES_H
#define SCH_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <scheelite/types.h>

#include "base/allocator.h"

/* Zero but for the allocator, which must outlive it, and perhaps the limit: empty. */
struct sch_bytes {
    const struct sch_allocator *allocator;
    uint8_t *data; /* NULL as long as nothing was written */
    size_t size, capacity;
    size_t limit;           /* that the size may reach; 0: none */
    enum sch_result status; /* else MEMORY or LIMIT: what came last is missing, and no more is taken */
};

/* Makes room for `more` bytes after those that are there; false: the status says why not. */
bool sch_bytes_reserve(struct sch_bytes *bytes, size_t more);

static inline void sch_bytes_append(struct sch_bytes *bytes, const void *data, size_t size)
{
    if (size > bytes->capacity - bytes->size && !sch_bytes_reserve(bytes, size)) return;
    if (size) memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}
void sch_bytes_char(struct sch_bytes *bytes, char c);
/* Without its closing zero. */
void sch_bytes_text(struct sch_bytes *bytes, const char *text);
/* As printf; of any length. */
void sch_bytes_format(struct sch_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* In decimal, with blanks in front if it has fewer than `width` characters. Faster than printf. */
void sch_bytes_uint(struct sch_bytes *bytes, uint64_t value, unsigned width);
void sch_bytes_int(struct sch_bytes *bytes, int64_t value);

/* A 32-bit word, low byte first; the second one replaces four bytes that were written before. */
void sch_bytes_word(struct sch_bytes *bytes, uint32_t word);
void sch_bytes_patch_word(struct sch_bytes *bytes, size_t at, uint32_t word);

/* Bytes `value` until the size is a multiple of four. */
void sch_bytes_pad(struct sch_bytes *bytes, uint8_t value);

/* Hands over what was written, to be freed by the allocator; what is left is empty. If the status is not OK it is
 * released instead: NULL and 0. Returns the status. A text gets a closing zero, which its size does not count. */
enum sch_result sch_bytes_take(struct sch_bytes *bytes, void **data, size_t *size);
enum sch_result sch_bytes_take_text(struct sch_bytes *bytes, char **text, size_t *size);

/* Gives the memory up; what is left is empty, and has its allocator and limit. */
void sch_bytes_release(struct sch_bytes *bytes);

/* A 32-bit word of bytes from outside, low byte first. */
static inline uint32_t sch_word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

#endif
