/* Where memory instructions access memory, lane by lane: for observers (exec/watch.h). Holds no access itself
 * (exec/memory.c). */
#ifndef SCH_EXEC_PLACES_H
#define SCH_EXEC_PLACES_H

#include "exec/machine.h"

/* Bytes from `byte` on of register `number` of a file; of level 0 of an image. They need not be inside. */
struct sch_exec_touched {
    uint64_t byte;
    uint32_t number, bytes;
    uint8_t file; /* BUFFER (also RES registers that are buffers), HW_ATOMIC, CONSTBUF, IMAGE, MEMORY... */
    uint8_t kind; /* ...of which this is the kind */
};

/* For an instruction that is about to be executed; the bits of lanes that access something. Queries of sizes do not,
 * nor do accesses to what is not bound, or texels outside of an image. */
uint32_t sch_exec_find_places(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                              struct sch_exec_touched places[SCH_GROUP_LANES]);

/* Bytes of level 0 of a texture, which follow each other. */
uint64_t sch_exec_level_bytes(const struct sch_texture *texture);

#endif
