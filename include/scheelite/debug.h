/* Debugging shaders: a session stops a dispatch or a draw before an instruction of an invocation, shows the registers
 * in all 32 lanes of its group, steps forward and back, and runs to a breakpoint or an event.
 *
 * Example, with a context, a program and its invocations (dispatch.h):
 *
 *     static enum sch_result run(void *user, const struct sch_dispatch_options *options)
 *     {
 *         return sch_dispatch(program, NULL, user, options, NULL);
 *     }
 *
 *     struct sch_debug_options options = {.size = sizeof options, .run = run, .user = &invocations};
 *     struct sch_debug_go step = {.size = sizeof step, .step = SCH_DEBUG_STEP_INSTRUCTION};
 *     struct sch_debug_stop stop = {.size = sizeof stop};
 *     struct sch_debug *debug;
 *     if (sch_debug_create(context, &options, &debug) != SCH_OK) return 1;
 *     while (sch_debug_get_stop(debug, &stop) == SCH_OK && !stop.ended) {
 *         fprintf(stderr, "instruction %u, line %u, lanes %08x\n", stop.instruction, stop.line, stop.active);
 *         if (sch_debug_go(debug, &step) != SCH_OK) break;
 *     }
 *     sch_debug_destroy(debug);
 *
 * Debugging does not change what a shader computes. Whatever their engine, programs then run in the interpreter, on one
 * thread (those of SCH_ENGINE_MAXWELL by Maxwell's rules), with the same bits.
 *
 * Time. The session counts the instructions that the watched groups have executed since the run began; `time` n is the
 * moment before instruction n. Execution is deterministic, so a session can return to every moment: a step back runs
 * the group again from a kept snapshot, or the whole run from its beginning.
 *
 * A session watches the group of the invocation that it was made for. If groups of a work group wait for each other at
 * BARRIERs, it watches all of them: each runs to its next BARRIER before the next one does. */
#ifndef SCHEELITE_DEBUG_H
#define SCHEELITE_DEBUG_H

#include "dispatch.h"
#include "lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A session. One thread at a time may use it, except for sch_debug_interrupt; its run must not. */
struct sch_debug;

/* Makes the dispatches or draws of a session, with `options` for each of them; called in a thread of the library with 1
 * MiB of stack, once for each time that the session runs from the beginning. It must do the same every time: memory
 * that a run both writes and reads must be restored first (see `memory`). Its result is that of the run. */
typedef enum sch_result sch_debug_run(void *user, const struct sch_dispatch_options *options);

/* What a session looks at. */
struct sch_debug_options {
    size_t size;
    sch_debug_run *run;
    void *user;
    const struct sch_dispatch_options *options; /* optional: the session's own take the place of `threads`,
                                                   `deadline_ms` and `debug`; `cancel` ends the session's run */

    /* Which invocation: the first one, in the order in which groups run, of these stages (bits 1 << enum sch_stage; 0:
     * all), of dispatch or draw number `call` (counted from 1, including those that a condition prevents; 0: any), that
     * has the numbers named by place->parts (optional: any). `skip` such invocations are passed over. Invocations that
     * are helpers from their beginning do not count. */
    uint32_t stages, call;
    const struct sch_invocation_place *place;
    uint32_t skip;

    /* Memory and resources of the caller that the run writes. Before each run after the first, they are restored to
     * what they held when the session was made. The resources must live as long as the session. */
    const struct sch_storage_buffer *memory;
    uint32_t memory_count;
    struct sch_resource *const *resources;
    uint32_t resource_count;

    size_t kept_bytes;                        /* of kept snapshots; 0: 16 MiB */
    struct sch_diagnostics_list *diagnostics; /* optional: receives the reason of ARGUMENT */
};

/* Begins a run, which stops before the first instruction of the group of the invocation. If no group has it, the run
 * has ended (sch_debug_get_stop says with what). Errors: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_debug_create(struct sch_context *context, const struct sch_debug_options *options,
                                         struct sch_debug **debug);
/* Ends the run, which returns CANCELLED if it has not ended. Takes NULL. */
SCH_API void sch_debug_destroy(struct sch_debug *debug);

/* ---- where it stopped ---- */

/* Why a session stopped. */
enum sch_debug_reason {
    SCH_DEBUG_BEGIN = 0,     /* the group of the invocation begins */
    SCH_DEBUG_STEP = 1,      /* the step was made */
    SCH_DEBUG_EVENT = 2,     /* one of sch_debug_go.events, which `events` names */
    SCH_DEBUG_BREAK = 3,     /* breakpoint number `breakpoint` */
    SCH_DEBUG_GROUP_END = 4, /* the group is about to end: its registers are final */
    SCH_DEBUG_FAILED = 5,    /* the group has failed, at `instruction`, with `result` */
    SCH_DEBUG_INTERRUPTED = 6,
    SCH_DEBUG_RUN_END = 7 /* the run has returned `result` */
};

/* What instructions do. */
enum sch_debug_event {
    SCH_DEBUG_LOOKUP = 1 << 0,     /* before a texture lookup */
    SCH_DEBUG_MEMORY = 1 << 1,     /* before a LOAD, STORE, RESQ or ATOM*; before any access of Maxwell code */
    SCH_DEBUG_BARRIER = 1 << 2,    /* before a BARRIER, or a BAR.SYNC or BAR.RED */
    SCH_DEBUG_DIVERGENCE = 1 << 3, /* after a branch that only some of its lanes took */
    /* After an instruction that made an infinity or a NaN in a lane whose floating-point sources had none. In Maxwell
     * code, whose registers do not say what they hold, after arithmetic, conversions and lookups that give floats. */
    SCH_DEBUG_NOT_FINITE = 1 << 4
};
enum { SCH_DEBUG_EVENTS = (1 << 5) - 1 };

/* Where a session stopped. */
struct sch_debug_stop {
    size_t size;
    enum sch_debug_reason reason;
    uint32_t events;        /* EVENT: bits of enum sch_debug_event */
    uint32_t breakpoint;    /* BREAK */
    enum sch_result result; /* FAILED, RUN_END */
    bool ended;             /* the run has ended: there are no registers to read */

    uint64_t time;
    uint32_t instruction;          /* the next one; in a lowered shader */
    uint32_t line, column, offset; /* its place in the source: line and column, or byte */
    uint32_t previous;             /* the last instruction that the group executed; UINT32_MAX: none yet */
    enum sch_stage stage;
    uint32_t call;
    bool is_target;                    /* it is the invocation's group; otherwise one of the same work group */
    uint32_t lane;                     /* of the invocation */
    struct sch_invocation_place place; /* the invocation; its `size` is set by the library */

    /* Bits of lanes. */
    uint32_t present, helpers; /* that the group has; those whose results do not count */
    uint32_t active;           /* that execute the next instruction */
    uint32_t depth;            /* of open constructs: sch_debug_get_frame */
};

/* Fills in `*stop`. ARGUMENT if `size` is not set. */
SCH_API enum sch_result sch_debug_get_stop(const struct sch_debug *debug, struct sch_debug_stop *stop);

/* Which invocation lane `lane` (0 to 31) of the group is: `*place`. ARGUMENT: the run has ended, the group does not
 * have the lane, `size` is not set. */
SCH_API enum sch_result sch_debug_get_place(const struct sch_debug *debug, uint32_t lane,
                                            struct sch_invocation_place *place);

/* What an entry of the stack of Maxwell code waits for. */
enum sch_debug_entry {
    SCH_DEBUG_ENTRY_NONE = 0,     /* no Maxwell code */
    SCH_DEBUG_ENTRY_SYNC = 1,     /* pushed by SSY */
    SCH_DEBUG_ENTRY_BREAK = 2,    /* by PBK */
    SCH_DEBUG_ENTRY_CONTINUE = 3, /* by PCNT */
    SCH_DEBUG_ENTRY_CALL = 4,     /* by CAL or PRET */
    SCH_DEBUG_ENTRY_LONG = 5,     /* by PLONGJMP */
    SCH_DEBUG_ENTRY_DIVERGED = 6, /* by a branch that other lanes took: they continue at its target or after it */
    SCH_DEBUG_ENTRY_LANES = 7     /* by SAM: lanes that RAM makes active again */
};

/* An open construct, counted from 0, the outermost: where its lanes continue. Bits of lanes. In
 * Maxwell code it is an entry of the stack, whose `kind` is the construct that it is most like. */
struct sch_debug_frame {
    size_t size;
    enum sch_construct kind;
    uint32_t resume;  /* lanes that continue after it, or after the CAL */
    uint32_t waiting; /* IF: for the ELSE; LOOP: for the next iteration; SWITCH: lanes that have matched no label yet */
    uint32_t call;    /* SUB: the CAL's instruction; else UINT32_MAX */
    enum sch_debug_entry entry;
    uint32_t target; /* of Maxwell code: the instruction where `resume` continue; else UINT32_MAX */
};
/* Fills in `*frame`. ARGUMENT: there is no such construct, or `size` is not set. */
SCH_API enum sch_result sch_debug_get_frame(const struct sch_debug *debug, uint32_t number,
                                            struct sch_debug_frame *frame);

/* An instruction's place in the source, as in struct sch_debug_stop. Closed: no other member will come. */
struct sch_debug_position {
    uint32_t line, column, offset;
};
/* The place of instruction `number` of the group's shader; the number after the last is its END. False: there is no
 * such instruction, or the run has ended. */
SCH_API bool sch_debug_position_at(const struct sch_debug *debug, uint32_t number, struct sch_debug_position *position);

/* ---- moving ---- */

/* Steps are made in the group of the invocation; other groups stop at events and breakpoints only. */
enum sch_debug_step {
    SCH_DEBUG_RUN = 0,              /* to an event, a breakpoint, the end of the group */
    SCH_DEBUG_STEP_INSTRUCTION = 1, /* to the next instruction, also into subroutines */
    SCH_DEBUG_STEP_OVER = 2,        /* to the next one that is not in a subroutine called from here */
    SCH_DEBUG_STEP_OUT = 3,         /* past the innermost construct or subroutine */
    /* To the first instruction of another line of the source, past instructions without a line. */
    SCH_DEBUG_STEP_LINE = 4
};

/* How a session continues (sch_debug_go). */
struct sch_debug_go {
    size_t size;
    enum sch_debug_step step;
    bool back;       /* to the last such moment before this one, or to the first of the group */
    bool lane;       /* only instructions that the invocation itself executes count */
    uint32_t events; /* bits of enum sch_debug_event: stops there, too */
    uint32_t count;  /* steps; 0: 1. Breakpoints and events end them early */
};

/* Continues and waits for the next stop. SCH_OK: sch_debug_get_stop says where. If the run has ended, a step back
 * returns into it. Errors: ARGUMENT; MEMORY (for the thread of a new run). */
SCH_API enum sch_result sch_debug_go(struct sch_debug *debug, const struct sch_debug_go *go);
/* Goes to the moment `time`; after the last one the run has ended. Errors as sch_debug_go. */
SCH_API enum sch_result sch_debug_seek(struct sch_debug *debug, uint64_t time);
/* Makes a call of sch_debug_go or sch_debug_seek in another thread return soon: with INTERRUPTED, or with the end of
 * the run if no group was watched. Thread-safe. */
SCH_API void sch_debug_interrupt(struct sch_debug *debug);

/* ---- registers ---- */

/* A register of INPUT, OUTPUT, TEMPORARY, ADDRESS, SYSTEM_VALUE, CONSTANT or IMMEDIATE; of Maxwell code R (TEMPORARY)
 * or P (ADDRESS), whose words are in the first channel. Closed: no other member will come. */
struct sch_debug_register {
    enum sch_file file;
    uint32_t dimension; /* INPUT of several vertices: the vertex; CONSTANT: the buffer; else 0 */
    uint32_t index;
};

/* Register `position` of the group's program, counted from 0; only constants that operands name directly are listed.
 * False past the last. */
SCH_API bool sch_debug_register_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_register *found);

/* The words of a register's four channels in the 32 lanes. ARGUMENT: the program has no such register, or the run has
 * ended. Constants are read from what is bound, whether or not operands name them; 0 beyond the end. */
SCH_API enum sch_result sch_debug_read(const struct sch_debug *debug, const struct sch_debug_register *which,
                                       uint32_t words[4][32]);

/* The values of source `number` of the next instruction, counted from 0, after swizzle and modifiers. False: there
 * is no such source, it has no values (a sampler), or the run has ended. */
SCH_API bool sch_debug_read_source(const struct sch_debug *debug, uint32_t number, uint32_t words[4][32]);

/* What the last instruction of the group wrote: change `position`, counted from 0. */
struct sch_debug_change {
    size_t size;
    struct sch_debug_register which;
    uint32_t channels; /* bits */
    /* Bits: whose register was written. In tessellation control shaders other lanes may have written it, and registers
     * of the patch are written in all. */
    uint32_t lanes;
    uint32_t before[4][32]; /* what the channels had */
};
/* False past the last, and if `size` is not set. */
SCH_API bool sch_debug_change_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_change *change);

/* MEMORY, SHARED of the work group, and MEMORY, PRIVATE of a lane, until the session continues; NULL and 0 if the
 * program has none. */
SCH_API const void *sch_debug_shared_memory(const struct sch_debug *debug, size_t *bytes);
SCH_API const void *sch_debug_private_memory(const struct sch_debug *debug, uint32_t lane, size_t *bytes);

/* Memory that the group's program can reach, in pieces. */
enum sch_debug_piece_kind {
    SCH_DEBUG_PIECE_BUFFER = 0,    /* BUFFER[n], and RES[n] that are buffers */
    SCH_DEBUG_PIECE_COUNTERS = 1,  /* HWATOMIC[n] */
    SCH_DEBUG_PIECE_CONSTANTS = 2, /* CONSTBUF[n] */
    SCH_DEBUG_PIECE_IMAGE = 3,     /* IMAGE[n], and RES[n] that are writable textures: the level that is bound */
    SCH_DEBUG_PIECE_GLOBAL = 4,    /* MEMORY, GLOBAL */
    SCH_DEBUG_PIECE_INPUT = 5,     /* MEMORY, INPUT */
    SCH_DEBUG_PIECE_SHARED = 6,    /* MEMORY, SHARED of the work group */
    SCH_DEBUG_PIECE_PRIVATE = 7,   /* MEMORY, PRIVATE of lane n, and Maxwell's local memory */
    SCH_DEBUG_PIECE_RANGE = 8      /* range n of Maxwell's global memory, in the order of their addresses */
};

/* A piece, as it is until the session continues. */
struct sch_debug_piece {
    size_t size;
    enum sch_debug_piece_kind kind;
    uint32_t number; /* of the register, or the lane; else 0 */
    const void *data;
    uint64_t bytes;

    /* IMAGE: what its texels are, how many a row has, and how many bytes are between two rows, and between two layers,
     * slices or samples. Else NONE and 0. */
    enum sch_format format;
    uint32_t width, row_bytes;
    uint64_t slice_bytes;

    uint64_t address; /* RANGE: of its first byte; else 0 */
};
/* Piece `position`, counted from 0, of what is bound and of the group's own memory. False past the last, if `size` is
 * not set, and where the run has ended. */
SCH_API bool sch_debug_piece_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_piece *piece);

/* What an instruction accesses in a lane: `bytes` bytes from `byte` on, which may be past the piece's end. */
struct sch_debug_access {
    size_t size;
    enum sch_debug_piece_kind kind;
    uint32_t number; /* of the piece */
    uint64_t byte;
    uint32_t bytes;
    bool writes; /* it is not a LOAD */
};
/* The access of the next instruction. False: it accesses no piece in that lane, `size` is not set, or the run has
 * ended. */
SCH_API bool sch_debug_access_of(const struct sch_debug *debug, uint32_t lane, struct sch_debug_access *access);

/* The explanation of the texture lookup that was the group's last instruction, in a lane. ARGUMENT: that was not a
 * lookup of texels in that lane. Errors also: MEMORY, LIMIT. */
SCH_API enum sch_result sch_debug_explain(const struct sch_debug *debug, uint32_t lane,
                                          struct sch_explanation **explanation);

/* ---- Direct3D's own words ---- */

/* Direct3D shaders run as what they are lowered to (sch_shader_lower). An instruction may become several, which have
 * its line and column, or its byte, in the source: SCH_DEBUG_STEP_LINE steps over all of them. What the lowering adds
 * before the first one, and between phases, has line 0 and byte 0, which do not count as a line. */

enum { SCH_DEBUG_NAME_BYTES = 48 };
/* What Maxwell code calls a register, "R4" or "P0", and what a Direct3D shader calls one of the shader that it was
 * lowered to, as its listings do: "r0", "x3[7]",
 * "v1", "v[2][1]" (of vertex 2), "o0", "cb0[2]", "cb0,space1[2]", "vThreadID". Several registers may be parts of one.
 * False: the shader is neither, or Direct3D has no word for the register, because only the lowering uses it.
 * Thread-safe. */
SCH_API bool sch_debug_register_name(const struct sch_shader *lowered, const struct sch_debug_register *which,
                                     char name[SCH_DEBUG_NAME_BYTES]);

/* The instruction at a place of the source (struct sch_debug_stop) of a Direct3D shader that was not lowered, as a line
 * of a listing in the style SCH_LISTING_FXC_DUMP, without the line end. Free it with sch_free. Errors: ARGUMENT (there
 * is none, or it is not a Direct3D shader), MEMORY. Thread-safe. */
SCH_API enum sch_result sch_debug_print_at(const struct sch_shader *shader, uint32_t line, uint32_t column,
                                           uint32_t offset, char **text);

/* ---- breakpoints ---- */

/* What a breakpoint waits for. */
enum sch_debug_break {
    SCH_DEBUG_BREAK_INSTRUCTION = 0, /* before instruction `number` */
    SCH_DEBUG_BREAK_LINE = 1,        /* before the first instruction of line `number` that is reached */
    SCH_DEBUG_BREAK_WRITE = 2,       /* after an instruction that wrote channels of `which` */
    SCH_DEBUG_BREAK_MEMORY = 3,      /* after an instruction that changed one of `bytes` bytes at `memory` */
    SCH_DEBUG_BREAK_SHARED = 4       /* likewise, at byte `number` of MEMORY, SHARED */
};
/* How the words of a condition are compared. */
enum sch_debug_type { SCH_DEBUG_F32 = 0, SCH_DEBUG_I32 = 1, SCH_DEBUG_U32 = 2 };

/* A breakpoint, with its condition. Elements of an array with a stride. */
struct sch_debug_breakpoint {
    enum sch_debug_break kind;
    uint32_t number;
    struct sch_debug_register which; /* WRITE */
    uint32_t channels;               /* WRITE: bits; 0: all */
    const void *memory;
    size_t bytes;

    /* The breakpoint stops only if this holds: channel `channel` of `of` compared with `value`, in the lane of the
     * invocation, or in some active lane of the group. NONE: no condition. */
    enum sch_compare compare;
    struct sch_debug_register of;
    uint32_t channel, value; /* the bits of the value */
    enum sch_debug_type type;
    bool some_lane;
};

/* Evaluates a condition: whether `word` compares so with `value`, both of the type. For debuggers that have values of
 * their own. A NaN is unequal to everything, and fails all other comparisons. ALWAYS and NONE hold; an unknown type
 * counts as float, and an unknown comparison never holds. Thread-safe. */
SCH_API bool sch_debug_compare(enum sch_debug_type type, enum sch_compare compare, uint32_t word, uint32_t value);

/* Replaces all breakpoints by these; the elements are `stride` bytes apart. Errors: ARGUMENT (a kind, comparison, type
 * or channel that does not exist; more than 256; memory of no bytes or of more than 1 MiB), MEMORY. */
SCH_API enum sch_result sch_debug_set_breakpoints(struct sch_debug *debug, const struct sch_debug_breakpoint *list,
                                                  size_t stride, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
