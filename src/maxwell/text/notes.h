/* What a cubin says beside its code: functions, relocations, records of .nv.info, constant banks, debug lines. Notes of
 * the program, and facts of its sections. */
#ifndef SCH_MAXWELL_TEXT_NOTES_H
#define SCH_MAXWELL_TEXT_NOTES_H

#include "maxwell/text/elf.h"

/* Reads all notes; what is damaged is left out, with a warning. OK; MEMORY. */
enum sch_result sch_maxwell_notes_read(struct sch_elf *elf);

/* ---- for lines.c ---- */

/* Adds a note, whose name lies in the program; false: no memory, or there are more than the file can have. */
bool sch_maxwell_notes_add(struct sch_elf *elf, unsigned kind, uint32_t section, uint32_t offset, const char *name,
                           const char *text);

/* Where relocations put addresses into a section of the file: for the place, the section of code and the address. */
struct sch_maxwell_place {
    uint64_t at;
    uint32_t section, address;
};

/* The rows of .debug_line, with the places in it that relocations fill, in their order. False: it is damaged. */
bool sch_maxwell_lines_read(struct sch_elf *elf, const unsigned char *data, size_t bytes,
                            const struct sch_maxwell_place *places, size_t place_count);

#endif
