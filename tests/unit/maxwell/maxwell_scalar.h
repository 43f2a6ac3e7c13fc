/* What Maxwell's arithmetic does to one lane, written from the description of the machine (docs/maxwell.md, and the
 * decisions in docs/semantics.md), operation by operation, with integers of C alone. Nothing here is taken from the
 * library but the text of an instruction, as it prints it: modifiers and operands are read from that. */
#ifndef TEST_MAXWELL_SCALAR_H
#define TEST_MAXWELL_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCALAR_BANKS = 4, SCALAR_BANK_WORDS = 1024, SCALAR_ZERO = 255, SCALAR_TRUE = 7 };

struct scalar_lane {
    uint32_t r[256]; /* R255 is RZ */
    bool p[8];       /* P7 is PT */
    bool z, s, c, o; /* the condition codes */
};

struct scalar_operand {
    enum { SCALAR_REGISTER, SCALAR_CONSTANT, SCALAR_IMMEDIATE, SCALAR_PREDICATE, SCALAR_NAME } kind;
    uint32_t number; /* of a register or predicate; the bank of a constant */
    uint32_t offset; /* of a constant, in bytes */
    int64_t value;   /* of an integer; of a float see scalar_float_bits */
    bool is_float;
    bool minus, bars, inverted;
    char part[8];  /* "H1", "B2", "4321" */
    char name[12]; /* "CC", "PR", "NPPNNPNP" */
};

struct scalar_word {
    uint64_t word;
    char operation[16];
    char modifiers[12][20];
    unsigned modifier_count;
    struct scalar_operand operands[8];
    unsigned count;
    bool writes_cc;
    uint32_t guard;
    bool guard_inverted;
};

/* One lane that is executed. */
struct scalar {
    const struct scalar_word *word;
    const struct scalar_lane *in;
    struct scalar_lane *out;
    const uint32_t (*banks)[SCALAR_BANK_WORDS];
    unsigned number;                /* of the lane */
    const struct scalar_lane *warp; /* all lanes, as they are before... */
    uint32_t executing;             /* ...bits: those that execute the word */
    bool unknown;                   /* nothing says what happens to this lane: it is not compared */
    unsigned flags_unknown;         /* likewise the flags SCALAR_Z to SCALAR_O */
};
enum { SCALAR_Z = 1, SCALAR_S = 2, SCALAR_C = 4, SCALAR_O = 8 };

/* Reads an instruction's text; false: it has a part that this reader does not know. */
bool scalar_read(uint64_t word, const char *text, struct scalar_word *read);

bool scalar_has(const struct scalar *s, const char *modifier);
/* The place of the first modifier that is in a list, -1: none is. */
int scalar_which(const struct scalar *s, const char *const *list, unsigned count);
const char *scalar_modifier(const struct scalar *s, unsigned number); /* "": there are fewer */

/* Operands. Words and pairs are as they are in registers: signs and parts are the caller's. */
uint32_t scalar_get(const struct scalar *s, unsigned operand);
uint64_t scalar_get64(const struct scalar *s, unsigned operand);
bool scalar_get_predicate(const struct scalar *s, unsigned operand);
/* The bits of an immediate float of 32 or 64 bits. */
uint64_t scalar_float_bits(const struct scalar *s, bool is_double);
void scalar_put(struct scalar *s, unsigned operand, uint32_t value);
void scalar_put64(struct scalar *s, unsigned operand, uint64_t value);
void scalar_put_predicate(struct scalar *s, unsigned operand, bool value);
/* Writes the condition codes, if the instruction does. */
void scalar_flags(struct scalar *s, bool z, bool sign, bool c, bool o);
/* Of a result: Z and S, C and O reset. */
void scalar_logic_flags(struct scalar *s, uint32_t result);
bool scalar_combine(const struct scalar *s, bool a, bool b); /* .AND .OR .XOR */
bool scalar_cc_test(const struct scalar *s, const char *test);

/* Operations: the function of a name; NULL: there is none. */
typedef void scalar_fn(struct scalar *s);
struct scalar_row {
    const char *operation;
    scalar_fn *run;
};
extern const struct scalar_row scalar_integer_rows[], scalar_video_rows[], scalar_float_rows[], scalar_convert_rows[],
    scalar_lane_rows[];
scalar_fn *scalar_find(const char *operation);

#endif
