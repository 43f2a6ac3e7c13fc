/* What the parts of the decoder share: exec/decode.c and the texture lookups of exec/lookup.c. */
#ifndef SCH_EXEC_DECODE_H
#define SCH_EXEC_DECODE_H

#include <string.h>

#include "exec/program.h"

struct sch_exec_decoder {
    struct sch_exec_program *program;
    const struct sch_ir_shader *shader;
    struct sch_diagnostics *diagnostics;
    const struct sch_ir_instruction *source; /* the one being decoded */
    bool legacy;                             /* LEGACY_MATH_RULES */
    bool d3d;                                /* D3D_RULES */
    bool refused;                            /* something cannot run */
    bool refused_opcodes[SCH_OP_LIMIT];      /* already reported */
    bool refused_files[UINT8_MAX + 1];       /* likewise */
};

/* Decodes a source operand of the type `type`, a letter of signatures (isa/opcodes.def). */
void sch_exec_decode_source(struct sch_exec_decoder *decoder, const struct sch_ir_src *src, char type,
                            struct sch_exec_src *out);

/* Decodes what a texture lookup has beside its operands. */
enum sch_result sch_exec_lookup_decode(struct sch_exec_decoder *decoder, struct sch_exec_instruction *out);

/* Decodes the resource of a memory instruction. */
enum sch_result sch_exec_memory_decode(struct sch_exec_decoder *decoder, struct sch_exec_instruction *out);

#endif
