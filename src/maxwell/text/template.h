/* The language of the templates in src/isa/maxwell_forms.def, where it is described: texts with tokens in braces. Cuts
 * them up for printer and parser; holds no code of one operation. */
#ifndef SCH_MAXWELL_TEXT_TEMPLATE_H
#define SCH_MAXWELL_TEXT_TEMPLATE_H

#include "maxwell/text/general.h"

/* A field: ranges of bits, the highest first. */
enum { SCH_MAXWELL_RANGES = 4 };
struct sch_maxwell_bits {
    uint8_t ranges, width; /* 0: there is no field */
    struct {
        uint8_t high, low;
    } range[SCH_MAXWELL_RANGES];
};

struct sch_maxwell_bits sch_maxwell_range(unsigned high, unsigned low);
uint64_t sch_maxwell_bits_get(const struct sch_maxwell_bits *bits, uint64_t word);
int64_t sch_maxwell_bits_signed(const struct sch_maxwell_bits *bits, uint64_t word);
uint64_t sch_maxwell_bits_put(const struct sch_maxwell_bits *bits, uint64_t value);
uint64_t sch_maxwell_bits_mask(const struct sch_maxwell_bits *bits);

/* Token kinds by their letters. */
#define SCH_MAXWELL_TOKENS(X)                                                                                          \
    X(MODIFIER, "m")                                                                                                   \
    X(PLUS_ONE, "y")                                                                                                   \
    X(PLUS_ONE_32, "Y")                                                                                                \
    X(ROUNDING, "F")                                                                                                   \
    X(NUMBERED, "x")                                                                                                   \
    X(TYPES, "VT")                                                                                                     \
    X(PHASE, "S")                                                                                                      \
    X(REGISTER, "r")                                                                                                   \
    X(REGISTER_LAST, "R")                                                                                              \
    X(CONSTANT, "C")                                                                                                   \
    X(CONSTANT_APART, "K")                                                                                             \
    X(INTEGER_20, "i20")                                                                                               \
    X(UNSIGNED_20, "u20")                                                                                              \
    X(UNSIGNED_20_LAST, "u2")                                                                                          \
    X(INTEGER_32, "i32")                                                                                               \
    X(UNSIGNED_32, "u32")                                                                                              \
    X(FLOAT_20, "f20")                                                                                                 \
    X(FLOAT_32, "f32")                                                                                                 \
    X(DOUBLE_20, "d20")                                                                                                \
    X(INTEGER_16, "s16")                                                                                               \
    X(NUMBER, "h")                                                                                                     \
    X(NUMBER_UNLESS_0, "z")                                                                                            \
    X(NUMBER_UNLESS_15, "w")                                                                                           \
    X(NUMBER_AFTER, "k")                                                                                               \
    X(PREDICATE, "p")                                                                                                  \
    X(PREDICATE_FIRST, "q")                                                                                            \
    X(PREDICATE_BEFORE, "P")                                                                                           \
    X(PREDICATE_LAST, "o")                                                                                             \
    X(TEST, "j")                                                                                                       \
    X(TEST_FIRST, "J")                                                                                                 \
    X(NOP, "N")                                                                                                        \
    X(MEMORY, "M")                                                                                                     \
    X(MEMORY_4, "M4")                                                                                                  \
    X(BANK, "L")                                                                                                       \
    X(BANK_TARGET, "c")                                                                                                \
    X(RELATIVE, "T")                                                                                                   \
    X(ABSOLUTE, "t")                                                                                                   \
    X(COMPUTED, "X")                                                                                                   \
    X(VOTE, "V")                                                                                                       \
    X(LANES, "W")                                                                                                      \
    X(VIDEO, "H")                                                                                                      \
    X(VIDEO_BYTES, "U")                                                                                                \
    X(SWAP, "G")                                                                                                       \
    X(EITHER, "E")                                                                                                     \
    X(EITHER_LAST, "e")                                                                                                \
    X(SCOREBOARDS, "D")                                                                                                \
    X(ATTRIBUTE, "A")                                                                                                  \
    X(ATTRIBUTE_PARTS, "a")

enum sch_maxwell_token_kind {
    SCH_MAXWELL_TOKEN_LITERAL,
#define X(name, letters) SCH_MAXWELL_TOKEN_##name,
    SCH_MAXWELL_TOKENS(X)
#undef X
        SCH_MAXWELL_TOKEN_WRONG /* the table is wrong */
};

struct sch_maxwell_token {
    enum sch_maxwell_token_kind kind;
    const char *text; /* of a literal; else the arguments: what follows the colon */
    size_t bytes;
};

/* The token at `*at`, which moves past it; false at the end. */
bool sch_maxwell_token_next(const char **at, struct sch_maxwell_token *token);

/* Arguments of tokens: a list of bits, numbers and names, with colons between them. */
struct sch_maxwell_bits sch_maxwell_argument_bits(const char **at, const char *end);
/* The argument of this number, from 0; empty where there is none. */
struct sch_maxwell_token sch_maxwell_argument(const struct sch_maxwell_token *token, unsigned number);

/* The texts of a field: a table by its name, or texts with bars between them. */
struct sch_maxwell_texts {
    const struct sch_maxwell_code_enum *table;
    const char *listed;
    size_t bytes;
};
struct sch_maxwell_texts sch_maxwell_texts_of(const struct sch_maxwell_token *argument);
/* The text of a value, which may be empty; false past the last. */
bool sch_maxwell_texts_at(const struct sch_maxwell_texts *texts, size_t value, const char **text, size_t *bytes);

/* What may be around a register, constant or immediate; bits that are not there are 64. */
struct sch_maxwell_decoration {
    struct sch_maxwell_bits number;                  /* of the register */
    uint8_t minus, bars, invert, carry, half, reuse; /* reuse: a bit of the control slot */
    bool half_only_f16;                              /* half: only where the source is F16 */
    bool always_unsigned;                            /* of video operands */
    struct sch_maxwell_bits minus_field;             /* minus where it has the value */
    unsigned minus_value;
    struct sch_maxwell_bits suffix; /* with its table */
    struct sch_maxwell_texts suffixes;
    bool lanes;                       /* the table is VAS: a part of the type of a video operand */
    struct sch_maxwell_bits selector; /* a byte or half of the source */
    uint8_t registers;                /* how many the operand is; 0: what the size says */
    struct sch_maxwell_bits size;     /* with its table; without one, one register */
    struct sch_maxwell_texts sizes;
    bool twice, written; /* twice as many registers; a predicate that is written though it does not come first */
};
enum { SCH_MAXWELL_NO_BIT = 64 };
struct sch_maxwell_decoration sch_maxwell_decoration_of(const struct sch_maxwell_token *token);

/* How many registers the operand is in this word. */
unsigned sch_maxwell_decoration_registers(const struct sch_maxwell_decoration *decoration, uint64_t word);

/* The table of a selector: parts of a source of that size. */
struct sch_maxwell_texts sch_maxwell_selector_texts(uint64_t word);
/* Whether the source of a conversion is F16, or F64. */
bool sch_maxwell_source_is_f16(uint64_t word);
bool sch_maxwell_source_is_f64(uint64_t word);
/* Whether the sizes of source and destination of a conversion are equal. */
bool sch_maxwell_sizes_equal(uint64_t word);
/* A table by its name, which there is. */
struct sch_maxwell_texts sch_maxwell_texts_named(const char *name);

#endif
