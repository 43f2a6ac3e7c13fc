/* A second opinion on every arithmetic opcode: plain scalar C, written from the specification's text and from the
 * decisions of docs/semantics.md, knowing nothing of src/ops. One row an opcode. */
#ifndef TESTS_ORACLE_H
#define TESTS_ORACLE_H

#include "values.h"

enum { RULE_LEGACY = 1, RULE_PRECISE = 2, RULE_D3D = 4 };

/* How the destination's channels come from those of the sources (specification, "Instruction Set"). */
enum oracle_shape {
    SHAPE_COMP,      /* channel by channel */
    SHAPE_REPL,      /* from the x channels, replicated */
    SHAPE_VREPL,     /* from all channels, replicated */
    SHAPE_CHAN,      /* from all channels, each by its formula */
    SHAPE_UNPACK,    /* four results from the x channel */
    SHAPE_COMP64,    /* xy and zw */
    SHAPE_COMPARE64, /* x from xy, z from zw; y and w are not written */
    SHAPE_WIDEN64,   /* xy from x, zw from y */
    SHAPE_NARROW64,  /* x from xy, y from zw; z and w are not written */
    SHAPE_FRACEXP    /* of the first pair alone: its fraction in xy and zw, in a second destination its exponent */
};

/* s: the sources' values (VREPL and CHAN: s[4 * source + channel]); r: the result, or four of them. A float result's
 * NaN may have any bits: evaluate makes it canonical. */
typedef void oracle_fn(unsigned rules, const union value *s, union value *r);

struct oracle {
    const char *name;
    enum oracle_shape shape;
    const char *signature; /* "F_FF": destination, sources */
    unsigned rules;        /* those that can change its results */
    unsigned ulps[4];      /* how far a result may be off, by channel */
    oracle_fn *fn;
};

extern const struct oracle oracles[];
extern const unsigned oracle_count;

const struct oracle *oracle_find(const char *name);

unsigned oracle_sources(const struct oracle *oracle);
char oracle_source_type(const struct oracle *oracle, unsigned source);

/* What one instruction does to a destination. */
struct expectation {
    uint32_t word[2][4]; /* by destination and channel */
    unsigned written[2]; /* bit c: channel c is written */
    char type;           /* of the first destination's words */
    unsigned ulps[4];    /* 0: the bits must be equal */
};

void oracle_evaluate(const struct oracle *oracle, unsigned rules, const uint32_t source[4][4],
                     struct expectation *expected);

/* Whether `word` is an acceptable first destination. */
bool expectation_holds(const struct expectation *expected, const uint32_t word[4]);

/* The functions, by the file that has them. */
/* The formatter moves these lists further in each time. */
/* clang-format off */
#define ORACLES_FLOAT(X)                                                                                               \
    X(MOV)                                                                                                             \
    X(MUL)                                                                                                             \
    X(ADD)                                                                                                             \
    X(DIV) X(MAD) X(FMA) X(LRP) X(RCP) X(SQRT) X(DP2) X(DP3) X(DP4) X(DST) X(MIN) X(MAX) X(SLT) X(SLE) X(SGT) X(SGE)   \
    X(SEQ) X(SNE) X(FSLT) X(FSGE) X(FSEQ) X(FSNE) X(SSG) X(CMP) X(FRC) X(FLR) X(CEIL) X(TRUNC) X(ROUND) X(LDEXP)   \
    X(RSQ) X(EX2) X(LG2) X(SIN) X(COS) X(POW) X(LIT) X(EXP) X(LOG) X(PK2H) X(PK2US) X(PK4B) X(PK4UB) X(UP2H)   \
    X(UP2US) X(UP4B) X(UP4UB) X(ARL) X(ARR) X(F2I) X(F2U) X(I2F) X(U2F)
#define ORACLES_INTEGER(X)                                                                                             \
    X(UADD)                                                                                                            \
    X(UMUL)                                                                                                            \
    X(UMAD)                                                                                                            \
    X(IMUL_HI) X(UMUL_HI) X(IDIV) X(UDIV) X(MOD) X(UMOD) X(NOT) X(AND) X(OR) X(XOR) X(IMAX) X(UMAX) X(IMIN) X(UMIN)    \
    X(SHL) X(ISHR) X(USHR) X(ISLT) X(USLT) X(ISGE) X(USGE) X(USEQ) X(USNE) X(UCMP) X(ISSG) X(INEG) X(IABS) X(UARL) \
    X(IBFE) X(UBFE) X(BFI) X(BREV) X(POPC) X(LSB) X(IMSB) X(UMSB) X(MSAD)
#define ORACLES_WIDE(X)                                                                                                \
    X(DABS)                                                                                                            \
    X(DNEG)                                                                                                            \
    X(DADD)                                                                                                            \
    X(DMUL) X(DDIV) X(DRCP) X(DSQRT) X(DRSQ) X(DFMA) X(DMAD) X(DMIN) X(DMAX) X(DSEQ) X(DSNE) X(DSLT) X(DSGE) X(DFRAC)  \
    X(DFLR) X(DCEIL) X(DTRUNC) X(DROUND) X(DSSG) X(DLDEXP) X(DFRACEXP) X(F2D) X(I2D) X(U2D) X(D2F) X(D2I) X(D2U)   \
    X(F2U64) X(F2I64) X(U2I64) X(I2I64) X(U642F) X(I642F) X(D2U64) X(D2I64) X(U642D) X(I642D) X(U64ADD)        \
    X(U64MUL) X(I64NEG) X(I64ABS) X(I64SSG) X(I64MIN) X(U64MIN) X(I64MAX) X(U64MAX) X(U64SEQ) X(U64SNE)    \
    X(U64SLT) X(U64SGE) X(I64SLT) X(I64SGE) X(U64SHL) X(I64SHR) X(U64SHR) X(I64DIV) X(U64DIV)          \
    X(I64MOD) X(U64MOD)
/* clang-format on */
#define ORACLE_DECLARE(name) oracle_fn expect_##name;
ORACLES_FLOAT(ORACLE_DECLARE)
ORACLES_INTEGER(ORACLE_DECLARE)
ORACLES_WIDE(ORACLE_DECLARE)
#undef ORACLE_DECLARE

#endif
