/* The growing buffer of writer.h. */
#include "d3d/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

static bool reserve(struct sch_d3d_writer *writer, size_t more)
{
    size_t needed;
    if (writer->failed) return false;
    if (!sch_add_size(writer->count, more, &needed)) goto failed;
    if (needed <= writer->capacity) return true;
    enum { FIRST = 256 };
    size_t wanted = writer->capacity ? writer->capacity : FIRST;
    while (wanted < needed)
        if (!sch_mul_size(wanted, 2, &wanted)) goto failed;
    unsigned char *larger = writer->allocator->alloc(writer->allocator->user, wanted);
    if (!larger) goto failed;
    if (writer->count) memcpy(larger, writer->bytes, writer->count);
    if (writer->bytes) writer->allocator->free(writer->allocator->user, writer->bytes);
    writer->bytes = larger;
    writer->capacity = wanted;
    return true;
failed:
    writer->failed = true;
    return false;
}

void sch_d3d_write(struct sch_d3d_writer *writer, const void *bytes, size_t count)
{
    if (!count || !reserve(writer, count)) return;
    memcpy(writer->bytes + writer->count, bytes, count);
    writer->count += count;
}

void sch_d3d_write_text(struct sch_d3d_writer *writer, const char *text) { sch_d3d_write(writer, text, strlen(text)); }

void sch_d3d_write_format(struct sch_d3d_writer *writer, const char *format, ...)
{
    char text[256]; /* callers print a few numbers and words of tables */
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0) sch_d3d_write(writer, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void sch_d3d_write_word(struct sch_d3d_writer *writer, uint32_t word)
{
    unsigned char bytes[4] = {(unsigned char)word, (unsigned char)(word >> 8), (unsigned char)(word >> 16),
                              (unsigned char)(word >> 24)};
    sch_d3d_write(writer, bytes, sizeof bytes);
}

void sch_d3d_write_padding(struct sch_d3d_writer *writer, unsigned char value)
{
    while (writer->count % 4 && !writer->failed) sch_d3d_write(writer, &value, 1);
}

void sch_d3d_patch_word(struct sch_d3d_writer *writer, size_t at, uint32_t word)
{
    if (writer->failed) return;
    for (unsigned i = 0; i < 4; i++) writer->bytes[at + i] = (unsigned char)(word >> (8 * i));
}

void sch_d3d_writer_release(struct sch_d3d_writer *writer)
{
    if (writer->bytes) writer->allocator->free(writer->allocator->user, writer->bytes);
    *writer = (struct sch_d3d_writer){.allocator = writer->allocator};
}
