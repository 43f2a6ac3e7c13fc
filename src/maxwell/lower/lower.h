/* From a texture lookup of the IR to Maxwell texture code: one texture instruction, and around it the small scalar
 * steps that bring operands into its registers and results out of them. Reads what src/exec decoded of the lookup, so
 * that what an opcode means is decided once. Executed by the engine of maxwell/run/engine.c, printed by
 * maxwell/lower/print.c. Refusals are SCH_D_MAXWELL_LOWERING. */
#ifndef SCH_MAXWELL_LOWER_LOWER_H
#define SCH_MAXWELL_LOWER_LOWER_H

#include "exec/lookup.h"
#include "maxwell/text/instruction.h"

/* What one step does; `to` and `from` are registers. The steps are our own executor's, not Maxwell's. */
enum sch_maxwell_step_kind {
    SCH_MAXWELL_STEP_SOURCE,   /* to = component of source `operand`, modifiers and swizzle applied */
    SCH_MAXWELL_STEP_OFFSET,   /* to = component of texel offset `operand` */
    SCH_MAXWELL_STEP_HANDLE,   /* to = sampler << 20 | header, of the units that the lane names */
    SCH_MAXWELL_STEP_CONSTANT, /* to = word */
    SCH_MAXWELL_STEP_LEVEL, /* to = the level of detail of the derivatives in from[1] on (ds/dx, ds/dy, dt/dx, ...) at
                               the coordinates in from[0] on, before biases and clamps, in S8.8 */
    SCH_MAXWELL_STEP_ALU    /* to = opcode(from...), an arithmetic opcode of the IR on one component */
};

struct sch_maxwell_lowered_step {
    uint8_t kind; /* enum sch_maxwell_step_kind */
    uint8_t to, from[SCH_MAX_SRCS];
    uint8_t operand, component;
    uint16_t opcode; /* ALU: enum sch_opcode */
    uint32_t word;   /* CONSTANT */
};

/* Why a lookup has no Maxwell code. Words: sch_maxwell_refusal_words. */
enum sch_maxwell_refusal {
    SCH_MAXWELL_LOWERS,
    SCH_MAXWELL_REFUSES_COMPONENT, /* TLD4 names the gathered component in the instruction */
    SCH_MAXWELL_REFUSES_OFFSET,    /* a constant that the packed field does not hold */
    SCH_MAXWELL_REFUSES_UNIT,      /* a number that the handle's fields do not hold, or too many handles */
    SCH_MAXWELL_REFUSES_RENDER_TARGET,
    SCH_MAXWELL_REFUSES_CLAMP,  /* a least level of detail, as Direct3D's _cl forms have */
    SCH_MAXWELL_REFUSES_CENTRE, /* sample positions from the pixel's centre */
    SCH_MAXWELL_REFUSES_FORM    /* no encoding has these operands together */
};
/* A dispatch refuses beside these: a lookup of two axes that `computes_level` with a sampler of anisotropy above 1. */

enum {
    SCH_MAXWELL_STEPS = 64,        /* the most, of a gather of a layer with four offsets in registers, are 43 */
    SCH_MAXWELL_HANDLES = 1 << 13, /* words that #tsPtrIdxU13 can name */
    SCH_MAXWELL_VIEWS = 1 << 15,   /* a header's index is the target and the view's number */
    SCH_MAXWELL_SAMPLERS = 1 << 12
};

struct sch_maxwell_plan {
    enum sch_maxwell_refusal refusal;
    struct sch_maxwell_instruction texture;
    uint8_t target;        /* enum sch_target that the header has to show: of cubes fetched by face 2D_ARRAY */
    bool samples;          /* the handle's sampler is used */
    bool computes_level;   /* TEX.LL stands for TXD: the level is computed, and filtering is not anisotropic */
    uint8_t before, after; /* steps[0 .. before) come before the instruction, the others after it */
    uint8_t result[4];     /* the register of each component of the destination; where `written` */
    uint8_t written;       /* components of the destination */
    uint8_t registers;     /* R0 .. registers - 1 are used */
    struct sch_maxwell_lowered_step steps[SCH_MAXWELL_STEPS];
};

/* A view that lookups of target `lookup_target` read, with the header's target, and a sampler where `samples`. */
struct sch_maxwell_handle {
    int32_t view, target, lookup_target, sampler, samples;
};

/* What the lookups of a program become. */
struct sch_maxwell_lowered {
    struct sch_maxwell_plan **plans;    /* by instruction of the program; NULL: it is not a lookup */
    struct sch_maxwell_handle *handles; /* what the words of the constant bank stand for */
    uint32_t handle_count, lookups, refused;
    bool given; /* the instructions are those of given code: registers that no step sets are 0 */
};

/* Lowers all lookups of a program; what has no Maxwell code is reported once each, and its plan has the refusal. The
 * arena owns the result. MEMORY, or OK. */
enum sch_result sch_maxwell_lower(const struct sch_prepared *program, struct sch_arena *arena,
                                  struct sch_diagnostics *diagnostics, struct sch_maxwell_lowered *lowered);

/* maxwell/lower/given.c: puts the texture instructions of given code in the place of those of the plans, in order.
 * UNSUPPORTED, and reported: they are not as many, or the code has other instructions than these. INVALID: one of them
 * breaks a restriction. */
struct sch_maxwell_code;
enum sch_result sch_maxwell_take_code(const struct sch_maxwell_code *code, const struct sch_prepared *program,
                                      struct sch_diagnostics *diagnostics, struct sch_maxwell_lowered *lowered);

/* One line, without a final full stop. */
const char *sch_maxwell_refusal_words(enum sch_maxwell_refusal refusal);

/* maxwell/lower/print.c: a step in words, zero-terminated: "R0 = src0.x", "R2 = DIV(R0, R1)". */
enum { SCH_MAXWELL_STEP_TEXT = 80 };
void sch_maxwell_step_print(const struct sch_maxwell_lowered_step *step, char text[SCH_MAXWELL_STEP_TEXT]);

#endif
