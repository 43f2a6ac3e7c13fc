/* What a program reads of the caller's bindings: one entry for each unit that its instructions name, listed when it is
 * prepared, and whether bindings have it. Holds no words about them (src/api/units.c) and changes no result. */
#ifndef SCH_EXEC_UNITS_H
#define SCH_EXEC_UNITS_H

#include "exec/program.h"

/* The array of the bindings. */
enum sch_exec_unit_kind {
    SCH_EXEC_UNIT_CONSTANTS,
    SCH_EXEC_UNIT_VIEW,
    SCH_EXEC_UNIT_SAMPLER,
    SCH_EXEC_UNIT_IMAGE,
    SCH_EXEC_UNIT_BUFFER,
    SCH_EXEC_UNIT_COUNTERS,
    SCH_EXEC_UNIT_GLOBAL, /* no array: `first` is the register of MEMORY */
    SCH_EXEC_UNIT_INPUT,  /* likewise */
    SCH_EXEC_UNIT_COLOR   /* `first` is the colour buffer */
};

struct sch_exec_unit {
    uint8_t kind;
    uint8_t file;                 /* of the register that the first instruction names it by */
    uint8_t target;               /* what that instruction reads it as; SCH_TARGET_UNKNOWN: whatever it is */
    bool indexed;                 /* registers say which one of `count` it is; else `count` is 1 */
    bool with_view;               /* SAMPLER: named together with the view of its number (TEX opcodes) */
    bool two_dimensional;         /* CONSTANTS: written with two brackets */
    bool vectors_indexed;         /* CONSTANTS: registers say which vector */
    bool reads, writes;           /* by any instruction */
    uint32_t first, count;        /* registers */
    uint32_t vectors;             /* CONSTANTS of one buffer: how many must be there for all that is read */
    struct sch_position position; /* of that instruction */
};

enum sch_exec_unit_state {
    SCH_EXEC_UNIT_BOUND,
    SCH_EXEC_UNIT_MISSING,
    SCH_EXEC_UNIT_SHORT,   /* constants: vectors after the last one are read */
    SCH_EXEC_UNIT_MISMATCH /* a view or image of another shape, a sampler with coordinates that the target has not */
};

/* Register `number` of a unit in these bindings. */
enum sch_exec_unit_state sch_exec_unit_state(const struct sch_exec_bindings *bindings, const struct sch_exec_unit *unit,
                                             uint32_t number);

/* In the order in which instructions name them; they live as long as the program. */
const struct sch_exec_unit *sch_exec_units(const struct sch_exec_program *program, uint32_t *count);

/* The lowest vector of a constant buffer from `from` on that operands name directly, UINT32_MAX: none; `*more`: how
 * many there are after it. */
uint32_t sch_exec_next_vector(const struct sch_exec_program *program, uint32_t buffer, uint32_t from, uint32_t *more);

/* Lists them; the instructions are decoded. */
enum sch_result sch_exec_list_units(struct sch_exec_program *program, const struct sch_ir_shader *shader);

#endif
