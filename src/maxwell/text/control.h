/* Control words: the three slots of a bundle, and a slot's fields as text. One control word comes before three
 * instructions; each slot has 21 bits: stall 3:0, yield 4 (inverted), write barrier 7:5, read barrier 10:8, wait mask
 * 16:11, and 20:17, which are reuse flags of arithmetic and, of a texture operation, its phase in 18:17. Source:
 * measured encodings; the instruction pages' {&req_6} {&rdN} {&wrN} {?sched}.
 *
 * The text, in any order, with braces or without:
 *   {&req_0x05}   waits for the barriers of the mask (here 0 and 2); decimal or hexadecimal
 *   {&rd1} {&wr0} the barriers that the instruction's reads and its result set; N means none
 *   {?stall4}     the stall count, 0 to 15. Stall 0 opens a dual-issue group
 *   {?yield}      the yield bit; {?sched} is the same
 *   {?reuse_0x8}  bits 20:17, of texture operations 20:19 of it
 * A field left out means no barrier, no mask, no reuse; without {?stallN} the slot does not stall and yields, so that
 * an instruction without any field has the slot 0x7e0. */
#ifndef SCH_MAXWELL_TEXT_CONTROL_H
#define SCH_MAXWELL_TEXT_CONTROL_H

#include <stddef.h>

#include "maxwell/text/text.h"

enum {
    SCH_MAXWELL_SLOTS = 3,         /* instructions of a bundle */
    SCH_MAXWELL_BUNDLE_BYTES = 32, /* the control word, then three instructions, little-endian words of 64 bits */
    SCH_MAXWELL_SLOT_BITS = 21,
    SCH_MAXWELL_SLOT_NEUTRAL = 0x7e0, /* no stall, yields, no barriers */
    SCH_MAXWELL_SLOT_PHASE = 17       /* the lower bit of the phase */
};
#define SCH_MAXWELL_CONTROL_SPARE ((uint64_t)1 << 63) /* belongs to no slot */

/* Slot 0 to 2 of a control word, and a control word with that slot replaced. */
uint32_t sch_maxwell_slot(uint64_t control, unsigned slot);
uint64_t sch_maxwell_control(uint64_t control, unsigned slot, uint32_t bits);

/* The fields of a slot and back; the phase is in `reuse`. */
struct sch_maxwell_schedule sch_maxwell_schedule_of(uint32_t slot);
uint32_t sch_maxwell_slot_of(const struct sch_maxwell_schedule *schedule);

unsigned sch_maxwell_slot_phase(uint32_t slot);

/* The slot of a texture instruction: its phase in place of the lower bits of `reuse`. */
uint32_t sch_maxwell_slot_with_phase(const struct sch_maxwell_schedule *schedule, unsigned phase);

/* Whether an instruction with this slot is issued together with the one after it. */
bool sch_maxwell_slot_opens(uint32_t slot);
uint32_t sch_maxwell_slot_opening(uint32_t slot); /* the slot changed to do so */

/* Whether nvdisasm leaves the blank before the semicolon out: only where nothing is scheduled. */
bool sch_maxwell_slot_is_plain(uint32_t slot);

/* The fields as text, each with a blank before it; empty for the slot 0x7e0. */
enum { SCH_MAXWELL_SCHEDULE_TEXT = 96 };
void sch_maxwell_schedule_print(const struct sch_maxwell_schedule *schedule, char text[SCH_MAXWELL_SCHEDULE_TEXT]);

/* The control fields that maxas and CuAssembler write before an instruction:
 *   02:1:-:Y:4               wait mask, read and write barrier counted from 1, yield, stall; hexadecimal digits
 *   [B-1----:R0:W-:Y:S04]    the barriers waited for, each in its place, and those that are set, from 0; decimal
 * Whether the text begins as one of them does. */
bool sch_maxwell_has_prefix(const char *text, size_t bytes);
/* The bytes of the prefix; 0: it is not written so. */
size_t sch_maxwell_prefix_parse(const char *text, size_t bytes, struct sch_maxwell_schedule *schedule);

/* Reads all fields from `text`, blanks between them, nothing but them; `position` is the first byte's. What is not said
 * is what a text without fields means. INVALID: it was reported, and what was read up to there holds. */
enum sch_result sch_maxwell_schedule_parse(const char *text, size_t bytes, struct sch_position position,
                                           struct sch_diagnostics *diagnostics, struct sch_maxwell_schedule *schedule);

#endif
