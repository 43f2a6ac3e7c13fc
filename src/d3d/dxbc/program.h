/* A shader of model 4 or 5 in memory: instructions with all that their tokens say, read from tokens and written again.
 * Declarations are instructions, in the order of the program. Holds no rules about meaning and no text: those are
 * d3d/text/text.h and the validator. */
#ifndef SCH_D3D_DXBC_PROGRAM_H
#define SCH_D3D_DXBC_PROGRAM_H

#include <scheelite/types.h>

#include "base/diagnostics.h"
#include "base/limits.h"
#include "isa/d3d.h"

/* Bits 16 to 31 of the version. */
enum sch_d3d_stage {
    SCH_D3D_PIXEL,
    SCH_D3D_VERTEX,
    SCH_D3D_GEOMETRY,
    SCH_D3D_HULL,
    SCH_D3D_DOMAIN,
    SCH_D3D_COMPUTE,
    SCH_D3D_STAGE_COUNT
};

/* How an operand names components. The numbers are those of the vocabulary FORM. */
enum sch_d3d_form {
    SCH_D3D_FORM_NONE,    /* the register has none */
    SCH_D3D_FORM_SCALAR,  /* the register has one */
    SCH_D3D_FORM_MASK,    /* four, some of them: select has a bit each */
    SCH_D3D_FORM_SWIZZLE, /* four: select has two bits each, x lowest */
    SCH_D3D_FORM_SELECT   /* one of four: select is its number */
};

enum { SCH_D3D_SWIZZLE_XYZW = 0xe4, SCH_D3D_MAX_DEPTH = 4, SCH_D3D_MAX_INDICES = 3, SCH_D3D_MAX_EXTENDED = 3 };

/* Which parts an index has. */
enum sch_d3d_index_part { SCH_D3D_INDEX_VALUE = 1, SCH_D3D_INDEX_WIDE = 2, SCH_D3D_INDEX_RELATIVE = 4 };

struct sch_d3d_index {
    uint8_t parts;                    /* enum sch_d3d_index_part; WIDE: the value has 64 bits in the tokens */
    uint64_t value;                   /* 0 without VALUE */
    struct sch_d3d_operand *relative; /* added, or NULL */
};

enum sch_d3d_modifier { SCH_D3D_NEGATE = 1, SCH_D3D_ABSOLUTE = 2 };

struct sch_d3d_operand {
    uint8_t type; /* enum sch_d3d_register */
    uint8_t form, select;
    bool extended;     /* an extended token follows: only the encoder reads it, others look at what it says */
    uint8_t modifier;  /* enum sch_d3d_modifier bits; both: -|x| */
    uint8_t precision; /* vocabulary PRECISION, 0 default */
    bool nonuniform;
    uint8_t index_count, value_count;
    struct sch_d3d_index index[SCH_D3D_MAX_INDICES];
    uint32_t values[4]; /* immediates: 1 or 4 words; 64-bit ones low word first: 2 or 4 */
};

/* Kinds of extended opcode tokens. */
enum sch_d3d_extended { SCH_D3D_EXTENDED_OFFSET = 1, SCH_D3D_EXTENDED_DIMENSION = 2, SCH_D3D_EXTENDED_RETURN = 3 };

struct sch_d3d_instruction {
    uint8_t opcode; /* enum sch_d3d_opcode */
    uint8_t operand_count, extended_count;
    bool long_length;  /* the length is in a word of its own though it would fit (custom data always has one) */
    uint32_t controls; /* the fields of the opcode token, in their places; custom data: the class */
    uint32_t extended[SCH_D3D_MAX_EXTENDED]; /* without bit 31, in the order of the file; each kind once */
    struct sch_d3d_operand *operands;
    uint32_t *literals; /* the plain words of declarations and custom data */
    uint32_t *spare;    /* words after the last operand: some real files have one; they mean nothing */
    uint32_t literal_count, spare_count;
    struct sch_position position; /* of the opcode token, or of the text */
};

struct sch_d3d_program {
    struct sch_arena arena;
    uint8_t stage, major, minor;
    struct sch_d3d_instruction *instructions;
    size_t count, capacity;
    uint32_t *trailing; /* words of the chunk after the program's own length */
    size_t trailing_count;
};

/* How two keys compare, for qsort: below 0, 0, or above. */
static inline int sch_d3d_order(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* Whether the opcode token of an instruction has a field. */
static inline bool sch_d3d_has_field(const struct sch_d3d_op_info *info, enum sch_d3d_field field)
{
    return info->fields >> field & 1;
}

/* Whether operands carry identifiers and declarations register spaces: shader model 5.1. */
static inline bool sch_d3d_has_spaces(const struct sch_d3d_program *program)
{
    return program->major == 5 && program->minor == 1;
}

/* The extended token of a kind, or 0. */
static inline uint32_t sch_d3d_extended(const struct sch_d3d_instruction *instruction, enum sch_d3d_extended kind)
{
    for (unsigned i = 0; i < instruction->extended_count; i++)
        if ((instruction->extended[i] & 0x3f) == (uint32_t)kind) return instruction->extended[i];
    return 0;
}

/* An empty program; NULL: no memory. */
struct sch_d3d_program *sch_d3d_program_create(const struct sch_allocator *allocator, const struct sch_limits *limits);
void sch_d3d_program_destroy(struct sch_d3d_program *program);

/* Decodes the words of a program chunk in host order. Reports are at `offset` + 4 * word and begin with `chunk`.
 * INVALID, LIMIT, MEMORY. What is accepted encodes to the same words. */
enum sch_result sch_d3d_decode(const struct sch_allocator *allocator, const struct sch_limits *limits,
                               const uint32_t *words, size_t count, uint64_t offset, const char *chunk,
                               struct sch_diagnostics *diagnostics, struct sch_d3d_program **program);

/* Encodes; words from `allocator`. LIMIT: the program is too long for its length word. */
enum sch_result sch_d3d_encode(const struct sch_d3d_program *program, const struct sch_allocator *allocator,
                               struct sch_diagnostics *diagnostics, uint32_t **words, size_t *count);

#endif
