/* The vocabulary of Direct3D's shader models 4 and 5, as enumerations and rows derived from d3d.def. Holds facts only;
 * all of it is constant and thread-safe. */
#ifndef SCH_ISA_D3D_H
#define SCH_ISA_D3D_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum sch_d3d_opcode {
#define D3D_OP(name, number, word, other, fields, operands, text, model, stages, flags, title)                         \
    SCH_D3D_OP_##name = number,
#include "isa/d3d.def"
    SCH_D3D_OP_LIMIT = 0xeb
};

enum sch_d3d_field {
#define D3D_FIELD(name, shift, width, vocabulary) SCH_D3D_FIELD_##name,
#include "isa/d3d.def"
    SCH_D3D_FIELD_COUNT
};

enum sch_d3d_register {
#define D3D_REGISTER(name, number, word, other, bare, flags) SCH_D3D_REGISTER_##name = number,
#include "isa/d3d.def"
    SCH_D3D_REGISTER_COUNT
};

enum sch_d3d_vocabulary {
    SCH_D3D_WORDS_NONE,
    SCH_D3D_WORDS_TEST,
    SCH_D3D_WORDS_RESINFO,
    SCH_D3D_WORDS_UINT,
    SCH_D3D_WORDS_DYNAMIC,
    SCH_D3D_WORDS_SYNC,
    SCH_D3D_WORDS_DIMENSION,
    SCH_D3D_WORDS_UNTYPED,
    SCH_D3D_WORDS_RETURN,
    SCH_D3D_WORDS_ACCESS,
    SCH_D3D_WORDS_SAMPLER,
    SCH_D3D_WORDS_TOPOLOGY,
    SCH_D3D_WORDS_PRIMITIVE,
    SCH_D3D_WORDS_INTERPOLATION,
    SCH_D3D_WORDS_FLAG,
    SCH_D3D_WORDS_DOMAIN,
    SCH_D3D_WORDS_PARTITIONING,
    SCH_D3D_WORDS_OUTPUT_PRIMITIVE,
    SCH_D3D_WORDS_SYSTEM_VALUE,
    SCH_D3D_WORDS_PRECISION,
    SCH_D3D_WORDS_FORM,
    SCH_D3D_WORDS_STAGE,
    SCH_D3D_WORDS_CUSTOM,
    SCH_D3D_WORDS_SIGNATURE,
    SCH_D3D_WORDS_SEMANTIC,
    SCH_D3D_WORDS_UNPLACED,
    SCH_D3D_WORDS_COMPONENT,
    SCH_D3D_WORDS_SIGNATURE_PRECISION,
    SCH_D3D_WORDS_FEATURE,
    SCH_D3D_WORDS_STATISTIC,
    SCH_D3D_WORDS_BINDING,
    SCH_D3D_WORDS_BOUND,
    SCH_D3D_WORDS_CLASS,
    SCH_D3D_WORDS_TYPE
};

enum sch_d3d_op_flag {
    SCH_D3D_F_DECLARATION = 1 << 0,
    SCH_D3D_F_INDENT = 1 << 1,     /* the text after it is indented */
    SCH_D3D_F_DEDENT = 1 << 2,     /* steps back before it */
    SCH_D3D_F_RESOURCE = 1 << 3,   /* texel offset, dimension and return types may follow the opcode token */
    SCH_D3D_F_DERIVATIVE = 1 << 4, /* reads its quad */
    SCH_D3D_F_FCALL = 1 << 5,      /* a function's number comes before the operand */
    SCH_D3D_F_CUSTOM = 1 << 6,     /* custom data */
    SCH_D3D_F_DOUBLE = 1 << 7,     /* needs doubles */
    SCH_D3D_F_EXTENDED = 1 << 8,   /* needs the extensions of 11.1 */
    SCH_D3D_F_TILED = 1 << 9,      /* needs tiled resources (11.2) */
    SCH_D3D_F_DEBUG = 1 << 10,     /* debug layers only */
    SCH_D3D_F_ALL_11_1 = 1 << 11,  /* all stages in 11.1 */
    SCH_D3D_F_ALL_5 = 1 << 12      /* all stages in shader model 5 */
};

enum sch_d3d_register_flag {
    SCH_D3D_R_INDEXED = 1 << 0, /* of two indices the first has brackets, too */
    SCH_D3D_R_UPPER = 1 << 1,   /* fxc writes it large in shader model 5.1 */
    SCH_D3D_R_BRACKET = 1 << 2, /* even a single index has brackets */
    SCH_D3D_R_DECLARED = 1 << 3 /* fxc declares it without components, though it has one */
};

enum { SCH_D3D_MAX_OPERANDS = 10 };

struct sch_d3d_op_info {
    const char *name;     /* NULL: no such opcode */
    const char *word;     /* fxc's mnemonic */
    const char *other;    /* vkd3d's, or "" */
    const char *operands; /* d3d.def says how */
    const char *text;     /* of declarations */
    const char *stages;
    const char *title;
    uint32_t fields; /* bit n: enum sch_d3d_field n */
    uint16_t flags;
    uint8_t opcode;
    uint8_t model;         /* 40, 41, 50 */
    uint8_t operand_count; /* that `operands` lists */
};

/* The row, or NULL. */
const struct sch_d3d_op_info *sch_d3d_op_info(unsigned opcode);

/* How many operands an instruction has, declarations included. */
unsigned sch_d3d_operand_count(const struct sch_d3d_op_info *info);

/* Role and type letters of operand `index` of an instruction that is not a declaration. */
char sch_d3d_operand_role(const struct sch_d3d_op_info *info, unsigned index);
char sch_d3d_operand_type(const struct sch_d3d_op_info *info, unsigned index);

/* By mnemonic in either spelling, case as written; NULL. */
const struct sch_d3d_op_info *sch_d3d_op_find(const char *word, size_t bytes);

struct sch_d3d_field_info {
    const char *name;
    uint8_t shift, width, vocabulary;
};
extern const struct sch_d3d_field_info sch_d3d_fields[SCH_D3D_FIELD_COUNT];

static inline uint32_t sch_d3d_get(uint32_t token, enum sch_d3d_field field)
{
    return token >> sch_d3d_fields[field].shift & ((1u << sch_d3d_fields[field].width) - 1);
}

static inline uint32_t sch_d3d_put(enum sch_d3d_field field, uint32_t value)
{
    return value << sch_d3d_fields[field].shift;
}

/* All bits of the opcode token that the fields of `info` cover. */
uint32_t sch_d3d_field_bits(const struct sch_d3d_op_info *info);

struct sch_d3d_word {
    uint8_t vocabulary, number;
    const char *word, *other;
};

/* All words; `*count` receives how many. Those of a vocabulary are together, in the order of the table. */
const struct sch_d3d_word *sch_d3d_words(size_t *count);
const struct sch_d3d_word *sch_d3d_word_by_number(enum sch_d3d_vocabulary vocabulary, uint32_t number);

/* In either spelling, any case. */
const struct sch_d3d_word *sch_d3d_word_find(enum sch_d3d_vocabulary vocabulary, const char *word, size_t bytes);

/* What a register without suffix stands for. */
enum sch_d3d_bare { SCH_D3D_BARE_NONE, SCH_D3D_BARE_ONE, SCH_D3D_BARE_FOUR };

struct sch_d3d_register_info {
    const char *name, *word, *other;
    uint8_t number;
    uint8_t bare; /* enum sch_d3d_bare */
    uint8_t flags;
};
const struct sch_d3d_register_info *sch_d3d_register_info(unsigned number);

/* In either spelling, any case; immediates have no register. */
const struct sch_d3d_register_info *sch_d3d_register_find(const char *word, size_t bytes);

#endif
