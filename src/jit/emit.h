/* The state of making the code of one program, and what the parts of the emitter offer each other. The code means what
 * the interpreter does, instruction by instruction (exec/control.c, exec/alu.c): a register's channel is so many
 * vectors, the masks are 32-bit values, and the frames of open constructs are variables, as no construct is open twice
 * at once. */
#ifndef SCH_JIT_EMIT_H
#define SCH_JIT_EMIT_H

#include <string.h>

#include "abi/group.h"
#include "base/arena.h"
#include "ir/analysis.h"
#include "jit/module.h"
#include "jit/shapes.h"
#include "protocol/slots.h"

enum { JIT_MAX_VECTORS = SCH_GROUP_LANES / 4, JIT_MASK_PARTS = 2 };

/* One channel of the group. */
struct jit_value {
    LLVMValueRef part[JIT_MAX_VECTORS]; /* of emitter->vectors vectors of 32-bit integers */
};

/* A set of lanes: one 32-bit word, or, where the processor has mask registers, bits of each vector. Also the variables
 * of one. */
struct jit_mask {
    LLVMValueRef part[JIT_MASK_PARTS]; /* of emitter->mask_parts */
};

/* A construct of the program, in the order of struct sch_ir_flow; its frame while it is open. */
struct jit_construct {
    const struct sch_ir_construct *is;
    bool left;    /* lanes may leave it, or end, otherwise than by its end */
    bool exits;   /* not the same way for all lanes; IF BRK ENDIF or IF CONT ENDIF: one block */
    bool tracked; /* a loop whose lanes are also followed as `bits`, a variable... */
    LLVMValueRef bits;
    LLVMValueRef followed[JIT_MAX_VECTORS]; /* ...and, with AVX2, as variables of 0 or all ones in each lane; or NULL */
    struct jit_mask resume, waiting, fallback; /* variables; see struct sch_exec_frame */
    LLVMValueRef site;                         /* a variable: which CAL opened it */
    LLVMValueRef value[JIT_MAX_VECTORS];       /* SWITCH: variables */
    LLVMBasicBlockRef behind;                  /* BGNLOOP: where the loop's lanes join; NULL: not made yet */
    LLVMValueRef back;                         /* BGNSUB: the switch that returns */
    LLVMBasicBlockRef entrance;                /* and, in quick code, what precedes it; NULL: not made yet */
    uint32_t sites;
};

/* What is known about a program before code is made: jit/plan.c. */
struct jit_plan {
    struct jit_construct *constructs;
    size_t count; /* of instructions, the END too */
    bool *starts; /* by instruction: a block begins */
    struct sch_ir_liveness liveness;
    struct sch_ir_uniformity uniformity;
    struct sch_ir_steps steps; /* empty where registers are in the group's memory */
    bool *looks;               /* by instruction: a block begins at which code looks at its limit */
    bool watches;              /* code has a limit */
    bool spends;               /* loops or calls count against the budget */
    bool owes;                 /* lanes that make a step may have made different numbers of them before */
    uint32_t accesses;         /* LOAD and STORE of memory, not of images */
    size_t indexed;            /* channels of registers that are chosen by registers: jit_indexed_channels */
};

struct jit_lookups;
struct jit_bitcode;
struct jit_indexed;
struct jit_span;

struct jit_emitter {
    struct jit_module *module;
    const struct sch_prepared *program;
    const struct sch_ir_flow *flow; /* the program's */
    const struct sch_native_program_request *request;
    struct sch_arena arena;
    struct jit_plan plan;
    enum sch_result status; /* the first failure */

    unsigned lanes, vectors, mask_parts;
    bool has_avx2_masks; /* bits of lanes are made from vectors and back with instructions of AVX2 */
    LLVMTypeRef i1, i8, i16, i32, i64, pointer, nothing, vector, bits; /* bits: one mask bit per lane of a vector */
    LLVMTypeRef mask_type, floats;
    LLVMBuilderRef build, entry; /* entry: allocations and what precedes the first instruction */
    LLVMBuilderRef start;        /* what each group begins with; the same, unless code runs several */
    LLVMBuilderRef zeros;        /* of registers: the same, unless a BARRIER would meet them again */
    LLVMValueRef function, group, state, constants, runtime;
    LLVMValueRef immediates; /* of compact code: the program's own space */

    LLVMBasicBlockRef *blocks;      /* by instruction; NULL where none begins */
    LLVMBasicBlockRef finish, fail; /* the end of the group; after a failure */
    LLVMBasicBlockRef save, resume; /* BARRIER; NULL */
    bool quick;                     /* time in proportion to the size counts more than good code */
    bool sparing_stack;             /* registers' variables are in the group's memory, blocks are short */
    struct jit_compact *compact;  /* of sparing_stack: and instructions are data (jit/compact.c); NULL: they are not */
    bool sparing;                 /* operations of more than a few instructions are called, not inlined */
    LLVMValueRef caller_variable; /* then: the number of the instruction that calls */
    LLVMValueRef frames;          /* then: the variable that the constructs' are parts of */
    uint64_t frame_bytes;         /* of it, given away */
    struct jit_mask exec_variable;
    LLVMValueRef alive_variable, helpers_variable,
        /* 32 bits: they change seldom, and mask registers are few */ executed_variable, resume_variable;
    LLVMValueRef resume_switch;
    LLVMValueRef limit_variable, common_variable, owed[JIT_MAX_VECTORS], settled; /* the budget: see jit/flow.c */
    LLVMValueRef present;
    uint32_t number;                    /* of the instruction that is emitted */
    uint32_t views;                     /* of memory instructions before it (protocol/slots.h) */
    bool first_block;                   /* registers that were not written yet are zero */
    uint32_t block_end, counted_end;    /* after the block's last instruction; the last that is counted so far */
    LLVMValueRef exec;                  /* in this block: the bits of `executing`; NULL: not read yet */
    struct jit_mask executing;          /* the lanes that execute */
    LLVMValueRef mask[JIT_MAX_VECTORS]; /* of `executing`; NULL: not made yet */

    /* Registers of the state: by channel * vectors + vector. */
    LLVMValueRef *variables, *known; /* known: the value in this block, or NULL */
    bool *dirty;
    uint32_t *touched; /* channels with something known */
    uint32_t touched_count, channel_count;
    uint8_t *file_of;             /* by channel */
    LLVMValueRef *constant_known; /* by channel of the run's constants: the splat, in this block */
    uint32_t *constant_touched, constant_touched_count;

    struct jit_span *span;                      /* of request->span; NULL */
    struct jit_value planes[SCH_NATIVE_PLANES]; /* of the group, as the form lists them */
    struct jit_bitcode *bitcode;                /* of lookups that the span form knows; NULL: all are called */
    struct jit_lookups *lookups;                /* NULL: none yet */
    struct jit_indexed *indexed;                /* the same */
    uint32_t lookup_number;                     /* slots before that of the present instruction */
    bool exact;                                 /* sources must be exact in lanes that do not execute, too */
};

/* ---- jit/plan.c ---- */
enum sch_result jit_plan_make(struct jit_emitter *e);
/* Finds the constructs that are one block: after the analyses. */
void jit_plan_exits(struct jit_emitter *e);
/* For programs with more CALs only what takes time in proportion is done, and their registers are in memory. */
enum { JIT_FEW_CALLS = 48 };
/* About how many of LLVM's instructions a program becomes, at most. */
size_t jit_plan_weight(const struct sch_prepared *program, unsigned lanes);
/* The same as compact code, of which arithmetic is data. */
size_t jit_plan_compact_weight(const struct sch_prepared *program, unsigned lanes);

/* ---- jit/values.c: small things ---- */

void jit_make_types(struct jit_emitter *e); /* of the module's context, and of its lanes */
LLVMValueRef jit_word(const struct jit_emitter *e, uint32_t word);
LLVMValueRef jit_long(const struct jit_emitter *e, uint64_t word);
LLVMValueRef jit_splat_word(const struct jit_emitter *e, uint32_t word); /* a constant vector */
LLVMValueRef jit_splat(struct jit_emitter *e, LLVMValueRef word);
LLVMValueRef jit_at(struct jit_emitter *e, LLVMValueRef base, uint64_t offset); /* a pointer */
LLVMValueRef jit_field(struct jit_emitter *e, LLVMTypeRef type, size_t offset); /* a member of the group */
void jit_set_field(struct jit_emitter *e, size_t offset, LLVMValueRef value);
LLVMValueRef jit_variable(struct jit_emitter *e, LLVMTypeRef type, const char *name); /* not initialised */
LLVMValueRef jit_load_vector(struct jit_emitter *e, LLVMValueRef from, unsigned v, bool constant);
void jit_store_vector(struct jit_emitter *e, LLVMValueRef value, LLVMValueRef to, unsigned v);
LLVMBasicBlockRef jit_new_block(struct jit_emitter *e);
/* The first way of a branch is the usual one: what the other needs is not kept in registers for it. */
void jit_expect(struct jit_emitter *e, LLVMValueRef branch);

/* ---- jit/registers.c ---- */
/* Forgets what is known about registers and masks: a block begins. */
void jit_begin_block(struct jit_emitter *e);
/* Writes what is dirty to the variables: a block ends. */
void jit_flush(struct jit_emitter *e);
/* Writes a channel in the lanes that execute; without `masked`, in all. */
void jit_write_channel(struct jit_emitter *e, uint32_t channel, const struct jit_value *value, bool masked);
/* A channel of a space. */
void jit_read_place(struct jit_emitter *e, unsigned space, uint32_t channel, struct jit_value *value);
/* The channel that an index adds to its base. */
void jit_read_index(struct jit_emitter *e, const struct sch_prepared_index *index, struct jit_value *value);
/* To the register's memory: what the runtime reads. */
void jit_spill_channel(struct jit_emitter *e, uint32_t channel);
LLVMValueRef jit_get(struct jit_emitter *e, LLVMValueRef variable, LLVMTypeRef type);
/* A vector's variable of a channel; NULL: nothing was written or read yet. */
LLVMValueRef jit_variable_of(struct jit_emitter *e, uint32_t channel, unsigned v);

/* ---- jit/masks.c ---- */
void jit_choose_masks(struct jit_emitter *e);
struct jit_mask jit_mask_all(const struct jit_emitter *e);
struct jit_mask jit_mask_none(const struct jit_emitter *e);
bool jit_mask_is_all(const struct jit_emitter *e, const struct jit_mask *mask); /* known to be */
struct jit_mask jit_mask_variable(struct jit_emitter *e, const char *name);
struct jit_mask jit_mask_get(struct jit_emitter *e, const struct jit_mask *variable);
void jit_mask_set(struct jit_emitter *e, const struct jit_mask *variable, struct jit_mask mask);
struct jit_mask jit_mask_and(struct jit_emitter *e, struct jit_mask a, struct jit_mask b);
struct jit_mask jit_mask_or(struct jit_emitter *e, struct jit_mask a, struct jit_mask b);
struct jit_mask jit_mask_without(struct jit_emitter *e, struct jit_mask a, struct jit_mask b);
LLVMValueRef jit_mask_any(struct jit_emitter *e, struct jit_mask mask); /* one bit: it has lanes */
/* From and to 32 bits, to the bits of a vector, from lanes of 0 or all ones. */
struct jit_mask jit_mask_of_bits(struct jit_emitter *e, LLVMValueRef bits);
LLVMValueRef jit_mask_bits(struct jit_emitter *e, struct jit_mask mask);
LLVMValueRef jit_mask_vector(struct jit_emitter *e, const struct jit_mask *mask, unsigned v);
struct jit_mask jit_mask_of_lanes(struct jit_emitter *e, const struct jit_value *lanes);
/* With AVX2, of lanes that surely are either: no comparison. */
struct jit_mask jit_mask_of_followed(struct jit_emitter *e, const struct jit_value *lanes);
LLVMValueRef jit_bits_of(struct jit_emitter *e, const struct jit_value *lanes);     /* 32 bits, of the same */
LLVMValueRef jit_vector_bits(struct jit_emitter *e, LLVMValueRef bits, unsigned v); /* and to one vector's */
/* The construct around the instruction that is emitted; whether all lanes execute directly in one wherever some do. */
static inline uint32_t jit_around(const struct jit_emitter *e) { return e->flow->links[e->number].around; }
static inline bool jit_is_whole(const struct jit_emitter *e, uint32_t construct)
{
    return sch_ir_is_whole(&e->plan.uniformity, construct);
}
/* The lanes that execute, as a set, as 32 bits, as bits of a vector (NULL: all lanes do). What is made of them is
 * where they are used first in a block. */
struct jit_mask jit_lanes(struct jit_emitter *e);
LLVMValueRef jit_exec(struct jit_emitter *e);
LLVMValueRef jit_mask(struct jit_emitter *e, unsigned v);
bool jit_is_all(const struct jit_emitter *e);

/* ---- jit/operations.c ---- */
void jit_choose_inlining(struct jit_emitter *e); /* e->quick is known: sets e->sparing */
/* Operations that are called with the same rules everywhere are those with these rules, as if they were in line. */
void jit_settle_rules(const struct jit_module *module);
/* The function of an operation in the archive; NULL: there is none. */
LLVMValueRef jit_operation(struct jit_emitter *e, const char *name);
/* Calls an operation of the archive by name. */
void jit_operate(struct jit_emitter *e, const char *name, uint32_t rules, unsigned operands,
                 const struct jit_value *const operand[], unsigned results, struct jit_value *const result[]);
/* What a modifier (not NOTHING) makes of as many words as it takes. */
void jit_modify(struct jit_emitter *e, unsigned modifier, struct jit_value *const value[]);

/* ---- jit/operands.c ---- */
/* Channel c, after the swizzle, of a source, with its modifier. */
void jit_read_source(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value);
/* Channel c of a destination of the present instruction. */
void jit_write(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value);
/* Whether the present instruction writes channel c of `dst`, one of its destinations, under the mask. */
bool jit_is_masked(const struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c);
/* Writes value[from[c]], with the saturation, to each written channel c. */
void jit_write_results(struct jit_emitter *e, const struct sch_prepared_instruction *in, const uint8_t from[4],
                       struct jit_value value[4]);

/* ---- jit/arithmetic.c ---- */
void jit_arithmetic(struct jit_emitter *e, const struct sch_prepared_instruction *in, const struct sch_op_info *info);

/* ---- jit/compact.c ---- */
/* What compact code is made with, from the emitter's arena; NULL: memory is out. */
struct jit_compact *jit_compact_new(struct jit_emitter *e);
/* Arithmetic as steps on the group's memory; false: it is not of a kind that has functions. Steps are taken where they
 * are closed: before anything else reads or writes registers, and at the end of a block. */
bool jit_compact(struct jit_emitter *e, const struct sch_prepared_instruction *in, const struct sch_op_info *info);
void jit_compact_close(struct jit_emitter *e);
bool jit_has_steps(const struct sch_prepared_instruction *in); /* likewise */
/* Memory for operands of lookups, of so many channels each. The functions after it are steps that write an operand, or
 * a channel of the result from one; false: the operand has no such step, or code is not compact. `quotient`: divided by
 * channel 3 of `by`; `lanes`: all ones where lanes execute. */
LLVMValueRef jit_compact_memory(struct jit_emitter *e, unsigned arguments);
bool jit_compact_operand(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, unsigned argument);
bool jit_compact_quotient(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c,
                          const struct sch_prepared_src *by, unsigned argument);
bool jit_compact_lanes(struct jit_emitter *e, unsigned argument);
bool jit_compact_result(struct jit_emitter *e, const struct sch_prepared_instruction *in, unsigned c,
                        unsigned argument);
/* Registers that may be read before they are written are zero at the start of a group. */
void jit_compact_begin(struct jit_emitter *e);
/* After the last instruction. */
void jit_compact_end(struct jit_emitter *e);

/* ---- jit/flow.c ---- */
/* Also barriers. False: there is no such opcode; likewise jit_lane. */
bool jit_flow(struct jit_emitter *e, const struct sch_prepared_instruction *in);
void jit_make_frames(struct jit_emitter *e);
void jit_make_returns(struct jit_emitter *e);
void jit_open_budget(struct jit_emitter *e);
/* A group continues after others. */
void jit_take_limit(struct jit_emitter *e);
/* `count` instructions from `first` on are counted as executed and come next, by the lanes `lanes`; NULL: none. Where
 * that passes the limit, the runtime says whether code continues here. */
void jit_watch(struct jit_emitter *e, const struct sch_prepared_instruction *first, uint32_t count,
               const struct jit_mask *lanes);
/* Counts the instructions of the block that begins; after e->block_end, at which it ends. */
void jit_count_block(struct jit_emitter *e);
void jit_end_block(struct jit_emitter *e, LLVMBasicBlockRef next);

/* ---- jit/runtime.c ---- */
/* A function of the runtime's table, by the offset of its member. */
LLVMValueRef jit_call_runtime(struct jit_emitter *e, size_t member, LLVMTypeRef result, unsigned count,
                              LLVMValueRef arguments[]);
LLVMValueRef jit_scratch(struct jit_emitter *e, unsigned source, unsigned c); /* lanes of the machine */
void jit_put(struct jit_emitter *e, const struct jit_value *value, LLVMValueRef to);
void jit_take_result(struct jit_emitter *e, unsigned c, struct jit_value *value);
/* Channel c of a source of the present instruction that is not at a fixed place: the interpreter reads it, exactly in
 * all lanes. */
void jit_ask_source(struct jit_emitter *e, const struct sch_prepared_src *src, unsigned c, struct jit_value *value);
/* And writes a destination. */
void jit_give(struct jit_emitter *e, const struct sch_prepared_dst *dst, unsigned c, const struct jit_value *value);
/* What the runtime reads itself: registers that index, and sources, to the group's memory; masks to the machine. */
void jit_spill_index(struct jit_emitter *e, const struct sch_prepared_index *index);
void jit_spill_source(struct jit_emitter *e, const struct sch_prepared_src *src);
void jit_show_masks(struct jit_emitter *e);

/* ---- jit/calls.c ---- */
/* The interpreter's function of the instruction, which says how a run fails; the machine's masks are as it reads
 * them. */
void jit_interpret(struct jit_emitter *e, const struct sch_prepared_instruction *in);
void jit_clock(struct jit_emitter *e, const struct sch_prepared_instruction *in);
void jit_stream(struct jit_emitter *e, const struct sch_prepared_instruction *in);
void jit_interpolate(struct jit_emitter *e, const struct sch_prepared_instruction *in);
void jit_fetch_pixels(struct jit_emitter *e, const struct sch_prepared_instruction *in);

/* ---- jit/lanes.c: SCH_SHAPE_LANE, SCH_SHAPE_HANDLE ---- */
bool jit_lane(struct jit_emitter *e, const struct sch_prepared_instruction *in);
void jit_handle(struct jit_emitter *e, const struct sch_prepared_instruction *in);

/* ---- jit/lookup_calls.c ---- */
/* Lookups and queries. */
void jit_lookup(struct jit_emitter *e, const struct sch_prepared_instruction *in);
/* LOAD and STORE of an image that take a slot; false: its target is known only when code runs. */
bool jit_image_load(struct jit_emitter *e, const struct sch_prepared_instruction *in);
bool jit_image_store(struct jit_emitter *e, const struct sch_prepared_instruction *in);
/* Whether the four channels from `first` on are surely from 0 to 1: nothing but lookups whose results are so writes
 * them. What no one writes is 0. */
bool jit_is_from_0_to_1(const struct jit_emitter *e, uint32_t first);

/* ---- jit/span.c: programs with request->span ---- */
void jit_begin_span(struct jit_emitter *e);           /* the function is there: makes e->start */
LLVMValueRef jit_span_helpers(struct jit_emitter *e); /* that a group begins with, at e->start */
void jit_open_span(struct jit_emitter *e);  /* the entry is there: the loop's begin, up to the first instruction */
void jit_close_span(struct jit_emitter *e); /* at the end of a group; continues after the last one */
void jit_fail_span(struct jit_emitter *e);  /* at the end of a function that failed */
void jit_end_span(struct jit_emitter *e);
/* With BARRIERs: the group whose turn it is, where e->group is not known; a group has come to a BARRIER. */
LLVMValueRef jit_span_group(struct jit_emitter *e);
void jit_meet_in_span(struct jit_emitter *e);
/* Code runs the groups of a work group in rounds. */
static inline bool jit_has_rounds(const struct jit_emitter *e) { return e->request->span && e->flow->barriers; }

/* ---- jit/program.c ---- */
enum sch_result jit_compile_program(const struct sch_native_program_request *request, struct sch_native_object *object,
                                    struct sch_native_cost *cost, char **text);
bool jit_fits(const struct sch_native_program_request *request);

#endif
