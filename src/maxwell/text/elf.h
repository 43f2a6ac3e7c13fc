/* ELF files of 64 bits, low byte first, as far as cubins have them: sections and their names. Every offset and size is
 * checked against the file before it is used (System V ABI, chapter 4). */
#ifndef SCH_MAXWELL_TEXT_ELF_H
#define SCH_MAXWELL_TEXT_ELF_H

#include "maxwell/text/code.h"

enum { SCH_ELF_SECTION_BYTES = 64, SCH_ELF_HALF = 2, SCH_ELF_WORD = 4, SCH_ELF_XWORD = 8 };

struct sch_elf {
    const struct sch_maxwell_read *how;
    const unsigned char *data;
    size_t bytes;
    uint64_t table, count; /* section headers */
    const char *names;     /* the text that sh_name counts in */
    size_t names_bytes;
    struct sch_maxwell_code *code;
    uint32_t *sections; /* of each section of the file: the section of code that it became, or SCH_ELF_NO_CODE */
};
enum { SCH_ELF_NO_CODE = UINT32_MAX };

struct sch_elf_section {
    uint64_t name, type, flags, offset, size, link, info;
};

/* A number of so many bytes. */
uint64_t sch_elf_number(const unsigned char *at, unsigned bytes);

/* Whether `size` bytes at `offset` are inside of the file. */
bool sch_elf_is_inside(const struct sch_elf *elf, uint64_t offset, uint64_t size);

/* A section of the table, which was checked; `index` is less than `count`. */
struct sch_elf_section sch_elf_section_at(const struct sch_elf *elf, uint64_t index);

/* The text that begins at an offset of a table of texts; NULL: it does not end inside of it. */
const char *sch_elf_text(const char *table, size_t table_bytes, uint64_t offset);
/* The name of a section; NULL: it is not in the table. */
const char *sch_elf_section_name(const struct sch_elf *elf, const struct sch_elf_section *section);

#endif
