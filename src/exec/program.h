/* A program as engines run it: what the shader says (ir/prepared.h), and beside it what this library adds, a level's
 * operations, the interpreter's handlers, what an engine made. Immutable once made. Holds no state of a run
 * (exec/machine.h). */
#ifndef SCH_EXEC_PROGRAM_H
#define SCH_EXEC_PROGRAM_H

#include "exec/exec.h"
#include "ir/prepared.h"
#include "ops/ops.h"

struct sch_exec_engine;
struct sch_exec_machine;
struct sch_exec_unit;

/* Runs one instruction and returns the next one; NULL ends the group. */
typedef const struct sch_prepared_instruction *sch_exec_handler(struct sch_exec_machine *machine,
                                                                const struct sch_prepared_instruction *instruction);

struct sch_exec_program {
    struct sch_prepared prepared; /* its arena owns everything below, and this struct's users' tables */
    const struct sch_ops *ops;
    const struct sch_exec_engine *engine;
    void *engine_context;              /* of struct sch_exec_options */
    void *engine_data;                 /* the engine's own, in the arena */
    void *code;                        /* of machine code (src/native), in the arena */
    sch_exec_handler **handlers;       /* the interpreter's, by instruction */
    struct sch_lanes *program_space;   /* prepared.program_words as lanes */
    bool cleared[SCH_FILE_COUNT];      /* files that are made zero before every group */
    const struct sch_exec_unit *units; /* what is read of the bindings: exec/units.h */
    uint32_t unit_count;
};

#endif
