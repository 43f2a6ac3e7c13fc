/* What an instruction of Maxwell code says about its arithmetic beside the operation and the operands: the contract of
 * the code that decodes words (src/maxwell/run) and the bodies (src/ops/maxwell). It is constant for an instruction, so
 * that a compiler can fold it. Holds no meaning. */
#ifndef SCH_ABI_MAXWELL_H
#define SCH_ABI_MAXWELL_H

#include <stdbool.h>
#include <stdint.h>

struct sch_lanes;

/* Values of modifiers, by the tables that src/isa/maxwell_meanings.def names. */
struct sch_maxwell_how {
    uint8_t rounding;              /* enum sch_maxwell_rounding */
    uint8_t flush;                 /* 1: FTZ, 2: FMZ */
    uint8_t saturate;              /* SAT */
    uint8_t scale;                 /* of FMUL: table SCALE */
    uint8_t extend;                /* X: the carry is added, Z is joined with the old one */
    uint8_t plus_one;              /* PO */
    uint8_t high;                  /* HI */
    uint8_t signs;                 /* which factors are signed, by the operation's table */
    uint8_t is_signed;             /* of operands; of video operations the result */
    uint8_t wrap;                  /* W: shift counts wrap */
    uint8_t reverse;               /* BREV */
    uint8_t as_shift;              /* SH */
    uint8_t chain;                 /* of several words: SHRX, SHFX, XMODE */
    uint8_t width;                 /* MAXS */
    uint8_t mode;                  /* the operation's own */
    uint8_t mask;                  /* VMASK */
    uint8_t accumulate;            /* VRED */
    uint8_t down;                  /* VMADS */
    uint8_t shift_product;         /* PSL */
    uint8_t merge;                 /* MRG */
    uint8_t maximum;               /* MX */
    uint8_t truth;                 /* PRES: what the predicate tells */
    uint8_t comparison;            /* ICMP, FCMP; CCD: of flags */
    uint8_t combine, last_combine; /* BOP: the first, and the second of PSET */
    uint8_t as_float;              /* BF: 1.0 in place of -1 */
    uint8_t to, from;              /* types of conversions: FDST, ISZ... */
    uint8_t integral;              /* of F2F: rounds to a whole number */
    uint8_t byte;                  /* BSEL */
    uint8_t bank;                  /* CC in place of PR */
    uint8_t wide;                  /* E: addresses of two registers */
    uint8_t size;                  /* of what memory holds: SZ, ATOMSZ... */
    uint8_t dimensions, clamp;     /* of surfaces: SUDIM, SUCLAMP */
    uint8_t in_bytes;              /* BA: x counts bytes */
    uint8_t part[3];               /* of operands: HSEL, H3, bytes of sources of conversions */
    uint8_t type[2];               /* of video operands: VAT */
    uint8_t order[2];              /* of the bytes of VABSDIFF4: VA4, VB4 */
    uint8_t negate, absolute;      /* bits: of which operands; what is not the body's was done before */
    bool flags;                    /* CC is written */
    uint32_t number;               /* a shift count, a table of LOP3, signs of FSWZADD */
};

enum sch_maxwell_rounding {
    SCH_MAXWELL_ROUND_NEAREST,
    SCH_MAXWELL_ROUND_DOWN,
    SCH_MAXWELL_ROUND_UP,
    SCH_MAXWELL_ROUND_ZERO
};

/* Bits of CC. */
enum { SCH_MAXWELL_Z = 1, SCH_MAXWELL_S = 2, SCH_MAXWELL_C = 4, SCH_MAXWELL_O = 8 };

/* Places of results and operands of a body. Operands of two words have the high one in the second half. */
enum {
    SCH_MAXWELL_TO_LOW,
    SCH_MAXWELL_TO_HIGH,
    SCH_MAXWELL_TO_PREDICATE,       /* masks */
    SCH_MAXWELL_TO_OTHER_PREDICATE, /* of the negated comparison */
    SCH_MAXWELL_TO_FLAGS,           /* written if how->flags */
    SCH_MAXWELL_TO_COUNT
};
enum {
    SCH_MAXWELL_FROM_HIGH = 3, /* the high word of operand n is n + 3 */
    SCH_MAXWELL_FROM_FLAGS = 6,
    SCH_MAXWELL_FROM_COUNT
};

/* Computes all lanes. A destination may be an operand: each vector of operands is read before results are written. */
typedef void sch_maxwell_fn(const struct sch_maxwell_how *how, struct sch_lanes *const to[SCH_MAXWELL_TO_COUNT],
                            const struct sch_lanes *const from[SCH_MAXWELL_FROM_COUNT]);

enum sch_maxwell_body {
#define MAXWELL_BODY(name) SCH_MAXWELL_BODY_##name,
#include "abi/maxwell_bodies.def"
#undef MAXWELL_BODY
    SCH_MAXWELL_BODY_COUNT
};

/* What an atomic operation makes of a number in memory: `old` is what it holds, of 32 bits or 64. */
enum sch_maxwell_number {
    SCH_MAXWELL_U32,
    SCH_MAXWELL_S32,
    SCH_MAXWELL_U64,
    SCH_MAXWELL_F32,
    SCH_MAXWELL_U128,
    SCH_MAXWELL_S64
};
enum sch_maxwell_update {
    SCH_MAXWELL_UPDATE_ADD,
    SCH_MAXWELL_UPDATE_MIN,
    SCH_MAXWELL_UPDATE_MAX,
    SCH_MAXWELL_UPDATE_INC,
    SCH_MAXWELL_UPDATE_DEC,
    SCH_MAXWELL_UPDATE_AND,
    SCH_MAXWELL_UPDATE_OR,
    SCH_MAXWELL_UPDATE_XOR,
    SCH_MAXWELL_UPDATE_EXCH
};
typedef uint64_t sch_maxwell_update_fn(unsigned update, unsigned number, uint64_t old, uint64_t value);

#endif
