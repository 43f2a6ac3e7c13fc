/* The handlers of Maxwell's instructions: arithmetic, which bodies of src/ops compute, and what the rows
 * MAXWELL_CODE_HANDLER of src/isa/maxwell_meanings.def name. Lanes that execute are those of the group whose guard
 * holds. */
#ifndef SCH_MAXWELL_RUN_HANDLERS_H
#define SCH_MAXWELL_RUN_HANDLERS_H

#include "exec/machine.h"
#include "maxwell/run/step.h"

#define MAXWELL_CODE_HANDLER(operation, form, handler) extern sch_exec_handler sch_maxwell_##handler;
#include "isa/maxwell_meanings.def"
#undef MAXWELL_CODE_HANDLER

extern sch_exec_handler sch_maxwell_arithmetic;

#endif
