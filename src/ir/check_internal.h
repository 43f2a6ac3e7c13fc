/* What the parts of the validator share: the state of one check, the declared registers, reporting. Private to
 * src/ir/check*.c. */
#ifndef SCH_IR_CHECK_INTERNAL_H
#define SCH_IR_CHECK_INTERNAL_H

#include "ir/check.h"
#include "ir/flow.h"
#include "isa/errors.h"

/* Registers that one declaration declares and no earlier one did. Keys order by file, dimension, register. */
struct sch_check_range {
    uint64_t first, last;
    const struct sch_ir_declaration *declaration;
    uint32_t overlap; /* ranges with the same number come from declarations that overlap */
};

#define SCH_CHECK_KEY(file, dimension, index)                                                                          \
    ((uint64_t)(file) << 48 | (uint64_t)(uint16_t)(dimension) << 32 | (uint32_t)(index))

/* A set of numbers, so that each thing is reported once. */
struct sch_check_set {
    uint64_t *slots; /* 0 is a free slot: numbers are stored plus one */
    size_t capacity, count;
};

struct sch_check {
    const struct sch_ir_shader *shader;
    struct sch_diagnostics *diagnostics;
    struct sch_arena arena;      /* everything that the check allocates */
    size_t errors, limit_errors; /* all, and those that only a limit causes */

    struct sch_check_range *ranges; /* ascending, disjoint */
    size_t range_count;
    bool *overlap_shared;          /* by overlap number: more than one declaration */
    struct sch_check_set arrays;   /* file and ArrayID of every array that is declared */
    struct sch_check_set reported; /* registers that were reported already */
    uint32_t declared;             /* SCH_FILE_BIT of files with a declaration */
    uint32_t told_undeclared;      /* files: an indirect operand without any declaration was reported */
    uint32_t told_indirect;        /* files: an indirect operand without an ArrayID was reported */
    uint32_t told_dimension;       /* files: a dimension without meaning was reported */
    bool d3d;                      /* D3D_RULES */
    bool told_after_end, told_derivative, told_membar, told_mixed;

    bool uses_tex, uses_sample; /* texture opcodes of the two styles */
    uint32_t input_vertices;    /* of a vertex array of inputs; 0 where inputs have none */
    uint32_t output_vertices;   /* likewise of outputs */
};

/* The severity in the row of a number (errors.def), counted where it is an error. */
enum sch_severity sch_check_severity(struct sch_check *check, unsigned code);

/* Where a report goes: under D3D_RULES warnings go nowhere, for they say what TGSI's text does not describe, and
 * Direct3D's programs go beyond it in many places. */
struct sch_diagnostics *sch_check_list(const struct sch_check *check, unsigned code);

#define SCH_CHECK_REPORT(check, code, position, ...)                                                                   \
    sch_diagnostics_add(sch_check_list((check), SCH_D_##code), sch_check_severity((check), SCH_D_##code),              \
                        SCH_D_##code, (position), __VA_ARGS__)

/* check_registers.c: the set, and the registers that are declared. */

/* Adds a number; false when it was there before or memory is out. */
bool sch_check_set_add(struct sch_check *check, struct sch_check_set *set, uint64_t number);
bool sch_check_set_has(const struct sch_check_set *set, uint64_t number);

/* Sorts the declarations into ranges, reporting registers that are declared twice. */
void sch_check_collect_ranges(struct sch_check *check);

/* The range with a register, or NULL when it is not declared. */
const struct sch_check_range *sch_check_find(const struct sch_check *check, unsigned file, int dimension, int index);

/* Whether any register with this dimension (buffer) is declared. */
bool sch_check_find_dimension(const struct sch_check *check, unsigned file, int dimension);

/* check_structure.c: control flow, and the order of what is stored. */
void sch_check_structure(struct sch_check *check);

/* check_declarations.c, check_properties.c */
void sch_check_declarations(struct sch_check *check);
void sch_check_properties(struct sch_check *check);

/* check_operands.c: operands by the opcode's row. False when their number is wrong: then nothing else can be
 * checked. */
bool sch_check_operands(struct sch_check *check, const struct sch_ir_instruction *instruction,
                        const struct sch_op_info *info);

/* check_use.c: the register that an operand names: declared, its brackets, its index registers. */
struct sch_check_operand {
    const struct sch_ir_instruction *instruction;
    unsigned file;
    const struct sch_ir_bracket *index;
    const struct sch_ir_bracket *dimension; /* NULL: one bracket */
    uint8_t components;                     /* mask of those read or written; 0 when that is not known */
};
void sch_check_use(struct sch_check *check, const struct sch_check_operand *operand);

/* check_texture.c: texture opcodes, their targets and views. */
void sch_check_texture(struct sch_check *check, const struct sch_ir_instruction *instruction,
                       const struct sch_op_info *info);
void sch_check_texture_end(struct sch_check *check);

/* check_opcodes.c: rules of single opcodes: stages, immediates, memory. */
void sch_check_opcode(struct sch_check *check, const struct sch_ir_instruction *instruction,
                      const struct sch_op_info *info);

/* Words for messages. */
const char *sch_check_file_word(unsigned file);
const char *sch_check_target_word(unsigned target);

#endif
