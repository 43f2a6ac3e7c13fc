/* The scalar steps of lowered lookups in words. */
#include <stdio.h>

#include "maxwell/lower/lower.h"

static void print_alu(const struct sch_maxwell_lowered_step *step, char text[SCH_MAXWELL_STEP_TEXT])
{
    const struct sch_op_info *info = sch_op_info(step->opcode);
    int at = snprintf(text, SCH_MAXWELL_STEP_TEXT, "R%u = %s(", step->to, info->name);
    for (unsigned s = 0; s < info->srcs; s++) /* the longest has half of the bytes */
        at += snprintf(text + at, SCH_MAXWELL_STEP_TEXT - (size_t)at, "%sR%u", s ? ", " : "", step->from[s]);
    snprintf(text + at, SCH_MAXWELL_STEP_TEXT - (size_t)at, ")");
}

void sch_maxwell_step_print(const struct sch_maxwell_lowered_step *step, char text[SCH_MAXWELL_STEP_TEXT])
{
    static const char letters[] = "xyzw";
    switch ((enum sch_maxwell_step_kind)step->kind) {
    case SCH_MAXWELL_STEP_SOURCE:
        snprintf(text, SCH_MAXWELL_STEP_TEXT, "R%u = src%u.%c", step->to, step->operand, letters[step->component & 3]);
        break;
    case SCH_MAXWELL_STEP_OFFSET:
        snprintf(text, SCH_MAXWELL_STEP_TEXT, "R%u = offset%u.%c", step->to, step->operand,
                 letters[step->component & 3]);
        break;
    case SCH_MAXWELL_STEP_HANDLE:
        snprintf(text, SCH_MAXWELL_STEP_TEXT, "R%u = handle of the sampler and view", step->to);
        break;
    case SCH_MAXWELL_STEP_CONSTANT:
        snprintf(text, SCH_MAXWELL_STEP_TEXT, "R%u = 0x%x", step->to, step->word);
        break;
    case SCH_MAXWELL_STEP_LEVEL:
        snprintf(text, SCH_MAXWELL_STEP_TEXT, "R%u = level of detail of the derivatives R%u... at R%u..., S8.8",
                 step->to, step->from[1], step->from[0]);
        break;
    case SCH_MAXWELL_STEP_ALU:
        print_alu(step, text);
        break;
    }
}
