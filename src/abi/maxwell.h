/* What an instruction of Maxwell code says about its arithmetic beside the operation and the operands: the contract of
 * the code that decodes words (src/maxwell/run) and the bodies (src/ops/maxwell). It is constant for an instruction, so
 * that a compiler can fold it. Holds no meaning. */
#ifndef SCH_ABI_MAXWELL_H
#define SCH_ABI_MAXWELL_H

#include <stdbool.h>
#include <stddef.h>
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
    uint8_t mask;                  /* VMASK, SUMASK */
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

/* What executes an instruction: a body of src/ops/maxwell, a texture instruction, or a handler of src/maxwell/run. */
enum sch_maxwell_kind {
    SCH_MAXWELL_KIND_arithmetic,
    SCH_MAXWELL_KIND_texture,
#define MAXWELL_CODE_KIND(handler) SCH_MAXWELL_KIND_##handler,
#include "isa/maxwell_meanings.def"
#undef MAXWELL_CODE_KIND
    SCH_MAXWELL_KIND_COUNT
};

/* The most operands, and the register, predicate and test that stand for nothing. */
enum { SCH_MAXWELL_SOURCES = 4, SCH_MAXWELL_NO_REGISTER = 255, SCH_MAXWELL_NO_PREDICATE = 7, SCH_MAXWELL_ALWAYS = 15 };

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

/* An instruction, as its word says it. */
struct sch_maxwell_step {
    uint16_t operation; /* index of sch_maxwell_code_operations */
    uint8_t kind;       /* enum sch_maxwell_kind */
    uint8_t body;       /* enum sch_maxwell_body */
    uint8_t flow;       /* enum sch_maxwell_flow */
    uint8_t guard;      /* a predicate; 7: none */
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

/* The members of both but for `how` and the sources, numbers and truths, for whoever writes or hashes all of them. */
#define SCH_MAXWELL_STEP_MEMBERS(NUMBER, TRUTH)                                                                        \
    NUMBER(operation)                                                                                                  \
    NUMBER(kind)                                                                                                       \
    NUMBER(body)                                                                                                       \
    NUMBER(flow)                                                                                                       \
    NUMBER(guard)                                                                                                      \
    TRUTH(guard_not)                                                                                                   \
    NUMBER(test)                                                                                                       \
    NUMBER(quad_lanes)                                                                                                 \
    NUMBER(result)                                                                                                     \
    NUMBER(result_words)                                                                                               \
    NUMBER(predicate[0])                                                                                               \
    NUMBER(predicate[1])                                                                                               \
    NUMBER(predicates)                                                                                                 \
    NUMBER(source_count)                                                                                               \
    NUMBER(base)                                                                                                       \
    NUMBER(bank)                                                                                                       \
    TRUTH(swaps)                                                                                                       \
    TRUTH(relative)                                                                                                    \
    TRUTH(known_target)                                                                                                \
    NUMBER(address)                                                                                                    \
    NUMBER(target)                                                                                                     \
    NUMBER(offset)                                                                                                     \
    NUMBER(how.number)                                                                                                 \
    TRUTH(how.flags)
#define SCH_MAXWELL_SOURCE_MEMBERS(NUMBER, TRUTH)                                                                      \
    NUMBER(kind)                                                                                                       \
    NUMBER(number)                                                                                                     \
    NUMBER(words)                                                                                                      \
    NUMBER(half)                                                                                                       \
    TRUTH(is_not)                                                                                                      \
    TRUTH(minus)                                                                                                       \
    TRUTH(bars)                                                                                                        \
    TRUTH(invert)                                                                                                      \
    NUMBER(offset)                                                                                                     \
    NUMBER(word)
/* The members of `how` before `flags`: bytes. */
#define SCH_MAXWELL_HOW_BYTES offsetof(struct sch_maxwell_how, flags)

/* Bytes that lanes of an instruction access, by table SZ. */
static inline unsigned sch_maxwell_size_bytes(unsigned size)
{
    static const uint8_t bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
    return bytes[size & 7];
}

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
