/* What a shader uses its registers for, found out from declarations and operands. Debuggers show it; engines do without
 * it. */
#ifndef SCH_IR_USES_H
#define SCH_IR_USES_H

#include "ir/ir.h"

/* Registers of which all that follows is the same. */
struct sch_ir_use {
    uint8_t file; /* enum sch_file */
    bool is_read;
    uint16_t buffer; /* CONSTANT; otherwise 0 */
    uint32_t first, last;
    uint8_t types[4]; /* enum sch_value_type */
};

/* Whether uses of a file are listed. */
static inline bool sch_ir_has_uses(unsigned file)
{
    return file < SCH_FILE_COUNT && (SCH_FILE_BIT(CONSTANT) | SCH_FILE_BIT(INPUT) | SCH_FILE_BIT(OUTPUT) |
                                     SCH_FILE_BIT(TEMPORARY) | SCH_FILE_BIT(SYSTEM_VALUE)) >>
                                            file &
                                        1;
}

/* Lists the declared registers by file, buffer and number, each once (sch_shader_register_uses). MEMORY. */
enum sch_result sch_ir_list_uses(const struct sch_ir_shader *shader, struct sch_arena *arena, struct sch_ir_use **uses,
                                 size_t *count);

#endif
