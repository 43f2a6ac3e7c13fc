/* What machine code finds behind machine->engine_state: the functions that it calls, as it refers to nothing outside of
 * itself, and what its texture lookups ask. Plain data; the functions are native/calls.c, and what fills the rest in is
 * native/engine.c. */
#ifndef SCH_NATIVE_RUNTIME_H
#define SCH_NATIVE_RUNTIME_H

#include "exec/image.h"
#include "exec/lookup.h"
#include "exec/machine.h"

/* One texture lookup, as the bindings of the run decide it. What is not bound, or of another shape,
 * has functions that answer zeros. Exactly one of the functions is there, of queries none; it takes the other
 * members as they are (docs/texture.md says what a lookup means). */
struct sch_native_slot {
    sch_sample_fn *_Atomic sample;     /* of the kinds SAMPLE, PROJECT, GATHER, LOD */
    sch_fetch_fn *_Atomic fetch;       /* of the kinds FETCH, FETCH_MS, and LOADs of images */
    sch_image_store_fn *_Atomic store; /* of STOREs of images */
    const struct sch_sampler_key *key;
    const struct sch_sampler_values *values;
    const struct sch_texture *texture;
};

/* Numbers of units that lookups have slots for where a register names them; not in programs of more instructions, as
 * slots are made for every run. */
enum { SCH_NATIVE_UNITS = 16, SCH_NATIVE_UNITS_INSTRUCTIONS = 4096 };

/* How many slots a lookup has: one where view, sampler and gathered component (`*component`) are known before the
 * program runs and are the same for all lanes. SCH_NATIVE_UNITS, by number, where a register names the view, and the
 * sampler if it is the same operand or none; these are for lanes that name the same. Else 0. Also for the compiler,
 * which is another object: so it stands here. */
static inline uint32_t sch_native_slot_count(const struct sch_exec_program *program,
                                             const struct sch_exec_instruction *in, uint8_t *component)
{
    const struct sch_exec_lookup *lookup = in->lookup;
    if (!lookup || lookup->kind > SCH_KIND_FETCH_MS || lookup->handle || lookup->render_target) return 0;
    const bool named = in->src[lookup->view].index.is_indirect;
    if (lookup->sampler >= 0 && lookup->sampler != lookup->view && in->src[lookup->sampler].index.is_indirect) return 0;
    *component = lookup->component;
    if (lookup->kind == SCH_KIND_GATHER && lookup->value.source >= 0) {
        const struct sch_exec_src *value = &in->src[lookup->value.source];
        if (value->access != SCH_ACCESS_PLAIN || value->space != SCH_SPACE_PROGRAM || value->modify) return 0;
        *component = program->program_space[value->channel[lookup->value.component]].u[0] & 3;
    }
    if (!named) return 1;
    return program->instruction_count <= SCH_NATIVE_UNITS_INSTRUCTIONS ? SCH_NATIVE_UNITS : 0;
}

/* Whether a query's unit is known before the program runs: its slot has the texture. */
static inline bool sch_native_has_query(const struct sch_exec_instruction *in)
{
    const struct sch_exec_lookup *lookup = in->lookup;
    if (!lookup || lookup->kind < SCH_KIND_SIZE || lookup->handle) return false;
    return lookup->render_target || !in->src[lookup->view].index.is_indirect;
}

/* Whether a memory instruction accesses a texture that is known before the program runs, as texels. Also for the
 * compiler. */
static inline bool sch_native_has_image(const struct sch_exec_instruction *in)
{
    const struct sch_exec_place *place = in->place;
    if (!place || !place->texture || place->raw || place->handle || place->index.is_indirect) return false;
    return place->file == SCH_FILE_IMAGE || place->file == SCH_FILE_RESOURCE;
}

/* How many slots an instruction takes: lookups as above, queries one, LOADs and STOREs of known images one. */
static inline uint32_t sch_native_slots_of(const struct sch_exec_program *program,
                                           const struct sch_exec_instruction *in)
{
    uint8_t component;
    if (in->lookup) return sch_native_has_query(in) ? 1 : sch_native_slot_count(program, in, &component);
    return (in->opcode == SCH_OP_LOAD || in->opcode == SCH_OP_STORE) && sch_native_has_image(in);
}

/* What a LOAD, STORE, ATOM* or RESQ accesses whose resource is known before the program runs. */
struct sch_native_view {
    struct sch_memory_view view;
    /* Bytes that may be read and written by vectors, at most 2^32, so that no place beyond them is an address. 0 where
     * lanes have memory of their own, or nothing is writable. Other threads may do it too: code reads and writes whole
     * words. */
    uint64_t readable, storable;
    uint64_t writable;           /* bytes that may be written word by word */
    uint8_t shift;               /* log2 of the bytes of an address unit; a constant of the program */
    uint32_t answer[4];          /* of RESQ */
    struct sch_exec_shown shown; /* textures; `view` is empty */
};

/* Whether an instruction has one. Also for the compiler. */
static inline bool sch_native_has_view(const struct sch_exec_instruction *in)
{
    const struct sch_exec_place *place = in->place;
    if (!place || place->handle || place->index.is_indirect) return false;
    if (place->texture) return sch_native_has_image(in);
    if (place->file == SCH_FILE_HW_ATOMIC) return !place->dimension.is_indirect;
    return place->file == SCH_FILE_BUFFER || place->file == SCH_FILE_MEMORY || place->file == SCH_FILE_CONSTBUF ||
           place->file == SCH_FILE_RESOURCE;
}

struct sch_native_runtime {
    /* The slow way of the budget: charges the lanes machine->exec one step. `owed` has what each lane has spent and
     * machine->spent does not know, and gets what is not booked afterwards: `alive` are the lanes that may come back.
     * machine->executed is up to date; where it is at machine->room, or beyond, code must come here again. False: the
     * machine has failed. */
    bool (*spend)(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction, uint32_t alive,
                  uint32_t owed[SCH_GROUP_LANES]);

    /* A group of a span begins: no lane has spent anything. Called where machine->settled says that some did, or
     * machine->executed is at machine->stop_at. False: the machine has failed. */
    bool (*renew)(struct sch_exec_machine *machine);

    /* machine->executed counts `count` instructions from `first` on that the lanes of the bits `lanes` are to execute
     * next, and is beyond what code may count. machine->room is then how far it may. False: the machine has failed, at
     * one of them, and machine->executed is what it has executed. */
    bool (*look)(struct sch_exec_machine *machine, const struct sch_exec_instruction *first, uint32_t count,
                 uint32_t lanes);

    /* Accesses that are not simple, by the lanes of the bits `lanes`. Addresses are in scratch[0][0] of the machine,
     * values to store in scratch[1], operands of atomics in x of scratch[2] and scratch[3]; what is read goes to
     * `result`, of which the other lanes are undefined after load and 0 after update. */
    void (*load)(struct sch_exec_machine *machine, const struct sch_native_view *view, uint32_t lanes,
                 uint32_t components);
    void (*store)(struct sch_exec_machine *machine, const struct sch_native_view *view, uint32_t lanes,
                  uint32_t components);
    void (*update)(struct sch_exec_machine *machine, const struct sch_native_view *view, uint32_t lanes,
                   const struct sch_exec_instruction *instruction);

    /* One channel of a source whose place is known only now, with its modifiers. */
    const struct sch_lanes *(*source)(struct sch_exec_machine *machine, const struct sch_exec_src *src,
                                      unsigned channel);
    /* One channel of a destination likewise: result[0] of the machine, by the lanes that execute. */
    void (*write)(struct sch_exec_machine *machine, const struct sch_exec_dst *dst, unsigned channel);

    /* The answer of a texture query (exec/lookup.h) whose level or sample is in scratch[0][0], in `result`. */
    void (*query)(struct sch_exec_machine *machine, const struct sch_native_slot *slot,
                  const struct sch_exec_instruction *instruction);
    /* ATOM* of a view's texture: the address is in scratch[0], operands as above. */
    void (*update_texels)(struct sch_exec_machine *machine, const struct sch_native_view *view, uint32_t lanes,
                          const struct sch_exec_instruction *instruction);
    /* LOAD, STORE, RESQ and ATOM* of whatever registers or handles name, by the lanes that execute; operands likewise,
     * the answer is in `result`. */
    void (*access)(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction);
    /* Lookups likewise: sch_exec_run_lookup with operands in scratch. */
    void (*ask)(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction);
    /* FBFETCH, to `result`. */
    void (*pixels)(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction);

    /* EMIT or ENDPRIM by the lanes of the bits `lanes`; streams are in scratch[0][0]. */
    void (*stream)(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction, uint32_t lanes);
    /* INTERP_*: operands in x and y of scratch[1], the answer with all modifiers in `result`. */
    void (*interpolate)(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction);
};

/* A constant buffer that indexed operands read. */
enum { SCH_NATIVE_CONSTANTS = 32 };
struct sch_native_constants {
    const void *data;
    uint32_t registers[4]; /* by component: of how many registers it is wholly inside */
};

struct sch_native_state {
    const struct sch_native_runtime *runtime;
    struct sch_native_slot *slots; /* of the instructions that take some, in order */
    struct sch_native_view *views; /* of the instructions that have one, in order */
    struct sch_native_constants constants[SCH_NATIVE_CONSTANTS];

    /* Of rectangles whose code does what stands around groups: as its struct sch_native_frame lists them. */
    const struct sch_ops_plane *planes;
    const struct sch_exec_render_target *render_targets;

    /* What lives across a BARRIER and is no register: sch_native_kept_words(program) words, of each machine. Written
     * and read by code only; need not be cleared. NULL where that is 0. */
    uint32_t *kept;
};

/* native/spend.c */
bool sch_native_spend(struct sch_exec_machine *machine, const struct sch_exec_instruction *instruction, uint32_t alive,
                      uint32_t owed[SCH_GROUP_LANES]);

bool sch_native_renew(struct sch_exec_machine *machine);
bool sch_native_look(struct sch_exec_machine *machine, const struct sch_exec_instruction *first, uint32_t count,
                     uint32_t lanes);

/* The words of `kept` that belong to the group: masks, counters of the budget. */
enum { SCH_NATIVE_KEPT_GROUP = 8 + SCH_GROUP_LANES };

/* The words of `kept` that an instruction's construct takes: masks, the place to return to, a SWITCH's value. */
static inline size_t sch_native_kept_of(const struct sch_exec_instruction *instruction)
{
    const struct sch_op_info *info = sch_op_info(instruction->opcode);
    if (!(info->flags & SCH_OPF_OPENS)) return 0;
    return sch_op_construct(info) == SCH_CONSTRUCT_SWITCH ? 4 + SCH_GROUP_LANES : 4;
}

/* 0 of programs without BARRIER. */
static inline size_t sch_native_kept_words(const struct sch_exec_program *program)
{
    size_t words = SCH_NATIVE_KEPT_GROUP;
    for (uint32_t n = 0; n < program->instruction_count; n++) words += sch_native_kept_of(&program->instructions[n]);
    return program->memory.barriers ? words : 0;
}

#endif
