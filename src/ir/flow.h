/* The control-flow structure of a shader: which instruction closes, splits or is called by which. Computed once, used
 * by the validator (which reports what is wrong) and by the engines (which jump by it). Labels in the source decide
 * nothing: structure does, except that CAL's label names the subroutine. */
#ifndef SCH_IR_FLOW_H
#define SCH_IR_FLOW_H

#include "ir/ir.h"

enum { SCH_FLOW_NONE = 0xffffffff };

/* One per instruction; SCH_FLOW_NONE where a field does not apply. All values are instruction numbers. */
struct sch_ir_flow_link {
    uint32_t opener; /* ELSE, ENDIF: the IF; ENDLOOP, BRK, CONT: the BGNLOOP (BRK: or SWITCH); CASE, DEFAULT, ENDSWITCH:
                        the SWITCH; ENDSUB: the BGNSUB; RET: the BGNSUB, none in the main program */
    uint32_t next;   /* IF: the ELSE or ENDIF; ELSE: the ENDIF; BGNLOOP: the ENDLOOP; SWITCH, CASE, DEFAULT: the next
                        CASE,   DEFAULT or ENDSWITCH of the same switch; BGNSUB: the ENDSUB; CAL: the BGNSUB */
    uint32_t end;    /* IF, ELSE, BGNLOOP, SWITCH, CASE, DEFAULT, BGNSUB, BRK, CONT: the closing instruction */
    uint32_t depth;  /* constructs open around the instruction, inside its subroutine; the parts of a construct have
                        its opener's */
};

enum sch_flow_problem {
    SCH_FLOW_UNOPENED, /* ELSE, ENDIF, ENDLOOP, CASE, DEFAULT, ENDSWITCH, ENDSUB without its opener */
    SCH_FLOW_UNCLOSED, /* IF, BGNLOOP, SWITCH, BGNSUB without its end; reported at the opener */
    SCH_FLOW_SECOND_ELSE,
    SCH_FLOW_SECOND_DEFAULT,
    SCH_FLOW_BREAK_OUTSIDE,    /* BRK outside loop and switch */
    SCH_FLOW_CONTINUE_OUTSIDE, /* CONT outside a loop */
    SCH_FLOW_CALL_TARGET,      /* CAL whose label is no BGNSUB */
    SCH_FLOW_RECURSION,        /* CAL that can reach itself */
    SCH_FLOW_NESTED_SUB,       /* BGNSUB inside a construct or another subroutine */
    SCH_FLOW_DEPTH,            /* deeper than limits.nesting; nothing after it is linked */
    SCH_FLOW_BEFORE_CASE,      /* an instruction between SWITCH and its first label that can never run */
    SCH_FLOW_NO_END,           /* the main program has no END; reported after the last instruction */
    SCH_FLOW_SECOND_END,
    SCH_FLOW_MEMORY, /* no memory for the links */
};

struct sch_ir_flow {
    struct sch_ir_flow_link *links; /* one per instruction */
    uint32_t max_depth;             /* of constructs and calls together: what a mask stack needs; subroutines that the
                                       main program never reaches do not count */
};

/* Links `shader`, allocating from `arena`. Calls `report` (may be NULL) for each problem with the instruction's number;
 * returns false when any problem other than SCH_FLOW_BEFORE_CASE and SCH_FLOW_NO_END was found: then `flow` must not be
 * executed (its links may be NULL). A subroutine may stand before END: the main program steps over
 * it. Runs in time linear in instructions (recursion check included) and without recursion of its own. */
bool sch_ir_flow_build(const struct sch_ir_shader *shader, struct sch_arena *arena, struct sch_ir_flow *flow,
                       void (*report)(void *user, enum sch_flow_problem problem, uint32_t instruction), void *user);

#endif
