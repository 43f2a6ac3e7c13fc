/* A buffer of bytes that grows, for the writers of this folder. Once memory is out it swallows what follows. */
#ifndef SCH_TGSI_WRITER_H
#define SCH_TGSI_WRITER_H

#include "base/arena.h"

struct sch_tgsi_writer {
    const struct sch_allocator *allocator;
    unsigned char *bytes;
    size_t count, capacity;
    bool failed;
};

void sch_tgsi_write(struct sch_tgsi_writer *writer, const void *bytes, size_t count);
void sch_tgsi_write_text(struct sch_tgsi_writer *writer, const char *text);
void sch_tgsi_write_char(struct sch_tgsi_writer *writer, char c);

/* In decimal; the wide one at least `width` wide. */
void sch_tgsi_write_uint(struct sch_tgsi_writer *writer, uint64_t value);
void sch_tgsi_write_wide(struct sch_tgsi_writer *writer, uint64_t value, unsigned width);
void sch_tgsi_write_int(struct sch_tgsi_writer *writer, int64_t value);

/* "0x" and eight hexadecimal digits. */
void sch_tgsi_write_hex(struct sch_tgsi_writer *writer, uint32_t value);

/* One 32-bit word in host order. */
void sch_tgsi_write_word(struct sch_tgsi_writer *writer, uint32_t word);

/* Gives the memory up. */
void sch_tgsi_writer_release(struct sch_tgsi_writer *writer);

#endif
