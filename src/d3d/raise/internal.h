/* Raising: what the files of this folder share. A shader of the intermediate representation (TGSI's vocabulary) becomes
 * a program of shader model 5.0; docs/d3d.md, "From TGSI to Direct3D", says which register and opcode becomes what.
 * Instructions are collected first, since what is declared depends on them. Private to src/d3d/raise/. */
#ifndef SCH_D3D_RAISE_INTERNAL_H
#define SCH_D3D_RAISE_INTERNAL_H

#include "d3d/raise/raise.h"
#include "ir/ir.h"
#include "isa/errors.h"

enum {
    SCH_RAISE_REGISTERS = 32, /* v#, o# */
    SCH_RAISE_BUFFERS = 14,   /* cb# */
    SCH_RAISE_RESOURCES = 64, /* SAMP, SVIEW, BUFFER, IMAGE: registers of each that are followed; t# has 128, u# 64 */
    SCH_RAISE_TEMPS = 4096,   /* r# and x# together */
    SCH_RAISE_ARRAYS = 256,   /* arrays of temporaries */
    SCH_RAISE_TARGETS = 8,    /* o# of pixel shaders */
    SCH_RAISE_STREAMS = 4
};

/* Vocabularies of isa/d3d.def, by number. */
enum { SCH_RAISE_TEST_NONZERO = 1, SCH_RAISE_MODE_COMPARISON = 1, SCH_RAISE_RESINFO_UINT = 2 };
enum {
    SCH_RAISE_FLAG_DOUBLES = 2,
    SCH_RAISE_FLAG_EARLY_DEPTH = 4,
    SCH_RAISE_FLAG_DOUBLE_EXTENSIONS = 64,
    SCH_RAISE_FLAG_EXTENSIONS = 128
};
enum sch_raise_feature { /* vocabulary FEATURE */
                         SCH_RAISE_FEATURE_DOUBLES = 0,
                         SCH_RAISE_FEATURE_VIEWS_EVERYWHERE = 2,
                         SCH_RAISE_FEATURE_VIEWS_64 = 3,
                         SCH_RAISE_FEATURE_DOUBLE_EXTENSIONS = 5,
                         SCH_RAISE_FEATURE_EXTENSIONS = 6,
                         SCH_RAISE_FEATURE_STENCIL = 9,
                         SCH_RAISE_FEATURE_INNER_COVERAGE = 10,
                         SCH_RAISE_FEATURE_TYPED_LOADS = 11,
                         SCH_RAISE_FEATURE_ARRAY_INDEX = 13
};

/* Vocabulary DIMENSION. */
enum {
    SCH_RAISE_BUFFER = 1,
    SCH_RAISE_1D = 2,
    SCH_RAISE_2D = 3,
    SCH_RAISE_2DMS = 4,
    SCH_RAISE_3D = 5,
    SCH_RAISE_CUBE = 6,
    SCH_RAISE_1D_ARRAY = 7,
    SCH_RAISE_2D_ARRAY = 8,
    SCH_RAISE_2DMS_ARRAY = 9,
    SCH_RAISE_CUBE_ARRAY = 10
};

/* What a row of values.def says of an IN or OUT register. */
enum sch_raise_kind { SCH_RAISE_SIV, SCH_RAISE_SGV };
enum sch_raise_type { SCH_RAISE_UINT = 1, SCH_RAISE_FLOAT = 3 }; /* vocabulary COMPONENT */
struct sch_raise_meaning {
    uint8_t semantic, value; /* Direct3D's system value, or 0 */
    uint8_t kind, type, home;
    const char *inputs, *outputs, *name;
};

/* Array indices, viewports, numbers: one component. */
static inline bool sch_raise_is_scalar(const struct sch_raise_meaning *meaning)
{
    enum { LAST_VECTOR = 3 }; /* positions, clip and cull distances */
    return meaning->value > LAST_VECTOR;
}

/* An input, output or system value register of the IR. */
struct sch_raise_io {
    bool declared, used;
    bool named;    /* has a semantic of its own */
    bool shadowed; /* is in a temporary; outputs are copied out where the program ends or emits */
    bool indexed;  /* a register indexes the range that begins here */
    uint8_t mask;  /* components that are declared or used */
    uint8_t read;  /* of inputs: components that are read */
    uint8_t semantic;
    uint8_t interpolation, location, stream;
    uint8_t range;  /* registers in the declaration that begins here; 0: none does */
    uint8_t number; /* v#, o# */
    uint16_t semantic_index;
    uint32_t temp; /* shadowed: which r# */
};

/* Where a temporary is. */
struct sch_raise_temp {
    bool declared;
    uint32_t array;  /* plus one; 0: a register r# */
    uint32_t number; /* r#, or the element of the array */
};

struct sch_raise_array {
    uint16_t id; /* ArrayID; 0: the whole file */
    uint32_t first, size;
    bool indexed;
};

struct sch_raise_resource {
    bool declared, used;
    bool compared, filtered; /* samplers: by which lookups */
    bool texels;             /* views: coordinates are in texels */
    bool untyped;            /* images: no format is stated */
    bool loadable;           /* images: every device loads the format */
    uint8_t dimension;       /* vocabulary DIMENSION; 0: not known yet */
    uint16_t types;          /* return types, four bits each */
};

/* One name of the tables: the opcode that is raised. */
struct sch_raise_row;

struct sch_raise {
    const struct sch_ir_shader *in;
    struct sch_d3d_shader *out;
    struct sch_arena *arena; /* the program's */
    struct sch_diagnostics *diagnostics;
    enum sch_result status;
    const struct sch_ir_instruction *at; /* the one being raised, or NULL */
    unsigned reports;
    bool refused[SCH_OP_LIMIT]; /* already reported */

    struct sch_d3d_instruction *code;
    size_t count, capacity;

    struct sch_raise_io inputs[SCH_RAISE_REGISTERS], outputs[SCH_RAISE_REGISTERS], values[SCH_RAISE_REGISTERS];
    struct sch_raise_temp temps[SCH_RAISE_TEMPS];
    struct sch_raise_array arrays[SCH_RAISE_ARRAYS];
    uint32_t array_count, temp_end, addresses;
    bool one_array;                        /* an index without an array: all temporaries are one */
    uint32_t fixed;                        /* r# that live through the program: temporaries, addresses, shadows */
    uint32_t address;                      /* r# of ADDR[0] */
    uint32_t used, most;                   /* scratch registers of this instruction; of any */
    uint32_t constants[SCH_RAISE_BUFFERS]; /* vectors of cb#; 0: not declared */
    bool constants_indexed[SCH_RAISE_BUFFERS];
    bool immediates_indexed;
    struct sch_raise_resource samplers[SCH_RAISE_RESOURCES], views[SCH_RAISE_RESOURCES], buffers[SCH_RAISE_RESOURCES],
        images[SCH_RAISE_RESOURCES];
    bool counters[SCH_RAISE_RESOURCES];                /* HWATOMIC buffers that are used */
    uint32_t first_buffer, first_image, first_counter; /* the u# of BUFFER[0], IMAGE[0] and HWATOMIC[0] */
    bool is_shared[SCH_RAISE_RESOURCES];               /* MEMORY registers: of the work group */
    bool shared;                                       /* that is used */
    uint32_t inputs_taken, outputs_taken;              /* v#, o#, as bits */
    uint32_t block[3], vertices;                       /* of a work group, of a geometry shader's primitive */
    bool streams[SCH_RAISE_STREAMS];
    uint32_t flags;    /* vocabulary FLAG */
    uint64_t features; /* vocabulary FEATURE, as bits */
    uint32_t *labels;  /* instruction of a BGNSUB, in the order of l# */
    uint32_t label_count;
    bool in_subroutine;
    uint32_t depth_layout; /* FS_DEPTH_LAYOUT */
    bool broadcasts;       /* COLOR 0 goes to all targets */
};

static inline void sch_raise_needs(struct sch_raise *r, enum sch_raise_feature feature)
{
    r->features |= UINT64_C(1) << feature;
}

/* make.c: operands by themselves. */
static inline struct sch_d3d_index sch_raise_index(uint32_t number)
{
    return (struct sch_d3d_index){.parts = SCH_D3D_INDEX_VALUE, .value = number};
}
struct sch_d3d_operand sch_raise_register(unsigned type, uint32_t number);              /* all components */
struct sch_d3d_operand sch_raise_named(unsigned type, uint32_t number);                 /* without components */
struct sch_d3d_operand sch_raise_bare(unsigned type);                                   /* without a number */
struct sch_d3d_operand sch_raise_temp(uint32_t number);                                 /* r# */
struct sch_d3d_operand sch_raise_masked(struct sch_d3d_operand operand, unsigned mask); /* as a destination */
struct sch_d3d_operand sch_raise_literal(uint32_t x, uint32_t y, uint32_t z, uint32_t w);
struct sch_d3d_operand sch_raise_word(uint32_t word);
struct sch_d3d_operand sch_raise_float(float value);
struct sch_d3d_operand sch_raise_swizzle(struct sch_d3d_operand operand, unsigned x, unsigned y, unsigned z,
                                         unsigned w);
struct sch_d3d_operand sch_raise_splat(struct sch_d3d_operand operand, unsigned component);
struct sch_d3d_operand sch_raise_scalar(struct sch_d3d_operand operand); /* its first component alone */
struct sch_d3d_operand sch_raise_negated(struct sch_d3d_operand operand);

/* emit.c. A report of an instruction comes once for each opcode. */
void sch_raise_refuse(struct sch_raise *r, enum sch_diagnostic_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A scratch register for this instruction. */
struct sch_d3d_operand sch_raise_scratch(struct sch_raise *r);
/* Appends an instruction whose operands are given as vectors: what the table of Direct3D's opcodes says about each
 * operand (one component, doubles, no modifiers) is brought about here. Never NULL. */
struct sch_d3d_instruction *sch_raise_emit(struct sch_raise *r, unsigned opcode, const struct sch_d3d_operand *operands,
                                           unsigned count);
struct sch_d3d_instruction *sch_raise_0(struct sch_raise *r, unsigned opcode);
struct sch_d3d_instruction *sch_raise_1(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a);
struct sch_d3d_instruction *sch_raise_2(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a, struct sch_d3d_operand b);
struct sch_d3d_instruction *sch_raise_3(struct sch_raise *r, unsigned opcode, struct sch_d3d_operand dst,
                                        struct sch_d3d_operand a, struct sch_d3d_operand b, struct sch_d3d_operand c);
/* Marks an instruction as the one that gives the float result: _sat and precise. */
void sch_raise_modify(struct sch_raise *r, struct sch_d3d_instruction *made);

/* types.c: what a target is: its dimension, how many components are coordinates (layer included), the component with
 * the reference value; coordinates in texels. NULL: nothing. */
enum { SCH_RAISE_NO_REFERENCE = 4, SCH_RAISE_ALL_FLOAT = 0x5555 };
struct sch_raise_target {
    uint8_t dimension, coordinates, reference;
    bool texels;
};
const struct sch_raise_target *sch_raise_target(unsigned target);
/* What declarations say of views and images; the words after the opcode of a lookup. */
void sch_raise_extend(struct sch_d3d_instruction *made, enum sch_d3d_extended kind, uint32_t bits);
void sch_raise_type_view(struct sch_raise_resource *made, const struct sch_ir_declaration *declaration);
void sch_raise_type_image(struct sch_raise_resource *made, unsigned target, unsigned format);
void sch_raise_say_type(struct sch_d3d_instruction *made, const struct sch_raise_resource *resource);

/* values.c: what inputs, outputs and system values are. */
/* Whether the program was Direct3D's before: its operations mean what they mean there. */
static inline bool sch_raise_was_d3d(const struct sch_raise *r)
{
    return sch_ir_property_value(r->in, SCH_PROPERTY_D3D_RULES, 0) != 0;
}

static inline bool sch_raise_is_pixel(const struct sch_raise *r) { return r->in->stage == SCH_STAGE_FRAGMENT; }
const struct sch_raise_meaning *sch_raise_meaning_of(const struct sch_raise *r, const struct sch_raise_io *io,
                                                     bool is_input);
/* Which output of a pixel shader is not a target: 0 where it is one. */
unsigned sch_raise_special(const struct sch_raise *r, const struct sch_raise_io *io);
/* A register that nothing has, from `from` on, down or up, and then any; marks it. SCH_RAISE_REGISTERS: there is
 * none. */
unsigned sch_raise_free(uint32_t *taken, unsigned from, bool down);
/* A row of values.def about a system value of the stage, or NULL; its register as declarations have it; as a source. */
struct sch_raise_value {
    uint8_t semantic, file, value, components;
    const char *stages;
};
const struct sch_raise_value *sch_raise_value_of(const struct sch_raise *r, unsigned semantic);
struct sch_d3d_operand sch_raise_whole(unsigned type);
struct sch_d3d_operand sch_raise_system_value(struct sch_raise *r, unsigned number, unsigned components);

/* operand.c: source `number` of the instruction, of which only `used` components are read (system values have few);
 * the components of its sources that an instruction reads, after their swizzles. */
struct sch_d3d_operand sch_raise_source(struct sch_raise *r, unsigned number, unsigned used);
unsigned sch_raise_used(const struct sch_ir_instruction *instruction);
/* The first texel offset, two components of it. */
struct sch_d3d_operand sch_raise_texel_offset(struct sch_raise *r);
/* Destination `number` with its write mask. */
struct sch_d3d_operand sch_raise_destination(struct sch_raise *r, unsigned number);
/* Four times an index, in x: the byte of a word that a bracket names. */
struct sch_d3d_operand sch_raise_byte(struct sch_raise *r, const struct sch_ir_bracket *bracket);

/* scan.c: where everything is, what is computed first, what is copied at the end or when a vertex is emitted. */
void sch_raise_scan(struct sch_raise *r);
void sch_raise_prologue(struct sch_raise *r);
void sch_raise_epilogue(struct sch_raise *r, unsigned stream);

/* declare.c: the program, of declarations and the code. */
void sch_raise_declare(struct sch_raise *r, struct sch_d3d_instruction *code, size_t count);

/* alu.c: the result of an instruction whose destination cannot take it as it is. Begins with the destination or a
 * scratch register of its mask; the end saturates and moves. */
struct sch_raise_result {
    struct sch_d3d_operand dst; /* where the instruction writes */
    struct sch_d3d_operand to;  /* where the value goes then */
    bool moved;
};
struct sch_raise_result sch_raise_begin(struct sch_raise *r, bool is_float);
void sch_raise_finish(struct sch_raise *r, const struct sch_raise_result *result);

/* alu.c, flow.c, texture.c, memory.c: the functions that rows of raise.def name. */
struct sch_raise_row {
    void (*raise)(struct sch_raise *r, const struct sch_raise_row *row);
    uint16_t op, other;
    const char *order; /* of sources, where it differs */
};
typedef void sch_raise_fn(struct sch_raise *r, const struct sch_raise_row *row);
/* clang-format off */
#define RAISE_FUNCTIONS(X)                                                                                             \
    X(PLAIN) X(EXTENDED) X(COPY_INT) X(SCALAR) X(FIRST) X(SECOND) X(FLOAT_TEST) X(LERP) X(POWER) X(LIGHT) X(DISTANCE) X(EXPAND) X(LOGARITHM)    \
    X(SIGN) X(SIGN_INT) X(ABS_INT) X(CHOOSE) X(ADDRESS) X(DIVIDE) X(PACK_HALF) X(UNPACK_HALF) X(FIELD) X(INSERT)        \
    X(HIGH_BIT) X(PAIRS) X(COMPARE_PAIRS) X(WIDEN) X(NARROW) X(FUSED) X(FUSED_PAIRS)                                    \
    X(FLOW) X(IF_FLOAT) X(IF_WORD) X(CASE_) X(SELECT_) X(CALL_) X(SUBROUTINE) X(RETURN_) X(END_) X(KILL_) X(KILL_IF_)   \
    X(NOTHING) X(TEX_) X(FETCH) X(SIZE) X(SAMPLES) X(GATHER) X(LEVEL) X(SAMPLE_) X(LOAD_) X(STORE_) X(ATOMIC_)          \
    X(BUFFER_SIZE) X(SYNC_) X(FENCE) X(EMIT_) X(EVALUATE)
/* clang-format on */
#define RAISE_DECLARE(name) sch_raise_fn sch_raise_##name;
RAISE_FUNCTIONS(RAISE_DECLARE)
#undef RAISE_DECLARE

#endif
