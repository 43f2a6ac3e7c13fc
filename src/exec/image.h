/* Images and other textures that memory instructions access: between exec/memory.c, which finds out which register is
 * meant, and exec/image.c. */
#ifndef SCH_EXEC_IMAGE_H
#define SCH_EXEC_IMAGE_H

#include "exec/lookup.h"

/* The operand that names a resource. */
struct sch_exec_place {
    uint8_t file;
    uint8_t swizzle[4];                /* LOAD: applies to the words that are read */
    uint8_t components;                /* STORE: written; LOAD: words that the destination needs */
    bool texture;                      /* an image, or a RES that may be no buffer */
    uint8_t target;                    /* the instruction's; UNKNOWN where it has no word for it */
    int8_t address;                    /* the source that holds it; -1 none */
    const struct sch_exec_src *handle; /* a value in place of a register; NULL: none */
    struct sch_exec_index index, dimension;
};

/* exec/memory.c: what a place shows that is a BUFFER, MEMORY or CONSTBUF and whose index is no register. The same for a
 * whole run. */
struct sch_memory_view sch_exec_fixed_view(const struct sch_exec_machine *machine, const struct sch_exec_place *place);

/* A texture that a memory instruction accesses: level 0 of `texture`. */
struct sch_exec_shown {
    const struct sch_texture *texture; /* NULL: none, or of another shape than the instruction means */
    struct sch_sampler_key key;
    bool writable;
};

/* What register `number` of the operand's file shows. */
void sch_exec_show(const struct sch_exec_machine *machine, const struct sch_exec_place *place, int64_t number,
                   struct sch_exec_shown *shown);

/* The accesses by the lanes of the bits `lanes`. `answer` keeps the other lanes' words. */
typedef void sch_exec_image_fn(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction,
                               const struct sch_exec_shown *shown, uint32_t lanes, struct sch_lanes *const answer[4],
                               const struct sch_lanes *const value[4]);
sch_exec_image_fn sch_exec_image_load, sch_exec_image_store, sch_exec_image_update, sch_exec_image_query;

#endif
