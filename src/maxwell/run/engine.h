/* The engine that runs a shader's texture lookups as Maxwell instructions, and everything else as the interpreter does.
 * It follows `rules` = maxwell whatever the bound samplers say. Meaning: docs/maxwell.md, "Lowering". */
#ifndef SCH_MAXWELL_RUN_ENGINE_H
#define SCH_MAXWELL_RUN_ENGINE_H

#include "exec/engine.h"

extern const struct sch_exec_engine sch_engine_maxwell;

#endif
