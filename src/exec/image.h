/* Images and other textures that memory instructions access: between exec/memory.c, which finds out which register is
 * meant, and exec/image.c. */
#ifndef SCH_EXEC_IMAGE_H
#define SCH_EXEC_IMAGE_H

#include "exec/lookup.h"

/* exec/memory.c: what a resource shows that is not a texture and whose numbers are not registers. The same for a whole
 * run. `*shift`: log2 of the bytes of an address unit. */
struct sch_memory_view sch_exec_fixed_view(const struct sch_exec_machine *machine,
                                           const struct sch_prepared_resource *resource, uint8_t *shift);
/* LOAD, STORE, RESQ and ATOM*: operands are given, the result goes to `result` of the machine. x of `address` is the
 * resource in memory; of what may be a texture all channels are there. */
void sch_exec_access(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                     const struct sch_lanes *const address[4], const struct sch_lanes *const value[4]);
/* What RESQ returns in x. */
uint32_t sch_exec_memory_size(const struct sch_memory_view *view);

/* A texture that a memory instruction accesses: level 0 of `texture`. */
struct sch_exec_shown {
    const struct sch_texture *texture; /* NULL: none, or of another shape than the instruction means */
    struct sch_sampler_key key;
    bool writable;
};

/* What register `number` of the operand's file shows. */
void sch_exec_show(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                   const struct sch_prepared_resource *resource, int64_t number, struct sch_exec_shown *shown);
/* The accesses by the lanes of the bits `lanes`; of `address` the coordinates and the sample that the target has must
 * be there. `out` keeps the other lanes' words. */
typedef void sch_exec_image_fn(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                               const struct sch_exec_shown *shown, uint32_t lanes,
                               const struct sch_lanes *const address[4], struct sch_lanes *const out[4],
                               const struct sch_lanes *const value[4]);
sch_exec_image_fn sch_exec_image_load, sch_exec_image_store, sch_exec_image_update, sch_exec_image_query;

/* exec/raw.c: LOAD, STORE or ATOM* of a texture that is declared RAW, by the lanes of the bits `lanes`: of `address` x
 * counts bytes of a row, the others are as in other accesses. */
sch_exec_image_fn sch_exec_raw_access;

/* For such an access: the byte of level 0 where a lane's words begin. False: there is no such row. */
bool sch_exec_raw_byte(const struct sch_exec_machine *machine, const struct sch_exec_shown *shown,
                       const struct sch_lanes *const address[4], unsigned lane, uint64_t *byte);

/* What RESQ returns. */
void sch_exec_texel_counts(const struct sch_exec_shown *shown, uint32_t words[4]);

/* FBFETCH, to `result` of the machine. */
void sch_exec_fetch_pixels(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction);

#endif
