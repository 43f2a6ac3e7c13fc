/* Sections of ELF files. */
#include "maxwell/text/elf.h"

#include <string.h>

uint64_t sch_elf_number(const unsigned char *at, unsigned bytes)
{
    uint64_t number = 0;
    while (bytes-- > 0) number = number << 8 | at[bytes];
    return number;
}

bool sch_elf_is_inside(const struct sch_elf *elf, uint64_t offset, uint64_t size)
{
    return offset <= elf->bytes && size <= elf->bytes - offset;
}

struct sch_elf_section sch_elf_section_at(const struct sch_elf *elf, uint64_t index)
{
    const unsigned char *at = elf->data + elf->table + index * SCH_ELF_SECTION_BYTES;
    return (struct sch_elf_section){.name = sch_elf_number(at, SCH_ELF_WORD),
                                    .type = sch_elf_number(at + 4, SCH_ELF_WORD),
                                    .flags = sch_elf_number(at + 8, SCH_ELF_XWORD),
                                    .offset = sch_elf_number(at + 24, SCH_ELF_XWORD),
                                    .size = sch_elf_number(at + 32, SCH_ELF_XWORD),
                                    .link = sch_elf_number(at + 40, SCH_ELF_WORD),
                                    .info = sch_elf_number(at + 44, SCH_ELF_WORD)};
}

const char *sch_elf_text(const char *table, size_t table_bytes, uint64_t offset)
{
    if (offset >= table_bytes) return NULL;
    const char *at = table + offset;
    return memchr(at, 0, table_bytes - (size_t)offset) ? at : NULL;
}

const char *sch_elf_section_name(const struct sch_elf *elf, const struct sch_elf_section *section)
{
    return sch_elf_text(elf->names, elf->names_bytes, section->name);
}
