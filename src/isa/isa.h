/* The vocabulary of the intermediate representation, as enumerations and rows derived from the tables of this folder.
 * Holds facts only: no meaning (src/ops), no shader (src/ir), no text (src/tgsi). All of it is constant and
 * thread-safe. */
#ifndef SCH_ISA_ISA_H
#define SCH_ISA_ISA_H

#include <scheelite/types.h>

/* Bounds of arrays indexed by the public enumerations, which are made from the tables, too: the greatest number and one
 * more. */
union sch_stage_bound {
#define STAGE(name, number, word, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_target_bound {
#define TARGET(name, number, word, coordinates, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_primitive_bound {
#define PRIMITIVE(name, number, word, vertices, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_file_bound {
#define FILE_(name, number, word, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_interpolation_bound {
#define INTERPOLATION(name, number, word, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_location_bound {
#define LOCATION(name, number, word, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_memory_kind_bound {
#define MEMORY_KIND(name, number, word, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_return_bound {
#define RETURN_TYPE(name, number, word, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_immediate_bound {
#define IMMEDIATE(name, number, word, values, doc) char is_##name[number + 1];
#include "isa/names.def"
};
union sch_semantic_bound {
#define SEMANTIC(name, number, ...) char is_##name[number + 1];
#include "isa/semantics.def"
#undef SEMANTIC
};
enum {
    SCH_STAGE_COUNT = sizeof(union sch_stage_bound),
    SCH_TARGET_COUNT = sizeof(union sch_target_bound),
    SCH_SEMANTIC_COUNT = sizeof(union sch_semantic_bound),
    SCH_PRIMITIVE_COUNT = sizeof(union sch_primitive_bound),
    SCH_FILE_COUNT = sizeof(union sch_file_bound),
    SCH_INTERPOLATION_COUNT = sizeof(union sch_interpolation_bound),
    SCH_LOCATION_COUNT = sizeof(union sch_location_bound),
    SCH_MEMORY_KIND_COUNT = sizeof(union sch_memory_kind_bound),
    SCH_RETURN_COUNT = sizeof(union sch_return_bound),
    SCH_IMMEDIATE_COUNT = sizeof(union sch_immediate_bound),
    SCH_SEMANTIC_TOKEN_LIMIT = 64, /* semantics from here on are our own: binary tokens refuse them */
    SCH_FORMAT_LIMIT = 1024        /* the field has ten bits */
};

#define SCH_FILE_BIT(name) (1u << SCH_FILE_##name)

enum { SCH_RETURN_UNKNOWN = SCH_RETURN_COUNT }; /* the texture word of an instruction; it has no text */

/* Values of FS_COORD_ORIGIN and FS_COORD_PIXEL_CENTER. */
enum sch_origin {
#define ORIGIN(name, number, word, doc) SCH_ORIGIN_##name = number,
#include "isa/names.def"
};
enum sch_pixel_center {
#define PIXEL_CENTER(name, number, word, doc) SCH_PIXEL_CENTER_##name = number,
#include "isa/names.def"
};

enum sch_property {
#define PROPERTY(name, number, stages, value, doc) SCH_PROPERTY_##name = number,
#include "isa/properties.def"
#undef PROPERTY
    SCH_PROPERTY_COUNT,
    SCH_PROPERTY_TOKEN_LIMIT = 48 /* properties from here on are our own: binary tokens refuse them */
};

/* Opcode numbers have gaps; SCH_OP_LIMIT bounds arrays indexed by opcode. */
enum sch_opcode {
#define OP(name, number, section, dsts, srcs, shape, signature, flags, ...) SCH_OP_##name = number,
#include "isa/opcodes.def"
#undef OP
    SCH_OP_TOKEN_LIMIT = 256, /* opcodes from here on are our own: binary tokens refuse them */
    SCH_OP_LIMIT = SCH_OP_TOKEN_LIMIT + 256
};

/* How an instruction's destination channels come from its source channels. The first group is arithmetic that src/ops
 * does for one vector of lanes at a time; an engine needs nothing but the shape to run any of them. In the second group
 * the engine has a handler. */
enum sch_op_shape {
    SCH_SHAPE_COMP,      /* dst.c = f(src0.c, src1.c, ...) for each written c */
    SCH_SHAPE_REPL,      /* dst.* = f(src0.x, src1.x) */
    SCH_SHAPE_VREPL2,    /* dst.* = f(src0.xy, src1.xy) */
    SCH_SHAPE_VREPL3,    /* dst.* = f(src0.xyz, src1.xyz) */
    SCH_SHAPE_VREPL4,    /* dst.* = f(src0.xyzw, src1.xyzw) */
    SCH_SHAPE_CHAN,      /* dst.xyzw = f(src0.xyzw, src1.xyzw), each channel by its own formula */
    SCH_SHAPE_UNPACK,    /* dst.xyzw = f(src0.x) */
    SCH_SHAPE_COMP64,    /* dst.xy = f(src.xy), dst.zw = f(src.zw); a 32-bit source gives x and z */
    SCH_SHAPE_COMPARE64, /* dst.x = f(src.xy), dst.z = f(src.zw) */
    SCH_SHAPE_WIDEN64,   /* dst.xy = f(src.x), dst.zw = f(src.y) */
    SCH_SHAPE_NARROW64,  /* dst.x = f(src.xy), dst.y = f(src.zw) */
    SCH_SHAPE_FRACEXP,   /* dst0.xy, dst0.zw = fraction(src.xy); dst1.xyzw = exponent(src.xy) */

    SCH_SHAPE_FLOW,        /* masks and program counter */
    SCH_SHAPE_TEX,         /* the texture unit */
    SCH_SHAPE_MEMORY,      /* buffers, images, memory */
    SCH_SHAPE_ATOMIC,      /* read, compute and write one word of memory: the computation is src/ops */
    SCH_SHAPE_LANE,        /* other lanes of the subgroup, or the state of this lane */
    SCH_SHAPE_STREAM,      /* vertices out of a geometry shader */
    SCH_SHAPE_INTERPOLATE, /* inputs at another place in the pixel */
    SCH_SHAPE_SYNC,        /* barriers */
    SCH_SHAPE_FETCH,       /* the framebuffer */
    SCH_SHAPE_HANDLE,      /* bindless handles */
};
#define SCH_SHAPE_IS_ARITHMETIC(shape) ((shape) <= SCH_SHAPE_FRACEXP)

enum { SCH_CONSTRUCT_COUNT = SCH_CONSTRUCT_SUB + 1 }; /* of enum sch_construct */

enum sch_op_flags {
    SCH_OPF_CANON = 1 << 0,          /* a NaN result is the canonical NaN */
    SCH_OPF_LEGACY = 1 << 1,         /* LEGACY_MATH_RULES changes its multiplications */
    SCH_OPF_FUSED = 1 << 2,          /* multiplies and adds with one rounding, unless _PRECISE */
    SCH_OPF_DERIVATIVE = 1 << 3,     /* reads the other invocations of its quad */
    SCH_OPF_FRAGMENT = 1 << 4,       /* allowed in fragment shaders only */
    SCH_OPF_GEOMETRY_STAGE = 1 << 5, /* allowed in geometry shaders only */
    SCH_OPF_TEXTURE = 1 << 6,        /* TEX family: a target follows the last source, then offsets */
    SCH_OPF_SAMPLE = 1 << 7,         /* SAMPLE family: no target, offsets may follow */
    SCH_OPF_BRANCH = 1 << 8,         /* carries a label word; the text may end with ":n" */
    SCH_OPF_ADDRESS = 1 << 9,        /* writes address registers, and nothing else does */
    SCH_OPF_QUICK = 1 << 10,         /* machine code has a quicker body, for a second operand if that is constant */
    SCH_OPF_MEMORY = 1 << 11,        /* memory words (qualifiers, target, format) may follow in text */
    SCH_OPF_STORE = 1 << 12,         /* writes memory */
    SCH_OPF_ATOMIC = 1 << 13,        /* reads and writes memory in one step */
    SCH_OPF_CROSS_LANE = 1 << 14,    /* reads other invocations of the subgroup */
    SCH_OPF_BARRIER = 1 << 15,       /* suspends the invocation */
    SCH_OPF_D3D = 1 << 16,           /* D3D_RULES changes its results, beside the flush of denormals */
    SCH_OPF_OPENS = 1 << 17,         /* opens a construct (sch_op_construct), which nests with the others */
    SCH_OPF_DIVIDES = 1 << 18,       /* ends a part of the innermost construct and begins its next one */
    SCH_OPF_CLOSES = 1 << 19,        /* closes the innermost construct */
    SCH_OPF_LEAVES = 1 << 20,        /* part of none: invocations go elsewhere than to the next instruction, or end */
    SCH_OPF_CONSTRUCT_SHIFT = 21,    /* two bits: the construct that the opcode is a part of; an IF without them */
    SCH_OPF_LOOP = SCH_CONSTRUCT_LOOP << SCH_OPF_CONSTRUCT_SHIFT,
    SCH_OPF_SWITCH = SCH_CONSTRUCT_SWITCH << SCH_OPF_CONSTRUCT_SHIFT,
    SCH_OPF_SUB = SCH_CONSTRUCT_SUB << SCH_OPF_CONSTRUCT_SHIFT,
    SCH_OPF_DISCARDS = 1 << 23, /* invocations may end here, or become helpers */
    SCH_OPF_SPENDS = 1 << 24,   /* costs an invocation a step of its budget */
    SCH_OPF_COMMUTES = 1 << 25, /* an atomic: several of the same opcode leave the same word in any order */
    SCH_OPF_CLOCK = 1 << 26,    /* counts what the whole group does */
};

enum sch_op_section {
    SCH_SECTION_CORE,
    SCH_SECTION_COMPUTE,
    SCH_SECTION_INTEGER,
    SCH_SECTION_BITWISE,
    SCH_SECTION_GEOMETRY,
    SCH_SECTION_GLSL,
    SCH_SECTION_INTERPOLATION,
    SCH_SECTION_DOUBLE,
    SCH_SECTION_INT64,
    SCH_SECTION_SAMPLING,
    SCH_SECTION_RESOURCE,
    SCH_SECTION_BINDLESS,
    SCH_SECTION_SYNC,
    SCH_SECTION_ATOMIC,
    SCH_SECTION_LANE,
    SCH_SECTION_PEER,
    SCH_SECTION_D3D,
    SCH_SECTION_COUNT
};

enum { SCH_MAX_DSTS = 2, SCH_MAX_SRCS = 5, SCH_MAX_OFFSETS = 4 };

/* The row of an opcode. Operand types are the letters of the signature (see opcodes.def). */
struct sch_op_info {
    const char *name; /* NULL: no such opcode */
    const char *title;
    const char *signature;
    uint16_t opcode;
    uint8_t section; /* enum sch_op_section */
    uint8_t dsts, srcs;
    uint8_t shape; /* enum sch_op_shape */
    uint32_t flags;
    char dst_type;               /* 'F' and so on; 'N' when there is no destination */
    char src_type[SCH_MAX_SRCS]; /* 0 past the last source */
};

/* What an operand of such a letter holds: UNKNOWN for X, R and N. */
enum sch_value_type sch_value_of_letter(char letter);

/* The row, or NULL when there is no such opcode. */
const struct sch_op_info *sch_op_info(unsigned opcode);

/* The construct that an opcode opens, divides or closes. */
static inline enum sch_construct sch_op_construct(const struct sch_op_info *info)
{
    return (enum sch_construct)(info->flags >> SCH_OPF_CONSTRUCT_SHIFT & 3);
}

/* Whether the shape says which channels of its sources an instruction reads. */
bool sch_op_tells_channels(const struct sch_op_info *info);

/* Those channels, as bits, after the swizzle, of each source whose value is read, when the channels `written` of the
 * destination are written. All four where the shape does not say it. */
unsigned sch_op_channels_read(const struct sch_op_info *info, unsigned written);

/* The row of an instruction with so many sources. TG4 has two forms: PIPE_CAP_TGSI_TG4_COMPONENT_IN_SWIZZLE leaves its
 * component out. Any other number of sources gives the row of sch_op_info. */
const struct sch_op_info *sch_op_form(unsigned opcode, unsigned srcs);

/* The opcode called `name` (`bytes` long, any case), or NULL. */
const struct sch_op_info *sch_op_find(const char *name, size_t bytes);

/* A word of one of the small vocabularies. */
struct sch_word {
    const char *word; /* as the printer writes it */
    const char *doc;
    unsigned number;
    unsigned extra; /* TARGET: coordinates; IMMEDIATE: values; PRIMITIVE: vertices; SEMANTIC: file bits */
    /* SEMANTIC "F" or "U"; PROPERTY "UINT", "PRIMITIVE", "ORIGIN", "PIXEL_CENTER", "STAGE"; else NULL */
    const char *type;
    const char *name; /* the specification's name, where it differs from the word; else equal to it */
};

enum sch_vocabulary {
    SCH_WORDS_STAGE,
    SCH_WORDS_FILE,
    SCH_WORDS_TARGET,
    SCH_WORDS_INTERPOLATION,
    SCH_WORDS_LOCATION,
    SCH_WORDS_MEMORY_KIND,
    SCH_WORDS_QUALIFIER,
    SCH_WORDS_RETURN_TYPE,
    SCH_WORDS_IMMEDIATE,
    SCH_WORDS_PRIMITIVE,
    SCH_WORDS_ORIGIN,
    SCH_WORDS_PIXEL_CENTER,
    SCH_WORDS_SEMANTIC,
    SCH_WORDS_PROPERTY,
    SCH_WORDS_FORMAT, /* words are the names without PIPE_FORMAT_ */
    SCH_WORDS_COUNT
};

/* All words of a vocabulary in the order of their numbers; `*count` receives how many. */
const struct sch_word *sch_words(enum sch_vocabulary vocabulary, size_t *count);

/* Where a semantic is used. */
struct sch_semantic_info {
    const char *word;                    /* NULL: no such semantic */
    uint16_t files;                      /* SCH_FILE_BIT of those that may carry it */
    uint8_t input, output, system_value; /* stages that the specification names, bits by enum sch_stage */
    uint8_t produced;                    /* further stages, in which producers write it */
    uint8_t components;                  /* 1: its value is in x, and the others are constant; else 4 */
};

/* By number, or NULL. */
const struct sch_semantic_info *sch_semantic_info(unsigned semantic);

/* The stages that the specification names for a file. */
unsigned sch_semantic_stages(const struct sch_semantic_info *info, unsigned file);

/* The stages whose behaviour a property changes, bits by enum sch_stage. */
unsigned sch_property_stages(unsigned property);

/* Whether registers of a file exist once for each vertex in a stage, so that the first of two brackets names one. */
bool sch_file_is_per_vertex(unsigned stage, unsigned file);

/* Whether a semantic is of a whole patch or primitive: one value for all its vertices. */
bool sch_semantic_is_of_patch(unsigned semantic);

/* Whether a semantic gives an invocation its place in the subgroup. The size is the same for all. */
bool sch_semantic_is_of_subgroup(unsigned semantic);

/* By number, or NULL. */
const struct sch_word *sch_word_by_number(enum sch_vocabulary vocabulary, unsigned number);

/* By word (`bytes` long, any case), or NULL. */
const struct sch_word *sch_word_find(enum sch_vocabulary vocabulary, const char *word, size_t bytes);

#endif
