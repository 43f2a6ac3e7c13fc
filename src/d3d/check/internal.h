/* What the parts of the validator of shader models 4 and 5 share: the state of one check and reporting. Private to
 * src/d3d/check/; the rules that are lists are in d3d/check/check.def. */
#ifndef SCH_D3D_CHECK_INTERNAL_H
#define SCH_D3D_CHECK_INTERNAL_H

#include <string.h>

#include "d3d/check/check.h"
#include "isa/errors.h"

enum {
    SCH_D3D_IO_REGISTERS = 64, /* of one file of inputs or outputs: more than any file has */
    SCH_D3D_STREAMS = 4,
    SCH_D3D_ARRAYS = 4096,         /* x# */
    SCH_D3D_INTERFACE_SLOTS = 253, /* SHADER_MAX_INTERFACES */
};

/* What t#, u# and g# are declared as: the numbers of vocabularies DIMENSION and UNTYPED. */
enum sch_d3d_kind {
    SCH_D3D_KIND_BUFFER = 1,
    SCH_D3D_KIND_1D = 2,
    SCH_D3D_KIND_2D = 3,
    SCH_D3D_KIND_2DMS = 4,
    SCH_D3D_KIND_3D = 5,
    SCH_D3D_KIND_CUBE = 6,
    SCH_D3D_KIND_1D_ARRAY = 7,
    SCH_D3D_KIND_2D_ARRAY = 8,
    SCH_D3D_KIND_2DMS_ARRAY = 9,
    SCH_D3D_KIND_CUBE_ARRAY = 10,
    SCH_D3D_KIND_RAW = 11,
    SCH_D3D_KIND_STRUCTURED = 12
};

/* A resource, sampler, buffer, view, memory, stream, function body, table or interface. */
struct sch_d3d_declared {
    uint8_t type; /* enum sch_d3d_register */
    uint64_t id;  /* register; shader model 5.1: identifier */
    const struct sch_d3d_instruction *instruction;
};

/* Inputs or outputs of one register file, as one phase declares them. */
struct sch_d3d_io {
    uint8_t mask[SCH_D3D_STREAMS][SCH_D3D_IO_REGISTERS]; /* components; inputs have stream 0 only */
    uint64_t indexable;                                  /* registers in a dcl_indexrange */
    uint64_t vertices;                                   /* the first index of two, declared; 0: there is one index */
    bool any;
};

struct sch_d3d_array {
    uint32_t size, components, phase; /* phase: the number of the phase that declared it */
};

/* What holds for the body of a program, or for one phase of a hull shader. */
struct sch_d3d_phase {
    uint32_t number;
    uint8_t opcode; /* that begins it; 0 outside of hull shaders and before the first one */
    bool begun;     /* an instruction that is not a declaration was */
    bool has_temps;
    uint32_t stream;                               /* of the output declarations that follow */
    uint64_t temps;                                /* r# */
    uint64_t told_temps;                           /* those below were reported */
    uint64_t storage;                              /* r# and x# together */
    struct sch_d3d_io *io[SCH_D3D_REGISTER_COUNT]; /* of the files that the phase declares; others have NULL */
    const struct sch_d3d_instruction *last;
};

/* An open construct. */
struct sch_d3d_frame {
    uint8_t opcode;                     /* IF, ELSE, LOOP, SWITCH */
    bool has_default, loops, breakable; /* LOOP, and LOOP or SWITCH, among this one and those around it */
    size_t cases;                       /* SWITCH: where its values begin */
    const struct sch_d3d_instruction *instruction;
};

struct sch_d3d_case {
    uint32_t value;
    const struct sch_d3d_instruction *instruction;
};

/* A subroutine, or the main program. */
struct sch_d3d_routine {
    uint64_t key; /* file and number of its label */
    const struct sch_d3d_instruction *instruction;
    size_t first_call, call_count; /* in check->calls */
    uint8_t depth;                 /* of calls below it, plus one; 0: not known yet */
    bool open;                     /* its calls are being followed */
};

struct sch_d3d_call {
    uint64_t key; /* of the routine; fcall: the number of the interface */
    const struct sch_d3d_instruction *instruction;
};

/* What a signature has at one register. */
struct sch_d3d_signed {
    uint8_t mask, integers;
    uint16_t values[4]; /* of each component: bit n: system value n */
};

struct sch_d3d_check {
    const struct sch_d3d_program *program;
    const struct sch_d3d_signature *signatures; /* or NULL */
    struct sch_diagnostics *diagnostics;
    struct sch_arena arena; /* everything that the check allocates; it knows whether that failed */
    size_t errors;
    char stage;    /* as in columns: v p g h d c */
    uint8_t model; /* 40, 41, 50, 51 */
    bool spaces;   /* 5.1 */
    uint32_t global_flags;
    const struct sch_d3d_instruction *seen[SCH_D3D_OP_LIMIT]; /* the last one of each opcode, or NULL */

    struct sch_d3d_declared *declared; /* sorted by type and id, each once */
    size_t declared_count, declared_capacity;
    uint32_t constants;           /* vectors of the immediate constant buffer */
    uint64_t shared_memory;       /* bytes */
    uint32_t interface_slots;     /* up to the last one of a declared interface */
    struct sch_d3d_array *arrays; /* x#, to the highest number that is declared */
    size_t array_count;
    struct sch_d3d_phase phase;
    struct sch_d3d_signed signed_registers[SCH_D3D_SIGNATURE_COUNT][SCH_D3D_IO_REGISTERS];

    struct sch_d3d_frame *frames;
    size_t frame_count, frame_capacity;
    struct sch_d3d_case *cases;
    size_t case_count, case_capacity;
    struct sch_d3d_routine *routines; /* the first is the main program */
    size_t routine_count, routine_capacity;
    struct sch_d3d_call *calls;
    size_t call_count, call_capacity;
    bool told_depth, told_outside;
};

/* The severity of a number, which its range decides, counted. */
enum sch_severity sch_d3d_check_severity(struct sch_d3d_check *check, unsigned code);

#define SCH_D3D_REPORT(check, code, instruction, ...)                                                                  \
    sch_diagnostics_add((check)->diagnostics, sch_d3d_check_severity((check), SCH_D_##code), SCH_D_##code,             \
                        (instruction)->position, __VA_ARGS__)

/* Whether a column of stages has this one. */
static inline bool sch_d3d_in_stage(const struct sch_d3d_check *check, const char *stages)
{
    return strchr(stages, check->stage) != NULL;
}

/* What the phase declares of a file of inputs or outputs. */
static inline const struct sch_d3d_io *sch_d3d_io(const struct sch_d3d_check *check, unsigned type)
{
    static const struct sch_d3d_io none;
    return check->phase.io[type] ? check->phase.io[type] : &none;
}

/* "253" (SHADER_MAX_INTERFACES): an array takes a slot for each element, from its number on. */
static inline bool sch_d3d_slots_hold(uint32_t first, uint32_t size)
{
    return first < SCH_D3D_INTERFACE_SLOTS && first + size <= SCH_D3D_INTERFACE_SLOTS;
}

/* The row of the instruction, which the decoder and the assembler have made sure of. */
static inline const struct sch_d3d_op_info *sch_d3d_row(const struct sch_d3d_instruction *instruction)
{
    return sch_d3d_op_info(instruction->opcode);
}

/* "x3[7]" or what of it is known; `text` has SCH_D3D_NAME bytes. */
enum { SCH_D3D_NAME = 64 };
const char *sch_d3d_operand_name(const struct sch_d3d_operand *operand, char text[SCH_D3D_NAME]);
#define SCH_D3D_NAMED(operand) sch_d3d_operand_name((operand), (char[SCH_D3D_NAME]){0})

/* files.c: the rows of check.def about register files. */
struct sch_d3d_file {
    const char *uses, *stages;
    uint8_t least, most, extra;
};
const struct sch_d3d_file *sch_d3d_file(unsigned type); /* every register has a row */
static inline bool sch_d3d_may(unsigned type, char use) { return strchr(sch_d3d_file(type)->uses, use); }

/* How many indices an operand of a file has at least and at most here. */
void sch_d3d_index_counts(const struct sch_d3d_check *check, unsigned type, unsigned *least, unsigned *most);

/* The greatest number of registers of a file, UINT64_MAX where nothing bounds it. */
uint64_t sch_d3d_slots(const struct sch_d3d_check *check, unsigned type);

/* Whether this phase of a hull shader has a file or a declaration; true in other stages. */
bool sch_d3d_file_in_phase(const struct sch_d3d_check *check, unsigned type);
bool sch_d3d_op_in_phase(const struct sch_d3d_check *check, unsigned opcode);

/* collect.c: collects the declarations of the whole program, and finds one. */
void sch_d3d_check_collect(struct sch_d3d_check *check);
const struct sch_d3d_declared *sch_d3d_find_declared(const struct sch_d3d_check *check, unsigned type, uint64_t id);

/* What a declaration makes of its register: enum sch_d3d_kind; 0 where it is something else. */
unsigned sch_d3d_declared_kind(const struct sch_d3d_instruction *declaration);

/* declare.c: one declaration. */
void sch_d3d_check_declaration(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                               const struct sch_d3d_op_info *info);

/* operands.c */
void sch_d3d_check_operands(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_op_info *info);

/* registers.c: whether the register that an operand names is there. */
void sch_d3d_check_register(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_operand *operand, char role);

/* access.c: instructions on resources, views and memory. */
void sch_d3d_check_access(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                          const struct sch_d3d_op_info *info);

/* flow.c: control flow, phases, subroutines. */
void sch_d3d_check_flow(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction);
void sch_d3d_check_flow_end(struct sch_d3d_check *check);

/* stage.c: what a stage needs, signatures and system values. */
void sch_d3d_check_stage(struct sch_d3d_check *check);
void sch_d3d_check_read_signatures(struct sch_d3d_check *check);
void sch_d3d_check_signature(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                             const struct sch_d3d_operand *operand);
void sch_d3d_check_system_value(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction);

/* geometry.c: vertices, control points and streams. */
void sch_d3d_check_vertices(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction,
                            const struct sch_d3d_operand *operand);
void sch_d3d_check_topology(struct sch_d3d_check *check, const struct sch_d3d_instruction *instruction);
void sch_d3d_check_geometry(struct sch_d3d_check *check);

#endif
