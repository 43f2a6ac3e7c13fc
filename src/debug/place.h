/* Where a session is, for people: lines of source and program, invocations, open constructs, reasons. */
#ifndef SCH_DEBUGGER_PLACE_H
#define SCH_DEBUGGER_PLACE_H

#include "debug.h"

struct sch_debug_stop sch_debugger_stop(const struct sch_debugger_subject *subject);

/* The text of an instruction, `*length` bytes; "END" after the last. */
const char *sch_debugger_instruction(const struct sch_debugger_subject *subject, uint32_t number, uint32_t *length);

/* The same as the source has it, where an instruction there is a line. */
struct sch_debugger_lines;
const char *sch_debugger_statement(const struct sch_debugger_subject *subject, const struct sch_debugger_lines *lines,
                                   uint32_t number, uint32_t *length);

/* Its opcode is one of the words, with | between them. */
bool sch_debugger_is(const struct sch_debugger_subject *subject, uint32_t number, const char *words);

/* The lines of a program's instructions. What the lowering of a Direct3D shader adds is of the line that follows.
 * Release it. False: no memory. */
struct sch_debugger_lines {
    uint32_t count;   /* of instructions, END among them */
    uint32_t *source; /* each one's line there; 0: none */
    uint32_t *program;
};
bool sch_debugger_lines_make(const struct sch_debugger_subject *subject, struct sch_debugger_lines *lines);
void sch_debugger_lines_release(struct sch_debugger_lines *lines);

/* The first instruction of the first line from `line` on that has one, in the lines of one of the texts; UINT32_MAX:
 * there is none. */
uint32_t sch_debugger_at_line(const uint32_t *lines, uint32_t count, uint32_t line);

/* The instruction that opened the innermost construct around `number`, BGNSUB among them; UINT32_MAX: there is none. */
uint32_t sch_debugger_opener(const struct sch_debugger_subject *subject, uint32_t number);

/* What pushed an entry of the stack of Maxwell code. */
const char *sch_debugger_entry_name(enum sch_debug_entry entry);

/* Which invocation a lane is, as "pixel 3,4". */
void sch_debugger_lane_name(const struct sch_debugger_subject *subject, uint32_t lane, char name[120]);

/* The lane that is shown where somebody stops: that of the invocation, or, where it does not execute the next
 * instruction or is of another group, the first that does. */
uint32_t sch_debugger_lane_at(const struct sch_debug_stop *stop);

/* Why it stopped, in a sentence. */
void sch_debugger_reason(const struct sch_debug_stop *stop, char text[160]);

/* The name of a bit of enum sch_debug_event, and what it means; NULL past the last. */
struct sch_debugger_event {
    enum sch_debug_event bit;
    const char *name, *title, *text;
};
const struct sch_debugger_event *sch_debugger_event_at(uint32_t position);

#endif
