/* The rules of the language: structure, declarations against use, operands, stages. Each rule has a number of
 * src/isa/errors.def and a test that breaks it. */
#ifndef SCH_IR_CHECK_H
#define SCH_IR_CHECK_H

#include <scheelite/types.h>

#include "base/until.h"
#include "ir/ir.h"

/* OK: valid, perhaps with warnings; INVALID: at least one error was reported; LIMIT: the same, and every error is that
 * the shader asks for more than its limits; MEMORY. Linear in the shader's size. */
enum sch_result sch_ir_check(const struct sch_ir_shader *shader, struct sch_diagnostics *diagnostics);

/* The same, perhaps ended early: DEADLINE, CANCELLED. */
enum sch_result sch_ir_check_until(const struct sch_ir_shader *shader, const struct sch_until *until,
                                   struct sch_diagnostics *diagnostics);

/* The files that source `operand` of an opcode may name where its row has R: a register that is not read. `*what` says
 * it in words. Destinations with R are those of STORE: see sch_ir_stored_files. */
unsigned sch_ir_named_files(const struct sch_op_info *info, unsigned operand, const char **what);
unsigned sch_ir_stored_files(void);

/* Whether an operand that names a resource may be a value in a register of `file`: a bindless handle. */
bool sch_ir_takes_handle(const struct sch_op_info *info, unsigned file);

#endif
