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
    bool refused;                            /* something cannot run */
    bool refused_opcodes[SCH_OP_LIMIT];      /* already reported */
    uint32_t refused_targets[SCH_OP_LIMIT];  /* bits by target */
    uint32_t refused_files;                  /* bits by file; two-dimensional ones in the upper half */
    bool refused_offsets;
};

/* Decodes what a texture lookup has beside its operands, or reports that this version does not run it. */
enum sch_status sch_exec_lookup_decode(struct sch_exec_decoder *decoder, struct sch_exec_instruction *out);

/* Decodes the resource of a memory instruction, or reports that this version does not access it. */
enum sch_status sch_exec_memory_decode(struct sch_exec_decoder *decoder, struct sch_exec_instruction *out);

#endif
