/* An instruction of Maxwell code as it runs: what its word says, decoded once by the templates of
 * src/isa/maxwell_forms.def and the rows of src/isa/maxwell_meanings.def. Executes nothing. */
#ifndef SCH_MAXWELL_RUN_STEP_H
#define SCH_MAXWELL_RUN_STEP_H

#include "abi/maxwell.h"
#include "exec/program.h"
#include "maxwell/text/code.h"

enum { SCH_MAXWELL_SOURCES = 4, SCH_MAXWELL_LOST = UINT32_MAX };

enum sch_maxwell_source_kind {
    SCH_MAXWELL_FROM_NOTHING,
    SCH_MAXWELL_FROM_REGISTER,
    SCH_MAXWELL_FROM_CONSTANT,
    SCH_MAXWELL_FROM_WORD,
    SCH_MAXWELL_FROM_PREDICATE,
    SCH_MAXWELL_FROM_BANK /* all predicates, or the flags */
};

struct sch_maxwell_source {
    uint8_t kind;     /* enum sch_maxwell_source_kind */
    uint8_t number;   /* of a register, a predicate, a bank of constants */
    uint8_t words;    /* registers that it is */
    uint8_t half;     /* of a float of 16 bits: 1 the low half of the word, 2 the high one */
    bool is_not;      /* a predicate that is inverted */
    bool minus, bars; /* of floats: on the sign bit of the last word, or of the half */
    bool invert;
    uint32_t offset; /* of a constant */
    uint64_t word;
};

/* Beside `how` everything that handlers need. */
struct sch_maxwell_step {
    sch_exec_handler *handler; /* NULL: a texture instruction */
    uint16_t operation;        /* index of sch_maxwell_code_operations */
    uint8_t body;              /* enum sch_maxwell_body */
    uint8_t flow;              /* enum sch_maxwell_flow */
    uint8_t guard;             /* a predicate; 7: none */
    bool guard_not;
    uint8_t test;         /* of the flags, by table CC; 15: always */
    uint8_t quad_lanes;   /* bits: which lanes of each quad execute it */
    uint8_t result;       /* the register; 255: dropped */
    uint8_t result_words; /* 0: there is none */
    uint8_t predicate[2]; /* that are written; 7: dropped */
    uint8_t predicates;   /* how many the text has */
    uint8_t source_count;
    uint8_t base;      /* of an address, or a target: a register; 255: none */
    uint8_t bank;      /* of constants that an address is in */
    bool swaps;        /* a compare and swap: the sources are the old value and the new one */
    bool relative;     /* the target counts from the next instruction */
    bool known_target; /* `target` is it */
    uint32_t address;  /* of the instruction */
    uint32_t target;   /* the instruction */
    int64_t offset;    /* of an address, or a target */
    struct sch_maxwell_how how;
    struct sch_maxwell_source source[SCH_MAXWELL_SOURCES];
};

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

/* What memory an instruction accesses, and whether it waits for other warps. */
struct sch_maxwell_accesses {
    bool global, shared, local, writes, waits;
};
struct sch_maxwell_accesses sch_maxwell_step_accesses(const struct sch_maxwell_step *step);

/* The instruction that execution continues with at an address; LOST: none. The end is one more than the last. */
uint32_t sch_maxwell_instruction_at(const struct sch_maxwell_section *section, int64_t address);

#endif
