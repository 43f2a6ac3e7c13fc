/* The control flow of a shader: its constructs, and for each instruction which of them it is in and where the
 * invocations continue that it leaves behind. Computed once, here; the validator reports what is wrong, programs keep
 * the rest, and whoever needs constructs has them from here. Labels in the source decide nothing: structure does,
 * except that CAL's label names the subroutine. */
#ifndef SCH_IR_FLOW_H
#define SCH_IR_FLOW_H

#include "ir/ir.h"

enum { SCH_FLOW_NONE = 0xffffffff };

/* What IF, UIF, BGNLOOP, SWITCH or BGNSUB opens. */
struct sch_ir_construct {
    uint32_t opener, end; /* its first and its last instruction */
    uint32_t outer;       /* the construct around it; SCH_FLOW_NONE where there is none, and of subroutines */
    uint32_t depth;       /* how many constructs of the same subroutine are around it */
    uint8_t kind;         /* enum sch_construct */
    bool continues;       /* a loop: some CONT continues with its next iteration */
    bool left;            /* invocations may leave it, or end in it, otherwise than by its end */
    bool waits;           /* it can be open at a BARRIER */
};

/* One per instruction. */
struct sch_ir_flow_link {
    /* The innermost construct that is open where the instruction is executed: of ELSE, labels and ends their own, of an
     * opener the one around what it opens. SCH_FLOW_NONE: none. */
    uint32_t around;
    /* What it opens; BRK and CONT: the loop (BRK: or switch) that they leave or continue; RET: the subroutine, none in
     * the main program; CAL: the subroutine that is called. SCH_FLOW_NONE: no other instruction has one. */
    uint32_t construct;
    /* The instruction at which invocations of the innermost construct that is open after this one can continue when it
     * leaves none running: the next ELSE, label or end. For SWITCH and its labels that is the next label. Outside of
     * all constructs the number of instructions: after the last one. */
    uint32_t reconvergence;
};

struct sch_ir_flow {
    struct sch_ir_construct *constructs; /* in the order of their openers */
    uint32_t construct_count;
    struct sch_ir_flow_link *links;  /* one per instruction, and one of what is after the last */
    uint32_t max_depth;              /* of constructs and calls together: what a mask stack needs; subroutines that the
                                       main program never reaches do not count */
    uint32_t loops, calls, barriers; /* instructions that begin a loop, call, wait */
    bool ends_invocations; /* some may end, or become helpers, before the last instruction of the main program */
};

/* The innermost construct of a kind, from `construct` outwards; SCH_FLOW_NONE: there is none, as in SCH_FLOW_NONE. */
static inline uint32_t sch_ir_flow_innermost(const struct sch_ir_flow *flow, uint32_t construct, unsigned kind)
{
    while (construct != SCH_FLOW_NONE && flow->constructs[construct].kind != kind)
        construct = flow->constructs[construct].outer;
    return construct;
}

/* The ELSE of an IF that the instruction opens; SCH_FLOW_NONE: it has none. */
static inline uint32_t sch_ir_flow_else(const struct sch_ir_flow *flow, uint32_t opener)
{
    const struct sch_ir_flow_link *link = &flow->links[opener];
    return link->reconvergence == flow->constructs[link->construct].end ? (uint32_t)SCH_FLOW_NONE : link->reconvergence;
}

enum sch_flow_problem {
    SCH_FLOW_UNOPENED, /* ELSE, ENDIF, ENDLOOP, CASE, DEFAULT, ENDSWITCH, ENDSUB without its opener */
    SCH_FLOW_UNCLOSED, /* IF, BGNLOOP, SWITCH, BGNSUB without its end; reported at the opener */
    SCH_FLOW_SECOND_ELSE,
    SCH_FLOW_SECOND_DEFAULT,
    SCH_FLOW_BREAK_OUTSIDE,    /* BRK outside loop and switch */
    SCH_FLOW_CONTINUE_OUTSIDE, /* CONT outside a loop */
    SCH_FLOW_CALL_TARGET,      /* CAL whose label is not a BGNSUB */
    SCH_FLOW_RECURSION,        /* CAL that can reach itself */
    SCH_FLOW_NESTED_SUB,       /* BGNSUB inside a construct or another subroutine */
    SCH_FLOW_DEPTH,            /* deeper than limits.nesting; nothing after it is linked */
    SCH_FLOW_BEFORE_CASE,      /* an instruction between SWITCH and its first label that can never run */
    SCH_FLOW_NO_END,           /* the main program has no END; reported after the last instruction */
    SCH_FLOW_SECOND_END,
    SCH_FLOW_MEMORY, /* no memory for the links */
};

/* Links `shader`, allocating from `arena`. Calls `report` (may be NULL) for each problem with the instruction's number.
 * OK: none but SCH_FLOW_BEFORE_CASE and SCH_FLOW_NO_END was found; else `flow` is empty: INVALID, LIMIT
 * (SCH_FLOW_DEPTH) or MEMORY. A subroutine may come before END: the main program steps over it. Runs in time linear in
 * instructions (recursion check included) and without recursion of its own. */
enum sch_result sch_ir_flow_build(const struct sch_ir_shader *shader, struct sch_arena *arena, struct sch_ir_flow *flow,
                                  void (*report)(void *user, enum sch_flow_problem problem, uint32_t instruction),
                                  void *user);

#endif
