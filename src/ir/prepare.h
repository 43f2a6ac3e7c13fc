/* What the parts of preparing a program share (ir/prepare*.c), one after the other: where registers live, what memory
 * and stage are, operands instruction by instruction, control flow. */
#ifndef SCH_IR_PREPARE_H
#define SCH_IR_PREPARE_H

#include "ir/prepared.h"

struct sch_preparation {
    struct sch_prepared *program;
    const struct sch_ir_shader *shader;
    struct sch_diagnostics *diagnostics;
    const struct sch_ir_instruction *source; /* the one being prepared */
    bool legacy;                             /* LEGACY_MATH_RULES */
    bool d3d;                                /* D3D_RULES */
    bool refused;                            /* something cannot run */
    bool refused_opcodes[SCH_OP_LIMIT];      /* already reported */
    bool refused_files[UINT8_MAX + 1];       /* likewise */
};

/* ir/prepare_layout.c: decides files, constants, inputs, system values. */
enum sch_result sch_prepare_layout(struct sch_prepared *program, const struct sch_ir_shader *shader);
/* ir/prepare_memory.c: decides what MEMORY, RES and IMAGE registers are. */
enum sch_result sch_prepare_memory(struct sch_prepared *program, const struct sch_ir_shader *shader);
/* ir/prepare_stage.c: decides what belongs to the stage; the files are laid out. */
enum sch_result sch_prepare_stage(struct sch_prepared *program, const struct sch_ir_shader *shader);

/* ir/prepare_interface.c: what links the program with others; the files are laid out. */
enum sch_result sch_prepare_interface(struct sch_prepared *program, const struct sch_ir_shader *shader);
/* ir/prepare_interface.c: whether the order of invocations can be seen in memory; all else is prepared. */
enum sch_result sch_prepare_effects(struct sch_prepared *program);

/* ir/prepare_operands.c: the instruction `number` but for where control goes. What cannot run is reported. */
enum sch_result sch_prepare_instruction(struct sch_preparation *preparation, uint32_t number);
/* A source operand of the type `type`, a letter of signatures (isa/opcodes.def). */
void sch_prepare_source(struct sch_preparation *preparation, const struct sch_ir_src *src, char type,
                        struct sch_prepared_src *out);
/* ir/prepare_lookup.c: what a texture lookup has beside its operands. */
enum sch_result sch_prepare_lookup(struct sch_preparation *preparation, struct sch_prepared_instruction *out);
/* ir/prepare_memory.c: the resource of a memory instruction. */
enum sch_result sch_prepare_resource(struct sch_preparation *preparation, struct sch_prepared_instruction *out);

/* ir/prepare_flow.c: where lanes continue, of all instructions. */
enum sch_result sch_prepare_maxwell(struct sch_prepared *program, const struct sch_ir_shader *shader);
enum sch_result sch_prepare_flow(struct sch_prepared *program, const struct sch_ir_shader *shader);

#endif
