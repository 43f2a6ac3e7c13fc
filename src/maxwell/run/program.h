/* Maxwell code as a program of src/exec: each of its instructions is one instruction of the program, with the same
 * number; NOPs at its end are left out. R and P are scalar registers of the group's state (ir/ir.h, `scalar`); texture
 * instructions have handlers of the engine here, which brings registers to maxwell/run/warp.h and back. */
#ifndef SCH_MAXWELL_RUN_PROGRAM_H
#define SCH_MAXWELL_RUN_PROGRAM_H

#include "exec/engine.h"
#include "maxwell/text/code.h"

struct sch_native; /* native/native.h */

/* The shader that code becomes, of a compute stage. UNSUPPORTED, and reported: it has not one section, or instructions
 * that are not executed, each operation once. */
enum sch_result sch_maxwell_make_ir(const struct sch_maxwell_code *code, const struct sch_allocator *allocator,
                                    const struct sch_limits *limits, struct sch_diagnostics *diagnostics,
                                    struct sch_ir_shader **ir);

/* For observers: the ranges of global memory that a machine's run has, in the order of their addresses; none of other
 * programs. `ranges` may be NULL. */
uint32_t sch_maxwell_run_ranges(const struct sch_exec_machine *machine, const struct sch_maxwell_range **ranges);

/* Runs such a shader by handlers. The engine's context (struct sch_exec_options) is this; of the code nothing is
 * kept. */
struct sch_maxwell_context {
    const struct sch_maxwell_code *code;
    struct sch_native *native; /* of engines that have machine code, too (maxwell/run/code.h) */
};
extern const struct sch_exec_engine sch_engine_maxwell_code;

#endif
