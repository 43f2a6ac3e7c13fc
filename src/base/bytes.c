/* See base/bytes.h. */
#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

enum { FIRST_BYTES = 256 };

static bool refuse(struct sch_bytes *bytes, enum sch_result status)
{
    bytes->status = status;
    bytes->capacity = bytes->size; /* of later pieces none fits, however short */
    return false;
}

static bool move_to(struct sch_bytes *bytes, size_t capacity)
{
    uint8_t *larger = bytes->allocator->alloc(bytes->allocator->user, capacity);
    if (!larger) return refuse(bytes, SCH_ERROR_MEMORY);
    if (bytes->size) memcpy(larger, bytes->data, bytes->size);
    if (bytes->data) bytes->allocator->free(bytes->allocator->user, bytes->data);
    bytes->data = larger;
    bytes->capacity = capacity;
    return true;
}

bool sch_bytes_reserve(struct sch_bytes *bytes, size_t more)
{
    size_t needed;
    if (bytes->status != SCH_OK) return false;
    if (!sch_add_size(bytes->size, more, &needed)) return refuse(bytes, SCH_ERROR_MEMORY);
    if (bytes->limit && needed > bytes->limit) return refuse(bytes, SCH_ERROR_LIMIT);
    if (needed <= bytes->capacity) return true;
    size_t capacity = bytes->capacity ? bytes->capacity : FIRST_BYTES;
    while (capacity < needed)
        if (!sch_mul_size(capacity, 2, &capacity)) return refuse(bytes, SCH_ERROR_MEMORY);
    if (bytes->limit && capacity > bytes->limit) capacity = bytes->limit;
    return move_to(bytes, capacity);
}

void sch_bytes_char(struct sch_bytes *bytes, char c) { sch_bytes_append(bytes, &c, 1); }

void sch_bytes_text(struct sch_bytes *bytes, const char *text) { sch_bytes_append(bytes, text, strlen(text)); }

/* Most pieces are short; printf's closing zero has no place in the buffer, so a longer one is printed into memory that
 * has room for it and is not counted. */
void sch_bytes_format(struct sch_bytes *bytes, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    if (length < 0) {
        refuse(bytes, SCH_ERROR_INTERNAL);
    } else if ((size_t)length < sizeof piece) {
        sch_bytes_append(bytes, piece, (size_t)length);
    } else if (sch_bytes_reserve(bytes, (size_t)length + 1)) {
        va_start(arguments, format);
        vsnprintf((char *)bytes->data + bytes->size, (size_t)length + 1, format, arguments);
        va_end(arguments);
        bytes->size += (size_t)length;
    }
}

void sch_bytes_uint(struct sch_bytes *bytes, uint64_t value, unsigned width)
{
    char digits[24];
    size_t begin = sizeof digits;
    do {
        digits[--begin] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    const size_t length = sizeof digits - begin;
    for (size_t blanks = length; blanks < width; blanks++) sch_bytes_char(bytes, ' ');
    sch_bytes_append(bytes, digits + begin, length);
}

void sch_bytes_int(struct sch_bytes *bytes, int64_t value)
{
    if (value < 0) sch_bytes_char(bytes, '-');
    sch_bytes_uint(bytes, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 1);
}

void sch_bytes_word(struct sch_bytes *bytes, uint32_t word)
{
    const uint8_t data[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    sch_bytes_append(bytes, data, sizeof data);
}

void sch_bytes_patch_word(struct sch_bytes *bytes, size_t at, uint32_t word)
{
    if (bytes->status != SCH_OK) return;
    for (unsigned i = 0; i < 4; i++) bytes->data[at + i] = (uint8_t)(word >> (8 * i));
}

void sch_bytes_pad(struct sch_bytes *bytes, uint8_t value)
{
    while (bytes->size % 4 && bytes->status == SCH_OK) sch_bytes_append(bytes, &value, 1);
}

enum sch_result sch_bytes_take(struct sch_bytes *bytes, void **data, size_t *size)
{
    const enum sch_result status = bytes->status;
    *data = status == SCH_OK ? bytes->data : NULL;
    *size = status == SCH_OK ? bytes->size : 0;
    if (status == SCH_OK) bytes->data = NULL;
    sch_bytes_release(bytes);
    return status;
}

enum sch_result sch_bytes_take_text(struct sch_bytes *bytes, char **text, size_t *size)
{
    void *data;
    sch_bytes_char(bytes, 0);
    const enum sch_result status = sch_bytes_take(bytes, &data, size);
    *text = data;
    if (data) --*size;
    return status;
}

void sch_bytes_release(struct sch_bytes *bytes)
{
    if (bytes->data) bytes->allocator->free(bytes->allocator->user, bytes->data);
    *bytes = (struct sch_bytes){.allocator = bytes->allocator, .limit = bytes->limit};
}
