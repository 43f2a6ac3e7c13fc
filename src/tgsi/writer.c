/* The growing buffer of the writers. */
#include "tgsi/writer.h"

#include <string.h>

enum { GROWTH = 2 };

static bool reserve(struct sch_tgsi_writer *writer, size_t more)
{
    size_t needed = writer->count + more; /* of what lies in memory already: no sum overflows */
    if (writer->failed) return false;
    if (needed <= writer->capacity) return true;

    size_t capacity = GROWTH * needed;
    unsigned char *larger = writer->allocator->alloc(writer->allocator->user, capacity);
    if (!larger) {
        writer->failed = true;
        return false;
    }
    if (writer->bytes) {
        memcpy(larger, writer->bytes, writer->count);
        writer->allocator->free(writer->allocator->user, writer->bytes);
    }
    writer->bytes = larger;
    writer->capacity = capacity;
    return true;
}

void sch_tgsi_write(struct sch_tgsi_writer *writer, const void *bytes, size_t count)
{
    if (!count || !reserve(writer, count)) return;
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

void sch_tgsi_write_text(struct sch_tgsi_writer *writer, const char *text)
{
    sch_tgsi_write(writer, text, strlen(text));
}

void sch_tgsi_write_char(struct sch_tgsi_writer *writer, char c) { sch_tgsi_write(writer, &c, 1); }

void sch_tgsi_write_wide(struct sch_tgsi_writer *writer, uint64_t value, unsigned width)
{
    char digits[24];
    size_t begin = sizeof digits;
    do {
        digits[--begin] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    size_t length = sizeof digits - begin;
    for (size_t blanks = length; blanks < width; blanks++) sch_tgsi_write_char(writer, ' ');
    sch_tgsi_write(writer, digits + begin, length);
}

void sch_tgsi_write_uint(struct sch_tgsi_writer *writer, uint64_t value) { sch_tgsi_write_wide(writer, value, 1); }

void sch_tgsi_write_int(struct sch_tgsi_writer *writer, int64_t value)
{
    if (value < 0) sch_tgsi_write_char(writer, '-');
    sch_tgsi_write_uint(writer, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void sch_tgsi_write_hex(struct sch_tgsi_writer *writer, uint32_t value)
{
    char digits[10] = {'0', 'x'};
    for (int i = 0; i < 8; i++) digits[2 + i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    sch_tgsi_write(writer, digits, sizeof digits);
}

void sch_tgsi_write_word(struct sch_tgsi_writer *writer, uint32_t word) { sch_tgsi_write(writer, &word, sizeof word); }

void sch_tgsi_writer_release(struct sch_tgsi_writer *writer)
{
    if (writer->bytes) writer->allocator->free(writer->allocator->user, writer->bytes);
}
