/* A prepared program: a shader whose registers are laid out, whose operands are resolved and whose control flow is
 * linked. Facts only, the same for every engine, level and process: what an engine adds of its own is beside it
 * (exec/program.h, src/jit). Immutable once made. Holds no function pointer and no state of a run. */
#ifndef SCH_IR_PREPARED_H
#define SCH_IR_PREPARED_H

#include "abi/arithmetic.h"
#include "abi/lanes.h"
#include "abi/texture.h"
#include "base/pairs.h"
#include "ir/flow.h"
#include "ir/ir.h"

/* ---- operands ---- */

struct sch_prepared_file {
    bool stored; /* its registers have storage */
    uint8_t space;
    uint8_t width;  /* channels of a register: 4, or 1 where registers are scalar */
    uint32_t base;  /* first channel */
    uint32_t count; /* registers; of one vertex for inputs. 0: the program does not use the file */
};

/* One bracket: a fixed number, plus the channel of a register when is_indirect. */
struct sch_prepared_index {
    bool is_indirect;
    uint8_t space;
    int32_t base;
    uint32_t channel;
};

enum sch_prepared_access {
    SCH_ACCESS_PLAIN,     /* channels at fixed places */
    SCH_ACCESS_REGISTERS, /* a register that is known only when the instruction runs */
    SCH_ACCESS_CONSTANTS, /* the same, in the caller's constant buffers */
    SCH_ACCESS_PATCH,     /* OUT of a tessellation control shader where other invocations are concerned */
    SCH_ACCESS_NONE       /* a destination that is dropped; a source that only names a resource */
};

struct sch_prepared_src {
    uint8_t access; /* enum sch_prepared_access */
    uint8_t space;
    uint8_t file;
    uint8_t modify;      /* enum sch_modifier */
    uint8_t swizzle[4];  /* as written */
    uint32_t channel[4]; /* PLAIN: of x, y, z, w after the swizzle */
    struct sch_prepared_index index, dimension;
};

struct sch_prepared_dst {
    uint8_t access;
    uint8_t mask;     /* channels written */
    uint8_t file;     /* REGISTERS, PATCH */
    bool has_vertex;  /* PATCH: `dimension` says which; else the invocation's own */
    uint32_t channel; /* PLAIN: of x, in SCH_SPACE_STATE */
    struct sch_prepared_index index, dimension;
};

/* ---- texture lookups ---- */

enum sch_prepared_lookup_kind {
    SCH_PREPARED_SAMPLE,
    SCH_PREPARED_PROJECT,
    SCH_PREPARED_GATHER,
    SCH_PREPARED_LOD, /* the last that has a sampler */
    SCH_PREPARED_FETCH,
    SCH_PREPARED_FETCH_MS,
    SCH_PREPARED_SIZE,
    SCH_PREPARED_SAMPLES,
    SCH_PREPARED_POSITION
};

/* A source and one of its components; source -1: none. */
struct sch_prepared_operand {
    int8_t source;
    uint8_t component;
};

struct sch_prepared_lookup {
    uint8_t kind, mode; /* enum sch_prepared_lookup_kind, enum sch_lod_mode */
    uint8_t target;     /* enum sch_target, never a SHADOW one */
    uint8_t axes;       /* spatial coordinates; of cubes 3, where they are fetched from 2 */
    bool layer;         /* one coordinate more: the layer, of fetched cubes the face */
    bool compares;
    bool handle;        /* the view and sampler are named by a value */
    bool render_target; /* the query is about the invocation's own samples */
    int8_t view, sampler, ddx;
    bool d3d; /* Direct3D's rules */
    struct sch_prepared_operand value, reference, clamp;
    uint8_t component;                     /* of a gather without a `value` */
    uint8_t swizzle[4];                    /* of the result: SAMPLE opcodes take the view operand's */
    uint8_t offsets;                       /* 0, 1, 4 */
    const struct sch_prepared_src *offset; /* [offsets] */
};

/* A bindless handle: the high word is its kind, the low one the number of the register that it stands for, plus one. */
enum { SCH_HANDLE_SAMPLER = 1, SCH_HANDLE_IMAGE = 2, SCH_HANDLE_REGISTERS = 1 << 15 };

/* ---- memory ---- */

/* The operand that names a resource. */
struct sch_prepared_resource {
    uint8_t file;
    uint8_t swizzle[4];                    /* LOAD: applies to the words that are read */
    uint8_t components;                    /* STORE: written; LOAD: words that the destination needs */
    uint8_t written;                       /* STORE: the words that one to a raw texture writes */
    bool texture;                          /* an image, or a RES that may be no buffer */
    bool raw;                              /* a texture that may be declared RAW */
    uint8_t target;                        /* the instruction's; UNKNOWN where it has no word for it */
    int8_t address;                        /* the source that holds it; -1 none */
    const struct sch_prepared_src *handle; /* a value in place of a register; NULL: none */
    struct sch_prepared_index index, dimension;
};

/* A register of RES or IMAGE as it is declared. */
struct sch_prepared_declared {
    bool declared, raw, writable;
    uint8_t target;
};

/* What a program does with memory. */
struct sch_prepared_memory {
    uint8_t *kinds; /* of MEMORY[n]; SCH_MEMORY_KIND_COUNT where it is not declared */
    uint32_t kind_count;
    uint8_t first_kind;      /* of the declared MEMORY with the lowest number: what undeclared ones mean */
    uint32_t declared_kinds; /* bits */
    struct sch_prepared_declared *resources;
    uint32_t resource_count;
    struct sch_prepared_declared *images;
    uint32_t image_count;
    bool barriers;
    bool writes_outside; /* what other work groups may see */
};

/* ---- instructions ---- */

struct sch_prepared_instruction {
    uint16_t opcode;
    uint8_t modify; /* of results (_SAT, Direct3D's flush, or both): enum sch_modifier */
    bool texture;   /* a texture instruction of Maxwell code, for the engine that runs it */
    bool accesses;  /* Maxwell code: it accesses memory */
    bool waits;     /* Maxwell code: it waits at a barrier of the block */
    bool direct;    /* with all lanes active, results may be written straight to the destination */
    uint8_t dst_count, src_count;
    uint32_t rules;  /* enum sch_op_rules */
    uint32_t number; /* in the shader */
    const struct sch_prepared_src *src;
    const struct sch_prepared_dst *dst;
    const struct sch_prepared_instruction *reconvergence; /* where lanes continue if this one leaves none */
    const struct sch_prepared_instruction *target;        /* ENDLOOP: after the BGNLOOP; CAL: after the BGNSUB */
    const struct sch_prepared_lookup *lookup;             /* texture lookups */
    const struct sch_prepared_resource *resource;         /* memory */
};

static inline bool sch_prepared_is_atomic(const struct sch_prepared_instruction *in)
{
    return sch_op_info(in->opcode)->shape == SCH_SHAPE_ATOMIC;
}

/* To whoever looks at the clock and the flag every so often: how many arithmetic instructions one takes as long as. */
static inline uint32_t sch_prepared_cost(const struct sch_prepared_instruction *in)
{
    enum { LOOKUP = 64, MEMORY = 4 };
    if (in->lookup || in->texture) return LOOKUP;
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

/* ---- the interface ---- */

struct sch_prepared_semantic {
    uint8_t semantic;
    uint16_t semantic_index;
    bool declared;
    bool read; /* some operand may read it */
};

/* A register of IN or OUT as it is declared; those of a range one by one. */
struct sch_prepared_register {
    bool declared;
    uint8_t semantic;      /* GENERIC with the register's number where none is declared */
    uint8_t mask;          /* components that its declarations name */
    uint8_t used;          /* components that the program can read of an input, or writes of an output */
    uint8_t interpolation; /* enum sch_interpolation; SCH_INTERPOLATION_COUNT: not declared */
    uint8_t location;      /* enum sch_location */
    uint8_t stream[4];     /* of outputs, by component */
    uint16_t semantic_index;
    struct sch_position position; /* of the last of its declarations */
};

struct sch_prepared_property {
    bool given;
    uint32_t value; /* 0 where it is not given */
};

/* Whether the order in which invocations run can be seen in memory (docs/pipeline.md, "Linking"). */
enum sch_prepared_effects {
    SCH_EFFECTS_NONE,      /* the program writes no memory, and ends no run */
    SCH_EFFECTS_UNORDERED, /* only by atomics of one opcode that commute, without a use of their results */
    SCH_EFFECTS_ORDERED    /* everything else */
};

/* What a program does that its pipeline needs to know. */
struct sch_prepared_facts {
    bool discards;     /* KILL, KILL_IF, DEMOTE */
    bool writes_depth; /* fragment shaders: POSITION, STENCIL, SAMPLEMASK */
    bool writes_stencil;
    bool writes_sample_mask;
    bool per_sample; /* reads SAMPLEID, SAMPLEPOS, the framebuffer, or an input at location SAMPLE */
    bool fetches_framebuffer;
    bool shows_group;  /* results depend on which invocations share a group: votes, lanes' numbers, the clock */
    bool reads_quad;   /* results depend on the other invocations of a quad: derivatives, implicit levels of detail */
    bool reads_memory; /* LOAD */
    bool writes_memory;
    uint8_t effects;      /* enum sch_prepared_effects */
    uint16_t only_atomic; /* UNORDERED: the opcode of its atomics */
};

struct sch_prepared_interface {
    struct sch_prepared_register *inputs, *outputs; /* by number, up to the highest that is declared */
    uint32_t input_count, output_count;
    struct sch_prepared_property properties[SCH_PROPERTY_COUNT];
    struct sch_prepared_facts facts;
};

/* ---- the program ---- */

/* Maxwell code: its steps, and what follows from them for whoever compiles them. */
struct sch_prepared_maxwell {
    const struct sch_maxwell_step *steps; /* by instruction; NULL: it is another program */
    bool *starts;                         /* where blocks begin; after the last instruction, too */
    uint32_t *spot;            /* of each instruction: how many accesses to memory with a spot are before it... */
    uint32_t *constant;        /* ...and how many words of constants that operands name */
    uint32_t spots, constants; /* of all */
};

/* Facts of a step's kind (isa/maxwell_meanings.def). Memory is the block's where no fact says which it is. */
enum sch_maxwell_fact {
    SCH_MAXWELL_FLOWS = 1 << 0, /* control may go elsewhere from it than to the next instruction */
    SCH_MAXWELL_NAMED = 1 << 1, /* the registers that it reads and writes are those that the step names */
    SCH_MAXWELL_WORD = 1 << 2,  /* its result is one register */
    SCH_MAXWELL_LOADS = 1 << 3, /* accesses to memory */
    SCH_MAXWELL_STORES = 1 << 4,
    SCH_MAXWELL_UPDATES = 1 << 5,    /* one lane after the other */
    SCH_MAXWELL_OUTSIDE = 1 << 6,    /* ...of the caller's ranges */
    SCH_MAXWELL_OF_LANE = 1 << 7,    /* ...of the lane's own */
    SCH_MAXWELL_IN_BANK = 1 << 8,    /* ...of a bank of constants */
    SCH_MAXWELL_ANYWHERE = 1 << 9,   /* ...of the ranges, the block's or the lane's own, by the address */
    SCH_MAXWELL_BY_HEADER = 1 << 10, /* ...where the header of a surface says */
    SCH_MAXWELL_WAITS = 1 << 11,     /* for other warps */
    SCH_MAXWELL_ACCESSES = SCH_MAXWELL_LOADS | SCH_MAXWELL_STORES | SCH_MAXWELL_UPDATES
};

unsigned sch_maxwell_facts_of(const struct sch_maxwell_step *step);
/* Whether an access to memory has a spot (abi/group.h). */
bool sch_prepared_has_spot(const struct sch_maxwell_step *step);

/* enum sch_maxwell_number of an atomic operation, on whatever memory; its bytes. */
unsigned sch_maxwell_update_number(const struct sch_maxwell_step *step);
unsigned sch_maxwell_number_bytes(unsigned number);

/* Whether control may go elsewhere from it than to the next instruction. */
bool sch_prepared_flows(const struct sch_maxwell_step *step);

/* What the stage makes of a program. */
struct sch_prepared_stage {
    uint32_t group_lanes;    /* invocations of a unit: 32, or those of a patch */
    uint32_t invocation_ids; /* INVOCATIONID counts from 0 to one less */
    uint32_t emit_limit;     /* vertices that an invocation may emit */
    bool *patch_outputs;     /* by register of OUT: one for the whole patch; tessellation control shaders only */
};

struct sch_prepared {
    struct sch_arena arena; /* owns everything below, and what engines add */
    struct sch_limits limits;
    uint8_t stage;
    bool scalar;             /* the shader's: callers load TEMPORARY and ADDRESS, and store them */
    bool d3d;                /* D3D_RULES */
    uint32_t fixed_block[3]; /* CS_FIXED_BLOCK_*; 0 where not fixed */
    struct sch_prepared_file files[SCH_FILE_COUNT];
    uint32_t indexed; /* bits of files of which some operand says only when it runs which register it is */
    uint32_t channels[SCH_SPACE_COUNT]; /* of each space; STATE without the inputs, which come last */
    uint32_t *program_words;    /* of each channel of PROGRAM, the same in all lanes: a zero, then the immediates */
    struct sch_pairs constants; /* (buffer, index): registers that operands name directly; four channels each in RUN */
    const uint32_t *inputs;     /* registers of IN that the program can read */
    uint32_t input_count;
    const uint8_t *input_masks;                  /* of each register of IN: components that the program can read */
    struct sch_prepared_semantic *system_values; /* one per register of SV, declared ones that nothing reads too */
    uint32_t system_value_count;
    uint8_t *output_masks; /* of each register of OUT: components that can be written */
    uint8_t *view_targets; /* declared target of SVIEW[n] */
    uint32_t view_target_count;
    struct sch_prepared_memory memory;
    struct sch_prepared_stage of_stage;
    struct sch_prepared_interface interface;
    struct sch_ir_flow flow; /* the shader's */
    struct sch_prepared_maxwell maxwell;
    struct sch_prepared_instruction *instructions;
    struct sch_position *positions;
    uint32_t instruction_count; /* one END follows the last */
    uint64_t extra_cost;        /* what its instructions count together (sch_prepared_cost) beside one each */
};

/* Prepares a valid shader, of which no pointer is kept. UNSUPPORTED: each opcode or construct that cannot run yet is
 * reported once, by name. Whatever the status, `program` is to be released. */
enum sch_result sch_prepare(const struct sch_ir_shader *shader, const struct sch_allocator *allocator,
                            struct sch_diagnostics *diagnostics, struct sch_prepared *program);
void sch_prepared_release(struct sch_prepared *program);

/* Whether an opcode can run at all. */
bool sch_prepare_runs(unsigned opcode);

/* ir/prepare_layout.c: the slot of a constant that operands name directly. */
uint32_t sch_prepared_constant_slot(const struct sch_prepared *program, uint32_t buffer, uint32_t index);

/* ---- ir/prepare_memory.c: what memory instructions access ---- */

/* The kind of MEMORY[number]; of one that is not declared that of the first that is. */
unsigned sch_prepared_memory_kind(const struct sch_prepared *program, int64_t number);
/* Log2 of the bytes of an address unit of register `number` of the operand's file. */
uint8_t sch_prepared_address_shift(const struct sch_prepared *program, const struct sch_prepared_resource *resource,
                                   int64_t number);
/* The address of a counter, as the resource operand names it. */
uint32_t sch_prepared_counter_address(int64_t index);
/* The words of a lane that an instruction accesses, as bits. */
uint8_t sch_prepared_components(const struct sch_prepared_resource *resource, bool loads);
/* The register of RES or IMAGE that is declared as `number`; NULL: none, or a handle. */
const struct sch_prepared_declared *sch_prepared_declared_image(const struct sch_prepared *program,
                                                                const struct sch_prepared_resource *resource,
                                                                int64_t number);
/* The target that register `number` is accessed as; SCH_TARGET_UNKNOWN: that of what is bound. */
unsigned sch_prepared_shown_target(const struct sch_prepared *program, const struct sch_prepared_resource *resource,
                                   int64_t number);

#endif
