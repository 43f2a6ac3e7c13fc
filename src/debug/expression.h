/* What people write: registers, and conditions of breakpoints. Holds no values of them. */
#ifndef SCH_DEBUGGER_EXPRESSION_H
#define SCH_DEBUGGER_EXPRESSION_H

#include "debug.h"

/* A register with channels in an order: TEMP[0], TEMP[0].x, CONST[1][2].wzyx; of Direct3D shaders r0.x, too. */
struct sch_debugger_operand {
    struct sch_debug_register which;
    uint8_t channel[4];
    unsigned count; /* of channels; all of the register where none are named */
    bool plain;     /* none are */
};

/* Reads an operand that `text` begins with, and moves `text` past it; false if there is none. */
bool sch_debugger_read_operand(const struct sch_debugger_subject *subject, const char **text,
                               struct sch_debugger_operand *operand);

/* Bits of the channels. */
uint32_t sch_debugger_channels(const struct sch_debugger_operand *operand);

/* A condition: [any] REGISTER.c OP NUMBER, or with float(REGISTER.c), int(...), uint(...); OP is ==, !=, <, <=, >, >=.
 * `any`: of some active lane. Sets the members of the breakpoint. False, and what is wrong. */
bool sch_debugger_read_condition(const struct sch_debugger_subject *subject, const char *text,
                                 struct sch_debug_breakpoint *breakpoint, char problem[160]);

#endif
