/* Looking on while shaders run: a session stops a dispatch or a draw before an instruction of an invocation, shows its
 * registers in all 32 lanes of its group, steps forward and back, and runs to what is looked for.
 *
 *     static enum sch_result run(void *user, const struct sch_dispatch_options *options)
 *     {
 *         struct mine *mine = user;
 *         return sch_dispatch(mine->program, &mine->bindings, &mine->invocations, options, NULL);
 *     }
 *     ...
 *     const struct sch_debug_options options = {.size = sizeof options, .run = run, .user = &mine};
 *     struct sch_debug_stop stop = {.size = sizeof stop};
 *     const struct sch_debug_go step = {.size = sizeof step, .step = SCH_DEBUG_STEP_INSTRUCTION};
 *     sch_debug_create(context, &options, &debug);
 *     while (sch_debug_go(debug, &step) == SCH_OK && sch_debug_get_stop(debug, &stop) == SCH_OK && !stop.ended) ...
 *
 * What a shader computes does not depend on being looked at. Programs run by the interpreter then, whatever their
 * engine is (those of SCH_ENGINE_MAXWELL by Maxwell's rules), on one thread: equal bits, also in the same order.
 *
 * Time. The session counts the instructions that the groups at which it looks have executed since the run began; `time`
 * n is the moment before instruction n. Execution is deterministic, so every moment can be had again: steps back run
 * the group again from a moment that was kept, or the whole run from its beginning.
 *
 * The groups at which a session looks are that of the invocation that it was made for, and those that share its work
 * group, if they wait for each other at BARRIERs: each goes on to its next BARRIER before the next one does. */
#ifndef SCHEELITE_DEBUG_H
#define SCHEELITE_DEBUG_H

#include "dispatch.h"
#include "lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A session. One thread at a time may use it, except for sch_debug_interrupt; its run must not. */
struct sch_debug;

/* Makes the dispatches or draws of a session, with `options` for each of them; called in a thread of the library of
 * 1 MiB of stack, again whenever the session begins anew. It must do the same every time: what a run has written, and
 * reads, is to be put back first (see `memory`). Its result is that of the run. */
typedef enum sch_result sch_debug_run(void *user, const struct sch_dispatch_options *options);

/* What a session looks at. */
struct sch_debug_options {
    size_t size;
    sch_debug_run *run;
    void *user;
    const struct sch_dispatch_options *options; /* optional: the session's own take the place of `threads`, `cancel`,
                                                   `deadline_ms` and `debug` */

    /* Which invocation: the first one, in the order in which groups run, that is of these stages (bits 1 << enum
     * sch_stage; 0: all), of dispatch or draw number `call` (counted from 1, those that a condition prevents too; 0: of
     * any), and that has the numbers which place->parts says (optional: any); or the one behind `skip` of those. An
     * invocation that is only a helper from its beginning is none. */
    uint32_t stages, call;
    const struct sch_invocation_place *place;
    uint32_t skip;

    /* Memory and resources of the caller that the run writes. They are put back as they were when the session was made,
     * before each run but the first one. The resources must live as long as the session. */
    const struct sch_storage_buffer *memory;
    uint32_t memory_count;
    struct sch_resource *const *resources;
    uint32_t resource_count;

    size_t kept_bytes;                        /* of moments that are kept; 0: 16 MiB */
    struct sch_diagnostics_list *diagnostics; /* optional: receives the reason of ARGUMENT */
};

/* Begins a run, which stops before the first instruction of the group of the invocation. If no group has it, the run
 * has ended (sch_debug_get_stop says with what). Errors: ARGUMENT, MEMORY, LIMIT. */
SCH_API enum sch_result sch_debug_create(struct sch_context *context, const struct sch_debug_options *options,
                                         struct sch_debug **debug);
/* Ends the run, which returns CANCELLED if it has not ended. Takes NULL. */
SCH_API void sch_debug_destroy(struct sch_debug *debug);

/* ---- where it stands ---- */

/* Why a session stopped. */
enum sch_debug_reason {
    SCH_DEBUG_BEGIN = 0,     /* the group of the invocation begins */
    SCH_DEBUG_STEP = 1,      /* the step was made */
    SCH_DEBUG_EVENT = 2,     /* one of struct sch_debug_go's `events`: which ones `events` says */
    SCH_DEBUG_BREAK = 3,     /* breakpoint number `breakpoint` */
    SCH_DEBUG_GROUP_END = 4, /* the group is about to end: its registers are final */
    SCH_DEBUG_FAILED = 5,    /* the group has failed, at `instruction`: `result` says with what */
    SCH_DEBUG_INTERRUPTED = 6,
    SCH_DEBUG_RUN_END = 7 /* the run has returned `result` */
};

/* What instructions do. */
enum sch_debug_event {
    SCH_DEBUG_LOOKUP = 1 << 0,     /* before a texture lookup */
    SCH_DEBUG_MEMORY = 1 << 1,     /* before a LOAD, STORE, RESQ or ATOM* */
    SCH_DEBUG_BARRIER = 1 << 2,    /* before a BARRIER */
    SCH_DEBUG_DIVERGENCE = 1 << 3, /* behind a branch that some of its lanes took and others did not */
    /* Behind an instruction that made an infinity or a NaN in a lane whose floating-point sources had none. */
    SCH_DEBUG_NOT_FINITE = 1 << 4
};
enum { SCH_DEBUG_EVENTS = (1 << 5) - 1 };

/* Where a session stands. */
struct sch_debug_stop {
    size_t size;
    enum sch_debug_reason reason;
    uint32_t events;        /* EVENT: bits of enum sch_debug_event */
    uint32_t breakpoint;    /* BREAK */
    enum sch_result result; /* FAILED, RUN_END */
    bool ended;             /* the run has: there is nothing to look at */

    uint64_t time;
    uint32_t instruction;          /* that comes next; in a lowered shader */
    uint32_t line, column, offset; /* of it in the source: a line and column, or a byte */
    uint32_t previous;             /* the instruction that the group has executed last; UINT32_MAX: none yet */
    enum sch_stage stage;
    uint32_t call;
    bool is_target;                    /* the group is the one of the invocation; otherwise of the same work group */
    uint32_t lane;                     /* of the invocation */
    struct sch_invocation_place place; /* the invocation; its `size` is set by the library */

    /* Bits of lanes. */
    uint32_t present, helpers; /* that the group has; of them those whose results do not count (any more) */
    uint32_t active;           /* that execute the next instruction */
    uint32_t depth;            /* of open constructs: sch_debug_get_frame */
};

/* Fills in `*stop`. ARGUMENT if `size` is not set. */
SCH_API enum sch_result sch_debug_get_stop(const struct sch_debug *debug, struct sch_debug_stop *stop);

/* Which invocation lane `lane` (0 to 31) of the group is: `*place`. ARGUMENT: the run has ended, the group does not
 * have the lane, `size` is not set. */
SCH_API enum sch_result sch_debug_get_place(const struct sch_debug *debug, uint32_t lane,
                                            struct sch_invocation_place *place);

/* An open construct, from 0, the outermost, on: where its lanes go on. Bits of lanes. */
struct sch_debug_frame {
    size_t size;
    enum sch_construct kind;
    uint32_t resume;  /* lanes that go on behind it, or behind the CAL */
    uint32_t waiting; /* IF: for the ELSE; LOOP: for the next iteration; SWITCH: that have met no label yet */
    uint32_t call;    /* SUB: the CAL's instruction; else UINT32_MAX */
};
/* Fills in `*frame`. ARGUMENT: there is no such construct, or `size` is not set. */
SCH_API enum sch_result sch_debug_get_frame(const struct sch_debug *debug, uint32_t number,
                                            struct sch_debug_frame *frame);

/* Where in the source an instruction stands, as in struct sch_debug_stop. Closed: no other member will come. */
struct sch_debug_position {
    uint32_t line, column, offset;
};
/* That of instruction `number` of the group's shader, which has one behind the last, too, its END. False: there is no
 * such instruction, or the run has ended. */
SCH_API bool sch_debug_position_at(const struct sch_debug *debug, uint32_t number, struct sch_debug_position *position);

/* ---- moving ---- */

/* Steps are made in the group of the invocation; other groups stop at events and breakpoints only. */
enum sch_debug_step {
    SCH_DEBUG_RUN = 0,              /* to an event, a breakpoint, the end of the group */
    SCH_DEBUG_STEP_INSTRUCTION = 1, /* to the next instruction, also into subroutines */
    SCH_DEBUG_STEP_OVER = 2,        /* to the next one that is not in a subroutine called from here */
    SCH_DEBUG_STEP_OUT = 3,         /* behind the innermost construct or subroutine */
    /* To the first instruction of another line of the source; past those that stand nowhere in it. */
    SCH_DEBUG_STEP_LINE = 4
};

/* How a session goes on. */
struct sch_debug_go {
    size_t size;
    enum sch_debug_step step;
    bool back;       /* to the last such moment before this one; if there is none, to the first of the group */
    bool lane;       /* only instructions that the invocation itself executes count */
    uint32_t events; /* bits of enum sch_debug_event: stops there, too */
    uint32_t count;  /* steps; 0: 1. Breakpoints and events end them early */
};

/* Goes on and waits for the next stop. SCH_OK: sch_debug_get_stop says where. Where the run has ended steps back lead
 * into it again. Errors: ARGUMENT; MEMORY (the thread of a run that begins anew). */
SCH_API enum sch_result sch_debug_go(struct sch_debug *debug, const struct sch_debug_go *go);
/* To the moment `time`; behind the last one the run has ended. Errors as sch_debug_go. */
SCH_API enum sch_result sch_debug_seek(struct sch_debug *debug, uint64_t time);
/* Has a call of sch_debug_go or sch_debug_seek that runs in another thread return soon: with INTERRUPTED, or with the
 * end of the run where no group was looked at. Thread-safe. */
SCH_API void sch_debug_interrupt(struct sch_debug *debug);

/* ---- registers ---- */

/* A register of INPUT, OUTPUT, TEMPORARY, ADDRESS, SYSTEM_VALUE, CONSTANT or IMMEDIATE; of Maxwell code R (TEMPORARY)
 * or P (ADDRESS), whose words are in the first channel. Closed: no other member will come. */
struct sch_debug_register {
    enum sch_file file;
    uint32_t dimension; /* INPUT of several vertices: the vertex; CONSTANT: the buffer; else 0 */
    uint32_t index;
};

/* Register `position` of those that the program has in its group, counted from 0; constants are those that operands
 * name directly. False past the last. */
SCH_API bool sch_debug_register_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_register *found);

/* The words of a register's four channels in the 32 lanes. ARGUMENT: the program has no such register, or the run has
 * ended. Constants are read from what is bound, whether or not operands name them; 0 beyond the end. */
SCH_API enum sch_result sch_debug_read(const struct sch_debug *debug, const struct sch_debug_register *which,
                                       uint32_t words[4][32]);

/* The values of source `number` of the next instruction, counted from 0, after swizzle and modifiers. What operands
 * name that are no values, such as samplers, has none. False: there is no such source, or the run has ended. */
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

/* MEMORY, SHARED of the work group, and MEMORY, PRIVATE of a lane, until the session goes on; NULL and 0 where the
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
    SCH_DEBUG_PIECE_PRIVATE = 7    /* MEMORY, PRIVATE of lane n */
};

/* A piece, as it is until the session goes on. */
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
};
/* Piece `position`, counted from 0, of what is bound and of the group's own memory. False past the last, if `size` is
 * not set, and where the run has ended. */
SCH_API bool sch_debug_piece_at(const struct sch_debug *debug, uint32_t position, struct sch_debug_piece *piece);

/* What an instruction accesses in a lane: `bytes` bytes from `byte` on, which may be behind the piece's end. */
struct sch_debug_access {
    size_t size;
    enum sch_debug_piece_kind kind;
    uint32_t number; /* of the piece */
    uint64_t byte;
    uint32_t bytes;
    bool writes; /* it is no LOAD */
};
/* The access of the next instruction. False: it is none to such a piece in that lane, `size` is not set, or the run has
 * ended. */
SCH_API bool sch_debug_access_of(const struct sch_debug *debug, uint32_t lane, struct sch_debug_access *access);

/* The explanation of the texture lookup that the group has executed last, as its last instruction, in a lane. ARGUMENT:
 * it was no lookup of texels in that lane. Errors also: MEMORY, LIMIT. */
SCH_API enum sch_result sch_debug_explain(const struct sch_debug *debug, uint32_t lane,
                                          struct sch_explanation **explanation);

/* ---- Direct3D's own words ---- */

/* Direct3D shaders run as what they are lowered to (sch_shader_lower). An instruction may become several, which have
 * its line and column, or its byte, in the source: SCH_DEBUG_STEP_LINE goes over all of them. What the lowering adds
 * before the first one, and between phases, has line 0 and byte 0, and is no line. */

enum { SCH_DEBUG_NAME_BYTES = 48 };
/* What Maxwell code calls a register, "R4" or "P0", and what a Direct3D shader calls one of the shader that it was
 * lowered to, as its listings do: "r0", "x3[7]",
 * "v1", "v[2][1]" (of vertex 2), "o0", "cb0[2]", "cb0,space1[2]", "vThreadID". Several registers may be parts of one.
 * False: the shader is neither, or Direct3D has no word for the register, which holds what the lowering needs
 * between two instructions. Thread-safe. */
SCH_API bool sch_debug_register_name(const struct sch_shader *lowered, const struct sch_debug_register *which,
                                     char name[SCH_DEBUG_NAME_BYTES]);

/* The instruction of a Direct3D shader, not lowered, that stands at a place of its source (struct sch_debug_stop), as a
 * line of a listing of the style SCH_LISTING_FXC_DUMP, without the end of the line. Free it with sch_free. Errors:
 * ARGUMENT (there is none, or the shader is no Direct3D shader), MEMORY. Thread-safe. */
SCH_API enum sch_result sch_debug_print_at(const struct sch_shader *shader, uint32_t line, uint32_t column,
                                           uint32_t offset, char **text);

/* ---- breakpoints ---- */

/* What a breakpoint waits for. */
enum sch_debug_break {
    SCH_DEBUG_BREAK_INSTRUCTION = 0, /* before instruction `number` */
    SCH_DEBUG_BREAK_LINE = 1,        /* before the first instruction of line `number` that is come to */
    SCH_DEBUG_BREAK_WRITE = 2,       /* behind an instruction that wrote channels of `which` */
    SCH_DEBUG_BREAK_MEMORY = 3,      /* behind an instruction that changed one of `bytes` bytes at `memory` */
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

    /* Stops only where it holds: channel `channel` of `of` compared with `value`, in the lane of the invocation, or in
     * some active lane of the group. NONE: there is no condition. */
    enum sch_compare compare;
    struct sch_debug_register of;
    uint32_t channel, value; /* the bits of the value */
    enum sch_debug_type type;
    bool some_lane;
};

/* Whether `word` compares so with `value`, both of the type: what a condition asks in a lane, for debuggers of what is
 * no session. A NaN is unequal to everything, and nothing else of it holds. ALWAYS and NONE hold; a type that does not
 * exist is a float, a comparison that does not never holds. From any thread. */
SCH_API bool sch_debug_compare(enum sch_debug_type type, enum sch_compare compare, uint32_t word, uint32_t value);

/* Puts these breakpoints in the place of all others; the elements are `stride` bytes apart. Errors: ARGUMENT (a kind,
 * comparison, type or channel that does not exist; more than 256; memory of no bytes or of more than 1 MiB), MEMORY. */
SCH_API enum sch_result sch_debug_set_breakpoints(struct sch_debug *debug, const struct sch_debug_breakpoint *list,
                                                  size_t stride, uint32_t count);

#ifdef __cplusplus
}
#endif
#endif
