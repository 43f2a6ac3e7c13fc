/* Counting instructions by the lanes that execute them (struct sch_heat), where somebody asks: a copy of a program
 * whose groups note them in machine->heat. Other runs do not come here. */
#ifndef SCH_EXEC_COUNT_H
#define SCH_EXEC_COUNT_H

#include "exec/engine.h"

/* By the interpreter's handlers, or by Maxwell's where the program was made for those. It lives as long as the arena.
 * False: no memory. */
bool sch_exec_counted(const struct sch_exec_program *program, struct sch_arena *arena,
                      const struct sch_exec_program **counted);

#endif
