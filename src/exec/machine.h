/* The state of one group of 32 lanes while it executes, and the steps that every handler shares: reading a source
 * channel, writing results under the mask, the budget. One machine belongs to one thread and runs group after group. */
#ifndef SCH_EXEC_MACHINE_H
#define SCH_EXEC_MACHINE_H

#include <stddef.h>
#include <string.h>

#include "abi/group.h"
#include "exec/program.h"

enum { SCH_STREAMS = 4 };

enum sch_frame_kind {
    SCH_FRAME_IF = SCH_CONSTRUCT_IF,
    SCH_FRAME_LOOP = SCH_CONSTRUCT_LOOP,
    SCH_FRAME_SWITCH = SCH_CONSTRUCT_SWITCH,
    SCH_FRAME_CALL = SCH_CONSTRUCT_SUB,
};

/* What an entry of the stack of Maxwell code waits for. */
enum sch_exec_entry {
    SCH_ENTRY_SYNC,     /* SSY */
    SCH_ENTRY_BREAK,    /* PBK */
    SCH_ENTRY_CONTINUE, /* PCNT */
    SCH_ENTRY_CALL,     /* CAL, PRET */
    SCH_ENTRY_LONG,     /* PLONGJMP */
    SCH_ENTRY_DIVERGED, /* lanes that a branch has left for later */
    SCH_ENTRY_LANES     /* SAM */
};

/* One open construct. A lane that leaves a construct early is taken out of the masks of every frame that it leaves, so
 * that a mask never holds a lane that cannot come back. */
struct sch_exec_frame {
    struct sch_lanes value; /* SWITCH: what is compared */
    uint32_t resume;        /* lanes that continue after the construct */
    uint32_t waiting;       /* IF: lanes for the ELSE; LOOP: for the next iteration; SWITCH: that found no label yet */
    uint32_t fallback;      /* SWITCH: lanes that no CASE matches */
    uint8_t kind;           /* enum sch_frame_kind */
    uint8_t entry;          /* of Maxwell code: enum sch_exec_entry */
    const struct sch_prepared_instruction *back; /* CALL: where to return to; of Maxwell code: where it continues */
};

/* What the lanes of a geometry shader have emitted so far. */
struct sch_exec_emission {
    uint32_t vertices[SCH_GROUP_LANES], events[SCH_GROUP_LANES];
    uint32_t most_vertices;     /* no lane has emitted more */
    uint32_t open[SCH_STREAMS]; /* bits: lanes whose primitive in the stream has a vertex */
};

/* What the lanes of a group did, where the caller asks. */
struct sch_exec_heat {
    struct sch_texture_trace trace;    /* of the lookup that runs */
    uint32_t samples[SCH_GROUP_LANES]; /* Maxwell code: of the textures that it reads */
    uint32_t texels[SCH_GROUP_LANES];
    float lods[SCH_GROUP_LANES];            /* the greatest */
    uint64_t instructions[SCH_GROUP_LANES]; /* exec/count.c, and of the group: */
    uint64_t group_slots, idle_slots;
    bool kept; /* the trace is that of the instruction: the observer clears it (exec/watch.h) */
};

/* A group in the row of work (exec/source.h). */
struct sch_exec_at {
    uint64_t unit;
    uint32_t group;
};

struct sch_exec_job;    /* exec/job.h */
struct sch_exec_source; /* exec/source.h */

struct sch_exec_machine {
    struct sch_group group; /* the first member: what machine code sees */
    struct sch_lanes mask;  /* exec as lanes of 0 or all ones, when mask_bits says so */
    uint32_t mask_bits;
    uint32_t started_helpers;
    uint32_t off; /* lanes that the group has, and that execute nothing */
    bool held;    /* it waits at a barrier that other groups have not come to (engine->meet) */
    bool quads;
    bool loaded;           /* a group was: what is the same for all groups is in the state */
    bool watched;          /* exec/watch.h */
    struct sch_exec_at at; /* of its group */
    const struct sch_exec_program *program;
    const struct sch_ops *ops;
    const struct sch_ops *lookups; /* whose texture lookups run: `ops`, or the traced ones */
    struct sch_exec_heat *heat;    /* NULL if not wanted */
    const struct sch_exec_bindings *bindings;
    struct sch_memory_view memory[SCH_MEMORY_KIND_COUNT]; /* MEMORY registers, by kind */

    void *engine_state; /* the engine's own */
    void *run_state;    /* the engine's too; of all machines of the run */
    void *code_state;   /* of machine code (src/native), likewise */
    void *code_run;

    const struct sch_exec_source *source; /* of its groups */
    void *place;                          /* the source's own */

    struct sch_exec_frame *frames;
    uint32_t depth;

    /* The budget; group.pending is not yet in `spent`. */
    uint64_t budget;
    uint64_t spent[SCH_GROUP_LANES]; /* all zero unless group.settled */
    uint64_t most_spent;             /* no lane has spent more */

    /* What ends the run early: see exec/stop.c. */
    const struct sch_exec_job *job;
    uint64_t work_end; /* the count at which the work is used up; UINT64_MAX: none */
    uint32_t part;     /* of the units, in their order */

    unsigned refused; /* UNSUPPORTED: the number of its diagnostic (src/isa/errors.def); 0: none */
    uint32_t failed_lane, failed_instruction;

    /* The destination that is being written: the registers that lanes name, as they did before it was written. */
    const struct sch_prepared_dst *named;
    int64_t numbers[SCH_GROUP_LANES];

    struct sch_exec_emission emission; /* the last member: of geometry shaders, those of others need not clear it */
};

static inline struct sch_exec_machine *sch_exec_machine_of(struct sch_group *group)
{
    return (struct sch_exec_machine *)((char *)group - offsetof(struct sch_exec_machine, group));
}

/* ---- exec/stop.c ---- */

/* How many instructions the interpreter executes between two looks at the clock and the flag; as how many a texture
 * lookup counts. */
enum { SCH_EXEC_LOOK_DISTANCE = 1 << 14, SCH_EXEC_LOOKUP_COST = 1 << 6 };

/* Looks at the clock and the flag, and at what was done of the units below. False: the run ends here, at the lowest
 * lane of `lanes`, before an instruction; where none executes it, at the group's first one. Otherwise no one has to for
 * `distance` instructions. */
bool sch_exec_look(struct sch_exec_machine *machine, uint32_t instruction, uint32_t lanes, uint32_t distance);

/* The count has come to `stop_at`: whether an instruction may be executed. False: the machine has failed. */
bool sch_exec_may_go_on(struct sch_exec_machine *machine, uint32_t instruction);

/* For code that counts `count` instructions, from `first` on, before it executes them: whether the work ends at one of
 * them. If so the machine has failed there, and has executed what is before it. */
bool sch_exec_run_out(struct sch_exec_machine *machine, uint32_t first, uint32_t count, uint32_t lanes);

/* What takes longer than other instructions brings the next look nearer. */
static inline void sch_exec_hasten(struct sch_exec_machine *machine, uint64_t instructions)
{
    machine->group.stop_at = machine->group.stop_at > instructions ? machine->group.stop_at - instructions : 0;
}

/* Makes memory of a group zero, looking now and then; false: the machine has failed. */
bool sch_exec_clear(struct sch_exec_machine *machine, uint8_t *memory, size_t bytes);

/* The slow ways of exec/operands.c. */
const struct sch_lanes *sch_exec_read(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                      unsigned channel, struct sch_lanes *scratch);
/* Channels of a destination follow each other, the lowest first: an instruction may write the register that indexes it,
 * and reads its number before (docs/semantics.md, "execution order destination source"). */
void sch_exec_scatter(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst, unsigned channel,
                      const struct sch_lanes *value);

/* exec/patch.c: outputs of a patch that other invocations see. */
const struct sch_lanes *sch_exec_patch_read(struct sch_exec_machine *machine, const struct sch_prepared_src *src,
                                            unsigned component, struct sch_lanes *scratch);
void sch_exec_patch_write(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst, unsigned channel,
                          const struct sch_lanes *value);

/* exec/stream.c: EMIT (`vertex`) and ENDPRIM of lanes, whose outputs are in the state. */
void sch_exec_stream(struct sch_exec_machine *machine, bool vertex, uint32_t lanes, const struct sch_lanes *streams);

/* The register number that a bracket names in each lane; `*uniform` when all lanes name `numbers[0]`. */
void sch_exec_resolve(const struct sch_exec_machine *machine, const struct sch_prepared_index *index,
                      int64_t numbers[SCH_GROUP_LANES], bool *uniform);

/* Channel `channel` (after the swizzle) of a source: a register in place, or `scratch` filled. */
static inline const struct sch_lanes *sch_exec_source(struct sch_exec_machine *machine,
                                                      const struct sch_prepared_src *src, unsigned channel,
                                                      struct sch_lanes *scratch)
{
    if (src->access == SCH_ACCESS_PLAIN && !src->modify)
        return machine->group.space[src->space] + src->channel[channel];
    return sch_exec_read(machine, src, channel, scratch);
}

/* The same of the instruction's source `s`, which has a place of its own in the machine's scratch. */
static inline const struct sch_lanes *sch_exec_operand(struct sch_exec_machine *machine,
                                                       const struct sch_prepared_instruction *in, unsigned s,
                                                       unsigned channel)
{
    return sch_exec_source(machine, &in->src[s], channel, &machine->group.scratch[s][channel]);
}

/* The execution mask as lanes. */
static inline const struct sch_lanes *sch_exec_mask(struct sch_exec_machine *machine)
{
    if (machine->mask_bits != machine->group.exec) {
        machine->ops->mask_lanes(&machine->mask, machine->group.exec);
        machine->mask_bits = machine->group.exec;
    }
    return &machine->mask;
}

/* Writes one channel of a destination in the lanes that execute. */
static inline void sch_exec_write(struct sch_exec_machine *machine, const struct sch_prepared_dst *dst,
                                  unsigned channel, const struct sch_lanes *value)
{
    if (dst->access == SCH_ACCESS_PLAIN) {
        struct sch_lanes *to = machine->group.space[SCH_SPACE_STATE] + dst->channel + channel;
        if (machine->group.exec == (uint32_t)SCH_ALL_LANES)
            memcpy(to, value, sizeof *to);
        else
            machine->ops->commit(to, value, sch_exec_mask(machine));
    } else if (dst->access == SCH_ACCESS_REGISTERS) {
        sch_exec_scatter(machine, dst, channel, value);
    } else if (dst->access == SCH_ACCESS_PATCH) {
        sch_exec_patch_write(machine, dst, channel, value);
    }
}

/* Charges the executing lanes one step of their budget. Helpers that are out of budget end; when another lane is, the
 * machine fails and the result is false. */
bool sch_exec_spend(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction);

/* exec/alu.c: the handler of an arithmetic shape. */
sch_exec_handler *sch_exec_arithmetic(const struct sch_prepared_instruction *instruction, enum sch_op_shape shape);

/* exec/memory.c: the handler of the ATOM* opcodes. */
sch_exec_handler sch_exec_atomic;

/* exec/interpolate.c: INTERP_* of all lanes, with modifiers: to result[c] of the machine for each written channel c.
 * `operand`: lanes of the second source, x of INTERP_SAMPLE, x and y of INTERP_OFFSET. */
void sch_exec_interpolate(struct sch_exec_machine *machine, const struct sch_prepared_instruction *instruction,
                          const struct sch_lanes *const operand[2]);

/* Writes word `from[c]` of machine->group.result to each written channel c; the next instruction. */
const struct sch_prepared_instruction *sch_exec_finish(struct sch_exec_machine *machine,
                                                       const struct sch_prepared_instruction *instruction,
                                                       const uint8_t from[4]);

#endif
