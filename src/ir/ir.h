/* A shader in memory. Its vocabulary is TGSI's (src/isa); declarations, immediates, properties and instructions keep
 * the order in which they were stored, so that text and tokens come back as they went in. Source text is not kept, only
 * positions for messages. Holds no text or token format (src/tgsi) and no execution (src/exec).
 *
 * A shader is built once, by one thread, through sch_ir_add_*; after that it is read only and may be shared. */
#ifndef SCH_IR_IR_H
#define SCH_IR_IR_H

#include "abi/maxwell.h"
#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/limits.h"
#include "isa/isa.h"

/* Whatever the limits are: registers of a file have numbers below it, and what is added to an index register is less.
 * So four channels of every register of every file are counted in 32 bits. */
enum { SCH_IR_REGISTERS = 1 << 24 };

/* An operand's index register: FILE[index].c, added to the operand's own index. */
struct sch_ir_indirect {
    uint8_t file;
    uint8_t component; /* 0..3 */
    uint16_t array_id; /* 0: none */
    int32_t index;
};

/* One bracket of an operand. */
struct sch_ir_bracket {
    int32_t index;
    bool is_indirect;
    struct sch_ir_indirect indirect; /* when is_indirect */
};

/* FILE[dimension][index].swizzle with modifiers; `dimension` (buffer or vertex) only when has_dimension. In text the
 * dimension is the first of the two brackets. */
struct sch_ir_src {
    uint8_t file;
    bool negate, absolute; /* absolute first */
    bool has_dimension;
    uint8_t swizzle[4];
    struct sch_ir_bracket index, dimension;
};

struct sch_ir_dst {
    uint8_t file;
    uint8_t write_mask; /* bit c: component c */
    bool has_dimension;
    struct sch_ir_bracket index, dimension;
};

struct sch_ir_texel_offset {
    uint8_t file;
    uint8_t swizzle[3];
    int32_t index;
};

/* How a dialect of TGSI writes an instruction that is here as TGSI has it (src/tgsi/dialect.c). Only who writes
 * texts and tokens looks at it. */
enum sch_ir_written {
    SCH_IR_WRITTEN_SO,       /* as it is here */
    SCH_IR_WRITTEN_MAX,      /* MOV of |x|: as MAX of x and -x */
    SCH_IR_WRITTEN_LOW,      /* without the swizzle xyxy of the sources that written_sources has as bits */
    SCH_IR_WRITTEN_EXCHANGED /* with the first two components of the second source exchanged */
};

struct sch_ir_instruction {
    uint16_t opcode; /* enum sch_opcode */
    uint8_t dst_count, src_count;
    bool saturate, precise;
    bool has_label, has_texture, has_memory; /* which optional words there are */
    uint8_t offset_count;
    uint8_t target;      /* has_texture: enum sch_target */
    uint8_t return_type; /* has_texture: enum sch_return_type */
    uint32_t label;      /* has_label: the instruction number after ":", kept as given; structure decides, not it */
    uint8_t qualifiers;  /* has_memory: enum sch_qualifier bits */
    uint8_t written;     /* enum sch_ir_written */
    uint8_t written_sources;
    uint8_t memory_target;
    uint16_t memory_format;
    struct sch_ir_dst dst[SCH_MAX_DSTS];
    struct sch_ir_src src[SCH_MAX_SRCS];
    struct sch_ir_texel_offset offset[SCH_MAX_OFFSETS];
    struct sch_position position;
};

struct sch_ir_declaration {
    uint8_t file;
    uint8_t usage_mask; /* 15 when not written */
    bool has_dimension, has_semantic, has_interpolation;
    bool invariant, local, atomic;
    uint8_t memory_kind;  /* MEMORY */
    uint32_t first, last; /* registers, inclusive */
    uint16_t dimension;   /* has_dimension: buffer or vertex */
    uint16_t array_id;    /* 0: none */
    uint8_t interpolation, location;
    uint8_t semantic;
    uint16_t semantic_index;
    uint8_t stream[4];      /* of components x, y, z, w */
    uint8_t target;         /* IMAGE, SAMPLER_VIEW, RESOURCE */
    uint16_t format;        /* IMAGE */
    bool raw, writable;     /* IMAGE, RESOURCE */
    uint8_t return_type[4]; /* SAMPLER_VIEW */
    struct sch_position position;
};

struct sch_ir_immediate {
    uint8_t type;     /* enum sch_immediate_type */
    uint32_t word[4]; /* bits; 64-bit values low word first */
    struct sch_position position;
};

struct sch_ir_property {
    uint8_t name; /* enum sch_property */
    uint8_t count;
    uint32_t value[8]; /* the text has one; binary tokens may have more */
    struct sch_position position;
};

enum sch_ir_kind { SCH_IR_DECLARATION, SCH_IR_IMMEDIATE, SCH_IR_PROPERTY, SCH_IR_INSTRUCTION };

/* One stored item: which array, and where in it. */
struct sch_ir_item {
    uint8_t kind; /* enum sch_ir_kind */
    uint32_t index;
};

struct sch_ir_shader {
    struct sch_arena arena; /* owns everything below */
    uint8_t stage;          /* enum sch_stage */
    uint8_t float_style;    /* enum sch_float_text */
    bool scalar; /* Maxwell code: R is TEMPORARY, P is ADDRESS, and a register has one component; FILE[n].xyzw
                               are registers n to n + 3. All that are declared are stored */
    struct sch_limits limits;
    const struct sch_maxwell_step *steps; /* of Maxwell code, by instruction; NULL: it is another shader */
    size_t item_count, item_capacity;
    struct sch_ir_item *items;
    size_t declaration_count, declaration_capacity;
    struct sch_ir_declaration *declarations;
    size_t immediate_count, immediate_capacity;
    struct sch_ir_immediate *immediates;
    size_t property_count, property_capacity;
    struct sch_ir_property *properties;
    size_t instruction_count, instruction_capacity;
    struct sch_ir_instruction *instructions;
};

/* An empty shader, or NULL when memory is out. `limits` are copied. */
struct sch_ir_shader *sch_ir_create(const struct sch_allocator *allocator, enum sch_stage stage,
                                    const struct sch_limits *limits);
void sch_ir_destroy(struct sch_ir_shader *shader);

/* Each appends a copy of the item, in stored order: OK, MEMORY, LIMIT. */
enum sch_result sch_ir_add_declaration(struct sch_ir_shader *shader, const struct sch_ir_declaration *declaration);
enum sch_result sch_ir_add_immediate(struct sch_ir_shader *shader, const struct sch_ir_immediate *immediate);
enum sch_result sch_ir_add_property(struct sch_ir_shader *shader, const struct sch_ir_property *property);
enum sch_result sch_ir_add_instruction(struct sch_ir_shader *shader, const struct sch_ir_instruction *instruction);

/* Says what the instructions of Maxwell code are, all of which were added: a copy of one step for each. INVALID: some
 * number is beyond what it may be; MEMORY. */
enum sch_result sch_ir_set_steps(struct sch_ir_shader *shader, const struct sch_maxwell_step *steps);

/* Makes room for as many more declarations, immediates and instructions, so that adding them moves nothing. The limits
 * hold as they do without. */
enum sch_result sch_ir_reserve(struct sch_ir_shader *shader, size_t declarations, size_t immediates,
                               size_t instructions);

/* Whether the registers that a declaration declares exist once for each vertex: of inputs of geometry shaders all, of
 * the tessellation stages what does not belong to the patch (tgsi.rst, "PATCH", "TESSOUTER", "TESSINNER"). */
bool sch_ir_is_per_vertex(const struct sch_ir_shader *shader, const struct sch_ir_declaration *declaration);

/* The last value given to a property, or `fallback` when there is none. */
uint32_t sch_ir_property_value(const struct sch_ir_shader *shader, enum sch_property name, uint32_t fallback);

/* Operands as the builders and parsers start them: full mask, identity swizzle. */
struct sch_ir_src sch_ir_src(enum sch_file file, int index);
struct sch_ir_dst sch_ir_dst(enum sch_file file, int index);

#endif
