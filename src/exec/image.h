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
    uint8_t written;                   /* STORE: the words that one to a raw texture writes */
    bool texture;                      /* an image, or a RES that may be no buffer */
    bool raw;                          /* a texture that may be declared RAW: `sch_exec_raw_access` does those */
    uint8_t target;                    /* the instruction's; UNKNOWN where it has no word for it */
    int8_t address;                    /* the source that holds it; -1 none */
    const struct sch_exec_src *handle; /* a value in place of a register; NULL: none */
    struct sch_exec_index index, dimension;
};

/* exec/memory.c: what a place shows that is no texture and whose numbers are no registers. The same for a whole run.
 * `*shift`: log2 of the bytes of an address unit. */
struct sch_memory_view sch_exec_fixed_view(const struct sch_exec_machine *machine, const struct sch_exec_place *place,
                                           uint8_t *shift);
/* `*shift` of a register; a constant of the program. */
uint8_t sch_exec_address_shift(const struct sch_exec_program *program, const struct sch_exec_place *place,
                               int64_t number);
/* The address of a counter, as the resource operand names it. */
uint32_t sch_exec_counter_address(int64_t index);
/* LOAD, STORE, RESQ and ATOM*: operands are given, the answer goes to `result` of the machine. Of `address` x is the
 * place in memory; of what may be a texture all channels are there. */
void sch_exec_access(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction,
                     const struct sch_lanes *const address[4], const struct sch_lanes *const value[4]);
/* The words of a lane that an instruction accesses, as bits. */
uint8_t sch_exec_components(const struct sch_exec_place *place, bool loads);
/* What RESQ answers in x. */
uint32_t sch_exec_memory_size(const struct sch_memory_view *view);

/* A texture that a memory instruction accesses: level 0 of `texture`. */
struct sch_exec_shown {
    const struct sch_texture *texture; /* NULL: none, or of another shape than the instruction means */
    struct sch_sampler_key key;
    bool writable;
};

/* What register `number` of the operand's file shows. */
void sch_exec_show(const struct sch_exec_program *program, const struct sch_exec_bindings *bindings,
                   const struct sch_exec_place *place, int64_t number, struct sch_exec_shown *shown);
/* The target that register `number` is accessed as; SCH_TARGET_UNKNOWN: that of what is bound. */
unsigned sch_exec_shown_target(const struct sch_exec_program *program, const struct sch_exec_place *place,
                               int64_t number);

/* The accesses by the lanes of the bits `lanes`; of `address` the coordinates and the sample that the target has must
 * be there. `answer` keeps the other lanes' words. */
typedef void sch_exec_image_fn(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction,
                               const struct sch_exec_shown *shown, uint32_t lanes,
                               const struct sch_lanes *const address[4], struct sch_lanes *const answer[4],
                               const struct sch_lanes *const value[4]);
sch_exec_image_fn sch_exec_image_load, sch_exec_image_store, sch_exec_image_update, sch_exec_image_query;

/* exec/raw.c: LOAD, STORE or ATOM* of a texture that is declared RAW, by the lanes of the bits `lanes`: of `address` x
 * counts bytes of a row, the others are as in other accesses. */
sch_exec_image_fn sch_exec_raw_access;

/* What RESQ answers. */
void sch_exec_texel_counts(const struct sch_exec_shown *shown, uint32_t words[4]);

/* FBFETCH, to `result` of the machine. */
void sch_exec_fetch_pixels(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction);

#endif
