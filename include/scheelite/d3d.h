/* What Direct3D shaders (models 4.0 to 5.1) have beside what every shader has: signatures, bindings, chunks, features.
 * They are read, printed and written by the functions of shader.h. Sources: the DXBC container and its chunks as
 * Direct3D 10 and 11 define them. All functions are thread-safe; views live as long as the shader. */
#ifndef SCHEELITE_D3D_H
#define SCHEELITE_D3D_H

#include "shader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One element of a signature: chunks ISGN, OSGN, PCSG, OSG5, ISG1, OSG1, PSG1. */
struct sch_signature_info {
    size_t size;
    const char *name;         /* of the semantic, as the source had it; compared without case */
    const char *system_value; /* "POS", "TARGET", ...; "" when there is none */
    const char *type;         /* "float", "int", "uint", "unknown" */
    uint32_t index;           /* of the semantic */
    uint32_t register_number; /* 0xffffffff: none (oDepth and the like) */
    uint32_t stream;          /* geometry shaders: 0 to 3 */
    uint32_t min_precision;   /* 0: 32 bits */
    uint8_t mask;             /* bits 0 to 3: x, y, z, w */
    uint8_t used;             /* components that are always read, or may be written */
};

/* Element `position` from 0; false past the last, and for shaders that have no signatures. */
SCH_API bool sch_shader_signature(const struct sch_shader *shader, enum sch_signature_kind kind, uint32_t position,
                                  struct sch_signature_info *view);

/* One bound resource: chunk RDEF. The numbers are those of D3D11_SHADER_INPUT_BIND_DESC. */
struct sch_binding_info {
    size_t size;
    const char *name;
    uint32_t kind; /* 0 constant buffer, 1 texture buffer, 2 texture, 3 sampler, 4 to 11 views and structured ones */
    uint32_t return_type, dimension, samples, slot, count, flags;
    uint32_t space;        /* shader model 5.1 */
    const char *kind_word; /* "texture", "sampler", ...; "unknown" */
};
SCH_API bool sch_shader_binding(const struct sch_shader *shader, uint32_t position, struct sch_binding_info *view);

/* One chunk of the container, known or not, in the order of the file. */
struct sch_chunk_info {
    size_t size;
    char tag[5]; /* "SHEX" */
    const void *data;
    size_t bytes;
};
SCH_API bool sch_shader_chunk(const struct sch_shader *shader, uint32_t position, struct sch_chunk_info *view);

/* One container inside of a chunk of a container that has no program itself: a shader of an effect (chunk FX10) or
 * a function of a library. sch_shader_read takes its bytes. */
struct sch_nested_info {
    size_t size;
    const char *stage;     /* as in struct sch_d3d_info; "" where it has no program */
    uint32_t major, minor; /* the shader model; 0.0 without a program */
    char tag[5];           /* of the chunk that it lies in */
    const void *data;      /* lives as long as the shader */
    size_t bytes;
    uint64_t offset; /* from the start of the file; 0 where the outer container was made of text */
};

/* Number `position` from 0, in the order of the file; false past the last. Only their outlines are known to be
 * sound. */
SCH_API bool sch_shader_nested(const struct sch_shader *shader, uint32_t position, struct sch_nested_info *view);

struct sch_d3d_info {
    size_t size;
    const char *stage;     /* "ps", "vs", "gs", "hs", "ds", "cs"; "" where the container has no program */
    uint32_t major, minor; /* 0.0 without a program */
    uint32_t checksum[4];  /* as the container had it; 0 for text */
    bool checksum_right;
    uint64_t features; /* chunk SFI0, 0 without one */
};

/* ARGUMENT: the shader is not one of Direct3D. */
SCH_API enum sch_result sch_shader_get_d3d_info(const struct sch_shader *shader, struct sch_d3d_info *info);

/* Bit `bit` of `features` in a word, or NULL. */
SCH_API const char *sch_d3d_feature(unsigned bit);

/* What word `place` of the chunk STAT counts, in a word, or NULL. */
SCH_API const char *sch_d3d_statistic(unsigned place);

/* One dcl_interface: fp#[count], whose elements have the slots from `slot` on. What they hold is bound when the shader
 * runs (struct sch_interface_slot). */
struct sch_interface_info {
    size_t size;
    uint32_t slot, count;
    uint32_t call_sites;
    uint32_t table_count;
    const uint32_t *tables; /* ft#, one for each class that the interface can have; lives as long as the shader */
    bool indexed;           /* _dynamicindexed */
};

/* Declaration `position` from 0; false past the last. What a Direct3D shader was lowered to has the same ones. */
SCH_API bool sch_shader_interface(const struct sch_shader *shader, uint32_t position, struct sch_interface_info *view);

/* Registers that resources are bound to, as HLSL's register(t3, space1) names them. */
enum sch_range_class {
    SCH_RANGE_CONSTANTS = 0, /* b#: cb# in programs */
    SCH_RANGE_TEXTURES = 1,  /* t# */
    SCH_RANGE_SAMPLERS = 2,  /* s# */
    SCH_RANGE_VIEWS = 3      /* u# */
};

/* Arrays of struct sch_bindings. */
enum sch_unit_array {
    SCH_UNITS_CONSTANTS = 0, /* constants */
    SCH_UNITS_VIEWS = 1,     /* views */
    SCH_UNITS_SAMPLERS = 2,  /* samplers */
    SCH_UNITS_BUFFERS = 3,   /* buffers; the counter of a u# is the same entry of hw_atomics */
    SCH_UNITS_IMAGES = 4     /* images */
};

/* One declaration of registers, and which entries they are: register first + i is entry unit + i of the array
 * (docs/d3d.md, "Register spaces"). Up to shader model 5.0 each has one register, of space 0. */
struct sch_range_info {
    size_t size;
    enum sch_range_class kind;
    enum sch_unit_array array;
    uint32_t space, first;
    uint32_t count;       /* registers; 0: from `first` on without end */
    uint32_t unit, units; /* entries; what is behind them cannot be bound, and reads as not bound */
    bool spaces;          /* shader model 5.1: registers have spaces, and entries numbers of their own */
};

/* Declaration `position` from 0; false past the last, and for shaders that are not of Direct3D. What a Direct3D shader
 * was lowered to has the same ones. */
SCH_API bool sch_shader_range(const struct sch_shader *shader, uint32_t position, struct sch_range_info *view);

/* Where the caller binds a register of a space. */
struct sch_unit {
    size_t size;
    enum sch_unit_array array;
    uint32_t number; /* the entry */
};

/* False: the shader declares no such register, or more of its kind than there are entries. */
SCH_API bool sch_shader_unit(const struct sch_shader *shader, enum sch_range_class kind, uint32_t space,
                             uint32_t register_number, struct sch_unit *unit);

/* A row of the table of opcodes. */
struct sch_d3d_opcode_info {
    size_t size;
    const char *name;     /* the mnemonic as fxc's listings have it */
    const char *other;    /* as vkd3d's have it; "" where they agree */
    const char *operands; /* two letters each: src/isa/d3d.def explains them; "" for declarations */
    const char *text;     /* of declarations: what follows the mnemonic */
    const char *title;
    const char *stages; /* letters v p g h d c */
    unsigned number;
    unsigned model;  /* 40, 41, 50 */
    char flags[128]; /* blank-separated words, may be empty */
    /* The opcodes of TGSI that carry the instruction's meaning when it runs, names of sch_table_opcode; moves and tests
     * around them are not named. Either may be "": declarations have none. */
    const char *runs_as, *runs_with;
};
SCH_API bool sch_table_d3d(size_t index, struct sch_d3d_opcode_info *view);

#ifdef __cplusplus
}
#endif
#endif
