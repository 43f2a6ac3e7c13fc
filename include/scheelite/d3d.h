/* What only Direct3D shaders (models 4.0 to 5.1) have: signatures, bindings, chunks, interfaces, register spaces. The
 * functions of shader.h read, print and write them. Sources: the DXBC container and its chunks as Direct3D 10 and 11
 * define them.
 *
 * Example, with a context:
 *
 *     const char text[] = "ps_5_0\ndcl_constantbuffer cb2[1], immediateIndexed\ndcl_output o0.xyzw\n"
 *                         "mov o0.xyzw, cb2[0].xyzw\nret\n";
 *     struct sch_read_options options = {.size = sizeof options, .kind = SCH_KIND_D3D_ASM};
 *     struct sch_shader *shader;
 *     struct sch_unit unit = {.size = sizeof unit};
 *     if (sch_shader_read(context, text, strlen(text), &options, NULL, &shader) != SCH_OK) return 1;
 *     if (sch_shader_unit(shader, SCH_RANGE_CONSTANTS, 0, 2, &unit))
 *         printf("cb2 is constants[%u]\n", unit.number); // prints cb2 is constants[2]
 *     sch_shader_destroy(shader);
 *
 * All functions are thread-safe. Functions that fill in a struct return false if its `size` is not set. Pointers in
 * these structs are valid as long as the shader. */
#ifndef SCHEELITE_D3D_H
#define SCHEELITE_D3D_H

#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One element of a signature (chunks ISGN, OSGN, PCSG, OSG5, ISG1, OSG1, PSG1). */
struct sch_signature_info {
    size_t size;
    const char *name;            /* of the semantic, as the source has it; upper and lower case are the same */
    const char *system_value;    /* "POS", "TARGET", ...; "": none */
    const char *type;            /* "float", "int", "uint", "unknown" */
    uint32_t index;              /* of the semantic */
    uint32_t register_number;    /* 0xffffffff: none (oDepth and the like) */
    uint32_t stream;             /* geometry shaders: 0 to 3 */
    uint32_t min_precision;      /* as the chunk has it; 0: 32 bits */
    uint8_t mask;                /* bits 0 to 3: x, y, z, w */
    uint8_t used;                /* inputs: components that are always read; outputs: components that may be written */
    enum sch_system_value value; /* `system_value` as a number */
};

/* Element `position`, counted from 0. False past the last, and for shaders without signatures. */
SCH_API bool sch_shader_signature(const struct sch_shader *shader, enum sch_signature_kind kind, uint32_t position,
                                  struct sch_signature_info *info);

/* One resource that the shader binds (chunk RDEF). Numbers are those of D3D11_SHADER_INPUT_BIND_DESC. */
struct sch_binding_info {
    size_t size;
    const char *name;
    /* D3D_SHADER_INPUT_TYPE: 0 constant buffer, 1 texture buffer, 2 texture, 3 sampler, 4 to 11 buffers of bytes and
     * structures, and views u# */
    uint32_t kind;
    uint32_t return_type, dimension, samples, slot, count, flags;
    uint32_t space;        /* shader model 5.1 */
    const char *kind_word; /* `kind` in a word: "texture", "sampler", ..., "unknown" */
};
/* Resource `position`, counted from 0. False past the last, and without that chunk. */
SCH_API bool sch_shader_binding(const struct sch_shader *shader, uint32_t position, struct sch_binding_info *info);

/* One chunk of the container, known or unknown. */
struct sch_chunk_info {
    size_t size;
    char tag[5]; /* "SHEX" */
    const void *data;
    size_t bytes;
};
/* Chunk `position`, counted from 0 in the order of the file. False past the last. */
SCH_API bool sch_shader_chunk(const struct sch_shader *shader, uint32_t position, struct sch_chunk_info *info);

/* A container inside of a chunk of a container that has no program itself: a shader of an effect (chunk FX10), or a
 * function of a library. sch_shader_read reads its bytes. */
struct sch_nested_info {
    size_t size;
    const char *stage;     /* as in struct sch_d3d_info; "": it has no program */
    uint32_t major, minor; /* the shader model; 0.0 without a program */
    char tag[5];           /* of the chunk around it */
    const void *data;
    size_t bytes;
    uint64_t offset; /* from the start of the file; 0 if the outer container was made from text */
};

/* Nested container `position`, counted from 0 in the order of the file. False past the last. Their headers and sizes
 * have been checked, but not their contents. */
SCH_API bool sch_shader_nested(const struct sch_shader *shader, uint32_t position, struct sch_nested_info *info);

/* What a Direct3D shader is. */
struct sch_d3d_info {
    size_t size;
    const char *stage;     /* "ps", "vs", "gs", "hs", "ds", "cs"; "": the container has no program */
    uint32_t major, minor; /* the shader model; 0.0 without a program */
    uint32_t checksum[4];  /* as the container has it; 0 for text */
    bool checksum_right;
    uint64_t features; /* chunk SFI0; 0 without it */
};

/* Fills in `*info`. ARGUMENT if the shader is a TGSI shader, or `size` is not set. */
SCH_API enum sch_result sch_shader_get_d3d_info(const struct sch_shader *shader, struct sch_d3d_info *info);

/* The name of bit `bit` of sch_d3d_info.features; NULL: it has none. */
SCH_API const char *sch_d3d_feature(unsigned bit);

/* The name of what word `index` of the chunk STAT counts; NULL: it has none. */
SCH_API const char *sch_d3d_statistic(unsigned index);

/* A declaration dcl_interface of fp#[count]. Its elements have the slots from `slot` on. What a slot holds is bound
 * when the shader runs (struct sch_interface_slot). */
struct sch_interface_info {
    size_t size;
    uint32_t slot, count;
    uint32_t call_sites;
    uint32_t table_count;
    const uint32_t *tables; /* the numbers of ft#, one for each class that the interface can have */
    bool indexed;           /* _dynamicindexed */
};

/* Declaration `position`, counted from 0. False past the last. A lowered shader has those of its Direct3D shader. */
SCH_API bool sch_shader_interface(const struct sch_shader *shader, uint32_t position, struct sch_interface_info *info);

/* Arrays of struct sch_bindings. The counter of a u# in `buffers` is the same entry of `hw_atomics`. */
enum sch_unit_array {
    SCH_UNITS_CONSTANTS = 0, /* constants */
    SCH_UNITS_VIEWS = 1,     /* views */
    SCH_UNITS_SAMPLERS = 2,  /* samplers */
    SCH_UNITS_BUFFERS = 3,   /* buffers */
    SCH_UNITS_IMAGES = 4     /* images */
};

/* A declaration of registers, and the units where they are bound: register first + i is entry unit + i of the array
 * (docs/d3d.md, "Register spaces"). Up to shader model 5.0 each declaration is of one register, in space 0. */
struct sch_range_info {
    size_t size;
    enum sch_range_class kind;
    enum sch_unit_array array;
    uint32_t space, first;
    uint32_t count;       /* registers; 0: all from `first` on */
    uint32_t unit, units; /* first unit, and number of units; registers beyond them cannot be bound, and read 0 */
    bool spaces;          /* shader model 5.1: registers have spaces, so units differ from register numbers */
};

/* Declaration `position`, counted from 0. False past the last, and for TGSI shaders. A lowered shader has those of its
 * Direct3D shader. */
SCH_API bool sch_shader_range(const struct sch_shader *shader, uint32_t position, struct sch_range_info *info);

/* Where a register is bound. */
struct sch_unit {
    size_t size;
    enum sch_unit_array array;
    uint32_t number; /* index in the array */
};

/* The unit of a register. False if the shader does not declare the register, or has no unit left for it. */
SCH_API bool sch_shader_unit(const struct sch_shader *shader, enum sch_range_class kind, uint32_t space,
                             uint32_t register_number, struct sch_unit *unit);

/* A row of the table of Direct3D's opcodes. Strings live as long as the library. */
struct sch_d3d_opcode_info {
    size_t size;
    const char *name;     /* the mnemonic, as fxc writes it */
    const char *other;    /* as vkd3d writes it; "": the same */
    const char *operands; /* two letters each, which src/isa/d3d.def explains; "" for declarations */
    const char *text;     /* of declarations: what follows the mnemonic */
    const char *title;
    const char *stages; /* letters: v, p, g, h, d, c */
    unsigned number;
    unsigned model;  /* the first shader model that has it: 40, 41 or 50 */
    char flags[128]; /* words separated by blanks; may be empty */
    /* The TGSI opcodes that the instruction is lowered to, as sch_table_opcode names them, without the moves and
     * comparisons around them. Either may be "". Declarations have none. */
    const char *runs_as, *runs_with;
};
/* Row `index`, counted from 0. False past the last. */
SCH_API bool sch_table_d3d(size_t index, struct sch_d3d_opcode_info *info);

#ifdef __cplusplus
}
#endif
#endif
