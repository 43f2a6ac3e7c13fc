/* A whole Direct3D shader: container, program, and what its signatures and resources say; from a container, from
 * assembly text, and to both. */
#ifndef SCH_D3D_DXBC_SHADER_H
#define SCH_D3D_DXBC_SHADER_H

#include "d3d/dxbc/container.h"
#include "d3d/dxbc/program.h"

enum { SCH_D3D_SIGNATURE_COUNT = SCH_SIGNATURE_PATCH_CONSTANT + 1 }; /* of enum sch_signature_kind */

/* A container inside of a chunk, from byte `at` of its data on. */
struct sch_d3d_nested {
    const struct sch_d3d_chunk *chunk;
    const unsigned char *data;
    size_t at, bytes;
    uint32_t version; /* of its program, as the tokens have it; 0: it has none */
};

struct sch_d3d_shader {
    struct sch_arena arena;
    struct sch_d3d_container *container;
    struct sch_d3d_program *program;
    struct sch_d3d_signature signatures[SCH_D3D_SIGNATURE_COUNT]; /* tag 0: there is none */
    bool has_resources, has_features;
    struct sch_d3d_resources resources;
    uint64_t features;
    struct sch_d3d_nested *nested; /* of a container without a program, in the order of the file */
    size_t nested_count, nested_capacity;
};

/* An empty shader with an empty container and program; NULL: no memory. */
struct sch_d3d_shader *sch_d3d_shader_create(const struct sch_allocator *allocator, const struct sch_limits *limits);

/* What a listing says of a container, in the order in which a container that is made here has them: the chunks that are
 * made of text. All others are bytes. */
enum sch_d3d_source {
    SCH_D3D_SOURCE_RESOURCES,
    SCH_D3D_SOURCE_INPUT, /* the signatures, in the order of their places */
    SCH_D3D_SOURCE_OUTPUT,
    SCH_D3D_SOURCE_PATCH,
    SCH_D3D_SOURCE_PROGRAM,
    SCH_D3D_SOURCE_FEATURES,
    SCH_D3D_SOURCE_COUNT
};

/* Whether there is a program: a container may have none. Without one `program` is empty, of model 0.0. */
static inline bool sch_d3d_has_program(const struct sch_d3d_shader *shader) { return shader->program->major != 0; }

/* Which source a chunk is; COUNT: none. */
enum sch_d3d_source sch_d3d_source_of(uint32_t tag);

/* The chunk that each source is read from, SIZE_MAX where there is none: the first of several, SHDR before SHEX. */
void sch_d3d_find_sources(const struct sch_d3d_container *container, size_t chunks[SCH_D3D_SOURCE_COUNT]);

bool sch_d3d_has_source(const struct sch_d3d_shader *shader, enum sch_d3d_source source);

/* The chunk that a source becomes when nothing else is said. */
uint32_t sch_d3d_source_tag(const struct sch_d3d_shader *shader, enum sch_d3d_source source);

/* The data of a source's chunk; appends it to the shader's container, and notes the kind of signature. LIMIT,
 * MEMORY. */
enum sch_result sch_d3d_write_source(const struct sch_d3d_shader *shader, enum sch_d3d_source source, uint32_t tag,
                                     struct sch_diagnostics *diagnostics, struct sch_bytes *out);
enum sch_result sch_d3d_add_source(struct sch_d3d_shader *shader, enum sch_d3d_source source, uint32_t tag,
                                   struct sch_diagnostics *diagnostics);

/* Reads the program of the shader's container in the place of what `program` is, an empty one where the container has
 * none; NULL unless OK. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_read_program(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                            struct sch_diagnostics *diagnostics);

/* Reads signatures, resources and features from the shader's container, those that it does not have yet, and finds what
 * is nested in one without a program. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_describe(struct sch_d3d_shader *shader, const struct sch_limits *limits,
                                        struct sch_diagnostics *diagnostics);

/* Fills in `nested`: what has the outline of a container. MEMORY. */
enum sch_result sch_d3d_find_nested(struct sch_d3d_shader *shader, const struct sch_limits *limits);

/* Puts program, signatures (those with a tag that is not 0), resources and features into the shader's container.
 * LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_contain(struct sch_d3d_shader *shader, struct sch_diagnostics *diagnostics);

/* Reads a container with its program, if it has one, signatures and resources. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_shader_read(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                    const void *data, size_t bytes, bool any_checksum,
                                    struct sch_diagnostics *diagnostics, struct sch_d3d_shader **shader);
void sch_d3d_shader_destroy(struct sch_d3d_shader *shader);

/* The listing; zero-terminated text from `allocator`. The first style assembles to the same container, byte for byte;
 * the others to the same program, words behind operands and lengths in words of their own aside. */
enum sch_result sch_d3d_print(const struct sch_d3d_shader *shader, enum sch_listing_style style,
                              const struct sch_allocator *allocator, char **text, size_t *bytes);

/* Whether a text begins with a profile, after comments and empty lines. */
bool sch_d3d_text_recognise(const void *text, size_t bytes);

/* Assembles a listing in any of the accepted spellings (documentation's, fxc's, vkd3d's) into a shader with a
 * container. Reports every line that is wrong. INVALID, LIMIT, MEMORY. */
enum sch_result sch_d3d_assemble(const struct sch_allocator *allocator, const struct sch_limits *limits,
                                 const char *text, size_t bytes, struct sch_diagnostics *diagnostics,
                                 struct sch_d3d_shader **shader);

/* The IR opcodes that carry the meaning of a Direct3D instruction when it is lowered; how many: 0 to 2. */
unsigned sch_d3d_lowers_to(unsigned opcode, unsigned made[2]);

/* What the slots of interfaces hold, in constant buffers of lowered programs: CONST[16][slot].x is which of its tables
 * an interface has, CONST[17][slot] its instance's constant buffer, vector, texture and sampler. */
enum { SCH_D3D_CHOSEN_TABLES = 16, SCH_D3D_CHOSEN_THIS = 17 };

/* Lowers a program to the intermediate representation (docs/d3d.md). What this version cannot say is refused, each
 * instruction once, with number and place. `signatures`: SCH_D3D_SIGNATURE_COUNT of them. UNSUPPORTED, LIMIT,
 * MEMORY. */
struct sch_ir_shader;
enum sch_result sch_d3d_lower(const struct sch_d3d_program *program, const struct sch_d3d_signature *signatures,
                              const struct sch_allocator *allocator, const struct sch_limits *limits,
                              struct sch_diagnostics *diagnostics, struct sch_ir_shader **shader);

/* Makes a shader of model 5.0 of one that sch_ir_check has found right (docs/d3d.md, "From TGSI to Direct3D"), with
 * program, signatures and container. What Direct3D has no word for is refused, each opcode once, with number and place
 * (4360 to 4379). UNSUPPORTED, LIMIT, MEMORY. */
enum sch_result sch_d3d_raise(const struct sch_ir_shader *ir, const struct sch_allocator *allocator,
                              const struct sch_limits *limits, struct sch_diagnostics *diagnostics,
                              struct sch_d3d_shader **shader);

#endif
