/* Where memory instructions access memory, lane by lane: for observers (exec/watch.h). Holds no access itself
 * (exec/memory.c). */
#ifndef SCH_EXEC_PLACES_H
#define SCH_EXEC_PLACES_H

#include "exec/machine.h"

enum sch_exec_touch { SCH_EXEC_READS, SCH_EXEC_WRITES, SCH_EXEC_UPDATES };

/* Bytes from `byte` on of register `number` of a file; of level 0 of an image; of Maxwell code of a range of global
 * memory, by its number. They need not be inside. */
struct sch_exec_touched {
    uint64_t byte;
    uint64_t address;      /* Maxwell code: as the lane has it; else `byte` */
    const uint8_t *memory; /* where the first is... */
    uint32_t inside;       /* ...of so many that are inside; 0: none, and no memory */
    uint32_t number, bytes;
    uint8_t file;  /* BUFFER (also RES registers that are buffers), HW_ATOMIC, CONSTBUF, IMAGE, MEMORY... */
    uint8_t kind;  /* ...of which this is the kind */
    uint8_t touch; /* enum sch_exec_touch */
};

/* For an instruction that is about to be executed, of any language; the bits of lanes that access something. Queries of
 * sizes do not, nor do accesses to what is not bound, texels outside of an image, and what fails. */
uint32_t sch_exec_find_places(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                              struct sch_exec_touched places[SCH_GROUP_LANES]);

/* Bytes of level 0 of a texture, which follow each other. */
uint64_t sch_exec_level_bytes(const struct sch_texture *texture);

#endif
