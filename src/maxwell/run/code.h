/* The engines `jit` and `auto` for Maxwell code. Their context is that of maxwell/run/program.h. */
#ifndef SCH_MAXWELL_RUN_CODE_H
#define SCH_MAXWELL_RUN_CODE_H

#include "exec/engine.h"

extern const struct sch_exec_engine sch_engine_maxwell_jit, sch_engine_maxwell_auto;

#endif
