/* Lowering: what the files of this folder share. A program of Direct3D becomes a shader of the intermediate
 * representation; docs/d3d.md says which register and instruction becomes what. Private to src/d3d/lower/. */
#ifndef SCH_D3D_LOWER_INTERNAL_H
#define SCH_D3D_LOWER_INTERNAL_H

#include "d3d/dxbc/ranges.h"
#include "d3d/lower/lower.h"
#include "ir/build.h"

enum {
    SCH_LOWER_REGISTERS = 64,   /* v#, o#: the highest number that is lowered, plus one */
    SCH_LOWER_PATCH = 32,       /* patch constant n is IN[32 + n], OUT[32 + n] */
    SCH_LOWER_BUFFERS = 14,     /* cb#: COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT */
    SCH_LOWER_SHARED = 32,      /* g# */
    SCH_LOWER_ARRAYS = 4096,    /* x# */
    SCH_LOWER_RESOURCES = 128,  /* t#: COMMONSHADER_INPUT_RESOURCE_SLOT_COUNT */
    SCH_LOWER_SAMPLERS = 16,    /* s#: COMMONSHADER_SAMPLER_SLOT_COUNT */
    SCH_LOWER_INTERFACES = 253, /* slots of fp#: SHADER_MAX_INTERFACES */
    SCH_LOWER_STAND_INS = 16,   /* t# that stand for others: see sch_lower_class_view */
};

/* What a part of an input or output register is. */
struct sch_lower_piece {
    uint8_t mask;          /* components in the register; 0: there is no such piece */
    bool is_system;        /* its own register: not the one of the register's number */
    uint8_t file;          /* SYSTEM_VALUE, INPUT or OUTPUT */
    uint8_t semantic;      /* enum sch_semantic */
    uint16_t number;       /* of the semantic */
    uint32_t index;        /* of the register in `file` */
    bool first;            /* the value is in x, whatever component the register has it in */
    uint8_t cull;          /* CLIPDIST: the components that are cull distances */
    uint8_t interpolation; /* Direct3D's number, pixel shader inputs */
    uint8_t stream;
};
enum { SCH_LOWER_PIECES = 4 };

struct sch_lower_register {
    struct sch_lower_piece piece[SCH_LOWER_PIECES];
    unsigned pieces;
    bool copied;   /* is in a temporary, with its pieces copied from or to their places */
    uint32_t temp; /* copied: which */
};

struct sch_lower_array {
    bool declared;
    uint32_t base, size;
    uint16_t id;
};

/* What a declaration of cb#, t# or u# says of its registers. */
struct sch_lower_resource {
    bool declared;
    uint8_t kind; /* enum sch_lower_resource_kind */
    uint8_t target;
    uint8_t dimension;
    uint32_t stride;       /* of a constant buffer how many vectors it has */
    uint32_t number, unit; /* the first register, and its number in the file of the IR */
};
enum sch_lower_resource_kind { SCH_LOWER_TYPED, SCH_LOWER_RAW, SCH_LOWER_STRUCTURED };

struct sch_lower_shared {
    bool declared;
    uint32_t base, stride; /* stride 0: bytes */
};

/* Where a tessellation factor is among the patch constants. */
struct sch_lower_factor {
    bool there;
    uint8_t number, component;
};
enum { SCH_LOWER_FACTORS = 12 };

/* Hull shaders: whose o# are written. */
enum sch_lower_phase { SCH_LOWER_NO_PHASE, SCH_LOWER_POINTS, SCH_LOWER_PATCH_CONSTANTS };

struct sch_lower {
    const struct sch_d3d_program *program;
    const struct sch_d3d_signature *signatures;
    struct sch_arena arena;    /* what is needed until the shader is made */
    struct sch_build build[1]; /* an array, so that its name is a pointer */
    struct sch_diagnostics *diagnostics;
    const struct sch_d3d_instruction *at; /* the one being lowered */
    bool refused[SCH_D3D_OP_LIMIT];       /* already reported */
    unsigned reports;

    uint32_t temps;                 /* r#; arrays follow */
    uint32_t array_end;             /* of the x# */
    struct sch_lower_array *arrays; /* x#, to the highest number that is declared */
    uint32_t array_count;
    uint16_t array_ids;
    uint32_t constant_count; /* of the immediate constant buffer: immediates from 0 */

    struct sch_lower_register inputs[SCH_LOWER_REGISTERS], outputs[SCH_LOWER_REGISTERS];
    bool input_arrays;                /* v# have vertices */
    uint32_t next_input, next_output; /* for pieces that have registers of their own */
    uint32_t system_values;
    uint32_t system_place[SCH_SEMANTIC_COUNT];       /* SV register of a semantic, plus one */
    uint32_t special_input[SCH_D3D_REGISTER_COUNT];  /* a temporary that holds a computed input, plus one */
    uint32_t special_output[SCH_D3D_REGISTER_COUNT]; /* OUT register of oDepth and the like, plus one */
    struct sch_d3d_ranges ranges;                    /* of cb#, s#, t#, u# */
    struct sch_lower_resource *placed;               /* one for each of them */
    struct sch_lower_resource stand_ins[SCH_LOWER_STAND_INS];
    uint32_t stand_in_count;
    uint8_t buffers[SCH_D3D_UNITS / 8], counters[SCH_D3D_UNITS / 8]; /* a bit: the unit is declared */
    struct sch_lower_shared shared[SCH_LOWER_SHARED];
    uint32_t shared_bytes;
    uint32_t block[3];
    bool has_topology;

    uint8_t phase; /* enum sch_lower_phase */
    bool patch_declared[SCH_LOWER_PATCH];
    struct sch_lower_factor factor[SCH_LOWER_FACTORS];
    uint32_t instance_temp; /* the number of the phase's instance */

    bool in_subroutine, after_return; /* the last instruction ended the main program or a subroutine */
    uint32_t depth;                   /* of if, loop, switch */

    const struct sch_d3d_instruction **interfaces; /* fp#: SCH_LOWER_INTERFACES of them, NULL where none is declared */
    const struct sch_d3d_instruction **tables;     /* ft# */
    size_t table_capacity;
    uint32_t interface_slots; /* up to the last one that is declared */
    bool declared_samplers;   /* all that there can be, for classes */
};

/* report.c: what is not lowered, said at the instruction where the lowering is. */
void sch_lower_refuse(struct sch_lower *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sch_lower_at(struct sch_lower *l, const struct sch_d3d_instruction *instruction); /* or NULL */

/* A direct index; one that no register has where there is none. */
static inline uint32_t sch_lower_number(const struct sch_d3d_operand *operand, unsigned index)
{
    if (index >= operand->index_count || operand->index[index].value > UINT32_MAX) return UINT32_MAX;
    return (uint32_t)operand->index[index].value;
}

/* registers.c: the SV register of a semantic; CONST[unit] and HWATOMIC[unit]: all declared when they are first named.
 * The range of registers that an operand names, or NULL. */
int sch_lower_system_value(struct sch_lower *l, unsigned semantic);
void sch_lower_need_constants(struct sch_lower *l, uint32_t unit, uint32_t vectors);
void sch_lower_need_counter(struct sch_lower *l, uint32_t unit);
const struct sch_d3d_range *sch_lower_range(const struct sch_lower *l, const struct sch_d3d_operand *operand);

/* operand.c: the register alone; with components and modifiers; of the instruction, as its row types it. */
struct sch_ir_src sch_lower_place(struct sch_lower *l, const struct sch_d3d_operand *operand, char type);
struct sch_ir_src sch_lower_source(struct sch_lower *l, const struct sch_d3d_operand *operand, char type);
struct sch_ir_src sch_lower_operand(struct sch_lower *l, unsigned number);
/* How many of the instruction's operands it writes: all before its first source. */
unsigned sch_lower_results(const struct sch_lower *l);
/* The system value that a register stands for, of those that have a name of their own; -1 if it is not one of them. */
int sch_lower_special_semantic(const struct sch_lower *l, unsigned type);
/* As an operand's letters say, if it has any. */
void sch_lower_select(const struct sch_d3d_operand *operand, uint8_t swizzle[4]);
/* The sum of an index and a number where it is below the limit, else one that no register has. */
struct sch_ir_src sch_lower_bounded(struct sch_lower *l, struct sch_ir_src index, uint32_t value, uint32_t limit);
/* Adds a register operand's index to a bracket: `base` + value + register. With a limit, indices from it on lead to no
 * register. */
void sch_lower_bracket(struct sch_lower *l, const struct sch_d3d_index *index, uint32_t base, uint32_t limit,
                       struct sch_ir_bracket *bracket);
/* What the operand names, and in `bracket` its unit; one that is not declared is refused and returns an empty one. */
const struct sch_lower_resource *sch_lower_named(struct sch_lower *l, const struct sch_d3d_operand *operand,
                                                 struct sch_ir_bracket *bracket);
/* Whether a register chooses which cb#, t# or s# it is, as `this` of a class does; the bracket that then names it, of
 * registers below `limit`, counted from `unit`, which is that of register `number`. */
bool sch_lower_of_class(const struct sch_lower *l, const struct sch_d3d_operand *operand);
void sch_lower_by_register(struct sch_lower *l, const struct sch_d3d_operand *operand, uint32_t limit, uint32_t number,
                           uint32_t unit, struct sch_ir_bracket *bracket);

/* origins.c: what the registers of the shader that was made are. */
void sch_lower_list_origins(struct sch_lower *l, struct sch_d3d_origins *origins);

/* destination.c: a destination and what follows its write: registers whose value is in another component. */
struct sch_lower_target {
    struct sch_ir_dst dst;
    bool moved;
    struct sch_ir_dst to;
    bool dropped; /* null */
};
struct sch_lower_target sch_lower_destination(struct sch_lower *l, const struct sch_d3d_operand *operand);
void sch_lower_finish(struct sch_lower *l, const struct sch_lower_target *target);
/* Where a lookup or load puts its residency status, asked for before its result is written: that may be what indexes
 * the place. Dropped where there is none. */
struct sch_lower_target sch_lower_status(struct sch_lower *l);
void sch_lower_write_status(struct sch_lower *l, const struct sch_lower_target *status);

/* resource.c: the declarations of cb#, s#, t#, u#. False: the instruction is not one of these. */
bool sch_lower_declare_resource(struct sch_lower *l, const struct sch_d3d_instruction *in);
/* A t# that stands for others that are like it: texels, its return types four bits each; structures or, with a stride
 * of 0, bytes. */
void sch_lower_declare_view(struct sch_lower *l, struct sch_lower_resource *made, unsigned dimension, uint32_t types);
void sch_lower_declare_bytes(struct sch_lower *l, struct sch_lower_resource *made, uint32_t stride);

/* class.c: the brackets of s# and t# that a register chooses. For a t# what it is like: one of the same kind (enum
 * sch_lower_resource_kind) and dimension, from which the bracket counts. */
void sch_lower_class_sampler(struct sch_lower *l, const struct sch_d3d_operand *operand,
                             struct sch_ir_bracket *bracket);
const struct sch_lower_resource *sch_lower_class_view(struct sch_lower *l, const struct sch_d3d_operand *operand,
                                                      unsigned kind, struct sch_ir_bracket *bracket);

/* patch.c: patch constants as they are declared; the levels of the tessellator. */
bool sch_lower_patch_declared(struct sch_lower *l, uint32_t number, unsigned file);
void sch_lower_patch_output(struct sch_lower *l, const struct sch_d3d_instruction *in, uint32_t value);
void sch_lower_declare_levels(struct sch_lower *l);
void sch_lower_copy_factors(struct sch_lower *l);

/* inout.c: v# and o# as they are declared; all that a hull shader without a control point phase passes on; oDepth and
 * the like. Then their registers, and the copies before the program and at its end. */
void sch_lower_declare_input(struct sch_lower *l, const struct sch_d3d_instruction *in, uint32_t value,
                             unsigned interpolation);
void sch_lower_declare_output(struct sch_lower *l, const struct sch_d3d_instruction *in, uint32_t value,
                              unsigned stream);
void sch_lower_declare_passed(struct sch_lower *l);
void sch_lower_declare_special(struct sch_lower *l, unsigned type);
void sch_lower_place_registers(struct sch_lower *l, struct sch_lower_register *registers, bool is_input);
void sch_lower_declare_distances(struct sch_lower *l);
void sch_lower_copy_inputs(struct sch_lower *l);
void sch_lower_copy_outputs(struct sch_lower *l, unsigned stream);

/* interface.c: tables and interfaces as they are declared; the constants of all of them. */
void sch_lower_interface(struct sch_lower *l, const struct sch_d3d_instruction *in);
void sch_lower_linkage(struct sch_lower *l);

/* declare.c: all declarations; what is computed before the first instruction. */
void sch_lower_declarations(struct sch_lower *l);
void sch_lower_prologue(struct sch_lower *l);

/* A label until the end, where it becomes the number of an instruction: l#, the phases of a hull shader, fb#. */
enum sch_lower_labels { SCH_LOWER_SUBROUTINE, SCH_LOWER_PHASE, SCH_LOWER_BODY, SCH_LOWER_LABELS };
enum { SCH_LOWER_SUBROUTINES = 65536 };
static inline uint32_t sch_lower_label_of(uint32_t number, enum sch_lower_labels of)
{
    return (number < SCH_LOWER_SUBROUTINES ? number : SCH_LOWER_SUBROUTINES) * SCH_LOWER_LABELS + (uint32_t)of;
}
static inline void sch_lower_call(struct sch_lower *l, uint32_t number, enum sch_lower_labels of)
{
    sch_build_call(l->build, sch_lower_label_of(number, of));
}

/* flow.c: the next instruction is that of a label. */
void sch_lower_label(struct sch_lower *l, uint32_t number, enum sch_lower_labels of);

/* rows.c: lowers an instruction by its row. hull.c: lowers the whole program of a hull shader. */
void sch_lower_instruction(struct sch_lower *l, const struct sch_d3d_instruction *instruction);
void sch_lower_hull(struct sch_lower *l);

/* alu.c, flow.c, interface.c, memory.c, texture.c: the functions that rows of lower.def name. */
struct sch_lower_row {
    void (*lower)(struct sch_lower *l, const struct sch_lower_row *row);
    uint16_t op, other;
    const char *order; /* of sources, where it differs */
};
typedef void sch_lower_fn(struct sch_lower *l, const struct sch_lower_row *row);
/* The formatter moves this list further in each time. */
/* clang-format off */
#define LOWER_FUNCTIONS(X)                                                                                             \
    X(PLAIN) X(EACH) X(BOTH) X(BOTH_EACH) X(MAD_) X(FIRST_HIGH) X(FIRST_SIGNED) X(TO_HALF) X(FROM_HALF) X(SWAP)        \
    X(CARRY) X(BORROW) X(COMPARE_WIDE) X(MOVE_WIDE) X(CHOOSE_WIDE) X(NARROW) X(WIDEN) X(NOTHING)             \
    X(TEST) X(TEST_JUMP) X(FLOW) X(CALL_) X(RETURN_) X(LABEL_) X(LOOP_BEGIN) X(BLOCK_END) X(SELECT_) X(CASE_)          \
    X(EMIT_) X(LOOKUP) X(RESOURCE_SIZE) X(SAMPLE_COUNT) X(SAMPLE_PLACE) X(BUFFER_SIZE) X(MAPPED) X(EVALUATE)           \
    X(LOAD_TYPED) X(STORE_TYPED) X(LOAD_RAW) X(STORE_RAW_) X(LOAD_STRUCTURED) X(STORE_STRUCTURED_) X(ATOMIC_)          \
    X(ATOMIC_OLD) X(COUNTER) X(SYNC_) X(INTERFACE_CALL)
/* clang-format on */
#define LOWER_DECLARE(name) sch_lower_fn sch_lower_##name;
LOWER_FUNCTIONS(LOWER_DECLARE)
#undef LOWER_DECLARE

#endif
