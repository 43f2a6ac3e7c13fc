/* The contract of machine code and the interpreter: the state of a group that both read or write while it runs, and
 * the functions that code calls, as it refers to nothing outside of itself. Instructions are here as their numbers in
 * the program. Holds nothing that only one of them touches: what else the interpreter has is after it in struct
 * sch_exec_machine (exec/machine.h). */
#ifndef SCH_ABI_GROUP_H
#define SCH_ABI_GROUP_H

#include <stdbool.h>
#include <stddef.h>

#include <scheelite/types.h>

#include "abi/lanes.h"
#include "abi/memory.h"
#include "abi/texture.h"

struct sch_group;
struct sch_tile_group;
struct sch_fragment_values;

/* ---- what instructions find in arrays of the group ---- */

/* One texture lookup, as the bindings of the run decide it. What is not bound, or of another shape, has functions that
 * return zeros. Exactly one of the functions is there, of queries none; it takes the other members as they are
 * (docs/texture.md says what a lookup means). */
struct sch_group_slot {
    sch_sample_fn *_Atomic sample;     /* of the kinds SAMPLE, PROJECT, GATHER, LOD */
    sch_fetch_fn *_Atomic fetch;       /* of the kinds FETCH, FETCH_MS, and LOADs of images */
    sch_image_store_fn *_Atomic store; /* of STOREs of images */
    const struct sch_sampler_key *key;
    const struct sch_sampler_values *values;
    const struct sch_texture *texture;
};

/* What a LOAD, STORE, ATOM* or RESQ accesses whose resource is known before the program runs. */
struct sch_group_view {
    struct sch_memory_view view; /* empty of textures */
    /* Bytes that may be read and written by vectors, at most 2^32, so that no place beyond them is an address. 0 where
     * lanes have memory of their own, or nothing is writable. Other threads may do it too: code reads and writes whole
     * words. */
    uint64_t readable, storable;
    uint64_t writable; /* bytes that may be written word by word */
    uint8_t shift;     /* log2 of the bytes of an address unit; a constant of the program */
    uint32_t sizes[4]; /* that RESQ returns */
};

/* A constant buffer that indexed operands read. */
enum { SCH_GROUP_CONSTANTS = 32 };
struct sch_group_constants {
    const void *data;
    uint32_t registers[4]; /* by component: of how many registers it is wholly inside */
};

/* What an instruction of Maxwell code has accessed: a range of global memory, the shared or the local memory, a bank of
 * constants. */
struct sch_group_spot {
    uint64_t address;    /* of the first byte */
    uint32_t readable;   /* bytes that vectors may read, writable; no more than 2^31 */
    uint32_t storable;   /* and write */
    uint32_t lane_bytes; /* from one lane's memory to the next; 0: all lanes share it */
    uint8_t *data;
};

/* ---- spans ---- */

/* A number that changes linearly over pixels: the sum value[0] + x * value[1] + y * value[2], each step fused, x first,
 * divided by the same sum of `divisor`, or times `scale` where that is the same. THREAD and WORK_GROUP have no numbers:
 * they are x of THREAD_ID and of BLOCK_ID. */
enum sch_plane_division { SCH_PLANE_DIVIDED, SCH_PLANE_SCALED, SCH_PLANE_THREAD, SCH_PLANE_WORK_GROUP };
struct sch_group_plane {
    float value[3], divisor[3], scale;
    uint8_t division; /* enum sch_plane_division */
};

/* Where pixels of a colour go. */
struct sch_group_target {
    uint8_t *pixels;
    size_t row_bytes;
};

/* Groups of pixels that each are 8 quads of one row, all lanes present: rows of groups side by side. Or groups of
 * fragments, one after the other (abi/fragment.h): one row. Or groups of a grid whose work groups are rows of threads:
 * each row is of one work group. With BARRIERs a row is a whole work group, and each group of it has a struct sch_group
 * of its own, of which code has the first. */
struct sch_group_span {
    uint32_t x, y;         /* the pixel of the first group's first lane, or its thread and work group */
    uint32_t groups, rows; /* in a row, below each other; at least one */
    uint64_t runs;         /* how often the program runs: for each group, or each block that one stands for */
    uint64_t row_step;     /* from an invocation to the same one of the group below */
    uint64_t done;         /* groups that have run to their end, row by row; with BARRIERs that come before it */
    uint64_t group_bytes;  /* with BARRIERs: from a struct sch_group to the next */
    bool parted;           /* groups of the row after `done` wait at different BARRIERs, or have ended */
    struct sch_tile_group *fragments; /* those of the groups; NULL: pixels */
    const struct sch_fragment_values *values;
};

/* ---- what code calls ---- */

/* What `spend` leaves unbooked of each lane that executes: the step that it was called for. */
enum { SCH_GROUP_UNBOOKED = 1 };

struct sch_group_runtime {
    /* The slow way of the budget: charges the lanes `exec` one step, for an instruction. `owed` has what each lane has
     * spent that was not booked yet, and gets what is not booked afterwards: `alive` are the lanes that may come back.
     * `executed` is up to date; where it is at `limit`, or beyond, code must come here again. False: the group has
     * failed. */
    bool (*spend)(struct sch_group *group, uint32_t instruction, uint32_t alive, uint32_t owed[SCH_GROUP_LANES]);

    /* A group of a span begins: no lane has spent anything. Called where `settled` says that some did, or `executed`
     * is at `stop_at`. False: the group has failed. */
    bool (*renew)(struct sch_group *group);

    /* A work group of a span with BARRIERs begins: its shared memory is cleared. False: the group has failed. */
    bool (*begin_work_group)(struct sch_group *group);

    /* `executed` counts `count` instructions from `first` on that the lanes of the bits `lanes` are to execute next,
     * and is beyond what code may count. `limit` is then how far it may. False: the group has failed, at one of them,
     * and `executed` is what it has executed. */
    bool (*look)(struct sch_group *group, uint32_t first, uint32_t count, uint32_t lanes);

    /* An instruction as the interpreter has it, by the lanes `exec`, whose registers are in the state; what it says
     * about where to continue is lost. For those that fail. */
    void (*interpret)(struct sch_group *group, uint32_t instruction);

    /* Accesses that are not simple, by the lanes of the bits `lanes`. Addresses are in scratch[0][0], values to store
     * in scratch[1], operands of atomics in x of scratch[2] and scratch[3]; what is read goes to `result`, of which the
     * other lanes are undefined after load and 0 after update. */
    void (*load)(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes, uint32_t components);
    void (*store)(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes, uint32_t components);
    void (*update)(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes, uint32_t instruction);

    /* One channel of an instruction's source whose place is known only now, with its modifiers. */
    const struct sch_lanes *(*source)(struct sch_group *group, uint32_t instruction, uint32_t source, uint32_t channel);
    /* One channel of a destination likewise: result[0], by the lanes that execute. */
    void (*write)(struct sch_group *group, uint32_t instruction, uint32_t destination, uint32_t channel);

    /* The result of a texture query whose level or sample is in scratch[0][0], in `result`. */
    void (*query)(struct sch_group *group, const struct sch_group_slot *slot, uint32_t instruction);
    /* ATOM* of a view's texture: the address is in scratch[0], operands as above. */
    void (*update_texels)(struct sch_group *group, const struct sch_group_view *view, uint32_t lanes,
                          uint32_t instruction);
    /* LOAD, STORE, RESQ and ATOM* of whatever registers or handles name, by the lanes that execute; operands likewise,
     * it is in `result`. */
    void (*access)(struct sch_group *group, uint32_t instruction);
    /* Texture lookups likewise. */
    void (*lookup)(struct sch_group *group, uint32_t instruction);
    /* FBFETCH, to `result`. */
    void (*pixels)(struct sch_group *group, uint32_t instruction);

    /* Maxwell code leaves instructions to handlers, which take all from the group and the state; `executed` is up to
     * date. `single` runs one instruction that is not of control flow, `several` runs some in a row and counts them;
     * false: the group has failed. `proceed` runs instructions from one on, until one begins a block; ENDED: the group
     * has ended, waits or has failed. */
    bool (*single)(struct sch_group *group, uint32_t instruction);
    bool (*several)(struct sch_group *group, uint32_t first, uint32_t count);
    uint32_t (*proceed)(struct sch_group *group, uint32_t instruction);

    /* EMIT or ENDPRIM by the lanes of the bits `lanes`; streams are in scratch[0][0]. */
    void (*stream)(struct sch_group *group, uint32_t instruction, uint32_t lanes);
    /* INTERP_*: operands in x and y of scratch[1], the value with all modifiers in `result`. */
    void (*interpolate)(struct sch_group *group, uint32_t instruction);
};

/* ---- the group ---- */

/* Steps of the budget that code may count before it books them: it counts those of a lane in floats. How many
 * instructions it executes between two looks at the clock and the flag; the few that take it far longer than any other
 * count as more. */
enum { SCH_GROUP_MOST_STEPS = (1 << 24) - 16, SCH_GROUP_LOOK_DISTANCE = 1 << 13 };

#define SCH_GROUP_ENDED UINT32_MAX

struct sch_group {
    uint32_t exec;    /* lanes that execute */
    uint32_t present; /* lanes that the group has */
    uint32_t helpers; /* lanes whose results do not count: from the start, killed, demoted */

    /* The instruction where it begins; afterwards where it continues after the BARRIER that it waits at, ENDED when it
     * has ended. */
    uint32_t at;
    uint64_t first; /* the invocation of lane 0 */
    uint32_t input_vertices;
    bool concurrent; /* other threads write the caller's memory while this group runs */
    bool settled;    /* spent steps of the budget are booked */
    enum sch_result failure;

    uint64_t executed;        /* instructions, over all groups of this thread */
    uint64_t executed_before; /* when the present group began */
    uint64_t stop_at;         /* before `executed` passes it somebody must look whether the run is to end */
    uint64_t limit;           /* the count up to which code need not call; the functions that it calls set it */
    uint64_t first_room;      /* steps of the budget that code may count when a group begins... */
    uint64_t budget_end;      /* ...and the count up to which no lane can be without: each step is an instruction */

    /* The budget as handlers count it: `pending` steps of the lanes `payers` are not booked yet, and `room` of them may
     * be made before one of them is out of budget. */
    uint64_t pending, room;
    uint32_t payers;

    struct sch_lanes *space[SCH_SPACE_COUNT];
    const struct sch_group_runtime *runtime;
    struct sch_group_slot *slots; /* of the instructions that take some, in order */
    struct sch_group_view *views; /* of the instructions that have one, in order */

    struct sch_group_spot *spots;   /* of the accesses of Maxwell code, in order */
    const uint32_t *constant_words; /* that its operands name, in order */

    /* The planes and targets of the span that code runs, in the order given when it was made. */
    const struct sch_group_plane *planes;
    const struct sch_group_target *targets;

    struct sch_texel_tiles *tiles; /* of lookups of compressed blocks; NULL where no view has such texels */
    uint64_t left_lookups;         /* those that code of spans left to the functions of slots: it adds, others take */

    /* What lives across a BARRIER and is not a register. Written and read by code only; need not be cleared. NULL where
     * a program has none. */
    uint32_t *kept;

    /* Set where operands choose constants by number. */
    struct sch_group_constants constants[SCH_GROUP_CONSTANTS]; /* need not be cleared, nor what follows */
    struct sch_lanes result[8];
    struct sch_lanes scratch[SCH_MAX_SRCS][4];
};

#endif
