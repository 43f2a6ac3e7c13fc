/* Maxwell texture instructions as text, one at a time, and their restrictions. Whole programs: maxwell/text/code.h.
 * Syntax: the instruction pages' and nvdisasm's; src/isa/maxwell.def has the names. */
#ifndef SCH_MAXWELL_TEXT_TEXT_H
#define SCH_MAXWELL_TEXT_TEXT_H

#include <scheelite/types.h>

#include "base/diagnostics.h"
#include "maxwell/text/instruction.h"

/* The fields of an instruction's control slot, the phase excepted, which is the instruction's. */
struct sch_maxwell_schedule {
    uint8_t stall;         /* 0..15 */
    bool yield;            /* {?sched}; the bit is stored inverted */
    uint8_t write_barrier; /* {&wrN}: 0..5, 7 none */
    uint8_t read_barrier;  /* {&rdN}: 0..5, 7 none */
    uint8_t wait_mask;     /* {&req_6}: one bit for each barrier */
    uint8_t reuse; /* bits 20:17 of the slot; of texture operations 18:17 are the phase. maxwell/text/control.h */
};

enum { SCH_MAXWELL_LINE = 256 }; /* bytes that suffice for any printed instruction */

/* Prints one instruction, zero-terminated, with its guard and final semicolon. `schedule` (may be NULL) is printed in
 * the style of the pages only. */
void sch_maxwell_print(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_text_style style,
                       const struct sch_maxwell_schedule *schedule, char text[SCH_MAXWELL_LINE]);

/* Reads one instruction, from the first byte to its semicolon or the end; either style. `position` is the first byte's
 * position, which reports count on from. INVALID: it was reported. `*used` receives the bytes read, the semicolon's
 * included. `schedule` may be NULL. The reader knows no architecture: .F16, .LC and residency predicates are read. */
enum sch_result sch_maxwell_parse(const char *text, size_t bytes, struct sch_position position,
                                  struct sch_diagnostics *diagnostics, struct sch_maxwell_instruction *instruction,
                                  struct sch_maxwell_schedule *schedule, size_t *used);

/* Reports each restriction of the pages that the instruction breaks, with its own number, as `severity`. The number of
 * broken ones. */
unsigned sch_maxwell_check(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch,
                           struct sch_position position, enum sch_severity severity,
                           struct sch_diagnostics *diagnostics);

/* sch_maxwell_encode; where that is false, an error says why: by the number of the rule when another architecture
 * could, else SCH_D_MAXWELL_ENCODING. */
bool sch_maxwell_encode_or_report(const struct sch_maxwell_instruction *instruction, enum sch_maxwell_arch arch,
                                  struct sch_position position, struct sch_diagnostics *diagnostics, uint64_t *word);

/* The rules that sch_maxwell_check goes through: rule 0 to count - 1. The number of its diagnostic, and its words; 0:
 * it does not concern the operation. */
size_t sch_maxwell_rule_count(void);
unsigned sch_maxwell_rule(unsigned operation, size_t rule, const char **text);

#endif
