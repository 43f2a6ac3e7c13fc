/* A shader prepared for execution: registers laid out, operands resolved, control flow linked. Immutable once made, and
 * the same for every engine; what an engine adds of its own hangs on it. Holds no state of a run (exec/machine.h). */
#ifndef SCH_EXEC_PROGRAM_H
#define SCH_EXEC_PROGRAM_H

#include "abi/lanes.h"
#include "base/pairs.h"
#include "exec/exec.h"
#include "ir/flow.h"
#include "ops/ops.h"

struct sch_exec_engine;
struct sch_exec_machine;
struct sch_exec_instruction;
struct sch_exec_lookup;
struct sch_exec_place;
struct sch_exec_unit;

struct sch_exec_file {
    bool stored;  /* its registers have storage here */
    bool cleared; /* and are made zero before every group: TEMP, ADDR, OUT, unless the engine does without */
    uint8_t space;
    uint32_t base;  /* first channel */
    uint32_t count; /* registers; of one vertex for inputs. 0: the program does not use the file */
};

/* One bracket: a fixed number, plus the channel of a register when is_indirect. */
struct sch_exec_index {
    bool is_indirect;
    uint8_t space;
    int32_t base;
    uint32_t channel;
};

enum sch_exec_access {
    SCH_ACCESS_PLAIN,     /* channels at fixed places */
    SCH_ACCESS_REGISTERS, /* a register that is known only when the instruction runs */
    SCH_ACCESS_CONSTANTS, /* the same, in the caller's constant buffers */
    SCH_ACCESS_PATCH,     /* OUT of a tessellation control shader where other invocations are concerned */
    SCH_ACCESS_NONE       /* a destination that is dropped; a source that only names a resource */
};

/* Whether an operand says only when it runs which register of the group's own state it is. */
static inline bool sch_exec_is_indexed(unsigned access)
{
    return access == SCH_ACCESS_REGISTERS || access == SCH_ACCESS_PATCH;
}

struct sch_exec_src {
    uint8_t access; /* enum sch_exec_access */
    uint8_t space;
    uint8_t file;
    uint8_t swizzle[4];  /* as written */
    uint32_t channel[4]; /* PLAIN: of x, y, z, w after the swizzle */
    uint8_t modify;      /* enum sch_modifier */
    struct sch_exec_index index, dimension;
};

struct sch_exec_dst {
    uint8_t access;
    uint8_t mask;     /* channels written */
    uint8_t file;     /* REGISTERS, PATCH */
    bool has_vertex;  /* PATCH: `dimension` says which; else the invocation's own */
    uint32_t channel; /* PLAIN: of x, in SCH_SPACE_STATE */
    struct sch_exec_index index, dimension;
};

/* Runs one instruction and answers which comes next; NULL ends the group. */
typedef const struct sch_exec_instruction *sch_exec_handler(struct sch_exec_machine *machine,
                                                            const struct sch_exec_instruction *instruction);

struct sch_exec_instruction {
    sch_exec_handler *run; /* the interpreter's */
    sch_op_fn *op;         /* arithmetic shapes */
    uint32_t rules;        /* enum sch_op_rules */
    uint16_t opcode;
    uint8_t modify; /* of results: enum sch_modifier */
    bool direct;    /* with all lanes active, results may be written straight to the destination */
    uint8_t dst_count, src_count;
    uint32_t number; /* in the shader */
    uint32_t word;   /* CASE: its value */
    const struct sch_exec_src *src;
    const struct sch_exec_dst *dst;
    const struct sch_exec_instruction *wake;   /* where lanes can go on when this instruction leaves none running */
    const struct sch_exec_instruction *target; /* ENDLOOP: behind the BGNLOOP; CAL: behind the BGNSUB */
    const struct sch_exec_lookup *lookup;      /* texture lookups */
    const void *prepared;                      /* what the engine made of it, in the program's arena; or NULL */
    const struct sch_exec_place *place;        /* memory: the resource operand */
    sch_atomic_fn *atomic;                     /* ATOM* */
};

/* Of a look at the clock and the flag: how many arithmetic instructions an instruction takes as long as. */
static inline uint32_t sch_exec_cost(const struct sch_exec_instruction *in)
{
    enum { LOOKUP = 64, MEMORY = 4 };
    if (in->lookup) return LOOKUP;
    switch (sch_op_info(in->opcode)->shape) {
    case SCH_SHAPE_FETCH:
        return LOOKUP;
    case SCH_SHAPE_MEMORY:
    case SCH_SHAPE_ATOMIC:
    case SCH_SHAPE_STREAM:
    case SCH_SHAPE_INTERPOLATE:
        return MEMORY;
    default:
        return 1;
    }
}

struct sch_exec_semantic {
    uint8_t semantic;
    uint16_t semantic_index;
    bool declared;
};

/* A register of RES or IMAGE. */
struct sch_exec_resource {
    bool declared, raw, writable;
    uint8_t target;
};

/* What a program does with memory. */
struct sch_exec_memory {
    uint8_t *kinds; /* of MEMORY[n]; SCH_MEMORY_KIND_COUNT where it is not declared */
    uint32_t kind_count;
    uint8_t first_kind;      /* of the declared MEMORY with the lowest number: what undeclared ones mean */
    uint32_t declared_kinds; /* bits */
    struct sch_exec_resource *resources;
    uint32_t resource_count;
    struct sch_exec_resource *images;
    uint32_t image_count;
    bool barriers;
    bool writes_outside; /* what other work groups may see */
};

/* What the stage makes of a program: see exec/stages.c. */
struct sch_exec_stage {
    uint32_t group_lanes;    /* invocations of a unit: 32, or those of a patch */
    uint32_t invocation_ids; /* INVOCATIONID counts from 0 to one less */
    uint32_t emit_limit;     /* vertices that an invocation may emit */
    bool *patch_outputs;     /* by register of OUT: one for the whole patch; tessellation control shaders only */
    uint8_t *interpolations; /* by register of IN: enum sch_interpolation; fragment shaders only */
    uint32_t interpolated;   /* how many registers that has */
};

struct sch_exec_program {
    struct sch_arena arena; /* owns everything below, and this struct's users' tables */
    struct sch_limits limits;
    const struct sch_ops *ops;
    const struct sch_exec_engine *engine;
    void *engine_context; /* of struct sch_exec_options */
    void *engine_data;    /* the engine's own, in the arena */
    uint8_t stage;
    bool d3d;                /* D3D_RULES */
    uint32_t fixed_block[3]; /* CS_FIXED_BLOCK_*; 0 where not fixed */
    struct sch_exec_file files[SCH_FILE_COUNT];
    uint32_t channels[SCH_SPACE_COUNT]; /* of each space; STATE without the inputs, which come last */
    struct sch_lanes *program_space;
    struct sch_pairs constants; /* (buffer, index): registers that operands name directly; four channels each in RUN */
    const uint32_t *inputs;     /* registers of IN that the program can read */
    uint32_t input_count;
    const uint8_t *input_masks;              /* of each register of IN: components that the program can read */
    struct sch_exec_semantic *system_values; /* one per register of SV, declared ones that nothing reads too */
    uint32_t system_value_count;
    uint8_t *output_masks;    /* of each register of OUT: components that can be written */
    uint32_t *output_numbers; /* semantic index of each declared register of OUT */
    uint32_t output_number_count;
    uint8_t *view_targets; /* declared target of SVIEW[n] */
    uint32_t view_target_count;
    struct sch_exec_memory memory;
    struct sch_exec_stage of_stage;
    const struct sch_exec_unit *units; /* what is read of the bindings: exec/units.h */
    uint32_t unit_count;
    struct sch_ir_flow flow;
    struct sch_exec_instruction *instructions;
    struct sch_position *positions;
    uint32_t instruction_count; /* one END follows the last */
    uint64_t extra_cost;        /* what its instructions count together (sch_exec_cost) beside one each */
};

/* exec/layout.c: decides files, constants, inputs, system values. Reports what has no place in this version. */
enum sch_result sch_exec_layout(struct sch_exec_program *program, const struct sch_ir_shader *shader);

/* exec/memory.c: decides what MEMORY and RES registers are. */
enum sch_result sch_exec_list_memory(struct sch_exec_program *program, const struct sch_ir_shader *shader);
/* exec/stages.c: decides what belongs to the stage; the files are laid out. */
enum sch_result sch_exec_list_stage(struct sch_exec_program *program, const struct sch_ir_shader *shader);

/* The slot of a constant that operands name directly. */
uint32_t sch_exec_constant_slot(const struct sch_exec_program *program, uint32_t buffer, uint32_t index);

/* exec/decode.c: operands, flow, texture lookups. */
enum sch_result sch_exec_decode(struct sch_exec_program *program, const struct sch_ir_shader *shader,
                                struct sch_diagnostics *diagnostics);

#endif
