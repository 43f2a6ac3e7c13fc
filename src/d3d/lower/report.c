/* What is not lowered, and where the lowering is. */
#include "d3d/lower/internal.h"

#include <stdarg.h>
#include <stdio.h>

#include "isa/errors.h"

enum { MOST_REPORTS = 20 };

void sch_lower_refuse(struct sch_lower *l, const char *format, ...)
{
    if (l->build->status == SCH_OK) l->build->status = SCH_ERROR_UNSUPPORTED;
    unsigned opcode = l->at ? l->at->opcode : SCH_D3D_OP_NOP;
    if (l->refused[opcode] || l->reports >= MOST_REPORTS) return;
    l->refused[opcode] = true;
    l->reports++;
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct sch_position position = l->at ? l->at->position : (struct sch_position){0};
    sch_diagnostics_add(l->diagnostics, SCH_SEVERITY_ERROR, SCH_D_D3D_NOT_LOWERED, position, "%s: %s",
                        l->at ? sch_d3d_op_info(opcode)->word : "program", message);
}

void sch_lower_at(struct sch_lower *l, const struct sch_d3d_instruction *instruction)
{
    l->at = instruction;
    l->build->position = instruction ? instruction->position : (struct sch_position){0};
}
