/* An instruction of Maxwell code as it runs: what its word says, decoded once by the templates of
 * src/isa/maxwell_forms.def and the rows of src/isa/maxwell_meanings.def. Executes nothing. */
#ifndef SCH_MAXWELL_RUN_STEP_H
#define SCH_MAXWELL_RUN_STEP_H

#include "abi/maxwell.h"
#include "exec/program.h"
#include "maxwell/text/code.h"

enum { SCH_MAXWELL_LOST = UINT32_MAX };

/* Special registers that have a value here: table SR of src/isa/maxwell_enums.def. */
enum sch_maxwell_special {
    SCH_MAXWELL_SR_LANEID = 0,
    SCH_MAXWELL_SR_CLOCK = 1,
    SCH_MAXWELL_SR_THREAD_KILL = 0x13,
    SCH_MAXWELL_SR_TID = 0x20,
    SCH_MAXWELL_SR_TID_X = 0x21,
    SCH_MAXWELL_SR_TID_Y = 0x22,
    SCH_MAXWELL_SR_TID_Z = 0x23,
    SCH_MAXWELL_SR_CTAID_X = 0x25,
    SCH_MAXWELL_SR_CTAID_Y = 0x26,
    SCH_MAXWELL_SR_CTAID_Z = 0x27,
    SCH_MAXWELL_SR_LMEMHIOFF = 0x37,
    SCH_MAXWELL_SR_EQMASK = 0x38,
    SCH_MAXWELL_SR_LTMASK = 0x39,
    SCH_MAXWELL_SR_LEMASK = 0x3a,
    SCH_MAXWELL_SR_GTMASK = 0x3b,
    SCH_MAXWELL_SR_GEMASK = 0x3c,
    SCH_MAXWELL_SR_CLOCKLO = 0x50,
    SCH_MAXWELL_SR_CLOCKHI = 0x51,
    SCH_MAXWELL_SR_GLOBALTIMERLO = 0x52,
    SCH_MAXWELL_SR_GLOBALTIMERHI = 0x53
};
bool sch_maxwell_special_is_known(unsigned number);

/* Decodes a word other than a texture instruction. UNSUPPORTED, reported: it is not executed. */
enum sch_result sch_maxwell_step_decode(const struct sch_maxwell_section *section, const struct sch_maxwell_item *item,
                                        struct sch_diagnostics *diagnostics, struct sch_maxwell_step *step);

/* The handler of a kind; NULL: of texture instructions. */
sch_exec_handler *sch_maxwell_handler_of(unsigned kind);

/* Which operands and results of arithmetic are floats: their bits, 16, 32 or 64, and 0 for others. Those of 64 bits
 * have the exponent in the last word that there is. */
struct sch_maxwell_floats {
    uint8_t source[SCH_MAXWELL_SOURCES], result;
};
struct sch_maxwell_floats sch_maxwell_step_floats(const struct sch_maxwell_step *step);

/* The instruction that execution continues with at an address; LOST: none. The end is one more than the last. */
uint32_t sch_maxwell_instruction_at(const struct sch_maxwell_section *section, int64_t address);

#endif
